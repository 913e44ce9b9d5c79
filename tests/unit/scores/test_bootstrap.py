"""Draws, resampled sums and the interval: worked by hand, and by a loop in whole numbers."""

import numpy as np
import pytest
from numpy.typing import NDArray

from rouge_cli.scores import bootstrap
from rouge_cli.scores.bootstrap import (
    counted_sums,
    draw_instances,
    estimate,
    estimate_means,
    resampled_sums,
)


def test_first_draws() -> None:
    # Seed 0: 25214903917 * 13070 + 11 = 329558794195201; less 2^48 = 281474976710656 this is
    # 48083817484545; over 2^48: 0.170828. C's drand48 after srand48(0) and srand48(1) begins
    # 0.170828, 0.749902, 0.096372, 0.870465 and 0.041630, 0.454492, 0.834817, 0.335986.
    expected = [[1708, 7499, 963, 8704], [416, 4544, 8348, 3359]]
    assert draw_instances(10_000, range(2))[:, :4].tolist() == expected
    # The same numbers times 4, cut to whole ones.
    assert draw_instances(4, range(2)).tolist() == [[0, 2, 0, 3], [0, 1, 3, 1]]


def test_one_instance_is_always_drawn() -> None:
    assert draw_instances(1, range(5)).tolist() == [[0]] * 5


def test_a_loop_in_whole_numbers() -> None:
    # 2^48 / 4096 is a power of two, so the index is the top 12 bits of the state, exactly.
    for seed in (0, 1, 999, 123_456):
        state, expected = (seed << 16) + 13070, []
        for _ in range(4096):
            state = (0x5DEECE66D * state + 0xB) & 0xFFFF_FFFF_FFFF
            expected.append(state >> 36)
        assert draw_instances(4096, range(seed, seed + 1)).tolist() == [expected]


def test_all_indices_are_instances() -> None:
    drawn = draw_instances(999, range(200))
    assert set(drawn.ravel().tolist()) == set(range(999))


def test_sums_of_drawn_instances() -> None:
    # Of four instances resample 0 draws 0 2 0 3, resample 1 draws 0 1 3 1 (test_first_draws).
    # First column 1 + 4 + 1 + 8 = 14 and 1 + 2 + 8 + 2 = 13; the second is ten times that.
    values = np.array([[1, 10], [2, 20], [4, 40], [8, 80]], np.float64)
    assert resampled_sums(values, 2).tolist() == [[14, 140], [13, 130]]


def test_sums_in_the_order_drawn() -> None:
    # Drawn 0 2 0 3: in doubles 1 + 1e16 is 1e16, to the even neighbour, and so once more.
    # In this order ((1 + 1e16) + 1) - 1e16 = 0; added up otherwise it could be 1 or 2.
    values = np.array([[1.0] * 3, [0.0] * 3, [1e16] * 3, [-1e16] * 3])
    assert resampled_sums(values, 1).tolist() == [[0.0] * 3]


@pytest.mark.parametrize(
    ("values", "confidence", "average", "lower", "upper"),
    [
        # delta = 4 * 25 / 100 = 1: la = 1, ua = 4 - 1 - 1 = 2, ratio 0: v[1] and v[2].
        pytest.param([1, 2, 3, 4], 50, 2.5, 2, 3, id="half"),
        # delta = 0, la = 0, ua = 3, ratio 0: all of them.
        pytest.param([1, 2, 3, 4], 100, 2.5, 1, 4, id="all"),
        # delta = 2, la = 2, ua = 1, ratio 0: the lower bound lies above the upper one.
        pytest.param([1, 2, 3, 4], 0, 2.5, 3, 2, id="nothing"),
        # delta = 2 * 12.5 / 100 = 0.25: la = 0, ua = int(0.75) = 0, ratio 0.75: both 1 + 0.75.
        pytest.param([1, 2], 75, 1.5, 1.75, 1.75, id="one ratio for both"),
        # delta = 0.125: la = 0, ua = int(-0.125) = 0 (toward zero), ratio -0.125; v[1] reads as
        # 0: 1 + (0 - 1) * -0.125 = 1.125, above every value.
        pytest.param([1], 75, 1, 1.125, 1.125, id="past the end"),
        # delta = 5 * 12.5 / 100 = 0.625: la = 0, ua = int(3.375) = 3, ratio 0.375:
        # 0 + (8 - 0) * 0.375 = 3 and 16 + (32 - 16) * 0.375 = 22.
        pytest.param([0, 8, 8, 16, 32], 75, 12.8, 3, 22, id="in between"),
    ],
)
def test_interval(
    values: list[float], confidence: float, average: float, lower: float, upper: float
) -> None:
    column = np.array(values, np.float64)[::-1, np.newaxis]
    assert estimate(column, confidence).tolist() == [[average], [lower], [upper]]


def test_columns_are_apart() -> None:
    values = np.array([[4, 10], [2, 20], [3, 40], [1, 30]], np.float64)
    assert estimate(values, 50).tolist() == [[2.5, 25], [2, 20], [3, 30]]


def test_means_of_few_instances() -> None:
    # The sums above over 4: means 3.5 and 3.25 of hundredths. With 100 %: delta = 0, la = 0,
    # ua = 1, ratio 0: 0.0325 and 0.035; average (0.0325 + 0.035) / 2 = 0.03375.
    scores = np.array([[0.01] * 2, [0.02] * 2, [0.04] * 2, [0.08] * 2])
    printed = [[f"{value:.5f}" for value in row] for row in estimate_means(scores, 2, 100)]
    assert printed == [["0.03375"] * 2, ["0.03250"] * 2, ["0.03500"] * 2]


def test_counted_sums_of_drawn_instances() -> None:
    # Resample 0 draws the first instance twice, the third and the fourth once each.
    whole = np.array([[1, 10], [2, 20], [4, 40], [8, 80]], np.float64)
    assert counted_sums(whole, 2).tolist() == [[14, 140], [13, 130]]


def test_counts_that_no_byte_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    class Overflowing:
        @staticmethod
        def draw(n_instances: int, first: int, times: NDArray[np.uint8]) -> bool:
            times[:] = 255
            return False

    monkeypatch.setattr(bootstrap, "compiled_core", Overflowing)
    test_counted_sums_of_drawn_instances()
