"""Where units stand that occur in a peer and in its model, and which of them count.

A metric makes its marks from the structures that it counts, so they add up to its hits: `Units`
holds what is added up, for all pairs of a `PairedTexts`, side by side.
"""

import numpy as np
from numpy.typing import NDArray

from rouge_cli.metrics.counts import Counts
from rouge_cli.metrics.matching import Join
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.text.columns import TextColumns

__all__ = [
    "CLIPPED",
    "COUNTED",
    "UNMATCHED",
    "Alignments",
    "MarkedPairs",
    "Marks",
    "Occurrences",
    "Runs",
    "SeenTexts",
    "Units",
    "spread",
]

UNMATCHED, CLIPPED, COUNTED = 0, 1, 2
"""What a token is: part of nothing that matches, of what matches but does not count, of a hit."""


@dataclass(frozen=True, slots=True, eq=False)
class SeenTexts:
    """The texts of one side, pair by pair, as a metric reads them.

    Parameters
    ----------
    columns : TextColumns
        Limited and without stopwords; types are places in `words`.
    words : list of bytes
        As they are spelt, before anything is stemmed.
    stems : list of bytes or None
        The stem of each of `words`; None where this side is not stemmed.
    """

    columns: TextColumns
    words: list[bytes]
    stems: list[bytes] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Occurrences:
    """Where units stand on one side, unit after unit, in the order of the text.

    Parameters
    ----------
    counts : ndarray of int64, shape (n_units,)
        How often each unit occurs.
    tokens : ndarray of int64, shape (sum of the counts, width)
        The tokens that each occurrence is made of: n of an n-gram, two of a skip-bigram.
    """

    counts: NDArray[np.int64]
    tokens: NDArray[np.int64]

    def kept(self, is_kept: NDArray[np.bool_]) -> "Occurrences":
        """Return those of some units; `is_kept` has the shape (n_units,)."""
        return Occurrences(self.counts[is_kept], self.tokens[np.repeat(is_kept, self.counts)])

    def states(self, hits: NDArray[np.int64], n_tokens: int) -> NDArray[np.int8]:
        """Return what each token of the side is if the first `hits` of each unit count.

        Returns
        -------
        ndarray of int8, shape (n_tokens,)
            `UNMATCHED`, `CLIPPED` or `COUNTED`.
        """
        starts = np.cumsum(self.counts) - self.counts
        ordinals = np.arange(len(self.tokens)) - np.repeat(starts, self.counts)
        is_counted = ordinals < np.repeat(hits, self.counts)
        states = np.zeros(n_tokens, np.int8)
        states[self.tokens] = CLIPPED
        states[self.tokens[is_counted]] = COUNTED
        return states


@dataclass(frozen=True, slots=True, eq=False)
class Units:
    """Units that occur on both sides of their pair.

    Parameters
    ----------
    pairs : ndarray of int64, shape (n_units,)
        The pair of each unit.
    hits : ndarray of int64, shape (n_units,)
        How many of its occurrences count: the first ones of each side.
    similarities : ndarray of float64, shape (n_units,), or None
        The least cosine of the words of soft matches; None where units are equal.
    """

    pairs: NDArray[np.int64]
    hits: NDArray[np.int64]
    peers: Occurrences
    models: Occurrences
    similarities: NDArray[np.float64] | None = None

    def with_hits(self) -> "Units":
        """Return the units less those of which nothing counts."""
        return Units(
            self.pairs[self.hits > 0],
            self.hits[self.hits > 0],
            self.peers.kept(self.hits > 0),
            self.models.kept(self.hits > 0),
        )

    @classmethod
    def of_join(
        cls,
        join: Join,
        pairs: NDArray[np.int64],
        peer_tokens: NDArray[np.int64],
        model_tokens: NDArray[np.int64],
    ) -> "Units":
        """Return the groups of a join as units; tokens are those of its members."""
        return cls(
            pairs,
            join.hits,
            Occurrences(join.peer_counts, peer_tokens),
            Occurrences(join.model_counts, model_tokens),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Alignments:
    """The LCS of each sentence of a model with each sentence of its peer that shares a token.

    Parameters
    ----------
    model_sentences, peer_sentences : ndarray of int64, shape (n_sentence_pairs,)
        Ascending by model sentence, then by peer sentence.
    offsets : ndarray of int64, shape (n_sentence_pairs + 1,)
        Sentence pair ``k`` has the matches ``offsets[k]:offsets[k + 1]``.
    model_tokens, peer_tokens : ndarray of int64, shape (n_matches,)
        What is matched with what, in the order of the text.
    """

    model_sentences: NDArray[np.int64]
    peer_sentences: NDArray[np.int64]
    offsets: NDArray[np.int64]
    model_tokens: NDArray[np.int64]
    peer_tokens: NDArray[np.int64]

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Number of matches of each sentence pair."""
        return np.diff(self.offsets)


@dataclass(frozen=True, slots=True, eq=False)
class Runs:
    """The runs of ROUGE-W, in the order in which they are added up.

    Parameters
    ----------
    pairs : ndarray of int64, shape (n_runs,)
    starts, ends : ndarray of int64, shape (n_runs,)
        The counted tokens of ``starts:ends`` of the models make up a run.
    lengths : ndarray of int64, shape (n_runs,)
        Number of counted tokens.
    weights : ndarray, shape (n_runs,)
        What each adds to the hit.
    """

    pairs: NDArray[np.int64]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    lengths: NDArray[np.int64]
    weights: NDArray[np.generic]


@dataclass(frozen=True, slots=True, eq=False)
class Marks:
    """What one metric finds in each pair, by the structures that it counts.

    Parameters
    ----------
    counts : Counts
        Of each pair.
    peers, models : SeenTexts
        What the numbers of tokens refer to.
    units : tuple of Units
        Their hits add up to those of `counts`, but for ROUGE-W, whose runs do.
    peer_units : tuple of Units or None
        What precision is made of where it is not `units`: in pairwise LCS.
    alignments : Alignments or None
        What is marked sentence by sentence; None in metrics that know no sentences.
    runs : Runs or None
        Only in ROUGE-W.
    """

    counts: Counts
    peers: SeenTexts
    models: SeenTexts
    units: tuple[Units, ...]
    peer_units: tuple[Units, ...] | None = None
    alignments: Alignments | None = None
    runs: Runs | None = None

    @property
    def peer_states(self) -> NDArray[np.int8]:
        """What each token of the peers is, shape (n_peer_tokens,)."""
        states = np.zeros(self.peers.columns.types.size, np.int8)
        for one in self.units if self.peer_units is None else self.peer_units:
            np.maximum(states, one.peers.states(one.hits, states.size), out=states)
        return states

    @property
    def model_states(self) -> NDArray[np.int8]:
        """What each token of the models is, shape (n_model_tokens,)."""
        states = np.zeros(self.models.columns.types.size, np.int8)
        for one in self.units:
            np.maximum(states, one.models.states(one.hits, states.size), out=states)
        return states


@dataclass(frozen=True, slots=True, eq=False)
class MarkedPairs:
    """What one metric finds in each pair, what the pair alone would score, and if it counts.

    Parameters
    ----------
    values : ndarray of float64, shape (3, n_pairs)
        Recall, precision and F, rounded to 5 decimals.
    is_counted : ndarray of bool, shape (n_pairs,)
        False for the models that formula B or best-f passes by.
    root : float or None
        W of ROUGE-W, whose recall and precision are W-th roots; None in the others.
    """

    marks: Marks
    values: NDArray[np.float64]
    is_counted: NDArray[np.bool_]
    root: float | None = None


def spread(firsts: NDArray[np.int64], width: int) -> NDArray[np.int64]:
    """Return the tokens of n-grams that begin with the given ones, shape (n, width)."""
    return firsts[:, np.newaxis] + np.arange(width)
