"""The plan of a study of correlations, and its result."""

from dataclasses import field
from typing import Annotated

import numpy as np

from rouge_cli.metrics.arithmetic import Floats
from rouge_cli.options.scores import ScoreOptions
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports.rows import NUMBER_OR_NULL, Shown
from rouge_cli.reports.wording import number, p_value
from rouge_cli.studies.correlate import COEFFICIENTS, CORRELATIONS, PAPER_TEXTS, CorrelationOptions
from rouge_cli.studies.correlate.accuracies import SoftAccuracy, TiedAccuracy
from rouge_cli.studies.correlate.coefficients import PairOrders
from rouge_cli.studies.correlate.judged_cells import Condition, LevelAgreement
from rouge_cli.studies.resampling import Resampling
from rouge_cli.studies.score_columns import ScoreColumn

DECIMALS = 3


def signed(value: float | None) -> str:
    """Format a difference or a t."""
    return number(value, DECIMALS, sign="+")


@dataclass(frozen=True, slots=True)
class CorrelationPlan:
    """The correlations and tests to compute: the options of the study, with defaults filled in.

    The table of the paper has defaults of its own: Pearson's coefficient of recall at the system
    level, under each of the paper's conditions.
    """

    asked: CorrelationOptions
    scores: ScoreOptions

    @property
    def levels(self) -> tuple[str, ...]:
        """The levels; if empty, all that the judgements allow."""
        return self.asked.level or (("system",) if self.asked.paper_table else ())

    @property
    def coefficients(self) -> tuple[str, ...]:
        """The coefficients in printed order, each once."""
        by_default = CORRELATIONS[:1] if self.asked.paper_table else CORRELATIONS
        wanted = self.asked.coefficient or by_default
        return tuple(name for name in COEFFICIENTS if name in wanted)

    @property
    def letters(self) -> str:
        """The measures, some of R, P and F."""
        return self.asked.measures or ("R" if self.asked.paper_table else "F")

    @property
    def texts(self) -> tuple[str, ...]:
        """Ways of reading the texts, each a condition; if empty, the scoring options decide."""
        return self.asked.conditions or (PAPER_TEXTS if self.asked.paper_table else ())

    @property
    def model_sets(self) -> tuple[str, ...]:
        """``"one"``, ``"all"`` or both; if empty, both if some EVAL has several models."""
        return self.asked.model_sets or (() if self.asked.paper_table else ("all",))

    @property
    def resampled(self) -> Annotated[str, Shown(schema={"enum": ["evals", "systems", "both"]})]:
        """What the resamples of the intervals draw."""
        return self.asked.resample

    @property
    def resamples(self) -> Annotated[int, Shown()]:
        """Number of resamples."""
        # Without any, there are no intervals and no permutation tests.
        return self.scores.resamples

    @property
    def seed(self) -> Annotated[int, Shown()]:
        """Seed of all random draws."""
        return self.asked.seed

    @property
    def exchanged(self) -> Annotated[str, Shown(column="", schema={"enum": ["systems", "cells"]})]:
        """What the tests exchange at the system level."""
        return self.asked.exchange

    @property
    def is_resampled_by_judge(self) -> Annotated[bool, Shown(column="")]:
        """Whether the resamples draw judges, too."""
        return self.asked.resample_judges

    @property
    def confidence(self) -> Annotated[float, Shown()]:
        """The confidence level of the intervals, in percent."""
        return self.scores.confidence.value

    @property
    def resampling(self) -> Resampling:
        """The draws of the resamples, without clusters."""
        return Resampling(self.resamples, self.seed, self.resampled, self.exchanged)

    @property
    def significance(self) -> float:
        """The p-value up to which two metrics can be told apart."""
        # Rounded, as 1 - 0.9 is a little less than 0.1.
        return round(1 - self.confidence / 100, 12)


@dataclass(frozen=True, slots=True)
class MetricCorrelation:
    """The agreement of one metric with the judgements.

    `p_against_best` comes from a single test of all metrics. `corrected` is None without several
    judges. It is nan if they are too few or too unreliable, so that their consistency is not above
    0, or the quotient is above 1. Its interval comes from the same resamples, each with its own
    divisor. `detail` has the counts behind an accuracy over pairs.

    - `value`: The coefficient; null if it is undefined.
    - `n_dropped_evals`: Texts in which the coefficient is undefined; only the summary level drops
      any.
    - `n_dropped_resamples`: Resamples in which the coefficient is undefined.
    - `p_against_best`: Of the test against the best metric; null for that one.
    - `is_tied`: Whether it is not the best, and cannot be told apart from it.
    - `corrected`: The value corrected for the disagreement of judges.
    - `corrected_interval`: Of the corrected value.
    - `n_dropped_corrected`: Resamples without a corrected value.
    """

    row: Annotated[ScoreColumn, Shown(is_inline=True)]
    value: Annotated[float, Shown(schema=NUMBER_OR_NULL)]
    n_evals: Annotated[int, Shown("Number of texts that count.")]
    n_dropped_evals: Annotated[int, Shown(column="dropped_evals")]
    interval: Annotated[tuple[float, float] | None, Shown("Bootstrap interval of the value.")]
    n_dropped_resamples: Annotated[int | None, Shown(column="dropped_resamples")]
    is_best: Annotated[bool, Shown("Whether no metric of the column has a higher value.")]
    p_against_best: Annotated[float | None, Shown(column="p")] = None
    is_tied: Annotated[bool, Shown(key="is_tied_with_best", column="is_tied")] = False
    corrected: Annotated[float | None, Shown()] = None
    corrected_interval: Annotated[tuple[float, float] | None, Shown(column="corrected")] = None
    n_dropped_corrected: Annotated[int | None, Shown(column="dropped_corrected")] = None
    detail: PairOrders | TiedAccuracy | SoftAccuracy | None = None

    @property
    def pairs(self) -> Annotated[PairOrders | None, Shown(column="")]:
        """The pairs of systems, for pa."""
        return self.detail if isinstance(self.detail, PairOrders) else None

    @property
    def calibration(self) -> Annotated[TiedAccuracy | None, Shown()]:
        """The accuracy with ties, for acc-eq."""
        return self.detail if isinstance(self.detail, TiedAccuracy) else None

    @property
    def is_exact(self) -> Annotated[bool | None, Shown(column="")]:
        """Whether all signs were enumerated rather than drawn, for spa."""
        return self.detail.is_exact if isinstance(self.detail, SoftAccuracy) else None


@dataclass(frozen=True, slots=True)
class MetricPermutation:
    """The result of a permutation test of two metrics.

    `p` is two-sided: (count + 1) / (n + 1), or count / n if the test is exact. The count is of the
    n resamples whose difference is at least as large in absolute value.

    - `difference`: Correlation of the first metric minus that of the second; null if one is
      undefined.
    - `n_dropped`: Resamples in which a correlation is undefined; p is without them.
    - `is_exact`: Whether p comes from all choices of swaps.
    - `p_holm`: p corrected over all pairs of the column.
    """

    difference: Annotated[float | None, Shown(column="value", heading="diff.", write=signed)]
    p: Annotated[float | None, Shown("Two-sided p of the permutation test.", write=p_value)]
    n_dropped: Annotated[int, Shown(key="n_dropped_resamples", column="dropped_resamples")] = 0
    is_exact: Annotated[bool, Shown(column="")] = False
    p_holm: Annotated[float | None, Shown(heading="Holm", write=p_value)] = None


@dataclass(frozen=True, slots=True)
class WilliamsTest:
    """The result of Williams' test.

    - `t`: Above 0 if the first metric correlates better.
    - `p_one_sided`: Of the hypothesis that the first metric does not correlate better.
    - `p_holm`: p corrected over all pairs of the column.
    """

    t: Annotated[float, Shown(write=signed, column="{}_t")]
    degrees: Annotated[int, Shown("Number of systems less 3.", key="degrees_of_freedom", column="")]
    p: Annotated[float, Shown("Two-sided p.", heading="p of t", write=p_value, column="{}_p")]
    p_one_sided: Annotated[float, Shown(column="{}_p_one_sided")]
    p_holm: Annotated[
        float | None, Shown(heading="Holm of t", write=p_value, column="{}_p_holm")
    ] = None


@dataclass(frozen=True, slots=True)
class MetricTest:
    """A test of two metrics against each other."""

    first: Annotated[ScoreColumn, Shown("The first metric.")]
    second: Annotated[ScoreColumn, Shown("The second metric.", column="")]
    permutation: Annotated[MetricPermutation, Shown(is_inline=True)]
    williams: Annotated[
        WilliamsTest | None, Shown("Williams' test, of Pearson's coefficient at the system level.")
    ]

    @property
    def against(self) -> Annotated[str, Shown(key=None, column="against")]:
        """The second metric."""
        return self.second.metric

    @property
    def against_measure(self) -> Annotated[str, Shown(key=None, column="against_measure")]:
        """Its measure."""
        return self.second.measure


@dataclass(frozen=True, slots=True)
class CorrelationColumn:
    """All metrics against one judgement, by one coefficient; in the order of the rows.

    - `correlations`: A correlation for each metric.
    - `has_too_few_systems`: Whether not even a metric without any correlation could be told apart.
    - `agreement`: Of several judges, at the level.
    """

    judgement: Annotated[str, Shown("Name of the judgement.")]
    level: Annotated[str, Shown("system, summary or pooled.")]
    coefficient: Annotated[str, Shown("As --coefficient names it.")]
    condition: Condition
    correlations: Annotated[tuple[MetricCorrelation, ...], Shown(key="metrics")]
    tests: Annotated[tuple[MetricTest, ...], Shown("Tests of every two metrics.", key="pairs")]
    has_too_few_systems: Annotated[bool, Shown(column="")] = False
    agreement: Annotated[LevelAgreement | None, Shown(column="")] = None

    @property
    def texts(self) -> Annotated[str | None, Shown()]:
        """As in `conditions`."""
        return self.condition.texts

    @property
    def models(self) -> Annotated[str, Shown()]:
        """As in `conditions`."""
        return self.condition.model_set

    @property
    def signature(self) -> Annotated[str, Shown(key=None, column="signature")]:
        """Everything that affects a score."""
        return " ".join(self.condition.signatures)


@dataclass(frozen=True, slots=True)
class JudgeAgreement:
    """The number of judges, and their agreement.

    - `alpha`: Krippendorff's alpha, of interval data; null if it is undefined.
    """

    judgement: Annotated[str, Shown("Name of the judgement.")]
    fewest: Annotated[int, Shown("The fewest judges of a system in a text.", key="fewest_judges")]
    most: Annotated[int, Shown("The most judges of a system in a text.", key="most_judges")]
    alpha: Annotated[float | None, Shown(key="krippendorff_alpha")]
    interval: Annotated[tuple[float, float] | None, Shown("Bootstrap interval of alpha.")] = None


def means_over_evals(cells: Floats) -> Floats:
    """Return the means of systems, (n_systems, ...), over the cells that are not missing."""
    n_evals = np.maximum((~np.isnan(cells)).sum(axis=1, keepdims=True), 1)
    # Divide before adding: the sum may be too large for a float.
    means: Floats = np.nansum(cells / n_evals, axis=1)
    return means


@dataclass(frozen=True, slots=True)
class CorrelationStudy:
    """The result of a study of correlations.

    - `rows`: the metrics and measures.
    - `is_by_condition`: whether tables show several ways of scoring side by side.
    - `cells`: the scores, (n_systems, n_evals, n_rows), and judgements, (n_judgements, n_systems,
      n_evals), of the last condition, which has all models; nan where one is missing. Scores are
      negated if lower is better.
    - `is_per_eval`: Whether each text was judged by itself.
    - `columns`: By judgement, level and coefficient, then by condition.
    - `agreements`: Of each judgement with several judges.
    - `systems_as_judged`: The systems in the order of the judgements, which is that of spa.
    """

    rows: tuple[ScoreColumn, ...]
    plan: Annotated[CorrelationPlan, Shown(is_inline=True)]
    systems: Annotated[tuple[str, ...], Shown("The systems.")]
    eval_ids: Annotated[tuple[str, ...], Shown("IDs of the texts.", key="evals")]
    judgements: Annotated[tuple[str, ...], Shown("Names of the judgements.")]
    is_per_eval: Annotated[bool, Shown(key="is_judged_per_eval", column="")]
    conditions: Annotated[tuple[Condition, ...], Shown("How the texts were scored.")]
    is_by_condition: bool
    columns: Annotated[tuple[CorrelationColumn, ...], Shown()]
    warnings: Annotated[tuple[str, ...], Shown("About the inputs and the result.")] = ()
    agreements: Annotated[tuple[JudgeAgreement, ...], Shown()] = ()
    systems_as_judged: Annotated[tuple[str, ...], Shown()] = ()
    cells: tuple[Floats, Floats] | None = field(default=None, compare=False)

    @property
    def n_systems(self) -> Annotated[int, Shown(key=None, column="n_systems")]:
        """Number of systems."""
        return len(self.systems)
