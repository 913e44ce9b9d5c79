"""Files of saved scores: their headers, and their rows, some at a time.

See `rouge_cli.scoring.saved_scores` for what the files hold.
"""

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import InputError, OptionError
from rouge_cli.escapes import escaped
from rouge_cli.inputs.source import Source
from rouge_cli.options.requirements import MEASURE_NAMES
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.scoring.json_reports import has_report, read_report
from rouge_cli.scoring.saved_scores import (
    CLUSTER,
    ERRORS,
    FORMAT,
    HEADER,
    HEADER_FILE,
    INFINITE,
    SEPARATOR,
    import_pyarrow,
)
from rouge_cli.scoring.score_rows import FailedRow, Key, PartRows, many, number_array

__all__ = ["ScoreFile", "has_header", "opened_files", "score_files"]

OPENING = f'{{"{HEADER}"'.encode()
SUFFIXES = (".jsonl", ".parquet", ".json")
LARGEST_FOOTER = 1 << 20
ROWS_AT_A_TIME = 1 << 16
CHUNK = 1 << 20


@dataclass(frozen=True, slots=True, eq=False)
class ScoreFile:
    """A file of saved scores whose header has been read.

    Parameters
    ----------
    given : int
        Number of the input that it belongs to.
    system : str or None
        The name that the user gives to its only system.
    report : PartRows or None
        All rows, where the file is a JSON report.
    """

    name: str
    given: int
    system: str | None
    header: Mapping[str, Any]
    report: PartRows | None = None

    @property
    def keys(self) -> list[Key]:
        """The columns that the header promises."""
        return [
            (one["name"], key)
            for one in self.header["metrics"]
            for key in (*one["counts"], *one.get("statistics", ()), *one["measures"])
        ]

    @property
    def systems(self) -> list[str]:
        """The systems that the header names."""
        return self.header["systems"] if self.system is None else [self.system]

    def n_rows(self) -> int:
        """Return how many rows there are, at most; raises InputError and RougeError."""
        if self.report is not None:
            return len(self.report.systems)
        try:
            if self.name.endswith(".parquet"):
                _, parquet = import_pyarrow(self.name)
                return int(parquet.read_metadata(self.name).num_rows)
            with open(self.name, "rb") as file:
                # The last line may have no newline.
                return 1 + sum(block.count(b"\n") for block in iter(lambda: file.read(CHUNK), b""))
        except OSError as error:
            raise InputError(_unreadable(self.name, error)) from None

    def parts(self) -> Iterator[PartRows]:
        """Read the rows, some at a time; raises InputError and OptionError."""
        names: set[str] = set()
        try:
            for part in self._read():
                if odd := [x for x in (*part.systems, *part.eval_ids) if not isinstance(x, str)]:
                    raise InputError(
                        f"{escaped(self.name)}: found {odd[0]!r} as a system or EVAL, expected a "
                        "string"
                    )
                if self.system is None:
                    yield part
                    continue
                names |= set(part.systems)
                _check_one_system(self.system, self.name, sorted(names))
                yield replace(part, systems=[self.system] * len(part.systems))
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(_unreadable(self.name, error)) from None

    def _read(self) -> Iterator[PartRows]:
        """Read the rows by the kind of the file."""
        if self.report is not None:
            return iter((self.report,))
        return _parquet_parts(self) if self.name.endswith(".parquet") else _line_parts(self)


def opened_files(file: Source, given: int) -> list[ScoreFile]:
    """Read the header of a file, or of the parts in a folder; raises OptionError, InputError."""
    path = file.config or ""
    common = _common_header(path)
    opened = [_opened(name, given, file.file_system, common) for name in score_files(path)]
    if file.file_system is not None:
        known = dict.fromkeys(system for one in opened for system in one.header["systems"])
        _check_one_system(file.file_system, file.name, list(known))
    return opened


def _opened(name: str, given: int, system: str | None, common: Any) -> ScoreFile:
    """Read the header of a file, or all of a JSON report; raises InputError and RougeError."""
    try:
        is_report = has_report(name)
    except OSError as error:
        raise InputError(_unreadable(name, error)) from None
    if is_report:
        return ScoreFile(name, given, system, *read_report(name))
    return ScoreFile(name, given, system, _checked_header(name, common or _header(name)))


def _check_one_system(name: str, file: str, known: Sequence[str]) -> None:
    """Refuse one name for several systems; raises OptionError."""
    if len(known) > 1:
        raise OptionError(
            f"{name}={file}: there are several systems, {', '.join(map(escaped, known))}; "
            "NAME=FILE is for scores of one"
        )


def score_files(path: str) -> list[str]:
    """Return a file, or the saved scores in a folder by name, but for hidden ones."""
    if not os.path.isdir(path):
        return [path]
    names = sorted(name for name in os.listdir(path) if name.endswith(SUFFIXES))
    return [os.path.join(path, name) for name in names if not name.startswith((".", "_"))]


def has_header(name: str) -> bool:
    """Say whether a file begins, or its schema ends, as saved scores do."""
    with open(name, "rb") as file:
        if not name.endswith(".parquet"):
            return file.read(len(OPENING)) == OPENING
        file.seek(max(0, os.path.getsize(name) - LARGEST_FOOTER))
        return HEADER.encode() in file.read()


def _unreadable(name: str, error: Exception) -> str:
    """Say why a file cannot be read."""
    reason = getattr(error, "strerror", None) or str(error)
    return f"{escaped(name)}: cannot be read as saved scores: {reason}"


def _common_header(folder: str) -> Any:
    """Return the header that all parts in a folder share; None if each has one of its own."""
    path = os.path.join(folder, HEADER_FILE)
    return _header(path) if os.path.isfile(path) else None


def _header(name: str) -> Any:
    """Read the header of a file; raises InputError and RougeError."""
    try:
        if name.endswith(".parquet"):
            return _parquet_header(name)
        with open(name, encoding="utf-8") as file:
            return json.loads(file.readline())[HEADER]
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(_unreadable(name, error)) from None
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(_no_header(name, error)) from None


def _no_header(name: str, error: Exception) -> str:
    """Say what a header lacks."""
    if name.endswith(".parquet"):
        return f"{escaped(name)}: no saved scores: {_reason(error)}"
    return f"{escaped(name)}: line 1: no header of saved scores: {_reason(error)}"


def _parquet_header(name: str) -> Any:
    """Read the header of a Parquet file; raises InputError and RougeError."""
    pyarrow, parquet = import_pyarrow(name)
    try:
        return json.loads(parquet.read_schema(name).metadata[HEADER.encode()])
    except (pyarrow.ArrowException, KeyError, TypeError, ValueError) as error:
        raise InputError(f"{escaped(name)}: no saved scores: {_reason(error)}") from None


def _line_parts(file: ScoreFile) -> Iterator[PartRows]:
    """Read JSON lines; raises InputError that names the lines that cannot be used."""
    keys, problems = file.keys, []
    # Where the parts of a folder share a header, a file may have none of its own.
    n_before = int(has_header(file.name))
    with open(file.name, encoding="utf-8") as lines:
        numbered = islice(enumerate(lines, 1), n_before, None)
        while some := list(islice(numbered, ROWS_AT_A_TIME)):
            read = [(number, _row(line, keys)) for number, line in some]
            problems += [f"line {number}: {row}" for number, row in read if isinstance(row, str)]
            failed = [row for _, row in read if isinstance(row, FailedRow)]
            rows = [row for _, row in read if isinstance(row, tuple)]
            if not problems:
                yield _part_of_rows(file, rows, failed)
    if problems:
        raise InputError(many(f"{escaped(file.name)}: lines that are no saved scores", problems))


def _part_of_rows(
    file: ScoreFile, rows: Sequence[tuple[Any, ...]], failed: Sequence[FailedRow]
) -> PartRows:
    """Turn rows into columns."""
    systems, eval_ids, clusters, positions, *columns = (
        map(list, zip(*rows, strict=True)) if rows else ([] for _ in range(4 + len(file.keys)))
    )
    has_clusters = file.header.get(CLUSTER) is not None
    placed = None if None in positions else np.array(positions, np.int64)
    arrays = {key: number_array(values) for key, values in zip(file.keys, columns, strict=True)}
    return PartRows(
        file.name, systems, eval_ids, clusters if has_clusters else None, placed, arrays, failed
    )


def _row(line: str, keys: Iterable[Key]) -> tuple[Any, ...] | FailedRow | str:
    """Return system, EVAL, cluster, position and numbers of a line, or what is wrong with it."""
    try:
        row = json.loads(line)
        if row.get(ERRORS) is not None:
            return FailedRow(row["system"], row["eval"], str(row[ERRORS]))
        values = [_number(row[metric][key], key) for metric, key in keys]
        position = row.get("position")
        if position is not None and type(position) is not int:
            raise ValueError(f"found {position!r} as a position, expected a whole number")
        return (row["system"], row["eval"], row.get(CLUSTER), position, *values)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        return _reason(error)


def _parquet_parts(file: ScoreFile) -> Iterator[PartRows]:
    """Read a Parquet file; raises InputError and RougeError."""
    pyarrow, parquet = import_pyarrow(file.name)
    try:
        with parquet.ParquetFile(file.name) as opened:
            # No threads: processes may be forked later.
            for batch in opened.iter_batches(ROWS_AT_A_TIME, use_threads=False):
                yield _part_of_batch(file, batch)
    except (pyarrow.ArrowException, KeyError, TypeError, ValueError) as error:
        raise InputError(f"{escaped(file.name)}: no saved scores: {_reason(error)}") from None


def _part_of_batch(file: ScoreFile, batch: Any) -> PartRows:
    """Turn a batch of Arrow into rows."""
    failed: list[FailedRow] = []
    if ERRORS in batch.schema.names:
        errors = batch[ERRORS]
        bad = batch.select(["system", "eval", ERRORS]).filter(errors.is_valid())
        failed = [FailedRow(*row.values()) for row in bad.to_pylist()]
        batch = batch.filter(errors.is_null())
    names = batch.schema.names
    columns = {key: _parquet_array(batch[SEPARATOR.join(key)], key[1]) for key in file.keys}
    has_positions = "position" in names and not batch["position"].null_count
    positions = batch["position"].to_numpy().astype(np.int64) if has_positions else None
    clusters = None
    if file.header.get(CLUSTER) is not None:
        clusters = batch[CLUSTER].to_pylist() if CLUSTER in names else [None] * batch.num_rows
    systems, eval_ids = batch["system"].to_pylist(), batch["eval"].to_pylist()
    return PartRows(file.name, systems, eval_ids, clusters, positions, columns, failed)


def _checked_header(name: str, header: Any) -> Mapping[str, Any]:
    """Return the header of a file; raises InputError if it is none, or of another version."""
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        found = header.get("format") if isinstance(header, dict) else header
        raise InputError(
            f"{escaped(name)}: saved scores of format {found!r}, expected {FORMAT}; they come from "
            "another version of this program"
        )
    try:
        for key in ("signature", "scored_as", "options", "sentences", "systems", "warnings"):
            header[key]
        for one in header["metrics"]:
            _ = (one["name"], *one["counts"], *one.get("statistics", ()), *one["measures"])
    except (KeyError, TypeError) as error:
        raise InputError(_no_header(name, error)) from None
    return header


def _number(value: Any, name: str) -> float:
    """Return a count or measure as it is; only a count may be infinite; raises ValueError."""
    if value == INFINITE and name not in MEASURE_NAMES:
        return np.inf
    if type(value) is int or (type(value) is float and np.isfinite(value)):
        return float(value) if isinstance(value, float) else value
    raise ValueError(f"found {value!r}, expected a number")


def _parquet_array(column: Any, name: str) -> NDArray[Any]:
    """Return a column of numbers, or of numbers that are written as text; raises ValueError."""
    values = column.to_numpy(zero_copy_only=False)
    if values.dtype.kind not in "iuf":
        texts = column.to_pylist()
        return number_array(
            [_number(one if one == INFINITE else json.loads(one), name) for one in texts]
        )
    is_bad = ~np.isfinite(values) if name in MEASURE_NAMES else np.isnan(values)
    if column.null_count or is_bad.any():
        raise ValueError(f"{column.null_count or 'some'} values are missing or not finite")
    numbers: NDArray[Any] = values.astype(np.float64 if values.dtype.kind == "f" else np.int64)
    return numbers


def _reason(error: Exception) -> str:
    """Return what is wrong, in words."""
    return f"no {error}" if isinstance(error, KeyError) else str(error)
