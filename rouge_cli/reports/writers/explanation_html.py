"""Explanations as a page in one file that asks for nothing, and as a fragment of another page.

Nothing on the page runs. Its style is named by its hash, so that no text could bring another one.
"""

import base64
import hashlib
from collections.abc import Iterable, Iterator
from html import escape
from itertools import groupby

from rouge_cli.reports.explained_text import Heading, Line, Mark, Span
from rouge_cli.reports.views.explanation import STEM_LEGEND, ExplanationView

__all__ = ["fragment", "write"]

TAGS = {Mark.COUNTED: "b", Mark.CLIPPED: "u", Mark.QUIET: "span"}
LEGEND = "<b>Bold</b>: counts; <u>underlined</u>: matches, but is clipped; grey: matches nothing."
STYLE = """
:root { color-scheme: light dark; --ground: #fff; --ink: #1f2328; --muted: #59636e;
  --mark: #cfe6ff; --mark-edge: #0066b3; --contrast: #c44e00; }
@media (prefers-color-scheme: dark) { :root { --ground: #14171b; --ink: #e8ebee; --muted: #a3adb8;
  --mark: #133d66; --mark-edge: #6cb6ff; --contrast: #ff9752; } }
body { background: var(--ground); color: var(--ink); font: 1rem/1.55 system-ui, sans-serif;
  margin: 0 auto; max-width: 60rem; padding: 1rem; }
h1 { border-bottom: 2px solid; margin-top: 2rem; }
h2 { border-bottom: 1px solid; margin-top: 2rem; }
h3, h4 { margin: 1.5rem 0 .25rem; }
h1, h2, code, dd, dt { overflow-wrap: anywhere; }
dl { display: grid; gap: .125rem 1rem; grid-template-columns: max-content 1fr; margin: .25rem 0; }
dt, dd span { color: var(--muted); }
dd { margin: 0; }
b { background: var(--mark); box-shadow: inset 0 -2px var(--mark-edge); }
u { border-bottom: 2px dotted var(--contrast); text-decoration: none; }
@media (max-width: 40rem) { dl { grid-template-columns: 1fr; } dt { margin-top: .5rem; } }
@media print { :root { --ground: #fff; --ink: #000; --muted: #59636e; --mark: #fff; } }
""".strip()


def write(view: ExplanationView) -> Iterator[str]:
    """Yield the page."""
    digest = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    stems = f" {escape(STEM_LEGEND)}." if view.has_stems else ""
    yield (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{escape(view.title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n"
    )
    yield from fragment(view.blocks())
    yield (
        f"<p>{LEGEND}{stems}</p>\n<p><code>{escape(view.signature)}</code></p>\n"
        "</main>\n</body>\n</html>\n"
    )


def fragment(blocks: Iterable[Heading | Line]) -> Iterator[str]:
    """Yield headings and lists, without anything around them."""
    n_evals = 0
    for is_heading, group in groupby(blocks, key=lambda one: isinstance(one, Heading)):
        if not is_heading:
            yield "<dl>\n"
        for one in group:
            if isinstance(one, Line):
                yield _line(one)
                continue
            n_evals += one.level == 1
            anchor = f' id="eval-{n_evals}"' if one.level == 1 else ""
            yield f"<h{one.level}{anchor}>{escape(one.text)}</h{one.level}>\n"
        if not is_heading:
            yield "</dl>\n"


def _line(one: Line) -> str:
    """Write a line as an entry of a list."""
    pieces = [_piece(mark, spans) for mark, spans in groupby(one.spans, key=lambda span: span.mark)]
    return f'<dt>{escape(one.label)}</dt><dd dir="auto">{" ".join(pieces)}</dd>\n'


def _piece(mark: Mark, spans: Iterable[Span]) -> str:
    """Write pieces of text of one mark."""
    text = escape(" ".join(span.text for span in spans))
    tag = TAGS.get(mark)
    return text if tag is None else f"<{tag}>{text}</{tag}>"
