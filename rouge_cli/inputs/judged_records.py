"""Human judgements that stand in the records themselves, beside the texts that they are about."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from rouge_cli.errors import FoundError, InputError, OptionError, Problems
from rouge_cli.inputs.evaluation import DEFAULT_SYSTEM
from rouge_cli.inputs.judgements import JudgedRow, Judgements, ratings_of
from rouge_cli.inputs.records.corpus import RecordOrigin
from rouge_cli.inputs.records.fields import MISSING, choose_fields, field_value, listed
from rouge_cli.inputs.records.grouping import RecordIds
from rouge_cli.inputs.records.reading import UNITS, opened_records, record_rows
from rouge_cli.inputs.records.rows import Row
from rouge_cli.inputs.records.several import own_name
from rouge_cli.inputs.source import Source, records_format, sniffed_format
from rouge_cli.options.inputs import InputOptions
from rouge_cli.quick_dataclass import dataclass

__all__ = ["IdentifiedRow", "identified_rows", "read_judged_records"]


def read_judged_records(source: Source, fields: Sequence[str], inputs: InputOptions) -> Judgements:
    """Read the judgements of a file of records, or of several.

    Parameters
    ----------
    fields : sequence of str
        Each holds a number, or a list of those of several judges; a path may lead through a list of
        objects, one of each judge.

    Raises
    ------
    OptionError
        If CONFIG is no file of records.
    InputError
        All that is wrong with the judgements.
    """
    if len(inputs.prediction) > 1:
        raise OptionError(
            "--judgement is of one system for each record, and several --prediction make several; "
            "give the judgements with --judgements FILE"
        )
    files, _ = source.files(inputs.records_format)
    rows: list[JudgedRow] = []
    problems: list[str] = []
    for file in files:
        found = Problems(file.name)
        default_name = own_name(file) if len(files) > 1 else DEFAULT_SYSTEM
        rows += _judged_file(file, fields, inputs, default_name, found)
        problems += found.lines()
    if problems:
        raise InputError(problems)
    return Judgements(source.names, tuple(fields), tuple(rows), True)


@dataclass(frozen=True, slots=True)
class IdentifiedRow:
    """A record, and which EVAL of which system it is.

    Parameters
    ----------
    place : str
        Such as its line, for messages.
    """

    row: Row
    system: str
    eval_id: str
    place: str


def identified_rows(
    source: Source,
    fields: Sequence[str],
    inputs: InputOptions,
    default_name: str,
    problems: Problems,
) -> list[IdentifiedRow]:
    """Read the records of one file once more, for numbers that stand in them.

    Parameters
    ----------
    source : Source
        Its name says the format, or the options do.
    fields : sequence of str
        At least one. Only these and the IDs are read of Parquet.
    default_name : str
        What its system is called if neither the records nor the user name it.
    problems : Problems
        Takes IDs that cannot be read. What is wrong with the rows is told where the texts are read.
    """
    form = records_format(source.config or "", inputs.records_format)
    if form is None:
        form = sniffed_format(source.standard_input) or ""
    needed = replace(inputs, prediction=(fields[0],), references=tuple(fields))
    with opened_records(source, form, inputs) as stream:
        rows = list(record_rows(stream, source.name, form, needed).rows)
    origin = RecordOrigin(source.name, UNITS[form], source.file_system or default_name)
    found = []
    ids: RecordIds | None = None
    for row in rows:
        if not isinstance(row, Row):
            continue
        if ids is None:
            ids = RecordIds(choose_fields(row.record, needed), origin)
        place = origin.place(row.number)
        try:
            system = ids.system_of(row.record)
            eval_id = ids.eval_of(row.record, system)
        except ValueError as error:
            problems.add_error(place, error)
            continue
        found.append(IdentifiedRow(row, source.file_system or system, eval_id, place))
    return found


def _judged_file(
    source: Source,
    fields: Sequence[str],
    inputs: InputOptions,
    default_name: str,
    problems: Problems,
) -> list[JudgedRow]:
    """Read the judgements of each record that has some; add what is wrong with them."""
    has_format = source.config is not None and not source.is_standard_input
    if not has_format or records_format(source.config or "", inputs.records_format) is None:
        raise OptionError(
            "--judgement names fields of a file of records, and CONFIG is none; give the "
            "judgements with --judgements FILE"
        )
    rows = identified_rows(source, fields, inputs, default_name, problems)
    judged = []
    for one in rows:
        try:
            ratings = [list(_ratings(one.row, field)) for field in fields]
            _check_filled(fields, ratings)
        except FoundError as error:
            problems.add_error(one.place, error)
            continue
        if any(ratings):
            judged.append(JudgedRow.of(one.row.number, one.system, one.eval_id, ratings))
    if not judged and not problems:
        found = listed(rows[0].row.record) if rows else "there are no records"
        problems.add("", f"nothing in field {fields[0]!r}; {found}")
    return judged


def _check_filled(fields: Sequence[str], ratings: Sequence[list[float]]) -> None:
    """Refuse a record with a number in some of the fields alone; raises FoundError."""
    if any(ratings) and not all(ratings):
        raise FoundError(
            f"nothing in field {fields[ratings.index([])]!r}; expected a number in each of the "
            "fields, or in none"
        )


def _ratings(row: Row, field: str) -> Iterator[float]:
    """Yield the numbers in a field; raises FoundError."""
    for value in _found(row.record, field):
        if value is None:
            continue
        try:
            yield from ratings_of(value)
        except FoundError as error:
            raise error.within(f"field {field!r}: found ") from None


def _found(value: Any, path: str) -> Iterator[Any]:
    """Yield what a path leads to; in a list of objects, that of each of them."""
    direct = field_value(value, path)
    if direct is not MISSING:
        yield direct
        return
    head, dot, rest = path.partition(".")
    while dot:
        within = field_value(value, head)
        if isinstance(within, list):
            for item in within:
                yield from _found(item, rest)
            return
        more, dot, rest = rest.partition(".")
        head = f"{head}.{more}"
