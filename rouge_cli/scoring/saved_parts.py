"""One file of saved scores, read and checked by itself.

See `rouge_cli.scoring.saved_scores` for what the files hold. A JSON report with the scores of each
EVAL is read as one of them.
"""

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import InputError
from rouge_cli.escapes import escaped
from rouge_cli.scoring.json_reports import is_report, read_report
from rouge_cli.scoring.saved_scores import (
    CLUSTER,
    FORMAT,
    HEADER,
    SEPARATOR,
    Key,
    SavedPart,
    import_pyarrow,
    number_array,
)

__all__ = ["has_header", "many", "read_part"]

OPENING = f'{{"{HEADER}"'.encode()
LARGEST_FOOTER, LONGEST_START = 1 << 20, 1 << 10
MOST_SHOWN = 3


def has_header(name: str) -> bool:
    """Say whether a file begins, or its schema ends, as saved scores do; or is a JSON report."""
    with open(name, "rb") as file:
        if not name.endswith(".parquet"):
            start = file.read(LONGEST_START)
            return start.startswith(OPENING) or is_report(start)
        file.seek(max(0, os.path.getsize(name) - LARGEST_FOOTER))
        return HEADER.encode() in file.read()


def read_part(name: str) -> SavedPart:
    """Read one file; raises InputError and RougeError."""
    try:
        part = _read_parquet(name) if name.endswith(".parquet") else _read_text(name)
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"{escaped(name)}: cannot be read as saved scores: {reason}") from None
    if odd := [one for one in (*part.systems, *part.eval_ids) if not isinstance(one, str)]:
        raise InputError(
            f"{escaped(name)}: found {odd[0]!r} as a system or EVAL, expected a string"
        )
    return part


def _read_text(name: str) -> SavedPart:
    """Read JSON lines or a JSON report; raises InputError."""
    with open(name, "rb") as file:
        if is_report(file.read(LONGEST_START)):
            file.seek(0)
            return read_report(name, file.read())
    return _read_lines(name)


def _read_lines(name: str) -> SavedPart:
    """Read a file of JSON lines; raises InputError that names the lines that cannot be used."""
    with open(name, encoding="utf-8") as file:
        header, keys = _checked_header(name, json.loads(file.readline())[HEADER])
        read = [_row(line, keys) for line in file]
    problems = [f"line {k}: {row}" for k, row in enumerate(read, 2) if isinstance(row, str)]
    if problems:
        raise InputError(many(f"{escaped(name)}: lines that are no saved scores", problems))
    rows = [row for row in read if not isinstance(row, str)]
    systems, eval_ids, clusters, positions, *columns = (
        map(list, zip(*rows, strict=True)) if rows else ([] for _ in range(4 + len(keys)))
    )
    placed = None if None in positions else np.array(positions, np.int64)
    arrays = {key: number_array(values) for key, values in zip(keys, columns, strict=True)}
    return SavedPart(name, header, systems, eval_ids, clusters, placed, arrays)


def _row(line: str, keys: Iterable[Key]) -> tuple[Any, ...] | str:
    """Return system, EVAL, cluster, position and numbers of a line, or what is wrong with it."""
    try:
        row = json.loads(line)
        values = [_number(row[metric][key]) for metric, key in keys]
        return (row["system"], row["eval"], row.get(CLUSTER), row.get("position"), *values)
    except (ValueError, KeyError, TypeError) as error:
        return _reason(error)


def _read_parquet(name: str) -> SavedPart:
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
    return SavedPart(name, header, systems, eval_ids, clusters, positions, columns)


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
        for key in (*one["counts"], *one.get("statistics", ()), *one["measures"])
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
        return number_array([_number(json.loads(one)) for one in column.to_pylist()])
    if column.null_count or not np.isfinite(values).all():
        raise ValueError(f"{column.null_count or 'some'} values are missing or not finite")
    numbers: NDArray[Any] = values.astype(np.float64 if values.dtype.kind == "f" else np.int64)
    return numbers


def _reason(error: Exception) -> str:
    """Return what is wrong, in words."""
    return f"no {error}" if isinstance(error, KeyError) else str(error)


def many(what: str, items: Sequence[str]) -> str:
    """Return many problems of a kind as one: a count and the first few."""
    more = f", and {len(items) - MOST_SHOWN} more" if len(items) > MOST_SHOWN else ""
    return f"{what}: {', '.join(items[:MOST_SHOWN])}{more}"
