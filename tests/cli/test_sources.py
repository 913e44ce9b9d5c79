"""Every reader with every source that is not a file: a message, and no output."""

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.running import Run, counts_of_classic, write_files

ZERO, MEMORY = "/dev/zero", "/proc/self/mem"
"""A device that never ends; a file that opens, and cannot be read from its start."""

READERS = {
    "config": (["-a"], "; expected the configuration"),
    "list": (["-z", "SPL"], "; expected the file list"),
    "json": (["--records-format", "json"], "; expected a file of records"),
    "parquet": (["--records-format", "parquet"], "; expected a file of records"),
    "lines": (["--model-lines", "text", "--peer-lines"], ""),
    "text": (["-z", "SPL"], ""),
}
OTHERWISE = {
    ("config", "folder"): "a folder, not a configuration; to score the files there, name the "
    "folder of their references too: rouge-cli folder REFERENCES",
    ("text", "memory"): "Input/output error",
    ("lines", "socket"): "No such device or address; expected one text per line",
    ("lines", "memory"): "Input/output error; expected one text per line",
}


def nothing(path: Path) -> None:
    pass


def socket_of(path: Path) -> None:
    # The path of a socket may not be long.
    os.chdir(path.parent)
    with socket.socket(socket.AF_UNIX) as opened:
        opened.bind(path.name)


SOURCES: dict[str, tuple[Callable[[Path], None], str]] = {
    "gone": (nothing, "no such file"),
    "folder": (Path.mkdir, "a directory, not a file"),
    "loop": (lambda path: path.symlink_to(path.name), "too many levels of symbolic links"),
    "zero": (lambda path: path.symlink_to(ZERO), "a device that never ends, not a file"),
    "socket": (socket_of, "No such device or address"),
    "memory": (lambda path: path.symlink_to(MEMORY), "cannot be read: Input/output error"),
}


@pytest.mark.skipif(not os.path.exists(MEMORY), reason="needs devices and files of Linux")
@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("reader", READERS)
def test_what_is_no_file(
    reader: str, source: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    make, problem = SOURCES[source]
    make(tmp_path / source)
    (tmp_path / "text").write_bytes(b"a b\n")
    arguments, expected = READERS[reader]
    (tmp_path / "list").write_text(f"text {source}\n")
    finished = run("-n1", *arguments, "list" if reader == "text" else source)
    place = "list, line 1, text 1: " if reader == "text" else ""
    # It is told that what cannot be read is what was expected.
    told = OTHERWISE.get((reader, source), problem + expected * (source != "memory"))
    assert finished.refusal == f"Error: {place}{source}: {told}"


@pytest.mark.skipif(not os.path.exists(ZERO), reason="no /dev/zero here")
def test_a_word_list_that_never_ends(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"text": "the ran\n", "list": "text text\n"})
    words = tmp_path / "smart_common_words.txt"
    words.symlink_to(ZERO)
    count = ("-e", ".", "-s", "-n1", "-x", "-t2", "-z", "SPL", "list")
    assert run(*count, cwd=tmp_path).refusal == (
        "Error: ./smart_common_words.txt: cannot be read as a word list: a device, not a file"
    )
    # The empty device is an empty list.
    words.unlink()
    words.symlink_to(os.devnull)
    assert counts_of_classic(run(*count).out) == (2, 2, 2)
