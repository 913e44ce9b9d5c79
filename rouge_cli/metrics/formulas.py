"""Several models: from the counts of each pair to the scores of each instance.

Source: specification, section 5, "Several models", and section 6.
"""

from functools import lru_cache
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from rouge_cli.metrics.counts import RPF, SHARES, Counts, InstanceScores, ScoredMetric
from rouge_cli.metrics.marks import MarkedPairs, Marks
from rouge_cli.metrics.paired_texts import PairedTexts, Reading
from rouge_cli.metrics.perl_numbers import ordered_sums
from rouge_cli.metrics.ratios import quotients, rounded, score_counts
from rouge_cli.metrics.single_pair import PairCounts, SinglePair
from rouge_cli.options.scores import BEST_F, SUM_OF_COUNTS, ScoreOptions

__all__ = ["CountedMetric", "best_f_model", "best_model", "sum_models"]


class CountedMetric(Protocol):
    """Base of the metrics that count hits, model and peer units: all of ROUGE."""

    @property
    def names(self) -> tuple[str, ...]:
        """Of the metrics that are counted together, in the order of print."""
        ...

    @property
    def signature(self) -> tuple[str, ...]:
        """What moves their scores, as parts of the signature."""
        ...

    @property
    def reading(self) -> Reading:
        """How the texts are read."""
        ...

    @property
    def root(self) -> float | None:
        """W of ROUGE-W, whose recall and precision are W-th roots; None in the others."""
        return None

    @property
    def compares_rounded(self) -> bool:
        """Whether formula B compares recall as rounded to 5 decimals, and not exactly."""
        return True

    def prepare(self) -> None:
        """Read what is needed besides the texts: nothing, in most metrics; raises InputError."""

    def count(self, texts: PairedTexts) -> list[Counts]:
        """Count the hits of each pair, for each of `names`."""
        ...

    def marks(self, texts: PairedTexts) -> list[Marks] | None:
        """Return what matches in each pair and what counts of it, for each of `names`.

        None in a metric that does not tell; its scores are shown without words.
        """
        return None

    def count_pair(self, pair: SinglePair) -> list[PairCounts] | None:
        """Count the hits of one small pair without arrays; None in metrics that need them."""
        return None

    @property
    def columns(self) -> tuple[ScoredMetric, ...]:
        """The metrics as the score table knows them."""
        return _shares(self.names)

    def score(self, texts: PairedTexts, options: ScoreOptions) -> list[InstanceScores]:
        """Score each instance, for each of `names`; raises OptionError for infinite counts."""
        scores = []
        for counts in self.count(texts):
            chosen = self._over_models(counts, texts.starts, options)
            values = score_counts(chosen, options.alpha.value, self.root)
            scores.append(InstanceScores(values, chosen))
        return scores

    def _over_models(
        self, counts: Counts, starts: NDArray[np.int64], options: ScoreOptions
    ) -> Counts:
        """Go from pairs to instances by the formula that is asked for."""
        chosen = self._chosen_pairs(counts, starts, options)
        return sum_models(counts, starts) if chosen is None else counts.take(chosen)

    def explain(self, texts: PairedTexts, options: ScoreOptions) -> list[MarkedPairs] | None:
        """Return what counts in each pair, for each of `names`; raises OptionError like `score`."""
        all_marks = self.marks(texts)
        if all_marks is None:
            return None
        explained = []
        for marks in all_marks:
            chosen = self._chosen_pairs(marks.counts, texts.starts, options)
            is_counted = np.full(texts.models.size, chosen is None)
            if chosen is not None:
                is_counted[chosen] = True
            values = score_counts(marks.counts, options.alpha.value, self.root)
            explained.append(MarkedPairs(marks, values, is_counted, self.root))
        return explained

    def _chosen_pairs(
        self, counts: Counts, starts: NDArray[np.int64], options: ScoreOptions
    ) -> NDArray[np.int64] | None:
        """Return the pair that each instance has its counts of; None if they are added up."""
        if options.formula == SUM_OF_COUNTS:
            return None
        if options.formula == BEST_F:
            return best_f_model(counts, starts, options.alpha.value, self.root)
        return best_model(counts, starts, weight=self.root, is_rounded=self.compares_rounded)


@lru_cache(maxsize=64)
def _shares(names: tuple[str, ...]) -> tuple[ScoredMetric, ...]:
    """Return metrics of recall, precision and F; a program asks for the same again and again."""
    return tuple(ScoredMetric(name, RPF, SHARES) for name in names)


def sum_models(counts: Counts, starts: NDArray[np.int64]) -> Counts:
    """Add up the counts over the models: formula A.

    Parameters
    ----------
    counts : Counts
        One row a pair.
    starts : ndarray of int64, shape (n_instances,)
        The first pair of each instance.
    """
    return counts.apply(lambda values: _summed(values, starts))


def _summed(values: NDArray[Any], starts: NDArray[np.int64]) -> NDArray[Any]:
    """Add up the values of each instance, in order."""
    if starts.size == values.size:
        return values
    n_models = np.diff(np.append(starts, values.size))
    return ordered_sums(np.repeat(np.arange(starts.size), n_models), values, starts.size)


def best_model(
    counts: Counts,
    starts: NDArray[np.int64],
    *,
    weight: float | None = None,
    is_rounded: bool = True,
) -> NDArray[np.int64]:
    """Find the pair with the best recall of each instance, the first of equals: formula B.

    Parameters
    ----------
    counts : Counts
        One row a pair.
    starts : ndarray of int64, shape (n_instances,)
        The first pair of each instance.
    weight : float or None
        The weight of ROUGE-W, where models are compared by the base weighted once.
    is_rounded : bool
        Whether recall is compared as rounded to 5 decimals; ROUGE-L and ROUGE-W compare it exactly.
    """
    base = counts.model_count if counts.model_base is None else counts.model_base
    # What is no number is no better than anything; the scores themselves refuse it later.
    recall = np.nan_to_num(quotients(counts.hit, base, weight))
    score: NDArray[Any] = rounded(recall) if is_rounded else recall
    return _first_best(score, starts)


def best_f_model(
    counts: Counts, starts: NDArray[np.int64], alpha: float, weight: float | None = None
) -> NDArray[np.int64]:
    """Find the pair with the best F of each instance, the first of equals; not of the original.

    Parameters
    ----------
    counts : Counts
        One row a pair.
    starts : ndarray of int64, shape (n_instances,)
        The first pair of each instance.
    alpha : float
        Weight of precision in F.
    weight : float or None
        The weight of ROUGE-W.

    Notes
    -----
    Source: Lin (2004), section 2.1, has the maximum over the models; F is compared as rounded.
    """
    return _first_best(score_counts(counts, alpha, weight)[2], starts)


def _first_best(score: NDArray[Any], starts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the first of the pairs with the best score of each instance, shape (n_instances,)."""
    n_models = np.diff(np.append(starts, score.size))
    is_best = score == np.repeat(np.maximum.reduceat(score, starts), n_models)
    best: NDArray[np.int64] = np.minimum.reduceat(
        np.where(is_best, np.arange(score.size), score.size), starts
    )
    return best
