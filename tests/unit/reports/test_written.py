"""What the writers make of results, to the letter: the cases of ``written/*.txt``.

A case is a call of functions of made.py behind ``>>>``, and the report below it, in which ``...``
is any text; a remark before it begins with ``#``. Figures are not drawn.
"""

import re
import sys
from collections.abc import Iterator
from doctest import DONT_ACCEPT_BLANKLINE, ELLIPSIS, OutputChecker
from pathlib import Path
from typing import Any

import pytest

from tests.unit.reports import made

WRITTEN = Path(__file__).with_name("written")
CASE = re.compile(r"^(?:# .*\n)*>>> (.*(?:\n\.\.\. .*)*)\n", re.MULTILINE)


def cases() -> Iterator[Any]:
    for path in sorted(WRITTEN.iterdir()):
        _, *parts = CASE.split(path.read_text("utf-8"))
        for call, expected in zip(parts[::2], parts[1::2], strict=True):
            code = call.replace("\n... ", " ")
            yield pytest.param(code, expected.strip("\n") + "\n", id=f"{path.stem}: {code}")


@pytest.mark.parametrize(("call", "expected"), [*cases()])
def test_report(call: str, expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    report = eval(call, vars(made).copy())
    if not OutputChecker().check_output(expected, report, ELLIPSIS | DONT_ACCEPT_BLANKLINE):
        assert report == expected
