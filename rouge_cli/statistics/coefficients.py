"""Pearson's, Spearman's and Kendall's coefficient of many pairs of samples at once.

scipy computes what is reported of the data as they are; these do the thousands of resamples, and
tests hold them against scipy. A unit in which one of the two samples is nan is left out of both.
Source: docs/guide/statistics.md, "Correlation with human judgements".
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import InputError

__all__ = ["COEFFICIENTS", "exact_coefficient", "scipy_stats"]

Floats = NDArray[np.float64]

LONGEST_LOOP = 256
"""Units up to which all pairs are compared with one another; beyond, scipy's sorting is faster."""


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
    scores, judged, n_defined = _matched(scores, judged)
    if n_defined is None:
        is_constant = (scores == scores[:1]).all(axis=0) | (judged == judged[:1]).all(axis=0)
        left, right = scores - scores.mean(axis=0), judged - judged.mean(axis=0)
    else:
        is_constant = _is_constant(scores) | _is_constant(judged)
        left, right = _centred(scores, n_defined), _centred(judged, n_defined)
    product = np.einsum("i...,i...->...", left, right)
    norms = np.einsum("i...,i...->...", left, left) * np.einsum("i...,i...->...", right, right)
    return _ratio(product, norms, is_constant)


def _matched(scores: Floats, judged: Floats) -> tuple[Floats, Floats, NDArray[np.int64] | None]:
    """Make both nan where one is, and count what is left; None where nothing is nan."""
    if not (np.isnan(scores).any() or np.isnan(judged).any()):
        return scores, judged, None
    is_defined = ~(np.isnan(scores) | np.isnan(judged))
    scores, judged = (np.where(is_defined, one, np.nan) for one in (scores, judged))
    return scores, judged, is_defined.sum(axis=0)


def _is_constant(values: Floats) -> NDArray[np.bool_]:
    """Return whether all that is defined along the first axis is equal, or nothing is."""
    is_nan = np.isnan(values)
    highest = np.where(is_nan, -np.inf, values).max(axis=0)
    lowest = np.where(is_nan, np.inf, values).min(axis=0)
    result: NDArray[np.bool_] = highest <= lowest
    return result


def _centred(values: Floats, n_defined: NDArray[np.int64]) -> Floats:
    """Take away the mean of what is defined; the rest is 0."""
    means = np.nansum(values, axis=0) / np.maximum(n_defined, 1)
    return np.where(np.isnan(values), 0.0, values - means)


def spearman(scores: Floats, judged: Floats) -> Floats:
    """Return Spearman's coefficient: Pearson's of the ranks, the mean rank for ties."""
    scores, judged, _ = _matched(scores, judged)
    return pearson(_ranks(scores), _ranks(judged))


def _ranks(values: Floats) -> Floats:
    """Rank along the first axis; what is equal gets the mean of its ranks."""
    if len(values) > LONGEST_LOOP:
        ranks: Floats = scipy_stats().rankdata(values, axis=0, nan_policy="omit")
        return ranks
    above = np.zeros(values.shape)
    for distance in range(1, len(values)):
        sign = _signs(values, distance)
        above[distance:] += sign
        above[:-distance] -= sign
    n_defined = len(values) - np.isnan(values).sum(axis=0)
    return np.where(np.isnan(values), np.nan, (above + (n_defined + 1)) / 2)


def _signs(values: Floats, distance: int) -> Floats:
    """Return the signs of the differences of units so far apart; 0 where one is nan."""
    return np.nan_to_num(np.sign(values[distance:] - values[:-distance]), copy=False)


def kendall(scores: Floats, judged: Floats) -> Floats:
    """Return Kendall's coefficient tau-b, as `pearson` takes and returns."""
    scores, judged, _ = _matched(scores, judged)
    if len(scores) > LONGEST_LOOP:
        return _kendall_by_sorting(scores, judged)
    shape = np.broadcast_shapes(scores.shape[1:], judged.shape[1:])
    agreement, scores_untied, judged_untied = np.zeros(shape), np.zeros(shape), np.zeros(shape)
    for distance in range(1, len(scores)):
        left, right = _signs(scores, distance), _signs(judged, distance)
        agreement += np.einsum("i...,i...->...", left, right)
        scores_untied += np.einsum("i...,i...->...", left, left)
        judged_untied += np.einsum("i...,i...->...", right, right)
    norms = scores_untied * judged_untied
    return _ratio(agreement, norms, norms == 0)


def _kendall_by_sorting(scores: Floats, judged: Floats) -> Floats:
    """Return Kendall's coefficient, one sample after the other."""
    scores, judged = np.broadcast_arrays(scores, judged)
    found = np.empty(scores.shape[1:])
    for place in np.ndindex(found.shape):
        where = (slice(None), *place)
        found[place] = exact_coefficient("kendall", scores[where], judged[where])
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


def exact_coefficient(name: str, scores: Floats, judged: Floats) -> float:
    """Return scipy's coefficient of one pair of samples; nan where one of them is constant.

    Parameters
    ----------
    name : str
        ``"pearson"``, ``"spearman"`` or ``"kendall"``.
    scores, judged : ndarray of float64, shape (n_units,)
    """
    is_defined = ~(np.isnan(scores) | np.isnan(judged))
    scores, judged = scores[is_defined], judged[is_defined]
    if not len(scores) or (scores == scores[0]).all() or (judged == judged[0]).all():
        return float("nan")
    stats = scipy_stats()
    if name == "kendall":
        # The p that comes with it is not read, and an exact one takes long.
        return float(stats.kendalltau(scores, judged, method="asymptotic").statistic)
    by_name = {"pearson": stats.pearsonr, "spearman": stats.spearmanr}
    return float(by_name[name](scores, judged).statistic)
