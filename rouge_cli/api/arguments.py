"""The arguments of the Python functions: options by their names in Python, and texts in memory."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from functools import lru_cache, wraps
from itertools import chain
from typing import Any, TypeVar, cast

from rouge_cli.errors import InputError, OptionError, Problems
from rouge_cli.escapes import escaped
from rouge_cli.inputs.source import GivenTexts
from rouge_cli.options.declaration import Option
from rouge_cli.options.options import DEFAULT_PRESET, OPTIONS, Options, with_added
from rouge_cli.options.reports import ReportOptions

DISPLAYED = tuple(
    name for name, declared in ReportOptions.options().items() if declared.python_advice is None
)
"""Options of reports that apply in Python, in whatever form results are shown."""

PLAIN_VALUES = frozenset({bool, int, float, str, type(None)})

MOST_REMEMBERED = 64
"""Size of the caches of checked options."""

Item = tuple[str, type, str, Any]
"""The name, type, representation and value of an option."""


def python_options(
    keywords: Mapping[str, Any], default_preset: str | None = DEFAULT_PRESET
) -> Options:
    """Check options that are given by their names in Python; None means the default.

    Raises OptionError as `Options.of` does, and for an option of the command line or an unknown
    protocol; and InputError if the file of a protocol cannot be read.
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
    """Return options in a form that can be the key of a cache; None if a value is mutable."""
    values = keywords.values()
    if not PLAIN_VALUES.issuperset(map(type, values)):
        return None
    # With types and representations, since 1 equals True, and 0.0 equals -0.0.
    return tuple(zip(keywords, map(type, values), map(repr, values), values, strict=True))


@lru_cache(MOST_REMEMBERED)
def _plain_options(items: tuple[Item, ...], default_preset: str | None) -> Options:
    # Cached, since programs that score pair by pair repeat their keywords.
    return _checked_options({name: value for name, _, _, value in items}, default_preset)


def _checked_options(keywords: Mapping[str, Any], default_preset: str | None) -> Options:
    check_python_options(OPTIONS, keywords)
    # NumPy's numbers and arrays become Python's numbers and lists.
    keywords = {
        name: value.tolist() if hasattr(value, "tolist") else value
        for name, value in with_added(keywords).items()
    }
    computed = Options.of(
        {name: value for name, value in keywords.items() if name not in DISPLAYED}, default_preset
    )
    # Commands accept these options only with a report that shows them, and results can be shown in
    # any way. The LaTeX report has all of them.
    displayed = {name: keywords.get(name) for name in DISPLAYED}
    checked = ReportOptions.of({**displayed, "report": "latex"}).values()
    return computed.changed(**{name: checked[name] for name in DISPLAYED})


def check_python_options(declared: Mapping[str, Option], given: Mapping[str, Any]) -> None:
    """Raise OptionError for options that only the command line has."""
    for name, option in declared.items():
        if given.get(name) is None:
            continue
        if option.python_advice is not None:
            raise OptionError(f"{name} is for the command line; in Python {option.python_advice}")
        if option.kind is not None:
            raise OptionError(f"unknown option {name!r}; it is add='{option.kind}:...'")


_BY_LONG = {declared.long: name for name, declared in OPTIONS.items() if declared.kind is None}
_BY_LETTER = {declared.letter: name for name, declared in OPTIONS.items() if declared.letter}
_OFF = {declared.long for declared in OPTIONS.values() if declared.off}
# Messages call an option -n/--max-ngram, or by its long name or its letter alone. The pattern takes
# the first form as one match; it leaves out paths, words with hyphens, and options of Python.
_OPTION = re.compile(
    r"(?<![\w'/-])(?<!python )(?:(?:-\w/)?(?P<long>--[a-z][a-z-]+)|(?P<letter>-[A-Za-z])(?![\w-]))"
)


def in_python_words(text: str) -> str:
    """Replace the options in a message by their names in Python, except in command lines."""
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
    """Return the function with errors that call options by their names in Python."""

    @wraps(function)
    def wrapped(*arguments: Any, **keywords: Any) -> Any:
        try:
            return function(*arguments, **keywords)
        except InputError as error:
            raise type(error)(list(map(in_python_words, error.problems))) from error.__cause__
        except OptionError as error:
            raise OptionError(in_python_words(str(error))) from error.__cause__

    return cast("Function", wrapped)


# Texts: checked, and turned from any ordered iterables into lists.

PLAIN = {str, bytes, list, tuple}
ANY_HALF = re.compile("[\ud800-\udfff]")
HALF_OF_A_PAIR = re.compile("[\ud800-\udc7f\udd00-\udfff]")
"""Excludes U+DC80 to U+DCFF, by which Python represents bytes that are not UTF-8."""

SYSTEM_LISTS = "a list with an entry for each text, or a mapping from system IDs to such lists"
REFERENCE_LISTS = "a list with a text, or a list of texts, for each prediction"


def given_texts(predictions: Any, references: Any) -> GivenTexts:
    """Return texts in memory as plain lists; see `listed_predictions` and `listed_references`."""
    return GivenTexts(listed_predictions(predictions), listed_references(references))


def listed_predictions(predictions: Any) -> Any:
    """Return predictions as a list or, for several systems, as a list for each system ID.

    A single string is returned unchanged. Raises InputError if texts have no order, if there are
    none, or if a system ID is not a string.
    """
    if not isinstance(predictions, Mapping):
        return _listed_texts(predictions, "predictions", SYSTEM_LISTS)
    problems = [
        f"predictions: found {system!r} as a system ID, expected a string that is not blank"
        for system in predictions
        if not isinstance(system, str) or not system.strip()
    ]
    if problems:
        raise InputError(problems)
    check_names({"system ID": list(predictions)}, may_be_bytes=False)
    return {
        system: _listed_texts(
            texts, f"predictions of {escaped(system)}", "a list with an entry for each text"
        )
        for system, texts in predictions.items()
    }


def check_names(values: Mapping[str, Any], *, may_be_bytes: bool = True) -> None:
    """Raise InputError for a name with half of a surrogate pair, which cannot be encoded.

    `values` has a string, or a list or tuple of strings, for each description; other values are
    ignored. With `may_be_bytes`, they may be names of files, in which U+DC80 to U+DCFF represent
    bytes that are not UTF-8.
    """
    half = HALF_OF_A_PAIR if may_be_bytes else ANY_HALF
    problems = [
        f"{escaped(what)}: found {name!a}, with half of a surrogate pair; expected characters"
        for what, value in values.items()
        for name in (value if isinstance(value, list | tuple) else (value,))
        if isinstance(name, str) and half.search(name)
    ]
    if problems:
        raise InputError(problems)


def listed_references(references: Any) -> Any:
    """Return references as a list that has a text, or a list of texts, for each prediction.

    A single string is returned unchanged. Raises InputError if references have no order, and for
    those that are neither a text nor a list.
    """
    items = _listed(references, "references", REFERENCE_LISTS)
    if isinstance(items, str | bytes):
        return items
    # The common cases need no Python loop over the texts.
    if set(map(type, items)) <= {str, bytes}:
        return items
    lists = _plain_texts(items)
    kinds = set(map(type, lists))
    if kinds <= {list, tuple} and set(map(type, chain.from_iterable(lists))) <= PLAIN:
        return lists
    expected = "expected a text, or a list of texts"
    odd = (
        (f"prediction {index}: references", f"found {type(texts).__name__}, {expected}")
        for index, texts in enumerate(lists)
        if not isinstance(texts, str | bytes | Sequence)
    )
    Problems.of("", odd).raise_any()
    return [texts if isinstance(texts, str | bytes) else _plain_texts(texts) for texts in lists]


def _listed_texts(texts: Any, name: str, expected: str) -> Any:
    items = _listed(texts, name, expected)
    if isinstance(items, str | bytes):
        return items
    if not items:
        raise InputError(f"{name}: empty, expected at least one text")
    return _plain_texts(items)


def _listed(texts: Any, name: str, expected: str) -> Any:
    """Return an ordered iterable as a list, and a string unchanged; raises InputError."""
    if isinstance(texts, str | bytes | list):
        return texts
    # Iterating over a table of pandas would yield the names of its columns.
    n_dimensions = getattr(texts, "ndim", 1)
    has_rows = n_dimensions == 1 or (n_dimensions > 1 and hasattr(texts, "tolist"))
    if not isinstance(texts, Iterable) or isinstance(texts, Mapping | Set) or not has_rows:
        raise InputError(f"{name}: found {type(texts).__name__}, expected {expected}")
    return _as_list(texts)


def _plain_texts(texts: Sequence[Any]) -> Sequence[Any]:
    # A text may be an ordered iterable of sentences, such as a generator.
    if set(map(type, texts)) <= PLAIN:
        return texts
    return [_plain_text(text) for text in texts]


def _plain_text(text: Any) -> Any:
    is_plain = isinstance(text, str | bytes | Sequence | Mapping | Set)
    return text if is_plain or not isinstance(text, Iterable) else _as_list(text)


def _as_list(items: Any) -> Any:
    # NumPy and pandas convert their items to Python's objects with `tolist`.
    return items.tolist() if hasattr(items, "tolist") else list(items)
