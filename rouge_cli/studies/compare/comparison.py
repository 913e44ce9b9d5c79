"""Which of several systems is better: all systems ranked, every pair compared, on shared EVALs.

The paired bootstrap and approximate randomisation answer the same question from different
assumptions; both p are two-sided, and each is corrected over all comparisons of the run.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from math import ceil, comb

import numpy as np

from rouge_cli.inputs.evaluation import in_byte_order
from rouge_cli.options.options import Options
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.scores.results import Results, SystemTable
from rouge_cli.studies.compare.replicability import AcrossSets
from rouge_cli.studies.compare.runs import RunsOfColumn
from rouge_cli.studies.intervals import EffectSize, effect_size
from rouge_cli.studies.letters import letter, letter_groups
from rouge_cli.studies.paired_tests import (
    FEW_EVALS,
    TestedPair,
    TestPlan,
    holm_adjusted,
    tested_pairs,
)
from rouge_cli.studies.planning import smallest_difference
from rouge_cli.studies.score_columns import (
    Column,
    ComparedColumn,
    SharedScores,
    cluster_hint,
    compared_columns,
    shared_scores,
)
from rouge_cli.studies.unseen import failure_loss, largest_change, not_excluded, unseen_rate

ROUNDING = 1e-12
"""Statistics that differ by less than this share of them are equal."""

MOST_NAMED = 3
"""Systems that a warning names."""

EVALS_FOR_SKEWNESS = 25
"""Times the square of the skewness: so many EVALs make a mean normal enough.

Source: W. G. Cochran, Sampling Techniques, 1977, section 2.15.
"""


@dataclass(frozen=True, slots=True)
class TestResult:
    """What a test says of a pair.

    - `p`: two-sided; `p_holm` is corrected over all comparisons of the run.
    - `is_significant`: whether the corrected p, before it was rounded to a float, is at most the
      level.
    - `is_exact`: whether p comes from all choices and not from random ones.
    """

    p: float
    p_holm: float
    is_significant: bool
    is_exact: bool = False

    __test__ = False


@dataclass(frozen=True, slots=True)
class PairResult:
    """Two systems in one measure of one metric.

    - `n_evals`: EVALs that all compared systems have, which means are over; `n_unequal`: those of
      them, or of the clusters, where the scores of the two differ.
    - `difference`: A less B, with its `interval`.
    - `detectable`: the smallest difference that the randomisation, corrected, would have found in
      80% of such samples; None if none is so large, or there is no spread to tell by.
    - `equivalence`: of the hypothesis that the systems are as far apart as `TestPlan.margin`. It is
      significant only if the interval, with `unseen` on both sides, lies within the margin too.
    - `failure_loss`: what a text that fails loses.
    - `unseen`: how far texts that n EVALs may miss could move the difference: 3/n of all, with the
      lowest or the highest score. None without a margin.
    - `skewness`: of the differences; `effect`: None if they have no spread.
    - `n_clusters`: None where every EVAL stands for itself.
    """

    column: Column
    system_a: str
    system_b: str
    n_evals: int
    n_unequal: int
    mean_a: float
    mean_b: float
    difference: float
    interval: tuple[float, float]
    bootstrap: TestResult
    randomisation: TestResult
    detectable: float | None = None
    equivalence: TestResult | None = None
    skewness: float = 0.0
    effect: EffectSize | None = None
    n_clusters: int | None = None
    unseen: float | None = None
    failure_loss: float = 0.0

    @property
    def n_blocks(self) -> int:
        """EVALs or, where there are clusters, these."""
        return self.n_clusters or self.n_evals

    @property
    def farthest(self) -> float:
        """How far apart the systems may be, by the interval and by texts that are unseen."""
        return max(-self.interval[0], self.interval[1]) + (self.unseen or 0.0)

    @property
    def better(self) -> str | None:
        """The system that is better by the corrected p of the randomisation; None if none is."""
        if not self.randomisation.is_significant or self.difference == 0:
            return None
        is_a_better = (self.difference > 0) != self.column.is_lower_better
        return self.system_a if is_a_better else self.system_b


def corrected_pairs(
    tested: Sequence[TestedPair],
    systems: Sequence[str],
    columns: Sequence[ComparedColumn],
    plan: TestPlan,
) -> Iterator[PairResult]:
    """Yield each pair, the p of its tests corrected over all comparisons."""
    bootstrap = _results([(pair.bootstrap, False) for pair in tested], plan)
    randomisation = _results([(pair.randomisation, pair.is_exact) for pair in tested], plan)
    equivalence: Sequence[TestResult | None] = [None] * len(tested)
    if plan.margin is not None:
        equivalence = _results([pair.equivalence for pair in tested if pair.equivalence], plan)
    for number, pair in enumerate(tested):
        column = columns[pair.column]
        # Sums of the tests turn into scores; of an aggregation they are scores.
        scale = 1 if column.aggregation else column.scale * pair.n_evals
        (sum_a, sum_b), (lower, upper) = pair.sums, pair.bounds
        # The difference that the randomisation would have found as the first one of Holm's.
        level = float(plan.level) / len(tested)
        means, ends = (sum_a / scale, sum_b / scale), column.ends
        is_lower_better = column.column.is_lower_better
        result = PairResult(
            column.column,
            systems[pair.pair[0]],
            systems[pair.pair[1]],
            n_evals=pair.n_evals,
            n_unequal=pair.n_unequal,
            mean_a=means[0],
            mean_b=means[1],
            difference=(sum_a - sum_b) / scale,
            interval=(lower / scale, upper / scale),
            bootstrap=bootstrap[number],
            randomisation=randomisation[number],
            detectable=smallest_difference(pair.spread.error / scale, pair.n_blocks, level),
            equivalence=equivalence[number],
            skewness=pair.spread.skewness,
            effect=effect_size(sum_a - sum_b, pair.spread, pair.of_evals, plan.confidence),
            n_clusters=pair.n_blocks if pair.n_blocks < pair.n_evals else None,
            failure_loss=failure_loss(means, ends, is_lower_better=is_lower_better),
        )
        if plan.margin is not None:
            unseen = unseen_rate(result.n_blocks, plan.level) * largest_change(means, ends)
            result = _within(replace(result, unseen=unseen), plan.margin)
        yield result


def _within(pair: PairResult, margin: Fraction) -> PairResult:
    """Call two systems the same only if the interval, with unseen texts, is in the margin too."""
    if pair.equivalence is None or pair.farthest <= float(margin) + ROUNDING:
        return pair
    return replace(pair, equivalence=replace(pair.equivalence, is_significant=False))


def _results(tests: Sequence[tuple[Fraction, bool]], plan: TestPlan) -> list[TestResult]:
    """Correct some p by Holm's method, and compare them with the level while they are exact."""
    corrected = holm_adjusted([p for p, _ in tests])
    return [
        TestResult(float(p), float(p_holm), p_holm <= plan.level, is_exact)
        for (p, is_exact), p_holm in zip(tests, corrected, strict=True)
    ]


def comparison_warnings(pairs: Sequence[PairResult], plan: TestPlan) -> Iterator[str]:
    """Yield a line for each limit that few EVALs or many comparisons set to the tests.

    `pairs` are all comparisons of the run.
    """
    unequal = [pair for pair in pairs if pair.n_unequal] or list(pairs)
    fewest = min(unequal, key=test_weight)
    out_of_reach = _out_of_reach(unequal, len(pairs), plan)
    if test_weight(fewest) < FEW_EVALS:
        bound = "" if out_of_reach else _bound(fewest, plan)
        yield (
            f"{few_blocks(fewest)}: with fewer than {FEW_EVALS} the p of the bootstrap comes out "
            f"too small and the interval may be too narrow; go by the randomisation{bound}"
        )
    if out_of_reach:
        yield out_of_reach
    yield from _resamples(len(pairs), plan)
    yield from _skewed(pairs)
    yield from _not_the_same(pairs, plan)
    yield from _no_better(pairs, plan)


def test_weight(pair: PairResult) -> int:
    """Return how many EVALs, or clusters, a test has to go by: those that differ."""
    return pair.n_unequal or pair.n_blocks


def blocks(number: int, pair: PairResult) -> str:
    """Say how many EVALs or clusters."""
    return f"{number} {'EVAL' if pair.n_clusters is None else 'cluster'}{'s' * (number != 1)}"


def few_blocks(pair: PairResult) -> str:
    """Say how few EVALs there are, or how few of them count."""
    if pair.n_unequal in {0, pair.n_blocks}:
        return f"only {blocks(pair.n_blocks, pair)} in common"
    return (
        f"{pair.system_a!r} and {pair.system_b!r} differ in only {pair.n_unequal} of "
        f"{blocks(pair.n_blocks, pair)} in {pair.column.metric} {pair.column.letter}"
    )


def _bound(pair: PairResult, plan: TestPlan) -> str:
    """Say which p the randomisation cannot be below, if that is above the level."""
    least = _least_p(pair)
    return f", whose p is never below {float(least):g} then" if least > plan.level else ""


def _least_p(pair: PairResult) -> Fraction:
    """Return the p of all differences in one direction: the first sign of all is free."""
    return Fraction(2, 2**pair.n_unequal) if pair.n_unequal else Fraction(1)


def _out_of_reach(pairs: Sequence[PairResult], n_comparisons: int, plan: TestPlan) -> str:
    """Say that no scores could have been significant after the correction; empty if some could."""
    best = max(pairs, key=lambda pair: pair.n_unequal)
    least = min(Fraction(1), n_comparisons * _least_p(best))
    if least <= plan.level or n_comparisons == 1 or plan.level == 0:
        return ""
    return (
        f"no difference could be significant: with {n_comparisons} comparisons and no more than "
        f"{blocks(best.n_unequal, best)} that differ, every p of the randomisation is at least "
        f"{float(least):.4g} after Holm's correction; so all systems share a letter, which says "
        "nothing of them. Take more EVALs, or fewer systems, metrics or measures"
    )


def _resamples(n_comparisons: int, plan: TestPlan) -> Iterator[str]:
    """Warn of too few resamples for so many comparisons."""
    least = Fraction(n_comparisons, plan.resamples + 1)
    if least > plan.level > 0:
        yield (
            f"{n_comparisons} comparisons are many for {plan.resamples} resamples: after Holm's "
            f"correction no p is below {float(min(least, Fraction(1))):.2g}; take -r "
            f"{plan.enough(n_comparisons)} or more, or fewer systems, metrics or measures"
        )


def _not_the_same(pairs: Sequence[PairResult], plan: TestPlan) -> Iterator[str]:
    """Warn of systems that only the swaps call the same, and of skewed scores of those that are."""
    level = float(plan.level)
    tests = [(pair, pair.equivalence) for pair in pairs if pair.equivalence]
    doubtful = [pair for pair, test in tests if test.p_holm <= level and not test.is_significant]
    if doubtful and plan.margin is not None:
        worst = max(doubtful, key=lambda pair: pair.farthest)
        n_blocks = worst.n_blocks
        more = f" ({len(doubtful)} pairs in all)" if len(doubtful) > 1 else ""
        yield (
            f"{worst.system_a!r} and {worst.system_b!r} are not called the same in "
            f"{worst.column.metric} {worst.column.letter}, though p is at most {level:g}: they may "
            f"be {worst.farthest:.4f} apart, by the interval and by texts with the lowest or the "
            f"highest score, of which {blocks(n_blocks, worst)} do not exclude "
            f"{not_excluded(n_blocks, level)}; within {float(plan.margin):g} takes more EVALs{more}"
        )
    skewed = [pair for pair, test in tests if test.is_significant and is_skewed(pair)]
    if skewed:
        worst = max(skewed, key=lambda pair: abs(pair.skewness))
        yield (
            f"{worst.system_a!r} and {worst.system_b!r} are called the same in "
            f"{worst.column.metric} {worst.column.letter} with few EVALs for so skewed differences "
            f"(skewness {worst.skewness:.1f}): a few EVALs decide; look at these EVALs"
        )


def _no_better(pairs: Sequence[PairResult], plan: TestPlan) -> Iterator[str]:
    """Warn of systems that are called better, and would not be if they failed unseen."""

    def cost(pair: PairResult) -> float:
        return unseen_rate(pair.n_blocks, plan.level) * pair.failure_loss

    def least(pair: PairResult) -> float:
        return max(0.0, pair.interval[0], -pair.interval[1]) - cost(pair)

    if doubtful := [pair for pair in pairs if pair.better is not None and least(pair) <= 0]:
        worst = min(doubtful, key=least)
        n_blocks = worst.n_blocks
        more = f" ({len(doubtful)} pairs in all)" if len(doubtful) > 1 else ""
        yield (
            f"{worst.better!r} is called better in {worst.column.metric} {worst.column.letter} by "
            f"{abs(worst.difference):.4f}, which rare failures could undo: "
            f"{blocks(n_blocks, worst)} do not exclude that "
            f"{not_excluded(n_blocks, plan.level, ' of texts fail')}, which would cost "
            f"{cost(worst):.4f}{more}"
        )


def is_skewed(pair: PairResult) -> bool:
    """Say whether there are too few EVALs for a mean of so skewed differences to be normal."""
    return pair.n_blocks < EVALS_FOR_SKEWNESS * pair.skewness**2


def _skewed(pairs: Sequence[PairResult]) -> Iterator[str]:
    """Warn of significant results, and of intervals, that hang on a few large differences."""
    skewed = [pair for pair in pairs if is_skewed(pair)]
    claims = [pair for pair in skewed if pair.randomisation.is_significant]
    if claims:
        yield (
            f"{len(claims)} significant difference{'s' * (len(claims) > 1)} with few EVALs for so "
            f"skewed scores: {_most_skewed(claims)}. Both tests are then significant too often "
            "where means are equal and some EVALs are hurt badly; look at these EVALs"
        )
    # Of few EVALs another warning says so.
    elif narrow := [pair for pair in skewed if test_weight(pair) >= FEW_EVALS]:
        are = "1 interval" if len(narrow) == 1 else f"{len(narrow)} intervals"
        yield (
            f"{are} may be too narrow for so skewed scores: {_most_skewed(narrow)}. A few EVALs "
            "decide; look at these EVALs"
        )


def _most_skewed(pairs: Sequence[PairResult]) -> str:
    """Say how skewed the differences of the worst pair are, and how many EVALs would do."""
    worst = max(pairs, key=lambda pair: abs(pair.skewness))
    return (
        f"{worst.system_a!r} and {worst.system_b!r} in {worst.column.metric} "
        f"{worst.column.letter} have a skewness of {worst.skewness:.1f} in "
        f"{blocks(worst.n_blocks, worst)}, where {ceil(EVALS_FOR_SKEWNESS * worst.skewness**2)} "
        "would do"
    )


@dataclass(frozen=True, slots=True)
class RankedSystem:
    """A system among the others in one measure of one metric.

    The mean is over the EVALs that all compared systems have. `letters` are its groups: it cannot
    be told apart from systems with which it shares one.
    """

    id: str
    n_evals: int
    mean: float
    letters: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ranking:
    """All systems in one measure of one metric, and every pair of them once.

    Systems: the best mean first, equal ones in byte order of their IDs. Pairs: in the order of the
    systems of the run.
    """

    column: Column
    systems: tuple[RankedSystem, ...]
    pairs: tuple[PairResult, ...]

    def letters(self) -> dict[str, tuple[str, ...]]:
        """Return, by system, the letter of each group, or as many blanks if it is not in it."""
        used = {group for system in self.systems for group in system.letters}
        # "z" comes before "aa".
        groups = sorted(used, key=lambda group: (len(group), group))
        return {
            system.id: tuple(
                group if group in system.letters else " " * len(group) for group in groups
            )
            for system in self.systems
        }


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """The result of a comparison: a ranking for each metric and measure, in the order of print.

    `options` are those of the scores; `across` and `runs` are there for several data sets or runs.
    """

    systems: tuple[str, ...]
    rankings: tuple[Ranking, ...]
    plan: TestPlan
    options: Options
    warnings: tuple[str, ...]
    across: tuple[AcrossSets, ...] = ()
    runs: tuple[RunsOfColumn, ...] = ()

    @property
    def pairs(self) -> tuple[PairResult, ...]:
        """Every comparison of the run, which is what Holm's correction is over."""
        return tuple(pair for ranking in self.rankings for pair in ranking.pairs)


def compare(results: Results, systems: Sequence[str], plan: TestPlan) -> Comparison:
    """Compare every pair of some systems, at least two, in every metric.

    `results` are means over EVALs; no bootstrap is needed. Only EVALs that all these systems have
    count. Another order of the systems gives the same numbers, for A and B as they then stand. The
    plan of the result has as many resamples as were drawn.

    Raises OptionError if scores are too large to be compared exactly; InputError if the systems
    have no EVAL in common.
    """
    table = results.table
    chosen = [table.systems[system] for system in systems]
    columns, units, rounded = compared_columns(table, plan.letters, chosen, plan.margin)
    shared = shared_scores(units, table.clusters)
    n_systems, n_columns = shared.units.shape[1:]
    plan = plan.grown(comb(n_systems, 2) * len(columns), n_systems * n_columns)
    tested = sorted(tested_pairs(shared, columns, plan), key=lambda pair: (pair.column, pair.pair))
    pairs = list(corrected_pairs(tested, systems, columns, plan))
    rankings = tuple(_ranking(column, systems, shared, pairs) for column in columns)
    hints = () if table.clusters else cluster_hint(shared.eval_ids, results.model_sharing)
    left_out = _left_out(chosen, len(shared.eval_ids))
    of_tests = comparison_warnings(pairs, plan)
    warnings = (*results.warnings, *left_out, *rounded, *of_tests, *hints)
    return Comparison(tuple(systems), rankings, plan, results.options, warnings)


def _left_out(systems: Sequence[SystemTable], n_common: int) -> Iterator[str]:
    """Say how many EVALs do not count, since some system lacks them, and which systems do."""
    if all(len(system.eval_ids) == n_common for system in systems):
        return
    all_evals = {eval_id for system in systems for eval_id in system.eval_ids}
    lacking = [(len(all_evals) - len(system.eval_ids), system.id) for system in systems]
    most = sorted(filter(lambda lack: lack[0], lacking), key=lambda lack: -lack[0])
    named = [f"{name!r} lacks {count}" for count, name in most[:MOST_NAMED]]
    if len(most) > MOST_NAMED:
        n_more = len(most) - MOST_NAMED
        named.append(f"{n_more} more {'system lacks' if n_more == 1 else 'systems lack'} some")
    yield (
        f"only {n_common} of {len(all_evals)} EVALs count, those that all compared systems have: "
        f"{', '.join(named)}"
    )


def _mean(shared: SharedScores, system: int, compared: ComparedColumn) -> Fraction:
    """Return the mean of a system in a column, or the score that is made of several."""
    n_evals = len(shared.eval_ids)
    means = [
        Fraction(int(shared.units[:, system, index].sum()), n_evals * scale)
        for index, scale in zip(compared.indices, compared.scales, strict=True)
    ]
    if compared.aggregation is None:
        return means[0]
    parts = np.array([float(mean) for mean in means])
    return Fraction(float(compared.aggregation.score(parts, n_evals)))


def _ranking(
    compared: ComparedColumn,
    systems: Sequence[str],
    shared: SharedScores,
    pairs: Sequence[PairResult],
) -> Ranking:
    """Order the systems by their means, and give letters to those that cannot be told apart."""
    column = compared.column
    column_pairs = tuple(pair for pair in pairs if pair.column == column)
    means = {name: _mean(shared, number, compared) for number, name in enumerate(systems)}
    n_evals = len(shared.eval_ids)
    sign = 1 if column.is_lower_better else -1
    names = sorted(in_byte_order(means), key=lambda name: sign * means[name])
    letters = _letters(names, column_pairs)
    ranked = tuple(RankedSystem(name, n_evals, float(means[name]), letters[name]) for name in names)
    return Ranking(column, ranked, column_pairs)


def _letters(names: Sequence[str], pairs: Sequence[PairResult]) -> dict[str, tuple[str, ...]]:
    """Return the letters of each system; `names` has the best one first."""
    rank = {name: index for index, name in enumerate(names)}
    # By randomisation, and not by the bootstrap, whose p is too small with few EVALs.
    ranked = ((rank[pair.system_a], rank[pair.system_b], pair) for pair in pairs)
    different = sorted(
        (min(first, second), max(first, second))
        for first, second, pair in ranked
        if pair.randomisation.is_significant
    )
    groups = letter_groups(len(names), different)
    return {
        name: tuple(letter(index) for index, group in enumerate(groups) if rank[name] in group)
        for name in names
    }
