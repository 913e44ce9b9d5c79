"""The output of commands: results, warnings, errors and progress.

Results go to standard output or a file, problems to standard error and an exit code.
"""

import os
import re
import stat
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NoReturn

import click

from rouge_cli.atomic_files import NewFiles, UnsyncedError, file_problem, is_direct
from rouge_cli.ci import CIFormat, ci_format
from rouge_cli.cli.process import (
    EXIT_UNUSABLE,
    end_if_signalled,
    end_interrupted,
    say,
    unwritable,
    write_error,
    write_output_bytes,
)
from rouge_cli.errors import BYTES_OF_NUMPY, InputError, OptionError, RougeError, check_memory
from rouge_cli.escapes import escape_controls, escape_on_screen, escaped
from rouge_cli.options.reports import OUTPUT_OPTION, STANDARD_OUTPUT
from rouge_cli.progress import current_listener, listening
from rouge_cli.quick_dataclass import dataclass

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from rouge_cli.reports import Screen
    from rouge_cli.run.pipeline import RunContext

WIDTH_IN_FILES = 80
COLUMNS = re.compile(r"[1-9][0-9]{0,5}")
"""Valid values of the variable of this name; others are ignored."""

SECONDS_WITHOUT_BAR, SECONDS_BETWEEN = 0.5, 0.1
SECONDS_OF_A_LONG_RUN = 10.0


def say_line(line: str) -> None:
    """Write a line to standard error, with control characters and commands escaped."""
    say(escape_controls(line))


def fail(problems: Iterable[str]) -> NoReturn:
    """Print a line for each problem, and end."""
    for problem in problems:
        say_line(f"Error: {problem}")
    sys.exit(EXIT_UNUSABLE)


def warn(warnings: Iterable[str]) -> None:
    """Write warnings to standard error, a line each."""
    for warning in warnings:
        say_line(f"Warning: {warning}")


def announce(failures: Iterable[str]) -> None:
    """Report scores that miss their requirements, as annotations of the CI system, if any."""
    ci = ci_format(os.environ)
    for failure in failures:
        write_error(ci.annotation(failure))


@contextmanager
def exit_codes() -> Iterator[None]:
    """Turn exceptions into messages and an exit code."""
    try:
        check_memory(BYTES_OF_NUMPY)
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


def check_outputs(
    outputs: Iterable[tuple[str | None, str]], inputs: Iterable[str | None] = ()
) -> tuple[str, ...]:
    """Refuse outputs that cannot be written, or that would replace an input or another output.

    `outputs` are the paths of all outputs, as in `Output`, with the options that named them. Raises
    OptionError and InputError.

    Returns the outputs that exist, for `Source.outputs`: a configuration may name them as texts.
    """
    names, writers = list(filter(None, inputs)), dict[tuple[int | str, ...], tuple[str, str]]()
    replaced = []
    for path, option in outputs:
        file = None if path == STANDARD_OUTPUT else path
        if file is not None:
            _check_output(file, option, names)
            replaced += [file] if os.path.isfile(file) else []
        identity = _identity(file)
        if identity is None:
            continue
        name = "standard output" if file is None else escaped(file)
        if identity in writers:
            other_option, other_name = writers[identity]
            raise OptionError(
                f"{option}: {name} is the file of another output too, {other_option} {other_name}; "
                "give each a file of its own"
            )
        writers[identity] = option, name
    return tuple(replaced)


def _check_output(path: str, option: str, inputs: Iterable[str]) -> None:
    for name in inputs:
        # A missing input is reported where it is read.
        with suppress(OSError, ValueError):
            if os.path.samefile(path, name) and os.path.isfile(path):
                raise OptionError(
                    f"{option}: {escaped(path)} is an input of this run; name another file"
                )
    if problem := file_problem(path):
        raise InputError(f"{option}: {escaped(path)}: {problem}")


def _identity(path: str | None) -> tuple[int | str, ...] | None:
    """Return a key that is equal for all names of a file; the path None is standard output.

    The key of a new file is that of its folder and its name. Devices, such as the null device or a
    terminal, have no key: they lose nothing if they are written twice.
    """
    try:
        status = os.fstat(1) if path is None else os.stat(path)
    except FileNotFoundError:
        target = os.path.realpath(path or "")
        folder = os.stat(os.path.dirname(target))
        return folder.st_dev, folder.st_ino, os.path.normcase(os.path.basename(target))
    except (OSError, ValueError):
        return None
    return None if stat.S_ISCHR(status.st_mode) else (status.st_dev, status.st_ino)


def write_output(parts: Iterable[str], path: str | None = None) -> None:
    """Write a report; if it cannot be written, print why, and exit."""
    with NewFiles() as files:
        write_outputs([Output(parts, path)], files)


@dataclass(frozen=True, slots=True)
class Output:
    """A report or a figure.

    A file is written whole or not at all; the paths ``-`` and None are standard output. `option`
    named the path, for messages. Text is encoded as UTF-8.
    """

    content: Iterable[str] | bytes
    path: str | None = None
    option: str = OUTPUT_OPTION


def write_outputs(outputs: Iterable[Output], files: NewFiles) -> None:
    """Write all outputs of a run as one unit; if one cannot be written, print why, and exit.

    Drafts of files come first, then pipes and devices, and standard output last: nothing is printed
    if a file cannot be written. `files` may already have drafts of other outputs.
    """
    printed: list[str] = []
    drafts: list[tuple[bool, str, bytes, str]] = []
    for output in outputs:
        content = output.content
        text = "" if isinstance(content, bytes) else "".join(content)
        if output.path is None or output.path == STANDARD_OUTPUT:
            printed.append(text)
            continue
        data = content if isinstance(content, bytes) else text.encode("utf-8", "surrogateescape")
        drafts.append((is_direct(output.path), output.path, data, output.option))
    for _, path, data, option in sorted(drafts, key=lambda draft: draft[0]):
        with _failures(f"{option}: {escaped(path)}"):
            files.write(path, data)
    with _failures():
        files.put_in_place()
    for report in printed:
        _write_standard_output(report)


@contextmanager
def _failures(where: str | None = None) -> Iterator[None]:
    """Report that output cannot be written, and exit; `where` is None if the error has the path."""
    try:
        yield
    except UnsyncedError as error:
        fail([f"{escaped(error.path)}: {error}"])
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        where = where or escaped(getattr(error, "filename", None) or "")
        fail([f"{where}: the results cannot be written: {reason}"])


def _write_standard_output(report: str) -> None:
    end_if_signalled()
    # Unlike a screen, files and pipes get control characters as they are.
    text = escape_on_screen(report) if sys.stdout.isatty() else report
    # Writers of JSON and XML have already escaped commands in their own way.
    text = log_of().escape(text)
    try:
        write_output_bytes(text.encode("utf-8", "surrogateescape"))
    except OSError as error:
        sys.exit(unwritable(error, "the results"))


def _is_in_a_file() -> bool:
    """Return whether standard output is a file on disk, which no log shows."""
    try:
        return stat.S_ISREG(os.fstat(sys.stdout.fileno()).st_mode)
    except (OSError, ValueError):
        return False


def log_of(path: str | None = None) -> CIFormat:
    """Return the format of the log that shows an output; None is standard output."""
    is_shown = path in {None, STANDARD_OUTPUT} and not _is_in_a_file()
    return ci_format(os.environ) if is_shown else CIFormat()


@contextmanager
def run_context() -> Iterator["RunContext"]:
    """Provide the context of a run; the progress bar is removed at its end.

    If the compiled core is missing, and the run will therefore take long, a warning says so once.
    """
    from rouge_cli.run.pipeline import RunContext

    # A study shows its own phases in the same bar.
    new_bar, start, is_noted = _ProgressBar(), time.monotonic(), False
    bar = current_listener() or new_bar

    def progress(done: int, total: int) -> None:
        nonlocal is_noted
        estimate = (time.monotonic() - start) * total / done if done else 0
        if not is_noted and estimate >= SECONDS_OF_A_LONG_RUN:
            is_noted = True
            from rouge_cli.core import missing_core

            warn(filter(None, [missing_core()]))
        bar("Scoring", done, total)

    try:
        yield RunContext(os.environ, progress, may_fork=True)
    finally:
        new_bar.stop()


@contextmanager
def shown_progress(delay: float | None = None) -> Iterator[None]:
    """Show the progress of the loops of a study; the bar is removed at their end.

    `delay` is in seconds, by default `SECONDS_WITHOUT_BAR`.
    """
    bar = _ProgressBar(delay)
    try:
        with listening(bar):
            yield
    finally:
        bar.stop()


def screen_of(path: str | None) -> "Screen":
    """Return the width and the colours of an output; None is standard output."""
    from rouge_cli.reports import Screen

    is_on_screen = path is None and sys.stdout is not None and sys.stdout.isatty()
    is_plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") in {"dumb", "unknown"}
    width = WIDTH_IN_FILES
    columns = os.environ.get("COLUMNS", "")
    if is_on_screen:
        from shutil import get_terminal_size  # imports much else

        width = get_terminal_size().columns
    elif path is None and COLUMNS.fullmatch(columns):
        # A named file must not depend on the terminal.
        width = int(columns)
    return Screen(width, is_coloured=is_on_screen and not is_plain, log=log_of(path))


class _ProgressBar:
    """Shows progress on a terminal, by default from half a second on.

    If the terminal disappears or takes no more output, the bar ends, but not the run.
    """

    def __init__(self, delay: float | None = None) -> None:
        self._start = time.monotonic()
        self._delay = SECONDS_WITHOUT_BAR if delay is None else delay
        self._shown = 0.0
        self._is_wanted = sys.stderr is not None and sys.stderr.isatty()
        self._bar: Progress | None = None
        self._task: TaskID | None = None
        self._loop_start = self._start

    def __call__(self, what: str, done: int, total: int) -> None:
        """Show that `done` of `total` steps of a loop are done; a loop starts with 0."""
        now = time.monotonic()
        if done == 0:
            self._loop_start = now
        if (
            not self._is_wanted
            or now - self._start < self._delay
            or now - self._shown < SECONDS_BETWEEN
        ):
            return
        try:
            self._show(what, done, total)
        except OSError:
            self.stop()

    def _show(self, what: str, done: int, total: int) -> None:
        if self._bar is None or self._task is None:
            from rich.console import Console
            from rich.progress import Progress, TextColumn

            columns = (*Progress.get_default_columns(), TextColumn("{task.fields[rate]}"))
            # A thread that refreshes the bar would make forking workers unsafe.
            self._bar = Progress(
                *columns, console=Console(stderr=True), transient=True, auto_refresh=False
            )
            self._task = self._bar.add_task(what, total=total or None, rate="")
            self._bar.start()
        now = time.monotonic()
        rate = f"{done / max(now - self._loop_start, 1e-3):,.0f} a second"
        self._bar.update(
            self._task,
            description=what,
            total=total or None,
            completed=done,
            rate=rate,
            refresh=True,
        )
        self._shown = now

    def stop(self) -> None:
        """Remove the bar from the screen."""
        bar, self._bar, self._is_wanted = self._bar, None, False
        if bar is not None:
            with suppress(OSError):
                bar.stop()
