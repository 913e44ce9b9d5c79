"""Correlate scores with judgements: values, intervals, and which metrics cannot be told apart.

Sources: docs/how-it-works/agreement.md; for the 17 measures C.-Y.
Lin, ROUGE: A Package for Automatic Evaluation of Summaries, 2004, section 5.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, zip_longest
from math import isnan, nan

import numpy as np

from rouge_cli.errors import InputError, OptionError
from rouge_cli.inputs.judgements import Judgements
from rouge_cli.options.scores import SKIP
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.scores.results import Results
from rouge_cli.scores.signature import signature
from rouge_cli.studies.correlate.accuracies import Detail, SoftAccuracy, accuracy_values
from rouge_cli.studies.correlate.attenuation import (
    CORRECTED,
    LevelAgreement,
    consistency_of_means,
    krippendorff_alpha,
    level_agreement,
    resampled_alpha,
    resampled_consistency,
)
from rouge_cli.studies.correlate.coefficients import (
    ACCURACIES,
    ACCURACY,
    PEARSON,
    SOFT_ACCURACY,
    SYSTEM,
    Floats,
    LevelValue,
    at_level,
    exactly_at_level,
    scipy_stats,
    system_means,
    whole_numbers,
)
from rouge_cli.studies.correlate.exchange import Exchangeable, exchangeable
from rouge_cli.studies.correlate.judged_cells import (
    AggregatedCells,
    Condition,
    JudgedCells,
    JudgedScores,
    Ratings,
    match_judgements,
    possible_levels,
    score_cells,
)
from rouge_cli.studies.correlate.metric_tests import (
    best_metric_tests,
    p_of_no_correlation,
    percentile_interval,
    permutation_tests,
    resampled_correlations,
    williams_test,
)
from rouge_cli.studies.correlate.result import (
    CorrelationColumn,
    CorrelationPlan,
    CorrelationStudy,
    JudgeAgreement,
    MetricCorrelation,
    MetricTest,
    StudyCells,
)
from rouge_cli.studies.draws import WHOLE_SYSTEMS, Resampling, drawn_judges, drawn_times
from rouge_cli.studies.paired_tests import holm_adjusted
from rouge_cli.studies.score_columns import Column, cluster_hint, columns_of

Measured = tuple[str, str]
"""Level and coefficient."""

Corrected = tuple[float | None, tuple[float, float] | None, int | None]
"""The last fields of `MetricCorrelation`: value, interval and number of dropped resamples."""

PAPER_METRICS = (
    *(f"ROUGE-{n}" for n in range(1, 10)),
    "ROUGE-L",
    *(f"ROUGE-S{unigrams}{gap}" for unigrams in ("", "U") for gap in ("*", "4", "9")),
    "ROUGE-W-1.2",
)
"""The 17 measures of the paper, in its order."""

A_PAIR = 2
"""Two metrics are always tested against each other: there is no other question."""

EQUAL = 1e-12
"""Coefficients that differ by less are equally good."""

NOTEWORTHY = 0.01
"""A larger effect of the order of systems on a soft accuracy is worth a warning."""


def correlate_results(
    results: Results, judgements: Judgements, plan: CorrelationPlan
) -> CorrelationStudy:
    """Correlate the means over EVALs with judgements; raises InputError.

    No bootstrap is needed. The plan has no conditions or metrics that would need the texts.
    """
    scipy_stats()
    cells = {name: system.eval_ids for name, system in results.table.systems.items()}
    judged = matched(judgements, cells, results.table.clusters, plan)
    condition = Condition(None, "all", (signature(results.options),))
    return correlated(judgements, judged, [(condition, [results])], plan)


def matched(
    judgements: Judgements,
    cells: Mapping[str, Sequence[str]],
    clusters: Mapping[str, str],
    plan: CorrelationPlan,
) -> JudgedCells:
    """Match judgements with the scored EVALs of each system; raises InputError."""
    judged = match_judgements(judgements, cells, plan.unmatched, clusters)
    possible_levels(plan.levels, judged)
    return judged


def correlated(
    judgements: Judgements,
    cells: JudgedCells,
    scored: Sequence[tuple[Condition, Sequence[Results]]],
    plan: CorrelationPlan,
) -> CorrelationStudy:
    """Correlate matched scores and judgements; each condition has the results of its runs."""
    warnings = dict.fromkeys(
        warning for _, runs in scored for run in runs for warning in run.warnings
    )
    first_runs = scored[0][1]
    if plan.has_paper_metrics:
        rows = tuple(Column(name, letter) for name in PAPER_METRICS for letter in plan.letters)
    else:
        rows = tuple(column for run in first_runs for column in columns_of(run.table, plan.letters))
    judged = [
        JudgedScores(condition, _scores(runs, cells, rows, plan), _aggregated(runs, cells, rows))
        for condition, runs in scored
    ]
    first = first_runs[0]
    hints = () if first.table.clusters else cluster_hint(cells.eval_ids, first.model_sharing)
    columns = correlation_columns(judged, cells, plan, rows)
    return CorrelationStudy(
        rows=rows,
        columns=columns,
        systems=cells.systems,
        eval_ids=cells.eval_ids,
        judgements=cells.judgements,
        is_per_eval=cells.is_per_eval,
        conditions=tuple(condition for condition, _ in scored),
        is_by_condition=bool(plan.texts),
        plan=plan,
        warnings=(
            *warnings,
            *cells.warnings,
            *_undefined_warnings(rows, columns),
            *_order_warnings(columns),
            *_gap_warnings(judged, plan),
            *hints,
        ),
        agreements=tuple(_agreements(judgements, cells, plan)),
        systems_as_judged=tuple(cells.systems[place] for place in cells.order) or cells.systems,
        cells=StudyCells(judged[-1].scores, cells.judged),
    )


def _scores(
    results: Sequence[Results],
    cells: JudgedCells,
    rows: Sequence[Column],
    plan: CorrelationPlan,
) -> Floats:
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


def _agreements(
    judgements: Judgements, cells: JudgedCells, plan: CorrelationPlan
) -> Iterator[JudgeAgreement]:
    """Yield the agreement of the judges of what is correlated, if there are several."""
    systems, evals = frozenset(cells.systems), frozenset(cells.eval_ids)
    rows = [
        row
        for row in judgements.rows
        if row.system in systems and (row.eval_id is None or row.eval_id in evals)
    ]
    for index, judgement in enumerate(judgements.columns):
        units = (row.ratings[index] if row.ratings else (row.values[index],) for row in rows)
        ratings = [unit for unit in units if not isnan(unit[0])]
        sizes = [len(unit) for unit in ratings]
        if max(sizes, default=1) > 1:
            alpha = krippendorff_alpha(ratings)
            interval = _alpha_interval(cells.ratings[index], cells, plan)
            yield JudgeAgreement(judgement, min(sizes), max(sizes), alpha, interval)


def _alpha_interval(
    ratings: Ratings | None, cells: JudgedCells, plan: CorrelationPlan
) -> tuple[float, float] | None:
    """Return the interval of alpha, from the same draws as those of the correlations."""
    if ratings is None or not plan.resamples:
        return None
    how = replace(plan.resampling, clusters=cells.clusters if cells.is_per_eval else None)
    values = ratings.values
    alphas = resampled_alpha(values, *drawn_times(values.shape[:2], how))
    return percentile_interval(alphas, plan.percent)[0]


# Warnings


def _undefined_warnings(
    rows: Sequence[Column], columns: Sequence[CorrelationColumn]
) -> Iterator[str]:
    """Warn about each row that lacks a correlation somewhere."""
    for index, row in enumerate(rows):
        undefined = [column for column in columns if isnan(column.correlations[index].value)]
        is_soft = [column.coefficient == SOFT_ACCURACY for column in undefined]
        if n_undefined := is_soft.count(False):
            yield (
                f"{row.metric} {row.letter}: no correlation in {n_undefined} of {len(columns)} "
                "columns, where its scores or the judgements do not vary"
            )
        if any(is_soft):
            names = dict.fromkeys(
                column.judgement for column in undefined if column.coefficient == SOFT_ACCURACY
            )
            yield (
                f"{row.metric} {row.letter}, {', '.join(names)}: no {SOFT_ACCURACY}, which needs "
                f"all systems in each EVAL; give --unmatched {SKIP}"
            )


def _order_warnings(columns: Sequence[CorrelationColumn]) -> Iterator[str]:
    """Warn about a soft accuracy that changes with the order of the systems."""
    shifts = [
        (
            abs(soft.value - soft.turned),
            soft,
            f"{column.judgement}, {correlation.row.metric} {correlation.row.letter}",
        )
        for column in columns
        for correlation in column.correlations
        if isinstance(soft := correlation.detail, SoftAccuracy)
        if abs(soft.value - soft.turned) > NOTEWORTHY
    ]
    if shifts:
        _, soft, where = max(shifts, key=lambda shift: shift[0])
        yield (
            f"{SOFT_ACCURACY} depends on the order in which the judgements name the systems: "
            f"{where} is {soft.value:.3f}, and {soft.turned:.3f} in the opposite order"
            f"{', the largest of such differences' * (len(shifts) > 1)}"
        )


def _gap_warnings(judged: Sequence[JudgedScores], plan: CorrelationPlan) -> Iterator[str]:
    """Warn if metrics have different cells: their tests need those that all have."""
    is_there = (~np.isnan(scored.scores) for scored in judged)
    if plan.resamples and any((cells.any(axis=2) & ~cells.all(axis=2)).any() for cells in is_there):
        yield "some metrics lack scores that others have: tests of metrics go over the common cells"


# Columns


def correlation_columns(
    conditions: Sequence[JudgedScores],
    cells: JudgedCells,
    plan: CorrelationPlan,
    rows: Sequence[Column],
) -> tuple[CorrelationColumn, ...]:
    """Correlate the scores of all conditions with all judgements.

    By judgement, level and coefficient, then by condition. Raises InputError if a level is
    impossible, or scipy is not installed.
    """
    measured = _measured(cells, plan)
    if any(scored.aggregated for scored in conditions):
        _check_aggregated(measured, plan)
    if plan.draws_judges and not any(ratings is not None for ratings in cells.ratings):
        raise InputError("--resample-judges: no judgement has several judges in any cell")
    how = replace(plan.resampling, clusters=cells.clusters)
    # External values may be as large as floats can be; sums of these stay in range.
    tables = [scored.whole() for scored in conditions]
    order = list(cells.order)
    columns = []
    for judgement, judged, ratings in zip_longest(cells.judgements, cells.judged, cells.ratings):
        people, _ = whole_numbers(judged)
        raters = ratings and replace(ratings, values=whole_numbers(ratings.values)[0])
        for level, coefficient in measured:
            # The one coefficient that sees the order of systems takes that of the judgements.
            is_ordered = bool(order) and coefficient == SOFT_ACCURACY
            for table in tables:
                scored = replace(table, scores=table.scores[order]) if is_ordered else table
                in_order = people[order] if is_ordered else people
                column = _Column((level, coefficient), scored, in_order, raters, plan, how)
                columns.append(column.correlated(judgement, rows))
    return tuple(columns)


def _measured(cells: JudgedCells, plan: CorrelationPlan) -> list[Measured]:
    """Return the levels with their coefficients; raises InputError."""
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


def _check_aggregated(measured: Sequence[Measured], plan: CorrelationPlan) -> None:
    """Refuse what needs cells of metrics that are fused of means; raises OptionError."""
    advice = "fuse each EVAL (eval-...), or leave it out"
    made = "metrics that are fused of means have scores of systems, and no means of cells"
    if (SYSTEM, SOFT_ACCURACY) in measured:
        raise OptionError(f"--coefficient {SOFT_ACCURACY}: {made} to draw from; {advice}")
    is_exchanged = plan.resamples and plan.exchange != WHOLE_SYSTEMS
    if is_exchanged and any(level == SYSTEM for level, _ in measured):
        raise OptionError(f"--exchange {plan.exchange}: {made} that could be exchanged; {advice}")


@dataclass(frozen=True, slots=True, eq=False)
class _Column:
    """The inputs of a column: all metrics of a condition, and one judgement."""

    measured: Measured
    scored: JudgedScores
    judged: Floats
    ratings: Ratings | None
    plan: CorrelationPlan
    how: Resampling

    def correlated(self, judgement: str, rows: Sequence[Column]) -> CorrelationColumn:
        """Correlate the metrics, which have names in `rows`, and test them."""
        level, plan = self.measured[0], self.plan
        aggregated = self.scored.aggregated if level == SYSTEM else ()
        cells = self.scored.scores, self.judged
        scores, judged = self.scored.of_systems(self.judged) if aggregated else cells
        values, details = self._values(scores, judged)
        if aggregated:
            values = [value._replace(n_evals=self.judged.shape[1]) for value in values]
        tests_pairs = plan.tests_pairs or (
            len(values) == A_PAIR and plan.resamples and not plan.texts
        )
        resampled: Floats | None = None
        p_values: Sequence[float | None] = [None] * len(values)
        tests: tuple[MetricTest, ...] = ()
        if plan.resamples or tests_pairs:
            exchanged = exchangeable(self.measured, scores, judged, self.how)
            if plan.resamples:
                resampled = resampled_correlations(
                    self.measured,
                    *cells,
                    self.how,
                    aggregated=aggregated,
                    ratings=self._drawn_ratings(),
                )
                p_values = best_metric_tests(exchanged, self.how)
            if tests_pairs:
                tests = self._tests(exchanged, (scores, judged), values, rows)
        agreement, corrected = self._corrected(values, resampled)
        findings = zip(
            rows, values, self._intervals(resampled, len(values)), p_values, corrected, strict=True
        )
        best = max((value.value for value in values if not isnan(value.value)), default=nan)
        correlations = [
            replace(self._correlation(*finding, best), detail=detail)
            for finding, detail in zip(findings, details, strict=True)
        ]
        is_too_few = level == SYSTEM and self._has_too_few_systems(values, best, p_values)
        return CorrelationColumn(
            judgement,
            *self.measured,
            self.scored.condition,
            tuple(correlations),
            tests,
            is_too_few,
            agreement,
        )

    def _correlation(  # noqa: PLR0913, PLR0917
        self,
        row: Column,
        value: LevelValue,
        percentiles: tuple[tuple[float, float] | None, int | None],
        p: float | None,
        corrected: Corrected,
        best: float,
    ) -> MetricCorrelation:
        is_best = value.value > best - EQUAL
        # The best one is not tested against itself.
        p = None if is_best else p
        interval, n_dropped = percentiles
        quotient, quotient_interval, n_without = corrected
        return MetricCorrelation(
            row,
            *value,
            interval,
            n_dropped,
            is_best=is_best,
            p_against_best=p,
            is_tied=p is not None and p > self.plan.significance,
            corrected=quotient,
            corrected_interval=quotient_interval,
            n_dropped_corrected=n_without,
        )

    def _values(
        self, scores: Floats, judged: Floats
    ) -> tuple[list[LevelValue], Sequence[Detail | None]]:
        """Return the coefficient of each metric, with the details of an accuracy."""
        if self.measured[1] in ACCURACIES:
            accuracies = accuracy_values(self.measured, scores, judged, self.scored.steps, self.how)
            return [value for value, _ in accuracies], [detail for _, detail in accuracies]
        n_metrics = scores.shape[2]
        values = [
            exactly_at_level(*self.measured, scores[..., k], judged) for k in range(n_metrics)
        ]
        return values, [None] * n_metrics

    def _drawn_ratings(self) -> Floats | None:
        """Return the ratings of each cell, if judges are drawn."""
        if self.ratings is None or not self.plan.draws_judges:
            return None
        # One judgement a system is that of all EVALs.
        values = self.ratings.values
        return np.broadcast_to(values, (*self.judged.shape, values.shape[2]))

    def _intervals(
        self, resampled: Floats | None, n_metrics: int
    ) -> Sequence[tuple[tuple[float, float] | None, int | None]]:
        if resampled is None:
            return [(None, None)] * n_metrics
        return [percentile_interval(row, self.plan.percent) for row in resampled]

    def _corrected(
        self, values: Sequence[LevelValue], resampled: Floats | None
    ) -> tuple[LevelAgreement | None, Sequence[Corrected]]:
        """Return the agreement of judges at the level, and the correlations corrected for it."""
        level, coefficient = self.measured
        nothing: list[Corrected] = [(None, None, None)] * len(values)
        if self.ratings is None:
            return None, nothing
        agreement = level_agreement(level, self.ratings)
        if coefficient not in CORRECTED or not agreement.is_complete:
            return agreement, nothing
        if resampled is not None:
            quotients = resampled / self._resampled_ceilings(self.ratings.values)
            resampled = np.clip(quotients, -1.0, 1.0)
        corrected: list[Corrected] = []
        intervals = self._intervals(resampled, len(values))
        for value, (interval, n_dropped) in zip(values, intervals, strict=True):
            quotient = value.value / agreement.ceiling
            if abs(quotient) <= 1 + EQUAL:
                corrected.append((min(1.0, max(-1.0, quotient)), interval, n_dropped))
            else:
                corrected.append((nan, None, n_dropped))
        return agreement, corrected

    def _resampled_ceilings(self, ratings: Floats) -> Floats:
        """Return `LevelAgreement.ceiling` of resamples, (n,)."""
        how = replace(self.how, clusters=None) if ratings.shape[1] == 1 else self.how
        systems, evals = drawn_times(ratings.shape[:2], how)
        single = resampled_consistency(self.measured[0], ratings, systems, evals)
        judges = np.array(float(ratings.shape[2]))
        if self.plan.draws_judges:
            # A judge who is drawn twice counts as one with twice the weight.
            times = drawn_judges(ratings.shape[2], how)
            judges = judges * len(times) / (times**2).sum(axis=0)
        return np.sqrt(consistency_of_means(single, judges))

    def _has_too_few_systems(
        self, values: Sequence[LevelValue], best: float, p_values: Sequence[float | None]
    ) -> bool:
        """Return whether even a metric without correlation could not be told apart."""
        if isnan(best):
            return False
        coefficient = self.measured[1]
        if coefficient == SOFT_ACCURACY:
            # The plain accuracy, which is about 1/2 without any correlation; the soft one need not
            # be.
            place = [value.value for value in values].index(best)
            scores = self.scored.scores[..., place]
            best, coefficient = float(at_level(SYSTEM, ACCURACY, scores, self.judged)), ACCURACY
        p_at_best = p_of_no_correlation(
            best, coefficient, len(self.judged), max(1, len(values) - 1)
        )
        least = min((p for p in p_values if p is not None), default=1.0)
        return min(p_at_best, least) > self.plan.significance

    def _tests(
        self,
        exchanged: Exchangeable,
        cells: tuple[Floats, Floats],
        values: Sequence[LevelValue],
        rows: Sequence[Column],
    ) -> tuple[MetricTest, ...]:
        """Test every two metrics, also by Williams' test if it has a meaning.

        `cells` are the scores and judgements that `exchanged` was made of.
        """
        pairs = list(combinations(range(len(values)), 2))
        permutations = permutation_tests(exchanged, pairs, self.how)
        if self.measured[1] == SOFT_ACCURACY:
            # The reported values may be exact, while the test takes random signs.
            permutations = [
                replace(test, difference=values[first].value - values[second].value)
                if test.difference is not None
                else test
                for test, (first, second) in zip(permutations, pairs, strict=True)
            ]
        means, humans = map(system_means, cells)
        has_williams = self.measured == (SYSTEM, PEARSON)
        williams = [
            williams_test(means[:, a], means[:, b], humans) if has_williams else None
            for a, b in pairs
        ]
        corrected = zip(
            _holm([test.p for test in permutations]),
            _holm([test.p if test else None for test in williams]),
            strict=True,
        )
        return tuple(
            MetricTest(
                rows[first],
                rows[second],
                replace(permutation, p_holm=p_permutation),
                replace(of_williams, p_holm=p_williams) if of_williams else None,
            )
            for (first, second), permutation, of_williams, (p_permutation, p_williams) in zip(
                pairs, permutations, williams, corrected, strict=True
            )
        )


def _holm(p_values: Sequence[float | None]) -> list[float | None]:
    tested = [index for index, p in enumerate(p_values) if p is not None]
    adjusted = holm_adjusted([Fraction(p) for p in p_values if p is not None])
    by_index = dict(zip(tested, map(float, adjusted), strict=True))
    return [by_index.get(index) for index in range(len(p_values))]
