"""Reads rows from CSV, TSV and Parquet, and records from Arrow batches.

Parquet and Arrow need pyarrow, an optional dependency. The rows of an Arrow batch are read
independently of each other, and each gets all of its problems, because batches may be distributed
over many machines.
"""

import csv
import io
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from itertools import starmap
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, cast

from rouge_cli.errors import InputError, missing_package
from rouge_cli.escapes import escaped
from rouge_cli.inputs.batch import Batch, BatchMaker
from rouge_cli.inputs.decoding import MAX_RECORD, too_long
from rouge_cli.inputs.evaluation import DEFAULT_SYSTEM
from rouge_cli.inputs.files import (
    MEGABYTE,
    FileState,
    check_growth,
    input_name,
    is_compressed,
    open_again,
    unchanged,
)
from rouge_cli.inputs.records.rows import RecordFields, Row, RowProblem, choose_fields, kind_of
from rouge_cli.inputs.records.values import RecordReader, RecordTexts, identity, read_or_none
from rouge_cli.options.inputs import InputOptions

if TYPE_CHECKING:
    import pyarrow as pa

LONGEST_FIELD = 2**31 - 1
"""The highest limit of a field's characters that the csv module accepts on every system."""

DELIMITERS = (",", ";", "\t")

UNNAMED = "\0"  # replaces the empty name of a first column; no real name contains a zero byte

PARQUET_MAGIC = b"PAR1"
BYTES_OF_VALUE = 8
"""Minimum number of bytes counted per value, because even an empty one becomes a Python object."""

ROWS_AT_A_TIME = 256
"""Rows decoded at a time. More are not faster, and would be risky: with dictionary encoding, a few
bytes of a file can expand to many long rows."""


def table_rows(
    lines: Iterable[str], delimiter: str, max_record: int = MAX_RECORD
) -> Iterator[Row | RowProblem]:
    r"""Read a table with a header from lines, which include their newlines.

    The number of a row is the line on which it begins. Blank lines are skipped. A field may have
    at most `max_record` million characters. Reading stops after an unusable header, and after
    malformed quotes, because the beginning of the next row is then unknown. Source: RFC 4180;
    ``\n`` is also accepted as a newline.
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
    """Return the delimiter that splits a header into the most fields; `usual` wins ties."""
    csv.field_size_limit(LONGEST_FIELD)
    # `table_rows` reports a carriage return within a line.
    header = header.partition("\r")[0]
    candidates = dict.fromkeys((usual, *DELIMITERS))
    n_fields = {mark: len(next(csv.reader([header], delimiter=mark), ())) for mark in candidates}
    return max(candidates, key=n_fields.__getitem__)


def _cells(
    lines: Iterable[str], delimiter: str, max_record: int
) -> Iterator[tuple[int, list[str] | RowProblem]]:
    # The limit bounds memory if a quote is never closed, which makes the rest of the file one
    # field. The setting applies to the whole process.
    csv.field_size_limit(min(max_record * MEGABYTE, LONGEST_FIELD))
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    number = 1
    try:
        for cells in reader:
            if cells:
                yield number, cells
            number = reader.line_num + 1
    except csv.Error as error:
        # What the reasons of the csv module mean, those first that the beginning of the row is to
        # blame for, and not its last line.
        at_start = {
            "field limit": f"a field {too_long(max_record)}; a quote may never be closed",
            "end of data": 'a quote that is never closed; expected "..." around a field, and "" '
            "for a quote within",
        }
        at_end = {
            "expected after": "something after the quote that closes a field; expected a quote "
            "within a field as two, and quotes around the field",
            "new-line": "a carriage return outside of quotes that is not the end of a line; save "
            "the file with newlines at the ends of its lines",
            "": f"not a table: {error}",
        }
        reason = next(reason for reason in at_start | at_end if reason in str(error))
        line = number if reason in at_start else reader.line_num
        yield number, RowProblem(f"line {line}", (at_start | at_end)[reason])


@contextmanager
def open_parquet(
    path: str, expected: str, known: dict[str, FileState], spools: dict[str, Any]
) -> Iterator[BinaryIO]:
    """Open a Parquet file as a seekable stream, since its metadata are at its end.

    Raises InputError as `open_input` does.
    """
    with open_again(path, expected, known, spools) as stream:
        # Decompressed data are not seekable, so they are read into memory.
        if path in spools or is_compressed(path):
            yield stream if path in spools else io.BytesIO(stream.read())
            return
    with unchanged(path, input_name(path), known), io.FileIO(path) as file:
        yield cast(BinaryIO, io.BufferedReader(file))


def parquet_runs(
    file: BinaryIO, name: str, inputs: InputOptions | None = None
) -> Iterator[list[Row | RowProblem]]:
    """Read the rows of a seekable Parquet file, numbered from 1, in runs.

    `inputs` determine which columns are read; None reads all. Raises InputError if the file is not
    Parquet or is damaged, if `check_growth` refuses the size of its content, or if pyarrow is not
    installed.
    """
    pyarrow = import_pyarrow(f"{name}: Parquet needs pyarrow")
    n_stored = _checked_size(file, name)
    n_rows = n_bytes = 0
    max_record = MAX_RECORD if inputs is None else inputs.max_record
    try:
        # With `pre_buffer`, Arrow keeps everything it has read, which is the whole file in the end.
        table = pyarrow.parquet.ParquetFile(file, pre_buffer=False)
        names = table.schema_arrow.names
        if problems := list(_column_problems(names, "")):
            yield list(problems)
            return
        columns = None
        if inputs is not None:
            # Missing fields are reported when the first record is read, which then has all columns.
            with suppress(ValueError):
                paths = dict.fromkeys(choose_fields(names, inputs).looked_at)
                columns = list(paths) if paths.keys() <= set(names) else None
        at_a_time = _rows_at_a_time(table.metadata, columns, name, max_record)
        # Use no threads of Arrow: this process may be forked later.
        for stored in table.iter_batches(at_a_time, columns=columns, use_threads=False):
            batch = _decoded(pyarrow, stored)
            most = max_record * MEGABYTE
            for row in range(batch.num_rows if batch.nbytes > most else 0):
                if batch.slice(row, 1).nbytes > most:
                    raise InputError(f"{name}, record {n_rows + row + 1}: {too_long(max_record)}")
            n_bytes += max(batch.nbytes, BYTES_OF_VALUE * batch.num_rows * batch.num_columns)
            check_growth(name, n_bytes, n_stored, "save it as JSON lines")
            yield list(starmap(Row, enumerate(batch.to_pylist(), n_rows + 1)))
            n_rows += batch.num_rows
    except (pyarrow.ArrowException, OSError, ValueError, KeyError, OverflowError) as error:
        # Arrow's message may quote names of columns, which can hold anything, even invalid UTF-8.
        reason = escaped(str(error).partition("\n")[0])
        raise InputError(f"{name}: damaged Parquet after {n_rows} records: {reason}") from None
    finally:
        # Returns 100 MB to the system after a million records.
        pyarrow.default_memory_pool().release_unused()


def _rows_at_a_time(
    metadata: Any, columns: Sequence[str] | None, name: str, max_record: int
) -> int:
    n_rows = ROWS_AT_A_TIME
    n_bytes = max_record * MEGABYTE
    for group in map(metadata.row_group, range(metadata.num_row_groups)):
        chunks = map(group.column, range(group.num_columns))
        # Empty texts in lists take no space in the file, but four bytes each in memory, an offset.
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
    # Expand dictionary-encoded columns, in which rows share values, so that sizes are of the rows.
    if not any(map(pyarrow.types.is_dictionary, batch.schema.types)):
        return batch
    columns = [
        column.dictionary_decode() if pyarrow.types.is_dictionary(column.type) else column
        for column in batch.columns
    ]
    return pyarrow.RecordBatch.from_arrays(columns, names=batch.schema.names)


def import_pyarrow(needs: str) -> Any:
    """Import pyarrow; raises InputError, with a message that begins with `needs`."""
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


def _column_problems(names: Sequence[str], place: str) -> Iterator[RowProblem]:
    expected = "expected a header that names every column"
    for column in (column for column, name in enumerate(names, 1) if not name):
        yield RowProblem(place, f"column {column} has no name; {expected}")
    for name, count in Counter(filter(None, names)).items():
        if count > 1:
            columns = [str(column) for column, other in enumerate(names, 1) if other == name]
            problem = f"columns {', '.join(columns)} all have the name {name!r}"
            yield RowProblem(place, f"{problem}; expected a name for each")


POSITION = "position"
"""Name of the optional column with the position of an EVAL among those of its system."""


class BatchRow(NamedTuple):
    """The normalised texts of a peer and its models.

    A NamedTuple, because one is created for every record, and a frozen dataclass takes three times
    as long. `system`, `eval_id` and `cluster` are None if they are missing or not read. `problem`
    says why the record cannot be scored; it is empty if it can.
    """

    system: str | None
    eval_id: str | None
    cluster: str | None
    position: int | None
    peer: bytes
    models: tuple[bytes, ...]
    problem: str = ""

    @property
    def name(self) -> str:
        """The row's name in messages."""
        eval_id = "without an ID" if self.eval_id is None else escaped(self.eval_id)
        return f"text {eval_id}, system {'?' if self.system is None else escaped(self.system)}"


def check_columns(names: Sequence[str], fields: RecordFields) -> None:
    """Raise InputError if columns share a name, since a record has one value per name."""
    if problems := list(_twice(names, fields)):
        raise InputError(problems)


def _twice(names: Sequence[str], fields: RecordFields) -> Iterator[str]:
    columns = {POSITION, *fields.paths, *(path.partition(".")[0] for path in fields.paths)}
    for name in sorted(columns):
        if (count := names.count(name)) > 1:
            expected = "expected one; drop or rename the others"
            yield f"batches: found {count} columns {escaped(name)!r}, {expected}"


def check_schema(schema: "pa.Schema", fields: RecordFields) -> bool:
    """Check that the columns exist and have suitable types, before any batch is read.

    A type is suitable if the reader of the column accepts a sample value of that type. Types that
    do not determine the type of the values, such as null, are accepted.

    Returns whether some texts are lists of sentences. Raises InputError with all problems.
    """
    texts = RecordTexts()
    problems = list(_twice(schema.names, fields))
    columns = _expected_columns(fields, texts, has_position=POSITION in schema.names)
    problems += filter(None, (_type_problem(schema, *column) for column in columns))
    if problems:
        raise InputError(problems)
    return texts.has_lists


def records_of(batch: "pa.RecordBatch", fields: RecordFields) -> list[dict[str, Any]]:
    """Return the records of a batch, limited to the columns that are read.

    There may be many others, and some cannot be converted to Python objects: dates after the year
    9999, for example.
    """
    paths = (POSITION, *fields.paths)
    columns = [
        number
        for number, name in enumerate(batch.schema.names)
        if any(path == name or path.startswith(f"{name}.") for path in paths)
    ]
    # An Arrow batch without columns has no rows.
    return batch.select(columns).to_pylist() if columns else [{}] * batch.num_rows


_Reader = Callable[[Any, str], Any]


def _type_problem(schema: "pa.Schema", path: str, option: str, expected: str, read: _Reader) -> str:
    # An empty string if the column is suitable. `option` is the option that names it.
    import pyarrow as pa
    from pyarrow import types

    kind = _kind_at(pa.struct(list(schema)), path)
    if kind is None:
        heads = [name for name in schema.names if path.startswith(f"{name}.")]
        if not heads:
            return f"batches: no column {path!r}; found {', '.join(map(escaped, schema.names))}"
        head = max(heads, key=len)
        held = escaped(str(schema.field(head).type))
        return f"batches: column {head!r} has no {path!r}; it holds {held}"
    if _is_open(kind) or _can_read(read, kind, path):
        return ""
    advice = f"cast it, or name another with {option}="
    if not option:
        advice = "cast it, or leave it out"
    for field in kind if option and types.is_struct(kind) else ():
        if _can_read(read, field.type, path):
            advice = f"name a field of it, such as {option}={f'{path}.{field.name}'!r}"
            break
    content = f"batches: column {path!r} holds {escaped(str(kind))}"
    return f"{content}; expected {expected}: {advice}"


def _can_read(read: _Reader, kind: "pa.DataType", path: str) -> bool:
    try:
        read(_sample(kind), path)
    except ValueError:
        return False
    return True


def _expected_columns(
    fields: RecordFields, texts: RecordTexts, *, has_position: bool
) -> Iterator[tuple[str, str, str, _Reader]]:
    # Yields, for each column: its path, the option that names it, the values expected in it, for a
    # message, and the function that reads a value.
    for _, path in fields.predictions:
        expected = "text, lists of sentences, or objects with 'text'"
        yield path, "prediction", expected, texts.peer
    for path in fields.references:
        expected = "text, lists of texts, or objects with 'text'"
        yield path, "references", expected, partial(texts.models, is_lone=fields.is_lone_model)
    ids = {"id": fields.id, "system": fields.system, "cluster": fields.cluster}
    for option, named in ids.items():
        if named is not None:
            of_ids = "text or whole numbers"
            yield named, option, of_ids, lambda value, path: identity({path: value}, path)
    if has_position:
        yield POSITION, "", "whole numbers", lambda value, path: _position({POSITION: value})


def _kind_at(kind: "pa.DataType", path: str) -> "pa.DataType | None":
    """Return the type of the values at a path, following it as `field_value` does; None if none."""
    from pyarrow import types

    if _is_open(kind) or not path:
        return kind
    if _is_list(kind):
        index, _, rest = path.partition(".")
        is_index = index.isascii() and index.isdecimal()
        return _kind_at(kind.value_type, rest) if is_index else None
    kinds = {field.name: field.type for field in kind} if types.is_struct(kind) else {}
    keys = path.split(".")
    for n_keys in range(len(keys), 0, -1):
        head, rest = ".".join(keys[:n_keys]), ".".join(keys[n_keys:])
        if head in kinds and (inner := _kind_at(kinds[head], rest)) is not None:
            return inner
    return None


def _sample(kind: "pa.DataType") -> Any:
    from pyarrow import types

    if types.is_dictionary(kind) or types.is_run_end_encoded(kind):
        return _sample(kind.value_type)
    if _is_list(kind):
        return [_sample(kind.value_type)]
    if types.is_struct(kind):
        return {field.name: _sample(field.type) for field in kind}
    if types.is_integer(kind):
        return 1
    is_text = types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind)
    # For all other types return bytes, which every reader refuses.
    return "a" if is_text or _is_open(kind) else b""


def _is_open(kind: "pa.DataType") -> bool:
    import pyarrow as pa

    is_extension = isinstance(kind, pa.BaseExtensionType)
    return is_extension or pa.types.is_null(kind) or pa.types.is_union(kind)


def _is_list(kind: "pa.DataType") -> bool:
    from pyarrow import types

    tests = (types.is_list, types.is_large_list, types.is_fixed_size_list)
    return any(test(kind) for test in (*tests, types.is_list_view, types.is_large_list_view))


def read_rows(
    records: Iterable[Mapping[str, Any]], fields: RecordFields, texts: RecordTexts
) -> list[BatchRow]:
    """Read records into one row per prediction, in order, without grouping them into EVALs.

    `fields` must include an ID. Records cannot be numbered instead, because batches may be read in
    any process and in any order.
    """
    reader = RecordReader(fields, DEFAULT_SYSTEM, texts)
    return [row for record in records for row in _rows(record, fields, reader)]


def _rows(
    record: Mapping[str, Any], fields: RecordFields, reader: RecordReader
) -> Iterator[BatchRow]:
    errors: list[ValueError] = []
    system = read_or_none(errors, reader.system_of, record)
    eval_id = read_or_none(errors, reader.eval_of, record, system)
    models = read_or_none(errors, reader.models_of, record)
    cluster = read_or_none(errors, reader.cluster_of, record) or None
    position = read_or_none(errors, _position, record)
    if models == ():
        errors.append(ValueError("no references; expected at least one"))
    for name, path in fields.predictions:
        of_row = errors.copy()
        peer = read_or_none(of_row, reader.peer_of, record, path)
        problem = "; ".join(map(str, of_row))
        texts = peer or b"", models or ()
        yield BatchRow(name or system, eval_id, cluster, position, *texts, problem)


def _position(record: Mapping[str, Any]) -> int | None:
    position = record.get(POSITION)
    if position is None or (isinstance(position, int) and not isinstance(position, bool)):
        return position
    raise ValueError(f"field {POSITION!r} is {kind_of(position)}; expected a whole number")


def batch_of(rows: Sequence[BatchRow]) -> Batch:
    """Return a batch of rows without problems, with one instance per row, in the same order."""
    maker = BatchMaker(names_evals=False)
    for number, row in enumerate(rows):
        maker.add(number, row.eval_id or "", row.models, [0], [row.peer])
    return maker.take(partial(_place, rows))


def _place(rows: Sequence[BatchRow], group: int, rank: int) -> str:
    # See `rouge_cli.inputs.batch.Places`.
    row = rows[group]
    what = "prediction" if rank == len(row.models) else f"reference {rank}"
    return f"{row.name}: {what}"
