"""Powers as the original computes them: C's ``pow``, and whole numbers where both are whole.

NumPy's vectorised powers may differ from ``pow`` in the last bit. With a whole weight the
original's counts are integers, exact as long as they surely fit in 64 bits.
Source: specification, section 5, "ROUGE-W", and section 7 for whole weights.
"""

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["power", "power_table", "powers"]

INTEGER_BITS, DOUBLE_BITS = 64, 53


def power(base: float, exponent: float) -> float:
    """Return ``base ** exponent`` by C's ``pow``; infinity where that overflows."""
    try:
        return math.pow(base, exponent)
    except OverflowError:
        return float("inf")


def power_table(longest: int, exponent: float) -> NDArray[np.float64]:
    """Return ``k ** exponent`` for k from 0 to `longest`, shape (longest + 1,)."""
    return np.array([power(k, exponent) for k in range(longest + 1)])


def powers(bases: Iterable[float], exponent: float, *, is_whole: bool) -> NDArray[Any]:
    """Return the power of each base.

    Parameters
    ----------
    bases : iterable of float
        Whole numbers if `is_whole`.
    exponent : float
    is_whole : bool
        Whether the exponent was typed as a whole number.

    Returns
    -------
    ndarray of float64, int64, or object where whole numbers of both kinds occur
    """
    if not is_whole:
        return np.array([power(base, exponent) for base in bases], np.float64)
    values = [_whole_power(base, int(exponent)) for base in bases]
    fits = all(isinstance(value, int) and value < 1 << (INTEGER_BITS - 1) for value in values)
    return np.array(values, np.int64 if fits else object)


def _whole_power(base: float, exponent: int) -> float:
    """Return an int if the power surely fits in 64 bits, or is below 2**53; else a float."""
    if base < 1 << DOUBLE_BITS:
        whole = int(base)
        if whole.bit_length() * exponent <= INTEGER_BITS:
            return int(whole**exponent)
    result = power(base, exponent)
    return int(result) if result < 1 << DOUBLE_BITS else result
