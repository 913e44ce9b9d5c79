"""Calls in Python, with what each of them warns of, raises or returns.

Each file in ``calls/`` is a table of `tests.tables` on one topic. Below a call is a line for each
warning, with its class and message, and then the error or, after ``=``, an expression of equal
value. Calls with nothing below them expect the same as the next call. Imports and assignments are
run before all calls of their topic.
"""

import ast
import warnings
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.tables import check_text, read_table, rows_of

STATEMENTS: defaultdict[str, list[str]] = defaultdict(list)


def cases() -> Iterator[Any]:
    for path in sorted(Path(__file__).with_name("calls").iterdir()):
        calls: list[str] = []
        for code, expected in rows_of(read_table(path)):
            if not isinstance(ast.parse(code).body[0], ast.Expr):
                STATEMENTS[path.stem].append(code)
                continue
            calls.append(code)
            if expected:
                for call in calls:
                    yield pytest.param(path.stem, call, expected, id=f"{path.stem}: {call}"[:80])
                calls = []
        assert not calls, f"{path.name} expects nothing of the last calls"


@cache
def names_of(topic: str) -> dict[str, Any]:
    names: dict[str, Any] = {}
    for statement in STATEMENTS[topic]:
        exec(statement, names)
    return names


@pytest.mark.parametrize(("topic", "call", "expected"), [*cases()])
def test_call(topic: str, call: str, expected: list[str]) -> None:
    names = names_of(topic)
    lines: list[str] = []
    value = None
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            value = eval(call, names)
        except Exception as error:
            lines = f"{type(error).__name__}: {error}".split("\n")
    lines[:0] = [f"{warning.category.__name__}: {warning.message}" for warning in caught]
    if expected[-1].startswith("= "):
        *expected, equal = expected
        assert value == eval(equal[2:], names)
    check_text("\n".join(lines), "\n".join(expected))
