"""Memory that large arrays give back and take again, kept in the process in between."""

from contextlib import suppress
from functools import cache

import numpy as np

__all__ = ["keep_freed_memory"]

KEPT_BYTES = (1 << 25) - (1 << 16)
"""A little less than the 32 MiB from which on glibc always hands memory back."""


@cache
def keep_freed_memory() -> None:
    """Let the C library keep what arrays free, and not hand it back page by page.

    Freeing one array of so many bytes, none of which is ever touched, tells glibc that arrays of
    that size come and go; it remembers, so that once a process is enough. Without it a third of the
    time may be spent on getting pages again. Where there is no glibc, or no such memory, this does
    nothing.
    """
    with suppress(MemoryError):
        np.empty(KEPT_BYTES, np.uint8)
