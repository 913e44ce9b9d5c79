# ruff: noqa: NPY002 - the global generator is part of the interface
"""The aggregator: means and intervals as ROUGE-1.5.5 has them, and as Google's package does."""

from random import Random

import numpy as np
import pytest

import rouge_cli
from rouge_cli.compat.rouge_scorer import RougeScorer
from rouge_cli.compat.scoring import AggregateScore, BootstrapAggregator, Score

LIKES = ["1.5.5", "google"]


def some_pairs(n_pairs: int) -> list[tuple[str, str]]:
    random = Random(n_pairs)
    return [
        (" ".join(random.choices("abcde", k=6)), " ".join(random.choices("abcde", k=4)))
        for _ in range(n_pairs)
    ]


@pytest.mark.parametrize(("n_pairs", "confidence", "resamples"), [(1, 95, 10), (23, 90, 500)])
def test_what_the_original_prints(n_pairs: int, confidence: int, resamples: int) -> None:
    pairs = some_pairs(n_pairs)
    scorer = RougeScorer(["rouge1", "rouge2", "rougeLsum"], like="1.5.5")
    aggregator = BootstrapAggregator(confidence / 100, resamples, like="1.5.5")
    for target, prediction in pairs:
        aggregator.add_scores(scorer.score(target, prediction))
    found = aggregator.aggregate()
    results = rouge_cli.evaluate(
        [prediction for _, prediction in pairs],
        [target for target, _ in pairs],
        max_ngram=2,
        confidence=confidence,
        resamples=resamples,
    )
    for name, metric in (("rouge1", "ROUGE-1"), ("rouge2", "ROUGE-2"), ("rougeLsum", "ROUGE-L")):
        for field, measure in (
            ("recall", "recall"),
            ("precision", "precision"),
            ("fmeasure", "f_measure"),
        ):
            expected = getattr(results[metric], measure)
            low, mid, high = (getattr(score, field) for score in found[name])
            assert (mid, (low, high)) == (expected.bootstrap_mean, expected.interval)


@pytest.mark.parametrize(("n_pairs", "n_samples"), [(1, 3), (7, 100), (5000, 101)])
def test_google_draws_from_the_global_generator(n_pairs: int, n_samples: int) -> None:
    random = Random(0)
    scores = [Score(random.random(), random.random(), random.random()) for _ in range(n_pairs)]
    aggregator = BootstrapAggregator(0.9, n_samples, like="google")
    for score in scores:
        aggregator.add_scores({"rouge1": score})
    np.random.seed(3)
    (found,) = aggregator.aggregate().values()
    behind = np.random.random()
    np.random.seed(3)
    table = np.array(scores)
    means = [np.mean(table[np.random.choice(n_pairs, n_pairs)], axis=0) for _ in range(n_samples)]
    assert np.random.random() == behind
    assert np.array(found).tolist() == pytest.approx(
        np.percentile(means, [5, 50, 95], axis=0), rel=1e-12
    )


@pytest.mark.parametrize("like", LIKES)
def test_equal_scores_have_no_spread(like: str) -> None:
    aggregator = BootstrapAggregator(like=like)
    for _ in range(4):
        aggregator.add_scores({"rouge1": Score(0.5, 0.25, 0.125)})
    same = Score(0.5, 0.25, 0.125)
    assert aggregator.aggregate() == {"rouge1": AggregateScore(low=same, mid=same, high=same)}


@pytest.mark.parametrize("like", LIKES)
def test_metrics_by_themselves(like: str) -> None:
    aggregator = BootstrapAggregator(n_samples=5, like=like)
    assert aggregator.aggregate() == {}
    one, other = Score(1.0, 1.0, 1.0), Score(0.5, 0.5, 0.5)
    aggregator.add_scores({"rougeL": one})
    aggregator.add_scores({"rouge1": other})
    assert list(aggregator.aggregate().items()) == [
        ("rougeL", AggregateScore(one, one, one)),
        ("rouge1", AggregateScore(other, other, other)),
    ]
