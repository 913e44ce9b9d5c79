"""Intervals of correlations, and tests of whether one metric correlates better than another.

Under the null hypothesis it does not matter which of two metrics gave a score, so their
standardised scores are exchanged at random: whole systems at the system level, and cells (a system
in an EVAL) at the others. Accuracy with calibrated ties is a mean over EVALs, so it exchanges
whole EVALs. Williams' test compares two correlations with the same judgements, of
metrics that also correlate with each other.

Some metrics are alike, as ROUGE-1 and ROUGE-2 are, and differ little. If the labels of all metrics
were exchanged, a usual difference between two that are not alike would seem large. So the single
test of all metrics measures each difference in standard errors: Williams' t at the system and the
pooled level, the paired t over EVALs at the summary level. Each t is compared with the largest of
any two metrics after an exchange.

Sources: the bootstrap of correlations, with the percentile intervals of B. Efron, and the tests
PERM-SYSTEMS and PERM-BOTH, here two-sided, of D. Deutsch, R. Dror, D. Roth, A Statistical Analysis
of Summarization Evaluation Metrics Using Resampling Methods, TACL 9, 2021. Studentised permutation
tests: A. Janssen, Studentized Permutation Tests for Non-i.i.d. Hypotheses and the Generalized
Behrens-Fisher Problem, Statistics and Probability Letters 36, 1997. E. J. Williams, Regression
Analysis, 1959; in the form of Y. Graham, T. Baldwin, Testing for Significance of Increased
Correlation with Human Judgment, EMNLP 2014.
"""

from collections.abc import Sequence
from itertools import combinations, product
from math import isnan

import numpy as np
from numpy.typing import NDArray

from rouge_cli.metrics.arithmetic import Floats, Whole
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.studies.correlate.accuracies import (
    TiedPairs,
    added_up,
    exchanged_shares,
    resampled_soft_accuracies,
    resampled_tied_accuracy,
    tied_accuracy,
)
from rouge_cli.studies.correlate.coefficients import (
    COEFFICIENTS,
    FEWEST_SYSTEMS,
    NO_DIFFERENCE,
    as_pearson,
    at_level,
    defined_mean,
    exact_coefficient,
    ranks,
    scipy_stats,
    system_means,
    williams_parts,
    williams_t,
)
from rouge_cli.studies.correlate.judged_cells import AggregatedCells, system_scores
from rouge_cli.studies.correlate.result import MetricPermutation, WilliamsTest
from rouge_cli.studies.resampling import (
    CELLS_AT_A_TIME,
    Resampling,
    drawn_cells,
    drawn_judges,
    drawn_times,
    label_orders,
    swapped_cells,
)

# Rounding errors of differences of correlations, and of z near a correlation of 1.
TOLERANCE, TOLERANCE_OF_Z = 1e-10, 1e-6
TOLERANCE_OF_T = 1e-6  # rounding error of differences in standard errors, as a share of them
NEARLY_ONE = 1 - 1e-9  # the largest correlation whose z is finite
MetricPairs = Whole  # numbers of two metrics each; shape (n_pairs, 2)
# The cells in which two metrics are exchanged, (n_systems, n_evals, n), in n choices.
Swapped = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Exchangeable:
    """Scores that can be exchanged between metrics.

    - `measured`: level and coefficient, as `at_level` takes them.
    - `scores`: standardised, (n_systems, n_evals, n_metrics); for whole systems, their means as
      those of a single EVAL. For accuracy with ties, the accuracies in each EVAL, as of a single
      system. They are exchanged instead of scores: thresholds of ties need not be calibrated again,
      since near the highest accuracy small changes of a threshold have no effect.
    - `judged`: shape (n_systems, n_evals); `clusters`: the cluster of each EVAL, (n_evals,).
    - `is_whole`: whether whole systems are exchanged.
    """

    measured: tuple[str, str]
    scores: Floats
    judged: Floats
    clusters: Whole
    is_whole: bool

    def by_eval(self, scores: Floats) -> Floats:
        """Correlate tables, (..., n_metrics, n), with the judgements of each EVAL."""
        if self.measured[1] == "acc-eq":
            accuracies: Floats = scores[0]
            return accuracies
        return COEFFICIENTS[self.measured[1]](scores, self.judged[..., np.newaxis, np.newaxis])

    def correlate(self, scores: Floats) -> Floats:
        """Correlate tables, (n_systems, n_evals, n_metrics, n), to (n_metrics, n)."""
        if self.measured[0] == "summary":
            return defined_mean(self.by_eval(scores))
        return at_level(*self.measured, scores, self.judged[..., np.newaxis, np.newaxis])

    def statistic(self, correlations: Floats) -> Floats:
        """Return correlations on the scale on which they are subtracted from each other.

        For whole systems this is Fisher's z, on which all correlations have the same spread.
        Exchanged metrics are no longer standardised: on the scale of correlations, they would be
        too close together.
        """
        if not self.is_whole:
            return correlations
        if self.measured[1] in {"pa", "spa"}:
            # Like tau, the share of right pairs minus that of wrong ones.
            correlations = 2 * correlations - 1
        return np.asarray(np.arctanh(np.clip(correlations, -NEARLY_ONE, NEARLY_ONE)))

    @property
    def tolerance(self) -> float:
        """Bound below which differences of statistics count as equal."""
        return TOLERANCE_OF_Z if self.is_whole else TOLERANCE

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of systems and clusters to exchange."""
        return len(self.judged), int(self.clusters.max()) + 1

    def observed(self) -> Floats:
        """Correlate the metrics before any exchange; (n_metrics,)."""
        return self.correlate(self.scores[..., np.newaxis])[:, 0]

    def observed_distances(self, best: int, others: Whole) -> Floats:
        """Return the `distances` of a metric from some others before an exchange, (n,)."""
        chosen = np.append(best, others)
        return self.distances(self.scores[..., chosen, np.newaxis])[0, 1:, 0]

    def swapped(self, pairs: MetricPairs, is_swapped: Swapped) -> tuple[Floats, Floats]:
        """Return the scores of both metrics of pairs after exchanges.

        Both results have shape (n_systems, n_evals, n_pairs, n).
        """
        swaps = is_swapped[:, :, np.newaxis]
        left, right = (self.scores[..., side, np.newaxis] for side in pairs.T)
        return np.where(swaps, right, left), np.where(swaps, left, right)

    def exchanged(self, pairs: MetricPairs, is_swapped: Swapped) -> tuple[Floats, Floats]:
        """Return the correlations of both metrics of pairs after exchanges, (n_pairs, n) each."""
        first, second = self.swapped(pairs, is_swapped)
        return self.correlate(first), self.correlate(second)

    def differences(self, pairs: MetricPairs, is_swapped: Swapped) -> Floats:
        """Return the distances of the statistics of pairs after exchanges, (n_pairs, n)."""
        first, second = map(self.statistic, self.exchanged(pairs, is_swapped))
        return np.abs(first - second)

    def distances(self, scores: Floats) -> Floats:
        """Return the distance of every two metrics, in standard errors.

        From tables of shape (n_systems, n_evals, n_metrics, n) to (n_metrics, n_metrics, n). The
        distance of two metrics alone is the plain difference, so that p is that of the test of the
        pair. The distance is 0 if there are too few units to estimate an error.
        """
        level, coefficient = self.measured
        n_metrics = scores.shape[2]
        if n_metrics == 2:  # noqa: PLR2004
            statistics = self.statistic(self.correlate(scores))
            return np.abs(statistics[:, np.newaxis] - statistics)
        if level == "summary":
            return _paired_t(self.by_eval(scores), self.clusters)
        units, judged = scores, self.judged[..., np.newaxis]
        if level == "system":
            units, judged = system_means(units), system_means(judged)
        units = units.reshape(-1, *units.shape[-2:])
        people = np.broadcast_to(judged.reshape(-1, 1, 1), (len(units), 1, units.shape[2]))
        units = np.concatenate((units, people), axis=1)
        units = units[~np.isnan(units).any(axis=(1, 2))]
        if len(units) < FEWEST_SYSTEMS:
            return np.zeros((n_metrics, n_metrics, scores.shape[3]))
        between = _between(units if coefficient == "pearson" else ranks(units))
        humans = between[-1, :-1]
        if coefficient not in {"pearson", "spearman"}:
            humans = as_pearson(self.correlate(scores), coefficient)
        return np.abs(williams_t(humans[:, np.newaxis], humans, between[:-1, :-1], len(units)))

    def distances_of_pairs(self, pairs: MetricPairs, is_swapped: Swapped) -> Floats:
        """Return the distances of all pairs of whole systems after exchanges, (n_pairs, n)."""
        if len(pairs) == 1:
            return self.differences(pairs, is_swapped)
        n_systems, coefficient = len(self.judged), self.measured[1]
        if n_systems < FEWEST_SYSTEMS:
            return np.zeros((len(pairs), is_swapped.shape[2]))
        kind = "pearson" if coefficient == "pearson" else "spearman"
        between = at_level("system", kind, *self.swapped(pairs, is_swapped))
        of_first, of_second = (
            as_pearson(values, coefficient) for values in self.exchanged(pairs, is_swapped)
        )
        return np.abs(williams_t(of_first, of_second, between, n_systems))


@dataclass(frozen=True, slots=True, eq=False)
class SoftMetrics(Exchangeable):
    """Exchanges of systems, each with all its EVALs, for soft accuracy.

    `right` is the accuracy of each pair of systems if the first has the scores of one metric and
    the second those of another: (n_metrics, n_metrics, n_systems, n_systems), 0 unless the first
    comes before the second. Precomputing it makes each exchange a product of matrices. `scores`
    has the means of systems.
    """

    right: Floats

    def observed(self) -> Floats:
        n_metrics = len(self.right)
        of_metrics = self.right[range(n_metrics), range(n_metrics)].sum(axis=(1, 2))
        return np.asarray(of_metrics / self._n_pairs)

    def observed_distances(self, best: int, others: Whole) -> Floats:
        """Return the distances before an exchange, by a choice that swaps nothing."""
        pairs = np.stack((np.full_like(others, best), others), axis=1)
        nothing = np.zeros((len(self.judged), 1, 1), np.bool_)
        return self.distances_of_pairs(pairs, nothing)[:, 0]

    def exchanged(self, pairs: MetricPairs, is_swapped: Swapped) -> tuple[Floats, Floats]:
        """Return the soft accuracies of both metrics of pairs, (n_pairs, n) each."""
        got = is_swapped[:, 0].T.astype(np.float64)
        values = np.zeros((2, len(pairs), len(got)))
        for side, both in enumerate((pairs, pairs[:, ::-1])):
            for k, (metric, partner) in enumerate(both.tolist()):
                kept_and_got = (metric, 1 - got), (partner, got)
                for (left, of_left), (right, of_right) in product(kept_and_got, repeat=2):
                    values[side, k] += ((of_left @ self.right[left, right]) * of_right).sum(axis=1)
        first, second = values / self._n_pairs
        return first, second

    @property
    def _n_pairs(self) -> int:
        return max(1, len(self.judged) * (len(self.judged) - 1) // 2)


def exchangeable(
    measured: tuple[str, str], scores: Floats, judged: Floats, how: Resampling
) -> Exchangeable:
    """Standardise the units to exchange, at the summary level within each EVAL.

    Only cells that all metrics have are kept, since an exchange may give any of them to any metric.
    """
    level, coefficient = measured
    is_there = ~(np.isnan(scores).any(axis=2) | np.isnan(judged))
    if not is_there.all():
        scores = np.where(is_there[..., np.newaxis], scores, np.nan)
        judged = np.where(is_there, judged, np.nan)
    clusters = np.arange(judged.shape[1]) if how.clusters is None else how.clusters
    one_eval = np.zeros(1, np.int64)
    if coefficient == "acc-eq":
        pairs = [TiedPairs(scores[..., k], judged) for k in range(scores.shape[2])]
        by_eval = [x.by_eval(tied_accuracy(x).threshold) for x in pairs]
        accuracies = np.stack(by_eval, axis=1)[np.newaxis]
        return Exchangeable(measured, accuracies, judged[:1], clusters, is_whole=False)
    if coefficient == "spa":
        means, right = _soft(scores, judged, how)
        people = system_means(judged)[:, np.newaxis]
        return SoftMetrics(measured, means, people, one_eval, is_whole=True, right=right)
    if level == "system" and how.exchanged == "systems":
        scores, judged = system_means(scores)[:, np.newaxis], system_means(judged)[:, np.newaxis]
        return Exchangeable(measured, _standardised(scores), judged, one_eval, is_whole=True)
    if level == "summary":
        scores = _centred(scores)
    return Exchangeable(measured, _standardised(scores), judged, clusters, is_whole=False)


def _soft(scores: Floats, judged: Floats, how: Resampling) -> tuple[Floats, Floats]:
    """Return the means of systems, standardised, and `SoftMetrics.right`.

    Scores are centred in each EVAL, which changes no difference between systems, and divided by the
    spread of the means, so that two metrics can exchange their scores.
    """
    centred = _centred(scores)
    means = system_means(centred)
    scale = np.where(means.std(axis=0) > 0, means.std(axis=0), 1.0)
    n_metrics, n_systems = scores.shape[2], len(scores)
    if np.isnan(centred).any():
        right = np.full((n_metrics, n_metrics, n_systems, n_systems), np.nan)
    else:
        tables = np.moveaxis(added_up(centred / scale, how.clusters), 2, 0)
        right = exchanged_shares(tables, added_up(judged, how.clusters), how.seed)
    return _standardised(means[:, np.newaxis]), right


def _centred(scores: Floats) -> Floats:
    """Shift each metric to mean 0 in each EVAL.

    Systems are compared within EVALs. A document that is easy for one metric only would add noise
    to the exchanges, and cost the test much of its power.
    """
    counts = (~np.isnan(scores)).sum(axis=0)
    # Not nanmean, which warns of EVALs that are missing everywhere.
    centred: Floats = scores - np.nansum(scores, axis=0) / np.maximum(counts, 1)
    return centred


def _standardised(scores: Floats) -> Floats:
    """Scale each metric to mean 0 and standard deviation 1 over all cells, or to 0 if constant."""
    highest, lowest = np.nanmax(scores, axis=(0, 1)), np.nanmin(scores, axis=(0, 1))
    centred = scores - np.nanmean(scores, axis=(0, 1))
    is_constant = highest == lowest
    scale = np.where(is_constant, 1.0, np.nanstd(scores, axis=(0, 1)))
    return np.where(is_constant & ~np.isnan(scores), 0.0, centred / scale)


def _between(units: Floats) -> Floats:
    """Correlate every two metrics; from (n_units, n_metrics, n) to (n_metrics, n_metrics, n)."""
    # matmul would be slower: for products this small, its threads cost more than they save.
    centred = np.ascontiguousarray((units - units.mean(axis=0)).T)
    norms = np.sqrt((centred**2).sum(axis=2, keepdims=True))
    centred = np.divide(centred, norms, out=np.zeros_like(centred), where=norms > 0)
    between: Floats = np.einsum("nau,nbu->abn", centred, centred)
    return between


def _paired_t(by_eval: Floats, clusters: Whole) -> Floats:
    """Return t of the mean difference of every two metrics; clusters count as units.

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


# The lower and upper percentile, or None if no resample has a value, and the number of resamples
# without a value.
Percentiles = tuple[tuple[float, float] | None, int]


def resampled_correlations(  # noqa: PLR0913
    measured: tuple[str, str],
    scores: Floats,
    judged: Floats,
    how: Resampling,
    *,
    aggregated: tuple[AggregatedCells, ...] = (),
    ratings: Floats | None = None,
) -> Floats:
    """Bootstrap the correlations of several tables of scores, all with the same resamples.

    - `measured`: level and coefficient, as `at_level` takes them.
    - `scores`: shape (n_systems, n_evals, n_tables); `judged`: (n_systems, n_evals).
    - `aggregated`: at the system level, metrics whose scores are computed from drawn parts.
    - `ratings`: of each judge, (n_systems, n_evals, n_judges), to draw judges too. They replace
      `judged`, and exclude accuracies that need more than means.

    The result has shape (n_tables, n_resamples); nan without a correlation.
    """
    n_systems, n_evals, n_tables = scores.shape
    if measured[1] in {"acc-eq", "spa"}:
        return _resampled_accuracies(measured[1], scores, judged, how)
    parts = [metric.parts for metric in aggregated]
    people = judged[..., np.newaxis] if ratings is None else ratings
    n_drawn = n_tables + sum(part.shape[2] for part in parts) + people.shape[2]
    draws = drawn_cells((n_systems, n_evals), how, n_drawn)
    times = None if ratings is None else drawn_judges(ratings.shape[2], how)
    if how.clusters is not None:
        # Append an EVAL that is missing everywhere, for resamples with fewer EVALs than others.
        scores, people, *parts = (
            np.concatenate((x, np.full_like(x[:, :1], np.nan)), axis=1)
            for x in (scores, people, *parts)
        )
    values: list[Floats] = []
    n_done = 0
    for cells in draws:
        drawn, humans = scores[cells], people[cells]
        if times is not None:
            # Weighted means: a judge counts as often as drawn.
            weights = times[:, n_done : n_done + humans.shape[2]].T
            counts = (~np.isnan(humans) * weights).sum(axis=-1, keepdims=True)
            sums = np.where(np.isnan(humans), 0.0, humans * weights).sum(axis=-1, keepdims=True)
            humans = np.where(counts, sums / np.maximum(counts, 1), np.nan)
        n_done += humans.shape[2]
        if aggregated:
            of_parts = tuple(part[cells] for part in parts)
            drawn = system_scores(drawn, aggregated, of_parts)[:, np.newaxis]
            humans = system_means(humans)[:, np.newaxis]
        # A system that is drawn twice makes no pair with itself.
        same = cells[0][:, 0, :, np.newaxis]
        values.append(at_level(*measured, drawn, humans, same))
    return np.concatenate(values).T


def _resampled_accuracies(
    coefficient: str, scores: Floats, judged: Floats, how: Resampling
) -> Floats:
    """Return accuracies with ties, or soft ones, in all resamples; (n_tables, n_resamples)."""
    systems, evals = drawn_times(judged.shape, how)
    if coefficient == "spa":
        if how.clusters is not None:
            # All EVALs of a cluster are drawn as often as its first one.
            evals = evals[np.unique(how.clusters, return_index=True)[1]]
        metrics, people = (added_up(table, how.clusters) for table in (scores, judged))
        return resampled_soft_accuracies(metrics, people, systems, evals, how.seed)
    pairs = (TiedPairs(scores[..., number], judged) for number in range(scores.shape[2]))
    return np.stack([resampled_tied_accuracy(of_table, systems, evals) for of_table in pairs])


def percentile_interval(resampled: Floats, confidence: float) -> Percentiles:
    """Return the percentiles of the defined values, and the number of undefined ones."""
    values = resampled[~np.isnan(resampled)]
    n_dropped = len(resampled) - len(values)
    if not len(values):
        return None, n_dropped
    tail = (100 - confidence) / 200
    lower, upper = np.quantile(values, [tail, 1 - tail]).tolist()
    return (lower, upper), n_dropped


def permutation_tests(
    cells: Exchangeable, pairs: Sequence[tuple[int, int]], how: Resampling
) -> list[MetricPermutation]:
    """Test pairs of metrics, given by their numbers, all with the same swaps.

    There is a p only if there are resamples.
    """
    # scipy computes the reported values, but observed and resampled values must be rounded alike to
    # be compared.
    observed = cells.observed()
    statistics = cells.statistic(observed)
    counts = np.zeros((len(pairs), 3), np.int64)
    swapped, is_exact = swapped_cells(cells.shape, how.resamples, how.seed)
    for block in swapped if how.resamples else ():
        is_swapped = block[:, cells.clusters]
        for index, (first, second) in enumerate(pairs):
            (differences,) = cells.differences(np.array([[first, second]]), is_swapped)
            least = abs(statistics[first] - statistics[second]) - cells.tolerance
            is_defined = ~np.isnan(differences)
            counts[index] += (differences >= least).sum(), is_defined.sum(), len(differences)
    # If all choices are enumerated, the observed one is among them.
    n_observed = 0 if is_exact else 1
    results = []
    for (first, second), (n_larger, n_defined, n_drawn) in zip(pairs, counts.tolist(), strict=True):
        difference = float(observed[first] - observed[second])
        if isnan(difference):
            results.append(MetricPermutation(None, None))
        elif not n_drawn:
            results.append(MetricPermutation(difference, None))
        else:
            p = (n_larger + n_observed) / (n_defined + n_observed)
            results.append(MetricPermutation(difference, p, n_drawn - n_defined, is_exact))
    return results


def best_metric_tests(cells: Exchangeable, how: Resampling) -> list[float | None]:
    """Test all metrics at once against the best one; with at least one resample.

    The p of a metric is the share of exchanges after which any two metrics are at least as far
    apart as this metric and the best one. Exchanges swap whole systems between every two metrics,
    or the labels of all metrics in a cell. So a false alarm among equally good metrics is as likely
    as in a single test.

    Returns a p for each metric; None if its correlation is undefined.
    """
    observed = cells.observed()
    defined = np.flatnonzero(~np.isnan(observed))
    if len(defined) <= 1:
        return [None if isnan(value) else 1.0 for value in observed]
    best = int(np.nanargmax(observed))
    others = defined[defined != best]
    behind = cells.observed_distances(best, others)
    largest, is_exact = _largest_distances(cells, defined, how)
    # If all choices are enumerated, the observed one is among them.
    n_observed = 0 if is_exact else 1

    def p_of(distance: float) -> float:
        least = distance * (1 - TOLERANCE_OF_T) - cells.tolerance
        n_larger = int(np.count_nonzero(largest >= least))
        return (n_larger + n_observed) / (len(largest) + n_observed)

    p_values = dict(zip(others.tolist(), map(p_of, behind.tolist()), strict=True))
    p_values[best] = 1.0
    return [p_values.get(index) for index in range(len(observed))]


def _largest_distances(cells: Exchangeable, defined: Whole, how: Resampling) -> tuple[Floats, bool]:
    """Return the largest distance between any two metrics after each exchange.

    Whole systems are exchanged between every two metrics, all by the same swaps. So similar metrics
    stay similar, which they would not if the labels of all metrics were mixed.
    """
    largest = []
    if cells.is_whole:
        pairs = np.array(list(combinations(defined.tolist(), 2)))
        swapped, is_exact = swapped_cells(cells.shape, how.resamples, how.seed)
        # All pairs are exchanged at once, so blocks of swaps are split to bound the memory.
        step = max(1, CELLS_AT_A_TIME // (len(pairs) * cells.shape[0]))
        for block in swapped:
            for start in range(0, block.shape[2], step):
                distances = cells.distances_of_pairs(pairs, block[:, :, start : start + step])
                largest.append(np.nan_to_num(distances, nan=0.0).max(axis=0))
        return np.concatenate(largest), is_exact
    scores = cells.scores[..., defined, np.newaxis]
    orders, is_exact = label_orders(cells.shape, len(defined), how.resamples, how.seed)
    for order in orders:
        exchanged = np.take_along_axis(scores, order[:, cells.clusters], axis=2)
        # A metric that is constant after an exchange is at distance 0.
        distances = np.nan_to_num(cells.distances(exchanged), nan=0.0)
        largest.append(distances.max(axis=(0, 1)))
    return np.concatenate(largest), is_exact


def williams_test(first: Floats, second: Floats, judged: Floats) -> WilliamsTest | None:
    """Test the difference of two Pearson correlations, from means of systems, (n_systems,).

    Returns None for fewer than 4 systems, if a sample is constant, or if two of the samples
    determine the third, which leaves no error.
    """
    n, pairs = len(judged), ((first, judged), (second, judged), (first, second))
    correlations = np.array([exact_coefficient("pearson", *pair) for pair in pairs])
    if n < FEWEST_SYSTEMS or np.isnan(correlations).any():
        return None
    of_first, of_second, between = correlations
    numerator, spread = williams_parts(of_first, of_second, between, n)
    if numerator and spread <= NO_DIFFERENCE:
        return None
    t = float(numerator / np.sqrt(spread)) if numerator else 0.0
    tail = scipy_stats().t.sf
    return WilliamsTest(t, n - 3, float(2 * tail(abs(t), n - 3)), float(tail(t, n - 3)))


def p_of_no_correlation(best: float, coefficient: str, n_systems: int, n_others: int) -> float:
    """Return the smallest p that the number of systems allows against the best metric.

    This is Williams' p of a metric that correlates neither with the judgements nor with the best
    metric, times the number of metrics that are compared with the best one.
    """
    if n_systems < FEWEST_SYSTEMS:
        return 1.0
    none = np.zeros(())
    t = float(williams_t(as_pearson(np.array(best), coefficient), none, none, n_systems))
    return min(1.0, n_others * float(2 * scipy_stats().t.sf(abs(t), n_systems - 3)))
