"""A table in HTML, for notebooks."""

from collections.abc import Iterator, Sequence
from html import escape

from rouge_cli.reports.grid import Cell, Grid, grids
from rouge_cli.scoring.results import Results
from rouge_cli.scoring.signature import signature

__all__ = ["html_report"]

STYLES = {"l": "text-align: left", "r": "text-align: right; white-space: nowrap"}


def html_report(results: Results) -> Iterator[str]:
    """Yield a ``table`` for the systems and, with ``-d``, one for the EVALs; then the signature.

    Raises
    ------
    OptionError
        If ``--sort`` names no metric of the run.
    """
    for grid in grids(results):
        yield from _table(grid)
    yield f"<p><code>{escape(signature(results.options))}</code></p>\n"


def _table(grid: Grid) -> Iterator[str]:
    """Yield the lines of a table."""
    sides = grid.label_sides + "r" * len(grid.headings)
    yield f"<table>\n<caption>{escape(grid.caption)}</caption>\n<thead>\n"
    yield _line("th", _escaped((*grid.label_headings, *grid.headings)), sides)
    yield "</thead>\n<tbody>\n"
    for row in grid.rows:
        yield _line("td", [*_escaped(row.labels), *map(_cell, row.cells)], sides)
    yield "</tbody>\n</table>\n"


def _escaped(texts: Sequence[str]) -> list[str]:
    """Escape several texts."""
    return [escape(text) for text in texts]


def _line(tag: str, cells: Sequence[str], sides: str) -> str:
    """Write a row."""
    written = (
        f'<{tag} style="{STYLES[side]}">{cell}</{tag}>'
        for cell, side in zip(cells, sides, strict=True)
    )
    return f"<tr>{''.join(written)}</tr>\n"


def _cell(cell: Cell) -> str:
    """Write a score, the best in bold, and its interval."""
    score = f"<b>{cell.score}</b>" if cell.is_best else cell.score
    return f"{score} <small>[{', '.join(cell.interval)}]</small>" if cell.interval else score
