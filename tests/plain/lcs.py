"""ROUGE-L and ROUGE-W (specification, section 5): full tables and the walk back."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from .metrics import Counts
from .numbers import Number, power, total

Sentences = list[list[bytes]]
Marker = Callable[[list[bytes], list[bytes]], set[int]]


def lcs_positions(model: list[bytes], peer: list[bytes]) -> set[int]:
    """The positions of the model sentence on the LCS that the walk finds."""
    c = [[0] * (len(peer) + 1) for _ in range(len(model) + 1)]
    for i in range(1, len(model) + 1):
        for j in range(1, len(peer) + 1):
            if model[i - 1] == peer[j - 1]:
                c[i][j] = c[i - 1][j - 1] + 1
            elif c[i - 1][j] >= c[i][j - 1]:
                c[i][j] = c[i - 1][j]
            else:
                c[i][j] = c[i][j - 1]
    return walk_back(model, peer, c)


def wlcs_positions(model: list[bytes], peer: list[bytes], weight: Number) -> set[int]:
    """The positions of the model sentence on the weighted LCS that the walk finds."""
    longest = min(len(model), len(peer))
    f = [power(k, weight) for k in range(longest + 1)]
    c: list[list[Number]] = [[0] * (len(peer) + 1) for _ in range(len(model) + 1)]
    run = [[0] * (len(peer) + 1) for _ in range(len(model) + 1)]
    for i in range(1, len(model) + 1):
        for j in range(1, len(peer) + 1):
            if model[i - 1] == peer[j - 1]:
                k = run[i - 1][j - 1]
                c[i][j] = c[i - 1][j - 1] + f[k + 1] - f[k]
                run[i][j] = k + 1
            elif c[i - 1][j] >= c[i][j - 1]:
                c[i][j] = c[i - 1][j]
            else:
                c[i][j] = c[i][j - 1]
    return walk_back(model, peer, c)


def walk_back(
    model: list[bytes], peer: list[bytes], c: list[list[int]] | list[list[Number]]
) -> set[int]:
    """From the last corner to the first edge, marking model positions (section 5, ROUGE-L)."""
    marked = set()
    i, j = len(model), len(peer)
    while i > 0 and j > 0:
        if model[i - 1] == peer[j - 1]:
            marked.add(i - 1)
            i, j = i - 1, j - 1
        elif c[i - 1][j] >= c[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return marked


def union_lcs(model: list[bytes], peer_sentences: Sentences, positions: Marker) -> set[int]:
    """The union over all peer sentences of the positions marked in one model sentence."""
    marked: set[int] = set()
    for peer in peer_sentences:
        marked |= positions(model, peer)
    return marked


class Clipping:
    """What is left of both unigram tables; a token passes while both still have it."""

    def __init__(
        self, peer_unigrams: Mapping[bytes, int], model_unigrams: Mapping[bytes, int]
    ) -> None:
        self.peer = dict(peer_unigrams)
        self.model = dict(model_unigrams)

    def passes(self, token: bytes) -> bool:
        """Whether the token may be counted; if so, it is used up once in both tables."""
        if self.peer.get(token, 0) > 0 and self.model.get(token, 0) > 0:
            self.peer[token] -= 1
            self.model[token] -= 1
            return True
        return False


def lcs(
    peer_sentences: Sentences,
    model_sentences: Sentences,
    peer_unigrams: Mapping[bytes, int],
    model_unigrams: Mapping[bytes, int],
) -> Counts:
    """ROUGE-L (section 5).  The unigram tables are those of ROUGE-1's reading."""
    clipping = Clipping(peer_unigrams, model_unigrams)
    hit = 0
    for model in model_sentences:
        marked = union_lcs(model, peer_sentences, lcs_positions)
        for position in sorted(marked):
            if clipping.passes(model[position]):
                hit += 1
    model_count = sum(len(model) for model in model_sentences)
    return hit, model_count, sum(peer_unigrams.values())


def wlcs(
    peer_sentences: Sentences,
    model_sentences: Sentences,
    peer_unigrams: Mapping[bytes, int],
    model_unigrams: Mapping[bytes, int],
    weight: Number,
) -> Counts:
    """ROUGE-W (section 5).  The model count is weighted twice."""
    clipping = Clipping(peer_unigrams, model_unigrams)

    def positions(model: list[bytes], peer: list[bytes]) -> set[int]:
        return wlcs_positions(model, peer, weight)

    runs: list[Number] = []
    for model in model_sentences:
        marked = union_lcs(model, peer_sentences, positions)
        run = 0
        for position in sorted(marked):
            if clipping.passes(model[position]):
                run += 1
                if position + 1 == len(model) or position + 1 not in marked:
                    runs.append(power(run, weight))
                    run = 0
    model_count = power(wlcs_base(model_sentences, weight), weight)
    peer_count = power(sum(peer_unigrams.values()), weight)
    return total(runs), model_count, peer_count


def wlcs_base(model_sentences: Sentences, weight: Number) -> Number:
    """The base of a model: the sum over its sentences of f(length) (section 5, ROUGE-W)."""
    return total(power(len(model), weight) for model in model_sentences)
