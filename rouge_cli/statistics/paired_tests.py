"""Two tests of whether one system is better than another on the same EVALs.

The paired bootstrap asks how much the difference of two means moves with the choice of EVALs;
approximate randomisation swaps the scores of the two systems in some EVALs, at random: if it made
no difference which system a text came from, every choice of swaps would have been equally likely.

Sources: B. Efron and R. Tibshirani, An Introduction to the Bootstrap, 1993, sections 13.3 and 16.4;
P. Koehn, Statistical Significance Tests for Machine Translation Evaluation, EMNLP 2004; the
two-sided p from shifted resamples as in S. Riezler and J. Maxwell, On Some Pitfalls in Automatic
Evaluation and Significance Testing for MT, 2005; E. Noreen, Computer-Intensive Methods for Testing
Hypotheses, 1989; R. A. Fisher, The Design of Experiments, 1935, section 21, for the exact test.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from rouge_cli.statistics.comparison_records import TestPlan
from rouge_cli.statistics.draws import drawn_sums, swaps, times_drawn
from rouge_cli.statistics.shared_scores import SharedScores

__all__ = [
    "TestedPair",
    "bootstrap_p",
    "exact_p",
    "is_enumerable",
    "percentile_interval",
    "randomisation_p",
    "resampling_p",
    "tested_pairs",
]


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


def resampling_p(n_extreme: int, resamples: int) -> Fraction:
    """Return ``(count + 1) / (resamples + 1)``: what was observed counts as a resample too.

    Source: A. Davison and D. Hinkley, Bootstrap Methods and their Application, 1997, section 4.2.5.
    """
    return Fraction(n_extreme + 1, resamples + 1)


def bootstrap_p(resampled: NDArray[np.float64], observed: NDArray[np.float64]) -> list[Fraction]:
    """Return the two-sided p of each column.

    The resampled differences lie about the observed one as they would about 0 if the systems were
    equally good; p is the share of them that lie at least as far off as 0 does.

    Parameters
    ----------
    resampled : ndarray of float64, shape (resamples, n_columns)
        Summed differences of each resample, in whole hundred-thousandths.
    observed : ndarray of float64, shape (n_columns,)
        Summed difference of the EVALs themselves.

    Returns
    -------
    list of Fraction
    """
    n_extreme = (np.abs(resampled - observed) >= np.abs(observed)).sum(axis=0)
    return [resampling_p(count, len(resampled)) for count in n_extreme.tolist()]


def percentile_interval(
    resampled: NDArray[np.float64], confidence: Fraction
) -> NDArray[np.float64]:
    """Return the lower and the upper bound of each column.

    They are the k-th smallest and the k-th largest of the resampled values, where k is
    ``(resamples + 1) * (1 - confidence) / 2`` without its fraction, and at least 1. So the interval
    of B - A is exactly the negative one of A - B.

    Parameters
    ----------
    resampled : ndarray of float64, shape (resamples, n_columns)
    confidence : Fraction
        From 0 to 1.

    Returns
    -------
    ndarray of float64, shape (2, n_columns)
    """
    resamples = len(resampled)
    rank = max(1, int((resamples + 1) * (1 - confidence) / 2))
    places = [rank - 1, resamples - rank]
    bounds: NDArray[np.float64] = np.partition(resampled, places, axis=0)[places]
    return bounds


def is_enumerable(differences: NDArray[np.float64], resamples: int) -> bool:
    """Return whether all choices of swaps are no more than `resamples`.

    Parameters
    ----------
    differences : ndarray of float64, shape (n_evals,)
        Where the two scores are equal a swap changes nothing, so these EVALs do not count.
    resamples : int
    """
    return bool(np.count_nonzero(differences) < resamples.bit_length())


def exact_p(differences: NDArray[np.float64]) -> Fraction:
    """Return the two-sided p over all choices of swaps, the one that was observed among them.

    Parameters
    ----------
    differences : ndarray of float64, shape (n_evals,)
        Difference of the scores in each EVAL, in whole hundred-thousandths.

    Returns
    -------
    Fraction
        The number of choices with a summed difference at least as far from 0, of all choices.
    """
    unequal = np.abs(differences[differences != 0])
    observed = abs(differences.sum())
    # The sign of all at once does not matter, so the first one keeps its own.
    sums = unequal[:1].copy() if unequal.size else np.zeros(1)
    for difference in unequal[1:].tolist():
        sums = np.concatenate((sums + difference, sums - difference))
    return Fraction(int(np.count_nonzero(np.abs(sums) >= observed)), sums.size)


def randomisation_p(swapped: NDArray[np.float64], observed: NDArray[np.float64]) -> list[Fraction]:
    """Return the two-sided p of each column over random choices of swaps.

    Parameters
    ----------
    swapped : ndarray of float64, shape (resamples, n_columns)
        Differences summed over the EVALs that a resample swaps, in whole hundred-thousandths.
    observed : ndarray of float64, shape (n_columns,)
        Summed difference of all EVALs.

    Returns
    -------
    list of Fraction
    """
    # A swap turns the sign of a difference: it takes away twice what it added.
    n_extreme = (np.abs(observed - 2 * swapped) >= np.abs(observed)).sum(axis=0)
    return [resampling_p(count, len(swapped)) for count in n_extreme.tolist()]
