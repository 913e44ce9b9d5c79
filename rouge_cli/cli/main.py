"""Entry point. Slow imports happen inside `main`, where Ctrl-C is handled."""

import errno
import gc
import os
import signal
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

from rouge_cli.cli.streams import OutputError, drop_output, prepare_streams, say
from rouge_cli.errors import RougeWarning, shown

__all__ = [
    "EXIT_INTERRUPTED",
    "EXIT_UNUSABLE",
    "end_if_signalled",
    "end_interrupted",
    "end_unwritable",
    "main",
]

EXIT_INTERRUPTED = 128 + signal.SIGINT
"""What shells expect of a program that Ctrl-C has ended."""

EXIT_UNUSABLE = 3
"""An input that cannot be used, or an output that cannot be written."""

EXIT_FAULT = 70
"""A fault of this program, as in sysexits.h. Python's own exit code for it is that of an unmet
threshold."""

READER_IS_GONE = errno.EINVAL if os.name == "nt" else errno.EPIPE

_signalled: list[int] = []
"""The signals that were to end the run. Code that ignores exceptions may have swallowed theirs."""


def main() -> NoReturn:
    """Run the command line."""
    prepare_streams()
    _handle_signals()
    # The matrix products here are too small to gain from threads, which only cost their start.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # A run builds large tables and ends: looking for cycles in them finds none.
    gc.disable()
    try:
        code = _run()
        # All has been done: the end of the interpreter is not to be interrupted.
        _ignore_signals()
    except (KeyboardInterrupt, SystemExit):
        # By a signal, just before.
        code = EXIT_FAULT
    sys.exit(128 + _signalled[0] if _signalled else code)


def end_interrupted(message: str = "Interrupted: nothing is printed.") -> NoReturn:
    """Say that Ctrl-C ended the run, and end."""
    say(message)
    sys.exit(EXIT_INTERRUPTED)


def end_if_signalled() -> None:
    """End if a signal was to end the run, and it goes on nevertheless."""
    if _signalled:
        _end(_signalled[0])


def end_unwritable(error: OSError, what: str) -> NoReturn:
    """Say that standard output cannot be written, and end."""
    sys.exit(_unwritable(error, what))


def _run() -> int:
    """Import and run the command; return the exit code, whatever happens."""
    try:
        from rouge_cli.cli.commands import run

        with _python_warnings_said():
            return run()
    except KeyboardInterrupt:
        # Perhaps while the results were written.
        say("Interrupted.")
        return EXIT_INTERRUPTED
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else 0
    except Exception as error:
        return _failed(error)


def _failed(error: Exception) -> int:
    """Say what no other part of the program has a better word for; return the exit code."""
    if isinstance(error, OutputError):
        return _unwritable(error, "this")
    if isinstance(error, OSError):
        return _refused(error)
    if isinstance(error, MemoryError):
        say("Error: not enough memory for this run")
        return EXIT_UNUSABLE
    if isinstance(error, ImportError):
        reason = (str(error).strip() or type(error).__name__).splitlines()[0]
        say(f"Error: a part of rouge-cli cannot be loaded: {reason}")
        return EXIT_UNUSABLE
    import traceback

    say("".join(traceback.format_exception(type(error), error, error.__traceback__)))
    say("Error: this is a fault of rouge-cli; please report it, with the lines above")
    return EXIT_FAULT


def _unwritable(error: OSError, what: str) -> int:
    """Say that standard output cannot be written, unless whoever closed it knows; return code 3."""
    if error.errno == errno.EBADF:
        say(f"Error: standard output is closed; {what} cannot be written")
    elif error.errno != READER_IS_GONE:
        say(f"Error: {what} cannot be written: {error.strerror}")
    drop_output()
    return EXIT_UNUSABLE


def _refused(error: OSError) -> int:
    """Say what the system refused, and to which file; return the exit code."""
    try:
        os.getcwd()
    except OSError:
        say("Error: the working directory is gone; go to one that is there")
        return EXIT_UNUSABLE
    where = "" if error.filename is None else f"{shown(os.fsdecode(error.filename))}: "
    say(f"Error: {where}{error.strerror or error}")
    return EXIT_UNUSABLE


@contextmanager
def _python_warnings_said() -> Iterator[None]:
    """Show warnings that come through Python as those of a run are shown, each once."""
    shown_so_far = set()

    def show(message: Warning | str, *_: object) -> None:
        if str(message) not in shown_so_far:
            shown_so_far.add(str(message))
            say(f"Warning: {message}")

    with warnings.catch_warnings():
        warnings.simplefilter("always", RougeWarning)
        warnings.showwarning = show  # type: ignore[assignment]
        yield


def _handle_signals() -> None:
    """End as an exception does, so that nothing half-written stays behind."""
    _signalled.clear()
    defaults = (signal.SIG_DFL, signal.default_int_handler)
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        # Windows has no SIGHUP; one that is ignored, as by nohup, stays ignored.
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) in defaults:
            signal.signal(number, _on_signal)


def _ignore_signals() -> None:
    """Let no signal into what comes after this."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is _on_signal:
            signal.signal(number, signal.SIG_IGN)


def _on_signal(number: int, frame: object) -> NoReturn:
    """Note a signal, and end."""
    _signalled.append(number)
    _end(number)


def _end(number: int) -> NoReturn:
    """Raise what ends a run."""
    if number == signal.SIGINT:
        raise KeyboardInterrupt
    # What shells say of a program that a signal has ended.
    sys.exit(128 + number)
