"""A study of correlations as data: rows for CSV files, dictionaries for JSON."""

from collections.abc import Iterator
from math import isnan
from typing import Any

from rouge_cli.reports import Row
from rouge_cli.statistics.correlation_records import (
    Condition,
    Correlation,
    CorrelationColumn,
    CorrelationStudy,
    MetricTest,
)
from rouge_cli.version import __version__

__all__ = ["correlation_dict", "correlation_rows"]

COLUMNS = (
    "judgement", "level", "coefficient", "texts", "models", "metric", "measure", "against",
    "against_measure", "value", "lower", "upper", "p", "p_holm", "williams_t",
    "williams_p", "williams_p_holm", "williams_p_one_sided", "is_best", "is_tied", "n_systems",
    "n_evals", "dropped_evals", "dropped_resamples", "resampled", "resamples", "confidence",
    "seed", "signature",
)  # fmt: skip

Values = dict[str, str | int | float | None]


def correlation_rows(study: CorrelationStudy) -> Iterator[Row]:
    """Yield the names of the columns, and the rows.

    Rows without ``against`` hold a correlation, and in ``p`` the test against the best metric of
    its column. Rows with it hold the difference of two correlations.
    """
    yield COLUMNS
    for column in study.columns:
        found = [
            _place_values(study, column, place) | _correlation_values(correlation)
            for place, correlation in enumerate(column.correlations)
        ]
        found += [
            _place_values(study, column, test.first) | _test_values(study, test)
            for test in column.tests
        ]
        for values in found:
            yield tuple(map(values.get, COLUMNS))


def _place_values(study: CorrelationStudy, column: CorrelationColumn, place: int) -> Values:
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


def _correlation_values(correlation: Correlation) -> Values:
    """Return the numbers of a correlation."""
    value, interval = correlation.value, correlation.interval
    lower, upper = (interval.bounds if interval else None) or (None, None)
    return {
        "value": None if isnan(value.value) else value.value,
        "lower": lower,
        "upper": upper,
        "p": correlation.p_against_best,
        "is_best": int(correlation.is_best),
        "is_tied": int(correlation.is_tied),
        "n_evals": value.n_evals,
        "dropped_evals": value.n_dropped,
        "dropped_resamples": interval.n_dropped if interval else None,
    }


def _test_values(study: CorrelationStudy, test: MetricTest) -> Values:
    """Return the numbers of a test."""
    other, found, williams = study.rows[test.second], test.permutation, test.williams
    return {
        "against": other.metric,
        "against_measure": other.measure,
        "value": found.difference,
        "p": found.p,
        "p_holm": found.p_holm,
        "williams_t": williams.t if williams else None,
        "williams_p": williams.p if williams else None,
        "williams_p_holm": williams.p_holm if williams else None,
        "williams_p_one_sided": williams.p_one_sided if williams else None,
        "dropped_resamples": found.n_dropped,
    }


def correlation_dict(study: CorrelationStudy) -> dict[str, Any]:
    """Return everything that was found; numbers are finite, what is undefined is None."""
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
        "exchanged": plan.exchange,
        "agreements": [
            {
                "judgement": one.judgement,
                "fewest_judges": one.fewest,
                "most_judges": one.most,
                "krippendorff_alpha": one.alpha,
            }
            for one in study.agreements
        ],
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
            {**_row_dict(study, place), **_correlation_dict(correlation)}
            for place, correlation in enumerate(column.correlations)
        ],
        "pairs": [_test_dict(study, test) for test in column.tests],
    }


def _row_dict(study: CorrelationStudy, place: int) -> dict[str, Any]:
    """Return a metric and its measure."""
    return {"metric": study.rows[place].metric, "measure": study.rows[place].measure}


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
        "first": _row_dict(study, test.first),
        "second": _row_dict(study, test.second),
        "difference": test.permutation.difference,
        "p": test.permutation.p,
        "p_holm": test.permutation.p_holm,
        "is_exact": test.permutation.is_exact,
        "n_dropped_resamples": test.permutation.n_dropped,
        "williams": None
        if williams is None
        else {
            "t": williams.t,
            "degrees_of_freedom": williams.degrees,
            "p": williams.p,
            "p_holm": williams.p_holm,
            "p_one_sided": williams.p_one_sided,
        },
    }
