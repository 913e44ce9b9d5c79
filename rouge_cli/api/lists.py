"""Texts in memory: checked, and turned from any ordered iterable into lists."""

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from itertools import chain
from typing import Any

from rouge_cli.errors import InputError, Problems
from rouge_cli.escapes import escaped
from rouge_cli.inputs.source import GivenTexts

PLAIN = {str, bytes, list, tuple}
ANY_HALF = re.compile("[\ud800-\udfff]")
HALF_OF_A_PAIR = re.compile("[\ud800-\udc7f\udd00-\udfff]")
"""Without U+DC80 to U+DCFF, by which Python represents bytes that are not UTF-8."""
SYSTEM_LISTS = "a list with an entry for each text, or a mapping from system IDs to such lists"
REFERENCE_LISTS = "a list with a text, or a list of texts, for each prediction"


def given_texts(predictions: Any, references: Any) -> GivenTexts:
    """Return texts in memory as plain lists, see `listed_predictions` and `listed_references`."""
    return GivenTexts(listed_predictions(predictions), listed_references(references))


def listed_predictions(predictions: Any) -> Any:
    """Return predictions as a list or, of several systems, as lists by their IDs.

    Parameters
    ----------
    predictions : iterable of texts, or mapping of str to such iterables

    Returns
    -------
    list or dict of str to list
        A lone string is returned as it is.

    Raises
    ------
    InputError
        For texts without an order, no texts at all, or a system ID that is not a string.
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
    """Refuse names with half of a surrogate pair, which cannot be encoded.

    Parameters
    ----------
    values : mapping of str to object
        A description, and a string or a list or tuple of strings; other values are ignored.
    may_be_bytes : bool
        Whether they may be names of files, in which U+DC80 to U+DCFF represent bytes that are not
        UTF-8.

    Raises
    ------
    InputError
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
    """Return references as a list with a text or a list of texts for each prediction.

    Parameters
    ----------
    references : iterable of texts, or of iterables of texts

    Returns
    -------
    list
        A lone string is returned as it is.

    Raises
    ------
    InputError
        For references without an order; also names each that is neither a text nor a list.
    """
    items = _listed(references, "references", REFERENCE_LISTS)
    if isinstance(items, str | bytes):
        return items
    lists = _plain_texts(items)
    kinds = set(map(type, lists))
    # The common cases, without a Python loop over the texts.
    if kinds <= {str, bytes}:
        return lists
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
    """Turn an ordered iterable into a list, and keep a string; raises InputError."""
    if isinstance(texts, str | bytes | list):
        return texts
    # Iterating over a table of pandas would yield the names of its columns.
    n_dimensions = getattr(texts, "ndim", 1)
    has_rows = n_dimensions == 1 or (n_dimensions > 1 and hasattr(texts, "tolist"))
    if not isinstance(texts, Iterable) or isinstance(texts, Mapping | Set) or not has_rows:
        raise InputError(f"{name}: found {type(texts).__name__}, expected {expected}")
    return _as_list(texts)


def _plain_texts(texts: Sequence[Any]) -> Sequence[Any]:
    """Turn other ordered iterables of sentences into lists."""
    if set(map(type, texts)) <= PLAIN:
        return texts
    return [_plain_text(text) for text in texts]


def _plain_text(text: Any) -> Any:
    is_plain = isinstance(text, str | bytes | Sequence | Mapping | Set)
    return text if is_plain or not isinstance(text, Iterable) else _as_list(text)


def _as_list(items: Any) -> Any:
    """Turn items into a list of Python's own objects."""
    return items.tolist() if hasattr(items, "tolist") else list(items)
