"""Find equal tokens (tokens of one type) in a block without a loop over tokens.

The idea. Read the first 8 bytes of every token as one integer, its key. Hash all keys into a table
and let every token write its own number into its slot; of the tokens that share a slot, one write
stays. Every token then looks who stands in its slot: if that token has the same key, it is the
example of the type; if not, two types met in one slot, and the tokens of the loser try again with
another hash. At least one type is settled for each slot in use, so the rounds end, and nearly
always after two or three.

Facts it rests on: tokens consist of a-z and 0-9, so a word of up to 8 of their bytes, filled up
with zeros, never has 0xFF as its highest byte. A longer token is two integers: its first 8 bytes,
and the key of the rest. The number of the example of such a pair, marked with 0xFF on top, is a key
among the others. Monsters of more than 64 bytes are looked up in a dictionary.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rouge_cli.text.tokens import TokenEdges

__all__ = ["examples_of_types"]

WORD = 8
LONG_MARK, VERY_LONG_MARK = np.uint64(0xFF << 56), np.uint64(0xFE << 56)
LONGEST_FOLDED = 64
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
    very_long = np.flatnonzero(edges.lengths > LONGEST_FOLDED)
    if not very_long.size:
        return _examples([_keys(edges.buffer, edges.starts, edges.lengths)])
    lengths = edges.lengths.copy()
    lengths[very_long] = 0
    keys = _keys(edges.buffer, edges.starts, lengths)
    numbers: dict[bytes, int] = {}
    keys[very_long] = VERY_LONG_MARK | np.array(
        [numbers.setdefault(string, len(numbers)) for string in edges.strings(very_long)], np.uint64
    )
    return _examples([keys])


def _keys(
    buffer: bytes, starts: NDArray[np.int64], lengths: NDArray[np.int64]
) -> NDArray[np.uint64]:
    """Return an integer for each string: the same for equal ones, and for no others."""
    keys = _words(buffer, starts, lengths)
    long = np.flatnonzero(lengths > WORD)
    if long.size:
        rest = _keys(buffer, starts[long] + WORD, lengths[long] - WORD)
        keys[long] = LONG_MARK | _examples([keys[long], rest]).astype(np.uint64)
    return keys


def _words(
    buffer: bytes, starts: NDArray[np.int64], lengths: NDArray[np.int64]
) -> NDArray[np.uint64]:
    """Return up to 8 bytes from each start as integers, zeros from the end of the token on."""
    n_places = len(buffer) - WORD + 1
    overlapping = np.ndarray((n_places,), np.dtype("<u8"), buffer, strides=(1,))
    words: NDArray[np.uint64] = overlapping[starts]
    words &= KEPT_BYTES.take(lengths, mode="clip")
    return words


def _examples(words: Sequence[NDArray[np.uint64]], round_number: int = 0) -> NDArray[np.int32]:
    """Return for each item the number of one item whose words are all the same, shape (n,)."""
    n_items = words[0].size
    n_bits = max(8, min(18, n_items.bit_length()))
    slots = _slots(words, n_bits, round_number)
    table = np.empty(1 << n_bits, np.int32)
    table[slots] = np.arange(n_items, dtype=np.int32)
    examples = table.take(slots)
    is_other = words[0].take(examples) != words[0]
    for word in words[1:]:
        is_other |= word.take(examples) != word
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
