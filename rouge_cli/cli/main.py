"""The command ``rouge-cli``: finds the command that is asked for, ``score`` if none is named.

Commands are imported when they are called, so ``--version`` costs no more than Click.
"""

import gc
import os
import signal
import sys
from importlib import import_module
from typing import NoReturn

import click

from rouge_cli import __version__

__all__ = ["main"]

COMMANDS = {
    "score": "rouge_cli.cli.score",
    "convert": "rouge_cli.cli.convert",
    "compare": "rouge_cli.cli.compare",
    "correlate": "rouge_cli.cli.correlate",
    "jackknife": "rouge_cli.cli.jackknife",
}
DEFAULT_COMMAND = "score"


class CommandGroup(click.Group):
    """A group whose first argument may leave out the command's name."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return a command."""
        module = COMMANDS.get(cmd_name)
        command: click.Command | None = import_module(module).command if module else None
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the name of the default command in front of arguments that name none."""
        if not args or (args[0] not in COMMANDS and args[0] != "--version"):
            args = [DEFAULT_COMMAND, *args]
        return super().parse_args(ctx, args)


@click.group(cls=CommandGroup, add_help_option=False)
@click.version_option(__version__, message="rouge-cli %(version)s")
def cli() -> None:
    """Score summaries as ROUGE-1.5.5 does, to the byte."""


def _end(number: int, frame: object) -> NoReturn:
    """End as an exception does, so that nothing half-written stays behind."""
    # What shells say of a program that a signal has ended.
    sys.exit(128 + number)


def main() -> NoReturn:
    """Run the command line."""
    for name in ("SIGTERM", "SIGHUP"):
        # Windows has no SIGHUP; one that is ignored, as by nohup, stays ignored.
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _end)
    # The matrix products here are too small to gain from threads, which only cost their start.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # A run builds large tables and ends: looking for cycles in them finds none.
    gc.disable()
    cli(prog_name="rouge-cli")
    sys.exit(0)
