"""Fields of records besides the texts, for which files are read once more: only runs that ask pay.

Numbers become metrics or judgements; other values are what a page chooses EVALs by.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from math import inf
from typing import Any, NamedTuple

from rouge_cli.errors import FoundError, InputError, Problems
from rouge_cli.escapes import escaped
from rouge_cli.inputs.index import Index
from rouge_cli.inputs.records.reading import RecordFile
from rouge_cli.inputs.records.rows import (
    MISSING,
    Row,
    RowProblem,
    are_systems_named,
    choose_fields,
    field_value,
    kind_of,
    listed,
)
from rouge_cli.inputs.records.values import RecordReader, RecordTexts
from rouge_cli.options.inputs import InputOptions

LONGEST_VALUE = 200
"""Characters of the longest value that selects EVALs on a page; a longer one is a text."""

WRITTEN_OUT = frozenset({"date", "datetime", "time", "Timestamp", "Decimal"})
"""Types of Parquet and data frames whose written form is used to select EVALs."""


class Record(NamedTuple):
    """A record, which EVAL of which system it is, its place, and its spelling of the fields."""

    row: Row
    system: str
    eval_id: str
    place: str
    fields: tuple[str, ...]


def records_again(
    file: RecordFile, fields: Sequence[str], inputs: InputOptions, problems: Problems
) -> Iterator[Record]:
    """Read the records of a file once more; only the IDs and some fields are read of Parquet.

    What is wrong with the rows is told where the texts are read, so that `problems` takes only IDs
    that cannot be read, and what is odd about parallel lists.
    """
    # The fields are read in place of the texts.
    wanted = replace(inputs, prediction=(fields[0],), references=tuple(fields))
    reader: RecordReader | None = None
    with file.opened(wanted) as (runs, _):
        for row in chain.from_iterable(runs):
            if isinstance(row, RowProblem):
                problems.add(row.place, row.text, row.kind)
                continue
            if reader is None:
                chosen = choose_fields(row.record, wanted)
                if are_systems_named(inputs, row.record):
                    chosen = replace(chosen, system=None)
                reader = RecordReader(chosen, file.default_system, RecordTexts())
            place = file.origin.place(row.number)
            try:
                system = reader.system_of(row.record)
                eval_id = reader.eval_of(row.record, system)
            except ValueError as error:
                problems.add_error(place, error)
                continue
            yield Record(row, file.given_name or system, eval_id, place, chosen.references)


def read_fields(files: Sequence[RecordFile], inputs: InputOptions, index: Index) -> None:
    """Add to an index the fields by which a page chooses EVALs.

    The records of an EVAL need not agree: it then has several values, and the index a warning.
    Raises InputError with all values that are no values to choose by.
    """
    fields: dict[str, dict[str, tuple[str, ...]]] = {path: {} for path in inputs.page_fields}
    lines: list[str] = []
    there = ""
    for file in files:
        problems = Problems(file.origin.name)
        for path, record, value in _values_to_choose(file, inputs, problems):
            there = there or listed(record.row.record)
            known = fields[path].get(record.eval_id, ())
            is_scored = record.system in index.order or are_systems_named(inputs, record.row.record)
            if value and value not in known and is_scored:
                fields[path][record.eval_id] = (*known, value)
        lines += problems.lines()
    if not lines:
        empty = [path for path in fields if not fields[path]]
        lines = [f"{index.name}: nothing in field {path!r}; {there}" for path in empty]
    if lines:
        raise InputError(lines)
    index.fields = fields
    index.warnings += _several_values(index.name, fields)


def _values_to_choose(
    file: RecordFile, inputs: InputOptions, problems: Problems
) -> Iterator[tuple[str, Record, str]]:
    for record in records_again(file, inputs.page_fields, inputs, problems):
        for path, spelt in zip(inputs.page_fields, record.fields, strict=True):
            try:
                most = inf if path == inputs.page_source else LONGEST_VALUE
                yield path, record, _value_to_choose(record.row.record, spelt, most)
            except FoundError as error:
                problems.add_error(record.place, error)


def _value_to_choose(record: Mapping[str, Any], path: str, most: float) -> str:
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
    for path, values in fields.items():
        several = [eval_id for eval_id, of_eval in values.items() if len(of_eval) > 1]
        if several:
            n_evals = "1 text" if len(several) == 1 else f"{len(several)} texts"
            # Source documents may be long.
            first, second = (escaped(value[:LONGEST_VALUE]) for value in values[several[0]][:2])
            yield (
                f"{name}: the records of {n_evals} differ in field {path!r}, those of text "
                f"{escaped(several[0])} are {first} and {second}: the page counts a text under "
                "each of its values"
            )
