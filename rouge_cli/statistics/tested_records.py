"""What is known of a pair of systems while it is tested."""

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from rouge_cli.quick_dataclass import dataclass

__all__ = ["ResampledSums", "SwappedDifference", "TestedPair", "moments"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class SwappedDifference:
    """The difference of two systems after each resample's swaps, for tests of many pairs at once.

    Parameters
    ----------
    first, second : ndarray of float64, shape (resamples or choices,)
        Scores of each system, summed over what is swapped.
    observed : float
        Summed difference.
    norm : float
        Root of the sum of squared differences, which no swap changes.
    are_all : bool
        Whether these are all choices of swaps and not random ones.
    """

    first: Floats
    second: Floats
    observed: float
    norm: float
    are_all: bool

    @property
    def statistic(self) -> float:
        """The observed difference in a unit that pairs and metrics share."""
        return abs(self.observed) / self.norm if self.norm else 0.0

    def resampled(self) -> Floats:
        """Return the same after each resample's swaps; shape (resamples or choices,)."""
        if not self.norm:
            return np.zeros(len(self.first))
        swapped: Floats = np.abs(self.observed - 2 * (self.first - self.second)) / self.norm
        return swapped


@dataclass(frozen=True, slots=True, eq=False)
class TestedPair:
    """Two systems in one column of their scores, before any correction.

    Parameters
    ----------
    pair : tuple of two ints
        The systems, as in `SharedScores.pairs`.
    column : int
        The column of the scores.
    n_evals : int
        EVALs that both have.
    n_blocks, n_unequal : int
        EVALs or clusters, and those of them where their scores differ.
    sums : tuple of two numbers
        Of the scores of each, in units. For a column with an aggregation these, and all that is
        said of sums below, are the scores of the systems.
    bounds : tuple of two floats
        Of the interval of the difference of these sums.
    standard_error : float
        Of the difference of these sums.
    skewness : float
        Of the differences.
    bootstrap, randomisation : Fraction
        The two-sided p.
    is_exact : bool
        Whether that of the randomisation comes from all choices of swaps.
    equivalence : tuple of Fraction and bool, or None
        The p that the systems are as far apart as the margin, and whether it is exact.
    """

    pair: tuple[int, int]
    column: int
    n_evals: int
    n_blocks: int
    n_unequal: int
    sums: tuple[float, float]
    bounds: tuple[float, float]
    standard_error: float
    skewness: float
    bootstrap: Fraction
    randomisation: Fraction
    is_exact: bool
    swapped: SwappedDifference
    equivalence: tuple[Fraction, bool] | None

    # The name begins like that of a test, and is none.
    __test__ = False


@dataclass(frozen=True, slots=True, eq=False)
class ResampledSums:
    """What each resample of a test draws or swaps, added up.

    Parameters
    ----------
    drawn, swapped : ndarray of float64, shape (resamples or choices, n_systems, n_columns)
        Scores.
    drawn_sizes, swapped_sizes : ndarray of float64, shape (resamples or choices,)
        EVALs.
    are_all : bool
        Whether all choices of swaps are there.
    """

    drawn: Floats
    drawn_sizes: Floats
    swapped: Floats
    swapped_sizes: Floats
    are_all: bool


def moments(differences: Floats, sizes: Floats) -> tuple[float, float]:
    """Return the standard error of a sum of differences, and the skewness of the differences."""
    n = len(differences)
    centred = differences - sizes * (differences.sum() / sizes.sum())
    square = float((centred**2).sum())
    if n < 2 or not square:  # noqa: PLR2004 - one has no spread
        return 0.0, 0.0
    skewness = float((centred**3).sum()) / n / (square / n) ** 1.5
    return float(np.sqrt(square * n / (n - 1))), skewness
