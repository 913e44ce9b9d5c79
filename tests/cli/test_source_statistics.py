"""Tests of ``rouge-cli source``."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import Run, write_records

SOURCES = {"1": "yesterday police killed the gunman", "2": "a dog ran away"}
SUMMARIES = {
    "a": {"1": "police killed a gunman", "2": "x"},
    "b": {"1": "police killed the gunman", "2": "a dog"},
}


@pytest.fixture
def records(tmp_path: Path) -> str:
    path = tmp_path / "records.jsonl"
    rows = [
        {"id": id, "system": system, "prediction": text, "article": SOURCES[id]}
        for system, texts in SUMMARIES.items()
        for id, text in texts.items()
    ]
    write_records(path, rows)
    return str(path)


def means(run: Run, *words: str) -> dict[tuple[str, str], float]:
    finished = run("source", *words, "-r", "0", "--report", "json")
    assert finished.code == 0, finished.err
    systems: list[dict[str, Any]] = json.loads(finished.out)["systems"]
    return {
        (system["id"], name): metric["score"]["mean"]
        for system in systems
        for name, metric in system["metrics"].items()
    }


def test_means(run: Run, records: str) -> None:
    """By hand: "police killed" and "gunman" are fragments, of 3 of 4 words and of squares 5.

    The second summary of a has no bigram, and is left out of the means of bigrams alone.
    """
    found = means(run, records, "--sources", "article", "--orders", "2")
    assert found["a", "coverage"] == (3 / 4 + 0) / 2
    assert found["a", "density"] == (5 / 4 + 0) / 2
    assert found["a", "compression"] == (5 / 4 + 4 / 1) / 2
    assert found["a", "novel-2"] == pytest.approx(2 / 3)
    assert found["b", "novel-2"] == found["b", "repeated-2"] == 0
    assert len(found) == 10


def test_rule_of_presumm(run: Run, records: str) -> None:
    """The last n-gram is lost: of police, killed, a, and of the empty "x", one is new of three."""
    found = means(run, records, "--sources", "article", "--orders", "1", "--rule", "presumm")
    assert found["a", "novel-1 (presumm)"] == pytest.approx(1 / 3)
    assert found["a", "repeated-1 (presumm)"] == 0


def test_statistics_are_scores(run: Run, records: str, tmp_path: Path) -> None:
    """They have intervals, are saved, compared, and reported again."""
    saved = str(tmp_path / "saved.jsonl")
    first = run("source", records, "--sources", "article", "--save", saved)
    assert first.code == 0
    assert b"95% confidence intervals" in first.out
    again = run("score", saved, "-a", "--report", "table")
    assert again.out == first.out
    compared = run("compare", saved, "--report", "json")
    assert compared.code == 0
    metrics = {row["metric"] for row in json.loads(compared.out)["metrics"]}
    assert metrics >= {"coverage", "novel-1", "repeated-3"}
    by_hand = run("compare", records, "--references", "article", "-x", "--add", "metric:coverage")
    assert by_hand.code == 0
    assert b"coverage" in by_hand.out
