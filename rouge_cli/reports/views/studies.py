"""Which view shows the result of which study."""

from importlib import import_module
from typing import Any

from rouge_cli.reports import View
from rouge_cli.reports.views.scored_page import NO_TEXTS, ScoredPage
from rouge_cli.studies.study import Answer, Study

__all__ = ["VIEWS", "scored_study_page", "study_view"]

VIEWS = {
    "compare": "rouge_cli.reports.views.comparison:ComparisonView",
    "plan": "rouge_cli.reports.views.plan:PlanView",
    "correlate": "rouge_cli.reports.views.correlation:CorrelationView",
}
"""Name of a study to ``MODULE:CLASS``: the view, which is made from the result of the study."""


def study_view(name: str, answer: Answer) -> View:
    """Return the result of a study as writers take it."""
    module, _, view = VIEWS[name].partition(":")
    shown: View = getattr(import_module(module), view)(answer.result)
    return shown


def scored_study_page(study: Study, answer: Answer, asked: Any) -> ScoredPage:
    """Return the page of a study that shows every EVAL, with its result among the scores.

    Raises
    ------
    ValueError
        If the study has scores of several runs.
    """
    if answer.scores is None:
        raise ValueError("a page of EVALs shows the scores of one run")
    scores = study.page_scores(answer.scores, asked)
    return ScoredPage(scores, answer.result, texts=NO_TEXTS)
