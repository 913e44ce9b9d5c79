"""Scored batches to the score table, in the order of the report."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import NothingLeftError
from rouge_cli.inputs.evaluation import ids_at
from rouge_cli.inputs.index import Index
from rouge_cli.metrics.counts import Counts, InstanceScores, ScoredMetric, short_counts
from rouge_cli.run.counting import ScoredBatch
from rouge_cli.run.text_findings import TextFindings
from rouge_cli.scores.results import MetricColumn, ScoreTable, SystemTable

VALUES: Final = "values"
"""The key of the scores themselves, next to the names of counts."""


class GrowingRows:
    """Rows of numbers to which batches are appended, in memory that grows in place.

    Lists of pieces, joined at the end, took 110 MB more for a million pairs: what pieces leave
    behind is too small to go back to the system.
    """

    def __init__(self) -> None:
        self._rows: list[NDArray[Any]] = []
        self._size = self._n_axes = 0

    def extend(self, values: NDArray[Any]) -> None:
        """Append to each row; shape (n_rows, n) or, of a single row, (n,)."""
        self._n_axes = values.ndim
        pieces = np.atleast_2d(values)
        end = self._size + pieces.shape[1]
        self._rows = self._rows or [np.empty(0, values.dtype) for _ in pieces]
        for number, piece in enumerate(pieces):
            row = self._rows[number]
            if (common := np.promote_types(row.dtype, piece.dtype)) != row.dtype:
                row = self._rows[number] = row.astype(common)
            if end > row.size:
                row.resize(max(end, row.size * 5 // 4), refcheck=False)
            row[self._size : end] = piece
        self._size = end

    def take(self) -> NDArray[Any]:
        """Return and forget the rows, in the shape that was given."""
        rows, self._rows = [row[: self._size] for row in self._rows], []
        return rows[0] if self._n_axes == 1 else np.stack(rows)


class GatheredScores:
    """The scores of a run, batch by batch."""

    def __init__(self) -> None:
        self.n_done = 0
        self.findings = TextFindings()
        self.n_models: frozenset[int] = frozenset()
        self._rows: list[NDArray[np.int32]] = []
        self._systems: list[NDArray[np.int32]] = []
        self._is_empty: list[NDArray[np.bool_]] = []
        self._keys: list[NDArray[np.uint64]] = []
        self._columns: dict[tuple[int, str], GrowingRows] = {}

    def add(self, scored: ScoredBatch) -> None:
        """Add the next batch."""
        self.n_done += scored.rows.size
        self.findings += scored.findings
        self.n_models |= scored.n_models
        self._rows.append(scored.rows.astype(np.int32))
        self._systems.append(scored.systems.astype(np.int32))
        self._is_empty.append(scored.is_empty)
        self._keys.append(scored.keys)
        for metric, scores in enumerate(scored.scores):
            counts = {} if scores.counts is None else scores.counts.arrays()
            for name, values in {VALUES: scores.values, **counts}.items():
                self._columns.setdefault((metric, name), GrowingRows()).extend(short_counts(values))

    def table(
        self,
        index: Index,
        metrics: Sequence[ScoredMetric],
        humans: Mapping[str, int],
        *,
        skips_empty: bool,
    ) -> tuple[ScoreTable, tuple[str, ...], NDArray[np.int64] | None]:
        """Put all scores into a table, system by system in print order, EVALs in input order.

        Returns also a warning for systems with equal texts, and how many EVALs have each set of
        models; None if nobody asked for the keys. Raises NothingLeftError if nothing is left of a
        system.
        """
        rows, systems = np.concatenate(self._rows), np.concatenate(self._systems)
        is_empty, keys = np.concatenate(self._is_empty), np.concatenate(self._keys, axis=1)
        alike: tuple[str, ...] = ()
        sharing = None
        if keys.size:
            alike = tuple(_alike(index, rows, systems, keys[0]))
            sharing = _sharing(rows, keys[1])
        order = {name: index.systems.index(name) for name in index.order} | dict(humans)
        # Sorted once: searching all instances for each system would be quadratic in the systems.
        in_order = np.lexsort((rows, systems))
        if skips_empty:
            in_order = in_order[~is_empty[in_order]]
        starts = np.searchsorted(systems[in_order], list(order.values()))
        ends = np.searchsorted(systems[in_order], list(order.values()), "right")
        if lost := [name for name, a, b in zip(order, starts, ends, strict=True) if a == b]:
            raise NothingLeftError(f"nothing is left to score of: {', '.join(lost)}")
        whole = [self._whole(metric) for metric in range(len(metrics))]
        tables = {}
        for name, start, end in zip(order, starts.tolist(), ends.tolist(), strict=True):
            places = in_order[start:end]
            is_all = places.size == rows.size and bool((np.diff(places) == 1).all())
            columns = {
                metric.name: _column(metric, scores if is_all else scores.take(places))
                for metric, scores in zip(metrics, whole, strict=True)
            }
            tables[name] = SystemTable(
                name, ids_at(index.eval_ids, rows[places].astype(np.int64)), columns
            )
        return ScoreTable(tables, tuple(metrics), index.clusters), alike, sharing

    def _whole(self, metric: int) -> InstanceScores:
        names = [name for number, name in self._columns if number == metric]
        columns = {name: self._columns.pop((metric, name)).take() for name in names}
        values = columns.pop(VALUES)
        return InstanceScores(values, Counts(**columns) if columns else None)


def _column(metric: ScoredMetric, scores: InstanceScores) -> MetricColumn:
    if not metric.n_statistics:
        return MetricColumn(metric, scores.values, scores.counts)
    values, statistics = np.split(scores.values, [len(metric.measures)])
    by_name = dict(zip(metric.statistics, statistics, strict=True))
    return MetricColumn(metric, values, scores.counts, by_name)


def _sharing(rows: NDArray[np.int32], keys: NDArray[np.uint64]) -> NDArray[np.int64]:
    _, firsts = np.unique(rows, return_index=True)
    counts: NDArray[np.int64] = np.unique(keys[firsts], return_counts=True)[1]
    return counts


def _alike(
    index: Index,
    rows: NDArray[np.int32],
    systems: NDArray[np.int32],
    keys: NDArray[np.uint64],
) -> Iterator[str]:
    in_order = np.lexsort((rows, systems))
    numbers = [index.systems.index(name) for name in index.order]
    starts = np.searchsorted(systems[in_order], numbers)
    ends = np.searchsorted(systems[in_order], numbers, "right")
    first_of: dict[bytes, str] = {}
    same: list[tuple[str, str]] = []
    for name, start, end in zip(index.order, starts, ends, strict=True):
        if name in index.made_systems:
            continue
        places = in_order[start:end]
        texts = rows[places].tobytes() + keys[places].tobytes()
        if (first := first_of.setdefault(texts, name)) != name:
            same.append((name, first))
    if same:
        have = "1 system has" if len(same) == 1 else f"{len(same)} systems have"
        yield (
            f"{have} the texts of another one in every EVAL, the first {same[0][0]!r} those of "
            f"{same[0][1]!r}: their scores are the same; give the texts that are meant, or leave "
            "one of the systems out"
        )
