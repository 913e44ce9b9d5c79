"""From the counts of every instance to the scores of every system.

Systems with equally many instances share their resamples, so these are drawn once for all of
them and all metrics.
Source: specification, section 6.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import OptionError
from rouge_cli.inputs.evaluation import Instances, in_byte_order
from rouge_cli.metrics.aggregation import Aggregation
from rouge_cli.metrics.counts import InstanceScores, ScoredMetric
from rouge_cli.metrics.ratios import UNITS, f_measure, quotients
from rouge_cli.options.every import Options
from rouge_cli.options.scores import (
    HISTOGRAM,
    MEAN_OVER_EVALS,
    POOLED_COUNTS,
    RAW_COUNTS,
    ScoreOptions,
)
from rouge_cli.scoring.bootstrap import (
    counted_sums,
    estimate,
    estimate_means,
    is_exact_in_doubles,
    resampled_means,
    resampled_sums,
)
from rouge_cli.scoring.histograms import DRAWN, SEED, Histogram, drawn_sums, random_stream
from rouge_cli.scoring.jackknife_means import mean_of_sets
from rouge_cli.scoring.results import Measure, MetricScores, SystemScores
from rouge_cli.scoring.run_metrics import check_histograms
from rouge_cli.scoring.score_table import MetricColumn, ScoreTable, SystemTable

__all__ = ["score_table", "summarise"]

VALUES_AT_A_TIME = 1 << 26

MOST_EXACT = 100_000_000
"""EVALs of a system up to which they are drawn one by one, as the original does."""

SECONDS_OF_A_DRAW = 2e-8
"""Measured with ten million EVALs and nine columns."""


def score_table(
    instances: Instances, metrics: Sequence[ScoredMetric], scores: Sequence[InstanceScores]
) -> ScoreTable:
    """Put the scores of all instances into a table.

    Parameters
    ----------
    scores : sequence of InstanceScores
        Of each metric; the scores of what is counted, in the order of `instances`.
    """
    if instances.parts is not None:
        if pooled := [metric.name for metric in metrics if metric.n_statistics]:
            raise OptionError(f"--jackknife averages scores, and {pooled[0]} is no average")
        scores = [mean_of_sets(one, instances.parts, len(instances.eval_ids)) for one in scores]
    systems = {}
    for number, system in enumerate(instances.systems):
        eval_ids, of_system = instances.eval_ids, scores
        if len(instances.systems) > 1:
            rows = np.flatnonzero(np.equal(instances.system_numbers, number))
            eval_ids = [eval_ids[row] for row in rows.tolist()]
            of_system = [one.take(rows) for one in scores]
        columns = {
            metric.name: _score_column(metric, one)
            for metric, one in zip(metrics, of_system, strict=True)
        }
        systems[system] = SystemTable(system, tuple(eval_ids), columns)
    return ScoreTable(systems, tuple(metrics), instances.clusters)


def _score_column(metric: ScoredMetric, scores: InstanceScores) -> MetricColumn:
    """Tell measures from statistics."""
    if not metric.n_statistics:
        return MetricColumn(metric, scores.values, scores.counts)
    values, statistics = np.split(scores.values, [len(metric.measures)])
    by_name = dict(zip(metric.statistics, statistics, strict=True))
    return MetricColumn(metric, values, scores.counts, by_name)


def summarise(table: ScoreTable, options: Options, jobs: int) -> dict[str, SystemScores]:
    """Average and bootstrap the scores of every system.

    Parameters
    ----------
    jobs : int
        Number of processes for the bootstrap.

    Returns
    -------
    dict of str to SystemScores
        By system ID, in the order of print.
    """
    systems = list(table.systems.values())
    if table.clusters:
        estimates = _clustered_estimates(systems, table.clusters, options.scores)
    else:
        estimates = _estimates(systems, options, jobs)
    return {one.id: _system_scores(one, estimates.get(one.id), options) for one in systems}


def _estimates(
    systems: Sequence[SystemTable], options: Options, jobs: int
) -> dict[str, NDArray[np.float64]]:
    """Bootstrap all systems.

    Returns
    -------
    dict of str to ndarray of float64, shape (n_columns, 3)
        Average, lower and upper bound of each measure of each metric, by system ID; empty without
        a bootstrap.
    """
    if options.scores.counting == RAW_COUNTS or options.scores.resamples == 0:
        return {}
    estimates: dict[str, NDArray[np.float64]] = {}
    if options.scores.bootstrap == HISTOGRAM:
        check_histograms([one.metric for system in systems for one in system.columns.values()])
        return {one.id: _histogram_estimates(one, options.scores) for one in systems}
    for size in sorted({len(one.eval_ids) for one in systems}):
        _check_size(size, options.scores.resamples)
        group = [one for one in systems if len(one.eval_ids) == size]
        n_rows = sum(len(one.values) for one in group[0].columns.values())
        # So many systems share their draws as there is room for.
        step = max(1, VALUES_AT_A_TIME // max(1, size * n_rows))
        for first in range(0, len(group), step):
            some = group[first : first + step]
            estimated = _bootstrap(_drawn_columns(some, options), options.scores, jobs).T
            by_system = np.split(estimated, len(some))
            estimates |= {one.id: part for one, part in zip(some, by_system, strict=True)}
            if size:
                _aggregate(estimates, some, options.scores, jobs)
    return estimates


def _aggregate(
    estimates: Mapping[str, NDArray[np.float64]],
    systems: Sequence[SystemTable],
    options: ScoreOptions,
    jobs: int,
) -> None:
    """Put the estimates of metrics that are no means of EVALs in their places.

    All their parts are resampled together.
    """
    wanted = [(one, *row) for one in systems for row in _aggregated_rows(one)]
    if not wanted:
        return
    parts = [one.parts(metric)[:, one.byte_order] for one, _, metric in wanted]
    means = resampled_means(np.concatenate(parts).T, options.resamples, jobs).T
    ends = np.cumsum([len(one) for one in parts])[:-1]
    for (system, row, metric), part in zip(wanted, np.split(means, ends), strict=True):
        scores = _aggregation(metric).score(part, len(system.eval_ids))
        estimates[system.id][row] = estimate(scores[:, np.newaxis], options.confidence.value)[:, 0]


def _aggregated_rows(system: SystemTable) -> Iterator[tuple[int, ScoredMetric]]:
    """Yield the metrics that are no means of EVALs, and the places of their estimates."""
    row = 0
    for column in system.columns.values():
        if column.metric.aggregation is not None:
            yield row, column.metric
        row += len(column.metric.measures)


def _aggregation(metric: ScoredMetric) -> Aggregation:
    """Return the aggregation of a metric that has one."""
    if metric.aggregation is None:
        raise ValueError(f"{metric.name} is a mean over EVALs")
    return metric.aggregation


def _check_size(n_evals: int, resamples: int) -> None:
    """Refuse what would take hours, and more memory than most have; raises OptionError."""
    if n_evals > MOST_EXACT:
        hours = n_evals * resamples * SECONDS_OF_A_DRAW / 3600
        raise OptionError(
            f"--bootstrap exact: found {n_evals} EVALs of a system, expected {MOST_EXACT} at most: "
            f"the original draws each EVAL anew in each of {resamples} resamples, which would take "
            f"about {hours:.1f} hours; give --bootstrap histogram, or -r 0 for no intervals"
        )


def _histogram_estimates(system: SystemTable, options: ScoreOptions) -> NDArray[np.float64]:
    """Bootstrap a system by the histograms of its scores; (n_columns, 3)."""
    found = []
    for column in system.columns.values():
        for values in column.values:
            units = np.rint(values * UNITS)
            is_rounded = bool((units / UNITS == values).all())
            histogram = Histogram.of(units if is_rounded else values)
            sums = drawn_sums(histogram, options.resamples, random_stream(SEED, DRAWN))
            means = sums / (UNITS if is_rounded else 1) / values.size
            found.append(estimate(means[:, np.newaxis], options.confidence.value)[:, 0])
    return np.array(found)


def _clustered_estimates(
    systems: Sequence[SystemTable], clusters: Mapping[str, str], options: ScoreOptions
) -> dict[str, NDArray[np.float64]]:
    """Bootstrap all systems as `_estimates` does, but draw whole clusters of EVALs."""
    if options.counting == RAW_COUNTS or options.resamples == 0:
        return {}
    estimates = {}
    for system in systems:
        aggregated = list(_aggregated_rows(system))
        parts = [system.parts(metric) for _, metric in aggregated]
        rows = np.concatenate(
            [*_summed_rows(system, options), *parts, np.ones((1, len(system.eval_ids)))]
        )
        n_rows = len(rows) - 1 - sum(map(len, parts))
        names = [clusters[eval_id] for eval_id in system.eval_ids]
        number_of = {name: number for number, name in enumerate(in_byte_order(set(names)))}
        sums = np.zeros((len(number_of), len(rows)))
        np.add.at(sums, [number_of[name] for name in names], rows.T)
        resampled = resampled_sums(sums, options.resamples)
        values = resampled[:, :-1] / resampled[:, -1:]
        if options.counting == POOLED_COUNTS:
            values = _of_pooled_sums(resampled[:, :-1], options.alpha.value)
        start = n_rows
        for (row, metric), part in zip(aggregated, parts, strict=True):
            means = values[:, start : start + len(part)].T
            values[:, row] = _aggregation(metric).score(means, resampled[:, -1])
            start += len(part)
        values = values[:, :n_rows]
        estimates[system.id] = estimate(values, options.confidence.value).T
    return estimates


def _drawn_columns(systems: Sequence[SystemTable], options: Options) -> NDArray[np.float64]:
    """Return what the resamples of systems add up, in byte order; (n_evals, n_columns)."""
    rows = [
        (row, system)
        for system in systems
        for rows in _summed_rows(system, options.scores)
        for row in rows
    ]
    columns = np.empty((len(systems[0].eval_ids), len(rows)))
    orders = {system.id: system.byte_order for system in systems}
    for place, (row, system) in enumerate(rows):
        columns[:, place] = row[orders[system.id]]
    return columns


def _summed_rows(system: SystemTable, options: ScoreOptions) -> list[NDArray[np.float64]]:
    """Return the same of each metric, in the order of the EVALs; three rows, or one a measure."""
    columns = system.columns.values()
    if options.counting == POOLED_COUNTS:
        return [np.stack(_pooled(one)).astype(np.float64) for one in columns]
    return [one.values for one in columns]


def _pooled(column: MetricColumn) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return model count, peer count and hit; raises OptionError where nothing was counted."""
    if column.counts is None:
        # The options have refused it where they could know; a type checker needs to be told.
        raise OptionError(f"{column.metric.name} has no counts to pool: it excludes -t 1 and -t 2")
    return column.counts.model_count, column.counts.peer_count, column.counts.hit


def _bootstrap(
    columns: NDArray[np.float64], options: ScoreOptions, jobs: int
) -> NDArray[np.float64]:
    """Return average and bounds of each column, shape (3, n_columns); `columns` are written to."""
    confidence = options.confidence.value
    if options.counting == MEAN_OVER_EVALS:
        return estimate_means(columns, options.resamples, confidence, jobs, overwrite=True)
    sums = _sums_of_counts(columns, options.resamples, jobs)
    return estimate(_of_pooled_sums(sums, options.alpha.value), confidence)


def _of_pooled_sums(sums: NDArray[np.float64], alpha: float) -> NDArray[np.float64]:
    """Return recall, precision and F of pooled counts in the place of these; the same shape."""
    model_count, peer_count, hit = np.moveaxis(sums.reshape(-1, 3), 1, 0)
    return _pooled_scores(hit, model_count, peer_count, alpha).T.reshape(sums.shape)


def _sums_of_counts(columns: NDArray[np.float64], resamples: int, jobs: int) -> NDArray[np.float64]:
    """Add up counts over each resample: whole numbers in any order, others in the order drawn."""
    if (columns == np.floor(columns)).all() and is_exact_in_doubles(columns):
        return counted_sums(columns, resamples, jobs)
    return resampled_sums(columns, resamples)


def _pooled_scores(
    hit: NDArray[Any], model_count: NDArray[Any], peer_count: NDArray[Any], alpha: float
) -> NDArray[np.float64]:
    """Return recall, precision and F of pooled counts, not rounded; shape (3, n)."""
    recall, precision = quotients(hit, model_count), quotients(hit, peer_count)
    return np.stack((recall, precision, f_measure(recall, precision, alpha)))


def _system_scores(
    system: SystemTable, estimated: NDArray[np.float64] | None, options: Options
) -> SystemScores:
    """Put together what is known of one system."""
    rows = None if estimated is None else iter(estimated.tolist())
    by_metric = {}
    for name, column in system.columns.items():
        measures = {}
        is_mean = column.metric.aggregation is None
        means = _means(column, options.scores) if is_mean else [_aggregated(system, column)]
        for letter, mean, values in zip(column.metric.measures, means, column.values, strict=True):
            if rows is None:
                measures[letter] = Measure(mean, None, None, values, is_mean)
            else:
                average, lower, upper = next(rows)
                measures[letter] = Measure(mean, average, (lower, upper), values, is_mean)
        by_metric[name] = MetricScores(name, measures, column.counts)
    return SystemScores(system.id, system.eval_ids, by_metric, system.known_order)


def _aggregated(system: SystemTable, column: MetricColumn) -> float:
    """Return the score of a system in a metric that is no mean of EVALs."""
    n_evals = len(system.eval_ids)
    if not n_evals:
        return 0.0
    means = np.array([_mean(part) for part in system.parts(column.metric)])
    return float(_aggregation(column.metric).score(means, n_evals))


def _means(column: MetricColumn, options: ScoreOptions) -> list[float]:
    """Return the plain mean of each measure, or its value for the pooled counts."""
    if options.counting == MEAN_OVER_EVALS:
        if column.values.shape[1] == 1:
            only: list[float] = column.values[:, 0].tolist()
            return only
        return [_mean(values) for values in column.values]
    model_count, peer_count, hit = (
        np.array([values.sum()], np.float64) for values in _pooled(column)
    )
    scores = _pooled_scores(hit, model_count, peer_count, options.alpha.value)
    return [float(value[0]) for value in scores]


def _mean(scores: NDArray[np.float64]) -> float:
    """Return the mean of scores; of rounded ones without an error of addition."""
    units = np.rint(scores * UNITS)
    if scores.size and (units / UNITS == scores).all():
        return float(units.sum() / (UNITS * scores.size))
    return float(scores.mean()) if scores.size else 0.0
