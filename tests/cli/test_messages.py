"""What is refused, or warned about: the exit code, every word, and nothing left behind."""

import os
import shlex
from pathlib import Path

import pytest

from tests.cli.message_tables import TABLES
from tests.cli.messages import Case, cases_of
from tests.cli.running import Run

FIXTURES = Path(__file__).parents[2] / "fixtures"
SHARED = {"sample", "judgements"}
CASES = [(topic, case) for topic, table in TABLES.items() for case in cases_of(table)]


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
    # What has an error prints nothing, and writes nothing.
    if case.code:
        assert (finished.out, sorted(os.listdir(folder))) == (b"", before)
