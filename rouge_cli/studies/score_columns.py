"""The columns of scores that studies compare, and the scores of systems on the EVALs they share.

A column is a measure of a metric. ROUGE's scores have 5 decimals, so they are whole numbers of
hundred-thousandths. In these units sums and comparisons are exact. Other scores are multiplied by
the power of ten that makes them whole numbers.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from math import inf
from typing import TYPE_CHECKING, Annotated

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import InputError, OptionError
from rouge_cli.inputs.evaluation import in_byte_order
from rouge_cli.metrics.counts import SHARES, Aggregation, PartKey, ScoredMetric
from rouge_cli.options.scores import MEASURE_NAMES, SINGLE_MEASURE, scales
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports.document import Role
from rouge_cli.reports.rows import Shown
from rouge_cli.scores.rankings import shown_letters
from rouge_cli.scores.results import Measure, ScoreTable, SystemScores, SystemTable

if TYPE_CHECKING:
    from fractions import Fraction

LARGEST_SUM = 1 << 51
"""Sums of doubles up to twice this are exact, and so are differences of their differences."""

MOST_DECIMALS = 12

FEWEST_DECIMALS = 5
"""The decimals that ROUGE prints; with fewer, different scores would be equal."""

FEWEST_CLUSTERS = 5
"""Fewer common beginnings of IDs are names of data sets rather than of documents."""

BELONGING = (
    ": if EVALs of one document or topic belong together, name the field that tells with --cluster"
)


@dataclass(frozen=True, slots=True)
class Column:
    """A measure of a metric.

    `letter` is ``"R"``, ``"P"`` or ``"F"``, or ``"S"`` of a metric with a single score.
    `is_mean_of_evals`: whether the score of a system is the mean of the scores of its EVALs.
    """

    metric: Annotated[str, Shown("Name of the metric, such as ROUGE-2.")]
    letter: str
    is_lower_better: Annotated[
        bool,
        Shown("Only if lower scores are better.", key="lower_is_better", column="", optional=True),
    ] = False
    is_mean_of_evals: bool = True

    @property
    def measure(self) -> Annotated[str, Shown()]:
        """recall, precision, f_measure or score."""
        return MEASURE_NAMES[self.letter]

    @property
    def name(self) -> str:
        """The column in a message: ``ROUGE-2 F``."""
        return f"{self.metric} {self.letter}"


@dataclass(frozen=True, slots=True)
class Noninferiority:
    """A score compared with a baseline: whether a system is no worse in a measure of a metric."""

    system: Annotated[str, Shown("Name of the system.", heading="System")]
    column: Column
    n_evals: Annotated[
        int, Shown("EVALs that the run and its baseline have.", heading="N", role=Role.LABEL)
    ]
    n_unequal: Annotated[
        int, Shown("Those of them, or of the clusters, in which the scores differ.")
    ]
    difference: Annotated[
        float,
        Shown(
            "Of the means over these EVALs; above 0 if this run is better.",
            heading="Difference",
            write=FEWEST_DECIMALS,
            is_signed=True,
        ),
    ]
    lower_bound: Annotated[
        float | None,
        Shown(
            "Of the difference by the bootstrap, one-sided, less `unseen`; null for a single EVAL "
            "or cluster.",
            heading="Lower bound",
            write=FEWEST_DECIMALS,
            is_signed=True,
        ),
    ]
    unseen: Annotated[
        float,
        Shown(
            "Cost of texts that fail and are not among these EVALs: 3/n of them, or more with a "
            "confidence above 95."
        ),
    ]
    margin: Annotated[float, Shown("Of --not-worse-than.")]
    is_met: Annotated[
        bool,
        Shown(
            "Whether the lower bound is above -margin.",
            heading="Not worse",
            write=lambda is_met: "yes" if is_met else "not shown",
            role=Role.LABEL,
        ),
    ]
    n_needed: Annotated[
        int | None,
        Shown(
            "If the bound is too low and the difference is not: about how many EVALs, or clusters, "
            "let an equally good system pass with the confidence."
        ),
    ] = None

    @property
    def metric(self) -> Annotated[str, Shown()]:
        """Name of the metric."""
        return self.column.metric

    @property
    def measure(self) -> Annotated[str, Shown()]:
        """recall, precision, f_measure or score."""
        return self.column.measure


def column_of(metric: ScoredMetric, letter: str) -> Column:
    """Return the column of a measure of a metric."""
    return Column(metric.name, letter, metric.is_lower_better, metric.aggregation is None)


def columns_of(table: ScoreTable, letters: str) -> tuple[Column, ...]:
    """Return the columns of `letters` of each metric, in the order of print.

    A metric without any of these measures contributes all its measures.
    """
    return tuple(
        column_of(metric, letter)
        for metric in table.metrics
        for letter in shown_letters(metric.measures, letters)
    )


def measure_in(system: SystemScores, column: Column) -> Measure:
    """Return the scores of a system in a column."""
    return system.metrics[column.metric].measures[column.letter]


def score_matrix(system: SystemTable, columns: Sequence[Column]) -> NDArray[np.float64]:
    """Return the scores of a system in some columns; shape (n_evals, n_columns)."""
    return np.stack(
        [system.columns[column.metric].row(column.letter) for column in columns], axis=1
    )


@dataclass(frozen=True, slots=True)
class ComparedColumn:
    """A column, and the columns that its scores are computed from.

    - `indices`: of its own scores, or of its parts, among the columns that are summed over EVALs.
    - `scales`: units per score of 1 in each of these.
    - `aggregation`: how the means of the parts become a score; None if the score is a mean.
    - `ends`: the lowest and the highest possible score, infinite if unknown.
    """

    column: Column
    indices: tuple[int, ...]
    scales: tuple[int, ...]
    aggregation: Aggregation | None = None
    ends: tuple[float, float] = (-inf, inf)

    @property
    def scale(self) -> int:
        """Units of the tests per score of 1 in one EVAL."""
        return 1 if self.aggregation else self.scales[0]


def score_ends(metric: ScoredMetric) -> tuple[float, float]:
    """Return the lowest and the highest possible score of a metric; infinite if unknown."""
    if metric.is_single and metric.scale is None:
        return -inf, inf
    (scale,) = scales(f"scale={metric.scale or SHARES}")
    return scale.low, scale.high


def compared_columns(
    table: ScoreTable,
    letters: str,
    systems: Sequence[SystemTable],
    margin: "Fraction | None" = None,
) -> "tuple[list[ComparedColumn], list[SystemUnits], list[str]]":
    """Return the columns of `columns_of`, and the units and warnings of `system_units` for them."""
    aggregations = {metric.name: metric.aggregation for metric in table.metrics}
    ends = {metric.name: score_ends(metric) for metric in table.metrics}
    columns = []
    index_of: dict[PartKey, int] = {}
    for column in columns_of(table, letters):
        aggregation = aggregations[column.metric]
        itself = ((column.metric, column.letter),)
        parts = itself if aggregation is None else aggregation.parts
        indices = tuple(index_of.setdefault(part, len(index_of)) for part in parts)
        columns.append((column, indices, aggregation))
    units, scales, warnings = system_units(systems, [Column(*key) for key in index_of], margin)
    compared = [
        ComparedColumn(
            column,
            indices,
            tuple(int(scales[k]) for k in indices),
            aggregation,
            ends[column.metric],
        )
        for column, indices, aggregation in columns
    ]
    return compared, units, warnings


@dataclass(frozen=True, slots=True, eq=False)
class SystemUnits:
    """The scores of a system times the scale of their column, which makes them whole numbers.

    EVALs are in byte order of their IDs, whatever the layout. `units` has shape (n_evals,
    n_columns).
    """

    system: str
    eval_ids: tuple[str, ...]
    units: NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class SharedScores:
    """The scores of all compared systems on the EVALs that all of them have.

    A block is drawn and swapped as a whole: an EVAL, or all EVALs of a cluster.

    - `eval_ids`: in byte order.
    - `units`: scores, summed over the block; shape (n_blocks, n_systems, n_columns).
    - `sizes`: EVALs of each block; shape (n_blocks,).
    - `of_evals`: with clusters, the units of each EVAL; shape (n_evals, n_systems, n_columns).
    """

    eval_ids: tuple[str, ...]
    units: NDArray[np.float64]
    sizes: NDArray[np.float64]
    of_evals: NDArray[np.float64] | None = None

    @property
    def is_even(self) -> bool:
        """Whether all blocks, and therefore all resamples, have the same number of EVALs."""
        return bool((self.sizes == self.sizes[0]).all())


def system_units(
    systems: Sequence[SystemTable], columns: Sequence[Column], margin: "Fraction | None" = None
) -> tuple[list[SystemUnits], NDArray[np.float64], list[str]]:
    """Return the scores of systems in units in which scores and margin are whole numbers.

    Raises OptionError if scores are too large for exact sums, as with a weight near 0.

    Returns
    -------
    units : list of SystemUnits
    scales : ndarray of float64, shape (n_columns,)
        The power of ten by which the scores of each column were multiplied.
    warnings : list of str
        Columns whose scores had to be rounded.
    """
    matrices = [score_matrix(system, columns) for system in systems]
    scales, warnings = np.empty(len(columns)), []
    least = 0 if margin is None else _decimals_of(margin)
    for index, column in enumerate(columns):
        parts = [matrix[:, index] for matrix in matrices]
        decimals, is_exact = _decimals(parts, least)
        if decimals is None:
            raise OptionError(_too_large(column, systems, parts))
        if not is_exact:
            warnings.append(
                f"{column.metric} {column.letter}: scores with more digits than can be added up "
                f"exactly; they are compared as rounded to {decimals} decimals"
            )
        scales[index] = 10.0**decimals
    units: list[SystemUnits] = []
    for system, matrix in zip(systems, matrices, strict=True):
        # In place, and the same IDs for all systems: there may be tens of millions.
        np.multiply(matrix, scales, out=matrix)
        of_system = _in_byte_order(system, np.rint(matrix, out=matrix))
        if units and of_system.eval_ids == units[0].eval_ids:
            of_system = replace(of_system, eval_ids=units[0].eval_ids)
        units.append(of_system)
    return units, scales, warnings


def _decimals(parts: Sequence[NDArray[np.float64]], least: int) -> tuple[int | None, bool]:
    """Return with how many decimals scores can be summed exactly, and whether that changes none.

    These are the fewest decimals that represent every score, or as many as sums have room for; None
    if these are fewer than ROUGE's 5.
    """
    most = max((np.abs(part).max(initial=0.0) * len(part) for part in parts), default=0.0)
    room = [n for n in range(least, MOST_DECIMALS + 1) if most * 10.0**n <= LARGEST_SUM]
    for n in room:
        if all((np.rint(part * 10.0**n) / 10.0**n == part).all() for part in parts):
            return n, True
    if not room or room[-1] < FEWEST_DECIMALS:
        return None, False
    return room[-1], False


def _decimals_of(number: "Fraction") -> int:
    whole = (n for n in range(MOST_DECIMALS) if (number * 10**n).denominator == 1)
    return next(whole, MOST_DECIMALS)


def _too_large(
    column: Column, systems: Sequence[SystemTable], parts: Sequence[NDArray[np.float64]]
) -> str:
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


def _in_byte_order(system: SystemTable, units: NDArray[np.float64]) -> SystemUnits:
    eval_ids = list(system.eval_ids)
    names = [eval_id.encode("utf-8", "surrogateescape") for eval_id in eval_ids]
    order = sorted(range(len(names)), key=names.__getitem__)
    return SystemUnits(system.id, tuple(eval_ids[index] for index in order), units[order])


def _common_evals(systems: Sequence[SystemUnits]) -> tuple[str, ...]:
    """Return the EVALs that all of two or more systems have; raises InputError without any."""
    first, *others = systems
    common = first.eval_ids
    for other in others:
        # Usually all systems have the same EVALs.
        if other.eval_ids != common:
            known = frozenset(other.eval_ids)
            common = tuple(eval_id for eval_id in common if eval_id in known)
    if not common:
        raise InputError(list(_nothing_in_common(systems)))
    return common


def _nothing_in_common(systems: Sequence[SystemUnits]) -> Iterator[str]:
    known = {system.system: frozenset(system.eval_ids) for system in systems}
    apart = [pair for pair in combinations(known, 2) if known[pair[0]].isdisjoint(known[pair[1]])]
    for first, second in apart:
        yield (
            f"systems {first!r} and {second!r} have no EVAL in common; compare systems that have "
            "peers for the same EVALs"
        )
    if not apart:
        yield (
            f"all {len(systems)} systems together have no EVAL in common, though any two have; "
            "compare fewer of them"
        )


def shared_scores(systems: Sequence[SystemUnits], clusters: Mapping[str, str]) -> SharedScores:
    """Return the scores on the EVALs that all systems have, summed by cluster.

    All results are about these EVALs: pairs on EVALs of their own could contradict the ranking.
    `clusters` gives the cluster of each EVAL; empty: EVALs are independent. Raises InputError if
    the systems have no EVAL in common.
    """
    evals = _common_evals(systems)
    units = np.stack([_units_on(evals, system) for system in systems], axis=1)
    if not clusters:
        return SharedScores(evals, units, np.ones(len(evals)))
    numbers = cluster_numbers(evals, clusters)
    sums = np.zeros((int(numbers.max()) + 1, *units.shape[1:]))
    np.add.at(sums, numbers, units)
    return SharedScores(evals, sums, np.bincount(numbers).astype(np.float64), units)


def _units_on(evals: tuple[str, ...], system: SystemUnits) -> NDArray[np.float64]:
    if evals == system.eval_ids:
        return system.units
    wanted = frozenset(evals)
    return system.units[[eval_id in wanted for eval_id in system.eval_ids]]


def cluster_numbers(eval_ids: Sequence[str], clusters: Mapping[str, str]) -> NDArray[np.int64]:
    """Return the cluster of each EVAL as a number from 0, in byte order of the names."""
    names = in_byte_order({clusters[eval_id] for eval_id in eval_ids})
    number_of = {name: number for number, name in enumerate(names)}
    return np.array([number_of[clusters[eval_id]] for eval_id in eval_ids], np.int64)


def cluster_hint(
    eval_ids: Sequence[str], model_sharing: NDArray[np.int64] | None = None
) -> Iterator[str]:
    """Yield a hint if there seem to be several EVALs of each document.

    This is so if groups of EVALs have the same models, or the same ID up to the last separator.
    `model_sharing` has the number of EVALs with each set of models, if known.
    """
    n_evals = len(eval_ids)
    if model_sharing is not None and _look_like_clusters(model_sharing.tolist()):
        yield f"{model_sharing.sum()} EVALs with {len(model_sharing)} sets of models{BELONGING}"
        return
    matches = [re.fullmatch(r"(.+)[-_.:/#][^-_.:/#]+", eval_id) for eval_id in eval_ids]
    prefixes = Counter(match[1] for match in matches if match)
    if prefixes.total() == n_evals and _look_like_clusters(list(prefixes.values())):
        ((usual, _),) = prefixes.most_common(1)
        yield (
            f"{n_evals} EVALs with {len(prefixes)} beginnings of IDs, such as {usual!r}{BELONGING}"
        )


def _look_like_clusters(sizes: Sequence[int]) -> bool:
    # Several groups, with two EVALs or more on average, none of which dominates.
    n_evals = sum(sizes)
    return len(sizes) >= FEWEST_CLUSTERS and 2 * len(sizes) <= n_evals and 3 * max(sizes) <= n_evals
