"""Inputs that are read from front to back: a file, a ``.gz`` file, standard input."""

import gzip
import io
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO, cast

from rouge_cli.errors import InputError
from rouge_cli.inputs.files import (
    STANDARD_INPUT,
    file_problem,
    input_name,
    is_compressed,
    standard_input,
)

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

__all__ = ["open_input"]

GZIP_MAGIC = b"\x1f\x8b"
BUFFER_BYTES = 1 << 17


@contextmanager
def open_input(path: str, expected: str) -> Iterator[BinaryIO]:
    """Open an input that the user has named, and decompress it if it is gzip.

    Raises InputError if it cannot be opened or read, or if its gzip is broken or truncated.

    Parameters
    ----------
    path : str
        A file whose name ends in ``.gz`` has to be gzip. ``-`` is standard input, which may be
        gzip: its first bytes tell.
    expected : str
        What the input should be, for messages, such as ``"the file of records"``.

    Yields
    ------
    BinaryIO
        Buffered, to be read once. A read raises InputError, never OSError.
    """
    name = input_name(path)
    with _opened(path, name, expected) as raw:
        source = io.BufferedReader(_Guarded(raw, name, expected), BUFFER_BYTES)
        head = source.read(len(GZIP_MAGIC))
        whole = io.BufferedReader(_Guarded(source, name, expected, head), BUFFER_BYTES)
        if is_compressed(path) and head != GZIP_MAGIC:
            found = "not gzip, though its name ends in .gz" if head else "an empty file, not gzip"
            raise InputError(f"{name}: {found}; expected {expected}, compressed with gzip")
        if not is_compressed(path) and (path != STANDARD_INPUT or head != GZIP_MAGIC):
            yield cast(BinaryIO, whole)
            return
        with gzip.GzipFile(fileobj=whole) as content:
            guarded = io.BufferedReader(_Guarded(content, name, expected), BUFFER_BYTES)
            yield cast(BinaryIO, guarded)


@contextmanager
def _opened(path: str, name: str, expected: str) -> Iterator[io.IOBase]:
    """Open a file, or lend standard input without closing it; raises InputError."""
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
    """Some bytes and then all of a source, with InputError for whatever goes wrong in it."""

    def __init__(self, source: io.IOBase, name: str, expected: str, head: bytes = b"") -> None:
        self._source = source
        self._name = name
        self._expected = expected
        self._head = head

    def readable(self) -> bool:
        """Say that it can be read."""
        return True

    def readinto(self, buffer: "WriteableBuffer", /) -> int | None:
        """Read into a buffer; raises InputError."""
        view = memoryview(buffer).cast("B")
        if self._head:
            count = min(len(self._head), len(view))
            view[:count], self._head = self._head[:count], self._head[count:]
            return count
        try:
            found: int | None = self._source.readinto(view)  # type: ignore[attr-defined]
        except (OSError, EOFError, zlib.error) as error:
            raise _unreadable(error, self._name, self._expected) from None
        return found


def _unreadable(error: Exception, name: str, expected: str) -> InputError:
    """Return the error to raise in place of one of the system's, or of gzip's."""
    if isinstance(error, EOFError):
        found = "truncated gzip, it ends before its end; fetch or compress it again"
    elif isinstance(error, gzip.BadGzipFile | zlib.error):
        found = f"broken gzip: {error}; fetch or compress it again"
    else:
        code = error.errno if isinstance(error, OSError) else None
        found = os.strerror(code) if code else str(error)
    return InputError(f"{name}: {found}; expected {expected}")
