"""The tokens of ``rouge_score`` and of XL-Sum's fork, and how any tokens reach those of 1.5.5.

The rules of ``rouge_score``, found by asking the package for the tokens of every Unicode character
and of 200,000 words: the text is put in lower case by Unicode's rules, so that the sign of the
kelvin becomes a k; every character but a-z and 0-9 separates; tokens of more than three characters
are stemmed by NLTK's Porter stemmer in its default mode.

Those of XL-Sum's multilingual fork are in `rouge_cli.text.xlsum`.

The idea. Whatever the tokens are, they are spelt in ASCII words, which the tokenizer of ROUGE-1.5.5
finds again. So there is one way to read texts, one to count a lone pair and one for a batch.
"""

import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, ClassVar, NamedTuple, Protocol

from rouge_cli.core import compiled_core
from rouge_cli.inputs.sentences import punkt_splitter
from rouge_cli.options.texts import TextOptions
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.text.ascii155 import TRANSLATION, Ascii155Tokenizer, CompiledWords
from rouge_cli.text.columns import PairCounter
from rouge_cli.text.xlsum import unpunctuated_words, xlsum_words

__all__ = ["DefaultTokenizer", "Tokenizer", "XlsumTokenizer"]

LONGEST_KEPT = 3
MOST_STEMS = 1 << 18
CALLER_OF_SCORER = 4
"""Stack level of the code that makes a scorer, seen from `_tokenize_of`."""


class Tokenizer(ABC):
    """The base of tokenizers of one's own."""

    @abstractmethod
    def tokenize(self, text: str) -> list[str]:
        """Return the tokens of a text, or of a sentence of it, in order."""


class DefaultTokenizer(Tokenizer):
    """The tokens of ``rouge_score``.

    Parameters
    ----------
    use_stemmer : bool
        Whether tokens of more than three characters are stemmed.

    Examples
    --------
    >>> DefaultTokenizer(use_stemmer=True).tokenize("Café owners, running 2nd-hand shops")
    ['caf', 'owner', 'run', '2nd', 'hand', 'shop']
    """

    __slots__ = ("use_stemmer",)

    def __init__(self, use_stemmer: bool = False) -> None:
        self.use_stemmer = bool(use_stemmer)

    def tokenize(self, text: str) -> list[str]:
        """Return the tokens of a text, or of a sentence of it, in order; raises TypeError."""
        if not isinstance(text, str):
            raise TypeError(f"text: found {type(text).__name__}, expected a string")
        tokens = _lowered(text).translate(TRANSLATION).decode("ascii").split()
        return list(map(_STEMS.__getitem__, tokens)) if self.use_stemmer else tokens


def _lowered(text: str) -> bytes:
    """Return a text as it has to be for its tokens to be found: Unicode in lower case."""
    # Capitals of ASCII are lowered when tokens are found.
    return text.encode() if text.isascii() else text.lower().encode("utf-8", "surrogatepass")


class _Stems(dict[str, str]):
    """Stems of tokens, computed at the first look-up and remembered."""

    __slots__ = ()

    def __missing__(self, token: str) -> str:
        """Return a short token as it is, and the stem of any other."""
        if len(self) >= MOST_STEMS:
            self.clear()
        stem = self[token] = token if len(token) <= LONGEST_KEPT else _porter()(token)
        return stem


_STEMS = _Stems()


@cache
def _porter() -> Callable[[str], str]:
    """Return NLTK's stemmer, which takes a while to load."""
    from nltk.stem.porter import PorterStemmer

    stem: Callable[[str], str] = PorterStemmer().stem
    return stem


class Tokenizing(Protocol):
    """Any object with a method that returns the tokens of a text."""

    def tokenize(self, text: str, /) -> Iterable[Hashable]:
        """Return the tokens of a text in order."""
        ...


Words = Callable[[str], Iterable[Hashable]]
"""From a text to its tokens."""

Splitter = Callable[[str], list[str]]
"""From a text to its sentences."""


class SpeltTexts(NamedTuple):
    """Texts in words of ASCII.

    Parameters
    ----------
    by_sentence : list of bytes
        With a newline between sentences.
    whole : list of bytes
        The same object, unless a tokenizer may find other tokens in a text than in its sentences.
    """

    by_sentence: list[bytes]
    whole: list[bytes]


class Speller(Protocol):
    """Spells texts that are compared with each other; picklable."""

    @property
    def encode(self) -> Callable[[str], bytes] | None:
        """Spells a text that is counted as a lone pair; None if it depends on the others."""
        ...

    def __call__(self, texts: Sequence[str]) -> SpeltTexts:
        """Spell all texts."""
        ...


def _encoded(text: str) -> bytes:
    """Return a text in UTF-8; halves of surrogate pairs stay."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")


@dataclass(frozen=True, slots=True)
class _OriginalSpeller:
    """Leaves texts to ROUGE-1.5.5, but may find their sentences."""

    split: Callable[[bytes], bytes] | None

    @property
    def encode(self) -> Callable[[str], bytes]:
        """Spells a text; none depends on another."""
        return _encoded if self.split is None else self._split

    def __call__(self, texts: Sequence[str]) -> SpeltTexts:
        spelt = list(map(self.encode, texts))
        return SpeltTexts(spelt, spelt)

    def _split(self, text: str) -> bytes:
        """Return a text with a newline between its sentences."""
        return _encoded(text) if self.split is None else self.split(_encoded(text))


@dataclass(frozen=True, slots=True)
class _DefaultSpeller:
    """Spells the tokens of ``rouge_score`` or, of a block without the core, their stems."""

    use_stemmer: bool
    split: Splitter | None

    @property
    def encode(self) -> Callable[[str], bytes]:
        """Spells a text; none depends on another, and `WordReader` stems."""
        # In lower case its tokens are those of ROUGE-1.5.5: all but a-z and 0-9 separates.
        return _lowered if self.split is None else self._split

    def __call__(self, texts: Sequence[str]) -> SpeltTexts:
        spelt = list(map(self.encode, texts))
        if self.use_stemmer and compiled_core() is None:
            spelt = list(map(_stemmed, spelt))
        return SpeltTexts(spelt, spelt)

    def _split(self, text: str) -> bytes:
        """Return a text in lower case with a newline between its sentences."""
        return _lowered(text if self.split is None else _by_lines(self.split(text)))


def _by_lines(sentences: Iterable[str]) -> str:
    """Return sentences with a newline between them, and only there."""
    return "\n".join([sentence.replace("\n", " ") for sentence in sentences])


def _stemmed(text: bytes) -> bytes:
    """Return the stems of the tokens of a text, sentence by sentence."""
    lines = text.translate(TRANSLATION).decode("ascii").split("\n")
    stem = _STEMS.__getitem__
    return "\n".join([" ".join(map(stem, line.split())) for line in lines]).encode("ascii")


@dataclass(frozen=True, slots=True)
class WordReader:
    """Reads texts that a speller has spelt.

    Why not simply a tokenizer: that would take its word lists along when a scorer is pickled.

    Parameters
    ----------
    stem : bool
        Whether to stem as ROUGE-1.5.5 does.
    as_nltk : bool
        Whether to stem as ``rouge_score`` does.
    """

    stem: bool
    as_nltk: bool

    def tokenizer(self) -> Ascii155Tokenizer:
        """Return what reads texts of a block, whose types are its own."""
        if not self.as_nltk or compiled_core() is None:
            return Ascii155Tokenizer.load(TextOptions(stem=self.stem), {})
        tokenizer = Ascii155Tokenizer.load(TextOptions(stem=True), {})
        words = CompiledWords(None, b"", as_nltk=True, stem=tokenizer.stem)
        return replace(tokenizer, compiled_words=words)

    def pair_counter(self, core: Any, units: tuple[int, bool, bool, bool]) -> PairCounter | None:
        """Return what counts lone pairs with the core."""
        return self.tokenizer().pair_counter(core, units)

    def split(self, texts: Sequence[bytes]) -> Sequence[Sequence[Sequence[Hashable]]] | None:
        """Return the tokens of each sentence."""
        return _splitter(self.stem).split(list(map(_stemmed, texts)) if self.as_nltk else texts)


@cache
def _splitter(stem: bool) -> Ascii155Tokenizer:
    """Return the tokenizer of lone pairs, which threads may share: it numbers nothing."""
    return Ascii155Tokenizer.load(TextOptions(stem=stem), {})


@dataclass(frozen=True, slots=True)
class _TokenSpeller:
    """Spells the tokens of a tokenizer of the user's own by their numbers.

    Parameters
    ----------
    tokenize, tokenize_sentence : callable
        For whole texts, and for what `split` makes of them.
    """

    tokenize: Words
    tokenize_sentence: Words
    split: Splitter
    encode: ClassVar[None] = None

    def __call__(self, texts: Sequence[str]) -> SpeltTexts:
        word_of = _Words().__getitem__

        def spelt(tokens: Iterable[Hashable]) -> str:
            return " ".join(map(word_of, tokens))

        by_sentence = [
            "\n".join(map(spelt, map(self.tokenize_sentence, self.split(text)))) for text in texts
        ]
        whole = map(spelt, map(self.tokenize, texts))
        return SpeltTexts(list(map(str.encode, by_sentence)), list(map(str.encode, whole)))


class _Words(dict[Hashable, str]):
    """Words of ASCII that stand for tokens of any kind."""

    __slots__ = ()

    def __missing__(self, token: Hashable) -> str:
        """Give a token a word of its own."""
        return self.setdefault(token, f"{len(self):x}")


def choose_speller(
    use_stemmer: bool, needs_punkt: bool, tokenizer: Tokenizing | Words | None, is_original: bool
) -> Speller:
    """Return what spells texts.

    Parameters
    ----------
    needs_punkt : bool
        Whether NLTK's Punkt model finds the sentences.
    is_original : bool
        Whether tokens and stems are those of ROUGE-1.5.5, if there is no tokenizer.

    Raises
    ------
    TypeError
        If the tokenizer has no method and is no function.
    InputError
        If the Punkt model is not installed.
    """
    if tokenizer is None and is_original:
        return _OriginalSpeller(punkt_splitter("split_summaries") if needs_punkt else None)
    split = punkt_splitter("split_summaries").sentences if needs_punkt else None
    if tokenizer is None:
        return _DefaultSpeller(use_stemmer, split)
    tokenize = _tokenize_of(tokenizer, use_stemmer)
    return _TokenSpeller(tokenize, tokenize, split or _lines)


def xlsum_speller(language: str | None) -> Speller:
    """Return what spells texts as XL-Sum's fork reads them; raises as `XlsumTokenizer` does."""
    return _TokenSpeller(XlsumTokenizer(language).tokenize, _basic_tokens, _lines)


def _tokenize_of(tokenizer: object, use_stemmer: bool) -> Words:
    """Return the function of a tokenizer; warn of a stemmer without effect."""
    tokenize = getattr(tokenizer, "tokenize", tokenizer)
    if not callable(tokenize):
        raise TypeError(
            f"tokenizer: found {tokenizer!r}, expected an object with a method tokenize, or a "
            "function from a text to its tokens"
        )
    if use_stemmer:
        warnings.warn(
            "use_stemmer has no effect on a tokenizer of your own; let it stem itself",
            stacklevel=CALLER_OF_SCORER,
        )
    words: Words = tokenize
    return words


def _lines(text: str) -> list[str]:
    """Return the lines of a text; empty ones are no sentences."""
    return list(filter(None, text.split("\n")))


class XlsumTokenizer:
    """The tokens of the fork for one language.

    Parameters
    ----------
    language : str or None
        In English: ``"german"``. None, and all languages that are not cut by dictionary, have the
        same tokens.

    Raises
    ------
    LanguageError
        A ValueError: if the language is Burmese, whose dictionary is not rebuilt.
    OptionError
        If the dictionary of the language is not installed.

    Examples
    --------
    >>> XlsumTokenizer("german").tokenize("3,5 Millionen f\N{LATIN SMALL LETTER U WITH DIAERESIS}r")
    ['3', '5', 'millionen', 'f\N{LATIN SMALL LETTER U WITH DIAERESIS}r']
    """

    __slots__ = ("_words",)

    def __init__(self, language: str | None) -> None:
        self._words = xlsum_words(language)

    def tokenize(self, text: str) -> list[str]:
        """Return the tokens of a text in order."""
        return self._words(text.lower())


def _basic_tokens(sentence: str) -> list[str]:
    """Return the tokens of a sentence for ``rougeLsum``, the same in each language."""
    return unpunctuated_words(sentence.lower())
