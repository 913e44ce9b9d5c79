"""The score table: for each system, EVAL and metric the counts and the values of its measures.

Averages, bootstrap, thresholds, comparison, correlation and reports are made from it and from
nothing else. So scores can be computed anywhere, put together, and reported without being computed
again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import field

import numpy as np
from numpy.typing import NDArray

from rouge_cli.metrics.counts import Counts, ScoredMetric
from rouge_cli.quick_dataclass import dataclass

__all__ = ["MetricColumn", "ScoreTable", "SystemTable", "byte_order"]


@dataclass(frozen=True, slots=True, eq=False)
class MetricColumn:
    """The scores of one system in one metric.

    Parameters
    ----------
    values : ndarray of float64, shape (n_measures, n_evals)
        A row for each measure, read-only. Those of ROUGE are rounded to 5 decimals.
    counts : Counts or None
        Hit, model count and peer count of each EVAL; None if the metric does not count.
    statistics : mapping of str to ndarray of float64, shape (n_evals,)
        What the score of a system is made of, where it is no mean of the values.
    """

    metric: ScoredMetric
    values: NDArray[np.float64]
    counts: Counts | None
    statistics: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Keep the scores as they are, for all that is made from them later."""
        counts = () if self.counts is None else self.counts.arrays().values()
        for array in (self.values, *counts, *self.statistics.values()):
            array.setflags(write=False)

    def row(self, key: str) -> NDArray[np.float64]:
        """Return the values of a measure or a statistic; shape (n_evals,)."""
        if key in self.metric.measures:
            values: NDArray[np.float64] = self.values[self.metric.measures.index(key)]
            return values
        return self.statistics[key]

    def take(self, rows: NDArray[np.int64]) -> "MetricColumn":
        """Return the scores in some EVALs."""
        return MetricColumn(
            self.metric,
            self.values[:, rows],
            None if self.counts is None else self.counts.take(rows),
            {key: values[rows] for key, values in self.statistics.items()},
        )


@dataclass(frozen=True, slots=True, eq=False)
class SystemTable:
    """The scores of one system.

    Parameters
    ----------
    id : str
        The system ID.
    eval_ids : sequence of str
        The EVALs in which the system takes part, in the order of the input.
    columns : mapping of str to MetricColumn
        By the name of the metric, in the order of print.
    known_order : ndarray of int64, shape (n_evals,), or None
        What `byte_order` is, where it is known already.
    """

    id: str
    eval_ids: Sequence[str]
    columns: Mapping[str, MetricColumn]
    known_order: NDArray[np.int64] | None = None

    @property
    def byte_order(self) -> NDArray[np.int64]:
        """Places of the EVALs in byte order of the instances' names; shape (n_evals,)."""
        if self.known_order is not None:
            return self.known_order
        return byte_order(self.eval_ids, self.id)

    def parts(self, metric: ScoredMetric) -> NDArray[np.float64]:
        """Return what the score of a metric with an aggregation is made of; (n_parts, n_evals)."""
        keys = () if metric.aggregation is None else metric.aggregation.parts
        return np.array([self.columns[name].row(key) for name, key in keys])

    def take(self, rows: NDArray[np.int64]) -> "SystemTable":
        """Return the scores in some EVALs, in their order."""
        columns = {name: column.take(rows) for name, column in self.columns.items()}
        return SystemTable(self.id, tuple(self.eval_ids[row] for row in rows.tolist()), columns)


@dataclass(frozen=True, slots=True, eq=False)
class ScoreTable:
    """The scores of a run, before anything is averaged.

    Parameters
    ----------
    systems : mapping of str to SystemTable
        By system ID, in the order of print.
    metrics : tuple of ScoredMetric
        The same for every system, in the order of print.
    clusters : mapping of str to str
        EVAL to the cluster (a document, a topic) that it belongs to; empty where every EVAL stands
        for itself.
    """

    systems: Mapping[str, SystemTable]
    metrics: tuple[ScoredMetric, ...]
    clusters: Mapping[str, str] = field(default_factory=dict)


def byte_order(eval_ids: Sequence[str], system_id: str) -> NDArray[np.int64]:
    """Return the places of a system's EVALs in byte order of their instances' names.

    An instance is named ``EVAL_ID.SYSTEM_ID``, so EVAL 10 comes before EVAL 2.
    Source: specification, section 6.
    """
    names = [f"{eval_id}.{system_id}".encode("utf-8", "surrogateescape") for eval_id in eval_ids]
    return np.array(sorted(range(len(names)), key=names.__getitem__), np.int64)
