"""Correlate scores with judgements: values, intervals, and which metrics cannot be told apart.

Source: docs/guide/statistics.md, "Correlation with human judgements".
"""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import InputError, OptionError
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.statistics.cell_draws import Places, Resampling
from rouge_cli.statistics.correlation_intervals import correlation_intervals
from rouge_cli.statistics.correlation_records import (
    Condition,
    Correlation,
    CorrelationColumn,
    CorrelationInterval,
    CorrelationPlan,
    LevelValue,
    MetricTest,
    WilliamsTest,
)
from rouge_cli.statistics.judged_cells import JudgedCells
from rouge_cli.statistics.levels import LEVELS, SYSTEM, exactly_at_level, system_means
from rouge_cli.statistics.metric_tests import (
    WHOLE_SYSTEMS,
    Exchange,
    best_metric_tests,
    permutation_tests,
    williams_test,
)
from rouge_cli.statistics.multiplicity import holm_adjusted
from rouge_cli.statistics.system_scores import AggregatedCells, system_scores

__all__ = ["JudgedScores", "correlation_columns", "possible_levels"]

Floats = NDArray[np.float64]

EQUAL = 1e-12
"""Coefficients that differ by less are equally good."""


@dataclass(frozen=True, slots=True, eq=False)
class JudgedScores:
    """The scores of a condition.

    Parameters
    ----------
    scores : ndarray of float64, shape (n_systems, n_evals, n_metrics)
    aggregated : tuple of AggregatedCells
        Metrics whose scores of systems are no means of these.
    """

    condition: Condition
    scores: Floats
    aggregated: tuple[AggregatedCells, ...] = ()

    def of_systems(self, judged: Floats) -> tuple[Floats, Floats]:
        """Return scores and judgements of systems, as those of one EVAL."""
        parts = tuple(one.parts for one in self.aggregated)
        scores = system_scores(self.scores, self.aggregated, parts)
        return scores[:, np.newaxis], system_means(judged)[:, np.newaxis]


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
    aggregated = any(one.aggregated for one in conditions)
    if aggregated and "system" in levels and plan.resamples and plan.exchange != WHOLE_SYSTEMS:
        raise OptionError(
            f"--exchange {plan.exchange}: metrics that are fused of means have scores of systems, "
            "and no means of cells that could be exchanged; fuse each EVAL (eval-...), or leave it "
            "out"
        )
    scaled = [replace(one, scores=_scaled(one.scores)) for one in conditions]
    return tuple(
        _column(judgement, _scaled(judged), (level, coefficient), one, _Test(plan, cells.clusters))
        for judgement, judged in zip(cells.judgements, cells.judged, strict=True)
        for level in levels
        for coefficient in plan.coefficients
        for one in scaled
    )


def _scaled(cells: Floats) -> Floats:
    """Divide by a power of two, which no coefficient sees, so that no square is out of range."""
    _, exponents = np.frexp(np.nanmax(np.abs(cells), axis=(0, 1)))
    scaled: Floats = np.ldexp(cells, -exponents)
    return scaled


@dataclass(frozen=True, slots=True, eq=False)
class _Test:
    """What is asked of a column, and which EVALs belong together."""

    plan: CorrelationPlan
    clusters: Places | None

    @property
    def resampling(self) -> Resampling:
        """How the intervals are made."""
        plan = self.plan
        confidence = plan.confidence.value
        return Resampling(plan.resampled, plan.resamples, plan.seed, confidence, self.clusters)

    @property
    def exchange(self) -> Exchange:
        """How metrics are exchanged."""
        return Exchange(self.plan.resamples, self.plan.seed, self.plan.exchange, self.clusters)


def _column(
    judgement: str,
    judged: Floats,
    measured: tuple[str, str],
    scored: JudgedScores,
    test: _Test,
) -> CorrelationColumn:
    """Correlate all metrics of a condition with a judgement in one way."""
    scores, plan = scored.scores, test.plan
    cells, n_evals = (scores, judged), judged.shape[1]
    aggregated = scored.aggregated if measured[0] == SYSTEM else ()
    if aggregated:
        scores, judged = scored.of_systems(judged)
    values = [exactly_at_level(*measured, scores[..., k], judged) for k in range(scores.shape[2])]
    if aggregated:
        values = [replace(one, n_evals=n_evals) for one in values]
    intervals: Sequence[CorrelationInterval | None] = [None] * len(values)
    p_values: Sequence[float | None] = [None] * len(values)
    if plan.resamples:
        intervals = correlation_intervals(*measured, *cells, test.resampling, aggregated=aggregated)
        p_values = best_metric_tests(measured, scores, judged, test.exchange)
    best = max((one.value for one in values if not np.isnan(one.value)), default=np.nan)
    correlations = tuple(
        _correlation(value, interval, p, best, plan)
        for value, interval, p in zip(values, intervals, p_values, strict=True)
    )
    pairs = _pair_tests(measured, scores, judged, test) if plan.tests_pairs else ()
    return CorrelationColumn(judgement, *measured, scored.condition, correlations, pairs)


def _correlation(
    value: LevelValue,
    interval: CorrelationInterval | None,
    p: float | None,
    highest: float,
    plan: CorrelationPlan,
) -> Correlation:
    """Put together what was found of one metric; the best one is not tested against itself."""
    is_best = value.value > highest - EQUAL
    p = None if is_best else p
    return Correlation(value, interval, is_best, p, p is not None and p > plan.significance)


def _pair_tests(
    measured: tuple[str, str], scores: Floats, judged: Floats, test: _Test
) -> tuple[MetricTest, ...]:
    """Test every two metrics, by Williams' test too where it has a meaning."""
    pairs = list(combinations(range(scores.shape[2]), 2))
    permutations = permutation_tests(measured, scores, judged, pairs, test.exchange)
    means, humans = system_means(scores), system_means(judged)
    williams: list[WilliamsTest | None] = [None] * len(pairs)
    if measured == ("system", "pearson"):
        williams = [williams_test(means[:, one], means[:, two], humans) for one, two in pairs]
    corrected = zip(
        _holm([one.p for one in permutations]),
        _holm([one.p if one else None for one in williams]),
        strict=True,
    )
    return tuple(
        MetricTest(
            *pair,
            replace(permutation, p_holm=p_permutation),
            replace(of_williams, p_holm=p_williams) if of_williams else None,
        )
        for pair, permutation, of_williams, (p_permutation, p_williams) in zip(
            pairs, permutations, williams, corrected, strict=True
        )
    )


def _holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Correct what there is of some p."""
    there = [place for place, p in enumerate(p_values) if p is not None]
    adjusted = holm_adjusted([Fraction(p) for p in p_values if p is not None])
    by_place = dict(zip(there, map(float, adjusted), strict=True))
    return [by_place.get(place) for place in range(len(p_values))]
