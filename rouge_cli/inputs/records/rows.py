"""What a file of records consists of: rows, and what is no row."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

__all__ = ["Row", "RowProblem", "column_problems"]


@dataclass(frozen=True, slots=True)
class Row:
    """One record.

    Parameters
    ----------
    number : int
        The line on which it begins, or its place among the records, from 1.
    record : mapping of str to object
        Its fields.
    """

    number: int
    record: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class RowProblem:
    """Something that is no record.

    Parameters
    ----------
    place : str
        Where it stands, such as ``"line 7"``; empty for the file as a whole.
    text : str
        What was found, what was expected, what to do.
    """

    place: str
    text: str


def column_problems(names: Sequence[str], place: str) -> Iterator[RowProblem]:
    """Yield what is wrong with the names of columns: one that is empty, one that is used twice."""
    for column, name in enumerate(names, 1):
        if not name:
            yield RowProblem(
                place,
                f"column {column} has no name; expected a header that names every column",
            )
    for name, count in Counter(filter(None, names)).items():
        if count > 1:
            columns = [str(column) for column, one in enumerate(names, 1) if one == name]
            found = f"columns {', '.join(columns)} all have the name {name!r}"
            yield RowProblem(place, f"{found}; expected a name for each")
