"""The input and output of a tokenizer: a block of texts, and their tokens in integer arrays.

Source: specification, section 3.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from rouge_cli.quick_dataclass import dataclass
from rouge_cli.text.stems import Numbers


def encoded(text: str | bytes) -> bytes:
    """Return a text as UTF-8, in which lone surrogates are encoded too."""
    return text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")


def is_utf8(text: bytes) -> bool:
    """Return whether a text is UTF-8."""
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


def decoded(text: bytes) -> str:
    """Decode a text from UTF-8, or else from Latin-1."""
    try:
        return text.decode()
    except UnicodeDecodeError:
        return text.decode("latin-1")


def join_lines(lines: Sequence[str], newline: str = " ") -> str:
    """Join lines with newlines; newlines inside a line become `newline`."""
    text = "\n".join(lines)
    if text.count("\n") < len(lines):
        return text
    return "\n".join([line.replace("\n", newline) for line in lines])


@dataclass(frozen=True, slots=True, eq=False)
class TextColumns:
    """The tokens of many texts, sentence after sentence, text after text.

    - `types`: the number of the word or stem of each token, shape (n_tokens,).
    - `sentence_offsets`: sentence ``s`` has the tokens
      ``sentence_offsets[s]:sentence_offsets[s + 1]``; shape (n_sentences + 1,).
    - `text_offsets`: text ``t`` has the sentences ``text_offsets[t]:text_offsets[t + 1]``; shape
      (n_texts + 1,).
    """

    types: NDArray[np.int32]
    sentence_offsets: NDArray[np.int64]
    text_offsets: NDArray[np.int64]

    @property
    def token_offsets(self) -> NDArray[np.int64]:
        """First token of each text, and the number of tokens; shape (n_texts + 1,)."""
        return self.sentence_offsets[self.text_offsets]

    @property
    def token_counts(self) -> NDArray[np.int64]:
        """Number of tokens of each text, shape (n_texts,)."""
        offsets = self.token_offsets
        return offsets[1:] - offsets[:-1]

    @property
    def longest_sentence(self) -> int:
        """Number of tokens of the longest sentence."""
        return int(np.diff(self.sentence_offsets).max(initial=0))

    def tokens_of(self, text: int) -> tuple[list[list[int]], list[int]]:
        """Return the types of each sentence of a text, and of the whole text."""
        first, last = self.text_offsets[text : text + 2].tolist()
        ends = self.sentence_offsets[first : last + 1].tolist()
        tokens: list[int] = self.types[ends[0] : ends[-1]].tolist()
        start = ends[0]
        return [tokens[i - start : j - start] for i, j in pairwise(ends)], tokens

    def take(self, texts: NDArray[np.int64]) -> "TextColumns":
        """Return the columns of the texts numbered `texts`, in that order, repeats allowed."""
        sentences, text_offsets = ragged_indices(self.text_offsets, texts)
        tokens, sentence_offsets = ragged_indices(self.sentence_offsets, sentences)
        return TextColumns(self.types[tokens], sentence_offsets, text_offsets)

    def without(self, is_dropped: NDArray[np.int32]) -> "TextColumns":
        """Return the columns without tokens whose type has a 1 in `is_dropped`, (n_types,)."""
        return self._kept(is_dropped[self.types] == 0)

    def first_tokens(self, n_tokens: int) -> "TextColumns":
        """Return the columns with each text cut to its first `n_tokens` tokens."""
        starts = np.repeat(self.token_offsets[:-1], self.token_counts)
        return self._kept(np.arange(self.types.size) < starts + n_tokens)

    def _kept(self, is_kept: NDArray[np.bool_]) -> "TextColumns":
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
    """Return the positions of the items of some rows, row after row, and the new offsets.

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
"""Counts a peer and a model: returns both numbers of tokens, the hits of the units it was made for
and, if it flags texts, the number of newlines and the flags of both texts together. None if there
are too many tokens for int32."""


@dataclass(frozen=True, slots=True, eq=False)
class Spelling:
    """The unstemmed words of a block of texts, each once.

    `columns` are the tokens of `ReadTexts`, with indices into `words` as types. `stem` is None
    without stemming.
    """

    words: list[bytes]
    columns: TextColumns
    stem: Callable[[bytes], bytes] | None = None


@dataclass(frozen=True, slots=True)
class FlaggedTexts:
    """The flags of some texts, and counts over all of them.

    - `flags`: the `FLAGS` of each text; see `rouge_cli.text.seen`.
    - `n_words`, `n_broken`: approximate numbers of words at the beginnings of the texts, and of
      those in which a letter is in no token. A text with a zero byte counts as one word.
    - `lost`: the first of the letters that these words lose, encoded as in the texts.
    """

    flags: bytes | bytearray
    n_newlines: int
    n_words: int
    n_broken: int
    lost: bytes

    @property
    def letters(self) -> str:
        """The lost letters, decoded from UTF-8 or else from Latin-1."""
        # The last letter may be cut in the middle.
        return self.lost.decode("utf-8", "ignore") or self.lost.decode("latin-1")


@dataclass(frozen=True, slots=True, eq=False)
class ReadTexts:
    """The columns of a block of texts, stemmed and not.

    - `unstemmed`, `stemmed`: after limits and the removal of stopwords; None if no metric needs
      them. The stem ``runner`` and the unstemmed token ``runner`` have the same type.
    - `n_types`: an upper bound of all types, exclusive.
    - `spell`: returns the spelling, which few metrics need.
    - `unsummed_start`: from this text on the columns repeat all texts, with the byte limit as
      ROUGE-L and ROUGE-W apply it; 0 if there is no such second reading.
    - `flags`: the flags of the texts, if they were found while reading.
    """

    unstemmed: TextColumns | None
    stemmed: TextColumns | None
    n_types: int
    spell: Callable[[], Spelling]
    unsummed_start: int = 0
    flags: FlaggedTexts | None = None


def looked_up(
    spelling: Spelling,
    stopwords: frozenset[bytes] | None,
    *,
    with_unstemmed: bool,
    unsummed_start: int = 0,
) -> ReadTexts:
    """Drop stopwords, and number the stems of words; each word of `spelling` is looked up once.

    If there are stems, the unstemmed columns are made only with `with_unstemmed`.
    """
    words, columns, stem = spelling.words, spelling.columns, spelling.stem

    def by_type(values: Iterable[int]) -> NDArray[np.int32]:
        return np.fromiter(values, np.int32, len(words))

    if stopwords:
        columns = columns.without(by_type(map(stopwords.__contains__, words)))
    spell = partial(Spelling, words, columns, stem)
    if stem is None:
        return ReadTexts(columns, None, len(words), spell, unsummed_start)
    numbers: Numbers[bytes] = Numbers()
    unstemmed = None
    if with_unstemmed:
        unstemmed = columns.relabelled(by_type(map(numbers.__getitem__, words)))
    stemmed = columns.relabelled(by_type(map(numbers.__getitem__, map(stem, words))))
    return ReadTexts(unstemmed, stemmed, len(numbers), spell, unsummed_start)


class TextDecodeError(ValueError):
    """Text number `text` of a block is not UTF-8: byte `byte` at `offset`, counted from 0."""

    def __init__(self, text: int, offset: int, byte: int) -> None:
        super().__init__(
            f"byte 0x{byte:02X} at offset {offset} is not UTF-8, which the options under Language "
            "need; save it as UTF-8"
        )
        self.text = text
