"""Randomisation by hand: every choice of swaps, and some at random."""

from fractions import Fraction

import numpy as np
import pytest

from rouge_cli.statistics.paired_tests import exact_p, is_enumerable, randomisation_p


@pytest.mark.parametrize(
    ("differences", "p"),
    [
        # Only all plus and all minus reach 6.
        pytest.param((1, 2, 3), Fraction(2, 8), id="one-sign"),
        pytest.param((-1, -2, -3), Fraction(2, 8), id="other-sign"),
        # 4, 2, -2 and -4: all reach 2.
        pytest.param((3, -1), Fraction(1), id="all"),
        # 4, 2, 2, 0 and their negatives: six of eight reach 2.
        pytest.param((2, 1, -1), Fraction(6, 8), id="ties-count"),
        pytest.param((5,), Fraction(1), id="one-eval"),
        pytest.param((5, 0, 0), Fraction(1), id="equal-scores-do-not-count"),
        pytest.param((1, 2, 3, 0), Fraction(2, 8), id="equal-scores-change-nothing"),
        pytest.param((0, 0), Fraction(1), id="equal-everywhere"),
        pytest.param((7, -7), Fraction(1), id="equal-means"),
        pytest.param((1,) * 13, Fraction(2, 8192), id="thirteen"),
    ],
)
def test_exact_p(differences: tuple[int, ...], p: Fraction) -> None:
    assert exact_p(np.array(differences, np.float64)) == p


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
    sums = np.array(swapped, np.float64)[:, np.newaxis]
    assert randomisation_p(sums, np.array([observed], np.float64)) == [p]
