"""Tidy CSV: a row for each system, metric and measure, and for each EVAL with ``-d``."""

import csv
from collections.abc import Iterator
from io import StringIO

from rouge_cli.reports.rows import COLUMNS, tidy_rows
from rouge_cli.scoring.results import Results

__all__ = ["csv_report"]


def csv_report(results: Results) -> Iterator[str]:
    """Yield a line with the names of the columns, and a line a row.

    Numbers are as short as they can be without changing their value; an absent one is an empty
    field. Fields are quoted where RFC 4180 asks for it; lines end with a newline alone.
    """
    line = StringIO()
    writer = csv.writer(line, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in tidy_rows(results):
        yield line.getvalue()
        line.seek(0)
        line.truncate()
        writer.writerow(row)
    yield line.getvalue()
