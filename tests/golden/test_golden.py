"""Every golden run, to the byte: what the original printed is what is printed here."""

import json
import os
import subprocess
import sys
from itertools import cycle, zip_longest
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import HOME_VARIABLES, runner
from tests.property.sizes import small_batches

ROOT = Path(__file__).parents[2]
FOLDERS = [ROOT / "fixtures" / name for name in ("golden", "golden-more", "golden-be")]
CASES = [
    json.loads(line) | {"folder": folder}
    for folder in FOLDERS
    for line in (folder / "cases.jsonl").read_text("utf-8").splitlines()
]
IDS = [f"{case['folder'].name}-{case['id']}" for case in CASES]
# One out of every so many cases runs in a process of its own too.
STEP = 19
LINES_SHOWN = 5


def expected_of(case: dict[str, Any]) -> bytes:
    expected: bytes = (case["folder"] / "expected" / f"{case['id']}.out").read_bytes()
    return expected


def check_output(case: dict[str, Any], found: bytes) -> None:
    """Fail with the first lines that differ, if any does."""
    expected = expected_of(case)
    if found == expected:
        return
    lines = zip_longest(expected.splitlines(keepends=True), found.splitlines(keepends=True))
    differing = [
        f"line {number}\n  expected {one!r}\n  found    {other!r}"
        for number, (one, other) in enumerate(lines, 1)
        if one != other
    ]
    command = " ".join(["rouge-cli", *case["args"]])
    shown = "\n".join(differing[:LINES_SHOWN])
    pytest.fail(
        f"in {case['cwd']}: {command}\n{len(differing)} lines differ; the first:\n{shown}",
        pytrace=False,
    )


@pytest.mark.usefixtures("core")
@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_output(
    case: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
    capsysbinary: pytest.CaptureFixture[bytes],
) -> None:
    run = runner(monkeypatch, capsysbinary)
    finished = run(*case["args"], cwd=case["folder"] / case["cwd"])
    check_output(case, finished.out)
    assert finished.code == 0


# The two sizes take turns: tests/property splits texts of any kind at sizes of any kind.
@pytest.mark.parametrize(
    ("case", "sizes"),
    list(zip(CASES[1::7], cycle([(1, 2, 1), (5, 4000, 1000)]), strict=False)),
    ids=IDS[1::7],
)
def test_output_in_small_batches(
    case: dict[str, Any],
    sizes: tuple[int, int, int],
    monkeypatch: pytest.MonkeyPatch,
    capsysbinary: pytest.CaptureFixture[bytes],
) -> None:
    run = runner(monkeypatch, capsysbinary)
    with small_batches(*sizes):
        finished = run(*case["args"], cwd=case["folder"] / case["cwd"])
    check_output(case, finished.out)


@pytest.mark.parametrize("case", CASES[::STEP], ids=IDS[::STEP])
def test_output_of_a_process(case: dict[str, Any]) -> None:
    environment = {name: value for name, value in os.environ.items() if name not in HOME_VARIABLES}
    finished = subprocess.run(
        [sys.executable, "-m", "rouge_cli", *case["args"]],
        cwd=case["folder"] / case["cwd"],
        env=environment | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=False,
    )
    check_output(case, finished.stdout)
    assert finished.returncode == 0


def test_every_expected_output_has_its_case() -> None:
    outputs = {
        (folder, path.stem) for folder in FOLDERS for path in (folder / "expected").glob("*.out")
    }
    assert outputs == {(case["folder"], case["id"]) for case in CASES}
    assert len(CASES) == len(outputs)
