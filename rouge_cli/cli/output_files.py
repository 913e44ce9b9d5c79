"""Write a file whole or not at all, and say beforehand why it could not be written."""

import os
import stat
from contextlib import suppress

__all__ = ["output_problem", "write_file"]

DIRECT_PLACES = ("/dev/stdout", "/dev/stderr", "/dev/fd/", "/proc/")
"""These may lead to a file that a shell holds open, which must not be replaced."""

BINARY = getattr(os, "O_BINARY", 0)
"""Windows would put a carriage return before each newline without it."""

NEW_MODE, PRIVATE_MODE = 0o666, 0o600


def output_problem(path: str) -> str | None:
    """Return why a file cannot be written, in a few words; None if it can, as far as one can see.

    Parameters
    ----------
    path : str
    """
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        mode = None
    except (OSError, ValueError) as error:
        return (getattr(error, "strerror", None) or str(error)).lower()
    if mode is not None and stat.S_ISDIR(mode):
        return "a directory; name a file in it"
    if mode is not None and not os.access(path, os.W_OK):
        return "no permission to write it"
    return None if _is_direct(path, mode) else _folder_problem(path)


def write_file(path: str, content: bytes) -> None:
    """Write a file: a temporary one in its folder first, which then takes its place.

    A symbolic link stays, and the file that it leads to is replaced; it keeps its permissions.
    A pipe or a device is written as it is.

    Parameters
    ----------
    path : str
    content : bytes

    Raises
    ------
    OSError
        The file is then as it was before, unless it is a pipe or a device.
    """
    try:
        found = os.stat(path)
    except FileNotFoundError:
        found = None
    if _is_direct(path, None if found is None else found.st_mode):
        # Where a shell has opened a file to append to it, what stands in it stays.
        _write(os.open(path, os.O_WRONLY | os.O_APPEND | BINARY), content)
        return
    target = os.path.realpath(path)
    temporary = os.path.join(os.path.dirname(target), f".rouge-cli-{os.urandom(8).hex()}.tmp")
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | BINARY
        # A file that takes the place of another is nobody else's business until it looks like it.
        mode = NEW_MODE if found is None else PRIVATE_MODE
        _write(os.open(temporary, flags, mode), content, like=found)
        os.replace(temporary, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def _is_direct(path: str, mode: int | None) -> bool:
    """Return whether a file is written as it is: nothing can take its place."""
    if mode is not None and not stat.S_ISREG(mode):
        return True
    return os.path.abspath(path).startswith(DIRECT_PLACES)


def _folder_problem(path: str) -> str | None:
    """Return why no file can be made in the folder of a file; None if one can."""
    folder = os.path.dirname(os.path.realpath(path))
    if not os.path.isdir(folder):
        return f"no folder {folder!r}; make it first, or name another file"
    if not os.access(folder, os.W_OK | os.X_OK):
        return f"no permission to make files in the folder {folder!r}, as is needed to replace it"
    return None


def _write(descriptor: int, content: bytes, like: os.stat_result | None = None) -> None:
    """Write all, down to the disk of a new file, with owner and permissions of another; close."""
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        file.flush()
        if stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.fsync(descriptor)
        if like is not None and os.name == "posix":
            with suppress(OSError):
                # Only root may give a file away; the permissions come last, as this changes them.
                os.fchown(descriptor, like.st_uid, like.st_gid)
            os.fchmod(descriptor, stat.S_IMODE(like.st_mode))
