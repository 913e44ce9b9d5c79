"""Results to standard output or a file, problems to standard error and an exit code."""

import errno
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import NoReturn

import click

from rouge_cli.atomic_files import file_problem, write_file
from rouge_cli.cli.exits import EXIT_UNUSABLE, end_interrupted
from rouge_cli.errors import InputError, OptionError, RougeError, shown

__all__ = ["check_output", "exit_codes", "fail", "warn", "write_output"]

ESCAPES = {
    code: ascii(chr(code))[1:-1]
    for code in (*range(0x20), *range(0x7F, 0xA0), *range(0x2028, 0x202F), *range(0x2066, 0x206A))
}
"""What a terminal takes for a command, or for the end or the turn of a line, to how it is shown."""

ESCAPES_ON_SCREEN = {
    code: escape for code, escape in ESCAPES.items() if chr(code) not in "\t\n\x1b"
}
"""For whole reports, whose colours need their codes; no ID from a file holds an ESC."""

STANDARD_OUTPUT = "-"
"""The name that stands for standard output."""


def fail(problems: Iterable[str]) -> NoReturn:
    """Say what is wrong, a line for each problem, and end."""
    for problem in problems:
        click.echo(f"Error: {problem.translate(ESCAPES)}", err=True)
    sys.exit(EXIT_UNUSABLE)


def warn(warnings: Iterable[str]) -> None:
    """Say on standard error what the user should know, a line for each warning."""
    for warning in warnings:
        click.echo(f"Warning: {warning.translate(ESCAPES)}", err=True)


@contextmanager
def exit_codes() -> Iterator[None]:
    """Turn what goes wrong within into messages and an exit code."""
    try:
        yield
    except OptionError as error:
        raise click.UsageError(str(error).translate(ESCAPES)) from None
    except InputError as error:
        fail(error.problems)
    except RougeError as error:
        fail([str(error)])
    except MemoryError:
        fail(["not enough memory for this run"])
    except KeyboardInterrupt:
        end_interrupted()


def check_output(path: str | None, inputs: Iterable[str | None] = ()) -> None:
    """Refuse a file that the report cannot be written to, before anything is scored.

    Parameters
    ----------
    path : str or None
        As `write_output` takes it.
    inputs : iterable of str or None
        Files that the report must not take the place of.

    Raises
    ------
    OptionError
        If `path` is one of the inputs.
    InputError
        If it cannot be written.
    """
    if path is None or path == STANDARD_OUTPUT:
        return
    for name in filter(None, inputs):
        # An input that is missing is told of where it is read.
        with suppress(OSError, ValueError):
            if os.path.samefile(path, name) and os.path.isfile(path):
                raise OptionError(
                    f"-o/--output: {shown(path)} is an input of this run; name another file"
                )
    if problem := file_problem(path):
        raise InputError(f"-o/--output: {shown(path)}: {problem}")


def write_output(parts: Iterable[str], path: str | None = None) -> None:
    """Write a whole report, or say why it cannot be written, and end.

    Parameters
    ----------
    parts : iterable of str
    path : str or None
        A file, which is written whole or not at all; ``-`` and None are standard output.
    """
    report = "".join(parts)
    if path is None or path == STANDARD_OUTPUT:
        _write_standard_output(report)
        return
    try:
        write_file(path, report.encode("utf-8", "surrogateescape"))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        fail([f"-o/--output: {shown(path)}: the results cannot be written: {reason}"])


def _write_standard_output(report: str) -> None:
    """Write all to standard output, or end."""
    if sys.stdout is None:
        fail(["standard output is closed; the results cannot be written"])
    output = sys.stdout.buffer
    # A file or a pipe gets the bytes of the original.
    text = report.translate(ESCAPES_ON_SCREEN) if sys.stdout.isatty() else report
    try:
        output.write(text.encode("utf-8", "surrogateescape"))
        output.flush()
    except OSError as error:
        # What is left in the buffer must not be tried again when the interpreter ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        # Windows says so in another way.
        if error.errno == (errno.EINVAL if os.name == "nt" else errno.EPIPE):
            sys.exit(EXIT_UNUSABLE)
        fail([f"the results cannot be written: {error.strerror}"])
