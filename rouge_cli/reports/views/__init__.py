"""The view of each study."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from rouge_cli.reports import View

if TYPE_CHECKING:
    from rouge_cli.options.studies import StudyOptions

STUDY_VIEWS = {
    "compare": "rouge_cli.studies.compare.view:ComparisonView",
    "plan": "rouge_cli.studies.plan.view:PlanView",
    "correlate": "rouge_cli.studies.correlate.view:CorrelationView",
    "identify": "rouge_cli.studies.identify.view:IdentificationView",
    "context": "rouge_cli.studies.context.view:ContextView",
    "protocols": "rouge_cli.studies.protocols.view:ProtocolsView",
}
"""Study to ``MODULE:CLASS`` of the view, which takes the study's result."""


def study_view(name: str, answer: Any, asked: "StudyOptions") -> View:
    """Return the view of the result in an `Answer` of a study."""
    module, _, class_name = STUDY_VIEWS[name].partition(":")
    more = {"is_verbose": True} if asked.verbose else {}
    view: View = getattr(import_module(module), class_name)(answer.result, **more)
    return view
