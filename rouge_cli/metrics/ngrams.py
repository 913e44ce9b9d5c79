"""ROUGE-N: n-grams as multisets.

An n-gram of the model hits as often as the peer has it too: the hit of a pair is the sum over the
n-grams of ``min(count in model, count in peer)``. N-grams run across the ends of sentences.
Source: specification, section 5, "ROUGE-N".
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator
from typing import Any, ClassVar, TypeVar

import numpy as np

from rouge_cli.metrics.counts import Counts, PairCounts
from rouge_cli.metrics.formulas import CountedMetric
from rouge_cli.metrics.marks import Match, PairMarks, Place
from rouge_cli.metrics.paired_texts import (
    NGRAM,
    PairedTexts,
    PairUnit,
    Reading,
    TextPair,
    TextPairs,
    Tokens,
    Whole,
)
from rouge_cli.options.metrics import MetricOptions
from rouge_cli.quick_dataclass import dataclass

Unit = TypeVar("Unit", bound=Hashable)


@dataclass(frozen=True, slots=True)
class RougeN(CountedMetric):
    """ROUGE-1 to ROUGE-N."""

    max_ngram: int
    reading: ClassVar[Reading] = Reading()
    is_compiled: ClassVar[bool] = True

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

    def count_pair(self, pair: TextPair) -> list[PairCounts]:
        """Count the n-grams of each order."""
        peer, model = pair.peer.tokens, pair.model.tokens
        return [count_ngrams(peer, model, n) for n in range(1, self.max_ngram + 1)]

    def mark_pair(self, pair: TextPair) -> list[PairMarks]:
        """Return the n-grams of each order that are in both texts."""
        peer, model = pair.peer.tokens, pair.model.tokens
        return [PairMarks(matched_ngrams(peer, model, n)) for n in range(1, self.max_ngram + 1)]

    def count_compiled(self, texts: PairedTexts) -> list[Counts] | None:
        """Count all pairs of a block with the core."""
        pairs = texts.pairs(self.reading)
        if (core := pairs.core) is None:
            return None
        peers, models = pairs.peer_counts, pairs.model_counts
        return [
            Counts(hits, np.maximum(models - n, 0), np.maximum(peers - n, 0))
            for n, hits in enumerate(ngram_hits(core, pairs, self.max_ngram))
        ]

    @property
    def core_units(self) -> list[PairUnit]:
        """The n-grams of each order."""
        return [PairUnit(NGRAM, n) for n in range(1, self.max_ngram + 1)]


def ngram_hits(core: Any, pairs: TextPairs, max_ngram: int) -> list[Whole]:
    """Return the hits of ROUGE-1 to ROUGE-N, each of shape (n_pairs,)."""
    return pairs.hits(core, [PairUnit(NGRAM, n) for n in range(1, max_ngram + 1)])


def count_ngrams(peer: Tokens, model: Tokens, n: int) -> PairCounts:
    """Count the n-grams of one order in both texts."""
    return PairCounts(
        shared_count(Counter(ngrams(peer, n)), Counter(ngrams(model, n))),
        max(len(model) - n + 1, 0),
        max(len(peer) - n + 1, 0),
    )


def ngrams(tokens: Tokens, n: int) -> Iterable[Hashable]:
    """Return the n-grams in order; the unigrams are the tokens themselves."""
    # zip makes a tuple of bigrams as fast as C does; a list of slices takes three times as long.
    return tokens if n == 1 else zip(*(tokens[start:] for start in range(n)), strict=False)


def shared_count(peer: Counter[Unit], model: Counter[Unit]) -> int:
    """Return the hit of two multisets: each unit counts as often as both have it."""
    # (peer & model).total() makes a third multiset, and takes twice as long.
    return sum([min(peer[unit], model[unit]) for unit in peer.keys() & model.keys()])


def matched_ngrams(peer: Tokens, model: Tokens, n: int) -> tuple[Match, ...]:
    """Return the n-grams that are in both texts, in the order of the model."""
    shared = frozenset(ngrams(peer, n)).intersection(ngrams(model, n))
    return matched_units(_occurrences(peer, n, shared), _occurrences(model, n, shared))


def _occurrences(
    tokens: Tokens, n: int, shared: Collection[Hashable]
) -> Iterator[tuple[Hashable, Place]]:
    """Yield each n-gram that is in `shared`, with the tokens that it is made of."""
    return (
        (unit, tuple(range(start, start + n)))
        for start, unit in enumerate(ngrams(tokens, n))
        if unit in shared
    )


def matched_units(
    peer: Iterable[tuple[Unit, Place]], model: Iterable[tuple[Unit, Place]]
) -> tuple[Match, ...]:
    """Return the units that are in both texts, in the order of the model."""
    peer_places: dict[Unit, list[Place]] = defaultdict(list)
    model_places: dict[Unit, list[Place]] = defaultdict(list)
    for unit, place in peer:
        peer_places[unit].append(place)
    for unit, place in model:
        if unit in peer_places:
            model_places[unit].append(place)
    return tuple(
        Match(tuple(peer_places[unit]), tuple(places), min(len(peer_places[unit]), len(places)))
        for unit, places in model_places.items()
    )
