"""The tokens of ``rouge_score`` and of XL-Sum's fork, and custom tokenizers.

The rules of ``rouge_score`` were found by asking the package for the tokens of every Unicode
character and of 200,000 words. Text is put in lower case by Unicode's rules, by which the kelvin
sign becomes a k; every character but a-z and 0-9 separates; tokens of more than three characters
are stemmed by NLTK's Porter stemmer in its default mode.
"""

import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable
from typing import Protocol

from rouge_cli.protocols.texts import stemmer_of, words_in
from rouge_cli.text.xlsum import xlsum_words

__all__ = ["DefaultTokenizer", "Tokenizer", "XlsumTokenizer"]

CALLER_OF_SCORER = 4
"""The stack level, seen from `tokenize_of`, of the code that makes a scorer."""


class Tokenizer(ABC):
    """The base class of custom tokenizers."""

    @abstractmethod
    def tokenize(self, text: str) -> list[str]:
        """Return the tokens of a text, or of a sentence of it, in order."""


class DefaultTokenizer(Tokenizer):
    """The tokens of ``rouge_score``; `use_stemmer` stems those of more than three characters.

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
        tokens = words_in("ascii", None)(text.lower())
        return list(map(stemmer_of("porter"), tokens)) if self.use_stemmer else tokens


class Tokenizing(Protocol):
    """An object with a method that returns the tokens of a text."""

    def tokenize(self, text: str, /) -> Iterable[Hashable]:
        """Return the tokens of a text in order."""
        ...


Words = Callable[[str], Iterable[Hashable]]
"""A function from a text to its tokens."""


def tokenize_of(tokenizer: object, use_stemmer: bool) -> Words:
    """Return the function of a tokenizer; warn if `use_stemmer`, which has no effect on it."""
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


class XlsumTokenizer:
    """The tokens of XL-Sum's fork for a language by its English name, such as ``"german"``.

    None has the same tokens as all languages whose words are not found by a dictionary. Raises
    LanguageError (a ValueError) for Burmese, whose dictionary is not rebuilt, and OptionError if
    the dictionary of the language is not installed.

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
