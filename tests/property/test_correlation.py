"""What must hold of every correlation and of every test between metrics."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from rouge_cli.options.scores import ScoreOptions
from rouge_cli.studies.correlate import CorrelationOptions
from rouge_cli.studies.correlate.coefficients import COEFFICIENTS, LEVELS, at_level
from rouge_cli.studies.correlate.correlation import correlation_columns
from rouge_cli.studies.correlate.judged_cells import Condition, JudgedCells, JudgedScores
from rouge_cli.studies.correlate.metric_tests import williams_test
from rouge_cli.studies.correlate.result import CorrelationColumn, CorrelationPlan
from rouge_cli.studies.resampling import Resampling
from rouge_cli.studies.score_columns import ScoreColumn
from tests.property.strategies import few
from tests.unit.studies.comparisons import permutation_tests

Floats = NDArray[np.float64]

N_EXAMPLES = 60
ROWS = (ScoreColumn("first", "F"), ScoreColumn("second", "F"))


@st.composite
def tables(draw: st.DrawFn) -> tuple[Floats, Floats]:
    """Draw scores of two metrics and judgements: few values, so that ties are frequent."""
    n_systems, n_evals = draw(st.integers(3, 7)), draw(st.integers(1, 5))
    source = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    scores = source.integers(0, draw(st.integers(1, 40)) + 1, (n_systems, n_evals, 2)) / 40
    judged = source.integers(1, draw(st.integers(1, 5)) + 1, (n_systems, n_evals))
    return scores, judged.astype(np.float64)


def all_values(scores: Floats, judged: Floats, coefficients: tuple[str, ...]) -> list[float]:
    judged = judged[..., np.newaxis]
    return [
        value
        for level in LEVELS
        for name in coefficients
        for value in at_level(level, name, scores, judged).tolist()
    ]


def same(values: list[float]) -> object:
    return pytest.approx(values, abs=1e-9, nan_ok=True)


@few(N_EXAMPLES)
@given(tables(), st.integers(0, 1000))
def test_order_does_not_matter(table: tuple[Floats, Floats], seed: int) -> None:
    scores, judged = table
    draw = np.random.default_rng(seed)
    systems, evals = draw.permutation(scores.shape[0]), draw.permutation(scores.shape[1])
    names = tuple(COEFFICIENTS)
    moved = all_values(scores[systems][:, evals], judged[systems][:, evals], names)
    assert moved == same(all_values(scores, judged, names))


@few(N_EXAMPLES)
@given(tables(), st.floats(0.1, 10), st.floats(-5, 5))
def test_scale_does_not_matter(table: tuple[Floats, Floats], scale: float, shift: float) -> None:
    scores, judged = table
    names = tuple(COEFFICIENTS)
    expected = all_values(scores, judged, names)
    assert all_values(scores, judged * scale + shift, names) == same(expected)
    turned = all_values(scores * -scale + shift, judged, names)
    assert turned == same([-value for value in expected])


@few(N_EXAMPLES)
@given(tables())
def test_ranks_are_all_that_counts_for_two_coefficients(table: tuple[Floats, Floats]) -> None:
    scores, judged = table
    for level in ("summary", "pooled"):
        for name in ("spearman", "kendall"):
            before = at_level(level, name, scores, judged[..., np.newaxis])
            after = at_level(level, name, np.exp(3 * scores), judged[..., np.newaxis] ** 3)
            assert after.tolist() == same(before.tolist())


@few(N_EXAMPLES)
@given(tables())
def test_coefficients_are_between_minus_one_and_one(table: tuple[Floats, Floats]) -> None:
    values = np.array(all_values(*table, tuple(COEFFICIENTS)))
    assert (np.isnan(values) | (np.abs(values) <= 1)).all()


@few(N_EXAMPLES)
@given(tables(), st.sampled_from(list(LEVELS)), st.sampled_from(list(COEFFICIENTS)))
def test_a_metric_against_itself(
    table: tuple[Floats, Floats], level: str, coefficient: str
) -> None:
    scores, judged = table
    # Shifted and stretched it is still the same metric.
    scores[..., 1] = scores[..., 0] * 2 + 0.25
    (found,) = permutation_tests((level, coefficient), scores, judged, [(0, 1)], Resampling(20, 1))
    assert found.p in {1.0, None}
    assert found.difference is None or found.difference == pytest.approx(0, abs=1e-9)
    means = scores.mean(axis=1)
    williams = williams_test(means[:, 0], means[:, 1], judged.mean(axis=1))
    assert williams is None or williams.p == 1.0


def columns(scores: Floats, judged: Floats) -> CorrelationColumn:
    n_systems, n_evals, _ = scores.shape
    ids = tuple(map(str, range(10, 10 + max(n_systems, n_evals))))
    names = ids[:n_systems], ids[:n_evals], ("grade",)
    order = tuple(range(n_systems))
    cells = JudgedCells(*names, judged[np.newaxis], True, (), None, order, (None,))
    asked = CorrelationOptions(level=("system",), coefficient=("pearson",), seed=3, pairs=True)
    plan = CorrelationPlan(asked, ScoreOptions(resamples=30))
    (found,) = correlation_columns(
        [JudgedScores(Condition(None, "all"), scores)], cells, plan, ROWS
    )
    return found


@few(N_EXAMPLES)
@given(tables())
def test_metrics_in_another_order_say_the_same(table: tuple[Floats, Floats]) -> None:
    scores, judged = table
    one, other = columns(scores, judged), columns(scores[..., ::-1], judged)
    assert [c.interval for c in one.correlations] == [c.interval for c in other.correlations][::-1]
    for before, after in zip(one.tests, other.tests, strict=True):
        assert before.permutation.p == after.permutation.p
        assert (before.williams is None) == (after.williams is None)
        if before.williams and after.williams:
            assert before.williams.p == pytest.approx(after.williams.p)


@few(N_EXAMPLES)
@given(tables())
def test_intervals_and_marks_are_consistent(table: tuple[Floats, Floats]) -> None:
    found = columns(*table)
    values = [one.value for one in found.correlations]
    highest = max((value for value in values if not np.isnan(value)), default=np.inf)
    for one, value in zip(found.correlations, values, strict=True):
        bounds = one.interval
        assert bounds is None or -1 <= bounds[0] <= bounds[1] <= 1
        assert one.is_best == (value >= highest - 1e-12)
        assert not (one.is_best and one.is_tied)


def equally_good(seed: int, liking: float, n_metrics: int = 2) -> tuple[Floats, Floats]:
    """Return scores of metrics that are equally good, and judgements: 8 systems in 6 EVALs.

    Both are the quality of a summary and noise. Each metric has a liking of its own for some
    systems, in standard deviations of the quality of systems.
    """
    draw = np.random.default_rng(seed)
    quality = draw.normal(size=(8, 1)) + draw.normal(size=(8, 6))
    judged = quality + draw.normal(size=(8, 6))
    likings = liking * draw.normal(size=(8, 1, n_metrics))
    scores = quality[..., np.newaxis] + likings + draw.normal(size=(8, 6, n_metrics))
    return scores, judged


def null_p_values(n_sets: int, liking: float) -> tuple[list[float], list[float]]:
    """Return the p-values of both tests where two metrics are equally good."""
    permutation, williams = [], []
    for seed in range(n_sets):
        scores, judged = equally_good(seed, liking)
        (found,) = permutation_tests(
            ("system", "pearson"), scores, judged, [(0, 1)], Resampling(99, seed)
        )
        means = scores.mean(axis=1)
        exact = williams_test(means[:, 0], means[:, 1], judged.mean(axis=1))
        assert found.p is not None
        assert exact is not None
        permutation.append(found.p)
        williams.append(exact.p)
    return permutation, williams


@pytest.mark.parametrize("liking", [0, 0.6])
def test_p_values_are_uniform_if_metrics_are_equally_good(liking: float) -> None:
    n_sets = 400
    permutation, williams = null_p_values(n_sets, liking)
    # Kolmogorov's bound: a largest distance above 1.95 / sqrt(n) has a probability of 0.1%; and
    # 128 choices of swaps make steps of 1 / 128.
    bound = 1.95 / n_sets**0.5 + 0.01
    for values in (permutation, williams):
        shares = [np.mean(np.array(values) <= level) for level in np.arange(1, 100) / 100]
        assert np.abs(np.array(shares) - np.arange(1, 100) / 100).max() < bound


def test_p_values_are_small_if_one_metric_is_much_better() -> None:
    draw = np.random.default_rng(5)
    judged = draw.normal(size=(12, 10)) + draw.normal(size=(12, 1))
    good, poor = judged + 0.1 * draw.normal(size=(12, 10)), draw.normal(size=(12, 10))
    scores = np.stack((good, poor), axis=2)
    (found,) = permutation_tests(
        ("system", "pearson"), scores, judged, [(0, 1)], Resampling(199, 1)
    )
    means = scores.mean(axis=1)
    williams = williams_test(means[:, 0], means[:, 1], judged.mean(axis=1))
    assert found.p is not None
    assert found.p < 0.005
    assert williams is not None
    assert williams.p < 0.01
