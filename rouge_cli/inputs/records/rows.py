"""Rows of a file of records, the fields that are read of them, and JSON to rows."""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from json.scanner import make_scanner
from typing import Any, BinaryIO, Final, NamedTuple, Protocol

from rouge_cli.errors import FoundError, InputError
from rouge_cli.inputs.files import Decoder
from rouge_cli.options.inputs import InputOptions
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.threads import mapped

MISSING: Final = object()
"""Returned by `field_value` if a path leads nowhere."""

# The first that a record has is taken. A dataset's own summary is the model if there is a peer.
PREDICTIONS = (
    "prediction",
    "predictions",
    "filtered_resps",
    "resps",
    "generated_summary",
    "hypothesis",
    "output",
    "summary_text",
    "generated_text",
    "model_output",
    "actual_output",
    "predict",
    "response",
    "summary",
)
MODELS = (
    "references",
    "reference",
    "targets",
    "target",
    "summary",
    "highlights",
    "expected_output",
    "ground_truth",
    "label",
)
DERIVED = {"filtered_resps": "resps"}
"""Where a field is read, another one that is there for it and is not meant."""
LONE_MODELS = frozenset({*MODELS} - {"references", "targets"})
IDS = ("id", "eval_id", "instance_id", "doc_id", "example_id")
SYSTEMS = ("system", "system_id", "summarizer_id")

MOST_NAMES = 30
"""Names in a message."""


@dataclass(frozen=True, slots=True)
class RecordFields:
    """The paths of the fields that are read.

    Parameters
    ----------
    predictions : tuple of tuple of str or None, and str
        The peers, each with the name of its system; the name is None if the record or the file says
        which system it is.
    references : tuple of str
        The models of each.
    id, system, cluster, run : str or None
        None if the records have no such field, or nobody asks for it.
    is_lone_model : bool
        Whether a list of strings as references is one model of several sentences.
    may_lack_references : bool
        Whether a record may do without the field of the references: it was found by default.
    unread : tuple of str
        Fields that would have been found by default too.
    """

    predictions: tuple[tuple[str | None, str], ...]
    references: tuple[str, ...]
    id: str | None
    system: str | None
    is_lone_model: bool = False
    may_lack_references: bool = False
    cluster: str | None = None
    run: str | None = None
    unread: tuple[str, ...] = ()

    @property
    def prediction(self) -> str:
        """The peer, or the first of several."""
        return self.predictions[0][1]

    @property
    def description(self) -> str:
        """The fields that are read, and their roles."""
        roles = {"id": self.id, "system": self.system, "cluster": self.cluster, "run": self.run}
        others = [f"{path!r} as {role}" for role, path in roles.items() if path is not None]
        return f"fields {', '.join((self.of_texts, *others))}"

    @property
    def of_texts(self) -> str:
        """Those of texts."""
        of_peers = [f"{path!r} as {name or 'prediction'}" for name, path in self.predictions]
        return ", ".join((*of_peers, *(f"{path!r} as references" for path in self.references)))

    @property
    def paths(self) -> tuple[str, ...]:
        """All of them."""
        peers = (path for _, path in self.predictions)
        paths = (*peers, *self.references, self.id, self.system, self.cluster, self.run)
        return tuple(filter(None, paths))

    @property
    def looked_at(self) -> tuple[str, ...]:
        """All of them, and those of which a warning says that they are not read."""
        return (*self.paths, *self.unread)


def choose_fields(names: Collection[str], inputs: InputOptions) -> RecordFields:
    """Choose the fields that are asked for, and for the others the first default that is there.

    `names` are the fields of the first record; fields that are asked for need not be among them.
    Where no name is spelt as asked for, the only one that differs in case is taken. Raises
    ValueError if there is nothing to take for the prediction or for the references.
    """
    # The same text must not be taken for peer and model.
    references = tuple(_spelt(path, names) for path in inputs.references)
    predictions = _predictions(inputs.prediction, names)
    if not predictions and (path := _first(PREDICTIONS, names, references)) is not None:
        predictions = ((None, path),)
    taken = tuple(path for _, path in predictions)
    model = None if references else _first(MODELS, names, taken)
    if not predictions or (model is None and not references):
        has_models = bool(model or references)
        raise ValueError(f"{_nothing_found(bool(predictions), has_models)}; {listed(names)}")
    is_named = predictions[0][0] is not None
    models = references if model is None else (model,)
    defaults = (*(() if inputs.prediction else PREDICTIONS), *(() if references else MODELS))
    system = _spelt(inputs.system, names) if inputs.system else _first(SYSTEMS, names)
    return RecordFields(
        predictions,
        models,
        _spelt(inputs.id, names) if inputs.id else _first(IDS, names),
        None if is_named else system,
        is_lone_model=model is not None and model.lower() in LONE_MODELS,
        may_lack_references=model is not None,
        cluster=_spelt(inputs.cluster, names) if inputs.cluster else None,
        run=_spelt(inputs.run, names) if inputs.run else None,
        unread=tuple(_unread(defaults, names, (*taken, *models))),
    )


def _predictions(
    asked: Sequence[str], names: Collection[str]
) -> tuple[tuple[str | None, str], ...]:
    """Return the fields of the peers with the names of their systems; raises ValueError.

    Of several, those without a name are called as their fields are.
    """
    path_of_system: dict[str | None, str] = {}
    for value in asked:
        name, equals, path = value.partition("=")
        if not (name and equals and path) or _spelt(value, names) in names:
            name, path = value, value
        system = None if len(asked) == 1 and path == value else name
        if system in path_of_system:
            raise ValueError(f"--prediction names a system {system!r} twice; give each NAME=FIELD")
        path_of_system[system] = _spelt(path, names)
    return tuple(path_of_system.items())


def are_systems_named(inputs: InputOptions, names: Collection[str]) -> bool:
    """Say whether the options name the systems, so that the records do not."""
    predictions = _predictions(inputs.prediction, names)
    return bool(predictions) and predictions[0][0] is not None


def _spelt(path: str, names: Collection[str]) -> str:
    """Return the name that a path has among `names`, in whatever case; the path if there is none.

    Two that differ in case alone are told apart.
    """
    if path in names:
        return path
    alike = [name for name in names if name.lower() == path.lower()]
    return alike[0] if len(alike) == 1 else path


def _first(
    defaults: Iterable[str], names: Collection[str], taken: Iterable[str] = ()
) -> str | None:
    """Return the first default that is there and is not taken, whole or in part."""
    return next(iter(_unread(defaults, names, taken)), None)


def _unread(
    defaults: Iterable[str], names: Collection[str], taken: Iterable[str] = ()
) -> Iterator[str]:
    """Yield all defaults that are there and are not taken, whole or in part."""
    roots = {part for path in taken for part in (path, path.partition(".")[0])}
    roots |= {DERIVED[path] for path in roots & DERIVED.keys()}
    spelt = dict.fromkeys(_spelt(name, names) for name in defaults)
    return (name for name in spelt if name in names and name not in roots)


def _nothing_found(has_peer: bool, has_models: bool) -> str:
    """Say which field is missing."""
    if has_peer:
        return "no references; name their field with --references"
    if has_models:
        return "no prediction; name its field with --prediction"
    return "neither prediction nor references; name the fields with --prediction and --references"


def name_of_run(system: str, path: str, run: str) -> str:
    """Name the run of a system; raises ValueError if the name could not be taken apart again."""
    between = f" {path}="
    if between.lower() in run.lower():
        expected = f"expected a run without {between!r}"
        kind = f"field {path!r} is no name of a run; {expected}"
        raise FoundError(f"field {path!r} is {run!r}; {expected}", kind)
    return f"{system}{between}{run}"


def listed(names: Collection[str]) -> str:
    """Say which fields a record has, for a message."""
    printable = [name if name.isprintable() else ascii(name) for name in names]
    more = f" and {len(printable) - MOST_NAMES} more" if len(printable) > MOST_NAMES else ""
    return f"the record has: {', '.join(printable[:MOST_NAMES]) or 'no fields'}{more}"


def kind_of(value: Any, *, is_exact: bool = True) -> str:
    """Name the kind of a value in terms of JSON; a number with its digits, if `is_exact`."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return f"the number {value}"[:40] if is_exact else "a number"
    names: dict[type, str] = {str: "a string", list: "a list", dict: "an object", bytes: "bytes"}
    return names.get(type(value)) or f"a {type(value).__name__}"


def field_value(value: Any, path: str) -> Any:
    """Return what a path leads to in a record, or in a value of it; `MISSING` if there is nothing.

    The path is keys of objects and positions in lists, from 0, with dots between them. A key that
    has dots itself comes first.
    """
    if isinstance(value, dict):
        if path in value:
            return value[path]
        return _value_below(value, path)
    if not isinstance(value, list):
        return MISSING
    index, _, rest = path.partition(".")
    # No list is that long, and Python refuses to read some.
    if not (index.isascii() and index.isdecimal() and len(index) < 10):  # noqa: PLR2004
        return MISSING
    if int(index) >= len(value):
        return MISSING
    return field_value(value[int(index)], rest) if rest else value[int(index)]


def _value_below(record: Mapping[str, Any], path: str) -> Any:
    """Follow a path whose first key, the longest first, is only a part of it."""
    head, dot, _ = path.rpartition(".")
    while dot:
        if head in record:
            value = field_value(record[head], path[len(head) + 1 :])
            if value is not MISSING:
                return value
        head, dot, _ = head.rpartition(".")
    return MISSING


SNIPPET = 20
"""Characters of malformed JSON that a message shows."""

_LINE_ENDS = frozenset({"", "\n", "\r\n"})
_LINE = "expected one object a line"
_DOCUMENT = "expected a list of objects, or an object of parallel lists"
_NO_LINES = "one JSON document, not an object a line"


class Row(NamedTuple):
    """One record; a tuple, since there are very many.

    `number` is the line on which it begins, or its position among the records, from 1.
    """

    number: int
    record: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class RowProblem:
    """Something that is not a record.

    Parameters
    ----------
    place : str
        Where it stands, such as ``"line 7"``; empty for the file as a whole.
    text : str
        What was found, what was expected.
    advice : str
        Which option reads it; empty if there is none.
    kind : str
        What is said of many such, see `Problems.add`.
    """

    place: str
    text: str
    advice: str = ""
    kind: str = ""


class _JsonError(FoundError):
    """Malformed JSON, with its line in the text."""

    def __init__(self, line: int, problem: str, kind: str = "") -> None:
        super().__init__(problem, kind or problem)
        self.line = line


def jsonl_rows(lines: Iterable[str]) -> Iterator[Row | RowProblem]:
    """Read an object a line, from lines with their newlines; blank ones are skipped.

    Reading goes on after a line that is not an object. If the first is not an object because all is
    one JSON document, that is the only problem.
    """
    numbered = ((number, line) for number, line in enumerate(lines, 1) if not line.isspace())
    for number, line in islice(numbered, 1):
        row = _json_row(number, line)
        if isinstance(row, RowProblem):
            rest = list(numbered)
            if line.lstrip()[0] in "[{" and _is_json("".join([line, *(text for _, text in rest)])):
                yield RowProblem("", _NO_LINES, "give --records-format json")
                return
            numbered = (pair for pair in rest)
        yield row
    yield from _later_rows(numbered)


def _later_rows(numbered: Iterable[tuple[int, str]]) -> Iterator[Row | RowProblem]:
    """Read an object a line from lines that are not blank, behind the first."""
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


LINES_AT_ONCE = 1 << 17
"""Bytes of lines that the core reads together: if it refuses a line, Python reads them all."""

LONGEST_TAIL = 1 << 19
"""A line is not the core's if it goes on for longer behind these bytes."""


PIECES_BEFORE_THREADS = 8
"""So many are read by one thread: to start others takes as long."""


class Taker(Protocol):
    """Whoever can take many records at once."""

    def scan(self, lines: bytes) -> Any:
        """Read whole lines of JSON, in any thread; None for lines that have to be looked at."""
        ...

    def take(self, many: Any, number: int) -> int:
        """Take what `scan` returned, or a table of Arrow; return how many rows were taken.

        The first of them is `number`.
        """
        ...


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

        def scan(piece: bytes | InputError) -> tuple[bytes | InputError, Any]:
            if isinstance(piece, InputError) or not _is_whole(piece):
                return piece, None
            return piece, taker.scan(piece)

        for piece, scanned in mapped(scan, self._pieces(), self._n_threads, PIECES_BEFORE_THREADS):
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


def _is_whole(lines: bytes) -> bool:
    """Say whether the last of some lines is whole.

    An end without a newline is that of the file, or within a long line.
    """
    return lines.endswith(b"\n") or len(lines) < LINES_AT_ONCE


def _is_json(text: str) -> bool:
    """Say whether a text is a JSON document."""
    try:
        _load(text)
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
    """Name the value that stands where an object should."""
    kind = f"{kind_of(value, is_exact=False)}; {expected}"
    return RowProblem(place, f"{kind_of(value)}; {expected}", kind=kind)


def _load(text: str) -> Any:
    """Read JSON; raises _JsonError."""
    try:
        return json.loads(text)
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
