"""Human judgements that stand in the records themselves, beside the texts that they are about."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from rouge_cli.errors import OptionError, Problems
from rouge_cli.inputs.evaluation import DEFAULT_SYSTEM
from rouge_cli.inputs.judgements import JudgedRow, Judgements, ratings_of
from rouge_cli.inputs.records.fields import MISSING, choose_fields, field_value, listed
from rouge_cli.inputs.records.grouping import RecordIds, RecordOrigin
from rouge_cli.inputs.records.layout import records_format
from rouge_cli.inputs.records.reading import UNITS, opened_records, record_rows
from rouge_cli.inputs.records.rows import Row
from rouge_cli.inputs.source import Source
from rouge_cli.options.inputs import InputOptions

__all__ = ["read_judged_records"]


def read_judged_records(
    config: str | None, fields: Sequence[str], inputs: InputOptions
) -> Judgements:
    """Read the judgements of a file of records.

    Parameters
    ----------
    config : str or None
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
    source = Source(config)
    form = None if config is None else records_format(config, inputs.records_format)
    if form is None or source.is_standard_input:
        raise OptionError(
            "--judgement names fields of a file of records, and CONFIG is none; give the "
            "judgements with --judgements FILE"
        )
    # Only what is needed is read of Parquet: no texts.
    needed = replace(inputs, prediction=fields[0], references=tuple(fields))
    with opened_records(source, form, inputs) as stream:
        rows = list(record_rows(stream, source.name, form, needed))
    # What is wrong with the rows themselves is told where the texts are read.
    records = [row for row in rows if isinstance(row, Row)]
    origin = RecordOrigin(source.name, UNITS[form], DEFAULT_SYSTEM)
    judged, problems = _judged(records, fields, needed, origin)
    if problems:
        found = Problems(source.name)
        found.extend(problems)
        found.raise_any()
    return Judgements(source.name, tuple(fields), tuple(judged), True)


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
