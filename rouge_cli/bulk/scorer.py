"""Scores of predictions against their references, for programs that ask again and again."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rouge_cli.api.studies import score_given
from rouge_cli.options.scores import SINGLE_MEASURE

if TYPE_CHECKING:
    from rouge_cli.inputs.source import Text


class Scorer:
    """Scores predictions against their references.

    Parameters
    ----------
    **options
        Those of `rouge_cli.evaluate` that say what is scored and how texts are read.

    Raises
    ------
    OptionError, InputError
        As `rouge_cli.evaluate`.
    """

    def __init__(self, **options: Any) -> None:
        self._options: Mapping[str, Any] = {**options, "resamples": 0}

    def score(
        self, predictions: "Iterable[Text]", references: "Iterable[Text | Iterable[Text]]"
    ) -> dict[str, NDArray[np.float64]]:
        """Score each prediction against its references.

        Returns
        -------
        dict of str to ndarray of float64, shape (n_predictions, 3)
            By metric recall, precision and F. A metric with a single score has it as F, and nan
            for the others.
        """
        results = score_given(predictions, references, self._options)
        (system,) = results.systems.values()
        return {
            metric.name: _as_rows({letter: m.per_eval for letter, m in metric.measures.items()})
            for metric in system
        }


def _as_rows(measures: Mapping[str, NDArray[np.float64]]) -> NDArray[np.float64]:
    (size,) = {values.size for values in measures.values()}
    rows = np.full((size, 3), np.nan)
    for column, letter in enumerate("RPF"):
        if letter in measures:
            rows[:, column] = measures[letter]
    if SINGLE_MEASURE in measures:
        rows[:, 2] = measures[SINGLE_MEASURE]
    return rows
