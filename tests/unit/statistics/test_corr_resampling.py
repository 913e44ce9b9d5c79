"""Intervals, the permutation test and Williams' test, against plain versions and the literature."""

from itertools import product

import numpy as np
import pytest
import scipy.stats
from numpy.typing import NDArray

from rouge_cli.statistics import draws, metric_tests
from rouge_cli.statistics.correlation_intervals import Resampling, correlation_intervals
from rouge_cli.statistics.draws import drawn_cells, swapped_cells
from rouge_cli.statistics.metric_tests import permutation_tests, williams_test

SHAPE = (4, 3)


def drawn(resampled: str, resamples: int, seed: int = 1) -> list[tuple[list[int], list[int]]]:
    """Return the systems and the EVALs of each resample."""
    found = []
    for systems, evals in drawn_cells(SHAPE, resampled, resamples, seed):
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
    monkeypatch.setattr(draws, "CELLS_AT_A_TIME", 40)
    assert drawn("both", 50) == before


def test_as_many_systems_as_evals_are_drawn_apart() -> None:
    ((systems, evals),) = drawn_cells((5, 5), "both", 50, 1)
    assert systems[:, 0].tolist() != evals[0].tolist()


def test_every_cell_is_swapped_in_half_of_the_resamples() -> None:
    swapped = np.concatenate(list(swapped_cells(SHAPE, 4000, 3)), axis=2)
    assert swapped.shape == (4, 3, 4000)
    # Five standard deviations of a share of 1/2.
    assert np.abs(swapped.mean(axis=2) - 0.5).max() < 5 * 0.5 / 4000**0.5


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
    how = Resampling(resampled, 60, 1, 90.0)
    found = correlation_intervals(level, "pearson", scores, judged, how)
    for metric in range(2):
        values = []
        for systems, evals in drawn(resampled, 60):
            x, z = scores[np.ix_(systems, evals)][..., metric], judged[np.ix_(systems, evals)]
            values.append(plain_pearson(level, x, z))
        defined = [value for value in values if not np.isnan(value)]
        assert found[metric].n_dropped == 60 - len(defined)
        assert found[metric].bounds == pytest.approx(tuple(np.quantile(defined, [0.05, 0.95])))


def plain_pearson(level: str, x: NDArray[np.float64], z: NDArray[np.float64]) -> float:
    """Return the coefficient of a table, in the plainest way."""
    if level == "system":
        pairs = [(x.mean(axis=1).round(9), z.mean(axis=1).round(9))]
    elif level == "pooled":
        pairs = [(x.ravel(), z.ravel())]
    else:
        pairs = [(x[:, k], z[:, k]) for k in range(x.shape[1])]
    found = [
        scipy.stats.pearsonr(a, b).statistic
        for a, b in pairs
        if len(set(a.tolist())) > 1 and len(set(b.tolist())) > 1
    ]
    return sum(found) / len(found) if found else float("nan")


def test_resamples_without_a_correlation_are_dropped() -> None:
    # Perfect agreement: every resample that is not three times the same system has 1. Of 27
    # equally likely draws of three systems 3 are; five standard deviations of 3 / 27.
    line = np.array([[0.0], [1.0], [2.0]])
    how = Resampling("systems", 900, 1, 95.0)
    (found,) = correlation_intervals("system", "kendall", line[..., None], line, how)
    assert found.bounds == (1.0, 1.0)
    assert abs(found.n_dropped - 100) < 5 * (900 * (1 / 9) * (8 / 9)) ** 0.5


def test_no_interval_without_a_value() -> None:
    line, same = np.array([[0.0], [1.0], [2.0]]), np.ones((3, 1, 1))
    how = Resampling("evals", 10, 1, 95.0)
    (found,) = correlation_intervals("system", "pearson", same, line, how)
    assert (found.bounds, found.n_dropped) == (None, 10)


@pytest.mark.parametrize("coefficient", ["pearson", "spearman", "kendall"])
@pytest.mark.parametrize("level", ["system", "summary", "pooled"])
def test_permutation_test_against_all_swaps(level: str, coefficient: str) -> None:
    scores, judged = some_cells(4, 2)
    of_scipy = {
        "pearson": scipy.stats.pearsonr,
        "spearman": scipy.stats.spearmanr,
        "kendall": scipy.stats.kendalltau,
    }[coefficient]
    x, y = ((one - one.mean()) / one.std() for one in np.moveaxis(scores, 2, 0))

    def value(table: NDArray[np.float64]) -> float:
        if level == "system":
            return float(of_scipy(table.mean(axis=1), judged.mean(axis=1)).statistic)
        if level == "pooled":
            return float(of_scipy(table.ravel(), judged.ravel()).statistic)
        return sum(float(of_scipy(table[:, k], judged[:, k]).statistic) for k in range(2)) / 2

    observed = value(x) - value(y)
    n_larger = 0
    for bits in product([False, True], repeat=8):
        swap = np.array(bits).reshape(4, 2)
        difference = value(np.where(swap, y, x)) - value(np.where(swap, x, y))
        n_larger += abs(difference) >= abs(observed) - 1e-9
    share = n_larger / 256
    (found,) = permutation_tests((level, coefficient), scores, judged, [(0, 1)], (4000, 5))
    assert found.difference == pytest.approx(observed)
    assert found.n_dropped == 0
    assert found.p is not None
    # Five standard deviations, and what (count + 1) / (n + 1) adds.
    assert abs(found.p - share) < 5 * (share * (1 - share) / 4000) ** 0.5 + 1 / 4000


def test_permutation_test_counts_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    # One EVAL, scores in the order of the judgements and in the reverse one: a difference of 2.
    # No swap leaves it, all swaps turn it to -2, the first swap alone makes 2 1 2 and 0 1 0: 0.
    # Two of three are as large: (2 + 1) / (3 + 1).
    scores = np.array([[[0.0, 2.0]], [[1.0, 1.0]], [[2.0, 0.0]]])
    judged = np.array([[0.0], [1.0], [2.0]])
    swaps = np.array([[[False, True, True]], [[False, True, False]], [[False, True, False]]])
    monkeypatch.setattr(metric_tests, "swapped_cells", lambda *_: iter([swaps]))
    (found,) = permutation_tests(("system", "pearson"), scores, judged, [(0, 1)], (3, 1))
    assert found.difference == pytest.approx(2.0)
    assert found.p == 3 / 4


def test_permutation_test_without_a_value() -> None:
    scores, judged = some_cells(4, 2)
    scores[..., 1] = 0.5
    (found,) = permutation_tests(("system", "pearson"), scores, judged, [(0, 1)], (9, 1))
    assert (found.difference, found.p) == (None, None)
    (none,) = permutation_tests(
        ("system", "pearson"), some_cells(4, 2)[0], judged, [(0, 1)], (0, 1)
    )
    assert none.difference is not None
    assert none.p is None


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


def test_williams_the_other_way_round() -> None:
    first, second, judged = with_correlations(0.9, 0.6, 0.7, 8)
    one, other = williams_test(first, second, judged), williams_test(second, first, judged)
    assert one is not None
    assert other is not None
    assert one.t > 0
    assert one.t == pytest.approx(-other.t)
    assert one.p == pytest.approx(other.p)
    assert one.p_one_sided == pytest.approx(one.p / 2)


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
