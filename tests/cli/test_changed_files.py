"""Files that another program writes while they are read: half old and half new is an error."""

import gzip
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rouge_cli
from rouge_cli.errors import InputError
from rouge_cli.inputs import files, judgements
from rouge_cli.inputs.decoding import Decoder
from rouge_cli.inputs.files import open_input, read_input
from rouge_cli.inputs.judgements import read_judgements
from rouge_cli.inputs.records import grouping
from rouge_cli.inputs.records.reading import RecordFileReading
from rouge_cli.scores.score_files import ScoreFile
from tests.cli.running import Run

RECORDS = [
    {"id": f"{number}", "prediction": "a b", "references": "a c", "kind": "k"}
    for number in range(3)
]
MESSAGE = "{}: changed while it was read; run again"
# Times of files are kept to some milliseconds.
STEP = 0.02


def appended(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b"\n")


def shortened(path: Path) -> None:
    os.truncate(path, path.stat().st_size - 2)


def edited(path: Path) -> None:
    time.sleep(STEP)
    path.write_bytes(path.read_bytes())


def replaced(path: Path) -> None:
    found = path.stat()
    other = path.with_name("other")
    other.write_bytes(path.read_bytes())
    os.utime(other, ns=(found.st_atime_ns, found.st_mtime_ns))
    other.replace(path)


def removed(path: Path) -> None:
    path.unlink()


CHANGES = pytest.mark.parametrize("change", [appended, shortened, edited, replaced, removed])


def changing(
    monkeypatch: pytest.MonkeyPatch, owner: Any, name: str, change: Callable[[], None]
) -> None:
    """Let a file change whenever a function is called."""
    function = getattr(owner, name)

    def changed(*arguments: Any, **keywords: Any) -> Any:
        change()
        return function(*arguments, **keywords)

    monkeypatch.setattr(owner, name, changed)


def written(path: Path) -> Path:
    """Write the records as the name of a file says."""
    lines = "".join(f"{json.dumps(record)}\n" for record in RECORDS)
    if path.suffix == ".parquet":
        pyarrow = pytest.importorskip("pyarrow")
        parquet = pytest.importorskip("pyarrow.parquet")
        parquet.write_table(pyarrow.Table.from_pylist(RECORDS), path)
    elif path.suffix == ".gz":
        path.write_bytes(gzip.compress(lines.encode()))
    elif path.suffix == ".csv":
        cells = [",".join(record.values()) for record in RECORDS]
        path.write_text("\n".join([",".join(RECORDS[0]), *cells]), "utf-8")
    else:
        path.write_text(lines if path.suffix == ".jsonl" else json.dumps(RECORDS), "utf-8")
    return path


@CHANGES
@pytest.mark.parametrize("name", ["r.jsonl", "r.json", "r.csv", "r.parquet", "r.jsonl.gz"])
def test_records(
    change: Callable[[Path], None], name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path / name)
    assert rouge_cli.evaluate_files(path).systems
    changing(monkeypatch, RecordFileReading, "_fields_of", lambda: change(path))
    with pytest.raises(InputError) as caught:
        rouge_cli.evaluate_files(path)
    assert str(caught.value) == MESSAGE.format(path)


@pytest.mark.parametrize("name", ["r.jsonl", "r.csv", "r.parquet"])
def test_records_that_are_read_once_more(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    path = written(tmp_path / name)
    line = (name, "--page-field", "kind", "--report", "html=p.html", "--no-figures")
    assert run(*line, cwd=tmp_path).code == 0
    changing(monkeypatch, grouping, "choose_fields", lambda: edited(path))
    for options in (line, (name, "--add", "column:n=kind")):
        finished = run(*options, cwd=tmp_path)
        assert finished.error_lines == [f"Error: {MESSAGE.format(name)}"]


def test_problems_of_a_file_that_changed(tmp_path: Path) -> None:
    path = written(tmp_path / "r.jsonl")

    def read() -> None:
        with open_input(str(path), "records") as stream:
            stream.read(9)
            shortened(path)
            raise InputError("the last line is cut")

    with pytest.raises(InputError) as caught:
        read()
    assert str(caught.value) == MESSAGE.format(path)


def test_problems_of_a_file_that_stays(tmp_path: Path) -> None:
    path = written(tmp_path / "r.jsonl")
    with pytest.raises(InputError, match="a problem"), open_input(str(path), "records"):
        raise InputError("a problem")


@CHANGES
@pytest.mark.parametrize("name", ["j.csv", "j.jsonl"])
def test_judgements(
    change: Callable[[Path], None], name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / name
    is_lines = path.suffix == ".jsonl"
    path.write_text('{"system":"a","n":1}\n' if is_lines else "system,n\na,1\n", "utf-8")
    assert read_judgements(str(path)).columns == ("n",)
    owner, step = (judgements, "gather_judgements") if is_lines else (Decoder, "texts")
    changing(monkeypatch, owner, step, lambda: change(path))
    with pytest.raises(InputError, match="changed while it was read"):
        read_judgements(str(path))


@CHANGES
@pytest.mark.parametrize("name", ["s.jsonl", "s.parquet", "s.json"])
def test_saved_scores(
    change: Callable[[Path], None],
    name: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    run: Run,
) -> None:
    if name == "s.parquet":
        pytest.importorskip("pyarrow")
    written(tmp_path / "r.jsonl")
    writes = ("-d", "--report", f"json={name}") if name == "s.json" else ("--save", name)
    assert run("r.jsonl", *writes, cwd=tmp_path).code == 0
    line = (name, "--report", "table")
    assert run(*line, cwd=tmp_path).code == 0
    changing(monkeypatch, ScoreFile, "parts", lambda: change(tmp_path / name))
    finished = run(*line, cwd=tmp_path)
    assert finished.error_lines[-1] == f"Error: {MESSAGE.format(name)}"


@CHANGES
def test_whole_files(
    change: Callable[[Path], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path / "r.jsonl")
    changing(monkeypatch, files, "_with_rest", lambda: change(path))
    with pytest.raises(InputError, match="changed while it was read"):
        read_input(str(path), "a file")


def test_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path / "r.jsonl")

    def read() -> None:
        with open_input("-", "records") as stream:
            stream.read(9)
            appended(path)

    with path.open(encoding="utf-8") as standard_input:
        monkeypatch.setattr(sys, "stdin", standard_input)
        with pytest.raises(InputError, match="standard input: changed while it was read"):
            read()
