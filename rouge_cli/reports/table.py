"""The table for the terminal, and for anything else that shows plain text."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from io import StringIO
from itertools import groupby, zip_longest

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from rouge_cli.reports.grid import Cell, Grid, Row, grids, splits
from rouge_cli.scoring.results import Results
from rouge_cli.scoring.signature import signature

__all__ = ["table_report"]

GAP = 2
"""Blanks between two columns."""

NARROWEST_LABEL = 8
"""A label gets so many columns of the screen, however narrow that is."""


@dataclass(frozen=True, slots=True)
class _Widths:
    """How wide each column is, in columns of the screen.

    Parameters
    ----------
    labels, scores : list of int
    """

    labels: list[int]
    scores: list[int]

    @property
    def total(self) -> int:
        """Width of the whole table."""
        return _total(*self.labels, *self.scores)


def table_report(results: Results, *, width: int, is_coloured: bool) -> Iterator[str]:
    """Yield the tables and what is to be said of them.

    Parameters
    ----------
    results : Results
    width : int
        Columns of the screen. A table that is wider is split into several.
    is_coloured : bool
        Whether bold and dim text can be shown; otherwise the best scores get a ``*``.

    Raises
    ------
    OptionError
        If ``--sort`` names no metric of the run.
    """
    for grid in map(_aligned, grids(results)):
        widths = _fitting(_natural_widths(grid, is_coloured), grid.label_sides, width)
        room = width - _total(*widths.labels)
        for first, end in splits([GAP + score for score in widths.scores], room):
            part = _Widths(widths.labels, widths.scores[first:end])
            yield _drawn(grid.columns(first, end), part, is_coloured) + "\n"
        yield _folded(grid.caption, " ", width)
        yield ("* best in its column\n" if _has_marks(grid, is_coloured) else "") + "\n"
    yield _folded(signature(results.options), "|", width)


def _has_marks(grid: Grid, is_coloured: bool) -> bool:
    """Say whether the best scores have a mark, for want of bold type."""
    return grid.has_best and not is_coloured


def _aligned(grid: Grid) -> Grid:
    """Pad scores and bounds, so that those of a column stand below each other."""
    columns = [_padded(cells) for cells in zip(*(row.cells for row in grid.rows), strict=True)]
    rows = zip(grid.rows, zip(*columns, strict=True), strict=True)
    return replace(grid, rows=tuple(replace(row, cells=cells) for row, cells in rows))


def _padded(cells: Sequence[Cell]) -> list[Cell]:
    """Pad the cells of a column."""
    bounds = [bound for cell in cells for bound in cell.interval or ()]
    score, bound = max(len(cell.score) for cell in cells), max(map(len, bounds), default=0)
    return [
        Cell(
            cell.score.rjust(score),
            (cell.interval[0].rjust(bound), cell.interval[1].rjust(bound))
            if cell.interval
            else None,
            cell.is_best,
        )
        for cell in cells
    ]


def _total(*widths: int) -> int:
    """Add up the widths of columns and the gaps between them."""
    return sum(widths) + GAP * (len(widths) - 1)


def _natural_widths(grid: Grid, is_coloured: bool) -> _Widths:
    """Return how wide the columns are if nothing is folded."""
    labels = [
        max(map(cell_len, (heading, *(row.labels[k] for row in grid.rows))))
        for k, heading in enumerate(grid.label_headings)
    ]
    has_marks = _has_marks(grid, is_coloured)
    scores = [
        max(len(heading), *(len(_plain(row.cells[k], has_marks)) for row in grid.rows))
        for k, heading in enumerate(grid.headings)
    ]
    return _Widths(labels, scores)


def _fitting(widths: _Widths, sides: str, width: int) -> _Widths:
    """Narrow long labels, to be folded, where the table would not fit otherwise."""
    if widths.total <= width:
        return widths
    room = width - _total(0, *widths.scores[:1]) - GAP * len(widths.labels)
    n_folded = sides.count("l")
    most = max(NARROWEST_LABEL, min(width // 4, room // n_folded))
    labels = [
        min(label, most) if side == "l" else label
        for label, side in zip(widths.labels, sides, strict=True)
    ]
    return _Widths(labels, widths.scores)


def _drawn(grid: Grid, widths: _Widths, is_coloured: bool) -> str:
    """Draw one table."""
    has_marks = _has_marks(grid, is_coloured)
    console = Console(
        file=StringIO(),
        width=widths.total + GAP,
        force_terminal=is_coloured,
        force_jupyter=False,
        color_system="standard" if is_coloured else None,
        legacy_windows=False,
    )
    lines = _printed(console, _laid_out(grid, widths, has_heading=True))
    for is_styled, rows in groupby(grid.rows, lambda row: is_coloured and _has_style(row)):
        if is_styled:
            table = _laid_out(grid, widths, has_heading=False)
            for row in rows:
                table.add_row(*map(Text, row.labels), *_cells(row, has_marks))
            lines += _printed(console, table)
            continue
        # By hand it takes a small part of the time, which counts where each EVAL has a row.
        for row in rows:
            lines += _plain_lines(row, grid.label_sides, widths, has_marks, console)
    return "\n".join([line.rstrip() for line in lines]) + "\n"


def _laid_out(grid: Grid, widths: _Widths, *, has_heading: bool) -> Table:
    """Return a table without rows."""
    table = Table(
        box=box.SIMPLE_HEAD,
        show_header=has_heading,
        show_edge=False,
        pad_edge=False,
        padding=(0, 1, 0, 0),
    )
    for heading, side, wide in zip(
        grid.label_headings, grid.label_sides, widths.labels, strict=True
    ):
        table.add_column(
            Text(heading), justify="right" if side == "r" else "left", width=wide, overflow="fold"
        )
    for heading, wide in zip(grid.headings, widths.scores, strict=True):
        table.add_column(Text(heading), justify="right", width=wide, no_wrap=True)
    return table


def _printed(console: Console, table: Table) -> list[str]:
    """Return the lines of a table."""
    with console.capture() as captured:
        console.print(table)
    return captured.get().splitlines()


def _has_style(row: Row) -> bool:
    """Say whether something in a row is bold or dim where there are colours."""
    return any(cell.is_best or cell.interval for cell in row.cells)


def _plain_lines(
    row: Row, sides: str, widths: _Widths, has_marks: bool, console: Console
) -> list[str]:
    """Draw a row without colours; labels that are too long go on in further lines."""
    columns = [
        [label] if cell_len(label) <= wide else _folded_label(label, wide, console)
        for label, wide in zip(row.labels, widths.labels, strict=True)
    ]
    scores = [
        _plain(cell, has_marks).rjust(wide)
        for cell, wide in zip(row.cells, widths.scores, strict=True)
    ]
    lines = []
    for parts in zip_longest(*columns, fillvalue=""):
        cells = [
            part + pad if side == "l" else pad + part
            for part, side, pad in zip(parts, sides, _pads(parts, widths.labels), strict=True)
        ]
        lines.append((" " * GAP).join([*cells, *scores]))
        scores = []
    return lines


def _pads(parts: Sequence[str], widths: Sequence[int]) -> list[str]:
    """Return the blanks that labels lack to the widths of their columns."""
    return [" " * (wide - cell_len(part)) for part, wide in zip(parts, widths, strict=True)]


def _folded_label(label: str, width: int, console: Console) -> list[str]:
    """Fold a label, at blanks if it has any."""
    return [line.plain for line in Text(label).wrap(console, width, overflow="fold")]


def _cells(row: Row, has_marks: bool) -> Iterator[Text]:
    """Yield the scores of a row: the best in bold, or with a mark."""
    for cell in row.cells:
        score, rest = cell.score, _plain(cell, has_marks)[len(cell.score) :]
        yield Text.assemble((score, "bold" if cell.is_best else ""), (rest, "dim"))


def _plain(cell: Cell, has_marks: bool) -> str:
    """Write a score and its interval; where there are marks, a blank keeps the place of one."""
    mark = ("*" if cell.is_best else " ") if has_marks else ""
    interval = " {}\N{EN DASH}{}".format(*cell.interval) if cell.interval else ""
    return f"{cell.score}{mark}{interval}"


def _folded(text: str, after: str, width: int) -> str:
    """Fold a line after blanks or bars; what cannot be folded stays whole."""
    lines = [""]
    for piece in text.replace(after, after + "\n").split("\n"):
        if lines[-1] and len((lines[-1] + piece).rstrip()) > width:
            lines.append("")
        lines[-1] += piece
    return "".join(line.rstrip(" ") + "\n" for line in lines)
