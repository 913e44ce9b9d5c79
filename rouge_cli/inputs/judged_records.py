"""Human judgements that stand in the records themselves, beside the texts that they are about."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from rouge_cli.errors import OptionError, Problems
from rouge_cli.inputs.evaluation import DEFAULT_SYSTEM
from rouge_cli.inputs.judgements import JudgedRow, Judgements, ratings_of
from rouge_cli.inputs.records.corpus import RecordOrigin
from rouge_cli.inputs.records.fields import MISSING, choose_fields, field_value, listed
from rouge_cli.inputs.records.grouping import RecordIds
from rouge_cli.inputs.records.reading import UNITS, opened_records, record_rows
from rouge_cli.inputs.records.rows import Row
from rouge_cli.inputs.records.several import own_name
from rouge_cli.inputs.source import Source, records_format
from rouge_cli.options.inputs import InputOptions

__all__ = ["read_judged_records"]


def read_judged_records(source: Source, fields: Sequence[str], inputs: InputOptions) -> Judgements:
    """Read the judgements of a file of records, or of several.

    Parameters
    ----------
    source : Source
    fields : sequence of str
        Each holds a number, or a list of those of several judges; a path may lead through a list of
        objects, one of each judge.
    inputs : InputOptions

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
    found = Problems()
    for file in files:
        default_name = own_name(file) if len(files) > 1 else DEFAULT_SYSTEM
        judged, problems = _judged_file(file, fields, inputs, default_name)
        rows += judged
        found.extend(problems)
    found.raise_any()
    return Judgements(source.names, tuple(fields), tuple(rows), True)


def _judged_file(
    source: Source, fields: Sequence[str], inputs: InputOptions, default_name: str
) -> tuple[list[JudgedRow], list[str]]:
    """Read the judgements of one file; return what is wrong with them, too."""
    has_format = source.config is not None and not source.is_standard_input
    form = records_format(source.config or "", inputs.records_format) if has_format else None
    if form is None:
        raise OptionError(
            "--judgement names fields of a file of records, and CONFIG is none; give the "
            "judgements with --judgements FILE"
        )
    # Only what is needed is read of Parquet: no texts.
    needed = replace(inputs, prediction=(fields[0],), references=tuple(fields))
    with opened_records(source, form, inputs) as stream:
        rows = list(record_rows(stream, source.name, form, needed).rows)
    # What is wrong with the rows themselves is told where the texts are read.
    records = [row for row in rows if isinstance(row, Row)]
    origin = RecordOrigin(source.name, UNITS[form], source.file_system or default_name)
    judged, problems = _judged(records, fields, needed, origin)
    if source.file_system is not None:
        judged = [replace(one, system=source.file_system) for one in judged]
    return judged, problems


def _judged(
    records: Sequence[Row], fields: Sequence[str], inputs: InputOptions, origin: RecordOrigin
) -> tuple[list[JudgedRow], list[str]]:
    """Read the judgements of each record that has some; return what is wrong with them, too."""
    judged, problems = [], []
    ids: RecordIds | None = None
    for row in records:
        if ids is None:
            ids = RecordIds(choose_fields(row.record, inputs), origin)
        try:
            system = ids.system_of(row.record)
            eval_id = ids.eval_of(row.record, system)
            ratings = [list(_ratings(row, field)) for field in fields]
        except ValueError as error:
            problems.append(f"{origin.name}, {origin.place(row.number)}: {error}")
            continue
        if any(ratings):
            if not all(ratings):
                field = fields[ratings.index([])]
                problems.append(
                    f"{origin.name}, {origin.place(row.number)}: nothing in field {field!r}; "
                    "expected a number in each of the fields, or in none"
                )
                continue
            judged.append(JudgedRow.of(row.number, system, eval_id, ratings))
    if not judged and not problems:
        found = listed(records[0].record) if records else "there are no records"
        problems.append(f"{origin.name}: nothing in field {fields[0]!r}; {found}")
    return judged, problems


def _ratings(row: Row, field: str) -> Iterator[float]:
    """Yield the numbers in a field; raises ValueError."""
    for value in _found(row.record, field):
        if value is None:
            continue
        try:
            yield from ratings_of(value)
        except ValueError as error:
            raise ValueError(f"field {field!r}: found {error}") from None


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
