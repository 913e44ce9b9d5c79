"""The command ``rouge-cli``: finds the command that is asked for, ``score`` if none is named.

Commands are imported when they are called, so ``--version`` costs no more than Click.
"""

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import click

from rouge_cli import __version__
from rouge_cli.cli.names import COMPLETION_VARIABLE, FIRST_WORD, GIVEN_WORDS, near_command
from rouge_cli.cli.streams import say

__all__ = ["COMMANDS", "cli", "run"]

COMMANDS = {
    "score": "rouge_cli.cli.score",
    "explain": "rouge_cli.cli.explain",
    "compare": "rouge_cli.cli.compare",
    "plan": "rouge_cli.cli.plan",
    "correlate": "rouge_cli.cli.correlate",
    "jackknife": "rouge_cli.cli.jackknife",
    "convert": "rouge_cli.cli.convert",
    "selftest": "rouge_cli.cli.selftest",
    "install-shim": "rouge_cli.cli.install_shim",
    "completion": "rouge_cli.cli.completion",
    "help": "rouge_cli.cli.help",
}
DEFAULT_COMMAND = "score"
OWN_OPTIONS = ("--help", "--version")
"""What belongs to no command, if it stands first."""
VERBOSE = {"-v", "--verbose"}


class _PastClick(Exception):  # noqa: N818
    """Carries an exception past Click, which would end on it with the exit code of a threshold."""

    def __init__(self, error: BaseException) -> None:
        self.error = error


@contextmanager
def _past_click() -> Iterator[None]:
    """Take past Click what it has an opinion of."""
    try:
        yield
    except (KeyboardInterrupt, EOFError, OSError) as error:
        raise _PastClick(error) from error


class _Context(click.Context):
    """A context whose help is as wide as the terminal."""

    def make_formatter(self) -> click.HelpFormatter:
        """Return what writes help; the width is looked up no earlier."""
        from rouge_cli.cli.help import help_width

        return self.formatter_class(width=help_width())


class CommandGroup(click.Group):
    """A group whose first argument may leave out the command's name."""

    context_class = _Context

    def make_context(self, *arguments: Any, **settings: Any) -> click.Context:
        """Read the arguments of the group."""
        with _past_click():
            return super().make_context(*arguments, **settings)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return a command."""
        module = COMMANDS.get(cmd_name)
        if module is None:
            return None
        command: click.Command = import_module(module).command
        command.context_class = self.context_class
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the name of the default command in front of arguments that name none."""
        if args[:1] == ["--version"] and VERBOSE & {*args[1:]} and not ctx.resilient_parsing:
            from rouge_cli.core.choice import describe_core

            click.echo(f"rouge-cli {__version__}\ncore: {describe_core()}")
            ctx.exit()
        if not args or args[0] not in {*COMMANDS, *OWN_OPTIONS}:
            if args and not ctx.resilient_parsing:
                _refuse_misspelt(args[0])
            # A shell may ask how the first word goes on.
            ctx.meta[FIRST_WORD] = not args
            ctx.meta[GIVEN_WORDS] = args
            args = [DEFAULT_COMMAND, *args]
        return super().parse_args(ctx, args)

    def main(self, *args: Any, **more: Any) -> Any:
        """Run the command line, or tell a shell how a word goes on."""
        if COMPLETION_VARIABLE in os.environ:
            from rouge_cli.cli.completion import register_bash

            register_bash()
        return super().main(*args, **more)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the front page."""
        from rouge_cli.cli.help import write_front_page

        write_front_page(self, ctx, formatter)

    def invoke(self, ctx: click.Context) -> Any:
        """Import the command, read its arguments, and run it."""
        with _past_click():
            return super().invoke(ctx)


def _refuse_misspelt(word: str) -> None:
    """Refuse a word that is no file and resembles a command; raises UsageError."""
    close = near_command(word, COMMANDS)
    if close is not None and not os.path.lexists(word):
        raise click.UsageError(f"no command and no file '{word}'; did you mean '{close}'?")


@click.group(
    cls=CommandGroup,
    context_settings={
        "help_option_names": ["--help"],
    },
    options_metavar="[COMMAND] [OPTIONS]",
    subcommand_metavar="INPUT...",
)
@click.version_option(__version__, message="rouge-cli %(version)s")
def cli() -> None:
    """Score summaries as ROUGE-1.5.5 does, to the byte."""


def run() -> int:
    """Run the command line; return its exit code.

    Raises
    ------
    OSError, KeyboardInterrupt, SystemExit
        What ends a run and is no fault of its inputs.
    """
    try:
        code = cli.main(prog_name="rouge-cli", standalone_mode=False)
    except click.ClickException as error:
        message = io.StringIO()
        error.show(message)
        say(message.getvalue().rstrip("\n"))
        return error.exit_code
    except _PastClick as past:
        raise past.error from None
    except click.Abort:
        # An interrupt that arrived in Click itself.
        raise KeyboardInterrupt from None
    return code if isinstance(code, int) else 0
