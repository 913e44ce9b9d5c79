"""Results to standard output or a file, problems to standard error and an exit code."""

import os
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import NoReturn

import click

from rouge_cli.atomic_files import UnsyncedError, file_problem, write_file
from rouge_cli.cli.exits import EXIT_UNUSABLE, end_if_signalled, end_interrupted, unwritable
from rouge_cli.cli.streams import say, write_output_bytes
from rouge_cli.errors import InputError, OptionError, RougeError
from rouge_cli.escapes import escape_commands, escape_controls, escape_on_screen, escaped

__all__ = [
    "OUTPUT_OPTION",
    "STANDARD_OUTPUT",
    "announce",
    "check_output",
    "exit_codes",
    "fail",
    "reads_commands",
    "say_line",
    "warn",
    "write_content",
    "write_output",
]

GITHUB_ESCAPES = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
"""What would end or change the message of a workflow command."""

STANDARD_OUTPUT = "-"
"""The name that stands for standard output."""

OUTPUT_OPTION = "-o/--output"


def say_line(line: str) -> None:
    """Write a line to standard error, in which nothing is a command for what shows it."""
    line = escape_controls(line)
    say(escape_commands(line) if _is_on_github() else line)


def fail(problems: Iterable[str]) -> NoReturn:
    """Say what is wrong, a line for each problem, and end."""
    for problem in problems:
        say_line(f"Error: {problem}")
    sys.exit(EXIT_UNUSABLE)


def warn(warnings: Iterable[str]) -> None:
    """Say on standard error what the user should know, a line for each warning."""
    for warning in warnings:
        say_line(f"Warning: {warning}")


def announce(failures: Iterable[str]) -> None:
    """Say which scores are not as required; GitHub shows each as an annotation."""
    for failure in failures:
        if _is_on_github():
            text = failure.translate(GITHUB_ESCAPES)
            say(f"::error title=rouge-cli::{text}")
        else:
            say(f"Failed: {failure}")


@contextmanager
def exit_codes() -> Iterator[None]:
    """Turn what goes wrong within into messages and an exit code."""
    try:
        yield
    except OptionError as error:
        raise click.UsageError(escape_controls(str(error))) from None
    except InputError as error:
        fail(error.problems)
    except RougeError as error:
        fail([str(error)])
    except MemoryError:
        fail(["not enough memory for this run"])
    except KeyboardInterrupt:
        end_interrupted()


def check_output(
    path: str | None, inputs: Iterable[str | None] = (), option: str = OUTPUT_OPTION
) -> None:
    """Refuse a file that the report cannot be written to, before anything is scored.

    Parameters
    ----------
    path : str or None
        As `write_output` takes it.
    inputs : iterable of str or None
        Files that the report must not take the place of.
    option : str
        What named the file, for messages.

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
                    f"{option}: {escaped(path)} is an input of this run; name another file"
                )
    if problem := file_problem(path):
        raise InputError(f"{option}: {escaped(path)}: {problem}")


def write_output(
    parts: Iterable[str], path: str | None = None, option: str = OUTPUT_OPTION
) -> None:
    """Write a whole report, or say why it cannot be written, and end.

    Parameters
    ----------
    path : str or None
        A file, which is written whole or not at all; ``-`` and None are standard output.
    option : str
        What named the file, for messages.
    """
    report = "".join(parts)
    if path is None or path == STANDARD_OUTPUT:
        _write_standard_output(report)
        return
    write_content(report.encode("utf-8", "surrogateescape"), path, option)


def write_content(content: bytes, path: str, option: str) -> None:
    """Write a file whole or not at all, or say why it cannot be written, and end.

    Parameters
    ----------
    option : str
        What named the file, for messages.
    """
    try:
        write_file(path, content)
    except UnsyncedError as error:
        fail([f"{option}: {escaped(path)}: {error}"])
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        fail([f"{option}: {escaped(path)}: the results cannot be written: {reason}"])


def _write_standard_output(report: str) -> None:
    """Write all to standard output, or end."""
    end_if_signalled()
    # A file or a pipe gets the bytes of the original.
    text = escape_on_screen(report) if sys.stdout.isatty() else report
    if reads_commands():
        # What a writer has not written in another way.
        text = escape_commands(text)
    try:
        write_output_bytes(text.encode("utf-8", "surrogateescape"))
    except OSError as error:
        sys.exit(unwritable(error, "the results"))


def _is_in_a_file() -> bool:
    """Return whether standard output is a file on disk, which shows nothing by itself."""
    try:
        return stat.S_ISREG(os.fstat(sys.stdout.fileno()).st_mode)
    except (OSError, ValueError):
        return False


def reads_commands(path: str | None = None) -> bool:
    """Return whether GitHub looks for commands in an output; None is standard output."""
    return path in {None, STANDARD_OUTPUT} and _is_on_github() and not _is_in_a_file()


def _is_on_github() -> bool:
    """Return whether GitHub shows what this run prints, and looks for commands in it."""
    return os.environ.get("GITHUB_ACTIONS") == "true"
