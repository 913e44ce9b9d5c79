"""Correlation coefficients of many samples at once, at three levels; agreement of judges.

scipy computes what is reported of the data as they are. The functions here compute the thousands of
resamples, which scipy would take one by one; tests hold them against scipy.

A cell is a system in an EVAL. A cell that is nan is missing: it is left out of both samples of a
coefficient, of the means of systems, of its EVAL and of the pool.

Sources: docs/guide/statistics.md, "Correlation with human judgements"; K. Krippendorff, Computing
Krippendorff's Alpha-Reliability, 2011; Content Analysis, 3rd edition, 2013, chapter 12.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import BYTES_OF_SCIPY, InputError, check_memory, missing_package
from rouge_cli.quick_dataclass import dataclass

SIGNIFICANT_DECIMALS = 12
"""Means that differ by less than this share of the largest one are the same number."""

SYSTEM, SUMMARY, POOLED = "system", "summary", "pooled"

Floats = NDArray[np.float64]

LONGEST_LOOP = 256
"""Units up to which all pairs are compared with one another; beyond, scipy's sorting is faster."""


def scipy_stats() -> Any:
    """Return the module scipy.stats; raises InputError if it is not installed."""
    if "scipy.stats" not in sys.modules:
        check_memory(BYTES_OF_SCIPY)
    try:
        import scipy.stats
    except ImportError as error:
        remedy = "python -m pip install scipy"
        raise InputError(missing_package(error, "correlate needs scipy", remedy)) from None
    return scipy.stats


def pearson(scores: Floats, judged: Floats) -> Floats:
    """Return Pearson's coefficient along the first axis.

    Both samples have shape (n_units, ...); the other axes are broadcast against each other, and the
    result has them. It is nan where one of the two is constant.
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
    """Make both nan where either is, and count the units left; None where nothing is nan."""
    if not (np.isnan(scores).any() or np.isnan(judged).any()):
        return scores, judged, None
    is_defined = ~(np.isnan(scores) | np.isnan(judged))
    scores, judged = (np.where(is_defined, sample, np.nan) for sample in (scores, judged))
    return scores, judged, is_defined.sum(axis=0)


def _is_constant(values: Floats) -> NDArray[np.bool_]:
    """Say whether all defined values along the first axis are equal; true if none is defined."""
    is_nan = np.isnan(values)
    highest = np.where(is_nan, -np.inf, values).max(axis=0)
    lowest = np.where(is_nan, np.inf, values).min(axis=0)
    result: NDArray[np.bool_] = highest <= lowest
    return result


def _centred(values: Floats, n_defined: NDArray[np.int64]) -> Floats:
    """Subtract the mean of the defined values; the others become 0."""
    means = np.nansum(values, axis=0) / np.maximum(n_defined, 1)
    return np.where(np.isnan(values), 0.0, values - means)


def spearman(scores: Floats, judged: Floats) -> Floats:
    """Return Spearman's coefficient: Pearson's of the ranks, the mean rank for ties."""
    scores, judged, _ = _matched(scores, judged)
    return pearson(ranks(scores), ranks(judged))


def ranks(values: Floats) -> Floats:
    """Rank along the first axis; what is equal gets the mean of its ranks."""
    if len(values) > LONGEST_LOOP:
        by_scipy: Floats = scipy_stats().rankdata(values, axis=0, nan_policy="omit")
        return by_scipy
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
    coefficients = np.empty(scores.shape[1:])
    for index in np.ndindex(coefficients.shape):
        sample = (slice(None), *index)
        coefficients[index] = exact_coefficient("kendall", scores[sample], judged[sample])
    return coefficients


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

    `name` is ``"pearson"``, ``"spearman"`` or ``"kendall"``; both samples have shape (n_units,).
    """
    is_defined = ~(np.isnan(scores) | np.isnan(judged))
    scores, judged = scores[is_defined], judged[is_defined]
    if not len(scores) or (scores == scores[0]).all() or (judged == judged[0]).all():
        return float("nan")
    stats = scipy_stats()
    if name == "kendall":
        # The p that comes with it is not read. An exact one takes long, and the variance of an
        # asymptotic one of two units is a division by zero.
        method = "exact" if len(scores) == 2 else "asymptotic"  # noqa: PLR2004
        return float(stats.kendalltau(scores, judged, method=method).statistic)
    by_name = {"pearson": stats.pearsonr, "spearman": stats.spearmanr}
    return float(by_name[name](scores, judged).statistic)


@dataclass(frozen=True, slots=True)
class LevelValue:
    """A coefficient at a level; nan if it is undefined.

    `n_evals` are the EVALs that count, `n_dropped` those in which the coefficient is undefined;
    only the summary level drops any.
    """

    value: float
    n_evals: int
    n_dropped: int


def system_means(cells: Floats) -> Floats:
    """Return the mean of each system over the EVALs; a cell that is nan is missing.

    From (n_systems, n_evals, ...) to (n_systems, ...). Means are rounded well below their last
    significant digit, so that equal means compare equal whatever the order of addition.
    """
    means: Floats = _defined_mean(cells, axis=1) if np.isnan(cells).any() else cells.mean(axis=1)
    scale = np.nanmax(np.abs(means), initial=0.0) or 1.0
    rounded: Floats = np.round(means / scale, SIGNIFICANT_DECIMALS) * scale
    return rounded


def at_level(level: str, coefficient: str, scores: Floats, judged: Floats) -> Floats:
    """Correlate the scores of many tables with judgements.

    `level` is ``"system"``, ``"summary"`` or ``"pooled"``; `coefficient` a name in `COEFFICIENTS`.
    Scores and judgements have shape (n_systems, n_evals, ...); the other axes, as many in both, are
    broadcast against each other. The result has them; it is nan where the coefficient is undefined.
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

    Both have shape (n_systems, n_evals).
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


def krippendorff_alpha(ratings: Sequence[Sequence[float]]) -> float | None:
    """Return 1 for judges who agree everywhere, about 0 for judges who rate by chance.

    It is 1 minus the disagreement within units, divided by that of all ratings mixed at random;
    both are mean squared differences of two ratings. The ratings of a unit, such as a system in an
    EVAL, are in any order of the judges. A unit with one rating has no pair and is left out.

    None if no unit has two ratings, or all ratings are equal.
    """
    pairable = [np.array(unit, np.float64) for unit in ratings if len(unit) > 1]
    if not pairable:
        return None
    all_ratings = np.concatenate(pairable)
    n = len(all_ratings)
    # The squared differences of all ordered pairs of m ratings add up to 2 m times the squared
    # deviations from their mean; each unit's pairs weigh 1 / (m - 1).
    expected = 2 * n * float(((all_ratings - all_ratings.mean()) ** 2).sum()) / (n - 1)
    observed = sum(
        2 * len(unit) * float(((unit - unit.mean()) ** 2).sum()) / (len(unit) - 1)
        for unit in pairable
    )
    return None if (all_ratings == all_ratings[0]).all() else 1 - observed / expected
