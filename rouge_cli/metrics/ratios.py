"""Recall, precision and F of each EVAL, rounded to 5 decimals as C's ``%7.5f`` does.

Source: specification, section 6.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import OptionError
from rouge_cli.metrics.counts import Counts
from rouge_cli.metrics.perl_numbers import powers

__all__ = ["UNITS", "f_measure", "quotients", "rounded", "score_counts", "score_pair"]

DECIMALS = 5
UNITS: int = 10**DECIMALS
"""Hundred-thousandths: the unit of the original's print."""

FEW = 16
"""So many scores are soon rounded one by one; of more only those are that may be ties."""

NEAR_TIE = 1e-6
LARGEST_SCALED = 1000.0
"""A score up to this, scaled to units, moves by less than 1e-7 of a unit."""


def score_counts(counts: Counts, alpha: float, weight: float | None = None) -> NDArray[np.float64]:
    """Return recall, precision and F of each row, rounded; shape (3, n).

    Parameters
    ----------
    alpha : float
        Weight of precision in F.
    weight : float or None
        The weight of ROUGE-W, which takes the W-th root of recall and precision.

    Raises
    ------
    OptionError
        If a weight is so large or so small that the scores are no numbers.
    """
    recall = quotients(counts.hit, counts.model_count, weight)
    peer_hit = counts.hit if counts.peer_hit is None else counts.peer_hit
    precision = quotients(peer_hit, counts.peer_count, weight)
    if not (np.isfinite(recall).all() and np.isfinite(precision).all()):
        raise OptionError(
            f"-w/--weight: with {weight:g} the counts of these texts grow beyond all numbers; "
            "expected a weight nearer to 1"
        )
    recall, precision = rounded(recall), rounded(precision)
    return np.stack((recall, precision, rounded(f_measure(recall, precision, alpha))))


def score_pair(
    hit: int, model_count: int, peer_count: int, alpha: float
) -> tuple[float, float, float]:
    """Return recall, precision and F of one pair: as `score_counts`, without arrays."""
    if not hit:
        return 0.0, 0.0, 0.0
    recall, precision = _printed(hit / model_count), _printed(hit / peer_count)
    divisor = (1 - alpha) * precision + alpha * recall
    return recall, precision, _printed(recall * precision / divisor) if divisor > 0 else 0.0


def _printed(score: float) -> float:
    """Round a score to 5 decimals, as C prints it."""
    # A float rounds by its exact binary value, ties to even, as it prints; a number of NumPy's
    # would multiply first.
    return round(float(score), DECIMALS)


def quotients(
    numerator: NDArray[Any], denominator: NDArray[Any], root: float | None = None
) -> NDArray[np.float64]:
    """Return the quotients, or the `root`-th root of each; 0 where either part is 0."""
    numerator = numerator.astype(np.float64)
    denominator = denominator.astype(np.float64)
    quotient = np.zeros(numerator.size)
    is_positive = (numerator > 0) & (denominator > 0)
    with np.errstate(invalid="ignore"):
        np.divide(numerator, denominator, out=quotient, where=is_positive)
    if root is not None:
        quotient = powers(quotient.tolist(), 1 / root, is_whole=False)
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


def rounded(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Round scores to 5 decimals by their exact binary value, ties to even, as C prints them."""
    if scores.size <= FEW:
        return np.array(list(map(_printed, scores.tolist())))
    scaled = scores * UNITS
    units = np.rint(scaled)
    result: NDArray[np.float64] = units / UNITS
    is_doubtful = np.abs(np.abs(scaled - units) - 0.5) < NEAR_TIE
    for place in np.flatnonzero(is_doubtful | (scores > LARGEST_SCALED)).tolist():
        result[place] = _printed(scores[place])
    return result
