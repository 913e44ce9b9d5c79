"""A study of correlations from its inputs to its results: score, match with judgements, correlate.

Source: docs/guide/statistics.md, "Correlation with human judgements".
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import OptionError
from rouge_cli.inputs.corpus import Corpus
from rouge_cli.inputs.evaluation import Instances
from rouge_cli.inputs.judgements import Judgements
from rouge_cli.inputs.layout import open_corpus
from rouge_cli.inputs.outside_scores import OutsideScores
from rouge_cli.inputs.source import Source
from rouge_cli.options.every import Options
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.scoring.context import RunContext
from rouge_cli.scoring.joining import Cells, matched_cells
from rouge_cli.scoring.pipeline import (
    are_scores_at_hand,
    corpus_scores,
    score_input,
    with_outside_scores,
)
from rouge_cli.scoring.results import Results
from rouge_cli.scoring.score_table import ScoreTable
from rouge_cli.scoring.signature import signature
from rouge_cli.statistics.agreement import krippendorff_alpha
from rouge_cli.statistics.coefficients import scipy_stats
from rouge_cli.statistics.comparison_warnings import cluster_hint
from rouge_cli.statistics.correlation import JudgedScores, correlation_columns, possible_levels
from rouge_cli.statistics.correlation_records import (
    Condition,
    CorrelationColumn,
    CorrelationPlan,
    CorrelationStudy,
    JudgeAgreement,
    SystemMeans,
)
from rouge_cli.statistics.judged_cells import JudgedCells, match_judgements, score_cells
from rouge_cli.statistics.score_columns import Column, columns_of
from rouge_cli.statistics.scoring_conditions import (
    PAPER_METRICS,
    paper_runs,
    score_condition,
)
from rouge_cli.statistics.system_scores import AggregatedCells

__all__ = ["CorrelationRequest", "correlate_results", "study_correlations"]


@dataclass(frozen=True, slots=True)
class CorrelationRequest:
    """What a study starts from.

    Parameters
    ----------
    texts : tuple of str
        Names in `scoring_conditions.TEXTS`; empty: as the options say.
    model_sets : tuple of str
        ``"one"``, ``"all"`` or both; empty: both if some EVAL has several models.
    has_paper_metrics : bool
        Whether the 17 measures of the paper take the place of those of the options.
    unmatched : str
        What becomes of what lacks scores or judgements, as `match_judgements` takes it.
    """

    judgements: Judgements
    plan: CorrelationPlan
    texts: tuple[str, ...] = ()
    model_sets: tuple[str, ...] = ("all",)
    has_paper_metrics: bool = False
    unmatched: str = "error"


def study_correlations(
    source: Source, options: Options, request: CorrelationRequest, context: RunContext
) -> CorrelationStudy:
    """Score every system in every condition, and correlate the scores with judgements.

    Parameters
    ----------
    source : Source
        As `score_input` takes it.
    options : Options
        Without a bootstrap of their own.

    Returns
    -------
    CorrelationStudy

    Raises
    ------
    OptionError, InputError
    """
    scipy_stats()
    options, request = _directed(options, request)
    options, outside = with_outside_scores(options)
    run = _of_scores_at_hand if are_scores_at_hand(source, options) else _of_texts
    cells, scored = run(source, options, outside, request, context)
    return _studied(cells, scored, request)


def _directed(options: Options, request: CorrelationRequest) -> tuple[Options, CorrelationRequest]:
    """Turn judgements round of which lower is better, and take them off the metrics' options."""
    judgements = request.judgements
    wanted = {name.lower() for name in options.beside.lower_is_better}
    signs = [-1 if name.lower() in wanted else 1 for name in judgements.columns]
    if 1 in signs and -1 not in signs:
        return options, request
    rows = tuple(
        replace(row, values=tuple(sign * one for sign, one in zip(signs, row.values, strict=True)))
        for row in judgements.rows
    )
    known = {name.lower() for name in judgements.columns}
    left = tuple(name for name in options.beside.lower_is_better if name.lower() not in known)
    turned = replace(request, judgements=replace(judgements, rows=rows))
    return options.changed(lower_is_better=left), turned


def correlate_results(results: Results, request: CorrelationRequest) -> CorrelationStudy:
    """Correlate scores that are at hand with judgements.

    Parameters
    ----------
    results : Results
        Means over EVALs; no bootstrap is needed.
    request : CorrelationRequest
        Without conditions or metrics that would need the texts.

    Raises
    ------
    InputError
        As `study_correlations` does.
    """
    scipy_stats()
    return _studied(*_of_results(results, request), request)


def _studied(
    cells: JudgedCells, scored: "_Scored", request: CorrelationRequest
) -> CorrelationStudy:
    """Correlate what is matched."""
    warnings = dict.fromkeys(one for _, done in scored for run in done for one in run.warnings)
    rows = _rows(scored[0][1], request)
    judged = [
        JudgedScores(one, _scores(done, cells, rows, request), _aggregated(done, cells, rows))
        for one, done in scored
    ]
    first = scored[0][1][0]
    hints = () if first.table.clusters else cluster_hint(cells.eval_ids, first.model_sharing)
    columns = correlation_columns(judged, cells, request.plan)
    return CorrelationStudy(
        rows,
        columns,
        cells.systems,
        cells.eval_ids,
        cells.judgements,
        cells.is_per_eval,
        tuple(condition for condition, _ in scored),
        bool(request.texts),
        request.plan,
        (*warnings, *cells.warnings, *_undefined(rows, columns), *hints),
        tuple(_agreements(request.judgements, cells)),
        tuple(_means(one, cells) for one in judged),
    )


def _means(judged: JudgedScores, cells: JudgedCells) -> SystemMeans:
    """Return the means of all systems."""
    scores = _means_of_any_size(judged.scores).T.tolist()
    judgements = [_means_of_any_size(one).tolist() for one in cells.judged]
    return SystemMeans(tuple(map(tuple, scores)), tuple(map(tuple, judgements)))


def _means_of_any_size(cells: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the means over the EVALs, of numbers so large too that their sum is none."""
    n_evals = (~np.isnan(cells)).sum(axis=1, keepdims=True)
    means: NDArray[np.float64] = np.nansum(cells / n_evals, axis=1)
    return means


def _agreements(judgements: Judgements, cells: JudgedCells) -> Iterator[JudgeAgreement]:
    """Yield how well the judges of what is correlated agree, where there are several."""
    known, evals = frozenset(cells.systems), frozenset(cells.eval_ids)
    rows = [
        row
        for row in judgements.rows
        if row.system in known and (row.eval_id is None or row.eval_id in evals)
    ]
    for place, judgement in enumerate(judgements.columns):
        ratings = [row.ratings[place] if row.ratings else (row.values[place],) for row in rows]
        sizes = [len(one) for one in ratings]
        if max(sizes, default=1) > 1:
            alpha = krippendorff_alpha(ratings)
            yield JudgeAgreement(judgement, min(sizes), max(sizes), alpha)


_Scored = list[tuple[Condition, list[Results]]]


def _of_texts(
    source: Source,
    options: Options,
    outside: Sequence[OutsideScores],
    request: CorrelationRequest,
    context: RunContext,
) -> tuple[JudgedCells, _Scored]:
    """Match the judgements with the texts, and score these in every condition."""
    runs = paper_runs(options) if request.has_paper_metrics else (options,)
    with open_corpus(source, options.inputs, options.metrics) as corpus:
        joined = corpus_scores(source, corpus, options, outside)
        instances = _with_scores(corpus.instances(), joined, options)
        cells = match_judgements(request.judgements, instances, request.unmatched)
        possible_levels(request.plan.levels, cells)
        scored = [
            score_condition(corpus, condition, runs, context, joined)
            for condition in _conditions(corpus, request)
        ]
    return cells, scored


def _with_scores(
    instances: Instances, outside: Sequence[OutsideScores], options: Options
) -> Instances:
    """Return the instances less those that lack scores from elsewhere; raises InputError."""
    if not outside:
        return instances
    kept, _ = matched_cells(instances.cells(), outside, options.beside.unmatched)
    return _instances_of(kept, instances.clusters)


def _of_scores_at_hand(
    source: Source,
    options: Options,
    outside: Sequence[OutsideScores],
    request: CorrelationRequest,
    context: RunContext,
) -> tuple[JudgedCells, _Scored]:
    """Match the judgements with scores of which the texts are not at hand; raises OptionError."""
    if request.texts or request.has_paper_metrics:
        raise OptionError(
            "--conditions and --paper-table score texts in several ways, and the input holds saved "
            "scores"
        )
    results = score_input(source, options, context, outside)
    # The correlations have a bootstrap of their own.
    without = replace(results, options=results.options.changed(resamples=0))
    return _of_results(without, request)


def _of_results(results: Results, request: CorrelationRequest) -> tuple[JudgedCells, _Scored]:
    """Match the judgements with scores; raises InputError."""
    cells = match_judgements(request.judgements, _instances(results.table), request.unmatched)
    possible_levels(request.plan.levels, cells)
    condition = Condition("", "all", (signature(results.options),))
    return cells, [(condition, [results])]


def _instances(table: ScoreTable) -> Instances:
    """Return the instances that a table has the scores of."""
    cells = {name: system.eval_ids for name, system in table.systems.items()}
    return _instances_of(cells, table.clusters)


def _instances_of(cells: Cells, clusters: Mapping[str, str]) -> Instances:
    """Return some cells as instances."""
    pairs = [
        (eval_id, number) for number, eval_ids in enumerate(cells.values()) for eval_id in eval_ids
    ]
    return Instances(
        tuple(cells),
        [eval_id for eval_id, _ in pairs],
        [number for _, number in pairs],
        clusters=clusters,
    )


def _conditions(corpus: Corpus, request: CorrelationRequest) -> list[Condition]:
    """Return the conditions in the order of print: all texts with one model, then with all."""
    model_sets = request.model_sets
    if not model_sets:
        has_several = any(len(one.models) > 1 for one in corpus.evaluations())
        model_sets = ("one", "all") if has_several else ("all",)
    return [
        Condition(texts, model_set) for model_set in model_sets for texts in request.texts or ("",)
    ]


def _rows(results: Sequence[Results], request: CorrelationRequest) -> tuple[Column, ...]:
    """Return the rows of the study, in the order of print."""
    letters = request.plan.letters
    computed = [column for run in results for column in columns_of(run.table, letters)]
    if not request.has_paper_metrics:
        return tuple(computed)
    return tuple(Column(metric, letter) for metric in PAPER_METRICS for letter in letters)


def _scores(
    results: Sequence[Results],
    cells: JudgedCells,
    rows: Sequence[Column],
    request: CorrelationRequest,
) -> NDArray[np.float64]:
    """Return the scores of all runs of a condition, in the order of the rows."""
    computed = [columns_of(run.table, request.plan.letters) for run in results]
    scores = np.concatenate(
        [
            score_cells(run.table, cells, columns)
            for run, columns in zip(results, computed, strict=True)
        ],
        axis=2,
    )
    place_of = {column: place for place, column in enumerate(sum(computed, ()))}
    signs = np.array([-1.0 if row.is_lower_better else 1.0 for row in rows])
    in_order: NDArray[np.float64] = scores[..., [place_of[row] for row in rows]] * signs
    return np.ascontiguousarray(in_order)


def _aggregated(
    results: Sequence[Results], cells: JudgedCells, rows: Sequence[Column]
) -> tuple[AggregatedCells, ...]:
    """Return the parts of the rows whose scores of systems are no means over EVALs."""
    found = []
    for run in results:
        for metric in run.table.metrics:
            if (aggregation := metric.aggregation) is None:
                continue
            parts = score_cells(run.table, cells, [Column(*key) for key in aggregation.parts])
            sign = -1 if metric.is_lower_better else 1
            found += [
                AggregatedCells(place, aggregation, parts, sign)
                for place, row in enumerate(rows)
                if row.metric == metric.name
            ]
    return tuple(found)


def _undefined(rows: Sequence[Column], columns: Sequence[CorrelationColumn]) -> Iterator[str]:
    """Warn of each row that has no correlation somewhere."""
    for place, row in enumerate(rows):
        n_undefined = sum(np.isnan(column.correlations[place].value.value) for column in columns)
        if n_undefined:
            yield (
                f"{row.metric} {row.letter}: no correlation in {n_undefined} of {len(columns)} "
                "columns, where its scores or the judgements do not vary"
            )
