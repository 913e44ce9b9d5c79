"""Whether a system is no worse than it was: lower bounds of a mean of paired differences.

A bound comes from the paired bootstrap of `compare`, less what texts could cost that fail and of
which the EVALs show none. It holds for one look.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from math import sqrt
from statistics import NormalDist

from rouge_cli.quick_dataclass import dataclass
from rouge_cli.scores.results import Results, SystemTable
from rouge_cli.studies.compare.comparison import (
    PairResult,
    compare,
    few_blocks,
    is_skewed,
    test_weight,
)
from rouge_cli.studies.paired_tests import FEW_EVALS, RESAMPLES, TestPlan
from rouge_cli.studies.planning import SimulatedTest, needed_blocks
from rouge_cli.studies.score_columns import Noninferiority
from rouge_cli.studies.unseen import unseen_rate, unseen_texts

SEED = 2004
"""Of the bootstrap, as `compare` has it."""


@dataclass(frozen=True, slots=True)
class Gate:
    """What is asked of the scores of a system and its baseline.

    - `margin`: how much worse is too much, above 0, in units of the scores.
    - `level`: how often a lower bound may be too high; below 1/2.
    - `letters`: the measures. `resamples`: as in `TestPlan`.
    """

    margin: Fraction
    level: Fraction
    letters: str = "F"
    resamples: int = RESAMPLES

    @property
    def plan(self) -> TestPlan:
        """The comparison whose two-sided interval has the bound as its lower end."""
        return TestPlan(self.letters, self.resamples, SEED, 1 - 2 * self.level)


def not_worse(
    results: Results, tables: Iterable[tuple[SystemTable, SystemTable]], gate: Gate
) -> tuple[list[Noninferiority], list[str]]:
    """Compare systems with their baselines in every metric, on the EVALs that both have.

    `tables` have the scores of each system now and before. `results` are those of now: they say
    which metrics there are, and which EVALs belong together. The second value has warnings.

    Raises OptionError and InputError as `compare` does.
    """
    outcomes: list[Noninferiority] = []
    met: list[PairResult] = []
    for now, before in tables:
        # The names are for messages; another system may be called like the baseline.
        systems = {now.id: now, f"{now.id} (baseline)": before}
        table = replace(results.table, systems=systems)
        for pair in compare(replace(results, table=table), list(systems), gate.plan).pairs:
            outcomes.append(_outcome(pair, gate))
            if outcomes[-1].is_met and pair.n_unequal:
                met.append(pair)
    return outcomes, list(_doubts(met)) if met else []


def _outcome(pair: PairResult, gate: Gate) -> Noninferiority:
    """Return the outcome of a comparison."""
    margin, (lower, upper) = float(gate.margin), pair.interval
    difference = pair.difference
    if pair.column.is_lower_better:
        difference, lower, upper = -difference + 0.0, -upper + 0.0, -lower
    # All resamples of one EVAL are equal, and say nothing of others.
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
        # The bound has to lie above the margin, and not on it.
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
    """Yield a warning for each reason why bounds that are high enough may be too high.

    The scores of the pairs differ. The rules are those of `compare`.
    """
    fewest = min(pairs, key=test_weight)
    if test_weight(fewest) < FEW_EVALS:
        yield (
            f"{few_blocks(fewest)}: with fewer than {FEW_EVALS} the lower bound comes out too high"
        )
    if skewed := [pair for pair in pairs if is_skewed(pair)]:
        worst = max(skewed, key=lambda pair: abs(pair.skewness))
        yield (
            f"{_name(worst)}: few EVALs for so skewed differences (skewness "
            f"{worst.skewness:.1f}): a few EVALs decide; look at these EVALs"
        )


def _name(pair: PairResult) -> str:
    """Name a score in a warning."""
    return f"{pair.system_a} {pair.column.metric} {pair.column.letter}"
