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


def test_built_in(folder: Path, run: Run) -> None:
    # ran alone; with stems go too. go and went are stopwords, and stopwords go before stems.
    assert counts_of_classic(run(*COUNT, cwd=folder).out) == (3, 3, 1)
    assert counts_of_classic(run("-m", *COUNT).out) == (3, 3, 2)
    finished = run("-m", "-s", *COUNT)
    assert counts_of_classic(finished.out) == (1, 1, 1)
    assert finished.err == ""


def test_a_directory_that_is_not_needed(folder: Path, run: Run) -> None:
    expected = run(*COUNT, cwd=folder)
    # Scripts written for the original name one in every run.
    assert run("-e", "gone", *COUNT) == expected
    for option in ("-m", "-M", "-s"):
        finished = run("-e", "gone", option, *COUNT)
        assert finished.err.startswith("Error: -e/--data-dir: 'gone' is not a directory")
        assert (finished.code, finished.out) == (3, b"")


def test_stopwords_replaced(folder: Path, run: Run) -> None:
    # ran and went are left out: "the" faces "a go".
    finished = run("-e", "stop", "-s", *COUNT, cwd=folder)
    assert counts_of_classic(finished.out) == (2, 1, 0)
    assert finished.err == ""
    # Without -s nothing is asked of the directory.
    assert counts_of_classic(run("-e", "stop", *COUNT).out) == (3, 3, 1)


def test_exceptions_replaced(folder: Path, run: Run) -> None:
    # went is a, by the last list: "the a ran" faces "a go ran".
    finished = run("-e", "stems", "-m", *COUNT, cwd=folder)
    assert counts_of_classic(finished.out) == (3, 3, 2)
    assert finished.err == ""
    # Without it went is dog.
    (folder / "stems" / "WordNet-2.0-Exceptions" / "adv.exc").unlink()
    finished = run("-e", "stems", "-m", *COUNT)
    assert counts_of_classic(finished.out) == (3, 3, 1)
    assert finished.err == (
        "Warning: stems/WordNet-2.0-Exceptions/adv.exc: no such file; the exception table lacks "
        "its entries\n"
    )


def test_a_database_only(folder: Path, run: Run) -> None:
    finished = run("-e", "database", "-m", "-n4", "-2", "4", *COUNT[2:], cwd=folder)
    assert finished.err == (
        "Warning: database/WordNet-2.0.exc.db: not read; the built-in exception table is used\n"
    )
    assert finished.code == 0
    assert counts_of_classic(run("-e", "database", "-m", *COUNT).out) == (3, 3, 2)
    # Nothing is stemmed: nothing to say.
    assert run("-e", "database", *COUNT).err == ""


def test_lists_that_are_not_there(folder: Path, run: Run) -> None:
    finished = run("-e", "nothing", "-m", "-s", *COUNT, cwd=folder)
    assert finished.err == (
        "Warning: nothing/smart_common_words.txt: no such file; the built-in stopwords are used\n"
        "Warning: nothing/WordNet-2.0-Exceptions: no *.exc files; the built-in exception table is "
        "used\n"
    )
    assert counts_of_classic(finished.out) == (1, 1, 1)
    assert finished.code == 0


def test_a_list_that_is_a_directory(folder: Path, run: Run) -> None:
    (folder / "nothing" / "smart_common_words.txt").mkdir()
    finished = run("-e", "nothing", "-s", *COUNT, cwd=folder)
    assert finished.code == 3
    assert finished.out == b""
    assert finished.err.startswith("Error: nothing/smart_common_words.txt: ")


def test_lists_without_a_word(folder: Path, run: Run) -> None:
    (folder / "stop" / "smart_common_words.txt").write_bytes(b"\n \n")
    finished = run("-e", "stop", "-s", *COUNT, cwd=folder)
    assert finished.err == (
        "Warning: stop/smart_common_words.txt: no words in it; no stopwords are removed\n"
    )
    assert counts_of_classic(finished.out) == (3, 3, 1)
    exceptions = folder / "stems" / "WordNet-2.0-Exceptions"
    for path in exceptions.iterdir():
        path.write_bytes(b"went\n")
    finished = run("-e", "stems", "-m", *COUNT)
    said = "Warning: stems/WordNet-2.0-Exceptions: no exceptions in it; none are used"
    assert finished.error_lines == [said]
    # went is not go any more.
    assert counts_of_classic(finished.out) == (3, 3, 1)


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


def test_own_stopwords_of_english(folder: Path, run: Run) -> None:
    (folder / "own").write_bytes(b"ran\nwent\n")
    finished = run("-s", "--stopwords", "own", *COUNT, cwd=folder)
    # "the" faces "a go".
    assert counts_of_classic(finished.out) == (2, 1, 0)
    (folder / "own").write_bytes(b"\n")
    finished = run("-s", "--stopwords", "own", *COUNT)
    assert finished.refusal == "Error: own: no words in it; expected stopwords, one a line"


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
