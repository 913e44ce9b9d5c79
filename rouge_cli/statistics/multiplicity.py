"""Many comparisons at once: p-values that allow for their number, and groups made of their results.

Sources: S. Holm, A Simple Sequentially Rejective Multiple Test Procedure, Scandinavian Journal of
Statistics 6, 1979; H.-P. Piepho, An Algorithm for a Letter-Based Representation of All-Pairwise
Comparisons, Journal of Computational and Graphical Statistics 13, 2004: insert and absorb.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from string import ascii_lowercase

__all__ = ["holm_adjusted", "letter", "letter_groups"]


def holm_adjusted(p_values: Sequence[Fraction]) -> list[Fraction]:
    """Return the adjusted p-values, in the order given.

    Of n tests the smallest p is taken n times, the next one n - 1 times, and so on; none is below
    one before it, none above 1. No assumption is made on how the tests depend on each other.

    Parameters
    ----------
    p_values : sequence of Fraction

    Returns
    -------
    list of Fraction
    """
    adjusted = [Fraction(1)] * len(p_values)
    least = Fraction(0)
    ascending = sorted(range(len(p_values)), key=p_values.__getitem__)
    for n_before, place in enumerate(ascending):
        least = max(least, min(Fraction(1), (len(p_values) - n_before) * p_values[place]))
        adjusted[place] = least
    return adjusted


def letter_groups(n_systems: int, different: Iterable[tuple[int, int]]) -> list[tuple[int, ...]]:
    """Return the groups, each as large as can be.

    Parameters
    ----------
    n_systems : int
        Systems are numbers from 0, the best first.
    different : iterable of two ints each
        The pairs that differ significantly.

    Returns
    -------
    list of tuple of int
        The groups in ascending order; that of letter ``a`` has the best system.
    """
    groups = [frozenset(range(n_systems))]
    for pair in different:
        groups = _absorbed(_inserted(groups, pair))
    return sorted(tuple(sorted(group)) for group in groups)


def _inserted(
    groups: list[frozenset[int]], pair: tuple[int, int]
) -> tuple[list[frozenset[int]], list[frozenset[int]]]:
    """Return the groups without this pair, and the halves of those with it, less one of the two."""
    split = [group for group in groups if group.issuperset(pair)]
    kept = [group for group in groups if not group.issuperset(pair)]
    return kept, [group - {system} for group in split for system in pair]


def _absorbed(
    parts: tuple[list[frozenset[int]], list[frozenset[int]]],
) -> list[frozenset[int]]:
    """Drop the new groups that another one holds; the old ones were dropped when they were new."""
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
        number, place = divmod(number - 1, len(ascii_lowercase))
        name = ascii_lowercase[place] + name
    return name
