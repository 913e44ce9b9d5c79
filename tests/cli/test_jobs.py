"""Any number of threads, where the core counts, or of processes, where Python does, prints the same
bytes; an interrupt or a killed worker prints none.
"""

import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
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
JOBS = pytest.mark.parametrize("jobs", ["2", "3"])
EVERYTHING = ["-n", "3", "-w", "1.2", "-2", "4", "-U", "-d", "-r", "50"]
LINE_OPTIONS = [
    ["-m"],
    ["-t", "1"],
    ["-t", "1", "-w", "2"],
    ["-t", "2"],
    ["-s", "-f", "B", "-l", "5"],
]
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

    with ExitStack() as patches:
        patches.enter_context(small_batches(1, 1, 1))
        for module, name, value in [
            (pipeline, "INSTANCES_THAT_PAY", 1),
            (pipeline, "ordered_map", recorded),
            (bootstrap, "DRAWS_THAT_PAY", {True: 1, False: 1}),
            (bootstrap, "FEW_VALUES", 0),
            (bootstrap, "VALUES_AT_A_TIME", 1),
        ]:
            patches.enter_context(patch.object(module, name, value))
        yield steps


@JOBS
@pytest.mark.usefixtures("core")
@pytest.mark.parametrize("case", CASES[5::29], ids=[case["id"] for case in CASES[5::29]])
def test_golden_output(case: dict[str, Any], jobs: str, run: Run) -> None:
    with everything_spread():
        finished = run("--jobs", jobs, *case["args"], cwd=GOLDEN / case["cwd"])
    assert finished.out == (GOLDEN / "expected" / f"{case['id']}.out").read_bytes()
    assert finished.code == 0


def test_workers_that_begin_anew(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on macOS and Windows: whatever goes to a worker has to be sent there."""
    texts = some_texts(15, systems="ab", n_models=2)
    texts.write_lines(tmp_path, b"<q>")
    arguments = [*EVERYTHING, "-m", *texts.arguments("<q>")]
    expected = run("--jobs", "1", *arguments, cwd=tmp_path)
    monkeypatch.setattr(workers, "START_METHOD", "spawn")
    monkeypatch.setenv(VARIABLE, "0")
    with everything_spread() as steps:
        found = run("--jobs", "2", *arguments)
    assert (found.out, found.code) == (expected.out, 0)
    assert ("count", 2) in steps


def sent(thing: Any) -> Any:
    return pickle.loads(pickle.dumps(thing))


@pytest.mark.parametrize(
    "options", [["-M", "-s"], ["--language", "de", "-m"], ["--tokenizer", "char"]], ids=" ".join
)
def test_all_can_be_sent(
    options: list[str], run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without processes, whose start takes most of the time."""
    texts = some_texts(15, systems="ab", n_models=2)
    texts.write_lines(tmp_path, b"<q>")
    arguments = [*EVERYTHING, *options, *texts.arguments("<q>")]
    expected = run("--jobs", "1", *arguments, cwd=tmp_path)

    def sending_map(function: Any, tasks: Any, jobs: int, **_: bool) -> Iterator[Any]:
        del jobs
        arrived = sent(function)
        return (sent(arrived(sent(task))) for task in tasks)

    with everything_spread():
        monkeypatch.setattr(pipeline, "ordered_map", sending_map)
        found = run("--jobs", "2", *arguments)
    assert (found.out, found.code) == (expected.out, 0)


@pytest.mark.usefixtures("core")
@pytest.mark.parametrize("options", LINE_OPTIONS, ids=" ".join)
def test_line_files(options: list[str], run: Run, tmp_path: Path) -> None:
    texts = some_texts(15, systems="ab", n_models=2)
    # Warnings come in the order of the texts, whichever process is done first.
    for line in (14, 2, 9, 3):
        texts.peers["a"][line] = texts.models[1][line] = b"-"
    texts.write_lines(tmp_path, b"<q>")
    arguments = [*EVERYTHING, *options, *texts.arguments("<q>")]
    expected = run("--jobs", "1", *arguments, cwd=tmp_path)
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
    in_one = options in (["-t", "1"], ["-t", "2"])
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
def test_all_processors_for_long_runs(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, "0")
    texts = some_texts(9)
    texts.write_lines(tmp_path, b"<q>")
    with everything_spread() as steps:
        run(*texts.arguments("<q>"), cwd=tmp_path)
    assert steps == {("count", 2), ("bootstrap", 2)}
    with everything_spread() as steps, patch.object(pipeline, "INSTANCES_THAT_PAY", 10):
        run(*texts.arguments("<q>"))
    assert steps == {("count", 1), ("bootstrap", 2)}


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
    few, enough = (["the cat sat"] * n for n in (1000, 40_000))
    rouge_cli.evaluate(few, few, max_ngram=1)
    assert used == []
    rouge_cli.evaluate(enough, enough, max_ngram=1, resamples=0)
    assert used == [2]
    rouge_cli.evaluate(enough, enough, max_ngram=1, resamples=1000)
    assert used == [2, 2, 2]
    rouge_cli.evaluate(enough, enough, max_ngram=1, jobs=1)
    monkeypatch.setenv("ROUGE_CLI_JOBS", "1")
    rouge_cli.evaluate(enough, enough, max_ngram=1)
    assert used == [2, 2, 2]
    monkeypatch.setenv("ROUGE_CLI_JOBS", "3")
    rouge_cli.evaluate(enough, enough, max_ngram=1, resamples=0)
    # The argument goes first.
    rouge_cli.evaluate(enough, enough, max_ngram=1, resamples=0, jobs=4)
    assert used == [2, 2, 2, 3, 4]


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


def test_jobs_of_the_environment(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = some_texts(9)
    texts.write_lines(tmp_path, b"<q>")
    expected = run(*texts.arguments("<q>"), cwd=tmp_path)
    monkeypatch.setenv("ROUGE_CLI_JOBS", "3")
    with everything_spread() as steps:
        assert run(*texts.arguments("<q>")).out == expected.out
    assert steps == {("count", 3), ("bootstrap", 3)}
    with everything_spread() as steps:
        run(*texts.arguments("<q>"), "--jobs", "2")
    assert steps == {("count", 2), ("bootstrap", 2)}
    monkeypatch.setenv("ROUGE_CLI_JOBS", "many")
    finished = run("--jobs", "1", *texts.arguments("<q>"))
    message = "Error: ROUGE_CLI_JOBS: found 'many', expected a whole number from 1 to 1000"
    assert (finished.error_lines, finished.code, finished.out) == ([message], 2, b"")


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


def processes_of_group(group: int) -> list[int]:
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text("utf-8", "replace").rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[2]) == group:
            found.append(int(path.parent.name))
    return found


def write_long(folder: Path, n_lines: int, n_words: int) -> list[str]:
    """Write line files with so many lines of so many words; return the options that name them."""
    words = [b"w%d" % (k * k % 97) for k in range(n_words)]
    for name in ("p", "m"):
        (folder / name).write_bytes((b" ".join(words) + b"\n") * n_lines)
        words.reverse()
    return ["--peer-lines", "p", "--model-lines", "m"]


@contextmanager
def long_run(
    folder: Path, step: str, core: str = "0"
) -> Iterator[tuple["subprocess.Popen[bytes]", list[int]]]:
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
            yield process, workers_of(process, step, threads_of if core == "1" else children_of)
        finally:
            for pid in processes_of_group(process.pid):
                os.kill(pid, signal.SIGKILL)
            for name in ("p", "m"):
                (folder / name).unlink()


def children_of(process: int) -> list[int]:
    return [pid for pid in processes_of_group(process) if pid != process]


def threads_of(process: int) -> list[int]:
    try:
        numbers = [int(path.name) for path in Path(f"/proc/{process}/task").iterdir()]
    except OSError:
        return []
    return [number for number in numbers if number != process]


def workers_of(
    process: "subprocess.Popen[bytes]", step: str, workers_of_process: Callable[[int], list[int]]
) -> list[int]:
    deadline = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < deadline:
        assert process.poll() is None, "the run was too short"
        workers = set(workers_of_process(process.pid))
        time.sleep(0.4)
        # Those of the bootstrap are not those of the counting, which may still be about.
        if len(workers) == 2 and workers <= set(workers_of_process(process.pid)):
            return sorted(workers)
    pytest.fail(f"no workers for {step}")


@on_linux
@pytest.mark.parametrize("step", ["counting", "bootstrap"])
@pytest.mark.parametrize(
    ("wanted", "reaches_all"),
    # With threads, the group is the process.
    [("0", True), ("0", False), pytest.param("1", False, marks=compiled)],
    ids=["python-group", "python-process", "compiled"],
)
def test_interrupt(wanted: str, step: str, reaches_all: bool, tmp_path: Path) -> None:
    with long_run(tmp_path, step, wanted) as (process, workers):
        before = time.monotonic()
        if reaches_all:
            os.killpg(process.pid, signal.SIGINT)
        else:
            process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=SECONDS_TO_END)
        assert (out, process.returncode) == (b"", 130)
        assert err == b"Interrupted: nothing is printed.\n"
        assert not set(workers) & set(processes_of_group(process.pid))
        assert processes_of_group(process.pid) == []
        # Threads end when they are told; so many seconds are for those that cannot.
        assert wanted == "0" or time.monotonic() - before < threads.SECONDS_TO_END


@on_linux
@pytest.mark.parametrize("step", ["counting", "bootstrap"])
def test_killed_worker(step: str, tmp_path: Path) -> None:
    with long_run(tmp_path, step) as (process, workers):
        os.kill(workers[0], signal.SIGKILL)
        out, err = process.communicate(timeout=SECONDS_TO_END)
        assert (out, process.returncode) == (b"", 3)
        assert err.decode() == (
            f"Error: worker process {workers[0]} was killed by SIGKILL, perhaps for want of "
            "memory; try --jobs 1\n"
        )
        assert processes_of_group(process.pid) == []


@on_linux
def test_killed_parent(tmp_path: Path) -> None:
    # Its workers end too; they would otherwise wait for ever, and hold its pipes open.
    with long_run(tmp_path, "counting") as (process, _):
        process.kill()
        out, _ = process.communicate(timeout=SECONDS_TO_END)
        assert out == b""
        deadline = time.monotonic() + SECONDS_TO_END
        while processes_of_group(process.pid) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert processes_of_group(process.pid) == []
