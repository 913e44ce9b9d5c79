"""A study of correlations in GitHub's Markdown."""

from collections.abc import Iterator, Sequence

from rouge_cli.reports.correlation_grids import (
    BEST,
    TIED,
    CorrelationGrid,
    ShownCell,
    correlation_grids,
)
from rouge_cli.reports.correlation_notes import correlation_notes, shown_signatures
from rouge_cli.reports.markdown import markdown_text
from rouge_cli.statistics.correlation_records import CorrelationStudy

__all__ = ["correlation_report"]

MARKS = {BEST: "**", TIED: "_", "": ""}


def correlation_report(study: CorrelationStudy) -> Iterator[str]:
    """Yield the tables, what they mean, and the signature."""
    for grid in correlation_grids(study):
        yield f"**{markdown_text(grid.title)}**\n\n"
        yield from _table(grid)
        yield "\n"
    for note in correlation_notes(study, "Bold", "Italic"):
        yield f"{markdown_text(note)}\n\n"
    for signature in shown_signatures(study):
        yield f"`{signature}`\n"


def _table(grid: CorrelationGrid) -> Iterator[str]:
    """Yield the lines of a table."""
    groups = [head for head, size in grid.groups for _ in range(size)]
    heads = [
        f"{group}, {heading}" if group else heading
        for group, heading in zip(groups or [""] * len(grid.headings), grid.headings, strict=True)
    ]
    yield _line([grid.label_heading, *heads])
    yield _line([":--", *["--:"] * len(heads)])
    for label, cells in grid.rows:
        yield _line([markdown_text(label), *map(_cell, cells)])


def _line(cells: Sequence[str]) -> str:
    """Write a row."""
    return f"| {' | '.join(cells)} |\n"


def _cell(cell: ShownCell) -> str:
    """Write a cell: the best bold, what cannot be told apart from it in italics."""
    mark = MARKS[cell.mark]
    text = f"{mark}{markdown_text(cell.text)}{mark}"
    return f"{text} [{', '.join(cell.interval)}]" if cell.interval else text
