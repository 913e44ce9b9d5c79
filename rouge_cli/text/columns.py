"""What a tokenizer takes and returns: a block of texts, and their tokens in three integer arrays.

Source: specification, section 3.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from rouge_cli.core import compiled_core
from rouge_cli.quick_dataclass import dataclass


class HeldTexts(Sequence[bytes]):
    """Texts from Python, normalised: the core reads their bytes where Python has them.

    Few others ask for a text, so `bytes` are made when one does.

    Parameters
    ----------
    texts : sequence of str or bytes
        These are the texts ``numbers`` of it.
    numbers : range
    for_core : tuple
        The same texts as functions of the core take them; all are encoded.
    """

    __slots__ = ("_made", "_numbers", "_texts", "for_core")

    def __init__(
        self, texts: Sequence[str | bytes], numbers: range, for_core: tuple[Any, int, int]
    ) -> None:
        self._texts, self._numbers, self.for_core = texts, numbers, for_core
        self._made: list[bytes] | None = None

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._numbers)

    @overload
    def __getitem__(self, number: int) -> bytes: ...

    @overload
    def __getitem__(self, number: slice) -> "HeldTexts": ...

    def __getitem__(self, number: int | slice) -> "bytes | HeldTexts":
        """Return a text, or texts that stand side by side."""
        if isinstance(number, slice):
            capsule, first, _ = self.for_core
            start, stop, _ = number.indices(len(self))
            numbers = self._numbers[start:stop]
            return HeldTexts(self._texts, numbers, (capsule, first + start, len(numbers)))
        return encoded(self._texts[self._numbers[number]])

    def __iter__(self) -> Iterator[bytes]:
        """Make all of them, once."""
        if self._made is None:
            numbers = self._numbers
            self._made = list(map(encoded, self._texts[numbers.start : numbers.stop]))
        return iter(self._made)


def encoded(text: str | bytes) -> bytes:
    """Return a text as bytes, with those of half a surrogate pair too."""
    return text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")


class JoinedTexts(Sequence[bytes]):
    """Texts in one buffer; `bytes` are made of one when it is asked for.

    An object for each text takes as long as to tokenise it, and Python makes objects in one thread
    at a time. `content`, of uint8, has a byte behind each text that is no blank; `starts` and
    `lengths`, of int64, say where it is.
    """

    __slots__ = ("_for_core", "content", "lengths", "starts")

    def __init__(
        self, content: NDArray[np.uint8], starts: NDArray[np.int64], lengths: NDArray[np.int64]
    ) -> None:
        self.content, self.starts, self.lengths = content, starts, lengths
        self._for_core: tuple[Any, int, int] | None = None

    @property
    def for_core(self) -> tuple[Any, int, int]:
        """The same texts as functions of the core take them."""
        if self._for_core is None:
            capsule = compiled_core().join_texts(self.content, self.starts, self.lengths)
            self._for_core = capsule, 0, len(self)
        return self._for_core

    def __len__(self) -> int:
        """Return how many there are."""
        return self.starts.size

    @overload
    def __getitem__(self, index: int) -> bytes: ...

    @overload
    def __getitem__(self, index: slice) -> "JoinedTexts": ...

    def __getitem__(self, index: int | slice) -> "bytes | JoinedTexts":
        """Return a text, or some in their order."""
        if isinstance(index, slice):
            return JoinedTexts(self.content, self.starts[index], self.lengths[index])
        start = int(self.starts[index])
        return self.content[start : start + int(self.lengths[index])].tobytes()

    def __iter__(self) -> Iterator[bytes]:
        """Make all of them."""
        content = self.content.data
        for start, length in zip(self.starts.tolist(), self.lengths.tolist(), strict=True):
            yield bytes(content[start : start + length])

    def taken(self, order: NDArray[np.int64]) -> "JoinedTexts":
        """Return them in another order."""
        return JoinedTexts(self.content, self.starts[order], self.lengths[order])


def as_core_takes(texts: Sequence[bytes]) -> tuple[Any, ...]:
    """Return texts as functions of the core take them."""
    return texts.for_core if isinstance(texts, HeldTexts | JoinedTexts) else tuple(texts)


@dataclass(frozen=True, slots=True, eq=False)
class TextColumns:
    """The tokens of many texts, sentence after sentence, text after text.

    Parameters
    ----------
    types : ndarray of int32, shape (n_tokens,)
        The type (number in the vocabulary) of each token.
    sentence_offsets : ndarray of int64, shape (n_sentences + 1,)
        Sentence ``s`` has the tokens ``sentence_offsets[s]:sentence_offsets[s + 1]``.
    text_offsets : ndarray of int64, shape (n_texts + 1,)
        Text ``t`` has the sentences ``text_offsets[t]:text_offsets[t + 1]``.
    """

    types: NDArray[np.int32]
    sentence_offsets: NDArray[np.int64]
    text_offsets: NDArray[np.int64]

    @property
    def token_offsets(self) -> NDArray[np.int64]:
        """Text ``t`` has the tokens ``token_offsets[t]:token_offsets[t + 1]``; (n_texts + 1,)."""
        return self.sentence_offsets[self.text_offsets]

    @property
    def token_counts(self) -> NDArray[np.int64]:
        """Number of tokens of each text, shape (n_texts,)."""
        return np.diff(self.token_offsets)

    def tokens_of(self, text: int) -> tuple[list[list[int]], list[int]]:
        """Return the types of each sentence of a text, and those of the text as one sequence."""
        first, last = self.text_offsets[text : text + 2].tolist()
        ends = self.sentence_offsets[first : last + 1].tolist()
        tokens: list[int] = self.types[ends[0] : ends[-1]].tolist()
        start = ends[0]
        return [tokens[i - start : j - start] for i, j in pairwise(ends)], tokens

    def take(self, texts: NDArray[np.int64]) -> "TextColumns":
        """Return the columns of `texts` (their numbers), in that order; a text may be repeated."""
        if texts.size and (np.diff(texts) == 1).all():
            return self._slice(int(texts[0]), int(texts[-1]) + 1)
        sentences, text_offsets = ragged_indices(self.text_offsets, texts)
        tokens, sentence_offsets = ragged_indices(self.sentence_offsets, sentences)
        return TextColumns(self.types[tokens], sentence_offsets, text_offsets)

    def _slice(self, start: int, stop: int) -> "TextColumns":
        """Return the columns of the texts ``start:stop``, as views of these."""
        first, last = self.text_offsets[start], self.text_offsets[stop]
        sentence_offsets = self.sentence_offsets[first : last + 1]
        return TextColumns(
            self.types[sentence_offsets[0] : sentence_offsets[-1]],
            sentence_offsets - sentence_offsets[0],
            self.text_offsets[start : stop + 1] - first,
        )

    def without(self, is_dropped: NDArray[np.int32]) -> "TextColumns":
        """Return the columns without the tokens whose type is not 0 in the table `is_dropped`."""
        return self._kept(is_dropped[self.types] == 0)

    def first_tokens(self, n_tokens: int) -> "TextColumns":
        """Return the columns with at most the first `n_tokens` tokens of each text."""
        starts = np.repeat(self.token_offsets[:-1], self.token_counts)
        return self._kept(np.arange(self.types.size) < starts + n_tokens)

    def _kept(self, is_kept: NDArray[np.bool_]) -> "TextColumns":
        """Return the columns with some of the tokens; all sentences stay."""
        kept_before = np.concatenate(([0], np.cumsum(is_kept)))
        return TextColumns(
            self.types[is_kept], kept_before[self.sentence_offsets], self.text_offsets
        )

    def as_one_sentence(self) -> "TextColumns":
        """Return the columns with each text as a single sentence."""
        n_texts = self.text_offsets.size - 1
        return TextColumns(self.types, self.token_offsets, np.arange(n_texts + 1))

    def relabelled(self, new_types: NDArray[np.int32]) -> "TextColumns":
        """Return the columns with each type replaced by its entry in `new_types`."""
        return TextColumns(new_types.take(self.types), self.sentence_offsets, self.text_offsets)


def ragged_indices(
    offsets: NDArray[np.int64], rows: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return where the items of some rows stand, row after row, and the new offsets.

    `offsets` has shape (n + 1,): row ``r`` has the items ``offsets[r]:offsets[r + 1]``. `rows` has
    shape (m,), in any order; the new offsets have shape (m + 1,).
    """
    starts = offsets.take(rows)
    lengths = offsets[1:].take(rows) - starts
    new_offsets = np.concatenate(([0], np.cumsum(lengths)))
    items = np.arange(new_offsets[-1])
    items += np.repeat(starts - new_offsets[:-1], lengths)
    return items, new_offsets


PairCounter = Callable[[bytes, bytes], Sequence[int] | None]
"""From a peer and a model to the tokens of the peer, those of the model, the hits that it was made
for and, if it flags texts, their newlines and the flags that any of the two has; None where 32 bits
do not number the tokens."""


@dataclass(frozen=True, slots=True, eq=False)
class Spelling:
    """The words of a block of texts as they are spelt, each once, before anything is stemmed.

    `columns` are the tokens of `ReadTexts`; their types are positions in `words`. `stem` is None if
    nothing is stemmed.
    """

    words: list[bytes]
    columns: TextColumns
    stem: Callable[[bytes], bytes] | None = None


@dataclass(frozen=True, slots=True)
class FlaggedTexts:
    """The flags of some texts, and what all of them hold.

    Parameters
    ----------
    flags : bytes or bytearray
        For each text its `FLAGS`, see `rouge_cli.text.flags`.
    n_newlines : int
    n_words, n_broken : int
        How many words are at the beginnings, nearly, and of how many of these a letter is in no
        token; a text with a zero byte counts as one word.
    lost : bytes
        The first bytes that these words lose.
    """

    flags: bytes | bytearray
    n_newlines: int
    n_words: int
    n_broken: int
    lost: bytes

    @property
    def letters(self) -> str:
        """The first letters that are lost, in texts of UTF-8 or, where they are not, Latin-1."""
        # Cut letters are ignored.
        return self.lost.decode("utf-8", "ignore") or self.lost.decode("latin-1")


@dataclass(frozen=True, slots=True, eq=False)
class ReadTexts:
    """The columns of a block of texts, stemmed and not.

    Parameters
    ----------
    unstemmed, stemmed : TextColumns or None
        Limited, and without stopwords if these are to be removed; None where not asked for. The
        stem ``runner`` and the unstemmed token ``runner`` have the same type.
    n_types : int
        Every type is below this number.
    spell : callable
        Returns the spelling, which few metrics ask for.
    unsummed_start : int
        From this text on the columns hold all texts once more, with the byte limit as ROUGE-L and
        ROUGE-W read it; 0 if they read it like all others.
    flags : FlaggedTexts or None
        Of the texts, where these come with the columns.
    """

    unstemmed: TextColumns | None
    stemmed: TextColumns | None
    n_types: int
    spell: Callable[[], Spelling]
    unsummed_start: int = 0
    flags: FlaggedTexts | None = None


class TextDecodeError(ValueError):
    """Text number `text` of a block is not UTF-8: byte `byte` at `offset`, counted from 0."""

    def __init__(self, text: int, offset: int, byte: int) -> None:
        super().__init__(
            f"byte 0x{byte:02X} at offset {offset} is not UTF-8, which the options under Language "
            "need; save it as UTF-8"
        )
        self.text = text
