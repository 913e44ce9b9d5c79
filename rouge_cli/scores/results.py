"""The score table of a run, and its results: scores by system, metric and measure.

The table has the counts and measures of each EVAL. Averages, bootstrap, thresholds, studies and
reports follow from it alone, so scores can be computed on many machines, put together, and reported
again later. Results hold numbers and print nothing.

Source: specification, sections 6 and 7.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rouge_cli.metrics.counts import Counts, ScoredMetric
from rouge_cli.options.options import Options
from rouge_cli.options.scores import MEAN_OVER_EVALS
from rouge_cli.quick_dataclass import dataclass


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
        What the score of a system is computed from, if that is no mean of the values.
    """

    metric: ScoredMetric
    values: NDArray[np.float64]
    counts: Counts | None
    statistics: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Make the arrays read-only: many results share them."""
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
        The value of `byte_order`, if it is known already.
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
        """Return the rows that a metric aggregates; shape (n_parts, n_evals)."""
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
        EVAL ID to the cluster (a document, a topic) that it belongs to; empty if EVALs are not
        clustered.
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


INT64_LIMIT = 1 << 63


@dataclass(frozen=True, slots=True, eq=False)
class Measure:
    """Recall, precision or F of a system in one metric.

    Parameters
    ----------
    mean : float
        Mean over the EVALs; with pooled counts the value of the pooled counts.
    bootstrap_mean : float or None
        Mean of the resampled means, which is what ROUGE-1.5.5 prints as the average.
    interval : tuple of two floats or None
        Lower and upper bound of the confidence interval.
    per_eval : ndarray of float64, shape (n_evals,)
        Score of each EVAL, rounded to 5 decimals, in the order of `SystemScores.eval_ids`;
        read-only.
    is_mean_of_evals : bool
        Whether `mean` is that of `per_eval`; not so in a metric that fuses the means of others.
    """

    mean: float
    bootstrap_mean: float | None
    interval: tuple[float, float] | None
    per_eval: NDArray[np.float64]
    is_mean_of_evals: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class MetricScores:
    """The scores of a system in one metric.

    Parameters
    ----------
    name : str
        The original's name of the metric: ``"ROUGE-1"``, ``"ROUGE-SU4"``.
    measures : mapping of str to Measure
        By letter, in the order of print: ``"R"``, ``"P"``, ``"F"``, or the one measure ``"S"`` of a
        metric with a single score.
    counts : Counts or None
        Hit, model count and peer count of each EVAL, in the order of `SystemScores.eval_ids`; None
        if the metric does not count.
    """

    name: str
    measures: Mapping[str, Measure]
    counts: Counts | None

    @property
    def counted(self) -> Counts:
        """The counts; raises ValueError where the metric does not count."""
        if self.counts is None:
            raise ValueError(f"{self.name} has no counts")
        return self.counts

    @property
    def recall(self) -> Measure:
        """Recall; raises KeyError where the metric has none."""
        return self.measures["R"]

    @property
    def precision(self) -> Measure:
        """Precision; raises KeyError where the metric has none."""
        return self.measures["P"]

    @property
    def f_measure(self) -> Measure:
        """F; raises KeyError where the metric has none."""
        return self.measures["F"]


@dataclass(frozen=True, slots=True, eq=False)
class SystemScores:
    """The scores of one system.

    Parameters
    ----------
    id : str
        The system ID.
    eval_ids : sequence of str
        The EVALs in which the system takes part, in the order of the input.
    metrics : mapping of str to MetricScores
        By name, in the order of print.
    known_order : ndarray of int64, shape (n_evals,), or None
        The value of `byte_order`, where reading the scores has found it out.
    """

    id: str
    eval_ids: Sequence[str]
    metrics: Mapping[str, MetricScores]
    known_order: NDArray[np.int64] | None = None

    @property
    def byte_order(self) -> NDArray[np.int64]:
        """Places of the EVALs in byte order of the instances' names; shape (n_evals,)."""
        if self.known_order is not None:
            return self.known_order
        return byte_order(self.eval_ids, self.id)

    def __getitem__(self, metric: str) -> MetricScores:
        """Return the scores in `metric`; raises KeyError."""
        if metric not in self.metrics:
            raise KeyError(f"no metric {metric!r}; known are: {', '.join(self.metrics)}")
        return self.metrics[metric]

    def __contains__(self, metric: object) -> bool:
        """Say whether a metric of this name was computed."""
        return metric in self.metrics

    def __iter__(self) -> Iterator[MetricScores]:
        """Iterate over the metrics, in the order of print."""
        return iter(self.metrics.values())


@dataclass(frozen=True, slots=True, eq=False)
class Results:
    """The scores of a run; ``results["ROUGE-2"]`` is the metric of its only system.

    Parameters
    ----------
    systems : mapping of str to SystemScores
        By system ID, in the order of print.
    table : ScoreTable
        The scores of each EVAL, from which the results follow.
    warnings : tuple of str
        What is odd in the inputs, such as a system that is absent from an EVAL, or a text without
        tokens.
    sentences_per_text : float or None
        Mean number of sentences of a text; None if no text was read.
    notes : tuple of str
        How the inputs were read.
    model_sharing : ndarray of int64 or None
        For each set of models, the number of EVALs that have it; None unless several systems were
        scored from texts.
    """

    systems: Mapping[str, SystemScores]
    table: ScoreTable
    options: Options
    warnings: tuple[str, ...] = field(default=())
    sentences_per_text: float | None = None
    notes: tuple[str, ...] = ()
    model_sharing: NDArray[np.int64] | None = None

    def __getitem__(self, metric: str) -> MetricScores:
        """Return the scores of the only system in `metric`; raises KeyError."""
        if len(self.systems) != 1:
            raise KeyError(
                f"{len(self.systems)} systems: choose one first, as in "
                f".systems[{next(iter(self.systems), '')!r}][{metric!r}]"
            )
        (system,) = self.systems.values()
        return system[metric]

    def __contains__(self, metric: object) -> bool:
        """Say whether a metric of this name was computed."""
        return metric in self.metric_names

    def __iter__(self) -> Iterator[MetricScores]:
        """Iterate over the metrics of all systems, in the order of print."""
        for system in self.systems.values():
            yield from system

    @property
    def metric_names(self) -> tuple[str, ...]:
        """Names of the metrics, the same for every system, in the order of print."""
        return tuple(metric.name for metric in self.table.metrics)


def average(measure: Measure) -> float:
    """Return the bootstrap mean, which ROUGE-1.5.5 prints, or else the plain mean."""
    return measure.mean if measure.bootstrap_mean is None else measure.bootstrap_mean


def standard_error(measure: Measure, options: Options) -> float | None:
    """Return the standard error of a mean over EVALs.

    It is the sample standard deviation of the EVALs' scores (divisor N - 1), divided by the square
    root of N. Equal scores give exactly 0.

    None for fewer than two EVALs; for pooled counts and fused means, which are not means over
    EVALs; and for clusters, whose EVALs are not independent.

    `options` say how the EVALs are counted.
    """
    scores = measure.per_eval
    if not measure.is_mean_of_evals:
        return None
    if options.scores.counting != MEAN_OVER_EVALS or options.inputs.cluster is not None:
        return None
    if scores.size <= 1:
        return None
    # Sorted, so that the order of the input cannot move a digit; less the smallest, so that equal
    # scores leave no rounding error.
    ascending = np.sort(scores)
    return float((ascending - ascending[0]).std(ddof=1)) / sqrt(scores.size)


def total(counts: NDArray[Any]) -> float:
    """Add up counts in their order, which matters if they are not whole.

    The total is an int of any size if all counts are whole.

    Parameters
    ----------
    counts : ndarray of int, float64 or object, shape (n,)
    """
    if counts.dtype.kind == "i":
        most = max(int(counts.max(initial=0)), -int(counts.min(initial=0)))
        if most * counts.size < INT64_LIMIT:
            return int(counts.sum(dtype=np.int64))
    if counts.dtype.kind == "f" and counts.size:
        # `sum` would add in pairs, and so round otherwise.
        with np.errstate(over="ignore"):
            return float(np.add.accumulate(counts)[-1])
    total_count: float = 0
    for count in counts.tolist():
        total_count += count
    return total_count
