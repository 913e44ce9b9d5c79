"""From texts to tokens, by sentences and as wholes: ROUGE-1.5.5's way and that of a tokenizer.

A sentence ends at a newline, and at nothing else that Unicode takes for the end of a line; or the
sentences are those of NLTK's Punkt model. A single text is read as lists of tokens, many texts as
columns.
"""

import warnings
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cache
from itertools import chain
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from rouge_cli.compat.scoring import ORIGINAL
from rouge_cli.compat.tokenizers import DefaultTokenizer, separated
from rouge_cli.core.choice import compiled_core
from rouge_cli.inputs.sentences import punkt_splitter
from rouge_cli.metrics.compiled import CompiledPair
from rouge_cli.metrics.single_pair import TextTokens
from rouge_cli.options.texts import TextOptions
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.text.columns import TextColumns
from rouge_cli.text.compiled import CompiledWords
from rouge_cli.text.interning import examples_of_types
from rouge_cli.text.stemmer import Numbers
from rouge_cli.text.tokenizer import load_tokenizer
from rouge_cli.text.tokens import find_tokens, split_tokens
from rouge_cli.text.word_lists import built_in_stems

__all__ = ["Reader", "TextReadings", "Tokenizing", "Words", "choose_reader"]

TO_THE_CALLER = 3
"""Of the constructor that calls this."""


class Tokenizing(Protocol):
    """Anything with a method that has the tokens of a text."""

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


Words = Callable[[str], Iterable[Hashable]]
"""From a text to its tokens."""


class Reader(Protocol):
    """Reads texts."""

    def tokens(self, text: str) -> TextTokens:
        """Return the tokens of a text."""
        ...

    def columns(self, texts: Sequence[str]) -> TextReadings:
        """Return the same tokens of many texts as columns."""
        ...

    def compiled_pairs(self, targets: Sequence[str], prediction: str) -> list[CompiledPair] | None:
        """Return pairs as the compiled core counts them; None without it, and for other tokens."""
        ...


@dataclass(frozen=True, slots=True)
class _OriginalReader:
    """Reads texts as ROUGE-1.5.5 does: its tokens and, if asked for, its stems.

    Parameters
    ----------
    split : callable or None
        Finds the sentences of a text, and puts a newline between them.
    """

    use_stemmer: bool
    split: Callable[[bytes], bytes] | None = None

    def compiled_pairs(self, targets: Sequence[str], prediction: str) -> list[CompiledPair] | None:
        """Return pairs as the compiled core counts them, if there is one."""
        words = _stemmed_words() if self.use_stemmer else _PLAIN_WORDS
        return _compiled_pairs(words, self._encoded, targets, prediction)

    def tokens(self, text: str) -> TextTokens:
        """Return the tokens of a text."""
        sentences = split_tokens(self._encoded(text))
        if self.use_stemmer:
            stem = built_in_stems().__getitem__
            sentences = [list(map(stem, sentence)) for sentence in sentences]
        return TextTokens(list(filter(None, sentences)), list(chain.from_iterable(sentences)))

    def columns(self, texts: Sequence[str]) -> TextReadings:
        """Return the same tokens of many texts as columns."""
        # Loaded for these texts, as the numbers of its types are not to be shared by threads; the
        # stems are remembered for all.
        tokenizer = load_tokenizer(TextOptions(stem=self.use_stemmer), {})
        read = tokenizer.read(list(map(self._encoded, texts)), with_unsummed=False)
        columns = read.stemmed if self.use_stemmer else read.unstemmed
        if columns is None:
            # The tokenizer reads what its options ask for; a type checker needs to be told.
            raise ValueError("these texts were not read in this way")
        return TextReadings(columns, columns.as_one_sentence(), read.n_types)

    def _encoded(self, text: str) -> bytes:
        """Return a text as bytes with a newline between sentences."""
        encoded = text.encode("utf-8", "surrogatepass")
        return encoded if self.split is None else self.split(encoded)


@dataclass(frozen=True, slots=True)
class _DefaultReader:
    """Reads texts as ``rouge_score`` does.

    Parameters
    ----------
    split : callable
        Finds the sentences of a text.
    """

    tokenizer: DefaultTokenizer
    split: Callable[[str], list[str]]

    def tokens(self, text: str) -> TextTokens:
        """Return the tokens of a text."""
        sentences = self._sentences(text)
        return TextTokens(list(filter(None, sentences)), list(chain.from_iterable(sentences)))

    def columns(self, texts: Sequence[str]) -> TextReadings:
        """Return the same tokens of many texts as columns."""
        # In lower case its tokens are those of the original: every other character separates.
        edges = find_tokens(list(map(self._lowered, texts)))
        types = examples_of_types(edges)
        columns = TextColumns(types, edges.sentence_offsets, edges.text_offsets)
        n_types = types.size
        if self.tokenizer.use_stemmer:
            examples = np.flatnonzero(types == np.arange(types.size))
            words = list(map(bytes.decode, edges.strings(examples)))
            numbers: Numbers[str] = Numbers()
            stems = np.zeros(types.size, np.int32)
            stems[examples] = [numbers[stem] for stem in self.tokenizer.stems(words)]
            columns, n_types = columns.relabelled(stems), len(numbers)
        return TextReadings(columns, columns.as_one_sentence(), n_types)

    def compiled_pairs(self, targets: Sequence[str], prediction: str) -> list[CompiledPair] | None:
        """Return pairs as the compiled core counts them, if there is one."""
        spell = self._stemmed if self.tokenizer.use_stemmer else self._lowered
        return _compiled_pairs(_PLAIN_WORDS, spell, targets, prediction)

    def _stemmed(self, text: str) -> bytes:
        """Return the stems of a text with blanks between them, and newlines between sentences."""
        return "\n".join(map(" ".join, self._sentences(text))).encode("ascii")

    def _sentences(self, text: str) -> list[list[str]]:
        """Return the tokens of each sentence of a text, or their stems."""
        lines = separated(self._by_lines(text)).split("\n")
        return [self.tokenizer.stems(line.split()) for line in lines]

    def _lowered(self, text: str) -> bytes:
        """Return a text in lower case with a newline between its sentences, and only there."""
        return self._by_lines(text).lower().encode("utf-8", "surrogatepass")

    def _by_lines(self, text: str) -> str:
        """Return a text with a newline between its sentences, and only there."""
        return "\n".join([sentence.replace("\n", " ") for sentence in self.split(text)])


@dataclass(frozen=True, slots=True)
class _TokenReader:
    """Reads texts with a tokenizer of the user's own.

    It need not find the same tokens in a text as in its sentences.

    Parameters
    ----------
    tokenize : callable
        Asked for the tokens of each sentence and of each whole text.
    split : callable
        Finds the sentences of a text.
    """

    tokenize: Words
    split: Callable[[str], list[str]]

    def tokens(self, text: str) -> TextTokens:
        """Return the tokens of a text."""
        sentences = [list(self.tokenize(sentence)) for sentence in self.split(text)]
        return TextTokens(sentences, list(self.tokenize(text)))

    def columns(self, texts: Sequence[str]) -> TextReadings:
        """Return the same tokens of many texts as columns."""
        numbers: dict[Hashable, int] = {}
        read = list(map(self.tokens, texts))
        by_sentence = _columns([text.by_sentence for text in read], numbers)
        whole = _columns([[text.whole] for text in read], numbers)
        return TextReadings(by_sentence, whole, len(numbers))

    def compiled_pairs(self, targets: Sequence[str], prediction: str) -> None:
        """Return None: tokens may be anything."""


_PLAIN_WORDS = CompiledWords(None, None)


@cache
def _stemmed_words() -> CompiledWords:
    """Return what stems as ROUGE-1.5.5 does."""
    return CompiledWords(None, built_in_stems().exceptions)


def _compiled_pairs(
    words: CompiledWords, spell: Callable[[str], bytes], targets: Sequence[str], prediction: str
) -> list[CompiledPair] | None:
    """Return pairs as the compiled core counts them, None without it; `spell` writes the tokens."""
    core = compiled_core()
    if core is None:
        return None
    peer = spell(prediction)

    def with_peer(model: bytes) -> CompiledPair | None:
        return CompiledPair.of(
            core, lambda whole: words.read_pair(core, peer, model, as_one_sentence=whole)
        )

    pairs = [pair for pair in map(with_peer, map(spell, targets)) if pair is not None]
    return pairs if len(pairs) == len(targets) else None


def _at_newlines(text: str) -> list[str]:
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


def choose_reader(
    use_stemmer: bool, needs_punkt: bool, tokenizer: Tokenizing | Words | None, like: str
) -> Reader:
    """Return what reads texts.

    Parameters
    ----------
    needs_punkt : bool
        Whether sentences are to be found by NLTK's Punkt model.

    Raises
    ------
    TypeError
        If the tokenizer is none.
    InputError
        If the Punkt model is not installed.
    """
    if tokenizer is None and like == ORIGINAL:
        return _OriginalReader(
            use_stemmer, punkt_splitter("split_summaries") if needs_punkt else None
        )
    split: Callable[[str], list[str]] = _punkt_sentences() if needs_punkt else _at_newlines
    if tokenizer is None:
        return _DefaultReader(DefaultTokenizer(use_stemmer), split)
    return _TokenReader(_tokenize_of(tokenizer, use_stemmer), split)


def _tokenize_of(tokenizer: object, use_stemmer: bool) -> Words:
    """Return the function of a tokenizer of the user's own; warn of a stemmer without effect."""
    tokenize = getattr(tokenizer, "tokenize", tokenizer)
    if not callable(tokenize):
        raise TypeError(
            f"tokenizer: found {tokenizer!r}, expected an object with a method tokenize, or a "
            "function from a text to its tokens"
        )
    if use_stemmer:
        warnings.warn(
            "use_stemmer has no effect on a tokenizer of your own; let it stem itself",
            stacklevel=TO_THE_CALLER + 1,
        )
    found: Words = tokenize
    return found


def _punkt_sentences() -> Callable[[str], list[str]]:
    """Return what ``rouge_score`` splits with: NLTK's ``sent_tokenize``, newlines and all."""
    punkt_splitter("split_summaries")
    from nltk.tokenize import sent_tokenize

    split: Callable[[str], list[str]] = sent_tokenize
    return split
