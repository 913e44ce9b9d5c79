"""ROUGE-S and ROUGE-SU: ordered pairs of words with at most so many words between.

The skip-bigrams of a text are the pairs (i, j) with ``i < j <= i + max_gap + 1``, any j without a
limit; their multisets are compared as those of n-grams are. ROUGE-SU adds the unigram of each token
except the last, so a text of one token has no unit at all.

The idea. A skip-bigram can only match if both its words are in the other text, and these are few.
They are kept with their positions; then the skip-bigrams that begin with one word are counted at a
time, by their second word. That bounds the memory: a text of 10,000 words has 50,000,000 of them.
Source: specification, section 5, "ROUGE-S".
"""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterator
from itertools import chain
from typing import Any, ClassVar

import numpy as np

from rouge_cli.metrics.counts import Counts, PairCounts
from rouge_cli.metrics.formulas import CountedMetric
from rouge_cli.metrics.marks import PairMarks, Place
from rouge_cli.metrics.ngrams import count_ngrams, matched_units, shared_count
from rouge_cli.metrics.paired_texts import PairedTexts, Reading, TextPair, TextPairs, Tokens, Whole
from rouge_cli.options.declaration import Number
from rouge_cli.options.metrics import MetricOptions
from rouge_cli.quick_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class RougeS(CountedMetric):
    """ROUGE-S, ROUGE-SU or both: False and True of `with_unigrams`, in the order of print.

    At most `max_gap` words are between the two; a negative one is no limit.
    """

    max_gap: Number
    with_unigrams: tuple[bool, ...]
    reading: ClassVar[Reading] = Reading(stems_models=True)
    is_compiled: ClassVar[bool] = True

    @classmethod
    def asked_for(cls, options: MetricOptions) -> "RougeS | None":
        """Return the metrics if the options ask for them."""
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
        """A part for each of them."""
        gap = "*" if self.max_gap.value < 0 else int(self.max_gap.value)
        return tuple(f"s{'u' * unigrams}:{gap}" for unigrams in self.with_unigrams)

    def count_pair(self, pair: TextPair) -> list[PairCounts]:
        """Count the skip-bigrams, and the unigrams that ROUGE-SU adds."""
        peer, model = pair.peer.tokens, pair.model.tokens
        counts = count_skip_bigrams(peer, model, int(self.max_gap.value))
        if True not in self.with_unigrams:
            return [counts]
        plus = plus_unigrams(counts, peer, model)
        return [plus if adds else counts for adds in self.with_unigrams]

    def mark_pair(self, pair: TextPair) -> list[PairMarks]:
        """Return the skip-bigrams, and the unigrams of ROUGE-SU, that are in both texts."""
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
    """Return what ROUGE-S counts and what ROUGE-SU counts; a negative `max_gap` is no limit."""
    peers, models = pairs.peer_counts, pairs.model_counts
    # A gap beyond the longest text is none, and its square would not fit into 64 bits.
    longest = int(max(peers.max(initial=0), models.max(initial=0)))
    max_gap = max(-1, min(max_gap, longest))
    hits, unigram_hits = skip_bigram_hits(core, pairs, max_gap)
    model_count, peer_count = (
        np.array([_number_of_pairs(n, max_gap) for n in counts.tolist()], np.int64)
        for counts in (models, peers)
    )
    with_unigrams = Counts(
        hits + unigram_hits,
        model_count + (models - 1).clip(0),
        peer_count + (peers - 1).clip(0),
    )
    return Counts(hits, model_count, peer_count), with_unigrams


def skip_bigram_hits(core: Any, pairs: TextPairs, max_gap: int) -> tuple[Whole, Whole]:
    """Return the hits of ROUGE-S, and those that ROUGE-SU adds, each of shape (n_pairs,)."""
    hits, unigram_hits = np.empty(pairs.n_pairs, np.int64), np.empty(pairs.n_pairs, np.int64)
    core.count_skip_bigrams(pairs.compiled(core), max_gap, hits, unigram_hits)
    return hits, unigram_hits


def count_skip_bigrams(peer: Tokens, model: Tokens, max_gap: int) -> PairCounts:
    """Count the skip-bigrams of two texts; a negative `max_gap` is no limit."""
    shared = frozenset(peer).intersection(model)
    of_peer, of_model = _seconds_of(peer, shared, max_gap), _seconds_of(model, shared, max_gap)
    hits = sum(shared_count(of_peer(word), of_model(word)) for word in shared)
    return PairCounts(
        hits, _number_of_pairs(len(model), max_gap), _number_of_pairs(len(peer), max_gap)
    )


def plus_unigrams(counts: PairCounts, peer: Tokens, model: Tokens) -> PairCounts:
    """Return skip-bigrams and what ROUGE-SU adds to them: each token of a text but the last."""
    unigrams = count_ngrams(peer[:-1], model[:-1], 1)
    return PairCounts(
        counts.hit + unigrams.hit,
        counts.model_count + unigrams.model_count,
        counts.peer_count + unigrams.peer_count,
    )


def _number_of_pairs(n_tokens: int, max_gap: int) -> int:
    """Return how many skip-bigrams a text has: a triangle less its far corner."""
    n_beyond = 0 if max_gap < 0 else max(n_tokens - max_gap - 1, 0)
    return n_tokens * (n_tokens - 1) // 2 - n_beyond * (n_beyond - 1) // 2


def _seconds_of(
    tokens: Tokens, shared: Collection[Hashable], max_gap: int
) -> Callable[[Hashable], Counter[Hashable]]:
    """Return what counts the second words of the skip-bigrams in `shared` by their first word."""
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
    """Yield the skip-bigrams of two words in `shared`, with their positions."""
    positions = [position for position, token in enumerate(tokens) if token in shared]
    for start, first in enumerate(positions, 1):
        end = len(positions) if max_gap < 0 else bisect_right(positions, first + max_gap + 1)
        for second in positions[start:end]:
            yield (tokens[first], tokens[second]), (first, second)


def _but_last(tokens: Tokens) -> Iterator[tuple[Hashable, Place]]:
    """Yield every token except the last, with its position."""
    return ((token, (position,)) for position, token in enumerate(tokens[:-1]))
