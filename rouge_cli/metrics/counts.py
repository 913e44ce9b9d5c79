"""What a metric finds for each pair of a peer and a model.

Source: specification, section 5.
"""

from collections.abc import Callable, Sequence
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
    peer_hit : ndarray, shape (n_pairs,), or None
        The hit that precision is made of, where it is not `hit`: in pairwise LCS.
    """

    hit: NDArray[Any]
    model_count: NDArray[Any]
    peer_count: NDArray[Any]
    model_base: NDArray[Any] | None = None
    peer_hit: NDArray[Any] | None = None

    def apply(self, change: Callable[[NDArray[Any]], NDArray[Any]]) -> "Counts":
        """Return the counts after the same change to each of them; the base is dropped."""
        peer_hit = None if self.peer_hit is None else change(self.peer_hit)
        return Counts(
            change(self.hit),
            change(self.model_count),
            change(self.peer_count),
            peer_hit=peer_hit,
        )

    def take(self, rows: NDArray[np.int64]) -> "Counts":
        """Return the counts of some rows; the base is dropped."""
        return self.apply(lambda values: values[rows])


def joined_counts(pieces: Sequence[Counts]) -> Counts:
    """Put the hits, model counts and peer counts of all pieces behind one another."""
    if len(pieces) == 1:
        return pieces[0]
    none = np.zeros(0, np.int64)
    peer_hits = [piece.peer_hit for piece in pieces if piece.peer_hit is not None]
    return Counts(
        np.concatenate([none, *(piece.hit for piece in pieces)]),
        np.concatenate([none, *(piece.model_count for piece in pieces)]),
        np.concatenate([none, *(piece.peer_count for piece in pieces)]),
        peer_hit=np.concatenate(peer_hits) if peer_hits else None,
    )
