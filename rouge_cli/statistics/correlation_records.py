"""The records of a study of correlations: what was asked for, and what was found."""

from dataclasses import dataclass

from rouge_cli.options.declaration import Number
from rouge_cli.statistics.correlation_intervals import CorrelationInterval
from rouge_cli.statistics.levels import LevelValue
from rouge_cli.statistics.metric_permutation import MetricPermutation
from rouge_cli.statistics.scores_table import Column
from rouge_cli.statistics.williams import WilliamsTest

__all__ = [
    "Condition",
    "Correlation",
    "CorrelationColumn",
    "CorrelationPlan",
    "CorrelationStudy",
    "MetricTest",
]


@dataclass(frozen=True, slots=True)
class CorrelationPlan:
    """What to correlate, and how.

    Parameters
    ----------
    levels : tuple of str
        Empty: all that the judgements allow.
    coefficients : tuple of str
    letters : str
        Which of R, P and F.
    resampled : str
        What the bootstrap draws: ``"evals"``, ``"systems"`` or ``"both"``.
    resamples : int
        0 for no intervals and no permutation tests.
    confidence : Number
        In percent.
    seed : int
    tests_pairs : bool
        Whether every two metrics are tested against each other.
    """

    levels: tuple[str, ...]
    coefficients: tuple[str, ...]
    letters: str
    resampled: str
    resamples: int
    confidence: Number
    seed: int
    tests_pairs: bool

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
class Correlation:
    """How well one metric agrees with the judgements.

    Parameters
    ----------
    value : LevelValue
    interval : CorrelationInterval or None
        None without resamples.
    is_best : bool
        Whether no metric of the column has a higher value.
    p_against_best : float or None
        Of the permutation test against the best one; None for that itself.
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
    """Two metrics against each other.

    Parameters
    ----------
    first, second : int
        Places among the rows of the study.
    permutation : MetricPermutation
    williams : WilliamsTest or None
        Only for Pearson's coefficient at the system level.
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
    judgement, level, coefficient : str
    condition : Condition
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
class CorrelationStudy:
    """Everything that was found.

    Parameters
    ----------
    rows : tuple of Column
        The metrics and measures.
    columns : tuple of CorrelationColumn
        By judgement, level and coefficient, then by condition.
    systems, eval_ids, judgements : tuple of str
    is_per_eval : bool
        Whether systems were judged EVAL by EVAL.
    conditions : tuple of Condition
    is_by_condition : bool
        Whether several ways to score are to be shown side by side.
    plan : CorrelationPlan
    warnings : tuple of str
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
