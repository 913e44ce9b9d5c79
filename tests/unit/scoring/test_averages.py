"""The average that is shown, and its standard error."""

import numpy as np
import pytest

from rouge_cli.options.every import Options
from rouge_cli.scoring.averages import average, standard_error
from rouge_cli.scoring.results import Measure


def measure(*scores: float, bootstrap_mean: float | None = None) -> Measure:
    """Make a measure of these EVALs."""
    return Measure(0.25, bootstrap_mean, None, np.array(scores))


def test_average() -> None:
    assert average(measure(bootstrap_mean=0.0)) == 0.0
    assert average(measure(bootstrap_mean=0.3)) == 0.3
    assert average(measure()) == 0.25


@pytest.mark.parametrize(
    ("scores", "error"),
    [
        # The deviations are 1 and -1: the variance is 2 by 1, and that by 2 is 1.
        ((0.0, 2.0), 1.0),
        # 3 by 3 is 1 for the variance, by 4 it is 1/4.
        ((0.0, 0.0, 1.5, 1.5), (0.75 / 4) ** 0.5),
        ((0.1, 0.1, 0.1), 0.0),
        ((0.7, 0.7, 0.7, 0.7, 0.7, 0.7), 0.0),
    ],
)
def test_standard_error(scores: tuple[float, ...], error: float) -> None:
    found = standard_error(measure(*scores), Options())
    assert found == pytest.approx(error, rel=1e-12, abs=0)


@pytest.mark.parametrize("scores", [(), (0.5,)])
def test_too_few(scores: tuple[float, ...]) -> None:
    assert standard_error(measure(*scores), Options()) is None


@pytest.mark.parametrize("counting", [1, 2])
def test_totals_have_none(counting: int) -> None:
    options = Options.of({"counting": counting})
    assert standard_error(measure(0.1, 0.2), options) is None
