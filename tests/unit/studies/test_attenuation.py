"""Agreement of judges and its levels: by hand, and published examples."""

from math import isnan, nan

import numpy as np
import pytest

from rouge_cli.studies.correlate.judged_cells import (
    Ratings,
    consistency_of_means,
    krippendorff_alpha,
    level_agreement,
    resampled_alpha,
    resampled_consistency,
)

# Two systems in two EVALs, by two judges.
RATINGS = np.array([[[1.0, 3.0], [3.0, 5.0]], [[5.0, 7.0], [7.0, 7.0]]])

# Table 2 of P. E. Shrout and J. L. Fleiss, Intraclass Correlations: Uses in Assessing Rater
# Reliability, Psychological Bulletin 86, 1979: six targets by four judges of different strictness.
# ICC(3,1), McGraw and Wong's ICC(C,1), is .71 and ICC(3,4) is .91; of agreement it would be .29.
SHROUT_FLEISS = np.array(
    [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]],
    np.float64,
)


def consistency(level: str, ratings: np.ndarray) -> float:
    """Return ICC(C,k) of ratings by the same judges."""
    return level_agreement(level, Ratings(np.asarray(ratings, np.float64), True)).consistency


@pytest.mark.parametrize(
    ("level", "between", "error"),
    [
        # Means 2, 4, 6, 7 about 4.75: squares 14.75, of two judges 29.5, degrees 3. Judges less
        # means -1 and 1, three times, and 0: about -.75 and .75 squares .75 each, degrees 3.
        pytest.param("pooled", 29.5 / 3, 1.5 / 3, id="pooled"),
        # In the first EVAL means 2 and 6: 2 * 8, and judges apart by the same: 0. In the second 4
        # and 7: 2 * 4.5, and judges less means -1, 1 and 0, 0: .5 each. Degrees 2.
        pytest.param("summary", 25 / 2, 1 / 2, id="summary"),
        # Judges' means 2, 4 and 6, 7: means 3 and 6.5, 2 * 6.125; -1, 1 and -.5, .5: .125 each.
        pytest.param("system", 12.25, 0.25, id="system"),
    ],
)
def test_levels_by_hand(level: str, between: float, error: float) -> None:
    found = level_agreement(level, Ratings(RATINGS, True))
    assert (found.judges, found.is_complete) == (2, True)
    assert found.consistency == pytest.approx((between - error) / between)
    assert found.ceiling == pytest.approx(found.consistency**0.5)


@pytest.mark.parametrize("level", ["system", "pooled", "summary"])
def test_a_published_example(level: str) -> None:
    ratings = SHROUT_FLEISS[:, np.newaxis]
    ones = np.ones((6, 1), np.int64), np.ones((1, 1), np.int64)
    assert resampled_consistency(level, ratings, *ones) == pytest.approx([0.71], abs=0.005)
    assert consistency(level, ratings) == pytest.approx(0.91, abs=0.005)


@pytest.mark.parametrize("level", ["system", "summary", "pooled"])
def test_strict_judges_change_nothing(level: str) -> None:
    ratings = np.random.default_rng(3).normal(size=(6, 5, 3)) + np.arange(6)[:, None, None]
    strict = ratings + np.array([0.0, 5.0, -9.0])
    assert consistency(level, strict) == pytest.approx(consistency(level, ratings))


def test_not_everybody_judged_everything() -> None:
    gap = RATINGS.copy()
    gap[0, 0, 1] = nan
    for level in ("system", "summary", "pooled"):
        found = level_agreement(level, Ratings(gap, True))
        assert (found.is_complete, isnan(found.ceiling)) == (False, True)
    # A cell that nobody judged is no gap.
    gap[0, 0, 0] = nan
    assert level_agreement("pooled", Ratings(gap, True)).is_complete
    # Judges of their own in each EVAL: strictness moves all systems of an EVAL alike.
    others = Ratings(RATINGS, False)
    assert [level_agreement(x, others).is_complete for x in ("system", "summary", "pooled")] == [
        False,
        True,
        False,
    ]


def test_the_formula_of_spearman_and_brown() -> None:
    # 3 * .4 / (1 + 2 * .4).
    assert consistency_of_means(np.array([0.4, 0.0, -0.2]), np.array(3.0)) == pytest.approx(
        [1.2 / 1.8, nan, nan], nan_ok=True
    )


@pytest.mark.parametrize(
    "ratings",
    [
        pytest.param([[[3.0, 3.0]], [[3.0, 3.0]]], id="no-spread"),
        pytest.param([[[3.0, 4.0]], [[3.0, 4.0]]], id="strictness-alone"),
        pytest.param([[[1.0, 2.0]], [[2.0, 1.0]]], id="opposed"),
    ],
)
def test_no_consistency(ratings: list[list[list[float]]]) -> None:
    assert isnan(consistency("pooled", np.array(ratings)))


@pytest.mark.parametrize("level", ["system", "summary", "pooled"])
def test_what_is_drawn_twice_counts_twice(level: str) -> None:
    draw = np.random.default_rng(3)
    ratings = draw.integers(1, 6, (4, 5, 3)).astype(np.float64) + np.arange(4)[:, None, None]
    ratings[draw.random((4, 5)) < 0.2] = nan
    systems, evals = [0, 0, 2, 3], [1, 1, 1, 2, 4]
    times = (
        np.bincount(systems, minlength=4)[:, np.newaxis],
        np.bincount(evals, minlength=5)[:, np.newaxis],
    )
    drawn = ratings[np.ix_(systems, evals)]
    found = consistency_of_means(resampled_consistency(level, ratings, *times), np.array(3.0))
    assert found[0] == pytest.approx(consistency(level, drawn))
    ratings[draw.random(ratings.shape) < 0.2] = nan
    units = ratings[np.ix_(systems, evals)].reshape(-1, 3).tolist()
    expected = krippendorff_alpha([[one for one in unit if not isnan(one)] for unit in units])
    assert resampled_alpha(ratings, *times)[0] == pytest.approx(expected)


# K. Krippendorff, Computing Krippendorff's Alpha-Reliability, 2011, example E: 4 observers, 12
# units; 0 is no rating. With the interval metric alpha is 0.849.
OBSERVERS = (
    (1, 2, 3, 3, 2, 1, 4, 1, 2, 0, 0, 0),
    (1, 2, 3, 3, 2, 2, 4, 1, 2, 5, 0, 3),
    (0, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, 0),
    (1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, 0),
)


def test_alpha_of_the_example_of_the_author() -> None:
    ratings = np.array([[one or nan for one in unit] for unit in zip(*OBSERVERS, strict=True)])
    ones = np.ones((len(ratings), 1), np.int64), np.ones((1, 1), np.int64)
    assert resampled_alpha(ratings[:, np.newaxis], *ones) == pytest.approx([0.849], abs=5e-4)
    units = [[one for one in unit if not isnan(one)] for unit in ratings.tolist()]
    assert krippendorff_alpha(units) == pytest.approx(0.849, abs=5e-4)


@pytest.mark.parametrize(
    ("units", "alpha"),
    [
        pytest.param([[1, 1], [2, 2]], 1.0, id="agreed"),
        # Of 1 1 2 2 two pairs of three differ by 1: expected 2/3; in the units 1.
        pytest.param([[1, 2], [2, 1]], -0.5, id="opposed"),
        # The third unit has no pair.
        pytest.param([[1, 2], [2, 1], [9]], -0.5, id="single"),
        pytest.param([[1], [2]], None, id="one-judge"),
        pytest.param([[3, 3], [3, 3]], None, id="no-spread"),
        pytest.param([], None, id="nothing"),
    ],
)
def test_alpha_by_hand(units: list[list[float]], alpha: float | None) -> None:
    assert krippendorff_alpha(units) == pytest.approx(alpha)


@pytest.mark.parametrize("strictness", [0.0, 3.0])
def test_corrected_correlations_come_near_to_the_true_one(strictness: float) -> None:
    # Quality with a standard deviation of 1; metric and each of three judges add as much noise: the
    # metric correlates with quality by sqrt(1/2), with the mean of judges by sqrt(1/2 * 3/4).
    draw = np.random.default_rng(4)
    quality = draw.normal(size=(200, 50))
    scores = quality + draw.normal(size=quality.shape)
    ratings = quality[..., np.newaxis] + draw.normal(size=(*quality.shape, 3))
    ratings += strictness * np.array([-1.0, 0.0, 1.0])
    found = np.corrcoef(scores.ravel(), ratings.mean(axis=2).ravel())[0, 1]
    assert found == pytest.approx(0.375**0.5, abs=0.02)
    for level in ("pooled", "summary"):
        ceiling = consistency(level, ratings) ** 0.5
        assert found / ceiling == pytest.approx(0.5**0.5, abs=0.02)
