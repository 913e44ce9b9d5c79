"""From normalised texts to columns: tokens, types, stopwords, stems.

Stopwords and stems are looked up once for each type of a block and not for each token.
Source: specification, sections 3 and 4.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rouge_cli.text.columns import TextColumns
from rouge_cli.text.interning import examples_of_types
from rouge_cli.text.stemmer import Stemmer
from rouge_cli.text.tokens import find_tokens

__all__ = ["ReadTexts", "read_texts"]


@dataclass(frozen=True, slots=True, eq=False)
class ReadTexts:
    """The columns of a block of texts, stemmed and not.

    Parameters
    ----------
    unstemmed, stemmed : TextColumns or None
        Without stopwords, if these are to be removed; None where not asked for. The stem
        ``runner`` and the unstemmed token ``runner`` have the same type.
    n_types : int
        Every type is below this number.
    """

    unstemmed: TextColumns | None
    stemmed: TextColumns | None
    n_types: int


def read_texts(
    texts: Sequence[bytes],
    stopwords: frozenset[bytes] | None,
    stemmer: Stemmer | None,
    *,
    with_unstemmed: bool,
) -> ReadTexts:
    """Read texts into columns.

    Parameters
    ----------
    texts : sequence of bytes
        Normalised and limited; a newline stands between sentences.
    stopwords : frozenset of bytes or None
        Words to remove; None removes none.
    stemmer : Stemmer or None
    with_unstemmed : bool
        Whether the unstemmed columns are needed if there is a stemmer.
    """
    edges = find_tokens(texts)
    types = examples_of_types(edges)
    columns = TextColumns(types, edges.sentence_offsets, edges.text_offsets)
    if stopwords is None and stemmer is None:
        return ReadTexts(columns, None, types.size)
    examples = np.flatnonzero(types == np.arange(types.size))
    words = edges.strings(examples)
    if stopwords is not None:
        is_stopword = np.fromiter(map(stopwords.__contains__, words), np.bool_, len(words))
        columns = columns.without(_by_type(types, examples, is_stopword))
    if stemmer is None:
        return ReadTexts(columns, None, types.size)
    stemmed = columns.relabelled(_by_type(types, examples, stemmer.number_stems(words)))
    unstemmed = None
    if with_unstemmed:
        unstemmed = columns.relabelled(_by_type(types, examples, stemmer.number_tokens(words)))
    return ReadTexts(unstemmed, stemmed, stemmer.n_numbers)


def _by_type(
    types: NDArray[np.int32],
    examples: NDArray[np.int64],
    values: Sequence[int] | NDArray[np.bool_],
) -> NDArray[np.int32]:
    """Return a table from type to value, shape (n_tokens,); only types that occur have one."""
    table = np.zeros(types.size, np.int32)
    table[examples] = values
    return table
