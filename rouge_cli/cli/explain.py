"""The command ``explain``: why a score is what it is."""

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rouge_cli.cli.arguments import (
    HELP_SETTINGS,
    GroupedCommand,
    checked_options,
    input_arguments,
    options_of,
)
from rouge_cli.cli.compare import SCORING
from rouge_cli.cli.output import check_output, exit_codes, warn, write_output
from rouge_cli.cli.run_context import run_context
from rouge_cli.errors import OptionError
from rouge_cli.options.every import OPTIONS, Options
from rouge_cli.options.explanations import ExplanationOptions

if TYPE_CHECKING:
    from rouge_cli.inputs.source import Source
    from rouge_cli.scoring.explained_evals import ExplainedRun, Question

__all__ = ["command"]

OF_AVERAGES = ("counting", "confidence", "resamples")
"""Options of scores that are about averages over EVALs."""

LAYOUTS_WITHOUT_CONFIG = frozenset({"peers", "duc", "peer_lines"})


def _explain(input_words: tuple[str, ...], **given: Any) -> None:
    """Show why a score is what it is, word by word.

    CONFIG or the options name the texts, and the other options say how they are scored, as for
    score. For each metric: hit, model count and peer count, how the scores come of them, which
    words match, and which of these count. The EVALs are named with --eval, or chosen by their
    scores with --worst and --best. All systems are explained unless SYSTEM_ID or --system-id names
    some.
    """
    with exit_codes():
        own = ExplanationOptions.of(given)
        options = _scoring_options(given)
        from rouge_cli.inputs.source import Source

        source, system_ids = _systems(Source.of(input_words), options)
        inputs = options.inputs
        check_output(own.output, [*source.paths, *inputs.peer_lines, *inputs.model_lines])
        own = replace(own, system_ids=(*own.system_ids, *system_ids))
        run = _explained(source, options, own)
        warn(_without_effect(options))
        warn(run.warnings)
        report = _report(run, own)
    write_output(report, own.output)


def _scoring_options(given: dict[str, Any]) -> Options:
    """Check how EVALs are scored; raises OptionError."""
    options = checked_options(given, *SCORING)
    if options.scores.jackknife:
        raise OptionError(
            "--jackknife scores an EVAL several times, without one model each; leave it out: the "
            "score against each single model is shown anyway"
        )
    return options.changed(all=True)


def _without_effect(options: Options) -> Iterable[str]:
    """Yield a warning for options that move averages, and no score of an EVAL."""
    spellings = [OPTIONS[name].spelling for name in OF_AVERAGES if name in options.explicit]
    if spellings:
        yield f"no effect on the scores of an EVAL: {', '.join(spellings)}"


def _systems(source: "Source", options: Options) -> "tuple[Source, tuple[str, ...]]":
    """Return the input without a SYSTEM_ID, and that system."""
    if options.inputs.list_format is not None:
        # The system of a file list has the name that is given.
        return source, ()
    if LAYOUTS_WITHOUT_CONFIG.intersection(options.inputs.given()) and source.config is not None:
        return type(source)(), (source.config, *source.others)
    _, system_id = source.files(options.inputs.records_format)
    if system_id is None:
        return source, ()
    others = tuple(one for one in source.others if one != system_id)
    return replace(source, others=others), (system_id,)


def _explained(source: "Source", options: Options, own: ExplanationOptions) -> "ExplainedRun":
    """Open the input, and explain what is asked for."""
    from rouge_cli.inputs.layout import open_corpus
    from rouge_cli.scoring.explained_evals import explain
    from rouge_cli.scoring.loaded_scores import saved_inputs

    question = _question(options, own)
    if saved_inputs(source) is not None:
        raise OptionError(
            f"{source.name} holds saved scores, which have no texts; name the texts that they were "
            "made from"
        )
    with run_context() as context, open_corpus(source, options.inputs, options.metrics) as corpus:
        run = explain(corpus, question, options, context)
        return replace(run, warnings=(*corpus.warnings, *run.warnings))


def _question(options: Options, own: ExplanationOptions) -> "Question":
    """Return what is to be explained; raises OptionError."""
    from rouge_cli.metrics.metric import scored_metrics
    from rouge_cli.scoring.eval_order import EvalOrder, sort_key
    from rouge_cli.scoring.explained_evals import Question

    order = None
    if own.worst or own.best:
        key = sort_key(own.sort, scored_metrics(options.metrics))
        order = EvalOrder(*key, own.best, own.worst)
    return Question(own.system_ids, own.eval_ids, order, own.against)


def _report(run: "ExplainedRun", own: ExplanationOptions) -> list[str]:
    """Return the report that is asked for."""
    from rouge_cli.cli.reporting import screen_of
    from rouge_cli.reports.explanations import write_explanation
    from rouge_cli.reports.views.explanation import ExplanationView

    view = ExplanationView(run, with_texts=own.texts)
    return list(write_explanation(view, own.report, screen_of(own.output)))


command = GroupedCommand(
    "explain",
    params=[*input_arguments(), *options_of(ExplanationOptions, *SCORING)],
    callback=_explain,
    help=_explain.__doc__,
    context_settings=HELP_SETTINGS,
)
