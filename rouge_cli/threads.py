"""Tasks in threads. Results come in the order of the tasks, whatever the number of threads.

The compiled core releases the interpreter's lock while it reads, counts and draws. So threads are
enough to use several processors: they start at once, share the texts without copies, and work in a
process that may not have children, such as a daemon of `multiprocessing`.

**What threads share, and why it is safe.** A task has its own texts, columns, table of words and
scores; while a thread reads, no other has the cache of stems that it uses. Shared are:

- the options, the tokenizer and the corpus, which nobody changes after the start of a run;
- while records are read, the fields that are read of them, which do not change behind the first,
  and the names of others that are looked for, which are replaced as a whole;
- the stopwords and irregular forms that the core looks up: complete before Python gets hold of them
  (`core_word_list` in module.c), and only read from then on. Caches of stems hang on the forms:
  whoever takes one or gives it back (`take_stems` in module.c) holds the interpreter's lock or,
  where Python has none, one for this alone;
- caches in Python, such as that of these lists: two threads may both make an entry, and either may
  be kept;
- in C, the factors of the hash tables, which are chosen when the module is loaded, and that lock;
  all other variables outside of functions are constants.

Only the thread that asks for results draws tasks from the iterable, so that may be a generator.
"""

import warnings
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import suppress
from itertools import chain, islice
from queue import Empty, SimpleQueue
from threading import Thread, current_thread
from typing import Any

from rouge_cli.atomic_files import signals_held
from rouge_cli.errors import RougeWarning, is_memory_left

SECONDS_BETWEEN_LOOKS = 0.2
"""The longest wait for an answer. A signal that does not interrupt the wait, because another thread
receives it or the system does not allow it, is handled this much later at most."""

TASKS_AHEAD = 3
"""Tasks under way for each thread or process; more would only take memory."""

BYTES_OF_THREAD = 1 << 26
"""What the C library sets aside for a thread; more than its stack."""

SECONDS_TO_END = 5.0
"""How long to wait for threads that were told to end. A thread that takes longer, because a file
system does not answer for instance, is abandoned; it does not delay the exit either."""


class PoolThread(Thread):
    """A thread of a pool. The core looks at `has_to_end`, see `is_interrupted` in module.c."""

    has_to_end = False


class EndedError(Exception):
    """The results of this thread are no longer needed."""


def end_if_told() -> None:
    """Raise EndedError in a thread of a pool that has been told to end."""
    if getattr(current_thread(), "has_to_end", False):
        raise EndedError


class ThreadPool:
    """Threads that call one function. `end` must be called, after errors too."""

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
        """Do task after task, until the pool ends."""
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
        """Yield the results in order, while up to `n_ahead` tasks are under way."""
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
        """Wait for an answer."""
        while True:
            with suppress(Empty):
                return self._answers.get(timeout=SECONDS_BETWEEN_LOOKS)
            if not all(thread.is_alive() for thread in self._threads):
                # Only a lack of memory keeps a thread from handing in its answer.
                raise MemoryError

    def end(self) -> None:
        """Tell the threads to end, in the middle of a task too, and wait for them."""
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
    """Yield the results of tasks in their order.

    This thread does the first `n_alone` of them, which may be all, and others the rest if there are
    to be more than one.
    """
    rest = iter(tasks)
    yield from map(function, rest if n_threads == 1 else islice(rest, n_alone))
    first = list(islice(rest, 1))
    if not first:
        return
    pool = ThreadPool(function)
    # Python waits for ever for a thread that finds no memory as it starts.
    has_memory = is_memory_left(n_threads * BYTES_OF_THREAD)
    try:
        if has_memory and pool.start(n_threads):
            yield from pool.results(chain(first, rest), n_threads * TASKS_AHEAD)
        else:
            yield from map(function, chain(first, rest))
    finally:
        pool.end()
