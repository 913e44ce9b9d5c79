"""Numbers as the original holds them: whole ones stay whole below 2**64.

With a whole weight the counts of ROUGE-W are integers, exact up to 2**64 and
doubles beyond; with any other weight they are doubles (sections 5 and 7).
"""

from __future__ import annotations

import math
from collections.abc import Iterable

Number = int | float

WHOLE_LIMIT = 2**64
DOUBLE_WHOLE_LIMIT = 2**53


def parse_weight(text: str) -> Number:
    """The weight of ``-w``: an integer if it is typed as one."""
    return int(text) if text.isdigit() else float(text)


def power(base: Number, exponent: Number) -> Number:
    """``base ** exponent``, both not negative.

    Two whole numbers are multiplied out if the result surely fits in 64 bits;
    everything else is C's ``pow``, whose result is whole again below 2**53.
    """
    whole = isinstance(base, int) and isinstance(exponent, int)
    if isinstance(base, int) and isinstance(exponent, int) and base.bit_length() * exponent <= 64:
        return int(base**exponent)
    try:
        result = math.pow(base, exponent)
    except OverflowError:
        return math.inf
    if whole and result < DOUBLE_WHOLE_LIMIT:
        return int(result)
    return result


def total(numbers: Iterable[Number]) -> Number:
    """The sum, from left to right; a whole sum of 2**64 or more is a double."""
    result: Number = 0
    for number in numbers:
        result = result + number
        if isinstance(result, int) and result >= WHOLE_LIMIT:
            result = float(result)
    return result


def printed(number: Number) -> str:
    """A raw count of ``-d`` (section 7)."""
    if isinstance(number, int):
        return str(number)
    return f"{number:.15g}"


def printed_cut(number: Number) -> str:
    """A pooled count of ``-t 2``, cut to an integer (section 6)."""
    if number < WHOLE_LIMIT:
        return str(int(number))
    return f"{number:.15g}"
