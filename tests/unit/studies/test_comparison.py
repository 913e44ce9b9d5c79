"""Comparisons of made-up scores, with numbers worked by hand."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import pytest

from rouge_cli.errors import OptionError
from rouge_cli.studies.compare.comparison import compare
from rouge_cli.studies.compare.results import RandomisationResult, TestResult
from tests.unit.studies.comparisons import plain_bootstrap, plain_exact, plan, results_of

# In the EVALs that both have, one is better by 10, 20, 30, 40 and 50.
ONE = {"1": 60, "2": 70, "3": 80, "4": 90, "5": 150}
TWO = {"1": 50, "2": 50, "3": 50, "4": 50, "5": 100}
FEW = (
    "only 5 texts in common: with fewer than 20 the p of the bootstrap comes out too small and the "
    "interval may be too narrow; go by the randomisation, whose p is never below 0.0625 then"
)


def many(start: int, steps: Sequence[int]) -> dict[str, int]:
    """Return scores of 30 EVALs, which go round the steps."""
    return {str(number): start + steps[number % len(steps)] for number in range(30)}


def test_a_pair() -> None:
    comparison = compare(results_of({"one": ONE, "two": TWO}), ["one", "two"], plan())
    (pair,) = comparison.pairs
    assert (pair.system_a, pair.system_b, pair.n_evals, pair.n_unequal) == ("one", "two", 5, 5)
    assert (pair.mean_a, pair.mean_b, pair.difference) == (0.0009, 0.0006, 0.0003)
    # Only all plus and all minus are as far from 0: 2 of 32, and 32 are no more than 99.
    assert pair.randomisation == RandomisationResult(
        2 / 32, 2 / 32, is_significant=False, is_exact=True
    )
    p = plain_bootstrap([10, 20, 30, 40, 50], 99, 1)
    assert pair.bootstrap == TestResult(float(p), float(p), is_significant=p <= Fraction(1, 20))
    assert pair.better is None
    assert comparison.warnings == (FEW,)


def test_systems_that_lack_evals() -> None:
    # EVALs 2 and 10 are common; EVAL IDs have byte order, and another order in the input.
    scores = {"one": {"10": 4, "2": 9, "1": 50}, "two": {"2": 3, "3": 70, "10": 8}}
    (pair,) = compare(results_of(scores), ["one", "two"], plan()).pairs
    assert (pair.n_evals, pair.mean_a, pair.mean_b) == (2, 6.5 / 100_000, 5.5 / 100_000)
    assert float(plain_bootstrap([4 - 8, 9 - 3], 99, 1)) == pair.bootstrap.p
    assert float(plain_exact([-4, 6])) == pair.randomisation.p == 1


def test_pairs_and_ranking_go_over_the_same_evals() -> None:
    scores = {"one": ONE, "two": TWO, "few": {"2": 5, "4": 1}}
    comparison = compare(results_of(scores), ["one", "two", "few"], plan())
    found = [(pair.system_a, pair.system_b, pair.n_evals) for pair in comparison.pairs]
    assert found == [("one", "two", 2), ("one", "few", 2), ("two", "few", 2)]
    ranked = {system.id: system for system in comparison.rankings[0].systems}
    for pair in comparison.pairs:
        assert pair.mean_a == ranked[pair.system_a].mean
        assert pair.mean_b == ranked[pair.system_b].mean
    assert (ranked["few"].n_evals, ranked["few"].mean) == (2, 3 / 100_000)
    assert (
        "only 2 of 5 texts count, those that all compared systems have: 'few' lacks 3"
        in comparison.warnings
    )


def test_a_system_with_the_easy_evals_is_not_first() -> None:
    # In each EVAL that both have, "all" is better by 2 or 3; "easy" lacks the 25 hard ones, so that
    # its mean over its own EVALs, about 600, is above the mean of "all", about 400.
    easy = {f"{number:02}": 600 + number % 2 for number in range(35)}
    hard = {f"{number:02}": 100 for number in range(35, 60)}
    scores = {"easy": easy, "all": {name: score + 2 for name, score in easy.items()} | hard}
    scores["all"]["00"] += 1
    comparison = compare(results_of(scores), ["easy", "all"], plan(resamples=999))
    (pair,) = comparison.pairs
    assert pair.better == "all"
    assert pair.randomisation.p == 1 / 1000
    (ranking,) = comparison.rankings
    assert [(system.id, system.n_evals, system.letters) for system in ranking.systems] == [
        ("all", 35, ("a",)),
        ("easy", 35, ("b",)),
    ]
    # 17 of the 35 easy EVALs have 601.
    assert [system.mean for system in ranking.systems] == [
        pytest.approx((35 * 602 + 17 + 1) / 35 / 100_000, abs=1e-15),
        pytest.approx((35 * 600 + 17) / 35 / 100_000, abs=1e-15),
    ]
    assert (
        "only 35 of 60 texts count, those that all compared systems have: 'easy' lacks 25"
        in comparison.warnings
    )


def test_many_systems_that_lack_evals() -> None:
    scores = {f"s{number}": dict(list(ONE.items())[number:]) for number in (0, 1, 2, 3, 4)}
    comparison = compare(results_of(scores), list(scores), plan())
    assert comparison.warnings[0] == (
        "only 1 of 5 texts count, those that all compared systems have: 's4' lacks 4, "
        "'s3' lacks 3, 's2' lacks 2, 1 more system lacks some"
    )


def test_groups_and_the_better_system() -> None:
    # best beats the others in every EVAL; mid and low differ by as much up as down.
    scores = {
        "low": many(1000, [0, 30, 60]),
        "best": many(5000, [0, 7, 14]),
        "mid": many(1000, [45, 45, 0]),
    }
    comparison = compare(results_of(scores), list(scores), plan(resamples=999))
    (ranking,) = comparison.rankings
    found = [(one.id, one.mean, one.letters) for one in ranking.systems]
    assert found == [("best", 0.05007, ("a",)), ("low", 0.0103, ("b",)), ("mid", 0.0103, ("b",))]
    assert [pair.better for pair in ranking.pairs] == ["best", None, "best"]
    # Three comparisons, and no resample of 999 as far off as what was observed.
    assert [pair.randomisation.p_holm for pair in ranking.pairs] == [3 / 1000, 1, 3 / 1000]
    assert comparison.warnings == ()


def test_measures() -> None:
    results = results_of({"one": ONE, "two": TWO}, {"one": 40, "two": 40})
    comparison = compare(results, ["one", "two"], plan("PF"))
    found = [
        (one.column.metric, one.column.letter, one.column.measure, one.pairs[0].difference)
        for one in comparison.rankings
    ]
    assert found == [("ROUGE-1", "P", "precision", 0), ("ROUGE-1", "F", "f_measure", 0.0003)]
    # The correction is over both: twice the smaller p.
    assert [one.pairs[0].randomisation.p_holm for one in comparison.rankings] == [1, 2 * 2 / 32]


def test_level_is_compared_while_exact() -> None:
    # Both tests: 1/20 with 19 resamples, which is a level of 0.05 and not above it.
    scores = {"one": many(1000, [0, 3]), "two": many(500, [0])}
    (pair,) = compare(results_of(scores), ["one", "two"], plan(resamples=19)).pairs
    assert pair.randomisation == RandomisationResult(0.05, 0.05, is_significant=True)
    assert pair.bootstrap == TestResult(0.05, 0.05, is_significant=True)
    (pair,) = compare(
        results_of(scores), ["one", "two"], plan(resamples=19, confidence="0.951")
    ).pairs
    assert not pair.randomisation.is_significant


def test_many_comparisons_take_more_resamples() -> None:
    # Twice 3 comparisons at a level of .0001 need 60,000; at .001 they need 6,000.
    scores = {
        name: many(60, values) for name, values in (("a", [0, 1]), ("b", [1, 2]), ("c", [2, 3]))
    }
    found = compare(
        results_of(scores), [*scores], replace(plan(confidence="0.9999"), may_grow=True)
    )
    assert found.plan.resamples == 100_000
    assert not any("resamples" in warning for warning in found.warnings)
    assert {pair.randomisation.p_holm for pair in found.pairs} == {3 / 100_001}
    assert all(pair.better for pair in found.pairs)
    usual = replace(plan(resamples=10_000), may_grow=True)
    assert usual.grown(250, 25) == usual
    # 5,310 comparisons of 60 systems in 3 metrics: 2 * 5,310 / .05 - 1.
    assert usual.grown(5310, 180).resamples == 212_399
    # No more than what is held at once, 2^27 sums; and no more than were asked for.
    assert usual.grown(10**6, 300).resamples == 2**27 // 300
    assert plan(resamples=10_000).grown(5310, 180).resamples == 10_000
    assert replace(usual, confidence=Fraction(1)).grown(5310, 180).resamples == 10_000


def test_warnings_of_the_run_come_first() -> None:
    results = replace(results_of({"one": ONE, "two": TWO}), warnings=("something",))
    assert compare(results, ["one", "two"], plan()).warnings == ("something", FEW)


def test_scores_beyond_exact_sums() -> None:
    with pytest.raises(OptionError) as caught:
        compare(results_of({"one": {"1": 10**17}, "two": {"1": 1}}), ["one", "two"], plan())
    assert str(caught.value) == (
        "-w/--weight: system 'one' has scores up to 1e+12, too large to be compared exactly; "
        "expected a weight nearer to 1"
    )
