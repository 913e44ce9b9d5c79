"""The command ``correlate``: how well the scores agree with human judgements."""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from rouge_cli.cli.arguments import HELP_SETTINGS, checked_options, options_of
from rouge_cli.cli.output import check_output, exit_codes, warn, write_output
from rouge_cli.cli.own_options import OwnOption, OwnOptionsCommand
from rouge_cli.cli.processors import usable_processors
from rouge_cli.errors import OptionError
from rouge_cli.options import MEAN_OVER_EVALS, METRICS, OPTIONS, Options

if TYPE_CHECKING:
    from rouge_cli.statistics.correlation_records import CorrelationPlan, CorrelationStudy
    from rouge_cli.statistics.correlation_study import CorrelationRequest

__all__ = ["command"]

LEVELS = ("system", "summary", "pooled")
COEFFICIENTS = ("pearson", "spearman", "kendall")
RESAMPLED = ("evals", "systems", "both")
TEXTS = ("as-is", "stem", "stop", "stem+stop")
MODEL_SETS = ("one", "all")
REPORTS = ("table", "json", "csv", "markdown", "latex")
DEFAULT_SEED = 2004

METRIC_OPTIONS = tuple(name for name, option in OPTIONS.items() if option.group == METRICS)
TEXT_OPTIONS = ("stem", "stem_models", "remove_stopwords")

# Options of `score` that say what its report shows, or who is scored: all systems, and no humans,
# as nobody judges these here.
WITHOUT = {"all", "humans", "report", "per_eval", "measures", "sort", "percent", "dry_run",
           "verbose", "require", "baseline", "max_drop"}  # fmt: skip


def _correlate(config: str | None, **given: Any) -> None:
    """Correlate the scores of systems with human judgements.

    CONFIG and the options that take its place are those of score; every system is scored. The
    judgements are a file .csv, .tsv or .jsonl with the columns system, eval and one or more with
    numbers; without eval there is one judgement a system, and only the system level.
    """
    with exit_codes():
        options = _options(given)
        check_output(options.output, (config, given["judgements"], *options.model_lines))
        request = _request(given, options)
        study = _study(config, options, request)
        report = _report(given["report"], study)
    warn(study.warnings)
    write_output(report, options.output)


def _options(given: Mapping[str, Any]) -> Options:
    """Check the options; raises OptionError."""
    if given["paper_table"]:
        _refuse(METRIC_OPTIONS, given, "--paper-table computes its own 17 metrics")
    if given["paper_table"] or given["conditions"]:
        _refuse(TEXT_OPTIONS, given, "the conditions say what is stemmed and removed")
    # The measures of a table are checked as those of score are, whatever the report is here.
    options = checked_options({**given, "report": "table", "all": True})
    if options.counting != MEAN_OVER_EVALS:
        raise OptionError(
            "-t/--counting: correlate works on the means of EVALs; expected 0, found "
            f"'{options.counting}'"
        )
    return options


def _refuse(names: Iterable[str], given: Mapping[str, Any], reason: str) -> None:
    """Refuse options that something else decides."""
    for name in names:
        if given[name] not in (None, ()):
            option = OPTIONS[name]
            spelling = "/".join(filter(None, (option.letter, option.long)))
            raise OptionError(f"{spelling}: {reason}; leave it out")


def _request(given: Mapping[str, Any], options: Options) -> "CorrelationRequest":
    """Read the judgements, and say what to do with them; raises OptionError and InputError."""
    from rouge_cli.scoring.inputs.judgement_file import read_judgements
    from rouge_cli.statistics.correlation_study import CorrelationRequest

    is_paper = given["paper_table"]
    texts = _names("--conditions", given["conditions"], TEXTS)
    model_sets = _names("--model-sets", given["model_sets"], MODEL_SETS)
    if model_sets and not (texts or is_paper):
        raise OptionError("--model-sets is for --conditions and --paper-table")
    plan = _plan(given, options)
    judgements = read_judgements(given["judgements"], given["judgement"])
    return CorrelationRequest(
        judgements,
        plan,
        texts or (TEXTS[:3] if is_paper else ()),
        model_sets or (() if is_paper else ("all",)),
        has_paper_metrics=is_paper,
        skips_unmatched=given["unmatched"] == "skip",
    )


def _plan(given: Mapping[str, Any], options: Options) -> "CorrelationPlan":
    """Say what to correlate and how; the paper's table is one of Pearson's, of recall."""
    from rouge_cli.statistics.correlation_records import CorrelationPlan

    is_paper = given["paper_table"]
    return CorrelationPlan(
        given["level"] or (("system",) if is_paper else ()),
        _in_order(COEFFICIENTS, given["coefficient"] or (COEFFICIENTS[:1] if is_paper else ())),
        options.measures or ("R" if is_paper else "F"),
        given["resample"],
        options.resamples,
        options.confidence,
        given["seed"],
        given["pairs"],
    )


def _in_order(known: Sequence[str], wanted: Sequence[str]) -> tuple[str, ...]:
    """Return those wanted, each once; all if none is."""
    return tuple(one for one in known if one in wanted or not wanted)


def _names(option: str, given: str | None, known: Sequence[str]) -> tuple[str, ...]:
    """Read names with commas between; raises OptionError."""
    if given is None:
        return ()
    names = tuple(dict.fromkeys(name.strip().lower() for name in given.split(",")))
    if not set(names) <= set(known):
        raise OptionError(
            f"{option}: found {given!r}, expected one or more of {', '.join(known)}, with commas "
            "between"
        )
    return names


def _study(
    config: str | None, options: Options, request: "CorrelationRequest"
) -> "CorrelationStudy":
    """Score and correlate."""
    from rouge_cli.cli.progress import ProgressBar
    from rouge_cli.scoring.context import RunContext
    from rouge_cli.statistics.correlation_study import study_correlations

    with ProgressBar() as progress:
        context = RunContext(os.environ, progress, usable_processors())
        return study_correlations(config, replace(options, resamples=0), request, context)


def _report(kind: str, study: "CorrelationStudy") -> Iterable[str]:
    """Return the report that is asked for."""
    report = import_module(f"rouge_cli.reports.correlation_{kind}").correlation_report
    parts: Iterable[str] = report(study)
    return parts


def _choice(values: Sequence[str]) -> "click.Choice[str]":
    """Return one of several words, in any case."""
    return click.Choice(values, case_sensitive=False)


def _own_options() -> list[click.Parameter]:
    """Return the options that only this command has."""
    return [
        OwnOption(["--judgements"], metavar="FILE", required=True,
                     help="Judgements: .csv, .tsv or .jsonl with system, eval and numbers."),
        OwnOption(["--judgement"], metavar="COLUMN", multiple=True,
                     help="A column of it to take, once for each; all with numbers."),
        OwnOption(["--unmatched"], type=_choice(("error", "skip")), default="error",
                     help="Systems and EVALs without scores or judgements: an error, or left out."),
        OwnOption(["--level"], type=_choice(LEVELS), multiple=True,
                     help="Correlate system means, within each EVAL, or all cells; all three."),
        OwnOption(["--coefficient"], type=_choice(COEFFICIENTS), multiple=True,
                     help="Which coefficients; all three."),
        OwnOption(["--measures"], metavar="LETTERS",
                     help="Which of R, P and F; F, with --paper-table R."),
        OwnOption(["--resample"], type=_choice(RESAMPLED), default="both",
                     help="What the resamples of the intervals draw; both."),
        OwnOption(["--seed"], type=click.IntRange(0, 2**32 - 1), default=DEFAULT_SEED, metavar="N",
                     help=f"Seed of all random draws; {DEFAULT_SEED}."),
        OwnOption(["--pairs"], is_flag=True, help="Test every two metrics against each other."),
        OwnOption(["--paper-table"], is_flag=True,
                     help="The table of the paper: its 17 metrics, under all conditions."),
        OwnOption(["--conditions"], metavar="LIST",
                     help="Score texts in these ways: as-is,stem,stop,stem+stop."),
        OwnOption(["--model-sets"], metavar="LIST",
                     help="Score with the first model of each EVAL, or with all: one,all."),
        OwnOption(["--report"], type=_choice(REPORTS), default="table",
                     help="table, json, csv, markdown or latex."),
    ]  # fmt: skip


def _scoring_options() -> list[click.Parameter]:
    """Return the options of score that have a meaning here."""
    every = options_of(option.group for option in OPTIONS.values())
    return [parameter for parameter in every if parameter.name not in WITHOUT]


command = OwnOptionsCommand(
    "correlate",
    params=[
        click.Argument(["config"], metavar="CONFIG", required=False),
        *_own_options(),
        *_scoring_options(),
    ],
    callback=_correlate,
    help=_correlate.__doc__,
    context_settings=HELP_SETTINGS,
)
