"""Texts to pairs as the reference counts them, and to columns as the core does."""

from collections.abc import Sequence

import numpy as np

from rouge_cli.metrics.counts import PairCounts
from rouge_cli.metrics.paired_texts import Text, TextPair, TextPairs
from rouge_cli.text.ascii155 import columns_of
from rouge_cli.text.stems import Numbers

Sentences = Sequence[Sequence[bytes]]
"""A text: its sentences, each a sequence of tokens."""


def text(written: str) -> list[list[bytes]]:
    """Return a text from words with blanks between them, and ``/`` between sentences."""
    return [sentence.encode().split() for sentence in written.split("/")]


def pair_of(peer: Sentences, model: Sentences) -> TextPair:
    return TextPair.of(Text.of(peer), Text.of(model))


def written_pair(peer: str, model: str) -> TextPair:
    """Return the pair of two texts, both as `text` reads them."""
    return pair_of(text(peer), text(model))


def clipped_by(pair: TextPair, tables: TextPair) -> TextPair:
    """Return a pair whose hits the unigrams of another reading clip."""
    return TextPair(pair.peer, pair.model, tables.peer.tokens, tables.model.tokens)


def pair_columns(pairs: Sequence[tuple[Sentences, Sentences]]) -> TextPairs:
    (found,) = readings_in_columns([pairs])
    return found


def readings_in_columns(
    readings: Sequence[Sequence[tuple[Sentences, Sentences]]],
) -> list[TextPairs]:
    """Return several readings of the same pairs in columns, with types in common."""
    numbers: Numbers[bytes] = Numbers()
    sides = [
        [columns_of([pair[side] for pair in pairs], numbers) for side in (0, 1)]
        for pairs in readings
    ]
    return [
        TextPairs(
            peers,
            np.arange(peers.text_offsets.size - 1),
            models,
            np.arange(models.text_offsets.size - 1),
            len(numbers),
        )
        for peers, models in sides
    ]


def triple(counts: PairCounts) -> tuple[float, float, float]:
    return counts.hit, counts.model_count, counts.peer_count
