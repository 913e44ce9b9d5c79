"""Plain text, for the terminal and for anything else that shows it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from textwrap import wrap

from rouge_cli.escapes import escape_commands
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports import Screen, View
from rouge_cli.reports.table import BEST, TIED, Cell, Column, Mark, Role, Section, Table
from rouge_cli.reports.writers.text_style import GAP, STYLES, Style, display_width, longest

__all__ = ["folded_signature", "write"]

BOLD, DIM, PLAIN = "\x1b[1m", "\x1b[2m", "\x1b[0m"

BAR_WIDTH = 10
FULL, EIGHTHS = "\N{FULL BLOCK}", ("", *"\u258f\u258e\u258d\u258c\u258b\u258a\u2589")
"""A whole block, and 0 to 7 eighths of one."""

Signs = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Strip:
    """A column of text, not yet as wide as it will be.

    Parameters
    ----------
    texts, tails : list of str
        What stands in each row; in colours, texts may be bold and tails are dim.
    lengths : list of int
        Of texts with their tails, in columns of the screen.
    gap : int
        Blanks before it.
    """

    column: Column
    heading: str
    texts: list[str]
    tails: list[str]
    marks: list[Mark]
    lengths: list[int]
    width: int
    gap: int = GAP


def write(view: View, screen: Screen) -> Iterator[str]:
    """Yield the tables, what is to be said of them, and the signatures.

    A table that is wider than the screen is split. With colours the best is bold; otherwise a sign
    marks it.
    """
    document = view.document()
    style = STYLES.get(view.kind, Style())
    signs = {"": "", BEST: "" if screen.is_coloured else "*", TIED: "~"}
    for section in document.sections:
        yield from _section(section.narrowed(), style, signs, screen)
    names = signs | ({BEST: "Bold"} if screen.is_coloured else {})
    for note in document.notes:
        yield from _wrapped(note.text(names), screen.width)
    for signature in document.signatures:
        yield from folded_signature(signature, screen.width, style.slack)


def _section(section: Section, style: Style, signs: Signs, screen: Screen) -> Iterator[str]:
    """Yield the lines of a section."""
    yield from (f"{line}\n" for line in wrap(section.title, screen.width))
    for table in section.tables:
        yield from _table(table, style, signs, screen)
    if section.caption:
        yield from _wrapped(section.caption, screen.width)
        marks = {cell.mark for table in section.tables for row in table.rows for cell in row}
        if style.legend and signs[BEST] and BEST in marks:
            yield f"{signs[BEST]} {style.legend}\n"
        yield "\n"


def _wrapped(text: str, width: int) -> Iterator[str]:
    """Yield the lines of a paragraph; a word that is too wide stays whole."""
    for line in wrap(text, width, break_long_words=False, break_on_hyphens=False):
        yield f"{line}\n"


def folded_signature(signature: str, width: int, slack: int = 0) -> Iterator[str]:
    """Yield the lines of a signature, folded after bars; a part that is too wide stays whole."""
    line, taken = "", 0
    for part in signature.replace("|", "|\n").split("\n"):
        if line and taken + len(part) > width:
            yield f"{line}\n"
            line, taken = "", 0
        line, taken = line + part, taken + len(part) + slack
    yield f"{line}\n"


def _table(table: Table, style: Style, signs: Signs, screen: Screen) -> Iterator[str]:
    """Yield the lines of a table, in as many parts as the width asks for."""
    if screen.reads_commands:
        # Before anything is measured.
        table = table.with_texts(escape_commands)
    strips = [
        _strip(column, table.cells(place), style, signs)
        for place, column in enumerate(table.columns)
    ]
    strips = _with_gaps(strips, table, style)
    strips = _narrowed(strips, table, style, screen.width)
    room = screen.width - _total(strips[: table.n_labels])
    heads = replace(table, rows=())
    for places in table.parts([strip.gap + strip.width for strip in strips], room):
        part = [strips[place] for place in places]
        for line in _drawn(part, heads.columns_at(places), style, screen.is_coloured):
            yield f"{line.rstrip(' ')}\n"
        yield "\n"


def _strip(column: Column, cells: Sequence[Cell], style: Style, signs: Signs) -> _Strip:
    """Lay out the text of a column: numbers below numbers, signs below signs."""
    heading, marks = column.heading, [cell.mark for cell in cells]
    texts = [cell.text or " ".join(cell.letters) for cell in cells]
    if column.side == "l":
        texts = [text + signs[mark] for text, mark in zip(texts, marks, strict=True)]
        lengths, tails = list(map(display_width, texts)), [""] * len(texts)
        width = max([display_width(heading), *lengths])
        return _Strip(column, heading, texts, tails, marks, lengths, width)
    intervals, width = _intervals(cells, style), longest(texts)
    slot = longest([signs[mark] for mark in marks])
    added = [signs[cell.mark].ljust(slot) + _groups(cell) for cell in cells]
    slot = longest(added)
    if style.has_heads_over_numbers and not any(intervals):
        width = max(width, len(heading))
        heading = heading.rjust(width) + " " * slot
    elif style.has_heads_over_numbers:
        heading = " " * column.is_signed + heading
        heading = heading.ljust(width + slot + longest(intervals))
    tails = [
        one.ljust(slot) + interval + _bar(cell)
        for cell, one, interval in zip(cells, added, intervals, strict=True)
    ]
    length, texts = width + longest(tails), [text.rjust(width) for text in texts]
    lengths = [length] * len(texts)
    return _Strip(column, heading, texts, tails, marks, lengths, max(len(heading), length))


def _bar(cell: Cell) -> str:
    """Draw the bar of a cell, in eighths of a character; empty if it has none."""
    if cell.bar is None:
        return ""
    full, eighths = divmod(round(cell.bar * BAR_WIDTH * 8), 8)
    bar: str = FULL * full + EIGHTHS[eighths]
    return f" {bar.ljust(BAR_WIDTH)}"


def _groups(cell: Cell) -> str:
    """Write the letters behind a number, each below the same letter."""
    return f" {' '.join(cell.letters)}" if cell.text and cell.letters else ""


def _intervals(cells: Sequence[Cell], style: Style) -> list[str]:
    """Write the intervals of a column, bounds below bounds; blanks where there is none."""
    found = [cell.interval for cell in cells if cell.interval]
    if not found:
        return [""] * len(cells)
    lower, upper = style.bound_widths(*zip(*found, strict=True))
    blanks = " " * len(style.interval.format(" " * lower, " " * upper))
    return [
        style.interval.format(cell.interval[0].rjust(lower), cell.interval[1].rjust(upper))
        if cell.interval
        else blanks
        for cell in cells
    ]


def _with_gaps(strips: Sequence[_Strip], table: Table, style: Style) -> list[_Strip]:
    """Set the gaps within groups, and widen columns below a heading that needs more room."""
    spaced = list(strips)
    for group, places in table.groups():
        first, *others = places
        for place in others:
            spaced[place] = replace(spaced[place], gap=1 if style.has_tight_groups else GAP)
        missing = len(group) - _total([spaced[place] for place in places])
        spaced[first] = replace(spaced[first], width=spaced[first].width + max(0, missing))
    return spaced


def _narrowed(strips: list[_Strip], table: Table, style: Style, width: int) -> list[_Strip]:
    """Narrow names, to be folded, where the table would not fit otherwise."""
    total = _total(strips)
    names = [strip.width for strip in strips if strip.column.role is Role.NAME]
    if total <= width or not names:
        return strips
    values = [strip.width for strip in strips[table.n_labels :]]
    least = sum(values[:1]) + GAP * (table.n_labels + 1)
    narrowed = iter(style.narrow(names, least, total - sum(names), width))
    return [
        replace(strip, width=next(narrowed)) if strip.column.role is Role.NAME else strip
        for strip in strips
    ]


def _total(strips: Sequence[_Strip]) -> int:
    """Return the width of columns side by side."""
    return sum(strip.gap + strip.width for strip in strips) - sum(one.gap for one in strips[:1])


def _drawn(
    strips: Sequence[_Strip], table: Table, style: Style, is_coloured: bool
) -> Iterator[str]:
    """Yield the lines of a table, or of a part of one."""
    if any(column.group for column in table.columns):
        yield _group_line(strips, table, style)
    headings = [_padded(one.heading, display_width(one.heading), one) for one in strips]
    if is_coloured:
        # Of the two blanks one is bold: nobody sees it, but programs compare bytes.
        yield f"{BOLD} {PLAIN} ".join(f"{BOLD}{heading}{PLAIN}" for heading in headings)
    else:
        yield _joined(headings, strips)
    if style.rule:
        yield style.rule * _total(strips)
    columns = [_lines(strip, style, is_coloured) for strip in strips]
    for cells in zip(*columns, strict=True):
        for parts in zip_longest(*cells):
            yield _joined(parts, strips)


def _joined(parts: Sequence[str | None], strips: Sequence[_Strip]) -> str:
    """Put the parts of a line side by side; None is a cell without a further line."""
    line = "".join(
        [
            " " * strip.gap + (" " * strip.width if part is None else part)
            for part, strip in zip(parts, strips, strict=True)
        ]
    )
    return line[strips[0].gap :]


def _group_line(strips: Sequence[_Strip], table: Table, style: Style) -> str:
    """Write what stands above the headings: over the middle of its columns, or where they begin."""
    line = ""
    for group, places in table.groups():
        first, room = strips[places[0]], _total([strips[place] for place in places])
        offset = " " * (first.width - len(first.column.heading)) if style.has_tight_groups else ""
        placed = (offset + group).ljust(room) if style.has_tight_groups else group.center(room)
        line += " " * first.gap + placed
    return line[strips[0].gap :]


def _lines(strip: _Strip, style: Style, is_coloured: bool) -> list[list[str]]:
    """Return the lines of each cell, all equally wide: more than one if a name is folded."""
    found = []
    rows = zip(strip.texts, strip.tails, strip.marks, strip.lengths, strict=True)
    for text, tail, mark, length in rows:
        if length > strip.width:
            lines = [(line, display_width(line)) for line in style.fold(text, strip.width)]
        else:
            lines = [(text, length)]
        if is_coloured:
            lines = [(_painted(line, tail, mark), wide) for line, wide in lines]
        elif tail:
            lines = [(text + tail, length)]
        found.append([_padded(line, wide, strip) for line, wide in lines])
    return found


def _painted(text: str, tail: str, mark: Mark) -> str:
    """Colour a line of a cell."""
    text = f"{BOLD}{text}{PLAIN}" if mark == BEST else text
    return f"{text}{DIM}{tail}{PLAIN}" if tail else text


def _padded(line: str, length: int, strip: _Strip) -> str:
    """Fill a line of a cell with blanks, given how wide it shows."""
    blanks = " " * (strip.width - length)
    return blanks + line if strip.column.side == "r" else line + blanks
