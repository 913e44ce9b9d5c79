"""The standard streams, whatever state they are in.

All that goes to standard output is written whole, or an `OutputError` is raised. What goes to
standard error never changes an exit code: where it cannot be written, it is lost.
"""

import io
import os
import sys
from contextlib import suppress
from typing import Any, TextIO

from rouge_cli.atomic_files import write_all

__all__ = ["OutputError", "drop_output", "prepare_streams", "say", "write_output_bytes"]


class OutputError(OSError):
    """Standard output cannot be written."""


class _Output(io.RawIOBase):
    """Standard output as a raw stream that writes all it is given, or nothing any more."""

    is_dropped = False

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return 1

    def isatty(self) -> bool:
        return os.isatty(1)

    def write(self, content: Any, /) -> int:
        try:
            if not self.is_dropped:
                write_all(1, content)
        except OSError as error:
            raise OutputError(error.errno, error.strerror) from None
        return len(content)


_output = _Output()


def prepare_streams() -> None:
    """Make the standard streams fit to be written to.

    In place of one that is closed something is opened that can be used no more than it was. A file
    that is opened would otherwise get its number, and with it what is meant for the stream.
    """
    for number, flags in enumerate((os.O_WRONLY, os.O_RDONLY, os.O_WRONLY)):
        if not _is_open(number):
            with suppress(OSError):
                os.open(os.devnull, flags)
    if sys.stdout is None or _descriptor_of(sys.stdout) == 1:
        encoding, errors = "utf-8", "strict"
        if sys.stdout is not None:
            sys.stdout.flush()
            encoding, errors = sys.stdout.encoding, sys.stdout.errors or errors
        _output.is_dropped = False
        sys.stdout = io.TextIOWrapper(io.BufferedWriter(_output), encoding, errors, newline="\n")


def say(text: str) -> None:
    """Write lines to standard error, or lose them; raises nothing."""
    if sys.stderr is None:
        return
    with suppress(OSError, ValueError):
        descriptor = _descriptor_of(sys.stderr)
        if descriptor is None:
            sys.stderr.write(f"{text}\n")
            sys.stderr.flush()
        else:
            write_all(descriptor, f"{text}\n".encode(sys.stderr.encoding, "backslashreplace"))


def write_output_bytes(content: bytes) -> None:
    """Write all to standard output; raises OSError."""
    sys.stdout.flush()
    sys.stdout.buffer.write(content)
    sys.stdout.buffer.flush()


def drop_output() -> None:
    """Give up standard output: what is left of it must not be tried again at the end."""
    _output.is_dropped = True
    if os.name == "nt":
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _is_open(descriptor: int) -> bool:
    """Return whether a descriptor belongs to something."""
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True


def _descriptor_of(stream: TextIO) -> int | None:
    """Return the descriptor of a stream, if writing to it is the same as writing to the stream.

    What stands in for a stream, in tests or a notebook, has none; a console of Windows takes no
    UTF-8 through its own.
    """
    if os.name == "nt":
        return None
    try:
        return stream.fileno()
    except (OSError, ValueError, AttributeError):
        return None
