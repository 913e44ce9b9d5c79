"""``-e`` and the environment: whose stopwords, whose irregular forms."""

import os
from pathlib import Path

import pytest

from tests.cli.running import Run, counts_of_classic, write_files

# Built in: the and a are stopwords, and went is go, which is too short to be stemmed itself.
PEER, MODEL = b"the went ran\n", b"a go ran\n"
COUNT = ["-n1", "-x", "-t2", "-z", "SPL", "list"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_files(tmp_path, {"peer": PEER, "model": MODEL, "list": b"peer model\n"})
    for name in ("stop", "stems", "database", "nothing"):
        (tmp_path / name).mkdir()
    (tmp_path / "stop" / "smart_common_words.txt").write_bytes(b"ran\nwent\n")
    exceptions = tmp_path / "stems" / "WordNet-2.0-Exceptions"
    exceptions.mkdir()
    # Read in the order adj, noun, verb, adv, a later entry replacing an earlier one.
    (exceptions / "adj.exc").write_bytes(b"")
    (exceptions / "noun.exc").write_bytes(b"went ran\n")
    (exceptions / "verb.exc").write_bytes(b"went dog\n")
    (exceptions / "adv.exc").write_bytes(b"went a more words\n")
    (tmp_path / "database" / "WordNet-2.0.exc.db").write_bytes(b"\0\1")
    return tmp_path


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="no /dev/zero here")
def test_a_list_that_never_ends(folder: Path, run: Run) -> None:
    (folder / "nothing" / "smart_common_words.txt").symlink_to("/dev/zero")
    finished = run("-e", "nothing", "-s", *COUNT, cwd=folder)
    name = "nothing/smart_common_words.txt"
    assert finished.refusal == f"Error: {name}: cannot be read as a word list: a device, not a file"
    # The empty device is an empty list.
    (folder / "nothing" / "smart_common_words.txt").unlink()
    (folder / "nothing" / "smart_common_words.txt").symlink_to(os.devnull)
    assert counts_of_classic(run("-e", "nothing", "-s", *COUNT).out) == (3, 3, 1)


@pytest.mark.parametrize("variable", ["ROUGE_EVAL_HOME", "RED_EVAL_HOME"])
def test_environment(
    variable: str, folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, "stop")
    assert counts_of_classic(run("-s", *COUNT, cwd=folder).out) == (2, 1, 0)
    # -e comes first, and then ROUGE_EVAL_HOME.
    assert counts_of_classic(run("-s", "-e", "nothing", *COUNT).out) == (1, 1, 1)
    monkeypatch.setenv("RED_EVAL_HOME", "nothing")
    expected = (2, 1, 0) if variable == "ROUGE_EVAL_HOME" else (1, 1, 1)
    assert counts_of_classic(run("-s", *COUNT).out) == expected
