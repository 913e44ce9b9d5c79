"""Agreement of judges at each level, by hand and against the author's example."""

from math import isnan, nan

import numpy as np
import pytest

from rouge_cli.studies.correlate.attenuation import (
    ceilings,
    harmonic_judges,
    level_agreement,
    resampled_alpha,
)
from rouge_cli.studies.correlate.coefficients import krippendorff_alpha
from tests.unit.studies.test_coefficients import OBSERVERS

# Two systems in two EVALs, by two judges.
RATINGS = np.array([[[1.0, 3.0], [3.0, 5.0]], [[5.0, 7.0], [7.0, 7.0]]])


@pytest.mark.parametrize(
    ("level", "alpha"),
    [
        # Units 1 3, 3 5, 5 7, 7 7. Observed 2 * 2 * 2 each, of the last 0: 24. All: the mean is
        # 4.75, squared deviations 35.5: expected 2 * 8 * 35.5 / 7.
        pytest.param("pooled", 1 - 24 / (16 * 35.5 / 7), id="pooled"),
        # 1 3 and 5 7: observed 16, squared deviations 20. 3 5 and 7 7: 8 and 11. Expected
        # 2 * 4 / 3 times these.
        pytest.param("summary", 1 - 24 / (8 / 3 * 31), id="summary"),
        # Means 2 4 and 6 7: observed 2 * 2 * 2 + 2 * 2 * 0.5; squared deviations 14.75.
        pytest.param("system", 1 - 10 / (8 / 3 * 14.75), id="system"),
    ],
)
def test_levels_by_hand(level: str, alpha: float) -> None:
    found = level_agreement(level, RATINGS)
    assert found.alpha == pytest.approx(alpha)
    assert found.judges == 2
    assert found.ceiling == pytest.approx((2 * alpha / (1 + alpha)) ** 0.5)


def test_the_example_of_the_author() -> None:
    ratings = np.array([[one or nan for one in unit] for unit in zip(*OBSERVERS, strict=True)])
    assert level_agreement("pooled", ratings[:, np.newaxis]).alpha == pytest.approx(0.849, abs=5e-4)


def test_the_ceiling_of_the_guide() -> None:
    assert ceilings(np.array([0.4, 0.0, -0.2]), np.array(3.0)) == pytest.approx(
        [(1.2 / 1.8) ** 0.5, nan, nan], nan_ok=True
    )


def test_unequal_numbers_of_judges() -> None:
    ratings = np.array([[[1.0, 2.0, nan], [1.0, nan, nan]], [[nan, nan, nan], [3.0, 4.0, 5.0]]])
    # 2, 1 and 3 judges: 3 / (1/2 + 1 + 1/3).
    assert harmonic_judges(ratings) == pytest.approx(18 / 11)


@pytest.mark.parametrize(
    ("ratings", "alpha"),
    [
        pytest.param([[[3.0, 3.0]], [[3.0, 3.0]]], nan, id="no-spread"),
        pytest.param([[[3.0, nan]], [[4.0, nan]]], nan, id="one-judge"),
        pytest.param([[[1.0, 2.0]], [[2.0, 1.0]]], -0.5, id="opposed"),
    ],
)
def test_no_ceiling(ratings: list[list[list[float]]], alpha: float) -> None:
    found = level_agreement("pooled", np.array(ratings))
    assert found.alpha == pytest.approx(alpha, nan_ok=True)
    assert isnan(found.ceiling)


@pytest.mark.parametrize("level", ["system", "summary", "pooled"])
def test_what_is_drawn_twice_counts_twice(level: str) -> None:
    draw = np.random.default_rng(3)
    ratings = draw.integers(1, 6, (4, 5, 3)).astype(np.float64)
    ratings[draw.random(ratings.shape) < 0.2] = nan
    systems, evals = [0, 0, 2, 3], [1, 1, 1, 2, 4]
    found = resampled_alpha(
        level,
        ratings,
        np.bincount(systems, minlength=4)[:, np.newaxis],
        np.bincount(evals, minlength=5)[:, np.newaxis],
    )
    drawn = ratings[np.ix_(systems, evals)]
    assert found[0] == pytest.approx(level_agreement(level, drawn).alpha)
    if level == "pooled":
        units = [[one for one in unit if not isnan(one)] for unit in drawn.reshape(-1, 3).tolist()]
        assert found[0] == pytest.approx(krippendorff_alpha(units))


def test_corrected_correlations_come_near_to_the_true_one() -> None:
    # Quality with a standard deviation of 1; metric and each of three judges add as much noise: the
    # metric correlates with quality by sqrt(1/2), with the mean of judges by sqrt(1/2 * 3/4).
    draw = np.random.default_rng(4)
    quality = draw.normal(size=(200, 50))
    scores = quality + draw.normal(size=quality.shape)
    ratings = quality[..., np.newaxis] + draw.normal(size=(*quality.shape, 3))
    found = np.corrcoef(scores.ravel(), ratings.mean(axis=2).ravel())[0, 1]
    assert found == pytest.approx(0.375**0.5, abs=0.02)
    for level in ("pooled", "summary"):
        ceiling = level_agreement(level, ratings).ceiling
        assert found / ceiling == pytest.approx(0.5**0.5, abs=0.02)
