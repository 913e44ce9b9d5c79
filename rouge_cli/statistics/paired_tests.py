"""Two tests of whether one system is better than another on the same EVALs, and one of whether not.

The paired bootstrap asks how much the difference of two means moves with the choice of EVALs;
approximate randomisation swaps the scores of the two systems in some EVALs, at random: if it made
no difference which system a text came from, every choice of swaps would have been equally likely.
The test of equivalence is two of these against the nearest differences that would matter.

Sources: B. Efron and R. Tibshirani, An Introduction to the Bootstrap, 1993, sections 13.3 and 16.4;
P. Koehn, Statistical Significance Tests for Machine Translation Evaluation, EMNLP 2004; the
two-sided p from shifted resamples as in S. Riezler and J. Maxwell, On Some Pitfalls in Automatic
Evaluation and Significance Testing for MT, 2005; E. Noreen, Computer-Intensive Methods for Testing
Hypotheses, 1989; R. A. Fisher, The Design of Experiments, 1935, section 21, for the exact test;
D. Schuirmann, A Comparison of the Two One-Sided Tests Procedure and the Power Approach for
Assessing the Equivalence of Average Bioavailability, 1987.
"""

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "bootstrap_p",
    "equivalence_p",
    "exact_p",
    "is_enumerable",
    "percentile_interval",
    "randomisation_p",
    "resampling_p",
]

Floats = NDArray[np.float64]


def resampling_p(n_extreme: int, resamples: int) -> Fraction:
    """Return ``(count + 1) / (resamples + 1)``: what was observed counts as a resample too.

    Source: A. Davison and D. Hinkley, Bootstrap Methods and their Application, 1997, section 4.2.5.
    """
    return Fraction(n_extreme + 1, resamples + 1)


def bootstrap_p(
    resampled: Floats, observed: Floats, sizes: tuple[Floats, float] | None = None
) -> list[Fraction]:
    """Return the two-sided p of each column.

    The resampled differences lie about the observed one as they would about 0 if the systems were
    equally good; p is the share of them that lie at least as far off as 0 does.

    Parameters
    ----------
    resampled : ndarray of float64, shape (resamples, n_columns)
        Summed differences of each resample, in whole units.
    observed : ndarray of float64, shape (n_columns,)
        Summed difference of the EVALs themselves.
    sizes : tuple of ndarray of float64, shape (resamples,), and float; optional
        How many EVALs each resample has, and how many there are, where clusters of different sizes
        are drawn.
    """
    if sizes is None:
        is_extreme = np.abs(resampled - observed) >= np.abs(observed)
    else:
        drawn, n_evals = sizes[0][:, np.newaxis], sizes[1]
        # Means are compared, multiplied by the numbers of EVALs: so these are whole numbers too.
        is_extreme = np.abs(resampled * n_evals - observed * drawn) >= np.abs(observed) * drawn
    return [resampling_p(count, len(resampled)) for count in is_extreme.sum(axis=0).tolist()]


def percentile_interval(resampled: Floats, confidence: Fraction) -> Floats:
    """Return the lower and the upper bound of each column.

    They are the k-th smallest and the k-th largest of the resampled values, where k is
    ``(resamples + 1) * (1 - confidence) / 2`` without its fraction, and at least 1. So the interval
    of B - A is exactly the negative one of A - B.

    Parameters
    ----------
    resampled : ndarray of float64, shape (resamples, n_columns)
    confidence : Fraction
        From 0 to 1.

    Returns
    -------
    ndarray of float64, shape (2, n_columns)
    """
    resamples = len(resampled)
    rank = max(1, int((resamples + 1) * (1 - confidence) / 2))
    places = [rank - 1, resamples - rank]
    bounds: Floats = np.partition(resampled, places, axis=0)[places]
    return bounds


def is_enumerable(differences: Floats, resamples: int) -> bool:
    """Return whether all choices of swaps are no more than `resamples`.

    Parameters
    ----------
    differences : ndarray of float64, shape (n_evals,)
        Where the two scores are equal a swap changes nothing, so these EVALs do not count.
    """
    return bool(np.count_nonzero(differences) < resamples.bit_length())


def exact_p(differences: Floats) -> Fraction:
    """Return the two-sided p over all choices of swaps, the one that was observed among them.

    Parameters
    ----------
    differences : ndarray of float64, shape (n_evals,)
        Difference of the scores in each EVAL, in whole units.

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


def randomisation_p(swapped: Floats, observed: Floats) -> list[Fraction]:
    """Return the two-sided p of each column over random choices of swaps.

    Parameters
    ----------
    swapped : ndarray of float64, shape (resamples, n_columns)
        Differences summed over the EVALs that a resample swaps, in whole units.
    observed : ndarray of float64, shape (n_columns,)
        Summed difference of all EVALs.

    Returns
    -------
    list of Fraction
    """
    # A swap turns the sign of a difference: it takes away twice what it added.
    n_extreme = (np.abs(observed - 2 * swapped) >= np.abs(observed)).sum(axis=0)
    return [resampling_p(count, len(swapped)) for count in n_extreme.tolist()]


def equivalence_p(
    differences: Floats, margins: Floats, swapped: tuple[Floats, Floats]
) -> tuple[Fraction, bool]:
    """Return the p of the two one-sided tests that a difference is as far from 0 as a margin.

    Each of the two moves the differences by the margin and swaps them; p is the larger of the two.

    Parameters
    ----------
    differences, margins : ndarray of float64, shape (n_evals,)
        In whole units.
    swapped : tuple of two ndarrays of float64, shape (resamples,)
        Differences and margins summed over what each resample swaps.

    Returns
    -------
    p : Fraction
    is_exact : bool
        Whether both are over all choices of swaps.
    """
    sides = []
    for sign in (1, -1):
        moved = margins + sign * differences
        if is_enumerable(moved, len(swapped[0])):
            sides.append((_exact_one_sided(moved), True))
        else:
            # What is swapped adds up to no more than 0: the sum is no less than what was observed.
            count = int(np.count_nonzero(swapped[1] + sign * swapped[0] <= 0))
            sides.append((resampling_p(count, len(swapped[0])), False))
    return max(p for p, _ in sides), all(is_exact for _, is_exact in sides)


def _exact_one_sided(values: Floats) -> Fraction:
    """Return how many of all choices of signs have no smaller a sum than the values have."""
    unequal = values[values != 0]
    sums = np.zeros(1)
    for value in np.abs(unequal).tolist():
        sums = np.concatenate((sums + value, sums - value))
    return Fraction(int(np.count_nonzero(sums >= unequal.sum())), sums.size)
