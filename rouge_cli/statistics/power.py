"""How large a difference has to be, so that the tests find it with a given power.

Sources: J. Cohen, Statistical Power Analysis for the Behavioral Sciences, 1988; G. W. Hill,
Algorithm 396: Student's t-quantiles, Communications of the ACM 13, 1970, for the expansion of
quantiles of t in those of the normal distribution.
"""

from statistics import NormalDist

__all__ = ["POWER", "smallest_difference", "t_quantile"]

POWER = 0.8
"""What is asked of a study by custom."""

FEWEST_DEGREES = 4
"""With fewer the expansion is off by more than a hundredth."""


def t_quantile(share: float, degrees: int) -> float:
    """Return the quantile of Student's distribution, from 4 degrees of freedom on.

    The expansion in powers of 1 / degrees of Fisher and Cornish, to the fourth.
    """
    z = NormalDist().inv_cdf(share)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + float(sum(term / degrees**k for k, term in enumerate(terms, 1)))


def smallest_difference(
    standard_error: float, n_blocks: int, level: float, power: float = POWER
) -> float | None:
    """Return the difference of means that a two-sided paired test finds with this power.

    Parameters
    ----------
    standard_error : float
        Of the difference.
    n_blocks : int
        How many EVALs, or clusters, it comes from.
    level : float
        At which one test is significant.
    power : float

    Returns
    -------
    float or None
        None where the test could not find any, or too few EVALs say how much they vary.
    """
    degrees = n_blocks - 1
    is_out_of_reach = 2.0 ** (1 - n_blocks) > level
    if degrees < FEWEST_DEGREES or is_out_of_reach or not (standard_error and 0 < level < 1):
        return None
    return standard_error * (t_quantile(1 - level / 2, degrees) + t_quantile(power, degrees))
