"""The correlations of metrics with judgements: a column for each judgement, level and coefficient.

Sources: docs/how-it-works/agreement.md.
"""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, zip_longest

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import InputError, OptionError
from rouge_cli.options.declaration import Number
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.studies.correlate.accuracies import Detail, accuracy_values
from rouge_cli.studies.correlate.attenuation import (
    CORRECTED,
    LevelAgreement,
    consistency_of_means,
    level_agreement,
    resampled_consistency,
)
from rouge_cli.studies.correlate.coefficients import (
    ACCURACIES,
    ACCURACY,
    LEVELS,
    SOFT_ACCURACY,
    SYSTEM,
    LevelValue,
    at_level,
    exactly_at_level,
    system_means,
    whole_numbers,
)
from rouge_cli.studies.correlate.exchange import Exchangeable, exchangeable
from rouge_cli.studies.correlate.judged_cells import (
    AggregatedCells,
    JudgedCells,
    Ratings,
    system_scores,
)
from rouge_cli.studies.correlate.metric_tests import (
    CorrelationInterval,
    MetricPermutation,
    WilliamsTest,
    best_metric_tests,
    p_of_no_correlation,
    percentile_interval,
    permutation_tests,
    resampled_correlations,
    williams_test,
)
from rouge_cli.studies.draws import WHOLE_SYSTEMS, Resampling, drawn_judges, drawn_times
from rouge_cli.studies.paired_tests import holm_adjusted

Floats = NDArray[np.float64]

A_PAIR = 2
"""Metrics that are tested against each other anyway: there is no other question."""

EQUAL = 1e-12
"""Coefficients that differ by less are equally good."""


@dataclass(frozen=True, slots=True)
class CorrelationPlan:
    """What to correlate, and how.

    - `levels`: empty: all that the judgements allow.
    - `letters`: which of R, P and F.
    - `resampled`: what the bootstrap draws: ``"evals"``, ``"systems"`` or ``"both"``.
    - `resamples`: 0 for no intervals and no permutation tests.
    - `confidence`: in percent.
    - `tests_pairs`: whether every two metrics are tested against each other; two metrics are
      anyway.
    - `exchange`: what the permutation tests exchange at the system level: ``"systems"`` or
      ``"cells"``.
    - `texts`: what is done to the texts, one condition each; empty: as the options of scores say.
    - `model_sets`: ``"one"``, ``"all"`` or both; empty: both if some EVAL has several models.
    - `has_paper_metrics`: whether the 17 measures of the paper take the place of those of the
      options.
    - `unmatched`: what becomes of what lacks scores or judgements, as `match_judgements` takes it.
    - `draws_judges`: whether the bootstrap draws judges, too.
    """

    levels: tuple[str, ...]
    coefficients: tuple[str, ...]
    letters: str
    resampled: str
    resamples: int
    confidence: Number
    seed: int
    tests_pairs: bool
    exchange: str = "systems"
    texts: tuple[str, ...] = ()
    model_sets: tuple[str, ...] = ("all",)
    has_paper_metrics: bool = False
    unmatched: str = "error"
    draws_judges: bool = False

    @property
    def resampling(self) -> Resampling:
        """What resamples draw, without the clusters."""
        return Resampling(self.resamples, self.seed, self.resampled, self.exchange)

    @property
    def significance(self) -> float:
        """The p-value up to which two metrics can be told apart."""
        # 90% leave 0.1, and not a little less.
        return round(1 - self.confidence.value / 100, 12)


@dataclass(frozen=True, slots=True)
class Condition:
    """How the texts were scored, and the signature of each run that it took.

    `texts` is ``"as-is"``, ``"stem"``, ``"stop"`` or ``"stem+stop"``; empty if the options of the
    run say so. `model_set` is ``"one"``, the first model of each EVAL, or ``"all"``.
    """

    texts: str
    model_set: str
    signatures: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CorrectedCorrelation:
    """A correlation divided by what the means of judges correlate with those of ever more.

    nan where the judges are too few or too unreliable to say it: their consistency is not above 0,
    or the quotient is above 1. The interval has the same resamples, each with its own divisor, and
    ends at 1 and -1.
    """

    value: float
    interval: CorrelationInterval | None


@dataclass(frozen=True, slots=True)
class Correlation:
    """How well one metric agrees with the judgements; without resamples there is no interval.

    - `is_best`: whether no metric of the column has a higher value.
    - `p_against_best`: of one permutation test of all metrics against the best one; None for that
      itself.
    - `is_tied`: whether it is not the best, and cannot be told apart from it.
    - `detail`: what is behind an accuracy over pairs.
    - `corrected`: for the disagreement of judges, where there are several and the coefficient is
      Pearson's or Spearman's.
    """

    value: LevelValue
    interval: CorrelationInterval | None
    is_best: bool
    p_against_best: float | None
    is_tied: bool
    detail: Detail | None = None
    corrected: CorrectedCorrelation | None = None


@dataclass(frozen=True, slots=True)
class MetricTest:
    """Two metrics, by their places among the rows of the study, against each other.

    Williams' test has a meaning for Pearson's coefficient at the system level only.
    """

    first: int
    second: int
    permutation: MetricPermutation
    williams: WilliamsTest | None


@dataclass(frozen=True, slots=True)
class CorrelationColumn:
    """All metrics against one judgement, in one way.

    There is a correlation for each row of the study and, if asked for, a test of every two rows.
    `has_too_few_systems` says whether no metric is told apart from the best one, and not even one
    without any correlation would have been. `agreement` is that of the judges at the level, where
    there are several.
    """

    judgement: str
    level: str
    coefficient: str
    condition: Condition
    correlations: tuple[Correlation, ...]
    tests: tuple[MetricTest, ...]
    has_too_few_systems: bool = False
    agreement: LevelAgreement | None = None


@dataclass(frozen=True, slots=True, eq=False)
class JudgedScores:
    """The scores of a condition, of shape (n_systems, n_evals, n_metrics).

    `aggregated` are the metrics whose scores of systems are no means of these. `steps` are what the
    scores of each metric were multiplied by, to be whole numbers; empty: nothing.
    """

    condition: Condition
    scores: Floats
    aggregated: tuple[AggregatedCells, ...] = ()
    steps: tuple[float, ...] = ()

    def of_systems(self, judged: Floats) -> tuple[Floats, Floats]:
        """Return scores and judgements of systems, as those of one EVAL."""
        parts = tuple(metric.parts for metric in self.aggregated)
        scores = system_scores(self.scores, self.aggregated, parts)
        return scores[:, np.newaxis], system_means(judged)[:, np.newaxis]


def possible_levels(wanted: Sequence[str], cells: JudgedCells) -> tuple[str, ...]:
    """Return the levels to correlate at: those wanted, or all that the judgements allow.

    Raises InputError if one is wanted for which systems had to be judged EVAL by EVAL.
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

    By judgement, level and coefficient, then by condition. Raises InputError if a level is
    impossible, or scipy is not installed.
    """
    measured = _measured(cells, plan)
    if any(scored.aggregated for scored in conditions):
        _check_aggregated(measured, plan)
    # Judgements and scores from elsewhere may be as large as floats can be.
    whole = list(map(_whole, conditions))
    how = replace(plan.resampling, clusters=cells.clusters)
    if plan.draws_judges and not any(ratings is not None for ratings in cells.ratings):
        raise InputError("--resample-judges: no judgement has several judges in any cell")
    # The one coefficient that sees the order of systems takes that of the judgements.
    ordered = [
        replace(scored, scores=scored.scores[list(cells.order)]) if cells.order else scored
        for scored in whole
    ]
    return tuple(
        _column(judgement, in_order, (level, coefficient), scored, raters, plan=plan, how=how)
        for judgement, judged, ratings in zip_longest(cells.judgements, cells.judged, cells.ratings)
        for people, _ in [whole_numbers(judged)]
        for raters in [ratings and replace(ratings, values=whole_numbers(ratings.values)[0])]
        for level, coefficient in measured
        for in_order, tables in [
            (people[list(cells.order)], ordered)
            if coefficient == SOFT_ACCURACY and cells.order
            else (people, whole)
        ]
        for scored in tables
    )


def _measured(cells: JudgedCells, plan: CorrelationPlan) -> list[tuple[str, str]]:
    """Return each level with each coefficient that it has; raises InputError."""
    levels = possible_levels(plan.levels, cells)
    for name in plan.coefficients:
        if not cells.is_per_eval and name in ACCURACIES and name != ACCURACY:
            raise InputError(
                f"--coefficient {name}: there is one judgement a system; expected a column 'eval' "
                "and a judgement for each system and EVAL"
            )
    return [
        (level, name)
        for level in levels
        for name in plan.coefficients
        if level in ACCURACIES.get(name, levels)
    ]


def _check_aggregated(measured: Sequence[tuple[str, str]], plan: CorrelationPlan) -> None:
    """Refuse what metrics that are fused of means have no cells for; raises OptionError."""
    advice = "fuse each EVAL (eval-...), or leave it out"
    made = "metrics that are fused of means have scores of systems, and no means of cells"
    if (SYSTEM, SOFT_ACCURACY) in measured:
        raise OptionError(f"--coefficient {SOFT_ACCURACY}: {made} to draw from; {advice}")
    is_exchanged = plan.resamples and plan.exchange != WHOLE_SYSTEMS
    if is_exchanged and any(level == SYSTEM for level, _ in measured):
        raise OptionError(f"--exchange {plan.exchange}: {made} that could be exchanged; {advice}")


def _whole(scored: JudgedScores) -> JudgedScores:
    """Make whole numbers of the scores of each metric."""
    columns = [whole_numbers(scored.scores[..., k]) for k in range(scored.scores.shape[2])]
    values, steps = zip(*columns, strict=True)
    return replace(scored, scores=np.stack(values, axis=2), steps=steps)


def _column(  # noqa: PLR0913
    judgement: str,
    judged: Floats,
    measured: tuple[str, str],
    scored: JudgedScores,
    ratings: Ratings | None,
    *,
    plan: CorrelationPlan,
    how: Resampling,
) -> CorrelationColumn:
    """Correlate all metrics of a condition with a judgement in one way."""
    scores = scored.scores
    cells, n_evals = (scores, judged), judged.shape[1]
    aggregated = scored.aggregated if measured[0] == SYSTEM else ()
    if aggregated:
        scores, judged = scored.of_systems(judged)
    values, details = _values(measured, scores, judged, scored.steps, how)
    if aggregated:
        values = [replace(value, n_evals=n_evals) for value in values]
    resampled: Floats | None = None
    p_values: Sequence[float | None] = [None] * len(values)
    tests_pairs = plan.tests_pairs or (
        scores.shape[2] == A_PAIR and plan.resamples and not plan.texts
    )
    if plan.resamples or tests_pairs:
        exchanged = exchangeable(measured, scores, judged, how)
    if plan.resamples:
        drawn = _drawn_ratings(ratings, cells[1], plan)
        resampled = resampled_correlations(
            measured, *cells, how, aggregated=aggregated, ratings=drawn
        )
        p_values = best_metric_tests(exchanged, how)
    intervals = _intervals(resampled, len(values), plan)
    agreement, corrected = _corrected(measured, values, resampled, ratings, (plan, how))
    best = max((value.value for value in values if not np.isnan(value.value)), default=np.nan)
    correlations = tuple(
        replace(_correlation(value, interval, p, best, plan), detail=detail, corrected=by_judges)
        for value, interval, p, detail, by_judges in zip(
            values, intervals, p_values, details, corrected, strict=True
        )
    )
    pairs: tuple[MetricTest, ...] = ()
    if tests_pairs:
        pairs = _pair_tests(exchanged, (scores, judged), values, how)
    is_too_few = measured[0] == SYSTEM and not np.isnan(best)
    if is_too_few:
        best_correlation = _order_of_systems(best, values, measured, cells)
        p_at_best = p_of_no_correlation(*best_correlation, len(judged), max(1, len(values) - 1))
        least = min((p for p in p_values if p is not None), default=1.0)
        is_too_few = min(p_at_best, least) > plan.significance
    condition = scored.condition
    return CorrelationColumn(
        judgement, *measured, condition, correlations, pairs, is_too_few, agreement
    )


def _drawn_ratings(ratings: Ratings | None, judged: Floats, plan: CorrelationPlan) -> Floats | None:
    """Return what judges gave in each cell, if judges are drawn."""
    if ratings is None or not plan.draws_judges:
        return None
    # One judgement a system is that of all EVALs.
    return np.broadcast_to(ratings.values, (*judged.shape, ratings.values.shape[2]))


def _intervals(
    resampled: Floats | None, n_metrics: int, plan: CorrelationPlan
) -> list[CorrelationInterval | None]:
    """Return the interval of each metric; None without resamples."""
    if resampled is None:
        return [None] * n_metrics
    return [percentile_interval(row, plan.confidence.value) for row in resampled]


def _corrected(
    measured: tuple[str, str],
    values: Sequence[LevelValue],
    resampled: Floats | None,
    ratings: Ratings | None,
    how: tuple[CorrelationPlan, Resampling],
) -> tuple[LevelAgreement | None, Sequence[CorrectedCorrelation | None]]:
    """Return how consistent judges are at the level, and the correlations corrected for it."""
    level, coefficient = measured
    nothing = [None] * len(values)
    if ratings is None:
        return None, nothing
    agreement = level_agreement(level, ratings)
    if coefficient not in CORRECTED or not agreement.is_complete:
        return agreement, nothing
    if resampled is not None:
        quotients = resampled / _resampled_ceilings(level, ratings.values, *how)
        resampled = np.clip(quotients, -1.0, 1.0)
    corrected = [value.value / agreement.ceiling for value in values]
    return agreement, [
        _possible(value, interval)
        for value, interval in zip(
            corrected, _intervals(resampled, len(values), how[0]), strict=True
        )
    ]


def _possible(value: float, interval: CorrelationInterval | None) -> CorrectedCorrelation:
    """Return a corrected correlation; nan, and without bounds, if it would be above 1."""
    if abs(value) <= 1 + EQUAL:
        return CorrectedCorrelation(min(1.0, max(-1.0, value)), interval)
    return CorrectedCorrelation(float("nan"), interval and replace(interval, bounds=None))


def _resampled_ceilings(
    level: str, ratings: Floats, plan: CorrelationPlan, resampling: Resampling
) -> Floats:
    """Return what means of judges correlate with those of ever more in resamples; (n,)."""
    if ratings.shape[1] == 1:
        resampling = replace(resampling, clusters=None)
    systems, evals = drawn_times(ratings.shape[:2], resampling)
    single = resampled_consistency(level, ratings, systems, evals)
    judges = np.array(float(ratings.shape[2]))
    if plan.draws_judges:
        # A judge who is drawn twice counts as one with twice the weight.
        times = drawn_judges(ratings.shape[2], resampling)
        judges = judges * len(times) / (times**2).sum(axis=0)
    return np.sqrt(consistency_of_means(single, judges))


def _values(
    measured: tuple[str, str],
    scores: Floats,
    judged: Floats,
    steps: Sequence[float],
    how: Resampling,
) -> tuple[list[LevelValue], Sequence[Detail | None]]:
    """Return the coefficient of each metric and, of an accuracy, what is behind it."""
    if measured[1] in ACCURACIES:
        accuracies = accuracy_values(measured, scores, judged, steps, how)
        return [value for value, _ in accuracies], [detail for _, detail in accuracies]
    values = [exactly_at_level(*measured, scores[..., k], judged) for k in range(scores.shape[2])]
    return values, [None] * len(values)


def _order_of_systems(
    best: float,
    values: Sequence[LevelValue],
    measured: tuple[str, str],
    cells: tuple[Floats, Floats],
) -> tuple[float, str]:
    """Return the coefficient of the best metric, and its name.

    For soft accuracy the plain one: about 1/2 without any correlation, as the soft one need not be.
    """
    if measured[1] != SOFT_ACCURACY or np.isnan(best):
        return best, measured[1]
    number = [value.value for value in values].index(best)
    scores, judged = cells
    return float(at_level(SYSTEM, ACCURACY, scores[..., number], judged)), ACCURACY


def _correlation(
    value: LevelValue,
    interval: CorrelationInterval | None,
    p: float | None,
    highest: float,
    plan: CorrelationPlan,
) -> Correlation:
    """Return the findings on a metric; the best one is not tested against itself."""
    is_best = value.value > highest - EQUAL
    p = None if is_best else p
    return Correlation(value, interval, is_best, p, p is not None and p > plan.significance)


def _pair_tests(
    exchanged: Exchangeable,
    cells: tuple[Floats, Floats],
    values: Sequence[LevelValue],
    how: Resampling,
) -> tuple[MetricTest, ...]:
    """Test every two metrics, by Williams' test too where it has a meaning.

    `cells` are scores and judgements, and `exchanged` what of them is exchanged.
    """
    (scores, judged), measured = cells, exchanged.measured
    pairs = list(combinations(range(scores.shape[2]), 2))
    permutations = permutation_tests(exchanged, pairs, how)
    if measured[1] == SOFT_ACCURACY:
        # Those that are shown may be exact, while the test takes random signs.
        permutations = [
            replace(test, difference=values[first].value - values[second].value)
            if test.difference is not None
            else test
            for test, (first, second) in zip(permutations, pairs, strict=True)
        ]
    means, humans = system_means(scores), system_means(judged)
    williams: list[WilliamsTest | None] = [None] * len(pairs)
    if measured == ("system", "pearson"):
        williams = [williams_test(means[:, a], means[:, b], humans) for a, b in pairs]
    corrected = zip(
        _holm([test.p for test in permutations]),
        _holm([test.p if test else None for test in williams]),
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
    """Correct the p that are known by Holm's method."""
    tested = [index for index, p in enumerate(p_values) if p is not None]
    adjusted = holm_adjusted([Fraction(p) for p in p_values if p is not None])
    by_index = dict(zip(tested, map(float, adjusted), strict=True))
    return [by_index.get(index) for index in range(len(p_values))]
