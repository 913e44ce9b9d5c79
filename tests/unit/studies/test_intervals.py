"""Intervals of differences, and the quantiles that they need."""

from collections.abc import Callable
from fractions import Fraction
from math import sqrt

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from rouge_cli.studies.resampling import (
    Spread,
    _bca_shares,
    chi_square_quantile,
    chi_square_tail,
    difference_interval,
    effect_size,
    t_quantile,
)

Law = Callable[[np.random.Generator, int], NDArray[np.float64]]
LAWS: dict[str, Law] = {
    "normal": lambda random, n: random.normal(0.1, 1, n),
    "skewed": lambda random, n: random.exponential(1, n),
    "hurt": lambda random, n: np.where(random.random(n) < 0.1, -9.0, random.normal(1, 0.5, n)),
}


@pytest.mark.parametrize("degrees", [1, 2, 3, 4, 9, 30, 49, 50, 1000])
@pytest.mark.parametrize("share", [0.2, 0.5, 0.8, 0.975, 0.9995])
def test_quantiles_of_t(share: float, degrees: int) -> None:
    expected = scipy.stats.t.ppf(share, degrees)
    assert t_quantile(share, degrees) == pytest.approx(expected, rel=1e-6, abs=1e-12)


@pytest.mark.parametrize("degrees", [2, 11, 19, 49, 30_000])
@pytest.mark.parametrize("share", [0.05, 0.2, 0.5, 0.9])
def test_quantiles_of_chi_square(share: float, degrees: int) -> None:
    expected = scipy.stats.chi2.ppf(share, degrees)
    assert chi_square_quantile(share, degrees) == pytest.approx(expected, rel=1e-9)
    assert chi_square_tail(expected, degrees) == pytest.approx(1 - share, rel=1e-9)


def spread_of(differences: NDArray[np.float64]) -> Spread:
    return Spread.of(differences, np.ones(len(differences)))


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("n", [10, 40, 200])
def test_percentiles_are_those_of_scipy(law: str, n: int) -> None:
    """BCa with the normal quantiles, on the resamples that scipy has drawn."""
    differences = LAWS[law](np.random.default_rng(n), n)
    expected = scipy.stats.bootstrap(
        (differences,),
        np.mean,
        n_resamples=9999,
        method="BCa",
        random_state=np.random.default_rng(1),
    )
    means = expected.bootstrap_distribution
    # So much that the quantile is 1.96 when it is made wider for n EVALs.
    t = scipy.stats.norm.ppf(0.975) * sqrt((n - 1) / n)
    found = _bca_shares(means * n, differences.sum(), spread_of(differences), t)
    low, high = expected.confidence_interval
    assert found == pytest.approx(((means < low).mean(), (means > high).mean()), abs=2e-4)


def test_student() -> None:
    """4 differences: their variance is 5/3, and t of 3 degrees of freedom 3.182446."""
    spread = spread_of(np.array([1.0, 2.0, 3.0, 4.0]))
    half = 3.182446305284263 * sqrt(4 * 5 / 3)
    found = difference_interval(np.full(9, 10.0), 10.0, spread, Fraction("0.95"))
    assert found == pytest.approx((10 - half, 10 + half))


@pytest.mark.parametrize("n", [10, 20, 100])
@pytest.mark.parametrize("t", [0.0, 1.5, -6.0])
def test_effect_size(n: int, t: float) -> None:
    """The noncentral t with its bounds is as far out as the t observed in 2.5% of samples."""
    error = 3.0
    spread = Spread(error, 0.0, n)
    effect = effect_size(t * error, spread, spread, Fraction("0.95"))
    assert effect is not None
    assert effect.lower is not None
    assert effect.upper is not None
    assert effect.value == pytest.approx(t / sqrt(n))
    upper_tail = scipy.stats.nct.sf(t, n - 1, effect.lower * sqrt(n))
    lower_tail = scipy.stats.nct.cdf(t, n - 1, effect.upper * sqrt(n))
    assert (upper_tail, lower_tail) == pytest.approx((0.025, 0.025), abs=0.008)
    # The same with A and B exchanged.
    other = effect_size(-t * error, spread, spread, Fraction("0.95"))
    assert other is not None
    assert (other.lower, other.upper) == pytest.approx((-effect.upper, -effect.lower))


def test_no_effect_size_without_a_spread() -> None:
    spread = Spread(0.0, 0.0, 5)
    assert effect_size(0.0, spread, spread, Fraction("0.95")) is None


def test_effect_size_of_clusters() -> None:
    """20 EVALs with a mean of 0.5 and a standard deviation of 2 have a d of 0.25.

    The sum of 10 has an error of 2 * sqrt(20) by EVALs, and here twice that by clusters: its t is
    10 / (4 * sqrt(20)), and d is this t times 2 / sqrt(20).
    """
    error = 2 * sqrt(20)
    clusters, evals = Spread(2 * error, 0.0, 5), Spread(error, 0.0, 20)
    effect = effect_size(10.0, clusters, evals, Fraction("0.95"))
    # The bounds are those of the t of 5 clusters, in other units.
    alone = effect_size(10.0, clusters, clusters, Fraction("0.95"))
    assert effect is not None
    assert alone is not None
    assert effect.value == pytest.approx(0.25)
    scale = 0.25 / alone.value
    bounds = [bound and bound * scale for bound in (alone.lower, alone.upper)]
    assert [effect.lower, effect.upper] == pytest.approx(bounds)
    # No bounds where clusters do not differ, or all differences are to be in the interval.
    for spread, confidence in ((Spread(0.0, 0.0, 5), "0.95"), (clusters, "1")):
        unbounded = effect_size(10.0, spread, evals, Fraction(confidence))
        assert unbounded is not None
        assert unbounded.value == pytest.approx(0.25)
        assert (unbounded.lower, unbounded.upper) == (None, None)


def test_the_farther_bounds_count() -> None:
    """Below, resamples reach farther than Student's interval, above they do not."""
    spread = spread_of(np.array([1.0, 2.0, 3.0, 4.0]))
    resampled = np.array([-100.0] * 10 + [10.0] * 9)
    lower, upper = difference_interval(resampled, 10.0, spread, Fraction("0.95"))
    assert lower == -100
    assert upper == pytest.approx(10 + 3.182446305284263 * sqrt(20 / 3))


@pytest.mark.parametrize("differences", [[5.0], [2.0, 2.0, 2.0], [0.0] * 9])
def test_without_spread(differences: list[float]) -> None:
    observed = sum(differences)
    found = difference_interval(
        np.full(9, observed), observed, spread_of(np.array(differences)), Fraction("0.95")
    )
    assert found == (observed, observed)


def test_shares_differ_by_no_more_than_1() -> None:
    """Student's interval of two differences reaches far beyond; a single EVAL says nothing."""
    share = Fraction("0.95")
    spread = spread_of(np.array([0.0, 1.0]))
    found = difference_interval(np.array([0.0, 1.0, 2.0] * 3), 1.0, spread, share, 2.0)
    assert found == (-2, 2)
    alone = spread_of(np.array([0.5]))
    assert difference_interval(np.full(9, 0.5), 0.5, alone, share, 1.0) == (-1, 1)


def test_all_resamples() -> None:
    """At a confidence of 100% Student's interval has no end."""
    resampled = np.random.default_rng(0).permutation(np.arange(99.0))
    found = difference_interval(resampled, 50.0, Spread(3.0, 0.1, 20), Fraction(1))
    assert found == (0, 98)


DIFFERENCES = st.lists(st.integers(-9, 9), min_size=1, max_size=30)


@given(DIFFERENCES, st.integers(0, 99), st.sampled_from(["0", "0.5", "0.95", "0.999", "1"]))
def test_the_other_way_round(values: list[int], seed: int, confidence: str) -> None:
    """B - A has exactly the negative interval of A - B, and both hold the difference."""
    differences = np.array(values, np.float64)
    draws = np.random.default_rng(seed).integers(0, len(values), (99, len(values)))
    resampled, observed = differences[draws].sum(axis=1), float(differences.sum())
    share = Fraction(confidence)
    lower, upper = difference_interval(resampled, observed, spread_of(differences), share)
    other = difference_interval(-resampled, -observed, spread_of(-differences), share)
    assert other == (-upper, -lower)
    if share < 1:
        assert lower <= observed <= upper
