"""The standard streams, exit codes and signals of the process.

Standard output is written completely, or `OutputError` is raised. Text that cannot be written to
standard error is lost, and never changes the exit code.

Exit codes are 0 for success, 2 (from Click) for wrong usage, 128 plus the number of the signal that
ended the run, and the constants below.
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
    """Standard output as a raw stream, which writes everything or, once dropped, nothing."""

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
    """Replace closed streams, and standard output by a stream that writes everything or raises."""
    # The null device replaces a closed stream. Otherwise the next opened file would get the number
    # of the stream, and with it the output.
    for number, flags in enumerate((os.O_WRONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            with suppress(OSError):
                os.open(os.devnull, flags)
    if sys.stdout is None or _descriptor_of(sys.stdout) == 1:
        encoding, errors = "utf-8", "strict"
        if sys.stdout is not None:
            sys.stdout.flush()
            encoding, errors = sys.stdout.encoding, sys.stdout.errors or errors
        _output.is_dropped = False
        # Lines end with a newline on every system, as in the output of the original.
        sys.stdout = io.TextIOWrapper(io.BufferedWriter(_output), encoding, errors, newline="\n")


def say(text: str) -> None:
    """Write lines to standard error, with CI commands escaped, if possible; raises nothing."""
    write_error(ci_format(os.environ).escape(text))


def write_error(text: str) -> None:
    """Write lines to standard error unchanged, if possible; raises nothing."""
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
    """Write to standard output; raises OSError."""
    sys.stdout.flush()
    sys.stdout.buffer.write(content)
    sys.stdout.buffer.flush()


def drop_output() -> None:
    """Discard what is written to standard output from now on, also by the flush at exit."""
    _output.is_dropped = True
    if os.name == "nt":
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _descriptor_of(stream: TextIO) -> int | None:
    """Return the descriptor of a stream; None if text must be written to the stream itself.

    Streams in tests and notebooks have no descriptor, and a Windows console does not accept UTF-8
    through one.
    """
    if os.name == "nt":
        return None
    try:
        return stream.fileno()
    except (OSError, ValueError, AttributeError):
        return None


EXIT_UNMET = 1  # a score misses a requirement, or is below the baseline
EXIT_USAGE = 2  # wrong arguments
EXIT_UNUSABLE = 3  # an input cannot be used, or an output cannot be written

EXIT_FAULT = 70
"""Exit code of a fault of this program, as in sysexits.h, and of differences in ``selftest``. The
code that Python itself uses after a traceback is 1, which means `EXIT_UNMET` here."""

EXIT_INTERRUPTED = 128 + signal.SIGINT  # as shells expect after Ctrl-C

READER_IS_GONE = errno.EINVAL if os.name == "nt" else errno.EPIPE

_signalled: list[int] = []
"""Received signals. They are recorded, because code that ignores exceptions may have swallowed
theirs."""


def handle_signals() -> None:
    """Turn signals that end the run into exceptions, so that no partial files are left."""
    _signalled.clear()
    for number in ENDING_SIGNALS:
        # Ignored signals, as under nohup, stay ignored.
        if signal.getsignal(number) in {signal.SIG_DFL, signal.default_int_handler}:
            signal.signal(number, _on_signal)


def ignore_signals() -> None:
    """Ignore signals from now on."""
    for number in ENDING_SIGNALS:
        if signal.getsignal(number) is _on_signal:
            signal.signal(number, signal.SIG_IGN)


def code_after_signals(code: int) -> int:
    """Return the exit code of the first received signal, or `code` if there was none."""
    return 128 + _signalled[0] if _signalled else code


def end_if_signalled() -> None:
    """End the run if the exception of a signal was swallowed."""
    if _signalled:
        _end(_signalled[0])


def end_interrupted() -> NoReturn:
    """End a run that Ctrl-C interrupted before any output."""
    say("Interrupted: nothing is printed.")
    sys.exit(EXIT_INTERRUPTED)


def end_at_once(code: Any) -> None:
    """End the process without freeing memory, which would take a sixth of a short run.

    It returns if threads are still running, or if output cannot be flushed.
    """
    if threading.active_count() > 1:
        return
    # Libraries register handlers, for instance to remove temporary files.
    atexit._run_exitfuncs()
    with suppress(OSError, ValueError):
        for stream in filter(None, (sys.stdout, sys.stderr)):
            stream.flush()
        os._exit(code or 0)


def unwritable(error: OSError, what: str) -> int:
    """Report that standard output cannot be written, and return the exit code.

    If its reader is gone, as after ``| head``, nothing is reported.
    """
    if error.errno == errno.EBADF:
        say(f"Error: standard output is closed; {what} cannot be written")
    elif error.errno != READER_IS_GONE:
        say(f"Error: {what} cannot be written: {error.strerror}")
    drop_output()
    return EXIT_UNUSABLE


def _on_signal(number: int, frame: object) -> NoReturn:
    _signalled.append(number)
    _end(number)


def _end(number: int) -> NoReturn:
    if number == signal.SIGINT:
        raise KeyboardInterrupt
    # Shells report a signal by this exit code.
    sys.exit(128 + number)
