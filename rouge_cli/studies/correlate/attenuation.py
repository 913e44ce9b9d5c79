"""The consistency of judges at each level, which corrects correlations for their disagreement.

Metrics are compared with the means of judges. The more these would differ with other judges, the
lower every correlation with them. A strict judge who judged everything lowers all means alike,
which changes no correlation. So the divisor comes from the consistency of the means, the intraclass
correlation ICC(C,k), which equals Cronbach's alpha: the share of their variance that is not error.
Its root is the correlation of the means with those of infinitely many judges. Krippendorff's alpha
counts strictness as disagreement, so it describes the ratings and corrects nothing.

If some judges did not judge everything, strictness moves only some means, and nothing is corrected.

Sources: C. Spearman, The Proof and Measurement of Association between Two Things, American Journal
of Psychology 15, 1904; the same, Correlation Calculated from Faulty Data, and W. Brown, Some
Experimental Results in the Correlation of Mental Abilities, British Journal of Psychology 3, 1910;
K. O. McGraw, S. P. Wong, Forming Inferences about Some Intraclass Correlation Coefficients,
Psychological Methods 1, 1996; K. Krippendorff, Computing Krippendorff's Alpha-Reliability, 2011;
the same, Content Analysis, 3rd edition, 2013, chapter 12.
"""

from collections.abc import Sequence
from typing import Annotated

import numpy as np

from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports.rows import NUMBER_OR_NULL, Shown
from rouge_cli.studies.correlate.coefficients import PEARSON, SPEARMAN, SUMMARY, SYSTEM, Floats
from rouge_cli.studies.correlate.judged_cells import Ratings
from rouge_cli.studies.draws import Places

CORRECTED = (PEARSON, SPEARMAN)
"""The formula is exact for Pearson's coefficient, and nearly so for Spearman's."""

NOTHING = 1e-12
"""Smaller shares are rounding errors."""


@dataclass(frozen=True, slots=True)
class LevelAgreement:
    """The consistency of the means of judges at a level."""

    judges: Annotated[int, Shown("Number of judges, in an EVAL or in all.")]
    is_complete: Annotated[bool, Shown("Whether they rated everything that is compared.")]
    consistency: Annotated[
        float,
        Shown("ICC(C,k); null if it is not above 0, or unknown.", schema=NUMBER_OR_NULL),
    ]

    @property
    def ceiling(self) -> Annotated[float, Shown(schema=NUMBER_OR_NULL)]:
        """Correlation of the means with those of infinitely many judges; null if unknown."""
        return float(np.sqrt(self.consistency))


def level_agreement(level: str, ratings: Ratings) -> LevelAgreement:
    """Return the agreement at a level."""
    n_systems, n_evals, n_judges = ratings.values.shape
    is_complete = ratings.is_complete(across_evals=level != SUMMARY)
    if not is_complete:
        return LevelAgreement(n_judges, is_complete, float("nan"))
    ones = np.ones((n_systems, 1), np.int64), np.ones((n_evals, 1), np.int64)
    single = resampled_consistency(level, ratings.values, *ones)
    (consistency,) = consistency_of_means(single, np.array(float(n_judges))).tolist()
    return LevelAgreement(n_judges, is_complete, consistency)


def consistency_of_means(single: Floats, judges: Floats) -> Floats:
    """Return the consistency of the mean of several judges from that of one; nan if not above 0.

    This is the formula of Spearman and Brown. Both arguments have shape (n,) or ().
    """
    known = np.where(single > 0, single, np.nan)
    of_means: Floats = judges * known / (1 + (judges - 1) * known)
    return of_means


def resampled_consistency(level: str, ratings: Floats, systems: Places, evals: Places) -> Floats:
    """Return ICC(C,1), the consistency of one judge, in resamples; (n,), nan if nothing varies.

    `ratings`, (n_systems, n_evals, n_judges), are nan in whole cells only. `systems`,
    (n_systems, n), and `evals`, (n_evals, n), are the numbers of draws. The levels compare the
    means of systems, the cells of each EVAL, or all cells.
    """
    drawn, times = systems.astype(np.float64), evals.astype(np.float64)
    is_there = ~np.isnan(ratings[..., 0])
    n_judges = ratings.shape[2]
    known = np.where(is_there[..., np.newaxis], ratings, 0.0)
    # Subtract the overall mean, so that squares lose no digits.
    known -= known.sum() / max(1, is_there.sum() * n_judges) * is_there[..., np.newaxis]
    by_judge: list[Floats] = [known[..., judge] for judge in range(n_judges)]
    counts = is_there.astype(np.float64)
    if level == SYSTEM:
        counts = counts @ times
        by_judge = [table @ times / np.maximum(counts, 1.0) for table in by_judge]
        counts = (counts > 0).astype(np.float64)

    def added(cells: Floats) -> Floats:
        """Sum drawn cells over the units that are compared."""
        if level == SYSTEM:
            total: Floats = (cells * drawn).sum(axis=0)
            return total
        of_evals: Floats = cells.T @ drawn
        return of_evals if level == SUMMARY else (of_evals * times).sum(axis=0)

    n_units = np.maximum(added(counts), 1.0)

    def spread(cells: Floats) -> Floats:
        """Return the sum of squared deviations from the mean."""
        squares = added(cells**2) - added(cells) ** 2 / n_units
        total: Floats = (squares * times).sum(axis=0) if level == SUMMARY else squares
        return total

    means = sum(by_judge[1:], by_judge[0]) / n_judges
    between = n_judges * spread(means)
    error = np.sum([spread(table - means) for table in by_judge], axis=0)
    total = between + error
    varies = total > NOTHING * max(1.0, float(total.max(initial=0.0)))
    # Mean squares have (n - 1) and (n - 1)(k - 1) degrees of freedom, of which n - 1 cancels.
    single = (between - error / (n_judges - 1)) / np.where(varies, total, 1.0)
    return np.where(varies, single, np.nan)


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


def resampled_alpha(ratings: Floats, systems: Places, evals: Places) -> Floats:
    """Return Krippendorff's alpha of the ratings of cells in resamples; (n,), nan if undefined.

    `ratings`, (n_systems, n_evals, n_judges), may be nan anywhere; `systems` and `evals` are those
    of `resampled_consistency`.
    """
    drawn, times = systems.astype(np.float64), evals.astype(np.float64)
    is_there = ~np.isnan(ratings)
    # A unit of one rating has no pair.
    is_there &= (is_there.sum(axis=-1) > 1)[..., np.newaxis]
    sizes = is_there.sum(axis=-1).astype(np.float64)
    # Subtract the overall mean, so that squares lose no digits.
    middle = float(ratings[is_there].mean()) if is_there.any() else 0.0
    known = np.where(is_there, ratings - middle, 0.0)
    sums, squares = known.sum(axis=-1), (known**2).sum(axis=-1)
    centred = np.where(is_there, known - (sums / np.maximum(sizes, 1))[..., np.newaxis], 0.0)
    # The disagreement of all ordered pairs of m ratings, each with weight 1 / (m - 1).
    within = 2 * sizes * (centred**2).sum(axis=-1) / np.maximum(sizes - 1, 1)
    n, total, square, observed = (
        (x.T @ drawn * times).sum(axis=0) for x in (sizes, sums, squares, within)
    )
    deviations = np.maximum(square - total**2 / np.maximum(n, 1), 0.0)
    expected = 2 * n * deviations / np.maximum(n - 1, 1)
    varies = expected > NOTHING * np.maximum(1.0, np.abs(expected).max(initial=0.0))
    return np.where(varies, 1 - observed / np.where(varies, expected, 1.0), np.nan)
