"""Pairs of texts whose score is above a threshold.

The threshold is converted to whole numbers: for every two lengths, the smallest number of hits with
which a pair passes. This uses the scoring function behind `rouge_cli.score`, so pruning and scoring
never disagree.
"""

import math
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rouge_cli.bulk.metric import DEFAULT, LCS, Floats, Lengths, PairMetric, pair_metric
from rouge_cli.bulk.pairs import ScoredPairs, plain_texts, scored_rows, thread_count
from rouge_cli.bulk.texts import BulkTexts, read_together, warn_about
from rouge_cli.bulk.units import PARTS, Sequences, UnitNumbers
from rouge_cli.core import compiled_core
from rouge_cli.errors import OptionError
from rouge_cli.metrics.lcs import PeerSentence, lcs_length
from rouge_cli.threads import mapped

if TYPE_CHECKING:
    from rouge_cli.inputs.source import Text

    Texts = Iterable[Text] | BulkTexts

IMPOSSIBLE = (1 << 31) - 1
MOST_FOUND = 1 << 18
"""Number of pairs after which the core returns. It always finishes the pairs of a text."""

QUERIES_AT_A_TIME = 4096
"""Number of texts that one call of the core looks up."""

LONGEST_INDEXED = (1 << 16) - 1
"""The largest number of units in a text that the core's index accepts."""

Ints = NDArray[np.int32]
Block = tuple[NDArray[np.int64], NDArray[np.int64], Floats]


def threshold_of(raw: Any) -> float:
    """Return a threshold as a float; raises OptionError for nan and other values."""
    is_number = isinstance(raw, int | float | np.number) and not isinstance(raw, bool)
    if not is_number or math.isnan(raw):
        raise OptionError(f"threshold: found {raw!r}, expected a number")
    return float(raw)


class Threshold(NamedTuple):
    """A lower limit of scores. A score that equals it passes unless `is_strict` is set."""

    value: float
    is_strict: bool = True

    def is_passed(self, scores: Floats) -> NDArray[np.bool_]:
        """Return which scores pass."""
        return scores > self.value if self.is_strict else scores >= self.value

    @property
    def is_passed_by_zero(self) -> bool:
        """Whether a score of 0 passes; then no pair can be ruled out without scoring it."""
        return self.value < 0 or (self.value == 0 and not self.is_strict)


class LeastHits:
    """Tables of the smallest number of hits with which two texts pass a threshold.

    A length, counted in words, is numbered when it is first seen. These numbers are the indices of
    the tables, which grow with them. `IMPOSSIBLE` marks texts that cannot pass with any hits.
    """

    def __init__(self, metric: PairMetric, threshold: Threshold) -> None:
        self._metric, self._threshold = metric, threshold
        self._lengths = Lengths()
        self._of_pairs = np.zeros((0, 0), np.int32)
        self._of_rows, self._of_columns = np.zeros(0, np.int32), np.zeros(0, np.int32)

    def number(self, lengths: NDArray[np.int64]) -> Ints:
        """Return the numbers of these lengths, adding new ones to the tables."""
        numbers = self._lengths.number(lengths)
        n_known, units = len(self._of_pairs), self._units
        if units.size > n_known:
            new, known = units[n_known:], units[:n_known]
            below = np.block([self._least(new[:, None], known), self._least(new[:, None], new)])
            beside = self._least(known[:, None], new)
            self._of_pairs = np.vstack((np.hstack((self._of_pairs, beside)), below))
            # The fewest hits of a text with any other text. If the other one is longer, its score
            # is no higher with the same hits, so only texts up to this length have to be tried.
            shorter = [np.arange(1, length + 1) for length in new.tolist()]
            rows = [self._least(np.int64(of.size), of).min(initial=IMPOSSIBLE) for of in shorter]
            columns = [self._least(of, np.int64(of.size)).min(initial=IMPOSSIBLE) for of in shorter]
            self._of_rows = np.append(self._of_rows, rows)
            self._of_columns = np.append(self._of_columns, columns)
        return numbers

    @property
    def _units(self) -> NDArray[np.int64]:
        return self._metric.n_units(self._lengths.all)

    @property
    def tables(self) -> tuple[Ints, Ints, Ints, Ints]:
        """The smallest hits of pairs, of rows and of columns, and the units of each length."""
        tables = self._of_pairs, self._of_rows, self._of_columns, self._units
        pairs, rows, columns, units = (np.ascontiguousarray(table, np.int32) for table in tables)
        return pairs, rows, columns, units

    def _least(self, rows: Any, columns: Any) -> Ints:
        """Find the smallest number of hits that passes, by bisection."""
        peers, models = np.broadcast_arrays(rows, columns)
        peers, models, shape = peers.ravel(), models.ravel(), peers.shape
        most = np.minimum(peers, models)
        low, high = np.zeros_like(most), most + 1
        while (is_open := low < high).any():
            middle = (low + high) // 2
            # The middle of a finished search may be one beyond the possible hits.
            scores = self._metric.score_hits(np.minimum(middle, most), models, peers)
            is_passed = self._threshold.is_passed(scores) & (middle <= most)
            high = np.where(is_open & is_passed, middle, high)
            low = np.where(is_open & ~is_passed, middle + 1, low)
        # Below 1 the core refuses them: it finds only texts that share a unit.
        least = np.where(low > most, IMPOSSIBLE, np.maximum(low, 1))
        return least.reshape(shape).astype(np.int32)


class IndexedTexts(NamedTuple):
    """Texts in the form that an index stores.

    - `items`: what hits are counted in: words for the LCS, otherwise units.
    - `units`: the keys by which texts are found.
    - `n_items`: a number above all items.
    - `lengths`: the number of each text's length in `LeastHits`, int32.
    """

    items: Sequences
    units: Sequences
    n_items: int
    lengths: Ints

    def taken(self, numbers: NDArray[np.int64]) -> "IndexedTexts":
        """Return the texts with these numbers."""
        units = self.units.taken(numbers)
        items = units if self.items is self.units else self.items.taken(numbers)
        return self._replace(items=items, units=units, lengths=self.lengths[numbers])


class PairIndex:
    """An index that finds texts by their rarest units; with the core, it wraps the core's index.

    Parameters
    ----------
    ranks : ndarray of int32
        The rank of each unit, lowest for the rarest. Units beyond the array are even rarer.
    is_lcs : bool
        If True, the hits of two texts are the length of their LCS; otherwise, the number of items
        that they share.
    core : module or None
        The compiled core; None if Python does the work.
    """

    def __init__(self, ranks: Ints, is_lcs: bool, core: Any) -> None:
        self._core: Any = None if core is None else (core, core.pair_index(ranks, is_lcs))
        self._is_lcs = is_lcs
        self._texts: list[tuple[list[int], int]] = []

    def use(
        self,
        texts: IndexedTexts,
        least: tuple[Ints, Ints, Ints, Ints],
        queries: tuple[int, int],
        *,
        is_added: bool = False,
        is_triangle: bool = False,
    ) -> tuple[int, NDArray[np.int64]]:
        """Compare a range of texts with those of the index, or add them to it.

        `queries` is the range, its end exclusive. With `is_triangle`, a text is compared only with
        texts of higher numbers.

        Returns
        -------
        int
            The first text that was left out because enough pairs had been found, or the end.
        ndarray of int64, shape (n_found, 3)
            Query, text and hits, in this order.
        """
        if self._core is not None:
            core, index = self._core
            left, matches = core.use_index(
                index, is_added, is_triangle, *texts, least, *queries, MOST_FOUND
            )
            pairs = np.frombuffer(matches, np.int32).reshape(-1, 3).astype(np.int64)
            # The core finds the pairs of a query in the order of its rarest units.
            return left, pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]
        if is_added:
            words = (texts.items.text(text).tolist() for text in range(*queries))
            self._texts += zip(words, texts.lengths[slice(*queries)].tolist(), strict=True)
            return queries[1], np.zeros((0, 3), np.int64)
        matches = [
            (query, text, hits)
            for query in range(*queries)
            for text, hits in self._pairs_of(query, texts, least[0], is_triangle)
        ]
        return queries[1], np.array(matches, np.int64).reshape(-1, 3)

    def _pairs_of(
        self, query: int, texts: IndexedTexts, least: Ints, is_triangle: bool
    ) -> Iterator[tuple[int, int]]:
        count = _counter(texts.items.text(query).tolist(), self._is_lcs)
        needed = least[texts.lengths[query]].tolist()
        first = query + 1 if is_triangle else 0
        for text, (items, length) in enumerate(self._texts[first:], first):
            # A text with too few items cannot have enough hits, and this is faster to check.
            if needed[length] <= len(items) and (hits := count(items)) >= needed[length]:
                yield text, hits


def _counter(items: list[int], is_lcs: bool) -> Callable[[list[int]], int]:
    if is_lcs:
        row = PeerSentence.of(items)
        return lambda others: lcs_length(row, others)
    of_query = frozenset(items)
    return lambda others: len(of_query.intersection(others))


def has_index(metric: PairMetric, threshold: Threshold, *texts: BulkTexts) -> bool:
    """Return whether an index can find the pairs of texts that pass.

    It can for ROUGE-N, and also for ROUGE-L, which never has more hits than ROUGE-1. The hits of
    other metrics have no such bound.
    """
    if threshold.is_passed_by_zero or not metric.is_monotonic:
        return False
    if metric.order is None and not metric.is_union:
        return False
    sides = (side for chosen in texts for side in metric.columns(chosen, chosen))
    return all(side.token_counts.max(initial=0) <= LONGEST_INDEXED for side in sides)


class IndexReader:
    """Converts texts to the form that an index stores.

    With `is_exact`, the hits of the index are those of the metric; otherwise they are an upper
    bound.
    """

    def __init__(self, metric: PairMetric, least: LeastHits, *, is_exact: bool) -> None:
        self.is_lcs = is_exact and metric.order in {LCS, None}
        self._least = least
        self._numbers = UnitNumbers(metric.order or 1)

    @property
    def n_items(self) -> int:
        """A number above all units so far, and so above all items: no word exceeds its unit."""
        return self._numbers.n_units

    def read(self, words: Sequences) -> IndexedTexts:
        """Return texts in the form that an index stores."""
        units = self._numbers.number(words)
        items = words if self.is_lcs else units
        return IndexedTexts(items, units, self.n_items, self._least.number(words.lengths))


def ranks_of(texts: Iterable[IndexedTexts], n_units: int = 0) -> Ints:
    """Rank at least `n_units` units by their counts in `texts`; the rarest gets the lowest rank."""
    counts = np.zeros(n_units, np.int64)
    for chosen in texts:
        units = chosen.units.items
        # One part at a time, because bincount copies the numbers into 64 bits.
        for start in range(0, units.size, PARTS):
            counted = np.bincount(units[start : start + PARTS], minlength=counts.size)
            counted[: counts.size] += counts
            counts = counted
    ranks = np.empty(counts.size, np.int32)
    ranks[np.argsort(counts, kind="stable")] = np.arange(counts.size, dtype=np.int32)
    return ranks


def is_exactly_indexed(metric: PairMetric, *sides: Any) -> bool:
    """Return whether the shared items of these texts are exactly the metric's hits."""
    return all(bool(plain_texts(metric, side).all()) for side in sides)


def pairs_above(  # noqa: PLR0913
    a: "Texts",
    b: "Texts | None" = None,
    *,
    threshold: float = 0.7,
    strict: bool = True,
    metric: str = DEFAULT,
    jobs: int | None = None,
    **options: Any,
) -> Iterator[Block]:
    """Find all pairs of two lists of texts whose score is above a threshold.

    Without `b`, each two texts of `a` are a pair, in which the first comes before the second.

    Parameters
    ----------
    a, b, metric, jobs, **options
        As for `pairwise`.
    threshold : float
    strict : bool
        If True, scores equal to the threshold are excluded.

    Yields
    ------
    i, j : ndarray of int64, shape (n_found,)
        Positions in `a` and in `b`. All blocks together are in ascending order.
    scores : ndarray of float64, shape (n_found,)

    Raises
    ------
    OptionError, InputError
        As for `pairwise`; also if the threshold is not a number. Errors are raised by the call
        itself, not only when the first block is requested.

    Examples
    --------
    >>> from rouge_cli import bulk
    >>> texts = ["the cat sat", "a dog", "the cat"]
    >>> [tuple(column.tolist() for column in block) for block in bulk.pairs_above(texts)]
    [([0], [2], [0.8])]
    """
    limit, n_threads = Threshold(threshold_of(threshold), bool(strict)), thread_count(jobs)
    checked, texts = read_together({"a": a} if b is None else {"a": a, "b": b}, options)
    wanted = pair_metric(metric, checked)
    rows, columns = texts["a"], texts["a" if b is None else "b"]
    warn_about(texts.values())
    if not has_index(wanted, limit, rows, columns):
        return _above_of_all(ScoredPairs(wanted, rows, columns), limit, n_threads, b is None)
    return _above_by_index(wanted, limit, (rows, columns), n_threads, b is None)


def _above_of_all(
    pairs: ScoredPairs, limit: Threshold, n_threads: int, is_triangle: bool
) -> Iterator[Block]:
    """Score all pairs, and yield those above the threshold."""
    for rows, scores in scored_rows(pairs, n_threads):
        is_found = limit.is_passed(scores)
        if is_triangle:
            # Keep only the columns to the right of each row's own text.
            is_found = np.triu(is_found, rows.start + 1)
        i, j = np.nonzero(is_found)
        if i.size:
            yield i + rows.start, j, scores[i, j]


def _above_by_index(
    metric: PairMetric,
    limit: Threshold,
    texts: tuple[BulkTexts, BulkTexts],
    n_threads: int,
    is_triangle: bool,
) -> Iterator[Block]:
    """Find pairs through an index, and yield those above the threshold."""
    sides = metric.columns(*texts)
    is_exact = is_exactly_indexed(metric, *sides)
    least = LeastHits(metric, limit)
    reader = IndexReader(metric, least, is_exact=is_exact)
    # Both sides may be the same columns, which are then read once.
    read = [reader.read(Sequences.of(side)) for side in {id(side): side for side in sides}.values()]
    rows, columns = read[0]._replace(n_items=reader.n_items), read[-1]
    index = PairIndex(ranks_of(read, reader.n_items), reader.is_lcs, compiled_core())
    tables = least.tables
    index.use(columns, tables, (0, len(columns.lengths)), is_added=True)

    def score_pairs(i: NDArray[np.int64], j: NDArray[np.int64]) -> Floats:
        return metric.score_pairs(texts[0], i, texts[1], j)

    lengths = sides[0].token_counts, sides[1].token_counts
    queries = 0, len(rows.lengths)
    for pairs in found_pairs(index, rows, tables, queries, n_threads, is_triangle=is_triangle):
        yield passing(metric, limit, pairs, lengths if is_exact else None, score_pairs)


def found_pairs(  # noqa: PLR0913
    index: PairIndex,
    texts: IndexedTexts,
    least: tuple[Ints, Ints, Ints, Ints],
    queries: tuple[int, int],
    n_threads: int,
    *,
    is_triangle: bool = False,
) -> Iterator[NDArray[np.int64]]:
    """Yield the pairs that `PairIndex.use` finds for a range of texts, in several steps."""

    def found_from(chosen: tuple[int, int]) -> tuple[int, NDArray[np.int64]]:
        return index.use(texts, least, chosen, is_triangle=is_triangle)

    starts = range(*queries, QUERIES_AT_A_TIME)
    ranges = [(start, min(start + QUERIES_AT_A_TIME, queries[1])) for start in starts]
    for chosen, (left, pairs) in zip(ranges, mapped(found_from, ranges, n_threads), strict=True):
        first, matches = left, pairs
        # If a call stopped early, the rest of its range is looked up here, which keeps the order.
        while True:
            if matches.size:
                yield matches
            if first >= chosen[1]:
                break
            first, matches = found_from((first, chosen[1]))


def passing(
    metric: PairMetric,
    limit: Threshold,
    pairs: NDArray[np.int64],
    lengths: tuple[NDArray[np.int64], NDArray[np.int64]] | None,
    score_pairs: Callable[[NDArray[np.int64], NDArray[np.int64]], Floats],
) -> Block:
    """Return the found pairs whose scores pass.

    `lengths` are the lengths of the texts on both sides. If they are None, the hits are only upper
    bounds, and `score_pairs` counts the pairs again.
    """
    i, j, hits = pairs.T
    if lengths is not None:
        units = [metric.n_units(of_side) for of_side in lengths]
        return i, j, metric.score_hits(hits, units[1][j], units[0][i])
    scores = score_pairs(i, j)
    is_found = limit.is_passed(scores)
    return i[is_found], j[is_found], scores[is_found]
