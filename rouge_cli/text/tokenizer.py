"""The protocol of tokenizers, and the list of them.

To add a tokenizer, write its module and add a line to `TOKENIZERS`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import OptionError
from rouge_cli.options.texts import TextOptions
from rouge_cli.text import segmenters
from rouge_cli.text.columns import PairCounter, ReadTexts

__all__ = ["TOKENIZERS", "Tokenizer", "load_tokenizer"]


class Tokenizer(Protocol):
    """Turns texts into columns of tokens, following the options that it was loaded with.

    It also applies limits, stopwords and stems, since all of these depend on what a word is. It
    must be picklable, as it is sent to worker processes.
    """

    @property
    def warnings(self) -> Sequence[str]:
        """Warnings about its word lists."""

    @property
    def stem(self) -> Callable[[bytes], bytes] | None:
        """The function that stems words of Basic Elements; None without stemming."""

    @property
    def is_compiled(self) -> bool:
        """Whether the core, if there is one, does nearly all the work."""

    def read(
        self,
        texts: Sequence[bytes],
        *,
        with_unsummed: bool,
        starts: NDArray[np.int64] | None = None,
    ) -> ReadTexts:
        """Read normalised texts, whose sentences are separated by newlines.

        `with_unsummed` is true if a metric of the run applies the byte limit as ROUGE-L does.
        `starts`, shape (n_groups + 1,), has the first text of each group, and the number of texts.
        Only texts of the same group are compared, so a word may have different types in different
        groups.
        """

    def split(self, texts: Sequence[bytes]) -> list[list[list[bytes]]] | None:
        """Return the tokens of each sentence of a few texts: what `read` would number.

        None if the options or the tokenizer need columns.
        """

    def pair_counter(self, core: Any, units: tuple[int, bool, bool, bool]) -> PairCounter | None:
        """Return a counter of single pairs with the core; None in the same cases as `split`.

        `units` are the highest order of n-grams, and whether to count the union LCS, to count the
        LCS of whole texts, and to flag the texts.
        """

    def count_tokens(self, texts: Sequence[bytes]) -> list[int]:
        """Return the number of tokens of each text, before limits and stopwords."""

    def as_read(self, texts: Sequence[bytes]) -> Sequence[bytes] | None:
        """Return texts in the form in which they are segmented.

        None if no letter can be lost, so that there is nothing to warn about.
        """

    def signature(self, *, stems_models: bool) -> Iterator[str]:
        """Yield the parts of the signature that name tokens, stems and stopwords.

        `stems_models` is True if ``-M`` stems the models in a metric of the run.
        """


Loader = Callable[[TextOptions, Mapping[str, str]], Tokenizer]


def _ascii155(options: TextOptions, environment: Mapping[str, str]) -> Tokenizer:
    # With other stems or stopwords only its segmentation is that of ROUGE-1.5.5.
    if not options.reads_as_original:
        return _words(segmenters.ascii_segmenter)(options, environment)
    from rouge_cli.text.ascii155 import Ascii155Tokenizer

    return Ascii155Tokenizer.load(options, environment)


def _words(load_segmenter: Callable[[str | None], segmenters.Segmenter]) -> Loader:
    def load(options: TextOptions, environment: Mapping[str, str]) -> Tokenizer:
        from rouge_cli.text.languages import WordTokenizer

        return WordTokenizer(options, load_segmenter)

    return load


TOKENIZERS: Mapping[str, Loader] = {
    "ascii155": _ascii155,
    "unicode": _words(segmenters.unicode_segmenter),
    "char": _words(segmenters.character_segmenter),
    "whitespace": _words(segmenters.whitespace_segmenter),
    "icu": _words(segmenters.icu_segmenter),
    **{
        name: _words(partial(segmenters.dictionary_segmenter, name))
        for name in segmenters.DICTIONARIES
    },
}
"""Loaders by the names of tokenizers; each imports its library only when called."""


def load_tokenizer(options: TextOptions, environment: Mapping[str, str]) -> Tokenizer:
    """Load the tokenizer of a run.

    `environment` may name the data directory; see `rouge_cli.text.word_lists`. Raises OptionError
    if the tokenizer, stemmer or list of stopwords does not exist or is not installed, and
    InputError if a word list cannot be read.
    """
    chosen = options.tokenizer or ("unicode" if options.language else "ascii155")
    if callable(chosen):
        return _words(partial(segmenters.function_segmenter, chosen))(options, environment)
    if chosen in TOKENIZERS:
        return TOKENIZERS[chosen](options, environment)
    if chosen in segmenters.plugin_names():
        return _words(partial(segmenters.plugin_segmenter, chosen))(options, environment)
    known = ", ".join([*TOKENIZERS, *segmenters.plugin_names()])
    raise OptionError(f"--tokenizer: found {chosen!r}, expected one of {known}")
