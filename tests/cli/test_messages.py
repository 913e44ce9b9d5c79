"""What is refused, or warned about, and what is printed: the exit code, and every word."""

import os
import shlex
from pathlib import Path

import pytest

from tests.cli import message_tables, output_tables
from tests.cli.messages import Case, cases_of
from tests.cli.running import Run

FIXTURES = Path(__file__).parents[2] / "fixtures"
SHARED = {"sample", "judgements"}
TABLES = (*message_tables.TABLES.items(), *output_tables.TABLES.items())
CASES = [(topic, case) for topic, table in TABLES for case in cases_of(table)]


@pytest.mark.parametrize(
    "case",
    [case for _, case in CASES],
    ids=[f"{topic}: {shlex.join(case.arguments)}"[:80] for topic, case in CASES],
)
def test_message(case: Case, run: Run, tmp_path: Path) -> None:
    shared = SHARED & case.files.keys()
    folder = FIXTURES / shared.pop() if shared else tmp_path
    if folder == tmp_path:
        case.write_files(tmp_path)
    before = sorted(os.listdir(folder))
    here = [argument.replace("{here}", str(folder)) for argument in case.arguments]
    finished = run(*here, cwd=folder)
    expected = [message.replace("{here}", str(folder)) for message in case.messages]
    assert (finished.code, finished.error_lines) == (case.code, expected)
    printed = finished.out.decode().splitlines()
    for beginning in case.beginnings:
        place = [line.startswith(beginning) for line in printed].index(True)
        del printed[: place + 1]
    if case.lines:
        assert printed == case.lines
    # What has an error prints nothing, and writes nothing.
    if case.code:
        assert (finished.out, sorted(os.listdir(folder))) == (b"", before)
