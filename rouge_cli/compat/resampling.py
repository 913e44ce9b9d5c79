"""Averages and intervals over resamples: ROUGE-1.5.5's, and those of ``rouge_score``.

The rules of ``rouge_score``, found by asking it after a seed of NumPy: metric after metric, each
resample draws as many pairs as there are, with replacement; the mean over them is taken for each
measure by itself; the bounds and the middle are percentiles of these means.
"""

import numpy as np
from numpy.typing import NDArray

from rouge_cli.inputs.evaluation import DEFAULT_SYSTEM
from rouge_cli.scoring.bootstrap import estimate_means
from rouge_cli.scoring.score_table import byte_order

__all__ = ["google_bounds", "original_bounds"]

VALUES_AT_A_TIME = 1 << 18
DIGITS_OF_PERCENT = 10
"""So that 0.29 is 29 percent, and not a little less."""


def original_bounds(
    scores: NDArray[np.float64], confidence_interval: float, n_samples: int
) -> NDArray[np.float64]:
    """Return lower bound, average and upper bound of each column as ROUGE-1.5.5 has them.

    Parameters
    ----------
    scores : ndarray of float64, shape (n_pairs, n_columns)
    confidence_interval : float
        From 0 to 1.
    n_samples : int

    Returns
    -------
    ndarray of float64, shape (3, n_columns)

    Notes
    -----
    The pairs are the EVALs 1, 2, 3 and so on, and are drawn in byte order of these, as those of
    `rouge_cli.evaluate` are.
    """
    in_order = byte_order([str(number + 1) for number in range(len(scores))], DEFAULT_SYSTEM)
    percent = round(100 * confidence_interval, DIGITS_OF_PERCENT)
    average, lower, upper = estimate_means(scores[in_order], n_samples, percent)
    return np.stack((lower, average, upper))


def google_bounds(
    scores: NDArray[np.float64], confidence_interval: float, n_samples: int
) -> NDArray[np.float64]:
    """Return lower bound, middle and upper bound of each column as ``rouge_score`` has them.

    Parameters
    ----------
    scores : ndarray of float64, shape (n_pairs, n_columns)
    confidence_interval : float
        From 0 to 1.
    n_samples : int

    Returns
    -------
    ndarray of float64, shape (3, n_columns)
    """
    n_pairs = len(scores)
    means = np.empty((n_samples, scores.shape[1]))
    step = max(1, VALUES_AT_A_TIME // scores.size)
    for start in range(0, n_samples, step):
        n_drawn = min(step, n_samples - start)
        # The global generator is part of the interface; whole numbers drawn all at once are
        # those that it gives one resample after the other.
        drawn = np.random.randint(0, n_pairs, (n_drawn, n_pairs))  # noqa: NPY002
        means[start : start + n_drawn] = scores[drawn].mean(axis=1)
    tail = (1 - confidence_interval) / 2
    bounds: NDArray[np.float64] = np.percentile(means, [100 * tail, 50, 100 * (1 - tail)], axis=0)
    return bounds
