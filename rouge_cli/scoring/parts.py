"""Instances that are counted in parts, as jackknifing does: sums of counts, means of scores."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["mean_of_parts", "sum_of_parts"]


def sum_of_parts(values: NDArray[Any], parts: NDArray[np.int64], n_instances: int) -> NDArray[Any]:
    """Add up the values of the parts of each instance.

    Parameters
    ----------
    values : ndarray, shape (n_parts,)
        Numbers, or objects that are some.
    parts : ndarray of int64, shape (n_parts,)
        The instance to which each part belongs.
    n_instances : int

    Returns
    -------
    ndarray, shape (n_instances,)
        Of the dtype of `values`.
    """
    sums = np.zeros(n_instances, values.dtype)
    np.add.at(sums, parts, values)
    return sums


def mean_of_parts(
    scores: NDArray[np.float64], parts: NDArray[np.int64], n_instances: int
) -> NDArray[np.float64]:
    """Average the scores of the parts of each instance, which has at least one.

    Parameters
    ----------
    scores : ndarray of float64, shape (n_measures, n_parts)
    parts : ndarray of int64, shape (n_parts,)
    n_instances : int

    Returns
    -------
    ndarray of float64, shape (n_measures, n_instances)
    """
    sums = np.stack([sum_of_parts(measure, parts, n_instances) for measure in scores])
    means: NDArray[np.float64] = sums / np.bincount(parts, minlength=n_instances)
    return means
