"""A study of correlations as tidy CSV: a row for each judgement, level, coefficient and metric."""

import csv
from collections.abc import Iterator
from io import StringIO
from math import isnan

from rouge_cli.statistics.correlation_records import (
    Correlation,
    CorrelationColumn,
    CorrelationStudy,
    MetricTest,
)

__all__ = ["COLUMNS", "correlation_report"]

WHERE = ("judgement", "level", "coefficient", "texts", "models", "metric", "measure")
COLUMNS = (
    *WHERE, "against", "against_measure", "value", "lower", "upper", "p", "williams_t",
    "williams_p", "williams_p_one_sided", "is_best", "is_tied", "n_systems", "n_evals",
    "dropped_evals", "dropped_resamples", "resampled", "resamples", "confidence", "seed",
    "signature",
)  # fmt: skip


def correlation_report(study: CorrelationStudy) -> Iterator[str]:
    """Yield a line with the names of the columns, and a line a row.

    Rows without ``against`` hold a correlation, and in ``p`` the test against the best metric of
    its column. Rows with it hold the difference of two correlations. An absent number is an empty
    field.
    """
    line = StringIO()
    writer = csv.DictWriter(line, COLUMNS, restval="", lineterminator="\n")
    writer.writeheader()
    for column in study.columns:
        for place, correlation in enumerate(column.correlations):
            writer.writerow(_where(study, column, place) | _correlation(correlation))
        for test in column.tests:
            writer.writerow(_where(study, column, test.first) | _test(study, test))
        yield line.getvalue()
        line.seek(0)
        line.truncate()


def _where(study: CorrelationStudy, column: CorrelationColumn, place: int) -> dict[str, object]:
    """Return what a row is about."""
    row = study.rows[place]
    condition = column.condition
    return {
        "judgement": column.judgement,
        "level": column.level,
        "coefficient": column.coefficient,
        "texts": condition.texts,
        "models": condition.model_set,
        "metric": row.metric,
        "measure": row.measure,
        "n_systems": len(study.systems),
        "resampled": study.plan.resampled,
        "resamples": study.plan.resamples,
        "confidence": study.plan.confidence.value,
        "seed": study.plan.seed,
        "signature": " ".join(condition.signatures),
    }


def _correlation(correlation: Correlation) -> dict[str, object]:
    """Return the numbers of a correlation."""
    value, interval = correlation.value, correlation.interval
    lower, upper = interval.bounds if interval and interval.bounds else ("", "")
    return {
        "value": "" if isnan(value.value) else repr(value.value),
        "lower": lower,
        "upper": upper,
        "p": "" if correlation.p_against_best is None else correlation.p_against_best,
        "is_best": int(correlation.is_best),
        "is_tied": int(correlation.is_tied),
        "n_evals": value.n_evals,
        "dropped_evals": value.n_dropped,
        "dropped_resamples": interval.n_dropped if interval else "",
    }


def _test(study: CorrelationStudy, test: MetricTest) -> dict[str, object]:
    """Return the numbers of a test."""
    other, found, williams = study.rows[test.second], test.permutation, test.williams
    return {
        "against": other.metric,
        "against_measure": other.measure,
        "value": "" if found.difference is None else found.difference,
        "p": "" if found.p is None else found.p,
        "williams_t": williams.t if williams else "",
        "williams_p": williams.p if williams else "",
        "williams_p_one_sided": williams.p_one_sided if williams else "",
        "dropped_resamples": found.n_dropped,
    }
