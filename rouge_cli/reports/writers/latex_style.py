"""Any text as LaTeX shows it, with pdflatex and no package, and the style of each table."""

import re
import unicodedata
from collections.abc import Callable
from math import inf

from rouge_cli.quick_dataclass import dataclass

__all__ = ["STYLES", "Style", "breakable", "latex_text"]

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
    # At the start of a row these two belong to the end of the row above.
    "[": "{[}",
    "*": "{*}",
    # These are other signs in the encoding of LaTeX's own fonts.
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"{\ttfamily\char34}",
}

LETTERS = frozenset("ßæøåœłıÆØÅŒŁ")
"""Letters that LaTeX's own fonts have, beside those with an accent."""

ACCENTS = frozenset("\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030a\u030b\u030c\u0327")

LAST_LATIN = "\u017f"

LIGATURE = re.compile(r"(-(?=-)|'(?=')|`(?=`)|,(?=,)|[!?](?=`))")
"""Where LaTeX would make one sign of two, such as a dash of two hyphens."""

PLAIN = re.compile(r"[A-Za-z0-9.,:() -]*")
"""What is the same in LaTeX, if no two of its signs become one."""

BREAKS = re.compile(r"([-_/.:|,+=@]|[^\x00-\x7f]|[^-_/.:|,+=@ ]{8}(?![-_/.:|,+=@]))(?=.)")
"""Where a long name may go on in the next line."""


def latex_text(text: str) -> str:
    """Return a text with every sign that LaTeX reads as a command written as one.

    A letter that pdflatex does not know without further packages becomes its number in Unicode,
    ``[U+4E2D]``, so that the document compiles.
    """
    if PLAIN.fullmatch(text) and not LIGATURE.search(text):
        return text
    return "".join(map(_sign, LIGATURE.sub("\\1\0", text))).replace("\0", "{}")


def breakable(text: str) -> str:
    """Return a text as `latex_text` does, that may be folded, and without hyphens."""
    return r"\allowbreak{}".join(map(latex_text, BREAKS.sub("\\1\0", text).split("\0")))


def _sign(one: str) -> str:
    """Write one character; a zero byte is no text here, and stays."""
    if one in COMMANDS:
        return COMMANDS[one]
    return one if one.isascii() or _is_known(one) else f"{{[}}U+{ord(one):04X}]"


def _is_known(one: str) -> bool:
    """Say whether pdflatex knows a letter: one of a few, or a Latin one with a plain accent."""
    if one in LETTERS:
        return True
    base, *accents = list(unicodedata.normalize("NFD", one))
    return one <= LAST_LATIN and base.isascii() and len(accents) == 1 and accents[0] in ACCENTS


def _bars(signature: str) -> str:
    """Write a signature that may be folded after bars; the typewriter font has a bar of its own."""
    return r"|\allowbreak{}".join(map(latex_text, signature.split("|")))


@dataclass(frozen=True, slots=True)
class Style:
    """How the tables of a kind of result are set; widths are in points."""

    size: str = r"\small\setlength{\tabcolsep}{4pt}"
    room: float = 340
    """Width of the text, a little less than that of LaTeX's own article: wider tables are split."""

    character: float = 4.7
    """Width of a character of a label."""

    name_rooms: tuple[float, float] = (120, 60)
    """Width of a name in a table with one name and with more; longer ones are folded."""

    untitled: str = "ROUGE"
    """The title of a section without one."""

    formulas: frozenset[str] = frozenset()
    """Headings that are in math mode."""

    has_group_rules: bool = True
    has_aligned_source: bool = True
    """Whether the columns are equally wide for who reads the source."""

    skips_first: bool = True
    """Whether there is some room above the first table."""

    signs_all: bool = False
    """Whether the signature stands below each table and not below the last one alone."""

    signature_font: str = r"\scriptsize\ttfamily"
    signature: Callable[[str], str] = _bars


STYLES = {
    "comparison": Style(
        size=r"\footnotesize\setlength{\tabcolsep}{2.5pt}",
        character=4,
        name_rooms=(160, 44),
        formulas=frozenset({"A - B", "p"}),
        has_group_rules=False,
        has_aligned_source=False,
        skips_first=False,
        signs_all=True,
        signature=breakable,
    ),
    "correlation": Style(
        # Eight columns have to fit the width of LaTeX's own article.
        size=r"\footnotesize\setlength{\tabcolsep}{3pt}",
        room=inf,
        has_aligned_source=False,
        skips_first=False,
        signature_font=r"\scriptsize",
        signature=breakable,
    ),
}
"""By the kind of result; any other has the style that is the default."""
