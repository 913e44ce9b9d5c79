"""From texts to tokens, by sentences and as wholes: ROUGE-1.5.5's way and that of a tokenizer.

A sentence ends at a newline, and at nothing else that Unicode takes for the end of a line; or the
sentences are those of NLTK's Punkt model. A single text is read as lists of tokens, many texts as
columns.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from rouge_cli.compat.token_counts import TextTokens
from rouge_cli.compat.tokenizers import DefaultTokenizer
from rouge_cli.text.ascii155 import read_texts
from rouge_cli.text.columns import TextColumns
from rouge_cli.text.stemmer import Stemmer
from rouge_cli.text.tokens import TRANSLATION
from rouge_cli.text.word_lists import built_in_stems

__all__ = ["OriginalReader", "Reader", "TextReadings", "TokenReader", "Tokenizing", "at_newlines"]


class Tokenizing(Protocol):
    """Anything that has tokens for a text."""

    def tokenize(self, text: str, /) -> Iterable[Hashable]:
        """Return the tokens of a text in order."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class TextReadings:
    """The columns of some texts.

    Parameters
    ----------
    by_sentence : TextColumns
        With the sentences of each text.
    whole : TextColumns
        With each text as one sequence.
    n_types : int
        Every type is below this number.
    """

    by_sentence: TextColumns
    whole: TextColumns
    n_types: int

    @property
    def have_same_tokens(self) -> bool:
        """Whether both have the same tokens, and only the ends of sentences differ."""
        return self.by_sentence.types is self.whole.types


class Reader(Protocol):
    """Reads texts."""

    def tokens(self, text: str) -> TextTokens:
        """Return the tokens of a text."""
        ...

    def columns(self, texts: Sequence[str]) -> TextReadings:
        """Return the same tokens of many texts as columns."""
        ...


@dataclass(frozen=True, slots=True)
class OriginalReader:
    """Reads texts as ROUGE-1.5.5 does: its tokens and, if asked for, its stems.

    Parameters
    ----------
    use_stemmer : bool
    split : callable or None
        Finds the sentences of a text, and puts a newline between them.
    """

    use_stemmer: bool
    split: Callable[[bytes], bytes] | None = None

    def tokens(self, text: str) -> TextTokens:
        """Return the tokens of a text."""
        lines = self._encoded(text).translate(TRANSLATION).split(b"\n")
        sentences = [line.split() for line in lines]
        if self.use_stemmer:
            stem = built_in_stems().__getitem__
            sentences = [list(map(stem, sentence)) for sentence in sentences]
        return TextTokens(list(filter(None, sentences)), list(chain.from_iterable(sentences)))

    def columns(self, texts: Sequence[str]) -> TextReadings:
        """Return the same tokens of many texts as columns."""
        # The numbers that a stemmer gives are its own; the stems are remembered for all.
        stemmer = Stemmer(built_in_stems()) if self.use_stemmer else None
        read = read_texts(
            list(map(self._encoded, texts)), None, stemmer, with_unstemmed=not self.use_stemmer
        )
        columns = read.stemmed if self.use_stemmer else read.unstemmed
        if columns is None:
            raise ValueError("these texts were not read in this way")
        return TextReadings(columns, columns.as_one_sentence(), read.n_types)

    def _encoded(self, text: str) -> bytes:
        """Return a text as bytes with a newline between sentences."""
        encoded = text.encode("utf-8", "surrogatepass")
        return encoded if self.split is None else self.split(encoded)


@dataclass(frozen=True, slots=True)
class TokenReader:
    """Reads texts with a tokenizer.

    Parameters
    ----------
    tokenizer : Tokenizing
        Asked for the tokens of each sentence and, unless it is that of ``rouge_score``, of each
        whole text: they need not be the same.
    split : callable
        Finds the sentences of a text.
    """

    tokenizer: Tokenizing
    split: Callable[[str], list[str]]

    def tokens(self, text: str) -> TextTokens:
        """Return the tokens of a text."""
        tokenize = self.tokenizer.tokenize
        sentences = [list(tokenize(sentence)) for sentence in self.split(text)]
        if type(self.tokenizer) is DefaultTokenizer:
            return TextTokens(sentences, list(chain.from_iterable(sentences)))
        return TextTokens(sentences, list(tokenize(text)))

    def columns(self, texts: Sequence[str]) -> TextReadings:
        """Return the same tokens of many texts as columns."""
        numbers: dict[Hashable, int] = {}
        read = list(map(self.tokens, texts))
        by_sentence = _columns([text.by_sentence for text in read], numbers)
        if type(self.tokenizer) is DefaultTokenizer:
            return TextReadings(by_sentence, by_sentence.as_one_sentence(), len(numbers))
        whole = _columns([[text.whole] for text in read], numbers)
        return TextReadings(by_sentence, whole, len(numbers))


def at_newlines(text: str) -> list[str]:
    """Return the lines of a text; empty ones are no sentences."""
    return list(filter(None, text.split("\n")))


def _columns(
    texts: Sequence[Sequence[Sequence[Hashable]]], numbers: dict[Hashable, int]
) -> TextColumns:
    """Return the columns of texts, given as sentences; new tokens get the next numbers."""
    sentences = list(chain.from_iterable(texts))
    types = [numbers.setdefault(token, len(numbers)) for token in chain.from_iterable(sentences)]
    return TextColumns(np.array(types, np.int32), _offsets(sentences), _offsets(texts))


def _offsets(items: Iterable[Sequence[object]]) -> NDArray[np.int64]:
    """Return where the parts of each item begin, and where the last ends; shape (n_items + 1,)."""
    return np.cumsum([0, *map(len, items)])
