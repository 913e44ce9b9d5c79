"""The part of a comparison that is about several runs of each system: tables, notes and fields."""

from collections.abc import Iterator, Sequence
from statistics import stdev

from rouge_cli.escapes import escape_unprintable
from rouge_cli.reports.document import BEST, Cell, Column, Mark, Note, Role, Section, Table
from rouge_cli.reports.fields import (
    BOUNDS,
    COUNT,
    FLAG,
    NUMBER,
    TEXT,
    Field,
    Nullable,
    Record,
    Value,
    list_of,
)
from rouge_cli.reports.wording import (
    column_label,
    equals,
    interval_cell,
    listed,
    number,
    p_value,
)
from rouge_cli.studies.compare.comparison import Comparison
from rouge_cli.studies.compare.runs import RunsOfColumn, RunsOfPair, RunsOfSystem
from rouge_cli.studies.score_columns import Column as ScoreColumn

DECIMALS = 4

# fmt: off
SPREAD = Record(
    (
        Field("evals", Nullable(NUMBER)),
        Field("runs", Nullable(NUMBER)),
        Field("both", Nullable(NUMBER)),
    )
)
COMPONENTS = Record(
    (Field("runs", NUMBER), Field("evals", NUMBER), Field("rest", NUMBER), Field("error", NUMBER))
)
SYSTEM = Record(
    (
        Field("system", TEXT, "id"),
        Field("n_runs", COUNT, lambda system: len(system.run_means)),
        Field("run_means", list_of(NUMBER)),
        Field("mean", NUMBER),
        Field("standard_errors", SPREAD, "spread"),
        Field("variance_components", Nullable(COMPONENTS), "components"),
    )
)
PAIR = Record(
    (
        Field("system_a"),
        Field("system_b"),
        Field("difference", NUMBER),
        Field("interval", Nullable(BOUNDS), about="By Student's t, over runs and EVALs; null, as "
            "what follows, if a system has one run."),
        Field("standard_errors", SPREAD, "spread"),
        Field("degrees", Nullable(COUNT), "spread.degrees"),
        Field("p", Nullable(NUMBER)),
        Field("p_holm", Nullable(NUMBER)),
        Field("is_larger", Nullable(FLAG), about="Whether p_holm is at most the level."),
    ),
    {
        "lower_runs": lambda pair: pair.interval and pair.interval[0],
        "upper_runs": lambda pair: pair.interval and pair.interval[1],
        "error_runs": "spread.runs",
        "error_both": "spread.both",
        "p_runs": "p",
        "p_runs_holm": "p_holm",
        "is_larger": lambda pair: None if pair.is_larger is None else str(pair.is_larger).lower(),
    },
)
RUN_COLUMNS = (
    "lower_runs", "upper_runs", "error_runs", "error_both", "p_runs", "p_runs_holm", "is_larger",
)
"""Of CSV, behind the others, for each pair."""
RUNS = Record(
    (
        Field("metric", TEXT, "column.metric"),
        Field("measure", TEXT, "column.measure"),
        Field("systems", list_of(SYSTEM)),
        Field("pairs", list_of(PAIR)),
    )
)
# fmt: on


def run_cells(comparison: Comparison) -> dict[tuple[ScoreColumn, str, str], dict[str, Value]]:
    """Return what CSV has of the runs of each pair, by column and systems."""
    return {
        (runs.column, pair.system_a, pair.system_b): PAIR.cells(pair, RUN_COLUMNS)
        for runs in comparison.runs
        for pair in runs.pairs
    }


SYSTEM_COLUMNS = (
    Column("Metric", "l", Role.NAME),
    Column("System", "l", Role.NAME),
    Column("runs", role=Role.LABEL, full_heading="Runs"),
    Column("mean", role=Role.LABEL, full_heading="Mean"),
    Column("SD", role=Role.LABEL, full_heading="SD of runs"),
    Column("runs", role=Role.LABEL, group="error", full_heading="Error, runs"),
    Column("EVALs", role=Role.LABEL, group="error", full_heading="Error, EVALs"),
    Column("both", role=Role.LABEL, group="error", full_heading="Error, both"),
)
PAIR_COLUMNS = (
    Column("Metric", "l", Role.NAME),
    Column("A", "l", Role.NAME),
    Column("B", "l", Role.NAME),
    Column("A - B", role=Role.LABEL, is_signed=True),
    Column("interval", role=Role.LABEL, full_heading="Interval", is_signed=True),
    SYSTEM_COLUMNS[5],
    SYSTEM_COLUMNS[7],
    Column("p", role=Role.LABEL),
    Column("Holm", role=Role.LABEL),
)


def run_section(comparison: Comparison) -> Section:
    """Make the tables of the systems with their runs, and of the pairs."""
    systems = [_system_cells(column, system) for column in comparison.runs
               for system in column.systems]  # fmt: skip
    pairs = [_pair_cells(column, pair) for column in comparison.runs for pair in column.pairs]
    tables = (
        Table(SYSTEM_COLUMNS, tuple(map(tuple, systems))),
        Table(PAIR_COLUMNS, tuple(map(tuple, pairs))),
    )
    return Section("runs", tables, "Runs")


def _system_cells(column: RunsOfColumn, system: RunsOfSystem) -> Iterator[Cell]:
    """Yield how far the runs of a system are apart, and the errors of its mean."""
    means, errors = system.run_means, system.spread
    yield Cell(column_label(column.column))
    yield Cell(escape_unprintable(system.id))
    yield Cell(str(len(means)))
    yield Cell(number(system.mean, DECIMALS))
    yield Cell(number(stdev(means) if len(means) > 1 else None, DECIMALS))
    for error in (errors.runs, errors.evals, errors.both):
        yield Cell(number(error, DECIMALS))


def _pair_cells(column: RunsOfColumn, pair: RunsOfPair) -> Iterator[Cell]:
    """Yield the difference of a pair, the better system marked, and what runs say of it."""
    yield Cell(column_label(column.column))
    for system in (pair.system_a, pair.system_b):
        mark: Mark = BEST if system == _better(column, pair) else ""
        yield Cell(escape_unprintable(system), mark=mark)
    yield Cell(number(pair.difference, DECIMALS))
    yield interval_cell(pair.interval or (None, None), DECIMALS)
    for error in (pair.spread.runs, pair.spread.both):
        yield Cell(number(error, DECIMALS))
    yield from (Cell(p_value(p)) for p in (pair.p, pair.p_holm))


def _better(column: RunsOfColumn, pair: RunsOfPair) -> str | None:
    """Return the system that is better with other runs and EVALs too; None if none is."""
    if not pair.is_larger:
        return None
    is_a_better = (pair.difference > 0) != column.column.is_lower_better
    return pair.system_a if is_a_better else pair.system_b


def run_headline(comparison: Comparison) -> Iterator[str]:
    """Yield sentences on which system is best over runs, column by column."""
    yield from map(_verdict, comparison.runs)
    n_known = sum(pair.p is not None for column in comparison.runs for pair in column.pairs)
    if n_known:
        over = "the one comparison" if n_known == 1 else f"the {n_known} comparisons"
        yield (
            "(Student's t over runs and EVALs, two-sided; significant if p is at most "
            f"{float(comparison.plan.level):g} after Holm's correction over {over}.)"
        )


def _verdict(column: RunsOfColumn) -> str:
    """Say who is best over runs, and from whom the best cannot be told apart."""
    sign = -1 if column.column.is_lower_better else 1
    best = max(column.systems, key=lambda system: sign * system.mean)
    of_best = sorted(
        (pair for pair in column.pairs if best.id in {pair.system_a, pair.system_b}),
        key=lambda pair: abs(pair.difference),
    )
    name, score = escape_unprintable(best.id), number(best.mean, DECIMALS)
    tied = [pair for pair in of_best if pair.is_larger is False]
    single = [pair for pair in of_best if pair.is_larger is None]
    label = column_label(column.column)
    if not tied and not single:
        rest = (
            f"each of the other {len(of_best)} systems"
            if len(of_best) > 1
            else ("the other system")
        )
        return (
            f"With other runs and EVALs too, {name} is best in {label} ({score}), significantly "
            f"better than {rest}."
        )
    parts = []
    if tied:
        closest = tied[0]
        from_whom = f" from {_others(tied[:1], best.id)}" if len(tied) > 1 else ""
        parts.append(
            f"with other runs and EVALs it cannot be told apart from {_others(tied, best.id)}: the "
            f"difference{from_whom} is {_difference(closest, best.id)}"
        )
    if single:
        parts.append(
            "nothing can be said of other runs or EVALs beside "
            f"{_others(single, best.id)}: that takes two runs of both systems, and two EVALs"
        )
    return f"{name} has the best {label} ({score}), but {'; '.join(parts)}."


def _others(pairs: Sequence[RunsOfPair], best: str) -> str:
    """Name the systems that are paired with the best one."""
    names = (pair.system_b if pair.system_a == best else pair.system_a for pair in pairs)
    return listed([escape_unprintable(name) for name in names])


def _difference(pair: RunsOfPair, best: str) -> str:
    """Write by how much the best system differs from another, with interval and p."""
    sign = 1 if pair.system_a == best else -1
    text = number(sign * pair.difference, DECIMALS)
    if pair.interval is not None:
        lower, upper = sorted(sign * bound for bound in pair.interval)
        text += f" [{number(lower, DECIMALS)}, {number(upper, DECIMALS)}]"
    return f"{text}, p {equals(pair.p_holm or 0.0)}"


def run_notes(comparison: Comparison) -> Iterator[Note]:
    """Yield what the columns of runs mean."""
    percent = comparison.options.scores.confidence.text
    yield Note.of(
        "Runs: SD: standard deviation of the means of runs. error: standard errors with other "
        f"runs, other EVALs, or both. interval: {percent}%, by Student's t over runs and EVALs, "
        "with Satterthwaite's degrees of freedom; p: two-sided, by the same; Holm: p after the "
        "correction. The tests in the other tables are on the means over the runs at hand, and "
        "say nothing of other runs."
    )
