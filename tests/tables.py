"""Tables of cases as text: a case, and below it, indented, what is expected of it.

A line that is indented by four blanks continues the one above, after a blank. A line that begins
with ``# `` is a remark, and empty lines separate subjects. A file of several tables starts each
with a line ``== NAME``.

In what is expected, ``...`` is any text of a line; alone on a line, it is any lines. ``{version}``
is the version of this package.
"""

import codecs
import re
from pathlib import Path

from rouge_cli import __version__

Rows = list[tuple[str, list[str]]]

NOTHING = "(nothing)"


def read_table(path: Path) -> str:
    return path.read_text("utf-8").replace("{version}", __version__)


def rows_of(table: str) -> Rows:
    """Return the cases, each with the lines that are expected."""
    rows: list[list[str]] = []
    for line in table.split("\n"):
        if line.startswith("    "):
            rows[-1][-1] += line[3:]
        elif line.startswith("  "):
            rows[-1].append(line[2:])
        elif not line.startswith("# "):
            rows.append([line])
    return [(case, expected) for case, *expected in rows if case or expected]


def tables_beside(test: str) -> dict[str, Rows]:
    """Return the tables in the text file beside a test module, given the module's `__file__`."""
    text = read_table(Path(test).with_suffix(".txt"))
    parts = (part.partition("\n") for part in text.split("\n== ")[1:])
    return {name: rows_of(table) for name, _, table in parts}


def raw(text: str) -> bytes:
    """Return the bytes that a table writes with the escapes of a bytes literal."""
    return b"" if text == NOTHING else codecs.escape_decode(text.encode())[0]


def check_text(text: str, expected: str) -> None:
    """Check that a text is the expected one, which may have ellipses."""
    lines = (
        "(?s:.*)" if line == "..." else ".*".join(map(re.escape, line.split("...")))
        for line in expected.split("\n")
    )
    if not re.fullmatch("\n".join(lines), text):
        # A comparison, although it may have ellipses: pytest then shows where the texts differ.
        assert text == expected
