"""Resampling: which EVALs and systems are drawn or swapped, and the resulting intervals.

**Draws** depend only on the seed, on their purpose, and on the numbers of EVALs and systems. All
pairs of systems and all metrics therefore share the same draws. They use the raw output of PCG64,
which NumPy guarantees not to change between versions.

**Intervals** of differences were chosen by simulation. Student's interval, percentiles, studentised
resamples, BCa and Hall's correction were compared on differences that are normal, tied, skewed,
mostly 0, or affected by rare failures. Studentised resamples also give intervals that are too
narrow if most differences are 0, and give no bounds at all if a resample contains only zeros.

**Failures** that no EVAL shows are not in any resample. If 2% of texts fail, one study in three
with 50 EVALs contains no failure, and a system that is worse overall looks better. With n EVALs, a
failure rate of 3/n cannot be excluded: J. A. Hanley and A. Lippman-Hand, If Nothing Goes Wrong, Is
Everything All Right?, Journal of the American Medical Association 249, 1983.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import permutations
from math import atan, cos, erfc, exp, factorial, inf, isfinite, isinf, lgamma, log, pi, sin, sqrt
from statistics import NormalDist
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from rouge_cli.metrics.arithmetic import Floats, Whole
from rouge_cli.progress import tracked
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports.rows import Shown

# Added to the seed: systems, EVALs and judges that are equally many must not share their draws.
OTHER_SEEDS = 1 << 64

# Cells and random numbers held at a time. Both bound the memory; the latter fit into a cache.
CELLS_AT_A_TIME, VALUES_AT_A_TIME = 1 << 19, 1 << 18

# Up to this number of possible exchanges, all of them are enumerated instead of drawn.
MOST_CHOICES = 1 << 12
# Purposes of draws. Each has a stream of its own, so that tests do not depend on each other.
BOOTSTRAP, RANDOMISATION, LABELS, SIGNS = 0, 1, 2, 3
Draw = Callable[[int, int, int], Iterator[Floats]]


def times_drawn(n_evals: int, resamples: int, seed: int) -> Iterator[Floats]:
    """Yield how often each bootstrap resample draws each EVAL.

    A resample consists of `n_evals` draws with replacement. Each array that is yielded holds a
    block of resamples, as float64 of shape (n_in_block, n_evals).
    """
    half, lower_half = np.uint64(32), np.uint64((1 << 32) - 1)
    for words in random_words(BOOTSTRAP, n_evals, resamples, seed, -(-n_evals // 2)):
        halves = np.concatenate((words & lower_half, words >> half), axis=1)[:, :n_evals]
        # Scaling 32 bits to EVALs is not exactly uniform, but the error is below n / 2^32.
        places = (halves * np.uint64(n_evals) >> half).astype(np.int64)
        places += np.arange(len(words))[:, np.newaxis] * n_evals
        counts = np.bincount(places.ravel(), minlength=places.size)
        yield counts.reshape(places.shape).astype(np.float64)


def swaps(
    n_evals: int, resamples: int, seed: int, purpose: int = RANDOMISATION
) -> Iterator[Floats]:
    """Yield in which EVALs each resample swaps two systems: 1 with probability 1/2, otherwise 0.

    Each array that is yielded holds a block of resamples, as float64 of shape (n_in_block,
    n_evals).
    """
    for words in random_words(purpose, n_evals, resamples, seed, -(-n_evals // 64)):
        # Little-endian, so that bits come in the same order on every machine.
        octets = words.astype("<u8").view(np.uint8)
        yield np.unpackbits(octets, axis=1, count=n_evals).astype(np.float64)


def every_swap(n_evals: int) -> Floats:
    """Return all possible choices of swaps, shape (2^n_evals, n_evals): 1 for a swap, else 0."""
    choices = np.arange(1 << n_evals)[:, np.newaxis]
    return np.asarray(choices >> np.arange(n_evals) & 1, np.float64)


def drawn_sums(draw: Draw, units: Floats, resamples: int, seed: int) -> Floats:
    """Return the sum of each column over the EVALs that each resample draws or swaps.

    `draw` is `times_drawn` or `swaps`. `units`, (n_evals, n_columns), are whole numbers, so their
    sums are exact. The result has shape (resamples, n_columns).
    """
    # Tests read single columns, which are contiguous in this transposed layout.
    sums = np.empty((units.shape[1], resamples))
    start = 0
    for block in draw(len(units), resamples, seed):
        sums[:, start : start + len(block)] = (block @ units).T
        start += len(block)
    return sums.T


def random_words(
    purpose: int, n_evals: int, resamples: int, seed: int, n_words: int
) -> Iterator[NDArray[np.uint64]]:
    """Yield `n_words` random 64-bit words for each resample, in blocks of resamples.

    The stream depends on the seed, on `purpose` and on `n_evals` alone.
    """
    # Why not Generator.integers or permutation? NumPy may change their streams in any release.
    source = np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(purpose, n_evals)))
    step = max(1, VALUES_AT_A_TIME // n_evals)
    sizes = [min(step, resamples - start) for start in range(0, resamples, step)]
    for n_rows in tracked(sizes, "Resampling", sizes):
        yield source.random_raw(n_rows * n_words).reshape(n_rows, n_words)


@dataclass(frozen=True, slots=True, eq=False)
class Resampling:
    """The resampling of cells for intervals, and the exchange of metrics for tests.

    A cell is a system in an EVAL. `resampled` is ``"evals"``, ``"systems"`` or ``"both"``.
    `exchanged` is ``"systems"`` or ``"cells"``, and applies at the system level. `clusters`,
    (n_evals,), has the index of the cluster of each EVAL, from 0: whole clusters are drawn, and all
    cells of a system in a cluster are exchanged together.
    """

    resamples: int
    seed: int
    resampled: str = "both"
    exchanged: str = "systems"
    clusters: Whole | None = None


def drawn_cells(
    shape: tuple[int, int], how: Resampling, n_tables: int = 1
) -> Iterator[tuple[Whole, Whole]]:
    """Yield the cells of each resample, as indices into an array (n_systems, n_evals, ...).

    `shape` is (n_systems, n_evals). `n_tables` is the number of tables that the caller indexes at
    the same time; more tables make smaller blocks, since their memory is bounded together.

    For each block of n resamples, the indices are those of systems, (n_systems, 1, n), and of
    EVALs, (1, n_drawn, n). Resamples of clusters may draw different numbers of EVALs; the index
    n_evals pads the shorter ones.
    """
    systems, evals = map(_places, drawn_times(shape, how))
    step = max(1, CELLS_AT_A_TIME // (len(systems) * len(evals) * n_tables))
    starts = range(0, how.resamples, step)
    sizes = [min(step, how.resamples - start) for start in starts]
    for start in tracked(starts, "Resampling", sizes):
        chosen = slice(start, start + step)
        yield systems[:, np.newaxis, chosen], evals[np.newaxis, :, chosen]


def drawn_times(shape: tuple[int, int], how: Resampling) -> tuple[Whole, Whole]:
    """Return how often each resample draws each system and each EVAL.

    The results have shapes (n_systems, n_resamples) and (n_evals, n_resamples). `shape` is
    (n_systems, n_evals).
    """
    systems, evals = (np.ones((size, how.resamples), np.int64) for size in shape)
    if how.resampled != "evals":
        systems = _times(shape[0], how.resamples, how.seed + OTHER_SEEDS)
    if how.resampled != "systems":
        clusters = np.arange(shape[1]) if how.clusters is None else how.clusters
        evals = _times(int(clusters.max()) + 1, how.resamples, how.seed)[clusters]
    return systems, evals


def drawn_judges(n_judges: int, how: Resampling) -> Whole:
    """Return how often each resample draws each judge, shape (n_judges, n_resamples)."""
    return _times(n_judges, how.resamples, how.seed + 2 * OTHER_SEEDS)


def _times(size: int, resamples: int, seed: int) -> Whole:
    return np.concatenate(list(times_drawn(size, resamples, seed))).T.astype(np.int64)


def _places(times: Whole) -> Whole:
    """Turn the number of draws of each index, (size, n), into the drawn indices, (n_drawn, n).

    The indices of a resample ascend. The index `size` pads resamples that draw fewer than others.
    """
    size, n = times.shape
    n_drawn = times.sum(axis=0)
    places = np.full((n, int(n_drawn.max())), size)
    is_used = np.arange(places.shape[1]) < n_drawn[:, np.newaxis]
    places[is_used] = np.repeat(np.tile(np.arange(size), n), times.T.ravel())
    return np.ascontiguousarray(places.T)


def swapped_cells(
    shape: tuple[int, int], resamples: int, seed: int
) -> tuple[Iterator[NDArray[np.bool_]], bool]:
    """Return which cells each resample swaps, each one with probability 1/2.

    `shape` is (n_systems, n_evals). Each array of the iterator holds a block of resamples, as bool
    of shape (n_systems, n_evals, n_in_block). The second value tells whether they are all possible
    choices, which are enumerated up to `MOST_CHOICES`.
    """
    n_cells = shape[0] * shape[1]
    if n_cells <= MOST_CHOICES.bit_length():
        # Swapping the opposite cells merely exchanges the names of the two metrics, so one choice
        # of each such pair is enough.
        choices = np.arange(1 << (n_cells - 1))
        swapped = (choices >> np.arange(n_cells)[:, np.newaxis] & 1) != 0
        return iter([swapped.reshape(*shape, -1)]), True
    blocks = (block.reshape(-1, *shape) != 0 for block in swaps(n_cells, resamples, seed))
    return (np.ascontiguousarray(np.moveaxis(block, 0, 2)) for block in blocks), False


def label_orders(
    shape: tuple[int, int], n_labels: int, resamples: int, seed: int
) -> tuple[Iterator[Whole], bool]:
    """Return a permutation of the labels of each cell for each resample; all are equally likely.

    `shape` is (n_systems, n_evals). Each array of the iterator holds a block of resamples, as int64
    of shape (n_systems, n_evals, n_labels, n_in_block). The second value is that of
    `swapped_cells`, which draws the permutations of two labels.
    """
    if n_labels == 2:  # noqa: PLR2004
        swapped, is_enumerated = swapped_cells(shape, resamples, seed)
        both = (np.stack((block, ~block), axis=2).astype(np.int64) for block in swapped)
        return both, is_enumerated
    n_others = shape[0] * shape[1] - 1
    n_orders = factorial(n_labels)
    # Logarithms, since the number of permutations itself may have a million digits.
    if n_others * log(n_orders) <= log(MOST_CHOICES):
        # The first cell keeps its order: permuting the labels of all cells alike changes nothing.
        numbers = np.arange(n_orders**n_others) // n_orders ** np.arange(n_others)[:, np.newaxis]
        digits = np.concatenate((np.zeros((1, numbers.shape[1]), np.int64), numbers % n_orders))
        orders = np.array(list(permutations(range(n_labels))))[digits]
        return iter([np.moveaxis(orders, 1, 2).reshape(*shape, n_labels, -1)]), True
    size = shape[0] * shape[1] * n_labels
    # Sorting one random word per label permutes them; `size` also keeps blocks as small as others.
    blocks = (
        words.reshape(-1, *shape, n_labels).argsort(axis=3, kind="stable")
        for words in random_words(LABELS, size, resamples, seed, size)
    )
    return (np.ascontiguousarray(np.moveaxis(block, 0, 3)) for block in blocks), False


# Intervals.

# Relative tolerance: differences smaller than this fraction of the scores are rounding errors.
EQUAL = 1e-11


@dataclass(frozen=True, slots=True)
class Spread:
    """The variation of differences between EVALs, or between clusters of them.

    `error` is the standard error of their sum; `n_blocks` is the number of EVALs or clusters.
    """

    error: float
    skewness: float
    n_blocks: int

    @classmethod
    def of(cls, differences: Floats, sizes: Floats) -> "Spread":
        """Measure the spread of differences, (n_blocks,), each of which is a sum over EVALs.

        `sizes` has the number of EVALs in each sum.
        """
        n = len(differences)
        centred = differences - sizes * (differences.sum() / sizes.sum())
        square = float((centred**2).sum())
        if n < 2 or not square:  # noqa: PLR2004 - a single difference has no spread
            return cls(0.0, 0.0, n)
        skewness = float((centred**3).sum()) / n / (square / n) ** 1.5
        return cls(float(np.sqrt(square * n / (n - 1))), skewness, n)


def difference_interval(
    resampled: Floats, observed: float, spread: Spread, confidence: Fraction, most: float = inf
) -> tuple[float, float]:
    """Return the lower and upper bounds of a difference.

    `most` is the largest possible difference, 1 for shares. A single EVAL says nothing about how
    differences vary, so its interval extends from ``-most`` to `most` if that is finite.

    The interval is the union of two others: the bias-corrected and accelerated percentiles (BCa) of
    the resampled differences, (resamples,), with Student's quantiles instead of normal ones, and
    Student's interval. Neither alone covers the true difference often enough: the first is too
    narrow if most differences are 0, the second if they are skewed. The interval of B - A is
    exactly the negative of that of A - B.

    Sources: B. Efron, Better Bootstrap Confidence Intervals, JASA 82, 1987; T. Hesterberg, What
    Teachers Should Know About the Bootstrap, The American Statistician 69, 2015, section 5.3, for
    Student's quantiles.
    """
    resamples, level = len(resampled), 1 - confidence
    degrees = spread.n_blocks - 1
    if degrees < 1 and isfinite(most):
        return -most, most
    if not spread.error:
        return observed, observed
    if not level:
        return float(resampled.min()), float(resampled.max())
    t = t_quantile(1 - float(level) / 2, degrees)
    shares = _bca_shares(resampled, observed, spread, t)
    low, high = (max(1, int((resamples + 1) * share)) for share in shares)
    # Only two order statistics are needed, so a partition replaces a full sort.
    places = [min(low, resamples) - 1, resamples - min(high, resamples)]
    lower, upper = np.partition(resampled, places)[places].tolist()
    student = t * spread.error
    return max(-most, min(lower, observed - student)), min(most, max(upper, observed + student))


@dataclass(frozen=True, slots=True)
class EffectSize:
    """A difference divided by the standard deviation of the differences of EVALs (Cohen's d)."""

    value: Annotated[float, Shown("Cohen's d of the differences of texts.", column="{}_size")]
    lower: Annotated[
        float | None, Shown("Of its interval; null at a confidence of 100%.", column="{}_lower")
    ]
    upper: Annotated[float | None, Shown("Of its interval.", column="{}_upper")]


def effect_size(
    observed: float, spread: Spread, of_evals: Spread, confidence: Fraction
) -> EffectSize | None:
    """Return Cohen's d of a difference; None if the differences of EVALs do not vary.

    The bounds are the values of d for which the observed t is a quantile of the noncentral t
    distribution, by its normal approximation. `spread` gives this t: it is that of EVALs or, if
    they are clustered, of clusters. Sources: N. L. Johnson and B. L. Welch, Applications of the
    Non-Central t-Distribution, Biometrika 31, 1940; Abramowitz and Stegun, 26.7.10.
    """
    if not of_evals.error:
        return None
    root_of_evals = sqrt(of_evals.n_blocks)
    value = observed / of_evals.error / root_of_evals
    if not spread.error or confidence >= 1:
        return EffectSize(value, None, None)
    # The factor from d to t. Clusters of similar EVALs have a larger error, hence a smaller t.
    root = root_of_evals * (of_evals.error / spread.error)
    degrees, t = spread.n_blocks - 1, observed / spread.error
    middle = t * (1 - 1 / (4 * degrees))
    z = NormalDist().inv_cdf((1 + float(confidence)) / 2)
    half = z * sqrt(1 + t**2 / (2 * degrees))
    return EffectSize(value, (middle - half) / root, (middle + half) / root)


def _bca_shares(
    resampled: Floats, observed: float, spread: Spread, t: float
) -> tuple[float, float]:
    """Return the fractions of resampled differences that lie below and above the BCa interval."""
    tolerance = EQUAL * abs(observed)
    n_less = int(np.count_nonzero(resampled < observed - tolerance))
    n_more = int(np.count_nonzero(resampled > observed + tolerance))
    n_ties = len(resampled) - n_less - n_more
    fewer = (2 * min(n_less, n_more) + n_ties) / 2
    # Adding 0.5 keeps the quantile finite. The smaller tail is used, and the sign is restored
    # afterwards, so that the bias of B - A is exactly the negative of that of A - B.
    bias = NormalDist().inv_cdf((fewer + 0.5) / (len(resampled) + 1))
    if n_less > n_more:
        bias = -bias
    acceleration = spread.skewness / 6 / sqrt(spread.n_blocks)
    # The variance of resamples has the divisor n, not n - 1, which this factor makes up for.
    z = t * sqrt(spread.n_blocks / (spread.n_blocks - 1))

    def share(sign: int) -> float:
        distance = sign * bias - z
        stretch = 1 - sign * acceleration * distance
        return NormalDist().cdf(sign * bias + distance / stretch) if stretch > 0 else 0.0

    return share(1), share(-1)


@lru_cache
def t_quantile(share: float, degrees: int) -> float:
    """Return the quantile of Student's t distribution at a probability between 0 and 1.

    Below 50 degrees of freedom the quantile is found by bisection. From 50 on it is computed by the
    Cornish-Fisher expansion, up to the fourth power of 1 / degrees, which is then accurate to six
    digits.
    """
    if share < 0.5:  # noqa: PLR2004 - the distribution is symmetric
        return -t_quantile(1 - share, degrees)
    if degrees < 50:  # noqa: PLR2004
        high = 1.0
        while t_share(high, degrees) < 2 * share - 1:
            high *= 2
        return _bisected(lambda t: t_share(t, degrees) < 2 * share - 1, high)
    z = NormalDist().inv_cdf(share)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + float(sum(term / degrees**k for k, term in enumerate(terms, 1)))


def t_share(value: float, degrees: int) -> float:
    """Return the probability that Student's t lies between ``-value`` and ``value``.

    Source: M. Abramowitz and I. Stegun, Handbook of Mathematical Functions, 1964, 26.7.3 and 4.
    """
    angle = atan(value / sqrt(degrees))
    is_odd = degrees % 2
    term = cos(angle) if is_odd else 1.0
    total = 0.0
    for k in range(2 + is_odd, degrees + 1, 2):
        total += term
        term *= cos(angle) ** 2 * (k - 1) / k
    if is_odd:
        return (angle + sin(angle) * total) * 2 / pi
    return sin(angle) * total


def chi_square_tail(value: float, degrees: int) -> float:
    """Return the probability that chi-square is at least `value`; accurate far out in the tail."""
    if not 0 < value < inf:
        return 0.0 if value > 0 else 1.0
    # For whole degrees of freedom the tail is a finite sum. Its terms may be smaller than any
    # double before they are multiplied out, hence the logarithms.
    half, is_odd = value / 2, degrees % 2
    orders = (number + is_odd / 2 for number in range(degrees // 2))
    terms = (exp(order * log(half) - half - lgamma(order + 1)) for order in orders)
    return sum(terms, erfc(sqrt(half)) if is_odd else 0.0)


def chi_square_quantile(share: float, degrees: int) -> float:
    """Return the quantile of the chi-square distribution at a probability below 1."""
    # Twelve standard deviations above the mean, and more for few degrees: beyond every quantile.
    high = degrees + 12 * sqrt(2 * degrees) + 100
    return _bisected(lambda value: 1 - chi_square_tail(value, degrees) < share, high)


def _bisected(is_below: Callable[[float], bool], high: float) -> float:
    low = 0.0
    while high - low > 1e-12 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if is_below(middle) else (low, middle)
    return high


def unseen_texts(level: Fraction | float) -> float:
    """Return n times the failure rate at which n EVALs show no failure with probability `level`.

    It is infinite at level 0.
    """
    # The rule of three: 3 is -ln(0.05), rounded up.
    return max(3, -log(level)) if level else inf


def unseen_rate(n_blocks: int, level: Fraction | float) -> float:
    """Return the highest failure rate that `n_blocks` EVALs or clusters do not exclude."""
    return min(1.0, unseen_texts(level) / n_blocks)


def failure_loss(
    means: Sequence[float], ends: tuple[float, float], *, is_lower_better: bool = False
) -> float:
    """Return how much an average text loses if it fails, that is, gets the worst possible score.

    `means` are the mean scores of the systems; `ends` are the lowest and highest possible scores.
    If the worst score is unbounded, a failing text is assumed to lose its whole score.
    """
    loss = ends[1] - min(means) if is_lower_better else max(means) - ends[0]
    return max(map(abs, means)) if isinf(loss) else loss


def largest_change(means: Sequence[float], ends: tuple[float, float]) -> float:
    """Return the most that an average text can lose or gain, given the `ends` of the scale."""
    return max(failure_loss(means, ends, is_lower_better=lower) for lower in (False, True))


def not_excluded(n_blocks: int, level: Fraction | float, what: str = "") -> str:
    """Return the failure rate that is not excluded, as text: ``6.0% (3 in 50)``."""
    rate, texts = 100 * unseen_rate(n_blocks, level), unseen_texts(level)
    return f"{rate:.1f}%{what} ({texts:.3g} in {n_blocks})"
