"""A study of correlations in plain text, 80 columns wide."""

from collections.abc import Iterator, Sequence
from textwrap import wrap

from rouge_cli.reports.correlation_grids import (
    BEST,
    TIED,
    CorrelationGrid,
    ShownCell,
    correlation_grids,
)
from rouge_cli.reports.correlation_notes import correlation_notes, shown_signatures
from rouge_cli.statistics.correlation_records import CorrelationStudy

__all__ = ["correlation_report"]

WIDTH = 80
GAP = "  "
MARKS = {BEST: "*", TIED: "~", "": " "}


def correlation_report(study: CorrelationStudy) -> Iterator[str]:
    """Yield the grids, then what they mean, and the signature."""
    for grid in correlation_grids(study):
        yield from (f"{line}\n" for line in wrap(grid.title, WIDTH))
        for first, end in _parts(grid):
            yield from (f"{line.rstrip()}\n" for line in _drawn(grid, first, end))
            yield "\n"
    for note in correlation_notes(study, MARKS[BEST], MARKS[TIED]):
        yield from (f"{line}\n" for line in wrap(note, WIDTH, break_on_hyphens=False))
    for signature in shown_signatures(study):
        for line in wrap(signature.replace("|", "| "), WIDTH, break_on_hyphens=False):
            yield line.replace("| ", "|") + "\n"


def _parts(grid: CorrelationGrid) -> Iterator[tuple[int, int]]:
    """Yield the ranges of columns that fit the width; what stands under one head stays together."""
    widths, full = _widths(grid), WIDTH - _label_width(grid)
    first = place = 0
    room = full
    for size in [size for _, size in grid.groups] or [1] * len(widths):
        needed = sum(widths[place : place + size]) + len(GAP) * size
        if place > first and needed > room:
            yield first, place
            first, room = place, full
        room -= needed
        place += size
    yield first, place


def _label_width(grid: CorrelationGrid) -> int:
    """Return the width of the labels."""
    return max(len(grid.label_heading), *(len(label) for label, _ in grid.rows))


def _widths(grid: CorrelationGrid) -> list[int]:
    """Return the width of each column; a head above columns may need more than they."""
    widths = [len(lines[0]) for lines in _columns(grid)]
    first = 0
    for head, size in grid.groups:
        missing = len(head) - sum(widths[first : first + size]) - len(GAP) * (size - 1)
        widths[first] += max(0, missing)
        first += size
    return widths


def _columns(grid: CorrelationGrid) -> Iterator[list[str]]:
    """Yield the lines of each column, its heading first, all equally wide."""
    for place, heading in enumerate(grid.headings):
        yield _column(heading, [cells[place] for _, cells in grid.rows])


def _column(heading: str, cells: Sequence[ShownCell]) -> list[str]:
    """Write a column: numbers stand below numbers, and bounds below bounds."""
    mark_width = int(any(cell.mark for cell in cells))
    width = max(len(heading), *(len(cell.text) for cell in cells))
    bounds = [cell.interval or ("", "") for cell in cells]
    lower, upper = (max(map(len, side)) for side in zip(*bounds, strict=True))
    if lower:
        width = max(len(cell.text) for cell in cells)
    lines = [heading.ljust(width) if lower else heading.rjust(width) + " " * mark_width]
    for cell, (low, high) in zip(cells, bounds, strict=True):
        interval = f" [{low.rjust(lower)}, {high.rjust(upper)}]" if low else ""
        lines.append(cell.text.rjust(width) + MARKS[cell.mark][:mark_width] + interval)
    longest = max(map(len, lines))
    return [line.ljust(longest) for line in lines]


def _drawn(grid: CorrelationGrid, first: int, end: int) -> Iterator[str]:
    """Yield the lines of some columns."""
    widths, label_width = _widths(grid)[first:end], _label_width(grid)
    if grid.groups:
        yield _group_line(grid, (first, end), label_width)
    labels = [label.ljust(label_width) for label in (grid.label_heading, *dict(grid.rows))]
    columns = list(_columns(grid))[first:end]
    padded = [
        [line.rjust(width) for line in lines] for lines, width in zip(columns, widths, strict=True)
    ]
    head, *lines = (GAP.join(cells) for cells in zip(labels, *padded, strict=True))
    yield head
    yield "-" * (label_width + sum(widths) + len(GAP) * len(widths))
    yield from lines


def _group_line(grid: CorrelationGrid, part: tuple[int, int], label_width: int) -> str:
    """Write what stands above the headings of a part, each over the middle of its columns."""
    line, widths, place = " " * label_width, _widths(grid), 0
    for head, size in grid.groups:
        if part[0] <= place < part[1]:
            room = sum(widths[place : place + size]) + len(GAP) * (size - 1)
            line += GAP + head.center(room)
        place += size
    return line
