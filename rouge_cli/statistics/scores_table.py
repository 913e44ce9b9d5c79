"""The scores of several systems side by side, as whole numbers, on the EVALs that they share.

Scores have 5 decimals, so they are whole numbers of hundred-thousandths. In these every sum and
every comparison is exact: equal differences are equal.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import InputError, OptionError
from rouge_cli.metrics.ratios import UNITS
from rouge_cli.scoring.results import MetricScores, Results, SystemScores

__all__ = ["Column", "ScoresTable", "SharedScores", "columns_of", "shared_scores", "table_of"]

MEASURE_NAMES = {"R": "recall", "P": "precision", "F": "f_measure"}

LARGEST_SUM = 1 << 51
"""Sums of doubles up to twice this are exact, and so are differences of their differences."""


@dataclass(frozen=True, slots=True)
class Column:
    """What is compared: a measure of a metric.

    Parameters
    ----------
    metric : str
        As printed, for example ``"ROUGE-2"``.
    letter : str
        ``"R"``, ``"P"`` or ``"F"``.
    """

    metric: str
    letter: str

    @property
    def measure(self) -> str:
        """The measure in full: ``"recall"``, ``"precision"`` or ``"f_measure"``."""
        return MEASURE_NAMES[self.letter]


@dataclass(frozen=True, slots=True, eq=False)
class ScoresTable:
    """The scores of a system, EVALs in byte order of their IDs.

    Parameters
    ----------
    system : str
    eval_ids : tuple of str
        In byte order, which no layout and no other system can change.
    units : ndarray of float64, shape (n_evals, n_columns)
        Scores in hundred-thousandths.
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
        Places in the sequence of tables.
    pairs : tuple of two ints each
        Those to compare here: places in the sequence of tables, the first one lower.
    units : ndarray of float64, shape (n_evals, n_systems, n_columns)
        Scores in hundred-thousandths.
    """

    systems: tuple[int, ...]
    pairs: tuple[tuple[int, int], ...]
    units: NDArray[np.float64]


def columns_of(results: Results, letters: str) -> tuple[Column, ...]:
    """Return what is compared: `letters` of each metric, in the order of print."""
    return tuple(Column(metric, letter) for metric in results.metric_names for letter in letters)


def table_of(system: SystemScores, columns: Sequence[Column]) -> ScoresTable:
    """Return the scores of a system as whole numbers.

    Raises
    ------
    OptionError
        If scores are so large, as a weight near 0 makes them, that their sums are not exact.
    """
    names = [eval_id.encode("utf-8", "surrogateescape") for eval_id in system.eval_ids]
    order = sorted(range(len(names)), key=names.__getitem__)
    scores = np.stack([_per_eval(system[one.metric], one) for one in columns], axis=1)
    units = np.rint(scores[order] * UNITS)
    if units.max(initial=0) * len(units) > LARGEST_SUM:
        raise OptionError(
            f"-w/--weight: system {system.id!r} has scores up to {scores.max():g}, too large to "
            "be compared exactly; expected a weight nearer to 1"
        )
    return ScoresTable(system.id, tuple(system.eval_ids[place] for place in order), units)


def _per_eval(scores: MetricScores, column: Column) -> NDArray[np.float64]:
    """Return the score of each EVAL."""
    by_letter = scores.measures
    return by_letter[column.letter].per_eval


def shared_scores(tables: Sequence[ScoresTable]) -> list[SharedScores]:
    """Divide all pairs of systems by the EVALs that they have in common.

    Parameters
    ----------
    tables : sequence of ScoresTable
        At least two.

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
    known = [frozenset(table.eval_ids) for table in tables]
    for first, second in combinations(range(len(tables)), 2):
        common = tables[first].eval_ids
        if known[first] != known[second]:
            common = tuple(one for one in common if one in known[second])
        pairs_by_evals.setdefault(common, []).append((first, second))
    if apart := pairs_by_evals.get(()):
        raise InputError(
            [
                f"systems {tables[first].system!r} and {tables[second].system!r} have no EVAL in "
                "common; compare systems that have peers for the same EVALs"
                for first, second in apart
            ]
        )
    return [_shared(tables, evals, pairs) for evals, pairs in pairs_by_evals.items()]


def _shared(
    tables: Sequence[ScoresTable], evals: tuple[str, ...], pairs: list[tuple[int, int]]
) -> SharedScores:
    """Put the scores on some EVALs side by side."""
    systems = tuple(sorted({place for pair in pairs for place in pair}))
    wanted = frozenset(evals)
    units = np.stack(
        [
            table.units[[eval_id in wanted for eval_id in table.eval_ids]]
            for table in (tables[place] for place in systems)
        ],
        axis=1,
    )
    return SharedScores(systems, tuple(pairs), units)
