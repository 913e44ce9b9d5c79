"""Scores, and their means and intervals over many pairs: ``rouge_score.scoring``."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from numbers import Real
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rouge_cli.compat.likeness import GOOGLE, ORIGINAL, check_like
from rouge_cli.compat.resampling import google_bounds, original_bounds

__all__ = ["AggregateScore", "BaseScorer", "BootstrapAggregator", "Score"]


class Score(NamedTuple):
    """The scores of one pair, or of many, in one metric.

    Parameters
    ----------
    precision, recall, fmeasure : float
        From 0 to 1.
    """

    precision: float
    recall: float
    fmeasure: float


class AggregateScore(NamedTuple):
    """What the bootstrap says of one metric.

    Parameters
    ----------
    low, mid, high : Score
        Lower bound of the confidence interval, average, upper bound; each measure by itself.
    """

    low: Score
    mid: Score
    high: Score


class BaseScorer(ABC):
    """What a scorer has to have."""

    __slots__ = ()

    @abstractmethod
    def score(self, target: str, prediction: str) -> dict[str, Score]:
        """Score a prediction against a target: a score by the name of each metric."""


class BootstrapAggregator:
    """Averages the scores of many pairs, with confidence intervals.

    Parameters
    ----------
    confidence_interval : float
        From 0 to 1.
    n_samples : int
        Number of resamples.
    like : {"1.5.5", "google"}
        ``"1.5.5"``: ``mid`` is what ROUGE-1.5.5 prints as the average, the mean of the resampled
        means, and ``low`` and ``high`` are the interval that it prints. Its resamples are always
        the same. It has these digits if the scores are rounded to 5 decimals, as those of
        ``RougeScorer(..., like="1.5.5")``.
        ``"google"``: ``mid`` is the median of the resampled means, ``low`` and ``high`` are
        percentiles of them. The resamples come from NumPy's global generator, so that
        ``numpy.random.seed`` decides, and are the same as the package's after the same seed.

    Raises
    ------
    TypeError, ValueError
        If a parameter has no such value.

    Examples
    --------
    >>> from rouge_cli.compat import scoring
    >>> aggregator = scoring.BootstrapAggregator()
    >>> aggregator.add_scores({"rouge1": scoring.Score(0.5, 0.25, 0.33333)})
    >>> aggregator.add_scores({"rouge1": scoring.Score(1.0, 0.75, 0.85714)})
    >>> print(f'{aggregator.aggregate()["rouge1"].high.recall:.5f}')
    0.75000
    """

    __slots__ = ("_confidence_interval", "_like", "_n_samples", "_scores")

    def __init__(
        self, confidence_interval: float = 0.95, n_samples: int = 1000, like: str = ORIGINAL
    ) -> None:
        check_like(like)
        if not isinstance(confidence_interval, Real) or not 0 <= float(confidence_interval) <= 1:
            raise ValueError(
                f"confidence_interval: found {confidence_interval!r}, expected a number from 0 to 1"
            )
        if not isinstance(n_samples, int | np.integer) or n_samples < 1:
            raise ValueError(f"n_samples: found {n_samples!r}, expected a whole number above 0")
        self._confidence_interval: float = float(confidence_interval)
        self._n_samples: int = int(n_samples)
        self._like: str = like
        self._scores: dict[str, list[Score]] = {}

    def add_scores(self, scores: Mapping[str, Score]) -> None:
        """Add the scores of a pair.

        Parameters
        ----------
        scores : mapping of str to Score
            By the name of the metric, as `RougeScorer.score` returns them; not every pair has to
            have each metric.

        Raises
        ------
        TypeError
            If one is no score; then none is added.
        """
        for name, score in scores.items():
            if not isinstance(score, tuple) or len(score) != len(Score._fields):
                raise TypeError(
                    f"{name}: found {score!r}, expected a Score of precision, recall and fmeasure"
                )
        for name, score in scores.items():
            self._scores.setdefault(name, []).append(score)

    def aggregate(self) -> dict[str, AggregateScore]:
        """Return average and interval of each metric, in the order in which they came first."""
        found: dict[str, AggregateScore] = {}
        for names in self._drawn_together():
            tables = [np.array(self._scores[name], np.float64) for name in names]
            bounds = self._bounds(np.hstack(tables))
            for name, of_metric in zip(names, np.hsplit(bounds, len(names)), strict=True):
                low, mid, high = of_metric
                found[name] = AggregateScore(Score(*low), Score(*mid), Score(*high))
        return {name: found[name] for name in self._scores}

    def _drawn_together(self) -> list[list[str]]:
        """Return the metrics by resamples: ROUGE-1.5.5's are the same for equally many pairs."""
        if self._like == GOOGLE:
            return [[name] for name in self._scores]
        by_size: dict[int, list[str]] = {}
        for name, scores in self._scores.items():
            by_size.setdefault(len(scores), []).append(name)
        return list(by_size.values())

    def _bounds(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return lower bound, average and upper bound of each column; shape (3, n_columns)."""
        bounds = google_bounds if self._like == GOOGLE else original_bounds
        return bounds(scores, self._confidence_interval, self._n_samples)
