"""A part of a JSON document that knows where it stands, for messages on what does not fit."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn

__all__ = ["JsonPart", "MisfitError", "parse_json"]

LARGEST = 1e15
"""Far above any score or number of EVALs, and far below what a double cannot hold."""

KINDS: dict[str, Callable[[Any], bool]] = {
    "an object": lambda value: isinstance(value, dict),
    "a list": lambda value: isinstance(value, list),
    "a string": lambda value: isinstance(value, str),
    "a number from 0 on": lambda value: _is_number(value) and 0 <= value < LARGEST,
    "a whole number from 0 on": lambda value: (
        isinstance(value, int) and _is_number(value) and 0 <= value < LARGEST
    ),
}
"""What may be expected of a part, in words, and whether a value is it."""


class MisfitError(ValueError):
    """Something in a document is not what was expected; says where."""


@dataclass(frozen=True, slots=True)
class JsonPart:
    """A value of a document.

    Parameters
    ----------
    value : object
        As `json` reads it.
    place : str
        Where it stands, such as ``systems[0].metrics``; empty for the whole document.
    """

    value: Any
    place: str = ""

    def member(self, name: str, expected: str) -> "JsonPart":
        """Return a member of this object.

        Parameters
        ----------
        name : str
        expected : str
            One of `KINDS`.

        Raises
        ------
        MisfitError
            This is no object, has no such member, or it is of another kind.
        """
        if not isinstance(self.value, dict):
            place = self.place or "the document"
            raise MisfitError(f"{place}: found {_described(self.value)}, expected an object")
        part = f"{self.place}.{name}" if self.place else name
        if name not in self.value:
            raise MisfitError(f"{part}: missing, expected {expected}")
        value = self.value[name]
        if not KINDS[expected](value):
            raise MisfitError(f"{part}: found {_described(value)}, expected {expected}")
        return JsonPart(value, part)

    def items(self) -> "list[JsonPart]":
        """Return the items of this list."""
        return [JsonPart(value, f"{self.place}[{k}]") for k, value in enumerate(self.value)]


def parse_json(data: bytes) -> JsonPart:
    """Read a document, in strict JSON, which knows no NaN; raises MisfitError."""
    try:
        return JsonPart(json.loads(data, parse_constant=_refuse_constant))
    except json.JSONDecodeError as error:
        found = f"line {error.lineno}, column {error.colno}: {error.msg}"
    except RecursionError:
        found = "brackets nested too deeply"
    except ValueError as error:
        found = str(error)
    raise MisfitError(f"no JSON: {found}")


def _refuse_constant(constant: str) -> NoReturn:
    """Refuse what Python reads as a number and JSON does not know."""
    raise MisfitError(f"found {constant}, which JSON does not have")


def _is_number(value: Any) -> bool:
    """Return whether a value is a number; Python takes true and false for numbers too."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def _described(value: Any) -> str:
    """Return a value in a few words."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    shown = json.dumps(value)
    return shown if len(shown) <= 40 else shown[:37] + "..."  # noqa: PLR2004
