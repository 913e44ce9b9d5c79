"""A plan: how many EVALs a comparison needs, which difference a pilot could show, and curves."""

from collections.abc import Iterator
from dataclasses import field
from typing import Any, ClassVar

from rouge_cli.escapes import escape_unprintable
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports import Row
from rouge_cli.reports.charts.power import power_panel
from rouge_cli.reports.citation import citation
from rouge_cli.reports.figure import Figure
from rouge_cli.reports.page import Origin, Page, Part
from rouge_cli.reports.table import Cell, Column, Document, Note, Role, Section, Table
from rouge_cli.reports.views.headlines import plan_headline
from rouge_cli.reports.views.wording import counted, measure_label, number
from rouge_cli.scoring.signature import original_command, signature
from rouge_cli.statistics.planning_records import PlannedColumn, StudyPlan
from rouge_cli.version import __version__

__all__ = ["PlanView"]

DECIMALS = 4

COLUMNS = (
    "metric", "measure", "spread", "detectable", "n_needed", "is_simulated", "n", "simulated_power",
    "difference", "margin", "power", "level", "comparisons", "n_pilot", "n_clusters", "systems",
    "seed", "signature",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class PlanView:
    """How many EVALs a comparison needs."""

    kind: ClassVar[str] = "plan"
    plan: StudyPlan
    origin: Origin = field(default_factory=Origin)

    def document(self) -> Document:
        """Return the answers of all metrics, and the curve of each."""
        sections = [Section("plan", (_answers(self.plan),), _title(self.plan))]
        sections += [
            Section(f"plan-{place}", (_curve(self.plan, one),), f"{_label(one)}: power")
            for place, one in enumerate(self.plan.columns, 1)
            if one.curve
        ]
        notes = tuple(map(Note.of, _notes(self.plan)))
        return Document(tuple(sections), notes, (signature(self.plan.options),))

    def rows(self) -> Iterator[Row]:
        """Yield a row for each metric, measure and point of its curve; one if it has none."""
        yield COLUMNS
        question = self.plan.question
        asked = (
            None if question.difference is None else float(question.difference),
            None if question.margin is None else float(question.margin),
            question.power,
            float(question.level),
            question.comparisons,
            self.plan.n_evals,
            self.plan.n_blocks if self.plan.is_clustered else None,
            " ".join(self.plan.systems),
            question.seed,
            signature(self.plan.options),
        )
        for one in self.plan.columns:
            answer = (
                one.column.metric,
                one.column.measure,
                one.spread,
                one.detectable,
                one.n_needed,
                str(one.is_simulated).lower(),
            )
            for point in one.curve or ((None, None),):
                yield (*answer, *point, *asked)

    def data(self) -> dict[str, Any]:
        """Return what was asked, and the answers."""
        question = self.plan.question
        return {
            "program": "rouge-cli",
            "version": __version__,
            "signature": signature(self.plan.options),
            "seed": question.seed,
            "systems": list(self.plan.systems),
            "n_pilot": self.plan.n_evals,
            "n_clusters": self.plan.n_blocks if self.plan.is_clustered else None,
            "difference": None if question.difference is None else float(question.difference),
            "margin": None if question.margin is None else float(question.margin),
            "power": question.power,
            "level": float(question.level),
            "comparisons": question.comparisons,
            "warnings": list(self.plan.warnings),
            "metrics": [
                {
                    "metric": one.column.metric,
                    "measure": one.column.measure,
                    "spread": one.spread,
                    "detectable": one.detectable,
                    "n_needed": one.n_needed,
                    "is_simulated": one.is_simulated,
                    "curve": [{"n": n, "power": power} for n, power in one.curve],
                }
                for one in self.plan.columns
            ],
        }

    def figures(self) -> tuple[Figure, ...]:
        """Return the curves of power, a panel for each metric; none if there is no curve."""
        plan = self.plan
        curves = [(_label(one), one.curve) for one in plan.columns if one.curve]
        if not curves:
            return ()
        unit = f"{_unit(plan)}s"
        panels = [
            power_panel(name, unit, curve, wanted=plan.question.power, n_pilot=plan.n_blocks)
            for name, curve in curves
        ]
        caption = (
            f"How often a comparison of so many {unit} succeeds, to show {_asked(plan)}. Dashed: "
            "the power that is asked for; dotted: the size of the pilot."
        )
        return (Figure("power", "Power", caption, tuple(panels)),)

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
            origin=self.origin,
        )


def _unit(plan: StudyPlan) -> str:
    """Name what is counted."""
    return "cluster" if plan.is_clustered else "EVAL"


def _label(one: PlannedColumn) -> str:
    """Name a metric and its measure."""
    return measure_label(one.column.metric, one.column.letter)


def _asked(plan: StudyPlan) -> str:
    """Say what is to be shown; empty if nothing was asked."""
    question = plan.question
    if question.is_equivalence and question.margin is not None:
        return f"the same within {float(question.margin):g}"
    if question.difference is not None:
        return f"a difference of {float(question.difference):g}"
    return ""


def _title(plan: StudyPlan) -> str:
    """Say what the answers are about."""
    names = " - ".join(map(escape_unprintable, plan.systems))
    size = counted(plan.n_evals, "EVAL")
    if plan.is_clustered:
        size = f"{size} in {counted(plan.n_blocks, 'cluster')}"
    return f"Pilot: {names}, {size}"


def _answers(plan: StudyPlan) -> Table:
    """Make the table of all metrics."""
    asked = _asked(plan)
    columns = [
        Column("Metric", "l", Role.LABEL),
        Column("SD"),
        Column(f"detectable with {counted(plan.n_blocks, _unit(plan))}"),
    ]
    if asked:
        columns.append(Column(f"{_unit(plan)}s for {asked}"))
    rows = []
    for one in plan.columns:
        cells = [_label(one), number(one.spread, DECIMALS), number(one.detectable, DECIMALS)]
        if asked:
            cells.append(str(one.n_needed))
        rows.append(tuple(map(Cell, cells)))
    return Table(tuple(columns), tuple(rows))


def _curve(plan: StudyPlan, one: PlannedColumn) -> Table:
    """Make the table of a curve."""
    columns = (Column(f"{_unit(plan)}s", role=Role.LABEL), Column("power"))
    rows = ((Cell(str(n)), Cell(number(power, 3))) for n, power in one.curve)
    return Table(columns, tuple(rows))


def _notes(plan: StudyPlan) -> Iterator[str]:
    """Yield what the columns mean and how they were made."""
    question, unit = plan.question, _unit(plan)
    level = f"{float(question.level):g}"
    if question.comparisons > 1:
        level = f"{level} / {question.comparisons} (the first of Holm's)"
    yield (
        f"Power: how often a comparison succeeds; {question.power:g} is asked for. Comparisons are "
        f"simulated: differences are drawn from those of the pilot, and tested by approximate "
        f"randomisation at {level}; seed {question.seed}."
    )
    yield (
        f"SD: standard deviation of the differences from {unit} to {unit}. detectable: the "
        f"smallest difference of two means that as many {unit}s as the pilot has find so often."
    )
    if any(not one.is_simulated for one in plan.columns):
        yield (
            f"Numbers without a curve come from the normal distribution: so many {unit}s are not "
            "simulated."
        )
    yield (
        "A pilot of few EVALs says how much differences vary with an error of its own; plan with "
        "some to spare."
    )
