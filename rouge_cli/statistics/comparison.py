"""Which of several systems is better: every pair, in every metric and measure, by two tests.

Each pair is compared on the EVALs that both systems have. The paired bootstrap and approximate
randomisation answer the same question from different assumptions; both p are two-sided, and both
are corrected over all comparisons of the run, each test apart.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from rouge_cli.errors import OptionError
from rouge_cli.scoring.results import Results
from rouge_cli.statistics.comparison_records import (
    Comparison,
    PairResult,
    RankedSystem,
    Ranking,
    TestPlan,
    TestResult,
)
from rouge_cli.statistics.multiplicity import holm_adjusted, letter, letter_groups
from rouge_cli.statistics.paired_tests import TestedPair, tested_pairs
from rouge_cli.statistics.shared_scores import (
    Column,
    SystemUnits,
    columns_of,
    shared_scores,
    system_units,
)

__all__ = ["check_systems", "compare"]

FEW_EVALS = 20
"""With fewer the resamples vary too little, and the p of the bootstrap comes out too small."""


@dataclass(frozen=True, slots=True)
class ScoredColumn:
    """What is compared, and how many units make a score of 1."""

    column: Column
    scale: int


def check_systems(known: Sequence[str], wanted: Sequence[str]) -> tuple[str, ...]:
    """Return the systems to compare: those that are wanted, or all.

    Parameters
    ----------
    known : sequence of str
        At least one.
    wanted : sequence of str
        Empty for all.

    Raises
    ------
    OptionError
        If one is not known or is wanted twice, or if there are fewer than two.
    """
    for system in wanted:
        if system not in known:
            names = ", ".join(map(repr, known))
            raise OptionError(f"--system-id: no system {system!r}; known are: {names}")
        if wanted.count(system) > 1:
            raise OptionError(f"--system-id: {system!r} is given twice; give each system once")
    chosen = tuple(wanted or known)
    if len(chosen) == 1:
        source = "--system-id leaves" if wanted else "the input has"
        raise OptionError(f"{source} one system, {chosen[0]!r}; compare needs two or more")
    return chosen


def compare(results: Results, systems: Sequence[str], plan: TestPlan) -> Comparison:
    """Compare every pair of some systems in every metric.

    Parameters
    ----------
    results : Results
        Means over EVALs; no bootstrap is needed.
    systems : sequence of str
        At least two of the systems of `results`.
    plan : TestPlan

    Returns
    -------
    Comparison
        Another order of the systems gives the same numbers, for A and B as they then stand.

    Raises
    ------
    OptionError
        If scores are too large to be compared exactly.
    InputError
        If two systems have no EVAL in common.
    """
    columns = columns_of(results.table, plan.letters)
    chosen = [results.table.systems[system] for system in systems]
    units, scales, rounded = system_units(chosen, columns)
    scored = [ScoredColumn(*one) for one in zip(columns, map(int, scales), strict=True)]
    tested = [pair for shared in shared_scores(units) for pair in tested_pairs(shared, plan)]
    tested.sort(key=lambda one: (one.column, one.pair))
    pairs = _corrected(tested, systems, scored, plan)
    rankings = tuple(
        _ranking(column, _means(units, place, column), pairs) for place, column in enumerate(scored)
    )
    warnings = (*results.warnings, *rounded, *_warnings(tested, plan))
    return Comparison(tuple(systems), rankings, plan, results.options, warnings)


def _corrected(
    tested: Sequence[TestedPair],
    systems: Sequence[str],
    columns: Sequence[ScoredColumn],
    plan: TestPlan,
) -> list[PairResult]:
    """Correct the p of each test over all comparisons."""
    bootstrap = holm_adjusted([one.bootstrap for one in tested])
    randomisation = holm_adjusted([one.randomisation for one in tested])
    return [
        _pair_result(
            one,
            (systems[one.pair[0]], systems[one.pair[1]]),
            columns[one.column],
            _result(one.bootstrap, p_bootstrap, plan, is_exact=False),
            _result(one.randomisation, p_randomisation, plan, is_exact=one.is_exact),
        )
        for one, p_bootstrap, p_randomisation in zip(tested, bootstrap, randomisation, strict=True)
    ]


def _result(p: Fraction, p_holm: Fraction, plan: TestPlan, *, is_exact: bool) -> TestResult:
    """Compare a p with the level while both are exact."""
    return TestResult(float(p), float(p_holm), p_holm <= plan.level, is_exact)


def _pair_result(
    tested: TestedPair,
    names: tuple[str, str],
    scored: ScoredColumn,
    bootstrap: TestResult,
    randomisation: TestResult,
) -> PairResult:
    """Write the sums of a pair as means."""
    scale = scored.scale * tested.n_evals
    sum_a, sum_b = tested.sums
    lower, upper = tested.bounds
    return PairResult(
        scored.column,
        *names,
        n_evals=tested.n_evals,
        n_unequal=tested.n_unequal,
        mean_a=sum_a / scale,
        mean_b=sum_b / scale,
        difference=(sum_a - sum_b) / scale,
        interval=(lower / scale, upper / scale),
        bootstrap=bootstrap,
        randomisation=randomisation,
    )


def _means(
    systems: Sequence[SystemUnits], place: int, scored: ScoredColumn
) -> dict[str, tuple[Fraction, int]]:
    """Return the mean of each system over all its EVALs in a column, and how many these are."""
    return {
        one.system: (
            Fraction(int(one.units[:, place].sum()), len(one.eval_ids) * scored.scale),
            len(one.eval_ids),
        )
        for one in systems
    }


def _ranking(
    scored: ScoredColumn, means: Mapping[str, tuple[Fraction, int]], pairs: Sequence[PairResult]
) -> Ranking:
    """Order the systems by their means, and give letters to those that cannot be told apart."""
    own = tuple(pair for pair in pairs if pair.column == scored.column)
    names = sorted(
        means, key=lambda name: (-means[name][0], name.encode("utf-8", "surrogateescape"))
    )
    letters = _letters(names, own)
    systems = tuple(
        RankedSystem(name, means[name][1], float(means[name][0]), letters[name]) for name in names
    )
    return Ranking(scored.column, systems, own)


def _letters(names: Sequence[str], pairs: Sequence[PairResult]) -> dict[str, tuple[str, ...]]:
    """Return the letters of each system; `names` has the best one first."""
    rank = {name: place for place, name in enumerate(names)}
    ranked = ((rank[pair.system_a], rank[pair.system_b], pair) for pair in pairs)
    different = sorted(
        (min(first, second), max(first, second))
        for first, second, pair in ranked
        if pair.randomisation.is_significant
    )
    groups = letter_groups(len(names), different)
    return {
        name: tuple(letter(place) for place, group in enumerate(groups) if rank[name] in group)
        for name in names
    }


def _warnings(tested: Sequence[TestedPair], plan: TestPlan) -> Iterator[str]:
    """Say what the tests cannot show, with so few EVALs or resamples."""
    fewest = min(one.n_evals for one in tested)
    if fewest < FEW_EVALS:
        least_of_all = 2.0 ** (1 - fewest)
        bound = f", whose p is never below {least_of_all:g} then"
        bound = bound if least_of_all > plan.level else ""
        yield (
            f"only {fewest} EVAL{'s' * (fewest > 1)} in common: with fewer than {FEW_EVALS} the p "
            "of the bootstrap comes out too small and its interval too narrow; go by the "
            f"randomisation{bound}"
        )
    least = Fraction(len(tested), plan.resamples + 1)
    if least > plan.level > 0:
        enough = ceil(len(tested) / plan.level) - 1
        yield (
            f"{len(tested)} comparisons are many for {plan.resamples} resamples: after Holm's "
            f"correction no p is below {float(min(least, Fraction(1))):.2g}; take -r {enough} or "
            "more, or fewer systems, metrics or measures"
        )
