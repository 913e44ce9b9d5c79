"""Metrics for MLflow: `rouge` returns one for ``mlflow.models.evaluate(extra_metrics=[...])``.

It needs the package mlflow. Source: its documentation of ``make_metric``; tried with 3.17.2.
"""

import re
from collections.abc import Iterable
from typing import Any

import mlflow
from mlflow.metrics import MetricValue, make_metric

from rouge_cli.integrations import checked_metric, framework_results

__all__ = ["rouge"]


def rouge(metric: str = "ROUGE-2", **options: Any) -> Any:
    """Return a metric for MLflow, with the score of each row and the mean.

    The metric for ``"ROUGE-2"`` (F) is called ``rouge_2``, that for ``"ROUGE-2:R"`` (recall)
    ``rouge_2_r``. A target is a text or a list of texts. The options are those of
    `rouge_cli.evaluate`; by default ``preset="paper"``. ``resamples=1000`` adds the bounds of an
    interval. A newline ends a sentence, which matters to ROUGE-L. The run gets a tag with the
    signature, such as ``rouge_2/signature``. Raises OptionError for an unknown metric or option, or
    an invalid value.
    """
    scored, letter = checked_metric(options, metric)
    name = re.sub(r"\W", "_", metric.lower())

    def score(predictions: Iterable[str], targets: Iterable[Any]) -> Any:
        results = framework_results(predictions, targets, options)
        measure = results[scored.name].measures[letter]
        means = {"mean": float(measure.mean)}
        if measure.interval is not None:
            means |= dict(zip(("lower", "upper"), map(float, measure.interval), strict=True))
        if mlflow.active_run() is not None:
            mlflow.set_tag(f"{name}/signature", results.signature)
        return MetricValue(scores=measure.per_eval.tolist(), aggregate_results=means)

    return make_metric(eval_fn=score, greater_is_better=not scored.is_lower_better, name=name)
