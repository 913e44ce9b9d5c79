"""A file to read from, for readers that want a path; one folder for the whole process."""

import atexit
import os
import shutil
import tempfile
from functools import cache

__all__ = ["scratch_file"]

MEMORY = "/dev/shm"
"""If it exists, nothing is written to a disk."""


def scratch_file(name: str, content: bytes) -> str:
    """Write a file and return its path."""
    path = os.path.join(_folder(), name)
    with open(path, "wb") as file:
        file.write(content)
    return path


@cache
def _folder() -> str:
    """Make a folder that is removed when the process ends."""
    folder = tempfile.mkdtemp(prefix="fuzz-", dir=MEMORY if os.path.isdir(MEMORY) else None)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder
