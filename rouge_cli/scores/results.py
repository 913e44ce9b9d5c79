"""The score table of a run, and its results by system, metric and measure.

The table holds the counts and measures of each EVAL. Averages, bootstrap, thresholds, studies and
reports depend on nothing else, so scores can be computed on many machines, combined, and reported
later. Results hold numbers, and print nothing.

Source: specification, sections 6 and 7.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field
from functools import reduce
from math import sqrt
from operator import add
from os import PathLike
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import OptionError, name_advice
from rouge_cli.inputs.evaluation import NumberedIds, ids_at
from rouge_cli.metrics.arithmetic import Floats, Whole
from rouge_cli.metrics.counts import Counts, ScoredMetric
from rouge_cli.options.options import Options
from rouge_cli.options.scores import MEAN_OVER_EVALS, RAW_COUNTS
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.scores.reportable import (
    EvalOrder,
    PairResults,
    RankedEval,
    Reportable,
    sort_key,
    wide_frame,
)

if TYPE_CHECKING:
    import pandas as pd

    # Types that methods return. The layers above import this module, so it imports them by name.
    from rouge_cli.api.studies import Comparison
    from rouge_cli.options.keywords import ComparisonKeywords
    from rouge_cli.studies.score.thresholds import Verdict


@dataclass(frozen=True, slots=True, eq=False)
class MetricColumn:
    """The scores of one system in one metric; all arrays are read-only.

    - `scores`: a row for each measure, then one for each statistic from which the score of the
      system is computed, as in `InstanceScores`; shape (n_rows, n_evals). ROUGE scores are rounded
      to 5 decimals.
    - `counts`: hit, model count and peer count of each EVAL; None if the metric does not count.
    """

    metric: ScoredMetric
    scores: Floats
    counts: Counts | None

    def __post_init__(self) -> None:
        """Make the arrays read-only, since several results share them."""
        counts = () if self.counts is None else self.counts.arrays().values()
        for array in (self.scores, *counts):
            array.setflags(write=False)

    @property
    def values(self) -> Floats:
        """The scores without statistics; shape (n_measures, n_evals)."""
        return self.scores[: len(self.metric.measures)]

    def row(self, key: str) -> Floats:
        """Return the values of a measure or a statistic; shape (n_evals,)."""
        values: Floats = self.scores[self.metric.rows.index(key)]
        return values

    @classmethod
    def of_arrays(cls, metric: ScoredMetric, arrays: dict[str, NDArray[Any]]) -> "MetricColumn":
        """Build a column from named arrays, which are removed from `arrays`."""
        scores = np.empty((len(metric.rows), len(next(iter(arrays.values())))))
        for number, key in enumerate(metric.rows):
            scores[number] = arrays.pop(key)
        return cls(metric, scores, Counts(**arrays) if arrays else None)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return counts, statistics and measures by name; each array has shape (n_evals,)."""
        counts = {} if self.counts is None else self.counts.arrays()
        keys = (*self.metric.statistics, *self.metric.measures)
        return {**counts, **{key: self.row(key) for key in keys}}

    def take(self, rows: Whole) -> "MetricColumn":
        """Return the scores in the given EVALs."""
        counts = None if self.counts is None else self.counts.take(rows)
        return MetricColumn(self.metric, self.scores[:, rows], counts)


@dataclass(frozen=True, slots=True, eq=False)
class SystemEvals:
    """A system and the IDs of its EVALs, in input order.

    `known_order` is `byte_order`, if reading the scores has yielded it.
    """

    id: str
    eval_ids: Sequence[str]
    known_order: Whole | None = field(default=None, kw_only=True)

    @property
    def byte_order(self) -> Whole:
        """Positions of the EVALs in byte order of the instances' names; shape (n_evals,)."""
        if self.known_order is not None:
            return self.known_order
        return byte_order(self.eval_ids, self.id)

    def total(self, counts: NDArray[Any]) -> float:
        """Return the sum of counts, of shape (n_evals,); the sum of integers is an exact int."""
        # The order of addition affects the last bit of fractions, and the original adds in byte
        # order. Integers do without: sorting a million EVALs takes a second.
        ordered = counts if counts.dtype.kind == "i" else counts[self.byte_order]
        # Not `sum`, which compensates the rounding errors of floats from Python 3.12 on.
        return reduce(add, ordered.tolist(), 0)


@dataclass(frozen=True, slots=True, eq=False)
class SystemTable(SystemEvals):
    """The scores of one system: a column for each metric, by name, in print order."""

    columns: Mapping[str, MetricColumn]

    def parts(self, metric: ScoredMetric) -> Floats:
        """Return the rows from which a metric is aggregated; shape (n_parts, n_evals)."""
        keys = () if metric.aggregation is None else metric.aggregation.parts
        return np.array([self.columns[name].row(key) for name, key in keys])

    def take(self, rows: Whole) -> "SystemTable":
        """Return the scores in the given EVALs, in their order."""
        columns = {name: column.take(rows) for name, column in self.columns.items()}
        return SystemTable(self.id, ids_at(self.eval_ids, rows), columns)

    def only(self, eval_ids: Collection[str]) -> "SystemTable":
        """Return the scores in the EVALs that are in `eval_ids`, in table order."""
        wanted = frozenset(eval_ids)
        rows = [row for row, eval_id in enumerate(self.eval_ids) if eval_id in wanted]
        return self.take(np.array(rows, np.int64))


@dataclass(frozen=True, slots=True, eq=False)
class ScoreTable:
    """The scores of a run before averaging: systems by ID, in print order.

    All systems have the same metrics, in print order. `clusters` maps the ID of each EVAL to its
    cluster, such as a document or a topic; it is empty if EVALs are not clustered.
    """

    systems: Mapping[str, SystemTable]
    metrics: tuple[ScoredMetric, ...]
    clusters: Mapping[str, str] = field(default_factory=dict)


def byte_order(eval_ids: Sequence[str], system_id: str) -> Whole:
    """Return the positions of a system's EVALs in byte order of the names of its instances.

    An instance is named ``EVAL_ID.SYSTEM_ID``, so EVAL 10 comes before EVAL 2. Source:
    specification, section 6.
    """
    if isinstance(eval_ids, NumberedIds):
        return eval_ids.byte_order()
    names = [f"{eval_id}.{system_id}".encode("utf-8", "surrogateescape") for eval_id in eval_ids]
    return np.array(sorted(range(len(names)), key=names.__getitem__), np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Measure:
    """A measure of a system in one metric, such as recall.

    Parameters
    ----------
    mean : float
        Mean over the EVALs, or the value for pooled counts.
    bootstrap_mean : float or None
        Mean of the resampled means, which ROUGE-1.5.5 prints as the average.
    interval : tuple of two floats or None
        Lower and upper bound of the confidence interval.
    per_eval : ndarray of float64, shape (n_evals,)
        Score of each EVAL, rounded to 5 decimals, in the order of `SystemScores.eval_ids`;
        read-only.
    is_mean_of_evals : bool
        Whether `mean` is the mean of `per_eval`; false for metrics computed from other means.
    """

    mean: float
    bootstrap_mean: float | None
    interval: tuple[float, float] | None
    per_eval: Floats
    is_mean_of_evals: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class MetricScores:
    """The scores of a system in one metric.

    Parameters
    ----------
    name : str
        The original's name of the metric: ``"ROUGE-1"``, ``"ROUGE-SU4"``.
    measures : mapping of str to Measure
        By letter, in print order: ``"R"``, ``"P"``, ``"F"``, or only ``"S"`` for single scores.
    counts : Counts or None
        Hit, model count and peer count of each EVAL, in the order of `SystemScores.eval_ids`; None
        if the metric does not count.
    """

    name: str
    measures: Mapping[str, Measure]
    counts: Counts | None

    @property
    def counted(self) -> Counts:
        """The counts; raises ValueError if the metric does not count."""
        if self.counts is None:
            raise ValueError(f"{self.name} has no counts")
        return self.counts

    @property
    def recall(self) -> Measure:
        """Recall; raises KeyError if the metric lacks it."""
        return self.measures["R"]

    @property
    def precision(self) -> Measure:
        """Precision; raises KeyError if the metric lacks it."""
        return self.measures["P"]

    @property
    def f_measure(self) -> Measure:
        """F; raises KeyError if the metric lacks it."""
        return self.measures["F"]


@dataclass(frozen=True, slots=True, eq=False)
class SystemScores(SystemEvals):
    """The scores of one system.

    Parameters
    ----------
    metrics : mapping of str to MetricScores
        By name, in print order.
    """

    metrics: Mapping[str, MetricScores]

    def __getitem__(self, metric: str) -> MetricScores:
        """Return the scores in `metric`; raises KeyError."""
        if metric not in self.metrics:
            raise KeyError(f"no metric {metric!r}; known are: {', '.join(self.metrics)}")
        return self.metrics[metric]

    def __contains__(self, metric: object) -> bool:
        return metric in self.metrics

    def __iter__(self) -> Iterator[MetricScores]:
        return iter(self.metrics.values())


NUMBERS = ("mean", "bootstrap_mean", "lower", "upper", "standard_error")
"""Columns of `Results.to_dataframe` that hold numbers, even if all their values are missing."""


@dataclass(frozen=True, slots=True, eq=False)
class Results(PairResults):
    """The scores of a run, by system and metric.

    ``results["ROUGE-2"]`` is a metric of the only system, ``results.systems["a"]["ROUGE-2"]`` that
    of one among several. Its ``.recall``, ``.precision`` and ``.f_measure`` each have

    - ``.mean``: the mean over the EVALs;
    - ``.bootstrap_mean``: the average that ROUGE-1.5.5 prints; None without a bootstrap;
    - ``.interval``: lower and upper bound of the confidence interval; None without a bootstrap;
    - ``.per_eval``: a read-only array of float64 with the score of each EVAL, in input order.

    Printed, and as the last line of a cell in a notebook, they are a table. The options
    ``measures``, ``sort``, ``percent``, ``letters`` and ``per_eval`` determine what it shows.

    Parameters
    ----------
    systems : mapping of str to SystemScores
        By system ID, in print order.
    table : ScoreTable
        The scores of each EVAL, from which the results follow.
    warnings : tuple of str
        Problems of the inputs, such as a system that is missing in an EVAL, or a text without
        tokens.
    sentences_per_text : float or None
        Mean number of sentences of a text; None if no text was read.
    notes : tuple of str
        How the inputs were read.
    model_sharing : ndarray of int64 or None
        For each set of models, the number of its EVALs; None unless several systems were scored
        from texts.
    fields : mapping of str to mapping of str to tuple of str
        Filters of a page: for each ``page_field``, EVAL ID to the values of its records.
    """

    systems: Mapping[str, SystemScores]
    table: ScoreTable
    options: Options
    warnings: tuple[str, ...] = field(default=())
    sentences_per_text: float | None = None
    notes: tuple[str, ...] = ()
    model_sharing: Whole | None = None
    fields: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)

    def __getitem__(self, metric: str) -> MetricScores:
        """Return the scores of the only system in `metric`; raises KeyError."""
        if len(self.systems) != 1:
            raise KeyError(
                f"{len(self.systems)} systems: choose one first, as in "
                f".systems[{next(iter(self.systems), '')!r}][{metric!r}]"
            )
        (system,) = self.systems.values()
        return system[metric]

    def __contains__(self, metric: object) -> bool:
        return metric in self.metric_names

    def __iter__(self) -> Iterator[MetricScores]:
        """Iterate over the metrics of all systems, in print order."""
        for system in self.systems.values():
            yield from system

    @property
    def metric_names(self) -> tuple[str, ...]:
        """Names of the metrics, the same for every system, in print order."""
        return tuple(metric.name for metric in self.table.metrics)

    @property
    def signature(self) -> str:
        """All options that affect a score, in one line; equal signatures mean comparable scores."""
        from rouge_cli.scores.signature import signature

        return signature(self.options)

    def check(
        self,
        *,
        require: str | Sequence[str] = (),
        baseline: "str | PathLike[str] | Results | None" = None,
        max_drop: float | str | None = None,
        not_worse_than: float | str | None = None,
    ) -> "Verdict":
        """Compare the scores with conditions and an earlier run, as the command line does.

        Parameters
        ----------
        require : str or sequence of str
            Conditions such as ``"ROUGE-2:F>=0.18"``.
        baseline : path or Results, optional
            The JSON report of an earlier run, or its results; with ``not_worse_than`` also its
            saved scores.
        max_drop : float, optional
            How far a mean may fall below that of the baseline; by default 0.
        not_worse_than : float, optional
            A margin. Compares EVAL by EVAL instead: the one-sided lower bound of the differences
            from the baseline, with the ``confidence`` of these results, must be above the negative
            margin.

        Returns
        -------
        Verdict
            ``.failures`` has a line for each score that misses a requirement, ``.bounds`` has all
            lower bounds, whether or not they meet the margin; and there are ``.warnings``.

        Raises
        ------
        OptionError, InputError
            For a condition or a baseline that cannot be used.
        """
        conditions = {
            "require": (require,) if isinstance(require, str) else tuple(require),
            "max_drop": max_drop,
            "not_worse_than": not_worse_than,
        }
        verdict: Verdict = _score_study("thresholds:verdict_of")(self, baseline, conditions)
        return verdict

    def worst(
        self,
        n: int = 10,
        metric: str | None = None,
        *,
        system: str | None = None,
        against: str | None = None,
    ) -> "tuple[RankedEval, ...]":
        """Return the EVALs with the lowest scores of a system, the lowest first.

        Parameters
        ----------
        n : int
            Maximum number of EVALs.
        metric : str, optional
            For instance ``"ROUGE-2"`` or ``"ROUGE-2:R"``; by default F of the first metric. If
            lower scores are better in this metric, the worst EVALs have the highest scores.
        system : str, optional
            The ID of the system; required if there are several.
        against : str, optional
            The ID of another system. The worst EVALs are then those in which its lead is largest.

        Returns
        -------
        tuple of RankedEval
            Each has ``.id``, ``.score`` and ``.other``, which is the score of the other system.
            Scores are not in percent.

        Raises
        ------
        OptionError
            If there is no such metric or system.

        Examples
        --------
        >>> import rouge_cli
        >>> texts = ["the cat sat", "a dog"], ["the cat sat", "the dog ran"]
        >>> results = rouge_cli.evaluate(*texts, max_ngram=1, resamples=0)
        >>> results.worst(1)
        (RankedEval(id='2', score=0.4, other=None),)
        """
        return self._ranked("worst", n, metric, system, against)

    def best(
        self,
        n: int = 10,
        metric: str | None = None,
        *,
        system: str | None = None,
        against: str | None = None,
    ) -> "tuple[RankedEval, ...]":
        """Return the EVALs with the highest scores of a system, the highest first; see `worst`.

        Examples
        --------
        >>> import rouge_cli
        >>> texts = ["the cat sat", "a dog"], ["the cat sat", "the dog ran"]
        >>> rouge_cli.evaluate(*texts, max_ngram=1, resamples=0).best(1)
        (RankedEval(id='1', score=1.0, other=None),)
        """
        return self._ranked("best", n, metric, system, against)

    def _ranked(
        self, which: str, n: int, metric: str | None, system: str | None, against: str | None
    ) -> "tuple[RankedEval, ...]":
        if isinstance(n, bool) or not isinstance(n, int) or n < 1:
            raise OptionError(f"n: found {n!r}, expected a whole number from 1 on")
        # Without `metric`, F of the first metric, whatever measures the results show.
        scored, letter = sort_key(metric, self.table.metrics, option="metric")
        order = EvalOrder(scored.name, letter, is_lower_better=scored.is_lower_better, **{which: n})
        other = None if against is None else self._system("against", against)
        others = [name for name in self.systems if name != against]
        if system is None and len(others) > 1:
            raise OptionError(f"system: there are several; name one of {', '.join(others)}")
        name = system or next(iter(others), next(iter(self.systems)))
        if name == against:
            raise OptionError(f"against: {against!r} is the system itself; name another")
        return tuple(order.chosen(self._system("system", name), other))

    def frame(self) -> "pd.DataFrame":
        """Return the scores of each text as a data frame: a row per text, a column per measure.

        The index is the ID of the EVAL or, for several systems, the system ID and the EVAL ID.

        Raises
        ------
        RougeError
            If pandas is not installed.

        Examples
        --------
        >>> import rouge_cli
        >>> results = rouge_cli.evaluate(["the cat sat"], ["the cat"], max_ngram=1, lcs=False)
        >>> float(results.frame().loc["1", "ROUGE-1 F"])
        0.8
        """
        return wide_frame(self.systems)

    def compare(self, **options: "Unpack[ComparisonKeywords]") -> "Comparison":
        """Compare the systems, as `rouge_cli.compare` does.

        Raises
        ------
        OptionError, InputError
        """
        comparison: Comparison = resolve_name("rouge_cli:compare")(self, **options)
        return comparison

    def _system(self, name: str, system: str) -> SystemScores:
        if system not in self.systems:
            advice = name_advice(str(system), list(self.systems))
            raise OptionError(f"{name}: no system {system!r}; {advice}")
        return self.systems[system]

    def _view(self) -> Any:
        return _score_study("view:ScoreView")(self)

    def _page(self) -> Any:
        self._check_tables()
        return _score_study("page:compared_page")(self)

    def to_dataframe(self) -> "pd.DataFrame":
        """Return the scores as a data frame: a row for each system, metric and measure.

        Returns
        -------
        pandas.DataFrame
            It has the columns of the CSV report and, with ``per_eval=True``, also a row for each
            EVAL, whose ID is in the column ``eval``. Missing values are NaN or None.

        Raises
        ------
        RougeError
            If pandas is not installed.
        """
        # `super()` fails here: a dataclass with slots is a copy of the class that was written.
        # Without explicit types, an empty column would get the dtype object.
        return Reportable.to_dataframe(self).astype(dict.fromkeys(NUMBERS, "float64"))

    def to_markdown(self) -> str:
        """Return the table in Markdown; raises OptionError for raw counts."""
        return self._table("markdown")

    def to_latex(self) -> str:
        """Return the table in LaTeX with booktabs; raises OptionError for raw counts."""
        return self._table("latex")

    def to_classic(self) -> str:
        """Return the report of ROUGE-1.5.5, byte for byte; raises OptionError without a bootstrap.

        Bytes of IDs that are not UTF-8 become lone surrogates.
        """
        if self.options.scores.resamples == 0 and self.options.scores.counting != RAW_COUNTS:
            raise OptionError("the classic report needs a bootstrap; score with resamples=1000")
        return self._report("classic")

    def __str__(self) -> str:
        """Return the table as text, 80 columns wide; for raw counts, the classic report."""
        if self.options.scores.counting == RAW_COUNTS:
            return self.to_classic().rstrip("\n")
        return Reportable.__str__(self)

    def __repr__(self) -> str:
        n_systems = f"{len(self.systems)} system{'s' * (len(self.systems) != 1)}"
        return f"<Results: {', '.join((n_systems, *self.metric_names))}>"

    def _repr_html_(self) -> str | None:
        if self.options.scores.counting == RAW_COUNTS:
            return None
        return Reportable._repr_html_(self)

    def _table(self, kind: str) -> str:
        self._check_tables()
        return self._report(kind)

    def _check_tables(self) -> None:
        if self.options.scores.counting == RAW_COUNTS:
            raise OptionError(
                "no table has raw counts (counting=2); use to_classic, to_csv, to_json or "
                "to_dataframe"
            )


def _score_study(name: str) -> Any:
    return resolve_name(f"rouge_cli.studies.score.{name}")


def average(measure: Measure) -> float:
    """Return the bootstrap mean, which ROUGE-1.5.5 prints, or else the plain mean."""
    return measure.mean if measure.bootstrap_mean is None else measure.bootstrap_mean


def standard_error(measure: Measure, options: Options) -> float | None:
    """Return the standard error of a mean over EVALs; None if it has none.

    It is the sample standard deviation of the EVALs' scores (divisor N - 1), divided by the square
    root of N. Equal scores give exactly 0.
    """
    scores = measure.per_eval
    # Pooled counts and fused means are not means over EVALs.
    if not measure.is_mean_of_evals or options.scores.counting != MEAN_OVER_EVALS:
        return None
    # The EVALs of a cluster are not independent.
    if options.inputs.cluster is not None or scores.size <= 1:
        return None
    # Sorting makes the result independent of the input order; subtracting the smallest score avoids
    # rounding errors for equal ones.
    ascending = np.sort(scores)
    return float((ascending - ascending[0]).std(ddof=1)) / sqrt(scores.size)
