"""Tidy CSV for spreadsheets, in which no text is a formula."""

import re
from collections.abc import Iterator
from typing import Any

from rouge_cli.reports import DataView, Row, Screen
from rouge_cli.reports.writers import csv

__all__ = ["write"]

FORMULA = re.compile(r"\s*[=+\-@]|[\t\r]")
"""How texts begin that spreadsheets calculate, such as ``=cmd|...``."""


def write(view: DataView, screen: Screen) -> Iterator[str]:
    """Yield the lines of CSV with an apostrophe before each text that could be a formula."""
    return csv.written_rows(map(_safe_row, view.rows()), screen)


def _safe_row(row: Row) -> Row:
    """Return a row whose texts a spreadsheet shows as they are."""
    return tuple([_safe(value) for value in row])


def _safe(value: Any) -> Any:
    """Mark a text as one; numbers are as they were."""
    return f"'{value}" if isinstance(value, str) and FORMULA.match(value) else value
