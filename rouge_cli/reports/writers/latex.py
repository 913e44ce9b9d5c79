"""LaTeX, ready to paste; it needs the package booktabs, and longtable for long tables."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from math import inf

from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports import Screen, View
from rouge_cli.reports.document import (
    ARROW,
    BEST,
    BETTER,
    BETTER_SIGN,
    MARK_NAMES,
    TIED,
    Cell,
    Column,
    MarkedTexts,
    Role,
    Section,
    Table,
    WordMark,
)
from rouge_cli.reports.wording import ELLIPSIS, shortened_section, with_short_names

COMMANDS = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    # At the start of a row, LaTeX takes these as an argument of the preceding \\.
    "[": "{[}",
    "*": "{*}",
    # LaTeX's default encoding has other characters at these codes.
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"{\ttfamily\char34}",
    ARROW: r"$\rightarrow$",
    ELLIPSIS: r"\ldots{}",
}

LETTERS = frozenset("ßæøåœłıÆØÅŒŁ")  # unaccented letters in LaTeX's default fonts
ACCENTS = frozenset("\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030a\u030b\u030c\u0327")

LAST_LATIN = "\u017f"

LIGATURE = re.compile(r"(-(?=-)|'(?=')|`(?=`)|,(?=,)|[!?](?=`))")
"""Pairs that LaTeX's fonts would join, such as two hyphens into a dash."""

PLAIN = re.compile(r"[A-Za-z0-9.,:() -]*")
"""Characters that need no escaping, unless they form a ligature."""

BREAKS = re.compile(
    r"(\[U\+[0-9A-F]{4,6}\]|[-_/.:|,+=@]|[^\x00-\x7f]|[^-_/.:|,+=@ ]{8}(?![-_/.:|,+=@]))(?=.)"
)
"""Points at which a long name may be broken."""


def latex_text(text: str) -> str:
    """Escape a text for LaTeX, after replacing letters as `with_code_points` does."""
    if PLAIN.fullmatch(text) and not LIGATURE.search(text):
        return text
    # A zero byte separates the characters of a ligature.
    signs = (COMMANDS.get(sign, sign) for sign in LIGATURE.sub("\\1\0", with_code_points(text)))
    return "".join(signs).replace("\0", "{}")


def with_code_points(text: str) -> str:
    """Replace letters that pdflatex does not support without further packages.

    They become code points, such as ``[U+4E2D]``, so that the document compiles.
    """
    return "".join(
        sign if sign.isascii() or sign in COMMANDS or _is_known(sign) else f"[U+{ord(sign):04X}]"
        for sign in text
    )


def breakable(text: str) -> str:
    """Escape a text as `latex_text` does, and allow line breaks without hyphens."""
    return r"\allowbreak{}".join(map(latex_text, BREAKS.sub("\\1\0", text).split("\0")))


def _is_known(letter: str) -> bool:
    """Return whether pdflatex supports a letter: a few, and Latin ones with one common accent."""
    if letter in LETTERS:
        return True
    base, *accents = list(unicodedata.normalize("NFD", letter))
    return letter <= LAST_LATIN and base.isascii() and len(accents) == 1 and accents[0] in ACCENTS


def _bars(signature: str) -> str:
    """Let a signature break after bars, which need no escape in the typewriter font."""
    return r"|\allowbreak{}".join(map(latex_text, signature.split("|")))


@dataclass(frozen=True, slots=True)
class LatexStyle:
    """The typesetting of the tables of a kind of result; lengths are in points.

    - `room`: text width, slightly less than in LaTeX's article class; wider tables are split.
    - `column`: slightly less than a column of a two-column page: in tables that are wider,
      intervals go below their scores (`is_stacked`).
    - `character`: average width of a character in a label.
    - `name_rooms`: maximum width of a name in tables with one name column and with several; longer
      ones are folded.
    - `formulas`: headings set in math mode.
    - `has_aligned_source`: whether columns line up in the source.
    - `skips_first`: whether there is some space above the first table.
    - `signs_all`: whether the signature appears below each table rather than only the last.
    """

    size: str = r"\small\setlength{\tabcolsep}{4pt}"
    room: float = 340
    column: float = 215
    gap: float = 8
    is_stacked: bool = False
    character: float = 4.7
    name_rooms: tuple[float, float] = (120, 60)
    formulas: frozenset[str] = frozenset()
    has_group_rules: bool = True
    has_aligned_source: bool = True
    skips_first: bool = True
    signs_all: bool = False
    signature_font: str = r"\scriptsize\ttfamily"
    signature: Callable[[str], str] = _bars


STUDY = LatexStyle(
    size=r"\footnotesize\setlength{\tabcolsep}{3pt}",
    column=inf,
    has_aligned_source=False,
    skips_first=False,
    signature=breakable,
)
STYLES = {
    "comparison": replace(
        STUDY,
        size=r"\footnotesize\setlength{\tabcolsep}{2.5pt}",
        character=4,
        name_rooms=(160, 44),
        formulas=frozenset({"A - B", "p"}),
        has_group_rules=False,
        signs_all=True,
    ),
    # Eight columns have to fit the text width of LaTeX's article class.
    "correlation": replace(STUDY, room=inf, signature_font=r"\scriptsize"),
}
"""Styles by kind of result; the other kinds have the default style."""


NARROWEST_NAME = 42  # minimum width of a name, whatever the width of the scores
TEXT_ROOM = 150  # maximum width of other texts; longer ones are folded

# Average width of a character in points: in a heading, a bold number, and an interval.
HEADING_POINTS, NUMBER_POINTS, INTERVAL_POINTS = 5.8, 5.0, 3.3

MARKS = {
    "": "%s",
    BEST: r"\textbf{%s}",
    TIED: r"\textit{%s}",
    BETTER: rf"%s\textsuperscript{{{BETTER_SIGN}}}",
}
WORD_MARKS = {WordMark.COUNTED: r"\textbf{%s}", WordMark.CLIPPED: r"\textit{%s}"}
LEGEND = (
    r"\textbf{Bold}: counts; \textit{italic}: matches, but is clipped; otherwise: matches "
    "nothing."
)
STACKED_SIZE, STACKED_GAP = r"\small\setlength{\tabcolsep}{2.5pt}", 5
BELOW = "[2pt]"  # some space below a row of intervals


PAGE, LINE, LETTERS_OF_CAPTION = 470.0, 12.0, 85
"""Height of a page of the article class, less some space, and of a line, in points; letters in a
line of a caption."""

CONTINUED = (
    "\\end{{table}}\\clearpage\n\\begin{{table}}\n  \\centering{}\n  \\addtocounter{{table}}{{-1}}"
    "\\caption{{(continued)}}\n"
)
SKIP = "  \\par\\medskip\n"

BEHIND_BRACES = "{{}}{sign}"
"""Escape for CI commands: a character after empty braces, which print nothing."""


def write(view: View, screen: Screen) -> Iterator[str]:
    """Yield a ``table`` for each section, or ``longtable``s if it is long.

    The signatures appear at the top as comments, and below tables.
    """
    for part in _written(view):
        yield screen.log.escape(part, BEHIND_BRACES)


def _written(view: View) -> Iterator[str]:
    document, style = view.document(), STYLES.get(view.kind, LatexStyle())
    sections = [section.narrowed() for section in document.sections]
    floats = [section for section in sections if not _is_long(section)]
    yield f"% needs \\usepackage{{booktabs{',longtable' * (len(floats) < len(sections))}}}\n"
    yield from (f"% {signature}\n" for signature in document.signatures)
    if document.marked is not None:
        yield from _marked_texts(document.marked, document.signatures, style)
    headline = document.headline
    for whole in sections:
        section, short = shortened_section(whole)
        section = section.with_tables(_printable)
        headline = with_short_names(headline, short)
        if _is_long(section):
            yield from _long_tables(section, style)
        else:
            # The key of shortened names would be too much for a caption.
            key = section.caption.removeprefix(whole.caption).strip()
            section = replace(section, caption=whole.caption)
            is_signed = style.signs_all or whole is floats[-1]
            signatures = document.signatures if is_signed else ()
            remarks = (key, *(note.text(MARK_NAMES) for note in document.notes))
            yield from _float(section, headline, remarks, signatures, style)
            headline = ""


def _printable(table: Table) -> Table:
    columns = (replace(x, heading=with_code_points(x.heading)) for x in table.columns)
    return replace(table.with_texts(with_code_points), columns=tuple(columns))


def _is_long(section: Section) -> bool:
    return any(table.is_long for table in section.tables)


def _float(
    section: Section,
    headline: str,
    remarks: Sequence[str],
    signatures: Sequence[str],
    style: LatexStyle,
) -> Iterator[str]:
    for table in section.tables:
        style = _fitted(table, style)
    # The caption is one sentence; further ones go below the table.
    first, stop, others = (section.caption or headline).partition(". ")
    contents = f"{first}{stop.strip()}".rstrip(".")
    heading = section.title or "ROUGE"
    if section.caption and contents[1:2].islower():
        contents = contents[0].lower() + contents[1:]
    caption = f"{heading}: {contents}." if contents else f"{heading}."
    below = " ".join(filter(None, (headline if section.caption else "", others, *remarks)))
    written = section.own_caption or latex_text(caption)
    yield f"\\begin{{table}}\n  \\centering{style.size}\n  \\caption{{{written}}}\n"
    yield f"  \\label{{{section.label or f'tab:{section.name}'}}}\n"
    parts = [part for table in section.tables for part in _parts(table, style)]
    n_lines = (len(written) + len(below)) // LETTERS_OF_CAPTION
    room = PAGE - LINE * (n_lines + 2 * len(signatures))
    for place, (part, starts_page) in enumerate(_on_pages(parts, style, room)):
        if starts_page:
            yield CONTINUED.format(style.size)
        yield SKIP if (place and not starts_page) or style.skips_first else ""
        yield f"  \\begin{{tabular}}{{{_kinds(part, style)}}}\n    \\toprule\n"
        yield from (f"    {line}\n" for line in _headings(part, style))
        yield "    \\midrule\n"
        yield from (f"    {row}\n" for row in _rows(part, style))
        yield "    \\bottomrule\n  \\end{tabular}\n"
    if below:
        yield f"{SKIP}  {{\\raggedright\\footnotesize {latex_text(below)}\\par}}\n"
    for line in signatures:
        yield f"{SKIP}  {{\\raggedright{style.signature_font} {style.signature(line)}\\par}}\n"
    yield "\\end{table}\n"


def _on_pages(
    parts: Sequence[Table], style: LatexStyle, room: float
) -> Iterator[tuple[Table, bool]]:
    """Split parts of tables into pages; also yield whether each piece starts a new page."""
    left = room
    for part in parts:
        # A folded name above its scores is as wide as a column of the page.
        widths = [
            style.column if fold and style.is_stacked else fold for fold in _rooms(part, style)
        ]
        heights = [_height(row, widths, style) for row in part.rows]
        headings = LINE * (3 + any(column.group for column in part.columns))
        rows: list[tuple[Cell, ...]] = []
        starts = left < room and left < headings + sum(heights[:1])
        left = (room if starts else left) - headings
        for row, height in zip(part.rows, heights, strict=True):
            if rows and height > left:
                yield replace(part, rows=tuple(rows)), starts
                rows, starts, left = [], True, PAGE - headings - LINE
            rows.append(row)
            left -= height
        yield replace(part, rows=tuple(rows)), starts


def _height(row: Sequence[Cell], widths: Sequence[float], style: LatexStyle) -> float:
    """Return the height of a row in points; `widths` are 0 for cells that are not folded."""
    folded = [(cell, width) for cell, width in zip(row, widths, strict=True) if width]
    lines = (_n_lines(cell, width / style.character) for cell, width in folded)
    return LINE * (max(lines, default=1) + style.is_stacked * (1 + bool(widths[0]))) + 2


def _n_lines(cell: Cell, most: float) -> int:
    """Count the lines of a folded name, which have `most` characters each."""
    n_lines, used = 1, 0
    for piece in BREAKS.sub("\\1\0", cell.text).split("\0"):
        width = len(piece.replace(ELLIPSIS, "..."))
        if used and used + width > most:
            n_lines, used = n_lines + 1, 0
        used += width
    return n_lines


def _long_tables(section: Section, style: LatexStyle) -> Iterator[str]:
    yield f"\n{{{style.size}\n"
    label = section.label or f"tab:{section.name}"
    caption = f"  \\caption{{{latex_text(section.caption)}}}\\label{{{label}}} \\\\\n"
    for part in (part for table in section.tables for part in _parts(table, style)):
        lines = "".join(f"  {line}\n" for line in _headings(part, style))
        heading = f"  \\toprule\n{lines}  \\midrule\n"
        yield f"\\begin{{longtable}}{{{_kinds(part, style)}}}\n"
        yield f"{caption}{heading}  \\endfirsthead\n{heading}  \\endhead\n"
        yield "  \\bottomrule\n  \\endfoot\n"
        yield from (f"  {row}\n" for row in _rows(part, style))
        yield "\\end{longtable}\n"
        caption = ""
    yield "}\n"


def _fitted(table: Table, style: LatexStyle) -> LatexStyle:
    has_intervals = any(cell.text and cell.interval for row in table.rows for cell in row)
    if not has_intervals or sum(_widths(table, style)) <= style.column:
        return style
    stacked = replace(style, size=STACKED_SIZE, gap=STACKED_GAP, is_stacked=True)
    # The first column, which has the names, gets the remaining width.
    others = _widths(table, stacked)[1:]
    room = max(NARROWEST_NAME, style.column - stacked.gap - sum(others))
    return replace(stacked, name_rooms=(room, room))


def _parts(table: Table, style: LatexStyle) -> Iterator[Table]:
    widths = _widths(table, style)
    for places in table.parts(widths, style.room - sum(widths[: table.n_labels])):
        yield table.columns_at(places)


def _widths(table: Table, style: LatexStyle) -> list[float]:
    """Return the width of each column in points, of which names take no more than their room."""
    # The first row is enough: numbers with the same decimals have about the same width.
    cells = table.rows[0] if table.rows else [Cell("")] * len(table.columns)
    widths = []
    for place, (column, cell) in enumerate(zip(table.columns, cells, strict=True)):
        if column.role is not Role.VALUE:
            points = min(_label_points(table, place, style), _name_room(table, style))
            widths.append(style.gap + points)
            continue
        small = "".join(cell.letters) if cell.text else ""
        number = NUMBER_POINTS * len(cell.text) + INTERVAL_POINTS * len(small)
        interval = INTERVAL_POINTS * len(_interval(cell, style))
        points = max(number, interval) if style.is_stacked else number + interval
        points = min(points, TEXT_ROOM) if column.side == "l" else points
        widths.append(style.gap + max(HEADING_POINTS * len(column.heading), points))
    return widths


def _interval(cell: Cell, style: LatexStyle) -> str:
    if cell.interval is None:
        return ""
    return f"[{','.join(cell.interval)}]" if style.is_stacked else f" [{', '.join(cell.interval)}]"


def _label_points(table: Table, place: int, style: LatexStyle) -> float:
    labels = [table.columns[place].heading, *(cell.text for cell in table.cells(place))]
    return style.character * max(map(len, labels))


def _name_room(table: Table, style: LatexStyle) -> float:
    return style.name_rooms[min(table.n_names, 2) - 1] if table.n_names else inf


def _rooms(table: Table, style: LatexStyle) -> list[float]:
    """Return the width of each column whose cells are folded, and 0 for the others."""
    rooms = []
    for place, column in enumerate(table.columns):
        room = inf
        if column.role is Role.NAME:
            room = _name_room(table, style)
        elif column.role is Role.VALUE and column.side == "l":
            room = TEXT_ROOM
        rooms.append(room if room < _label_points(table, place, style) else 0)
    return rooms


def _kinds(table: Table, style: LatexStyle) -> str:
    kinds = []
    for place, room in enumerate(_rooms(table, style)):
        letters = r"@{\hspace{2pt}}".join("c" * _n_letters(table, place))
        is_value = table.columns[place].role is Role.VALUE
        side = "c" if style.is_stacked and is_value else table.columns[place].side
        kinds.append(letters or (f"p{{{room:g}pt}}" if room else side))
    # No padding at the edges, since space is tight.
    return f"@{{}}{''.join(kinds)}@{{}}" if style.is_stacked else "".join(kinds)


def _n_letters(table: Table, place: int) -> int:
    return max((0 if cell.text else len(cell.letters) for cell in table.cells(place)), default=0)


def _headings(table: Table, style: LatexStyle) -> Iterator[str]:
    if any(column.group for column in table.columns):
        cells, rules = [], []
        for group, places in table.groups():
            first, last = places[0] + 1, places[-1] + 1
            text = _heading(group, style)
            cells.append(f"\\multicolumn{{{len(places)}}}{{c}}{{{text}}}" if group else "")
            rules += [f"\\cmidrule(lr){{{first}-{last}}}"] if group else []
        yield " ".join([_line(cells), *(rules if style.has_group_rules else ())])
    headings = []
    for place, column in enumerate(table.columns):
        n_letters, heading = _n_letters(table, place), _heading(column.heading, style)
        headings.append(f"\\multicolumn{{{n_letters}}}{{l}}{{{heading}}}" if n_letters else heading)
    yield _line(headings)


def _heading(text: str, style: LatexStyle) -> str:
    return f"${text}$" if text in style.formulas else latex_text(text)


def _rows(table: Table, style: LatexStyle) -> Iterator[str]:
    rooms = _rooms(table, style)
    letters = [table.letters(place) for place in range(len(table.columns))]
    rows = [
        [
            " & ".join(_cell(cell, column, room > 0, known, style))
            for cell, column, room, known in zip(row, table.columns, rooms, letters, strict=True)
        ]
        for row in table.rows
    ]
    if style.has_aligned_source:
        pads = [str.ljust if column.side == "l" else str.rjust for column in table.columns]
        widths = [max(map(len, cells)) for cells in zip(*rows, strict=True)]
        rows = [
            [pad(cell, width) for pad, cell, width in zip(pads, row, widths, strict=True)]
            for row in rows
        ]
    if not style.is_stacked:
        # \raggedright in the last cell redefines \\.
        end = r" \tabularnewline" if rooms[-1] else r" \\"
        yield from (" & ".join(cells) + end for cells in rows)
        return
    for cells, row in zip(rows, table.rows, strict=True):
        if rooms[0]:
            # The name gets a line of its own: if it were folded in its column, its lines would come
            # between the scores and their intervals.
            kind = f"@{{}}p{{{style.column:g}pt}}@{{}}"
            yield f"\\multicolumn{{{len(cells)}}}{{{kind}}}{{{cells[0].strip()}}} \\\\*"
        yield _line(["", *cells[1:]] if rooms[0] else cells)
        intervals = [_interval(cell, style) for cell in row]
        yield _line(rf"{{\scriptsize {text}}}" if text else "" for text in intervals) + BELOW


def _cell(
    cell: Cell, column: Column, is_folded: bool, letters: Sequence[str], style: LatexStyle
) -> Iterator[str]:
    if cell.letters and not cell.text:
        yield from (letter.strip() for letter in cell.letters)
        return
    text = breakable(cell.text) if is_folded else latex_text(cell.text)
    is_number = column.side == "r" and not cell.mark
    if is_number and text and (column.is_signed or (text[0] in "+-" and text[1:])):
        # Math mode typesets a minus sign instead of a hyphen.
        text = f"${text}$"
    parts = [MARKS[cell.mark] % text] if text else []
    if cell.letters:
        # Absent letters leave a gap, so that digits stay aligned.
        written = (
            letter if letter.strip() else f"\\phantom{{{of_column}}}"
            for letter, of_column in zip(cell.letters, letters, strict=True)
        )
        parts[0] += f"\\textsuperscript{{{''.join(written)}}}"
    if cell.interval and not style.is_stacked:
        interval = _interval(cell, style).strip()
        parts.append(f"{{\\scriptsize {f'${interval}$' if column.is_signed else interval}}}")
    yield (r"\raggedright " if is_folded else "") + " ".join(parts)


def _line(cells: Iterable[str]) -> str:
    return " & ".join(cells) + r" \\"


def _marked_texts(
    marked: MarkedTexts, signatures: Sequence[str], style: LatexStyle
) -> Iterator[str]:
    for passage in marked.passages:
        yield f"\\paragraph{{{latex_text(passage.heading)}}}\n"
        for line in passage.lines:
            label = f"{latex_text(line.label)}: " if line.label else ""
            pieces = (WORD_MARKS.get(mark, "%s") % latex_text(text) for mark, text in line.pieces())
            yield f"\\par\\noindent {label}{' '.join(pieces)}\n"
    legend = [LEGEND, *(f"{latex_text(entry)}." for entry in marked.legend)]
    yield f"\\par\\medskip\\noindent {' '.join(legend)}\n"
    for signature in signatures:
        yield f"\\par\\noindent{{{style.signature_font} {style.signature(signature)}}}\n"
