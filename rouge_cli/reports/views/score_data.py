"""The scores of a run as data: rows for CSV files and data frames, dictionaries for JSON."""

from collections.abc import Iterator, Mapping
from math import isfinite
from typing import Any

from numpy.typing import NDArray

from rouge_cli.metrics.counts import SHARES, ScoredMetric
from rouge_cli.options.declaration import Number
from rouge_cli.options.every import Options
from rouge_cli.options.language_tags import function_name
from rouge_cli.options.requirements import MEASURE_NAMES
from rouge_cli.reports import Row
from rouge_cli.scoring.averages import standard_error, total
from rouge_cli.scoring.results import Measure, MetricScores, Results, SystemScores
from rouge_cli.scoring.score_table import ScoreTable
from rouge_cli.scoring.signature import command_note, original_command, signature
from rouge_cli.version import __version__

__all__ = ["score_dict", "score_rows"]

Count = int | float | None

COLUMNS = (
    "system", "metric", "measure", "eval", "n", "mean", "bootstrap_mean", "lower", "upper",
    "standard_error", "hit_count", "model_count", "peer_count", "signature",
)  # fmt: skip

PRECISION = "P"
WHOLE_IN_DOUBLES = 2.0**53


def score_rows(results: Results) -> Iterator[Row]:
    """Yield the names of the columns, the rows over all EVALs and, with ``-d``, of each EVAL.

    In a row over all EVALs `eval` is None and the counts are totals. In a row of one EVAL `mean`
    is its score, and what only many EVALs have is None, as is the signature, which stands in the
    rows before.
    """
    yield COLUMNS
    line = signature(results.options)
    for system, scores, letter, measure in _measures(results):
        lower, upper = measure.interval or (None, None)
        error = standard_error(measure, results.options)
        means = (measure.mean, measure.bootstrap_mean, lower, upper, error)
        n_evals, counts = len(system.eval_ids), _total_counts(scores, system, letter)
        name = MEASURE_NAMES[letter]
        yield system.id, scores.name, name, None, n_evals, *means, *counts, line
    if results.options.reports.per_eval:
        yield from _eval_rows(results)


def _measures(results: Results) -> Iterator[tuple[SystemScores, MetricScores, str, Measure]]:
    """Yield every measure, with its system, its metric and its letter."""
    for system in results.systems.values():
        for scores in system.metrics.values():
            for letter, measure in scores.measures.items():
                yield system, scores, letter, measure


def _eval_rows(results: Results) -> Iterator[Row]:
    """Yield a row for each EVAL of each measure."""
    nothing = (None,) * 4
    for system, scores, letter, measure in _measures(results):
        columns = _count_columns(scores, letter)
        counts = [(None,) * 3] * len(system.eval_ids)
        if columns:
            counts = list(zip(*map(_plain_counts, columns), strict=True))
        name, values = MEASURE_NAMES[letter], measure.per_eval.tolist()
        for eval_id, score, three in zip(system.eval_ids, values, counts, strict=True):
            yield system.id, scores.name, name, eval_id, 1, score, *nothing, *three, None


def _count_columns(scores: MetricScores, letter: str) -> tuple[NDArray[Any], ...]:
    """Return hit, model count and peer count of each EVAL; nothing if the metric does not count.

    Where precision has a hit of its own, as in pairwise LCS, that is it for this measure.
    """
    counts = scores.counts
    if counts is None:
        return ()
    hit = counts.hit
    if letter == PRECISION and counts.peer_hit is not None:
        hit = counts.peer_hit
    return hit, counts.model_count, counts.peer_count


def _total_counts(scores: MetricScores, system: SystemScores, letter: str) -> list[Count]:
    """Return hit, model count and peer count over all EVALs, added up as ``-t 2`` does."""
    names = ("hit", "model", "peer")
    totals = _totals(dict(zip(names, _count_columns(scores, letter), strict=False)), system)
    return [totals.get(name) for name in names]


def _totals(columns: Mapping[str, NDArray[Any]], system: SystemScores) -> dict[str, Count]:
    """Add up counts over all EVALs, in byte order: of what is not whole, the order matters."""
    if any(values.dtype.kind != "i" for values in columns.values()):
        in_order = system.byte_order
        columns = {name: values[in_order] for name, values in columns.items()}
    return {name: _plain(total(values)) for name, values in columns.items()}


def _plain_counts(values: NDArray[Any]) -> list[Count]:
    """Return counts as plain numbers: whole ones as int, None for what is beyond all numbers."""
    return [_plain(value) for value in values.tolist()]


def _plain(value: float) -> Count:
    """Return a count as a plain number."""
    if isinstance(value, int):
        return value
    if not isfinite(value):
        return None
    is_whole = value.is_integer() and abs(value) < WHOLE_IN_DOUBLES
    return int(value) if is_whole else value


def score_dict(results: Results) -> dict[str, Any]:
    """Return the JSON report, as docs/report.schema.json describes it; all numbers are finite."""
    options = results.options
    return {
        "program": "rouge-cli",
        "version": __version__,
        "signature": signature(options),
        "command": original_command(options),
        "command_note": command_note(options),
        "options": _options_dict(options),
        "warnings": list(results.warnings),
        "systems": [
            _system_dict(system, results.table, options) for system in results.systems.values()
        ],
    }


def _options_dict(options: Options) -> dict[str, Any]:
    """Return the options that say what is computed, by their names in Python."""
    values = options.metrics.values() | options.texts.values() | options.scores.values()
    others = {
        "data_dir": values.pop("data_dir"),
        "sentences": options.inputs.sentences,
        "per_eval": options.reports.per_eval,
    }
    return {name: _plain_option(value) for name, value in (values | others).items()}


def _plain_option(value: Any) -> Any:
    """Return a number for a `Number`, a name for a function, a list for a tuple."""
    if callable(value):
        return function_name(value)
    if isinstance(value, tuple):
        return [_plain_option(one) for one in value]
    if not isinstance(value, Number):
        return value
    return int(value.value) if value.value == int(value.value) else value.value


def _system_dict(system: SystemScores, table: ScoreTable, options: Options) -> dict[str, Any]:
    """Return what is known of a system."""
    known = {metric.name: metric for metric in table.metrics}
    evals = {"evals": list(system.eval_ids)} if options.reports.per_eval else {}
    metrics = {
        name: {
            **{
                MEASURE_NAMES[letter]: _measure_dict(measure, options)
                for letter, measure in scores.measures.items()
            },
            "counts": _counts_dict(scores, system, options),
            **_kind_dict(known[name]),
        }
        for name, scores in system.metrics.items()
    }
    return {"id": system.id, "n_evals": len(system.eval_ids), **evals, "metrics": metrics}


def _kind_dict(metric: ScoredMetric) -> dict[str, Any]:
    """Return what else there is to know of a metric that is not ROUGE."""
    if metric.scale == SHARES and not metric.is_single:
        return {}
    scale = {} if metric.scale is None else {"scale": metric.scale}
    lower = {"lower_is_better": True} if metric.is_lower_better else {}
    made = (
        {} if metric.aggregation is None else {"aggregation": dict(metric.aggregation.definition)}
    )
    return {**scale, **lower, **made}


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


def _counts_dict(
    scores: MetricScores, system: SystemScores, options: Options
) -> dict[str, Any] | None:
    """Return the counts of a metric, None if it does not count."""
    counts = scores.counts
    if counts is None:
        return None
    columns = {"hit": counts.hit, "model": counts.model_count, "peer": counts.peer_count}
    own_hit = {} if counts.peer_hit is None else {"peer_hit": counts.peer_hit}
    per_eval = {name: _plain_counts(values) for name, values in (columns | own_hit).items()}
    return {
        **_totals(columns, system),
        **({"per_eval": per_eval} if options.reports.per_eval else {}),
        **_totals(own_hit, system),
    }
