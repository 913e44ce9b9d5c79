"""One page that shows everything, in a file that needs no network and asks for nothing.

All text is escaped by Jinja2. What may run and what may style is named by its hash, so that
nothing else does, whatever an ID or a text holds.
"""

import base64
import hashlib
from collections.abc import Iterator
from importlib.resources import files
from typing import Any, Protocol

from rouge_cli.escapes import escape_unprintable
from rouge_cli.reports import Screen
from rouge_cli.reports.drawing import can_draw, draw_panel
from rouge_cli.reports.figure import Figure
from rouge_cli.reports.page import Page
from rouge_cli.reports.table import BEST, TIED
from rouge_cli.version import __version__

__all__ = ["UNDRAWN", "write"]

MARK_NAMES = {BEST: "Bold", TIED: "Italic"}

UNDRAWN = (
    "The figures are missing, as vl-convert-python is not installed: "
    "python -m pip install 'rouge-cli[report]'"
)


class HasPage(Protocol):
    """What the writer needs of a view."""

    def page(self) -> Page:
        """Return what the page shows."""


def write(view: HasPage, screen: Screen) -> Iterator[str]:
    """Yield the page."""
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    page = view.page()
    style, script = (_minimal(_template(name)) for name in ("page.css", "page.js"))
    environment = Environment(
        loader=PackageLoader("rouge_cli.reports", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
    )
    is_drawn = can_draw()
    figures = [one for part in page.parts for one in part.figures] if is_drawn else []
    yield from environment.get_template("page.html.j2").generate(
        page=page,
        warnings=[escape_unprintable(one) for one in page.warnings],
        drawings={
            one.name: [(label, Markup(svg)) for label, svg in _drawn(one)] for one in figures
        },
        undrawn="" if is_drawn or not any(part.figures for part in page.parts) else UNDRAWN,
        marks=MARK_NAMES,
        policy=_policy(style, script),
        style=Markup(style),
        script=Markup(script),
        version=__version__,
    )
    yield "\n"


def _template(name: str) -> str:
    """Read a file beside the template."""
    return (files("rouge_cli.reports") / "templates" / name).read_text("utf-8")


def _minimal(code: str) -> str:
    """Leave out the blanks that lines begin with, empty lines, and lines of comments."""
    lines = (line.strip() for line in code.splitlines())
    return "\n".join(line for line in lines if line and not line.startswith(("//", "/* ")))


def _policy(style: str, script: str) -> str:
    """Return the policy that allows this style and this script, and nothing else."""
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src '{_hash(script)}'",
            f"style-src '{_hash(style)}'",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        )
    )


def _hash(code: str) -> str:
    """Return how a policy names a style or a script."""
    return f"sha256-{base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()}"


def _drawn(figure: Figure) -> Iterator[tuple[str, str]]:
    """Yield what each panel of a figure is called, and the panel."""
    for panel in figure.panels:
        title: Any = panel["title"]
        yield f"{figure.title}, {title['text']}, {title['subtitle']}", draw_panel(panel)
