"""The original's bootstrap: resampled means, their average and their confidence interval.

Resampled values are added up in doubles in the order drawn, so that every printed digit is the
original's.
Source: specification, section 6, "Bootstrap".
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from rouge_cli.scoring.drand48 import draw_instances

__all__ = ["interval", "mean_of_sorted", "resampled_sums"]

VALUES_AT_A_TIME = 1 << 18


def resampled_sums(values: NDArray[np.float64], resamples: int) -> NDArray[np.float64]:
    """Add up each column over the instances of each resample, in the order drawn.

    Parameters
    ----------
    values : ndarray of float64, shape (n_instances, n_columns)
        At least one instance, and two columns.
    resamples : int

    Returns
    -------
    ndarray of float64, shape (resamples, n_columns)
    """
    sums = np.empty((resamples, values.shape[1]))
    for block in _blocks_of_resamples(values.size, resamples):
        drawn = np.ascontiguousarray(draw_instances(len(values), block).T)
        # Reducing the first axis of a C-ordered array adds row after row, never in pairs.
        sums[block.start : block.stop] = np.add.reduce(values[drawn], axis=0)
    return sums


def _blocks_of_resamples(n_values: int, resamples: int) -> Iterator[range]:
    """Yield the numbers of the resamples, so many at a time that memory stays bounded."""
    step = max(1, VALUES_AT_A_TIME // n_values)
    for start in range(0, resamples, step):
        yield range(start, min(start + step, resamples))


def mean_of_sorted(ascending: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the mean of each column, added up from the top; shape (n_columns,)."""
    mean: NDArray[np.float64] = np.add.accumulate(ascending, axis=0)[-1] / len(ascending)
    return mean


def interval(
    ascending: NDArray[np.float64], confidence: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the lower and the upper bound of each column.

    Parameters
    ----------
    ascending : ndarray of float64, shape (resamples, n_columns)
        Resampled values, each column sorted.
    confidence : float
        In percent.
    """
    resamples = len(ascending)
    delta = resamples * ((100 - confidence) / 2.0) / 100.0
    upper, lower = int(resamples - delta - 1), int(delta)
    # One ratio serves both bounds, and what lies past the end reads as 0: quirks that are kept.
    ratio = resamples - delta - 1 - upper
    values = np.concatenate((ascending, np.zeros((2, ascending.shape[1]))))
    return (
        values[lower] + (values[lower + 1] - values[lower]) * ratio,
        values[upper] + (values[upper + 1] - values[upper]) * ratio,
    )
