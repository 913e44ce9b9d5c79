"""Output without a reader, and output that cannot be written."""

import os
import shutil
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import SAMPLE, Finished, Run, others, rouge, started, write_files

on_posix = pytest.mark.skipif(os.name != "posix", reason="needs pipes with names")

RECORDS = str(SAMPLE / "records.jsonl")
MANY = Path(__file__).parents[2] / "fixtures" / "golden" / "corpora" / "many"
LONG = ["-n4", "-w1.2", "-2", "4", "-U", "-d", "-a", "config.xml"]


def test_output_closed_early() -> None:
    with started(*LONG, cwd=MANY) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == b"-" * 45 + b"\n"
        process.stdout.close()
        errors = process.stderr.read()
    # One of the texts holds a tag of HTML.
    assert all(line.startswith(b"Warning: ") for line in errors.splitlines())


RUN = ["-n", "1", "-x", "config.xml", "lead"]


@pytest.fixture
def report(run: Run) -> bytes:
    return run(*RUN, cwd=SAMPLE).out


def test_a_new_file(run: Run, report: bytes, tmp_path: Path) -> None:
    path = tmp_path / "new.txt"
    umask = os.umask(0o027)
    try:
        assert run(*RUN, "-o", str(path)) == Finished(0, b"", "")
    finally:
        os.umask(umask)
    assert path.read_bytes() == report
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert os.listdir(tmp_path) == ["new.txt"]


@on_posix
def test_devices_and_pipes(report: bytes, tmp_path: Path) -> None:
    log = tmp_path / "log.txt"
    log.write_bytes(b"before\n")
    with log.open("ab") as appended:
        into = {"stdout": appended, "capture_output": False}
        rouge(*RUN, "-o", "/dev/stdout", cwd=SAMPLE, check=True, **into)
    assert log.read_bytes() == b"before\n" + report
    finished = rouge(*RUN, "-o", "/dev/stdout", cwd=SAMPLE, check=True)
    assert (finished.stdout, others(finished.stderr.decode())) == (report, "")
    rouge(*RUN, "-o", os.devnull, cwd=SAMPLE, check=True)
    assert not stat.S_ISREG(os.stat(os.devnull).st_mode)


@on_posix
def test_a_named_pipe(report: bytes, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with started(*RUN, "-o", str(pipe), cwd=SAMPLE) as process:
        assert pipe.read_bytes() == report
    assert process.returncode == 0
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@pytest.mark.parametrize(
    ("forbidden", "problem"),
    [
        ("report.txt", "no permission to write it"),
        (".", "no permission to make files in the folder '{folder}', as is needed to replace it"),
    ],
)
def test_no_permission(
    forbidden: str, problem: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Asked of the system, as whoever runs the tests may be allowed everything.
    path = tmp_path / "report.txt"
    path.write_bytes(b"old")
    refused = str(tmp_path / forbidden).rstrip(".")
    monkeypatch.setattr("os.access", lambda name, mode: os.path.join(name, "") != refused + "/")
    finished = run(*RUN, "-o", str(path), cwd=SAMPLE)
    expected = f"Error: -o/--output: {path}: {problem.format(folder=tmp_path)}"
    assert finished.refusal == expected
    assert path.read_bytes() == b"old"


@on_posix
def test_standard_output_is_an_output_too(tmp_path: Path) -> None:
    # `rouge-cli --report json=z > z`: z would be replaced, and what is printed be lost.
    for reports, code in [(["json=z", "classic"], 2), (["json=z"], 0), (["json=y", "classic"], 0)]:
        arguments = [word for report in reports for word in ("--report", report)]
        with (
            (tmp_path / "z").open("wb") as out,
            started("-n1", RECORDS, *arguments, cwd=tmp_path, stdout=out) as process,
        ):
            _, err = process.communicate(timeout=60)
        assert process.returncode == code, err


def test_the_null_device_takes_several(run: Run) -> None:
    reports = [f"--report={kind}={os.devnull}" for kind in ("json", "csv")]
    assert run("-n1", "-a", "config.xml", *reports, cwd=SAMPLE).code == 0


OUTPUTS = {"s.jsonl": "--save=", "r.json": "--report=json=", "c.csv": "--report=csv="}


@pytest.mark.parametrize("nth", range(len(OUTPUTS)))
@pytest.mark.parametrize("step", ["open", "fsync"])
def test_outputs_are_one_unit(
    step: str, nth: int, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(tmp_path, dict.fromkeys(OUTPUTS, "old"))
    real, drafts = getattr(os, step), []

    def fail(target: object, *more: object) -> object:
        path = target if isinstance(target, str) else os.readlink(f"/proc/self/fd/{target}")
        if "/.rouge-cli-" in path:
            drafts.append(path)
            if len(drafts) == nth + 1:
                raise OSError(28, "No space left on device")
        return real(target, *more)

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(os, step, fail)
    options = [f"{option}{name}" for name, option in OUTPUTS.items()]
    assert list(OUTPUTS)[nth] in run("-n1", RECORDS, *options, "--report", "classic").refusal
    files = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert files == dict.fromkeys(OUTPUTS, b"old")


def test_a_rename_that_fails_behind_another(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.replace

    def fail(source: str, target: str) -> None:
        if target.endswith("b"):
            raise OSError(5, "Input/output error")
        real(source, target)

    monkeypatch.setattr(os, "replace", fail)
    reports = ["--report", "json=a", "--report", "csv=b"]
    assert run("-n1", RECORDS, *reports, cwd=tmp_path).refusal == (
        "Error: b: the results cannot be written: Input/output error; written before it: a"
    )
    assert os.listdir(tmp_path) == ["a"]


@on_posix
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_ended_by_a_signal(number: signal.Signals, tmp_path: Path) -> None:
    config = tmp_path / "config.xml"
    os.mkfifo(config)
    with (
        started("-a", str(config), "-o", str(tmp_path / "report.txt")) as process,
        # It opens when the run, too, has opened it, and now waits for what stands in it.
        config.open("wb"),
    ):
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
    assert (out, err, process.returncode) == (b"", b"", 128 + number)
    assert os.listdir(tmp_path) == ["config.xml"]


@on_posix
def test_a_signal_that_is_ignored(tmp_path: Path) -> None:
    config = tmp_path / "config.xml"
    os.mkfifo(config)
    program = [sys.executable, "-m", "rouge_cli", *RUN[:-2], str(config), "lead"]
    with subprocess.Popen(
        ["nohup", *program], cwd=SAMPLE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        with config.open("wb") as writer:
            process.send_signal(signal.SIGHUP)
            writer.write((SAMPLE / "config.xml").read_bytes())
        out, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    assert out.startswith(b"-" * 45 + b"\nlead ROUGE-1 Average_R: ")


@on_posix
def test_a_text_that_another_file_names_is_not_replaced_by_another_name(
    run: Run, tmp_path: Path
) -> None:
    shutil.copytree(SAMPLE, tmp_path / "sample")
    text, output = tmp_path / "sample" / "models" / "bridge.A.txt", tmp_path / "hard.txt"
    output.hardlink_to(text)
    before = text.read_bytes()
    finished = run("-n1", "-a", "config.xml", "-o", str(output), cwd=tmp_path / "sample")
    assert f"Error: {output} is an output of this run, and the text " in finished.misuse
    assert text.read_bytes() == before
