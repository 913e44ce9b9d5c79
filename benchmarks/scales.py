"""How much a trial measures: all, or a little of everything."""

from dataclasses import dataclass

__all__ = ["SCALES", "Scale"]


@dataclass(frozen=True, slots=True)
class Scale:
    """Sizes of the corpora and numbers of rounds.

    Parameters
    ----------
    name : str
    n_pairs : int
        Pairs of about 60 words.
    n_rare : int
        Rare words that the larger vocabulary has besides.
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
    """

    name: str
    n_pairs: int
    n_rare: int
    n_long: int
    n_spl: int
    line_sizes: tuple[int, ...]
    n_parallel: int
    resamples: tuple[int, ...]
    words_of_row: int
    rounds: int
    slow_rounds: int


SCALES = {
    "full": Scale(
        name="full",
        n_pairs=11_490,
        n_rare=60_000,
        n_long=500,
        n_spl=22_980,
        line_sizes=(1_000, 10_000, 100_000, 1_000_000),
        n_parallel=100_000,
        resamples=(0, 100, 1_000, 10_000),
        words_of_row=100_000,
        rounds=15,
        slow_rounds=7,
    ),
    "quick": Scale(
        name="quick",
        n_pairs=1_000,
        n_rare=60_000,
        n_long=50,
        n_spl=2_000,
        line_sizes=(1_000, 10_000),
        n_parallel=10_000,
        resamples=(0, 100, 1_000),
        words_of_row=10_000,
        rounds=3,
        slow_rounds=1,
    ),
}
