"""Scores of all pairs of two lists of texts, and the nearest texts of each text."""

from collections.abc import Generator, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rouge_cli.bulk.metric import (
    DEFAULT,
    LCS,
    Floats,
    PairMetric,
    Sequences,
    UnitNumbers,
    pair_metric,
)
from rouge_cli.bulk.texts import BulkTexts, read_together, warn_about
from rouge_cli.core import compiled_core
from rouge_cli.errors import InputError, OptionError
from rouge_cli.metrics.lcs import PeerSentence, lcs_length
from rouge_cli.options.options import jobs_of_environment
from rouge_cli.options.readers import JOB_COUNT
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.text.columns import TextColumns
from rouge_cli.threads import mapped

if TYPE_CHECKING:
    from rouge_cli.bulk.texts import Texts

Range = tuple[int, int]  # a range of texts: the first, and the one after the last

MOST_IN_LANES = 2048  # words of a text up to which the core scores in lanes; the core has it too
FEWEST_ROWS, MOST_ROWS = 16, 1024  # scored together; fewer would leave lanes of the core empty
SCORES_AT_A_TIME = 1 << 19
PAIRS_AT_A_TIME = 1 << 12  # counted together by other metrics
LARGEST_TABLE = 1 << 22  # scores in a table; a larger one is made for a few rows at a time


def ranges_of(n_texts: int, size: int) -> list[Range]:
    """Split texts into ranges of a size; the last one may be smaller."""
    return [(first, min(first + size, n_texts)) for first in range(0, n_texts, size)]


class ScoredPairs:
    """All pairs of two lists of texts, ready to be scored.

    `is_plain` says which predictions and which references are scored by their items. The metric
    itself counts the pairs of all other texts.
    """

    def __init__(self, metric: PairMetric, rows: BulkTexts, columns: BulkTexts) -> None:
        self.metric, self._texts = metric, (rows, columns)
        sides = metric.columns(rows, columns)
        self.is_plain = plain_texts(metric, sides[0]), plain_texts(metric, sides[1])
        self._are_all_plain = self.is_plain[0].all() and self.is_plain[1].all()
        self._is_same = sides[0] is sides[1]
        self._items, self._n_items = _items(metric, sides, self.is_plain)
        self.shape = len(rows), len(columns)
        of_rows, of_columns = map(_numbered, self._items)
        self._lengths = of_rows[0], of_columns[0]
        self._numbers = of_rows[1], of_columns[1]
        self._n_hits = int(self._lengths[1].max(initial=0)) + 1
        self._table: Floats | None = None
        n_of_row = self._lengths[1].size * self._n_hits
        self._most_rows = max(LARGEST_TABLE // max(n_of_row, 1), 1)
        if self._lengths[0].size <= self._most_rows:
            self._table = self._scores_of(self._lengths[0])
            self._most_rows = MOST_ROWS

    def _scores_of(self, row_units: NDArray[np.int64]) -> Floats:
        """Tabulate scores by units of the prediction, units of the reference, and hits.

        The shape is (n_rows, n_columns, n_hits). Hits beyond the units of a text, which cannot
        occur, have the score of as many hits as units.
        """
        column_units, n_hits = self._lengths[1], self._n_hits
        table = np.empty((row_units.size, column_units.size, n_hits))
        models = np.repeat(column_units, n_hits)
        hits = np.minimum(np.tile(np.arange(n_hits), column_units.size), models)
        # The arrays of one row fit in the cache of the processor.
        for row, n_units in zip(table, row_units.tolist(), strict=True):
            peers = np.full(models.size, n_units)
            scores = self.metric.score_hits(np.minimum(hits, n_units), models, peers)
            row[:] = scores.reshape(row.shape)
        return table

    def ranges(self) -> list[tuple[int, int]]:
        """Return the ranges of rows that are scored together."""
        n_rows, n_columns = self.shape
        size = min(max(SCORES_AT_A_TIME // max(n_columns, 1), FEWEST_ROWS), self._most_rows)
        return ranges_of(n_rows, size)

    def score(self, rows: Range, out: Floats | None = None, columns: Range | None = None) -> Floats:
        """Return the scores of a range of rows with a range of columns, by default all columns.

        The scores are written to `out`, if it is given.
        """
        columns = columns or (0, self.shape[1])
        scores = np.empty((rows[1] - rows[0], columns[1] - columns[0])) if out is None else out
        if self._are_all_plain:
            self._score_items(rows, columns, scores)
            return scores
        plain_rows = self.is_plain[0][slice(*rows)]
        plain_columns = self.is_plain[1][slice(*columns)]
        if plain_rows.any() and plain_columns.any():
            self._score_items(rows, columns, scores)
        peers, models = np.nonzero(~(plain_rows[:, None] & plain_columns))
        for start in range(0, peers.size, PAIRS_AT_A_TIME):
            part = slice(start, start + PAIRS_AT_A_TIME)
            scores[peers[part], models[part]] = self.score_pairs(
                peers[part] + rows[0], models[part] + columns[0]
            )
        return scores

    def score_pairs(self, peers: NDArray[np.int64], models: NDArray[np.int64]) -> Floats:
        """Return the scores of some pairs of any texts, as the metric itself counts them."""
        return self.metric.score_pairs(self._texts[0], peers, self._texts[1], models)

    def _score_items(self, rows: Range, columns: Range, scores: Floats) -> None:
        row_items, row_numbers = self._items[0].part(*rows), self._numbers[0][slice(*rows)]
        column_items, column_numbers = row_items, row_numbers
        table = self._table
        is_square = self._is_same and rows == columns and table is not None
        if not is_square:
            column_items = self._items[1].part(*columns)
            column_numbers = self._numbers[1][slice(*columns)]
        if table is None:
            row_lengths, row_numbers = _numbered(row_items)
            table = self._scores_of(row_lengths)
        # The core counts several rows in parallel, which takes as long as the longest of them.
        order = np.argsort(row_items.lengths, kind="stable")
        is_lcs = self.metric.order in {LCS, None}
        texts = row_items, column_items, self._n_items
        numbers = row_numbers, column_numbers
        core = compiled_core()
        if core is None or not scores.flags.c_contiguous:
            score_pairs(*texts, is_lcs, *numbers, table, order, scores)
        else:
            shape = table.shape[1:]
            core.score_pairs(
                *texts, is_lcs, is_square, *numbers, (table, shape[0]), shape[1], order, scores
            )


def _numbered(texts: Sequences) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return the different lengths of texts, and the number of each text's length among them."""
    lengths, numbers = np.unique(texts.lengths, return_inverse=True)
    return lengths, numbers.astype(np.int32)


def plain_texts(metric: PairMetric, columns: TextColumns) -> NDArray[np.bool_]:
    """Return which texts can be scored by their items, shape (n_texts,)."""
    lengths = columns.token_counts
    if metric.order not in {LCS, None}:
        return np.ones(lengths.size, np.bool_)
    if metric.order is None and not metric.is_union:
        return np.zeros(lengths.size, np.bool_)
    is_short: NDArray[np.bool_] = lengths <= MOST_IN_LANES
    if metric.order == LCS:
        return is_short
    before = np.concatenate(([0], np.cumsum(np.diff(columns.sentence_offsets) > 0)))
    n_sentences = np.diff(before[columns.text_offsets])
    return is_short & (n_sentences <= 1)


def _items(
    metric: PairMetric,
    sides: tuple[TextColumns, TextColumns],
    is_plain: tuple[NDArray[np.bool_], NDArray[np.bool_]],
) -> tuple[tuple[Sequences, Sequences], int]:
    """Return the items of both sides, and an exclusive upper bound of all items.

    Texts that are not plain are empty, as their items are not used.
    """
    words = [Sequences.of(side) for side in sides]
    if metric.order is not None and metric.order != LCS:
        numbers = UnitNumbers(metric.order)
        rows = numbers.number(words[0])
        columns = rows if sides[1] is sides[0] else numbers.number(words[1])
        return (rows, columns), numbers.n_units
    rows, columns = (side.where(plain) for side, plain in zip(words, is_plain, strict=True))
    n_items = max(int(side.items.max(initial=0)) for side in (rows, columns)) + 1
    return (rows, columns), n_items


def score_pairs(  # noqa: PLR0913, PLR0917
    rows: Sequences,
    columns: Sequences,
    n_items: int,
    is_lcs: bool,
    row_lengths: NDArray[np.int32],
    column_lengths: NDArray[np.int32],
    table: Floats,
    order: NDArray[np.int64],
    scores: Floats,
) -> None:
    """Score rows, in the given order, with all columns.

    The table is indexed by the number of the row's length, that of the column's length, and the
    hits. Hits are the length of the LCS, or the number of items that both texts have.
    """
    texts = [columns.text(number).tolist() for number in range(len(column_lengths))]
    sets = [] if is_lcs else list(map(set, texts))
    numbers = column_lengths.tolist()
    for row in order.tolist():
        items = rows.text(row).tolist()
        if is_lcs:
            hits = list(map(partial(lcs_length, PeerSentence.of(items)), texts))
        else:
            hits = [len(shared.intersection(items)) for shared in sets]
        scores[row] = table[row_lengths[row]][numbers, hits]


def thread_count(jobs: int | None) -> int:
    """Return the number of threads to use; raises OptionError."""
    if jobs is None:
        return jobs_of_environment() or 1
    try:
        return JOB_COUNT(jobs) if compiled_core() is not None else min(JOB_COUNT(jobs), 1)
    except ValueError as expected:
        raise OptionError(f"jobs: found {jobs!r}, expected {expected}") from None


def _prepared(
    a: "Texts", b: "Texts | None", metric: str, options: dict[str, Any]
) -> tuple[ScoredPairs, bool]:
    """Return the pairs of both lists, and whether the two lists are the same."""
    checked, texts = read_together({"a": a} if b is None else {"a": a, "b": b}, options)
    wanted = pair_metric(metric, checked)
    warn_about(texts.values())
    return ScoredPairs(wanted, texts["a"], texts["a" if b is None else "b"]), b is None


def pairwise(
    a: "Texts",
    b: "Texts | None" = None,
    *,
    metric: str = DEFAULT,
    out: Floats | None = None,
    jobs: int | None = None,
    **options: Any,
) -> Floats:
    """Score all pairs of two lists of texts, or of one.

    Parameters
    ----------
    a : iterable of texts, or BulkTexts
        The predictions.
    b : iterable of texts, or BulkTexts, optional
        The references; by default `a`.
    metric : str
        A metric and its measure, as in ``--require``.
    out : ndarray of float64, shape (len(a), len(b)), optional
        Filled and returned; it may be a memory map. Without it, the matrix may take half of the
        free memory.
    jobs : int, optional
        Number of threads; the scores do not depend on it.
    **options
        As for `read`.

    Returns
    -------
    ndarray of float64, shape (len(a), len(b))

    Raises
    ------
    OptionError, InputError
        As `read`; also for an unknown metric, an `out` of another shape or type, and a matrix that
        is too large.

    Examples
    --------
    >>> from rouge_cli import bulk
    >>> bulk.pairwise(["the cat sat", "a dog"], ["the cat", "a dog"]).tolist()
    [[0.8, 0.0], [0.0, 1.0]]
    """
    n_threads = thread_count(jobs)
    pairs, _ = _prepared(a, b, metric, options)
    if out is None:
        _check_memory(pairs.shape)
        out = np.empty(pairs.shape)
    elif getattr(out, "shape", None) != pairs.shape or out.dtype != np.float64:
        raise OptionError(f"out: expected float64 of shape {pairs.shape}")
    ranges = pairs.ranges()
    parts = [out[slice(*rows)] for rows in ranges]
    list(mapped(lambda task: pairs.score(*task), zip(ranges, parts, strict=True), n_threads))
    return out


def iter_pairwise(
    a: "Texts",
    b: "Texts | None" = None,
    *,
    metric: str = DEFAULT,
    jobs: int | None = None,
    **options: Any,
) -> Iterator[tuple[slice, Floats]]:
    """Score all pairs, a few rows at a time; for the parameters, see `pairwise`.

    Yields
    ------
    slice, ndarray of float64, shape (n_rows, len(b))
        The range of the texts of `a`, in ascending order, and their scores.
    """
    n_threads = thread_count(jobs)
    pairs, _ = _prepared(a, b, metric, options)
    return scored_rows(pairs, n_threads)


def scored_rows(pairs: ScoredPairs, n_threads: int) -> Generator[tuple[slice, Floats], None, None]:
    """Yield ranges of rows with their scores, in order."""
    ranges = pairs.ranges()
    scored = mapped(pairs.score, ranges, n_threads)
    for rows, scores in zip(ranges, scored, strict=True):
        yield slice(*rows), scores


def _check_memory(shape: tuple[int, int]) -> None:
    """Raise InputError if a matrix would take more than half of the free memory."""
    needed, free = np.dtype(np.float64).itemsize * shape[0] * shape[1], _free_memory()
    if free is not None and needed > free // 2:
        raise InputError(
            f"a matrix of {shape[0]} x {shape[1]} scores takes {needed >> 20} MB, more than half "
            f"of the {free >> 20} MB of free memory; use iter_pairwise, neighbours or pairs_above, "
            "or give out= a memory map"
        )


def _free_memory() -> int | None:
    """Return the available memory in bytes; None if the system does not tell."""
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            lines = dict(line.split(":") for line in file)
        return int(lines["MemAvailable"].split()[0]) << 10
    except (OSError, KeyError, ValueError):
        return None


# Nearest texts.


@dataclass(frozen=True, slots=True, eq=False)
class Neighbours:
    """The texts with the highest scores for each text, in descending order.

    Of texts with equal scores, the one with the lower number comes first.

    Parameters
    ----------
    indices : ndarray of int64, shape (n, k)
        Numbers of texts; -1 if there are fewer than k.
    scores : ndarray of float64, shape (n, k)
        Their scores; nan if there are fewer than k.
    """

    indices: NDArray[np.int64]
    scores: Floats


def neighbours(
    a: "Texts",
    b: "Texts | None" = None,
    *,
    k: int = 10,
    metric: str = DEFAULT,
    jobs: int | None = None,
    **options: Any,
) -> Neighbours:
    """Find the k texts of `b` with the highest scores for each text of `a`.

    Without `b`, each text of `a` is compared with all other texts of `a`. For the other parameters,
    see `pairwise`.

    Returns
    -------
    Neighbours

    Raises
    ------
    OptionError, InputError
        As `pairwise`; also for a k below 1.

    Examples
    --------
    >>> from rouge_cli import bulk
    >>> found = bulk.neighbours(["the cat sat", "a dog", "the cat"], k=1)
    >>> found.indices.tolist(), found.scores.tolist()
    ([[2], [0], [0]], [[0.8], [0.0], [0.8]])
    """
    if isinstance(k, bool) or not isinstance(k, int | np.integer) or k < 1:
        raise OptionError(f"k: found {k!r}, expected a whole number above 0")
    n_threads = thread_count(jobs)
    pairs, is_same = _prepared(a, b, metric, options)
    n_rows, n_columns = pairs.shape
    indices, scores = np.full((n_rows, k), -1), np.full((n_rows, k), np.nan)

    def nearest(rows: tuple[int, int]) -> None:
        of_rows = pairs.score(rows)
        if is_same:
            np.fill_diagonal(of_rows[:, rows[0] :], -np.inf)
        for row, of_row in zip(range(*rows), of_rows, strict=True):
            n_found = min(k, n_columns - is_same)
            indices[row, :n_found] = _highest(of_row, n_found)
            scores[row, :n_found] = of_row[indices[row, :n_found]]

    list(mapped(nearest, pairs.ranges(), n_threads))
    return Neighbours(indices, scores)


def _highest(scores: Floats, k: int) -> NDArray[np.int64]:
    """Return the places of the k highest scores, in descending order; equal ones by place."""
    if not k:
        return np.zeros(0, np.int64)
    # Partitioning takes linear time; only the k chosen scores are sorted.
    least = np.partition(scores, scores.size - k)[scores.size - k]
    higher = np.flatnonzero(scores > least)
    equal = np.flatnonzero(scores == least)[: k - higher.size]
    places = np.concatenate((higher, equal))
    return places[np.argsort(-scores[places], kind="stable")]
