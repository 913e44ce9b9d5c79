"""LaTeX, ready to paste; it needs the package booktabs, and longtable for long tables."""

from collections.abc import Iterable, Iterator, Sequence
from math import inf

from rouge_cli.escapes import COMMAND
from rouge_cli.reports import Screen, View
from rouge_cli.reports.table import BEST, TIED, Cell, Column, Note, Role, Section, Table
from rouge_cli.reports.writers.latex_style import STYLES, Style, breakable, latex_text

__all__ = ["write"]

GAP = 8
"""Between two columns, in points."""

# Points of a character in a heading, in a number in bold, and in the smaller type of intervals.
HEADING_POINTS, NUMBER_POINTS, INTERVAL_POINTS = 5.8, 5.0, 3.3

MARKS = {"": "%s", BEST: r"\textbf{%s}", TIED: r"\textit{%s}"}
MARK_NAMES = {BEST: "Bold", TIED: "Italic"}
SKIP = "  \\par\\medskip\n"


def write(view: View, screen: Screen) -> Iterator[str]:
    """Yield a ``table`` for each section; those that are long are ``longtable``s.

    The signatures stand in the first lines as comments, and below tables.
    """
    for part in _written(view):
        # Nothing stands in the braces, and a line that begins with them is no command.
        yield COMMAND.sub(r"\1{}::", part) if screen.reads_commands else part


def _written(view: View) -> Iterator[str]:
    """Yield the parts of the report."""
    document, style = view.document(), STYLES.get(view.kind, Style())
    sections = [section.narrowed() for section in document.sections]
    floats = [section for section in sections if not _is_long(section)]
    yield f"% needs \\usepackage{{booktabs{',longtable' * (len(floats) < len(sections))}}}\n"
    yield from (f"% {signature}\n" for signature in document.signatures)
    for section in sections:
        if _is_long(section):
            yield from _long_tables(section, style)
        else:
            is_signed = style.signs_all or section is floats[-1]
            signatures = document.signatures if is_signed else ()
            yield from _float(section, document.notes, signatures, style)


def _is_long(section: Section) -> bool:
    """Say whether the tables of a section may go over several pages."""
    return any(table.is_long for table in section.tables)


def _float(
    section: Section, notes: Sequence[Note], signatures: Sequence[str], style: Style
) -> Iterator[str]:
    """Yield a floating table, with the caption and the signatures."""
    said = [section.caption, *(note.text(MARK_NAMES) for note in notes)]
    caption = f"{section.title or style.untitled}. {' '.join(filter(None, said))}"
    written = section.own_caption or latex_text(caption)
    yield f"\\begin{{table}}\n  \\centering{style.size}\n  \\caption{{{written}}}\n"
    yield f"  \\label{{{_label(section)}}}\n"
    parts = [part for table in section.tables for part in _parts(table, style)]
    for place, part in enumerate(parts):
        yield SKIP if place or style.skips_first else ""
        yield f"  \\begin{{tabular}}{{{_kinds(part, style)}}}\n    \\toprule\n"
        yield from (f"    {line}\n" for line in _headings(part, style))
        yield "    \\midrule\n"
        yield from (f"    {row}\n" for row in _rows(part, style))
        yield "    \\bottomrule\n  \\end{tabular}\n"
    for line in signatures:
        yield f"{SKIP}  {{\\raggedright{style.signature_font} {style.signature(line)}\\par}}\n"
    yield "\\end{table}\n"


def _label(section: Section) -> str:
    """Return what references call a section."""
    return section.label or f"tab:{section.name}"


def _long_tables(section: Section, style: Style) -> Iterator[str]:
    """Yield tables that may be longer than a page."""
    yield f"\n{{{style.size}\n"
    caption = f"  \\caption{{{latex_text(section.caption)}}}\\label{{{_label(section)}}} \\\\\n"
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


def _parts(table: Table, style: Style) -> Iterator[Table]:
    """Yield parts of a table, so that each fits the width of a page."""
    first = table.rows[0]
    widths = [
        GAP + max(HEADING_POINTS * len(column.heading), _cell_points(cell))
        for column, cell in zip(table.columns, first, strict=True)
    ]
    most = _name_room(table, style)
    labels = (GAP + min(_label_points(table, k, style), most) for k in range(table.n_labels))
    for places in table.parts(widths, style.room - sum(labels)):
        yield table.columns_at(places)


def _cell_points(cell: Cell) -> float:
    """Return about how wide a cell is, in points."""
    small = "".join(cell.letters) if cell.text else ""
    if cell.interval:
        small += f" [{', '.join(cell.interval)}]"
    return NUMBER_POINTS * len(cell.text) + INTERVAL_POINTS * len(small)


def _label_points(table: Table, place: int, style: Style) -> float:
    """Return about how wide a column of labels is, in points."""
    labels = [table.columns[place].heading, *(cell.text for cell in table.cells(place))]
    return style.character * max(map(len, labels))


def _name_room(table: Table, style: Style) -> float:
    """Return how wide a name may be, in points."""
    return style.name_rooms[min(table.n_names, 2) - 1] if table.n_names else inf


def _folded(table: Table, style: Style) -> list[bool]:
    """Say which columns have names that are too wide for one line."""
    most = _name_room(table, style)
    return [
        column.role is Role.NAME and _label_points(table, place, style) > most
        for place, column in enumerate(table.columns)
    ]


def _kinds(table: Table, style: Style) -> str:
    """Return the kind of each column; a letter stands below the same letter."""
    folded = f"p{{{_name_room(table, style):g}pt}}"
    kinds = []
    for place, is_folded in enumerate(_folded(table, style)):
        letters = r"@{\hspace{2pt}}".join("c" * _n_letters(table, place))
        kinds.append(letters or (folded if is_folded else table.columns[place].side))
    return "".join(kinds)


def _n_letters(table: Table, place: int) -> int:
    """Return how many letters stand in columns of their own instead of this one."""
    return max(0 if cell.text else len(cell.letters) for cell in table.cells(place))


def _headings(table: Table, style: Style) -> Iterator[str]:
    """Yield the line of what stands above the headings, if anything does, and that of these."""
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


def _heading(text: str, style: Style) -> str:
    """Write a heading."""
    return f"${text}$" if text in style.formulas else latex_text(text)


def _rows(table: Table, style: Style) -> Iterator[str]:
    """Yield the rows."""
    folded = _folded(table, style)
    letters = [table.letters(place) for place in range(len(table.columns))]
    rows = [
        [
            " & ".join(_cell(cell, column, is_folded, known))
            for cell, column, is_folded, known in zip(
                row, table.columns, folded, letters, strict=True
            )
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
    yield from map(_line, rows)


def _cell(cell: Cell, column: Column, is_folded: bool, letters: Sequence[str]) -> Iterator[str]:
    """Yield what a cell is written as: each letter without a text is a cell of its own."""
    if cell.letters and not cell.text:
        yield from (letter.strip() for letter in cell.letters)
        return
    text = breakable(cell.text) if is_folded else latex_text(cell.text)
    is_number = column.side == "r" and not cell.mark
    if is_number and text and (column.is_signed or (text[0] in "+-" and text[1:])):
        # The minus of a number is no hyphen.
        text = f"${text}$"
    parts = [MARKS[cell.mark] % text] if text else []
    if cell.letters:
        parts[0] += _superscript(cell.letters, letters)
    if cell.interval:
        interval = f"[{', '.join(cell.interval)}]"
        parts.append(f"{{\\scriptsize {f'${interval}$' if column.is_signed else interval}}}")
    yield (r"\raggedright " if is_folded else "") + " ".join(parts)


def _superscript(letters: Sequence[str], known: Sequence[str]) -> str:
    """Write the letters behind a number; room is left for others, so that digits stay in line."""
    written = (
        own if own.strip() else f"\\phantom{{{letter}}}"
        for own, letter in zip(letters, known, strict=True)
    )
    return f"\\textsuperscript{{{''.join(written)}}}"


def _line(cells: Iterable[str]) -> str:
    """Write a row."""
    return " & ".join(cells) + r" \\"
