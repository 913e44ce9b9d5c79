"""A study of correlations from inputs to results: score, match with judgements, correlate.

Sources: docs/guide/statistics.md, "Correlation with human judgements"; for the conditions and the
17 measures C.-Y. Lin, ROUGE: A Package for Automatic Evaluation of Summaries, 2004, section 5:
texts as they are (CASE), stemmed (STEM), without stopwords (STOP), with one model and with several.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import OptionError
from rouge_cli.inputs.corpus import Corpus
from rouge_cli.inputs.evaluation import Instances, OutsideScores
from rouge_cli.inputs.judgements import Judgements
from rouge_cli.inputs.layout import open_corpus
from rouge_cli.inputs.source import Source
from rouge_cli.options.declaration import Number
from rouge_cli.options.options import Options
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.run.pipeline import (
    RunContext,
    are_scores_at_hand,
    corpus_scores,
    score_corpus,
    score_input,
    with_outside_scores,
)
from rouge_cli.scores.columns import Cells, matched_cells
from rouge_cli.scores.results import Results
from rouge_cli.scores.signature import signature
from rouge_cli.studies.coefficients import krippendorff_alpha, scipy_stats
from rouge_cli.studies.correlation import (
    Condition,
    CorrelationColumn,
    CorrelationPlan,
    JudgedScores,
    correlation_columns,
    possible_levels,
)
from rouge_cli.studies.judged_cells import (
    AggregatedCells,
    JudgedCells,
    match_judgements,
    score_cells,
)
from rouge_cli.studies.score_columns import Column, cluster_hint, columns_of

TEXTS: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "as-is": {},
        "stem": {"stem": True},
        "stop": {"remove_stopwords": True},
        "stem+stop": {"stem": True, "remove_stopwords": True},
    }
)
"""What is done to the texts, by name: the options that it means."""

MODEL_SETS = ("one", "all")

PAPER_GAPS = ("-1", "4", "9")

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

    Parameters
    ----------
    fewest, most : int
        Judges of a system in an EVAL.
    alpha : float or None
        Krippendorff's, of interval data; None where no two judged the same.
    """

    judgement: str
    fewest: int
    most: int
    alpha: float | None


@dataclass(frozen=True, slots=True)
class SystemMeans:
    """The means of all systems in one condition.

    Parameters
    ----------
    scores : tuple of tuple of float
        For each row of the study, of each system.
    judgements : tuple of tuple of float
        For each judgement, of each system.
    """

    scores: tuple[tuple[float, ...], ...]
    judgements: tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True)
class CorrelationStudy:
    """The result of a study of correlations.

    Parameters
    ----------
    rows : tuple of Column
        The metrics and measures.
    columns : tuple of CorrelationColumn
        By judgement, level and coefficient, then by condition.
    is_per_eval : bool
        Whether systems were judged EVAL by EVAL.
    is_by_condition : bool
        Whether several ways to score are to be shown side by side.
    agreements : tuple of JudgeAgreement
        Of each judgement with several judges.
    means : tuple of SystemMeans
        For each condition.
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


def study_correlations(
    source: Source,
    options: Options,
    judgements: Judgements,
    plan: CorrelationPlan,
    context: RunContext,
) -> CorrelationStudy:
    """Score every system in every condition, and correlate the scores with judgements.

    Raises OptionError and InputError.

    Parameters
    ----------
    source : Source
        As `score_input` takes it.
    options : Options
        Without a bootstrap of their own.
    """
    scipy_stats()
    options, judgements = _directed(options, judgements)
    options, outside = with_outside_scores(options)
    if are_scores_at_hand(source, options):
        if plan.texts or plan.has_paper_metrics:
            raise OptionError(
                "--conditions and --paper-table score texts in several ways, and the input holds "
                "saved scores"
            )
        results = score_input(source, options, context, outside)
        # The correlations have a bootstrap of their own.
        without = replace(results, options=results.options.changed(resamples=0))
        return correlate_results(without, judgements, plan)
    runs = paper_runs(options) if plan.has_paper_metrics else (options,)
    with open_corpus(source, options.inputs, options.metrics) as corpus:
        joined = corpus_scores(source, corpus, options, outside)
        cells = _matched(judgements, _with_scores(corpus.instances(), joined, options), plan)
        scored = [
            score_condition(corpus, condition, runs, context, joined)
            for condition in _conditions(corpus, plan)
        ]
    return _studied(judgements, cells, scored, plan)


def correlate_results(
    results: Results, judgements: Judgements, plan: CorrelationPlan
) -> CorrelationStudy:
    """Correlate scores that are at hand with judgements; raises InputError.

    Parameters
    ----------
    results : Results
        Means over EVALs; no bootstrap is needed.
    plan : CorrelationPlan
        Without conditions or metrics that would need the texts.
    """
    scipy_stats()
    eval_ids = {name: system.eval_ids for name, system in results.table.systems.items()}
    cells = _matched(judgements, _instances(eval_ids, results.table.clusters), plan)
    condition = Condition("", "all", (signature(results.options),))
    return _studied(judgements, cells, [(condition, [results])], plan)


def _directed(options: Options, judgements: Judgements) -> tuple[Options, Judgements]:
    """Negate judgements of which lower is better, and drop their names from the options."""
    wanted = {name.lower() for name in options.joined.lower_is_better}
    signs = [-1 if name.lower() in wanted else 1 for name in judgements.columns]
    if 1 in signs and -1 not in signs:
        return options, judgements
    rows = tuple(
        replace(
            row, values=tuple(sign * value for sign, value in zip(signs, row.values, strict=True))
        )
        for row in judgements.rows
    )
    known = {name.lower() for name in judgements.columns}
    left = tuple(name for name in options.joined.lower_is_better if name.lower() not in known)
    return options.changed(lower_is_better=left), replace(judgements, rows=rows)


def _matched(judgements: Judgements, instances: Instances, plan: CorrelationPlan) -> JudgedCells:
    """Match the judgements with what is scored; raises InputError."""
    cells = match_judgements(judgements, instances, plan.unmatched)
    possible_levels(plan.levels, cells)
    return cells


def _with_scores(
    instances: Instances, outside: Sequence[OutsideScores], options: Options
) -> Instances:
    """Return the instances less those that lack scores from elsewhere; raises InputError."""
    if not outside:
        return instances
    kept, _ = matched_cells(instances.cells(), outside, options.joined.unmatched)
    return _instances(kept, instances.clusters)


def _instances(cells: Cells, clusters: Mapping[str, str]) -> Instances:
    """Return some cells as instances."""
    pairs = [
        (eval_id, number) for number, eval_ids in enumerate(cells.values()) for eval_id in eval_ids
    ]
    eval_ids, numbers = [eval_id for eval_id, _ in pairs], [number for _, number in pairs]
    return Instances(tuple(cells), eval_ids, numbers, clusters=clusters)


def _studied(
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


def _means_of_any_size(cells: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the means over the EVALs, also of numbers whose sum is too large for a float."""
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
    for index, judgement in enumerate(judgements.columns):
        ratings = [row.ratings[index] if row.ratings else (row.values[index],) for row in rows]
        sizes = [len(unit) for unit in ratings]
        if max(sizes, default=1) > 1:
            alpha = krippendorff_alpha(ratings)
            yield JudgeAgreement(judgement, min(sizes), max(sizes), alpha)


def _conditions(corpus: Corpus, plan: CorrelationPlan) -> list[Condition]:
    """Return the conditions in the order of print: all texts with one model, then with all."""
    model_sets = plan.model_sets
    if not model_sets:
        has_several = any(len(evaluation.models) > 1 for evaluation in corpus.evaluations())
        model_sets = ("one", "all") if has_several else ("all",)
    return [
        Condition(texts, model_set) for model_set in model_sets for texts in plan.texts or ("",)
    ]


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
) -> NDArray[np.float64]:
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
    in_order: NDArray[np.float64] = scores[..., [index_of[row] for row in rows]] * signs
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


def paper_runs(options: Options) -> tuple[Options, ...]:
    """Return the options of the runs that compute the paper's measures: one for each gap."""
    first, *others = (
        options.changed(max_gap=Number(gap, int(gap)), skip_and_unigram=True) for gap in PAPER_GAPS
    )
    widest = first.changed(max_ngram=9, lcs=True, weight=Number("1.2", 1.2))
    return widest, *(run.changed(lcs=False) for run in others)


def score_condition(
    corpus: Corpus,
    condition: Condition,
    runs: Sequence[Options],
    context: RunContext,
    outside: Sequence[OutsideScores],
) -> tuple[Condition, list[Results]]:
    """Score a corpus in a condition; raises InputError.

    Returns
    -------
    condition : Condition
        With the signatures of the runs.
    results : list of Results
        One for each run.
    """
    if condition.model_set == "one":
        evals = corpus.evaluations()
        corpus = corpus.with_evaluations([replace(x, models=x.models[:1]) for x in evals])
    changes = TEXTS[condition.texts] if condition.texts else {}
    results = [score_corpus(corpus, run.changed(**changes), context, outside) for run in runs]
    signatures = tuple(signature(run.options) for run in results)
    return replace(condition, signatures=signatures), results
