"""One file of saved scores, read and checked; `rouge_cli.scoring.saved_scores` writes them."""

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import InputError
from rouge_cli.escapes import escaped
from rouge_cli.options.requirements import MEASURE_NAMES
from rouge_cli.scoring.saved_scores import (
    CLUSTER,
    FORMAT,
    HEADER,
    INFINITE,
    SEPARATOR,
    import_pyarrow,
)

__all__ = ["Key", "ScorePart", "has_header", "many", "read_part"]

OPENING = f'{{"{HEADER}"'.encode()
LARGEST_FOOTER = 1 << 20
MOST_SHOWN = 3

Key = tuple[str, str]
"""The name of a metric, and that of one of its counts or measures."""


@dataclass(frozen=True, slots=True, eq=False)
class ScorePart:
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


def has_header(name: str) -> bool:
    """Say whether a file begins, or its schema ends, as saved scores do."""
    with open(name, "rb") as file:
        if not name.endswith(".parquet"):
            return file.read(len(OPENING)) == OPENING
        file.seek(max(0, os.path.getsize(name) - LARGEST_FOOTER))
        return HEADER.encode() in file.read()


def read_part(name: str) -> ScorePart:
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


def _read_lines(name: str) -> ScorePart:
    """Read a file of JSON lines; raises InputError that names the lines that cannot be used."""
    with open(name, encoding="utf-8") as file:
        first = file.readline()
        try:
            header, keys = _checked_header(name, json.loads(first)[HEADER])
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(
                f"{escaped(name)}: line 1: no header of saved scores: {_reason(error)}"
            ) from None
        read = [_row(line, keys) for line in file]
    problems = [f"line {k}: {row}" for k, row in enumerate(read, 2) if isinstance(row, str)]
    if problems:
        raise InputError(many(f"{escaped(name)}: lines that are no saved scores", problems))
    rows = [row for row in read if not isinstance(row, str)]
    systems, eval_ids, clusters, positions, *columns = (
        map(list, zip(*rows, strict=True)) if rows else ([] for _ in range(4 + len(keys)))
    )
    placed = None if None in positions else np.array(positions, np.int64)
    arrays = {key: _array(values) for key, values in zip(keys, columns, strict=True)}
    return ScorePart(name, header, systems, eval_ids, clusters, placed, arrays)


def _row(line: str, keys: Iterable[Key]) -> tuple[Any, ...] | str:
    """Return system, EVAL, cluster, position and numbers of a line, or what is wrong with it."""
    try:
        row = json.loads(line)
        values = [_number(row[metric][key], key) for metric, key in keys]
        position = row.get("position")
        if position is not None and type(position) is not int:
            raise ValueError(f"found {position!r} as a position, expected a whole number")
        return (row["system"], row["eval"], row.get(CLUSTER), position, *values)
    except (ValueError, KeyError, TypeError) as error:
        return _reason(error)


def _read_parquet(name: str) -> ScorePart:
    """Read a Parquet file; raises InputError and RougeError."""
    pyarrow, parquet = import_pyarrow(name)
    try:
        found = parquet.read_table(name)
        header, keys = _checked_header(name, json.loads(found.schema.metadata[HEADER.encode()]))
        columns = {key: _parquet_array(found[SEPARATOR.join(key)], key[1]) for key in keys}
        systems, eval_ids = found["system"].to_pylist(), found["eval"].to_pylist()
        clusters: list[str | None] = [None] * len(systems)
        if CLUSTER in found.column_names:
            clusters = found[CLUSTER].to_pylist()
    except (pyarrow.ArrowException, KeyError, TypeError, ValueError) as error:
        raise InputError(f"{escaped(name)}: no saved scores: {_reason(error)}") from None
    has_positions = "position" in found.column_names and not found["position"].null_count
    positions = found["position"].to_numpy().astype(np.int64) if has_positions else None
    return ScorePart(name, header, systems, eval_ids, clusters, positions, columns)


def _checked_header(name: str, header: Any) -> tuple[Mapping[str, Any], list[Key]]:
    """Return the header of a file and the columns that it promises; raises InputError."""
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        found = header.get("format") if isinstance(header, dict) else header
        raise InputError(
            f"{escaped(name)}: saved scores of format {found!r}, expected {FORMAT}; they come from "
            "another version of this program"
        )
    for key in ("signature", "scored_as", "options", "sentences", "systems", "warnings"):
        if key not in header:
            raise KeyError(key)
    keys = [
        (one["name"], key)
        for one in header["metrics"]
        for key in (*one["counts"], *one["measures"])
    ]
    return header, keys


def _number(value: Any, name: str) -> float:
    """Return a count or measure as it is; only a count may be infinite; raises ValueError."""
    if value == INFINITE and name not in MEASURE_NAMES:
        return np.inf
    if type(value) is int or (type(value) is float and np.isfinite(value)):
        return float(value) if isinstance(value, float) else value
    raise ValueError(f"found {value!r}, expected a number")


def _parquet_array(column: Any, name: str) -> NDArray[Any]:
    """Return a column of numbers, or of numbers that are written as text; raises ValueError."""
    values = column.to_numpy()
    if values.dtype.kind not in "iuf":
        texts = column.to_pylist()
        return _array([_number(one if one == INFINITE else json.loads(one), name) for one in texts])
    is_bad = ~np.isfinite(values) if name in MEASURE_NAMES else np.isnan(values)
    if column.null_count or is_bad.any():
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


def many(what: str, items: Sequence[str]) -> str:
    """Return many problems of a kind as one: a count and the first few."""
    more = f", and {len(items) - MOST_SHOWN} more" if len(items) > MOST_SHOWN else ""
    return f"{what}: {', '.join(items[:MOST_SHOWN])}{more}"
