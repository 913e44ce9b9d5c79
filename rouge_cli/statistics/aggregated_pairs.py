"""All tests of a pair in a metric whose scores are no means of EVALs but made of several means.

The tests are those of `paired_tests`. What a resample draws or swaps are whole EVALs, with all
parts of the metric at once, and a score is made of the means that come out. Sums of the parts are
whole numbers and exact; the scores that are made of them are not, so differences that are as near
to each other as rounding errors count as equal.

Source: the linear approximation that a standard error and a skewness are taken from is the delta
method, see B. Efron and R. Tibshirani, An Introduction to the Bootstrap, 1993, section 21.7.
"""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from rouge_cli.metrics.aggregation import Aggregation
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.statistics.comparison_records import TestPlan
from rouge_cli.statistics.paired_tests import percentile_interval, resampling_p
from rouge_cli.statistics.score_columns import ComparedColumn
from rouge_cli.statistics.shared_scores import SharedScores
from rouge_cli.statistics.tested_records import (
    ResampledSums,
    SwappedDifference,
    TestedPair,
    moments,
)

__all__ = ["tested_aggregation"]

Floats = NDArray[np.float64]

EQUAL = 1e-11
"""Differences of scores that are so near to each other, as a share of the scores, are equal."""


@dataclass(frozen=True, slots=True, eq=False)
class _Pair:
    """Two systems and the parts of a metric.

    Parameters
    ----------
    units : ndarray of float64, shape (n_blocks, 2, n_parts)
        Whole numbers, added up over each block.
    scales : ndarray of float64, shape (n_parts,)
        How many units make a part of 1.
    sizes : ndarray of float64, shape (n_blocks,)
        EVALs of each block.
    drawn : ndarray of float64, shape (2, resamples, n_parts)
        Units of each system, added up over what each resample draws.
    swapped : ndarray of float64, shape (resamples or choices, n_parts)
        The difference of these units after swaps.
    """

    aggregation: Aggregation
    units: Floats
    scales: Floats
    sizes: Floats
    drawn: Floats
    swapped: Floats

    @classmethod
    def of(
        cls,
        places: Sequence[int],
        column: ComparedColumn,
        shared: SharedScores,
        sums: ResampledSums,
    ) -> "_Pair":
        """Return two systems, by their places, in a column with an aggregation."""
        if column.aggregation is None or shared.scales is None:
            raise ValueError("no aggregation")
        parts = list(column.places)
        units = shared.units[:, list(places)][:, :, parts]
        first, second = (sums.swapped[:, place][:, parts] for place in places)
        return cls(
            column.aggregation,
            units,
            shared.scales[parts],
            shared.sizes,
            np.stack([sums.drawn[:, place][:, parts] for place in places]),
            (units[:, 0] - units[:, 1]).sum(axis=0) - 2 * (first - second),
        )

    @property
    def n_evals(self) -> float:
        """How many EVALs there are."""
        return float(self.sizes.sum())

    @property
    def differences(self) -> Floats:
        """Those of the parts, in units; shape (n_blocks, n_parts)."""
        found: Floats = self.units[:, 0] - self.units[:, 1]
        return found

    def scores(self, sums: Floats, n_evals: Floats | float) -> Floats:
        """Return the scores of sums, shape (..., n_parts), over so many EVALs, shape (...)."""
        counts = np.broadcast_to(np.asarray(n_evals, np.float64), sums.shape[:-1])
        means = sums / self.scales / counts[..., np.newaxis]
        return self.aggregation.score(np.moveaxis(means, -1, 0), counts)

    def after_swaps(self, sums: Floats) -> Floats:
        """Return differences of scores from those of the sums of parts, (n, n_parts).

        No swap changes what both systems have together.
        """
        total = self.units.sum(axis=(0, 1))
        n = self.n_evals
        difference: Floats = self.scores((total + sums) / 2, n) - self.scores((total - sums) / 2, n)
        return difference

    def linear_differences(self) -> Floats:
        """Return what each block adds to the difference of the scores, to a first order.

        The slopes are those at the means of both systems together, which no swap changes.
        """
        n = self.n_evals
        means = self.units.sum(axis=(0, 1)) / 2 / self.scales / n
        slopes = self.aggregation.slopes(means, int(n))
        linear: Floats = self.differences @ (slopes / self.scales) / n
        return linear


def tested_aggregation(
    pair: tuple[tuple[int, int], Sequence[int]],
    number: int,
    shared: SharedScores,
    sums: ResampledSums,
    plan: TestPlan,
) -> TestedPair:
    """Test a pair in a column with an aggregation.

    Parameters
    ----------
    pair : tuple
        The systems as in `SharedScores.pairs`, and their places there.
    number : int
        Of the column among those that are compared.
    """
    systems, places = pair
    both = _Pair.of(places, shared.compared[number], shared, sums)
    score_a, score_b = both.scores(both.units.sum(axis=0), both.n_evals).tolist()
    observed, tolerance = score_a - score_b, EQUAL * max(abs(score_a), abs(score_b))
    least = abs(observed) - tolerance
    of_a, of_b = both.scores(both.drawn, sums.drawn_sizes)
    drawn = of_a - of_b
    lower, upper = percentile_interval(drawn[:, np.newaxis], plan.confidence)[:, 0].tolist()
    n_extreme = np.count_nonzero(np.abs(drawn - observed) >= least)
    randomisation, is_exact = _randomisation(both, least, plan.resamples)
    linear = both.linear_differences()
    error, skewness = moments(linear, shared.sizes)
    halved = (observed - both.after_swaps(both.swapped)) / 2
    norm = float(np.sqrt((linear**2).sum()))
    equivalence = None
    if shared.margins is not None:
        found = (observed, tolerance, float(shared.margins[number]))
        equivalence = _equivalence(both, sums, found, plan.resamples)
    return TestedPair(
        systems,
        number,
        n_evals=int(both.n_evals),
        n_blocks=len(both.units),
        n_unequal=int(both.differences.any(axis=1).sum()),
        sums=(score_a, score_b),
        bounds=(lower, upper),
        standard_error=error,
        skewness=skewness,
        bootstrap=resampling_p(int(n_extreme), plan.resamples),
        randomisation=randomisation,
        is_exact=is_exact,
        swapped=SwappedDifference(halved, np.zeros(len(halved)), observed, norm, sums.are_all),
        equivalence=equivalence,
    )


def _randomisation(both: _Pair, least: float, resamples: int) -> tuple[Fraction, bool]:
    """Return the two-sided p, and whether all choices of swaps were taken.

    Parameters
    ----------
    least : float
        A difference of scores at least as large, either way, counts.
    """
    unequal = both.differences[both.differences.any(axis=1)]
    if len(unequal) < resamples.bit_length():
        every = both.after_swaps(_all_signs(unequal))
        return Fraction(int(np.count_nonzero(np.abs(every) >= least)), len(every)), True
    count = np.count_nonzero(np.abs(both.after_swaps(both.swapped)) >= least)
    return resampling_p(int(count), len(both.swapped)), False


def _all_signs(rows: Floats) -> Floats:
    """Return the sums of rows, (n, n_columns), with all choices of signs; (2**n, n_columns)."""
    sums = np.zeros((1, rows.shape[1]))
    for row in rows:
        sums = np.concatenate((sums + row, sums - row))
    return sums


def _equivalence(
    both: _Pair,
    sums: ResampledSums,
    found: tuple[float, float, float],
    resamples: int,
) -> tuple[Fraction, bool]:
    """Return the p of the two one-sided tests, as `equivalence_p` does.

    Parameters
    ----------
    found : tuple of three floats
        The difference of the scores, what counts as equal, and the margin.

    Notes
    -----
    A swap takes the margin to the other side in its EVALs, and so takes twice their share off it.
    """
    observed, tolerance, margin = found
    is_exact = len(both.sizes) < resamples.bit_length()
    after, left = both.swapped, both.n_evals - 2 * sums.swapped_sizes
    if is_exact:
        every = _all_signs(np.column_stack((both.differences, both.sizes)))
        after, left = every[:, :-1], every[:, -1]
    differences = both.after_swaps(after)
    worst = Fraction(0)
    for sign in (1, -1):
        moved = sign * differences + margin * left / both.n_evals
        count = int(np.count_nonzero(moved >= sign * observed + margin - tolerance))
        p = Fraction(count, len(moved)) if is_exact else resampling_p(count, len(moved))
        worst = max(worst, p)
    return worst, is_exact
