"""The study ``plan``: how many EVALs a comparison needs, and what those at hand can show."""

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from rouge_cli.errors import OptionError
from rouge_cli.options.declaration import DIFFERENCE, Number, options_under, real, whole
from rouge_cli.options.reports import PLAN_FIGURES
from rouge_cli.options.studies import (
    StudyOptions,
    measures_option,
    output_option,
    report_option,
    seed_option,
    systems_option,
)
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.studies.study import Study

if TYPE_CHECKING:
    from rouge_cli.options.scores import ScoreOptions
    from rouge_cli.scores.results import Results
    from rouge_cli.studies.planning import StudyPlan

PLAN = "Plan"
option = options_under(PLAN)
POWER = real("a number above 0.5 and below 1", lambda value: 0.5 < value < 1)  # noqa: PLR2004


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanOptions(StudyOptions):
    """The question of ``plan`` about a comparison that is still to be made."""

    difference: Number | None = option(
        "--difference X",
        "The difference of two means to find: how many texts does it take?",
        DIFFERENCE,
        is_common=True,
    )
    equivalence: Number | None = option(
        "--equivalence MARGIN",
        "Systems that are equal are to be shown the same within it: how many texts does it take?",
        DIFFERENCE,
        is_common=True,
    )
    power: Number = option(
        "--power SHARE",
        "How often the comparison is to succeed; by default 0.8.",
        POWER,
        Number("0.8", 0.8),
        is_common=True,
    )
    spread: Number | None = option(
        "--spread SD",
        "With one system: the standard deviation of its difference from the other, text by text.",
        DIFFERENCE,
        is_common=True,
    )
    spread_confidence: Number | None = option(
        "--spread-confidence SHARE",
        "Plan on an upper limit of the pilot's standard deviation, at this confidence, as 0.8.",
        POWER,
    )
    comparisons: int = option(
        "--comparisons M",
        "How many comparisons the study will make and correct for; by default 1.",
        whole(1, 1_000_000, "a whole number from 1 to 1000000"),
        1,
    )
    measures: str = measures_option(PLAN, "Which of R, P and F, such as RPF; by default F.")
    seed: int = seed_option(PLAN, "Seed of the simulation; by default 2004.")
    report: str = report_option(PLAN)
    output: str | None = output_option(PLAN)
    system_ids: tuple[str, ...] = systems_option(
        PLAN,
        "A system of the pilot: two, or one with --spread; by default all.",
    )

    def check(self) -> None:
        """Refuse two questions, or two standard deviations, at once."""
        if self.difference is not None and self.equivalence is not None:
            raise OptionError("--difference and --equivalence exclude each other; give one")
        if self.spread is not None and self.spread_confidence is not None:
            raise OptionError(
                "--spread and --spread-confidence exclude each other: a standard deviation that is "
                "given has no error of the pilot"
            )


class PlanStudy(Study):
    """Say how many texts a comparison of two systems needs.

    CONFIG or the options name the texts of a pilot, as for score: two systems, whose differences
    say how much such differences vary, or one system and --spread. Comparisons are simulated with
    differences drawn from these, and tested by randomisation, as compare does. Without
    --difference or --equivalence, the answer is which difference as many texts can show.
    """

    options = PlanOptions
    name = "plan"
    view_class = "rouge_cli.studies.plan.view:PlanView"
    figures = PLAN_FIGURES
    default_figure = "power"
    fewest_systems = 1

    def choose(self, known: Sequence[str], asked: PlanOptions) -> tuple[str, ...]:
        """Return the systems of the pilot, one or two; raises OptionError."""
        systems = super().choose(known, asked)
        names = ", ".join(map(repr, systems))
        if len(systems) == 1 and asked.spread is None:
            raise OptionError(
                f"--spread: missing, as the pilot has one system, {names}; expected the standard "
                "deviation of its difference from another one, text by text"
            )
        if len(systems) == 2 and asked.spread is not None:  # noqa: PLR2004
            raise OptionError("--spread is for a pilot of one system; two say it themselves")
        if len(systems) > 2:  # noqa: PLR2004
            raise OptionError(
                f"the pilot has {len(systems)} systems: {names}; name two of them with --system-id"
            )
        return systems

    def answer(
        self,
        results: "Results",
        systems: tuple[str, ...],
        asked: PlanOptions,
        scores: "ScoreOptions",
    ) -> "StudyPlan":
        """Plan a comparison from the pilot."""
        from rouge_cli.studies.paired_tests import exact_share
        from rouge_cli.studies.planning import PlanQuestion, plan_study

        def exact(number: Number | None) -> Fraction | None:
            return None if number is None else Fraction(number.text)

        question = PlanQuestion(
            exact(asked.difference),
            exact(asked.equivalence),
            asked.power.value,
            1 - exact_share(scores.confidence),
            asked.comparisons,
            None if asked.spread is None else asked.spread.value,
            asked.seed,
            asked.measures,
            None if asked.spread_confidence is None else asked.spread_confidence.value,
        )
        return plan_study(results, systems, question)


STUDY = PlanStudy()
