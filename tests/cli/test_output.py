"""Where results go when nobody reads them, or nothing can be written."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

MANY = Path(__file__).parents[2] / "fixtures" / "golden" / "corpora" / "many"
COMMAND = [sys.executable, "-m", "rouge_cli", "-n4", "-w1.2", "-2", "4", "-U", "-d", "-a"]


def test_output_closed_early() -> None:
    with subprocess.Popen(
        [*COMMAND, "config.xml"], cwd=MANY, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == b"-" * 45 + b"\n"
        process.stdout.close()
        errors = process.stderr.read()
    assert errors == b""


def test_output_closed_before_anything_is_read() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    finished = subprocess.run(
        [*COMMAND, "config.xml"], cwd=MANY, stdout=writer, stderr=subprocess.PIPE, check=False
    )
    os.close(writer)
    assert finished.stderr == b""
    assert finished.returncode != 0


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no full device here")
def test_output_that_cannot_be_written() -> None:
    with open("/dev/full", "wb") as full:
        finished = subprocess.run(
            [*COMMAND, "config.xml"], cwd=MANY, stdout=full, stderr=subprocess.PIPE, check=False
        )
    expected = b"Error: the results cannot be written: No space left on device\n"
    assert (finished.stderr, finished.returncode) == (expected, 3)


def test_results_and_warnings_do_not_mix() -> None:
    finished = subprocess.run([*COMMAND, "config.xml"], cwd=MANY, capture_output=True, check=False)
    assert b"Warning" not in finished.stdout
    assert finished.returncode == 0
