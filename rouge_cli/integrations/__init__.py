"""Adapters for other programs, which load them, and the functions that adapters share.

Adapters that return a number for each metric return F, or the only measure of the metric. Adapters
that return a single number take the name of a measure, such as ``"ROUGE-2:R"``.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from rouge_cli.errors import InputError

if TYPE_CHECKING:
    from rouge_cli.metrics.counts import ScoredMetric
    from rouge_cli.options.options import Options
    from rouge_cli.scores.results import Results


def framework_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return options of `rouge_cli.evaluate`, by default without a bootstrap."""
    return {"resamples": 0, **options}


def checked_options(options: Mapping[str, Any]) -> "Options":
    """Check options with the defaults of `framework_options`; raises OptionError."""
    from rouge_cli.api.arguments import python_options
    from rouge_cli.run.pipeline import with_outside_scores

    return with_outside_scores(python_options(framework_options(options)))[0]


def references_of(fields: Mapping[str, Any], name: str, owner: str) -> Any:
    """Return the field with the references; raises InputError if it is missing.

    `owner` is the name of the mapping in the message.
    """
    if name not in fields:
        raise InputError(f"{owner}: found no field {name!r}, expected a text or a list of several")
    return fields[name]


def framework_results(
    predictions: Iterable[str],
    references: Iterable[str | Iterable[str]],
    options: Mapping[str, Any],
) -> "Results":
    """Score the texts of a framework, with one or several references for each prediction.

    Raises OptionError and InputError, as `rouge_cli.evaluate` does.
    """
    import rouge_cli

    return rouge_cli.evaluate(
        list(predictions),
        [
            list(models)
            if isinstance(models, Iterable) and not isinstance(models, str)
            else [models]
            for models in references
        ],
        **framework_options(options),
    )


def checked_metric(
    options: Mapping[str, Any], metric: str | None = None
) -> "tuple[ScoredMetric, str]":
    """Check options, and return the metric and the letter of a measure; raises OptionError.

    `metric` is a name such as ``"ROUGE-2:R"``; by default, the measure is F of the first metric.
    """
    from rouge_cli.scores.columns import run_metrics
    from rouge_cli.scores.reportable import sort_key

    return sort_key(metric, run_metrics(checked_options(options)), option="metric")


def mean_scores(results: "Results") -> dict[str, float]:
    """Return the mean of each metric, followed by the bounds of its interval if there is one."""
    means = {}
    for scores in results:
        measure = scores.measures.get("F") or next(iter(scores.measures.values()))
        means[scores.name] = float(measure.mean)
        if measure.interval is not None:
            bounds = zip(("lower", "upper"), measure.interval, strict=True)
            means |= {f"{scores.name} {bound}": float(value) for bound, value in bounds}
    return means
