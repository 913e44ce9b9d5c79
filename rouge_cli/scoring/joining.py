"""Scores from elsewhere join those of a run, and metrics are fused: columns of the score table."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from rouge_cli.errors import InputError, OptionError
from rouge_cli.inputs.evaluation import in_byte_order
from rouge_cli.inputs.id_matching import first_cells, nothing_common
from rouge_cli.inputs.outside_scores import OutsideScores
from rouge_cli.metrics.aggregation import fused
from rouge_cli.metrics.counts import ScoredMetric
from rouge_cli.options.beside import BesideOptions
from rouge_cli.options.fusions import Fusion
from rouge_cli.scoring.run_metrics import checked_beside, fused_metric, outside_metrics, part_keys
from rouge_cli.scoring.score_table import MetricColumn, ScoreTable, SystemTable

__all__ = ["Cells", "join_scores", "matched_cells", "outside_table"]

Cells = Mapping[str, Sequence[str]]
"""System to its EVALs."""

ERROR, SKIP = "error", "skip"


def outside_table(outside: OutsideScores) -> ScoreTable:
    """Return a table of nothing but scores from elsewhere, without any metric yet.

    Systems and EVALs are in the order of the file.
    """
    evals: dict[str, list[str]] = {}
    for system, eval_id in outside.values:
        evals.setdefault(system, []).append(eval_id)
    systems = {system: SystemTable(system, tuple(ids), {}) for system, ids in evals.items()}
    return ScoreTable(systems, ())


def join_scores(
    table: ScoreTable, outside: Sequence[OutsideScores], beside: BesideOptions
) -> tuple[ScoreTable, list[str]]:
    """Join scores from elsewhere to a table, and fuse what is to be fused.

    Returns
    -------
    table : ScoreTable
    warnings : list of str
        What was left out.

    Raises
    ------
    OptionError
        If a metric is not there, is there twice, or cannot be fused.
    InputError
        All systems and EVALs that one side lacks; scores that are out of their scale.
    """
    if not (outside or beside.given()):
        return table, []
    warnings = [warning for one in outside for warning in one.warnings]
    cells = {system.id: system.eval_ids for system in table.systems.values()}
    kept, left_out = matched_cells(cells, outside, beside.unmatched)
    if left_out:
        table = _only(table, kept)
    given = outside_metrics([metric for one in outside for metric in one.metrics])
    metrics = checked_beside((*table.metrics, *given), replace(beside, fuse=()))
    _check_scales(outside, beside)
    joined = _with_columns(table, outside, metrics)
    for fusion in beside.fuse:
        joined = _with_fusion(joined, fusion)
    return joined, warnings + left_out


def _only(table: ScoreTable, kept: Cells) -> ScoreTable:
    """Return a table of some cells."""
    systems = {}
    for name, eval_ids in kept.items():
        wanted = frozenset(eval_ids)
        system = table.systems[name]
        rows = np.array([row for row, one in enumerate(system.eval_ids) if one in wanted], np.int64)
        systems[name] = system.take(rows)
    return replace(table, systems=systems)


def _with_columns(
    table: ScoreTable, outside: Sequence[OutsideScores], metrics: Sequence[ScoredMetric]
) -> ScoreTable:
    """Return a table with scores from elsewhere in columns behind its own."""
    by_name = {one.name: one for one in metrics}
    systems = {}
    for system in table.systems.values():
        columns = {
            name: replace(column, metric=by_name[name]) for name, column in system.columns.items()
        }
        for one in outside:
            rows = [one.values[system.id, eval_id] for eval_id in system.eval_ids]
            values = np.array(rows, np.float64).reshape(len(rows), len(one.metrics))
            for name, column in zip(one.metrics, values.T, strict=True):
                columns[name] = MetricColumn(by_name[name], column[np.newaxis].copy(), None)
        systems[system.id] = replace(system, columns=columns)
    return replace(table, systems=systems, metrics=tuple(metrics))


def _with_fusion(table: ScoreTable, fusion: Fusion) -> ScoreTable:
    """Return a table with a fused metric; raises OptionError and InputError."""
    metric = fused_metric(fusion, table.metrics)
    if metric.name.lower() in {one.name.lower() for one in table.metrics}:
        raise OptionError(f"--fuse: there is a metric {metric.name!r} already; give another NAME")
    keys = part_keys(fusion, {one.name: one for one in table.metrics})
    systems = {}
    for system in table.systems.values():
        parts = np.array([system.columns[name].row(key) for name, key in keys])
        if fusion.kind != "mean" and (parts < 0).any():
            term, place = np.argwhere(parts < 0)[0]
            raise InputError(
                f"--fuse: {str(fusion)!r}: {keys[term][0]} of system {system.id!r} in EVAL "
                f"{system.eval_ids[place]!r} is {parts[term, place]:g}; expected no score below 0 "
                f"for {fusion.kind}"
            )
        column = MetricColumn(metric, fused(fusion, parts)[np.newaxis], None)
        systems[system.id] = replace(system, columns={**system.columns, metric.name: column})
    return replace(table, systems=systems, metrics=(*table.metrics, metric))


def _check_scales(outside: Sequence[OutsideScores], beside: BesideOptions) -> None:
    """Refuse scores from elsewhere that are out of the scale that is declared for them."""
    declared = {one.metric.lower(): one for one in beside.scale}
    problems = [
        f"{one.name}: {metric} of system {system!r} in EVAL {eval_id!r} is {value:g}, expected "
        f"{scale.text} as --scale says"
        for one in outside
        for place, metric in enumerate(one.metrics)
        if (scale := declared.get(metric.lower())) is not None
        for (system, eval_id), values in one.values.items()
        if (value := values[place]) < scale.low or value > scale.high
    ]
    if problems:
        raise InputError(first_cells(problems))


def matched_cells(
    cells: Cells, outside: Sequence[OutsideScores], unmatched: str
) -> tuple[Cells, list[str]]:
    """Find out which systems and EVALs have scores everywhere.

    Parameters
    ----------
    cells : mapping of str to sequence of str
        The EVALs of each system of the run.
    unmatched : str
        ``"error"``, ``"skip"`` or ``"skip-cells"``.

    Returns
    -------
    kept : mapping of str to sequence of str
    warnings : list of str
        What is left out.

    Raises
    ------
    InputError
        All that is missing, unless it is to be skipped; or that nothing is left.
    """
    kept: dict[str, list[str]] = {system: list(ids) for system, ids in cells.items()}
    problems: list[str] = []
    for one in outside:
        found = list(_unmatched(cells, one))
        problems += found
        if found and unmatched != ERROR:
            kept = _kept(kept, one, unmatched)
    if problems and unmatched == ERROR:
        advice = "give what is missing, or leave it out with --unmatched skip or skip-cells"
        raise InputError([*first_cells(problems), advice])
    if problems and not any(kept.values()):
        raise InputError("nothing is left to report: no system and EVAL has all its scores")
    return kept, [f"{problem}; left out" for problem in first_cells(problems)]


def _kept(kept: Cells, outside: OutsideScores, unmatched: str) -> dict[str, list[str]]:
    """Leave out systems without any score, and EVALs or cells that lack one."""
    known = {system for system, _ in outside.values}
    complete = {cell for cell, numbers in outside.values.items() if not any(map(np.isnan, numbers))}
    systems = {system: ids for system, ids in kept.items() if system in known}
    if unmatched == SKIP:
        lacking = {
            eval_id
            for system, ids in systems.items()
            for eval_id in ids
            if (system, eval_id) not in complete
        }
        found = {system: [x for x in ids if x not in lacking] for system, ids in systems.items()}
    else:
        found = {
            system: [x for x in ids if (system, x) in complete] for system, ids in systems.items()
        }
    return {system: ids for system, ids in found.items() if ids}


def _unmatched(cells: Cells, outside: OutsideScores) -> Iterator[str]:
    """Word all that one side has and the other lacks; raises InputError if that is everything."""
    known: dict[str, set[str]] = {}
    for system, eval_id in outside.values:
        known.setdefault(system, set()).add(eval_id)
    common = [system for system in cells if system in known]
    _check_common(cells, known, common, outside.name)
    for system in cells:
        if system not in known:
            yield f"{outside.name}: no scores of system {system!r}"
    for system in () if outside.is_of_the_texts else in_byte_order(known):
        if system not in cells:
            yield f"{outside.name}: system {system!r} is not in the input"
    for system in common:
        own = frozenset(cells[system])
        for eval_id in cells[system]:
            yield from _missing(outside, system, eval_id)
        if not outside.is_of_the_texts:
            for eval_id in in_byte_order(known[system] - own):
                yield f"{outside.name}: EVAL {eval_id!r} of system {system!r} is not in the input"


def _missing(outside: OutsideScores, system: str, eval_id: str) -> Iterator[str]:
    """Word the scores that a cell lacks."""
    where = f"of system {system!r} in EVAL {eval_id!r}"
    numbers = outside.values.get((system, eval_id))
    if numbers is None:
        yield f"{outside.name}: no scores {where}"
        return
    for metric, number in zip(outside.metrics, numbers, strict=True):
        if np.isnan(number):
            yield f"{outside.name}: {metric} {where} is missing"


def _check_common(
    cells: Cells, known: Mapping[str, set[str]], common: Sequence[str], name: str
) -> None:
    """Refuse two sides that have no ID in common, which is one mistake and not many."""
    if not common:
        problem = "no system is in both: the input has {one}, the scores have {other}"
        raise InputError(nothing_common(problem, cells, known, name))
    evals = frozenset(one for system in common for one in cells[system])
    others = frozenset(one for system in common for one in known[system])
    if evals.isdisjoint(others):
        problem = "no EVAL is in both: the input has {one}, the scores have {other}"
        raise InputError(nothing_common(problem, evals, others, name))
