"""Help, version, and the ways to start."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import rouge_cli
from rouge_cli.options.declaration import Option
from rouge_cli.options.every import OPTIONS
from tests.cli.running import Run

SAMPLE = Path(__file__).parents[2] / "fixtures" / "sample"
USAGE = b"Usage: rouge-cli score [OPTIONS] CONFIG [SYSTEM_ID]\n"


def python_m(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    """Run ``python -m rouge_cli`` in the folder of the sample."""
    command = [sys.executable, "-m", "rouge_cli", *arguments]
    return subprocess.run(command, cwd=SAMPLE, capture_output=True, check=False)


def test_version(run: Run) -> None:
    finished = run("--version")
    assert finished.out == f"rouge-cli {rouge_cli.__version__}\n".encode()
    assert (finished.code, finished.err) == (0, "")


def test_help(run: Run) -> None:
    finished = run("--help")
    assert finished.out.startswith(USAGE)
    assert (finished.code, finished.err) == (0, "")
    assert run("-h").out == finished.out
    assert run("score", "--help").out == finished.out
    # Help wins over whatever else is wrong.
    assert run("-n", "0", "--help").out == finished.out


@pytest.mark.parametrize("option", OPTIONS.values(), ids=OPTIONS)
def test_help_names_every_option(option: Option, run: Run) -> None:
    text = run("--help").out.decode()
    names = ", ".join(filter(None, (option.letter, option.long)))
    assert re.search(rf"^  {names}\b", text, re.MULTILINE)
    if option.metavar:
        assert f"{names} {option.metavar}" in text


def test_long_help(run: Run) -> None:
    finished = run("-H")
    assert finished.out.startswith(run("-h").out)
    assert b"<ROUGE-EVAL" in finished.out
    assert (finished.code, finished.err) == (0, "")
    assert run("--help-all").out == finished.out


def test_python_m_is_the_same(run: Run) -> None:
    arguments = ["-n", "2", "-a", "config.xml"]
    expected = run(*arguments, cwd=SAMPLE)
    found = python_m(*arguments)
    assert (found.stdout, found.stderr, found.returncode) == (expected.out, b"", 0)
    assert python_m("--version").stdout == run("--version").out
    wrong = python_m("-n", "0", "config.xml")
    assert (wrong.stdout, wrong.returncode) == (b"", 2)
    assert wrong.stderr.startswith(USAGE)


def test_no_arguments(run: Run) -> None:
    finished = run()
    assert finished.err.encode().startswith(USAGE)
    assert (finished.code, finished.out) == (2, b"")
