"""CSV, TSV and Parquet to rows; Parquet needs pyarrow, an extra."""

import csv
import io
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import starmap
from typing import Any, BinaryIO, cast

from rouge_cli.errors import InputError, missing_package
from rouge_cli.escapes import escaped
from rouge_cli.inputs.decoding import MAX_RECORD, too_long
from rouge_cli.inputs.files import (
    MEGABYTE,
    FileState,
    check_growth,
    input_name,
    is_compressed,
    open_again,
    unchanged,
)
from rouge_cli.inputs.records.rows import Row, RowProblem, choose_fields
from rouge_cli.options.inputs import InputOptions

LONGEST_FIELD = 2**31 - 1
"""The largest limit that the csv module takes on every system; practically none."""

_NEVER_CLOSED = (
    'a quote that is never closed; expected "..." around a field, and "" for a quote within'
)
_MAY_BE_OPEN = "a quote may never be closed"
_AFTER_QUOTE = (
    "something after the quote that closes a field; expected a quote within a field as two, and "
    "quotes around the field"
)
DELIMITERS = (",", ";", "\t")

UNNAMED = "\0"
"""Replaces the missing name of a first column; no file of records holds a zero byte."""

_CARRIAGE_RETURN = (
    "a carriage return outside of quotes that is not the end of a line; save the file with "
    "newlines at the ends of its lines"
)

PARQUET_MAGIC = b"PAR1"
BYTES_OF_VALUE = 8
"""Minimum bytes counted for a value of a row: even an empty value becomes an object."""

ROWS_AT_A_TIME = 256
"""Rows decoded at a time. More are no faster, and a few bytes may hold long rows many times
over."""


def table_rows(
    lines: Iterable[str], delimiter: str, max_record: int = MAX_RECORD
) -> Iterator[Row | RowProblem]:
    r"""Read a table with a header, from lines with their newlines.

    The number of a row is the line on which it begins. Blank lines are skipped. A field has at
    most `max_record` megabytes. Reading ends at a header that cannot be used, and where quotes are
    not as they should be: nobody knows where the next row would begin. Source: RFC 4180; a newline
    may be ``\n`` too.
    """
    names: list[str] | None = None
    for number, cells in _cells(lines, delimiter, max_record):
        if isinstance(cells, RowProblem):
            yield cells
        elif names is None:
            # pandas writes its index as a first column without a name.
            names = [UNNAMED, *cells[1:]] if cells[0] == "" and len(cells) > 1 else cells
            problems = list(_column_problems(names, f"line {number}"))
            yield from problems
            if problems:
                return
        elif len(cells) != len(names):
            count = f"{len(cells)} field{'s' * (len(cells) != 1)}"
            expected = f"expected {len(names)}, as in the header"
            kind = f"more or fewer fields than {len(names)}; {expected}"
            yield RowProblem(f"line {number}", f"{count}; {expected}", kind=kind)
        else:
            record = dict(zip(names, cells, strict=True))
            record.pop(UNNAMED, None)
            yield Row(number, record)


def found_delimiter(header: str, usual: str) -> str:
    """Return what makes the most fields of a header; of several, the `usual` one of the format."""
    csv.field_size_limit(LONGEST_FIELD)
    # What is wrong with a carriage return within a line is said later.
    header = header.partition("\r")[0]
    candidates = dict.fromkeys((usual, *DELIMITERS))
    n_fields = {mark: len(next(csv.reader([header], delimiter=mark), ())) for mark in candidates}
    return max(candidates, key=n_fields.__getitem__)


def _cells(
    lines: Iterable[str], delimiter: str, max_record: int
) -> Iterator[tuple[int, list[str] | RowProblem]]:
    # A setting of the whole process. A quote that is never closed takes all that follows.
    csv.field_size_limit(min(max_record * MEGABYTE, LONGEST_FIELD))
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    number = 1
    try:
        for cells in reader:
            if cells:
                yield number, cells
            number = reader.line_num + 1
    except csv.Error as error:
        yield number, _quote_problem(str(error), number, reader.line_num, max_record)


def _quote_problem(reason: str, first_line: int, line: int, max_record: int) -> RowProblem:
    if "field limit" in reason:
        return RowProblem(f"line {first_line}", f"a field {too_long(max_record)}; {_MAY_BE_OPEN}")
    if "end of data" in reason:
        return RowProblem(f"line {first_line}", _NEVER_CLOSED)
    if "expected after" in reason:
        return RowProblem(f"line {line}", _AFTER_QUOTE)
    if "new-line" in reason:
        return RowProblem(f"line {line}", _CARRIAGE_RETURN)
    return RowProblem(f"line {line}", f"not a table: {reason}")


@contextmanager
def open_parquet(
    path: str, expected: str, known: dict[str, FileState], spools: dict[str, Any]
) -> Iterator[BinaryIO]:
    """Open a Parquet file, which is read from its end; raises InputError as `open_input` does."""
    with open_again(path, expected, known, spools) as stream:
        if path in spools or is_compressed(path):
            yield stream if path in spools else io.BytesIO(stream.read())
            return
    with unchanged(path, input_name(path), known), io.FileIO(path) as file:
        yield cast(BinaryIO, io.BufferedReader(file))


def parquet_runs(
    file: BinaryIO, name: str, inputs: InputOptions | None = None
) -> Iterator[list[Row | RowProblem]]:
    """Read a seekable Parquet file, some rows at a time, numbered from 1.

    `inputs` say which columns are read; None reads all. Raises InputError if the file is not
    Parquet, if it grows as `check_growth` refuses, or if there is no pyarrow.
    """
    pyarrow = import_pyarrow(f"{name}: Parquet needs pyarrow")
    n_stored = _checked_size(file, name)
    n_rows = n_bytes = 0
    max_record = MAX_RECORD if inputs is None else inputs.max_record
    try:
        # Arrow would keep all that it buffers until the end: the whole file.
        table = pyarrow.parquet.ParquetFile(file, pre_buffer=False)
        names = table.schema_arrow.names
        if problems := list(_column_problems(names, "")):
            yield list(problems)
            return
        columns = None if inputs is None else _columns(names, inputs)
        at_a_time = _rows_at_a_time(table.metadata, columns, name, max_record)
        # No threads: processes may be forked later.
        for stored in table.iter_batches(at_a_time, columns=columns, use_threads=False):
            batch = _decoded(pyarrow, stored)
            _check_rows(batch, n_rows, name, max_record)
            n_bytes += max(batch.nbytes, BYTES_OF_VALUE * batch.num_rows * batch.num_columns)
            check_growth(name, n_bytes, n_stored, "save it as JSON lines")
            yield list(starmap(Row, enumerate(batch.to_pylist(), n_rows + 1)))
            n_rows += batch.num_rows
    except (pyarrow.ArrowException, OSError, ValueError, KeyError, OverflowError) as error:
        # Names of columns, which Arrow tells of, may be no UTF-8, or hold anything.
        reason = escaped(str(error).partition("\n")[0])
        raise InputError(f"{name}: damaged Parquet after {n_rows} records: {reason}") from None
    finally:
        # 100 MB of a million records.
        pyarrow.default_memory_pool().release_unused()


def _rows_at_a_time(
    metadata: Any, columns: Sequence[str] | None, name: str, max_record: int
) -> int:
    n_rows = ROWS_AT_A_TIME
    n_bytes = max_record * MEGABYTE
    for group in map(metadata.row_group, range(metadata.num_row_groups)):
        chunks = map(group.column, range(group.num_columns))
        # A list of empty texts takes nothing in the file, and an offset for each in memory.
        sizes = (
            max(chunk.total_uncompressed_size, 4 * chunk.num_values)
            for chunk in chunks
            if columns is None or chunk.path_in_schema.partition(".")[0] in columns
        )
        size = max(sum(sizes), 1)
        if size > n_bytes * group.num_rows:
            raise InputError(f"{name}: a record {too_long(max_record)}")
        n_rows = min(n_rows, max(1, n_bytes * group.num_rows // size))
    return n_rows


def _decoded(pyarrow: Any, batch: Any) -> Any:
    """Return a batch with the values of each row, where it has them once for many rows."""
    if not any(map(pyarrow.types.is_dictionary, batch.schema.types)):
        return batch
    columns = [
        column.dictionary_decode() if pyarrow.types.is_dictionary(column.type) else column
        for column in batch.columns
    ]
    return pyarrow.RecordBatch.from_arrays(columns, names=batch.schema.names)


def _check_rows(batch: Any, n_before: int, name: str, max_record: int) -> None:
    n_bytes = max_record * MEGABYTE
    if batch.nbytes <= n_bytes:
        return
    for row in range(batch.num_rows):
        if batch.slice(row, 1).nbytes > n_bytes:
            raise InputError(f"{name}, record {n_before + row + 1}: {too_long(max_record)}")


def import_pyarrow(needs: str) -> Any:
    """Import pyarrow; raises InputError, which begins with `needs`."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        remedy = "python -m pip install pyarrow"
        raise InputError(missing_package(error, needs, remedy)) from None
    return pyarrow


def _checked_size(file: BinaryIO, name: str) -> int:
    head = file.read(len(PARQUET_MAGIC))
    size = file.seek(0, io.SEEK_END)
    file.seek(max(0, size - len(PARQUET_MAGIC)))
    tail = file.read(len(PARQUET_MAGIC))
    file.seek(0)
    if not size:
        raise InputError(f"{name}: an empty file; expected a Parquet file")
    if head != PARQUET_MAGIC:
        raise InputError(f"{name}: not Parquet; expected a Parquet file, or see --records-format")
    if tail != PARQUET_MAGIC or size <= len(PARQUET_MAGIC):
        raise InputError(f"{name}: truncated Parquet, its end is missing; fetch or write it again")
    return size


def _columns(names: Sequence[str], inputs: InputOptions) -> list[str] | None:
    """Return the columns to read; None for all, where a path leads into one or nowhere."""
    try:
        paths = choose_fields(names, inputs).looked_at
    except ValueError:
        # The first record will say so.
        return None
    return list(dict.fromkeys(paths)) if set(paths) <= set(names) else None


def _column_problems(names: Sequence[str], place: str) -> Iterator[RowProblem]:
    for column, name in enumerate(names, 1):
        if not name:
            yield RowProblem(
                place,
                f"column {column} has no name; expected a header that names every column",
            )
    for name, count in Counter(filter(None, names)).items():
        if count > 1:
            columns = [str(column) for column, other in enumerate(names, 1) if other == name]
            problem = f"columns {', '.join(columns)} all have the name {name!r}"
            yield RowProblem(place, f"{problem}; expected a name for each")
