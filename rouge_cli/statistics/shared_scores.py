"""The scores of several systems side by side, as whole numbers, on the EVALs that they share.

ROUGE's scores have 5 decimals, so they are whole numbers of hundred-thousandths. In these every sum
and every comparison is exact: equal differences are equal. Other scores are scaled by the power of
ten that makes whole numbers of them too.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import InputError, OptionError
from rouge_cli.options.requirements import MEASURE_NAMES, SINGLE_MEASURE
from rouge_cli.scoring.score_table import ScoreTable, SystemTable

__all__ = [
    "Column",
    "SharedScores",
    "SystemUnits",
    "columns_of",
    "score_matrix",
    "shared_scores",
    "system_units",
]

LARGEST_SUM = 1 << 51
"""Sums of doubles up to twice this are exact, and so are differences of their differences."""

MOST_DECIMALS = 12
FEWEST_DECIMALS = 5
"""Those of the scores that ROUGE prints; fewer would make equal what is not."""


@dataclass(frozen=True, slots=True)
class Column:
    """What is compared or correlated: a measure of a metric.

    Parameters
    ----------
    metric : str
        As printed, for example ``"ROUGE-2"``.
    letter : str
        ``"R"``, ``"P"`` or ``"F"``, or ``"S"`` of a metric with a single score.
    """

    metric: str
    letter: str

    @property
    def measure(self) -> str:
        """The measure in full: ``"recall"``, ``"precision"``, ``"f_measure"`` or ``"score"``."""
        return MEASURE_NAMES[self.letter]


@dataclass(frozen=True, slots=True, eq=False)
class SystemUnits:
    """The scores of a system as whole numbers, EVALs in byte order of their IDs.

    Parameters
    ----------
    eval_ids : tuple of str
        In byte order, which no layout and no other system can change.
    units : ndarray of float64, shape (n_evals, n_columns)
        Whole numbers: scores times the scale of their column.
    """

    system: str
    eval_ids: tuple[str, ...]
    units: NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class SharedScores:
    """Systems of which any two have exactly the same EVALs in common.

    Parameters
    ----------
    systems : tuple of int
        Places in the sequence of systems.
    pairs : tuple of two ints each
        Those to compare here: places in the sequence of systems, the first one lower.
    eval_ids : tuple of str
        Those EVALs.
    units : ndarray of float64, shape (n_evals, n_systems, n_columns)
    """

    systems: tuple[int, ...]
    pairs: tuple[tuple[int, int], ...]
    eval_ids: tuple[str, ...]
    units: NDArray[np.float64]


def columns_of(table: ScoreTable, letters: str) -> tuple[Column, ...]:
    """Return what is compared: `letters` of each metric, in the order of print.

    A metric that has none of these measures takes part with all that it has.
    """
    return tuple(
        Column(metric.name, letter)
        for metric in table.metrics
        for letter in [one for one in letters if one in metric.measures] or metric.measures
    )


def score_matrix(system: SystemTable, columns: Sequence[Column]) -> NDArray[np.float64]:
    """Return the scores of a system in some columns; shape (n_evals, n_columns)."""
    rows = []
    for one in columns:
        column = system.columns[one.metric]
        rows.append(column.values[column.metric.measures.index(one.letter)])
    return np.stack(rows, axis=1)


def system_units(
    systems: Sequence[SystemTable], columns: Sequence[Column]
) -> tuple[list[SystemUnits], NDArray[np.float64], list[str]]:
    """Return the scores of systems as whole numbers.

    Returns
    -------
    units : list of SystemUnits
    scales : ndarray of float64, shape (n_columns,)
        Powers of ten: what the scores of each column were multiplied by.
    warnings : list of str
        Columns whose scores had to be rounded.

    Raises
    ------
    OptionError
        If scores are so large, as a weight near 0 makes them, that their sums are not exact.
    """
    matrices = [score_matrix(system, columns) for system in systems]
    scales, warnings = np.empty(len(columns)), []
    for place, column in enumerate(columns):
        parts = [matrix[:, place] for matrix in matrices]
        decimals, is_exact = _decimals(parts)
        if decimals is None:
            raise OptionError(_too_large(column, systems, parts))
        if not is_exact:
            warnings.append(
                f"{column.metric} {column.letter}: scores with more digits than can be added up "
                f"exactly; they are compared as rounded to {decimals} decimals"
            )
        scales[place] = 10.0**decimals
    units = [
        _in_byte_order(system, np.rint(matrix * scales))
        for system, matrix in zip(systems, matrices, strict=True)
    ]
    return units, scales, warnings


def _decimals(parts: Sequence[NDArray[np.float64]]) -> tuple[int | None, bool]:
    """Return with how many decimals the scores of all systems can be added up exactly.

    The fewest that leave every score what it is; or else the most that sums have room for, with
    False; or None if that is less than ROUGE's 5.
    """
    most = max((np.abs(part).max(initial=0.0) * len(part) for part in parts), default=0.0)
    room = [n for n in range(MOST_DECIMALS + 1) if most * 10.0**n <= LARGEST_SUM]
    for n in room:
        if all((np.rint(part * 10.0**n) / 10.0**n == part).all() for part in parts):
            return n, True
    if not room or room[-1] < FEWEST_DECIMALS:
        return None, False
    return room[-1], False


def _too_large(
    column: Column, systems: Sequence[SystemTable], parts: Sequence[NDArray[np.float64]]
) -> str:
    """Word the refusal of scores that are too large, by the system with the largest one."""
    largest, system = max(
        (np.abs(part).max(initial=0.0), one.id) for part, one in zip(parts, systems, strict=True)
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
    """Put the EVALs in byte order of their IDs, which is not that of the instances' names."""
    names = [eval_id.encode("utf-8", "surrogateescape") for eval_id in system.eval_ids]
    order = sorted(range(len(names)), key=names.__getitem__)
    return SystemUnits(system.id, tuple(system.eval_ids[place] for place in order), units[order])


def shared_scores(systems: Sequence[SystemUnits]) -> list[SharedScores]:
    """Divide all pairs of two or more systems by the EVALs that they have in common.

    Returns
    -------
    list of SharedScores
        One where all systems have the same EVALs.

    Raises
    ------
    InputError
        Naming all pairs without a common EVAL.
    """
    pairs_by_evals: dict[tuple[str, ...], list[tuple[int, int]]] = {}
    known = [frozenset(one.eval_ids) for one in systems]
    for first, second in combinations(range(len(systems)), 2):
        common = systems[first].eval_ids
        if known[first] != known[second]:
            common = tuple(one for one in common if one in known[second])
        pairs_by_evals.setdefault(common, []).append((first, second))
    if apart := pairs_by_evals.get(()):
        raise InputError(
            [
                f"systems {systems[first].system!r} and {systems[second].system!r} have no EVAL in "
                "common; compare systems that have peers for the same EVALs"
                for first, second in apart
            ]
        )
    return [_shared(systems, evals, pairs) for evals, pairs in pairs_by_evals.items()]


def _shared(
    systems: Sequence[SystemUnits], evals: tuple[str, ...], pairs: Iterable[tuple[int, int]]
) -> SharedScores:
    """Put the scores on some EVALs side by side."""
    pairs = tuple(pairs)
    places = tuple(sorted({place for pair in pairs for place in pair}))
    wanted = frozenset(evals)
    units = np.stack(
        [
            systems[place].units[[eval_id in wanted for eval_id in systems[place].eval_ids]]
            for place in places
        ],
        axis=1,
    )
    return SharedScores(places, pairs, evals, units)
