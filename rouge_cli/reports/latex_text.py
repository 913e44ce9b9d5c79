"""Any text as LaTeX shows it, with pdflatex and no package."""

import re
import unicodedata

__all__ = ["breakable", "latex_text"]

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

BREAKS = re.compile(r"([-_/.:|,+=@]|[^\x00-\x7f]|[^-_/.:|,+=@ ]{8}(?![-_/.:|,+=@]))(?=.)")
"""Where a long name may go on in the next line."""


def latex_text(text: str) -> str:
    """Return a text with every sign that LaTeX reads as a command written as one.

    A letter that pdflatex does not know without further packages becomes its number in Unicode,
    ``[U+4E2D]``, so that the document compiles.
    """
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
