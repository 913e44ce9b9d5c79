"""A plan of a study that tells two metrics apart: how often studies of each size do."""

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
)
from rouge_cli.reports.page import Page, Part
from rouge_cli.reports.wording import (
    coefficient_name,
    column_label,
    counted,
    evals_in_clusters,
    number,
)
from rouge_cli.scores.signature import signature
from rouge_cli.studies.metric_planning import MetricPlan, NeededSystems
from rouge_cli.studies.plan.view import level_of, plan_page, unit_of
from rouge_cli.studies.score_columns import Column as ScoreColumn

FEW_SYSTEMS, FEW_EVALS = 20, 50
"""Systems and EVALs of a pilot below which there is a caution."""

# fmt: off
SIZE = Record(
    (
        Field("n_systems", COUNT), Field("n_evals", COUNT), Field("n_studies", COUNT),
        Field("power", NUMBER), Field("standard_error", NUMBER, "error"),
        Field("power_williams", Nullable(NUMBER), "williams"),
    ),
    {"simulated_power": lambda size: size.power},
)
NEEDED = Record(
    (Field("n_evals", COUNT), Field("n_systems", Nullable(COUNT)), Field("is_fewest", FLAG))
)
METRIC = Record(
    (
        Field("metric", TEXT, lambda pair: pair[0].metric),
        Field("measure", TEXT, lambda pair: pair[0].measure),
        Field("correlation", NUMBER, lambda pair: pair[1]),
    )
)
METRIC_PLAN = Record(
    (
        *PROGRAM,
        Field("signature", TEXT, lambda view: signature(view.plan.options)),
        Field("seed", COUNT, "plan.question.seed"),
        Field("judgement", TEXT, "plan.judgement"),
        Field("correlation_level", TEXT, lambda view: view.plan.question.measured[0]),
        Field("coefficient", TEXT, lambda view: view.plan.question.measured[1]),
        Field("n_systems_pilot", COUNT, "plan.n_systems"),
        Field("n_pilot", COUNT, "plan.n_evals"),
        Field("n_clusters", Nullable(COUNT), "plan.n_clusters"),
        Field("metrics", list_of(METRIC),
            lambda view: list(zip(view.plan.metrics, view.plan.correlations, strict=True))),
        Field("difference", NUMBER, "plan.difference"),
        Field("interval", Nullable(list_of(NUMBER)), "plan.interval"),
        Field("power", NUMBER, "plan.question.power"),
        Field("level", NUMBER, lambda view: float(view.plan.question.level)),
        Field("comparisons", COUNT, "plan.question.comparisons"),
        Field("resamples", COUNT, "plan.question.resamples"),
        Field("needed", list_of(NEEDED), "plan.needed"),
        Field("sizes", list_of(SIZE), "plan.sizes"),
        Field("warnings", list_of(TEXT), "plan.warnings"),
    ),
    {
        "metric_a": lambda view: column_label(view.plan.metrics[0]),
        "metric_b": lambda view: column_label(view.plan.metrics[1]),
        "correlation_a": lambda view: view.plan.correlations[0],
        "correlation_b": lambda view: view.plan.correlations[1],
    },
)
# fmt: on


@dataclass(frozen=True, slots=True)
class MetricPlanView(View):
    """How many systems and EVALs tell two metrics apart."""

    kind: ClassVar[str] = "plan"
    fields: ClassVar[Record] = METRIC_PLAN
    columns: ClassVar[tuple[str, ...]] = (
        "metric_a", "metric_b", "judgement", "correlation_level", "coefficient", "correlation_a",
        "correlation_b", "n_systems", "n_evals", "simulated_power", "standard_error",
        "power_williams", "n_studies", "power", "level", "comparisons", "n_systems_pilot",
        "n_pilot", "n_clusters", "seed", "signature",
    )  # fmt: skip
    plan: MetricPlan

    def document(self) -> Document:
        """Return the numbers needed, and the power of all sizes."""
        sections = (
            Section("plan", (_needed(self.plan),), _title(self.plan)),
            Section("plan-power", (_sizes(self.plan),), "Power"),
        )
        notes = tuple(map(Note.of, _notes(self.plan)))
        return Document(sections, notes, (signature(self.plan.options),))

    def records(self) -> Iterator[dict[str, Value]]:
        """Yield a row for each size of a study."""
        of_plan = METRIC_PLAN.cells(self, self.columns)
        for size in self.plan.sizes:
            yield SIZE.cells(size, self.columns) | of_plan

    def figures(self) -> tuple[Figure, ...]:
        """Return the curves of power over systems, a panel for each number of EVALs."""
        plan = self.plan
        panels, curves = [], []
        for needed in plan.needed:
            points = [(x.n_systems, x.power) for x in plan.sizes if x.n_evals == needed.n_evals]
            evals = counted(needed.n_evals, unit_of(plan))
            sentence = f"With {{n}} systems and {evals}, the metrics are told apart"
            first = needed.n_systems or plan.n_systems
            curves.append(Curve("systems", sentence, tuple(sorted(points)), first))
            panels.append(
                power_panel(
                    evals,
                    "systems",
                    points,
                    wanted=plan.question.power,
                    n_pilot=plan.n_systems,
                )
            )
        caption = (
            f"How often a study of so many systems tells {_names(plan)} apart. Dashed: the power "
            "that is asked for; dotted: the systems of the pilot."
        )
        return (Figure("power", "Power", caption, tuple(panels), tuple(curves)),)

    def page(self) -> Page:
        """Return the page."""
        document = self.document()
        needed, sizes = document.sections
        parts = (
            Part("answers", "Answers", (needed,), notes=document.notes),
            Part("power", "Power of each size", (sizes,), self.figures(), opens_with_figures=True),
        )
        title = "How many systems and EVALs tell two metrics apart"
        return plan_page(self.plan, title, metric_headline(self.plan), parts, document)


def _names(plan: MetricPlan) -> str:
    """Name both metrics."""
    return " and ".join(column_label(metric) for metric in plan.metrics)


def _measured(plan: MetricPlan) -> str:
    """Say what is correlated, and how."""
    level, coefficient = plan.question.measured
    return f"{coefficient_name(coefficient)}, {level} level"


def _title(plan: MetricPlan) -> str:
    """Say what the answers are about."""
    evals = evals_in_clusters(plan.n_evals, plan.n_clusters)
    size = f"{counted(plan.n_systems, 'system')}, {evals}"
    return f"Pilot: {escape_unprintable(plan.judgement)}, {_measured(plan)}; {size}"


def _needed(plan: MetricPlan) -> Table:
    """Make the table of the systems that are needed."""
    columns = (
        Column(f"{unit_of(plan)}s", role=Role.LABEL),
        Column(f"systems for a power of {plan.question.power:g}"),
    )
    rows = ((Cell(str(x.n_evals)), Cell(_systems(plan, x))) for x in plan.needed)
    return Table(columns, tuple(rows))


def _systems(plan: MetricPlan, needed: NeededSystems) -> str:
    """Write how many systems are needed."""
    if needed.n_systems is None:
        most = max(size.n_systems for size in plan.sizes)
        return f"more than {most}"
    return f"{needed.n_systems} or fewer" if needed.is_fewest else str(needed.n_systems)


def _sizes(plan: MetricPlan) -> Table:
    """Make the table of the power of all sizes."""
    has_formula = any(size.williams is not None for size in plan.sizes)
    columns = [
        Column(f"{unit_of(plan)}s", role=Role.LABEL),
        Column("systems"),
        Column("power"),
        Column("error"),
        *[Column("Williams")][: int(has_formula)],
    ]
    rows = []
    for size in plan.sizes:
        cells = [
            str(size.n_evals),
            str(size.n_systems),
            number(size.power, 3),
            number(size.error, 3),
            *[number(size.williams, 3)][: int(has_formula)],
        ]
        rows.append(tuple(map(Cell, cells)))
    return Table(tuple(columns), tuple(rows))


def _notes(plan: MetricPlan) -> Iterator[str]:
    """Yield what the columns mean, how they were made, and what they owe to the pilot."""
    question, unit = plan.question, unit_of(plan)
    fewest, most = (choose(size.n_studies for size in plan.sizes) for choose in (min, max))
    studies = f"{fewest} studies" if fewest == most else f"{fewest} to {most} studies"
    yield (
        f"Power: how often a study finds that {column_label(_better(plan))} agrees better; "
        f"{question.power:g} is asked for. Of each size {studies} are simulated: "
        f"systems and {unit}s are drawn from the pilot, and the metrics are tested as correlate "
        f"does, by {question.resamples} exchanges, at {level_of(question)}; seed {question.seed}. "
        "error: standard error of the simulation."
    )
    if any(size.williams is not None for size in plan.sizes):
        yield (
            "Williams: what the formula of Williams' test promises, which takes means of systems "
            "to be normal. Trust neither where the two are far apart."
        )
    yield _of_pilot(plan)


def _of_pilot(plan: MetricPlan) -> str:
    """Say what the plan owes to the pilot."""
    lower, upper = plan.interval or (float("nan"), float("nan"))
    is_open = plan.interval is None or lower <= 0 <= upper
    is_small = plan.n_systems < FEW_SYSTEMS or plan.n_blocks < FEW_EVALS
    caution = "Caution: the" if is_open or is_small else "The"
    size = f"{counted(plan.n_systems, 'system')} and {counted(plan.n_blocks, unit_of(plan))}"
    first, second = (number(value, 3) for value in plan.correlations)
    doubt = "; so it may be far smaller in truth, or the other way round" if is_open else ""
    return (
        f"{caution} difference is that of the pilot, {first} - {second} = "
        f"{number(plan.difference, 3)}, which {size} know with an error of their own: its "
        f"{100 * (1 - float(plan.question.level)):g}% interval goes from {number(lower, 3)} to "
        f"{number(upper, 3)}{doubt}. A smaller difference takes far larger studies."
    )


def _better(plan: MetricPlan) -> ScoreColumn:
    """Return the metric that agrees better in the pilot."""
    return plan.metrics[0] if plan.difference > 0 else plan.metrics[1]


def metric_headline(plan: MetricPlan) -> str:
    """Say how many systems tell the metrics apart with the fewest EVALs that were tried."""
    needed = next((x for x in plan.needed if x.n_systems is not None), plan.needed[-1])
    return (
        f"To tell {_names(plan)} apart ({_measured(plan)}) in "
        f"{round(100 * plan.question.power, 6):g}% of all studies takes {_systems(plan, needed)} "
        f"systems with {counted(needed.n_evals, unit_of(plan))}."
    )
