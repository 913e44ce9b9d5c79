"""Systems of which there are several runs, such as training runs with other seeds.

The score of a system is the mean over its runs and their EVALs. How far it would move with other
runs, with other EVALs, and with both follows from the two-way layout of runs and EVALs, as all runs
have the same EVALs: its mean squares are independent, so a difference by its standard error is
about Student's t, with the degrees of freedom that Satterthwaite's formula gives.

Sources: S. Searle, G. Casella, C. McCulloch, Variance Components, 1992, for the components;
F. Satterthwaite, An Approximate Distribution of Estimates of Variance Components, Biometrics
Bulletin 2, 1946.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import InputError
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.scores.results import MetricColumn, Results, SystemTable
from rouge_cli.studies.intervals import EQUAL, t_quantile, t_share
from rouge_cli.studies.paired_tests import TestPlan, holm_adjusted
from rouge_cli.studies.score_columns import Column, columns_of, score_matrix

Floats = NDArray[np.float64]

DECIMALS = 9
"""Of a mean over runs, so that sums of them are exact."""


@dataclass(frozen=True, slots=True)
class Spread:
    """How far a mean over runs and EVALs moves from sample to sample, as standard errors.

    - `evals`: with other EVALs, and the same runs; None with one EVAL.
    - `runs`: with other runs of the same systems; None if a system has one run.
    - `both`: with other runs and other EVALs, the same EVALs in all runs; None if one is.
    - `degrees`: of freedom of `both`, rounded down.
    """

    evals: float | None
    runs: float | None
    both: float | None = None
    degrees: int | None = None


@dataclass(frozen=True, slots=True)
class Components:
    """Variance components of single scores: of runs, of EVALs, and of what is left.

    They are unbiased, and so may be below 0. `error` is the standard error of the mean by them,
    with those below 0 as 0.
    """

    runs: float
    evals: float
    rest: float
    error: float


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """Scores of runs on the same EVALs, taken apart.

    `runs`, (n_runs,), and `evals`, (n_evals,), are the means of each; `rest` is the mean square of
    what run and EVAL together leave of each score, 0 with one run or one EVAL.
    """

    runs: Floats
    evals: Floats
    rest: float

    @classmethod
    def of(cls, scores: Floats) -> "Layout":
        """Take scores of shape (n_runs, n_evals) apart."""
        runs, evals = scores.mean(axis=1), scores.mean(axis=0)
        rest = scores - runs[:, np.newaxis] - evals + runs.mean()
        degrees = (len(runs) - 1) * (len(evals) - 1)
        return cls(runs, evals, float((rest**2).sum()) / degrees if degrees else 0.0)

    @property
    def mean(self) -> float:
        """The mean of all scores."""
        return float(self.runs.mean())

    @property
    def degrees_of_rest(self) -> int:
        """The degrees of freedom of `rest`."""
        return (len(self.runs) - 1) * (len(self.evals) - 1)


def spread(layout: Layout) -> Spread:
    """Return how far the mean of all scores moves."""
    return _spread([layout], layout.evals)


def spread_of_difference(first: Layout, second: Layout) -> Spread:
    """Return how far the difference of two means moves: runs are drawn apart, EVALs together.

    Both have the same EVALs.
    """
    return _spread([first, second], first.evals - second.evals)


def _spread(layouts: Sequence[Layout], evals: Floats) -> Spread:
    """Return how far a mean, or a difference of two, moves; `evals` are its values by EVAL."""
    sizes = [len(layout.runs) for layout in layouts]
    of_evals = float(evals.var(ddof=1)) / len(evals) if len(evals) > 1 else None
    if min(sizes) == 1:
        return Spread(of_evals and sqrt(of_evals), None)
    variances = [float(layout.runs.var(ddof=1)) for layout in layouts]
    fewest = min(sizes)
    # A few runs may happen to be alike. So they vary no less than the more runs of the other
    # system do: of 2 and 10 equal ones, 11% would be called different otherwise, and not 5%.
    of_runs = [
        (max(variances) if size == fewest < max(sizes) else variance) / size
        for variance, size in zip(variances, sizes, strict=True)
    ]
    if of_evals is None:
        return Spread(None, sqrt(sum(of_runs)))
    terms = _terms(layouts, of_runs, of_evals, len(evals))
    variance = sum(part for part, _ in terms)
    squares = sum(part**2 / degrees for part, degrees in terms)
    # Whole degrees: with two runs the formula itself is a little too sure.
    whole = max(1, int(variance**2 / squares)) if squares else len(evals) - 1
    return Spread(sqrt(of_evals), sqrt(sum(of_runs)), sqrt(variance), whole)


def _terms(
    layouts: Sequence[Layout], of_runs: Sequence[float], of_evals: float, n_evals: int
) -> list[tuple[float, int]]:
    """Return what each mean square adds to a variance, with its degrees of freedom.

    Runs and EVALs have a part of the rest in them: so it counts twice if both are there, and is
    taken off once. What is smaller than its part of the rest is a component below 0, and left out.
    """
    rests = [layout.rest / len(layout.runs) / n_evals for layout in layouts]
    has_evals = of_evals > sum(rests)
    terms = [(of_evals, n_evals - 1)] if has_evals else []
    for layout, runs, rest in zip(layouts, of_runs, rests, strict=True):
        has_runs = runs > rest
        terms += [(runs, len(layout.runs) - 1)] if has_runs else []
        terms.append((rest * (1 - has_runs - has_evals), layout.degrees_of_rest))
    return terms


def components(layout: Layout, error: float) -> Components:
    """Return the variance components of two runs or more, on two EVALs or more."""
    runs = float(layout.runs.var(ddof=1)) - layout.rest / len(layout.evals)
    evals = float(layout.evals.var(ddof=1)) - layout.rest / len(layout.runs)
    return Components(runs, evals, layout.rest, error)


# Systems in a comparison.


@dataclass(frozen=True, slots=True)
class RunsOfSystem:
    """The runs of a system in a measure of a metric: their means, and how far that of all moves.

    `components` are None with one run or one EVAL.
    """

    id: str
    run_means: tuple[float, ...]
    mean: float
    spread: Spread
    components: Components | None


@dataclass(frozen=True, slots=True)
class RunsOfPair:
    """Two systems with their runs.

    - `difference`: of the means over runs and EVALs, A less B, with its `spread`.
    - `interval`: by Student's t; None at a confidence of 1, too.
    - `p`: two-sided; `p_holm`: corrected over all pairs and columns.
    - `is_larger`: whether the corrected p is at most the level.

    All but the difference are None if one of the two has a single run, or there is a single EVAL.
    """

    system_a: str
    system_b: str
    difference: float
    spread: Spread
    interval: tuple[float, float] | None = None
    p: float | None = None
    p_holm: float | None = None
    is_larger: bool | None = None


@dataclass(frozen=True, slots=True)
class RunsOfColumn:
    """All systems and pairs in a measure of a metric."""

    column: Column
    systems: tuple[RunsOfSystem, ...]
    pairs: tuple[RunsOfPair, ...]


def systems_of_runs(names: Sequence[str], field: str) -> dict[str, list[str]]:
    """Return the runs of each system, by the names that `--run` gives them.

    A name without the field is a system of one run.
    """
    # Fields of records match in any case.
    named = re.compile(rf"(.+) {re.escape(field)}=.*", re.IGNORECASE | re.DOTALL)
    runs: dict[str, list[str]] = {}
    for name in names:
        match = named.fullmatch(name)
        runs.setdefault(match[1] if match else name, []).append(name)
    return runs


def merged_runs(results: Results, runs: Mapping[str, Sequence[str]]) -> tuple[Results, list[str]]:
    """Return the means over the runs of each system, on the EVALs that all runs have; and warnings.

    Raises InputError if they have no EVAL in common.
    """
    tables = [results.table.systems[name] for names in runs.values() for name in names]
    known = [frozenset(table.eval_ids) for table in tables]
    evals = tuple(name for name in tables[0].eval_ids if all(name in ids for ids in known))
    n_all = len(frozenset().union(*known))
    if not evals:
        raise InputError("the runs have no EVAL in common; compare runs on the same EVALs")
    warnings = []
    if len(evals) < n_all:
        warnings.append(f"only {len(evals)} of {n_all} EVALs count, those that all runs have")
    systems = {
        system: _mean_table(system, [_on(evals, results.table.systems[name]) for name in names])
        for system, names in runs.items()
    }
    return replace(results, table=replace(results.table, systems=systems)), warnings


FEW_RUNS = 5
"""With fewer, only large differences can be shown."""


def run_warnings(columns: Sequence[RunsOfColumn]) -> Iterator[str]:
    """Yield what few runs take from the results."""
    if not columns:
        yield "no metric is a mean over EVALs: nothing is said of other runs"
        return
    counts = [(len(system.run_means), system.id) for system in columns[0].systems]
    fewest, system = min(counts)
    if fewest == 1:
        yield f"{system!r} has one run, which does not show how far other runs would move it"
    elif fewest < FEW_RUNS:
        yield (
            f"{system!r} has only {fewest} runs: with fewer than {FEW_RUNS} only differences that "
            "are large beside those of runs can be shown"
        )


def _on(evals: Sequence[str], table: SystemTable) -> SystemTable:
    """Return the scores of a run on some of its EVALs, in their order."""
    place = {eval_id: row for row, eval_id in enumerate(table.eval_ids)}
    return table.take(np.array([place[eval_id] for eval_id in evals], np.int64))


def _mean_table(system: str, runs: Sequence[SystemTable]) -> SystemTable:
    """Return the means over some runs on the same EVALs."""

    def mean(values: Sequence[Floats]) -> Floats:
        rounded: Floats = np.round(np.stack(values).mean(axis=0), DECIMALS)
        return rounded

    columns = {}
    for name, column in runs[0].columns.items():
        of_runs = [run.columns[name] for run in runs]
        statistics = {
            key: mean([of_run.statistics[key] for of_run in of_runs]) for key in column.statistics
        }
        values = mean([of_run.values for of_run in of_runs])
        columns[name] = MetricColumn(column.metric, values, None, statistics)
    return SystemTable(system, runs[0].eval_ids, columns)


def runs_of_columns(
    results: Results, runs: Mapping[str, Sequence[str]], evals: Sequence[str], plan: TestPlan
) -> tuple[RunsOfColumn, ...]:
    """Compare systems over their runs in each column of means over EVALs."""
    columns = [
        column for column in columns_of(results.table, plan.letters) if column.is_mean_of_evals
    ]
    tables = {
        system: [_on(evals, results.table.systems[name]) for name in names]
        for system, names in runs.items()
    }
    scores = {
        system: np.stack([score_matrix(run, columns) for run in of_system])
        for system, of_system in tables.items()
    }
    of_columns = []
    for number, column in enumerate(columns):
        layouts = {system: Layout.of(values[:, :, number]) for system, values in scores.items()}
        pairs = tuple(_pair(pair, layouts, plan) for pair in combinations(layouts, 2))
        systems = tuple(_system(name, layout) for name, layout in layouts.items())
        of_columns.append(RunsOfColumn(column, systems, pairs))
    return _corrected(of_columns, plan)


def _system(name: str, layout: Layout) -> RunsOfSystem:
    """Describe the runs of a system."""
    moves = spread(layout)
    parts = None if moves.both is None else components(layout, moves.both)
    return RunsOfSystem(name, tuple(layout.runs.tolist()), layout.mean, moves, parts)


def _pair(pair: tuple[str, str], layouts: Mapping[str, Layout], plan: TestPlan) -> RunsOfPair:
    """Compare two systems with their runs, before any correction."""
    first, second = (layouts[name] for name in pair)
    difference = first.mean - second.mean
    moves = spread_of_difference(first, second)
    if moves.both is None or moves.degrees is None:
        return RunsOfPair(*pair, difference, moves)
    interval, level = None, float(plan.level)
    if level:
        half = t_quantile(1 - level / 2, moves.degrees) * moves.both
        interval = difference - half, difference + half
    p = 1.0
    if abs(difference) > EQUAL * max(abs(first.mean), abs(second.mean)):
        p = 1 - t_share(abs(difference) / moves.both, moves.degrees) if moves.both else 0.0
    return RunsOfPair(*pair, difference, moves, interval, p)


def _corrected(columns: Sequence[RunsOfColumn], plan: TestPlan) -> tuple[RunsOfColumn, ...]:
    """Correct the p of all pairs in all columns by Holm's method."""
    known = [Fraction(pair.p) for of in columns for pair in of.pairs if pair.p is not None]
    adjusted = iter(holm_adjusted(known))

    def corrected(pair: RunsOfPair) -> RunsOfPair:
        if pair.p is None:
            return pair
        p_holm = next(adjusted)
        return replace(pair, p_holm=float(p_holm), is_larger=p_holm <= plan.level)

    return tuple(replace(of, pairs=tuple(map(corrected, of.pairs))) for of in columns)
