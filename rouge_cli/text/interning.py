"""Number the distinct tokens of a block (its types) without a loop over tokens.

The idea. Read the first 8 bytes of every token as one integer, its key. Hash all keys into a table
and let every token write its own number into its slot; of the tokens that share a slot, one write
stays. Every token then looks who stands in its slot: if that token has the same key, it stands for
the type; if not, two types met in one slot, and the tokens of the loser try again with another
hash. At least one type is settled for each slot in use, so the rounds end, and nearly always after
two or three.

Facts it rests on: tokens consist of a-z and 0-9, so a word of up to 8 of their bytes, filled up
with zeros, never has 0xFF as its highest byte; tokens of more than 8 bytes are numbered apart, and
that number, marked with 0xFF on top, is their key among the others.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rouge_cli.text.tokens import TokenEdges

__all__ = ["number_types"]

WORD = 8
LONG_MARK = np.uint64(0xFF << 56)
MULTIPLIERS = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0xD6E8FEB86659FD93, 0xFF51AFD7ED558CCD)
KEPT_BYTES = np.array([(1 << 8 * n_bytes) - 1 for n_bytes in range(WORD + 1)], np.uint64)
"""Mask that keeps the first n bytes of a little-endian word."""


def number_types(edges: TokenEdges) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Give each type of a block a number, from 0 on.

    Returns
    -------
    types : ndarray of int32, shape (n_tokens,)
        The type of each token.
    examples : ndarray of int64, shape (n_types,)
        For each type the number of one token of it.
    """
    keys = _words(edges, 0)
    long_tokens = np.flatnonzero(edges.lengths > WORD)
    if long_tokens.size:
        keys[long_tokens] = LONG_MARK | _long_keys(edges, keys[long_tokens], long_tokens)
    return _dense(_representatives([keys]))


def _words(
    edges: TokenEdges, skip: int, tokens: NDArray[np.int64] | None = None
) -> NDArray[np.uint64]:
    """Return 8 bytes of each token from its byte `skip` on, as integers, zeros behind its end."""
    starts, lengths = edges.starts, edges.lengths
    if tokens is not None:
        starts, lengths = starts[tokens], lengths[tokens]
    overlapping = np.ndarray(
        (len(edges.buffer) - WORD + 1,), np.dtype("<u8"), edges.buffer, strides=(1,)
    )
    return overlapping[starts + skip] & KEPT_BYTES[np.clip(lengths - skip, 0, WORD)]


def _long_keys(
    edges: TokenEdges, first_words: NDArray[np.uint64], tokens: NDArray[np.int64]
) -> NDArray[np.uint64]:
    """Return the same number for equal tokens of more than 8 bytes, shape (len(tokens),)."""
    second_words = _words(edges, WORD, tokens)
    very_long = np.flatnonzero(edges.lengths[tokens] > 2 * WORD)
    numbers: dict[bytes, int] = {}
    for place, string in zip(very_long.tolist(), edges.strings(tokens[very_long]), strict=True):
        second_words[place] = LONG_MARK | np.uint64(numbers.setdefault(string, len(numbers)))
    return _representatives([first_words, second_words]).astype(np.uint64)


def _representatives(words: Sequence[NDArray[np.uint64]]) -> NDArray[np.int64]:
    """Return for each item the number of one item whose words are all the same, shape (n,)."""
    n_items = words[0].size
    n_bits = max(8, min(18, n_items.bit_length()))
    settled = np.empty(n_items, np.int64)
    table = np.empty(1 << n_bits, np.int64)
    items, left, round_number = np.arange(n_items), list(words), 0
    while items.size:
        slots = _slots(left, n_bits, round_number)
        table[slots] = items
        found = table[slots]
        is_same = words[0][found] == left[0]
        for all_words, left_words in zip(words[1:], left[1:], strict=True):
            is_same &= all_words[found] == left_words
        settled[items[is_same]] = found[is_same]
        items = items[~is_same]
        left = [word[~is_same] for word in left]
        round_number += 1
    return settled


def _slots(
    words: Sequence[NDArray[np.uint64]], n_bits: int, round_number: int
) -> NDArray[np.int64]:
    """Hash the words of each item to `n_bits` bits; every round hashes differently."""
    hashed = np.zeros(words[0].size, np.uint64)
    for place, word in enumerate(words):
        multiplier = MULTIPLIERS[(round_number + place) % len(MULTIPLIERS)] + 2 * round_number
        hashed ^= word * np.uint64(multiplier)
        hashed ^= hashed >> np.uint64(29)
    hashed *= np.uint64(MULTIPLIERS[0])
    return (hashed >> np.uint64(64 - n_bits)).view(np.int64)


def _dense(representatives: NDArray[np.int64]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Give the representatives that occur numbers from 0 on."""
    occurs = np.zeros(representatives.size, np.bool_)
    occurs[representatives] = True
    numbers = np.cumsum(occurs, dtype=np.int32)
    numbers -= 1
    return numbers[representatives], np.flatnonzero(occurs)
