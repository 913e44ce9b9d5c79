"""Parts of pages and figures other than the result: checks, files, the command line."""

import shlex
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rouge_cli.cli.arguments import switched_off
from rouge_cli.cli.output import Output, check_outputs, warn
from rouge_cli.errors import OptionError
from rouge_cli.escapes import escape_unprintable
from rouge_cli.options.figures import SCORE_FIGURES, PlotFile
from rouge_cli.options.options import Options
from rouge_cli.options.reports import REPORT_KINDS, TITLE_OF_NO_PAGE, PageOptions

if TYPE_CHECKING:
    from rouge_cli.inputs.source import Source
    from rouge_cli.reports import View
    from rouge_cli.reports.document import Figure
    from rouge_cli.reports.page import Origin
    from rouge_cli.reports.views.scored_page import CorpusTexts, ScoredPage
    from rouge_cli.scores.results import Results

PLOT_OPTION = "--plot"
COMPARED = frozenset({"differences", "wins"})


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
    replaced = check_outputs([*outputs, *plot_outputs(pages)], paths)
    check_pages(pages, figures, has_page=is_page)
    if is_page and pages.page_figures:
        warn_undrawn()
    return pages, is_page, replaced


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
    # What is no file, such as the name of a protocol, is like no output.
    choices = [options.texts.stopwords, options.metrics.protocol]
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


def origin_of(paths: Iterable[str | None], digest: str = "") -> "Origin":
    """Return the command line, and the checksums of the files that it names."""
    from rouge_cli.reports.page import Origin, checksums

    command = shlex.join(["rouge-cli", *sys.argv[1:]])
    return Origin(escape_unprintable(command), tuple(checksums(paths, digest)))


def scored_page(
    results: "Results",
    texts: "CorpusTexts | None",
    paths: Iterable[str | None],
    plots: Sequence[PlotFile],
) -> "ScoredPage":
    """Return the page of a run: its systems are compared, if they can be and anything needs it.

    `texts` is None if only figures are written. `paths` are what the command line names.
    """
    from rouge_cli.reports.views.scored_page import ScoredPage, compared_page

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
