"""The EVALs that stand out in a table with ``-d``, their texts, and bars beside scores."""

from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import Run, write_records

COMMON = ("-n1", "-x", "-r0", "-d", "--report", "markdown")


@pytest.fixture
def records(tmp_path: Path) -> Path:
    """Folder with records of two systems, whose ROUGE-1 is 0, 1/2 or 1 in each measure."""
    words = {"1": "a b", "2": "c d", "3": "e f"}
    peers = {"one": {"1": "a b", "2": "c x", "3": "x y"}}
    peers["two"] = {"1": "a x", "2": "c y", "3": "e f"}
    lines: list[dict[str, Any]] = [
        {"id": key, "system": name, "prediction": text, "references": [words[key]]}
        for name, texts in peers.items()
        for key, text in texts.items()
    ]
    write_records(tmp_path / "r.jsonl", lines)
    return tmp_path


def eval_rows(run: Run, *arguments: str, cwd: Path) -> list[list[str]]:
    finished = run(*COMMON, *arguments, "r.jsonl", cwd=cwd)
    assert (finished.code, finished.err) == (0, "")
    tables = finished.out.decode().split("| Text |")
    return [
        line.strip("| ").split(" | ") for line in tables[1].splitlines()[2:] if line.startswith("|")
    ]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        # Means: one 1/2, two 2/3, so two comes first.
        ("--best 1", "3 two, 1 one"),
        # Of two 1 and 2 are equal: the first.
        ("--worst 1", "1 two, 3 one"),
        ("--best 1 --worst 1", "3 two, 1 two, 1 one, 3 one"),
        ("--worst 9 --best 9", "3 two, 1 two, 2 two, 1 one, 2 one, 3 one"),
        ("--sort ROUGE-1:R", "3 two, 1 two, 2 two, 1 one, 2 one, 3 one"),
    ],
)
def test_which_evals(run: Run, records: Path, arguments: str, expected: str) -> None:
    rows = eval_rows(run, *arguments.split(), cwd=records)
    assert ", ".join(f"{row[0]} {row[1]}" for row in rows) == expected


def test_against(run: Run, records: Path) -> None:
    # Differences of one from two: 1 - 1/2, 0, 0 - 1.
    rows = eval_rows(run, "--against", "two", cwd=records)
    assert rows == [
        ["1", "one", "1.00000", "0.50000", "+0.50000"],
        ["2", "one", "0.50000", "0.50000", "0.00000"],
        ["3", "one", "0.00000", "1.00000", "-1.00000"],
    ]
    rows = eval_rows(run, "--against", "two", "--worst", "1", "--percent", cwd=records)
    assert rows == [["3", "one", "0.000", "100.000", "-100.000"]]


def test_texts(run: Run, records: Path) -> None:
    line = (*COMMON, "--worst", "1", "--against", "two", "--texts", "r.jsonl")
    shown = run(*line, cwd=records).out.decode()
    assert [one for one in shown.splitlines() if one.startswith("Text")] == [
        "Text 3, prediction one: x y",
        "Text 3, prediction two: e f",
        "Text 3, reference A: e f",
    ]


@pytest.mark.parametrize(
    "arguments", [("--worst", "1"), ("--best", "1"), ("--against", "two"), ("--texts",)]
)
def test_evals_and_table_are_implied(run: Run, records: Path, arguments: tuple[str, ...]) -> None:
    whole = run("-n1", "-x", "-d", "--report", "table", *arguments, "r.jsonl", cwd=records)
    assert whole.code == 0
    for some in ((), ("-d",), ("--report", "table")):
        assert run("-n1", "-x", *some, *arguments, "r.jsonl", cwd=records) == whole


def test_saved_scores(run: Run, records: Path) -> None:
    assert run("-n1", "-x", "--save", "s.jsonl", "r.jsonl", cwd=records).code == 0
    table = ("-d", "--best", "1", "--report", "markdown")
    assert (
        run(*table, "s.jsonl", cwd=records).out
        == run("-n1", "-x", *table, "r.jsonl", cwd=records).out
    )
    finished = run(*table, "--texts", "s.jsonl", cwd=records)
    assert finished.misuse == "Error: --texts: s.jsonl holds saved scores, which have no texts"


def test_bars(run: Run, records: Path) -> None:
    line = ("-n1", "-x", "-r0", "-d", "--report", "table", "r.jsonl")
    plain = run(*line, cwd=records).out.decode()
    barred = run("--bars", *line, cwd=records).out.decode()
    assert "\u2588" not in plain
    cells = [line.split() for line in barred.splitlines()]
    # The best, 2/3, has the whole bar of 10; 1/2 is three quarters of it.
    assert ["two", "0.6667^", "\u2588" * 10] in cells
    assert ["one", "0.5000", "\u2588" * 7 + "\u258c"] in cells
    # Of EVALs 1 is the best; 0 has no bar.
    assert ["1", "one", "1.00000", "\u2588" * 10] in cells
    assert ["1", "two", "0.50000", "\u2588" * 5] in cells
    assert ["3", "one", "0.00000"] in cells
    assert "Bars go from 0 to the highest score of their column." in barred
