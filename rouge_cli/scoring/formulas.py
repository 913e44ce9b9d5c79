"""Several models: from the counts of each pair to those of each instance.

An instance is one peer in one EVAL; its pairs, one for each model, stand side by side.
Source: specification, section 5, "Several models".
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rouge_cli.metrics.counts import Counts
from rouge_cli.metrics.numbers import ordered_sums
from rouge_cli.scoring.ratios import quotients, rounded, score_counts

__all__ = ["best_f_model", "best_model", "sum_models"]


def sum_models(counts: Counts, starts: NDArray[np.int64]) -> Counts:
    """Add up the counts over the models: formula A.

    Parameters
    ----------
    counts : Counts
        One row a pair.
    starts : ndarray of int64, shape (n_instances,)
        The first pair of each instance.
    """
    return counts.apply(lambda values: _summed(values, starts))


def _summed(values: NDArray[Any], starts: NDArray[np.int64]) -> NDArray[Any]:
    """Add up the values of each instance, in order."""
    if starts.size == values.size:
        return values
    n_models = np.diff(np.append(starts, values.size))
    return ordered_sums(np.repeat(np.arange(starts.size), n_models), values, starts.size)


def best_model(
    counts: Counts,
    starts: NDArray[np.int64],
    *,
    weight: float | None = None,
    is_rounded: bool = True,
) -> Counts:
    """Take the counts of the model with the best recall, the first of equals: formula B.

    Parameters
    ----------
    counts : Counts
        One row a pair.
    starts : ndarray of int64, shape (n_instances,)
        The first pair of each instance.
    weight : float or None
        The weight of ROUGE-W, where models are compared by the base weighted once.
    is_rounded : bool
        Whether recall is compared as rounded to 5 decimals; ROUGE-L and ROUGE-W compare it exactly.
    """
    base = counts.model_count if counts.model_base is None else counts.model_base
    # What is no number is no better than anything; the scores themselves refuse it later.
    recall = np.nan_to_num(quotients(counts.hit, base, weight))
    score: NDArray[Any] = rounded(recall) if is_rounded else recall
    return counts.take(_first_best(score, starts))


def best_f_model(
    counts: Counts, starts: NDArray[np.int64], alpha: float, weight: float | None = None
) -> Counts:
    """Take the counts of the model with the best F, the first of equals; not of the original.

    Parameters
    ----------
    counts : Counts
        One row a pair.
    starts : ndarray of int64, shape (n_instances,)
        The first pair of each instance.
    alpha : float
        Weight of precision in F.
    weight : float or None
        The weight of ROUGE-W.

    Notes
    -----
    Source: Lin (2004), section 2.1, has the maximum over the models; F is compared as rounded.
    """
    return counts.take(_first_best(score_counts(counts, alpha, weight)[2], starts))


def _first_best(score: NDArray[Any], starts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the first of the pairs with the best score of each instance, shape (n_instances,)."""
    n_models = np.diff(np.append(starts, score.size))
    is_best = score == np.repeat(np.maximum.reduceat(score, starts), n_models)
    best: NDArray[np.int64] = np.minimum.reduceat(
        np.where(is_best, np.arange(score.size), score.size), starts
    )
    return best
