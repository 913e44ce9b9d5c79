"""The length of the LCS of sentence pairs, for metrics that need no union and thus no way back.

The table is computed row by row as for `lcs_backtracking`, and only its last row is kept: where it
rises, it rises by one.
"""

from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rouge_cli.metrics.lcs_backtracking import (
    TOP_BIT,
    MarkedRows,
    are_few_and_long,
    in_steps,
    long_masks,
)
from rouge_cli.metrics.matching import Matches
from rouge_cli.metrics.sentence_pairs import SentenceRows, matched_rows

__all__ = [
    "LcsLengths",
    "lcs_lengths",
    "lengths_one_by_one",
    "lengths_side_by_side",
    "marked_lengths",
]

LcsLengths = tuple[SentenceRows, NDArray[np.int64]]
"""Matched rows and, for each sentence pair, the length of its LCS."""


def lcs_lengths(matches: Matches) -> list[LcsLengths]:
    """Find how long the LCS of every model sentence with every sentence of its peer is."""
    return [(rows, _lengths(rows)) for rows in matched_rows(matches)]


def marked_lengths(marked: Iterable[MarkedRows]) -> list[LcsLengths]:
    """Return what `lcs_lengths` does, where the rows on each LCS are known already."""
    return [
        (rows, np.add.reduceat(is_marked.astype(np.int64), rows.offsets[:-1]))
        for rows, is_marked in marked
    ]


def _lengths(rows: SentenceRows) -> NDArray[np.int64]:
    """Return the length of the LCS of each sentence pair, shape (n_sentence_pairs,)."""
    if are_few_and_long(rows):
        return lengths_one_by_one(rows)
    return lengths_side_by_side(rows)


def lengths_side_by_side(rows: SentenceRows) -> NDArray[np.int64]:
    """Return what `_lengths` does: c rises at the columns whose bit is 0 in the last row."""
    steps = in_steps(rows)
    carry: Any
    states = np.full((steps.masks.shape[0], rows.widths.size), ~np.uint64(0))
    for start, end in pairwise(steps.offsets.tolist()):
        carry = np.uint64(0)
        for limb in range(len(states)):
            state = states[limb, : end - start]
            matched = state & steps.masks[limb, start:end]
            total = state + matched
            total += carry
            carry = ((state & ~total) | matched) >> TOP_BIT
            state ^= matched
            state |= total
    lengths = np.empty(rows.widths.size, np.int64)
    lengths[steps.descending] = np.bitwise_count(~states).sum(axis=0)
    return lengths


def lengths_one_by_one(rows: SentenceRows) -> NDArray[np.int64]:
    """Return what `_lengths` does, one sentence pair after another."""
    widths = rows.widths.tolist()
    lengths = map(_length, long_masks(rows), widths)
    return np.fromiter(lengths, np.int64, len(widths))


def _length(masks: list[int], width: int) -> int:
    """Return the length of the LCS of one sentence pair."""
    state = all_ones = (1 << width) - 1
    for mask in masks:
        matched = state & mask
        state = ((state + matched) | (state ^ matched)) & all_ones
    return width - state.bit_count()
