"""CSV and TSV to rows."""

import csv
from collections.abc import Iterable, Iterator

from rouge_cli.inputs.records.rows import Row, RowProblem, column_problems

__all__ = ["table_rows"]

LONGEST_FIELD = 2**31 - 1
"""As good as no limit, and the largest that the csv module takes on every system."""

_NEVER_CLOSED = (
    'a quote that is never closed; expected "..." around a field, and "" for a quote within'
)
_AFTER_QUOTE = (
    "something after the quote that closes a field; expected a quote within a field as two, and "
    "quotes around the field"
)
UNNAMED = "\0"
"""Stands for the name of a first column that has none; no file of records holds a zero byte."""

_CARRIAGE_RETURN = (
    "a carriage return outside of quotes that is not the end of a line; save the file with "
    "newlines at the ends of its lines"
)


def table_rows(lines: Iterable[str], delimiter: str) -> Iterator[Row | RowProblem]:
    r"""Read a table with a header.

    Parameters
    ----------
    lines : iterable of str
        With their newlines.
    delimiter : str
        What stands between fields: ``,`` or a tab.

    Yields
    ------
    Row or RowProblem
        The number of a row is the line on which it begins. Blank lines are skipped. Reading ends
        at a header that cannot be used, and where quotes are not as they should be: nobody knows
        where the next row would begin.

    Notes
    -----
    Source: RFC 4180; a newline may be ``\n`` too.
    """
    names: list[str] | None = None
    for number, found in _cells(lines, delimiter):
        if isinstance(found, RowProblem):
            yield found
        elif names is None:
            # pandas writes its index as a first column without a name.
            names = [UNNAMED, *found[1:]] if found[0] == "" and len(found) > 1 else found
            problems = list(column_problems(names, f"line {number}"))
            yield from problems
            if problems:
                return
        elif len(found) != len(names):
            count = f"{len(found)} field{'s' * (len(found) != 1)}"
            yield RowProblem(f"line {number}", f"{count}; expected {len(names)}, as in the header")
        else:
            cells = dict(zip(names, found, strict=True))
            cells.pop(UNNAMED, None)
            yield Row(number, cells)


def _cells(lines: Iterable[str], delimiter: str) -> Iterator[tuple[int, list[str] | RowProblem]]:
    """Yield the fields of each row that is not blank, and the line on which it begins."""
    # A setting of the whole process; nobody can want fields to be refused for their length.
    csv.field_size_limit(LONGEST_FIELD)
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    number = 1
    try:
        for cells in reader:
            if cells:
                yield number, cells
            number = reader.line_num + 1
    except csv.Error as error:
        yield number, _quote_problem(str(error), number, reader.line_num)


def _quote_problem(reason: str, first_line: int, line: int) -> RowProblem:
    """Say in other words what the csv module does not like."""
    if "end of data" in reason:
        return RowProblem(f"line {first_line}", _NEVER_CLOSED)
    if "expected after" in reason:
        return RowProblem(f"line {line}", _AFTER_QUOTE)
    if "new-line" in reason:
        return RowProblem(f"line {line}", _CARRIAGE_RETURN)
    return RowProblem(f"line {line}", f"not a table: {reason}")
