"""The records of a comparison: tests, pairs, rankings, and the whole result."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Annotated, NamedTuple

from rouge_cli.options.options import Options
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports.rows import Shown
from rouge_cli.reports.wording import number, p_value
from rouge_cli.scores.signature import signature
from rouge_cli.studies.compare.replicability import AcrossSets, SetResult
from rouge_cli.studies.compare.runs import RunsOfPair, RunsOfSystem
from rouge_cli.studies.paired_tests import TestPlan
from rouge_cli.studies.planning import DetectableDifference
from rouge_cli.studies.resampling import EffectSize
from rouge_cli.studies.score_columns import ScoreColumn

EVALS_FOR_SKEWNESS = 25
"""Means are nearly normal from this number of EVALs on, multiplied by the squared skewness.

Source: W. G. Cochran, Sampling Techniques, 1977, section 2.15.
"""


@dataclass(frozen=True, slots=True)
class TestResult:
    """The outcome of one test of a pair of systems."""

    p: Annotated[float, Shown("Two-sided.", write=p_value, column="p_{}")]
    p_holm: Annotated[
        float,
        Shown("Corrected over all comparisons of the run.", "Holm", p_value, column="p_{}_holm"),
    ]
    is_significant: Annotated[
        bool, Shown("Whether p_holm, before rounding, is at most the level.", column="")
    ]

    __test__ = False


@dataclass(frozen=True, slots=True)
class RandomisationResult(TestResult):
    """The outcome of approximate randomisation of a pair of systems."""

    is_exact: Annotated[
        bool, Shown("Whether p comes from all choices of swaps.", column="is_exact")
    ] = False


def _effect_text(effect: EffectSize | None) -> str:
    if effect is None or effect.lower is None:
        return "" if effect is None else number(effect.value, 2)
    return f"{number(effect.value, 2)} [{number(effect.lower, 2)}, {number(effect.upper, 2)}]"


@dataclass(frozen=True, slots=True)
class PairResult:
    """Two systems in one measure of one metric, on the EVALs that all compared systems have.

    - `n_unequal`: Texts, or clusters, in which the scores of the two systems differ.
    - `equivalence`: With --equivalence: that the systems differ by the margin or more. It is
      significant only if the interval, with `unseen` on both sides, lies within the margin too.
    - `effect`: Null if the differences have no spread.
    - `unseen`: With --equivalence: how far texts that a sample of n may miss, 3/n of all, could
      move the difference with the lowest or the highest score.
    - `across`: With --dataset: on every data set.
    """

    column: ScoreColumn
    system_a: Annotated[str, Shown("The first system.", "A")]
    system_b: Annotated[str, Shown("The second system.", "B")]
    n_evals: Annotated[int, Shown("Texts that all compared systems have.", "N")]
    n_unequal: Annotated[int, Shown()]
    mean_a: Annotated[float, Shown("Mean of A.")]
    mean_b: Annotated[float, Shown("Mean of B.")]
    difference: Annotated[float, Shown("A less B.", "A - B", 4, is_signed=True)]
    interval: Annotated[tuple[float, float], Shown("Of the difference.", write=4, is_signed=True)]
    bootstrap: Annotated[TestResult, Shown("The paired bootstrap.")]
    randomisation: Annotated[RandomisationResult, Shown("Approximate randomisation.")]
    minimum_detectable_difference: DetectableDifference = None
    equivalence: Annotated[TestResult | None, Shown()] = None
    skewness: Annotated[float, Shown("Of the differences.")] = 0.0
    effect: Annotated[
        EffectSize | None,
        Shown(heading="effect size", write=_effect_text, key="effect_size", column="effect"),
    ] = None
    n_clusters: Annotated[int | None, Shown("Null if texts are independent.")] = None
    unseen: Annotated[float | None, Shown(column="")] = None
    failure_loss: float = 0.0
    letters_a: Annotated[tuple[str, ...], Shown("Groups of A.", key=None, column="letters_a")] = ()
    letters_b: Annotated[tuple[str, ...], Shown("Groups of B.", key=None, column="letters_b")] = ()
    runs: Annotated[RunsOfPair | None, Shown("With --run: over runs.", optional=True)] = None
    across: Annotated[AcrossSets | None, Shown(optional=True)] = None

    @property
    def key(self) -> tuple[ScoreColumn, str, str]:
        """The column and the names of both systems."""
        return self.column, self.system_a, self.system_b

    def turned(self) -> "PairResult":
        """Return the pair with its systems exchanged, unless it has runs or data sets."""
        # Results over runs or on data sets are ordered pairs too, but cannot be exchanged here.
        if self.runs is not None or self.across is not None:
            return self
        (lower, upper), effect = self.interval, self.effect
        if effect is not None:
            # Either both bounds are None or neither is.
            low, high = (bound and -bound for bound in (effect.upper, effect.lower))
            effect = EffectSize(-effect.value, low, high)
        return replace(
            self,
            system_a=self.system_b,
            system_b=self.system_a,
            mean_a=self.mean_b,
            mean_b=self.mean_a,
            difference=-self.difference,
            interval=(-upper, -lower),
            skewness=-self.skewness,
            effect=effect,
            letters_a=self.letters_b,
            letters_b=self.letters_a,
        )

    @property
    def n_blocks(self) -> int:
        """The number of clusters or, if there are none, of EVALs."""
        return self.n_clusters or self.n_evals

    @property
    def n_tested(self) -> int:
        """The number of EVALs or clusters on which the tests depend: those with a difference."""
        return self.n_unequal or self.n_blocks

    @property
    def farthest(self) -> float:
        """The largest plausible distance of the systems, given the interval and unseen texts."""
        return max(-self.interval[0], self.interval[1]) + (self.unseen or 0.0)

    @property
    def is_skewed(self) -> bool:
        """Whether there are too few EVALs for the mean of such skewed differences to be normal."""
        return self.n_blocks < EVALS_FOR_SKEWNESS * self.skewness**2

    @property
    def better(self) -> Annotated[str | None, Shown()]:
        """The better system by the randomisation, after Holm; null if neither is."""
        if not self.randomisation.is_significant or self.difference == 0:
            return None
        is_a_ahead = (self.difference > 0) != self.column.is_lower_better
        return self.system_a if is_a_ahead else self.system_b


@dataclass(frozen=True, slots=True)
class RankedSystem:
    """A system in the ranking of one measure of one metric.

    `letters` are its groups. A system cannot be told apart from others that share a group with it.
    """

    id: Annotated[str, Shown("The system.", "System", key="system")]
    n_evals: Annotated[int, Shown("Texts that all compared systems have.", "N")]
    mean: Annotated[float, Shown("Over these texts.", "Mean", 4)]
    letters: Annotated[tuple[str, ...], Shown("Its groups.")]
    runs: Annotated[RunsOfSystem | None, Shown("With --run: its runs.", optional=True)] = None


@dataclass(frozen=True, slots=True)
class Ranking:
    """All systems in one measure of one metric, and every pair of them.

    Systems are sorted by their means, best first, and equal ones by the bytes of their IDs. Pairs
    follow the order of the systems in the run.
    """

    column: Annotated[ScoreColumn, Shown(is_inline=True)]
    systems: Annotated[tuple[RankedSystem, ...], Shown("The systems, best first.", key="ranking")]
    pairs: Annotated[tuple[PairResult, ...], Shown("Every pair of systems.")]

    @property
    def rows(self) -> Iterable[PairResult | SetResult]:
        """The rows of CSV: each pair, followed by its results on single data sets."""
        for pair in self.pairs:
            yield pair
            if pair.across is not None:
                yield from pair.across.sets

    def letters(self) -> dict[str, tuple[str, ...]]:
        """Return, by system, a cell for each group: its letter or, outside of the group, blanks."""
        used = {group for system in self.systems for group in system.letters}
        # By length first, so that "z" comes before "aa".
        groups = sorted(used, key=lambda group: (len(group), group))
        return {
            system.id: tuple(x if x in system.letters else " " * len(x) for x in groups)
            for system in self.systems
        }


class Additions(NamedTuple):
    """Results over runs or data sets, which are added to a comparison of means.

    Its warnings follow those of the means.

    - `systems`: the runs of each system, by column and name.
    - `runs`, `across`: pairs over runs and on data sets, by column and names.
    """

    systems: Mapping[tuple[ScoreColumn, str], RunsOfSystem] = MappingProxyType({})
    runs: Mapping[tuple[ScoreColumn, str, str], RunsOfPair] = MappingProxyType({})
    across: Mapping[tuple[ScoreColumn, str, str], AcrossSets] = MappingProxyType({})
    warnings: Sequence[str] = ()


@dataclass(frozen=True, slots=True, eq=False)
class ComparisonResult:
    """The result of a comparison: a ranking for each metric and measure, in print order.

    `options` are those with which the texts were scored.
    """

    systems: Annotated[tuple[str, ...], Shown("All compared systems.")]
    rankings: Annotated[
        tuple[Ranking, ...], Shown("By metric and measure, in print order.", key="metrics")
    ]
    plan: Annotated[TestPlan, Shown(is_inline=True)]
    options: Options
    warnings: Annotated[tuple[str, ...], Shown("About the inputs and the result.")]

    @property
    def signature(self) -> Annotated[str, Shown()]:
        """Everything that affects a score."""
        return signature(self.options)

    @property
    def n_comparisons(self) -> Annotated[int, Shown()]:
        """The number of comparisons that Holm's correction covers."""
        return len(self.pairs)

    @property
    def pairs(self) -> tuple[PairResult, ...]:
        """All pairs of all rankings."""
        return tuple(pair for ranking in self.rankings for pair in ranking.pairs)

    @property
    def has_runs(self) -> bool:
        """Whether systems were compared over several runs."""
        return any(pair.runs is not None for pair in self.pairs)
