"""ROUGE-soft-N: ROUGE-N in which words match too that are near in a table of word vectors.

First the hits of ROUGE-N are taken, of equal n-grams the first occurrences. The n-grams that are
left match one to one, the most similar first, of equals the one that comes first in the peer, then
in the model, if they are similar enough; each such match is a hit. The similarity of two n-grams is
the least of the cosines of their words, position by position; equal words have 1. A word without a
vector matches only itself.

With stems, words are equal whose stems are; their vectors are those of the words as they are spelt,
since tables list words and few of Porter's stems are words.

The idea. What is near is kept as pairs of tokens, for n-grams too: a pair of n-grams is one of
(n-1)-grams that a pair of near words follows.
"""

from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from rouge_cli.metrics.counts import Counts
from rouge_cli.metrics.formulas import CountedMetric
from rouge_cli.metrics.marks import Marks
from rouge_cli.metrics.matching import Matches
from rouge_cli.metrics.near_tokens import Near, SpeltWords, joined, near_tokens
from rouge_cli.metrics.ngrams import NgramJoin, ngram_counts, ngram_joins
from rouge_cli.metrics.paired_texts import PairedTexts, Reading
from rouge_cli.options.declaration import Number
from rouge_cli.options.metrics import MetricOptions
from rouge_cli.quick_dataclass import dataclass

if TYPE_CHECKING:
    from rouge_cli.text.word_vectors import WordVectors

__all__ = ["RougeSoftN", "count_soft_ngrams"]

DIGEST_LENGTH = 12


@dataclass(frozen=True, slots=True)
class RougeSoftN(CountedMetric):
    """ROUGE-soft-1 to ROUGE-soft-N."""

    max_ngram: int
    path: str
    threshold: Number
    reading: ClassVar[Reading] = Reading()

    @classmethod
    def asked_for(cls, options: MetricOptions) -> "RougeSoftN | None":
        """Return the metrics if the options ask for them."""
        if options.soft is None or options.soft_threshold is None or options.max_ngram is None:
            return None
        return cls(options.max_ngram, options.soft, options.soft_threshold)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the metrics."""
        return tuple(f"ROUGE-soft-{n}" for n in range(1, self.max_ngram + 1))

    @property
    def signature(self) -> tuple[str, ...]:
        """The table by its digest, and the threshold by its value."""
        digest = self._vectors().digest[:DIGEST_LENGTH]
        return (f"soft:{digest}@{repr(self.threshold.value + 0.0).removesuffix('.0')}",)

    def prepare(self) -> None:
        """Read through the table; raises InputError."""
        self._vectors()

    def _vectors(self) -> "WordVectors":
        """Return the table, which is read through once in a process; raises InputError."""
        from rouge_cli.text.word_vectors import load_word_vectors

        return load_word_vectors(self.path)

    def count(self, texts: PairedTexts) -> list[Counts]:
        """Count the hits of each pair; raises InputError for a vector that is none."""
        matches, spelt = texts.matches(self.reading), _spelt(texts)
        return count_soft_ngrams(
            matches, spelt, self._vectors(), self.threshold.value, self.max_ngram
        )

    def marks(self, texts: PairedTexts) -> list[Marks]:
        """Return what matches in each pair, exactly or nearly."""
        matches, seen = texts.matches(self.reading), texts.seen(self.reading)
        joins = list(ngram_joins(matches, self.max_ngram))
        near = _near_ngrams(matches, joins, _spelt(texts), self._vectors(), self.threshold.value)
        pair_of_token = _pair_of_token(matches)
        return [
            Marks(counts, *seen, (join.units(n), found.units(n, pair_of_token)))
            for n, (counts, join, found) in enumerate(
                zip(_counts(matches, joins, near), joins, near, strict=True), 1
            )
        ]


def count_soft_ngrams(
    matches: Matches, spelt: SpeltWords, vectors: "WordVectors", threshold: float, max_ngram: int
) -> list[Counts]:
    """Count the n-grams of each pair that match, exactly or nearly, for n from 1 to `max_ngram`."""
    joins = list(ngram_joins(matches, max_ngram))
    return _counts(matches, joins, _near_ngrams(matches, joins, spelt, vectors, threshold))


def _spelt(texts: PairedTexts) -> SpeltWords:
    """Return the tokens as they are spelt."""
    spelling = texts.texts.spelling()
    columns = spelling.columns
    return SpeltWords(spelling.words, columns.take(texts.peers), columns.take(texts.models))


def _counts(matches: Matches, joins: list[NgramJoin], near: list[Near]) -> list[Counts]:
    """Count exact and near matches together, order by order."""
    pair_of_token = _pair_of_token(matches)
    counts = []
    for n, (join, found) in enumerate(zip(joins, near, strict=True), 1):
        hits = join.hits(matches.n_pairs)
        hits += np.bincount(pair_of_token[found.peers], minlength=matches.n_pairs)
        counts.append(ngram_counts(matches, n, hits))
    return counts


def _pair_of_token(matches: Matches) -> NDArray[np.int64]:
    """Return the pair of each token of the peers."""
    return np.repeat(np.arange(matches.n_pairs), matches.peers.token_counts)


def _near_ngrams(
    matches: Matches,
    joins: list[NgramJoin],
    spelt: SpeltWords,
    vectors: "WordVectors",
    threshold: float,
) -> list[Near]:
    """Match what has no exact match one to one, order by order."""
    max_ngram = len(joins)
    found: list[list[Near]] = [[Near.none()] for _ in joins]
    is_used = [_used(one, matches) for one in joins]
    pair_of_token = _pair_of_token(matches)
    # A row of keys has room for the n-gram that would begin behind the last token.
    width = matches.models.types.size + max_ngram
    for pairs in near_tokens(matches, spelt, vectors, threshold, with_equal=max_ngram > 1):
        near = of_order = pairs.sorted(width)
        for order in range(max_ngram):
            if order:
                of_order = _extended(of_order, near, order, width, pair_of_token)
            found[order].append(_match(of_order, *is_used[order]))
    return [joined(pieces) for pieces in found]


def _used(found: NgramJoin, matches: Matches) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return which tokens begin an n-gram that has its exact match, on both sides."""
    join = found.join
    sides = (
        (found.peer_members, join.peer_counts, matches.peers),
        (found.model_members, join.model_counts, matches.models),
    )
    peers, models = (
        _with_first(members, counts, join.hits, columns.types.size)
        for members, counts, columns in sides
    )
    return peers, models


def _with_first(
    members: NDArray[np.int64],
    counts: NDArray[np.int64],
    n_first: NDArray[np.int64],
    n_tokens: int,
) -> NDArray[np.bool_]:
    """Return a table that is True at the first members of each group, shape (n_tokens,)."""
    ordinals = np.arange(members.size) - np.repeat(np.cumsum(counts) - counts, counts)
    table = np.zeros(n_tokens, np.bool_)
    table[members[ordinals < np.repeat(n_first, counts)]] = True
    return table


def _extended(
    ngrams: Near, tokens: Near, order: int, width: int, pair_of_token: NDArray[np.int64]
) -> Near:
    """Return the pairs of n-grams that a pair of near tokens follows `order` tokens behind.

    Both are sorted; `pair_of_token` is that of the peers' tokens: an n-gram ends with its text.
    """
    if not tokens.peers.size:
        return ngrams
    keys = tokens.peers * width + tokens.models
    wanted = (ngrams.peers + order) * width + ngrams.models + order
    places = np.minimum(np.searchsorted(keys, wanted), keys.size - 1)
    last_tokens = tokens.peers[places]
    is_found = (keys[places] == wanted) & (
        pair_of_token[last_tokens] == pair_of_token[ngrams.peers]
    )
    found = np.flatnonzero(is_found)
    least = np.minimum(ngrams.similarities[found], tokens.similarities[places[found]])
    return Near(ngrams.peers[found], ngrams.models[found], least)


def _match(near: Near, peer_used: NDArray[np.bool_], model_used: NDArray[np.bool_]) -> Near:
    """Match what is left over one to one."""
    near = near.take(np.flatnonzero(~peer_used[near.peers] & ~model_used[near.models]))
    # Stable: of equals the first in the peer, then in the model.
    near = near.take(np.argsort(-near.similarities, kind="stable"))
    peers: set[int] = set()
    models: set[int] = set()
    matched = []
    for place, (peer, model) in enumerate(
        zip(near.peers.tolist(), near.models.tolist(), strict=True)
    ):
        if peer not in peers and model not in models:
            peers.add(peer)
            models.add(model)
            matched.append(place)
    return near.take(np.array(matched, np.int64))
