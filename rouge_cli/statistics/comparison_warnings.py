"""What the tests of a comparison cannot show, or not as surely as they say, in the user's words."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import ceil

import numpy as np
from numpy.typing import NDArray

from rouge_cli.statistics.comparison_records import PairResult, TestPlan

__all__ = ["cluster_hint", "comparison_warnings"]

FEW_EVALS = 20
"""With fewer the resamples vary too little, and the p of the bootstrap comes out too small."""

FEWEST_CLUSTERS = 5
"""Fewer beginnings of IDs are names of data sets rather than of documents."""

BELONGING = (
    ": if EVALs of one document or topic belong together, name the field that tells with --cluster"
)

EVALS_FOR_SKEWNESS = 25
"""Times the square of the skewness: so many EVALs make a mean normal enough.

Source: W. G. Cochran, Sampling Techniques, 1977, section 2.15.
"""


def comparison_warnings(pairs: Sequence[PairResult], plan: TestPlan) -> Iterator[str]:
    """Yield a line for each thing that so few EVALs, or so many comparisons, stand in the way of.

    Parameters
    ----------
    pairs : sequence of PairResult
        Every comparison of the run.
    """
    unequal = [pair for pair in pairs if pair.n_unequal] or list(pairs)
    fewest = min(unequal, key=_weight)
    out_of_reach = _out_of_reach(unequal, len(pairs), plan)
    if _weight(fewest) < FEW_EVALS:
        bound = "" if out_of_reach else _bound(fewest, plan)
        yield (
            f"{_few(fewest)}: with fewer than {FEW_EVALS} the p of the bootstrap comes out too "
            f"small and its interval too narrow; go by the randomisation{bound}"
        )
    if out_of_reach:
        yield out_of_reach
    yield from _resamples(len(pairs), plan)
    yield from _skewed(pairs)


def cluster_hint(
    eval_ids: Sequence[str], model_sharing: NDArray[np.int64] | None = None
) -> Iterator[str]:
    """Yield a hint if EVALs look like several of each document.

    They do if groups of them have the same models, or IDs that are the same up to the last
    separator: if these are two EVALs or more on average, and several groups, none of which has most
    EVALs.

    Parameters
    ----------
    model_sharing : ndarray of int64, optional
        How many EVALs have each set of models, where it is known.
    """
    n_evals = len(eval_ids)
    if model_sharing is not None and _look_like_clusters(model_sharing.tolist()):
        yield f"{model_sharing.sum()} EVALs with {len(model_sharing)} sets of models{BELONGING}"
        return
    found = [re.fullmatch(r"(.+)[-_.:/#][^-_.:/#]+", one) for one in eval_ids]
    prefixes = Counter(match[1] for match in found if match)
    if prefixes.total() == n_evals and _look_like_clusters(list(prefixes.values())):
        ((usual, _),) = prefixes.most_common(1)
        yield (
            f"{n_evals} EVALs with {len(prefixes)} beginnings of IDs, such as {usual!r}{BELONGING}"
        )


def _look_like_clusters(sizes: Sequence[int]) -> bool:
    """Say whether groups of EVALs look like those of one document each."""
    n_evals = sum(sizes)
    if len(sizes) < FEWEST_CLUSTERS:
        return False
    return 2 * len(sizes) <= n_evals and 3 * max(sizes) <= n_evals


def _weight(pair: PairResult) -> int:
    """Return how many EVALs, or clusters, a test has to go by: those that differ."""
    return pair.n_unequal or pair.n_clusters or pair.n_evals


def _blocks(number: int, pair: PairResult) -> str:
    """Say how many EVALs or clusters."""
    return f"{number} {'EVAL' if pair.n_clusters is None else 'cluster'}{'s' * (number != 1)}"


def _few(pair: PairResult) -> str:
    """Say how few EVALs there are, or how few of them count."""
    n_blocks = pair.n_clusters or pair.n_evals
    if pair.n_unequal in {0, n_blocks}:
        return f"only {_blocks(n_blocks, pair)} in common"
    return (
        f"{pair.system_a!r} and {pair.system_b!r} differ in only {pair.n_unequal} of "
        f"{_blocks(n_blocks, pair)} in {pair.column.metric} {pair.column.letter}"
    )


def _bound(pair: PairResult, plan: TestPlan) -> str:
    """Say which p the randomisation cannot be below, if that is above the level."""
    least = _least_p(pair)
    return f", whose p is never below {float(least):g} then" if least > plan.level else ""


def _least_p(pair: PairResult) -> Fraction:
    """Return the p of all differences in one direction: the first sign of all is free."""
    return Fraction(2, 2**pair.n_unequal) if pair.n_unequal else Fraction(1)


def _out_of_reach(pairs: Sequence[PairResult], n_comparisons: int, plan: TestPlan) -> str:
    """Say that no scores could have been significant after the correction; empty if some could."""
    best = max(pairs, key=lambda pair: pair.n_unequal)
    least = min(Fraction(1), n_comparisons * _least_p(best))
    if least <= plan.level or n_comparisons == 1 or plan.level == 0:
        return ""
    return (
        f"no difference could be significant: with {n_comparisons} comparisons and no more than "
        f"{_blocks(best.n_unequal, best)} that differ, every p of the randomisation is at least "
        f"{float(least):.4g} after Holm's correction; so all systems share a letter, which says "
        "nothing of them. Take more EVALs, or fewer systems, metrics or measures"
    )


def _resamples(n_comparisons: int, plan: TestPlan) -> Iterator[str]:
    """Say that there are too few resamples for so many comparisons."""
    least = Fraction(n_comparisons, plan.resamples + 1)
    if least > plan.level > 0:
        enough = ceil(n_comparisons / plan.level) - 1
        yield (
            f"{n_comparisons} comparisons are many for {plan.resamples} resamples: after Holm's "
            f"correction no p is below {float(min(least, Fraction(1))):.2g}; take -r {enough} or "
            "more, or fewer systems, metrics or measures"
        )


def _skewed(pairs: Sequence[PairResult]) -> Iterator[str]:
    """Warn of significant differences that a few large ones may have made."""
    found = [
        pair
        for pair in pairs
        if pair.randomisation.is_significant
        and (pair.n_clusters or pair.n_evals) < EVALS_FOR_SKEWNESS * pair.skewness**2
    ]
    if not found:
        return
    worst = max(found, key=lambda pair: abs(pair.skewness))
    n_blocks = worst.n_clusters or worst.n_evals
    yield (
        f"{len(found)} significant difference{'s' * (len(found) > 1)} with few EVALs for so skewed "
        f"scores: {worst.system_a!r} and {worst.system_b!r} in {worst.column.metric} "
        f"{worst.column.letter} have a skewness of {worst.skewness:.1f} in "
        f"{_blocks(n_blocks, worst)}, where {ceil(EVALS_FOR_SKEWNESS * worst.skewness**2)} would "
        "do. Both tests are then significant too often where means are equal and some EVALs are "
        "hurt badly; look at these EVALs"
    )
