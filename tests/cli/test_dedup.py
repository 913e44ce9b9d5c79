"""``rouge-cli dedup``: which records are kept, and how they are written."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import Run

LINES = [
    b'{"id": 7, "instruction": "Write a poem about the sea"}\n',
    b'{"instruction":"Write a poem about the old sea",  "id": "b"}\n',
    b'{"id": "c", "instruction": "Sort these numbers", "n": 1.50}\r\n',
    b'{"id": "d", "instruction": "Sort these numbers now"}',
]
SHORTER, LONGER = 6 / 7, 3 / 4
"""Recall of the second record: 6 of 7 words; precision is 1. Of the last one 3 of 4 words."""

SUMMARY = (
    "Records: 4 read, 2 kept, 2 dropped\n"
    "  1 like 1: Write a poem about the sea\n"
    "  1 like 3: Sort these numbers\n"
)


def f_of(share: float) -> float:
    """Return F of a share and 1, in the order of the package's operations."""
    return 2 * share * 1.0 / (share + 1.0)


@pytest.fixture
def records(tmp_path: Path) -> Path:
    path = tmp_path / "records.jsonl"
    path.write_bytes(b"".join(LINES))
    return path


def test_kept_records_are_printed_byte_for_byte(core: Any, run: Run, records: Path) -> None:
    found = run("dedup", str(records), "--field", "instruction")
    assert (found.code, found.out, found.err) == (0, LINES[0] + LINES[2], SUMMARY)


def test_files_of_kept_and_dropped(run: Run, records: Path, tmp_path: Path) -> None:
    kept, dropped = tmp_path / "kept.jsonl", tmp_path / "dropped.jsonl"
    words = ["--field", "instruction", "--id", "id", "-o", str(kept), "--dropped", str(dropped)]
    found = run("dedup", str(records), *words)
    assert (found.code, found.out) == (0, b"")
    assert kept.read_bytes() == LINES[0] + LINES[2]
    assert [json.loads(line) for line in dropped.read_bytes().splitlines()] == [
        {"id": "b", "resembles": "7", "score": f_of(SHORTER), "record": json.loads(LINES[1])},
        {"id": "d", "resembles": "c", "score": f_of(LONGER), "record": json.loads(LINES[3])},
    ]
    assert LINES[1].strip() in dropped.read_bytes()


def test_check_ends_with_1(run: Run, records: Path) -> None:
    found = run("dedup", str(records), "--field", "instruction", "--check")
    assert (found.code, found.out, found.err) == (1, b"", SUMMARY)
    found = run("dedup", str(records), "--field", "instruction", "--check", "--threshold", "0.95")
    assert (found.code, found.out) == (0, b"")


def test_seeds(run: Run, records: Path, tmp_path: Path) -> None:
    seeds = tmp_path / "seeds.jsonl.gz"
    seeds.write_bytes(gzip.compress(b'\n{"instruction": "sort the numbers"}\n'))
    words = ["--field", "instruction", "--against", str(seeds), "--threshold", "0.6"]
    found = run("dedup", str(records), *words)
    # "Sort these numbers now" has 2 of its 4 words: F is 4/7.
    assert found.out == LINES[0] + LINES[3]
    assert f"  1 like {seeds}:2: sort the numbers\n" in found.err


def test_other_metrics(run: Run, records: Path) -> None:
    # "Sort these numbers now" has 3 of 4 words of "Sort these numbers"; P is 0.75.
    words = ["--field", "instruction", "--metric", "ROUGE-1:P", "--threshold", "0.8"]
    found = run("dedup", str(records), *words)
    assert found.out == LINES[0] + LINES[2] + LINES[3]
    words = ["--field", "instruction", "--metric", "rouge1:F", "--protocol", "rouge-score"]
    assert run("dedup", str(records), *words).out == LINES[0] + LINES[2]


def test_nothing_is_written_after_an_error(run: Run, records: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept.jsonl"
    kept.write_text("as before")
    records.write_bytes(b"".join(LINES) + b'\n{"instruction": 3}\n')
    found = run("dedup", str(records), "--field", "instruction", "-o", str(kept))
    assert found.code == 3
    assert kept.read_text() == "as before"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kept.jsonl", "records.jsonl"]
