"""The socket of tokenizers: what one has to offer, and the list of those there are.

To add one, write its module and add a line to `TOKENIZERS`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Protocol

from rouge_cli.options.texts import TextOptions
from rouge_cli.text.columns import ReadTexts

__all__ = ["TOKENIZERS", "Tokenizer", "load_tokenizer"]


class Tokenizer(Protocol):
    """Turns texts into columns of tokens, as the options that it was loaded with ask for.

    Limits, stopwords and stems are its own business, since all of them depend on what a word is. It
    goes to worker processes, so it has to be picklable.
    """

    @property
    def warnings(self) -> Sequence[str]:
        """What the user should know about where its word lists came from."""
        ...

    @property
    def stem(self) -> Callable[[bytes], bytes] | None:
        """From a word of a Basic Element to its stem; None if nothing is stemmed."""
        ...

    def read(self, texts: Sequence[bytes], *, with_unsummed: bool) -> ReadTexts:
        """Read normalised texts, in which a newline stands between sentences.

        Parameters
        ----------
        with_unsummed : bool
            Whether a metric is asked for that reads the byte limit as ROUGE-L does.
        """
        ...

    def count_tokens(self, texts: Sequence[bytes]) -> list[int]:
        """Return the number of tokens of each text, before limits and stopwords."""
        ...

    def dropped_letters(self, text: bytes) -> tuple[int, int]:
        """Return how many letters of a text are in no token, and how many it has.

        Zero and zero if no more than a tenth is dropped.
        """
        ...

    def signature(self, *, stems_models: bool) -> Iterator[str]:
        """Yield the parts of the signature that name tokens, stems and stopwords.

        Parameters
        ----------
        stems_models : bool
            Whether a metric is asked for in which ``-M`` stems the models.
        """
        ...


def _ascii155(options: TextOptions, environment: Mapping[str, str]) -> Tokenizer:
    """Load the tokenizer of ROUGE-1.5.5."""
    from rouge_cli.text.ascii155 import Ascii155Tokenizer

    return Ascii155Tokenizer.load(options, environment)


TOKENIZERS: Mapping[str, Callable[[TextOptions, Mapping[str, str]], Tokenizer]] = {
    "ascii155": _ascii155,
}
"""Name to what loads it; nothing is imported before it is needed."""


def load_tokenizer(options: TextOptions, environment: Mapping[str, str]) -> Tokenizer:
    """Load the tokenizer of a run.

    Parameters
    ----------
    options : TextOptions
    environment : mapping of str to str
        May name the data directory, see `rouge_cli.text.word_lists`.

    Raises
    ------
    InputError
        If a word list cannot be read.
    """
    return TOKENIZERS["ascii155"](options, environment)
