"""Texts that are a single line each: the warning, and what it names does help."""

import json
from pathlib import Path

import pytest

from tests.cli.running import Run, write_records

AS_ORIGINAL = {"lcs": True}
PEER = "The gunman was killed. Police came late. Nobody else was hurt."
MODEL = "Police killed the gunman. They came late. No one else was hurt."
SENTENCE = "police killed the gunman"


@pytest.fixture
def records(tmp_path: Path) -> str:
    """Three records with several sentences on a line, and one with a single one."""
    rows = [{"prediction": PEER, "reference": MODEL}] * 3
    rows += [{"prediction": SENTENCE, "reference": SENTENCE}]
    path = tmp_path / "r.jsonl"
    write_records(path, rows)
    return str(path)


def test_sentences_of_a_language(records: str, run: Run, tmp_path: Path) -> None:
    pytest.importorskip("sentencex")
    found = run("-r", "5", "--sentences", "en", "--report", "json", records)
    assert (found.code, found.err) == (0, "")
    split = tmp_path / "split.jsonl"
    rows = [json.loads(line) for line in Path(records).read_text().splitlines()]
    made = [{key: text.replace(". ", ".\n") for key, text in row.items()} for row in rows]
    write_records(split, made)
    # Under the name of the other file.
    expected = json.loads(run("-r", "5", "--report", "json", f"{Path(records).stem}={split}").out)
    assert json.loads(found.out)["systems"] == expected["systems"]
    signature = json.loads(found.out)["signature"]
    assert "|L|sent:sentencex-" in signature
    assert "-en|stem:no" in signature
    assert "|L|sent:newline|stem:no" in expected["signature"]


def test_language_of_the_run(records: str, run: Run) -> None:
    pytest.importorskip("sentencex")
    by_name = run("-r", "5", "--language", "en", "--sentences", "en", records)
    assert run("-r", "5", "--language", "en", "--sentences", "auto", records).out == by_name.out
    refused = run("--sentences", "auto", records)
    assert "--sentences auto takes the language of --language" in refused.misuse


def test_lists_of_sentences(run: Run, tmp_path: Path) -> None:
    (tmp_path / "r.jsonl").write_text('{"prediction": ["One.", "Two."], "reference": "One."}\n')
    found = json.loads(run("--report", "json", str(tmp_path / "r.jsonl")).out)
    assert "|L|sent:list|stem:no" in found["signature"]


def test_sentences_per_text(records: str, run: Run) -> None:
    # One line in each text.
    assert "sentences: 1.0 per text" in run("-v", "-r", "5", records).err
