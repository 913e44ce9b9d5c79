"""How well judges agree at each level, and correlations corrected for what they disagree about.

A metric is held against the means of judges. The more these would differ if others had judged, the
lower every correlation with them. At each level the agreement is Krippendorff's alpha (interval
data) of what is correlated there: of the ratings of cells, of cells against those of the same EVAL,
or of the means of systems that each judge makes. With k judges whose ratings agree by alpha, their
mean correlates by about sqrt(k alpha / (1 + (k - 1) alpha)) with the mean of ever more judges.

Sources: C. Spearman, The Proof and Measurement of Association between Two Things, American Journal
of Psychology 15, 1904; the same, Correlation Calculated from Faulty Data, and W. Brown, Some
Experimental Results in the Correlation of Mental Abilities, British Journal of Psychology 3, 1910;
K. Krippendorff, Computing Krippendorff's Alpha-Reliability, 2011.
"""

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from rouge_cli.quick_dataclass import dataclass
from rouge_cli.studies.correlate.coefficients import PEARSON, SPEARMAN, SUMMARY, SYSTEM

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]

CORRECTED = (PEARSON, SPEARMAN)
"""The formula is of Pearson's coefficient, and of that of ranks nearly."""

FEWEST_RATINGS = 2


@dataclass(frozen=True, slots=True)
class LevelAgreement:
    """How well judges agree about what is correlated at a level.

    - `alpha`: Krippendorff's, of interval data; nan where no two ratings can be compared.
    - `judges`: of a mean: the harmonic mean over cells.
    - `ceiling`: what their mean correlates with that of ever more judges; nan if alpha is not above
      0.
    """

    alpha: float
    judges: float
    ceiling: float


def level_agreement(level: str, ratings: Floats) -> LevelAgreement:
    """Return the agreement at a level, of ratings (n_systems, n_evals, n_judges); nan is missing.

    The judges of a cell need not be those of another.
    """
    n_systems, n_evals, _ = ratings.shape
    ones = np.ones((n_systems, 1), np.int64), np.ones((n_evals, 1), np.int64)
    alpha = resampled_alpha(level, ratings, *ones)
    judges = harmonic_judges(ratings)
    return LevelAgreement(float(alpha[0]), judges, float(ceilings(alpha, np.array(judges))[0]))


def harmonic_judges(ratings: Floats) -> float:
    """Return the harmonic mean of how many judges a cell has, of those that have any.

    The error of a mean is that of one judge divided by their number, so errors average like this.
    """
    counts = (~np.isnan(ratings)).sum(axis=-1)
    sizes, times = np.unique(counts[counts > 0], return_counts=True)
    shares = map(Fraction, times.tolist(), sizes.tolist())
    return float(int(times.sum()) / sum(shares))


def ceilings(alphas: Floats, judges: Floats) -> Floats:
    """Return the correlation of means of so many judges with those of ever more; nan up to 0.

    Both have shape (n,) or ().
    """
    known = np.where(alphas > 0, alphas, np.nan)
    highest: Floats = np.sqrt(judges * known / (1 + (judges - 1) * known))
    return highest


def resampled_alpha(level: str, ratings: Floats, systems: Counts, evals: Counts) -> Floats:
    """Return Krippendorff's alpha of resamples at a level; (n,), nan where it is undefined.

    `systems`, (n_systems, n), and `evals`, (n_evals, n), say how often each is drawn.
    """
    drawn, times = systems.astype(np.float64), evals.astype(np.float64)
    if level == SYSTEM:
        return _alpha_of_means(ratings, drawn, times)
    sizes, sums, squares, within = _sums(ratings)
    if level == SUMMARY:
        # The ratings of each EVAL among themselves.
        expected = _mixed(*(x.T @ drawn for x in (sizes, sums, squares)))
        return _alpha((within.T @ drawn * times).sum(axis=0), (expected * times).sum(axis=0))
    totals = ((x.T @ drawn * times).sum(axis=0) for x in (sizes, sums, squares, within))
    n, total, square, observed = totals
    return _alpha(observed, _mixed(n, total, square))


def _alpha_of_means(ratings: Floats, systems: Floats, evals: Floats) -> Floats:
    """Return the alpha of the means of systems, one for each judge."""
    is_there = ~np.isnan(ratings)
    by_judge = np.moveaxis(np.where(is_there, ratings, 0.0), 1, 2) @ evals
    counts = np.moveaxis(is_there, 1, 2).astype(np.float64) @ evals
    means = np.where(counts > 0, by_judge / np.maximum(counts, 1.0), np.nan)
    sizes, sums, squares, within = _sums(np.moveaxis(means, 1, 2))
    n, total, square = ((x * systems).sum(axis=0) for x in (sizes, sums, squares))
    return _alpha((within * systems).sum(axis=0), _mixed(n, total, square))


def _sums(ratings: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Return number, sum and squares of the ratings of each unit, and its disagreement.

    The last is that of all ordered pairs of its m ratings, each 1 / (m - 1). The judges are the
    last axis; a unit of one rating has no pair, and all is 0.
    """
    is_there = ~np.isnan(ratings)
    sizes = is_there.sum(axis=-1).astype(np.float64)
    is_there &= (sizes >= FEWEST_RATINGS)[..., np.newaxis]
    sizes = is_there.sum(axis=-1).astype(np.float64)
    # Less the mean of all, so that squares lose no digits.
    middle = float(ratings[is_there].mean()) if is_there.any() else 0.0
    known = np.where(is_there, ratings - middle, 0.0)
    sums, squares = known.sum(axis=-1), (known**2).sum(axis=-1)
    centred = np.where(is_there, known - (sums / np.maximum(sizes, 1))[..., np.newaxis], 0.0)
    within = 2 * sizes * (centred**2).sum(axis=-1) / np.maximum(sizes - 1, 1)
    return sizes, sums, squares, within


def _mixed(n: Floats, sums: Floats, squares: Floats) -> Floats:
    """Return the disagreement of all pairs of n ratings, each 1 / (n - 1)."""
    deviations = np.maximum(squares - sums**2 / np.maximum(n, 1), 0.0)
    mixed: Floats = 2 * n * deviations / np.maximum(n - 1, 1)
    return mixed


def _alpha(observed: Floats, expected: Floats) -> Floats:
    """Return 1 less observed by expected disagreement; nan if nothing varies."""
    varies = expected > NOTHING * np.maximum(1.0, np.abs(expected).max(initial=0.0))
    return np.where(varies, 1 - observed / np.where(varies, expected, 1.0), np.nan)


NOTHING = 1e-12
"""Less than this share is what rounding leaves of nothing."""
