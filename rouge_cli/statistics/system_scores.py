"""Scores of systems that are made of several means, as correlations need them."""

import numpy as np
from numpy.typing import NDArray

from rouge_cli.metrics.aggregation import Aggregation
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.statistics.levels import SIGNIFICANT_DECIMALS, system_means

__all__ = ["AggregatedCells", "system_scores"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class AggregatedCells:
    """The parts of a metric whose scores of systems are no means over EVALs.

    Parameters
    ----------
    place : int
        Of the metric among the scores that it belongs to.
    parts : ndarray of float64, shape (n_systems, n_evals, n_parts)
        nan where a cell is missing.
    sign : int
        -1 if lower is better, as the scores beside it are turned round too.
    """

    place: int
    aggregation: Aggregation
    parts: Floats
    sign: int = 1

    def scores(self, parts: Floats) -> Floats:
        """Return the scores of systems; from (n_systems, n_evals, ..., n_parts) the rest is left.

        Between -1 and 1, since no coefficient sees a factor, and rounded as means are.
        """
        is_there = ~np.isnan(parts)
        n_evals = is_there.sum(axis=1)
        means = np.where(is_there, parts, 0.0).sum(axis=1) / np.maximum(n_evals, 1)
        means = np.where(n_evals > 0, means, np.nan)
        found = self.aggregation.score(np.moveaxis(means, -1, 0), n_evals[..., 0])
        scale = self.sign * (float(np.nanmax(np.abs(found), initial=0.0)) or 1.0)
        rounded: Floats = np.round(found / scale, SIGNIFICANT_DECIMALS)
        return rounded


def system_scores(
    cells: Floats, aggregated: tuple[AggregatedCells, ...], parts: tuple[Floats, ...]
) -> Floats:
    """Return the scores of systems, each a mean or made of several.

    Parameters
    ----------
    cells : ndarray of float64, shape (n_systems, n_evals, ..., n_metrics)
    parts : tuple of ndarray of float64, shape (n_systems, n_evals, ..., n_parts)
        Of each of them, drawn as the cells are.

    Returns
    -------
    ndarray of float64, shape (n_systems, ..., n_metrics)
    """
    scores = system_means(cells)
    for one, drawn in zip(aggregated, parts, strict=True):
        scores[..., one.place] = one.scores(drawn)
    return scores
