"""The scores as rows, one for each system, metric and measure: for CSV files and data frames."""

from collections.abc import Iterator, Sequence
from math import isfinite
from typing import Any

from numpy.typing import NDArray

from rouge_cli.scoring.averages import standard_error
from rouge_cli.scoring.results import Measure, MetricScores, Results, SystemScores
from rouge_cli.scoring.signature import signature

__all__ = [
    "COLUMNS",
    "MEASURE_NAMES",
    "PRECISION",
    "Value",
    "plain_counts",
    "tidy_rows",
    "total_counts",
]

Value = str | int | float | None

PRECISION = "precision"
MEASURE_NAMES = ("recall", PRECISION, "f_measure")

COLUMNS = (
    "system",
    "metric",
    "measure",
    "eval",
    "n",
    "mean",
    "bootstrap_mean",
    "lower",
    "upper",
    "standard_error",
    "hit_count",
    "model_count",
    "peer_count",
    "signature",
)
"""The fields of a row, in order."""

WHOLE_IN_DOUBLES = 2.0**53


def tidy_rows(results: Results) -> Iterator[tuple[Value, ...]]:
    """Yield the rows over all EVALs and then, with ``-d``, those of each EVAL.

    Parameters
    ----------
    results : Results

    Yields
    ------
    tuple
        The values of `COLUMNS`; None where there is none. In a row over all EVALs `eval` is None
        and the counts are totals. In a row of one EVAL `mean` is its score, and what only many
        EVALs have is None, as is the signature, which stands in the rows before.
    """
    line = signature(results.options)
    for system, scores, name, measure in _measures(results):
        lower, upper = measure.interval or (None, None)
        error = standard_error(measure, results.options)
        means = (measure.mean, measure.bootstrap_mean, lower, upper, error)
        n_evals, counts = len(system.eval_ids), total_counts(scores, system, name)
        yield system.id, scores.name, name, None, n_evals, *means, *counts, line
    if results.options.reports.per_eval:
        yield from _eval_rows(results)


def _measures(
    results: Results,
) -> Iterator[tuple[SystemScores, MetricScores, str, Measure]]:
    """Yield every measure, with its system, its metric and its name."""
    for system in results.systems.values():
        for scores in system.metrics.values():
            for name, measure in zip(MEASURE_NAMES, scores.measures.values(), strict=True):
                yield system, scores, name, measure


def _eval_rows(results: Results) -> Iterator[tuple[Value, ...]]:
    """Yield a row for each EVAL of each measure."""
    nothing = (None,) * 4
    for system, scores, name, measure in _measures(results):
        columns = map(plain_counts, _count_columns(scores, name))
        of_evals = zip(system.eval_ids, measure.per_eval.tolist(), *columns, strict=True)
        for eval_id, score, *three in of_evals:
            yield system.id, scores.name, name, eval_id, 1, score, *nothing, *three, None


def total_counts(
    scores: MetricScores, system: SystemScores, measure: str = ""
) -> list[int | float | None]:
    """Return hit, model count and peer count over all EVALs, added up as ``-t 2`` does.

    Where precision has a hit of its own, as in pairwise LCS, that is it for this measure.
    """
    in_order = system.byte_order
    columns = _count_columns(scores, measure)
    return [_plain(_total(values[in_order].tolist())) for values in columns]


def _count_columns(scores: MetricScores, measure: str) -> tuple[NDArray[Any], ...]:
    """Return hit, model count and peer count of each EVAL, as they count for a measure."""
    counts = scores.counted
    hit = counts.hit
    if measure == PRECISION and counts.peer_hit is not None:
        hit = counts.peer_hit
    return hit, counts.model_count, counts.peer_count


def plain_counts(values: NDArray[Any]) -> list[int | float | None]:
    """Return counts as plain numbers: whole ones as int, None for what is beyond all numbers."""
    return [_plain(value) for value in values.tolist()]


def _total(values: Sequence[float]) -> float:
    """Add up in order, which ``sum`` need not do from Python 3.12 on."""
    total: float = 0
    for value in values:
        total += value
    return total


def _plain(value: float) -> int | float | None:
    """Return a count as a plain number."""
    if isinstance(value, int):
        return value
    if not isfinite(value):
        return None
    is_whole = value.is_integer() and abs(value) < WHOLE_IN_DOUBLES
    return int(value) if is_whole else value
