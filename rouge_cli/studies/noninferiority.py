"""Tests whether a system is no worse than before, by lower bounds of mean paired differences.

The bound is that of the paired bootstrap of `compare`, minus the possible cost of failures that the
EVALs do not show. It is valid for a single look at the data.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from math import sqrt
from statistics import NormalDist

from rouge_cli.quick_dataclass import dataclass
from rouge_cli.scores.results import Results, SystemTable
from rouge_cli.studies.compare.comparison import compare, few_blocks
from rouge_cli.studies.compare.results import PairResult
from rouge_cli.studies.intervals import unseen_rate, unseen_texts
from rouge_cli.studies.paired_tests import FEW_EVALS, RESAMPLES, TestPlan
from rouge_cli.studies.planning import SimulatedTest, needed_blocks
from rouge_cli.studies.score_columns import Noninferiority

# Seed of the bootstrap, as in `compare`.
SEED = 2004


@dataclass(frozen=True, slots=True)
class Gate:
    """What ``--not-worse-than`` requires.

    - `margin`: the loss that is too large, above 0, in units of the scores.
    - `level`: the probability that a lower bound is too high; below 1/2.
    - `letters`: the measures.
    """

    margin: Fraction
    level: Fraction
    letters: str = "F"
    resamples: int = RESAMPLES


def noninferiority(
    results: Results, tables: Iterable[tuple[SystemTable, SystemTable]], gate: Gate
) -> tuple[list[Noninferiority], list[str]]:
    """Compare systems with their baselines in every metric, on the EVALs that both have.

    `tables` pairs the current scores of each system with its baseline. `results` are the current
    ones; their metrics and clusters apply. The second value is a list of warnings.

    Raises OptionError and InputError as `compare` does.
    """
    # The lower end of its two-sided interval is the bound.
    plan = TestPlan(gate.letters, gate.resamples, SEED, 1 - 2 * gate.level)
    outcomes: list[Noninferiority] = []
    met: list[PairResult] = []
    for now, before in tables:
        # The names are only for messages: the baseline may have the name of another system.
        systems = {now.id: now, f"{now.id} (baseline)": before}
        table = replace(results.table, systems=systems)
        for pair in compare(replace(results, table=table), list(systems), plan).pairs:
            outcomes.append(_outcome(pair, gate))
            if outcomes[-1].is_met and pair.n_unequal:
                met.append(pair)
    return outcomes, list(_doubts(met))


def _outcome(pair: PairResult, gate: Gate) -> Noninferiority:
    margin, (lower, upper) = float(gate.margin), pair.interval
    difference = pair.difference
    if pair.column.is_lower_better:
        difference, lower, upper = -difference + 0.0, -upper + 0.0, -lower
    # The resamples of a single EVAL are all equal, and say nothing about others.
    has_bound = pair.n_blocks > 1
    unseen = unseen_rate(pair.n_blocks, gate.level) * pair.failure_loss
    is_met = has_bound and lower - unseen > -margin
    needed = None
    if has_bound and not is_met and difference > -margin:
        confidence = 1 - float(gate.level)
        quantile = NormalDist().inv_cdf(confidence)
        spread = (upper - lower) / 2 / quantile * sqrt(pair.n_blocks)
        of_unseen = unseen_texts(gate.level) * pair.failure_loss / margin
        test = SimulatedTest(2 * gate.level, SEED)
        # One more, as the bound has to be above the margin.
        needed = needed_blocks(spread / margin, test, confidence, of_unseen) + 1
    return Noninferiority(
        pair.system_a,
        pair.column,
        pair.n_evals,
        pair.n_unequal,
        difference,
        lower - unseen if has_bound else None,
        unseen,
        margin,
        is_met,
        n_needed=needed,
    )


def _doubts(pairs: Sequence[PairResult]) -> Iterator[str]:
    fewest = min(pairs, key=lambda pair: pair.n_tested, default=None)
    if fewest and fewest.n_tested < FEW_EVALS:
        yield (
            f"{few_blocks(fewest)}: with fewer than {FEW_EVALS} the lower bound comes out too high"
        )
    if skewed := [pair for pair in pairs if pair.is_skewed]:
        worst = max(skewed, key=lambda pair: abs(pair.skewness))
        yield (
            f"{worst.system_a} {worst.column.metric} {worst.column.letter}: few EVALs for "
            f"differences this skewed (skewness {worst.skewness:.1f}): a few EVALs decide; look at "
            "these EVALs"
        )
