"""Results made by hand, and the JSON report of an earlier run, for the tests of thresholds."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from rouge_cli.metrics.counts import Counts
from rouge_cli.metrics.metric import scored_metrics
from rouge_cli.options.every import Options
from rouge_cli.scoring.results import Measure, MetricScores, Results, SystemScores
from rouge_cli.scoring.signature import signature
from tests.unit.score_tables import table_of

Averages = Mapping[str, tuple[float, float, float]]
"""Average recall, precision and F by system; the same in every metric."""


def results_of(options: Options, averages: Averages, n_evals: int = 2) -> Results:
    """Return results with these averages; the plain means are others."""
    names = [metric.name for metric in scored_metrics(options.metrics)]
    counts = Counts(*(np.zeros(n_evals, np.int64) for _ in range(3)))
    systems = {}
    for system, three in averages.items():
        recall, precision, f_measure = map(measure_of, three)
        metrics = {
            name: MetricScores(name, {"R": recall, "P": precision, "F": f_measure}, counts)
            for name in names
        }
        eval_ids = tuple(str(k) for k in range(n_evals))
        systems[system] = SystemScores(system, eval_ids, metrics)
    return Results(systems, table_of(systems), options)


def measure_of(average: float) -> Measure:
    """Return a measure with a bootstrap."""
    return Measure(0.9999, average, (0.0, 1.0), np.zeros(2))


def report_of(options: Options, averages: Averages, n_evals: int = 2) -> dict[str, Any]:
    """Return what ``--report json`` writes, as far as a baseline is read."""
    fields = ("recall", "precision", "f_measure")
    return {
        "signature": signature(options),
        "systems": [
            {
                "id": system,
                "n_evals": n_evals,
                "metrics": {
                    metric.name: {
                        field: {"mean": 0.9999, "bootstrap_mean": average}
                        for field, average in zip(fields, three, strict=True)
                    }
                    for metric in scored_metrics(options.metrics)
                },
            }
            for system, three in averages.items()
        ],
    }


def write_report(folder: Path, report: Any) -> str:
    """Write a report, and return its path."""
    path = folder / "baseline.json"
    path.write_text(json.dumps(report), "utf-8")
    return str(path)
