"""A table in HTML, for notebooks."""

from collections.abc import Iterator, Sequence
from html import escape

from rouge_cli.reports import Screen, View
from rouge_cli.reports.table import BEST, TIED, Cell, Column, Section, Table

__all__ = ["write"]

STYLES = {"l": "text-align: left", "r": "text-align: right; white-space: nowrap"}
TAGS = {BEST: "b", TIED: "i"}
MARK_NAMES = {BEST: "Bold", TIED: "Italic"}


def write(view: View, screen: Screen) -> Iterator[str]:
    """Yield a ``table`` for each table, what is to be said of them, and the signatures."""
    document = view.document()
    for section in document.sections:
        for table in section.tables:
            yield from _table(table, section)
    for note in document.notes:
        yield f"<p>{escape(note.text(MARK_NAMES))}</p>\n"
    for signature in document.signatures:
        yield f"<p><code>{escape(signature)}</code></p>\n"


def _table(table: Table, section: Section) -> Iterator[str]:
    """Yield the lines of a table."""
    yield f"<table>\n<caption>{escape(section.caption or section.title)}</caption>\n<thead>\n"
    headings = [escape(column.full_heading or column.heading) for column in table.columns]
    yield _line("th", headings, table.columns)
    yield "</thead>\n<tbody>\n"
    for row in table.rows:
        yield _line("td", [_cell(cell) for cell in row], table.columns)
    yield "</tbody>\n</table>\n"


def _line(tag: str, cells: Sequence[str], columns: Sequence[Column]) -> str:
    """Write a row."""
    written = (
        f'<{tag} style="{STYLES[column.side]}">{cell}</{tag}>'
        for cell, column in zip(cells, columns, strict=True)
    )
    return f"<tr>{''.join(written)}</tr>\n"


def _cell(cell: Cell) -> str:
    """Write a cell: the best bold, what cannot be told apart from it in italics."""
    letters = " ".join(letter for letter in cell.letters if letter.strip())
    text = escape(cell.text or letters)
    if tag := TAGS.get(cell.mark):
        text = f"<{tag}>{text}</{tag}>"
    if cell.text and letters:
        text += f"<sup>{letters}</sup>"
    if cell.interval:
        text = f"{text} <small>[{', '.join(cell.interval)}]</small>".lstrip()
    return text
