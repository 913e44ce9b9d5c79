"""The random draws of correlations: which systems and EVALs a resample takes, what it exchanges.

They depend on the seed and on the numbers of systems and EVALs, and on nothing else: every metric
meets the same ones.
"""

from collections.abc import Iterator
from itertools import permutations
from math import factorial, log2

import numpy as np
from numpy.typing import NDArray

from rouge_cli.quick_dataclass import dataclass
from rouge_cli.statistics.draws import LABELS, random_words, swaps, times_drawn

__all__ = ["RESAMPLED", "Places", "Resampling", "drawn_cells", "label_orders", "swapped_cells"]

RESAMPLED = ("evals", "systems", "both")
"""What the resamples of a correlation may draw."""

OTHER_SEEDS = 1 << 64
"""Added to a seed: as many systems as EVALs must not mean the same draws."""

CELLS_AT_A_TIME = 1 << 19

MOST_CHOICES = 1 << 12
"""Up to so many are all taken; of those that exchange the metrics alike everywhere, one."""

Places = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Resampling:
    """How resamples are drawn.

    Parameters
    ----------
    resampled : str
        ``"evals"``, ``"systems"`` or ``"both"``.
    confidence : float
        In percent.
    clusters : ndarray of int64, shape (n_evals,), or None
        The number of each EVAL's cluster, from 0 on: whole clusters are drawn.
    """

    resampled: str
    resamples: int
    seed: int
    confidence: float
    clusters: Places | None = None


def drawn_cells(
    shape: tuple[int, int], how: Resampling, n_tables: int = 1
) -> Iterator[tuple[Places, Places]]:
    """Yield the cells of each resample, to index an array (n_systems, n_evals, ...) with.

    Parameters
    ----------
    shape : tuple of int
        n_systems, n_evals.
    how : Resampling
        What is drawn with replacement.
    n_tables : int
        How many tables will be indexed at once, which bounds the memory.

    Yields
    ------
    systems : ndarray of int64, shape (n_systems, 1, n)
    evals : ndarray of int64, shape (1, n_drawn, n)
        Places; some resamples after the other, n of them. Where clusters of different sizes are
        drawn, n_evals stands for no EVAL, at the end of those that draw fewer than others.
    """
    n_systems, n_evals = shape
    draws_systems, draws_evals = how.resampled != "evals", how.resampled != "systems"
    other_seed = how.seed + OTHER_SEEDS
    systems = _places(n_systems, how.resamples, other_seed, is_drawn=draws_systems)
    if how.clusters is None or not draws_evals:
        evals = _places(n_evals, how.resamples, how.seed, is_drawn=draws_evals)
    else:
        evals = _clustered_places(how.clusters, how.resamples, how.seed)
    step = max(1, CELLS_AT_A_TIME // (n_systems * len(evals) * n_tables))
    for start in range(0, how.resamples, step):
        chosen = slice(start, start + step)
        yield systems[:, np.newaxis, chosen], evals[np.newaxis, :, chosen]


def _places(size: int, resamples: int, seed: int, *, is_drawn: bool) -> Places:
    """Return the places that each resample takes, in ascending order; shape (size, resamples)."""
    everything = np.arange(size)[:, np.newaxis]
    if not is_drawn:
        return np.broadcast_to(everything, (size, resamples))
    blocks = [
        np.repeat(np.tile(everything[:, 0], len(counts)), counts.ravel().astype(np.int64))
        for counts in times_drawn(size, resamples, seed)
    ]
    return np.ascontiguousarray(np.concatenate(blocks).reshape(resamples, size).T)


def _clustered_places(clusters: Places, resamples: int, seed: int) -> Places:
    """Return the places of the EVALs in the clusters that each resample draws."""
    sizes = np.bincount(clusters)
    drawn = np.concatenate(list(times_drawn(len(sizes), resamples, seed))).astype(np.int64)
    longest = int((drawn @ sizes).max())
    places = np.full((resamples, longest), len(clusters))
    for row, counts in enumerate(drawn[:, clusters]):
        taken = np.repeat(np.arange(len(clusters)), counts)
        places[row, : len(taken)] = taken
    return np.ascontiguousarray(places.T)


def swapped_cells(
    shape: tuple[int, int], resamples: int, seed: int
) -> tuple[Iterator[NDArray[np.bool_]], bool]:
    """Return which cells each resample swaps: each one with probability 1/2.

    Parameters
    ----------
    shape : tuple of int
        n_systems, n_evals.

    Returns
    -------
    swapped : iterator of ndarray of bool, shape (n_systems, n_evals, n)
        Some resamples after the other.
    is_enumerated : bool
        Whether these are all choices, up to `MOST_CHOICES`; of two that are each other's opposite,
        one.
    """
    n_systems, n_evals = shape
    n_cells = n_systems * n_evals
    if n_cells <= MOST_CHOICES.bit_length():
        choices = np.arange(1 << (n_cells - 1))
        swapped = (choices >> np.arange(n_cells)[:, np.newaxis] & 1) != 0
        return iter([swapped.reshape(n_systems, n_evals, -1)]), True
    blocks = (block.reshape(-1, *shape) != 0 for block in swaps(n_cells, resamples, seed))
    return (np.ascontiguousarray(np.moveaxis(one, 0, 2)) for one in blocks), False


def label_orders(
    shape: tuple[int, int], n_labels: int, resamples: int, seed: int
) -> tuple[Iterator[Places], bool]:
    """Return in which order each resample puts the labels of each cell, all orders as likely.

    Parameters
    ----------
    shape : tuple of int
        n_systems, n_evals.

    Returns
    -------
    orders : iterator of ndarray of int64, shape (n_systems, n_evals, n_labels, n)
        Some resamples after the other. Two labels are swapped as `swapped_cells` swaps them.
    is_enumerated : bool
        As `swapped_cells` returns it.
    """
    if n_labels == 2:  # noqa: PLR2004
        swapped, is_enumerated = swapped_cells(shape, resamples, seed)
        return (np.stack((one, ~one), axis=2).astype(np.int64) for one in swapped), is_enumerated
    n_others = shape[0] * shape[1] - 1
    n_orders = factorial(n_labels)
    # The logarithm first: the number itself may have a million digits.
    if n_others * log2(n_orders) <= log2(MOST_CHOICES):
        # The first cell keeps its labels: another order of all labels alike is the same choice.
        numbers = np.arange(n_orders**n_others) // n_orders ** np.arange(n_others)[:, np.newaxis]
        digits = np.concatenate((np.zeros((1, numbers.shape[1]), np.int64), numbers % n_orders))
        every = np.array(list(permutations(range(n_labels))))[digits]
        return iter([np.moveaxis(every, 1, 2).reshape(*shape, n_labels, -1)]), True
    size = shape[0] * shape[1] * n_labels
    # A row has as many words as there are labels: so a block is no larger than elsewhere.
    blocks = (
        words.reshape(-1, *shape, n_labels).argsort(axis=3, kind="stable")
        for words in random_words(LABELS, size, resamples, seed, size)
    )
    return (np.ascontiguousarray(np.moveaxis(one, 0, 3)) for one in blocks), False
