"""Score tables from files that an earlier run saved: read, checked, and put in order.

See `rouge_cli.scoring.saved_scores` for what the files hold.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import InputError, OptionError
from rouge_cli.escapes import escaped
from rouge_cli.inputs.source import Source, named_file, no_file
from rouge_cli.metrics.counts import Counts, ScoredMetric
from rouge_cli.options.every import Options
from rouge_cli.scoring.saved_scores import CLUSTER
from rouge_cli.scoring.score_parts import Key, ScorePart, has_header, many, read_part
from rouge_cli.scoring.score_table import MetricColumn, ScoreTable, SystemTable, byte_order

__all__ = ["LoadedScores", "is_saved", "load_scores", "saved_inputs"]

SUFFIXES = (".jsonl", ".parquet")


@dataclass(frozen=True, slots=True, eq=False)
class LoadedScores:
    """Scores that were read from files.

    Parameters
    ----------
    table : ScoreTable
    options : Options
        Those of the run that made them, as far as they move a score.
    warnings : tuple of str
        Of that run.
    """

    table: ScoreTable
    options: Options
    warnings: tuple[str, ...]


def is_saved(path: str) -> bool:
    """Say whether a file, or a folder of files, holds saved scores; False if it cannot be read."""
    try:
        names = _files(path)
        # A pipe can be read once, and by the layout that it is meant for.
        return bool(names) and os.path.isfile(names[0]) and has_header(names[0])
    except OSError:
        return False


def saved_inputs(source: Source) -> tuple[list[Source], str | None] | None:
    """Return the saved scores that are given, and the system to report; None for other inputs.

    Raises
    ------
    OptionError
        If texts stand beside saved scores, or a word is neither scores nor the only SYSTEM_ID.
    """
    if source.config is None:
        return None
    files, words = [], []
    for name, path in ((source.file_system, source.config), *map(named_file, source.others)):
        if is_saved(path):
            files.append(Source(path, file_system=name))
        else:
            words.append(path)
    if not files:
        return None
    mixed = [one for one in words if os.path.lexists(one) or one == source.config]
    if mixed:
        raise OptionError(
            f"{files[0].name} holds saved scores, and {escaped(mixed[0])} does not; give files of "
            "one kind"
        )
    if len(words) > 1 or (words and not source.takes_system):
        raise OptionError(no_file(words[0]))
    return files, words[0] if words else None


def load_scores(files: Sequence[Source]) -> LoadedScores:
    """Read saved scores and put them together.

    Parameters
    ----------
    files : sequence of Source
        Files, or folders of files, at least one. The name that the user gives to the system in a
        file takes the place of the one that it has there.

    Raises
    ------
    InputError
        If a file cannot be read or does not hold what it should, if files were scored in different
        ways, or if they have the same system and EVAL twice; the files are named.
    OptionError
        If several systems are to have one name.
    RougeError
        If one is Parquet and pyarrow is not installed.
    """
    parts = [part for file in files for part in _parts_of(file)]
    first = parts[0].header
    for part in parts[1:]:
        _check_alike(parts[0], part)
    metrics = tuple(
        ScoredMetric(one["name"], tuple(one["measures"]), one["scale"]) for one in first["metrics"]
    )
    options = replace(
        Options.of(first["options"]).changed(
            sentences=first["sentences"], cluster=first.get(CLUSTER)
        ),
        scored_as=first["scored_as"],
        is_original=first.get("is_original", False),
        explicit=frozenset(),
    )
    warnings = dict.fromkeys(warning for part in parts for warning in part.header["warnings"])
    return LoadedScores(_table(parts, metrics), options, tuple(warnings))


def _parts_of(file: Source) -> list[ScorePart]:
    """Read a file or the parts in a folder; raises OptionError, InputError and RougeError."""
    parts = [read_part(name) for name in _files(file.config or "")]
    name = file.file_system
    if name is None:
        return parts
    known = dict.fromkeys(one for part in parts for one in part.header["systems"])
    if len(known) > 1:
        raise OptionError(
            f"{name}={file.name}: there are several systems, {', '.join(map(escaped, known))}; "
            "NAME=FILE is for scores of one"
        )
    return [
        replace(part, systems=[name] * len(part.systems), header={**part.header, "systems": [name]})
        for part in parts
    ]


def _files(path: str) -> list[str]:
    """Return a file, or the saved scores in a folder by name, but for hidden ones."""
    if not os.path.isdir(path):
        return [path]
    names = sorted(name for name in os.listdir(path) if name.endswith(SUFFIXES))
    return [os.path.join(path, name) for name in names if not name.startswith((".", "_"))]


def _check_alike(first: ScorePart, other: ScorePart) -> None:
    """Refuse files that were scored in different ways; raises InputError."""
    for key in ("scored_as", "options", "metrics", "sentences", CLUSTER):
        if first.header.get(key) != other.header.get(key):
            raise InputError(
                f"{escaped(first.name)} and {escaped(other.name)} were not scored in the same way: "
                f"{first.header['signature']} and {other.header['signature']}; report each alone"
            )


def _table(parts: Sequence[ScorePart], metrics: Sequence[ScoredMetric]) -> ScoreTable:
    """Put the rows of all files into a table; raises InputError for what is there twice."""
    n_rows = [len(part.systems) for part in parts]
    origins = np.repeat(np.arange(len(parts)), n_rows)
    rows: dict[str, dict[str, int]] = {
        system: {} for part in parts for system in part.header["systems"]
    }
    eval_ids = [one for part in parts for one in part.eval_ids]
    twice: list[tuple[str, str, int, int]] = []
    for row, system in enumerate(one for part in parts for one in part.systems):
        earlier = rows.setdefault(system, {}).setdefault(eval_ids[row], row)
        if earlier != row:
            twice.append((system, eval_ids[row], int(origins[earlier]), int(origins[row])))
    if twice:
        raise InputError(_repeated(parts, twice))
    _check_complete(parts, rows)
    joined = {
        key: np.concatenate([part.columns[key] for part in parts]) for key in parts[0].columns
    }
    placed = [part.positions for part in parts if part.positions is not None]
    positions = np.concatenate(placed) if len(placed) == len(parts) else None
    systems = {}
    for system, by_eval in rows.items():
        order = _order(system, by_eval, positions)
        columns = {metric.name: _column(metric, joined, order) for metric in metrics}
        ids = tuple(eval_ids[row] for row in order.tolist())
        systems[system] = SystemTable(system, ids, columns)
    return ScoreTable(systems, tuple(metrics), _clusters(parts))


def _check_complete(parts: Sequence[ScorePart], rows: Mapping[str, Mapping[str, int]]) -> None:
    """Refuse systems that a header names and no row is of; raises InputError."""
    named = {system: part.name for part in reversed(parts) for system in part.header["systems"]}
    lost = [
        f"{escaped(named[system])}: no EVAL of system {escaped(system)}, which its header names; "
        "the file was cut short, or a part of the scores is missing"
        for system, by_eval in rows.items()
        if not by_eval
    ]
    if lost:
        raise InputError(lost)


def _clusters(parts: Sequence[ScorePart]) -> dict[str, str]:
    """Return the cluster of each EVAL, if there are any; raises InputError where one has two."""
    found: dict[str, str] = {}
    if parts[0].header.get(CLUSTER) is None:
        return found
    for part in parts:
        for eval_id, cluster in zip(part.eval_ids, part.clusters, strict=True):
            if not isinstance(cluster, str) or found.setdefault(eval_id, cluster) != cluster:
                raise InputError(
                    f"{escaped(part.name)}: EVAL {escaped(eval_id)} is in cluster {cluster!r}; "
                    f"expected the same string for every system: {found.get(eval_id)!r}"
                )
    return found


def _repeated(parts: Sequence[ScorePart], twice: Sequence[tuple[str, str, int, int]]) -> str:
    """Say which systems and EVALs are there twice, and in which files."""
    cells = [
        f"system {escaped(system)}, EVAL {escaped(eval_id)}" for system, eval_id, _, _ in twice
    ]
    _, _, one, other = twice[0]
    names = dict.fromkeys((escaped(parts[one].name), escaped(parts[other].name)))
    return many(f"{' and '.join(names)} have the same scores twice", cells)


def _order(
    system: str, by_eval: Mapping[str, int], positions: NDArray[np.int64] | None
) -> NDArray[np.int64]:
    """Return the rows of a system by position, or by the IDs of the EVALs if these do not tell."""
    rows = np.fromiter(by_eval.values(), np.int64, len(by_eval))
    if positions is not None and np.unique(positions[rows]).size == rows.size:
        return rows[np.argsort(positions[rows])]
    return rows[byte_order(list(by_eval), system)]


def _column(
    metric: ScoredMetric, joined: Mapping[Key, NDArray[Any]], rows: NDArray[np.int64]
) -> MetricColumn:
    """Return the scores of a system in a metric."""
    values = [joined[metric.name, letter][rows].astype(np.float64) for letter in metric.measures]
    counts = {
        key: array[rows]
        for (name, key), array in joined.items()
        if name == metric.name and key not in metric.measures
    }
    return MetricColumn(metric, np.array(values), Counts(**counts) if counts else None)
