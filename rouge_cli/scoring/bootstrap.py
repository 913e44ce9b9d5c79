"""The original's bootstrap: resampled means, their average and their confidence interval.

Sums over a resample, in two ways. The original adds up doubles in the order drawn. Scores are whole
numbers of hundred-thousandths, so their sum is also a sum of whole numbers, each times the number
of times that it was drawn: a matrix product, exact and far faster for many instances. It differs
from the original's sum by rounding only, by less than one part in 2^52 for each number added; where
a printed digit could hang on that, the original's way is taken.
Source: specification, section 6, "Bootstrap".
"""

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rouge_cli.core.choice import compiled_core
from rouge_cli.metrics.ratios import UNITS
from rouge_cli.scoring.drand48 import draw_instances
from rouge_cli.scoring.workers import ordered_map

__all__ = [
    "counted_sums",
    "estimate",
    "estimate_means",
    "is_exact_in_doubles",
    "resampled_means",
    "resampled_sums",
]

VALUES_AT_A_TIME = 1 << 18
LEAST_RESAMPLES_AT_A_TIME = {True: 32, False: 4}
"""With the core and without: so many or more, if their draws have room, to read numbers once for
all of them. What NumPy draws leaves the cache sooner."""

BYTES_OF_COUNT = {True: 1, False: 16}
DRAWN_BYTES = 1 << 26

ROWS_AT_A_TIME = 1 << 11
"""So many stay in the cache, as numbers and as counts of all resamples of a block."""

FEW_VALUES = 1 << 22
"""Up to so many values are added up in the original's way at once."""

DRAWS_THAT_PAY = 1 << 24
"""From so many on a second process gains more than its start costs."""

DOUBLE_LIMIT = 1 << 53


def estimate_means(
    scores: NDArray[np.float64],
    resamples: int,
    confidence: float,
    jobs: int = 1,
    *,
    overwrite: bool = False,
) -> NDArray[np.float64]:
    """Return average and bounds of the resampled means of each column.

    Parameters
    ----------
    scores : ndarray of float64, shape (n_instances, n_columns)
        At least one instance. Fast if they are rounded to 5 decimals.
    confidence : float
        In percent.
    jobs : int
        Number of processes.
    overwrite : bool
        Whether `scores` may be written into, which saves as much memory.

    Returns
    -------
    ndarray of float64, shape (3, n_columns)
        As `estimate` returns it. Printed with 5 decimals these are the original's digits.
    """
    n_instances = len(scores)
    is_rounded = _are_rounded(scores)
    if is_rounded.any() and not is_rounded.all():
        estimated = np.empty((3, is_rounded.size))
        for kind in (is_rounded, ~is_rounded):
            estimated[:, kind] = estimate_means(scores[:, kind], resamples, confidence, jobs)
        return estimated
    are_few = scores.size * resamples <= FEW_VALUES
    if are_few or not is_rounded.all() or not is_exact_in_doubles(scores, UNITS):
        return estimate(resampled_sums(scores, resamples) / n_instances, confidence)
    units = np.multiply(scores, UNITS, out=scores if overwrite else None)
    np.rint(units, out=units)
    sums = counted_sums(units, resamples, jobs)
    estimated = estimate(sums / UNITS / n_instances, confidence)
    doubtful = np.flatnonzero(_may_print_otherwise(estimated, n_instances + resamples))
    if doubtful.size:
        in_order = resampled_sums(units[:, doubtful] / UNITS, resamples)
        estimated[:, doubtful] = estimate(in_order / n_instances, confidence)
    return estimated


def resampled_means(
    scores: NDArray[np.float64], resamples: int, jobs: int = 1
) -> NDArray[np.float64]:
    """Return the mean of each column over each resample, the same resamples for all.

    Parameters
    ----------
    scores : ndarray of float64, shape (n_instances, n_columns)
        At least one instance.
    jobs : int
        Number of processes.

    Returns
    -------
    ndarray of float64, shape (resamples, n_columns)
    """
    units = np.rint(scores * UNITS)
    if (units / UNITS == scores).all() and is_exact_in_doubles(units):
        return counted_sums(units, resamples, jobs) / UNITS / len(scores)
    return resampled_sums(scores, resamples) / len(scores)


def _are_rounded(scores: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return which columns hold whole hundred-thousandths only, shape (n_columns,)."""
    found = np.ones(scores.shape[1], np.bool_)
    for start in range(0, len(scores), ROWS_AT_A_TIME):
        block = scores[start : start + ROWS_AT_A_TIME]
        found &= (np.rint(block * UNITS) / UNITS == block).all(axis=0)
    return found


def _may_print_otherwise(estimated: NDArray[np.float64], n_added: int) -> NDArray[np.bool_]:
    """Return for which columns rounding errors could move a printed digit, (n_columns,)."""
    scaled = np.abs(estimated) * UNITS
    from_tie = np.abs(scaled - np.floor(scaled) - 0.5)
    # A bound adds up three values at most; twice that leaves room for all else.
    bound = scaled * (6 * (n_added + 10) * 2.0**-52)
    is_doubtful: NDArray[np.bool_] = (from_tie <= bound).any(axis=0)
    return is_doubtful


def estimate(values: NDArray[np.float64], confidence: float) -> NDArray[np.float64]:
    """Return average, lower and upper bound of resampled values.

    Parameters
    ----------
    values : ndarray of float64, shape (resamples, n_columns)
    confidence : float
        In percent.

    Returns
    -------
    ndarray of float64, shape (3, n_columns)
    """
    resamples, n_columns = values.shape
    ascending = np.zeros((resamples + 2, n_columns))
    ascending[:resamples] = np.sort(values, axis=0)
    average = np.add.accumulate(ascending[:resamples], axis=0)[-1] / resamples
    delta = resamples * ((100 - confidence) / 2.0) / 100.0
    upper, lower = int(resamples - delta - 1), int(delta)
    # One ratio serves both bounds, and what lies past the end reads as 0: quirks that are kept.
    ratio = resamples - delta - 1 - upper
    bounds = (
        ascending[bound] + (ascending[bound + 1] - ascending[bound]) * ratio
        for bound in (lower, upper)
    )
    return np.stack((average, *bounds))


def resampled_sums(values: NDArray[np.float64], resamples: int) -> NDArray[np.float64]:
    """Add up each column over the instances of each resample, in the order drawn.

    Parameters
    ----------
    values : ndarray of float64, shape (n_instances, n_columns)
        At least one instance.

    Returns
    -------
    ndarray of float64, shape (resamples, n_columns)
    """
    if values.shape[1] == 1:
        # NumPy would add up a lone column in pairs.
        return resampled_sums(np.repeat(values, 2, axis=1), resamples)[:, :1]
    sums = np.empty((resamples, values.shape[1]))
    step = max(1, VALUES_AT_A_TIME // values.size)
    for block in _blocks_of_resamples(resamples, step):
        drawn = np.ascontiguousarray(draw_instances(len(values), block).T)
        # Reducing the first axis of a C-ordered array adds row after row.
        sums[block.start : block.stop] = np.add.reduce(values[drawn], axis=0)
    return sums


def is_exact_in_doubles(values: NDArray[np.float64], scale: float = 1.0) -> bool:
    """Return whether any sum of so many of these, which are whole times `scale`, is exact."""
    largest = max(values.max(initial=0), -values.min(initial=0))
    return bool(largest * scale * len(values) < DOUBLE_LIMIT)


def counted_sums(whole: NDArray[np.float64], resamples: int, jobs: int = 1) -> NDArray[np.float64]:
    """Add up whole numbers over the instances of each resample, whatever the order.

    Parameters
    ----------
    whole : ndarray of float64, shape (n_instances, n_columns)
        Whole numbers that `is_exact_in_doubles` approves of.
    jobs : int
        Number of processes.

    Returns
    -------
    ndarray of float64, shape (resamples, n_columns)
    """
    is_compiled = compiled_core() is not None
    most = DRAWN_BYTES // (BYTES_OF_COUNT[is_compiled] * len(whole))
    fewest = max(1, min(LEAST_RESAMPLES_AT_A_TIME[is_compiled], most))
    blocks = _blocks_of_resamples(resamples, max(fewest, VALUES_AT_A_TIME // len(whole)))
    if len(whole) * resamples < DRAWS_THAT_PAY:
        jobs = 1
    return np.concatenate(list(ordered_map(partial(_sums_of_drawn, whole), blocks, jobs)))


def _sums_of_drawn(whole: NDArray[np.float64], block: range) -> NDArray[np.float64]:
    """Add up what the resamples of a block draw, each number times how often it is drawn."""
    n_instances = len(whole)
    times_drawn = _times_drawn(n_instances, block)
    sums = np.zeros((len(block), whole.shape[1]))
    for start in range(0, n_instances, ROWS_AT_A_TIME):
        rows = slice(start, start + ROWS_AT_A_TIME)
        sums += times_drawn[:, rows].astype(np.float64) @ whole[rows]
    return sums


def _times_drawn(n_instances: int, block: range) -> NDArray[Any]:
    """Return how often each resample of a block draws each instance, (len(block), n_instances)."""
    core = compiled_core()
    if core is not None:
        times = np.empty((len(block), n_instances), np.uint8)
        if core.draw(n_instances, block.start, times):
            return times
    drawn = draw_instances(n_instances, block)
    drawn += np.arange(len(block))[:, np.newaxis] * n_instances
    return np.bincount(drawn.ravel(), minlength=drawn.size).reshape(drawn.shape)


def _blocks_of_resamples(resamples: int, step: int) -> Iterator[range]:
    """Yield the numbers of the resamples, `step` at a time."""
    for start in range(0, resamples, step):
        yield range(start, min(start + step, resamples))
