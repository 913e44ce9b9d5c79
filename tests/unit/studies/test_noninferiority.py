"""Whether a system is no worse than its baseline: bounds worked by hand."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import ArrayLike

from rouge_cli.metrics.counts import ScoredMetric
from rouge_cli.options.options import Options
from rouge_cli.scores.results import MetricColumn, Results, ScoreTable, SystemTable
from rouge_cli.studies.compare.comparison import compare
from rouge_cli.studies.paired_tests import RESAMPLES, TestPlan
from rouge_cli.studies.score.thresholds import noninferiority
from rouge_cli.studies.score_columns import Noninferiority
from tests.unit.studies.comparisons import results_of

NEAR = pytest.approx

SCORE = ScoredMetric("score", ("S",), "0-1")


def outcome_of(
    now: ArrayLike,
    before: ArrayLike,
    gate: tuple[Fraction, TestPlan],
    metric: ScoredMetric = SCORE,
    clusters: Mapping[str, str] | None = None,
) -> tuple[Noninferiority, list[str]]:
    """Compare the scores of a system with earlier ones; return the outcome and warnings."""
    # As many digits as have to be: byte order is that of the numbers.
    values = np.array([now, before], np.float64)
    eval_ids = tuple(f"{number:04}" for number in range(values.shape[1]))
    of_now, of_before = (
        SystemTable("a", eval_ids, {metric.name: MetricColumn(metric, row[np.newaxis], None)})
        for row in values
    )
    table = ScoreTable({"a": of_now}, (metric,), clusters or {})
    (outcome,), warnings = noninferiority(
        Results({}, table, Options()), [(of_now, of_before)], *gate
    )
    return outcome, warnings


def gate(margin: str, confidence: str = "0.95") -> tuple[Fraction, TestPlan]:
    # A one-sided bound at 95% is the end of a two-sided interval at 90%.
    return Fraction(margin), TestPlan("F", RESAMPLES, 2004, 2 * Fraction(confidence) - 1)


@pytest.mark.parametrize(
    ("margin", "is_met"), [("0.07", False), ("0.0700001", True), ("0.08", True)]
)
def test_a_bound_on_the_margin_is_too_low(margin: str, is_met: bool) -> None:
    # All resamples of equal differences have the same mean, -0.02, and 3 in 30 texts could lose
    # 0.5.
    outcome, _ = outcome_of([0.48] * 30, [0.5] * 30, gate(margin))
    assert (outcome.difference, outcome.unseen, outcome.lower_bound) == NEAR((-0.02, 0.05, -0.07))
    assert outcome.is_met is is_met
    assert (outcome.n_evals, outcome.n_unequal) == (30, 30)


@pytest.mark.parametrize(
    ("scale", "is_lower_better", "loss"),
    [("0-1", False, 0.8), ("0-1", True, 0.2), ("0.5-5", False, 0.3), ("0-inf", True, 0.8),
     (None, False, 0.8)],
)  # fmt: skip
def test_what_a_failure_costs(scale: str | None, is_lower_better: bool, loss: float) -> None:
    # From 0.8 down to the lowest score or, where lower is better, up to the highest; of an unknown
    # scale, the score itself. 3 of 60 texts, a twentieth.
    metric = replace(SCORE, scale=scale, is_lower_better=is_lower_better)
    outcome, _ = outcome_of([0.8] * 60, [0.8] * 60, gate("0.1"), metric)
    assert outcome.unseen == NEAR(loss / 20)


@pytest.mark.parametrize(("confidence", "texts"), [("0.9", 3.0), ("0.95", 3.0), ("0.99", 4.60517)])
def test_more_confidence_excludes_fewer_failures(confidence: str, texts: float) -> None:
    # -ln(0.01) = 4.60517; below 95% the rule of three stays. Equal scores raise no doubts.
    outcome, warnings = outcome_of([0.5] * 60, [0.5] * 60, gate("0.1", confidence))
    assert outcome.unseen == NEAR(0.5 * texts / 60, abs=1e-6)
    assert outcome.lower_bound == NEAR(-outcome.unseen)
    assert (outcome.n_unequal, warnings) == (0, [])


@pytest.mark.parametrize(("n_evals", "is_met"), [(300, False), (301, True)])
def test_equal_scores_have_to_be_enough(n_evals: int, is_met: bool) -> None:
    # 3 / n of 0.5 has to be below 0.005: n above 300.
    outcome, _ = outcome_of([0.5] * n_evals, [0.5] * n_evals, gate("0.005"))
    assert outcome.is_met == is_met
    assert outcome.n_needed in ({None} if is_met else {301, 302})


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
    bootstrap = outcome.lower_bound + outcome.unseen
    assert -0.05 < bootstrap <= student + 1e-5
    # 3 in 6 texts could lose 3.16 / 6, the higher mean.
    assert outcome.unseen == NEAR(3.16 / 12)
    # It is the lower end of the interval of `compare` at 90%.
    units = {
        name: {str(number): round(100_000 * score) for number, score in enumerate(scores)}
        for name, scores in (("a", now), ("b", before))
    }
    (pair,) = compare(
        results_of(units), ["a", "b"], TestPlan("F", 10_000, 2004, Fraction("0.9"))
    ).pairs
    assert bootstrap == NEAR(pair.interval[0])


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
    # (1.645 + 1.645) 0.1 / sqrt(n) + 3 * 0.5 / n = 0.005 holds for sqrt(n) = 32.9 + sqrt(32.9^2 +
    # 300) = 70.1: 4911 EVALs let an equal system pass in 95% of runs. The interval from which the
    # spread comes has an error of some percent.
    now = [0.4, 0.6] * 200
    outcome, _ = outcome_of(now, [0.5] * 400, gate("0.005"))
    assert not outcome.is_met
    assert outcome.n_needed == NEAR(4911, rel=0.1)
    # No number of EVALs helps a system that is worse.
    worse, _ = outcome_of([score - 0.05 for score in now], [0.5] * 400, gate("0.005"))
    assert worse.n_needed is None


def test_clusters_are_drawn_whole() -> None:
    # Of two clusters of 10, one is 0.2 worse and the other 0.2 better: sums of -2 and 2, whose
    # total has a standard error of 4, 0.2 for the mean. Student's bound with one degree of freedom
    # is 6.3138 of these below 0.
    clusters = {f"{number:04}": "x" if number < 10 else "y" for number in range(20)}
    now = [0.3] * 10 + [0.7] * 10
    outcome, _ = outcome_of(now, [0.5] * 20, gate("0.1"), clusters=clusters)
    # All texts of two clusters could fail, and lose 0.5.
    assert outcome.lower_bound == pytest.approx(-6.3138 * 0.2 - 0.5, abs=1e-4)
