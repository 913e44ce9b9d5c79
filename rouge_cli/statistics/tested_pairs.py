"""All tests of all pairs of systems that have the same EVALs in common."""

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from rouge_cli.options.scores import HISTOGRAM
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.scoring.histograms import (
    DRAWN,
    SWAPPED,
    Histogram,
    random_stream,
    swapped_sums,
)
from rouge_cli.scoring.histograms import drawn_sums as histograms_drawn
from rouge_cli.statistics.aggregated_pairs import tested_aggregation
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
from rouge_cli.statistics.score_columns import Column, ComparedColumn
from rouge_cli.statistics.shared_scores import SharedScores
from rouge_cli.statistics.tested_records import (
    ResampledSums,
    SwappedDifference,
    TestedPair,
    moments,
)

__all__ = ["TestedPair", "tested_pairs"]

Floats = NDArray[np.float64]


def tested_pairs(shared: SharedScores, plan: TestPlan, *, takes_all: bool) -> list[TestedPair]:
    """Test every pair in every column.

    Parameters
    ----------
    takes_all : bool
        Whether `TestedPair.swapped` may have all choices of swaps instead of random ones, where
        these are no more.
    """
    place_of = {system: place for place, system in enumerate(shared.systems)}
    sums = None
    if plan.bootstrap != HISTOGRAM:
        sums = _shared_sums(shared, plan, takes_all=takes_all)
    return [
        tested
        for pair in shared.pairs
        for tested in _tested(pair, [place_of[system] for system in pair], shared, sums, plan)
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
    first, second : ndarray of float64, shape (resamples or choices, n_columns)
        What is swapped of each system; or of their difference, and nothing.
    swapped_sizes : ndarray of float64, shape (resamples or choices, n_columns)
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

    @classmethod
    def of(cls, places: list[int], sums: ResampledSums) -> "_PairSums":
        """Return the sums of two systems, by their places, from those of all."""
        first, second = places
        swapped = sums.swapped[:, first]
        return cls(
            sums.drawn[:, first] - sums.drawn[:, second],
            sums.drawn_sizes,
            swapped,
            sums.swapped[:, second],
            np.broadcast_to(sums.swapped_sizes[:, np.newaxis], swapped.shape),
            sums.are_all,
        )


def _shared_sums(shared: SharedScores, plan: TestPlan, *, takes_all: bool) -> ResampledSums:
    """Draw and swap EVALs, or clusters, of all systems at once.

    All pairs and columns share their draws, and a difference of sums is the sum of the differences:
    so each system's scores are added up once, and not once for each pair.
    """
    n_blocks, *shape = shared.units.shape
    flat = np.column_stack((shared.units.reshape(n_blocks, -1), shared.sizes))
    drawn = drawn_sums(times_drawn, flat, plan.resamples, plan.seed)
    are_all = takes_all and n_blocks < plan.resamples.bit_length()
    if are_all:
        swapped = every_swap(n_blocks) @ flat
    else:
        swapped = drawn_sums(swaps, flat, plan.resamples, plan.seed)
    return ResampledSums(
        drawn[:, :-1].reshape(-1, *shape),
        drawn[:, -1],
        swapped[:, :-1].reshape(-1, *shape),
        swapped[:, -1],
        are_all,
    )


def _histogram_sums(places: list[int], shared: SharedScores, plan: TestPlan) -> _PairSums:
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
    places: list[int],
    shared: SharedScores,
    sums: ResampledSums | None,
    plan: TestPlan,
) -> list[TestedPair]:
    """Test a pair in every column; without sums of all systems by histograms."""
    compared = shared.compared or [
        ComparedColumn(Column("", ""), (k,)) for k in range(shared.units.shape[2])
    ]
    own = _histogram_sums(places, shared, plan) if sums is None else _PairSums.of(places, sums)
    of_means = _Means(pair, places, shared, own, plan)
    return [
        of_means.tested(number, *one.places)
        if one.aggregation is None or sums is None
        else tested_aggregation((pair, places), number, shared, sums, plan)
        for number, one in enumerate(compared)
    ]


class _Means:
    """A pair in all columns that are added up, from which means are compared."""

    def __init__(
        self,
        pair: tuple[int, int],
        places: list[int],
        shared: SharedScores,
        sums: _PairSums,
        plan: TestPlan,
    ) -> None:
        self._pair = pair
        self._shared, self._sums, self._plan = shared, sums, plan
        self._units = shared.units[:, places]
        self._differences = self._units[:, 0] - self._units[:, 1]
        self._observed = self._differences.sum(axis=0)
        drawn = sums.drawn
        sizes = None if shared.is_even else (sums.drawn_sizes, float(shared.sizes.sum()))
        self._by_bootstrap = bootstrap_p(drawn, self._observed, sizes)
        if sizes is not None:
            drawn = drawn / sizes[0][:, np.newaxis] * sizes[1]
        self._bounds = percentile_interval(drawn, plan.confidence)
        self._by_chance = randomisation_p(sums.first - sums.second, self._observed)

    def tested(self, number: int, k: int) -> TestedPair:
        """Return the tests of a column, the k-th of those that are added up."""
        units, shared, sums = self._units, self._shared, self._sums
        column = self._differences[:, k]
        is_exact = is_enumerable(column, self._plan.resamples)
        error, skewness = moments(column, shared.sizes)
        swapped = SwappedDifference(
            sums.first[:, k],
            sums.second[:, k],
            float(self._observed[k]),
            float(np.sqrt((column**2).sum())),
            sums.are_all,
        )
        return TestedPair(
            self._pair,
            number,
            n_evals=int(shared.sizes.sum()),
            n_blocks=len(column),
            n_unequal=int(np.count_nonzero(column)),
            sums=(int(units[:, 0, k].sum()), int(units[:, 1, k].sum())),
            bounds=(float(self._bounds[0, k]), float(self._bounds[1, k])),
            standard_error=error,
            skewness=skewness,
            bootstrap=self._by_bootstrap[k],
            randomisation=exact_p(column) if is_exact else self._by_chance[k],
            is_exact=is_exact,
            swapped=swapped,
            equivalence=_equivalence((column, number), swapped, shared, sums.swapped_sizes[:, k]),
        )


def _equivalence(
    column: tuple[Floats, int],
    swapped: SwappedDifference,
    shared: SharedScores,
    swapped_sizes: Floats,
) -> tuple[Fraction, bool] | None:
    """Test whether the difference of a column is smaller than the margin, if there is one."""
    if shared.margins is None:
        return None
    differences, number = column
    margin = shared.margins[number]
    of_resamples = swapped.first - swapped.second, margin * swapped_sizes
    return equivalence_p(differences, margin * shared.sizes, of_resamples)
