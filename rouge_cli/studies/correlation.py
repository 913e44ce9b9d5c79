"""Correlate scores with judgements: values, intervals, and which metrics cannot be told apart.

Sources: docs/guide/statistics.md, "Correlation with human judgements"; for the intervals
D. Deutsch, R. Dror, D. Roth, A Statistical Analysis of Summarization Evaluation Metrics Using
Resampling Methods, TACL 9, 2021, with the percentile intervals of B. Efron.
"""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import InputError, OptionError
from rouge_cli.options.declaration import Number
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.studies.coefficients import (
    LEVELS,
    SYSTEM,
    LevelValue,
    at_level,
    exactly_at_level,
    system_means,
)
from rouge_cli.studies.draws import Places, Resampling, drawn_cells
from rouge_cli.studies.judged_cells import AggregatedCells, JudgedCells, system_scores
from rouge_cli.studies.metric_tests import (
    WHOLE_SYSTEMS,
    Exchange,
    MetricPermutation,
    WilliamsTest,
    best_metric_tests,
    permutation_tests,
    williams_test,
)
from rouge_cli.studies.paired_tests import holm_adjusted

Floats = NDArray[np.float64]

EQUAL = 1e-12
"""Coefficients that differ by less are equally good."""


@dataclass(frozen=True, slots=True)
class CorrelationPlan:
    """What to correlate, and how.

    Parameters
    ----------
    levels : tuple of str
        Empty: all that the judgements allow.
    letters : str
        Which of R, P and F.
    resampled : str
        What the bootstrap draws: ``"evals"``, ``"systems"`` or ``"both"``.
    resamples : int
        0 for no intervals and no permutation tests.
    confidence : Number
        In percent.
    tests_pairs : bool
        Whether every two metrics are tested against each other.
    exchange : str
        What the permutation tests exchange at the system level: ``"systems"`` or ``"cells"``.
    texts : tuple of str
        What is done to the texts, one condition each; empty: as the options of scores say.
    model_sets : tuple of str
        ``"one"``, ``"all"`` or both; empty: both if some EVAL has several models.
    has_paper_metrics : bool
        Whether the 17 measures of the paper take the place of those of the options.
    unmatched : str
        What becomes of what lacks scores or judgements, as `match_judgements` takes it.
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

    @property
    def significance(self) -> float:
        """The p-value up to which two metrics can be told apart."""
        # 90% leave 0.1, and not a little less.
        return round(1 - self.confidence.value / 100, 12)


@dataclass(frozen=True, slots=True)
class Condition:
    """How the texts were scored.

    Parameters
    ----------
    texts : str
        ``"as-is"``, ``"stem"``, ``"stop"`` or ``"stem+stop"``; empty if the options of the run
        say so.
    model_set : str
        ``"one"``: the first model of each EVAL; ``"all"``.
    signatures : tuple of str
        Of each run that it took.
    """

    texts: str
    model_set: str
    signatures: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CorrelationInterval:
    """An interval, and what it rests on.

    Parameters
    ----------
    bounds : tuple of two floats, or None
        Lower and upper percentile; None if no resample has a value.
    n_dropped : int
        Resamples in which the coefficient is undefined.
    """

    bounds: tuple[float, float] | None
    n_dropped: int


@dataclass(frozen=True, slots=True)
class Correlation:
    """How well one metric agrees with the judgements.

    Parameters
    ----------
    interval : CorrelationInterval or None
        None without resamples.
    is_best : bool
        Whether no metric of the column has a higher value.
    p_against_best : float or None
        Of one permutation test of all metrics against the best one; None for that itself.
    is_tied : bool
        Whether it is not the best, and cannot be told apart from it.
    """

    value: LevelValue
    interval: CorrelationInterval | None
    is_best: bool
    p_against_best: float | None
    is_tied: bool


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

    Parameters
    ----------
    correlations : tuple of Correlation
        One for each row of the study.
    tests : tuple of MetricTest
        Of every two rows, if asked for.
    """

    judgement: str
    level: str
    coefficient: str
    condition: Condition
    correlations: tuple[Correlation, ...]
    tests: tuple[MetricTest, ...]


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
    levels = possible_levels(plan.levels, cells)
    aggregated = any(scored.aggregated for scored in conditions)
    if aggregated and "system" in levels and plan.resamples and plan.exchange != WHOLE_SYSTEMS:
        raise OptionError(
            f"--exchange {plan.exchange}: metrics that are fused of means have scores of systems, "
            "and no means of cells that could be exchanged; fuse each EVAL (eval-...), or leave it "
            "out"
        )
    # Judgements and scores from elsewhere may be as large as floats can be.
    scaled = [replace(scored, scores=_scaled(scored.scores)) for scored in conditions]
    return tuple(
        _column(
            judgement, _scaled(judged), (level, coefficient), scored, _Test(plan, cells.clusters)
        )
        for judgement, judged in zip(cells.judgements, cells.judged, strict=True)
        for level in levels
        for coefficient in plan.coefficients
        for scored in scaled
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
        values = [replace(value, n_evals=n_evals) for value in values]
    intervals: Sequence[CorrelationInterval | None] = [None] * len(values)
    p_values: Sequence[float | None] = [None] * len(values)
    if plan.resamples:
        intervals = correlation_intervals(*measured, *cells, test.resampling, aggregated=aggregated)
        p_values = best_metric_tests(measured, scores, judged, test.exchange)
    best = max((value.value for value in values if not np.isnan(value.value)), default=np.nan)
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
    """Return the findings on a metric; the best one is not tested against itself."""
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


def correlation_intervals(  # noqa: PLR0913 - level and coefficient go together
    level: str,
    coefficient: str,
    scores: Floats,
    judged: Floats,
    how: Resampling,
    *,
    aggregated: tuple[AggregatedCells, ...] = (),
) -> list[CorrelationInterval]:
    """Bootstrap a correlation of several tables of scores.

    One for each table, from the same resamples.

    Parameters
    ----------
    level, coefficient : str
        As `at_level` takes them.
    scores : ndarray of float64, shape (n_systems, n_evals, n_tables)
    judged : ndarray of float64, shape (n_systems, n_evals)
    aggregated : tuple of AggregatedCells
        Scores of systems that are made of what else is drawn.
    """
    n_systems, n_evals, n_tables = scores.shape
    parts = tuple(metric.parts for metric in aggregated)
    draws = drawn_cells((n_systems, n_evals), how, n_tables + sum(part.shape[2] for part in parts))
    if how.clusters is not None:
        # An EVAL that is missing everywhere, for resamples with fewer EVALs than others.
        scores, judged, *parts_of = map(_with_missing, (scores, judged, *parts))
        parts = tuple(parts_of)
    values = []
    for cells in draws:
        drawn, humans = scores[cells], judged[cells][..., np.newaxis]
        if aggregated and level == SYSTEM:
            of_parts = tuple(part[cells] for part in parts)
            drawn = system_scores(drawn, aggregated, of_parts)[:, np.newaxis]
            humans = system_means(humans)[:, np.newaxis]
        values.append(at_level(level, coefficient, drawn, humans))
    by_table = np.concatenate(values).T
    return [_interval(resampled[~np.isnan(resampled)], how) for resampled in by_table]


def _with_missing(cells: Floats) -> Floats:
    """Add an EVAL that is missing everywhere."""
    return np.concatenate((cells, np.full_like(cells[:, :1], np.nan)), axis=1)


def _interval(values: Floats, how: Resampling) -> CorrelationInterval:
    """Return the percentiles of the values that are defined."""
    n_dropped = how.resamples - len(values)
    if not len(values):
        return CorrelationInterval(None, n_dropped)
    tail = (100 - how.confidence) / 200
    lower, upper = np.quantile(values, [tail, 1 - tail]).tolist()
    return CorrelationInterval((lower, upper), n_dropped)
