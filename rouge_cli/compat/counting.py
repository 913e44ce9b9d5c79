"""From texts in columns to the counts and scores of each pair, metric by metric."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from rouge_cli.compat.readers import TextReadings
from rouge_cli.compat.rouge_types import RougeType
from rouge_cli.compat.scoring import GOOGLE, Score
from rouge_cli.compat.token_counts import ALPHA
from rouge_cli.metrics.counts import Counts
from rouge_cli.metrics.lcs import count_lcs
from rouge_cli.metrics.lcs_backtracking import MarkedRows, backtrack_lcs
from rouge_cli.metrics.matching import Matches, match_tokens
from rouge_cli.metrics.ngrams import count_ngrams
from rouge_cli.metrics.ratios import quotients, score_counts
from rouge_cli.metrics.skip_bigrams import count_skip_bigrams
from rouge_cli.metrics.weighted_lcs import count_wlcs

__all__ = ["count_pairs", "pair_scores"]


def count_pairs(
    rouge_types: Sequence[RougeType],
    texts: TextReadings,
    peers: NDArray[np.int64],
    models: NDArray[np.int64],
) -> list[Counts]:
    """Count the hits of some pairs.

    Parameters
    ----------
    rouge_types : sequence of RougeType
    texts : TextReadings
    peers, models : ndarray of int64, shape (n_pairs,)
        The texts of each pair.

    Returns
    -------
    list of Counts
        One for each metric; a row a pair.
    """
    matched = _MatchedPairs(rouge_types, texts, peers, models)
    return [COUNTERS[rouge_type.family](matched, rouge_type) for rouge_type in rouge_types]


class _MatchedPairs:
    """What the metrics share; made when it is first asked for."""

    __slots__ = ("_by_sentence", "_ngrams", "_pairs", "_walked", "_whole", "largest_order")

    def __init__(
        self,
        rouge_types: Sequence[RougeType],
        texts: TextReadings,
        peers: NDArray[np.int64],
        models: NDArray[np.int64],
    ) -> None:
        self._pairs = texts, peers, models
        self.largest_order = max((rouge_type.order for rouge_type in rouge_types), default=0)
        self._by_sentence: Matches | None = None
        self._whole: Matches | None = None
        self._walked: list[MarkedRows] | None = None
        self._ngrams: list[Counts] | None = None

    @property
    def by_sentence(self) -> Matches:
        """The matches of texts with their sentences."""
        if self._by_sentence is None:
            texts, peers, models = self._pairs
            columns = texts.by_sentence
            self._by_sentence = match_tokens(
                columns.take(peers), columns.take(models), texts.n_types
            )
        return self._by_sentence

    @property
    def whole(self) -> Matches:
        """The matches of texts as one sequence each."""
        if self._whole is None:
            texts, peers, models = self._pairs
            if texts.have_same_tokens:
                # Which tokens are equal has nothing to do with the ends of sentences.
                matches = self.by_sentence
                self._whole = replace(
                    matches,
                    peers=matches.peers.as_one_sentence(),
                    models=matches.models.as_one_sentence(),
                )
            else:
                columns = texts.whole
                self._whole = match_tokens(columns.take(peers), columns.take(models), texts.n_types)
        return self._whole

    @property
    def walked(self) -> list[MarkedRows]:
        """The walks through the LCS tables of the sentences, for ROUGE-L and ROUGE-W."""
        if self._walked is None:
            self._walked = backtrack_lcs(self.by_sentence)
        return self._walked

    @property
    def ngrams(self) -> list[Counts]:
        """The counts of ROUGE-1 to the largest order."""
        if self._ngrams is None:
            self._ngrams = count_ngrams(self.whole, self.largest_order)
        return self._ngrams


def _ngrams(matched: _MatchedPairs, rouge_type: RougeType) -> Counts:
    """Count for ROUGE-N."""
    return matched.ngrams[rouge_type.order - 1]


def _lcs_of_texts(matched: _MatchedPairs, rouge_type: RougeType) -> Counts:
    """Count for the LCS of whole texts."""
    return count_lcs(matched.whole, matched.whole, backtrack_lcs(matched.whole))


def _lcs_of_sentences(matched: _MatchedPairs, rouge_type: RougeType) -> Counts:
    """Count for the union LCS of sentences."""
    return count_lcs(matched.by_sentence, matched.by_sentence, matched.walked)


def _wlcs(matched: _MatchedPairs, rouge_type: RougeType) -> Counts:
    """Count for ROUGE-W."""
    return count_wlcs(
        matched.by_sentence,
        matched.by_sentence,
        matched.walked,
        float(rouge_type.weight),
        is_whole=rouge_type.weight.isdecimal(),
    )


def _skip_bigrams(matched: _MatchedPairs, rouge_type: RougeType) -> Counts:
    """Count for ROUGE-S or ROUGE-SU."""
    variants = [rouge_type.family == "SU"]
    return count_skip_bigrams(matched.whole, rouge_type.max_gap, variants)[0]


COUNTERS: dict[str, Callable[[_MatchedPairs, RougeType], Counts]] = {
    "N": _ngrams,
    "L": _lcs_of_texts,
    "Lsum": _lcs_of_sentences,
    "W": _wlcs,
    "S": _skip_bigrams,
    "SU": _skip_bigrams,
}


def pair_scores(counts: Counts, weight: float | None, like: str) -> list[Score]:
    """Return the scores of many pairs, in order, as `pair_score` does.

    Parameters
    ----------
    counts : Counts
        A row a pair.
    weight : float or None
        The weight of ROUGE-W.
    like : str
    """
    scores = _unrounded(counts) if like == GOOGLE else score_counts(counts, ALPHA, weight)
    recall, precision, f = scores.tolist()
    return list(map(Score, precision, recall, f))


def _unrounded(counts: Counts) -> NDArray[np.float64]:
    """Return recall, precision and F of each row; shape (3, n_pairs)."""
    recall = quotients(counts.hit, counts.model_count)
    precision = quotients(counts.hit, counts.peer_count)
    divisor = precision + recall
    f = np.divide(2 * precision * recall, divisor, out=np.zeros_like(divisor), where=divisor > 0)
    return np.stack((recall, precision, f))
