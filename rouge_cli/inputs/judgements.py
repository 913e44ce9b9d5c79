"""Reads numbers about systems and EVALs: human judgements, and scores of other programs.

They are in separate CSV, TSV, JSONL or Parquet files, or in fields of the records.
"""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from io import StringIO
from itertools import chain
from typing import Any

from rouge_cli.errors import FoundError, InputError, OptionError, Problems
from rouge_cli.inputs.decoding import Decoder
from rouge_cli.inputs.evaluation import OutsideScores
from rouge_cli.inputs.files import input_name, open_input
from rouge_cli.inputs.records.grouping import records_of_files
from rouge_cli.inputs.records.json_rows import line_runs
from rouge_cli.inputs.records.reading import DELIMITERS, RecordFile, record_file
from rouge_cli.inputs.records.rows import MISSING, Row, RowProblem, field_value, listed, only_rows
from rouge_cli.inputs.source import Source, records_format
from rouge_cli.options.inputs import InputOptions, NamedField
from rouge_cli.options.readers import NUMBER
from rouge_cli.options.scores import ERROR
from rouge_cli.quick_dataclass import dataclass

_NOT_FINITE = re.compile(r"[+-]?(nan|inf|infinity)", re.ASCII | re.IGNORECASE)


SYSTEM, EVAL, JUDGE = ("system", "model"), ("eval", "id"), ("judge",)
"""Names of the columns of IDs; the first name present in a file is used."""


@dataclass(frozen=True, slots=True)
class Wording:
    """The words of messages about a file. If `may_miss`, missing numbers are read as nan."""

    option: str
    noun: str
    verb: str
    may_miss: bool = False


JUDGEMENTS = Wording("--judgements", "judgements", "judged")
SCORES = Wording("--add scores", "scores", "scored", may_miss=True)


def judgement_words(unmatched: str) -> Wording:
    """Return the words for judgements; numbers may be missing unless `unmatched` is an error."""
    return replace(JUDGEMENTS, may_miss=unmatched != ERROR)


Judge = tuple[str, int]
"""A judge's name, empty if unknown, and the position of the rating in a list of several."""


@dataclass(frozen=True, slots=True)
class JudgedRow:
    """The judgements of one system, in one EVAL or overall (`eval_id` is None).

    - `line`: the line or position in the file.
    - `values`: for each column of `Judgements`, the mean of the judges; nan if it is missing.
    - `ratings`: for each column, the number from each judge; empty if there is a single judge.
    - `judges`: the judges, in the shape of `ratings`; empty if they have no names. Ratings at the
      same position are then assumed to be by the same judge.
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
        """Return a row whose values are the means of the ratings in each column."""
        has_several = any(len(of_column) > 1 for of_column in ratings)
        # Take the mean of differences from the first rating: it is exact if all are equal.
        means = tuple(
            column[0] + sum(x - column[0] for x in column) / len(column) for column in ratings
        )
        kept = tuple(map(tuple, ratings)) if has_several else ()
        return cls(line, system, eval_id, means, kept, judges)

    def by_judge(self, column: int) -> dict[Judge, float]:
        """Return the rating by each judge in the column at position `column`, without nan."""
        ratings = self.ratings[column] if self.ratings else (self.values[column],)
        judges = self.judges[column] if self.judges else [("", k) for k in range(len(ratings))]
        pairs = zip(judges, ratings, strict=True)
        return {judge: rating for judge, rating in pairs if not math.isnan(rating)}


@dataclass(frozen=True, slots=True)
class Judgements:
    """The judgements in a file, with at most one row per system and EVAL.

    `is_per_eval` is whether systems were judged in each EVAL rather than overall. `ignored` are
    columns without numbers.
    """

    name: str
    columns: tuple[str, ...]
    rows: tuple[JudgedRow, ...]
    is_per_eval: bool
    ignored: tuple[str, ...] = ()


def read_judgements(
    path: str, wanted: tuple[str, ...] = (), words: Wording = JUDGEMENTS
) -> Judgements:
    """Read the columns `wanted` of a file of judgements or scores, by default all with numbers.

    The format is determined by the suffix of `path`, ignoring ``.gz``. The file is in UTF-8; bytes
    that are not become lone surrogates, as in names in a configuration. Raises OptionError for an
    unknown suffix, and InputError if the file cannot be read or is malformed.
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
            rows = chain.from_iterable(line_runs(file, decoder))
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

    Rows have a field ``system``, optional fields ``eval`` and ``judge``, and fields with a number,
    or with a list of numbers from several judges. `wanted` are the columns to read, by default all
    that have a number. If `is_typed`, numbers in strings count only in wanted columns.
    """
    problems = Problems(name)
    records = only_rows(list(rows), problems, with_advice=False)
    problems.raise_any()
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
    # Rows with the same system and EVAL are by several judges.
    groups: dict[tuple[str, str | None], list[_RatedRow]] = {}
    first_lines: dict[tuple[str | None, ...], int] = {}
    duplicates: list[tuple[str, FoundError]] = []
    for row in records:
        place = f"line {row.number}"
        ids, ratings, errors = _rated(row, (system, eval_field, judge), columns, words)
        row_system, eval_id, judge_name = ids
        groups.setdefault((row_system or "", eval_id), []).append((row.number, judge_name, ratings))
        for error in errors:
            problems.add_error(place, error)
        if (first_line := first_lines.setdefault(tuple(ids), row.number)) != row.number:
            duplicates.append((place, _duplicate(ids, first_line, words)))
    for place, error in duplicates:
        problems.add_error(place, error)
    problems.raise_any()
    ignored = () if wanted else tuple(field for field in others if field not in columns)
    judged = tuple(_joined(key, rows, words) for key, rows in groups.items())
    return Judgements(name, columns, judged, eval_field is not None, ignored)


_RatedRow = tuple[int, str | None, list[list[float]]]
"""A row as read: its line, the name of its judge, and for each column one or more ratings."""


def _joined(key: tuple[str, str | None], rows: Sequence[_RatedRow], words: Wording) -> JudgedRow:
    columns: list[list[tuple[Judge, float]]] = []
    for of_column in zip(*(ratings for _, _, ratings in rows), strict=True):
        given = [
            ((judge or "", position), rating)
            for (_, judge, _), ratings in zip(rows, of_column, strict=True)
            for position, rating in enumerate(ratings)
        ]
        # A judge who gave no number is left out of the mean, but a missing score stays missing.
        known = [pair for pair in given if not math.isnan(pair[1])]
        columns.append((known or given[:1]) if words.option == JUDGEMENTS.option else given)
    ratings = [[rating for _, rating in column] for column in columns]
    judges = tuple(tuple(judge for judge, _ in column) for column in columns)
    line, judge, _ = rows[0]
    return JudgedRow.of(line, *key, ratings, () if judge is None else judges)


def _named(fields: Sequence[str], *names: str) -> str | None:
    # A column of that very name precedes one that differs in case or in blanks around it.
    by_name = (([name] if name in fields else fields, name) for name in names)
    spelt = (field for those, name in by_name for field in those if field.strip().lower() == name)
    return next(spelt, None)


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
            [f"{name}: no column {column!r}; besides system and eval there are: {known}"
             for column in missing]
        )  # fmt: skip
    columns = list(wanted)
    for field in () if wanted else others:
        values = (row.record.get(field) for row in records)
        firsts = (value[0] if isinstance(value, list) and value else value for value in values)
        if any(_is_numeric(x) and not (is_typed and isinstance(x, str)) for x in firsts):
            columns.append(field)
    if not columns:
        raise InputError(f"{name}: no column with numbers besides system and eval; expected one")
    return tuple(dict.fromkeys(columns))


def _is_numeric(value: Any) -> bool:
    if isinstance(value, str):
        return bool(NUMBER.fullmatch(value.strip()) or _NOT_FINITE.fullmatch(value.strip()))
    return isinstance(value, int | float) and not isinstance(value, bool)


def _rated(
    row: Row, keys: tuple[str, str | None, str | None], columns: Sequence[str], words: Wording
) -> tuple[list[str | None], list[list[float]], list[FoundError]]:
    """Return the IDs in the fields `keys`, the ratings in `columns`, and their problems."""
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
    return ids, ratings, problems


def _is_missing(value: Any) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())


def _ratings_of(value: Any) -> list[float]:
    if not isinstance(value, list):
        return [_number(value)]
    if not value:
        raise FoundError("an empty list, expected the numbers of the judges")
    return list(map(_number, value))


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
        # `float` refuses some characters that `str.strip` removes, the separators of ASCII.
        number = float(value.strip() if isinstance(value, str) else value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise FoundError(f"{value!r}, expected a finite number", "no finite number, expected one")
    return number


def _duplicate(ids: Sequence[str | None], first_line: int, words: Wording) -> FoundError:
    system, eval_id, judge = ids
    where = "" if eval_id is None else f" in text {eval_id!r}"
    who = "" if judge is None else f" by {judge!r}"
    advice = "; a column 'judge' tells several judges apart" if judge is None else ""
    expected = f"expected one row{advice}"
    problem = f"system {system!r} is {words.verb}{where}{who} on line {first_line} too"
    kind = f"{words.verb} on an earlier line too"
    return FoundError(f"{problem}; {expected}", f"{kind}; {expected}")


def read_judged_records(source: Source, fields: Sequence[str], inputs: InputOptions) -> Judgements:
    """Read judgements from `fields` of the records themselves.

    A field has a number or a list of numbers; its path may lead through a list of objects, one
    per judge. Raises OptionError if the input is not a file of records, and InputError with all
    problems of the judgements.
    """
    if len(inputs.prediction) > 1:
        problem = "--judgement is of one system for each record, and several --prediction make"
        raise OptionError(f"{problem} several; give the judgements with --judgements FILE")
    for file in source.files(inputs.records_format)[0]:
        has_name = file.config is not None and not file.is_standard_input
        if not has_name or records_format(file.config or "", inputs.records_format) is None:
            problem = "--judgement names fields of a file of records, and CONFIG is not one"
            raise OptionError(f"{problem}; give the judgements with --judgements FILE")
    rows: list[JudgedRow] = []
    for records, problems in records_of_files(_record_files(source, inputs), fields, inputs):
        n_before, there = len(rows), ""
        for row, system, eval_id, place, _ in records:
            there = there or listed(row.record)
            try:
                ratings = [_ratings_at(row.record, field) for field in fields]
                if any(ratings) and not all(ratings):
                    raise FoundError(
                        f"nothing in field {fields[ratings.index([])]!r}; expected a number in "
                        "each of the fields, or in none"
                    )
            except FoundError as error:
                problems.add_error(place, error)
                continue
            if any(ratings):
                rows.append(JudgedRow.of(row.number, system, eval_id, ratings))
        if len(rows) == n_before and not problems:
            there = there or "there are no records"
            problems.add("", f"nothing in field {fields[0]!r}; {there}")
    return Judgements(source.names, tuple(fields), tuple(rows), True)


def _record_files(source: Source, inputs: InputOptions) -> list[RecordFile]:
    form = inputs.records_format
    return [record_file(file, file.form_of_records(form) or "") for file in source.files(form)[0]]


def _ratings_at(record: Mapping[str, object], field: str) -> list[float]:
    values = (value for value in _values_at(record, field) if value is not None)
    return [rating for value in values for rating in _ratings_in(value, field)]


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
"""Larger than any real score, but small enough that sums of doubles stay accurate."""


def read_score_files(paths: Sequence[str]) -> list[OutsideScores]:
    """Read files of scores with columns ``system`` and ``eval``, and one for each metric.

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
    kind = f"{what}: found too large a number, {expected}"
    return FoundError(f"{what}: found {value:g}, {expected}", kind)


def read_record_columns(
    source: Source, columns: Sequence[NamedField], inputs: InputOptions
) -> OutsideScores:
    """Read numbers from fields of the records that are scored, in a second pass over them.

    Raises InputError with all malformed numbers.
    """
    values: dict[tuple[str, str], tuple[float, ...]] = {}
    paths = [item.path for item in columns]
    for records, problems in records_of_files(_record_files(source, inputs), paths, inputs):
        for row, system, eval_id, place, _ in records:
            numbers = []
            for column in columns:
                try:
                    numbers.append(_number_of(row.record, column.path))
                except FoundError as error:
                    problems.add_error(place, error)
            values[system, eval_id] = tuple(numbers)
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
