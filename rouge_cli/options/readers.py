"""Readers of the values of options.

A reader converts typed text or a Python value. Its ValueError says what was expected.
"""

import codecs
import os
import re
from collections.abc import Callable, Iterable
from math import inf, isfinite
from types import UnionType
from typing import Any

from rouge_cli.errors import close_to
from rouge_cli.quick_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Number:
    """A number that is printed as typed: `text` may be ``"1.20"`` if `value` is 1.2."""

    text: str
    value: float


def plain(number: float) -> str:
    """Format a number by its value: ``0.5`` also for 0.50, and whole numbers without ``.0``."""
    # Adding zero turns -0.0 into 0.0.
    return repr(number + 0.0).removesuffix(".0")


class ItemError(ValueError):
    """An error in one of several values of an option; `value` is the invalid one."""

    def __init__(self, value: object, expected: str) -> None:
        self.value = value
        super().__init__(expected)


def switch(raw: Any) -> bool:
    """Read a switch: True or False."""
    if not isinstance(raw, bool):
        raise ValueError("True or False")
    return raw


MEASURES = "RPF"

# A decimal number without a sign. There is only one way to match an input, so matching is linear.
DECIMAL = r"(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)"

WHOLE_NUMBER = re.compile(r" *[+-]?[0-9]{1,1000} *")

# Perl reads numbers with blanks around them.
NUMBER = re.compile(rf" *[+-]?{DECIMAL}([eE][+-]?[0-9]+)? *")


def _number_text(raw: Any) -> str:
    if isinstance(raw, Number):
        return raw.text
    # A bool is an int in Python, and would be read as 0 or 1.
    return "" if isinstance(raw, bool) else str(raw)


def whole(minimum: float, maximum: float, words: str = "") -> Callable[[Any], int]:
    """Return a reader of whole numbers from `minimum` to `maximum`, also spelt as 2.0 or 2e0.

    `words` replace the default message, which names both bounds.
    """
    expected = words or f"a whole number from {minimum} to {maximum}"

    def parse(raw: Any) -> int:
        text = _number_text(raw)
        # Python raises an error of its own beyond 4,300 digits. No valid number has 1,000.
        if WHOLE_NUMBER.fullmatch(text):
            value = int(text)
        elif NUMBER.fullmatch(text) and float(text).is_integer():
            value = int(float(text))
        else:
            raise ValueError(expected)
        if not minimum <= value <= maximum:
            raise ValueError(expected)
        return value

    return parse


def real(expected: str, accepts: Callable[[float], bool]) -> Callable[[Any], Number]:
    """Return a reader of the decimal numbers for which `accepts` is true."""

    def parse(raw: Any) -> Number:
        text = _number_text(raw)
        if not NUMBER.fullmatch(text) or not accepts(float(text)):
            raise ValueError(expected)
        return Number(text, float(text))

    return parse


COUNTING = whole(0, 2, "0, 1 or 2")
NGRAM_ORDER = whole(1, 1000)
LIMIT = whole(0, inf, "a whole number from 0 on")
# 0 switches the bootstrap off. The message does not offer it, as the classic report needs one.
RESAMPLE_COUNT = whole(0, 10_000_000, "a whole number from 1 to 10000000")
JOB_COUNT = whole(1, 1000)
WEIGHT = real("a finite number above 0", lambda value: 0 < value < inf)
SHARE = real("a number from 0 to 1", lambda value: 0 <= value <= 1)
DIFFERENCE = real("a number above 0", lambda value: 0 < value < inf)
FINITE = real("a finite number", isfinite)
PERCENT = real("a number from 0 to 100", lambda value: 0 <= value <= 100)  # noqa: PLR2004


def max_gap(raw: Any) -> Number:
    """Read a maximum gap, which may be any whole number."""
    value = whole(-inf, inf, "a whole number; a negative one means no limit")(raw)
    return Number(_number_text(raw), value)


@dataclass(frozen=True, slots=True)
class Choice:
    """Reads one of the words in `values`, ignoring case.

    Words in `in_capitals` must be in capitals: the original takes them for another word otherwise.
    """

    values: tuple[str, ...]
    in_capitals: frozenset[str] = frozenset()

    def __call__(self, raw: Any) -> str:
        """Read a value; raises ValueError."""
        by_lower_case = {value.lower(): value for value in self.values}
        word = by_lower_case.get(str(raw).lower())
        if word is None:
            close = close_to(str(raw), self.values)
            advice = f"; did you mean {close}?" if close else ""
            raise ValueError(f"one of {', '.join(self.values)}{advice}")
        if word in self.in_capitals and str(raw) != word:
            raise ValueError(f"{word}: in lower case ROUGE-1.5.5 takes it for another word")
        return word


def choice(*values: str, in_capitals: Iterable[str] = ()) -> Choice:
    """Return a reader of one of these words."""
    return Choice(values, frozenset(in_capitals))


@dataclass(frozen=True, slots=True)
class Choices:
    """Reads one or more of the words in `values`, which are separated by commas or in a list.

    Repetitions are dropped.
    """

    values: tuple[str, ...]

    def __call__(self, raw: Any) -> tuple[str, ...]:
        """Read a value; raises ValueError."""
        expected = f"one or more of {', '.join(self.values)}, with commas between"
        read_one = choice(*self.values)
        items = [raw] if isinstance(raw, str) else raw
        if not isinstance(items, Iterable):
            raise ValueError(expected)
        # A list may have items with commas, as when a repeated option is typed that way.
        words = [word.strip() for item in items for word in str(item).split(",")]
        for word in words:
            try:
                read_one(word)
            except ValueError:
                raise ItemError(word, expected) from None
        return tuple(dict.fromkeys(map(read_one, words)))


def path(raw: Any) -> str:
    """Read a path, and return it as a string."""
    if not isinstance(raw, str | bytes | os.PathLike) or not os.fspath(raw):
        raise ValueError("a path")
    return os.fsdecode(raw)


@dataclass(frozen=True, slots=True)
class Several:
    """Reads one or more values, each by `read`, into a tuple.

    An instance of `single` is a single value even if it is iterable, such as typed text or a path.
    `single` may include the type that `read` returns, whose instances are taken as they are.
    `expected` is the message for anything else.
    """

    read: Callable[[Any], Any]
    single: type | UnionType
    expected: str

    def __call__(self, raw: Any) -> tuple[Any, ...]:
        """Read the values; raises ValueError."""
        if isinstance(raw, self.single):
            return (self._one(raw),)
        if not isinstance(raw, Iterable):
            raise ValueError(self.expected)
        values = []
        for item in raw:
            try:
                values.append(self._one(item))
            except ValueError as error:
                raise ItemError(item, str(error)) from None
        return tuple(values)

    def _one(self, raw: Any) -> Any:
        is_read = isinstance(raw, self.single) and not isinstance(raw, str | bytes | os.PathLike)
        return raw if is_read else self.read(raw)


@dataclass(frozen=True, slots=True)
class Files(Several):
    """Reads ``FILE`` or ``WORD=FILE`` values; `values` are words that may replace a file."""

    values: tuple[str, ...] = ()


paths = Files(path, str | bytes | os.PathLike, "a path, or several")


def sentence_finder(raw: Any) -> str:
    """Read a sentence splitter: ``punkt`` (or ``nltk``), ``auto``, or the tag of a language."""
    text = str(raw)
    if text.lower() in {"punkt", "nltk"}:
        return "punkt"
    if text.lower() == "auto":
        return "auto"
    if not isinstance(raw, str) or not re.fullmatch(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*", text):
        raise ValueError("punkt, auto, or the tag of a language, such as en or pt-BR")
    return text


def string(raw: Any) -> str:
    """Read a string that is not blank."""
    if not isinstance(raw, str) or not raw.strip():
        raise ValueError("a string that is not blank")
    return raw


def scores_path(raw: Any) -> str:
    """Read the path of a file of scores."""
    file = path(raw)
    if not file.lower().endswith((".jsonl", ".parquet")):
        raise ValueError("a file whose name ends in .jsonl or .parquet")
    return file


strings = Several(string, str, "a string, or several")


def system_id(raw: Any) -> str:
    """Read the ID of a system; shells complete it with the systems of the input."""
    return string(raw)


# Why not simply `strings`? By this reader, completion recognises the options that name systems.
system_ids = Several(system_id, str, "a string, or several")


def delimiter(raw: Any) -> str:
    """Read the character that separates fields; a tab may be written as ``tab``."""
    text = {"tab": "\t", r"\t": "\t"}.get(str(raw).lower(), str(raw))
    if len(text) != 1 or text in '"\r\n\0':
        raise ValueError("one character, such as ; or tab, other than a quote")
    return text


def _encoding(raw: Any) -> str:
    expected = "the name of an encoding, such as utf-8, latin-1 or utf-16, or FILE:NAME"
    # The last colon separates, since paths may have colons of their own.
    file, colon, encoding = str(raw).rpartition(":")
    try:
        # `lookup` alone accepts codecs that do not encode text, such as zlib.
        "".encode(encoding)
        name = codecs.lookup(encoding).name
    except (LookupError, ValueError):
        raise ValueError(expected) from None
    return f"{file}{colon}{name}"


encodings = Several(_encoding, str, "the name of an encoding, or several with their files")


def measures(raw: Any) -> str:
    """Read a selection of the letters R, P and F, such as ``RF`` or ``R,F``."""
    letters = str(raw).upper().replace(",", "")
    if not letters or set(letters) - set(MEASURES) or len(set(letters)) < len(letters):
        raise ValueError("some of the letters R, P and F, such as F or RPF")
    return letters
