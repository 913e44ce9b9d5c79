"""The process: its standard streams, its exit codes, and the signals that end it.

Everything for standard output is written whole, or an `OutputError` is raised. What goes to
standard error never changes an exit code: where it cannot be written, it is lost.

Exit codes: 0: done; 2, by Click: wrong usage; 128 and the number of a signal: ended by that signal;
the others stand below.
"""

import atexit
import errno
import io
import os
import signal
import sys
import threading
from contextlib import suppress
from typing import Any, NoReturn, TextIO

from rouge_cli.atomic_files import ENDING_SIGNALS, write_all
from rouge_cli.ci import ci_format


class OutputError(OSError):
    """Standard output cannot be written."""


class _Output(io.RawIOBase):
    """Standard output as a raw stream that writes everything, or nothing once it is dropped."""

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

    A closed stream is replaced by the null device. Otherwise the next file to be opened would get
    its number, and with it the output that is meant for the stream.
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
    """Write lines to standard error with commands escaped, or lose them; raises nothing."""
    write_error(ci_format(os.environ).escape(text))


def write_error(text: str) -> None:
    """Write lines to standard error as they are, or lose them; raises nothing."""
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
    """Give up standard output, so that the interpreter does not write its buffer at exit."""
    _output.is_dropped = True
    if os.name == "nt":
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _is_open(descriptor: int) -> bool:
    """Return whether a descriptor is open."""
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True


def _descriptor_of(stream: TextIO) -> int | None:
    """Return the descriptor of a stream; None if text must go through the stream itself.

    Substitutes in tests and notebooks have no descriptor, and a Windows console takes no UTF-8
    through its own.
    """
    if os.name == "nt":
        return None
    try:
        return stream.fileno()
    except (OSError, ValueError, AttributeError):
        return None


EXIT_UNMET = 1
"""A score does not meet a requirement, or has dropped below the baseline."""

EXIT_UNUSABLE = 3
"""An input that cannot be used, or an output that cannot be written."""

EXIT_FAULT = 70
"""A fault of this program, as in sysexits.h, and what ``selftest`` ends with if digits differ.

Python's own exit code for a traceback is `EXIT_UNMET`.
"""

EXIT_INTERRUPTED = 128 + signal.SIGINT
"""The exit code that shells expect of a program ended by Ctrl-C."""

READER_IS_GONE = errno.EINVAL if os.name == "nt" else errno.EPIPE

_signalled: list[int] = []
"""Signals received. Code that ignores exceptions may have swallowed what they raised."""


def handle_signals() -> None:
    """Turn ending signals into exceptions, so that no half-written file stays behind."""
    _signalled.clear()
    for number in ENDING_SIGNALS:
        # Ignored signals, as under nohup, stay ignored.
        if signal.getsignal(number) in {signal.SIG_DFL, signal.default_int_handler}:
            signal.signal(number, _on_signal)


def ignore_signals() -> None:
    """Ignore signals from here on."""
    for number in ENDING_SIGNALS:
        if signal.getsignal(number) is _on_signal:
            signal.signal(number, signal.SIG_IGN)


def code_after_signals(code: int) -> int:
    """Return `code`, or the exit code of the first signal received."""
    return 128 + _signalled[0] if _signalled else code


def end_if_signalled() -> None:
    """End the run if a signal was received and its exception swallowed."""
    if _signalled:
        _end(_signalled[0])


def end_interrupted() -> NoReturn:
    """Say that Ctrl-C ended the run before it has printed anything, and end."""
    say("Interrupted: nothing is printed.")
    sys.exit(EXIT_INTERRUPTED)


def end_at_once(code: Any) -> None:
    """End the process without freeing memory, which takes a sixth of the time of a short run.

    Returns without effect where the interpreter still has work: threads to wait for, or output
    that could not be flushed.
    """
    if threading.active_count() > 1:
        return
    # Handlers of other libraries, such as those that remove temporary files.
    atexit._run_exitfuncs()
    with suppress(OSError, ValueError):
        for stream in filter(None, (sys.stdout, sys.stderr)):
            stream.flush()
        os._exit(code or 0)


def unwritable(error: OSError, what: str) -> int:
    """Report that standard output cannot be written, unless its reader closed it.

    Returns the exit code.
    """
    if error.errno == errno.EBADF:
        say(f"Error: standard output is closed; {what} cannot be written")
    elif error.errno != READER_IS_GONE:
        say(f"Error: {what} cannot be written: {error.strerror}")
    drop_output()
    return EXIT_UNUSABLE


def _on_signal(number: int, frame: object) -> NoReturn:
    """Record a signal, and end the run."""
    _signalled.append(number)
    _end(number)


def _end(number: int) -> NoReturn:
    """Raise the exception that ends a run."""
    if number == signal.SIGINT:
        raise KeyboardInterrupt
    # The code by which shells report a signal.
    sys.exit(128 + number)
