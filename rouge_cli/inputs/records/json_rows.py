"""Reads rows from JSON lines or from a JSON document."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from io import BytesIO
from itertools import chain, count
from typing import Any, BinaryIO

from rouge_cli.errors import FoundError, InputError
from rouge_cli.inputs.decoding import BYTE_ORDER_MARK, Decoder
from rouge_cli.inputs.files import MEGABYTE
from rouge_cli.inputs.records.rows import (
    AS_PANDAS,
    MISSING,
    Row,
    RowProblem,
    choose_fields,
    field_value,
    kind_of,
    listed,
)
from rouge_cli.options.inputs import InputOptions
from rouge_cli.text.columns import is_utf8

SNIPPET = 20  # maximum number of characters of malformed JSON quoted in a message

_LINE = "expected one object a line"
_DOCUMENT = "expected a list of objects, or an object of parallel lists"
_NO_LINES = "one JSON document, not an object a line"
_PRETTY = "records over several lines; turn them with: jq -c . FILE > NEW.jsonl"
DEEPEST = 4
"""Maximum number of keys to a list of records; bounds the search in documents that have none."""
_REPEATED = "more than once in an object; expected each key once: rename it, or take one out"
_KEY_REPEATED = f"a key {_REPEATED}"
_TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"[ \t\r\n]*(:?)|[][{}]')
"""A string, followed by a colon if it is a key; or a bracket or brace."""


class _JsonError(FoundError):
    """Malformed JSON, on a line of the text counted from 1."""

    def __init__(self, line: int, problem: str, kind: str = "") -> None:
        super().__init__(problem, kind or problem)
        self.line = line


class RepeatedKeyError(ValueError):
    """An object has a key more than once; `json` and others would silently keep the last value.

    `keys` maps a line of the text to the repeated keys on it, `texts` to a message about them.
    """

    def __init__(self, keys: Mapping[int, list[str]]) -> None:
        names = {line: list(dict.fromkeys(map(repr, of_line))) for line, of_line in keys.items()}
        self.texts = {
            line: f"the key{'s' * (len(listed) > 1)} {', '.join(listed)} {_REPEATED}"
            for line, listed in names.items()
        }
        super().__init__("; ".join(f"line {line}: {text}" for line, text in self.texts.items()))


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        raise ValueError
    return value


_DECODER = json.JSONDecoder(object_pairs_hook=_unique)


def load_json(data: str | bytes, parse_constant: Callable[[str], Any] | None = None) -> Any:
    """Read JSON like `json.loads`, but raise RepeatedKeyError if an object has a key twice."""
    text = data
    if isinstance(text, bytes):
        text = text.decode(json.detect_encoding(text), "surrogatepass")
    decoder = _DECODER
    if parse_constant is not None:
        decoder = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=parse_constant)
    try:
        return decoder.decode(text)
    except RecursionError:
        raise
    except ValueError:
        # A syntax error, even after the repeated key, is more important: let it be raised.
        json.loads(data, parse_constant=parse_constant)
        raise RepeatedKeyError(_repeated_keys(text)) from None


def _repeated_keys(text: str) -> dict[int, list[str]]:
    keys: dict[int, list[str]] = {}
    line, end = 1, 0
    # The keys of each enclosing object; None for an enclosing list.
    open_keys: list[set[str] | None] = []
    for token in _TOKEN.finditer(text):
        if token[0] in {"{", "["}:
            open_keys.append(set() if token[0] == "{" else None)
        elif token[0] in {"}", "]"}:
            open_keys.pop()
        elif token[2] and (known := open_keys[-1]) is not None:
            key = json.loads(f'"{token[1]}"')
            if key in known:
                line, end = line + text.count("\n", end, token.start()), token.start()
                keys.setdefault(line, []).append(key)
            known.add(key)
    return keys


_CONTINUATION = bytes(range(0x80, 0xC0))
"""Continuation bytes of UTF-8. The number of all other bytes is the number of characters."""

LINES_AT_ONCE = 1 << 20  # bytes read at a time

KEY = re.compile(rb'"[ \t\r]*:')
"""The end of a key. A string can only contain this after an escaped quote, so the number of matches
is at least the number of keys."""

MOST_EXACT = 2.0**63
"""Floats from here on may be integers that orjson converted; see `_sure_values`."""


def line_runs(stream: BinaryIO, decoder: Decoder) -> Iterator[list[Row | RowProblem]]:
    """Read one object per line, in runs of lines; blank lines are skipped.

    A line that is not an object becomes a RowProblem, and reading continues. If the first line is
    not an object because the whole input is one JSON document, this is the only problem. Raises
    InputError if the input cannot be decoded or a line has more characters than
    its limit.
    """
    orjson = orjson_or_none()
    is_first = True
    for lines in _whole_lines(stream, decoder):
        rows = list(_rows_of(lines, decoder, orjson))
        # A document in place of JSON lines would otherwise cause a problem on each of its lines.
        first = rows[0] if is_first and rows else None
        is_bad = isinstance(first, RowProblem) and first.kind != _KEY_REPEATED
        if is_bad and lines.lstrip()[:1] in {b"[", b"{"}:
            rest = stream.read()
            if is_utf8(lines + rest) and _is_json((lines + rest).decode()):
                yield [RowProblem("", _NO_LINES, "give --records-format json")]
                return
            if _are_pretty(lines + rest):
                yield [RowProblem("", _PRETTY)]
                return
            yield rows
            yield from line_runs(BytesIO(rest), decoder)
            return
        is_first = is_first and not rows
        yield rows


def _whole_lines(stream: BinaryIO, decoder: Decoder) -> Iterator[bytes]:
    while lines := stream.read(LINES_AT_ONCE):
        end = lines.rfind(b"\n") + 1
        n_characters = _n_characters(lines[end:])
        while not lines.endswith(b"\n"):
            # Extend the chunk to the end of its last line. Whole lines before an error are yielded
            # first, so that their problems are reported, too.
            try:
                more = stream.readline(LINES_AT_ONCE)
            except InputError:
                yield lines[:end]
                raise
            n_characters += _n_characters(more)
            if n_characters > decoder.max_record * MEGABYTE:
                yield lines[:end]
                # The decoder raises InputError, for bad encoding if that comes before the limit.
                list(decoder.lines(BytesIO(lines[end:] + more)))
            lines += more
            if not more:
                break
        yield lines


def _n_characters(text: bytes) -> int:
    return len(text.translate(None, _CONTINUATION))


def _rows_of(lines: bytes, decoder: Decoder, orjson: Any) -> Iterator[Row | RowProblem]:
    """Read lines with orjson if its result is certain to equal that of `json`, else with `json`."""
    # Try all lines together first: checking them one by one costs more.
    in_order = [] if orjson is None else lines.removesuffix(b"\n").split(b"\n")
    if in_order and max(map(len, in_order)) <= decoder.max_record * MEGABYTE:
        values = _sure_values(orjson, in_order, lines)
        if values is not None:
            yield from map(Row, count(decoder.line), values)
            decoder.line += len(values)
            return
    for number, line in enumerate(decoder.lines(BytesIO(lines)), decoder.line):
        # In joined files, a line in the middle may begin with a byte order mark.
        text = line.removeprefix(BYTE_ORDER_MARK)
        if text.isspace():
            continue
        values = None
        if orjson is not None:
            encoded = text.encode("utf-8", "surrogateescape")
            values = _sure_values(orjson, [encoded], encoded)
        yield _json_row(number, text) if values is None else Row(number, values[0])


def _sure_values(orjson: Any, lines: list[bytes], whole: bytes) -> list[dict[str, Any]] | None:
    """Return the objects on some lines; None if `json` might read one of them differently.

    `whole` is the text of all `lines`. orjson differs in two ways, both of which are detected:

    - It silently keeps the last value of a repeated key. The objects then have fewer keys than the
      text.
    - It converts integers beyond 64 bits to floats. Therefore floats of that size are not trusted.
    """
    try:
        values: list[Any] = list(map(orjson.loads, lines))
    except ValueError:
        return None
    # Walk over all values level by level, because a loop over a level is faster than recursion.
    n_keys, level, kinds = 0, values, set(map(type, values))
    if kinds != {dict}:
        return None
    while kinds & {dict, list, float}:
        if float in kinds and any(
            abs(value) >= MOST_EXACT for value in level if type(value) is float
        ):
            return None
        dicts = [value for value in level if type(value) is dict] if dict in kinds else []
        lists = [value for value in level if type(value) is list] if list in kinds else []
        n_keys += sum(map(len, dicts))
        inner = (*map(dict.values, dicts), *lists)
        level = list(chain.from_iterable(inner))
        kinds = set(map(type, level))
    return values if n_keys == len(KEY.findall(whole)) else None


def orjson_or_none() -> Any:
    """Return the module orjson, four times as fast as `json`; None if it is not installed."""
    try:
        import orjson
    except ImportError:
        return None
    return orjson


def _are_pretty(data: bytes) -> bool:
    try:
        text = data.decode().lstrip()
        value, end = _DECODER.raw_decode(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and "\n" in text[:end] and text[end:].lstrip()[:1] == "{"


def _is_json(text: str) -> bool:
    try:
        _load(text)
    except RepeatedKeyError:
        return True
    except _JsonError:
        return False
    return True


def document_rows(text: str, inputs: InputOptions) -> Iterator[Row | RowProblem]:
    """Read one JSON document: a list of objects, or an object.

    If the field of predictions, as chosen by `inputs`, is a list, the object has parallel lists
    with an item per record. Otherwise it is a record itself, or contains a single list of records.
    """
    if not text.strip():
        return
    try:
        value = _load(text)
    except RepeatedKeyError as error:
        for line, problem in error.texts.items():
            yield RowProblem(f"line {line}", problem, kind=_KEY_REPEATED)
        return
    except _JsonError as error:
        if _are_pretty(text.encode("utf-8", "surrogatepass")):
            yield RowProblem("", _PRETTY)
            return
        # The file may have JSON lines, but the suffix of a document.
        is_lines = text.startswith("{") and _is_json(text.partition("\n")[0])
        advice = "an object a line is read with --records-format jsonl" if is_lines else _DOCUMENT
        yield RowProblem(f"line {error.line}", f"{error}; {advice}")
        return
    if (path := inputs.records_at) is not None:
        there = field_value(value, path)
        if not _is_list_of_objects(there):
            kind = "nothing" if there is MISSING else kind_of(there)
            paths = ", ".join(below for below, _ in lists_of_objects(value))
            hint = f"; there are some at: {paths}" if paths else ""
            yield RowProblem("", f"--records-at {path}: {kind}; expected a list of objects{hint}")
            return
        value = there
    if isinstance(value, dict):
        yield from _object_rows(value, inputs)
    elif isinstance(value, list):
        yield from _item_rows(value)
    else:
        yield RowProblem("", f"{kind_of(value)}; {_DOCUMENT}")


def _item_rows(items: Sequence[Any]) -> Iterator[Row | RowProblem]:
    for number, item in enumerate(items, 1):
        if isinstance(item, dict):
            yield Row(number, item)
        else:
            hint = AS_PANDAS.format("values") if isinstance(item, list) else ""
            yield _no_object(f"record {number}", item, f"expected an object{hint}")


def _is_list_of_objects(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(x, dict) for x in value)


def lists_of_objects(value: Any, path: str = "", depth: int = DEEPEST) -> Iterator[tuple[str, Any]]:
    """Yield the path and the items of each list of objects; lists nested in them are skipped."""
    if not isinstance(value, dict) or not depth:
        return
    for key, item in value.items():
        below = f"{path}.{key}" if path else key
        if _is_list_of_objects(item):
            yield below, item
        else:
            yield from lists_of_objects(item, below, depth - 1)


def shape_hint(record: Mapping[str, Any]) -> str:
    """Return advice on an object without the expected fields, judging by its shape; may be empty.

    Recognises what pandas writes with other orientations, and records below a key.
    """
    values = list(record.values())
    if {"columns", "data"} <= record.keys():
        return AS_PANDAS.format("split")
    if values and all(isinstance(x, dict) and x.keys() == values[0].keys() for x in values):
        return AS_PANDAS.format("index")
    paths = [path for path, _ in lists_of_objects(record)]
    if not paths:
        return ""
    return (
        f"; lists of objects are at: {', '.join(paths)}: name one with --records-at in a JSON "
        f"document, or take it out with: jq -c '.{paths[0]}[]' FILE > NEW.jsonl"
    )


def _json_row(number: int, line: str) -> Row | RowProblem:
    place = f"line {number}"
    try:
        value = _load(line.rstrip())
    except RepeatedKeyError as error:
        (problem,) = error.texts.values()
        return RowProblem(place, problem, kind=_KEY_REPEATED)
    except _JsonError as error:
        return RowProblem(place, f"{error}; {_LINE}", kind=f"{error.kind}; {_LINE}")
    return Row(number, value) if isinstance(value, dict) else _no_object(place, value, _LINE)


def _no_object(place: str, value: Any, expected: str) -> RowProblem:
    kind = f"{kind_of(value, is_exact=False)}; {expected}"
    return RowProblem(place, f"{kind_of(value)}; {expected}", kind=kind)


def _load(text: str) -> Any:
    try:
        return load_json(text)
    except RepeatedKeyError:
        raise
    except json.JSONDecodeError as error:
        rest = text[error.pos :].partition("\n")[0].rstrip()[:SNIPPET]
        reason = error.msg.removesuffix(" starting at").removesuffix(" at")
        snippet = f"found {rest!r}" if rest else "found the end of the line"
        text = f"not JSON: {reason} (column {error.colno}), {snippet}"
        raise _JsonError(error.lineno, text, f"not JSON: {reason}") from None
    except RecursionError:
        raise _JsonError(1, "JSON that is nested too deeply to be read") from None
    except ValueError:
        # Python refuses to convert integers with more than some thousand digits.
        raise _JsonError(1, "JSON with a number of too many digits") from None


def _object_rows(value: Mapping[str, Any], inputs: InputOptions) -> Iterator[Row | RowProblem]:
    try:
        fields = choose_fields(value, inputs)
        missing = [path for path in fields.paths if field_value(value, path) is MISSING]
    except ValueError as error:
        if (items := _nested_records(value, inputs)) is None:
            yield RowProblem("", f"{error}{shape_hint(value)}")
        else:
            yield from _item_rows(items)
        return
    # Fields at the top level have priority over a list of records below them.
    if missing and (items := _nested_records(value, inputs)) is not None:
        yield from _item_rows(items)
        return
    if missing and (hint := shape_hint(value)):
        yield RowProblem("", f"no field {missing[0]!r}; {listed(value)}{hint}")
        return
    if not isinstance(field_value(value, fields.prediction), list):
        yield Row(1, value)
        return
    columns = {path: field_value(value, path) for path in fields.paths}
    of_all = {}
    if fields.system is not None and isinstance(columns[fields.system], str):
        # A single string names the system of all records.
        of_all = {fields.system: columns.pop(fields.system)}
    if problems := list(_list_problems(columns, value)):
        yield from problems
        return
    for number, values in enumerate(zip(*columns.values(), strict=True), 1):
        yield Row(number, dict(zip(columns, values, strict=True)) | of_all)


def _nested_records(value: Mapping[str, Any], inputs: InputOptions) -> Any:
    """Return the only list of objects that has the fields to read, or the only one at all.

    Returns None if a document has no such list, or more than one.
    """
    lists = [items for _, items in lists_of_objects(value)]
    fitting: list[Any] = []
    for items in lists:
        with suppress(ValueError):
            paths = choose_fields(items[0], inputs).paths
            if all(field_value(items[0], path) is not MISSING for path in paths):
                fitting.append(items)
    lists = fitting or lists
    return lists[0] if len(lists) == 1 else None


def _list_problems(columns: Mapping[str, Any], value: Mapping[str, Any]) -> Iterator[RowProblem]:
    for path, column in columns.items():
        if column is MISSING:
            yield RowProblem("", f"no field {path!r}; {listed(value)}")
        elif not isinstance(column, list):
            expected = f"expected a list, as field {next(iter(columns))!r} is one"
            yield RowProblem("", f"field {path!r} is {kind_of(column)}; {expected}")
    lists = {path: column for path, column in columns.items() if isinstance(column, list)}
    if len(set(map(len, lists.values()))) > 1:
        lengths = "; ".join(f"{path!r} has {len(column)}" for path, column in lists.items())
        yield RowProblem("", f"lists of different lengths: {lengths}; expected parallel lists")
