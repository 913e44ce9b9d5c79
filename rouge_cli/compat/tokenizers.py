"""How ``rouge_score`` finds the tokens of a text.

The rules, found by asking the package for the tokens of every Unicode character and of 200,000
words: the text is put in lower case by Unicode's rules, so that the sign of the kelvin becomes a k;
every character but a-z and 0-9 separates; tokens of more than three characters are stemmed by
NLTK's Porter stemmer in its default mode.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import cache

from rouge_cli.text.tokens import TRANSLATION

__all__ = ["DefaultTokenizer", "Tokenizer", "separated"]

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
        """Return the tokens of a text, or of a sentence of it, in order; raises TypeError."""
        if not isinstance(text, str):
            raise TypeError(f"text: found {type(text).__name__}, expected a string")
        return self.stems(separated(text).split())

    def stems(self, tokens: list[str]) -> list[str]:
        """Return the stems of tokens, or the tokens themselves if nothing is stemmed."""
        return list(map(_STEMS.__getitem__, tokens)) if self.use_stemmer else tokens


def separated(text: str) -> str:
    """Return the tokens of a text with blanks in place of all else, newlines apart."""
    lowered = text.lower().encode("utf-8", "surrogatepass")
    return lowered.translate(TRANSLATION).decode("ascii")


class _Stems(dict[str, str]):
    """Tokens and their stems, worked out when a token is asked for first, and remembered."""

    __slots__ = ()

    def __missing__(self, token: str) -> str:
        """Return a token as it is, if it is short, and otherwise its stem."""
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
