"""Find the tokens of many texts at once: one translation of the bytes, then their edges.

A token is a run of letters and digits. The original sets hyphens off and drops them again, so a
hyphen only separates, like any other byte. A newline ends a sentence.
Source: specification, section 3.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rouge_cli.quick_dataclass import dataclass

__all__ = ["TRANSLATION", "TokenEdges", "dropped_letters", "find_tokens", "split_tokens"]

BLANK, NEWLINE = 32, 10
PADDING = b" " * 16
"""Room behind the last token, so that a whole word can be loaded from any token's start."""


def _translation() -> bytes:
    """Return the table that lowers A-Z, keeps a-z, 0-9 and newline, and blanks all else."""
    kept = b"abcdefghijklmnopqrstuvwxyz0123456789\n"
    table = bytearray([BLANK]) * 256
    for byte in kept:
        table[byte] = byte
    for byte in range(ord("A"), ord("Z") + 1):
        table[byte] = byte + 32
    return bytes(table)


TRANSLATION = _translation()


def split_tokens(text: bytes) -> list[list[bytes]]:
    """Return the tokens of each sentence of one text: for few texts faster than `find_tokens`."""
    return list(map(bytes.split, text.translate(TRANSLATION).split(b"\n")))


@dataclass(frozen=True, slots=True, eq=False)
class TokenEdges:
    """Where the tokens of a block of texts stand in one buffer.

    Parameters
    ----------
    buffer : bytes
        All texts, lower-cased, every byte outside tokens a blank or newline, 16 blanks behind.
    starts, lengths : ndarray of int64, shape (n_tokens,)
        First byte and number of bytes of each token.
    sentence_offsets : ndarray of int64, shape (n_sentences + 1,)
        In tokens, see `TextColumns`.
    text_offsets : ndarray of int64, shape (n_texts + 1,)
        In sentences, see `TextColumns`.
    """

    buffer: bytes
    starts: NDArray[np.int64]
    lengths: NDArray[np.int64]
    sentence_offsets: NDArray[np.int64]
    text_offsets: NDArray[np.int64]

    def strings(self, tokens: NDArray[np.int64]) -> list[bytes]:
        """Return the bytes of some tokens, given by their numbers."""
        starts = self.starts[tokens]
        ends = starts + self.lengths[tokens]
        return list(map(self.buffer.__getitem__, map(slice, starts.tolist(), ends.tolist())))


def find_tokens(texts: Sequence[bytes]) -> TokenEdges:
    """Find the tokens of `texts`, each a string of sentences with a newline between them."""
    buffer = b"\n".join([b"", *texts, PADDING]).translate(TRANSLATION)
    codes = np.frombuffer(buffer, np.uint8)
    # A newline stands before the first text and behind each, so edges come in pairs.
    is_token = codes > BLANK
    edges = np.flatnonzero(is_token[1:] != is_token[:-1]) + 1
    starts, ends = edges[0::2], edges[1::2]
    sentence_ends = np.flatnonzero(codes == NEWLINE)
    text_ends = np.cumsum(np.fromiter(map(len, texts), np.int64, len(texts)) + 1)
    return TokenEdges(
        buffer,
        starts,
        ends - starts,
        np.searchsorted(starts, sentence_ends),
        np.searchsorted(sentence_ends, np.concatenate(([0], text_ends))),
    )


_ASCII = bytes(range(128))
_NO_ASCII_LETTERS = bytes(code for code in range(256) if not bytes((code,)).isalpha())
MOST_DROPPED = 10
"""One letter in so many may be dropped without a warning."""


def dropped_letters(text: bytes) -> tuple[int, int]:
    """Count the letters of a text that are in no token, if they are many.

    Parameters
    ----------
    text : bytes
        In UTF-8 or, where it is none, in Latin-1.

    Returns
    -------
    n_dropped, n_letters : int
        Zero and zero if no more than a tenth is dropped.
    """
    n_ascii = len(text.translate(None, _NO_ASCII_LETTERS))
    n_high = len(text.translate(None, _ASCII))
    # A letter has a byte at least, so with few such bytes there is nothing to decode.
    if n_high * (MOST_DROPPED - 1) <= n_ascii:
        return 0, 0
    try:
        decoded = text.decode("utf-8")
    except UnicodeDecodeError:
        decoded = text.decode("latin-1")
    n_letters = sum(map(str.isalpha, decoded))
    n_dropped = n_letters - n_ascii
    return (n_dropped, n_letters) if n_dropped * MOST_DROPPED > n_letters else (0, 0)
