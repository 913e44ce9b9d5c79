"""The fields of scores: rows for CSV files and data frames, and the dictionary for JSON."""

from collections.abc import Iterator
from itertools import repeat
from math import isfinite
from operator import itemgetter
from types import NoneType
from typing import Any, get_args, get_origin, get_type_hints

from numpy.typing import NDArray

from rouge_cli.metrics.counts import RPF, SHARES, ScoredMetric
from rouge_cli.options.declaration import Number, OptionGroup
from rouge_cli.options.inputs import InputOptions
from rouge_cli.options.metrics import MetricOptions
from rouge_cli.options.reports import ReportOptions
from rouge_cli.options.scores import MEASURE_NAMES, SINGLE_MEASURE, ScoreOptions
from rouge_cli.options.texts import TextOptions, function_name
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports.fields import (
    BOUNDS,
    COUNT,
    FLAG,
    NUMBER,
    PROGRAM,
    TEXT,
    Field,
    Named,
    Nullable,
    OneOf,
    Plain,
    Record,
    Schema,
    Value,
    by_name,
    list_of,
    literal,
)
from rouge_cli.scores.results import (
    Measure,
    MetricScores,
    Results,
    SystemScores,
    standard_error,
)
from rouge_cli.scores.signature import command_note, original_command, signature

Count = int | float | None

COLUMNS = (
    "system", "metric", "measure", "eval", "n", "mean", "bootstrap_mean", "lower", "upper",
    "standard_error", "hit_count", "model_count", "peer_count", "signature",
)  # fmt: skip

PRECISION = "P"
WHOLE_IN_DOUBLES = 2.0**53

COMPUTED: dict[str, type[OptionGroup]] = {
    "metrics": MetricOptions,
    "texts": TextOptions,
    "scores": ScoreOptions,
}
"""The groups of options that say what is computed, by their names in `Options`."""

JSON_TYPES = {bool: "boolean", int: "integer", Number: "number", str: "string"}


@dataclass(frozen=True, slots=True)
class _System:
    """A system of a run."""

    results: Results
    system: SystemScores

    @property
    def metrics(self) -> "dict[str, _Metric]":
        """The metrics by name, in the order of print."""
        known = {metric.name: metric for metric in self.results.table.metrics}
        return {
            name: _Metric(self.results, self.system, scores, known[name])
            for name, scores in self.system.metrics.items()
        }


@dataclass(frozen=True, slots=True)
class _Metric:
    """A metric of a system of a run."""

    results: Results
    system: SystemScores
    scores: MetricScores
    metric: ScoredMetric

    @property
    def lists_evals(self) -> bool:
        """Whether the scores of each EVAL are reported."""
        return self.results.options.reports.per_eval

    def columns(self, letter: str = "") -> dict[str, NDArray[Any]]:
        """Return the counts of each EVAL by what is counted; none if the metric does not count.

        With the `letter` of a measure whose hit is one of its own, as that of precision in pairwise
        LCS, that is the hit.
        """
        counts = self.scores.counts
        if counts is None:
            return {}
        hit = counts.hit
        if letter == PRECISION and counts.peer_hit is not None:
            hit = counts.peer_hit
        return {"hit": hit, "model": counts.model_count, "peer": counts.peer_count}

    def total(self, values: NDArray[Any] | None) -> Count:
        """Add up a count over all EVALs, as ``-t 2`` does; None if there is none."""
        if values is None:
            return None
        return _plain(self.system.total(values))


@dataclass(frozen=True, slots=True)
class _Scored:
    """A measure of a metric of a system of a run."""

    of: _Metric
    letter: str

    @property
    def measure(self) -> Measure:
        """The scores."""
        return self.of.scores.measures[self.letter]

    @property
    def error(self) -> float | None:
        """The standard error of the mean, if it has one."""
        return standard_error(self.measure, self.of.results.options)

    def total(self, name: str) -> Count:
        """Return a count over all EVALs."""
        return self.of.total(self.of.columns(self.letter).get(name))

    def eval_rows(self) -> Iterator[tuple[Value, ...]]:
        """Yield a row of `COLUMNS` for each EVAL.

        What only many EVALs have is None, and so is the signature, which stands in the rows before.
        """
        counts = self.of.columns(self.letter)
        # A row at a time would take several times as long; there may be millions.
        lists: dict[str, Any] = {
            "system": repeat(self.of.system.id),
            "metric": repeat(self.of.scores.name),
            "measure": repeat(MEASURE_NAMES[self.letter]),
            "eval": self.of.system.eval_ids,
            "n": repeat(1),
            "mean": self.measure.per_eval.tolist(),
            **{f"{name}_count": _plain_counts(values) for name, values in counts.items()},
        }
        return zip(*(lists.get(column, repeat(None)) for column in COLUMNS), strict=False)


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


@dataclass(frozen=True, slots=True)
class _OptionKind:
    """What the value of an option is, as it is declared."""

    group: type[OptionGroup]
    name: str

    def data(self, value: Any) -> Any:
        """Return a number for a `Number`, a name for a function, a list for a tuple."""
        if callable(value):
            return function_name(value)
        if isinstance(value, tuple):
            return [self.data(item) for item in value]
        if not isinstance(value, Number):
            return value
        return int(value.value) if value.value == int(value.value) else value.value

    def schema(self, definitions: dict[str, Schema]) -> Schema:
        """Return the schema of the type that the field of the group is annotated with."""
        declared, hint = self.group.options()[self.name], get_type_hints(self.group)[self.name]
        about = {"description": f"False with {declared.long}." if declared.off else declared.help}
        if get_origin(hint) is tuple:
            return about | {"type": "array", "items": {"type": "string"}}
        hints = get_args(hint) or (hint,)
        nothing = [None] if NoneType in hints else []
        if choices := getattr(declared.parse, "values", ()):
            return about | {"enum": [*nothing, *choices]}
        types = [JSON_TYPES[kind] for kind in hints if kind in JSON_TYPES]
        return about | {"type": [*types, "null"] if nothing else types[0]}


def _option_fields() -> Iterator[Field]:
    """Yield a field for each option that says what is computed, by its name in Python."""
    for place, group in COMPUTED.items():
        yield from (_option(place, group, name) for name in group.options() if name != "data_dir")
    yield _option("texts", TextOptions, "data_dir")
    yield _option("inputs", InputOptions, "sentences")
    yield _option("reports", ReportOptions, "per_eval")


def _option(place: str, group: type[OptionGroup], name: str) -> Field:
    """Return the field of an option."""
    return Field(name, _OptionKind(group, name), f"{place}.{name}")


def _measure(letter: str) -> Field:
    """Return the field of a measure of a metric."""
    return Field(
        MEASURE_NAMES[letter], Named(MEASURE, "measure"), lambda metric: _Scored(metric, letter)
    )


# fmt: off
PER_EVAL = "With -d: "

MEASURE = Record(
    (
        Field("mean", NUMBER, "measure.mean",
            "Mean of the scores of the EVALs; with pooled or raw counts the score of the totals."),
        Field("bootstrap_mean", Nullable(NUMBER), "measure.bootstrap_mean",
            "Mean of the resampled means, which ROUGE-1.5.5 prints as the average; null without a "
            "bootstrap."),
        Field("interval", Nullable(BOUNDS), "measure.interval",
            "Lower and upper bound of the confidence interval; null without a bootstrap."),
        Field("standard_error", Nullable(Plain({"type": "number", "minimum": 0})), "error",
            "Sample standard deviation of the scores of the EVALs, by the square root of their "
            "number; null for fewer than two EVALs, and with pooled or raw counts."),
        Field("per_eval", list_of(NUMBER), lambda scored: scored.measure.per_eval.tolist(),
            f"{PER_EVAL}the score of each EVAL, rounded to 5 decimals, in the order of evals.",
            "of.lists_evals"),
    ),
    {
        "metric": "of.scores.name",
        "measure": lambda scored: MEASURE_NAMES[scored.letter],
        "lower": lambda scored: scored.measure.interval and scored.measure.interval[0],
        "upper": lambda scored: scored.measure.interval and scored.measure.interval[1],
        "hit_count": lambda scored: scored.total("hit"),
        "model_count": lambda scored: scored.total("model"),
        "peer_count": lambda scored: scored.total("peer"),
    },
)

PLAIN_COUNT = Named(
    Nullable(NUMBER), "count", "Null if it grows beyond all numbers, as it can in ROUGE-W."
)


def _has_own_hit(metric: _Metric) -> bool:
    """Say whether precision has a hit of its own, as in pairwise LCS."""
    return metric.scores.counts is not None and metric.scores.counts.peer_hit is not None


def _count(name: str, letter: str = "", about: str = "") -> Field:
    """Return the field of a total over the EVALs; that of precision's own hit has its letter."""
    key, has = ("peer_hit", _has_own_hit) if letter else (name, None)
    return Field(
        key, PLAIN_COUNT, lambda metric: metric.total(metric.columns(letter)[name]), about, has
    )


def _eval_counts(name: str, letter: str = "") -> Field:
    """Return the field of the counts of each EVAL."""
    key, has = ("peer_hit", _has_own_hit) if letter else (name, None)
    return Field(
        key,
        list_of(PLAIN_COUNT),
        lambda metric: _plain_counts(metric.columns(letter)[name]),
        has_value=has,
    )


COUNTS = Record(
    (
        _count("hit", about="Total over the EVALs; in LCS-pairwise that of recall."),
        _count("model"),
        _count("peer"),
        Field(
            "per_eval",
            Record(
                (
                    _eval_counts("hit"),
                    _eval_counts("model"),
                    _eval_counts("peer"),
                    _eval_counts("hit", PRECISION),
                )
            ),
            lambda metric: metric,
            f"{PER_EVAL}the counts of each EVAL, in the order of evals.",
            "lists_evals",
        ),
        _count("hit", PRECISION, "LCS-pairwise alone: the total that precision is made of."),
    )
)


def _is_of_rouge(metric: _Metric) -> bool:
    """Say whether the scale of a metric needs no word: shares, by recall, precision and F."""
    return metric.metric.scale == SHARES and not metric.metric.is_single


OF_METRIC = (
    Field("counts", Nullable(Named(COUNTS, "counts")),
        lambda metric: None if metric.scores.counts is None else metric,
        "Null if the metric does not count."),
    Field("scale", TEXT, "metric.scale",
        "What is declared of its scores, such as 0-100. Not there for ROUGE, whose scores are "
        "shares.", lambda metric: metric.metric.scale is not None and not _is_of_rouge(metric)),
    Field("lower_is_better", literal(True), "metric.is_lower_better",
        "There if a lower score is a better one.",
        lambda metric: metric.metric.is_lower_better and not _is_of_rouge(metric)),
)
FUSED_MEANS = Record(
    (
        Field("label", TEXT, itemgetter("label")),
        Field("kind", literal("mean", "geomean", "harmonic"), itemgetter("kind")),
        Field("parts", list_of(list_of(TEXT, minItems=3, maxItems=3), minItems=2),
            itemgetter("parts"), "Metric, measure and weight of each."),
    )
)
ADDED_STATISTICS = Record(
    (
        Field("metric", TEXT, itemgetter("metric"), "As asked for."),
        Field("statistics", list_of(TEXT), itemgetter("statistics")),
    )
)
RATIOS = Record(
    (*map(_measure, RPF), *OF_METRIC), about="A metric that has recall, precision and F."
)
SINGLE = Record(
    (
        _measure(SINGLE_MEASURE),
        *OF_METRIC,
        Field("aggregation",
            OneOf((FUSED_MEANS, ADDED_STATISTICS), lambda definition: "label" not in definition),
            "metric.aggregation.definition",
            "How the score of a system is made, where it is no mean over EVALs: of the means of "
            "other metrics, or of statistics added up.", "metric.aggregation"),
    ),
    about="A metric that has a single score.",
)
METRIC = OneOf(
    (Named(RATIOS, "ratios"), Named(SINGLE, "single")),
    lambda metric: SINGLE_MEASURE in metric.scores.measures,
)
SYSTEM = Record(
    (
        Field("id", TEXT, "system.id"),
        Field("n_evals", COUNT, lambda scored: len(scored.system.eval_ids),
            "In how many EVALs the system takes part."),
        Field("evals", list_of(TEXT), "system.eval_ids",
            f"{PER_EVAL}their IDs, in the order of the input.", "results.options.reports.per_eval"),
        Field("metrics", by_name(Named(METRIC, "metric"), minProperties=1),
            about="By name, in the order of print."),
    ),
    {"system": "system.id", "n": lambda scored: len(scored.system.eval_ids)},
)
BOUND = Record(
    (
        Field("system"),
        Field("metric", TEXT, "column.metric"),
        Field("measure", TEXT, "column.measure"),
        Field("n_evals", COUNT, about="EVALs that the run and its baseline have."),
        Field("n_unequal", COUNT,
            about="Those of them, or of the clusters, where the scores differ."),
        Field("difference", NUMBER,
            about="Of the means over these EVALs; above 0 where this run is better."),
        Field("lower_bound", Nullable(NUMBER),
            about="Of the difference, one-sided, less `unseen`; null of a single EVAL or cluster."),
        Field("unseen", NUMBER,
            about="What texts would cost that fail and that so many EVALs may have missed: 3/n of "
            "them, or more with a confidence above 95."),
        Field("margin", NUMBER, about="Of --not-worse-than."),
        Field("n_needed", Nullable(COUNT),
            about="Where the bound is too low and the difference is not: about how many EVALs, or "
            "clusters, let a system that is as good pass with the confidence."),
        Field("is_met", FLAG, about="Whether the lower bound is above -margin."),
    ),
    about="A score held against a baseline.",
)
SCORES = Record(
    (
        *PROGRAM,
        Field("signature", Plain({"type": "string", "pattern": r"^rouge-cli:[^|]+\|"}),
            lambda view: signature(view.results.options),
            "Everything that moves a score; numbers with the same signature are comparable."),
        Field("command", Nullable(Plain({"type": "string", "pattern": r"^ROUGE-1\.5\.5\.pl "})),
            lambda view: original_command(view.results.options),
            "The command line of ROUGE-1.5.5 that scores the same texts in the same way; null if "
            "it cannot."),
        Field("command_note", Nullable(TEXT), lambda view: command_note(view.results.options),
            "What stands for the input in the command, where the original cannot read the input as "
            "it is; null if it can, or if there is no command."),
        Field(
            "options",
            Named(
                Record(tuple(_option_fields())),
                "options",
                "What was computed, by the names of the options in Python.",
            ),
            "results.options",
        ),
        Field("warnings", list_of(TEXT), "results.warnings"),
        Field("bounds", list_of(Named(BOUND, "bound")),
            about="With --not-worse-than.", has_value="bounds"),
        Field("systems", list_of(Named(SYSTEM, "system"), minItems=1),
            lambda view: _systems(view.results)),
    )
)
# fmt: on


def _systems(results: Results) -> Iterator[_System]:
    """Yield the systems, in the order of print."""
    return (_System(results, system) for system in results.systems.values())


def score_records(results: Results) -> Iterator[dict[str, Value]]:
    """Yield the values of each row over all EVALs: `eval` is None, and the counts are totals."""
    for system in _systems(results):
        of_system = SYSTEM.cells(system, COLUMNS)
        for scored in _scored(system):
            yield of_system | MEASURE.cells(scored, COLUMNS)


def eval_rows(results: Results) -> Iterator[tuple[Value, ...]]:
    """Yield a row for each EVAL of each measure; its `mean` is the score of the EVAL."""
    for system in _systems(results):
        for scored in _scored(system):
            yield from scored.eval_rows()


def _scored(system: _System) -> Iterator[_Scored]:
    """Yield every measure of a system, in the order of print."""
    for metric in system.metrics.values():
        yield from (_Scored(metric, letter) for letter in metric.scores.measures)
