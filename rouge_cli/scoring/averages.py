"""What is said beside the scores: the average that is shown, its standard error, total counts."""

from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rouge_cli.options.every import Options
from rouge_cli.options.scores import MEAN_OVER_EVALS
from rouge_cli.scoring.results import Measure

__all__ = ["average", "standard_error", "total"]

INT64_LIMIT = 1 << 63


def average(measure: Measure) -> float:
    """Return the bootstrap mean, which ROUGE-1.5.5 prints, or else the plain mean."""
    return measure.mean if measure.bootstrap_mean is None else measure.bootstrap_mean


def standard_error(measure: Measure, options: Options) -> float | None:
    """Return the standard error of a mean over EVALs.

    It is the sample standard deviation of the scores of the EVALs (divisor N - 1), by the square
    root of N. Equal scores give exactly 0.

    Parameters
    ----------
    options : Options
        How the EVALs are counted.

    Returns
    -------
    float or None
        None for fewer than two EVALs, for counts that are pooled and metrics that are fused of
        means, which are no mean over EVALs, and for clusters, whose EVALs are not independent.
    """
    scores = measure.per_eval
    if not measure.is_mean_of_evals:
        return None
    if options.scores.counting != MEAN_OVER_EVALS or options.inputs.cluster is not None:
        return None
    if scores.size <= 1:
        return None
    # In an order that no layout can change; and less the first one, so that equal scores leave no
    # rounding error.
    ascending = np.sort(scores)
    return float((ascending - ascending[0]).std(ddof=1)) / sqrt(scores.size)


def total(counts: NDArray[Any]) -> float:
    """Add up counts in their order, which matters to those that are not whole.

    Parameters
    ----------
    counts : ndarray of int, float64 or object, shape (n,)

    Returns
    -------
    int or float
        An int, however large, if all are.
    """
    if counts.dtype.kind == "i":
        most = max(int(counts.max(initial=0)), -int(counts.min(initial=0)))
        if most * counts.size < INT64_LIMIT:
            return int(counts.sum(dtype=np.int64))
    if counts.dtype.kind == "f" and counts.size:
        # NumPy's sum would add in pairs.
        with np.errstate(over="ignore"):
            return float(np.add.accumulate(counts)[-1])
    found: float = 0
    for count in counts.tolist():
        found += count
    return found
