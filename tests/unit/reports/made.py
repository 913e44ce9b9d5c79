"""Results made by hand, whose every number is chosen."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rouge_cli.metrics.counts import Counts
from rouge_cli.metrics.metric import scored_metrics
from rouge_cli.options.options import Options
from rouge_cli.reports import Screen, write_report
from rouge_cli.scores.results import Measure, MetricScores, Results, SystemScores
from rouge_cli.studies.score.view import ScoreView
from tests.unit.score_tables import table_of

SIGNATURE = (
    "rouge-cli:0.1.0|like:1.5.5|n:1|stem:no|stop:no|limit:no|formula:A|alpha:0.5|count:eval|"
    "resamples:1000|confidence:95"
)
"""That of the options of `made` as they are."""

ODD_IDS = [
    "[red]x[/red]",
    "a|b",
    "a_b & c%",
    "=1+1",
    "x" * 60,
    "\u4e2d\u6587\u6a21\u578b",
    "*star*",
    "[2ex]",
    "<b>`{$^~#}\\\"--''",
    "two\nlines\t\x1b[31m",
    "\u00e9\u0142\u00df",
    "raw\udcff",
]


def report(results: Results, kind: str, screen: Screen | None = None) -> str:
    return "".join(write_report(ScoreView(results), kind, screen))


def measure(average: float, per_eval: Sequence[float], *, bootstrap: bool = True) -> Measure:
    """Make a measure whose interval is a tenth to both sides, and whose plain mean is less."""
    scores = np.array(per_eval, np.float64)
    if not bootstrap:
        return Measure(average, None, None, scores)
    lower, upper, mean = (round(average + shift, 9) for shift in (-0.1, 0.1, -0.001))
    return Measure(mean, average, (lower, upper), scores)


def made(
    f_measures: Mapping[str, Sequence[float]],
    evals: Mapping[str, Sequence[str]] | None = None,
    warnings: Sequence[str] = (),
    **given: Any,
) -> Results:
    """Make results.

    F of each metric is given for each system; recall is 0.05 more and precision 0.05 less. Of the
    EVALs (two, ``1`` and ``2``, if not given) the k-th scores k tenths, and counts k, 2k and 3k.
    """
    options = Options.of({"max_ngram": 1, "lcs": False} | given)
    names = [metric.name for metric in scored_metrics(options.metrics)]
    systems = {}
    for system, values in f_measures.items():
        ids = tuple((evals or {}).get(system, ("1", "2")))
        ranks = np.arange(1, len(ids) + 1)
        counts = Counts(ranks, 2 * ranks, 3 * ranks)
        per_eval = [rank / 10 for rank in ranks.tolist()]
        metrics = {}
        for name, value in zip(names, values, strict=True):
            recall, precision, f = (
                measure(round(value + shift, 9), per_eval, bootstrap=options.scores.resamples > 0)
                for shift in (0.05, -0.05, 0.0)
            )
            metrics[name] = MetricScores(name, {"R": recall, "P": precision, "F": f}, counts)
        systems[system] = SystemScores(system, ids, metrics)
    return Results(systems, table_of(systems), options, tuple(warnings))


def odd(**given: Any) -> Results:
    """Make results of systems with odd IDs."""
    return made({system: [k / 20] for k, system in enumerate(ODD_IDS)}, **given)
