"""Krippendorff's alpha, against the example of its author."""

import pytest

from rouge_cli.statistics.agreement import krippendorff_alpha

# K. Krippendorff, Computing Krippendorff's Alpha-Reliability, 2011, example E: 4 observers, 12
# units; 0 is no rating. With the interval metric alpha is 0.849.
OBSERVERS = (
    (1, 2, 3, 3, 2, 1, 4, 1, 2, 0, 0, 0),
    (1, 2, 3, 3, 2, 2, 4, 1, 2, 5, 0, 3),
    (0, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, 0),
    (1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, 0),
)


def test_the_example_of_the_author() -> None:
    units = [[one for one in unit if one] for unit in zip(*OBSERVERS, strict=True)]
    assert krippendorff_alpha(units) == pytest.approx(0.849, abs=5e-4)


@pytest.mark.parametrize(
    ("units", "alpha"),
    [
        pytest.param([[1, 1], [2, 2]], 1.0, id="agreed"),
        # Of 1 1 2 2 two pairs of three differ by 1: expected 2/3; in the units 1.
        pytest.param([[1, 2], [2, 1]], -0.5, id="opposed"),
        # The third unit has no pair.
        pytest.param([[1, 2], [2, 1], [9]], -0.5, id="single"),
        pytest.param([[1], [2]], None, id="one-judge"),
        pytest.param([[3, 3], [3, 3]], None, id="no-spread"),
        pytest.param([], None, id="nothing"),
    ],
)
def test_small_ones(units: list[list[float]], alpha: float | None) -> None:
    found = krippendorff_alpha(units)
    assert found == (None if alpha is None else pytest.approx(alpha))
