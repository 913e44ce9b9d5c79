"""Values of fields to IDs and texts.

Texts become normalised: UTF-8 with a newline between sentences.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import Any, TypeVar

from rouge_cli.errors import FoundError
from rouge_cli.inputs.records.rows import (
    AS_PANDAS,
    MISSING,
    RecordFields,
    field_value,
    kind_of,
    listed,
    name_of_run,
)
from rouge_cli.inputs.sentences import Splitter, split_sentences
from rouge_cli.text.columns import encoded

RESPONSES = frozenset({"resps", "filtered_resps"})
"""Fields whose lists hold the responses of a model, not sentences."""

_LIST_STARTS = ("['", '["', "[['", '[["')
"""The beginning of a list in a cell of a table, written as Python or JSON does."""

_TEXT = "a string, a list of sentences, or an object with 'text'"


class RecordTexts:
    """Reads the texts of records, all in the same way.

    - `separator`: what stands between the sentences of a string; a newline in it is then a blank.
      None: a newline stands between them.
    - `split`: from raw text to a sentence a line, for strings.
    - `reads_json`: whether references are lists of models, written as JSON in a string.
    - `drops_blank`: whether an empty reference beside others is absent, and no model without words.

    - `number`: number of the record that is read; to be set from outside.
    - `n_lists`, `first_list`: how many strings are lists written out, such as ``['One.', 'Two.']``,
      and the number of the record with the first of these. They are read as they stand.
    - `n_json_lists`, `first_json_list`: how many more there are that ``--references-json`` would
      read, and the first of these.
    - `n_absent`, `first_absent`: how many references are absent, and the number of the record with
      the first of these.
    - `has_lists`: whether some text is a list of its sentences.
    - `n_strings`, `n_unseparated`, `first_unseparated`: with a separator: how many strings were
      read, how many of them lack it though they are not empty, and the number of the record with
      the first of these.
    """

    number = 0
    has_lists = False
    n_lists = first_list = n_json_lists = first_json_list = n_absent = first_absent = 0
    n_strings = n_unseparated = first_unseparated = 0

    def __init__(
        self,
        separator: str | None = None,
        split: Splitter | None = None,
        *,
        reads_json: bool = False,
        drops_blank: bool = False,
    ) -> None:
        self._separator = separator
        self._split = split
        self.reads_json = reads_json
        self.drops_blank = drops_blank

    def usual(self, values: Sequence[Any]) -> list[bytes] | None:
        """Read plain strings; None if a value is not one, or strings are not read as they are."""
        if self._separator is not None or self._split is not None or self.reads_json:
            return None
        if set(map(type, values)) != {str} or "[" in {value[:1] for value in values}:
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
        for number, item in enumerate(self.without_absent(value), 1):
            if isinstance(item, str):
                texts.append(self._of_string(item))
            else:
                what = f"field {path!r}: item {number} is"
                texts.append(self._text(item, what, f"field {path!r}: an item is"))
        return tuple(texts)

    def without_absent(self, values: Sequence[Any]) -> Sequence[Any]:
        """Return references without the empty strings and nulls beside others, which are counted.

        A list with an empty sentence is a text without words, as ``convert`` writes it.
        """
        if not self.drops_blank or not any(map(_is_blank, values)):
            return values
        kept = [value for value in values if not _is_blank(value)]
        if not kept:
            return values
        if self.n_absent == 0:
            self.first_absent = self.number
        self.n_absent += len(values) - len(kept)
        return kept

    def _of_model(self, string: str) -> bytes:
        if not string.startswith('["') or _json_list(string) is None:
            return self._of_string(string)
        self.n_json_lists += 1
        self.first_json_list = self.first_json_list or self.number
        return self._in_sentences(string)

    def _text(self, value: Any, what: str, of_all: str) -> bytes:
        """Read a text in any of its shapes, called `what`, or `of_all` as one of many.

        Raises ValueError.
        """
        # HELM's references have their text in 'output'.
        key = "text" if not isinstance(value, dict) or "text" in value else "output"
        if isinstance(value, dict) and key in value:
            value = value[key]
            what, of_all = (f"{name} an object whose {key!r} is" for name in (what, of_all))
            if isinstance(value, dict) and key == "output":
                value = value.get("text")
        if isinstance(value, str):
            return self._of_string(value)
        if not isinstance(value, list):
            expected = _TEXT
            if isinstance(value, dict) and value and all(map(str.isdecimal, value)):
                expected += AS_PANDAS.format("columns")
            kind = f"{of_all} {kind_of(value, is_exact=False)}; expected {expected}"
            raise FoundError(f"{what} {kind_of(value)}; expected {expected}", kind)
        for number, item in enumerate(value, 1):
            if not isinstance(item, str):
                items = f"a list whose item {number} is {kind_of(item)}"
                kind = f"{of_all} a list with an item that is no string; expected {_TEXT}"
                raise FoundError(f"{what} {items}; expected {_TEXT}", kind)
        self.has_lists = True
        return encoded("\n".join([item.replace("\n", " ") for item in value]))

    def _of_string(self, string: str) -> bytes:
        if string[:1] == "[" and string.startswith(_LIST_STARTS) and string.rstrip().endswith("]"):
            self.n_lists += 1
            self.first_list = self.first_list or self.number
        return self._in_sentences(string)

    def _in_sentences(self, string: str) -> bytes:
        text = encoded(string)
        if self._split is not None:
            return self._split(text)
        if self._separator is None:
            return text
        return self._separated(text.replace(b"\n", b" "))

    def _separated(self, text: bytes) -> bytes:
        separated = split_sentences([text], self._separator)[0]
        self.n_strings += 1
        if separated == text and text.strip():
            self.n_unseparated += 1
            self.first_unseparated = self.first_unseparated or self.number
        return separated


def _is_blank(value: Any) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())


def present(models: tuple[bytes, ...]) -> tuple[bytes, ...]:
    """Return the texts that are not blank; the first alone if all are."""
    return tuple(filter(bytes.strip, models)) or models[:1]


def _is_sentences(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, str) for item in value)


def _json_list(string: str) -> list[str] | None:
    """Read a JSON list of strings; None if a string is anything else."""
    try:
        value = json.loads(string)
    except (ValueError, RecursionError):
        return None
    return value if value == [] or _is_sentences(value) else None


def _json_strings(value: Any, path: str) -> list[str]:
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

    def next_evals(self, n_records: int) -> list[str]:
        """Return the numbers of the next records of the only system, which have no IDs."""
        first = self._n_records.get(self._default_system, 0) + 1
        return list(map(str, range(first, first + n_records)))

    def skip(self, n_records: int) -> None:
        """Count records of the only system that were read otherwise."""
        before = self._n_records.get(self._default_system, 0)
        self._n_records[self._default_system] = before + n_records

    def peer_of(self, record: Mapping[str, Any], path: str) -> bytes:
        """Return a peer; raises ValueError."""
        return self._texts.peer(_value(record, path), path)

    def models_of(self, record: Mapping[str, Any]) -> tuple[bytes, ...]:
        """Return the models of all fields, perhaps none; raises ValueError."""
        references = self._fields.references
        if len(references) == 1:
            return self._models_in(record, references[0])
        if self._texts.drops_blank:
            values = [field_value(record, path) for path in references]
            kept = self._texts.without_absent(values)
            if len(kept) < len(values):
                references = tuple(
                    path
                    for path, value in zip(references, values, strict=True)
                    if not _is_blank(value)
                )
        models = [self._models_in(record, path) for path in references]
        if any(models) and not all(models):
            path = references[models.index(())]
            raise ValueError(
                f"no references in field {path!r}; expected some in each of the fields"
            )
        return tuple(chain.from_iterable(models))

    def _models_in(self, record: Mapping[str, Any], path: str) -> tuple[bytes, ...]:
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
    # Most are fields themselves, and there are very many.
    value = record[path] if path in record else field_value(record, path)
    if value is MISSING:
        raise FoundError(
            f"no field {path!r}; {listed(record)}",
            f"no field {path!r}, which is read of every record",
        )
    return value


def usual_ids(ids: list[Any]) -> list[str] | None:
    """Return IDs as strings; None if one has to be looked at."""
    kinds = set(map(type, ids))
    if kinds == {int}:
        return list(map(str, ids))
    is_good = kinds == {str} and "".join(ids).isprintable() and all(map(str.strip, ids))
    return ids if is_good else None


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
