"""The command ``selftest``: whether this machine prints what the original printed."""

import os
import sys
from collections.abc import Sequence

import click

from rouge_cli.cli.arguments import checked_options
from rouge_cli.cli.help import HELP_SETTINGS
from rouge_cli.cli.output import exit_codes, say_line, usable_processors, write_output

EXIT_DIFFERENT = 1
"""Something differs, or the stored runs cannot be used."""


@click.command("selftest", context_settings=HELP_SETTINGS)
@click.option(
    "-v", "--verbose", is_flag=True, help="Add versions, platform, encodings and checksums."
)
def command(verbose: bool) -> None:
    """Run again what ROUGE-1.5.5 ran once, and compare what is printed.

    The stored runs have every metric, every option that changes what is printed, and every format.
    Their inputs are written to a temporary folder. Stems, word lists and random draws are compared
    too. Exit code 0: everything is the same to the byte; 1: something differs, or the stored runs
    cannot be used. Please begin a report of a fault with the output of selftest --verbose.
    """
    from rouge_cli.selftest import StoredRunsError

    with exit_codes():
        try:
            lines, is_same = _compared(verbose)
        except StoredRunsError as error:
            say_line(f"Error: {error}")
            sys.exit(EXIT_DIFFERENT)
    write_output(f"{line}\n" for line in lines)
    if not is_same:
        sys.exit(EXIT_DIFFERENT)


def _compared(verbose: bool) -> tuple[list[str], bool]:
    """Compare everything; return the report, and whether all is the same.

    Raises OptionError if the environment names a core that cannot work.
    """
    from rouge_cli.core.choice import check_choice
    from rouge_cli.data import EXCEPTIONS, STOPWORDS
    from rouge_cli.selftest import check_draws, check_list, check_stems, read_stored, reproduce
    from rouge_cli.selftest_report import environment_facts, home_notes, selftest_report

    check_choice()
    stored = read_stored()
    outcomes = reproduce(stored, _printed)
    checks = [
        check_stems(stored.stems),
        check_list("stopwords", STOPWORDS),
        check_list("irregular forms", EXCEPTIONS),
        check_draws(),
    ]
    is_same = all(outcome.is_same for outcome in outcomes) and all(
        check.is_same for check in checks
    )
    facts = [*environment_facts(os.environ, usable_processors()), ""] if verbose else []
    return [*facts, *selftest_report(outcomes, checks, home_notes(os.environ))], is_same


def _printed(arguments: Sequence[str]) -> bytes:
    """Return what ``rouge-cli`` prints, whatever word lists the environment names."""
    from rouge_cli.cli.score import command as score
    from rouge_cli.inputs.source import Source
    from rouge_cli.reports import write_report
    from rouge_cli.reports.views.scores import ScoreView
    from rouge_cli.run.pipeline import RunContext, score_input

    with score.make_context("rouge-cli", list(arguments)) as context:
        typed = context.params
    options = checked_options(typed)
    results = score_input(Source.of(typed["input_words"]), options, RunContext())
    return "".join(write_report(ScoreView(results), "classic")).encode("utf-8", "surrogateescape")
