"""Tables of cases as text: what is given, and below it, indented, what is expected.

A line that is indented by four blanks goes on in the one above, behind a blank; one that begins
with ``# `` is a remark, and an empty one without anything below parts two subjects. A file of
several tables names each in a line ``== NAME``.
"""

import codecs
from pathlib import Path

Rows = list[tuple[str, list[str]]]

NOTHING = "(nothing)"


def rows_of(table: str) -> Rows:
    """Return what is given, each with the lines that are expected."""
    rows: list[list[str]] = []
    for line in table.split("\n"):
        if line.startswith("    "):
            rows[-1][-1] += line[3:]
        elif line.startswith("  "):
            rows[-1].append(line[2:])
        elif not line.startswith("# "):
            rows.append([line])
    return [(given, expected) for given, *expected in rows if given or expected]


def tables_beside(test: str) -> dict[str, Rows]:
    """Return the tables in the text file beside a module of tests, which gives its `__file__`."""
    text = Path(test).with_suffix(".txt").read_text("utf-8")
    parts = (part.partition("\n") for part in text.split("\n== ")[1:])
    return {name: rows_of(table) for name, _, table in parts}


def raw(text: str) -> bytes:
    """Return the bytes that a table writes with escapes, as a string of bytes has them."""
    return b"" if text == NOTHING else codecs.escape_decode(text.encode())[0]


def refused_calls(test: Path) -> list[tuple[str, str, str | None]]:
    """Return the calls in the file refused.txt beside a test, each with its error and message.

    There an error has the calls that raise it below it, and its message, if it has one of ours, is
    a regular expression.
    """
    rows = rows_of(test.with_name("refused.txt").read_text("utf-8"))
    errors = [(error.partition(": "), calls) for error, calls in rows]
    return [(call, name, text or None) for (name, _, text), calls in errors for call in calls]
