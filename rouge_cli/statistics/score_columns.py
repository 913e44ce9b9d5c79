"""What is compared or correlated: the columns of a score table, a measure of a metric each."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rouge_cli.metrics.aggregation import Aggregation, PartKey
from rouge_cli.metrics.counts import ScoredMetric
from rouge_cli.options.requirements import MEASURE_NAMES
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.scoring.score_table import ScoreTable, SystemTable

__all__ = [
    "Column",
    "ComparedColumn",
    "column_of",
    "columns_of",
    "compared_columns",
    "score_matrix",
]


@dataclass(frozen=True, slots=True)
class Column:
    """What is compared or correlated: a measure of a metric.

    Parameters
    ----------
    metric : str
        As printed, for example ``"ROUGE-2"``.
    letter : str
        ``"R"``, ``"P"`` or ``"F"``, or ``"S"`` of a metric with a single score.
    is_mean_of_evals : bool
        Whether the score of a system is the mean of those of its EVALs.
    """

    metric: str
    letter: str
    is_lower_better: bool = False
    is_mean_of_evals: bool = True

    @property
    def measure(self) -> str:
        """The measure in full: ``"recall"``, ``"precision"``, ``"f_measure"`` or ``"score"``."""
        return MEASURE_NAMES[self.letter]


def column_of(metric: ScoredMetric, letter: str) -> Column:
    """Return a measure of a metric as a column."""
    return Column(metric.name, letter, metric.is_lower_better, metric.aggregation is None)


def columns_of(table: ScoreTable, letters: str) -> tuple[Column, ...]:
    """Return what is compared: `letters` of each metric, in the order of print.

    A metric that has none of these measures takes part with all that it has.
    """
    return tuple(
        column_of(metric, letter)
        for metric in table.metrics
        for letter in [one for one in letters if one in metric.measures] or metric.measures
    )


def score_matrix(system: SystemTable, columns: Sequence[Column]) -> NDArray[np.float64]:
    """Return the scores of a system in some columns; shape (n_evals, n_columns)."""
    return np.stack([system.columns[one.metric].row(one.letter) for one in columns], axis=1)


@dataclass(frozen=True, slots=True)
class ComparedColumn:
    """A column, and what its scores are made of.

    Parameters
    ----------
    places : tuple of int
        Among the columns that are added up over EVALs: its own, or those of its parts.
    aggregation : Aggregation or None
        How the means of the parts become a score; None where the score is a mean itself.
    """

    column: Column
    places: tuple[int, ...]
    aggregation: Aggregation | None = None


def compared_columns(
    table: ScoreTable, letters: str
) -> tuple[tuple[ComparedColumn, ...], tuple[Column, ...]]:
    """Return what is compared, as `columns_of` does, and what is added up for it."""
    aggregations = {metric.name: metric.aggregation for metric in table.metrics}
    compared = []
    places: dict[PartKey, int] = {}
    for column in columns_of(table, letters):
        aggregation = aggregations[column.metric]
        own = ((column.metric, column.letter),)
        parts = own if aggregation is None else aggregation.parts
        found = tuple(places.setdefault(part, len(places)) for part in parts)
        compared.append(ComparedColumn(column, found, aggregation))
    return tuple(compared), tuple(Column(*key) for key in places)
