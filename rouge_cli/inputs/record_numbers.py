"""Numbers from elsewhere: judgements and scores in fields of records, files of scores."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import nan
from typing import Any

from rouge_cli.errors import FoundError, InputError, OptionError, Problems
from rouge_cli.inputs.evaluation import DEFAULT_SYSTEM
from rouge_cli.inputs.judgements import (
    SCORES,
    JudgedRow,
    Judgements,
    is_missing,
    ratings_of,
    read_judgements,
)
from rouge_cli.inputs.outside_scores import OutsideScores
from rouge_cli.inputs.records.reading import UNITS, opened_records, own_name, record_rows
from rouge_cli.inputs.records.rows import MISSING, Row, choose_fields, field_value, listed
from rouge_cli.inputs.records.values import RecordIds
from rouge_cli.inputs.source import Source, records_format, sniffed_format
from rouge_cli.inputs.texts import Origin
from rouge_cli.options.inputs import InputOptions, NamedField
from rouge_cli.quick_dataclass import dataclass


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
        file_problems = Problems(file.name)
        default_name = own_name(file) if len(files) > 1 else DEFAULT_SYSTEM
        rows += _judged_file(file, fields, inputs, default_name, file_problems)
        problems += file_problems.lines()
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
    origin = Origin(source.name, UNITS[form])
    identified = []
    ids: RecordIds | None = None
    for row in rows:
        if not isinstance(row, Row):
            continue
        if ids is None:
            ids = RecordIds(choose_fields(row.record, needed), source.file_system or default_name)
        place = origin.place(row.number)
        try:
            system = ids.system_of(row.record)
            eval_id = ids.eval_of(row.record, system)
        except ValueError as error:
            problems.add_error(place, error)
            continue
        identified.append(IdentifiedRow(row, source.file_system or system, eval_id, place))
    return identified


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
    for record in rows:
        try:
            ratings = [list(_ratings(record.row, field)) for field in fields]
            _check_filled(fields, ratings)
        except FoundError as error:
            problems.add_error(record.place, error)
            continue
        if any(ratings):
            judged.append(JudgedRow.of(record.row.number, record.system, record.eval_id, ratings))
    if not judged and not problems:
        fields_there = listed(rows[0].row.record) if rows else "there are no records"
        problems.add("", f"nothing in field {fields[0]!r}; {fields_there}")
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
    for value in _values_at(row.record, field):
        if value is None:
            continue
        try:
            yield from ratings_of(value)
        except FoundError as error:
            raise error.within(f"field {field!r}: found ") from None


def _values_at(value: Any, path: str) -> Iterator[Any]:
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
                yield from _values_at(item, rest)
            return
        more, dot, rest = rest.partition(".")
        head = f"{head}.{more}"


LARGEST_SCORE = 1e15
"""Far above any score, and far below what sums of doubles cannot hold."""


def read_score_files(paths: Sequence[str]) -> list[OutsideScores]:
    """Read files of scores.

    Parameters
    ----------
    paths : sequence of str
        Each with the columns ``system``, ``eval`` and one for each metric.

    Raises
    ------
    OptionError
        If the suffix of one says no format.
    InputError
        All that is wrong with a file.
    """
    return [_of_file(read_judgements(path, words=SCORES)) for path in paths]


def _of_file(file: Judgements) -> OutsideScores:
    """Check what a file holds; raises InputError."""
    problems = Problems(file.name)
    if not file.is_per_eval:
        raise InputError(
            f"{file.name}: no column 'eval'; expected the ID of an EVAL beside each system"
        )
    for metric in file.columns:
        if set(metric) & set(":|=") or not metric.isprintable() or not metric.strip():
            problems.add("", f"column {metric!r}: expected the name of a metric, without : | and =")
    for row in file.rows:
        for metric, value in zip(file.columns, row.values, strict=True):
            if abs(value) > LARGEST_SCORE:
                problems.add_error(f"line {row.line}", _too_large(f"column {metric!r}", value))
    problems.raise_any()
    warnings = tuple(
        f"{file.name}: column {column!r} holds no number; it is left out" for column in file.ignored
    )
    values = {(row.system, row.eval_id or ""): row.values for row in file.rows}
    return OutsideScores(file.name, tuple(file.columns), values, warnings=warnings)


def _too_large(what: str, value: float) -> FoundError:
    """Say that a number is too large for a score."""
    expected = "expected a number from -1e15 to 1e15"
    return FoundError(
        f"{what}: found {value:g}, {expected}", f"{what}: found too large a number, {expected}"
    )


def read_record_columns(
    source: Source, columns: Sequence[NamedField], inputs: InputOptions
) -> OutsideScores:
    """Read numbers that stand in the records of the run.

    Parameters
    ----------
    source : Source
        Files of records, which the run has read already.
    columns : sequence of NamedField
        At least one.

    Raises
    ------
    InputError
        All malformed numbers, with their places.
    """
    files, _ = source.files(inputs.records_format)
    values: dict[tuple[str, str], tuple[float, ...]] = {}
    problems: list[str] = []
    for file in files:
        file_problems = Problems(file.name)
        default_name = own_name(file) if len(files) > 1 else DEFAULT_SYSTEM
        paths = [column.path for column in columns]
        for row in identified_rows(file, paths, inputs, default_name, file_problems):
            numbers = []
            for column in columns:
                try:
                    numbers.append(_number_of(row.row.record, column.path))
                except FoundError as error:  # noqa: PERF203 - all problems are told at once
                    file_problems.add_error(row.place, error)
            values[row.system, row.eval_id] = tuple(numbers)
        problems += file_problems.lines()
    if problems:
        raise InputError(problems)
    name = f"--column of {source.name}"
    return OutsideScores(
        name, tuple(column.name for column in columns), values, is_of_the_texts=True
    )


def _number_of(record: Mapping[str, object], path: str) -> float:
    """Return the number in a field, nan where there is none; raises FoundError."""
    value = field_value(record, path)
    if value is MISSING or is_missing(value):
        return nan
    if isinstance(value, list):
        raise FoundError(f"field {path!r}: found a list, expected a number")
    try:
        (number,) = ratings_of(value)
    except FoundError as error:
        raise error.within(f"field {path!r}: found ") from None
    if abs(number) > LARGEST_SCORE:
        raise _too_large(f"field {path!r}", number)
    return number
