"""What pages and figures need besides the result: texts, comparison, checksums, the command."""

import os
import shlex
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rouge_cli.cli.output import STANDARD_OUTPUT, check_output, warn, write_content
from rouge_cli.errors import OptionError
from rouge_cli.escapes import escape_unprintable
from rouge_cli.options.every import Options
from rouge_cli.options.pages import SCORE_FIGURES, PageOptions, PlotFile
from rouge_cli.options.reports import REPORT_KINDS
from rouge_cli.quick_dataclass import dataclass

if TYPE_CHECKING:
    from rouge_cli.inputs.corpus import Corpus
    from rouge_cli.inputs.source import Source
    from rouge_cli.reports.explorer import PackedTexts
    from rouge_cli.reports.figure import Figure
    from rouge_cli.reports.page import Checksum, FiguredView, Origin
    from rouge_cli.reports.views.scored_page import ScoredPage
    from rouge_cli.scoring.results import Results

__all__ = [
    "CorpusTexts",
    "check_pages",
    "drawn_files",
    "named_inputs",
    "origin_of",
    "scored_page",
    "study_pages",
    "warn_undrawn",
    "with_texts",
    "write_drawings",
]

MOST_EVALS = 600
"""The texts of more do not fit into a page of 5 MB that is written in some seconds."""

PLOT_OPTION = "--plot"
COMPARED = frozenset({"differences", "wins"})
ALL_TEXTS = "all texts as they are read"

FROM_SCORES = "The input holds saved scores: the texts are not in this file."
LEFT_OUT = "The texts are left out of this file (--no-texts)."


def check_pages(
    pages: PageOptions,
    figures: Sequence[str],
    inputs: Iterable[str | None],
    outputs: Iterable[str | None],
    *,
    has_page: bool,
) -> None:
    """Refuse, before anything is scored, figures that a command lacks or that cannot be written.

    Parameters
    ----------
    figures : sequence of str
        Those that the command has.
    inputs : iterable of str or None
        Files that no figure must take the place of.
    outputs : iterable of str or None
        Where else something is written.
    has_page : bool
        Whether a page is written.

    Raises
    ------
    OptionError, InputError
    RougeError
        If a figure is wanted, and what draws it is not installed.
    """
    if not pages.page_texts and not has_page:
        raise OptionError("--no-texts is for --report html")
    taken, names = set(outputs), list(inputs)
    for one in pages.plot:
        if one.figure is not None and one.figure not in figures:
            raise OptionError(
                f"{PLOT_OPTION}: found {str(one)!r}, expected one of the figures of this command: "
                f"{', '.join(figures)}"
            )
        if one.path in taken:
            raise OptionError(f"{PLOT_OPTION}: {one.path} is written twice; give each its own file")
        taken.add(one.path)
        check_output(one.path, names, PLOT_OPTION)
    if pages.plot:
        from rouge_cli.reports.drawing import check_drawing

        check_drawing()


def study_pages(
    given: Mapping[str, Any],
    report: str,
    output: str | None,
    paths: list[str],
    figures: Sequence[str],
) -> tuple[PageOptions, bool]:
    """Check what a study writes beside its report, before anything is scored.

    Parameters
    ----------
    report : str
        The kind of the report.
    output : str or None
        Where it goes.
    paths : list of str
        Of all inputs.
    figures : sequence of str
        Those that the command has.

    Returns
    -------
    pages : PageOptions
    is_page : bool
        Whether the report is a page.

    Raises
    ------
    OptionError, InputError, RougeError
        As `check_output` and `check_pages` do.
    """
    pages, is_page = PageOptions.of(given), REPORT_KINDS[report].is_page
    check_output(output, paths)
    check_pages(pages, figures, paths, [output], has_page=is_page)
    if is_page:
        warn_undrawn()
    return pages, is_page


def warn_undrawn() -> None:
    """Say that a page has no figures, if what draws them is not installed."""
    from rouge_cli.reports.drawing import can_draw
    from rouge_cli.reports.writers.html import UNDRAWN

    if not can_draw():
        warn([UNDRAWN])


def named_inputs(source: "Source", options: Options, *others: str | None) -> list[str]:
    """Return the paths of all inputs that the command line names."""
    inputs = options.inputs
    of_lines = (*inputs.peer_lines, *inputs.model_lines)
    return list(filter(None, [*source.paths, *of_lines, *options.beside.scores, *others]))


def drawn_files(view: "FiguredView", plots: Sequence[PlotFile], default: str) -> dict[str, bytes]:
    """Draw figures.

    Parameters
    ----------
    default : str
        Which figure a file has that none is named for.

    Returns
    -------
    dict of str to bytes
        By file.

    Raises
    ------
    OptionError
        If the result lacks a figure.
    """
    if not plots:
        return {}
    from rouge_cli.reports.drawing import draw_file

    figures = view.figures()
    return {one.path: draw_file(_figure(one, default, figures), one.suffix) for one in plots}


def _figure(wanted: PlotFile, default: str, figures: "Sequence[Figure]") -> "Figure":
    """Return the figure that is asked for."""
    known = {one.name: one for one in figures if one.panels}
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


def write_drawings(drawings: Mapping[str, bytes]) -> None:
    """Write figures, each whole or not at all, or say why one cannot be written, and end."""
    for path, content in drawings.items():
        write_content(content, path, PLOT_OPTION)


@dataclass(slots=True)
class CorpusTexts:
    """Takes from a corpus what a page shows of it, while its texts can be read.

    Parameters
    ----------
    is_wanted : bool
        Whether the page shows texts.
    prepare : callable
        From the results of the run to those that the page shows.
    packed : PackedTexts or None
        What it has taken.
    note : str
        Which EVALs have texts, and why the others have none.
    digest : str
        SHA-256 of all texts, where they stand in files that nobody has named.
    """

    is_wanted: bool
    prepare: "Callable[[Results], Results]" = lambda results: results
    packed: "PackedTexts | None" = None
    note: str = FROM_SCORES
    digest: str = ""

    def __call__(self, corpus: "Corpus", results: "Results") -> None:
        """Read the texts; raises InputError."""
        self.digest = _digest(corpus)
        if not self.is_wanted:
            self.note = LEFT_OUT
            return
        from rouge_cli.reports.explorer import pack_texts
        from rouge_cli.reports.marked_texts import marked_batches, outstanding_evals
        from rouge_cli.reports.views.scores import sort_column, sorted_systems
        from rouge_cli.reports.views.wording import measure_label

        results = self.prepare(results)
        column = sort_column(results)
        order = [system.id for system in sorted_systems(results)]
        eval_ids = outstanding_evals(results.table, column, MOST_EVALS)
        batches = marked_batches(corpus, eval_ids, results.options, os.environ)
        self.packed = pack_texts(batches, results.table, order)
        n_evals = len({one for system in results.table.systems.values() for one in system.eval_ids})
        n_shown = len(self.packed.eval_ids)
        self.note = (
            ""
            if n_shown == n_evals
            else (
                f"The texts of {n_shown} of {n_evals} EVALs are in this file, so that it does not "
                "grow too large: those with the largest differences between systems, the "
                f"lowest and the highest {measure_label(column.metric, column.letter)}. All scores "
                "are."
            )
        )


def _digest(corpus: "Corpus") -> str:
    """Return the checksum of texts in files that were found, not named; empty for others."""
    from hashlib import sha256

    from rouge_cli.inputs.corpus import read_texts, scored_evaluations

    digest, has_files = sha256(), False
    for evaluation in scored_evaluations(corpus):
        sources = [*evaluation.peers.values(), *evaluation.models]
        if not any(source.content is None for source in sources):
            continue
        has_files = True
        texts = read_texts(corpus, evaluation)
        for text in (*texts.peers.values(), *texts.models):
            digest.update(b"%d\n" % len(text) + text)
    return digest.hexdigest() if has_files else ""


def origin_of(paths: Iterable[str | None], digest: str = "") -> "Origin":
    """Return the command line, and the checksums of the files that it names."""
    from rouge_cli.reports.page import Checksum, Origin

    found = [one for path in dict.fromkeys(paths) if path for one in _checksums(path)]
    if digest:
        found.append(Checksum(ALL_TEXTS, digest))
    command = shlex.join(["rouge-cli", *sys.argv[1:]])
    return Origin(escape_unprintable(command), tuple(found))


def _checksums(path: str) -> "list[Checksum]":
    """Return the checksum of a file, or of each file in a folder; none of what is neither."""
    from hashlib import sha256

    from rouge_cli.reports.page import Checksum

    if path != STANDARD_OUTPUT and os.path.isdir(path):
        inner = sorted(one.path for one in os.scandir(path) if one.is_file())
        return [found for one in inner for found in _checksums(one)]
    # A pipe can be read once, and has been.
    if path == STANDARD_OUTPUT or not os.path.isfile(path):
        return []
    digest = sha256()
    with open(path, "rb") as file:
        while piece := file.read(1 << 20):
            digest.update(piece)
    return [Checksum(escape_unprintable(path), digest.hexdigest())]


def scored_page(
    results: "Results",
    texts: CorpusTexts | None,
    paths: Iterable[str | None],
    plots: Sequence[PlotFile],
) -> "ScoredPage":
    """Return the page of a run: its systems are compared, if they can be and anything needs it.

    Parameters
    ----------
    texts : CorpusTexts or None
        None where no page is written, but figures.
    paths : iterable of str or None
        What the command line names.
    """
    from rouge_cli.reports.views.scored_page import ScoredPage, compared_page

    if texts is None and not any(one.figure in COMPARED for one in plots):
        return ScoredPage(results)
    return with_texts(compared_page(results), texts, paths)


def with_texts(
    page: "ScoredPage", texts: CorpusTexts | None, paths: Iterable[str | None]
) -> "ScoredPage":
    """Return a page with texts, and with what the command line names; see `scored_page`."""
    from rouge_cli.reports.explorer import PackedTexts

    if texts is None:
        return page
    origin = origin_of(paths, texts.digest)
    packed = texts.packed or PackedTexts()
    return replace(page, texts=packed, texts_note=texts.note, origin=origin)
