"""Small columns of texts, and pairs of them, for the compiled core."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rouge_cli.core import compiled_core

core = compiled_core()
I32, I64 = np.int32, np.int64
N_TYPES = 3

Side = tuple[Any, ...]


def side(types: list[int], sentences: list[int], texts: list[int], numbers: list[int]) -> Side:
    return np.array(types, I32), *(np.array(array, I64) for array in (sentences, texts, numbers))


def texts_of(*numbers: int) -> Side:
    """Return texts by number: 0 is "a b a / c", 1 is "b a"."""
    return side([0, 1, 0, 2, 1, 0], [0, 3, 4, 6], [0, 2, 3], list(numbers))


GOOD, NOTHING = texts_of(0, 1), side([], [0], [0], [])


def match(peers: Side, models: Side, n_types: int = N_TYPES) -> Any:
    return core.match_pairs(peers, models, n_types)


# "a b a / c" against itself, and against the model "b a".
def pairs() -> Any:
    return match(texts_of(0, 0), texts_of(0, 1))


def numbers(n: int = 2) -> NDArray[np.int64]:
    return np.full(n, 77, I64)


def whole(*values: int) -> NDArray[np.int64]:
    return np.array(values, np.int64)
