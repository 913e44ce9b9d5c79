"""What a metric is; and those that count hits: from pairs, over several models, to instances.

Source: specification, section 5, "Several models", and section 6.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from rouge_cli.core import compiled_core
from rouge_cli.errors import OptionError
from rouge_cli.metrics.arithmetic import f_measure, ordered_sums, quotients, rounded
from rouge_cli.metrics.counts import (
    RPF,
    SHARES,
    Counts,
    InstanceScores,
    PairCounts,
    ScoredMetric,
)
from rouge_cli.metrics.marks import MarkedPairs, PairMarks, SeenTexts
from rouge_cli.metrics.paired_texts import PairedTexts, PairUnit, Reading, TextPair
from rouge_cli.options.scores import BEST_F, SUM_OF_COUNTS, ScoreOptions


class Metric(Protocol):
    """A metric, or several that are computed together.

    What returns None here is for metrics that count words.
    """

    @property
    def columns(self) -> tuple[ScoredMetric, ...]:
        """Names and measures, in the order of print."""
        ...

    @property
    def signature(self) -> tuple[str, ...]:
        """What moves the scores, as parts of the signature."""
        ...

    @property
    def reading(self) -> Reading:
        """How the texts are read."""
        ...

    @property
    def is_compiled(self) -> bool:
        """Whether the core counts it, if there is one: then threads gain what processes would."""
        return False

    def prepare(self) -> None:
        """Read what is needed besides the texts, before work is handed out; raises InputError."""
        # Without a body type checkers would take the method for abstract.
        return

    def count_pair(self, pair: TextPair) -> Sequence[PairCounts] | None:
        """Count one pair, for each of `columns`; None if its tokens are not enough."""
        return None

    @property
    def core_units(self) -> Sequence[PairUnit] | None:
        """What the core counts at once, for each of `columns`; None if it counts otherwise."""
        return None

    def explain(self, texts: PairedTexts, options: ScoreOptions) -> list[MarkedPairs] | None:
        """Return what matches in each pair and what counts of it, one entry for each of `columns`.

        None where a score is not made of words that count.
        """
        return None

    def score(self, texts: PairedTexts, options: ScoreOptions) -> list[InstanceScores]:
        """Return the scores of each instance, one entry for each of `columns`.

        Raises OptionError if the options make scores that are no numbers.
        """
        ...


class CountedMetric(Metric, Protocol):
    """Base of the metrics that count hits, model and peer units: all of ROUGE.

    `count_pair` is the metric. The core may do the same for a whole block, or for a lone pair.
    """

    @property
    def names(self) -> tuple[str, ...]:
        """Of the metrics that are counted together, in the order of print."""
        ...

    @property
    def root(self) -> float | None:
        """W of ROUGE-W, whose recall and precision are W-th roots; None in the others."""
        return None

    @property
    def compares_rounded(self) -> bool:
        """Whether formula B compares recall as rounded to 5 decimals, and not exactly."""
        return True

    @property
    def has_whole_counts(self) -> bool:
        """Whether counts are whole numbers; not so in ROUGE-W with most weights."""
        return True

    def count_compiled(self, texts: PairedTexts) -> list[Counts] | None:
        """Count all pairs with the core, for each of `names`; None where it does not count them."""
        return None

    def mark_pair(self, pair: TextPair) -> Sequence[PairMarks] | None:
        """Return what matches in one pair and what counts of it, for each of `names`.

        None in a metric that does not tell; its scores are shown without words.
        """
        return None

    def text_pairs(self, texts: PairedTexts) -> Iterable[TextPair]:
        """Return the pairs as the metric reads them."""
        return texts.text_pairs(self.reading)

    def seen(self, texts: PairedTexts) -> tuple[SeenTexts, SeenTexts]:
        """Return the words of all peers and models; their tokens are those of `text_pairs`."""
        return texts.seen(self.reading)

    def count(self, texts: PairedTexts) -> list[Counts]:
        """Count the hits of each pair, for each of `names`."""
        compiled = self.count_compiled(texts)
        if compiled is not None:
            return compiled
        rows = [self.count_pair(pair) or () for pair in self.text_pairs(texts)]
        return [
            Counts.of_pairs(column, has_whole_counts=self.has_whole_counts)
            for column in zip(*rows, strict=True)
        ]

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
        rows = []
        for pair in self.text_pairs(texts):
            marks = self.mark_pair(pair)
            if marks is None:
                return None
            rows.append(marks)
        return self.marked_pairs(texts, options, rows)

    def marked_pairs(
        self, texts: PairedTexts, options: ScoreOptions, rows: Iterable[Sequence[PairMarks]]
    ) -> list[MarkedPairs]:
        """Return the marks of each pair, in a row for each of `names`, with counts and scores."""
        sides = self.seen(texts)
        explained = []
        for counts, marked in zip(self.count(texts), zip(*rows, strict=True), strict=True):
            chosen = self._chosen_pairs(counts, texts.starts, options)
            is_counted = np.full(texts.models.size, chosen is None)
            if chosen is not None:
                is_counted[chosen] = True
            values = score_counts(counts, options.alpha.value, self.root)
            explained.append(
                MarkedPairs(list(marked), *sides, counts, values, is_counted, self.root)
            )
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


def score_counts(counts: Counts, alpha: float, weight: float | None = None) -> NDArray[np.float64]:
    """Return recall, precision and F of each row, rounded; shape (3, n).

    `alpha` is the weight of precision in F; `weight` that of ROUGE-W, which takes the W-th root of
    recall and precision. Raises OptionError if it is so large or so small that scores are no
    numbers.
    """
    if weight is None and (core := compiled_core()) is not None:
        peer_hit = counts.hit if counts.peer_hit is None else counts.peer_hit
        columns = counts.hit, counts.model_count, peer_hit, counts.peer_count
        values = np.empty((3, counts.hit.size))
        if all(map(_are_whole, columns)) and core.score_counts(*columns, alpha, values):
            return values
    return rounded_scores(counts, alpha, weight)


def _are_whole(counts: NDArray[Any]) -> bool:
    """Say whether the core can read counts."""
    return counts.dtype == np.int64 and counts.flags.c_contiguous


def rounded_scores(
    counts: Counts, alpha: float, weight: float | None = None
) -> NDArray[np.float64]:
    """Return what `score_counts` does, with NumPy alone."""
    recall = quotients(counts.hit, counts.model_count, weight)
    peer_hit = counts.hit if counts.peer_hit is None else counts.peer_hit
    precision = quotients(peer_hit, counts.peer_count, weight)
    if not (np.isfinite(recall).all() and np.isfinite(precision).all()):
        raise OptionError(
            f"-w/--weight: with {weight:g} the counts of these texts grow beyond all numbers; "
            "expected a weight nearer to 1"
        )
    recall, precision = rounded(recall), rounded(precision)
    return np.stack((recall, precision, rounded(f_measure(recall, precision, alpha))))


def sum_models(counts: Counts, starts: NDArray[np.int64]) -> Counts:
    """Add up the counts over the models: formula A.

    From a row for each pair to one for each instance, whose first pair is in `starts`.
    """
    n_pairs = counts.hit.size
    if starts.size == n_pairs:
        return counts.apply(lambda values: values)
    core = compiled_core()

    def summed(values: NDArray[Any]) -> NDArray[Any]:
        if core is not None and _are_whole(values):
            sums = np.empty(starts.size, np.int64)
            if core.sum_models(values, starts, sums):
                return sums
        instances = np.repeat(np.arange(starts.size), np.diff(np.append(starts, n_pairs)))
        return ordered_sums(instances, values, starts.size)

    return counts.apply(summed)


def best_model(
    counts: Counts,
    starts: NDArray[np.int64],
    *,
    weight: float | None = None,
    is_rounded: bool = True,
) -> NDArray[np.int64]:
    """Find the pair with the best recall of each instance, the first of equals: formula B.

    With the `weight` of ROUGE-W, models are compared by the base weighted once. ROUGE-L and ROUGE-W
    compare recall exactly; the others, with `is_rounded`, as rounded to 5 decimals.
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
