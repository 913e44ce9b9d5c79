"""The original's arithmetic: powers and sums, then recall, precision and F.

Powers come from C's ``pow``, because NumPy's vectorised powers may differ. With a whole weight, the
original's counts are integers as long as they are certain to fit in 64 bits, and doubles otherwise.
Sums are added up one value at a time. Scores are rounded to 5 decimals, as C's ``%7.5f`` does.
Source: specification, section 5, "ROUGE-W", section 6, and section 7 for whole weights.
"""

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]

INTEGER_LIMIT, INTEGER_BITS = 1 << 64, 64
ARRAY_LIMIT = 1 << 63
DOUBLE_LIMIT = 1 << 53


def power(base: float, exponent: float) -> float:
    """Return ``base ** exponent`` as C's ``pow`` computes it; infinity on overflow."""
    try:
        return math.pow(base, exponent)
    except OverflowError:
        return math.inf


def power_table(longest: int, exponent: float) -> list[float]:
    """Return ``k ** exponent`` for each k from 0 to `longest`, as doubles."""
    return [power(length, exponent) for length in range(longest + 1)]


def powers(bases: Sequence[float], exponent: float, *, is_whole: bool) -> NDArray[Any]:
    """Raise each base to a power, in float64.

    With `is_whole`, for an exponent that was typed as a whole number, the powers of ints are ints:
    int64, or Python objects if int64 is too narrow.
    """
    if is_whole:
        return number_array([perl_power(base, exponent, is_whole=True) for base in bases])
    return np.array([power(base, exponent) for base in bases], np.float64)


def ordered_sums(places: Whole, values: NDArray[Any], n_places: int) -> NDArray[Any]:
    """Add up the values at each place one by one, since the last digit depends on the order.

    `values`, shape (n,), come from `powers`; `places` gives the sum that each is added to. The sums
    have the type of the values, and shape (n_places,).
    """
    if values.dtype == np.float64:
        # Unlike np.sum, which adds in blocks, bincount adds one value after the other.
        return np.bincount(places, values, n_places).astype(np.float64, copy=False)
    if values.dtype != object:
        sums = np.bincount(places, values, n_places)
        # bincount adds doubles, which are exact only below this limit.
        if sums.max(initial=0) < DOUBLE_LIMIT:
            return sums.astype(np.int64)
    by_place: list[list[float]] = [[] for _ in range(n_places)]
    for place, value in zip(places.tolist(), values.tolist(), strict=True):
        by_place[place].append(value)
    return number_array(list(map(ordered_sum, by_place)))


def ordered_sum(values: Iterable[float]) -> float:
    """Add up values one by one; an integer that exceeds 64 bits becomes a double."""
    total: float = 0
    for value in values:
        total += value
        if total >= INTEGER_LIMIT:
            total = float(total)
    return total


def perl_power(base: float, exponent: float, *, is_whole: bool) -> float:
    """Return a power with the type that it has in the original.

    It is an int if `is_whole` is set, the base is an int, and either the power is below 2**53 or
    the number of bits of the base times the exponent is at most 64. Otherwise it is a float.
    """
    if not is_whole or not isinstance(base, int):
        return power(base, exponent)
    if base.bit_length() * int(exponent) <= INTEGER_BITS:
        return int(base ** int(exponent))
    result = power(base, exponent)
    return int(result) if result < DOUBLE_LIMIT else result


def number_array(numbers: Sequence[float]) -> NDArray[Any]:
    """Return an array of int64, or of Python objects if any number is a float or too large."""
    fits = all(isinstance(number, int) and abs(number) < ARRAY_LIMIT for number in numbers)
    return np.array(numbers, np.int64 if fits else object)


DECIMALS = 5
UNITS: int = 10**DECIMALS  # the original prints hundred-thousandths
NEAR_TIE = 1e-6  # distance from a tie, in units, within which the exact value has to decide
LARGEST_SCALED = 1000.0  # below this, the error of scaling is less than 1e-7 of a unit


def score_pair(
    hit: float, model_count: float, peer_count: float, alpha: float
) -> tuple[float, float, float]:
    """Return recall, precision and F of one pair, as `score_counts` does for arrays."""
    if not hit:
        return 0.0, 0.0, 0.0
    # Python rounds by the exact binary value, as C does when it prints.
    recall, precision = round(hit / model_count, DECIMALS), round(hit / peer_count, DECIMALS)
    divisor = (1 - alpha) * precision + alpha * recall
    return recall, precision, round(recall * precision / divisor, DECIMALS) if divisor > 0 else 0.0


def quotients(
    numerator: NDArray[Any], denominator: NDArray[Any], root: float | None = None
) -> Floats:
    """Divide elementwise, and take the `root`-th root; 0 if numerator or denominator is 0."""
    numerator = numerator.astype(np.float64)
    denominator = denominator.astype(np.float64)
    quotient = np.zeros(numerator.size)
    is_positive = (numerator > 0) & (denominator > 0)
    with np.errstate(invalid="ignore"):
        np.divide(numerator, denominator, out=quotient, where=is_positive)
    if root is not None:
        quotient = powers(quotient.tolist(), 1 / root, is_whole=False)
    return quotient


def f_measure(recall: Floats, precision: Floats, alpha: float) -> Floats:
    """Return ``R * P / ((1 - alpha) * P + alpha * R)``, or 0 unless the divisor is positive."""
    divisor = (1 - alpha) * precision + alpha * recall
    product = recall * precision
    return np.divide(product, divisor, out=np.zeros_like(product), where=divisor > 0)


def rounded(scores: Floats) -> Floats:
    """Round scores to 5 decimals by their exact binary value, ties to even, as C prints them."""
    scaled = scores * UNITS
    units = np.rint(scaled)
    result: Floats = units / UNITS
    # Scaling rounds too, which may move a score across a tie. Python's `round` takes the exact
    # value instead, but only one number at a time.
    is_doubtful = np.abs(np.abs(scaled - units) - 0.5) < NEAR_TIE
    for place in np.flatnonzero(is_doubtful | (scores > LARGEST_SCALED)).tolist():
        result[place] = round(float(scores[place]), DECIMALS)
    return result
