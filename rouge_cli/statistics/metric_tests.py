"""Tests of whether one metric correlates better with judgements than another.

The paired permutation test swaps the standardised scores of each cell with probability 1/2: under
the null hypothesis it does not matter which of the two metrics gave them. Williams' test is one of
two correlations with the same judgements, of metrics that correlate too.

Sources: the test PERM-BOTH of D. Deutsch, R. Dror, D. Roth, A Statistical Analysis of Summarization
Evaluation Metrics Using Resampling Methods, TACL 9, 2021; here two-sided. E. J. Williams,
Regression Analysis, 1959; in the form of Y. Graham, T. Baldwin, Testing for Significance of
Increased Correlation with Human Judgment, EMNLP 2014.
"""

from collections.abc import Sequence
from math import isnan, sqrt

import numpy as np
from numpy.typing import NDArray

from rouge_cli.statistics.coefficients import exact_coefficient, scipy_stats
from rouge_cli.statistics.correlation_records import MetricPermutation, WilliamsTest
from rouge_cli.statistics.draws import swapped_cells
from rouge_cli.statistics.levels import at_level

__all__ = ["FEWEST_SYSTEMS", "permutation_tests", "williams_test"]

Floats = NDArray[np.float64]
Pair = tuple[int, int]

TOLERANCE = 1e-10
"""Differences of correlations that are this near to each other count as equal."""

FEWEST_SYSTEMS = 4
"""Of Williams' test."""

NO_DIFFERENCE = 1e-12
"""Less than this is what rounding leaves of nothing."""


def permutation_tests(
    measured: tuple[str, str],
    scores: Floats,
    judged: Floats,
    pairs: Sequence[Pair],
    draws: tuple[int, int],
) -> list[MetricPermutation]:
    """Test pairs of metrics, all with the same swaps.

    Parameters
    ----------
    measured : tuple of str
        Level and coefficient, as `at_level` takes them.
    scores : ndarray of float64, shape (n_systems, n_evals, n_metrics)
    judged : ndarray of float64, shape (n_systems, n_evals)
    pairs : sequence of (int, int)
        Places of metrics.
    draws : tuple of int
        Number of resamples, seed.

    Returns
    -------
    list of MetricPermutation
    """
    standardised = _standardised(scores)
    humans = judged[..., np.newaxis, np.newaxis]
    # The same functions and the same rounding for what is observed and what is resampled.
    observed = at_level(*measured, standardised[:, :, np.newaxis], humans)[0]
    n_larger, n_defined = np.zeros(len(pairs), np.int64), np.zeros(len(pairs), np.int64)
    n_systems, n_evals = judged.shape
    for is_swapped in swapped_cells((n_systems, n_evals), *draws):
        for place, (first, second) in enumerate(pairs):
            difference = observed[first] - observed[second]
            if np.isnan(difference):
                continue
            one, other = standardised[..., [first]], standardised[..., [second]]
            both = np.stack(
                (np.where(is_swapped, other, one), np.where(is_swapped, one, other)), axis=-1
            )
            values = at_level(*measured, both, humans)
            differences = values[:, 0] - values[:, 1]
            n_larger[place] += (np.abs(differences) >= abs(difference) - TOLERANCE).sum()
            n_defined[place] += (~np.isnan(differences)).sum()
    return [
        _result(float(observed[first] - observed[second]), larger, defined, draws[0])
        for (first, second), larger, defined in zip(
            pairs, n_larger.tolist(), n_defined.tolist(), strict=True
        )
    ]


def _standardised(scores: Floats) -> Floats:
    """Give every metric mean 0 and standard deviation 1 over all cells; a constant one mean 0."""
    centred = scores - scores.mean(axis=(0, 1))
    deviations = scores.std(axis=(0, 1))
    is_constant = (scores == scores[:1, :1]).all(axis=(0, 1))
    scale = np.where(is_constant, 1.0, deviations)
    return np.where(is_constant, 0.0, centred / scale)


def _result(difference: float, n_larger: int, n_defined: int, resamples: int) -> MetricPermutation:
    """Return the p-value, if there is a difference to test."""
    if np.isnan(difference):
        return MetricPermutation(None, None)
    p = (n_larger + 1) / (n_defined + 1) if resamples else None
    return MetricPermutation(difference, p, resamples - n_defined)


def williams_test(first: Floats, second: Floats, judged: Floats) -> WilliamsTest | None:
    """Test the difference of two Pearson correlations.

    Parameters
    ----------
    first, second : ndarray of float64, shape (n_systems,)
        Mean scores of the systems in two metrics.
    judged : ndarray of float64, shape (n_systems,)
        Mean judgements.

    Returns
    -------
    WilliamsTest or None
        None for fewer than 4 systems, if one of the three is constant, or if two of them say
        all of the third, so that there is no error to measure a difference by.
    """
    n = len(judged)
    humans_first = exact_coefficient("pearson", first, judged)
    humans_second = exact_coefficient("pearson", second, judged)
    between = exact_coefficient("pearson", first, second)
    if n < FEWEST_SYSTEMS or isnan(humans_first + humans_second + between):
        return None
    t = _statistic(humans_first, humans_second, between, n)
    if t is None:
        return None
    tail = scipy_stats().t.sf
    return WilliamsTest(t, n - 3, float(2 * tail(abs(t), n - 3)), float(tail(t, n - 3)))


def _statistic(humans_first: float, humans_second: float, between: float, n: int) -> float | None:
    """Return Williams' t; 0 without a difference, None if there is no error to measure it by."""
    determinant = (
        1
        - humans_first**2
        - humans_second**2
        - between**2
        + 2 * humans_first * humans_second * between
    )
    mean = (humans_first + humans_second) / 2
    # Rounding may take what is no less than 0 below it.
    spread = 2 * max(determinant, 0.0) * (n - 1) / (n - 3) + mean**2 * max(1 - between, 0.0) ** 3
    difference = humans_first - humans_second
    if abs(difference) < NO_DIFFERENCE:
        return 0.0
    return difference * sqrt((n - 1) * (1 + between) / spread) if spread > NO_DIFFERENCE else None
