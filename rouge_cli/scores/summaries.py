"""The scores of each system, computed from the score table: means and their bootstrap.

Resamples are drawn once for all metrics and all systems with the same number of instances. Source:
specification, section 6.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import OptionError
from rouge_cli.inputs.evaluation import in_byte_order
from rouge_cli.metrics.arithmetic import UNITS, Floats, Whole, f_measure, quotients
from rouge_cli.metrics.counts import INT32_LIMIT, Aggregation, ScoredMetric
from rouge_cli.options.scores import (
    HISTOGRAM,
    MEAN_OVER_EVALS,
    POOLED_COUNTS,
    RAW_COUNTS,
    ScoreOptions,
)
from rouge_cli.scores import bootstrap
from rouge_cli.scores.bootstrap import BlockMap, estimate
from rouge_cli.scores.columns import check_histograms
from rouge_cli.scores.results import (
    Measure,
    MetricColumn,
    MetricScores,
    ScoreTable,
    SystemScores,
    SystemTable,
)

VALUES_AT_A_TIME, MEANS_AT_A_TIME = 1 << 26, 1 << 23
"""Limits of a group of systems that share their draws: values (512 MiB), and means of resamples
(64 MiB)."""

MOST_EXACT = 100_000_000
"""Maximum number of EVALs per system that are drawn one by one, as in the original."""

FEW_FOR_INTERVAL = 50
"""EVALs that an interval needs: with 30, 91% of 95% intervals of skewed scores cover the mean."""

SECONDS_OF_A_DRAW = 2e-8  # time of a draw, measured with ten million EVALs and nine columns


def summarise(
    table: ScoreTable, options: ScoreOptions, map_blocks: BlockMap = map
) -> dict[str, SystemScores]:
    """Average and bootstrap the scores of every system; by system ID, in print order.

    `map_blocks` runs the bootstrap, in one thread or process or in several. Raises OptionError if
    the metrics or the number of EVALs rule out the way of counting or resampling.
    """
    systems = list(table.systems.values())
    estimates: dict[str, Floats] = {}
    if options.counting != RAW_COUNTS and options.resamples:
        if table.clusters:
            for system in systems:
                values = _clustered_values(system, table.clusters, options)
                estimates[system.id] = estimate(values, options.confidence.value).T
        elif options.bootstrap == HISTOGRAM:
            check_histograms(table.metrics)
            for system in systems:
                values = _histogram_values(system, options.resamples)
                estimates[system.id] = estimate(values, options.confidence.value).T
        else:
            estimates = _exact_estimates(systems, options, map_blocks)
    return {
        system.id: _system_scores(system, estimates.get(system.id), options) for system in systems
    }


def interval_doubt(table: ScoreTable, systems: Mapping[str, SystemScores]) -> str:
    """Explain in one line why some intervals are too narrow; empty if they are not."""
    # Resamples of few EVALs vary less than EVALs do. Those of scores that are mostly 0 depend on
    # the few other scores.
    shown = [
        (metric.name, measure, system.eval_ids)
        for system in systems.values()
        for metric in system
        for measure in metric.measures.values()
        if measure.interval is not None
    ]
    if not shown:
        return ""
    by_system = {id(ids): ids for _, _, ids in shown}.values()
    if (fewest := min(_blocks(ids, table.clusters) for ids in by_system)) < FEW_FOR_INTERVAL:
        what = "cluster" if table.clusters else "text"
        number = f"{fewest} {what}{'s' * (fewest != 1)}"
        return f"intervals of {number} are too narrow: take {FEW_FOR_INTERVAL} or more"
    zeros = dict.fromkeys(
        name
        for name, measure, ids in shown
        if 2 * np.count_nonzero(measure.per_eval) < len(ids) == len(measure.per_eval)
    )
    if not zeros:
        return ""
    more = f" and {len(zeros) - 1} more" if len(zeros) > 1 else ""
    return f"intervals of {next(iter(zeros))}{more} are too narrow: most of these scores are 0"


def _blocks(eval_ids: Sequence[str], clusters: Mapping[str, str]) -> int:
    """Count the clusters, or the EVALs, up to the number that an interval needs."""
    blocks = set()
    for eval_id in eval_ids:
        blocks.add(clusters.get(eval_id, eval_id))
        # A set of all IDs would be the largest object of a run of a million EVALs.
        if len(blocks) == FEW_FOR_INTERVAL:
            break
    return len(blocks)


def ranking_scores(
    table: ScoreTable, systems: Mapping[str, SystemScores], options: ScoreOptions
) -> Mapping[str, SystemScores]:
    """Return the scores by which systems are ranked.

    These are `systems`, unless their EVALs differ: then means are not comparable, and the means
    over the common EVALs are returned, without a bootstrap; empty if there are none.
    """
    first, *others = [system.eval_ids for system in table.systems.values()]
    unlike = [eval_ids for eval_ids in others if eval_ids != first]
    if not unlike:
        return systems
    common = frozenset(first).intersection(*unlike)
    if len(common) == max(map(len, (first, *others))):
        return systems
    if not common:
        return {}
    shared = replace(table, systems={name: x.only(common) for name, x in table.systems.items()})
    return summarise(shared, replace(options, resamples=0))


def _exact_estimates(
    systems: Sequence[SystemTable], options: ScoreOptions, map_blocks: BlockMap
) -> dict[str, Floats]:
    """Bootstrap all systems with the draws of the original.

    Returns, by system ID, an array of shape (n_columns, 3) with the average, the lower and the
    upper bound of each column.
    """
    estimates: dict[str, Floats] = {}
    for size in sorted({len(system.eval_ids) for system in systems}):
        if size > MOST_EXACT:
            hours = size * options.resamples * SECONDS_OF_A_DRAW / 3600
            raise OptionError(
                f"--bootstrap exact: found {size} texts of a system, expected {MOST_EXACT} at "
                f"most: the original draws each text anew in each of {options.resamples} "
                f"resamples, which would take about {hours:.1f} hours; give --bootstrap "
                "histogram, or -r 0 for no intervals"
            )
        equally_many = [system for system in systems if len(system.eval_ids) == size]
        n_rows = sum(len(column.values) for column in equally_many[0].columns.values())
        most = min(VALUES_AT_A_TIME // max(1, size), MEANS_AT_A_TIME // options.resamples)
        # Even groups, since a small last one would be summed in another way, which affects the last
        # bit.
        for block in bootstrap.even_blocks(len(equally_many), max(1, most // max(1, n_rows))):
            group = equally_many[block.start : block.stop]
            estimated = _bootstrap(_drawn_columns(group, options), options, map_blocks).T
            by_system = np.split(estimated, len(group))
            estimates |= {system.id: rows for system, rows in zip(group, by_system, strict=True)}
            # Without EVALs there are no means to aggregate.
            if size:
                for system, row, values in _aggregated(group, options, map_blocks):
                    estimates[system][row] = values
    return estimates


def _aggregated(
    systems: Sequence[SystemTable], options: ScoreOptions, map_blocks: BlockMap
) -> Iterator[tuple[str, int, Floats]]:
    """Yield system ID, row and estimates of each metric that is not a mean over EVALs.

    All parts of these metrics share resamples, since a score combines means over one resample.
    """
    wanted = [(system, *row) for system in systems for row in _aggregated_rows(system)]
    if not wanted:
        return
    parts = [system.parts(metric)[:, system.byte_order] for system, _, metric, _ in wanted]
    values = np.concatenate(parts).T
    means = bootstrap.fastest_sums(values, options.resamples, map_blocks, UNITS).T / len(values)
    ends = np.cumsum([len(part) for part in parts])[:-1]
    for (system, row, _, aggregation), part in zip(wanted, np.split(means, ends), strict=True):
        scores = aggregation.score(part, len(system.eval_ids))
        yield system.id, row, estimate(scores[:, np.newaxis], options.confidence.value)[:, 0]


def _aggregated_rows(system: SystemTable) -> Iterator[tuple[int, ScoredMetric, Aggregation]]:
    # The row of a metric is the number of measures before it.
    row = 0
    for column in system.columns.values():
        if column.metric.aggregation is not None:
            yield row, column.metric, column.metric.aggregation
        row += len(column.metric.measures)


def _histogram_values(system: SystemTable, resamples: int) -> Floats:
    """Return a system's scores over resamples of histograms; shape (resamples, n_columns)."""
    means = []
    for values in chain.from_iterable(column.values for column in system.columns.values()):
        units = np.rint(values * UNITS)
        is_rounded = bool((units / UNITS == values).all())
        sums = bootstrap.histogram_sums(units if is_rounded else values, resamples, bootstrap.SEED)
        means.append(sums / (UNITS if is_rounded else 1) / values.size)
    return np.stack(means, axis=1)


def _clustered_values(
    system: SystemTable, clusters: Mapping[str, str], options: ScoreOptions
) -> Floats:
    """Return a system's scores over resamples of clusters; shape (resamples, n_columns)."""
    aggregated = list(_aggregated_rows(system))
    parts = [system.parts(metric) for _, metric, _ in aggregated]
    summed = _summed_rows(system, options)
    # The last row counts the EVALs of each resample, since clusters differ in size.
    rows = np.concatenate([*summed, *parts, np.ones((1, len(system.eval_ids)))])
    numbers = cluster_numbers(system.eval_ids, clusters)
    sums = np.zeros((int(numbers.max(initial=-1)) + 1, len(rows)))
    np.add.at(sums, numbers, rows.T)
    resampled = bootstrap.resampled_sums(sums, options.resamples)
    n_evals = resampled[:, -1:]
    values = resampled[:, :-1] / n_evals
    if options.counting == POOLED_COUNTS:
        values = _of_pooled_sums(resampled[:, :-1], options.alpha.value)
    n_rows = start = sum(map(len, summed))
    for (row, _, aggregation), part in zip(aggregated, parts, strict=True):
        means = values[:, start : start + len(part)].T
        values[:, row] = aggregation.score(means, n_evals[:, 0])
        start += len(part)
    return values[:, :n_rows]


def cluster_numbers(eval_ids: Sequence[str], clusters: Mapping[str, str]) -> Whole:
    """Return the number of each EVAL's cluster; clusters are numbered from 0 in byte order."""
    names = in_byte_order({clusters[eval_id] for eval_id in eval_ids})
    number_of = {name: number for number, name in enumerate(names)}
    return np.array([number_of[clusters[eval_id]] for eval_id in eval_ids], np.int64)


def _drawn_columns(systems: Sequence[SystemTable], options: ScoreOptions) -> NDArray[Any]:
    """Return the values to sum over resamples, with EVALs in byte order: (n_evals, n_columns).

    Scores of 5 decimals are integers in units of 1e-5, which take half the memory.
    """
    rows = [
        (row, system)
        for system in systems
        for rows in _summed_rows(system, options)
        for row in rows
    ]
    are_units = options.counting == MEAN_OVER_EVALS and all(
        bootstrap.are_rounded(row) and np.abs(row).max(initial=0) < INT32_LIMIT / UNITS
        for row, _ in rows
    )
    # In Fortran order, as the core sums each column by itself.
    shape = len(systems[0].eval_ids), len(rows)
    columns = np.empty(shape, np.int32 if are_units else np.float64, "F")
    orders = {system.id: system.byte_order for system in systems}
    for column, (row, system) in enumerate(rows):
        for block in bootstrap.even_blocks(len(columns), bootstrap.ROWS_OF_A_COLUMN):
            instances = slice(block.start, block.stop)
            values = row[orders[system.id][instances]]
            columns[instances, column] = np.rint(values * UNITS) if are_units else values
    return columns


def _summed_rows(system: SystemTable, options: ScoreOptions) -> list[Floats]:
    """Return the rows to sum over each resample: the counts or the measures of each metric."""
    columns = system.columns.values()
    if options.counting == POOLED_COUNTS:
        return [np.stack(_pooled(column)).astype(np.float64) for column in columns]
    return [column.values for column in columns]


def _pooled(column: MetricColumn) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    if column.counts is None:
        # The options refuse this where they can; external metrics are known only here.
        raise OptionError(f"{column.metric.name} has no counts to pool: it excludes -t 1 and -t 2")
    return column.counts.model_count, column.counts.peer_count, column.counts.hit


def _bootstrap(columns: NDArray[Any], options: ScoreOptions, map_blocks: BlockMap) -> Floats:
    """Return average and bounds of each column, shape (3, n_columns)."""
    confidence = options.confidence.value
    if options.counting == MEAN_OVER_EVALS:
        return bootstrap.estimate_means(columns, options.resamples, confidence, map_blocks)
    # Sums of weighted counts, which are fractions, depend on the order.
    sums = bootstrap.fastest_sums(columns, options.resamples, map_blocks)
    return estimate(_of_pooled_sums(sums, options.alpha.value), confidence)


def _of_pooled_sums(sums: Floats, alpha: float) -> Floats:
    """Return recall, precision and F in place of pooled counts, in an array of the same shape."""
    model_count, peer_count, hit = np.moveaxis(sums.reshape(-1, 3), 1, 0)
    recall, precision = quotients(hit, model_count), quotients(hit, peer_count)
    scores = np.stack((recall, precision, f_measure(recall, precision, alpha)), axis=1)
    return scores.reshape(sums.shape)


def _system_scores(
    system: SystemTable, estimated: Floats | None, options: ScoreOptions
) -> SystemScores:
    rows = None if estimated is None else iter(estimated.tolist())
    by_metric, n_evals = {}, len(system.eval_ids)
    for name, column in system.columns.items():
        measures = {}
        aggregation = column.metric.aggregation
        is_mean = aggregation is None
        if aggregation is None:
            means = _means(column, options)
        else:
            parts = np.array([_mean(part) for part in system.parts(column.metric)])
            # Without EVALs, the score is 0.
            means = [float(aggregation.score(parts, n_evals)) if n_evals else 0.0]
        for letter, mean, values in zip(column.metric.measures, means, column.values, strict=True):
            if rows is None:
                measures[letter] = Measure(mean, None, None, values, is_mean)
            else:
                average, lower, upper = next(rows)
                measures[letter] = Measure(mean, average, (lower, upper), values, is_mean)
        by_metric[name] = MetricScores(name, measures, column.counts)
    return SystemScores(system.id, system.eval_ids, by_metric, known_order=system.known_order)


def _means(column: MetricColumn, options: ScoreOptions) -> list[float]:
    if options.counting == MEAN_OVER_EVALS:
        # Without an aggregation, there are no statistics below the measures.
        scores = column.scores
        if scores.shape[1] == 1:
            # The mean is the score itself. Programs score pair by pair, which pays for a shortcut.
            only: list[float] = scores[:, 0].tolist()
            return only
        return [_mean(values) for values in scores]
    sums = np.array([counts.sum() for counts in _pooled(column)], np.float64)
    pooled: list[float] = _of_pooled_sums(sums, options.alpha.value).tolist()
    return pooled


def _mean(scores: Floats) -> float:
    # The sum of scores of 5 decimals is free of rounding errors if they are added as integers.
    units = np.rint(scores * UNITS)
    if scores.size and (units / UNITS == scores).all():
        return float(units.sum() / (UNITS * scores.size))
    return float(scores.mean()) if scores.size else 0.0
