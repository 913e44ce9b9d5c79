"""Data for programs: tidy CSV, optionally safe for spreadsheets, JSON, and JUnit XML.

The JSON schemas are docs/*.schema.json.
"""

import csv
import json
import re
from collections.abc import Iterable, Iterator
from io import StringIO
from itertools import chain
from typing import Any

from rouge_cli.escapes import IN_JSON, IN_XML, escape_unprintable
from rouge_cli.reports import CsvRow, Screen, View
from rouge_cli.reports.writers import environment

FIRST_FIELD = re.compile(r"\A[^,\n]*")  # the first field of a line, if unquoted
FORMULA = re.compile(r"\s*[=+\-@]|[\t\r]")
"""Beginnings of text that spreadsheets evaluate, such as ``=cmd|...``."""


def write_csv(view: View, screen: Screen) -> Iterator[str]:
    """Yield a header line, then a line per row.

    Numbers have the shortest form that keeps their value; missing ones are empty fields. Fields are
    quoted as RFC 4180 requires; lines end with a bare newline. Spreadsheets may evaluate some of
    the texts; see `write_safe_csv`.
    """
    return _csv_lines(view.rows(), screen)


def write_safe_csv(view: View, screen: Screen) -> Iterator[str]:
    """Yield CSV with an apostrophe before each text that could be a formula."""
    safe_rows = (
        tuple(
            f"'{value}" if isinstance(value, str) and FORMULA.match(value) else value
            for value in row
        )
        for row in view.rows()
    )
    return _csv_lines(safe_rows, screen)


def _csv_lines(rows: Iterable[CsvRow], screen: Screen) -> Iterator[str]:
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


SPREAD = frozenset({"comparison", "correlation"})
"""Kinds of results that `json` formats: in ASCII, with one list item per line."""


def write_json(view: View, screen: Screen) -> Iterator[str]:
    """Yield indented JSON; lists of plain values stay on one line."""
    if view.kind in SPREAD:
        parts: Iterable[str] = [json.dumps(view.data(), indent=2, allow_nan=False)]
    else:
        parts = _written(view.data(), "\n")
    for part in chain(parts, ["\n"]):
        # The escaped form is the same JSON string.
        yield screen.log.escape(part, IN_JSON)


def _written(value: Any, newline: str) -> Iterator[str]:
    """Yield a value in parts; `newline` is a newline with the current indentation."""
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
    """Format a value on one line; bytes that are not UTF-8 appear as lone surrogates."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return re.sub("[\ud800-\udfff]", lambda match: f"\\u{ord(match.group()):04x}", text)


def write_junit(view: View, screen: Screen) -> Iterator[str]:
    """Yield JUnit XML, which CI systems show as the tests of a job.

    It is a suite with a case for each requirement, and for its EVALs if requested.
    """
    templates = environment(is_tight=True)
    # XML excludes control characters.
    templates.filters["printable"] = escape_unprintable
    # Drop duplicates, since readers may show only one of several cases with the same name.
    cases = dict.fromkeys(case for check in view.outcomes() for case in (check, *check.evals))
    report = templates.get_template("junit.xml.j2").render(
        cases=list(cases), signatures=view.document().signatures
    )
    yield screen.log.escape(report, IN_XML)
