"""Pages and figures of commands: checks, files, and where results come from."""

import os
import re
import shlex
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from rouge_cli.cli.output import Output, warn
from rouge_cli.errors import InputError, OptionError
from rouge_cli.escapes import escape_unprintable
from rouge_cli.options.figures import SCORE_FIGURES, PlotFile
from rouge_cli.options.options import Options
from rouge_cli.options.reports import PAGES, STANDARD_OUTPUT, PageOptions

if TYPE_CHECKING:
    from rouge_cli.inputs.source import Source
    from rouge_cli.options.inputs import InputOptions
    from rouge_cli.reports import View
    from rouge_cli.reports.document import Figure
    from rouge_cli.reports.page import Provenance

PLOT_OPTION = "--plot"

NOTES = "notes in Markdown"

# Bytes of notes, some 40 pages. A megabyte of brackets takes ten seconds to read as Markdown.
MOST_NOTES = 100_000

DATE_VARIABLE = "SOURCE_DATE_EPOCH"
LAST_SECOND = 253_402_300_799  # the end of the year 9999


def check_pages(pages: PageOptions, figures: Sequence[str], *, has_page: bool) -> None:
    """Refuse options of pages without a page, and figures that are not among those of the command.

    Raises OptionError, and RougeError if the package that draws figures is not installed.
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
    """Refuse fields of a page that does not show them; raises OptionError."""
    if inputs.page_source and not shows_texts:
        raise OptionError("--page-source and --no-texts exclude each other; give one")
    if inputs.page_fields and not shows_evals:
        spelling = "--page-field" if inputs.page_field else "--page-source"
        raise OptionError(f"{spelling} is for --report html, where its page lists texts")


def plot_outputs(pages: PageOptions) -> Iterator[tuple[str, str]]:
    """Yield the path of each figure, and the option that names it, for `check_outputs`."""
    for plot in pages.plot:
        yield plot.path, PLOT_OPTION


def user_notes(path: str | None) -> str:
    """Return the notes in a file; empty for None.

    Raises OptionError for standard input, and InputError if the file cannot be read, is not UTF-8,
    or has more than `MOST_NOTES` bytes.
    """
    if path is None:
        return ""
    if path == STANDARD_OUTPUT:
        raise OptionError("--notes: found '-', expected a file; standard input is for texts")
    from rouge_cli.inputs.files import input_name, open_input

    name = input_name(path)
    with open_input(path, NOTES) as stream:
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
    """Return the date in ``SOURCE_DATE_EPOCH``, in seconds since 1970; empty if it is unset.

    Why not the clock: two pages of the same run would differ. Raises OptionError for a malformed
    value.
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
    """Warn if a page lacks its figures because the package that draws them is not installed."""
    from rouge_cli.reports.drawing import can_draw
    from rouge_cli.reports.writers.html import UNDRAWN

    if not can_draw():
        warn([UNDRAWN])


def named_inputs(source: "Source", options: Options, *others: str | None) -> list[str]:
    """Return the paths of all inputs that the command line names."""
    inputs = options.inputs
    of_lines = (*inputs.peer_lines, *inputs.model_lines, inputs.references_from)
    protocol = options.metrics.protocol
    choices = [options.texts.stopwords, options.metrics.soft, protocol and protocol.path]
    return list(filter(None, [*source.paths, *of_lines, *options.joined.scores, *choices, *others]))


def drawn_files(view: "View", pages: PageOptions, default: str) -> list[Output]:
    """Draw each figure into its file; a file without the name of a figure gets `default`.

    Raises OptionError if the result lacks a figure.
    """
    plots = pages.plot
    if not plots:
        return []
    from rouge_cli.reports.drawing import draw_files

    figures = view.figures()
    wanted = [(_figure(plot, default, figures), plot.suffix) for plot in plots]
    drawn = draw_files(wanted, pages.layout, lambda message: warn([message]))
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
    """Return the command line, and the checksums of its files and of all texts (`digest`)."""
    from rouge_cli.reports.page import Provenance, checksums

    command = shlex.join(["rouge-cli", *sys.argv[1:]])
    return Provenance(escape_unprintable(command), tuple(checksums(paths, digest)), run_date())
