"""Approximate randomisation: swap the scores of two systems in some EVALs, at random.

If it made no difference which system a text came from, every choice of swaps would have been
equally likely.
Source: E. Noreen, Computer-Intensive Methods for Testing Hypotheses, 1989; R. A. Fisher, The Design
of Experiments, 1935, section 21, for the exact test.
"""

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from rouge_cli.statistics.paired_bootstrap import resampling_p

__all__ = ["exact_p", "is_enumerable", "randomisation_p"]


def is_enumerable(differences: NDArray[np.float64], resamples: int) -> bool:
    """Return whether all choices of swaps are no more than `resamples`.

    Parameters
    ----------
    differences : ndarray of float64, shape (n_evals,)
        Where the two scores are equal a swap changes nothing, so these EVALs do not count.
    resamples : int
    """
    return bool(np.count_nonzero(differences) < resamples.bit_length())


def exact_p(differences: NDArray[np.float64]) -> Fraction:
    """Return the two-sided p over all choices of swaps, the one that was observed among them.

    Parameters
    ----------
    differences : ndarray of float64, shape (n_evals,)
        Difference of the scores in each EVAL, in whole hundred-thousandths.

    Returns
    -------
    Fraction
        The number of choices with a summed difference at least as far from 0, of all choices.
    """
    unequal = np.abs(differences[differences != 0])
    observed = abs(differences.sum())
    # The sign of all at once does not matter, so the first one keeps its own.
    sums = unequal[:1].copy() if unequal.size else np.zeros(1)
    for difference in unequal[1:].tolist():
        sums = np.concatenate((sums + difference, sums - difference))
    return Fraction(int(np.count_nonzero(np.abs(sums) >= observed)), sums.size)


def randomisation_p(swapped: NDArray[np.float64], observed: NDArray[np.float64]) -> list[Fraction]:
    """Return the two-sided p of each column over random choices of swaps.

    Parameters
    ----------
    swapped : ndarray of float64, shape (resamples, n_columns)
        Differences summed over the EVALs that a resample swaps, in whole hundred-thousandths.
    observed : ndarray of float64, shape (n_columns,)
        Summed difference of all EVALs.

    Returns
    -------
    list of Fraction
    """
    # A swap turns the sign of a difference: it takes away twice what it added.
    n_extreme = (np.abs(observed - 2 * swapped) >= np.abs(observed)).sum(axis=0)
    return [resampling_p(count, len(swapped)) for count in n_extreme.tolist()]
