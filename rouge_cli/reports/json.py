"""JSON with numbers as numbers; its schema is docs/report.schema.json."""

import json
import re
from collections.abc import Iterator
from typing import Any

from rouge_cli.options.declaration import Number
from rouge_cli.options.every import Options
from rouge_cli.reports.rows import MEASURE_NAMES, PRECISION, plain_counts, total_counts
from rouge_cli.scoring.averages import standard_error
from rouge_cli.scoring.results import Measure, MetricScores, Results, SystemScores
from rouge_cli.scoring.signature import original_command, signature
from rouge_cli.version import __version__

__all__ = ["json_report", "report_dict", "report_options"]


def json_report(results: Results) -> Iterator[str]:
    """Yield the report, indented; lists of plain values stand on one line."""
    yield from _written(report_dict(results), "\n")
    yield "\n"


def report_dict(results: Results) -> dict[str, Any]:
    """Return the report as dictionaries, lists, strings, numbers and None.

    Scores of each EVAL are in it if the run was asked for them (``-d``).

    Parameters
    ----------
    results : Results

    Returns
    -------
    dict
        As docs/report.schema.json describes it. All numbers are finite.
    """
    return {
        "program": "rouge-cli",
        "version": __version__,
        "signature": signature(results.options),
        "command": original_command(results.options),
        "options": report_options(results.options),
        "warnings": list(results.warnings),
        "systems": [_system_dict(system, results.options) for system in results.systems.values()],
    }


def report_options(options: Options) -> dict[str, Any]:
    """Return the options that say what is computed, by their names in Python."""
    values = options.metrics.values() | options.texts.values() | options.scores.values()
    data_dir = values.pop("data_dir")
    others = {
        "data_dir": data_dir,
        "sentences": options.inputs.sentences,
        "per_eval": options.reports.per_eval,
    }
    return {name: _plain(value) for name, value in (values | others).items()}


def _plain(value: Any) -> Any:
    """Return a number for a `Number`, a whole one without its fraction."""
    if not isinstance(value, Number):
        return value
    return int(value.value) if value.value == int(value.value) else value.value


def _system_dict(system: SystemScores, options: Options) -> dict[str, Any]:
    """Return what is known of a system."""
    evals = {"evals": list(system.eval_ids)} if options.reports.per_eval else {}
    metrics = {
        name: _metric_dict(scores, system, options) for name, scores in system.metrics.items()
    }
    return {"id": system.id, "n_evals": len(system.eval_ids), **evals, "metrics": metrics}


def _metric_dict(scores: MetricScores, system: SystemScores, options: Options) -> dict[str, Any]:
    """Return recall, precision, F and the counts of a metric."""
    counts = scores.counted
    counts_dict: dict[str, Any] = dict(
        zip(("hit", "model", "peer"), total_counts(scores, system), strict=True)
    )
    if options.reports.per_eval:
        counts_dict["per_eval"] = {
            "hit": plain_counts(counts.hit),
            "model": plain_counts(counts.model_count),
            "peer": plain_counts(counts.peer_count),
        }
    if counts.peer_hit is not None:
        counts_dict["peer_hit"] = total_counts(scores, system, PRECISION)[0]
        if options.reports.per_eval:
            counts_dict["per_eval"]["peer_hit"] = plain_counts(counts.peer_hit)
    measures = zip(MEASURE_NAMES, scores.measures.values(), strict=True)
    return {
        **{name: _measure_dict(measure, options) for name, measure in measures},
        "counts": counts_dict,
    }


def _measure_dict(measure: Measure, options: Options) -> dict[str, Any]:
    """Return the numbers of a measure."""
    per_eval = {"per_eval": measure.per_eval.tolist()} if options.reports.per_eval else {}
    return {
        "mean": measure.mean,
        "bootstrap_mean": measure.bootstrap_mean,
        "interval": None if measure.interval is None else list(measure.interval),
        "standard_error": standard_error(measure, options),
        **per_eval,
    }


def _written(value: Any, newline: str) -> Iterator[str]:
    """Yield a value as JSON, in parts; `newline` is a line's end and the blanks of the next."""
    if isinstance(value, dict) and value:
        pairs = [(_scalar(key) + ": ", item) for key, item in value.items()]
        brackets = "{}"
    elif isinstance(value, list) and any(isinstance(item, dict) for item in value):
        pairs, brackets = [("", item) for item in value], "[]"
    else:
        yield _scalar(value)
        return
    deeper, before = newline + "  ", brackets[0]
    for key, item in pairs:
        yield before + deeper + key
        yield from _written(item, deeper)
        before = ","
    yield newline + brackets[1]


def _scalar(value: Any) -> str:
    """Write a value on one line; a byte that is no UTF-8 is written as a lone surrogate."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return re.sub("[\ud800-\udfff]", lambda found: f"\\u{ord(found.group()):04x}", text)
