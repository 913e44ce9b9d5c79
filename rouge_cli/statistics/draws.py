"""The random draws of the tests: which EVALs a resample takes, and where it swaps two systems.

They depend on the seed, the test and the number of EVALs, and on nothing else: not on the systems,
nor on how many are compared. They are made from the raw numbers of PCG64, which
NumPy guarantees to stay the same from version to version.
"""

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

__all__ = ["LABELS", "drawn_sums", "every_swap", "random_words", "swaps", "times_drawn"]

VALUES_AT_A_TIME = 1 << 18
"""Draws that are held at once; so many stay in a processor's cache."""

BITS_OF_A_WORD = 64
HALF = np.uint64(32)
LOWER_HALF = np.uint64((1 << 32) - 1)
BOOTSTRAP, RANDOMISATION, LABELS = 0, 1, 2
"""What draws are for: each has a stream of its own."""

Draw = Callable[[int, int, int], Iterator[NDArray[np.float64]]]


def times_drawn(n_evals: int, resamples: int, seed: int) -> Iterator[NDArray[np.float64]]:
    """Yield how often each resample draws each EVAL: `n_evals` draws with replacement.

    Parameters
    ----------
    n_evals : int
        At least 1.
    seed : int
        From 0 on.

    Yields
    ------
    ndarray of float64, shape (n, n_evals)
        Some resamples after the other; each row adds up to `n_evals`.
    """
    size = np.uint64(n_evals)
    for words in random_words(BOOTSTRAP, n_evals, resamples, seed, -(-n_evals // 2)):
        halves = np.concatenate((words & LOWER_HALF, words >> HALF), axis=1)[:, :n_evals]
        # A share of 2^32 as a share of the EVALs: no EVAL is favoured by more than n / 2^32.
        places = (halves * size >> HALF).astype(np.int64)
        places += np.arange(len(words))[:, np.newaxis] * n_evals
        counts = np.bincount(places.ravel(), minlength=places.size)
        yield counts.reshape(places.shape).astype(np.float64)


def swaps(n_evals: int, resamples: int, seed: int) -> Iterator[NDArray[np.float64]]:
    """Yield where each resample swaps two systems: 1 with probability 1/2, otherwise 0.

    Parameters
    ----------
    n_evals : int
        At least 1.
    seed : int
        From 0 on.

    Yields
    ------
    ndarray of float64, shape (n, n_evals)
        Some resamples after the other.
    """
    for words in random_words(
        RANDOMISATION, n_evals, resamples, seed, -(-n_evals // BITS_OF_A_WORD)
    ):
        # The same bits in the same order on every machine.
        octets = words.astype("<u8").view(np.uint8)
        yield np.unpackbits(octets, axis=1, count=n_evals).astype(np.float64)


def every_swap(n_evals: int) -> NDArray[np.float64]:
    """Return all choices of where to swap; shape (2^n_evals, n_evals), 1 for a swap."""
    choices = np.arange(1 << n_evals)[:, np.newaxis]
    is_swapped: NDArray[np.float64] = (choices >> np.arange(n_evals) & 1).astype(np.float64)
    return is_swapped


def drawn_sums(
    draw: Draw, units: NDArray[np.float64], resamples: int, seed: int
) -> NDArray[np.float64]:
    """Add up each column, every EVAL times what a resample says.

    Parameters
    ----------
    draw : callable
        `times_drawn` or `swaps`.
    units : ndarray of float64, shape (n_evals, n_columns)
        Whole numbers, so small that all sums are exact.

    Returns
    -------
    ndarray of float64, shape (resamples, n_columns)
        Whole numbers. A column's sums are the same whatever columns stand beside it.
    """
    return np.concatenate([block @ units for block in draw(len(units), resamples, seed)])


def random_words(
    purpose: int, n_evals: int, resamples: int, seed: int, n_words: int
) -> Iterator[NDArray[np.uint64]]:
    """Yield `n_words` random words of 64 bits for each resample, some resamples at a time.

    The stream depends on the seed, `purpose` and `n_evals`.
    """
    source = np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(purpose, n_evals)))
    step = max(1, VALUES_AT_A_TIME // n_evals)
    for start in range(0, resamples, step):
        n_rows = min(step, resamples - start)
        yield source.random_raw(n_rows * n_words).reshape(n_rows, n_words)
