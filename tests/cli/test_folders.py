"""Folders of texts that a transcript cannot have: pipes, names of any bytes, no permission."""

import os
from pathlib import Path

import pytest

from tests.cli.running import Run, write_files


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_pipes_are_no_texts(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"p/1": "a b\n", "m/1": "a b\n"})
    os.mkfifo(tmp_path / "p" / "3")
    finished = run("-n1", "--peers", r"p/(\d)", "--models", "m/#ID#", cwd=tmp_path)
    assert (finished.code, finished.err) == (0, "")


def test_names_of_any_bytes(run: Run, tmp_path: Path) -> None:
    name = os.fsdecode(b"caf\xe9")
    write_files(tmp_path, {f"p/{name}": "a b\n", f"m/{name}.a": "a b\n"})
    patterns = ("--peers", "p/(.+)", "--models", r"m/#ID#\.a")
    finished = run("-n1", "-d", "--report", "classic", *patterns, cwd=tmp_path)
    assert b"X ROUGE-1 Eval caf\xe9.X R:1.00000" in finished.out


def test_a_folder_in_folders_cannot_be_listed(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(tmp_path, {"p/a/1": "a b\n", "m/1": "a b\n"})
    scandir = os.scandir

    def refuse(path: str) -> object:
        if path == "p/a/":
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr("rouge_cli.inputs.pairing.os.scandir", refuse)
    peers = "p/(?P<system>.)/(.)"
    finished = run("-n1", "--peers", peers, "--models", "m/#ID#", cwd=tmp_path)
    assert (
        finished.refusal == f"Error: --peers '{peers}': p/a/: cannot be listed: permission denied"
    )
