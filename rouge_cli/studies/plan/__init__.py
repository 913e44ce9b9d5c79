"""The study ``plan``: how many EVALs a comparison needs, and what those at hand can show."""

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from rouge_cli.errors import OptionError
from rouge_cli.options.declaration import (
    DIFFERENCE,
    Number,
    choice,
    option,
    real,
    several,
    strings,
    whole,
)
from rouge_cli.options.figures import PLAN_FIGURES
from rouge_cli.options.studies import (
    StudyOptions,
    judgement_option,
    judgements_option,
    measures_option,
    output_option,
    report_option,
    seed_option,
    systems_option,
)
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.studies.correlate import LEVEL_OF, LEVELS, directed, judgements_of
from rouge_cli.studies.study import Answer, ScoreSource, Study, check_systems

if TYPE_CHECKING:
    from rouge_cli.inputs.judgements import Judgements
    from rouge_cli.options.scores import ScoreOptions
    from rouge_cli.scores.results import Results
    from rouge_cli.studies.metric_planning import MetricPlan, MetricQuestion
    from rouge_cli.studies.planning import PlanQuestion, StudyPlan

PLAN = "Plan"
SIZES = several(whole(3, 100_000, "a whole number from 3 to 100000"), str | int, "whole numbers")
PLANNED_COEFFICIENTS = ("pearson", "spearman", "kendall", "pa", "acc-eq")
"""Of spa, each of the thousands of tests would take a second."""
METRICS_VIEW = "rouge_cli.reports.views.metric_plan:MetricPlanView"
POWER = real("a number above 0.5 and below 1", lambda value: 0.5 < value < 1)  # noqa: PLR2004


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanOptions(StudyOptions):
    """What ``plan`` wants to know of a comparison that is still to be made."""

    difference: Number | None = option(
        "--difference X",
        PLAN,
        "The difference of two means to find: how many EVALs does it take?",
        DIFFERENCE,
    )
    equivalence: Number | None = option(
        "--equivalence MARGIN",
        PLAN,
        "Systems that are equal are to be shown the same within it: how many EVALs does it take?",
        DIFFERENCE,
    )
    power: Number = option(
        "--power SHARE",
        PLAN,
        "How often the comparison is to succeed; by default 0.8.",
        POWER,
        Number("0.8", 0.8),
    )
    spread: Number | None = option(
        "--spread SD",
        PLAN,
        "With one system: the standard deviation of its difference from the other, EVAL by EVAL.",
        DIFFERENCE,
    )
    spread_confidence: Number | None = option(
        "--spread-confidence SHARE",
        PLAN,
        "Plan on an upper limit of the pilot's standard deviation, at this confidence, as 0.8.",
        POWER,
    )
    comparisons: int = option(
        "--comparisons M",
        PLAN,
        "How many comparisons the study will make and correct for; by default 1.",
        whole(1, 1_000_000, "a whole number from 1 to 1000000"),
        1,
    )
    judgements: str | None = judgements_option(
        PLAN, "Judgements of the pilot, as for correlate: what tells two metrics apart?"
    )
    judgement: tuple[str, ...] = judgement_option(
        PLAN, "The column of it to take; without --judgements, a field of the records."
    )
    metric: tuple[str, ...] = option(
        "--metric NAME",
        PLAN,
        "With judgements: one of the two metrics to tell apart; by default those of the pilot.",
        strings,
        is_many=True,
    )
    level: str | None = option(
        "--level system|summary|pooled",
        PLAN,
        "With judgements: where metrics are correlated, as for correlate; by default system.",
        choice(*LEVELS),
    )
    coefficient: str | None = option(
        "--coefficient NAME",
        PLAN,
        "With judgements: pearson (the default), spearman, kendall, pa or acc-eq.",
        choice(*PLANNED_COEFFICIENTS),
    )
    n_systems: tuple[int, ...] = option(
        "--n-systems N",
        PLAN,
        "With judgements: a number of systems to try; by default 1 to 4 times the pilot's.",
        SIZES,
        is_many=True,
    )
    n_evals: tuple[int, ...] = option(
        "--n-evals N",
        PLAN,
        "With judgements: a number of EVALs to try; by default 1, 2 and 4 times the pilot's.",
        SIZES,
        is_many=True,
    )
    measures: str = measures_option(PLAN, "Which of R, P and F, such as RPF; by default F.")
    seed: int = seed_option(PLAN, "Seed of the simulation; by default 2004.")
    report: str = report_option(PLAN)
    output: str | None = output_option(PLAN)
    system_ids: tuple[str, ...] = systems_option(
        PLAN,
        "A system of the pilot: two, one with --spread, three with judgements; by default all.",
    )

    @property
    def is_judged(self) -> bool:
        """Whether two metrics are to be told apart, by a pilot with judgements."""
        return self.judgements is not None or bool(self.judgement)

    def check(self) -> None:
        """Refuse two questions at once."""
        self._check_judged()
        if self.difference is not None and self.equivalence is not None:
            raise OptionError("--difference and --equivalence exclude each other; give one")
        if self.spread is not None and self.spread_confidence is not None:
            raise OptionError(
                "--spread and --spread-confidence exclude each other: a standard deviation that is "
                "given has no error of the pilot"
            )

    def _check_judged(self) -> None:
        """Refuse options that the other question has, and studies that are too large."""
        names: tuple[str, ...] = ("metric", "level", "coefficient", "n_systems", "n_evals")
        if self.is_judged:
            names = ("difference", "equivalence", "spread", "spread_confidence")
        for name in names:
            if getattr(self, name) not in {None, ()}:
                which = "without" if self.is_judged else "with"
                raise OptionError(
                    f"--{name.replace('_', '-')} is for a plan {which} --judgements or --judgement"
                )
        if self.n_systems and self.n_evals:
            from rouge_cli.studies.metric_planning import check_study_size

            check_study_size(max(self.n_systems), max(self.n_evals), self.coefficient)
        level = LEVEL_OF.get(self.coefficient or "")
        if level and self.level not in {None, level}:
            raise OptionError(
                f"--coefficient {self.coefficient}: found --level {self.level}, expected {level}, "
                "the level that it is of"
            )

    def input_files(self) -> tuple[str | None, ...]:
        """Return the file of judgements."""
        return (self.judgements,)


class PlanStudy(Study):
    """Say how many EVALs a comparison needs, of two systems or of two metrics.

    CONFIG or the options name the texts of a pilot, as for score: two systems, whose differences
    say how much such differences vary, or one system and --spread. Comparisons are simulated with
    differences drawn from these, and tested by randomisation, as compare does. Without
    --difference or --equivalence, the answer is which difference as many EVALs can show.

    With human judgements of three or more systems, the answer is how many systems and EVALs tell
    two metrics apart, by the test of correlate.
    """

    options = PlanOptions
    view_class = "rouge_cli.studies.plan.view:PlanView"
    # The power of a test is simulated with as many resamples as its level asks for.
    not_taken = Study.not_taken | {"resamples"}
    figures = PLAN_FIGURES
    default_figure = "power"
    fewest_systems = 1

    def choose(self, known: Sequence[str], asked: PlanOptions) -> tuple[str, ...]:
        """Return the systems of the pilot: one or two, or judged ones; raises OptionError."""
        if asked.is_judged:
            needs = "a plan with judgements needs"
            return check_systems(known, asked.system_ids, needs=needs)
        systems = super().choose(known, asked)
        names = ", ".join(map(repr, systems))
        if len(systems) == 1 and asked.spread is None:
            raise OptionError(
                f"--spread: missing, as the pilot has one system, {names}; expected the standard "
                "deviation of its difference from another one, EVAL by EVAL"
            )
        if len(systems) == 2 and asked.spread is not None:  # noqa: PLR2004
            raise OptionError("--spread is for a pilot of one system; two say it themselves")
        if len(systems) > 2:  # noqa: PLR2004
            raise OptionError(
                f"the pilot has {len(systems)} systems: {names}; name two of them with --system-id"
            )
        return systems

    def run(self, source: ScoreSource, asked: PlanOptions) -> Answer:
        """Score, and answer; with judgements, about metrics."""
        if not asked.is_judged:
            return super().run(source, asked)
        options = source.options
        judgements = judgements_of(
            source, asked.judgements, asked.judgement, options.joined.unmatched
        )
        options, judgements = directed(options, judgements)
        results, systems = source._replace(options=options).scored(
            lambda known: self.choose(known, asked)
        )
        answer = metric_plan(results, systems, judgements, asked, options.scores)
        return Answer(answer, results, METRICS_VIEW)

    def answer(
        self,
        results: "Results",
        systems: tuple[str, ...],
        asked: PlanOptions,
        scores: "ScoreOptions",
    ) -> "StudyPlan":
        """Plan a comparison from the pilot."""
        from rouge_cli.studies.planning import plan_study

        return plan_study(results, systems, question_of(asked, scores))


STUDY = PlanStudy()


def question_of(asked: PlanOptions, scores: "ScoreOptions") -> "PlanQuestion":
    """Return what is asked, in exact numbers."""
    from rouge_cli.studies.paired_tests import exact_share
    from rouge_cli.studies.planning import PlanQuestion

    return PlanQuestion(
        _exact(asked.difference),
        _exact(asked.equivalence),
        asked.power.value,
        1 - exact_share(scores.confidence),
        asked.comparisons,
        None if asked.spread is None else asked.spread.value,
        asked.seed,
        asked.measures,
        None if asked.spread_confidence is None else asked.spread_confidence.value,
    )


def metric_plan(
    results: "Results",
    systems: tuple[str, ...],
    judgements: "Judgements",
    asked: PlanOptions,
    scores: "ScoreOptions",
) -> "MetricPlan":
    """Plan a study that tells two metrics apart; raises OptionError and InputError."""
    from rouge_cli.studies.metric_planning import plan_metrics

    return plan_metrics(results, systems, judgements, metric_question_of(asked, scores))


def metric_question_of(asked: PlanOptions, scores: "ScoreOptions") -> "MetricQuestion":
    """Return what is asked about metrics."""
    from rouge_cli.studies.metric_planning import MetricQuestion
    from rouge_cli.studies.paired_tests import exact_share

    coefficient = asked.coefficient or "pearson"
    return MetricQuestion(
        asked.metric,
        asked.measures,
        (asked.level or LEVEL_OF.get(coefficient, "system"), coefficient),
        asked.power.value,
        1 - exact_share(scores.confidence),
        asked.comparisons,
        asked.n_systems,
        asked.n_evals,
        asked.seed,
    )


def _exact(number: Number | None) -> Fraction | None:
    """Return a number as it was typed."""
    return None if number is None else Fraction(number.text)
