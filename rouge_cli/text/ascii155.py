"""The tokenizer of ROUGE-1.5.5: bytes to columns; limits, tokens, stopwords, stems.

Stopwords and stems are looked up once for each type of a block and not for each token.
Source: specification, sections 2 to 4.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rouge_cli.core.choice import compiled_core
from rouge_cli.options.texts import TextOptions
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.text.columns import TextColumns
from rouge_cli.text.compiled import CompiledWords, ReadPair
from rouge_cli.text.interning import examples_of_types
from rouge_cli.text.limits import limit_bytes, limit_bytes_unsummed, limit_words
from rouge_cli.text.reading import ReadTexts, Spelling
from rouge_cli.text.stemmer import Stemmer
from rouge_cli.text.tokens import TokenEdges, dropped_letters, find_tokens, split_tokens
from rouge_cli.text.word_lists import WordLists, load_word_lists

__all__ = ["Ascii155Tokenizer", "read_texts"]


@dataclass(frozen=True, slots=True, eq=False)
class Ascii155Tokenizer:
    """Runs of A to Z and digits, in lower case; see `rouge_cli.text.tokenizer.Tokenizer`."""

    options: TextOptions
    words: WordLists
    stemmer: Stemmer | None
    compiled_words: CompiledWords

    @classmethod
    def load(cls, options: TextOptions, environment: Mapping[str, str]) -> "Ascii155Tokenizer":
        """Load it with the word lists that the options ask for; raises InputError."""
        words = load_word_lists(options, environment)
        stems = words.stems
        compiled_words = CompiledWords(words.stopwords, None if stems is None else stems.exceptions)
        return cls(options, words, None if stems is None else Stemmer(stems), compiled_words)

    @property
    def warnings(self) -> Sequence[str]:
        """What the user should know about where the word lists came from."""
        return self.words.warnings

    @property
    def stem(self) -> Callable[[bytes], bytes] | None:
        """From a word to its stem; None if nothing is stemmed."""
        return None if self.stemmer is None else self.stemmer.stem

    def read(self, texts: Sequence[bytes], *, with_unsummed: bool) -> ReadTexts:
        """Read texts into columns; with a byte limit perhaps a second time, behind the first."""
        n_bytes, unsummed_start = self.options.bytes, 0
        limited = texts
        if self.options.words:
            limited = limit_words(texts, self.options.words)
        elif n_bytes:
            limited = limit_bytes(texts, n_bytes)
            if with_unsummed:
                limited += limit_bytes_unsummed(texts, n_bytes)
                unsummed_start = len(texts)
        core = compiled_core()
        if core is not None:
            read = self.compiled_words.read(
                core,
                limited,
                partial(_spelling_of_texts, limited, self.words.stopwords, self.stem),
                with_unstemmed=not self.options.stem,
                unsummed_start=unsummed_start,
            )
            if read is not None:
                return read
        return read_texts(
            limited,
            self.words.stopwords,
            self.stemmer,
            with_unstemmed=not self.options.stem,
            unsummed_start=unsummed_start,
        )

    def split(self, texts: Sequence[bytes]) -> list[list[list[bytes]]] | None:
        """Return the tokens of each sentence; None with limits, or if models alone are stemmed."""
        stopwords = self.words.stopwords
        if self._needs_columns:
            return None
        by_text = list(map(split_tokens, texts))
        if stopwords is not None:
            by_text = [
                [[one for one in sentence if one not in stopwords] for sentence in sentences]
                for sentences in by_text
            ]
        if self.stemmer is None:
            return by_text
        return [[self.stemmer.stems(one) for one in sentences] for sentences in by_text]

    def read_pair(
        self, core: Any, peer: bytes, model: bytes, *, as_one_sentence: bool
    ) -> ReadPair | None:
        """Return two texts as the compiled core counts them; None as `split`."""
        if self._needs_columns:
            return None
        return self.compiled_words.read_pair(core, peer, model, as_one_sentence=as_one_sentence)

    @property
    def _needs_columns(self) -> bool:
        """Whether texts are limited, or models alone are stemmed."""
        options = self.options
        return bool(options.bytes or options.words or options.stem_models)

    def count_tokens(self, texts: Sequence[bytes]) -> list[int]:
        """Return the number of tokens of each text, before limits and stopwords."""
        edges = find_tokens(texts)
        counts: list[int] = np.diff(edges.sentence_offsets[edges.text_offsets]).tolist()
        return counts

    def dropped_letters(self, text: bytes) -> tuple[int, int]:
        """Return how many letters are in no token, and how many there are, see `tokens`."""
        return dropped_letters(text)

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
    stemmer: Stemmer | None,
    *,
    with_unstemmed: bool,
    unsummed_start: int = 0,
) -> ReadTexts:
    """Read limited texts into columns.

    Parameters
    ----------
    stopwords : frozenset of bytes or None
        Words to remove; None removes none.
    with_unstemmed : bool
        Whether the unstemmed columns are needed if there is a stemmer.
    unsummed_start : int
        See `ReadTexts`.
    """
    edges = find_tokens(texts)
    types = examples_of_types(edges)
    columns = TextColumns(types, edges.sentence_offsets, edges.text_offsets)
    if stopwords is None and stemmer is None:
        spell = partial(_spelling, columns, edges)
        return ReadTexts(columns, None, types.size, spell, unsummed_start)
    examples = np.flatnonzero(types == np.arange(types.size))
    words = edges.strings(examples)
    if stopwords is not None:
        is_stopword = np.fromiter(map(stopwords.__contains__, words), np.bool_, len(words))
        columns = columns.without(_by_type(types, examples, is_stopword))
    if stemmer is None:
        spell = partial(_spelling, columns, edges)
        return ReadTexts(columns, None, types.size, spell, unsummed_start)
    spell = partial(_spelling, columns, edges, stemmer.stem)
    stemmed = columns.relabelled(_by_type(types, examples, stemmer.number_stems(words)))
    unstemmed = None
    if with_unstemmed:
        unstemmed = columns.relabelled(_by_type(types, examples, stemmer.number_tokens(words)))
    return ReadTexts(unstemmed, stemmed, stemmer.n_numbers, spell, unsummed_start)


def _spelling_of_texts(
    texts: Sequence[bytes],
    stopwords: frozenset[bytes] | None,
    stem: Callable[[bytes], bytes] | None,
) -> Spelling:
    """Return the spelling of limited texts, which the core does not keep."""
    read = read_texts(texts, stopwords, None, with_unstemmed=True)
    return replace(read.spell(), stem=stem)


def _spelling(
    columns: TextColumns, edges: TokenEdges, stem: Callable[[bytes], bytes] | None = None
) -> Spelling:
    """Return the words of columns whose types are examples, numbers of tokens of `edges`."""
    examples, numbers = np.unique(columns.types, return_inverse=True)
    spelt = TextColumns(numbers.astype(np.int32), columns.sentence_offsets, columns.text_offsets)
    return Spelling(edges.strings(examples.astype(np.int64)), spelt, stem)


def _by_type(
    types: NDArray[np.int32],
    examples: NDArray[np.int64],
    values: Sequence[int] | NDArray[np.bool_],
) -> NDArray[np.int32]:
    """Return a table from type to value, shape (n_tokens,); only types that occur have one."""
    table = np.zeros(types.size, np.int32)
    table[examples] = values
    return table
