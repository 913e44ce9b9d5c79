"""Averages and intervals of many systems."""

import numpy as np
import pytest

from rouge_cli.metrics.counts import ScoredMetric
from rouge_cli.options.options import Options
from rouge_cli.scores import summaries
from rouge_cli.scores.results import MetricColumn, ScoreTable, SystemTable

METRIC = ScoredMetric("ROUGE-1", ("R", "P", "F"))


def table(n_systems: int, n_evals: int) -> ScoreTable:
    random = np.random.default_rng(7)
    ids = tuple(map(str, range(n_evals)))
    systems = {}
    for name in map(str, range(n_systems)):
        values = np.round(random.random((3, n_evals)), 5)
        systems[name] = SystemTable(name, ids, {"ROUGE-1": MetricColumn(METRIC, values, None)})
    return ScoreTable(systems, (METRIC,))


@pytest.mark.parametrize("n_evals", [1, 3])
def test_systems_are_resampled_in_groups(n_evals: int, monkeypatch: pytest.MonkeyPatch) -> None:
    options, scores = Options.of({"resamples": 50}).scores, table(25, n_evals)
    whole = summaries.summarise(scores, options)
    sizes = []
    estimate = summaries._bootstrap

    def measured(columns, *others):  # type: ignore[no-untyped-def]
        sizes.append(columns.shape[1])
        return estimate(columns, *others)

    monkeypatch.setattr(summaries, "_bootstrap", measured)
    # Room for the 50 means of ten systems with three columns each, and of half a system.
    for room, expected in ((1500, [24, 24, 27]), (75, [3] * 25)):
        monkeypatch.setattr(summaries, "MEANS_AT_A_TIME", room)
        sizes.clear()
        grouped = summaries.summarise(scores, options)
        assert sizes == expected
        for name, system in whole.items():
            for letter, measure in system["ROUGE-1"].measures.items():
                same = grouped[name]["ROUGE-1"].measures[letter]
                assert (same.bootstrap_mean, same.interval) == (
                    measure.bootstrap_mean,
                    measure.interval,
                )
