"""Accuracies over pairs of systems: with calibrated ties in each EVAL, and soft at system level.

Both take tables of whole numbers, as `whole_numbers` makes them, so that ties, differences and sums
are exact.

Sources: D. Deutsch, G. Foster, M. Freitag, Ties Matter: Meta-Evaluating Modern Metrics with
Pairwise Accuracy and Tie Calibration, EMNLP 2023. B. Thompson, N. Mathur, D. Deutsch, H.
Khayrallah, Improving Statistical Significance in Human Evaluation of Automatic Metrics via Soft
Pairwise Accuracy, WMT 2024.
"""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import nan
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from rouge_cli.metrics.arithmetic import Floats, Whole
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports.rows import NUMBER_OR_NULL, Shown
from rouge_cli.studies.correlate.coefficients import (
    PairOrders,
    matched_means,
    pair_counts,
    scipy_stats,
)
from rouge_cli.studies.resampling import SIGNS, Resampling, every_swap, swaps

NEARLY_EQUAL = 1e-9  # accuracies this close to the highest are compared as fractions


@dataclass(frozen=True, slots=True)
class TiedAccuracy:
    """Accuracy with ties: the mean over groups of the share of pairs that scores get right.

    `best` is the highest mean that a common threshold of all groups reaches. `n_groups` is the
    number of groups with a pair.

    - `at_zero`: If only equal scores are tied.
    - `threshold`: The smallest difference of scores that reaches the highest accuracy: scores that
      differ by no more are tied.
    - `n_thresholds`: Number of differences that reach it.
    - `largest_threshold`: The largest of them.
    """

    at_zero: Annotated[float, Shown(key="at_0", column="", schema=NUMBER_OR_NULL)]
    best: float
    threshold: Annotated[float, Shown(key="epsilon", schema=NUMBER_OR_NULL)]
    n_groups: int
    n_thresholds: Annotated[int, Shown(key="maximisers", column="")]
    largest_threshold: Annotated[
        float, Shown(key="largest_maximiser", column="", schema=NUMBER_OR_NULL)
    ]


class TiedPairs:
    """The pairs of systems in each EVAL, in ascending order of the difference of their scores.

    - `numbers`, `evals`: index of the two systems in `triu_indices`, and of the EVAL; (n_pairs,).
    - `distances`: absolute differences of the scores.
    - `is_right`: whether scores and people have the same order, without a tie of people.
    - `is_tied`: whether people tie the pair.
    - `sizes`: number of pairs in each EVAL, (n_evals,).
    """

    def __init__(self, scores: Floats, judged: Floats) -> None:
        """Pair the systems of two tables, (n_systems, n_evals), in each EVAL that has both."""
        first, second = np.triu_indices(len(scores), 1)
        is_there = ~(np.isnan(scores) | np.isnan(judged))
        numbers, evals = np.nonzero(is_there[first] & is_there[second])
        pair = first[numbers], second[numbers]
        of_scores, of_people = (x[pair[0], evals] - x[pair[1], evals] for x in (scores, judged))
        order = np.argsort(np.abs(of_scores), kind="stable")
        of_scores, of_people = of_scores[order], of_people[order]
        self.numbers, self.evals, self.distances = numbers[order], evals[order], np.abs(of_scores)
        self.is_tied = of_people == 0
        self.is_right = (np.sign(of_scores) == np.sign(of_people)) & ~self.is_tied
        self.sizes = np.bincount(evals, minlength=scores.shape[1])

    @property
    def steps(self) -> NDArray[np.int8]:
        """The change in right pairs when a pair of different scores becomes a tie: -1, 0 or 1."""
        steps = self.is_tied.astype(np.int8) - self.is_right
        return np.where(self.distances > 0, steps, 0).astype(np.int8)

    @property
    def starts(self) -> NDArray[np.bool_]:
        """Whether each pair is right if only equal scores are tied."""
        starts: NDArray[np.bool_] = np.where(self.distances > 0, self.is_right, self.is_tied)
        return starts

    @property
    def ends(self) -> Whole:
        """The indices of the last pair of each distance."""
        return np.flatnonzero(np.diff(self.distances, append=np.inf) > 0)

    def by_eval(self, threshold: float) -> Floats:
        """Return the accuracy in each EVAL, (n_evals,), at a threshold; nan without pairs."""
        is_right = np.where(self.distances <= threshold, self.is_tied, self.is_right)
        right = np.bincount(self.evals[is_right], minlength=len(self.sizes))
        return np.where(self.sizes, right / np.maximum(self.sizes, 1), np.nan)


def tied_accuracy(pairs: TiedPairs, step: float = 1.0) -> TiedAccuracy:
    """Calibrate the threshold of ties; the sorting of `pairs` takes most of the time.

    Scores are whole numbers, `step` times the original ones; thresholds are divided by it. Right
    pairs are summed as whole numbers over EVALs with the same number of pairs, and accuracies that
    are equal up to rounding are compared as fractions. So the threshold is the smallest of all that
    reach exactly the highest accuracy.
    """
    n_groups = int(np.count_nonzero(pairs.sizes))
    if not n_groups:
        return TiedAccuracy(nan, nan, nan, 0, 0, nan)
    sizes = pairs.sizes[pairs.evals]
    different = np.unique(sizes)
    # 0 is a candidate even if no two scores are equal.
    ends = pairs.ends if pairs.distances[0] == 0 else np.append(-1, pairs.ends)
    thresholds = np.append(0.0, pairs.distances)[ends + 1]
    # For each number of pairs in an EVAL, the right pairs at each candidate.
    counts = np.empty((len(different), len(ends)), np.int64)
    for row, size in enumerate(different.tolist()):
        of_size = sizes == size
        sums = np.append(0, np.cumsum(np.where(of_size, pairs.steps, 0), dtype=np.int64))
        counts[row] = np.count_nonzero(pairs.starts & of_size) + sums[ends + 1]
    means = (counts / different[:, np.newaxis]).sum(axis=0) / n_groups
    near = np.flatnonzero(means >= means.max() - NEARLY_EQUAL)
    exact = _exact_sums(counts[:, near], different)
    highest = max(exact)
    best = near[[value == highest for value in exact]]
    (at_zero,) = _exact_sums(counts[:, :1], different)
    return TiedAccuracy(
        float(at_zero / n_groups),
        float(highest / n_groups),
        float(thresholds[best[0]]) / step,
        n_groups,
        len(best),
        float(thresholds[best[-1]]) / step,
    )


def _exact_sums(counts: Whole, sizes: Whole) -> list[Fraction]:
    """Sum each column of counts exactly, after dividing row i by ``sizes[i]``."""
    denominators = sizes.tolist()
    return [sum(map(Fraction, column, denominators), Fraction()) for column in counts.T.tolist()]


def resampled_tied_accuracy(pairs: TiedPairs, systems: Whole, evals: Whole) -> Floats:
    """Return the best accuracy in resamples, each with its own threshold.

    `systems`, (n_systems, n), and `evals`, (n_evals, n), are the numbers of draws in n resamples. A
    pair counts as often as both its systems and its EVAL are drawn; a system that is drawn twice
    makes no pair with itself. nan in resamples without a pair.
    """
    # Other pairs are right or wrong at every threshold, and count only at the start of the curve.
    steps, moving = pairs.steps, np.flatnonzero(pairs.steps)
    moves = steps[moving].astype(np.float64)
    # Only after the last pair of a distance is the curve that of a threshold.
    ends = np.unique(np.append(0, np.searchsorted(moving, pairs.ends, side="right")))
    firsts, seconds = np.triu_indices(len(systems), 1)
    shape = len(firsts), len(evals)
    cells = pairs.numbers * len(evals) + pairs.evals
    is_there, is_right = (
        np.bincount(x, minlength=shape[0] * shape[1]).reshape(shape)
        for x in (cells, cells[pairs.starts])
    )
    cells = cells[moving]
    drawn = (systems[firsts] * systems[seconds]).astype(np.float64).T
    n_pairs = drawn @ is_there
    shares = np.where(n_pairs > 0, evals.T, 0.0)
    totals = shares.sum(axis=1)
    shares /= np.maximum(n_pairs, 1.0) * np.maximum(totals, 1.0)[:, np.newaxis]
    starts = ((drawn @ is_right) * shares).sum(axis=1)
    values = np.full(len(drawn), nan)
    for number in np.flatnonzero(totals):
        weights = np.multiply.outer(drawn[number], shares[number]).ravel()[cells]
        curve = np.append(0.0, np.cumsum(weights * moves))
        values[number] = starts[number] + curve[ends].max()
    return values


MOST_ENUMERATED = 12  # with at most this many EVALs, all choices of signs are enumerated
# Random signs, if there are too many choices, and sums are too large for the exact distribution.
# With 50 EVALs the error of the soft accuracy is about 0.001.
DRAWS = 10_000
DRAWS_OF_RESAMPLES = 1000  # random signs of each resample of an interval
# The most additions for the exact distribution of all sums; they take about a second.
EXACT_WORK = 500_000_000
# From this number on, sums in resamples count as normal, with a continuity correction.
MANY_EVALS = 50
SignBlocks = tuple[Floats, ...]  # blocks of signs, 1 or -1, each of shape (n, n_evals)


def sign_vectors(n_evals: int, n_draws: int, seed: int) -> SignBlocks:
    """Return all signs of few EVALs, or else `n_draws` random ones."""
    if n_evals <= MOST_ENUMERATED:
        return (1 - 2 * every_swap(n_evals),)
    return tuple(1 - 2 * block for block in swaps(n_evals, n_draws, seed, SIGNS))


# Functions of a table, (n_systems, n_evals), return values of all pairs of systems i < j in the
# order of `triu_indices`; (n_pairs,).


def _sampled(table: Floats, signs: SignBlocks) -> Floats:
    """Return the share of signs s with sum s_k d_k >= sum d_k of the differences d."""
    (shares,) = _shares_ahead(table[np.newaxis], signs, _slack(table))
    of_pairs: Floats = shares[0][np.triu_indices(len(table), 1)]
    return of_pairs


def _shares_ahead(tables: Floats, signs: SignBlocks, slack: float) -> Floats:
    """Return the shares of `_sampled` for two systems, each scored by a metric of its own.

    From (n_metrics, n_systems, n_evals) to (n_metrics, n_metrics, n_systems, n_systems).
    """
    n_metrics, n_systems, _ = tables.shape
    counts = np.zeros((n_metrics, n_metrics, n_systems, n_systems))
    for block in signs:
        # sum s_k x_k - sum x_k of each system, for each choice of signs.
        levels = np.stack(
            [np.ascontiguousarray((block @ table.T - table.sum(axis=1)).T) for table in tables]
        )
        for first in range(n_systems - 1):
            behind = levels[:, first + 1 :] - slack
            for metric in range(n_metrics):
                is_ahead = levels[metric, first] >= behind
                counts[metric, :, first, first + 1 :] += is_ahead.sum(axis=2)
    return counts / sum(map(len, signs))


def _slack(table: Floats) -> float:
    """Return a bound on the rounding error of equal sums: 0 for whole numbers."""
    if (table == np.rint(table)).all():
        return 0.0
    return NEARLY_EQUAL * float(np.abs(table).sum(axis=1).max())


def _differences(table: Floats) -> tuple[Floats, Whole]:
    """Return the differences, (n_pairs, n_evals), and their greatest common divisors, (n_pairs,).

    Divisors are at least 1; they mean something only for whole numbers.
    """
    first, second = np.triu_indices(len(table), 1)
    differences = table[first] - table[second]
    return differences, np.maximum(1, np.gcd.reduce(differences.astype(np.int64), axis=1))


def _is_exact(table: Floats) -> bool:
    if _slack(table):
        return False
    differences, steps = _differences(table)
    work = (np.abs(differences).sum(axis=1) / steps).sum()
    return bool(work * table.shape[1] / 2 <= EXACT_WORK)


def _exactly(table: Floats) -> Floats:
    """Return the shares that `_sampled` estimates, from the exact distribution of sums.

    A sum with signs is at least the sum without if and only if the differences that got a minus add
    up to 0 or less: the positive ones among them to no more than the negative ones.
    """
    differences, steps = _differences(table)
    shares = []
    for whole in (differences / steps[:, np.newaxis]).astype(np.int64):
        above, below = (_chosen_sums(x[x > 0]) for x in (whole, -whole))
        at_least = np.cumsum(below[::-1])[::-1]
        n = min(len(above), len(at_least))
        shares.append(min(1.0, float(above[:n] @ at_least[:n])))
    return np.array(shares)


def _chosen_sums(numbers: Whole) -> Floats:
    """Return the probability of each sum if each number is chosen with probability 1/2."""
    sums = np.ones(1)
    for number in np.sort(numbers).tolist():
        longer = np.zeros(len(sums) + number)
        longer[: len(sums)] = sums
        longer[number:] += sums
        sums = longer / 2
    return sums


@dataclass(frozen=True, slots=True)
class SoftAccuracy:
    """A soft pairwise accuracy; `is_exact` if all signs were counted, not random ones.

    The value is nan if a cell is missing, since the signs of an EVAL apply to all systems. `turned`
    is the accuracy with the systems in the opposite order; nan if unknown.
    """

    value: float
    is_exact: bool
    turned: float = nan


def soft_accuracies(scores: Floats, judged: Floats, seed: int) -> list[SoftAccuracy]:
    """Return the soft pairwise accuracy of each metric.

    Let d_k be the differences of systems i < j in the EVALs. Their p, one-sided for i being better,
    is the share of all choices of signs s_k with sum s_k d_k >= sum d_k. The accuracy is 1 minus
    the mean distance between the p of the metric and those of people. If several choices of signs
    give the same sum, p for j and i is not 1 - p. So the accuracy depends on the order of the
    systems: by a few hundredths with few EVALs and many ties.

    - `scores`: (n_systems, n_evals, n_metrics); `judged`: (n_systems, n_evals).
    - `seed`: seed of the random signs. All pairs, all metrics and people share them, so that
      sampling errors cancel.
    """
    n_systems, n_evals, n_metrics = scores.shape
    undefined = SoftAccuracy(nan, is_exact=False)
    if np.isnan(judged).any() or n_systems == 1:
        return [undefined] * n_metrics
    is_few = n_evals <= MOST_ENUMERATED
    people_are_exact = not is_few and _is_exact(judged)
    signs = cache(lambda: sign_vectors(n_evals, DRAWS, seed))
    people: dict[bool, Floats] = {}

    def shares(table: Floats, *, by_sums: bool) -> Floats:
        return _exactly(table) if by_sums else _sampled(table, signs())

    accuracies = []
    for table in np.moveaxis(scores, 2, 0):
        if np.isnan(table).any():
            accuracies.append(undefined)
            continue
        # The p of people are computed in the same way: an exact one would not share the sampling
        # error of a metric, which then could not cancel.
        by_sums = people_are_exact and _is_exact(table)
        if by_sums not in people:
            people[by_sums] = shares(judged, by_sums=by_sums)
        distances = np.abs(shares(table, by_sums=by_sums) - people[by_sums])
        accuracies.append(SoftAccuracy(1 - float(distances.mean()), is_few or by_sums))
    return accuracies


def resampled_soft_accuracies(
    scores: Floats, judged: Floats, systems: Whole, evals: Whole, seed: int
) -> Floats:
    """Return the soft accuracy of each metric in resamples; (n_metrics, n).

    Tables are as in `soft_accuracies`; `systems` and `evals` are as in `resampled_tied_accuracy`.
    The result is nan in resamples of a single system, and everywhere if cells are missing.
    """
    tables = [judged, *np.moveaxis(scores, 2, 0)]
    if any(np.isnan(table).any() for table in tables):
        return np.full((scores.shape[2], systems.shape[1]), nan)
    first, second = np.triu_indices(len(judged), 1)
    weights = (systems[first] * systems[second]).astype(np.float64)
    if len(evals) >= MANY_EVALS:
        people, *shares = [_normal_shares(table, evals) for table in tables]
    else:
        people, *shares = _shares_of_resamples(tables, evals, seed)
    total = weights.sum(axis=0)
    values = [
        1 - (np.abs(of_metric - people) * weights).sum(axis=0) / np.maximum(total, 1)
        for of_metric in shares
    ]
    return np.where(total > 0, np.array(values), nan)


def _shares_of_resamples(tables: Sequence[Floats], evals: Whole, seed: int) -> Floats:
    """Return p of each pair of systems and resample, by random signs; (n_tables, n_pairs, n)."""
    signs = cache(
        lambda n_drawn: tuple(
            1 - 2 * block for block in swaps(n_drawn, DRAWS_OF_RESAMPLES, seed, SIGNS)
        )
    )
    shares = []
    for times in evals.T:
        drawn = np.repeat(np.arange(len(evals)), times)
        shares.append([_sampled(table[:, drawn], signs(len(drawn))) for table in tables])
    return np.moveaxis(np.array(shares), 0, 2)


def _normal_shares(table: Floats, evals: Whole) -> Floats:
    """Return the p of `_shares_of_resamples`, (n_pairs, n), by the normal distribution.

    Sums move in steps of twice the common divisor of the differences; half a step is the continuity
    correction for equal sums.
    """
    differences, divisors = _differences(table)
    steps = np.where(differences.any(axis=1), divisors, 0).astype(np.float64)
    if _slack(table):
        steps[:] = 0.0
    weights = evals.astype(np.float64)
    sums, squares = differences @ weights, differences**2 @ weights
    distances = (sums - steps[:, np.newaxis]) / np.sqrt(np.where(squares > 0, squares, 1.0))
    return np.where(squares > 0, scipy_stats().norm.sf(distances), 1.0)


def added_up(table: Floats, clusters: Whole | None) -> Floats:
    """Sum the EVALs of each cluster, if there are clusters, so that each cluster has one sign.

    From (n_systems, n_evals, ...) to (n_systems, n_clusters, ...).
    """
    if clusters is None:
        return table
    sums = np.zeros((int(clusters.max()) + 1, len(table), *table.shape[2:]))
    np.add.at(sums, clusters, np.moveaxis(table, 1, 0))
    return np.ascontiguousarray(np.moveaxis(sums, 0, 1))


Detail = PairOrders | TiedAccuracy | SoftAccuracy
"""The details of an accuracy over pairs of systems."""


def accuracy_values(
    name: str, scores: Floats, judged: Floats, steps: Sequence[float], how: Resampling
) -> list[tuple[float, int, Detail]]:
    """Return an accuracy of each metric, the number of EVALs without a pair, and the details.

    - `name`: ``"pa"``, ``"acc-eq"`` or ``"spa"``.
    - `scores`: whole numbers, the scores times the step of each metric; (n_systems, n_evals,
      n_metrics).
    - `judged`: shape (n_systems, n_evals).
    - `how`: clusters, and the seed of random signs.
    """
    if name == "spa":
        people = added_up(judged, how.clusters)
        tables = added_up(scores, how.clusters)
        soft = soft_accuracies(tables, people, how.seed)
        turned = soft_accuracies(tables[::-1], people[::-1], how.seed)
        return [
            (accuracy.value, 0, replace(accuracy, turned=other.value))
            for accuracy, other in zip(soft, turned, strict=True)
        ]
    values: list[tuple[float, int, Detail]] = []
    for table, step in zip(np.moveaxis(scores, 2, 0), steps, strict=True):
        if name == "acc-eq":
            tied = tied_accuracy(TiedPairs(table, judged), step)
            values.append((tied.best, scores.shape[1] - tied.n_groups, tied))
        else:
            pairs = pair_counts(*matched_means(table, judged))
            values.append((pairs.accuracy, 0, pairs))
    return values


def exchanged_shares(tables: Floats, judged: Floats, seed: int) -> Floats:
    """Return the accuracy on pairs of systems, each scored by a metric of its own.

    `tables`, (n_metrics, n_systems, n_evals), are on one scale. The result has shape (n_metrics,
    n_metrics, n_systems, n_systems). An entry is 1 minus the distance between the p of the metrics
    and the p of people if the first system comes before the second, and 0 otherwise. The signs are
    those of `soft_accuracies`.
    """
    n_systems, n_evals = tables.shape[1:]
    signs = sign_vectors(n_evals, DRAWS, seed)
    # Standardised tables are not whole numbers, so equal sums may differ by a rounding error.
    shares = _shares_ahead(tables, signs, NEARLY_EQUAL * float(np.abs(tables).sum(axis=2).max()))
    places = np.triu_indices(n_systems, 1)
    right = np.zeros_like(shares)
    right[..., *places] = 1 - np.abs(shares[..., *places] - _sampled(judged, signs))
    return right
