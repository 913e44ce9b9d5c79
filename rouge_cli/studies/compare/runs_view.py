"""The part of a comparison that is about several runs of each system: tables, notes and fields."""

from collections.abc import Iterator
from statistics import stdev

from rouge_cli.escapes import escape_unprintable
from rouge_cli.reports.document import Cell, Column, Note, Role, Section, Table
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
from rouge_cli.reports.wording import column_label, interval_cell, number
from rouge_cli.studies.compare.comparison import Comparison
from rouge_cli.studies.compare.runs import RunsOfColumn, RunsOfPair, RunsOfSystem
from rouge_cli.studies.score_columns import Column as ScoreColumn

DECIMALS = 4
MOST_SENTENCES = 3

# fmt: off
SPREAD = Record((Field("evals", NUMBER), Field("runs", NUMBER), Field("both", NUMBER)))
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
        Field("interval", BOUNDS, about="From resamples of runs and EVALs."),
        Field("standard_errors", SPREAD, "spread"),
        Field("is_larger", Nullable(FLAG),
            about="Whether the interval leaves out 0; null if a system has one run."),
        Field("violation_ratio", Nullable(NUMBER), "ratio"),
        Field("eps_min", Nullable(NUMBER), "violation",
            "Almost stochastic order of the means of runs; below 0.5 the better system's are "
            "almost stochastically larger."),
    ),
    {
        "lower_runs": lambda pair: pair.interval[0],
        "upper_runs": lambda pair: pair.interval[1],
        "error_runs": "spread.runs",
        "error_both": "spread.both",
        "is_larger": lambda pair: None if pair.is_larger is None else str(pair.is_larger).lower(),
    },
)
RUN_COLUMNS = (
    "lower_runs", "upper_runs", "error_runs", "error_both", "is_larger", "violation_ratio",
    "eps_min",
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
    Column("eps", role=Role.LABEL, full_heading="Eps"),
    Column("larger", "l", role=Role.LABEL, full_heading="Larger than runs"),
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
    means = system.run_means
    yield Cell(column_label(column.column))
    yield Cell(escape_unprintable(system.id))
    yield Cell(str(len(means)))
    yield Cell(number(system.mean, DECIMALS))
    yield Cell(number(stdev(means) if len(means) > 1 else None, DECIMALS))
    runs, both = _errors(system, has_runs=len(means) > 1)
    yield from (runs, Cell(number(system.spread.evals, DECIMALS)), both)


def _errors(of: RunsOfSystem | RunsOfPair, *, has_runs: bool) -> tuple[Cell, Cell]:
    """Return the standard errors with other runs, and with other runs and EVALs."""
    errors = (of.spread.runs, of.spread.both) if has_runs else (None, None)
    runs, both = (Cell(number(error, DECIMALS)) for error in errors)
    return runs, both


def _pair_cells(column: RunsOfColumn, pair: RunsOfPair) -> Iterator[Cell]:
    """Yield the difference of a pair, and what runs say of it."""
    yield Cell(column_label(column.column))
    for system in (pair.system_a, pair.system_b):
        yield Cell(escape_unprintable(system))
    yield Cell(number(pair.difference, DECIMALS))
    yield interval_cell(pair.interval, DECIMALS)
    yield from _errors(pair, has_runs=pair.is_larger is not None)
    yield Cell(number(pair.violation, DECIMALS))
    yield Cell({True: "yes", False: "not shown", None: "one run"}[pair.is_larger])


def run_notes(comparison: Comparison) -> Iterator[Note]:
    """Yield sentences on the first pairs, and what the columns of runs mean."""
    percent = comparison.options.scores.confidence.text
    first = comparison.runs[0]
    yield from (Note.of(_sentence(first, pair)) for pair in first.pairs[:MOST_SENTENCES])
    yield Note.of(
        "The tests above are on means over the runs at hand, and say nothing of other runs. Runs: "
        "SD: standard deviation of the means of runs. error: standard errors with other runs, "
        f"other EVALs, or both. interval: {percent}%, from {comparison.plan.resamples} resamples "
        f"of both, seed {comparison.plan.seed}. larger: whether it leaves out 0. eps: almost "
        "stochastic order of the means of runs, below 0.5 if the better system's are almost "
        "stochastically larger."
    )


def _sentence(column: RunsOfColumn, pair: RunsOfPair) -> str:
    """Say whether a difference is larger than what other runs make of it."""
    label = column_label(column.column)
    names = f"{escape_unprintable(pair.system_a)} and {escape_unprintable(pair.system_b)}"
    lower, upper = (number(bound, DECIMALS) for bound in pair.interval)
    difference = f"{number(pair.difference, DECIMALS)} [{lower}, {upper}]"
    if pair.is_larger is None:
        return (
            f"The difference of {names} in {label}, {difference}, may be one of runs: one of the "
            "two has a single run."
        )
    verdict = "is larger than" if pair.is_larger else "is no larger than"
    return (
        f"The difference of {names} in {label}, {difference}, {verdict} what other runs and EVALs "
        "would make of it."
    )
