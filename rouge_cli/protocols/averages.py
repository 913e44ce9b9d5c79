"""From the scores of single texts to the numbers that a package reports for all."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rouge_cli.inputs.evaluation import DEFAULT_SYSTEM
from rouge_cli.protocols.counting import Measure
from rouge_cli.protocols.scoring import REFUSED, Score, ScoreChoices, f_measure
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.scores.bootstrap import estimate_means, means_of_resamples
from rouge_cli.scores.results import byte_order

Mean = Literal["mean", "f-of-means", "median-of-resamples", "original", "none"]

RESAMPLES = 1000
CONFIDENCE = 0.95
PRF = ("p", "r", "f")
"""The keys of scores: the fields of `Score`, in its order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanChoices:
    """What is reported for many texts.

    Parameters
    ----------
    mean : str
        ``mean``: of precision, recall and F each. ``f-of-means``: F is formed from the means.
        ``median-of-resamples``: low, middle and high percentile of 1000 resampled means.
        ``original``: average and bounds of ROUGE-1.5.5's bootstrap. ``none``: a list of the scores.
    sums : str
        ``in-order``: one number after another. ``pairwise``: NumPy's mean. ``float32``: NumPy's
        mean in single precision.
    only_middle : bool
        Whether percentiles are left out.
    seed : int or None
        Of the resamples; None goes on with NumPy's global generator, as packages do.
    scale : float
        What means are multiplied with.
    decimals : int or None
        Decimals to which means are rounded.
    geometric_mean : tuple of str
        Metrics whose geometric mean is reported too.
    without_texts : str
        What an empty list of texts gives: ``refused``, a usage error; ``nothing``, an empty
        dictionary; or the name of the package's exception.
    drops_empty : bool
        Whether pairs with an empty string are left out.
    """

    mean: Mean = "mean"
    sums: Literal["in-order", "pairwise", "float32"] = "in-order"
    only_middle: bool = False
    seed: int | None = 0
    scale: float = 1.0
    decimals: int | None = None
    geometric_mean: tuple[str, ...] = ()
    without_texts: str = REFUSED
    drops_empty: bool = False


def average(
    choices: MeanChoices,
    scoring: ScoreChoices,
    measures: Sequence[Measure],
    scores: Mapping[str, NDArray[np.float64]],
) -> dict[str, Any]:
    """Return what the package reports for many texts.

    Parameters
    ----------
    choices : MeanChoices
    scoring : ScoreChoices
    measures : sequence of Measure
    scores : mapping of str to ndarray, shape (3, n_texts)
        Precision, recall and F of each text by the key of the metric, not yet scaled.

    Returns
    -------
    dict of str to object
        By metric: precision, recall and F, or a number where the package has F alone; with
        resamples, those for low, mid and high; as the original, average and bounds for each of
        recall, precision and F; without a mean, a list.
    """
    reported: dict[str, Any] = {}
    # The legacy generator: its draws are those that packages publish.
    random = np.random if choices.seed is None else np.random.RandomState(choices.seed)
    for measure in measures:
        table = np.ascontiguousarray(scores[measure.key].T)
        if choices.mean == "none":
            reported[measure.key] = [
                scores_of(Score(*score), scoring, scoring.scale) for score in table.tolist()
            ]
        elif choices.mean == "original":
            reported[measure.key] = _originals(table)
        elif choices.mean == "median-of-resamples":
            reported[measure.key] = _medians(table, random, choices, scoring)
        else:
            means = _means(table, choices, scoring, measure)
            reported[measure.key] = scores_of(means, scoring, 1.0)
    if choices.geometric_mean:
        product = float(np.prod([reported[key] for key in choices.geometric_mean]))
        reported["geometric_mean"] = product ** (1 / len(choices.geometric_mean))
    return _rounded(reported, choices.decimals)


def scores_of(score: Score, scoring: ScoreChoices, scale: float) -> Any:
    """Return scores as a package does: F, or precision, recall and F by their letters."""
    if scoring.only_f:
        return score.f * scale
    return {letter: value * scale for letter, value in zip(PRF, score, strict=True)}


def _means(
    table: NDArray[np.float64], choices: MeanChoices, scoring: ScoreChoices, measure: Measure
) -> Score:
    """Return the mean of each column; from shape (n_texts, 3)."""
    if choices.sums == "in-order":
        columns = [
            _sum_in_order(column) * choices.scale / len(table) for column in table.T.tolist()
        ]
    else:
        number = np.float32 if choices.sums == "float32" else np.float64
        # NumPy adds in pairs only where the numbers of a column lie side by side.
        columns = np.ascontiguousarray(table.T, number).mean(axis=1, dtype=number).tolist()
    precision, recall, f = columns
    if choices.mean == "f-of-means":
        f = f_measure(scoring, measure, precision, recall)
    return Score(precision, recall, f)


def _sum_in_order(values: Sequence[float]) -> float:
    """Add up numbers from the left, as sum() no longer does from Python 3.12 on."""
    total = 0.0
    for value in values:
        total += value
    return total


def _originals(table: NDArray[np.float64]) -> dict[str, list[float]]:
    """Return average, lower and upper bound of recall, precision and F, as the original prints.

    Wrappers number their files from 0, and the original draws from them in the order of their
    names: 0, 1, 10, 100, 11. In another order the resamples would be others.
    """
    in_order = byte_order([str(number) for number in range(len(table))], DEFAULT_SYSTEM)
    estimated = estimate_means(table[in_order], RESAMPLES, 100 * CONFIDENCE)
    printed = {
        letter: [round(float(value), 5) for value in column]
        for letter, column in zip(PRF, estimated.T, strict=True)
    }
    return {letter: printed[letter] for letter in ("r", "p", "f")}


def _medians(
    table: NDArray[np.float64], random: Any, choices: MeanChoices, scoring: ScoreChoices
) -> Any:
    """Return percentiles of resampled means."""
    means = means_of_resamples(table, RESAMPLES, random)
    # 2.500000000000002 and not 2.5: the last bit of the lower bound depends on it.
    tail = 100 * ((1 - CONFIDENCE) / 2)
    bounds = np.percentile(means, [tail, 50, 100 - tail], axis=0)
    low, middle, high = (Score(*row) for row in bounds.tolist())
    if choices.only_middle:
        return scores_of(middle, scoring, choices.scale)
    named = {"low": low, "mid": middle, "high": high}
    return {name: scores_of(score, scoring, choices.scale) for name, score in named.items()}


def _rounded(reported: dict[str, Any], decimals: int | None) -> dict[str, Any]:
    """Round numbers, in nested dictionaries too."""
    if decimals is None:
        return reported
    return {
        key: _rounded(value, decimals) if isinstance(value, dict) else round(value, decimals)
        for key, value in reported.items()
    }
