"""Read whole files, many of them small, with the cheapest calls there are.

A name is a name: nothing in it is ever run, expanded or searched for.
"""

import errno
import io
import os
import select
import stat
import sys
from typing import TYPE_CHECKING, Any

from rouge_cli.errors import InputError
from rouge_cli.escapes import escaped

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

__all__ = [
    "STANDARD_INPUT",
    "bare_name",
    "file_problem",
    "input_name",
    "is_compressed",
    "read_file",
    "read_input",
    "standard_input",
]

STANDARD_INPUT = "-"
"""The name that stands for standard input."""

COMPRESSED = ".gz"
"""How the name of a gzip file ends."""

WORLD_READABLE = stat.S_IRUSR | stat.S_IRGRP | stat.S_IROTH

ENDLESS = "a device that never ends, not a file"
ENDLESS_DEVICES = frozenset({"/dev/full", "/dev/random", "/dev/urandom", "/dev/zero"})
DEVICE = "a device, not a file"
FIFO = "a FIFO, not a regular file"

READ = os.O_RDONLY | getattr(os, "O_BINARY", 0)
READ_AT_ONCE = READ | getattr(os, "O_NONBLOCK", 0)
"""Opens a FIFO that nobody writes to without waiting for somebody. Windows has no FIFOs."""

CHUNK = 1 << 12
"""Room for most summaries; asking for much more costs more than reading them."""

READS_AT_A_PLACE = hasattr(os, "pread")
"""Windows does not."""


def input_name(path: str) -> str:
    """Return what to call an input in messages: its path, escaped where it has to be."""
    return "standard input" if path == STANDARD_INPUT else escaped(path)


def is_compressed(path: str) -> bool:
    """Say whether a file is gzip, by its name."""
    return path.lower().endswith(COMPRESSED)


def bare_name(path: str) -> str:
    """Return a path in lower case without the suffix of a compressed file."""
    return path.lower().removesuffix(COMPRESSED)


def read_file(path: str) -> bytes:
    """Return the bytes of a file that another one names; raises OSError.

    Nothing that can keep a run waiting is read: no FIFO, no terminal, no other device but one that
    is empty, such as ``/dev/null``.
    """
    descriptor = os.open(path, READ_AT_ONCE)
    try:
        if READS_AT_A_PLACE and (content := _read_short(descriptor)) is not None:
            return content
        status = os.fstat(descriptor)
        if stat.S_ISREG(status.st_mode):
            return _read_regular(descriptor, status.st_size)
        if problem := _kind_problem(status.st_mode, descriptor):
            raise OSError(errno.EINVAL, problem)
        return _read(descriptor, status.st_mode)
    finally:
        os.close(descriptor)


def read_named(path: str) -> bytes:
    """Return the bytes of a file that the user has named; raises OSError.

    It may be a pipe, as ``<(...)`` of a shell is.
    """
    descriptor = os.open(path, READ)
    try:
        return _read(descriptor, os.fstat(descriptor).st_mode)
    finally:
        os.close(descriptor)


def _read_short(descriptor: int) -> bytes | None:
    """Return the bytes of an open file on disk, if they are a few; None for all else.

    To find the end of a file takes less time than to ask what it is. What has no places, as a FIFO
    or a terminal, is not read; and a device has no place behind its end.
    """
    try:
        content = os.pread(descriptor, CHUNK, 0)
        if 0 < len(content) < CHUNK:
            if os.lseek(descriptor, 1, os.SEEK_END) == len(content) + 1:
                return content
            os.lseek(descriptor, 0, os.SEEK_SET)
    except OSError:
        pass
    return None


def _read_regular(descriptor: int, size: int) -> bytes:
    """Return the bytes of an open file on disk, at once if it has as many as is said of it."""
    # One more is asked for, as what the system makes up when it is read has no size.
    content = os.read(descriptor, size + 1)
    if len(content) == size:
        return content
    with os.fdopen(descriptor, "rb", closefd=False) as file:
        return content + file.read()


def _read(descriptor: int, mode: int) -> bytes:
    """Return the bytes of an open file."""
    content = os.read(descriptor, CHUNK)
    # A pipe gives what it has: only an empty read is the end of every kind of file.
    more = os.read(descriptor, 1)
    if not more:
        return content
    # A terminal gives line by line, so none of its reads is as long.
    if len(content) == CHUNK and stat.S_ISCHR(mode):
        raise OSError(errno.EINVAL, ENDLESS)
    with os.fdopen(descriptor, "rb", closefd=False) as file:
        return content + more + file.read()


def _kind_problem(mode: int, descriptor: int) -> str | None:
    """Return why what is no regular file is not read, in a few words."""
    if stat.S_ISFIFO(mode):
        return FIFO
    if not (stat.S_ISCHR(mode) or stat.S_ISBLK(mode)):
        return None
    try:
        return DEVICE if os.read(descriptor, 1) else None
    except BlockingIOError:
        return DEVICE


def read_input(path: str, expected: str) -> tuple[str, bytes]:
    """Read a whole file that the user has named, or standard input.

    Raises InputError if it cannot be read.

    Parameters
    ----------
    path : str
        ``-`` is standard input.
    expected : str
        What the file should be, for the message.

    Returns
    -------
    name : str
        What to call it in messages.
    data : bytes
    """
    name = input_name(path)
    if path != STANDARD_INPUT and (problem := file_problem(path, by_user=True)):
        raise InputError(f"{name}: {problem}; expected {expected}")
    try:
        if path == STANDARD_INPUT:
            return name, io.BufferedReader(standard_input(expected)).read()
        return name, read_named(path)
    except OSError as error:
        raise InputError(f"{name}: {error.strerror}; expected {expected}") from None


def standard_input(expected: str) -> io.RawIOBase:
    """Return standard input as a raw stream; raises InputError if it is closed."""
    if sys.stdin is None:
        raise InputError(f"standard input is closed; expected {expected}")
    buffer: Any = sys.stdin.buffer
    return _StandardInput(getattr(buffer, "raw", buffer))


class _StandardInput(io.RawIOBase):
    """Waits for standard input, also where it does not wait by itself; closing leaves it open."""

    def __init__(self, source: io.RawIOBase) -> None:
        self._source = source

    def readable(self) -> bool:
        """Say that it can be read."""
        return True

    def readinto(self, buffer: "WriteableBuffer", /) -> int:
        """Read into a buffer; raises OSError."""
        while (n_read := self._source.readinto(buffer)) is None:
            select.select([self._source], [], [])
        return n_read


def file_problem(path: str, *, by_user: bool = False) -> str | None:
    """Return why a file cannot be read, in a few words; None if it can.

    Only what is named `by_user`, on the command line, may be a pipe or a terminal.
    """
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        return "no such file"
    except (OSError, ValueError) as error:
        return (getattr(error, "strerror", None) or str(error)).lower()
    if problem := _mode_problem(mode, path, by_user):
        return problem
    # Where all the world may read, there is no need to ask on behalf of this user.
    if mode & WORLD_READABLE != WORLD_READABLE and not os.access(path, os.R_OK):
        return "no permission to read it"
    return None


def _mode_problem(mode: int, path: str, by_user: bool) -> str | None:
    """Return why something is not read that is no regular file."""
    if stat.S_ISREG(mode):
        return None
    if stat.S_ISDIR(mode):
        return "a directory, not a file"
    if stat.S_ISFIFO(mode):
        return None if by_user else FIFO
    if stat.S_ISCHR(mode) and os.path.realpath(path) in ENDLESS_DEVICES:
        return ENDLESS
    is_odd = stat.S_ISBLK(mode) or (stat.S_ISCHR(mode) and not by_user and not _is_null(path))
    return DEVICE if is_odd else None


def _is_null(path: str) -> bool:
    """Say whether a path leads to the device that is always empty."""
    return os.path.realpath(path) == os.devnull
