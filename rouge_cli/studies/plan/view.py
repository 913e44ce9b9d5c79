"""A plan: how many EVALs a comparison needs, which difference a pilot could show, and curves."""

from collections.abc import Callable, Iterator
from typing import Any, ClassVar

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
from rouge_cli.reports.page import Page, Part, citation
from rouge_cli.reports.rows import PathColumn, table_of
from rouge_cli.reports.wording import column_label, counted, evals_in_clusters, number
from rouge_cli.scores.signature import original_command
from rouge_cli.studies.planning import PlannedColumn, PowerPoint, StudyPlan

DECIMALS = 4
# Pilots with at most this many EVALs get a caution.
SMALL_PILOT = 50
LEAST_SHARE = 0.005
# The note gives the share of plans whose power misses the target by at least this much.
LESS_POWER = 0.1


@dataclass(frozen=True, slots=True)
class PlanView(View):
    """How many EVALs a comparison needs."""

    kind: ClassVar[str] = "plan"
    csv_path: ClassVar[str] = "columns.curve"
    result: StudyPlan

    def document(self) -> Document:
        """Return the answers of all metrics, and the curve of each."""
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
        """Return the page."""
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


def _unit_of(plan: StudyPlan) -> str:
    return "text" if plan.n_clusters is None else "cluster"


def _wanted(plan: StudyPlan) -> str:
    question = plan.question
    if question.is_equivalence and question.margin is not None:
        return f"the same within {float(question.margin):g}"
    if question.difference is not None:
        return f"a difference of {float(question.difference):g}"
    return ""


def _shown(plan: StudyPlan) -> str:
    if plan.question.is_equivalence:
        return f"systems are shown to be {_wanted(plan)}"
    return f"{_wanted(plan)} is found"


def _answers(plan: StudyPlan) -> Table:
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
    return PathColumn(path, heading, full_heading=heading, write=write)


def _notes(plan: StudyPlan) -> Iterator[str]:
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


def _error_of_pilot(plan: StudyPlan) -> str:
    question, size = plan.question, counted(plan.n_blocks, _unit_of(plan))
    if (confidence := question.spread_confidence) is not None:
        return (
            f"The differences are spread out to the upper limit of their standard deviation, which "
            f"{size} say with a confidence of {_percent(confidence)}; SD is this limit."
        )
    caution = "Caution: " if plan.n_blocks <= SMALL_PILOT else ""
    less = question.power - LESS_POWER
    share = plan.share_below(less)
    plans = f"{share:.0%} of" if share >= LEAST_SHARE else "fewer than 1% of"
    return (
        f"{caution}{size} say how much differences vary with an error of their own: at best, "
        f"{plans} plans for a power of {_percent(question.power)} have "
        f"less than {_percent(less)}. --spread-confidence 0.8 plans on an upper limit."
    )


def _percent(share: float) -> str:
    return f"{round(100 * share, 6):g}%"


def plan_headline(plan: StudyPlan) -> str:
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
