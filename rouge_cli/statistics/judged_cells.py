"""Scores and judgements side by side: the same systems, in the same EVALs."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import InputError
from rouge_cli.inputs.evaluation import Instances, in_byte_order
from rouge_cli.inputs.judgements import Judgements
from rouge_cli.scoring.score_table import ScoreTable
from rouge_cli.statistics.judgement_gaps import (
    Evals,
    check_common,
    first_of,
    gaps_of,
    judged_evals,
    lone_systems,
    scored_evals,
)
from rouge_cli.statistics.score_columns import Column, score_matrix
from rouge_cli.statistics.shared_scores import cluster_numbers

__all__ = ["JudgedCells", "match_judgements", "score_cells"]

UNMATCHED = ERROR, SKIP, SKIP_CELLS = "error", "skip", "skip-cells"
"""Stop; leave out whole systems and EVALs; or leave out whole systems, but of an EVAL single cells.
"""

FEWEST_SYSTEMS = 3


@dataclass(frozen=True, slots=True, eq=False)
class JudgedCells:
    """The judgements of all systems in all EVALs.

    Parameters
    ----------
    systems, eval_ids : tuple of str
        In byte order, so that no order of the input can change a draw.
    judgements : tuple of str
        Names of the judgements.
    judged : ndarray of float64, shape (n_judgements, n_systems, n_evals)
        Where there is one judgement a system, it stands in every EVAL. nan: the cell is missing.
    is_per_eval : bool
        Whether systems were judged EVAL by EVAL.
    warnings : tuple of str
        What was left out.
    clusters : ndarray of int64, shape (n_evals,), or None
        The number of each EVAL's cluster, from 0 on.
    """

    systems: tuple[str, ...]
    eval_ids: tuple[str, ...]
    judgements: tuple[str, ...]
    judged: NDArray[np.float64]
    is_per_eval: bool
    warnings: tuple[str, ...] = ()
    clusters: NDArray[np.int64] | None = None


def match_judgements(
    judgements: Judgements, instances: Instances, unmatched: str = ERROR
) -> JudgedCells:
    """Find the judgements of what is scored.

    Parameters
    ----------
    judgements : Judgements
    instances : Instances
        What is scored.
    unmatched : str
        One of `UNMATCHED`: what becomes of systems, and of EVALs, that lack scores or judgements.

    Returns
    -------
    JudgedCells

    Raises
    ------
    InputError
        All that has scores but no judgements, or judgements but no scores; fewer than 3 systems;
        a judgement that is the same everywhere.
    """
    scored = scored_evals(instances)
    judged = judged_evals(judgements, scored)
    systems = in_byte_order(scored.keys() & judged.keys())
    check_common(scored, judged, systems, judgements.name)
    missing = list(lone_systems(scored, judged, judgements.name))
    everywhere = (evals[system] for evals in (scored, judged) for system in systems)
    eval_ids = in_byte_order(frozenset[str]().union(*everywhere))
    gaps = {
        eval_id: list(gaps_of(eval_id, systems, (scored, judged), judgements.name))
        for eval_id in eval_ids
    }
    missing += [problem for problems in gaps.values() for problem in problems]
    if missing and unmatched == ERROR:
        advice = f"give what is missing, or leave it out with --unmatched {SKIP} or {SKIP_CELLS}"
        raise InputError([*first_of(missing), advice])
    if unmatched == SKIP_CELLS:
        eval_ids = [one for one in eval_ids if _has_cell(one, systems, scored, judged)]
    else:
        eval_ids = [one for one in eval_ids if not gaps[one]]
    _check_size(systems, eval_ids, judgements.name)
    cells = _judged_cells(judgements, systems, eval_ids, scored)
    _check_spread(judgements, cells)
    warnings = [f"{problem}; left out" for problem in first_of(missing)]
    warnings += _uneven(eval_ids, gaps)
    warnings += [f"{judgements.name}: column {one!r} holds no number; it is left out"
                 for one in judgements.ignored]  # fmt: skip
    return JudgedCells(
        tuple(systems),
        tuple(eval_ids),
        judgements.columns,
        cells,
        judgements.is_per_eval,
        tuple(warnings),
        cluster_numbers(eval_ids, instances.clusters) if instances.clusters else None,
    )


def score_cells(
    table: ScoreTable, cells: JudgedCells, columns: Sequence[Column]
) -> NDArray[np.float64]:
    """Return the scores of all cells, nan where one is missing; (n_systems, n_evals, n_columns)."""
    scores = np.full((len(cells.systems), len(cells.eval_ids), len(columns)), np.nan)
    for row, name in enumerate(cells.systems):
        system = table.systems[name]
        place_of = {eval_id: place for place, eval_id in enumerate(system.eval_ids)}
        found = [
            (column, place_of[eval_id])
            for column, eval_id in enumerate(cells.eval_ids)
            if eval_id in place_of
        ]
        into, places = map(list, zip(*found, strict=True))
        scores[row, into] = score_matrix(system, columns)[places]
    scores[np.isnan(cells.judged[0])] = np.nan
    return scores


def _has_cell(eval_id: str, systems: Sequence[str], scored: Evals, judged: Evals) -> bool:
    """Return whether some system has a score and a judgement in an EVAL."""
    return any(eval_id in scored[system] and eval_id in judged[system] for system in systems)


def _uneven(eval_ids: Sequence[str], gaps: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Say that systems are compared over different EVALs, where cells are left out."""
    n_uneven = sum(bool(gaps[eval_id]) for eval_id in eval_ids)
    if n_uneven:
        yield (
            f"{n_uneven} of {len(eval_ids)} EVALs are without some systems: at the system level "
            "the means are over different EVALs"
        )


def _check_size(systems: Sequence[str], eval_ids: Sequence[str], name: str) -> None:
    """Refuse too few systems or EVALs."""
    if len(systems) < FEWEST_SYSTEMS:
        found = f"{len(systems)} system{'s' * (len(systems) != 1)}"
        raise InputError(
            f"{name}: {found} with scores and judgements; a correlation over systems needs at "
            f"least {FEWEST_SYSTEMS}"
        )
    if not eval_ids:
        raise InputError(f"{name}: no EVAL has scores and judgements of all systems")


def _judged_cells(
    judgements: Judgements, systems: Sequence[str], eval_ids: Sequence[str], scored: Evals
) -> NDArray[np.float64]:
    """Return the judgements, nan where a cell is missing; (n_judgements, n_systems, n_evals)."""
    found: Mapping[tuple[str, str | None], tuple[float, ...]] = {
        (row.system, row.eval_id): row.values for row in judgements.rows
    }
    nothing = (np.nan,) * len(judgements.columns)
    values = [
        [
            found.get((system, eval_id if judgements.is_per_eval else None), nothing)
            if eval_id in scored[system]
            else nothing
            for eval_id in eval_ids
        ]
        for system in systems
    ]
    return np.ascontiguousarray(np.moveaxis(np.array(values, np.float64), 2, 0))


def _check_spread(judgements: Judgements, cells: NDArray[np.float64]) -> None:
    """Refuse judgements that are the same everywhere."""
    problems = [
        f"{judgements.name}: column {column!r} is {np.nanmin(values):g} everywhere; what is "
        "constant correlates with nothing"
        for column, values in zip(judgements.columns, cells, strict=True)
        if np.nanmin(values) == np.nanmax(values)
    ]
    if problems:
        raise InputError(problems)
