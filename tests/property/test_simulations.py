"""The simulations of tools/simulate.py in small: bounds that a wrong test breaks.

A share of n sets that is p in truth is further off than 4 sqrt(p (1 - p) / n) in one of 16,000.
"""

from math import sqrt

import pytest

from tools.simulate import (
    LAWS,
    SIMULATIONS,
    accuracy_rates,
    best_rates,
    cluster_rates,
    error_rates,
    exchange_rates,
    family_rates,
    found_pairs,
    found_rate,
    gate_rates,
    looked_at,
    promises,
    same_rate,
    unequal_rate,
)

LEVEL = 0.05


def bound(share: float, n_sets: int) -> float:
    return share + 4 * sqrt(share * (1 - share) / n_sets)


def least(share: float, n_sets: int) -> float:
    return share - 4 * sqrt(share * (1 - share) / n_sets)


@pytest.mark.parametrize("law", ["normal", "skewed", "discrete", "tied"])
@pytest.mark.parametrize("n_evals", [10, 50])
def test_randomisation_keeps_its_level(law: str, n_evals: int) -> None:
    _, randomisation = error_rates(LAWS[law], n_evals, 400, 499)
    assert randomisation <= bound(LEVEL, 400)


def test_neither_test_is_made_for_hurt_evals() -> None:
    # The page says so: 10% of EVALs hurt, 30 EVALs.
    bootstrap, randomisation = error_rates(LAWS["hurt"], 30, 800, 499)
    assert min(bootstrap, randomisation) > bound(LEVEL, 800)


def test_the_bootstrap_needs_some_evals() -> None:
    assert error_rates(LAWS["normal"], 5, 800, 499)[0] > bound(LEVEL, 800)
    assert error_rates(LAWS["normal"], 100, 800, 499)[0] <= bound(0.055, 800)


def test_both_corrections_keep_the_level_and_one_finds_more() -> None:
    holm, step_down, _, _ = family_rates(0.0, 100)
    assert max(holm, step_down) <= bound(LEVEL, 100)
    wrong_holm, wrong_step_down, found_holm, found_step_down = family_rates(0.8, 60)
    assert max(wrong_holm, wrong_step_down) <= bound(LEVEL, 60)
    assert found_step_down > found_holm > 0.5


@pytest.mark.parametrize("sizes", [[10] * 20, [2] * 10 + [18] * 10], ids=["even", "uneven"])
def test_clusters_have_to_be_told(sizes: list[int]) -> None:
    _, alone = cluster_rates(sizes, 0.3, 300, with_clusters=False)
    bootstrap, randomisation = cluster_rates(sizes, 0.3, 300, with_clusters=True)
    assert alone > 0.2
    assert randomisation <= bound(LEVEL, 300)
    # 20 clusters are few for a bootstrap.
    assert bootstrap <= bound(0.1, 300)


@pytest.mark.parametrize("liking", [0.0, 0.6])
def test_whole_systems_are_exchanged(liking: float) -> None:
    cells, systems, williams = exchange_rates((12, 30), liking, 150)
    assert max(systems, williams) <= bound(LEVEL, 150)
    assert (cells > 0.25) == (liking > 0)


def test_accuracies_keep_the_level_where_their_assumption_holds() -> None:
    assert max(accuracy_rates((10, 12), 0.0, 100)) <= bound(LEVEL, 100)
    by_accuracy, _, by_soft = accuracy_rates((10, 12), 0.6, 100)
    assert max(by_accuracy, by_soft) <= bound(LEVEL, 100)


def test_one_test_of_all_metrics() -> None:
    single, joint, _ = best_rates(0.3, 0, 100)
    assert single > 0.6
    assert joint <= bound(LEVEL, 100)


@pytest.mark.parametrize("family", [(3, 1), (8, 1), (4, 4)])
def test_metrics_that_are_alike_and_others(family: tuple[int, ...]) -> None:
    assert unequal_rate(family, 8, 0.05, 200) <= bound(LEVEL, 200)


@pytest.mark.parametrize(("n_evals", "fails"), [(30, 0.05), (100, 0.05)])
def test_rare_failures_are_not_the_same(n_evals: int, fails: float) -> None:
    # A difference of 0.025, beyond the margin, which one set of 30 EVALs in five shows nothing of.
    assert same_rate(n_evals, fails, 0.0, "0.02", 200) <= bound(LEVEL, 200)


def test_equal_systems_are_the_same() -> None:
    assert same_rate(300, 0.0, 0.0, "0.02", 50) == 1.0


def test_williams_finds_more() -> None:
    by_systems, by_williams = found_pairs(14, 200)
    assert by_williams > by_systems > 0.5


@pytest.mark.parametrize("law", ["normal", "skewed"])
def test_what_is_detectable_is_found_in_four_of_five(law: str) -> None:
    share = found_rate(LAWS[law], 60, 300)
    assert least(0.8, 300) <= share <= bound(0.8, 300)


def test_a_table_is_printed() -> None:
    lines = list(SIMULATIONS["letters"]().lines())
    assert lines[2:4] == ["|  | patterns |", "| --- | --: |"]


@pytest.mark.parametrize("law", ["normal", "skewed", "tied"])
def test_a_system_that_is_worse_by_the_margin_seldom_passes(law: str) -> None:
    worse, equal = gate_rates(LAWS[law], 100, "0.03", 200)
    assert worse[0] <= bound(LEVEL, 200)
    assert worse[1] <= bound(LEVEL, 200)
    # Enough of these EVALs show that a system is as good.
    assert equal[0] > least(0.75, 200)


def test_only_the_anytime_bound_may_be_looked_at_again() -> None:
    bootstrap, anytime = looked_at(200)
    assert bootstrap > bound(LEVEL, 200)
    assert anytime <= bound(LEVEL, 200)


def test_large_pilots_promise_the_power_that_studies_have() -> None:
    # New studies of 20 systems have a power of 0.84; means of four pilots spread by 0.05.
    assert 0.64 < float(promises((100, 50), 4, 50).mean()) < 0.98
