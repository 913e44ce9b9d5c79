"""Markdown with tables."""

import re
from collections.abc import Iterable, Iterator

from rouge_cli.reports import Screen, View
from rouge_cli.reports.document import (
    BEST,
    BETTER,
    BETTER_SIGN,
    MARK_NAMES,
    TIED,
    Cell,
    MarkedTexts,
    WordMark,
)

RULES = {"l": ":--", "r": "--:"}
MARKS = {"": "%s", BEST: "**%s**", TIED: "_%s_", BETTER: rf"%s\{BETTER_SIGN}"}
SPECIAL = re.compile(r"[\\`*_\[\]<>|~&#$]|:(?=//)|(?<=www)\.", re.IGNORECASE)
"""Characters of markup, and those that make a bare address a link."""

LIST = re.compile(r"^(\d*)([-+.)])")
MENTION = re.compile(r"@(?=\w)")
WORD_MARKS = {WordMark.COUNTED: "**", WordMark.CLIPPED: "_"}
LEGEND = "**Bold**: counts; _italic_: matches, but is clipped; otherwise: matches nothing."


def write(view: View, screen: Screen) -> Iterator[str]:
    """Yield the tables, the notes and the signatures."""
    document = view.document()
    if document.headline:
        # A headline begins with a name, which could look like a list item.
        yield LIST.sub(r"\1\\\2", markdown_text(document.headline.strip())) + "\n\n"
    if document.marked is not None:
        yield from _marked_texts(document.marked)
    for section in document.sections:
        if section.title:
            yield f"**{markdown_text(section.title)}**\n\n"
        for table in section.tables:
            yield _line([markdown_text(column.heading_alone) for column in table.columns])
            yield _line([RULES[column.side] for column in table.columns])
            yield from (_line(map(_cell, row)) for row in table.rows)
            yield "\n"
        if section.caption:
            yield f"{markdown_text(section.caption)}\n\n"
    for note in document.notes:
        yield f"{markdown_text(note.text(MARK_NAMES))}\n\n"
    for signature in document.signatures:
        yield f"`{signature}`\n"


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |\n"


def _cell(cell: Cell) -> str:
    if not (cell.mark or cell.interval or cell.letters):
        return markdown_text(cell.text)
    letters = cell.own_letters
    text = cell.text or letters
    parts = [MARKS[cell.mark] % markdown_text(text)] if text else []
    if cell.text and letters:
        parts[0] += f"<sup>{letters}</sup>"
    if cell.interval:
        parts.append(f"[{', '.join(cell.interval)}]")
    return " ".join(parts)


def markdown_text(text: str) -> str:
    """Escape a text for Markdown."""
    # Mentions are found after Markdown has removed backslashes, so a comment breaks them.
    return MENTION.sub("@<!-- -->", SPECIAL.sub(r"\\\g<0>", text))


def _marked_texts(marked: MarkedTexts) -> Iterator[str]:
    for passage in marked.passages:
        # Leave the top level to the title of the surrounding page.
        yield f"{'#' * (passage.level + 1)} {markdown_text(passage.heading)}\n\n"
        for line in passage.lines:
            label = f"{markdown_text(line.label)}: " if line.label else ""
            signs = ((WORD_MARKS.get(mark, ""), text) for mark, text in line.pieces())
            words = " ".join(f"{sign}{markdown_text(text)}{sign}" for sign, text in signs)
            yield f"- {label}{words}\n"
        if passage.lines:
            yield "\n"
    legend = [LEGEND, *(f"{markdown_text(entry)}." for entry in marked.legend)]
    yield f"{' '.join(legend)}\n\n"
