"""Correlation coefficients of many samples at once, at three levels.

scipy computes the reported coefficients. The functions here compute those of thousands of resamples
at once, each of which would be a call of scipy. Tests compare the two.

A cell is a system in an EVAL. A missing cell is nan: it is left out of both samples of a
coefficient, of the means of systems, of its EVAL and of the pool.

**Ties are decided on whole numbers.** Judgements are decimals or means of a few of them, and
ROUGE's scores have 5 decimals. `whole_numbers` multiplies each column by the smallest number that
makes all of it whole, so that sums are exact, equal means are the same double, and 0.3 - 0.2 equals
0.2 - 0.1. Only external scores with more than 11 digits keep their binary fractions; their means
are equal if they differ by less than `SIGNIFICANT_DECIMALS`.

Sources: docs/how-it-works/agreement.md; A. Stuart, The Estimation and Comparison of Strengths of
Association in Contingency Tables, Biometrika 40, 1953, for tau-c; T. Kocmi and others, To Ship or
Not to Ship, WMT 2021, for pairwise accuracy.
"""

import sys
from collections.abc import Callable, Mapping
from functools import partial
from math import isqrt
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import BYTES_OF_SCIPY, InputError, check_memory, missing_package
from rouge_cli.metrics.arithmetic import Floats, Whole
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports.rows import NUMBER_OR_NULL, Shown

# Means that differ by less than this share of the largest one count as equal.
SIGNIFICANT_DECIMALS = 12

LARGEST_SUM = 1 << 51  # sums of whole numbers up to this are exact, and so are their differences
# Bound on the relative rounding error of a mean of a few ratings, multiplied by a number.
ROUNDING = 8 * 2.0**-52
# Bound on the error of a whole number: it leaves 11 digits; above it any fraction looks whole.
LARGEST_ERROR = 1e-3
LONGEST_LOOP = 256  # with more units, scipy's sorting is faster than comparing all pairs


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

    Both samples have shape (n_units, ...). The other axes are broadcast against each other; they
    are the shape of the result, which is nan for constant samples.
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


def _matched(scores: Floats, judged: Floats) -> tuple[Floats, Floats, Whole | None]:
    """Set units that are nan in one sample to nan in both; count the others, None if all remain."""
    if not (np.isnan(scores).any() or np.isnan(judged).any()):
        return scores, judged, None
    is_defined = ~(np.isnan(scores) | np.isnan(judged))
    scores, judged = (np.where(is_defined, sample, np.nan) for sample in (scores, judged))
    return scores, judged, is_defined.sum(axis=0)


def _is_constant(values: Floats) -> NDArray[np.bool_]:
    """Return whether all defined values along the first axis are equal, or none is defined."""
    is_nan = np.isnan(values)
    highest = np.where(is_nan, -np.inf, values).max(axis=0)
    lowest = np.where(is_nan, np.inf, values).min(axis=0)
    result: NDArray[np.bool_] = highest <= lowest
    return result


def _centred(values: Floats, n_defined: Whole) -> Floats:
    """Subtract the mean of the defined values; the others become 0."""
    means = np.nansum(values, axis=0) / np.maximum(n_defined, 1)
    return np.where(np.isnan(values), 0.0, values - means)


def spearman(scores: Floats, judged: Floats) -> Floats:
    """Return Spearman's coefficient: Pearson's of the ranks, the mean rank for ties."""
    scores, judged, _ = _matched(scores, judged)
    return pearson(ranks(scores), ranks(judged))


def ranks(values: Floats) -> Floats:
    """Rank along the first axis; equal values get the mean of their ranks."""
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
    """Return the signs of differences between units at a distance; 0 if either is nan."""
    return np.nan_to_num(np.sign(values[distance:] - values[:-distance]), copy=False)


def kendall(scores: Floats, judged: Floats) -> Floats:
    """Return Kendall's tau-b; shapes are those of `pearson`."""
    scores, judged, _ = _matched(scores, judged)
    if len(scores) > LONGEST_LOOP:
        # scipy takes one pair of samples at a time, but sorts them: the loop below is quadratic.
        scores, judged = np.broadcast_arrays(scores, judged)
        coefficients = np.empty(scores.shape[1:])
        for index in np.ndindex(coefficients.shape):
            sample = (slice(None), *index)
            coefficients[index] = exact_coefficient("kendall", scores[sample], judged[sample])
        return coefficients
    shape = np.broadcast_shapes(scores.shape[1:], judged.shape[1:])
    agreement, scores_untied, judged_untied = np.zeros(shape), np.zeros(shape), np.zeros(shape)
    for distance in range(1, len(scores)):
        left, right = _signs(scores, distance), _signs(judged, distance)
        agreement += np.einsum("i...,i...->...", left, right)
        scores_untied += np.einsum("i...,i...->...", left, left)
        judged_untied += np.einsum("i...,i...->...", right, right)
    norms = scores_untied * judged_untied
    return _ratio(agreement, norms, norms == 0)


def _ratio(product: Floats, norms: Floats, is_undefined: NDArray[np.bool_]) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio: Floats = np.clip(product / np.sqrt(norms), -1.0, 1.0)
    return np.where(is_undefined, np.nan, ratio)


def pairwise_accuracy(scores: Floats, judged: Floats, same: Whole | None = None) -> Floats:
    """Return the share of pairs of units that both samples order alike or tie.

    Shapes are those of `pearson`; the result is nan where no pair is left. `same`, (n_units, ...),
    numbers the units of a resample, so that a unit that is drawn twice makes no pair with itself.
    """
    is_defined = ~(np.isnan(scores) | np.isnan(judged))
    correct, pairs = (np.zeros(is_defined.shape[1:], np.int64) for _ in range(2))
    for distance in range(1, len(is_defined)):
        counts = is_defined[distance:] & is_defined[:-distance]
        if same is not None:
            counts = counts & (same[distance:] != same[:-distance])
        agree = _signs(scores, distance) == _signs(judged, distance)
        correct += (agree & counts).sum(axis=0)
        pairs += counts.sum(axis=0)
    return np.where(pairs, correct / np.maximum(pairs, 1), np.nan)


# Correlations by name, in printed order.
COEFFICIENTS: Mapping[str, Callable[[Floats, Floats], Floats]] = {
    "pearson": pearson,
    "spearman": spearman,
    "kendall": kendall,
}


@dataclass(frozen=True, slots=True)
class PairOrders:
    """Counts of the pairs of units that two samples order alike or oppositely, or tie.

    `n_values` is the number of different values of the sample with fewer of them.
    """

    concordant: Annotated[int, Shown("Pairs in the same order.")]
    discordant: Annotated[int, Shown("Pairs in opposite orders.")]
    tied_in_judgements: Annotated[int, Shown("Pairs that only the judgements tie.")]
    tied_in_scores: Annotated[int, Shown("Pairs that only the scores tie.")]
    tied_in_both: Annotated[int, Shown("Pairs that both tie.")]
    n_values: int

    @property
    def total(self) -> int:
        """The number of pairs."""
        ties = self.tied_in_judgements + self.tied_in_scores + self.tied_in_both
        return self.concordant + self.discordant + ties

    @property
    def accuracy(self) -> float:
        """The share that both samples put in the same order or tie; nan without pairs."""
        return _share(self.concordant + self.tied_in_both, self.total)

    @property
    def accuracy_of_untied(
        self,
    ) -> Annotated[float, Shown(key="accuracy_human_untied", schema=NUMBER_OR_NULL)]:
        """Share in the same order of the pairs that people do not tie; null if there are none."""
        return _share(self.concordant, self.concordant + self.discordant + self.tied_in_scores)

    @property
    def tau_c(self) -> Annotated[float, Shown(schema=NUMBER_OR_NULL)]:
        """Stuart's tau-c; null if a sample is constant.

        It is 2 (C - D) k / (n^2 (k - 1)) for n units, where k is the number of different values in
        the sample that has fewer. In Python, null is nan.
        """
        n_units = (1 + isqrt(1 + 8 * self.total)) // 2
        difference = 2 * (self.concordant - self.discordant)
        return _share(difference * self.n_values, n_units**2 * max(0, self.n_values - 1))


def _share(part: int, whole: int) -> float:
    return part / whole if whole else float("nan")


def pair_counts(scores: Floats, judged: Floats) -> PairOrders:
    """Count the pairs of two samples, (n_units,); a unit with nan in either is left out."""
    is_defined = ~(np.isnan(scores) | np.isnan(judged))
    scores, judged = scores[is_defined], judged[is_defined]
    counts = np.zeros(5, np.int64)
    for distance in range(1, len(scores)):
        left, right = _signs(scores, distance), _signs(judged, distance)
        of_scores, of_judgements = left == 0, right == 0
        kinds = (
            *(left * right == sign for sign in (1, -1)),
            *(of_judgements & ~of_scores, of_scores & ~of_judgements, of_scores & of_judgements),
        )
        counts += [np.count_nonzero(kind) for kind in kinds]
    n_values = min(len(np.unique(sample)) for sample in (scores, judged))
    concordant, discordant, in_judgements, in_scores, in_both = counts.tolist()
    return PairOrders(concordant, discordant, in_judgements, in_scores, in_both, n_values)


def exact_coefficient(name: str, scores: Floats, judged: Floats) -> float:
    """Return scipy's coefficient of one pair of samples; nan if one is constant.

    `name` is one of `COEFFICIENTS`; both samples have shape (n_units,).
    """
    is_defined = ~(np.isnan(scores) | np.isnan(judged))
    scores, judged = scores[is_defined], judged[is_defined]
    if not len(scores) or (scores == scores[0]).all() or (judged == judged[0]).all():
        return float("nan")
    stats = scipy_stats()
    if name == "kendall":
        # Its p is not used: an exact one takes long, and an asymptotic one of two units divides by
        # zero.
        method = "exact" if len(scores) == 2 else "asymptotic"  # noqa: PLR2004
        return float(stats.kendalltau(scores, judged, method=method).statistic)
    by_name = {"pearson": stats.pearsonr, "spearman": stats.spearmanr}
    return float(by_name[name](scores, judged).statistic)


def whole_numbers(values: Floats) -> tuple[Floats, float]:
    """Multiply values by the smallest number that makes all of them whole; also return the number.

    The number is a power of 10 or a multiple: means of three judges are multiples of a third. If no
    number fits, or the sum would not be exact, values are divided by a power of two, so that no
    square is out of range. Neither changes a coefficient. nan stays nan.
    """
    known = np.unique(values[~np.isnan(values)])
    largest = float(np.abs(known).max(initial=0.0))
    for step in _STEPS:
        error = ROUNDING * largest * step
        if largest * step * values.size > LARGEST_SUM or error > LARGEST_ERROR:
            break
        # The first few values rule out most steps cheaply.
        if all((np.abs(x - np.rint(x)) <= error).all() for x in (known[:64] * step, known * step)):
            return np.rint(values * step), float(step)
    exponent = int(np.frexp(largest)[1])
    return np.ldexp(values, -exponent), float(np.ldexp(1.0, -exponent))


# Numbers to try: up to 12 decimals, times up to 60, as the mean of 3 judges is in thirds.
_STEPS = sorted({10**decimals * share for decimals in range(13) for share in range(1, 61)})


def system_means(cells: Floats) -> Floats:
    """Return the mean of each system over the EVALs; a cell that is nan is missing.

    From (n_systems, n_evals, ...) to (n_systems, ...). Means are rounded to `SIGNIFICANT_DECIMALS`
    of the largest one, so that equal means compare equal whatever the order of summation.
    """
    means: Floats = defined_mean(cells, axis=1) if np.isnan(cells).any() else cells.mean(axis=1)
    largest = np.nanmax(np.abs(means), axis=0, initial=0.0)
    scale = np.where(largest > 0, largest, 1.0)
    return np.round(means / scale, SIGNIFICANT_DECIMALS) * scale


def matched_means(scores: Floats, judged: Floats) -> tuple[Floats, Floats]:
    """Return the `system_means` of both tables, over the cells that both of them have."""
    scores, judged, _ = _matched(scores, judged)
    return system_means(scores), system_means(judged)


def at_level(
    level: str, coefficient: str, scores: Floats, judged: Floats, same: Whole | None = None
) -> Floats:
    """Correlate the scores of many tables with judgements.

    `level` is a name in `LEVELS`, and `coefficient` one in `COEFFICIENTS`, or ``"pa"``. Scores and
    judgements have shape (n_systems, n_evals, ...). The other axes are broadcast against each
    other; they are the shape of the result, which is nan for undefined coefficients. `same` is that
    of `pairwise_accuracy`; correlations do not need it.
    """
    is_accuracy = coefficient == "pa"
    correlate = partial(pairwise_accuracy, same=same) if is_accuracy else COEFFICIENTS[coefficient]
    return LEVELS[level](correlate, scores, judged)


Correlate = Callable[[Floats, Floats], Floats]
# Levels by name, in printed order. The summary level leaves out undefined correlations.
LEVELS: Mapping[str, Callable[[Correlate, Floats, Floats], Floats]] = {
    "system": lambda correlate, *tables: correlate(*matched_means(*tables)),
    "summary": lambda correlate, *tables: defined_mean(correlate(*tables)),
    "pooled": lambda correlate, *tables: correlate(*(x.reshape(-1, *x.shape[2:]) for x in tables)),
}


def defined_mean(values: Floats, axis: int = 0) -> Floats:
    """Return the mean of the defined values along an axis; nan if there are none."""
    is_defined = ~np.isnan(values)
    counts = is_defined.sum(axis=axis)
    sums = np.where(is_defined, values, 0.0).sum(axis=axis)
    return np.where(counts, sums / np.maximum(counts, 1), np.nan)


def exactly_at_level(
    level: str, coefficient: str, scores: Floats, judged: Floats
) -> tuple[float, int]:
    """Correlate one table of scores with judgements, by scipy's coefficients.

    Both have shape (n_systems, n_evals). Returns the coefficient, nan if it is undefined, and the
    number of EVALs left out because theirs is undefined; only the summary level leaves any out.
    """
    if level != "summary":
        is_system = level == "system"
        samples = matched_means(scores, judged) if is_system else (scores.ravel(), judged.ravel())
        return exact_coefficient(coefficient, *samples), 0
    evals = zip(scores.T, judged.T, strict=True)
    values = np.array([exact_coefficient(coefficient, *samples) for samples in evals])
    return float(defined_mean(values)), int(np.isnan(values).sum())


FEWEST_SYSTEMS = 4  # Williams' test needs at least this number of systems
NO_DIFFERENCE = 1e-12  # a smaller difference is a rounding error


def as_pearson(values: Floats, coefficient: str) -> Floats:
    """Return Pearson's coefficients of normal scores with this tau or accuracy.

    The formula is Greiner's relation; an accuracy is first turned into tau.
    """
    if coefficient in {"pearson", "spearman"}:
        return values
    tau = values if coefficient == "kendall" else 2 * values - 1
    return np.sin(np.pi / 2 * tau)


def williams_t(humans_first: Floats, humans_second: Floats, between: Floats, n: int) -> Floats:
    """Return Williams' t of many pairs of metrics; large but finite if the error is 0."""
    numerator, spread = williams_parts(humans_first, humans_second, between, n)
    return numerator / np.sqrt(np.maximum(spread, NO_DIFFERENCE))


def williams_parts(
    humans_first: Floats, humans_second: Floats, between: Floats, n: int
) -> tuple[Floats, Floats]:
    """Return the numerator of Williams' t, 0 without a difference, and the squared denominator."""
    determinant = (
        1
        - humans_first**2
        - humans_second**2
        - between**2
        + 2 * humans_first * humans_second * between
    )
    mean = (humans_first + humans_second) / 2
    # Rounding may make these negative.
    spread = (
        2 * np.maximum(determinant, 0.0) * (n - 1) / (n - 3)
        + mean**2 * np.maximum(1 - between, 0.0) ** 3
    )
    difference = humans_first - humans_second
    numerator = difference * np.sqrt((n - 1) * np.maximum(1 + between, 0.0))
    return np.where(np.abs(difference) < NO_DIFFERENCE, 0.0, numerator), spread
