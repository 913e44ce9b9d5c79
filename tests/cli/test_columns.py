"""Delimiters of tables are detected, and reported with ``-v``."""

from pathlib import Path

import pytest

from tests.cli.running import Run


@pytest.mark.parametrize("name", ["t.csv", "t.tsv"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_delimiters_are_found(run: Run, name: str, delimiter: str, tmp_path: Path) -> None:
    rows = [("ID", "Prediction", "Reference"), ("1", '"a, b; c"', "a b c d")]
    lines = "".join(f"{delimiter.join(row)}\n" for row in rows)
    (tmp_path / name).write_text(f"\n\n{lines}")
    done = run("-n1", "-x", "--report", "classic", "-v", name, cwd=tmp_path)
    assert b"t ROUGE-1 Average_R: 0.75000" in done.out
    fields = "fields 'Prediction' as prediction, 'Reference' as references, 'ID' as id"
    assert f"{name}: {fields}; delimiter {delimiter!r}\n" in done.err
