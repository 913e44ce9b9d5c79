"""Progress of long loops.

Loops that may take seconds go through `tracked`, whether or not anybody listens: a command at a
terminal does, a program that calls this package does not.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

Listener = Callable[[str, int, int], None]
"""Receives a description, the amount done, and the total; the amount is 0 as a loop begins."""

Item = TypeVar("Item")

_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Report the progress of this thread's loops to `listener`."""
    _listener.set(listener)
    try:
        yield
    finally:
        _listener.set(None)


def current_listener() -> Listener | None:
    """Return who is told the progress of this thread's loops, if anybody."""
    return _listener.get()


def tracked(items: Iterable[Item], what: str, sizes: Sequence[int]) -> Iterator[Item]:
    """Yield items, and report progress.

    `sizes` are the items' shares of the total. Nested loops report nothing, since only the
    outermost knows how much is left.
    """
    listener = _listener.get()
    if listener is None:
        yield from items
        return
    _listener.set(None)
    done, total = 0, sum(sizes)
    listener(what, done, total)
    try:
        for item, size in zip(items, sizes, strict=True):
            yield item
            done += size
            listener(what, done, total)
    finally:
        _listener.set(listener)
