"""How plain text is laid out: how wide it is, how names are folded, and the style of each table.

Widths are those of Python's own Unicode tables, so that a report does not depend on a library.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from unicodedata import category, east_asian_width

from rouge_cli.quick_dataclass import dataclass

__all__ = ["GAP", "STYLES", "Style", "chopped", "display_width", "longest"]

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
    for word in re.findall(" *[^ ]+ *", text):
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
    """Give every name the same room, at most a quarter of the screen."""
    most = max(NARROWEST, min(width // 4, (width - least) // len(names)))
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
