"""Other languages on the command line: what is printed, and what is refused."""

import json
from pathlib import Path

import pytest

from tests.cli.running import Run, counts_of_classic, write_files

PEER, MODEL = "Größere Häuser.\n", "Das größere Haus.\n"
COUNT = ["-n1", "-x", "-t2", "-z", "SPL", "list"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write_files(tmp_path, {"peer": PEER, "model": MODEL, "list": b"peer model\n"})
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_counts(run: Run) -> None:
    # gr, ere, h, user and das, gr, ere, haus: the warning names what helps.
    plain = run(*COUNT)
    assert counts_of_classic(plain.out) == (4, 4, 2)
    assert "--language de" in plain.err
    assert "--tokenizer unicode" in plain.err
    german = run("--language", "de", *COUNT)
    assert (counts_of_classic(german.out), german.err) == ((3, 2, 1), "")
    assert counts_of_classic(run("--language", "de", "-m", *COUNT).out) == (3, 2, 2)
    assert counts_of_classic(run("--tokenizer", "char", *COUNT).out) == (14, 13, 10)
    assert counts_of_classic(run("--tokenizer", "whitespace", "-l", "2", *COUNT).out) == (2, 2, 1)


def test_cite_does_not_claim_the_original(run: Run) -> None:
    finished = run("--language", "de", "--cite")
    assert b"lang:de|tok:unicode-" in finished.out
    assert b"reproduces\nROUGE-1.5.5 to the last digit" not in finished.out
    assert b"Its words are not those of ROUGE-1.5.5." in finished.out
    assert b"reproduces\nROUGE-1.5.5 to the last digit" in run("--cite").out


def test_dry_run_counts_these_words(run: Run) -> None:
    finished = run("--language", "de", "--dry-run", "-z", "SPL", "list")
    rows = [line.split() for line in finished.out.decode().splitlines()[2:4]]
    assert [(row[1], row[4]) for row in rows] == [("prediction", "2"), ("reference", "3")]


@pytest.mark.parametrize("words", [["--tokenizer", "unicode"], ["--protocol", "rouge"]])
def test_what_another_encoding_reads_is_named(words: list[str], run: Run, folder: Path) -> None:
    # In Latin-1, the two bytes of an umlaut are two characters: a letter, and another or a sign.
    lines = ["--peer-lines", "peer", "--model-lines", "model", "--report", "json", *words]
    if words[0] == "--tokenizer":
        lines.append("-n1")
    found = {
        encoding: json.loads(run(*lines, "--encoding", encoding).out)["signature"]
        for encoding in ("utf-8", "latin-1")
    }
    assert found["utf-8"] == json.loads(run(*lines).out)["signature"]
    assert found["latin-1"].count("|enc:iso8859-1|") == 1
    assert found["latin-1"].replace("|enc:iso8859-1", "") == found["utf-8"]


def test_environment_names_lists_of_the_original(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROUGE_EVAL_HOME", str(folder))
    finished = run("--language", "de", "-m", "--report", "json", "-z", "SPL", "list")
    assert (finished.code, finished.err) == (0, "")
    assert b'"data_dir": null' in finished.out


def test_help_has_a_heading(run: Run) -> None:
    assert b"\nLanguage:\n  --language TAG" in run("score", "--help-all").out
