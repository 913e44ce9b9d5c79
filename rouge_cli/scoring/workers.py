"""Spread work over processes; the results come in order, whatever the number of processes."""

import os
import signal
import sys
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any, TypeVar

from rouge_cli.errors import RougeError
from rouge_cli.scoring.memory import keep_freed_memory

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

__all__ = ["ordered_map"]

Task = TypeVar("Task")
Result = TypeVar("Result")

AHEAD = 3
"""Tasks under way for each process; more would only hold memory."""

_submitting = Lock()

_function: Callable[[Any], Any] | None = None
"""In a worker: what it was started for. Sent once, so that it may remember from task to task."""


def ordered_map(
    function: Callable[[Task], Result], tasks: Iterable[Task], jobs: int
) -> Iterator[Result]:
    """Yield the result of each task, in order.

    Parameters
    ----------
    function : callable
        Has to be picklable if `jobs` is above 1, as tasks and results have to be.
    tasks : iterable
        Taken a few at a time.
    jobs : int
        Number of processes, or fewer if there are fewer tasks; one is this one.

    Raises
    ------
    RougeError
        If a process is killed. An exception of `function` arrives as it was raised.
    """
    tasks = iter(tasks)
    first_tasks = list(islice(tasks, jobs))
    tasks = chain(first_tasks, tasks)
    if len(first_tasks) <= 1:
        yield from map(function, tasks)
        return
    # Imported late: most runs need no second process.
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    # A fork is the cheapest start, and safe on Linux; elsewhere a process begins anew.
    context = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
    executor = ProcessPoolExecutor(len(first_tasks), context, _start, (function,))
    try:
        yield from _results(executor, tasks, jobs * AHEAD)
    except BrokenProcessPool:
        raise RougeError(
            "a worker process was killed, perhaps for want of memory; try --jobs 1"
        ) from None
    except BaseException:
        # Interrupted, or no longer wanted: what is under way would be in vain. Not every child is
        # meant: other threads may have processes too.
        for process in list((executor._processes or {}).values()):
            process.terminate()
        raise
    finally:
        executor.shutdown(cancel_futures=True)


def _results(executor: "ProcessPoolExecutor", tasks: Iterable[Any], n_ahead: int) -> Iterator[Any]:
    """Submit tasks, some ahead, and yield the results in order."""
    pending: deque[Future[Any]] = deque()
    for task in tasks:
        # What is done to warnings is done to those of all threads.
        with _submitting, warnings.catch_warnings():
            # Workers compute and nothing else: they take no lock that a thread could have held.
            warnings.simplefilter("ignore", DeprecationWarning)
            pending.append(executor.submit(_work, task))
        if len(pending) >= n_ahead:
            yield pending.popleft().result()
    while pending:
        yield pending.popleft().result()


def _start(function: Callable[[Any], Any]) -> None:
    """Begin a worker; an interrupt is the business of the process that started it."""
    global _function  # noqa: PLW0603
    _function = function
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # What the process that started it does at its own end is not for a worker to do.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    keep_freed_memory()
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End a worker whose parent was killed: it would wait for ever, and hold its files open."""
    from multiprocessing import connection, parent_process

    if (parent := parent_process()) is not None:
        connection.wait([parent.sentinel])
        os._exit(1)


def _work(task: Any) -> Any:
    """Do one task in a worker."""
    if _function is None:
        raise RuntimeError("this process is no worker")
    return _function(task)
