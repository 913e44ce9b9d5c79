"""The list of metrics, including those that other packages add (``--add counted``).

To add a metric here, write a class in a file of its own and add its `from_options` to `METRICS`.
The base of the class is `Metric` or, if it counts hits, `CountedMetric`, both from
`rouge_cli.metrics.formulas`. Its options, if any, belong in `rouge_cli.options.metrics`.

Another package registers a subclass of `CountedMetric`, or a function that returns such a metric,
as an entry point of the group ``rouge_cli.counted_metrics``. Each process makes the metric once,
from its name, so that only the name has to be sent to worker processes.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import TypeVar

from rouge_cli.errors import InputError, OptionError, RougeError
from rouge_cli.metrics.counts import InstanceScores, MarkedPairs, PairCounts, ScoredMetric
from rouge_cli.metrics.external import ExternalMetrics, described
from rouge_cli.metrics.formulas import CountedMetric, Metric
from rouge_cli.metrics.lcs import PairwiseLcs, RougeL
from rouge_cli.metrics.ngrams import RougeBE, RougeN, RougeS
from rouge_cli.metrics.paired_texts import PairedTexts, Reading, TextPair
from rouge_cli.metrics.soft_ngrams import RougeSoftN
from rouge_cli.metrics.weighted_lcs import RougeW
from rouge_cli.options.metrics import MetricOptions
from rouge_cli.options.scores import ScoreOptions
from rouge_cli.quick_dataclass import dataclass

GROUP = "rouge_cli.counted_metrics"

Rows = TypeVar("Rows", Sequence[PairCounts] | None, list[MarkedPairs] | None, list[InstanceScores])


def _protocol_metric(options: MetricOptions) -> Metric | None:
    choice = options.protocol
    if choice is None:
        return None
    if choice.metric is None:
        raise OptionError("--protocol works only with score, compare and correlate")
    metric: Metric | None = choice.metric
    return metric


METRICS: tuple[Callable[[MetricOptions], Metric | None], ...] = (
    _protocol_metric,
    RougeN.from_options,
    RougeSoftN.from_options,
    RougeL.from_options,
    PairwiseLcs.from_options,
    RougeW.from_options,
    RougeS.from_options,
    RougeBE.from_options,
    ExternalMetrics.from_options,
)
"""Functions that return a metric if the options select it, else None; in print order."""


def metrics_of(options: MetricOptions) -> list[Metric]:
    """Return the metrics that the options select, in print order."""
    built_in = (from_options(options) for from_options in METRICS)
    return [*filter(None, built_in), *map(PlugIn, options.add_metric)]


def prepared_columns(metrics: Sequence[Metric]) -> tuple[ScoredMetric, ...]:
    """Prepare metrics, which may raise InputError, and return their columns."""
    for metric in metrics:
        metric.prepare()
    return tuple(column for metric in metrics for column in metric.columns)


def scored_metrics(options: MetricOptions) -> tuple[ScoredMetric, ...]:
    """Return the columns of the metrics that the options select, in print order."""
    return tuple(column for metric in metrics_of(options) for column in metric.columns)


@dataclass(frozen=True, slots=True)
class PlugIn(Metric):
    """A metric of an installed package. Worker processes get its name, and load it themselves."""

    name: str

    @property
    def columns(self) -> tuple[ScoredMetric, ...]:
        """Names and measures; raises OptionError for a name that cannot be printed."""
        columns = _loaded(self.name)[0].columns
        for column in columns:
            if not column.name.isprintable() or not column.name.strip() or ":" in column.name:
                raise OptionError(
                    f"--add counted:{self.name}: found {column.name!r} as the name of a metric, "
                    "expected one line without a colon"
                )
        return columns

    @property
    def signature(self) -> tuple[str, ...]:
        metric, source = _loaded(self.name)
        return (f"{self.name}[{'|'.join((source, *metric.signature))}]",)

    @property
    def reading(self) -> Reading:
        return _loaded(self.name)[0].reading

    def prepare(self) -> None:
        """Load what the metric needs besides texts; raises OptionError and InputError."""
        with self._named():
            _loaded(self.name)[0].prepare()

    def count_pair(self, pair: TextPair) -> Sequence[PairCounts] | None:
        """Count one pair; raises InputError if the metric fails."""
        return self._call(lambda metric: metric.count_pair(pair))

    def explain(self, texts: PairedTexts, options: ScoreOptions) -> list[MarkedPairs] | None:
        """Return the marks, or None if the metric makes none; raises InputError if it fails."""
        return self._call(lambda metric: metric.explain(texts, options))

    def score(self, texts: PairedTexts, options: ScoreOptions) -> list[InstanceScores]:
        """Score each instance; raises InputError if the metric fails."""
        return self._call(lambda metric: metric.score(texts, options))

    def _call(self, method: Callable[[CountedMetric], Rows]) -> Rows:
        metric = _loaded(self.name)[0]
        with self._named():
            rows = method(metric)
            if rows is not None and len(rows) != len(metric.columns):
                raise ValueError(f"{len(rows)} counts, expected {len(metric.columns)}")
            return rows

    @contextmanager
    def _named(self) -> Iterator[None]:
        try:
            yield
        except (MemoryError, RougeError):
            raise
        except Exception as error:
            message = f"--add counted:{self.name}: failed: {described(error)}"
            raise InputError(message) from error


@lru_cache(maxsize=64)
def _loaded(name: str) -> tuple[CountedMetric, str]:
    from importlib.metadata import entry_points

    plug_ins = {plug_in.name: plug_in for plug_in in entry_points(group=GROUP)}
    named = entry_points(group=GROUP, name=name)
    if not named:
        known = f"; known are: {', '.join(sorted(plug_ins))}" if plug_ins else ""
        raise OptionError(
            f"--add counted: found {name!r}, expected a metric of an installed package{known}"
        )
    packages = [plug_in.dist for plug_in in named]
    sources = sorted(
        {f"{package.name}-{package.version}" if package else "" for package in packages}
    )
    if len(sources) > 1:
        both = " and ".join(sources)
        raise OptionError(f"--add counted:{name}: several packages have it: {both}")
    try:
        metric = plug_ins[name].load()()
    # Loading runs the code of the package, which may raise any exception.
    except Exception as error:
        problem = f"failed: {error!r}"
    else:
        # `isinstance` does not accept a protocol.
        if CountedMetric in type(metric).__mro__:
            return metric, sources[0]
        base = "rouge_cli.metrics.formulas.CountedMetric"
        problem = f"makes {metric!r}, expected a metric on the base of {base}"
    raise OptionError(f"--add counted:{name}: {plug_ins[name].value} of {sources[0]} {problem}")
