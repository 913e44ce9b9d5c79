"""Parts of pages and figures other than the result: checks, files, the command line."""

import os
import re
import shlex
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rouge_cli.cli.arguments import switched_off
from rouge_cli.cli.output import STANDARD_OUTPUT, Output, check_outputs, warn
from rouge_cli.errors import InputError, OptionError
from rouge_cli.escapes import escape_unprintable
from rouge_cli.options.figures import SCORE_FIGURES, PlotFile
from rouge_cli.options.options import Options
from rouge_cli.options.reports import (
    NOTES_OF_NO_PAGE,
    REPORT_KINDS,
    TITLE_OF_NO_PAGE,
    PageOptions,
)

if TYPE_CHECKING:
    from rouge_cli.inputs.source import Source
    from rouge_cli.reports import View
    from rouge_cli.reports.document import Figure
    from rouge_cli.reports.page import Provenance
    from rouge_cli.scores.results import Results
    from rouge_cli.studies.score.page import CorpusTexts, ScoredPage

PLOT_OPTION = "--plot"
COMPARED = frozenset({"differences", "wins"})

NOTES = "notes in Markdown"
MOST_NOTES = 100_000
"""Bytes of notes: some 40 pages. To read a megabyte of brackets as Markdown takes ten seconds."""

DATE_VARIABLE = "SOURCE_DATE_EPOCH"
LAST_SECOND = 253_402_300_799
"""Of the year 9999."""


def check_pages(
    pages: PageOptions,
    figures: Sequence[str],
    *,
    has_page: bool,
) -> None:
    """Refuse, before anything is scored, figures that a command lacks.

    `figures` are those that the command has. Raises OptionError, and RougeError if a figure is
    wanted and the package that draws it is not installed.
    """
    if not pages.page_texts and not has_page:
        raise OptionError("--no-texts is for --report html")
    if not pages.page_figures and not has_page:
        raise OptionError("--no-figures is for --report html")
    if pages.page_title is not None and not has_page:
        raise OptionError(TITLE_OF_NO_PAGE)
    if pages.page_notes is not None and not has_page:
        raise OptionError(NOTES_OF_NO_PAGE)
    if has_page:
        run_date()
    for plot in pages.plot:
        if plot.figure is not None and plot.figure not in figures:
            raise OptionError(
                f"{PLOT_OPTION}: found {str(plot)!r}, expected one of the figures of this command: "
                f"{', '.join(figures)}"
            )
    for name in ("figure_width", "figure_columns", "font_size"):
        if getattr(pages, name) is not None and not pages.plot:
            raise OptionError(f"{PageOptions.options()[name].spelling} is for {PLOT_OPTION}")
    if pages.plot:
        from rouge_cli.reports.drawing import check_drawing

        check_drawing()


def check_page_field(fields: Sequence[str], *, shows_evals: bool) -> None:
    """Refuse fields to choose EVALs by where no page lists EVALs; raises OptionError."""
    if fields and not shows_evals:
        raise OptionError("--page-field is for --report html, where its page lists EVALs")


def plot_outputs(pages: PageOptions) -> Iterator[tuple[str, str]]:
    """Yield the path of each figure, and the option that names it, for `check_outputs`."""
    for plot in pages.plot:
        yield plot.path, PLOT_OPTION


def study_pages(
    typed: Mapping[str, Any],
    report: str,
    outputs: Sequence[tuple[str | None, str]],
    paths: list[str],
    figures: Sequence[str],
) -> tuple[PageOptions, bool, tuple[str, ...]]:
    """Check what a study writes next to its report, before anything is scored.

    `report` is the kind of the report; `outputs` are files and their options; `figures` are those
    that the command has. Returns also whether the report is a page, and what `check_outputs`
    returns. Raises OptionError, InputError and RougeError as `check_outputs` and `check_pages` do.
    """
    pages, is_page = PageOptions.of(switched_off(typed)), REPORT_KINDS[report].is_page
    replaced = check_outputs([*outputs, *plot_outputs(pages)], [*paths, pages.page_notes])
    check_pages(pages, figures, has_page=is_page)
    if is_page and pages.page_figures:
        warn_undrawn()
    return pages, is_page, replaced


def user_notes(path: str | None) -> str:
    """Return the notes in a file, before anything is scored; empty for None.

    Raises OptionError for standard input, which has texts, and InputError if the file cannot be
    read, is not UTF-8, or holds more than `MOST_NOTES` bytes.
    """
    if path is None:
        return ""
    if path == STANDARD_OUTPUT:
        raise OptionError("--notes: found '-', expected a file; standard input is for texts")
    from rouge_cli.inputs.files import read_input

    name, data = read_input(path, NOTES)
    if len(data) > MOST_NOTES:
        raise InputError(
            f"{name}: found {len(data):,} bytes, expected at most {MOST_NOTES:,} of {NOTES}"
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"{name}, line {line}: byte {data[error.start]:#04x} is not UTF-8; expected {NOTES}"
        ) from None


def run_date() -> str:
    """Return the date of ``SOURCE_DATE_EPOCH``, which is seconds since 1970; empty if it is unset.

    Nothing else dates a page: the clock would make every page differ from that of the same run.
    Raises OptionError if the variable is no such number.
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
    """Warn that a page has no figures, if the package that draws them is not installed."""
    from rouge_cli.reports.drawing import can_draw
    from rouge_cli.reports.writers.html import UNDRAWN

    if not can_draw():
        warn([UNDRAWN])


def named_inputs(source: "Source", options: Options, *others: str | None) -> list[str]:
    """Return the paths of all inputs that the command line names."""
    inputs = options.inputs
    of_lines = (*inputs.peer_lines, *inputs.model_lines)
    protocol = options.metrics.protocol
    choices = [options.texts.stopwords, None if protocol is None else protocol.path]
    return list(filter(None, [*source.paths, *of_lines, *options.joined.scores, *choices, *others]))


def drawn_files(view: "View", pages: PageOptions, default: str) -> list[Output]:
    """Draw figures, a file each; a file without a named figure has the `default`.

    Raises OptionError if the result lacks a figure.
    """
    plots = pages.plot
    if not plots:
        return []
    from rouge_cli.reports.drawing import draw_files

    figures = view.figures()
    wanted = [(_figure(plot, default, figures), plot.suffix) for plot in plots]
    drawn = draw_files(wanted, pages.layout)
    return [
        Output(content, plot.path, PLOT_OPTION) for content, plot in zip(drawn, plots, strict=True)
    ]


def _figure(wanted: PlotFile, default: str, figures: "Sequence[Figure]") -> "Figure":
    """Return the figure that is asked for."""
    known = {figure.name: figure for figure in figures if figure.panels}
    name = wanted.figure or default
    if name not in known:
        has = f"has only: {', '.join(known)}" if known else "has nothing to draw"
        raise OptionError(
            f"{PLOT_OPTION}: found {str(wanted)!r}, but this result {has}; differences and wins "
            "need two systems or more, and means over EVALs"
            if name in SCORE_FIGURES
            else f"{PLOT_OPTION}: found {str(wanted)!r}, but this result {has}"
        )
    return known[name]


def origin_of(paths: Iterable[str | None], digest: str = "") -> "Provenance":
    """Return the command line, and the checksums of the files that it names."""
    from rouge_cli.reports.page import Provenance, checksums

    command = shlex.join(["rouge-cli", *sys.argv[1:]])
    return Provenance(escape_unprintable(command), tuple(checksums(paths, digest)), run_date())


def scored_page(
    results: "Results",
    texts: "CorpusTexts | None",
    paths: Iterable[str | None],
    plots: Sequence[PlotFile],
) -> "ScoredPage":
    """Return the page of a run: its systems are compared, if they can be and anything needs it.

    `texts` is None if only figures are written. `paths` are what the command line names.
    """
    from rouge_cli.studies.score.page import ScoredPage, compared_page

    if texts is None and not any(plot.figure in COMPARED for plot in plots):
        return ScoredPage(results)
    return with_texts(compared_page(results), texts, paths)


def with_texts(
    page: "ScoredPage", texts: "CorpusTexts | None", paths: Iterable[str | None]
) -> "ScoredPage":
    """Return a page with texts, and with what the command line names; see `scored_page`."""
    if texts is None:
        return page
    return replace(page, texts=texts.packed, origin=origin_of(paths, texts.digest))
