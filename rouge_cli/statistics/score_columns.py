"""What is compared or correlated: the columns of a score table, a measure of a metric each."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rouge_cli.options.requirements import MEASURE_NAMES
from rouge_cli.scoring.score_table import ScoreTable, SystemTable

__all__ = ["Column", "columns_of", "score_matrix"]


@dataclass(frozen=True, slots=True)
class Column:
    """What is compared or correlated: a measure of a metric.

    Parameters
    ----------
    metric : str
        As printed, for example ``"ROUGE-2"``.
    letter : str
        ``"R"``, ``"P"`` or ``"F"``, or ``"S"`` of a metric with a single score.
    """

    metric: str
    letter: str

    @property
    def measure(self) -> str:
        """The measure in full: ``"recall"``, ``"precision"``, ``"f_measure"`` or ``"score"``."""
        return MEASURE_NAMES[self.letter]


def columns_of(table: ScoreTable, letters: str) -> tuple[Column, ...]:
    """Return what is compared: `letters` of each metric, in the order of print.

    A metric that has none of these measures takes part with all that it has.
    """
    return tuple(
        Column(metric.name, letter)
        for metric in table.metrics
        for letter in [one for one in letters if one in metric.measures] or metric.measures
    )


def score_matrix(system: SystemTable, columns: Sequence[Column]) -> NDArray[np.float64]:
    """Return the scores of a system in some columns; shape (n_evals, n_columns)."""
    rows = []
    for one in columns:
        column = system.columns[one.metric]
        rows.append(column.values[column.metric.measures.index(one.letter)])
    return np.stack(rows, axis=1)
