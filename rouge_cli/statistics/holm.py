"""Holm's correction: p-values of several tests, so that one error in all of them is rare.

Source: S. Holm, A Simple Sequentially Rejective Multiple Test Procedure, Scandinavian Journal of
Statistics 6, 1979.
"""

from collections.abc import Sequence
from fractions import Fraction

__all__ = ["holm_adjusted"]


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
