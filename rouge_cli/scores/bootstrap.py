"""The bootstrap: averages and confidence intervals of resampled means.

The original resamples EVALs; `histogram_sums` resamples the frequencies of scores instead.

**Draws.** The generator is drand48, seeded with the number of the resample. Its state after k draws
is ``A_k * x + C_k`` modulo 2^48, with the same A_k and C_k for every seed, so one array
multiplication and one addition yield all draws of all resamples. States are stored shifted left by
16 bits, so that the overflow of uint64 computes the modulus.

**Sums.** The original adds doubles in the order drawn. Scores are multiples of 10^-5, so the same
sum can be computed on integers, each multiplied by how often it is drawn: an exact matrix product,
far faster for many instances. It differs from the original's sum by rounding only, by less than one
part in 2^52 per addition. Columns in which that could change a printed digit are added in the
original's order.

**Histograms.** In a resample of N scores with replacement, the frequencies of the values are
multinomial, with the observed shares as probabilities. A resample therefore depends only on the
counts of the values, and the cost grows with the number of distinct values (at most 100,001 for
rounded scores), not with N. The stream is that of `numpy.random.RandomState`, which NumPy has
frozen.

Sources: specification, section 6, "Bootstrap"; B. Efron and R. Tibshirani, An Introduction to the
Bootstrap, 1993, section 21.2, for the resampling vector of histograms;
https://numpy.org/doc/stable/reference/random/compatibility.html.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rouge_cli.core import compiled_core
from rouge_cli.metrics.arithmetic import UNITS, Floats, Whole

BlockSums = Callable[[range], Floats]
"""Returns the sums over a block of resamples, given by their numbers."""

BlockMap = Callable[[BlockSums, Iterable[range]], Iterable[Floats]]
"""`map`, or an ordered map that spreads blocks of resamples over threads or processes."""

MULTIPLIER, INCREMENT = 25214903917, 11
SEED_FACTOR, SEED_OFFSET = 65536, 13070
STATE_BITS, SHIFT = 48, 16

DRAWS_AT_A_TIME = 1 << 17
"""Draws of a resample that are computed at once. They fit in a processor's cache."""

VALUES_AT_A_TIME = 1 << 18  # values that are resampled at once

LEAST_RESAMPLES_AT_A_TIME = {True: 8, False: 4}
"""Minimum number of resamples per block, with the core and without, if memory allows. Each block
reads all scores once: with a million EVALs, 4 would take the core 7% longer. More gain nothing, and
NumPy's draws outgrow the cache sooner."""

BYTES_OF_COUNT = {True: 1, False: 16}
DRAWN_BYTES = 1 << 26
"""Memory for the draws of a block; each instance takes `BYTES_OF_COUNT` per resample."""

ROWS_AT_A_TIME = 1 << 10
"""Rows whose scores and draw counts fit in the cache. With twice as many, and twice as many
resamples, OpenBLAS uses all of its threads, which wait for each other: if nothing limits them, 9
columns of 100,000 scores take six times as long."""

ROWS_OF_A_COLUMN = 1 << 16
"""Rows converted at once. Whole columns would be the peak of memory."""

FEW_VALUES = 1 << 22
"""Number of drawn values up to which sums are computed in the order drawn. Then the doubles in CSV
and JSON, too, are those of the original to the last bit."""

MOST_UNITS = 1 << 17
"""Bound of the integers that the core sums; proportions in units of 1e-5 are below."""

DRAWS_THAT_PAY = {True: 1 << 21, False: 1 << 24}
"""Number of draws above which a second worker pays off, with the core and without."""

DOUBLE_LIMIT = 1 << 53


def estimate_means(
    scores: NDArray[Any], resamples: int, confidence: float, map_blocks: BlockMap = map
) -> Floats:
    """Return the average and the bounds of the resampled means of each column, as `estimate` does.

    `scores` has shape (n_instances, n_columns), with at least one instance; scores of 5 decimals
    are fastest, and integers are scores in units of 1e-5. `confidence` is in percent. Printed with
    5 decimals, the result has the digits of the original.
    """
    n_instances = len(scores)
    if n_instances == 1:
        # All draws of a single instance are the same. The shortcut pays for programs that score
        # pair by pair.
        return estimate(np.repeat(_as_scores(scores), resamples, axis=0), confidence)
    are_units = scores.dtype == np.int32
    is_rounded = np.full(scores.shape[1], True) if are_units else are_rounded(scores)
    if is_rounded.any() and not is_rounded.all():
        estimated = np.empty((3, is_rounded.size))
        for kind in (is_rounded, ~is_rounded):
            estimated[:, kind] = estimate_means(scores[:, kind], resamples, confidence, map_blocks)
        return estimated
    are_few = scores.size * resamples <= FEW_VALUES
    is_exact = is_exact_in_doubles(scores, 1 if are_units else UNITS)
    if are_few or not is_rounded.all() or not is_exact:
        sums = resampled_sums(_as_scores(scores), resamples)
        return estimate(sums / n_instances, confidence)
    units = scores if are_units else np.rint(scores * UNITS)
    sums = counted_sums(units, resamples, map_blocks)
    estimated = estimate(sums / UNITS / n_instances, confidence)
    doubtful = np.flatnonzero(_may_print_otherwise(estimated, n_instances + resamples))
    if doubtful.size:
        in_order = resampled_sums(units[:, doubtful] / UNITS, resamples)
        estimated[:, doubtful] = estimate(in_order / n_instances, confidence)
    return estimated


def _as_scores(values: NDArray[Any]) -> Floats:
    # A rounded score is the double next to its decimals, which this division yields.
    return values / UNITS if values.dtype == np.int32 else values


def fastest_sums(
    values: Floats, resamples: int, map_blocks: BlockMap = map, units: int = 1
) -> Floats:
    """Sum each column over each resample; all columns share the resamples.

    Multiples of 1 / `units` are summed as integers, which is faster and exact; other values in the
    order drawn. The shapes are those of `resampled_sums`.
    """
    whole = np.rint(values * units)
    if (whole / units == values).all() and is_exact_in_doubles(whole):
        return counted_sums(whole, resamples, map_blocks) / units
    return resampled_sums(values, resamples)


def are_rounded(scores: Floats) -> NDArray[np.bool_]:
    """Return whether each column holds only multiples of 10^-5, in the shape of a row."""
    is_rounded = np.ones(scores.shape[1:], np.bool_)
    for rows in even_blocks(len(scores), ROWS_OF_A_COLUMN):
        block = scores[rows.start : rows.stop]
        is_rounded &= (np.rint(block * UNITS) / UNITS == block).all(axis=0)
    return is_rounded


def _may_print_otherwise(estimated: Floats, n_added: int) -> NDArray[np.bool_]:
    """Return, for each column, whether a rounding error could change a printed digit."""
    scaled = np.abs(estimated) * UNITS
    from_tie = np.abs(scaled - np.floor(scaled) - 0.5)
    # A bound combines at most three values. Twice as many cover all other roundings.
    bound = scaled * (6 * (n_added + 10) * 2.0**-52)
    is_doubtful: NDArray[np.bool_] = (from_tie <= bound).any(axis=0)
    return is_doubtful


def estimate(values: Floats, confidence: float) -> Floats:
    """Return the average, lower and upper bound of resampled values; shape (3, n_columns).

    `values` has shape (resamples, n_columns); `confidence` is in percent.
    """
    resamples, n_columns = values.shape
    # Two rows of zeros follow, since a bound may lie past the end.
    ascending = np.zeros((resamples + 2, n_columns))
    ascending[:resamples] = np.sort(values, axis=0)
    drawn = ascending[:resamples]
    # The original adds in order, and `reduce` would add a single column pairwise. Accumulating
    # takes three times as long.
    sums = np.add.accumulate(drawn)[-1] if n_columns == 1 else np.add.reduce(drawn, axis=0)
    average = sums / resamples
    delta = resamples * ((100 - confidence) / 2.0) / 100.0
    upper, lower = int(resamples - delta - 1), int(delta)
    # Two quirks of the original (section 6): both bounds are interpolated with the same ratio, and
    # values past the end count as 0.
    ratio = resamples - delta - 1 - upper
    bounds = (
        ascending[bound] + (ascending[bound + 1] - ascending[bound]) * ratio
        for bound in (lower, upper)
    )
    return np.stack((average, *bounds))


def resampled_sums(values: Floats, resamples: int) -> Floats:
    """Sum each column over the instances of each resample, in the order drawn.

    `values` has shape (n_instances, n_columns), with at least one instance; the result has shape
    (resamples, n_columns).
    """
    if values.shape[1] == 1:
        # NumPy would add a single column pairwise, so it is doubled.
        return resampled_sums(np.repeat(values, 2, axis=1), resamples)[:, :1]
    sums = np.empty((resamples, values.shape[1]))
    step = max(1, VALUES_AT_A_TIME // values.size)
    for block in even_blocks(resamples, step):
        drawn = np.ascontiguousarray(draw_instances(len(values), block).T)
        # Reducing the first axis of a C-ordered array adds the rows in order.
        sums[block.start : block.stop] = np.add.reduce(values[drawn], axis=0)
    return sums


def is_exact_in_doubles(values: NDArray[Any], scale: float = 1.0) -> bool:
    """Return whether sums of multiples of 1 / `scale` over any resample are exact in doubles."""
    largest = max(float(values.max(initial=0)), -float(values.min(initial=0)))
    return bool(largest * scale * len(values) < DOUBLE_LIMIT)


def counted_sums(whole: NDArray[Any], resamples: int, map_blocks: BlockMap = map) -> Floats:
    """Sum integers over the instances of each resample, in any order.

    `whole` has shape (n_instances, n_columns), and `is_exact_in_doubles` must hold for it; the
    result has shape (resamples, n_columns).
    """
    is_compiled = compiled_core() is not None
    in_core = (
        is_compiled and whole.min(initial=0) > -MOST_UNITS and whole.max(initial=0) < MOST_UNITS
    )
    if in_core:
        whole = np.asfortranarray(whole, np.int32)
    most = DRAWN_BYTES // (BYTES_OF_COUNT[is_compiled] * len(whole))
    fewest = max(1, min(LEAST_RESAMPLES_AT_A_TIME[is_compiled], most))
    blocks = even_blocks(resamples, max(fewest, VALUES_AT_A_TIME // len(whole)))
    if len(whole) * resamples < DRAWS_THAT_PAY[is_compiled]:
        map_blocks = map
    return np.concatenate(list(map_blocks(partial(_sums_of_drawn, whole, in_core), blocks)))


def _sums_of_drawn(whole: NDArray[Any], in_core: bool, block: range) -> Floats:
    n_instances, n_columns = whole.shape
    times_drawn = _times_drawn(n_instances, block)
    core = compiled_core()
    if core is not None and in_core and times_drawn.dtype == np.uint8:
        # Why not the products below? They take twice as long, and threads wait for each other at
        # each of them: two threads gained nothing.
        sums = np.empty((len(block), n_columns), np.int64)
        core.sum_drawn(n_instances, times_drawn, whole.T, sums)
        return sums.astype(np.float64)
    return products(times_drawn, whole)


def products(times_drawn: NDArray[Any], whole: NDArray[Any]) -> Floats:
    """Return the matrix product of draw counts and integers; shape (n_resamples, n_columns)."""
    sums = np.zeros((len(times_drawn), whole.shape[1]))
    # A block of rows at a time, whose scores and counts stay in the cache.
    for start in range(0, len(whole), ROWS_AT_A_TIME):
        rows = slice(start, start + ROWS_AT_A_TIME)
        # OpenBLAS multiplies doubles, and not integers.
        drawn = times_drawn[:, rows].astype(np.float64)
        sums += drawn @ whole[rows].astype(np.float64, copy=False)
    return sums


def _times_drawn(n_instances: int, block: range) -> NDArray[Any]:
    """Return how often each resample draws each instance; shape (len(block), n_instances)."""
    core = compiled_core()
    if core is not None:
        # The core returns False if a count exceeds 8 bits.
        times = np.empty((len(block), n_instances), np.uint8)
        if core.draw(n_instances, block.start, times):
            return times
    drawn = draw_instances(n_instances, block)
    drawn += np.arange(len(block))[:, np.newaxis] * n_instances
    return np.bincount(drawn.ravel(), minlength=drawn.size).reshape(drawn.shape)


def even_blocks(n: int, most: int) -> Iterator[range]:
    """Split the numbers below `n` into ranges of nearly equal size, of at most `most`.

    Why not ranges of `most` and a rest? Threads would wait: with 100,000 instances, a rest of 8
    resamples after 31 blocks of 32, drawn by two threads, costs 4 ms.
    """
    n_blocks = -(-n // most)
    for block in range(n_blocks):
        yield range(n * block // n_blocks, n * (block + 1) // n_blocks)


def draw_instances(n_instances: int, resamples: range) -> Whole:
    """Draw `n_instances` instances with replacement for each resample, seeded with its number.

    Returns the numbers of the instances in the order of the draws; shape (len(resamples),
    n_instances).
    """
    factors, terms = _jumps(min(n_instances, DRAWS_AT_A_TIME))
    seeds = np.arange(resamples.start, resamples.stop, dtype=np.uint64)
    states = (seeds * np.uint64(SEED_FACTOR) + np.uint64(SEED_OFFSET)) << np.uint64(SHIFT)
    drawn = np.empty((len(resamples), n_instances), np.int64)
    for start in range(0, n_instances, DRAWS_AT_A_TIME):
        columns = slice(start, min(start + DRAWS_AT_A_TIME, n_instances))
        n_draws = columns.stop - start
        block = states[:, np.newaxis] * factors[:n_draws]
        block += terms[:n_draws]
        states = block[:, -1].copy()
        block >>= np.uint64(SHIFT)
        # Scaling by a power of two is exact, so the product is rounded once, like N * rand.
        drawn[:, columns] = block.view(np.int64) * (n_instances * 2.0**-STATE_BITS)
    return drawn


@lru_cache(maxsize=1)
def _jumps(n_draws: int) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Return the factors A_k and the shifted terms C_k for k from 1 to `n_draws`."""
    # By doubling: k + m draws are k draws followed by m. Both arrays are read-only, since all
    # blocks of resamples share them.
    factors = np.array([MULTIPLIER], np.uint64)
    terms = np.array([INCREMENT << SHIFT], np.uint64)
    while factors.size < n_draws:
        terms = np.concatenate((terms, terms * factors[-1] + terms[-1]))
        factors = np.concatenate((factors, factors * factors[-1]))
    factors.setflags(write=False)
    terms.setflags(write=False)
    return factors[:n_draws], terms[:n_draws]


SEED = 2004  # seed of the intervals that are drawn from histograms


def means_of_resamples(scores: Floats, resamples: int, random: Any) -> Floats:
    """Return the means of resamples as ``rouge_score`` computes them; shape (resamples, 3).

    `scores` has shape (n, 3), and each resample draws n rows. `random` is ``numpy.random`` or a
    `RandomState`, and is left in its state after the last draw.
    """
    core = compiled_core()
    state = random.get_state(legacy=False)
    if core is None or state["bit_generator"] != "MT19937":
        return means_of_drawn(scores, resamples, random)
    means, twister = np.empty((resamples, 3)), state["state"]
    rows = np.ascontiguousarray(scores, np.float64)
    twister["pos"] = core.draw_means(rows, twister["key"], twister["pos"], means)
    random.set_state(state)
    return means


def means_of_drawn(scores: Floats, resamples: int, random: Any) -> Floats:
    """Return the result of `means_of_resamples`, computed with NumPy alone."""
    means = np.empty((resamples, scores.shape[1]))
    step = max(1, VALUES_AT_A_TIME // scores.size)
    for start in range(0, resamples, step):
        # One call yields the same integers as a call per resample.
        n_drawn = min(step, resamples - start)
        drawn = random.randint(0, len(scores), (n_drawn, len(scores)))
        means[start : start + n_drawn] = scores[drawn].mean(axis=1)
    return means


def histogram_sums(values: Floats, resamples: int, seed: int) -> Floats:
    """Resample the histogram of values, and return the sum of each resample; shape (resamples,).

    `values` has shape (n,), with n at least 1, in any order. The sums depend only on values and
    seed, and are exact for integers whose sums are below 2^53.
    """
    stream = np.random.MT19937(np.random.SeedSequence(seed, spawn_key=(0,)))
    random = np.random.RandomState(stream)
    distinct, counts = np.unique(values, return_counts=True)
    sums = np.zeros(resamples)
    n_left = values.size
    to_draw = np.full(resamples, n_left, np.int64)
    # A multinomial draw is a chain of binomial draws. Starting with the most frequent values leaves
    # few draws to the many rare values, and binomials of small n are fast.
    order = np.argsort(-counts, kind="stable")
    *others, (last, _) = zip(distinct[order].tolist(), counts[order].tolist(), strict=True)
    for value, count in others:
        times_drawn = random.binomial(to_draw, count / n_left)
        sums += times_drawn * value
        to_draw -= times_drawn
        n_left -= count
    sums += to_draw * last
    return sums
