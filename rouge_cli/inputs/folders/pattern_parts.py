"""A pattern of names, cut into the folder that it begins with and the expression for the rest.

Source: interface of the program, ``--peers`` and ``--models``.
"""

import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain, repeat

from rouge_cli.errors import OptionError
from rouge_cli.inputs.folders.file_pairing import quoted

__all__ = [
    "PLACEHOLDER",
    "SPECIAL",
    "PatternParts",
    "compile_names",
    "compiled",
    "split_pattern",
]

PLACEHOLDER = "#ID#"
"""What stands for the ID of the EVAL in a pattern of models."""

SPECIAL = frozenset("\\^$*+?{}[]|()")
"""The characters that make an expression of a name; a dot is too frequent in names to be one."""

# An escape, a whole bracket, the placeholder, or else a character. The first character of a
# bracket is in it, even if it is "]".
_TOKEN = re.compile(rf"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|{PLACEHOLDER}|.", re.DOTALL)
_SEPARATORS = ("/", "\\/")
_STAR_ALONE = "nothing to repeat"
"""What Python says of a star as the shell means it."""


@dataclass(frozen=True, slots=True)
class PatternParts:
    """The parts of a pattern.

    Parameters
    ----------
    option : str
        The option that gives it, for messages.
    text : str
        The pattern as typed, less its NAME.
    folder : str
        The folders at its beginning, taken literally, with the last ``/``; empty for none.
    tokens : tuple of str
        The expression for the names in `folder`, cut into escapes, brackets ``[...]``,
        `PLACEHOLDER` and single characters.
    """

    option: str
    text: str
    folder: str
    tokens: tuple[str, ...]

    @property
    def depth(self) -> int:
        """How many levels the names have: 1 for files that stand in `folder`."""
        return 1 + sum(token in _SEPARATORS for token in self.tokens)

    def expression(self, first: str = PLACEHOLDER, later: str | None = None) -> str:
        """Return the expression with `first` for the first placeholder, `later` for all others."""
        fillings = chain([first], repeat(first if later is None else later))
        return "".join(next(fillings) if one == PLACEHOLDER else one for one in self.tokens)

    @property
    def where(self) -> str:
        """The option and the pattern, for messages."""
        return f"{self.option} {quoted(self.text)}"


def split_pattern(option: str, text: str, is_folder: Callable[[str], bool]) -> PatternParts:
    """Cut a pattern into folder and expression.

    Parameters
    ----------
    option : str
        The option that gives it.
    text : str
        Parts of a path with ``/`` between them; one in brackets ``[...]`` does not separate.
    is_folder : callable
        Whether there is a folder of exactly that path.

    Returns
    -------
    PatternParts
        The folders at the beginning are literal up to the first that has a special character of
        regular expressions other than a dot and is no folder by that very name. The last part is
        always an expression.
    """
    start = place = 0
    for token in _TOKEN.findall(text):
        place += len(token)
        if token != "/":
            continue
        if not _is_literal(text[start : place - 1], text[: place - 1], is_folder):
            break
        start = place
    return PatternParts(option, text, text[:start], tuple(_TOKEN.findall(text[start:])))


def _is_literal(part: str, path: str, is_folder: Callable[[str], bool]) -> bool:
    """Say whether a part of a pattern is the name of a folder; `path` ends with it."""
    if PLACEHOLDER in part:
        return False
    return SPECIAL.isdisjoint(part) or is_folder(path)


def compile_names(parts: PatternParts, expression: str) -> re.Pattern[str]:
    """Compile the expression for the names of a pattern.

    Parameters
    ----------
    parts : PatternParts
        The pattern that it belongs to.
    expression : str
        Its tokens, with something in place of `PLACEHOLDER`; of the same length, if the place of
        an error is to be right.

    Raises
    ------
    OptionError
        If it is no regular expression, with the place and the reason.
    """
    try:
        return compiled(expression)
    except re.error as error:
        at = "" if error.pos is None else f", at character {len(parts.folder) + error.pos + 1}"
        hint = "; any characters are .* there" if error.msg == _STAR_ALONE else ""
        reason = f"{error.msg}{at}{hint}"
    except (OverflowError, RecursionError) as error:
        reason = str(error)
    raise OptionError(f"{parts.where}: not a regular expression of Python: {reason}")


def compiled(expression: str) -> re.Pattern[str]:
    """Compile an expression, without Python's musings on what ``[[`` may mean one day."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        return re.compile(expression)
