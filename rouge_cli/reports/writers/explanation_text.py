"""Explanations as plain text, with colours or without."""

from collections.abc import Iterable, Iterator, Sequence

from rouge_cli.reports import Screen
from rouge_cli.reports.explained_text import Heading, Line, Mark, Span
from rouge_cli.reports.views.explanation import STEM_LEGEND, ExplanationView
from rouge_cli.reports.writers.text import folded_signature
from rouge_cli.reports.writers.text_style import chopped, display_width

__all__ = ["write"]

PLAIN = "\x1b[0m"
CODES = {Mark.COUNTED: "\x1b[1m", Mark.CLIPPED: "\x1b[4m", Mark.QUIET: "\x1b[2m"}
"""Bold, underlined and dim: all of them differ without their colours."""

SIGNS = {Mark.COUNTED: ("[", "]"), Mark.CLIPPED: ("(", ")")}
"""What stands around words that are side by side, where type cannot show it."""

RULES = {1: "\N{BOX DRAWINGS HEAVY HORIZONTAL}", 2: "\N{BOX DRAWINGS LIGHT HORIZONTAL}"}
LEGEND = "[counts]  (matches, but is clipped)  nothing around it: matches nothing"
LONGEST_LABEL = 16
LOWEST = 3
"""The level of the lowest headings that are shown."""

INDENT = 2
NARROWEST = 8
"""A line has so much room, however narrow the screen is."""


def write(view: ExplanationView, screen: Screen) -> Iterator[str]:
    """Yield the explanation, what the marks mean, and the signature."""
    blocks = list(view.blocks())
    width = max((display_width(one.label) for one in blocks if isinstance(one, Line)), default=0)
    hang = INDENT + min(width, LONGEST_LABEL) + INDENT
    label_before = ""
    for place, one in enumerate(blocks):
        if isinstance(one, Heading):
            yield from _heading(one, screen, is_first=place == 0)
            label_before = ""
        else:
            label = "" if one.label == label_before else one.label
            yield from _line(one.spans, label, hang, screen)
            label_before = one.label
    yield "\n"
    yield from _legend(screen)
    if view.has_stems:
        yield f"{STEM_LEGEND}\n"
    yield from folded_signature(view.signature, screen.width)


def _heading(one: Heading, screen: Screen, *, is_first: bool) -> Iterator[str]:
    """Yield a heading; those of EVALs and systems have a rule below them."""
    if not is_first:
        yield "\n"
    if one.level > LOWEST:
        # The label of its text says it.
        return
    yield f"{_painted(one.text, Mark.COUNTED, screen)}\n"
    if one.level in RULES:
        yield f"{RULES[one.level] * min(screen.width, display_width(one.text))}\n"


def _line(spans: Sequence[Span], label: str, hang: int, screen: Screen) -> Iterator[str]:
    """Yield the lines of a paragraph, behind its label; a word that is too wide is cut."""
    head = " " * INDENT + label
    if display_width(head) + INDENT > hang:
        yield f"{head}\n"
        head = ""
    line = head + " " * (hang - display_width(head))
    taken = hang
    for one in _pieces(spans if screen.is_coloured else _with_signs(spans), screen.width - hang):
        needed = display_width(one.text)
        if taken > hang and taken + 1 + needed > screen.width:
            yield f"{line.rstrip(' ')}\n"
            line, taken = " " * hang, hang
        blank = " " if taken > hang else ""
        line += blank + _painted(one.text, one.mark, screen)
        taken += len(blank) + needed
    yield f"{line.rstrip(' ')}\n"


def _pieces(spans: Iterable[Span], room: int) -> Iterator[Span]:
    """Yield pieces of text that fit into a line."""
    for one in spans:
        if display_width(one.text) <= room:
            yield one
        else:
            yield from (Span(part, one.mark) for part in chopped(one.text, max(room, NARROWEST)))


def _with_signs(spans: Sequence[Span]) -> Iterator[Span]:
    """Yield pieces of text with signs around those of one mark that are side by side."""
    marks = [None, *(span.mark for span in spans), None]
    for place, span in enumerate(spans, 1):
        opening, closing = SIGNS.get(span.mark, ("", ""))
        before = opening if marks[place - 1] is not span.mark else ""
        after = closing if marks[place + 1] is not span.mark else ""
        yield Span(f"{before}{span.text}{after}", span.mark)


def _painted(text: str, mark: Mark, screen: Screen) -> str:
    """Return a text in the type of its mark."""
    if not (screen.is_coloured and mark in CODES):
        return text
    return f"{CODES[mark]}{text}{PLAIN}"


def _legend(screen: Screen) -> Iterator[str]:
    """Say what the marks mean."""
    if not screen.is_coloured:
        yield f"{LEGEND}\n"
        return
    meanings = {
        Mark.COUNTED: "counts",
        Mark.CLIPPED: "matches, but is clipped",
        Mark.QUIET: "matches nothing",
    }
    yield "  ".join(_painted(text, mark, screen) for mark, text in meanings.items()) + "\n"
