"""Several models: from the counts of each pair to those of each instance.

An instance is one peer in one EVAL; its pairs, one for each model, stand side by side.
Source: specification, section 5, "Several models".
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rouge_cli.metrics.counts import Counts
from rouge_cli.metrics.numbers import ordered_sums
from rouge_cli.scoring.ratios import quotients, rounded

__all__ = ["best_model", "sum_models"]


def sum_models(counts: Counts, starts: NDArray[np.int64]) -> Counts:
    """Add up the counts over the models: formula A.

    Parameters
    ----------
    counts : Counts
        One row a pair.
    starts : ndarray of int64, shape (n_instances,)
        The first pair of each instance.
    """
    return Counts(
        _summed(counts.hit, starts),
        _summed(counts.model_count, starts),
        _summed(counts.peer_count, starts),
    )


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
    n_models = np.diff(np.append(starts, score.size))
    is_best = score == np.repeat(np.maximum.reduceat(score, starts), n_models)
    best = np.minimum.reduceat(np.where(is_best, np.arange(score.size), score.size), starts)
    return Counts(counts.hit[best], counts.model_count[best], counts.peer_count[best])
