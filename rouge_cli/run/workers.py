"""Spread work over threads or worker processes; the results come in order, however many there are.

Where the core counts, threads do the work, see `rouge_cli.threads`. Python itself runs in one
thread at a time, so what it counts is left to processes.

Each worker has a socket of its own. If one is killed while it sends, its socket ends and nobody
waits for it; the other workers are then ended too. Why not `concurrent.futures`? Its pool runs
threads and locks in the process that forks, and a fork can copy a lock in a state from which nobody
releases it.

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
"""Tasks held by a worker: the current one and the next."""

CHUNK_BYTES = 1 << 18
SIZE: Final = struct.Struct("!Q")
"""Format of the length in bytes that precedes each message."""

SECONDS_BETWEEN_LOOKS = 1.0
"""Seconds between checks for dead workers. The socket of a dead one may not end: a process that
other code has forked meanwhile holds it open."""

SECONDS_TO_END = 5.0

START_METHOD = "fork" if sys.platform == "linux" else "spawn"
"""Forking is fastest, and safe on Linux; elsewhere a worker starts a new interpreter."""

SAFE_PATH = "PYTHONSAFEPATH"

_starting = Lock()
"""Held while workers are forked: a worker forked by another thread would hold their sockets open.
"""


def ordered_map(
    function: Callable[[Task], Result],
    tasks: Iterable[Task],
    jobs: int,
    *,
    in_threads: bool = False,
) -> Iterator[Result]:
    """Yield the result of each task, in order; tasks are taken a few at a time.

    `jobs` is the number of processes, or of threads with `in_threads`; there are never more than
    tasks. For processes, `function`, tasks and results must be picklable. With one job this thread
    does the work, as it does, with a `RougeWarning`, if the system allows no other. Raises
    RougeError if a process is killed. An exception of `function` arrives as it was raised.
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
    """The traceback in a worker: the cause of the error that arrives."""


class _Worker:
    """A worker process, the link to it, and the messages on their way."""

    def __init__(self, process: "BaseProcess", link: "socket.socket") -> None:
        self.process = process
        self.link = link
        self.n_tasks = 0
        self._unsent = memoryview(b"")
        self._received = bytearray()

    @property
    def has_unsent(self) -> bool:
        return bool(self._unsent)

    def give(self, number: int, task: Any) -> None:
        self.n_tasks += 1
        self._unsent = memoryview(bytes(self._unsent) + _message((number, task)))
        self.send()

    def send(self) -> None:
        with suppress(BlockingIOError), self._errors():
            while self._unsent:
                self._unsent = self._unsent[self.link.send(self._unsent) :]

    def receive(self) -> Iterator[tuple[int, Any, bool]]:
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
        self.process.join(SECONDS_TO_END)
        code = self.process.exitcode
        how = "ended before its work was done"
        if code is not None and code < 0:
            names = {number.value: number.name for number in signal.Signals}
            how = f"was killed by {names.get(-code, f'signal {-code}')}"
            if -code == getattr(signal, "SIGKILL", None):
                how += ", perhaps for want of memory"
        elif code:
            how = f"ended with exit code {code}"
            if code == errno.ENOMEM:
                how = "ended for want of memory"
        return RougeError(f"worker process {self.process.pid} {how}; try --jobs 1")


class WorkerPool:
    """Workers for one function.

    `start` may start fewer than are asked for; `end` must be called in any case.
    """

    def __init__(self) -> None:
        # At exit, handlers run last in, first out. The one of multiprocessing.util waits for the
        # workers; it is registered first, so that `end` comes before it.
        import multiprocessing.util  # noqa: F401

        self.workers: list[_Worker] = []
        atexit.register(self.end)

    def start(self, function: Callable[[Any], Any], n_workers: int) -> None:
        """Start workers; fewer or none, with a warning, where the system allows no more."""
        try:
            # An exception in the middle of a fork would be lost, or be raised in the worker too.
            with signals_held(), _starting:
                for _ in range(n_workers):
                    self._start_one(function)
        except OSError as error:
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
        """Yield the results in order, while some tasks ahead are under way."""
        numbered = enumerate(tasks)
        arrived: dict[int, tuple[Any, bool]] = {}
        n_given = n_yielded = 0
        is_all_given = False
        while True:
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
            for number, result, is_error in self._exchange(0 if is_ready else None):
                arrived[number] = result, is_error
            if is_ready:
                result, is_error = arrived.pop(n_yielded)
                if is_error:
                    raise result[0] from _InWorker(f"\n{result[1]}")
                n_yielded += 1
                yield result

    def _exchange(self, seconds: float | None) -> Iterator[tuple[int, Any, bool]]:
        """Send and receive what the links allow; without a time, wait for at least one of them."""
        import selectors

        selector_type = getattr(selectors, "PollSelector", selectors.SelectSelector)
        with selector_type() as selector:
            for worker in self.workers:
                events = selectors.EVENT_READ | (selectors.EVENT_WRITE * worker.has_unsent)
                selector.register(worker.link, events, worker)
            ready = selector.select(SECONDS_BETWEEN_LOOKS if seconds is None else seconds)
        for key, events in ready:
            if events & selectors.EVENT_WRITE:
                key.data.send()
            if events & selectors.EVENT_READ:
                yield from key.data.receive()
        if not ready and seconds is None:
            for worker in self.workers:
                if not worker.process.is_alive():
                    raise worker.death()

    def dismiss(self) -> None:
        """Let idle workers end."""
        for worker in self.workers:
            _close(worker.link)
        for worker in self.workers:
            worker.process.join(SECONDS_TO_END)

    def end(self) -> None:
        """Kill the remaining workers, whose results are no longer needed."""
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
    """Let a new interpreter leave the working folder, with a pickle.py perhaps, out of its path."""
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
    """Close a link; the system closes it even where it reports an error."""
    with suppress(OSError):
        link.close()


def _message(content: Any) -> bytes:
    pickled = pickle.dumps(content, pickle.HIGHEST_PROTOCOL)
    return SIZE.pack(len(pickled)) + pickled


# What follows runs in a worker.


def _serve(
    function: Callable[[Any], Any],
    link: "socket.socket",
    links_of_others: "Sequence[socket.socket]",
) -> None:
    """Do task after task, until the parent closes the link or is gone.

    Signals that end a run are left to the parent, which then ends its workers.
    """
    for number in ENDING_SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    # Where no thread can be started, the worker notices when it sends its result.
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
        # Without descriptors nothing can be waited for; the worker then ends with its link.
        with suppress(OSError):
            connection.wait([parent.sentinel])
            os._exit(1)


def _received(link: "socket.socket", size: int) -> bytes | None:
    """Return `size` bytes, or None if the link ends before; raises OSError."""
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
        import traceback  # few tasks fail

        trace = traceback.format_exc()
        try:
            return _message((number, (error, trace), True))
        except Exception:
            # Some errors cannot be pickled.
            return _message((number, (RuntimeError(repr(error)), trace), True))
