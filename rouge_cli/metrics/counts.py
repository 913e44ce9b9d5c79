"""What a metric finds for each pair of a peer and a model.

Source: specification, section 5.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Counts"]


@dataclass(frozen=True, slots=True)
class Counts:
    """Hit, model count and peer count of many pairs.

    Parameters
    ----------
    hit, model_count, peer_count : ndarray of int64 or float64, shape (n_pairs,)
        Whole numbers for all metrics but ROUGE-W.
    model_base : ndarray of float64, shape (n_pairs,), or None
        In ROUGE-W the model count weighted once, by which formula B compares models.
    """

    hit: NDArray[Any]
    model_count: NDArray[Any]
    peer_count: NDArray[Any]
    model_base: NDArray[np.float64] | None = None
