"""The counts of a single pair from its tokens, in plain Python, without any arrays.

It exists for programs that score pair by pair: one of one-line texts takes a twentieth, and
one of three sentences a sixth, of the time that the kernels need for a block of a single pair.

LCS in long integers. A peer token at a time, one integer holds a column of the LCS table: a bit for
each model token, 0 where the LCS grows there and 1 where it does not. A column follows from the one
before in four operations on whole integers.
Source: Hyyrö (2004), "Bit-parallel LCS-length computation revisited", section 4.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple, Protocol

__all__ = ["PairCounts", "PairOfTexts", "SinglePair", "TextTokens"]

MOST_SENTENCE_PAIRS = 128
"""With more of them in one pair of texts, arrays are faster than plain Python."""

MOST_TOKENS = 4096
"""With more of them on one side, plain Python takes too much memory for the LCS."""

Tokens = Sequence[Hashable]


class PairCounts(NamedTuple):
    """What a metric finds for one pair."""

    hit: int
    model_count: int
    peer_count: int


class TextTokens(NamedTuple):
    """The tokens of a text.

    Parameters
    ----------
    whole : sequence of tokens
        Of the text as one sequence.
    """

    by_sentence: Sequence[Tokens]
    whole: Tokens


class SinglePair(Protocol):
    """A model and a peer, however they are counted."""

    def count_ngrams(self, order: int) -> PairCounts:
        """Count for ROUGE-N."""
        ...

    def count_lcs(self) -> PairCounts:
        """Count for the LCS of whole texts."""
        ...

    def count_union_lcs(self) -> PairCounts:
        """Count for the union LCS of sentences: clipped by the unigram tables of both texts."""
        ...


class PairOfTexts(NamedTuple):
    """A model and a peer, counted in plain Python."""

    model: TextTokens
    peer: TextTokens

    def is_small(self, *, by_sentence: bool) -> bool:
        """Return whether plain Python is faster than arrays are.

        Parameters
        ----------
        by_sentence : bool
            Whether each sentence of one is set against each of the other.
        """
        if max(len(self.model.whole), len(self.peer.whole)) > MOST_TOKENS:
            return False
        n_sentence_pairs = len(self.model.by_sentence) * len(self.peer.by_sentence)
        return not by_sentence or n_sentence_pairs <= MOST_SENTENCE_PAIRS

    def count_ngrams(self, order: int) -> PairCounts:
        """Count for ROUGE-N."""
        model, peer = self.model.whole, self.peer.whole
        return PairCounts(
            _shared(_ngrams(model, order), _ngrams(peer, order)),
            max(len(model) - order + 1, 0),
            max(len(peer) - order + 1, 0),
        )

    def count_lcs(self) -> PairCounts:
        """Count for the LCS of whole texts."""
        model, peer = self.model.whole, self.peer.whole
        last = (1 << len(model)) - 1
        for column in _columns(_places(model), len(model), peer):
            last = column
        return PairCounts(len(model) - last.bit_count(), len(model), len(peer))

    def count_union_lcs(self) -> PairCounts:
        """Count for the union LCS of sentences: clipped by the unigram tables of both texts."""
        model, peer = self.model.by_sentence, self.peer.by_sentence
        left_in_model = Counter(chain.from_iterable(model))
        left_in_peer = Counter(chain.from_iterable(peer))
        n_model, n_peer = left_in_model.total(), left_in_peer.total()
        hit = 0
        for sentence in model:
            for token in _on_union_lcs(sentence, peer):
                if left_in_model[token] > 0 and left_in_peer[token] > 0:
                    left_in_model[token] -= 1
                    left_in_peer[token] -= 1
                    hit += 1
        return PairCounts(hit, n_model, n_peer)


def _ngrams(tokens: Tokens, order: int) -> Counter[Hashable]:
    """Return how often each n-gram occurs."""
    if order == 1:
        return Counter(tokens)
    return Counter(zip(*(tokens[start:] for start in range(order)), strict=False))


def _shared(some: Counter[Hashable], others: Counter[Hashable]) -> int:
    """Return how many of both there are, each as often as where it is less frequent."""
    if len(others) < len(some):
        some, others = others, some
    return sum([min(some[item], others[item]) for item in some.keys() & others.keys()])


def _places(tokens: Tokens) -> dict[Hashable, int]:
    """Return an integer for each type, with a bit for each of its places."""
    places: dict[Hashable, int] = {}
    bit = 1
    for token in tokens:
        places[token] = places.get(token, 0) | bit
        bit <<= 1
    return places


def _columns(places: dict[Hashable, int], n_model: int, peer: Iterable[Hashable]) -> Iterator[int]:
    """Yield the columns of the LCS table, a peer token each."""
    column = all_ones = (1 << n_model) - 1
    for token in peer:
        grown = column & places.get(token, 0)
        column = ((column + grown) | (column - grown)) & all_ones
        yield column


def _on_union_lcs(model: Tokens, peer_sentences: Iterable[Tokens]) -> list[Hashable]:
    """Return the tokens of a model sentence on its LCS with any peer sentence, in order."""
    places = _places(model)
    marked = 0
    for peer in peer_sentences:
        if not places.keys().isdisjoint(peer):
            marked |= _on_lcs(places, len(model), peer)
    return [token for place, token in enumerate(model) if marked >> place & 1]


def _on_lcs(places: dict[Hashable, int], n_model: int, peer: Tokens) -> int:
    """Return an integer with a bit for each place of the model on the LCS that backtracking finds.

    It goes, at equal tokens, diagonally; otherwise up the model, if up is as good as left.
    Up is as good where the LCS does not grow. So it passes by all places of a column at once down
    to the next one with an equal token or with growth.
    """
    columns = list(_columns(places, n_model, peer))
    marked = 0
    below = (1 << n_model) - 1
    for token, column in zip(reversed(peer), reversed(columns), strict=True):
        equal = places.get(token, 0)
        stops = (equal | ~column) & below
        if not stops:
            break
        place = 1 << (stops.bit_length() - 1)
        if equal & place:
            marked |= place
            below = place - 1
        else:
            below = (place << 1) - 1
    return marked
