"""The number of EVALs that a comparison needs, found by testing simulated systems.

Simulated differences of two systems are drawn from those of a pilot, shifted by the difference that
the study should find, and tested by approximate randomisation, as `compare` does.

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
from math import ceil, floor, sqrt
from statistics import NormalDist
from typing import Annotated, NamedTuple

import numpy as np

from rouge_cli.errors import InputError, OptionError
from rouge_cli.metrics.arithmetic import Floats
from rouge_cli.options.options import Options
from rouge_cli.progress import tracked
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports.rows import Shown
from rouge_cli.scores.results import Results, ScoreTable
from rouge_cli.scores.signature import signature
from rouge_cli.studies.resampling import (
    chi_square_quantile,
    chi_square_tail,
    largest_change,
    swaps,
    t_quantile,
    unseen_rate,
    unseen_texts,
)
from rouge_cli.studies.score_columns import ScoreColumn, columns_of, score_ends, shared_scores

POWER = 0.8  # the conventional power of a study
# Comparisons simulated for each number of EVALs, which give a power of 0.8 a standard error of
# 0.009. They come in groups with swaps of their own: if all comparisons shared their swaps, the
# sampling error of these would not average out.
SIMULATED, GROUPS = 2000, 20
# With more EVALs, means are practically normal, and a simulation adds nothing but time.
MOST_SIMULATED = 10_000
# The fewest EVALs of a pilot; and the most for which every number of EVALs is simulated.
FEWEST_BLOCKS, FEW_BLOCKS = 3, 60
# Numbers of EVALs to simulate, as multiples of what the normal distribution predicts.
AROUND = (0.6, 0.75, 0.9, 1.0, 1.15, 1.35, 1.6)
DetectableDifference = Annotated[
    float | None,
    Shown(
        "The smallest difference of means that such a study finds with the power of the plan, 80% "
        "in a comparison; null if it finds none.",
        "detectable",
        4,
        key="detectable",
    ),
]


@dataclass(frozen=True, slots=True)
class PlanQuestion:
    """The result that a study should be able to show, and with what power.

    `letters` are the measures, some of ``"R"``, ``"P"`` and ``"F"``. `spread` is the standard
    deviation of the differences of EVALs, for a pilot of one system.

    - `comparisons`: Planned comparisons; the smallest p of Holm's has this part of the level.
    - `spread_confidence`: Confidence of the upper limit that is used as standard deviation.
    """

    difference: Annotated[Fraction | None, Shown("The difference to find.")]
    margin: Annotated[Fraction | None, Shown("Within which equal systems are to be shown equal.")]
    power: Annotated[float, Shown("The share of studies that are to succeed.")]
    level: Annotated[Fraction, Shown("The largest significant p.")]
    comparisons: Annotated[int, Shown()] = 1
    spread: float | None = None
    seed: Annotated[int, Shown("Of the simulation.")] = 2004
    letters: str = "F"
    spread_confidence: Annotated[float | None, Shown(column="")] = None

    @property
    def is_equivalence(self) -> bool:
        """Whether the comparison is to show equality instead of a difference."""
        return self.difference is None and self.margin is not None

    @property
    def level_of_one(self) -> Fraction:
        """The level of a single comparison: that of the smallest p in Holm's correction."""
        return self.level / self.comparisons

    @property
    def resamples(self) -> int:
        """Resamples of each test: enough that some 20 may exceed a significant result."""
        return max(999, ceil(20 / self.level_of_one) - 1)


@dataclass(frozen=True, slots=True, eq=False)
class Pilot:
    """The differences from which simulations draw.

    `residuals` are the differences summed over each block, less their mean, and scaled so that
    draws from them have the unbiased variance. `sizes` are the numbers of EVALs in the blocks. Both
    have shape (n_blocks,). `change` is the most that a text can gain or lose.
    """

    residuals: Floats
    sizes: Floats
    change: float = 0.0

    @property
    def spread(self) -> float:
        """The standard deviation of the mean differences of blocks, as if all had average size."""
        return sqrt(float((self.residuals**2).mean())) / float(self.sizes.mean())


def smallest_difference(
    standard_error: float, n_blocks: int, level: float, power: float = POWER
) -> float | None:
    """Return the smallest difference of means that a two-sided paired test finds with this power.

    `standard_error` is that of the difference, estimated from `n_blocks` EVALs or clusters. None if
    the test cannot be significant at `level`, or if there are too few EVALs to estimate the
    standard error.
    """
    degrees = n_blocks - 1
    # The least p of randomisation is 2 / 2^n_blocks: one choice of swaps and its opposite.
    is_out_of_reach = degrees < 4 or 2.0**-degrees > level  # noqa: PLR2004
    if is_out_of_reach or not (standard_error and 0 < level < 1):
        return None
    return standard_error * (t_quantile(1 - level / 2, degrees) + t_quantile(power, degrees))


def needed_blocks(
    spread: float,
    level: Fraction,
    power: float,
    unseen: float = 0.0,
    *,
    is_equivalence: bool = False,
) -> int:
    """Return how many EVALs a paired test needs if means are normally distributed.

    `spread` is the standard deviation of the differences of EVALs. In a test of equivalence,
    ``unseen / n`` is how far texts that n EVALs fail to show could move the mean. Both are
    multiples of the difference or of the margin.
    """
    quantile = NormalDist().inv_cdf
    needed = quantile(1 - float(level) / 2)
    needed += quantile((1 + power) / 2 if is_equivalence else power)
    # Solve needed * spread / sqrt(n) + unseen / n = 1.
    half = needed * spread / 2
    return max(2, ceil((half + sqrt(half**2 + unseen)) ** 2))


def simulated_power(
    pilot: Pilot, n_blocks: int, differences: Sequence[float], question: PlanQuestion
) -> list[float]:
    """Return, for each difference, the fraction of simulated comparisons that find it.

    Each comparison draws `n_blocks` blocks of the pilot, and is tested by approximate
    randomisation. For a test of equivalence, `differences` are margins, and the fraction is that of
    comparisons that show equal systems to be the same. This also requires that the interval of
    `compare`, here a normal one, lies within the margin, even if 3/n of the texts change by
    `pilot.change`.
    """
    n_found = np.zeros(len(differences), np.int64)
    random = np.random.Generator(
        np.random.PCG64(np.random.SeedSequence(question.seed, spawn_key=(3,)))
    )
    for group in range(GROUPS):
        swapped = swaps(n_blocks, question.resamples, question.seed + group)
        signs = 1 - 2 * np.concatenate(list(swapped))
        chosen = random.integers(0, len(pilot.sizes), (n_blocks, SIMULATED // GROUPS))
        drawn = replace(pilot, residuals=pilot.residuals[chosen], sizes=pilot.sizes[chosen])
        n_found += _n_found(signs, drawn, differences, question)
    shares: list[float] = (n_found / SIMULATED).tolist()
    return shares


def _n_found(
    signs: Floats, pilot: Pilot, differences: Sequence[float], question: PlanQuestion
) -> list[int]:
    """Return how many comparisons find each difference; all of them have the same swaps.

    `signs`, (resamples, n_blocks), are -1 in the blocks that a resample swaps, and 1 in the others.
    The arrays of `pilot` are the blocks drawn from it, shape (n_blocks, n_comparisons).
    """
    drawn, sizes, level = pilot.residuals, pilot.sizes, question.level_of_one
    # A shift adds the difference times the sizes, so these two products serve all differences.
    resampled, resampled_sizes = signs @ drawn, signs @ sizes
    observed, n_evals = drawn.sum(axis=0), sizes.sum(axis=0)
    # How far each mean may be from 0, by its interval and by texts that the sample does not show.
    means = observed / n_evals
    errors = np.sqrt(((drawn - sizes * means) ** 2).sum(axis=0)) / n_evals
    quantile = NormalDist().inv_cdf(1 - float(level) / 2)
    farthest = np.abs(means) + quantile * errors + unseen_rate(len(drawn), level) * pilot.change

    def n_extreme(resampled: Floats, observed: Floats) -> Floats:
        tolerance = 1e-9 * np.abs(observed)
        counts: Floats = (resampled >= observed - tolerance).sum(axis=0)
        return counts

    # p, which is (n_extreme + 1) / (resamples + 1), is significant up to this number.
    most_extreme = floor(level * (len(signs) + 1)) - 1
    n_found = []
    for difference in differences:
        shifts, shift = difference * resampled_sizes, difference * n_evals
        if question.is_equivalence:
            above = n_extreme(shifts + resampled, shift + observed)
            below = n_extreme(shifts - resampled, shift - observed)
            is_found = (np.maximum(above, below) <= most_extreme) & (farthest <= difference)
        else:
            counts = n_extreme(np.abs(resampled + shifts), np.abs(observed + shift))
            is_found = counts <= most_extreme
        n_found.append(int(np.count_nonzero(is_found)))
    return n_found


def value_at_power(points: Sequence[tuple[float, float]], power: float) -> float | None:
    """Return the x at which a curve reaches a power, by fitting a line to its normal quantiles.

    None if all points lie on one side of the power.
    """
    # Simulated powers near 0 or 1 have inaccurate quantiles, or none.
    inside = [(x, p) for x, p in points if 0.02 < p < 0.995]  # noqa: PLR2004
    if len(inside) < 2 or not min(p for _, p in points) <= power <= max(p for _, p in points):  # noqa: PLR2004
        return None
    x, p = np.array(inside).T
    # A power curve is almost a normal distribution function, so its quantiles lie on a line.
    quantiles = np.array([NormalDist().inv_cdf(share) for share in p.tolist()])
    # Each point is weighted by the inverse of its standard error.
    weights = np.array([NormalDist().pdf(q) for q in quantiles.tolist()]) / np.sqrt(p * (1 - p))
    slope, start = np.polyfit(x, quantiles, 1, w=weights)
    return float((NormalDist().inv_cdf(power) - start) / slope) if slope > 0 else None


class PowerPoint(NamedTuple):
    """A point of a power curve."""

    n: Annotated[int, Shown("Texts, or clusters.")]
    power: Annotated[float, Shown("Of simulated comparisons.", write=3, column="simulated_power")]


@dataclass(frozen=True, slots=True)
class PlannedColumn:
    """The answer for one measure of one metric.

    - `spread`: Standard deviation of the differences of texts, or of means of clusters.
    - `n_needed`: Texts, or clusters, that the difference or the margin takes; null without either,
      or if there are too many.
    - `is_simulated`: Whether n_needed is simulated, and not by the normal distribution.
    """

    column: Annotated[ScoreColumn, Shown(is_inline=True)]
    spread: Annotated[float, Shown(heading="SD", write=4)]
    minimum_detectable_difference: DetectableDifference
    n_needed: Annotated[int | None, Shown()]
    is_simulated: Annotated[bool, Shown()]
    curve: Annotated[tuple[PowerPoint, ...], Shown("Power by number of texts, or clusters.")]


@dataclass(frozen=True, slots=True)
class StudyPlan:
    """A plan that is based on a pilot with one or two systems.

    `n_blocks` is the number of clusters or, if there are none, of EVALs. `options` are those with
    which the pilot was scored.
    """

    systems: Annotated[tuple[str, ...], Shown("Of the pilot.", column="systems")]
    n_evals: Annotated[int, Shown("Texts of the pilot.", key="n_pilot")]
    n_blocks: int
    columns: Annotated[tuple[PlannedColumn, ...], Shown("By metric and measure.", key="metrics")]
    question: Annotated[PlanQuestion, Shown(is_inline=True)]
    options: Options
    warnings: Annotated[tuple[str, ...], Shown("About the inputs and the result.")]

    @property
    def signature(self) -> Annotated[str, Shown()]:
        """Everything that affects a score."""
        return signature(self.options)

    @property
    def n_clusters(self) -> Annotated[int | None, Shown()]:
        """Null if texts are independent."""
        return self.n_blocks if self.n_blocks < self.n_evals else None

    def share_below(self, power: float) -> float:
        """Return a lower bound on how many plans from such pilots, as a fraction, have less power.

        If s is the standard deviation of the pilot and differences are normal, the power of a plan
        is Phi((z_level + z_power) s / SD - z_level). A test of equality may fail on either side, so
        each side gets half of the failures.
        """
        degrees, question = self.n_blocks - 1, self.question
        at_level = NormalDist().inv_cdf(1 - float(question.level_of_one) / 2)

        def distance(share: float) -> float:
            return at_level + NormalDist().inv_cdf(
                (1 + share) / 2 if question.is_equivalence else share
            )

        ratio = distance(power) / distance(question.power)
        return 1 - chi_square_tail(degrees * ratio**2, degrees)


def plan_study(results: Results, systems: Sequence[str], question: PlanQuestion) -> StudyPlan:
    """Plan a comparison from a pilot with two systems, or with one if the question has a spread.

    `results` are means over EVALs, and need no bootstrap. Raises InputError if there are too few
    EVALs, or if they do not differ; OptionError if no column is a mean over EVALs.
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


def _plannable(table: ScoreTable, letters: str) -> tuple[tuple[ScoreColumn, ...], list[str]]:
    """Return the columns that are means over EVALs, and warnings about the others.

    Raises OptionError if there is no such column.
    """
    scored = columns_of(table, letters)
    columns = tuple(column for column in scored if column.is_mean_of_evals)
    others = [column.metric for column in scored if not column.is_mean_of_evals]
    reason = "not a mean over texts, so its differences cannot be simulated; fuse each text instead"
    if not columns:
        raise OptionError(f"nothing to plan with: {', '.join(others)} is {reason}")
    return columns, [f"{name} is left out: it is {reason} (eval-...)" for name in others]


def _pilots(
    results: Results, systems: Sequence[str], columns: Sequence[ScoreColumn], question: PlanQuestion
) -> tuple[list[Pilot], int]:
    chosen = [results.table.systems[system] for system in systems]
    shared, scales, _ = shared_scores(chosen, columns, results.table.clusters)
    degrees = len(shared.sizes) - 1
    if len(shared.sizes) < FEWEST_BLOCKS:
        raise InputError("a pilot needs at least 3 texts, or clusters, that its systems share")
    # A single system has no differences; the variation of its scores is rescaled to the spread.
    scores, n_evals = shared.units / scales, shared.sizes.sum()
    ends = {metric.name: score_ends(metric) for metric in results.table.metrics}
    values = scores[:, 0] if len(systems) == 1 else scores[:, 0] - scores[:, 1]
    centres, means = values.sum(axis=0) / n_evals, scores.sum(axis=0) / n_evals
    pilots = []
    for k, column in enumerate(columns):
        residuals = values[:, k] - shared.sizes * centres[k]
        residuals *= sqrt((degrees + 1) / degrees)
        if not residuals.any():
            raise InputError(
                f"{column.name}: all texts of the pilot are alike; a plan needs scores that vary"
            )
        if question.spread is not None:
            residuals *= question.spread / Pilot(residuals, shared.sizes).spread
        if question.spread_confidence is not None:
            least = chi_square_quantile(1 - question.spread_confidence, degrees)
            residuals *= sqrt(degrees / least)
        change = largest_change(means[:, k].tolist(), ends[column.metric])
        pilots.append(Pilot(residuals, shared.sizes, change))
    return pilots, int(n_evals)


def _planned(column: ScoreColumn, pilot: Pilot, question: PlanQuestion) -> PlannedColumn:
    smallest = _detectable_difference(pilot, question)
    planned = PlannedColumn(column, pilot.spread, smallest, None, True, ())
    is_equivalence, level = question.is_equivalence, question.level_of_one
    wanted = question.margin if is_equivalence else question.difference
    if wanted is None:
        return planned
    change = pilot.change / float(wanted) if is_equivalence else 0.0
    spread = pilot.spread / float(wanted)
    expected = needed_blocks(
        spread, level, question.power, unseen_texts(level) * change, is_equivalence=is_equivalence
    )
    if expected * AROUND[-1] > MOST_SIMULATED:
        return replace(planned, n_needed=expected, is_simulated=False)

    def power(n: int) -> float:
        (share,) = simulated_power(pilot, n, [float(wanted)], question)
        return share

    around = {max(FEWEST_BLOCKS, round(expected * share)) for share in AROUND}
    numbers = [n for n in sorted(around | {len(pilot.sizes)}) if n <= MOST_SIMULATED]
    curve = tuple(PowerPoint(n, power(n)) for n in tracked(numbers, "Simulating", numbers))
    if expected > FEW_BLOCKS:
        needed = _between(curve, expected, question)
    else:
        # With few EVALs, p has few possible values, so the power is not monotonic. A number is
        # accepted only if the next one reaches the power, too.
        powers = ((n, power(n)) for n in range(FEWEST_BLOCKS, 2 * FEW_BLOCKS))
        enough = (n for (n, p), (_, next_p) in pairwise(powers) if min(p, next_p) >= question.power)
        needed = next(enough, None)
    is_simulated = needed is not None
    return replace(planned, n_needed=needed or expected, is_simulated=is_simulated, curve=curve)


def _between(curve: Sequence[PowerPoint], expected: int, question: PlanQuestion) -> int | None:
    # Near the expected number, the quantile of the power is linear in the root of the number. A
    # test of equality may fail on either side, so each side gets half of the failures.
    near = [(sqrt(n), power) for n, power in curve if 0.5 * expected <= n <= 2 * expected]
    power = question.power
    if question.is_equivalence:
        near, power = [(root, (1 + share) / 2) for root, share in near], (1 + power) / 2
    root = value_at_power(near, power)
    return None if root is None else ceil(root**2)


def _detectable_difference(pilot: Pilot, question: PlanQuestion) -> float | None:
    n_blocks = len(pilot.residuals)
    error = pilot.spread / sqrt(n_blocks)
    expected = smallest_difference(error, n_blocks, float(question.level_of_one), question.power)
    if expected is None or n_blocks > MOST_SIMULATED:
        return expected
    differences = [expected * share for share in AROUND]
    # Differences to find, also if the question is which margin shows systems to be the same.
    powers = simulated_power(pilot, n_blocks, differences, replace(question, margin=None))
    return value_at_power(list(zip(differences, powers, strict=True)), question.power)
