"""Tests of ``rouge-cli context``."""

import json
from pathlib import Path

import pytest

from tests.cli.running import Run, records_of, write_records

RECORDS = [
    {
        "id": "d1",
        "source": "It rained.\nPolice came.\nAll left.",
        "bart": "Police came.",
        "references": ["Police came."],
    },
    {
        "id": "d2",
        "source": "One.\nTwo is here.\nThree.",
        "bart": "Two.",
        "references": ["Two is here."],
    },
]
FIELDS = ("--prediction", "bart", "--prediction", "source")
GIVEN = (*FIELDS, "--sources", "source", "-x", "-n", "1")


@pytest.fixture
def records(tmp_path: Path) -> str:
    path = tmp_path / "records.jsonl"
    write_records(path, RECORDS)
    return str(path)


def test_labels_are_written_with_the_report(run: Run, records: str, tmp_path: Path) -> None:
    labels = tmp_path / "labels.jsonl"
    given = (records, *GIVEN, "--best", "--labels", str(labels), "-r", "0", "--report", "json")
    finished = run("context", *given)
    assert (finished.code, finished.err) == (0, "")
    rows = json.loads(finished.out)["rows"]
    found = {row["name"]: [row["kind"], row["scores"][0]["mean"]] for row in rows}
    # The oracles have the models themselves, the lead shares no word with them.
    # Of "Two." the one word is in the model's three: F is 2 * 1 / (1 + 3).
    assert found["oracle-1"] == ["oracle", 1.0]
    assert found["best-1"] == ["best", 1.0]
    assert found["lead-1"] == ["lead", 0.0]
    assert found["bart"] == ["system", 0.75]
    assert records_of(labels) == [
        {"id": "d1", "n_sentences": 3, "oracle": [1], "best": [1]},
        {"id": "d2", "n_sentences": 3, "oracle": [1], "best": [1]},
    ]


@pytest.mark.parametrize("kind", ["table", "html", "csv", "markdown", "latex"])
def test_reports(run: Run, records: str, kind: str) -> None:
    finished = run("context", records, *GIVEN, "--report", kind)
    assert finished.code == 0
    assert b"oracle-1" in finished.out


def test_configurations_have_sources_too(run: Run, tmp_path: Path) -> None:
    for name, text in {"p": "a b", "s": "a b c\nx", "m": "a b c"}.items():
        (tmp_path / name).write_text(text + "\n", "utf-8")
    lines = ("--peer-lines", "one=p", "--peer-lines", "s=s", "--model-lines", "m")
    for name in "psm":
        text = (tmp_path / name).read_text("utf-8").strip().replace("\n", " <q> ")
        (tmp_path / name).write_text(text + "\n", "utf-8")
    given = (*lines, "--sentence-separator", "<q>", "--sources", "s", "-n", "1", "-x")
    finished = run("context", *given, "--report", "csv", cwd=tmp_path)
    assert finished.code == 0
    assert [line.split(",")[:2] for line in finished.out.decode().splitlines()[1:]] == [
        ["lead-1", "lead"], ["random-1", "random"], ["oracle-1", "oracle"], ["one", "system"],
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (("--prediction", "bart"), "Missing option '--sources'"),
        (("--prediction", "bart", "--sources", "bert"), "--sources: no system 'bert'"),
        ((*GIVEN, "--labels", "RECORDS"), "--labels"),
        ((*GIVEN, "--labels", "x", "-o", "./x"), "x"),
        ((*GIVEN, "--system-id", "x"), "no system 'x'"),
        ((*GIVEN, "--system-id", "source"), "no system 'source'"),
        ((*GIVEN, "--take", "0"), "a whole number from 1 to 1000"),
        ((*GIVEN, "--jackknife"), "--jackknife"),
    ],
)
def test_errors(run: Run, records: str, tmp_path: Path, given: tuple[str, ...], words: str) -> None:
    """Nothing is printed, and no file is written."""
    before = Path(records).read_bytes()
    given = tuple(records if word == "RECORDS" else word for word in given)
    assert words in run("context", records, *given, cwd=tmp_path).misuse
    assert Path(records).read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["records.jsonl"]


def test_saved_scores_have_no_texts(run: Run, records: str, tmp_path: Path) -> None:
    saved = str(tmp_path / "s.jsonl")
    assert run(records, "--prediction", "bart", "--save", saved).code == 0
    assert "context reads texts" in run("context", saved, "--sources", "bart").misuse
