"""The end of the process: at once, but not before what others have asked for."""

import sys

import pytest

from rouge_cli.version import __version__
from tests.cli.running import SAMPLE, python

RUN = "from rouge_cli.cli.entry import main; main()"
VERSION = f"rouge-cli {__version__}\n".encode()


def test_nothing_is_freed() -> None:
    # A module's last reference goes at the end of the interpreter; nothing is to wait for that.
    held = "class Held:\n def __del__(self): print('freed')\nheld = Held()\n"
    assert python("-c", held + RUN, "--version").stdout == VERSION
    assert python("-c", f"{held}print('end')").stdout == b"end\nfreed\n"


def test_exit_functions_are_called() -> None:
    finished = python("-c", f"import atexit; atexit.register(print, 'bye'); {RUN}", "--version")
    assert (finished.stdout, finished.returncode) == (VERSION + b"bye\n", 0)


def test_threads_are_waited_for() -> None:
    program = f"""
import threading, time
def work():
    time.sleep(0.5)
    print("done")
threading.Thread(target=work).start()
{RUN}
"""
    # On a busy machine the thread may be first.
    lines = python("-c", program, "--version").stdout.splitlines()
    assert sorted(lines) == [b"done", VERSION.strip()]


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


needs_limits = pytest.mark.skipif(sys.platform != "linux", reason="needs limits of the system")


@needs_limits
@pytest.mark.parametrize(
    ("limit", "command"),
    [
        *((("RLIMIT_AS", kilobytes << 10), "score") for kilobytes in (40000, 80000, 95000)),
        # Enough for NumPy, too little for SciPy, whose library would try again without end.
        (("RLIMIT_AS", 200000 << 10), "correlate"),
        *((("RLIMIT_NOFILE", descriptors), "score") for descriptors in (4, 5)),
    ],
)
def test_code_1_is_that_of_a_threshold(limit: tuple[str, int], command: str) -> None:
    pytest.importorskip("scipy")
    name, most = limit
    limited = f"import resource as r; r.setrlimit(r.{name}, ({most}, {most})); {RUN}"
    arguments = {
        "score": ["-n1", "-a", "config.xml"],
        "correlate": ["correlate", "-n1", "config.xml", "--judgements", "judgements.csv"],
    }[command]
    finished = python("-c", limited, *arguments, cwd=SAMPLE)
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
