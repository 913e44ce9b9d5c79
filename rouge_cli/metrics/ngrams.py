"""ROUGE-N: n-grams as multisets.

The idea. An n-gram can only match where the (n-1)-gram at its start and the token at its end have
matched. So each order joins what the order before left over: the group of the shorter n-gram and
the group of the token behind it, as one key. The work shrinks from order to order.
Source: specification, section 5, "ROUGE-N".
"""

from collections.abc import Iterator
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from rouge_cli.metrics.compiled import ngram_hits
from rouge_cli.metrics.counts import Counts
from rouge_cli.metrics.formulas import CountedMetric
from rouge_cli.metrics.marks import Marks, Units, spread
from rouge_cli.metrics.matching import Join, Matches, groups_of, join_keys
from rouge_cli.metrics.paired_texts import PairedTexts, Reading
from rouge_cli.metrics.single_pair import PairCounts, SinglePair
from rouge_cli.metrics.text_pairs import TextPairs
from rouge_cli.options.metrics import MetricOptions
from rouge_cli.quick_dataclass import dataclass

__all__ = ["NgramJoin", "RougeN", "count_ngrams", "ngram_counts", "ngram_joins"]


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
        pairs = texts.pairs(self.reading)
        core = pairs.core
        if core is None:
            return count_ngrams(texts.matches(self.reading), self.max_ngram)
        hits = ngram_hits(core, pairs, self.max_ngram)
        return [ngram_counts(pairs, n, of_order) for n, of_order in enumerate(hits, 1)]

    def marks(self, texts: PairedTexts) -> list[Marks]:
        """Return what matches in each pair."""
        matches, seen = texts.matches(self.reading), texts.seen(self.reading)
        return [
            Marks(ngram_counts(matches, n, found.hits(matches.n_pairs)), *seen, (found.units(n),))
            for n, found in enumerate(ngram_joins(matches, self.max_ngram), 1)
        ]

    def count_pair(self, pair: SinglePair) -> list[PairCounts]:
        """Count the hits of one small pair."""
        return [pair.count_ngrams(n) for n in range(1, self.max_ngram + 1)]


@dataclass(frozen=True, slots=True, eq=False)
class NgramJoin:
    """The n-grams of one order that occur in both texts of their pair.

    Parameters
    ----------
    join : Join
        The groups; members are places in `peer_places` and `model_places`.
    pairs : ndarray of int64, shape (n_groups,)
        The pair of each group.
    peer_places, model_places : ndarray of int64 or None
        The tokens at which n-grams begin; None if members are tokens, as in unigrams.
    """

    join: Join
    pairs: NDArray[np.int64]
    peer_places: NDArray[np.int64] | None = None
    model_places: NDArray[np.int64] | None = None

    def hits(self, n_pairs: int) -> NDArray[np.int64]:
        """Return the clipped hits of each pair, shape (n_pairs,)."""
        return np.bincount(self.pairs, self.join.hits, n_pairs).astype(np.int64)

    def units(self, n: int) -> Units:
        """Return the n-grams, with the tokens of each."""
        return Units.of_join(
            self.join, self.pairs, spread(self.peer_members, n), spread(self.model_members, n)
        )

    @property
    def peer_members(self) -> NDArray[np.int64]:
        """The tokens of the peers at which the n-grams begin, group by group."""
        members = self.join.peer_members
        return members if self.peer_places is None else self.peer_places[members]

    @property
    def model_members(self) -> NDArray[np.int64]:
        """The tokens of the models at which the n-grams begin, group by group."""
        members = self.join.model_members
        return members if self.model_places is None else self.model_places[members]


def count_ngrams(matches: Matches, max_ngram: int) -> list[Counts]:
    """Count the n-grams of each pair that match, for n from 1 to `max_ngram`."""
    return [
        ngram_counts(matches, n, found.hits(matches.n_pairs))
        for n, found in enumerate(ngram_joins(matches, max_ngram), 1)
    ]


def ngram_counts(texts: Matches | TextPairs, n: int, hits: NDArray[np.int64]) -> Counts:
    """Return the hits of each pair with the numbers of n-grams."""
    return Counts(
        hits,
        np.maximum(texts.model_counts - (n - 1), 0),
        np.maximum(texts.peer_counts - (n - 1), 0),
    )


def ngram_joins(matches: Matches, max_ngram: int) -> Iterator[NgramJoin]:
    """Yield the n-grams that match, for n from 1 to `max_ngram`."""
    peer_tokens, model_tokens = matches.peer_groups, matches.model_groups
    peer_ngrams, model_ngrams = peer_tokens, model_tokens
    found = NgramJoin(matches.join, matches.pairs)
    yield found
    for n in range(2, max_ngram + 1):
        peer_places = _extensible(peer_ngrams, found.pairs, peer_tokens, matches.pairs, n)
        model_places = _extensible(model_ngrams, found.pairs, model_tokens, matches.pairs, n)
        join = join_keys(
            _extended(peer_ngrams, peer_tokens, peer_places, n, matches.pairs.size),
            _extended(model_ngrams, model_tokens, model_places, n, matches.pairs.size),
        )
        pairs = matches.pairs[join.keys % max(matches.pairs.size, 1)]
        found = NgramJoin(join, pairs, peer_places, model_places)
        yield found
        if n < max_ngram:
            peer_ngrams = groups_of(peer_tokens.size, found.peer_members, join.peer_counts)
            model_ngrams = groups_of(model_tokens.size, found.model_members, join.model_counts)


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
