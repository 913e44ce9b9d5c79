"""Do tasks in threads; the results come in order, however many there are.

The compiled core lets go of the interpreter while it reads, counts and draws. So threads are all
that several processors need: they start in no time, nothing is sent to them, and they are safe in a
process that may not have children, such as a daemon of `multiprocessing`.

**What threads share, and why no lock is needed.** A task has its own texts, columns, table of words
and scores. Shared are:

- the options, the tokenizer and the corpus, which nobody changes after the start of a run;
- the stopwords and irregular forms that the core looks up: complete before Python gets hold of them
  (`core_word_list` in module.c), and only read from then on;
- caches in Python, such as that of these lists: two threads may both make an entry, and it does not
  matter whose stays;
- in C, the factors of the hash tables, which are chosen when the module is loaded; all other
  variables outside of functions are constants.

Only the thread that asks for results takes tasks, so what makes them may have a state.
"""

import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import islice
from queue import Empty, SimpleQueue
from threading import Thread, current_thread
from typing import Any

from rouge_cli.atomic_files import signals_held
from rouge_cli.errors import RougeWarning

SECONDS_BETWEEN_LOOKS = 0.2
"""How long a wait may last. Where a signal reaches a thread that waits for no answer, or a system
lets no signal end a wait, it is handled that much later."""

SECONDS_TO_END = 5.0
"""How long to wait for threads that were told to end. Later than that they are left to themselves,
in a file system that does not answer, for instance; they then hold nobody up at exit either."""


class PoolThread(Thread):
    """A thread of a pool. The core looks at `has_to_end`, see `is_interrupted` in module.c."""

    has_to_end = False


class EndedError(Exception):
    """The results of this thread are no longer needed."""


def end_if_told() -> None:
    """Raise EndedError if this is a thread of a pool that is to end."""
    if getattr(current_thread(), "has_to_end", False):
        raise EndedError


class ThreadPool:
    """Threads for one function; `end` must be called in any case."""

    def __init__(self, function: Callable[[Any], Any]) -> None:
        self._function = function
        self._threads: list[PoolThread] = []
        self._tasks: SimpleQueue[tuple[int, Any] | None] = SimpleQueue()
        self._answers: SimpleQueue[tuple[int, Any, BaseException | None]] = SimpleQueue()

    def start(self, n_threads: int) -> int:
        """Start threads, fewer with a warning if the system allows no more; return how many."""
        try:
            # An exception behind the start of a thread would leave it unknown to `end`.
            with signals_held():
                for _ in range(n_threads):
                    # At exit nobody waits for daemons.
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
        """Do task after task, until there is none or the pool has ended."""
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
        """Yield the results in order, while some tasks ahead are under way."""
        numbered = enumerate(tasks)
        arrived: dict[int, tuple[Any, BaseException | None]] = {}
        n_given = n_yielded = 0
        while True:
            for task in islice(numbered, n_ahead - (n_given - n_yielded)):
                self._tasks.put(task)
                n_given += 1
            if n_yielded == n_given:
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
                # Nothing but want of memory keeps a thread from putting its answer there.
                raise MemoryError

    def end(self) -> None:
        """Let the threads end, those at work too, and wait for them."""
        with signals_held():
            for thread in self._threads:
                thread.has_to_end = True
                self._tasks.put(None)
            for thread in self._threads:
                thread.join(SECONDS_TO_END)
            self._threads.clear()
