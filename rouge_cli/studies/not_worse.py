"""Whether a system is no worse than it was: lower bounds of a mean of paired differences.

The bound that is looked at once comes from the paired bootstrap of `compare`. The bounds that hold
after any number of EVALs come from betting: who bets on a difference above a candidate mean wins
rarely if the candidate is the true mean, whatever the law of the differences, as long as they are
bounded. A candidate against which much was won at any time is out.

Source: I. Waudby-Smith and A. Ramdas, Estimating means of bounded random variables by betting,
Journal of the Royal Statistical Society B, 2024.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from math import inf, log, sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import OptionError
from rouge_cli.metrics.counts import SHARES
from rouge_cli.options.scores import scales
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.scores.results import Results, ScoreTable, SystemTable
from rouge_cli.studies.compare.comparison import (
    PairResult,
    blocks,
    compare,
    few_blocks,
    is_skewed,
    test_weight,
)
from rouge_cli.studies.draws import shuffled
from rouge_cli.studies.paired_tests import FEW_EVALS, RESAMPLES, TestPlan
from rouge_cli.studies.planning import SimulatedTest, needed_blocks, unseen_failures
from rouge_cli.studies.score_columns import Column, ComparedColumn, compared_columns, shared_scores

Floats = NDArray[np.float64]

HALVINGS = 60
"""Of an interval of length 1, down to the last bit of a double."""

MOST_NEEDED = 1 << 18
"""Differences up to which an anytime bound is tried."""

SEED = 2004
"""Of the bootstrap, as `compare` has it, and of the order of EVALs."""


@dataclass(frozen=True, slots=True)
class Gate:
    """What is asked of the scores of a system and its baseline.

    - `margin`: how much worse is too much, above 0, in units of the scores.
    - `level`: how often a lower bound may be too high; below 1/2.
    - `is_anytime`: whether the bound is to hold after any number of EVALs.
    - `letters`: the measures.
    """

    margin: Fraction
    level: Fraction
    is_anytime: bool = False
    letters: str = "F"

    @property
    def plan(self) -> TestPlan:
        """The comparison whose two-sided interval has the bound as its lower end."""
        return TestPlan(self.letters, RESAMPLES, SEED, 1 - 2 * self.level, self.margin)


@dataclass(frozen=True, slots=True)
class NotWorse:
    """Whether a system is no worse than its baseline in a measure of a metric.

    - `n_evals`: EVALs that both have; `n_unequal`: those of them, or of the clusters, where their
      scores differ.
    - `difference`: of the means, above 0 where the system is better; `lower_bound`: of it,
      None where a single EVAL or cluster has none.
    - `is_met`: whether the bound is above `-margin`.
    - `n_decided`: the number of EVALs after which an anytime bound was; None if it never was, or
      is none.
    - `n_needed`: where the bound is not, and the difference is: about how many EVALs, or clusters,
      let a system that is as good pass in all runs but a share of `Gate.level`; None otherwise, or
      if they are too many.
    """

    system: str
    column: Column
    n_evals: int
    n_unequal: int
    difference: float
    lower_bound: float | None
    margin: float
    is_met: bool
    is_anytime: bool
    n_decided: int | None = None
    n_needed: int | None = None


def not_worse(
    results: Results, tables: Iterable[tuple[SystemTable, SystemTable]], gate: Gate
) -> tuple[list[NotWorse], list[str]]:
    """Compare systems with their baselines in every metric, on the EVALs that both have.

    `tables` have the scores of each system now and before. `results` are those of now: they say
    which metrics there are, and which EVALs belong together. The second value has warnings.

    Raises OptionError if the bounds cannot be had: of scores without a scale, or that are no means
    over EVALs.
    """
    outcomes: list[NotWorse] = []
    met: dict[PairResult, float] = {}
    for now, before in tables:
        # The names are for messages; another system may be called like the baseline.
        systems = {now.id: now, f"{now.id} (baseline)": before}
        table = replace(results.table, systems=systems)
        if gate.is_anytime:
            outcomes += _anytime(table, now.id, gate)
            continue
        for pair in compare(replace(results, table=table), list(systems), gate.plan).pairs:
            outcome = _by_bootstrap(pair, gate)
            outcomes.append(outcome)
            if outcome.is_met and outcome.lower_bound is not None and pair.n_unequal:
                met[pair] = outcome.lower_bound
    return outcomes, list(_doubts(met, gate)) if met else []


def _by_bootstrap(pair: PairResult, gate: Gate) -> NotWorse:
    """Return the outcome of a comparison."""
    margin, (lower, upper) = float(gate.margin), pair.interval
    difference = pair.difference
    if pair.column.is_lower_better:
        difference, lower, upper = -difference + 0.0, -upper + 0.0, -lower
    # All resamples of one EVAL are equal, and say nothing of others.
    has_bound = pair.n_blocks > 1
    is_met = has_bound and lower > -margin
    needed = None
    if has_bound and not is_met and difference > -margin:
        confidence = 1 - float(gate.level)
        quantile = NormalDist().inv_cdf(confidence)
        spread = (upper - lower) / 2 / quantile * sqrt(pair.n_blocks)
        needed = needed_blocks(spread / margin, SimulatedTest(2 * gate.level, SEED), confidence)
    return NotWorse(
        pair.system_a,
        pair.column,
        pair.n_evals,
        pair.n_unequal,
        difference,
        lower if has_bound else None,
        margin,
        is_met,
        is_anytime=False,
        n_needed=needed,
    )


def _doubts(bounds: Mapping[PairResult, float], gate: Gate) -> Iterator[str]:
    """Yield a warning for each reason why bounds that are high enough may be too high.

    `bounds` are those of pairs whose scores differ. The rules are those of `compare`.
    """
    fewest = min(bounds, key=test_weight)
    if test_weight(fewest) < FEW_EVALS:
        yield (
            f"{few_blocks(fewest)}: with fewer than {FEW_EVALS} the lower bound comes out too "
            "high; that of --anytime holds for any number"
        )
    if skewed := [pair for pair in bounds if is_skewed(pair)]:
        worst = max(skewed, key=lambda pair: abs(pair.skewness))
        yield (
            f"{_name(worst)}: few EVALs for so skewed differences (skewness "
            f"{worst.skewness:.1f}): a few EVALs decide; look at these EVALs"
        )
    margin = float(gate.margin)
    lowest = {pair: bound - (pair.unseen or 0.0) for pair, bound in bounds.items()}
    if doubtful := [pair for pair in bounds if lowest[pair] <= -margin]:
        worst = min(doubtful, key=lowest.__getitem__)
        n_blocks = worst.n_blocks
        more = f" ({len(doubtful)} scores in all)" if len(doubtful) > 1 else ""
        yield (
            f"{_name(worst)}: {blocks(n_blocks, worst)} do not exclude that "
            f"{100 * unseen_failures(n_blocks):.1f}% of texts fail (3 in {n_blocks}), which would "
            f"cost {worst.unseen:.4f}, more than a margin of {margin:g} leaves room for{more}"
        )


def _name(pair: PairResult) -> str:
    """Name a score in a warning."""
    return f"{pair.system_a} {pair.column.metric} {pair.column.letter}"


def _anytime(table: ScoreTable, system: str, gate: Gate) -> Iterator[NotWorse]:
    """Yield the outcome of each column by bounds that hold after any number of EVALs."""
    columns, units, _ = compared_columns(table, gate.letters, list(table.systems.values()))
    shared = shared_scores(units, {})
    order = shuffled(len(shared.eval_ids), SEED)
    margin, level = float(gate.margin), float(gate.level)
    for compared in columns:
        column, width = compared.column, _width(table, compared)
        (k,) = compared.indices
        units_apart = shared.units[order, 0, k] - shared.units[order, 1, k]
        differences = units_apart / compared.scale * (-1 if column.is_lower_better else 1)
        if np.abs(differences).max() > width:
            raise OptionError(
                f"--anytime: {system!r} and its baseline are up to "
                f"{np.abs(differences).max():g} apart in {column.metric} {column.letter}, expected "
                f"scores on a scale of length {width:g}"
            )
        shares, limit = differences / width, max(-1.0, -margin / width)
        lower, mean = width * lower_bound(shares, level), float(differences.mean())
        is_met = lower > -margin
        yield NotWorse(
            system,
            column,
            len(shares),
            int(np.count_nonzero(units_apart)),
            mean,
            lower,
            margin,
            is_met,
            is_anytime=True,
            n_decided=decided_after(shares, limit, level) if is_met else None,
            n_needed=_needed(shares, limit, level) if not is_met and mean > -margin else None,
        )


def decided_after(differences: Floats, limit: float, level: float) -> int | None:
    """Return after how many differences `lower_bound` is above a limit; None if it never is."""
    (decided,) = np.nonzero(log_capital(differences, limit, 2 * level)[0] > log(1 / level))
    return int(decided[0]) + 1 if len(decided) else None


def _needed(shares: Floats, limit: float, level: float) -> int | None:
    """Return about how many differences as these, with a mean of 0, pass as often as is right.

    They are repeated until their bound is above the limit; then again with a mean as low as a share
    of `level` of runs with so many have. None if they are too many.
    """
    centred = shares - shares.mean()
    shift, needed = 0.0, None
    for _ in range(2):
        repeated = np.clip(np.resize(centred - shift, MOST_NEEDED), -1.0, 1.0)
        needed = decided_after(repeated, limit, level)
        if needed is None:
            return None
        shift = NormalDist().inv_cdf(1 - level) * float(centred.std()) / sqrt(needed)
    return needed


def _width(table: ScoreTable, compared: ComparedColumn) -> float:
    """Return how far apart two scores of a column can be; raises OptionError if that is unknown."""
    (metric,) = (metric for metric in table.metrics if metric.name == compared.column.metric)
    if metric.aggregation is not None:
        raise OptionError(
            f"--anytime takes EVALs one by one, and {metric.name} is no mean of the scores of EVALs"
        )
    (scale,) = scales(f"scale={metric.scale or SHARES}")
    if (metric.is_single and metric.scale is None) or scale.high == inf:
        raise OptionError(
            f"--anytime needs scores between two numbers, and {metric.name} has no such scale; "
            f"give --scale {metric.name}=LOW-HIGH"
        )
    return scale.high - scale.low


def _shares(differences: Floats) -> Floats:
    """Return differences from -1 to 1 as shares from 0 to 1; raises ValueError for others."""
    if np.abs(differences).max(initial=0.0) > 1:
        raise ValueError("expected differences from -1 to 1")
    shares: Floats = (differences + 1) / 2
    return shares


def _stakes(x: Floats, alpha: float) -> Floats:
    """Return what is bet on each value from 0 to 1, knowing only those before it."""
    n = np.arange(1, len(x) + 1)
    means = (0.5 + np.cumsum(x)) / (n + 1)
    variances = (0.25 + np.cumsum((x - means) ** 2)) / (n + 1)
    before = np.concatenate(([0.25], variances[:-1]))
    stakes: Floats = np.sqrt(2 * log(2 / alpha) / (n * np.log1p(n) * before))
    return stakes


def log_capital(differences: Floats, mean: float, alpha: float) -> tuple[Floats, Floats]:
    """Return the logarithm of the capital of two gamblers after each difference.

    The first one bets that the differences lie above `mean`, the second one that they lie below;
    both begin with 1. `differences` and `mean` are from -1 to 1; the arrays have shape (n,).
    """
    x = _shares(differences)
    stakes, share = _stakes(x, alpha), (mean + 1) / 2
    return _won(x, stakes, share), _won(1 - x, stakes, 1 - share)


def _won(x: Floats, stakes: Floats, share: float) -> Floats:
    """Return the logarithm of the capital of who bets that values lie above a share."""
    most = 1 / (2 * share) if share else inf
    won: Floats = np.cumsum(np.log1p(np.minimum(stakes, most) * (x - share)))
    return won


def lower_bound(differences: Floats, level: float) -> float:
    """Return a lower bound of the mean that holds after any number of differences.

    It is the lowest mean against which the first gambler of `log_capital` at 2 * `level` has never
    won 1 / `level`, so it fails with a probability of at most `level`, however often it is looked
    at.
    """
    x = _shares(differences)
    stakes, limit = _stakes(x, 2 * level), log(1 / level)
    share = _root(lambda share: float(_won(x, stakes, share).max()) > limit)
    return 2 * share - 1


def _root(is_out: Callable[[float], bool]) -> float:
    """Return the smallest share that is not out; 0 if none is out."""
    # The capital of who bets on more falls as the candidate rises: so halving finds the end.
    if not is_out(0.0):
        return 0.0
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if is_out(middle) else (low, middle)
    return high
