"""The scores of a run as annotated records, the source of JSON, CSV files and data frames."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import repeat
from math import isfinite
from types import NoneType
from typing import Annotated, Any, NamedTuple, get_args, get_origin, get_type_hints

from numpy.typing import NDArray

from rouge_cli.metrics.counts import SHARES, Counts, ScoredMetric
from rouge_cli.options.declaration import OptionGroup
from rouge_cli.options.inputs import InputOptions
from rouge_cli.options.metrics import MetricOptions
from rouge_cli.options.options import Options
from rouge_cli.options.readers import Number
from rouge_cli.options.reports import ReportOptions
from rouge_cli.options.scores import MEASURE_NAMES, ScoreOptions
from rouge_cli.options.texts import TextOptions, function_name
from rouge_cli.reports.rows import Schema, Shown, Value
from rouge_cli.scores.results import (
    MetricScores,
    Results,
    SystemScores,
    SystemTable,
    standard_error,
)
from rouge_cli.scores.signature import command_note, original_command, signature
from rouge_cli.studies.score.certificate import Certificate
from rouge_cli.studies.score_columns import Noninferiority

WHOLE_IN_DOUBLES = 2.0**53

Count = float | None
"""A count; None if it is infinite, as it can be in ROUGE-W, since JSON has no infinity."""


class MeasureReport(NamedTuple):
    """A measure of a system in a metric."""

    mean: Annotated[
        float,
        Shown(
            "Mean of the scores of the texts; with pooled or raw counts the score of the totals."
        ),
    ]
    bootstrap_mean: Annotated[
        float | None,
        Shown(
            "Mean of the resampled means, which ROUGE-1.5.5 prints as the average; null without a "
            "bootstrap."
        ),
    ]
    interval: Annotated[
        tuple[float, float] | None,
        Shown("Lower and upper bound of the confidence interval; null without a bootstrap."),
    ]
    standard_error: Annotated[
        float | None,
        Shown(
            "Sample standard deviation of the scores of the texts, divided by the square root of "
            "their number; null for fewer than two texts, and with pooled or raw counts.",
            schema={"minimum": 0},
        ),
    ]
    per_eval: Annotated[
        Sequence[float] | None,
        Shown(
            "With -d: the score of each text, rounded to 5 decimals, in the order of evals.",
            optional=True,
        ),
    ]


class CountsReport(NamedTuple):
    """The counts of a system in a metric."""

    hit: Annotated[
        Count,
        Shown(
            "Total over the texts, in LCS-pairwise that of recall; null if it grows beyond all "
            "numbers, as it can in ROUGE-W."
        ),
    ]
    model: Annotated[Count, Shown("Total over the texts, or null, like hit.")]
    peer: Annotated[Count, Shown("Total over the texts, or null, like hit.")]
    per_eval: Annotated[
        Mapping[str, Sequence[Count]] | None,
        Shown(
            "With -d: the counts of each text, in the order of evals.",
            optional=True,
            schema={
                "propertyNames": {"enum": ["hit", "model", "peer", "peer_hit"]},
                "required": ["hit", "model", "peer"],
            },
        ),
    ]
    peer_hit: Annotated[Count, Shown("LCS-pairwise alone: the total for precision.", optional=True)]


class AggregationReport(NamedTuple):
    """How a score that is not a mean over EVALs is computed."""

    label: Annotated[str | None, Shown("Name of fused means.", optional=True)] = None
    kind: Annotated[
        str | None,
        Shown(
            "Which mean of means.",
            optional=True,
            schema={"enum": ["mean", "geomean", "harmonic"]},
        ),
    ] = None
    parts: Annotated[
        Sequence[tuple[str, str, str]] | None,
        Shown("Metric, measure and weight of each.", optional=True, schema={"minItems": 2}),
    ] = None
    metric: Annotated[str | None, Shown("The metric with its settings.", optional=True)] = None
    statistics: Annotated[
        Sequence[str] | None, Shown("Statistics added up over the texts.", optional=True)
    ] = None


Measured = Annotated[MeasureReport | None, Shown(optional=True)]


class MetricReport(NamedTuple):
    """The scores of a system in a metric: recall, precision and F, or a single score."""

    recall: Measured
    precision: Measured
    f_measure: Measured
    score: Measured
    counts: Annotated[CountsReport | None, Shown("Null if the metric does not count.")]
    scale: Annotated[
        str | None,
        Shown(
            "Declared scale of the scores, such as 0-100. Absent for ROUGE, whose scores are "
            "shares.",
            optional=True,
        ),
    ]
    lower_is_better: Annotated[
        bool,
        Shown("Present if a lower score is a better one.", optional=True, schema={"const": True}),
    ]
    aggregation: Annotated[
        AggregationReport | None,
        Shown(
            "How the score of a system is computed if it is not a mean over texts: from the means "
            "of other metrics, or from sums of statistics.",
            optional=True,
            schema={
                "oneOf": [
                    {"required": ["label", "kind", "parts"]},
                    {"required": ["metric", "statistics"]},
                ]
            },
        ),
    ]


class SystemReport(NamedTuple):
    """The scores of a system."""

    id: Annotated[str, Shown("Name of the system.", column="system")]
    n_evals: Annotated[int, Shown("Number of texts in which the system takes part.", column="")]
    evals: Annotated[
        Sequence[str] | None,
        Shown("With -d: their IDs, in the order of the input.", optional=True),
    ]
    metrics: Annotated[
        Mapping[str, MetricReport],
        Shown(
            "By name, in the order of print.",
            column="",
            schema={
                "minProperties": 1,
                "additionalProperties": {
                    "$ref": f"#/$defs/{MetricReport.__name__}",
                    "oneOf": [
                        {"required": ["recall", "precision", "f_measure"]},
                        {"required": ["score"]},
                    ],
                },
            },
        ),
    ]
    length_ratio: Annotated[
        float | None,
        Shown(
            "Words of the predictions divided by those of the references, as ROUGE-1 counts them, "
            "which lends recall to long outputs. Absent without ROUGE-1.",
            column="",
            optional=True,
        ),
    ]

    @property
    def rows(self) -> "Iterator[ScoreRow]":
        """The rows of CSV that summarise all EVALs, in the order of print."""
        for name, metric in self.metrics.items():
            counts = metric.counts
            for letter, measure in MEASURE_NAMES.items():
                scores = getattr(metric, measure)
                if scores is None:
                    continue
                of_counts: tuple[Count, Count, Count] = (None, None, None)
                if counts is not None:
                    of_counts = (_hit(counts, letter), counts.model, counts.peer)
                ratio = self.length_ratio
                yield ScoreRow(name, measure, None, self.n_evals, scores, *of_counts, ratio)


class ScoreRow(NamedTuple):
    """A row of CSV: a measure of a system over all EVALs or, with ``-d``, in one of them."""

    metric: Annotated[str, Shown("Name of the metric.")]
    measure: Annotated[str, Shown("recall, precision, f_measure or score.")]
    eval: Annotated[str | None, Shown("ID of the text; empty for all of them.")]
    n: Annotated[int, Shown("Number of texts.")]
    scores: Annotated[MeasureReport, Shown("Of a text, its score is the mean.")]
    hit_count: Annotated[Count, Shown("In LCS-pairwise that of the measure.")]
    model_count: Annotated[Count, Shown("Count of the references.")]
    peer_count: Annotated[Count, Shown("Count of the prediction.")]
    length_ratio: Annotated[
        float | None,
        Shown("Words of the predictions divided by those of the references.", optional=True),
    ]


COMPUTED: dict[str, type[OptionGroup]] = {
    "metrics": MetricOptions,
    "texts": TextOptions,
    "scores": ScoreOptions,
}
"""The groups of options that determine the scores, by their names in `Options`."""

JSON_TYPES = {bool: "boolean", int: "integer", Number: "number", str: "string"}


class ComputedOptions:
    """How JSON represents the options that determine the scores, by their names in Python."""

    def data(self, options: Options) -> dict[str, Any]:
        """Return the values, with numbers, names of functions and lists as JSON has them."""
        return {
            name: _option_value(getattr(getattr(options, place), name))
            for place, _, name in self._places()
        }

    def schema(self, definitions: dict[str, Schema]) -> Schema:
        """Return the schema, which follows from the declarations of the options and their types."""
        properties = {name: _option_schema(group, name) for _, group, name in self._places()}
        definitions["options"] = {
            "type": "object",
            "properties": properties,
            "required": list(properties),
            "additionalProperties": False,
        }
        return {"$ref": "#/$defs/options"}

    @staticmethod
    def _places() -> Iterator[tuple[str, type[OptionGroup], str]]:
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


def _option_schema(group: type[OptionGroup], name: str) -> Schema:
    declared, hint = group.options()[name], get_type_hints(group)[name]
    about = {"description": f"False with {declared.long}." if declared.off else declared.help}
    if get_origin(hint) is tuple:
        return about | {"type": "array", "items": {"type": "string"}}
    hints = get_args(hint) or (hint,)
    nothing = [None] if NoneType in hints else []
    if choices := getattr(declared.parse, "values", ()):
        return about | {"enum": [*nothing, *choices]}
    types = [JSON_TYPES[kind] for kind in hints if kind in JSON_TYPES]
    return about | {"type": [*types, "null"] if nothing else types[0]}


class ScoreReport(NamedTuple):
    """The scores of a run, with all settings that affect them."""

    signature: Annotated[
        str,
        Shown(
            "Everything that moves a score; numbers with the same signature are comparable.",
            schema={"pattern": r"^rouge-cli:[^|]+\|"},
        ),
    ]
    command: Annotated[
        str | None,
        Shown(
            "The command line of ROUGE-1.5.5 that scores the same texts in the same way; null if "
            "it cannot.",
            column="",
            schema={"pattern": r"^ROUGE-1\.5\.5\.pl "},
        ),
    ]
    command_note: Annotated[
        str | None,
        Shown(
            "What replaces the input in the command if the original cannot read the input as it "
            "is; null if it can, or if there is no command.",
            column="",
        ),
    ]
    options: Annotated[
        Options,
        Shown(
            "What was computed, by the names of the options in Python.",
            column="",
            kind=ComputedOptions(),
        ),
    ]
    warnings: Annotated[tuple[str, ...], Shown("Oddities of the inputs.")]
    bounds: Annotated[tuple[Noninferiority, ...], Shown("With --not-worse-than.", optional=True)]
    systems: Annotated[
        tuple[SystemReport, ...], Shown("In the order of print.", schema={"minItems": 1})
    ]
    certificate: Annotated[
        Certificate | None, Shown("In the file of --certificate.", optional=True)
    ] = None


def score_report(
    results: Results, bounds: tuple[Noninferiority, ...] = (), *, per_eval: bool
) -> ScoreReport:
    """Return the report of the scores of a run; with `per_eval`, it includes those of each EVAL."""
    options = results.options
    metrics = {metric.name: metric for metric in results.table.metrics}
    systems = tuple(
        SystemReport(
            system.id,
            len(system.eval_ids),
            system.eval_ids if per_eval else None,
            {
                name: _metric_report(system, scores, metrics[name], options, per_eval=per_eval)
                for name, scores in system.metrics.items()
            },
            length_ratio(results.table.systems[system.id]),
        )
        for system in results.systems.values()
    )
    return ScoreReport(
        signature(options),
        original_command(options),
        command_note(options),
        options,
        results.warnings,
        bounds,
        systems,
    )


def _metric_report(
    system: SystemScores,
    scores: MetricScores,
    metric: ScoredMetric,
    options: Options,
    *,
    per_eval: bool,
) -> MetricReport:
    measures = dict.fromkeys(MEASURE_NAMES.values(), None) | {
        MEASURE_NAMES[letter]: MeasureReport(
            measure.mean,
            measure.bootstrap_mean,
            measure.interval,
            standard_error(measure, options),
            measure.per_eval.tolist() if per_eval else None,
        )
        for letter, measure in scores.measures.items()
    }
    counts, made_by = scores.counts, metric.aggregation
    # Recall, precision and F of ROUGE are always from 0 to 1, so their scale is left out.
    is_of_rouge = metric.scale == SHARES and not metric.is_single
    return MetricReport(
        **measures,
        counts=None if counts is None else _counts_report(system, counts, per_eval=per_eval),
        scale=None if is_of_rouge else metric.scale,
        lower_is_better=metric.is_lower_better and not is_of_rouge,
        aggregation=None if made_by is None else AggregationReport(**made_by.definition),
    )


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
    """Return the mean number of words of the predictions; None if counts do not tell it."""
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
