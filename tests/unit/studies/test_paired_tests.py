"""The paired bootstrap and approximate randomisation by hand, and their draws."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from unittest.mock import patch

import numpy as np
import pytest
from numpy.typing import NDArray

from rouge_cli.studies import resampling
from rouge_cli.studies.paired_tests import bootstrap_p, is_enumerable, randomisation_p, resampling_p
from rouge_cli.studies.resampling import drawn_sums, swaps, times_drawn
from tests.unit.studies.comparisons import plain_draws, plain_swaps

Draw = Callable[[int, int, int], Iterator[NDArray[np.float64]]]


@pytest.mark.parametrize(
    ("n_extreme", "resamples", "p"),
    [(0, 9999, Fraction(1, 10_000)), (4, 9, Fraction(1, 2)), (9, 9, Fraction(1))],
)
def test_p_of_resamples(n_extreme: int, resamples: int, p: Fraction) -> None:
    assert resampling_p(n_extreme, resamples) == p


@pytest.mark.parametrize(
    ("resampled", "observed", "p"),
    [
        # From 2 they lie 1, 3, 1 and 3 away: two as far as 0 does.
        pytest.param((3, 5, 1, -1), 2, Fraction(3, 5), id="two-sided"),
        pytest.param((-3, -5, -1, 1), -2, Fraction(3, 5), id="other-way-round"),
        pytest.param((4, 0, 2), 2, Fraction(3, 4), id="just-as-far-counts"),
        pytest.param((2, 2, 2), 2, Fraction(1, 4), id="none-as-far"),
        pytest.param((0, 5, -7), 0, Fraction(1), id="equal-means"),
    ],
)
def test_bootstrap_p(resampled: tuple[int, ...], observed: int, p: Fraction) -> None:
    assert bootstrap_p(np.array(resampled, np.float64), observed) == p


@pytest.mark.parametrize("n_evals", [1, 2, 7, 64, 65, 130])
def test_draws_are_made_from_raw_numbers(n_evals: int) -> None:
    expected = [np.bincount(one, minlength=n_evals) for one in plain_draws(n_evals, 20, 5)]
    found = np.concatenate(list(times_drawn(n_evals, 20, 5)))
    assert found.tolist() == np.array(expected).tolist()
    assert np.concatenate(list(swaps(n_evals, 20, 5))).tolist() == plain_swaps(n_evals, 20, 5)


@pytest.mark.parametrize("draw", [times_drawn, swaps])
def test_draws_do_not_depend_on_how_many_are_held(draw: Draw) -> None:
    expected = np.concatenate(list(draw(13, 50, 3)))
    for n_values in (1, 13, 100, 13 * 50):
        with patch.object(resampling, "VALUES_AT_A_TIME", n_values):
            blocks = list(draw(13, 50, 3))
        assert len(blocks) == -(-50 // max(1, n_values // 13))
        assert np.concatenate(blocks).tolist() == expected.tolist()


def test_sums_of_draws() -> None:
    units = np.array([[5.0, 1.0], [7.0, 2.0], [11.0, 4.0]])
    expected = [
        [sum(units[place, k].item() for place in drawn) for k in (0, 1)]
        for drawn in plain_draws(3, 8, 2)
    ]
    assert drawn_sums(times_drawn, units, 8, 2).tolist() == expected
    # A column alone has the same sums.
    assert drawn_sums(times_drawn, units[:, 1:], 8, 2)[:, 0].tolist() == [b for _, b in expected]


@pytest.mark.parametrize(
    ("differences", "p"),
    [
        # Only all plus and all minus reach 6.
        pytest.param((1, 2, 3), Fraction(2, 8), id="one-sign"),
        # 4, 2, 2, 0 and their negatives: six of eight reach 2.
        pytest.param((2, 1, -1, 0), Fraction(6, 8), id="ties-count-and-equal-scores-do-not"),
        pytest.param((0, 0), Fraction(1), id="equal-everywhere"),
        pytest.param((7, -7), Fraction(1), id="equal-means"),
        pytest.param((1,) * 13, Fraction(2, 8192), id="thirteen"),
    ],
)
def test_exact_p(differences: tuple[int, ...], p: Fraction) -> None:
    # More resamples than choices.
    assert randomisation_p(np.array(differences, np.float64), np.zeros(1 << 13)) == (p, True)


@pytest.mark.parametrize(
    ("n_unequal", "resamples", "expected"),
    [(3, 8, True), (3, 7, False), (13, 10_000, True), (14, 10_000, False), (0, 1, True),
     (1, 1, False), (1, 2, True), (5000, 10_000, False)],
)  # fmt: skip
def test_enumeration_when_it_is_smaller(n_unequal: int, resamples: int, expected: bool) -> None:
    differences = np.array([0.0] * 4 + [-2.0] * n_unequal)
    assert is_enumerable(differences, resamples) is expected


@pytest.mark.parametrize(
    ("swapped", "observed", "p"),
    [
        # 6 - 2 * swapped is 6, -6, 4 and 0.
        pytest.param((0, 6, 1, 3), 6, Fraction(3, 5), id="two-sided"),
        pytest.param((0, -6, -1, -3), -6, Fraction(3, 5), id="other-way-round"),
        pytest.param((1, 2), 6, Fraction(1, 3), id="none-as-far"),
        pytest.param((1, 2, -9), 0, Fraction(1), id="equal-means"),
    ],
)
def test_randomisation_p(swapped: tuple[int, ...], observed: int, p: Fraction) -> None:
    # Three differences have more choices than there are resamples.
    differences = np.array([observed - 2.0, 1.0, 1.0])
    assert randomisation_p(differences, np.array(swapped, np.float64)) == (p, False)
