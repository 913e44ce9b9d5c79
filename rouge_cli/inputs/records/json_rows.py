"""JSON to rows: an object a line, or one document."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import chain, islice
from json.scanner import make_scanner
from typing import Any, BinaryIO

from rouge_cli.errors import FoundError, InputError
from rouge_cli.inputs.decoding import Decoder
from rouge_cli.inputs.records.rows import (
    MISSING,
    Row,
    RowProblem,
    Taker,
    choose_fields,
    field_value,
    kind_of,
    listed,
)
from rouge_cli.options.inputs import InputOptions
from rouge_cli.threads import mapped

SNIPPET = 20
"""Characters of malformed JSON that a message shows."""

_LINE_ENDS = frozenset({"", "\n", "\r\n"})
_LINE = "expected one object a line"
_DOCUMENT = "expected a list of objects, or an object of parallel lists"
_NO_LINES = "one JSON document, not an object a line"
_REPEATED = "more than once in an object; expected each key once: rename it, or take one out"
_KEY_REPEATED = f"a key {_REPEATED}"
_TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"[ \t\r\n]*(:?)|[][{}]')
"""Behind a string a colon, if it is a key; or a bracket."""


class _JsonError(FoundError):
    """Malformed JSON, with its line in the text."""

    def __init__(self, line: int, problem: str, kind: str = "") -> None:
        super().__init__(problem, kind or problem)
        self.line = line


class RepeatedKeyError(ValueError):
    """Objects have keys twice, of which `json` and others keep the last value without a word.

    `keys` are those that are there again, by the line of the text on which they are.
    """

    def __init__(self, keys: dict[int, list[str]]) -> None:
        self.keys = keys
        super().__init__("; ".join(f"line {line}: {text}" for line, text in self.texts().items()))

    def texts(self) -> dict[int, str]:
        """Return what was found and expected, by line."""
        names = {line: list(dict.fromkeys(map(repr, keys))) for line, keys in self.keys.items()}
        return {
            line: f"the key{'s' * (len(listed) > 1)} {', '.join(listed)} {_REPEATED}"
            for line, listed in names.items()
        }


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the object that `json` has read; raises ValueError if it has a key twice."""
    value = dict(pairs)
    if len(value) < len(pairs):
        raise ValueError
    return value


_DECODER = json.JSONDecoder(object_pairs_hook=_unique)


def load_json(data: str | bytes, parse_constant: Callable[[str], Any] | None = None) -> Any:
    """Read JSON as `json.loads` does, and raise what it raises; raises RepeatedKeyError too."""
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
        # What is no JSON, also behind the key, comes first.
        json.loads(data, parse_constant=parse_constant)
        raise RepeatedKeyError(_repeated_keys(text)) from None


def _repeated_keys(text: str) -> dict[int, list[str]]:
    """Return the keys that objects of JSON have again, by the line on which they are."""
    keys: dict[int, list[str]] = {}
    line, end = 1, 0
    # The keys of each object that is open; None for a list.
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


def jsonl_rows(lines: Iterable[str]) -> Iterator[Row | RowProblem]:
    """Read an object a line, from lines with their newlines; blank ones are skipped.

    Reading goes on after a line that is not an object. If the first is not an object because all is
    one JSON document, that is the only problem.
    """
    numbered = ((number, line) for number, line in enumerate(lines, 1) if not line.isspace())
    for number, line in islice(numbered, 1):
        row = _json_row(number, line)
        if isinstance(row, RowProblem) and row.kind != _KEY_REPEATED:
            rest = list(numbered)
            if line.lstrip()[0] in "[{" and _is_json("".join([line, *(text for _, text in rest)])):
                yield RowProblem("", _NO_LINES, "give --records-format json")
                return
            numbered = (pair for pair in rest)
        yield row
    yield from _later_rows(numbered)


def _later_rows(numbered: Iterable[tuple[int, str]]) -> Iterator[Row | RowProblem]:
    """Read an object a line from lines that are not blank, behind the first."""
    scan = make_scanner(_DECODER)  # type: ignore[arg-type]
    for number, line in numbered:
        # The common case: an object from the start of a line to its end.
        try:
            value, end = scan(line, 0)
        except (StopIteration, ValueError, RecursionError):
            yield _json_row(number, line)
            continue
        is_row = isinstance(value, dict) and line[end:] in _LINE_ENDS
        yield Row(number, value) if is_row else _json_row(number, line)


LINES_AT_ONCE, LINES_ANEW = 1 << 20, 1 << 17
"""Bytes of lines that the core reads together, and those that it reads anew where it refuses a
line; if it still does, Python reads them all. In pieces of 1 MB two threads scan 100,000 records in
92 ms, and one in 100. In pieces of an eighth they took 160, and one 127: they waited for each other
at each piece."""

LONGEST_TAIL = 1 << 19
"""A line is not the core's if it goes on for longer behind these bytes."""


PIECES_BEFORE_THREADS = 1
"""So many are read by one thread: to start others takes as long."""


class JsonLines:
    """Rows of JSONL, as `jsonl_rows` returns them; or many lines at once for whoever can take them.

    It is read once, either as an iterator or by `rest` once the first rows are known. `n_threads`
    is how many may read.
    """

    def __init__(self, stream: BinaryIO, decoder: Decoder, n_threads: int = 1) -> None:
        self._stream = stream
        self._decoder = decoder
        self._n_threads = n_threads
        self._waiting = b""
        self._is_within_line = False
        self._ends_with_line = False
        self._error: InputError | None = None
        self._rows = jsonl_rows(decoder.lines(self))

    def __iter__(self) -> Iterator[Row | RowProblem]:
        """Return all rows that were not returned yet."""
        return self._rows

    def read(self, n_bytes: int) -> bytes:
        """Return bytes for the decoder, none at the end of the lines that it is to read.

        Raises InputError.
        """
        if self._waiting:
            content, self._waiting = self._waiting, b""
        elif self._error is not None:
            raise self._error
        elif not self._ends_with_line:
            content = self._stream.read(n_bytes)
        elif self._is_within_line:
            content = self._stream.readline(n_bytes)
        else:
            return b""
        self._is_within_line = bool(content) and not content.endswith(b"\n")
        return content

    def rest(self, taker: Taker) -> Iterator[Iterator[Row | RowProblem]]:
        """Yield the rows of those lines that `taker` does not take.

        It takes whole lines in their order, once the rows before them are used up. Raises
        InputError.
        """
        self._ends_with_line = True
        yield self._rows
        is_more = True
        while is_more:
            is_more = False
            for lines, scanned in self._scanned(taker):
                is_more = not _is_whole(lines)
                number = self._decoder.line
                if scanned is not None and (n_taken := taker.take(scanned, number)):
                    self._decoder.skip_lines(n_taken)
                    continue
                self._waiting = lines
                numbered = enumerate(self._decoder.lines(self), number)
                yield _later_rows(pair for pair in numbered if not pair[1].isspace())

    def _scanned(self, taker: Taker) -> Iterator[tuple[bytes, Any]]:
        """Yield pieces, each as it is and as it was scanned, up to one that is not whole."""

        def scan(piece: bytes | InputError) -> list[tuple[bytes | InputError, Any]]:
            if isinstance(piece, InputError) or not _is_whole(piece):
                return [(piece, None)]
            if (scanned := taker.scan(piece)) is not None or len(piece) <= LINES_ANEW:
                return [(piece, scanned)]
            return [(part, taker.scan(part)) for part in _parts(piece)]

        results = mapped(scan, self._pieces(), self._n_threads, PIECES_BEFORE_THREADS)
        # Its threads end with it, and not only when somebody lets go of an error.
        with closing(results):
            for piece, scanned in chain.from_iterable(results):
                if isinstance(piece, InputError):
                    raise piece
                yield piece, scanned

    def _pieces(self) -> Iterator[bytes | InputError]:
        """Yield lines, and what went wrong behind them; one that is not whole is the last.

        Behind it the decoder reads on. They are read ahead, so an error has to wait for its turn.
        """
        try:
            while lines := self._next_lines():
                yield lines
                if not _is_whole(lines):
                    return
        except InputError as error:
            yield error

    def _next_lines(self) -> bytes:
        """Return some lines; the last is cut if it is long, or an error is to come."""
        lines = self._stream.read(LINES_AT_ONCE)
        if lines and not lines.endswith(b"\n"):
            try:
                lines += self._stream.readline(LONGEST_TAIL)
            except InputError as error:
                self._error = error
        return lines


def _parts(lines: bytes) -> Iterator[bytes]:
    """Cut lines into parts of about `LINES_ANEW` bytes."""
    start = 0
    while start < len(lines):
        end = lines.find(b"\n", start + LINES_ANEW - 1) + 1 or len(lines)
        yield lines[start:end]
        start = end


def _is_whole(lines: bytes) -> bool:
    """Say whether the last of some lines is whole.

    An end without a newline is that of the file, or within a long line.
    """
    return lines.endswith(b"\n") or len(lines) < LINES_AT_ONCE


def _is_json(text: str) -> bool:
    """Say whether a text is a JSON document."""
    try:
        _load(text)
    except RepeatedKeyError:
        return True
    except _JsonError:
        return False
    return True


def document_rows(text: str, inputs: InputOptions) -> Iterator[Row | RowProblem]:
    """Read one JSON document: a list of objects, or an object.

    If the field of the prediction, as `inputs` choose it, is a list, the object is one of parallel
    lists, an item for each record; otherwise it is a record.
    """
    if not text.strip():
        return
    try:
        value = _load(text)
    except RepeatedKeyError as error:
        for line, problem in error.texts().items():
            yield RowProblem(f"line {line}", problem, kind=_KEY_REPEATED)
        return
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
    except RepeatedKeyError as error:
        (problem,) = error.texts().values()
        return RowProblem(f"line {number}", problem, kind=_KEY_REPEATED)
    except _JsonError as error:
        return RowProblem(f"line {number}", f"{error}; {_LINE}", kind=f"{error.kind}; {_LINE}")
    if isinstance(value, dict):
        return Row(number, value)
    return _no_object(f"line {number}", value, _LINE)


def _no_object(place: str, value: Any, expected: str) -> RowProblem:
    """Name the value that stands where an object should."""
    kind = f"{kind_of(value, is_exact=False)}; {expected}"
    return RowProblem(place, f"{kind_of(value)}; {expected}", kind=kind)


def _load(text: str) -> Any:
    """Read JSON; raises _JsonError and RepeatedKeyError."""
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
    """Yield fields that hold no list, and lists of different lengths."""
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
    """Say what is expected of the fields other than the prediction."""
    return f"expected a list, as field {next(iter(columns))!r} is one"
