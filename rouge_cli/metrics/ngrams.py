"""ROUGE-N: n-grams as multisets.

The hit of a pair is the sum of ``min(count in model, count in peer)`` over all n-grams, which run
across the ends of sentences.
Source: specification, section 5, "ROUGE-N".
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator
from typing import Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

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
    def from_options(cls, options: MetricOptions) -> "RougeN | None":
        """Return the metrics with ``-n``."""
        return None if options.max_ngram is None else cls(options.max_ngram)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the metrics."""
        return tuple(f"ROUGE-{n}" for n in range(1, self.max_ngram + 1))

    @property
    def signature(self) -> tuple[str, ...]:
        """One part for all orders."""
        return (f"n:{self.max_ngram}",)

    def count_pair(self, pair: TextPair) -> list[PairCounts]:
        """Count the n-grams of each order."""
        peer, model = pair.peer.tokens, pair.model.tokens
        return [count_ngrams(peer, model, n) for n in range(1, self.max_ngram + 1)]

    def mark_pair(self, pair: TextPair) -> list[PairMarks]:
        """Mark the n-grams of each order that are in both texts."""
        peer, model = pair.peer.tokens, pair.model.tokens
        return [PairMarks(matched_ngrams(peer, model, n)) for n in range(1, self.max_ngram + 1)]

    def mark_states(self, texts: PairedTexts) -> list[list[PairMarks]] | None:
        """Mark the n-grams of all pairs at once."""
        tokens = texts.pairs(self.reading).tokens()
        marked = []
        for n in range(1, self.max_ngram + 1):
            starts, units = tokens.ngrams(n)
            marked.append(tokens.states(starts, units, tokens.hits(starts, units), n))
        return marked

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


def ngram_hits(core: Any, pairs: TextPairs, max_ngram: int) -> list[NDArray[np.int64]]:
    """Return the hits of ROUGE-1 to ROUGE-N, each of shape (n_pairs,)."""
    return pairs.hits(core, [PairUnit(NGRAM, n) for n in range(1, max_ngram + 1)])


def count_ngrams(peer: Tokens, model: Tokens, n: int) -> PairCounts:
    """Count the n-grams of one order."""
    return PairCounts(
        shared_count(Counter(ngrams(peer, n)), Counter(ngrams(model, n))),
        max(len(model) - n + 1, 0),
        max(len(peer) - n + 1, 0),
    )


def ngrams(tokens: Tokens, n: int) -> Iterable[Hashable]:
    """Return the n-grams in order; unigrams are the tokens themselves."""
    # zip makes tuples at the speed of C; a list of slices takes three times as long.
    return tokens if n == 1 else zip(*(tokens[start:] for start in range(n)), strict=False)


def shared_count(peer: Counter[Unit], model: Counter[Unit]) -> int:
    """Return the size of the intersection of two multisets."""
    # (peer & model).total() makes a third multiset and takes twice as long.
    return sum([min(peer[unit], model[unit]) for unit in peer.keys() & model.keys()])


def matched_ngrams(peer: Tokens, model: Tokens, n: int) -> tuple[Match, ...]:
    """Return the n-grams that are in both texts, in the order of the model."""
    shared = frozenset(ngrams(peer, n)).intersection(ngrams(model, n))
    return matched_units(_occurrences(peer, n, shared), _occurrences(model, n, shared))


def _occurrences(
    tokens: Tokens, n: int, shared: Collection[Hashable]
) -> Iterator[tuple[Hashable, Place]]:
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
