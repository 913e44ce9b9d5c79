"""Find equal tokens (tokens of one type) in a block without a loop over tokens.

The idea. Read the first 8 bytes of every token as one integer, its key. Hash all keys into a table
and let every token write its own number into its slot; of the tokens that share a slot, one write
stays. Every token then looks who stands in its slot: if that token has the same key, it is the
example of the type; if not, two types met in one slot, and the tokens of the loser try again with
another hash. At least one type is settled for each slot in use, so the rounds end, and nearly
always after two or three.

Facts it rests on: tokens consist of a-z and 0-9, so a word of up to 8 of their bytes, filled up
with zeros, never has 0xFF as its highest byte; tokens of more than 8 bytes are compared apart, and
the number of their example, marked with 0xFF on top, is their key among the others.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rouge_cli.text.tokens import TokenEdges

__all__ = ["examples_of_types"]

WORD = 8
LONG_MARK = np.uint64(0xFF << 56)
MULTIPLIERS = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0xD6E8FEB86659FD93, 0xFF51AFD7ED558CCD)
KEPT_BYTES = np.array([(1 << 8 * n_bytes) - 1 for n_bytes in range(WORD + 1)], np.uint64)
"""Mask that keeps the first n bytes of a little-endian word."""


def examples_of_types(edges: TokenEdges) -> NDArray[np.int32]:
    """Return for each token the example of its type: one token for all that are equal.

    Returns
    -------
    ndarray of int32, shape (n_tokens,)
        Numbers of tokens; an example is its own example.
    """
    keys = _words(edges.buffer, edges.starts, edges.lengths)
    long_tokens = np.flatnonzero(edges.lengths > WORD)
    if long_tokens.size:
        keys[long_tokens] = LONG_MARK | _long_keys(edges, keys[long_tokens], long_tokens)
    return _examples([keys])


def _words(
    buffer: bytes, starts: NDArray[np.int64], lengths: NDArray[np.int64]
) -> NDArray[np.uint64]:
    """Return up to 8 bytes from each start as integers, zeros from the end of the token on."""
    n_places = len(buffer) - WORD + 1
    overlapping = np.ndarray((n_places,), np.dtype("<u8"), buffer, strides=(1,))
    words: NDArray[np.uint64] = overlapping[starts]
    words &= KEPT_BYTES[np.minimum(lengths, WORD)]
    return words


def _long_keys(
    edges: TokenEdges, first_words: NDArray[np.uint64], tokens: NDArray[np.int64]
) -> NDArray[np.uint64]:
    """Return the same number for equal tokens of more than 8 bytes, shape (len(tokens),)."""
    lengths = edges.lengths[tokens] - WORD
    second_words = _words(edges.buffer, edges.starts[tokens] + WORD, lengths)
    very_long = np.flatnonzero(lengths > WORD)
    numbers: dict[bytes, int] = {}
    strings = edges.strings(tokens[very_long])
    for place, string in zip(very_long.tolist(), strings, strict=True):
        second_words[place] = LONG_MARK | np.uint64(numbers.setdefault(string, len(numbers)))
    return _examples([first_words, second_words]).astype(np.uint64)


def _examples(words: Sequence[NDArray[np.uint64]], round_number: int = 0) -> NDArray[np.int32]:
    """Return for each item the number of one item whose words are all the same, shape (n,)."""
    n_items = words[0].size
    n_bits = max(8, min(18, n_items.bit_length()))
    slots = _slots(words, n_bits, round_number)
    table = np.empty(1 << n_bits, np.int32)
    table[slots] = np.arange(n_items, dtype=np.int32)
    examples = table[slots]
    is_other = words[0][examples] != words[0]
    for word in words[1:]:
        is_other |= word[examples] != word
    losers = np.flatnonzero(is_other)
    if losers.size:
        again = _examples([word[losers] for word in words], round_number + 1)
        examples[losers] = losers[again]
    return examples


def _slots(
    words: Sequence[NDArray[np.uint64]], n_bits: int, round_number: int
) -> NDArray[np.int64]:
    """Hash the words of each item to `n_bits` bits; every round hashes differently."""
    hashed = words[0] * _multiplier(round_number)
    for place, word in enumerate(words[1:], 1):
        hashed ^= hashed >> np.uint64(29)
        hashed ^= word
        hashed *= _multiplier(round_number + place)
    hashed >>= np.uint64(64 - n_bits)
    return hashed.view(np.int64)


def _multiplier(number: int) -> np.uint64:
    """Return an odd multiplier, another one for each number."""
    return np.uint64(MULTIPLIERS[number % len(MULTIPLIERS)] + 2 * (number // len(MULTIPLIERS)))
