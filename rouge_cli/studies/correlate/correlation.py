"""Correlate scores with judgements: values, intervals, and tests of metrics against each other.

Sources: docs/how-it-works/agreement.md; for the 17 measures C.-Y. Lin, ROUGE: A Package for
Automatic Evaluation of Summaries, 2004, section 5.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import isnan, nan
from typing import cast

import numpy as np

from rouge_cli.errors import InputError, OptionError
from rouge_cli.inputs.evaluation import OutsideScores
from rouge_cli.inputs.index import HeldInput, Input
from rouge_cli.inputs.judgements import Judgements
from rouge_cli.metrics.arithmetic import Floats
from rouge_cli.options.options import Options
from rouge_cli.options.readers import Number
from rouge_cli.options.scores import SKIP, SKIP_CELLS
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.run.pipeline import RunContext, SavedRun, TextRun, resolved_run, score_input
from rouge_cli.scores.columns import matched_cells
from rouge_cli.scores.results import Results
from rouge_cli.scores.signature import signature
from rouge_cli.studies.correlate import LEVEL_OF, MODEL_SETS, TEXTS
from rouge_cli.studies.correlate.accuracies import Detail, SoftAccuracy, accuracy_values
from rouge_cli.studies.correlate.coefficients import (
    at_level,
    exactly_at_level,
    scipy_stats,
    system_means,
    whole_numbers,
)
from rouge_cli.studies.correlate.judged_cells import (
    CORRECTED,
    AggregatedCells,
    Condition,
    JudgedCells,
    JudgedScores,
    Ratings,
    consistency_of_means,
    krippendorff_alpha,
    level_agreement,
    match_judgements,
    possible_levels,
    resampled_alpha,
    resampled_consistency,
    score_cells,
)
from rouge_cli.studies.correlate.metric_tests import (
    Exchangeable,
    best_metric_tests,
    exchangeable,
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
)
from rouge_cli.studies.paired_tests import holm_adjusted
from rouge_cli.studies.resampling import Resampling, drawn_judges, drawn_times
from rouge_cli.studies.score_columns import ScoreColumn, cluster_hint, columns_of
from rouge_cli.studies.study import ScoreSource

Measured = tuple[str, str]  # level and coefficient
# The 17 measures of the paper, in its order.
PAPER_METRICS = (
    *(f"ROUGE-{n}" for n in range(1, 10)),
    "ROUGE-L",
    *(f"ROUGE-S{unigrams}{gap}" for unigrams in ("", "U") for gap in ("*", "4", "9")),
    "ROUGE-W-1.2",
)
EQUAL = 1e-12  # coefficients that differ by less are equally good
NOTEWORTHY = 0.01  # a larger effect of the order of systems on a soft accuracy is worth a warning


def correlate_source(
    scores: ScoreSource, judgements: Judgements, plan: CorrelationPlan
) -> CorrelationStudy:
    """Score in every condition, and correlate; raises OptionError and InputError."""
    with scores.open_context() as context:
        # Fail without scipy before texts are scored, which may take long.
        scipy_stats()
        # The correlations have their own bootstrap.
        options, judgements = _directed(scores.options.changed(resamples=0), judgements)
        run = resolved_run(scores.source, options)
        run = replace(run, outside=_with_gaps(run.outside, plan))
        if run.has_texts or plan.texts or plan.asked.paper_table:
            return _scored_study(run, judgements, plan, context)
        results = run.results(context)
        results = replace(results, options=results.options.changed(resamples=0))
        return correlate_results(results, judgements, plan)


def _with_gaps(outside: Sequence[OutsideScores], plan: CorrelationPlan) -> list[OutsideScores]:
    """Let a cell that lacks one metric keep the others, if --unmatched leaves out single cells."""
    keeps_gaps = plan.asked.unmatched == SKIP_CELLS
    return [replace(scores, keeps_gaps=keeps_gaps) for scores in outside]


def _directed(options: Options, judgements: Judgements) -> tuple[Options, Judgements]:
    """Negate judgements for which lower is better, and drop their names from the options."""
    wanted = {name.lower() for name in options.joined.lower_is_better}
    signs = [-1 if name.lower() in wanted else 1 for name in judgements.columns]
    if 1 in signs and -1 not in signs:
        return options, judgements
    rows = tuple(
        replace(
            row,
            values=tuple(sign * value for sign, value in zip(signs, row.values, strict=True)),
            ratings=tuple(
                tuple(sign * rating for rating in ratings)
                for sign, ratings in zip(signs, row.ratings, strict=False)
            ),
        )
        for row in judgements.rows
    )
    known = {name.lower() for name in judgements.columns}
    left = tuple(name for name in options.joined.lower_is_better if name.lower() not in known)
    return options.changed(lower_is_better=left), replace(judgements, rows=rows)


def _scored_study(
    run: TextRun | SavedRun, judgements: Judgements, plan: CorrelationPlan, context: RunContext
) -> CorrelationStudy:
    options, runs = run.options, [run.options]
    if plan.asked.paper_table:
        # A run for each gap; the first also has the other metrics of the paper.
        runs = [
            options.changed(max_gap=Number(gap, int(gap)), skip_and_unigram=True, lcs=False)
            for gap in ("-1", "4", "9")
        ]
        runs[0] = runs[0].changed(max_ngram=9, lcs=True, weight=Number("1.2", 1.2))
    source = run.opened("--conditions and --paper-table score texts in several ways")
    outside = _with_gaps(run.outside_scores(), plan)
    index = source.complete()
    # Leave out EVALs and systems without external scores before judgements are matched.
    cells, _ = matched_cells(index.cells(), outside, options.joined.unmatched)
    judged = matched(judgements, cells, index.clusters, plan)
    model_sets = plan.model_sets
    if not model_sets:
        has_several = any(len(texts.models) > 1 for texts in source.evals())
        model_sets = MODEL_SETS if has_several else ("all",)
    scored = [
        _score_condition(source, Condition(texts, model_set), runs, context, outside)
        for model_set in model_sets
        for texts in plan.texts or (None,)
    ]
    return correlated(judgements, judged, scored, plan)


def _score_condition(
    source: Input,
    condition: Condition,
    runs: Sequence[Options],
    context: RunContext,
    outside: Sequence[OutsideScores],
) -> tuple[Condition, list[Results]]:
    """Score an input in a condition; raises InputError.

    Returns the condition with the signatures of the runs, and the results of each run.
    """
    if condition.model_set == "one":
        evals = [
            replace(texts, models=texts.models[:1], humans=texts.humans[:1])
            for texts in source.evals()
        ]
        source = HeldInput(evals, source.index.order, source)
    changes = TEXTS[condition.texts] if condition.texts else {}
    results = [score_input(source, run.changed(**changes), context, outside) for run in runs]
    signatures = tuple(signature(run.options) for run in results)
    return replace(condition, signatures=signatures), results


def correlate_results(
    results: Results, judgements: Judgements, plan: CorrelationPlan
) -> CorrelationStudy:
    """Correlate the means over EVALs with judgements; raises InputError.

    The scores need no bootstrap. The plan must not have conditions or metrics that need the texts.
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
    judged = match_judgements(judgements, cells, plan.asked.unmatched, clusters)
    possible_levels(plan.levels, judged)
    return judged


def correlated(
    judgements: Judgements,
    cells: JudgedCells,
    scored: Sequence[tuple[Condition, Sequence[Results]]],
    plan: CorrelationPlan,
) -> CorrelationStudy:
    """Correlate matched scores and judgements; each condition has the results of its runs."""
    runs = scored[0][1]
    rows = tuple(column for run in runs for column in columns_of(run.table, plan.letters))
    if plan.asked.paper_table:
        rows = tuple(ScoreColumn(name, letter) for name in PAPER_METRICS for letter in plan.letters)
    judged = [_judged_scores(condition, runs, cells, rows, plan) for condition, runs in scored]
    columns = correlation_columns(judged, cells, plan, rows)
    warnings = [warning for _, runs in scored for run in runs for warning in run.warnings]
    warnings = [*dict.fromkeys(warnings), *cells.warnings]
    warnings += [*_undefined_warnings(rows, columns), *_order_warnings(columns)]
    is_there = (~np.isnan(of_condition.scores) for of_condition in judged)
    if plan.resamples and any((x.any(axis=2) & ~x.all(axis=2)).any() for x in is_there):
        warnings.append(
            "some metrics lack scores that others have: tests of metrics go over the common cells"
        )
    if not runs[0].table.clusters:
        warnings += cluster_hint(cells.eval_ids, runs[0].model_sharing)
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
        warnings=tuple(warnings),
        agreements=tuple(_agreements(judgements, cells, plan)),
        systems_as_judged=tuple(cells.systems[place] for place in cells.order),
        cells=(judged[-1].scores, cells.judged),
    )


def _judged_scores(
    condition: Condition,
    runs: Sequence[Results],
    cells: JudgedCells,
    rows: Sequence[ScoreColumn],
    plan: CorrelationPlan,
) -> JudgedScores:
    """Return the scores of the rows in a condition; they are negative if lower is better."""
    table_of: dict[ScoreColumn, Floats] = {}
    aggregated = []
    for run in runs:
        columns = columns_of(run.table, plan.letters)
        tables = np.moveaxis(score_cells(run.table, cells, columns), 2, 0)
        table_of.update(zip(columns, tables, strict=True))
        for metric in run.table.metrics:
            if (aggregation := metric.aggregation) is None:
                continue
            parts = score_cells(run.table, cells, [ScoreColumn(*key) for key in aggregation.parts])
            sign = -1 if metric.is_lower_better else 1
            aggregated += [
                AggregatedCells(index, aggregation, parts, sign)
                for index, row in enumerate(rows)
                if row.metric == metric.name
            ]
    signs = np.array([-1.0 if row.is_lower_better else 1.0 for row in rows])
    # NumPy adds in the order of memory, on which the last bit of a sum depends.
    scores = np.ascontiguousarray(np.stack([table_of[row] for row in rows], axis=2) * signs)
    return JudgedScores(condition, scores, tuple(aggregated))


def _agreements(
    judgements: Judgements, cells: JudgedCells, plan: CorrelationPlan
) -> Iterator[JudgeAgreement]:
    systems, evals = frozenset(cells.systems), frozenset(cells.eval_ids)
    rows = [
        row
        for row in judgements.rows
        if row.system in systems and (row.eval_id is None or row.eval_id in evals)
    ]
    how = replace(plan.resampling, clusters=cells.clusters if cells.is_per_eval else None)
    for index, judgement in enumerate(judgements.columns):
        units = (row.ratings[index] if row.ratings else (row.values[index],) for row in rows)
        ratings = [unit for unit in units if not isnan(unit[0])]
        sizes = [len(unit) for unit in ratings]
        if max(sizes, default=1) == 1:
            continue
        interval, of_judges = None, cells.ratings[index]
        if of_judges is not None and plan.resamples:
            # The same draws as for the intervals of correlations.
            values = of_judges.values
            alphas = resampled_alpha(values, *drawn_times(values.shape[:2], how))
            interval, _ = percentile_interval(alphas, plan.confidence)
        alpha = krippendorff_alpha(ratings)
        yield JudgeAgreement(judgement, min(sizes), max(sizes), alpha, interval)


def _undefined_warnings(
    rows: Sequence[ScoreColumn], columns: Sequence[CorrelationColumn]
) -> Iterator[str]:
    for index, row in enumerate(rows):
        undefined = [column for column in columns if isnan(column.correlations[index].value)]
        names = [column.judgement for column in undefined if column.coefficient == "spa"]
        if n_undefined := len(undefined) - len(names):
            yield (
                f"{row.name}: no correlation in {n_undefined} of {len(columns)} columns, where its "
                "scores or the judgements do not vary"
            )
        if names:
            yield (
                f"{row.name}, {', '.join(dict.fromkeys(names))}: no spa, which needs "
                f"all systems in each text; give --unmatched {SKIP}"
            )


def _order_warnings(columns: Sequence[CorrelationColumn]) -> Iterator[str]:
    shifts = [
        (abs(soft.value - soft.turned), soft, f"{column.judgement}, {correlation.row.name}")
        for column in columns
        for correlation in column.correlations
        if isinstance(soft := correlation.detail, SoftAccuracy)
        if abs(soft.value - soft.turned) > NOTEWORTHY
    ]
    if shifts:
        _, soft, where = max(shifts, key=lambda shift: shift[0])
        yield (
            f"spa depends on the order in which the judgements name the systems: "
            f"{where} is {soft.value:.3f}, and {soft.turned:.3f} in the opposite order"
            f"{', the largest of such differences' * (len(shifts) > 1)}"
        )


def correlation_columns(
    conditions: Sequence[JudgedScores],
    cells: JudgedCells,
    plan: CorrelationPlan,
    rows: Sequence[ScoreColumn],
) -> tuple[CorrelationColumn, ...]:
    """Correlate the scores of all conditions with all judgements.

    Columns are ordered by judgement, level and coefficient, then by condition. Raises InputError if
    a level is impossible, or scipy is not installed.
    """
    measured = _measured(cells, plan)
    if any(scored.aggregated for scored in conditions):
        _check_aggregated(measured, plan)
    if plan.is_resampled_by_judge and not any(ratings is not None for ratings in cells.ratings):
        raise InputError("--resample-judges: no judgement has several judges in any cell")
    how = replace(plan.resampling, clusters=cells.clusters)
    # External values may be as large as floats can be; sums of whole numbers stay in range.
    tables = [scored.whole() for scored in conditions]
    order = list(cells.order)
    columns = []
    of_columns = zip(cells.judgements, cells.judged, cells.ratings, strict=True)
    for judgement, judged, ratings in of_columns:
        people, _ = whole_numbers(judged)
        raters = ratings and replace(ratings, values=whole_numbers(ratings.values)[0])
        for level, coefficient in measured:
            # The only coefficient that depends on the order of systems takes that of the
            # judgements.
            is_ordered = coefficient == "spa"
            in_order = people[order] if is_ordered else people
            for table in tables:
                scored = replace(table, scores=table.scores[order]) if is_ordered else table
                column = _JudgedColumn((level, coefficient), scored, in_order, raters, plan, how)
                columns.append(column.correlated(judgement, rows))
    return tuple(columns)


def _measured(cells: JudgedCells, plan: CorrelationPlan) -> list[Measured]:
    levels = possible_levels(plan.levels, cells)
    for name in plan.coefficients:
        if not cells.is_per_eval and name in {"acc-eq", "spa"}:
            raise InputError(
                f"--coefficient {name}: there is one judgement per system; expected a column "
                "'eval' and a judgement for each system and text"
            )
    return [
        (level, name)
        for level in levels
        for name in plan.coefficients
        if LEVEL_OF.get(name, level) == level
    ]


def _check_aggregated(measured: Sequence[Measured], plan: CorrelationPlan) -> None:
    """Refuse statistics of cells, which metrics fused from means lack; raises OptionError."""
    advice = "fuse each text (eval-...), or leave it out"
    made = "metrics that are fused from means have scores of systems, but no cells"
    if ("system", "spa") in measured:
        raise OptionError(f"--coefficient spa: {made} to draw from; {advice}")
    is_exchanged = plan.resamples and plan.exchanged != "systems"
    if is_exchanged and any(level == "system" for level, _ in measured):
        raise OptionError(f"--exchange {plan.exchanged}: {made} to exchange; {advice}")


@dataclass(frozen=True, slots=True, eq=False)
class _JudgedColumn:
    """The inputs of a column: all metrics of a condition, and one judgement."""

    measured: Measured
    scored: JudgedScores
    judged: Floats
    ratings: Ratings | None
    plan: CorrelationPlan
    how: Resampling

    def correlated(self, judgement: str, rows: Sequence[ScoreColumn]) -> CorrelationColumn:
        """Correlate the metrics, which have names in `rows`, and test them."""
        (level, coefficient), plan = self.measured, self.plan
        scores, judged = self.scored.scores, self.judged
        aggregated = self.scored.aggregated if level == "system" else ()
        if aggregated:
            scores, judged = self.scored.of_systems(judged)
        coefficients = self._coefficients(scores, judged)
        values = [value for value, *_ in coefficients]
        # Two metrics are always tested against each other, as there is nothing else to ask.
        is_a_pair = len(values) == 2 and plan.resamples and not plan.texts  # noqa: PLR2004
        resampled = None
        p_values: Sequence[float | None] = [None] * len(values)
        tests: tuple[MetricTest, ...] = ()
        if plan.resamples or plan.asked.pairs:
            exchanged = exchangeable(self.measured, scores, judged, self.how)
            if plan.resamples:
                resampled = self._resampled(aggregated)
                p_values = best_metric_tests(exchanged, self.how)
            if plan.asked.pairs or is_a_pair:
                tests = self._tests(exchanged, (scores, judged), values, rows)
        agreement = level_agreement(level, self.ratings) if self.ratings else None
        ceiling, quotients = None, None
        if agreement and agreement.is_complete and coefficient in CORRECTED:
            ceiling = agreement.ceiling
            if resampled is not None:
                quotients = np.clip(resampled / self._resampled_ceilings(), -1.0, 1.0)
        best = max((value for value in values if not isnan(value)), default=nan)
        correlations = []
        for k, (row, (value, n_dropped, detail)) in enumerate(zip(rows, coefficients, strict=True)):
            is_best = value > best - EQUAL
            interval, n_dropped_resamples = self._interval(resampled, k)
            # The best one is not tested against itself.
            p = None if is_best else p_values[k]
            correlation = MetricCorrelation(
                row,
                value,
                self.judged.shape[1] - n_dropped,
                n_dropped,
                interval,
                n_dropped_resamples,
                is_best,
                p,
                is_tied=(p or 0.0) > plan.significance,
                detail=detail,
            )
            if ceiling is not None:
                of_quotients = self._interval(quotients, k)
                correlation = _corrected(correlation, value / ceiling, *of_quotients)
            correlations.append(correlation)
        is_too_few = level == "system" and self._has_too_few_systems(values, best, p_values)
        measured = (*self.measured, self.scored.condition)
        return CorrelationColumn(
            judgement, *measured, tuple(correlations), tests, is_too_few, agreement
        )

    def _coefficients(
        self, scores: Floats, judged: Floats
    ) -> Sequence[tuple[float, int, Detail | None]]:
        """Return the value of each metric, the number of EVALs left out, and details, if any."""
        name = self.measured[1]
        if name in LEVEL_OF:
            return accuracy_values(name, scores, judged, self.scored.steps, self.how)
        tables = np.moveaxis(scores, 2, 0)
        return [(*exactly_at_level(*self.measured, table, judged), None) for table in tables]

    def _resampled(self, aggregated: tuple[AggregatedCells, ...]) -> Floats:
        ratings = None
        if self.ratings is not None and self.plan.is_resampled_by_judge:
            # A single judgement of a system applies to all its EVALs.
            values = self.ratings.values
            ratings = np.broadcast_to(values, (*self.judged.shape, values.shape[2]))
        return resampled_correlations(
            self.measured,
            self.scored.scores,
            self.judged,
            self.how,
            aggregated=aggregated,
            ratings=ratings,
        )

    def _interval(
        self, resampled: Floats | None, k: int
    ) -> tuple[tuple[float, float] | None, int | None]:
        """Return the `percentile_interval` of a metric; two None without resamples."""
        if resampled is None:
            return None, None
        return percentile_interval(resampled[k], self.plan.confidence)

    def _resampled_ceilings(self) -> Floats:
        """Return `LevelAgreement.ceiling` of resamples, (n,)."""
        ratings = cast("Ratings", self.ratings).values
        how = replace(self.how, clusters=None) if ratings.shape[1] == 1 else self.how
        systems, evals = drawn_times(ratings.shape[:2], how)
        single = resampled_consistency(self.measured[0], ratings, systems, evals)
        judges = np.array(float(ratings.shape[2]))
        if self.plan.is_resampled_by_judge:
            # A judge who is drawn twice has twice the weight: the effective number is smaller.
            times = drawn_judges(ratings.shape[2], how)
            judges = judges * len(times) / (times**2).sum(axis=0)
        return np.sqrt(consistency_of_means(single, judges))

    def _has_too_few_systems(
        self, values: Sequence[float], best: float, p_values: Sequence[float | None]
    ) -> bool:
        if isnan(best):
            return False
        coefficient = self.measured[1]
        if coefficient == "spa":
            # Without any correlation, the plain accuracy is about 1/2, which the soft one need not
            # be.
            scores = self.scored.scores[..., values.index(best)]
            best, coefficient = float(at_level("system", "pa", scores, self.judged)), "pa"
        n_others = max(1, len(values) - 1)
        p_at_best = p_of_no_correlation(best, coefficient, len(self.judged), n_others)
        least = min((p for p in p_values if p is not None), default=1.0)
        return min(p_at_best, least) > self.plan.significance

    def _tests(
        self,
        exchanged: Exchangeable,
        cells: tuple[Floats, Floats],
        values: Sequence[float],
        rows: Sequence[ScoreColumn],
    ) -> tuple[MetricTest, ...]:
        """Test every two metrics, also by Williams' test if it applies.

        `cells` are the scores and judgements from which `exchanged` was made.
        """
        pairs = list(combinations(range(len(values)), 2))
        permutations = permutation_tests(exchanged, pairs, self.how)
        means, humans = map(system_means, cells)
        has_williams = self.measured == ("system", "pearson")
        williams = [
            williams_test(means[:, a], means[:, b], humans) if has_williams else None
            for a, b in pairs
        ]
        p_holm = _holm([test.p for test in permutations])
        p_williams = _holm([test.p if test else None for test in williams])
        tests = []
        for k, (first, second) in enumerate(pairs):
            permutation, of_williams = replace(permutations[k], p_holm=p_holm[k]), williams[k]
            if self.measured[1] == "spa" and permutation.difference is not None:
                # The reported values may be exact, while the test takes random signs.
                permutation = replace(permutation, difference=values[first] - values[second])
            if of_williams:
                of_williams = replace(of_williams, p_holm=p_williams[k])
            tests.append(MetricTest(rows[first], rows[second], permutation, of_williams))
        return tuple(tests)


def _corrected(
    correlation: MetricCorrelation,
    quotient: float,
    interval: tuple[float, float] | None,
    n_dropped: int | None,
) -> MetricCorrelation:
    """Add a corrected value, which is unknown above 1, and the interval of its resamples."""
    is_known = abs(quotient) <= 1 + EQUAL
    return replace(
        correlation,
        corrected=min(1.0, max(-1.0, quotient)) if is_known else nan,
        corrected_interval=interval if is_known else None,
        n_dropped_corrected=n_dropped,
    )


def _holm(p_values: Sequence[float | None]) -> list[float | None]:
    adjusted = iter(holm_adjusted([Fraction(p) for p in p_values if p is not None]))
    return [None if p is None else float(next(adjusted)) for p in p_values]
