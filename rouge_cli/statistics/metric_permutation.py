"""The paired permutation test: whether one metric correlates better with judgements than another.

Under the null hypothesis it does not matter which of the two metrics gave a cell its score, so the
standardised scores of each cell are swapped with probability 1/2.
Source: the test PERM-BOTH of D. Deutsch, R. Dror, D. Roth, A Statistical Analysis of Summarization
Evaluation Metrics Using Resampling Methods, TACL 9, 2021; here two-sided.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rouge_cli.statistics.levels import at_level
from rouge_cli.statistics.resampled_cells import swapped_cells

__all__ = ["MetricPermutation", "permutation_tests"]

Floats = NDArray[np.float64]
Pair = tuple[int, int]

TOLERANCE = 1e-10
"""Differences of correlations that are this near to each other count as equal."""


@dataclass(frozen=True, slots=True)
class MetricPermutation:
    """The result of a test.

    Parameters
    ----------
    difference : float or None
        Correlation of the first metric less that of the second; None if one is undefined.
    p : float or None
        Two-sided: (count + 1) / (n + 1), the count that of the n resamples with a difference at
        least as large in absolute value.
    n_dropped : int
        Resamples in which a correlation is undefined; they are not among the n.
    """

    difference: float | None
    p: float | None
    n_dropped: int = 0


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
