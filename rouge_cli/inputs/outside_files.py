"""Read scores that were computed elsewhere: from files of their own, or from fields of records."""

from collections.abc import Mapping, Sequence
from math import nan

from rouge_cli.errors import FoundError, InputError, Problems
from rouge_cli.inputs.evaluation import DEFAULT_SYSTEM
from rouge_cli.inputs.judged_records import identified_rows
from rouge_cli.inputs.judgements import SCORES, Judgements, is_missing, ratings_of, read_judgements
from rouge_cli.inputs.outside_scores import OutsideScores
from rouge_cli.inputs.records.fields import MISSING, field_value
from rouge_cli.inputs.records.several import own_name
from rouge_cli.inputs.source import Source
from rouge_cli.options.beside import NamedField
from rouge_cli.options.inputs import InputOptions

__all__ = ["LARGEST_SCORE", "read_record_columns", "read_score_files"]

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


def _of_file(found: Judgements) -> OutsideScores:
    """Check what a file holds; raises InputError."""
    problems = Problems(found.name)
    if not found.is_per_eval:
        raise InputError(
            f"{found.name}: no column 'eval'; expected the ID of an EVAL beside each system"
        )
    for metric in found.columns:
        if set(metric) & set(":|=") or not metric.isprintable() or not metric.strip():
            problems.add("", f"column {metric!r}: expected the name of a metric, without : | and =")
    for row in found.rows:
        for metric, value in zip(found.columns, row.values, strict=True):
            if abs(value) > LARGEST_SCORE:
                problems.add_error(f"line {row.line}", _too_large(f"column {metric!r}", value))
    problems.raise_any()
    warnings = tuple(
        f"{found.name}: column {one!r} holds no number; it is left out" for one in found.ignored
    )
    values = {(row.system, row.eval_id or ""): row.values for row in found.rows}
    return OutsideScores(found.name, tuple(found.columns), values, warnings=warnings)


def _too_large(what: str, value: float) -> FoundError:
    """Say that a number is none that a score can be."""
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
        All numbers that are none, with their places.
    """
    files, _ = source.files(inputs.records_format)
    values: dict[tuple[str, str], tuple[float, ...]] = {}
    problems: list[str] = []
    for file in files:
        found = Problems(file.name)
        default_name = own_name(file) if len(files) > 1 else DEFAULT_SYSTEM
        paths = [one.path for one in columns]
        for row in identified_rows(file, paths, inputs, default_name, found):
            numbers = []
            for one in columns:
                try:
                    numbers.append(_number_of(row.row.record, one.path))
                except FoundError as error:  # noqa: PERF203 - all problems are told at once
                    found.add_error(row.place, error)
            values[row.system, row.eval_id] = tuple(numbers)
        problems += found.lines()
    if problems:
        raise InputError(problems)
    name = f"--column of {source.name}"
    return OutsideScores(name, tuple(one.name for one in columns), values, is_of_the_texts=True)


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
