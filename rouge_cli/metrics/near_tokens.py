"""Which words of a peer and its model are near in a table of word vectors, as pairs of tokens.

The idea. Near words are rare, so what is near is kept as pairs of tokens. Only the cosines are
computed text by text, of each word once.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rouge_cli.metrics.marks import Occurrences, Units, spread
from rouge_cli.metrics.matching import Join, Matches, run_starts
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.text.columns import TextColumns, ragged_indices

if TYPE_CHECKING:
    from rouge_cli.text.word_vectors import WordVectors

__all__ = ["Near", "SpeltWords", "joined", "near_tokens"]

BATCH_CELLS = 1 << 20
"""So many pairs of a token of the peer and one of the model are looked at together, or one pair."""


@dataclass(frozen=True, slots=True, eq=False)
class SpeltWords:
    """The tokens of `Matches` as they are spelt: types are places in `words`."""

    words: list[bytes]
    peers: TextColumns
    models: TextColumns


@dataclass(frozen=True, slots=True, eq=False)
class Near:
    """Pairs of near tokens, or of n-grams by the tokens at which they begin.

    Parameters
    ----------
    peers, models : ndarray of int64, shape (n,)
        Numbers of tokens.
    similarities : ndarray of float64, shape (n,)
    """

    peers: NDArray[np.int64]
    models: NDArray[np.int64]
    similarities: NDArray[np.float64]

    @classmethod
    def none(cls) -> "Near":
        """Return no pairs."""
        return cls(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))

    def take(self, places: NDArray[np.int64]) -> "Near":
        """Return some of the pairs."""
        return Near(self.peers[places], self.models[places], self.similarities[places])

    def units(self, n: int, pair_of_token: NDArray[np.int64]) -> Units:
        """Return pairs of n-grams that match one to one; `pair_of_token` is that of the peers."""
        ones = np.ones(self.peers.size, np.int64)
        return Units(
            pair_of_token[self.peers],
            ones,
            Occurrences(ones, spread(self.peers, n)),
            Occurrences(ones, spread(self.models, n)),
            self.similarities,
        )

    def sorted(self, width: int) -> "Near":
        """Return them by token of the peer, then of the model, whose numbers are below `width`."""
        return self.take(np.argsort(self.peers * width + self.models))


def near_tokens(
    matches: Matches,
    spelt: SpeltWords,
    vectors: "WordVectors",
    threshold: float,
    *,
    with_equal: bool,
) -> Iterator[Near]:
    """Yield the pairs of tokens with at least the threshold, for some texts at a time.

    Equal tokens, which no two unigrams that are left over are, come with them if they are wanted.
    """
    if threshold > 1:
        return
    numbers, rows = vectors.lookup(spelt.words)
    cosines = _Cosines(rows, np.einsum("ij,ij->i", rows, rows), threshold)
    peers, models = (_TextWords.of(one, numbers) for one in (spelt.peers, spelt.models))
    join = matches.join
    equal_by_pair = np.searchsorted(matches.pairs, np.arange(matches.n_pairs + 1))
    for first, last in _batches(matches):
        groups = [cosines.near_words(peers, models, pair) for pair in range(first, last)]
        near = _tokens_of(peers, models, groups)
        is_equal = matches.peers.types[near.peers] == matches.models.types[near.models]
        pieces = [near.take(np.flatnonzero(~is_equal))]
        if with_equal:
            pieces.append(_equal_tokens(join, equal_by_pair[first], equal_by_pair[last]))
        yield joined(pieces)


def _batches(matches: Matches) -> Iterator[tuple[int, int]]:
    """Yield first and last, not included, of the pairs that are looked at together."""
    cells = matches.peers.token_counts * matches.models.token_counts
    before = np.cumsum(cells) - cells
    starts = np.flatnonzero(np.diff(before // BATCH_CELLS, prepend=-1)).tolist()
    yield from zip(starts, [*starts[1:], matches.n_pairs], strict=True)


@dataclass(frozen=True, slots=True, eq=False)
class _TextWords:
    """The words of texts that have a vector, each once a text.

    Parameters
    ----------
    rows : ndarray of int64, shape (n_words,)
        The vector of each word.
    text_offsets : ndarray of int64, shape (n_texts + 1,)
        Text ``t`` has the words ``text_offsets[t]:text_offsets[t + 1]``.
    tokens : ndarray of int64
        The tokens of each word, ascending.
    token_offsets : ndarray of int64, shape (n_words + 1,)
        Word ``w`` has ``tokens[token_offsets[w]:token_offsets[w + 1]]``.
    """

    rows: NDArray[np.int64]
    text_offsets: NDArray[np.int64]
    tokens: NDArray[np.int64]
    token_offsets: NDArray[np.int64]

    @classmethod
    def of(cls, columns: TextColumns, numbers: NDArray[np.int64]) -> "_TextWords":
        """Find the words; `numbers` has the vector of each type, -1 for none."""
        row_of_token = numbers[columns.types]
        text_of_token = np.repeat(np.arange(columns.token_counts.size), columns.token_counts)
        tokens = np.flatnonzero(row_of_token >= 0)
        tokens = tokens[np.lexsort((row_of_token[tokens], text_of_token[tokens]))]
        starts = run_starts(text_of_token[tokens], row_of_token[tokens])
        texts = text_of_token[tokens[starts]]
        return cls(
            row_of_token[tokens[starts]],
            np.searchsorted(texts, np.arange(columns.token_counts.size + 1)),
            tokens,
            np.append(starts, tokens.size),
        )

    def words(self, text: int) -> slice:
        """Return where the words of a text stand."""
        return slice(int(self.text_offsets[text]), int(self.text_offsets[text + 1]))


WordPairs = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]
"""Words of peers, words of models, and their cosines."""


@dataclass(frozen=True, slots=True, eq=False)
class _Cosines:
    """Vectors of whole numbers, shape (n_rows, dimension), their squares, and the threshold."""

    rows: NDArray[np.float64]
    squares: NDArray[np.float64]
    threshold: float

    def near_words(self, peers: _TextWords, models: _TextWords, pair: int) -> WordPairs:
        """Return the words of a pair of texts with at least the threshold.

        The products are whole numbers below 2**53, so they are exact whatever adds them up; root
        and quotient are rounded one by one. Equal vectors have exactly 1.
        """
        of_peer, of_model = peers.words(pair), models.words(pair)
        peer_rows, model_rows = peers.rows[of_peer], models.rows[of_model]
        cosines = self.rows[peer_rows] @ self.rows[model_rows].T
        cosines /= np.sqrt(np.multiply.outer(self.squares[peer_rows], self.squares[model_rows]))
        np.minimum(cosines, 1.0, out=cosines)
        row, column = np.nonzero(cosines >= self.threshold)
        return row + of_peer.start, column + of_model.start, cosines[row, column]


def _tokens_of(peers: _TextWords, models: _TextWords, groups: list[WordPairs]) -> Near:
    """Return the pairs of tokens of pairs of words."""
    peer_words, model_words = (np.concatenate([one[side] for one in groups]) for side in (0, 1))
    cosines = np.concatenate([one[2] for one in groups])
    of_peers, of_models = ((one.tokens, one.token_offsets) for one in (peers, models))
    places, peer_tokens, model_tokens = _products(of_peers, of_models, peer_words, model_words)
    return Near(peer_tokens, model_tokens, cosines[places])


Ragged = tuple[NDArray[np.int64], NDArray[np.int64]]
"""Items, and the offsets of the lists that they make up."""


def _products(
    peers: Ragged,
    models: Ragged,
    peer_lists: NDArray[np.int64],
    model_lists: NDArray[np.int64],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Pair each item of a list of the peers with each of a list of the models.

    Returns
    -------
    places, peer_items, model_items : ndarray of int64, shape (n,)
        From which pair of lists each pair of items is, and the items.
    """
    items, offsets = ragged_indices(peers[1], peer_lists)
    place_of_item = np.repeat(np.arange(peer_lists.size), np.diff(offsets))
    others, other_offsets = ragged_indices(models[1], model_lists[place_of_item])
    repeats = np.diff(other_offsets)
    return (
        np.repeat(place_of_item, repeats),
        np.repeat(peers[0][items], repeats),
        models[0][others],
    )


def _equal_tokens(join: Join, first: int, last: int) -> Near:
    """Return the pairs of equal tokens of some groups."""
    groups = np.arange(first, last)
    peers, models = (
        (members, np.append(0, np.cumsum(counts)))
        for members, counts in (
            (join.peer_members, join.peer_counts),
            (join.model_members, join.model_counts),
        )
    )
    places, peer_tokens, model_tokens = _products(peers, models, groups, groups)
    return Near(peer_tokens, model_tokens, np.ones(places.size))


def joined(pieces: list[Near]) -> Near:
    """Put pairs behind one another."""
    return Near(
        np.concatenate([one.peers for one in pieces]),
        np.concatenate([one.models for one in pieces]),
        np.concatenate([one.similarities for one in pieces]),
    )
