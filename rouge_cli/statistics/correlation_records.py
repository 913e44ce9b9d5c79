"""The records of a study of correlations: what was asked for, and what was found."""

from rouge_cli.options.declaration import Number
from rouge_cli.options.scores import ScoreOptions
from rouge_cli.options.studies import CorrelationOptions
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.statistics.score_columns import Column

__all__ = [
    "Condition",
    "Correlation",
    "CorrelationColumn",
    "CorrelationInterval",
    "CorrelationPlan",
    "CorrelationStudy",
    "JudgeAgreement",
    "LevelValue",
    "MetricPermutation",
    "MetricTest",
    "SystemMeans",
    "WilliamsTest",
    "correlation_plan",
]

COEFFICIENTS = ("pearson", "spearman", "kendall")


@dataclass(frozen=True, slots=True)
class CorrelationPlan:
    """What to correlate, and how.

    Parameters
    ----------
    levels : tuple of str
        Empty: all that the judgements allow.
    letters : str
        Which of R, P and F.
    resampled : str
        What the bootstrap draws: ``"evals"``, ``"systems"`` or ``"both"``.
    resamples : int
        0 for no intervals and no permutation tests.
    confidence : Number
        In percent.
    tests_pairs : bool
        Whether every two metrics are tested against each other.
    exchange : str
        What the permutation tests exchange at the system level: ``"systems"`` or ``"cells"``.
    """

    levels: tuple[str, ...]
    coefficients: tuple[str, ...]
    letters: str
    resampled: str
    resamples: int
    confidence: Number
    seed: int
    tests_pairs: bool
    exchange: str = "systems"

    @property
    def significance(self) -> float:
        """The p-value up to which two metrics can be told apart."""
        # 90% leave 0.1, and not a little less.
        return round(1 - self.confidence.value / 100, 12)


@dataclass(frozen=True, slots=True)
class Condition:
    """How the texts were scored.

    Parameters
    ----------
    texts : str
        ``"as-is"``, ``"stem"``, ``"stop"`` or ``"stem+stop"``; empty if the options of the run
        say so.
    model_set : str
        ``"one"``: the first model of each EVAL; ``"all"``.
    signatures : tuple of str
        Of each run that it took.
    """

    texts: str
    model_set: str
    signatures: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LevelValue:
    """A coefficient at a level.

    Parameters
    ----------
    value : float
        nan if it is undefined.
    n_evals : int
        EVALs that count.
    n_dropped : int
        EVALs in which the coefficient is undefined; only the summary level drops any.
    """

    value: float
    n_evals: int
    n_dropped: int


@dataclass(frozen=True, slots=True)
class CorrelationInterval:
    """An interval, and what it rests on.

    Parameters
    ----------
    bounds : tuple of two floats, or None
        Lower and upper percentile; None if no resample has a value.
    n_dropped : int
        Resamples in which the coefficient is undefined.
    """

    bounds: tuple[float, float] | None
    n_dropped: int


@dataclass(frozen=True, slots=True)
class MetricPermutation:
    """The result of a test.

    Parameters
    ----------
    difference : float or None
        Correlation of the first metric less that of the second; None if one is undefined.
    p : float or None
        Two-sided: (count + 1) / (n + 1), the count that of the n resamples with a difference at
        least as large in absolute value.
    n_dropped : int
        Resamples in which a correlation is undefined; they are not among the n.
    is_exact : bool
        Whether p comes from all choices of swaps: count / n.
    p_holm : float or None
        Corrected over all pairs of the column.
    """

    difference: float | None
    p: float | None
    n_dropped: int = 0
    is_exact: bool = False
    p_holm: float | None = None


@dataclass(frozen=True, slots=True)
class WilliamsTest:
    """The result of a test.

    Parameters
    ----------
    t : float
        Above 0 if the first metric correlates better.
    degrees : int
        Degrees of freedom: the number of systems less 3.
    p : float
        Two-sided.
    p_one_sided : float
        Of the hypothesis that the first metric does not correlate better.
    p_holm : float or None
        The two-sided p, corrected over all pairs of the column.
    """

    t: float
    degrees: int
    p: float
    p_one_sided: float
    p_holm: float | None = None


@dataclass(frozen=True, slots=True)
class Correlation:
    """How well one metric agrees with the judgements.

    Parameters
    ----------
    interval : CorrelationInterval or None
        None without resamples.
    is_best : bool
        Whether no metric of the column has a higher value.
    p_against_best : float or None
        Of one permutation test of all metrics against the best one; None for that itself.
    is_tied : bool
        Whether it is not the best, and cannot be told apart from it.
    """

    value: LevelValue
    interval: CorrelationInterval | None
    is_best: bool
    p_against_best: float | None
    is_tied: bool


@dataclass(frozen=True, slots=True)
class MetricTest:
    """Two metrics, by their places among the rows of the study, against each other.

    Williams' test has a meaning for Pearson's coefficient at the system level only.
    """

    first: int
    second: int
    permutation: MetricPermutation
    williams: WilliamsTest | None


@dataclass(frozen=True, slots=True)
class CorrelationColumn:
    """All metrics against one judgement, in one way.

    Parameters
    ----------
    correlations : tuple of Correlation
        One for each row of the study.
    tests : tuple of MetricTest
        Of every two rows, if asked for.
    """

    judgement: str
    level: str
    coefficient: str
    condition: Condition
    correlations: tuple[Correlation, ...]
    tests: tuple[MetricTest, ...]


@dataclass(frozen=True, slots=True)
class JudgeAgreement:
    """How many judges gave a judgement, and how well they agree.

    Parameters
    ----------
    fewest, most : int
        Judges of a system in an EVAL.
    alpha : float or None
        Krippendorff's, of interval data; None where no two judged the same.
    """

    judgement: str
    fewest: int
    most: int
    alpha: float | None


@dataclass(frozen=True, slots=True)
class SystemMeans:
    """The means of all systems in one condition.

    Parameters
    ----------
    scores : tuple of tuple of float
        For each row of the study, of each system.
    judgements : tuple of tuple of float
        For each judgement, of each system.
    """

    scores: tuple[tuple[float, ...], ...]
    judgements: tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True)
class CorrelationStudy:
    """Everything that was found.

    Parameters
    ----------
    rows : tuple of Column
        The metrics and measures.
    columns : tuple of CorrelationColumn
        By judgement, level and coefficient, then by condition.
    is_per_eval : bool
        Whether systems were judged EVAL by EVAL.
    is_by_condition : bool
        Whether several ways to score are to be shown side by side.
    agreements : tuple of JudgeAgreement
        Of each judgement with several judges.
    means : tuple of SystemMeans
        For each condition.
    """

    rows: tuple[Column, ...]
    columns: tuple[CorrelationColumn, ...]
    systems: tuple[str, ...]
    eval_ids: tuple[str, ...]
    judgements: tuple[str, ...]
    is_per_eval: bool
    conditions: tuple[Condition, ...]
    is_by_condition: bool
    plan: CorrelationPlan
    warnings: tuple[str, ...] = ()
    agreements: tuple[JudgeAgreement, ...] = ()
    means: tuple[SystemMeans, ...] = ()


def correlation_plan(own: CorrelationOptions, scores: ScoreOptions) -> CorrelationPlan:
    """Say what to correlate and how; the paper's table is one of Pearson's, of recall."""
    is_paper = own.paper_table
    coefficients = own.coefficient or (COEFFICIENTS[:1] if is_paper else COEFFICIENTS)
    return CorrelationPlan(
        own.level or (("system",) if is_paper else ()),
        tuple(one for one in COEFFICIENTS if one in coefficients),
        own.measures or ("R" if is_paper else "F"),
        own.resample,
        scores.resamples,
        scores.confidence,
        own.seed,
        own.pairs,
        own.exchange,
    )
