"""GitHub's Markdown."""

import re
from collections.abc import Iterator, Sequence

from rouge_cli.reports import Screen, View
from rouge_cli.reports.table import BEST, TIED, Cell, Table

__all__ = ["markdown_text", "write"]

RULES = {"l": ":--", "r": "--:"}
MARKS = {"": "", BEST: "**", TIED: "_"}
SPECIAL = re.compile(r"[\\`*_\[\]<>|~&#$]|:(?=//)|(?<=www)\.", re.IGNORECASE)
"""Marks, and what makes a link of a bare address."""

MENTION = re.compile(r"@(?=\w)")
MARK_NAMES = {BEST: "Bold", TIED: "Italic"}


def write(view: View, screen: Screen) -> Iterator[str]:
    """Yield the tables, what is to be said of them, and the signatures."""
    document = view.document()
    for section in document.sections:
        if section.title:
            yield f"**{markdown_text(section.title)}**\n\n"
        for table in section.tables:
            yield from _table(table)
            yield "\n"
        if section.caption:
            yield f"{markdown_text(section.caption)}\n\n"
    for note in document.notes:
        yield f"{markdown_text(note.text(MARK_NAMES))}\n\n"
    for signature in document.signatures:
        yield f"`{signature}`\n"


def _table(table: Table) -> Iterator[str]:
    """Yield the lines of a table."""
    yield _line([markdown_text(one.full_heading or one.heading) for one in table.columns])
    yield _line([RULES[column.side] for column in table.columns])
    for row in table.rows:
        yield _line([_cell(cell) for cell in row])


def _line(cells: Sequence[str]) -> str:
    """Write a row."""
    return f"| {' | '.join(cells)} |\n"


def _cell(cell: Cell) -> str:
    """Write a cell: the best bold, what cannot be told apart from it in italics."""
    if not (cell.mark or cell.interval or cell.letters):
        return markdown_text(cell.text)
    letters = " ".join(letter for letter in cell.letters if letter.strip())
    text, mark = cell.text or letters, MARKS[cell.mark]
    parts = [f"{mark}{markdown_text(text)}{mark}"] if text else []
    if cell.text and letters:
        parts[0] += f"<sup>{letters}</sup>"
    if cell.interval:
        parts.append(f"[{', '.join(cell.interval)}]")
    return " ".join(parts)


def markdown_text(text: str) -> str:
    """Keep Markdown from seeing anything in a text but text."""
    # GitHub looks for @user in the text that Markdown leaves, where a backslash is gone.
    return MENTION.sub("@<!-- -->", SPECIAL.sub(r"\\\g<0>", text))
