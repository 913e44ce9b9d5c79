"""Bounds that hold after any number of EVALs: reference values, and what betting guarantees."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate
from typing import Any

import numpy as np
import pytest
from numpy.typing import ArrayLike

from rouge_cli.errors import OptionError
from rouge_cli.metrics.counts import ScoredMetric
from rouge_cli.options.options import Options
from rouge_cli.scores.results import MetricColumn, Results, ScoreTable, SystemTable
from rouge_cli.studies.compare.comparison import compare
from rouge_cli.studies.draws import shuffled
from rouge_cli.studies.not_worse import (
    Gate,
    NotWorse,
    log_capital,
    lower_bound,
    not_worse,
)
from rouge_cli.studies.paired_tests import TestPlan
from tests.unit.studies.comparisons import Case, names_of, reference_cases, results_of

CASES = reference_cases("gate")
NAMES = names_of(CASES)
NEAR = pytest.approx


def differences_of(case: Case) -> Any:
    return np.array(case["differences"])


def hedged_bounds(differences: Any, alpha: float) -> list[float]:
    """Return the ends of the means against which neither gambler has won 2 / alpha, by halving."""
    bounds = []
    for side, end in enumerate((-1.0, 1.0)):
        out, within = end, -end
        for _ in range(60):
            middle = (out + within) / 2
            won = log_capital(differences, middle, alpha)[side][-1]
            out, within = (middle, within) if won > np.log(2 / alpha) else (out, middle)
        bounds.append(within)
    return bounds


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_hedged_capital(case: Case) -> None:
    expected = case["expect"]["hedged_capital"]
    differences, alpha = differences_of(case), case["alpha"]
    for n, bounds in expected["at"].items():
        assert hedged_bounds(differences[: int(n)], alpha) == NEAR(bounds, abs=1e-9)
    capital = np.maximum(*log_capital(differences, 0.0, alpha)) - np.log(2)
    for n, value in expected["log_capital_at_0"].items():
        assert capital[int(n) - 1] == NEAR(value, abs=1e-9)
    rejected = np.flatnonzero(capital > np.log(1 / alpha))
    first = int(rejected[0]) + 1 if len(rejected) else None
    assert first == expected["first_n_without_0"]


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_the_grid_of_confseq(case: Case) -> None:
    # Its candidates are k / 1000 of x, from 0 to 1; the interval has a step more on each side.
    expected = case["expect"]["hedged_capital"]["confseq_grid"]
    differences, alpha = differences_of(case), case["alpha"]
    grid = np.arange(1001) / 500 - 1
    for n, bounds in expected.items():
        capital = [
            max(of_side[-1] for of_side in log_capital(differences[: int(n)], mean, alpha))
            for mean in grid
        ]
        (kept,) = np.nonzero(np.array(capital) - np.log(2) <= np.log(1 / alpha))
        widened = grid[max(kept[0] - 1, 0)], grid[min(kept[-1] + 1, 1000)]
        assert list(widened) == NEAR(bounds, abs=1e-9)


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_a_lower_bound_is_the_best_so_far(case: Case) -> None:
    # One-sided at 0.025: the lower end of the two-sided interval at 0.05.
    differences = differences_of(case)[:60]
    own = [hedged_bounds(differences[:n], 0.05)[0] for n in range(1, 61)]
    for n, best in enumerate(accumulate(own, max), 1):
        assert lower_bound(differences[:n], 0.025) == NEAR(best, abs=1e-9)


def test_a_difference_beyond_the_scale_is_refused() -> None:
    with pytest.raises(ValueError, match="from -1 to 1"):
        lower_bound(np.array([0.5, 1.5]), 0.05)


# A system and its baseline.

SCORE = ScoredMetric("score", ("S",), "0-1")


def outcome_of(
    now: ArrayLike,
    before: ArrayLike,
    gate: Gate,
    metric: ScoredMetric = SCORE,
    clusters: Mapping[str, str] | None = None,
) -> tuple[NotWorse, list[str]]:
    """Hold the scores of a system against earlier ones, and return the outcome and warnings."""
    # As many digits as have to be: byte order is that of the numbers.
    values = np.array([now, before], np.float64)
    eval_ids = tuple(f"{number:04}" for number in range(values.shape[1]))
    of_now, of_before = (
        SystemTable("a", eval_ids, {metric.name: MetricColumn(metric, row[np.newaxis], None)})
        for row in values
    )
    table = ScoreTable({"a": of_now}, (metric,), clusters or {})
    (outcome,), warnings = not_worse(Results({}, table, Options()), [(of_now, of_before)], gate)
    return outcome, warnings


def gate(margin: str, confidence: str = "0.95", *, is_anytime: bool = False) -> Gate:
    return Gate(Fraction(margin), 1 - Fraction(confidence), is_anytime)


@pytest.mark.parametrize(
    ("margin", "is_met"), [("0.02", False), ("0.0200001", True), ("0.03", True)]
)
def test_a_bound_on_the_margin_is_too_low(margin: str, is_met: bool) -> None:
    # All resamples of equal differences have the same mean, -0.02.
    outcome, _ = outcome_of([0.48] * 30, [0.5] * 30, gate(margin))
    assert (outcome.difference, outcome.lower_bound) == NEAR((-0.02, -0.02))
    assert outcome.is_met is is_met
    assert (outcome.n_evals, outcome.n_unequal, outcome.is_anytime) == (30, 30, False)


@pytest.mark.parametrize("clusters", [{}, {"0000": "x", "0001": "x"}])
def test_one_draw_has_no_bound(clusters: Mapping[str, str]) -> None:
    n_evals = len(clusters) or 1
    scores = [0.5] * n_evals, [0.5] * n_evals
    outcome, _ = outcome_of(*scores, gate("0.1"), clusters=clusters)
    assert (outcome.lower_bound, outcome.is_met, outcome.n_needed) == (None, False, None)


def test_the_bound_of_the_bootstrap() -> None:
    now, before = [0.50, 0.61, 0.43, 0.70, 0.38, 0.52], [0.48, 0.66, 0.40, 0.71, 0.41, 0.50]
    outcome, _ = outcome_of(now, before, gate("0.001"))
    assert not outcome.is_met
    # The differences 2, -5, 3, -1, -3 and 2 have a mean of -0.333 and a standard deviation of
    # 3.204, and Student's bound at 95% with 5 degrees of freedom is 2.015 standard errors below.
    # It is no higher than that, and no lower than the smallest mean of resamples, -5.
    student = (-0.3333 - 2.015 * 3.204 / 6**0.5) / 100
    assert outcome.lower_bound is not None
    assert -0.05 < outcome.lower_bound <= student + 1e-5
    # It is the lower end of the interval of `compare` at 90%.
    units = {name: [round(100_000 * score) for score in scores]
             for name, scores in (("a", now), ("b", before))}  # fmt: skip
    results = results_of({name: dict(enumerate_ids(scores)) for name, scores in units.items()})
    (pair,) = compare(results, ["a", "b"], TestPlan("F", 10_000, 2004, Fraction("0.9"))).pairs
    assert outcome.lower_bound == NEAR(pair.interval[0])


def enumerate_ids(scores: Sequence[int]) -> Iterator[tuple[str, int]]:
    """Yield scores with IDs in their order."""
    yield from ((f"{number:04}", score) for number, score in enumerate(scores))


def test_lower_is_better() -> None:
    # The same scores with the opposite sign, such as numbers of errors.
    random = np.random.default_rng(7)
    before = random.integers(20, 80, 40) / 100
    now = before + random.integers(-9, 10, 40) / 100
    higher, _ = outcome_of(now, before, gate("0.01"))
    errors = replace(SCORE, is_lower_better=True)
    lower, _ = outcome_of(1 - now, 1 - before, gate("0.01"), errors)
    assert lower.difference == NEAR(higher.difference)
    assert lower.lower_bound == NEAR(higher.lower_bound, abs=1e-9)


def test_how_many_evals_it_takes() -> None:
    # Differences of 0.1 and -0.1 in equal numbers have a standard deviation of 0.1, about, and
    # (1.645 + 1.645)^2 (0.1 / 0.005)^2 = 4330 EVALs let an equal system pass in 95% of runs. The
    # interval from which the spread comes has an error of some percent.
    now = [0.4, 0.6] * 200
    outcome, _ = outcome_of(now, [0.5] * 400, gate("0.005"))
    assert not outcome.is_met
    assert outcome.n_needed == NEAR(4330, rel=0.1)
    # No number of EVALs helps a system that is worse.
    worse, _ = outcome_of([score - 0.05 for score in now], [0.5] * 400, gate("0.005"))
    assert worse.n_needed is None


@pytest.mark.parametrize(("now", "name"), [([1.0] * 200, "always-1"), ([0.0] * 200, "all-zero")])
def test_an_anytime_bound(now: list[float], name: str) -> None:
    # Equal differences are the same in any order. One-sided at 97.5%: half of 5%.
    (case,) = (case for case in CASES if case["name"] == name)
    expected = case["expect"]["hedged_capital"]
    outcome, warnings = outcome_of(now, [0.0] * 200, gate("0.01", "0.975", is_anytime=True))
    assert outcome.lower_bound == NEAR(expected["at"]["200"][0], abs=1e-9)
    assert outcome.is_met == (name == "always-1")
    assert warnings == []
    if name == "always-1":
        # The capital against a mean of 0 decides after the tenth; that against -1e-9 no later.
        close, _ = outcome_of(now, [0.0] * 200, gate("0.000000001", "0.975", is_anytime=True))
        assert close.n_decided == expected["first_n_without_0"]


def test_an_anytime_bound_on_another_scale() -> None:
    random = np.random.default_rng(5)
    before, now = random.integers(0, 101, (2, 80)) / 100
    share, _ = outcome_of(now, before, gate("0.05", is_anytime=True))
    percent = replace(SCORE, scale="0-100")
    scaled, _ = outcome_of(100 * now, 100 * before, gate("5", is_anytime=True), percent)
    assert share.lower_bound is not None
    assert scaled.lower_bound == NEAR(100 * share.lower_bound)


@pytest.mark.parametrize(
    ("metric", "message"),
    [
        (
            replace(SCORE, scale=None),
            "--anytime needs scores between two numbers, and score has no such scale; give --scale "
            "score=LOW-HIGH",
        ),
        (
            replace(SCORE, scale="0-0.1"),
            "--anytime: 'a' and its baseline are up to 0.4 apart in score S, expected scores on a "
            "scale of length 0.1",
        ),
    ],
)
def test_anytime_needs_a_scale(metric: ScoredMetric, message: str) -> None:
    with pytest.raises(OptionError) as caught:
        outcome_of([0.9, 0.5], [0.5, 0.5], gate("0.01", is_anytime=True), metric)
    assert str(caught.value) == message


def test_the_order_of_evals_is_random_and_fixed() -> None:
    order = shuffled(500, 2004)
    assert sorted(order.tolist()) == list(range(500))
    assert (order == shuffled(500, 2004)).all()
    assert (order != shuffled(500, 2005)).any()
    # No longer in their order: of neighbours, about half go up.
    assert 200 < np.count_nonzero(np.diff(order) > 0) < 300


def test_doubts() -> None:
    # Few EVALs, of which one decides; and 3 in 12 of 0.8 are more than 0.3 - 0.1.
    now, before = [0.8] * 11 + [0.2], [0.8] * 12
    outcome, warnings = outcome_of(now, before, gate("0.3"))
    assert outcome.is_met
    few, skewed, unseen = warnings
    assert few == (
        "'a' and 'a (baseline)' differ in only 1 of 12 EVALs in score S: with fewer than 20 the "
        "lower bound comes out too high; that of --anytime holds for any number"
    )
    # One of 12: skewness (12 - 2) / sqrt(12 - 1) = 3.015, downwards.
    assert skewed == (
        "a score S: few EVALs for so skewed differences (skewness -3.0): a few EVALs decide; look "
        "at these EVALs"
    )
    assert unseen == (
        "a score S: 12 EVALs do not exclude that 25.0% of texts fail (3 in 12), which would cost "
        "0.2000, more than a margin of 0.3 leaves room for"
    )


def test_equal_scores_raise_no_doubts() -> None:
    outcome, warnings = outcome_of([0.5] * 3, [0.5] * 3, gate("0.001"))
    assert (outcome.is_met, outcome.lower_bound, outcome.n_unequal) == (True, 0.0, 0)
    assert warnings == []


def test_clusters_are_drawn_whole() -> None:
    # Of two clusters of 10, one is 0.2 worse and the other 0.2 better: sums of -2 and 2, whose
    # total has a standard error of 4, 0.2 for the mean. Student's bound with one degree of freedom
    # is 6.3138 of these below 0.
    clusters = {f"{number:04}": "x" if number < 10 else "y" for number in range(20)}
    now = [0.3] * 10 + [0.7] * 10
    outcome, _ = outcome_of(now, [0.5] * 20, gate("0.1"), clusters=clusters)
    assert outcome.lower_bound == pytest.approx(-6.3138 * 0.2, abs=1e-4)
