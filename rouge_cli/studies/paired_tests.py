"""Paired tests of two systems on the same EVALs: bootstrap, randomisation and equivalence.

The paired bootstrap asks how much the difference of two means moves with the choice of EVALs;
approximate randomisation swaps the scores of the two systems in some EVALs, at random: if it made
no difference which system a text came from, every choice of swaps would have been equally likely.
The test of equivalence is two of these against the nearest differences that would matter.

Sources: B. Efron and R. Tibshirani, An Introduction to the Bootstrap, 1993, sections 13.3 and 16.4;
P. Koehn, Statistical Significance Tests for Machine Translation Evaluation, EMNLP 2004; the
two-sided p from shifted resamples as in S. Riezler and J. Maxwell, On Some Pitfalls in Automatic
Evaluation and Significance Testing for MT, 2005; E. Noreen, Computer-Intensive Methods for Testing
Hypotheses, 1989; R. A. Fisher, The Design of Experiments, 1935, section 21, for the exact test;
D. Schuirmann, A Comparison of the Two One-Sided Tests Procedure and the Power Approach for
Assessing the Equivalence of Average Bioavailability, 1987. Of many comparisons: S. Holm, A Simple
Sequentially Rejective Multiple Test Procedure, Scandinavian Journal of Statistics 6, 1979; J.
Romano and M. Wolf, Exact and Approximate Stepdown Methods for Multiple Hypothesis Testing, Journal
of the American Statistical Association 100, 2005; H.-P. Piepho, An Algorithm for a Letter-Based
Representation of All-Pairwise Comparisons, Journal of Computational and Graphical Statistics 13,
2004: insert, absorb and sweep.
"""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import combinations
from string import ascii_lowercase

import numpy as np
from numpy.typing import NDArray

from rouge_cli.options.declaration import Number
from rouge_cli.options.scores import EXACT
from rouge_cli.quick_dataclass import dataclass

Floats = NDArray[np.float64]


def exact_share(percent: Number) -> Fraction:
    """Return percent as a share, by their shortest decimal form: 99.9 leaves exactly 0.001."""
    return Fraction(repr(percent.value)) / 100


@dataclass(frozen=True, slots=True)
class TestPlan:
    """How systems are compared.

    - `letters`: the measures: some of ``"R"``, ``"P"`` and ``"F"``.
    - `resamples`: of each test; at least 1. `seed`: from 0 on.
    - `confidence`: from 0 to 1: of the intervals, and 1 minus the level at which p is significant.
    - `margin`: the smallest difference of means that would matter, for the test of equivalence.
    - `bootstrap`: ``"exact"`` draws EVALs, ``"histogram"`` how often each difference occurs.
    """

    letters: str
    resamples: int
    seed: int
    confidence: Fraction
    margin: Fraction | None = None
    bootstrap: str = EXACT

    # The name begins like that of a test, and is none.
    __test__ = False

    @property
    def level(self) -> Fraction:
        """The greatest p that is significant."""
        return 1 - self.confidence


@dataclass(frozen=True, slots=True, eq=False)
class SwappedDifference:
    """The difference of two systems after each resample's swaps, for tests of many pairs at once.

    - `first`, `second`: scores of each system, summed over what is swapped; shape (resamples or
      choices,).
    - `observed`: the summed difference.
    - `norm`: root of the sum of squared differences, which no swap changes.
    - `are_all`: whether these are all choices of swaps and not random ones.
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

    - `pair`: the systems, as in `SharedScores.pairs`.
    - `column`: the number of the column of the scores.
    - `n_evals`: EVALs that both have.
    - `n_blocks`, `n_unequal`: EVALs or clusters, and those of them where their scores differ.
    - `sums`: of the scores of each, in units. For a column with an aggregation these, and all that
      is said of sums below, are the scores of the systems.
    - `bounds`, `standard_error`: of the difference of these sums; `skewness`: of the differences.
    - `bootstrap`, `randomisation`: the two-sided p; `is_exact`: whether that of the randomisation
      comes from all choices of swaps.
    - `equivalence`: the p that the systems are as far apart as the margin, and whether it is exact.
    """

    pair: tuple[int, int]
    column: int
    n_evals: int
    n_blocks: int
    n_unequal: int
    sums: tuple[float, float]
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


@dataclass(frozen=True, slots=True, eq=False)
class ResampledSums:
    """What each resample of a test draws or swaps, added up.

    - `drawn`, `swapped`: scores, (resamples or choices, n_systems, n_columns).
    - `drawn_sizes`: EVALs, (resamples,).
    - `swapped_sizes`: EVALs, (resamples or choices, n_columns); the same in each column, but for
      histograms.
    - `are_all`: whether all choices of swaps are there.
    """

    drawn: Floats
    drawn_sizes: Floats
    swapped: Floats
    swapped_sizes: Floats
    are_all: bool


def moments(differences: Floats, sizes: Floats) -> tuple[float, float]:
    """Return the standard error of a sum of differences, and the skewness of the differences."""
    n = len(differences)
    centred = differences - sizes * (differences.sum() / sizes.sum())
    square = float((centred**2).sum())
    if n < 2 or not square:  # noqa: PLR2004 - one has no spread
        return 0.0, 0.0
    skewness = float((centred**3).sum()) / n / (square / n) ** 1.5
    return float(np.sqrt(square * n / (n - 1))), skewness


def resampling_p(n_extreme: int, resamples: int) -> Fraction:
    """Return ``(count + 1) / (resamples + 1)``: what was observed counts as a resample too.

    Source: A. Davison and D. Hinkley, Bootstrap Methods and their Application, 1997, section 4.2.5.
    """
    return Fraction(n_extreme + 1, resamples + 1)


def bootstrap_p(
    resampled: Floats, observed: Floats, sizes: tuple[Floats, float] | None = None
) -> list[Fraction]:
    """Return the two-sided p of each column.

    The resampled differences lie about the observed one as they would about 0 if the systems were
    equally good; p is the share of them that lie at least as far off as 0 does.

    `resampled`, (resamples, n_columns), and `observed`, (n_columns,), are summed differences in
    whole units. Where clusters of different sizes are drawn, `sizes` are how many EVALs each
    resample has, (resamples,), and how many there are.
    """
    if sizes is None:
        is_extreme = np.abs(resampled - observed) >= np.abs(observed)
    else:
        drawn, n_evals = sizes[0][:, np.newaxis], sizes[1]
        # Means are compared, multiplied by the numbers of EVALs: so these are whole numbers too.
        is_extreme = np.abs(resampled * n_evals - observed * drawn) >= np.abs(observed) * drawn
    return [resampling_p(count, len(resampled)) for count in is_extreme.sum(axis=0).tolist()]


def percentile_interval(resampled: Floats, confidence: Fraction) -> Floats:
    """Return the lower and the upper bound of each column; shape (2, n_columns).

    They are the k-th smallest and the k-th largest of the resampled values, (resamples, n_columns),
    where k is ``(resamples + 1) * (1 - confidence) / 2`` without its fraction, and at least 1. So
    the interval of B - A is exactly the negative one of A - B.
    """
    resamples = len(resampled)
    rank = max(1, int((resamples + 1) * (1 - confidence) / 2))
    places = [rank - 1, resamples - rank]
    # Two order statistics need no sorting.
    bounds: Floats = np.partition(resampled, places, axis=0)[places]
    return bounds


def is_enumerable(differences: Floats, resamples: int) -> bool:
    """Return whether all choices of swaps are no more than `resamples`.

    Where the two scores are equal a swap changes nothing, so these EVALs do not count.
    """
    return bool(np.count_nonzero(differences) < resamples.bit_length())


def exact_p(differences: Floats) -> Fraction:
    """Return the two-sided p over all choices of swaps, the one that was observed among them.

    p is the share of choices with a summed difference at least as far from 0. The differences of
    the scores in each EVAL, (n_evals,), are in whole units.
    """
    unequal = np.abs(differences[differences != 0])
    observed = abs(differences.sum())
    # The sign of all at once does not matter, so the first one keeps its own.
    sums = unequal[:1].copy() if unequal.size else np.zeros(1)
    for difference in unequal[1:].tolist():
        sums = np.concatenate((sums + difference, sums - difference))
    return Fraction(int(np.count_nonzero(np.abs(sums) >= observed)), sums.size)


def randomisation_p(swapped: Floats, observed: Floats) -> list[Fraction]:
    """Return the two-sided p of each column over random choices of swaps.

    `swapped`, (resamples, n_columns), are differences summed over the EVALs that a resample swaps;
    `observed`, (n_columns,), those of all EVALs. Both are in whole units.
    """
    # A swap turns the sign of a difference: it takes away twice what it added.
    n_extreme = (np.abs(observed - 2 * swapped) >= np.abs(observed)).sum(axis=0)
    return [resampling_p(count, len(swapped)) for count in n_extreme.tolist()]


def equivalence_p(
    differences: Floats, margins: Floats, swapped: tuple[Floats, Floats]
) -> tuple[Fraction, bool]:
    """Return the p of the two one-sided tests that a difference is as far from 0 as a margin.

    Each of the two moves the differences by the margin and swaps them; p is the larger of the two.
    The second value tells whether both are over all choices of swaps.

    `differences` and `margins`, (n_evals,), are in whole units; `swapped` has both, summed over
    what each resample swaps, (resamples,).
    """
    sides = []
    for sign in (1, -1):
        moved = margins + sign * differences
        if is_enumerable(moved, len(swapped[0])):
            sides.append((_exact_one_sided(moved), True))
        else:
            # What is swapped adds up to no more than 0: the sum is no less than what was observed.
            count = int(np.count_nonzero(swapped[1] + sign * swapped[0] <= 0))
            sides.append((resampling_p(count, len(swapped[0])), False))
    return max(p for p, _ in sides), all(is_exact for _, is_exact in sides)


def _exact_one_sided(values: Floats) -> Fraction:
    """Return how many of all choices of signs have no smaller a sum than the values have."""
    unequal = values[values != 0]
    sums = np.zeros(1)
    for value in np.abs(unequal).tolist():
        sums = np.concatenate((sums + value, sums - value))
    return Fraction(int(np.count_nonzero(sums >= unequal.sum())), sums.size)


ROUNDING = 1e-12
"""Statistics that differ by less than this share of them are equal."""


def holm_adjusted(p_values: Sequence[Fraction]) -> list[Fraction]:
    """Return the adjusted p-values, in the order given.

    The smallest of n p-values is multiplied by n, the next one by n - 1, and so on; none is below
    the one before it, and none above 1. Nothing is assumed about how tests depend on each other.
    """
    # Fractions: a corrected p is compared with a level that it may equal exactly.
    adjusted = [Fraction(1)] * len(p_values)
    least = Fraction(0)
    ascending = sorted(range(len(p_values)), key=p_values.__getitem__)
    for n_before, index in enumerate(ascending):
        least = max(least, min(Fraction(1), (len(p_values) - n_before) * p_values[index]))
        adjusted[index] = least
    return adjusted


def romano_wolf_adjusted(
    observed: Sequence[float],
    resampled: Callable[[int], NDArray[np.float64]],
    p_values: Sequence[Fraction],
    *,
    is_exact: bool = False,
) -> list[Fraction]:
    """Return p-values adjusted by the step-down method of Romano and Wolf, in the order given.

    Each test is held against the largest statistic that a resample has among the tests whose own
    statistic is no larger. So correlated tests, such as those of similar metrics, cost little more
    than one test.

    - `observed`: statistics, the larger the less likely; from 0 on.
    - `resampled`: from the number of a test to its statistic in each resample, (resamples,), all
      tests in the same resamples.
    - `p_values`: of each test alone: a lower bound. An exact p may be above what drawn resamples
      say.
    - `is_exact`: whether the resamples are all that there are, the observed one among them.
    """
    ascending = sorted(range(len(observed)), key=observed.__getitem__)
    largest: NDArray[np.float64] | None = None
    by_index = {}
    for index in ascending:
        values = resampled(index)
        largest = values if largest is None else np.maximum(largest, values)
        # One statistic is computed from sums in another order than the other, so it may be a
        # rounding away from what it is equal to.
        n_extreme = int(np.count_nonzero(largest >= observed[index] * (1 - ROUNDING)))
        p = Fraction(n_extreme, len(largest)) if is_exact else resampling_p(n_extreme, len(largest))
        by_index[index] = max(p, p_values[index])
    adjusted, least = dict.fromkeys(ascending, Fraction(0)), Fraction(0)
    for index in reversed(ascending):
        adjusted[index] = least = max(least, by_index[index])
    return [adjusted[index] for index in range(len(observed))]


def letter_groups(n_systems: int, different: Iterable[tuple[int, int]]) -> list[tuple[int, ...]]:
    """Return the largest groups of systems that do not differ, without superfluous ones.

    Systems are numbers from 0, the best first; `different` are the pairs that differ significantly.
    The groups are in ascending order; that of letter ``a`` has the best system.
    """
    groups = [frozenset(range(n_systems))]
    for pair in different:
        groups = _absorbed(_inserted(groups, pair))
    return _swept(sorted(tuple(sorted(group)) for group in groups))


def _swept(groups: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Drop each group whose every two systems share another group, the last groups first."""
    kept = list(groups)
    for group in reversed(groups):
        others = [frozenset(other) for other in kept if other != group]
        pairs: list[tuple[int, ...]] = [*combinations(group, 2)] or [group]
        if all(any(other.issuperset(pair) for other in others) for pair in pairs):
            kept.remove(group)
    return kept


def _inserted(
    groups: list[frozenset[int]], pair: tuple[int, int]
) -> tuple[list[frozenset[int]], list[frozenset[int]]]:
    """Return the groups without this pair, and each group with it twice, less one of the pair."""
    split = [group for group in groups if group.issuperset(pair)]
    kept = [group for group in groups if not group.issuperset(pair)]
    return kept, [group - {system} for group in split for system in pair]


def _absorbed(
    parts: tuple[list[frozenset[int]], list[frozenset[int]]],
) -> list[frozenset[int]]:
    """Drop new groups within another group; old groups were checked when they were new."""
    kept, halves = parts
    new = list(dict.fromkeys(halves))
    return kept + [
        half
        for half in new
        if not any(half <= group for group in kept) and not any(half < other for other in new)
    ]


def letter(number: int) -> str:
    """Return the name of a group: ``a`` to ``z``, then ``aa``, ``ab`` and so on."""
    name = ""
    number += 1
    while number:
        number, digit = divmod(number - 1, len(ascii_lowercase))
        name = ascii_lowercase[digit] + name
    return name
