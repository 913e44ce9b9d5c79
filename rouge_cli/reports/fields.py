"""Fields: what is known of a result, listed once for CSV, JSON and the schema of the JSON.

A `Record` is a list of fields. `Record.data` makes a dictionary of them, `Record.cells` the values
of a row, and `Record.schema` the rules for the dictionary, as JSON Schema (draft 2020-12).
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from rouge_cli.quick_dataclass import dataclass
from rouge_cli.version import __version__

if TYPE_CHECKING:
    from fractions import Fraction

Schema = dict[str, Any]
VERSION = r"^[0-9]+\.[0-9]+\.[0-9]+"
Value = str | int | float | None
"""What a row of a CSV file has in a column; None is an empty field."""


Getter = str | Callable[[Any], Any]
"""From a record to a value, or the path of attributes to it: ``"plan.seed"``.

A path that comes upon None leads to None.
"""


class Kind(Protocol):
    """What a value is, and how JSON holds it."""

    def data(self, value: Any) -> Any:
        """Return dictionaries, lists, strings, finite numbers and None."""

    def schema(self, definitions: dict[str, Schema]) -> Schema:
        """Return the schema, and add what it refers to by name to `definitions`."""


@dataclass(frozen=True, slots=True)
class Plain:
    """A value that JSON holds as it is, with keywords of JSON Schema."""

    keywords: Mapping[str, Any]

    def data(self, value: Any) -> Any:
        """Return the value."""
        return value

    def schema(self, definitions: dict[str, Schema]) -> Schema:
        """Return the keywords."""
        return dict(self.keywords)


@dataclass(frozen=True, slots=True)
class Nullable:
    """A value that may be None."""

    kind: Kind

    def data(self, value: Any) -> Any:
        """Return the value as its kind does, or None."""
        return None if value is None else self.kind.data(value)

    def schema(self, definitions: dict[str, Schema]) -> Schema:
        """Return the schema of the kind, or null."""
        schema = self.kind.schema(definitions)
        if "enum" in schema:
            return schema | {"enum": [None, *schema["enum"]]}
        if schema.get("type") in {"string", "number", "integer", "boolean"}:
            return schema | {"type": [schema["type"], "null"]}
        return {"oneOf": [schema, {"type": "null"}]}


@dataclass(frozen=True, slots=True)
class Named:
    """A kind that the schema refers to by a name, as several fields have it."""

    kind: Kind
    name: str
    about: str = ""

    def data(self, value: Any) -> Any:
        """Return the value as its kind does."""
        return self.kind.data(value)

    def schema(self, definitions: dict[str, Schema]) -> Schema:
        """Return a reference to the definition."""
        if self.name not in definitions:
            # Reserved first, so that definitions stand in the order of reading.
            definitions[self.name] = {}
            about = {"description": self.about} if self.about else {}
            definitions[self.name] = about | self.kind.schema(definitions)
        return {"$ref": f"#/$defs/{self.name}"}


@dataclass(frozen=True, slots=True)
class ListOf:
    """Values of one kind, in order.

    `limits` are further keywords of JSON Schema, such as ``minItems``.
    """

    kind: Kind
    limits: Mapping[str, Any]

    def data(self, values: Any) -> list[Any]:
        """Return the values, each as its kind does."""
        return list(map(self.kind.data, values))

    def schema(self, definitions: dict[str, Schema]) -> Schema:
        """Return the schema of an array."""
        return {"type": "array", "items": self.kind.schema(definitions), **self.limits}


@dataclass(frozen=True, slots=True)
class ByName:
    """Values of one kind by their names."""

    kind: Kind
    limits: Mapping[str, Any]

    def data(self, values: Any) -> dict[str, Any]:
        """Return the values, each as its kind does."""
        return {name: self.kind.data(value) for name, value in values.items()}

    def schema(self, definitions: dict[str, Schema]) -> Schema:
        """Return the schema of an object with any keys."""
        values = self.kind.schema(definitions)
        return {"type": "object", "additionalProperties": values, **self.limits}


@dataclass(frozen=True, slots=True)
class OneOf:
    """A value of one of several kinds; `choose` returns the place of its kind."""

    kinds: tuple[Kind, ...]
    choose: Callable[[Any], int]

    def data(self, value: Any) -> Any:
        """Return the value as its kind does."""
        return self.kinds[self.choose(value)].data(value)

    def schema(self, definitions: dict[str, Schema]) -> Schema:
        """Return the schemas of all kinds."""
        return {"oneOf": [kind.schema(definitions) for kind in self.kinds]}


def literal(*values: Value) -> Plain:
    """Return the kind of a value that is one of several."""
    return Plain({"const": values[0]} if len(values) == 1 else {"enum": list(values)})


def list_of(kind: Kind, **limits: int) -> ListOf:
    """Return the kind of a list; `limits` are keywords of JSON Schema, such as ``minItems``."""
    return ListOf(kind, limits)


def by_name(kind: Kind, **limits: int) -> ByName:
    """Return the kind of a dictionary whose keys are names."""
    return ByName(kind, limits)


TEXT = Plain({"type": "string"})
NUMBER = Plain({"type": "number"})
COUNT = Plain({"type": "integer", "minimum": 0})
FLAG = Plain({"type": "boolean"})
BOUNDS = ListOf(NUMBER, {"minItems": 2, "maxItems": 2})
"""Lower and upper bound of an interval."""


def _value(record: Any, get: Getter) -> Any:
    """Return what a record has; a path ends at the first value that is None."""
    if not isinstance(get, str):
        return get(record)
    for name in get.split("."):
        record = None if record is None else getattr(record, name)
    return record


def _is_there(value: Any) -> bool:
    """Say whether JSON has a key; zero is a value."""
    return value is not None and value is not False and value != ()


@dataclass(frozen=True, slots=True)
class Field:
    """A value that is known of a record.

    Parameters
    ----------
    key : str
        Its name in JSON, and that of its column in CSV.
    get : str or callable
        From the record to the value, or the path of attributes to it; empty for that of its name.
    about : str
        What it is, for the schema; empty if the name says it.
    has_value : str or callable, or None
        As `get`: JSON lacks the key where this is None, False or an empty tuple; None if it
        always has it.
    """

    key: str
    kind: Kind = TEXT
    get: Getter = ""
    about: str = ""
    has_value: Getter | None = None

    def value(self, record: Any) -> Any:
        """Return the value that a record has."""
        return _value(record, self.get or self.key)


@dataclass(frozen=True, slots=True)
class Record:
    """What is known of one thing.

    Parameters
    ----------
    fields : tuple of Field
        In the order of the JSON.
    columns : mapping of str to str or callable, or None
        Columns of CSV that are no field, or differ from it: as `Field.get`.
    about : str
        What it is, for the schema; may be empty.
    """

    fields: tuple[Field, ...]
    columns: Mapping[str, Getter] | None = None
    about: str = ""

    def data(self, record: Any) -> dict[str, Any]:
        """Return the fields as JSON has them."""
        return {
            field.key: field.kind.data(field.value(record))
            for field in self.fields
            if field.has_value is None or _is_there(_value(record, field.has_value))
        }

    def cells(self, record: Any, columns: tuple[str, ...]) -> dict[str, Value]:
        """Return the values of those of some columns of CSV that the record knows."""
        getters = {field.key: field.get or field.key for field in self.fields}
        getters |= self.columns or {}
        known = [column for column in columns if column in getters]
        return {column: _value(record, getters[column]) for column in known}

    def schema(self, definitions: dict[str, Schema]) -> Schema:
        """Return the schema of an object."""
        about = {"description": self.about} if self.about else {}
        return about | {
            "type": "object",
            "properties": {field.key: _described(field, definitions) for field in self.fields},
            "required": [field.key for field in self.fields if field.has_value is None],
            "additionalProperties": False,
        }


def _described(field: Field, definitions: dict[str, Schema]) -> Schema:
    """Return the schema of a field with what it is."""
    about = {"description": field.about} if field.about else {}
    return about | field.kind.schema(definitions)


PROGRAM = (
    Field("program", literal("rouge-cli"), lambda _: "rouge-cli"),
    Field("version", Plain({"type": "string", "pattern": VERSION}), lambda _: __version__),
)
"""The fields that every JSON report begins with; saved reports are known by them."""


def shortened(exact: "Fraction | None") -> float | None:
    """Return an exact number as reports have it."""
    return None if exact is None else float(exact)


def json_schema(root: Record, title: str, about: str) -> Schema:
    """Return the schema of a JSON report whose root is a record."""
    definitions: dict[str, Schema] = {}
    schema = root.schema(definitions)
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title}
    return head | {"description": about} | schema | {"$defs": definitions}
