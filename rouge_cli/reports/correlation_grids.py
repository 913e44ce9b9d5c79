"""What the table, markdown and latex reports of a study of correlations show.

A grid has metrics in rows. Its columns are coefficients or, where several ways of scoring are set
side by side as in the paper's Tables 1 to 3, these.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import isnan

from rouge_cli.reports.visible import visible
from rouge_cli.statistics.correlation_records import (
    Condition,
    Correlation,
    CorrelationColumn,
    CorrelationStudy,
    MetricTest,
)
from rouge_cli.statistics.shared_scores import Column

__all__ = ["BEST", "TIED", "CorrelationGrid", "ShownCell", "correlation_grids"]

BEST, TIED = "best", "tied"

UNDEFINED = "-"

CONDITION_HEADS = {"as-is": "CASE", "stem": "STEM", "stop": "STOP", "stem+stop": "BOTH"}
MODEL_SET_HEADS = {"one": "1 model", "all": "all models"}
TEST_HEADS = ("diff.", "p", "t", "p of t")
MEASURE_NAMES = {"R": "recall", "P": "precision", "F": "F"}

LEAST_P = 0.00005
"""A smaller p would show as zero, which no p is."""


@dataclass(frozen=True, slots=True)
class ShownCell:
    """A cell of a grid.

    Parameters
    ----------
    text : str
        A number, or a dash where there is none.
    interval : tuple of two str, or None
    mark : str
        `BEST`, `TIED` (not distinguishable from the best) or empty.
    """

    text: str
    interval: tuple[str, str] | None = None
    mark: str = ""


@dataclass(frozen=True, slots=True)
class CorrelationGrid:
    """A table to print.

    Parameters
    ----------
    title : str
        Control characters in it are escaped.
    label_heading : str
    groups : tuple of (str, int)
        What stands above the headings, and above how many of them; empty for nothing.
    headings : tuple of str
    rows : tuple of (str, tuple of ShownCell)
        The label of each row, and its cells.
    """

    title: str
    label_heading: str
    groups: tuple[tuple[str, int], ...]
    headings: tuple[str, ...]
    rows: tuple[tuple[str, tuple[ShownCell, ...]], ...]


Key = Callable[[CorrelationColumn], tuple[object, ...]]


def correlation_grids(study: CorrelationStudy) -> Iterator[CorrelationGrid]:
    """Yield the grids of the correlations, and then those of the tests between metrics."""
    if study.is_by_condition:
        for columns in _grouped(study, lambda one: (one.judgement, one.level, one.coefficient)):
            yield _grid_of_conditions(study, columns)
    else:
        for columns in _grouped(study, lambda one: (one.judgement, one.level)):
            yield _grid_of_coefficients(study, columns)
    if study.plan.tests_pairs and len(study.rows) > 1:
        for columns in _grouped(study, lambda one: (one.judgement, one.level, one.condition)):
            yield _grid_of_tests(study, columns)


def _grouped(study: CorrelationStudy, key: Key) -> Iterator[list[CorrelationColumn]]:
    """Yield the columns with the same key, in the order in which keys appear first."""
    keys = list(dict.fromkeys(map(key, study.columns)))
    in_order = sorted(study.columns, key=lambda column: keys.index(key(column)))
    for _, columns in groupby(in_order, key):
        yield list(columns)


def _grid_of_coefficients(
    study: CorrelationStudy, columns: Sequence[CorrelationColumn]
) -> CorrelationGrid:
    """Make a grid with coefficients in the columns."""
    headings = tuple(column.coefficient.capitalize() for column in columns)
    title = _title(study, columns[0])
    return CorrelationGrid(title, "Metric", (), headings, _rows(study, columns, has_intervals=True))


def _grid_of_conditions(
    study: CorrelationStudy, columns: Sequence[CorrelationColumn]
) -> CorrelationGrid:
    """Make a grid with conditions in the columns, as in the paper."""
    headings = tuple(CONDITION_HEADS[column.condition.texts] for column in columns)
    sets = groupby(columns, lambda column: MODEL_SET_HEADS[column.condition.model_set])
    groups = tuple((head, len(list(members))) for head, members in sets)
    title = f"{_title(study, columns[0])}, {columns[0].coefficient.capitalize()}"
    return CorrelationGrid(
        title, "Metric", groups, headings, _rows(study, columns, has_intervals=False)
    )


def _rows(
    study: CorrelationStudy, columns: Sequence[CorrelationColumn], *, has_intervals: bool
) -> tuple[tuple[str, tuple[ShownCell, ...]], ...]:
    """Return a row for each metric."""
    return tuple(
        (
            _label(study, row),
            tuple(
                _cell(column.correlations[place], has_interval=has_intervals) for column in columns
            ),
        )
        for place, row in enumerate(study.rows)
    )


def _grid_of_tests(
    study: CorrelationStudy, columns: Sequence[CorrelationColumn]
) -> CorrelationGrid:
    """Make a grid with a row for every two metrics."""
    headings = [TEST_HEADS[: 4 if _has_williams(column) else 2] for column in columns]
    groups = [
        (column.coefficient.capitalize(), len(heads))
        for column, heads in zip(columns, headings, strict=True)
    ]
    rows = tuple(
        (
            f"{_label(study, study.rows[tests[0].first])} - "
            f"{_label(study, study.rows[tests[0].second])}",
            tuple(
                cell
                for column, test in zip(columns, tests, strict=True)
                for cell in _test_cells(test, has_williams=_has_williams(column))
            ),
        )
        for tests in zip(*(column.tests for column in columns), strict=True)
    )
    where = f"{_title(study, columns[0])}{_condition(study, columns[0].condition)}"
    return CorrelationGrid(
        f"{where}: differences", "Metrics", tuple(groups), sum(headings, ()), rows
    )


def _has_williams(column: CorrelationColumn) -> bool:
    """Say whether Williams' test has a meaning in a column."""
    return (column.level, column.coefficient) == ("system", "pearson")


def _test_cells(test: MetricTest, *, has_williams: bool) -> Iterator[ShownCell]:
    """Yield the difference and its p-values."""
    yield ShownCell(_number(test.permutation.difference, sign="+"))
    yield ShownCell(_p(test.permutation.p))
    if has_williams:
        yield ShownCell(_number(test.williams.t if test.williams else None, sign="+"))
        yield ShownCell(_p(test.williams.p if test.williams else None))


def _title(study: CorrelationStudy, column: CorrelationColumn) -> str:
    """Say what a grid holds; the measure, if it is the same for all rows."""
    letters = study.plan.letters
    measure = f", {MEASURE_NAMES[letters]}" if len(letters) == 1 else ""
    return f"{visible(column.judgement)}: {column.level} level{measure}"


def _condition(study: CorrelationStudy, condition: Condition) -> str:
    """Name a condition where there are several."""
    if not study.is_by_condition:
        return ""
    return f", {CONDITION_HEADS[condition.texts]}, {MODEL_SET_HEADS[condition.model_set]}"


def _label(study: CorrelationStudy, row: Column) -> str:
    """Name a row; with the measure, if there are several."""
    return row.metric if len(study.plan.letters) == 1 else f"{row.metric} {row.letter}"


def _cell(correlation: Correlation, *, has_interval: bool) -> ShownCell:
    """Write a correlation."""
    mark = BEST if correlation.is_best else TIED if correlation.is_tied else ""
    interval = correlation.interval.bounds if correlation.interval else None
    shown = (_number(interval[0]), _number(interval[1])) if interval and has_interval else None
    return ShownCell(_number(correlation.value.value), shown, mark)


def _number(value: float | None, sign: str = "-") -> str:
    """Write a correlation or a difference; one that rounds to zero has no sign."""
    if value is None or isnan(value):
        return UNDEFINED
    text = f"{value:{sign}.3f}"
    return text[1:] if float(text) == 0 and text[0] in "+-" else text


def _p(p: float | None) -> str:
    """Write a p-value."""
    if p is None:
        return UNDEFINED
    return f"{p:.4f}" if p >= LEAST_P else "<.0001"
