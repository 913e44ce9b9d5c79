"""The simulations of tools/simulate.py in small: bounds that a wrong test breaks.

A share of n sets that is p in truth is further off than 4 sqrt(p (1 - p) / n) in one of 16,000.
"""

from math import sqrt

import pytest

from tools.simulate import (
    LAWS,
    RUN_LAWS,
    SIMULATIONS,
    accuracy_rates,
    best_rates,
    cells_exchanged_rate,
    cluster_rates,
    correction_rates,
    error_rates,
    exchange_rates,
    failing_rates,
    family_rates,
    found_pairs,
    found_rate,
    gate_rates,
    looked_at,
    run_rate,
    same_rate,
    score_rate,
    set_rates,
    unequal_rate,
    wrongly_better,
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


def test_the_correction_keeps_the_level() -> None:
    assert family_rates(0.0, 100)[0] <= bound(LEVEL, 100)
    wrong, found = family_rates(0.8, 60)
    assert wrong <= bound(LEVEL, 60)
    assert found > 0.5


@pytest.mark.parametrize("law", RUN_LAWS)
@pytest.mark.parametrize("n_runs", [(2, 2), (3, 3), (5, 5), (2, 10)])
def test_runs_of_equal_systems(law: str, n_runs: tuple[int, int]) -> None:
    assert run_rate(RUN_LAWS[law], n_runs, 300) <= bound(LEVEL, 300)


def test_runs_of_systems_that_differ() -> None:
    assert run_rate(RUN_LAWS["texts and runs"], (5, 5), 300, differ=5.0) > 0.9


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
    assert same_rate(n_evals, (fails, 0.0), "0.02", 200) <= bound(LEVEL, 200)


def test_equal_systems_are_the_same() -> None:
    assert same_rate(300, (0.0, 0.0), "0.02", 50) == 1.0


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
    assert worse <= bound(LEVEL, 200)
    # Half of these runs or more show that a system is as good.
    assert equal > least(0.5, 200)


@pytest.mark.parametrize(("n_evals", "fails"), [(50, 0.04), (100, 0.02), (200, 0.01)])
@pytest.mark.parametrize("spread", [0.0, 0.02])
def test_rare_failures_seldom_pass(n_evals: int, fails: float, spread: float) -> None:
    # One run of seven has no failure: 0.96^50 = 0.130, 0.98^100 = 0.133, 0.99^200 = 0.134.
    by_gate, by_bootstrap = failing_rates(n_evals, fails, spread, 200)
    assert by_gate <= bound(LEVEL, 200)
    assert by_bootstrap > LEVEL


def test_a_gate_holds_for_one_look() -> None:
    assert looked_at(1, 400) <= bound(LEVEL, 400)
    assert looked_at(10, 400) > LEVEL


@pytest.mark.parametrize(("n_evals", "fails"), [(50, 0.02), (100, 0.02)])
def test_what_failures_could_turn_is_said(n_evals: int, fails: float) -> None:
    wrong, silent = wrongly_better(n_evals, fails, 100)
    assert wrong > LEVEL
    assert silent == 0


def test_rare_gains_are_not_the_same() -> None:
    # A difference of 0.024; 0.97^30 = 0.4 of sets of 30 EVALs show nothing of it.
    assert same_rate(30, (0.03, 0.0), "0.02", 100, (0.2, 0.8)) <= bound(LEVEL, 100)


@pytest.mark.parametrize("tau", [0.0, 0.02])
def test_means_of_data_sets(tau: float) -> None:
    held, _, narrow = set_rates(3, tau, 400)
    assert held >= least(0.95, 400)
    assert narrow == 0


def test_intervals_of_few_scores_are_too_narrow() -> None:
    # What the note on intervals is for, and where it is not needed.
    assert score_rate("normal", 5, 200) < least(0.95, 200)
    assert score_rate("4 of 5 are 0", 10, 200) < least(0.95, 200)
    assert score_rate("normal", 100, 200) >= least(0.95, 200)


def test_corrected_correlations_are_the_true_ones_however_strict_judges_are() -> None:
    for true, plain, corrected, held, not_given in correction_rates(3.0, 40).values():
        # Correlations spread by about 0.1 from study to study, and means of 40 by 0.02.
        assert plain < corrected == pytest.approx(true, abs=0.06)
        assert held > least(0.85, 40)
        assert not_given < 0.1


def test_below_the_system_level_likings_break_the_test() -> None:
    assert cells_exchanged_rate(("summary", "pearson"), 0.0, 6, 20) <= bound(LEVEL, 20)
    assert cells_exchanged_rate(("summary", "pearson"), 0.6, 6, 20) > bound(LEVEL, 20)
