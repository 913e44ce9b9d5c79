"""How an option is declared, what a group of options is, and the readers of values.

A group is a frozen dataclass whose fields are options. A declaration says everything about its
option: spelling, reader, default, help, and where it applies. The command line, the Python
functions, their types and the documentation take it from there; nothing lists options again. A
reader takes what was typed, or a Python value, and raises ValueError saying what it expects.
Source: specification, section 1.
"""

import codecs
import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field, fields
from enum import IntEnum
from functools import cache
from math import inf, isfinite
from types import MappingProxyType, UnionType
from typing import Any, TypeVar

from rouge_cli.errors import OptionError, close_to
from rouge_cli.quick_dataclass import dataclass

Group = TypeVar("Group", bound="OptionGroup")
Value = TypeVar("Value")

NEW_LETTERS = frozenset({"-o"})
"""The only letters that the original does not have; other new options have a long name alone."""


class Step(IntEnum):
    """The steps of a run, in their order; each option acts on one of them.

    - `TEXTS`: which texts are read, and from where.
    - `EVALS`: the recall and precision of each EVAL; changing them takes the texts.
    - `F_MEASURE`: the F of each EVAL, which follows from its recall and precision.
    - `MEANS`: the scores of systems.
    - `INTERVALS`: the confidence intervals of these.
    - `OUTPUT`: which scores are shown, and how; the digits stay.
    """

    TEXTS = 1
    EVALS = 2
    F_MEASURE = 3
    MEANS = 4
    INTERVALS = 5
    OUTPUT = 6


class Heading(str):
    """A heading of the help, with what its options have in common unless they say otherwise.

    `step` and `not_for` are as in `Option`; what an option says itself is added to `not_for`.
    """

    step: Step
    not_for: Mapping[str, str]

    def __new__(
        cls, title: str, step: Step, not_for: Mapping[str, str] = MappingProxyType({})
    ) -> "Heading":
        """Return the title with the attributes."""
        heading = super().__new__(cls, title)
        heading.step, heading.not_for = step, not_for
        return heading


PACKAGES_DECIDE = MappingProxyType(
    dict.fromkeys(("identify", "protocols"), "other packages make this choice themselves")
)


@dataclass(frozen=True, slots=True)
class Number:
    """A number that is printed as it was typed: `text` is ``"1.20"`` where `value` is 1.2."""

    text: str
    value: float


@dataclass(frozen=True, slots=True)
class Option:
    """How one field of a group is spelt, read and explained, and where it applies.

    The letter and the long name have their dashes; `help` is one sentence under `heading`.

    Parameters
    ----------
    letter : str or None
        The original's letter.
    metavar : str or None
        Name of the value; None for a switch.
    parse : callable
        The reader.
    off : bool
        True for a switch that sets its field to False (``--no-lcs`` and the field ``lcs``).
    is_many : bool
        True for an option that may be repeated; its value is a tuple.
    n_values : int
        How many values it takes at once; with more than one, a tuple.
    is_required : bool
        True for an option that its command cannot do without.
    adds_metric : bool
        True for an option that adds a metric to the run.
    has_no_counts : bool
        True if its metrics have no counts to pool, so that it excludes ``-t 1`` and ``-t 2``.
    step : Step
        What it acts on; by default as its heading says, or `Step.OUTPUT`.
    layouts : tuple of str
        The layouts of texts that it is for, by the names in `rouge_cli.options.inputs`.
    not_for : mapping of str to str
        The commands, or functions of Python, that do not take it, and why: a study by its name, or
        ``"study"`` for all studies. Added to the mapping of the heading.
    goes_with_protocol : bool
        True for an option of `Step.EVALS` that ``--protocol`` does not exclude.
    for_single_pairs : bool
        True if `rouge_cli.score` has a short way with it for one pair of texts.
    of_eval_pages : bool
        True if it is about a page that shows EVALs one by one.
    is_common : bool
        True for an option of the front page of the help.
    reports : tuple of str
        The kinds of report that it changes; one of them has to be asked for. Empty for any kind.
    needs : str or None
        The option of its group without which it has no effect.
    instead_of : str or None
        The option of its group that it excludes, and whose place it takes in a preset.
    implies : tuple of str
        Switches of its group of which it needs one; the first is on where none of them is given.
    python_advice : str or None
        What a Python program does instead; None if the option is a keyword of Python functions.
    """

    letter: str | None
    long: str
    heading: str
    help: str
    metavar: str | None
    parse: Callable[[Any], Any]
    off: bool = False
    is_many: bool = False
    n_values: int = 1
    is_required: bool = False
    adds_metric: bool = False
    has_no_counts: bool = False
    step: Step = Step.OUTPUT
    layouts: tuple[str, ...] = ()
    not_for: Mapping[str, str] = field(default_factory=dict)
    goes_with_protocol: bool = False
    for_single_pairs: bool = False
    of_eval_pages: bool = False
    is_common: bool = False
    reports: tuple[str, ...] = ()
    needs: str | None = None
    instead_of: str | None = None
    implies: tuple[str, ...] = ()
    python_advice: str | None = None

    @property
    def spelling(self) -> str:
        """How messages name the option: ``-n/--max-ngram``."""
        return "/".join(filter(None, (self.letter, self.long)))

    @property
    def is_of_original(self) -> bool:
        """Whether ROUGE-1.5.5 has it, by its letter."""
        return self.letter is not None and self.letter not in NEW_LETTERS

    @property
    def moves_scores(self) -> bool:
        """Whether it changes a score or an interval."""
        return Step.TEXTS < self.step < Step.OUTPUT

    @property
    def is_averaging(self) -> bool:
        """Whether it has no effect on the score of a single EVAL, but on means or intervals."""
        return self.step in {Step.MEANS, Step.INTERVALS}

    def read(self, raw: Any) -> Any:
        """Read a value; raises OptionError that says what is expected."""
        try:
            return self.parse(raw)
        except ValueError as error:
            refused = error.value if isinstance(error, ItemError) else raw
            raise OptionError(f"{self.spelling}: found {refused!r}, expected {error}") from None


class ItemError(ValueError):
    """One of several values of an option, `value`, cannot be read."""

    def __init__(self, value: object, expected: str) -> None:
        self.value = value
        super().__init__(expected)


def switch(raw: Any) -> bool:
    """Read a switch: True or False."""
    if not isinstance(raw, bool):
        raise ValueError("True or False")
    return raw


def option(
    spelling: str,
    heading: str,
    help: str,
    parse: Callable[[Any], Any] = switch,
    default: Any = None,
    **more: Any,
) -> Any:
    """Declare a field of a group: its spelling is ``-letter --long METAVAR``.

    Unless a default is given, a switch is off, an option of several values is empty, and any other
    is None.
    """
    words = spelling.split()
    letter = None if words[0].startswith("--") else words.pop(0)
    metavar = " ".join(words[1:]) or None
    if isinstance(heading, Heading):
        more = {"step": heading.step, **more}
        more["not_for"] = {**heading.not_for, **more.get("not_for", {})}
    declared = Option(letter, words[0], heading, help, metavar, parse, **more)
    if default is None and parse is switch:
        default = False
    elif default is None and (declared.is_many or declared.n_values > 1):
        default = ()
    return field(default=default, metadata={"option": declared})


class OptionGroup:
    """Base of the groups: frozen, slotted dataclasses whose fields are made by `option`."""

    __slots__ = ()

    @classmethod
    @cache
    def options(cls) -> Mapping[str, Option]:
        """Return the options of the group by the names of their fields, in the order of help."""
        declared = {item.name: item.metadata["option"] for item in fields(cls)}  # type: ignore[arg-type]
        return MappingProxyType(declared)

    @classmethod
    def of(cls: type[Group], raw: Mapping[str, Any]) -> Group:
        """Read the group's values; None leaves the default, other names are ignored.

        An option brings the switch that it implies. Raises OptionError.
        """
        values = {
            name: declared.read(raw[name])
            for name, declared in cls.options().items()
            if raw.get(name) is not None
        }
        for name in [name for name in values if values[name]]:
            implied = cls.options()[name].implies
            if implied and not any(map(values.get, implied)):
                values.setdefault(implied[0], True)
        group = cls(**values)
        group.check()
        return group

    def check(self) -> None:
        """Refuse values of the group that exclude each other; raises OptionError."""

    def values(self) -> dict[str, Any]:
        """Return the values by the names of their fields."""
        return {name: getattr(self, name) for name in self.options()}

    def given(self) -> list[str]:
        """Return the names of the options whose value is not the default."""
        return [
            name for name, default in self._defaults().items() if getattr(self, name) != default
        ]

    @classmethod
    @cache
    def _defaults(cls) -> dict[str, Any]:
        """Return the default values of the group."""
        return cls().values()


COUNTINGS = (0, 1, 2)
MEASURES = "RPF"

DECIMAL = r"(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)"
"""A decimal number without a sign; a long run of digits has one way to match."""

WHOLE_NUMBER = re.compile(r" *[+-]?[0-9]{1,1000} *")
NUMBER = re.compile(rf" *[+-]?{DECIMAL}([eE][+-]?[0-9]+)? *")
"""Numbers as Perl reads them, with blanks around."""


def _number_text(raw: Any) -> str:
    """Return a number as typed; a bool is not a number."""
    if isinstance(raw, Number):
        return raw.text
    return "" if isinstance(raw, bool) else str(raw)


def whole(minimum: float, maximum: float, expected: str) -> Callable[[Any], int]:
    """Return a reader of whole numbers from `minimum` to `maximum`, such as 2, 2.0 and 2e0."""

    def parse(raw: Any) -> int:
        text = _number_text(raw)
        # Python refuses more than 4,300 digits with its own message, and no number needs 1,000.
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
    """Return a reader of decimal numbers that `accepts` approves of."""

    def parse(raw: Any) -> Number:
        text = _number_text(raw)
        if not NUMBER.fullmatch(text) or not accepts(float(text)):
            raise ValueError(expected)
        return Number(text, float(text))

    return parse


COUNTING = whole(min(COUNTINGS), max(COUNTINGS), "0, 1 or 2")
NGRAM_ORDER = whole(1, 1000, "a whole number from 1 to 1000")
LIMIT = whole(0, inf, "a whole number from 0 on")
RESAMPLE_COUNT = whole(0, 10_000_000, "a whole number from 1 to 10000000")
JOB_COUNT = whole(1, 1000, "a whole number from 1 to 1000")
WEIGHT = real("a finite number above 0", lambda value: 0 < value < inf)
SHARE = real("a number from 0 to 1", lambda value: 0 <= value <= 1)
DIFFERENCE = real("a number above 0", lambda value: 0 < value < inf)
FINITE = real("a finite number", isfinite)
PERCENT = real("a number from 0 to 100", lambda value: 0 <= value <= 100)  # noqa: PLR2004


def max_gap(raw: Any) -> Number:
    """Read a maximal gap: any whole number."""
    value = whole(-inf, inf, "a whole number; a negative one means no limit")(raw)
    return Number(_number_text(raw), value)


@dataclass(frozen=True, slots=True)
class Choice:
    """A reader of one word out of `values`, in any case.

    Parameters
    ----------
    in_capitals : frozenset of str
        Words that the original knows in capitals alone: in small letters they mean something else
        there, and are refused.
    """

    values: tuple[str, ...]
    in_capitals: frozenset[str] = frozenset()

    def __call__(self, raw: Any) -> str:
        """Return the word as it is spelt in `values`."""
        by_lower_case = {value.lower(): value for value in self.values}
        word = by_lower_case.get(str(raw).lower())
        if word is None:
            close = close_to(str(raw), self.values)
            advice = f"; did you mean {close}?" if close else ""
            raise ValueError(f"one of {', '.join(self.values)}{advice}")
        if word in self.in_capitals and str(raw) != word:
            raise ValueError(f"{word}: in small letters ROUGE-1.5.5 takes it for another")
        return word


def choice(*values: str, in_capitals: Iterable[str] = ()) -> Choice:
    """Return a reader of one word out of `values`."""
    return Choice(values, frozenset(in_capitals))


@dataclass(frozen=True, slots=True)
class Choices:
    """A reader of one or more words out of `values`, with commas between or in a list.

    Each word counts once, in the order given.
    """

    values: tuple[str, ...]

    def __call__(self, raw: Any) -> tuple[str, ...]:
        """Return the words as they are spelt in `values`."""
        expected = f"one or more of {', '.join(self.values)}, with commas between"
        read_one = choice(*self.values)
        items = [raw] if isinstance(raw, str) else raw
        if not isinstance(items, Iterable):
            raise ValueError(expected)
        words = [word.strip() for item in items for word in str(item).split(",")]
        for word in words:
            try:
                read_one(word)
            except ValueError:
                raise ItemError(word, expected) from None
        return tuple(dict.fromkeys(map(read_one, words)))


def choices(*values: str) -> Choices:
    """Return a reader of one or more words out of `values`."""
    return Choices(values)


def path(raw: Any) -> str:
    """Read a path as a string."""
    if not isinstance(raw, str | bytes | os.PathLike) or not os.fspath(raw):
        raise ValueError("a path")
    return os.fsdecode(raw)


def several(
    read: Callable[[Any], Value], single: type | UnionType, expected: str
) -> Callable[[Any], tuple[Value, ...]]:
    """Return a reader of one or several values, each read by `read`.

    A value of the type `single` is one value, even if it can be iterated over. `expected` is for
    the error about anything else.
    """

    def parse(raw: Any) -> tuple[Value, ...]:
        if isinstance(raw, single):
            return (read(raw),)
        if not isinstance(raw, Iterable):
            raise ValueError(expected)
        values = []
        for item in raw:
            try:
                values.append(read(item))
            except ValueError as error:
                raise ItemError(item, str(error)) from None
        return tuple(values)

    return parse


paths = several(path, str | bytes | os.PathLike, "a path, or several")


def sentence_finder(raw: Any) -> str:
    """Read how sentences are found: ``punkt`` (or ``nltk``), ``auto``, or a language's tag."""
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


strings = several(string, str, "a string, or several")


def system_id(raw: Any) -> str:
    """Read the ID of a system, which shells complete with those of the input."""
    return string(raw)


# A reader apart from `strings`, so that completion knows which options name systems.
system_ids = several(system_id, str, "a string, or several")


def delimiter(raw: Any) -> str:
    """Read a character that can stand between fields; a tab may be spelt out."""
    text = {"tab": "\t", r"\t": "\t"}.get(str(raw).lower(), str(raw))
    if len(text) != 1 or text in '"\r\n\0':
        raise ValueError("one character, such as ; or tab, other than a quote")
    return text


def encoding(raw: Any) -> str:
    """Read the name of an encoding of texts that Python knows."""
    expected = "the name of an encoding, such as utf-8, latin-1 or utf-16"
    try:
        "".encode(str(raw))
        name = codecs.lookup(str(raw)).name
    except (LookupError, ValueError):
        raise ValueError(expected) from None
    return name


def measures(raw: Any) -> str:
    """Read some of the letters R, P and F, each once."""
    letters = str(raw).upper().replace(",", "")
    if not letters or set(letters) - set(MEASURES) or len(set(letters)) < len(letters):
        raise ValueError("some of the letters R, P and F, such as F or RPF")
    return letters
