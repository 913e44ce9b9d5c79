"""A plan: how many EVALs a comparison needs, which difference a pilot could show, and curves."""

from collections.abc import Iterator
from typing import ClassVar

from rouge_cli.escapes import escape_unprintable
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports import View
from rouge_cli.reports.charts import power_panel
from rouge_cli.reports.document import (
    Cell,
    Column,
    Curve,
    Document,
    Figure,
    Note,
    Role,
    Section,
    Table,
)
from rouge_cli.reports.fields import (
    COUNT,
    FLAG,
    NUMBER,
    PROGRAM,
    TEXT,
    Field,
    Nullable,
    Record,
    Value,
    list_of,
    shortened,
)
from rouge_cli.reports.page import Page, Part, citation
from rouge_cli.reports.wording import column_label, counted, evals_in_clusters, number
from rouge_cli.scores.signature import original_command, signature
from rouge_cli.studies.planning import PlannedColumn, PlanQuestion, StudyPlan

DECIMALS = 4

SMALL_PILOT = 50
"""EVALs up to which a plan from a pilot gets a caution."""

LESS_POWER = 0.1
"""What a plan may lack of its power before it is called one that has less."""

# fmt: off
POINT = Record(
    (Field("n", COUNT, lambda point: point[0]), Field("power", NUMBER, lambda point: point[1])),
    {"simulated_power": lambda point: point[1]},
)
ANSWER = Record(
    (
        Field("metric", TEXT, "column.metric"),
        Field("measure", TEXT, "column.measure"),
        Field("spread", NUMBER),
        Field("detectable", Nullable(NUMBER)),
        Field("n_needed", Nullable(COUNT)),
        Field("is_simulated", FLAG),
        Field("curve", list_of(POINT)),
    ),
    {"is_simulated": lambda answer: str(answer.is_simulated).lower()},
)
PLAN = Record(
    (
        *PROGRAM,
        Field("signature", TEXT, lambda view: signature(view.plan.options)),
        Field("seed", COUNT, "plan.question.seed"),
        Field("systems", list_of(TEXT), "plan.systems"),
        Field("n_pilot", COUNT, "plan.n_evals"),
        Field("n_clusters", Nullable(COUNT), "plan.n_clusters"),
        Field("difference", Nullable(NUMBER),
            lambda view: shortened(view.plan.question.difference)),
        Field("margin", Nullable(NUMBER), lambda view: shortened(view.plan.question.margin)),
        Field("power", NUMBER, "plan.question.power"),
        Field("spread_confidence", Nullable(NUMBER), "plan.question.spread_confidence"),
        Field("level", NUMBER, lambda view: float(view.plan.question.level)),
        Field("comparisons", COUNT, "plan.question.comparisons"),
        Field("warnings", list_of(TEXT), "plan.warnings"),
        Field("metrics", list_of(ANSWER), "plan.columns"),
    ),
    {"systems": lambda view: " ".join(view.plan.systems)},
)
# fmt: on


@dataclass(frozen=True, slots=True)
class PlanView(View):
    """How many EVALs a comparison needs."""

    kind: ClassVar[str] = "plan"
    fields: ClassVar[Record] = PLAN
    columns: ClassVar[tuple[str, ...]] = (
        "metric", "measure", "spread", "detectable", "n_needed", "is_simulated", "n",
        "simulated_power", "difference", "margin", "power", "level", "comparisons", "n_pilot",
        "n_clusters", "systems", "seed", "signature",
    )  # fmt: skip
    plan: StudyPlan

    def document(self) -> Document:
        """Return the answers of all metrics, and the curve of each."""
        sections = [Section("plan", (_answers(self.plan),), _title(self.plan))]
        sections += [
            Section(
                f"plan-{order}",
                (_curve(self.plan, answer),),
                f"{column_label(answer.column)}: power",
            )
            for order, answer in enumerate(self.plan.columns, 1)
            if answer.curve
        ]
        notes = tuple(map(Note.of, _notes(self.plan)))
        return Document(tuple(sections), notes, (signature(self.plan.options),))

    def records(self) -> Iterator[dict[str, Value]]:
        """Yield a row for each metric, measure and point of its curve; one if it has none."""
        of_plan = PLAN.cells(self, self.columns)
        for planned in self.plan.columns:
            answer = ANSWER.cells(planned, self.columns)
            for point in planned.curve or ((None, None),):
                yield answer | POINT.cells(point, self.columns) | of_plan

    def figures(self) -> tuple[Figure, ...]:
        """Return the curves of power, a panel for each metric; none if there is no curve."""
        plan = self.plan
        answers = [answer for answer in plan.columns if answer.curve]
        if not answers:
            return ()
        unit = f"{_unit_of(plan)}s"
        wanted, n_pilot = plan.question.power, plan.n_blocks
        panels = [
            power_panel(column_label(x.column), unit, x.curve, wanted=wanted, n_pilot=n_pilot)
            for x in answers
        ]
        curves = [
            Curve(unit, f"With {{n}} {unit}, {_shown(plan)}", x.curve, x.n_needed or n_pilot)
            for x in answers
        ]
        caption = (
            f"How often a comparison of so many {unit} succeeds, to show {_asked(plan)}. Dashed: "
            "the power that is asked for; dotted: the size of the pilot."
        )
        return (Figure("power", "Power", caption, tuple(panels), tuple(curves)),)

    def page(self) -> Page:
        """Return the page."""
        document = self.document()
        answers, *curves = document.sections
        parts = [Part("answers", "Answers", (answers,), notes=document.notes)]
        if curves:
            parts.append(
                Part("power", "Power", tuple(curves), self.figures(), opens_with_figures=True)
            )
        return Page(
            title="How many EVALs a comparison needs",
            headline=(plan_headline(self.plan),),
            warnings=self.plan.warnings,
            parts=tuple(parts),
            signatures=document.signatures,
            citation="".join(citation(self.plan.options)),
            original=original_command(self.plan.options),
        )


def _unit_of(plan: StudyPlan) -> str:
    """Name what is counted, and drawn."""
    return "EVAL" if plan.n_clusters is None else "cluster"


def _level_of(question: PlanQuestion) -> str:
    """Say at which level a study tests."""
    level = f"{float(question.level):g}"
    if question.comparisons > 1:
        return f"{level} / {question.comparisons} (the first of Holm's)"
    return level


def _asked(plan: StudyPlan) -> str:
    """Say what is to be shown; empty if nothing was asked."""
    question = plan.question
    if question.is_equivalence and question.margin is not None:
        return f"the same within {float(question.margin):g}"
    if question.difference is not None:
        return f"a difference of {float(question.difference):g}"
    return ""


def _shown(plan: StudyPlan) -> str:
    """Say what a comparison that succeeds has shown."""
    if plan.question.is_equivalence:
        return f"systems are shown to be {_asked(plan)}"
    return f"{_asked(plan)} is found"


def _title(plan: StudyPlan) -> str:
    """Say what the answers are about."""
    names = " - ".join(map(escape_unprintable, plan.systems))
    return f"Pilot: {names}, {evals_in_clusters(plan.n_evals, plan.n_clusters)}"


def _answers(plan: StudyPlan) -> Table:
    """Make the table of all metrics."""
    asked = _asked(plan)
    columns = [
        Column("Metric", "l", Role.LABEL),
        Column("SD"),
        Column(f"detectable with {counted(plan.n_blocks, _unit_of(plan))}"),
    ]
    if asked:
        columns.append(Column(f"{_unit_of(plan)}s for {asked}"))
    rows = []
    for answer in plan.columns:
        cells = [
            column_label(answer.column),
            number(answer.spread, DECIMALS),
            number(answer.detectable, DECIMALS),
        ]
        if asked:
            cells.append(str(answer.n_needed))
        rows.append(tuple(map(Cell, cells)))
    return Table(tuple(columns), tuple(rows))


def _curve(plan: StudyPlan, answer: PlannedColumn) -> Table:
    """Make the table of a curve."""
    columns = (Column(f"{_unit_of(plan)}s", role=Role.LABEL), Column("power"))
    rows = ((Cell(str(n)), Cell(number(power, 3))) for n, power in answer.curve)
    return Table(columns, tuple(rows))


def _notes(plan: StudyPlan) -> Iterator[str]:
    """Yield what the columns mean and how they were made."""
    question, unit = plan.question, _unit_of(plan)
    yield (
        f"Power: how often a comparison succeeds; {question.power:g} is asked for. Comparisons are "
        f"simulated: differences are drawn from those of the pilot, and tested by approximate "
        f"randomisation at {_level_of(question)}; seed {question.seed}."
    )
    yield (
        f"SD: standard deviation of the differences from {unit} to {unit}. detectable: the "
        f"smallest difference of two means that as many {unit}s as the pilot has find so often."
    )
    if any(not answer.is_simulated for answer in plan.columns):
        yield (
            f"Numbers without a curve come from the normal distribution: so many {unit}s are not "
            "simulated."
        )
    if question.spread is None:
        yield _error_of_pilot(plan)


def _error_of_pilot(plan: StudyPlan) -> str:
    """Say what the plan owes to the size of the pilot."""
    question, size = plan.question, counted(plan.n_blocks, _unit_of(plan))
    if (confidence := question.spread_confidence) is not None:
        return (
            f"The differences are spread out to the upper limit of their standard deviation, which "
            f"{size} say with a confidence of {_percent(confidence)}; SD is this limit."
        )
    caution = "Caution: " if plan.n_blocks <= SMALL_PILOT else ""
    less = question.power - LESS_POWER
    return (
        f"{caution}{size} say how much differences vary with an error of their own: at best, "
        f"{plan.share_below(less):.0%} of plans for a power of {_percent(question.power)} have "
        f"less than {_percent(less)}. --spread-confidence 0.8 plans on an upper limit."
    )


def _percent(share: float) -> str:
    """Write a share that the user has given, without rounding it."""
    return f"{round(100 * share, 6):g}%"


def plan_headline(plan: StudyPlan) -> str:
    """Say how many EVALs the first metric needs, or which difference the pilot can show."""
    first, question = plan.columns[0], plan.question
    label, unit = column_label(first.column), _unit_of(plan)
    power, asked = _percent(question.power), _asked(plan)
    if asked:
        what = f"that systems are {asked}" if question.is_equivalence else asked
        if first.n_needed is None:
            return f"To show {what} in {label} takes more {unit}s than a plan is made for."
        needed = counted(first.n_needed, unit)
        return f"To show {what} in {label} in {power} of all studies takes {needed}."
    if first.detectable is None:
        return f"{counted(plan.n_blocks, unit)} can show no difference in {label}."
    smallest = number(first.detectable, DECIMALS)
    return (
        f"With {counted(plan.n_blocks, unit)}, as in the pilot, {power} of all studies find a "
        f"difference of {smallest} in {label}."
    )
