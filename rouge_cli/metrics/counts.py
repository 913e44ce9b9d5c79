"""What a metric finds for each pair of a peer and a model.

Source: specification, section 5.
"""

from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

__all__ = ["Counts"]


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
