"""Many comparisons at once: p-values that allow for their number, and groups made of their results.

Sources: S. Holm, A Simple Sequentially Rejective Multiple Test Procedure, Scandinavian Journal of
Statistics 6, 1979; J. Romano and M. Wolf, Exact and Approximate Stepdown Methods for Multiple
Hypothesis Testing, Journal of the American Statistical Association 100, 2005; H.-P. Piepho, An
Algorithm for a Letter-Based Representation of All-Pairwise Comparisons, Journal of Computational
and Graphical Statistics 13, 2004: insert, absorb and sweep.
"""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import combinations
from string import ascii_lowercase

import numpy as np
from numpy.typing import NDArray

from rouge_cli.statistics.paired_tests import resampling_p

__all__ = ["holm_adjusted", "letter", "letter_groups", "romano_wolf_adjusted"]

ROUNDING = 1e-12
"""Statistics that differ by less than this share of them are equal."""


def holm_adjusted(p_values: Sequence[Fraction]) -> list[Fraction]:
    """Return the adjusted p-values, in the order given.

    Of n tests the smallest p is taken n times, the next one n - 1 times, and so on; none is below
    one before it, none above 1. No assumption is made on how the tests depend on each other.

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


def romano_wolf_adjusted(
    observed: Sequence[float],
    resampled: Callable[[int], NDArray[np.float64]],
    p_values: Sequence[Fraction],
    *,
    is_exact: bool = False,
) -> list[Fraction]:
    """Return p-values adjusted by the step-down method of Romano and Wolf, in the order given.

    Each test is held against the largest statistic that a resample has among the tests whose own
    statistic is no larger. So tests that go together, as those of metrics that are alike do, cost
    little more than one.

    Parameters
    ----------
    observed : sequence of float
        Statistics, the larger the less likely; from 0 on.
    resampled : callable
        Takes the place of a test and returns its statistic in each resample, all tests in the same
        resamples; shape (resamples,).
    p_values : sequence of Fraction
        Of each test alone. None is adjusted below it, as could happen where it is exact and the
        resamples are drawn.
    is_exact : bool
        Whether the resamples are all that there are, the observed one among them.
    """
    ascending = sorted(range(len(observed)), key=observed.__getitem__)
    largest: NDArray[np.float64] | None = None
    by_place = {}
    for place in ascending:
        values = resampled(place)
        largest = values if largest is None else np.maximum(largest, values)
        # One statistic is computed from sums in another order than the other, so it may be a
        # rounding away from what it is equal to.
        n_extreme = int(np.count_nonzero(largest >= observed[place] * (1 - ROUNDING)))
        p = Fraction(n_extreme, len(largest)) if is_exact else resampling_p(n_extreme, len(largest))
        by_place[place] = max(p, p_values[place])
    adjusted, least = dict.fromkeys(ascending, Fraction(0)), Fraction(0)
    for place in reversed(ascending):
        adjusted[place] = least = max(least, by_place[place])
    return [adjusted[place] for place in range(len(observed))]


def letter_groups(n_systems: int, different: Iterable[tuple[int, int]]) -> list[tuple[int, ...]]:
    """Return the groups, each as large as can be, and none that the others make superfluous.

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
    return _swept(sorted(tuple(sorted(group)) for group in groups))


def _swept(groups: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Drop groups, the last ones first, of which every two systems share another one."""
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
