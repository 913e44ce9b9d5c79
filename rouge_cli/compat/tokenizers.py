"""How ``rouge_score`` finds the tokens of a text.

The rules, found by asking the package for the tokens of every Unicode character and of 200,000
words: the text is put in lower case by Unicode's rules, so that the sign of the kelvin becomes a k;
every character but a-z and 0-9 separates; tokens of more than three characters are stemmed by
NLTK's Porter stemmer in its default mode.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import cache, lru_cache

__all__ = ["DefaultTokenizer", "Tokenizer"]

TOKEN = re.compile("[a-z0-9]+")
LONGEST_KEPT = 3
MOST_STEMS = 1 << 18


class Tokenizer(ABC):
    """What a tokenizer of one's own has to have."""

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
        """Return the tokens of a text, or of a sentence of it, in order."""
        tokens = TOKEN.findall(text.lower())
        return list(map(_kept_or_stem, tokens)) if self.use_stemmer else tokens

    def stem(self, token: str) -> str:
        """Return the stem of a token, or the token itself if nothing is stemmed."""
        return _kept_or_stem(token) if self.use_stemmer else token


@lru_cache(MOST_STEMS)
def _kept_or_stem(token: str) -> str:
    """Return a token as it is, if it is short, and otherwise its stem."""
    return token if len(token) <= LONGEST_KEPT else _porter()(token)


@cache
def _porter() -> Callable[[str], str]:
    """Return NLTK's stemmer, which takes a while to load."""
    from nltk.stem.porter import PorterStemmer

    stem: Callable[[str], str] = PorterStemmer().stem
    return stem
