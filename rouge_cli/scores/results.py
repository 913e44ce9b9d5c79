"""The score table of a run, and its results by system, metric and measure.

The table has the counts and measures of each EVAL. Averages, bootstrap, thresholds, studies and
reports depend on it alone, so scores can be computed on many machines, combined, and reported
later. Results hold numbers and print nothing.

Source: specification, sections 6 and 7.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import OptionError
from rouge_cli.inputs.evaluation import NumberedIds, ids_at
from rouge_cli.metrics.counts import Counts, ScoredMetric
from rouge_cli.options.options import Options
from rouge_cli.options.scores import MEAN_OVER_EVALS, NamedScore, named_metric
from rouge_cli.quick_dataclass import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class MetricColumn:
    """The scores of one system in one metric.

    - `values`: a read-only row per measure, of shape (n_measures, n_evals). Those of ROUGE have
      5 decimals.
    - `counts`: hit, model count and peer count of each EVAL; None if the metric does not count.
    - `statistics`: arrays of shape (n_evals,) from which a system's score is computed, if it is
      not a mean of the values.
    """

    metric: ScoredMetric
    values: NDArray[np.float64]
    counts: Counts | None
    statistics: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Make the arrays read-only, since many results share them."""
        counts = () if self.counts is None else self.counts.arrays().values()
        for array in (self.values, *counts, *self.statistics.values()):
            array.setflags(write=False)

    def row(self, key: str) -> NDArray[np.float64]:
        """Return the values of a measure or a statistic; shape (n_evals,)."""
        if key in self.metric.measures:
            values: NDArray[np.float64] = self.values[self.metric.measures.index(key)]
            return values
        return self.statistics[key]

    @classmethod
    def of_arrays(cls, metric: ScoredMetric, arrays: dict[str, NDArray[Any]]) -> "MetricColumn":
        """Return a column made of named arrays, which are removed from `arrays`."""
        values = np.empty((len(metric.measures), len(next(iter(arrays.values())))))
        for number, letter in enumerate(metric.measures):
            values[number] = arrays.pop(letter)
        statistics = {key: arrays.pop(key).astype(np.float64) for key in metric.statistics}
        return cls(metric, values, Counts(**arrays) if arrays else None, statistics)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return counts, statistics and measures by name, each of shape (n_evals,)."""
        counts = {} if self.counts is None else self.counts.arrays()
        measures = zip(self.metric.measures, self.values, strict=True)
        return {**counts, **self.statistics, **dict(measures)}

    def take(self, rows: NDArray[np.int64]) -> "MetricColumn":
        """Return the scores in the given EVALs."""
        return MetricColumn(
            self.metric,
            self.values[:, rows],
            None if self.counts is None else self.counts.take(rows),
            {key: values[rows] for key, values in self.statistics.items()},
        )


@dataclass(frozen=True, slots=True, eq=False)
class SystemEvals:
    """A system and its EVALs, in input order.

    `known_order` caches `byte_order` if it was found while reading the scores.
    """

    id: str
    eval_ids: Sequence[str]
    known_order: NDArray[np.int64] | None = field(default=None, kw_only=True)

    @property
    def byte_order(self) -> NDArray[np.int64]:
        """Positions of the EVALs in byte order of the instances' names; shape (n_evals,)."""
        if self.known_order is not None:
            return self.known_order
        return byte_order(self.eval_ids, self.id)

    def total(self, counts: NDArray[Any]) -> float:
        """Add counts of these EVALs, of shape (n_evals,), as the function `total` does.

        Fractions are added in byte order, which affects the last bit. Sorting a million EVALs takes
        a second.
        """
        return total(counts if counts.dtype.kind == "i" else counts[self.byte_order])


@dataclass(frozen=True, slots=True, eq=False)
class SystemTable(SystemEvals):
    """The scores of one system: columns by metric, in print order."""

    columns: Mapping[str, MetricColumn]

    def parts(self, metric: ScoredMetric) -> NDArray[np.float64]:
        """Return the rows that a metric aggregates; shape (n_parts, n_evals)."""
        keys = () if metric.aggregation is None else metric.aggregation.parts
        return np.array([self.columns[name].row(key) for name, key in keys])

    def take(self, rows: NDArray[np.int64]) -> "SystemTable":
        """Return the scores in the given EVALs, in their order."""
        columns = {name: column.take(rows) for name, column in self.columns.items()}
        return SystemTable(self.id, ids_at(self.eval_ids, rows), columns)

    def only(self, eval_ids: Collection[str]) -> "SystemTable":
        """Return the scores in those EVALs that are among `eval_ids`, in table order."""
        wanted = frozenset(eval_ids)
        rows = [row for row, eval_id in enumerate(self.eval_ids) if eval_id in wanted]
        return self.take(np.array(rows, np.int64))


@dataclass(frozen=True, slots=True, eq=False)
class ScoreTable:
    """The scores of a run before averaging: systems by ID, in print order.

    All systems have the same metrics, in print order. `clusters` maps EVALs to their cluster (a
    document, a topic); empty if EVALs are not clustered.
    """

    systems: Mapping[str, SystemTable]
    metrics: tuple[ScoredMetric, ...]
    clusters: Mapping[str, str] = field(default_factory=dict)


def byte_order(eval_ids: Sequence[str], system_id: str) -> NDArray[np.int64]:
    """Return the positions of a system's EVALs in byte order of their instances' names.

    An instance is named ``EVAL_ID.SYSTEM_ID``, so EVAL 10 comes before EVAL 2. Source:
    specification, section 6.
    """
    if isinstance(eval_ids, NumberedIds):
        return eval_ids.byte_order()
    names = [f"{eval_id}.{system_id}".encode("utf-8", "surrogateescape") for eval_id in eval_ids]
    return np.array(sorted(range(len(names)), key=names.__getitem__), np.int64)


INT64_LIMIT = 1 << 63


@dataclass(frozen=True, slots=True, eq=False)
class Measure:
    """A measure of a system in one metric, such as recall.

    Parameters
    ----------
    mean : float
        Mean over the EVALs, or the value for pooled counts.
    bootstrap_mean : float or None
        Mean of the resampled means, which ROUGE-1.5.5 prints as the average.
    interval : tuple of two floats or None
        Lower and upper bound of the confidence interval.
    per_eval : ndarray of float64, shape (n_evals,)
        Score of each EVAL, rounded to 5 decimals, in the order of `SystemScores.eval_ids`;
        read-only.
    is_mean_of_evals : bool
        Whether `mean` is the mean of `per_eval`; false for metrics that fuse the means of others.
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
        By letter, in print order: ``"R"``, ``"P"``, ``"F"``, or only ``"S"`` for single scores.
    counts : Counts or None
        Hit, model count and peer count of each EVAL, in the order of `SystemScores.eval_ids`; None
        if the metric does not count.
    """

    name: str
    measures: Mapping[str, Measure]
    counts: Counts | None

    @property
    def counted(self) -> Counts:
        """The counts; raises ValueError if the metric does not count."""
        if self.counts is None:
            raise ValueError(f"{self.name} has no counts")
        return self.counts

    @property
    def recall(self) -> Measure:
        """Recall; raises KeyError if the metric lacks it."""
        return self.measures["R"]

    @property
    def precision(self) -> Measure:
        """Precision; raises KeyError if the metric lacks it."""
        return self.measures["P"]

    @property
    def f_measure(self) -> Measure:
        """F; raises KeyError if the metric lacks it."""
        return self.measures["F"]


@dataclass(frozen=True, slots=True, eq=False)
class SystemScores(SystemEvals):
    """The scores of one system.

    Parameters
    ----------
    metrics : mapping of str to MetricScores
        By name, in print order.
    """

    metrics: Mapping[str, MetricScores]

    def __getitem__(self, metric: str) -> MetricScores:
        """Return the scores in `metric`; raises KeyError."""
        if metric not in self.metrics:
            raise KeyError(f"no metric {metric!r}; known are: {', '.join(self.metrics)}")
        return self.metrics[metric]

    def __contains__(self, metric: object) -> bool:
        """Return whether the metric was computed."""
        return metric in self.metrics

    def __iter__(self) -> Iterator[MetricScores]:
        """Iterate over the metrics, in print order."""
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
    fields : mapping of str to mapping of str to tuple of str
        What a page chooses EVALs by: for each ``page_field`` EVAL ID to the values of its records.
    """

    systems: Mapping[str, SystemScores]
    table: ScoreTable
    options: Options
    warnings: tuple[str, ...] = field(default=())
    sentences_per_text: float | None = None
    notes: tuple[str, ...] = ()
    model_sharing: NDArray[np.int64] | None = None
    fields: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)

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
    """
    scores = measure.per_eval
    if not measure.is_mean_of_evals:
        return None
    if options.scores.counting != MEAN_OVER_EVALS or options.inputs.cluster is not None:
        return None
    if scores.size <= 1:
        return None
    # Sorting makes the result independent of the input order; subtracting the smallest score avoids
    # rounding errors for equal ones.
    ascending = np.sort(scores)
    return float((ascending - ascending[0]).std(ddof=1)) / sqrt(scores.size)


def total(counts: NDArray[Any]) -> float:
    """Add counts in order, which matters for fractions.

    The result is an exact int of any size if all counts, of shape (n,), are integers.
    """
    if counts.dtype.kind == "i":
        most = max(int(counts.max(initial=0)), -int(counts.min(initial=0)))
        if most * counts.size < INT64_LIMIT:
            return int(counts.sum(dtype=np.int64))
    if counts.dtype.kind == "f" and counts.size:
        # `sum` would add pairwise, and round differently.
        with np.errstate(over="ignore"):
            return float(np.add.accumulate(counts)[-1])
    total_count: float = 0
    for count in counts.tolist():
        total_count += count
    return total_count


@dataclass(frozen=True, slots=True)
class RankedEval:
    """An EVAL with its score; `other` is the score of a compared system."""

    id: str
    score: float
    other: float | None = None

    @property
    def key(self) -> float:
        """The score, or its difference from the other system's, in units of 10^-5.

        The difference is rounded, since in doubles equal differences of scores with 5 decimals
        would differ in the last bit.
        """
        return self.score if self.other is None else round((self.score - self.other) * 1e5)


@dataclass(frozen=True, slots=True)
class EvalOrder:
    """A ranking of EVALs by a score.

    `best` and `worst` limit the number of EVALs from each end; if both are None, all are kept.
    """

    metric: str
    letter: str
    best: int | None = None
    worst: int | None = None
    is_lower_better: bool = False

    def chosen(self, system: SystemScores, other: SystemScores | None = None) -> list[RankedEval]:
        """Return the chosen EVALs of a system; ties are in input order.

        The best come first and best to worst, then the worst from the bottom up, each EVAL once.
        With `other`, EVALs of both systems are ranked by the difference.
        """
        ranked = self._ranked(system, other)
        if self.best is None and self.worst is None:
            return sorted(ranked, key=self._best_first)
        best = sorted(ranked, key=self._best_first)[: self.best or 0]
        worst = sorted(ranked, key=lambda ranked: -self._best_first(ranked))[: self.worst or 0]
        return [*best, *(ranked for ranked in worst if ranked not in best)]

    def _best_first(self, ranked: RankedEval) -> float:
        return ranked.key if self.is_lower_better else -ranked.key

    def _ranked(self, system: SystemScores, other: SystemScores | None) -> list[RankedEval]:
        scores = dict(zip(system.eval_ids, self._scores(system), strict=True))
        if other is None:
            return [RankedEval(name, score) for name, score in scores.items()]
        others = dict(zip(other.eval_ids, self._scores(other), strict=True))
        return [
            RankedEval(name, score, others[name])
            for name, score in scores.items()
            if name in others
        ]

    def _scores(self, system: SystemScores) -> list[float]:
        scores: list[float] = system[self.metric].measures[self.letter].per_eval.tolist()
        return scores


def sort_key(
    key: str | None, metrics: Sequence[ScoredMetric], letters: str = "F", option: str = "--sort"
) -> tuple[ScoredMetric, str]:
    """Look up the metric and measure of ``--sort``; by default the first printed ones.

    `key` is ``METRIC``, ``METRIC:R`` or None; `metrics` are the run's, `letters` the printed
    measures, `option` the option's name for messages. Raises OptionError if there is no such
    metric.
    """
    if key is None:
        return metrics[0], shown_letters(metrics[0].measures, letters)[0]
    name, colon, letter = key.strip().partition(":")
    spelt = named_metric(name, [metric.name for metric in metrics])
    for metric in metrics:
        wanted = letter.upper() if colon else shown_letters(metric.measures, letters)[0]
        if metric.name == spelt and wanted in metric.measures:
            return metric, wanted
    names = ", ".join(metric.name for metric in metrics)
    *others, last = dict.fromkeys(
        f":{measure}" for metric in metrics for measure in metric.measures
    )
    known = f"{', '.join(others)} or {last}" if others else last
    raise OptionError(
        f"{option}: found {key!r}, expected a metric of this run ({names}), alone or with {known}"
    )


def score_key(wanted: NamedScore, known: Mapping[str, Collection[str]]) -> str:
    """Look up the metric of ``--score-only``, in any spelling; raises OptionError.

    `known` maps metrics to the letters of their measures.
    """
    name = named_metric(wanted.metric, list(known))
    if name is None:
        raise OptionError(
            f"--score-only: no metric {wanted.metric!r} in this run; the metrics are: "
            f"{', '.join(known)}"
        )
    if wanted.measure not in known[name]:
        raise OptionError(
            f"--score-only: {name} has no measure {wanted.measure}; it has {', '.join(known[name])}"
        )
    return name


def shown_letters(measures: Sequence[str], letters: str) -> Sequence[str]:
    """Return the printed measures of a metric: those in `letters`, or all if there are none."""
    return [letter for letter in letters if letter in measures] or measures
