"""The command ``explain``: why a score is what it is."""

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rouge_cli.cli.arguments import (
    SCORING,
    GroupedCommand,
    checked_options,
    input_arguments,
    options_of,
)
from rouge_cli.cli.help import HELP_SETTINGS
from rouge_cli.cli.output import (
    OUTPUT_OPTION,
    check_outputs,
    exit_codes,
    run_context,
    screen_of,
    warn,
    write_output,
)
from rouge_cli.errors import OptionError
from rouge_cli.inputs.source import Source
from rouge_cli.options.options import OPTIONS, Options
from rouge_cli.options.reports import ExplanationOptions

if TYPE_CHECKING:
    from rouge_cli.explain.explained_evals import ExplainedRun, Question
    from rouge_cli.reports import View


def _explain(input_words: tuple[str, ...], **typed: Any) -> None:
    """Show why a score is what it is, word by word.

    CONFIG or the options name the texts, and the other options say how they are scored, as for
    score. For each metric: hit, model count and peer count, how the scores come of them, which
    words match, and which of these count. The EVALs are named with --eval, or chosen by their
    scores with --worst and --best. All systems are explained unless SYSTEM_ID or --system-id names
    some.
    """
    with exit_codes():
        asked = ExplanationOptions.of(typed)
        options = _scoring_options(typed)
        source, system_ids = _systems(Source.of(input_words), options)
        inputs = options.inputs
        outputs = [(asked.output, OUTPUT_OPTION)]
        paths = [*source.paths, *inputs.peer_lines, *inputs.model_lines]
        source = replace(source, outputs=check_outputs(outputs, paths))
        asked = replace(asked, system_ids=(*asked.system_ids, *system_ids))
        run = _explained(source, options, asked)
        warn(_without_effect(options))
        warn(run.warnings)
        report = _report(run, asked)
    write_output(report, asked.output)


def _scoring_options(typed: dict[str, Any]) -> Options:
    """Check how EVALs are scored; raises OptionError."""
    options = checked_options(typed, *SCORING)
    if options.scores.jackknife:
        raise OptionError(
            "--jackknife scores an EVAL several times, without one model each; leave it out: the "
            "score against each single model is shown anyway"
        )
    return options.changed(all=True)


def _without_effect(options: Options) -> Iterable[str]:
    """Yield a warning for options that have no effect on the score of an EVAL."""
    explicit = [declared for name, declared in OPTIONS.items() if name in options.explicit]
    spellings = [declared.spelling for declared in explicit if declared.of_averages]
    if spellings:
        yield f"no effect on the scores of an EVAL: {', '.join(spellings)}"


def _systems(source: Source, options: Options) -> "tuple[Source, tuple[str, ...]]":
    """Return the input without a SYSTEM_ID, and that system."""
    from rouge_cli.inputs.layout import LAYOUTS

    if options.inputs.list_format is not None:
        # In a file list, SYSTEM_ID is the name that its system gets.
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
    """Open the input and explain it."""
    from rouge_cli.explain.explained_evals import explain
    from rouge_cli.inputs.layout import open_corpus
    from rouge_cli.scores.saved_scores import saved_inputs

    question = _question(options, asked)
    if saved_inputs(source) is not None:
        raise OptionError(
            f"{source.name} holds saved scores, which have no texts; name the texts that they were "
            "made from"
        )
    with run_context() as context, open_corpus(source, options.inputs, options.metrics) as corpus:
        run = explain(corpus, question, options, context)
        return replace(run, warnings=(*corpus.warnings, *run.warnings))


def _question(options: Options, asked: ExplanationOptions) -> "Question":
    """Return which systems and EVALs to explain; raises OptionError."""
    from rouge_cli.explain.explained_evals import Question
    from rouge_cli.metrics.metric import scored_metrics
    from rouge_cli.scores.results import EvalOrder, sort_key

    order = None
    if asked.worst or asked.best:
        metric, letter = sort_key(asked.sort, scored_metrics(options.metrics))
        order = EvalOrder(metric.name, letter, asked.best, asked.worst, metric.is_lower_better)
    return Question(asked.system_ids, asked.eval_ids, order, asked.against)


def _report(run: "ExplainedRun", asked: ExplanationOptions) -> list[str]:
    """Return the report."""
    from rouge_cli.reports import write_report
    from rouge_cli.reports.views.explanation import ExplanationView

    view: View = ExplanationView(run, with_texts=asked.texts)
    if asked.page_title is not None:
        from rouge_cli.reports.page import Labelled

        view = Labelled(view, asked.page_title)
    return list(write_report(view, asked.report, screen_of(asked.output)))


command = GroupedCommand(
    "explain",
    params=[*input_arguments(), *options_of(ExplanationOptions, *SCORING)],
    callback=_explain,
    help=_explain.__doc__,
    context_settings=HELP_SETTINGS,
)
