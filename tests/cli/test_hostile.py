"""Malicious input: it is refused with a message, or read like any other."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from rouge_cli.cli.output import write_output
from tests.cli.running import (
    ROOT,
    Run,
    eval_xml,
    limited_files,
    others,
    python,
    rouge,
    write_files,
)

AS_ORIGINAL = {"lcs": True}
INPUT_ERROR = 3

# ROUGE-1, one model and one peer of the words a, b and c.
SAME = b"X ROUGE-1 Average_R: 1.00000 "

on_posix = pytest.mark.skipif(os.name != "posix", reason="needs pipes with names")


def spelt(eval_id: str = "1", system: str = "X", peer: str = "text") -> str:
    return eval_xml(eval_id, {system: peer}, {"A": "./text"})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_files(tmp_path, {"text": b"a b c\n", "config.xml": f"<R>{spelt()}</R>"})
    return tmp_path


def test_a_line_of_twenty_megabytes(run: Run, folder: Path) -> None:
    # Three words, a million times; and one of twenty million letters.
    (folder / "long").write_bytes(b"a b c " * (20_000_000 // 6) + b"\n")
    (folder / "word").write_bytes(b"x" * 20_000_000 + b"\n")
    (folder / "list").write_bytes(b"text long\ntext word\n")
    finished = run("-n1", "-x", "-t2", "-z", "SPL", "list", cwd=folder)
    assert (finished.code, finished.err) == (0, "")
    assert finished.out.splitlines()[1] == b"X ROUGE-1 M_count: 10000000 P_count: 6 H_count: 3"
    lines = run("-n1", "-x", "-t2", "--peer-lines", "text", "--model-lines", "long")
    assert lines.out.splitlines()[1] == b"X ROUGE-1 M_count: 9999999 P_count: 3 H_count: 3"


@pytest.mark.skipif(not os.path.exists("/dev/fd"), reason="no /dev/fd here")
@pytest.mark.parametrize(
    ("options", "content"),
    [
        (["-a"], f"<R>{spelt()}</R>"),
        (["-z", "SPL"], "text ./text\n"),
        (["--records-format", "jsonl"], '{"prediction": "a", "reference": "a"}\n'),
        (["--model-lines", "text", "--peer-lines"], "a b c\n"),
    ],
)
def test_a_pipe_on_the_command_line(options: list[str], content: str, folder: Path) -> None:
    # As <(...) of a shell.
    reader, writer = os.pipe()
    with os.fdopen(writer, "w") as file:
        file.write(content)
    finished = rouge(
        *("-n1", "-x", "-r1", "--report", "classic", *options, f"/dev/fd/{reader}"),
        cwd=folder,
        pass_fds=[reader],
    )
    os.close(reader)
    assert (others(finished.stderr.decode()), finished.returncode) == ("", 0)
    assert finished.stdout.splitlines()[1].startswith(SAME)


@on_posix
def test_devices_that_a_file_names(run: Run, folder: Path) -> None:
    # The empty device is an empty text, and a terminal would be waited for.
    write_files(folder, {"list": "/dev/null text\n", "tty": "/dev/tty text\n"})
    finished = run("-n1", "-x", "-t2", "-z", "SPL", "list", cwd=folder)
    assert finished.err == "Warning: text 1: /dev/null: no tokens\n"
    assert finished.out.splitlines()[1] == b"X ROUGE-1 M_count: 3 P_count: 0 H_count: 0"
    if os.path.exists("/dev/tty"):
        problem = "tty, line 1, text 1: /dev/tty: a device, not a file"
        assert run("-z", "SPL", "tty").refusal == f"Error: {problem}"


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="no /dev/zero here")
def test_an_endless_device_that_nobody_knows(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    # It is told by what comes from it.
    monkeypatch.setattr("rouge_cli.inputs.files.ENDLESS_DEVICES", frozenset())
    problem = "/dev/zero: a device that never ends, not a file; expected the configuration"
    assert run("-a", "/dev/zero").refusal == f"Error: {problem}"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-a", "a\nb.xml"], "'a\\nb.xml': no such file; expected the configuration"),
        (["-z", "SPL", "a\x1b[1m"], "'a\\x1b[1m': no such file; expected the file list"),
        (["a\nb.jsonl"], "'a\\nb.jsonl': no such file; expected a file of records"),
        (["--peer-lines", "a\nb", "--model-lines", "text"], "'a\\nb': no such file"),
        (["odd.xml", "\x1b[1mme"], "no system '\\x1b[1mme' in CONFIG; known are: \\x9b31mS"),
    ],
)
def test_names_are_escaped(arguments: list[str], message: str, run: Run, folder: Path) -> None:
    (folder / "odd.xml").write_text(f"<R>{spelt(system=chr(0x9B) + '31mS')}</R>", "utf-8")
    assert run("-n1", *arguments, cwd=folder).error_lines == [f"Error: {message}"]
    verbose = run("-v", "-n1", "-a", "odd.xml").err
    assert "system \\x9b31mS: 1 text\n" in verbose
    assert "\x9b" not in verbose


def test_terminals_get_no_codes_from_names(
    monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    # Colours stay, and the newline of each line; in a file every byte stays.
    report = ["\x1b[1mbold\x1b[0m\t\x9b31m\r\x7f\n"]
    write_output(report)
    assert capsysbinary.readouterr().out == b"\x1b[1mbold\x1b[0m\t\xc2\x9b31m\r\x7f\n"
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    write_output(report)
    assert capsysbinary.readouterr().out == b"\x1b[1mbold\x1b[0m\t\\x9b31m\\r\\x7f\n"


def interrupted_at(module: str, entry: str, folder: Path) -> "subprocess.CompletedProcess[bytes]":
    """Run with a Ctrl-C that comes when a module is imported."""
    program = f"""
import os, signal, sys
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Finder())
sys.argv = ["rouge-cli", "-a", "config.xml"]
from rouge_cli.{entry} import main
main()
"""
    return python("-c", program, cwd=folder)


@on_posix
@pytest.mark.parametrize("module", ["click", "rouge_cli.cli.score", "rouge_cli.options", "numpy"])
def test_interrupted_while_it_starts(module: str, folder: Path) -> None:
    finished = interrupted_at(module, "cli.main", folder)
    assert (finished.stdout, finished.returncode) == (b"", 128 + signal.SIGINT)
    assert finished.stderr in {b"Interrupted.\n", b"Interrupted: nothing is printed.\n"}


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
def test_interrupted_before_signals_are_handled(folder: Path) -> None:
    # When the first module behind the entry point is imported.
    finished = interrupted_at("rouge_cli.cli.main", "__main__", folder)
    assert (finished.stdout, finished.stderr) == (b"", b"")
    assert finished.returncode == -signal.SIGINT


@pytest.mark.skipif(sys.platform != "linux", reason="needs a limit on the size of files")
@pytest.mark.parametrize("n_bytes", [100, 2000])
@pytest.mark.parametrize(
    "arguments",
    [
        "convert config.xml --to jsonl -o out/new",
        "convert config.xml --to xml -o out/new",
        "install-shim out/new",
        "-n1 -a config.xml --report json -o out/new",
    ],
)
def test_no_room(arguments: str, n_bytes: int, folder: Path) -> None:
    # The text alone is larger than what fits; a part of it would be written without an error.
    write_files(folder, {"text": b"a b c d\n" * 1000})
    (folder / "out").mkdir()
    program = ("-B", "-c", limited_files(n_bytes))
    finished = python(*program, *arguments.split(), cwd=folder, text=True)
    assert finished.returncode == INPUT_ERROR
    *_, line = finished.stderr.splitlines()
    assert re.fullmatch("Error: .*out/new: .*cannot be written: File too large", line)
    assert os.listdir(folder / "out") == []


def ignore_ending_signals() -> None:
    """Have a process begin as under nohup, or in some continuous integration."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)


@on_posix
def test_these_tests_where_signals_are_ignored() -> None:
    tests = [
        "tests/cli/test_hostile.py::test_interrupted_while_it_starts[numpy]",
        f"tests/cli/test_output.py::test_ended_by_a_signal[{signal.SIGHUP.value}]",
    ]
    words = ("-m", "pytest", "-q", "-p", "no:cacheprovider", *tests)
    finished = python(*words, cwd=ROOT, text=True, preexec_fn=ignore_ending_signals)
    assert "2 passed" in finished.stdout


HUGE = 1 << 40
"""Bytes of a file with holes for zeros: read whole, it would fill any memory."""

NO_XML = "no XML; expected a configuration in XML; a file list is read with -z FORMAT"


@on_posix
@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["-a", "zeros"], f", line 1: {NO_XML}"),
        (["-a", "zeros-behind-a-word"], f"-behind-a-word, line 1: {NO_XML}"),
        (["-z", "SPL", "zeros"], ", line 1: a zero byte, which no path has; save the file list as"),
        (["zeros", "--records-format", "jsonl"], ", line 1: a zero byte at column 1, as in a"),
        (["zeros", "--records-format", "json"], ", line 1: a zero byte at column 1, as in a"),
        (["zeros", "--records-format", "csv"], ", line 1: a zero byte at column 1, as in a"),
        (["-s", "--stopwords", "zeros", "config.xml", "X"], ": begins with zero bytes; expected"),
        (["--soft", "zeros", "--soft-threshold", "0.5", "-n1", "config.xml", "X"], ": begins with"),
        (["--baseline", "zeros", "config.xml", "X"], ": no JSON: line 1, column 1: Expecting"),
        (["--notes", "zeros", "--report", "html", "config.xml"], ": found more bytes, expected at"),
        (["--protocol", "./zeros.toml", "config.xml"], ".toml: found more than 1 MB, expected a"),
        (["--baseline", "zeros", "--not-worse-than", "0.1", "config.xml", "X"], ""),
        (["--peer-lines", "zeros", "--model-lines", "text"], ", line 1: a zero byte; expected"),
    ],
)
def test_zeros_are_refused_by_their_first_bytes(
    arguments: list[str], problem: str, folder: Path
) -> None:
    for name, beginning in (("zeros", b""), ("zeros-behind-a-word", b"a word\n")):
        with (folder / name).open("wb") as file:
            file.write(beginning)
            file.truncate(HUGE)
    (folder / "zeros.toml").symlink_to("zeros")
    finished = rouge(*arguments, cwd=folder, text=True)
    assert (finished.returncode, finished.stdout) == (INPUT_ERROR, "")
    assert finished.stderr.removeprefix("Error: ").removeprefix("./").startswith(f"zeros{problem}")


@on_posix
@pytest.mark.parametrize("options", [["-"], ["-a", "-"], ["-z", "SPL", "-"]])
def test_zeros_without_end_on_standard_input(options: list[str], folder: Path) -> None:
    with open("/dev/zero", "rb") as zeros:
        finished = rouge(*options, cwd=folder, stdin=zeros, text=True)
    assert (finished.returncode, finished.stdout) == (INPUT_ERROR, "")
    assert finished.stderr.startswith("Error: standard input")


def test_lines_of_scores_and_judgements_have_64_mb(folder: Path, run: Run) -> None:
    (folder / "scores.jsonl").write_bytes(b"a" * (65 << 20))
    finished = run("-n1", "-x", "--add", "scores:scores.jsonl", "config.xml", "X", cwd=folder)
    problem = "longer than 64 MB; expected shorter records, or a higher --max-record MB"
    assert finished.error_lines == [f"Error: scores.jsonl, line 1: {problem}"]
