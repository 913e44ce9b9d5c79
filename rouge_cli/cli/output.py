"""The output of commands: results, pages and figures, warnings, errors and progress.

Results go to standard output or to a file, problems to standard error and into the exit code.
"""

import os
import re
import shlex
import stat
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NoReturn

import click

from rouge_cli.atomic_files import NewFiles, UnsyncedError, file_problem, is_direct
from rouge_cli.ci import CIFormat, ci_format
from rouge_cli.cli import process
from rouge_cli.errors import BYTES_OF_NUMPY, InputError, OptionError, RougeError, check_memory
from rouge_cli.escapes import escape_controls, escape_on_screen, escape_unprintable, escaped
from rouge_cli.options.options import Options
from rouge_cli.options.reports import (
    OUTPUT_OPTION,
    PAGES,
    SCORE_FIGURES,
    STANDARD_OUTPUT,
    PageOptions,
    PlotFile,
)
from rouge_cli.progress import current_listener, listening
from rouge_cli.quick_dataclass import dataclass

if TYPE_CHECKING:
    from rich.progress import Progress

    from rouge_cli.inputs.source import Source
    from rouge_cli.options.inputs import InputOptions
    from rouge_cli.reports import Screen, View
    from rouge_cli.reports.document import Figure, Provenance
    from rouge_cli.run.pipeline import RunContext

WIDTH_IN_FILES = 80
COLUMNS = re.compile(r"[1-9][0-9]{0,5}")
"""Valid values of the environment variable COLUMNS; others are ignored."""

SECONDS_WITHOUT_BAR, SECONDS_BETWEEN = 0.5, 0.1
"""Delay before the progress bar appears, and the least time between its updates."""

SECONDS_OF_A_LONG_RUN = 10.0
"""Estimated time from which a run without the core warns that it lacks it."""


def say_line(line: str) -> None:
    """Write a line to standard error, escaping control characters and CI commands."""
    process.say(escape_controls(line))


def fail(problems: Iterable[str]) -> NoReturn:
    """Print a line for each problem, and exit."""
    for problem in problems:
        say_line(f"Error: {problem}")
    sys.exit(process.EXIT_UNUSABLE)


def warn(warnings: Iterable[str]) -> None:
    """Write warnings to standard error, one per line."""
    for warning in warnings:
        say_line(f"Warning: {warning}")


def announce(failures: Iterable[str]) -> None:
    """Report scores that miss their requirements, as annotations on a CI system."""
    ci = ci_format(os.environ)
    for failure in failures:
        process.write_error(ci.annotation(failure))


@contextmanager
def exit_codes() -> Iterator[None]:
    """Turn the exceptions of a command into messages and an exit code."""
    try:
        # Commands load NumPy within this context.
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
        process.end_interrupted()


def check_outputs(
    outputs: Iterable[tuple[str | None, str]], inputs: Iterable[str | None] = ()
) -> tuple[str, ...]:
    """Raise an error if an output cannot be written, or would replace an input or another output.

    `outputs` are the paths of all outputs, as in `Output`, with the options that name them. Returns
    those that exist, for `Source.outputs`, since a configuration may name them as texts. Raises
    OptionError and InputError.
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
        # A missing input is reported when it is read.
        with suppress(OSError, ValueError):
            if os.path.samefile(path, name) and os.path.isfile(path):
                raise OptionError(
                    f"{option}: {escaped(path)} is an input of this run; name another file"
                )
    if problem := file_problem(path):
        raise InputError(f"{option}: {escaped(path)}: {problem}")


def _identity(path: str | None) -> tuple[int | str, ...] | None:
    """Return a key that all names of a file share; the path None is standard output.

    A new file is identified by its folder and its name. Devices, such as the null device or a
    terminal, have no key, because writing them twice loses nothing.
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
    """A report or a figure to be written; text is encoded as UTF-8.

    The paths ``-`` and None are standard output. `option` is the option that named the path, for
    messages.
    """

    content: Iterable[str] | bytes
    path: str | None = None
    option: str = OUTPUT_OPTION


def write_outputs(outputs: Iterable[Output], files: NewFiles) -> None:
    """Write all outputs of a run as one unit; if one cannot be written, say why, and exit.

    `files` may already hold drafts of other outputs.
    """
    # Drafts of files are written first, then pipes and devices, and standard output last: nothing
    # is printed if a file cannot be written.
    printed: list[str] = []
    drafts: list[tuple[bool, str, bytes, str]] = []
    for output in outputs:
        content = output.content
        # Reports are made completely before the first is written, as making one may fail.
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
    """Exit with a message if output cannot be written; without `where`, the error has the path."""
    try:
        yield
    except UnsyncedError as error:
        fail([f"{escaped(error.path)}: {error}"])
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        where = where or escaped(getattr(error, "filename", None) or "")
        fail([f"{where}: the results cannot be written: {reason}"])


def _write_standard_output(report: str) -> None:
    process.end_if_signalled()
    # Control characters are escaped on screens only; files and pipes get them unchanged.
    text = escape_on_screen(report) if sys.stdout.isatty() else report
    # CI commands are escaped here, unless a writer of JSON or XML did so in its own way.
    text = log_of().escape(text)
    try:
        process.write_output_bytes(text.encode("utf-8", "surrogateescape"))
    except OSError as error:
        sys.exit(process.unwritable(error, "the results"))


def _is_in_a_file() -> bool:
    # A CI log does not show the content of files, so it needs no escapes there.
    try:
        return stat.S_ISREG(os.fstat(sys.stdout.fileno()).st_mode)
    except (OSError, ValueError):
        return False


def log_of(path: str | None = None) -> CIFormat:
    """Return the format of the CI log that shows an output; the path None is standard output."""
    is_shown = path in {None, STANDARD_OUTPUT} and not _is_in_a_file()
    return ci_format(os.environ) if is_shown else CIFormat()


@contextmanager
def run_context() -> Iterator["RunContext"]:
    """Provide the context of a run, and remove the progress bar at its end.

    If the run takes long because the compiled core is missing, a warning says so once.
    """
    from rouge_cli.run.pipeline import RunContext

    # A study that already shows its phases shares its bar.
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
    """Show the progress of a study, and remove the bar at its end.

    `delay` is the time before the bar appears, in seconds; by default `SECONDS_WITHOUT_BAR`.
    """
    bar = _ProgressBar(delay)
    try:
        with listening(bar):
            yield
    finally:
        bar.stop()


def screen_of(path: str | None) -> "Screen":
    """Return the width and the colours of an output; the path None is standard output."""
    from rouge_cli.reports import Screen

    is_on_screen = path is None and sys.stdout is not None and sys.stdout.isatty()
    is_plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") in {"dumb", "unknown"}
    width = WIDTH_IN_FILES
    columns = os.environ.get("COLUMNS", "")
    if is_on_screen:
        from shutil import get_terminal_size  # imports much else

        width = get_terminal_size().columns
    elif path is None and COLUMNS.fullmatch(columns):
        # Only for standard output: a named file must not depend on the terminal.
        width = int(columns)
    return Screen(width, is_coloured=is_on_screen and not is_plain, log=log_of(path))


class _ProgressBar:
    """Shows progress on a terminal once a delay has passed.

    If the terminal disappears or accepts no more output, the bar ends, but the run continues.
    """

    def __init__(self, delay: float | None = None) -> None:
        self._loop_start = time.monotonic()
        # The bar is not drawn before this time.
        self._next = self._loop_start + (SECONDS_WITHOUT_BAR if delay is None else delay)
        self._is_wanted = sys.stderr is not None and sys.stderr.isatty()
        self._bar: Progress | None = None

    def __call__(self, what: str, done: int, total: int) -> None:
        """Show that `done` of `total` steps of a loop are done; the first call has 0."""
        now = time.monotonic()
        if done == 0:
            self._loop_start = now
        if not self._is_wanted or now < self._next:
            return
        try:
            if self._bar is None:
                self._bar = _new_bar(what, total)
                self._bar.start()
            self._bar.update(
                self._bar.task_ids[0],
                description=what,
                total=total or None,
                completed=done,
                rate=f"{done / max(now - self._loop_start, 1e-3):,.0f} a second",
                refresh=True,
            )
        except OSError:
            self.stop()
        self._next = time.monotonic() + SECONDS_BETWEEN

    def stop(self) -> None:
        """Remove the bar from the screen."""
        bar, self._bar, self._is_wanted = self._bar, None, False
        if bar is not None:
            with suppress(OSError):
                bar.stop()


def _new_bar(what: str, total: int) -> "Progress":
    from rich.console import Console
    from rich.progress import Progress, TextColumn

    columns = (*Progress.get_default_columns(), TextColumn("{task.fields[rate]}"))
    # A thread that refreshes the bar would make forking workers unsafe.
    bar = Progress(*columns, console=Console(stderr=True), transient=True, auto_refresh=False)
    bar.add_task(what, total=total or None, rate="")
    return bar


# Pages and figures: checks, files, and where results come from.

PLOT_OPTION = "--plot"
NOTES = "notes in Markdown"
MOST_NOTES = 100_000
"""Maximum number of bytes of notes, some 40 pages. Parsing a megabyte of brackets as Markdown takes
ten seconds."""

DATE_VARIABLE = "SOURCE_DATE_EPOCH"

LAST_SECOND = 253_402_300_799
"""The end of the year 9999, the last one that `datetime` supports, in seconds since 1970."""


def check_pages(pages: PageOptions, figures: Sequence[str], *, has_page: bool) -> None:
    """Check the options of pages and figures against the reports and figures of a command.

    Raises OptionError if one needs a page and there is none, or names an unknown figure; and
    RougeError if the package that draws figures is not installed.
    """
    pages.check_reports(PAGES if has_page else ())
    if has_page:
        run_date()
    for plot in pages.plot:
        if plot.figure is not None and plot.figure not in figures:
            raise OptionError(
                f"{PLOT_OPTION}: found {str(plot)!r}, expected one of the figures of this command: "
                f"{', '.join(figures)}"
            )
    for declared in (PageOptions.options()[name] for name in pages.given()):
        if declared.needs == "plot" and not pages.plot:
            raise OptionError(f"{declared.spelling} is for {PLOT_OPTION}")
    if pages.plot:
        from rouge_cli.reports.drawing import check_drawing

        check_drawing()


def check_page_fields(inputs: "InputOptions", *, shows_evals: bool, shows_texts: bool) -> None:
    """Raise OptionError for options that name fields of a page, if no page would show these."""
    if inputs.page_source and not shows_texts:
        raise OptionError("--page-source and --no-texts exclude each other; give one")
    if inputs.page_fields and not shows_evals:
        spelling = "--page-field" if inputs.page_field else "--page-source"
        raise OptionError(f"{spelling} is for --report html, where its page lists texts")


def plot_outputs(pages: PageOptions) -> Iterator[tuple[str, str]]:
    """Yield the path of each figure with the name of the option, as `check_outputs` takes them."""
    for plot in pages.plot:
        yield plot.path, PLOT_OPTION


def user_notes(path: str | None) -> str:
    """Return the text of a file of notes; empty if the path is None.

    Raises OptionError for standard input, and InputError if the file cannot be read, is not UTF-8,
    or exceeds `MOST_NOTES`.
    """
    if path is None:
        return ""
    if path == STANDARD_OUTPUT:
        raise OptionError("--notes: found '-', expected a file; standard input is for texts")
    from rouge_cli.inputs.files import input_name, open_input

    name = input_name(path)
    with open_input(path, NOTES) as stream:
        # One extra byte shows that there are too many, without reading the rest.
        data = stream.read(MOST_NOTES + 1)
    if len(data) > MOST_NOTES:
        raise InputError(f"{name}: found more bytes, expected at most {MOST_NOTES:,} of {NOTES}")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"{name}, line {line}: byte {data[error.start]:#04x} is not UTF-8; expected {NOTES}"
        ) from None


def run_date() -> str:
    """Return the date of a page, from the variable ``SOURCE_DATE_EPOCH``; empty if it is unset.

    The clock is not used, since pages of equal runs would differ. Raises OptionError if the value
    is malformed.
    """
    seconds = os.environ.get(DATE_VARIABLE, "")
    if not seconds:
        return ""
    if not (re.fullmatch("[0-9]{1,12}", seconds) and int(seconds) <= LAST_SECOND):
        raise OptionError(
            f"{DATE_VARIABLE}: found '{escape_unprintable(seconds)}', expected whole seconds since "
            "1970-01-01, as date +%s prints them"
        )
    from datetime import UTC, datetime

    return f"{datetime.fromtimestamp(int(seconds), UTC):%Y-%m-%d %H:%M} UTC"


def warn_undrawn() -> None:
    """Warn if a page will lack figures because the package that draws them is not installed."""
    from rouge_cli.reports.drawing import can_draw
    from rouge_cli.reports.writers.html import UNDRAWN

    if not can_draw():
        warn([UNDRAWN])


def named_inputs(source: "Source", options: Options, *others: str | None) -> list[str]:
    """Return the paths of all inputs that the command line names, and of `others`."""
    inputs = options.inputs
    of_lines = (*inputs.peer_lines, *inputs.model_lines, inputs.references_from)
    protocol = options.metrics.protocol
    choices = [options.texts.stopwords, options.metrics.soft, protocol and protocol.path]
    return list(filter(None, [*source.paths, *of_lines, *options.joined.scores, *choices, *others]))


def drawn_files(view: "View", pages: PageOptions, default: str) -> list[Output]:
    """Return the files of ``--plot``; `default` is the figure for those that do not name one.

    Raises OptionError if the result lacks a figure.
    """
    plots = pages.plot
    if not plots:
        return []
    from rouge_cli.reports.drawing import draw_files

    figures = view.figures()
    wanted = [(_figure(plot, default, figures), plot.suffix) for plot in plots]
    drawn = draw_files(wanted, pages, lambda message: warn([message]))
    return [
        Output(content, plot.path, PLOT_OPTION) for content, plot in zip(drawn, plots, strict=True)
    ]


def _figure(wanted: PlotFile, default: str, figures: "Sequence[Figure]") -> "Figure":
    known = {figure.name: figure for figure in figures if figure.panels}
    name = wanted.figure or default
    if name not in known:
        has = f"has only: {', '.join(known)}" if known else "has nothing to draw"
        if name in SCORE_FIGURES:
            has += "; differences and wins need two systems or more, and means over texts"
        raise OptionError(f"{PLOT_OPTION}: found {str(wanted)!r}, but this result {has}")
    return known[name]


def origin_of(paths: Iterable[str | None], digest: str = "") -> "Provenance":
    """Return the command line, and the checksums of its files and of all texts (`digest`).

    Both are printed on a page, so that its numbers can be reproduced.
    """
    from rouge_cli.reports.document import Provenance
    from rouge_cli.studies.score.certificate import checksums

    command = shlex.join(["rouge-cli", *sys.argv[1:]])
    return Provenance(escape_unprintable(command), tuple(checksums(paths, digest)), run_date())
