"""The command ``correlate``: how well the scores agree with human judgements."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from rouge_cli.cli.arguments import (
    HELP_SETTINGS,
    GroupedCommand,
    checked_options,
    input_arguments,
    options_of,
)
from rouge_cli.cli.output import exit_codes, warn, write_output
from rouge_cli.cli.pages import (
    drawn_files,
    named_inputs,
    origin_of,
    study_pages,
    write_drawings,
)
from rouge_cli.cli.run_context import run_context
from rouge_cli.errors import OptionError
from rouge_cli.options.beside import BesideOptions
from rouge_cli.options.every import OPTIONS, Options
from rouge_cli.options.inputs import InputOptions
from rouge_cli.options.metrics import MetricOptions
from rouge_cli.options.pages import CORRELATION_FIGURES, PageOptions
from rouge_cli.options.presets import PresetOptions
from rouge_cli.options.reports import RunOptions
from rouge_cli.options.scores import MEAN_OVER_EVALS, ScoreOptions
from rouge_cli.options.studies import CorrelationOptions
from rouge_cli.options.texts import TextOptions

if TYPE_CHECKING:
    from rouge_cli.inputs.source import Source
    from rouge_cli.statistics.correlation_records import CorrelationStudy
    from rouge_cli.statistics.correlation_study import CorrelationRequest

__all__ = ["command"]

SCORING = (
    *(PresetOptions, MetricOptions, TextOptions, ScoreOptions, InputOptions, BesideOptions),
    RunOptions,
)
PAPER_TEXTS = ("as-is", "stem", "stop")

NOT_TAKEN = frozenset({"all", "humans", "page_texts", "bootstrap"})
"""All systems are scored anyway, no humans, as nobody judges these here; a page has no texts."""


def _correlate(input_words: tuple[str, ...], **given: Any) -> None:
    """Correlate the scores of systems with human judgements.

    CONFIG and the options that take its place are those of score; every system is scored. The
    judgements are a file .csv, .tsv or .jsonl with the columns system, eval and one or more with
    numbers; without eval there is one judgement a system, and only the system level.
    """
    with exit_codes():
        from rouge_cli.inputs.source import Source

        own = CorrelationOptions.of(given)
        source = Source.of(input_words, takes_system=False)
        options = _scoring_options(given, own)
        paths = named_inputs(source, options, own.judgements)
        pages, is_page = study_pages(given, own.report, own.output, paths, CORRELATION_FIGURES)
        study = _study(source, options, _request(source, own, options))
        from rouge_cli.reports import write_report
        from rouge_cli.reports.views.correlation import CorrelationView

        view = CorrelationView(study, origin_of(paths)) if is_page else CorrelationView(study)
        drawings = drawn_files(view, pages.plot, "agreement")
        report = list(write_report(view, own.report))
    warn(study.warnings)
    write_drawings(drawings)
    write_output(report, own.output)


def _scoring_options(given: Mapping[str, Any], own: CorrelationOptions) -> Options:
    """Check the options of the scores; raises OptionError."""
    if own.paper_table:
        metrics = (*PresetOptions.options(), *MetricOptions.options(), "column", "scores", "fuse")
        _refuse(metrics, given, "--paper-table computes its own 17 metrics")
    if own.paper_table or own.conditions:
        texts = ("preset", "stem", "stem_models", "remove_stopwords")
        _refuse(texts, given, "the conditions say what is stemmed and removed")
    options = checked_options({**given, "all": True}, *SCORING)
    if options.scores.counting != MEAN_OVER_EVALS:
        raise OptionError(
            "-t/--counting: correlate works on the means of EVALs; expected 0, found "
            f"'{options.scores.counting}'"
        )
    return options


def _refuse(names: Iterable[str], given: Mapping[str, Any], reason: str) -> None:
    """Refuse options that something else decides."""
    for name in names:
        if given[name] not in (None, ()):
            raise OptionError(f"{OPTIONS[name].spelling}: {reason}; leave it out")


def _request(source: "Source", own: CorrelationOptions, options: Options) -> "CorrelationRequest":
    """Read the judgements, and say what to do with them; raises OptionError and InputError."""
    from rouge_cli.inputs.judgements import read_judgements
    from rouge_cli.statistics.correlation_records import correlation_plan
    from rouge_cli.statistics.correlation_study import CorrelationRequest

    if own.judgements is not None:
        judgements = read_judgements(own.judgements, own.judgement)
    else:
        from rouge_cli.inputs.judged_records import read_judged_records

        judgements = read_judged_records(source, own.judgement, options.inputs)
    return CorrelationRequest(
        judgements,
        correlation_plan(own, options.scores),
        own.conditions or (PAPER_TEXTS if own.paper_table else ()),
        own.model_sets or (() if own.paper_table else ("all",)),
        has_paper_metrics=own.paper_table,
        unmatched=own.unmatched,
    )


def _study(source: "Source", options: Options, request: "CorrelationRequest") -> "CorrelationStudy":
    """Score and correlate."""
    from rouge_cli.statistics.correlation_study import study_correlations

    with run_context() as context:
        return study_correlations(source, options.changed(resamples=0), request, context)


command = GroupedCommand(
    "correlate",
    params=[
        *input_arguments(takes_system=False),
        *options_of(CorrelationOptions, PageOptions, *SCORING, without=NOT_TAKEN),
    ],
    callback=_correlate,
    help=_correlate.__doc__,
    context_settings=HELP_SETTINGS,
)
