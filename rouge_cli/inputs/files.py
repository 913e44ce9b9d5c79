"""Reads many small files as a whole, with the cheapest system calls, and large inputs as streams.

Streams are read from front to back and decompressed on the way. Names are taken literally: nothing
in them is expanded, searched for or executed.
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
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from rouge_cli.errors import InputError
from rouge_cli.escapes import escaped

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

STANDARD_INPUT = "-"

OWN_TO_PROCESS = ("/dev/", "/proc/")
"""Beginnings of paths that mean a different file, or none, in another process."""

GZIP, BZIP2, XZ = "gzip", "bzip2", "xz"

COMPRESSED = {".gz": GZIP, ".bz2": BZIP2, ".xz": XZ}

WORLD_READABLE = stat.S_IRUSR | stat.S_IRGRP | stat.S_IROTH

ENDLESS = "a device that never ends, not a file"
ENDLESS_DEVICES = frozenset({"/dev/full", "/dev/random", "/dev/urandom", "/dev/zero"})
DEVICE = "a device, not a file"
FIFO = "a FIFO, not a regular file"

READ = os.O_RDONLY | getattr(os, "O_BINARY", 0)
READ_AT_ONCE = READ | getattr(os, "O_NONBLOCK", 0)
"""Flags with which opening a FIFO does not wait for a writer. Windows has no FIFOs."""

CHUNK = 1 << 12
"""Bytes of the first read; enough for most summaries. Allocating a much larger buffer would take
longer than the read."""

ZEROS = bytes(4)
"""Zero bytes with which no text begins, in any encoding."""

READS_AT_A_PLACE = hasattr(os, "pread")
"""Whether the system can read at an offset; Windows cannot."""


def input_name(path: str) -> str:
    """Return the name of an input in messages: its escaped path, or ``standard input``."""
    return "standard input" if path == STANDARD_INPUT else escaped(path)


def is_compressed(path: str) -> bool:
    """Return whether the name of a file has the suffix of a compressed file."""
    return path.lower().endswith(tuple(COMPRESSED))


def stem_of(path: str) -> str:
    """Return the name of a file without its suffix; empty for standard input and devices."""
    if path == STANDARD_INPUT or path.startswith(OWN_TO_PROCESS):
        return ""
    bare = path[: len(bare_name(path))]
    return os.path.splitext(os.path.basename(bare))[0]


def bare_name(path: str) -> str:
    """Return a path in lower case, without the suffix of a compressed file if it has one."""
    name = path.lower()
    return os.path.splitext(name)[0] if is_compressed(path) else name


def read_file(path: str) -> bytes:
    """Return the content of a file that is named in another file; raises OSError.

    Anything that could block the run is refused: FIFOs, terminals, and all other devices except
    empty ones, such as ``/dev/null``.
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
    """Return whether the first bytes of a file are zeros, so that it is not text."""
    return head.startswith(ZEROS)


IsHopeless = Callable[[bytes], bool]
"""Decides by the first bytes whether a file will be refused, so that the rest need not be read."""


def read_named(path: str, is_hopeless: IsHopeless = begins_with_zeros) -> bytes:
    """Return the content of a file named by the user, or only its beginning; raises OSError.

    Only the beginning is returned if `is_hopeless` returns true. Unlike for `read_file`, it may be
    a pipe, such as the shell's ``<(...)``.
    """
    descriptor = os.open(path, READ)
    try:
        return _read(descriptor, os.fstat(descriptor).st_mode, is_hopeless)
    finally:
        os.close(descriptor)


def read_stream(stream: BinaryIO, is_hopeless: IsHopeless) -> bytes:
    """Return the content of a stream, or only its beginning if `is_hopeless` returns true."""
    head = stream.read(CHUNK)
    return head if is_hopeless(head) else _with_rest(head, stream)


def _with_rest(head: bytes, stream: BinaryIO) -> bytes:
    content = io.BytesIO()
    content.write(head)
    while piece := stream.read(MEGABYTE):
        content.write(piece)
    # `getvalue` does not copy the bytes.
    return content.getvalue()


def _read_short(descriptor: int) -> bytes | None:
    # Return the content of an open file on disk if it is shorter than `CHUNK`, otherwise None.
    # Seeking to the end takes less time than `fstat`. `pread` fails on a FIFO or a terminal, which
    # have no positions, and seeking beyond the end fails, or has no effect, on other devices.
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
    # Read one byte more than `size`: files generated by the system, as in /proc, have size 0.
    content = os.read(descriptor, size + 1)
    if len(content) == size:
        return content
    with os.fdopen(descriptor, "rb", closefd=False) as file:
        return _with_rest(content, file)


def _read(descriptor: int, mode: int, is_hopeless: IsHopeless) -> bytes:
    content = os.read(descriptor, CHUNK)
    # A read from a pipe may be short; only an empty read means the end for every kind of file.
    more = os.read(descriptor, 1)
    if not more:
        return content
    # Reads from a terminal end with the line, so a full chunk comes from an endless device.
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


FileState = tuple[int, int, int]
"""Size in bytes, time of modification in nanoseconds, and inode. At least one of them changes when
a file is written or replaced."""


def state_of(file: str | int) -> FileState:
    """Return the state of a file, by path or descriptor; raises OSError."""
    status = os.stat(file)
    return status.st_size, status.st_mtime_ns, status.st_ino


def changed(name: str) -> InputError:
    """Return an InputError for a file of which an old and a new part may have been read."""
    return InputError(f"{name}: changed while it was read; run again")


@contextmanager
def unchanged(path: str, name: str, known: dict[str, FileState] | None = None) -> Iterator[None]:
    """Raise InputError if a file is modified or replaced while it is read.

    `known` maps the paths of files that are read repeatedly to their states before the first
    reading. Pipes and devices have no state. If the file has changed, other InputErrors about its
    content are replaced, because they may be consequences.
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
    # The state of a regular file, which may be standard input; None for anything else.
    try:
        file = sys.stdin.fileno() if path == STANDARD_INPUT else path
        return state_of(file) if stat.S_ISREG(os.stat(file).st_mode) else None
    except (OSError, ValueError, AttributeError):
        # There is no such file, or standard input is closed or was replaced by a Python object.
        return None


def read_input(
    path: str, expected: str, is_hopeless: IsHopeless = begins_with_zeros
) -> tuple[str, bytes]:
    """Read a file named by the user, or standard input for ``-``; raises InputError.

    Returns the file's name in messages and its content, or only the beginning of the content if
    `is_hopeless` returns true. `expected` describes the expected content in messages.
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
    """Standard input, waiting for data even in non-blocking mode; closing it has no effect."""

    def __init__(self, source: io.RawIOBase) -> None:
        self._source = source

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer", /) -> int:
        while (n_read := self._source.readinto(buffer)) is None:
            select.select([self._source], [], [])
        return n_read


def file_problem(path: str, *, by_user: bool = False) -> str | None:
    """Return the reason why a file cannot be read, in a few words; None if it can.

    Only files named `by_user`, on the command line, may be pipes or terminals.
    """
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        return "no such file"
    except (OSError, ValueError) as error:
        return (getattr(error, "strerror", None) or str(error)).lower()
    if problem := _mode_problem(mode, path, by_user):
        return problem
    # Most files are world-readable, which saves the system call of `access`.
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
"""Number of compressed bytes read at a time; they expand to at most about eight megabytes."""

MEGABYTE = 1 << 20
"""Number of bytes in a megabyte; in decoded text, of characters."""

MOST_GROWTH, SMALL_BYTES = 250, 4 * MEGABYTE
"""Limit on the ratio of decoded to stored size, and the decoded size up to which it is ignored.

Compression reduces texts to a third, and tables of numbers to a twentieth. But Gzip reduces zeros
to a thousandth, and Parquet a column of equal values to almost nothing.
"""


def check_growth(name: str, n_bytes: int, n_stored: int, remedy: str) -> None:
    """Raise InputError if input expands so much that it may fill the memory.

    `n_bytes` is the size to which the first `n_stored` bytes were decoded.
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
    """Open an input named by the user, decompressing gzip, bzip2 and xz; ``-`` is standard input.

    Compression is recognised by the first bytes; a file with the suffix ``.gz``, ``.bz2`` or
    ``.xz`` must be compressed accordingly. `expected` describes the content in messages, such as
    ``"the file of records"``. The stream is buffered, and can be read once.

    Raises InputError, as does reading the stream, never OSError: if the input cannot be read, if
    compressed data are damaged or truncated, if `check_growth` refuses their size, or if the file
    changes, see `unchanged`.
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
                # Take what is buffered, for callers that peek at the beginning of the stream.
                head += source.read1(BUFFER_BYTES)
            whole = _Guarded(source, name, expected, head)
            yield cast(BinaryIO, _Patient(whole, BUFFER_BYTES))
            return
        stored = _Stored(source, name, expected, head)
        with _decompressing(kind, stored) as content:
            grown = _Decompressed(content, name, expected, stored, kind)
            yield cast(BinaryIO, _Patient(grown, BUFFER_BYTES))


def _decompressing(kind: str, stored: io.RawIOBase) -> io.BufferedIOBase:
    # These modules are imported when needed, because few inputs are compressed.
    from importlib import import_module

    module, name = {
        GZIP: ("gzip", "GzipFile"), BZIP2: ("bz2", "BZ2File"), XZ: ("lzma", "LZMAFile")
    }[kind]  # fmt: skip
    keywords = {"fileobj" if kind == GZIP else "filename": stored}
    content: io.BufferedIOBase = getattr(import_module(module), name)(**keywords)
    return content


class Spools(dict[str, Any]):
    """Maps paths of inputs that can be read only once to copies of them.

    The copies are closed when the source of the run, which owns this object, is deleted.
    """

    def __del__(self) -> None:
        for spool in self.values():
            spool.close()


SPOOL_BYTES = 1 << 24
"""Size in bytes above which a copy is moved from memory to an unnamed temporary file."""


@contextmanager
def open_again(
    path: str, expected: str, known: dict[str, FileState], spools: dict[str, Any]
) -> Iterator[BinaryIO]:
    """Open an input like `open_input`, but repeatedly; raises InputError.

    An input that can be read only once, such as a pipe, is copied into `spools` first.
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
                        # This is not text. Stop, because an endless input would fill the disk.
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
    """The bytes `head`, followed by a source whose errors are converted to InputError."""

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
    """Returns the data before an error, and raises the error at the next read.

    This makes messages about a damaged file independent of the size of reads.
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
    """A compressed stream that counts its bytes, and reads at most `STORED_BYTES` at a time."""

    n_bytes = 0

    def readinto(self, buffer: "WriteableBuffer", /) -> int | None:
        n_read = super().readinto(memoryview(buffer).cast("B")[:STORED_BYTES])
        self.n_bytes += n_read or 0
        return n_read


class _Decompressed(_Guarded):
    """A decompressed stream that raises InputError if it grows too much, see `check_growth`."""

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
        # `readinto1` returns the data decompressed before an error; `readinto` would lose them.
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
