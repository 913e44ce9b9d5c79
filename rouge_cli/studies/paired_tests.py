"""Paired tests of all pairs of systems on the same EVALs: bootstrap, randomisation, equivalence.

The paired bootstrap asks how much the difference of two means depends on the choice of EVALs.
Approximate randomisation swaps the scores of two systems in randomly chosen EVALs: if it made no
difference which system wrote a text, every choice of swaps would have been equally likely. The test
of equivalence consists of two randomisation tests, one against each of the smallest differences
that would matter, above and below 0.

The score of a system is a mean over EVALs, or an aggregation of several such means. For an
aggregation, a resample draws or swaps whole EVALs, that is, all parts of the metric together, and
the score is computed from the resulting means. Sums of parts are whole numbers and exact. Scores
are not, so differences within rounding errors of each other count as equal.

Sources: B. Efron and R. Tibshirani, An Introduction to the Bootstrap, 1993, sections 13.3 and 16.4;
P. Koehn, Statistical Significance Tests for Machine Translation Evaluation, EMNLP 2004; the
two-sided p from shifted resamples as in S. Riezler and J. Maxwell, On Some Pitfalls in Automatic
Evaluation and Significance Testing for MT, 2005; E. Noreen, Computer-Intensive Methods for Testing
Hypotheses, 1989; R. A. Fisher, The Design of Experiments, 1935, section 21, for the exact test;
D. Schuirmann, A Comparison of the Two One-Sided Tests Procedure and the Power Approach for
Assessing the Equivalence of Average Bioavailability, 1987; S. Holm, A Simple Sequentially
Rejective Multiple Test Procedure, Scandinavian Journal of Statistics 6, 1979. The standard error
and the skewness of an aggregation come from a linear approximation, the delta method: Efron and
Tibshirani, section 21.7.
"""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import ceil, inf
from typing import Annotated, SupportsInt, cast

import numpy as np

from rouge_cli.metrics.arithmetic import Floats
from rouge_cli.metrics.counts import Aggregation
from rouge_cli.options.readers import Number
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports.rows import Shown
from rouge_cli.studies.resampling import (
    EQUAL,
    Spread,
    difference_interval,
    drawn_sums,
    every_swap,
    swaps,
    times_drawn,
)
from rouge_cli.studies.score_columns import ComparedColumn, SharedScores

# With fewer EVALs, resamples vary too little, which makes the p of the bootstrap too small.
FEW_EVALS = 20
# Default number of resamples of each test.
RESAMPLES = 10_000
SHARE_LETTERS = frozenset("RPF")


def exact_share(percent: Number) -> Fraction:
    """Return a percentage as an exact fraction of 1: for 99.9, the level is exactly 0.001."""
    # The shortest decimal form is what the user typed; the double itself is slightly off.
    return Fraction(repr(percent.value)) / 100


@dataclass(frozen=True, slots=True)
class TestPlan:
    """Settings for tests of systems against each other.

    - `letters`: the measures to compare, some of ``"R"``, ``"P"`` and ``"F"``.
    - `confidence`: a fraction from 0 to 1.
    - `margin`: the margin of the test of equivalence; None to leave this test out.
    - `may_grow`: whether the number of resamples grows with the number of comparisons.
    """

    letters: str
    resamples: Annotated[int, Shown("Of each test.")]
    seed: Annotated[int, Shown("Of the resamples.")]
    confidence: Fraction
    margin: Annotated[
        Fraction | None, Shown("The smallest difference that matters, of --equivalence.")
    ] = None
    may_grow: bool = False

    # Pytest would otherwise collect a class with this name.
    __test__ = False

    @property
    def percent(self) -> Annotated[float, Shown(key="confidence")]:
        """The confidence level of the intervals, in percent."""
        return float(self.confidence * 100)

    @property
    def level(self) -> Annotated[Fraction, Shown(column="")]:
        """The largest significant p."""
        return 1 - self.confidence

    def enough(self, n_comparisons: int) -> int:
        """Return how many resamples make a significant p possible after Holm's correction.

        No p is below 1 / (resamples + 1). The result is twice the number that this bound requires,
        so that one resample as extreme as the observation does not yet rule out significance.
        """
        return ceil(2 * n_comparisons / self.level) - 1 if self.level else 0

    def grown(self, n_comparisons: int, n_sums: int) -> "TestPlan":
        """Return the plan with enough resamples for the comparisons, if it may grow.

        `n_sums` is the number of sums that each resample needs: systems times columns.
        """
        enough = self.enough(n_comparisons)
        if not self.may_grow or enough <= self.resamples:
            return self
        # The sums, 8 bytes each, must not take more than a gigabyte.
        most = max(self.resamples, (1 << 27) // n_sums)
        return replace(self, resamples=min(most, max(100_000, enough)))


@dataclass(frozen=True, slots=True, eq=False)
class TestedPair:
    """Two systems in one column, tested, before any correction for several tests.

    - `pair`: the indices of the systems in `SharedScores.units`, the lower one first.
    - `column`: the index of the column.
    - `n_evals`: the number of EVALs that all systems have.
    - `n_blocks`, `n_unequal`: the number of EVALs or clusters, and of those in which the scores of
      the two systems differ.
    - `sums`: the sum of the scores of each system, in units. If the column is aggregated, these and
      all sums below are instead scores of systems.
    - `bounds`: the interval of the difference of these sums.
    - `spread`: the spread of the differences of EVALs or clusters; `of_evals`: that of EVALs.
    - `bootstrap`, `randomisation`: two-sided p; `is_exact`: whether the latter is exact.
    - `swapped`: differences summed over the EVALs that each resample swaps, shape (resamples,); or
      (choices,) if `are_all`, that is, if they cover all choices of swaps.
    - `equivalence`: p of the hypothesis that the systems differ by the margin or more; None if
      there is no margin.
    """

    pair: tuple[int, int]
    column: int
    n_evals: int
    n_blocks: int
    n_unequal: int
    sums: tuple[float, float]
    bounds: tuple[float, float]
    spread: Spread
    of_evals: Spread
    bootstrap: Fraction
    randomisation: Fraction
    is_exact: bool
    swapped: Floats
    are_all: bool
    equivalence: Fraction | None

    __test__ = False


class _Resampled:
    """The scores of all systems, and their sums over the EVALs that resamples draw or swap.

    All pairs and columns share their draws, so each system's scores are summed only once: a sum of
    differences is the difference of the sums.

    - `drawn`: sums over the blocks drawn, shape (resamples, n_systems, n_columns).
    - `swapped`: sums over the blocks swapped, (resamples, n_systems, n_columns); or (choices, ...)
      if `are_all`, that is, if all choices of swaps are enumerated.
    - `drawn_sizes`, `swapped_sizes`: the numbers of EVALs in these blocks.
    """

    def __init__(self, shared: SharedScores, plan: TestPlan) -> None:
        self.shared, self.plan = shared, plan
        n_blocks, *shape = shared.units.shape
        # Sizes are one more column: a cluster counts as many EVALs as it has.
        flat = np.column_stack((shared.units.reshape(n_blocks, -1), shared.sizes))
        drawn = drawn_sums(times_drawn, flat, plan.resamples, plan.seed)
        self.are_all = n_blocks < plan.resamples.bit_length()
        if self.are_all:
            # There are no more choices than resamples, so enumerate them: p is exact.
            swapped = every_swap(n_blocks) @ flat
        else:
            swapped = drawn_sums(swaps, flat, plan.resamples, plan.seed)
        self.drawn, self.swapped = (x[:, :-1].reshape(-1, *shape) for x in (drawn, swapped))
        self.drawn_sizes, self.swapped_sizes = drawn[:, -1], swapped[:, -1]


def resampling_p(n_extreme: SupportsInt, resamples: int, *, are_all: bool = False) -> Fraction:
    """Return p from the number of resamples that are at least as extreme as the observation.

    It is ``(n_extreme + 1) / (resamples + 1)``, since the observation counts as a resample. With
    `are_all`, the resamples are all choices of swaps, which include the observation. Source: A.
    Davison and D. Hinkley, Bootstrap Methods and their Application, 1997, section 4.2.5.
    """
    return Fraction(int(n_extreme) + (not are_all), resamples + (not are_all))


def bootstrap_p(
    resampled: Floats, observed: float, sizes: tuple[Floats, float] | None = None
) -> Fraction:
    """Return the two-sided p of the bootstrap.

    Resampled differences scatter around the observed one as they would scatter around 0 if the
    systems were equally good. p is the fraction of them that are at least as far from the observed
    difference as 0 is.

    `resampled`, (resamples,), and `observed` are summed differences in whole units. If clusters of
    different sizes are drawn, `sizes` holds the number of EVALs in each resample, (resamples,), and
    in the sample.
    """
    # The means themselves are not whole, but multiplied by both numbers of EVALs they are.
    drawn, n_evals = sizes or (np.ones(1), 1.0)
    is_extreme = np.abs(resampled * n_evals - observed * drawn) >= abs(observed) * drawn
    return resampling_p(np.count_nonzero(is_extreme), len(resampled))


def is_enumerable(differences: Floats, resamples: int) -> bool:
    """Return whether the possible choices of swaps are no more than `resamples`.

    Swapping EVALs with equal scores changes nothing, so they do not count.
    """
    return bool(np.count_nonzero(differences) < resamples.bit_length())


def _all_signs(rows: Floats) -> Floats:
    """Return the sums of n rows for all choices of their signs, shape (2**n, ...)."""
    sums = np.zeros((1, *rows.shape[1:]))
    for row in rows:
        sums = np.concatenate((sums + row, sums - row))
    return sums


def randomisation_p(differences: Floats, swapped: Floats) -> tuple[Fraction, bool]:
    """Return the two-sided p of a summed difference, and whether it is exact.

    p is the fraction of choices of swaps whose summed difference is at least as far from 0 as the
    observed one. It is exact if it covers all choices; otherwise they are random. `differences`,
    (n_evals,), are in whole units; `swapped`, (resamples,), has their sums over the EVALs that each
    resample swaps.
    """
    is_exact = is_enumerable(differences, len(swapped))
    # Swapping an EVAL turns the sign of its difference, which subtracts the difference twice.
    sums = (
        _all_signs(differences[differences != 0]) if is_exact else differences.sum() - 2 * swapped
    )
    n_extreme = np.count_nonzero(np.abs(sums) >= abs(differences.sum()))
    return resampling_p(n_extreme, len(sums), are_all=is_exact), is_exact


def equivalence_p(differences: Floats, margins: Floats, swapped: tuple[Floats, Floats]) -> Fraction:
    """Return the p of the hypothesis that a difference is as far from 0 as a margin, or farther.

    It is the larger p of two one-sided tests, which shift the differences by the margin, upwards
    and downwards, before they swap them. `differences` and `margins`, (n_evals,), are in whole
    units; `swapped` has the sums of both over the EVALs that each resample swaps, (resamples,).
    """
    return max(
        one_sided_p(margins + sign * differences, swapped[1] + sign * swapped[0])
        for sign in (1, -1)
    )


def one_sided_p(values: Floats, swapped: Floats) -> Fraction:
    """Return the one-sided p of a sum, which is small if the sum is far above 0.

    It covers all choices of swaps if there are few enough, and random ones otherwise. `values`,
    (n_evals,), are in whole units; `swapped`, (resamples,), has their sums over the EVALs that each
    resample swaps.
    """
    if is_enumerable(values, len(swapped)):
        sums = _all_signs(values[values != 0])
        return resampling_p(np.count_nonzero(sums >= values.sum()), len(sums), are_all=True)
    # A swap turns the sign of values: if those swapped sum to at most 0, the total does not fall.
    return resampling_p(np.count_nonzero(swapped <= 0), len(swapped))


def holm_adjusted(p_values: Sequence[Fraction]) -> list[Fraction]:
    """Return p-values after Holm's correction, in the order given.

    The smallest of n p-values is multiplied by n, the next one by n - 1, and so on. Each result is
    at least the one before it and at most 1. Tests may depend on each other in any way.
    """
    # Fractions, since a corrected p may equal the level exactly.
    adjusted = [Fraction(1)] * len(p_values)
    least = Fraction(0)
    ascending = sorted(range(len(p_values)), key=p_values.__getitem__)
    for n_before, index in enumerate(ascending):
        least = max(least, min(Fraction(1), (len(p_values) - n_before) * p_values[index]))
        adjusted[index] = least
    return adjusted


def tested_pairs(
    shared: SharedScores, columns: Sequence[ComparedColumn], plan: TestPlan
) -> list[TestedPair]:
    """Test every pair of systems in every column; the result lists the pairs column by column."""
    sums = _Resampled(shared, plan)
    return [
        (_tested_aggregation if column.aggregation else _tested_mean)(pair, number, column, sums)
        for number, column in enumerate(columns)
        for pair in combinations(range(shared.units.shape[1]), 2)
    ]


def _tested_mean(
    pair: tuple[int, int], number: int, compared: ComparedColumn, sums: _Resampled
) -> TestedPair:
    shared, plan, (first, second), (k,) = sums.shared, sums.plan, pair, compared.indices
    units, n_evals = shared.units[:, pair, k], float(shared.sizes.sum())
    differences = units[:, 0] - units[:, 1]
    observed = float(differences.sum())
    drawn = sums.drawn[:, first, k] - sums.drawn[:, second, k]
    sizes = None if shared.is_even else (sums.drawn_sizes, n_evals)
    bootstrap = bootstrap_p(drawn, observed, sizes)
    if not shared.is_even:
        # Resamples of clusters have different numbers of EVALs: compare means, as sums over all.
        drawn = drawn / sums.drawn_sizes * n_evals
    swapped = sums.swapped[:, first, k] - sums.swapped[:, second, k]
    randomisation, is_exact = randomisation_p(differences, swapped)
    equivalence = None
    if plan.margin is not None:
        margin = float(plan.margin * compared.scale)
        of_resamples = swapped, margin * sums.swapped_sizes
        equivalence = equivalence_p(differences, margin * shared.sizes, of_resamples)
    spread = of_evals = Spread.of(differences, shared.sizes)
    if shared.of_evals is not None:
        each = shared.of_evals[:, first, k] - shared.of_evals[:, second, k]
        of_evals = Spread.of(each, np.ones(len(each)))
    # Recall, precision and F are between 0 and 1 in most packages, but not in all, so look at them.
    greatest = float(compared.scale) * shared.sizes
    is_share = compared.column.letter in SHARE_LETTERS and bool(
        (units >= 0).all() and (units <= greatest[:, np.newaxis]).all()
    )
    most = float(greatest.sum()) if is_share else inf
    total_a, total_b = units.sum(axis=0).tolist()
    return TestedPair(
        pair,
        number,
        n_evals=int(n_evals),
        n_blocks=len(differences),
        n_unequal=int(np.count_nonzero(differences)),
        sums=(int(total_a), int(total_b)),
        bounds=difference_interval(drawn, observed, spread, plan.confidence, most),
        spread=spread,
        of_evals=of_evals,
        bootstrap=bootstrap,
        randomisation=randomisation,
        is_exact=is_exact,
        swapped=swapped,
        are_all=sums.are_all,
        equivalence=equivalence,
    )


class _AggregatedPair:
    """The parts of an aggregated metric for two systems, as whole numbers.

    - `parts`: the indices of the parts among the columns.
    - `units`: the parts summed over each block, shape (n_blocks, 2, n_parts).
    - `differences`: the first system's units less those of the second, (n_blocks, n_parts).
    - `of_evals`: such differences for single EVALs, (n_evals, n_parts).
    - `scales`: the number of units in a score of 1, (n_parts,).
    """

    def __init__(
        self, pair: tuple[int, int], compared: ComparedColumn, shared: SharedScores
    ) -> None:
        self.parts = list(compared.indices)
        self.units = shared.units[:, list(pair)][:, :, self.parts]
        each = self.units
        if shared.of_evals is not None:
            each = shared.of_evals[:, list(pair)][:, :, self.parts]
        self.differences = self.units[:, 0] - self.units[:, 1]
        self.of_evals = each[:, 0] - each[:, 1]
        self.scales = np.array(compared.scales, np.float64)
        self.n_evals = float(shared.sizes.sum())
        self.aggregation = cast("Aggregation", compared.aggregation)

    def scores(self, sums: Floats, n_evals: Floats | float) -> Floats:
        """Return the scores, (...), from sums of parts, (..., n_parts), over `n_evals`, (...)."""
        counts = np.broadcast_to(np.asarray(n_evals, np.float64), sums.shape[:-1])
        means = sums / self.scales / counts[..., np.newaxis]
        return self.aggregation.score(np.moveaxis(means, -1, 0), counts)

    def after_swaps(self, sums: Floats) -> Floats:
        """Return the difference of the two scores for each difference of sums, (n, n_parts)."""
        # Swaps leave the total of both systems as it is, so it and the difference give each sum.
        total, n = self.units.sum(axis=(0, 1)), self.n_evals
        return self.scores((total + sums) / 2, n) - self.scores((total - sums) / 2, n)

    def linear(self, differences: Floats) -> Floats:
        """Return what each block or EVAL contributes to the difference of the scores.

        This is the linear approximation of the delta method. `differences` has shape (n, n_parts).
        Slopes are taken at the means of both systems together, which swaps do not change.
        """
        n = self.n_evals
        means = self.units.sum(axis=(0, 1)) / 2 / self.scales / n
        slopes = self.aggregation.slopes(means, int(n))
        return differences @ (slopes / self.scales) / n


def _tested_aggregation(
    pair: tuple[int, int], number: int, compared: ComparedColumn, sums: _Resampled
) -> TestedPair:
    # As in `_tested_mean`, but scores are computed anew from the sums of each resample. They are
    # not exact, so differences that equal the observed one within `tolerance` are as extreme.
    shared, plan, both = sums.shared, sums.plan, _AggregatedPair(pair, compared, sums.shared)
    score_a, score_b = both.scores(both.units.sum(axis=0), both.n_evals).tolist()
    observed, tolerance = score_a - score_b, EQUAL * max(abs(score_a), abs(score_b))
    least = abs(observed) - tolerance
    of_a, of_b = (sums.drawn[:, system][:, both.parts] for system in pair)
    drawn = both.scores(of_a, sums.drawn_sizes) - both.scores(of_b, sums.drawn_sizes)
    n_extreme = np.count_nonzero(np.abs(drawn - observed) >= least)
    of_a, of_b = (sums.swapped[:, system][:, both.parts] for system in pair)
    after_swaps = both.after_swaps(both.differences.sum(axis=0) - 2 * (of_a - of_b))
    unequal = both.differences[both.differences.any(axis=1)]
    is_exact = len(unequal) < plan.resamples.bit_length()
    by_chance = both.after_swaps(_all_signs(unequal)) if is_exact else after_swaps
    n_by_chance = np.count_nonzero(np.abs(by_chance) >= least)
    equivalence = None
    if plan.margin is not None:
        # Swapping an EVAL also turns the sign of its margin, which subtracts the margin twice.
        margin = float(plan.margin)
        margins = margin * (both.n_evals - 2 * sums.swapped_sizes) / both.n_evals
        equivalence = max(
            resampling_p(
                np.count_nonzero(
                    sign * after_swaps + margins >= sign * observed + margin - tolerance
                ),
                len(after_swaps),
                are_all=sums.are_all,
            )
            for sign in (1, -1)
        )
    spread = Spread.of(both.linear(both.differences), shared.sizes)
    return TestedPair(
        pair,
        number,
        n_evals=int(both.n_evals),
        n_blocks=len(both.units),
        n_unequal=len(unequal),
        sums=(score_a, score_b),
        bounds=difference_interval(drawn, observed, spread, plan.confidence),
        spread=spread,
        of_evals=Spread.of(both.linear(both.of_evals), np.ones(len(both.of_evals))),
        bootstrap=resampling_p(n_extreme, plan.resamples),
        randomisation=resampling_p(n_by_chance, len(by_chance), are_all=is_exact),
        is_exact=is_exact,
        swapped=(observed - after_swaps) / 2,
        are_all=sums.are_all,
        equivalence=equivalence,
    )
