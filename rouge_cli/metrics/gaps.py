"""Sentences less what no walk through an LCS table can tell apart: long gaps become short.

A gap is a run of tokens without a match in the other text. Their columns of the table are all equal
to the first of them: without a match c[i][j] is the greater of c[i-1][j] and c[i][j-1], and by
induction over i that is c[i][j-1] from the second column on. In any of them the walk goes up and
left at the same rows. The same holds for rows, so of every gap the first token stands for all; it
cannot be left out too, because the walk may climb in its column past a match beside it.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rouge_cli.text.columns import TextColumns

__all__ = ["ShortSentences", "shorten"]

FEW_COLUMNS = 64


@dataclass(frozen=True, slots=True, eq=False)
class ShortSentences:
    """The tokens that are kept of each sentence.

    Parameters
    ----------
    tokens : ndarray of int64, shape (n_kept,)
        Their numbers among all tokens.
    kept_before : ndarray of int64, shape (n_tokens + 1,)
        How many tokens are kept before each token.
    offsets : ndarray of int64, shape (n_sentences + 1,)
        Sentence ``s`` is ``tokens[offsets[s]:offsets[s + 1]]``.
    """

    tokens: NDArray[np.int64]
    kept_before: NDArray[np.int64]
    offsets: NDArray[np.int64]


def shorten(columns: TextColumns, groups: NDArray[np.int64]) -> ShortSentences:
    """Keep the matched tokens, those with a group of 0 or more, and the first of each gap.

    Where every sentence fits into `FEW_COLUMNS` nothing is gained, and all tokens are kept.
    """
    if np.diff(columns.sentence_offsets).max(initial=0) <= FEW_COLUMNS:
        every = np.arange(groups.size + 1)
        return ShortSentences(every[:-1], every, columns.sentence_offsets)
    is_matched = groups >= 0
    is_kept = np.ones(groups.size, np.bool_)
    is_kept[1:] = is_matched[1:] | is_matched[:-1]
    starts = columns.sentence_offsets[:-1]
    is_kept[starts[starts < groups.size]] = True
    kept_before = np.concatenate(([0], np.cumsum(is_kept)))
    return ShortSentences(
        np.flatnonzero(is_kept), kept_before, kept_before[columns.sentence_offsets]
    )
