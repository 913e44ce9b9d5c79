"""The records of a run: scores by system, metric and measure. They hold numbers and print nothing.

Source: specification, sections 6 and 7.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

import numpy as np
from numpy.typing import NDArray

from rouge_cli.metrics.counts import Counts
from rouge_cli.options.every import Options
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.scoring.score_table import ScoreTable, byte_order

__all__ = ["Measure", "MetricScores", "Results", "SystemScores"]


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
        Whether `mean` is that of `per_eval`; a metric that is fused of means has another.
    """

    mean: float
    bootstrap_mean: float | None
    interval: tuple[float, float] | None
    per_eval: NDArray[np.float64]
    is_mean_of_evals: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class MetricScores:
    """All that is known of a system in one metric.

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
    """

    id: str
    eval_ids: Sequence[str]
    metrics: Mapping[str, MetricScores]

    @property
    def byte_order(self) -> NDArray[np.int64]:
        """Places of the EVALs in byte order of the instances' names; shape (n_evals,)."""
        return byte_order(self.eval_ids, self.id)

    def __getitem__(self, metric: str) -> MetricScores:
        """Return the scores in `metric`; raises KeyError."""
        if metric not in self.metrics:
            raise KeyError(f"no metric {metric!r}; known are: {', '.join(self.metrics)}")
        return self.metrics[metric]

    def __contains__(self, metric: object) -> bool:
        """Return whether `metric` is the name of one that was computed."""
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
        What they were made from.
    warnings : tuple of str
        What the user should know of the inputs: a system that is absent from an EVAL, a text
        without tokens.
    sentences_per_text : float or None
        How many sentences the texts have on average, where they were read.
    notes : tuple of str
        How the inputs were read.
    model_sharing : ndarray of int64 or None
        For each different set of models, how many EVALs have it; where several systems were scored
        and their texts are known.
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
        """Return whether `metric` is the name of one that was computed."""
        return metric in self.metric_names

    def __iter__(self) -> Iterator[MetricScores]:
        """Iterate over the metrics of all systems, in the order of print."""
        for system in self.systems.values():
            yield from system

    @property
    def metric_names(self) -> tuple[str, ...]:
        """Names of the metrics, the same for every system, in the order of print."""
        return tuple(metric.name for metric in self.table.metrics)
