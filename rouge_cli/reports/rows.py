"""Rows: annotations name and describe the values of a result, once for all reports.

    @dataclass(frozen=True, slots=True)
    class Pair:
        '''Two systems.

        - `system_a`: The first system.
        '''

        system_a: Annotated[str, Shown(heading="A")]
        interval: Annotated[tuple[float, float], Shown("Of the difference.", write=4)]

        @property
        def is_even(self) -> Annotated[bool, Shown()]:
            '''Whether the difference is 0.'''
            return self.interval == (0, 0)

JSON (`data_of`), CSV (`csv_rows`) and the columns of tables (`table_of`) follow from these
annotations; so do the JSON Schemas and the page of reference, which tools/make_schemas.py writes. A
value without `Shown` stays internal. Properties follow the fields; both keep the order of the
class.
"""

import inspect
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, reduce
from math import isnan
from operator import attrgetter, itemgetter
from types import NoneType, UnionType
from typing import Annotated, Any, ForwardRef, NamedTuple, Union, get_args, get_origin

from rouge_cli.escapes import escape_unprintable
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports.document import Cell, Column, Mark, Role, Table
from rouge_cli.reports.wording import UNDEFINED, interval_cell, number
from rouge_cli.version import __version__

Schema = dict[str, Any]
Value = str | int | float | None  # a value of a CSV file; None is an empty field
NUMBER_OR_NULL: Schema = {"type": ["number", "null"]}  # keywords for a float that may be nan
SCHEMA_VERSION = 1  # raised when a field is renamed, removed or changes its meaning
PROGRAM = {"program": "rouge-cli", "version": __version__, "schema_version": SCHEMA_VERSION}
"""The beginning of every JSON report, by which saved reports are recognised."""


@dataclass(frozen=True, slots=True)
class Shown:
    """The name and the meaning of a value in reports.

    Parameters
    ----------
    about : str
        One sentence for the schema and the reference; empty if the name is enough. By default the
        entry of the value in the docstring of its class, which begins with ``- `name`:``; for a
        property, the first line of its docstring.
    heading : str
        Heading of its column in a table; by default the name in JSON.
    write : int or callable
        Format in a table: the number of decimals, or a function of the value.
    key : str or None
        Name in JSON, by default that of the attribute; None for a value that JSON leaves out.
    column : str or None
        Name in CSV, by default that in JSON; empty for no column. In a nested record, ``{}`` is the
        column of that record: ``p_{}`` in ``bootstrap`` is ``p_bootstrap``. In the name of an
        interval, ``bound`` becomes ``lower`` and ``upper``.
    optional : bool
        Whether JSON leaves the key out if the value is None, False or empty; CSV has the column
        only if some row has a value.
    role : Role or None
        Role of its column in a table; by default that of a name for texts, else of a value.
    is_signed : bool
        Whether the sign of a number matters, as in differences.
    schema : mapping
        Further keywords of JSON Schema, such as ``{"minimum": 0}``; a ``$ref`` replaces the schema
        of the type.
    is_inline : bool
        Whether the values of a nested record appear as if they were those of its holder, in JSON
        too. The path of such a value has a dot: ``column.metric``.
    """

    about: str = ""
    heading: str = ""
    write: int | Callable[[Any], str] | None = None
    key: str | None = ""
    column: str | None = None
    optional: bool = False
    role: Role | None = None
    is_signed: bool = False
    schema: Mapping[str, Any] | None = None
    is_inline: bool = False


class RowField(NamedTuple):
    """An annotated value: path, name, type without ``| None``, annotation, and how to read it."""

    name: str
    key: str
    type: Any
    is_nullable: bool
    shown: Shown
    get: Callable[[Any], Any]


@cache
def fields_of(cls: Any) -> tuple[RowField, ...]:
    """Return the annotated fields and properties of a class and its bases."""
    hints: dict[str, Any] = {}
    # From the bases down, so that their values come first; properties follow all fields.
    for base in reversed(cls.__mro__):
        hints |= inspect.get_annotations(base)
    for base in reversed(cls.__mro__):
        for name, member in vars(base).items():
            if isinstance(member, property) and member.fget is not None:
                hints[name] = inspect.get_annotations(member.fget).get("return")
    fields: list[RowField] = []
    for name, hint in hints.items():
        if get_origin(hint) is not Annotated:
            continue
        field = _field(cls, name, hint)
        if not field.shown.is_inline:
            fields.append(field)
            continue
        for inner in fields_of(field.type):
            path = f"{name}.{inner.name}"
            fields.append(inner._replace(name=path, get=_getter(path)))
    return tuple(fields)


def _field(cls: type, name: str, hint: Any) -> RowField:
    declared, *more = get_args(hint)
    (shown,) = (item for item in more if isinstance(item, Shown))
    if not shown.about:
        shown = replace(shown, about=_about(cls, name))
    if isinstance(declared, ForwardRef):
        # Look up quoted names in the module that defines the class.
        declared = eval(declared.__forward_arg__, vars(sys.modules[cls.__module__]))
    types = get_args(declared) if get_origin(declared) in {Union, UnionType} else (declared,)
    (single,) = (item for item in types if item is not NoneType) if NoneType in types else types
    return RowField(name, shown.key or name, single, NoneType in types, shown, attrgetter(name))


def _about(cls: type, name: str) -> str:
    """Return what docstrings say of a value: that of a property, or an entry in that of a class."""
    member = inspect.getattr_static(cls, name, None)
    if isinstance(member, property):
        return (member.__doc__ or "").split("\n")[0]
    docstrings = "\n".join(inspect.cleandoc(base.__doc__ or "") for base in cls.__mro__)
    entry = re.search(rf"^- `{name}`: (.*(?:\n  .*)*)", docstrings, re.MULTILINE)
    return " ".join(entry[1].split()) if entry else ""


def _getter(path: str) -> Callable[[Any], Any]:
    getters: Iterable[Callable[[Any], Any]] = map(attrgetter, path.split("."))
    return reduce(_then, getters)


def _is_interval(kind: Any) -> bool:
    return get_origin(kind) is tuple and get_args(kind) == (float, float)


# JSON


def data_of(record: Any) -> dict[str, Any]:
    """Return a record as JSON holds it: dictionaries, lists, strings, finite numbers and None."""
    data: dict[str, Any] = {}
    for field in fields_of(record.__class__):
        if field.shown.key is None:
            continue
        value = field.get(record)
        # Not simply `not value`: zero is a value.
        is_absent = (
            value is None or value is False or (isinstance(value, tuple | dict) and not value)
        )
        if not (field.shown.optional and is_absent):
            data[field.key] = _data(value)
    return data


_SCALARS = {str, bool, int, float, NoneType}


def _data(value: Any) -> Any:
    if value is None or isinstance(value, str | bool | int | float):
        # JSON has no value for "not a number".
        return None if isinstance(value, float) and isnan(value) else value
    if fields_of(value.__class__):
        return data_of(value)
    if isinstance(value, Mapping):
        return {key: _data(item) for key, item in value.items()}
    if hasattr(value, "tolist"):
        return value.tolist()
    if not hasattr(value, "__iter__"):
        # A fraction.
        return float(value)
    # The scores of EVALs make long lists, in which a call for each item would take half of the
    # total time.
    return [item if type(item) in _SCALARS else _data(item) for item in value]


# CSV


class CsvColumn(NamedTuple):
    """A column of a CSV file; an optional one is left out if no row has a value."""

    name: str
    get: Callable[[Any], Any]
    optional: bool


@cache
def csv_columns(cls: Any, holder: str = "") -> tuple[CsvColumn, ...]:
    """Return the columns of a record; `holder` is the column name of the record around it."""
    return tuple(column for field in fields_of(cls) for column in columns_of_field(field, holder))


def columns_of_field(field: RowField, holder: str = "") -> Iterator[CsvColumn]:
    """Yield the columns of a value: none for a list, two for an interval, several for a record."""
    template = field.key if field.shown.column is None else field.shown.column
    name, get, optional = template.format(holder), field.get, field.shown.optional
    if not name:
        return
    if _is_interval(field.type):
        stem = name if "bound" in name else "bound" if name == "interval" else f"{name}_bound"
        for place, side in enumerate(("lower", "upper")):
            yield CsvColumn(stem.replace("bound", side), _then(get, itemgetter(place)), optional)
    elif isinstance(field.type, type) and fields_of(field.type):
        for column in csv_columns(field.type, name):
            yield CsvColumn(column.name, _then(get, column.get), optional or column.optional)
    elif get_origin(field.type) not in {tuple, list, Sequence, Iterable} or field.shown.column:
        yield CsvColumn(name, _then(get, _csv_value), optional)


def _then(first: Callable[[Any], Any], second: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Compose two functions; None stays None."""

    def both(record: Any) -> Any:
        value = first(record)
        return None if value is None else second(value)

    return both


def _csv_value(value: Any) -> Value:
    """Convert a value for CSV: booleans become lower-case texts, lists are joined by blanks."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and isnan(value):
        return None
    if isinstance(value, str | int | float):
        return value
    return " ".join(map(str, value)) if hasattr(value, "__iter__") else float(value)


def csv_rows(root: Any, path: str) -> Iterator[tuple[Value, ...]]:
    """Yield the names of the columns, and the rows of tidy data.

    `path` leads from the root through lists to the records that are rows, as in
    ``rankings.pairs``; a step may name several lists, as in ``columns.metrics|tests``. If the path
    is empty, the root is the only row. A row has the values of all records on the path, those of
    the root last.
    """
    steps = path.split(".") if path else []
    rows: list[dict[str, Value]] = []
    kinds = dict.fromkeys(_kinds((type(root),), steps))
    for chain in _chains((root,), steps):
        kinds.setdefault(tuple(map(type, chain)))
        rows.append({})
        for record in (*chain[1:], root):
            for column in csv_columns(record.__class__):
                if column.name not in rows[-1]:
                    rows[-1][column.name] = column.get(record)
    optional: dict[str, bool] = {}
    # The longest chains decide the order of the columns; shorter ones leave some of them empty.
    for kind in sorted(kinds, key=len, reverse=True):
        for level in (*range(1, len(kind)), 0):
            for column in csv_columns(kind[level]):
                optional[column.name] = column.optional and optional.get(column.name, True)
    names = [
        name
        for name, is_optional in optional.items()
        if not is_optional or any(row.get(name) is not None for row in rows)
    ]
    yield tuple(names)
    yield from (tuple(map(row.get, names)) for row in rows)


def _kinds(kinds: tuple[type, ...], path: Sequence[str]) -> Iterator[tuple[type, ...]]:
    """Yield the classes of `_chains`, found by annotations, as a file without rows has a header."""
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


class PathColumn(NamedTuple):
    """A column of a table; what it sets overrides the annotation of its values.

    `path` leads from the record to the value, as in ``randomisation.p``; `mark` returns the mark of
    its cell, given the record.
    """

    path: str
    heading: str = ""
    group: str = ""
    full_heading: str = ""
    common: str = ""
    write: int | Callable[[Any], str] | None = None
    mark: Callable[[Any], Mark] | None = None
    role: Role | None = None


def table_of(records: Iterable[Any], cls: type, *columns: str | PathColumn) -> Table:
    """Return a table of some values of records of a class; a string is the path of a value."""
    listed = [PathColumn(column) if isinstance(column, str) else column for column in columns]
    fields = [_at_path(cls, column.path) for column in listed]
    heads = tuple(map(_head, listed, fields))
    cells = [_writer(column, field) for column, field in zip(listed, fields, strict=True)]
    return Table(heads, tuple(tuple(cell(record) for cell in cells) for record in records))


def _head(column: PathColumn, field: RowField) -> Column:
    heading = column.heading or field.shown.heading or field.key
    alone = f"{column.group} {heading}".strip()
    # Single letters, such as p, keep their case.
    is_word = alone[1:2].strip()
    return Column(
        heading,
        "l" if field.type in {str, bool} else "r",
        column.role or field.shown.role or (Role.NAME if field.type is str else Role.VALUE),
        column.group,
        column.full_heading or (alone[0].upper() + alone[1:] if is_word else alone),
        column.common,
        field.shown.is_signed,
    )


def _at_path(cls: type, path: str) -> RowField:
    fields = {field.name: field for field in fields_of(cls)}
    if path in fields:
        return fields[path]
    name, _, rest = path.partition(".")
    return _at_path(fields[name].type, rest)


def _writer(column: PathColumn, field: RowField) -> Callable[[Any], Cell]:
    path = column.path.removesuffix(field.name).rstrip(".")
    holder = _getter(path) if path else lambda record: record
    write = field.shown.write if column.write is None else column.write

    def cell(record: Any) -> Cell:
        inner = holder(record)
        is_known = inner is not None
        made = cell_of(field.get(inner) if is_known else None, field, write if is_known else None)
        return replace(made, mark=column.mark(record)) if column.mark else made

    return cell


def cell_of(value: Any, field: RowField, write: int | Callable[[Any], str] | None) -> Cell:
    """Return the cell of a value."""
    if callable(write):
        return Cell(write(value))
    if write is not None and _is_interval(field.type):
        return interval_cell(value or (None, None), write)
    if write is not None:
        return Cell(number(None if value is None else float(value), write))
    if value is None:
        return Cell(UNDEFINED)
    if isinstance(value, bool):
        return Cell("yes" if value else "no")
    return Cell(escape_unprintable(str(value)))
