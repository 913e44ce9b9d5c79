"""Values of fields to IDs and texts, record by record, or many records at once in columns.

Texts become normalised: UTF-8 with a newline between sentences.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from itertools import chain, takewhile
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import FoundError
from rouge_cli.inputs.evaluation import MOST_DIGITS, NumberedIds
from rouge_cli.inputs.records.rows import (
    MISSING,
    RecordFields,
    Row,
    field_value,
    kind_of,
    listed,
    name_of_run,
)
from rouge_cli.inputs.sentences import Splitter, split_sentences
from rouge_cli.text.columns import encoded

RESPONSES = frozenset({"resps", "filtered_resps"})
"""Fields whose lists hold responses of a model, not sentences."""

_LIST_STARTS = ("['", '["', "[['", '[["')
"""The beginning of a list in a cell of a table, written as Python or JSON does."""

_TEXT = "a string, a list of sentences, or an object with 'text'"


class RecordTexts:
    """Reads the texts of records, all in the same way.

    Parameters
    ----------
    separator : str or None
        What stands between the sentences of a string; a newline in it is then a blank. None: a
        newline stands between them.
    split : callable or None
        From raw text to a sentence a line, for strings.
    reads_json : bool
        Whether references are lists of models, written as JSON in a string.

    Attributes
    ----------
    number : int
        Number of the record that is read; to be set from outside.
    n_lists, first_list : int
        How many strings are lists written out, such as ``['One.', 'Two.']``, and the number of the
        record with the first of these. They are read as they stand.
    n_json_lists, first_json_list : int
        How many more there are that ``--references-json`` would read, and the first of these.
    has_lists : bool
        Whether some text is a list of its sentences.
    n_strings, n_unseparated, first_unseparated : int
        With a separator: how many strings were read, how many of them lack it though they are not
        empty, and the number of the record with the first of these.
    """

    __slots__ = (
        "_separator",
        "_split",
        "first_json_list",
        "first_list",
        "first_unseparated",
        "has_lists",
        "n_json_lists",
        "n_lists",
        "n_strings",
        "n_unseparated",
        "number",
        "reads_json",
    )

    def __init__(
        self,
        separator: str | None = None,
        split: Splitter | None = None,
        *,
        reads_json: bool = False,
    ) -> None:
        self._separator = separator
        self._split = split
        self.reads_json = reads_json
        self.n_json_lists = 0
        self.first_json_list = 0
        self.number = 0
        self.has_lists = False
        self.n_lists = 0
        self.first_list = 0
        self.n_strings = 0
        self.n_unseparated = 0
        self.first_unseparated = 0

    @property
    def are_plain(self) -> bool:
        """Whether strings are read as they stand."""
        return self._separator is None and self._split is None and not self.reads_json

    def usual(self, values: Sequence[Any]) -> list[bytes] | None:
        """Read values that are all plain strings; None if a value is not."""
        if not set(map(type, values)) <= {str} or "[" in {value[:1] for value in values}:
            return None
        try:
            return list(map(str.encode, values))
        except UnicodeEncodeError:
            return None

    def peer(self, value: Any, path: str) -> bytes:
        """Return a prediction as a normalised text; raises ValueError if it is not a text.

        `value` is a text, or the responses of a language model, of which there has to be one.
        `path` led there, for messages.
        """
        if isinstance(value, str):
            return self._of_string(value)
        if not RESPONSES.isdisjoint(path.split(".")):
            value = _lone_response(value, path)
        what = f"field {path!r} is"
        return self._text(value, what, what)

    def models(self, value: Any, path: str, *, is_lone: bool) -> tuple[bytes, ...]:
        """Return references as normalised texts, none if there is nothing; raises ValueError.

        `value` is a text, or a list with a model in each position. If `is_lone`, a list of strings
        is one model. `path` led there, for messages.
        """
        if value is None:
            return ()
        if self.reads_json:
            return tuple(map(self._of_string, _json_strings(value, path)))
        if isinstance(value, str):
            return (self._of_model(value),)
        is_text = isinstance(value, dict) or (is_lone and _is_sentences(value))
        if is_text or not isinstance(value, list):
            what = f"field {path!r} is"
            return (self._text(value, what, what),) if value != [] else ()
        texts = []
        for number, item in enumerate(value, 1):
            if isinstance(item, str):
                texts.append(self._of_string(item))
                continue
            what = f"field {path!r}: item {number} is"
            texts.append(self._text(item, what, f"field {path!r}: an item is"))
        return tuple(texts)

    def _of_model(self, string: str) -> bytes:
        """Return a lone model; count it if ``--references-json`` would read it."""
        if not string.startswith('["') or _json_list(string) is None:
            return self._of_string(string)
        self.n_json_lists += 1
        self.first_json_list = self.first_json_list or self.number
        return self._in_sentences(string)

    def _text(self, value: Any, what: str, of_all: str) -> bytes:
        """Read a text in any of its shapes, called `what`, or `of_all` as one of many.

        Raises ValueError.
        """
        if isinstance(value, dict) and "text" in value:
            value = value["text"]
            what, of_all = (f"{name} an object whose 'text' is" for name in (what, of_all))
        if isinstance(value, str):
            return self._of_string(value)
        if not isinstance(value, list):
            kind = f"{of_all} {kind_of(value, is_exact=False)}; expected {_TEXT}"
            raise FoundError(f"{what} {kind_of(value)}; expected {_TEXT}", kind)
        for number, item in enumerate(value, 1):
            if not isinstance(item, str):
                items = f"a list whose item {number} is {kind_of(item)}"
                kind = f"{of_all} a list with an item that is no string; expected {_TEXT}"
                raise FoundError(f"{what} {items}; expected {_TEXT}", kind)
        self.has_lists = True
        return encoded("\n".join([item.replace("\n", " ") for item in value]))

    def _of_string(self, string: str) -> bytes:
        """Read a string; count it if it is a list written out."""
        if string[:1] == "[" and string.startswith(_LIST_STARTS) and string.rstrip().endswith("]"):
            self.n_lists += 1
            self.first_list = self.first_list or self.number
        return self._in_sentences(string)

    def _in_sentences(self, string: str) -> bytes:
        """Find the sentences of a string."""
        text = encoded(string)
        if self._split is not None:
            return self._split(text)
        if self._separator is None:
            return text
        return self._separated(text.replace(b"\n", b" "))

    def _separated(self, text: bytes) -> bytes:
        """Split a text without newlines by the separator, and count texts that lack it."""
        separated = split_sentences([text], self._separator)[0]
        self.n_strings += 1
        if separated == text and text.strip():
            self.n_unseparated += 1
            self.first_unseparated = self.first_unseparated or self.number
        return separated


def _is_sentences(value: Any) -> bool:
    """Say whether a value is a list of strings, and not an empty one."""
    return isinstance(value, list) and bool(value) and all(isinstance(item, str) for item in value)


def _json_list(string: str) -> list[str] | None:
    """Read a JSON list of strings; None if a string is anything else."""
    try:
        value = json.loads(string)
    except (ValueError, RecursionError):
        return None
    return value if value == [] or _is_sentences(value) else None


def _json_strings(value: Any, path: str) -> list[str]:
    """Return the strings of a JSON list in a string; raises FoundError for anything else."""
    strings = _json_list(value) if isinstance(value, str) else None
    if strings is None:
        what = f"the string {value!r:.60}" if isinstance(value, str) else kind_of(value)
        expected = (
            'expected a JSON list of strings in a string, such as ["One.", "Another."], as '
            "--references-json asks for"
        )
        kind = f"field {path!r} is no JSON list of strings; {expected}"
        raise FoundError(f"field {path!r} is {what}; {expected}", kind)
    return strings


def _lone_response(value: Any, path: str) -> Any:
    """Unwrap lists with one response; raises ValueError if there are more, or none."""
    place = path
    while isinstance(value, list):
        place += ".0"
        if len(value) != 1:
            choice = f"; choose one, such as --prediction {place}" if value else "; expected one"
            kind = f"field {path!r} has {'several' if value else 'no'} responses{choice}"
            raise FoundError(f"field {path!r} has {len(value) or 'no'} responses{choice}", kind)
        value = value[0]
    return value


# They would break a line of the report, or cannot be printed.
_UNPRINTABLE = re.compile("[\0-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


IS_NUMBER = (-1).__lt__


class ScannedLines(NamedTuple):
    """What the core reads of lines, see `UsualRecords`; lengths and numbers are of 64 bits.

    `ids` is None where records have no IDs.
    """

    ids: Sequence[str] | None
    peers: bytes
    peer_lengths: bytearray
    models: bytes
    model_lengths: bytearray
    n_models: bytearray


class UsualRecords(NamedTuple):
    """Records of one system as most files have them, each an EVAL: their IDs and their texts.

    `numbers` are those of lines or records. Texts stand end to end, the models of a record beside
    each other.
    """

    ids: Sequence[str]
    numbers: NDArray[np.int64]
    peers: bytes
    peer_lengths: NDArray[np.int64]
    models: bytes
    model_lengths: NDArray[np.int64]
    n_models: NDArray[np.int64]


def _lengths(values: Sequence[Any]) -> NDArray[np.int64]:
    """Return the lengths of texts or lists."""
    return np.fromiter(map(len, values), np.int64, len(values))


def _good_ids(ids: list[Any]) -> Sequence[str] | None:
    """Return IDs as strings; None if one has to be looked at."""
    kinds = set(map(type, ids))
    if kinds == {int}:
        ids = list(map(str, ids))
    elif kinds != {str} or not ("".join(ids).isprintable() and all(map(str.strip, ids))):
        return None
    # Where the first is no number, few others are looked at.
    numbers = list(takewhile(IS_NUMBER, map(NumberedIds.number_of, ids)))
    return NumberedIds(np.array(numbers, np.int64)) if len(numbers) == len(ids) else ids


def _arrow_texts(chunks: Sequence[Any]) -> tuple[bytes, NDArray[np.int64]] | None:
    """Return the texts of a column of strings, end to end, and their lengths.

    Returns None if one has to be looked at.
    """
    parts, lengths = [], []
    for chunk in chunks:
        if str(chunk.type) != "string" or chunk.null_count:
            return None
        try:
            # What is not UTF-8 is an error, in the words of whoever decodes it.
            chunk.validate(full=True)
        except ValueError:
            return None
        _, offset_buffer, data = chunk.buffers()
        # Where no list has an item, there may be no buffers.
        if data is None or not len(chunk):
            return None
        offsets = np.frombuffer(offset_buffer, np.int32)[chunk.offset :][: len(chunk) + 1]
        lengths.append(np.diff(offsets).astype(np.int64))
        begins = np.frombuffer(data, np.uint8)[offsets[:-1][lengths[-1] > 0]]
        if (begins == ord("[")).any():
            return None
        parts.append(data[int(offsets[0]) : int(offsets[-1])])
    return b"".join(parts), np.concatenate(lengths)


def _arrow_ids(column: Any) -> Sequence[str] | None:
    """Return the IDs in a column in chunks; None if one has to be looked at."""
    texts = _arrow_texts(column.chunks)
    return (texts and _numbered(*texts)) or _good_ids(column.to_pylist())


def _numbered(content: bytes, lengths: NDArray[np.int64]) -> NumberedIds | None:
    """Return IDs that stand end to end, all at once, if they are numbers."""
    # What is no digit becomes a larger number: bytes have no sign.
    digits = np.frombuffer(content, np.uint8) - np.uint8(ord("0"))
    if not lengths.min() or lengths.max() >= MOST_DIGITS or (digits > 9).any():  # noqa: PLR2004
        return None
    starts = np.cumsum(lengths) - lengths
    if ((digits[starts] == 0) & (lengths > 1)).any():
        return None
    numbers = np.zeros(lengths.size, np.int64)
    for place in range(int(lengths.max())):
        longer = lengths > place
        numbers[longer] = numbers[longer] * 10 + digits[starts[longer] + place]
    return NumberedIds(numbers)


class RecordReader:
    """Reads the IDs, the texts and the cluster of record after record.

    Without a field for them, the IDs of EVALs are the numbers of the records.
    """

    def __init__(self, fields: RecordFields, default_system: str, texts: RecordTexts) -> None:
        self._fields = fields
        self._default_system = default_system
        self._texts = texts
        self._n_records: dict[str, int] = {}

    def system_of(self, record: Mapping[str, Any]) -> str:
        """Return the ID of the system; raises ValueError."""
        path = self._fields.system
        system = self._default_system if path is None else identity(record, path)
        return self.with_run(record, system)

    def with_run(self, record: Mapping[str, Any], system: str) -> str:
        """Add the run to the ID of a system, if it is asked for; raises ValueError."""
        path = self._fields.run
        return system if path is None else name_of_run(system, path, identity(record, path))

    def eval_of(self, record: Mapping[str, Any], system: str | None) -> str:
        """Return the ID of the EVAL; raises ValueError."""
        path = self._fields.id
        if path is not None:
            return identity(record, path)
        number = self._n_records[system or ""] = self._n_records.get(system or "", 0) + 1
        return str(number)

    def _usual_evals(self, rows: Sequence[Row]) -> Sequence[str] | None:
        """Return the EVAL of each record, if each has a good ID of its own, of one system."""
        path = self._fields.id
        if path is None:
            return self._next_evals(len(rows))
        return _good_ids([row.record[path] for row in rows])

    def _next_evals(self, n_records: int) -> NumberedIds:
        """Return the numbers of records of one system, which have no IDs."""
        system = self._default_system
        before = self._n_records.get(system, 0)
        self._n_records[system] = before + n_records
        return NumberedIds(np.arange(before + 1, before + n_records + 1))

    def peer_of(self, record: Mapping[str, Any], path: str) -> bytes:
        """Return a peer; raises ValueError."""
        return self._texts.peer(_value(record, path), path)

    def usual(self, rows: Sequence[Row]) -> "UsualRecords | None":
        """Read records of strings in fields of their own; None if they are not.

        Raises KeyError if a record lacks a field.
        """
        if not self._reads_usual:
            return None
        peer_path, model_path = self._fields.prediction, self._fields.references[0]
        peers = self._texts.usual([row.record[peer_path] for row in rows])
        values = [row.record[model_path] for row in rows]
        are_lone = set(map(type, values)) == {str}
        if not are_lone and (self._fields.is_lone_model or set(map(type, values)) != {list}):
            return None
        models = self._texts.usual(values if are_lone else list(chain.from_iterable(values)))
        ids = None if peers is None or models is None else self._usual_evals(rows)
        if peers is None or models is None or ids is None:
            return None
        return UsualRecords(
            ids,
            np.fromiter((row.number for row in rows), np.int64, len(rows)),
            b"".join(peers),
            _lengths(peers),
            b"".join(models),
            _lengths(models),
            np.ones(len(rows), np.int64) if are_lone else _lengths(values),
        )

    def scan(self, core: Any, lines: bytes, watched: bytes = b"") -> "ScannedLines | None":
        """Read lines of JSON by the core; None if one of them has to be looked at.

        So has one with a field of a name that is `watched`, see `LaterFields`. It changes
        nothing, so several threads may scan at the same time.
        """
        keys = self._keys
        if core is None or keys is None:
            return None
        columns = core.scan_records(lines, *keys, not self._fields.is_lone_model, watched)
        if columns is None:
            return None
        *texts, joined_ids, numbers = columns
        ids: Sequence[str] | None = None
        if numbers:
            ids = NumberedIds(np.frombuffer(numbers, np.int64))
        elif self._fields.id is not None:
            names = joined_ids.decode()
            ids = names.split("\n")[:-1]
            if not names.replace("\n", "").isprintable():
                return None
        return ScannedLines(ids, *texts)

    def scanned(self, lines: "ScannedLines", number: int) -> "UsualRecords":
        """Return what `usual` returns for lines that were scanned, the first of them `number`."""
        n_models = np.frombuffer(lines.n_models, np.int64)
        return UsualRecords(
            self._next_evals(n_models.size) if lines.ids is None else lines.ids,
            np.arange(number, number + n_models.size, dtype=np.int64),
            lines.peers,
            np.frombuffer(lines.peer_lengths, np.int64),
            lines.models,
            np.frombuffer(lines.model_lengths, np.int64),
            n_models,
        )

    def of_table(self, table: Any, number: int) -> "UsualRecords | None":
        """Read what `usual` reads from a table of Arrow, its first row `number`; or None."""
        fields, names, n_rows = self._fields, table.schema.names, table.num_rows
        wanted = (fields.prediction, fields.references[0], *filter(None, [fields.id]))
        if not self._reads_usual or not set(wanted) <= set(names) or not n_rows:
            return None
        peers, models = (table.column(names.index(path)) for path in wanted[:2])
        n_models, model_chunks = np.ones(n_rows, np.int64), models.chunks
        if str(models.type).startswith("list<"):
            if fields.is_lone_model or models.null_count:
                return None
            counts = [np.diff(chunk.offsets.to_numpy()) for chunk in model_chunks]
            n_models = np.concatenate(counts).astype(np.int64)
            model_chunks = [chunk.flatten() for chunk in model_chunks]
        texts = [_arrow_texts(chunks) for chunks in (peers.chunks, model_chunks)]
        if texts[0] is None or texts[1] is None:
            return None
        ids: Sequence[str] | None
        if fields.id is None:
            ids = self._next_evals(n_rows)
        else:
            ids = _arrow_ids(table.column(names.index(fields.id)))
        if ids is None:
            return None
        numbers = np.arange(number, number + n_rows, dtype=np.int64)
        return UsualRecords(ids, numbers, *texts[0], *texts[1], n_models)

    @cached_property
    def _reads_usual(self) -> bool:
        """Whether the fields are those of most files: one of each kind, and a single system."""
        fields = self._fields
        is_lone = len(fields.predictions) == len(fields.references) == 1
        is_plain = {fields.system, fields.cluster, fields.run} == {None}
        return is_lone and is_plain and self._texts.are_plain

    @cached_property
    def _keys(self) -> tuple[bytes, bytes, bytes] | None:
        """The keys that the core looks for: of the peer, the models and, if there is, the ID."""
        fields = self._fields
        paths = (fields.prediction, fields.references[0], fields.id or "")
        if not self._reads_usual or len(set(paths)) < len(paths) or fields.id == "":
            return None
        try:
            peer, models, eval_id = map(str.encode, paths)
        except UnicodeEncodeError:
            return None
        return peer, models, eval_id

    def models_of(self, record: Mapping[str, Any]) -> tuple[bytes, ...]:
        """Return the models of all fields, perhaps none; raises ValueError."""
        references = self._fields.references
        if len(references) == 1:
            return self._models_in(record, references[0])
        models = [self._models_in(record, path) for path in references]
        if any(models) and not all(models):
            path = references[models.index(())]
            raise ValueError(
                f"no references in field {path!r}; expected some in each of the fields"
            )
        return tuple(chain.from_iterable(models))

    def _models_in(self, record: Mapping[str, Any], path: str) -> tuple[bytes, ...]:
        """Return the models in a field; raises ValueError."""
        fields = self._fields
        if (
            fields.may_lack_references
            and path not in record
            and field_value(record, path) is MISSING
        ):
            return ()
        return self._texts.models(_value(record, path), path, is_lone=fields.is_lone_model)

    def cluster_of(self, record: Mapping[str, Any]) -> str:
        """Return the cluster, empty if nobody asks for it; raises ValueError."""
        path = self._fields.cluster
        return "" if path is None else identity(record, path)


def _value(record: Mapping[str, Any], path: str) -> Any:
    """Return the value of a field; raises ValueError if there is no such field."""
    # Most are fields themselves, and there are very many.
    value = record[path] if path in record else field_value(record, path)
    if value is MISSING:
        raise FoundError(
            f"no field {path!r}; {listed(record)}",
            f"no field {path!r}, which is read of every record",
        )
    return value


def identity(record: Mapping[str, Any], path: str) -> str:
    """Return an ID; raises ValueError if it is missing."""
    value = _value(record, path)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    expected = "expected an ID, a string or a whole number"
    if not isinstance(value, str):
        kind = f"field {path!r} is {kind_of(value, is_exact=False)}; {expected}"
        raise FoundError(f"field {path!r} is {kind_of(value)}; {expected}", kind)
    if not value.strip():
        raise ValueError(f"field {path!r} is blank; {expected}")
    if not value.isprintable() and _UNPRINTABLE.search(value):
        expected += " without control characters"
        kind = f"field {path!r} has control characters; {expected}"
        raise FoundError(f"field {path!r} is {value!a}; {expected}", kind)
    return value


Value = TypeVar("Value")


def read_or_none(
    errors: list[ValueError], reader: Callable[..., Value], *arguments: Any
) -> Value | None:
    """Call a reader of a record; if it raises an error, keep that and return None."""
    try:
        return reader(*arguments)
    except ValueError as error:
        errors.append(error)
        return None
