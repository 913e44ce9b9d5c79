"""JSON Schemas of reports (draft 2020-12), from the annotations of their records."""

from collections.abc import Mapping
from types import NoneType
from typing import Any, get_args, get_origin, get_type_hints

from rouge_cli.options.declaration import OptionGroup
from rouge_cli.options.readers import Number
from rouge_cli.reports.rows import PROGRAM, SCHEMA_VERSION, Schema, fields_of
from rouge_cli.studies.score.rows import computed_options


def json_schema(root: type, title: str, about: str) -> Schema:
    """Return the schema (draft 2020-12) of a report whose root is a record."""
    definitions: dict[str, Schema] = {}
    program = {
        "program": {"const": PROGRAM["program"]},
        "version": {"type": "string", "pattern": r"^[0-9]+\.[0-9]+\.[0-9]+"},
        "schema_version": {"const": SCHEMA_VERSION},
    }
    schema = _record_schema(root, definitions)
    schema["properties"] = program | schema["properties"]
    schema["required"] = [*program, *schema["required"]]
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title}
    return head | {"description": about} | schema | {"$defs": definitions}


def _record_schema(cls: type, definitions: dict[str, Schema]) -> Schema:
    fields = [field for field in fields_of(cls) if field.shown.key is not None]
    properties: dict[str, Schema] = {}
    for field in fields:
        shown = field.shown
        schema = dict(shown.schema or {})
        if "$ref" in schema:
            definitions["options"] = _options_schema()
        else:
            schema = _schema(field.type, definitions) | schema
        # JSON leaves out an optional value that is None.
        if field.is_nullable and not shown.optional:
            schema = _or_null(schema)
        about = {"description": shown.about} if shown.about else {}
        properties[field.key] = about | schema
    return {
        "type": "object",
        "properties": properties,
        "required": [field.key for field in fields if not field.shown.optional],
        "additionalProperties": False,
    }


def _or_null(schema: Schema) -> Schema:
    if "enum" in schema:
        return schema | {"enum": [None, *schema["enum"]]}
    if isinstance(schema.get("type"), str) and schema["type"] not in {"object", "array"}:
        return schema | {"type": [schema["type"], "null"]}
    return {"oneOf": [schema, {"type": "null"}]}


_PLAIN: dict[Any, Schema] = {
    str: {"type": "string"},
    bool: {"type": "boolean"},
    int: {"type": "integer", "minimum": 0},
    float: {"type": "number"},
}


def _schema(kind: Any, definitions: dict[str, Schema]) -> Schema:
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
        # All other types, such as fractions, are numbers.
        return dict(_PLAIN.get(kind, _PLAIN[float]))
    if kind.__name__ not in definitions:
        # Reserve the place first, so that a record comes before those that it contains.
        definitions[kind.__name__] = {}
        definitions[kind.__name__] = _record_schema(kind, definitions)
    return {"$ref": f"#/$defs/{kind.__name__}"}


def _options_schema() -> Schema:
    """Return the schema of the options in a report of scores, by their declarations."""
    properties = {name: _option_schema(group, name) for _, group, name in computed_options()}
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


JSON_TYPES = {bool: "boolean", int: "integer", Number: "number", str: "string"}


def _option_schema(group: type[OptionGroup], name: str) -> Schema:
    declared, hint = group.options()[name], get_type_hints(group)[name]
    about = {"description": f"False with {declared.long}." if declared.off else declared.help}
    if get_origin(hint) is tuple:
        return about | {"type": "array", "items": {"type": "string"}}
    hints = get_args(hint) or (hint,)
    nothing = [None] if NoneType in hints else []
    if choices := getattr(declared.parse, "values", ()):
        return about | {"enum": [*nothing, *choices]}
    types = [JSON_TYPES[kind] for kind in hints if kind in JSON_TYPES]
    return about | {"type": [*types, "null"] if nothing else types[0]}
