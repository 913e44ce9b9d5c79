"""Score tables made from scores that a test has put together by hand; thresholds before a run."""

from collections.abc import Mapping

import numpy as np

from rouge_cli.metrics.counts import ScoredMetric
from rouge_cli.options.options import Options
from rouge_cli.scores.columns import run_metrics
from rouge_cli.scores.results import MetricColumn, ScoreTable, SystemScores, SystemTable
from rouge_cli.studies.score.thresholds import Judge, read_thresholds


def table_of(systems: Mapping[str, SystemScores]) -> ScoreTable:
    metrics: dict[str, ScoredMetric] = {}
    tables = {}
    for system in systems.values():
        columns = {}
        for one in system:
            metric = metrics.setdefault(one.name, ScoredMetric(one.name, tuple(one.measures)))
            values = np.array([measure.per_eval for measure in one.measures.values()])
            columns[one.name] = MetricColumn(metric, values, one.counts)
        tables[system.id] = SystemTable(system.id, system.eval_ids, columns)
    return ScoreTable(tables, tuple(metrics.values()))


def thresholds_of(options: Options) -> Judge:
    """Return the thresholds of a run that reads texts, as they are before it."""
    return read_thresholds(options, run_metrics(options))
