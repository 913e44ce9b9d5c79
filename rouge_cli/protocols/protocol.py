"""A protocol: the choices behind a package's numbers, and the package's own options."""

import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import NoneType
from typing import Annotated, Any, Literal, get_args, get_origin

from rouge_cli.errors import OptionError, close_to
from rouge_cli.protocols.counting import CountChoices
from rouge_cli.protocols.scoring import MeanChoices, ScoreChoices
from rouge_cli.protocols.texts import TextChoices
from rouge_cli.quick_dataclass import dataclass


def without_options(protocol: "Protocol") -> "Protocol":
    """Return the protocol itself: its package has no options that affect a score."""
    return protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Protocol:
    """The choices by which a package turns texts into numbers.

    - `version`: the version of the package with which the choices were compared; empty if it has
      none.
    - `stands_for`: the programs that print these numbers, in one line.
    - `defects`: known defects of the numbers.
    - `options`: a function of a protocol and the package's own arguments that returns the protocol
      with these arguments applied. Its keyword-only parameters are the known arguments, with their
      types and defaults.
    - `tried`: the options that ``identify`` varies, and the values of each; it tries all
      combinations, with all other options at their defaults.
    - `tried_with_several`: options that ``identify`` tries in addition if there are several
      references.
    - `tried_language`: the option for the language of the texts; ``identify`` skips the protocol if
      the user names no language. Empty if there is no such option.
    - `on_request`: a regular expression for names of metrics that the package computes only on
      request.
    """

    name: str
    version: str
    stands_for: str
    defects: tuple[str, ...] = ()
    text: TextChoices
    counts: CountChoices
    scores: ScoreChoices = ScoreChoices()
    means: MeanChoices = MeanChoices()
    options: Callable[..., "Protocol"] = without_options
    tried: tuple[tuple[str, tuple[Any, ...]], ...] = ()
    tried_with_several: tuple[tuple[str, Any], ...] = ()
    tried_language: str = ""
    on_request: str = ""

    @property
    def full_name(self) -> str:
        """The name with the version, if there is one."""
        return f"{self.name}@{self.version}" if self.version else self.name

    def changed(self, **groups: Mapping[str, Any]) -> "Protocol":
        """Return a copy with some choices replaced, by the names of their fields.

        `groups` are `text`, `counts`, `scores` and `means`. The copy has no options, as their
        defaults would undo the changes.
        """
        choices = {name: replace(getattr(self, name), **values) for name, values in groups.items()}
        return replace(self, options=without_options, **choices)

    def with_options(self, options: Mapping[str, Any]) -> "Protocol":
        """Return the protocol with the package's own arguments applied.

        Raises OptionError for an unknown argument, and for a value that an argument does not take.
        """
        known = known_options(self)
        for name, value in options.items():
            if name not in known:
                listed = (
                    f"expected {', '.join(known)}" if known else "it has none that move a score"
                )
                near = close_to(name, known)
                hint = f"; did you mean {near}?" if near else ""
                raise OptionError(f"{self.name}: found the option {name!r}; {listed}{hint}")
            check_value(f"{self.name}: {name}", value, known[name].annotation)
        return self.options(self, **options)


def known_options(protocol: Protocol) -> dict[str, inspect.Parameter]:
    """Return the package's own arguments by name."""
    parameters = inspect.signature(protocol.options).parameters.values()
    return {
        parameter.name: parameter
        for parameter in parameters
        if parameter.kind is parameter.KEYWORD_ONLY
    }


def read_options(protocol: Protocol, settings: Mapping[str, str]) -> dict[str, Any]:
    """Convert typed arguments of a package to their types; ``+`` separates several values.

    Text that cannot be converted stays as it is, and `Protocol.with_options` reports it.
    """
    known = known_options(protocol)
    return {
        name: _read(value, known[name].annotation) if name in known else value
        for name, value in settings.items()
    }


def _read(text: str, annotation: Any) -> Any:
    kinds = get_args(annotation)
    if get_origin(annotation) is Sequence:
        return [_read(part, kinds[0]) for part in text.split("+")]
    if annotation in _READERS:
        try:
            return _READERS[annotation](text)
        except (KeyError, ValueError):
            return text
    if get_origin(annotation) is Literal or not kinds:
        return text
    # Of several types, the first that can read the text wins; strings take any text, so come last.
    read = (_read(text, kind) for kind in kinds)
    return next((value for value in read if not isinstance(value, str)), text)


_READERS: Mapping[Any, Callable[[str], Any]] = {
    bool: {"true": True, "yes": True, "false": False, "no": False}.__getitem__,
    int: int,
    float: float,
    NoneType: {"none": None}.__getitem__,
}


def check_value(name: str, value: object, annotation: Any) -> None:
    """Raise OptionError if a value does not fit a type annotation; `name` begins the message."""
    if not _fits(value, annotation):
        raise OptionError(f"{name}: found {value!r}, expected {_described(annotation)}")


def _fits(value: Any, annotation: Any) -> bool:
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Literal or origin is Annotated:
        # The known names of a string may come from a table: ``Annotated[str, tuple(table)]``.
        known = arguments if origin is Literal else arguments[1]
        return isinstance(value, str) and value in known
    if origin is Sequence or origin is tuple:
        any_length = origin is Sequence or Ellipsis in arguments
        return (
            isinstance(value, list | tuple)
            and (any_length or len(value) == len(arguments))
            and all(_fits(item, arguments[0]) for item in value)
        )
    if arguments:
        return any(_fits(value, argument) for argument in arguments)
    # A bool is an int in Python, but no number here. Whole numbers are fine as floats.
    if isinstance(value, bool):
        return annotation is bool
    if annotation is float:
        return isinstance(value, float | int) and math.isfinite(value)
    return isinstance(annotation, type) and isinstance(value, annotation)


_WORDS = {bool: "true or false", int: "a whole number", float: "a number", str: "a string"}


def _described(annotation: Any) -> str:
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Literal or origin is Annotated:
        return " or ".join(map(repr, arguments if origin is Literal else arguments[1]))
    if origin is Sequence or origin is tuple:
        return f"a list, each {_described(arguments[0])}"
    if arguments:
        return " or ".join(map(_described, arguments))
    return _WORDS.get(annotation, "nothing")
