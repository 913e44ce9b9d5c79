"""Texts to the columns that the metrics count on, without a tokenizer in between."""

from collections.abc import Sequence
from itertools import chain

import numpy as np

from rouge_cli.metrics.counts import Counts
from rouge_cli.metrics.matching import Matches
from rouge_cli.metrics.text_pairs import TextPairs
from rouge_cli.text.columns import TextColumns

Text = Sequence[Sequence[bytes]]
"""A text: its sentences, each a sequence of tokens."""


def text(written: str) -> list[list[bytes]]:
    """Return a text from words with blanks between them, and ``/`` between sentences."""
    return [sentence.encode().split() for sentence in written.split("/")]


def columns(texts: Sequence[Text], numbers: dict[bytes, int]) -> TextColumns:
    """Return the columns of texts; tokens without a number get the next one."""
    sentences = list(chain.from_iterable(texts))
    return TextColumns(
        np.array(
            [numbers.setdefault(token, len(numbers)) for token in chain(*sentences)], np.int32
        ),
        np.cumsum([0, *map(len, sentences)]),
        np.cumsum([0, *map(len, texts)]),
    )


def pair_texts(peers: Sequence[Text], models: Sequence[Text]) -> TextPairs:
    """Pair each peer with the model in the same place."""
    (pairs,) = pair_readings([(peers, models)])
    return pairs


def pair_readings(
    readings: Sequence[tuple[Sequence[Text], Sequence[Text]]],
) -> list[TextPairs]:
    """Pair the texts of several readings of the same pairs, with types in common."""
    numbers: dict[bytes, int] = {}
    sides = [(columns(peers, numbers), columns(models, numbers)) for peers, models in readings]
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


def match(peers: Sequence[Text], models: Sequence[Text]) -> Matches:
    """Match each peer with the model in the same place."""
    return pair_texts(peers, models).matches()


def match_written(peer: str, model: str) -> Matches:
    """Match one peer with one model, both as `text` reads them."""
    return match([text(peer)], [text(model)])


def match_readings(
    readings: Sequence[tuple[Sequence[Text], Sequence[Text]]],
) -> list[Matches]:
    """Match several readings of the same pairs, with types in common."""
    return [pairs.matches() for pairs in pair_readings(readings)]


def triples(counts: Counts) -> list[tuple[float, float, float]]:
    """Return hit, model count and peer count of each pair."""
    rows = zip(
        counts.hit.tolist(), counts.model_count.tolist(), counts.peer_count.tolist(), strict=True
    )
    return list(rows)
