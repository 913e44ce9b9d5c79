"""All tests of all pairs of systems that have the same EVALs in common."""

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

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
    sums = ResampledSums(
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


def _tested(
    pair: tuple[int, int],
    places: list[int],
    shared: SharedScores,
    sums: ResampledSums,
    plan: TestPlan,
) -> list[TestedPair]:
    """Test a pair in every column."""
    compared = shared.compared or [
        ComparedColumn(Column("", ""), (k,)) for k in range(shared.units.shape[2])
    ]
    of_means = _Means(pair, places, shared, sums, plan)
    return [
        of_means.tested(number, *one.places)
        if one.aggregation is None
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
        sums: ResampledSums,
        plan: TestPlan,
    ) -> None:
        self._pair, self._places = pair, places
        self._shared, self._sums, self._plan = shared, sums, plan
        first, second = places
        self._units = shared.units[:, [first, second]]
        self._differences = self._units[:, 0] - self._units[:, 1]
        self._observed = self._differences.sum(axis=0)
        drawn = sums.drawn[:, first] - sums.drawn[:, second]
        sizes = None if shared.is_even else (sums.drawn_sizes, float(shared.sizes.sum()))
        self._by_bootstrap = bootstrap_p(drawn, self._observed, sizes)
        if sizes is not None:
            drawn = drawn / sizes[0][:, np.newaxis] * sizes[1]
        self._bounds = percentile_interval(drawn, plan.confidence)
        swapped = sums.swapped[:, first] - sums.swapped[:, second]
        self._by_chance = randomisation_p(swapped, self._observed)

    def tested(self, number: int, k: int) -> TestedPair:
        """Return the tests of a column, the k-th of those that are added up."""
        first, second = self._places
        units, shared, sums = self._units, self._shared, self._sums
        column = self._differences[:, k]
        is_exact = is_enumerable(column, self._plan.resamples)
        error, skewness = moments(column, shared.sizes)
        swapped = SwappedDifference(
            sums.swapped[:, first, k],
            sums.swapped[:, second, k],
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
            equivalence=_equivalence((column, number), swapped, shared, sums),
        )


def _equivalence(
    column: tuple[Floats, int],
    swapped: SwappedDifference,
    shared: SharedScores,
    sums: ResampledSums,
) -> tuple[Fraction, bool] | None:
    """Test whether the difference of a column is smaller than the margin, if there is one."""
    if shared.margins is None:
        return None
    differences, number = column
    margin = shared.margins[number]
    of_resamples = swapped.first - swapped.second, margin * sums.swapped_sizes
    return equivalence_p(differences, margin * shared.sizes, of_resamples)
