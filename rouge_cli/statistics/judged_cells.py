"""Scores and judgements side by side: the same systems, in the same EVALs, without a gap."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import InputError
from rouge_cli.inputs.evaluation import Instances, in_byte_order
from rouge_cli.inputs.judgements import Judgements
from rouge_cli.scoring.score_table import ScoreTable
from rouge_cli.statistics.shared_scores import Column, score_matrix

__all__ = ["JudgedCells", "match_judgements", "score_cells"]

FEWEST_SYSTEMS = 3

MOST_PROBLEMS = 20
"""More are counted, not named: one mistake may be in every cell."""

Evals = dict[str, frozenset[str]]


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
        Where there is one judgement a system, it stands in every EVAL.
    is_per_eval : bool
        Whether systems were judged EVAL by EVAL.
    warnings : tuple of str
        What was left out.
    """

    systems: tuple[str, ...]
    eval_ids: tuple[str, ...]
    judgements: tuple[str, ...]
    judged: NDArray[np.float64]
    is_per_eval: bool
    warnings: tuple[str, ...] = ()


def match_judgements(
    judgements: Judgements, instances: Instances, *, skips_unmatched: bool
) -> JudgedCells:
    """Find the judgements of what is scored.

    Parameters
    ----------
    judgements : Judgements
    instances : Instances
        What is scored.
    skips_unmatched : bool
        Whether systems, and then EVALs, that lack scores or judgements are left out.

    Returns
    -------
    JudgedCells

    Raises
    ------
    InputError
        All that has scores but no judgements, or judgements but no scores; fewer than 3 systems;
        a judgement that is the same everywhere.
    """
    scored = _scored_evals(instances)
    judged = _judged_evals(judgements, scored)
    systems = _in_byte_order(scored.keys() & judged.keys())
    missing = list(_lone_systems(scored, judged, judgements.name))
    eval_ids = _in_byte_order({one for system in systems for one in scored[system]}.union(
        *(judged[system] for system in systems)))  # fmt: skip
    gaps = {
        eval_id: list(_gaps(eval_id, systems, (scored, judged), judgements.name))
        for eval_id in eval_ids
    }
    missing += [problem for problems in gaps.values() for problem in problems]
    if missing and not skips_unmatched:
        raise InputError(
            [*_first_of(missing), "give what is missing, or leave it out with --unmatched skip"]
        )
    eval_ids = tuple(eval_id for eval_id in eval_ids if not gaps[eval_id])
    _check_size(systems, eval_ids, judgements.name)
    cells = _judged_cells(judgements, systems, eval_ids)
    _check_spread(judgements, cells)
    warnings = [f"{problem}; left out" for problem in _first_of(missing)]
    warnings += [f"{judgements.name}: column {one!r} holds no number; it is left out"
                 for one in judgements.ignored]  # fmt: skip
    return JudgedCells(
        systems, eval_ids, judgements.columns, cells, judgements.is_per_eval, tuple(warnings)
    )


def score_cells(
    table: ScoreTable, cells: JudgedCells, columns: Sequence[Column]
) -> NDArray[np.float64]:
    """Return the scores of all cells; shape (n_systems, n_evals, n_columns)."""
    scores = np.empty((len(cells.systems), len(cells.eval_ids), len(columns)))
    for row, name in enumerate(cells.systems):
        system = table.systems[name]
        place_of = {eval_id: place for place, eval_id in enumerate(system.eval_ids)}
        places = [place_of[eval_id] for eval_id in cells.eval_ids]
        scores[row] = score_matrix(system, columns)[places]
    return scores


def _in_byte_order(names: set[str]) -> tuple[str, ...]:
    """Sort IDs by their bytes."""
    return tuple(in_byte_order(names))


def _scored_evals(instances: Instances) -> Evals:
    """Return the EVALs of each system; raises InputError if one has an EVAL twice."""
    scored: dict[str, list[str]] = {system: [] for system in instances.systems}
    for eval_id, number in zip(instances.eval_ids, instances.system_numbers, strict=True):
        scored[instances.systems[number]].append(eval_id)
    problems = [
        f"system {system!r} has more than one EVAL {eval_id!r}; expected an ID for each, to find "
        "its judgement by"
        for system, evals in scored.items()
        for eval_id, count in Counter(evals).items()
        if count > 1
    ]
    if problems:
        raise InputError(_first_of(problems))
    return {system: frozenset(evals) for system, evals in scored.items()}


def _judged_evals(judgements: Judgements, scored: Evals) -> Evals:
    """Return the EVALs in which each system is judged: all, where there is one judgement."""
    if not judgements.is_per_eval:
        every = frozenset[str]().union(*scored.values())
        return {row.system: every for row in judgements.rows}
    judged: dict[str, set[str]] = {}
    for row in judgements.rows:
        judged.setdefault(row.system, set()).add(row.eval_id or "")
    return {system: frozenset(evals) for system, evals in judged.items()}


def _lone_systems(scored: Evals, judged: Evals, name: str) -> Iterator[str]:
    """Word each system that has only scores, or only judgements."""
    for system in _in_byte_order(scored.keys() - judged.keys()):
        yield f"{name}: no judgement of system {system!r}, which is scored"
    for system in _in_byte_order(judged.keys() - scored.keys()):
        yield f"{name}: system {system!r} is judged, but not scored"


def _gaps(
    eval_id: str, systems: Sequence[str], evals: tuple[Evals, Evals], name: str
) -> Iterator[str]:
    """Word what is missing of an EVAL: scores or judgements, of all systems or of one."""
    scored, judged = evals
    unscored = [system for system in systems if eval_id not in scored[system]]
    unjudged = [system for system in systems if eval_id not in judged[system]]
    if len(unscored) == len(systems):
        yield f"{name}: EVAL {eval_id!r} is judged, but not scored"
    elif len(unjudged) == len(systems):
        yield f"{name}: no judgement of EVAL {eval_id!r}, which is scored"
    else:
        yield from (f"system {one!r} has no score in EVAL {eval_id!r}" for one in unscored)
        yield from (
            f"{name}: no judgement of system {one!r} in EVAL {eval_id!r}" for one in unjudged
        )


def _first_of(problems: Sequence[str]) -> list[str]:
    """Return the first problems, how many more there are."""
    more = len(problems) - MOST_PROBLEMS
    return [*problems[:MOST_PROBLEMS], *([f"{more} more of these"] if more > 0 else [])]


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
    judgements: Judgements, systems: Sequence[str], eval_ids: Sequence[str]
) -> NDArray[np.float64]:
    """Return the judgements as an array; shape (n_judgements, n_systems, n_evals)."""
    found: Mapping[tuple[str, str | None], tuple[float, ...]] = {
        (row.system, row.eval_id): row.values for row in judgements.rows
    }
    by_eval: Sequence[str | None] = eval_ids if judgements.is_per_eval else [None] * len(eval_ids)
    values = [[found[system, eval_id] for eval_id in by_eval] for system in systems]
    return np.ascontiguousarray(np.moveaxis(np.array(values, np.float64), 2, 0))


def _check_spread(judgements: Judgements, cells: NDArray[np.float64]) -> None:
    """Refuse judgements that are the same everywhere."""
    problems = [
        f"{judgements.name}: column {column!r} is {values.flat[0]:g} everywhere; what is constant "
        "correlates with nothing"
        for column, values in zip(judgements.columns, cells, strict=True)
        if (values == values.flat[0]).all()
    ]
    if problems:
        raise InputError(problems)
