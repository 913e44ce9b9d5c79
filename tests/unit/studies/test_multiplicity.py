"""Corrected p-values and letters of groups, by hand."""

from fractions import Fraction
from itertools import combinations

import pytest

from rouge_cli.studies.compare.comparison import letter, letter_groups
from rouge_cli.studies.paired_tests import holm_adjusted


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


@pytest.mark.parametrize(
    ("n_systems", "different", "groups"),
    [
        pytest.param(3, [], [(0, 1, 2)], id="all-alike"),
        pytest.param(3, [(0, 1), (0, 2), (1, 2)], [(0,), (1,), (2,)], id="all-different"),
        pytest.param(3, [(0, 2)], [(0, 1), (1, 2)], id="chain"),
        pytest.param(4, [(0, 2), (0, 3), (1, 3)], [(0, 1), (1, 2), (2, 3)], id="longer-chain"),
        pytest.param(4, [(0, 1)], [(0, 2, 3), (1, 2, 3)], id="best-two-apart"),
        # A square: 0 and 1 differ, 2 and 3 differ, nothing else does.
        pytest.param(
            4, [(0, 1), (2, 3)], [(0, 2), (0, 3), (1, 2), (1, 3)], id="letters-that-cross"
        ),
        pytest.param(1, [], [(0,)], id="one"),
    ],
)
def test_groups(
    n_systems: int, different: list[tuple[int, int]], groups: list[tuple[int, ...]]
) -> None:
    assert letter_groups(n_systems, different) == groups
    assert letter_groups(n_systems, different[::-1]) == groups


def largest_groups(n_systems: int, different: set[tuple[int, int]]) -> list[tuple[int, ...]]:
    """Return all groups without a pair that differs, less those that another one holds."""
    alike = [
        set(group)
        for size in range(1, n_systems + 1)
        for group in combinations(range(n_systems), size)
        if different.isdisjoint(combinations(group, 2))
    ]
    return sorted(
        tuple(sorted(group)) for group in alike if not any(group < other for other in alike)
    )


def test_every_pattern_of_five_systems() -> None:
    pairs = list(combinations(range(5), 2))
    for pattern in range(1 << len(pairs)):
        different = [pair for place, pair in enumerate(pairs) if pattern >> place & 1]
        assert letter_groups(5, different) == largest_groups(5, set(different))


def test_letters() -> None:
    names = [letter(number) for number in (0, 1, 25, 26, 27, 51, 52, 701, 702)]
    assert names == ["a", "b", "z", "aa", "ab", "az", "ba", "zz", "aaa"]
