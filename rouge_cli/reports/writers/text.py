"""Plain text, for terminals and logs."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import groupby, zip_longest
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
    Role,
    Section,
    Span,
    Table,
    WordMark,
)
from rouge_cli.reports.wording import shortened_section

GAP = 2
NARROWEST = 6  # minimum width of a name, however narrow the screen is
COMBINING = frozenset({"Mn", "Me"})
FIRST_VOWEL, LAST_FINAL = "\u1160", "\u11ff"  # Hangul letters that combine with the preceding one


def display_width(text: str) -> int:
    """Return the number of terminal columns of a printable text."""
    return len(text) if text.isascii() else sum(map(_character_width, text))


@lru_cache(maxsize=4096)
def _character_width(character: str) -> int:
    if category(character) in COMBINING or FIRST_VOWEL <= character <= LAST_FINAL:
        return 0
    return 2 if east_asian_width(character) in "WF" else 1


def chopped(text: str, width: int) -> list[str]:
    """Break a text wherever a line is full; combining characters stay with their base."""
    lines, taken = [""], 0
    for character in text:
        needed = _character_width(character)
        if taken + needed > width:
            lines.append("")
            taken = 0
        lines[-1] += character
        taken += needed
    return lines


def _folded(text: str, width: int) -> Iterator[str]:
    line = ""
    for word in re.findall("^ *[^ ]+ *|[^ ]+ *", text):
        needed = display_width(word.rstrip(" "))
        if display_width(line) + needed <= width:
            line += word
            continue
        if line:
            yield line.rstrip(" ")
        *full, line = chopped(word, width) if needed > width else [word]
        yield from (part.rstrip(" ") for part in full)
    yield line.rstrip(" ")


def _justified(texts: Sequence[str], pad: Callable[[str, int], str] = str.ljust) -> list[str]:
    """Fill up texts with blanks to the length of the longest."""
    width = max(map(len, texts), default=0)
    return [pad(text, width) for text in texts]


def _shared_room(names: Sequence[int], others: int, width: int) -> list[int]:
    # Each column, the narrowest first, takes what it needs, up to an equal share of the rest. So
    # long names get the room that short ones leave.
    narrowed, room = list(names), width - others
    for n_before, place in enumerate(sorted(range(len(names)), key=names.__getitem__)):
        share = max(NARROWEST, room // (len(names) - n_before))
        narrowed[place] = min(names[place], share)
        room -= narrowed[place]
    return narrowed


RULE, MINUS = "\N{BOX DRAWINGS LIGHT HORIZONTAL}", "\N{MINUS SIGN}"
INTERVAL = " {}\N{EN DASH}{}"
NEGATIVE = re.compile(r"(?<![\w.])-(?=\.?\d)")
BEST_LEGEND = "best in its column"

BOLD, DIM, PLAIN = "\x1b[1m", "\x1b[2m", "\x1b[0m"

BAR_WIDTH = 10
FULL, EIGHTHS = "\N{FULL BLOCK}", ("", *"\u258f\u258e\u258d\u258c\u258b\u258a\u2589")
"""A full block, and blocks of 0 to 7 eighths."""

WORD_CODES = {WordMark.COUNTED: "\x1b[1m", WordMark.CLIPPED: "\x1b[4m", WordMark.QUIET: "\x1b[2m"}
"""Bold, underlined and dim: distinct even without colours."""

WORD_SIGNS = {WordMark.COUNTED: ("[", "]"), WordMark.CLIPPED: ("(", ")")}
"""Surround neighbouring words with the same mark, where type cannot show it."""

RULES = {1: "\N{BOX DRAWINGS HEAVY HORIZONTAL}", 2: "\N{BOX DRAWINGS LIGHT HORIZONTAL}"}
WORD_MEANINGS = {
    WordMark.COUNTED: "counts",
    WordMark.CLIPPED: "matches, but is clipped",
    WordMark.QUIET: "matches nothing",
}
WORD_LEGEND = "[counts]  (matches, but is clipped)  nothing around it: matches nothing"
LONGEST_LABEL = 16
LOWEST = 3  # level of the deepest headings shown
INDENT = 2
NARROWEST_LINE = 8  # minimum width of a line, however narrow the screen is
MarkSigns = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Strip:
    """A column as text; `rows` has for each row a text, a tail, which is shown dim, and a mark."""

    column: Column
    rows: list[tuple[str, str, Mark]]
    width: int


def write(view: View, screen: Screen) -> Iterator[str]:
    """Yield the tables, notes and signatures.

    Tables wider than the screen are split. The best score is bold if there are colours, and has a
    sign otherwise.
    """
    document = view.document()
    if document.headline:
        # A headline begins with a name, which a CI system could take for a command.
        yield from map(screen.log.escape, _wrapped(document.headline, screen.width))
        yield "\n"
    if document.marked is not None:
        yield from _marked_texts(document.marked, screen)
    signs = {"": "", BEST: "" if screen.is_coloured else "^", TIED: "~", BETTER: BETTER_SIGN}
    is_explained = any(mark == BEST for note in document.notes for mark, _ in note.sentences)
    for section in document.sections:
        yield from _section(section.narrowed(), signs, screen, is_explained=is_explained)
    names = signs | ({BEST: "Bold"} if screen.is_coloured else {})
    for note in document.notes:
        yield from _wrapped(note.text(names), screen.width)
    for signature in document.signatures:
        yield from _folded_signature(signature, screen.width)


def _section(
    section: Section, signs: MarkSigns, screen: Screen, *, is_explained: bool
) -> Iterator[str]:
    # Shorten names only if they would be folded otherwise. Long tables have a row per EVAL, whose
    # IDs are never shortened.
    for table in (table for table in section.tables if not table.is_long):
        strips = _strips(table, signs)
        if _narrowed(strips, table, screen.width, is_divided=False) != strips:
            section, _ = shortened_section(section)
            break
    yield from (f"{line}\n" for line in wrap(section.title, screen.width))
    for table in section.tables:
        yield from _table(table, signs, screen)
    if section.caption:
        yield from _wrapped(section.caption, screen.width)
        marks = {cell.mark for table in section.tables for row in table.rows for cell in row}
        if signs[BEST] and BEST in marks and not is_explained:
            yield f"{signs[BEST]} {BEST_LEGEND}\n"
        yield "\n"


def _wrapped(text: str, width: int) -> Iterator[str]:
    for line in wrap(text, width, break_long_words=False, break_on_hyphens=False):
        yield f"{line}\n"


def _folded_signature(signature: str, width: int) -> Iterator[str]:
    line, taken = "", 0
    for part in signature.replace("|", "|\n").split("\n"):
        if line and taken + len(part) > width:
            yield f"{line}\n"
            line, taken = "", 0
        line, taken = line + part, taken + len(part)
    yield f"{line}\n"


def _table(
    table: Table, signs: MarkSigns, screen: Screen, *, is_divided: bool = False
) -> Iterator[str]:
    """Yield the lines of a table, split into parts that fit the screen.

    Parts repeat all labels or, if these are too wide (`is_divided`), only the names.
    """
    # Escape first: it changes widths.
    table = table.with_texts(screen.log.escape)
    whole = _strips(table, signs)
    strips = _narrowed(whole, table, screen.width, is_divided=is_divided)
    if not is_divided and _total(strips[: table.n_labels]) > screen.width:
        # Turn labels other than names, or than the first column, into values.
        n_names = max(1, table.n_names)
        labels, others = table.columns[:n_names], table.columns[n_names:]
        columns = (*labels, *(replace(column, role=Role.VALUE) for column in others))
        table = replace(table, columns=columns)
        yield from _table(table, signs, screen, is_divided=True)
        return
    room = screen.width - _total(strips[: table.n_labels])
    parts = list(table.parts([GAP + strip.width for strip in strips], room))
    if len(parts) > 1:
        # Give the names the room that the widest part leaves.
        widest = max(_total([strips[place] for place in places]) for places in parts)
        names = sum(strip.width for strip in strips if strip.column.role is Role.NAME)
        strips = _with_names(whole, widest - names, screen.width)
    for places in parts:
        for line in _drawn([strips[place] for place in places], screen.is_coloured):
            yield f"{line.rstrip(' ')}\n"
        yield "\n"


def _strips(table: Table, signs: MarkSigns) -> list[_Strip]:
    strips = [_strip(column, table.cells(k), signs) for k, column in enumerate(table.columns)]
    # The heading of a group may be wider than its columns.
    for group, places in table.groups():
        missing = len(group) - _total(strips[places.start : places.stop])
        first = strips[places.start]
        strips[places.start] = replace(first, width=first.width + max(0, missing))
    return strips


def _strip(column: Column, cells: Sequence[Cell], signs: MarkSigns) -> _Strip:
    texts = [cell.text or " ".join(cell.letters) for cell in cells]
    marks = [cell.mark for cell in cells]
    if column.side == "l":
        texts = [text + signs[mark] for text, mark in zip(texts, marks, strict=True)]
        tails = [""] * len(texts)
        width = max(map(display_width, [column.heading, *texts]))
    else:
        texts = _justified([NEGATIVE.sub(MINUS, text) for text in texts], str.rjust)
        tails = _tails(cells, signs)
        widths = [len(text + tail) for text, tail in zip(texts, tails, strict=True)]
        width = max([len(column.heading), *widths])
    return _Strip(column, list(zip(texts, tails, marks, strict=True)), width)


def _tails(cells: Sequence[Cell], signs: MarkSigns) -> list[str]:
    """Return the texts after the numbers, all of one length: signs, letters, intervals and bars."""
    letters = [f" {' '.join(cell.letters)}" if cell.text and cell.letters else "" for cell in cells]
    parts = [
        _justified([signs[cell.mark] for cell in cells]),
        _justified(letters),
        _intervals(cells),
        _justified(list(map(_bar, cells))),
    ]
    return list(map("".join, zip(*parts, strict=True)))


def _bar(cell: Cell) -> str:
    if cell.bar is None:
        return ""
    full, eighths = divmod(round(cell.bar * BAR_WIDTH * 8), 8)
    bar: str = FULL * full + EIGHTHS[eighths]
    return f" {bar.ljust(BAR_WIDTH)}"


def _intervals(cells: Sequence[Cell]) -> list[str]:
    if not any(cell.interval for cell in cells):
        return [""] * len(cells)
    lower, upper = zip(*(cell.interval or ("", "") for cell in cells), strict=True)
    ends = zip(_justified(lower, str.rjust), _justified(upper), strict=True)
    written = [INTERVAL.format(low, high) for low, high in ends]
    return [
        NEGATIVE.sub(MINUS, text) if cell.interval else " " * len(text)
        for cell, text in zip(cells, written, strict=True)
    ]


def _narrowed(strips: list[_Strip], table: Table, width: int, *, is_divided: bool) -> list[_Strip]:
    """Narrow the names of a table that is too wide.

    In a divided table, names leave room only for the widest value.
    """
    total = _total(strips)
    names = [strip.width for strip in strips if strip.column.role is Role.NAME]
    if total <= width or not names:
        return strips
    others = total - sum(names)
    if is_divided:
        values = strips[table.n_labels :]
        groups = [places for _, places in table.groups() if places.start >= table.n_labels]
        widest = max(GAP + _total(strips[places.start : places.stop]) for places in groups)
        others += widest - sum(GAP + strip.width for strip in values)
    return _with_names(strips, others, width)


def _with_names(strips: Sequence[_Strip], others: int, width: int) -> list[_Strip]:
    names = [strip.width for strip in strips if strip.column.role is Role.NAME]
    narrowed = iter(_shared_room(names, others, width))
    return [
        replace(strip, width=next(narrowed)) if strip.column.role is Role.NAME else strip
        for strip in strips
    ]


def _total(strips: Sequence[_Strip]) -> int:
    return sum(strip.width for strip in strips) + GAP * max(0, len(strips) - 1)


def _drawn(strips: Sequence[_Strip], is_coloured: bool) -> Iterator[str]:
    between = " " * GAP
    heads = Table(tuple(strip.column for strip in strips), ())
    if any(column.group for column in heads.columns):
        # Headings of groups are centred over their columns.
        yield between.join(
            group.center(_total(strips[places.start : places.stop]))
            for group, places in heads.groups()
        )
    headings = [
        _padded(strip.column.heading, display_width(strip.column.heading), strip)
        for strip in strips
    ]
    if is_coloured:
        # One of the two blanks is bold. That is invisible, but programs compare bytes.
        yield f"{BOLD} {PLAIN} ".join(f"{BOLD}{heading}{PLAIN}" for heading in headings)
    else:
        yield between.join(headings)
    yield RULE * _total(strips)
    blanks = [" " * strip.width for strip in strips]
    for cells in zip(*(_lines(strip, is_coloured) for strip in strips), strict=True):
        for parts in zip_longest(*cells):
            yield between.join([part or blank for part, blank in zip(parts, blanks, strict=True)])


def _lines(strip: _Strip, is_coloured: bool) -> Iterator[list[str]]:
    """Yield the lines of each cell, as wide as the strip; names that are wider are folded."""
    measure = display_width if strip.column.side == "l" else len
    for text, tail, mark in strip.rows:
        is_folded = measure(text + tail) > strip.width
        lines = []
        for line in _folded(text, strip.width) if is_folded else [text]:
            shown = line + tail
            if is_coloured:
                shown = f"{BOLD}{line}{PLAIN}" if mark == BEST else line
                shown += f"{DIM}{tail}{PLAIN}" if tail else ""
            lines.append(_padded(shown, measure(line + tail), strip))
        yield lines


def _padded(line: str, length: int, strip: _Strip) -> str:
    blanks = " " * (strip.width - length)
    return blanks + line if strip.column.side == "r" else line + blanks


def _marked_texts(marked: MarkedTexts, screen: Screen) -> Iterator[str]:
    lines = [line for passage in marked.passages for line in passage.lines]
    width = max((display_width(line.label) for line in lines), default=0)
    hang = INDENT + min(width, LONGEST_LABEL) + INDENT
    for place, passage in enumerate(marked.passages):
        if place:
            yield "\n"
        # Deeper headings would only repeat the label of the text.
        if passage.level <= LOWEST:
            yield f"{_typed(passage.heading, WordMark.COUNTED, screen)}\n"
        if passage.level in RULES:
            rule = RULES[passage.level]
            yield f"{rule * min(screen.width, display_width(passage.heading))}\n"
        label_before = ""
        for line in passage.lines:
            label = "" if line.label == label_before else line.label
            yield from _text_line(line.spans, label, hang, screen)
            label_before = line.label
    yield "\n"
    if screen.is_coloured:
        pieces = (_typed(text, mark, screen) for mark, text in WORD_MEANINGS.items())
        yield "  ".join(pieces) + "\n"
    elif display_width(WORD_LEGEND) <= screen.width:
        yield f"{WORD_LEGEND}\n"
    else:
        yield from _wrapped(WORD_LEGEND, screen.width)
    yield from (f"{entry}\n" for entry in marked.legend)


def _text_line(spans: Sequence[Span], label: str, hang: int, screen: Screen) -> Iterator[str]:
    head = " " * INDENT + label
    if display_width(head) + INDENT > hang:
        yield f"{head}\n"
        head = ""
    line, taken, room = head + " " * (hang - display_width(head)), hang, screen.width - hang
    for span in spans if screen.is_coloured else _with_signs(spans):
        is_long = display_width(span.shown) > room
        for piece in chopped(span.shown, max(room, NARROWEST_LINE)) if is_long else [span.shown]:
            needed = display_width(piece)
            if taken > hang and taken + 1 + needed > screen.width:
                yield f"{line.rstrip(' ')}\n"
                line, taken = " " * hang, hang
            blank = " " if taken > hang else ""
            line += blank + _typed(piece, span.mark, screen)
            taken += len(blank) + needed
    yield f"{line.rstrip(' ')}\n"


def _with_signs(spans: Sequence[Span]) -> Iterator[Span]:
    for mark, run in groupby(spans, key=lambda span: span.mark):
        opening, closing = WORD_SIGNS.get(mark, ("", ""))
        texts = [span.shown for span in run]
        texts[0] = opening + texts[0]
        texts[-1] += closing
        yield from (Span(text, mark) for text in texts)


def _typed(text: str, mark: WordMark, screen: Screen) -> str:
    if not (screen.is_coloured and mark in WORD_CODES):
        return text
    return f"{WORD_CODES[mark]}{text}{PLAIN}"
