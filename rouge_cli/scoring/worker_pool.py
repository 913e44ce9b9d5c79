"""Worker processes, and the tasks that they share.

Each worker has a socket of its own, so that one that is killed while it sends holds up nobody: its
socket ends, and the others are ended too. The process that starts them has no threads for it and
no locks, which a fork could find in a state that nobody ends.
"""

import atexit
import errno
import multiprocessing.util
import os
import pickle
import selectors
import signal
import socket
import struct
import sys
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import connection
from multiprocessing.process import BaseProcess
from threading import Lock, Thread
from typing import Any, Final

from rouge_cli.errors import RougeError, RougeWarning
from rouge_cli.held_signals import ENDING_SIGNALS, signals_held
from rouge_cli.scoring.memory import keep_freed_memory

__all__ = ["WorkerPool"]

TASKS_AT_ONCE = 2
"""Tasks that a worker holds: the one that it does, and the one that it does next."""

CHUNK = 1 << 18
SIZE: Final = struct.Struct("!Q")
"""What stands before each message: how many bytes it has."""

SECONDS_BETWEEN_LOOKS = 1.0
"""A worker's socket may be held open by a process that somebody else has forked meanwhile."""

SECONDS_TO_END = 5.0

START_METHOD = "fork" if sys.platform == "linux" else "spawn"
"""A fork is the cheapest start, and safe on Linux; elsewhere a process begins anew."""

_starting = Lock()
"""Held while workers are forked: one of another thread would hold their sockets open."""


class _InWorker(Exception):  # noqa: N818
    """Where in a worker an error was raised: the cause of the error that arrives."""


class _Worker:
    """A process, the link to it, and what is on its way there and back."""

    def __init__(self, process: BaseProcess, link: socket.socket) -> None:
        self.process = process
        self.link = link
        self.n_tasks = 0
        self._unsent = memoryview(b"")
        self._received = bytearray()

    @property
    def events(self) -> int:
        """What to wait for."""
        return selectors.EVENT_READ | (selectors.EVENT_WRITE if self._unsent else 0)

    def give(self, number: int, task: Any) -> None:
        """Put a task on its way."""
        self.n_tasks += 1
        self._unsent = memoryview(bytes(self._unsent) + _message((number, task)))
        self.send()

    def send(self) -> None:
        """Send as much as there is room for; raises RougeError."""
        with suppress(BlockingIOError), self._errors():
            while self._unsent:
                self._unsent = self._unsent[self.link.send(self._unsent) :]

    def receive(self) -> Iterator[tuple[int, Any, bool]]:
        """Yield the results that have arrived: of which task, and whether it is an error."""
        with suppress(BlockingIOError), self._errors():
            while True:
                chunk = self.link.recv(CHUNK)
                if not chunk:
                    raise EOFError
                self._received += chunk
        while message := self._next_message():
            self.n_tasks -= 1
            yield pickle.loads(message)

    def _next_message(self) -> bytes | None:
        """Take a message that is whole off what has arrived."""
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
        """Say what has become of a worker to which there is no link."""
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
        """Return an error that says how the worker ended."""
        self.process.join(SECONDS_TO_END)
        code = self.process.exitcode
        how = "ended before its work was done"
        if code is not None and code < 0:
            how = f"was killed by {_signal_name(-code)}"
            if -code == getattr(signal, "SIGKILL", None):
                how += ", perhaps for want of memory"
        elif code:
            how = f"ended with exit code {code}"
            if code == errno.ENOMEM:
                how = "ended for want of memory"
        return RougeError(f"worker process {self.process.pid} {how}; try --jobs 1")


class WorkerPool:
    """Workers for one function.

    `start` may start fewer than are asked for; `end` has to be called, whatever has happened.
    """

    def __init__(self) -> None:
        self.workers: list[_Worker] = []
        # An interpreter that never came to call it would wait for them at its end. What is
        # registered last is done first, and multiprocessing.util, which waits, is imported above.
        atexit.register(self.end)

    def start(self, function: Callable[[Any], Any], n_workers: int) -> None:
        """Start workers; fewer or none, with a warning, where the system allows no more."""
        try:
            # An exception in the middle of a fork would be lost, or raised in the worker too.
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
        """Start a worker; raises OSError."""
        is_forked = START_METHOD == "fork"
        context: Any = multiprocessing.get_context(START_METHOD)
        here, there = socket.socketpair()
        try:
            not_its_own = [here, *(one.link for one in self.workers)] if is_forked else []
            process = context.Process(
                target=_serve, args=(function, there, not_its_own), daemon=True
            )
            # What is done to warnings is done to those of all threads.
            with warnings.catch_warnings():
                # Workers compute and nothing else: they take no lock that a thread could hold.
                warnings.simplefilter("ignore", DeprecationWarning)
                process.start()
        except BaseException:
            _close(here)
            raise
        finally:
            _close(there)
        here.setblocking(False)
        self.workers.append(_Worker(process, here))

    def results(self, tasks: Iterable[Any], n_ahead: int) -> Iterator[Any]:
        """Yield the results in order, while some tasks ahead are under way."""
        numbered = enumerate(tasks)
        arrived: dict[int, tuple[Any, bool]] = {}
        n_given = n_yielded = 0
        is_all_given = False
        while True:
            while not is_all_given and n_given - n_yielded < n_ahead:
                worker = min(self.workers, key=lambda one: one.n_tasks)
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
        """Send and receive what can be; wait until there is something, if no time is given."""
        selector_type = getattr(selectors, "PollSelector", selectors.SelectSelector)
        with selector_type() as selector:
            for worker in self.workers:
                selector.register(worker.link, worker.events, worker)
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
        """Let workers end that have done all."""
        for worker in self.workers:
            _close(worker.link)
        for worker in self.workers:
            worker.process.join(SECONDS_TO_END)

    def end(self) -> None:
        """End all workers that are still there: what is under way would be in vain."""
        with signals_held():
            for worker in self.workers:
                _close(worker.link)
                worker.process.kill()
            for worker in self.workers:
                worker.process.join()
            self.workers.clear()
        atexit.unregister(self.end)


def _close(link: socket.socket) -> None:
    """Close a link; it is closed even where the system says that it fails."""
    with suppress(OSError):
        link.close()


def _signal_name(number: int) -> str:
    """Return the name of a signal, or its number if it has none."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _message(content: Any) -> bytes:
    """Return what is sent for an object."""
    pickled = pickle.dumps(content, pickle.HIGHEST_PROTOCOL)
    return SIZE.pack(len(pickled)) + pickled


# In a worker.


def _serve(
    function: Callable[[Any], Any], link: socket.socket, not_its_own: Sequence[socket.socket]
) -> None:
    """Do task after task, until the process that started this one closes the link or is gone.

    Signals that end a run are the business of that process, which then ends this one.
    """
    for number in ENDING_SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    # Where there is no thread to be had it ends when it has done what it does.
    with suppress(RuntimeError):
        Thread(target=_end_with_parent, daemon=True).start()
    for other in not_its_own:
        _close(other)
    keep_freed_memory()
    try:
        while (message := _awaited(link)) is not None:
            link.sendall(_done(function, message))
    except OSError:
        os._exit(1)
    except MemoryError:
        os._exit(errno.ENOMEM)


def _end_with_parent() -> None:
    """End a worker whose parent was killed, whatever it does just then."""
    if (parent := multiprocessing.parent_process()) is not None:
        connection.wait([parent.sentinel])
        os._exit(1)


def _awaited(link: socket.socket) -> bytes | None:
    """Return the next message, or None at the end; raises OSError."""
    head = _received(link, SIZE.size)
    return None if head is None else _received(link, SIZE.unpack(head)[0])


def _received(link: socket.socket, size: int) -> bytes | None:
    """Return so many bytes, or None if the link ends before; raises OSError."""
    chunks = []
    while size:
        chunk = link.recv(min(size, CHUNK))
        if not chunk:
            return None
        chunks.append(chunk)
        size -= len(chunk)
    return b"".join(chunks)


def _done(function: Callable[[Any], Any], message: bytes) -> bytes:
    """Do a task, and return the message that says what came of it."""
    number, task = pickle.loads(message)
    try:
        return _message((number, function(task), False))
    except BaseException as error:
        found = (error, traceback.format_exc())
        try:
            return _message((number, found, True))
        except Exception:
            return _message((number, (RuntimeError(repr(error)), found[1]), True))
