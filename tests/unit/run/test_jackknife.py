"""Scores of several sets of models, put together."""

import numpy as np

from rouge_cli.metrics.counts import Counts, InstanceScores
from rouge_cli.run.jackknife import mean_of_sets

# Two sets of the first instance, one of the second.
INSTANCES = np.array([0, 0, 1])
VALUES = np.array([[0.5, 0.25, 1.0], [0.2, 0.4, 0.0]])


def test_scores_are_averaged_and_counts_added_up() -> None:
    counts = Counts(np.array([1, 2, 3]), np.array([4, 5, 6]), np.array([7, 8, 9]))
    found = mean_of_sets(InstanceScores(VALUES, counts), INSTANCES, 2)
    # (0.5 + 0.25) / 2 and 1; (0.2 + 0.4) / 2 and 0.
    np.testing.assert_allclose(found.values, [[0.375, 1.0], [0.3, 0.0]])
    assert found.counts is not None
    assert found.counts.hit.tolist() == [3, 3]
    assert found.counts.model_count.tolist() == [9, 6]
    assert found.counts.peer_count.tolist() == [15, 9]


def test_a_metric_that_does_not_count() -> None:
    found = mean_of_sets(InstanceScores(VALUES, None), INSTANCES, 2)
    assert found.counts is None
    np.testing.assert_allclose(found.values, [[0.375, 1.0], [0.3, 0.0]])
