"""Inputs on which the fuzzer made a reader fail: none may fail again."""

from pathlib import Path

import pytest

from fuzz.targets import TARGETS, replay
from rouge_cli.inputs.judgements import read_judgements
from tests.cli.running import ROOT, Run

CRASHES = ROOT / "fixtures" / "crashes"
FOUND = sorted(CRASHES.glob("*/*"))
NAMES = [path.relative_to(CRASHES).as_posix() for path in FOUND]


@pytest.mark.parametrize("path", FOUND, ids=NAMES)
def test_is_refused_or_read(path: Path) -> None:
    replay(path.parent.name, path.read_bytes())


def test_each_is_of_a_target_and_told_of() -> None:
    assert {path.parent.name for path in FOUND} <= set(TARGETS)
    told = (CRASHES / "README.md").read_text("utf-8")
    assert [name for name in NAMES if f"`{name}`" not in told] == []


def test_a_column_that_is_no_utf_8(run: Run, tmp_path: Path) -> None:
    content = (CRASHES / "records" / "parquet-column-name-not-utf-8").read_bytes()
    (tmp_path / "r.parquet").write_bytes(content.partition(b"\n")[2])
    line = run("r.parquet", cwd=tmp_path).refusal
    assert line.startswith("Error: r.parquet: damaged Parquet after 0 records: 'utf-8' ")
    assert "\n" not in line


def test_a_separator_before_a_number(tmp_path: Path) -> None:
    # U+001C, as what some programs put between records.
    path = tmp_path / "j.csv"
    path.write_text("system,x\na,\x1c4\nb,3\n", "utf-8")
    assert [row.values for row in read_judgements(str(path)).rows] == [(4.0,), (3.0,)]
