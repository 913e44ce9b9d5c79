"""ROUGE-S and ROUGE-SU: ordered pairs of words with a limited number of words between them.

The skip-bigrams of a text are the pairs (i, j) with ``i < j <= i + max_gap + 1``, or ``i < j``
without a limit. Their multisets are compared like those of n-grams. ROUGE-SU adds the unigram of
each token except the last, so a text of one token has no units at all.

A skip-bigram can match only if both its words are in the other text. These words are few, and their
positions are found first. Then skip-bigrams are counted by their second word, separately for each
first word. This bounds the memory: a text of 10,000 words has 50,000,000 skip-bigrams.
Source: specification, section 5, "ROUGE-S".
"""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterator
from itertools import chain
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rouge_cli.metrics.counts import Counts, PairCounts
from rouge_cli.metrics.formulas import CountedMetric
from rouge_cli.metrics.marks import PairMarks, Place
from rouge_cli.metrics.ngrams import count_ngrams, matched_units, shared_count
from rouge_cli.metrics.paired_texts import PairedTexts, Reading, TextPair, TextPairs, Tokens
from rouge_cli.options.declaration import Number
from rouge_cli.options.metrics import MetricOptions
from rouge_cli.quick_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class RougeS(CountedMetric):
    """ROUGE-S, ROUGE-SU or both: False and True in `with_unigrams`, in print order.

    At most `max_gap` words are between the two words, any number if it is negative.
    """

    max_gap: Number
    with_unigrams: tuple[bool, ...]
    reading: ClassVar[Reading] = Reading(stems_models=True)
    is_compiled: ClassVar[bool] = True

    @classmethod
    def from_options(cls, options: MetricOptions) -> "RougeS | None":
        """Return the metrics with ``-2``."""
        if options.max_gap is None:
            return None
        both = options.skip_and_unigram and not options.skip_unigram
        return cls(options.max_gap, (False, True) if both else (options.skip_unigram,))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the metrics, with the gap as typed."""
        gap = "*" if self.max_gap.value < 0 else self.max_gap.text
        return tuple(f"ROUGE-S{'U' * unigrams}{gap}" for unigrams in self.with_unigrams)

    @property
    def signature(self) -> tuple[str, ...]:
        """One part for each metric."""
        gap = "*" if self.max_gap.value < 0 else int(self.max_gap.value)
        return tuple(f"s{'u' * unigrams}:{gap}" for unigrams in self.with_unigrams)

    def count_pair(self, pair: TextPair) -> list[PairCounts]:
        """Count the skip-bigrams, and the unigrams that ROUGE-SU adds."""
        peer, model = pair.peer.tokens, pair.model.tokens
        counts = count_skip_bigrams(peer, model, int(self.max_gap.value))
        if True not in self.with_unigrams:
            return [counts]
        extended = plus_unigrams(counts, peer, model)
        return [extended if adds else counts for adds in self.with_unigrams]

    def mark_pair(self, pair: TextPair) -> list[PairMarks]:
        """Mark the skip-bigrams, and the unigrams of ROUGE-SU, that are in both texts."""
        peer, model, max_gap = pair.peer.tokens, pair.model.tokens, int(self.max_gap.value)
        shared = frozenset(peer).intersection(model)
        matches = matched_units(
            _occurrences(peer, shared, max_gap), _occurrences(model, shared, max_gap)
        )
        unigrams = matched_units(_but_last(peer), _but_last(model))
        with_unigrams = tuple(sorted((*matches, *unigrams), key=lambda match: match.model))
        return [PairMarks(with_unigrams if adds else matches) for adds in self.with_unigrams]

    def count_compiled(self, texts: PairedTexts) -> list[Counts] | None:
        """Count all pairs of a block with the core."""
        pairs = texts.pairs(self.reading)
        if (core := pairs.core) is None:
            return None
        counts = skip_bigram_counts(core, pairs, int(self.max_gap.value))
        return [counts[adds] for adds in self.with_unigrams]


def skip_bigram_counts(core: Any, pairs: TextPairs, max_gap: int) -> tuple[Counts, Counts]:
    """Return the counts of ROUGE-S and of ROUGE-SU; a negative `max_gap` means no limit."""
    peers, models = pairs.peer_counts, pairs.model_counts
    # A gap beyond the longest text does not limit anything, and its square would overflow.
    longest = int(max(peers.max(initial=0), models.max(initial=0)))
    max_gap = max(-1, min(max_gap, longest))
    hits, unigram_hits = skip_bigram_hits(core, pairs, max_gap)
    model_count, peer_count = (
        np.array([_number_of_pairs(n, max_gap) for n in counts.tolist()], np.int64)
        for counts in (models, peers)
    )
    with_unigrams = Counts(
        hits + unigram_hits, model_count + (models - 1).clip(0), peer_count + (peers - 1).clip(0)
    )
    return Counts(hits, model_count, peer_count), with_unigrams


def skip_bigram_hits(
    core: Any, pairs: TextPairs, max_gap: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the hits of ROUGE-S, and those that ROUGE-SU adds, each of shape (n_pairs,)."""
    hits, unigram_hits = np.empty(pairs.n_pairs, np.int64), np.empty(pairs.n_pairs, np.int64)
    core.count_skip_bigrams(pairs.compiled(core), max_gap, hits, unigram_hits)
    return hits, unigram_hits


def count_skip_bigrams(peer: Tokens, model: Tokens, max_gap: int) -> PairCounts:
    """Count the skip-bigrams of two texts; a negative `max_gap` means no limit."""
    shared = frozenset(peer).intersection(model)
    peer_counter = _second_word_counter(peer, shared, max_gap)
    model_counter = _second_word_counter(model, shared, max_gap)
    hits = sum(shared_count(peer_counter(word), model_counter(word)) for word in shared)
    return PairCounts(
        hits, _number_of_pairs(len(model), max_gap), _number_of_pairs(len(peer), max_gap)
    )


def plus_unigrams(counts: PairCounts, peer: Tokens, model: Tokens) -> PairCounts:
    """Add what ROUGE-SU counts beyond skip-bigrams: each token of a text but the last."""
    unigrams = count_ngrams(peer[:-1], model[:-1], 1)
    return PairCounts(
        counts.hit + unigrams.hit,
        counts.model_count + unigrams.model_count,
        counts.peer_count + unigrams.peer_count,
    )


def _number_of_pairs(n_tokens: int, max_gap: int) -> int:
    n_beyond = 0 if max_gap < 0 else max(n_tokens - max_gap - 1, 0)
    return n_tokens * (n_tokens - 1) // 2 - n_beyond * (n_beyond - 1) // 2


def _second_word_counter(
    tokens: Tokens, shared: Collection[Hashable], max_gap: int
) -> Callable[[Hashable], Counter[Hashable]]:
    """Return a function from a first word to the counts of the second words, all in `shared`."""
    positions = [position for position, token in enumerate(tokens) if token in shared]
    words = [tokens[position] for position in positions]
    spans: dict[Hashable, list[slice]] = defaultdict(list)
    for start, position in enumerate(positions, 1):
        end = len(positions) if max_gap < 0 else bisect_right(positions, position + max_gap + 1)
        spans[tokens[position]].append(slice(start, end))
    return lambda first: Counter(chain.from_iterable(map(words.__getitem__, spans[first])))


def _occurrences(
    tokens: Tokens, shared: Collection[Hashable], max_gap: int
) -> Iterator[tuple[tuple[Hashable, Hashable], Place]]:
    positions = [position for position, token in enumerate(tokens) if token in shared]
    for start, first in enumerate(positions, 1):
        end = len(positions) if max_gap < 0 else bisect_right(positions, first + max_gap + 1)
        for second in positions[start:end]:
            yield (tokens[first], tokens[second]), (first, second)


def _but_last(tokens: Tokens) -> Iterator[tuple[Hashable, Place]]:
    return ((token, (position,)) for position, token in enumerate(tokens[:-1]))
