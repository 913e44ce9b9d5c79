"""Results to standard output, problems to standard error and an exit code."""

import errno
import os
import signal
import sys
from collections.abc import Iterable
from typing import NoReturn

import click

__all__ = ["fail", "interrupted", "write_output"]

EXIT_UNUSABLE = 3
"""An input that cannot be used, or an output that cannot be written."""

EXIT_INTERRUPTED = 128 + signal.SIGINT
"""What shells expect of a program that Ctrl-C has ended."""


def fail(problems: Iterable[str]) -> NoReturn:
    """Say what is wrong, a line for each problem, and end."""
    for problem in problems:
        click.echo(f"Error: {problem}", err=True)
    sys.exit(EXIT_UNUSABLE)


def interrupted() -> NoReturn:
    """Say that the run was interrupted, and end."""
    click.echo("Interrupted: nothing is printed.", err=True)
    sys.exit(EXIT_INTERRUPTED)


def write_output(parts: Iterable[str]) -> None:
    """Write a whole report to standard output; end quietly if nobody reads it any more."""
    report = "".join(parts).encode("utf-8", "surrogateescape")
    if sys.stdout is None:
        fail(["standard output is closed; the results cannot be written"])
    output = sys.stdout.buffer
    try:
        output.write(report)
        output.flush()
    except OSError as error:
        # What is left in the buffer must not be tried again when the interpreter ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if error.errno == errno.EPIPE:
            sys.exit(EXIT_UNUSABLE)
        fail([f"the results cannot be written: {error.strerror}"])
