"""Plain text, for the terminal and for anything else that shows it."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import zip_longest
from textwrap import wrap
from unicodedata import category, east_asian_width

from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports import Screen, View
from rouge_cli.reports.document import (
    BEST,
    BETTER,
    BETTER_SIGN,
    TIED,
    Cell,
    Column,
    Mark,
    MarkedTexts,
    Passage,
    Role,
    Section,
    Span,
    Table,
    WordMark,
)

GAP = 2
"""Blanks between two columns."""

NARROWEST, NARROWEST_OF_SHARED = 8, 6
"""A name gets so many columns of the screen, however narrow that is."""

BOUND_WIDTH = 7

COMBINING = frozenset({"Mn", "Me"})
FIRST_VOWEL, LAST_FINAL = "\u1160", "\u11ff"
"""Hangul letters that join the one before them into a syllable."""


def display_width(text: str) -> int:
    """Return how many columns of a terminal a text takes; all its characters can be printed."""
    return len(text) if text.isascii() else sum(map(_character_width, text))


@lru_cache(maxsize=4096)
def _character_width(character: str) -> int:
    """Return how many columns of a terminal a character takes: 0, 1 or 2."""
    if category(character) in COMBINING or FIRST_VOWEL <= character <= LAST_FINAL:
        return 0
    return 2 if east_asian_width(character) in "WF" else 1


def chopped(text: str, width: int) -> list[str]:
    """Cut a text into lines wherever one is full; what joins a character stays with it."""
    lines, taken = [""], 0
    for character in text:
        needed = _character_width(character)
        if taken + needed > width:
            lines.append("")
            taken = 0
        lines[-1] += character
        taken += needed
    return lines


def _folded(text: str, width: int) -> list[str]:
    """Fold a text at blanks, and cut words that are wider than a line."""
    return [line.rstrip(" ") for line in _filled_lines(text, width)]


def _filled_lines(text: str, width: int) -> Iterator[str]:
    """Yield lines with their blanks."""
    line = ""
    for word in re.findall("^ *[^ ]+ *|[^ ]+ *", text):
        needed = display_width(word.rstrip(" "))
        if display_width(line) + needed <= width:
            line += word
            continue
        if line:
            yield line
        *full, line = chopped(word, width) if needed > width else [word]
        yield from full
    yield line


def longest(texts: Sequence[str]) -> int:
    """Return the length of the longest text."""
    return max(map(len, texts), default=0)


def _equal_room(names: Sequence[int], least: int, others: int, width: int) -> list[int]:
    """Give every name the same room: a quarter of the screen, or all that the values leave."""
    most = max(NARROWEST, min(width // 4, (width - least) // len(names)))
    most = max(most, (width - others) // len(names))
    return [min(name, most) for name in names]


def _shared_room(names: Sequence[int], least: int, others: int, width: int) -> list[int]:
    """Share all room among the names; one that needs less leaves the rest to the others."""
    narrowed, room = list(names), width - others
    for n_before, place in enumerate(sorted(range(len(names)), key=names.__getitem__)):
        share = max(NARROWEST_OF_SHARED, room // (len(names) - n_before))
        narrowed[place] = min(names[place], share)
        room -= narrowed[place]
    return narrowed


def _equal_bounds(lower: Sequence[str], upper: Sequence[str]) -> tuple[int, int]:
    """Give all bounds of a column the same width."""
    width = longest([*lower, *upper])
    return width, width


@dataclass(frozen=True, slots=True)
class Style:
    """How the tables of a kind of result are laid out."""

    rule: str = "\N{BOX DRAWINGS LIGHT HORIZONTAL}"
    """Below the headings; empty for none."""

    interval: str = " {}\N{EN DASH}{}"
    """With places for both bounds."""

    bound_widths: Callable[[Sequence[str], Sequence[str]], tuple[int, int]] = _equal_bounds
    """From the lower and the upper bounds to the width of each."""

    has_heads_over_numbers: bool = False
    """Whether a heading ends, or begins, with the number and not at the end of the column."""

    has_tight_groups: bool = False
    """Whether columns of a group have one blank between them."""

    narrow: Callable[[Sequence[int], int, int, int], list[int]] = _equal_room
    """From the widths of names, of gaps and one value, of all but the names, and of the screen, to
    the widths of the names in a table that is too wide."""

    fold: Callable[[str, int], list[str]] = _folded
    legend: str = "best in its column"
    """What the sign of the best means."""

    slack: int = 0
    """How many columns stay free for each part of a signature."""


STYLES = {
    "comparison": Style(
        rule="-",
        interval="{} {}",
        bound_widths=lambda lower, upper: (BOUND_WIDTH, BOUND_WIDTH),
        has_heads_over_numbers=True,
        has_tight_groups=True,
        narrow=_shared_room,
        fold=chopped,
        legend="",
        slack=1,
    ),
    "correlation": Style(
        rule="-",
        interval=" [{}, {}]",
        bound_widths=lambda lower, upper: (longest(lower), longest(upper)),
        has_heads_over_numbers=True,
        legend="",
        slack=1,
    ),
    "pairing": Style(rule=""),
}
"""By the kind of result; any other has the style that is the default."""


BOLD, DIM, PLAIN = "\x1b[1m", "\x1b[2m", "\x1b[0m"

BAR_WIDTH = 10
FULL, EIGHTHS = "\N{FULL BLOCK}", ("", *"\u258f\u258e\u258d\u258c\u258b\u258a\u2589")
"""A whole block, and 0 to 7 eighths of one."""

WORD_CODES = {WordMark.COUNTED: "\x1b[1m", WordMark.CLIPPED: "\x1b[4m", WordMark.QUIET: "\x1b[2m"}
"""Bold, underlined and dim: all of them differ without their colours."""

WORD_SIGNS = {WordMark.COUNTED: ("[", "]"), WordMark.CLIPPED: ("(", ")")}
"""What stands around words that are side by side, where type cannot show it."""

RULES = {1: "\N{BOX DRAWINGS HEAVY HORIZONTAL}", 2: "\N{BOX DRAWINGS LIGHT HORIZONTAL}"}
WORD_LEGEND = "[counts]  (matches, but is clipped)  nothing around it: matches nothing"
LONGEST_LABEL = 16
LOWEST = 3
"""The level of the lowest headings that are shown."""

INDENT = 2
NARROWEST_LINE = 8
"""A line has so much room, however narrow the screen is."""

Signs = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Strip:
    """A column of text, not yet as wide as it will be.

    Texts may be bold in colours, and tails are dim. `lengths` are those of texts with their tails,
    in columns of the screen; `gap` is the blanks before them.
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
    """Yield the tables, the notes and the signatures.

    A table that is wider than the screen is split. With colours the best is bold; otherwise a sign
    marks it.
    """
    document = view.document()
    if document.headline:
        # It begins with a name.
        yield from map(screen.log.escape, _wrapped(document.headline, screen.width))
        yield "\n"
    if document.marked is not None:
        yield from _marked_texts(document.marked, screen)
    style = STYLES.get(view.kind, Style())
    signs = {"": "", BEST: "" if screen.is_coloured else "^", TIED: "~", BETTER: BETTER_SIGN}
    for section in document.sections:
        yield from _section(section.narrowed(), style, signs, screen)
    names = signs | ({BEST: "Bold"} if screen.is_coloured else {})
    for note in document.notes:
        yield from _wrapped(note.text(names), screen.width)
    for signature in document.signatures:
        yield from _folded_signature(signature, screen.width, style.slack)


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


def _folded_signature(signature: str, width: int, slack: int = 0) -> Iterator[str]:
    """Yield the lines of a signature, folded after bars; a part that is too wide stays whole."""
    line, taken = "", 0
    for part in signature.replace("|", "|\n").split("\n"):
        if line and taken + len(part) > width:
            yield f"{line}\n"
            line, taken = "", 0
        line, taken = line + part, taken + len(part) + slack
    yield f"{line}\n"


def _table(
    table: Table, style: Style, signs: Signs, screen: Screen, *, is_divided: bool = False
) -> Iterator[str]:
    """Yield the lines of a table, in as many parts as the width asks for.

    Parts have all labels in common, or if even these are too wide only the names: `is_divided`.
    """
    # Before anything is measured.
    table = table.with_texts(screen.log.escape)
    strips = [
        _strip(column, table.cells(place), style, signs)
        for place, column in enumerate(table.columns)
    ]
    strips = _with_gaps(strips, table, style)
    strips = _narrowed(strips, table, style, screen.width, is_divided=is_divided)
    if not is_divided and _total(strips[: table.n_labels]) > screen.width:
        yield from _table(_divided(table), style, signs, screen, is_divided=True)
        return
    room = screen.width - _total(strips[: table.n_labels])
    heads = replace(table, rows=())
    for places in table.parts([strip.gap + strip.width for strip in strips], room):
        part = [strips[place] for place in places]
        for line in _drawn(part, heads.columns_at(places), style, screen.is_coloured):
            yield f"{line.rstrip(' ')}\n"
        yield "\n"


def _divided(table: Table) -> Table:
    """Return a table that can be split anywhere behind its names, or behind its first column."""
    n_names = max(1, table.n_names)
    columns = (
        replace(column, role=Role.VALUE) if place >= n_names else column
        for place, column in enumerate(table.columns)
    )
    return replace(table, columns=tuple(columns))


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
        sign.ljust(slot) + interval + _bar(cell)
        for cell, sign, interval in zip(cells, added, intervals, strict=True)
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
    intervals = [cell.interval for cell in cells if cell.interval]
    if not intervals:
        return [""] * len(cells)
    lower, upper = style.bound_widths(*zip(*intervals, strict=True))
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


def _narrowed(
    strips: list[_Strip], table: Table, style: Style, width: int, *, is_divided: bool
) -> list[_Strip]:
    """Narrow names, to be folded, where the table would not fit otherwise.

    In a table that is divided they leave room for the widest values only.
    """
    total = _total(strips)
    names = [strip.width for strip in strips if strip.column.role is Role.NAME]
    if total <= width or not names:
        return strips
    values = strips[table.n_labels :]
    least = sum(strip.width for strip in values[:1]) + GAP * (table.n_labels + 1)
    others = total - sum(names)
    if is_divided:
        others += _widest_value(strips, table) - sum(strip.gap + strip.width for strip in values)
    narrowed = iter(style.narrow(names, least, others, width))
    return [
        replace(strip, width=next(narrowed)) if strip.column.role is Role.NAME else strip
        for strip in strips
    ]


def _widest_value(strips: Sequence[_Strip], table: Table) -> int:
    """Return the width of the widest group of values, with the gap before it."""
    groups = [places for _, places in table.groups() if places[0] >= table.n_labels]
    of_groups = ([strips[place] for place in places] for places in groups)
    return max(group[0].gap + _total(group) for group in of_groups)


def _total(strips: Sequence[_Strip]) -> int:
    """Return the width of columns side by side."""
    return sum(strip.gap + strip.width for strip in strips) - sum(strip.gap for strip in strips[:1])


def _drawn(
    strips: Sequence[_Strip], table: Table, style: Style, is_coloured: bool
) -> Iterator[str]:
    """Yield the lines of a table, or of a part of one."""
    if any(column.group for column in table.columns):
        yield _group_line(strips, table, style)
    headings = [_padded(strip.heading, display_width(strip.heading), strip) for strip in strips]
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
    cells = []
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
        cells.append([_padded(line, wide, strip) for line, wide in lines])
    return cells


def _painted(text: str, tail: str, mark: Mark) -> str:
    """Colour a line of a cell."""
    text = f"{BOLD}{text}{PLAIN}" if mark == BEST else text
    return f"{text}{DIM}{tail}{PLAIN}" if tail else text


def _padded(line: str, length: int, strip: _Strip) -> str:
    """Fill a line of a cell with blanks, given how wide it shows."""
    blanks = " " * (strip.width - length)
    return blanks + line if strip.column.side == "r" else line + blanks


def _marked_texts(marked: MarkedTexts, screen: Screen) -> Iterator[str]:
    """Yield texts with marked words, and what the marks mean."""
    lines = [line for passage in marked.passages for line in passage.lines]
    width = max((display_width(line.label) for line in lines), default=0)
    hang = INDENT + min(width, LONGEST_LABEL) + INDENT
    for place, passage in enumerate(marked.passages):
        yield from _heading(passage, screen, is_first=place == 0)
        label_before = ""
        for line in passage.lines:
            label = "" if line.label == label_before else line.label
            yield from _text_line(line.spans, label, hang, screen)
            label_before = line.label
    yield "\n"
    yield from _word_legend(screen)
    yield from (f"{entry}\n" for entry in marked.legend)


def _heading(passage: Passage, screen: Screen, *, is_first: bool) -> Iterator[str]:
    """Yield a heading; those of EVALs and systems have a rule below them."""
    if not is_first:
        yield "\n"
    if passage.level > LOWEST:
        # The label of its text says it.
        return
    text = passage.heading
    yield f"{_typed(text, WordMark.COUNTED, screen)}\n"
    if passage.level in RULES:
        yield f"{RULES[passage.level] * min(screen.width, display_width(text))}\n"


def _text_line(spans: Sequence[Span], label: str, hang: int, screen: Screen) -> Iterator[str]:
    """Yield the lines of a paragraph, behind its label; a word that is too wide is cut."""
    head = " " * INDENT + label
    if display_width(head) + INDENT > hang:
        yield f"{head}\n"
        head = ""
    line = head + " " * (hang - display_width(head))
    taken = hang
    for span in _pieces(spans if screen.is_coloured else _with_signs(spans), screen.width - hang):
        needed = display_width(span.shown)
        if taken > hang and taken + 1 + needed > screen.width:
            yield f"{line.rstrip(' ')}\n"
            line, taken = " " * hang, hang
        blank = " " if taken > hang else ""
        line += blank + _typed(span.shown, span.mark, screen)
        taken += len(blank) + needed
    yield f"{line.rstrip(' ')}\n"


def _pieces(spans: Iterable[Span], room: int) -> Iterator[Span]:
    """Yield pieces of text that fit into a line."""
    for span in spans:
        if display_width(span.shown) <= room:
            yield span
        else:
            yield from (
                Span(part, span.mark) for part in chopped(span.shown, max(room, NARROWEST_LINE))
            )


def _with_signs(spans: Sequence[Span]) -> Iterator[Span]:
    """Yield pieces of text with signs around those of one mark that are side by side."""
    marks = [None, *(span.mark for span in spans), None]
    for place, span in enumerate(spans, 1):
        opening, closing = WORD_SIGNS.get(span.mark, ("", ""))
        before = opening if marks[place - 1] is not span.mark else ""
        after = closing if marks[place + 1] is not span.mark else ""
        yield Span(f"{before}{span.shown}{after}", span.mark)


def _typed(text: str, mark: WordMark, screen: Screen) -> str:
    """Return a text in the type of its mark."""
    if not (screen.is_coloured and mark in WORD_CODES):
        return text
    return f"{WORD_CODES[mark]}{text}{PLAIN}"


def _word_legend(screen: Screen) -> Iterator[str]:
    """Say what the marks mean."""
    if not screen.is_coloured:
        if display_width(WORD_LEGEND) <= screen.width:
            yield f"{WORD_LEGEND}\n"
        else:
            yield from _wrapped(WORD_LEGEND, screen.width)
        return
    meanings = {
        WordMark.COUNTED: "counts",
        WordMark.CLIPPED: "matches, but is clipped",
        WordMark.QUIET: "matches nothing",
    }
    yield "  ".join(_typed(text, mark, screen) for mark, text in meanings.items()) + "\n"
