"""Systems of which there are several runs, such as training runs with other seeds.

The score of a system is the mean over its runs and their EVALs. How far it would move with other
runs, with other EVALs, and with both follows from the two-way layout of runs and EVALs, as all runs
have the same EVALs. Variances have the number as their divisor, as those of a bootstrap have: so
the standard errors are exactly those of all resamples.

Sources: A. Owen, The Pigeonhole Bootstrap, Annals of Applied Statistics 1, 2007, for drawing both;
S. Searle, G. Casella, C. McCulloch, Variance Components, 1992, for the components; E. del Barrio,
J. Cuesta-Albertos, C. Matran, An Optimal Transportation Approach for Assessing Almost Stochastic
Order, 2018; R. Dror, S. Shlomov, R. Reichart, Deep Dominance, ACL 2019.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import InputError
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.scores.results import MetricColumn, Results, SystemTable
from rouge_cli.studies.draws import OTHER_SEEDS, times_drawn
from rouge_cli.studies.paired_tests import TestPlan
from rouge_cli.studies.score_columns import Column, columns_of, score_matrix

Floats = NDArray[np.float64]

DECIMALS = 9
"""Of a mean over runs, so that sums of them are exact."""


@dataclass(frozen=True, slots=True)
class Spread:
    """How far a mean over runs and EVALs moves from sample to sample, as standard errors.

    - `evals`: with other EVALs, and the same runs; `runs`: with other runs of the same systems.
    - `both`: with other runs and other EVALs, the same EVALs in all runs.
    """

    evals: float
    runs: float
    both: float


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
class _Layout:
    """Scores of runs on the same EVALs, (n_runs, n_evals), taken apart."""

    scores: Floats

    @property
    def runs(self) -> Floats:
        """The mean of each run; shape (n_runs,)."""
        means: Floats = self.scores.mean(axis=1)
        return means

    @property
    def evals(self) -> Floats:
        """The mean of each EVAL over the runs; shape (n_evals,)."""
        means: Floats = self.scores.mean(axis=0)
        return means

    @property
    def rest(self) -> Floats:
        """What run and EVAL together leave of each score."""
        rest: Floats = (
            self.scores - self.runs[:, np.newaxis] - self.evals + float(self.scores.mean())
        )
        return rest

    @property
    def variance_of_runs(self) -> float:
        """The variance of the mean with other runs."""
        return float(self.runs.var()) / len(self.scores)

    @property
    def variance_of_rest(self) -> float:
        """What is added where runs and EVALs are drawn both."""
        return float(self.rest.var()) / self.scores.size


def spread(scores: Floats) -> Spread:
    """Return how far the mean of scores of shape (n_runs, n_evals) moves."""
    layout = _Layout(scores)
    of_evals, of_runs = float(layout.evals.var()) / scores.shape[1], layout.variance_of_runs
    both = of_evals + of_runs + layout.variance_of_rest
    return Spread(sqrt(of_evals), sqrt(of_runs), sqrt(both))


def spread_of_difference(first: Floats, second: Floats) -> Spread:
    """Return how far the difference of two means moves: runs are drawn apart, EVALs together.

    Both have shape (n_runs, n_evals), with the same EVALs.
    """
    layouts = _Layout(first), _Layout(second)
    apart = layouts[0].evals - layouts[1].evals
    of_evals = float(apart.var()) / len(apart)
    of_runs = sum(layout.variance_of_runs for layout in layouts)
    both = of_evals + of_runs + sum(layout.variance_of_rest for layout in layouts)
    return Spread(sqrt(of_evals), sqrt(of_runs), sqrt(both))


def components(scores: Floats) -> Components:
    """Return the variance components of two runs or more, on two EVALs or more."""
    layout = _Layout(scores)
    n_runs, n_evals = scores.shape
    rest = float((layout.rest**2).sum()) / ((n_runs - 1) * (n_evals - 1))
    runs = float(layout.runs.var(ddof=1)) - rest / n_evals
    evals = float(layout.evals.var(ddof=1)) - rest / n_runs
    kept = [max(0.0, component) for component in (runs, evals, rest)]
    error = sqrt(kept[0] / n_runs + kept[1] / n_evals + kept[2] / scores.size)
    return Components(runs, evals, rest, error)


def resampled_means(systems: Sequence[Floats], resamples: int, seed: int) -> list[Floats]:
    """Return the mean of each system in each resample of runs and EVALs; (resamples,) each.

    Scores have shape (n_runs, n_evals): the runs of each system are drawn apart, and the same EVALs
    for all.
    """
    n_evals = systems[0].shape[1]
    # Another seed for each system: as many runs must not mean the same draws.
    of_runs = [
        np.concatenate([*times_drawn(len(scores), resamples, seed + number * OTHER_SEEDS)])
        for number, scores in enumerate(systems, 1)
    ]
    means = [np.empty(resamples) for _ in systems]
    start = 0
    for drawn in times_drawn(n_evals, resamples, seed):
        end = start + len(drawn)
        for scores, runs, of_system in zip(systems, of_runs, means, strict=True):
            sums = ((runs[start:end] @ scores) * drawn).sum(axis=1)
            of_system[start:end] = sums / scores.size
        start = end
    return means


# Almost stochastic order of runs.


def violation_ratio(first: Sequence[float], second: Sequence[float]) -> float:
    """Return how far the first sample of scores is from being stochastically larger.

    It is the part of the squared distance of the quantile functions where those of the second one
    are larger: 0 if all quantiles of the first one are larger, 1 if those of the second one are,
    and 1/2 if both are equal.
    """
    of_first, of_second = sorted(first), sorted(second)
    # Between two steps both quantile functions are constant.
    ends = sorted(
        {Fraction(k, len(of_first)) for k in range(1, len(of_first) + 1)}
        | {Fraction(k, len(of_second)) for k in range(1, len(of_second) + 1)}
    )
    violated = whole = 0.0
    start = Fraction(0)
    for end in ends:
        apart = _quantile(of_second, end) - _quantile(of_first, end)
        part = float(end - start) * apart**2
        whole += part
        violated += part if apart > 0 else 0.0
        start = end
    return violated / whole if whole else 0.5


def _quantile(ascending: Sequence[float], share: Fraction) -> float:
    """Return the smallest value that at least this share of all values do not exceed."""
    return ascending[-(-len(ascending) * share.numerator // share.denominator) - 1]


STEP = 0.005
"""Of the shares at which quantiles are compared, as in the program of Ulmer and others."""

ASO_SEED, ASO_SAMPLES = 7, 1000
"""Of the samples from which the spread of the ratio comes."""


def largest_violation(first: Sequence[float], second: Sequence[float], level: float) -> float:
    """Return an upper bound of the violation ratio, from 0 to 1, that fails with `level`.

    Below 1/2 the first one is almost stochastically larger; it is 1/2 if both are equal. Quantiles
    are compared at steps of 0.005, and the spread comes from samples of both, as D. Ulmer,
    C. Hardmeier and J. Frellsen, deep-significance, 2022, take them.
    """
    samples = (np.sort(np.array(first)), np.sort(np.array(second)))
    shares = np.arange(STEP, 1, STEP)
    if np.array_equal(_at(samples[0], shares), _at(samples[1], shares)):
        return 0.5
    ratio = stepped_ratio(*samples)
    sd = sd_of_ratios(*samples)
    return min(1.0, max(0.0, ratio + NormalDist().inv_cdf(1 - level) * sd))


def stepped_ratio(first: Floats, second: Floats) -> float:
    """Return the violation ratio of two ascending samples, at steps of 0.005."""
    shares = np.arange(STEP, 1, STEP)
    apart = _at(second, shares) - _at(first, shares)
    squares = apart**2
    whole = float(squares.sum())
    # Their sum of violations begins at the second step.
    return float(squares[1:][apart[1:] > 0].sum()) / whole if whole else 0.0


def sd_of_ratios(first: Floats, second: Floats) -> float:
    """Return the standard deviation of the ratio in samples of both."""
    ratios = []
    for number in range(1, ASO_SAMPLES + 1):
        random = np.random.RandomState(ASO_SEED + number)
        drawn = [
            np.sort(_at(sample, random.random_sample(len(sample)))) for sample in (first, second)
        ]
        ratios.append(stepped_ratio(*drawn))
    return float(np.std(ratios))


def _at(ascending: Floats, shares: Floats) -> Floats:
    """Return the quantiles of an ascending sample at some shares."""
    ranks = np.ceil(len(ascending) * shares).astype(np.int64)
    quantiles: Floats = ascending[np.maximum(ranks, 1) - 1]
    return quantiles


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

    - `difference`: of the means over runs and EVALs, A less B, with its `interval` from resamples
      of runs and EVALs, and its `spread`.
    - `is_larger`: whether the interval leaves out 0; None if one of the two has a single run.
    - `ratio`: the `violation_ratio` of the better one's runs, and `violation` its upper bound, as
      `largest_violation` says; None with a single run.
    """

    system_a: str
    system_b: str
    difference: float
    interval: tuple[float, float]
    spread: Spread
    is_larger: bool | None
    ratio: float | None
    violation: float | None


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
"""With fewer, resamples of runs vary too little."""


def run_warnings(columns: Sequence[RunsOfColumn]) -> Iterator[str]:
    """Yield what few runs take from the results."""
    counts = [(len(system.run_means), system.id) for system in columns[0].systems]
    fewest, system = min(counts)
    if fewest < FEW_RUNS:
        yield (
            f"{system!r} has {'one run' if fewest == 1 else f'only {fewest} runs'}: with fewer "
            f"than {FEW_RUNS} the errors and intervals over runs come out too small"
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
) -> Iterator[RunsOfColumn]:
    """Yield how far the runs of systems move their scores, in each column of means over EVALs."""
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
    for number, column in enumerate(columns):
        of_column = {system: values[:, :, number] for system, values in scores.items()}
        resampled = dict(
            zip(
                of_column,
                resampled_means([*of_column.values()], plan.resamples, plan.seed),
                strict=True,
            )
        )
        pairs = tuple(
            _pair(column, pair, of_column, resampled, plan) for pair in combinations(of_column, 2)
        )
        systems = tuple(_system(name, values) for name, values in of_column.items())
        yield RunsOfColumn(column, systems, pairs)


def _system(name: str, scores: Floats) -> RunsOfSystem:
    """Describe the runs of a system."""
    n_runs, n_evals = scores.shape
    return RunsOfSystem(
        name,
        tuple(scores.mean(axis=1).tolist()),
        float(scores.mean()),
        spread(scores),
        components(scores) if min(n_runs, n_evals) > 1 else None,
    )


def _percentiles(resampled: Floats, confidence: Fraction) -> tuple[float, float]:
    """Return the k-th smallest and the k-th largest of resampled differences.

    k is ``(resamples + 1) * (1 - confidence) / 2`` without its fraction, and at least 1.
    """
    rank = max(1, int((len(resampled) + 1) * (1 - confidence) / 2))
    lower, upper = np.sort(resampled)[[rank - 1, len(resampled) - rank]].tolist()
    return lower, upper


def _pair(
    column: Column,
    pair: tuple[str, str],
    scores: Mapping[str, Floats],
    resampled: Mapping[str, Floats],
    plan: TestPlan,
) -> RunsOfPair:
    """Compare two systems with their runs."""
    first, second = (scores[name] for name in pair)
    difference = float(first.mean() - second.mean())
    lower, upper = _percentiles(resampled[pair[0]] - resampled[pair[1]], plan.confidence)
    is_larger = ratio = violation = None
    if min(len(first), len(second)) > 1:
        is_larger = lower > 0 or upper < 0
        sign = -1 if column.is_lower_better else 1
        means = [(sign * of_runs.mean(axis=1)).tolist() for of_runs in (first, second)]
        better, worse = means if sign * difference >= 0 else means[::-1]
        ratio = violation_ratio(better, worse)
        violation = largest_violation(better, worse, float(plan.level))
    return RunsOfPair(
        *pair,
        difference,
        (lower, upper),
        spread_of_difference(first, second),
        is_larger,
        ratio,
        violation,
    )
