"""Precision, recall and F: rounded as in ROUGE-1.5.5 or, as in ``rouge_score``, not rounded."""

import numpy as np
from numpy.typing import NDArray

from rouge_cli.compat.likeness import GOOGLE
from rouge_cli.compat.scoring import Score
from rouge_cli.compat.token_counts import PairCounts
from rouge_cli.metrics.counts import Counts
from rouge_cli.metrics.ratios import quotients, score_counts

__all__ = ["pair_score", "pair_scores"]

ALPHA = 0.5


def pair_score(counts: PairCounts, like: str) -> Score:
    """Return the score of one pair.

    Parameters
    ----------
    counts : PairCounts
    like : str
        ``"1.5.5"``: precision and recall are rounded to 5 decimals, and so is F, which is formed
        from these. ``"google"``: nothing is rounded.
    """
    if not counts.hit:
        return Score(0.0, 0.0, 0.0)
    precision, recall = counts.hit / counts.peer_count, counts.hit / counts.model_count
    if like == GOOGLE:
        # Another form, such as 2 * hit / (model_count + peer_count), has other last bits.
        return Score(precision, recall, 2 * precision * recall / (precision + recall))
    precision, recall = _rounded(precision), _rounded(recall)
    divisor = (1 - ALPHA) * precision + ALPHA * recall
    return Score(precision, recall, _rounded(precision * recall / divisor) if divisor else 0.0)


def pair_scores(counts: Counts, weight: float | None, like: str) -> list[Score]:
    """Return the scores of many pairs, in order, as `pair_score` does.

    Parameters
    ----------
    counts : Counts
        A row a pair.
    weight : float or None
        The weight of ROUGE-W.
    like : str
    """
    scores = _unrounded(counts) if like == GOOGLE else score_counts(counts, ALPHA, weight)
    recall, precision, f = scores.tolist()
    return list(map(Score, precision, recall, f))


def _rounded(score: float) -> float:
    """Round to 5 decimals by the exact binary value, ties to even, as C prints it."""
    return float(f"{score:.5f}")


def _unrounded(counts: Counts) -> NDArray[np.float64]:
    """Return recall, precision and F of each row; shape (3, n_pairs)."""
    recall = quotients(counts.hit, counts.model_count)
    precision = quotients(counts.hit, counts.peer_count)
    divisor = precision + recall
    f = np.divide(2 * precision * recall, divisor, out=np.zeros_like(divisor), where=divisor > 0)
    return np.stack((recall, precision, f))
