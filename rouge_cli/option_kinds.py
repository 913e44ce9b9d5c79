"""How an option is described, and how its value is read: the parts of `rouge_cli.options`.

Source: specification, section 1.
"""

import os
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from math import inf
from typing import Any

__all__ = [
    "COUNTINGS",
    "JOB_COUNT",
    "LIMIT",
    "NGRAM_ORDER",
    "PERCENT",
    "RESAMPLE_COUNT",
    "SHARE",
    "WEIGHT",
    "Number",
    "Option",
    "choice",
    "counting",
    "max_gap",
    "option",
    "path",
    "paths",
    "string",
    "switch",
]

COUNTINGS = (0, 1, 2)


@dataclass(frozen=True, slots=True)
class Number:
    """A number that is printed as it was typed.

    Parameters
    ----------
    text : str
        The number as typed, for example ``"1.20"``.
    value : float
        Its value.
    """

    text: str
    value: float


@dataclass(frozen=True, slots=True)
class Option:
    """How one field of `Options` is spelt, read and explained.

    Parameters
    ----------
    letter : str or None
        The original's letter with its dash.
    long : str
        The long name with its dashes.
    group : str
        Heading under which ``--help`` shows it.
    help : str
        One sentence.
    metavar : str or None
        Name of the value; None for a switch.
    parse : callable
        From what was typed, or given in Python, to the value; raises ValueError saying what it
        expects.
    off : bool
        True for a switch that sets its field to False (``--no-lcs`` and the field ``lcs``).
    is_many : bool
        True for an option that may be given several times; its value is a tuple.
    """

    letter: str | None
    long: str
    group: str
    help: str
    metavar: str | None
    parse: Callable[[Any], Any]
    off: bool = False
    is_many: bool = False


def _number_text(given: Any) -> str:
    """Return a number as typed; a bool is no number."""
    if isinstance(given, Number):
        return given.text
    return "" if isinstance(given, bool) else str(given)


def whole(minimum: float, maximum: float, expected: str) -> Callable[[Any], int]:
    """Return a reader of whole numbers from `minimum` to `maximum`."""

    def parse(given: Any) -> int:
        text = _number_text(given)
        # Far fewer digits than Python refuses to read, far more than anybody means.
        if not re.fullmatch(r"[+-]?[0-9]{1,1000}", text) or not minimum <= int(text) <= maximum:
            raise ValueError(expected)
        return int(text)

    return parse


def real(expected: str, accepts: Callable[[float], bool]) -> Callable[[Any], Number]:
    """Return a reader of decimal numbers that `accepts` approves of."""

    def parse(given: Any) -> Number:
        text = _number_text(given)
        if not re.fullmatch(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?", text):
            raise ValueError(expected)
        if not accepts(float(text)):
            raise ValueError(expected)
        return Number(text, float(text))

    return parse


NGRAM_ORDER = whole(1, 1000, "a whole number from 1 to 1000")
LIMIT = whole(0, inf, "a whole number from 0 on")
RESAMPLE_COUNT = whole(0, 10_000_000, "a whole number from 1 to 10000000")
JOB_COUNT = whole(1, 1000, "a whole number from 1 to 1000")
WEIGHT = real("a finite number above 0", lambda value: 0 < value < inf)
SHARE = real("a number from 0 to 1", lambda value: 0 <= value <= 1)
PERCENT = real("a number from 0 to 100", lambda value: 0 <= value <= 100)  # noqa: PLR2004


def max_gap(given: Any) -> Number:
    """Read a maximal gap: any whole number."""
    value = whole(-inf, inf, "a whole number; a negative one means no limit")(given)
    return Number(_number_text(given), value)


def choice(*values: str) -> Callable[[Any], str]:
    """Return a reader of one word out of `values`, in any case."""

    def parse(given: Any) -> str:
        if str(given).upper() not in values:
            raise ValueError("one of " + ", ".join(values))
        return str(given).upper()

    return parse


def counting(given: Any) -> int:
    """Read the way of counting: 0, 1 or 2."""
    if isinstance(given, bool) or str(given) not in map(str, COUNTINGS):
        raise ValueError("0, 1 or 2")
    return int(given)


def path(given: Any) -> str:
    """Read a path as a string."""
    if not isinstance(given, str | bytes | os.PathLike) or not os.fspath(given):
        raise ValueError("a path")
    return os.fsdecode(given)


def paths(given: Any) -> tuple[str, ...]:
    """Read several paths as strings."""
    if isinstance(given, str | bytes | os.PathLike):
        return (path(given),)
    if not isinstance(given, Iterable):
        raise ValueError("a path, or several")
    return tuple(map(path, given))


def string(given: Any) -> str:
    """Read a string that is not blank."""
    if not isinstance(given, str) or not given.strip():
        raise ValueError("a string that is not blank")
    return given


def switch(given: Any) -> bool:
    """Read a switch: True or False."""
    if not isinstance(given, bool):
        raise ValueError("True or False")
    return given


def option(
    spelling: str, group: str, help: str, parse: Callable[[Any], Any], default: Any, **more: Any
) -> Any:
    """Describe a field: its spelling is ``-letter --long METAVAR``."""
    words = spelling.split()
    letter = None if words[0].startswith("--") else words.pop(0)
    metavar = words[1] if len(words) > 1 else None
    described = Option(letter, words[0], group, help, metavar, parse, **more)
    return field(default=default, metadata={"option": described})
