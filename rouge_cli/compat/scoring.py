"""Scores, and their means and confidence intervals over many pairs: ``rouge_score.scoring``.

The rules of ``rouge_score`` were found by running it with seeds of NumPy. For one metric after the
other, each resample draws as many pairs as there are, with replacement. The mean of each measure is
taken separately; the bounds and the middle are percentiles of these means.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from numbers import Real
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rouge_cli.inputs.evaluation import DEFAULT_SYSTEM
from rouge_cli.scores.bootstrap import estimate_means, means_of_resamples
from rouge_cli.scores.results import byte_order

__all__ = [
    "GOOGLE",
    "ORIGINAL",
    "XLSUM",
    "AggregateScore",
    "BaseScorer",
    "BootstrapAggregator",
    "Score",
    "check_like",
]

ORIGINAL: Final = "1.5.5"
GOOGLE: Final = "google"
XLSUM: Final = "xlsum"

DIGITS_OF_PERCENT = 10
"""Decimals to which percentages are rounded, since ``100 * 0.29`` is a little less than 29."""


def check_like(like: object, *known: str) -> None:
    """Raise ValueError unless `like` is one of the known values."""
    if like not in known:
        others, last = ", ".join(map(repr, known[:-1])), repr(known[-1])
        raise ValueError(f"like: found {like!r}, expected {others} or {last}")


class Score(NamedTuple):
    """The scores of one pair, or of many, in one metric, from 0 to 1."""

    precision: float
    recall: float
    fmeasure: float


class AggregateScore(NamedTuple):
    """Lower bound of the confidence interval, average and upper bound of one metric.

    They are computed for each measure separately.
    """

    low: Score
    mid: Score
    high: Score


class BaseScorer(ABC):
    """The base class of scorers."""

    __slots__ = ()

    @abstractmethod
    def score(self, target: str, prediction: str) -> dict[str, Score]:
        """Score a prediction against a target; return a score for each metric, by name."""


class BootstrapAggregator:
    """Averages the scores of many pairs, with confidence intervals.

    - `confidence_interval`: from 0 to 1.
    - `n_samples`: the number of resamples.
    - `like`: with ``"google"``, ``mid`` is the median of the resampled means, and ``low`` and
      ``high`` are percentiles of them. The resamples come from NumPy's global generator, and are
      those of the package after the same ``numpy.random.seed``. With ``"1.5.5"``, ``mid`` is what
      ROUGE-1.5.5 prints as the average, the mean of the resampled means, and ``low`` and ``high``
      are the interval that it prints. Its resamples are always the same. The digits are the
      original's if the scores are rounded to 5 decimals, as those of ``RougeScorer(...,
      like="1.5.5")``.

    Raises ValueError for other values.

    Examples
    --------
    >>> from rouge_cli.compat import scoring
    >>> aggregator = scoring.BootstrapAggregator(like="1.5.5")
    >>> aggregator.add_scores({"rouge1": scoring.Score(0.5, 0.25, 0.33333)})
    >>> aggregator.add_scores({"rouge1": scoring.Score(1.0, 0.75, 0.85714)})
    >>> print(f'{aggregator.aggregate()["rouge1"].high.recall:.5f}')
    0.75000
    """

    __slots__ = ("_confidence_interval", "_like", "_n_samples", "_scores")

    def __init__(
        self, confidence_interval: float = 0.95, n_samples: int = 1000, like: str = GOOGLE
    ) -> None:
        check_like(like, ORIGINAL, GOOGLE)
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
        """Add the scores of a pair, as `RougeScorer.score` returns them.

        Pairs may have different metrics. Raises TypeError if a value is not a score; in this case
        nothing is added.
        """
        for name, score in scores.items():
            if not isinstance(score, tuple) or len(score) != len(Score._fields):
                raise TypeError(
                    f"{name}: found {score!r}, expected a Score of precision, recall and fmeasure"
                )
        for name, score in scores.items():
            self._scores.setdefault(name, []).append(score)

    def aggregate(self) -> dict[str, AggregateScore]:
        """Return the average and interval of each metric, in the order in which they were added."""
        # The resamples of ROUGE-1.5.5 depend only on the number of pairs, so metrics with equally
        # many pairs share them.
        groups: dict[object, list[str]] = {}
        for name, scores in self._scores.items():
            groups.setdefault(name if self._like == GOOGLE else len(scores), []).append(name)
        aggregates: dict[str, AggregateScore] = {}
        for names in groups.values():
            tables = [np.array(self._scores[name], np.float64) for name in names]
            bounds = self._bounds(np.hstack(tables))
            for name, of_metric in zip(names, np.hsplit(bounds, len(names)), strict=True):
                low, mid, high = of_metric
                aggregates[name] = AggregateScore(Score(*low), Score(*mid), Score(*high))
        return {name: aggregates[name] for name in self._scores}

    def _bounds(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return lower bounds, averages and upper bounds, shape (3, n), of columns (n_pairs, n)."""
        if self._like == GOOGLE:
            # Programs seed the global generator to get the same bounds again.
            means = means_of_resamples(scores, self._n_samples, np.random)
            tail = (1 - self._confidence_interval) / 2
            return np.asarray(np.percentile(means, [100 * tail, 50, 100 * (1 - tail)], axis=0))
        # The pairs are the EVALs 1, 2, 3 and so on, and are drawn in the byte order of these IDs,
        # as in `rouge_cli.evaluate`.
        in_order = byte_order([str(number + 1) for number in range(len(scores))], DEFAULT_SYSTEM)
        percent = round(100 * self._confidence_interval, DIGITS_OF_PERCENT)
        average, lower, upper = estimate_means(scores[in_order], self._n_samples, percent)
        return np.stack((lower, average, upper))
