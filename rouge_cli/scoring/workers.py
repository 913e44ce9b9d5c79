"""Spread work over processes; the results come in order, whatever the number of processes."""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from typing import TypeVar

__all__ = ["ordered_map"]

Task = TypeVar("Task")
Result = TypeVar("Result")

AHEAD = 3
"""Tasks under way for each process; more would only hold memory."""


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
        Number of processes, or fewer if there are fewer tasks; one is this one. If the system
        allows no second one, this one does all, with a `RougeWarning`.

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
    from rouge_cli.scoring.worker_pool import WorkerPool

    pool = WorkerPool()
    try:
        pool.start(function, len(first_tasks))
        if pool.workers:
            yield from pool.results(tasks, jobs * AHEAD)
            pool.dismiss()
        else:
            yield from map(function, tasks)
    finally:
        pool.end()
