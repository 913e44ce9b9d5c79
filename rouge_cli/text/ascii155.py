"""The tokenizer of ROUGE-1.5.5: limits, tokens, stopwords, stems.

A token is a run of ASCII letters and digits, in lower case. The original puts blanks around hyphens
and then drops the hyphens, so that a hyphen separates tokens, like any other byte. A newline ends a
sentence. Each distinct word of a block is numbered, and looked up once among stopwords and stems.
Source: specification, sections 2 to 4.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import chain
from typing import Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from rouge_cli.core import compiled_core
from rouge_cli.errors import InputError
from rouge_cli.options.texts import TextOptions
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.text.columns import (
    FlaggedTexts,
    PairCounter,
    ReadTexts,
    Spelling,
    TextColumns,
    encoded,
    looked_up,
)
from rouge_cli.text.stems import Numbers, Stems
from rouge_cli.text.word_lists import WordLists, load_word_lists

Token = TypeVar("Token", bound=Hashable)

MOST_LISTS = 16  # maximum number of word lists cached in the core's form

TRANSLATION = bytes(
    byte if byte in b"abcdefghijklmnopqrstuvwxyz0123456789\n" else ord(" ")
    for byte in bytes(range(256)).lower()
)
"""Converts A to Z to lower case, keeps a to z, digits and newlines, and replaces all other bytes by
blanks."""


def limit_words(text: bytes, n_words: int) -> bytes:
    """Return the first `n_words` words of a text.

    Sentences are kept as they are while their total stays below `n_words`; the sentence that
    reaches this number is cut. A sentence that begins with white space has an empty first word,
    which counts.
    """
    kept = []
    for sentence in text.split(b"\n"):
        words = sentence.split()
        if words and sentence[:1].isspace():
            words.insert(0, b"")
        if len(words) >= n_words:
            kept.append(b" ".join(words[:n_words]))
            break
        kept.append(sentence)
        n_words -= len(words)
    return b"\n".join(kept)


def limit_bytes(text: bytes, n_bytes: int) -> bytes:
    """Return the first `n_bytes` bytes of a text, not counting newlines."""
    end = n_bytes
    # Each newline before the cut makes room for one more byte, which may be a newline again.
    while end < len(text) and (extra := text.count(b"\n", 0, end) - (end - n_bytes)):
        end += extra
    return text[:end]


def limit_bytes_unsummed(text: bytes, n_bytes: int) -> bytes:
    """Return a text up to its first sentence of `n_bytes` bytes or more, which is cut there.

    This is how ROUGE-L and ROUGE-W apply the byte limit: they compare it with the length of each
    sentence, not with the running total.
    """
    start = 0
    for sentence in text.split(b"\n"):
        if len(sentence) >= n_bytes:
            return text[: start + n_bytes]
        start += len(sentence) + 1
    return text


def split_tokens(text: bytes) -> list[list[bytes]]:
    """Return the tokens of each sentence of a text."""
    return list(map(bytes.split, text.translate(TRANSLATION).split(b"\n")))


@dataclass(frozen=True, slots=True, eq=False)
class CompiledWords:
    """Reads texts with the core, which looks up stopwords and irregular forms.

    `stopwords` are removed, unless they are None. Without `stems`, words are not stemmed. With
    `as_nltk`, they are stemmed like NLTK in its default mode, apart from these irregular forms.
    """

    stopwords: frozenset[bytes] | None
    stems: Stems | None
    as_nltk: bool = False

    def _lists(self, core: Any) -> tuple[Any, Any]:
        forms = None if self.stems is None else self.stems.lines
        return _compiled_lists(core, self.stopwords, forms, self.as_nltk)

    def pair_counter(self, core: Any, units: tuple[int, bool, bool, bool]) -> PairCounter:
        """Return a counter of single pairs; for `units` see `Tokenizer.pair_counter`."""
        return partial(core.count_pair, *self._lists(core), *units)

    def read(  # noqa: PLR0913
        self,
        core: Any,
        texts: Sequence[bytes | str],
        *,
        with_unstemmed: bool = True,
        has_flags: bool = False,
        starts: NDArray[np.int64] | None = None,
        vocabulary: Any = None,
    ) -> ReadTexts | None:
        """Read limited texts like `read_texts`; return None if there are too many tokens for int32.

        Strings must be ASCII. A word has the same type in all texts of a group; groups begin at
        `starts`. If a `vocabulary` of the core is passed, the type is the same in all later texts.
        """
        read = core.read_texts(
            tuple(texts), starts, *self._lists(core), with_unstemmed, has_flags, vocabulary
        )
        if read is None:
            return None
        types, stems, sentences, offsets, n_types, flags = read
        sentence_offsets = np.frombuffer(sentences, np.int64)
        text_offsets = np.frombuffer(offsets, np.int64)

        def columns(array: bytearray) -> TextColumns:
            return TextColumns(np.frombuffer(array, np.int32), sentence_offsets, text_offsets)

        def spell() -> Spelling:
            # The core does not keep the words, so the reference reads the texts again.
            spelling = read_texts(list(map(encoded, texts)), self.stopwords, None).spell()
            return replace(spelling, stem=None if self.stems is None else self.stems.__getitem__)

        has_stems = self.stems is not None
        unstemmed = None if has_stems and not with_unstemmed else columns(types)
        stemmed = columns(types if stems is None else stems) if has_stems else None
        text_flags = None if flags is None else FlaggedTexts(*flags)
        return ReadTexts(unstemmed, stemmed, n_types, spell, flags=text_flags)


# With irregular forms the core also caches stems, per thread, from one call to the next.
@lru_cache(MOST_LISTS)
def _compiled_lists(
    core: Any, stopwords: frozenset[bytes] | None, forms: bytes | None, as_nltk: bool
) -> tuple[Any, Any]:
    """Return stopwords and irregular forms as the core reads with them, None for None."""
    return (
        None if stopwords is None else core.word_list(b"\n".join(stopwords), False, False),
        None if forms is None else core.word_list(forms, True, as_nltk),
    )


def forget_stems() -> None:
    """Clear the word lists of the core, and with them its cache of stems."""
    _compiled_lists.cache_clear()


@dataclass(frozen=True, slots=True, eq=False)
class Ascii155Tokenizer:
    """Runs of A to Z and digits, in lower case; see `rouge_cli.text.tokenizer.Tokenizer`."""

    options: TextOptions
    words: WordLists
    is_compiled: ClassVar[bool] = True

    @classmethod
    def load(cls, options: TextOptions, environment: Mapping[str, str]) -> "Ascii155Tokenizer":
        """Load the tokenizer and its word lists; raises InputError."""
        return cls(options, load_word_lists(options, environment))

    @property
    def compiled_words(self) -> CompiledWords:
        """The reader of the core."""
        return CompiledWords(self.words.stopwords, self.words.stems)

    @property
    def warnings(self) -> Sequence[str]:
        """Warnings about the source of the word lists."""
        return self.words.warnings

    @property
    def stem(self) -> Callable[[bytes], bytes] | None:
        """The function that stems words of Basic Elements; None without stemming."""
        return None if self.words.stems is None else self.words.stems.of_element

    def read(
        self,
        texts: Sequence[bytes | str],
        *,
        with_unsummed: bool,
        starts: NDArray[np.int64] | None = None,
        vocabulary: Any = None,
    ) -> ReadTexts:
        """Read texts into columns; with an unsummed byte limit, append a second reading.

        For `vocabulary` see `CompiledWords.read`.
        """
        n_bytes, unsummed_start = self.options.bytes, 0
        limited = texts
        if n_words := self.options.words:
            limited = [limit_words(text, n_words) for text in map(encoded, texts)]
        elif n_bytes:
            raw = list(map(encoded, texts))
            limited = [limit_bytes(text, n_bytes) for text in raw]
            if with_unsummed:
                limited += [limit_bytes_unsummed(text, n_bytes) for text in raw]
                unsummed_start = len(texts)
        core = compiled_core()
        if core is not None:
            read = self.compiled_words.read(
                core,
                limited,
                with_unstemmed=not self.options.stem,
                # Flags are about whole texts, so they cannot be found in limited ones.
                has_flags=limited is texts,
                # Both readings of a text share their types, so there is one group.
                starts=None if unsummed_start else starts,
                vocabulary=vocabulary,
            )
            if read is not None:
                return replace(read, unsummed_start=unsummed_start)
        return read_texts(
            list(map(encoded, limited)),
            self.words.stopwords,
            self.words.stems,
            with_unstemmed=not self.options.stem,
            unsummed_start=unsummed_start,
        )

    def split(self, texts: Sequence[bytes]) -> list[list[list[bytes]]] | None:
        """Return the tokens of each sentence; None with limits, or if only models are stemmed."""
        if self._needs_columns:
            return None
        stopwords, stems = self.words.stopwords, self.words.stems
        by_text = list(map(split_tokens, texts))
        if stopwords is not None:
            by_text = [
                [[word for word in sentence if word not in stopwords] for sentence in sentences]
                for sentences in by_text
            ]
        if stems is None:
            return by_text
        stem = stems.__getitem__
        return [[list(map(stem, sentence)) for sentence in sentences] for sentences in by_text]

    def pair_counter(self, core: Any, units: tuple[int, bool, bool, bool]) -> PairCounter | None:
        """Return a counter of single pairs; None in the same cases as `split`."""
        return None if self._needs_columns else self.compiled_words.pair_counter(core, units)

    @property
    def _needs_columns(self) -> bool:
        options = self.options
        return bool(options.bytes or options.words or options.stem_models)

    def count_tokens(self, texts: Sequence[bytes]) -> list[int]:
        """Return the number of tokens of each text, before limits and stopwords."""
        return [len(text.translate(TRANSLATION).split()) for text in texts]

    def as_read(self, texts: Sequence[bytes]) -> Sequence[bytes]:
        """Return the texts unchanged."""
        return texts

    def signature(self, *, stems_models: bool) -> Iterator[str]:
        """Yield ``stem:``, perhaps ``stem-models:``, and ``stop:``."""
        stems = f"porter155+{self.words.exceptions_name}"
        yield f"stem:{stems if self.options.stem else 'no'}"
        if self.options.stem_models and stems_models and not self.options.stem:
            yield f"stem-models:{stems}"
        yield f"stop:{self.words.stopwords_name if self.options.remove_stopwords else 'no'}"


def read_texts(
    texts: Sequence[bytes],
    stopwords: frozenset[bytes] | None,
    stems: Stems | None,
    *,
    with_unstemmed: bool = True,
    unsummed_start: int = 0,
) -> ReadTexts:
    """Read limited texts into columns; `stopwords` of None removes nothing.

    With stems, the unstemmed columns are made only if `with_unstemmed`. For `unsummed_start` see
    `ReadTexts`.
    """
    numbers: Numbers[bytes] = Numbers()
    columns = columns_of(list(map(split_tokens, texts)), numbers)
    spelling = Spelling(list(numbers), columns, None if stems is None else stems.__getitem__)
    return looked_up(
        spelling, stopwords, with_unstemmed=with_unstemmed, unsummed_start=unsummed_start
    )


BLANKED = bytes(ord(" ") if byte in b"\t\v\f\r\x1c\x1d\x1e\x1f" else byte for byte in range(256))
"""Replaces ASCII white space other than newlines by blanks."""

_SPACES = "".join(map(chr, range(0x2000, 0x200B)))
WIDE_BLANKS = f"\x85\xa0\u1680{_SPACES}\u2028\u2029\u202f\u205f\u3000"
"""White space outside ASCII, as `str.split` finds it."""


def encoded_at_blanks(text: str) -> bytes:
    """Encode a text, with ASCII blanks between the words that `str.split` would find."""
    if not text.isascii():
        for blank in WIDE_BLANKS:
            text = text.replace(blank, " ")
    return encoded(text)


def split_at_blanks(text: bytes) -> list[list[bytes]]:
    """Return the words of each sentence of a text."""
    return list(map(bytes.split, text.translate(BLANKED).split(b"\n")))


def split_texts(texts: Sequence[bytes], starts: NDArray[np.int64]) -> tuple[TextColumns, int]:
    """Read texts whose words are separated by ASCII blanks, keeping their case.

    A newline ends a sentence. Returns the columns, and an exclusive upper bound of the types. A
    word has the same type in all texts of a group; groups begin at `starts`. Raises InputError if
    there are too many words for int32.
    """
    if (core := compiled_core()) is None:
        numbers: Numbers[bytes] = Numbers()
        columns = columns_of(list(map(split_at_blanks, texts)), numbers)
        return columns, max(len(numbers), 1)
    read = core.read_texts(tuple(texts), starts, None, None, True, False, None, True)
    if read is None:
        raise InputError("texts with more words than 32 bits can number")
    types, _, sentence_offsets, text_offsets, n_types, _ = read
    offsets = (np.frombuffer(array, np.int64) for array in (sentence_offsets, text_offsets))
    return TextColumns(np.frombuffer(types, np.int32), *offsets), max(n_types, 1)


def columns_of(
    texts: Sequence[Sequence[Sequence[Token]]], numbers: dict[Token, int]
) -> TextColumns:
    """Return the columns of texts given as sentences of tokens; `numbers` maps tokens to types."""
    sentences = list(chain.from_iterable(texts))
    sentence_offsets = np.cumsum([0, *map(len, sentences)])
    tokens = chain.from_iterable(sentences)
    types = np.fromiter(map(numbers.__getitem__, tokens), np.int32, int(sentence_offsets[-1]))
    return TextColumns(types, sentence_offsets, np.cumsum([0, *map(len, texts)]))
