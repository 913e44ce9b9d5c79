"""Spread work over threads or worker processes, with results in the order of the tasks.

The core counts in threads; see `rouge_cli.threads`. Python code runs in one thread at a time, so
without the core, processes do the work.

Each worker has a socket of its own. If a worker is killed while it sends, its socket ends, so
nobody waits for it, and the other workers are ended too. Why not `concurrent.futures`? Its pool
runs threads with locks in the process that forks, and a fork can copy a lock that is held, which
then nobody releases.

`multiprocessing`, `selectors` and `socket` are imported where a process starts: they cost 40 ms,
and most runs need no second process.
"""

import atexit
import errno
import os
import pickle
import signal
import struct
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import chain, islice
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any, Final, TypeVar

from rouge_cli.atomic_files import ENDING_SIGNALS, signals_held
from rouge_cli.errors import RougeError, RougeWarning
from rouge_cli.threads import TASKS_AHEAD, mapped

if TYPE_CHECKING:
    import socket
    from multiprocessing.process import BaseProcess

Task = TypeVar("Task")
Result = TypeVar("Result")

TASKS_AT_ONCE = 2
"""Tasks that a worker holds: the current one and the next, so that it never waits for a task."""

CHUNK_BYTES = 1 << 18
SIZE: Final = struct.Struct("!Q")  # format of the length, in bytes, before each message

SECONDS_BETWEEN_LOOKS = 1.0
"""Time between checks for dead workers. A dead worker's socket alone does not tell: it stays open
while a process that other code has forked in the meantime holds a copy."""

SECONDS_TO_END = 5.0

START_METHOD = "fork" if sys.platform == "linux" else "spawn"
"""Forking is fastest, and safe on Linux; elsewhere a worker starts a new interpreter."""

SAFE_PATH = "PYTHONSAFEPATH"

_starting = Lock()
"""Held while workers are forked. Otherwise a worker that another thread forks at the same time
would inherit their sockets, and hold them open."""


def ordered_map(
    function: Callable[[Task], Result],
    tasks: Iterable[Task],
    jobs: int,
    *,
    in_threads: bool = False,
) -> Iterator[Result]:
    """Yield the result of each task in order, drawing only a few tasks ahead.

    `jobs` is the number of processes, or of threads with `in_threads`; no more are started than
    there are tasks. For processes, `function`, tasks and results must be picklable. The calling
    thread does the work if there is one job or, with a `RougeWarning`, if the system refuses to
    start others. An exception raised by `function` arrives unchanged; RougeError is raised if a
    process is killed.
    """
    tasks = iter(tasks)
    first_tasks = list(islice(tasks, jobs))
    tasks = chain(first_tasks, tasks)
    if len(first_tasks) <= 1:
        yield from map(function, tasks)
        return
    if in_threads:
        yield from mapped(function, tasks, len(first_tasks))
        return
    pool = WorkerPool()
    try:
        pool.start(function, len(first_tasks))
        if pool.workers:
            yield from pool.results(tasks, jobs * TASKS_AHEAD)
            pool.dismiss()
        else:
            yield from map(function, tasks)
    finally:
        pool.end()


class _InWorker(Exception):  # noqa: N818
    """Carries the traceback of a worker, as the cause of the error raised in the parent."""


class _Worker:
    """A worker process, the socket that links it to its parent, and partial messages."""

    def __init__(self, process: "BaseProcess", link: "socket.socket") -> None:
        self.process = process
        self.link = link
        self.n_tasks = 0
        self.unsent = memoryview(b"")
        self._received = bytearray()

    def give(self, number: int, task: Any) -> None:
        """Queue a task, and send as much of it as the link takes without waiting."""
        self.n_tasks += 1
        self.unsent = memoryview(bytes(self.unsent) + _message((number, task)))
        self.send()

    def send(self) -> None:
        with suppress(BlockingIOError), self._errors():
            while self.unsent:
                self.unsent = self.unsent[self.link.send(self.unsent) :]

    def receive(self) -> Iterator[tuple[int, Any, bool]]:
        """Yield the complete answers: task number, result or error, and whether it is an error."""
        with suppress(BlockingIOError), self._errors():
            while True:
                chunk = self.link.recv(CHUNK_BYTES)
                if not chunk:
                    raise EOFError
                self._received += chunk
        while message := self._next_message():
            self.n_tasks -= 1
            yield pickle.loads(message)

    def _next_message(self) -> bytes | None:
        if len(self._received) < SIZE.size:
            return None
        end = SIZE.size + SIZE.unpack_from(self._received)[0]
        if len(self._received) < end:
            return None
        message = bytes(self._received[SIZE.size : end])
        del self._received[:end]
        return message

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except BlockingIOError:
            raise
        except (EOFError, ConnectionError):
            raise self.death() from None
        except OSError as error:
            raise RougeError(
                f"worker process {self.process.pid} cannot be reached: {error.strerror}; "
                "try --jobs 1"
            ) from None

    def death(self) -> RougeError:
        """Return the error that says how the process ended."""
        self.process.join(SECONDS_TO_END)
        code = self.process.exitcode
        how = "ended before its work was done"
        if code is not None and code < 0:
            names = {number.value: number.name for number in signal.Signals}
            how = f"was killed by {names.get(-code, f'signal {-code}')}"
            if -code == getattr(signal, "SIGKILL", None):
                how += ", perhaps for want of memory"
        elif code:
            of_memory = code == errno.ENOMEM
            how = "ended for want of memory" if of_memory else f"ended with exit code {code}"
        return RougeError(f"worker process {self.process.pid} {how}; try --jobs 1")


class WorkerPool:
    """Worker processes that all call one function.

    `start` may start fewer than requested. Callers must call `end`, also after errors.
    """

    def __init__(self) -> None:
        # Exit handlers run last in, first out. That of multiprocessing.util waits for the workers,
        # so it is registered first, by this import: `end` then runs before it.
        import multiprocessing.util  # noqa: F401

        self.workers: list[_Worker] = []
        atexit.register(self.end)

    def start(self, function: Callable[[Any], Any], n_workers: int) -> None:
        """Start workers: fewer or none, with a warning, if the system refuses more."""
        try:
            # An exception in the middle of a fork would be lost, or be raised in the worker too.
            with signals_held(), _starting:
                for _ in range(n_workers):
                    self._start_one(function)
        except OSError as error:
            # A single worker gains nothing over this process.
            if len(self.workers) == 1:
                self.end()
            warnings.warn(
                f"{len(self.workers) or 1} instead of {n_workers} processes: no more can be "
                f"started ({error.strerror})",
                RougeWarning,
                stacklevel=3,
            )

    def _start_one(self, function: Callable[[Any], Any]) -> None:
        import multiprocessing

        # Imported here, since a worker that runs out of file descriptors could not load it.
        import multiprocessing.connection
        import socket

        context: Any = multiprocessing.get_context(START_METHOD)
        link, worker_link = socket.socketpair()
        try:
            inherited = [link, *(worker.link for worker in self.workers)]
            links_of_others = inherited if START_METHOD == "fork" else []
            process = context.Process(
                target=_serve, args=(function, worker_link, links_of_others), daemon=True
            )
            # `catch_warnings` acts on all threads, hence only around the start itself.
            with warnings.catch_warnings(), _safe_path():
                # Python 3.12 warns of a fork in a process with threads. Workers only compute: they
                # take no lock that a thread could hold.
                warnings.simplefilter("ignore", DeprecationWarning)
                process.start()
        except BaseException:
            _close(link)
            raise
        finally:
            _close(worker_link)
        link.setblocking(False)
        self.workers.append(_Worker(process, link))

    def results(self, tasks: Iterable[Any], n_ahead: int) -> Iterator[Any]:
        """Yield the results in order, with up to `n_ahead` tasks under way."""
        numbered = enumerate(tasks)
        arrived: dict[int, tuple[Any, bool]] = {}
        n_given = n_yielded = 0
        is_all_given = False
        while True:
            # Give tasks to the least busy workers, and stop when all have enough.
            while not is_all_given and n_given - n_yielded < n_ahead:
                worker = min(self.workers, key=lambda worker: worker.n_tasks)
                if worker.n_tasks >= TASKS_AT_ONCE:
                    break
                task = next(numbered, None)
                is_all_given = task is None
                if task is not None:
                    worker.give(*task)
                    n_given += 1
            if n_yielded == n_given:
                return
            is_ready = n_yielded in arrived
            for number, result, is_error in self._exchange(waits=not is_ready):
                arrived[number] = result, is_error
            if is_ready:
                result, is_error = arrived.pop(n_yielded)
                if is_error:
                    raise result[0] from _InWorker(f"\n{result[1]}")
                n_yielded += 1
                yield result

    def _exchange(self, *, waits: bool) -> Iterator[tuple[int, Any, bool]]:
        """Send and receive what the links allow, and yield the answers.

        With `waits`, raises RougeError if no link becomes ready because a worker has died.
        """
        import selectors

        selector_type = getattr(selectors, "PollSelector", selectors.SelectSelector)
        with selector_type() as selector:
            for worker in self.workers:
                events = selectors.EVENT_READ | (selectors.EVENT_WRITE * bool(worker.unsent))
                selector.register(worker.link, events, worker)
            ready = selector.select(SECONDS_BETWEEN_LOOKS if waits else 0)
        for key, events in ready:
            if events & selectors.EVENT_WRITE:
                key.data.send()
            if events & selectors.EVENT_READ:
                yield from key.data.receive()
        for worker in self.workers if waits and not ready else ():
            if not worker.process.is_alive():
                raise worker.death()

    def dismiss(self) -> None:
        """Let idle workers end by themselves, by closing their links."""
        for worker in self.workers:
            _close(worker.link)
        for worker in self.workers:
            worker.process.join(SECONDS_TO_END)

    def end(self) -> None:
        """Kill the workers that are left, whose results are no longer needed."""
        with signals_held():
            for worker in self.workers:
                _close(worker.link)
                worker.process.kill()
            for worker in self.workers:
                worker.process.join()
            self.workers.clear()
        atexit.unregister(self.end)


@contextmanager
def _safe_path() -> Iterator[None]:
    """Keep the working folder out of the path of new interpreters: it may hold a pickle.py."""
    before = os.environ.get(SAFE_PATH)
    if START_METHOD != "fork":
        os.environ[SAFE_PATH] = "1"
    try:
        yield
    finally:
        if START_METHOD != "fork":
            del os.environ[SAFE_PATH]
            if before is not None:
                os.environ[SAFE_PATH] = before


def _close(link: "socket.socket") -> None:
    # The system closes a socket even if it reports an error.
    with suppress(OSError):
        link.close()


def _message(content: Any) -> bytes:
    pickled = pickle.dumps(content, pickle.HIGHEST_PROTOCOL)
    return SIZE.pack(len(pickled)) + pickled


# The functions below run in workers.


def _serve(
    function: Callable[[Any], Any],
    link: "socket.socket",
    links_of_others: "Sequence[socket.socket]",
) -> None:
    """Do one task after another until the parent closes the link or is gone."""
    # The parent handles signals that end a run, and ends its workers.
    for number in ENDING_SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    # If no thread can be started, the worker notices a dead parent when it sends a result.
    with suppress(RuntimeError):
        Thread(target=_end_with_parent, daemon=True).start()
    for other in links_of_others:
        _close(other)
    try:
        while (head := _received(link, SIZE.size)) is not None:
            if (message := _received(link, SIZE.unpack(head)[0])) is None:
                break
            link.sendall(_done(function, message))
    except OSError:
        os._exit(1)
    except MemoryError:
        os._exit(errno.ENOMEM)


def _end_with_parent() -> None:
    """End this worker as soon as its parent is gone, even in the middle of a task."""
    import multiprocessing
    from multiprocessing import connection

    if (parent := multiprocessing.parent_process()) is not None:
        # Waiting needs a free descriptor. Without one, the worker ends when its link does.
        with suppress(OSError):
            connection.wait([parent.sentinel])
            os._exit(1)


def _received(link: "socket.socket", size: int) -> bytes | None:
    """Return `size` bytes, or None if the link ends first; raises OSError."""
    chunks = []
    while size:
        chunk = link.recv(min(size, CHUNK_BYTES))
        if not chunk:
            return None
        chunks.append(chunk)
        size -= len(chunk)
    return b"".join(chunks)


def _done(function: Callable[[Any], Any], message: bytes) -> bytes:
    number, task = pickle.loads(message)
    try:
        return _message((number, function(task), False))
    except BaseException as error:
        import traceback  # here, since few tasks fail

        trace = traceback.format_exc()
        try:
            return _message((number, (error, trace), True))
        except Exception:
            # Some errors cannot be pickled.
            return _message((number, (RuntimeError(repr(error)), trace), True))
