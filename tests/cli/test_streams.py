"""Standard streams that are closed, full, slow or nonblocking, and systems short of resources."""

import fcntl
import os
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import click
import pytest

from rouge_cli.cli.group import cli
from rouge_cli.cli.process import EXIT_FAULT, EXIT_UNUSABLE
from rouge_cli.core import VARIABLE, compiled_core
from rouge_cli.run import pipeline
from rouge_cli.threads import PoolThread
from tests.cli.running import (
    ROOT,
    SAMPLE,
    Run,
    limited_files,
    others,
    python,
    rouge,
    started,
    write_files,
)

AS_ORIGINAL = {"lcs": True}
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs limits and devices of Linux")

SECONDS = 60
RUN = ["-n", "1", "-x", "-a", "config.xml"]
UNMET = ["-n", "1", "-x", "--require", "ROUGE-1:R>=0.9", "-a", "config.xml"]
PROGRAM = [sys.executable, "-m", "rouge_cli"]
ONE_LINE = ["--report", "classic", "--peer-lines", "p", "--model-lines", "m"]


def shell(
    redirection: str, *arguments: str, cwd: Path = SAMPLE
) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(
        ["sh", "-c", f'exec "$@" {redirection}', "sh", *PROGRAM, *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        timeout=SECONDS,
        check=False,
    )


WARNED = ["-n", "1", "-x", "-v", *ONE_LINE]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The sample, and files of lines of which one is warned of."""
    shutil.copytree(SAMPLE, tmp_path, dirs_exist_ok=True)
    write_files(tmp_path, {"p": b"a b\n-\n", "m": b"a b\na\n"})
    return tmp_path


@pytest.mark.parametrize(
    ("redirection", "arguments", "code"),
    [
        *product(["2>&-", "2>/dev/full"], [WARNED], [0]),
        *product(["2>&-", "2>/dev/full"], [UNMET], [1]),
        ("2>&-", ["-n", "x", "config.xml"], 2),
        ("2>&-", ["convert", "none.xml", "--to", "xml", "-o", "new"], 3),
        ("2>/dev/full", ["--none"], 2),
        ("2>/dev/full", ["-a", "none.xml"], 3),
        ("2>&- >&-", ["-a", "none.xml"], 3),
        ("2>/dev/full >/dev/full", ["--none"], 2),
    ],
)
def test_nobody_hears_what_is_said(
    redirection: str, arguments: list[str], code: int, run: Run, folder: Path
) -> None:
    expected = run(*arguments, cwd=folder)
    assert (expected.code, bool(expected.err)) == (code, True)
    finished = shell(redirection, *arguments, cwd=folder)
    assert (finished.returncode, finished.stdout) == (code, expected.out)


def test_a_file_does_not_get_what_is_meant_for_a_stream(folder: Path) -> None:
    # With both streams closed the first file that is opened would get the number of one.
    for redirection, report in (("2>&- >&-", "report"), ("", "again")):
        assert shell(redirection, *WARNED, "-o", report, cwd=folder).returncode == 0
    assert (folder / "report").read_bytes() == (folder / "again").read_bytes()


@pytest.mark.parametrize(
    "arguments", [["--help"], ["-H"], ["--version"], ["convert", "--help"], RUN]
)
@pytest.mark.parametrize(
    ("redirection", "end"),
    [
        (">/dev/full", "cannot be written: No space left on device\n"),
        (">&-", "Error: standard output is closed; "),
    ],
)
def test_output_that_cannot_be_written(arguments: list[str], redirection: str, end: str) -> None:
    finished = shell(redirection, *arguments)
    assert finished.returncode == EXIT_UNUSABLE
    error = others(finished.stderr.decode())
    assert error.startswith("Error: ")
    assert end in error
    assert error.count("\n") == 1


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], RUN])
def test_output_that_nobody_reads(arguments: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with started(*arguments, cwd=SAMPLE, stdout=writer) as process:
        os.close(writer)
        assert others(process.communicate(timeout=SECONDS)[1].decode()) == ""
    assert process.returncode == EXIT_UNUSABLE


BIG = ["-n", "4", "-w", "1.2", "-2", "4", "-U", "-d", "-a", "config.xml"]
MANY = ROOT / "fixtures" / "golden" / "corpora" / "many"


def read_slowly(reader: int, read: list[bytes]) -> None:
    time.sleep(0.5)
    while chunk := os.read(reader, 1 << 12):
        read.append(chunk)


on_long_output = pytest.mark.parametrize(
    "arguments",
    [BIG, ["convert", "config.xml", "--to", "jsonl", "-o", "-"]],
    ids=["score", "convert"],
)


@pytest.mark.parametrize("unbuffered", ["", "1"])
@on_long_output
def test_a_pipe_that_does_not_wait(arguments: list[str], unbuffered: str, run: Run) -> None:
    expected = run(*arguments, cwd=MANY).out
    assert len(expected) > 1 << 14
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    fcntl.fcntl(writer, 1031, 1 << 12)  # F_SETPIPE_SZ: so that it is full soon.
    read: list[bytes] = []
    thread = threading.Thread(target=read_slowly, args=(reader, read))
    variables = {"PYTHONUNBUFFERED": unbuffered}
    with started(*arguments, cwd=MANY, env=variables, stdout=writer) as process:
        os.close(writer)
        thread.start()
        process.communicate(timeout=SECONDS)
    thread.join()
    os.close(reader)
    assert process.returncode == 0
    assert b"".join(read) == expected


@pytest.mark.parametrize("unbuffered", ["", "1"])
@on_long_output
def test_a_disk_that_fills_up(arguments: list[str], unbuffered: str, tmp_path: Path) -> None:
    # The system takes a part of what is written, and says so by the number of bytes alone.
    program = f"import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);{limited_files(9000)}"
    streams: dict[str, Any] = {"capture_output": False, "stderr": subprocess.PIPE}
    with (tmp_path / "out").open("wb") as streams["stdout"]:
        variables = {"PYTHONUNBUFFERED": unbuffered}
        finished = python("-B", "-c", program, *arguments, cwd=MANY, env=variables, **streams)
    assert finished.returncode == EXIT_UNUSABLE
    assert b"File too large" in finished.stderr
    errors = [line for line in finished.stderr.splitlines() if not line.startswith(b"Warning: ")]
    assert len(errors) == 1


@pytest.mark.parametrize("sizes", [[1, 40, 0], [10_000, 0]], ids=str)
@pytest.mark.parametrize(
    "arguments",
    [
        ["-n", "1", "--peer-lines", "-", "--model-lines", "m"],
        ["-n", "1", "--records-format", "JSONL", "-"],
        ["-n", "1", "-a", "-"],
    ],
    ids=["lines", "records", "config"],
)
def test_an_input_that_does_not_wait(
    arguments: list[str], sizes: list[int], tmp_path: Path
) -> None:
    # The bytes come later, or in parts; what is read so far is not taken for all.
    write_files(tmp_path, {"m": b"a b\n" * 20_000, "t": b"a b\n"})
    evaluation = (
        "<EVAL ID='%d'><PEER-ROOT>.</PEER-ROOT><MODEL-ROOT>.</MODEL-ROOT><INPUT-FORMAT TYPE='SPL'>"
        "</INPUT-FORMAT><PEERS><P ID='p'>t</P></PEERS><MODELS><M ID='m'>./t</M></MODELS></EVAL>"
    )
    content = {
        "--peer-lines": b"a b\n" * 20_000,
        "--records-format": b'{"prediction": "a b", "reference": "a b"}\n' * 2_000,
        "-a": f"<R>{''.join(evaluation % number for number in range(500))}</R>".encode(),
    }[arguments[2]]
    reader, writer = os.pipe()
    os.set_blocking(reader, False)
    with started("--report", "classic", *arguments, cwd=tmp_path, stdin=reader) as process:
        os.close(reader)
        for size in sizes:
            time.sleep(0.4)
            part, content = (content[:size], content[size:]) if size else (content, b"")
            with os.fdopen(os.dup(writer), "wb") as file:
                file.write(part)
        os.close(writer)
        out, err = process.communicate(timeout=SECONDS)
    assert (process.returncode, err) == (0, b"")
    assert out.count(b": 1.00000 (") == 6


def limited(kind: int, number: int) -> Callable[[], None]:
    return lambda: resource.setrlimit(kind, (number, number))


def in_lines(folder: Path) -> list[str]:
    write_files(folder, dict.fromkeys("pm", b"a b c d\n" * 20_000))
    return ["-n", "1", "-x", "--jobs", "2", *ONE_LINE]


# At each call to open in turn, it fails in tests/faults.
@pytest.mark.usefixtures("core")
@pytest.mark.parametrize("n_files", range(6, 24, 6))
def test_few_file_descriptors(n_files: int, tmp_path: Path) -> None:
    arguments = in_lines(tmp_path)
    finished = rouge(*arguments, cwd=tmp_path, preexec_fn=limited(resource.RLIMIT_NOFILE, n_files))
    if finished.returncode:
        assert (finished.returncode, finished.stdout) == (EXIT_UNUSABLE, b"")
        assert finished.stderr.startswith(b"Error: ")
        assert b"Too many open files" in finished.stderr
        assert finished.stderr.count(b"\n") == 1
    else:
        assert finished.stdout.count(b" 1.00000 (") == 3
        assert finished.stderr == b"" or (
            finished.stderr.startswith(b"Warning: 1 instead of 2 processes: ")
            and b"Too many open files" in finished.stderr
        )


@pytest.mark.parametrize(
    ("module", "function", "error", "message"),
    [
        (os, "fork", BlockingIOError(11, "Resource temporarily unavailable"), "processes"),
        (PoolThread, "start", RuntimeError("can't start new thread"), "threads"),
    ],
)
def test_no_second_worker(
    module: Any,
    function: str,
    error: Exception,
    message: str,
    tmp_path: Path,
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*_: object) -> None:
        raise error

    monkeypatch.delenv(VARIABLE, raising=False)
    if message == "processes":
        monkeypatch.setenv(VARIABLE, "0")
    elif compiled_core() is None:
        pytest.skip("the core is not built")
    monkeypatch.setattr(module, function, refuse)
    finished = run(*in_lines(tmp_path), cwd=tmp_path)
    reason = error.args[-1]
    said = f"Warning: 1 instead of 2 {message}: no more can be started ({reason})"
    assert finished.error_lines == [said]
    assert finished.code == 0
    assert finished.out.count(b" 1.00000 (") == 3


def test_a_working_directory_that_is_gone(tmp_path: Path) -> None:
    (tmp_path / "gone").mkdir()
    program = "import os; os.rmdir(os.getcwd()); from rouge_cli.cli.main import main; main()"

    def run_there(*arguments: str) -> "subprocess.CompletedProcess[str]":
        (tmp_path / "gone").mkdir(exist_ok=True)
        return python("-c", program, *arguments, cwd=tmp_path / "gone", text=True)

    write_files(tmp_path, dict.fromkeys("pm", b"a b\n"))
    lines = ["--peer-lines", str(tmp_path / "p"), "--model-lines", str(tmp_path / "m")]
    found = run_there("-n", "1", *lines)
    assert (found.returncode, others(found.stderr)) == (0, "")
    found = run_there("-n", "1", *lines, "-o", str(tmp_path / "report"))
    assert (found.returncode, others(found.stderr)) == (0, "")
    for arguments in (
        ["-n", "1", *lines, "-o", "report"],
        ["convert", *lines, "--to", "xml", "-o", "new"],
        ["install-shim", "home"],
        ["--peers", "(.*)", "--models", "#ID#"],
    ):
        found = run_there(*arguments)
        assert found.returncode == EXIT_UNUSABLE
        assert found.stderr.startswith("Error: ")
        assert "Traceback" not in found.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--peer-lines", "-", "--model-lines", "p"],
            "standard input: no copy of it can be written to ",
        ),
        (
            ["convert", "--peer-lines", "p", "--model-lines", "p", "--to", "jsonl", "-o", "-"],
            "the records cannot be kept in a temporary file: ",
        ),
    ],
    ids=["input", "output"],
)
def test_no_room_for_temporary_files(arguments: list[str], message: str, tmp_path: Path) -> None:
    (tmp_path / "p").write_bytes(b"a b\n" * 5000)
    limit = limited(resource.RLIMIT_FSIZE, 1000)
    more: dict[str, Any] = {"env": {"TMPDIR": str(tmp_path)}, "preexec_fn": limit}
    # A copy of up to 16 MB stays in memory.
    full = rouge(*arguments, cwd=tmp_path, input=b"a b\n" * 5_000_000, **more)
    assert (full.returncode, full.stdout) == (EXIT_UNUSABLE, b"")
    *warnings, error = full.stderr.decode().splitlines()
    assert error.startswith(f"Error: {message}")
    assert all("1 file of predictions is among the references too" in line for line in warnings)
    assert os.listdir(tmp_path) == ["p"]


def test_a_fault_of_the_program_is_no_threshold(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr("rouge_cli.run.pipeline.score_input", fail)
    finished = run(*RUN, cwd=SAMPLE)
    assert (finished.code, finished.out) == (EXIT_FAULT, b"")
    assert "ZeroDivisionError: division by zero" in finished.err
    assert finished.err.endswith("please report it, with the lines above\n")


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (MemoryError(), "not enough memory for this run"),
        (OSError(5, "Input/output error"), "Input/output error"),
        (OSError(24, "Too many open files", "a\nb"), r"'a\nb': Too many open files"),
        (
            ImportError("Importing the extensions failed.\nThis can happen."),
            "a part of rouge-cli cannot be loaded: Importing the extensions failed.",
        ),
        (ImportError(""), "a part of rouge-cli cannot be loaded: ImportError"),
    ],
)
@pytest.mark.parametrize("place", ["rouge_cli.run.pipeline.score_input", "rouge_cli.cli.group.run"])
def test_what_the_system_refuses(
    place: str, error: Exception, message: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise error

    monkeypatch.setattr(place, fail)
    finished = run(*RUN, cwd=SAMPLE)
    assert finished.err == f"Error: {message}\n"
    assert (finished.code, finished.out) == (EXIT_UNUSABLE, b"")


def test_an_interrupt_that_arrives_in_click(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any, **__: Any) -> None:
        # What Click makes of it.
        raise click.Abort

    monkeypatch.setattr(cli, "main", interrupted)
    finished = run(*RUN, cwd=SAMPLE)
    assert (finished.code, finished.out, finished.err) == (130, b"", "Interrupted.\n")


@pytest.mark.parametrize(
    ("error", "is_shown"),
    [(ValueError("a fault"), True), (OSError("of closing"), False), (KeyboardInterrupt(), False)],
)
def test_what_nobody_can_handle(
    error: BaseException, is_shown: bool, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Faulty:
        def __del__(self) -> None:
            raise error

    real = pipeline.score_input

    def score(*arguments: Any) -> Any:
        Faulty()
        return real(*arguments)

    monkeypatch.setattr("rouge_cli.run.pipeline.score_input", score)
    expected = run(*RUN, cwd=SAMPLE)
    assert expected.code == 0
    assert ("ValueError: a fault" in expected.err) == is_shown
    assert bool(expected.err) == is_shown


def test_a_signal_whose_exception_is_swallowed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    # As in a callback of C code, which ignores what is raised.
    real = pipeline.score_input

    def swallow(number: int) -> Callable[..., Any]:
        def score(*arguments: Any) -> Any:
            try:
                os.kill(os.getpid(), number)
            except BaseException:
                return real(*arguments)
            pytest.fail("no signal arrived")

        return score

    for number, code in [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, 130)]:
        monkeypatch.setattr("rouge_cli.run.pipeline.score_input", swallow(number))
        finished = run(*RUN, cwd=SAMPLE)
        assert (finished.code, finished.out) == (code, b"")
