"""HTML: self-contained pages that need no network, and tables for notebooks.

Jinja2 escapes all text. The content security policy allows scripts and styles by hash, so no ID or
text can add any.
"""

import base64
import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, takewhile
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from rouge_cli.errors import RougeError
from rouge_cli.escapes import CONTROLS, escape_unprintable
from rouge_cli.reports import Screen, View
from rouge_cli.reports.document import (
    MARK_NAMES,
    Document,
    Figure,
    MarkedTexts,
    Page,
    Passage,
    WordMark,
)
from rouge_cli.reports.drawing import Plots, can_draw, draw_panels
from rouge_cli.reports.wording import read_template
from rouge_cli.reports.writers import environment
from rouge_cli.version import __version__

if TYPE_CHECKING:
    from markdown_it.token import Token
    from markupsafe import Markup


WORD_TAGS: Mapping[WordMark, str] = {
    WordMark.COUNTED: "b",
    WordMark.CLIPPED: "u",
    WordMark.QUIET: "span",
}
SYSTEM, METRIC = 2, 3  # levels of passages; EVALs are 1

EXPLORER_MODULES: tuple[str, ...] = ("data", "choice", "parts", "list", "eval", "main")
TABLE_MODULES: tuple[str, ...] = ("parts", "tables")
"""Scripts of pages without an explorer that have sortable tables, or curves with values to read."""
MODULE_LINE = re.compile(r"^import [^;]*;\n|^export (?=const )", re.MULTILINE)
DOCUMENTATION = re.compile(r"/\*\*.*?\*/", re.DOTALL)
METRIC_NAME = re.compile(r"(\bROUGE-[\w*.]+)")

UNDRAWN = (
    "The figures are missing, as vl-convert-python is not installed: "
    "python -m pip install vl-convert-python"
)


def write(view: View, screen: Screen) -> Iterator[str]:
    """Yield the page; pages of marked texts need no script."""
    document = view.document()
    if document.marked is not None:
        yield from _texts_page(document, document.marked)
        return
    page = view.page()
    from markupsafe import Markup

    style, script = _minimal(read_template("page.css")), _script(page)
    templates = environment()
    templates.filters["whole"] = _whole
    is_drawn = can_draw()
    figures = [figure for part in page.parts for figure in part.figures] if is_drawn else []
    yield from templates.get_template("page.html.j2").generate(
        page=page,
        warnings=[escape_unprintable(warning) for warning in page.warnings],
        drawings=_drawn(figures),
        notes=Markup(notes_html(page.notes)),
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

    # A plain string: `re` joins pieces of Markup by escaping them again.
    return Markup(METRIC_NAME.sub(r'<span class="whole">\1</span>', str(escape(text))))


def _script(page: Page) -> str:
    tables = (t for part in page.parts for section in part.sections for t in section.tables)
    curves = (figure.curves for part in page.parts for figure in part.figures)
    if page.explorer:
        names = EXPLORER_MODULES
    elif any(table.is_sortable for table in tables) or any(curves):
        names = TABLE_MODULES
    else:
        return ""
    modules = (MODULE_LINE.sub("", read_template(f"page_{name}.js")) for name in names)
    code = _minimal(DOCUMENTATION.sub("", "".join(modules)))
    return f'"use strict";\n(async () => {{\n{code}\n}})();'


def _minimal(code: str) -> str:
    # Each page has its own copy, so leave out comments and indentation.
    lines = (line.strip() for line in code.splitlines())
    return "\n".join(line for line in lines if line and not line.startswith(("//", "/* ")))


def _policy(style: str, script: str) -> str:
    scripts = f"'{_hash(script)}'" if script else "'none'"
    return (
        f"default-src 'none'; script-src {scripts}; style-src '{_hash(style)}'; base-uri 'none'; "
        "form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    )


def _hash(code: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()}"


def _drawn(figures: Sequence[Figure]) -> "dict[str, list[tuple[str, Markup, Plots]]]":
    """Draw figures; return the label, SVG and plots of each drawing, by the name of the figure."""
    from markupsafe import Markup

    drawings = {}
    for figure, drawn in zip(figures, draw_panels(figures), strict=True):
        titles = [panel["title"] for panel in figure.panels]
        names = [f"{title['text']}, {title['subtitle']}" for title in titles]
        labels = [f"{figure.title}, {name}" for name in (*names, "; ".join(names))]
        drawings[figure.name] = [
            (label, Markup(svg), plots) for label, (svg, plots) in zip(labels, drawn, strict=False)
        ]
    return drawings


def _texts_page(document: Document, marked: MarkedTexts) -> Iterator[str]:
    """Yield the page of explained EVALs: scores with their counts, and texts side by side.

    It has no script. The policy allows its style by hash, so no text can add another style.
    """
    from markupsafe import Markup

    style = _minimal(read_template("explanation.css"))
    policy = f"default-src 'none'; style-src '{_hash(style)}'; base-uri 'none'; form-action 'none'"
    templates = environment(is_tight=True)
    templates.filters["runs"] = lambda items, name: [
        (key, list(group)) for key, group in groupby(items, key=attrgetter(name))
    ]
    passages = list(zip(marked.passages, _anchors(marked.passages), strict=True))
    with_metrics = []
    for place, (passage, anchor) in enumerate(passages, 1):
        # The metrics of a system, to which its scores lead.
        below = takewhile(lambda follower: follower[0].level > SYSTEM, passages[place:])
        metrics = [name for metric, name in below if metric.level == METRIC]
        with_metrics.append((passage, anchor, metrics if passage.scores else []))
    # An EVAL that is the title of the page has no heading of its own.
    is_alone = sum(passage.level == 1 for passage in marked.passages) == 1
    yield from templates.get_template("explanation.html.j2").generate(
        document=document,
        tags=WORD_TAGS,
        passages=with_metrics,
        listed=[of_list for of_list in passages if of_list[0].level <= SYSTEM],
        is_lowered=not (is_alone and marked.passages[0].heading == document.title),
        notes=Markup(notes_html(document.user_notes)),
        policy=Markup(policy),
        style=Markup(style),
        version=__version__,
    )


def _anchors(passages: Iterable[Passage]) -> Iterator[str]:
    """Yield an anchor per passage: ``eval-1`` for an EVAL, ``eval-1-1`` and so on below it."""
    n_evals = n_below = 0
    for passage in passages:
        is_eval = passage.level == 1
        n_evals, n_below = n_evals + is_eval, 0 if is_eval else n_below + 1
        yield f"eval-{n_evals}" + (f"-{n_below}" if n_below else "")


def write_notebook(view: View, screen: Screen) -> Iterator[str]:
    """Yield headline, tables, the first figure if it can be drawn, notes and signatures."""
    from markupsafe import Markup

    templates = environment(is_tight=True)
    figure = next(iter(view.figures()), None) if can_draw() else None
    drawings, problem = [], ""
    if figure is not None:
        try:
            (panels,) = draw_panels([figure])
            # If the panels share names, the last drawing shows all of them.
            drawings = [Markup(svg) for svg, _ in panels[len(figure.panels) :] or panels]
        except RougeError as error:
            problem = str(error)
    yield from templates.get_template("notebook.html.j2").generate(
        document=view.document(),
        figure=figure,
        drawings=drawings,
        problem=problem,
        marks=MARK_NAMES,
        tags=WORD_TAGS,
    )


SCHEMES = ("http://", "https://", "mailto:")
"""Schemes of links that are kept. Other links become plain text: relative addresses, for instance,
lead nowhere once a page has been sent to somebody."""

CLASSES = {"text-align:left": "l", "text-align:center": "c", "text-align:right": "r"}
"""CSS classes that replace inline styles, which the security policy of pages forbids."""

INVISIBLE = {code: escape for code, escape in CONTROLS.items() if chr(code) not in "\t\n"}
DEEPEST = 6


def notes_html(text: str) -> str:
    """Convert the user's Markdown to HTML that neither runs nor loads anything.

    Headings start at ``h2`` and skip no level. HTML is shown as text, images as their alternative
    text, and links with a scheme other than `SCHEMES` as their text.
    """
    if not text.strip():
        return ""
    # A late import, which takes 80 ms: few pages have notes.
    from markdown_it import MarkdownIt

    markdown = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    # Accept every link here: `_plain` replaces unwanted links by their text.
    markdown.validateLink = lambda url: True  # type: ignore[method-assign]
    lines = text.replace("\r\n", "\n").translate(INVISIBLE)
    tokens = list(_fitted(markdown.parse(lines)))
    return str(markdown.renderer.render(tokens, markdown.options, {}))


def _fitted(tokens: "list[Token]") -> "Iterator[Token]":
    levels = [int(token.tag[1]) for token in tokens if token.type == "heading_open"]
    above = 1
    for token in tokens:
        if token.type == "heading_open":
            above = min(int(token.tag[1]) - min(levels) + 2, above + 1, DEEPEST)
        if token.type in {"heading_open", "heading_close"}:
            token.tag = f"h{above}"
        if style := token.attrs.pop("style", None):
            token.attrs["class"] = CLASSES[str(style)]
        if token.children is not None:
            token.children = list(_plain(token.children))
        else:
            token.content = token.content.translate(INVISIBLE)
        yield token


def _plain(tokens: "Iterable[Token]") -> "Iterator[Token]":
    """Yield inline tokens, with images and unwanted links reduced to text."""
    are_links: list[bool] = []
    for token in tokens:
        # The parser has decoded entities, including those of invisible characters.
        token.content = token.content.translate(INVISIBLE)
        if token.type == "image":
            token.type, token.tag, token.children = "text", "", None
            yield token
            continue
        if token.type == "link_open":
            address: Any = token.attrs["href"]
            are_links.append(address.lower().startswith(SCHEMES))
            token.attrs = {"href": address, "rel": "noopener noreferrer"}
        if token.type not in {"link_open", "link_close"} or are_links[-1]:
            yield token
        if token.type == "link_close":
            are_links.pop()
