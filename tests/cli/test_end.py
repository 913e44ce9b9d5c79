"""The end of the process: immediate, but after exit handlers and other threads."""

import sys

import pytest

from rouge_cli.version import __version__
from tests.cli.running import SAMPLE, python

RUN = "from rouge_cli.__main__ import main; main()"
VERSION = f"rouge-cli {__version__}\n".encode()


def test_nothing_is_freed() -> None:
    # A module's last reference goes at the end of the interpreter; nothing is to wait for that.
    held = "class Held:\n def __del__(self): print('freed')\nheld = Held()\n"
    assert python("-c", held + RUN, "--version").stdout == VERSION
    assert python("-c", f"{held}print('end')").stdout == b"end\nfreed\n"


@pytest.mark.parametrize(
    "start",
    [
        "import atexit; atexit.register(print, 'last')",
        "import threading; threading.Timer(0.5, print, ['last']).start()",
    ],
)
def test_exit_functions_and_threads_are_waited_for(start: str) -> None:
    finished = python("-c", f"{start}; {RUN}", "--version")
    # On a busy machine a thread may be first.
    assert sorted(finished.stdout.splitlines()) == [b"last", VERSION.strip()]
    assert finished.returncode == 0


@pytest.mark.parametrize(
    "tool", [["cProfile", "-m", "rouge_cli"], ["trace", "--listfuncs", "--module", "rouge_cli"]]
)
def test_profilers_have_their_say(tool: list[str]) -> None:
    finished = python("-m", *tool, "--version")
    assert finished.stdout.startswith(VERSION)
    assert len(finished.stdout) > 500


def test_who_looks_on_afterwards_can() -> None:
    finished = python("-i", "-c", RUN, "--version", input=b"print('still here')\n")
    assert finished.stdout == VERSION + b"still here\n"


SCORE = "score -n1 -a config.xml"


@pytest.mark.skipif(sys.platform != "linux", reason="needs limits of the system")
@pytest.mark.parametrize(
    ("name", "most", "command"),
    [
        *(("RLIMIT_AS", kilobytes << 10, SCORE) for kilobytes in (40000, 80000, 95000)),
        # Enough for NumPy, too little for SciPy, whose library would try again without end.
        ("RLIMIT_AS", 200000 << 10, "correlate -n1 config.xml --judgements judgements.csv"),
        *(("RLIMIT_NOFILE", descriptors, SCORE) for descriptors in (4, 5)),
    ],
)
def test_code_1_is_that_of_a_threshold(name: str, most: int, command: str) -> None:
    limited = f"import resource as r; r.setrlimit(r.{name}, ({most}, {most})); {RUN}"
    finished = python("-c", limited, *command.split(), cwd=SAMPLE)
    assert finished.returncode in {0, 3}, finished.stderr
    if finished.returncode:
        assert finished.stdout == b""
        assert finished.stderr.startswith(b"Error: ")
        assert finished.stderr.count(b"\n") == 1


def test_what_libraries_raise_on_their_own() -> None:
    # As engines in other languages do, whose exceptions are no Exception.
    program = (
        "import click\nclass Panic(BaseException): pass\n"
        "def panic(*_, **__): raise Panic('no memory')\n"
        f"click.Group.invoke = panic\n{RUN}"
    )
    finished = python("-c", program, "absent.xml")
    assert (finished.returncode, finished.stdout) == (70, b"")
    assert b"please report it" in finished.stderr


def test_code_of_the_run() -> None:
    assert python("-c", RUN, "absent.xml").returncode == 3
    assert python("-c", RUN, "--absent").returncode == 2
