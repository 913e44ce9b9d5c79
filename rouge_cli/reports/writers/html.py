"""HTML: self-contained pages that need no network, and tables for notebooks.

Jinja2 escapes all text. The content security policy allows scripts and styles by hash, so no ID or
text can add any.
"""

import base64
import hashlib
import re
from collections.abc import Iterator, Sequence
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from rouge_cli.errors import RougeError
from rouge_cli.escapes import escape_unprintable
from rouge_cli.reports import Screen, View
from rouge_cli.reports.document import (
    BEST,
    BETTER,
    BETTER_SIGN,
    MARK_NAMES,
    TIED,
    Cell,
    Column,
    Document,
    Figure,
    Line,
    MarkedTexts,
    Section,
    Spec,
    Table,
    WordMark,
)
from rouge_cli.reports.drawing import can_draw, draw_panels
from rouge_cli.reports.writers.explanation_page import WORD_TAGS, explanation_page
from rouge_cli.version import __version__

if TYPE_CHECKING:
    from rouge_cli.reports.page import Page


LEGEND = "<b>Bold</b>: counts; <u>underlined</u>: matches, but is clipped; grey: matches nothing."

EXPLORER_MODULES = ("data", "choice", "parts", "list", "eval", "main")
TABLE_MODULES = ("parts", "tables")
"""Modules for pages without an explorer whose tables can be sorted or curves read off."""
MODULE_LINE = re.compile(r"^import [^;]*;\n|^export (?=const )", re.MULTILINE)
DOCUMENTATION = re.compile(r"/\*\*.*?\*/", re.DOTALL)
METRIC_NAME = re.compile(r"(\bROUGE-[\w*.]+)")

UNDRAWN = (
    "The figures are missing, as vl-convert-python is not installed: "
    "python -m pip install 'rouge-cli[report]'"
)


def write(view: View, screen: Screen) -> Iterator[str]:
    """Yield the page; pages of marked texts need no script."""
    document = view.document()
    if document.marked is not None:
        yield from _texts_page(document, document.marked)
    else:
        yield from _written(view.page())


def _written(page: "Page") -> Iterator[str]:
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    style, script = _minimal(_template("page.css")), _script(_modules(page))
    environment = Environment(
        loader=PackageLoader("rouge_cli.reports", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
    )
    environment.filters["whole"] = _whole
    is_drawn = can_draw()
    figures = [figure for part in page.parts for figure in part.figures] if is_drawn else []
    yield from environment.get_template("page.html.j2").generate(
        page=page,
        warnings=[escape_unprintable(warning) for warning in page.warnings],
        drawings={
            name: [(label, Markup(svg)) for label, svg in panels]
            for name, panels in _drawn(figures).items()
        },
        notes=Markup(_notes(page.notes)),
        undrawn="" if is_drawn or not any(part.figures for part in page.parts) else UNDRAWN,
        marks=MARK_NAMES,
        policy=_policy(style, script),
        style=Markup(style),
        script=Markup(script),
        version=__version__,
    )
    yield "\n"


def _whole(text: str) -> Any:
    """Keep the names of metrics, such as ROUGE-L, on one line."""
    from markupsafe import Markup, escape

    pieces = METRIC_NAME.split(text)
    tagged = '<span class="whole">{}</span>'
    return Markup("").join(
        Markup(tagged).format(piece) if place % 2 else escape(piece)
        for place, piece in enumerate(pieces)
    )


def _modules(page: "Page") -> Sequence[str]:
    """Return the modules that a page needs, in order of dependency."""
    if page.explorer:
        return EXPLORER_MODULES
    tables = (t for part in page.parts for section in part.sections for t in section.tables)
    curves = (figure.curves for part in page.parts for figure in part.figures)
    needs_script = any(table.is_sortable for table in tables) or any(curves)
    return TABLE_MODULES if needs_script else ()


def _script(names: Sequence[str]) -> str:
    if not names:
        return ""
    modules = (MODULE_LINE.sub("", _template(f"page_{name}.js")) for name in names)
    code = _minimal(DOCUMENTATION.sub("", "".join(modules)))
    return f'"use strict";\n(async () => {{\n{code}\n}})();'


def _notes(text: str) -> str:
    if not text.strip():
        return ""
    # takes 80 ms, and few pages have notes
    from rouge_cli.reports.notes import notes_html

    return notes_html(text)


def _template(name: str) -> str:
    return (files("rouge_cli.reports") / "templates" / name).read_text("utf-8")


def _minimal(code: str) -> str:
    """Remove indentation, empty lines, and comment lines."""
    lines = (line.strip() for line in code.splitlines())
    return "\n".join(line for line in lines if line and not line.startswith(("//", "/* ")))


def _policy(style: str, script: str) -> str:
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src '{_hash(script)}'" if script else "script-src 'none'",
            f"style-src '{_hash(style)}'",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        )
    )


def _hash(code: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()}"


def _drawn(figures: Sequence[Figure]) -> dict[str, list[tuple[str, str]]]:
    drawn = iter(draw_panels([panel for figure in figures for panel in figure.panels]))
    return {
        figure.name: [(_label(figure, panel), next(drawn)) for panel in figure.panels]
        for figure in figures
    }


def _label(figure: Figure, panel: Spec) -> str:
    title: Any = panel["title"]
    return f"{figure.title}, {title['text']}, {title['subtitle']}"


def _texts_page(document: Document, marked: MarkedTexts) -> Iterator[str]:
    style = _minimal(_template("explanation.css"))
    policy = f"default-src 'none'; style-src '{_hash(style)}'; base-uri 'none'; form-action 'none'"
    return explanation_page(document, marked, _notes(document.user_notes), style, policy)


def marked_texts(marked: MarkedTexts) -> Iterator[str]:
    """Yield headings, lists and the legend as an HTML fragment."""
    for passage in marked.passages:
        yield f"<h{passage.level}>{escape(passage.heading)}</h{passage.level}>\n"
        if passage.lines:
            yield "<dl>\n"
            yield from map(_text_line, passage.lines)
            yield "</dl>\n"
    legend = [LEGEND, *(f"{escape(entry)}." for entry in marked.legend)]
    yield f"<p>{' '.join(legend)}</p>\n"


def _text_line(line: Line) -> str:
    pieces = [_piece(mark, escape(text)) for mark, text in line.pieces()]
    return f'<dt>{escape(line.label)}</dt><dd dir="auto">{" ".join(pieces)}</dd>\n'


def _piece(mark: WordMark, text: str) -> str:
    tag = WORD_TAGS.get(mark)
    return text if tag is None else f"<{tag}>{text}</{tag}>"


SIDES = {"l": "text-align: left", "r": "text-align: right; white-space: nowrap"}
MARKS = {"": "%s", BEST: "<b>%s</b>", TIED: "<i>%s</i>", BETTER: f"%s{BETTER_SIGN}"}

# Notebooks may be dark; figures are drawn for a white background.
PANELS = "display: flex; flex-wrap: wrap; gap: 1em; background: white; padding: 0.5em"


def write_notebook(view: View, screen: Screen) -> Iterator[str]:
    """Yield headline, tables, the first figure if it can be drawn, notes and signatures."""
    document = view.document()
    if document.headline:
        yield f"<p>{escape(document.headline)}</p>\n"
    if document.marked is not None:
        yield from marked_texts(document.marked)
    for section in document.sections:
        for table in section.tables:
            yield from _table(table, section)
    if can_draw():
        yield from _first_figure(view)
    for note in document.notes:
        yield f"<p>{escape(note.text(MARK_NAMES))}</p>\n"
    for signature in document.signatures:
        yield f"<p><code>{escape(signature)}</code></p>\n"


def _first_figure(view: View) -> Iterator[str]:
    for figure in view.figures()[:1]:
        try:
            panels = draw_panels(figure.panels)
        except RougeError as error:
            yield f"<p>{escape(str(error))}</p>\n"
            return
        yield f'<figure>\n<div style="{PANELS}">\n'
        for panel in panels:
            yield f"{panel}\n"
        yield f"</div>\n<figcaption>{escape(figure.caption)}</figcaption>\n</figure>\n"


def _table(table: Table, section: Section) -> Iterator[str]:
    yield f"<table>\n<caption>{escape(section.caption or section.title)}</caption>\n<thead>\n"
    headings = [escape(column.heading_alone) for column in table.columns]
    yield _line("th", headings, table.columns)
    yield "</thead>\n<tbody>\n"
    for row in table.rows:
        yield _line("td", [_cell(cell) for cell in row], table.columns)
    yield "</tbody>\n</table>\n"


def _line(tag: str, cells: Sequence[str], columns: Sequence[Column]) -> str:
    written = (
        f'<{tag} style="{SIDES[column.side]}">{cell}</{tag}>'
        for cell, column in zip(cells, columns, strict=True)
    )
    return f"<tr>{''.join(written)}</tr>\n"


def _cell(cell: Cell) -> str:
    letters = cell.own_letters
    text = MARKS[cell.mark] % escape(cell.text or letters)
    if cell.text and letters:
        text += f"<sup>{letters}</sup>"
    if cell.interval:
        text = f"{text} <small>[{', '.join(cell.interval)}]</small>".lstrip()
    return text
