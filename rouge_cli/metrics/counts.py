"""What a metric finds for each pair of a peer and a model.

Source: specification, section 5.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Counts", "joined_counts"]


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """Hit, model count and peer count of many pairs.

    Parameters
    ----------
    hit, model_count, peer_count : ndarray, shape (n_pairs,)
        Of int64; in ROUGE-W of float64 or, with a whole weight, of int64 or else of object:
        Python's ints, and floats where the original has a double.
    model_base : ndarray, shape (n_pairs,), or None
        In ROUGE-W the model count weighted once, by which formula B compares models.
    """

    hit: NDArray[Any]
    model_count: NDArray[Any]
    peer_count: NDArray[Any]
    model_base: NDArray[Any] | None = None


def joined_counts(pieces: Sequence[Counts]) -> Counts:
    """Put the hits, model counts and peer counts of all pieces behind one another."""
    if len(pieces) == 1:
        return pieces[0]
    none = np.zeros(0, np.int64)
    return Counts(
        np.concatenate([none, *(piece.hit for piece in pieces)]),
        np.concatenate([none, *(piece.model_count for piece in pieces)]),
        np.concatenate([none, *(piece.peer_count for piece in pieces)]),
    )
