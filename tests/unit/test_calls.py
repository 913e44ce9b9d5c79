"""Calls in Python, and their outcome: an error, warnings, or a value.

Each file in ``calls/`` has a topic, and is a table of `tests.tables`. Below a call are the type and
the message of each warning and of the error or, after ``=``, the returned value. There may be no
other warnings. `` ...`` at the end of a message stands for any text. Lines with nothing below them
are statements, such as imports, which are run before all calls.
"""

import warnings
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.tables import rows_of

FOLDER = Path(__file__).with_name("calls")
ROWS = [
    (path.stem, call, expected)
    for path in sorted(FOLDER.iterdir())
    for call, expected in rows_of(path.read_text("utf-8"))
]


@cache
def names_of(topic: str) -> dict[str, Any]:
    names: dict[str, Any] = {}
    for of, statement, expected in ROWS:
        if of == topic and not expected:
            exec(statement, names)
    return names


@pytest.mark.parametrize(
    ("topic", "call", "expected"),
    [pytest.param(*row, id=f"{row[0]}: {row[1]}"[:80]) for row in ROWS if row[2]],
)
def test_call(topic: str, call: str, expected: list[str]) -> None:
    names = names_of(topic)
    happened: list[str] = []
    value = None
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            value = eval(call, names)
        except Exception as error:
            happened = f"{type(error).__name__}: {error}".split("\n")
    happened[:0] = [f"{one.category.__name__}: {one.message}" for one in caught]
    if expected[-1].startswith("= "):
        *expected, equal = expected
        assert value == eval(equal[2:], names)
    assert len(happened) == len(expected)
    for words, line in zip(happened, expected, strict=True):
        assert words.startswith(line[:-3]) if line.endswith(" ...") else words == line
