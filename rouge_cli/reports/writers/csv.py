"""Tidy CSV."""

import csv
from collections.abc import Iterator
from io import StringIO

from rouge_cli.reports import DataView, Screen

__all__ = ["write"]


def write(view: DataView, screen: Screen) -> Iterator[str]:
    """Yield a line with the names of the columns, and a line a row.

    Numbers are as short as they can be without changing their value; an absent one is an empty
    field. Fields are quoted where RFC 4180 asks for it; lines end with a newline alone.
    """
    line = StringIO()
    writer = csv.writer(line, lineterminator="\n")
    for row in view.rows():
        writer.writerow(row)
        yield line.getvalue()
        line.seek(0)
        line.truncate()
