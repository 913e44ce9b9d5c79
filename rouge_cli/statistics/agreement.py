"""How well several judges agree: Krippendorff's alpha for numbers on an interval scale.

Source: K. Krippendorff, Computing Krippendorff's Alpha-Reliability, 2011; Content Analysis, 3rd
edition, 2013, chapter 12.
"""

from collections.abc import Sequence

import numpy as np

__all__ = ["krippendorff_alpha"]


def krippendorff_alpha(ratings: Sequence[Sequence[float]]) -> float | None:
    """Return 1 for judges who agree everywhere, about 0 for such as judge by chance.

    It is 1 less the disagreement within units by the one that all ratings would have, put together
    at random; both are mean squared differences of two ratings. A unit with one rating has no pair
    and is left out.

    Parameters
    ----------
    ratings : sequence of sequences of float
        Those of each unit, such as a system in an EVAL, in any order of the judges.

    Returns
    -------
    float or None
        None if no unit has two ratings, or all ratings are equal.
    """
    pairable = [np.array(unit, np.float64) for unit in ratings if len(unit) > 1]
    if not pairable:
        return None
    everything = np.concatenate(pairable)
    n = len(everything)
    # The squared differences of all ordered pairs of m ratings add up to 2 m times the squared
    # deviations from their mean; each unit's pairs weigh 1 / (m - 1).
    expected = 2 * n * float(((everything - everything.mean()) ** 2).sum()) / (n - 1)
    observed = sum(
        2 * len(unit) * float(((unit - unit.mean()) ** 2).sum()) / (len(unit) - 1)
        for unit in pairable
    )
    return None if (everything == everything[0]).all() else 1 - observed / expected
