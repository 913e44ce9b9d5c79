"""Devices that never end, and names that would break or blur a message."""

import os
from pathlib import Path

import pytest

from tests.cli.running import Run, write_files

ZERO = "/dev/zero"
ENDLESS = f"{ZERO}: a device that never ends, not a file"

needs_zero = pytest.mark.skipif(not os.path.exists(ZERO), reason="no /dev/zero here")

MEMORY = "/proc/self/mem"
"""Opens, and cannot be read from its start."""

needs_proc = pytest.mark.skipif(not os.path.exists(MEMORY), reason="no /proc here")
XML = """<ROUGE_EVAL><EVAL ID="1"><PEER-ROOT>.</PEER-ROOT><MODEL-ROOT>.</MODEL-ROOT>
<INPUT-FORMAT TYPE="SPL"></INPUT-FORMAT><PEERS><P ID="1">{peer}</P></PEERS>
<MODELS><M ID="A">m.txt</M></MODELS></EVAL></ROUGE_EVAL>
"""


@needs_zero
def test_an_endless_device_that_nobody_knows(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # It is told by what comes from it.
    monkeypatch.setattr("rouge_cli.inputs.files.ENDLESS_DEVICES", frozenset())
    assert run("-a", ZERO, cwd=tmp_path).refusal == f"Error: {ENDLESS}; expected the configuration"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-a", "a\nb.xml"], "'a\\nb.xml': no such file; expected the configuration"),
        (["-z", "SPL", "a\x1b[1m"], "'a\\x1b[1m': no such file; expected the file list"),
        (["a\nb.jsonl"], "'a\\nb.jsonl': no such file; expected a file of records"),
        (["--peer-lines", "a\nb", "--model-lines", "m.txt"], "'a\\nb': no such file"),
        (["-a", "odd.xml"], "odd.xml, line 2, text 1: './a\\x9bb': no such file"),
    ],
)
def test_names_are_escaped(arguments: list[str], message: str, run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"m.txt": "a\n", "odd.xml": XML.format(peer="a\x9bb")})
    assert run("-n1", *arguments, cwd=tmp_path).refusal == f"Error: {message}"


def test_names_are_escaped_in_warnings(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"m.txt": "a\n", "a\x9bb": "\n", "odd.xml": XML.format(peer="a\x9bb")})
    finished = run("-n1", "-a", "odd.xml", cwd=tmp_path)
    assert finished.err == "Warning: text 1: './a\\x9bb': no tokens\n"
    assert finished.code == 0


@needs_proc
def test_a_text_that_has_no_size(run: Run, tmp_path: Path) -> None:
    # What the system makes up when it is read is said to be empty.
    (tmp_path / "copy").write_bytes(Path("/proc/version").read_bytes())
    (tmp_path / "made-up").write_text("copy /proc/version\n")
    (tmp_path / "copied").write_text("copy copy\n")
    finished = run("-n1", "-z", "SPL", "made-up", cwd=tmp_path)
    assert (finished.code, finished.err) == (0, "")
    assert finished.out == run("-n1", "-z", "SPL", "copied").out
