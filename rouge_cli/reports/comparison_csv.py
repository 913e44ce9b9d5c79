"""A comparison as tidy CSV: a row for each pair of systems in each metric and measure."""

import csv
from collections.abc import Iterator
from io import StringIO

from rouge_cli.scoring.signature import signature
from rouge_cli.statistics.comparison_records import Comparison, PairResult, Ranking

__all__ = ["COLUMNS", "comparison_report"]

COLUMNS = (
    "metric",
    "measure",
    "system_a",
    "system_b",
    "n_evals",
    "n_unequal",
    "mean_a",
    "mean_b",
    "difference",
    "lower",
    "upper",
    "p_bootstrap",
    "p_bootstrap_holm",
    "p_randomisation",
    "p_randomisation_holm",
    "is_exact",
    "better",
    "letters_a",
    "letters_b",
    "n_comparisons",
    "resamples",
    "confidence",
    "seed",
    "signature",
)
"""The fields of a row, in order."""


def comparison_report(comparison: Comparison) -> Iterator[str]:
    """Yield a line with the names of the columns, and a line a row.

    Numbers are as short as they can be without changing their value. Letters are separated by
    blanks; `better` is empty where no system is. Lines end with a newline alone.
    """
    plan = comparison.plan
    of_run = (
        len(comparison.pairs),
        plan.resamples,
        float(plan.confidence * 100),
        plan.seed,
        signature(comparison.options),
    )
    lines = StringIO()
    writer = csv.writer(lines, lineterminator="\n")
    writer.writerow(COLUMNS)
    for ranking in comparison.rankings:
        letters = {system.id: " ".join(system.letters) for system in ranking.systems}
        for pair in ranking.pairs:
            named = letters[pair.system_a], letters[pair.system_b]
            writer.writerow((*_pair(ranking, pair), *named, *of_run))
    yield lines.getvalue()


def _pair(ranking: Ranking, pair: PairResult) -> tuple[str | int | float | None, ...]:
    """Return the fields of a pair, up to the better one."""
    column, bootstrap, randomisation = ranking.column, pair.bootstrap, pair.randomisation
    return (
        column.metric,
        column.measure,
        pair.system_a,
        pair.system_b,
        pair.n_evals,
        pair.n_unequal,
        pair.mean_a,
        pair.mean_b,
        pair.difference,
        *pair.interval,
        bootstrap.p,
        bootstrap.p_holm,
        randomisation.p,
        randomisation.p_holm,
        str(randomisation.is_exact).lower(),
        pair.better,
    )
