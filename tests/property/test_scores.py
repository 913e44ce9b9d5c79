"""Rounding, draws, resamples and the interval against plain arithmetic, to the last bit."""

import math
from collections.abc import Sequence
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rouge_cli.metrics.arithmetic import f_measure, quotients, rounded
from rouge_cli.metrics.counts import Counts
from rouge_cli.metrics.formulas import best_model, score_counts, sum_models
from rouge_cli.scores import bootstrap
from rouge_cli.scores.bootstrap import draw_instances
from tests.plain import scores as plain
from tests.property.strategies import few

values = st.floats(0, 1e6, allow_subnormal=False) | st.floats(0, 1)
confidences = st.sampled_from([0, 50, 66.6, 90, 95, 99, 99.5, 100]) | st.floats(0, 100)
# j/64 has six decimals and ends in 5: for an odd j an exact tie at the fifth.
ties = st.integers(0, 640).map(lambda j: j / 64)
scores = st.one_of(
    st.floats(0, 1),
    ties,
    ties.map(lambda x: math.nextafter(x, 0)),
    ties.map(lambda x: math.nextafter(x, 2)),
    # As near to a tie as doubles come where it is not exact.
    st.integers(0, 200_000).map(lambda j: (2 * j + 1) / 200_000),
    st.tuples(st.integers(0, 5000), st.integers(1, 5000)).map(lambda pair: pair[0] / pair[1]),
    st.floats(0, 1000),
)
counts = st.integers(0, 400)
rows = st.lists(st.tuples(counts, counts, counts), min_size=1, max_size=8)


def columns_of(rows: Sequence[tuple[float, float, float]], kind: type) -> Counts:
    hit, model_count, peer_count = np.array(rows, kind).T
    return Counts(hit, model_count, peer_count)


@given(st.lists(scores, max_size=30))
@example([0.015625, 0.046875, 0.5, 1.0, 0.0, 0.000005, 0.000015])
def test_rounded_as_printed(scores: list[float]) -> None:
    found = rounded(np.array(scores, np.float64))
    assert found.tolist() == [float(f"{score:.5f}") for score in scores]


def test_all_exact_ties_to_even() -> None:
    # 1/64 = 0.015625: the digit before the 5 is even and stays; 3/64 = 0.046875 goes up.
    ties = np.arange(1, 64, 2) / 64
    assert rounded(ties[:2]).tolist() == [0.01562, 0.04688]
    assert rounded(ties).tolist() == [float(f"{tie:.5f}") for tie in ties.tolist()]


@given(
    rows, st.sampled_from([0.0, 0.3, 0.5, 1.0]), st.sampled_from([None, 0.5, 1.0, 1.2, 2.0, 3.0])
)
def test_scores_of_counts(
    rows: list[tuple[int, int, int]], alpha: float, weight: float | None
) -> None:
    found = score_counts(columns_of(rows, np.float64 if weight else np.int64), alpha, weight)
    expected = [plain.eval_scores(row, alpha, weight or 1) for row in rows]
    assert list(zip(*found.tolist(), strict=True)) == expected


@given(rows, st.sampled_from([None, 1.2, 2.0]))
def test_quotients(rows: list[tuple[int, int, int]], root: float | None) -> None:
    hit, model_count, _ = np.array(rows, np.int64).T
    expected = [plain.ratio(hit, model_count, root or 1) for hit, model_count, _ in rows]
    assert quotients(hit, model_count, root).tolist() == expected


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), max_size=8), st.floats(0, 1))
def test_f_measure(pairs: list[tuple[float, float]], alpha: float) -> None:
    recall, precision = np.array(pairs, np.float64).reshape(-1, 2).T
    expected = [plain.f_measure(one, other, alpha) for one, other in pairs]
    assert f_measure(recall, precision, alpha).tolist() == expected


@given(st.lists(rows, min_size=1, max_size=4), st.booleans())
def test_formula_a(instances: list[list[tuple[int, int, int]]], is_float: bool) -> None:
    factor = 0.1 if is_float else 1
    scaled = [[(a * factor, b * factor, c * factor) for a, b, c in rows] for rows in instances]
    pairs = columns_of(
        [row for rows in scaled for row in rows], np.float64 if is_float else np.int64
    )
    starts = np.cumsum([0, *map(len, scaled[:-1])])
    found = sum_models(pairs, starts)
    hit, model_count, peer_count = (
        column.tolist() for column in (found.hit, found.model_count, found.peer_count)
    )
    expected = [plain.formula_a(list(rows)) for rows in scaled]
    assert list(zip(hit, model_count, peer_count, strict=True)) == expected


@given(st.lists(rows, min_size=1, max_size=4), st.booleans())
def test_formula_b(instances: list[list[tuple[int, int, int]]], is_rounded: bool) -> None:
    pairs = columns_of([row for rows in instances for row in rows], np.int64)
    starts = np.cumsum([0, *map(len, instances[:-1])])
    found = pairs.take(best_model(pairs, starts, is_rounded=is_rounded))
    expected = []
    for rows in instances:
        recalls = [plain.ratio(hit, model_count) for hit, model_count, _ in rows]
        choices = [plain.rounded(recall) for recall in recalls] if is_rounded else recalls
        expected.append(plain.formula_b(list(rows), choices))
    hit, model_count, peer_count = found.hit, found.model_count, found.peer_count
    assert (
        list(zip(hit.tolist(), model_count.tolist(), peer_count.tolist(), strict=True)) == expected
    )


@given(st.integers(1, 300), st.integers(0, 10**6), st.integers(1, 6))
def test_draws(size: int, first: int, resamples: int) -> None:
    found = draw_instances(size, range(first, first + resamples))
    expected = [plain.draws(number, size) for number in range(first, first + resamples)]
    assert found.tolist() == expected


@pytest.mark.parametrize("size", [1, 2, 1023, 1024, 1025, 40_000])
def test_draws_of_many(size: int) -> None:
    assert draw_instances(size, range(3, 5)).tolist() == [plain.draws(k, size) for k in (3, 4)]


@given(st.lists(st.tuples(values, values, values), min_size=1, max_size=40), st.integers(1, 40))
def test_resampled_sums(instances: list[tuple[float, float, float]], resamples: int) -> None:
    found = bootstrap.resampled_sums(np.array(instances, np.float64), resamples)
    expected = [
        list(plain.resampled(list(instances), plain.draws(number, len(instances))))
        for number in range(resamples)
    ]
    assert found.tolist() == expected


@few(40)
@given(st.integers(0, 2**32 - 1), st.integers(1, 700), st.integers(1, 12), st.integers(1, 9))
@example(1, 1500, 20, 30)
@example(2, 1500, 21, 27)
def test_resampled_sums_of_many_instances(
    seed: int, n_instances: int, resamples: int, n_columns: int
) -> None:
    # Of so many doubles the sum depends on the order.
    instances = np.random.default_rng(seed).random((n_instances, n_columns))
    found = bootstrap.resampled_sums(instances, resamples)
    rows = instances.tolist()
    for number in range(resamples):
        sums = [0.0] * n_columns
        for index in plain.draws(number, n_instances):
            sums = [one + other for one, other in zip(sums, rows[index], strict=True)]
        assert found[number].tolist() == sums


@given(st.lists(values, min_size=1, max_size=60), confidences)
@example([0.5], 0)
@example([0.25, 0.5], 100)
def test_average_and_interval(values: list[float], confidence: float) -> None:
    average, lower, upper = bootstrap.estimate(np.array(values)[:, np.newaxis], confidence)
    assert (average[0], lower[0], upper[0]) == plain.estimate(values, confidence)


@few(120)
@given(
    st.integers(0, 2**32 - 1),
    st.one_of(st.integers(1, 20), st.integers(1, 300)),
    st.integers(1, 60),
    st.sampled_from([1, 2, 3, 10, 100_000]),
    st.tuples(st.sampled_from([0, 50, 90, 95, 99.5, 100]), st.sampled_from([0, 1 << 22])),
)
def test_printed_means(
    seed: int, n_instances: int, resamples: int, n_values: int, how: tuple[float, int]
) -> None:
    # Few distinct scores make many resampled means that lie right between two printed ones.
    confidence, few_values = how
    rng = np.random.default_rng(seed)
    units = rng.integers(0, 100_001, n_values)[rng.integers(0, n_values, (n_instances, 3))]
    scores = units / 100_000
    with patch.object(bootstrap, "FEW_VALUES", few_values):
        found = bootstrap.estimate_means(scores, resamples, confidence)
    triples = [(one, two, three) for one, two, three in scores.tolist()]
    expected = plain.bootstrap(list(triples), resamples, confidence, 0, 0.5)
    printed = [[f"{value:.5f}" for value in column] for column in found.T.tolist()]
    assert printed == [[f"{value:.5f}" for value in column] for column in expected]
    if few_values:
        # All doubles are the original's, not just the printed digits.
        assert found.T.tolist() == [list(column) for column in expected]


@given(
    # The core sums integers below 2^17 in magnitude; NumPy's products sum larger ones.
    st.sampled_from([(1 << 17) - 1, 1 << 17, 10**9]).flatmap(
        lambda most: st.lists(
            st.tuples(st.integers(-most, most), st.integers(0, 100_000)), min_size=1, max_size=50
        )
    ),
    st.integers(1, 30),
)
@pytest.mark.usefixtures("core")
def test_counted_sums(rows: list[tuple[int, int]], resamples: int) -> None:
    found = bootstrap.counted_sums(np.array(rows, np.float64), resamples)
    expected = []
    for number in range(resamples):
        drawn = [rows[index] for index in plain.draws(number, len(rows))]
        expected.append([sum(one for one, _ in drawn), sum(other for _, other in drawn)])
    assert found.tolist() == expected
