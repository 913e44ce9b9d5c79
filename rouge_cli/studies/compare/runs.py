"""Comparisons of systems with several runs, such as training runs with different seeds.

The score of a system is the mean over its runs and their EVALs. All runs have the same EVALs, so
the scores form a two-way layout, whose mean squares are independent. These tell how much the mean
would vary with other runs, with other EVALs, and with both. A difference divided by its standard
error then approximately follows Student's t distribution, with the degrees of freedom of
Satterthwaite's formula.

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
from statistics import stdev
from typing import Annotated

import numpy as np

from rouge_cli.errors import InputError
from rouge_cli.metrics.arithmetic import Floats
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports.rows import Shown
from rouge_cli.reports.wording import p_value
from rouge_cli.scores.results import MetricColumn, Results, SystemTable
from rouge_cli.studies.paired_tests import TestPlan, holm_adjusted
from rouge_cli.studies.resampling import EQUAL, t_quantile, t_share
from rouge_cli.studies.score_columns import ScoreColumn, columns_of, score_matrix

FEW_RUNS = 5  # with fewer runs, only large differences can be shown


@dataclass(frozen=True, slots=True)
class StandardErrors:
    """The standard errors of a mean over runs and EVALs.

    `degrees` is the number of degrees of freedom of `both`, rounded down.

    - `evals`: With other texts and the same runs.
    - `runs`: With other runs; null if a system has one run.
    - `both`: With other runs, all of them on the same other texts.
    """

    evals: Annotated[float | None, Shown(heading="texts", write=4, column="")]
    runs: Annotated[float | None, Shown(heading="runs", write=4, column="{}_runs")]
    both: Annotated[float | None, Shown(write=4, column="{}_both")] = None
    degrees: int | None = None


@dataclass(frozen=True, slots=True)
class Components:
    """The variance components of single scores; unbiased estimates, which may be below 0."""

    runs: Annotated[float, Shown("Between runs.")]
    evals: Annotated[float, Shown("Between texts.")]
    rest: Annotated[float, Shown("What runs and texts leave.")]
    error: Annotated[
        float, Shown("Standard error of the mean, with components below 0 taken as 0.")
    ]


class TwoWayLayout:
    """The two-way layout of the scores of runs on the same EVALs, (n_runs, n_evals).

    `runs`, (n_runs,), and `evals`, (n_evals,), are the means of each run and of each EVAL. `rest`
    is the mean square of the residuals; it is 0 for one run or one EVAL.
    """

    def __init__(self, scores: Floats) -> None:
        self.runs: Floats = scores.mean(axis=1)
        self.evals: Floats = scores.mean(axis=0)
        rest = scores - self.runs[:, np.newaxis] - self.evals + self.runs.mean()
        degrees = (len(self.runs) - 1) * (len(self.evals) - 1)
        self.rest = float((rest**2).sum()) / degrees if degrees else 0.0

    @property
    def mean(self) -> float:
        """The mean of all scores."""
        return float(self.runs.mean())


def mean_errors(*layouts: TwoWayLayout) -> StandardErrors:
    """Return the standard errors of the mean of a layout, or of the difference of two means.

    Two layouts have the same EVALs; their runs are independent.
    """
    evals = layouts[0].evals if len(layouts) == 1 else layouts[0].evals - layouts[1].evals
    n_evals, sizes = len(evals), [len(layout.runs) for layout in layouts]
    of_evals = float(evals.var(ddof=1)) / n_evals if n_evals > 1 else None
    fewest = min(sizes)
    if fewest == 1:
        return StandardErrors(of_evals and sqrt(of_evals), None)
    variances = [float(layout.runs.var(ddof=1)) for layout in layouts]
    # A few runs may happen to be alike, so their variance is taken to be at least that of the
    # system with more runs. Otherwise, of equal systems with 2 and 10 runs, 11% instead of 5% would
    # be called different.
    of_runs = [
        (max(variances) if size == fewest < max(sizes) else variance) / size
        for variance, size in zip(variances, sizes, strict=True)
    ]
    if of_evals is None:
        return StandardErrors(None, sqrt(sum(of_runs)))
    rests = [layout.rest / len(layout.runs) / n_evals for layout in layouts]
    # The terms are the contributions of the mean squares to the variance, with their degrees of
    # freedom. A mean square that is smaller than the rest it contains belongs to a component below
    # 0, and is left out. If those of runs and of EVALs both count, so does the rest, twice, and it
    # is subtracted once.
    has_evals = of_evals > sum(rests)
    terms = [(of_evals, n_evals - 1)] if has_evals else []
    for size, runs, rest in zip(sizes, of_runs, rests, strict=True):
        has_runs = runs > rest
        terms += [(runs, size - 1)] if has_runs else []
        terms.append((rest * (1 - has_runs - has_evals), (size - 1) * (n_evals - 1)))
    variance = sum(part for part, _ in terms)
    squares = sum(part**2 / degrees for part, degrees in terms)
    # Rounded down, since the formula slightly overestimates the degrees of freedom of two runs.
    degrees = max(1, int(variance**2 / squares)) if squares else n_evals - 1
    return StandardErrors(sqrt(of_evals), sqrt(sum(of_runs)), sqrt(variance), degrees)


def components(layout: TwoWayLayout, error: float) -> Components:
    """Return the variance components of two or more runs on two or more EVALs.

    `error` is the standard error of the mean.
    """
    runs = float(layout.runs.var(ddof=1)) - layout.rest / len(layout.evals)
    evals = float(layout.evals.var(ddof=1)) - layout.rest / len(layout.runs)
    return Components(runs, evals, layout.rest, error)


@dataclass(frozen=True, slots=True)
class RunsOfSystem:
    """The runs of a system in one measure of one metric."""

    run_means: Annotated[tuple[float, ...], Shown("Mean of each run.")]
    mean: Annotated[float, Shown("Over runs and texts.", write=4)]
    errors: Annotated[StandardErrors, Shown("Of the mean.", key="standard_errors")]
    components: Annotated[
        Components | None, Shown("Null with one run or one text.", key="variance_components")
    ]

    @property
    def n_runs(self) -> Annotated[int, Shown(heading="runs")]:
        """Number of runs."""
        return len(self.run_means)

    @property
    def deviation(
        self,
    ) -> Annotated[float | None, Shown(heading="SD", write=4, key=None, column="")]:
        """The standard deviation of the means of runs; None with one run."""
        return stdev(self.run_means) if self.n_runs > 1 else None


@dataclass(frozen=True, slots=True)
class RunsOfPair:
    """Two systems compared over their runs.

    Unless both systems have two runs and there are two EVALs, there are only the difference and its
    standard errors; all else is None.

    - `difference`: Of the means over runs and texts, A less B.
    - `errors`: Of the difference.
    - `interval`: By Student's t, over runs and texts; null, as what follows, if a system has one
      run.
    - `p`: Two-sided, by Student's t.
    - `p_holm`: After Holm's correction.
    """

    difference: Annotated[float, Shown(heading="A - B", write=4, column="", is_signed=True)]
    errors: Annotated[StandardErrors, Shown(key="standard_errors", column="error")]
    interval: Annotated[
        tuple[float, float] | None, Shown(write=4, column="bound_runs", is_signed=True)
    ] = None
    p: Annotated[float | None, Shown(write=p_value, column="p_runs")] = None
    p_holm: Annotated[float | None, Shown(heading="Holm", write=p_value, column="p_runs_holm")] = (
        None
    )
    is_larger: Annotated[bool | None, Shown("Whether p_holm is at most the level.")] = None

    @property
    def degrees(self) -> Annotated[int | None, Shown(column="")]:
        """Degrees of freedom of t."""
        return self.errors.degrees


def systems_of_runs(names: Sequence[str], field: str) -> dict[str, list[str]]:
    """Return the names of the runs of each system.

    With ``--run FIELD``, these names read ``SYSTEM FIELD=RUN``. A name without the field is a
    system with a single run.
    """
    # The case of fields does not matter, as it does not when records are read.
    named = re.compile(rf"(.+) {re.escape(field)}=.*", re.IGNORECASE | re.DOTALL)
    runs: dict[str, list[str]] = {}
    for name in names:
        match = named.fullmatch(name)
        runs.setdefault(match[1] if match else name, []).append(name)
    return runs


def merged_runs(results: Results, runs: Mapping[str, Sequence[str]]) -> tuple[Results, list[str]]:
    """Return results with the mean over the runs of each system, and warnings.

    They have the EVALs that all runs have. Raises InputError if there is no such EVAL.
    """
    tables = [results.table.systems[name] for names in runs.values() for name in names]
    known = [frozenset(table.eval_ids) for table in tables]
    common, n_all = frozenset.intersection(*known), len(frozenset.union(*known))
    evals = tuple(name for name in tables[0].eval_ids if name in common)
    if not evals:
        raise InputError("the runs have no text in common; compare runs on the same texts")
    warnings = []
    if len(evals) < n_all:
        warnings.append(f"only the {len(evals)} of {n_all} texts that all runs have are compared")
    systems = {
        system: _mean_table(system, [_on(evals, results.table.systems[name]) for name in names])
        for system, names in runs.items()
    }
    return replace(results, table=replace(results.table, systems=systems)), warnings


def _on(evals: Sequence[str], table: SystemTable) -> SystemTable:
    """Return the scores of a run on these EVALs, in this order."""
    place = {eval_id: row for row, eval_id in enumerate(table.eval_ids)}
    return table.take(np.array([place[eval_id] for eval_id in evals], np.int64))


def _mean_table(system: str, runs: Sequence[SystemTable]) -> SystemTable:
    columns = {}
    for name, column in runs[0].columns.items():
        scores = np.stack([run.columns[name].scores for run in runs]).mean(axis=0)
        # Rounded to 9 decimals, so that sums of these means are exact.
        columns[name] = MetricColumn(column.metric, np.round(scores, 9), None)
    return SystemTable(system, runs[0].eval_ids, columns)


def run_warnings(
    runs: Mapping[str, Sequence[str]], systems: Mapping[tuple[ScoreColumn, str], RunsOfSystem]
) -> Iterator[str]:
    """Warn if a system has few runs, or if no metric is a mean over EVALs."""
    if not systems:
        yield "no metric is a mean over texts, so nothing can be said about other runs"
        return
    fewest, system = min((len(names), system) for system, names in runs.items())
    if fewest == 1:
        yield f"{system!r} has one run, which does not show how far other runs would move it"
    elif fewest < FEW_RUNS:
        yield (
            f"{system!r} has only {fewest} runs: with fewer than {FEW_RUNS}, only differences much "
            "larger than those between runs can be shown"
        )


def compared_over_runs(
    results: Results, runs: Mapping[str, Sequence[str]], evals: Sequence[str], plan: TestPlan
) -> tuple[
    dict[tuple[ScoreColumn, str], RunsOfSystem], dict[tuple[ScoreColumn, str, str], RunsOfPair]
]:
    """Compare systems over their runs in each column that is a mean over EVALs.

    `runs` has the names of the runs of each system; `evals` are the EVALs that all runs have.
    Returns the systems by column and name, and the pairs by column and names.
    """
    columns = [x for x in columns_of(results.table, plan.letters) if x.is_mean_of_evals]
    tables = results.table.systems
    scores = {
        system: np.stack([score_matrix(_on(evals, tables[name]), columns) for name in names])
        for system, names in runs.items()
    }
    systems, pairs = {}, {}
    for number, column in enumerate(columns):
        layouts = {name: TwoWayLayout(values[:, :, number]) for name, values in scores.items()}
        for name, layout in layouts.items():
            errors = mean_errors(layout)
            parts = None if errors.both is None else components(layout, errors.both)
            means = tuple(layout.runs.tolist())
            systems[column, name] = RunsOfSystem(means, layout.mean, errors, parts)
        for first, second in combinations(layouts, 2):
            pairs[column, first, second] = _pair(layouts[first], layouts[second], plan)
    tested = {key: Fraction(pair.p) for key, pair in pairs.items() if pair.p is not None}
    for key, p in zip(tested, holm_adjusted(list(tested.values())), strict=True):
        pairs[key] = replace(pairs[key], p_holm=float(p), is_larger=p <= plan.level)
    return systems, pairs


def _pair(first: TwoWayLayout, second: TwoWayLayout, plan: TestPlan) -> RunsOfPair:
    # Holm's correction needs all pairs, and follows in `compared_over_runs`.
    difference, errors = first.mean - second.mean, mean_errors(first, second)
    if errors.both is None or errors.degrees is None:
        return RunsOfPair(difference, errors)
    interval, level = None, float(plan.level)
    if level:
        half = t_quantile(1 - level / 2, errors.degrees) * errors.both
        interval = difference - half, difference + half
    p = 1.0
    if abs(difference) > EQUAL * max(abs(first.mean), abs(second.mean)):
        p = 1 - t_share(abs(difference) / errors.both, errors.degrees) if errors.both else 0.0
    return RunsOfPair(difference, errors, interval, p)
