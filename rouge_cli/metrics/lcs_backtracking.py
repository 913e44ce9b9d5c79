"""Backtracking through the LCS table, as the original does it, thousands of sentence pairs at once.

The idea. A row of the table, c[i][0..n], never falls from left to right and rises by at most one
from column to column, so it fits in bits: V_i has a 0 at each column where c[i] rises. A row
follows from the one above it by an addition (the carry does what the recurrence does), so the
tables of many sentence pairs are computed side by side, a row of each in every step.

Facts it rests on (i is a model position, j a peer position, M_i the mask of the columns that hold
the token of row i):

1. A row without a match sends the cursor up. Only matched rows are kept.
2. With u = V_(i-1) & M_i and s = V_(i-1) + u the next row is V_i = s | (V_(i-1) ^ u).
3. E_i(j) = c[i][j] - c[i-1][j] is 0 or 1: it is 1 where that addition carries out of column j,
   E_i = u | (V_(i-1) & ~s).
4. Without a match the cursor goes up where E is 0 and left where E is 1. After a step to the left
   E is still 1, so a run of steps to the left ends on a match.

So backtracking marks row i exactly if the bit under its cursor is set in M_i | E_i; and it then
goes on up, to the left of the nearest match at or before the cursor.

Layout. Step r takes the r-th row (from the top or from the bottom) of every sentence pair that has
so many. Sentence pairs are put in descending order of rows, so these are the first ones, and the
rows are laid out in steps, so each step works on contiguous slices. A state is an array
(n_limbs, n_sentence_pairs) of uint64, the limb with the lowest columns first.

A few wide sentence pairs are done one after another in Python's integers: a row of thousands of
columns is one long integer there, so that its carries cost next to nothing.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rouge_cli.metrics.matching import Matches
from rouge_cli.metrics.sentence_pairs import LIMB_BITS, LIMB_SHIFT, SentenceRows, matched_rows

__all__ = [
    "TOP_BIT",
    "MarkedRows",
    "RowSteps",
    "are_few_and_long",
    "backtrack_lcs",
    "in_steps",
    "long_masks",
    "matched_columns",
    "rows_one_by_one",
    "rows_side_by_side",
]

ONE, TWO = np.uint64(1), np.uint64(2)
LIMB_LAST = LIMB_BITS - 1
TOP_BIT = np.uint64(LIMB_LAST)
EXPONENT_SHIFT, EXPONENT_BIAS = 52, 1023

FEW_PER_LIMB = 16
"""Below so many sentence pairs for each limb, one at a time in long integers is faster."""

State = NDArray[np.uint64]


MarkedRows = tuple[SentenceRows, NDArray[np.bool_]]
"""Matched rows and, for each, whether it is on the LCS of its sentence pair."""


def backtrack_lcs(matches: Matches) -> list[MarkedRows]:
    """Find the LCS of every model sentence with every sentence of its peer."""
    return [(rows, _lcs_rows(rows)) for rows in matched_rows(matches)]


def _lcs_rows(rows: SentenceRows) -> NDArray[np.bool_]:
    """Return for each row whether it is on the LCS that backtracking finds, shape (n_rows,)."""
    if are_few_and_long(rows):
        return rows_one_by_one(rows)
    return rows_side_by_side(rows)


def are_few_and_long(rows: SentenceRows) -> bool:
    """Say whether one sentence pair at a time, in long integers, is faster."""
    n_limbs = rows.masks.shape[0]
    return bool(n_limbs > 1 and rows.widths.size < FEW_PER_LIMB * n_limbs)


def rows_side_by_side(rows: SentenceRows) -> NDArray[np.bool_]:
    """Return what `_lcs_rows` does, for any number of sentence pairs in each step."""
    steps = in_steps(rows)
    stops = _stops(steps.masks, steps.offsets)
    columns = rows.widths[steps.descending] - 1
    return _backtrack(steps.masks, stops, columns, steps.offsets).take(steps.places)


class RowSteps(NamedTuple):
    """Matched rows laid out in steps: one of each sentence pair that has so many.

    Parameters
    ----------
    masks : ndarray of uint64, shape (n_limbs, n_rows)
    offsets : ndarray of int64, shape (n_steps + 1,)
        Step ``r`` has the rows ``offsets[r]:offsets[r + 1]``.
    descending : ndarray of int64, shape (n_sentence_pairs,)
        The sentence pairs in descending order of rows.
    places : ndarray of int64, shape (n_rows,)
        Where each row, in the order of `SentenceRows`, stands here.
    """

    masks: State
    offsets: NDArray[np.int64]
    descending: NDArray[np.int64]
    places: NDArray[np.int64]


def in_steps(rows: SentenceRows) -> RowSteps:
    """Lay out rows in steps."""
    row_counts = np.diff(rows.offsets)
    descending = _descending(row_counts)
    rank_in_order = np.empty_like(descending)
    rank_in_order[descending] = np.arange(descending.size)
    steps = np.arange(rows.masks.shape[1]) - np.repeat(rows.offsets[:-1], row_counts)
    step_offsets = np.concatenate(([0], np.cumsum(np.bincount(steps))))
    places = step_offsets.take(steps) + np.repeat(rank_in_order, row_counts)
    masks = np.empty_like(rows.masks)
    masks[:, places] = rows.masks
    return RowSteps(masks, step_offsets, descending, places)


def _descending(row_counts: NDArray[np.signedinteger[Any]]) -> NDArray[np.int64]:
    """Return the sentence pairs by number of rows, the highest first."""
    # NumPy sorts 16-bit numbers by radix, several times faster than wider ones.
    if row_counts.max(initial=0) <= np.iinfo(np.int16).max:
        row_counts = row_counts.astype(np.int16)
    return np.argsort(-row_counts, kind="stable")


def _stops(masks: State, step_offsets: NDArray[np.int64]) -> State:
    """Return M | E of every row, laid out like `masks`: the columns in which the cursor stops."""
    stops = np.empty_like(masks)
    carry: Any
    states = np.full((masks.shape[0], int(step_offsets[1])), ~np.uint64(0))
    for start, end in zip(step_offsets[:-1].tolist(), step_offsets[1:].tolist(), strict=True):
        carry = np.uint64(0)
        for limb in range(len(masks)):
            mask, state = masks[limb, start:end], states[limb, : end - start]
            matched = state & mask
            total = state + matched
            total += carry
            carries = state & ~total
            carries |= matched
            carry = carries >> TOP_BIT
            state ^= matched
            state |= total
            np.bitwise_or(mask, carries, out=stops[limb, start:end])
    return stops


def _backtrack(
    masks: State, stops: State, columns: NDArray[np.int64], step_offsets: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Backtrack from the last row up; a cursor in `columns` is -1 once it has left the table."""
    is_marked = np.empty(masks.shape[1], np.bool_)
    for start, end in zip(step_offsets[-2::-1].tolist(), step_offsets[:0:-1].tolist(), strict=True):
        cursors = columns[: end - start]
        is_marked[start:end] = _bits(stops, start, cursors)
        marked = np.flatnonzero(is_marked[start:end])
        cursors[marked] = _nearest_match(masks, start + marked, cursors.take(marked)) - 1
    return is_marked


def _bits(table: State, start: int, columns: NDArray[np.int64]) -> State:
    """Return the bits of the rows from `start` on in the given columns, 0 for column -1."""
    rows = slice(start, start + columns.size)
    # A column of -1 makes a shift so wide that nothing is left.
    if len(table) == 1:
        bits: State = (table[0, rows] >> columns.view(np.uint64)) & ONE
    else:
        limbs = np.maximum(columns >> LIMB_SHIFT, 0)
        shifts = (columns - (limbs << LIMB_SHIFT)).view(np.uint64)
        bits = (_words(table, limbs, np.arange(rows.start, rows.stop)) >> shifts) & ONE
    return bits


def _words(table: State, limbs: NDArray[np.int64], rows: NDArray[np.int64]) -> State:
    """Return one limb of each of the given rows."""
    words: State = table.ravel().take(limbs * table.shape[1] + rows)
    return words


def _nearest_match(
    masks: State, rows: NDArray[np.int64], columns: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return the last column of each row, up to the given one, that holds a match; there is one."""
    if len(masks) == 1:
        return _highest_bit(masks[0].take(rows) & ((TWO << columns.view(np.uint64)) - ONE))
    limbs = columns >> LIMB_SHIFT
    up_to_column = (TWO << (columns & LIMB_LAST).view(np.uint64)) - ONE
    words = _words(masks, limbs, rows) & up_to_column
    while (empty := np.flatnonzero(words == 0)).size:
        limbs[empty] -= 1
        words[empty] = _words(masks, limbs[empty], rows[empty])
    return (limbs << LIMB_SHIFT) + _highest_bit(words)


def _highest_bit(words: State) -> NDArray[np.int64]:
    """Return the number of the highest bit that is set in each word; there is one."""
    # Without two adjacent ones a word cannot be rounded up to the next power of two.
    alone = words & ~(words >> ONE)
    return (alone.astype(np.float64).view(np.int64) >> EXPONENT_SHIFT) - EXPONENT_BIAS


def rows_one_by_one(rows: SentenceRows) -> NDArray[np.bool_]:
    """Return what `_lcs_rows` does, one sentence pair after another."""
    is_marked = np.zeros(rows.model_tokens.size, np.bool_)
    starts = rows.offsets[:-1].tolist()
    for start, masks, width in zip(starts, long_masks(rows), rows.widths.tolist(), strict=True):
        is_marked[[start + row for row in _marked(masks, width)]] = True
    return is_marked


def long_masks(rows: SentenceRows) -> Iterator[list[int]]:
    """Yield the rows of each sentence pair as long integers."""
    row_bytes = np.ascontiguousarray(rows.masks.T)
    for start, end in pairwise(rows.offsets.tolist()):
        yield [int.from_bytes(row_bytes[row].tobytes(), "little") for row in range(start, end)]


def _marked(masks: list[int], width: int) -> list[int]:
    """Return the rows of one sentence pair that are on the LCS, the last first."""
    all_ones = (1 << width) - 1
    state, stops = all_ones, []
    for mask in masks:
        matched = state & mask
        total = state + matched
        stops.append(mask | (state & ~total))
        state = (total | (state ^ matched)) & all_ones
    marked, column = [], width - 1
    for row in range(len(masks) - 1, -1, -1):
        if column >= 0 and stops[row] >> column & 1:
            marked.append(row)
            column = (masks[row] & ((2 << column) - 1)).bit_length() - 2
    return marked


def matched_columns(rows: SentenceRows, is_marked: NDArray[np.bool_]) -> list[int]:
    """Return the column with which each marked row is matched.

    A marked row that holds no match at or before the cursor does not exist: where backtracking
    marks a row it stops at the nearest match, and goes on to the left of it.

    Parameters
    ----------
    is_marked : ndarray of bool, shape (n_rows,)
        What `backtrack_lcs` returns.
    """
    row_bytes = np.ascontiguousarray(rows.masks.T)
    marked = np.flatnonzero(is_marked)
    sentence_pairs = np.searchsorted(rows.offsets, marked, side="right") - 1
    columns, cursor, sentence_pair_before = [], 0, -1
    for row, sentence_pair in zip(
        marked[::-1].tolist(), sentence_pairs[::-1].tolist(), strict=True
    ):
        if sentence_pair != sentence_pair_before:
            cursor, sentence_pair_before = int(rows.widths[sentence_pair]), sentence_pair
        mask = int.from_bytes(row_bytes[row].tobytes(), "little")
        cursor = (mask & ((1 << cursor) - 1)).bit_length() - 1
        columns.append(cursor)
    return columns[::-1]
