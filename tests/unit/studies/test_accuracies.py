"""Accuracies over pairs of systems: reference values, small cases by hand, resamples and tests."""

from collections.abc import Mapping
from itertools import combinations, product
from math import isnan, nan
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from rouge_cli.studies.correlate import accuracies
from rouge_cli.studies.correlate.accuracies import (
    SoftAccuracy,
    TiedPairs,
    accuracy_values,
    exchanged_shares,
    resampled_soft_accuracies,
    resampled_tied_accuracy,
    soft_accuracies,
    tied_accuracy,
)
from rouge_cli.studies.correlate.coefficients import (
    at_level,
    exactly_at_level,
    matched_means,
    pair_counts,
    pairwise_accuracy,
    whole_numbers,
)
from rouge_cli.studies.resampling import Resampling
from tests.unit.studies.comparisons import (
    best_metric_tests,
    correlation_intervals,
    permutation_tests,
    reference_cases,
)

Floats = NDArray[np.float64]

CASES = reference_cases("meta")
KEYS = {"pearson": "pearson", "spearman": "spearman", "kendall": "tau_b"}
"""What coefficients are called in the cases."""


def table(rows: list[list[float | None]]) -> Floats:
    return np.array([[nan if value is None else value for value in row] for row in rows])


def near(expected: float | None) -> object:
    """Expect a reference value; None is undefined."""
    return pytest.approx(nan if expected is None else expected, abs=1e-9, nan_ok=True)


def blocks() -> list[Any]:
    """Return human, metrics and expected values of each case; of missing cells in both ways."""
    found = []
    for case in CASES:
        human = table(case["human"])
        metrics = {name: table(rows) for name, rows in case["metrics"].items()}
        expect = case["expect"]
        if "cells" not in expect:
            found.append(pytest.param(human, metrics, expect, id=case["name"]))
            continue
        found.append(pytest.param(human, metrics, expect["cells"], id=f"{case['name']}-cells"))
        items = expect["complete_items"]["items"]
        kept = {name: values[:, items] for name, values in metrics.items()}
        name = f"{case['name']}-complete"
        found.append(pytest.param(human[:, items], kept, expect["complete_items"], id=name))
    return found


@pytest.mark.parametrize(("human", "metrics", "expect"), blocks())
def test_reference_values(
    human: Floats, metrics: Mapping[str, Floats], expect: dict[str, Any]
) -> None:
    people, _ = whole_numbers(human)
    for name, values in metrics.items():
        scores, step = whole_numbers(values)
        check_means(scores, people, expect["system"][name])
        check_items(scores, people, expect["summary"][name])
        groupings = {
            "item": (scores, people),
            "sys": (scores.T, people.T),
            "none": (scores.reshape(-1, 1), people.reshape(-1, 1)),
        }
        for grouping, expected in expect["acc_eq"][name].items():
            found = tied_accuracy(TiedPairs(*groupings[grouping]), step)
            assert found.n_groups == expected["groups"]
            assert found.n_thresholds == expected["maximisers"]
            assert found.at_zero == near(expected["at_0"])
            assert found.best == near(expected["best"])
            assert found.threshold == near(expected["epsilon"])
            assert found.largest_threshold == near(expected["largest_maximiser"])


def check_means(scores: Floats, people: Floats, expected: dict[str, Any]) -> None:
    means = matched_means(scores, people)
    pairs = pair_counts(*means)
    assert expected["pairs"] == [
        pairs.concordant,
        pairs.discordant,
        pairs.tied_in_judgements,
        pairs.tied_in_scores,
        pairs.tied_in_both,
    ]
    assert pairs.accuracy == near(expected["accuracy"])
    assert at_level("system", "pa", scores, people) == near(expected["accuracy"])
    assert pairs.accuracy_of_untied == near(expected["accuracy_human_untied"])
    assert pairs.tau_c == near(expected["tau_c"])
    for name, key in KEYS.items():
        assert exactly_at_level("system", name, scores, people)[0] == near(expected[key])


def check_items(scores: Floats, people: Floats, expected: dict[str, Any]) -> None:
    for name, key in KEYS.items():
        found = exactly_at_level("summary", name, scores, people)
        assert found[0] == near(expected[key][0])
        assert scores.shape[1] - found[1] == expected[key][1]
    values = [pair_counts(scores[:, k], people[:, k]).tau_c for k in range(scores.shape[1])]
    defined = [value for value in values if not isnan(value)]
    assert len(defined) == expected["tau_c"][1]
    assert (np.mean(defined) if defined else nan) == near(expected["tau_c"][0])


WITH_SOFT = [block for block in blocks() if "spa" in block.values[2]]


@pytest.mark.parametrize(("human", "metrics", "expect"), WITH_SOFT)
def test_soft_accuracy(
    human: Floats,
    metrics: Mapping[str, Floats],
    expect: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    people, _ = whole_numbers(human)
    scores = np.stack([whole_numbers(values)[0] for values in metrics.values()], axis=2)
    expected = [expect["spa"][name] for name in metrics]
    found = soft_accuracies(scores, people, 1)
    assert all(one.is_exact for one in found)
    assert [one.value for one in found] == [near(values["spa"]) for values in expected]
    if human.shape[1] > 12:
        monkeypatch.setattr(accuracies, "EXACT_WORK", 0)
        for one, values in zip(soft_accuracies(scores, people, 1), expected, strict=True):
            assert not one.is_exact
            # Four standard deviations of 10,000 draws, by that of 1,000.
            bound = 4 * values["sd_of_1000_draws"] * (1000 / accuracies.DRAWS) ** 0.5
            assert one.value == pytest.approx(values["spa"], abs=bound)


def test_soft_accuracy_by_hand() -> None:
    # Differences of people 1 1: of the four signs only + + has a sum of 2 or more: p = 1/4. Those
    # of the first metric are alike; those of the second 1 -1, with a sum of 0: + +, - - and both
    # of + - and - +, which have 2 and -2: 3 of 4. The third is constant: p = 1.
    judged = np.array([[2.0, 3.0], [1.0, 2.0]])
    scores = np.array([[[9, 1, 5], [9, 0, 5]], [[8, 0, 5], [8, 1, 5]]], np.float64)
    found = soft_accuracies(scores, judged, 1)
    assert [one.value for one in found] == [1.0, 0.5, 0.25]


def test_soft_accuracy_needs_all_cells() -> None:
    judged = np.array([[2.0, nan], [1.0, 2.0]])
    (found,) = soft_accuracies(np.ones((2, 2, 1)), judged, 1)
    assert isnan(found.value)
    assert not found.is_exact


def test_accuracy_by_hand() -> None:
    # Pairs of people: 1-2 up, 1-3 up, 2-3 tied. The scores: up, tied, down.
    judged, scores = np.array([1.0, 2.0, 2.0]), np.array([5.0, 7.0, 5.0])
    pairs = pair_counts(scores, judged)
    assert (pairs.concordant, pairs.discordant) == (1, 0)
    assert (pairs.tied_in_judgements, pairs.tied_in_scores, pairs.tied_in_both) == (1, 1, 0)
    assert pairs.accuracy == pytest.approx(1 / 3)
    assert pairs.accuracy_of_untied == pytest.approx(1 / 2)
    # k = 2: 2 (1 - 0) 2 / (9 * 1).
    assert pairs.tau_c == pytest.approx(4 / 9)


def test_nothing_to_pair() -> None:
    one = np.array([1.0])
    assert isnan(pair_counts(one, one).accuracy)
    assert isnan(pair_counts(one, one).tau_c)
    assert isnan(pairwise_accuracy(one, one))
    found = tied_accuracy(TiedPairs(one[:, np.newaxis], one[:, np.newaxis]))
    assert (found.n_groups, found.n_thresholds) == (0, 0)
    assert isnan(found.best)
    assert isnan(found.threshold)


def test_a_unit_makes_no_pair_with_itself() -> None:
    # Units 0 0 1: of three pairs two are of 0 and 1, both wrong.
    scores, judged, same = np.array([1.0, 1, 2]), np.array([2.0, 2, 1]), np.array([0, 0, 1])
    assert pairwise_accuracy(scores, judged) == pytest.approx(1 / 3)
    assert pairwise_accuracy(scores, judged, same) == 0.0
    assert isnan(pairwise_accuracy(scores[:2], judged[:2], same[:2]))


@pytest.mark.parametrize(
    ("values", "whole", "step"),
    [
        pytest.param([0.3, 0.2, 0.1], [3, 2, 1], 10, id="decimals"),
        pytest.param([0.25373, 1.0], [25373, 100000], 1e5, id="rouge"),
        # Means of three judges, and of four and six: 1/12.
        pytest.param([11 / 3, 4.0, 5 + (4 - 5 + 2 - 5) / 3], [11, 12, 11], 3, id="three-judges"),
        pytest.param([2.25, 7 / 6], [27, 14], 12, id="four-and-six-judges"),
        pytest.param([5.0, nan, -3.0], [5, nan, -3], 1, id="whole"),
        pytest.param([0.0, 0.0], [0, 0], 1, id="nothing"),
        # No step: divided by the power of two above the largest.
        pytest.param([2**0.5, 1.0], [2**0.5 / 2, 0.5], 0.5, id="irrational"),
        pytest.param([1e300, 1.0], [1e300 * 2.0**-997, 2.0**-997], 2.0**-997, id="too-large"),
    ],
)
def test_whole_numbers(values: list[float], whole: list[float], step: float) -> None:
    found, found_step = whole_numbers(np.array(values))
    assert found.tolist() == pytest.approx(whole, nan_ok=True, rel=1e-15)
    assert found_step == step


def some_tables(n_systems: int, n_evals: int, seed: int = 1) -> tuple[Floats, Floats]:
    """Return whole numbers with ties: scores, with a missing cell, and judgements."""
    draw = np.random.default_rng(seed)
    judged = draw.integers(1, 5, (n_systems, n_evals)).astype(np.float64)
    scores = judged * 2 + draw.integers(0, 7, (n_systems, n_evals))
    return scores, judged


def drawn_accuracy(scores: Floats, judged: Floats, systems: list[int], evals: list[int]) -> float:
    by_eval: list[list[tuple[float, float]]] = []
    for number in evals:
        pairs = [
            (scores[i, number] - scores[j, number], judged[i, number] - judged[j, number])
            for i, j in combinations(systems, 2)
            if i != j and not isnan(scores[i, number] + scores[j, number])
        ]
        if pairs:
            by_eval.append(pairs)

    def share(pairs: list[tuple[float, float]], limit: float) -> float:
        # Scores that differ by no more than the limit are tied.
        return float(np.mean([np.sign(d) * (abs(d) > limit) == np.sign(z) for d, z in pairs]))

    limits = {0.0, *(abs(distance) for pairs in by_eval for distance, _ in pairs)}
    return max(float(np.mean([share(pairs, limit) for pairs in by_eval])) for limit in limits)


@pytest.mark.parametrize("is_missing", [False, True])
def test_resamples_calibrate_anew(is_missing: bool) -> None:
    scores, judged = some_tables(5, 6)
    if is_missing:
        scores[1, 2] = scores[3, 2] = scores[0, 5] = nan
    draw = np.random.default_rng(7)
    samples = [
        (draw.integers(0, 5, 5).tolist(), draw.integers(0, 6, 6).tolist()) for _ in range(40)
    ]
    systems = np.array([np.bincount(one, minlength=5) for one, _ in samples]).T
    evals = np.array([np.bincount(one, minlength=6) for _, one in samples]).T
    found = resampled_tied_accuracy(TiedPairs(scores, judged), systems, evals)
    for value, sample in zip(found.tolist(), samples, strict=True):
        assert value == pytest.approx(drawn_accuracy(scores, judged, *sample), abs=1e-12)


def test_a_resample_of_one_system_has_no_pair() -> None:
    scores, judged = some_tables(3, 4)
    systems, evals = np.array([[3], [0], [0]]), np.ones((4, 1), np.int64)
    assert np.isnan(resampled_tied_accuracy(TiedPairs(scores, judged), systems, evals)).all()
    found = resampled_soft_accuracies(scores[..., np.newaxis], judged, systems, evals, 1)
    assert np.isnan(found).all()


def test_soft_accuracy_of_resamples() -> None:
    scores, judged = some_tables(4, 8)
    evals = np.array([[2, 1, 0, 1, 1, 1, 1, 1], [1] * 8]).T
    # Systems 0, 0, 1 and 3: of the pairs 0-1, 0-3 and 1-3 the first two count twice.
    systems = np.array([[2, 1, 0, 1], [1, 1, 1, 1]]).T
    found = resampled_soft_accuracies(scores[..., np.newaxis], judged, systems, evals, 1)[0]
    drawn = np.repeat(np.arange(8), evals[:, 0])
    wanted = weighted_soft(scores[:, drawn], judged[:, drawn], [2, 1, 0, 1])
    # Up to 12 EVALs all signs are taken.
    assert found[0] == pytest.approx(wanted, abs=0.04)
    assert found[1] == pytest.approx(weighted_soft(scores, judged, [1, 1, 1, 1]), abs=0.04)


def weighted_soft(scores: Floats, judged: Floats, times: list[int]) -> float:
    weights, total = 0.0, 0.0
    signs = np.array(list(product([1, -1], repeat=scores.shape[1])))
    for i, j in combinations(range(len(scores)), 2):
        shares = [np.mean(signs @ (x[i] - x[j]) >= (x[i] - x[j]).sum()) for x in (scores, judged)]
        total += times[i] * times[j] * (1 - abs(shares[0] - shares[1]))
        weights += times[i] * times[j]
    return float(total / weights)


def test_many_evals_are_normal(monkeypatch: pytest.MonkeyPatch) -> None:
    scores, judged = some_tables(5, 60, seed=3)
    ones = np.ones((5, 1), np.int64), np.ones((60, 1), np.int64)
    (exact,) = soft_accuracies(scores[..., np.newaxis], judged, 1)
    assert exact.is_exact
    found = resampled_soft_accuracies(scores[..., np.newaxis], judged, *ones, 1)
    assert found[0, 0] == pytest.approx(exact.value, abs=0.005)


def test_exchanged_systems() -> None:
    scores, judged = some_tables(4, 7)
    other, _ = some_tables(4, 7, seed=2)
    tables = np.stack((scores, other)) / 10
    found = exchanged_shares(tables, judged, 1)
    signs = np.array(list(product([1, -1], repeat=7)))
    for a, b in product(range(2), repeat=2):
        for i, j in combinations(range(4), 2):
            d, z = tables[a, i] - tables[b, j], judged[i] - judged[j]
            shares = [np.mean(signs @ x >= x.sum() - 1e-9) for x in (d, z)]
            assert found[a, b, i, j] == pytest.approx(1 - abs(shares[0] - shares[1]))
            assert found[a, b, j, i] == 0


MEASURED = [("system", "pa"), ("summary", "acc-eq"), ("system", "spa")]


@pytest.mark.parametrize("measured", MEASURED)
@pytest.mark.parametrize("n_metrics", [2, 4])
def test_a_good_metric_is_told_from_noise(measured: tuple[str, str], n_metrics: int) -> None:
    draw = np.random.default_rng(5)
    judged = np.round(draw.normal(size=(14, 20)) + 2 * draw.normal(size=(14, 1)))
    noise = np.round(100 * draw.normal(size=(14, 20, n_metrics)))
    noise[..., 0] = 100 * judged + np.round(10 * draw.normal(size=(14, 20)))
    how = Resampling(199, 1)
    best, *others = best_metric_tests(measured, noise, judged, how)
    assert best is not None
    assert max(p for p in others if p is not None) < 0.05
    (pair,) = permutation_tests(measured, noise, judged, [(0, 1)], how)
    assert pair.p is not None
    assert pair.p < 0.05
    assert pair.difference is not None
    assert pair.difference > 0.1
    if n_metrics == 2:
        assert others == [pytest.approx(pair.p)]


@pytest.mark.parametrize("measured", MEASURED)
def test_a_metric_alone_and_against_itself(measured: tuple[str, str]) -> None:
    scores, judged = some_tables(6, 9)
    alone = best_metric_tests(measured, scores[..., np.newaxis], judged, Resampling(20, 1))
    assert alone == [1.0]
    both = np.stack((scores, scores), axis=2)
    (found,) = permutation_tests(measured, both, judged, [(0, 1)], Resampling(50, 1))
    assert (found.difference, found.p) == (0.0, 1.0)
    intervals = correlation_intervals(measured, both, judged, Resampling(50, 1), 90.0)
    assert intervals[0] == intervals[1]


@pytest.mark.parametrize("measured", MEASURED)
@pytest.mark.parametrize("resampled", ["evals", "systems", "both"])
def test_intervals_hold_the_value(measured: tuple[str, str], resampled: str) -> None:
    draw = np.random.default_rng(11)
    quality = draw.normal(size=(12, 1)) + draw.normal(size=(12, 15))
    judged = np.round(quality + draw.normal(size=(12, 15)))
    scores = np.round(100 * (quality + draw.normal(size=(12, 15))))[..., np.newaxis]
    values = {
        "pa": float(at_level("system", "pa", scores[..., 0], judged)),
        "acc-eq": tied_accuracy(TiedPairs(scores[..., 0], judged)).best,
        "spa": soft_accuracies(scores, judged, 1)[0].value,
    }
    how = Resampling(300, 1, resampled, clusters=np.arange(15) // 3)
    (found,) = correlation_intervals(measured, scores, judged, how, 95.0)
    assert found[0] is not None
    low, high = found[0]
    assert low <= values[measured[1]] <= high
    assert 0.02 < high - low < 0.5


def test_what_is_constant() -> None:
    # A constant metric ties every pair: wrong where people have an order, p = 1 everywhere.
    judged = np.array([[3.0, 2], [2, 1], [1, 1]])
    scores = np.stack((np.ones((3, 2)), judged), axis=2)
    assert at_level("system", "pa", scores, judged[..., np.newaxis]).tolist() == [0.0, 1.0]
    # Of three pairs in each EVAL, people tie one of the second.
    found = tied_accuracy(TiedPairs(scores[..., 0], judged))
    assert found.best == pytest.approx(1 / 6)
    assert found.threshold == 0.0
    for measured in MEASURED:
        p_values = best_metric_tests(measured, scores, judged, Resampling(20, 1))
        assert all(p is not None for p in p_values)


def test_signs_of_clusters() -> None:
    # EVALs 0 and 2 are a cluster: so are their sums in a table of two EVALs.
    scores, judged = some_tables(5, 3)
    clusters = np.array([0, 1, 0])
    summed = [np.stack((x[:, 0] + x[:, 2], x[:, 1]), axis=1) for x in (scores, judged)]
    (expected,) = soft_accuracies(summed[0][..., np.newaxis], summed[1], 1)
    how = Resampling(30, 1, "evals", clusters=clusters)
    measured = ("system", "spa")
    ((value, n_dropped, detail),) = accuracy_values(
        "spa", scores[..., np.newaxis], judged, [1.0], how
    )
    (turned,) = soft_accuracies(summed[0][::-1, :, np.newaxis], summed[1][::-1], 1)
    assert (value, n_dropped) == (expected.value, 0)
    assert detail == SoftAccuracy(expected.value, expected.is_exact, turned.value)
    (found,) = correlation_intervals(measured, scores[..., np.newaxis], judged, how, 99.0)
    assert found[0] is not None
    noise, _ = some_tables(5, 3, seed=9)
    both = np.stack((scores, noise), axis=2)
    (test,) = permutation_tests(measured, both, judged, [(0, 1)], how)
    (of_sums,) = permutation_tests(
        measured,
        np.stack((summed[0], noise[:, [0, 1]] + noise[:, [2, 2]] * [1, 0]), axis=2),
        summed[1],
        [(0, 1)],
        Resampling(30, 1),
    )
    assert test.difference == pytest.approx(of_sums.difference)
