"""Options of the Python functions, by their names in Python."""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache, wraps
from typing import Any, TypeVar, cast

from rouge_cli.errors import InputError, OptionError
from rouge_cli.options.options import DEFAULT_PRESET, OPTIONS, Options, with_added
from rouge_cli.options.reports import ReportOptions

DISPLAYED = tuple(
    name for name, declared in ReportOptions.options().items() if declared.python_advice is None
)
"""Options of reports that Python takes for all forms of results."""

PLAIN_VALUES = frozenset({bool, int, float, str, type(None)})
MOST_REMEMBERED = 64

Item = tuple[str, type, str, Any]
"""Name, type, representation and value of an option."""


def python_options(
    keywords: Mapping[str, Any], default_preset: str | None = DEFAULT_PRESET
) -> Options:
    """Check options by their names in Python.

    Parameters
    ----------
    keywords : mapping of str to object
        A value of None leaves the default.
    default_preset : str or None
        As in `Options.of`.

    Returns
    -------
    Options

    Raises
    ------
    OptionError
        As `Options.of`; also for an option of the command line, or an unknown protocol.
    InputError
        If the file of a protocol cannot be read.
    """
    items = plain_items(keywords)
    if items is None:
        options = _checked_options(keywords, default_preset)
    else:
        options = _plain_options(items, default_preset)
    if options.metrics.protocol is None:
        return options
    from rouge_cli.protocols.metric import looked_up

    return looked_up(options)


def plain_items(keywords: Mapping[str, Any]) -> tuple[Item, ...] | None:
    """Return options as the key of a cache; None if a value is mutable."""
    values = keywords.values()
    if not PLAIN_VALUES.issuperset(map(type, values)):
        return None
    # 1 equals True, and 0.0 equals -0.0, but they are not the same options.
    return tuple(zip(keywords, map(type, values), map(repr, values), values, strict=True))


@lru_cache(MOST_REMEMBERED)
def _plain_options(items: tuple[Item, ...], default_preset: str | None) -> Options:
    """Check options once: programs that score pair by pair repeat their keywords."""
    return _checked_options({name: value for name, _, _, value in items}, default_preset)


def _checked_options(keywords: Mapping[str, Any], default_preset: str | None) -> Options:
    for name, declared in OPTIONS.items():
        if declared.python_advice is not None and keywords.get(name) is not None:
            raise OptionError(f"{name} is for the command line; in Python {declared.python_advice}")
        if declared.kind is not None and keywords.get(name) is not None:
            raise OptionError(f"unknown option {name!r}; it is add='{declared.kind}:...'")
    keywords = {name: _python_value(value) for name, value in with_added(keywords).items()}
    computed = Options.of(
        {name: value for name, value in keywords.items() if name not in DISPLAYED}, default_preset
    )
    # Commands accept these only with a report that shows them. Results can be shown in any way.
    displayed = {name: keywords.get(name) for name in DISPLAYED}
    checked = ReportOptions.of({**displayed, "report": "latex"}).values()
    return computed.changed(**{name: checked[name] for name in DISPLAYED})


def _python_value(value: Any) -> Any:
    """Turn NumPy's numbers and arrays into Python's numbers and lists."""
    return value.tolist() if hasattr(value, "tolist") else value


_BY_LONG = {declared.long: name for name, declared in OPTIONS.items() if declared.kind is None}
_BY_LETTER = {declared.letter: name for name, declared in OPTIONS.items() if declared.letter}
_OFF = {declared.long for declared in OPTIONS.values() if declared.off}
_OPTION = re.compile(
    r"(?<![\w'/-])(?<!python )(?:(?:-\w/)?(?P<long>--[a-z][a-z-]+)|(?P<letter>-[A-Za-z])(?![\w-]))"
)


def in_python_words(text: str) -> str:
    """Replace options in a message by their names in Python; command lines stay."""
    if "rouge-cli " in text:
        return text

    def name(match: "re.Match[str]") -> str:
        long, letter = match["long"], match["letter"]
        if letter is not None:
            return _BY_LETTER.get(letter, letter)
        if long == "--system-id":
            return "system_ids"
        known = _BY_LONG.get(long, long.removeprefix("--").replace("-", "_"))
        return f"{known}=False" if long in _OFF else known

    return _OPTION.sub(name, text)


Function = TypeVar("Function", bound=Callable[..., Any])


def with_python_errors(function: Function) -> Function:
    """Return a function whose errors name options as Python does."""

    @wraps(function)
    def wrapped(*arguments: Any, **keywords: Any) -> Any:
        try:
            return function(*arguments, **keywords)
        except InputError as error:
            raise type(error)(list(map(in_python_words, error.problems))) from error.__cause__
        except OptionError as error:
            raise OptionError(in_python_words(str(error))) from error.__cause__

    return cast("Function", wrapped)
