"""The original's walk through the LCS table, for thousands of sentence pairs at a time.

The idea. A row of the table, c[i][0..n], never falls from left to right and rises by at most one
from column to column, so it fits in bits: V_i has a 0 at each column where c[i] rises. A row
follows from the one above it by an addition (the carry does what the recurrence does), so the
tables of many sentence pairs are computed side by side, a row of each in every step.

Facts it rests on (i is a model position, j a peer position, both from 1):

1. A row without a match sends the walk up. Only matched rows are kept.
2. E_i(j) = c[i][j] - c[i-1][j] is 0 or 1, and without a match the walk goes up where it is 0, left
   where it is 1. After a step to the left E is still 1, so a walk to the left ends on a match.
3. With V read as a number, E_i = V_i - V_(i-1) modulo 2^w.

So the walk marks row i exactly if the bit under its cursor is set in M_i | E_i, M_i being the mask
of the row; and it then goes on up, to the left of the nearest match at or before the cursor.

Layout. Step r takes the r-th row (from the top or from the bottom) of every sentence pair that has
so many. Sentence pairs are put in descending order of rows, so these are the first ``active[r]``
ones, and the rows are laid out in steps, so each step works on contiguous slices. A state is an
array (n_limbs, n_sentence_pairs) of uint64, the limb with the lowest columns first.
"""

import numpy as np
from numpy.typing import NDArray

from rouge_cli.metrics.sentence_rows import SentenceRows

__all__ = ["walked_rows"]

ONE = np.uint64(1)
LAST_BIT = np.uint64(63)
SMEAR_SHIFTS = tuple(np.uint64(1 << k) for k in range(6))

State = NDArray[np.uint64]


def walked_rows(rows: SentenceRows) -> NDArray[np.bool_]:
    """Return for each row whether the walk marks it, that is, whether it is on the LCS.

    Parameters
    ----------
    rows : SentenceRows

    Returns
    -------
    ndarray of bool, shape (n_rows,)
    """
    row_counts = np.diff(rows.offsets)
    # NumPy sorts 16-bit numbers by radix, several times faster than wider ones.
    if row_counts.max(initial=0) <= np.iinfo(np.int16).max:
        descending = np.argsort(-row_counts.astype(np.int16), kind="stable")
    else:
        descending = np.argsort(-row_counts, kind="stable")
    rank_in_order = np.empty_like(descending)
    rank_in_order[descending] = np.arange(descending.size)
    steps = np.arange(rows.masks.shape[1]) - np.repeat(rows.offsets[:-1], row_counts)
    active = np.bincount(steps)
    step_offsets = np.concatenate(([0], np.cumsum(active)))
    places = step_offsets[steps] + np.repeat(rank_in_order, row_counts)
    masks = np.empty_like(rows.masks)
    masks[:, places] = rows.masks
    stops = _stops(masks, step_offsets)
    cursors = _ones_up_to(rows.widths[descending], rows.masks.shape[0])
    is_marked: NDArray[np.bool_] = _walk(masks, stops, cursors, step_offsets)[places]
    return is_marked


def _stops(masks: State, step_offsets: NDArray[np.int64]) -> State:
    """Return M | E of every row, laid out like `masks`: the columns in which the walk stops."""
    stops = np.empty_like(masks)
    state = np.full((masks.shape[0], int(np.diff(step_offsets[:2])[0])), ~np.uint64(0))
    for start, end in zip(step_offsets[:-1].tolist(), step_offsets[1:].tolist(), strict=True):
        mask, above = masks[:, start:end], state[:, : end - start]
        matched = above & mask
        below = _add(above, matched) | (above ^ matched)
        np.bitwise_or(mask, _subtract(below, above), out=stops[:, start:end])
        state[:, : end - start] = below
    return stops


def _walk(
    masks: State, stops: State, cursors: State, step_offsets: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Walk from the last row up; `cursors` has ones up to and including the cursor's column."""
    is_marked = np.empty(masks.shape[1], np.bool_)
    for start, end in zip(step_offsets[-2::-1].tolist(), step_offsets[:0:-1].tolist(), strict=True):
        cursor = cursors[:, : end - start]
        under_cursor = cursor ^ _shift_right(cursor)
        marked = ((stops[:, start:end] & under_cursor) != 0).any(axis=0)
        nearest = _shift_right(_smear_right(masks[:, start:end] & cursor))
        # A blend by bits: where the row is marked the cursor becomes `nearest`.
        cursor ^= (cursor ^ nearest) & -marked.astype(np.uint64)
        is_marked[start:end] = marked
    return is_marked


def _ones_up_to(widths: NDArray[np.int64], n_limbs: int) -> State:
    """Return states whose lowest `widths` bits are set, shape (n_limbs, len(widths))."""
    n_bits = np.clip(widths - 64 * np.arange(n_limbs)[:, np.newaxis], 0, 64).astype(np.uint64)
    ones = ~np.uint64(0) >> (np.uint64(64) - np.maximum(n_bits, ONE))
    return np.where(n_bits > 0, ones, np.uint64(0))


def _add(left: State, right: State) -> State:
    """Add two states; a carry runs from limb to limb and is lost behind the last."""
    total = left + right
    for limb in range(1, total.shape[0]):
        # A sum less than a summand has overflowed; so has one that a carry made equal to it.
        carry = total[limb - 1] < left[limb - 1]
        carry |= (total[limb - 1] == left[limb - 1]) & (right[limb - 1] != 0)
        total[limb] += carry
    return total


def _subtract(left: State, right: State) -> State:
    """Subtract two states; a borrow runs from limb to limb and is lost behind the last."""
    difference = left - right
    for limb in range(1, difference.shape[0]):
        borrow = left[limb - 1] < right[limb - 1]
        borrow |= (left[limb - 1] == right[limb - 1]) & (difference[limb - 1] != 0)
        difference[limb] -= borrow
    return difference


def _shift_right(state: State) -> State:
    """Move every bit one column to the left, the first one out."""
    shifted = state >> ONE
    shifted[:-1] |= state[1:] << LAST_BIT
    return shifted


def _smear_right(state: State) -> State:
    """Set every bit below the highest one that is set."""
    for shift in SMEAR_SHIFTS:
        state |= state >> shift
    for limb in range(state.shape[0] - 1, 0, -1):
        state[limb - 1][state[limb] != 0] = ~np.uint64(0)
    return state
