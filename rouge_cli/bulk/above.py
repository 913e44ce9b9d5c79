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

from rouge_cli.bulk.metric import (
    DEFAULT,
    LCS,
    PARTS,
    Floats,
    Numbers,
    PairMetric,
    Sequences,
    UnitNumbers,
    pair_metric,
)
from rouge_cli.bulk.pairs import (
    Range,
    ScoredPairs,
    plain_texts,
    ranges_of,
    scored_rows,
    thread_count,
)
from rouge_cli.bulk.texts import BulkTexts, read_together, warn_about
from rouge_cli.core import compiled_core
from rouge_cli.errors import OptionError
from rouge_cli.metrics.lcs import PeerSentence, lcs_length
from rouge_cli.threads import mapped

if TYPE_CHECKING:
    from rouge_cli.bulk.texts import Texts

IMPOSSIBLE = (1 << 31) - 1
MOST_FOUND = 1 << 18  # pairs after which the core returns, having finished those of a text
QUERIES_AT_A_TIME = 4096  # texts that one call of the core looks up
LONGEST_INDEXED = (1 << 16) - 1  # largest number of units in a text that the core's index accepts

Ints = NDArray[np.int32]
Block = tuple[Numbers, Numbers, Floats]


class Threshold(NamedTuple):
    """A lower limit of scores. A score that equals it passes unless `is_strict` is set."""

    value: float
    is_strict: bool = True

    @classmethod
    def of(cls, raw: Any, *, is_strict: bool = True) -> "Threshold":
        """Return the threshold of a number; raises OptionError for nan and other values."""
        is_number = isinstance(raw, int | float | np.number) and not isinstance(raw, bool)
        if not is_number or math.isnan(raw):
            raise OptionError(f"threshold: found {raw!r}, expected a number")
        return cls(float(raw), is_strict)

    def is_passed(self, scores: Floats) -> NDArray[np.bool_]:
        """Return which scores pass."""
        return scores > self.value if self.is_strict else scores >= self.value


class IndexedTexts(NamedTuple):
    """Texts in the form that an index stores.

    - `items`: what hits are counted in: words for the LCS, otherwise units.
    - `units`: the keys by which texts are found.
    - `lengths`: the number of each text's length in the tables of `IndexReader`, int32.
    """

    items: Sequences
    units: Sequences
    lengths: Ints

    def taken(self, numbers: Numbers) -> "IndexedTexts":
        """Return the texts with these numbers."""
        units = self.units.taken(numbers)
        items = units if self.items is self.units else self.items.taken(numbers)
        return self._replace(items=items, units=units, lengths=self.lengths[numbers])


class IndexReader:
    """Converts texts to the form that an index stores.

    It also has the tables of the smallest number of hits with which two texts pass the threshold.
    A length, counted in words, is numbered when it is first seen. These numbers are the indices of
    the tables, which grow with them.

    With `is_exact`, the hits of the index are those of the metric; otherwise they are an upper
    bound.
    """

    def __init__(self, metric: PairMetric, threshold: Threshold, *, is_exact: bool) -> None:
        self.metric, self.threshold, self.is_exact = metric, threshold, is_exact
        self.is_lcs = is_exact and metric.order in {LCS, None}
        self._units = UnitNumbers(metric.order or 1)
        self._numbers: dict[int, int] = {}
        self._of_pairs = np.zeros((0, 0), np.int32)
        self._of_rows, self._of_columns = np.zeros(0, np.int32), np.zeros(0, np.int32)

    @property
    def n_items(self) -> int:
        """An upper bound of all units so far, hence of all items: a word never exceeds its unit."""
        return self._units.n_units

    @property
    def units_of_lengths(self) -> Numbers:
        """The number of units in a text of each length, in the order of the lengths' numbers."""
        return self.metric.n_units(np.array(list(self._numbers), np.int64))

    def read(self, words: Sequences) -> IndexedTexts:
        """Return texts in the form that an index stores."""
        units = self._units.number(words)
        lengths, places = np.unique(words.lengths, return_inverse=True)
        known = self._numbers
        numbers = [known.setdefault(length, len(known)) for length in lengths.tolist()]
        self._extend_tables()
        items = words if self.is_lcs else units
        return IndexedTexts(items, units, np.array(numbers, np.int32)[places])

    def _extend_tables(self) -> None:
        """Add the lengths that have no row in the tables yet."""
        n_known, units = len(self._of_pairs), self.units_of_lengths
        new, known = units[n_known:], units[:n_known]
        if not new.size:
            return
        below = np.block([self._least(new[:, None], known), self._least(new[:, None], new)])
        beside = self._least(known[:, None], new)
        self._of_pairs = np.vstack((np.hstack((self._of_pairs, beside)), below))
        # The fewest hits of a text with any other text. If the other one is longer, its score is no
        # higher with the same hits, so only texts up to this length have to be tried.
        shorter = [np.arange(1, length + 1) for length in new.tolist()]
        rows = [self._least(np.int64(of.size), of).min(initial=IMPOSSIBLE) for of in shorter]
        columns = [self._least(of, np.int64(of.size)).min(initial=IMPOSSIBLE) for of in shorter]
        self._of_rows = np.append(self._of_rows, rows)
        self._of_columns = np.append(self._of_columns, columns)

    @property
    def tables(self) -> tuple[Ints, Ints, Ints, Ints]:
        """The smallest hits of pairs, of rows and of columns, and the units of each length.

        They are `IMPOSSIBLE` for texts that cannot pass with any hits.
        """
        tables = self._of_pairs, self._of_rows, self._of_columns, self.units_of_lengths
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
            scores = self.metric.score_hits(np.minimum(middle, most), models, peers)
            is_passed = self.threshold.is_passed(scores) & (middle <= most)
            high = np.where(is_open & is_passed, middle, high)
            low = np.where(is_open & ~is_passed, middle + 1, low)
        # Below 1 the core refuses them: it finds only texts that share a unit.
        least = np.where(low > most, IMPOSSIBLE, np.maximum(low, 1))
        return least.reshape(shape).astype(np.int32)


class TextIndex:
    """Texts that are found by their rarest units, to be compared with others.

    `reader` reads all texts that are added or looked up. `ranks` are those of the units, lowest for
    the rarest; units beyond the array are even rarer. Without `core` Python does the work.
    """

    def __init__(self, reader: IndexReader, ranks: Ints, core: Any) -> None:
        self._reader, self._core = reader, core
        self._index = None if core is None else core.pair_index(ranks, reader.is_lcs)
        self._texts: list[tuple[list[int], int]] = []
        self._lengths = np.zeros(0, np.int32)

    def add(self, texts: IndexedTexts) -> None:
        """Add texts, which are numbered in the order in which they come."""
        self._lengths = np.append(self._lengths, texts.lengths)
        if self._core is not None:
            self._use(texts, self._reader.tables, (0, texts.lengths.size), is_added=True)
            return
        words = (texts.items.text(text).tolist() for text in range(texts.lengths.size))
        self._texts += zip(words, texts.lengths.tolist(), strict=True)

    def above(
        self,
        texts: IndexedTexts,
        score_pairs: Callable[[Numbers, Numbers], Floats],
        n_threads: int,
        *,
        is_triangle: bool = False,
    ) -> Iterator[Block]:
        """Yield the pairs of a prediction in `texts` and a text of the index that pass.

        If the hits of the index are only upper bounds, `score_pairs` counts pairs again. With
        `is_triangle`, a text is compared only with texts of higher numbers.
        """
        reader = self._reader
        units = reader.units_of_lengths
        for i, j, hits in self._found(texts, n_threads, is_triangle):
            if not i.size:
                continue
            if reader.is_exact:
                models, peers = units[self._lengths[j]], units[texts.lengths[i]]
                yield i, j, reader.metric.score_hits(hits, models, peers)
            else:
                scores = score_pairs(i, j)
                is_found = reader.threshold.is_passed(scores)
                yield i[is_found], j[is_found], scores[is_found]

    def _found(
        self, texts: IndexedTexts, n_threads: int, is_triangle: bool
    ) -> Iterator[NDArray[np.int64]]:
        """Yield pairs with enough hits in several steps, each of shape (3, n_found).

        The rows are numbers of `texts`, numbers in the index, and hits.
        """
        tables = self._reader.tables

        def found_from(queries: Range) -> tuple[int, NDArray[np.int64]]:
            if self._core is None:
                return queries[1], self._found_without_core(texts, tables[0], queries, is_triangle)
            return self._use(texts, tables, queries, is_triangle=is_triangle)

        ranges = ranges_of(texts.lengths.size, QUERIES_AT_A_TIME)
        steps = mapped(found_from, ranges, n_threads)
        for (_, end), (left, pairs) in zip(ranges, steps, strict=True):
            yield pairs
            # If a call stopped early, the rest of its range is looked up here, in order.
            first = left
            while first < end:
                first, more = found_from((first, end))
                yield more

    def _use(
        self,
        texts: IndexedTexts,
        tables: tuple[Ints, Ints, Ints, Ints],
        queries: Range,
        *,
        is_added: bool = False,
        is_triangle: bool = False,
    ) -> tuple[int, NDArray[np.int64]]:
        """Let the core look up or add a range of texts.

        Returns the first text that was left out because enough pairs had been found, or the end;
        and the pairs.
        """
        items, units, lengths = texts
        columns = items, units, self._reader.n_items, lengths
        left, matches = self._core.use_index(
            self._index, is_added, is_triangle, *columns, tables, *queries, MOST_FOUND
        )
        pairs = np.frombuffer(matches, np.int32).reshape(-1, 3).T.astype(np.int64)
        # The core finds the pairs of a query in the order of its rarest units.
        return left, pairs[:, np.lexsort((pairs[1], pairs[0]))]

    def _found_without_core(
        self, texts: IndexedTexts, least: Ints, queries: Range, is_triangle: bool
    ) -> NDArray[np.int64]:
        matches = []
        for query in range(*queries):
            count = _counter(texts.items.text(query).tolist(), self._reader.is_lcs)
            needed = least[texts.lengths[query]].tolist()
            first = query + 1 if is_triangle else 0
            for text, (items, length) in enumerate(self._texts[first:], first):
                # A text with too few items cannot have enough hits, and this is faster to check.
                if needed[length] <= len(items) and (hits := count(items)) >= needed[length]:
                    matches.append((query, text, hits))
        return np.array(matches, np.int64).reshape(-1, 3).T


def _counter(items: list[int], is_lcs: bool) -> Callable[[list[int]], int]:
    if is_lcs:
        row = PeerSentence.of(items)
        return lambda others: lcs_length(row, others)
    of_query = frozenset(items)
    return lambda others: len(of_query.intersection(others))


def has_index(metric: PairMetric, threshold: Threshold, *texts: BulkTexts) -> bool:
    """Return whether an index can find the pairs of texts that pass.

    It can for ROUGE-N, and also for ROUGE-L, which never has more hits than ROUGE-1. The hits of
    other metrics have no such bound. If a score of 0 passes, no pair can be ruled out.
    """
    if threshold.is_passed(np.zeros(1)).any() or not metric.is_monotonic:
        return False
    if metric.order is None and not metric.is_union:
        return False
    sides = (side for chosen in texts for side in metric.columns(chosen, chosen))
    return all(side.token_counts.max(initial=0) <= LONGEST_INDEXED for side in sides)


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


def is_exactly_indexed(metric: PairMetric, texts: tuple[BulkTexts, BulkTexts]) -> bool:
    """Return whether the items that predictions and references share are the metric's hits."""
    return all(bool(plain_texts(metric, side).all()) for side in metric.columns(*texts))


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

    Without `b`, every two texts of `a` are a pair, in which the first comes before the second.

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
    limit, n_threads = Threshold.of(threshold, is_strict=bool(strict)), thread_count(jobs)
    checked, texts = read_together({"a": a} if b is None else {"a": a, "b": b}, options)
    wanted = pair_metric(metric, checked)
    rows, columns = texts["a"], texts["a" if b is None else "b"]
    warn_about(texts.values())
    if not has_index(wanted, limit, rows, columns):
        return scored_above(
            ScoredPairs(wanted, rows, columns), limit, n_threads, is_triangle=b is None
        )
    return _above_by_index(wanted, limit, (rows, columns), n_threads, b is None)


def scored_above(
    pairs: ScoredPairs, limit: Threshold, n_threads: int, *, is_triangle: bool = False
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
    reader = IndexReader(metric, limit, is_exact=is_exactly_indexed(metric, texts))
    # Both sides may be the same columns, which are then read once.
    read = [reader.read(Sequences.of(side)) for side in {id(side): side for side in sides}.values()]
    index = TextIndex(reader, ranks_of(read, reader.n_items), compiled_core())
    index.add(read[-1])

    def score_pairs(i: Numbers, j: Numbers) -> Floats:
        return metric.score_pairs(texts[0], i, texts[1], j)

    yield from index.above(read[0], score_pairs, n_threads, is_triangle=is_triangle)
