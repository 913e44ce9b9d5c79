"""Parquet to rows; needs pyarrow, an extra."""

import io
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, BinaryIO, cast

from rouge_cli.errors import InputError
from rouge_cli.escapes import escaped
from rouge_cli.inputs.compressed import COMPRESSED, open_input
from rouge_cli.inputs.records.fields import choose_fields
from rouge_cli.inputs.records.rows import Row, RowProblem, column_problems
from rouge_cli.options.every import Options

__all__ = ["open_parquet", "parquet_rows"]

MAGIC = b"PAR1"
ROWS_AT_A_TIME = 1 << 12


@contextmanager
def open_parquet(path: str, expected: str) -> Iterator[BinaryIO]:
    """Open a Parquet file, which is read from its end: what is no plain file, as a copy in memory.

    Raises
    ------
    InputError
        As `open_input` does.
    """
    with open_input(path, expected) as stream:
        if path.lower().endswith(COMPRESSED) or not os.path.isfile(path):
            yield io.BytesIO(stream.read())
            return
    with io.FileIO(path) as file:
        yield cast(BinaryIO, io.BufferedReader(file))


def parquet_rows(file: BinaryIO, name: str, options: Options) -> Iterator[Row | RowProblem]:
    """Read a Parquet file in batches.

    Parameters
    ----------
    file : BinaryIO
        Seekable.
    name : str
        For messages.
    options : Options
        They say which columns are read.

    Yields
    ------
    Row or RowProblem
        Rows are numbered from 1.

    Raises
    ------
    InputError
        If it is not Parquet, or if there is no pyarrow.
    """
    pyarrow = _pyarrow(name)
    _check_magic(file, name)
    number = 0
    try:
        table = pyarrow.parquet.ParquetFile(file)
        names = table.schema_arrow.names
        problems = list(column_problems(names, ""))
        yield from problems
        if problems:
            return
        # No threads: processes may be forked later.
        for batch in table.iter_batches(
            ROWS_AT_A_TIME, columns=_columns(names, options), use_threads=False
        ):
            for number, record in enumerate(batch.to_pylist(), number + 1):  # noqa: B020
                yield Row(number, record)
    except (pyarrow.ArrowException, OSError, ValueError, KeyError, OverflowError) as error:
        # Names of columns, which Arrow tells of, may be no UTF-8, or hold anything.
        reason = escaped(str(error).partition("\n")[0])
        raise InputError(f"{name}: damaged Parquet after {number} records: {reason}") from None


def _pyarrow(name: str) -> Any:
    """Import pyarrow; raises InputError."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise InputError(
            f"{name}: Parquet needs pyarrow, which is not installed; "
            "install it: python -m pip install pyarrow"
        ) from None
    return pyarrow


def _check_magic(file: BinaryIO, name: str) -> None:
    """Refuse what does not begin and end as Parquet does; raises InputError."""
    head = file.read(len(MAGIC))
    size = file.seek(0, io.SEEK_END)
    file.seek(max(0, size - len(MAGIC)))
    tail = file.read(len(MAGIC))
    file.seek(0)
    if not size:
        raise InputError(f"{name}: an empty file; expected a Parquet file")
    if head != MAGIC:
        raise InputError(f"{name}: not Parquet; expected a Parquet file, or see --records-format")
    if tail != MAGIC or size <= len(MAGIC):
        raise InputError(f"{name}: truncated Parquet, its end is missing; fetch or write it again")


def _columns(names: Sequence[str], options: Options) -> list[str] | None:
    """Return the columns to read; None for all, where a path leads into one or nowhere."""
    try:
        paths = choose_fields(names, options).paths
    except ValueError:
        # The first record will say so.
        return None
    return list(dict.fromkeys(paths)) if set(paths) <= set(names) else None
