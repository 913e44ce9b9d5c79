"""Tokens found by the classes of their characters, and numbered.

A table holds the class of each character. The classes of all characters of a text, looked up at
once, show where tokens begin and end. A regular expression of the same classes would take 1.7 times
as long.
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rouge_cli.core import compiled_core
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.text.stems import Numbers

SENTENCE_END = "\n"

SEPARATOR, WORD, SINGLE, MARK, JOINER, DROPPED, UNKNOWN = range(7)
"""Adjacent word characters form a token. A single forms a token with the marks that follow it. A
mark belongs to the character before it, or begins a word. A joiner belongs to a word if it is
inside, and separates at its edge. Dropped characters are ignored."""

N_CODE_POINTS, N_BYTES, N_ASCII = 0x110000, 0x100, 0x80
ENCODING, LONE_SURROGATES = "utf-32-le", "surrogatepass"

CORE_PADDING = 16
"""Readable bytes that the core needs after the last word."""


@dataclass(frozen=True, slots=True, eq=False)
class SegmentedText:
    """The tokens of a text.

    Parameters
    ----------
    types : ndarray of int32, shape (n_tokens,)
        The type of each token, an index into `strings`.
    sentence_offsets : ndarray of int64, shape (n_sentences + 1,)
        Sentence ``s`` has the tokens ``sentence_offsets[s]:sentence_offsets[s + 1]``.
    strings : list of str
        Each type once.
    """

    types: NDArray[np.int32]
    sentence_offsets: NDArray[np.int64]
    strings: list[str]


def numbered(tokens: Iterable[str]) -> SegmentedText:
    """Assign numbers to tokens; the token `SENTENCE_END` ends a sentence and is dropped."""
    numbers: Numbers[str] = Numbers()
    types = np.fromiter(map(numbers.__getitem__, tokens), np.int32)
    is_end = types == numbers[SENTENCE_END]
    ends = np.append(np.flatnonzero(is_end), types.size)
    sentence_offsets = np.concatenate(([0], ends - np.arange(ends.size)))
    return SegmentedText(types[~is_end], sentence_offsets, list(numbers))


@dataclass(frozen=True, slots=True, eq=False)
class NumberedText:
    """A `SegmentedText` whose `n_types` strings are made on demand, by `spell`."""

    types: NDArray[np.int32]
    sentence_offsets: NDArray[np.int64]
    n_types: int
    spell: Callable[[], list[str]]


class CharacterClasses:
    """Finds tokens by the classes of characters.

    `class_of` is called once for every ASCII character, and for any other when it first occurs.
    """

    __slots__ = ("_ascii_table", "_class_of", "_table")

    def __init__(self, class_of: Callable[[str], int]) -> None:
        self._class_of = class_of
        self._table = np.full(N_CODE_POINTS, UNKNOWN, np.uint8)
        self._table[:N_ASCII] = [class_of(chr(code)) for code in range(N_ASCII)]
        self._table[ord(SENTENCE_END)] = SEPARATOR
        self._ascii_table = self._table[:N_BYTES].tobytes()

    def read(self, text: str) -> SegmentedText:
        """Return the tokens of a text; a newline ends a sentence."""
        numbers = self.number(text)
        return SegmentedText(numbers.types, numbers.sentence_offsets, numbers.spell())

    def number(self, text: str) -> NumberedText:
        """Return the tokens of a text as numbers, without spelling them."""
        # A newline on both sides gives every character two neighbours.
        text = f"\n{text}\n"
        if text.isascii():
            # One byte per character: `bytes.translate` is faster than looking up code points.
            encoded = text.encode("ascii")
            codes: NDArray[Any] = np.frombuffer(encoded, np.uint8)
            classes = np.frombuffer(encoded.translate(self._ascii_table), np.uint8)
        else:
            codes = np.frombuffer(text.encode(ENCODING, LONE_SURROGATES), np.uint32)
            classes = self._classes(codes)
        # Joiners and dropped characters are rare.
        if (classes > MARK).any():
            is_kept = classes != DROPPED
            codes, classes = codes[is_kept], _with_joiners(classes[is_kept])
            text = codes.astype(np.uint32).tobytes().decode(ENCODING, LONE_SURROGATES)
        starts, ends = _edges(classes)
        core = compiled_core()
        if core is None:
            types, firsts = number_words(text, starts, ends)
        else:
            types, firsts = compiled_number_words(core, codes, starts, ends)
        sentence_ends = np.flatnonzero(codes == ord(SENTENCE_END))
        return NumberedText(
            types,
            np.searchsorted(starts, sentence_ends),
            firsts.size,
            partial(_words_at, text, starts[firsts], ends[firsts]),
        )

    def _classes(self, codes: NDArray[np.uint32]) -> NDArray[np.uint8]:
        classes = self._table.take(codes)
        is_unknown = classes == UNKNOWN
        if is_unknown.any():
            new = np.unique(codes[is_unknown])
            self._table[new] = [self._class_of(chr(code)) for code in new.tolist()]
            classes = self._table.take(codes)
        return classes


def _edges(classes: NDArray[np.uint8]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the start and end of each token, as positions of characters; the end is exclusive."""
    in_token = classes != SEPARATOR
    if not (classes == SINGLE).any():
        edges = np.flatnonzero(in_token[1:] != in_token[:-1]) + 1
        return edges[0::2], edges[1::2]
    bases = _bases(classes)
    is_start = classes == SINGLE
    is_start[1:] |= (classes[1:] == WORD) & (bases[:-1] == SINGLE)
    is_start[1:] |= in_token[1:] & ~in_token[:-1]
    is_end = in_token[:-1] & (is_start[1:] | ~in_token[1:])
    return np.flatnonzero(is_start), np.flatnonzero(is_end) + 1


def _bases(classes: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the class of each character or, for a mark, of the character that it belongs to."""
    last_unmarked = np.where(classes == MARK, 0, np.arange(classes.size))
    return classes[np.maximum.accumulate(last_unmarked)]


def _with_joiners(classes: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Turn joiners inside words into marks, and all others into separators."""
    joiners = np.flatnonzero(classes == JOINER)
    others = np.flatnonzero(classes != JOINER)
    # The newline on both sides of the text makes both indices valid.
    behind = np.searchsorted(others, joiners)
    before, after = others[behind - 1], others[behind]
    continues = (classes == WORD) | (classes == MARK)
    is_inside = continues[before] & (_bases(classes)[before] != SINGLE) & continues[after]
    resolved = classes.copy()
    resolved[joiners] = np.where(is_inside, MARK, SEPARATOR)
    return resolved


def number_words(
    text: str, starts: NDArray[np.int64], ends: NDArray[np.int64]
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Return the type of each word ``text[start:end]``, and the first word of each type."""
    numbers: Numbers[str] = Numbers()
    words = _words_at(text, starts, ends)
    types = np.fromiter(map(numbers.__getitem__, words), np.int32, starts.size)
    return types, np.unique(types, return_index=True)[1]


def compiled_number_words(
    core: Any, codes: NDArray[Any], starts: NDArray[np.int64], ends: NDArray[np.int64]
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Do the same with the core; `codes` are integers of any dtype, shape (n_items,)."""
    # The core compares words of up to 16 bytes in one step, so characters take as few bytes as the
    # text allows. UTF-8 is as short, but the start of each word would have to be summed up.
    characters = np.zeros(codes.size + CORE_PADDING, np.min_scalar_type(codes.max(initial=0)))
    characters[: codes.size] = codes
    types, firsts = np.empty(starts.size, np.int32), np.empty(starts.size, np.int64)
    n_types = core.number_words(
        characters.view(np.uint8),
        starts * characters.itemsize,
        ends * characters.itemsize,
        types,
        firsts,
    )
    return types, firsts[:n_types]


def _words_at(text: str, starts: NDArray[np.int64], ends: NDArray[np.int64]) -> list[str]:
    return list(map(text.__getitem__, map(slice, starts.tolist(), ends.tolist())))
