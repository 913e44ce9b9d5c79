"""Declarations of options, groups of options, and readers of values.

A group is a frozen dataclass whose fields are options. A declaration says everything about its
option: spelling, reader, default, help, and where it applies. The command line, the Python
functions, their types and the documentation derive from the declarations; there is no other list of
options. A reader converts typed text or a Python value; its ValueError says what was expected.
Source: specification, section 1.
"""

import codecs
import os
import re
from collections.abc import Callable, Collection, Iterable, Mapping
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

# The only letters that ROUGE-1.5.5 lacks. All other new options have just a long name.
NEW_LETTERS = frozenset({"-o"})


class Step(IntEnum):
    """The steps of a run, in order. Each option acts on one of them.

    - `TEXTS`: selects the texts, and reads them.
    - `EVALS`: recall and precision of each EVAL; recomputing them requires the texts.
    - `F_MEASURE`: F of each EVAL, which is computed from recall and precision.
    - `MEANS`: the scores of systems.
    - `INTERVALS`: the confidence intervals of these scores.
    - `OUTPUT`: selects and formats what is shown; no digit changes.
    """

    TEXTS = 1
    EVALS = 2
    F_MEASURE = 3
    MEANS = 4
    INTERVALS = 5
    OUTPUT = 6


class Heading(str):
    """A heading in the help, with the defaults of its options.

    `step`, `layouts` and `not_for` are as in `Option`. An option may override the first two, and
    its own `not_for` is added to that of the heading.
    """

    step: Step
    not_for: Mapping[str, str]
    layouts: tuple[str, ...]

    def __new__(
        cls,
        title: str,
        step: Step,
        not_for: Mapping[str, str] = MappingProxyType({}),
        layouts: tuple[str, ...] = (),
    ) -> "Heading":
        """Create a heading with this title."""
        heading = super().__new__(cls, title)
        heading.step, heading.not_for, heading.layouts = step, not_for, layouts
        return heading


# The commands `identify` and `protocols` score with the choices of each package, so options that
# make such a choice do not apply to them.
PACKAGES_DECIDE = MappingProxyType(
    dict.fromkeys(("identify", "protocols"), "other packages make this choice themselves")
)


@dataclass(frozen=True, slots=True)
class Number:
    """A number that is printed as typed: `text` may be ``"1.20"`` if `value` is 1.2."""

    text: str
    value: float


def plain(number: float) -> str:
    """Format a number by its value: ``0.5`` also for 0.50, and whole numbers without ``.0``."""
    # Adding zero turns -0.0 into 0.0.
    return repr(number + 0.0).removesuffix(".0")


@dataclass(frozen=True, slots=True)
class Option:
    """Spelling, reader and help of one field of a group, and where the option applies.

    - `letter`, `long`: the original's letter (or None) and the long name, with their dashes.
    - `help`: the sentence that help shows under `heading`.
    - `metavar`: the name of the value; None for a switch.
    - `parse`: the reader.
    - `alias`: another long name, which help and messages show in place of `long`.
    - `kind`: the KIND of ``--add KIND:...``, if the option is given in this way only.
    - `off`: whether the switch sets its field to False, as ``--no-lcs`` does with the field `lcs`.
    - `has_no_negation`: whether the switch has no negation, since another option has that name.
    - `is_many`: whether the option may be repeated. Its value is then a tuple.
    - `n_values`: the number of values per use. If there are several, the value is a tuple.
    - `is_required`: whether the command fails without the option.
    - `adds_metric`: whether the option adds a metric to the run.
    - `has_no_counts`: whether its metrics have no counts to pool, so that it excludes ``-t 1`` and
      ``-t 2``.
    - `step`: the step it acts on; by default that of its heading, or `Step.OUTPUT`.
    - `layouts`: the layouts of texts that use it, by their names in `rouge_cli.options.inputs`.
    - `not_for`: the commands and Python functions that do not take it, each with the reason.
      Studies are listed by name, or all of them as ``"study"``. The heading may add others.
    - `goes_with_protocol`: whether ``--protocol`` allows it although it acts on `Step.EVALS`.
    - `for_single_pairs`: whether the fast path of `rouge_cli.score` supports it.
    - `for_eval_pages`: whether it concerns pages that show EVALs one by one.
    - `is_common`: whether ``--help`` lists it, and not only ``--help-all``.
    - `reports`: the kinds of report that it affects, one of which must be requested; empty if it
      does not depend on reports.
    - `needs`: the option of its group without which it has no effect.
    - `keeps_preset`: whether the default preset applies despite it. Other options of metrics and
      texts switch that preset off.
    - `instead_of`: the option of its group that it excludes, and that it replaces in a preset.
    - `implies`: switches of its group, of which it needs one; if none is given, it turns on the
      first.
    - `python_advice`: what Python programs do instead of giving the option; None if Python
      functions take it as a keyword.
    """

    letter: str | None
    long: str
    heading: str
    help: str
    metavar: str | None
    parse: Callable[[Any], Any]
    alias: str | None = None
    kind: str | None = None
    off: bool = False
    has_no_negation: bool = False
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
    for_eval_pages: bool = False
    is_common: bool = False
    reports: tuple[str, ...] = ()
    needs: str | None = None
    keeps_preset: bool = False
    instead_of: str | None = None
    implies: tuple[str, ...] = ()
    python_advice: str | None = None

    @property
    def spelling(self) -> str:
        """The name in messages, such as ``-n/--max-ngram`` or ``--add column``."""
        if self.kind is not None:
            return f"{self.long} {self.kind}"
        return "/".join(filter(None, (self.letter, self.alias or self.long)))

    @property
    def switch_names(self) -> str:
        """The names of a switch and its negation as Click takes them: ``--stem/--no-stem``."""
        if self.has_no_negation:
            return self.long
        bare = self.long.removeprefix("--no-")
        return f"{self.long}/--{bare}" if self.off else f"{self.long}/--no-{self.long[2:]}"

    @property
    def is_original(self) -> bool:
        """Whether ROUGE-1.5.5 has the option; all of its options are letters."""
        return self.letter is not None and self.letter not in NEW_LETTERS

    @property
    def moves_scores(self) -> bool:
        """Whether the option can change a score or an interval."""
        return Step.TEXTS < self.step < Step.OUTPUT

    @property
    def is_averaging(self) -> bool:
        """Whether the option acts on means or intervals only, and not on the scores of EVALs."""
        return self.step in {Step.MEANS, Step.INTERVALS}

    def read(self, raw: Any) -> Any:
        """Read a value; raises OptionError, which says what was expected."""
        try:
            return self.parse(raw)
        except ValueError as error:
            refused = error.value if isinstance(error, ItemError) else raw
            raise OptionError(f"{self.spelling}: found {refused!r}, expected {error}") from None


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


def option(
    spelling: str,
    heading: str,
    help: str,
    parse: Callable[[Any], Any] | None = None,
    default: Any = None,
    **more: Any,
) -> Any:
    """Declare a field of a group, with a spelling such as ``-letter --long METAVAR``.

    Without `parse`, the option is a switch or, if it has a metavar such as ``error|skip``, takes
    one of these words. The default is False for a switch, an empty tuple for several values, and
    otherwise None. `more` are further fields of `Option`.
    """
    words = spelling.split()
    letter = None if words[0].startswith("--") else words.pop(0)
    metavar = " ".join(words[1:]) or None
    if isinstance(heading, Heading):
        # What the call gives wins over the defaults of the heading.
        more = {"step": heading.step, "layouts": heading.layouts, **more}
        more["not_for"] = {**heading.not_for, **more.get("not_for", {})}
    if parse is None:
        parse = switch if metavar is None else choice(*metavar.split("|"))
    declared = Option(letter, words[0], heading, help, metavar, parse, **more)
    if default is None and parse is switch:
        default = False
    elif default is None and (declared.is_many or declared.n_values > 1):
        default = ()
    return field(default=default, metadata={"option": declared})


def options_under(heading: str) -> Callable[..., Any]:
    """Return a function like `option` that declares options under this heading."""

    def declare(spelling: str, help: str, *arguments: Any, **more: Any) -> Any:
        return option(spelling, heading, help, *arguments, **more)

    return declare


class OptionGroup:
    """Base of the groups: frozen, slotted dataclasses whose fields are made by `option`."""

    __slots__ = ()

    @classmethod
    @cache
    def options(cls) -> Mapping[str, Option]:
        """Return the options by the names of their fields, in the order of help."""
        declared = {item.name: item.metadata["option"] for item in fields(cls)}  # type: ignore[arg-type]
        return MappingProxyType(declared)

    @classmethod
    def of(cls: type[Group], raw: Mapping[str, Any]) -> Group:
        """Read the values of the group, and check them; raises OptionError.

        None means the default; other names are ignored. An option turns on the switch it implies.
        """
        values = {
            name: declared.read(raw[name])
            for name, declared in cls.options().items()
            if raw.get(name) is not None
        }
        # A false switch implies nothing.
        for name in [name for name in values if values[name]]:
            implied = cls.options()[name].implies
            if implied and not any(map(values.get, implied)):
                values.setdefault(implied[0], True)
        group = cls(**values)
        group.check()
        return group

    def check(self) -> None:
        """Raise OptionError for values of the group that exclude each other."""

    def check_reports(self, kinds: Collection[str]) -> None:
        """Raise OptionError for an option that affects none of the reports in `kinds`."""
        given = [self.options()[name] for name in self.given()]
        # The message names the option that applies to most kinds of report.
        for declared in sorted(given, key=lambda declared: -len(declared.reports)):
            if declared.reports and not set(declared.reports) & set(kinds):
                for_kinds = ", ".join(declared.reports)
                raise OptionError(f"{declared.spelling} is for --report {for_kinds}")

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
        return cls().values()


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


def whole(minimum: float, maximum: float, expected: str) -> Callable[[Any], int]:
    """Return a reader of whole numbers from `minimum` to `maximum`, also spelt as 2.0 or 2e0."""

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
NGRAM_ORDER = whole(1, 1000, "a whole number from 1 to 1000")
LIMIT = whole(0, inf, "a whole number from 0 on")
# 0 switches the bootstrap off. The message does not offer it, as the classic report needs one.
RESAMPLE_COUNT = whole(0, 10_000_000, "a whole number from 1 to 10000000")
JOB_COUNT = whole(1, 1000, "a whole number from 1 to 1000")
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
            raise ValueError(f"{word}: in small letters ROUGE-1.5.5 takes it for another")
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


def choices(*values: str) -> Choices:
    """Return a reader of one or more of these words."""
    return Choices(values)


def path(raw: Any) -> str:
    """Read a path, and return it as a string."""
    if not isinstance(raw, str | bytes | os.PathLike) or not os.fspath(raw):
        raise ValueError("a path")
    return os.fsdecode(raw)


def several(
    read: Callable[[Any], Value], single: type | UnionType, expected: str
) -> Callable[[Any], tuple[Value, ...]]:
    """Return a reader of one or more values, each of which is read by `read`.

    An instance of `single` is a single value even if it is iterable, such as typed text or a path.
    `single` may include the type that `read` returns, whose instances are taken as they are.
    `expected` is the message for anything else.
    """

    def one(raw: Any) -> Value:
        is_made = isinstance(raw, single) and not isinstance(raw, str | bytes | os.PathLike)
        return raw if is_made else read(raw)

    def parse(raw: Any) -> tuple[Value, ...]:
        if isinstance(raw, single):
            return (one(raw),)
        if not isinstance(raw, Iterable):
            raise ValueError(expected)
        values = []
        for item in raw:
            try:
                values.append(one(item))
            except ValueError as error:
                raise ItemError(item, str(error)) from None
        return tuple(values)

    return parse


paths = several(path, str | bytes | os.PathLike, "a path, or several")


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


strings = several(string, str, "a string, or several")


def system_id(raw: Any) -> str:
    """Read the ID of a system; shells complete it with the systems of the input."""
    return string(raw)


# Why not simply `strings`? By this reader, completion recognises the options that name systems.
system_ids = several(system_id, str, "a string, or several")


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


encodings = several(_encoding, str, "the name of an encoding, or several with their files")


def measures(raw: Any) -> str:
    """Read a selection of the letters R, P and F, such as ``RF`` or ``R,F``."""
    letters = str(raw).upper().replace(",", "")
    if not letters or set(letters) - set(MEASURES) or len(set(letters)) < len(letters):
        raise ValueError("some of the letters R, P and F, such as F or RPF")
    return letters
