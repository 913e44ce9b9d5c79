"""Reports, character by character: the cases in ``written/``.

A case is a call of functions of made.py, after ``>>>`` as in a doctest, and below it the report,
with the ellipses of `tests.tables`. Remarks before a call begin with ``# ``. Figures are not drawn.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.tables import check_text, read_table
from tests.unit.reports import made

WRITTEN = Path(__file__).with_name("written")
CASE = re.compile(r"^(?:# .*\n)*>>> (.*(?:\n\.\.\. .*)*)\n", re.MULTILINE)


def cases() -> Iterator[Any]:
    for path in sorted(WRITTEN.iterdir()):
        _, *parts = CASE.split(read_table(path))
        for call, expected in zip(parts[::2], parts[1::2], strict=True):
            code = call.replace("\n... ", " ")
            yield pytest.param(code, expected.strip("\n") + "\n", id=f"{path.stem}: {code}")


@pytest.mark.parametrize(("call", "expected"), [*cases()])
def test_report(call: str, expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    report = eval(call, vars(made).copy())
    check_text(report, expected)
