"""The units that permutation tests exchange between metrics, and the distances after exchanges.

The system level exchanges whole systems, each of which counts as one, and the others cells (a
system in an EVAL). Accuracy with calibrated ties is a mean over EVALs, so it exchanges whole EVALs.
See `rouge_cli.studies.correlate.metric_tests` for the tests, and for the sources.
"""

from collections.abc import Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray

from rouge_cli.quick_dataclass import dataclass
from rouge_cli.studies.correlate.accuracies import (
    TiedPairs,
    added_up,
    exchanged_shares,
    tied_accuracy,
)
from rouge_cli.studies.correlate.coefficients import (
    ACCURACY,
    COEFFICIENTS,
    KENDALL,
    PEARSON,
    SOFT_ACCURACY,
    SPEARMAN,
    SUMMARY,
    SYSTEM,
    TIED_ACCURACY,
    Floats,
    at_level,
    defined_mean,
    ranks,
    system_means,
)
from rouge_cli.studies.draws import WHOLE_SYSTEMS, Places, Resampling

TOLERANCE, TOLERANCE_OF_Z = 1e-10, 1e-6
"""Rounding errors of differences of correlations, and of z near a correlation of 1."""

TOLERANCE_OF_T = 1e-6
"""Rounding error of differences in standard errors, as a share of them."""

NEARLY_ONE = 1 - 1e-9
"""The largest correlation whose z is finite."""

FEWEST_SYSTEMS = 4
"""Williams' test needs at least this number of systems."""

NO_DIFFERENCE = 1e-12
"""A smaller difference is a rounding error."""

MetricPairs = NDArray[np.int64]
"""Numbers of two metrics each; shape (n_pairs, 2)."""

Swapped = NDArray[np.bool_]
"""The cells in which two metrics are exchanged, (n_systems, n_evals, n), in n choices."""


@dataclass(frozen=True, slots=True, eq=False)
class Exchangeable:
    """Scores that can be exchanged between metrics.

    - `measured`: level and coefficient, as `at_level` takes them.
    - `scores`: standardised, (n_systems, n_evals, n_metrics). Of whole systems the means, as of one
      EVAL. `judged` has shape (n_systems, n_evals), `clusters` (n_evals,).
    - `is_whole`: whether whole systems are exchanged.
    """

    measured: tuple[str, str]
    scores: Floats
    judged: Floats
    clusters: Places
    is_whole: bool

    def by_eval(self, scores: Floats) -> Floats:
        """Correlate tables with the judgements, which have two axes less, in each EVAL."""
        return COEFFICIENTS[self.measured[1]](scores, self.judged[..., np.newaxis, np.newaxis])

    def correlate(self, scores: Floats) -> Floats:
        """Correlate tables with the judgements, which have two axes less; those axes remain."""
        if self.measured[0] == SUMMARY:
            return defined_mean(self.by_eval(scores))
        return at_level(*self.measured, scores, self.judged[..., np.newaxis, np.newaxis])

    def statistic(self, correlations: Floats) -> Floats:
        """Return correlations on the scale on which they are subtracted from each other.

        For whole systems this is Fisher's z, on which all correlations have the same spread. On
        their own scale, exchanged metrics, which are no longer standardised, would be too close
        together.
        """
        if not self.is_whole:
            return correlations
        if self.measured[1] in {ACCURACY, SOFT_ACCURACY}:
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

    def observed_distances(self, chosen: Places) -> Floats:
        """Return the `distances` of some metrics before an exchange, (n, n)."""
        return self.distances(self.scores[..., chosen, np.newaxis])[..., 0]

    def exchanged(self, first: int, second: int, is_swapped: Swapped) -> Floats:
        """Return the statistics of two metrics after exchanges, (n, 2)."""
        left, right = self.scores[..., [first]], self.scores[..., [second]]
        both = np.stack(
            (np.where(is_swapped, right, left), np.where(is_swapped, left, right)), axis=-1
        )
        return self.statistic(self.correlate(both))

    def distances(self, scores: Floats) -> Floats:
        """Return the distance of every two metrics, in standard errors.

        From tables of shape (n_systems, n_evals, n_metrics, n) to (n_metrics, n_metrics, n). For
        only two metrics it is the difference itself, so that p is that of the test of the pair.
        With too few units for an error it is 0.
        """
        level, coefficient = self.measured
        n_metrics = scores.shape[2]
        if n_metrics == 2:  # noqa: PLR2004
            statistics = self.statistic(self.correlate(scores))
            return np.abs(statistics[:, np.newaxis] - statistics)
        if level == SUMMARY:
            return _paired_t(self.by_eval(scores), self.clusters)
        units, judged = scores, self.judged[..., np.newaxis]
        if level == SYSTEM:
            units, judged = system_means(units), system_means(judged)
        units = units.reshape(-1, *units.shape[-2:])
        people = np.broadcast_to(judged.reshape(-1, 1, 1), (len(units), 1, units.shape[2]))
        units = np.concatenate((units, people), axis=1)
        units = units[~np.isnan(units).any(axis=(1, 2))]
        if len(units) < FEWEST_SYSTEMS:
            return np.zeros((n_metrics, n_metrics, scores.shape[3]))
        between = _between(units if coefficient == PEARSON else ranks(units))
        humans = between[-1, :-1]
        if coefficient not in {PEARSON, SPEARMAN}:
            humans = as_pearson(self.correlate(scores), coefficient)
        return np.abs(williams_t(humans[:, np.newaxis], humans, between[:-1, :-1], len(units)))

    def distances_of_pairs(self, pairs: MetricPairs, is_swapped: Swapped) -> Floats:
        """Return the distances of all pairs of whole systems after exchanges, (n_pairs, n)."""
        if len(pairs) == 1:
            ((first, second),) = pairs.tolist()
            both = self.exchanged(first, second, is_swapped)
            return np.abs(both[:, :1] - both[:, 1:]).T
        if len(self.judged) < FEWEST_SYSTEMS:
            return np.zeros((len(pairs), is_swapped.shape[2]))
        swapped, coefficient = is_swapped[:, :, np.newaxis], self.measured[1]
        left, right = (self.scores[..., side, np.newaxis] for side in pairs.T)
        of_first, of_second = np.where(swapped, right, left), np.where(swapped, left, right)
        kind = PEARSON if coefficient == PEARSON else SPEARMAN
        between = at_level(SYSTEM, kind, of_first, of_second)
        of_first, of_second = (
            as_pearson(values, coefficient)
            for values in self.correlations_of_pairs(pairs, is_swapped, (of_first, of_second))
        )
        return np.abs(williams_t(of_first, of_second, between, len(self.judged)))

    def correlations_of_pairs(
        self, pairs: MetricPairs, is_swapped: Swapped, means: tuple[Floats, Floats]
    ) -> Sequence[Floats]:
        """Return the correlations of both metrics of pairs, (n_pairs, n) each.

        `means` are those of systems after the exchanges, (n_systems, 1, n_pairs, n).
        """
        return [self.correlate(x) for x in means]


class EvalAccuracies(Exchangeable):
    """The accuracies of metrics in each EVAL, in place of scores: (1, n_evals, n_metrics).

    Each metric keeps its threshold of ties: near the highest accuracy, small changes of it have no
    effect.
    """

    def by_eval(self, scores: Floats) -> Floats:
        """Return the accuracies as they are."""
        accuracies: Floats = scores[0]
        return accuracies


@dataclass(frozen=True, slots=True, eq=False)
class SoftMetrics(Exchangeable):
    """Whole systems for soft accuracy, with all their EVALs.

    `right` is the accuracy of each pair of systems if the first has the scores of one metric and
    the second those of another: (n_metrics, n_metrics, n_systems, n_systems), 0 unless the first
    comes before the second. `scores` are the means.
    """

    right: Floats

    def observed(self) -> Floats:
        """Return the soft accuracy of each metric."""
        n_metrics = len(self.right)
        of_metrics = self.right[range(n_metrics), range(n_metrics)].sum(axis=(1, 2))
        return np.asarray(of_metrics / self._n_pairs)

    def observed_distances(self, chosen: Places) -> Floats:
        """Return the distances of metrics as they are."""
        distances = np.zeros((len(chosen), len(chosen)))
        first, second = np.triu_indices(len(chosen), 1)
        if len(first):
            pairs = np.stack((chosen[first], chosen[second]), axis=1)
            nothing = np.zeros((len(self.judged), 1, 1), np.bool_)
            of_pairs = self.distances_of_pairs(pairs, nothing)[:, 0]
            distances[first, second] = distances[second, first] = of_pairs
        return distances

    def exchanged(self, first: int, second: int, is_swapped: Swapped) -> Floats:
        """Return the statistics of two metrics after exchanges, (n, 2)."""
        return self.statistic(self._values(first, second, is_swapped))

    def correlations_of_pairs(
        self, pairs: MetricPairs, is_swapped: Swapped, means: tuple[Floats, Floats]
    ) -> Sequence[Floats]:
        """Return the soft accuracies of both metrics of pairs, (n_pairs, n) each."""
        values = np.stack([self._values(left, right, is_swapped) for left, right in pairs.tolist()])
        return values[..., 0], values[..., 1]

    @property
    def _n_pairs(self) -> int:
        return max(1, len(self.judged) * (len(self.judged) - 1) // 2)

    def _values(self, first: int, second: int, is_swapped: Swapped) -> Floats:
        got = is_swapped[:, 0].T.astype(np.float64)
        values = np.zeros((len(got), 2))
        for side, (metric, partner) in enumerate(((first, second), (second, first))):
            kept_and_got = (metric, 1 - got), (partner, got)
            for (left, of_left), (right, of_right) in product(kept_and_got, repeat=2):
                values[:, side] += ((of_left @ self.right[left, right]) * of_right).sum(axis=1)
        return values / self._n_pairs


def exchangeable(
    measured: tuple[str, str], scores: Floats, judged: Floats, how: Resampling
) -> Exchangeable:
    """Standardise the units to exchange, at the summary level within each EVAL.

    Only cells that all metrics have remain, since each may go to another metric.
    """
    level, coefficient = measured
    is_there = ~(np.isnan(scores).any(axis=2) | np.isnan(judged))
    if not is_there.all():
        scores = np.where(is_there[..., np.newaxis], scores, np.nan)
        judged = np.where(is_there, judged, np.nan)
    clusters = np.arange(judged.shape[1]) if how.clusters is None else how.clusters
    one_eval = np.zeros(1, np.int64)
    if coefficient == TIED_ACCURACY:
        pairs = [TiedPairs(scores[..., k], judged) for k in range(scores.shape[2])]
        by_eval = [x.by_eval(tied_accuracy(x).threshold) for x in pairs]
        accuracies = np.stack(by_eval, axis=1)[np.newaxis]
        return EvalAccuracies(measured, accuracies, judged[:1], clusters, is_whole=False)
    if coefficient == SOFT_ACCURACY:
        means, right = _soft(scores, judged, how)
        people = system_means(judged)[:, np.newaxis]
        return SoftMetrics(measured, means, people, one_eval, is_whole=True, right=right)
    if level == SYSTEM and how.exchanged == WHOLE_SYSTEMS:
        scores, judged = system_means(scores)[:, np.newaxis], system_means(judged)[:, np.newaxis]
        return Exchangeable(measured, _standardised(scores), judged, one_eval, is_whole=True)
    if level == SUMMARY:
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
    """Give every metric mean 0 in each EVAL.

    Systems are compared within EVALs. Documents that are easy only for one metric would add noise
    to the exchanges, and cost the test much of its power.
    """
    counts = (~np.isnan(scores)).sum(axis=0)
    # nanmean would warn of EVALs that are missing everywhere.
    centred: Floats = scores - np.nansum(scores, axis=0) / np.maximum(counts, 1)
    return centred


def _standardised(scores: Floats) -> Floats:
    """Give every metric mean 0 and standard deviation 1 over all cells; a constant one mean 0."""
    highest, lowest = np.nanmax(scores, axis=(0, 1)), np.nanmin(scores, axis=(0, 1))
    centred = scores - np.nanmean(scores, axis=(0, 1))
    is_constant = highest == lowest
    scale = np.where(is_constant, 1.0, np.nanstd(scores, axis=(0, 1)))
    return np.where(is_constant & ~np.isnan(scores), 0.0, centred / scale)


def as_pearson(values: Floats, coefficient: str) -> Floats:
    """Return correlations of normal scores that have this tau (Greiner's relation) or accuracy."""
    if coefficient in {PEARSON, SPEARMAN}:
        return values
    tau = values if coefficient == KENDALL else 2 * values - 1
    pearson: Floats = np.sin(np.pi / 2 * tau)
    return pearson


def _between(units: Floats) -> Floats:
    """Correlate every two metrics; from (n_units, n_metrics, n) to (n_metrics, n_metrics, n)."""
    # matmul would be slower: for products this small, its threads cost more than they save.
    centred = np.ascontiguousarray((units - units.mean(axis=0)).T)
    norms = np.sqrt((centred**2).sum(axis=2, keepdims=True))
    centred = np.divide(centred, norms, out=np.zeros_like(centred), where=norms > 0)
    between: Floats = np.einsum("nau,nbu->abn", centred, centred)
    return between


def _paired_t(by_eval: Floats, clusters: Places) -> Floats:
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


def williams_t(humans_first: Floats, humans_second: Floats, between: Floats, n: int) -> Floats:
    """Return Williams' t of many pairs of metrics; large but finite if the error is 0."""
    numerator, spread = williams_parts(humans_first, humans_second, between, n)
    t: Floats = numerator / np.sqrt(np.maximum(spread, NO_DIFFERENCE))
    return t


def williams_parts(
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
    # Rounding may make these negative.
    spread = (
        2 * np.maximum(determinant, 0.0) * (n - 1) / (n - 3)
        + mean**2 * np.maximum(1 - between, 0.0) ** 3
    )
    difference = humans_first - humans_second
    numerator = difference * np.sqrt((n - 1) * np.maximum(1 + between, 0.0))
    return np.where(np.abs(difference) < NO_DIFFERENCE, 0.0, numerator), spread
