"""Files and folders that are written completely or not at all, and delayed signals.

A draft is written next to the target, synced to disk, and renamed. Several files of a run form one
unit: all drafts are synced before the first is renamed. A draft takes over the permissions and the
owner of the file that it replaces; until then, only the user can read it. A symbolic link is kept,
and its target replaced. Pipes and devices cannot be replaced, so they are written directly.
"""

import atexit
import errno
import io
import os
import select
import signal
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import current_thread, main_thread
from typing import Any, BinaryIO

from rouge_cli.errors import InputError
from rouge_cli.escapes import escaped

# Paths that may lead to a file held open by a shell, which must not be replaced.
DIRECT_PATHS = ("/dev/stdout", "/dev/stderr", "/dev/fd/", "/proc/")

# Otherwise Windows would write a carriage return before each newline.
BINARY = getattr(os, "O_BINARY", 0)

NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | BINARY
NEW_MODE, PRIVATE_MODE = 0o666, 0o600
NEW_FOLDER_MODE, PRIVATE_FOLDER_MODE = 0o777, 0o700

# Ignored errors of syncing a folder, which some network file systems do not support, and which
# requires read permission.
NOT_SYNCED = frozenset({errno.EINVAL, errno.ENOTSUP, errno.EACCES, errno.EBADF})

FEW_FILES = 16
"""Maximum number of files of a folder that are synced one by one, at 2 to 5 ms each. For more, the
whole file system is synced."""

ENDING_SIGNALS = frozenset(
    # Windows has no SIGHUP.
    getattr(signal, name)
    for name in ("SIGINT", "SIGTERM", "SIGHUP")
    if hasattr(signal, name)
)


class UnsyncedError(OSError):
    """A file or folder is complete and in place, but may be lost in a crash.

    `path` is its path as typed.
    """

    path = ""


def file_problem(path: str) -> str | None:
    """Explain in a few words why a file cannot be written; None if it can."""
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
    return None if is_direct(path) else _folder_problem(path)


def _folder_problem(path: str) -> str | None:
    folder = os.path.dirname(os.path.realpath(path))
    if not os.path.isdir(folder):
        return f"no folder {folder!r}; make it first, or name another file"
    if not os.access(folder, os.W_OK | os.X_OK):
        return f"no permission to make files in the folder {folder!r}, as is needed to replace it"
    return None


def write_all(descriptor: int, content: bytes | memoryview) -> None:
    """Write all bytes, waiting if a non-blocking pipe is full; raises OSError."""
    rest = memoryview(content)
    while rest:
        try:
            n_written = os.write(descriptor, rest)
        except BlockingIOError:
            _wait_for_room(descriptor)
            continue
        if not n_written:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        rest = rest[n_written:]


class NewFiles:
    """Files that are written as one unit: none is put in place before all are complete.

    The end of the context removes drafts that have not been put in place.
    """

    def __init__(self) -> None:
        # For each draft, the path as typed, and the file that it leads to.
        self._drafts: dict[str, tuple[str, str]] = {}

    def __enter__(self) -> "NewFiles":
        return self

    def __exit__(self, *_: object) -> None:
        for draft in list(self._drafts):
            self._remove(draft)

    def write(self, path: str, content: bytes) -> None:
        """Write the draft of a file, or directly to a pipe or device; raises OSError."""
        with self._stream(path) as file:
            file.write(content)

    @contextmanager
    def open(self, path: str) -> Iterator[BinaryIO]:
        """Write the draft of a file as a stream; raises InputError."""
        with output_errors(path), self._stream(path) as file:
            yield file

    def put_in_place(self) -> None:
        """Rename all drafts, with signals held.

        Raises OSError that names the file that cannot be renamed, and those renamed before it; or
        UnsyncedError if all files are in place, but a folder could not be synced.
        """
        placed: dict[str, str] = {}
        with signals_held():
            for draft, (path, target) in list(self._drafts.items()):
                try:
                    os.replace(draft, target)
                except OSError as error:
                    others = ", ".join(map(escaped, placed))
                    before = f"; written before it: {others}" if others else ""
                    raise OSError(error.errno, f"{error.strerror}{before}", path) from None
                del self._drafts[draft]
                placed[path] = target
        for path, target in {os.path.dirname(item[1]): item for item in placed.items()}.values():
            sync_above(target, path)

    @contextmanager
    def _stream(self, path: str) -> Iterator[BinaryIO]:
        try:
            replaced = os.stat(path)
        except FileNotFoundError:
            replaced = None
        if is_direct(path):
            # Append, since a shell may have opened the file for appending.
            with _writing(os.open(path, os.O_WRONLY | os.O_APPEND | BINARY)) as file:
                yield file
            return
        target = os.path.realpath(path)
        draft = draft_name(target)
        # Registered before it exists, since a signal may arrive right after its creation.
        self._drafts[draft] = (path, target)
        try:
            mode = PRIVATE_MODE if replaced else NEW_MODE
            with _writing(os.open(draft, NEW_FILE, mode)) as file:
                yield file
                file.flush()
                if replaced is not None:
                    take_after(file.fileno(), replaced)
                os.fsync(file.fileno())
        except BaseException:
            self._remove(draft)
            raise

    def _remove(self, draft: str) -> None:
        with suppress(OSError):
            os.unlink(draft)
        self._drafts.pop(draft, None)


@contextmanager
def new_file(path: str) -> Iterator[BinaryIO]:
    """Write a single file as a stream, which replaces `path` at the end; raises InputError."""
    with NewFiles() as files:
        with files.open(path) as file:
            yield file
        with output_errors(path):
            files.put_in_place()


class _Whole(io.FileIO):
    """A raw stream that writes all bytes of each call."""

    def write(self, content: Any, /) -> int:
        write_all(self.fileno(), content)
        return len(content)


@contextmanager
def _writing(descriptor: int) -> Iterator[BinaryIO]:
    with closing_descriptor(descriptor), _Whole(descriptor, "wb", closefd=False) as whole:
        # After a failure, `whole` is closed first, so the buffer is not flushed to it.
        file = io.BufferedWriter(whole)
        yield file
        file.flush()


@contextmanager
def closing_descriptor(descriptor: int) -> Iterator[int]:
    """Close a descriptor at the end; raises OSError, as some systems then report failed writes."""
    try:
        yield descriptor
    except BaseException:
        with suppress(OSError):
            os.close(descriptor)
        raise
    os.close(descriptor)


@contextmanager
def output_errors(path: str) -> Iterator[None]:
    """Turn an OSError into an InputError that names the output."""
    try:
        yield
    except UnsyncedError as error:
        raise InputError(f"{escaped(path)}: {error}") from None
    except OSError as error:
        reason = error.strerror or error
        raise InputError(f"{escaped(path)}: cannot be written: {reason}") from None


def _wait_for_room(descriptor: int) -> None:
    # This also returns when the reader is gone. `select` fails for descriptors from 1024 on.
    if hasattr(select, "poll"):
        poll = select.poll()
        poll.register(descriptor, select.POLLOUT)
        poll.poll()
    else:
        select.select([], [descriptor], [])


def draft_name(target: str) -> str:
    """Return an unused name in the folder of the target."""
    return os.path.join(os.path.dirname(target), f".rouge-cli-{os.urandom(8).hex()}.tmp")


def is_direct(path: str) -> bool:
    """Return whether to write a file directly: it is not regular, or a shell may hold it open."""
    try:
        is_special = not stat.S_ISREG(os.stat(path).st_mode)
    except (OSError, ValueError):
        is_special = False
    return is_special or os.path.abspath(path).startswith(DIRECT_PATHS)


def take_after(draft: int | str, replaced: os.stat_result) -> None:
    """Give a draft the owner and permissions of the file that it will replace, as far as allowed.

    If the group cannot be kept, the new group gets at most the rights of others.
    """
    # Only root may give files away. Permissions come last, because changing the owner resets some.
    if os.name != "posix":
        return
    mode = stat.S_IMODE(replaced.st_mode)
    try:
        os.chown(draft, -1, replaced.st_gid)
    except OSError:
        mode &= ~(stat.S_ISGID | stat.S_IRWXG) | (mode & stat.S_IRWXO) << 3
    try:
        os.chown(draft, replaced.st_uid, -1)
    except OSError:
        mode &= ~stat.S_ISUID
    os.chmod(draft, mode)


def sync(path: str) -> None:
    """Sync a file or folder to disk; Windows cannot sync folders."""
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


def sync_above(target: str, path: str) -> None:
    """Sync the parent of a renamed file or folder; raises UnsyncedError."""
    try:
        sync(os.path.dirname(target))
    except OSError as error:
        unsynced = UnsyncedError(
            "is complete, but may be lost in a crash: its folder cannot be synced: "
            f"{error.strerror or error}"
        )
        unsynced.path = path
        raise unsynced from None


def folder_problem(path: str) -> str | None:
    """Explain in a few words why `new_folder` cannot make a folder; None if it can."""
    if os.path.isdir(path):
        if os.listdir(path):
            return "a folder that is not empty; name a new one"
        if os.path.samefile(path, os.curdir):
            return "the working directory; name a folder in it"
    elif os.path.lexists(path):
        return "not a folder; name a new one"
    parent = os.path.dirname(os.path.realpath(path))
    if not os.path.isdir(parent):
        return f"no folder {parent!r}; make it first"
    if not os.access(parent, os.W_OK | os.X_OK):
        return f"no permission to make folders in {parent!r}"
    return None


@contextmanager
def new_folder(path: str, *, renews: bool = False) -> Iterator[str]:
    """Make a folder completely or not at all; yields the draft, into which to write.

    `path` does not exist or is an empty folder; with `renews`, old content is replaced. Raises
    InputError if the folder cannot be written. The old one is then unchanged, unless the message
    says that the new one is complete, but may not survive a crash.
    """
    with output_errors(path):
        target = os.path.realpath(path)
        draft = draft_name(target)
        replaced = os.stat(target) if os.path.isdir(target) else None
        with _made_folder(draft, NEW_FOLDER_MODE if replaced is None else PRIVATE_FOLDER_MODE):
            yield draft
            _sync_folders(draft)
            if replaced is not None:
                take_after(draft, replaced)
            _put_in_place(draft, target, renews=renews)
        sync_above(target, path)


def write_new(path: str, content: bytes, mode: int) -> None:
    """Write a file in a folder made by `new_folder`; raises OSError."""
    with closing_descriptor(os.open(path, NEW_FILE, mode)) as descriptor:
        write_all(descriptor, content)


@contextmanager
def temporary_folder() -> Iterator[str]:
    """Provide a private folder in TMPDIR, and remove it at the end; raises OSError."""
    import tempfile

    with signals_held():
        # This tests TMPDIR with a file, which a signal could leave behind.
        parent = tempfile.gettempdir()
    folder = os.path.join(parent, f"rouge-cli-{os.urandom(8).hex()}")
    with _made_folder(folder, PRIVATE_FOLDER_MODE):
        yield folder


@contextmanager
def _made_folder(path: str, mode: int) -> Iterator[None]:
    """Make a folder and, unless it has been renamed, remove it at the end."""
    # A signal may arrive after a context was entered, but before its block began. Then nothing else
    # ends the context. Forked processes run exit handlers too, and must not remove the folder.
    maker = os.getpid()

    def remove() -> None:
        if os.getpid() == maker:
            remove_folder(path)

    atexit.register(remove)
    try:
        # Inside `try`, since a signal may arrive right after the folder is made.
        os.mkdir(path, mode)
        yield
    finally:
        # An interrupted removal would leave files behind.
        with signals_held():
            remove_folder(path)
            atexit.unregister(remove)


def remove_folder(path: str) -> None:
    """Remove a folder and its content as far as possible; raises nothing."""
    # Why not `shutil.rmtree`? It gives up on a folder at the first failing call.
    for folder, folders, files in os.walk(path, topdown=False):
        for remove, names in ((os.unlink, files), (os.rmdir, folders)):
            for name in names:
                with suppress(OSError):
                    remove(os.path.join(folder, name))
    with suppress(OSError):
        os.rmdir(path)


def _put_in_place(draft: str, target: str, *, renews: bool) -> None:
    """Rename a draft to its target. If that fails, the old folder is restored."""
    is_swapped = os.path.isdir(target) and (os.name != "posix" or (renews and os.listdir(target)))
    if not is_swapped:
        # On POSIX, renaming replaces an empty folder in one step.
        os.rename(draft, target)
        return
    old = f"{draft}.old"
    try:
        os.rename(target, old)
        os.rename(draft, target)
    finally:
        if not os.path.lexists(target):
            os.rename(old, target)
        elif renews:
            remove_folder(old)
        else:
            # It is empty, unless another program has just put a file into it.
            with suppress(OSError):
                os.rmdir(old)


def _sync_folders(top: str) -> None:
    folders, files = [], []
    for folder, _, names in os.walk(top):
        folders.append(folder)
        files += [os.path.join(folder, name) for name in names]
    if len(files) > FEW_FILES and hasattr(os, "sync"):
        os.sync()
    else:
        for path in (*files, *reversed(folders)):
            sync(path)


@contextmanager
def signals_held() -> Iterator[None]:
    """Delay the exceptions that signals raise until the end of the block.

    Python raises them in the main thread, between any two instructions. Some code cannot handle
    that: fork callbacks ignore the exception, and a library that has just created a file leaves it
    behind.
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
