"""From normalised texts to columns: tokens, types, stopwords, stems.

Stopwords and stems are looked up once for each type and not for each token.
Source: specification, sections 3 and 4.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rouge_cli.text.columns import TextColumns
from rouge_cli.text.interning import number_types
from rouge_cli.text.stemmer import Stemmer
from rouge_cli.text.tokens import find_tokens

__all__ = ["ReadTexts", "read_texts"]


@dataclass(frozen=True, slots=True)
class ReadTexts:
    """The columns of a block of texts, and the stems of their types.

    Parameters
    ----------
    columns : TextColumns
        Unstemmed, without stopwords if these are to be removed.
    stems : ndarray of int32, shape (number of unstemmed types,), or None
        The type of each type's stem; None without a stemmer. The stem ``runner`` and the
        unstemmed token ``runner`` are one type.
    n_types : int
        Number of types, stems included.
    """

    columns: TextColumns
    stems: NDArray[np.int32] | None
    n_types: int

    @property
    def stemmed(self) -> TextColumns:
        """The columns with every token stemmed."""
        if self.stems is None:
            raise ValueError("these texts were read without a stemmer")
        return self.columns.relabelled(self.stems)


def read_texts(
    texts: Sequence[bytes], stopwords: frozenset[bytes] | None, stemmer: Stemmer | None
) -> ReadTexts:
    """Read texts into columns.

    Parameters
    ----------
    texts : sequence of bytes
        Normalised and limited; a newline stands between sentences.
    stopwords : frozenset of bytes or None
        Words to remove; None removes none.
    stemmer : Stemmer or None
    """
    edges = find_tokens(texts)
    types, examples = number_types(edges)
    columns = TextColumns(types, edges.sentence_offsets, edges.text_offsets)
    if stopwords is None and stemmer is None:
        return ReadTexts(columns, None, examples.size)
    words = edges.strings(examples)
    if stopwords is not None:
        is_stopword = np.fromiter(map(stopwords.__contains__, words), np.bool_, len(words))
        columns = columns.without(is_stopword)
    if stemmer is None:
        return ReadTexts(columns, None, examples.size)
    numbers = dict(zip(words, range(len(words)), strict=True))
    stems = np.fromiter(
        (numbers.setdefault(stem, len(numbers)) for stem in stemmer.stem_all(words)),
        np.int32,
        len(words),
    )
    return ReadTexts(columns, stems, len(numbers))
