"""Which systems and EVALs the resamples of a correlation draw, and which cells its tests swap.

All draws depend on the seed and on the numbers of systems and EVALs, and on nothing else: every
metric meets the same ones.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from rouge_cli.statistics.draws import swaps, times_drawn

__all__ = ["RESAMPLED", "drawn_cells", "swapped_cells"]

RESAMPLED = ("evals", "systems", "both")

OTHER_SEEDS = 1 << 64
"""Added to a seed: as many systems as EVALs must not mean the same draws."""

CELLS_AT_A_TIME = 1 << 19

Places = NDArray[np.int64]


def drawn_cells(
    shape: tuple[int, int], resampled: str, resamples: int, seed: int, n_tables: int = 1
) -> Iterator[tuple[Places, Places]]:
    """Yield the cells of each resample, to index an array (n_systems, n_evals, ...) with.

    Parameters
    ----------
    shape : tuple of int
        n_systems, n_evals.
    resampled : str
        What is drawn with replacement: ``"evals"``, ``"systems"`` or ``"both"``.
    resamples : int
    seed : int
    n_tables : int
        How many tables will be indexed at once, which bounds the memory.

    Yields
    ------
    systems : ndarray of int64, shape (n_systems, 1, n)
    evals : ndarray of int64, shape (1, n_evals, n)
        Places; some resamples after the other, n of them.
    """
    n_systems, n_evals = shape
    systems = _places(n_systems, resamples, seed + OTHER_SEEDS, is_drawn=resampled != "evals")
    evals = _places(n_evals, resamples, seed, is_drawn=resampled != "systems")
    step = max(1, CELLS_AT_A_TIME // (n_systems * n_evals * n_tables))
    for start in range(0, resamples, step):
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


def swapped_cells(shape: tuple[int, int], resamples: int, seed: int) -> Iterator[NDArray[np.bool_]]:
    """Yield which cells each resample swaps: each one with probability 1/2.

    Parameters
    ----------
    shape : tuple of int
        n_systems, n_evals.
    resamples : int
    seed : int

    Yields
    ------
    ndarray of bool, shape (n_systems, n_evals, n)
        Some resamples after the other.
    """
    n_systems, n_evals = shape
    for block in swaps(n_systems * n_evals, resamples, seed):
        is_swapped = block.reshape(-1, n_systems, n_evals) != 0
        yield np.ascontiguousarray(np.moveaxis(is_swapped, 0, 2))
