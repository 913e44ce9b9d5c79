"""All tests of all pairs of systems that have the same EVALs in common."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from rouge_cli.options.scores import HISTOGRAM
from rouge_cli.scoring.histograms import (
    DRAWN,
    SWAPPED,
    Histogram,
    random_stream,
    swapped_sums,
)
from rouge_cli.scoring.histograms import drawn_sums as histograms_drawn
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

    Parameters
    ----------
    shared : SharedScores
    plan : TestPlan
    takes_all : bool
        Whether `TestedPair.swapped` may have all choices of swaps instead of random ones, where
        these are no more.
    """
    place_of = {system: place for place, system in enumerate(shared.systems)}
    places = {pair: (place_of[pair[0]], place_of[pair[1]]) for pair in shared.pairs}
    if plan.bootstrap == HISTOGRAM:
        return [
            tested
            for pair, own in places.items()
            for tested in _tested(pair, own, shared, _histogram_sums(own, shared, plan), plan)
        ]
    sums = _shared_sums(shared, plan, takes_all=takes_all)
    return [
        tested
        for pair, own in places.items()
        for tested in _tested(pair, own, shared, sums.of(*own), plan)
    ]


@dataclass(frozen=True, slots=True, eq=False)
class _PairSums:
    """What each resample of a test draws or swaps of two systems, added up.

    Parameters
    ----------
    drawn : ndarray of float64, shape (resamples, n_columns)
        Differences.
    drawn_sizes : ndarray of float64, shape (resamples,)
        EVALs.
    first, second : ndarray of float64, shape (resamples, n_columns)
        What is swapped of each system; or of their difference, and nothing.
    swapped_sizes : ndarray of float64, shape (resamples, 1 or n_columns)
        EVALs.
    are_all : bool
        Whether all choices of swaps are there.
    """

    drawn: Floats
    drawn_sizes: Floats
    first: Floats
    second: Floats
    swapped_sizes: Floats
    are_all: bool


@dataclass(frozen=True, slots=True, eq=False)
class _Sums:
    """The same of all systems, which share their draws.

    A difference of sums is the sum of the differences, so each system's scores are added up once,
    and not once for each pair.

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

    def of(self, first: int, second: int) -> _PairSums:
        """Return the sums of two systems."""
        return _PairSums(
            self.drawn[:, first] - self.drawn[:, second],
            self.drawn_sizes,
            self.swapped[:, first],
            self.swapped[:, second],
            self.swapped_sizes[:, np.newaxis],
            self.are_all,
        )


def _shared_sums(shared: SharedScores, plan: TestPlan, *, takes_all: bool) -> _Sums:
    """Draw and swap EVALs, or clusters, of all systems at once."""
    n_blocks, *shape = shared.units.shape
    flat = np.column_stack((shared.units.reshape(n_blocks, -1), shared.sizes))
    drawn = drawn_sums(times_drawn, flat, plan.resamples, plan.seed)
    are_all = takes_all and n_blocks < plan.resamples.bit_length()
    if are_all:
        swapped = every_swap(n_blocks) @ flat
    else:
        swapped = drawn_sums(swaps, flat, plan.resamples, plan.seed)
    return _Sums(
        drawn[:, :-1].reshape(-1, *shape),
        drawn[:, -1],
        swapped[:, :-1].reshape(-1, *shape),
        swapped[:, -1],
        are_all,
    )


def _histogram_sums(places: tuple[int, int], shared: SharedScores, plan: TestPlan) -> _PairSums:
    """Draw and swap how often each difference of two systems occurs, column by column."""
    first, second = places
    differences = shared.units[:, first] - shared.units[:, second]
    histograms = [Histogram.of(column) for column in differences.T]
    drawn = [
        histograms_drawn(one, plan.resamples, random_stream(plan.seed, DRAWN)) for one in histograms
    ]
    swapped = [
        swapped_sums(one, plan.resamples, random_stream(plan.seed, SWAPPED)) for one in histograms
    ]
    sums, times = (np.stack(parts, axis=1) for parts in zip(*swapped, strict=True))
    sizes = np.full(plan.resamples, float(len(differences)))
    return _PairSums(np.stack(drawn, axis=1), sizes, sums, np.zeros_like(sums), times, False)


def _tested(
    pair: tuple[int, int],
    places: tuple[int, int],
    shared: SharedScores,
    sums: _PairSums,
    plan: TestPlan,
) -> list[TestedPair]:
    """Test a pair in every column."""
    units = shared.units[:, list(places)]
    differences = units[:, 0] - units[:, 1]
    observed = differences.sum(axis=0)
    drawn = sums.drawn
    sizes = None if shared.is_even else (sums.drawn_sizes, float(shared.sizes.sum()))
    by_bootstrap = bootstrap_p(drawn, observed, sizes)
    if sizes is not None:
        drawn = drawn / sizes[0][:, np.newaxis] * sizes[1]
    bounds = percentile_interval(drawn, plan.confidence)
    by_chance = randomisation_p(sums.first - sums.second, observed)
    tested = []
    for k, column in enumerate(differences.T):
        is_exact = is_enumerable(column, plan.resamples)
        error, skewness = _moments(column, shared.sizes)
        swapped = SwappedDifference(
            sums.first[:, k],
            sums.second[:, k],
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
    differences: Floats, swapped: SwappedDifference, shared: SharedScores, sums: _PairSums, k: int
) -> tuple[Fraction, bool] | None:
    """Test whether the difference is smaller than the margin, if there is one."""
    if shared.margins is None:
        return None
    margin = shared.margins[k]
    sizes = sums.swapped_sizes[:, min(k, sums.swapped_sizes.shape[1] - 1)]
    of_resamples = swapped.first - swapped.second, margin * sizes
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
