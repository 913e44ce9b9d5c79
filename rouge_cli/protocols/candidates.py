"""The settings that people print numbers with: protocols, usual options, sentences, direction.

`candidates` makes all of them that can print the metrics of a table; `rouge_cli.studies.identify`
asks which of them a table is.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from rouge_cli.protocols.averages import Mean
from rouge_cli.protocols.catalogue import PROTOCOLS
from rouge_cli.protocols.counting import Measure, measures_of
from rouge_cli.protocols.perl_wrappers import ORIGINAL
from rouge_cli.protocols.protocol import Protocol, known_options
from rouge_cli.protocols.shared_counts import TextFacts
from rouge_cli.quick_dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A setting that may have printed some numbers.

    Parameters
    ----------
    name : str
        The protocol with its options, as ``--protocol`` takes it, or ROUGE-1.5.5 with its own.
    protocol : Protocol
        With these options.
    measures : mapping of str to Measure
        What it prints, by the names that papers have: ``"ROUGE-L"`` is the one that was chosen.
    lcs : str
        The package's own name of that one, if the package has two; else empty.
    sentences : str
        How sentences were found, if that was left to the caller; else empty.
    is_swapped : bool
        Whether predictions were taken for references.
    mean : str
        As in `MeanChoices`.
    """

    name: str
    protocol: Protocol
    measures: Mapping[str, Measure]
    lcs: str
    sentences: str
    is_swapped: bool
    mean: Mean


def _combined(**values: Sequence[Any]) -> list[dict[str, Any]]:
    """Return all combinations of values of some options."""
    return [dict(zip(values, chosen, strict=True)) for chosen in product(*values.values())]


_ON_OFF = (False, True)
_STEMMED = _combined(use_stemmer=_ON_OFF)
_BEST: Mapping[str, Mapping[str, Any]] = {
    "py-rouge": {"apply_avg": False, "apply_best": True},
    "rouge-metric": {"multi_ref_mode": "best"},
    "torchmetrics": {"accumulate": "avg"},
    "ignite": {"multiref": "best"},
}
"""The other way to treat several references, for packages with two."""

USUAL: Mapping[str, Sequence[Mapping[str, Any]]] = {
    "rouge": _combined(exclusive=(True, False)),
    "rouge-chinese": _combined(exclusive=(True, False)),
    "py-rouge": _combined(
        stemming=(True, False), limit_length=(True, False), weight_factor=(1.0, 1.2)
    ),
    "sumeval": _combined(stopwords=(True, False), stemming=_ON_OFF),
    "easy-rouge": _combined(level=("summary", "sentence")),
    "rouge-score": _STEMMED,
    "evaluate": _STEMMED,
    "datasets": _STEMMED,
    "torchmetrics": _STEMMED,
    "ignite": _combined(alpha=(0.0, 0.5)),
    "files2rouge": _combined(stemming=(True, False)),
}
"""The options of a protocol that are tried; of others, only the defaults."""

OF_LANGUAGE = "xlsum"
"""The protocol whose words depend on the language, which the user must name."""

CAN_COUNT = {
    "ROUGE-1.5.5": r"ROUGE-(\d+|W|SU?[*\d]+)",
    "rouge": r"ROUGE-[1-5]",
    "rouge-chinese": r"ROUGE-[1-5]",
    "py-rouge": r"ROUGE-(\d+|W)",
    "rouge-metric": r"ROUGE-(\d+|W|SU?[*\d]+)",
    "sumeval": r"ROUGE-\d+",
    "easy-rouge": r"ROUGE-\d+",
    "rouge-score": r"ROUGE-[1-9]",
    "evaluate": r"ROUGE-[1-9]",
    "datasets": r"ROUGE-[1-9]",
    "xlsum": r"ROUGE-[1-9]",
    "torchmetrics": r"ROUGE-[1-9]",
    "ignite": r"ROUGE-\d+",
    "naive-set": r"ROUGE-\d+",
    "files2rouge": r"ROUGE-\d+",
}
"""Metrics that a package counts on request, besides those that it prints by default."""

UNION, WHOLE = "ROUGE-L", "ROUGE-L-text"
LCS, LCS_OF_LINES = "ROUGE-L", "ROUGE-Lsum"
COMMON = ("ROUGE-1", "ROUGE-2", LCS, LCS_OF_LINES)
"""Metrics counted besides the published ones, to say which would tell candidates apart."""

AT_PERIODS = "at ' .'"
BY_PUNKT = "by Punkt"
AS_LINES = "at newlines"
WHOLE_TEXTS = "not told apart"


def candidates(  # noqa: PLR0913
    names: Sequence[str],
    facts: TextFacts,
    *,
    has_several: bool,
    has_punkt: bool,
    is_deep: bool,
    lang: str | None = None,
) -> Iterator[Candidate]:
    """Yield every setting that prints metrics of some names.

    Parameters
    ----------
    names : sequence of str
        ``"ROUGE-1"``, ``"ROUGE-L"``, ``"ROUGE-Lsum"``, ``"ROUGE-W"``, ``"ROUGE-SU4"``, ...
    facts : TextFacts
    has_several : bool
        Whether some texts have several references: packages that take one are left out.
    has_punkt : bool
        Whether sentences can be found by Punkt.
    is_deep : bool
        Whether texts were changed: then sentences and direction are as given.
    lang : str or None
        The language of the texts, as `OF_LANGUAGE` takes it; None leaves that protocol out.
    """
    for name, protocol in _protocols(has_several, lang):
        if has_several and protocol.scores.references == "single":
            continue
        wider = _with_metrics(protocol, names)
        for lcs, measures in _meanings(wider, names):
            lacks_sentences = wider.text.sentences == "punkt" and not has_punkt
            counted = {
                key: measure
                for key, measure in measures.items()
                if key in {*names, *COMMON} and not (lacks_sentences and measure.reads_sentences)
            }
            if not all(key in counted for key in names):
                continue
            reads_sentences = any(counted[key].reads_sentences for key in names)
            splits = _splits(wider, facts, has_punkt) if reads_sentences and not is_deep else ()
            for (sentences, changed), is_swapped, mean in product(
                splits or (("", wider),),
                _ON_OFF[: 1 if has_several or is_deep else 2],
                _means(wider),
            ):
                yield Candidate(
                    name=name,
                    protocol=changed,
                    measures=counted,
                    lcs=lcs,
                    sentences=sentences,
                    is_swapped=is_swapped,
                    mean=mean,
                )


def _protocols(has_several: bool, lang: str | None) -> Iterator[tuple[str, Protocol]]:
    """Yield the protocols with their usual options, by names that include the options."""
    for options in _combined(stem=_ON_OFF, remove_stopwords=_ON_OFF):
        letters = " -m" * options["stem"] + " -s" * options["remove_stopwords"]
        yield f"{ORIGINAL.name}{letters}", ORIGINAL.with_options(options)
    for name, protocol in PROTOCOLS.items():
        tried = USUAL.get(name, ({},))
        if name == OF_LANGUAGE:
            tried = () if lang is None else ({"lang": lang},)
        for usual in tried:
            best = [_BEST[name]] if has_several and name in _BEST else []
            for other in ({}, *best):
                options = {**usual, **other}
                yield spelled(protocol, options), protocol.with_options(options)


def spelled(protocol: Protocol, options: Mapping[str, Any]) -> str:
    """Return a protocol as ``--protocol`` takes it; options with their default are left out."""
    known = known_options(protocol)
    settings = ",".join(
        f"{name}={str(value).lower()}"
        for name, value in options.items()
        if value != known[name].default
    )
    return f"{protocol.name}:{settings}" if settings else protocol.name


def _with_metrics(protocol: Protocol, names: Sequence[str]) -> Protocol:
    """Return a protocol that counts further metrics, as far as its package can."""
    counted = {metric for _, metric in protocol.counts.metrics}
    can = re.compile(CAN_COUNT.get(protocol.name, "(?!)"))
    more = tuple((name, name) for name in names if name not in counted and can.fullmatch(name))
    return protocol.changed(counts={"metrics": protocol.counts.metrics + more})


def _meanings(
    protocol: Protocol, names: Sequence[str]
) -> Iterator[tuple[str, Mapping[str, Measure]]]:
    """Yield the metrics that the names may mean in a package; nothing if it lacks one."""
    measures = measures_of(protocol.counts)
    common = {item.metric: item for item in measures if item.metric not in {UNION, WHOLE}}
    of_lcs = [item for item in measures if item.metric in {UNION, WHOLE}]
    if len(of_lcs) > 1:
        by_kind = {item.metric: item for item in of_lcs}
        common[LCS_OF_LINES] = by_kind[UNION]
        # Papers print either as ROUGE-L, unless they print both.
        of_lcs = [by_kind[WHOLE]] if LCS_OF_LINES in names or LCS not in names else of_lcs
    if not of_lcs and all(name in common for name in names):
        yield "", common
    for chosen in of_lcs:
        known = {**common, LCS: chosen}
        if all(name in known for name in names):
            yield (chosen.key if LCS in names and LCS_OF_LINES in common else ""), known


def _splits(
    protocol: Protocol, facts: TextFacts, has_punkt: bool
) -> Sequence[tuple[str, Protocol]]:
    """Return the ways to find sentences, if a package takes lines for sentences."""
    text = protocol.text
    if text.sentences not in {"newline", "see"} or text.replacements:
        return ()
    if facts.has("\n"):
        as_whole = protocol.changed(text={"sentences": "none"})
        return ((AS_LINES, protocol), (WHOLE_TEXTS, as_whole))
    at_periods = protocol.changed(text={"replacements": ((" .", " .\n"),)})
    splits = [(WHOLE_TEXTS, protocol), (AT_PERIODS, at_periods)]
    if has_punkt:
        splits.append((BY_PUNKT, protocol.changed(text={"sentences": "punkt"})))
    return splits


def _means(protocol: Protocol) -> tuple[Mean, ...]:
    """Return the averages that are usual: a package's own, and the plain mean of its scores."""
    mean = protocol.means.mean
    if mean in {"median-of-resamples", "original"}:
        return (mean, "mean")
    return ("f-of-means" if mean == "f-of-means" else "mean",)


def own_slack(candidate: Candidate) -> float:
    """Return how far the numbers of a candidate may be from those of its package, as a share of 1.

    Some packages round before anybody prints their numbers, and one counts in single precision.
    """
    means, scores = candidate.protocol.means, candidate.protocol.scores
    rounded = 0.0 if means.decimals is None else 0.5 * 10**-means.decimals / means.scale
    return rounded + (2e-7 if scores.rounding == "float32" else 1e-12)
