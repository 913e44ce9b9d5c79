"""Which words of a pair match and which of them count: what `explain` and the pages show.

A metric makes its marks from what it counts, so that the matches of a pair add up to its hits.
"""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from rouge_cli.metrics.counts import Counts
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.text.columns import TextColumns

UNMATCHED, CLIPPED, COUNTED = 0, 1, 2
"""State of a token: in no match, in a match that exceeds the clipped count, in a hit."""

Place = tuple[int, ...]
"""The tokens of one occurrence, counted from 0 in their text."""


@dataclass(frozen=True, slots=True)
class Match:
    """A unit in both texts: an n-gram, a skip-bigram, a Basic Element, or a word on an LCS.

    - `peer`, `model`: all occurrences, in the order of the text; in ROUGE-L and ROUGE-W those on an
      LCS.
    - `hits`: how many occurrences count: the first ones of each text. The others are clipped.
    - `similarity`: the least cosine of the words of a soft match; None where both sides are equal.
    """

    peer: tuple[Place, ...]
    model: tuple[Place, ...]
    hits: int
    similarity: float | None = None


@dataclass(frozen=True, slots=True)
class Alignment:
    """The LCS of a sentence of the model with a sentence of the peer.

    Sentences are counted from 0. `words` are the tokens of the model and of the peer that are
    matched, in order, counted from 0 in the text.
    """

    model_sentence: int
    peer_sentence: int
    words: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Run:
    """Consecutive words of ROUGE-W that count together.

    They are words of the model from `start` up to, not including, `end`, of which `length` count.
    `weight` is the length weighted, which is added to the hit.
    """

    start: int
    end: int
    length: int
    weight: float


@dataclass(frozen=True, slots=True)
class PairMarks:
    """What one metric finds in one pair.

    - `matches`: their hits add up to that of the pair, except in ROUGE-W, where the runs do.
    - `peer_matches`: what precision is made of, where that differs: in pairwise LCS.
    - `alignments`: ascending by model sentence, then by peer sentence; in metrics that compare
      sentences.
    - `runs`: in the order in which they are added up; in ROUGE-W only.
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


def _states(occurrences: Iterable[tuple[Sequence[Place], int]], n_tokens: int) -> bytes:
    """Return the state of each token; one in several units counts if one of these does."""
    states = bytearray(n_tokens)
    for places, hits in occurrences:
        for ordinal, place in enumerate(places):
            state = COUNTED if ordinal < hits else CLIPPED
            for token in place:
                states[token] = max(states[token], state)
    return bytes(states)


@dataclass(frozen=True, slots=True, eq=False)
class SeenTexts:
    """The texts of one side, pair by pair, as a metric reads them.

    - `columns`: limited and without stopwords; types are indices into `words`.
    - `words`: as they are spelt, before anything is stemmed.
    - `stems`: the stem of each of `words`; None where this side is not stemmed.
    """

    columns: TextColumns
    words: list[bytes]
    stems: list[bytes] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class MarkedPairs:
    """What one metric finds in each pair, the scores of the pair alone, and whether it counts.

    - `peers`, `models`: the texts whose tokens are marked.
    - `values`: recall, precision and F, rounded to 5 decimals; shape (3, n_pairs).
    - `is_counted`: False for the models that formula B or best-f passes by; shape (n_pairs,).
    - `root`: W of ROUGE-W, whose recall and precision are W-th roots; None in the others.
    """

    marks: list[PairMarks]
    peers: SeenTexts
    models: SeenTexts
    counts: Counts
    values: NDArray[np.float64]
    is_counted: NDArray[np.bool_]
    root: float | None = None
