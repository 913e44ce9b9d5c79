"""How the value of an option is read: from what was typed, or given in Python.

A reader raises ValueError saying what it expects.
Source: specification, section 1.
"""

import codecs
import os
import re
from collections.abc import Callable, Iterable
from math import inf, isfinite
from typing import Any

from rouge_cli.options.declaration import ItemError, Number
from rouge_cli.quick_dataclass import dataclass

__all__ = [
    "COUNTINGS",
    "FINITE",
    "JOB_COUNT",
    "LIMIT",
    "NGRAM_ORDER",
    "PERCENT",
    "RESAMPLE_COUNT",
    "SHARE",
    "WEIGHT",
    "Choice",
    "Choices",
    "choice",
    "choices",
    "counting",
    "delimiter",
    "encoding",
    "max_gap",
    "measures",
    "path",
    "paths",
    "real",
    "scores_path",
    "sentence_finder",
    "string",
    "strings",
    "switch",
    "whole",
]

COUNTINGS = (0, 1, 2)
MEASURES = "RPF"


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
FINITE = real("a finite number", isfinite)
PERCENT = real("a number from 0 to 100", lambda value: 0 <= value <= 100)  # noqa: PLR2004


def max_gap(given: Any) -> Number:
    """Read a maximal gap: any whole number."""
    value = whole(-inf, inf, "a whole number; a negative one means no limit")(given)
    return Number(_number_text(given), value)


@dataclass(frozen=True, slots=True)
class Choice:
    """A reader of one word out of `values`, in any case."""

    values: tuple[str, ...]

    def __call__(self, given: Any) -> str:
        """Return the word as it is spelt in `values`."""
        by_lower_case = {value.lower(): value for value in self.values}
        if str(given).lower() not in by_lower_case:
            raise ValueError("one of " + ", ".join(self.values))
        return by_lower_case[str(given).lower()]


def choice(*values: str) -> Choice:
    """Return a reader of one word out of `values`."""
    return Choice(values)


@dataclass(frozen=True, slots=True)
class Choices:
    """A reader of one or more words out of `values`, with commas between or in a list.

    Each word counts once, in the order given.
    """

    values: tuple[str, ...]

    def __call__(self, given: Any) -> tuple[str, ...]:
        """Return the words as they are spelt in `values`."""
        expected = f"one or more of {', '.join(self.values)}, with commas between"
        read_one = choice(*self.values)
        items = given.split(",") if isinstance(given, str) else given
        if not isinstance(items, Iterable):
            raise ValueError(expected)
        try:
            return tuple(dict.fromkeys(read_one(str(item).strip()) for item in items))
        except ValueError:
            raise ValueError(expected) from None


def choices(*values: str) -> Choices:
    """Return a reader of one or more words out of `values`."""
    return Choices(values)


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
    return _each(path, given)


def sentence_finder(given: Any) -> str:
    """Read how sentences are found: ``nltk``, ``auto``, or the tag of a language."""
    text = str(given)
    if text.lower() in {"nltk", "auto"}:
        return text.lower()
    if not isinstance(given, str) or not re.fullmatch(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*", text):
        raise ValueError("nltk, auto, or the tag of a language, such as en or pt-BR")
    return text


def string(given: Any) -> str:
    """Read a string that is not blank."""
    if not isinstance(given, str) or not given.strip():
        raise ValueError("a string that is not blank")
    return given


def scores_path(given: Any) -> str:
    """Read the path of a file of scores."""
    found = path(given)
    if not found.lower().endswith((".jsonl", ".parquet")):
        raise ValueError("a file whose name ends in .jsonl or .parquet")
    return found


def strings(given: Any) -> tuple[str, ...]:
    """Read several strings that are not blank."""
    if isinstance(given, str):
        return (string(given),)
    if not isinstance(given, Iterable):
        raise ValueError("a string, or several")
    return _each(string, given)


def _each(read: Callable[[Any], str], given: Iterable[Any]) -> tuple[str, ...]:
    """Read each of several values; raises ItemError with the one that is none."""
    found = []
    for one in given:
        try:
            found.append(read(one))
        except ValueError as error:  # noqa: PERF203 - the first one is told of
            raise ItemError(one, str(error)) from None
    return tuple(found)


def delimiter(given: Any) -> str:
    """Read a character that can stand between fields; a tab may be spelt out."""
    text = {"tab": "\t", r"\t": "\t"}.get(str(given).lower(), str(given))
    if len(text) != 1 or text in '"\r\n\0':
        raise ValueError("one character, such as ; or tab, other than a quote")
    return text


def encoding(given: Any) -> str:
    """Read the name of an encoding of texts that Python knows."""
    expected = "the name of an encoding, such as utf-8, latin-1 or utf-16"
    try:
        "".encode(str(given))
        name = codecs.lookup(str(given)).name
    except (LookupError, ValueError):
        raise ValueError(expected) from None
    return name


def measures(given: Any) -> str:
    """Read some of the letters R, P and F, each once."""
    letters = str(given).upper().replace(",", "")
    if not letters or set(letters) - set(MEASURES) or len(set(letters)) < len(letters):
        raise ValueError("some of the letters R, P and F, such as F or RPF")
    return letters


def switch(given: Any) -> bool:
    """Read a switch: True or False."""
    if not isinstance(given, bool):
        raise ValueError("True or False")
    return given
