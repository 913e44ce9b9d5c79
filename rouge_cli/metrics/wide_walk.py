"""The walk of `bit_walk` for a few wide sentence pairs, one after another in Python's integers.

A row of thousands of columns is one long integer here, so that its carries cost next to nothing.
The facts are those of `bit_walk`; only the cursor is kept as a column and not as a mask.
"""

import numpy as np
from numpy.typing import NDArray

from rouge_cli.metrics.sentence_rows import SentenceRows

__all__ = ["walked_rows_of_few"]


def walked_rows_of_few(rows: SentenceRows) -> NDArray[np.bool_]:
    """Return for each row whether the walk marks it, as `bit_walk.walked_rows` does."""
    row_bytes = np.ascontiguousarray(rows.masks.T)
    is_marked = np.zeros(rows.model_tokens.size, np.bool_)
    bounds = zip(rows.offsets[:-1].tolist(), rows.offsets[1:].tolist(), strict=True)
    for (start, end), width in zip(bounds, rows.widths.tolist(), strict=True):
        masks = [int.from_bytes(row_bytes[row].tobytes(), "little") for row in range(start, end)]
        is_marked[[start + row for row in _marked(masks, width)]] = True
    return is_marked


def _marked(masks: list[int], width: int) -> list[int]:
    """Return the rows of one sentence pair that the walk marks, the last first."""
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
