"""The random draws of the tests: the EVALs or systems of a resample, and its swaps.

Draws depend only on the seed, their purpose and the numbers of EVALs and systems, so all pairs of
systems and all metrics share them. They come from the raw numbers of PCG64, a stream that NumPy
guarantees across versions.
"""

from collections.abc import Callable, Iterator
from itertools import permutations
from math import factorial, log2

import numpy as np
from numpy.typing import NDArray

from rouge_cli.metrics.arithmetic import Floats, Whole
from rouge_cli.progress import tracked
from rouge_cli.quick_dataclass import dataclass

# The units that resamples of a correlation may draw.
RESAMPLED = ("evals", "systems", "both")
WHOLE_SYSTEMS = "systems"
# The unit that a resample exchanges at the system level.
EXCHANGED = (WHOLE_SYSTEMS, "cells")
# Added to seeds: equal numbers of systems, EVALs and judges must not share draws.
OTHER_SEEDS = 1 << 64

# Bounds on memory: drawn cells, and draws, which should fit into a processor's cache.
CELLS_AT_A_TIME, VALUES_AT_A_TIME = 1 << 19, 1 << 18

# Choices of exchanges are enumerated up to this number.
MOST_CHOICES = 1 << 12
# Purposes of draws. Each has its own stream.
BOOTSTRAP, RANDOMISATION, LABELS, SIGNS = 0, 1, 2, 3
Draw = Callable[[int, int, int], Iterator[Floats]]


def times_drawn(n_evals: int, resamples: int, seed: int) -> Iterator[Floats]:
    """Yield how often each resample, `n_evals` draws with replacement, draws each EVAL.

    Yields arrays of float64, shape (n, n_evals), with n resamples each.
    """
    half, lower_half = np.uint64(32), np.uint64((1 << 32) - 1)
    for words in random_words(BOOTSTRAP, n_evals, resamples, seed, -(-n_evals // 2)):
        halves = np.concatenate((words & lower_half, words >> half), axis=1)[:, :n_evals]
        # Scale 32 bits to EVALs: no EVAL is favoured by more than n / 2^32.
        places = (halves * np.uint64(n_evals) >> half).astype(np.int64)
        places += np.arange(len(words))[:, np.newaxis] * n_evals
        counts = np.bincount(places.ravel(), minlength=places.size)
        yield counts.reshape(places.shape).astype(np.float64)


def swaps(
    n_evals: int, resamples: int, seed: int, purpose: int = RANDOMISATION
) -> Iterator[Floats]:
    """Yield where each resample swaps two systems: 1 with probability 1/2, otherwise 0.

    Yields arrays of float64, shape (n, n_evals), with n resamples each.
    """
    for words in random_words(purpose, n_evals, resamples, seed, -(-n_evals // 64)):
        # The same bits in the same order on every machine.
        octets = words.astype("<u8").view(np.uint8)
        yield np.unpackbits(octets, axis=1, count=n_evals).astype(np.float64)


def every_swap(n_evals: int) -> Floats:
    """Return all choices of where to swap; shape (2^n_evals, n_evals), 1 for a swap."""
    choices = np.arange(1 << n_evals)[:, np.newaxis]
    return np.asarray(choices >> np.arange(n_evals) & 1, np.float64)


def drawn_sums(draw: Draw, units: Floats, resamples: int, seed: int) -> Floats:
    """Return the sum of each column over the EVALs that each resample draws or swaps.

    `draw` is `times_drawn` or `swaps`. `units`, (n_evals, n_columns), are whole numbers whose sums
    are exact. The result has shape (resamples, n_columns), with contiguous columns, since pairs of
    systems use single ones.
    """
    sums = np.empty((units.shape[1], resamples))
    start = 0
    for block in draw(len(units), resamples, seed):
        sums[:, start : start + len(block)] = (block @ units).T
        start += len(block)
    return sums.T


def random_words(
    purpose: int, n_evals: int, resamples: int, seed: int, n_words: int
) -> Iterator[NDArray[np.uint64]]:
    """Yield `n_words` random words of 64 bits for each resample, a block of resamples at a time.

    The stream depends on the seed, `purpose` and `n_evals`.
    """
    # Not Generator.integers or permutation: NumPy does not guarantee their streams.
    source = np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(purpose, n_evals)))
    step = max(1, VALUES_AT_A_TIME // n_evals)
    sizes = [min(step, resamples - start) for start in range(0, resamples, step)]
    for n_rows in tracked(sizes, "Resampling", sizes):
        yield source.random_raw(n_rows * n_words).reshape(n_rows, n_words)


@dataclass(frozen=True, slots=True, eq=False)
class Resampling:
    """How cells are drawn for intervals, and metrics exchanged for tests.

    `resampled` is one of `RESAMPLED`; `exchanged`, at the system level, one of `EXCHANGED`.
    `clusters`, (n_evals,), has the number of each EVAL's cluster, from 0: whole clusters are drawn,
    and all cells of a system in a cluster are exchanged together.
    """

    resamples: int
    seed: int
    resampled: str = "both"
    exchanged: str = WHOLE_SYSTEMS
    clusters: Whole | None = None


def drawn_cells(
    shape: tuple[int, int], how: Resampling, n_tables: int = 1
) -> Iterator[tuple[Whole, Whole]]:
    """Yield the cells of each resample, as indices into an array (n_systems, n_evals, ...).

    `shape` is n_systems, n_evals; `n_tables` is the number of tables that will be indexed at once;
    it bounds the memory.

    Yields systems, (n_systems, 1, n), and EVALs, (1, n_drawn, n), of n resamples. If clusters of
    different sizes are drawn, the index n_evals pads resamples that draw fewer EVALs.
    """
    systems, evals = map(_places, drawn_times(shape, how))
    step = max(1, CELLS_AT_A_TIME // (len(systems) * len(evals) * n_tables))
    starts = range(0, how.resamples, step)
    sizes = [min(step, how.resamples - start) for start in starts]
    for start in tracked(starts, "Resampling", sizes):
        chosen = slice(start, start + step)
        yield systems[:, np.newaxis, chosen], evals[np.newaxis, :, chosen]


def drawn_times(shape: tuple[int, int], how: Resampling) -> tuple[Whole, Whole]:
    """Return how often each resample draws each system and each EVAL.

    The shapes are (n_systems, n_resamples) and (n_evals, n_resamples).
    """
    systems, evals = (np.ones((size, how.resamples), np.int64) for size in shape)
    if how.resampled != "evals":
        systems = _times(shape[0], how.resamples, how.seed + OTHER_SEEDS)
    if how.resampled != "systems":
        clusters = np.arange(shape[1]) if how.clusters is None else how.clusters
        evals = _times(int(clusters.max()) + 1, how.resamples, how.seed)[clusters]
    return systems, evals


def drawn_judges(n_judges: int, how: Resampling) -> Whole:
    """Return how often each resample draws each judge, (n_judges, n_resamples)."""
    return _times(n_judges, how.resamples, how.seed + 2 * OTHER_SEEDS)


def _times(size: int, resamples: int, seed: int) -> Whole:
    return np.concatenate(list(times_drawn(size, resamples, seed))).T.astype(np.int64)


def _places(times: Whole) -> Whole:
    """Turn numbers of draws into the places that each resample draws, in ascending order.

    From shape (size, n) to (n_drawn, n); the place `size` pads resamples that draw fewer.
    """
    size, n = times.shape
    n_drawn = times.sum(axis=0)
    places = np.full((n, int(n_drawn.max())), size)
    is_used = np.arange(places.shape[1]) < n_drawn[:, np.newaxis]
    places[is_used] = np.repeat(np.tile(np.arange(size), n), times.T.ravel())
    return np.ascontiguousarray(places.T)


def swapped_cells(
    shape: tuple[int, int], resamples: int, seed: int
) -> tuple[Iterator[NDArray[np.bool_]], bool]:
    """Return which cells each resample swaps, each one with probability 1/2.

    `shape` is n_systems, n_evals. Arrays of bool, (n_systems, n_evals, n), have n resamples each.
    The second value is whether these are all choices, which are at most `MOST_CHOICES`.
    """
    n_cells = shape[0] * shape[1]
    if n_cells <= MOST_CHOICES.bit_length():
        # Opposite choices differ only in the names of the metrics: one of the two is enough.
        choices = np.arange(1 << (n_cells - 1))
        swapped = (choices >> np.arange(n_cells)[:, np.newaxis] & 1) != 0
        return iter([swapped.reshape(*shape, -1)]), True
    blocks = (block.reshape(-1, *shape) != 0 for block in swaps(n_cells, resamples, seed))
    return (np.ascontiguousarray(np.moveaxis(block, 0, 2)) for block in blocks), False


def label_orders(
    shape: tuple[int, int], n_labels: int, resamples: int, seed: int
) -> tuple[Iterator[Whole], bool]:
    """Return the order in which each resample puts the labels of each cell, all equally likely.

    `shape` is n_systems, n_evals. Arrays of int64, (n_systems, n_evals, n_labels, n), have n
    resamples each. Two labels are swapped as by `swapped_cells`, and the second value is the same.
    """
    if n_labels == 2:  # noqa: PLR2004
        swapped, is_enumerated = swapped_cells(shape, resamples, seed)
        both = (np.stack((block, ~block), axis=2).astype(np.int64) for block in swapped)
        return both, is_enumerated
    n_others = shape[0] * shape[1] - 1
    n_orders = factorial(n_labels)
    # The logarithm first: the number itself may have a million digits.
    if n_others * log2(n_orders) <= log2(MOST_CHOICES):
        # The first cell keeps its labels: reordering the labels of all cells alike changes nothing.
        numbers = np.arange(n_orders**n_others) // n_orders ** np.arange(n_others)[:, np.newaxis]
        digits = np.concatenate((np.zeros((1, numbers.shape[1]), np.int64), numbers % n_orders))
        orders = np.array(list(permutations(range(n_labels))))[digits]
        return iter([np.moveaxis(orders, 1, 2).reshape(*shape, n_labels, -1)]), True
    size = shape[0] * shape[1] * n_labels
    # One word per label keeps blocks as small as those of other draws.
    blocks = (
        words.reshape(-1, *shape, n_labels).argsort(axis=3, kind="stable")
        for words in random_words(LABELS, size, resamples, seed, size)
    )
    return (np.ascontiguousarray(np.moveaxis(block, 0, 3)) for block in blocks), False
