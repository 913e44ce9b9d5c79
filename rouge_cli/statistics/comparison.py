"""Which of several systems is better: every pair, in every metric and measure, by two tests.

Each pair is compared on the EVALs that both systems have. The paired bootstrap and approximate
randomisation answer the same question from different assumptions; both p are two-sided, and both
are corrected over all comparisons of the run, each test apart.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import ceil

from rouge_cli.errors import OptionError
from rouge_cli.metrics.ratios import UNITS
from rouge_cli.scoring.results import Results
from rouge_cli.statistics.comparison_records import Comparison, PairResult, TestPlan, TestResult
from rouge_cli.statistics.holm import holm_adjusted
from rouge_cli.statistics.pair_tests import TestedPair, tested_pairs
from rouge_cli.statistics.rankings import ranking
from rouge_cli.statistics.scores_table import Column, columns_of, shared_scores, table_of

__all__ = ["check_systems", "compare"]

FEW_EVALS = 20
"""With fewer the resamples vary too little, and the p of the bootstrap comes out too small."""


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
    columns = columns_of(results, plan.letters)
    tables = [table_of(results.systems[system], columns) for system in systems]
    tested = [pair for shared in shared_scores(tables) for pair in tested_pairs(shared, plan)]
    tested.sort(key=lambda one: (one.column, one.pair))
    pairs = _corrected(tested, systems, columns, plan)
    rankings = tuple(
        ranking(column, number, tables, [pair for pair in pairs if pair.column == column])
        for number, column in enumerate(columns)
    )
    warnings = (*results.warnings, *_warnings(tested, plan))
    return Comparison(tuple(systems), rankings, plan, results.options, warnings)


def _corrected(
    tested: Sequence[TestedPair], systems: Sequence[str], columns: Sequence[Column], plan: TestPlan
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
    column: Column,
    bootstrap: TestResult,
    randomisation: TestResult,
) -> PairResult:
    """Write the sums of a pair as means."""
    scale = UNITS * tested.n_evals
    sum_a, sum_b = tested.sums
    lower, upper = tested.bounds
    return PairResult(
        column,
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
