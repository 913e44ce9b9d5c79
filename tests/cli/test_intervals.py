"""The line on intervals that are too narrow: what it says, and where."""

from pathlib import Path

import pytest

import rouge_cli
from tests.cli.running import SAMPLE, Run, write_records

COMMON = ["-n", "1", "-x", "-m"]
FEW = "ntervals of 4 texts are too narrow: take 50 or more"


@pytest.mark.parametrize("report", ["classic", "json", "csv", "table", "markdown", "latex", "html"])
def test_few_evals_are_said_once(report: str, run: Run) -> None:
    finished = run(*COMMON, "--report", report, "config.xml", "lead", cwd=SAMPLE)
    out = finished.out.decode()
    has_note = report not in {"classic", "json", "csv"}
    assert (out.count(FEW), finished.doubts.count(FEW)) == (has_note, not has_note)
    assert finished.err == ""


@pytest.mark.parametrize(
    "words",
    [
        ["--report", "junit", "--require", "ROUGE-1:F>=0"],
        ["--report", "table", "-r", "0"],
        ["--report", "json", "-r", "0"],
        ["--report", "table", "--no-intervals"],
        ["--score-only", "ROUGE-1:F"],
        ["-t", "2"],
    ],
)
def test_nothing_is_said_without_intervals(words: list[str], run: Run) -> None:
    finished = run(*COMMON, *words, "config.xml", "lead", cwd=SAMPLE)
    assert finished.code == 0
    assert FEW not in finished.out.decode() + finished.doubts


@pytest.mark.parametrize(
    ("n_evals", "n_wrong", "line"),
    [
        (49, 0, "Intervals of 49 texts are too narrow: take 50 or more."),
        (50, 25, ""),
        (50, 26, "Intervals of ROUGE-1 are too narrow: most of these scores are 0."),
    ],
)
def test_scores_that_are_mostly_0(n_evals: int, n_wrong: int, line: str) -> None:
    predictions = ["x"] * n_wrong + ["a"] * (n_evals - n_wrong)
    results = rouge_cli.evaluate(predictions, ["a"] * n_evals, max_ngram=1, lcs=False)
    notes = [text for text in str(results).splitlines() if "too narrow" in text]
    assert notes == [line] * bool(line)


def test_clusters_count_as_one(run: Run, tmp_path: Path) -> None:
    records = [
        {"id": str(number), "doc": number % 3, "prediction": "a", "references": ["a b"]}
        for number in range(60)
    ]
    write_records(tmp_path / "r.jsonl", records)
    given = ["-n", "1", "--report", "classic", "r.jsonl"]
    assert run(*given, cwd=tmp_path).doubts == ""
    doubts = run(*given, "--cluster", "doc", cwd=tmp_path).doubts
    assert doubts == "Warning: intervals of 3 clusters are too narrow: take 50 or more\n"
