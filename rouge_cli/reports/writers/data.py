"""Data for programs: tidy CSV, as it is and for spreadsheets, and JSON with numbers as numbers.

The schemas of the JSON are docs/*.schema.json.
"""

import csv
import json
import re
from collections.abc import Iterable, Iterator
from io import StringIO
from itertools import chain
from typing import Any

from rouge_cli.escapes import IN_JSON
from rouge_cli.reports import Row, Screen, View

FIRST_FIELD = re.compile(r"\A[^,\n]*")
"""The first field of a line, if it is not in quotes."""

FORMULA = re.compile(r"\s*[=+\-@]|[\t\r]")
"""How texts begin that spreadsheets calculate, such as ``=cmd|...``."""


def write_csv(view: View, screen: Screen) -> Iterator[str]:
    """Yield a line with the names of the columns, and a line for each row.

    Numbers are as short as they can be without changing their value; an absent one is an empty
    field. Fields are quoted where RFC 4180 asks for it; lines end with a newline alone.
    Texts are as they are: a spreadsheet may take one for a formula, see `write_safe_csv`.
    """
    return _csv_lines(view.rows(), screen)


def write_safe_csv(view: View, screen: Screen) -> Iterator[str]:
    """Yield the lines of CSV with an apostrophe before each text that could be a formula."""
    return _csv_lines((tuple(map(_safe, row)) for row in view.rows()), screen)


def _csv_lines(rows: Iterable[Row], screen: Screen) -> Iterator[str]:
    """Yield a line for each row; a field that would be a command is quoted."""
    line = StringIO()
    writer = csv.writer(line, lineterminator="\n")
    for row in rows:
        writer.writerow(row)
        written = line.getvalue()
        if written.lstrip().startswith(screen.log.at_line_start):
            written = FIRST_FIELD.sub(r'"\g<0>"', written)
        yield written
        line.seek(0)
        line.truncate()


def _safe(value: Any) -> Any:
    """Mark a text that could be a formula as text; numbers are as they were."""
    return f"'{value}" if isinstance(value, str) and FORMULA.match(value) else value


SPREAD = frozenset({"comparison", "correlation"})
"""Kinds of results that keep the form they came with: Python's own, and ASCII."""


def write_json(view: View, screen: Screen) -> Iterator[str]:
    """Yield the report, indented; lists of plain values stand on one line."""
    if view.kind in SPREAD:
        parts: Iterable[str] = [json.dumps(view.data(), indent=2, allow_nan=False)]
    else:
        parts = _written(view.data(), "\n")
    for part in chain(parts, ["\n"]):
        # What would be a command is the same string in another form.
        yield screen.log.escape(part, IN_JSON)


def _written(value: Any, newline: str) -> Iterator[str]:
    """Yield a value as JSON, in parts; `newline` is a line's end and the blanks of the next."""
    if isinstance(value, dict) and value:
        pairs = [(_scalar(key) + ": ", item) for key, item in value.items()]
        brackets = "{}"
    elif isinstance(value, list) and any(isinstance(item, dict) for item in value):
        pairs, brackets = [("", item) for item in value], "[]"
    else:
        yield _scalar(value)
        return
    deeper, before = newline + "  ", brackets[0]
    for key, item in pairs:
        yield before + deeper + key
        yield from _written(item, deeper)
        before = ","
    yield newline + brackets[1]


def _scalar(value: Any) -> str:
    """Write a value on one line; a byte that is not UTF-8 is written as a lone surrogate."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return re.sub("[\ud800-\udfff]", lambda match: f"\\u{ord(match.group()):04x}", text)
