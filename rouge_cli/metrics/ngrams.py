"""ROUGE-N: n-grams as multisets.

The idea. An n-gram can only match where the (n-1)-gram at its start and the token at its end have
matched. So each order joins what the order before left over: the group of the shorter n-gram and
the group of the token behind it, as one key. The work shrinks from order to order.
Source: specification, section 5, "ROUGE-N".
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from rouge_cli.metrics.counts import Counts
from rouge_cli.metrics.formulas import CountedMetric
from rouge_cli.metrics.matching import Matches, groups_of, join_keys
from rouge_cli.metrics.paired_texts import PairedTexts, Reading
from rouge_cli.options.metrics import MetricOptions

__all__ = ["RougeN", "count_ngrams"]


@dataclass(frozen=True, slots=True)
class RougeN(CountedMetric):
    """ROUGE-1 to ROUGE-N."""

    max_ngram: int
    reading: ClassVar[Reading] = Reading()

    @classmethod
    def asked_for(cls, options: MetricOptions) -> "RougeN | None":
        """Return the metrics if the options ask for them."""
        return None if options.max_ngram is None else cls(options.max_ngram)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the metrics."""
        return tuple(f"ROUGE-{n}" for n in range(1, self.max_ngram + 1))

    @property
    def signature(self) -> tuple[str, ...]:
        """One part for all of them."""
        return (f"n:{self.max_ngram}",)

    def count(self, texts: PairedTexts) -> list[Counts]:
        """Count the hits of each pair."""
        return count_ngrams(texts.matches(self.reading), self.max_ngram)


def count_ngrams(matches: Matches, max_ngram: int) -> list[Counts]:
    """Count the n-grams of each pair that match, for n from 1 to `max_ngram`."""
    peer_tokens, model_tokens = matches.peer_groups, matches.model_groups
    peer_ngrams, model_ngrams = peer_tokens, model_tokens
    pairs, hits = matches.pairs, [matches.sum_by_pair(matches.join.hits)]
    for n in range(2, max_ngram + 1):
        peer_places = _extensible(peer_ngrams, pairs, peer_tokens, matches.pairs, n)
        model_places = _extensible(model_ngrams, pairs, model_tokens, matches.pairs, n)
        join = join_keys(
            _extended(peer_ngrams, peer_tokens, peer_places, n, matches.pairs.size),
            _extended(model_ngrams, model_tokens, model_places, n, matches.pairs.size),
        )
        pairs = matches.pairs[join.keys % max(matches.pairs.size, 1)]
        hits.append(np.bincount(pairs, join.hits, matches.n_pairs).astype(np.int64))
        if n < max_ngram:
            peer_ngrams = groups_of(
                peer_tokens.size, peer_places[join.peer_members], join.peer_counts
            )
            model_ngrams = groups_of(
                model_tokens.size, model_places[join.model_members], join.model_counts
            )
    return [
        Counts(
            hit,
            np.maximum(matches.models.token_counts - order, 0),
            np.maximum(matches.peers.token_counts - order, 0),
        )
        for order, hit in enumerate(hits)
    ]


def _extensible(
    ngrams: NDArray[np.int64],
    ngram_pairs: NDArray[np.int64],
    tokens: NDArray[np.int64],
    token_pairs: NDArray[np.int64],
    n: int,
) -> NDArray[np.int64]:
    """Return the tokens at which a matched (n-1)-gram begins that a matched token follows.

    Both have to lie in the same text, which they do if their groups belong to the same pair.
    """
    followers = tokens[n - 1 :]
    places = np.flatnonzero((ngrams[: followers.size] >= 0) & (followers >= 0))
    ngram_pair = ngram_pairs.take(ngrams.take(places))
    is_inside = ngram_pair == token_pairs.take(followers.take(places))
    return places.take(np.flatnonzero(is_inside))


def _extended(
    ngrams: NDArray[np.int64],
    tokens: NDArray[np.int64],
    places: NDArray[np.int64],
    n: int,
    n_groups: int,
) -> NDArray[np.int64]:
    """Return the keys of n-grams: the group of the (n-1)-gram and that of the token behind it."""
    keys = ngrams.take(places) * n_groups
    keys += tokens.take(places + n - 1)
    return keys
