"""Both tests on pairs of systems that have the same EVALs in common."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from rouge_cli.statistics.comparison_records import TestPlan
from rouge_cli.statistics.draws import drawn_sums, swaps, times_drawn
from rouge_cli.statistics.paired_bootstrap import bootstrap_p, percentile_interval
from rouge_cli.statistics.randomisation import exact_p, is_enumerable, randomisation_p
from rouge_cli.statistics.scores_table import SharedScores

__all__ = ["TestedPair", "tested_pairs"]


@dataclass(frozen=True, slots=True)
class TestedPair:
    """Two systems in one column of their scores, before any correction.

    Parameters
    ----------
    pair : tuple of two ints
        The systems, as in `SharedScores.pairs`.
    column : int
        The column of the scores.
    n_evals, n_unequal : int
        EVALs that both have, and those of them where their scores differ.
    sums : tuple of two ints
        Of the scores of each, in hundred-thousandths.
    bounds : tuple of two ints
        Of the interval of the difference of these sums.
    bootstrap, randomisation : Fraction
        The two-sided p.
    is_exact : bool
        Whether that of the randomisation comes from all choices of swaps.
    """

    pair: tuple[int, int]
    column: int
    n_evals: int
    n_unequal: int
    sums: tuple[int, int]
    bounds: tuple[int, int]
    bootstrap: Fraction
    randomisation: Fraction
    is_exact: bool

    # The name begins like that of a test, and is none.
    __test__ = False


def tested_pairs(shared: SharedScores, plan: TestPlan) -> list[TestedPair]:
    """Test every pair in every column.

    All pairs and columns share their draws, and a difference of sums is the sum of the differences:
    so each system's scores are added up once, and not once for each pair.

    Parameters
    ----------
    shared : SharedScores
    plan : TestPlan
    """
    n_evals, *shape = shared.units.shape
    flat = shared.units.reshape(n_evals, -1)
    drawn, swapped = (
        drawn_sums(draw, flat, plan.resamples, plan.seed).reshape(plan.resamples, *shape)
        for draw in (times_drawn, swaps)
    )
    place_of = {system: place for place, system in enumerate(shared.systems)}
    tested = []
    for pair in shared.pairs:
        first, second = (place_of[system] for system in pair)
        units = shared.units[:, [first, second]]
        differences = drawn[:, first] - drawn[:, second], swapped[:, first] - swapped[:, second]
        tested += _tested(pair, units, *differences, plan)
    return tested


def _tested(
    pair: tuple[int, int],
    units: NDArray[np.float64],
    drawn: NDArray[np.float64],
    swapped: NDArray[np.float64],
    plan: TestPlan,
) -> list[TestedPair]:
    """Test a pair in every column: `units` are its scores, the others differences of sums."""
    differences = units[:, 0] - units[:, 1]
    observed = differences.sum(axis=0)
    by_bootstrap = bootstrap_p(drawn, observed)
    by_chance = randomisation_p(swapped, observed)
    bounds = percentile_interval(drawn, plan.confidence)
    tested = []
    for k, column in enumerate(differences.T):
        is_exact = is_enumerable(column, plan.resamples)
        tested.append(
            TestedPair(
                pair,
                k,
                n_evals=len(column),
                n_unequal=int(np.count_nonzero(column)),
                sums=(int(units[:, 0, k].sum()), int(units[:, 1, k].sum())),
                bounds=(int(bounds[0, k]), int(bounds[1, k])),
                bootstrap=by_bootstrap[k],
                randomisation=exact_p(column) if is_exact else by_chance[k],
                is_exact=is_exact,
            )
        )
    return tested
