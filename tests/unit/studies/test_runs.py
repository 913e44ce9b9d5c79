"""Several runs of a system: reference values of errors and components, and Student's t of both."""

from math import sqrt
from typing import Any

import numpy as np
import pytest
import scipy.stats

from rouge_cli.errors import InputError
from rouge_cli.studies.compare.runs import (
    RunsOfPair,
    TwoWayLayout,
    compared_over_runs,
    components,
    mean_errors,
    merged_runs,
    systems_of_runs,
)
from tests.unit.studies.comparisons import Case, names_of, plan, reference_cases, results_of

CASES = reference_cases("runs")
NAMES = names_of(CASES)


def near(value: Any) -> Any:
    return pytest.approx(value, abs=1e-9)


def unbiased(error: float, n: int) -> float | None:
    """Turn a standard error with the number as divisor into one with the number less 1."""
    return near(error * sqrt(n / (n - 1))) if n > 1 else None


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_systems(case: Case) -> None:
    for name, expected in case["expect"]["systems"].items():
        scores = np.array(case["systems"][name])
        assert scores.mean() == near(expected["mean"])
        means = scores.mean(axis=1)
        assert means.tolist() == near(expected["run_means"])
        if expected["sd_of_run_means"] is not None:
            assert means.std(ddof=1) == near(expected["sd_of_run_means"])
        layout = TwoWayLayout(scores)
        found, errors = mean_errors(layout), expected["se"]
        n_runs, n_evals = scores.shape
        assert found.evals == unbiased(errors["items"], n_evals)
        assert found.runs == unbiased(errors["runs"], n_runs)
        if "components" not in expected:
            assert found.both is None
            continue
        assert found.both is not None
        parts = components(layout, found.both)
        assert [parts.runs, parts.evals, parts.rest] == near(
            [expected["components"][key] for key in ("runs", "items", "rest")]
        )
        assert parts.error == found.both == near(expected["se_components"])


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_differences(case: Case) -> None:
    for names, expected in case["expect"]["differences"].items():
        systems = [np.array(case["systems"][name]) for name in names.split("-")]
        assert systems[0].mean() - systems[1].mean() == near(expected["difference"])
        found, n_evals = mean_errors(*map(TwoWayLayout, systems)), systems[0].shape[1]
        n_runs = [len(scores) for scores in systems]
        assert found.evals == unbiased(expected["se"]["items"], n_evals)
        parts = [case["expect"]["systems"][name].get("components") for name in names.split("-")]
        if min(n_runs) == 1 or None in parts:
            assert (found.both, found.degrees) == (None, None)
            continue
        # Each component by its number, those below 0 as 0; EVALs are those of the differences.
        rests = [part["rest"] / size / n_evals for part, size in zip(parts, n_runs, strict=True)]
        runs = [part["runs"] for part in parts]
        if n_runs[0] != n_runs[1]:
            fewer = n_runs.index(min(n_runs))
            squares = [x["runs"] + x["rest"] / n_evals for x in parts]
            runs[fewer] = max(squares) - parts[fewer]["rest"] / n_evals
        of_evals = expected["se"]["items"] ** 2 * n_evals / (n_evals - 1) - sum(rests)
        of_runs = sum(max(x, 0) / size for x, size in zip(runs, n_runs, strict=True))
        variance = of_runs + max(of_evals, 0) + sum(rests)
        assert found.both == near(sqrt(variance))


def test_degrees_of_freedom_by_hand() -> None:
    # Runs differ, and EVALs and the rest do not: the test of Welch, whose means and variances are
    # those of the runs, with its degrees of freedom, 4.4, rounded down.
    first, second = np.array([1.0, 2.0, 4.0, 7.0]), np.array([3.0, 4.0, 4.0, 6.0])
    layouts = [np.repeat(runs[:, np.newaxis], 5, axis=1) for runs in (first, second)]
    found = mean_errors(*map(TwoWayLayout, layouts))
    welch = scipy.stats.ttest_ind(first, second, equal_var=False)
    assert int(welch.df) == found.degrees == 4
    assert found.both is not None
    assert (first.mean() - second.mean()) / found.both == near(welch.statistic)
    # Runs are all alike: the paired test of Student, with 4 degrees of freedom.
    evals = [np.array([[1.0, 2, 3, 4, 5]] * 3), np.array([[2.0, 2, 5, 3, 9]] * 2)]
    found = mean_errors(*map(TwoWayLayout, evals))
    student = scipy.stats.ttest_rel(evals[0][0], evals[1][0])
    assert found.degrees == student.df == 4
    assert found.both is not None
    assert (3 - 4.2) / found.both == near(student.statistic)
    # Variances 2 of runs, by 2 runs, in both, and 4 of EVALs, by 4: 1 + 1 + 1, without a rest;
    # 3^2 / (1 / 1 + 1 / 1 + 1 / 3) is 3.86.
    runs = np.array([[-1.0], [1.0]])
    apart = np.array([-1.0, -1, 1, 1]) * sqrt(3)
    found = mean_errors(TwoWayLayout(runs + apart), TwoWayLayout(runs + np.zeros(4)))
    assert (found.both, found.degrees) == (near(sqrt(3)), 3)


def test_few_runs_that_happen_to_be_alike() -> None:
    # Two runs that are the same beside four that vary: by as much as these.
    few = TwoWayLayout(np.full((2, 3), 5.0))
    more = TwoWayLayout(np.repeat([[1.0], [2.0], [3.0], [6.0]], 3, axis=1))
    variance = 14 / 3
    found = mean_errors(few, more)
    assert found.both == near(sqrt(variance / 2 + variance / 4))
    # 5.25^2 of that / ((7/3)^2 / 1 + (7/6)^2 / 3): 2.08.
    assert found.degrees == 2
    assert mean_errors(more, few) == found


def compared(
    systems: dict[str, Any], confidence: str = "0.95"
) -> dict[tuple[str, str], RunsOfPair]:
    """Compare systems of runs, in hundred-thousandths, in a single column."""
    by_run = {
        f"{name} seed={number}": {str(10 + place): units for place, units in enumerate(run)}
        for name, runs in systems.items()
        for number, run in enumerate(runs)
    }
    runs = systems_of_runs([*by_run], "seed")
    results = results_of(by_run)
    evals = next(iter(results.table.systems.values())).eval_ids
    _, pairs = compared_over_runs(results, runs, evals, plan(confidence=confidence))
    return {(first, second): pair for (_, first, second), pair in pairs.items()}


def test_the_test_over_runs_is_corrected_over_pairs() -> None:
    draw = np.random.default_rng(4)
    base = {"a": 30_000, "b": 31_500, "c": 40_000}
    systems = {
        name: (mean + draw.normal(0, 900, (4, 1)) + draw.normal(0, 900, (4, 30))).astype(int)
        for name, mean in base.items()
    }
    pairs = compared(systems)
    p = [pair.p or 0.0 for pair in pairs.values()]
    for names, pair in pairs.items():
        found = mean_errors(*(TwoWayLayout(systems[name] / 1e5) for name in names))
        assert found.both is not None
        assert found.degrees is not None
        t = abs(pair.difference) / found.both
        assert pair.p == pytest.approx(2 * scipy.stats.t.sf(t, found.degrees), rel=1e-6)
        half = scipy.stats.t.ppf(0.975, found.degrees) * found.both
        assert pair.interval == near((pair.difference - half, pair.difference + half))
    first, second, third = sorted(p)
    holm = {first: 3 * first, second: max(3 * first, 2 * second), third: max(2 * second, third)}
    assert [pair.p_holm for pair in pairs.values()] == pytest.approx([holm[x] for x in p])
    assert [pair.is_larger for pair in pairs.values()] == [holm[x] <= 0.05 for x in p]


def test_what_says_nothing_of_runs() -> None:
    same = [[10, 20, 30], [10, 30, 20]]
    (pair,) = compared({"a": same, "b": same}).values()
    assert (pair.p, pair.p_holm, pair.is_larger) == (1, 1, False)
    for systems in ({"a": same, "b": same[:1]}, {"a": [[1], [2]], "b": [[3], [5]]}):
        (pair,) = compared(systems).values()
        assert [pair.interval, pair.p, pair.p_holm, pair.is_larger] == [None] * 4
    (pair,) = compared({"a": same, "b": [[40, 30, 80], [20, 50, 60]]}, "1").values()
    assert pair.interval is None
    assert pair.is_larger is False


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
    assert warnings == ["only the 2 of 4 texts that all runs have are compared"]
    with pytest.raises(InputError, match="the runs have no text in common"):
        merged_runs(results_of({"a": {"x": 1}, "b": {"y": 1}}), {"a": ["a"], "b": ["b"]})
