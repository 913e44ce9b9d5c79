"""Metrics that count and come with another package (``--add-metric``).

A package registers a class on the base of `CountedMetric`, or a function that returns such a
metric, as an entry point of the group ``rouge_cli.counted_metrics``. Each process makes it once, by
its name, so that only the name travels.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import TypeVar

from rouge_cli.errors import InputError, OptionError, RougeError
from rouge_cli.metrics.counts import InstanceScores, PairCounts, ScoredMetric
from rouge_cli.metrics.formulas import CountedMetric, Metric
from rouge_cli.metrics.marks import MarkedPairs
from rouge_cli.metrics.paired_texts import PairedTexts, Reading, TextPair
from rouge_cli.options.scores import ScoreOptions
from rouge_cli.quick_dataclass import dataclass

GROUP = "rouge_cli.counted_metrics"

Rows = TypeVar("Rows", Sequence[PairCounts] | None, list[MarkedPairs] | None, list[InstanceScores])


@dataclass(frozen=True, slots=True)
class PlugIn(Metric):
    """A metric of an installed package."""

    name: str

    @property
    def columns(self) -> tuple[ScoredMetric, ...]:
        """Names and measures; raises OptionError for a name that could not be printed."""
        columns = _loaded(self.name)[0].columns
        for column in columns:
            if not column.name.isprintable() or not column.name.strip() or ":" in column.name:
                raise OptionError(
                    f"--add-metric {self.name}: found {column.name!r} as the name of a metric, "
                    "expected one line without a colon"
                )
        return columns

    @property
    def signature(self) -> tuple[str, ...]:
        """Its name, with the package and version that it comes with, and its own signature."""
        metric, source = _loaded(self.name)
        return (f"{self.name}[{'|'.join((source, *metric.signature))}]",)

    @property
    def reading(self) -> Reading:
        """How it reads the texts."""
        return _loaded(self.name)[0].reading

    def prepare(self) -> None:
        """Read what it needs besides the texts; raises OptionError and InputError."""
        with self._named():
            _loaded(self.name)[0].prepare()

    def count_pair(self, pair: TextPair) -> Sequence[PairCounts] | None:
        """Count one pair; raises InputError if it fails."""
        return self._of(lambda metric: metric.count_pair(pair))

    def explain(self, texts: PairedTexts, options: ScoreOptions) -> list[MarkedPairs] | None:
        """Return what matches, if it says so; raises InputError if it fails."""
        return self._of(lambda metric: metric.explain(texts, options))

    def score(self, texts: PairedTexts, options: ScoreOptions) -> list[InstanceScores]:
        """Score each instance; raises InputError if it fails."""
        return self._of(lambda metric: metric.score(texts, options))

    def _of(self, asked: Callable[[CountedMetric], Rows]) -> Rows:
        """Return what the metric has for each column, or None; raises InputError."""
        metric = _loaded(self.name)[0]
        with self._named():
            rows = asked(metric)
            if rows is not None and len(rows) != len(metric.columns):
                raise ValueError(f"{len(rows)} counts, expected {len(metric.columns)}")
            return rows

    @contextmanager
    def _named(self) -> Iterator[None]:
        """Raise InputError that names the metric where its package raises anything else."""
        try:
            yield
        except (MemoryError, RougeError):
            raise
        except Exception as error:
            described = f"{type(error).__name__}: {' '.join(str(error).split())}"
            raise InputError(f"--add-metric {self.name}: failed: {described}") from error


@lru_cache(maxsize=64)
def _loaded(name: str) -> tuple[CountedMetric, str]:
    """Return a metric, and name and version of its package; raises OptionError."""
    from importlib.metadata import entry_points

    plug_ins = {plug_in.name: plug_in for plug_in in entry_points(group=GROUP)}
    named = entry_points(group=GROUP, name=name)
    if not named:
        known = f"; known are: {', '.join(sorted(plug_ins))}" if plug_ins else ""
        raise OptionError(
            f"--add-metric: found {name!r}, expected a metric of an installed package{known}"
        )
    packages = [plug_in.dist for plug_in in named]
    sources = sorted(
        {f"{package.name}-{package.version}" if package else "" for package in packages}
    )
    if len(sources) > 1:
        raise OptionError(f"--add-metric {name}: several packages have it: {' and '.join(sources)}")
    try:
        metric = plug_ins[name].load()()
    # An import may fail in any way.
    except Exception as error:
        raise OptionError(
            f"--add-metric {name}: {plug_ins[name].value} of {sources[0]} cannot be made: {error!r}"
        ) from None
    if CountedMetric not in type(metric).__mro__:
        raise OptionError(
            f"--add-metric {name}: {plug_ins[name].value} of {sources[0]} makes {metric!r}, "
            "expected a metric on the base of rouge_cli.metrics.formulas.CountedMetric"
        )
    return metric, sources[0]
