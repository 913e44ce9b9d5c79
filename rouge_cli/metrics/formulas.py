"""The base classes of metrics, and how counts of pairs become scores of instances.

Source: specification, section 5, "Several models", and section 6.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from rouge_cli.core import compiled_core
from rouge_cli.errors import OptionError
from rouge_cli.metrics.arithmetic import Floats, Whole, f_measure, ordered_sums, quotients, rounded
from rouge_cli.metrics.counts import (
    RPF,
    SHARES,
    Counts,
    InstanceScores,
    MarkedPairs,
    PairCounts,
    PairMarks,
    ScoredMetric,
    SeenTexts,
)
from rouge_cli.metrics.paired_texts import PairedTexts, PairUnit, Reading, TextPair
from rouge_cli.options.scores import BEST_F, SUM_OF_COUNTS, ScoreOptions


class Metric(Protocol):
    """One metric, or several that are computed together.

    Only metrics that count words override the methods that return None by default.
    """

    @property
    def columns(self) -> tuple[ScoredMetric, ...]:
        """The names and measures of the metrics, in print order."""

    @property
    def signature(self) -> tuple[str, ...]:
        """The settings that affect scores, as parts of the signature."""

    @property
    def reading(self) -> Reading:
        """The reading of texts that the metric needs."""

    @property
    def is_compiled(self) -> bool:
        """Whether the core, if installed, counts the metric, so that threads replace processes."""
        return False

    def prepare(self) -> None:
        """Load what the metric needs besides texts, before workers start; raises InputError."""
        # With nothing but a docstring, type checkers would consider the method abstract.
        return

    def count_pair(self, pair: TextPair) -> Sequence[PairCounts] | None:
        """Count one pair, for each of `columns`; None if tokens alone are not enough."""
        return None

    @property
    def core_units(self) -> Sequence[PairUnit] | None:
        """The units that the core counts in one pass, one for each of `columns`, or None."""
        return None

    def explain(self, texts: PairedTexts, options: ScoreOptions) -> list[MarkedPairs] | None:
        """Return the matches in each pair, and which of them count, for each of `columns`.

        Returns None if the scores do not come from matching words.
        """
        return None

    def explain_states(self, texts: PairedTexts, options: ScoreOptions) -> list[MarkedPairs] | None:
        """Do the same as `explain`, for callers that need only the states of words."""
        return self.explain(texts, options)

    def score(self, texts: PairedTexts, options: ScoreOptions) -> list[InstanceScores]:
        """Return the scores of each instance, for each of `columns`.

        Raises OptionError if the options make scores infinite or undefined.
        """


class CountedMetric(Metric, Protocol):
    """The base of metrics that count hits, model units and peer units, as all of ROUGE does.

    `count_pair` defines the metric. The core may count the same, for one pair or a whole block.
    """

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the metrics that are counted together, in print order."""

    @property
    def root(self) -> float | None:
        """W of ROUGE-W, whose recall and precision are W-th roots; None in other metrics."""
        return None

    @property
    def compares_rounded(self) -> bool:
        """Whether formula B compares recall rounded to 5 decimals, not exactly."""
        return True

    @property
    def has_whole_counts(self) -> bool:
        """Whether counts are whole numbers; False in ROUGE-W with most weights."""
        return True

    def count_compiled(self, texts: PairedTexts) -> list[Counts] | None:
        """Count all pairs with the core, once for each of `names`; None if it cannot."""
        return None

    def mark_pair(self, pair: TextPair) -> Sequence[PairMarks] | None:
        """Return the matches in one pair, and which of them count, for each of `names`.

        Returns None if the metric makes no marks; its scores are then explained without words.
        """
        return None

    def mark_states(self, texts: PairedTexts) -> list[list[PairMarks]] | None:
        """Return the states of the words of all pairs, for each of `names`.

        This is faster than `mark_pair`, for pages that show thousands of texts. Returns None if the
        metric has no faster way.
        """
        return None

    def explain_states(self, texts: PairedTexts, options: ScoreOptions) -> list[MarkedPairs] | None:
        states = self.mark_states(texts)
        if states is None:
            return self.explain(texts, options)
        return self.marked_pairs(texts, options, zip(*states, strict=True))

    def text_pairs(self, texts: PairedTexts) -> Iterable[TextPair]:
        """Return the pairs as the metric reads them."""
        return texts.text_pairs(self.reading)

    def seen(self, texts: PairedTexts) -> tuple[SeenTexts, SeenTexts]:
        """Return the words of all peers and of all models, one for each token of `text_pairs`."""
        return texts.seen(self.reading)

    def count(self, texts: PairedTexts) -> list[Counts]:
        """Count the hits of each pair, for each of `names`."""
        if self.is_compiled and texts.unigram_pairs(self.reading).core is not None:
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
        return _shares(self.names)

    def score(self, texts: PairedTexts, options: ScoreOptions) -> list[InstanceScores]:
        scores = []
        for counts in self.count(texts):
            pairs = self._chosen_pairs(counts, texts.starts, options)
            combined = sum_models(counts, texts.starts) if pairs is None else counts.take(pairs)
            values = score_counts(combined, options.alpha.value, self.root)
            scores.append(InstanceScores(values, combined))
        return scores

    def explain(self, texts: PairedTexts, options: ScoreOptions) -> list[MarkedPairs] | None:
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
        """Add counts and scores to marks, given as one row per pair with an entry per name."""
        sides = self.seen(texts)
        explained = []
        for counts, marked in zip(self.count(texts), zip(*rows, strict=True), strict=True):
            chosen = self._chosen_pairs(counts, texts.starts, options)
            # Unless one pair represents each instance, all pairs count.
            is_counted = np.full(texts.models.size, chosen is None)
            if chosen is not None:
                is_counted[chosen] = True
            values = score_counts(counts, options.alpha.value, self.root)
            explained.append(
                MarkedPairs(list(marked), *sides, counts, values, is_counted, self.root)
            )
        return explained

    def _chosen_pairs(self, counts: Counts, starts: Whole, options: ScoreOptions) -> Whole | None:
        """Return the pair that represents each instance; None if the counts of all are added."""
        if options.formula == SUM_OF_COUNTS:
            return None
        if options.formula == BEST_F:
            # The maximum over the models; the original has no such formula. Source: Lin (2004),
            # section 2.1.
            return _first_best(score_counts(counts, options.alpha.value, self.root)[2], starts)
        return best_model(counts, starts, weight=self.root, is_rounded=self.compares_rounded)


# Cached, because a program that scores one pair per call requests the same columns every time.
@lru_cache(maxsize=64)
def _shares(names: tuple[str, ...]) -> tuple[ScoredMetric, ...]:
    return tuple(ScoredMetric(name, RPF, SHARES) for name in names)


def score_counts(counts: Counts, alpha: float, weight: float | None = None) -> Floats:
    """Return recall, precision and F of each row, rounded; shape (3, n).

    `alpha` is the weight of precision in F. `weight` is W of ROUGE-W, whose recall and precision
    are W-th roots. Raises OptionError if the weight makes them infinite or undefined.
    """
    if weight is None and (core := compiled_core()) is not None:
        peer_hit = counts.hit if counts.peer_hit is None else counts.peer_hit
        columns = counts.hit, counts.model_count, peer_hit, counts.peer_count
        values = np.empty((3, counts.hit.size))
        # The core reads only int64, and returns False if counts are too large for it.
        if all(map(_is_readable, columns)) and core.score_counts(*columns, alpha, values):
            return values
    return rounded_scores(counts, alpha, weight)


def _is_readable(counts: NDArray[Any]) -> bool:
    return counts.dtype == np.int64 and counts.flags.c_contiguous


def rounded_scores(counts: Counts, alpha: float, weight: float | None = None) -> Floats:
    """Do the same as `score_counts` without the core."""
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


def sum_models(counts: Counts, starts: Whole) -> Counts:
    """Add up the counts over the models of each instance: formula A.

    `starts` holds the first pair of each instance.
    """
    n_pairs = counts.hit.size
    # With one model per instance there is nothing to add.
    if starts.size == n_pairs:
        return counts.apply(lambda values: values)
    core = compiled_core()

    def summed(values: NDArray[Any]) -> NDArray[Any]:
        # The core returns False if counts are too large for it.
        if core is not None and _is_readable(values):
            sums = np.empty(starts.size, np.int64)
            if core.sum_models(values, starts, sums):
                return sums
        instances = np.repeat(np.arange(starts.size), np.diff(np.append(starts, n_pairs)))
        return ordered_sums(instances, values, starts.size)

    return counts.apply(summed)


def best_model(
    counts: Counts, starts: Whole, *, weight: float | None = None, is_rounded: bool = True
) -> Whole:
    """Return the first pair of each instance with the highest recall: formula B.

    In ROUGE-W, which passes its `weight`, the divisor of this recall is the model count weighted
    once. ROUGE-L and ROUGE-W compare recall exactly; the other metrics round it to 5 decimals first
    (`is_rounded`).
    """
    base = counts.model_count if counts.model_base is None else counts.model_base
    # An undefined recall counts as 0 here; `score_counts` rejects it later.
    recall = np.nan_to_num(quotients(counts.hit, base, weight))
    score: NDArray[Any] = rounded(recall) if is_rounded else recall
    return _first_best(score, starts)


def _first_best(score: NDArray[Any], starts: Whole) -> Whole:
    n_models = np.diff(np.append(starts, score.size))
    is_best = score == np.repeat(np.maximum.reduceat(score, starts), n_models)
    # The lowest number among the best pairs of each instance; other pairs get one beyond all.
    return np.minimum.reduceat(np.where(is_best, np.arange(score.size), score.size), starts)
