"""Recompute every simulated figure of docs/how-it-works: how often the tests are wrong, and right.

Run as ``python -m tools.simulate [NAME ...]``; without names it runs all simulations, which takes
some minutes, and prints a table in Markdown for each, with the seed and the time. Each simulation
generates data whose truth is known, runs the program's own functions on them, and counts. It ends
with 1 if the pages have other figures.
"""

import resource
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from math import sqrt
from pathlib import Path
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from rouge_cli.inputs.judgements import JudgedRow, Judgements
from rouge_cli.metrics.counts import ScoredMetric
from rouge_cli.options.options import Options
from rouge_cli.options.scores import ScoreOptions
from rouge_cli.scores.results import MetricColumn, Results, ScoreTable, SystemTable
from rouge_cli.scores.summaries import summarise
from rouge_cli.studies.compare.comparison import compare, letter_groups
from rouge_cli.studies.compare.replicability import random_effects
from rouge_cli.studies.compare.results import ComparisonResult
from rouge_cli.studies.compare.runs import compared_over_runs
from rouge_cli.studies.correlate import CorrelationOptions
from rouge_cli.studies.correlate.coefficients import at_level
from rouge_cli.studies.correlate.correlation import correlate_results
from rouge_cli.studies.correlate.metric_tests import (
    best_metric_tests,
    exchangeable,
    percentile_interval,
    permutation_tests,
    resampled_correlations,
    williams_test,
)
from rouge_cli.studies.correlate.result import CorrelationPlan, CorrelationStudy
from rouge_cli.studies.paired_tests import RESAMPLES, TestedPair, TestPlan, tested_pairs
from rouge_cli.studies.planning import (
    Pilot,
    PlanQuestion,
    plan_study,
    simulated_power,
    smallest_difference,
)
from rouge_cli.studies.resampling import Resampling
from rouge_cli.studies.score.thresholds import noninferiority
from rouge_cli.studies.score_columns import ComparedColumn, ScoreColumn, SharedScores

__all__ = [
    "LAWS",
    "RUN_LAWS",
    "SIMULATIONS",
    "Table",
    "best_rates",
    "cells",
    "cells_exchanged_rate",
    "cluster_rates",
    "column_rates",
    "correction_rates",
    "error_rates",
    "exchange_rates",
    "failing_rates",
    "family_rates",
    "found_pairs",
    "found_rate",
    "gate_rates",
    "interval_rate",
    "looked_at",
    "main",
    "run_rate",
    "same_rate",
    "score_rate",
    "set_rates",
    "unequal_rate",
    "wrongly_better",
]

PAGES = sorted((Path(__file__).parents[1] / "docs" / "how-it-works").glob("*.md"))
NOT_ON_PAGE = {"speed", "letters"}
"""Simulations whose figures vary from run to run, or are only checked by a test."""

SEED = 2004
LEVEL = Fraction(1, 20)
UNITS = 100_000
SETS_AT_A_TIME = 40
N_SAID = 2000

SHARE_UNTIED, SHARE_HURT = 0.2, 0.1

Floats = NDArray[np.float64]
Random = np.random.Generator
Law = Callable[[Random, tuple[int, ...]], Floats]


@dataclass(frozen=True, slots=True)
class Table:
    """The output of a simulation.

    Parameters
    ----------
    title : str
    head : tuple of str
    rows : sequence of tuples of str
    """

    title: str
    head: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]

    def lines(self) -> Iterator[str]:
        """Yield the lines in Markdown."""
        yield self.title
        yield ""
        yield f"| {' | '.join(self.head)} |"
        yield f"| --- |{' --: |' * (len(self.head) - 1)}"
        yield from self.row_lines()

    def row_lines(self) -> Iterator[str]:
        """Yield the lines of the rows."""
        for row in self.rows:
            yield f"| {' | '.join(row)} |"


def percent(share: float) -> str:
    """Write a share."""
    return f"{100 * share:.1f}%"


# Comparisons ------------------------------------------------------------------------------------


def _normal(random: Random, shape: tuple[int, ...]) -> Floats:
    return random.normal(0, 0.1, shape)


def _skewed(random: Random, shape: tuple[int, ...]) -> Floats:
    """Return differences of two systems with skewed scores, such as those of ROUGE-2."""
    return random.beta(1, 9, shape) - random.beta(1, 9, shape)


def _discrete(random: Random, shape: tuple[int, ...]) -> Floats:
    """Return differences of scores in steps of a tenth."""
    return (random.binomial(10, 0.3, shape) - random.binomial(10, 0.3, shape)) / 10


def _tied(random: Random, shape: tuple[int, ...]) -> Floats:
    """Return differences of which four in five are 0."""
    return random.normal(0, 0.1, shape) * (random.random(shape) < SHARE_UNTIED)


def _hurt(random: Random, shape: tuple[int, ...]) -> Floats:
    """Return differences of which one in ten cancels what the others gain."""
    hurt = np.where(random.random(shape) < SHARE_HURT, -0.09, 0.01)
    return hurt + random.normal(0, 0.002, shape)


LAWS: dict[str, Law] = {
    "normal": _normal,
    "skewed": _skewed,
    "discrete": _discrete,
    "tied": _tied,
    "hurt": _hurt,
}
"""Laws of the differences of two systems with the same mean, by name."""


def _tested(differences: Floats, plan: TestPlan, sizes: Floats | None = None) -> list[TestedPair]:
    """Test many sets of differences; shape (n_blocks, n_sets), in whole units."""
    units = np.stack((differences, np.zeros_like(differences)), axis=1)
    sizes = np.ones(len(differences)) if sizes is None else sizes
    shared = SharedScores((), units, sizes)
    columns = [
        ComparedColumn(ScoreColumn("", ""), (k,), (UNITS,)) for k in range(differences.shape[1])
    ]
    return tested_pairs(shared, columns, plan)


def error_rates(law: Law, n_evals: int, n_sets: int, resamples: int = 999) -> tuple[float, float]:
    """Return how often bootstrap and randomisation find a difference that does not exist."""
    random = np.random.default_rng((SEED, n_evals))
    found = np.zeros(2)
    for start in range(0, n_sets, SETS_AT_A_TIME):
        differences = np.rint(law(random, (n_evals, min(SETS_AT_A_TIME, n_sets - start))) * UNITS)
        plan = TestPlan("F", resamples, SEED + start, 1 - LEVEL)
        for pair in _tested(differences, plan):
            found += pair.bootstrap <= LEVEL, pair.randomisation <= LEVEL
    bootstrap, randomisation = (found / n_sets).tolist()
    return bootstrap, randomisation


def errors() -> Table:
    """Simulate equal systems, over numbers of EVALs and laws."""
    n_sets = 2000
    rows = []
    for n_evals in (5, 10, 20, 30, 50, 100, 300, 1000):
        rates = [error_rates(law, n_evals, n_sets) for law in LAWS.values()]
        rows.append((str(n_evals), *(f"{percent(b)} / {percent(r)}" for b, r in rates)))
    title = (
        f"Equal means, {n_sets} pairs each: significant at 0.05 by bootstrap / randomisation, "
        "999 resamples"
    )
    return Table(title, ("texts", *LAWS), rows)


def interval_rate(law: Law, n_evals: int, n_sets: int) -> float:
    """Return how often the interval of a difference contains the true one, which is 0."""
    random = np.random.default_rng((SEED, n_evals))
    n_held = 0
    for start in range(0, n_sets, SETS_AT_A_TIME):
        differences = np.rint(law(random, (n_evals, SETS_AT_A_TIME)) * UNITS)
        plan = TestPlan("F", 999, SEED + start, 1 - LEVEL)
        n_held += sum(pair.bounds[0] <= 0 <= pair.bounds[1] for pair in _tested(differences, plan))
    return n_held / n_sets


def intervals() -> Table:
    """Simulate equal systems, and count the intervals that contain the difference."""
    n_sets = 2000
    rows = [
        (str(n), *(percent(interval_rate(law, n, n_sets)) for law in LAWS.values()))
        for n in (10, 20, 30, 50, 100, 200)
    ]
    title = f"Share of 95% intervals that contain the true difference: {n_sets} sets, 999 resamples"
    return Table(title, ("texts", *LAWS), rows)


METRICS = tuple(ScoredMetric(f"metric-{number}", ("S",)) for number in range(6))


def _results(scores: Floats, clusters: Sequence[int] = (), scale: str | None = None) -> Results:
    """Return the results of a run; `scores` have the shape (n_metrics, n_systems, n_evals)."""
    n_metrics, n_systems, n_evals = scores.shape
    metrics = tuple(replace(metric, scale=scale) for metric in METRICS[:n_metrics])
    eval_ids = tuple(f"{number:06}" for number in range(n_evals))
    rounded = np.rint(scores * UNITS) / UNITS
    systems = {
        f"s{place}": SystemTable(
            f"s{place}",
            eval_ids,
            {
                metric.name: MetricColumn(metric, rounded[k, place][np.newaxis], None)
                for k, metric in enumerate(metrics)
            },
        )
        for place in range(n_systems)
    }
    of_evals = dict(zip(eval_ids, map(str, clusters), strict=True)) if len(clusters) else {}
    table = ScoreTable(systems, metrics, of_evals)
    return Results({}, table, Options())


def _compared(
    scores: Floats, seed: int, resamples: int = 999, clusters: Sequence[int] = ()
) -> ComparisonResult:
    """Compare all systems."""
    results = _results(scores, clusters)
    plan = TestPlan("F", resamples, seed, 1 - LEVEL)
    return compare(results, list(results.table.systems), plan)


def _family(random: Random, differ: float) -> Floats:
    """Return scores of 5 systems in 3 correlated metrics; two of the systems are better."""
    quality = random.normal(size=(1, 5, 60)) + 2 * random.normal(size=(1, 1, 60))
    scores = quality + 0.6 * random.normal(size=(3, 5, 60))
    scores[:, 3:] += differ
    return scores * 0.1 + 1


def family_rates(differ: float, n_sets: int) -> tuple[float, float]:
    """Return how often a study makes an error, and the share of true differences that it finds.

    30 comparisons each, of which 18 are of systems that differ, if any do.
    """
    random = np.random.default_rng((SEED, round(100 * differ)))
    n_wrong = n_right = n_true = 0
    better = {"s3", "s4"} if differ else set[str]()
    for seed in range(n_sets):
        comparison = _compared(_family(random, differ), seed)
        decided = np.array([pair.randomisation.is_significant for pair in comparison.pairs])
        differs = np.array(
            [(pair.system_a in better) != (pair.system_b in better) for pair in comparison.pairs]
        )
        n_wrong += bool(decided[~differs].any())
        n_right += int(decided[differs].sum())
        n_true += int(differs.sum())
    return n_wrong / n_sets, n_right / max(n_true, 1)


def families() -> Table:
    """Simulate many comparisons at once."""
    n_sets = 600
    rows = []
    for differ in (0.0, 0.8):
        wrong, right = family_rates(differ, n_sets)
        truth = f"two of five better by {differ:g} SD" if differ else "all equal"
        rows.append((truth, percent(wrong), percent(right) if differ else "-"))
    head = ("5 systems, 3 metrics, 60 texts", "any error", "power")
    return Table(f"Many comparisons, {n_sets} studies each", head, rows)


def cluster_rates(
    sizes: Sequence[int], correlation: float, n_sets: int, *, with_clusters: bool
) -> tuple[float, float]:
    """Return error rates of both tests if the EVALs of a cluster are correlated."""
    random = np.random.default_rng((SEED, len(sizes), sum(sizes)))
    numbers = np.repeat(np.arange(len(sizes)), sizes)
    found = np.zeros(2)
    for start in range(0, n_sets, SETS_AT_A_TIME):
        shape = (len(sizes), SETS_AT_A_TIME)
        shared = sqrt(correlation) * random.normal(size=shape)[numbers]
        own = sqrt(1 - correlation) * random.normal(size=(len(numbers), SETS_AT_A_TIME))
        differences = np.rint((shared + own) * 10_000)
        plan = TestPlan("F", 499, SEED + start, 1 - LEVEL)
        if with_clusters:
            sums = np.zeros(shape)
            np.add.at(sums, numbers, differences)
            tested = _tested(sums, plan, np.array(sizes, np.float64))
        else:
            tested = _tested(differences, plan)
        for pair in tested:
            found += pair.bootstrap <= LEVEL, pair.randomisation <= LEVEL
    bootstrap, randomisation = (found / n_sets).tolist()
    return bootstrap, randomisation


def clusters() -> Table:
    """Simulate EVALs that belong together."""
    n_sets = 1200
    uneven = [2] * 10 + [18] * 10
    rows = []
    for name, sizes in (("20 of 10 texts", [10] * 20), ("10 of 2 and 10 of 18", uneven)):
        for correlation in (0.0, 0.3):
            rates = [
                cluster_rates(sizes, correlation, n_sets, with_clusters=with_clusters)
                for with_clusters in (False, True)
            ]
            cells_of_row = (f"{percent(b)} / {percent(r)}" for b, r in rates)
            rows.append((f"{name}, correlation {correlation:g}", *cells_of_row))
    head = ("clusters", "every text for itself", "`--cluster`")
    title = f"Equal systems, {n_sets} pairs each: significant at 0.05 by bootstrap / randomisation"
    return Table(title, head, rows)


RUN_LAWS = {
    "runs alike": (0.0, 1.0, 1.0),
    "texts and runs": (0.14, 1.0, 1.0),
    "runs": (0.3, 0.3, 0.3),
    "mostly runs": (1.0, 0.3, 0.3),
}
"""How far runs of a system, EVALs of it, and what is left vary, as standard deviations, by name."""

N_PAIRS_OF_RUNS = 6
"""Pairs of systems that are compared at once, each in a metric of its own."""


def run_rate(
    law: tuple[float, float, float],
    n_runs: tuple[int, int],
    n_sets: int,
    *,
    differ: float = 0.0,
    alike: float = 1.0,
) -> float:
    """Return how often two systems are called different over their runs, on 50 EVALs.

    They differ by a multiple of the standard error of the difference. Runs of the first one vary
    according to `law`, those of the second one `alike` times as much.
    """
    of_runs, of_evals, of_rest = law
    varies = of_runs, alike * of_runs
    random = np.random.default_rng((SEED, *n_runs, round(100 * of_runs)))
    n_found, n_evals = 0, 50
    apart = sum(
        (run**2 + of_rest**2 / n_evals) / size for run, size in zip(varies, n_runs, strict=True)
    )
    moved = differ * sqrt(apart + 2 * of_evals**2 / n_evals)
    plan = TestPlan("F", 1, SEED, 1 - LEVEL)
    for _ in range(n_sets // N_PAIRS_OF_RUNS):
        scores = [
            run * random.normal(size=(N_PAIRS_OF_RUNS, size, 1))
            + of_evals * random.normal(size=(N_PAIRS_OF_RUNS, 1, n_evals))
            + of_rest * random.normal(size=(N_PAIRS_OF_RUNS, size, n_evals))
            for run, size in zip(varies, n_runs, strict=True)
        ]
        results = _results(np.concatenate((scores[0] + moved, scores[1]), axis=1))
        names, (n_first, _) = [*results.table.systems], n_runs
        runs = {"a": names[:n_first], "b": names[n_first:]}
        evals = results.table.systems[names[0]].eval_ids
        _, pairs = compared_over_runs(results, runs, evals, plan)
        n_found += sum((pair.p or 0.0) <= float(LEVEL) for pair in pairs.values())
    return n_found / n_sets


def runs() -> Table:
    """Simulate systems of several runs that are equally good, and some that are not."""
    n_sets = 1500
    sizes = ((2, 2), (3, 3), (5, 5), (10, 10), (2, 10))
    cases = [(name, name, 0.0, 1.0) for name in RUN_LAWS]
    cases.append(("mostly runs, of the second system a fifth", "mostly runs", 0.0, 0.2))
    cases.append(("texts and runs, apart by 4 errors", "texts and runs", 4.0, 1.0))
    rows = []
    for name, law, differ, alike in cases:
        rates = (
            run_rate(RUN_LAWS[law], n_runs, n_sets, differ=differ, alike=alike) for n_runs in sizes
        )
        rows.append((name, *map(percent, rates)))
    head = ("what varies", *(f"{a} and {b} runs" for a, b in sizes))
    return Table(f"Called different over runs, 50 texts, {n_sets} pairs each", head, rows)


def detectable() -> Table:
    """Simulate systems that differ by the smallest difference that `compare` claims to find."""
    n_sets = 1000
    rows = []
    for n_evals in (10, 20, 50, 200, 1000):
        rates = [found_rate(law, n_evals, n_sets) for law in LAWS.values()]
        rows.append((str(n_evals), *map(percent, rates)))
    title = f"Systems that differ by the smallest difference for 80%, {n_sets} pairs each: found"
    return Table(title, ("texts", *LAWS), rows)


def found_rate(law: Law, n_evals: int, n_sets: int) -> float:
    """Return how often a difference is found that should be found in 80% of studies.

    That difference depends on the spread of the EVALs of a study; here it is the mean of 2,000.
    """
    random = np.random.default_rng((SEED, n_evals))
    said: list[float] = []
    for start in range(0, N_SAID, SETS_AT_A_TIME):
        differences = np.rint(law(random, (n_evals, SETS_AT_A_TIME)) * UNITS)
        for pair in _tested(differences, TestPlan("F", 1, SEED + start, 1 - LEVEL)):
            error = pair.spread.error / UNITS / n_evals
            smallest = smallest_difference(error, n_evals, float(LEVEL))
            said += [] if smallest is None else [smallest]
    if not said:
        return 0.0
    moved = float(np.mean(said))
    n_found = 0
    for start in range(0, n_sets, SETS_AT_A_TIME):
        differences = np.rint((law(random, (n_evals, SETS_AT_A_TIME)) + moved) * UNITS)
        plan = TestPlan("F", 999, SEED + start, 1 - LEVEL)
        n_found += sum(pair.randomisation <= LEVEL for pair in _tested(differences, plan))
    return n_found / n_sets


def plans() -> Table:
    """Plan studies, carry them out, and count how many succeed."""
    questions = (_asked("0.02"), _asked("0.05"), _asked(margin="0.03"))
    rows = [
        _planned_row(name, question)
        for name in ("normal", "skewed", "discrete", "hurt")
        for question in questions
    ]
    head = ("differences", "asked", "texts needed", "succeed with these")
    return Table("Plans for a power of 80%, each carried out 4,000 times", head, rows)


def _asked(difference: str | None = None, margin: str | None = None) -> PlanQuestion:
    """Return a question."""
    return PlanQuestion(
        None if difference is None else Fraction(difference),
        None if margin is None else Fraction(margin),
        0.8,
        LEVEL,
        letters="F",
    )


def _planned_row(name: str, question: PlanQuestion) -> tuple[str, ...]:
    """Plan with a pilot of 2000 EVALs, and simulate the study with other random numbers."""
    random = np.random.default_rng((SEED, 5))
    pilot = LAWS[name](random, (2000,))
    scores = np.stack((pilot, np.zeros(2000)))[np.newaxis]
    (planned,) = plan_study(_results(scores), ["s0", "s1"], question).columns
    wanted = question.margin if question.is_equivalence else question.difference
    centred = Pilot(pilot - pilot.mean(), np.ones(2000))
    rates = [
        simulated_power(
            centred,
            planned.n_needed or 0,
            [float(wanted or 0)],
            replace(question, seed=seed),
        )[0]
        for seed in (100, 200)
    ]
    asked = f"the same within {float(wanted or 0):g}" if question.is_equivalence else (
        f"a difference of {float(wanted or 0):g}"
    )  # fmt: skip
    return name, asked, str(planned.n_needed), percent(float(np.mean(rates)))


def same_rate(
    n_evals: int,
    truth: tuple[float, float],
    margin: str,
    n_sets: int,
    texts: tuple[float, float] = (0.5, -0.5),
) -> float:
    """Return how often two systems are called the same although one changes in some texts.

    Differences spread by 0.02. `truth` is the share of texts that change, and how far apart the
    others are; `texts` are the usual score, and by how much such texts fail or gain.
    """
    (changed, apart), (score, change) = truth, texts
    random = np.random.default_rng((SEED, n_evals, round(1000 * changed)))
    n_found = 0
    for seed in range(n_sets):
        scores = score + 0.05 * random.normal(size=(1, 2, n_evals))
        scores[0, 1] = scores[0, 0] + apart + 0.02 * random.normal(size=n_evals)
        scores[0, 1] += change * (random.random(n_evals) < changed)
        results = _results(scores, scale="0-1")
        plan = TestPlan("F", 499, seed, 1 - LEVEL, Fraction(margin))
        (pair,) = compare(results, ["s0", "s1"], plan).pairs
        n_found += pair.equivalence is not None and pair.equivalence.is_significant
    return n_found / n_sets


def sameness() -> Table:
    """Simulate systems that are farther apart than the margin by rare changes, and equal ones."""
    n_sets = 200
    rows = []
    for n_evals, changed, margin, score, change in (
        (30, 0.05, "0.02", 0.5, -0.5),
        (100, 0.05, "0.02", 0.5, -0.5),
        (300, 0.01, "0.004", 0.5, -0.5),
        (300, 0.05, "0.02", 0.5, -0.5),
        (100, 0.03, "0.02", 0.2, 0.8),
        (300, 0.03, "0.02", 0.2, 0.8),
    ):
        rates = [
            same_rate(n_evals, truth, margin, n_sets, (score, change))
            for truth in ((changed, 0.0), (0.0, float(margin)), (0.0, 0.0))
        ]
        what = f"{percent(changed)} {'lose' if change < 0 else 'gain'} {abs(change):g}"
        rows.append((f"{n_evals}, within {margin}", what, *map(percent, rates)))
    head = ("texts", "rare changes", "apart by these", "apart by the margin", "equal")
    title = f"Called the same, where differences spread by 0.02; {n_sets} pairs each"
    return Table(title, head, rows)


def wrongly_better(n_evals: int, fails: float, n_sets: int) -> tuple[float, float]:
    """Return how often a system is wrongly called better, and how often without a warning.

    Scores are about 0.5, and a text that fails loses all of it. The system gains in the other
    texts what it loses in these.
    """
    random = np.random.default_rng((SEED, n_evals, round(1000 * fails), 9))
    n_better = n_silent = 0
    for seed in range(n_sets):
        scores = 0.5 + 0.05 * random.normal(size=(1, 2, n_evals))
        scores[0, 1] = scores[0, 0] + 0.5 * fails + 0.02 * random.normal(size=n_evals)
        scores[0, 1] -= 0.5 * (random.random(n_evals) < fails)
        comparison = _compared(scores, seed, 499)
        is_better = comparison.pairs[0].better == "s1"
        n_better += is_better
        n_silent += is_better and not any("failures" in line for line in comparison.warnings)
    return n_better / n_sets, n_silent / n_sets


def better() -> Table:
    """Simulate systems that are not better, but seem so if no text fails."""
    n_sets = 200
    rows = [
        (f"{n_evals}, {percent(fails)} fail", *map(percent, wrongly_better(n_evals, fails, n_sets)))
        for n_evals, fails in ((50, 0.02), (100, 0.02), (100, 0.01), (300, 0.01))
    ]
    head = ("texts", "called better", "called better without a warning")
    return Table(f"Equal means, by failures that cost 0.5; {n_sets} pairs each", head, rows)


def _passing(now: Floats, score: float, margin: str) -> NDArray[np.bool_]:
    """Return which systems pass, and which would by the bootstrap alone; shape (2, n_systems).

    `now` has shape (n_evals, n_systems); the baseline has the same score in each EVAL.
    """
    metrics = tuple(ScoredMetric(f"m{place}", ("S",), "0-1") for place in range(now.shape[1]))
    eval_ids = tuple(f"{number:06}" for number in range(len(now)))
    before = np.full_like(now, score)
    of_now, of_before = (
        SystemTable(
            "s",
            eval_ids,
            {
                metric.name: MetricColumn(metric, np.rint(row * UNITS)[np.newaxis] / UNITS, None)
                for metric, row in zip(metrics, scores.T, strict=True)
            },
        )
        for scores in (now, before)
    )
    results = Results({}, ScoreTable({"s": of_now}, metrics), Options())
    plan = TestPlan("F", 499, SEED, 1 - 2 * LEVEL)
    outcomes, _ = noninferiority(results, [(of_now, of_before)], Fraction(margin), plan)
    bounds = [(one.is_met, (one.lower_bound or 0) + one.unseen > -one.margin) for one in outcomes]
    return np.array(bounds).T


def gate_rates(law: Law, n_evals: int, margin: str, n_sets: int) -> tuple[float, float]:
    """Return how often systems pass that are worse by the margin, and equally good ones.

    Scores are about 0.2.
    """
    random = np.random.default_rng((SEED, n_evals, 3))
    worse = equal = 0
    for _ in range(n_sets // SETS_AT_A_TIME):
        now = 0.2 + law(random, (n_evals, SETS_AT_A_TIME))
        worse += int(_passing(now - float(margin), 0.2, margin)[0].sum())
        equal += int(_passing(now, 0.2, margin)[0].sum())
    return worse / n_sets, equal / n_sets


def gates() -> Table:
    """Simulate systems that are compared with a baseline, with a margin."""
    n_sets, margin = 400, "0.03"
    rows = []
    for n_evals in (30, 100, 300):
        rates = [gate_rates(law, n_evals, margin, n_sets) for law in LAWS.values()]
        for truth, of_laws in zip(("worse by 0.03", "as good"), zip(*rates, strict=True),
                                  strict=True):  # fmt: skip
            rows.append((f"{n_evals}, {truth}", *map(percent, of_laws)))
    title = f"Not worse than 0.03, scores of about 0.2, {n_sets} pairs each: passed"
    return Table(title, ("texts", *LAWS), rows)


def failing_rates(n_evals: int, fails: float, spread: float, n_sets: int) -> tuple[float, float]:
    """Return how often systems pass that are worse by the margin because some texts fail.

    Also how often they would pass by the bootstrap alone. Scores are 0.5, and a text that fails
    loses all of it; the others differ by `spread`.
    """
    random = np.random.default_rng((SEED, n_evals, round(1000 * fails), 10))
    passed = np.zeros(2)
    for _ in range(n_sets // SETS_AT_A_TIME):
        shape = n_evals, SETS_AT_A_TIME
        now = 0.5 + spread * random.normal(size=shape)
        now[random.random(shape) < fails] = 0
        passed += _passing(now, 0.5, f"{0.5 * fails:g}").sum(axis=1)
    by_gate, by_bootstrap = (passed / n_sets).tolist()
    return by_gate, by_bootstrap


def failures() -> Table:
    """Simulate systems that are worse by rare failures alone."""
    n_sets = 600
    rows = [
        (
            f"{n_evals}, {percent(fails)} fail",
            *(
                percent(rate)
                for spread in (0.0, 0.02)
                for rate in failing_rates(n_evals, fails, spread, n_sets)
            ),
        )
        for n_evals, fails in ((50, 0.04), (100, 0.02), (200, 0.01), (300, 0.01), (300, 0.04))
    ]
    head = ("texts", "others equal", "the bootstrap alone", "others differ by 0.02",
            "the bootstrap alone")  # fmt: skip
    title = f"Worse by the margin, as texts fail that lose 0.5; {n_sets} pairs each: passed"
    return Table(title, head, rows)


def looked_at(n_looks: int, n_sets: int) -> float:
    """Return how often a system that is worse by the margin passes at one look or more.

    Differences are normal, scores about 0.1; looks are at equal steps up to 300 EVALs.
    """
    random = np.random.default_rng((SEED, 4))
    n_passed = 0
    for _ in range(n_sets // SETS_AT_A_TIME):
        now = 0.07 + _normal(random, (300, SETS_AT_A_TIME))
        looks = range(300 // n_looks, 301, 300 // n_looks)
        n_passed += int(np.any([_passing(now[:n], 0.1, "0.03")[0] for n in looks], axis=0).sum())
    return n_passed / n_sets


def looks() -> Table:
    """Simulate a gate that is checked again as EVALs come in."""
    n_sets = 600
    rows = [
        (f"{n_looks} {'time' if n_looks == 1 else 'times'}", percent(looked_at(n_looks, n_sets)))
        for n_looks in (1, 2, 5, 10)
    ]
    title = f"Worse by the margin, up to 300 texts, {n_sets} pairs each"
    return Table(title, ("looked at", "passed at one look or more"), rows)


def set_rates(n_sets: int, tau: float, n_studies: int) -> tuple[float, float, float]:
    """Return how often intervals of the mean of data sets contain the truth.

    The program's, that of Hartung and Knapp without their factor being at least 1, and how often
    the former is narrower than the one for equal true differences.
    """
    random = np.random.default_rng((SEED, n_sets, round(1000 * tau)))
    normal = NormalDist().inv_cdf(0.975)
    held = n_first = n_narrow = 0
    for _ in range(n_studies):
        variances = random.uniform(0.005, 0.02, n_sets) ** 2
        differences = tau * random.normal(size=n_sets) + np.sqrt(variances) * random.normal(
            size=n_sets
        )
        found = random_effects(differences.tolist(), variances.tolist(), 0.95)
        weights = 1 / (variances + found.tau2)
        squares = float((weights * (differences - found.mean) ** 2).sum()) / (n_sets - 1)
        half = found.interval[1] - found.mean
        first = half / found.knapp_error * found.error * sqrt(squares)
        held += abs(found.mean) <= half
        n_first += abs(found.mean) <= first
        n_narrow += half < normal * found.fixed_error
    return held / n_studies, n_first / n_studies, n_narrow / n_studies


def data_sets() -> Table:
    """Simulate several data sets, with true differences that are equal or not."""
    n_studies = 2000
    rows = [
        (f"{n_sets} data sets, tau {tau:g}", *map(percent, set_rates(n_sets, tau, n_studies)))
        for n_sets in (3, 5, 10)
        for tau in (0.0, 0.02)
    ]
    head = ("differences", "holds the truth", "factor below 1 allowed", "narrower than fixed")
    title = f"95% intervals of the mean of data sets, {n_studies} studies each"
    return Table(title, head, rows)


def _mostly_zero(random: Random, shape: tuple[int, ...]) -> Floats:
    """Return scores of which 4 of 5 are 0."""
    return random.beta(2, 5, shape) * (random.random(shape) < SHARE_UNTIED)


SCORE_LAWS: dict[str, tuple[Law, float]] = {
    "normal": (lambda random, shape: 0.4 + random.normal(0, 0.1, shape), 0.4),
    "skewed": (lambda random, shape: random.beta(1, 9, shape), 0.1),
    "4 of 5 are 0": (_mostly_zero, SHARE_UNTIED * 2 / 7),
    "19 of 20 are 0": (
        lambda random, shape: random.beta(2, 5, shape) * (random.random(shape) < 1 / 20),
        2 / 7 / 20,
    ),
}
"""Laws of the scores of a system, and their means."""


def score_rate(name: str, n_evals: int, n_sets: int) -> float:
    """Return how often the interval of `score` contains the true mean."""
    law, mean = SCORE_LAWS[name]
    random = np.random.default_rng((SEED, n_evals, 11))
    n_held = 0
    metrics = tuple(ScoredMetric(f"m{place}", ("S",)) for place in range(SETS_AT_A_TIME))
    for _ in range(n_sets // SETS_AT_A_TIME):
        scores = np.rint(law(random, (SETS_AT_A_TIME, n_evals)) * UNITS) / UNITS
        columns = {
            metric.name: MetricColumn(metric, row[np.newaxis], None)
            for metric, row in zip(metrics, scores, strict=True)
        }
        system = SystemTable("s", tuple(map(str, range(n_evals))), columns)
        options = Options.of({"resamples": 1000}).scores
        for metric in summarise(ScoreTable({"s": system}, metrics), options)["s"]:
            lower, upper = metric.measures["S"].interval or (0.0, 0.0)
            n_held += lower <= mean <= upper
    return n_held / n_sets


def scores() -> Table:
    """Simulate scores of a system, and count the intervals that contain the mean."""
    n_sets = 1000
    rows = [
        (str(n_evals), *(percent(score_rate(name, n_evals, n_sets)) for name in SCORE_LAWS))
        for n_evals in (5, 10, 20, 30, 50, 100, 300)
    ]
    title = f"95% intervals of a score that hold the mean, 1000 resamples; {n_sets} sets"
    return Table(title, ("texts", *SCORE_LAWS), rows)


# Correlations -----------------------------------------------------------------------------------


def cells(
    random: Random, shape: tuple[int, int], n_metrics: int, liking: float
) -> tuple[Floats, Floats]:
    """Return scores of metrics that are equally good, and judgements.

    The quality of a summary is that of its system, with a standard deviation of 1, and as much
    of its own; judgements and scores add as much noise. Each metric likes some systems more than
    they deserve: by `liking` standard deviations of their quality.
    """
    n_systems = shape[0]
    quality = random.normal(size=(n_systems, 1)) + random.normal(size=shape)
    judged = quality + random.normal(size=shape)
    likings = liking * random.normal(size=(n_systems, 1, n_metrics))
    scores = quality[..., np.newaxis] + likings + random.normal(size=(*shape, n_metrics))
    return scores, judged


def p_of_pair(measured: tuple[str, str], tables: tuple[Floats, Floats], how: Resampling) -> float:
    """Return the p of the first two metrics of a table of scores, and one of judgements; or 1."""
    (found,) = permutation_tests(exchangeable(measured, *tables, how), [(0, 1)], how)
    return 1.0 if found.p is None else found.p


def exchange_rates(
    shape: tuple[int, int], liking: float, n_sets: int, resamples: int = 199
) -> tuple[float, float, float]:
    """Return how often one of two equally good metrics is called better at the system level.

    By exchanging cells, by exchanging whole systems, and by Williams' test.
    """
    random = np.random.default_rng((SEED, *shape, round(10 * liking)))
    found = np.zeros(3)
    for seed in range(n_sets):
        scores, judged = cells(random, shape, 2, liking)
        p = [
            p_of_pair(("system", "pearson"), (scores, judged), how)
            for unit in ("cells", "systems")
            for how in [Resampling(resamples, seed, exchanged=unit)]
        ]
        means = scores.mean(axis=1)
        williams = williams_test(means[:, 0], means[:, 1], judged.mean(axis=1))
        p.append(williams.p if williams else 1.0)
        found += [one <= float(LEVEL) for one in p]
    by_cells, by_systems, by_williams = (found / n_sets).tolist()
    return by_cells, by_systems, by_williams


def likings() -> Table:
    """Simulate two metrics that are equally good, each with its own likings."""
    n_sets = 1000
    rows = []
    for shape in ((14, 50), (14, 100), (25, 100)):
        for liking in (0.0, 0.3, 0.6):
            rates = exchange_rates(shape, liking, n_sets)
            name = f"{shape[0]} systems, {shape[1]} texts, preference {liking:g}"
            rows.append((name, *map(percent, rates)))
    head = ("equally good metrics", "cells exchanged", "systems exchanged", "Williams")
    title = f"System level, Pearson, {n_sets} sets each: one called better at 0.05"
    return Table(title, head, rows)


def other_levels() -> Table:
    """Simulate the same at the other levels, which exchange cells, and the best of 6."""
    n_sets, n_joint = 400, 60
    rows = []
    for liking in (0.0, 0.3, 0.6):
        rates = [
            cells_exchanged_rate((level, "pearson"), liking, n_metrics, n)
            for n_metrics, n in ((2, n_sets), (6, n_joint))
            for level in ("summary", "pooled")
        ]
        rows.append((f"14 systems, 50 texts, preference {liking:g}", *map(percent, rates)))
    head = ("equally good metrics", "2, summary", "2, pooled", "best of 6, summary",
            "best of 6, pooled")  # fmt: skip
    title = (
        f"Cells exchanged at the other levels, Pearson, {n_sets} sets of 2 and {n_joint} of 6 "
        "metrics: any called worse"
    )
    return Table(title, head, rows)


def cells_exchanged_rate(
    measured: tuple[str, str], liking: float, n_metrics: int, n_sets: int
) -> float:
    """Return how often an equally good metric is called worse; more than 2 share one test."""
    random = np.random.default_rng((SEED, round(10 * liking)))
    n_found = 0
    for seed in range(n_sets):
        tables = cells(random, (14, 50), n_metrics, liking)
        how = Resampling(199 if n_metrics == 2 else 99, seed)  # noqa: PLR2004
        if n_metrics == 2:  # noqa: PLR2004
            n_found += p_of_pair(measured, tables, how) <= float(LEVEL)
            continue
        p_values = best_metric_tests(exchangeable(measured, *tables, how), how)
        n_found += any(p is not None and p <= float(LEVEL) for p in p_values)
    return n_found / n_sets


def accuracy_rates(
    shape: tuple[int, int], liking: float, n_sets: int
) -> tuple[float, float, float]:
    """Return how often one of two equally good metrics is called better: by pa, acc-eq and spa."""
    measured = (("system", "pa"), ("summary", "acc-eq"), ("system", "spa"))
    random = np.random.default_rng((SEED, round(10 * liking)))
    n_found = np.zeros(len(measured))
    for seed in range(n_sets):
        scores, judged = cells(random, shape, 2, liking)
        tables = np.round(1000 * scores), np.round(judged)
        for index, way in enumerate(measured):
            n_found[index] += p_of_pair(way, tables, Resampling(199, seed)) <= float(LEVEL)
    by_accuracy, by_ties, by_soft = (n_found / n_sets).tolist()
    return by_accuracy, by_ties, by_soft


def accuracies() -> Table:
    """Simulate two metrics that are equally good, by accuracies over pairs of systems."""
    n_sets = 400
    rows = [
        (
            f"14 systems, 50 texts, preference {liking:g}",
            *map(percent, accuracy_rates((14, 50), liking, n_sets)),
        )
        for liking in (0.0, 0.3, 0.6)
    ]
    head = ("equally good metrics", "PA", "acc-eq", "SPA")
    return Table(f"Accuracies over pairs of systems, {n_sets} sets each", head, rows)


def best_rates(liking: float, n_worse: int, n_sets: int) -> tuple[float, float, float]:
    """Return how often any of the best of 17 metrics is called worse than the best.

    By a test of each against the best one, and by the one test of all; and which share of the
    metrics that are worse the latter finds.
    """
    random = np.random.default_rng((SEED, n_worse, round(10 * liking)))
    single = joint = 0
    n_found = 0
    measured = ("system", "pearson")
    for seed in range(n_sets):
        scores, judged = cells(random, (14, 50), 17, liking)
        scores[..., 17 - n_worse :] += 2 * random.normal(size=(14, 1, n_worse))
        how = Resampling(199, seed)
        values = at_level(*measured, scores, judged[..., np.newaxis])
        best = int(np.argmax(values))
        equal = [place for place in range(17 - n_worse) if place != best]
        pairs = [(min(best, place), max(best, place)) for place in equal]
        exchanged = exchangeable(measured, scores, judged, how)
        one_by_one = permutation_tests(exchanged, pairs, how)
        single += any(one.p is not None and one.p <= float(LEVEL) for one in one_by_one)
        p_values = best_metric_tests(exchanged, how)
        worse = [p is not None and p <= float(LEVEL) for p in p_values]
        joint += any(worse[place] for place in equal)
        n_found += sum(worse[17 - n_worse :])
    return single / n_sets, joint / n_sets, n_found / max(1, n_sets * n_worse)


def best_of_many() -> Table:
    """Simulate tables of 17 metrics of which none, or some, are worse."""
    n_sets = 300
    rows = []
    for liking, n_worse in ((0.0, 0), (0.3, 0), (0.6, 0), (0.3, 7)):
        single, joint, found = best_rates(liking, n_worse, n_sets)
        truth = f"{n_worse} of 17 worse" if n_worse else "17 equally good"
        row = f"{truth}, preference {liking:g}", percent(single), percent(joint)
        rows.append((*row, percent(found) if n_worse else "-"))
    head = ("metrics", "one test each", "one test of all", "worse ones found by it")
    title = (
        f"One or more of the best metrics called worse than the best, 14 systems, 50 texts, "
        f"{n_sets} tables each"
    )
    return Table(title, head, rows)


def _correlated(
    scores: Floats, ratings: Sequence[Floats], plan: CorrelationPlan
) -> CorrelationStudy:
    """Correlate scores, (n_systems, n_evals, n_metrics), with judgements, as the command does.

    `ratings` are, for each judgement, those of judges: (n_systems, n_evals, n_judges).
    """
    results = _results(1 + np.moveaxis(scores, 2, 0) / 100)
    evals = next(iter(results.table.systems.values())).eval_ids
    rows = tuple(
        JudgedRow.of(0, system, eval_id, [of_one[row, column].tolist() for of_one in ratings])
        for row, system in enumerate(results.table.systems)
        for column, eval_id in enumerate(evals)
    )
    names = tuple(f"judgement-{number}" for number in range(len(ratings)))
    return correlate_results(results, Judgements("made", names, rows, True), plan)


LEVELS = ("system", "summary", "pooled")
COEFFICIENTS = ("pearson", "spearman")


def _plan(coefficients: tuple[str, ...], seed: int) -> CorrelationPlan:
    """Return a plan with few resamples, of all levels."""
    asked = CorrelationOptions(level=LEVELS, coefficient=coefficients, seed=seed)
    return CorrelationPlan(asked, ScoreOptions(resamples=99))


def column_rates(liking: float, n_sets: int) -> tuple[float, ...]:
    """Return how often any of 3 equally good metrics is called worse than the best.

    By Pearson's coefficient of one judgement at each level, and in any of 18 columns: those of 3
    judgements at 3 levels by 2 coefficients. 14 systems, 20 EVALs.
    """
    random = np.random.default_rng((SEED, 9, round(10 * liking)))
    found = np.zeros(len(LEVELS) + 1)
    for seed in range(n_sets):
        scores, judged = cells(random, (14, 20), 3, liking)
        others = judged + random.normal(size=(2, *judged.shape))
        ratings = [np.round(table, 2)[..., np.newaxis] for table in (judged, *others)]
        study = _correlated(scores, ratings, _plan(COEFFICIENTS, seed))
        worse = {
            (column.judgement, column.level, column.coefficient): any(
                not (row.is_best or row.is_tied) for row in column.correlations
            )
            for column in study.columns
        }
        single = [worse[study.judgements[0], level, "pearson"] for level in LEVELS]
        found += [*single, any(worse.values())]
    return tuple((found / n_sets).tolist())


def columns() -> Table:
    """Simulate reports with many columns, and with one."""
    n_sets = 60
    rows = [
        (
            f"3 equally good metrics, preference {liking:g}",
            *map(percent, column_rates(liking, n_sets)),
        )
        for liking in (0.0, 0.3, 0.6)
    ]
    head = ("14 systems, 20 texts", "system", "summary", "pooled", "any of 18 columns")
    return Table(f"A metric called worse than the best, {n_sets} reports each", head, rows)


def correction_rates(strictness: float, n_sets: int) -> dict[str, tuple[float, ...]]:
    """Return the effect of correcting correlations for 3 judges, at two levels.

    The true correlation, the mean of plain and of corrected ones, the share of intervals that hold
    the true one, and how many are not given. Judges are stricter by `strictness` standard
    deviations of quality, and have likings of 0.5; the metric has likings of 1. 14 systems, 12
    EVALs.
    """
    random = np.random.default_rng((SEED, 10, round(10 * strictness)))
    shape, own = (14, 12), 1 / 12
    true = {"system": sqrt((1 + own) / (2 + 2 * own)), "summary": sqrt(2 / 4)}
    found: dict[str, list[tuple[float, ...]]] = {level: [] for level in true}
    for seed in range(n_sets):
        quality = random.normal(size=(shape[0], 1)) + random.normal(size=shape)
        scores = quality + random.normal(size=(shape[0], 1)) + random.normal(size=shape)
        moved = strictness * random.normal(size=3) + 0.5 * random.normal(size=(shape[0], 1, 3))
        ratings = quality[..., np.newaxis] + moved + random.normal(size=(*shape, 3))
        study = _correlated(
            scores[..., np.newaxis], [np.round(ratings, 2)], _plan(("pearson",), seed)
        )
        for column in study.columns:
            (one,) = column.correlations
            if column.level in true and one.corrected is not None:
                lower, upper = one.corrected_interval or (np.nan, np.nan)
                is_held = lower <= true[column.level] <= upper
                found[column.level].append((one.value, one.corrected, is_held))
    rates: dict[str, tuple[float, ...]] = {}
    for level, rows in found.items():
        plain, corrected, held = np.array(rows).T
        is_given = ~np.isnan(corrected)
        means = float(plain.mean()), float(corrected[is_given].mean())
        shares = float(held[is_given].mean()), float(1 - is_given.mean())
        rates[level] = (true[level], *means, *shares)
    return rates


def corrections() -> Table:
    """Simulate judges who differ in strictness, and correct correlations for them."""
    n_sets = 100
    rows = []
    for strictness in (0.0, 1.0, 3.0):
        for level, rates in correction_rates(strictness, n_sets).items():
            values = (f"{value:.3f}" for value in rates[:3])
            name = f"strictness {strictness:g}, {level} level"
            rows.append((name, *values, *map(percent, rates[3:])))
    head = ("3 judges, 14 systems, 12 texts", "true", "plain", "corrected", "truth in interval",
            "not given")  # fmt: skip
    return Table(f"Pearson, corrected for the judges: means of {n_sets} sets each", head, rows)


Family = tuple[int, ...]
"""How many metrics there are of each kind, such as 16 near-clones and another one."""


def alike(
    random: Random, n_systems: int, family: Family, noise: float, *, has_outlier: bool = False
) -> tuple[Floats, Floats]:
    """Return means of systems in equally good metrics, some of them alike, and judgements.

    Metrics of a kind share their likings, of 0.6, and differ by `noise`. An outlier is a system
    that is 4 standard deviations worse than the others.
    """
    quality = random.normal(size=n_systems)
    if has_outlier:
        quality[0] -= 4
    judged = quality + 0.3 * random.normal(size=n_systems)
    likings = np.repeat(0.6 * random.normal(size=(n_systems, len(family))), family, axis=1)
    scores = quality[:, np.newaxis] + likings + noise * random.normal(size=likings.shape)
    return scores[:, np.newaxis], judged[:, np.newaxis]


def unequal_rate(
    family: Family, n_systems: int, noise: float, n_sets: int, *, has_outlier: bool = False
) -> float:
    """Return how often any of equally good metrics, some of them alike, is called worse."""
    random = np.random.default_rng((SEED, n_systems, *family))
    n_found = 0
    for seed in range(n_sets):
        scores, judged = alike(random, n_systems, family, noise, has_outlier=has_outlier)
        how = Resampling(199, seed)
        tests = best_metric_tests(exchangeable(("system", "pearson"), scores, judged, how), how)
        n_found += any(p is not None and p <= float(LEVEL) for p in tests)
    return n_found / n_sets


UNEQUAL: dict[str, tuple[Family, float, bool]] = {
    "16 near-clones and another": ((16, 1), 0.05, False),
    "3 near-clones and another": ((3, 1), 0.05, False),
    "3 alike and another": ((3, 1), 0.25, False),
    "4 and 4 alike": ((4, 4), 0.1, False),
    "3 near-clones and another, an outlier": ((3, 1), 0.05, True),
}


def unequal() -> Table:
    """Simulate metrics of which some are alike and others are not."""
    n_sets = 400
    rows = [
        (
            name,
            *(
                percent(unequal_rate(family, n_systems, noise, n_sets, has_outlier=has_outlier))
                for n_systems in (6, 8, 14)
            ),
        )
        for name, (family, noise, has_outlier) in UNEQUAL.items()
    ]
    head = ("equally good metrics", "6 systems", "8 systems", "14 systems")
    title = f"System level, Pearson, {n_sets} sets each: one or more called worse than the best"
    return Table(title, head, rows)


def found_pairs(n_systems: int, n_sets: int) -> tuple[float, float]:
    """Return how often the worse one of two metrics is found, by systems exchanged and Williams."""
    random = np.random.default_rng((SEED, n_systems, 7))
    found = np.zeros(2)
    for seed in range(n_sets):
        scores, judged = _two_metrics(random, (n_systems, 50))
        p = p_of_pair(("system", "pearson"), (scores, judged), Resampling(199, seed))
        means = scores.mean(axis=1)
        williams = williams_test(means[:, 0], means[:, 1], judged.mean(axis=1))
        p_values = (p, williams.p if williams else 1.0)
        found += [p <= float(LEVEL) for p in p_values]
    by_systems, by_williams = (found / n_sets).tolist()
    return by_systems, by_williams


def power_of_pairs() -> Table:
    """Simulate two metrics of which one has much larger likings."""
    n_sets = 1000
    rows = [
        (f"{n_systems} systems, 50 texts", *map(percent, found_pairs(n_systems, n_sets)))
        for n_systems in (8, 14, 25)
    ]
    head = ("likings of 0.3 and 1", "systems exchanged", "Williams")
    title = f"System level, Pearson, {n_sets} sets each: the worse one of two metrics found"
    return Table(title, head, rows)


def _two_metrics(random: Random, shape: tuple[int, int]) -> tuple[Floats, Floats]:
    """Return scores of two metrics, of which the second has much larger likings, and judgements."""
    scores, judged = cells(random, shape, 2, 0.3)
    scores[..., 1] += random.normal(size=(shape[0], 1))
    return scores, judged


def coverage() -> Table:
    """Simulate studies, and count how many intervals hold the correlation of all systems."""
    n_sets = 300
    rows = []
    for n_systems in (8, 14, 30):
        rates = []
        for resampled in ("systems", "both"):
            random = np.random.default_rng((SEED, n_systems))
            n_held = 0
            for seed in range(n_sets):
                scores, judged = cells(random, (n_systems, 30), 1, 0.6)
                how = Resampling(400, seed, resampled)
                (values,) = resampled_correlations(("system", "pearson"), scores, judged, how)
                lower, upper = percentile_interval(values, 95.0)[0] or (1.0, -1.0)
                n_held += lower <= _true_correlation(30, 0.6) <= upper
            rates.append(percent(n_held / n_sets))
        rows.append((str(n_systems), *rates))
    head = ("systems", "`systems`", "`both`")
    title = (
        "Share of 95% intervals that contain the true value: Pearson, system level, 30 texts, "
        f"{n_sets} sets"
    )
    return Table(title, head, rows)


def _true_correlation(n_evals: int, liking: float) -> float:
    """Return the correlation of the means of very many systems over so many EVALs."""
    shared = 1 + 1 / n_evals
    noise = 1 / n_evals
    return shared / sqrt((shared + noise) * (shared + liking**2 + noise))


# Arithmetic and speed ---------------------------------------------------------------------------


def programs() -> Table:
    """Compare both tests with scipy, if it is installed, on the same generated scores."""
    import scipy.stats

    random = np.random.default_rng(SEED)
    rows = []
    for number in range(1, 5):
        differences = np.rint(random.normal(0.005 * number, 0.1, 200) * UNITS)[:, np.newaxis]
        (pair,) = _tested(differences, TestPlan("F", 10_000, SEED, 1 - LEVEL))
        permuted = scipy.stats.permutation_test(
            (differences[:, 0], np.zeros(200)),
            lambda one, other, axis: np.mean(one - other, axis=axis),
            permutation_type="samples",
            vectorized=True,
            n_resamples=10_000,
            random_state=SEED,
        ).pvalue
        student = scipy.stats.ttest_1samp(differences[:, 0], 0).pvalue
        values = (float(pair.bootstrap), float(pair.randomisation), permuted, student)
        rows.append((str(number), *(f"{value:.4f}" for value in values)))
    head = ("pair", "bootstrap", "randomisation", "scipy `permutation_test`", "Student's t")
    return Table("200 texts, 10,000 resamples", head, rows)


def letters() -> Table:
    """Count patterns of differences of which a letter is superfluous."""
    random = np.random.default_rng(SEED)
    n_less = 0
    for _ in range(3000):
        n_systems = int(random.integers(3, 11))
        pairs = list(combinations(range(n_systems), 2))
        share = random.random()
        different = {pair for pair in pairs if random.random() < share}
        n_less += len(letter_groups(n_systems, different)) < _n_cliques(n_systems, different)
    return Table("Patterns of differences, of 3,000, with a letter to sweep", ("", "patterns"),
                 [("3 to 10 systems", str(n_less))])  # fmt: skip


def _n_cliques(n_systems: int, different: Iterable[tuple[int, int]]) -> int:
    """Return the number of maximal groups in which no pair differs."""
    groups = [frozenset(range(n_systems))]
    for pair in different:
        split = [group - {one} for group in groups if group.issuperset(pair) for one in pair]
        kept = [group for group in groups if not group.issuperset(pair)]
        candidates = list(dict.fromkeys([*kept, *split]))
        groups = [one for one in candidates if not any(one < other for other in candidates)]
    return len(groups)


def speed() -> Table:
    """Time the comparisons of the page, except that of 60 systems, which takes minutes."""
    random = np.random.default_rng(SEED)
    rows = []
    for n_metrics, n_systems, n_evals in ((6, 5, 11_490), (3, 25, 1000)):
        results = _results(np.abs(random.normal(0.3, 0.1, (n_metrics, n_systems, n_evals))))
        start = time.process_time()
        plan = TestPlan("F", RESAMPLES, SEED, 1 - LEVEL, may_grow=True)
        done = compare(results, list(results.table.systems), plan)
        seconds = time.process_time() - start
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        what = f"{n_systems} systems, {n_metrics} metrics, {n_evals:,} texts"
        resamples = f"{done.plan.resamples:,}"
        rows.append((what, resamples, f"{seconds:.1f} s", f"{peak:.0f} MB"))
    head = ("comparison", "resamples", "processor time", "memory")
    return Table("Comparisons, and the memory of the process", head, rows)


SIMULATIONS: dict[str, Callable[[], Table]] = {
    "speed": speed,
    "errors": errors,
    "intervals": intervals,
    "families": families,
    "clusters": clusters,
    "runs": runs,
    "detectable": detectable,
    "plans": plans,
    "sameness": sameness,
    "better": better,
    "gates": gates,
    "failures": failures,
    "looks": looks,
    "data-sets": data_sets,
    "scores": scores,
    "likings": likings,
    "other-levels": other_levels,
    "accuracies": accuracies,
    "power-of-pairs": power_of_pairs,
    "best-of-many": best_of_many,
    "columns": columns,
    "corrections": corrections,
    "unequal": unequal,
    "coverage": coverage,
    "programs": programs,
    "letters": letters,
}
"""By name, in the order in which they run; memory is measured before anything else uses it."""


def main(names: Sequence[str]) -> None:
    """Run the simulations that are named, or all."""
    if unknown := [name for name in names if name not in SIMULATIONS]:
        sys.exit(f"no simulation {unknown[0]!r}; known are: {', '.join(SIMULATIONS)}")
    print(f"seed {SEED}, NumPy {np.__version__}")
    page, missing = "".join(page.read_text("utf-8") for page in PAGES), []
    for name in names or SIMULATIONS:
        start = time.perf_counter()
        table = SIMULATIONS[name]()
        print()
        print("\n".join(table.lines()))
        print(f"\n{name}: {time.perf_counter() - start:.0f} s", flush=True)
        if name not in NOT_ON_PAGE:
            missing += [row for row in table.row_lines() if row not in page]
    if missing:
        sys.exit("\n".join(["", "docs/how-it-works does not have these figures:", *missing]))


if __name__ == "__main__":
    main(sys.argv[1:])
