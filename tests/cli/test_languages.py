"""Other languages on the command line: what is printed, and what is refused."""

import json
from pathlib import Path

import pytest

from tests.cli.running import Run

PEER, MODEL = "Größere Häuser.\n", "Das größere Haus.\n"
COUNT = ["-n1", "-x", "-t2", "-z", "SPL", "list"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder with two texts and a file list."""
    (tmp_path / "peer").write_text(PEER, "utf-8")
    (tmp_path / "model").write_text(MODEL, "utf-8")
    (tmp_path / "list").write_bytes(b"peer model\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def counts(out: bytes) -> tuple[int, int, int]:
    """Return model count, peer count and hit of the only metric."""
    _, model_count, _, peer_count, _, hit = out.splitlines()[1].split()[2:]
    return int(model_count), int(peer_count), int(hit)


def test_counts(run: Run) -> None:
    # gr, ere, h, user and das, gr, ere, haus: the warning names what helps.
    plain = run(*COUNT)
    assert counts(plain.out) == (4, 4, 2)
    assert "--language de" in plain.err
    assert "--tokenizer unicode" in plain.err
    german = run("--language", "de", *COUNT)
    assert (counts(german.out), german.err) == ((3, 2, 1), "")
    assert counts(run("--language", "de", "-m", *COUNT).out) == (3, 2, 2)
    assert counts(run("--tokenizer", "char", *COUNT).out) == (14, 13, 10)
    assert counts(run("--tokenizer", "whitespace", "-l", "2", *COUNT).out) == (2, 2, 1)


@pytest.mark.parametrize("report", ["table", "json", "csv", "markdown", "latex"])
def test_reports(run: Run, report: str) -> None:
    finished = run("--language", "de", "-n1", "--report", report, "-z", "SPL", "list")
    assert (finished.code, finished.err) == (0, "")
    assert finished.out


def test_cite_does_not_claim_the_original(run: Run) -> None:
    finished = run("--language", "de", "--cite")
    assert b"lang:de|tok:unicode-" in finished.out
    assert b"reproduces\nROUGE-1.5.5 to the last digit" not in finished.out
    assert b"Its words are not those of ROUGE-1.5.5." in finished.out
    assert b"reproduces\nROUGE-1.5.5 to the last digit" in run("--cite").out


def test_dry_run_counts_these_words(run: Run) -> None:
    finished = run("--language", "de", "--dry-run", "-z", "SPL", "list")
    rows = [line.split() for line in finished.out.decode().splitlines()[1:3]]
    assert [(row[1], row[4]) for row in rows] == [("peer", "2"), ("model", "3")]


@pytest.mark.parametrize("more", [[], ["--dry-run"]])
def test_a_file_that_is_not_utf8(run: Run, folder: Path, more: list[str]) -> None:
    # Blank lines are no sentences, but they are bytes of the file.
    (folder / "model").write_bytes("ä\n\n\nschön\n".encode() + b"sch\xf6n\n")
    assert run("--language", "de", *more, "-n1", "-z", "SPL", "list").refusal == (
        "Error: EVAL 1: model: byte 0xF6 at offset 15 is not UTF-8, which the options "
        "under Language need; save it as UTF-8"
    )


def test_the_place_in_a_file_with_markup(run: Run, folder: Path) -> None:
    line = b'<a name="1">[1]</a> <a href="#1" id=1>Gr\xfcn</a>\n'
    (folder / "model").write_bytes(b"<html>\n" + line)
    (folder / "peer").write_bytes(b'<a name="1">[1]</a> <a href="#1" id=1>a</a>\n')
    finished = run("--language", "de", "-n1", "-z", "SEE", "list")
    assert f"byte 0xFC at offset {7 + line.index(0xFC)} is not UTF-8" in finished.err


def test_lines_that_are_not_utf8(run: Run, folder: Path) -> None:
    (folder / "peers").write_bytes(b"a\ngr\xfcn\n")
    (folder / "models").write_bytes(b"a\nb\n")
    lines = ["--peer-lines", "peers", "--model-lines", "models", "-n1"]
    finished = run("--language", "de", *lines)
    assert "peers" in finished.refusal
    assert "byte 0xFC at offset 2 is not UTF-8" in finished.err
    # With the encoding it had, the bytes are UTF-8 by the time they are read.
    assert run("--language", "de", "--encoding", "latin-1", *lines).code == 0


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


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--language", "german"], "--language: found 'german', expected a BCP 47 tag, such as "),
        (["--tokenizer", "words"], "--tokenizer: found 'words', expected one of ascii155, "),
        (["--language", "ja", "-m"], "-m/--stem: no stemmer for --language ja; there is one for "),
        (["--language", "de", "-3", "H"], "-3/--basic-elements reads elements in English as "),
        (["--language", "de", "-e", "x"], "-e/--data-dir holds word lists of ROUGE-1.5.5, which "),
    ],
)
def test_refused(run: Run, arguments: list[str], message: str) -> None:
    finished = run(*arguments, "-z", "SPL", "list")
    assert (finished.code, finished.out) == (2, b"")
    assert finished.error_lines[0].startswith(f"Error: {message}")


def test_environment_names_lists_of_the_original(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROUGE_EVAL_HOME", str(folder))
    finished = run("--language", "de", "-m", "--report", "json", "-z", "SPL", "list")
    assert (finished.code, finished.err) == (0, "")
    assert b'"data_dir": null' in finished.out


def test_help_has_a_heading(run: Run) -> None:
    assert b"\nLanguage:\n  --language TAG" in run("score", "--help").out
