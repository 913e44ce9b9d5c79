"""Resampling by histograms: how often each value is drawn, and not which EVAL.

A resample of N scores with replacement draws each value a number of times; these numbers are
multinomial, with the shares of the values as probabilities. So the counts of the values are all
that a resample depends on: they add up over parts, in any order, and the cost grows with the number
of values, at most 100,001 of rounded scores, and not with N.

The stream is that of `numpy.random.RandomState`, which NumPy has frozen.
Source: B. Efron and R. Tibshirani, An Introduction to the Bootstrap, 1993, section 21.2, for the
resampling vector; https://numpy.org/doc/stable/reference/random/compatibility.html.
"""

import numpy as np
from numpy.typing import NDArray

from rouge_cli.quick_dataclass import dataclass

__all__ = ["DRAWN", "SEED", "SWAPPED", "Histogram", "drawn_sums", "random_stream", "swapped_sums"]

SEED = 2004
"""Of the intervals of a report."""

DRAWN, SWAPPED = 0, 1
"""What draws are for: each has a stream of its own."""


@dataclass(frozen=True, slots=True, eq=False)
class Histogram:
    """How often each value occurs.

    Parameters
    ----------
    values : ndarray of float64, shape (n_values,)
        Ascending, each once.
    counts : ndarray of int64, shape (n_values,)
        At least 1 each.
    """

    values: NDArray[np.float64]
    counts: NDArray[np.int64]

    @classmethod
    def of(cls, values: NDArray[np.float64]) -> "Histogram":
        """Count values, in any order; shape (n,)."""
        different, counts = np.unique(values, return_counts=True)
        return cls(different, counts.astype(np.int64))

    def __add__(self, other: "Histogram") -> "Histogram":
        """Return the histogram of both together."""
        values, places = np.unique(np.concatenate((self.values, other.values)), return_inverse=True)
        counts = np.zeros(values.size, np.int64)
        np.add.at(counts, places, np.concatenate((self.counts, other.counts)))
        return Histogram(values, counts)

    @property
    def n(self) -> int:
        """How many values there are, equal ones too."""
        return int(self.counts.sum())


def random_stream(seed: int, purpose: int) -> "np.random.RandomState":
    """Return a stream that depends on the seed and the purpose, and on nothing else."""
    source = np.random.MT19937(np.random.SeedSequence(seed, spawn_key=(purpose,)))
    return np.random.RandomState(source)


def drawn_sums(
    histogram: Histogram, resamples: int, random: "np.random.RandomState"
) -> NDArray[np.float64]:
    """Draw as many values as there are, with replacement, and add them up.

    Parameters
    ----------
    histogram : Histogram
        Of at least one value.

    Returns
    -------
    ndarray of float64, shape (resamples,)
        Exact if the values are whole numbers whose sums are below 2^53.
    """
    sums = np.zeros(resamples)
    n_left = histogram.n
    to_draw = np.full(resamples, n_left, np.int64)
    # The most frequent first: then few draws are left for the many rare ones.
    order = np.lexsort((histogram.values, -histogram.counts))
    values, counts = histogram.values[order].tolist(), histogram.counts[order].tolist()
    for value, count in zip(values[:-1], counts[:-1], strict=True):
        times_drawn = random.binomial(to_draw, count / n_left)
        sums += times_drawn * value
        to_draw -= times_drawn
        n_left -= count
    sums += to_draw * values[-1]
    return sums


def swapped_sums(
    histogram: Histogram, resamples: int, random: "np.random.RandomState"
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Take each value with probability 1/2, and add up those that are taken.

    Parameters
    ----------
    histogram, resamples, random
        As for `drawn_sums`.

    Returns
    -------
    sums, times : ndarray of float64, shape (resamples,)
        The sum of the values that are taken, and how many these are.
    """
    sums, times = np.zeros(resamples), np.zeros(resamples)
    for value, count in zip(histogram.values.tolist(), histogram.counts.tolist(), strict=True):
        taken = random.binomial(count, 0.5, resamples)
        sums += taken * value
        times += taken
    return sums, times
