"""What surrounds a command: where results, warnings, errors and progress go, and on what it runs.

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
from rouge_cli.errors import (
    BYTES_OF_NUMPY,
    InputError,
    OptionError,
    RougeError,
    check_memory,
)
from rouge_cli.escapes import escape_controls, escape_on_screen, escaped
from rouge_cli.options.reports import OUTPUT_OPTION, STANDARD_OUTPUT
from rouge_cli.progress import listening
from rouge_cli.quick_dataclass import dataclass

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from rouge_cli.reports import Screen
    from rouge_cli.run.pipeline import RunContext

WIDTH_IN_FILES = 80
COLUMNS = re.compile(r"[1-9][0-9]{0,5}")
"""What the variable of this name may be; anything else is as if it was not set."""

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
    """Report scores that miss their requirement, as the annotations of a CI system."""
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
    """Refuse, before anything is scored, files that cannot be written or would be lost.

    `outputs` are the paths of all outputs, as `Output` has them, and the options that named them;
    `inputs` are files that they must not replace. Raises OptionError if an output is an input, or
    the file of another output, InputError if it cannot be written.

    Returns the files that are there, for `Source.outputs`: a configuration may name them as texts.
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
    """Refuse an output that is an input or cannot be written; raises OptionError, InputError."""
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
    """Return what two names of one file have in common; None is standard output.

    A file that is new is known by its folder. None: a device, such as the null device or a
    terminal, loses nothing if it is written twice.
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
    """Write a whole report, or say why it cannot be written, and end; see `Output`."""
    with NewFiles() as files:
        write_outputs([Output(parts, path)], files)


@dataclass(frozen=True, slots=True)
class Output:
    """A report or a figure.

    `path` is a file, which is written whole or not at all; ``-`` and None are standard output.
    `option` has named it, for messages. Text goes out as UTF-8.
    """

    content: Iterable[str] | bytes
    path: str | None = None
    option: str = OUTPUT_OPTION


def write_outputs(outputs: Iterable[Output], files: NewFiles) -> None:
    """Write all outputs of a run as one unit, or say what cannot be written, and end.

    Pipes and devices come behind the drafts of files, and standard output behind everything, so
    that nothing is printed if a file cannot be written.

    `files` may hold the drafts of other outputs.
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
        drafts.append((_is_written_directly(output.path), output.path, data, output.option))
    for _, path, data, option in sorted(drafts, key=lambda draft: draft[0]):
        with _failures(f"{option}: {escaped(path)}"):
            files.write(path, data)
    with _failures():
        files.put_in_place()
    for report in printed:
        _write_standard_output(report)


def _is_written_directly(path: str) -> bool:
    """Return whether an output is a pipe or a device."""
    try:
        return is_direct(path, os.stat(path).st_mode)
    except (OSError, ValueError):
        return False


@contextmanager
def _failures(where: str | None = None) -> Iterator[None]:
    """Say what cannot be written, and end; None: the error has the path."""
    try:
        yield
    except UnsyncedError as error:
        fail([f"{escaped(error.path)}: {error}"])
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        where = where or escaped(getattr(error, "filename", None) or "")
        fail([f"{where}: the results cannot be written: {reason}"])


def _write_standard_output(report: str) -> None:
    """Write all to standard output, or end."""
    end_if_signalled()
    # Files and pipes get the bytes of the original.
    text = escape_on_screen(report) if sys.stdout.isatty() else report
    # Writers of JSON and XML have escaped commands in their own ways already.
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
    """Return the format of the log in which an output is shown; None is standard output."""
    is_shown = path in {None, STANDARD_OUTPUT} and not _is_in_a_file()
    return ci_format(os.environ) if is_shown else CIFormat()


@contextmanager
def run_context() -> Iterator["RunContext"]:
    """Provide a run with its context; the progress bar goes when the run ends."""
    from rouge_cli.run.pipeline import RunContext

    bar, notice = _ProgressBar(), _SlowRunNotice()

    def progress(done: int, total: int) -> None:
        notice(done, total)
        bar("Scoring", done, total)

    try:
        yield RunContext(os.environ, progress, may_fork=True)
    finally:
        bar.stop()


@contextmanager
def shown_progress() -> Iterator[None]:
    """Show how far the loops of a study are; the progress bar goes when they end."""
    bar = _ProgressBar()
    try:
        with listening(bar):
            yield
    finally:
        bar.stop()


def screen_of(path: str | None) -> "Screen":
    """Return the width and the features of an output; None is standard output."""
    from rouge_cli.reports import Screen

    is_on_screen = path is None and sys.stdout is not None and sys.stdout.isatty()
    is_plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") in {"dumb", "unknown"}
    width = WIDTH_IN_FILES
    columns = os.environ.get("COLUMNS", "")
    if is_on_screen:
        from shutil import get_terminal_size  # loads much else

        width = get_terminal_size().columns
    elif path is None and COLUMNS.fullmatch(columns):
        # A file that is named has the same bytes, whatever terminal it is written from.
        width = int(columns)
    return Screen(width, is_coloured=is_on_screen and not is_plain, log=log_of(path))


class _SlowRunNotice:
    """Says once that the compiled core is missing, if the run will take long without it."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._is_wanted = True

    def __call__(self, done: int, total: int) -> None:
        """Look at the time that `done` of `total` peers took."""
        if not self._is_wanted or done == 0:
            return
        seconds = (time.monotonic() - self._start) * total / done
        if seconds < SECONDS_OF_A_LONG_RUN:
            return
        self._is_wanted = False
        from rouge_cli.core import missing_core

        warn(message for message in [missing_core()] if message is not None)


class _ProgressBar:
    """Shows on a terminal how much is done, from half a second on.

    A terminal that goes away, or takes nothing more, ends the bar and not the run.
    """

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._shown = 0.0
        self._is_wanted = sys.stderr is not None and sys.stderr.isatty()
        self._bar: Progress | None = None
        self._task: TaskID | None = None
        self._loop_start = self._start

    def __call__(self, what: str, done: int, total: int) -> None:
        """Show that `done` of `total` are done of a loop; none are done as it begins."""
        now = time.monotonic()
        if done == 0:
            self._loop_start = now
        if (
            not self._is_wanted
            or now - self._start < SECONDS_WITHOUT_BAR
            or now - self._shown < SECONDS_BETWEEN
        ):
            return
        try:
            self._show(what, done, total)
        except OSError:
            self.stop()

    def _show(self, what: str, done: int, total: int) -> None:
        """Show the bar, and begin it if needed."""
        if self._bar is None or self._task is None:
            from rich.console import Console
            from rich.progress import Progress, TextColumn

            columns = (*Progress.get_default_columns(), TextColumn("{task.fields[rate]}"))
            # A thread that refreshes it would be in the way of forking workers.
            self._bar = Progress(
                *columns, console=Console(stderr=True), transient=True, auto_refresh=False
            )
            self._task = self._bar.add_task(what, total=total, rate="")
            self._bar.start()
        now = time.monotonic()
        rate = f"{done / max(now - self._loop_start, 1e-3):,.0f} a second"
        self._bar.update(
            self._task, description=what, total=total, completed=done, rate=rate, refresh=True
        )
        self._shown = now

    def stop(self) -> None:
        """Take the bar off the screen."""
        bar, self._bar, self._is_wanted = self._bar, None, False
        if bar is not None:
            with suppress(OSError):
                bar.stop()
