"""Records in Arrow batches: each row is read independently, with all its problems."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from rouge_cli.errors import InputError
from rouge_cli.escapes import escaped
from rouge_cli.inputs.batch import Batch, BatchMaker
from rouge_cli.inputs.evaluation import DEFAULT_SYSTEM
from rouge_cli.inputs.records.rows import RecordFields, kind_of
from rouge_cli.inputs.records.values import RecordReader, RecordTexts, identity, read_or_none

if TYPE_CHECKING:
    import pyarrow as pa

POSITION = "position"
"""The column with the position of an EVAL among those of its system, if there is one."""


class BatchRow(NamedTuple):
    """A peer and its models, normalised.

    A tuple, since one is made for every record, and a frozen dataclass takes three times as long.
    `system`, `eval_id` and `cluster` are None if the record does not say, or nobody asks for it.
    `problem` is what is wrong with the record; empty if it can be scored.
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
        """Its name in messages."""
        eval_id = "without an ID" if self.eval_id is None else escaped(self.eval_id)
        return f"text {eval_id}, system {'?' if self.system is None else escaped(self.system)}"


def check_columns(names: Sequence[str], fields: RecordFields) -> None:
    """Refuse columns with the same name, as a record has one value per name; raises InputError."""
    if problems := list(_twice(names, fields)):
        raise InputError(problems)


def _twice(names: Sequence[str], fields: RecordFields) -> Iterator[str]:
    columns = {POSITION, *fields.paths, *(path.partition(".")[0] for path in fields.paths)}
    for name in sorted(columns):
        if (count := names.count(name)) > 1:
            expected = "expected one; drop or rename the others"
            yield f"batches: found {count} columns {escaped(name)!r}, {expected}"


def check_schema(schema: "pa.Schema", fields: RecordFields) -> bool:
    """Refuse columns that are missing or cannot hold the values required.

    The readers of records get a value of each type, and a type is accepted if they accept its
    value. Types that do not determine their values, such as null, are accepted.

    Returns whether some texts are lists of sentences. Raises InputError with all problems.
    """
    texts = RecordTexts()
    problems = list(_twice(schema.names, fields))
    columns = _columns(fields, texts, has_position=POSITION in schema.names)
    problems += filter(None, (_column_problem(schema, *column) for column in columns))
    if problems:
        raise InputError(problems)
    return texts.has_lists


def records_of(batch: "pa.RecordBatch", fields: RecordFields) -> list[dict[str, Any]]:
    """Return the records of a batch, limited to the columns that are read.

    The others may be many, and a column of dates beyond the year 9999 cannot become Python's.
    """
    paths = (POSITION, *fields.paths)
    columns = [
        number
        for number, name in enumerate(batch.schema.names)
        if any(path == name or path.startswith(f"{name}.") for path in paths)
    ]
    # Without columns Arrow forgets how many records there are.
    return batch.select(columns).to_pylist() if columns else [{}] * batch.num_rows


_Reader = Callable[[Any, str], Any]


def _column_problem(
    schema: "pa.Schema", path: str, option: str, expected: str, read: _Reader
) -> str:
    """Describe the problem of a column, named by `option`; empty if there is none."""
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


def _columns(
    fields: RecordFields, texts: RecordTexts, *, has_position: bool
) -> Iterator[tuple[str, str, str, _Reader]]:
    """Yield for each column its path, the option that names it, what is expected, and a reader."""
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
    """Return the type to which a path leads, as `rows.field_value` follows it; None if to none."""
    from pyarrow import types

    if _is_open(kind):
        return kind
    if _is_list(kind):
        index, _, rest = path.partition(".")
        if not (index.isascii() and index.isdecimal()):
            return None
        return _kind_at(kind.value_type, rest) if rest else kind.value_type
    keys = path.split(".") if types.is_struct(kind) else []
    kinds = {field.name: field.type for field in kind} if keys else {}
    for n_keys in range(len(keys), 0, -1):
        head, rest = ".".join(keys[:n_keys]), ".".join(keys[n_keys:])
        inner = kinds.get(head)
        if inner is not None and rest:
            inner = _kind_at(inner, rest)
        if inner is not None:
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
    # No reader takes bytes, nor any of the types that are left.
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
    """Read records, which are not grouped: each prediction of each is scored by itself, in order.

    The ID is one of `fields`.
    """
    reader = RecordReader(fields, DEFAULT_SYSTEM, texts)
    return [row for record in records for row in _rows(record, fields, reader)]


def _rows(record: Mapping[str, Any], fields: RecordFields, reader: RecordReader) -> list[BatchRow]:
    try:
        return _good_rows(record, fields, reader)
    except ValueError:
        return list(_bad_rows(record, fields, reader))


def _good_rows(
    record: Mapping[str, Any], fields: RecordFields, reader: RecordReader
) -> list[BatchRow]:
    """Return the rows of a valid record, in a tenth less time; raises ValueError."""
    system = reader.system_of(record)
    eval_id = reader.eval_of(record, system)
    models = reader.models_of(record)
    if not models:
        raise ValueError
    cluster, position = reader.cluster_of(record) or None, _position(record)
    return [
        BatchRow(name or system, eval_id, cluster, position, reader.peer_of(record, path), models)
        for name, path in fields.predictions
    ]


def _bad_rows(
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
        row_system, texts = name or system, (peer or b"", models or ())
        yield BatchRow(row_system, eval_id, cluster, position, *texts, problem)


def _position(record: Mapping[str, Any]) -> int | None:
    position = record.get(POSITION)
    if position is None or (isinstance(position, int) and not isinstance(position, bool)):
        return position
    raise ValueError(f"field {POSITION!r} is {kind_of(position)}; expected a whole number")


def batch_of(rows: Sequence[BatchRow]) -> Batch:
    """Return the rows that can be scored as a batch, one instance per row, in the same order."""
    maker = BatchMaker(names_evals=False)
    for number, row in enumerate(rows):
        maker.add(number, row.eval_id or "", row.models, [0], [row.peer])
    return maker.take(partial(_place, rows))


def _place(rows: Sequence[BatchRow], group: int, rank: int) -> str:
    """Name a text of a row; see `rouge_cli.inputs.batch.Places`."""
    row = rows[group]
    what = "prediction" if rank == len(row.models) else f"reference {rank}"
    return f"{row.name}: {what}"
