"""Which names fit a pattern of models for which IDs.

A name fits an ID if it fits the pattern with the ID, taken literally, in place of ``#ID#``. To try
every ID on every name would take minutes where there are thousands of both. So the IDs are looked
for in the name first, wherever that finds the same.

Source: interface of the program, ``--models``.
"""

import re
from collections.abc import Callable, Collection, Iterable

from rouge_cli.inputs.folders.patterns import (
    PLACEHOLDER,
    SPECIAL,
    PatternParts,
    compiled,
    is_certain,
)

__all__ = ["models_by_id"]

_ANY_CASE = re.compile(r"\(\?[a-zA-Z-]*i")
_ONE_OF_A_KIND = frozenset("dDsSwW")

Search = Callable[[str], Collection[str]]
"""From a name to the IDs that it fits."""


def models_by_id(
    parts: PatternParts, eval_ids: Collection[str], names: Iterable[str]
) -> dict[str, list[str]]:
    """Find the models of each EVAL.

    Parameters
    ----------
    parts : PatternParts
        Of a pattern of models.
    names : iterable of str
        Relative to the folder of the pattern.

    Returns
    -------
    dict of str to list of str
        EVAL ID, of those that have models, to names in the order given. A name may fit several.
    """
    search = _search(parts, frozenset(eval_ids))
    models: dict[str, list[str]] = {}
    for name in names:
        for eval_id in search(name):
            models.setdefault(eval_id, []).append(name)
    return models


def _search(parts: PatternParts, eval_ids: frozenset[str]) -> Search:
    """Return the cheapest search that is exact."""
    if all(token == PLACEHOLDER or _is_one_character(token) for token in parts.tokens):
        return _search_by_place(parts, eval_ids)
    if not is_certain(parts.tokens):
        return _search_by_trial(parts, lambda name: eval_ids)
    if _ANY_CASE.search(parts.expression()):
        return _search_by_trial(parts, _substrings_in_any_case(eval_ids))
    return _search_by_trial(parts, _substrings(eval_ids))


def _is_one_character(token: str) -> bool:
    """Say whether a token always takes one character, and any that follows it does not matter."""
    if len(token) == 1:
        return token not in SPECIAL
    return token[0] == "[" or not token[1].isalnum() or token[1] in _ONE_OF_A_KIND


def _search_by_place(parts: PatternParts, eval_ids: frozenset[str]) -> Search:
    """Search where all else has a fixed width, so that a name has one place for an ID."""
    regex = compiled(parts.expression("((?s:.*))", r"(?:\1)"))

    def search(name: str) -> Collection[str]:
        match = regex.fullmatch(name)
        return (match[1],) if match is not None and match[1] in eval_ids else ()

    return search


def _search_by_trial(parts: PatternParts, candidates: Search) -> Search:
    """Search by trying the pattern with each of some IDs."""
    regexes: dict[str, re.Pattern[str]] = {}

    def regex_of(eval_id: str) -> re.Pattern[str]:
        if eval_id not in regexes:
            regexes[eval_id] = compiled(parts.expression(f"(?:{re.escape(eval_id)})"))
        return regexes[eval_id]

    return lambda name: [one for one in candidates(name) if regex_of(one).fullmatch(name)]


def _substrings(eval_ids: frozenset[str]) -> Search:
    """Return what finds the IDs that stand somewhere in a name."""
    lengths = sorted({len(eval_id) for eval_id in eval_ids})

    def search(name: str) -> Collection[str]:
        return eval_ids.intersection(
            name[start : start + length]
            for length in lengths
            for start in range(len(name) - length + 1)
        )

    return search


def _substrings_in_any_case(eval_ids: frozenset[str]) -> Search:
    """Return what finds the IDs that stand somewhere in a name, in capitals or not."""
    spellings: dict[str, list[str]] = {}
    for eval_id in eval_ids:
        spellings.setdefault(eval_id.lower(), []).append(eval_id)
    substrings = _substrings(frozenset(spellings))
    are_ascii = all(map(str.isascii, eval_ids))

    def search(name: str) -> Collection[str]:
        # Beyond ASCII, regular expressions hold more letters for the same than lower() does.
        if not are_ascii or not name.isascii():
            return eval_ids
        return [one for lower in substrings(name.lower()) for one in spellings[lower]]

    return search
