"""Pearson's, Spearman's and Kendall's coefficient, and the levels at which they are taken.

scipy computes what is reported of the data as they are; for the thousands of resamples the same is
computed of many pairs of samples at once, and tests hold it against scipy. The levels take tables
of cells: a system in an EVAL is a cell.
Source: docs/statistics.md, "Correlation with human judgements".
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import InputError
from rouge_cli.statistics.correlation_records import LevelValue

__all__ = [
    "COEFFICIENTS",
    "LEVELS",
    "at_level",
    "exact_coefficient",
    "exactly_at_level",
    "scipy_stats",
    "system_means",
]

Floats = NDArray[np.float64]

LONGEST_LOOP = 256
"""Units up to which all pairs are compared with one another; beyond, scipy's sorting is faster."""

SIGNIFICANT_DECIMALS = 12
"""Means that differ by less than this share of the largest one are the same number."""

SYSTEM, SUMMARY, POOLED = "system", "summary", "pooled"


def scipy_stats() -> Any:
    """Return the module scipy.stats; raises InputError if there is none."""
    try:
        import scipy.stats
    except ImportError:
        raise InputError(
            "correlate needs scipy, which is not installed; install it with: "
            "python -m pip install scipy"
        ) from None
    return scipy.stats


def pearson(scores: Floats, judged: Floats) -> Floats:
    """Return Pearson's coefficient along the first axis.

    Parameters
    ----------
    scores, judged : ndarray of float64, shape (n_units, ...)
        The other axes are broadcast against each other.

    Returns
    -------
    ndarray of float64
        Of the other axes; nan where one of the two is constant.
    """
    is_constant = (scores == scores[:1]).all(axis=0) | (judged == judged[:1]).all(axis=0)
    left, right = scores - scores.mean(axis=0), judged - judged.mean(axis=0)
    product = np.einsum("i...,i...->...", left, right)
    norms = np.einsum("i...,i...->...", left, left) * np.einsum("i...,i...->...", right, right)
    return _ratio(product, norms, is_constant)


def spearman(scores: Floats, judged: Floats) -> Floats:
    """Return Spearman's coefficient: Pearson's of the ranks, the mean rank for ties."""
    return pearson(_ranks(scores), _ranks(judged))


def _ranks(values: Floats) -> Floats:
    """Rank along the first axis; what is equal gets the mean of its ranks."""
    if len(values) > LONGEST_LOOP:
        ranks: Floats = scipy_stats().rankdata(values, axis=0)
        return ranks
    above = np.zeros(values.shape)
    for distance in range(1, len(values)):
        sign = np.sign(values[distance:] - values[:-distance])
        above[distance:] += sign
        above[:-distance] -= sign
    return (above + (len(values) + 1)) / 2


def kendall(scores: Floats, judged: Floats) -> Floats:
    """Return Kendall's coefficient tau-b, as `pearson` takes and returns."""
    if len(scores) > LONGEST_LOOP:
        return _kendall_by_sorting(scores, judged)
    shape = np.broadcast_shapes(scores.shape[1:], judged.shape[1:])
    agreement, scores_untied, judged_untied = np.zeros(shape), np.zeros(shape), np.zeros(shape)
    for distance in range(1, len(scores)):
        left = np.sign(scores[distance:] - scores[:-distance])
        right = np.sign(judged[distance:] - judged[:-distance])
        agreement += np.einsum("i...,i...->...", left, right)
        scores_untied += np.einsum("i...,i...->...", left, left)
        judged_untied += np.einsum("i...,i...->...", right, right)
    norms = scores_untied * judged_untied
    return _ratio(agreement, norms, norms == 0)


def _kendall_by_sorting(scores: Floats, judged: Floats) -> Floats:
    """Return Kendall's coefficient, one sample after the other."""
    tau = scipy_stats().kendalltau
    scores, judged = np.broadcast_arrays(scores, judged)
    found = np.empty(scores.shape[1:])
    for place in np.ndindex(found.shape):
        where = (slice(None), *place)
        found[place] = tau(scores[where], judged[where], method="asymptotic").statistic
    return found


def _ratio(product: Floats, norms: Floats, is_undefined: NDArray[np.bool_]) -> Floats:
    """Divide by the root of the norms, within -1 and 1."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio: Floats = np.clip(product / np.sqrt(norms), -1.0, 1.0)
    return np.where(is_undefined, np.nan, ratio)


COEFFICIENTS: Mapping[str, Callable[[Floats, Floats], Floats]] = {
    "pearson": pearson,
    "spearman": spearman,
    "kendall": kendall,
}
"""By name, in the order of print."""

SCIPY_NAMES = {"pearson": "pearsonr", "spearman": "spearmanr", "kendall": "kendalltau"}


def exact_coefficient(name: str, scores: Floats, judged: Floats) -> float:
    """Return scipy's coefficient of one pair of samples; nan where one of them is constant.

    Parameters
    ----------
    name : str
        ``"pearson"``, ``"spearman"`` or ``"kendall"``.
    scores, judged : ndarray of float64, shape (n_units,)
    """
    if (scores == scores[0]).all() or (judged == judged[0]).all():
        return float("nan")
    return float(getattr(scipy_stats(), SCIPY_NAMES[name])(scores, judged).statistic)


def system_means(cells: Floats) -> Floats:
    """Return the mean of each system over the EVALs.

    Parameters
    ----------
    cells : ndarray of float64, shape (n_systems, n_evals, ...)

    Returns
    -------
    ndarray of float64, shape (n_systems, ...)
        Rounded far behind the last digit that means anything, so that equal means are equal in
        whatever order they were added up.
    """
    means: Floats = cells.mean(axis=1)
    scale = np.abs(means).max(initial=0.0) or 1.0
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


def _defined_mean(values: Floats) -> Floats:
    """Return the mean along the first axis of what is defined; nan if nothing is."""
    is_defined = ~np.isnan(values)
    counts = is_defined.sum(axis=0)
    sums = np.where(is_defined, values, 0.0).sum(axis=0)
    return np.where(counts, sums / np.maximum(counts, 1), np.nan)


def exactly_at_level(level: str, coefficient: str, scores: Floats, judged: Floats) -> LevelValue:
    """Correlate one table of scores with judgements, by scipy's coefficients.

    Parameters
    ----------
    level, coefficient : str
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
