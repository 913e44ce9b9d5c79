"""The command ``explain``, which shows why a score is what it is."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rouge_cli.cli.arguments import (
    GroupedCommand,
    input_arguments,
    options_of,
    source_and_options,
)
from rouge_cli.cli.output import (
    check_outputs,
    exit_codes,
    run_context,
    screen_of,
    warn,
    write_output,
)
from rouge_cli.cli.pages import named_inputs, user_notes
from rouge_cli.errors import OptionError
from rouge_cli.inputs.source import Source
from rouge_cli.options.options import SCORING, Options, left_out
from rouge_cli.options.reports import OUTPUT_OPTION, ExplanationOptions

if TYPE_CHECKING:
    from rouge_cli.explanations.explained_evals import ExplainedRun
    from rouge_cli.reports import View


def _explain(input_words: tuple[str, ...], **typed: Any) -> None:
    """Show why a score is what it is, word by word.

    CONFIG or the options name the texts, and the other options say how they are scored, as for
    score. For each metric: hit, reference count and prediction count, how the scores come of them,
    which words match, and which of these count. The texts are named with --eval, or chosen by their
    scores with --worst and --best. All systems are explained unless SYSTEM_ID or --system-id names
    some.
    """
    with exit_codes():
        asked = ExplanationOptions.of(typed)
        source, spelled, checked = source_and_options(input_words, typed)
        options = checked(spelled, *SCORING).changed(all=True)
        source, system_ids = _systems(source, options)
        paths = named_inputs(source, options, asked.page_notes)
        replaced = check_outputs([(asked.output, OUTPUT_OPTION)], paths)
        source = replace(source, outputs=replaced)
        notes = user_notes(asked.page_notes)
        asked = replace(asked, system_ids=(*asked.system_ids, *system_ids))
        run = _explained(source, options, asked)
        warn(run.warnings)
        report = _report(run, asked, notes)
    write_output(report, asked.output)


def _systems(source: Source, options: Options) -> "tuple[Source, tuple[str, ...]]":
    """Separate the SYSTEM_ID from the input."""
    from rouge_cli.inputs.layout import LAYOUTS

    if options.inputs.list_format is not None:
        # SYSTEM_ID names the system of a file list.
        return source, ()
    in_place_of_config = {layout.selector for layout in LAYOUTS if not layout.takes_config}
    if in_place_of_config & {*options.inputs.given()} and source.config is not None:
        return type(source)(), (source.config, *source.others)
    _, system_id = source.files(options.inputs.records_format)
    if system_id is None:
        return source, ()
    others = tuple(word for word in source.others if word != system_id)
    return replace(source, others=others), (system_id,)


def _explained(source: Source, options: Options, asked: ExplanationOptions) -> "ExplainedRun":
    from rouge_cli.explanations.explained_evals import Question, explain
    from rouge_cli.inputs.layout import open_input
    from rouge_cli.scores.saved_scores import saved_inputs

    question = Question.from_options(options, asked)
    if saved_inputs(source) is not None:
        raise OptionError(
            f"{source.name} holds saved scores, which have no texts; name the texts that they were "
            "made from"
        )
    with run_context() as context:
        opened = open_input(source, options.inputs, options.metrics)
        return explain(opened, question, options, context)


def _report(run: "ExplainedRun", asked: ExplanationOptions, notes: str) -> list[str]:
    from rouge_cli.explanations.view import ExplanationView
    from rouge_cli.reports import write_report

    view: View = ExplanationView(run, with_texts=asked.texts)
    if asked.page_title is not None or notes:
        from rouge_cli.reports.page import Labelled

        view = Labelled(view, asked.page_title, notes=notes)
    return list(write_report(view, asked.report, screen_of(asked.output)))


command = GroupedCommand(
    "explain",
    _explain,
    [*input_arguments(), *options_of(ExplanationOptions, *SCORING, without=left_out("explain"))],
)
