"""Files that another program changes while they are read: a mix of old and new is an error."""

import gzip
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from pyarrow import parquet

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


CHANGES = pytest.mark.parametrize("change", [appended, shortened, edited, replaced, Path.unlink])


def changing(
    monkeypatch: pytest.MonkeyPatch, owner: Any, name: str, change: Callable[[], None]
) -> None:
    """Let a file change whenever a function is called."""
    function = getattr(owner, name)

    def changed(*arguments: Any, **keywords: Any) -> Any:
        change()
        return function(*arguments, **keywords)

    monkeypatch.setattr(owner, name, changed)


def written(path: Path, run: Run) -> Path:
    """Write records, judgements (j) or saved scores (s), as the name of a file says."""
    lines = "".join(f"{json.dumps(record)}\n" for record in RECORDS)
    if path.stem == "j":
        path.write_text('{"system":"a","n":1}\n' if path.suffix == ".jsonl" else "system,n\na,1\n")
    elif path.stem == "s":
        records = written(path.with_name("r.jsonl"), run)
        is_report = path.suffix == ".json"
        writes = ("-d", "--report", f"json={path}") if is_report else ("--save", str(path))
        assert run(str(records), *writes).code == 0
    elif path.suffix == ".parquet":
        parquet.write_table(pyarrow.Table.from_pylist(RECORDS), path)
    elif path.suffix == ".gz":
        path.write_bytes(gzip.compress(lines.encode()))
    elif path.suffix == ".csv":
        cells = [",".join(record.values()) for record in RECORDS]
        path.write_text("\n".join([",".join(RECORDS[0]), *cells]), "utf-8")
    else:
        path.write_text(lines if path.suffix == ".jsonl" else json.dumps(RECORDS), "utf-8")
    return path


def whole(path: Path) -> object:
    return read_input(str(path), "a file")


def judged(path: Path) -> object:
    return read_judgements(str(path))


# A file, how it is read, and the step of reading before which it changes.
READERS: list[tuple[str, Callable[[Path], object], Any, str]] = [
    *(
        (name, rouge_cli.evaluate_files, RecordFileReading, "_fields_of")
        for name in ("r.jsonl", "r.json", "r.csv", "r.parquet", "r.jsonl.gz")
    ),
    *(
        (name, rouge_cli.evaluate_files, ScoreFile, "parts")
        for name in ("s.jsonl", "s.parquet", "s.json")
    ),
    ("j.csv", judged, Decoder, "texts"),
    ("j.jsonl", judged, judgements, "gather_judgements"),
    ("r.jsonl", whole, files, "_with_rest"),
]


@CHANGES
@pytest.mark.parametrize(("name", "read", "owner", "step"), READERS)
def test_half_old_and_half_new(
    change: Callable[[Path], None],
    name: str,
    read: Callable[[Path], object],
    owner: Any,
    step: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    run: Run,
) -> None:
    path = written(tmp_path / name, run)
    assert read(path)
    changing(monkeypatch, owner, step, lambda: change(path))
    with pytest.raises(InputError) as caught:
        read(path)
    assert str(caught.value) == MESSAGE.format(path)


@pytest.mark.parametrize("name", ["r.jsonl", "r.csv", "r.parquet"])
def test_records_that_are_read_once_more(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    path = written(tmp_path / name, run)
    line = (name, "--page-field", "kind", "--report", "html=p.html", "--no-figures")
    assert run(*line, cwd=tmp_path).code == 0
    changing(monkeypatch, grouping, "choose_fields", lambda: edited(path))
    for options in (line, (name, "--add", "column:n=kind")):
        assert run(*options).error_lines == [f"Error: {MESSAGE.format(name)}"]


def read_beginning(name: str, then: Callable[[], object], problem: str = "") -> None:
    with open_input(name, "records") as stream:
        stream.read(9)
        then()
        if problem:
            raise InputError(problem)


def test_problems_of_a_file_that_changed_or_stays(tmp_path: Path, run: Run) -> None:
    path = written(tmp_path / "r.jsonl", run)
    with pytest.raises(InputError, match="the last line is cut"):
        read_beginning(str(path), path.exists, "the last line is cut")
    with pytest.raises(InputError) as caught:
        read_beginning(str(path), lambda: shortened(path), "the last line is cut")
    assert str(caught.value) == MESSAGE.format(path)


def test_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    path = written(tmp_path / "r.jsonl", run)
    with path.open(encoding="utf-8") as standard_input:
        monkeypatch.setattr(sys, "stdin", standard_input)
        with pytest.raises(InputError, match="standard input: changed while it was read"):
            read_beginning("-", lambda: appended(path))
