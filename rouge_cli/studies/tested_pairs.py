"""All tests of all pairs of systems that have the same EVALs in common.

A score of a system is a mean over EVALs, or made of several such means by an aggregation. Then a
resample draws or swaps whole EVALs, with all parts of the metric at once, and a score is made of
the means that result. Sums of parts are whole numbers and exact; scores made of them are not, so
differences within rounding errors of each other count as equal.

Source: the standard error and the skewness of an aggregation come from a linear approximation, the
delta method; see B. Efron and R. Tibshirani, An Introduction to the Bootstrap, 1993, section 21.7.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from rouge_cli.metrics.counts import Aggregation
from rouge_cli.options.scores import HISTOGRAM
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.scores.bootstrap import DRAWN, SWAPPED, Histogram, random_stream, swapped_sums
from rouge_cli.scores.bootstrap import drawn_sums as histograms_drawn
from rouge_cli.studies.draws import drawn_sums, every_swap, swaps, times_drawn
from rouge_cli.studies.paired_tests import (
    ResampledSums,
    SwappedDifference,
    TestedPair,
    TestPlan,
    bootstrap_p,
    equivalence_p,
    exact_p,
    is_enumerable,
    moments,
    percentile_interval,
    randomisation_p,
    resampling_p,
)
from rouge_cli.studies.score_columns import ComparedColumn, SharedScores

EQUAL = 1e-11
"""Differences of scores that are so near to each other, as a share of the scores, are equal."""

Floats = NDArray[np.float64]


def tested_pairs(
    shared: SharedScores, columns: Sequence[ComparedColumn], plan: TestPlan, *, takes_all: bool
) -> list[TestedPair]:
    """Test every pair in every column.

    With `takes_all`, `TestedPair.swapped` may have all choices of swaps instead of random ones,
    where these are no more.
    """
    has_histograms = plan.bootstrap == HISTOGRAM
    sums = None if has_histograms else _shared_sums(shared, plan, takes_all=takes_all)
    return [
        tested
        for pair in shared.pairs
        for tested in _tested_columns(pair, shared, columns, sums, plan)
    ]


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
        # No more choices than resamples: all of them say more, and the p is exact.
        swapped = every_swap(n_blocks) @ flat
    else:
        swapped = drawn_sums(swaps, flat, plan.resamples, plan.seed)
    return ResampledSums(
        drawn[:, :-1].reshape(-1, *shape),
        drawn[:, -1],
        swapped[:, :-1].reshape(-1, *shape),
        np.broadcast_to(swapped[:, -1:], (len(swapped), shape[1])),
        are_all,
    )


def _histogram_sums(differences: Floats, plan: TestPlan) -> ResampledSums:
    """Draw and swap how often each difference occurs, column by column.

    A system with these differences stands beside one that has nothing but zeros.
    """
    histograms = [Histogram.of(column) for column in differences.T]
    drawn = [
        histograms_drawn(histogram, plan.resamples, random_stream(plan.seed, DRAWN))
        for histogram in histograms
    ]
    swapped = [
        swapped_sums(histogram, plan.resamples, random_stream(plan.seed, SWAPPED))
        for histogram in histograms
    ]
    sums, times = (np.stack(parts, axis=1) for parts in zip(*swapped, strict=True))
    sizes = np.full(plan.resamples, float(len(differences)))
    of_both = [np.stack((x, np.zeros_like(x)), axis=1) for x in (np.stack(drawn, axis=1), sums)]
    return ResampledSums(of_both[0], sizes, of_both[1], times, are_all=False)


def _tested_columns(
    pair: tuple[int, int],
    shared: SharedScores,
    columns: Sequence[ComparedColumn],
    sums: ResampledSums | None,
    plan: TestPlan,
) -> Iterator[TestedPair]:
    """Test a pair in every column; without sums of all systems by histograms."""
    first, second = numbers = [shared.systems.index(system) for system in pair]
    differences = shared.units[:, first] - shared.units[:, second]
    if sums is None:
        sums, first, second = _histogram_sums(differences, plan), 0, 1
    drawn = sums.drawn[:, first] - sums.drawn[:, second]
    left, right = sums.swapped[:, first], sums.swapped[:, second]
    n_evals, observed = float(shared.sizes.sum()), differences.sum(axis=0)
    sizes = None if shared.is_even else (sums.drawn_sizes, n_evals)
    by_bootstrap = bootstrap_p(drawn, observed, sizes)
    if sizes is not None:
        drawn = drawn / sizes[0][:, np.newaxis] * n_evals
    bounds = percentile_interval(drawn, plan.confidence)
    by_chance = randomisation_p(left - right, observed)
    totals = [shared.units[:, number].sum(axis=0) for number in numbers]
    for number, compared in enumerate(columns):
        if compared.aggregation is not None:
            both = _AggregatedPair.of(numbers, compared, compared.aggregation, shared, sums)
            yield _tested_aggregation(pair, number, both, sums, plan)
            continue
        (k,) = compared.indices
        column = differences[:, k]
        is_exact = is_enumerable(column, plan.resamples)
        error, skewness = moments(column, shared.sizes)
        norm = float(np.sqrt((column**2).sum()))
        swapped = SwappedDifference(left[:, k], right[:, k], float(observed[k]), norm, sums.are_all)
        equivalence = None
        if plan.margin is not None:
            margin = float(plan.margin * compared.scale)
            of_resamples = swapped.first - swapped.second, margin * sums.swapped_sizes[:, k]
            equivalence = equivalence_p(column, margin * shared.sizes, of_resamples)
        yield TestedPair(
            pair,
            number,
            n_evals=int(n_evals),
            n_blocks=len(column),
            n_unequal=int(np.count_nonzero(column)),
            sums=(int(totals[0][k]), int(totals[1][k])),
            bounds=(float(bounds[0, k]), float(bounds[1, k])),
            standard_error=error,
            skewness=skewness,
            bootstrap=by_bootstrap[k],
            randomisation=exact_p(column) if is_exact else by_chance[k],
            is_exact=is_exact,
            swapped=swapped,
            equivalence=equivalence,
        )


@dataclass(frozen=True, slots=True, eq=False)
class _AggregatedPair:
    """Two systems and the parts of a metric.

    - `units`: whole numbers, added up over each block; (n_blocks, 2, n_parts).
    - `scales`: how many units make a part of 1; (n_parts,).
    - `sizes`: EVALs of each block; (n_blocks,).
    - `drawn`: units of each system, added up over what each resample draws; (2, resamples,
      n_parts).
    - `swapped`: the difference of these units after swaps; (resamples or choices, n_parts).
    """

    aggregation: Aggregation
    units: Floats
    scales: Floats
    sizes: Floats
    drawn: Floats
    swapped: Floats

    @classmethod
    def of(
        cls,
        numbers: Sequence[int],
        column: ComparedColumn,
        aggregation: Aggregation,
        shared: SharedScores,
        sums: ResampledSums,
    ) -> "_AggregatedPair":
        """Return two systems, by their numbers, in a column with an aggregation."""
        parts = list(column.indices)
        units = shared.units[:, list(numbers)][:, :, parts]
        first, second = (sums.swapped[:, number][:, parts] for number in numbers)
        return cls(
            aggregation,
            units,
            np.array(column.scales, np.float64),
            shared.sizes,
            np.stack([sums.drawn[:, number][:, parts] for number in numbers]),
            (units[:, 0] - units[:, 1]).sum(axis=0) - 2 * (first - second),
        )

    @property
    def n_evals(self) -> float:
        """How many EVALs there are."""
        return float(self.sizes.sum())

    @property
    def differences(self) -> Floats:
        """Those of the parts, in units; shape (n_blocks, n_parts)."""
        differences: Floats = self.units[:, 0] - self.units[:, 1]
        return differences

    def scores(self, sums: Floats, n_evals: Floats | float) -> Floats:
        """Return the scores of sums, shape (..., n_parts), over so many EVALs, shape (...)."""
        counts = np.broadcast_to(np.asarray(n_evals, np.float64), sums.shape[:-1])
        means = sums / self.scales / counts[..., np.newaxis]
        return self.aggregation.score(np.moveaxis(means, -1, 0), counts)

    def after_swaps(self, sums: Floats) -> Floats:
        """Return differences of scores from those of the sums of parts, (n, n_parts).

        No swap changes what both systems have together.
        """
        total = self.units.sum(axis=(0, 1))
        n = self.n_evals
        difference: Floats = self.scores((total + sums) / 2, n) - self.scores((total - sums) / 2, n)
        return difference

    def linear_differences(self) -> Floats:
        """Return what each block adds to the difference of the scores, to a first order.

        The slopes are those at the means of both systems together, which no swap changes.
        """
        n = self.n_evals
        means = self.units.sum(axis=(0, 1)) / 2 / self.scales / n
        slopes = self.aggregation.slopes(means, int(n))
        linear: Floats = self.differences @ (slopes / self.scales) / n
        return linear


def _tested_aggregation(
    pair: tuple[int, int],
    number: int,
    both: _AggregatedPair,
    sums: ResampledSums,
    plan: TestPlan,
) -> TestedPair:
    """Test a pair in a column with an aggregation; `number` is that of the column."""
    score_a, score_b = both.scores(both.units.sum(axis=0), both.n_evals).tolist()
    observed, tolerance = score_a - score_b, EQUAL * max(abs(score_a), abs(score_b))
    least = abs(observed) - tolerance
    of_a, of_b = both.scores(both.drawn, sums.drawn_sizes)
    drawn = of_a - of_b
    lower, upper = percentile_interval(drawn[:, np.newaxis], plan.confidence)[:, 0].tolist()
    n_extreme = np.count_nonzero(np.abs(drawn - observed) >= least)
    randomisation, is_exact = _randomisation(both, least, plan.resamples)
    linear = both.linear_differences()
    error, skewness = moments(linear, both.sizes)
    halved = (observed - both.after_swaps(both.swapped)) / 2
    norm = float(np.sqrt((linear**2).sum()))
    equivalence = None
    if plan.margin is not None:
        observation = (observed, tolerance, float(plan.margin))
        equivalence = _equivalence_of_scores(both, sums, observation, plan.resamples)
    return TestedPair(
        pair,
        number,
        n_evals=int(both.n_evals),
        n_blocks=len(both.units),
        n_unequal=int(both.differences.any(axis=1).sum()),
        sums=(score_a, score_b),
        bounds=(lower, upper),
        standard_error=error,
        skewness=skewness,
        bootstrap=resampling_p(int(n_extreme), plan.resamples),
        randomisation=randomisation,
        is_exact=is_exact,
        swapped=SwappedDifference(halved, np.zeros(len(halved)), observed, norm, sums.are_all),
        equivalence=equivalence,
    )


def _randomisation(both: _AggregatedPair, least: float, resamples: int) -> tuple[Fraction, bool]:
    """Return the two-sided p, and whether all choices of swaps were taken.

    A difference of scores that is at least `least`, either way, counts.
    """
    unequal = both.differences[both.differences.any(axis=1)]
    if len(unequal) < resamples.bit_length():
        all_differences = both.after_swaps(_all_signs(unequal))
        return Fraction(
            int(np.count_nonzero(np.abs(all_differences) >= least)), len(all_differences)
        ), True
    count = np.count_nonzero(np.abs(both.after_swaps(both.swapped)) >= least)
    return resampling_p(int(count), len(both.swapped)), False


def _all_signs(rows: Floats) -> Floats:
    """Return the sums of rows, (n, n_columns), with all choices of signs; (2**n, n_columns)."""
    sums = np.zeros((1, rows.shape[1]))
    for row in rows:
        sums = np.concatenate((sums + row, sums - row))
    return sums


def _equivalence_of_scores(
    both: _AggregatedPair,
    sums: ResampledSums,
    observation: tuple[float, float, float],
    resamples: int,
) -> tuple[Fraction, bool]:
    """Return the p of the two one-sided tests, as `equivalence_p` does.

    `observation` is the difference of the scores, what counts as equal, and the margin. A swap
    takes the margin to the other side in its EVALs, and so takes twice their share off it.
    """
    observed, tolerance, margin = observation
    is_exact = len(both.sizes) < resamples.bit_length()
    after, left = both.swapped, both.n_evals - 2 * sums.swapped_sizes[:, 0]
    if is_exact:
        all_sums = _all_signs(np.column_stack((both.differences, both.sizes)))
        after, left = all_sums[:, :-1], all_sums[:, -1]
    differences = both.after_swaps(after)
    worst = Fraction(0)
    for sign in (1, -1):
        moved = sign * differences + margin * left / both.n_evals
        count = int(np.count_nonzero(moved >= sign * observed + margin - tolerance))
        p = Fraction(count, len(moved)) if is_exact else resampling_p(count, len(moved))
        worst = max(worst, p)
    return worst, is_exact
