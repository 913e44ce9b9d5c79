"""The three levels of correlation, for tables of cells: a system in an EVAL is a cell.

A cell that is nan is missing: it is left out of the means of systems, of its EVAL and of the pool.
Source: docs/guide/statistics.md, "Correlation with human judgements".
"""

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from rouge_cli.statistics.coefficients import COEFFICIENTS, exact_coefficient
from rouge_cli.statistics.correlation_records import LevelValue

__all__ = [
    "LEVELS",
    "SIGNIFICANT_DECIMALS",
    "SYSTEM",
    "at_level",
    "exactly_at_level",
    "system_means",
]

Floats = NDArray[np.float64]

SIGNIFICANT_DECIMALS = 12
"""Means that differ by less than this share of the largest one are the same number."""

SYSTEM, SUMMARY, POOLED = "system", "summary", "pooled"


def system_means(cells: Floats) -> Floats:
    """Return the mean of each system over the EVALs.

    Parameters
    ----------
    cells : ndarray of float64, shape (n_systems, n_evals, ...)
        nan where a cell is missing.

    Returns
    -------
    ndarray of float64, shape (n_systems, ...)
        Rounded far behind the last digit that means anything, so that equal means are equal in
        whatever order they were added up.
    """
    means: Floats = _defined_mean(cells, axis=1) if np.isnan(cells).any() else cells.mean(axis=1)
    scale = np.nanmax(np.abs(means), initial=0.0) or 1.0
    rounded: Floats = np.round(means / scale, SIGNIFICANT_DECIMALS) * scale
    return rounded


def at_level(level: str, coefficient: str, scores: Floats, judged: Floats) -> Floats:
    """Correlate the scores of many tables with judgements.

    Parameters
    ----------
    level : str
        ``"system"``, ``"summary"`` or ``"pooled"``.
    coefficient : str
        A name in `COEFFICIENTS`.
    scores, judged : ndarray of float64, shape (n_systems, n_evals, ...)
        The other axes, as many in both, are broadcast against each other.

    Returns
    -------
    ndarray of float64
        Of the other axes; nan where the coefficient is undefined.
    """
    return LEVELS[level](COEFFICIENTS[coefficient], scores, judged)


Correlate = Callable[[Floats, Floats], Floats]


def _system(correlate: Correlate, scores: Floats, judged: Floats) -> Floats:
    """Correlate the means of the systems."""
    return correlate(system_means(scores), system_means(judged))


def _summary(correlate: Correlate, scores: Floats, judged: Floats) -> Floats:
    """Return the mean of the correlations within each EVAL, less those that are undefined."""
    return _defined_mean(correlate(scores, judged))


def _pooled(correlate: Correlate, scores: Floats, judged: Floats) -> Floats:
    """Correlate all cells, whatever EVAL they are of."""
    return correlate(
        scores.reshape(-1, *scores.shape[2:]),
        judged.reshape(-1, *judged.shape[2:]),
    )


LEVELS: Mapping[str, Callable[[Correlate, Floats, Floats], Floats]] = {
    SYSTEM: _system,
    SUMMARY: _summary,
    POOLED: _pooled,
}
"""By name, in the order of print."""


def _defined_mean(values: Floats, axis: int = 0) -> Floats:
    """Return the mean along an axis of what is defined; nan if nothing is."""
    is_defined = ~np.isnan(values)
    counts = is_defined.sum(axis=axis)
    sums = np.where(is_defined, values, 0.0).sum(axis=axis)
    return np.where(counts, sums / np.maximum(counts, 1), np.nan)


def exactly_at_level(level: str, coefficient: str, scores: Floats, judged: Floats) -> LevelValue:
    """Correlate one table of scores with judgements, by scipy's coefficients.

    Parameters
    ----------
    scores, judged : ndarray of float64, shape (n_systems, n_evals)
    """
    n_evals = scores.shape[1]
    if level == SYSTEM:
        value = exact_coefficient(coefficient, system_means(scores), system_means(judged))
        return LevelValue(value, n_evals, 0)
    if level == POOLED:
        value = exact_coefficient(coefficient, scores.ravel(), judged.ravel())
        return LevelValue(value, n_evals, 0)
    values = np.array(
        [
            exact_coefficient(coefficient, scores[:, column], judged[:, column])
            for column in range(n_evals)
        ]
    )
    n_dropped = int(np.isnan(values).sum())
    return LevelValue(float(_defined_mean(values)), n_evals - n_dropped, n_dropped)
