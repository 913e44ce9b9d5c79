"""The counts and scores of a single pair from its tokens, in plain Python, without any arrays.

It exists for speed: a pair of one-line texts takes a twentieth, and one of three sentences a sixth,
of the time that the kernels of `rouge_cli.metrics` need for a block of a single pair.

LCS in long integers. A peer token at a time, one integer holds a column of the LCS table: a bit for
each model token, 0 where the LCS grows there and 1 where it does not. A column follows from the one
before in four operations on whole integers.
Source: Hyyrö (2004), "Bit-parallel LCS-length computation revisited", section 4.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from rouge_cli.compat.rouge_types import RougeType
from rouge_cli.compat.scoring import ORIGINAL, Score

__all__ = ["PairCounts", "TextTokens", "count_pair", "pair_score"]

ALPHA = 0.5

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
    by_sentence : sequence of sequence of tokens
    whole : sequence of tokens
        Of the text as one sequence.
    """

    by_sentence: Sequence[Tokens]
    whole: Tokens


def count_pair(rouge_type: RougeType, model: TextTokens, peer: TextTokens) -> PairCounts:
    """Count the hits of one pair in a metric that `RougeType.is_plain`."""
    if rouge_type.order:
        return _count_ngrams(rouge_type.order, model, peer)
    return (_count_union_lcs if rouge_type.reads_sentences else _count_lcs)(model, peer)


def _count_ngrams(order: int, model: TextTokens, peer: TextTokens) -> PairCounts:
    """Count for ROUGE-N."""
    model_ngrams, peer_ngrams = _ngrams(model.whole, order), _ngrams(peer.whole, order)
    return PairCounts(
        _shared(model_ngrams, peer_ngrams),
        max(len(model.whole) - order + 1, 0),
        max(len(peer.whole) - order + 1, 0),
    )


def _count_lcs(model: TextTokens, peer: TextTokens) -> PairCounts:
    """Count for the LCS of whole texts."""
    n_model, n_peer = len(model.whole), len(peer.whole)
    last = (1 << n_model) - 1
    for column in _columns(_places(model.whole), n_model, peer.whole):
        last = column
    return PairCounts(n_model - last.bit_count(), n_model, n_peer)


def _count_union_lcs(model: TextTokens, peer: TextTokens) -> PairCounts:
    """Count for the union LCS of sentences: clipped by the unigram tables of both texts."""
    left_in_model = Counter(chain.from_iterable(model.by_sentence))
    left_in_peer = Counter(chain.from_iterable(peer.by_sentence))
    n_model, n_peer = left_in_model.total(), left_in_peer.total()
    hit = 0
    for sentence in model.by_sentence:
        for token in _on_union_lcs(sentence, peer.by_sentence):
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


def pair_score(counts: PairCounts, like: str) -> Score:
    """Return the score of one pair.

    Parameters
    ----------
    counts : PairCounts
    like : str
        ``"1.5.5"``: precision and recall are rounded to 5 decimals, and so is F, which is formed
        from these. Otherwise nothing is rounded.
    """
    if not counts.hit:
        return Score(0.0, 0.0, 0.0)
    precision, recall = counts.hit / counts.peer_count, counts.hit / counts.model_count
    if like != ORIGINAL:
        # Another form, such as 2 * hit / (model_count + peer_count), has other last bits.
        return Score(precision, recall, 2 * precision * recall / (precision + recall))
    precision, recall = _rounded(precision), _rounded(recall)
    divisor = (1 - ALPHA) * precision + ALPHA * recall
    return Score(precision, recall, _rounded(precision * recall / divisor) if divisor else 0.0)


def _rounded(score: float) -> float:
    """Round to 5 decimals by the exact binary value, ties to even, as C prints it."""
    return float(f"{score:.5f}")
