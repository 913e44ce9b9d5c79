"""Files that are written whole or not at all.

Each is made under another name beside its target, brought to the disk, and renamed. A file that
is replaced keeps its permissions and its owner, and nobody else can read the draft before it has
them. A symbolic link stays, and what it leads to is replaced. Pipes and devices, which nothing can
replace, are written as they are.
"""

import errno
import io
import os
import select
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from typing import Any, BinaryIO

from rouge_cli.errors import InputError
from rouge_cli.escapes import escaped

__all__ = [
    "UnsyncedError",
    "draft_name",
    "file_problem",
    "new_file",
    "output_errors",
    "sync",
    "sync_above",
    "take_after",
    "write_all",
    "write_file",
]

DIRECT_PLACES = ("/dev/stdout", "/dev/stderr", "/dev/fd/", "/proc/")
"""These may lead to a file that a shell holds open, which must not be replaced."""

BINARY = getattr(os, "O_BINARY", 0)
"""Windows would put a carriage return before each newline without it."""

NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | BINARY
NEW_MODE, PRIVATE_MODE = 0o666, 0o600

NOT_SYNCED = frozenset({errno.EINVAL, errno.ENOTSUP, errno.EACCES, errno.EBADF})
"""What a system says of a folder that it cannot sync: some network file systems cannot, and it
takes the permission to read it."""

CANNOT_WAIT = frozenset({errno.EAGAIN, errno.EWOULDBLOCK})


class UnsyncedError(OSError):
    """Says of what is written, whole and in its place, that the system may still lose it."""


def file_problem(path: str) -> str | None:
    """Return why a file cannot be written, in a few words; None if it can, as far as one sees."""
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
    return None if _is_direct(path, mode) else _place_problem(path)


def _place_problem(path: str) -> str | None:
    """Return why no file can be made in the folder of a file; None if one can."""
    folder = os.path.dirname(os.path.realpath(path))
    if not os.path.isdir(folder):
        return f"no folder {folder!r}; make it first, or name another file"
    if not os.access(folder, os.W_OK | os.X_OK):
        return f"no permission to make files in the folder {folder!r}, as is needed to replace it"
    return None


def write_all(descriptor: int, content: bytes | memoryview) -> None:
    """Write all bytes, however few the system takes at a time; raises OSError.

    Where a pipe is full that does not wait by itself, this waits.
    """
    rest = memoryview(content)
    while rest:
        try:
            n_written = os.write(descriptor, rest)
        except OSError as error:
            if error.errno not in CANNOT_WAIT:
                raise
            _wait_for_room(descriptor)
            continue
        if not n_written:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        rest = rest[n_written:]


def write_file(path: str, content: bytes) -> None:
    """Write a file at once.

    Raises
    ------
    OSError
        The file is then as it was before, unless it is a pipe or a device.
    UnsyncedError
        The new one stands there; only the sync of its folder failed.
    """
    with _descriptor_of(path) as descriptor:
        write_all(descriptor, content)


@contextmanager
def new_file(path: str) -> Iterator[BinaryIO]:
    """Write a file piece by piece; it takes the place of `path` at the end.

    Raises
    ------
    InputError
        If it cannot be written.
    """
    with (
        output_errors(path),
        _descriptor_of(path) as descriptor,
        closing(_Whole(descriptor)) as whole,
    ):
        # What is in the buffer when something fails is not written to a descriptor that is closed.
        file = io.BufferedWriter(whole)
        yield file
        file.flush()


class _Whole(io.RawIOBase):
    """A raw stream that writes all it is given; closing it leaves the descriptor open."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def writable(self) -> bool:
        return True

    def write(self, content: Any, /) -> int:
        write_all(self._descriptor, content)
        return len(content)


@contextmanager
def _descriptor_of(path: str) -> Iterator[int]:
    """Open what becomes a file, which takes its place at the end; raises OSError."""
    try:
        found = os.stat(path)
    except FileNotFoundError:
        found = None
    if _is_direct(path, None if found is None else found.st_mode):
        # Where a shell has opened a file to append to it, what stands in it stays.
        with closing_descriptor(os.open(path, os.O_WRONLY | os.O_APPEND | BINARY)) as descriptor:
            yield descriptor
        return
    target = os.path.realpath(path)
    draft = draft_name(target)
    try:
        with closing_descriptor(
            os.open(draft, NEW_FILE, PRIVATE_MODE if found else NEW_MODE)
        ) as descriptor:
            yield descriptor
            if found is not None:
                take_after(descriptor, found)
            os.fsync(descriptor)
        os.replace(draft, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(draft)
        raise
    sync_above(target)


@contextmanager
def closing_descriptor(descriptor: int) -> Iterator[int]:
    """Close a descriptor at the end; raises OSError, also if that shows what was not written."""
    try:
        yield descriptor
    except BaseException:
        with suppress(OSError):
            os.close(descriptor)
        raise
    os.close(descriptor)


@contextmanager
def output_errors(path: str) -> Iterator[None]:
    """Turn an OSError within into an InputError that names the output."""
    try:
        yield
    except UnsyncedError as error:
        raise InputError(f"{escaped(path)}: {error}") from None
    except OSError as error:
        reason = error.strerror or error
        raise InputError(f"{escaped(path)}: cannot be written: {reason}") from None


def _wait_for_room(descriptor: int) -> None:
    """Wait until a pipe that is full takes more, or has nobody who reads it."""
    if hasattr(select, "poll"):
        poll = select.poll()
        poll.register(descriptor, select.POLLOUT)
        poll.poll()
    else:
        select.select([], [descriptor], [])


def draft_name(target: str) -> str:
    """Return a name beside the target that nothing has."""
    return os.path.join(os.path.dirname(target), f".rouge-cli-{os.urandom(8).hex()}.tmp")


def _is_direct(path: str, mode: int | None) -> bool:
    """Return whether a file is written as it is: nothing can take its place."""
    if mode is not None and not stat.S_ISREG(mode):
        return True
    return os.path.abspath(path).startswith(DIRECT_PLACES)


def take_after(draft: int | str, found: os.stat_result) -> None:
    """Give a draft the owner and the permissions of what it is to replace.

    Only root may give a file away. Where its group cannot be kept, the new group may do no more
    than everybody; the permissions come last, as a change of owner changes them.
    """
    if os.name != "posix":
        return
    mode = stat.S_IMODE(found.st_mode)
    try:
        os.chown(draft, -1, found.st_gid)
    except OSError:
        mode &= ~(stat.S_ISGID | stat.S_IRWXG) | (mode & stat.S_IRWXO) << 3
    try:
        os.chown(draft, found.st_uid, -1)
    except OSError:
        mode &= ~stat.S_ISUID
    os.chmod(draft, mode)


def sync(path: str) -> None:
    """Bring a file or a folder to the disk; Windows has no way to do so for a folder."""
    is_folder = os.path.isdir(path)
    if is_folder and os.name != "posix":
        return
    try:
        with closing_descriptor(
            os.open(path, (os.O_RDONLY if is_folder else os.O_RDWR) | BINARY)
        ) as descriptor:
            os.fsync(descriptor)
    except OSError as error:
        if not (is_folder and error.errno in NOT_SYNCED):
            raise


def sync_above(target: str) -> None:
    """Bring the folder of what has been put in its place to the disk; raises UnsyncedError."""
    try:
        sync(os.path.dirname(target))
    except OSError as error:
        raise UnsyncedError(
            "is written and whole, but may not outlast a crash: its folder cannot be synced: "
            f"{error.strerror or error}"
        ) from None
