"""The part of a comparison that is about several data sets: its tables, notes and fields."""

from collections.abc import Iterator

from rouge_cli.escapes import escape_unprintable
from rouge_cli.reports.document import BETTER, Cell, Column, Mark, Note, Role, Section, Table
from rouge_cli.reports.fields import (
    BOUNDS,
    COUNT,
    NUMBER,
    TEXT,
    Field,
    Nullable,
    Record,
    Value,
    list_of,
)
from rouge_cli.reports.wording import column_label, counted, interval_cell, number, p_value
from rouge_cli.studies.compare.comparison import Comparison
from rouge_cli.studies.compare.replicability import AcrossSets, SetResult

DECIMALS = 4

# fmt: off
SET = Record(
    (
        Field("data_set", TEXT, "name"),
        Field("n_evals", COUNT),
        Field("mean_a", NUMBER),
        Field("mean_b", NUMBER),
        Field("difference", NUMBER),
        Field("interval", BOUNDS),
        Field("standard_error", NUMBER),
        Field("p_a_better", NUMBER, "p_a", "One-sided, by the randomisation."),
        Field("p_b_better", NUMBER, "p_b"),
        Field("better", Nullable(TEXT), about="After Holm's correction over the data sets."),
    ),
    {"lower": lambda result: result.interval[0], "upper": lambda result: result.interval[1]},
)
SHOWN = Record((Field("bonferroni", COUNT), Field("fisher", COUNT)))
EFFECT = Record(
    (
        Field("mean", NUMBER),
        Field("interval", BOUNDS, about="Of Hartung and Knapp, modified."),
        Field("standard_error", NUMBER, "knapp_error"),
        Field("normal_interval", BOUNDS),
        Field("normal_p", NUMBER, "p_normal"),
        Field("fixed_mean", NUMBER),
        Field("fixed_error", NUMBER),
        Field("tau2", NUMBER, about="The variance between data sets."),
        Field("i2", NUMBER),
        Field("q", NUMBER),
        Field("p_q", NUMBER),
    )
)
ACROSS = Record(
    (
        Field("metric", TEXT, "column.metric"),
        Field("measure", TEXT, "column.measure"),
        Field("system_a"),
        Field("system_b"),
        Field("sets", list_of(SET)),
        Field("a_better", SHOWN, about="In how many data sets, at least."),
        Field("b_better", SHOWN),
        Field("effect", Nullable(EFFECT), about="The mean of the differences, A less B."),
    ),
    {
        "sets_a_bonferroni": "a_better.bonferroni",
        "sets_a_fisher": "a_better.fisher",
        "sets_b_bonferroni": "b_better.bonferroni",
        "sets_b_fisher": "b_better.fisher",
        "mean_of_sets": "effect.mean",
        "lower_of_sets": lambda pair: pair.effect and pair.effect.interval[0],
        "upper_of_sets": lambda pair: pair.effect and pair.effect.interval[1],
        "tau2": "effect.tau2",
    },
)
ACROSS_COLUMNS = (
    "data_set", "p_a_better", "p_b_better", "sets_a_bonferroni", "sets_a_fisher",
    "sets_b_bonferroni", "sets_b_fisher", "mean_of_sets", "lower_of_sets", "upper_of_sets", "tau2",
)
"""Of CSV, behind the others: of rows for a pair on one data set, or on all."""
# fmt: on


def set_rows(
    comparison: Comparison, columns: tuple[str, ...]
) -> Iterator[tuple[AcrossSets, dict[str, Value], list[dict[str, Value]]]]:
    """Yield each pair with what CSV has of it, and its rows on each data set."""
    for pair in comparison.across:
        names = ACROSS.cells(pair, ("metric", "measure", "system_a", "system_b"))
        rows = [names | SET.cells(result, columns) for result in pair.sets]
        yield pair, ACROSS.cells(pair, ACROSS_COLUMNS), rows


SET_COLUMNS = (
    Column("Metric", "l", Role.NAME),
    Column("A", "l", Role.NAME),
    Column("B", "l", Role.NAME),
    Column("Data set", "l", Role.NAME),
    Column("N", role=Role.LABEL),
    Column("A - B", role=Role.LABEL, is_signed=True),
    Column("interval", role=Role.LABEL, full_heading="Interval", is_signed=True),
    Column("A", role=Role.LABEL, group="p, better", full_heading="p that A is better"),
    Column("B", role=Role.LABEL, group="p, better", full_heading="p that B is better"),
)
PAIR_COLUMNS = (
    *SET_COLUMNS[:3],
    Column("Bonf.", role=Role.LABEL, group="A better in", full_heading="A better, Bonferroni"),
    Column("Fisher", role=Role.LABEL, group="A better in", full_heading="A better, Fisher"),
    Column("Bonf.", role=Role.LABEL, group="B better in", full_heading="B better, Bonferroni"),
    Column("Fisher", role=Role.LABEL, group="B better in", full_heading="B better, Fisher"),
    Column("mean", role=Role.LABEL, full_heading="Mean", is_signed=True),
    Column("interval", role=Role.LABEL, full_heading="Interval", is_signed=True),
    Column("tau", role=Role.LABEL, full_heading="Tau"),
)


def set_section(comparison: Comparison) -> Section:
    """Make the tables of the pairs on each data set, and over all of them."""
    across = comparison.across
    labels = {column_label(pair.column) for pair in across}
    common = labels.pop() if len(labels) == 1 else ""
    head = Column("Metric", "l", Role.NAME, common=common)
    of_sets = tuple(
        (*_pair_cells(pair, result), *_set_cells(result)) for pair in across for result in pair.sets
    )
    of_pairs = [(*_pair_cells(pair), *_across_cells(pair)) for pair in across]
    # What is common to all rows is said once, above the first table.
    n_said = 1 if common else 0
    tables = (
        Table((head, *SET_COLUMNS[1:]), of_sets),
        Table(PAIR_COLUMNS[n_said:], tuple(row[n_said:] for row in of_pairs)),
    )
    return Section("data-sets", tables, counted(len(across[0].sets), "data set"))


def _pair_cells(pair: AcrossSets, result: SetResult | None = None) -> Iterator[Cell]:
    """Yield the metric and the systems of a pair, the better one of a data set marked."""
    yield Cell(column_label(pair.column))
    for system in (pair.system_a, pair.system_b):
        mark: Mark = BETTER if result and system == result.better else ""
        yield Cell(escape_unprintable(system), mark=mark)


def _set_cells(result: SetResult) -> Iterator[Cell]:
    """Yield the difference on a data set, and what the tests say of it."""
    yield Cell(escape_unprintable(result.name))
    yield Cell(str(result.n_evals))
    yield Cell(number(result.difference, DECIMALS))
    yield interval_cell(result.interval, DECIMALS)
    yield from (Cell(p_value(p)) for p in (result.p_a, result.p_b))


def _across_cells(pair: AcrossSets) -> Iterator[Cell]:
    """Yield in how many data sets each system is better, and the mean of the differences."""
    for shown in (pair.a_better, pair.b_better):
        yield Cell(str(shown.bonferroni))
        yield Cell(str(shown.fisher))
    if pair.effect is None:
        yield from [Cell("-")] * 3
        return
    yield Cell(number(pair.effect.mean, DECIMALS))
    yield interval_cell(pair.effect.interval, DECIMALS)
    yield Cell(number(pair.effect.tau2**0.5, DECIMALS))


def set_notes(comparison: Comparison) -> Iterator[Note]:
    """Yield what the columns of the data sets mean."""
    half = f"{float(comparison.plan.level) / 2:g}"
    percent = comparison.options.scores.confidence.text
    yield Note(
        (
            ("", "Data sets: p, better: one-sided, by the randomisation on this data set."),
            (
                BETTER,
                f"the better system, if this p is at most {half} after Holm's correction over the "
                "data sets.",
            ),
            (
                "",
                "better in: in how many data sets, at least, by partial conjunctions at "
                f"{half}: Bonferroni's for any data sets, Fisher's for independent ones.",
            ),
        )
    )
    yield Note.of(
        "mean: of the differences, with weights for data sets that are a sample themselves "
        f"(DerSimonian and Laird), and its {percent}% interval (Hartung and Knapp, modified). tau: "
        "standard deviation of the true differences from data set to data set."
    )
