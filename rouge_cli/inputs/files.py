"""Read files: many small ones whole, with the cheapest calls, and large inputs as streams.

Streams are read from front to back, decompressed and decoded on the way. A name is a name: nothing
in it is ever run, expanded or searched for.
"""

import errno
import io
import os
import select
import stat
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, cast

from rouge_cli.errors import InputError
from rouge_cli.escapes import escaped

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

STANDARD_INPUT = "-"

OWN_TO_PROCESS = ("/dev/", "/proc/")
"""Paths that mean another file, or none, in another process."""

GZIP, BZIP2, XZ = "gzip", "bzip2", "xz"

COMPRESSED = {".gz": GZIP, ".bz2": BZIP2, ".xz": XZ}

WORLD_READABLE = stat.S_IRUSR | stat.S_IRGRP | stat.S_IROTH

ENDLESS = "a device that never ends, not a file"
ENDLESS_DEVICES = frozenset({"/dev/full", "/dev/random", "/dev/urandom", "/dev/zero"})
DEVICE = "a device, not a file"
FIFO = "a FIFO, not a regular file"

READ = os.O_RDONLY | getattr(os, "O_BINARY", 0)
READ_AT_ONCE = READ | getattr(os, "O_NONBLOCK", 0)
"""Flags that open a FIFO without waiting for a writer. Windows has no FIFOs."""

CHUNK = 1 << 12
"""Large enough for most summaries; a much larger buffer costs more than the read."""

ZEROS = bytes(4)
"""Zeros that begin no text, in any encoding."""

READS_AT_A_PLACE = hasattr(os, "pread")
"""Whether the system can read at an offset; Windows cannot."""


def input_name(path: str) -> str:
    """Return the name of an input in messages: its path, escaped where needed."""
    return "standard input" if path == STANDARD_INPUT else escaped(path)


def is_compressed(path: str) -> bool:
    """Return whether a file is compressed, by its name."""
    return path.lower().endswith(tuple(COMPRESSED))


def stem_of(path: str) -> str:
    """Return the name of a file without its suffix; empty for standard input and devices."""
    if path == STANDARD_INPUT or path.startswith(OWN_TO_PROCESS):
        return ""
    bare = path[: len(bare_name(path))]
    return os.path.splitext(os.path.basename(bare))[0]


def bare_name(path: str) -> str:
    """Return a path in lower case without the suffix of a compressed file."""
    name = path.lower()
    return os.path.splitext(name)[0] if is_compressed(path) else name


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
        return _read(descriptor, status.st_mode, begins_with_zeros)
    finally:
        os.close(descriptor)


def begins_with_zeros(head: bytes) -> bool:
    """Return whether the first bytes show that a file is not text."""
    return head.startswith(ZEROS)


IsHopeless = Callable[[bytes], bool]
"""Decides from the first bytes whether a file is refused without reading the rest."""


def read_named(path: str, is_hopeless: IsHopeless = begins_with_zeros) -> bytes:
    """Return the bytes of a file that the user has named, or its first; raises OSError.

    It may be a pipe, as ``<(...)`` of a shell is.
    """
    descriptor = os.open(path, READ)
    try:
        return _read(descriptor, os.fstat(descriptor).st_mode, is_hopeless)
    finally:
        os.close(descriptor)


def read_stream(stream: BinaryIO, is_hopeless: IsHopeless) -> bytes:
    """Return the bytes of a stream, or its first."""
    head = stream.read(CHUNK)
    return head if is_hopeless(head) else _with_rest(head, stream)


def _with_rest(head: bytes, stream: BinaryIO) -> bytes:
    content = io.BytesIO()
    content.write(head)
    while piece := stream.read(MEGABYTE):
        content.write(piece)
    # It does not copy them.
    return content.getvalue()


def _read_short(descriptor: int) -> bytes | None:
    """Return the bytes of an open file on disk, if they are a few; None for all else.

    To find the end of a file takes less time than to ask what it is. A FIFO or a terminal has no
    positions and is not read; a device has no position behind its end.
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
    # One byte more than `size`: files that the system makes up, as in /proc, say they have no size.
    content = os.read(descriptor, size + 1)
    if len(content) == size:
        return content
    with os.fdopen(descriptor, "rb", closefd=False) as file:
        return _with_rest(content, file)


def _read(descriptor: int, mode: int, is_hopeless: IsHopeless) -> bytes:
    content = os.read(descriptor, CHUNK)
    # A pipe gives what it has: only an empty read is the end of every kind of file.
    more = os.read(descriptor, 1)
    if not more:
        return content
    # A terminal gives line by line, so none of its reads is as long.
    if len(content) == CHUNK and stat.S_ISCHR(mode):
        raise OSError(errno.EINVAL, ENDLESS)
    if is_hopeless(content):
        return content
    with os.fdopen(descriptor, "rb", closefd=False) as file:
        return _with_rest(content + more, file)


def _kind_problem(mode: int, descriptor: int) -> str | None:
    if stat.S_ISFIFO(mode):
        return FIFO
    if not (stat.S_ISCHR(mode) or stat.S_ISBLK(mode)):
        return None
    try:
        return DEVICE if os.read(descriptor, 1) else None
    except BlockingIOError:
        return DEVICE


class FileState(NamedTuple):
    """File attributes that change when a file is written or replaced."""

    n_bytes: int
    nanoseconds: int
    inode: int

    @classmethod
    def of(cls, file: str | int) -> "FileState":
        """Return the state of a file, by path or descriptor; raises OSError."""
        status = os.stat(file)
        return cls(status.st_size, status.st_mtime_ns, status.st_ino)


def changed(name: str) -> InputError:
    """Return an InputError for a changed file, which would be half old and half new."""
    return InputError(f"{name}: changed while it was read; run again")


@contextmanager
def unchanged(path: str, name: str, known: dict[str, FileState] | None = None) -> Iterator[None]:
    """Refuse a file that is written or replaced while it is read; raises InputError.

    `known` has the states of files, by path, that are read more than once: as they were first. A
    pipe or a device has no state. What else is found wrong in a file that has changed is not told.
    """
    before = _regular_state(path)
    if known is not None:
        before = known.setdefault(path, before) if before else known.get(path)
    try:
        yield
    except InputError:
        if before is not None and _regular_state(path) != before:
            raise changed(name) from None
        raise
    if before is not None and _regular_state(path) != before:
        raise changed(name)


def _regular_state(path: str) -> FileState | None:
    """Return the state of a regular file, also as standard input; None of anything else."""
    try:
        file = sys.stdin.fileno() if path == STANDARD_INPUT else path
        return FileState.of(file) if stat.S_ISREG(os.stat(file).st_mode) else None
    except (OSError, ValueError, AttributeError):
        # No such file, or a standard input that is closed or is not the system's.
        return None


def read_input(
    path: str, expected: str, is_hopeless: IsHopeless = begins_with_zeros
) -> tuple[str, bytes]:
    """Read a whole file that the user has named, or standard input for ``-``.

    Returns its name in messages, and its bytes, of a file that `is_hopeless` only the first.
    `expected` says in the message of the InputError what the file should be.
    """
    name = input_name(path)
    if path != STANDARD_INPUT and (problem := file_problem(path, by_user=True)):
        raise InputError(f"{name}: {problem}; expected {expected}")
    try:
        with unchanged(path, name):
            if path == STANDARD_INPUT:
                return name, read_stream(io.BufferedReader(standard_input(expected)), is_hopeless)
            return name, read_named(path, is_hopeless)
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
        return True

    def readinto(self, buffer: "WriteableBuffer", /) -> int:
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
    # World-readable files need no check for this user.
    if mode & WORLD_READABLE != WORLD_READABLE and not os.access(path, os.R_OK):
        return "no permission to read it"
    return None


def _mode_problem(mode: int, path: str, by_user: bool) -> str | None:
    if stat.S_ISREG(mode):
        return None
    if stat.S_ISDIR(mode):
        return "a directory, not a file"
    if stat.S_ISFIFO(mode):
        return None if by_user else FIFO
    if stat.S_ISCHR(mode) and os.path.realpath(path) in ENDLESS_DEVICES:
        return ENDLESS
    is_odd = stat.S_ISCHR(mode) and not by_user and os.path.realpath(path) != os.devnull
    return DEVICE if is_odd or stat.S_ISBLK(mode) else None


MAGIC = {b"BZh%d1AY&SY" % level: BZIP2 for level in range(1, 10)}
MAGIC |= {b"\x1f\x8b": GZIP, b"\xfd7zXZ\0": XZ}

LONGEST_MAGIC = max(map(len, MAGIC))
BUFFER_BYTES = 1 << 17
STORED_BYTES = 1 << 13
"""Compressed bytes read at a time; they expand to at most about eight megabytes."""

MEGABYTE = 1 << 20
"""Of bytes or, in text, of characters."""

MOST_GROWTH, SMALL_BYTES = 250, 4 * MEGABYTE
"""Limit on the ratio of decoded to stored size, and the decoded size below which none applies.

Texts shrink to a third, tables of numbers to a twentieth. Gzip shrinks zeros to a thousandth, and
Parquet the same value in all rows to nothing.
"""


def check_growth(name: str, n_bytes: int, n_stored: int, remedy: str) -> None:
    """Refuse input that expands beyond the limit and may fill the memory; raises InputError.

    `n_bytes` is the decoded size of the `n_stored` bytes so far.
    """
    if n_bytes > max(SMALL_BYTES, MOST_GROWTH * n_stored):
        raise InputError(
            f"{name}: grows to more than {MOST_GROWTH} times its size when it is read; expected "
            f"texts or numbers that differ; if it is as it should be, {remedy}"
        )


@contextmanager
def open_input(
    path: str, expected: str, known: dict[str, FileState] | None = None
) -> Iterator[BinaryIO]:
    """Open an input that the user has named, and decompress it if it is gzip, bzip2 or xz.

    Its first bytes tell, but a file whose name ends in ``.gz``, ``.bz2`` or ``.xz`` has to be that.
    ``-`` is standard input. `expected` is what the input should be, for messages, such as ``"the
    file of records"``. The stream is buffered, to be read once; a read raises InputError, never
    OSError. Raises InputError if the input cannot be opened or read, if what is compressed is
    broken or truncated, if it grows as `check_growth` refuses, or if it changes, see `unchanged`.
    """
    name = input_name(path)
    with unchanged(path, name, known), _opened(path, name, expected) as raw:
        source = io.BufferedReader(_Guarded(raw, name, expected), BUFFER_BYTES)
        head = source.read(LONGEST_MAGIC)
        kind = next((kind for magic, kind in MAGIC.items() if head.startswith(magic)), None)
        suffix = os.path.splitext(path.lower())[1]
        if (named := COMPRESSED.get(suffix)) is not None and kind != named:
            problem = f"not {named}, though its name ends in {suffix}"
            problem = problem if head else f"an empty file, not {named}"
            raise InputError(f"{name}: {problem}; expected {expected}, compressed with {named}")
        if kind is None:
            if len(head) == LONGEST_MAGIC:
                # Return buffered data at once, for callers that look at the beginning.
                head += source.read1(BUFFER_BYTES)
            whole = _Guarded(source, name, expected, head)
            yield cast(BinaryIO, _Patient(whole, BUFFER_BYTES))
            return
        stored = _Stored(source, name, expected, head)
        with _decompressing(kind, stored) as content:
            grown = _Decompressed(content, name, expected, stored, kind)
            yield cast(BinaryIO, _Patient(grown, BUFFER_BYTES))


def _decompressing(kind: str, stored: io.RawIOBase) -> io.BufferedIOBase:
    # Imported here and below, because few inputs are compressed.
    from importlib import import_module

    module, name = {
        GZIP: ("gzip", "GzipFile"), BZIP2: ("bz2", "BZ2File"), XZ: ("lzma", "LZMAFile")
    }[kind]  # fmt: skip
    keywords = {"fileobj" if kind == GZIP else "filename": stored}
    content: io.BufferedIOBase = getattr(import_module(module), name)(**keywords)
    return content


class Spools(dict[str, Any]):
    """Copies of inputs that can be read only once, by path; closed with the source of a run."""

    def __del__(self) -> None:
        for spool in self.values():
            spool.close()


SPOOL_BYTES = 1 << 24
"""Spill copies above this size to an unnamed temporary file."""


@contextmanager
def open_again(
    path: str, expected: str, known: dict[str, FileState], spools: dict[str, Any]
) -> Iterator[BinaryIO]:
    """Open an input as `open_input` does, as often as it is wanted; raises InputError.

    What can be read only once, such as a pipe, is copied into `spools` first.
    """
    if path not in spools and _can_be_reopened(path):
        with open_input(path, expected, known) as stream:
            yield stream
        return
    if path not in spools:
        spools[path] = _spooled(path, expected)
    spools[path].seek(0)
    yield spools[path]


def _can_be_reopened(path: str) -> bool:
    return (
        path != STANDARD_INPUT
        and not path.startswith(OWN_TO_PROCESS)
        and (not os.path.exists(path) or os.path.isfile(path) or os.path.isdir(path))
    )


def _spooled(path: str, expected: str) -> Any:
    import tempfile  # few runs need one

    spool = tempfile.SpooledTemporaryFile(SPOOL_BYTES)  # noqa: SIM115 - it lives as its source does
    with ExitStack() as stack:
        stack.callback(spool.close)
        with open_input(path, expected) as stream:
            try:
                while piece := stream.read(MEGABYTE):
                    spool.write(piece)
                    if begins_with_zeros(piece):
                        # No text; an endless input would fill the disk.
                        break
            except OSError as error:
                raise InputError(
                    f"{input_name(path)}: no copy of it can be written to "
                    f"{tempfile.gettempdir()}: {error.strerror}; set TMPDIR to a folder with more "
                    "room"
                ) from None
        stack.pop_all()
    return spool


@contextmanager
def _opened(path: str, name: str, expected: str) -> Iterator[io.IOBase]:
    if path == STANDARD_INPUT:
        yield standard_input(expected)
        return
    if problem := file_problem(path, by_user=True):
        raise InputError(f"{name}: {problem}; expected {expected}")
    try:
        file = io.FileIO(path)
    except OSError as error:
        raise _unreadable(error, name, expected) from None
    with file:
        yield file


class _Guarded(io.RawIOBase):
    """Some bytes and then all of a source, whose errors become InputError."""

    _kind = GZIP

    def __init__(self, source: io.IOBase, name: str, expected: str, head: bytes = b"") -> None:
        self._source = source
        self._name = name
        self._expected = expected
        self._head = head

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer", /) -> int | None:
        view = memoryview(buffer).cast("B")
        if self._head:
            count = min(len(self._head), len(view))
            view[:count], self._head = self._head[:count], self._head[count:]
            return count
        try:
            n_read = self._read_into(view)
        except (OSError, EOFError, zlib.error) as error:
            raise _unreadable(error, self._name, self._expected, self._kind) from None
        except Exception as error:
            if type(error).__name__ != "LZMAError":
                raise
            raise _unreadable(error, self._name, self._expected, self._kind) from None
        return n_read

    def _read_into(self, view: memoryview) -> int | None:
        n_read: int | None = self._source.readinto(view)  # type: ignore[attr-defined]
        return n_read


class _Patient(io.BufferedReader):
    """Hands out what it has read before an error; the error comes with the next bytes.

    Messages on a damaged file must not depend on the size of reads.
    """

    _error: InputError | None = None

    def read(self, size: int | None = -1, /) -> bytes:
        if self._error is not None:
            raise self._error
        if size is None or size < 0:
            return super().read(size)
        parts: list[bytes] = []
        n_left = size
        try:
            while n_left and (part := self.read1(n_left)):
                parts.append(part)
                n_left -= len(part)
        except InputError as error:
            if not parts:
                raise
            self._error = error
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def readline(self, size: int | None = -1, /) -> bytes:
        if self._error is not None:
            raise self._error
        return super().readline(-1 if size is None else size)


class _Stored(_Guarded):
    """Counted compressed bytes, read a few at a time."""

    n_bytes = 0

    def readinto(self, buffer: "WriteableBuffer", /) -> int | None:
        n_read = super().readinto(memoryview(buffer).cast("B")[:STORED_BYTES])
        self.n_bytes += n_read or 0
        return n_read


class _Decompressed(_Guarded):
    """Decompressed bytes, up to a limit."""

    def __init__(
        self, content: io.IOBase, name: str, expected: str, stored: _Stored, kind: str
    ) -> None:
        super().__init__(content, name, expected)
        self._stored, self._kind = stored, kind
        self._n_bytes = 0

    def readinto(self, buffer: "WriteableBuffer", /) -> int | None:
        n_read = super().readinto(buffer)
        self._n_bytes += n_read or 0
        check_growth(self._name, self._n_bytes, self._stored.n_bytes, "decompress it first")
        return n_read

    def _read_into(self, view: memoryview) -> int:
        """Read what is decompressed at once: all that there is before an error."""
        n_read: int = self._source.readinto1(view)  # type: ignore[attr-defined]
        return n_read


def _unreadable(error: Exception, name: str, expected: str, kind: str = GZIP) -> InputError:
    code = error.errno if isinstance(error, OSError) else None
    if isinstance(error, EOFError):
        problem = f"truncated {kind}, it ends before its end; fetch or compress it again"
    elif code is None:
        problem = f"broken {kind}: {error}; fetch or compress it again"
    else:
        problem = os.strerror(code)
    return InputError(f"{name}: {problem}; expected {expected}")
