"""Random draws for resampling tests: which EVALs or systems are drawn, and which are swapped.

Draws depend only on the seed, on their purpose, and on the numbers of EVALs and systems. All pairs
of systems and all metrics therefore share the same draws. They use the raw output of PCG64, which
NumPy guarantees not to change between versions.
"""

from collections.abc import Callable, Iterator
from itertools import permutations
from math import factorial, log2

import numpy as np
from numpy.typing import NDArray

from rouge_cli.metrics.arithmetic import Floats, Whole
from rouge_cli.progress import tracked
from rouge_cli.quick_dataclass import dataclass

# Added to the seed: systems, EVALs and judges that are equally many must not share their draws.
OTHER_SEEDS = 1 << 64

# Cells and random numbers held at a time. Both bound the memory; the latter fit into a cache.
CELLS_AT_A_TIME, VALUES_AT_A_TIME = 1 << 19, 1 << 18

# Up to this number of possible exchanges, all of them are enumerated instead of drawn.
MOST_CHOICES = 1 << 12
# Purposes of draws. Each has a stream of its own, so that tests do not depend on each other.
BOOTSTRAP, RANDOMISATION, LABELS, SIGNS = 0, 1, 2, 3
Draw = Callable[[int, int, int], Iterator[Floats]]


def times_drawn(n_evals: int, resamples: int, seed: int) -> Iterator[Floats]:
    """Yield how often each bootstrap resample draws each EVAL.

    A resample consists of `n_evals` draws with replacement. Each array that is yielded holds a
    block of resamples, as float64 of shape (n_in_block, n_evals).
    """
    half, lower_half = np.uint64(32), np.uint64((1 << 32) - 1)
    for words in random_words(BOOTSTRAP, n_evals, resamples, seed, -(-n_evals // 2)):
        halves = np.concatenate((words & lower_half, words >> half), axis=1)[:, :n_evals]
        # Scaling 32 bits to EVALs is not exactly uniform, but the error is below n / 2^32.
        places = (halves * np.uint64(n_evals) >> half).astype(np.int64)
        places += np.arange(len(words))[:, np.newaxis] * n_evals
        counts = np.bincount(places.ravel(), minlength=places.size)
        yield counts.reshape(places.shape).astype(np.float64)


def swaps(
    n_evals: int, resamples: int, seed: int, purpose: int = RANDOMISATION
) -> Iterator[Floats]:
    """Yield in which EVALs each resample swaps two systems: 1 with probability 1/2, otherwise 0.

    Each array that is yielded holds a block of resamples, as float64 of shape (n_in_block,
    n_evals).
    """
    for words in random_words(purpose, n_evals, resamples, seed, -(-n_evals // 64)):
        # Little-endian, so that bits come in the same order on every machine.
        octets = words.astype("<u8").view(np.uint8)
        yield np.unpackbits(octets, axis=1, count=n_evals).astype(np.float64)


def every_swap(n_evals: int) -> Floats:
    """Return all possible choices of swaps, shape (2^n_evals, n_evals): 1 for a swap, else 0."""
    choices = np.arange(1 << n_evals)[:, np.newaxis]
    return np.asarray(choices >> np.arange(n_evals) & 1, np.float64)


def drawn_sums(draw: Draw, units: Floats, resamples: int, seed: int) -> Floats:
    """Return the sum of each column over the EVALs that each resample draws or swaps.

    `draw` is `times_drawn` or `swaps`. `units`, (n_evals, n_columns), are whole numbers, so their
    sums are exact. The result has shape (resamples, n_columns).
    """
    # Tests read single columns, which are contiguous in this transposed layout.
    sums = np.empty((units.shape[1], resamples))
    start = 0
    for block in draw(len(units), resamples, seed):
        sums[:, start : start + len(block)] = (block @ units).T
        start += len(block)
    return sums.T


def random_words(
    purpose: int, n_evals: int, resamples: int, seed: int, n_words: int
) -> Iterator[NDArray[np.uint64]]:
    """Yield `n_words` random 64-bit words for each resample, in blocks of resamples.

    The stream depends on the seed, on `purpose` and on `n_evals` alone.
    """
    # Why not Generator.integers or permutation? NumPy may change their streams in any release.
    source = np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(purpose, n_evals)))
    step = max(1, VALUES_AT_A_TIME // n_evals)
    sizes = [min(step, resamples - start) for start in range(0, resamples, step)]
    for n_rows in tracked(sizes, "Resampling", sizes):
        yield source.random_raw(n_rows * n_words).reshape(n_rows, n_words)


@dataclass(frozen=True, slots=True, eq=False)
class Resampling:
    """The resampling of cells for intervals, and the exchange of metrics for tests.

    A cell is a system in an EVAL. `resampled` is ``"evals"``, ``"systems"`` or ``"both"``.
    `exchanged` is ``"systems"`` or ``"cells"``, and applies at the system level. `clusters`,
    (n_evals,), has the index of the cluster of each EVAL, from 0: whole clusters are drawn, and all
    cells of a system in a cluster are exchanged together.
    """

    resamples: int
    seed: int
    resampled: str = "both"
    exchanged: str = "systems"
    clusters: Whole | None = None


def drawn_cells(
    shape: tuple[int, int], how: Resampling, n_tables: int = 1
) -> Iterator[tuple[Whole, Whole]]:
    """Yield the cells of each resample, as indices into an array (n_systems, n_evals, ...).

    `shape` is (n_systems, n_evals). `n_tables` is the number of tables that the caller indexes at
    the same time; more tables make smaller blocks, since their memory is bounded together.

    For each block of n resamples, the indices are those of systems, (n_systems, 1, n), and of
    EVALs, (1, n_drawn, n). Resamples of clusters may draw different numbers of EVALs; the index
    n_evals pads the shorter ones.
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

    The results have shapes (n_systems, n_resamples) and (n_evals, n_resamples). `shape` is
    (n_systems, n_evals).
    """
    systems, evals = (np.ones((size, how.resamples), np.int64) for size in shape)
    if how.resampled != "evals":
        systems = _times(shape[0], how.resamples, how.seed + OTHER_SEEDS)
    if how.resampled != "systems":
        clusters = np.arange(shape[1]) if how.clusters is None else how.clusters
        evals = _times(int(clusters.max()) + 1, how.resamples, how.seed)[clusters]
    return systems, evals


def drawn_judges(n_judges: int, how: Resampling) -> Whole:
    """Return how often each resample draws each judge, shape (n_judges, n_resamples)."""
    return _times(n_judges, how.resamples, how.seed + 2 * OTHER_SEEDS)


def _times(size: int, resamples: int, seed: int) -> Whole:
    return np.concatenate(list(times_drawn(size, resamples, seed))).T.astype(np.int64)


def _places(times: Whole) -> Whole:
    """Turn the number of draws of each index, (size, n), into the drawn indices, (n_drawn, n).

    The indices of a resample ascend. The index `size` pads resamples that draw fewer than others.
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

    `shape` is (n_systems, n_evals). Each array of the iterator holds a block of resamples, as bool
    of shape (n_systems, n_evals, n_in_block). The second value tells whether they are all possible
    choices, which are enumerated up to `MOST_CHOICES`.
    """
    n_cells = shape[0] * shape[1]
    if n_cells <= MOST_CHOICES.bit_length():
        # Swapping the opposite cells merely exchanges the names of the two metrics, so one choice
        # of each such pair is enough.
        choices = np.arange(1 << (n_cells - 1))
        swapped = (choices >> np.arange(n_cells)[:, np.newaxis] & 1) != 0
        return iter([swapped.reshape(*shape, -1)]), True
    blocks = (block.reshape(-1, *shape) != 0 for block in swaps(n_cells, resamples, seed))
    return (np.ascontiguousarray(np.moveaxis(block, 0, 2)) for block in blocks), False


def label_orders(
    shape: tuple[int, int], n_labels: int, resamples: int, seed: int
) -> tuple[Iterator[Whole], bool]:
    """Return a permutation of the labels of each cell for each resample; all are equally likely.

    `shape` is (n_systems, n_evals). Each array of the iterator holds a block of resamples, as int64
    of shape (n_systems, n_evals, n_labels, n_in_block). The second value is that of
    `swapped_cells`, which draws the permutations of two labels.
    """
    if n_labels == 2:  # noqa: PLR2004
        swapped, is_enumerated = swapped_cells(shape, resamples, seed)
        both = (np.stack((block, ~block), axis=2).astype(np.int64) for block in swapped)
        return both, is_enumerated
    n_others = shape[0] * shape[1] - 1
    n_orders = factorial(n_labels)
    # Logarithms, since the number of permutations itself may have a million digits.
    if n_others * log2(n_orders) <= log2(MOST_CHOICES):
        # The first cell keeps its order: permuting the labels of all cells alike changes nothing.
        numbers = np.arange(n_orders**n_others) // n_orders ** np.arange(n_others)[:, np.newaxis]
        digits = np.concatenate((np.zeros((1, numbers.shape[1]), np.int64), numbers % n_orders))
        orders = np.array(list(permutations(range(n_labels))))[digits]
        return iter([np.moveaxis(orders, 1, 2).reshape(*shape, n_labels, -1)]), True
    size = shape[0] * shape[1] * n_labels
    # Sorting one random word per label permutes them; `size` also keeps blocks as small as others.
    blocks = (
        words.reshape(-1, *shape, n_labels).argsort(axis=3, kind="stable")
        for words in random_words(LABELS, size, resamples, seed, size)
    )
    return (np.ascontiguousarray(np.moveaxis(block, 0, 3)) for block in blocks), False
