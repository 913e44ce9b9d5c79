"""Holm's correction by hand."""

from fractions import Fraction

import pytest

from rouge_cli.statistics.multiplicity import holm_adjusted


@pytest.mark.parametrize(
    ("p_values", "adjusted"),
    [
        # 4 * .005, 3 * .01, 2 * .03, and .04 not below the one before it.
        (["0.01", "0.04", "0.03", "0.005"], ["0.03", "0.06", "0.06", "0.02"]),
        (["0.5", "0.6"], ["1", "1"]),
        (["0.4", "0.7"], ["0.8", "0.8"]),
        (["0.02", "0.02", "0.02"], ["0.06", "0.06", "0.06"]),
        (["0.03"], ["0.03"]),
        ([], []),
    ],
)
def test_adjusted(p_values: list[str], adjusted: list[str]) -> None:
    assert holm_adjusted([Fraction(p) for p in p_values]) == [Fraction(p) for p in adjusted]


def test_order_does_not_matter() -> None:
    p_values = [Fraction(k, 40) for k in (7, 1, 1, 30, 2, 12)]
    adjusted = holm_adjusted(p_values)
    assert holm_adjusted(p_values[::-1]) == adjusted[::-1]
    # 6 * 1/40, 6 * 1/40 (5 * 1/40 is less), 4 * 2/40, 3 * 7/40, 2 * 12/40, 1 * 30/40
    assert [p * 40 for p in adjusted] == [21, 6, 6, 30, 8, 24]
