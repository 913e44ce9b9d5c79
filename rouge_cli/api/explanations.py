"""Explanations of scores in Python: the implementation of `rouge_cli.explain`."""

from collections.abc import Mapping
from typing import Any

from rouge_cli.api.arguments import DISPLAYED, check_python_options, with_python_errors
from rouge_cli.api.studies import given_source
from rouge_cli.errors import OptionError
from rouge_cli.explanations import ExplainedEval, ExplainedRun, Question, explain
from rouge_cli.explanations.view import ExplanationView
from rouge_cli.inputs.layout import open_input
from rouge_cli.options.options import left_out
from rouge_cli.options.studies import ExplanationOptions
from rouge_cli.reports import View
from rouge_cli.run.pipeline import RunContext
from rouge_cli.scores.reportable import Reportable


class Explanation(Reportable):
    """The explanation of some scores. It is printed like the output of the command ``explain``.

    Parameters
    ----------
    run : ExplainedRun
    with_texts : bool
        Whether the original texts are shown, too.
    """

    __slots__ = ("_run", "_with_texts")

    def __init__(self, run: ExplainedRun, *, with_texts: bool) -> None:
        self._run, self._with_texts = run, with_texts

    @property
    def evals(self) -> tuple[ExplainedEval, ...]:
        """The EVALs in the requested order, each with its models and explained peers."""
        return self._run.evals

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings about the inputs."""
        return self._run.warnings

    def __repr__(self) -> str:
        """Return the number of explained EVALs."""
        n_evals = len(self.evals)
        return f"<Explanation: {n_evals} text{'s' * (n_evals != 1)}>"

    def _view(self) -> View:
        return ExplanationView(self._run, with_texts=self._with_texts)

    def _page(self) -> View:
        return self._view()


@with_python_errors
def explain_given(predictions: Any, references: Any, given: Mapping[str, Any]) -> Explanation:
    """Explain the scores of texts in memory, as described at `rouge_cli.explain`.

    Raises
    ------
    OptionError, InputError
    """
    declared = ExplanationOptions.options()
    check_python_options(declared, given)
    choices = ExplanationOptions.of(
        {name: value for name, value in given.items() if name in declared}
    )
    scoring = {name: value for name, value in given.items() if name not in declared}
    if shown := sorted({*DISPLAYED, *left_out("explain")} & scoring.keys()):
        raise OptionError(f"{shown[0]}: an explanation has no such option")
    if isinstance(predictions, str):
        predictions, references = [predictions], [references]
    source, options = given_source(predictions, references, scoring)
    question = Question.from_options(options, choices)
    opened = open_input(source, options.inputs, options.metrics)
    run = explain(opened, question, options, RunContext())
    return Explanation(run, with_texts=choices.texts)
