"""The warning about intervals that are too narrow: its wording, and where it appears."""

from pathlib import Path

import pytest

import rouge_cli
from tests.cli.running import SAMPLE, Run, write_records


@pytest.mark.parametrize(
    ("options", "in_output", "on_stderr"),
    [
        *((f"--report {kind}", 0, 1) for kind in ("classic", "json", "csv")),
        *((f"--report {kind}", 1, 0) for kind in ("table", "markdown", "latex", "html")),
        # Without intervals nothing is said of them.
        ("--report junit --require ROUGE-1:F>=0", 0, 0),
        ("--report table -r 0", 0, 0),
        ("--report json -r 0", 0, 0),
        ("--report table --no-intervals", 0, 0),
        ("--score-only ROUGE-1:F", 0, 0),
        ("-t 2", 0, 0),
    ],
)
def test_few_evals_are_said_once(options: str, in_output: int, on_stderr: int, run: Run) -> None:
    few = "ntervals of 4 texts are too narrow: take 50 or more"
    words = ("-n", "1", "-x", "-m", *options.split(), "config.xml", "lead")
    finished = run(*words, cwd=SAMPLE)
    assert (finished.code, finished.err) == (0, "")
    found = (finished.out.decode().count(few), finished.doubts.count(few))
    assert found == (in_output, on_stderr)


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
