"""``rouge-cli identify``: its reports, its inputs, and what it refuses."""

import csv
import io
import json
from pathlib import Path

import pytest

from tests.cli.running import Run, write_records

PUBLISHED = ("--published", "ROUGE-1=0.75 ROUGE-L:R=0.750")
"""ROUGE-1 is 1 and 1/2, and so is ROUGE-L; with stems both are 1."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    texts = [("the cat", "the cat"), ("dogs ran", "dog ran")]
    records = [{"prediction": p, "references": [r]} for p, r in texts]
    write_records(tmp_path / "r.jsonl", records)
    for name, lines in zip(("a.txt", "models.txt"), zip(*texts, strict=True), strict=True):
        (tmp_path / name).write_text("\n".join(lines) + "\n", "utf-8")
    return tmp_path


def test_table(run: Run, folder: Path) -> None:
    finished = run("identify", "r.jsonl", *PUBLISHED, cwd=folder)
    assert finished.code == 0
    table = finished.out.decode()
    first, _, rest = " ".join(table.split("\n\n")[0].splitlines()).partition(". ")
    # The answer is the first sentence.
    assert first == "Consistent with ROUGE-1.5.5, sentences not told apart, either way round"
    assert " more print the same. " in rest
    assert "fit ROUGE-1 F 0.75, ROUGE-L R 0.750; 2 texts." in rest
    for words in ("rouge-score", "Nearest of the others", "Numbers that have nothing to do"):
        assert words in table


def test_percent(run: Run, folder: Path) -> None:
    """The mean of 1 and 1/2, with two decimals more than the numbers have in percent."""
    published = ("--published", "ROUGE-1=75.0")
    for options, distance, shown in [
        ((), "0.00000", "0.75000"),
        (("--percent",), "0.000", "75.000"),
    ]:
        finished = run("identify", "r.jsonl", *published, *options, cwd=folder)
        row = next(line for line in finished.out.decode().splitlines() if line.startswith("A "))
        assert row.split() == ["A", distance, shown]


def test_json(run: Run, folder: Path) -> None:
    finished = run("identify", "r.jsonl", *PUBLISHED, "--report", "json", cwd=folder)
    found = json.loads(finished.out)
    assert found["n_texts"] == 2
    expected = {"metric": "ROUGE-L", "measure": "R", "text": "0.750", "value": 0.75}
    assert found["published"][1] == expected
    first = found["consistent"][0]
    assert first["class"] == "A"
    assert first["settings"][0]["values"] == [0.75, 0.75]
    stemmed = {"rouge-score:use_stemmer=true", "ROUGE-1.5.5 -m"}
    names = {s["setting"] for group in found["consistent"] for s in group["settings"]}
    assert not names & stemmed
    assert stemmed <= {s["setting"] for group in found["nearest"] for s in group["settings"]}


def test_csv(run: Run, folder: Path) -> None:
    finished = run("identify", "r.jsonl", *PUBLISHED, "--report", "csv", cwd=folder)
    rows = list(csv.DictReader(io.StringIO(finished.out.decode())))
    assert {row["class"] for row in rows if row["match"]} == {"A"}
    assert {row["class"] for row in rows if not row["match"]} == {""}


@pytest.mark.parametrize("kind", ["markdown", "latex", "html"])
def test_other_reports(run: Run, folder: Path, kind: str) -> None:
    finished = run("identify", "r.jsonl", *PUBLISHED, "--report", kind, cwd=folder)
    assert (finished.code, finished.err) == (0, "")
    assert b"Nearest of the others" in finished.out
    assert b"within the error of the" in finished.out


def test_a_page_names_the_input(run: Run, folder: Path) -> None:
    run("identify", "r.jsonl", *PUBLISHED, "--report", "html", "-o", "p.html", cwd=folder)
    page = (folder / "p.html").read_text("utf-8")
    assert "SHA-256 of r.jsonl" in page
    assert "Whose numbers these are" in page


def test_processes_change_nothing(run: Run, tmp_path: Path) -> None:
    record = json.dumps({"prediction": "the cat sat", "references": ["the cat sits"]})
    (tmp_path / "r.jsonl").write_text("\n".join([record] * 2_100), "utf-8")
    reports = [
        run("identify", "r.jsonl", *PUBLISHED, "--jobs", jobs, "--report", "json", cwd=tmp_path).out
        for jobs in ("1", "2")
    ]
    assert reports[0] == reports[1]


def test_saved_scores(run: Run, folder: Path) -> None:
    run("-n1", "r.jsonl", "--save", "s.jsonl", "--report", "table", cwd=folder)
    finished = run("identify", "s.jsonl", *PUBLISHED, cwd=folder)
    assert "the input holds saved scores" in finished.misuse
