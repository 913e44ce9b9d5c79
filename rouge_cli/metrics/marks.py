"""Marks show which words of a pair match and which of them count, for `explain` and the pages.

A metric marks the same units that it counts, so the matches of a pair add up to its hits.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from rouge_cli.metrics.arithmetic import Floats, Whole
from rouge_cli.metrics.counts import Counts
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.text.columns import TextColumns

# States of a token: in no match, in a match beyond the clipped count, in a hit.
UNMATCHED, CLIPPED, COUNTED = 0, 1, 2
Place = tuple[int, ...]  # the tokens of one occurrence, as positions in the text from 0 on


@dataclass(frozen=True, slots=True)
class Match:
    """A unit in both texts: an n-gram, a skip-bigram, a Basic Element, or a word on an LCS.

    - `peer`, `model`: all occurrences, in the order of the text; in ROUGE-L and ROUGE-W only those
      on an LCS.
    - `hits`: the number of occurrences that count, from the first on. The others are clipped.
    - `similarity`: the lowest cosine of the words of a soft match; None if both sides are equal.
    """

    peer: tuple[Place, ...]
    model: tuple[Place, ...]
    hits: int
    similarity: float | None = None


@dataclass(frozen=True, slots=True)
class Alignment:
    """The LCS of a sentence of the model with a sentence of the peer.

    Sentences are counted from 0. `words` has the matched tokens of the model and of the peer, as
    positions in the text from 0 on.
    """

    model_sentence: int
    peer_sentence: int
    words: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Run:
    """A run of ROUGE-W: words of the model that count together.

    `length` of the words from `start` up to, not including, `end` count. `weight`, the weighted
    length, is added to the hit.
    """

    start: int
    end: int
    length: int
    weight: float


@dataclass(frozen=True, slots=True)
class PairMarks:
    """The marks of one metric in one pair.

    - `matches`: their hits add up to the hit of the pair, except in ROUGE-W, where runs do.
    - `peer_matches`: the matches for precision, if these differ, as in pairwise LCS.
    - `alignments`: by model sentence, then by peer sentence, in metrics that compare sentences.
    - `runs`: in the order of addition, only in ROUGE-W.
    """

    matches: tuple[Match, ...]
    peer_matches: tuple[Match, ...] | None = None
    alignments: tuple[Alignment, ...] = ()
    runs: tuple[Run, ...] = ()

    def peer_states(self, n_tokens: int) -> bytes:
        """Return the state of each token of the peer."""
        matches = self.matches if self.peer_matches is None else self.peer_matches
        return _states([(match.peer, match.hits) for match in matches], n_tokens)

    def model_states(self, n_tokens: int) -> bytes:
        """Return the state of each token of the model."""
        return _states([(match.model, match.hits) for match in self.matches], n_tokens)


@dataclass(frozen=True, slots=True)
class PairStates(PairMarks):
    """The states of the tokens of a pair alone, in bytes."""

    matches: tuple[Match, ...] = ()
    peer: bytes = b""
    model: bytes = b""

    def peer_states(self, n_tokens: int) -> bytes:
        """Return the state of each token of the peer."""
        return self.peer

    def model_states(self, n_tokens: int) -> bytes:
        """Return the state of each token of the model."""
        return self.model


class PairTokens:
    """The tokens of all pairs, those of the peers before those of the models.

    `types` and `pairs` have the type of each token and its pair; `ends`, for each token, where its
    text ends.
    """

    def __init__(
        self, peers: TextColumns, peer_texts: Whole, models: TextColumns, model_texts: Whole
    ) -> None:
        sides = peers.take(peer_texts), models.take(model_texts)
        self.types = np.concatenate([side.types for side in sides]).astype(np.int64)
        self.n_peer = sides[0].types.size
        offsets = sides[0].token_offsets, self.n_peer + sides[1].token_offsets
        counts = np.concatenate([np.diff(side) for side in offsets])
        self.pairs = np.repeat(np.tile(np.arange(peer_texts.size), 2), counts)
        self.ends = np.repeat(np.concatenate([side[1:] for side in offsets]), counts)
        self._bounds = [side.tolist() for side in offsets]

    def ngrams(self, n: int) -> tuple[Whole, Whole]:
        """Return the n-grams of each pair: where each starts, and its number."""
        starts = np.flatnonzero(np.arange(self.types.size) + n <= self.ends)
        units, n_types = self.pairs[starts], int(self.types.max(initial=0)) + 1
        for place in range(n):
            # Numbered anew each time, so that they stay small.
            units = numbered(units * n_types + self.types[starts + place])
        return starts, units

    def hits(self, starts: Whole, units: Whole) -> Whole:
        """Return for each unit the smaller of its numbers in the peer and in the model."""
        is_peer, n_units = starts < self.n_peer, int(units.max(initial=-1)) + 1
        counts = [np.bincount(units[side], minlength=n_units) for side in (is_peer, ~is_peer)]
        return np.minimum(*counts)

    def states(self, starts: Whole, units: Whole, hits: Whole, n: int = 1) -> list[PairMarks]:
        """Return the states of tokens: the first occurrences of each unit count in each text."""
        # Each text counts by itself: all units of models are other ones.
        keys = units + np.where(starts < self.n_peer, 0, hits.size)
        order = np.argsort(keys, kind="stable")
        firsts = np.searchsorted(keys[order], keys[order])
        ranks = np.empty(keys.size, np.int64)
        ranks[order] = np.arange(keys.size) - firsts
        of_units = np.where(ranks < hits[units], COUNTED, np.where(hits[units], CLIPPED, UNMATCHED))
        states = np.zeros(self.types.size, np.uint8)
        for place in range(n):
            states[starts + place] = np.maximum(states[starts + place], of_units)
        content, (peers, models) = states.tobytes(), self._bounds
        return [
            PairStates(peer=content[a:b], model=content[c:d])
            for (a, b), (c, d) in zip(pairwise(peers), pairwise(models), strict=True)
        ]


def numbered(keys: Whole) -> Whole:
    """Return numbers from 0 on that are equal where keys are."""
    return np.unique(keys, return_inverse=True)[1].reshape(keys.shape)


def _states(occurrences: Iterable[tuple[Sequence[Place], int]], n_tokens: int) -> bytes:
    """Return the state of each token; one in several units counts if any of these does."""
    states = bytearray(n_tokens)
    for places, hits in occurrences:
        for ordinal, place in enumerate(places):
            state = COUNTED if ordinal < hits else CLIPPED
            for token in place:
                states[token] = max(states[token], state)
    return bytes(states)


@dataclass(frozen=True, slots=True, eq=False)
class SeenTexts:
    """The peers, or the models, of all pairs as a metric reads them.

    - `columns`: after limits and the removal of stopwords; types are indices into `words`.
    - `words`: unstemmed.
    - `stems`: the stem of each word; None if this side is not stemmed.
    """

    columns: TextColumns
    words: list[bytes]
    stems: list[bytes] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class MarkedPairs:
    """The marks of one metric in each pair, and the scores of each pair alone.

    - `peers`, `models`: the texts with the marked tokens.
    - `values`: recall, precision and F, rounded to 5 decimals; shape (3, n_pairs).
    - `is_counted`: False for models that formula B or best-f does not choose; shape (n_pairs,).
    - `root`: W of ROUGE-W, whose recall and precision are W-th roots; None in other metrics.
    """

    marks: list[PairMarks]
    peers: SeenTexts
    models: SeenTexts
    counts: Counts
    values: Floats
    is_counted: NDArray[np.bool_]
    root: float | None = None
