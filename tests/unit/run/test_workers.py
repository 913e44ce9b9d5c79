"""Work in several processes: in order, a little ahead, and without a hang when something fails."""

import errno
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from rouge_cli.errors import InputError, OptionError, RougeError, RougeWarning
from rouge_cli.run import workers
from rouge_cli.run.workers import ordered_map
from rouge_cli.threads import TASKS_AHEAD

JOBS = pytest.mark.parametrize("jobs", [1, 2, 3])
PROCESSES = pytest.mark.parametrize("jobs", [2, 3])
IN_THREADS = pytest.mark.parametrize("in_threads", [False, True], ids=["processes", "threads"])
SECONDS_AT_MOST = 120


@pytest.fixture(autouse=True)
def _nothing_hangs_or_stays() -> Iterator[None]:
    """Fail a test that takes too long, or leaves a process behind."""
    before = time.monotonic()
    yield
    assert time.monotonic() - before < SECONDS_AT_MOST
    assert multiprocessing.active_children() == []


# What workers call; module level, so that it can be sent to them.


def tenfold(task: int) -> int:
    return task * 10


def slowest_first(task: int) -> int:
    time.sleep(0.02 * max(0, 5 - task))
    return task


def slowest_first_with_id(task: int) -> tuple[int, int]:
    return slowest_first(task), os.getpid()


def process_id(task: int) -> int:
    time.sleep(0.05)
    return os.getpid()


def slow(task: int) -> int:
    time.sleep(0.05)
    return task


def fail_at_three(task: int) -> int:
    if task == 3:
        raise InputError(["text 3: one", "text 3: two"])
    return task


def divide(task: int) -> float:
    return 1 / task


def leave(how: int) -> None:
    os._exit(how)


def leave_somebody_behind(seconds: float) -> None:
    if os.fork() == 0:
        time.sleep(seconds)
        os._exit(0)
    os._exit(7)


def kill_itself(task: int) -> int:
    if task == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return task


def twice(task: bytes) -> bytes:
    return task * 2


def sleep(task: float) -> None:
    time.sleep(task)


def dies_of_a_signal(task: int) -> None:
    os.kill(os.getpid(), task)


@JOBS
@IN_THREADS
@pytest.mark.parametrize("n_tasks", [0, 1, 2, 12])
def test_results_are_in_order(n_tasks: int, in_threads: bool, jobs: int) -> None:
    found = ordered_map(slowest_first, range(n_tasks), jobs, in_threads=in_threads)
    assert list(found) == list(range(n_tasks))


def test_one_job_or_task_is_done_here() -> None:
    assert set(ordered_map(process_id, range(2), 1)) == {os.getpid()}
    assert list(ordered_map(process_id, range(1), 9)) == [os.getpid()]


def test_no_more_processes_than_tasks() -> None:
    # A thousand would take seconds to start.
    results = ordered_map(slow, range(3), 1000)
    assert next(results) == 0
    assert len(multiprocessing.active_children()) <= 3
    assert list(results) == [1, 2]


def test_several_are_done_elsewhere() -> None:
    found = set(ordered_map(process_id, range(8), 2))
    assert os.getpid() not in found
    assert len(found) == 2


@JOBS
@IN_THREADS
def test_tasks_are_taken_a_few_ahead_and_by_the_thread_that_asks(
    in_threads: bool, jobs: int
) -> None:
    taken_by = []

    def tasks() -> Iterator[int]:
        for task in range(100):
            taken_by.append(threading.current_thread())
            yield task

    for n_done, _ in enumerate(ordered_map(tenfold, tasks(), jobs, in_threads=in_threads), 1):
        assert n_done <= len(taken_by) <= n_done + jobs * TASKS_AHEAD
    assert set(taken_by) == {threading.current_thread()}


@PROCESSES
def test_nothing_is_taken_before_it_is_asked_for(jobs: int) -> None:
    tasks = iter(range(3))
    ordered_map(tenfold, tasks, jobs)
    assert next(tasks) == 0


@PROCESSES
def test_whoever_stops_asking_leaves_no_process(jobs: int) -> None:
    results = ordered_map(sleep, [0, *[60.0] * 20], jobs)
    assert next(results) is None
    results.close()  # type: ignore[attr-defined]


@JOBS
def test_an_error_arrives_as_it_was_raised(jobs: int) -> None:
    results = ordered_map(fail_at_three, range(20), jobs)
    assert [next(results) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(InputError) as caught:
        next(results)
    assert caught.value.problems == ("text 3: one", "text 3: two")


@JOBS
def test_an_error_that_is_a_bug_arrives_too(jobs: int) -> None:
    with pytest.raises(ZeroDivisionError):
        list(ordered_map(divide, [1, 0, 2], jobs))


@JOBS
@IN_THREADS
def test_an_error_of_the_tasks_arrives(in_threads: bool, jobs: int) -> None:
    def tasks() -> Iterator[int]:
        yield 1
        raise InputError("no more")

    with pytest.raises(InputError, match="no more"):
        list(ordered_map(tenfold, tasks(), jobs, in_threads=in_threads))


@pytest.mark.parametrize(
    "error", [InputError(["one", "two"]), InputError("one"), OptionError("x"), RougeError("y")]
)
def test_errors_can_be_sent(error: RougeError) -> None:
    sent = pickle.loads(pickle.dumps(error))
    assert type(sent) is type(error)
    assert str(sent) == str(error)
    assert getattr(sent, "problems", None) == getattr(error, "problems", None)


# With as many tasks as workers, nothing is left to be sent to them, which would fail first.
@PROCESSES
@pytest.mark.parametrize("n_more", [0, 3])
@pytest.mark.parametrize(
    ("function", "task", "how"),
    [
        (leave, 7, "ended with exit code 7"),
        (leave, 0, "ended before its work was done"),
        (leave, errno.ENOMEM, "ended for want of memory"),
        (dies_of_a_signal, signal.SIGKILL, "was killed by SIGKILL, perhaps for want of memory"),
        (dies_of_a_signal, signal.SIGUSR1, "was killed by SIGUSR1"),
        (dies_of_a_signal, signal.SIGRTMIN + 3, f"was killed by signal {signal.SIGRTMIN + 3}"),
    ],
)
def test_a_worker_that_ends(
    function: Callable[[int], None], task: int, how: str, n_more: int, jobs: int
) -> None:
    with pytest.raises(RougeError, match=rf"^worker process \d+ {how}; try --jobs 1$"):
        list(ordered_map(function, [task] * (jobs + n_more), jobs))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_worker_that_ends_and_leaves_the_link_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "SECONDS_BETWEEN_LOOKS", 0.1)
    before = time.monotonic()
    with pytest.raises(RougeError, match=r"^worker process \d+ ended with exit code 7; try "):
        list(ordered_map(leave_somebody_behind, [30.0, 30.0], 2))
    assert time.monotonic() - before < 30


def send_much(task: int) -> bytes:
    if task == 2:
        threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGKILL)).start()
    return bytes(1 << 24)


@PROCESSES
def test_a_worker_that_is_killed_while_it_sends(jobs: int) -> None:
    # More than the link holds, so that it waits for the rest to be read.
    with pytest.raises(RougeError, match="was killed by SIGKILL"):
        list(map(slow, map(len, ordered_map(send_much, range(50), jobs))))


@PROCESSES
def test_much_in_both_directions(jobs: int) -> None:
    # Neither side waits for the other to read, while that one waits for it.
    tasks = [bytes([number]) * (1 << 22) for number in range(20)]
    assert [len(one) for one in ordered_map(twice, tasks, jobs)] == [1 << 23] * 20


@PROCESSES
def test_signals_that_end_a_run_are_no_business_of_a_worker(jobs: int) -> None:
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        assert list(ordered_map(dies_of_a_signal, [number] * 9, jobs)) == [None] * 9


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("step", ["fork", "bootstrap"])
def test_a_signal_while_workers_start(
    number: signal.Signals, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Raised within a fork, it would be lost.
    raised = []

    def handle(*_: object) -> None:
        raised.append(True)
        raise KeyboardInterrupt

    before = signal.signal(number, handle)
    own = os.getpid()
    real_fork = os.fork

    def fork() -> int:
        os.kill(own, number)
        return real_fork()

    if step == "fork":
        monkeypatch.setattr(os, "fork", fork)
    else:
        os.register_at_fork(before=partial(_kill_once, [own], number))
    try:
        with pytest.raises(KeyboardInterrupt):
            list(ordered_map(tenfold, range(20), 2))
    finally:
        signal.signal(number, before)
    assert raised == [True]
    assert signal.getsignal(number) is before


def _kill_once(left: list[int], number: int) -> None:
    if left and left.pop() == os.getpid():
        os.kill(os.getpid(), number)


@pytest.mark.parametrize("n_started", [0, 1, 2])
def test_no_more_processes_to_be_had(n_started: int, monkeypatch: pytest.MonkeyPatch) -> None:
    real_fork, n_forks = os.fork, 0

    def fork() -> int:
        nonlocal n_forks
        n_forks += 1
        if n_forks > n_started:
            raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")
        return real_fork()

    monkeypatch.setattr(os, "fork", fork)
    left = max(1, n_started) if n_started != 1 else 1
    problem = f"{left} instead of 3 processes: no more can be started .Resource temporarily"
    with pytest.warns(RougeWarning, match=problem):
        assert list(ordered_map(tenfold, range(9), 3)) == [10 * k for k in range(9)]
    assert (n_started == 2) is (n_forks == 3)


def test_whoever_forgets_them_can_still_end() -> None:
    # The traceback of an error holds the generator, and so its workers, until the very end.
    program = """
import sys
from rouge_cli.run.workers import ordered_map
results = ordered_map(len, ["a"] * 99, 2)
sys.results = results
print(next(results))
raise KeyError
"""
    finished = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])},
        capture_output=True,
        timeout=SECONDS_AT_MOST,
        check=False,
    )
    assert (finished.stdout, finished.returncode) == (b"1\n", 1)


# Where a process begins anew, as on macOS and Windows.


@pytest.fixture
def _anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "START_METHOD", "spawn")


@pytest.mark.usefixtures("_anew")
def test_results_of_workers_that_begin_anew_are_in_order() -> None:
    tasks, processes = zip(*ordered_map(slowest_first_with_id, range(12), 2), strict=True)
    assert tasks == tuple(range(12))
    assert os.getpid() not in processes
    assert len(set(processes)) == 2


@pytest.mark.usefixtures("_anew")
def test_workers_that_begin_anew_fail_are_killed_and_are_left_alone() -> None:
    with pytest.raises(InputError) as caught:
        list(ordered_map(fail_at_three, range(9), 2))
    assert caught.value.problems == ("text 3: one", "text 3: two")
    with pytest.raises(RougeError, match=r"worker process [0-9]+ was killed by SIGKILL"):
        list(ordered_map(kill_itself, range(9), 2))
    results = ordered_map(slow, range(50), 2)
    assert next(results) == 0
    results.close()  # type: ignore[attr-defined]
