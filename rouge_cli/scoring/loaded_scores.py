"""Score tables from files that an earlier run saved: read, checked, and put in order.

See `rouge_cli.scoring.saved_scores` for what the files hold.
"""

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import InputError, OptionError
from rouge_cli.escapes import escaped
from rouge_cli.inputs.source import Source, named_file, no_file
from rouge_cli.metrics.counts import Counts, ScoredMetric
from rouge_cli.options.every import Options
from rouge_cli.scoring.saved_scores import CLUSTER, FORMAT, HEADER, SEPARATOR, import_pyarrow
from rouge_cli.scoring.score_table import MetricColumn, ScoreTable, SystemTable, byte_order

__all__ = ["LoadedScores", "is_saved", "load_scores", "saved_inputs"]

OPENING = f'{{"{HEADER}"'.encode()
SUFFIXES = (".jsonl", ".parquet")
LARGEST_FOOTER = 1 << 20
MOST_SHOWN = 3

Key = tuple[str, str]
"""The name of a metric, and that of one of its counts or measures."""


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


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """The rows of one file.

    Parameters
    ----------
    name : str
        Of the file, for messages.
    header : mapping
    systems, eval_ids : list of str
        Of each row.
    clusters : list of str or None
        Of each row, where EVALs have clusters.
    positions : ndarray of int64, shape (n_rows,), or None
        Where the EVAL stood among those of its system; None if some row does not say.
    columns : dict of Key to ndarray, shape (n_rows,)
    """

    name: str
    header: Mapping[str, Any]
    systems: list[str]
    eval_ids: list[str]
    clusters: list[str | None]
    positions: NDArray[np.int64] | None
    columns: dict[Key, NDArray[Any]]


def is_saved(path: str) -> bool:
    """Say whether a file, or a folder of files, holds saved scores; False if it cannot be read."""
    try:
        names = _files(path)
        # A pipe can be read once, and by the layout that it is meant for.
        return bool(names) and os.path.isfile(names[0]) and _has_header(names[0])
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


def _parts_of(file: Source) -> list[_Part]:
    """Read a file or the parts in a folder; raises OptionError, InputError and RougeError."""
    parts = [_read_part(name) for name in _files(file.config or "")]
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


def _has_header(name: str) -> bool:
    """Say whether a file begins, or its schema ends, as saved scores do."""
    with open(name, "rb") as file:
        if not name.endswith(".parquet"):
            return file.read(len(OPENING)) == OPENING
        file.seek(max(0, os.path.getsize(name) - LARGEST_FOOTER))
        return HEADER.encode() in file.read()


def _read_part(name: str) -> _Part:
    """Read one file; raises InputError and RougeError."""
    try:
        part = _read_parquet(name) if name.endswith(".parquet") else _read_lines(name)
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"{escaped(name)}: cannot be read as saved scores: {reason}") from None
    if odd := [one for one in (*part.systems, *part.eval_ids) if not isinstance(one, str)]:
        raise InputError(
            f"{escaped(name)}: found {odd[0]!r} as a system or EVAL, expected a string"
        )
    return part


def _read_lines(name: str) -> _Part:
    """Read a file of JSON lines; raises InputError that names the lines that cannot be used."""
    with open(name, encoding="utf-8") as file:
        header, keys = _checked_header(name, json.loads(file.readline())[HEADER])
        read = [_row(line, keys) for line in file]
    problems = [f"line {k}: {row}" for k, row in enumerate(read, 2) if isinstance(row, str)]
    if problems:
        raise InputError(_many(f"{escaped(name)}: lines that are no saved scores", problems))
    rows = [row for row in read if not isinstance(row, str)]
    systems, eval_ids, clusters, positions, *columns = (
        map(list, zip(*rows, strict=True)) if rows else ([] for _ in range(4 + len(keys)))
    )
    placed = None if None in positions else np.array(positions, np.int64)
    arrays = {key: _array(values) for key, values in zip(keys, columns, strict=True)}
    return _Part(name, header, systems, eval_ids, clusters, placed, arrays)


def _row(line: str, keys: Iterable[Key]) -> tuple[Any, ...] | str:
    """Return system, EVAL, cluster, position and numbers of a line, or what is wrong with it."""
    try:
        row = json.loads(line)
        values = [_number(row[metric][key]) for metric, key in keys]
        return (row["system"], row["eval"], row.get(CLUSTER), row.get("position"), *values)
    except (ValueError, KeyError, TypeError) as error:
        return _reason(error)


def _read_parquet(name: str) -> _Part:
    """Read a Parquet file; raises InputError and RougeError."""
    pyarrow, parquet = import_pyarrow(name)
    try:
        found = parquet.read_table(name)
        header, keys = _checked_header(name, json.loads(found.schema.metadata[HEADER.encode()]))
        columns = {key: _parquet_array(found[SEPARATOR.join(key)]) for key in keys}
        systems, eval_ids = found["system"].to_pylist(), found["eval"].to_pylist()
        clusters: list[str | None] = [None] * len(systems)
        if CLUSTER in found.column_names:
            clusters = found[CLUSTER].to_pylist()
    except (pyarrow.ArrowException, KeyError, TypeError, ValueError) as error:
        raise InputError(f"{escaped(name)}: no saved scores: {_reason(error)}") from None
    has_positions = "position" in found.column_names and not found["position"].null_count
    positions = found["position"].to_numpy().astype(np.int64) if has_positions else None
    return _Part(name, header, systems, eval_ids, clusters, positions, columns)


def _checked_header(name: str, header: Any) -> tuple[Mapping[str, Any], list[Key]]:
    """Return the header of a file and the columns that it promises; raises InputError."""
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        found = header.get("format") if isinstance(header, dict) else header
        raise InputError(
            f"{escaped(name)}: saved scores of format {found!r}, expected {FORMAT}; they come from "
            "another version of this program"
        )
    keys = [
        (one["name"], key)
        for one in header["metrics"]
        for key in (*one["counts"], *one["measures"])
    ]
    return header, keys


def _number(value: Any) -> float:
    """Return a finite number as it is; raises ValueError."""
    if type(value) is int or (type(value) is float and np.isfinite(value)):
        return float(value) if isinstance(value, float) else value
    raise ValueError(f"found {value!r}, expected a number")


def _parquet_array(column: Any) -> NDArray[Any]:
    """Return a column of finite numbers, or of numbers that are written as text."""
    values = column.to_numpy()
    if values.dtype.kind not in "iuf":
        return _array([_number(json.loads(one)) for one in column.to_pylist()])
    if column.null_count or not np.isfinite(values).all():
        raise ValueError(f"{column.null_count or 'some'} values are missing or not finite")
    numbers: NDArray[Any] = values.astype(np.float64 if values.dtype.kind == "f" else np.int64)
    return numbers


def _array(numbers: Sequence[float]) -> NDArray[Any]:
    """Return numbers as an array of int64 or float64; of object if mixed, or beyond 63 bits."""
    if all(isinstance(number, float) for number in numbers):
        return np.array(numbers, np.float64)
    is_small = all(isinstance(number, int) and abs(number) < 1 << 63 for number in numbers)
    return np.array(numbers, np.int64 if is_small else object)


def _reason(error: Exception) -> str:
    """Return what is wrong, in words."""
    return f"no {error}" if isinstance(error, KeyError) else str(error)


def _many(what: str, items: Sequence[str]) -> str:
    """Return many problems of a kind as one: a count and the first few."""
    more = f", and {len(items) - MOST_SHOWN} more" if len(items) > MOST_SHOWN else ""
    return f"{what}: {', '.join(items[:MOST_SHOWN])}{more}"


def _check_alike(first: _Part, other: _Part) -> None:
    """Refuse files that were scored in different ways; raises InputError."""
    for key in ("scored_as", "options", "metrics", "sentences", CLUSTER):
        if first.header.get(key) != other.header.get(key):
            raise InputError(
                f"{escaped(first.name)} and {escaped(other.name)} were not scored in the same way: "
                f"{first.header['signature']} and {other.header['signature']}; report each alone"
            )


def _table(parts: Sequence[_Part], metrics: Sequence[ScoredMetric]) -> ScoreTable:
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


def _clusters(parts: Sequence[_Part]) -> dict[str, str]:
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


def _repeated(parts: Sequence[_Part], twice: Sequence[tuple[str, str, int, int]]) -> str:
    """Say which systems and EVALs are there twice, and in which files."""
    cells = [
        f"system {escaped(system)}, EVAL {escaped(eval_id)}" for system, eval_id, _, _ in twice
    ]
    _, _, one, other = twice[0]
    names = dict.fromkeys((escaped(parts[one].name), escaped(parts[other].name)))
    return _many(f"{' and '.join(names)} have the same scores twice", cells)


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
