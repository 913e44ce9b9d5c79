"""Work in several threads: like processes, but nothing is sent, and no worker can be killed."""

import multiprocessing
import os
import threading
import time
from collections.abc import Callable, Iterator
from threading import Event, Thread, current_thread
from typing import Any

import numpy as np
import pytest

import rouge_cli
from rouge_cli import threads
from rouge_cli.core import compiled_core
from rouge_cli.errors import InputError, RougeWarning
from rouge_cli.run.workers import ordered_map
from rouge_cli.threads import EndedError, PoolThread, end_if_told
from tests.cli.running import python

THREADS = pytest.mark.parametrize("jobs", [2, 3])
SECONDS_AT_MOST = 60

compiled = pytest.mark.skipif(compiled_core() is None, reason="the core is not built")


@pytest.fixture(autouse=True)
def _nothing_hangs_or_stays() -> Iterator[None]:
    """Fail a test that takes too long, or leaves a thread behind."""
    start, before = time.monotonic(), threading.active_count()
    yield
    assert time.monotonic() - start < SECONDS_AT_MOST
    assert threading.active_count() == before


def mapped(function: Callable[[Any], Any], tasks: Any, jobs: int) -> Iterator[Any]:
    return ordered_map(function, tasks, jobs, in_threads=True)


def slowest_first(task: int) -> int:
    time.sleep(0.02 * max(0, 5 - task))
    return task


@THREADS
def test_threads_of_this_process_work_at_once(jobs: int) -> None:
    barrier = threading.Barrier(jobs)

    def meet(task: int) -> tuple[int, Thread]:
        barrier.wait(SECONDS_AT_MOST)
        return os.getpid(), current_thread()

    processes, workers = map(set, zip(*mapped(meet, range(jobs), jobs), strict=True))
    assert processes == {os.getpid()}
    assert len(workers) == jobs
    assert current_thread() not in workers


def test_no_thread_for_one_task_or_one_job() -> None:
    assert list(mapped(lambda _: current_thread(), range(1), 9)) == [current_thread()]
    assert set(mapped(lambda _: current_thread(), range(9), 1)) == {current_thread()}


class UnpicklableError(Exception):
    """An error that no pickle can hold."""

    def __init__(self, lock: Any) -> None:
        super().__init__("odd")
        self.lock = lock


@THREADS
def test_an_error_arrives_as_it_was_raised(jobs: int) -> None:
    errors = {3: InputError("EVAL 3"), 5: UnpicklableError(threading.Lock())}

    def fail(task: int) -> int:
        if task in errors:
            raise errors[task]
        time.sleep(0.01 * (7 - task))
        return task

    results = mapped(fail, range(20), jobs)
    assert [next(results) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(InputError) as caught:
        next(results)
    assert caught.value is errors[3]
    with pytest.raises(UnpicklableError):
        list(mapped(fail, [5, 6], jobs))


@THREADS
def test_whoever_stops_asking_leaves_no_thread(jobs: int) -> None:
    is_under_way = Event()

    def work(task: int) -> int:
        if task:
            is_under_way.set()
            for _ in range(10_000):
                # As the blocks of a portion do.
                end_if_told()
                time.sleep(0.001)
        return task

    results = mapped(work, range(20), jobs)
    assert next(results) == 0
    is_under_way.wait()
    before = time.monotonic()
    results.close()  # type: ignore[attr-defined]
    assert time.monotonic() - before < 5


def test_only_threads_that_were_told_to_end_do() -> None:
    end_if_told()
    raised = []

    def look() -> None:
        try:
            end_if_told()
        except EndedError:
            raised.append(current_thread())

    for has_to_end in (False, True):
        thread = PoolThread(target=look)
        thread.has_to_end = has_to_end
        thread.start()
        thread.join()
    assert raised == [thread]


@compiled
def test_the_core_ends_in_the_middle_of_its_work() -> None:
    # By itself it would take a minute or two.
    n_tokens = 2_000_000
    texts = np.array([0, n_tokens], np.int64), np.array([0, 1], np.int64)
    sides = [
        (np.arange(n_tokens, dtype=np.int32)[::step] % 1000, *texts, np.zeros(1, np.int64))
        for step in (1, -1)
    ]
    is_under_way = Event()
    core = compiled_core()

    def count(task: int) -> int:
        if task:
            columns = [(np.ascontiguousarray(types), *rest) for types, *rest in sides]
            pairs = core.match_pairs(*columns, 1000)
            is_under_way.set()
            core.count_pairwise_lcs(pairs, np.zeros(1, np.int64), np.zeros(1, np.int64))
        return task

    results = mapped(count, range(3), 2)
    assert next(results) == 0
    is_under_way.wait()
    time.sleep(0.3)
    before = time.monotonic()
    results.close()  # type: ignore[attr-defined]
    # `threads.SECONDS_TO_END` later it would be left to itself.
    assert time.monotonic() - before < 4


@pytest.mark.parametrize("n_started", [0, 1, 2])
def test_no_more_threads_to_be_had(n_started: int, monkeypatch: pytest.MonkeyPatch) -> None:
    real_start, n_starts = Thread.start, 0

    def start(thread: Thread) -> None:
        nonlocal n_starts
        n_starts += 1
        if n_starts > n_started:
            raise RuntimeError("can't start new thread")
        real_start(thread)

    monkeypatch.setattr(PoolThread, "start", start)
    with pytest.warns(RougeWarning, match=f"^{n_started or 1} instead of 3 threads: no more can "):
        assert list(mapped(slowest_first, range(9), 3)) == list(range(9))


def test_a_thread_that_is_gone_leaves_nobody_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "SECONDS_BETWEEN_LOOKS", 0.02)
    monkeypatch.setattr(threads.ThreadPool, "_serve", lambda _: None)
    with pytest.raises(MemoryError):
        list(mapped(str, range(9), 2))


def lines() -> tuple[list[str], list[str]]:
    texts = [f"word{k % 7} sat on mat{k % 11} . the end{k % 5}" for k in range(3000)]
    return texts, texts[::-1]


def _score_in_child(answers: Any) -> None:
    results = rouge_cli.evaluate(*lines(), max_ngram=1, jobs=2)
    answers.send(results.to_json())
    answers.close()


@compiled
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_daemon_may_score_with_all_processors() -> None:
    # A daemon of multiprocessing may have no processes of its own.
    expected = rouge_cli.evaluate(*lines(), max_ngram=1, jobs=1).to_json()
    context = multiprocessing.get_context("fork")
    ours, answers = context.Pipe()
    child = context.Process(target=_score_in_child, args=(answers,), daemon=True)
    child.start()
    answers.close()
    assert ours.recv() == expected
    child.join()


@compiled
def test_long_pairs_are_read_at_once_and_as_short_ones() -> None:
    core = compiled_core()
    line = b"the cat sat on the mat\n"

    def read(n_lines: int) -> tuple[int, int]:
        n_peer, n_model = core.count_pair(None, None, 0, *[False] * 3, line * n_lines, line)
        return n_peer, n_model

    numbers = [1, 1000, 2000, 100_000, 3, 50_000, 4000]
    assert list(mapped(read, numbers, 3)) == [(6 * n, 6) for n in numbers]


WAITING = """
import time
from rouge_cli.run.workers import ordered_map
kept = ordered_map(lambda task: time.sleep(task), [0, 60, 60], 2, in_threads=True)
next(kept)
if {raises}:
    raise SystemExit(7)
"""


@pytest.mark.parametrize(("raises", "code"), [(False, 0), (True, 7)])
def test_a_thread_that_hears_nothing_does_not_hold_up_the_exit(raises: bool, code: int) -> None:
    before = time.monotonic()
    done = python("-c", WAITING.format(raises=raises))
    assert (done.returncode, done.stderr) == (code, b"")
    assert time.monotonic() - before < 30


@pytest.mark.parametrize("n_threads", [1, 2, 3])
@pytest.mark.parametrize("n_tasks", [0, 3, 4, 40])
def test_the_first_tasks_are_those_of_this_thread(n_tasks: int, n_threads: int) -> None:
    def thread_of(task: int) -> tuple[int, bool]:
        return task, isinstance(current_thread(), PoolThread)

    results = list(threads.mapped(thread_of, range(n_tasks), n_threads, 3))
    in_threads = [n_threads > 1 and task >= 3 for task in range(n_tasks)]
    assert results == list(enumerate(in_threads))
