"""Bootstrap intervals of correlations, over EVALs, systems or both.

Source: D. Deutsch, R. Dror, D. Roth, A Statistical Analysis of Summarization Evaluation Metrics
Using Resampling Methods, TACL 9, 2021; percentile intervals of B. Efron.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rouge_cli.statistics.correlation_records import CorrelationInterval
from rouge_cli.statistics.draws import drawn_cells
from rouge_cli.statistics.levels import at_level

__all__ = ["Resampling", "correlation_intervals"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Resampling:
    """How resamples are drawn.

    Parameters
    ----------
    resampled : str
        ``"evals"``, ``"systems"`` or ``"both"``.
    resamples : int
    seed : int
    confidence : float
        In percent.
    """

    resampled: str
    resamples: int
    seed: int
    confidence: float


def correlation_intervals(
    level: str, coefficient: str, scores: Floats, judged: Floats, how: Resampling
) -> list[CorrelationInterval]:
    """Bootstrap a correlation of several tables of scores.

    Parameters
    ----------
    level, coefficient : str
        As `at_level` takes them.
    scores : ndarray of float64, shape (n_systems, n_evals, n_tables)
    judged : ndarray of float64, shape (n_systems, n_evals)
    how : Resampling

    Returns
    -------
    list of CorrelationInterval
        One for each table, from the same resamples.
    """
    n_systems, n_evals, n_tables = scores.shape
    draws = drawn_cells((n_systems, n_evals), how.resampled, how.resamples, how.seed, n_tables)
    values = [
        at_level(level, coefficient, scores[cells], judged[cells][..., np.newaxis])
        for cells in draws
    ]
    by_table = np.concatenate(values).T
    return [_interval(resampled[~np.isnan(resampled)], how) for resampled in by_table]


def _interval(values: Floats, how: Resampling) -> CorrelationInterval:
    """Return the percentiles of the values that are defined."""
    n_dropped = how.resamples - len(values)
    if not len(values):
        return CorrelationInterval(None, n_dropped)
    tail = (100 - how.confidence) / 200
    lower, upper = np.quantile(values, [tail, 1 - tail]).tolist()
    return CorrelationInterval((lower, upper), n_dropped)
