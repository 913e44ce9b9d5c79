"""Bootstrap intervals of correlations, over EVALs, systems or both.

Source: D. Deutsch, R. Dror, D. Roth, A Statistical Analysis of Summarization Evaluation Metrics
Using Resampling Methods, TACL 9, 2021; percentile intervals of B. Efron.
"""

import numpy as np
from numpy.typing import NDArray

from rouge_cli.statistics.cell_draws import Resampling, drawn_cells
from rouge_cli.statistics.correlation_records import CorrelationInterval
from rouge_cli.statistics.levels import SYSTEM, at_level, system_means
from rouge_cli.statistics.system_scores import AggregatedCells, system_scores

__all__ = ["correlation_intervals"]

Floats = NDArray[np.float64]


def correlation_intervals(  # noqa: PLR0913 - level and coefficient go together
    level: str,
    coefficient: str,
    scores: Floats,
    judged: Floats,
    how: Resampling,
    *,
    aggregated: tuple[AggregatedCells, ...] = (),
) -> list[CorrelationInterval]:
    """Bootstrap a correlation of several tables of scores.

    Parameters
    ----------
    level, coefficient : str
        As `at_level` takes them.
    scores : ndarray of float64, shape (n_systems, n_evals, n_tables)
    judged : ndarray of float64, shape (n_systems, n_evals)
    aggregated : tuple of AggregatedCells
        Scores of systems that are made of what else is drawn.

    Returns
    -------
    list of CorrelationInterval
        One for each table, from the same resamples.
    """
    n_systems, n_evals, n_tables = scores.shape
    parts = tuple(one.parts for one in aggregated)
    draws = drawn_cells((n_systems, n_evals), how, n_tables + sum(one.shape[2] for one in parts))
    if how.clusters is not None:
        # An EVAL that is missing everywhere, for resamples with fewer EVALs than others.
        scores, judged, *parts_of = map(_with_missing, (scores, judged, *parts))
        parts = tuple(parts_of)
    values = []
    for cells in draws:
        drawn, humans = scores[cells], judged[cells][..., np.newaxis]
        if aggregated and level == SYSTEM:
            of_parts = tuple(one[cells] for one in parts)
            drawn = system_scores(drawn, aggregated, of_parts)[:, np.newaxis]
            humans = system_means(humans)[:, np.newaxis]
        values.append(at_level(level, coefficient, drawn, humans))
    by_table = np.concatenate(values).T
    return [_interval(resampled[~np.isnan(resampled)], how) for resampled in by_table]


def _with_missing(cells: Floats) -> Floats:
    """Add an EVAL that is missing everywhere."""
    return np.concatenate((cells, np.full_like(cells[:, :1], np.nan)), axis=1)


def _interval(values: Floats, how: Resampling) -> CorrelationInterval:
    """Return the percentiles of the values that are defined."""
    n_dropped = how.resamples - len(values)
    if not len(values):
        return CorrelationInterval(None, n_dropped)
    tail = (100 - how.confidence) / 200
    lower, upper = np.quantile(values, [tail, 1 - tail]).tolist()
    return CorrelationInterval((lower, upper), n_dropped)
