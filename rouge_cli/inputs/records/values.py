"""Converts the values of fields to IDs and normalised texts: UTF-8, a newline between sentences."""

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from itertools import chain, compress
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
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.text.columns import encoded

RESPONSES = frozenset({"resps", "filtered_resps"})
"""Fields in which a list contains the responses of a model rather than sentences."""

_LIST_STARTS = ("['", '["', "[['", '[["')
"""Beginnings of a list that was written as a string, in Python's or JSON's syntax."""

_TEXT = "a string, a list of sentences, or an object with 'text'"


ABSENT, JSON_LIST, LIST, UNSEPARATED = "absent", "JSON list", "list", "unseparated"

ODDITIES = {
    ABSENT: (
        *("1 empty reference", "{} empty references"),
        "beside others, the first at {}: absent, and not counted as references",
    ),
    JSON_LIST: (
        *("1 field of references is a JSON list", "{} fields of references are JSON lists"),
        "in a string, the first at {}: each counts as one text; give --references-json to read "
        "each string of a list as a reference",
    ),
    # They come from pandas, which writes lists so into the cells of a table.
    LIST: (
        *("1 text is a list", "{} texts are lists"),
        "written as a string, the first at {}: each counts as one text; save lists as JSONL or "
        "Parquet, or each reference in a field of its own",
    ),
}
"""Wording of warnings about odd texts: for one text, for several, and the rest of the message, with
the place of the first."""


@dataclass(slots=True, eq=False)
class RecordTexts:
    """Reads the texts of records, and counts oddities for warnings.

    Parameters of all texts:

    - `separator`: the separator between the sentences of a string, in which newlines then become
      blanks. If None, the separator is the newline.
    - `split`: a function that splits raw strings into sentences; None if there is nothing to split.
    - `reads_json`: whether references are JSON lists of models written as strings.
    - `drops_blank`: whether an empty reference among others is ignored rather than a model without
      words.

    Facts about the texts so far:

    - `number`: the number of the current record; set by the caller.
    - `has_lists`: whether any text was a list of sentences.
    - `n_strings`: the strings read, if there is a separator.
    - `odd`: how many texts are odd in a way, a key of `ODDITIES` or `UNSEPARATED`, and the number
      of the first record that has one.
    """

    separator: str | None = None
    split: Splitter | None = None
    reads_json: bool = False
    drops_blank: bool = False
    number: int = 0
    has_lists: bool = False
    n_strings: int = 0
    odd: dict[str, tuple[int, int]] = field(default_factory=dict)

    def _note(self, oddity: str, n_texts: int = 1) -> None:
        n_before, first = self.odd.get(oddity, (0, self.number))
        self.odd[oddity] = n_before + n_texts, first

    def usual(self, values: Sequence[Any]) -> list[bytes] | None:
        """Encode plain strings; return None unless all values are strings to be read unchanged."""
        if self.separator is not None or self.split is not None or self.reads_json:
            return None
        # A string that begins with a bracket may be a list, which causes a warning.
        if set(map(type, values)) != {str} or "[" in {value[:1] for value in values}:
            return None
        try:
            return list(map(str.encode, values))
        except UnicodeEncodeError:
            return None

    def peer(self, value: Any, path: str) -> bytes:
        """Return a prediction as a normalised text; raises ValueError if it is not a text.

        `value` is a text, or a list with the single response of a language model. `path` is its
        path in the record, for messages.
        """
        if isinstance(value, str):
            return self._of_string(value)
        if not RESPONSES.isdisjoint(path.split(".")):
            value = _lone_response(value, path)
        what = f"field {path!r} is"
        return self._text(value, what, what)

    def models(self, value: Any, path: str, *, is_lone: bool) -> tuple[bytes, ...]:
        """Return references as normalised texts, empty if there are none; raises ValueError.

        `value` is a text or a list of texts; with `is_lone`, a list of strings is a single text of
        several sentences. `path` is its path in the record, for messages.
        """
        if value is None:
            return ()
        if self.reads_json:
            return tuple(map(self._of_string, _json_strings(value, path)))
        if isinstance(value, str):
            if not value.startswith('["') or _json_list(value) is None:
                return (self._of_string(value),)
            self._note(JSON_LIST)
            return (self._in_sentences(value),)
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
        """Drop empty strings and nulls from references, unless none would be left; count them.

        A list with an empty sentence is not dropped: it is how ``convert`` writes a text without
        words.
        """
        if not self.drops_blank or not any(map(_is_blank, values)):
            return values
        kept = [value for value in values if not _is_blank(value)]
        if not kept:
            return values
        self._note(ABSENT, len(values) - len(kept))
        return kept

    def _text(self, value: Any, what: str, of_all: str) -> bytes:
        """Read a text: a string, a list of sentences or an object; raises ValueError.

        `what` begins the message about this text, `of_all` that about many similar ones.
        """
        # HELM writes the text of a reference in 'output', or in 'text' of an object there.
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
            # An object whose keys are numbers is a column of a table in pandas' default format.
            if isinstance(value, dict) and value and all(map(str.isdecimal, value)):
                expected += AS_PANDAS.format("columns")
            kind = f"{of_all} {kind_of(value, is_exact=False)}; expected {expected}"
            raise FoundError(f"{what} {kind_of(value)}; expected {expected}", kind)
        for number, item in enumerate(value, 1):
            if not isinstance(item, str):
                items = f"a list whose item {number} is {kind_of(item)}"
                kind = f"{of_all} a list with an item that is not a string; expected {_TEXT}"
                raise FoundError(f"{what} {items}; expected {_TEXT}", kind)
        self.has_lists = True
        return encoded("\n".join([item.replace("\n", " ") for item in value]))

    def _of_string(self, string: str) -> bytes:
        if string[:1] == "[" and string.startswith(_LIST_STARTS) and string.rstrip().endswith("]"):
            self._note(LIST)
        return self._in_sentences(string)

    def _in_sentences(self, string: str) -> bytes:
        text = encoded(string)
        if self.split is not None:
            return self.split(text)
        if self.separator is None:
            return text
        text = text.replace(b"\n", b" ")
        separated = split_sentences([text], self.separator)[0]
        self.n_strings += 1
        if separated == text and text.strip():
            self._note(UNSEPARATED)
        return separated


def _is_blank(value: Any) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())


def _is_sentences(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, str) for item in value)


def _json_list(string: str) -> list[str] | None:
    """Parse a JSON list of strings; return None if the string is anything else."""
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


_UNPRINTABLE = re.compile("[\0-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
"""Characters that would break a line of a report or cannot be encoded."""


class RecordReader:
    """Reads the IDs, texts and cluster of one record after another.

    If there is no field of EVAL IDs, the records of each system are numbered from 1.
    """

    def __init__(self, fields: RecordFields, default_system: str, texts: RecordTexts) -> None:
        self._fields = fields
        self._default_system = default_system
        self._texts = texts
        self._n_records: Counter[str | None] = Counter()

    def system_of(self, record: Mapping[str, Any]) -> str:
        """Return the ID of the system, with its run if runs are read; raises ValueError."""
        path = self._fields.system
        system = self._default_system if path is None else identity(record, path)
        return self.with_run(record, system)

    def with_run(self, record: Mapping[str, Any], system: str) -> str:
        """Append the run to the ID of a system, if runs are read; raises ValueError."""
        path = self._fields.run
        return system if path is None else name_of_run(system, path, identity(record, path))

    def eval_of(self, record: Mapping[str, Any], system: str | None) -> str:
        """Return the ID of the EVAL, or the next number of the system; raises ValueError."""
        path = self._fields.id
        if path is not None:
            return identity(record, path)
        self._n_records[system] += 1
        return str(self._n_records[system])

    def next_evals(self, n_records: int) -> list[str]:
        """Return the IDs, which are numbers, of the next records of the default system."""
        first = self._n_records[self._default_system] + 1
        return list(map(str, range(first, first + n_records)))

    def skip(self, n_records: int) -> None:
        """Count records of the default system that were read without this object."""
        self._n_records[self._default_system] += n_records

    def peer_of(self, record: Mapping[str, Any], path: str) -> bytes:
        """Return the text of a peer; raises ValueError."""
        return self._texts.peer(_value(record, path), path)

    def models_of(self, record: Mapping[str, Any]) -> tuple[bytes, ...]:
        """Return the models in all fields of references, empty if there are none.

        Raises ValueError if a field is missing, is not text, or is the only one without models.
        """
        references = self._fields.references
        if len(references) == 1:
            return self._models_in(record, references[0])
        # Several fields are like the items of a list: blank ones among others are absent.
        if self._texts.drops_blank:
            values = [field_value(record, path) for path in references]
            if len(self._texts.without_absent(values)) < len(values):
                references = tuple(compress(references, (not _is_blank(x) for x in values)))
        models = [self._models_in(record, path) for path in references]
        if any(models) and not all(models):
            path = references[models.index(())]
            raise ValueError(
                f"no references in field {path!r}; expected some in each of the fields"
            )
        return tuple(chain.from_iterable(models))

    def _models_in(self, record: Mapping[str, Any], path: str) -> tuple[bytes, ...]:
        fields = self._fields
        is_there = path in record or field_value(record, path) is not MISSING
        if fields.may_lack_references and not is_there:
            return ()
        return self._texts.models(_value(record, path), path, is_lone=fields.is_lone_model)

    def cluster_of(self, record: Mapping[str, Any]) -> str:
        """Return the cluster; empty if clusters are not read. Raises ValueError."""
        path = self._fields.cluster
        return "" if path is None else identity(record, path)


def _value(record: Mapping[str, Any], path: str) -> Any:
    # Most paths are plain names of fields; a call less for each of millions of values.
    value = record[path] if path in record else field_value(record, path)
    if value is MISSING:
        raise FoundError(
            f"no field {path!r}; {listed(record)}",
            f"no field {path!r}, which is read from every record",
        )
    return value


def usual_ids(ids: list[Any]) -> list[str] | None:
    """Return IDs as strings; None if one of them needs the checks of `identity`."""
    kinds = set(map(type, ids))
    if kinds == {int}:
        return list(map(str, ids))
    is_good = kinds == {str} and "".join(ids).isprintable() and all(map(str.strip, ids))
    return ids if is_good else None


def identity(record: Mapping[str, Any], path: str) -> str:
    """Return the ID in a field.

    Raises ValueError if it is missing, blank, neither a string nor an integer, or has control
    characters.
    """
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
    """Call `reader`; if it raises ValueError, append the error to `errors` and return None."""
    try:
        return reader(*arguments)
    except ValueError as error:
        errors.append(error)
        return None
