"""Tasks in threads, with results in the order of the tasks; and the number of threads to use.

The compiled core releases the interpreter's lock while it reads, counts and draws, so threads are
enough to use several processors: they start at once, share texts without copies, and work in
processes that may not have children, such as daemons of `multiprocessing`.

**What threads share, and why it is safe.** A task has its own texts, columns, word table and
scores, and while a thread reads, no other uses its cache of stems. Threads share:

- the options, the tokenizer and the corpus, which do not change after the start of a run;
- while records are read, the fields to read, which do not change after the first record, and the
  names of other fields to look for, which are replaced as a whole;
- the stopwords and irregular forms that the core looks up: complete before Python sees them
  (`core_word_list` in module.c), and only read from then on. Caches of stems belong to the forms:
  taking or returning one (`take_stems` in module.c) requires the interpreter's lock or, in Python
  without one, a lock for this purpose;
- caches in Python, such as that of these lists: two threads may both make an entry, and either may
  be kept;
- in C, the factors of the hash tables, which are chosen when the module is loaded, and that lock;
  all other variables outside of functions are constants.

Only the thread that requests results draws tasks from the iterable, which may be a generator.
"""

import os
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import suppress
from functools import lru_cache
from itertools import accumulate, chain, islice
from math import ceil
from queue import Empty, SimpleQueue
from threading import Thread, current_thread
from typing import Any

from rouge_cli.atomic_files import signals_held
from rouge_cli.errors import RougeWarning, is_memory_left

SECONDS_BETWEEN_LOOKS = 0.2
"""Longest wait for an answer. Some signals do not interrupt the wait, because another thread
receives them or the system does not allow it; they are handled after at most this time."""

TASKS_AHEAD = 3
"""Tasks under way per thread or process. More would only take memory."""

BYTES_OF_THREAD = 1 << 26
"""Memory that the C library reserves for a thread, which is more than its stack."""

SECONDS_TO_END = 5.0
"""Longest wait for a thread that was told to end. Slower ones, for instance if a file system does
not answer, are abandoned, and do not delay the exit."""


class PoolThread(Thread):
    """A thread of a pool. The core checks `has_to_end`; see `is_interrupted` in module.c."""

    has_to_end = False


class EndedError(Exception):
    """The results of this thread are no longer needed."""


def end_if_told() -> None:
    """Raise EndedError in a pool thread that has been told to end."""
    if getattr(current_thread(), "has_to_end", False):
        raise EndedError


class ThreadPool:
    """Threads that call one function. Callers must call `end`, also after errors."""

    def __init__(self, function: Callable[[Any], Any]) -> None:
        self._function = function
        self._threads: list[PoolThread] = []
        self._tasks: SimpleQueue[tuple[int, Any] | None] = SimpleQueue()
        self._answers: SimpleQueue[tuple[int, Any, BaseException | None]] = SimpleQueue()

    def start(self, n_threads: int) -> int:
        """Start threads and return their number: fewer, with a warning, if the system refuses."""
        try:
            # A signal between the start of a thread and its entry would hide it from `end`.
            with signals_held():
                for _ in range(n_threads):
                    # Python does not wait for daemon threads at exit.
                    thread = PoolThread(target=self._serve, daemon=True)
                    thread.start()
                    self._threads.append(thread)
        except RuntimeError as error:
            warnings.warn(
                f"{len(self._threads) or 1} instead of {n_threads} threads: no more can be started "
                f"({error})",
                RougeWarning,
                stacklevel=3,
            )
        return len(self._threads)

    def _serve(self) -> None:
        thread = current_thread()
        while (request := self._tasks.get()) is not None:
            number, task = request
            answer: tuple[int, Any, BaseException | None]
            try:
                answer = number, self._function(task), None
            except BaseException as error:
                answer = number, None, error
            del request, task
            if getattr(thread, "has_to_end", False):
                return
            self._answers.put(answer)
            del answer

    def results(self, tasks: Iterable[Any], n_ahead: int) -> Iterator[Any]:
        """Yield the results in order, with up to `n_ahead` tasks under way."""
        numbered = enumerate(tasks)
        arrived: dict[int, tuple[Any, BaseException | None]] = {}
        n_sent = n_yielded = 0
        while True:
            for task in islice(numbered, n_ahead - (n_sent - n_yielded)):
                self._tasks.put(task)
                n_sent += 1
            if n_yielded == n_sent:
                return
            while n_yielded not in arrived:
                number, *answer = self._answer()
                arrived[number] = answer[0], answer[1]
            result, error = arrived.pop(n_yielded)
            if error is not None:
                raise error
            n_yielded += 1
            yield result

    def _answer(self) -> tuple[int, Any, BaseException | None]:
        while True:
            with suppress(Empty):
                return self._answers.get(timeout=SECONDS_BETWEEN_LOOKS)
            if not all(thread.is_alive() for thread in self._threads):
                # Only a lack of memory keeps a thread from answering.
                raise MemoryError

    def end(self) -> None:
        """Tell the threads to end, even in the middle of a task, and wait for them."""
        with signals_held():
            for thread in self._threads:
                thread.has_to_end = True
                self._tasks.put(None)
            for thread in self._threads:
                thread.join(SECONDS_TO_END)
            self._threads.clear()


def mapped(
    function: Callable[[Any], Any], tasks: Iterable[Any], n_threads: int, n_alone: int = 0
) -> Generator[Any, None, None]:
    """Yield the results of tasks in order.

    The calling thread does the first `n_alone` tasks, and all of them if `n_threads` is 1; other
    threads do the rest.
    """
    rest = iter(tasks)
    yield from map(function, rest if n_threads == 1 else islice(rest, n_alone))
    first = list(islice(rest, 1))
    if not first:
        return
    pool = ThreadPool(function)
    # Python would wait forever for a thread that lacks the memory to start.
    has_memory = is_memory_left(n_threads * BYTES_OF_THREAD)
    try:
        if has_memory and pool.start(n_threads):
            yield from pool.results(chain(first, rest), n_threads * TASKS_AHEAD)
        else:
            yield from map(function, chain(first, rest))
    finally:
        pool.end()


# The number of threads. The control groups of a container limit the processor time of its
# processes to a quota for each period. Threads beyond it would only take turns, so the quota limits
# their number as the processors do. Sources: https://docs.kernel.org/admin-guide/cgroup-v2.html,
# "cpu.max"; https://docs.kernel.org/scheduler/sched-bwc.html for version 1.

GROUPS_OF_PROCESS, MOUNTED_GROUPS = "/proc/self/cgroup", "/sys/fs/cgroup"


def usable_processors() -> int:
    """Return the number of processors that this process may use, at least 1."""
    if hasattr(os, "sched_getaffinity"):
        n_processors = len(os.sched_getaffinity(0))
    else:
        n_processors = os.cpu_count() or 1
    if n_processors == 1:
        return 1
    quota = _quota_of_process()
    # A fraction of a processor counts as a whole one.
    return n_processors if quota is None else max(1, min(n_processors, ceil(quota)))


@lru_cache(1)
def _quota_of_process() -> float | None:
    # Cached, since reading takes as long as scoring a pair.
    return processor_quota(GROUPS_OF_PROCESS, MOUNTED_GROUPS)


def processor_quota(groups_of_process: str, mounted_groups: str) -> float | None:
    """Return the number of processors that control groups grant a process; None for no limit.

    `groups_of_process` is the file that lists its groups, `mounted_groups` the folder where the
    control groups are mounted. Parent groups limit the process too.
    """
    try:
        with open(groups_of_process, encoding="utf-8", errors="surrogateescape") as file:
            lines = file.read().splitlines()
    except OSError:
        return None
    quotas = [
        quota
        for line in lines
        for folder, is_second in _folders_of_group(line, mounted_groups)
        if (quota := _quota_in(folder, is_second=is_second)) is not None
    ]
    return min(quotas, default=None)


def _folders_of_group(line: str, mounted_groups: str) -> Iterator[tuple[str, bool]]:
    """Yield the folders of a group and its parents, each with whether it is of version 2.

    A line is ``ID:controllers:path``; version 2 leaves out the controllers. In a container, the
    mounted folder may be that of its own group although the path starts at the root of the machine.
    Then only the mounted folder exists, and it is the right one.
    """
    _, _, group = line.partition(":")
    controllers, has_path, path = group.partition(":")
    if not has_path or (controllers and "cpu" not in controllers.split(",")):
        return
    mounts = ("cpu", controllers) if controllers else ("", "unified")
    steps = [step for step in path.split("/") if step]
    for mount in dict.fromkeys(mounts):
        root = os.path.join(mounted_groups, mount)
        # A path with `..` leads to a group that is invisible to this process.
        for folder in accumulate([root, *([] if ".." in steps else steps)], os.path.join):
            yield folder, not controllers


def _quota_in(folder: str, *, is_second: bool) -> float | None:
    """Return the quota of one group in processors; None without a limit."""
    names = ("cpu.max",) if is_second else ("cpu.cfs_quota_us", "cpu.cfs_period_us")
    try:
        words = []
        for name in names:
            # Not ASCII, whose codec would have to be loaded first: 0.4 ms in a first call.
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                words += file.read().split()
        quota, period = map(int, words)
    except (OSError, ValueError):
        # The file is missing, or has ``max`` for no limit.
        return None
    return quota / period if quota > 0 and period > 0 else None
