"""The built-in protocols, and protocols in files by users; both are written in TOML.

A table has the choices by name, in the groups of `Protocol`. ``like`` names a protocol whose
choices apply where the table has none; without it, the defaults do.
"""

import json
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, replace
from types import MappingProxyType
from typing import Any, get_type_hints

from rouge_cli.data import PROTOCOL_LIST, read_list
from rouge_cli.errors import InputError, OptionError, close_to
from rouge_cli.protocols.counting import CountChoices, measures_of
from rouge_cli.protocols.package_options import OPTIONS
from rouge_cli.protocols.protocol import Protocol, check_value
from rouge_cli.protocols.scoring import MeanChoices, ScoreChoices
from rouge_cli.protocols.texts import TextChoices
from rouge_cli.text.xlsum import check_language

GROUPS: Mapping[str, type[Any]] = {
    "text": TextChoices,
    "counts": CountChoices,
    "scores": ScoreChoices,
    "means": MeanChoices,
}
"""The groups of choices by the names of their tables in a file."""

_EMPTY = Protocol(
    name="own",
    version="1",
    stands_for="a protocol of one's own",
    text=TextChoices(),
    counts=CountChoices(metrics=()),
)


def _frozen(value: Any) -> Any:
    # Protocols are keys of caches, so lists and tables become tuples, which can be hashed.
    if isinstance(value, Mapping):
        value = list(value.items())
    return tuple(map(_frozen, value)) if isinstance(value, list | tuple) else value


def _changed(start: Protocol, table: Mapping[str, Any]) -> Protocol:
    values = {key: _frozen(value) for key, value in table.items() if key not in {*GROUPS, "like"}}
    groups = {
        group: {key: _frozen(value) for key, value in table.get(group, {}).items()}
        for group in GROUPS
    }
    return replace(start.changed(**groups), **values)


def _listed() -> dict[str, Protocol]:
    protocols: dict[str, Protocol] = {}
    for name, table in tomllib.loads(read_list(PROTOCOL_LIST).decode()).items():
        like = protocols.get(table.get("like"), _EMPTY)
        # Only choices are inherited: name, version, defects and options are those of the table.
        start = replace(_EMPTY, **{group: getattr(like, group) for group in GROUPS})
        options = table.pop("options", None)
        protocol = _changed(replace(start, name=name, version=""), table)
        if options is not None:
            protocol = replace(protocol, options=OPTIONS[options])
        protocols[name] = protocol
    return protocols


_protocols = _listed()
ORIGINAL = _protocols.pop("ROUGE-1.5.5")
"""ROUGE-1.5.5 as a protocol, for comparisons with others. It is not among `PROTOCOLS`, since the
program computes its numbers by itself."""

PROTOCOLS: Mapping[str, Protocol] = MappingProxyType(_protocols)
"""The protocols by name."""


def find_protocol(name: str, what: str = "protocol") -> Protocol:
    """Return the protocol of a package, such as ``rouge`` or ``rouge@1.0.1``.

    Raises OptionError for an unknown name or an unknown version; its message begins with `what`.
    """
    known, _, version = name.partition("@")
    protocol = PROTOCOLS.get(known)
    if protocol is None:
        near = close_to(known, PROTOCOLS)
        hint = f"; did you mean {near}?" if near else ""
        raise OptionError(f"{what}: found {known!r}, expected one of {', '.join(PROTOCOLS)}{hint}")
    if version and version != protocol.version:
        expected = protocol.full_name if protocol.version else f"{known}, which has no versions"
        raise OptionError(f"{what}: found {name!r}, expected {expected}")
    return protocol


MOST_BYTES = 1 << 20
"""Size limit of a protocol file, which usually has a kilobyte or two."""

HEAD = {"name": str, "version": str, "stands_for": str, "defects": tuple[str, ...], "like": str}
"""The keys above the groups of a file, with their types."""


def read_protocol(path: str) -> Protocol:
    """Read a protocol from a TOML file.

    Raises InputError, which lists all mistakes in the file.
    """
    try:
        with open(path, "rb") as stream:
            # One extra byte shows that there are too many, without reading the rest.
            data = stream.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise InputError(f"{path}: found more than 1 MB, expected a protocol in TOML")
        table = tomllib.loads(data.decode("utf-8"))
    except OSError as error:
        raise InputError(f"{path}: cannot be read as a protocol: {error.strerror}") from None
    except ValueError as error:
        raise InputError(f"{path}: no TOML: {error}") from None
    except RecursionError:
        raise InputError(f"{path}: TOML that is nested too deeply to be read") from None
    return protocol_of(table, path)


def protocol_of(table: Mapping[str, Any], source: str) -> Protocol:
    """Return the protocol that a table of TOML describes; `source` names it in messages.

    Raises InputError if a name is unknown or a value is impossible.
    """
    problems = [f"{source}: {problem}" for problem in _problems(table)]
    if problems:
        raise InputError(problems)
    like = table.get("like")
    protocol = _changed(_EMPTY if like is None else find_protocol(like), table)
    # Types have been checked above; what follows needs the whole protocol.
    try:
        measures = measures_of(protocol.counts)
    except OptionError as error:
        raise InputError(f"{source}: counts.metrics: {error}") from None
    if not measures:
        raise InputError(f"{source}: counts.metrics: empty, expected a metric")
    text = protocol.text
    if text.language is not None:
        if "xlsum" not in {text.words, text.sentence_words}:
            raise InputError(f"{source}: text.language is for words = 'xlsum'")
        try:
            check_language(text.language)
        except OptionError as error:
            raise InputError(f"{source}: text.language: {error}") from None
    return protocol


def _problems(table: Mapping[str, Any]) -> Iterator[str]:
    for name, values in table.items():
        if name not in GROUPS:
            yield from _problems_of_value(name, values, HEAD, GROUPS)
        elif not isinstance(values, Mapping):
            yield f"{name}: found {values!r}, expected a table"
        else:
            hints = get_type_hints(GROUPS[name], include_extras=True)
            types = {f"{name}.{choice}": annotation for choice, annotation in hints.items()}
            for choice, value in values.items():
                item = list(value.items()) if isinstance(value, Mapping) else value
                yield from _problems_of_value(f"{name}.{choice}", item, types)
    if isinstance(like := table.get("like"), str):
        try:
            find_protocol(like)
        except OptionError as error:
            yield f"like: {error}"


def _problems_of_value(
    name: str, value: object, types: Mapping[str, Any], others: Iterable[str] = ()
) -> Iterator[str]:
    """Yield a message if a value is invalid, or if `types` lack its name.

    `others` are further names that the message may suggest.
    """
    if name not in types:
        known = [*types, *others]
        near = close_to(name, known)
        yield f"found {name!r}, expected " + (f"{near}?" if near else f"one of {', '.join(known)}")
        return
    try:
        check_value(name, value, types[name])
    except OptionError as error:
        yield str(error)


def spelled_out(protocol: Protocol) -> dict[str, Any]:
    """Return all choices of a protocol as a table for `protocol_of`.

    Choices that are None are left out, as TOML has no null.
    """
    table: dict[str, Any] = {key: getattr(protocol, key) for key in HEAD if key != "like"}
    for name, group in GROUPS.items():
        choices = getattr(protocol, name)
        values = {field.name: getattr(choices, field.name) for field in fields(group)}
        table[name] = {key: value for key, value in values.items() if value is not None}
    table["counts"]["metrics"] = dict(protocol.counts.metrics)
    return table


def as_toml(protocol: Protocol) -> Iterator[str]:
    """Yield the lines of a file that `read_protocol` reads as this protocol."""
    table = spelled_out(protocol)
    for name, value in table.items():
        if name not in GROUPS:
            yield f"{name} = {_toml(value)}"
    for name in GROUPS:
        yield ""
        yield f"[{name}]"
        yield from (f"{key} = {_toml(value)}" for key, value in table[name].items())


def _toml(value: Any) -> str:
    # For the values of protocols, TOML and JSON differ only in tables.
    if isinstance(value, dict):
        pairs = ", ".join(f"{_toml(key)} = {_toml(item)}" for key, item in value.items())
        return f"{{ {pairs} }}"
    return json.dumps(value)
