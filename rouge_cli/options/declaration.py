"""Declarations of options, and groups of options.

A group is a frozen dataclass whose fields are options. A declaration says everything about its
option: spelling, help, reader, default, and where it applies. The command line, the Python
functions, their types and the documentation derive from the declarations; there is no other list of
options. Source: specification, section 1.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import field, fields
from enum import IntEnum
from functools import cache, partial
from types import MappingProxyType
from typing import Any, TypeVar

from rouge_cli.errors import OptionError
from rouge_cli.options import readers
from rouge_cli.quick_dataclass import dataclass

Group = TypeVar("Group", bound="OptionGroup")

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
    """A heading in the help, with defaults for the fields of the options under it.

    The fields are those of `Option`. A declaration may override them, but its own `not_for` is
    added to that of the heading.
    """

    defaults: Mapping[str, Any]

    def __new__(cls, title: str, **defaults: Any) -> "Heading":
        """Create a heading with this title."""
        heading = super().__new__(cls, title)
        heading.defaults = defaults
        return heading


# The commands `identify` and `protocols` score with the choices of each package, so options that
# make such a choice do not apply to them.
PACKAGES_DECIDE = MappingProxyType(
    dict.fromkeys(("identify", "protocols"), "other packages make this choice themselves")
)


@dataclass(frozen=True, slots=True)
class Option:
    """Spelling, reader and help of one field of a group, and where the option applies.

    - `letter`, `long`: the original's letter (or None) and the long name, with their dashes.
    - `metavar`: the names of the values; None for a switch.
    - `help`: the sentence that help shows under `heading`.
    - `parse`: the reader, as in `rouge_cli.options.readers`.
    - `alias`: another long name, which help and messages show in place of `long`.
    - `kind`: the KIND of ``--add KIND:...``, if the option is given in this way only.
    - `has_no_negation`: whether the switch has no negation, since another option has that name.
    - `is_many`: whether the option may be repeated. Its value is then a tuple.
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
    metavar: str | None
    help: str
    heading: str
    parse: Callable[[Any], Any]
    alias: str | None = None
    kind: str | None = None
    has_no_negation: bool = False
    is_many: bool = False
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
    def off(self) -> bool:
        """Whether the switch sets its field to False, as ``--no-lcs`` does with the field `lcs`."""
        return self.metavar is None and self.long.startswith("--no-")

    @property
    def n_values(self) -> int:
        """The number of values per use. If there are several, the value is a tuple."""
        return 1 if self.metavar is None else len(self.metavar.split())

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
            refused = error.value if isinstance(error, readers.ItemError) else raw
            raise OptionError(f"{self.spelling}: found {refused!r}, expected {error}") from None


def option(
    heading: str,
    text: str,
    parse: Callable[[Any], Any] | None = None,
    default: Any = None,
    **more: Any,
) -> Any:
    """Declare a field of a group, which help shows under a heading.

    `text` is ``-letter --long METAVAR: sentence``, with the sentence of the help. Two metavars make
    an option with two values, and ``--add KIND:...`` makes one that can only be given in this form.

    Without `parse`, the option is a switch or, if its metavar is such as ``error|skip``, takes one
    of these words. The default is an empty tuple for several values, True for a switch ``--no-...``
    and False for another, and otherwise None. `more` are further fields of `Option`.
    """
    spelling, _, sentence = text.partition(": ")
    words = spelling.split()
    letter = None if words[0].startswith("--") else words.pop(0)
    long, metavar = words[0], " ".join(words[1:]) or None
    if parse is None:
        parse = readers.switch if metavar is None else readers.choice(*metavar.split("|"))
    fields_of_heading = heading.defaults if isinstance(heading, Heading) else {}
    not_for = {**fields_of_heading.get("not_for", {}), **more.get("not_for", {})}
    more = {**fields_of_heading, **more, "not_for": not_for}
    more.setdefault("is_many", isinstance(parse, readers.Several) and len(words) == 2)  # noqa: PLR2004
    if long == "--add" and metavar is not None:
        more["kind"] = metavar.partition(":")[0]
    declared = Option(letter, long, metavar, sentence, heading, parse, **more)
    if default is None and parse is readers.switch:
        default = declared.off
    elif default is None and (declared.is_many or declared.n_values > 1):
        default = ()
    return field(default=default, metadata={"option": declared})


def options_under(heading: str) -> Callable[..., Any]:
    """Return a function like `option` that declares options under this heading."""
    return partial(option, heading)


def is_given(value: Any, *, may_be_empty: bool = False) -> bool:
    """Return whether an option is given. Click passes None or, if it may be repeated, ()."""
    is_empty = isinstance(value, tuple) and not value
    return value is not None and (may_be_empty or not is_empty)


class OptionGroup:
    """Base of the groups: frozen, slotted dataclasses whose fields are made by `option`."""

    __slots__ = ()

    @classmethod
    @cache
    def options(cls) -> Mapping[str, Option]:
        """Return the options by the names of their fields, in help order."""
        declared = {item.name: item.metadata["option"] for item in fields(cls)}  # type: ignore[arg-type]
        return MappingProxyType(declared)

    @classmethod
    def of(cls: type[Group], raw: Mapping[str, Any]) -> Group:
        """Read the values of the group, and check them; raises OptionError.

        None means the default, as does () for an option that may be repeated; other names are
        ignored. An option turns on the switch that it implies.
        """
        values = {
            name: declared.read(raw[name])
            for name, declared in cls.options().items()
            if is_given(raw.get(name), may_be_empty=not declared.is_many)
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
