"""Intervals, the permutation test and Williams' test, against plain versions and the literature."""

from collections import Counter
from collections.abc import Callable
from itertools import combinations, permutations, product
from math import sqrt
from typing import Any

import numpy as np
import pytest
import scipy.stats
from numpy.typing import NDArray

from rouge_cli.studies import resampling
from rouge_cli.studies.correlate import metric_tests
from rouge_cli.studies.correlate.metric_tests import p_of_no_correlation, williams_test
from rouge_cli.studies.resampling import Resampling, drawn_cells, label_orders, swapped_cells
from tests.unit.studies.comparisons import (
    best_metric_tests,
    correlation_intervals,
    permutation_tests,
)

SHAPE = (4, 3)


def drawn(resampled: str, resamples: int, seed: int = 1) -> list[tuple[list[int], list[int]]]:
    """Return the systems and the EVALs of each resample."""
    found = []
    for systems, evals in drawn_cells(SHAPE, Resampling(resamples, seed, resampled)):
        assert systems.shape[:2] == (4, 1)
        assert evals.shape[:2] == (1, 3)
        found += [
            (systems[:, 0, k].tolist(), evals[0, :, k].tolist()) for k in range(systems.shape[2])
        ]
    return found


@pytest.mark.parametrize(
    ("resampled", "varies"),
    [("evals", (False, True)), ("systems", (True, False)), ("both", (True, True))],
)
def test_what_is_drawn(resampled: str, varies: tuple[bool, bool]) -> None:
    found = drawn(resampled, 200)
    assert len(found) == 200
    for which, size in enumerate(SHAPE):
        draws = {tuple(one[which]) for one in found}
        assert (len(draws) > 1) == varies[which]
        assert all(set(one) <= set(range(size)) and len(one) == size for one in draws)


def test_draws_depend_on_the_seed_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    before = drawn("both", 50)
    assert drawn("both", 50) == before
    assert drawn("both", 50, seed=2) != before
    monkeypatch.setattr(resampling, "CELLS_AT_A_TIME", 40)
    assert drawn("both", 50) == before


def test_as_many_systems_as_evals_are_drawn_apart() -> None:
    ((systems, evals),) = drawn_cells((5, 5), Resampling(50, 1, "both"))
    assert systems[:, 0].tolist() != evals[0].tolist()


def test_every_cell_is_swapped_in_half_of_the_resamples() -> None:
    blocks, is_enumerated = swapped_cells((7, 3), 4000, 3)
    swapped = np.concatenate(list(blocks), axis=2)
    assert (swapped.shape, is_enumerated) == ((7, 3, 4000), False)
    # Five standard deviations of a share of 1/2.
    assert np.abs(swapped.mean(axis=2) - 0.5).max() < 5 * 0.5 / 4000**0.5


@pytest.mark.parametrize("shape", [(1, 1), (4, 1), (2, 3), (13, 1)])
def test_all_choices_of_few_cells(shape: tuple[int, int]) -> None:
    blocks, is_enumerated = swapped_cells(shape, 5, 1)
    (block,) = blocks
    n_cells = shape[0] * shape[1]
    choices = {tuple(one) for one in block.reshape(n_cells, -1).T.tolist()}
    opposites = {tuple(not cell for cell in choice) for choice in choices}
    assert is_enumerated
    assert len(choices) == 2 ** (n_cells - 1)
    assert choices | opposites == set(product([False, True], repeat=n_cells))


def test_labels_are_exchanged_in_every_order_as_often() -> None:
    blocks, is_enumerated = label_orders((7, 1), 3, 6000, 4)
    orders = np.concatenate(list(blocks), axis=3)
    assert not is_enumerated
    assert orders.shape == (7, 1, 3, 6000)
    for cell in orders.reshape(7, 3, 6000):
        counts = Counter(map(tuple, cell.T.tolist()))
        assert set(counts) == set(permutations(range(3)))
        # Five standard deviations of a share of 1/6.
        assert max(abs(count - 1000) for count in counts.values()) < 5 * (6000 * 5 / 36) ** 0.5


@pytest.mark.parametrize(
    ("shape", "n_labels"), [((3, 1), 3), ((2, 2), 3), ((2, 1), 4), ((1, 1), 7)]
)
def test_all_orders_of_few_labels(shape: tuple[int, int], n_labels: int) -> None:
    (block,), is_enumerated = label_orders(shape, n_labels, 5, 1)
    n_cells = shape[0] * shape[1]
    choices = block.reshape(n_cells, n_labels, -1)
    every = {tuple(map(tuple, choices[..., k].tolist())) for k in range(choices.shape[2])}
    orders = list(permutations(range(n_labels)))
    # Each choice once, up to an order of all labels alike: so the first cell's is always the same.
    assert is_enumerated
    assert every == {(orders[0], *others) for others in product(orders, repeat=n_cells - 1)}
    assert choices.shape[2] == len(every)


def test_whole_clusters_are_drawn() -> None:
    clusters = np.array([0, 0, 0, 1, 2, 2])
    how = Resampling(300, 1, "evals", clusters=clusters)
    sizes = set()
    for systems, evals in drawn_cells((4, 6), how):
        assert systems[:, 0, 0].tolist() == [0, 1, 2, 3]
        for drawn in evals[0].T.tolist():
            times = Counter(drawn)
            # 6 stands for no EVAL, where other resamples have more.
            sizes.add(len(drawn) - times[6])
            assert times[0] == times[1] == times[2]
            assert times[4] == times[5]
            assert times[0] + times[3] + times[4] == 3
    # Three draws of 3, 1 and 2 EVALs.
    assert sizes == {3, 4, 5, 6, 7, 8, 9}


def some_cells(n_systems: int, n_evals: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return scores of two metrics, and judgements."""
    draw = np.random.default_rng(n_systems)
    quality = draw.normal(size=(n_systems, n_evals)) + draw.normal(size=(n_systems, 1))
    noise = draw.normal(size=(n_systems, n_evals, 2))
    return (np.round((quality[..., None] + noise) / 10, 5), np.round(quality))


@pytest.mark.parametrize("resampled", ["evals", "systems", "both"])
@pytest.mark.parametrize("level", ["system", "summary", "pooled"])
def test_intervals_are_percentiles_of_resamples(resampled: str, level: str) -> None:
    scores, judged = some_cells(*SHAPE)
    how = Resampling(60, 1, resampled)
    found = correlation_intervals((level, "pearson"), scores, judged, how, 90.0)
    for metric in range(2):
        values = []
        for systems, evals in drawn(resampled, 60):
            x, z = scores[np.ix_(systems, evals)][..., metric], judged[np.ix_(systems, evals)]
            values.append(plain_value(level, "pearson", x, z))
        defined = [value for value in values if not np.isnan(value)]
        assert found[metric][1] == 60 - len(defined)
        assert found[metric][0] == pytest.approx(tuple(np.quantile(defined, [0.05, 0.95])))


OF_SCIPY = {
    "pearson": scipy.stats.pearsonr,
    "spearman": scipy.stats.spearmanr,
    "kendall": scipy.stats.kendalltau,
}


def plain_value(
    level: str, coefficient: str, x: NDArray[np.float64], z: NDArray[np.float64]
) -> float:
    """Return the coefficient of a table, in the plainest way; not of constants."""
    if level == "system":
        pairs = [(x.mean(axis=1).round(9), z.mean(axis=1).round(9))]
    elif level == "pooled":
        pairs = [(x.ravel(), z.ravel())]
    else:
        pairs = [(x[:, k], z[:, k]) for k in range(x.shape[1])]
    values = [
        OF_SCIPY[coefficient](*pair).statistic
        for pair in pairs
        if all(len(set(values.tolist())) > 1 for values in pair)
    ]
    return sum(values) / len(values) if values else float("nan")


def test_resamples_without_a_correlation_are_dropped() -> None:
    # Perfect agreement: every resample that is not three times the same system has 1. Of 27
    # equally likely draws of three systems 3 are; five standard deviations of 3 / 27.
    line = np.array([[0.0], [1.0], [2.0]])
    how = Resampling(900, 1, "systems")
    (found,) = correlation_intervals(("system", "kendall"), line[..., None], line, how, 95.0)
    assert found[0] == (1.0, 1.0)
    assert abs(found[1] - 100) < 5 * (900 * (1 / 9) * (8 / 9)) ** 0.5


def test_no_interval_without_a_value() -> None:
    line, same = np.array([[0.0], [1.0], [2.0]]), np.ones((3, 1, 1))
    how = Resampling(10, 1, "evals")
    (found,) = correlation_intervals(("system", "pearson"), same, line, how, 95.0)
    assert found == (None, 10)


@pytest.mark.parametrize("clusters", [None, (0, 0)])
def test_intervals_of_clusters_are_those_of_their_evals(clusters: tuple[int, ...] | None) -> None:
    # Two EVALs in one cluster: every resample of EVALs is the data themselves.
    scores, judged = some_cells(4, 2)
    numbers = None if clusters is None else np.array(clusters)
    how = Resampling(50, 1, "evals", clusters=numbers)
    (found, _) = correlation_intervals(("pooled", "pearson"), scores, judged, how, 95.0)
    value = plain_value("pooled", "pearson", scores[..., 0], judged)
    assert (found[0] == pytest.approx((value, value))) == (clusters is not None)


def standardised(scores: NDArray[np.float64], level: str) -> list[NDArray[np.float64]]:
    """Return the tables of the metrics with mean 0, at the summary level in each EVAL, and SD 1."""
    if level == "summary":
        scores = scores - scores.mean(axis=0)
    return [(one - one.mean()) / one.std() for one in np.moveaxis(scores, 2, 0)]


@pytest.mark.parametrize("coefficient", OF_SCIPY)
@pytest.mark.parametrize("level", ["system", "summary", "pooled"])
@pytest.mark.parametrize("exchanged", ["systems", "cells"])
def test_permutation_test_is_that_of_all_swaps(
    level: str, coefficient: str, exchanged: str
) -> None:
    scores, judged = some_cells(4, 2)
    is_whole = (level, exchanged) == ("system", "systems")
    if is_whole:
        scores, judged = scores.mean(axis=1, keepdims=True), judged.mean(axis=1, keepdims=True)
    x, y = standardised(scores, level)

    def value(table: NDArray[np.float64]) -> float:
        found = plain_value(level, coefficient, table, judged)
        # Fisher's z, of a correlation of 1 too.
        return float(np.arctanh(np.clip(found, 1e-9 - 1, 1 - 1e-9))) if is_whole else found

    observed = value(x) - value(y)
    n_larger = 0
    for bits in product([False, True], repeat=judged.size):
        swap = np.array(bits).reshape(judged.shape)
        difference = value(np.where(swap, y, x)) - value(np.where(swap, x, y))
        n_larger += abs(difference) >= abs(observed) - 1e-6
    how = Resampling(10, 5, exchanged=exchanged)
    (found,) = permutation_tests((level, coefficient), *some_cells(4, 2), [(0, 1)], how)
    plain = [plain_value(level, coefficient, one, judged) for one in (x, y)]
    assert found.difference == pytest.approx(plain[0] - plain[1])
    assert (found.n_dropped, found.is_exact) == (0, True)
    assert found.p == pytest.approx(n_larger / 2**judged.size)


def test_permutation_test_of_random_swaps_comes_near_to_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scores, judged = some_cells(4, 2)
    measured = ("pooled", "pearson")
    (exact,) = permutation_tests(measured, scores, judged, [(0, 1)], Resampling(1, 5))
    monkeypatch.setattr(resampling, "MOST_CHOICES", 0)
    (found,) = permutation_tests(measured, scores, judged, [(0, 1)], Resampling(4000, 5))
    assert exact.p is not None
    assert found.p is not None
    assert not found.is_exact
    # Five standard deviations, and what (count + 1) / (n + 1) adds.
    assert abs(found.p - exact.p) < 5 * (exact.p * (1 - exact.p) / 4000) ** 0.5 + 1 / 4000


def test_permutation_test_counts_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    # One EVAL, scores in the order of the judgements and in the reverse one: a difference of 2.
    # No swap leaves it, all swaps turn it to -2, the first swap alone makes 2 1 2 and 0 1 0: 0.
    # Two of three are as large: (2 + 1) / (3 + 1).
    scores = np.array([[[0.0, 2.0]], [[1.0, 1.0]], [[2.0, 0.0]]])
    judged = np.array([[0.0], [1.0], [2.0]])
    swaps = np.array([[[False, True, True]], [[False, True, False]], [[False, True, False]]])
    monkeypatch.setattr(metric_tests, "swapped_cells", lambda *_: (iter([swaps]), False))
    (found,) = permutation_tests(("system", "pearson"), scores, judged, [(0, 1)], Resampling(3, 1))
    assert found.difference == pytest.approx(2.0)
    assert found.p == 3 / 4


def test_clusters_are_exchanged_as_one() -> None:
    # 4 systems in 6 EVALs, of which each three are the same: as one EVAL of each three.
    scores, judged = some_cells(4, 2)
    clusters = np.array([0, 0, 0, 1, 1, 1])
    (once,) = permutation_tests(("pooled", "pearson"), scores, judged, [(0, 1)], Resampling(9, 1))
    many = scores[:, clusters], judged[:, clusters]
    how = Resampling(9, 1, clusters=clusters)
    (found,) = permutation_tests(("pooled", "pearson"), *many, [(0, 1)], how)
    assert found.is_exact
    assert found.p == once.p


def test_easy_documents_change_nothing_at_the_summary_level() -> None:
    scores, judged = np.random.default_rng(3).integers(0, 9, (2, 5, 6)).astype(float)
    scores = np.stack((scores, judged[::-1]), axis=2)
    easy = scores + np.array([[0, 64], [8, 0], [0, 32], [128, 4], [0, 0], [16, 256]])
    before, after = (
        permutation_tests(("summary", "pearson"), cells, judged, [(0, 1)], Resampling(500, 1))
        for cells in (scores, easy)
    )
    assert after[0].p == before[0].p
    assert after[0].difference == pytest.approx(before[0].difference)


def test_permutation_test_without_a_value() -> None:
    scores, judged = some_cells(4, 2)
    scores[..., 1] = 0.5
    measured = ("system", "pearson")
    (found,) = permutation_tests(measured, scores, judged, [(0, 1)], Resampling(9, 1))
    assert (found.difference, found.p) == (None, None)
    (none,) = permutation_tests(measured, *some_cells(4, 2), [(0, 1)], Resampling(0, 1))
    assert none.difference is not None
    assert none.p is None


def plain_t(first: NDArray[np.float64], second: NDArray[np.float64], people: Any) -> float:
    """Return Williams' t without its sign, number by number, as Graham and Baldwin write it."""
    n = len(people)
    r1, r2, r12 = (
        float(np.corrcoef(x, y)[0, 1])
        for x, y in ((first, people), (second, people), (first, second))
    )
    k = 1 - r1**2 - r2**2 - r12**2 + 2 * r1 * r2 * r12
    spread = 2 * k * (n - 1) / (n - 3) + ((r1 + r2) / 2) ** 2 * (1 - r12) ** 3
    return abs(r1 - r2) * sqrt((n - 1) * (1 + r12) / spread)


@pytest.mark.parametrize(
    ("coefficient", "ranked"), [("pearson", np.asarray), ("spearman", scipy.stats.rankdata)]
)
def test_the_best_of_many_is_held_against_all_pairs_in_standard_errors(
    coefficient: str, ranked: Callable[[Any], NDArray[np.float64]]
) -> None:
    draw = np.random.default_rng(6)
    people = draw.normal(size=6)
    # The first two are alike, the third is not.
    first = people + draw.normal(size=6)
    table = np.stack((first, first + 0.2 * draw.normal(size=6), people + draw.normal(size=6)))
    table = (table - table.mean(axis=1, keepdims=True)) / table.std(axis=1, keepdims=True)

    def distance(one: NDArray[np.float64], two: NDArray[np.float64]) -> float:
        return plain_t(ranked(one), ranked(two), ranked(people))

    # What is exchanged are scores, which are ranked again.
    largest = [
        max(
            distance(np.where(swaps, two, one), np.where(swaps, one, two))
            for one, two in combinations(table, 2)
        )
        for swaps in product((False, True), repeat=6)
    ]
    best = int(np.argmax([OF_SCIPY[coefficient](row, people).statistic for row in table]))
    behind = [distance(table[best], row) if k != best else 0.0 for k, row in enumerate(table)]
    cells = table.T[:, np.newaxis], people[:, np.newaxis]
    found = best_metric_tests(("system", coefficient), *cells, Resampling(9, 1))
    shares = [float(np.mean(np.array(largest) >= value - 1e-9)) for value in behind]
    assert found == pytest.approx(shares)


@pytest.mark.parametrize("level", ["summary", "pooled"])
def test_labels_of_cells_are_exchanged(level: str) -> None:
    draw = np.random.default_rng(6)
    judged = draw.normal(size=(4, 3))
    scores = judged[..., np.newaxis] + draw.normal(size=(4, 3, 3))
    tables = np.stack(standardised(scores, level), axis=2)

    def distance(one: NDArray[np.float64], two: NDArray[np.float64]) -> float:
        if level == "pooled":
            return plain_t(one.ravel(), two.ravel(), judged.ravel())
        by_eval = [
            np.corrcoef(one[:, k], judged[:, k])[0, 1] - np.corrcoef(two[:, k], judged[:, k])[0, 1]
            for k in range(3)
        ]
        return abs(float(scipy.stats.ttest_1samp(by_eval, 0).statistic))

    largest = []
    for _ in range(1500):
        index = np.argsort(draw.random((4, 3, 3)), axis=2)
        mixed = np.take_along_axis(tables, index, axis=2)
        pairs = combinations(range(3), 2)
        largest.append(max(distance(mixed[..., one], mixed[..., two]) for one, two in pairs))
    values = [plain_value(level, "pearson", tables[..., k], judged) for k in range(3)]
    best = int(np.argmax(values))
    found = best_metric_tests((level, "pearson"), scores, judged, Resampling(4000, 1))
    for k in range(3):
        behind = distance(tables[..., best], tables[..., k]) if k != best else 0.0
        share = float(np.mean(np.array(largest) >= behind - 1e-9))
        assert found[k] == pytest.approx(share, abs=0.05)


def test_too_few_systems_to_tell() -> None:
    # With r12 = 0 = r2 Williams' t is r sqrt(n - 1) / sqrt(2 (1 - r^2)(n - 1)/(n - 3) + r^2 / 4).
    # Six systems, r = 0.8: 1.78885 / sqrt(1.2 + 0.16) = 1.53393 with 3 degrees of freedom.
    p = 2 * float(scipy.stats.t.sf(1.53393, 3))
    assert p_of_no_correlation(0.8, "pearson", 6, 1) == pytest.approx(p, abs=1e-5)
    assert p_of_no_correlation(0.8, "spearman", 6, 2) == pytest.approx(2 * p, abs=1e-5)
    # tau = 1/3 is r = 1/2: 1.118034 / sqrt(2.5 + 0.0625) = 0.698430.
    p = 2 * float(scipy.stats.t.sf(0.698430, 3))
    assert p_of_no_correlation(1 / 3, "kendall", 6, 1) == pytest.approx(p, abs=1e-5)
    # Two metrics of 5 systems have 16 choices of swaps, so p is 1/16 or more: even of r = 1.
    assert p_of_no_correlation(1.0, "pearson", 5, 1) > 0.05
    assert p_of_no_correlation(0.9, "pearson", 3, 1) == 1.0
    assert p_of_no_correlation(0.9, "pearson", 14, 16) < 0.05
    assert p_of_no_correlation(0.9, "pearson", 8, 16) > 0.05


def test_three_systems_leave_no_error() -> None:
    draw = np.random.default_rng(1)
    cells = draw.random((3, 2, 4)), draw.random((3, 2))
    found = best_metric_tests(("system", "pearson"), *cells, Resampling(99, 1))
    assert found == [1.0] * 4


def test_the_better_of_two_is_that_of_the_pair() -> None:
    scores, judged = some_cells(5, 3)
    for level in ("system", "pooled"):
        how = Resampling(200, 3)
        (pair,) = permutation_tests((level, "kendall"), scores, judged, [(0, 1)], how)
        found = best_metric_tests((level, "kendall"), scores, judged, how)
        assert pair.difference is not None
        assert found == ([1.0, pair.p] if pair.difference > 0 else [pair.p, 1.0])


def test_the_best_of_what_is_defined() -> None:
    scores, judged = some_cells(5, 3)
    with_constant = np.concatenate((scores, np.ones((5, 3, 1))), axis=2)
    how = Resampling(50, 1)
    found = best_metric_tests(("system", "pearson"), with_constant, judged, how)
    without = best_metric_tests(("system", "pearson"), scores, judged, how)
    assert found == [*without, None]
    constant = best_metric_tests(("system", "pearson"), np.ones((5, 3, 2)), judged, how)
    assert constant == [None, None]


def with_correlations(first: float, second: float, between: float, n: int) -> NDArray[np.float64]:
    """Return three samples with these correlations: first and second with the third."""
    draw = np.random.default_rng(0).normal(size=(n, 3))
    directions, _ = np.linalg.qr(draw - draw.mean(axis=0))
    wanted = np.array([[1, between, first], [between, 1, second], [first, second, 1]])
    return np.asarray(directions @ np.linalg.cholesky(wanted).T).T


def test_williams_of_the_literature() -> None:
    # Steiger 1980, case A: n = 103, correlations .4 and .5 with one variable, .1 between the two
    # others; t = -0.89 with 100 degrees of freedom, p = 0.37.
    found = williams_test(*with_correlations(0.4, 0.5, 0.1, 103))
    assert found is not None
    assert found.t == pytest.approx(-0.8913, abs=5e-5)
    assert found.degrees == 100
    assert found.p == pytest.approx(0.375, abs=5e-4)
    assert found.p_one_sided == pytest.approx(1 - found.p / 2)


def test_williams_without_a_result() -> None:
    first, second, judged = with_correlations(0.9, 0.6, 0.7, 5)
    assert williams_test(first[:3], second[:3], judged[:3]) is None
    assert williams_test(np.ones(5), second, judged) is None
    # Correlations of +-sqrt(1/2) with the judgements, which are half their difference: no error
    # is left to measure the difference by.
    one, other = np.array([2.0, 0.0, 0.0, -2.0]), np.array([0.0, 2.0, -2.0, 0.0])
    assert williams_test(one, other, one - other) is None


def test_williams_of_a_metric_with_itself() -> None:
    first, _, judged = with_correlations(0.9, 0.6, 0.7, 6)
    found = williams_test(first, first * 2 + 1, judged)
    assert found is not None
    assert (found.t, found.p, found.p_one_sided) == (0.0, 1.0, 0.5)
