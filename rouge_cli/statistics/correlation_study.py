"""A study of correlations from its inputs to its results: score, match with judgements, correlate.

Source: docs/statistics.md, "Correlation with human judgements".
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rouge_cli.inputs.corpus import Corpus
from rouge_cli.inputs.judgements import Judgements
from rouge_cli.inputs.layout import open_corpus
from rouge_cli.options.every import Options
from rouge_cli.scoring.context import RunContext
from rouge_cli.scoring.results import Results
from rouge_cli.statistics.coefficients import scipy_stats
from rouge_cli.statistics.correlation import JudgedScores, correlation_columns, possible_levels
from rouge_cli.statistics.correlation_records import (
    Condition,
    CorrelationColumn,
    CorrelationPlan,
    CorrelationStudy,
)
from rouge_cli.statistics.judged_cells import JudgedCells, match_judgements, score_cells
from rouge_cli.statistics.scoring_conditions import (
    PAPER_METRICS,
    paper_runs,
    score_condition,
)
from rouge_cli.statistics.shared_scores import Column, columns_of

__all__ = ["CorrelationRequest", "study_correlations"]


@dataclass(frozen=True, slots=True)
class CorrelationRequest:
    """What a study starts from.

    Parameters
    ----------
    judgements : Judgements
    plan : CorrelationPlan
    texts : tuple of str
        Names in `scoring_conditions.TEXTS`; empty: as the options say.
    model_sets : tuple of str
        ``"one"``, ``"all"`` or both; empty: both if some EVAL has several models.
    has_paper_metrics : bool
        Whether the 17 measures of the paper take the place of those of the options.
    skips_unmatched : bool
        Whether what lacks scores or judgements is left out.
    """

    judgements: Judgements
    plan: CorrelationPlan
    texts: tuple[str, ...] = ()
    model_sets: tuple[str, ...] = ("all",)
    has_paper_metrics: bool = False
    skips_unmatched: bool = False


def study_correlations(
    config: str | None, options: Options, request: CorrelationRequest, context: RunContext
) -> CorrelationStudy:
    """Score every system in every condition, and correlate the scores with judgements.

    Parameters
    ----------
    config : str or None
        As `open_corpus` takes it.
    options : Options
        Without a bootstrap of their own.
    request : CorrelationRequest
    context : RunContext

    Returns
    -------
    CorrelationStudy

    Raises
    ------
    OptionError, InputError
    """
    scipy_stats()
    runs = paper_runs(options) if request.has_paper_metrics else (options,)
    with open_corpus(config, None, options.inputs, options.metrics) as corpus:
        cells = match_judgements(
            request.judgements, corpus.instances(), skips_unmatched=request.skips_unmatched
        )
        possible_levels(request.plan.levels, cells)
        scored = [
            score_condition(corpus, condition, runs, context)
            for condition in _conditions(corpus, request)
        ]
    warnings = dict.fromkeys(one for _, done in scored for run in done for one in run.warnings)
    rows = _rows(scored[0][1], request)
    judged = [JudgedScores(one, _scores(done, cells, rows, request)) for one, done in scored]
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
        (*warnings, *cells.warnings, *_undefined(rows, columns)),
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
    return np.ascontiguousarray(scores[..., [place_of[row] for row in rows]])


def _undefined(rows: Sequence[Column], columns: Sequence[CorrelationColumn]) -> Iterator[str]:
    """Warn of each row that has no correlation somewhere."""
    for place, row in enumerate(rows):
        n_undefined = sum(np.isnan(column.correlations[place].value.value) for column in columns)
        if n_undefined:
            yield (
                f"{row.metric} {row.letter}: no correlation in {n_undefined} of {len(columns)} "
                "columns, where its scores or the judgements do not vary"
            )
