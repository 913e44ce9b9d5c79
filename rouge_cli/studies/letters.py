"""Letters for systems: two that share one cannot be told apart.

Source: H.-P. Piepho, An Algorithm for a Letter-Based Representation of All-Pairwise Comparisons,
Journal of Computational and Graphical Statistics 13, 2004: insert, absorb and sweep.
"""

from collections.abc import Iterable
from itertools import combinations
from string import ascii_lowercase


def letter_groups(n_systems: int, different: Iterable[tuple[int, int]]) -> list[tuple[int, ...]]:
    """Return the largest groups of systems that do not differ, without superfluous ones.

    Systems are numbers from 0, the best first; `different` are the pairs that differ significantly.
    The groups are in ascending order; that of letter ``a`` has the best system.
    """
    groups = [frozenset(range(n_systems))]
    for pair in different:
        groups = _absorbed(_inserted(groups, pair))
    return _swept(sorted(tuple(sorted(group)) for group in groups))


def _swept(groups: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Drop each group whose every two systems share another group, the last groups first."""
    kept = list(groups)
    for group in reversed(groups):
        others = [frozenset(other) for other in kept if other != group]
        pairs: list[tuple[int, ...]] = [*combinations(group, 2)] or [group]
        if all(any(other.issuperset(pair) for other in others) for pair in pairs):
            kept.remove(group)
    return kept


def _inserted(
    groups: list[frozenset[int]], pair: tuple[int, int]
) -> tuple[list[frozenset[int]], list[frozenset[int]]]:
    """Return the groups without this pair, and each group with it twice, less one of the pair."""
    split = [group for group in groups if group.issuperset(pair)]
    kept = [group for group in groups if not group.issuperset(pair)]
    return kept, [group - {system} for group in split for system in pair]


def _absorbed(
    parts: tuple[list[frozenset[int]], list[frozenset[int]]],
) -> list[frozenset[int]]:
    """Drop new groups within another group; old groups were checked when they were new."""
    kept, halves = parts
    new = list(dict.fromkeys(halves))
    return kept + [
        half
        for half in new
        if not any(half <= group for group in kept) and not any(half < other for other in new)
    ]


def letter(number: int) -> str:
    """Return the name of a group: ``a`` to ``z``, then ``aa``, ``ab`` and so on."""
    name = ""
    number += 1
    while number:
        number, digit = divmod(number - 1, len(ascii_lowercase))
        name = ascii_lowercase[digit] + name
    return name
