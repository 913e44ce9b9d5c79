"""How far a long loop is, for whoever shows it.

A loop that may take seconds goes through `tracked`. It need not know whether anybody listens: a
command at a terminal does, a program that calls this package does not.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

Listener = Callable[[str, int, int], None]
"""Is told what is done, how many of it, and of how many; of none as a loop begins."""

Item = TypeVar("Item")

_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Tell `listener` how far the loops of this thread are."""
    _listener.set(listener)
    try:
        yield
    finally:
        _listener.set(None)


def tracked(items: Iterable[Item], what: str, sizes: Sequence[int]) -> Iterator[Item]:
    """Yield items, and tell the listener how far they are.

    `sizes` has how much each item is of what is to be done. Loops within this one tell nothing:
    only the outermost knows how much is left.
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
