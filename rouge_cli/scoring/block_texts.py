"""The texts of a block as the metrics read them: limited, tokenised, stemmed, once each.

Source: specification, section 2, "Limits", and section 3.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rouge_cli.inputs.formats import BasicElement, read_simple
from rouge_cli.options.every import Options
from rouge_cli.scoring.word_lists import WordLists
from rouge_cli.text.columns import TextColumns
from rouge_cli.text.limits import limit_bytes, limit_bytes_unsummed, limit_words
from rouge_cli.text.stemmer import Stemmer
from rouge_cli.text.vocabulary import read_texts

__all__ = ["READ_BY_SENTENCE", "BlockTexts"]

READ_BY_SENTENCE = frozenset({"L", "P", "W"})
"""The families that read a byte limit in a way of their own."""


class BlockTexts:
    """The texts of a block in columns or, if only Basic Elements are asked for, in these.

    Parameters
    ----------
    texts : sequence of bytes
        Normalised.
    options : Options
    words : WordLists

    Attributes
    ----------
    n_texts : int
    text_bytes : ndarray of int64, shape (n_texts,)
    n_types : int
        Every type is below this number.
    elements : list of tuple of BasicElement
        The Basic Elements of each text; none in a text that is read as words.
    stemmer : Stemmer or None
    """

    __slots__ = (
        "_stemmed",
        "_unstemmed",
        "elements",
        "n_texts",
        "n_types",
        "stemmer",
        "text_bytes",
    )

    def __init__(self, texts: Sequence[bytes], options: Options, words: WordLists) -> None:
        self.n_texts = len(texts)
        self.text_bytes: NDArray[np.int64] = np.fromiter(map(len, texts), np.int64, len(texts))
        self.stemmer: Stemmer | None = words.stemmer
        self.elements: list[tuple[BasicElement, ...]] = [() for _ in texts]
        self.n_types = 0
        self._stemmed: TextColumns | None = None
        self._unstemmed: TextColumns | None = None
        if options.metrics.metric_families == ("BE",):
            self.elements = [read_simple(text, "") for text in texts]
            return
        read = read_texts(
            _limited(texts, options),
            words.stopwords,
            words.stemmer,
            with_unstemmed=not options.texts.stem,
        )
        self._stemmed, self._unstemmed, self.n_types = read.stemmed, read.unstemmed, read.n_types

    def columns(self, *, stemmed: bool) -> TextColumns:
        """Return the columns; the unsummed reading of a byte limit stands behind the other."""
        columns = self._stemmed if stemmed else self._unstemmed
        if columns is None:
            raise ValueError("these texts were not read in this way")
        return columns

    def empty_texts(self) -> list[int]:
        """Return the texts without tokens, or without Basic Elements."""
        columns = self._stemmed or self._unstemmed
        if columns is None:
            return [text for text, elements in enumerate(self.elements) if not elements]
        return [int(text) for text in np.flatnonzero(columns.token_counts[: self.n_texts] == 0)]


def _limited(texts: Sequence[bytes], options: Options) -> Sequence[bytes]:
    """Return the limited texts; with a byte limit, behind them once more as L and W read it."""
    if options.texts.words:
        return limit_words(texts, options.texts.words)
    if not options.texts.bytes:
        return texts
    limited = limit_bytes(texts, options.texts.bytes)
    if READ_BY_SENTENCE.isdisjoint(options.metrics.metric_families):
        return limited
    return limited + limit_bytes_unsummed(texts, options.texts.bytes)
