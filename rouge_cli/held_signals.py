"""Signals that end a run, and how to hold them back for a moment."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread

__all__ = ["ENDING_SIGNALS", "signals_held"]

ENDING_SIGNALS = frozenset(
    # Windows has no SIGHUP.
    getattr(signal, name)
    for name in ("SIGINT", "SIGTERM", "SIGHUP")
    if hasattr(signal, name)
)


@contextmanager
def signals_held() -> Iterator[None]:
    """Hold back what signals raise, until the end of this.

    Python raises it in the main thread only, where it may be just now, in a place that nothing can
    be raised in: a callback of a fork, which ignores exceptions, or a library that has just made a
    file.
    """
    if current_thread() is not main_thread():
        yield
        return
    held: list[int] = []
    handlers = {number: signal.getsignal(number) for number in ENDING_SIGNALS}
    try:
        for number, handler in handlers.items():
            if callable(handler):
                signal.signal(number, lambda number, _: held.append(number))
        yield
    finally:
        for number, handler in handlers.items():
            if callable(handler):
                signal.signal(number, handler)
        for number in held[:1]:
            signal.raise_signal(number)
