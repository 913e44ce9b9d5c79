"""What is known of which system is better: the plan of a comparison and its results.

They hold numbers and print nothing.
"""

from fractions import Fraction

from rouge_cli.options.declaration import Number
from rouge_cli.options.every import Options
from rouge_cli.options.scores import EXACT, ScoreOptions
from rouge_cli.options.studies import ComparisonOptions
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.statistics.score_columns import Column

__all__ = [
    "Comparison",
    "PairResult",
    "RankedSystem",
    "Ranking",
    "TestPlan",
    "TestResult",
    "exact_share",
]


def exact_share(percent: Number) -> Fraction:
    """Return percent as a share, by their shortest decimal form: 99.9 leaves exactly 0.001."""
    return Fraction(repr(percent.value)) / 100


@dataclass(frozen=True, slots=True)
class TestPlan:
    """How systems are compared.

    Parameters
    ----------
    letters : str
        The measures: some of ``"R"``, ``"P"`` and ``"F"``.
    resamples : int
        Of each test; at least 1.
    seed : int
        From 0 on.
    confidence : Fraction
        From 0 to 1: of the intervals, and 1 minus the level at which p is significant.
    margin : Fraction or None
        The smallest difference of means that would matter, for the test of equivalence.
    bootstrap : str
        ``"exact"`` draws EVALs, ``"histogram"`` how often each difference occurs.
    """

    letters: str
    resamples: int
    seed: int
    confidence: Fraction
    margin: Fraction | None = None
    bootstrap: str = EXACT

    @classmethod
    def of(cls, own: ComparisonOptions, scores: ScoreOptions) -> "TestPlan":
        """Return what the options ask for."""
        return cls(
            own.measures,
            own.resamples,
            own.seed,
            exact_share(scores.confidence),
            None if own.equivalence is None else Fraction(own.equivalence.text),
            scores.bootstrap,
        )

    # The name begins like that of a test, and is none.
    __test__ = False

    @property
    def level(self) -> Fraction:
        """The greatest p that is significant."""
        return 1 - self.confidence


@dataclass(frozen=True, slots=True)
class TestResult:
    """What a test says of a pair.

    Parameters
    ----------
    p : float
        Two-sided.
    p_holm : float
        Corrected over all comparisons of the run.
    is_significant : bool
        Whether the corrected p, before it was rounded to a float, is at most the level.
    is_exact : bool
        Whether p comes from all choices and not from random ones.
    """

    p: float
    p_holm: float
    is_significant: bool
    is_exact: bool = False

    __test__ = False


@dataclass(frozen=True, slots=True)
class PairResult:
    """Two systems in one measure of one metric.

    Parameters
    ----------
    n_evals : int
        EVALs that both have.
    n_unequal : int
        Those of them, or of the clusters, where their scores differ.
    mean_a, mean_b : float
        Over these EVALs.
    difference : float
        A less B.
    interval : tuple of two floats
        Of the difference.
    p_romano_wolf : float or None
        That of the randomisation, corrected over all comparisons by the method of Romano and Wolf.
    detectable : float or None
        The smallest difference that the randomisation, corrected, would have found in 80% of such
        samples; None if none is so large, or there is no spread to tell by.
    equivalence : TestResult or None
        Of the hypothesis that the systems are as far apart as `TestPlan.margin`.
    skewness : float
        Of the differences.
    n_clusters : int or None
        None where every EVAL stands for itself.
    """

    column: Column
    system_a: str
    system_b: str
    n_evals: int
    n_unequal: int
    mean_a: float
    mean_b: float
    difference: float
    interval: tuple[float, float]
    bootstrap: TestResult
    randomisation: TestResult
    p_romano_wolf: float | None = None
    detectable: float | None = None
    equivalence: TestResult | None = None
    skewness: float = 0.0
    n_clusters: int | None = None

    @property
    def better(self) -> str | None:
        """The system that is better by the corrected p of the randomisation; None if none is."""
        if not self.randomisation.is_significant or self.difference == 0:
            return None
        is_a_better = (self.difference > 0) != self.column.is_lower_better
        return self.system_a if is_a_better else self.system_b


@dataclass(frozen=True, slots=True)
class RankedSystem:
    """A system among the others in one measure of one metric.

    Parameters
    ----------
    n_evals : int
        All that the system has.
    mean : float
        Over these.
    letters : tuple of str
        Its groups: it cannot be told apart from systems with which it shares one.
    """

    id: str
    n_evals: int
    mean: float
    letters: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ranking:
    """All systems in one measure of one metric.

    Parameters
    ----------
    systems : tuple of RankedSystem
        The best mean first; equal ones in byte order of their IDs.
    pairs : tuple of PairResult
        Every pair once, in the order of the systems of the run.
    """

    column: Column
    systems: tuple[RankedSystem, ...]
    pairs: tuple[PairResult, ...]

    def letters(self) -> dict[str, tuple[str, ...]]:
        """Return, by system, the letter of each group, or as many blanks if it is not in it."""
        known = {one for system in self.systems for one in system.letters}
        in_order = sorted(known, key=lambda one: (len(one), one))
        return {
            system.id: tuple(one if one in system.letters else " " * len(one) for one in in_order)
            for system in self.systems
        }


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """All that is known of which system is better.

    Parameters
    ----------
    rankings : tuple of Ranking
        One for each metric and measure, in the order of print.
    options : Options
        Of the scores.
    warnings : tuple of str
        What the user should know of the inputs and of the tests.
    """

    systems: tuple[str, ...]
    rankings: tuple[Ranking, ...]
    plan: TestPlan
    options: Options
    warnings: tuple[str, ...]

    @property
    def pairs(self) -> tuple[PairResult, ...]:
        """Every comparison of the run, which is what Holm's correction is over."""
        return tuple(pair for ranking in self.rankings for pair in ranking.pairs)
