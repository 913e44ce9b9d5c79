"""ROUGE-soft-N, word for word as the documentation describes it."""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping, Sequence

from .metrics import Counts, ngram_units

Vector = Sequence[int]


def quantised(numbers: Sequence[float]) -> list[int] | None:
    """The numbers in 32 bits, as integers of which the largest is 32767; None if all are 0."""
    single = [struct.unpack("<f", struct.pack("<f", number))[0] for number in numbers]
    size = max(map(abs, single))
    return [round(number * (32767 / size)) for number in single] if size else None


def cosine(one: Vector, other: Vector) -> float:
    """The cosine of two vectors, at most 1."""
    product = sum(a * b for a, b in zip(one, other, strict=True))
    squares = sum(a * a for a in one) * sum(b * b for b in other)
    return min(product / math.sqrt(squares), 1.0)


def similarity(
    peer: Sequence[tuple[bytes, bytes]],
    model: Sequence[tuple[bytes, bytes]],
    vectors: Mapping[bytes, Vector],
) -> float:
    """The least of the cosines of two n-grams, word by word; -2 if two words cannot match.

    A word is what is compared, perhaps a stem, and what is looked up.
    """
    least = 1.0
    for (a, spelt_a), (b, spelt_b) in zip(peer, model, strict=True):
        if a != b:
            if spelt_a not in vectors or spelt_b not in vectors:
                return -2.0
            least = min(least, cosine(vectors[spelt_a], vectors[spelt_b]))
    return least


def soft_ngrams(
    peer: list[tuple[bytes, bytes]],
    model: list[tuple[bytes, bytes]],
    n: int,
    vectors: Mapping[bytes, Vector],
    threshold: float,
) -> Counts:
    """ROUGE-soft-N of tokens as they are compared and as they are spelt."""
    starts = range(len(peer) - n + 1)
    model_starts = range(len(model) - n + 1)
    peer_units = ngram_units([word for word, _ in peer], n)
    model_units = ngram_units([word for word, _ in model], n)
    # Exact hits: the first of each unit, as often as both have it.
    used_in_peer = [i for i in starts if peer_units[:i].count(peer_units[i]) < model_units.count(peer_units[i])]  # fmt: skip # noqa: E501
    used_in_model = [j for j in model_starts if model_units[:j].count(model_units[j]) < peer_units.count(model_units[j])]  # fmt: skip # noqa: E501
    hit = len(used_in_peer)
    candidates = []
    for i in starts:
        for j in model_starts:
            if i not in used_in_peer and j not in used_in_model:
                near = similarity(peer[i : i + n], model[j : j + n], vectors)
                if near >= threshold and near >= -1:
                    candidates.append((-near, i, j))
    for _, i, j in sorted(candidates):
        if i not in used_in_peer and j not in used_in_model:
            used_in_peer.append(i)
            used_in_model.append(j)
            hit += 1
    return hit, len(model_units), len(peer_units)
