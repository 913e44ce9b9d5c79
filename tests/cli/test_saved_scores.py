"""Scores that are saved and reported again: the same bytes, whatever the file and its order."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import Run

SAMPLE = Path(__file__).parents[2] / "fixtures" / "sample"
GOLDEN = Path(__file__).parents[2] / "fixtures" / "golden" / "corpora"
REPORTS = ("classic", "table", "json", "csv", "markdown", "latex")
FORMATS = ("jsonl", "parquet")

RUNS = [
    (SAMPLE, ["-n", "2", "-w", "1.2", "-2", "4", "-U", "-m", "-s", "-a", "config.xml"]),
    (SAMPLE, ["-n", "1", "-d", "-f", "B", "-p", "0.3", "-a", "config.xml"]),
    (SAMPLE, ["-n", "2", "-f", "best-f", "-c", "90", "-r", "50", "-a", "config.xml"]),
    (SAMPLE, ["--jackknife", "--pairwise-lcs", "-d", "-a", "config.xml"]),
    (SAMPLE, ["-t", "1", "-w", "3", "-a", "config.xml"]),
    (GOLDEN / "odd", ["-n", "2", "-d", "-r", "20", "-a", "config.xml"]),
    (GOLDEN / "be", ["-3", "HM", "-r", "20", "-a", "config.xml"]),
]


def rest_of(options: list[str]) -> list[str]:
    """Return the options that are about the report and not about the scores."""
    return [option for option in options if option == "-d"]


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize(
    ("folder", "options"), RUNS, ids=[" ".join(options) for _, options in RUNS]
)
def test_the_same_bytes(
    folder: Path, options: list[str], form: str, run: Run, tmp_path: Path
) -> None:
    path = str(tmp_path / f"scores.{form}")
    for report in REPORTS:
        direct = run(*options, "--report", report, "--save", path, cwd=folder)
        assert direct.code == 0
        again = run(path, *rest_of(options), "--report", report)
        assert (again.out, again.err, again.code) == (direct.out, direct.err, 0)


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize(
    "changes",
    [["-c", "80"], ["-r", "30"], ["-t", "1"], ["-t", "2"], ["-p", "0.2"], ["-p", "1", "-r", "7"]],
    ids=" ".join,
)
def test_other_averages(changes: list[str], form: str, run: Run, tmp_path: Path) -> None:
    path = str(tmp_path / f"scores.{form}")
    options = ["-n", "2", "-w", "2", "-2", "4", "-a", "config.xml"]
    assert run(*options, "-p", "0.7", "-r", "40", "--save", path, cwd=SAMPLE).code == 0
    direct = run(*["-p", "0.7", "-r", "40", *changes], *options, "-d", cwd=SAMPLE)
    again = run(path, "-d", *changes)
    assert (again.out, again.code) == (direct.out, 0)


def test_one_system_of_several(run: Run, tmp_path: Path) -> None:
    path = str(tmp_path / "scores.jsonl")
    run("-n", "2", "-a", "--save", path, "config.xml", cwd=SAMPLE)
    assert run(path, "lead").out == run("-n", "2", "config.xml", "lead", cwd=SAMPLE).out
    refused = run(path, "lad")
    assert (refused.code, refused.out) == (2, b"")
    assert "no system 'lad' among the saved scores; known are:" in refused.err


@pytest.mark.parametrize("n_parts", [1, 3, 7])
def test_shuffled_parts(n_parts: int, run: Run, tmp_path: Path) -> None:
    path = tmp_path / "scores.jsonl"
    options = ["-n", "2", "-w", "1.2", "-r", "20", "-a", "config.xml"]
    direct = run(*options, "-d", "--report", "json", "--save", str(path), cwd=GOLDEN / "spl")
    header, *rows = path.read_text().splitlines(keepends=True)
    random.Random(5).shuffle(rows)
    folder = tmp_path / "parts"
    folder.mkdir()
    for number in range(n_parts):
        (folder / f"part-{number}.jsonl").write_text(header + "".join(rows[number::n_parts]))
    again = run(str(folder), "-d", "--report", "json")
    assert (again.out, again.code) == (direct.out, 0)
    # Without positions the IDs decide; what is averaged does not change.
    for part in folder.iterdir():
        lines = [json.loads(line) for line in part.read_text().splitlines()]
        kept = [{k: v for k, v in line.items() if k != "position"} for line in lines]
        part.write_text("".join(json.dumps(line) + "\n" for line in kept))
    classic = run(*options, cwd=GOLDEN / "spl").out
    assert run(str(folder)).out == classic


def saved(run: Run, path: Path, *options: str) -> list[dict[str, Any]]:
    """Save scores of the sample, and return the lines of the file."""
    run("-n", "1", "-a", "--save", str(path), *options, "config.xml", cwd=SAMPLE)
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-n", "3"], "-n/--max-ngram: found '3', but the scores were saved with '1'"),
        (["-m"], "-m/--stem: found 'on', but the scores were saved with 'off'"),
        (["-w", "1.2"], "-w/--weight: found '1.2', but the scores were saved with nothing"),
        (["-f", "B"], "-f/--formula: found 'B', but the scores were saved with 'A'"),
        (["--id", "x"], "--id is about texts, and the input holds saved scores"),
    ],
)
def test_what_needs_other_counts(
    options: list[str], message: str, run: Run, tmp_path: Path
) -> None:
    path = tmp_path / "scores.jsonl"
    saved(run, path)
    refused = run(str(path), *options)
    assert (refused.code, refused.out) == (2, b"")
    assert message in refused.err
    # What is as it was is no other count.
    assert run(str(path), "-n", "1", "-f", "A", "-a").code == 0


def test_alpha_of_scores_that_depend_on_it(run: Run, tmp_path: Path) -> None:
    for options, reason in ((["--jackknife"], "jackknifing"), (["-f", "best-f"], "F chose")):
        saved(run, tmp_path / "scores.jsonl", *options)
        refused = run(str(tmp_path / "scores.jsonl"), "-p", "0.1")
        assert (refused.code, refused.out) == (2, b"")
        assert reason in refused.err


def test_files_that_do_not_go_together(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "parts"
    folder.mkdir()
    saved(run, folder / "a.jsonl")
    lines = saved(run, folder / "b.jsonl", "-p", "0.3")
    lines[0] = json.loads((folder / "a.jsonl").read_text().splitlines()[0])
    (folder / "b.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    twice = run(str(folder))
    assert (twice.code, twice.out) == (3, b"")
    assert "a.jsonl" in twice.err
    assert "b.jsonl have the same scores twice: system extract, EVAL 1" in twice.err
    lines[0]["rouge_cli_scores"]["scored_as"] += "|other"
    (folder / "b.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    different = run(str(folder))
    assert (different.code, different.out) == (3, b"")
    assert "were not scored in the same way" in different.err


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda row: row["ROUGE-1"].pop("hit"), "line 2: no 'hit'"),
        (lambda row: row["ROUGE-1"].update(F="x"), "line 2: found 'x', expected a number"),
        (lambda row: row["ROUGE-1"].update(F=True), "line 2: found True, expected a number"),
        (lambda row: row.pop("eval"), "line 2: no 'eval'"),
        (lambda row: row.update(system=5), "found 5 as a system or EVAL, expected a string"),
    ],
)
def test_broken_lines(change: Any, message: str, run: Run, tmp_path: Path) -> None:
    path = tmp_path / "scores.jsonl"
    lines = saved(run, path)
    change(lines[1])
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    refused = run(str(path))
    assert (refused.code, refused.out) == (3, b"")
    assert message in refused.err


def test_another_format(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "scores.jsonl"
    lines = saved(run, path)
    lines[0]["rouge_cli_scores"]["format"] = 99
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    refused = run(str(path))
    assert (refused.code, refused.out) == (3, b"")
    assert "saved scores of format 99, expected 1" in refused.err


def test_names_that_cannot_be_saved(run: Run, tmp_path: Path) -> None:
    refused = run("--save", str(tmp_path / "scores.csv"), "-a", "config.xml", cwd=SAMPLE)
    assert (refused.code, refused.out) == (2, b"")
    assert "--save: found" in refused.err
    assert "expected a file whose name ends in .jsonl or .parquet" in refused.err
    missing = run("--save", str(tmp_path / "no" / "s.jsonl"), "-a", "config.xml", cwd=SAMPLE)
    assert (missing.code, missing.out) == (3, b"")
