"""The bootstrap by histograms: its draws, its intervals beside the exact ones, its coverage."""

from itertools import product
from math import sqrt

import numpy as np
import pytest
from numpy.typing import NDArray

from rouge_cli import OptionError, evaluate
from rouge_cli.scores import summaries
from rouge_cli.scores.bootstrap import estimate, estimate_means, histogram_sums

UNITS = 100_000


def test_sums_have_the_distribution_of_draws() -> None:
    # All 27 resamples of the scores 0, 1 and 3, and how often each sum comes up among them.
    values = (0, 1, 3)
    expected: dict[int, float] = {}
    for drawn in product(values, repeat=3):
        expected[sum(drawn)] = expected.get(sum(drawn), 0) + 1 / 27
    n = 20_000
    found = histogram_sums(np.array(values, np.float64), n, 1).tolist()
    assert set(found) == set(expected)
    for value, share in expected.items():
        bound = 4 * sqrt(share * (1 - share) / n)
        assert abs(found.count(value) / n - share) <= bound


def scores_of(n_evals: int, seed: int) -> NDArray[np.float64]:
    """Return rounded scores that are skewed as those of ROUGE-2 are."""
    drawn = np.random.default_rng(seed).beta(1.5, 6, n_evals)
    rounded: NDArray[np.float64] = np.rint(drawn * UNITS) / UNITS
    return rounded


def by_histogram(scores: NDArray[np.float64], resamples: int, seed: int) -> NDArray[np.float64]:
    sums = histogram_sums(scores * UNITS, resamples, seed)
    return estimate(sums[:, np.newaxis] / UNITS / len(scores), 95)[:, 0]


def test_intervals_lie_by_the_exact_ones() -> None:
    scores, resamples = scores_of(150, 3), 500
    exact = estimate_means(scores[:, np.newaxis], resamples, 95)[:, 0]
    spread = scores.std() / sqrt(len(scores))
    # Of a quantile q of a normal mean: sqrt(q (1 - q) / r) by the density there, 0.0584 at 2.5%.
    # Both intervals come from draws, so their difference has the square root of 2 as much.
    of_bounds = sqrt(2) * spread * sqrt(0.025 * 0.975 / resamples) / 0.0584
    of_average = sqrt(2) * spread / sqrt(resamples)
    bounds = np.array([of_average, of_bounds, of_bounds]) * 4
    for seed in range(50):
        assert (np.abs(by_histogram(scores, resamples, seed) - exact) <= bounds).all()


def test_intervals_cover_the_mean() -> None:
    # The mean of a beta distribution with a = 1.5 and b = 6 is 1.5 / 7.5.
    n_samples = 300
    hits = 0
    for seed in range(n_samples):
        _, lower, upper = by_histogram(scores_of(150, seed), 300, seed)
        hits += lower <= 0.2 <= upper
    assert 0.93 <= hits / n_samples <= 0.97


TEXTS = [["the cat sat", "a dog", "one two three"], ["a cat sat", "the dog ran", "one two four"]]


def test_results_and_signature() -> None:
    results = evaluate(*TEXTS, bootstrap="histogram", confidence=90)
    assert results.signature.endswith("|confidence:90|bootstrap:histogram-2004")
    exact = evaluate(*TEXTS)
    assert "bootstrap" not in exact.signature
    for name in results.metric_names:
        for letter, measure in results[name].measures.items():
            assert measure.mean == exact[name].measures[letter].mean
            assert measure.interval is not None
            assert measure.interval[0] <= measure.mean <= measure.interval[1]
    again = evaluate(*(texts[::-1] for texts in TEXTS), bootstrap="histogram", confidence=90)
    assert again["ROUGE-L"].f_measure.interval == results["ROUGE-L"].f_measure.interval


def test_scores_that_are_not_rounded() -> None:
    results = evaluate(*TEXTS, bootstrap="histogram", add=["metric:chrf"], lcs=False)
    (measure,) = results[results.metric_names[-1]].measures.values()
    assert measure.interval is not None
    assert measure.interval[0] < measure.mean < measure.interval[1]


def test_too_many_evals_for_the_exact_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(summaries, "MOST_EXACT", 2)
    message = "found 3 texts of a system, expected 2 at most: .* about 0.0 hours"
    with pytest.raises(OptionError, match=message):
        evaluate(*TEXTS)
    assert evaluate(*TEXTS, bootstrap="histogram")["ROUGE-L"].recall.interval is not None
    assert evaluate(*TEXTS, resamples=0)["ROUGE-L"].recall.interval is None
