"""Scores of pairs of texts in one measure of one metric.

The hits of most metrics depend only on the words of the two texts. Scores then follow from the hits
and the numbers of units of both texts, and can be looked up in a table.

A unit is an n-gram together with the number of its earlier occurrences in the text: the units of
``a b a`` are the first a, the first b and the second a. The clipped hits of ROUGE-N are therefore
the number of units that two texts share, and can be counted as the intersection of two sets.
"""

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rouge_cli.bulk.texts import BulkTexts, Form, joined_columns
from rouge_cli.core import compiled_core
from rouge_cli.errors import InputError, OptionError
from rouge_cli.metrics.counts import Counts, GrowingRows
from rouge_cli.metrics.formulas import Metric, score_counts
from rouge_cli.metrics.lcs import RougeL
from rouge_cli.metrics.metric import metrics_of
from rouge_cli.metrics.ngrams import RougeN
from rouge_cli.metrics.paired_texts import Element, PairedTexts, PairUnit, Stem
from rouge_cli.options.options import Options
from rouge_cli.options.scores import SINGLE_MEASURE, NamedScore, named_metric, named_score
from rouge_cli.protocols.counting import ProtocolMeasure, ProtocolPairs, measures_of
from rouge_cli.protocols.engine import no_scores
from rouge_cli.protocols.protocol import Protocol
from rouge_cli.protocols.scoring import scaled, score_columns
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.text.columns import Spelling, TextColumns, ragged_indices

DEFAULT = "ROUGE-L:F"

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]

# Scores pairs, given the predictions and their numbers in the pairs, then those of references.
ScorePairs = Callable[[BulkTexts, Numbers, BulkTexts, Numbers], Floats]

LCS = 0  # takes the place of the order of n-grams for the LCS of whole texts

NAME = re.compile(
    r"ROUGE-(?:(?P<order>[1-9][0-9]*)|L(?P<text>-text)?|W-(?P<weight>.+)|S(?P<u>U)?(?P<gap>[0-9]+"
    r"|\*))|(?P<pairwise>LCS-pairwise)",
    re.IGNORECASE,
)
EXPECTED = "a name such as ROUGE-1:F, ROUGE-L:R, ROUGE-L-text:F, ROUGE-W-1.2:F or ROUGE-SU4:P"


@dataclass(frozen=True, slots=True, eq=False)
class PairMetric:
    """A measure of a metric.

    - `order`: the length of the n-grams, `LCS` for the LCS of whole texts, or None if hits depend
      on more than the words.
    - `is_union`: the metric is the union LCS of sentences. For two texts of one sentence each, this
      is their LCS; for other texts, the hits of unigrams are its upper bound.
    - `forms`: those in which predictions and references are read.
    - `score_hits`: from hits, units of references and units of predictions, all int64, to scores.
    - `score_pairs`: from pairs of any texts to scores.
    - `is_monotonic`: scores never fall with more hits, and never rise with longer texts.
    """

    name: str
    order: int | None
    is_union: bool
    forms: tuple[Form, Form]
    score_hits: Callable[[Numbers, Numbers, Numbers], Floats]
    score_pairs: ScorePairs
    is_monotonic: bool = True

    def n_units(self, lengths: Numbers) -> Numbers:
        """Return the numbers of units in texts of these lengths in words."""
        return np.maximum(lengths - max((self.order or 1) - 1, 0), 0)

    def columns(self, rows: BulkTexts, columns: BulkTexts) -> tuple[TextColumns, TextColumns]:
        """Return predictions and references in the forms that this metric reads."""
        return rows.of_form(self.forms[0]), columns.of_form(self.forms[1])


def pair_metric(metric: str, options: Options) -> PairMetric:
    """Return a measure by its name, such as ``"ROUGE-2:F"``; raises OptionError."""
    try:
        wanted = named_score(metric)
    except ValueError as expected:
        raise OptionError(f"metric: found {metric!r}, expected {EXPECTED}") from expected
    if wanted.system is not None:
        raise OptionError(f"metric: found {metric!r}, expected {EXPECTED}")
    choice = options.metrics.protocol
    if choice is not None:
        return _protocol_metric(wanted, choice.metric.protocol)
    return _original_metric(wanted, options)


def _unknown(wanted: NamedScore, names: Sequence[str], letters: str) -> OptionError:
    known = ", ".join(f"{name}:{letters[-1]}" for name in names)
    return OptionError(f"metric: found '{wanted.metric}:{wanted.measure}', expected {known}")


# ROUGE-1.5.5.


def metric_options(name: str, lcs_unit: str) -> dict[str, Any]:
    """Return the options that make a run compute a metric; raises OptionError."""
    match = NAME.fullmatch(name)
    if match is None:
        raise OptionError(f"metric: found {name!r}, expected {EXPECTED}")
    if match["order"]:
        return {"max_ngram": int(match["order"]), "lcs": False}
    if match["weight"]:
        return {"weight": match["weight"], "lcs": False}
    if match["gap"]:
        gap = "-1" if match["gap"] == "*" else match["gap"]
        return {"max_gap": gap, "skip_unigram": bool(match["u"]), "lcs": False}
    if match["pairwise"]:
        return {"pairwise_lcs": True, "lcs": False}
    return {"lcs_unit": "text" if match["text"] else lcs_unit}


def _original_metric(wanted: NamedScore, options: Options) -> PairMetric:
    metrics = type(options.metrics).of(metric_options(wanted.metric, options.metrics.lcs_unit))
    (metric,) = metrics_of(metrics)
    names = [column.name for column in metric.columns]
    # With lcs_unit="text", ROUGE-L has the name ROUGE-L-text. A run of ROUGE-N has all orders up to
    # the one that was asked for, which comes last.
    name = named_metric(wanted.metric, names) or names[-1]
    column = names.index(name)
    if wanted.measure not in metric.columns[column].measures:
        raise _unknown(wanted, [name], "F")
    letter, alpha = metric.columns[column].measures.index(wanted.measure), options.scores.alpha

    def score_hits(hits: Numbers, model_counts: Numbers, peer_counts: Numbers) -> Floats:
        counts = map(np.ascontiguousarray, (hits, model_counts, peer_counts))
        scores: Floats = score_counts(Counts(*counts), alpha.value)[letter]
        return scores

    def score_pairs(rows: BulkTexts, peers: Numbers, columns: BulkTexts, models: Numbers) -> Floats:
        pairs = PairNumbers(peers, models, np.arange(peers.size))
        paired = paired_texts([metric], options, (rows, columns), pairs)
        scores: Floats = metric.score(paired, options.scores)[column].values[letter]
        return scores

    stem, stem_models = options.texts.stem, options.texts.stem_models
    reads_stems = stem or (stem_models and metric.reading.stems_models)
    order = column + 1 if isinstance(metric, RougeN) else None
    if isinstance(metric, RougeL) and metric.reading.as_one_sentence:
        order = LCS
    # ROUGE-L applies a byte limit sentence by sentence. Unigrams may be cut off elsewhere, and are
    # then no upper bound.
    is_union = isinstance(metric, RougeL) and order is None and not options.texts.bytes
    forms = (stem, False), (reads_stems, False)
    return PairMetric(name, order, is_union, forms, score_hits, score_pairs)


class PairNumbers(NamedTuple):
    """The texts of each pair, and the first pair of each instance; all are int64."""

    peers: Numbers
    models: Numbers
    starts: Numbers


BothSides = tuple[BulkTexts, BulkTexts]  # from which predictions and references are paired


def _used(texts: BulkTexts, numbers: Numbers) -> tuple[BulkTexts, Numbers]:
    """Return the texts that occur in pairs, and their numbers among these.

    Leaving texts out saves time only if most of them occur in no pair, so otherwise all are kept.
    """
    if len(texts) <= 2 * numbers.size:
        return texts, numbers
    chosen, numbers = np.unique(numbers, return_inverse=True)
    return texts.taken(chosen), numbers


class _SideTexts:
    """Predictions or references as a `rouge_cli.metrics.paired_texts.BlockOfTexts`."""

    def __init__(self, texts: BulkTexts) -> None:
        self._texts = texts
        self.n_types = max(texts.reader.n_types, 1)
        has_unsummed = any((form, True) in texts.columns for form in (False, True))
        self.unsummed_start = len(texts) if has_unsummed else 0
        self.elements: list[tuple[Element, ...]] = []
        self.raw: Sequence[str] = ()
        self.stem: Stem | None = None

    def columns(self, *, stemmed: bool) -> TextColumns:
        """Return the texts, followed by their second reading, if there is one."""
        readings = (False, True) if self.unsummed_start else (False,)
        return joined_columns([self._texts.of_form((stemmed, reading)) for reading in readings])

    def spelling(self) -> Spelling:
        """Raise ValueError, since spellings are not kept."""
        raise ValueError("these texts have no spelling")


def paired_texts(
    metrics: Sequence[Metric], options: Options, sides: BothSides, pairs: PairNumbers
) -> PairedTexts:
    """Return pairs of predictions and references in the form that metrics read."""
    (rows, peers), (columns, models) = _used(sides[0], pairs.peers), _used(sides[1], pairs.models)
    numbers = PairNumbers(peers, models, pairs.starts)
    return PairedTexts(_SideTexts(rows), numbers, options.texts, metrics, _SideTexts(columns))


# Protocols of other packages.


def _protocol_metric(wanted: NamedScore, protocol: Protocol) -> PairMetric:
    measures = measures_of(protocol.counts)
    keys = [measure.key for measure in measures]
    name = named_metric(wanted.metric, keys)
    scores, choices = protocol.scores, protocol.counts
    letters = SINGLE_MEASURE if scores.only_f else "PRF"
    if name is None or wanted.measure not in letters:
        raise _unknown(wanted, keys, letters)
    measure = measures[keys.index(name)]
    letter = measure.letter if wanted.measure == SINGLE_MEASURE else wanted.measure
    row = "PRF".index(letter)

    def score_hits(hits: Numbers, model_counts: Numbers, peer_counts: Numbers) -> Floats:
        sides = (model_counts, peer_counts)[:: -1 if choices.is_swapped else 1]
        counts = np.array((hits, *sides), np.float64)
        scored: Floats = protocol_scores(protocol, measure, counts)[row]
        return scored

    def score_pairs(rows: BulkTexts, peers: Numbers, columns: BulkTexts, models: Numbers) -> Floats:
        pairs = PairNumbers(peers, models, np.arange(peers.size))
        paired = protocol_pairs(protocol, (rows, columns), pairs, by_sentence=by_sentence)
        scored: Floats = protocol_scores(protocol, measure, measure.counts(paired))[row]
        return scored

    by_sentence, order = measure.reads_sentences, None
    if measure.order and choices.ngrams == "clipped" and not choices.negative_counts:
        order = measure.order
    elif measure.metric == "ROUGE-L-text" and measure.root is None:
        order = LCS
    is_union = measure.metric == "ROUGE-L" and choices.union == "clipped" and measure.root is None
    forms = (choices.is_swapped, by_sentence), (not choices.is_swapped, by_sentence)
    is_monotonic = scores.formula != "precision-by-recall" and scores.lcs_formula is None
    return PairMetric(name, order, is_union, forms, score_hits, score_pairs, is_monotonic)


def protocol_pairs(
    protocol: Protocol,
    sides: BothSides,
    pairs: PairNumbers,
    *,
    by_sentence: bool,
    units: Sequence[PairUnit] = (),
) -> ProtocolPairs:
    """Return predictions and references as the pairs that a protocol counts.

    `units` are counted together by the core.
    """
    is_swapped = protocol.counts.is_swapped
    (rows, peers), (columns, models) = _used(sides[0], pairs.peers), _used(sides[1], pairs.models)
    both = [rows.of_form((is_swapped, by_sentence)), columns.of_form((not is_swapped, by_sentence))]
    models = models + len(rows)
    if is_swapped:
        peers, models = models, peers
    return ProtocolPairs(joined_columns(both), peers, models, sides[0].reader.n_types, units)


def protocol_scores(
    protocol: Protocol, measure: ProtocolMeasure, counts: Floats, ends: Numbers | None = None
) -> Floats:
    """Return precision, recall and F of texts from the counts of their pairs; shape (3, n_texts).

    Text ``t`` has the pairs ``ends[t]:ends[t + 1]``; without `ends`, each has one. Raises
    InputError if the package would raise an exception.
    """
    ends = np.arange(counts.shape[1] + 1) if ends is None else ends
    scores = score_columns(protocol.scores, measure, counts, ends)
    for error in no_scores(measure, scores, counts, ends).values():
        raise InputError(f"protocol {protocol.name}: {error}")
    return scaled(scores, protocol.scores)


# Texts as sequences of words, or of units.


PARTS = 1 << 20  # words whose units are numbered together; with more, sorting takes longer per word


class Sequences(NamedTuple):
    """Texts as items, such as words or units.

    The items of text ``t`` are ``items[offsets[t]:offsets[t + 1]]``. `items` is int32; `offsets` is
    int64 of shape (n_texts + 1,).
    """

    items: NDArray[np.int32]
    offsets: Numbers

    @classmethod
    def of(cls, columns: TextColumns) -> "Sequences":
        """Take the words of texts as their items."""
        return cls(np.ascontiguousarray(columns.types), columns.token_offsets)

    @property
    def lengths(self) -> Numbers:
        """Number of items in each text, shape (n_texts,)."""
        return np.diff(self.offsets)

    def text(self, number: int) -> NDArray[np.int32]:
        """Return the items of a text."""
        return self.items[self.offsets[number] : self.offsets[number + 1]]

    def part(self, first: int, end: int) -> "Sequences":
        """Return the texts from `first` up to, but not including, `end`."""
        offsets = self.offsets[first : end + 1]
        return Sequences(self.items[offsets[0] : offsets[-1]], offsets - offsets[0])

    def taken(self, numbers: Numbers) -> "Sequences":
        """Return the texts with these numbers, in this order."""
        places, offsets = ragged_indices(self.offsets, numbers)
        return Sequences(self.items[places], offsets)

    def where(self, is_kept: NDArray[np.bool_]) -> "Sequences":
        """Return all texts, with those that are not kept replaced by empty ones."""
        if is_kept.all():
            return self
        lengths = np.where(is_kept, self.lengths, 0)
        items = self.items[np.repeat(is_kept, self.lengths)]
        return Sequences(items, np.concatenate(([0], np.cumsum(lengths))))


class _PairNumbers:
    """Numbers pairs of integers below 2**31; a pair keeps its number in later calls."""

    def __init__(self) -> None:
        # The largest integer ends the sorted pairs, so that a search never ends behind them.
        self._pairs = np.array([np.iinfo(np.int64).max])
        self._numbers: NDArray[np.int32] = np.zeros(1, np.int32)

    def number(self, first: NDArray[Any], second: NDArray[Any]) -> NDArray[np.int32]:
        # Both integers fit in one of 64 bits, which sorts faster than rows of two.
        keys = first.astype(np.int64) << 32 | second
        pairs, places = np.unique(keys, return_inverse=True)
        at: Any = np.searchsorted(self._pairs, pairs)
        is_known = self._pairs[at] == pairs
        numbers: NDArray[np.int32] = self._numbers[at]
        n_known = self._pairs.size - 1
        new = np.arange(n_known, n_known + np.count_nonzero(~is_known), dtype=np.int32)
        numbers[~is_known] = new
        # The known pairs stay sorted, for the next binary search.
        self._pairs = np.insert(self._pairs, at[~is_known], pairs[~is_known])
        self._numbers = np.insert(self._numbers, at[~is_known], new)
        return numbers[places]


class UnitNumbers:
    """Numbers the units of one order, in texts whose words are numbered alike.

    All units so far are below `n_units`.
    """

    def __init__(self, order: int) -> None:
        self._order, self.n_units = order, 1
        self._longer = [_PairNumbers() for _ in range(order - 1)]
        self._repeated = _PairNumbers()

    def number(self, words: Sequences) -> Sequences:
        """Return the texts as sequences of units."""
        lengths = np.maximum(words.lengths - self._order + 1, 0)
        offsets = np.concatenate(([0], np.cumsum(lengths)))
        starts = np.searchsorted(words.offsets, np.arange(0, words.items.size, PARTS))
        texts = np.unique([0, *starts.tolist(), lengths.size])
        units = GrowingRows()
        units.extend(np.zeros(0, np.int32))
        for first, end in pairwise(texts.tolist()):
            units.extend(self._units(words.part(first, end)))
        return Sequences(units.take(), offsets)

    def _units(self, words: Sequences) -> NDArray[np.int32]:
        ngrams, offsets = words
        # Each round joins the number of an n-gram and its next word to that of an (n+1)-gram.
        for before, numbers in enumerate(self._longer, 1):
            lengths = np.maximum(words.lengths - before, 0)
            shorter = np.concatenate(([0], np.cumsum(lengths)))
            is_last = np.zeros(ngrams.size, np.bool_)
            is_last[offsets[1:][np.diff(offsets) > 0] - 1] = True
            lasts = np.repeat(words.offsets[:-1] + before - shorter[:-1], lengths)
            seconds = words.items[lasts + np.arange(lasts.size)]
            ngrams, offsets = numbers.number(ngrams[~is_last], seconds), shorter
        places, n_before = _repeats(ngrams, offsets)
        # First occurrences have even numbers, which need no table; repeated ones have odd numbers.
        units = 2 * ngrams
        units[places] = 2 * self._repeated.number(ngrams[places], n_before) + 1
        self.n_units = max(self.n_units, int(units.max(initial=0)) + 1)
        return units


def _repeats(ngrams: NDArray[np.int32], offsets: Numbers) -> tuple[Numbers, Numbers]:
    """Return the places of repeated n-grams, and the number of earlier occurrences of each.

    Both are in any order.
    """
    core, places = compiled_core(), np.arange(ngrams.size)
    if core is not None:
        is_first = np.empty(ngrams.size, np.bool_)
        core.mark_firsts(ngrams, offsets, int(ngrams.max(initial=0)) + 1, is_first)
        places = np.flatnonzero(~is_first)
    texts = np.searchsorted(offsets, places, "right")
    # Equal n-grams of a text become adjacent.
    keys = texts << 32 | ngrams[places]
    order = np.argsort(keys, kind="stable")
    keys, places = keys[order], places[order]
    starts = np.flatnonzero(np.diff(keys, prepend=-1))
    n_before = np.arange(keys.size) - np.repeat(starts, np.diff(starts, append=keys.size))
    if core is not None:
        return places, n_before + 1
    return places[n_before > 0], n_before[n_before > 0]
