"""Coefficients and levels, by hand and against scipy."""

import numpy as np
import pytest
import scipy.stats

from rouge_cli.studies.correlate import coefficients
from rouge_cli.studies.correlate.coefficients import (
    COEFFICIENTS,
    at_level,
    exact_coefficient,
    exactly_at_level,
    system_means,
    whole_numbers,
)


@pytest.fixture(params=[2, 256], ids=["by-sorting", "by-pairs"])
def _by_sorting_and_by_pairs(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(coefficients, "LONGEST_LOOP", request.param)


# Deviations -1.5 -.5 .5 1.5 and -1.5 .5 -.5 1.5: 4 / 5. One of six pairs is discordant: 4 / 6.
PLAIN = ([1.0, 2.0, 3.0, 4.0], [1.0, 3.0, 2.0, 4.0], (0.8, 0.8, 4 / 6))
# Ranks 1.5 1.5 3: 1.5 / sqrt(1.5 * 2). Two concordant pairs, one tied in one: 2 / sqrt(2 * 3).
TIED = ([1.0, 1.0, 2.0], [1.0, 2.0, 3.0], (0.75**0.5, 0.75**0.5, 2 / 6**0.5))
REVERSED = ([3.0, 2.0, 1.0], [1.0, 2.0, 4.0], (-3 / (2 * 14 / 3) ** 0.5, -1.0, -1.0))


@pytest.mark.parametrize(
    ("scores", "judged", "expected"), [PLAIN, TIED, REVERSED], ids=["plain", "tied", "reversed"]
)
def test_by_hand(scores: list[float], judged: list[float], expected: tuple[float, ...]) -> None:
    x, z = np.array(scores), np.array(judged)
    for (name, function), value in zip(COEFFICIENTS.items(), expected, strict=True):
        assert function(x, z) == pytest.approx(value, abs=1e-12)
        assert exact_coefficient(name, x, z) == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize("name", COEFFICIENTS)
@pytest.mark.usefixtures("_by_sorting_and_by_pairs")
def test_many_at_once_are_those_of_scipy(name: str) -> None:
    draw = np.random.default_rng(1)
    scores = draw.integers(0, 6, (9, 4, 5)).astype(np.float64)
    judged = draw.integers(0, 4, (9, 4, 1)).astype(np.float64)
    found = COEFFICIENTS[name](scores, judged)
    of_scipy = {
        "pearson": scipy.stats.pearsonr,
        "spearman": scipy.stats.spearmanr,
        "kendall": scipy.stats.kendalltau,
    }[name]
    assert found.shape == (4, 5)
    for i, j in np.ndindex(4, 5):
        expected = of_scipy(scores[:, i, j], judged[:, i, 0]).statistic
        assert found[i, j] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("name", COEFFICIENTS)
@pytest.mark.usefixtures("_by_sorting_and_by_pairs")
def test_constants_have_none(name: str) -> None:
    scores = np.array([[0.1, 1.0], [0.1, 2.0], [0.1, 3.0]])
    varied, constant = np.array([[1.0], [2.0], [3.0]]), np.full((3, 1), 0.3)
    assert np.isnan(COEFFICIENTS[name](scores, varied)).tolist() == [True, False]
    assert np.isnan(COEFFICIENTS[name](scores, constant)).tolist() == [True, True]
    assert np.isnan(exact_coefficient(name, scores[:, 0], varied[:, 0]))


# Three systems in two EVALs; in the second one the scores are constant.
SCORES = np.array([[1.0, 0.5], [0.5, 0.5], [0.0, 0.5]])
JUDGED = np.array([[3.0, 1.0], [2.0, 2.0], [1.0, 3.0]])


@pytest.mark.parametrize("name", COEFFICIENTS)
def test_two_units(name: str) -> None:
    low, high = np.array([1.0, 2.0]), np.array([3.0, 5.0])
    assert exact_coefficient(name, low, high) == pytest.approx(1)
    assert exact_coefficient(name, low, high[::-1]) == pytest.approx(-1)
    assert np.isnan(exact_coefficient(name, low, np.array([3.0, 3.0])))
    assert COEFFICIENTS[name](low, high) == pytest.approx(1)


def test_summary_level_drops_constant_evals() -> None:
    found = exactly_at_level("summary", "pearson", SCORES, JUDGED)
    assert found[0] == pytest.approx(1.0)
    assert found[1] == 1
    assert at_level("summary", "pearson", SCORES, JUDGED) == pytest.approx(1.0)


def test_summary_level_is_the_mean_over_evals() -> None:
    # 1 in the first EVAL; 0.8 of the deviations -.5 .5 0 and -1/3 2/3 -1/3 in the second: .5 /
    # sqrt(.5 * 2/3), which is sqrt(3) / 2.
    scores = np.array([[1.0, 0.0], [0.5, 1.0], [0.0, 0.5]])
    judged = np.array([[3.0, 1.0], [2.0, 2.0], [1.0, 1.0]])
    found = exactly_at_level("summary", "pearson", scores, judged)
    assert found[0] == pytest.approx((1 + 3**0.5 / 2) / 2)
    assert found[1] == 0


def test_system_level_takes_means() -> None:
    # Means .75 .5 .25 of the scores; all judgements have the mean 2.
    assert np.isnan(exactly_at_level("system", "pearson", SCORES, JUDGED)[0])
    other = JUDGED + np.array([[0.0, 1.0], [0.0, 0.0], [0.0, 0.0]])
    # Means 2.5 2 2: deviations 1/3 -1/6 -1/6 against .25 0 -.25: (1/8) / sqrt(1/8 * 1/6).
    found = exactly_at_level("system", "pearson", SCORES, other)
    assert found[0] == pytest.approx(3**0.5 / 2)


def test_pooled_level_takes_all_cells() -> None:
    # Deviations .5 0 0 0 -.5 0 and 1 -1 0 0 -1 1: 1 / sqrt(.5 * 4).
    found = exactly_at_level("pooled", "pearson", SCORES, JUDGED)
    assert found[0] == pytest.approx(0.5**0.5)
    assert found[1] == 0


@pytest.mark.parametrize("level", ["system", "summary", "pooled"])
@pytest.mark.parametrize("name", COEFFICIENTS)
def test_levels_at_once_are_those_of_scipy(level: str, name: str) -> None:
    draw = np.random.default_rng(2)
    scores, judged = draw.integers(0, 5, (6, 7, 3)) / 4, draw.integers(1, 4, (6, 7, 1)) / 1
    found = at_level(level, name, scores, judged)
    for k in range(3):
        expected = exactly_at_level(level, name, scores[..., k], judged[..., 0])[0]
        assert found[k] == pytest.approx(expected, abs=1e-10)


def test_equal_means_are_equal_in_any_order_of_addition() -> None:
    cells = np.array([[0.1, 0.2, 0.3], [0.3, 0.2, 0.1], [0.2, 0.2, 0.2]])
    assert len(set(cells.mean(axis=1).tolist())) > 1
    assert len(set(system_means(cells).tolist())) == 1


def test_means_of_metrics_of_any_size() -> None:
    cells = np.array([[[1e14, 0.1], [3e14, 0.2]], [[2e14, 0.1], [2e14, 0.3]]])
    assert system_means(cells) == pytest.approx(np.array([[2e14, 0.15], [2e14, 0.2]]))


@pytest.mark.parametrize("factor", [1e307, 1e-307])
@pytest.mark.parametrize(("name", "value"), [*zip(COEFFICIENTS, PLAIN[2], strict=True)])
def test_judgements_of_any_size(name: str, value: float, factor: float) -> None:
    scores, judged = np.array(PLAIN[:2])[..., None]
    assert exactly_at_level("system", name, scores, judged * factor)[0] == pytest.approx(value)
    whole, _ = whole_numbers(judged * factor)
    assert at_level("system", name, scores[..., None], whole) == pytest.approx(value)


@pytest.mark.parametrize("name", COEFFICIENTS)
@pytest.mark.usefixtures("_by_sorting_and_by_pairs")
def test_missing_units_are_left_out_of_both(name: str) -> None:
    draw = np.random.default_rng(4)
    scores, judged = draw.integers(0, 6, (9, 5)) / 1, draw.integers(0, 4, (9, 1)) / 1
    scores[[0, 3, 3, 8], [0, 1, 2, 2]] = np.nan
    judged[5] = np.nan
    found = COEFFICIENTS[name](scores, judged)
    for k in range(5):
        is_there = ~(np.isnan(scores[:, k]) | np.isnan(judged[:, 0]))
        left = scores[is_there, k], judged[is_there, 0]
        assert found[k] == pytest.approx(exact_coefficient(name, *left), abs=1e-12)
        assert exact_coefficient(name, scores[:, k], judged[:, 0]) == pytest.approx(found[k])
    nothing = np.full((9, 1), np.nan)
    assert np.isnan(COEFFICIENTS[name](scores, nothing)).all()
    assert np.isnan(exact_coefficient(name, scores[:, 0], nothing[:, 0]))


@pytest.mark.parametrize("name", COEFFICIENTS)
def test_levels_leave_out_missing_cells(name: str) -> None:
    draw = np.random.default_rng(3)
    scores, judged = draw.integers(0, 9, (6, 4)) / 1, draw.integers(0, 9, (6, 4)) / 1
    missing = ([0, 2, 5], [1, 1, 3])
    scores[missing], judged[missing] = np.nan, np.nan
    for level in ("system", "summary", "pooled"):
        many = at_level(level, name, scores[..., np.newaxis], judged[..., np.newaxis])
        assert many[0] == pytest.approx(exactly_at_level(level, name, scores, judged)[0])
    means = [np.mean([one for one in row if not np.isnan(one)]) for row in scores.tolist()]
    assert system_means(scores) == pytest.approx(means)
