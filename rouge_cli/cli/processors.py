"""How many processors this process may use."""

import os

__all__ = ["usable_processors"]


def usable_processors() -> int:
    """Return the number of processors, less those that this process is kept from."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
