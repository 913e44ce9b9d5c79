"""The engine that carries out the choices of any protocol: texts, counts, scores, means."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import chain, compress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import InputError
from rouge_cli.metrics.paired_texts import PairUnit
from rouge_cli.progress import tracked
from rouge_cli.protocols import scoring
from rouge_cli.protocols.catalogue import find_protocol
from rouge_cli.protocols.counting import (
    CountChoices,
    Floats,
    ProtocolMeasure,
    ProtocolPairs,
    measures_of,
)
from rouge_cli.protocols.protocol import Protocol
from rouge_cli.protocols.reading import prepared_texts, read_columns
from rouge_cli.protocols.scoring import ProtocolError
from rouge_cli.protocols.texts import TextChoices, stemmer_of, words_in
from rouge_cli.quick_dataclass import dataclass

Texts = str | Sequence[str]

TEXTS_AT_A_TIME = 4_000
"""Number of texts per batch. Larger batches take more memory and are not faster."""


@dataclass(frozen=True, slots=True)
class Counted:
    """The choices that determine the counts of one metric.

    They are equal for protocols that count alike, so that such counts are made only once. `text`
    comes from `TextChoices.of_metric`, and the metric is the only one in `choices`. With
    `is_swapped`, predictions take the place of references.
    """

    text: TextChoices
    choices: CountChoices
    is_swapped: bool = False

    @property
    def measure(self) -> ProtocolMeasure:
        """The metric, ready to count."""
        return measures_of(self.choices)[0]


@lru_cache(maxsize=64)
def counted_of(protocol: Protocol) -> dict[str, Counted]:
    """Return what is counted for each metric of a protocol, by the package's name for it."""
    measures = measures_of(protocol.counts)
    reads_any = any(measure.reads_sentences for measure in measures)
    counted = {}
    for measure in measures:
        text = protocol.text.of_metric(reads_sentences=measure.reads_sentences)
        if text.sentences == "punkt" and not reads_any:
            # Without metrics that read sentences, Punkt's model need not be installed.
            text = replace(text, sentences="none")
        metric = f"{measure.metric} {measure.letter}"
        choices = replace(protocol.counts, metrics=((measure.key, metric),))
        counted[measure.key] = Counted(text, choices, choices.is_swapped)
    return counted


@dataclass(frozen=True, slots=True, eq=False)
class TextPart:
    """Predictions, and the list of references of each prediction."""

    predictions: Sequence[str]
    references: Sequence[Sequence[str]]

    @property
    def texts(self) -> list[str]:
        """All predictions, followed by all references."""
        return [*self.predictions, *chain.from_iterable(self.references)]

    @property
    def has_several(self) -> bool:
        """Whether any prediction has a number of references other than one."""
        return any(len(texts) != 1 for texts in self.references)

    @property
    def ends(self) -> NDArray[np.int64]:
        """Bounds of the pairs of each prediction: ``t`` has the pairs ``ends[t]:ends[t + 1]``."""
        return np.cumsum([0, *map(len, self.references)])

    def parts(self) -> list["TextPart"]:
        """Split the texts into parts, each of which is read as a batch."""
        firsts = range(0, max(len(self.predictions), 1), TEXTS_AT_A_TIME)
        parts = [slice(first, first + TEXTS_AT_A_TIME) for first in firsts]
        return [TextPart(self.predictions[part], self.references[part]) for part in parts]


def _read_pairs(
    part: TextPart, text: TextChoices, is_swapped: bool, units: Sequence[PairUnit]
) -> ProtocolPairs:
    raw, n_texts = part.texts, len(part.predictions)
    peers, models = np.repeat(np.arange(n_texts), np.diff(part.ends)), np.arange(n_texts, len(raw))
    if text.prepare == "jieba-again":
        # Each prediction is prepared again for each reference after its first one, and the texts
        # that result follow all others.
        for pair in np.flatnonzero(np.diff(peers) == 0).tolist():
            raw += prepared_texts(text, [raw[peers[pair]]], np.zeros(1, np.bool_))
            peers[pair + 1] = len(raw) - 1
    is_reference = np.zeros(len(raw), np.bool_)
    is_reference[models] = True
    if is_swapped:
        is_reference, peers, models = ~is_reference, models, peers
    columns, n_types = read_columns(text, raw, is_reference)
    return ProtocolPairs(columns, peers, models, n_types, units)


Map = Callable[[Callable[[Any], Any], Iterable[Any]], Iterable[Any]]
"""`map`, or a function that spreads the calls over processes and yields results in order."""


def count_shared(
    part: TextPart, wanted: Iterable[Counted], map_parts: Map = map
) -> Mapping[Counted, Floats]:
    """Count each of `wanted` once, however often it occurs.

    Returns for each its hits, model counts and peer counts, shape (3, n_pairs). The pairs are in
    the order of the predictions.
    """
    in_order = tuple(dict.fromkeys(wanted))
    for kind in {counted.text.stems for counted in in_order} - {"none"}:
        # Loaded here, so that processes forked from this one share it.
        stemmer_of(kind)
    for counted in in_order:
        words_in(counted.text.words, counted.text.language)
    parts = list(part.parts())
    counts = map_parts(partial(_count_part, wanted=in_order), parts)
    sizes = [len(texts.predictions) for texts in parts]
    columns = zip(*(tables for tables, _ in tracked(counts, "Counting", sizes)), strict=True)
    return {
        counted: np.concatenate(column, axis=1)
        for counted, column in zip(in_order, columns, strict=True)
    }


def _count_part(
    part: TextPart, wanted: Sequence[Counted]
) -> tuple[list[Floats], NDArray[np.int64]]:
    """Count each of `wanted`.

    Also returns the numbers of words in the first reading, of all predictions and then of all
    references.
    """
    # Metrics are counted reading by reading, so that the words of only one are in memory, and the
    # core counts all units of a reading in one pass over the texts.
    readings: dict[tuple[TextChoices, bool], list[Counted]] = {}
    for counted in wanted:
        readings.setdefault((counted.text, counted.is_swapped), []).append(counted)
    counts: dict[Counted, Floats] = {}
    n_words = np.zeros(0, np.int64)
    for reading, metrics in readings.items():
        units = [unit for counted in metrics if (unit := counted.measure.unit)]
        pairs = _read_pairs(part, *reading, units)
        if not counts:
            n_words = pairs.texts.peers.token_counts
        counts |= {counted: counted.measure.counts(pairs) for counted in metrics}
    return [counts[counted] for counted in wanted], n_words


ScoredTexts = tuple[dict[str, Floats], dict[int, ProtocolError]]
"""The scores of texts by metric, and the exceptions that the package raises, by number of the text.

The scores of a metric are precision, recall and F before scaling, shape (3, n_texts). Those of a
text with an exception have no meaning.
"""


def score_texts(
    protocol: Protocol, predictions: Sequence[str], references: Sequence[Sequence[str]]
) -> ScoredTexts:
    """Score texts by a protocol.

    Raises InputError for a number of references that the package does not take, and OptionError if
    a metric is unknown, or something needed to find words is not installed.
    """
    choices = protocol.scores
    if not all(references):
        _refuse_nothing(choices.without_references, "references: empty, expected texts")
    most = max(map(len, references), default=0)
    if choices.references == "single" and most > 1:
        raise InputError(f"{protocol.name} takes one reference for each text; found {most}")
    parts = [_score_part(protocol, part) for part in TextPart(predictions, references).parts()]
    errors = {
        number * TEXTS_AT_A_TIME + text: error
        for number, (_, of_part) in enumerate(parts)
        for text, error in of_part.items()
    }
    scores = {key: np.concatenate([part[key] for part, _ in parts], 1) for key in parts[0][0]}
    return scores, errors


def _score_part(protocol: Protocol, part: TextPart) -> ScoredTexts:
    counted, ends, n_texts = counted_of(protocol), part.ends, len(part.predictions)
    if not counted:
        return {}, {}
    tables, n_words = _count_part(part, list(counted.values()))
    # Some packages reject a prediction or a reference before they count anything.
    longest = max(item.measure.fewest_words for item in counted.values())
    raw = part.texts
    is_refused, reason = scoring.refused_texts(protocol.scores, longest, raw, n_words[: len(raw)])
    n_refused = np.concatenate(([0], np.cumsum(is_refused[n_texts:])))[ends]
    errors = {
        text: ProtocolError(protocol.scores.error, reason)
        for text in np.flatnonzero(is_refused[:n_texts] | (np.diff(n_refused) > 0)).tolist()
    }
    scores = {}
    for (key, of_metric), counts in zip(counted.items(), tables, strict=True):
        scores[key] = scoring.score_columns(protocol.scores, of_metric.measure, counts, ends)
        errors = no_scores(of_metric.measure, scores[key], counts, ends) | errors
    return scores, errors


def no_scores(
    measure: ProtocolMeasure, scores: Floats, counts: Floats, ends: NDArray[np.int64]
) -> dict[int, ProtocolError]:
    """Return the exceptions that the package raises on counts, by number of the text.

    `score_columns` marks them with scores of nan.
    """
    errors = {}
    for text in np.flatnonzero(np.isnan(scores).any(axis=0)).tolist():
        name, reason = "ZeroDivisionError", "division by zero"
        if np.isnan(counts[:, ends[text] : ends[text + 1]]).any():
            name, reason = "OverflowError", "a number is too large"
        errors[text] = ProtocolError(name, f"{measure.key}: {reason}")
    return errors


def score(
    name: str | Protocol, prediction: str, references: Texts, **options: Any
) -> dict[str, Any]:
    """Compute what a package returns for one text, with its own arguments as `options`.

    The name is such as ``"rouge"``, or ``"rouge@1.0.1"`` to require a version. Returns for each
    metric, by the package's name for it, ``p``, ``r`` and ``f``, or a single number if the package
    returns nothing else.

    Raises ProtocolError if the package raises an exception on these texts (``type_name`` is its
    type), OptionError if the protocol or one of its arguments is unknown, and InputError if texts
    are not strings, or the package does not take as many references.

    Examples
    --------
    >>> from rouge_cli import protocols
    >>> protocols.score("rouge", "the cat sat", "the cat sat")["rouge-1"]["f"]
    0.999999995
    """
    protocol = _chosen(name, options)
    peer, models = _text(prediction, "prediction"), _listed(references, "references")
    scores = _sound(score_texts(protocol, [peer], [models]))
    choices = protocol.scores
    return {
        measure.key: scoring.by_letter(
            scoring.scaled(scores[measure.key][:, 0], choices).tolist(), measure, choices.only_f
        )
        for measure in measures_of(protocol.counts)
    }


def corpus(
    name: str | Protocol, predictions: Sequence[str], references: Sequence[Texts], **options: Any
) -> dict[str, Any]:
    """Compute what a package reports for many texts, each with its reference or references.

    Returns for each metric the means of the numbers that `score` returns for a text. If the package
    reports an interval, there are ``low``, ``mid`` and ``high``, each with these numbers. For
    wrappers of ROUGE-1.5.5 there are ``r``, ``p`` and ``f``, each a list of average, lower and
    upper bound. If the package has no average of its own, it is the plain mean. Raises what `score`
    raises.
    """
    protocol = _chosen(name, options)
    choices = protocol.means
    peers = [_text(text, f"predictions[{i}]") for i, text in enumerate(_several(predictions))]
    models = [_listed(texts, f"references[{i}]") for i, texts in enumerate(_several(references))]
    if len(peers) != len(models):
        raise InputError(
            f"{len(peers)} predictions but references for {len(models)}; expected equally many"
        )
    has_texts = bool(peers)
    if choices.drops != "nothing":
        peers, models = _kept(protocol, peers, models)
        has_texts = bool(peers) if choices.drops == "empty" else has_texts
    if not has_texts:
        _refuse_nothing(choices.without_texts, "predictions: empty, expected texts")
        return {}
    scores = _sound(score_texts(protocol, peers, models))
    return scoring.average(choices, protocol.scores, measures_of(protocol.counts), scores)


def _chosen(name: str | Protocol, options: dict[str, Any]) -> Protocol:
    protocol = name if isinstance(name, Protocol) else find_protocol(name)
    return protocol.with_options(options)


def _kept(
    protocol: Protocol, peers: list[str], models: list[list[str]]
) -> tuple[list[str], list[list[str]]]:
    if protocol.means.drops == "empty":
        is_kept = [all((text, *texts)) for text, texts in zip(peers, models, strict=True)]
    else:
        ready = [
            prepared_texts(protocol.text, texts, np.ones(len(texts), np.bool_)) for texts in models
        ]
        is_kept = list(map(any, ready))
    return list(compress(peers, is_kept)), list(compress(models, is_kept))


def _sound(scored: ScoredTexts) -> dict[str, Floats]:
    scores, errors = scored
    if errors:
        raise errors[min(errors)]
    return scores


def _refuse_nothing(choice: str, message: str) -> None:
    if choice == scoring.REFUSED:
        raise InputError(message)
    if choice != scoring.NOTHING:
        raise ProtocolError(choice, message)


def _several(texts: Any) -> list[Any]:
    if isinstance(texts, str | bytes | Mapping):
        raise InputError(
            f"found {type(texts).__name__}, expected a list with an item for each text"
        )
    return list(texts)


def _listed(texts: Any, name: str) -> list[str]:
    if isinstance(texts, str):
        return [texts]
    if not isinstance(texts, Sequence) or isinstance(texts, bytes):
        raise InputError(f"{name}: found {type(texts).__name__}, expected a string or a list")
    return [_text(text, f"{name}[{i}]") for i, text in enumerate(texts)]


def _text(text: Any, name: str) -> str:
    if not isinstance(text, str):
        raise InputError(f"{name}: found {type(text).__name__}, expected a string")
    return text
