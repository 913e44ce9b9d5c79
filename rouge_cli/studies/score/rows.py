"""The scores of a run as annotated records, the source of JSON, CSV files and data frames."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import repeat
from math import isfinite
from typing import Annotated, Any, NamedTuple

from numpy.typing import NDArray

from rouge_cli.metrics.counts import SHARES, Counts
from rouge_cli.options.declaration import OptionGroup
from rouge_cli.options.inputs import InputOptions
from rouge_cli.options.metrics import MetricOptions
from rouge_cli.options.options import Options
from rouge_cli.options.readers import Number
from rouge_cli.options.reports import ReportOptions
from rouge_cli.options.scores import MEASURE_NAMES, ScoreOptions
from rouge_cli.options.texts import TextOptions, function_name
from rouge_cli.reports.rows import Schema, Shown, Value
from rouge_cli.scores.results import Results, SystemScores, SystemTable, standard_error
from rouge_cli.scores.signature import command_note, original_command, signature
from rouge_cli.studies.score.certificate import Certificate
from rouge_cli.studies.score_columns import Noninferiority

WHOLE_IN_DOUBLES = 2.0**53

Count = float | None
"""A count; None if it is infinite, as it can be in ROUGE-W, since JSON has no infinity."""


class MeasureReport(NamedTuple):
    """A measure of a system in a metric.

    - `mean`: Mean of the scores of the texts; with pooled or raw counts the score of the totals.
    - `bootstrap_mean`: Mean of the resampled means, which ROUGE-1.5.5 prints as the average; null
      without a bootstrap.
    - `interval`: Lower and upper bound of the confidence interval; null without a bootstrap.
    - `standard_error`: Sample standard deviation of the scores of the texts, divided by the square
      root of their number; null for fewer than two texts, and with pooled or raw counts.
    - `per_eval`: With -d: the score of each text, rounded to 5 decimals, in the order of evals.
    """

    mean: Annotated[float, Shown()]
    bootstrap_mean: Annotated[float | None, Shown()]
    interval: Annotated[tuple[float, float] | None, Shown()]
    standard_error: Annotated[float | None, Shown(schema={"minimum": 0})]
    per_eval: Annotated[Sequence[float] | None, Shown(optional=True)]


COUNTS_PER_EVAL: Schema = {
    "propertyNames": {"enum": ["hit", "model", "peer", "peer_hit"]},
    "required": ["hit", "model", "peer"],
}


class CountsReport(NamedTuple):
    """The counts of a system in a metric.

    - `hit`: Total over the texts, in LCS-pairwise that of recall; null if it grows beyond all
      numbers, as it can in ROUGE-W.
    - `model`: Total over the texts, or null, like hit.
    - `peer`: Total over the texts, or null, like hit.
    - `per_eval`: With -d: the counts of each text, in the order of evals.
    - `peer_hit`: LCS-pairwise alone: the total for precision.
    """

    hit: Annotated[Count, Shown()]
    model: Annotated[Count, Shown()]
    peer: Annotated[Count, Shown()]
    per_eval: Annotated[
        Mapping[str, Sequence[Count]] | None, Shown(optional=True, schema=COUNTS_PER_EVAL)
    ]
    peer_hit: Annotated[Count, Shown(optional=True)]


MEANS: Schema = {"enum": ["mean", "geomean", "harmonic"]}


class AggregationReport(NamedTuple):
    """The computation of a score that is not a mean over EVALs.

    - `label`: Name of fused means.
    - `kind`: Which mean of means.
    - `parts`: Metric, measure and weight of each.
    - `metric`: The metric with its settings.
    - `statistics`: Statistics added up over the texts.
    """

    label: Annotated[str | None, Shown(optional=True)] = None
    kind: Annotated[str | None, Shown(optional=True, schema=MEANS)] = None
    parts: Annotated[
        Sequence[tuple[str, str, str]] | None, Shown(optional=True, schema={"minItems": 2})
    ] = None
    metric: Annotated[str | None, Shown(optional=True)] = None
    statistics: Annotated[Sequence[str] | None, Shown(optional=True)] = None


Measured = Annotated[MeasureReport | None, Shown(optional=True)]


def _one_of(*required: str) -> Schema:
    return {"oneOf": [{"required": names.split()} for names in required]}


class MetricReport(NamedTuple):
    """The scores of a system in a metric: recall, precision and F, or a single score.

    - `counts`: Null if the metric does not count.
    - `scale`: Declared scale of the scores, such as 0-100. Absent for ROUGE, whose scores are
      shares.
    - `lower_is_better`: Present if a lower score is a better one.
    - `aggregation`: How the score of a system is computed if it is not a mean over texts: from the
      means of other metrics, or from sums of statistics.
    """

    recall: Measured
    precision: Measured
    f_measure: Measured
    score: Measured
    counts: Annotated[CountsReport | None, Shown()]
    scale: Annotated[str | None, Shown(optional=True)]
    lower_is_better: Annotated[bool, Shown(optional=True, schema={"const": True})]
    aggregation: Annotated[
        AggregationReport | None,
        Shown(optional=True, schema=_one_of("label kind parts", "metric statistics")),
    ]


METRICS_BY_NAME: Schema = {
    "minProperties": 1,
    "additionalProperties": {
        "$ref": f"#/$defs/{MetricReport.__name__}",
        **_one_of("recall precision f_measure", "score"),
    },
}


class SystemReport(NamedTuple):
    """The scores of a system.

    - `id`: Name of the system.
    - `n_evals`: Number of texts in which the system takes part.
    - `evals`: With -d: their IDs, in the order of the input.
    - `metrics`: By name, in print order.
    - `length_ratio`: Words of the predictions divided by those of the references, as ROUGE-1 counts
      them, which lends recall to long outputs. Absent without ROUGE-1.
    """

    id: Annotated[str, Shown(column="system")]
    n_evals: Annotated[int, Shown(column="")]
    evals: Annotated[Sequence[str] | None, Shown(optional=True)]
    metrics: Annotated[Mapping[str, MetricReport], Shown(column="", schema=METRICS_BY_NAME)]
    length_ratio: Annotated[float | None, Shown(column="", optional=True)]

    @property
    def rows(self) -> "Iterator[ScoreRow]":
        """The rows of CSV that summarise all EVALs, in print order."""
        for name, metric in self.metrics.items():
            counts = metric.counts
            for letter, measure in MEASURE_NAMES.items():
                if (scores := getattr(metric, measure)) is not None:
                    hit = counts and _hit(counts, letter)
                    totals = (hit, counts and counts.model, counts and counts.peer)
                    row = (name, measure, None, self.n_evals, scores, *totals)
                    yield ScoreRow(*row, self.length_ratio)


class ScoreRow(NamedTuple):
    """A row of CSV: a measure of a system over all EVALs or, with ``-d``, in one of them.

    - `measure`: recall, precision, f_measure or score.
    - `eval`: ID of the text; empty for all of them.
    - `n`: Number of texts.
    - `scores`: Of a text, its score is the mean.
    - `hit_count`: In LCS-pairwise that of the measure.
    """

    metric: Annotated[str, Shown()]
    measure: Annotated[str, Shown()]
    eval: Annotated[str | None, Shown()]
    n: Annotated[int, Shown()]
    scores: Annotated[MeasureReport, Shown()]
    hit_count: Annotated[Count, Shown()]
    model_count: Annotated[Count, Shown()]
    peer_count: Annotated[Count, Shown()]
    length_ratio: Annotated[float | None, Shown(optional=True)]


COMPUTED: dict[str, type[OptionGroup]] = {
    "metrics": MetricOptions,
    "texts": TextOptions,
    "scores": ScoreOptions,
}
"""The groups of options that determine the scores, by their names in `Options`."""


def computed_options() -> Iterator[tuple[str, type[OptionGroup], str]]:
    """Yield the options that JSON has, each with its group and the name of this in `Options`."""
    for place, group in COMPUTED.items():
        yield from ((place, group, name) for name in group.options() if name != "data_dir")
    yield "texts", TextOptions, "data_dir"
    yield "inputs", InputOptions, "sentences"
    yield "reports", ReportOptions, "per_eval"


def _option_value(value: Any) -> Any:
    if callable(value):
        return function_name(value)
    if isinstance(value, tuple):
        return [_option_value(item) for item in value]
    if not isinstance(value, Number):
        return value
    return int(value.value) if value.value == int(value.value) else value.value


class ScoreReport(NamedTuple):
    """The scores of a run, with all settings that affect them.

    - `signature`: Everything that affects a score; numbers with the same signature are comparable.
    - `command`: The command line of ROUGE-1.5.5 that scores the same texts in the same way; null if
      it cannot.
    - `command_note`: What replaces the input in the command if the original cannot read the input
      as it is; null if it can, or if there is no command.
    - `options`: What was computed, by the names of the options in Python.
    - `warnings`: Oddities of the inputs.
    - `bounds`: With --not-worse-than.
    - `systems`: In the order of print.
    - `certificate`: In the file of --certificate.
    """

    signature: Annotated[str, Shown(schema={"pattern": r"^rouge-cli:[^|]+\|"})]
    command: Annotated[str | None, Shown(column="", schema={"pattern": r"^ROUGE-1\.5\.5\.pl "})]
    command_note: Annotated[str | None, Shown(column="")]
    options: Annotated[Mapping[str, Any], Shown(column="", schema={"$ref": "#/$defs/options"})]
    warnings: Annotated[tuple[str, ...], Shown()]
    bounds: Annotated[tuple[Noninferiority, ...], Shown(optional=True)]
    systems: Annotated[tuple[SystemReport, ...], Shown(schema={"minItems": 1})]
    certificate: Annotated[Certificate | None, Shown(optional=True)] = None


def score_report(
    results: Results, bounds: tuple[Noninferiority, ...] = (), *, per_eval: bool
) -> ScoreReport:
    """Return the report of the scores of a run; with `per_eval`, it includes those of each EVAL."""
    options = results.options
    return ScoreReport(
        signature(options),
        original_command(options),
        command_note(options),
        {
            name: _option_value(getattr(getattr(options, place), name))
            for place, _, name in computed_options()
        },
        results.warnings,
        bounds,
        tuple(
            _system_report(system, results, per_eval=per_eval)
            for system in results.systems.values()
        ),
    )


def _system_report(system: SystemScores, results: Results, *, per_eval: bool) -> SystemReport:
    metrics = {}
    for metric in results.table.metrics:
        scores, made_by = system.metrics[metric.name], metric.aggregation
        measures = dict.fromkeys(MEASURE_NAMES.values(), None) | {
            MEASURE_NAMES[letter]: MeasureReport(
                measure.mean,
                measure.bootstrap_mean,
                measure.interval,
                standard_error(measure, results.options),
                measure.per_eval.tolist() if per_eval else None,
            )
            for letter, measure in scores.measures.items()
        }
        # Recall, precision and F of ROUGE are always from 0 to 1, so their scale is left out.
        is_of_rouge = metric.scale == SHARES and not metric.is_single
        counts = scores.counts
        metrics[metric.name] = MetricReport(
            **measures,
            counts=None if counts is None else _counts_report(system, counts, per_eval=per_eval),
            scale=None if is_of_rouge else metric.scale,
            lower_is_better=metric.is_lower_better and not is_of_rouge,
            aggregation=None if made_by is None else AggregationReport(**made_by.definition),
        )
    eval_ids, ratio = system.eval_ids, length_ratio(results.table.systems[system.id])
    return SystemReport(system.id, len(eval_ids), eval_ids if per_eval else None, metrics, ratio)


def _counts_report(system: SystemScores, counts: Counts, *, per_eval: bool) -> CountsReport:
    columns = {"hit": counts.hit, "model": counts.model_count, "peer": counts.peer_count}
    if counts.peer_hit is not None:
        columns["peer_hit"] = counts.peer_hit
    totals = {name: _plain(system.total(values)) for name, values in columns.items()}
    evals = {name: plain_counts(values) for name, values in columns.items()} if per_eval else None
    return CountsReport(**{"peer_hit": None, **totals}, per_eval=evals)


def length_ratio(system: SystemTable) -> float | None:
    """Return the words of the predictions divided by those of the references, by ROUGE-1's counts.

    None if there are no such counts, or no words in the references.
    """
    counts = _word_counts(system)
    if counts is None or not counts.model_count.sum():
        return None
    return float(counts.peer_count.sum() / counts.model_count.sum())


def mean_words(system: SystemTable, options: Options) -> float | None:
    """Return the mean number of words of the predictions; None if counts do not determine it."""
    # With formula A, the count of a peer is summed over its models, and so is a multiple of its
    # words. It cannot be divided if EVALs differ in their number of models, or by jackknifing.
    counts, n_models = _word_counts(system), options.input_facts.n_references
    if counts is None or options.scores.jackknife or not n_models.isdigit():
        return None
    return float(counts.peer_count.mean()) / (int(n_models) if options.scores.formula == "A" else 1)


def _word_counts(system: SystemTable) -> Counts | None:
    return system.columns["ROUGE-1"].counts if "ROUGE-1" in system.columns else None


def eval_rows(results: Results, columns: Sequence[Value]) -> Iterator[tuple[Value, ...]]:
    """Yield a row of CSV for each EVAL and measure, in which the mean is the score of the EVAL.

    Columns that only summaries have, such as intervals, are None. So is the signature, which the
    rows of the summaries repeat often enough.
    """
    for system in results.systems.values():
        ratios: Iterable[float | None] = repeat(None)
        if (words := _word_counts(results.table.systems[system.id])) is not None:
            sizes = zip(words.peer_count.tolist(), words.model_count.tolist(), strict=True)
            ratios = [peer / model if model else None for peer, model in sizes]
        for metric in system.metrics.values():
            for letter, measure in metric.measures.items():
                # Zipping whole columns: there may be millions of rows, and making them one by one
                # takes several times as long.
                lists: dict[Value, Any] = {
                    "system": repeat(system.id),
                    "metric": repeat(metric.name),
                    "measure": repeat(MEASURE_NAMES[letter]),
                    "eval": system.eval_ids,
                    "n": repeat(1),
                    "mean": measure.per_eval.tolist(),
                    "length_ratio": ratios,
                }
                if (counts := metric.counts) is not None:
                    lists["hit_count"] = plain_counts(_hit(counts, letter))
                    lists["model_count"] = plain_counts(counts.model_count)
                    lists["peer_count"] = plain_counts(counts.peer_count)
                yield from zip(
                    *(lists.get(column, repeat(None)) for column in columns), strict=False
                )


def _hit(counts: Counts | CountsReport, letter: str) -> Any:
    # In LCS-pairwise, precision has a hit count of its own.
    return counts.peer_hit if letter == "P" and counts.peer_hit is not None else counts.hit


def plain_counts(values: NDArray[Any]) -> list[Count]:
    """Return counts as JSON can hold them; see `Count`."""
    counts: list[Count] = values.tolist()
    return counts if values.dtype.kind == "i" else list(map(_plain, counts))


def _plain(value: Any) -> Count:
    # Whole counts become integers, so that JSON shows them without a decimal point.
    if isinstance(value, int):
        return value
    if not isfinite(value):
        return None
    is_whole = value.is_integer() and abs(value) < WHOLE_IN_DOUBLES
    return int(value) if is_whole else value
