"""Find out which of several systems is better: rank them all, and test every pair of them.

The paired bootstrap and approximate randomisation answer the same question under different
assumptions. Both p-values are two-sided, and each is corrected over all comparisons of the run. All
tests use the EVALs that every system has.

Systems that cannot be told apart share a letter: H.-P. Piepho, An Algorithm for a Letter-Based
Representation of All-Pairwise Comparisons, Journal of Computational and Graphical Statistics 13,
2004 (insert, absorb and sweep).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import ceil, comb

import numpy as np

from rouge_cli.inputs.evaluation import in_byte_order
from rouge_cli.reports.wording import counted, group_letter
from rouge_cli.scores.results import Results, SystemTable
from rouge_cli.studies.compare.results import (
    EVALS_FOR_SKEWNESS,
    Additions,
    ComparisonResult,
    PairResult,
    RandomisationResult,
    RankedSystem,
    Ranking,
    TestResult,
)
from rouge_cli.studies.paired_tests import (
    FEW_EVALS,
    TestedPair,
    TestPlan,
    holm_adjusted,
    tested_pairs,
)
from rouge_cli.studies.planning import smallest_difference
from rouge_cli.studies.resampling import (
    effect_size,
    failure_loss,
    largest_change,
    not_excluded,
    unseen_rate,
)
from rouge_cli.studies.score_columns import (
    ComparedColumn,
    SharedScores,
    cluster_hint,
    compared_scores,
)

ROUNDING = 1e-12  # an interval may exceed the margin of equivalence by this rounding error
MOST_NAMED = 3  # the most systems that a warning names
NOTHING_MORE = Additions()


def compare(
    results: Results, systems: Sequence[str], plan: TestPlan, more: Additions = NOTHING_MORE
) -> ComparisonResult:
    """Compare every pair of two or more systems, in every metric.

    `results` are means over EVALs, and need no bootstrap. Only EVALs that all these systems have
    are used. The order of the systems determines which is A and which is B in a pair, but changes
    no number. The plan in the result has the number of resamples that were actually drawn.

    Raises OptionError if scores are too large for exact sums; InputError if the systems have no
    EVAL in common.
    """
    table = results.table
    chosen = [table.systems[system] for system in systems]
    columns, shared, rounded = compared_scores(table, plan.letters, chosen, plan.margin)
    n_systems, n_columns = shared.units.shape[1:]
    plan = plan.grown(comb(n_systems, 2) * len(columns), n_systems * n_columns)
    tested = tested_pairs(shared, columns, plan)
    pairs = list(_corrected_pairs(tested, systems, columns, plan))
    rankings = tuple(_ranking(column, systems, shared, pairs, more) for column in columns)
    warnings = (
        *results.warnings,
        *_left_out(chosen, len(shared.eval_ids)),
        *rounded,
        *_test_warnings(pairs, plan),
        *(() if table.clusters else cluster_hint(shared.eval_ids, results.model_sharing)),
        *more.warnings,
    )
    return ComparisonResult(tuple(systems), rankings, plan, results.options, warnings)


def _corrected_pairs(
    tested: Sequence[TestedPair],
    systems: Sequence[str],
    columns: Sequence[ComparedColumn],
    plan: TestPlan,
) -> Iterator[PairResult]:
    bootstrap = _corrected([pair.bootstrap for pair in tested], plan)
    randomisation = _corrected([pair.randomisation for pair in tested], plan)
    equivalence = _corrected([pair.equivalence or Fraction(0) for pair in tested], plan)
    # What Holm's correction requires of the smallest p, for the detectable differences.
    level = float(plan.level) / len(tested)
    for index, pair in enumerate(tested):
        compared = columns[pair.column]
        column, ends = compared.column, compared.ends
        # Dividing by the scale turns sums into means; those of an aggregation are scores already.
        scale = 1 if compared.aggregation else compared.scale * pair.n_evals
        (sum_a, sum_b), (lower, upper) = pair.sums, pair.bounds
        means = sum_a / scale, sum_b / scale
        result = PairResult(
            column,
            systems[pair.pair[0]],
            systems[pair.pair[1]],
            n_evals=pair.n_evals,
            n_unequal=pair.n_unequal,
            mean_a=means[0],
            mean_b=means[1],
            difference=(sum_a - sum_b) / scale,
            interval=(lower / scale, upper / scale),
            bootstrap=TestResult(*bootstrap[index]),
            randomisation=RandomisationResult(*randomisation[index], pair.is_exact),
            minimum_detectable_difference=smallest_difference(
                pair.spread.error / scale, pair.n_blocks, level
            ),
            skewness=pair.spread.skewness,
            effect=effect_size(sum_a - sum_b, pair.spread, pair.of_evals, plan.confidence),
            n_clusters=pair.n_blocks if pair.n_blocks < pair.n_evals else None,
            failure_loss=failure_loss(means, ends, is_lower_better=column.is_lower_better),
        )
        if plan.margin is not None:
            unseen = unseen_rate(result.n_blocks, plan.level) * largest_change(means, ends)
            result = replace(result, unseen=unseen)
            # The test by swaps alone does not suffice: the interval has to be within the margin,
            # too, even if unseen texts have extreme scores.
            is_within = result.farthest <= float(plan.margin) + ROUNDING
            p, p_holm, is_significant = equivalence[index]
            same = TestResult(p, p_holm, is_significant and is_within)
            result = replace(result, equivalence=same)
        yield result


def _corrected(p_values: Sequence[Fraction], plan: TestPlan) -> list[tuple[float, float, bool]]:
    """Return p, p after Holm's correction, and whether it is significant, for each test."""
    # Fractions are compared with the level before they are rounded to floats.
    corrected = holm_adjusted(p_values)
    return [
        (float(p), float(p_holm), p_holm <= plan.level)
        for p, p_holm in zip(p_values, corrected, strict=True)
    ]


def _ranking(
    compared: ComparedColumn,
    systems: Sequence[str],
    shared: SharedScores,
    pairs: Sequence[PairResult],
    more: Additions,
) -> Ranking:
    column = compared.column
    means = {name: _mean(shared, place, compared) for place, name in enumerate(systems)}
    sign = 1 if column.is_lower_better else -1
    names = sorted(in_byte_order(means), key=lambda name: sign * means[name])
    rank = {name: place for place, name in enumerate(names)}
    of_column = [pair for pair in pairs if pair.column == column]
    # Groups are those of the randomisation, since with few EVALs the bootstrap's p is too small.
    significant = (pair for pair in of_column if pair.randomisation.is_significant)
    different = (sorted((rank[pair.system_a], rank[pair.system_b])) for pair in significant)
    groups = letter_groups(len(names), sorted((first, second) for first, second in different))
    letters = {
        name: tuple(
            group_letter(place) for place, group in enumerate(groups) if rank[name] in group
        )
        for name in names
    }
    n_evals = len(shared.eval_ids)
    return Ranking(
        column,
        tuple(
            RankedSystem(
                name, n_evals, float(means[name]), letters[name], more.systems.get((column, name))
            )
            for name in names
        ),
        tuple(
            replace(
                pair,
                letters_a=letters[pair.system_a],
                letters_b=letters[pair.system_b],
                runs=more.runs.get(pair.key),
                across=more.across.get(pair.key),
            )
            for pair in of_column
        ),
    )


def _mean(shared: SharedScores, system: int, compared: ComparedColumn) -> Fraction:
    n_evals = len(shared.eval_ids)
    means = [
        Fraction(int(shared.units[:, system, index].sum()), n_evals * scale)
        for index, scale in zip(compared.indices, compared.scales, strict=True)
    ]
    if compared.aggregation is None:
        return means[0]
    return Fraction(float(compared.aggregation.score(np.array(means, np.float64), n_evals)))


def letter_groups(n_systems: int, different: Iterable[tuple[int, int]]) -> list[tuple[int, ...]]:
    """Return the largest groups of systems that do not differ from each other.

    Systems are numbered from 0, the best first. `different` has the pairs that differ
    significantly. The groups are in ascending order, so the first one, ``a``, contains the best
    system. Groups that would tell nothing new are left out.
    """
    groups = [frozenset(range(n_systems))]
    for pair in different:
        # Insert: each group with both systems is replaced by two, which lack one of them each.
        # Absorb: new groups contained in another one are dropped. Old groups need no such check,
        # since they passed it when they were new.
        kept = [group for group in groups if not group.issuperset(pair)]
        split = (group for group in groups if group.issuperset(pair))
        new = list(dict.fromkeys(group - {system} for group in split for system in pair))
        groups = kept + [
            half
            for half in new
            if not any(half <= group for group in kept) and not any(half < other for other in new)
        ]
    # Sweep: a group is superfluous if every two of its systems share another group.
    swept = sorted(tuple(sorted(group)) for group in groups)
    for group in reversed(swept[:]):
        others = [frozenset(other) for other in swept if other != group]
        pairs: list[tuple[int, ...]] = [*combinations(group, 2)] or [group]
        if all(any(other.issuperset(pair) for other in others) for pair in pairs):
            swept.remove(group)
    return swept


def _left_out(systems: Sequence[SystemTable], n_common: int) -> Iterator[str]:
    if all(len(system.eval_ids) == n_common for system in systems):
        return
    all_evals = {eval_id for system in systems for eval_id in system.eval_ids}
    lacking = [(system.id, len(all_evals) - len(system.eval_ids)) for system in systems]
    most = sorted((lack for lack in lacking if lack[1]), key=lambda lack: -lack[1])
    named = [f"{name!r} lacks {count}" for name, count in most[:MOST_NAMED]]
    if n_more := len(most[MOST_NAMED:]):
        named.append(f"{n_more} more {'system lacks' if n_more == 1 else 'systems lack'} some")
    yield (
        f"only {n_common} of {len(all_evals)} texts count, those that all compared systems have: "
        f"{', '.join(named)}"
    )


def _test_warnings(pairs: Sequence[PairResult], plan: TestPlan) -> Iterator[str]:
    unequal = [pair for pair in pairs if pair.n_unequal] or list(pairs)
    fewest = min(unequal, key=lambda pair: pair.n_tested)
    # The more EVALs differ, the smaller p can be: this pair could have the smallest one of all.
    most = max(unequal, key=lambda pair: pair.n_unequal)
    least_corrected = min(Fraction(1), len(pairs) * _least_p(most))
    is_out_of_reach = least_corrected > plan.level > 0 and len(pairs) > 1
    if fewest.n_tested < FEW_EVALS:
        least = _least_p(fewest)
        has_bound = least > plan.level and not is_out_of_reach
        bound = f", whose p is never below {float(least):g} then" if has_bound else ""
        yield (
            f"{few_blocks(fewest)}: with fewer than {FEW_EVALS} the p of the bootstrap comes out "
            f"too small and the interval may be too narrow; go by the randomisation{bound}"
        )
    if is_out_of_reach:
        yield (
            f"no difference could be significant: with {len(pairs)} comparisons and no more than "
            f"{_blocks(most.n_unequal, most)} that differ, every p of the randomisation is at "
            f"least {float(least_corrected):.4g} after Holm's correction; so all systems share a "
            "letter, which says nothing about them. Take more texts, or fewer systems, metrics or "
            "measures"
        )
    least = Fraction(len(pairs), plan.resamples + 1)
    if least > plan.level > 0:
        yield (
            f"{len(pairs)} comparisons are many for {plan.resamples} resamples: after Holm's "
            f"correction no p is below {float(min(least, Fraction(1))):.2g}; take -r "
            f"{plan.enough(len(pairs))} or more, or fewer systems, metrics or measures"
        )
    yield from _skewed(pairs)
    if plan.margin is not None:
        yield from _not_the_same(pairs, plan, plan.margin)
    yield from _rare_failures(pairs, plan)


def _blocks(count: int, pair: PairResult) -> str:
    return counted(count, "text" if pair.n_clusters is None else "cluster")


def few_blocks(pair: PairResult) -> str:
    """Return the beginning of a warning about a pair that has, or differs in, few EVALs."""
    if pair.n_unequal in {0, pair.n_blocks}:
        return f"only {_blocks(pair.n_blocks, pair)} in common"
    return (
        f"{pair.system_a!r} and {pair.system_b!r} differ in only {pair.n_unequal} of "
        f"{_blocks(pair.n_blocks, pair)} in {pair.column.name}"
    )


def _least_p(pair: PairResult) -> Fraction:
    # Randomisation gives the least p if all differences have the same sign: then only the observed
    # choice of swaps and its opposite are as extreme.
    return Fraction(2, 2**pair.n_unequal) if pair.n_unequal else Fraction(1)


def _skewed(pairs: Sequence[PairResult]) -> Iterator[str]:
    skewed = [pair for pair in pairs if pair.is_skewed]
    claims = [pair for pair in skewed if pair.randomisation.is_significant]
    if claims:
        yield (
            f"{len(claims)} significant difference{'s' * (len(claims) > 1)} with few texts for "
            f"scores this skewed: {_most_skewed(claims)}. Both tests are then significant too "
            "often if means are equal and a few texts fail badly; look at these texts"
        )
    # With fewer EVALs than this, another warning already calls the interval too narrow.
    elif narrow := [pair for pair in skewed if pair.n_tested >= FEW_EVALS]:
        are = "1 interval" if len(narrow) == 1 else f"{len(narrow)} intervals"
        yield (
            f"{are} may be too narrow for scores this skewed: {_most_skewed(narrow)}. A few texts "
            "decide; look at these texts"
        )


def _most_skewed(pairs: Sequence[PairResult]) -> str:
    worst = max(pairs, key=lambda pair: abs(pair.skewness))
    return (
        f"{worst.system_a!r} and {worst.system_b!r} in {worst.column.name} have a skewness of "
        f"{worst.skewness:.1f} in {_blocks(worst.n_blocks, worst)}, where "
        f"{ceil(EVALS_FOR_SKEWNESS * worst.skewness**2)} would do"
    )


def _not_the_same(pairs: Sequence[PairResult], plan: TestPlan, margin: Fraction) -> Iterator[str]:
    """Warn of pairs that the swaps alone call the same, and of those with skewed differences."""
    level = float(plan.level)
    tests = [(pair, pair.equivalence) for pair in pairs if pair.equivalence]
    doubtful = [pair for pair, test in tests if test.p_holm <= level and not test.is_significant]
    if doubtful:
        worst = max(doubtful, key=lambda pair: pair.farthest)
        yield (
            f"{worst.system_a!r} and {worst.system_b!r} are not called the same in "
            f"{worst.column.name}, though p is at most {level:g}: they may be {worst.farthest:.4f} "
            "apart, by the interval and by texts with the lowest or the highest score, of which "
            f"{_blocks(worst.n_blocks, worst)} do not exclude "
            f"{not_excluded(worst.n_blocks, level)}; within {float(margin):g} takes more "
            f"texts{_in_all(doubtful)}"
        )
    skewed = [pair for pair, test in tests if test.is_significant and pair.is_skewed]
    if skewed:
        worst = max(skewed, key=lambda pair: abs(pair.skewness))
        yield (
            f"{worst.system_a!r} and {worst.system_b!r} are called the same in {worst.column.name} "
            f"with few texts for differences this skewed (skewness {worst.skewness:.1f}): a few "
            "texts decide; look at these texts"
        )


def _in_all(pairs: Sequence[PairResult]) -> str:
    return f" ({len(pairs)} pairs in all)" if len(pairs) > 1 else ""


def _rare_failures(pairs: Sequence[PairResult], plan: TestPlan) -> Iterator[str]:
    """Warn of systems whose lead could be undone by failures that no EVAL shows."""

    def cost(pair: PairResult) -> float:
        return unseen_rate(pair.n_blocks, plan.level) * pair.failure_loss

    def least(pair: PairResult) -> float:
        return max(0.0, pair.interval[0], -pair.interval[1]) - cost(pair)

    if doubtful := [pair for pair in pairs if pair.better is not None and least(pair) <= 0]:
        worst = min(doubtful, key=least)
        yield (
            f"{worst.better!r} is called better in {worst.column.name} by "
            f"{abs(worst.difference):.4f}, which rare failures could undo: "
            f"{_blocks(worst.n_blocks, worst)} do not exclude that "
            f"{not_excluded(worst.n_blocks, plan.level, ' of texts fail')}, which would cost "
            f"{cost(worst):.4f}{_in_all(doubtful)}"
        )
