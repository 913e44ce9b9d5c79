"""Intervals of correlations, and tests of whether one metric correlates better than another.

Under the null hypothesis it does not matter which of two metrics gave a score, so their
standardised scores are exchanged at random: whole systems at the system level, and cells (a system
in an EVAL) at the others. Williams' test compares two correlations with the same judgements, of
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
from itertools import combinations
from math import isnan

import numpy as np

from rouge_cli.studies.correlate.accuracies import (
    TiedPairs,
    added_up,
    resampled_soft_accuracies,
    resampled_tied_accuracy,
)
from rouge_cli.studies.correlate.coefficients import (
    ACCURACY,
    SOFT_ACCURACY,
    SYSTEM,
    TIED_ACCURACY,
    Floats,
    at_level,
    exact_coefficient,
    matched_means,
    pairwise_accuracy,
    scipy_stats,
    system_means,
)
from rouge_cli.studies.correlate.exchange import (
    FEWEST_SYSTEMS,
    NO_DIFFERENCE,
    TOLERANCE_OF_T,
    Exchangeable,
    as_pearson,
    williams_parts,
    williams_t,
)
from rouge_cli.studies.correlate.judged_cells import AggregatedCells, system_scores
from rouge_cli.studies.correlate.result import MetricPermutation, WilliamsTest
from rouge_cli.studies.draws import (
    CELLS_AT_A_TIME,
    Places,
    Resampling,
    drawn_cells,
    drawn_judges,
    drawn_times,
    label_orders,
    swapped_cells,
)

Percentiles = tuple[tuple[float, float] | None, int]
"""Lower and upper percentile, None if no resample has a value; and the number without one."""


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
    - `aggregated`: metrics whose scores of systems are computed from drawn parts.
    - `ratings`: of each judge, (n_systems, n_evals, n_judges), to draw judges too. They replace
      `judged`, and exclude accuracies that need more than means.

    The result has shape (n_tables, n_resamples); nan without a correlation.
    """
    n_systems, n_evals, n_tables = scores.shape
    if measured[1] in {TIED_ACCURACY, SOFT_ACCURACY}:
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
            # The means of the drawn judges.
            weights = times[:, n_done : n_done + humans.shape[2]].T
            counts = (~np.isnan(humans) * weights).sum(axis=-1, keepdims=True)
            sums = np.where(np.isnan(humans), 0.0, humans * weights).sum(axis=-1, keepdims=True)
            humans = np.where(counts, sums / np.maximum(counts, 1), np.nan)
        n_done += humans.shape[2]
        if aggregated and measured[0] == SYSTEM:
            of_parts = tuple(part[cells] for part in parts)
            drawn = system_scores(drawn, aggregated, of_parts)[:, np.newaxis]
            humans = system_means(humans)[:, np.newaxis]
        if measured[1] == ACCURACY:
            # A system that is drawn twice makes no pair with itself.
            same = cells[0][:, 0, :, np.newaxis]
            values.append(pairwise_accuracy(*matched_means(drawn, humans), same))
        else:
            values.append(at_level(*measured, drawn, humans))
    return np.concatenate(values).T


def _resampled_accuracies(
    coefficient: str, scores: Floats, judged: Floats, how: Resampling
) -> Floats:
    """Return the accuracies with ties, or soft ones, of all resamples; (n_tables, n_resamples)."""
    systems, evals = drawn_times(judged.shape, how)
    if coefficient == SOFT_ACCURACY:
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
    """Test pairs of metrics, given by number, all with the same swaps; p needs resamples."""
    # scipy computes the reported values, but observed and resampled values must be rounded alike to
    # be compared.
    observed = cells.observed()
    statistics = cells.statistic(observed)
    counts = np.zeros((len(pairs), 3), np.int64)
    swapped, is_exact = swapped_cells(cells.shape, how.resamples, how.seed)
    for block in swapped if how.resamples else ():
        is_swapped = block[:, cells.clusters]
        for index, (first, second) in enumerate(pairs):
            values = cells.exchanged(first, second, is_swapped)
            differences = np.abs(values[:, 0] - values[:, 1])
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

    p of a metric is the share of exchanges after which some two metrics are as far apart as this
    metric and the best one. Exchanges swap systems between every two metrics or, in cells, the
    labels of all. So a false alarm among equally good metrics is as likely as in a single test.

    Returns a p for each metric; None where its correlation is undefined.
    """
    observed = cells.observed()
    defined = np.flatnonzero(~np.isnan(observed))
    if len(defined) <= 1:
        return [None if isnan(value) else 1.0 for value in observed]
    best = int(np.argmax(observed[defined]))
    behind = cells.observed_distances(defined)[best]
    largest, is_exact = _largest_distances(cells, defined, how)
    # If all choices are enumerated, the observed one is among them.
    n_observed = 0 if is_exact else 1

    def p_of(distance: float) -> float:
        least = distance * (1 - TOLERANCE_OF_T) - cells.tolerance
        n_larger = int(np.count_nonzero(largest >= least))
        return (n_larger + n_observed) / (len(largest) + n_observed)

    by_index = dict(zip(defined.tolist(), map(p_of, behind.tolist()), strict=True))
    return [by_index.get(index) for index in range(len(observed))]


def _largest_distances(
    cells: Exchangeable, defined: Places, how: Resampling
) -> tuple[Floats, bool]:
    """Return the largest distance between any two metrics after each exchange.

    Whole systems are exchanged between every two metrics, all by the same swaps. So metrics that
    are alike stay alike, which mixing the labels of all would not keep.
    """
    largest = []
    if cells.is_whole:
        pairs = np.array(list(combinations(defined.tolist(), 2)))
        swapped, is_exact = swapped_cells(cells.shape, how.resamples, how.seed)
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

    None for fewer than 4 systems, if one of the three is constant, or if two of them determine the
    third, which leaves no error.
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
