"""Recall, precision and F of each EVAL, rounded to 5 decimals as C's ``%7.5f`` does.

Scores are kept as whole numbers of hundred-thousandths, the unit of the original's print.
Source: specification, section 6.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rouge_cli.metrics.counts import Counts
from rouge_cli.metrics.powers import power

__all__ = ["UNITS", "f_measure", "quotients", "rounded", "score_counts"]

UNITS = 100_000
"""Units of a score in 1."""

NEAR_TIE = 1e-6
"""In units; scaling a score to units moves it by less than 1e-10."""


def score_counts(counts: Counts, alpha: float, weight: float | None = None) -> NDArray[np.int32]:
    """Return recall, precision and F of each row, in units; shape (3, n).

    Parameters
    ----------
    counts : Counts
    alpha : float
        Weight of precision in F.
    weight : float or None
        The weight of ROUGE-W, which takes the W-th root of recall and precision.
    """
    recall = rounded(quotients(counts.hit, counts.model_count, weight))
    precision = rounded(quotients(counts.hit, counts.peer_count, weight))
    f = rounded(f_measure(recall / UNITS, precision / UNITS, alpha))
    return np.stack((recall, precision, f)).astype(np.int32)


def quotients(
    numerator: NDArray[Any], denominator: NDArray[Any], root: float | None = None
) -> NDArray[np.float64]:
    """Return the quotients, or the `root`-th root of each; 0 where either part is 0."""
    numerator = numerator.astype(np.float64)
    denominator = denominator.astype(np.float64)
    quotient = np.zeros(numerator.size)
    is_positive = (numerator > 0) & (denominator > 0)
    np.divide(numerator, denominator, out=quotient, where=is_positive)
    if root is not None:
        quotient = np.array([power(value, 1 / root) for value in quotient.tolist()], np.float64)
    return quotient


def f_measure(
    recall: NDArray[np.float64], precision: NDArray[np.float64], alpha: float
) -> NDArray[np.float64]:
    """Return ``R * P / ((1 - alpha) * P + alpha * R)``, 0 where the divisor is not above 0."""
    divisor = (1 - alpha) * precision + alpha * recall
    product = recall * precision
    f: NDArray[np.float64] = np.divide(
        product, divisor, out=np.zeros_like(product), where=divisor > 0
    )
    return f


def rounded(scores: NDArray[np.float64]) -> NDArray[np.int64]:
    """Round scores to units by their exact binary value, ties to even, as C prints them."""
    scaled = scores * UNITS
    units = np.rint(scaled)
    near_tie = np.flatnonzero(np.abs(np.abs(scaled - units) - 0.5) < NEAR_TIE)
    for place in near_tie.tolist():
        units[place] = int(f"{scores[place]:.5f}".replace(".", ""))
    return units.astype(np.int64)
