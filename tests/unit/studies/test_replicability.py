"""Several data sets at once: reference values of partial conjunctions and of random effects."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from math import inf
from statistics import mean, variance
from typing import Any

import pytest

from rouge_cli.scores.results import Results
from rouge_cli.studies.compare.replicability import (
    AcrossSets,
    SetCounts,
    across_sets,
    bonferroni,
    fisher,
    monotone,
    n_shown,
    random_effects,
)
from rouge_cli.studies.paired_tests import TestPlan, holm_adjusted
from rouge_cli.studies.resampling import chi_square_tail
from tests.unit.studies.comparisons import Case, names_of, reference_cases, results_of

CASES = reference_cases("replicability")
CONJUNCTIONS = [case for case in CASES if "p" in case]
EFFECTS = [case for case in CASES if "effects" in case]


def exact(values: list[float]) -> list[Fraction]:
    return [Fraction(repr(value)) for value in values]


def near(values: Any) -> Any:
    # Some p are tiny: at 1e-9 of their size.
    return pytest.approx(values, rel=1e-9, abs=0)


@pytest.mark.parametrize("case", CONJUNCTIONS, ids=names_of(CONJUNCTIONS))
def test_partial_conjunctions(case: Case) -> None:
    p_values, level = exact(case["p"]), Fraction(repr(case["alpha"]))
    expected = case["expect"]
    for name, of_p in (("bonferroni", bonferroni(p_values)), ("fisher", fisher(p_values))):
        assert [float(p) for p in of_p] == near(expected[name]["p"])
        assert [float(p) for p in monotone(of_p)] == near(expected[name]["p_monotone"])
        assert n_shown(of_p, level) == expected[name]["k_hat"]
    rejected = [k for k, p in enumerate(holm_adjusted(p_values)) if p <= level]
    assert rejected == sorted(expected["holm_rejected"])
    # The number that Bonferroni's combination shows is that which Holm's procedure rejects.
    assert len(rejected) == expected["bonferroni"]["k_hat"]


@pytest.mark.parametrize("case", EFFECTS, ids=names_of(EFFECTS))
def test_random_effects(case: Case) -> None:
    expected, found = case["expect"], random_effects(case["effects"], case["variances"], 0.95)
    assert len(case["effects"]) == expected["k"]
    assert [found.fixed_mean, found.fixed_error] == near(list(expected["fixed"].values()))
    assert [found.q, found.i2, found.tau2] == pytest.approx(
        [expected[key] for key in ("Q", "I2", "tau2")], rel=1e-9, abs=1e-12
    )
    assert found.tau2 == pytest.approx(max(0, expected["tau2_untruncated"]), abs=1e-12)
    assert found.p_q == near(expected["p_Q"])
    random = expected["random"]
    assert [found.mean, found.error] == near([random["mean"], random["se"]])
    assert list(found.normal_interval) == near(random["interval_95_normal"])
    assert found.p_normal == near(random["p_two_sided_normal"])
    # The stored error is that of the first paper; the modified one is never below `random["se"]`.
    stored = random["se_hartung_knapp"]
    error = max(stored, random["se"])
    assert found.knapp_error == pytest.approx(error, abs=1e-9)
    if stored:
        lower, upper = random["interval_95_hartung_knapp"]
        half = (upper - lower) / 2 / stored * error
        expected_interval = [random["mean"] - half, random["mean"] + half]
        assert list(found.interval) == pytest.approx(expected_interval, abs=1e-9)


def test_an_interval_is_never_narrower_than_that_of_equal_differences() -> None:
    # Three data sets with a standard error of 0.1 that agree exactly: Q = 0 and tau^2 = 0, so that
    # Hartung and Knapp's first error is 0. The error is 0.1 / sqrt(3), times 4.30265, the 0.975
    # quantile of t with 2 degrees of freedom, on either side.
    found = random_effects([0.2, 0.2, 0.2], [0.01, 0.01, 0.01], 0.95)
    assert found.knapp_error == pytest.approx(0.1 / 3**0.5)
    half = 4.30265 * 0.1 / 3**0.5
    assert list(found.interval) == pytest.approx([0.2 - half, 0.2 + half], abs=1e-6)
    assert half > found.normal_interval[1] - 0.2


def test_far_tails_of_chi_square() -> None:
    # exp(-1000 / 2), exactly so with 2 degrees.
    assert chi_square_tail(1000, 2) == pytest.approx(7.124576406741286e-218, rel=1e-12)
    assert (chi_square_tail(0, 3), chi_square_tail(inf, 3)) == (1.0, 0.0)


# Systems on several data sets.


def results_of_sets(sets: Mapping[str, Mapping[str, list[int]]]) -> tuple[Results, dict[str, str]]:
    """Return results, and the data set of each EVAL.

    `sets` have the scores of each system in hundred-thousandths, EVAL by EVAL.
    """
    scores: dict[str, dict[str, int]] = {}
    set_of = {}
    for name, by_system in sets.items():
        for system, units in by_system.items():
            for number, unit in enumerate(units):
                scores.setdefault(system, {})[f"{name}{number}"] = unit
                set_of[f"{name}{number}"] = name
    return results_of(scores), set_of


def plain_one_sided(differences: list[int]) -> float:
    sums = [
        sum(sign * one for sign, one in zip(signs, differences, strict=True))
        for signs in product((1, -1), repeat=len(differences))
    ]
    return sum(one >= sum(differences) for one in sums) / len(sums)


DIFFERENCES = {
    "x": [10_000, 20_000, 30_000, 20_000, 10_000, 40_000, 10_000],
    "y": [-5_000, 10_000, 0, 20_000, -1_000],
    "z": [-9_000, -3_000, 2_000, -8_000, -7_000, -9_000],
}


def across_differences(*order: str) -> tuple[AcrossSets, list[str]]:
    """Compare systems that are so far apart, in this order; return warnings too."""
    sets = {
        name: {"a": [50_000 + one for one in apart], "b": [50_000] * len(apart)}
        for name, apart in DIFFERENCES.items()
    }
    results, set_of = results_of_sets(sets)
    plan_ = TestPlan("F", 999, 1, Fraction("0.95"))
    across, warnings = across_sets(results, order, plan_, set_of)
    ((key, of_pair),) = across.items()
    assert key[1:] == order
    return of_pair, warnings


def test_what_each_data_set_says() -> None:
    across, warnings = across_differences("a", "b")
    assert [one.name for one in across.sets] == ["x", "y", "z"]
    assert [one.n_evals for one in across.sets] == [7, 5, 6]
    p_a = [plain_one_sided(apart) for apart in DIFFERENCES.values()]
    p_b = [plain_one_sided([-one for one in apart]) for apart in DIFFERENCES.values()]
    assert [one.p_a for one in across.sets] == p_a
    assert [one.p_b for one in across.sets] == p_b
    # 1/128 in x is below 0.025 / 3; in z, B is better in 2/64 of the choices, which is not.
    assert p_a[0] == 1 / 128
    assert [one.better for one in across.sets] == ["a", None, None]
    # In y the sum is 24 of 36, and four choices turn no more than 6 of these: 4/16. Fisher: -2 ln
    # of 1/128, 4/16 and 63/64 adds up to 9.70 + 2.77 + 0.03 = 12.5, and chi-square with 6 degrees
    # of freedom exceeds 14.4 in 2.5%.
    assert p_a[1:] == [4 / 16, 63 / 64]
    assert across.a_better == SetCounts(1, 0)
    assert across.b_better.bonferroni == 0
    assert across.effect is not None
    shares = [[one / 100_000 for one in apart] for apart in DIFFERENCES.values()]
    expected = random_effects(
        [mean(apart) for apart in shares], [variance(apart) / len(apart) for apart in shares], 0.95
    )
    assert across.effect.mean == pytest.approx(expected.mean)
    assert across.effect.interval == pytest.approx(expected.interval)
    assert warnings == [
        "data set 'x' and 2 more with fewer than 20 texts: its interval and its weight in the mean "
        "of data sets are rough"
    ]


def test_the_other_order_of_systems() -> None:
    first, _ = across_differences("a", "b")
    second, _ = across_differences("b", "a")
    assert [one.p_a for one in first.sets] == [one.p_b for one in second.sets]
    assert (first.a_better, first.b_better) == (second.b_better, second.a_better)
    assert first.effect is not None
    assert second.effect is not None
    assert first.effect.mean == pytest.approx(-second.effect.mean)
