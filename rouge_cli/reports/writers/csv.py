"""Tidy CSV."""

import csv
from collections.abc import Iterable, Iterator
from io import StringIO

from rouge_cli.reports import DataView, Row, Screen

__all__ = ["write", "written_rows"]


def write(view: DataView, screen: Screen) -> Iterator[str]:
    """Yield a line with the names of the columns, and a line a row.

    Numbers are as short as they can be without changing their value; an absent one is an empty
    field. Fields are quoted where RFC 4180 asks for it; lines end with a newline alone.
    Texts are as they are: for spreadsheets, which may take one for a formula, there is `csv_safe`.
    """
    return written_rows(view.rows())


def written_rows(rows: Iterable[Row]) -> Iterator[str]:
    """Yield a line for each row."""
    line = StringIO()
    writer = csv.writer(line, lineterminator="\n")
    for row in rows:
        writer.writerow(row)
        yield line.getvalue()
        line.seek(0)
        line.truncate()
