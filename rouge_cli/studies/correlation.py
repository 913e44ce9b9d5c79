"""Correlate scores with judgements: values, intervals, and which metrics cannot be told apart.

Sources: docs/guide/statistics.md, "Correlation with human judgements"; for the 17 measures C.-Y.
Lin, ROUGE: A Package for Automatic Evaluation of Summaries, 2004, section 5.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import InputError, OptionError
from rouge_cli.inputs.judgements import Judgements
from rouge_cli.options.declaration import Number
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.scores.results import Results
from rouge_cli.scores.signature import signature
from rouge_cli.studies.coefficients import (
    LEVELS,
    SYSTEM,
    LevelValue,
    exactly_at_level,
    krippendorff_alpha,
    scipy_stats,
    system_means,
)
from rouge_cli.studies.draws import WHOLE_SYSTEMS, Resampling
from rouge_cli.studies.judged_cells import (
    AggregatedCells,
    JudgedCells,
    match_judgements,
    score_cells,
    system_scores,
)
from rouge_cli.studies.metric_tests import (
    CorrelationInterval,
    MetricPermutation,
    WilliamsTest,
    best_metric_tests,
    correlation_intervals,
    p_of_no_correlation,
    permutation_tests,
    williams_test,
)
from rouge_cli.studies.paired_tests import holm_adjusted
from rouge_cli.studies.score_columns import Column, cluster_hint, columns_of

Floats = NDArray[np.float64]

A_PAIR = 2
"""Metrics that are tested against each other anyway: there is no other question."""

EQUAL = 1e-12
"""Coefficients that differ by less are equally good."""

PAPER_METRICS = (
    *(f"ROUGE-{n}" for n in range(1, 10)),
    "ROUGE-L",
    *(f"ROUGE-S{unigrams}{gap}" for unigrams in ("", "U") for gap in ("*", "4", "9")),
    "ROUGE-W-1.2",
)
"""The 17 measures of the paper, in its order."""


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
    """How the texts were scored, and the signature of each run that it took.

    `texts` is ``"as-is"``, ``"stem"``, ``"stop"`` or ``"stem+stop"``; empty if the options of the
    run say so. `model_set` is ``"one"``, the first model of each EVAL, or ``"all"``.
    """

    texts: str
    model_set: str
    signatures: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Correlation:
    """How well one metric agrees with the judgements; without resamples there is no interval.

    - `is_best`: whether no metric of the column has a higher value.
    - `p_against_best`: of one permutation test of all metrics against the best one; None for that
      itself.
    - `is_tied`: whether it is not the best, and cannot be told apart from it.
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

    There is a correlation for each row of the study and, if asked for, a test of every two rows.
    `has_too_few_systems` says whether no metric is told apart from the best one, and not even one
    without any correlation would have been.
    """

    judgement: str
    level: str
    coefficient: str
    condition: Condition
    correlations: tuple[Correlation, ...]
    tests: tuple[MetricTest, ...]
    has_too_few_systems: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class JudgedScores:
    """The scores of a condition, of shape (n_systems, n_evals, n_metrics).

    `aggregated` are the metrics whose scores of systems are no means of these.
    """

    condition: Condition
    scores: Floats
    aggregated: tuple[AggregatedCells, ...] = ()

    def of_systems(self, judged: Floats) -> tuple[Floats, Floats]:
        """Return scores and judgements of systems, as those of one EVAL."""
        parts = tuple(metric.parts for metric in self.aggregated)
        scores = system_scores(self.scores, self.aggregated, parts)
        return scores[:, np.newaxis], system_means(judged)[:, np.newaxis]


@dataclass(frozen=True, slots=True)
class JudgeAgreement:
    """How many judges gave a judgement, and how well they agree.

    `fewest` and `most` are judges of a system in an EVAL. `alpha` is Krippendorff's, of interval
    data; None where no two judged the same.
    """

    judgement: str
    fewest: int
    most: int
    alpha: float | None


@dataclass(frozen=True, slots=True)
class SystemMeans:
    """The means of all systems in one condition, of each row of the study and each judgement."""

    scores: tuple[tuple[float, ...], ...]
    judgements: tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True)
class CorrelationStudy:
    """The result of a study of correlations.

    - `rows`: the metrics and measures.
    - `columns`: by judgement, level and coefficient, then by condition.
    - `is_per_eval`: whether systems were judged EVAL by EVAL.
    - `is_by_condition`: whether several ways to score are to be shown side by side.
    - `agreements`: of each judgement with several judges.
    - `means`: for each condition.
    """

    rows: tuple[Column, ...]
    columns: tuple[CorrelationColumn, ...]
    systems: tuple[str, ...]
    eval_ids: tuple[str, ...]
    judgements: tuple[str, ...]
    is_per_eval: bool
    conditions: tuple[Condition, ...]
    is_by_condition: bool
    plan: CorrelationPlan
    warnings: tuple[str, ...] = ()
    agreements: tuple[JudgeAgreement, ...] = ()
    means: tuple[SystemMeans, ...] = ()


Scored = Sequence[tuple[Condition, Sequence[Results]]]
"""Each condition with the results of its runs."""


def correlate_results(
    results: Results, judgements: Judgements, plan: CorrelationPlan
) -> CorrelationStudy:
    """Correlate scores that are at hand with judgements; raises InputError.

    `results` are means over EVALs; no bootstrap is needed. `plan` has no conditions or metrics that
    would need the texts.
    """
    scipy_stats()
    cells = {name: system.eval_ids for name, system in results.table.systems.items()}
    judged = matched(judgements, cells, results.table.clusters, plan)
    condition = Condition("", "all", (signature(results.options),))
    return correlated(judgements, judged, [(condition, [results])], plan)


def matched(
    judgements: Judgements,
    cells: Mapping[str, Sequence[str]],
    clusters: Mapping[str, str],
    plan: CorrelationPlan,
) -> JudgedCells:
    """Match the judgements with what is scored, the EVALs of each system; raises InputError."""
    judged = match_judgements(judgements, cells, plan.unmatched, clusters)
    possible_levels(plan.levels, judged)
    return judged


def correlated(
    judgements: Judgements, cells: JudgedCells, scored: Scored, plan: CorrelationPlan
) -> CorrelationStudy:
    """Correlate scores and judgements that are matched."""
    warnings = dict.fromkeys(
        warning for _, runs in scored for run in runs for warning in run.warnings
    )
    rows = _rows(scored[0][1], plan)
    judged = [
        JudgedScores(condition, _scores(runs, cells, rows, plan), _aggregated(runs, cells, rows))
        for condition, runs in scored
    ]
    first = scored[0][1][0]
    hints = () if first.table.clusters else cluster_hint(cells.eval_ids, first.model_sharing)
    columns = correlation_columns(judged, cells, plan)
    return CorrelationStudy(
        rows,
        columns,
        cells.systems,
        cells.eval_ids,
        cells.judgements,
        cells.is_per_eval,
        tuple(condition for condition, _ in scored),
        bool(plan.texts),
        plan,
        (*warnings, *cells.warnings, *_undefined(rows, columns), *hints),
        tuple(_agreements(judgements, cells)),
        tuple(_means(scores, cells) for scores in judged),
    )


def _means(judged: JudgedScores, cells: JudgedCells) -> SystemMeans:
    """Return the means of all systems."""
    scores = _means_of_any_size(judged.scores).T.tolist()
    judgements = [_means_of_any_size(judged_cells).tolist() for judged_cells in cells.judged]
    return SystemMeans(tuple(map(tuple, scores)), tuple(map(tuple, judgements)))


def _means_of_any_size(cells: Floats) -> Floats:
    """Return the means over the EVALs, also of numbers whose sum is too large for a float."""
    n_evals = (~np.isnan(cells)).sum(axis=1, keepdims=True)
    means: Floats = np.nansum(cells / n_evals, axis=1)
    return means


def _agreements(judgements: Judgements, cells: JudgedCells) -> Iterator[JudgeAgreement]:
    """Yield how well the judges of what is correlated agree, where there are several."""
    known, evals = frozenset(cells.systems), frozenset(cells.eval_ids)
    rows = [
        row
        for row in judgements.rows
        if row.system in known and (row.eval_id is None or row.eval_id in evals)
    ]
    for index, judgement in enumerate(judgements.columns):
        ratings = [row.ratings[index] if row.ratings else (row.values[index],) for row in rows]
        sizes = [len(unit) for unit in ratings]
        if max(sizes, default=1) > 1:
            alpha = krippendorff_alpha(ratings)
            yield JudgeAgreement(judgement, min(sizes), max(sizes), alpha)


def _rows(results: Sequence[Results], plan: CorrelationPlan) -> tuple[Column, ...]:
    """Return the rows of the study, in the order of print."""
    if plan.has_paper_metrics:
        return tuple(Column(metric, letter) for metric in PAPER_METRICS for letter in plan.letters)
    return tuple(column for run in results for column in columns_of(run.table, plan.letters))


def _scores(
    results: Sequence[Results],
    cells: JudgedCells,
    rows: Sequence[Column],
    plan: CorrelationPlan,
) -> Floats:
    """Return the scores of all runs of a condition, in the order of the rows."""
    computed = [columns_of(run.table, plan.letters) for run in results]
    scores = np.concatenate(
        [
            score_cells(run.table, cells, columns)
            for run, columns in zip(results, computed, strict=True)
        ],
        axis=2,
    )
    index_of = {column: index for index, column in enumerate(sum(computed, ()))}
    signs = np.array([-1.0 if row.is_lower_better else 1.0 for row in rows])
    in_order: Floats = scores[..., [index_of[row] for row in rows]] * signs
    return np.ascontiguousarray(in_order)


def _aggregated(
    results: Sequence[Results], cells: JudgedCells, rows: Sequence[Column]
) -> tuple[AggregatedCells, ...]:
    """Return the parts of the rows whose scores of systems are no means over EVALs."""
    aggregated = []
    for run in results:
        for metric in run.table.metrics:
            if (aggregation := metric.aggregation) is None:
                continue
            parts = score_cells(run.table, cells, [Column(*key) for key in aggregation.parts])
            sign = -1 if metric.is_lower_better else 1
            aggregated += [
                AggregatedCells(index, aggregation, parts, sign)
                for index, row in enumerate(rows)
                if row.metric == metric.name
            ]
    return tuple(aggregated)


def _undefined(rows: Sequence[Column], columns: Sequence[CorrelationColumn]) -> Iterator[str]:
    """Warn of each row that has no correlation somewhere."""
    for index, row in enumerate(rows):
        n_undefined = sum(np.isnan(column.correlations[index].value.value) for column in columns)
        if n_undefined:
            yield (
                f"{row.metric} {row.letter}: no correlation in {n_undefined} of {len(columns)} "
                "columns, where its scores or the judgements do not vary"
            )


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
    how = Resampling(plan.resamples, plan.seed, plan.resampled, plan.exchange, cells.clusters)
    return tuple(
        _column(judgement, _scaled(judged), (level, coefficient), scored, plan=plan, how=how)
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


def _column(  # noqa: PLR0913
    judgement: str,
    judged: Floats,
    measured: tuple[str, str],
    scored: JudgedScores,
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
    values = [exactly_at_level(*measured, scores[..., k], judged) for k in range(scores.shape[2])]
    if aggregated:
        values = [replace(value, n_evals=n_evals) for value in values]
    intervals: Sequence[CorrelationInterval | None] = [None] * len(values)
    p_values: Sequence[float | None] = [None] * len(values)
    if plan.resamples:
        confidence = plan.confidence.value
        intervals = correlation_intervals(measured, *cells, how, confidence, aggregated=aggregated)
        p_values = best_metric_tests(measured, scores, judged, how)
    best = max((value.value for value in values if not np.isnan(value.value)), default=np.nan)
    correlations = tuple(
        _correlation(value, interval, p, best, plan)
        for value, interval, p in zip(values, intervals, p_values, strict=True)
    )
    pairs: tuple[MetricTest, ...] = ()
    if plan.tests_pairs or (scores.shape[2] == A_PAIR and plan.resamples and not plan.texts):
        pairs = _pair_tests(measured, scores, judged, how)
    p_at_best = p_of_no_correlation(best, measured[1], len(judged), max(1, len(values) - 1))
    is_any_told_apart = any(p is not None and p <= plan.significance for p in p_values)
    return CorrelationColumn(
        judgement,
        *measured,
        scored.condition,
        correlations,
        pairs,
        has_too_few_systems=(
            measured[0] == SYSTEM
            and not np.isnan(best)
            and p_at_best > plan.significance
            and not is_any_told_apart
        ),
    )


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
    measured: tuple[str, str], scores: Floats, judged: Floats, how: Resampling
) -> tuple[MetricTest, ...]:
    """Test every two metrics, by Williams' test too where it has a meaning."""
    pairs = list(combinations(range(scores.shape[2]), 2))
    permutations = permutation_tests(measured, scores, judged, pairs, how)
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
