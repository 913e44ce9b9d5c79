"""Powers and sums as the original computes them, with whole numbers where it has whole numbers.

Powers are those of C's ``pow``, which NumPy's vectorised ones need not be. With a whole weight the
original's counts are integers: exact as long as they surely fit in 64 bits, doubles beyond. Sums
are added up one after another.
Source: specification, section 5, "ROUGE-W", and section 7 for whole weights.
"""

import math
from collections.abc import Sequence
from itertools import repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["DOUBLE_LIMIT", "ordered_sums", "power", "power_table", "powers"]

INTEGER_LIMIT, INTEGER_BITS = 1 << 64, 64
ARRAY_LIMIT = 1 << 63
DOUBLE_LIMIT = 1 << 53


def power(base: float, exponent: float) -> float:
    """Return ``base ** exponent`` by C's ``pow``; infinity where that overflows."""
    try:
        return math.pow(base, exponent)
    except OverflowError:
        return math.inf


def power_table(longest: int, exponent: float) -> NDArray[np.float64]:
    """Return ``k ** exponent`` for k from 0 to `longest`, shape (longest + 1,)."""
    return powers(range(longest + 1), exponent, is_whole=False)


def powers(bases: Sequence[float], exponent: float, *, is_whole: bool) -> NDArray[Any]:
    """Return the power of each base.

    Parameters
    ----------
    is_whole : bool
        Whether the exponent was typed as a whole number, which makes powers of ints ints.

    Returns
    -------
    ndarray of float64, or with `is_whole` of int64, or of object where that is too narrow
    """
    if not is_whole:
        try:
            return np.array(list(map(math.pow, bases, repeat(exponent))), np.float64)
        except OverflowError:
            return np.array([power(base, exponent) for base in bases], np.float64)
    return _array([_whole_power(base, int(exponent)) for base in bases])


def ordered_sums(places: NDArray[np.int64], values: NDArray[Any], n_places: int) -> NDArray[Any]:
    """Add up the values of each place, one after another.

    Parameters
    ----------
    places : ndarray of int64, shape (n,)
    values : ndarray of float64, int64 or object, shape (n,)
        What `powers` returns.

    Returns
    -------
    ndarray of float64, int64 or object, shape (n_places,)
    """
    if values.dtype == np.float64:
        # Unlike a reduction, bincount adds one value after another.
        return np.bincount(places, values, n_places).astype(np.float64, copy=False)
    if values.dtype != object:
        sums = np.bincount(places, values, n_places)
        if sums.max(initial=0) < DOUBLE_LIMIT:
            return sums.astype(np.int64)
    totals: list[float] = [0] * n_places
    for place, value in zip(places.tolist(), values.tolist(), strict=True):
        total = totals[place] + value
        totals[place] = total if total < INTEGER_LIMIT else float(total)
    return _array(totals)


def _whole_power(base: float, exponent: int) -> float:
    """Return an int if the power surely fits in 64 bits, or is below 2**53; else a float."""
    if not isinstance(base, int):
        return power(base, exponent)
    if base.bit_length() * exponent <= INTEGER_BITS:
        return int(base**exponent)
    result = power(base, exponent)
    return int(result) if result < DOUBLE_LIMIT else result


def _array(numbers: list[float]) -> NDArray[Any]:
    """Return numbers as an array of int64, or of object if there are floats or it is too narrow."""
    fits = all(isinstance(number, int) and number < ARRAY_LIMIT for number in numbers)
    return np.array(numbers, np.int64 if fits else object)
