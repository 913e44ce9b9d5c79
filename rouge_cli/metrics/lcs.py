"""ROUGE-L: for each model sentence the union of its LCS with every peer sentence.

Source: specification, section 5, "ROUGE-L".
"""

import numpy as np
from numpy.typing import NDArray

from rouge_cli.metrics.bit_walk import walked_rows
from rouge_cli.metrics.clipping import counted_marks
from rouge_cli.metrics.counts import Counts
from rouge_cli.metrics.matching import Matches
from rouge_cli.metrics.sentence_rows import SentenceRows, matched_rows
from rouge_cli.metrics.wide_walk import walked_rows_of_few

__all__ = ["WalkedRows", "count_lcs", "walk_lcs"]

FEW_PER_LIMB = 16
"""Below so many sentence pairs for each limb, one at a time in long integers is faster."""

WalkedRows = tuple[SentenceRows, NDArray[np.bool_]]
"""Matched rows and, for each, whether the walk marks it."""


def walk_lcs(matches: Matches) -> list[WalkedRows]:
    """Walk through the LCS table of every sentence pair."""
    return [(rows, _walked(rows)) for rows in matched_rows(matches)]


def count_lcs(matches: Matches, tables: Matches, walked: list[WalkedRows]) -> Counts:
    """Count the tokens of each pair on the union LCS.

    Parameters
    ----------
    matches : Matches
        The reading of ROUGE-L.
    tables : Matches
        The reading of ROUGE-1, whose unigram tables clip the hits; the peer count is its too.
    walked : list of WalkedRows
        What `walk_lcs` found in `matches`.
    """
    is_marked = np.zeros(matches.models.types.size, np.bool_)
    for rows, is_row_marked in walked:
        is_marked[rows.model_tokens.take(np.flatnonzero(is_row_marked))] = True
    counted_before = np.concatenate(([0], np.cumsum(counted_marks(is_marked, matches, tables))))
    return Counts(
        np.diff(counted_before[matches.models.token_offsets]),
        matches.models.token_counts,
        tables.peers.token_counts,
    )


def _walked(rows: SentenceRows) -> NDArray[np.bool_]:
    """Take the walk that suits the number and the width of the sentence pairs."""
    n_limbs = rows.masks.shape[0]
    if n_limbs > 1 and rows.widths.size < FEW_PER_LIMB * n_limbs:
        return walked_rows_of_few(rows)
    return walked_rows(rows)
