"""How large a difference, or a study, has to be, so that tests succeed with a given power.

Sources: J. Cohen, Statistical Power Analysis for the Behavioral Sciences, 1988; G. W. Hill,
Algorithm 396: Student's t-quantiles, Communications of the ACM 13, 1970, for the expansion of
quantiles of t in those of the normal distribution.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import ceil
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from rouge_cli.quick_dataclass import dataclass
from rouge_cli.statistics.draws import swaps
from rouge_cli.statistics.paired_tests import resampling_p

__all__ = [
    "POWER",
    "SimulatedTest",
    "needed_blocks",
    "simulated_power",
    "smallest_difference",
    "t_quantile",
    "value_at_power",
]

Floats = NDArray[np.float64]

POWER = 0.8
"""What is asked of a study by custom."""

FEWEST_DEGREES = 4
"""With fewer the expansion is off by more than a hundredth."""

SIMULATED = 2000
"""Comparisons that are simulated for each number of EVALs: a power of 0.8 is right to 0.009."""

LEAST_RESAMPLES = 999
RESAMPLES_OF_LEVEL = 20
"""The resamples that the level leaves room for, at least: fewer would be a coarse test."""

GROUPS = 20
"""Of simulated comparisons, each with swaps of its own."""


@dataclass(frozen=True, slots=True)
class SimulatedTest:
    """The test whose power is simulated: approximate randomisation.

    Parameters
    ----------
    level : Fraction
        At which it is significant.
    is_equivalence : bool
        Whether it is to show that systems are the same, and not that they differ.
    """

    level: Fraction
    seed: int
    is_equivalence: bool = False

    @property
    def resamples(self) -> int:
        """Of each test."""
        return max(LEAST_RESAMPLES, ceil(RESAMPLES_OF_LEVEL / self.level) - 1)


def t_quantile(share: float, degrees: int) -> float:
    """Return the quantile of Student's distribution, from 4 degrees of freedom on.

    The expansion in powers of 1 / degrees of Fisher and Cornish, to the fourth.
    """
    z = NormalDist().inv_cdf(share)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + float(sum(term / degrees**k for k, term in enumerate(terms, 1)))


def smallest_difference(
    standard_error: float, n_blocks: int, level: float, power: float = POWER
) -> float | None:
    """Return the difference of means that a two-sided paired test finds with this power.

    Parameters
    ----------
    standard_error : float
        Of the difference.
    n_blocks : int
        How many EVALs, or clusters, it comes from.
    level : float
        At which one test is significant.

    Returns
    -------
    float or None
        None where the test could not find any, or too few EVALs say how much they vary.
    """
    degrees = n_blocks - 1
    is_out_of_reach = 2.0 ** (1 - n_blocks) > level
    if degrees < FEWEST_DEGREES or is_out_of_reach or not (standard_error and 0 < level < 1):
        return None
    return standard_error * (t_quantile(1 - level / 2, degrees) + t_quantile(power, degrees))


def needed_blocks(spread: float, test: SimulatedTest, power: float) -> int:
    """Return how many EVALs a paired test takes, if means are normally distributed.

    Parameters
    ----------
    spread : float
        Standard deviation of the differences of EVALs, in units of the difference that is to be
        found, or of the margin within which equal systems are to be shown the same.
    """
    quantile, level = NormalDist().inv_cdf, float(test.level)
    if test.is_equivalence:
        needed = quantile(1 - level) + quantile((1 + power) / 2)
    else:
        needed = quantile(1 - level / 2) + quantile(power)
    return max(2, ceil((needed * spread) ** 2))


def simulated_power(
    residuals: Floats,
    sizes: Floats,
    n_blocks: int,
    differences: Sequence[float],
    test: SimulatedTest,
) -> list[float]:
    """Return the share of simulated comparisons that find each of some differences.

    A test of equivalence: the share of those that show equal systems the same within each.

    Parameters
    ----------
    residuals, sizes : ndarray of float64, shape (n_pilot,)
        What is drawn from: differences less their mean, added up over each block, and its EVALs.
    n_blocks : int
        Of each simulated comparison.
    differences : sequence of float
        Of the means; or margins.
    """
    found = np.zeros(len(differences), np.int64)
    random = np.random.Generator(np.random.PCG64(np.random.SeedSequence(test.seed, spawn_key=(3,))))
    for group in range(GROUPS):
        # The same swaps for all would give all the same error of drawing.
        swapped = swaps(n_blocks, test.resamples, test.seed + group)
        signs = 1 - 2 * np.concatenate(list(swapped))
        chosen = random.integers(0, len(residuals), (n_blocks, SIMULATED // GROUPS))
        found += _n_found(signs, residuals[chosen], sizes[chosen], differences, test)
    shares: list[float] = (found / SIMULATED).tolist()
    return shares


def _n_found(
    signs: Floats,
    drawn: Floats,
    drawn_sizes: Floats,
    differences: Sequence[float],
    test: SimulatedTest,
) -> list[int]:
    """Return how many comparisons find each difference, all with the same swaps.

    Parameters
    ----------
    signs : ndarray of float64, shape (resamples, n_blocks)
        1, or -1 where a resample swaps.
    drawn, drawn_sizes : ndarray of float64, shape (n_blocks, n_comparisons)
    """
    # A difference moves every sum by what it moves the sizes: so all need one product.
    resampled, resampled_sizes = signs @ drawn, signs @ drawn_sizes
    observed, n_evals = drawn.sum(axis=0), drawn_sizes.sum(axis=0)
    found = []
    for one in differences:
        if test.is_equivalence:
            margins = resampled_sizes * one, n_evals * one
            counts = np.maximum(
                _counts(margins[0] + resampled, margins[1] + observed),
                _counts(margins[0] - resampled, margins[1] - observed),
            )
        else:
            moved = np.abs(observed + one * n_evals)
            counts = _counts(np.abs(resampled + one * resampled_sizes), moved)
        p_values = (resampling_p(count, test.resamples) for count in counts.tolist())
        found.append(sum(p <= test.level for p in p_values))
    return found


def _counts(resampled: Floats, observed: Floats) -> NDArray[np.int64]:
    """Return in how many resamples each sum is no smaller than what was observed."""
    tolerance = 1e-9 * np.abs(observed)
    counts: NDArray[np.int64] = (resampled >= observed - tolerance).sum(axis=0)
    return counts


def value_at_power(points: Sequence[tuple[float, float]], power: float) -> float | None:
    """Return where a curve has the power asked for: a line through its normal quantiles.

    None if it stays on one side of it.
    """
    inside = [(x, p) for x, p in points if 0.02 < p < 0.995]  # noqa: PLR2004 - no quantiles beyond
    if len(inside) < 2 or not min(p for _, p in points) <= power <= max(p for _, p in points):  # noqa: PLR2004
        return None
    x, p = np.array(inside).T
    quantiles = np.array([NormalDist().inv_cdf(one) for one in p.tolist()])
    # A quantile is as sure as the density there and the share allow.
    weights = np.array([NormalDist().pdf(q) for q in quantiles.tolist()]) / np.sqrt(p * (1 - p))
    slope, start = np.polyfit(x, quantiles, 1, w=weights)
    return float((NormalDist().inv_cdf(power) - start) / slope) if slope > 0 else None
