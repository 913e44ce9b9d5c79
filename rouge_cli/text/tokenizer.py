"""The socket for tokenizers: the protocol, and the list of them.

To add a tokenizer, write its module and add a line to `TOKENIZERS`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import OptionError
from rouge_cli.options.texts import TextOptions
from rouge_cli.text.columns import PairCounter, ReadTexts
from rouge_cli.text.segmenters import (
    Segmenter,
    ascii_segmenter,
    character_segmenter,
    function_segmenter,
    icu_segmenter,
    jieba_segmenter,
    mecab_segmenter,
    plugin_names,
    plugin_segmenter,
    thai_segmenter,
    unicode_segmenter,
    whitespace_segmenter,
)

__all__ = ["TOKENIZERS", "Tokenizer", "load_tokenizer"]


class Tokenizer(Protocol):
    """Turns texts into columns of tokens, as the options that it was loaded with ask for.

    Limits, stopwords and stems are its own business, since all of them depend on what a word is. It
    goes to worker processes, so it has to be picklable.
    """

    @property
    def warnings(self) -> Sequence[str]:
        """Remarks for the user on its word lists."""
        ...

    @property
    def stem(self) -> Callable[[bytes], bytes] | None:
        """From a word of a Basic Element to its stem; None if nothing is stemmed."""
        ...

    @property
    def is_compiled(self) -> bool:
        """Whether the core reads the texts, if there is one: then Python has next to no work."""
        ...

    def read(
        self,
        texts: Sequence[bytes],
        *,
        with_unsummed: bool,
        starts: NDArray[np.int64] | None = None,
    ) -> ReadTexts:
        """Read normalised texts, in which a newline stands between sentences.

        Parameters
        ----------
        with_unsummed : bool
            Whether a metric of the run reads the byte limit as ROUGE-L does.
        starts : ndarray of int64, shape (n_groups + 1,), optional
            The first text of each group, and behind them the number of texts. Only texts of the
            same group are compared, so that words need not have the same type in others.
        """
        ...

    def split(self, texts: Sequence[bytes]) -> list[list[list[bytes]]] | None:
        """Return the tokens of each sentence of a few texts, as `read` would give them numbers.

        None if the options or the tokenizer need columns.
        """
        ...

    def pair_counter(self, core: Any, units: tuple[int, bool, bool, bool]) -> PairCounter | None:
        """Return what counts lone pairs with the core; None as `split`.

        `units` are the longest n-grams, and whether to count the union LCS, that of whole texts,
        and whether to flag the texts.
        """
        ...

    def count_tokens(self, texts: Sequence[bytes]) -> list[int]:
        """Return the number of tokens of each text, before limits and stopwords."""
        ...

    def as_read(self, texts: Sequence[bytes]) -> Sequence[bytes] | None:
        """Return texts in the form in which words are found in them.

        None if all their letters are in words, so that no warning tells of any that is lost.
        """
        ...

    def signature(self, *, stems_models: bool) -> Iterator[str]:
        """Yield the parts of the signature that name tokens, stems and stopwords.

        Parameters
        ----------
        stems_models : bool
            Whether ``-M`` stems the models in a metric of the run.
        """
        ...


Loader = Callable[[TextOptions, Mapping[str, str]], Tokenizer]


def _ascii155(options: TextOptions, environment: Mapping[str, str]) -> Tokenizer:
    """Load the tokenizer of ROUGE-1.5.5; with other stems or stopwords, its words alone."""
    if not options.reads_as_original:
        return _words(ascii_segmenter)(options, environment)
    from rouge_cli.text.ascii155 import Ascii155Tokenizer

    return Ascii155Tokenizer.load(options, environment)


def _words(load_segmenter: Callable[[str | None], Segmenter]) -> Loader:
    """Return a loader of a tokenizer whose words a segmenter finds."""

    def load(options: TextOptions, environment: Mapping[str, str]) -> Tokenizer:
        from rouge_cli.text.languages import WordTokenizer

        return WordTokenizer.load(options, load_segmenter)

    return load


TOKENIZERS: Mapping[str, Loader] = {
    "ascii155": _ascii155,
    "unicode": _words(unicode_segmenter),
    "char": _words(character_segmenter),
    "whitespace": _words(whitespace_segmenter),
    "icu": _words(icu_segmenter),
    "jieba": _words(jieba_segmenter),
    "mecab": _words(mecab_segmenter),
    "thai": _words(thai_segmenter),
}
"""Name to loader; nothing is imported before it is needed."""


def load_tokenizer(options: TextOptions, environment: Mapping[str, str]) -> Tokenizer:
    """Load the tokenizer of a run.

    `environment` may name the data directory, see `rouge_cli.text.word_lists`. Raises OptionError
    if there is no such tokenizer, stemmer or list of stopwords, or its package is not installed;
    InputError if a word list cannot be read.
    """
    chosen = options.tokenizer or ("unicode" if options.language else "ascii155")
    if callable(chosen):
        return _words(partial(function_segmenter, chosen))(options, environment)
    if chosen in TOKENIZERS:
        return TOKENIZERS[chosen](options, environment)
    if chosen in plugin_names():
        return _words(partial(plugin_segmenter, chosen))(options, environment)
    known = ", ".join([*TOKENIZERS, *plugin_names()])
    raise OptionError(f"--tokenizer: found {chosen!r}, expected one of {known}")
