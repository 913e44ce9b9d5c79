"""Which of several systems is better: every pair, in every metric and measure, by two tests.

Each pair is compared on the EVALs that both systems have. The paired bootstrap and approximate
randomisation answer the same question from different assumptions; both p are two-sided, and both
are corrected over all comparisons of the run, each test apart.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import OptionError
from rouge_cli.options.scores import HISTOGRAM
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.scoring.results import Results
from rouge_cli.scoring.run_metrics import check_histograms
from rouge_cli.statistics.comparison_records import (
    Comparison,
    PairResult,
    RankedSystem,
    Ranking,
    TestPlan,
    TestResult,
)
from rouge_cli.statistics.comparison_warnings import cluster_hint, comparison_warnings
from rouge_cli.statistics.multiplicity import (
    holm_adjusted,
    letter,
    letter_groups,
    romano_wolf_adjusted,
)
from rouge_cli.statistics.power import smallest_difference
from rouge_cli.statistics.score_columns import Column, ComparedColumn, compared_columns
from rouge_cli.statistics.shared_scores import (
    SystemUnits,
    shared_scores,
    system_units,
)
from rouge_cli.statistics.tested_pairs import TestedPair, tested_pairs

__all__ = ["check_systems", "compare"]


@dataclass(frozen=True, slots=True)
class ScoredColumn:
    """What is compared, and how many units make a score of 1, part by part."""

    compared: ComparedColumn
    scales: tuple[int, ...]

    @property
    def scale(self) -> int:
        """How many of what the tests add up make a score of 1 in one EVAL."""
        return 1 if self.compared.aggregation else self.scales[0]

    def divisor(self, tested: TestedPair) -> int:
        """Return what a sum of the tests has to be divided by to be a score."""
        return 1 if self.compared.aggregation else self.scale * tested.n_evals


def check_systems(
    known: Sequence[str], wanted: Sequence[str], *, fewest: int = 2, needs: str = "compare needs"
) -> tuple[str, ...]:
    """Return the systems to compare: those that are wanted, or all.

    Parameters
    ----------
    known : sequence of str
        At least one.
    wanted : sequence of str
        Empty for all.
    needs : str
        What asks for so many, for the message.

    Raises
    ------
    OptionError
        If one is not known or is wanted twice, or if there are too few.
    """
    for system in wanted:
        if system not in known:
            names = ", ".join(map(repr, known))
            raise OptionError(f"--system-id: no system {system!r}; known are: {names}")
        if wanted.count(system) > 1:
            raise OptionError(f"--system-id: {system!r} is given twice; give each system once")
    chosen = tuple(wanted or known)
    if len(chosen) < fewest:
        source = "--system-id leaves" if wanted else "the input has"
        raise OptionError(f"{source} one system, {chosen[0]!r}; {needs} two or more")
    return chosen


def compare(results: Results, systems: Sequence[str], plan: TestPlan) -> Comparison:
    """Compare every pair of some systems in every metric.

    Parameters
    ----------
    results : Results
        Means over EVALs; no bootstrap is needed.
    systems : sequence of str
        At least two of the systems of `results`.

    Returns
    -------
    Comparison
        Another order of the systems gives the same numbers, for A and B as they then stand.

    Raises
    ------
    OptionError
        If scores are too large to be compared exactly, or have no histograms: those of
        clusters, and of metrics that are made of several scores.
    InputError
        If two systems have no EVAL in common.
    """
    compared, added = compared_columns(results.table, plan.letters)
    if plan.bootstrap == HISTOGRAM:
        _check_histograms(results)
    chosen = [results.table.systems[system] for system in systems]
    units, scales, rounded = system_units(chosen, added, plan.margin)
    scored = [
        ScoredColumn(one, tuple(int(scales[place]) for place in one.places)) for one in compared
    ]
    margins = _margins(plan, scored)
    groups = shared_scores(units, results.table.clusters, margins, compared, scales)
    # Those of different EVALs have different choices, and can only be drawn together.
    takes_all = len(groups) == 1
    tested = [pair for one in groups for pair in tested_pairs(one, plan, takes_all=takes_all)]
    tested.sort(key=lambda one: (one.column, one.pair))
    pairs = _corrected(tested, systems, scored, plan)
    rankings = tuple(_ranking(one.compared.column, _means(units, one), pairs) for one in scored)
    hints = () if results.table.clusters else cluster_hint(units[0].eval_ids, results.model_sharing)
    warnings = (*results.warnings, *rounded, *comparison_warnings(pairs, plan), *hints)
    return Comparison(tuple(systems), rankings, plan, results.options, warnings)


def _check_histograms(results: Results) -> None:
    """Refuse what histograms of differences cannot tell; raises OptionError."""
    if results.table.clusters:
        raise OptionError(
            "--bootstrap histogram draws differences one by one, and the EVALs of a cluster are "
            "drawn together; give --bootstrap exact"
        )
    check_histograms(results.table.metrics)


def _margins(plan: TestPlan, columns: Sequence[ScoredColumn]) -> NDArray[np.float64] | None:
    """Return the margin in the units of each column."""
    if plan.margin is None:
        return None
    return np.array([float(plan.margin * column.scale) for column in columns])


def _corrected(
    tested: Sequence[TestedPair],
    systems: Sequence[str],
    columns: Sequence[ScoredColumn],
    plan: TestPlan,
) -> list[PairResult]:
    """Correct the p of each test over all comparisons."""
    swapped = [one.swapped for one in tested]
    step_down: Sequence[Fraction | None] = [None] * len(tested)
    # Histograms do not say which swaps pairs have in common.
    if plan.bootstrap != HISTOGRAM:
        step_down = romano_wolf_adjusted(
            [one.statistic for one in swapped],
            lambda place: swapped[place].resampled(),
            [one.randomisation for one in tested],
            is_exact=swapped[0].are_all,
        )
    bootstrap = _results([(one.bootstrap, False) for one in tested], plan)
    randomisation = _results([(one.randomisation, one.is_exact) for one in tested], plan)
    equivalence: Sequence[TestResult | None] = [None] * len(tested)
    if plan.margin is not None:
        equivalence = _results([one.equivalence for one in tested if one.equivalence], plan)
    return [
        replace(
            _pair_result(
                one, (systems[one.pair[0]], systems[one.pair[1]]), columns[one.column], tests
            ),
            p_romano_wolf=None if p_step_down is None else float(p_step_down),
            detectable=_detectable(one, columns[one.column], plan, len(tested)),
            equivalence=equivalent,
        )
        for one, p_step_down, equivalent, *tests in zip(
            tested, step_down, equivalence, bootstrap, randomisation, strict=True
        )
    ]


def _results(found: Sequence[tuple[Fraction, bool]], plan: TestPlan) -> list[TestResult]:
    """Correct some p by Holm's method, and compare them with the level while they are exact."""
    corrected = holm_adjusted([p for p, _ in found])
    return [
        TestResult(float(p), float(p_holm), p_holm <= plan.level, is_exact)
        for (p, is_exact), p_holm in zip(found, corrected, strict=True)
    ]


def _detectable(
    tested: TestedPair, scored: ScoredColumn, plan: TestPlan, n_comparisons: int
) -> float | None:
    """Return which difference the randomisation would have found as the first one of Holm's."""
    scale = scored.divisor(tested)
    level = float(plan.level) / n_comparisons
    return smallest_difference(tested.standard_error / scale, tested.n_blocks, level)


def _pair_result(
    tested: TestedPair,
    names: tuple[str, str],
    scored: ScoredColumn,
    tests: Sequence[TestResult],
) -> PairResult:
    """Write the sums of a pair as means; `tests` are bootstrap and randomisation."""
    scale = scored.divisor(tested)
    sum_a, sum_b = tested.sums
    lower, upper = tested.bounds
    bootstrap, randomisation = tests
    return PairResult(
        scored.compared.column,
        *names,
        n_evals=tested.n_evals,
        n_unequal=tested.n_unequal,
        mean_a=sum_a / scale,
        mean_b=sum_b / scale,
        difference=(sum_a - sum_b) / scale,
        interval=(lower / scale, upper / scale),
        bootstrap=bootstrap,
        randomisation=randomisation,
        skewness=tested.skewness,
        n_clusters=tested.n_blocks if tested.n_blocks < tested.n_evals else None,
    )


def _means(systems: Sequence[SystemUnits], scored: ScoredColumn) -> dict[str, tuple[Fraction, int]]:
    """Return the mean of each system over all its EVALs in a column, and how many these are."""
    return {one.system: (_mean(one, scored), len(one.eval_ids)) for one in systems}


def _mean(system: SystemUnits, scored: ScoredColumn) -> Fraction:
    """Return the mean of a system in a column, or the score that is made of several."""
    n_evals = len(system.eval_ids)
    means = [
        Fraction(int(system.units[:, place].sum()), n_evals * scale)
        for place, scale in zip(scored.compared.places, scored.scales, strict=True)
    ]
    if scored.compared.aggregation is None:
        return means[0]
    parts = np.array([float(mean) for mean in means])
    return Fraction(float(scored.compared.aggregation.score(parts, n_evals)))


def _ranking(
    column: Column, means: Mapping[str, tuple[Fraction, int]], pairs: Sequence[PairResult]
) -> Ranking:
    """Order the systems by their means, and give letters to those that cannot be told apart."""
    own = tuple(pair for pair in pairs if pair.column == column)
    sign = 1 if column.is_lower_better else -1
    names = sorted(
        means, key=lambda name: (sign * means[name][0], name.encode("utf-8", "surrogateescape"))
    )
    letters = _letters(names, own)
    systems = tuple(
        RankedSystem(name, means[name][1], float(means[name][0]), letters[name]) for name in names
    )
    return Ranking(column, systems, own)


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
