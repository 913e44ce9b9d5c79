"""How an option is declared, and what a group of options is.

A group is a frozen dataclass whose fields are options. The command line, the Python functions and
the documentation take spelling, reader, default and help from the declaration.
Source: specification, section 1.
"""

from collections.abc import Callable, Mapping
from dataclasses import field, fields
from functools import cache
from types import MappingProxyType
from typing import Any, TypeVar

from rouge_cli.errors import OptionError
from rouge_cli.quick_dataclass import dataclass

__all__ = ["ItemError", "Number", "Option", "OptionGroup", "option"]

Group = TypeVar("Group", bound="OptionGroup")


@dataclass(frozen=True, slots=True)
class Number:
    """A number that is printed as it was typed: `text` is ``"1.20"`` where `value` is 1.2."""

    text: str
    value: float


@dataclass(frozen=True, slots=True)
class Option:
    """How one field of a group is spelt, read and explained.

    Parameters
    ----------
    letter : str or None
        The original's letter with its dash.
    long : str
        The long name with its dashes.
    heading : str
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
    n_values : int
        How many values it takes at once; with more than one, a tuple.
    is_required : bool
        True for an option that its command cannot do without.
    asks_for_metric : bool
        True for an option that adds a metric to the run.
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
    asks_for_metric: bool = False

    @property
    def spelling(self) -> str:
        """How messages name the option: ``-n/--max-ngram``."""
        return "/".join(filter(None, (self.letter, self.long)))

    def read(self, given: Any) -> Any:
        """Read one value, or say what was expected instead; raises OptionError."""
        try:
            return self.parse(given)
        except ValueError as error:
            found = error.given if isinstance(error, ItemError) else given
            raise OptionError(f"{self.spelling}: found {found!r}, expected {error}") from None


class ItemError(ValueError):
    """One of several values that an option was given is not what it expects.

    Parameters
    ----------
    given : object
        That value.
    """

    def __init__(self, given: object, expected: str) -> None:
        self.given = given
        super().__init__(expected)


def option(
    spelling: str, heading: str, help: str, parse: Callable[[Any], Any], default: Any, **more: Any
) -> Any:
    """Declare a field of a group: its spelling is ``-letter --long METAVAR``."""
    words = spelling.split()
    letter = None if words[0].startswith("--") else words.pop(0)
    metavar = " ".join(words[1:]) or None
    declared = Option(letter, words[0], heading, help, metavar, parse, **more)
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
    def of(cls: type[Group], given: Mapping[str, Any]) -> Group:
        """Read the group's values; None leaves the default, other names are ignored.

        Raises
        ------
        OptionError
        """
        group = cls(
            **{
                name: declared.read(given[name])
                for name, declared in cls.options().items()
                if given.get(name) is not None
            }
        )
        group.check()
        return group

    def check(self) -> None:
        """Refuse values of the group that exclude each other; raises OptionError."""

    def values(self) -> dict[str, Any]:
        """Return the values by the names of their fields."""
        return {name: getattr(self, name) for name in self.options()}

    def given(self) -> list[str]:
        """Return the names of the options that have another value than their default."""
        return [
            name for name, default in self._defaults().items() if getattr(self, name) != default
        ]

    @classmethod
    @cache
    def _defaults(cls) -> dict[str, Any]:
        """Return the values of the group of which nothing is given."""
        return cls().values()
