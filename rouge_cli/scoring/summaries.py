"""From the counts of every instance to the scores of every system.

Systems with equally many instances share their resamples, so these are drawn once for all of
them and all metrics.
Source: specification, section 6.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rouge_cli.metrics.counts import Counts
from rouge_cli.options.every import Options
from rouge_cli.options.scores import MEAN_OVER_EVALS, POOLED_COUNTS, RAW_COUNTS
from rouge_cli.scoring.bootstrap import (
    counted_sums,
    estimate,
    estimate_means,
    is_exact_in_doubles,
    resampled_sums,
)
from rouge_cli.scoring.instances import Instances, byte_order
from rouge_cli.scoring.metric_names import Metric, metrics_of
from rouge_cli.scoring.parts import mean_of_parts, sum_of_parts
from rouge_cli.scoring.ratios import UNITS, f_measure, quotients, score_counts
from rouge_cli.scoring.results import Measure, MetricScores, SystemScores

__all__ = ["summarise"]


@dataclass(frozen=True, slots=True, eq=False)
class _SystemTable:
    """What is known of a system before the bootstrap.

    Parameters
    ----------
    id : str
    eval_ids : tuple of str, n_instances of them
    counts : list of Counts
        A metric each; a row an instance.
    scores : list of ndarray of float64, shape (3, n_instances)
        Recall, precision and F, a metric each.
    """

    id: str
    eval_ids: tuple[str, ...]
    counts: list[Counts]
    scores: list[NDArray[np.float64]]


def summarise(
    instances: Instances, counts: Sequence[Counts], options: Options, jobs: int
) -> dict[str, SystemScores]:
    """Sum up the counts of all instances.

    Parameters
    ----------
    instances : Instances
    counts : sequence of Counts
        One for each metric; a row an instance.
    options : Options
    jobs : int
        Number of processes for the bootstrap.

    Returns
    -------
    dict of str to SystemScores
        By system ID, in the order of print.
    """
    metrics = metrics_of(options)
    scores = [
        score_counts(count, options.scores.alpha.value, metric.weight)
        for count, metric in zip(counts, metrics, strict=True)
    ]
    if instances.parts is not None:
        parts, n_instances = instances.parts, len(instances.eval_ids)
        add_up = partial(sum_of_parts, parts=parts, n_instances=n_instances)
        counts = [count.apply(add_up) for count in counts]
        scores = [mean_of_parts(score, parts, n_instances) for score in scores]
    system_numbers = np.asarray(instances.system_numbers)
    tables = [
        _system_table(instances, system, np.flatnonzero(system_numbers == number), counts, scores)
        for number, system in enumerate(instances.systems)
    ]
    estimates = _estimates(tables, options, jobs)
    return {table.id: _system_scores(table, metrics, estimates, options) for table in tables}


def _system_table(
    instances: Instances,
    system: str,
    rows: NDArray[np.int64],
    counts: Sequence[Counts],
    scores: Sequence[NDArray[np.float64]],
) -> _SystemTable:
    """Gather what belongs to one system."""
    eval_ids = tuple(instances.eval_ids[row] for row in rows.tolist())
    return _SystemTable(
        system,
        eval_ids,
        [count.take(rows) for count in counts],
        [score[:, rows] for score in scores],
    )


def _estimates(
    tables: Sequence[_SystemTable], options: Options, jobs: int
) -> dict[str, NDArray[np.float64]]:
    """Bootstrap all systems.

    Returns
    -------
    dict of str to ndarray of float64, shape (3, n_metrics, 3)
        Average, lower and upper bound of each metric's recall, precision and F, by system ID;
        empty without a bootstrap.
    """
    if options.scores.counting == RAW_COUNTS or options.scores.resamples == 0:
        return {}
    estimates: dict[str, NDArray[np.float64]] = {}
    for size in sorted({len(table.eval_ids) for table in tables}):
        group = [table for table in tables if len(table.eval_ids) == size]
        estimated = _bootstrap([_drawn_columns(table, options) for table in group], options, jobs)
        estimates |= {table.id: estimated[:, k] for k, table in enumerate(group)}
    return estimates


def _drawn_columns(table: _SystemTable, options: Options) -> NDArray[np.float64]:
    """Return what the resamples of a system add up, in byte order; (n_metrics, 3, n_instances)."""
    columns = table.scores
    if options.scores.counting == POOLED_COUNTS:
        columns = [
            np.stack((count.model_count, count.peer_count, count.hit)).astype(np.float64)
            for count in table.counts
        ]
    return np.array(columns)[:, :, byte_order(table.eval_ids, table.id)]


def _bootstrap(
    drawn: Sequence[NDArray[np.float64]], options: Options, jobs: int
) -> NDArray[np.float64]:
    """Return average and bounds, shape (3, n_systems, n_metrics, 3)."""
    stacked = np.stack(drawn)
    *shape, n_instances = stacked.shape
    if n_instances == 0:
        return np.zeros((3, *shape))
    columns = np.ascontiguousarray(stacked.reshape(-1, n_instances).T)
    confidence = options.scores.confidence.value
    if options.scores.counting == MEAN_OVER_EVALS:
        estimated = estimate_means(columns, options.scores.resamples, confidence, jobs)
        return estimated.reshape(3, *shape)
    sums = _sums_of_counts(columns, options.scores.resamples, jobs)
    model_count, peer_count, hit = np.moveaxis(sums.reshape(-1, 3), 1, 0)
    values = _pooled_scores(hit, model_count, peer_count, options).T.reshape(sums.shape)
    return estimate(values, confidence).reshape(3, *shape)


def _sums_of_counts(columns: NDArray[np.float64], resamples: int, jobs: int) -> NDArray[np.float64]:
    """Add up counts over each resample: whole numbers in any order, others in the order drawn."""
    if (columns == np.floor(columns)).all() and is_exact_in_doubles(columns):
        return counted_sums(columns, resamples, jobs)
    return resampled_sums(columns, resamples)


def _pooled_scores(
    hit: NDArray[Any], model_count: NDArray[Any], peer_count: NDArray[Any], options: Options
) -> NDArray[np.float64]:
    """Return recall, precision and F of pooled counts, not rounded; shape (3, n)."""
    recall, precision = quotients(hit, model_count), quotients(hit, peer_count)
    return np.stack((recall, precision, f_measure(recall, precision, options.scores.alpha.value)))


def _system_scores(
    table: _SystemTable,
    metrics: Sequence[Metric],
    estimates: Mapping[str, NDArray[np.float64]],
    options: Options,
) -> SystemScores:
    """Put together what was found of one system."""
    by_metric = {}
    for number, metric in enumerate(metrics):
        estimated = estimates[table.id][:, number].T.tolist() if table.id in estimates else None
        counts, scores = table.counts[number], table.scores[number]
        recall, precision, f = (
            Measure(
                mean,
                estimated[k][0] if estimated else None,
                (estimated[k][1], estimated[k][2]) if estimated else None,
                scores[k],
            )
            for k, mean in enumerate(_means(counts, scores, options))
        )
        by_metric[metric.name] = MetricScores(metric.name, recall, precision, f, counts)
    return SystemScores(table.id, table.eval_ids, by_metric)


def _means(counts: Counts, scores: NDArray[np.float64], options: Options) -> list[float]:
    """Return the plain mean of recall, precision and F, or their value for the pooled counts."""
    if options.scores.counting == MEAN_OVER_EVALS:
        return [_mean(score) for score in scores]
    hit, model_count, peer_count = (
        np.array([values.sum()], np.float64)
        for values in (counts.hit, counts.model_count, counts.peer_count)
    )
    return [float(value[0]) for value in _pooled_scores(hit, model_count, peer_count, options)]


def _mean(scores: NDArray[np.float64]) -> float:
    """Return the mean of scores; of rounded ones without an error of addition."""
    units = np.rint(scores * UNITS)
    if scores.size and (units / UNITS == scores).all():
        return float(units.sum() / (UNITS * scores.size))
    return float(scores.mean()) if scores.size else 0.0
