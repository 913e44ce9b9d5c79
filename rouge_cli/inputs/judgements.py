"""External numbers of systems and EVALs: human judgements, and scores of other programs.

They come from a file of their own, CSV, TSV, JSONL or Parquet, or from fields of the records.
"""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from io import StringIO
from itertools import chain
from typing import Any

from rouge_cli.errors import FoundError, InputError, OptionError, Problems
from rouge_cli.inputs.decoding import MAX_RECORD, Decoder
from rouge_cli.inputs.evaluation import OutsideScores
from rouge_cli.inputs.files import input_name, open_input
from rouge_cli.inputs.records.fields import Record, records_again
from rouge_cli.inputs.records.json_rows import line_runs
from rouge_cli.inputs.records.reading import DELIMITERS, record_file
from rouge_cli.inputs.records.rows import MISSING, Row, RowProblem, field_value, listed
from rouge_cli.inputs.source import Source, records_format
from rouge_cli.options.declaration import NUMBER
from rouge_cli.options.inputs import InputOptions, NamedField
from rouge_cli.options.scores import ERROR
from rouge_cli.quick_dataclass import dataclass

_NOT_FINITE = re.compile(r"[+-]?(nan|inf|infinity)", re.ASCII | re.IGNORECASE)


SYSTEM, EVAL, JUDGE = ("system", "model"), ("eval", "id"), ("judge",)
"""Names of the columns with IDs; the first one in a file is taken."""


@dataclass(frozen=True, slots=True)
class Wording:
    """The words of messages about a file; with `may_miss`, numbers may be missing, which is nan."""

    option: str
    noun: str
    verb: str
    may_miss: bool = False


JUDGEMENTS = Wording("--judgements", "judgements", "judged")
SCORES = Wording("--add scores", "scores", "scored", may_miss=True)


def judgement_words(unmatched: str) -> Wording:
    """Return the words for judgements, which may miss if --unmatched leaves something out."""
    return replace(JUDGEMENTS, may_miss=unmatched != ERROR)


Judge = tuple[str, int]
"""A judge's name, empty if unknown, and the place in the list of numbers of a row."""


@dataclass(frozen=True, slots=True)
class JudgedRow:
    """The judgements of one system, in one EVAL or overall (`eval_id` is None).

    `values` has a number for each column of `Judgements`, the mean of several judges; nan if it is
    missing, and may be. `ratings` has the numbers of each judge, for each column; empty for a
    single judge. `judges` names them, in the same shape; empty if they are unnamed: then the first
    of each list is taken to be the same judge, and so on.
    """

    line: int
    system: str
    eval_id: str | None
    values: tuple[float, ...]
    ratings: tuple[tuple[float, ...], ...] = ()
    judges: tuple[tuple[Judge, ...], ...] = ()

    @classmethod
    def of(
        cls,
        line: int,
        system: str,
        eval_id: str | None,
        ratings: Sequence[Sequence[float]],
        judges: tuple[tuple[Judge, ...], ...] = (),
    ) -> "JudgedRow":
        """Return a row with the means of what the judges gave in each column."""
        has_several = any(len(of_column) > 1 for of_column in ratings)
        # Relative to the first one, so that the mean of equal ratings is exact.
        means = tuple(
            column[0] + sum(x - column[0] for x in column) / len(column) for column in ratings
        )
        kept = tuple(map(tuple, ratings)) if has_several else ()
        return cls(line, system, eval_id, means, kept, judges)

    def by_judge(self, column: int) -> dict[Judge, float]:
        """Return the rating of each judge in a column, given by its place."""
        ratings = self.ratings[column] if self.ratings else (self.values[column],)
        judges = self.judges[column] if self.judges else [("", k) for k in range(len(ratings))]
        pairs = zip(judges, ratings, strict=True)
        return {judge: rating for judge, rating in pairs if not math.isnan(rating)}


@dataclass(frozen=True, slots=True)
class Judgements:
    """A file of judgements: no two rows of the same system and EVAL.

    `is_per_eval` tells whether systems were judged EVAL by EVAL. `ignored` are the columns without
    any number.
    """

    name: str
    columns: tuple[str, ...]
    rows: tuple[JudgedRow, ...]
    is_per_eval: bool
    ignored: tuple[str, ...] = ()


def read_judgements(
    path: str, wanted: tuple[str, ...] = (), words: Wording = JUDGEMENTS
) -> Judgements:
    """Read the columns `wanted` of a file of judgements or scores; without any, all with numbers.

    The suffix of `path`, without ``.gz``, is the format. The file is UTF-8; other bytes become lone
    surrogates, as in the names of a configuration. Raises OptionError for another suffix, and
    InputError if the file cannot be read or is malformed.
    """
    form, name = records_format(path), input_name(path)
    if form is None or form == "JSON":
        raise OptionError(
            f"{words.option}: found {path!r}, expected a file whose name ends in .csv, .tsv, "
            ".jsonl or .parquet"
        )
    if form == "PARQUET":
        from rouge_cli.inputs.records.tables import open_parquet, parquet_runs

        with open_parquet(path, words.noun, {}, {}) as stream:
            rows = chain.from_iterable(parquet_runs(stream, name))
            return gather_judgements(rows, name, wanted, words, is_typed=True)
    decoder = Decoder(name, None, errors="surrogateescape")
    with open_input(path, words.noun) as file:
        if form == "JSONL":
            rows = chain.from_iterable(line_runs(file, decoder, MAX_RECORD))
            return gather_judgements(rows, name, wanted, words, is_typed=True)
        lines = StringIO("".join(decoder.lines(file)), newline="")
    from rouge_cli.inputs.records.tables import found_delimiter, table_rows

    header = next((line for line in lines if not line.isspace()), "")
    lines.seek(0)
    delimiter = found_delimiter(header, DELIMITERS[form])
    return gather_judgements(table_rows(lines, delimiter), name, wanted, words)


def gather_judgements(
    rows: Iterable[Row | RowProblem],
    name: str,
    wanted: Sequence[str],
    words: Wording = JUDGEMENTS,
    *,
    is_typed: bool = False,
) -> Judgements:
    """Return the judgements in the rows of a file; raises InputError with all problems.

    Rows have a field ``system``, perhaps fields ``eval`` and ``judge``, and fields with numbers, or
    lists of numbers, one for each judge. `wanted` are the columns to take; by default all others
    with a number. If `is_typed`, a string with a number is text, unless its column is wanted.
    """
    read = list(rows)
    problems = Problems(name)
    for row in read:
        if isinstance(row, RowProblem):
            # Without its advice, which is about options for records.
            problems.add(row.place, row.text, row.kind)
    problems.raise_any()
    records = [row for row in read if isinstance(row, Row)]
    fields = list(dict.fromkeys(field for row in records for field in row.record))
    system, eval_field, judge = (_named(fields, *names) for names in (SYSTEM, EVAL, JUDGE))
    if not records:
        raise InputError(f"{name}: no {words.noun}; expected a row for each system, or text of one")
    if system is None:
        is_whole = len(fields) == 1 and not is_typed
        advice = "; expected a comma, a semicolon or a tab between columns" * is_whole
        raise InputError(f"{name}: no column 'system'; found: {', '.join(fields)}{advice}")
    others = [field for field in fields if field not in {system, eval_field, judge}]
    columns = _columns(records, others, name, wanted, is_typed=is_typed)
    rated: list[_RatedRow] = []
    for row in records:
        rated_row, errors = _rated(row, (system, eval_field, judge), columns, words)
        rated.append(rated_row)
        for error in errors:
            problems.add_error(f"line {row.number}", error)
    for line, error in _duplicates(rated, words):
        problems.add_error(f"line {line}", error)
    problems.raise_any()
    ignored = () if wanted else tuple(field for field in others if field not in columns)
    groups: dict[tuple[str, str | None], list[_RatedRow]] = {}
    for rated_row in rated:
        groups.setdefault((rated_row.system, rated_row.eval_id), []).append(rated_row)
    judged = tuple(_joined(key, rows, words) for key, rows in groups.items())
    return Judgements(name, columns, judged, eval_field is not None, ignored)


@dataclass(frozen=True, slots=True)
class _RatedRow:
    """A row of a file: the numbers of a judge, or lists of those of several."""

    line: int
    system: str
    eval_id: str | None
    judge: str | None
    ratings: list[list[float]]


def _joined(key: tuple[str, str | None], rows: Sequence[_RatedRow], words: Wording) -> JudgedRow:
    columns: list[list[tuple[Judge, float]]] = []
    for of_column in zip(*(row.ratings for row in rows), strict=True):
        given = [
            ((row.judge or "", place), rating)
            for row, ratings in zip(rows, of_column, strict=True)
            for place, rating in enumerate(ratings)
        ]
        # A judge without a number is left out of the mean; a score without one is missing.
        known = [pair for pair in given if not math.isnan(pair[1])]
        columns.append((known or given[:1]) if words.option == JUDGEMENTS.option else given)
    ratings = [[rating for _, rating in column] for column in columns]
    judges = tuple(tuple(judge for judge, _ in column) for column in columns)
    is_named = rows[0].judge is not None
    return JudgedRow.of(rows[0].line, *key, ratings, judges if is_named else ())


def _named(fields: Sequence[str], *names: str) -> str | None:
    for name in names:
        if name in fields:
            return name
        for field in fields:
            if field.strip().lower() == name:
                return field
    return None


def _columns(
    records: Sequence[Row],
    others: Sequence[str],
    name: str,
    wanted: Sequence[str],
    *,
    is_typed: bool,
) -> tuple[str, ...]:
    if missing := [column for column in wanted if column not in others]:
        known = ", ".join(others) or "none"
        raise InputError(
            [f"{name}: no column {column!r} to take; beside system and eval there are: {known}"
             for column in missing]
        )  # fmt: skip
    columns = list(wanted)
    for field in () if wanted else others:
        values = (row.record.get(field) for row in records)
        firsts = (value[0] if isinstance(value, list) and value else value for value in values)
        if any(_is_numeric(x) and not (is_typed and isinstance(x, str)) for x in firsts):
            columns.append(field)
    if not columns:
        raise InputError(f"{name}: no column with numbers beside system and eval; expected one")
    return tuple(dict.fromkeys(columns))


def _is_numeric(value: Any) -> bool:
    if isinstance(value, str):
        return bool(NUMBER.fullmatch(value.strip()) or _NOT_FINITE.fullmatch(value.strip()))
    return isinstance(value, int | float) and not isinstance(value, bool)


def _rated(
    row: Row, keys: tuple[str, str | None, str | None], columns: Sequence[str], words: Wording
) -> tuple[_RatedRow, list[FoundError]]:
    ids = [None if key is None else _identity(row.record.get(key)) for key in keys]
    problems = [
        FoundError(f"column {key!r}: found nothing, expected an ID")
        for key, identity in zip(keys, ids, strict=True)
        if key is not None and not identity
    ]
    ratings: list[list[float]] = []
    for column in columns:
        value = row.record.get(column)
        if words.may_miss and _is_missing(value):
            ratings.append([math.nan])
            continue
        try:
            ratings.append(_ratings_of(value))
        except FoundError as error:
            problems.append(error.within(f"column {column!r}: found "))
    system, eval_id, judge = ids
    return _RatedRow(row.number, system or "", eval_id, judge, ratings), problems


def _is_missing(value: Any) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())


def _ratings_of(value: Any) -> list[float]:
    if not isinstance(value, list):
        return [_number(value)]
    if not value:
        raise FoundError("an empty list, expected the numbers of the judges")
    return [_number(rating) for rating in value]


def _identity(value: Any) -> str:
    if isinstance(value, str):
        return value
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else ""


def _number(value: Any) -> float:
    if _is_missing(value):
        raise FoundError("nothing, expected a number")
    if not _is_numeric(value):
        raise FoundError(f"{value!r}, expected a number", "no number, expected one")
    try:
        # str.strip also strips separators of records, which float refuses.
        number = float(value.strip() if isinstance(value, str) else value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise FoundError(f"{value!r}, expected a finite number", "no finite number, expected one")
    return number


def _duplicates(rated: Sequence[_RatedRow], words: Wording) -> Iterator[tuple[int, FoundError]]:
    first: dict[tuple[str, str | None, str | None], int] = {}
    for row in rated:
        line = first.setdefault((row.system, row.eval_id, row.judge), row.line)
        if line != row.line:
            where = "" if row.eval_id is None else f" in text {row.eval_id!r}"
            who = "" if row.judge is None else f" by {row.judge!r}"
            advice = "; a column 'judge' tells several judges apart" if row.judge is None else ""
            expected = f"expected one row{advice}"
            problem = f"system {row.system!r} is {words.verb}{where}{who} on line {line} too"
            kind = f"{words.verb} on an earlier line too"
            yield row.line, FoundError(f"{problem}; {expected}", f"{kind}; {expected}")


def read_judged_records(source: Source, fields: Sequence[str], inputs: InputOptions) -> Judgements:
    """Read the judgements of a file of records, or of several.

    Each of `fields` holds a number, or a list of them; a path may lead through a list of objects,
    one for each judge. Raises OptionError if CONFIG is not a file of records, and InputError with
    all problems of the judgements.
    """
    if len(inputs.prediction) > 1:
        raise OptionError(
            "--judgement is of one system for each record, and several --prediction make several; "
            "give the judgements with --judgements FILE"
        )
    for file in source.files(inputs.records_format)[0]:
        has_name = file.config is not None and not file.is_standard_input
        if not has_name or records_format(file.config or "", inputs.records_format) is None:
            raise OptionError(
                "--judgement names fields of a file of records, and CONFIG is none; give the "
                "judgements with --judgements FILE"
            )
    rows: list[JudgedRow] = []
    for records, problems in _records_of_files(source, fields, inputs):
        n_before = len(rows)
        for record in records:
            try:
                ratings = [list(_ratings(record.row, field)) for field in fields]
                if any(ratings) and not all(ratings):
                    raise FoundError(
                        f"nothing in field {fields[ratings.index([])]!r}; expected a number in "
                        "each of the fields, or in none"
                    )
            except FoundError as error:
                problems.add_error(record.place, error)
                continue
            if any(ratings):
                number = record.row.number
                rows.append(JudgedRow.of(number, record.system, record.eval_id, ratings))
        if len(rows) == n_before and not problems:
            fields_there = listed(records[0].row.record) if records else "there are no records"
            problems.add("", f"nothing in field {fields[0]!r}; {fields_there}")
    return Judgements(source.names, tuple(fields), tuple(rows), True)


def _records_of_files(
    source: Source, fields: Sequence[str], inputs: InputOptions
) -> Iterator[tuple[list[Record], Problems]]:
    """Yield the records of each file with its problems, to which the caller may add.

    In the end, raises InputError with the problems of all files.
    """
    files, _ = source.files(inputs.records_format)
    lines: list[str] = []
    for file in files:
        problems = Problems(file.name)
        of_file = record_file(file, file.form_of_records(inputs.records_format) or "")
        yield list(records_again(of_file, fields, inputs, problems)), problems
        lines += problems.lines()
    if lines:
        raise InputError(lines)


def _ratings(row: Row, field: str) -> Iterator[float]:
    for value in _values_at(row.record, field):
        if value is None:
            continue
        yield from _ratings_in(value, field)


def _ratings_in(value: Any, field: str) -> list[float]:
    try:
        return _ratings_of(value)
    except FoundError as error:
        raise error.within(f"field {field!r}: found ") from None


def _values_at(value: Any, path: str) -> Iterator[Any]:
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
"""Far above any score, and far below the limit at which sums of doubles become inexact."""


def read_score_files(paths: Sequence[str]) -> list[OutsideScores]:
    """Read files of scores, with the columns ``system``, ``eval`` and one for each metric.

    Raises OptionError and InputError as `read_judgements` does.
    """
    return [_of_file(read_judgements(path, words=SCORES)) for path in paths]


def _of_file(file: Judgements) -> OutsideScores:
    problems = Problems(file.name)
    if not file.is_per_eval:
        raise InputError(
            f"{file.name}: no column 'eval'; expected the ID of a text beside each system"
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
    expected = "expected a number from -1e15 to 1e15"
    return FoundError(
        f"{what}: found {value:g}, {expected}", f"{what}: found too large a number, {expected}"
    )


def read_record_columns(
    source: Source, columns: Sequence[NamedField], inputs: InputOptions
) -> OutsideScores:
    """Read numbers from the records of the run, which it has read before.

    Raises InputError with all malformed numbers.
    """
    values: dict[tuple[str, str], tuple[float, ...]] = {}
    for records, problems in _records_of_files(source, [item.path for item in columns], inputs):
        for record in records:
            numbers = []
            for column in columns:
                try:
                    numbers.append(_number_of(record.row.record, column.path))
                except FoundError as error:
                    problems.add_error(record.place, error)
            values[record.system, record.eval_id] = tuple(numbers)
    names = tuple(column.name for column in columns)
    return OutsideScores(f"--add column of {source.name}", names, values, is_of_the_texts=True)


def _number_of(record: Mapping[str, object], path: str) -> float:
    value = field_value(record, path)
    if value is MISSING or _is_missing(value):
        return math.nan
    if isinstance(value, list):
        raise FoundError(f"field {path!r}: found a list, expected a number")
    (number,) = _ratings_in(value, path)
    if abs(number) > LARGEST_SCORE:
        raise _too_large(f"field {path!r}", number)
    return number
