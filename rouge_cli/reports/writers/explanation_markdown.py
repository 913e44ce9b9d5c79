"""Explanations as GitHub's Markdown."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from rouge_cli.reports.explained_text import Heading, Line, Mark, Span
from rouge_cli.reports.views.explanation import STEM_LEGEND, ExplanationView
from rouge_cli.reports.writers.markdown import markdown_text

__all__ = ["write"]

MARKS = {Mark.COUNTED: "**", Mark.CLIPPED: "_"}
LEGEND = "**Bold**: counts; _italic_: matches, but is clipped; otherwise: matches nothing."


def write(view: ExplanationView) -> Iterator[str]:
    """Yield the explanation, what the marks mean, and the signature."""
    for is_heading, blocks in groupby(view.blocks(), key=lambda one: isinstance(one, Heading)):
        for one in blocks:
            yield _heading(one) if isinstance(one, Heading) else _line(one)
        if not is_heading:
            yield "\n"
    stems = f" {markdown_text(STEM_LEGEND)}." if view.has_stems else ""
    yield f"{LEGEND}{stems}\n\n`{view.signature}`\n"


def _heading(one: Heading) -> str:
    """Write a heading; those of a report come below the title of a page."""
    return f"{'#' * (one.level + 1)} {markdown_text(one.text)}\n\n"


def _line(one: Line) -> str:
    """Write a line as an item of a list."""
    label = f"{markdown_text(one.label)}: " if one.label else ""
    return f"- {label}{_marked(one.spans)}\n"


def _marked(spans: Sequence[Span]) -> str:
    """Write pieces of text, those of one mark that are side by side together."""
    pieces = []
    for mark, group in groupby(spans, key=lambda span: span.mark):
        sign = MARKS.get(mark, "")
        pieces.append(f"{sign}{markdown_text(' '.join(one.text for one in group))}{sign}")
    return " ".join(pieces)
