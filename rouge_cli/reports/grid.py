"""The table that the table, markdown, latex and html reports write, each in its own way.

Systems stand in rows, a metric and measure in a column; with ``-d`` there is a second grid with a
row for each EVAL and system.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from rouge_cli.options.every import Options
from rouge_cli.options.scores import POOLED_COUNTS, RAW_COUNTS
from rouge_cli.reports.sorting import measure_of, shown_letters, sorted_systems
from rouge_cli.reports.visible import visible
from rouge_cli.scoring.averages import average
from rouge_cli.scoring.results import Measure, Results, SystemScores

__all__ = ["Cell", "Grid", "Row", "grids", "splits"]

MEAN_DECIMALS = 4
EVAL_DECIMALS = 5


@dataclass(frozen=True, slots=True)
class Cell:
    """A score as shown.

    Parameters
    ----------
    score : str
    interval : tuple of two str, or None
        Lower and upper bound of the confidence interval.
    is_best : bool
        Whether no system has a higher score in this column, as far as the digits show.
    """

    score: str
    interval: tuple[str, str] | None = None
    is_best: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a grid.

    Parameters
    ----------
    labels : tuple of str
        Control characters in them are escaped.
    cells : tuple of Cell
    """

    labels: tuple[str, ...]
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows of scores with their labels.

    Parameters
    ----------
    caption : str
        What the scores are, in a sentence.
    label_headings : tuple of str
    label_sides : str
        ``"l"`` or ``"r"`` for each label: where it stands in its column.
    headings : tuple of str
        Of the columns with scores.
    rows : tuple of Row
    """

    caption: str
    label_headings: tuple[str, ...]
    label_sides: str
    headings: tuple[str, ...]
    rows: tuple[Row, ...]

    @property
    def has_best(self) -> bool:
        """Whether anything is marked as the best of its column."""
        return any(cell.is_best for row in self.rows for cell in row.cells)

    def columns(self, first: int, end: int) -> "Grid":
        """Return the grid with these columns of scores only."""
        rows = tuple(Row(row.labels, row.cells[first:end]) for row in self.rows)
        headings = self.headings[first:end]
        return Grid(self.caption, self.label_headings, self.label_sides, headings, rows)


def grids(results: Results) -> Iterator[Grid]:
    """Yield the grid of the systems and, with ``-d``, that of the EVALs.

    Raises
    ------
    OptionError
        If ``--sort`` names no metric of the run.
    """
    systems = sorted_systems(results)
    yield _system_grid(systems, results.options)
    if results.options.reports.per_eval:
        yield _eval_grid(systems, results.options)


def splits(widths: Sequence[float], room: float) -> Iterator[tuple[int, int]]:
    """Yield from where to where each part of a grid takes its columns: as many as fit, or one.

    Parameters
    ----------
    widths : sequence of float
        Of the columns of scores, in any unit.
    room : float
        What is left beside the labels, in the same unit.
    """
    first, taken = 0, 0.0
    for k, width in enumerate(widths):
        if k > first and taken + width > room:
            yield first, k
            first, taken = k, 0.0
        taken += width
    yield first, len(widths)


def _headings(systems: Sequence[SystemScores], options: Options) -> tuple[str, ...]:
    """Name the columns."""
    metrics = systems[0].metrics
    return tuple(f"{metric} {letter}" for metric in metrics for letter in shown_letters(options))


def _measures(system: SystemScores, options: Options) -> list[Measure]:
    """Return the measures of a row, in the order of the columns."""
    letters = shown_letters(options)
    return [measure_of(scores, one) for scores in system.metrics.values() for one in letters]


def _system_grid(systems: Sequence[SystemScores], options: Options) -> Grid:
    """Make the grid of the systems; the best of several is marked."""
    columns = [
        _system_column(measures, options)
        for measures in zip(*(_measures(system, options) for system in systems), strict=True)
    ]
    rows = [
        Row((visible(system.id), str(len(system.eval_ids))), cells)
        for system, cells in zip(systems, zip(*columns, strict=True), strict=True)
    ]
    caption = _caption(systems, options)
    return Grid(caption, ("System", "N"), "lr", _headings(systems, options), tuple(rows))


def _system_column(measures: Sequence[Measure], options: Options) -> list[Cell]:
    """Make the cells of a column; scores that show the same digits are equally good."""
    scores = [_digits(average(measure), MEAN_DECIMALS, options) for measure in measures]
    best = max(scores, key=Decimal) if len(scores) > 1 else None
    return [
        Cell(score, _interval(measure, options), score == best)
        for score, measure in zip(scores, measures, strict=True)
    ]


def _interval(measure: Measure, options: Options) -> tuple[str, str] | None:
    """Return the bounds as shown."""
    if measure.interval is None or not options.reports.intervals:
        return None
    lower, upper = (_digits(bound, MEAN_DECIMALS, options) for bound in measure.interval)
    return lower, upper


def _eval_grid(systems: Sequence[SystemScores], options: Options) -> Grid:
    """Make the grid of the EVALs, in the order of the input; systems in that of their grid."""
    ranks = {eval_id: 0 for system in systems for eval_id in system.eval_ids}
    ranks = {eval_id: rank for rank, eval_id in enumerate(ranks)}
    rows = [
        (ranks[eval_id], Row((visible(eval_id), visible(system.id)), cells))
        for system in systems
        for eval_id, cells in zip(system.eval_ids, _eval_cells(system, options), strict=True)
    ]
    rows.sort(key=lambda ranked: ranked[0])
    caption = "Scores of each EVAL" + (", times 100." if options.reports.percent else ".")
    in_order = tuple(row for _, row in rows)
    return Grid(caption, ("EVAL", "System"), "ll", _headings(systems, options), in_order)


def _eval_cells(system: SystemScores, options: Options) -> Iterator[tuple[Cell, ...]]:
    """Yield the cells of each EVAL of a system."""
    columns = (
        [Cell(_digits(score, EVAL_DECIMALS, options)) for score in measure.per_eval.tolist()]
        for measure in _measures(system, options)
    )
    return zip(*columns, strict=True)


def _digits(score: float, decimals: int, options: Options) -> str:
    """Write a score; times 100 it shows the same digits."""
    text = f"{score:.{decimals}f}"
    return f"{Decimal(text).scaleb(2):f}" if options.reports.percent else text


def _caption(systems: Sequence[SystemScores], options: Options) -> str:
    """Say what the scores of the systems are."""
    is_pooled = options.scores.counting in {POOLED_COUNTS, RAW_COUNTS}
    evals = _eval_count([len(system.eval_ids) for system in systems])
    means = f"scores of counts pooled over {evals}" if is_pooled else f"means over {evals}"
    scale = ", times 100" if options.reports.percent else ""
    if options.scores.resamples == 0 or options.scores.counting == RAW_COUNTS:
        return f"{means[0].upper()}{means[1:]}{scale}."
    means = f"Bootstrap means of {means}" if is_pooled else f"Bootstrap {means}"
    level = f"with {options.scores.confidence.text}% confidence intervals "
    return (
        f"{means}{scale}, {level if options.reports.intervals else ''}from "
        f"{options.scores.resamples} resamples."
    )


def _eval_count(sizes: Sequence[int]) -> str:
    """Say how many EVALs there are."""
    fewest, most = min(sizes), max(sizes)
    if fewest < most:
        return f"{fewest} to {most} EVALs"
    return f"{most} EVAL{'s' * (most != 1)}"
