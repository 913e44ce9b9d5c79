"""Correlate scores with judgements: values, intervals, and which metrics cannot be told apart.

Source: docs/statistics.md, "Correlation with human judgements".
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import InputError
from rouge_cli.statistics.correlation_intervals import Resampling, correlation_intervals
from rouge_cli.statistics.correlation_records import (
    Condition,
    Correlation,
    CorrelationColumn,
    CorrelationInterval,
    CorrelationPlan,
    LevelValue,
    MetricPermutation,
    MetricTest,
    WilliamsTest,
)
from rouge_cli.statistics.judged_cells import JudgedCells
from rouge_cli.statistics.levels import LEVELS, exactly_at_level, system_means
from rouge_cli.statistics.metric_tests import permutation_tests, williams_test

__all__ = ["JudgedScores", "correlation_columns", "possible_levels"]

Floats = NDArray[np.float64]

EQUAL = 1e-12
"""Coefficients that differ by less are equally good."""


@dataclass(frozen=True, slots=True, eq=False)
class JudgedScores:
    """The scores of a condition.

    Parameters
    ----------
    condition : Condition
    scores : ndarray of float64, shape (n_systems, n_evals, n_metrics)
    """

    condition: Condition
    scores: Floats


def possible_levels(wanted: Sequence[str], cells: JudgedCells) -> tuple[str, ...]:
    """Return the levels to correlate at: those wanted, or all that the judgements allow.

    Raises
    ------
    InputError
        If one is wanted for which systems had to be judged EVAL by EVAL.
    """
    if cells.is_per_eval:
        return tuple(level for level in LEVELS if level in wanted or not wanted)
    if impossible := [level for level in wanted if level != "system"]:
        raise InputError(
            f"--level {impossible[0]}: there is one judgement a system, which has the system "
            "level only; expected a column 'eval' and a judgement for each system and EVAL"
        )
    return ("system",)


def correlation_columns(
    conditions: Sequence[JudgedScores], cells: JudgedCells, plan: CorrelationPlan
) -> tuple[CorrelationColumn, ...]:
    """Correlate the scores of all conditions with all judgements.

    Parameters
    ----------
    conditions : sequence of JudgedScores
    cells : JudgedCells
    plan : CorrelationPlan

    Returns
    -------
    tuple of CorrelationColumn
        By judgement, level and coefficient, then by condition.

    Raises
    ------
    InputError
        If a level is impossible, or scipy is not installed.
    """
    levels = possible_levels(plan.levels, cells)
    scaled = [JudgedScores(one.condition, _scaled(one.scores)) for one in conditions]
    return tuple(
        _column(judgement, _scaled(judged), (level, coefficient), one, plan)
        for judgement, judged in zip(cells.judgements, cells.judged, strict=True)
        for level in levels
        for coefficient in plan.coefficients
        for one in scaled
    )


def _scaled(cells: Floats) -> Floats:
    """Divide by a power of two, which no coefficient sees, so that no square is out of range."""
    _, exponents = np.frexp(np.abs(cells).max(axis=(0, 1)))
    scaled: Floats = np.ldexp(cells, -exponents)
    return scaled


def _column(
    judgement: str,
    judged: Floats,
    measured: tuple[str, str],
    scored: JudgedScores,
    plan: CorrelationPlan,
) -> CorrelationColumn:
    """Correlate all metrics of a condition with a judgement in one way."""
    scores = scored.scores
    values = [exactly_at_level(*measured, scores[..., k], judged) for k in range(scores.shape[2])]
    intervals: Sequence[CorrelationInterval | None] = [None] * len(values)
    if plan.resamples:
        how = Resampling(plan.resampled, plan.resamples, plan.seed, plan.confidence.value)
        intervals = correlation_intervals(*measured, scores, judged, how)
    best = _best(values)
    tests = _tests(measured, scores, judged, best, plan)
    p_values = [None if best is None else _p_of_pair(tests, k, best) for k in range(len(values))]
    highest = np.nan if best is None else values[best].value
    correlations = tuple(
        _correlation(value, interval, p, highest, plan)
        for value, interval, p in zip(values, intervals, p_values, strict=True)
    )
    pairs = _metric_tests(measured, scores, judged, tests) if plan.tests_pairs else ()
    return CorrelationColumn(judgement, *measured, scored.condition, correlations, pairs)


def _best(values: Sequence[LevelValue]) -> int | None:
    """Return the place of the highest value; None if none is defined."""
    defined = [k for k, one in enumerate(values) if not np.isnan(one.value)]
    return max(defined, key=lambda k: values[k].value, default=None)


def _tests(
    measured: tuple[str, str],
    scores: Floats,
    judged: Floats,
    best: int | None,
    plan: CorrelationPlan,
) -> dict[tuple[int, int], MetricPermutation]:
    """Test the best metric against all others, or every two; by their places in ascending order."""
    n_metrics = scores.shape[2]
    pairs = [
        pair
        for pair in combinations(range(n_metrics), 2)
        if plan.tests_pairs or (best in pair and plan.resamples)
    ]
    found = permutation_tests(measured, scores, judged, pairs, (plan.resamples, plan.seed))
    return dict(zip(pairs, found, strict=True))


def _p_of_pair(
    tests: dict[tuple[int, int], MetricPermutation], place: int, other: int
) -> float | None:
    """Return the p-value of two metrics; None if they were not tested, or are the same one."""
    test = tests.get((min(place, other), max(place, other)))
    return None if test is None else test.p


def _correlation(
    value: LevelValue,
    interval: CorrelationInterval | None,
    p: float | None,
    highest: float,
    plan: CorrelationPlan,
) -> Correlation:
    """Put together what was found of one metric."""
    is_best = value.value > highest - EQUAL
    is_tied = not is_best and p is not None and p > plan.significance
    return Correlation(value, interval, is_best, p, is_tied)


def _metric_tests(
    measured: tuple[str, str],
    scores: Floats,
    judged: Floats,
    tests: dict[tuple[int, int], MetricPermutation],
) -> tuple[MetricTest, ...]:
    """Add Williams' test where it has a meaning."""
    means, humans = system_means(scores), system_means(judged)
    has_williams = measured == ("system", "pearson")

    def williams(first: int, second: int) -> WilliamsTest | None:
        return williams_test(means[:, first], means[:, second], humans) if has_williams else None

    return tuple(
        MetricTest(first, second, permutation, williams(first, second))
        for (first, second), permutation in tests.items()
    )
