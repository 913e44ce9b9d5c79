"""All tests of all pairs of systems that have the same EVALs in common."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from rouge_cli.statistics.comparison_records import TestPlan
from rouge_cli.statistics.draws import drawn_sums, every_swap, swaps, times_drawn
from rouge_cli.statistics.paired_tests import (
    bootstrap_p,
    equivalence_p,
    exact_p,
    is_enumerable,
    percentile_interval,
    randomisation_p,
)
from rouge_cli.statistics.shared_scores import SharedScores

__all__ = ["SwappedDifference", "TestedPair", "tested_pairs"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class SwappedDifference:
    """The difference of two systems after each resample's swaps, for tests of many pairs at once.

    Parameters
    ----------
    first, second : ndarray of float64, shape (resamples or choices,)
        Scores of each system, summed over what is swapped.
    observed : float
        Summed difference.
    norm : float
        Root of the sum of squared differences, which no swap changes.
    are_all : bool
        Whether these are all choices of swaps and not random ones.
    """

    first: Floats
    second: Floats
    observed: float
    norm: float
    are_all: bool

    @property
    def statistic(self) -> float:
        """The observed difference in a unit that pairs and metrics share."""
        return abs(self.observed) / self.norm if self.norm else 0.0

    def resampled(self) -> Floats:
        """Return the same after each resample's swaps; shape (resamples or choices,)."""
        if not self.norm:
            return np.zeros(len(self.first))
        swapped: Floats = np.abs(self.observed - 2 * (self.first - self.second)) / self.norm
        return swapped


@dataclass(frozen=True, slots=True, eq=False)
class TestedPair:
    """Two systems in one column of their scores, before any correction.

    Parameters
    ----------
    pair : tuple of two ints
        The systems, as in `SharedScores.pairs`.
    column : int
        The column of the scores.
    n_evals : int
        EVALs that both have.
    n_blocks, n_unequal : int
        EVALs or clusters, and those of them where their scores differ.
    sums : tuple of two ints
        Of the scores of each, in units.
    bounds : tuple of two floats
        Of the interval of the difference of these sums.
    standard_error : float
        Of the difference of these sums.
    skewness : float
        Of the differences.
    bootstrap, randomisation : Fraction
        The two-sided p.
    is_exact : bool
        Whether that of the randomisation comes from all choices of swaps.
    swapped : SwappedDifference
    equivalence : tuple of Fraction and bool, or None
        The p that the systems are as far apart as the margin, and whether it is exact.
    """

    pair: tuple[int, int]
    column: int
    n_evals: int
    n_blocks: int
    n_unequal: int
    sums: tuple[int, int]
    bounds: tuple[float, float]
    standard_error: float
    skewness: float
    bootstrap: Fraction
    randomisation: Fraction
    is_exact: bool
    swapped: SwappedDifference
    equivalence: tuple[Fraction, bool] | None

    # The name begins like that of a test, and is none.
    __test__ = False


def tested_pairs(shared: SharedScores, plan: TestPlan, *, takes_all: bool) -> list[TestedPair]:
    """Test every pair in every column.

    All pairs and columns share their draws, and a difference of sums is the sum of the differences:
    so each system's scores are added up once, and not once for each pair.

    Parameters
    ----------
    shared : SharedScores
    plan : TestPlan
    takes_all : bool
        Whether `TestedPair.swapped` may have all choices of swaps instead of random ones, where
        these are no more.
    """
    n_blocks, *shape = shared.units.shape
    flat = np.column_stack((shared.units.reshape(n_blocks, -1), shared.sizes))
    drawn = drawn_sums(times_drawn, flat, plan.resamples, plan.seed)
    are_all = takes_all and n_blocks < plan.resamples.bit_length()
    if are_all:
        swapped = every_swap(n_blocks) @ flat
    else:
        swapped = drawn_sums(swaps, flat, plan.resamples, plan.seed)
    sums = _Sums(
        drawn[:, :-1].reshape(-1, *shape),
        drawn[:, -1],
        swapped[:, :-1].reshape(-1, *shape),
        swapped[:, -1],
        are_all,
    )
    place_of = {system: place for place, system in enumerate(shared.systems)}
    return [
        tested
        for pair in shared.pairs
        for tested in _tested(pair, [place_of[system] for system in pair], shared, sums, plan)
    ]


@dataclass(frozen=True, slots=True, eq=False)
class _Sums:
    """What each resample of a test draws or swaps, added up.

    Parameters
    ----------
    drawn, swapped : ndarray of float64, shape (resamples or choices, n_systems, n_columns)
        Scores.
    drawn_sizes, swapped_sizes : ndarray of float64, shape (resamples or choices,)
        EVALs.
    are_all : bool
        Whether all choices of swaps are there.
    """

    drawn: Floats
    drawn_sizes: Floats
    swapped: Floats
    swapped_sizes: Floats
    are_all: bool


def _tested(
    pair: tuple[int, int], places: list[int], shared: SharedScores, sums: _Sums, plan: TestPlan
) -> list[TestedPair]:
    """Test a pair in every column."""
    first, second = places
    units = shared.units[:, [first, second]]
    differences = units[:, 0] - units[:, 1]
    observed = differences.sum(axis=0)
    drawn = sums.drawn[:, first] - sums.drawn[:, second]
    sizes = None if shared.is_even else (sums.drawn_sizes, float(shared.sizes.sum()))
    by_bootstrap = bootstrap_p(drawn, observed, sizes)
    if sizes is not None:
        drawn = drawn / sizes[0][:, np.newaxis] * sizes[1]
    bounds = percentile_interval(drawn, plan.confidence)
    by_chance = randomisation_p(sums.swapped[:, first] - sums.swapped[:, second], observed)
    tested = []
    for k, column in enumerate(differences.T):
        is_exact = is_enumerable(column, plan.resamples)
        error, skewness = _moments(column, shared.sizes)
        swapped = SwappedDifference(
            sums.swapped[:, first, k],
            sums.swapped[:, second, k],
            float(observed[k]),
            float(np.sqrt((column**2).sum())),
            sums.are_all,
        )
        tested.append(
            TestedPair(
                pair,
                k,
                n_evals=int(shared.sizes.sum()),
                n_blocks=len(column),
                n_unequal=int(np.count_nonzero(column)),
                sums=(int(units[:, 0, k].sum()), int(units[:, 1, k].sum())),
                bounds=(float(bounds[0, k]), float(bounds[1, k])),
                standard_error=error,
                skewness=skewness,
                bootstrap=by_bootstrap[k],
                randomisation=exact_p(column) if is_exact else by_chance[k],
                is_exact=is_exact,
                swapped=swapped,
                equivalence=_equivalence(column, swapped, shared, sums, k),
            )
        )
    return tested


def _equivalence(
    differences: Floats, swapped: SwappedDifference, shared: SharedScores, sums: _Sums, k: int
) -> tuple[Fraction, bool] | None:
    """Test whether the difference is smaller than the margin, if there is one."""
    if shared.margins is None:
        return None
    margin = shared.margins[k]
    of_resamples = swapped.first - swapped.second, margin * sums.swapped_sizes
    return equivalence_p(differences, margin * shared.sizes, of_resamples)


def _moments(differences: Floats, sizes: Floats) -> tuple[float, float]:
    """Return the standard error of a sum of differences, and the skewness of the differences."""
    n = len(differences)
    centred = differences - sizes * (differences.sum() / sizes.sum())
    square = float((centred**2).sum())
    if n < 2 or not square:  # noqa: PLR2004 - one has no spread
        return 0.0, 0.0
    skewness = float((centred**3).sum()) / n / (square / n) ** 1.5
    return float(np.sqrt(square * n / (n - 1))), skewness
