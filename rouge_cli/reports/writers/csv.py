"""Tidy CSV, as it is and for spreadsheets."""

import csv
import re
from collections.abc import Iterable, Iterator
from io import StringIO
from typing import Any

from rouge_cli.reports import Row, Screen, View

COMMAND_AS_FIELD = re.compile(r"\A\s*::[^,\n]*")
"""A first field that begins a line as a command does; only one without quotes does."""

FORMULA = re.compile(r"\s*[=+\-@]|[\t\r]")
"""How texts begin that spreadsheets calculate, such as ``=cmd|...``."""


def write(view: View, screen: Screen) -> Iterator[str]:
    """Yield a line with the names of the columns, and a line for each row.

    Numbers are as short as they can be without changing their value; an absent one is an empty
    field. Fields are quoted where RFC 4180 asks for it; lines end with a newline alone.
    Texts are as they are: a spreadsheet may take one for a formula, see `write_safe`.
    """
    return _lines(view.rows(), screen)


def write_safe(view: View, screen: Screen) -> Iterator[str]:
    """Yield the lines of CSV with an apostrophe before each text that could be a formula."""
    return _lines((tuple(map(_safe, row)) for row in view.rows()), screen)


def _lines(rows: Iterable[Row], screen: Screen) -> Iterator[str]:
    """Yield a line for each row; a field that would be a command is quoted."""
    line = StringIO()
    writer = csv.writer(line, lineterminator="\n")
    for row in rows:
        writer.writerow(row)
        written = line.getvalue()
        yield COMMAND_AS_FIELD.sub(r'"\g<0>"', written) if screen.reads_commands else written
        line.seek(0)
        line.truncate()


def _safe(value: Any) -> Any:
    """Mark a text that could be a formula as text; numbers are as they were."""
    return f"'{value}" if isinstance(value, str) and FORMULA.match(value) else value
