"""Counts of pairs of texts, in columns: by the core or, without it, pair by pair.

Counts that ROUGE-1.5.5 lacks are expressed in terms of those that it has, so that its metrics count
them. For example, a set of n-grams becomes the unigrams of a text that has each n-gram once.
"""

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property, lru_cache, partial
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rouge_cli.core import compiled_core
from rouge_cli.errors import OptionError
from rouge_cli.metrics import lcs, ngrams, weighted_lcs
from rouge_cli.metrics.counts import PairCounts
from rouge_cli.metrics.paired_texts import LCS, NGRAM, TEXT_LCS, PairUnit, TextPair, TextPairs
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.text.ascii155 import columns_of
from rouge_cli.text.columns import TextColumns
from rouge_cli.text.segmenters import compiled_number_words
from rouge_cli.text.stems import Numbers

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class CountChoices:
    """The choices of what is counted, and how.

    - `metrics`: the name that the package prints, and the metric that it means: ``ROUGE-2``,
      ``ROUGE-L`` (the union LCS of sentences), ``ROUGE-L-text`` (the LCS of whole texts),
      ``ROUGE-W``, ``ROUGE-W-1.5`` (with its own weight), ``ROUGE-S4``, ``ROUGE-SU*``. For a package
      that prints single numbers, this is F, or the measure after a blank, as in ``ROUGE-1 R``.
    - `is_swapped`: whether predictions and references change places.
    - `ngrams`: ``clipped``: as multisets. ``sets``: each n-gram counts once, in hits and in the
      counts of texts. ``matched-sets``: each n-gram or skip-bigram is at most one hit, but the
      counts of texts include all occurrences.
    - `union`: how ROUGE-L counts hits. ``clipped``: marked words, each at most as often as in the
      peer. ``different-words``: the different words marked in any pair of sentences; texts count
      their different words too. ``sum``: the sum of the LCS of all pairs of sentences, which may
      exceed the number of words.
    - `backtracking`: which word is skipped if two words differ and both ways lead to an LCS of
      equal length: ``A`` skips that of the model, ``B`` that of the peer.
    - `weight`: W of ROUGE-W.
    - `table_weight`: W in the table of the weighted LCS; None if it is `weight`.
    - `adds_rises`: whether that table adds the difference ``f(k+1) - f(k)`` in one step, rather
      than adding ``f(k+1)`` and then subtracting ``f(k)``; the last digit may differ.
    - `roots_lcs`: whether recall and precision of ROUGE-L are W-th roots, as in ROUGE-W.
    - `negative_counts`: whether the count of a text that is too short for an n-gram is negative,
      and not 0.
    """

    metrics: tuple[tuple[str, str], ...]
    is_swapped: bool = False
    ngrams: Literal["clipped", "sets", "matched-sets"] = "clipped"
    union: Literal["clipped", "different-words", "sum"] = "clipped"
    backtracking: Literal["A", "B"] = "A"
    weight: float = 1.2
    table_weight: float | None = None
    adds_rises: bool = False
    roots_lcs: bool = False
    negative_counts: bool = False


_METRIC = re.compile(
    r"(ROUGE-(?:([1-9][0-9]{0,3})|L(?:-text)?|W(?:-([0-9]+(?:\.[0-9]+)?))?|SU?([0-9]{1,9}|\*)))"
    r"(?: ([PRF]))?"
)
"""The name of a metric, its N, W or gap, and the letter if the package returns one number."""


@dataclass(frozen=True, slots=True)
class ProtocolMeasure:
    """One metric of a protocol, ready to count.

    `key` is the name that the package prints, and `metric` the metric that is counted, as in
    `CountChoices.metrics`. `letter`, one of P, R and F, is the measure of a single number. `order`
    is N of ROUGE-N, and 0 for other metrics; `weight` is W of ROUGE-W. `gap` is that of ROUGE-S,
    with -1 for no limit.
    """

    key: str
    metric: str
    choices: CountChoices
    letter: str
    order: int
    weight: float
    gap: int

    @property
    def fewest_words(self) -> int:
        """The smallest number of words that a text must have to be counted."""
        return self.order or 1 + self.metric.startswith("ROUGE-S")

    @property
    def is_lcs(self) -> bool:
        """Whether this is ROUGE-L, of sentences or of whole texts."""
        return self.metric.startswith("ROUGE-L")

    @property
    def reads_sentences(self) -> bool:
        """Whether the counts depend on where sentences end."""
        return self.metric.startswith(("ROUGE-L", "ROUGE-W")) and self.metric != "ROUGE-L-text"

    @property
    def root(self) -> float | None:
        """The degree of the roots taken of recall and precision; None without roots."""
        is_weighted = self.metric.startswith("ROUGE-W")
        return self.weight if is_weighted or (self.is_lcs and self.choices.roots_lcs) else None

    @property
    def unit(self) -> PairUnit | None:
        """The unit that the core counts in one pass with others; None if it cannot."""
        if self.order and self.choices.ngrams == "clipped":
            return PairUnit(NGRAM, self.order)
        if self.metric == "ROUGE-L-text":
            return PairUnit(TEXT_LCS)
        is_original = (self.choices.union, self.choices.backtracking) == ("clipped", "A")
        return PairUnit(LCS) if self.is_lcs and is_original else None

    def counts(self, pairs: "ProtocolPairs") -> Floats:
        """Return hits, model counts and peer counts of all pairs, shape (3, n_pairs).

        The counts of a pair are nan if one of them exceeds the range of a float.
        """
        if self.order:
            by_kind = _count_clipped if self.choices.ngrams == "clipped" else _count_sets
            return by_kind(pairs, self)
        if self.metric == "ROUGE-L-text":
            return _in_columns(_text_hits(pairs.texts), pairs.texts)
        if self.is_lcs:
            return _UNIONS[self.choices.union](pairs, self)
        return _count_weighted(pairs, self) if self.root else _count_skip(pairs, self)


@lru_cache(maxsize=256)
def measures_of(choices: CountChoices) -> tuple[ProtocolMeasure, ...]:
    """Return the metrics of a protocol; raises OptionError for an unknown name."""
    measures = []
    for key, metric in choices.metrics:
        match = _METRIC.fullmatch(metric)
        if match is None:
            raise OptionError(
                f"{key}: found {metric!r}, expected a name such as ROUGE-1, ROUGE-L, ROUGE-L-text, "
                "ROUGE-W, ROUGE-S4, ROUGE-SU4 or ROUGE-S*"
            )
        name, order, weight, gap, letter = match.groups()
        gap = "-1" if gap == "*" else gap
        numbers = int(order or 0), float(weight) if weight else choices.weight, int(gap or 0)
        measures.append(ProtocolMeasure(key, name, choices, letter or "F", *numbers))
    return tuple(measures)


class ProtocolPairs:
    """Pairs of texts in columns, shared by all metrics.

    `peers` and `models` have the number of each pair's texts, shape (n_pairs,). `n_types` is an
    exclusive upper bound of all types. The core counts `units` together.
    """

    def __init__(
        self,
        columns: TextColumns,
        peers: NDArray[np.int64],
        models: NDArray[np.int64],
        n_types: int,
        units: Sequence[PairUnit] = (),
    ) -> None:
        self._sides = peers, models
        self._different: dict[int, TextPairs] = {}
        self.texts = self._paired(columns, n_types, units)

    def _paired(
        self, columns: TextColumns, n_types: int, units: Sequence[PairUnit] = ()
    ) -> TextPairs:
        peers, models = self._sides
        return TextPairs(columns, peers, columns, models, max(n_types, 1), units)

    def different(self, order: int) -> TextPairs:
        """Return pairs of single-sentence texts, whose words are the distinct n-grams."""
        if order not in self._different:
            texts = self.texts
            by_kind = _different_ngrams if texts.core is None else _compiled_different_ngrams
            self._different[order] = self._paired(*by_kind(texts.peers, order, texts.n_types))
        return self._different[order]

    @cached_property
    def sentences(self) -> tuple[TextPairs, NDArray[np.int64]]:
        """The pairs of sentences of each pair of texts, and their offsets, shape (n_pairs + 1,)."""
        columns, (peers, models) = self.texts.peers, self._sides
        n_sentences = np.diff(columns.text_offsets)
        n_peer, n_model = n_sentences[peers], n_sentences[models]
        ends = np.concatenate(([0], np.cumsum(n_peer * n_model)))
        sizes = np.diff(ends)
        # The peer's sentences vary faster.
        of_model, of_peer = np.divmod(
            np.arange(ends[-1]) - np.repeat(ends[:-1], sizes), np.repeat(n_peer, sizes)
        )
        alone = TextColumns(
            columns.types, columns.sentence_offsets, np.arange(columns.sentence_offsets.size)
        )
        paired = TextPairs(
            alone,
            np.repeat(columns.text_offsets[peers], sizes) + of_peer,
            alone,
            np.repeat(columns.text_offsets[models], sizes) + of_model,
            self.texts.n_types,
        )
        return paired, ends


def _compiled_different_ngrams(
    columns: TextColumns, order: int, n_types: int
) -> tuple[TextColumns, int]:
    core, columns = compiled_core(), columns.as_one_sentence()
    if order > 1:
        n_places = (columns.token_counts - order + 1).clip(0)
        offsets = np.concatenate(([0], np.cumsum(n_places)))
        starts = np.arange(offsets[-1])
        starts += np.repeat(columns.token_offsets[:-1] - offsets[:-1], n_places)
        types, firsts = compiled_number_words(core, columns.types, starts, starts + order)
        columns, n_types = TextColumns(types, offsets, columns.text_offsets), firsts.size
    is_first = np.empty(columns.types.size, np.bool_)
    core.mark_firsts(columns.types, columns.sentence_offsets, max(n_types, 1), is_first)
    firsts_before = np.concatenate(([0], np.cumsum(is_first)))
    offsets = firsts_before[columns.sentence_offsets]
    return TextColumns(columns.types[is_first], offsets, columns.text_offsets), n_types


def _different_ngrams(columns: TextColumns, order: int, n_types: int) -> tuple[TextColumns, int]:
    tokens = (columns.tokens_of(text)[1] for text in range(columns.text_offsets.size - 1))
    texts = [[list(dict.fromkeys(ngrams.ngrams(words, order)))] for words in tokens]
    # Words keep their numbers, because these texts also clip the LCS of the original ones.
    numbers: Numbers[Any] = Numbers((word, word) for word in range(n_types if order == 1 else 0))
    return columns_of(texts, numbers), len(numbers)


def _in_columns(hits: Any, texts: TextPairs) -> Floats:
    """Return hits, and the numbers of words of models and of peers, shape (3, n_pairs)."""
    return np.array([hits, texts.model_counts, texts.peer_counts], np.float64)


def _each(texts: TextPairs, count: Callable[[TextPair], PairCounts]) -> Floats:
    """Count pair by pair; the counts of a pair become nan on overflow."""
    counts = np.full((texts.n_pairs, 3), np.nan)
    for number, (peer, model) in enumerate(texts.texts()):
        with suppress(ArithmeticError):
            counts[number] = count(TextPair.of(peer, model))[:3]
    return counts.T


def _ngram_hits(texts: TextPairs, order: int) -> Any:
    if texts.core is not None:
        return ngrams.ngram_hits(texts, order)[-1]
    return _each(
        texts, lambda pair: ngrams.count_ngrams(pair.peer.tokens, pair.model.tokens, order)
    )[0]


def _count_clipped(pairs: ProtocolPairs, measure: ProtocolMeasure) -> Floats:
    counts = _in_columns(_ngram_hits(pairs.texts, measure.order), pairs.texts)
    counts[1:] -= measure.order - 1
    if not measure.choices.negative_counts:
        counts[1:] = counts[1:].clip(0)
    return counts


def _count_sets(pairs: ProtocolPairs, measure: ProtocolMeasure) -> Floats:
    different = pairs.different(measure.order)
    counts = _in_columns(_ngram_hits(different, 1), different)
    if measure.choices.ngrams == "matched-sets":
        counts[1:] = _in_columns(0 * counts[0], pairs.texts)[1:] - measure.order + 1
        counts[1:] = counts[1:].clip(0)
    return counts


def _text_hits(texts: TextPairs) -> Any:
    if texts.core is not None:
        return lcs.text_lcs_hits(texts)
    return _each(texts, lambda pair: lcs.count_text_lcs(pair.peer.tokens, pair.model.tokens))[0]


def _union_hits(texts: TextPairs, tables: TextPairs) -> Any:
    if texts.core is not None:
        return lcs.lcs_hits(texts, tables)
    return [
        lcs.count_union_lcs(TextPair(*pair, *(text.tokens for text in words))).hit
        for pair, words in zip(texts.texts(), tables.texts(), strict=True)
    ]


def _count_union(pairs: ProtocolPairs, measure: ProtocolMeasure) -> Floats:
    if measure.choices.backtracking == "A":
        return _in_columns(_union_hits(pairs.texts, pairs.texts), pairs.texts)

    def matched(peer: lcs.PeerSentence, model: Sequence[Any]) -> lcs.WordPairs:
        # With the texts exchanged, rule A, which skips the word of the model, is rule B.
        swapped = lcs.matched_words(lcs.PeerSentence.of(model), peer.tokens)
        return [(model_word, peer_word) for peer_word, model_word in swapped]

    def count(pair: TextPair) -> PairCounts:
        hits = len(lcs.clipped(lcs.marked_words(lcs.aligned(pair, matched)), pair))
        return PairCounts(hits, len(pair.model.tokens), len(pair.peer.tokens))

    return _each(pairs.texts, count)


def _count_different_words(pairs: ProtocolPairs, measure: ProtocolMeasure) -> Floats:
    """Count the different words on the union LCS.

    Unigram tables in which each word occurs once clip the union LCS to its different words. The
    text in which these are marked then makes no difference, so rule B is rule A with the texts
    swapped.
    """
    texts, tables = pairs.texts, pairs.different(1)
    sides = [texts, tables]
    if measure.choices.backtracking == "B":
        sides = [
            TextPairs(side.models, side.model_texts, side.peers, side.peer_texts, side.n_types)
            for side in sides
        ]
    return _in_columns(_union_hits(*sides), tables)


def _count_sum(pairs: ProtocolPairs, _: ProtocolMeasure) -> Floats:
    # Sums per pair are differences of one running sum over all pairs of sentences.
    sentences, ends = pairs.sentences
    hits = np.concatenate(([0], np.cumsum(_text_hits(sentences))))
    return _in_columns(np.diff(hits[ends]), pairs.texts)


_UNIONS: dict[str, Callable[[ProtocolPairs, ProtocolMeasure], Floats]] = {
    "clipped": _count_union,
    "different-words": _count_different_words,
    "sum": _count_sum,
}


def _count_weighted(pairs: ProtocolPairs, measure: ProtocolMeasure) -> Floats:
    texts, weight, choices = pairs.texts, measure.weight, measure.choices
    table_weight = weight if choices.table_weight is None else choices.table_weight
    if texts.core is not None:
        # If a power overflows, pairs are counted one by one below, so that only those which need it
        # become nan.
        with suppress(ArithmeticError):
            lengths = range(texts.longest_model_sentence + 1)
            hits, bases = weighted_lcs.weighted_lcs_hits(
                texts,
                texts,
                np.array([float(length**weight) for length in lengths]),
                table_weight=table_weight,
                adds_rises=choices.adds_rises,
            )
            counts = bases.tolist(), texts.peer_counts.tolist()
            return np.array([hits, *([count**weight for count in side] for side in counts)])

    matched = partial(
        weighted_lcs.matched_weighted, weight=table_weight, adds_rises=choices.adds_rises
    )
    count = weighted_lcs.count_weighted_lcs
    return _each(texts, lambda pair: count(pair, matched, lambda length: length**weight))


def _count_skip(pairs: ProtocolPairs, measure: ProtocolMeasure) -> Floats:
    with_unigrams = "SU" in measure.metric
    texts, gap, are_sets = pairs.texts, measure.gap, measure.choices.ngrams == "matched-sets"

    def count(pair: TextPair) -> PairCounts:
        peer, model = pair.peer.tokens, pair.model.tokens
        counts = ngrams.count_skip_bigrams(peer, model, gap, are_sets=are_sets)
        return ngrams.plus_unigrams(counts, peer, model) if with_unigrams else counts

    if texts.core is None:
        return _each(texts, count)
    columns = ngrams.skip_bigram_counts(texts, gap, are_sets=are_sets)[with_unigrams]
    return np.array([columns.hit, columns.model_count, columns.peer_count], np.float64)
