"""The columns that every metric works on: the tokens of many texts in three integer arrays.

Source: specification, section 3.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["TextColumns", "ragged_indices"]


@dataclass(frozen=True, slots=True)
class TextColumns:
    """The tokens of many texts, sentence after sentence, text after text.

    Parameters
    ----------
    types : ndarray of int32, shape (n_tokens,)
        The type (number in the vocabulary) of each token.
    sentence_offsets : ndarray of int64, shape (n_sentences + 1,)
        Sentence ``s`` has the tokens ``sentence_offsets[s]:sentence_offsets[s + 1]``.
    text_offsets : ndarray of int64, shape (n_texts + 1,)
        Text ``t`` has the sentences ``text_offsets[t]:text_offsets[t + 1]``.
    """

    types: NDArray[np.int32]
    sentence_offsets: NDArray[np.int64]
    text_offsets: NDArray[np.int64]

    @property
    def token_offsets(self) -> NDArray[np.int64]:
        """Text ``t`` has the tokens ``token_offsets[t]:token_offsets[t + 1]``; (n_texts + 1,)."""
        return self.sentence_offsets[self.text_offsets]

    @property
    def token_counts(self) -> NDArray[np.int64]:
        """Number of tokens of each text, shape (n_texts,)."""
        return np.diff(self.token_offsets)

    def take(self, texts: NDArray[np.int64]) -> "TextColumns":
        """Return the columns of `texts` (their numbers), in that order; a text may be repeated."""
        n_texts = self.text_offsets.size - 1
        if texts.size == n_texts and np.array_equal(texts, np.arange(n_texts)):
            return self
        sentences, text_offsets = ragged_indices(self.text_offsets, texts)
        tokens, sentence_offsets = ragged_indices(self.sentence_offsets, sentences)
        return TextColumns(self.types[tokens], sentence_offsets, text_offsets)

    def without(self, is_dropped: NDArray[np.bool_]) -> "TextColumns":
        """Return the columns less the tokens whose type is flagged; `is_dropped` is by type."""
        is_kept = ~is_dropped[self.types]
        kept_before = np.concatenate(([0], np.cumsum(is_kept)))
        return TextColumns(
            self.types[is_kept], kept_before[self.sentence_offsets], self.text_offsets
        )

    def relabelled(self, new_types: NDArray[np.int32]) -> "TextColumns":
        """Return the columns with each type replaced by its entry in `new_types`."""
        return TextColumns(new_types[self.types], self.sentence_offsets, self.text_offsets)


def ragged_indices(
    offsets: NDArray[np.int64], rows: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return where the items of the given rows stand, row after row, and the new offsets.

    Parameters
    ----------
    offsets : ndarray of int64, shape (n + 1,)
        Row ``r`` has the items ``offsets[r]:offsets[r + 1]``.
    rows : ndarray of int64, shape (m,)
        The rows wanted, in any order.

    Returns
    -------
    items : ndarray of int64, shape (sum of the lengths,)
    new_offsets : ndarray of int64, shape (m + 1,)
    """
    lengths = offsets[rows + 1] - offsets[rows]
    new_offsets = np.concatenate(([0], np.cumsum(lengths)))
    items = np.arange(new_offsets[-1])
    items += np.repeat(offsets[rows] - new_offsets[:-1], lengths)
    return items, new_offsets
