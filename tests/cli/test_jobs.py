"""Any number of threads, where the core counts, or of processes, where Python does, prints the same
bytes; an interrupt or a killed worker prints none.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

import rouge_cli
from rouge_cli import threads
from rouge_cli.core import VARIABLE, compiled_core
from rouge_cli.run import pipeline, workers
from rouge_cli.run.workers import ordered_map
from rouge_cli.scores import bootstrap
from tests.cli.parallel import some_texts
from tests.cli.running import ROOT, Run, records_of
from tests.property.sizes import small_batches

GOLDEN = ROOT / "fixtures" / "golden"
CASES = records_of(GOLDEN / "cases.jsonl")
EVERYTHING = ["-n", "3", "-w", "1.2", "-2", "4", "-U", "-d", "-r", "50"]
SECONDS_TO_START, SECONDS_TO_END = 120, 60

compiled = pytest.mark.skipif(compiled_core() is None, reason="the core is not built")
on_linux = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="processes are looked up in /proc"
)


@contextmanager
def everything_spread() -> Iterator[set[tuple[str, int]]]:
    """Make portions small and processes pay; yield the steps that ran, each with its number."""
    steps: set[tuple[str, int]] = set()

    def recorded(function: Any, tasks: Any, jobs: int, *, in_threads: bool = False) -> Any:
        is_bootstrap = getattr(function, "func", None) is bootstrap._sums_of_drawn
        steps.add(("bootstrap" if is_bootstrap else "count", jobs))
        assert compiled_core() is not None or not in_threads
        return ordered_map(function, tasks, jobs, in_threads=in_threads)

    draws = {True: 1, False: 1}
    with (
        small_batches(1, 1, 1),
        patch.multiple(pipeline, INSTANCES_THAT_PAY=1, ordered_map=recorded),
        patch.multiple(bootstrap, DRAWS_THAT_PAY=draws, FEW_VALUES=0, VALUES_AT_A_TIME=1),
    ):
        yield steps


@pytest.mark.parametrize("jobs", ["2", "3"])
@pytest.mark.usefixtures("core")
@pytest.mark.parametrize("case", CASES[5::29], ids=[case["id"] for case in CASES[5::29]])
def test_golden_output(case: dict[str, Any], jobs: str, run: Run) -> None:
    with everything_spread():
        finished = run("--jobs", jobs, *case["args"], cwd=GOLDEN / case["cwd"])
    assert finished.out == (GOLDEN / "expected" / f"{case['id']}.out").read_bytes()
    assert finished.code == 0


@pytest.fixture
def lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Write line files, of which the models have empty texts; return the arguments that score them.

    Warnings come in the order of the texts, whichever process is done first.
    """
    texts = some_texts(15, systems="ab", n_models=2)
    for line in (14, 2, 9, 3):
        texts.peers["a"][line] = texts.models[1][line] = b"-"
    texts.write_lines(tmp_path, b"<q>")
    monkeypatch.chdir(tmp_path)
    return [*EVERYTHING, *texts.arguments("<q>")]


@pytest.mark.parametrize("options", ["-m", "-M -s", "--language de -m", "--tokenizer char"])
def test_workers_that_begin_anew(
    options: str, run: Run, lines: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on macOS and Windows: whatever goes to a worker has to be sent there."""
    arguments = [*lines, *options.split()]
    expected = run("--jobs", "1", *arguments)
    monkeypatch.setattr(workers, "START_METHOD", "spawn")
    monkeypatch.setenv(VARIABLE, "0")
    with everything_spread() as steps:
        found = run("--jobs", "2", *arguments)
    assert (found.out, found.code) == (expected.out, 0)
    assert ("count", 2) in steps


@pytest.mark.usefixtures("core")
@pytest.mark.parametrize("options", ["-m", "-t 1", "-t 1 -w 2", "-t 2", "-s -f B -l 5"])
def test_line_files(options: str, run: Run, lines: list[str]) -> None:
    arguments = [*lines, *options.split()]
    expected = run("--jobs", "1", *arguments)
    with everything_spread() as steps:
        alone, with_two, with_three = (run("--jobs", jobs, *arguments) for jobs in "123")
    assert with_two == with_three == alone
    assert (alone.out, alone.code) == (expected.out, 0)
    assert sorted(alone.err.splitlines()) == sorted(expected.err.splitlines())
    first = "text 3: a, line 3; text 3: model1, line 3; text 4: a, line 4 and "
    assert f"Warning: {first}" in alone.err
    assert {("count", 2), ("count", 3)} <= steps
    # Counts that are no whole numbers are added up in the order drawn, in one process; raw counts
    # are not drawn at all.
    in_one = options in ("-t 1", "-t 2")
    assert [("bootstrap", jobs) in steps for jobs in (2, 3)] == [not in_one] * 2


@pytest.mark.usefixtures("core")
def test_borders_of_the_bootstrap(run: Run, tmp_path: Path) -> None:
    # As many instances and resamples as pay without any patch.
    texts = some_texts(64, n_sentences=1)
    texts.write_lines(tmp_path, b"<q>")
    arguments = ["-n1", "-x", "-r", "270000", *texts.arguments(None)]
    assert max(bootstrap.DRAWS_THAT_PAY.values()) < 64 * 270_000
    alone = run("--jobs", "1", *arguments, cwd=tmp_path)
    assert run("--jobs", "2", *arguments) == alone


@pytest.fixture
def two_processors() -> Iterator[None]:
    with patch.object(pipeline, "usable_processors", lambda: 2):
        yield


@pytest.mark.usefixtures("two_processors")
@pytest.mark.parametrize(
    ("environment", "options", "long", "jobs"),
    [
        # A run of enough instances takes all processors, unless it is told otherwise.
        ((VARIABLE, "0"), [], 1, (2, 2)),
        ((VARIABLE, "0"), [], 40, (1, 2)),
        (("ROUGE_CLI_JOBS", "3"), [], 1, (3, 3)),
        (("ROUGE_CLI_JOBS", "3"), ["--jobs", "2"], 1, (2, 2)),
    ],
)
def test_number_of_jobs(
    environment: tuple[str, str],
    options: list[str],
    long: int,
    jobs: tuple[int, int],
    run: Run,
    lines: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(*environment)
    with everything_spread() as steps, patch.object(pipeline, "INSTANCES_THAT_PAY", long):
        assert run(*lines, *options).code == 0
    assert steps == {("count", jobs[0]), ("bootstrap", jobs[1])}


@compiled
@pytest.mark.usefixtures("two_processors")
def test_threads_on_all_processors_from_some_thousand_pairs_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(VARIABLE, "1")
    used = []
    real = threads.ThreadPool.start

    def start(pool: threads.ThreadPool, n_threads: int) -> int:
        used.append(n_threads)
        return real(pool, n_threads)

    monkeypatch.setattr(threads.ThreadPool, "start", start)

    def used_for(n_texts: int, **options: Any) -> list[int]:
        used.clear()
        texts = ["the cat sat"] * n_texts
        rouge_cli.evaluate(texts, texts, max_ngram=1, **options)
        return used.copy()

    assert used_for(1_000) == []
    assert used_for(40_000, resamples=0) == [2]
    assert used_for(40_000, resamples=1000) == [2, 2]
    assert used_for(40_000, jobs=1) == []
    monkeypatch.setenv("ROUGE_CLI_JOBS", "1")
    assert used_for(40_000) == []
    monkeypatch.setenv("ROUGE_CLI_JOBS", "3")
    assert used_for(40_000, resamples=0) == [3]
    # The argument goes first.
    assert used_for(40_000, resamples=0, jobs=4) == [4]


@pytest.mark.parametrize(
    ("options", "are_threads"),
    [
        ("-n 2 -w 1.2 -2 4 -U", True),
        ("-m -s -b 20", True),
        # Sentences are found before.
        ("--sentences en", True),
        # Here Python finds the words, or the matches.
        ("--tokenizer unicode", False),
        ("--add metric:bleu", False),
        ("--protocol rouge-score", False),
    ],
)
@compiled
def test_processes_where_python_does_the_work(
    options: str, are_threads: bool, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, "1")
    texts = some_texts(9)
    texts.write_lines(tmp_path, b"<q>")
    found = []

    def recorded(function: Any, tasks: Any, jobs: int, *, in_threads: bool = False) -> Any:
        if getattr(function, "func", None) is not bootstrap._sums_of_drawn:
            found.append(in_threads)
        return ordered_map(function, tasks, jobs, in_threads=in_threads)

    arguments = texts.arguments(None if "--sentences" in options else "<q>")
    with patch.object(pipeline, "ordered_map", recorded):
        finished = run("--jobs", "2", *options.split(), *arguments, cwd=tmp_path)
    assert (finished.code, found) == (0, [are_threads])


def test_one_process_in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "0")
    texts = ["a b", "c d", "e f"]
    references = [["a x"], ["c d"], ["e e"]]
    with everything_spread() as steps:
        rouge_cli.evaluate(texts, references)
    assert steps == {("count", 1), ("bootstrap", 1)}
    with everything_spread() as steps:
        found = rouge_cli.evaluate(texts, references, jobs=2)
    assert steps == {("count", 2), ("bootstrap", 2)}
    expected = rouge_cli.evaluate(texts, references)
    assert found["ROUGE-L"].recall.mean == expected["ROUGE-L"].recall.mean
    assert found["ROUGE-L"].recall.interval == expected["ROUGE-L"].recall.interval


def processes_of_group(group: int) -> set[int]:
    found = set()
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = path.read_text("utf-8", "replace").rpartition(")")[2].split()
            if int(fields[2]) == group:
                found.add(int(path.parent.name))
    return found


def write_long(folder: Path, n_lines: int, n_words: int) -> list[str]:
    """Write line files with so many lines of so many words; return the options that name them."""
    words = [b"w%d" % (k * k % 97) for k in range(n_words)]
    (folder / "p").write_bytes((b" ".join(words) + b"\n") * n_lines)
    (folder / "m").write_bytes((b" ".join(words[::-1]) + b"\n") * n_lines)
    return ["--peer-lines", "p", "--model-lines", "m"]


@contextmanager
def long_run(
    folder: Path, step: str, core: str = "0"
) -> Iterator[tuple["subprocess.Popen[bytes]", set[int]]]:
    """Start a run that is long in counting, or in the bootstrap; yield it and its workers.

    With the core these are threads, without it processes.
    """
    if step == "counting":
        arguments = ["-w", "1.2", "-2", "-1", "-n", "4", *write_long(folder, 8000, 500)]
    else:
        arguments = ["-n", "1", "-r", "10000000", *write_long(folder, 4000, 2)]
    with subprocess.Popen(
        [sys.executable, "-m", "rouge_cli", "--jobs", "2", *arguments],
        cwd=folder,
        # Threads of the linear algebra would be taken for those of the run.
        env={**os.environ, "PYTHONPATH": str(ROOT), VARIABLE: core, "OPENBLAS_NUM_THREADS": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        try:
            yield process, workers_of(process, are_threads=core == "1")
        finally:
            for pid in processes_of_group(process.pid):
                os.kill(pid, signal.SIGKILL)
            for name in ("p", "m"):
                (folder / name).unlink()


def workers_of(process: "subprocess.Popen[bytes]", *, are_threads: bool) -> set[int]:
    def current() -> set[int]:
        if not are_threads:
            return processes_of_group(process.pid) - {process.pid}
        tasks = Path(f"/proc/{process.pid}/task")
        return {int(path.name) for path in tasks.glob("*")} - {process.pid}

    deadline = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < deadline:
        assert process.poll() is None, "the run was too short"
        workers = current()
        time.sleep(0.4)
        # Those of the bootstrap are not those of the counting, which may still be about.
        if len(workers) == 2 and workers <= current():
            return workers
    pytest.fail("no workers")


INTERRUPTED = "Interrupted: nothing is printed.\n"
KILLED = (
    "Error: worker process {} was killed by SIGKILL, perhaps for want of memory; try --jobs 1\n"
)


@on_linux
@pytest.mark.parametrize("step", ["counting", "bootstrap"])
@pytest.mark.parametrize(
    ("to", "number", "code", "said"),
    [
        ("group", signal.SIGINT, 130, INTERRUPTED),
        ("process", signal.SIGINT, 130, INTERRUPTED),
        ("process", signal.SIGTERM, 143, ""),
        ("worker", signal.SIGKILL, 3, KILLED),
        # Its workers end too; they would otherwise wait for ever, and hold its pipes open.
        ("process", signal.SIGKILL, -signal.SIGKILL, ""),
    ],
)
def test_ended_by_a_signal(
    to: str, number: int, code: int, said: str, step: str, tmp_path: Path
) -> None:
    with long_run(tmp_path, step) as (process, workers):
        worker = min(workers)
        if to == "group":
            os.killpg(process.pid, number)
        else:
            os.kill(worker if to == "worker" else process.pid, number)
        out, err = process.communicate(timeout=SECONDS_TO_END)
        assert (process.returncode, out, err.decode()) == (code, b"", said.format(worker))
        deadline = time.monotonic() + SECONDS_TO_END * (code < 0)
        while processes_of_group(process.pid) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert processes_of_group(process.pid) == set()


@compiled
@on_linux
@pytest.mark.parametrize("step", ["counting", "bootstrap"])
def test_interrupted_threads(step: str, tmp_path: Path) -> None:
    with long_run(tmp_path, step, "1") as (process, _):
        before = time.monotonic()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=SECONDS_TO_END)
        assert (process.returncode, out, err.decode()) == (130, b"", INTERRUPTED)
        # Threads end when they are told; so many seconds are for those that cannot.
        assert time.monotonic() - before < threads.SECONDS_TO_END
