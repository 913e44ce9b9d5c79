"""The scores of several systems side by side, as whole numbers, on the EVALs that they share.

ROUGE's scores have 5 decimals, so they are whole numbers of hundred-thousandths. In these every sum
and every comparison is exact: equal differences are equal. Other scores are scaled by the power of
ten that makes whole numbers of them too.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import InputError, OptionError
from rouge_cli.inputs.evaluation import in_byte_order
from rouge_cli.options.requirements import SINGLE_MEASURE
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.scoring.score_table import SystemTable
from rouge_cli.statistics.score_columns import Column, ComparedColumn, score_matrix

__all__ = [
    "SharedScores",
    "SystemUnits",
    "cluster_numbers",
    "shared_scores",
    "system_units",
]

LARGEST_SUM = 1 << 51
"""Sums of doubles up to twice this are exact, and so are differences of their differences."""

MOST_DECIMALS = 12
FEWEST_DECIMALS = 5
"""Those of the scores that ROUGE prints; fewer would make equal what is not."""


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

    A block is what is drawn and swapped at once: an EVAL, or all EVALs of a cluster.

    Parameters
    ----------
    systems : tuple of int
        Places in the sequence of systems.
    pairs : tuple of two ints each
        Those to compare here: places in the sequence of systems, the first one lower.
    units : ndarray of float64, shape (n_blocks, n_systems, n_columns)
        Scores, added up over the block.
    sizes : ndarray of float64, shape (n_blocks,)
        How many EVALs each has.
    margins : ndarray of float64, shape (n_compared,), or None
        From which difference on systems are not equivalent: in units, or of a column with an
        aggregation in scores.
    compared : tuple of ComparedColumn
        What is made of the columns; empty where each is compared as it is.
    scales : ndarray of float64, shape (n_columns,), or None
        How many units make a score of 1; needed for aggregations.
    """

    systems: tuple[int, ...]
    pairs: tuple[tuple[int, int], ...]
    units: NDArray[np.float64]
    sizes: NDArray[np.float64]
    margins: NDArray[np.float64] | None = None
    compared: tuple[ComparedColumn, ...] = ()
    scales: NDArray[np.float64] | None = None

    @property
    def is_even(self) -> bool:
        """Whether all blocks have the same size, so that all resamples have as many EVALs."""
        return bool((self.sizes == self.sizes[0]).all())


def system_units(
    systems: Sequence[SystemTable], columns: Sequence[Column], margin: Fraction | None = None
) -> tuple[list[SystemUnits], NDArray[np.float64], list[str]]:
    """Return the scores of systems as whole numbers, of units in which a margin is one too.

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
    least = 0 if margin is None else _decimals_of(margin)
    for place, column in enumerate(columns):
        parts = [matrix[:, place] for matrix in matrices]
        decimals, is_exact = _decimals(parts, least)
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


def _decimals(parts: Sequence[NDArray[np.float64]], least: int) -> tuple[int | None, bool]:
    """Return with how many decimals the scores of all systems can be added up exactly.

    The fewest that leave every score what it is; or else the most that sums have room for, with
    False; or None if that is less than ROUGE's 5.
    """
    most = max((np.abs(part).max(initial=0.0) * len(part) for part in parts), default=0.0)
    room = [n for n in range(least, MOST_DECIMALS + 1) if most * 10.0**n <= LARGEST_SUM]
    for n in room:
        if all((np.rint(part * 10.0**n) / 10.0**n == part).all() for part in parts):
            return n, True
    if not room or room[-1] < FEWEST_DECIMALS:
        return None, False
    return room[-1], False


def _decimals_of(number: Fraction) -> int:
    """Return how many decimals a number has, as far as they are read."""
    whole = (n for n in range(MOST_DECIMALS) if (number * 10**n).denominator == 1)
    return next(whole, MOST_DECIMALS)


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
    eval_ids = list(system.eval_ids)
    names = [eval_id.encode("utf-8", "surrogateescape") for eval_id in eval_ids]
    order = sorted(range(len(names)), key=names.__getitem__)
    return SystemUnits(system.id, tuple(eval_ids[place] for place in order), units[order])


def shared_scores(
    systems: Sequence[SystemUnits],
    clusters: Mapping[str, str],
    margins: NDArray[np.float64] | None = None,
    compared: tuple[ComparedColumn, ...] = (),
    scales: NDArray[np.float64] | None = None,
) -> list[SharedScores]:
    """Divide all pairs of two or more systems by the EVALs that they have in common.

    Parameters
    ----------
    clusters : mapping of str to str
        EVAL to cluster; empty: every EVAL stands for itself.
    margins, compared, scales
        As in `SharedScores`.

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
    found = []
    for evals, pairs in pairs_by_evals.items():
        places = tuple(sorted({place for pair in pairs for place in pair}))
        units, sizes = _blocks([systems[place] for place in places], evals, clusters)
        found.append(SharedScores(places, tuple(pairs), units, sizes, margins, compared, scales))
    return found


def _blocks(
    systems: Sequence[SystemUnits], evals: tuple[str, ...], clusters: Mapping[str, str]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Put the scores on some EVALs side by side, and add them up by cluster."""
    wanted = frozenset(evals)
    units = np.stack(
        [one.units[[eval_id in wanted for eval_id in one.eval_ids]] for one in systems], axis=1
    )
    if not clusters:
        return units, np.ones(len(evals))
    numbers = cluster_numbers(evals, clusters)
    sums = np.zeros((int(numbers.max()) + 1, *units.shape[1:]))
    np.add.at(sums, numbers, units)
    return sums, np.bincount(numbers).astype(np.float64)


def cluster_numbers(eval_ids: Sequence[str], clusters: Mapping[str, str]) -> NDArray[np.int64]:
    """Return the clusters of some EVALs as numbers from 0 on, in byte order of their names."""
    names = in_byte_order({clusters[one] for one in eval_ids})
    number_of = {name: number for number, name in enumerate(names)}
    return np.array([number_of[clusters[one]] for one in eval_ids], np.int64)
