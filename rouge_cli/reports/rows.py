"""Rows: the records of a result say once what their values are called and mean.

    @dataclass(frozen=True, slots=True)
    class Pair:
        system_a: Annotated[str, Shown("The first system.", heading="A")]
        interval: Annotated[tuple[float, float], Shown("Of the difference.", write=4)]

        @property
        def is_even(self) -> Annotated[bool, Shown("Whether the difference is 0.")]:
            return self.interval == (0, 0)

JSON (`data_of`), CSV (`csv_rows`), the JSON Schema (`json_schema`), the columns of tables
(`table_of`) and the page of reference follow from these annotations. A value without `Shown` stays
internal. Properties follow the fields; both keep the order of the class.
"""

import inspect
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from math import isnan
from operator import attrgetter
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    ForwardRef,
    NamedTuple,
    Protocol,
    Union,
    get_args,
    get_origin,
)

from rouge_cli.escapes import escape_unprintable
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports.document import Cell, Column, Role, Table
from rouge_cli.version import __version__

Schema = dict[str, Any]
Value = str | int | float | None
"""A value of a CSV file; None is an empty field."""

PROGRAM = {"program": "rouge-cli", "version": __version__}
"""How every JSON report begins; saved reports are recognised by it."""


class Kind(Protocol):
    """How JSON holds a value whose type does not say it."""

    def data(self, value: Any) -> Any:
        """Return dictionaries, lists, strings, finite numbers and None."""

    def schema(self, definitions: dict[str, Schema]) -> Schema:
        """Return the schema; add what it refers to by name to `definitions`."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What reports call a value, and what it means.

    Parameters
    ----------
    about : str
        One sentence for the schema and the reference; empty if the name says it.
    heading : str
        Of its column in a table; by default `key`.
    write : int or callable
        Its text in a table: the number of decimals, or a function of the value.
    key : str or None
        Its name in JSON, by default that of the attribute; empty for CSV only.
    column : str or None
        Its name in CSV, by default `key`; empty for no column. In a record inside another one,
        ``{}`` is the key of that record: ``p_{}`` of ``bootstrap`` is ``p_bootstrap``.
    is_inline : bool
        Whether the values of a record are those of the record that holds it.
    optional : bool
        Whether JSON leaves the key out if the value is None, False or empty; CSV has the column
        only if some row has a value.
    role : Role or None
        In a table; by default texts are names, and all else is a value.
    is_signed : bool
        Whether the sign of a number is the point, as in differences.
    schema : mapping
        Further keywords of JSON Schema, such as ``{"minimum": 0}``.
    kind : Kind or None
        For a value whose type does not say how JSON holds it.
    """

    about: str = ""
    heading: str = ""
    write: int | Callable[[Any], str] | None = None
    key: str | None = None
    column: str | None = None
    is_inline: bool = False
    optional: bool = False
    role: Role | None = None
    is_signed: bool = False
    schema: Mapping[str, Any] | None = None
    kind: Kind | None = None


class RowField(NamedTuple):
    """An annotated value: path of attributes, key in JSON, type without ``| None``, annotation."""

    name: str
    key: str
    type: Any
    is_nullable: bool
    shown: Shown


@cache
def fields_of(cls: Any) -> tuple[RowField, ...]:
    """Return the annotated fields and properties of a class and its bases."""
    hints: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        hints |= inspect.get_annotations(base)
    for base in reversed(cls.__mro__):
        for name, member in vars(base).items():
            if isinstance(member, property) and member.fget is not None:
                hints[name] = inspect.get_annotations(member.fget).get("return")
    fields: list[RowField] = []
    for name, hint in hints.items():
        if get_origin(hint) is Annotated:
            field = _field(cls, name, hint)
            inner = fields_of(field.type) if field.shown.is_inline else ()
            fields += [item._replace(name=f"{name}.{item.name}") for item in inner] or [field]
    return tuple(fields)


def _fields(record: Any) -> tuple[RowField, ...]:
    """Return the annotated fields of a record's class."""
    cls: Any = type(record)
    return fields_of(cls)


def _field(cls: type, name: str, hint: Any) -> RowField:
    """Read an annotation."""
    declared, *more = get_args(hint)
    (shown,) = (item for item in more if isinstance(item, Shown))
    if isinstance(declared, ForwardRef):
        declared = eval(declared.__forward_arg__, vars(sys.modules[cls.__module__]))
    types = get_args(declared) if get_origin(declared) in {Union, UnionType} else (declared,)
    (single,) = (item for item in types if item is not NoneType) if NoneType in types else types
    key = name if shown.key is None else shown.key
    return RowField(name, key, single, NoneType in types, shown)


def _is_interval(kind: Any) -> bool:
    """Tell intervals, pairs of numbers, from lists."""
    return get_origin(kind) is tuple and get_args(kind) == (float, float)


def _is_list(kind: Any) -> bool:
    return get_origin(kind) in {tuple, list, Sequence, Iterable} and not _is_interval(kind)


# JSON


def data_of(record: Any) -> dict[str, Any]:
    """Return a record as JSON holds it: dictionaries, lists, strings, finite numbers and None."""
    data = {}
    for field in _fields(record):
        value = attrgetter(field.name)(record)
        if field.key and not (field.shown.optional and _is_absent(value)):
            data[field.key] = _data(value, field.shown.kind)
    return data


def _is_absent(value: Any) -> bool:
    """Return whether an optional value is left out; zero is a value."""
    return value is None or value is False or (isinstance(value, tuple | dict) and not value)


_SCALARS = {str, bool, int, float, NoneType}


def _data(value: Any, kind: Kind | None) -> Any:
    """Return a value as JSON holds it; nan is null."""
    if kind is not None:
        return kind.data(value)
    if value is None or isinstance(value, str | bool | int | float):
        return None if isinstance(value, float) and isnan(value) else value
    if _fields(value):
        return data_of(value)
    if isinstance(value, Mapping):
        return {key: _data(item, None) for key, item in value.items()}
    if hasattr(value, "tolist"):
        return value.tolist()
    # A fraction has no length; all else is a list. Lists of the scores of EVALs are long: a call
    # for each of them would take half of all the time.
    return (
        [item if type(item) in _SCALARS else _data(item, None) for item in value]
        if hasattr(value, "__iter__")
        else float(value)
    )


def json_schema(root: type, title: str, about: str) -> Schema:
    """Return the schema (draft 2020-12) of a report whose root is a record."""
    definitions: dict[str, Schema] = {}
    program = {
        "program": {"const": PROGRAM["program"]},
        "version": {"type": "string", "pattern": r"^[0-9]+\.[0-9]+\.[0-9]+"},
    }
    schema = _record_schema(root, definitions)
    schema["properties"] = program | schema["properties"]
    schema["required"] = [*program, *schema["required"]]
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title}
    return head | {"description": about} | schema | {"$defs": definitions}


def _record_schema(cls: type, definitions: dict[str, Schema]) -> Schema:
    """Return the schema of an object."""
    fields = [field for field in fields_of(cls) if field.key]
    return {
        "type": "object",
        "properties": {field.key: _field_schema(field, definitions) for field in fields},
        "required": [field.key for field in fields if not field.shown.optional],
        "additionalProperties": False,
    }


def _field_schema(field: RowField, definitions: dict[str, Schema]) -> Schema:
    """Return the schema of a value, with what it means."""
    kind = field.shown.kind
    schema = kind.schema(definitions) if kind else _schema(field.type, definitions)
    schema |= field.shown.schema or {}
    about = {"description": field.shown.about} if field.shown.about else {}
    # JSON leaves out an optional value that is None.
    may_be_null = field.is_nullable and not field.shown.optional
    return about | (_or_null(schema) if may_be_null else schema)


def _or_null(schema: Schema) -> Schema:
    """Return the schema of a value that may be null."""
    if "enum" in schema:
        return schema | {"enum": [None, *schema["enum"]]}
    if isinstance(schema.get("type"), str) and schema["type"] not in {"object", "array"}:
        return schema | {"type": [schema["type"], "null"]}
    return {"oneOf": [schema, {"type": "null"}]}


NUMBER_OR_NULL: Schema = {"type": ["number", "null"]}
"""Keywords for a float that may be nan."""

_PLAIN: dict[Any, Schema] = {
    str: {"type": "string"},
    bool: {"type": "boolean"},
    int: {"type": "integer", "minimum": 0},
    float: {"type": "number"},
}


def _schema(kind: Any, definitions: dict[str, Schema]) -> Schema:
    """Return the schema of a type; `definitions` gets the records."""
    arguments = get_args(kind)
    if NoneType in arguments:
        (single,) = (item for item in arguments if item is not NoneType)
        return _or_null(_schema(single, definitions))
    if get_origin(kind) is tuple and ... not in arguments:
        size = len(arguments)
        items = _schema(arguments[0], definitions)
        return {"type": "array", "items": items, "minItems": size, "maxItems": size}
    if get_origin(kind) in {dict, Mapping}:
        return {"type": "object", "additionalProperties": _schema(arguments[1], definitions)}
    if get_origin(kind) is not None:
        return {"type": "array", "items": _schema(arguments[0], definitions)}
    if not fields_of(kind):
        # A fraction is a number.
        return dict(_PLAIN.get(kind, _PLAIN[float]))
    if kind.__name__ not in definitions:
        # Reserved first, so that definitions keep the order of reading.
        definitions[kind.__name__] = {}
        definitions[kind.__name__] = _record_schema(kind, definitions)
    return {"$ref": f"#/$defs/{kind.__name__}"}


# CSV


class CsvColumn(NamedTuple):
    """A column: its name, how a record has its value, and whether only some reports have it."""

    name: str
    get: Callable[[Any], Any]
    optional: bool


@cache
def csv_columns(cls: Any, holder: str = "", *, optional: bool = False) -> tuple[CsvColumn, ...]:
    """Return the columns of a record; `holder` is the key of the record that it is part of."""
    columns: list[CsvColumn] = []
    for field in fields_of(cls):
        template = field.key if field.shown.column is None else field.shown.column
        name, get = template.format(holder), attrgetter(field.name)
        is_optional = optional or field.shown.optional
        if not name:
            continue
        if _is_interval(field.type):
            prefix = "" if name == "interval" else f"{name}_"
            columns.append(
                CsvColumn(f"{prefix}lower", _then(get, lambda pair: pair[0]), is_optional)
            )
            columns.append(
                CsvColumn(f"{prefix}upper", _then(get, lambda pair: pair[1]), is_optional)
            )
        elif isinstance(field.type, type) and fields_of(field.type):
            inner = csv_columns(field.type, field.key, optional=is_optional)
            columns += [item._replace(get=_then(get, item.get)) for item in inner]
        elif not _is_list(field.type) or field.shown.column:
            columns.append(CsvColumn(name, _then(get, _csv_value), is_optional))
    return tuple(columns)


def _then(first: Callable[[Any], Any], second: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return one function after another; None stays None."""

    def both(record: Any) -> Any:
        value = first(record)
        return None if value is None else second(value)

    return both


def _csv_value(value: Any) -> Value:
    """Return a value as a CSV file has it: true and false in small letters, lists by blanks."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and isnan(value):
        return None
    if isinstance(value, str | int | float):
        return value
    return " ".join(map(str, value)) if hasattr(value, "__iter__") else float(value)


def csv_rows(root: Any, path: str) -> Iterator[tuple[Value, ...]]:
    """Yield the names of the columns, and the rows of tidy data.

    `path` leads from the root over lists to the records that are rows, as in ``rankings.pairs``; a
    step may name several lists, as in ``columns.metrics|tests``. Empty: the root is the only row. A
    row has the values of all records on the way, the root last.
    """
    chains = list(_chains((root,), path.split("."))) if path else [(root,)]
    kinds = dict.fromkeys(_kinds((type(root),), path.split(".") if path else []))
    kinds |= dict.fromkeys(tuple(map(type, chain)) for chain in chains)
    known: dict[tuple[type, ...], dict[str, tuple[int, CsvColumn]]] = {kind: {} for kind in kinds}
    names: dict[str, bool] = {}
    for kind in sorted(kinds, key=len, reverse=True):
        for level in (*range(1, len(kind)), 0):
            for column in csv_columns(kind[level]):
                known[kind].setdefault(column.name, (level, column))
                names[column.name] = column.optional and names.get(column.name, True)
    places = {
        kind: [(place, *columns[name]) for place, name in enumerate(names) if name in columns]
        for kind, columns in known.items()
    }
    rows = []
    for chain in chains:
        row: list[Value] = [None] * len(names)
        for place, level, column in places[tuple(map(type, chain))]:
            row[place] = column.get(chain[level])
        rows.append(row)
    kept = [
        place
        for place, optional in enumerate(names.values())
        if not optional or any(row[place] is not None for row in rows)
    ]
    header: list[Value] = list(names)
    for row in [header, *rows]:
        yield tuple(row[place] for place in kept)


def _kinds(kinds: tuple[type, ...], path: Sequence[str]) -> Iterator[tuple[type, ...]]:
    """Yield the classes of `_chains`, as far as they are annotated: columns may have no rows."""
    if not path:
        yield kinds
    for field in fields_of(kinds[-1]) if path else ():
        if field.name in path[0].split("|"):
            yield from _kinds((*kinds, get_args(field.type)[0]), path[1:])


def _chains(chain: tuple[Any, ...], path: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    """Yield the records from the root to each row; a record with empty lists is a row itself."""
    items = (
        [item for name in path[0].split("|") for item in getattr(chain[-1], name)] if path else []
    )
    if not items:
        yield chain
    for item in items:
        yield from _chains((*chain, item), path[1:])


# Tables


def table_of(records: Iterable[Any], cls: type, *names: str) -> Table:
    """Return a table of some values of records of a class; a name may be a path with dots."""
    fields = [_at_path(cls, name) for name in names]
    columns = tuple(
        Column(
            field.shown.heading or field.key,
            "l" if field.type in {str, bool} else "r",
            field.shown.role or (Role.NAME if field.type is str else Role.VALUE),
            is_signed=field.shown.is_signed,
        )
        for field in fields
    )
    getters = [_path_getter(name) for name in names]
    rows = (
        tuple(cell_of(get(record), field) for get, field in zip(getters, fields, strict=True))
        for record in records
    )
    return Table(columns, tuple(rows))


def _at_path(cls: type, path: str) -> RowField:
    """Return the field at the end of a path."""
    for field in fields_of(cls):
        if path == field.name:
            return field
        if path.startswith(f"{field.name}."):
            return _at_path(field.type, path.removeprefix(f"{field.name}."))
    raise KeyError(path)


def _path_getter(path: str) -> Callable[[Any], Any]:
    """Return what reads the value at the end of a path; None on the way stays None."""
    first, *others = map(attrgetter, path.split("."))
    getter: Callable[[Any], Any] = first
    for other in others:
        getter = _then(getter, other)
    return getter


def cell_of(value: Any, field: RowField) -> Cell:
    """Return the cell of a value."""
    # Declarations of studies are read by help and completion, which do without NumPy.
    from rouge_cli.reports.wording import UNDEFINED, number

    write = field.shown.write
    if callable(write):
        return Cell(write(value))
    if value is None:
        return Cell(UNDEFINED)
    if write is not None and _is_interval(field.type):
        lower, upper = (number(bound, write) for bound in value)
        return Cell("", (lower, upper))
    if write is not None:
        return Cell(number(float(value), write))
    if isinstance(value, bool):
        return Cell("yes" if value else "no")
    return Cell(escape_unprintable(str(value)))
