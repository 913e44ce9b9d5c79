"""The columns of scores that studies compare, and the scores of systems on the EVALs they share.

A column is one measure of one metric. ROUGE scores have 5 decimals, so they are whole multiples of
a hundred-thousandth; in this unit, sums and comparisons are exact. Other scores are multiplied by
whichever power of ten makes them whole numbers.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import inf
from typing import Annotated

import numpy as np

from rouge_cli.errors import InputError, OptionError
from rouge_cli.metrics.arithmetic import Floats, Whole
from rouge_cli.metrics.counts import SHARES, Aggregation, PartKey, ScoredMetric
from rouge_cli.options.scores import MEASURE_NAMES, SINGLE_MEASURE, scales
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports.document import Role
from rouge_cli.reports.rows import Shown
from rouge_cli.scores.reportable import shown_letters
from rouge_cli.scores.results import Measure, ScoreTable, SystemScores, SystemTable
from rouge_cli.scores.summaries import cluster_numbers

# Doubles hold whole numbers exactly up to 2^53: sums up to this can still be doubled or subtracted.
LARGEST_SUM = 1 << 51
MOST_DECIMALS = 12
# ROUGE prints 5 decimals; fewer would make different scores equal.
FEWEST_DECIMALS = 5
BELONGING = ": if texts of one document or topic belong together, name their field with --cluster"


@dataclass(frozen=True, slots=True)
class ScoreColumn:
    """A measure of a metric.

    `letter` is ``"R"``, ``"P"`` or ``"F"``, or ``"S"`` if the metric has a single score.
    `is_mean_of_evals` tells whether the score of a system is the mean of its scores in EVALs.

    - `is_lower_better`: Only if lower scores are better.
    """

    metric: Annotated[str, Shown("Name of the metric, such as ROUGE-2.")]
    letter: str
    is_lower_better: Annotated[bool, Shown(key="lower_is_better", column="", optional=True)] = False
    is_mean_of_evals: bool = True

    @property
    def measure(self) -> Annotated[str, Shown()]:
        """recall, precision, f_measure or score."""
        return MEASURE_NAMES[self.letter]

    @property
    def name(self) -> str:
        """The name of the column in messages, such as ``ROUGE-2 F``."""
        return f"{self.metric} {self.letter}"


@dataclass(frozen=True, slots=True)
class Noninferiority:
    """A system compared with its baseline in one measure of one metric.

    - `n_evals`: Texts that the run and its baseline have.
    - `n_unequal`: Those of them, or of the clusters, in which the scores differ.
    - `difference`: Of the means over these texts; above 0 if this run is better.
    - `lower_bound`: Of the difference by the bootstrap, one-sided, less `unseen`; null for a single
      text or cluster.
    - `unseen`: Cost of texts that fail and are not among them: 3/n of them, or more with a
      confidence above 95.
    - `is_met`: Whether the lower bound is above -margin.
    - `n_needed`: If the bound is too low and the difference is not: about how many texts, or
      clusters, let an equally good system pass with the confidence.
    """

    system: Annotated[str, Shown("Name of the system.", heading="System")]
    column: ScoreColumn
    n_evals: Annotated[int, Shown(heading="N", role=Role.LABEL)]
    n_unequal: Annotated[int, Shown()]
    difference: Annotated[float, Shown(heading="Difference", write=FEWEST_DECIMALS, is_signed=True)]
    lower_bound: Annotated[
        float | None, Shown(heading="Lower bound", write=FEWEST_DECIMALS, is_signed=True)
    ]
    unseen: Annotated[float, Shown()]
    margin: Annotated[float, Shown("Of --not-worse-than.")]
    is_met: Annotated[
        bool,
        Shown(
            heading="Not worse",
            write=lambda is_met: "yes" if is_met else "not shown",
            role=Role.LABEL,
        ),
    ]
    n_needed: Annotated[int | None, Shown()] = None

    @property
    def metric(self) -> Annotated[str, Shown()]:
        """Name of the metric."""
        return self.column.metric

    @property
    def measure(self) -> Annotated[str, Shown()]:
        """recall, precision, f_measure or score."""
        return self.column.measure


def column_of(metric: ScoredMetric, letter: str) -> ScoreColumn:
    """Return the column of a measure of a metric."""
    return ScoreColumn(metric.name, letter, metric.is_lower_better, metric.aggregation is None)


def columns_of(table: ScoreTable, letters: str) -> tuple[ScoreColumn, ...]:
    """Return the columns of the measures in `letters`, for each metric, in print order.

    A metric that has none of these measures contributes all of its own.
    """
    return tuple(
        column_of(metric, letter)
        for metric in table.metrics
        for letter in shown_letters(metric.measures, letters)
    )


def measure_in(system: SystemScores, column: ScoreColumn) -> Measure:
    """Return the scores of a system in a column."""
    return system.metrics[column.metric].measures[column.letter]


def score_matrix(system: SystemTable, columns: Sequence[ScoreColumn]) -> Floats:
    """Return the scores of a system in some columns, shape (n_evals, n_columns)."""
    return np.stack(
        [system.columns[column.metric].row(column.letter) for column in columns], axis=1
    )


@dataclass(frozen=True, slots=True)
class ComparedColumn:
    """A column, and the summed columns that its scores are computed from.

    - `indices`: where its scores, or those of its parts, are in `SharedScores.units`.
    - `scales`: for each of these columns, the number of units in a score of 1.
    - `aggregation`: how the means of the parts become a score; None if the score is itself a mean.
    - `ends`: the lowest and highest possible scores, infinite if unknown.
    """

    column: ScoreColumn
    indices: tuple[int, ...]
    scales: tuple[int, ...]
    aggregation: Aggregation | None = None
    ends: tuple[float, float] = (-inf, inf)

    @property
    def scale(self) -> int:
        """The number of units in a score of 1, as tests count: 1 if it is aggregated."""
        return 1 if self.aggregation else self.scales[0]


def score_ends(metric: ScoredMetric) -> tuple[float, float]:
    """Return the lowest and highest possible scores of a metric; infinite if unknown."""
    if metric.is_single and metric.scale is None:
        return -inf, inf
    (scale,) = scales(f"scale={metric.scale or SHARES}")
    return scale.low, scale.high


@dataclass(frozen=True, slots=True, eq=False)
class SharedScores:
    """The scores of all compared systems on the EVALs that all of them have, as whole numbers.

    Resampling draws and swaps whole blocks. A block is an EVAL, or all EVALs of a cluster.

    - `eval_ids`: the IDs in byte order, whatever the layout of the input.
    - `units`: scores multiplied by the scale of their column and summed over each block, shape
      (n_blocks, n_systems, n_columns).
    - `sizes`: the number of EVALs in each block, shape (n_blocks,).
    - `of_evals`: if there are clusters, the units of single EVALs, shape (n_evals, n_systems,
      n_columns).
    """

    eval_ids: tuple[str, ...]
    units: Floats
    sizes: Floats
    of_evals: Floats | None = None

    @property
    def is_even(self) -> bool:
        """Whether all blocks, and hence all resamples, have the same number of EVALs."""
        return bool((self.sizes == self.sizes[0]).all())


def compared_scores(
    table: ScoreTable, letters: str, systems: Sequence[SystemTable], margin: Fraction | None = None
) -> tuple[list[ComparedColumn], SharedScores, list[str]]:
    """Return the columns of some measures, with the scores and warnings of `shared_scores`.

    If a score is computed from parts, such as statistics, it is the parts that are summed.
    """
    metrics = {metric.name: metric for metric in table.metrics}
    columns = columns_of(table, letters)
    index_of: dict[PartKey, int] = {}
    indices = []
    for column in columns:
        aggregation = metrics[column.metric].aggregation
        parts = aggregation.parts if aggregation else ((column.metric, column.letter),)
        indices.append(tuple(index_of.setdefault(part, len(index_of)) for part in parts))
    summed = [ScoreColumn(*key) for key in index_of]
    shared, scales, warnings = shared_scores(systems, summed, table.clusters, margin)
    compared = [
        ComparedColumn(
            column,
            of_column,
            tuple(int(scales[k]) for k in of_column),
            metrics[column.metric].aggregation,
            score_ends(metrics[column.metric]),
        )
        for column, of_column in zip(columns, indices, strict=True)
    ]
    return compared, shared, warnings


def shared_scores(
    systems: Sequence[SystemTable],
    columns: Sequence[ScoreColumn],
    clusters: Mapping[str, str],
    margin: Fraction | None = None,
) -> tuple[SharedScores, Floats, list[str]]:
    """Return the scores on the EVALs that all systems have, as whole numbers summed by cluster.

    All comparisons use these EVALs alone: pairs compared on other EVALs could contradict the
    ranking. `clusters` gives the cluster of each EVAL; if it is empty, EVALs are independent. The
    scales are large enough to make the margin a whole number, too.

    Also returns the power of ten by which each column was multiplied, shape (n_columns,), and
    warnings about columns whose scores had to be rounded. Raises OptionError if scores are too
    large for exact sums, which a weight near 0 can cause, and InputError if the systems have no
    EVAL in common.
    """
    matrices = [score_matrix(system, columns) for system in systems]
    scales, warnings = np.empty(len(columns)), []
    of_margin = (n for n in range(MOST_DECIMALS) if ((margin or 0) * 10**n).denominator == 1)
    least = next(of_margin, MOST_DECIMALS)
    for index, column in enumerate(columns):
        parts = [matrix[:, index] for matrix in matrices]
        decimals, is_exact = _decimals(parts, least)
        if decimals is None:
            raise OptionError(_too_large(column, systems, parts))
        if not is_exact:
            warnings.append(
                f"{column.name}: scores with more digits than can be added up exactly; they are "
                f"compared as rounded to {decimals} decimals"
            )
        scales[index] = 10.0**decimals
    ids: list[tuple[str, ...]] = []
    for k, system in enumerate(systems):
        names = [eval_id.encode("utf-8", "surrogateescape") for eval_id in system.eval_ids]
        order = sorted(range(len(names)), key=names.__getitem__)
        of_system = tuple(system.eval_ids[row] for row in order)
        # There may be tens of millions of EVALs: systems share a tuple of equal IDs, and scores
        # are scaled in place.
        ids.append(ids[0] if ids and of_system == ids[0] else of_system)
        np.rint(np.multiply(matrices[k], scales, out=matrices[k]), out=matrices[k])
        matrices[k] = matrices[k][order]
    evals = _common_evals([system.id for system in systems], ids)
    wanted = frozenset(evals)
    for k, of_system in enumerate(ids):
        if of_system != evals:
            matrices[k] = matrices[k][[eval_id in wanted for eval_id in of_system]]
    units = np.stack(matrices, axis=1)
    if not clusters:
        return SharedScores(evals, units, np.ones(len(evals))), scales, warnings
    numbers = cluster_numbers(evals, clusters)
    sums = np.zeros((int(numbers.max()) + 1, *units.shape[1:]))
    np.add.at(sums, numbers, units)
    sizes = np.bincount(numbers).astype(np.float64)
    return SharedScores(evals, sums, sizes, units), scales, warnings


def _decimals(parts: Sequence[Floats], least: int) -> tuple[int | None, bool]:
    """Return how many decimals to keep for exact sums, and whether every score has no more.

    The number is the lowest, from `least` on, with which no score is rounded. If sums have no room
    for that many decimals, it is the highest with which they are exact, or None if this is less
    than ROUGE's 5.
    """
    most = max((np.abs(part).max(initial=0.0) * len(part) for part in parts), default=0.0)
    room = [n for n in range(least, MOST_DECIMALS + 1) if most * 10.0**n <= LARGEST_SUM]
    for n in room:
        if all((np.rint(part * 10.0**n) / 10.0**n == part).all() for part in parts):
            return n, True
    return (room[-1] if room and room[-1] >= FEWEST_DECIMALS else None), False


def _too_large(column: ScoreColumn, systems: Sequence[SystemTable], parts: Sequence[Floats]) -> str:
    largest, system = max(
        (np.abs(part).max(initial=0.0), table.id)
        for part, table in zip(parts, systems, strict=True)
    )
    if column.letter == SINGLE_MEASURE:
        return (
            f"system {system!r} has {column.metric} scores up to {largest:g}, too large to be "
            "compared exactly; divide them by a power of ten"
        )
    return (
        f"-w/--weight: system {system!r} has scores up to {largest:g}, too large to be compared "
        "exactly; expected a weight nearer to 1"
    )


def _common_evals(systems: Sequence[str], ids: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    # All systems usually have the same EVALs, and comparing tuples is cheaper than making sets.
    if ids[0] and all(of_system == ids[0] for of_system in ids):
        return ids[0]
    known = dict(zip(systems, map(frozenset, ids), strict=True))
    everywhere = frozenset.intersection(*known.values())
    if everywhere:
        return tuple(eval_id for eval_id in ids[0] if eval_id in everywhere)
    apart = [pair for pair in combinations(known, 2) if known[pair[0]].isdisjoint(known[pair[1]])]
    problems = [
        f"systems {first!r} and {second!r} have no text in common; compare systems that have "
        "predictions for the same texts"
        for first, second in apart
    ]
    raise InputError(
        problems
        or f"all {len(systems)} systems together have no text in common, though any two have; "
        "compare fewer of them"
    )


def cluster_hint(eval_ids: Sequence[str], model_sharing: Whole | None = None) -> Iterator[str]:
    """Yield a hint to name clusters if documents seem to have several EVALs each.

    Evidence is that EVALs share their models, or that their IDs agree up to the last separator.
    `model_sharing` holds the number of EVALs for each distinct set of models, if it is known.
    """
    n_evals = len(eval_ids)
    if model_sharing is not None and _look_like_clusters(model_sharing.tolist()):
        yield f"{model_sharing.sum()} texts with {len(model_sharing)} sets of references{BELONGING}"
        return
    matches = [re.fullmatch(r"(.+)[-_.:/#][^-_.:/#]+", eval_id) for eval_id in eval_ids]
    prefixes = Counter(match[1] for match in matches if match)
    if prefixes.total() == n_evals and _look_like_clusters(list(prefixes.values())):
        ((usual, _),) = prefixes.most_common(1)
        yield (
            f"{n_evals} texts with {len(prefixes)} prefixes of IDs, such as {usual!r}{BELONGING}"
        )


def _look_like_clusters(sizes: Sequence[int]) -> bool:
    # Clusters have two EVALs or more on average, and no cluster holds more than a third of all.
    # Fewer than five prefixes are more likely to name data sets than documents.
    n_evals = sum(sizes)
    return len(sizes) >= 5 and 2 * len(sizes) <= n_evals and 3 * max(sizes) <= n_evals  # noqa: PLR2004
