"""Metrics beside ROUGE, which get texts as strings: sacrebleu's, plug-ins, objects from Python.

A plug-in is a factory that a package registers as an entry point of the group
``rouge_cli.metrics``. It is called with the settings of ``--also NAME:KEY=VALUE``, all of them
strings, and returns an object as `AlsoScorer` describes it. Entry points are looked up when a
metric is asked for that is not built in, and each metric is made once in a process.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import InputError, OptionError, RougeError
from rouge_cli.metrics import sacrebleu_metrics
from rouge_cli.metrics.aggregation import PartKey
from rouge_cli.metrics.counts import RPF, InstanceScores, ScoredMetric
from rouge_cli.metrics.marks import MarkedPairs
from rouge_cli.metrics.paired_texts import PairedTexts, Reading
from rouge_cli.metrics.single_pair import SinglePair
from rouge_cli.options.also import AlsoMetric
from rouge_cli.options.metrics import MetricOptions
from rouge_cli.options.requirements import SINGLE_MEASURE
from rouge_cli.options.scores import ScoreOptions
from rouge_cli.quick_dataclass import dataclass

__all__ = [
    "ENTRY_POINTS",
    "N_REFERENCES",
    "AlsoScorer",
    "MetricsBeside",
    "PooledScore",
    "load_metric",
]

ENTRY_POINTS = "rouge_cli.metrics"
N_REFERENCES = "{n_references}"
"""Stands in a signature for the number of references of each text: ``2``, or ``var``."""

MEASURES = (RPF, (SINGLE_MEASURE,))
NEARLY_WHOLE, STEP = 1e-6, 0.01


class AlsoScorer(Protocol):
    """What a metric beside ROUGE has to have.

    It may also have

    - `scale`, a string such as ``"0-100"``: only scores of one scale can be fused;
    - `is_lower_better`, a bool;
    - `statistics`, names, and `pooled`, if the score of a system is no mean over texts: `score`
      then returns a row for each statistic behind that of the score, and `pooled` gets the sums of
      these rows over the texts of a system, as a list, and returns a score.
    """

    @property
    def name(self) -> str:
        """As printed; it says what the number of a system is: ``chrf (mean of sentences)``."""
        ...

    @property
    def signature(self) -> str:
        """All that moves its scores, with the versions of what computes them."""
        ...

    @property
    def measures(self) -> tuple[str, ...]:
        """``("S",)`` for a single score; ``("R", "P", "F")`` for recall, precision and F."""
        ...

    def score(self, peers: Sequence[str], models: Sequence[Sequence[str]]) -> Any:
        """Score each peer against its models.

        Parameters
        ----------
        peers : sequence of str, length n
            A newline stands between the sentences of a text. Limits, stopwords and stems of ROUGE
            leave these texts alone.
        models : sequence of sequences of str, length n

        Returns
        -------
        array_like of float, shape (n_measures, n) or, of a single measure, (n,)
            With statistics (1 + n_statistics, n).
        """
        ...


BUILT_IN: Mapping[str, Callable[..., AlsoScorer]] = sacrebleu_metrics.METRICS


@dataclass(frozen=True, slots=True)
class MetricsBeside:
    """All metrics that ``--also`` asks for."""

    asked: tuple[AlsoMetric, ...]
    reading: ClassVar[Reading] = Reading(raw=True)

    @classmethod
    def asked_for(cls, options: MetricOptions) -> "MetricsBeside | None":
        """Return the metrics if the options ask for them."""
        return cls(options.also) if options.also else None

    @property
    def columns(self) -> tuple[ScoredMetric, ...]:
        """Names, measures and scales; raises OptionError and RougeError."""
        return tuple(_column(one, load_metric(one)) for one in self.asked)

    @property
    def signature(self) -> tuple[str, ...]:
        """The name and signature of each."""
        return tuple(f"{one.key}[{load_metric(one).signature}]" for one in self.asked)

    def count_pair(self, pair: SinglePair) -> None:
        """Return None: nothing is counted."""

    def prepare(self) -> None:
        """Load all of them; raises OptionError and RougeError."""
        names = [column.name for column in self.columns]
        for name in names:
            if names.count(name) > 1:
                raise OptionError(f"--also: two metrics are called {name!r}; ask for each once")

    def explain(self, texts: PairedTexts, options: ScoreOptions) -> list[MarkedPairs] | None:
        """Return nothing: what these metrics count is their own business."""
        return None

    def score(self, texts: PairedTexts, options: ScoreOptions) -> list[InstanceScores]:
        """Score each instance; raises InputError that names a metric which fails."""
        peers, models = texts.raw_texts()
        return [
            InstanceScores(_values(column, load_metric(one), peers, models), None)
            for one, column in zip(self.asked, self.columns, strict=True)
        ]


@dataclass(frozen=True, slots=True)
class PooledScore:
    """The score of a system from statistics that are added up over its texts.

    Parameters
    ----------
    metric : str
        Its name.
    """

    asked: AlsoMetric
    metric: str
    statistics: tuple[str, ...]

    @property
    def parts(self) -> tuple[PartKey, ...]:
        """The statistics of the metric itself."""
        return tuple((self.metric, one) for one in self.statistics)

    @property
    def definition(self) -> Mapping[str, Any]:
        """What is asked for, and the statistics."""
        return {"metric": str(self.asked), "statistics": list(self.statistics)}

    def score(self, means: NDArray[np.float64], n_evals: Any) -> NDArray[np.float64]:
        """Return the score of each column; nan where there is no text."""
        pooled = load_metric(self.asked).pooled  # type: ignore[attr-defined]
        sums = means * n_evals
        # Sums of whole numbers are whole; the means have lost what rounding takes.
        whole = np.rint(sums)
        sums = np.where(np.abs(sums - whole) < NEARLY_WHOLE, whole, sums)
        scores = [
            np.nan if np.isnan(column).any() else pooled(column.tolist())
            for column in sums.reshape(len(sums), -1).T
        ]
        return np.array(scores, np.float64).reshape(sums.shape[1:])

    def slopes(self, means: NDArray[np.float64], n_evals: int) -> NDArray[np.float64]:
        """Return by how much the score grows with each mean, by a step up and one down.

        A step is a hundredth, and at least 1 of what is counted; no count is below 0.
        """
        sums = np.rint(means * n_evals)
        steps = np.diag(np.maximum(np.rint(np.abs(sums) * STEP), 1.0))
        up = (sums[:, np.newaxis] + steps) / n_evals
        down = np.maximum(sums[:, np.newaxis] - steps, 0.0) / n_evals
        slopes: NDArray[np.float64] = (self.score(up, n_evals) - self.score(down, n_evals)) / (
            up - down
        ).diagonal()
        return slopes


def load_metric(asked: AlsoMetric) -> AlsoScorer:
    """Return a metric, which is made once in a process.

    Raises
    ------
    OptionError
        A name that is unknown, or settings that the metric does not take.
    RougeError
        A metric that cannot be made.
    """
    if asked.given is not None:
        metric: AlsoScorer = asked.given
        return metric
    return _made(str(asked))


@lru_cache(maxsize=64)
def _made(written: str) -> AlsoScorer:
    """Make a metric."""
    asked = AlsoMetric(written)
    factory = BUILT_IN.get(asked.key) or _plug_in(asked.key)
    try:
        return factory(**asked.settings)
    except RougeError:
        raise
    except (TypeError, ValueError) as error:
        raise OptionError(f"--also {written}: {error}") from error
    except Exception as error:
        raise RougeError(f"--also {written}: cannot be made: {_described(error)}") from error


def _plug_in(name: str) -> Callable[..., AlsoScorer]:
    """Return the factory that an installed package registers under a name."""
    from importlib.metadata import entry_points

    found = entry_points(group=ENTRY_POINTS)
    named = [one for one in found if one.name == name]
    if not named:
        known = ", ".join(sorted({*BUILT_IN, *(one.name for one in found)}))
        raise OptionError(f"--also: no metric {name!r}; known are: {known}")
    if len({one.value for one in named}) > 1:
        values = ", ".join(one.value for one in named)
        raise OptionError(f"--also: {name!r} is registered more than once: {values}; remove one")
    try:
        factory: Callable[..., AlsoScorer] = named[0].load()
    except Exception as error:
        raise RougeError(
            f"--also {name}: {named[0].value} cannot be loaded: {_described(error)}"
        ) from error
    return factory


def _column(asked: AlsoMetric, metric: AlsoScorer) -> ScoredMetric:
    """Return what the score table knows of a metric; raises RougeError for what is none."""
    missing = [
        one for one in ("name", "signature", "measures", "score") if not hasattr(metric, one)
    ]
    if missing:
        raise RougeError(f"--also {asked}: the metric has no {', no '.join(missing)}")
    measures = tuple(metric.measures)
    if measures not in MEASURES:
        raise RougeError(
            f"--also {asked}: found the measures {measures!r}, expected ('S',) or ('R', 'P', 'F')"
        )
    if not metric.name.isprintable() or not metric.name.strip() or ":" in metric.name:
        raise RougeError(
            f"--also {asked}: found {metric.name!r} as its name, expected one line without a colon"
        )
    statistics = tuple(getattr(metric, "statistics", ()))
    if statistics and (len(measures) > 1 or not hasattr(metric, "pooled")):
        raise RougeError(
            f"--also {asked}: a metric with statistics has the one measure S, and a method pooled"
        )
    return ScoredMetric(
        metric.name,
        measures,
        getattr(metric, "scale", None),
        bool(getattr(metric, "is_lower_better", False)),
        PooledScore(asked, metric.name, statistics) if statistics else None,
    )


def _values(
    column: ScoredMetric, metric: AlsoScorer, peers: Sequence[str], models: Sequence[Sequence[str]]
) -> NDArray[np.float64]:
    """Return scores and statistics, a row each; raises InputError for what is none."""
    try:
        found = np.asarray(metric.score(peers, models), np.float64)
    except (MemoryError, RougeError):
        raise
    except Exception as error:
        raise InputError(f"metric {column.name}: failed: {_described(error)}") from error
    n_rows = len(column.measures) + column.n_statistics
    values = found[np.newaxis] if found.ndim == 1 and n_rows == 1 else found
    expected = (n_rows, len(peers))
    if values.shape != expected:
        raise InputError(
            f"metric {column.name}: found scores of shape {found.shape}, expected {expected}, or a "
            "score for each text"
        )
    if not np.isfinite(values).all():
        place = int(np.flatnonzero(~np.isfinite(values).all(axis=0))[0])
        raise InputError(
            f"metric {column.name}: found {values[:, place].tolist()} for "
            f"{_beginning(peers[place])}, expected finite numbers"
        )
    return values


LONGEST_SHOWN = 40


def _beginning(text: str) -> str:
    """Return how a text begins, for a message."""
    short = text[:LONGEST_SHOWN]
    return repr(short) + ("..." if len(text) > len(short) else "")


def _described(error: Exception) -> str:
    """Return what an exception says, in one line."""
    message = " ".join(str(error).split())
    return f"{type(error).__name__}: {message}" if message else type(error).__name__
