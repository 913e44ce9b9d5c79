"""Several runs of a system: reference values of standard errors, components and resamples."""

from math import sqrt
from typing import Any

import numpy as np
import pytest

from rouge_cli.errors import InputError
from rouge_cli.studies.compare.runs import (
    components,
    largest_violation,
    merged_runs,
    resampled_means,
    sd_of_ratios,
    spread,
    spread_of_difference,
    stepped_ratio,
    systems_of_runs,
    violation_ratio,
)
from tests.unit.studies.comparisons import Case, names_of, reference_cases, results_of

CASES = reference_cases("runs")
NAMES = names_of(CASES)


def near(value: Any) -> Any:
    return pytest.approx(value, abs=1e-9)


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_systems(case: Case) -> None:
    for name, expected in case["expect"]["systems"].items():
        scores = np.array(case["systems"][name])
        assert scores.mean() == near(expected["mean"])
        means = scores.mean(axis=1)
        assert means.tolist() == near(expected["run_means"])
        if expected["sd_of_run_means"] is not None:
            assert means.std(ddof=1) == near(expected["sd_of_run_means"])
        found, errors = spread(scores), expected["se"]
        assert [found.evals, found.runs, found.both] == near(
            [errors[key] for key in ("items", "runs", "crossed")]
        )
        # If each run had EVALs of its own.
        of_evals = scores.var(axis=1).mean() / scores.size
        assert sqrt(found.runs**2 + of_evals) == near(errors["runs_then_items"])
        if "components" in expected:
            parts = components(scores)
            assert [parts.runs, parts.evals, parts.rest] == near(
                [expected["components"][key] for key in ("runs", "items", "rest")]
            )
            assert parts.error == near(expected["se_components"])


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_differences(case: Case) -> None:
    for names, expected in case["expect"]["differences"].items():
        first, second = (np.array(case["systems"][name]) for name in names.split("-"))
        assert first.mean() - second.mean() == near(expected["difference"])
        found = spread_of_difference(first, second)
        assert [found.evals, found.runs, found.both] == near(
            [expected["se"][key] for key in ("items", "runs", "crossed")]
        )


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_intervals_of_resamples(case: Case) -> None:
    # Those of the file are percentiles of 200,000 resamples, here of 50,000: each has an error of
    # 2.67 / sqrt(resamples) standard errors, so both together 0.0134. Four times that, and as much
    # as coarse data have besides.
    scores = {name: np.array(runs) for name, runs in case["systems"].items()}
    if scores["s1"].shape[1] == 1:
        pytest.skip("one EVAL")
    means = dict(zip(scores, resampled_means([*scores.values()], 50_000, 1), strict=True))
    for names, expected in case["expect"]["differences"].items():
        first, second = names.split("-")
        interval = np.percentile(means[first] - means[second], [2.5, 97.5])
        tolerance = 0.1 * expected["se"]["crossed"] + 1e-9
        assert interval.tolist() == pytest.approx(
            expected["interval_95_of_200000"]["crossed"], abs=tolerance
        )
    for name, expected in case["expect"]["systems"].items():
        tolerance = 0.1 * expected["se"]["crossed"] + 1e-9
        assert np.percentile(means[name], [2.5, 97.5]).tolist() == pytest.approx(
            expected["interval_95_of_200000"]["crossed"], abs=tolerance
        )


def test_equal_runs_are_not_larger() -> None:
    # The quantiles of both are the same, so neither lies above the other.
    assert largest_violation([0.1, 0.2, 0.3], [0.3, 0.1, 0.2], 0.05) == 0.5
    assert largest_violation([0.1, 0.2], [0.1, 0.1, 0.2, 0.2], 0.05) == 0.5


ORDERED = [case for case in CASES if "aso" in case["expect"]]


@pytest.mark.parametrize("case", ORDERED, ids=names_of(ORDERED))
def test_almost_stochastic_order(case: Case) -> None:
    expected = case["expect"]["aso"]
    first, second = (
        case["expect"]["systems"][expected[which]]["run_means"] for which in ("a", "b")
    )
    assert violation_ratio(first, second) == near(expected["violation_ratio"])
    ascending = np.sort(first), np.sort(second)
    assert stepped_ratio(*ascending) == near(expected["violation_ratio_at_dt_0.005"])
    assert sd_of_ratios(*ascending) == near(expected["sd_of_bootstrap_ratios"])
    assert largest_violation(first, second, 0.05) == near(expected["eps_min_1"])
    # For three comparisons the program takes 1 - (0.95 + 0.05 / 3) instead of 0.05 / 3.
    assert largest_violation(first, second, 0.05 - 0.05 / 3) == near(expected["eps_min_3"])
    true = largest_violation(first, second, 0.05 / 3)
    assert true == near(expected["eps_min_3_true_bonferroni"])


# Systems and their runs.


def test_names_of_runs() -> None:
    names = ["a seed=1", "b", "a Seed=x=2", "a b seed=1", "seed=3"]
    assert systems_of_runs(names, "seed") == {
        "a": ["a seed=1", "a Seed=x=2"],
        "b": ["b"],
        "a b": ["a b seed=1"],
        "seed=3": ["seed=3"],
    }


def test_means_over_runs_on_the_evals_that_all_have() -> None:
    results = results_of(
        {"a1": {"x": 10, "y": 20, "z": 30}, "a2": {"z": 31, "y": 21}, "b": {"y": 5, "z": 6, "w": 7}}
    )
    merged, warnings = merged_runs(results, {"a": ["a1", "a2"], "b": ["b"]})
    assert [*merged.table.systems] == ["a", "b"]
    system = merged.table.systems["a"]
    assert system.eval_ids == ("y", "z")
    assert system.columns["ROUGE-1"].row("F").tolist() == pytest.approx([20.5e-5, 30.5e-5])
    assert warnings == ["only 2 of 4 EVALs count, those that all runs have"]
    with pytest.raises(InputError, match="the runs have no EVAL in common"):
        merged_runs(results_of({"a": {"x": 1}, "b": {"y": 1}}), {"a": ["a"], "b": ["b"]})


def test_resamples_of_runs_are_drawn_apart() -> None:
    # Two systems with the same scores: with the same draws their difference would always be 0.
    scores = np.array([[0.1, 0.2], [0.5, 0.6], [0.9, 1.0]])
    first, second = resampled_means([scores, scores], 2000, 1)
    assert first.mean() == pytest.approx(0.55, abs=0.03)
    assert np.std(first - second) > 0.1
