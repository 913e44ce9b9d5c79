"""What a file of records consists of, rows and what is no row; JSONL and JSON to rows."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from json.scanner import make_scanner
from typing import Any, NamedTuple

from rouge_cli.errors import FoundError
from rouge_cli.inputs.records.fields import MISSING, choose_fields, field_value, listed
from rouge_cli.inputs.records.texts import kind_of
from rouge_cli.options.inputs import InputOptions
from rouge_cli.quick_dataclass import dataclass

__all__ = ["Row", "RowProblem", "document_rows", "jsonl_rows"]

SNIPPET = 20
"""Characters that are shown of what was found in the place of something else."""

_LINE_ENDS = frozenset({"", "\n", "\r\n"})
_LINE = "expected one object a line"
_DOCUMENT = "expected a list of objects, or an object of parallel lists"
_NO_LINES = "one JSON document, not an object a line"


class Row(NamedTuple):
    """One record; a tuple, since there are very many.

    Parameters
    ----------
    number : int
        The line on which it begins, or its place among the records, from 1.
    record : mapping of str to object
        Its fields.
    """

    number: int
    record: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class RowProblem:
    """Something that is no record.

    Parameters
    ----------
    place : str
        Where it stands, such as ``"line 7"``; empty for the file as a whole.
    text : str
        What was found, what was expected.
    advice : str
        Which option reads it, where one does; empty otherwise.
    kind : str
        What is said of many such, see `Problems.add`.
    """

    place: str
    text: str
    advice: str = ""
    kind: str = ""


class _JsonError(FoundError):
    """Says what is wrong, and on which line of the text."""

    def __init__(self, line: int, found: str, kind: str = "") -> None:
        super().__init__(found, kind or found)
        self.line = line


def jsonl_rows(lines: Iterable[str]) -> Iterator[Row | RowProblem]:
    """Read an object a line.

    Parameters
    ----------
    lines : iterable of str
        With their newlines. Blank ones are skipped.

    Yields
    ------
    Row or RowProblem
        Reading goes on after a line that is no object. If the first one is none because all is
        one JSON document, that is the only problem.
    """
    numbered = ((number, line) for number, line in enumerate(lines, 1) if not line.isspace())
    for number, line in islice(numbered, 1):
        row = _json_row(number, line)
        if isinstance(row, RowProblem):
            rest = list(numbered)
            if line.lstrip()[0] in "[{" and _is_json("".join([line, *(one for _, one in rest)])):
                yield RowProblem("", _NO_LINES, "give --records-format json")
                return
            numbered = (pair for pair in rest)
        yield row
    scan = make_scanner(json.JSONDecoder())  # type: ignore[arg-type]
    for number, line in numbered:
        # The common case: an object from the start of a line to its end.
        try:
            value, end = scan(line, 0)
        except (StopIteration, ValueError, RecursionError):
            yield _json_row(number, line)
            continue
        is_row = isinstance(value, dict) and line[end:] in _LINE_ENDS
        yield Row(number, value) if is_row else _json_row(number, line)


def _is_json(text: str) -> bool:
    """Say whether a text is a JSON document."""
    try:
        _load(text)
    except _JsonError:
        return False
    return True


def document_rows(text: str, inputs: InputOptions) -> Iterator[Row | RowProblem]:
    """Read one JSON document: a list of objects, or an object.

    Parameters
    ----------
    inputs : InputOptions
        They say which field is the prediction: if it is a list, the object is one of parallel
        lists, an item for each record; otherwise it is a record.
    """
    if not text.strip():
        return
    try:
        value = _load(text)
    except _JsonError as error:
        is_lines = text.startswith("{") and _is_json(text.partition("\n")[0])
        advice = "an object a line is read with --records-format jsonl" if is_lines else _DOCUMENT
        yield RowProblem(f"line {error.line}", f"{error}; {advice}")
        return
    if isinstance(value, dict):
        yield from _object_rows(value, inputs)
    elif isinstance(value, list):
        for number, item in enumerate(value, 1):
            if isinstance(item, dict):
                yield Row(number, item)
            else:
                yield _no_object(f"record {number}", item, "expected an object")
    else:
        yield RowProblem("", f"{kind_of(value)}; {_DOCUMENT}")


def _json_row(number: int, line: str) -> Row | RowProblem:
    """Read a line of JSONL."""
    try:
        value = _load(line.rstrip())
    except _JsonError as error:
        return RowProblem(f"line {number}", f"{error}; {_LINE}", kind=f"{error.kind}; {_LINE}")
    if isinstance(value, dict):
        return Row(number, value)
    return _no_object(f"line {number}", value, _LINE)


def _no_object(place: str, value: Any, expected: str) -> RowProblem:
    """Say what stands where an object should."""
    kind = f"{kind_of(value, is_exact=False)}; {expected}"
    return RowProblem(place, f"{kind_of(value)}; {expected}", kind=kind)


def _load(text: str) -> Any:
    """Read JSON; raises _JsonError."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        rest = text[error.pos :].partition("\n")[0].rstrip()[:SNIPPET]
        reason = error.msg.removesuffix(" starting at").removesuffix(" at")
        found = f"found {rest!r}" if rest else "found the end of the line"
        text = f"not JSON: {reason} (column {error.colno}), {found}"
        raise _JsonError(error.lineno, text, f"not JSON: {reason}") from None
    except RecursionError:
        raise _JsonError(1, "JSON that is nested too deeply to be read") from None
    except ValueError:
        # Python reads no integer beyond some thousand digits.
        raise _JsonError(1, "JSON with a number of too many digits") from None


def _object_rows(value: Mapping[str, Any], inputs: InputOptions) -> Iterator[Row | RowProblem]:
    """Read an object: parallel lists, or a record."""
    try:
        fields = choose_fields(value, inputs)
    except ValueError as error:
        yield RowProblem("", str(error))
        return
    if not isinstance(field_value(value, fields.prediction), list):
        yield Row(1, value)
        return
    columns = {path: field_value(value, path) for path in fields.paths}
    of_all = {}
    if fields.system is not None and isinstance(columns[fields.system], str):
        # One system for all records.
        of_all = {fields.system: columns.pop(fields.system)}
    problems = list(_list_problems(columns, value))
    yield from problems
    if not problems:
        for number, values in enumerate(zip(*columns.values(), strict=True), 1):
            yield Row(number, dict(zip(columns, values, strict=True)) | of_all)


def _list_problems(columns: Mapping[str, Any], value: Mapping[str, Any]) -> Iterator[RowProblem]:
    """Yield what is no list, and lists of different lengths."""
    for path, column in columns.items():
        if column is MISSING:
            yield RowProblem("", f"no field {path!r}; {listed(value)}")
        elif not isinstance(column, list):
            yield RowProblem("", f"field {path!r} is {kind_of(column)}; {_as_long(columns)}")
    lists = {path: column for path, column in columns.items() if isinstance(column, list)}
    if len(set(map(len, lists.values()))) > 1:
        lengths = "; ".join(f"{path!r} has {len(column)}" for path, column in lists.items())
        yield RowProblem("", f"lists of different lengths: {lengths}; expected parallel lists")


def _as_long(columns: Mapping[str, Sequence[Any]]) -> str:
    """Say what is expected of the fields beside the prediction."""
    return f"expected a list, as field {next(iter(columns))!r} is one"
