"""The study ``plan``: how many EVALs a comparison needs, and what those at hand can show."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

from rouge_cli.errors import OptionError
from rouge_cli.escapes import escape_unprintable
from rouge_cli.options import readers
from rouge_cli.options.declaration import options_under
from rouge_cli.options.readers import Number
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
from rouge_cli.reports import View
from rouge_cli.reports.document import (
    Cell,
    Column,
    Curve,
    Document,
    Figure,
    Note,
    Page,
    Part,
    Role,
    Section,
    Table,
)
from rouge_cli.reports.rows import PathColumn, table_of
from rouge_cli.reports.wording import column_label, counted, evals_in_clusters, number
from rouge_cli.studies.study import Study

if TYPE_CHECKING:
    from rouge_cli.options.scores import ScoreOptions
    from rouge_cli.scores.results import Results
    from rouge_cli.studies.planning import StudyPlan

PLAN = "Plan"
option = options_under(PLAN)
POWER = readers.real("a number above 0.5 and below 1", lambda value: 0.5 < value < 1)  # noqa: PLR2004


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanOptions(StudyOptions):
    """The question of ``plan`` about a comparison that is still to be made."""

    difference: Number | None = option(
        "--difference X: The difference of two means to find: how many texts does it take?",
        readers.DIFFERENCE,
        is_common=True,
    )
    equivalence: Number | None = option(
        "--equivalence MARGIN: Systems that are equal are to be shown the same within it: how "
        "many texts does it take?",
        readers.DIFFERENCE,
        is_common=True,
    )
    power: Number = option(
        "--power SHARE: How often the comparison is to succeed; by default 0.8.",
        POWER,
        Number("0.8", 0.8),
        is_common=True,
    )
    spread: Number | None = option(
        "--spread SD: With one system: the standard deviation of its difference from the other, "
        "text by text.",
        readers.DIFFERENCE,
        is_common=True,
    )
    spread_confidence: Number | None = option(
        "--spread-confidence SHARE: Plan on an upper limit of the pilot's standard deviation, at "
        "this confidence, as 0.8.",
        POWER,
    )
    comparisons: int = option(
        "--comparisons M: How many comparisons the study will make and correct for; by default 1.",
        readers.whole(1, 1_000_000),
        1,
    )
    measures: str = measures_option(PLAN, "Which of R, P and F, such as RPF; by default F.")
    seed: int = seed_option(PLAN, "Seed of the simulation; by default 2004.")
    report: str = report_option(PLAN)
    output: str | None = output_option(PLAN)
    system_ids: tuple[str, ...] = systems_option(
        PLAN, "A system of the pilot: two, or one with --spread; by default all."
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
    view_class = "rouge_cli.studies.plan:PlanView"
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
        from rouge_cli.studies.paired_tests import exact_share
        from rouge_cli.studies.planning import PlanQuestion, plan_study

        difference, margin = (
            None if number is None else Fraction(number.text)
            for number in (asked.difference, asked.equivalence)
        )
        spread, spread_confidence = (
            None if number is None else number.value
            for number in (asked.spread, asked.spread_confidence)
        )
        question = PlanQuestion(
            difference,
            margin,
            asked.power.value,
            1 - exact_share(scores.confidence),
            asked.comparisons,
            spread,
            asked.seed,
            asked.measures,
            spread_confidence,
        )
        return plan_study(results, systems, question)


STUDY = PlanStudy()


DECIMALS = 4
# Pilots with at most this many EVALs get a caution.
SMALL_PILOT = 50
LEAST_SHARE = 0.005  # would be printed as 0%
# The note gives the share of plans whose power misses the target by at least this much.
LESS_POWER = 0.1


@dataclass(frozen=True, slots=True)
class PlanView(View):
    """The number of EVALs that a comparison needs."""

    kind: ClassVar[str] = "plan"
    csv_path: ClassVar[str] = "columns.curve"
    result: "StudyPlan"

    def document(self) -> Document:
        from rouge_cli.studies.planning import PowerPoint

        plan = self.result
        names = " - ".join(map(escape_unprintable, plan.systems))
        title = f"Pilot: {names}, {evals_in_clusters(plan.n_evals, plan.n_clusters)}"
        sections = [Section("plan", (_answers(plan),), title)]
        size = _as_typed("n", f"{_unit_of(plan)}s")._replace(role=Role.LABEL)
        for order, answer in enumerate(plan.columns, 1):
            if answer.curve:
                curve = table_of(answer.curve, PowerPoint, size, _as_typed("power", "power"))
                heading = f"{column_label(answer.column)}: power"
                sections.append(Section(f"plan-{order}", (curve,), heading))
        notes = tuple(map(Note.of, _notes(plan)))
        return Document(tuple(sections), notes, (plan.signature,))

    def figures(self) -> tuple[Figure, ...]:
        """Return the curves of power, a panel for each metric; none if there is no curve."""
        # Charts load NumPy, which help and completion do without.
        from rouge_cli.reports.charts import power_panel

        plan = self.result
        answers = [answer for answer in plan.columns if answer.curve]
        if not answers:
            return ()
        unit = f"{_unit_of(plan)}s"
        wanted, n_pilot = plan.question.power, plan.n_blocks
        panels, curves = [], []
        for x in answers:
            label, most = column_label(x.column), max(x.curve[-1].n, n_pilot)
            panels.append(power_panel(label, unit, x.curve, most, wanted=wanted, n_pilot=n_pilot))
            sentence = f"With {{n}} {unit}, {_shown(plan)}"
            curves.append(Curve(unit, sentence, x.curve, x.n_needed or n_pilot, most))
        caption = (
            f"How often a study with this number of {unit} shows {_wanted(plan)}. Dashed: "
            "the required power; dotted: the size of the pilot."
        )
        return (Figure("power", "Power", caption, tuple(panels), tuple(curves)),)

    def page(self) -> Page:
        from rouge_cli.reports.wording import citation
        from rouge_cli.scores.signature import original_command

        document = self.document()
        answers, *curves = document.sections
        parts = [Part("answers", "Answers", (answers,), notes=document.notes)]
        if curves:
            parts.append(
                Part("power", "Power", tuple(curves), self.figures(), opens_with_figures=True)
            )
        return Page(
            title="How many texts a comparison needs",
            headline=(plan_headline(self.result),),
            warnings=self.result.warnings,
            parts=tuple(parts),
            signatures=document.signatures,
            citation="".join(citation(self.result.options)),
            original=original_command(self.result.options),
        )


def _unit_of(plan: "StudyPlan") -> str:
    return "text" if plan.n_clusters is None else "cluster"


def _wanted(plan: "StudyPlan") -> str:
    question = plan.question
    if question.is_equivalence and question.margin is not None:
        return f"the same within {float(question.margin):g}"
    if question.difference is not None:
        return f"a difference of {float(question.difference):g}"
    return ""


def _shown(plan: "StudyPlan") -> str:
    if plan.question.is_equivalence:
        return f"systems are shown to be {_wanted(plan)}"
    return f"{_wanted(plan)} is found"


def _answers(plan: "StudyPlan") -> Table:
    from rouge_cli.studies.planning import PlannedColumn

    unit, wanted = _unit_of(plan), _wanted(plan)
    size = counted(plan.n_blocks, unit)
    table = table_of(
        plan.columns,
        PlannedColumn,
        "spread",
        _as_typed("minimum_detectable_difference", f"detectable with {size}"),
        *([_as_typed("n_needed", f"{unit}s for {wanted}", str)] if wanted else []),
    )
    rows = (
        (Cell(column_label(answer.column)), *row)
        for answer, row in zip(plan.columns, table.rows, strict=True)
    )
    return Table((Column("Metric", "l", Role.LABEL), *table.columns), tuple(rows))


def _as_typed(path: str, heading: str, write: Callable[[Any], str] | None = None) -> PathColumn:
    # By default, the full heading would begin with a capital letter.
    return PathColumn(path, heading, full_heading=heading, write=write)


def _notes(plan: "StudyPlan") -> Iterator[str]:
    question, unit = plan.question, _unit_of(plan)
    level = f"{float(question.level):g}"
    if question.comparisons > 1:
        level += f" / {question.comparisons} (the first of Holm's)"
    yield (
        f"Power: how often a comparison succeeds; {question.power:g} is asked for. Comparisons are "
        f"simulated: differences are drawn from those of the pilot, and tested by approximate "
        f"randomisation at {level}; seed {question.seed}."
    )
    yield (
        f"SD: standard deviation of the differences from {unit} to {unit}. detectable: the "
        f"smallest difference of two means that as many {unit}s as the pilot has find so often."
    )
    if any(not answer.is_simulated for answer in plan.columns):
        yield (
            f"Numbers without a curve come from the normal distribution, as this "
            f"number of {unit}s is not simulated."
        )
    if question.spread is None:
        yield _error_of_pilot(plan)


def _error_of_pilot(plan: "StudyPlan") -> str:
    question, size = plan.question, counted(plan.n_blocks, _unit_of(plan))
    if (confidence := question.spread_confidence) is not None:
        return (
            f"The differences are spread out to the upper limit of their standard deviation, which "
            f"{size} say with a confidence of {_percent(confidence)}; SD is this limit."
        )
    # The power that a plan really has depends on the error of the pilot's standard deviation.
    caution = "Caution: " if plan.n_blocks <= SMALL_PILOT else ""
    less = question.power - LESS_POWER
    share = plan.share_below(less)
    plans = f"{share:.0%} of" if share >= LEAST_SHARE else "fewer than 1% of"
    return (
        f"{caution}{size} only give an estimate of how much differences vary: at best, "
        f"{plans} plans for a power of {_percent(question.power)} have "
        f"less than {_percent(less)}. --spread-confidence 0.8 plans on an upper limit."
    )


def _percent(share: float) -> str:
    return f"{round(100 * share, 6):g}%"


def plan_headline(plan: "StudyPlan") -> str:
    """Return how many EVALs the first metric needs, or which difference the pilot can show."""
    first, question = plan.columns[0], plan.question
    label, unit = column_label(first.column), _unit_of(plan)
    power, asked = _percent(question.power), _wanted(plan)
    if asked:
        what = f"that systems are {asked}" if question.is_equivalence else asked
        if first.n_needed is None:
            return f"To show {what} in {label} takes more {unit}s than a plan is made for."
        needed = counted(first.n_needed, unit)
        return f"To show {what} in {label} in {power} of all studies takes {needed}."
    if first.minimum_detectable_difference is None:
        return f"{counted(plan.n_blocks, unit)} can show no difference in {label}."
    smallest = number(first.minimum_detectable_difference, DECIMALS)
    return (
        f"With {counted(plan.n_blocks, unit)}, as in the pilot, {power} of all studies find a "
        f"difference of {smallest} in {label}."
    )
