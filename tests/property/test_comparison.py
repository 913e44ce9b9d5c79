"""Comparisons on generated scores: what must not matter does not, and p is what it says it is."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from rouge_cli.studies.compare.comparison import compare
from rouge_cli.studies.compare.results import PairResult
from rouge_cli.studies.paired_tests import bootstrap_p, holm_adjusted, randomisation_p
from rouge_cli.studies.resampling import drawn_sums, swaps, times_drawn
from tests.property.strategies import few
from tests.unit.studies.comparisons import (
    plain_bootstrap,
    plain_exact,
    plain_randomisation,
    plan,
    results_of,
)

Scores = dict[str, dict[str, int]]

# Few values, so that there are ties; and many.
units = st.integers(0, 3) | st.integers(0, 100_000)
p_values = st.integers(0, 20).map(lambda k: Fraction(k, 20))


@st.composite
def systems(draw: st.DrawFn, n_systems: int = 3) -> Scores:
    """Draw scores of some systems, of which any two have EVAL 0 in common."""
    n_evals = draw(st.integers(1, 9))
    evals = [str(number) for number in range(n_evals)]
    absent = st.sets(st.sampled_from(evals[1:])) if n_evals > 1 else st.just(set[str]())
    return {
        f"s{number}": {one: draw(units) for one in evals if one not in left_out}
        for number in range(n_systems)
        for left_out in [draw(absent)]
    }


def turned(pair: PairResult) -> PairResult:
    """Return the same comparison with A and B in each other's place."""
    return PairResult(
        pair.column,
        pair.system_b,
        pair.system_a,
        pair.n_evals,
        pair.n_unequal,
        pair.mean_b,
        pair.mean_a,
        -pair.difference,
        (-pair.interval[1], -pair.interval[0]),
        pair.bootstrap,
        pair.randomisation,
        pair.minimum_detectable_difference,
        skewness=-pair.skewness,
        effect=pair.effect and replace(pair.effect, value=-pair.effect.value),
        failure_loss=pair.failure_loss,
        letters_a=pair.letters_b,
        letters_b=pair.letters_a,
    )


@given(systems(4), st.permutations(range(4)), st.sampled_from([1, 20, 40]))
@few(100)
def test_order_of_the_systems(scores: Scores, order: list[int], resamples: int) -> None:
    names = list(scores)
    expected = compare(results_of(scores), names, plan(resamples=resamples))
    permuted = {names[place]: scores[names[place]] for place in order}
    found = compare(results_of(permuted), list(permuted), plan(resamples=resamples))
    by_names = {(pair.system_a, pair.system_b): pair for pair in expected.pairs}
    for pair in found.pairs:
        as_given = by_names.get((pair.system_a, pair.system_b))
        same = as_given or turned(by_names[pair.system_b, pair.system_a])
        assert replace(pair, skewness=0, effect=None) == replace(same, skewness=0, effect=None)
        assert pair.skewness == pytest.approx(same.skewness)
        assert (pair.effect is None) == (same.effect is None)
        if pair.effect is not None and same.effect is not None:
            assert pair.effect.value == pytest.approx(same.effect.value)
    assert found.rankings[0].systems == expected.rankings[0].systems


@given(systems(2), st.integers(0, 1000))
@few(100)
def test_both_tests_follow_their_definitions(scores: Scores, seed: int) -> None:
    one, two = scores.values()
    # EVALs of one digit have the same order as numbers and as bytes.
    differences = [one[name] - two[name] for name in one if name in two]
    (pair,) = compare(results_of(scores), list(scores), plan(resamples=30, seed=seed)).pairs
    assert pair.bootstrap.p == float(plain_bootstrap(differences, 30, seed))
    assert pair.randomisation.p == float(plain_randomisation(differences, 30, seed))
    assert pair.n_evals == len(differences)


@given(systems(1), st.sampled_from([1, 7, 50]))
@few(50)
def test_a_system_against_itself(scores: Scores, resamples: int) -> None:
    twice = {"a": scores["s0"], "b": scores["s0"]}
    (pair,) = compare(results_of(twice), ["a", "b"], plan(resamples=resamples)).pairs
    # A single EVAL does not say how much differences vary: anything may be.
    assert (pair.difference, pair.interval) == (0, (0, 0) if len(scores["s0"]) > 1 else (-1, 1))
    assert (pair.bootstrap.p, pair.randomisation.p, pair.better) == (1, 1, None)


@given(systems(2), st.lists(st.integers(0, 50_000), min_size=9, max_size=9))
@few(100)
def test_what_both_systems_gain_does_not_matter(scores: Scores, gains: list[int]) -> None:
    def tested(results: Scores) -> list[object]:
        (pair,) = compare(results_of(results), list(results), plan(resamples=40)).pairs
        return [pair.difference, pair.interval, pair.bootstrap, pair.randomisation]

    # No score is above 1, before or after.
    halves = {
        system: {name: score // 2 for name, score in by_eval.items()}
        for system, by_eval in scores.items()
    }
    gained = {
        system: {name: score + gains[int(name)] for name, score in by_eval.items()}
        for system, by_eval in halves.items()
    }
    assert tested(gained) == tested(halves)


@given(st.lists(st.integers(-3, 3) | st.integers(-100_000, 100_000), max_size=10))
def test_enumeration_is_that_of_every_choice(differences: list[int]) -> None:
    p = randomisation_p(np.array(differences, np.float64), np.zeros(1 << 10))
    assert p == (plain_exact(differences), True)


@pytest.mark.parametrize("seed", range(5))
def test_enumeration_is_that_of_scipy(seed: int) -> None:
    stats = pytest.importorskip("scipy.stats")
    one, other = np.random.default_rng(seed).integers(0, 50, (2, 9)).astype(np.float64)
    result = stats.permutation_test(
        (one, other),
        lambda first, second, axis: np.sum(first - second, axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=np.inf,
    )
    p, _ = randomisation_p(one - other, np.zeros(1 << 9))
    assert float(p) == pytest.approx(result.pvalue, abs=1e-12)


@given(st.lists(p_values, max_size=8))
def test_holm(values: list[Fraction]) -> None:
    adjusted = holm_adjusted(values)
    # The definition, for each in order: the largest of all up to it.
    ascending = sorted(values)
    for value, found in zip(values, adjusted, strict=True):
        steps = [(len(values) - place) * p for place, p in enumerate(ascending) if p <= value]
        # Of equal ones the first is multiplied by most.
        assert found == min(1, max(steps))


N_RUNS, RESAMPLES, N_EVALS = 2000, 199, 100


def null_p_values(test: Callable[[NDArray[np.float64], int], Fraction]) -> NDArray[np.float64]:
    """Return the p of many pairs of systems that are equally good, each with draws of its own."""
    random = np.random.default_rng(2004)
    p = [test(np.rint(random.normal(0, 10_000, N_EVALS)), seed) for seed in range(N_RUNS)]
    return np.array(p, np.float64)


def by_bootstrap(differences: NDArray[np.float64], seed: int) -> Fraction:
    """Return the p of the paired bootstrap."""
    drawn = drawn_sums(times_drawn, differences[:, np.newaxis], RESAMPLES, seed)[:, 0]
    return bootstrap_p(drawn, float(differences.sum()))


def by_randomisation(differences: NDArray[np.float64], seed: int) -> Fraction:
    """Return the p of the randomisation."""
    swapped = drawn_sums(swaps, differences[:, np.newaxis], RESAMPLES, seed)[:, 0]
    p, _ = randomisation_p(differences, swapped)
    return p


@pytest.mark.parametrize(
    ("test", "bias"),
    [
        pytest.param(by_randomisation, 0.0, id="randomisation"),
        # It takes for normal, with the variance of n and not of n - 1, what has Student's law: for
        # 100 EVALs 2 phi(z) (z / 2 n + (z^3 + z) / 4 n) of p, which is at most 0.0052.
        pytest.param(by_bootstrap, 0.0055, id="bootstrap"),
    ],
)
def test_p_is_uniform_when_systems_are_equal(
    test: Callable[[NDArray[np.float64], int], Fraction], bias: float
) -> None:
    p = np.sort(null_p_values(test))
    levels = np.arange(1, RESAMPLES + 2) / (RESAMPLES + 1)
    share = np.searchsorted(p, levels, side="right") / N_RUNS
    # Dvoretzky, Kiefer and Wolfowitz: further off than this in one of 1000 simulations.
    bound = np.sqrt(np.log(2 / 0.001) / (2 * N_RUNS))
    assert np.abs(share - levels).max() <= bound + bias
    # Narrower at the level that matters: 0.05, by 3.3 standard deviations.
    at_level = share[np.flatnonzero(levels == 0.05)].item()
    assert abs(at_level - 0.05) <= 3.3 * np.sqrt(0.05 * 0.95 / N_RUNS) + bias
