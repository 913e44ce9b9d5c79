"""Bootstrap intervals of correlations, over EVALs, systems or both.

Source: D. Deutsch, R. Dror, D. Roth, A Statistical Analysis of Summarization Evaluation Metrics
Using Resampling Methods, TACL 9, 2021; percentile intervals of B. Efron.
"""

import numpy as np
from numpy.typing import NDArray

from rouge_cli.statistics.cell_draws import Resampling, drawn_cells
from rouge_cli.statistics.correlation_records import CorrelationInterval
from rouge_cli.statistics.levels import at_level

__all__ = ["correlation_intervals"]

Floats = NDArray[np.float64]


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
    draws = drawn_cells((n_systems, n_evals), how, n_tables)
    if how.clusters is not None:
        # An EVAL that is missing everywhere, for resamples with fewer EVALs than others.
        scores = np.concatenate((scores, np.full_like(scores[:, :1], np.nan)), axis=1)
        judged = np.concatenate((judged, np.full_like(judged[:, :1], np.nan)), axis=1)
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
