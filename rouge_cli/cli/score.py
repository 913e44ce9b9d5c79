"""The command ``score``: all of ROUGE-1.5.5."""

import os
from collections.abc import Iterator
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from rouge_cli.cli.help import LONG_HELP, write_grouped_options
from rouge_cli.cli.output import fail, interrupted, write_output
from rouge_cli.cli.processors import usable_processors
from rouge_cli.errors import InputError, OptionError, RougeError
from rouge_cli.options import OPTIONS, RAW_COUNTS, Option, Options

if TYPE_CHECKING:
    from rouge_cli.cli.progress import ProgressBar
    from rouge_cli.scoring.results import Results

__all__ = ["command"]


class ScoreCommand(click.Command):
    """A command whose help shows the options in groups."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, group by group."""
        write_grouped_options(self, ctx, formatter)


def _click_option(field_name: str, option: Option) -> click.Option:
    """Make the Click option of a field; values stay as typed until `Options.of` reads them."""
    names = [field_name, option.long] + ([option.letter] if option.letter else [])
    if option.metavar is None:
        return click.Option(names, is_flag=True, default=None, help=option.help)
    return click.Option(
        names, metavar=option.metavar, multiple=option.is_many, default=None, help=option.help
    )


def _show_long_help(ctx: click.Context, parameter: click.Parameter, value: bool) -> None:
    """Print the long usage and end."""
    if value and not ctx.resilient_parsing:
        click.echo(ctx.get_help() + "\n\n" + LONG_HELP)
        ctx.exit()


def _score(config: str | None, system_id: str | None, **given: Any) -> None:
    """Score the summaries that CONFIG names against their models.

    CONFIG is the original's XML configuration or, with -z, a file list; SYSTEM_ID is the system to
    score, unless -a asks for every one. Results go to standard output, all else to standard error.
    """
    try:
        report = _run(config, system_id, _options(given))
    except OptionError as error:
        raise click.UsageError(str(error)) from None
    except InputError as error:
        fail(error.problems)
    except RougeError as error:
        fail([str(error)])
    except MemoryError:
        fail(["not enough memory for this run"])
    except KeyboardInterrupt:
        interrupted()
    write_output(report)


def _options(given: dict[str, Any]) -> Options:
    """Check the options; switches that turn something off come here as True."""
    values = {
        name: (False if OPTIONS[name].off and value else value) for name, value in given.items()
    }
    options = Options.of(values)
    if options.resamples == 0 and options.counting != RAW_COUNTS:
        raise OptionError(
            "-r/--resamples: found '0', expected a whole number from 1 on; the classic report "
            "needs a bootstrap"
        )
    return options


def _run(config: str | None, system_id: str | None, options: Options) -> Iterator[str]:
    """Score, say what there is to say, and return the report."""
    from rouge_cli.cli.diagnostics import diagnostics
    from rouge_cli.cli.progress import ProgressBar
    from rouge_cli.reports.classic import classic_report

    start = perf_counter()
    with ProgressBar() as progress:
        results = _scored(config, system_id, options, progress)
    for warning in results.warnings:
        click.echo(f"Warning: {warning}", err=True)
    if options.all and system_id is not None and options.list_format is None:
        click.echo(f"Warning: SYSTEM_ID {system_id!r} has no effect: -a scores all", err=True)
    if options.verbose:
        for line in diagnostics(config or "line files", results, start):
            click.echo(line, err=True)
    return classic_report(results)


def _scored(
    config: str | None, system_id: str | None, options: Options, progress: "ProgressBar"
) -> "Results":
    """Score the input that is given: a configuration, or line files."""
    from rouge_cli.scoring.context import RunContext
    from rouge_cli.scoring.pipeline import score_config, score_lines

    context = RunContext(os.environ, progress, usable_processors())
    if config is None and options.peer_lines:
        return score_lines(options, context)
    if config is None:
        raise OptionError("no CONFIG: name the configuration, the file list (-z) or --peer-lines")
    return score_config(config, system_id, options, context)


command = ScoreCommand(
    "score",
    params=[
        click.Argument(["config"], metavar="CONFIG", required=False),
        click.Argument(["system_id"], metavar="[SYSTEM_ID]", required=False),
        *(_click_option(name, option) for name, option in OPTIONS.items()),
        click.Option(
            ["-H", "--long-help"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_show_long_help,
            help="Show formats and examples too, and exit.",
        ),
    ],
    callback=_score,
    help=_score.__doc__,
    context_settings={"help_option_names": ["-h", "--help"]},
)
