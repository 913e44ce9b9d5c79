"""The generator behind the original's resampling: drand48, seeded with the resample's number.

The idea. The state after k draws is ``A_k * x + C_k`` modulo 2^48, with A_k and C_k the same for
every seed; so all draws of all resamples are one multiplication and one addition of arrays. States
are kept shifted up by 16 bits: then the wrap of uint64 is the modulus.
Source: specification, section 6, "Bootstrap".
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

__all__ = ["draw_instances"]

MULTIPLIER, INCREMENT = 25214903917, 11
STATE_BITS, SHIFT = 48, 16
DRAWS_AT_A_TIME = 1 << 17
"""Draws of a resample that are made at once; so many stay in a processor's cache."""

SEED_FACTOR, SEED_OFFSET = 65536, 13070


def draw_instances(n_instances: int, resamples: range) -> NDArray[np.int64]:
    """Draw as many instances as there are, with replacement, for each resample.

    Parameters
    ----------
    resamples : range
        Numbers of the resamples; each is the seed of its draws.

    Returns
    -------
    ndarray of int64, shape (len(resamples), n_instances)
        Instances in the order drawn.
    """
    factors, terms = _jumps(min(n_instances, DRAWS_AT_A_TIME))
    seeds = np.arange(resamples.start, resamples.stop, dtype=np.uint64)
    states = (seeds * np.uint64(SEED_FACTOR) + np.uint64(SEED_OFFSET)) << np.uint64(SHIFT)
    drawn = np.empty((len(resamples), n_instances), np.int64)
    for start in range(0, n_instances, DRAWS_AT_A_TIME):
        places = slice(start, min(start + DRAWS_AT_A_TIME, n_instances))
        n_draws = places.stop - start
        block = states[:, np.newaxis] * factors[:n_draws]
        block += terms[:n_draws]
        states = block[:, -1].copy()
        block >>= np.uint64(SHIFT)
        # Scaling by a power of two is exact, so the product is rounded once, as N * rand is.
        drawn[:, places] = block.view(np.int64) * (n_instances * 2.0**-STATE_BITS)
    return drawn


@lru_cache(maxsize=1)
def _jumps(n_draws: int) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Return factor A_k and (shifted) term C_k for k from 1 to `n_draws`, found by doubling.

    Read-only: all blocks of resamples share them.
    """
    factors = np.array([MULTIPLIER], np.uint64)
    terms = np.array([INCREMENT << SHIFT], np.uint64)
    while factors.size < n_draws:
        terms = np.concatenate((terms, terms * factors[-1] + terms[-1]))
        factors = np.concatenate((factors, factors * factors[-1]))
    factors.setflags(write=False)
    terms.setflags(write=False)
    return factors[:n_draws], terms[:n_draws]
