"""Tidy CSV."""

import csv
import re
from collections.abc import Iterable, Iterator
from io import StringIO

from rouge_cli.reports import DataView, Row, Screen

__all__ = ["write", "written_rows"]

COMMAND_AS_FIELD = re.compile(r"\A\s*::[^,\n]*")
"""A first field that begins a line as a command does; only one without quotes does."""


def write(view: DataView, screen: Screen) -> Iterator[str]:
    """Yield a line with the names of the columns, and a line a row.

    Numbers are as short as they can be without changing their value; an absent one is an empty
    field. Fields are quoted where RFC 4180 asks for it; lines end with a newline alone.
    Texts are as they are: for spreadsheets, which may take one for a formula, there is `csv_safe`.
    """
    return written_rows(view.rows(), screen)


def written_rows(rows: Iterable[Row], screen: Screen) -> Iterator[str]:
    """Yield a line for each row; in quotes, a field that would be a command is none."""
    line = StringIO()
    writer = csv.writer(line, lineterminator="\n")
    for row in rows:
        writer.writerow(row)
        written = line.getvalue()
        yield COMMAND_AS_FIELD.sub(r'"\g<0>"', written) if screen.reads_commands else written
        line.seek(0)
        line.truncate()
