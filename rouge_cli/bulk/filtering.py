"""Removal of texts that resemble earlier ones, as in Self-Instruct."""

from collections.abc import Iterator
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from rouge_cli.bulk import above
from rouge_cli.bulk.metric import DEFAULT, Floats, Numbers, PairMetric, Sequences, pair_metric
from rouge_cli.bulk.pairs import Range, ScoredPairs, ranges_of, thread_count
from rouge_cli.bulk.texts import (
    BulkTexts,
    joined_texts,
    listed,
    normalised,
    read_together,
    warn_about,
    warn_user,
)
from rouge_cli.core import compiled_core
from rouge_cli.progress import tracked

if TYPE_CHECKING:
    from rouge_cli.bulk.texts import Texts

TEXTS_AT_A_TIME = 1 << 12  # texts compared with the pool at once, and then with each other
ROWS_AT_A_TIME = 64  # kept texts whose nearest texts are searched at once
GROWTH = 2  # how much the pool grows before its index is rebuilt with the latest counts of units

Sides = tuple[Sequences, Sequences]  # the same texts, read as predictions and as references


class FilteredTexts:
    """The outcome of filtering: the kept texts, and the texts that the others resemble.

    Texts are numbered from the first text of the pool on.

    Attributes
    ----------
    kept : ndarray of bool, shape (n_texts,)
        False for the dropped texts.
    pool_size : int
        Number of texts in the initial pool. Filtered texts have the numbers from there on.
    first : int
        The number of the first text of this call.
    """

    def __init__(self, pool: "_Pool", first: int, n_texts: int) -> None:
        self.kept = np.ones(n_texts, np.bool_)
        self.pool_size = pool.pool_size
        self._pool: _Pool | None = pool
        self.first = first
        self._nearest, self._score = np.full(n_texts, -1), np.full(n_texts, np.nan)

    @property
    def nearest(self) -> Numbers:
        """The number of the first of the most similar texts; int64, shape (n_texts,).

        It is -1 for a text that was compared with no other. For kept texts it is computed on first
        use, which takes longer than filtering.
        """
        self._search()
        return self._nearest

    @property
    def score(self) -> Floats:
        """The score with `nearest`, float64, shape (n_texts,); nan if there is no such text."""
        self._search()
        return self._score

    def dropped(self) -> Iterator[tuple[int, int, float]]:
        """Yield each dropped text: its position, the number of its nearest text, and the score."""
        places = np.flatnonzero(~self.kept)
        columns = places, self._nearest[places], self._score[places]
        yield from zip(*(column.tolist() for column in columns), strict=True)

    def drop(self, matches: above.Block) -> None:
        """Drop texts; each match has a text's position, a similar text's number, and a score."""
        places, numbers, scores = matches
        self.kept[places] = False
        # Of several similar texts, the one with the highest score counts and, among equals, that
        # with the lowest number.
        known = self._score[places]
        np.fmax.at(self._score, places, scores)
        highest = self._score[places]
        self._nearest[places[known != highest]] = numbers.max(initial=0)
        is_highest = scores == highest
        np.minimum.at(self._nearest, places[is_highest], numbers[is_highest])

    def _search(self) -> None:
        if self._pool is None:
            return
        # Dropping the reference marks the search as done, and lets the pool be freed.
        pool, self._pool = self._pool, None
        kept = np.flatnonzero(self.kept)
        numbers = self.first + kept
        members = pool.members[: np.searchsorted(pool.members, self.first + self.kept.size)]
        pairs = ScoredPairs(pool.metric, pool.texts(numbers), pool.texts(members))
        n_before = np.searchsorted(members, numbers)
        for start in range(0, kept.size, ROWS_AT_A_TIME):
            rows = slice(start, start + ROWS_AT_A_TIME)
            n_columns = int(n_before[rows].max())
            if not n_columns:
                continue
            scores = pairs.score((start, start + n_before[rows].size), columns=(0, n_columns))
            # Each text was compared only with the members before it.
            scores[np.arange(n_columns) >= n_before[rows, None]] = -np.inf
            nearest = scores.argmax(axis=1)
            has_any = n_before[rows] > 0
            places = kept[rows][has_any]
            self._nearest[places] = members[nearest[has_any]]
            self._score[places] = scores[has_any, nearest[has_any]]


class _Pool:
    """The pool and all texts filtered so far; `members` are the numbers of the pool, ascending."""

    def __init__(
        self, pool: BulkTexts, limit: above.Threshold, metric: str, n_threads: int = 1
    ) -> None:
        self.metric: PairMetric = pair_metric(metric, pool.options)
        self.pool_size, self.reader = len(pool), pool.reader
        self.members: Numbers = np.arange(len(pool))
        self._limit, self._n_threads = limit, n_threads
        self._parts = [pool]
        self._starts = [0, len(pool)]
        self._has_index = above.has_index(self.metric, limit, pool)
        self._reader = above.IndexReader(self.metric, limit, is_exact=True)
        self._ranks = np.zeros(0, np.int32)
        self._index: above.TextIndex | None = None
        self._n_when_made = 0

    def texts(self, numbers: Numbers) -> BulkTexts:
        """Return the texts with these ascending numbers."""
        bounds = np.searchsorted(numbers, self._starts)
        places = (numbers[start:end] for start, end in pairwise(bounds.tolist()))
        return joined_texts(
            part.taken(of_part - start)
            for part, of_part, start in zip(self._parts, places, self._starts[:-1], strict=True)
        )

    def filter(self, texts: BulkTexts) -> FilteredTexts:
        """Filter texts in order; the kept ones join the pool."""
        filtered = FilteredTexts(self, self._starts[-1], len(texts))
        self._parts.append(texts)
        self._starts.append(self._starts[-1] + len(texts))
        # Once texts have joined the pool without an index, it would lack them, so no later call
        # uses one.
        self._has_index = self._has_index and above.has_index(self.metric, self._limit, texts)
        sides = self._sides(texts)
        parts = ranges_of(len(texts), TEXTS_AT_A_TIME)
        if self._has_index:
            self._make_index(texts, sides)
        for part in tracked(parts, "texts filtered", [end - start for start, end in parts]):
            self._filter_part(filtered, part, sides)
        n_kept = int((texts.is_empty() & filtered.kept).sum())
        if n_kept > 1:
            warn_user(f"{n_kept} texts without words were kept, though they are equal")
        return filtered

    def _make_index(self, texts: BulkTexts, sides: Sides) -> None:
        """Index the pool again, unless the last index suits these texts."""
        is_exact = self._reader.is_exact and above.is_exactly_indexed(self.metric, (texts, texts))
        is_old = len(self.members) > GROWTH * max(self._n_when_made, TEXTS_AT_A_TIME)
        if self._index is not None and is_exact == self._reader.is_exact and not is_old:
            return
        pool = self.texts(self.members)
        is_exact = is_exact and above.is_exactly_indexed(self.metric, (pool, pool))
        self._reader = above.IndexReader(self.metric, self._limit, is_exact=is_exact)
        of_pool, parts = self._sides(pool), ranges_of(len(pool), TEXTS_AT_A_TIME)
        # The texts to filter are counted too, so that units have good ranks when they join.
        in_pool = (self._read(of_pool, part)[1] for part in parts)
        new_parts = ranges_of(len(texts), TEXTS_AT_A_TIME)
        others = (side for part in new_parts for side in self._read(sides, part))
        self._ranks = above.ranks_of(chain(in_pool, others))
        self._n_when_made = len(self.members)
        self._index = above.TextIndex(self._reader, self._ranks, compiled_core())
        for part in parts:
            self._index.add(self._read(of_pool, part)[1])

    def _sides(self, texts: BulkTexts) -> Sides:
        rows, columns = self.metric.columns(texts, texts)
        words = Sequences.of(rows)
        return words, words if columns is rows else Sequences.of(columns)

    def _read(self, sides: Sides, part: Range) -> tuple[above.IndexedTexts, above.IndexedTexts]:
        """Read a range of texts for the index. Reading all at once would double the memory."""
        rows, columns = sides
        read = self._reader.read(rows.part(*part))
        return read, read if columns is rows else self._reader.read(columns.part(*part))

    def _filter_part(self, filtered: FilteredTexts, part: Range, sides: Sides) -> None:
        """Compare a range of texts with the pool, then those that remain with each other."""
        start, first = part[0], filtered.first + part[0]
        numbers = np.arange(first, filtered.first + part[1])
        # Without an index these stay None, and `_above` scores all pairs.
        rows = columns = index = None
        if self._has_index:
            rows, columns = self._read(sides, part)
        for i, j, scores in self._above(self._index, rows, (numbers, self.members)):
            filtered.drop((i + start, self.members[j], scores))
        kept = filtered.kept[slice(*part)]
        left = np.flatnonzero(kept)
        if columns is not None:
            index = above.TextIndex(self._reader, self._ranks, compiled_core())
            index.add(columns.taken(left))
        for queries, others, scores in self._above(index, rows, (numbers, numbers[left])):
            is_earlier = left[others] < queries
            i, j = queries[is_earlier], left[others][is_earlier]
            # Pairs come in the order of queries. So when the pairs of a text are reached, it is
            # known which earlier texts were kept: only they drop it.
            starts = np.flatnonzero(np.diff(i, prepend=-1)).tolist()
            for place, end in zip(starts, [*starts, i.size][1:], strict=True):
                kept[i[place]] &= not kept[j[place:end]].any()
            is_found = kept[j]
            matches = i[is_found] + start, first + j[is_found], scores[is_earlier][is_found]
            filtered.drop(matches)
        self.members = np.append(self.members, numbers[kept])
        if columns is not None and self._index is not None:
            self._index.add(columns.taken(np.flatnonzero(kept)))

    def _above(
        self,
        index: above.TextIndex | None,
        rows: above.IndexedTexts | None,
        numbers: tuple[Numbers, Numbers],
    ) -> Iterator[above.Block]:
        """Yield the pairs of two lists of texts above the threshold, as positions in `numbers`.

        If `index` holds the second list, `rows` are the texts of the first; otherwise all pairs are
        scored.
        """
        if not (numbers[0].size and numbers[1].size):
            return
        if index is None or rows is None:
            pairs = ScoredPairs(self.metric, self.texts(numbers[0]), self.texts(numbers[1]))
            yield from above.scored_above(pairs, self._limit, self._n_threads)
            return

        def score_pairs(i: Numbers, j: Numbers) -> Floats:
            chosen, places = np.unique(j, return_inverse=True)
            texts = self.texts(numbers[0]), self.texts(numbers[1][chosen])
            return self.metric.score_pairs(texts[0], i, texts[1], places)

        yield from index.above(rows, score_pairs, self._n_threads)


class SimilarityFilter:
    """Filters a stream of texts: keeps a text unless it resembles one that was kept before.

    A text is dropped if its highest score with a text of the pool is above the threshold. A kept
    text joins the pool at once. Texts without words are kept.

    Parameters
    ----------
    pool : iterable of texts
        Texts to compare with from the beginning.
    threshold : float
        A text is kept if its score only equals the threshold.
    metric : str
        In each comparison, the filtered text is the prediction, and that of the pool the reference.
    **options
        As for `rouge_cli.bulk.read`.

    Raises
    ------
    OptionError, InputError
        As for `rouge_cli.bulk.pairwise`; also if the threshold is not a number.

    Examples
    --------
    >>> from rouge_cli import bulk
    >>> similar = bulk.SimilarityFilter(threshold=0.7)
    >>> similar.add(["the cat sat", "a dog"]).kept.tolist()
    [True, True]
    >>> similar.add(["the cat", "dogs"]).kept.tolist()
    [False, True]
    """

    def __init__(
        self, pool: "Texts" = (), *, threshold: float = 0.7, metric: str = DEFAULT, **options: Any
    ) -> None:
        limit = above.Threshold.of(threshold)
        checked, texts = read_together({"pool": pool}, options)
        self._options = checked
        self._pool = _Pool(texts["pool"], limit, metric)

    def add(self, texts: "Texts") -> FilteredTexts:
        """Filter texts in order; the kept ones join the pool.

        Returns
        -------
        FilteredTexts
            The texts of all calls are numbered together, after those of the pool.

        Raises
        ------
        InputError
            For values that are not texts.
        """
        if not isinstance(texts, BulkTexts):
            plain = normalised(listed(texts, "texts"), "texts")
            texts = self._pool.reader.read(plain, self._options, "texts")
        warn_about([texts])
        return self._pool.filter(texts)


def filter_similar(
    texts: "Texts",
    pool: "Texts" = (),
    *,
    threshold: float = 0.7,
    metric: str = DEFAULT,
    jobs: int | None = None,
    **options: Any,
) -> FilteredTexts:
    """Keep the texts that resemble neither a text of the pool nor one that was kept before.

    Parameters
    ----------
    texts : iterable of texts
        The texts to filter, one by one, in order.
    pool, threshold, metric, **options
        As for `SimilarityFilter`.
    jobs : int, optional
        Number of threads. The result does not depend on it.

    Returns
    -------
    FilteredTexts

    Raises
    ------
    OptionError, InputError
        As for `SimilarityFilter`.

    Examples
    --------
    >>> from rouge_cli import bulk
    >>> found = bulk.filter_similar(["the cat sat", "the cat", "a dog"])
    >>> found.kept.tolist(), found.nearest.tolist(), found.score.tolist()
    ([True, False, True], [-1, 0, 0], [nan, 0.8, 0.0])
    """
    limit, n_threads = above.Threshold.of(threshold), thread_count(jobs)
    _, lists = read_together({"texts": texts, "pool": pool}, options)
    warn_about(lists.values())
    return _Pool(lists["pool"], limit, metric, n_threads).filter(lists["texts"])
