"""A study of correlations as JSON, numbers as numbers."""

import json
from collections.abc import Iterator
from math import isnan
from typing import Any

from rouge_cli.statistics.correlation_records import (
    Condition,
    Correlation,
    CorrelationColumn,
    CorrelationStudy,
    MetricTest,
)
from rouge_cli.statistics.shared_scores import Column
from rouge_cli.version import __version__

__all__ = ["correlation_dict", "correlation_report"]


def correlation_report(study: CorrelationStudy) -> Iterator[str]:
    """Yield the report, indented; all beyond ASCII is escaped."""
    yield json.dumps(correlation_dict(study), indent=2, allow_nan=False)
    yield "\n"


def correlation_dict(study: CorrelationStudy) -> dict[str, Any]:
    """Return the report as dictionaries, lists, strings, numbers and None.

    Parameters
    ----------
    study : CorrelationStudy

    Returns
    -------
    dict
        All numbers are finite; what is undefined is None.
    """
    plan = study.plan
    return {
        "program": "rouge-cli",
        "version": __version__,
        "seed": plan.seed,
        "resamples": plan.resamples,
        "resampled": plan.resampled,
        "confidence": plan.confidence.value,
        "warnings": list(study.warnings),
        "systems": list(study.systems),
        "evals": list(study.eval_ids),
        "judgements": list(study.judgements),
        "is_judged_per_eval": study.is_per_eval,
        "conditions": [
            {**_condition_dict(one), "signatures": list(one.signatures)} for one in study.conditions
        ],
        "columns": [_column_dict(study, column) for column in study.columns],
    }


def _condition_dict(condition: Condition) -> dict[str, Any]:
    """Return how texts were scored; no name for the texts where the options of the run say it."""
    return {"texts": condition.texts or None, "models": condition.model_set}


def _column_dict(study: CorrelationStudy, column: CorrelationColumn) -> dict[str, Any]:
    """Return what was found in one way for one judgement."""
    return {
        "judgement": column.judgement,
        "level": column.level,
        "coefficient": column.coefficient,
        **_condition_dict(column.condition),
        "metrics": [
            {**_row_dict(row), **_correlation_dict(correlation)}
            for row, correlation in zip(study.rows, column.correlations, strict=True)
        ],
        "pairs": [_test_dict(study, test) for test in column.tests],
    }


def _row_dict(row: Column) -> dict[str, Any]:
    """Return a metric and its measure."""
    return {"metric": row.metric, "measure": row.measure}


def _correlation_dict(correlation: Correlation) -> dict[str, Any]:
    """Return the numbers of a correlation."""
    value, interval = correlation.value, correlation.interval
    return {
        "value": None if isnan(value.value) else value.value,
        "interval": list(interval.bounds) if interval and interval.bounds else None,
        "p_against_best": correlation.p_against_best,
        "is_best": correlation.is_best,
        "is_tied_with_best": correlation.is_tied,
        "n_evals": value.n_evals,
        "n_dropped_evals": value.n_dropped,
        "n_dropped_resamples": interval.n_dropped if interval else None,
    }


def _test_dict(study: CorrelationStudy, test: MetricTest) -> dict[str, Any]:
    """Return the numbers of a test."""
    williams = test.williams
    return {
        "first": _row_dict(study.rows[test.first]),
        "second": _row_dict(study.rows[test.second]),
        "difference": test.permutation.difference,
        "p": test.permutation.p,
        "n_dropped_resamples": test.permutation.n_dropped,
        "williams": None
        if williams is None
        else {
            "t": williams.t,
            "degrees_of_freedom": williams.degrees,
            "p": williams.p,
            "p_one_sided": williams.p_one_sided,
        },
    }
