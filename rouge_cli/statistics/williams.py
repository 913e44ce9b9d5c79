"""Williams' test: two correlations with the same judgements, of metrics that correlate too.

Source: E. J. Williams, Regression Analysis, 1959; in the form of Y. Graham, T. Baldwin, Testing
for Significance of Increased Correlation with Human Judgment, EMNLP 2014.
"""

from math import isnan, sqrt

import numpy as np
from numpy.typing import NDArray

from rouge_cli.statistics.coefficients import exact_coefficient, scipy_stats
from rouge_cli.statistics.correlation_records import WilliamsTest

__all__ = ["FEWEST_SYSTEMS", "williams_test"]

Floats = NDArray[np.float64]

FEWEST_SYSTEMS = 4

NO_DIFFERENCE = 1e-12
"""Less than this is what rounding leaves of nothing."""


def williams_test(first: Floats, second: Floats, judged: Floats) -> WilliamsTest | None:
    """Test the difference of two Pearson correlations.

    Parameters
    ----------
    first, second : ndarray of float64, shape (n_systems,)
        Mean scores of the systems in two metrics.
    judged : ndarray of float64, shape (n_systems,)
        Mean judgements.

    Returns
    -------
    WilliamsTest or None
        None for fewer than 4 systems, if one of the three is constant, or if two of them say
        all of the third, so that there is no error to measure a difference by.
    """
    n = len(judged)
    humans_first = exact_coefficient("pearson", first, judged)
    humans_second = exact_coefficient("pearson", second, judged)
    between = exact_coefficient("pearson", first, second)
    if n < FEWEST_SYSTEMS or isnan(humans_first + humans_second + between):
        return None
    t = _statistic(humans_first, humans_second, between, n)
    if t is None:
        return None
    tail = scipy_stats().t.sf
    return WilliamsTest(t, n - 3, float(2 * tail(abs(t), n - 3)), float(tail(t, n - 3)))


def _statistic(humans_first: float, humans_second: float, between: float, n: int) -> float | None:
    """Return Williams' t; 0 without a difference, None if there is no error to measure it by."""
    determinant = (
        1
        - humans_first**2
        - humans_second**2
        - between**2
        + 2 * humans_first * humans_second * between
    )
    mean = (humans_first + humans_second) / 2
    # Rounding may take what is no less than 0 below it.
    spread = 2 * max(determinant, 0.0) * (n - 1) / (n - 3) + mean**2 * max(1 - between, 0.0) ** 3
    difference = humans_first - humans_second
    if abs(difference) < NO_DIFFERENCE:
        return 0.0
    return difference * sqrt((n - 1) * (1 + between) / spread) if spread > NO_DIFFERENCE else None
