"""Letters for systems that cannot be told apart."""

from itertools import combinations

import pytest

from rouge_cli.statistics.multiplicity import letter, letter_groups


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
