"""Instances that are scored once for each set of models, as jackknifing does."""

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rouge_cli.metrics.counts import InstanceScores

__all__ = ["mean_of_sets"]


def mean_of_sets(
    scores: InstanceScores, instances: NDArray[np.int64], n_instances: int
) -> InstanceScores:
    """Average the scores and add up the counts of the sets of each instance.

    Parameters
    ----------
    scores : InstanceScores
        Of n_sets sets.
    instances : ndarray of int64, shape (n_sets,)
        The instance to which each set belongs; each instance has at least one.
    """
    add_up = partial(_sums, instances=instances, n_instances=n_instances)
    sums = np.stack([add_up(values) for values in scores.values])
    means = sums / np.bincount(instances, minlength=n_instances)
    return InstanceScores(means, None if scores.counts is None else scores.counts.apply(add_up))


def _sums(values: NDArray[Any], instances: NDArray[np.int64], n_instances: int) -> NDArray[Any]:
    """Add up the values, numbers or Python's ints and floats, of each instance, in order."""
    sums = np.zeros(n_instances, values.dtype)
    np.add.at(sums, instances, values)
    return sums
