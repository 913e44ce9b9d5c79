"""The command ``compare``: which of several systems is better, and which cannot be told apart."""

import os
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from rouge_cli.cli.arguments import HELP_SETTINGS, checked_options, options_of
from rouge_cli.cli.output import check_output, exit_codes, warn, write_output
from rouge_cli.cli.own_options import OwnOption, OwnOptionsCommand
from rouge_cli.cli.processors import usable_processors
from rouge_cli.errors import OptionError
from rouge_cli.option_values import choice, measures, path, whole
from rouge_cli.options import GATES, MEAN_OVER_EVALS, OPTIONS, OUTPUT, Options

if TYPE_CHECKING:
    from rouge_cli.statistics.comparison_records import Comparison

__all__ = ["command"]

REPORTS = ("table", "json", "csv", "markdown", "latex")

READERS: Mapping[str, tuple[str, Callable[[Any], Any], Any]] = {
    "measures": ("--measures", measures, "F"),
    "resamples": (
        "-r/--resamples",
        whole(1, 10_000_000, "a whole number from 1 to 10000000"),
        10_000,
    ),
    "seed": ("--seed", whole(0, 2**32 - 1, "a whole number from 0 to 4294967295"), 2004),
    "report": ("--report", choice(*REPORTS), "table"),
    "output": ("-o/--output", path, None),
}
"""The options of this command that have a value: how each is spelt and read, and its default."""

NOT_TAKEN = frozenset({"all", "resamples"})
"""All systems are scored anyway, and the scores need no bootstrap of their own."""


def _compare(config: str | None, system_ids: tuple[str, ...], **given: Any) -> None:
    """Say which of several systems is better, and which differences could be chance.

    CONFIG or the options name the texts, as for score; all systems in them are compared, or those
    that --system-id names. Each pair is tested in each metric, on the EVALs that both systems
    have, by paired bootstrap and by approximate randomisation, two-sided. p is also given after
    Holm's correction over all pairs and metrics. Systems that share a letter cannot be told apart.
    """
    with exit_codes():
        own = {name: _read(name, given.pop(name)) for name in READERS}
        options = _scoring_options(given)
        check_output(own["output"], [config, *options.peer_lines, *options.model_lines])
        comparison = _compared(config, system_ids, options, own)
        warn(comparison.warnings)
        module = import_module(f"rouge_cli.reports.comparison_{own['report']}")
        report = list(module.comparison_report(comparison))
    write_output(report, own["output"])


def _read(name: str, given: Any) -> Any:
    """Read the value of an option, or say what was expected in its place."""
    spelling, reader, default = READERS[name]
    if given is None:
        return default
    try:
        return reader(given)
    except ValueError as error:
        raise OptionError(f"{spelling}: found {given!r}, expected {error}") from None


def _scoring_options(given: Mapping[str, Any]) -> Options:
    """Check the options of the scores, which are means over EVALs, of all systems."""
    options = checked_options({**given, "all": True, "resamples": 0})
    if options.counting != MEAN_OVER_EVALS:
        raise OptionError(
            f"-t/--counting: found '{options.counting}', expected 0; the tests are on means over "
            "EVALs, and counts that are pooled over EVALs have no scores to draw from"
        )
    return options


def _compared(
    config: str | None, system_ids: tuple[str, ...], options: Options, own: Mapping[str, Any]
) -> "Comparison":
    """Score all systems, and compare those that are asked for."""
    from rouge_cli.cli.progress import ProgressBar
    from rouge_cli.scoring.context import RunContext
    from rouge_cli.scoring.inputs.opening import open_corpus
    from rouge_cli.scoring.pipeline import score_corpus
    from rouge_cli.statistics.comparison import check_systems, compare
    from rouge_cli.statistics.comparison_records import TestPlan

    # By its shortest decimal form, so that 99.9 leaves a level of exactly 0.001.
    confidence = Fraction(repr(options.confidence.value)) / 100
    plan = TestPlan(own["measures"], own["resamples"], own["seed"], confidence)
    with open_corpus(config, None, options) as corpus, ProgressBar() as progress:
        systems = check_systems(corpus.systems, system_ids)
        context = RunContext(os.environ, progress, usable_processors())
        results = score_corpus(corpus, options, context)
    return compare(results, systems, plan)


def _parameters() -> Iterable[click.Parameter]:
    """Yield the arguments and options: those of this command, and those of the scores."""
    yield click.Argument(["config"], metavar="CONFIG", required=False)
    for names, metavar, explained in (
        (["measures", "--measures"], "LETTERS", "Which of R, P and F to compare, such as RPF; F."),
        (["resamples", "--resamples", "-r"], "N", "Number of resamples of each test; 10000."),
        (["seed", "--seed"], "N", "Seed of the resamples, printed in each report; 2004."),
        (["report", "--report"], "KIND", "table, json, csv, markdown or latex; table."),
        (["output", "--output", "-o"], "FILE", "Write to FILE, whole or not at all."),
    ):
        yield OwnOption(names, metavar=metavar, help=explained)
    yield OwnOption(
        ["system_ids", "--system-id"],
        metavar="ID",
        multiple=True,
        help="Compare this system, once for each; all without it.",
    )
    groups = {option.group for option in OPTIONS.values()} - {OUTPUT, GATES}
    yield from (one for one in options_of(groups) if one.name not in NOT_TAKEN)


command = OwnOptionsCommand(
    "compare",
    params=list(_parameters()),
    callback=_compare,
    help=_compare.__doc__,
    context_settings=HELP_SETTINGS,
)
