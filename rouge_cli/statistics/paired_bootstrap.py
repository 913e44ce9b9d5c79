"""The paired bootstrap: how much the difference of two means moves with the choice of EVALs.

Source: B. Efron and R. Tibshirani, An Introduction to the Bootstrap, 1993, sections 13.3 and 16.4;
P. Koehn, Statistical Significance Tests for Machine Translation Evaluation, EMNLP 2004; the
two-sided p from shifted resamples as in S. Riezler and J. Maxwell, On Some Pitfalls in Automatic
Evaluation and Significance Testing for MT, 2005.
"""

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

__all__ = ["bootstrap_p", "percentile_interval", "resampling_p"]


def resampling_p(n_extreme: int, resamples: int) -> Fraction:
    """Return ``(count + 1) / (resamples + 1)``: what was observed counts as a resample too.

    Source: A. Davison and D. Hinkley, Bootstrap Methods and their Application, 1997, section 4.2.5.
    """
    return Fraction(n_extreme + 1, resamples + 1)


def bootstrap_p(resampled: NDArray[np.float64], observed: NDArray[np.float64]) -> list[Fraction]:
    """Return the two-sided p of each column.

    The resampled differences lie about the observed one as they would about 0 if the systems were
    equally good; p is the share of them that lie at least as far off as 0 does.

    Parameters
    ----------
    resampled : ndarray of float64, shape (resamples, n_columns)
        Summed differences of each resample, in whole hundred-thousandths.
    observed : ndarray of float64, shape (n_columns,)
        Summed difference of the EVALs themselves.

    Returns
    -------
    list of Fraction
    """
    n_extreme = (np.abs(resampled - observed) >= np.abs(observed)).sum(axis=0)
    return [resampling_p(count, len(resampled)) for count in n_extreme.tolist()]


def percentile_interval(
    resampled: NDArray[np.float64], confidence: Fraction
) -> NDArray[np.float64]:
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
    bounds: NDArray[np.float64] = np.partition(resampled, places, axis=0)[places]
    return bounds
