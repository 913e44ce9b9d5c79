"""Progress of long loops.

Loops that may take seconds use `tracked`, which reports to a listener if there is one: a command at
a terminal has one, a program that calls this package does not.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

Listener = Callable[[str, int, int], None]
"""Called with a description, the amount done, which is 0 when a loop begins, and the total."""

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
    """Return the listener to the progress of this thread's loops, if there is one."""
    return _listener.get()


def tracked(items: Iterable[Item], what: str, sizes: Sequence[int]) -> Iterator[Item]:
    """Yield items, and report progress. `sizes` are the shares of the items in the total."""
    # Loops inside this one report nothing, since only the outermost knows how much is left.
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
