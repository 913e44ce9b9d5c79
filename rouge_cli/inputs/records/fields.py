"""Fields of records besides the texts, for which files are read once more: only runs that ask pay.

Numbers become metrics or judgements; other values are what a page chooses EVALs by.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import inf
from typing import Any, NamedTuple

from rouge_cli.errors import FoundError, InputError, Problems
from rouge_cli.escapes import escaped
from rouge_cli.inputs.corpus import Corpus
from rouge_cli.inputs.records.reading import UNITS, opened_records, own_name, record_rows
from rouge_cli.inputs.records.rows import (
    MISSING,
    RecordFields,
    Row,
    RowProblem,
    are_systems_named,
    choose_fields,
    field_value,
    kind_of,
    listed,
)
from rouge_cli.inputs.records.values import RecordReader, RecordTexts
from rouge_cli.inputs.source import Source
from rouge_cli.inputs.texts import Origin
from rouge_cli.options.inputs import InputOptions

LONGEST_VALUE = 200
"""Characters of a value that EVALs of a page are chosen by; a longer one is a text."""

WRITTEN_OUT = frozenset({"date", "datetime", "time", "Timestamp", "Decimal"})
"""Types of Parquet and of data frames whose values are chosen by as they are written."""


class Record(NamedTuple):
    """A record, which EVAL of which system it is, and where it stands."""

    row: Row
    system: str
    eval_id: str
    place: str


def records_again(
    source: Source, fields: Sequence[str], inputs: InputOptions, problems: Problems
) -> list[Record]:
    """Read the records of a file once more; only the IDs and some fields are read of Parquet.

    What is wrong with the rows is told where the texts are read, so that `problems` takes only IDs
    that cannot be read.
    """
    file = _rows_again(source, fields, inputs)
    rows = [row for row in file.rows if isinstance(row, Row)]
    if not rows:
        return []
    chosen = choose_fields(rows[0].record, again_for(fields, inputs))
    named = _identified(rows, file, chosen, problems)
    return [record._replace(system=source.file_system or record.system) for record in named]


class FileRows(NamedTuple):
    """The rows of a file that are read once more, and its name for a system without one."""

    origin: Origin
    default_system: str
    rows: Iterable[Row | RowProblem]


def again_for(fields: Sequence[str], inputs: InputOptions) -> InputOptions:
    """Return options that read some fields of records, and the IDs, in place of the texts."""
    return replace(inputs, prediction=(fields[0],), references=tuple(fields))


def _rows_again(source: Source, fields: Sequence[str], inputs: InputOptions) -> FileRows:
    """Read the rows of a file once more, for some fields."""
    form = source.form_of_records(inputs.records_format) or ""
    with opened_records(source, form, inputs) as stream:
        rows, _ = record_rows(stream, source.name, form, again_for(fields, inputs))
        return FileRows(Origin(source.name, UNITS[form]), own_name(source), list(rows))


def _identified(
    rows: Iterable[Row], file: FileRows, chosen: RecordFields, problems: Problems
) -> Iterator[Record]:
    """Yield records with their IDs; `problems` takes IDs that cannot be read."""
    reader = RecordReader(chosen, file.default_system, RecordTexts())
    for row in rows:
        place = file.origin.place(row.number)
        try:
            system = reader.system_of(row.record)
            eval_id = reader.eval_of(row.record, system)
        except ValueError as error:
            problems.add_error(place, error)
            continue
        yield Record(row, system, eval_id, place)


def with_fields(corpus: Corpus, files: Sequence[Source], inputs: InputOptions) -> Corpus:
    """Return a corpus with the fields by which a page chooses EVALs, from its files.

    Raises InputError with all values that are no values to choose by.
    """
    paths = inputs.page_fields
    return with_fields_of(corpus, (_rows_again(file, paths, inputs) for file in files), inputs)


def with_fields_of(corpus: Corpus, files: Iterable[FileRows], inputs: InputOptions) -> Corpus:
    """Return a corpus with the fields by which a page chooses EVALs; see `with_fields`.

    The records of an EVAL need not agree: it then has several values, and the corpus a warning.
    """
    fields: dict[str, dict[str, tuple[str, ...]]] = {path: {} for path in inputs.page_fields}
    not_scored = {*corpus.peers} - {*corpus.systems}
    lines: list[str] = []
    there = ""
    for file in files:
        problems = Problems(file.origin.name)
        for path, record, value in _values_to_choose(file, inputs, problems):
            there = there or listed(record.row.record)
            known = fields[path].get(record.eval_id, ())
            if value and value not in known and record.system not in not_scored:
                fields[path][record.eval_id] = (*known, value)
        lines += problems.lines()
    if not lines:
        empty = [path for path in fields if not fields[path]]
        lines = [f"{corpus.name}: nothing in field {path!r}; {there}" for path in empty]
    if lines:
        raise InputError(lines)
    warnings = (*corpus.warnings, *_several_values(corpus.name, fields))
    return replace(corpus, fields=fields, warnings=warnings)


def _values_to_choose(
    file: FileRows, inputs: InputOptions, problems: Problems
) -> Iterator[tuple[str, Record, str]]:
    """Yield for each record each field and its value, which is empty where there is none."""
    rows: list[Row] = []
    for row in file.rows:
        if isinstance(row, Row):
            rows.append(row)
        else:
            # All else is told when the texts are read: of parallel lists, this one is odd.
            problems.add(row.place, row.text, row.kind)
    if not rows:
        return
    names = rows[0].record
    chosen = choose_fields(names, again_for(inputs.page_fields, inputs))
    if are_systems_named(inputs, names):
        chosen = replace(chosen, system=None)
    for record in _identified(rows, file, chosen, problems):
        for path, spelt in zip(inputs.page_fields, chosen.references, strict=True):
            try:
                most = inf if path == inputs.page_source else LONGEST_VALUE
                yield path, record, _value_to_choose(record.row.record, spelt, most)
            except FoundError as error:
                problems.add_error(record.place, error)


def _value_to_choose(record: Mapping[str, Any], path: str, most: float) -> str:
    """Return what a field holds as text; empty if nothing. Raises FoundError beyond `most`."""
    value = field_value(record, path)
    if value is MISSING or value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str | int | float) and type(value).__name__ not in WRITTEN_OUT:
        kind = f"field {path!r} is {kind_of(value, is_exact=False)}"
        raise FoundError(f"{kind}; expected a text, a number, true or false")
    text = str(value).strip()
    if len(text) > most:
        expected = f"expected a value to choose by, of at most {LONGEST_VALUE}"
        raise FoundError(
            f"field {path!r} has {len(text):,} characters; {expected}",
            f"field {path!r} has too many characters; {expected}",
        )
    return text


def _several_values(
    name: str, fields: Mapping[str, Mapping[str, tuple[str, ...]]]
) -> Iterator[str]:
    """Warn of fields in which records of the same EVAL differ."""
    for path, values in fields.items():
        several = [eval_id for eval_id, of_eval in values.items() if len(of_eval) > 1]
        if several:
            n_evals = "1 EVAL" if len(several) == 1 else f"{len(several)} EVALs"
            first, second = map(escaped, values[several[0]][:2])
            yield (
                f"{name}: the records of {n_evals} differ in field {path!r}, those of EVAL "
                f"{escaped(several[0])} are {first} and {second}: the page counts an EVAL under "
                "each of its values"
            )
