"""The average that is shown, its standard error, and total counts."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from rouge_cli.options.options import Options
from rouge_cli.scores.results import Measure, SystemEvals, average, standard_error


def measure(*scores: float, bootstrap_mean: float | None = None) -> Measure:
    return Measure(0.25, bootstrap_mean, None, np.array(scores))


def test_average() -> None:
    assert average(measure(bootstrap_mean=0.0)) == 0.0
    assert average(measure(bootstrap_mean=0.3)) == 0.3
    assert average(measure()) == 0.25


@pytest.mark.parametrize(
    ("scores", "error"),
    [
        ((), None),
        ((0.5,), None),
        # The deviations are 1 and -1: the variance is 2 by 1, and that by 2 is 1.
        ((0.0, 2.0), 1.0),
        # 3 by 3 is 1 for the variance, by 4 it is 1/4.
        ((0.0, 0.0, 1.5, 1.5), (0.75 / 4) ** 0.5),
        ((0.1, 0.1, 0.1), 0.0),
        ((0.7, 0.7, 0.7, 0.7, 0.7, 0.7), 0.0),
    ],
)
def test_standard_error(scores: tuple[float, ...], error: float | None) -> None:
    expected = error and pytest.approx(error, rel=1e-12, abs=0)
    assert standard_error(measure(*scores), Options()) == expected


@pytest.mark.parametrize("counting", [1, 2])
def test_totals_have_none(counting: int) -> None:
    assert standard_error(measure(0.1, 0.2), Options.of({"counting": counting})) is None


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        (np.array([2, 3], np.int32), 5),
        (np.array([2**31 - 1] * 3, np.int32), 3 * (2**31 - 1)),
        (np.array([2**62] * 3), 3 * 2**62),
        (np.array([2**70, 1], object), 2**70 + 1),
        (np.array([], np.float64), 0),
        # Next to 2^53 a single 1 is lost, and so is each of the eight; 8 together are not.
        (np.array([2.0**53, *[1.0] * 8]), 2.0**53),
        (np.array([*[1.0] * 8, 2.0**53]), 2.0**53 + 8),
        (np.array([1e308, 1e308]), np.inf),
        (np.array([np.inf, 1.0]), np.inf),
    ],
)
def test_total(counts: NDArray[Any], expected: float) -> None:
    # Byte order is the order here.
    evals = SystemEvals("s", (), known_order=np.arange(counts.size))
    found = evals.total(counts)
    assert (found, type(found)) == (expected, type(expected))
