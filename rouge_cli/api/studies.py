"""Comparison and correlation of results in Python."""

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from rouge_cli.api.lists import check_names
from rouge_cli.api.shown import Shown
from rouge_cli.errors import InputError, OptionError
from rouge_cli.inputs.judgements import Judgements, gather_judgements, read_judgements
from rouge_cli.inputs.records.rows import Row
from rouge_cli.options.declaration import Option
from rouge_cli.options.scores import MEAN_OVER_EVALS, ScoreOptions
from rouge_cli.options.studies import ComparisonOptions, CorrelationOptions
from rouge_cli.reports.page import FiguredView, PageView
from rouge_cli.reports.views.comparison import ComparisonView
from rouge_cli.reports.views.correlation import CorrelationView
from rouge_cli.reports.views.scored_page import NO_TEXTS, ScoredPage, page_results
from rouge_cli.scoring.results import Results
from rouge_cli.statistics import comparison_records as records
from rouge_cli.statistics.comparison import check_systems, compare
from rouge_cli.statistics.comparison_records import PairResult, Ranking, TestPlan
from rouge_cli.statistics.correlation_records import (
    CorrelationColumn,
    CorrelationStudy,
    correlation_plan,
)
from rouge_cli.statistics.correlation_study import CorrelationRequest, correlate_results

__all__ = ["Comparison", "Correlation", "compare_systems", "correlate_with"]

FOR_COMMAND_LINE = {
    "report": "results have methods such as to_json and to_latex",
    "plot": "results have the method to_figure, whose bytes can be written",
    "output": "results have methods such as to_json, whose text can be written",
    "paper_table": "score the texts in each way, and correlate each of the results",
    "conditions": "score the texts in each way, and correlate each of the results",
    "model_sets": "score the texts with each set of models, and correlate each of the results",
}
"""Options without a meaning in Python, and what to do instead."""


class Comparison(Shown):
    """Which of several systems is better; printed, it is the tables of ``compare``.

    Parameters
    ----------
    results : scoring.results.Results
        What was compared.
    """

    __slots__ = ("_found", "_results")

    def __init__(self, found: records.Comparison, results: Results) -> None:
        self._found = found
        self._results = results

    @property
    def pairs(self) -> tuple[PairResult, ...]:
        """Every pair of systems in each metric and measure."""
        return self._found.pairs

    @property
    def rankings(self) -> tuple[Ranking, ...]:
        """The systems in each metric and measure, best first, with the letters of their groups."""
        return self._found.rankings

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the user should know of the inputs and of the tests."""
        return self._found.warnings

    def __repr__(self) -> str:
        """Return how many systems were compared in how many pairs."""
        n_systems, n_pairs = len(self._found.systems), len(self.pairs)
        return f"<Comparison: {n_systems} systems, {n_pairs} pair{'s' * (n_pairs != 1)}>"

    def _view(self) -> FiguredView:
        return ComparisonView(self._found)

    def _page(self) -> PageView:
        return ScoredPage(
            page_results(self._results, self._found.systems, self._found.plan.letters),
            self._found,
            texts_note=NO_TEXTS,
        )


class Correlation(Shown):
    """How well metrics agree with judgements; printed, it is the tables of ``correlate``."""

    __slots__ = ("_found",)

    def __init__(self, found: CorrelationStudy) -> None:
        self._found = found

    @property
    def columns(self) -> tuple[CorrelationColumn, ...]:
        """By judgement, level and coefficient: the correlations of all metrics."""
        return self._found.columns

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics and measures, in the order of the correlations: ``"ROUGE-1 F"``."""
        return tuple(f"{row.metric} {row.letter}" for row in self._found.rows)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the user should know of the inputs, and what was left out."""
        return self._found.warnings

    def __repr__(self) -> str:
        """Return how many metrics and systems there are, and the judgements."""
        return (
            f"<Correlation: {len(self._found.rows)} metrics, {len(self._found.systems)} systems, "
            f"{', '.join(self._found.judgements)}>"
        )

    def _view(self) -> FiguredView:
        return CorrelationView(self._found)

    def _page(self) -> PageView:
        return CorrelationView(self._found)


def compare_systems(results: Any, given: Mapping[str, Any]) -> Comparison:
    """Compare the systems of results, see `rouge_cli.compare`.

    Raises
    ------
    OptionError, InputError
    """
    check_names(given)
    own = ComparisonOptions.of(
        _known(given, ComparisonOptions.options(), ("confidence", "bootstrap"))
    )
    scores = _scores(results, given)
    systems = check_systems(tuple(results.table.systems), own.system_ids)
    plan = TestPlan.of(own, scores)
    return Comparison(compare(results, systems, plan), results)


def correlate_with(results: Any, judgements: Any, given: Mapping[str, Any]) -> Correlation:
    """Correlate results with judgements, see `rouge_cli.correlate`.

    Raises
    ------
    OptionError, InputError
    """
    check_names(given)
    declared = {**CorrelationOptions.options()}
    del declared["judgements"]
    known = _known(given, declared, ("confidence", "resamples"))
    own = CorrelationOptions.of({**known, "judgements": "judgements"})
    scores = _scores(results, given)
    read = _judgements(judgements, own.judgement)
    request = CorrelationRequest(read, correlation_plan(own, scores), unmatched=own.unmatched)
    return Correlation(correlate_results(results, request))


def _known(
    given: Mapping[str, Any], declared: Mapping[str, Option], of_scores: tuple[str, ...]
) -> Mapping[str, Any]:
    """Return what is given; raises OptionError for what is unknown or for the command line."""
    for name, advice in FOR_COMMAND_LINE.items():
        if given.get(name) is not None:
            raise OptionError(f"{name} is for the command line; in Python {advice}")
    known = [name for name in (*declared, *of_scores) if name not in FOR_COMMAND_LINE]
    if unknown := sorted(set(given) - {*known, *FOR_COMMAND_LINE}):
        raise OptionError(f"unknown option {unknown[0]!r}; known are: {', '.join(known)}")
    return given


def _scores(results: Any, given: Mapping[str, Any]) -> ScoreOptions:
    """Check the results; return their confidence and resamples, or those given instead."""
    if not isinstance(results, Results):
        raise OptionError(
            f"results: found {type(results).__name__}, expected what evaluate or evaluate_config "
            "returns"
        )
    if results.options.scores.counting != MEAN_OVER_EVALS:
        raise OptionError(
            f"results: scored with counting={results.options.scores.counting}, expected 0: means "
            "over EVALs"
        )
    asked = {name: given.get(name) for name in ("confidence", "resamples", "bootstrap")}
    read = ScoreOptions.of(asked)
    confidence = read if asked["confidence"] is not None else results.options.scores
    return replace(read, confidence=confidence.confidence)


def _judgements(given: Any, wanted: tuple[str, ...]) -> Judgements:
    """Read judgements from a file, or from rows at hand."""
    if isinstance(given, str | bytes | os.PathLike):
        return read_judgements(os.fsdecode(given), wanted)
    # A data frame gives its rows by this method.
    rows = given.to_dict("records") if hasattr(given, "to_dict") else given
    if isinstance(rows, Mapping) or not isinstance(rows, Iterable):
        raise InputError(
            f"judgements: found {type(given).__name__}, expected the path of a file, a data frame, "
            "or mappings with system, eval and numbers"
        )
    listed = list(rows)
    for place, row in enumerate(listed):
        if not isinstance(row, Mapping):
            raise InputError(
                f"judgements: row {place}: found {type(row).__name__}, expected a mapping with "
                "system, eval and numbers"
            )
        check_names({f"judgements: row {place}": [*row, *row.values()]})
    numbered = (Row(place, row) for place, row in enumerate(listed))
    return gather_judgements(numbered, "judgements", wanted, is_typed=True)
