"""A table in GitHub's Markdown."""

import re
from collections.abc import Iterator, Sequence

from rouge_cli.reports.grid import Cell, Grid, grids
from rouge_cli.scoring.results import Results
from rouge_cli.scoring.signature import signature

__all__ = ["markdown_report", "markdown_text"]

RULES = {"l": ":--", "r": "--:"}


def markdown_report(results: Results) -> Iterator[str]:
    """Yield the table of the systems and, with ``-d``, that of the EVALs; then the signature.

    Raises
    ------
    OptionError
        If ``--sort`` names no metric of the run.
    """
    for grid in grids(results):
        yield from _table(grid)
        yield f"\n{markdown_text(grid.caption)}\n\n"
    yield f"`{signature(results.options)}`\n"


def _table(grid: Grid) -> Iterator[str]:
    """Yield the lines of a table."""
    yield _line([*map(markdown_text, grid.label_headings), *map(markdown_text, grid.headings)])
    yield _line([RULES[side] for side in grid.label_sides + "r" * len(grid.headings)])
    for row in grid.rows:
        yield _line([*map(markdown_text, row.labels), *map(_cell, row.cells)])


def _line(cells: Sequence[str]) -> str:
    """Write a row."""
    return f"| {' | '.join(cells)} |\n"


def _cell(cell: Cell) -> str:
    """Write a score, the best in bold, and its interval."""
    score = f"**{cell.score}**" if cell.is_best else cell.score
    return f"{score} [{', '.join(cell.interval)}]" if cell.interval else score


def markdown_text(text: str) -> str:
    """Keep Markdown from seeing anything in a text but text."""
    return re.sub(r"([\\`*_\[\]<>|~&#])", r"\\\1", text)
