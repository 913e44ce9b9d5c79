"""Correlate scores with judgements: values, intervals, and which metrics cannot be told apart.

Sources: docs/how-it-works/agreement.md; for the 17 measures C.-Y.
Lin, ROUGE: A Package for Automatic Evaluation of Summaries, 2004, section 5.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from rouge_cli.inputs.judgements import Judgements
from rouge_cli.options.scores import SKIP
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.scores.results import Results
from rouge_cli.scores.signature import signature
from rouge_cli.studies.correlate.accuracies import SoftAccuracy
from rouge_cli.studies.correlate.attenuation import resampled_alpha
from rouge_cli.studies.correlate.coefficients import (
    SOFT_ACCURACY,
    krippendorff_alpha,
    scipy_stats,
)
from rouge_cli.studies.correlate.correlation_columns import (
    Condition,
    CorrelationColumn,
    CorrelationPlan,
    JudgedScores,
    correlation_columns,
    possible_levels,
)
from rouge_cli.studies.correlate.judged_cells import (
    AggregatedCells,
    JudgedCells,
    Ratings,
    match_judgements,
    score_cells,
)
from rouge_cli.studies.correlate.metric_tests import percentile_interval
from rouge_cli.studies.draws import drawn_times
from rouge_cli.studies.score_columns import Column, cluster_hint, columns_of

Floats = NDArray[np.float64]

PAPER_METRICS = (
    *(f"ROUGE-{n}" for n in range(1, 10)),
    "ROUGE-L",
    *(f"ROUGE-S{unigrams}{gap}" for unigrams in ("", "U") for gap in ("*", "4", "9")),
    "ROUGE-W-1.2",
)
"""The 17 measures of the paper, in its order."""


@dataclass(frozen=True, slots=True)
class JudgeAgreement:
    """How many judges gave a judgement, and how well they agree.

    `fewest` and `most` are judges of a system in an EVAL. `alpha` is Krippendorff's, of interval
    data, with its interval if there are resamples; None where no two judged the same.
    """

    judgement: str
    fewest: int
    most: int
    alpha: float | None
    interval: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class SystemMeans:
    """The means of all systems in one condition, of each row of the study and each judgement."""

    scores: tuple[tuple[float, ...], ...]
    judgements: tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True, eq=False)
class StudyCells:
    """What was correlated in one condition, nan where a cell is missing.

    `scores` has shape (n_systems, n_evals, n_rows), `judged` (n_judgements, n_systems, n_evals). Of
    what is better if it is lower, `scores` has the negative.
    """

    scores: Floats
    judged: Floats


@dataclass(frozen=True, slots=True)
class CorrelationStudy:
    """The result of a study of correlations.

    - `rows`: the metrics and measures.
    - `columns`: by judgement, level and coefficient, then by condition.
    - `is_per_eval`: whether systems were judged EVAL by EVAL.
    - `is_by_condition`: whether several ways to score are to be shown side by side.
    - `agreements`: of each judgement with several judges.
    - `means`: for each condition.
    - `systems_as_judged`: the systems as the judgements name them first: the order of soft
      accuracies.
    - `cells`: of the last condition; None where systems were not judged EVAL by EVAL.
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
    systems_as_judged: tuple[str, ...] = ()
    cells: StudyCells | None = None


OF_ORDER = 0.01
"""Soft accuracies that differ by more by the order of systems are worth a warning."""

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
        (
            *warnings,
            *cells.warnings,
            *_undefined(rows, columns),
            *_orders(rows, columns),
            *_gaps(judged, plan),
            *hints,
        ),
        tuple(_agreements(judgements, cells, plan)),
        tuple(_means(scores, cells) for scores in judged),
        tuple(cells.systems[place] for place in cells.order) or cells.systems,
        StudyCells(judged[-1].scores, cells.judged) if cells.is_per_eval else None,
    )


def _means(judged: JudgedScores, cells: JudgedCells) -> SystemMeans:
    """Return the means of all systems."""
    scores = _means_of_any_size(judged.scores).T.tolist()
    judgements = [_means_of_any_size(judged_cells).tolist() for judged_cells in cells.judged]
    return SystemMeans(tuple(map(tuple, scores)), tuple(map(tuple, judgements)))


def _means_of_any_size(cells: Floats) -> Floats:
    """Return the means over the EVALs, also of numbers whose sum is too large for a float."""
    n_evals = np.maximum((~np.isnan(cells)).sum(axis=1, keepdims=True), 1)
    means: Floats = np.nansum(cells / n_evals, axis=1)
    return means


def _agreements(
    judgements: Judgements, cells: JudgedCells, plan: CorrelationPlan
) -> Iterator[JudgeAgreement]:
    """Yield how well the judges of what is correlated agree, where there are several."""
    known, evals = frozenset(cells.systems), frozenset(cells.eval_ids)
    rows = [
        row
        for row in judgements.rows
        if row.system in known and (row.eval_id is None or row.eval_id in evals)
    ]
    for index, judgement in enumerate(judgements.columns):
        of_rows = (row.ratings[index] if row.ratings else (row.values[index],) for row in rows)
        ratings = [unit for unit in of_rows if not np.isnan(unit[0])]
        sizes = [len(unit) for unit in ratings]
        if max(sizes, default=1) > 1:
            alpha = krippendorff_alpha(ratings)
            bounds = _alpha_bounds(cells.ratings[index], cells, plan)
            yield JudgeAgreement(judgement, min(sizes), max(sizes), alpha, bounds)


def _alpha_bounds(
    ratings: Ratings | None, cells: JudgedCells, plan: CorrelationPlan
) -> tuple[float, float] | None:
    """Return the interval of alpha, from the draws of systems and EVALs of the correlations."""
    if ratings is None or not plan.resamples:
        return None
    clusters = cells.clusters if cells.is_per_eval else None
    how = replace(plan.resampling, clusters=clusters)
    values = ratings.values
    alphas = resampled_alpha(values, *drawn_times(values.shape[:2], how))
    return percentile_interval(alphas, plan.confidence.value).bounds


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
        undefined = [
            column.coefficient
            for column in columns
            if np.isnan(column.correlations[index].value.value)
        ]
        if n_undefined := len(undefined) - undefined.count(SOFT_ACCURACY):
            yield (
                f"{row.metric} {row.letter}: no correlation in {n_undefined} of {len(columns)} "
                "columns, where its scores or the judgements do not vary"
            )
        if SOFT_ACCURACY in undefined:
            names = dict.fromkeys(
                column.judgement
                for column in columns
                if column.coefficient == SOFT_ACCURACY
                and np.isnan(column.correlations[index].value.value)
            )
            yield (
                f"{row.metric} {row.letter}, {', '.join(names)}: no {SOFT_ACCURACY}, which needs "
                f"all systems in each EVAL; give --unmatched {SKIP}"
            )


def _orders(rows: Sequence[Column], columns: Sequence[CorrelationColumn]) -> Iterator[str]:
    """Warn if a soft accuracy is another one with the systems in the opposite order."""
    shifts = [
        (abs(soft.value - soft.turned), soft, f"{column.judgement}, {row.metric} {row.letter}")
        for column in columns
        for row, correlation in zip(rows, column.correlations, strict=True)
        if isinstance(soft := correlation.detail, SoftAccuracy)
        if abs(soft.value - soft.turned) > OF_ORDER
    ]
    if shifts:
        _, soft, where = max(shifts, key=lambda shift: shift[0])
        yield (
            f"{SOFT_ACCURACY} depends on the order in which the judgements name the systems: "
            f"{where} is {soft.value:.3f}, and {soft.turned:.3f} in the opposite order"
            f"{', the largest of such differences' * (len(shifts) > 1)}"
        )


def _gaps(judged: Sequence[JudgedScores], plan: CorrelationPlan) -> Iterator[str]:
    """Warn that tests go over fewer cells than correlations, where metrics have different ones."""
    is_there = (~np.isnan(scored.scores) for scored in judged)
    if plan.resamples and any((cells.any(axis=2) & ~cells.all(axis=2)).any() for cells in is_there):
        yield "some metrics lack scores that others have: tests of metrics go over the common cells"
