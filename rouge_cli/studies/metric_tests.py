"""Intervals of correlations, and tests of whether one metric correlates better than another.

Under the null hypothesis it does not matter which of two metrics gave a score, so the standardised
scores of the two are exchanged at random. What is exchanged at once is a whole system at the system
level, where each system counts as one, and a cell (a system in an EVAL) at the others. Williams'
test is one of two correlations with the same judgements, of metrics that correlate too.

Of several metrics some are alike, as ROUGE-1 and ROUGE-2 are, and others are not. The difference of
two that are alike has little room, so exchanging the labels of all would take the usual difference
of two that are not for a large one. Hence the one test of all metrics measures each difference in
standard errors: at the system and the pooled level it is Williams' t, at the summary level the
paired t over EVALs. Each is compared with the largest that an exchange makes of any two metrics.

Sources: the bootstrap of correlations, with the percentile intervals of B. Efron, and the tests
PERM-SYSTEMS and PERM-BOTH, here two-sided, of D. Deutsch, R. Dror, D. Roth, A Statistical Analysis
of Summarization Evaluation Metrics Using Resampling Methods, TACL 9, 2021.
Studentised permutation tests: A. Janssen, Studentized Permutation Tests for Non-i.i.d. Hypotheses
and the Generalized Behrens-Fisher Problem, Statistics and Probability Letters 36, 1997.
E. J. Williams, Regression Analysis, 1959; in the form of Y. Graham, T. Baldwin, Testing for
Significance of Increased Correlation with Human Judgment, EMNLP 2014.
"""

from collections.abc import Sequence
from itertools import combinations
from math import isnan

import numpy as np
from numpy.typing import NDArray

from rouge_cli.quick_dataclass import dataclass
from rouge_cli.studies.coefficients import (
    COEFFICIENTS,
    SUMMARY,
    SYSTEM,
    at_level,
    exact_coefficient,
    ranks,
    scipy_stats,
    system_means,
)
from rouge_cli.studies.draws import (
    CELLS_AT_A_TIME,
    WHOLE_SYSTEMS,
    Places,
    Resampling,
    drawn_cells,
    label_orders,
    swapped_cells,
)
from rouge_cli.studies.judged_cells import AggregatedCells, system_scores

Floats = NDArray[np.float64]

TOLERANCE, TOLERANCE_OF_Z = 1e-10, 1e-6
"""What rounding makes of differences of correlations, and of z near to a correlation of 1."""

TOLERANCE_OF_T = 1e-6
"""What it makes of differences in standard errors, as a share of them."""

NEARLY_ONE = 1 - 1e-9
"""The largest correlation with a z that is still a number."""

FEWEST_SYSTEMS = 4
"""Of Williams' test."""

NO_DIFFERENCE = 1e-12
"""Less than this is what rounding leaves of nothing."""


@dataclass(frozen=True, slots=True)
class CorrelationInterval:
    """Lower and upper percentile; no bounds if no resample has a value.

    In `n_dropped` resamples the coefficient is undefined.
    """

    bounds: tuple[float, float] | None
    n_dropped: int


def correlation_intervals(  # noqa: PLR0913
    measured: tuple[str, str],
    scores: Floats,
    judged: Floats,
    how: Resampling,
    confidence: float,
    *,
    aggregated: tuple[AggregatedCells, ...] = (),
) -> list[CorrelationInterval]:
    """Bootstrap a correlation of several tables of scores: all tables from the same resamples.

    - `measured`: level and coefficient, as `at_level` takes them.
    - `scores`: shape (n_systems, n_evals, n_tables); `judged`: (n_systems, n_evals).
    - `confidence`: in percent.
    - `aggregated`: scores of systems that are made of what else is drawn.
    """
    n_systems, n_evals, n_tables = scores.shape
    parts = tuple(metric.parts for metric in aggregated)
    draws = drawn_cells((n_systems, n_evals), how, n_tables + sum(part.shape[2] for part in parts))
    if how.clusters is not None:
        # An EVAL that is missing everywhere, for resamples with fewer EVALs than others.
        scores, judged, *parts_of = map(_with_missing, (scores, judged, *parts))
        parts = tuple(parts_of)
    values = []
    for cells in draws:
        drawn, humans = scores[cells], judged[cells][..., np.newaxis]
        if aggregated and measured[0] == SYSTEM:
            of_parts = tuple(part[cells] for part in parts)
            drawn = system_scores(drawn, aggregated, of_parts)[:, np.newaxis]
            humans = system_means(humans)[:, np.newaxis]
        values.append(at_level(*measured, drawn, humans))
    by_table = np.concatenate(values).T
    return [_interval(resampled, confidence) for resampled in by_table]


def _with_missing(cells: Floats) -> Floats:
    """Add an EVAL that is missing everywhere."""
    return np.concatenate((cells, np.full_like(cells[:, :1], np.nan)), axis=1)


def _interval(resampled: Floats, confidence: float) -> CorrelationInterval:
    """Return the percentiles of the values that are defined."""
    values = resampled[~np.isnan(resampled)]
    n_dropped = len(resampled) - len(values)
    if not len(values):
        return CorrelationInterval(None, n_dropped)
    tail = (100 - confidence) / 200
    lower, upper = np.quantile(values, [tail, 1 - tail]).tolist()
    return CorrelationInterval((lower, upper), n_dropped)


@dataclass(frozen=True, slots=True)
class MetricPermutation:
    """The result of a test.

    - `difference`: correlation of the first metric less that of the second; None if one is
      undefined.
    - `p`: two-sided: (count + 1) / (n + 1), the count that of the n resamples with a difference at
      least as large in absolute value.
    - `n_dropped`: resamples in which a correlation is undefined; they are not among the n.
    - `is_exact`: whether p comes from all choices of swaps: count / n.
    - `p_holm`: corrected over all pairs of the column.
    """

    difference: float | None
    p: float | None
    n_dropped: int = 0
    is_exact: bool = False
    p_holm: float | None = None


@dataclass(frozen=True, slots=True)
class WilliamsTest:
    """The result of a test with `degrees` of freedom: the number of systems less 3.

    `t` is above 0 if the first metric correlates better. `p` is two-sided, and corrected over all
    pairs of the column in `p_holm`; `p_one_sided` is of the hypothesis that the first metric does
    not correlate better.
    """

    t: float
    degrees: int
    p: float
    p_one_sided: float
    p_holm: float | None = None


Pair = tuple[int, int]


@dataclass(frozen=True, slots=True, eq=False)
class _Exchangeable:
    """Scores as they are exchanged.

    - `measured`: level and coefficient, as `at_level` takes them.
    - `scores`: standardised, (n_systems, n_evals, n_metrics). Of whole systems the means, as of one
      EVAL. `judged` has shape (n_systems, n_evals), `clusters` (n_evals,).
    - `is_whole`: whether what is exchanged are whole systems.
    """

    measured: tuple[str, str]
    scores: Floats
    judged: Floats
    clusters: Places
    is_whole: bool

    def correlate(self, scores: Floats) -> Floats:
        """Correlate tables with the judgements; two more axes than those have are left."""
        return at_level(*self.measured, scores, self.judged[..., np.newaxis, np.newaxis])

    def statistic(self, correlations: Floats) -> Floats:
        """Put correlations on the scale on which they are subtracted from each other.

        For whole systems that is Fisher's z, on which every correlation spreads equally. On their
        own scale, exchanged metrics, which are no longer standardised, would be too near to each
        other.
        """
        if not self.is_whole:
            return correlations
        z: Floats = np.arctanh(np.clip(correlations, -NEARLY_ONE, NEARLY_ONE))
        return z

    @property
    def tolerance(self) -> float:
        """Differences of statistics that are this near to each other count as equal."""
        return TOLERANCE_OF_Z if self.is_whole else TOLERANCE

    def distances(self, scores: Floats) -> Floats:
        """Return how far apart every two metrics are, in standard errors.

        From tables of shape (n_systems, n_evals, n_metrics, n) to (n_metrics, n_metrics, n). Of two
        metrics alone it is the difference itself, which no other has to be comparable with: so p is
        that of the test of the pair. Too few units, which leave no error, make it 0.
        """
        level, coefficient = self.measured
        n_metrics = scores.shape[2]
        if n_metrics == 2:  # noqa: PLR2004
            statistics = self.statistic(self.correlate(scores))
            return np.abs(statistics[:, np.newaxis] - statistics)
        if level == SUMMARY:
            by_eval = COEFFICIENTS[coefficient](scores, self.judged[..., np.newaxis, np.newaxis])
            return _paired_t(by_eval, self.clusters)
        units, judged = scores, self.judged[..., np.newaxis]
        if level == SYSTEM:
            units, judged = system_means(units), system_means(judged)
        units = units.reshape(-1, *units.shape[-2:])
        people = np.broadcast_to(judged.reshape(-1, 1, 1), (len(units), 1, units.shape[2]))
        units = np.concatenate((units, people), axis=1)
        units = units[~np.isnan(units).any(axis=(1, 2))]
        if len(units) < FEWEST_SYSTEMS:
            return np.zeros((n_metrics, n_metrics, scores.shape[3]))
        between = _between(units if coefficient == "pearson" else ranks(units))
        humans = between[-1, :-1]
        if coefficient == "kendall":
            humans = _as_pearson(self.correlate(scores), coefficient)
        between = between[:-1, :-1]
        t: Floats = np.abs(_williams_t(humans[:, np.newaxis], humans, between, len(units)))
        return t

    def distances_of_pairs(self, first: Floats, second: Floats) -> Floats:
        """Return the same of many pairs of metrics, whole systems; from (n_systems, 1, ...)."""
        level, coefficient = self.measured
        if len(self.judged) < FEWEST_SYSTEMS:
            return np.zeros(first.shape[2:])
        between = at_level(
            level, "pearson" if coefficient == "pearson" else "spearman", first, second
        )
        one, other = (_as_pearson(self.correlate(x), coefficient) for x in (first, second))
        t: Floats = np.abs(_williams_t(one, other, between, len(self.judged)))
        return t

    @property
    def shape(self) -> tuple[int, int]:
        """How many systems and clusters there are to exchange."""
        return len(self.judged), int(self.clusters.max()) + 1


def _exchangeable(
    measured: tuple[str, str], scores: Floats, judged: Floats, how: Resampling
) -> _Exchangeable:
    """Standardise the scores of what is exchanged at once, at the summary level in each EVAL."""
    if measured[0] == SYSTEM and how.exchanged == WHOLE_SYSTEMS:
        scores, judged = system_means(scores)[:, np.newaxis], system_means(judged)[:, np.newaxis]
        one_eval = np.zeros(1, np.int64)
        return _Exchangeable(measured, _standardised(scores), judged, one_eval, is_whole=True)
    if measured[0] == SUMMARY:
        scores = _centred(scores)
    clusters = np.arange(judged.shape[1]) if how.clusters is None else how.clusters
    return _Exchangeable(measured, _standardised(scores), judged, clusters, is_whole=False)


def permutation_tests(
    measured: tuple[str, str],
    scores: Floats,
    judged: Floats,
    pairs: Sequence[Pair],
    how: Resampling,
) -> list[MetricPermutation]:
    """Test pairs of metrics, by their numbers, all with the same swaps.

    `measured` is level and coefficient, as `at_level` takes them. `scores` has shape (n_systems,
    n_evals, n_metrics), `judged` (n_systems, n_evals). Without resamples there is no p.
    """
    cells = _exchangeable(measured, scores, judged, how)
    # Not by scipy, as the values that are reported: observed and resampled values are compared, and
    # have to be rounded alike.
    observed = cells.correlate(cells.scores[:, :, np.newaxis])[0]
    statistics = cells.statistic(observed)
    counts = np.zeros((len(pairs), 3), np.int64)
    swapped, is_exact = swapped_cells(cells.shape, how.resamples, how.seed)
    for block in swapped if how.resamples else ():
        is_swapped = block[:, cells.clusters]
        for index, (first, second) in enumerate(pairs):
            left, right = cells.scores[..., [first]], cells.scores[..., [second]]
            both = np.stack(
                (np.where(is_swapped, right, left), np.where(is_swapped, left, right)), axis=-1
            )
            values = cells.statistic(cells.correlate(both))
            differences = np.abs(values[:, 0] - values[:, 1])
            least = abs(statistics[first] - statistics[second]) - cells.tolerance
            is_defined = ~np.isnan(differences)
            counts[index] += (differences >= least).sum(), is_defined.sum(), len(differences)
    return [
        _result(float(observed[first] - observed[second]), of_pair, is_exact=is_exact)
        for (first, second), of_pair in zip(pairs, counts.tolist(), strict=True)
    ]


def _centred(scores: Floats) -> Floats:
    """Give every metric mean 0 in each EVAL.

    At this level systems are compared within EVALs. That some documents are easy for one metric and
    not for the other would only add noise to what is exchanged, and cost the test much power.
    """
    counts = (~np.isnan(scores)).sum(axis=0)
    # Not nanmean, which warns of EVALs that are missing everywhere.
    centred: Floats = scores - np.nansum(scores, axis=0) / np.maximum(counts, 1)
    return centred


def _standardised(scores: Floats) -> Floats:
    """Give every metric mean 0 and standard deviation 1 over all cells; a constant one mean 0."""
    highest, lowest = np.nanmax(scores, axis=(0, 1)), np.nanmin(scores, axis=(0, 1))
    centred = scores - np.nanmean(scores, axis=(0, 1))
    is_constant = highest == lowest
    scale = np.where(is_constant, 1.0, np.nanstd(scores, axis=(0, 1)))
    return np.where(is_constant & ~np.isnan(scores), 0.0, centred / scale)


def _result(difference: float, counts: Sequence[int], *, is_exact: bool) -> MetricPermutation:
    """Return the p-value, if there is a difference to test.

    `counts` are how many resamples are as far off, how many are defined, and all of them. Where
    all choices are taken, what was observed is one of them.
    """
    n_larger, n_defined, n_drawn = counts
    if np.isnan(difference):
        return MetricPermutation(None, None)
    if not n_drawn:
        return MetricPermutation(difference, None)
    p = n_larger / n_defined if is_exact else (n_larger + 1) / (n_defined + 1)
    return MetricPermutation(difference, p, n_drawn - n_defined, is_exact)


def best_metric_tests(
    measured: tuple[str, str], scores: Floats, judged: Floats, how: Resampling
) -> list[float | None]:
    """Test in one go which metrics are worse than the best one; with at least one resample.

    p of a metric is how often any two metrics are as far apart after an exchange as the best one
    and this metric are: every two exchanged by the same swaps of systems or, in cells, the labels
    of all. So the chance of any false alarm among equally good metrics is that of one test.

    Takes `measured`, `scores` and `judged` as `permutation_tests` does. Returns a p for each
    metric; None where its correlation is undefined.
    """
    cells = _exchangeable(measured, scores, judged, how)
    observed = cells.correlate(cells.scores[..., np.newaxis])[:, 0]
    defined = np.flatnonzero(~np.isnan(observed))
    if not len(defined):
        return [None] * len(observed)
    best = int(np.argmax(observed[defined]))
    behind = cells.distances(cells.scores[..., defined, np.newaxis])[best, :, 0]
    largest, is_exact = _largest_distances(cells, defined, how)
    # Where all choices are taken, what was observed is one of them.
    n_observed = 0 if is_exact else 1

    def p_of(distance: float) -> float:
        least = distance * (1 - TOLERANCE_OF_T) - cells.tolerance
        n_larger = int(np.count_nonzero(largest >= least))
        return (n_larger + n_observed) / (len(largest) + n_observed)

    by_index = dict(zip(defined.tolist(), map(p_of, behind.tolist()), strict=True))
    return [by_index.get(index) for index in range(len(observed))]


def _largest_distances(
    cells: _Exchangeable, defined: Places, how: Resampling
) -> tuple[Floats, bool]:
    """Return how far apart any two metrics are after each exchange."""
    if cells.is_whole and len(defined) > 2:  # noqa: PLR2004
        return _largest_of_swaps(cells, defined, how)
    scores = cells.scores[..., defined, np.newaxis]
    orders, is_exact = label_orders(cells.shape, len(defined), how.resamples, how.seed)
    largest = []
    for block in orders:
        exchanged = np.take_along_axis(scores, block[:, cells.clusters], axis=2)
        # A metric of which nothing varies after an exchange is no farther from others.
        distances = np.nan_to_num(cells.distances(exchanged), nan=0.0)
        largest.append(distances.max(axis=(0, 1)))
    return np.concatenate(largest), is_exact


def _largest_of_swaps(
    cells: _Exchangeable, defined: Places, how: Resampling
) -> tuple[Floats, bool]:
    """Return how far apart any two metrics are after the two are exchanged, all by the same swaps.

    So metrics that are alike stay alike, as they would not if the labels of all were mixed.
    """
    pairs = np.array(list(combinations(defined.tolist(), 2)))
    swapped, is_exact = swapped_cells(cells.shape, how.resamples, how.seed)
    largest = []
    for block in swapped:
        is_swapped = block[:, :, np.newaxis]
        most = np.zeros(block.shape[2])
        step = max(1, CELLS_AT_A_TIME // block.size)
        for start in range(0, len(pairs), step):
            left, right = (
                cells.scores[..., pairs[start : start + step, side], np.newaxis] for side in (0, 1)
            )
            first, second = np.where(is_swapped, right, left), np.where(is_swapped, left, right)
            distances = np.nan_to_num(cells.distances_of_pairs(first, second), nan=0.0)
            most = np.maximum(most, distances.max(axis=0))
        largest.append(most)
    return np.concatenate(largest), is_exact


def _as_pearson(values: Floats, coefficient: str) -> Floats:
    """Return correlations of normal scores that have this tau (Greiner's relation)."""
    return np.sin(np.pi / 2 * values) if coefficient == "kendall" else values


def _between(units: Floats) -> Floats:
    """Correlate every two metrics; from (n_units, n_metrics, n) to (n_metrics, n_metrics, n)."""
    # Not matmul: so small products cost its threads more time than they save.
    centred = np.ascontiguousarray((units - units.mean(axis=0)).T)
    norms = np.sqrt((centred**2).sum(axis=2, keepdims=True))
    centred = np.divide(centred, norms, out=np.zeros_like(centred), where=norms > 0)
    between: Floats = np.einsum("nau,nbu->abn", centred, centred)
    return between


def _paired_t(by_eval: Floats, clusters: Places) -> Floats:
    """Return t of the mean difference of every two metrics; EVALs of a cluster go together.

    From correlations in each EVAL, (n_evals, n_metrics, n), to (n_metrics, n_metrics, n).
    """
    is_nan = np.isnan(by_eval)
    n_defined = (~is_nan).sum(axis=0)
    means = np.where(is_nan, 0.0, by_eval).sum(axis=0) / np.maximum(n_defined, 1)
    shares = np.where(is_nan, 0.0, by_eval - means) / np.maximum(n_defined, 1)
    of_clusters = np.zeros((int(clusters.max()) + 1, *shares.shape[1:]))
    np.add.at(of_clusters, clusters, shares)
    of_clusters = np.ascontiguousarray(of_clusters.T)
    products = np.einsum("nac,nbc->abn", of_clusters, of_clusters)
    squares = np.einsum("mmn->mn", products)
    variances = squares[:, np.newaxis] + squares - 2 * products
    differences = np.abs(means[:, np.newaxis] - means)
    t: Floats = differences / np.sqrt(np.maximum(variances, NO_DIFFERENCE))
    return t


def williams_test(first: Floats, second: Floats, judged: Floats) -> WilliamsTest | None:
    """Test the difference of two Pearson correlations, from means of systems, (n_systems,).

    None for fewer than 4 systems, if one of the three is constant, or if two of them say all of the
    third, so that there is no error to measure a difference by.
    """
    n = len(judged)
    humans_first = exact_coefficient("pearson", first, judged)
    humans_second = exact_coefficient("pearson", second, judged)
    between = exact_coefficient("pearson", first, second)
    if n < FEWEST_SYSTEMS or isnan(humans_first + humans_second + between):
        return None
    correlations = np.array([humans_first, humans_second, between])
    numerator, spread = _williams_parts(correlations[0], correlations[1], correlations[2], n)
    if not numerator:
        t = 0.0
    elif spread > NO_DIFFERENCE:
        t = float(numerator / np.sqrt(spread))
    else:
        return None
    tail = scipy_stats().t.sf
    return WilliamsTest(t, n - 3, float(2 * tail(abs(t), n - 3)), float(tail(t, n - 3)))


def p_of_no_correlation(best: float, coefficient: str, n_systems: int, n_others: int) -> float:
    """Return the p that so many systems could give at best, for the best of some metrics.

    It is Williams' p, for the best correlation, of a metric that correlates neither with the
    judgements nor with the best one, times the number of metrics that the best one is held against.
    """
    if n_systems < FEWEST_SYSTEMS:
        return 1.0
    none = np.zeros(())
    t = float(_williams_t(_as_pearson(np.array(best), coefficient), none, none, n_systems))
    return min(1.0, n_others * float(2 * scipy_stats().t.sf(abs(t), n_systems - 3)))


def _williams_t(humans_first: Floats, humans_second: Floats, between: Floats, n: int) -> Floats:
    """Return Williams' t of many pairs of metrics; large but finite where there is no error."""
    numerator, spread = _williams_parts(humans_first, humans_second, between, n)
    t: Floats = numerator / np.sqrt(np.maximum(spread, NO_DIFFERENCE))
    return t


def _williams_parts(
    humans_first: Floats, humans_second: Floats, between: Floats, n: int
) -> tuple[Floats, Floats]:
    """Return the numerator of Williams' t, 0 without a difference, and the squared denominator."""
    determinant = (
        1
        - humans_first**2
        - humans_second**2
        - between**2
        + 2 * humans_first * humans_second * between
    )
    mean = (humans_first + humans_second) / 2
    # Rounding may take what is no less than 0 below it.
    spread = (
        2 * np.maximum(determinant, 0.0) * (n - 1) / (n - 3)
        + mean**2 * np.maximum(1 - between, 0.0) ** 3
    )
    difference = humans_first - humans_second
    numerator = difference * np.sqrt((n - 1) * np.maximum(1 + between, 0.0))
    return np.where(np.abs(difference) < NO_DIFFERENCE, 0.0, numerator), spread
