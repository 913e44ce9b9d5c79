"""How much a trial measures: all, or a little of everything."""

import os
from dataclasses import dataclass
from pathlib import Path

__all__ = ["REAL", "SCALES", "Scale", "real_folders", "scale_of"]

REAL = "BENCH_REAL"
"""Environment variable: folders with ``peers.txt`` and ``models.txt``, a text a line."""


@dataclass(frozen=True, slots=True)
class Scale:
    """Sizes of the corpora and numbers of rounds.

    Parameters
    ----------
    name : str
    n_pairs : int
        Pairs of about 60 words.
    n_long : int
        Peers of 250 words with four models each.
    n_spl : int
        SPL files, half of them peers.
    line_sizes : tuple of int
        Pairs in the line files, ascending; the largest is the one whose memory has a goal.
    n_parallel : int
        Pairs that one and two processes score; one of `line_sizes`.
    resamples : tuple of int
    words_of_row : int
        Words on each side that are scored to time a text length.
    rounds : int
        Rounds of what takes tenths of a second.
    slow_rounds : int
        Rounds of what takes seconds.
    set_rounds : int
        Rounds of each set of texts, two processes each.
    """

    name: str
    n_pairs: int
    n_long: int
    n_spl: int
    line_sizes: tuple[int, ...]
    n_parallel: int
    resamples: tuple[int, ...]
    words_of_row: int
    rounds: int
    slow_rounds: int
    set_rounds: int


SCALES = {
    "full": Scale(
        name="full",
        n_pairs=11_490,
        n_long=500,
        n_spl=22_980,
        line_sizes=(1_000, 10_000, 100_000, 1_000_000),
        n_parallel=100_000,
        resamples=(0, 100, 1_000, 10_000),
        words_of_row=100_000,
        rounds=15,
        slow_rounds=7,
        set_rounds=7,
    ),
    "quick": Scale(
        name="quick",
        n_pairs=1_000,
        n_long=50,
        n_spl=2_000,
        line_sizes=(1_000, 10_000),
        n_parallel=10_000,
        resamples=(0, 100, 1_000),
        words_of_row=10_000,
        rounds=3,
        slow_rounds=1,
        set_rounds=1,
    ),
}


def scale_of(name: str) -> Scale:
    """Return a scale by its name."""
    return SCALES[name]


def real_folders() -> list[Path]:
    """Return the folders with the user's own texts."""
    return [Path(folder) for folder in os.environ.get(REAL, "").split(os.pathsep) if folder]
