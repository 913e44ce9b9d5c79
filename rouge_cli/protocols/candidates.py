"""The settings that may have produced published numbers.

Settings are a protocol, its options, a way to find sentences, and which texts were taken for
references. `candidates` yields those that compute the metrics of a table;
`rouge_cli.studies.identify` finds the ones whose numbers match the table.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from itertools import product
from typing import Any

from rouge_cli.protocols.catalogue import ORIGINAL, PROTOCOLS
from rouge_cli.protocols.counting import CountChoices, ProtocolMeasure, measures_of
from rouge_cli.protocols.engine import Counted, TextPart
from rouge_cli.protocols.protocol import Protocol, known_options
from rouge_cli.protocols.scoring import Mean
from rouge_cli.protocols.texts import NEEDS_JIEBA, TextChoices
from rouge_cli.quick_dataclass import dataclass

_MATTERS = {
    "ROUGE-L": ("union", "backtracking"),
    "ROUGE-L-text": (),
    "ROUGE-W": ("weight", "table_weight", "adds_rises"),
}
_OF_NGRAMS = ("ngrams", "negative_counts")
_UNION = CountChoices(metrics=(("", "ROUGE-L"),))
_WHOLE = CountChoices(metrics=(("", "ROUGE-L-text"),))
_PUNCTUATED = {"ascii", "py-rouge"}
_CHANGED_BY_LOWER = ("\u212a", "\u0130")
"""The Kelvin sign and the dotted I, which are not ASCII, but whose lower case contains an ASCII
letter."""


class TextFacts:
    """Properties of texts that determine which choices make a difference.

    Candidates that differ only in choices without effect are counted once.
    """

    def __init__(self, part: TextPart) -> None:
        self._texts, self.has_several = part.texts, part.has_several
        self._known: dict[str, bool] = {}
        self.longest = max(map(len, self._texts), default=0)
        self.is_ascii = all(map(str.isascii, self._texts))
        self.is_lowered_plainly = not any(map(self.has, _CHANGED_BY_LOWER))

    def has(self, string: str) -> bool:
        """Return whether any text contains a string."""
        if string not in self._known:
            self._known[string] = any(string in text for text in self._texts)
        return self._known[string]

    def counted(self, protocol: Protocol, measure: ProtocolMeasure, *, is_swapped: bool) -> Counted:
        """Return what a metric of a protocol counts, with only the choices that have an effect."""
        of_others = _OF_NGRAMS if measure.order else ("ngrams",)
        matters = _MATTERS.get(measure.metric, of_others)
        values = {name: getattr(protocol.counts, name) for name in matters}
        reads_sentences = measure.reads_sentences
        text = protocol.text.of_metric(reads_sentences=reads_sentences)
        text = self._plain(text, reads_sentences=reads_sentences)
        choices = CountChoices(metrics=(("", measure.metric),), **values)
        if choices == _UNION and text.sentences == "none":
            # The union LCS of two single sentences is their LCS, and there is nothing to clip.
            choices = _WHOLE
        return Counted(text, choices, is_swapped != protocol.counts.is_swapped)

    def _plain(self, text: TextChoices, *, reads_sentences: bool) -> TextChoices:
        """Reset the choices that have no effect on these texts to their simplest values."""
        is_punctuated = text.words in _PUNCTUATED
        changes: dict[str, Any] = {}
        if is_punctuated and self.is_lowered_plainly and text.case == "lower-words":
            changes["case"] = "lower"
        if text.limit >= self.longest:
            changes |= {"limit": 0, "limit_unit": "text-words"}
        replacements = text.replacements
        if is_punctuated and not reads_sentences:
            # Replacements of punctuation and newlines cannot change words of letters and digits.
            replacements = tuple(
                pair for pair in replacements if any(map(str.isalnum, "".join(pair)))
            )
        changes["replacements"] = tuple(pair for pair in replacements if self.has(pair[0]))
        sentences = text.sentences
        if sentences == "see" and not self.has("<"):
            sentences = "newline"
        # Lines and Punkt's sentences end between words in any tokenization but that at single
        # blanks, so metrics that do not read sentences count the same without them.
        is_line = sentences in {"newline", "punkt"} and text.words != "single-blanks"
        may_have_lines = self.has("\n") or any("\n" in new for _, new in changes["replacements"])
        if is_line and not (reads_sentences and (sentences == "punkt" or may_have_lines)):
            sentences = "none"
        return replace(text, sentences=sentences, **changes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """Settings that may have produced published numbers.

    - `name`: the protocol as ``--protocol`` takes it, or ROUGE-1.5.5 with its options.
    - `measures`: the metrics by the names that papers use. A package may have two metrics that
      papers call ``"ROUGE-L"``; here it is one of them.
    - `lcs`: the package's own name for that metric if it has two; otherwise empty.
    - `sentences`: how the caller found sentences; empty if the package finds them.
    - `is_swapped`: whether predictions and references were exchanged.
    - `letters`: the measures that the package prints, as a string of P, R and F, by the metrics of
      `measures`.
    """

    name: str
    protocol: Protocol
    measures: Mapping[str, ProtocolMeasure]
    lcs: str
    sentences: str
    is_swapped: bool
    mean: Mean
    letters: Mapping[str, str]

    def printed(self, name: str) -> dict[str, str]:
        """Return the measures of a metric, by the letters under which papers publish them.

        If the package prints a single number, papers may call it F whatever it is.
        """
        letters = self.letters[self.measures[name].metric]
        return (
            {letter: letter for letter in letters}
            if len(letters) > 1
            else {letters: letters, "F": letters}
        )


LETTERS = "PRF"
UNION, WHOLE = "ROUGE-L", "ROUGE-L-text"
LCS, LCS_OF_LINES = "ROUGE-L", "ROUGE-Lsum"
COMMON = ("ROUGE-1", "ROUGE-2", LCS, LCS_OF_LINES)
"""Metrics that are always counted, since they may tell apart candidates with equal numbers."""

AT_PERIODS = "at ' .'"
BY_PUNKT = "by Punkt"
AS_LINES = "at newlines"
WHOLE_TEXTS = "not told apart"


def candidates(
    names: Sequence[str],
    facts: TextFacts,
    *,
    has_punkt: bool,
    is_deep: bool,
    lang: str | None = None,
) -> Iterator[Candidate]:
    """Yield all settings that compute the metrics in `names`, such as ``"ROUGE-Lsum"``.

    Protocols are left out if they take a single reference and texts have several, if they need
    Punkt and it is missing, and if they need a language and `lang` is None. With `is_deep`, texts
    have been changed already, so other sentence splits and swapped texts are not tried as well.
    """
    has_several = facts.has_several
    for name, protocol in _protocols(facts, lang):
        if has_several and protocol.scores.references == "single":
            continue
        # Metrics that the package computes on request are added if the table has them.
        counts = {metric for _, metric in protocol.counts.metrics}
        further = [name for name in names if re.fullmatch(protocol.on_request, name)]
        more = tuple((name, name) for name in further if name not in counts)
        wider = protocol.changed(counts={"metrics": protocol.counts.metrics + more})
        for lcs, measures in _meanings(wider, names):
            is_cut, is_prepared = wider.text.sentences == "punkt", wider.text.prepare == "nltk"
            counted = {
                key: measure
                for key, measure in measures.items()
                if key in {*names, *COMMON}
                and (has_punkt or not (is_prepared or (is_cut and measure.reads_sentences)))
            }
            if not all(key in counted for key in names):
                continue
            reads_sentences = any(counted[key].reads_sentences for key in names)
            splits = _splits(wider, facts, has_punkt) if reads_sentences and not is_deep else ()
            directions = (False, True)[: 1 if has_several or is_deep else 2]
            letters: dict[str, str] = {}
            for measure in measures_of(wider.counts):
                printed = measure.letter if wider.scores.only_f else LETTERS
                letters[measure.metric] = letters.get(measure.metric, "") + printed
            # Papers may also print the plain mean, without the resamples of the package.
            kind = wider.means.mean
            means: tuple[Mean, ...] = ("f-of-means" if kind == "f-of-means" else "mean",)
            means = (kind, "mean") if kind in {"median-of-resamples", "original"} else means
            make = partial(Candidate, name=name, measures=counted, lcs=lcs, letters=letters)
            for (sentences, changed), is_swapped, mean in product(
                splits or (("", wider),), directions, means
            ):
                yield make(protocol=changed, sentences=sentences, is_swapped=is_swapped, mean=mean)


def _protocols(facts: TextFacts, lang: str | None) -> Iterator[tuple[str, Protocol]]:
    for letters in ("", " -s", " -m", " -m -s"):
        original = {"stem": "-m" in letters, "remove_stopwords": "-s" in letters}
        yield f"{ORIGINAL.name}{letters}", ORIGINAL.with_options(original)
    for name, chosen in _with_tried_options(facts.has_several, lang, facts.is_ascii):
        if not _lacks_jieba(chosen):
            yield name, chosen


def _with_tried_options(
    has_several: bool, lang: str | None, is_ascii: bool
) -> Iterator[tuple[str, Protocol]]:
    for protocol in PROTOCOLS.values():
        for options in tried_options(protocol, has_several=has_several, lang=lang):
            # Texts in ASCII are not Chinese, so users would not cut them with jieba first.
            if not (is_ascii and options.get("words") == "jieba"):
                yield spelled(protocol, options), protocol.with_options(options)


def _lacks_jieba(protocol: Protocol) -> bool:
    return protocol.text.prepare in NEEDS_JIEBA and find_spec("jieba") is None


def untried_without_jieba(*, is_ascii: bool) -> list[str]:
    """Return the protocols that are skipped because jieba is not installed."""
    tried = _with_tried_options(False, None, is_ascii)
    return [name for name, protocol in tried if _lacks_jieba(protocol)]


def tried_options(
    protocol: Protocol, *, has_several: bool, lang: str | None
) -> Iterator[dict[str, Any]]:
    """Yield the combinations of a protocol's options to try, each as values by name."""
    if protocol.tried_language and lang is None:
        return
    language = {protocol.tried_language: lang} if protocol.tried_language else {}
    others = [{}, dict(protocol.tried_with_several)][: 1 + bool(has_several)]
    names = [name for name, _ in protocol.tried]
    for values in product(*(values for _, values in protocol.tried)):
        for other in others if protocol.tried_with_several else ({},):
            yield {**language, **dict(zip(names, values, strict=True)), **other}


def spelled(protocol: Protocol, options: Mapping[str, Any]) -> str:
    """Return a protocol as typed after ``--protocol``, without options that have their default."""
    known = known_options(protocol)
    settings = ",".join(
        f"{name}={str(value).lower()}"
        for name, value in options.items()
        if value != known[name].default
    )
    return f"{protocol.name}:{settings}" if settings else protocol.name


def _meanings(
    protocol: Protocol, names: Sequence[str]
) -> Iterator[tuple[str, Mapping[str, ProtocolMeasure]]]:
    """Yield the metrics of a package that the names may refer to.

    Each item is the package's own name for ROUGE-L, or an empty string if that is unambiguous, and
    the metrics by the names that papers use. Yields nothing if the package lacks one of the names.
    """
    measures = measures_of(protocol.counts)
    common = {item.metric: item for item in measures if item.metric not in {UNION, WHOLE}}
    by_kind = {item.metric: item for item in measures if item.metric in {UNION, WHOLE}}
    of_lcs = list(by_kind.values())
    if len(of_lcs) > 1:
        common[LCS_OF_LINES] = by_kind[UNION]
        # Papers print either of the two as ROUGE-L, unless they print both.
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


def own_slack(candidate: Candidate) -> float:
    """Return how far a candidate's numbers may deviate from those of its package.

    Some packages round their numbers before they return them, and one computes in single precision.
    """
    means, scores = candidate.protocol.means, candidate.protocol.scores
    rounded: float = sum(
        0.5 * 10**-choices.decimals / choices.scale
        for choices in (means, scores)
        if choices.decimals is not None
    )
    return rounded + (2e-7 if scores.rounding == "float32" else 1e-12)
