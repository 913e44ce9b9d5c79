"""The program ``rouge-cli`` as a Click group, whose default command is ``score``."""

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from rouge_cli import __version__
from rouge_cli.cli.commands import (
    COMMANDS,
    COMPLETION_VARIABLE,
    DEFAULT_COMMAND,
    FIRST_WORD,
    PROGRAM,
    TYPED_WORDS,
    near_command,
)
from rouge_cli.cli.process import EXIT_USAGE, say

OWN_OPTIONS = ("-h", "--help", "--version")  # as the first word, these belong to no command
VERBOSE = {"-v", "--verbose"}

# Commands that users may expect, with what to use instead.
ELSEWHERE = {
    "mbr": "in Python, rouge_cli.bulk.mbr() chooses by minimum Bayes risk",
    "oracle": "in Python, rouge_cli.bulk.oracle_labels() finds the sentences to extract",
    "merge": "files of saved scores are put together by any command: rouge-cli A.jsonl B.jsonl",
}


class _PastClick(Exception):  # noqa: N818
    """Carries an exception past Click, which would exit with 1, the code of an unmet threshold."""

    def __init__(self, error: BaseException) -> None:
        self.error = error


@contextmanager
def _past_click() -> Iterator[None]:
    try:
        yield
    except (KeyboardInterrupt, EOFError, OSError) as error:
        raise _PastClick(error) from error


class _Context(click.Context):
    def make_formatter(self) -> click.HelpFormatter:
        """Return a formatter as wide as the terminal."""
        from rouge_cli.cli.help import help_width

        return self.formatter_class(width=help_width())


class CommandGroup(click.Group):
    """A group with a default command: the first word need not name a command."""

    context_class = _Context

    def make_context(self, *arguments: Any, **settings: Any) -> click.Context:
        """Parse the arguments of the group, and return its context."""
        with _past_click():
            return super().make_context(*arguments, **settings)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return a command."""
        if cmd_name not in COMMANDS:
            return None
        command = COMMANDS[cmd_name].load()
        command.context_class = self.context_class
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Prepend the default command unless the first word is a command."""
        # Click's option --version would end the program before it reads -v.
        if args[:1] == ["--version"] and VERBOSE & {*args[1:]} and not ctx.resilient_parsing:
            from rouge_cli.core import describe_core

            click.echo(f"rouge-cli {__version__}\ncore: {describe_core()}")
            ctx.exit()
        if not (args or ctx.resilient_parsing):
            click.echo(self.get_help(ctx))
            ctx.exit(EXIT_USAGE)
        if not args or args[0] not in {*COMMANDS, *OWN_OPTIONS}:
            close = near_command(args[0]) if args and not ctx.resilient_parsing else None
            # An existing file takes precedence over a command with a similar name.
            if close is not None and not os.path.lexists(args[0]):
                raise click.UsageError(
                    f"no command and no file '{args[0]}'; did you mean '{close}'?"
                )
            if args and args[0] in ELSEWHERE and not os.path.lexists(args[0]):
                raise click.UsageError(f"no command '{args[0]}'; {ELSEWHERE[args[0]]}")
            # Completion offers commands only for the first word.
            ctx.meta[FIRST_WORD] = not args
            ctx.meta[TYPED_WORDS] = args
            args = [DEFAULT_COMMAND, *args]
        return super().parse_args(ctx, args)

    def main(self, *args: Any, **more: Any) -> Any:
        """Run the command line, or answer a request for completions."""
        if COMPLETION_VARIABLE in os.environ:
            # Importing it replaces Click's completion for bash.
            import rouge_cli.cli.completion  # noqa: F401
        return super().main(*args, **more)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the front page."""
        from rouge_cli.cli.help import write_front_page

        write_front_page(ctx, formatter)

    def invoke(self, ctx: click.Context) -> Any:
        """Import and run the command."""
        with _past_click():
            return super().invoke(ctx)


@click.group(
    cls=CommandGroup,
    context_settings={"help_option_names": ["-h", "--help"]},
    options_metavar="[COMMAND] [OPTIONS]",
    subcommand_metavar="INPUT...",
)
@click.version_option(__version__, message="rouge-cli %(version)s")
def cli() -> None:
    """Score summaries as ROUGE-1.5.5 does, to the byte."""


def run() -> int:
    """Run the command line, and return its exit code.

    Wrong usage is reported here; OSError, KeyboardInterrupt and SystemExit are raised.
    """
    try:
        code = cli.main(prog_name=PROGRAM, standalone_mode=False)
    except click.ClickException as error:
        message = io.StringIO()
        error.show(message)
        say(message.getvalue().rstrip("\n"))
        return error.exit_code
    except _PastClick as past:
        raise past.error from None
    except click.Abort:
        # Click raises this for an interrupt in its own code.
        raise KeyboardInterrupt from None
    return code if isinstance(code, int) else 0
