"""ROUGE-soft-N: ROUGE-N in which words match too that are near in a table of word vectors.

First the hits of ROUGE-N are taken, of equal n-grams the first occurrences. The n-grams that are
left match one to one, the most similar first, of equals the one that comes first in the peer, then
in the model, if they are similar enough; each such match is a hit. The similarity of two n-grams is
the least of the cosines of their words, position by position; equal words have 1. A word without a
vector matches only itself.

With stems, words are equal whose stems are; their vectors are those of the words as they are spelt,
since tables list words and few of Porter's stems are words.

The idea. Near words are rare. So what is near is kept as pairs of tokens, for n-grams too: a pair
of n-grams is one of (n-1)-grams that a pair of near words follows. Only the cosines are computed
text by text, of each word once.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from rouge_cli.metrics.counts import Counts
from rouge_cli.metrics.formulas import CountedMetric
from rouge_cli.metrics.matching import Join, Matches, run_starts
from rouge_cli.metrics.ngrams import NgramJoin, ngram_counts, ngram_joins
from rouge_cli.metrics.paired_texts import PairedTexts, Reading
from rouge_cli.options.declaration import Number
from rouge_cli.options.metrics import MetricOptions
from rouge_cli.text.columns import TextColumns, ragged_indices

if TYPE_CHECKING:
    from rouge_cli.text.word_vectors import WordVectors

__all__ = ["RougeSoftN", "count_soft_ngrams"]

BATCH_CELLS = 1 << 20
"""So many pairs of a token of the peer and one of the model are looked at together, or one pair."""

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
        spelling = texts.texts.spelling()
        return count_soft_ngrams(
            texts.matches(self.reading),
            SpeltWords(
                spelling.words,
                spelling.columns.take(texts.peers),
                spelling.columns.take(texts.models),
            ),
            self._vectors(),
            self.threshold.value,
            self.max_ngram,
        )


@dataclass(frozen=True, slots=True, eq=False)
class SpeltWords:
    """The tokens of `Matches` as they are spelt: types are places in `words`."""

    words: list[bytes]
    peers: TextColumns
    models: TextColumns


@dataclass(frozen=True, slots=True, eq=False)
class _Near:
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

    def take(self, places: NDArray[np.int64]) -> "_Near":
        """Return some of the pairs."""
        return _Near(self.peers[places], self.models[places], self.similarities[places])

    def sorted(self, width: int) -> "_Near":
        """Return them by token of the peer, then of the model, whose numbers are below `width`."""
        return self.take(np.argsort(self.peers * width + self.models))


def count_soft_ngrams(
    matches: Matches, spelt: SpeltWords, vectors: "WordVectors", threshold: float, max_ngram: int
) -> list[Counts]:
    """Count the n-grams of each pair that match, exactly or nearly, for n from 1 to `max_ngram`."""
    joins = list(ngram_joins(matches, max_ngram))
    hits = [one.hits(matches.n_pairs) for one in joins]
    is_used = [_used(one, matches) for one in joins]
    pair_of_token = np.repeat(np.arange(matches.n_pairs), matches.peers.token_counts)
    # A row of keys has room for the n-gram that would begin behind the last token.
    width = matches.models.types.size + max_ngram
    for found in _near_tokens(matches, spelt, vectors, threshold, with_equal=max_ngram > 1):
        near = of_order = found.sorted(width)
        for order in range(max_ngram):
            if order:
                of_order = _extended(of_order, near, order, width, pair_of_token)
            matched = _match(of_order, *is_used[order])
            np.add.at(hits[order], pair_of_token[matched], 1)
    return [ngram_counts(matches, n, hit) for n, hit in enumerate(hits, 1)]


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


def _near_tokens(
    matches: Matches,
    spelt: SpeltWords,
    vectors: "WordVectors",
    threshold: float,
    *,
    with_equal: bool,
) -> Iterator[_Near]:
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
        yield _joined(pieces)


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


def _tokens_of(peers: _TextWords, models: _TextWords, groups: list[WordPairs]) -> _Near:
    """Return the pairs of tokens of pairs of words."""
    peer_words, model_words = (np.concatenate([one[side] for one in groups]) for side in (0, 1))
    cosines = np.concatenate([one[2] for one in groups])
    of_peers, of_models = ((one.tokens, one.token_offsets) for one in (peers, models))
    places, peer_tokens, model_tokens = _products(of_peers, of_models, peer_words, model_words)
    return _Near(peer_tokens, model_tokens, cosines[places])


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


def _equal_tokens(join: Join, first: int, last: int) -> _Near:
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
    return _Near(peer_tokens, model_tokens, np.ones(places.size))


def _joined(pieces: list[_Near]) -> _Near:
    """Put pairs behind one another."""
    return _Near(
        np.concatenate([one.peers for one in pieces]),
        np.concatenate([one.models for one in pieces]),
        np.concatenate([one.similarities for one in pieces]),
    )


def _extended(
    ngrams: _Near, tokens: _Near, order: int, width: int, pair_of_token: NDArray[np.int64]
) -> _Near:
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
    return _Near(ngrams.peers[found], ngrams.models[found], least)


def _match(near: _Near, peer_used: NDArray[np.bool_], model_used: NDArray[np.bool_]) -> list[int]:
    """Match what is left over one to one; return the tokens of the peers that are matched."""
    near = near.take(np.flatnonzero(~peer_used[near.peers] & ~model_used[near.models]))
    # Stable: of equals the first in the peer, then in the model.
    near = near.take(np.argsort(-near.similarities, kind="stable"))
    peers: set[int] = set()
    models: set[int] = set()
    for peer, model in zip(near.peers.tolist(), near.models.tolist(), strict=True):
        if peer not in peers and model not in models:
            peers.add(peer)
            models.add(model)
    return list(peers)
