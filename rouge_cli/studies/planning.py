"""How many EVALs a comparison needs, found by comparing simulated systems with the tool's own test.

Differences of two systems are drawn from those of a pilot, moved to the difference that is to be
found, and tested by approximate randomisation, as `compare` does.

Sources: D. Card, P. Henderson, U. Khandelwal, R. Jia, K. Mahowald, D. Jurafsky, With Little Power
Comes Great Responsibility, EMNLP 2020; J. Cohen, Statistical Power Analysis for the Behavioral
Sciences, 1988; G. W. Hill, Algorithm 396: Student's t-quantiles, Communications of the ACM 13,
1970, for the expansion of quantiles of t in those of the normal distribution; R. H.
Browne, On the Use of a Pilot Sample for Sample Size Determination, Statistics in Medicine 14, 1995.
"""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from math import ceil, sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import InputError, OptionError
from rouge_cli.options.options import Options
from rouge_cli.progress import tracked
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.scores.results import Results, ScoreTable
from rouge_cli.studies.draws import swaps
from rouge_cli.studies.intervals import chi_square_quantile, chi_square_tail, t_quantile
from rouge_cli.studies.paired_tests import resampling_p
from rouge_cli.studies.score_columns import Column, columns_of, shared_scores, system_units
from rouge_cli.studies.unseen import largest_change, score_ends, unseen_rate, unseen_texts

Floats = NDArray[np.float64]

POWER = 0.8
"""The conventional power of a study."""

FEWEST_DEGREES = 4
"""With fewer EVALs little is known of how much they vary."""

SIMULATED = 2000
"""Comparisons that are simulated for each number of EVALs: a power of 0.8 is right to 0.009."""

LEAST_RESAMPLES = 999

RESAMPLES_OF_LEVEL = 20
"""The resamples that the level leaves room for, at least: fewer would be a coarse test."""

GROUPS = 20
"""Of simulated comparisons, each with swaps of its own."""


@dataclass(frozen=True, slots=True)
class SimulatedTest:
    """The test whose power is simulated: approximate randomisation, significant at `level`.

    `is_equivalence`: it is to show that systems are the same, and not that they differ. Then the
    interval of `compare`, about normal, has to lie in the margin too, with 3/n of n EVALs that
    change by `change`.
    """

    level: Fraction
    seed: int
    is_equivalence: bool = False
    change: float = 0.0

    @property
    def resamples(self) -> int:
        """Of each test."""
        return max(LEAST_RESAMPLES, ceil(RESAMPLES_OF_LEVEL / self.level) - 1)


def smallest_difference(
    standard_error: float, n_blocks: int, level: float, power: float = POWER
) -> float | None:
    """Return the difference of means that a two-sided paired test finds with this power.

    The standard error is that of the difference, from `n_blocks` EVALs or clusters; `level` is that
    at which one test is significant. None where the test could not find any difference, or too few
    EVALs say how much they vary.
    """
    degrees = n_blocks - 1
    is_out_of_reach = 2.0 ** (1 - n_blocks) > level
    if degrees < FEWEST_DEGREES or is_out_of_reach or not (standard_error and 0 < level < 1):
        return None
    return standard_error * (t_quantile(1 - level / 2, degrees) + t_quantile(power, degrees))


def needed_blocks(spread: float, test: SimulatedTest, power: float, unseen: float = 0.0) -> int:
    """Return how many EVALs a paired test takes, if means are normally distributed.

    `spread` is the standard deviation of the differences of EVALs, in units of the difference that
    is to be found, or of a margin that equal systems are to keep; so is `unseen`, for the latter:
    how far texts that n EVALs miss move the mean, times n.
    """
    quantile, level = NormalDist().inv_cdf, float(test.level)
    needed = quantile(1 - level / 2) + quantile((1 + power) / 2 if test.is_equivalence else power)
    # Where the interval and what is unseen make the margin: needed spread / sqrt(n) + unseen / n.
    half = needed * spread / 2
    return max(2, ceil((half + sqrt(half**2 + unseen)) ** 2))


def simulated_power(
    residuals: Floats,
    sizes: Floats,
    n_blocks: int,
    differences: Sequence[float],
    test: SimulatedTest,
) -> list[float]:
    """Return the share of simulated comparisons that find each of some differences of means.

    A test of equivalence takes margins: the share of those that show equal systems the same within
    each. Each simulated comparison has `n_blocks`, drawn from `residuals`, the differences less
    their mean, added up over each block, and `sizes`, its EVALs; both (n_pilot,).
    """
    n_found = np.zeros(len(differences), np.int64)
    random = np.random.Generator(np.random.PCG64(np.random.SeedSequence(test.seed, spawn_key=(3,))))
    for group in range(GROUPS):
        # The same swaps for all would give all the same error of drawing.
        swapped = swaps(n_blocks, test.resamples, test.seed + group)
        signs = 1 - 2 * np.concatenate(list(swapped))
        chosen = random.integers(0, len(residuals), (n_blocks, SIMULATED // GROUPS))
        n_found += _n_found(signs, residuals[chosen], sizes[chosen], differences, test)
    shares: list[float] = (n_found / SIMULATED).tolist()
    return shares


def _n_found(
    signs: Floats,
    drawn: Floats,
    drawn_sizes: Floats,
    differences: Sequence[float],
    test: SimulatedTest,
) -> list[int]:
    """Return how many comparisons find each difference, all with the same swaps.

    `signs`, (resamples, n_blocks), are 1, or -1 where a resample swaps. `drawn` and `drawn_sizes`
    have shape (n_blocks, n_comparisons).
    """
    # A difference moves every sum by what it moves the sizes: so all need one product.
    resampled, resampled_sizes = signs @ drawn, signs @ drawn_sizes
    observed, n_evals = drawn.sum(axis=0), drawn_sizes.sum(axis=0)
    n_found = []
    for difference in differences:
        if test.is_equivalence:
            margins = resampled_sizes * difference, n_evals * difference
            counts = np.maximum(
                _counts(margins[0] + resampled, margins[1] + observed),
                _counts(margins[0] - resampled, margins[1] - observed),
            )
        else:
            moved = np.abs(observed + difference * n_evals)
            counts = _counts(np.abs(resampled + difference * resampled_sizes), moved)
        is_found = [resampling_p(count, test.resamples) <= test.level for count in counts.tolist()]
        if test.is_equivalence:
            farthest = _farthest(drawn, drawn_sizes, test)
            is_found = (np.array(is_found) & (farthest <= difference)).tolist()
        n_found.append(sum(is_found))
    return n_found


def _farthest(drawn: Floats, sizes: Floats, test: SimulatedTest) -> Floats:
    """Return how far from 0 each mean may be, by its interval and by texts that are unseen."""
    n_blocks, n_evals = len(drawn), sizes.sum(axis=0)
    means = drawn.sum(axis=0) / n_evals
    centred = drawn - sizes * means
    errors = np.sqrt((centred**2).sum(axis=0)) / n_evals
    quantile = NormalDist().inv_cdf(1 - float(test.level) / 2)
    unseen = unseen_rate(n_blocks, test.level) * test.change
    farthest: Floats = np.abs(means) + quantile * errors + unseen
    return farthest


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
    # A power curve is nearly a normal distribution function, so its quantiles lie on a line.
    quantiles = np.array([NormalDist().inv_cdf(share) for share in p.tolist()])
    # A quantile is as sure as the density there and the share allow.
    weights = np.array([NormalDist().pdf(q) for q in quantiles.tolist()]) / np.sqrt(p * (1 - p))
    slope, start = np.polyfit(x, quantiles, 1, w=weights)
    return float((NormalDist().inv_cdf(power) - start) / slope) if slope > 0 else None


MOST_SIMULATED = 10_000
"""EVALs up to which comparisons are simulated; the means of more are practically normal."""

FEW_BLOCKS = 60
"""Up to so many EVALs each number is tried; a larger one is read off a fitted line.

The p of few EVALs has large steps, which no line follows.
"""

FEWEST_BLOCKS = 3

AROUND = (0.6, 0.75, 0.9, 1.0, 1.15, 1.35, 1.6)
"""Where the power is simulated, as shares of the number that the normal distribution predicts."""


@dataclass(frozen=True, slots=True)
class PlanQuestion:
    """What is asked.

    - `difference`: of two means, that is to be found.
    - `margin`: within which equal systems are to be shown the same.
    - `level`: at which a comparison is significant.
    - `comparisons`: how many there will be, so that the first of Holm's has this part of the level.
    - `spread`: standard deviation of the differences, where the pilot has one system.
    - `letters`: the measures.
    - `spread_confidence`: where given, the standard deviation is the upper limit that holds with
      this confidence.
    """

    difference: Fraction | None
    margin: Fraction | None
    power: float
    level: Fraction
    comparisons: int = 1
    spread: float | None = None
    seed: int = 2004
    letters: str = "F"
    spread_confidence: float | None = None

    @property
    def is_equivalence(self) -> bool:
        """Whether sameness is to be shown, and not a difference."""
        return self.difference is None and self.margin is not None

    @property
    def test(self) -> SimulatedTest:
        """The test of one comparison."""
        return SimulatedTest(self.level / self.comparisons, self.seed, self.is_equivalence)


@dataclass(frozen=True, slots=True)
class PlannedColumn:
    """The answer in one measure of one metric.

    - `spread`: standard deviation of the differences of EVALs, or of the mean ones of clusters.
    - `detectable`: the difference that as many EVALs as the pilot has find with the power asked
      for; None if none can be found.
    - `n_needed`: how many EVALs, or clusters, the difference or the margin takes; None if nothing
      was asked, or if more are needed than a plan is made for.
    - `is_simulated`: whether the number comes from simulation, and not from the normal
      distribution.
    - `curve`: numbers of EVALs, or clusters, and the power that each has in simulation.
    """

    column: Column
    spread: float
    detectable: float | None
    n_needed: int | None
    is_simulated: bool
    curve: tuple[tuple[int, float], ...]


@dataclass(frozen=True, slots=True)
class StudyPlan:
    """The answer, from a pilot with two systems or one; `options` are those of the scores.

    With clusters there are fewer blocks than EVALs.
    """

    systems: tuple[str, ...]
    n_evals: int
    n_blocks: int
    columns: tuple[PlannedColumn, ...]
    question: PlanQuestion
    options: Options
    warnings: tuple[str, ...]

    @property
    def n_clusters(self) -> int | None:
        """The number of clusters; None if what is counted are EVALs."""
        return self.n_blocks if self.n_blocks < self.n_evals else None

    def share_below(self, power: float) -> float:
        """Return how often plans from such pilots have less than this power, at best.

        Of a plan it is Phi((z_level + z_power) s / SD - z_level) if the pilot has the standard
        deviation s of normal differences; sameness fails on two sides, in half of the failures
        each.
        """
        degrees, test = self.n_blocks - 1, self.question.test
        at_level = NormalDist().inv_cdf(1 - float(test.level) / 2)

        def distance(share: float) -> float:
            return at_level + NormalDist().inv_cdf(
                (1 + share) / 2 if test.is_equivalence else share
            )

        ratio = distance(power) / distance(self.question.power)
        return 1 - chi_square_tail(degrees * ratio**2, degrees)


@dataclass(frozen=True, slots=True, eq=False)
class _Pilot:
    """The source of simulated differences of two systems.

    `residuals` are differences less their mean, added up over each block, so far apart that drawing
    from them gives differences that spread as those that the pilot is a sample of. `sizes` are the
    EVALs of each block. Both have shape (n_blocks,). `change` is how far a text can move.
    """

    residuals: Floats
    sizes: Floats
    change: float = 0.0

    @property
    def spread(self) -> float:
        """Standard deviation of the mean differences of blocks of the usual size."""
        return sqrt(float((self.residuals**2).mean())) / float(self.sizes.mean())


def plan_study(results: Results, systems: Sequence[str], question: PlanQuestion) -> StudyPlan:
    """Plan a comparison from a pilot: two systems, or one if the question has the spread.

    `results` are means over EVALs; no bootstrap is needed. Raises InputError if there are too few
    EVALs, or they do not differ.
    """
    columns, left_out = _plannable(results.table, question.letters)
    pilots, n_evals = _pilots(results, systems, columns, question)
    planned = tuple(
        _planned(column, pilot, question) for column, pilot in zip(columns, pilots, strict=True)
    )
    n_blocks = len(pilots[0].residuals)
    warnings = (*results.warnings, *left_out)
    return StudyPlan(
        tuple(systems), n_evals, n_blocks, planned, question, results.options, warnings
    )


def _plannable(table: ScoreTable, letters: str) -> tuple[tuple[Column, ...], list[str]]:
    """Return the columns that are means over EVALs, and warnings of the others.

    Raises OptionError if there is no column.
    """
    scored = columns_of(table, letters)
    columns = tuple(column for column in scored if column.is_mean_of_evals)
    others = [column.metric for column in scored if not column.is_mean_of_evals]
    reason = "no mean over EVALs, which differences could be simulated of; fuse each EVAL instead"
    if not columns:
        raise OptionError(f"nothing to plan with: {', '.join(others)} is {reason}")
    return columns, [f"{name} is left out: it is {reason} (eval-...)" for name in others]


def _pilots(
    results: Results, systems: Sequence[str], columns: Sequence[Column], question: PlanQuestion
) -> tuple[list[_Pilot], int]:
    """Return what to draw from in each column, and the number of EVALs."""
    chosen = [results.table.systems[system] for system in systems]
    if len(chosen) == 1:
        # A system against itself has all its EVALs in common.
        chosen = chosen * 2
    units, scales, _ = system_units(chosen, columns)
    shared = shared_scores(units, results.table.clusters)
    if len(shared.sizes) < FEWEST_BLOCKS:
        raise InputError("a pilot needs at least 3 EVALs, or clusters, that its systems share")
    scores = shared.units / scales
    of_systems = scores.sum(axis=0) / shared.sizes.sum()
    ends = {metric.name: score_ends(metric) for metric in results.table.metrics}
    values = scores[:, 0] if len(systems) == 1 else scores[:, 0] - scores[:, 1]
    means = values.sum(axis=0) / shared.sizes.sum()
    pilots = []
    for index, column in enumerate(columns):
        residuals = values[:, index] - shared.sizes * means[index]
        residuals *= sqrt(len(residuals) / (len(residuals) - 1))
        if not residuals.any():
            raise InputError(
                f"{column.metric} {column.letter}: all EVALs of the pilot say the same; a plan "
                "needs scores that vary"
            )
        if question.spread is not None:
            residuals *= question.spread / _Pilot(residuals, shared.sizes).spread
        if question.spread_confidence is not None:
            degrees = len(residuals) - 1
            least = chi_square_quantile(1 - question.spread_confidence, degrees)
            residuals *= sqrt(degrees / least)
        change = largest_change(of_systems[:, index].tolist(), ends[column.metric])
        pilots.append(_Pilot(residuals, shared.sizes, change))
    return pilots, int(shared.sizes.sum())


def _planned(column: Column, pilot: _Pilot, question: PlanQuestion) -> PlannedColumn:
    """Answer in one column."""
    n_blocks = len(pilot.residuals)
    planned = PlannedColumn(column, pilot.spread, _detectable(pilot, question), None, True, ())
    wanted = question.margin if question.is_equivalence else question.difference
    if wanted is None:
        return planned
    change = pilot.change / float(wanted) if question.is_equivalence else 0.0
    unseen = unseen_texts(question.test.level) * change
    expected = needed_blocks(pilot.spread / float(wanted), question.test, question.power, unseen)
    if expected * AROUND[-1] > MOST_SIMULATED:
        return replace(planned, n_needed=expected, is_simulated=False)
    around = {max(FEWEST_BLOCKS, round(expected * share)) for share in AROUND} | {n_blocks}
    numbers = [n for n in sorted(around) if n <= MOST_SIMULATED]
    curve = [
        (n, _power(pilot, n, float(wanted), question))
        for n in tracked(numbers, "Simulating", numbers)
    ]
    if expected <= FEW_BLOCKS:
        needed = _counted_up(pilot, float(wanted), question)
    else:
        needed = _between(curve, expected, question)
    return replace(
        planned,
        n_needed=expected if needed is None else needed,
        is_simulated=needed is not None,
        curve=tuple(curve),
    )


def _counted_up(pilot: _Pilot, wanted: float, question: PlanQuestion) -> int | None:
    """Return the first number that succeeds often enough, as the next one does; None if none does.

    With few EVALs the p has large steps, so that the power goes up and down.
    """
    powers = ((n, _power(pilot, n, wanted, question)) for n in range(FEWEST_BLOCKS, 2 * FEW_BLOCKS))
    pairs = pairwise(powers)
    enough = (n for (n, power), (_, following) in pairs if min(power, following) >= question.power)
    return next(enough, None)


def _between(
    curve: Sequence[tuple[int, float]], expected: int, question: PlanQuestion
) -> int | None:
    """Return where a curve has the power asked for, if it has it near to what was expected."""
    # The quantile of the power grows with the root of the number; points far off would bend the
    # line. Sameness is to be shown on two sides, each of which fails in half of the failures.
    near = [(sqrt(n), power) for n, power in curve if 0.5 * expected <= n <= 2 * expected]
    power = question.power
    if question.is_equivalence:
        near, power = [(root, (1 + share) / 2) for root, share in near], (1 + power) / 2
    root = value_at_power(near, power)
    return None if root is None else ceil(root**2)


def _power(pilot: _Pilot, n_blocks: int, wanted: float, question: PlanQuestion) -> float:
    """Return how often a comparison of so many blocks finds what is asked for."""
    test = replace(question.test, change=pilot.change)
    (power,) = simulated_power(pilot.residuals, pilot.sizes, n_blocks, [wanted], test)
    return power


def _detectable(pilot: _Pilot, question: PlanQuestion) -> float | None:
    """Return which difference a comparison of the pilot's size finds with the power asked for."""
    n_blocks = len(pilot.residuals)
    test = replace(question.test, is_equivalence=False)
    error = pilot.spread / sqrt(n_blocks)
    expected = smallest_difference(error, n_blocks, float(test.level), question.power)
    if expected is None or n_blocks > MOST_SIMULATED:
        return expected
    differences = [expected * share for share in AROUND]
    powers = simulated_power(pilot.residuals, pilot.sizes, n_blocks, differences, test)
    return value_at_power(list(zip(differences, powers, strict=True)), question.power)
