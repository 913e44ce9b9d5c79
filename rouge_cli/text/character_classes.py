"""Find the tokens of Unicode text by the class of each character, without a loop over characters.

The text is looked at twice: as code points, whose class a table knows, and as UTF-8, in which the
tokens are told apart as those of ROUGE-1.5.5 are. No byte of UTF-8 is above 0xF4, so the marks of
`rouge_cli.text.interning` cannot be mistaken for tokens.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from rouge_cli.text.interning import examples_of_types
from rouge_cli.text.segmented import SegmentedText
from rouge_cli.text.tokens import NEWLINE, PADDING, TokenEdges

__all__ = ["MARK", "SEPARATOR", "SINGLE", "WORD", "CharacterClasses"]

SEPARATOR, WORD, SINGLE, MARK, UNKNOWN = range(5)
"""A character between tokens; one that makes a token with its neighbours; one that is a token of
its own with the marks behind it; a mark, which belongs to what stands before it or begins a word.
"""

N_CODE_POINTS = 0x110000


class CharacterClasses:
    """Tokens by the classes of characters.

    Parameters
    ----------
    class_of : callable
        From a character to its class; asked once for each character that occurs.
    """

    __slots__ = ("_class_of", "_table")

    def __init__(self, class_of: Callable[[str], int]) -> None:
        self._class_of = class_of
        self._table = np.full(N_CODE_POINTS, UNKNOWN, np.uint8)
        self._table[NEWLINE] = SEPARATOR

    def read(self, text: str) -> SegmentedText:
        """Return the tokens of a text, whose sentences end at newlines."""
        # A newline on both sides, so that each character has a neighbour.
        codes = np.frombuffer(f"\n{text}\n".encode("utf-32-le"), np.uint32)
        starts, ends = self._edges(codes)
        sentence_ends = np.flatnonzero(codes[1:] == NEWLINE) + 1
        sentence_offsets = np.concatenate(([0], np.searchsorted(starts, sentence_ends)))
        buffer = f"\n{text}\n".encode() + PADDING
        if len(buffer) > codes.size + len(PADDING):
            places = _byte_places(codes)
            starts, ends = places[starts], places[ends]
        edges = TokenEdges(buffer, starts, ends - starts, sentence_offsets, np.zeros(0, np.int64))
        return _segmented(edges)

    def _edges(self, codes: NDArray[np.uint32]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return where each token starts and ends, in characters."""
        classes = self._classes(codes)
        in_token = classes != SEPARATOR
        if not (classes == SINGLE).any():
            edges = np.flatnonzero(in_token[1:] != in_token[:-1]) + 1
            return edges[0::2], edges[1::2]
        # The character that a mark belongs to, through other marks.
        places = np.where(classes == MARK, 0, np.arange(classes.size))
        bases = classes[np.maximum.accumulate(places)]
        is_start = classes == SINGLE
        is_start[1:] |= (classes[1:] == WORD) & (bases[:-1] == SINGLE)
        is_start[1:] |= in_token[1:] & ~in_token[:-1]
        is_end = in_token[:-1] & (is_start[1:] | ~in_token[1:])
        return np.flatnonzero(is_start), np.flatnonzero(is_end) + 1

    def _classes(self, codes: NDArray[np.uint32]) -> NDArray[np.uint8]:
        """Return the class of each character, shape (n_characters,)."""
        classes = self._table.take(codes)
        is_unknown = classes == UNKNOWN
        if is_unknown.any():
            found = np.unique(codes[is_unknown])
            self._table[found] = [self._class_of(chr(code)) for code in found.tolist()]
            classes = self._table.take(codes)
        return classes


def _byte_places(codes: NDArray[np.uint32]) -> NDArray[np.int64]:
    """Return where each character starts in UTF-8, shape (n_characters,)."""
    places = np.ones(codes.size + 1, np.int64)
    places[0] = 0
    for first_of_more in (0x80, 0x800, 0x10000):
        places[1:] += codes >= first_of_more
    np.cumsum(places, out=places)
    return places[:-1]


def _segmented(edges: TokenEdges) -> SegmentedText:
    """Tell the types of tokens apart, and number them without gaps."""
    examples_of_tokens = examples_of_types(edges)
    examples = np.flatnonzero(examples_of_tokens == np.arange(examples_of_tokens.size))
    numbers = np.zeros(examples_of_tokens.size, np.int32)
    numbers[examples] = np.arange(examples.size, dtype=np.int32)

    def strings() -> list[str]:
        return [one.decode() for one in edges.strings(examples)]

    types = numbers.take(examples_of_tokens)
    return SegmentedText(types, edges.sentence_offsets, examples.size, strings)
