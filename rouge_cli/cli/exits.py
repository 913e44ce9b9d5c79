"""How the program ends: its exit codes, and the signals that end it.

0: done; 2, by Click: wrong usage; 128 and the number of a signal: ended by that signal.
"""

import atexit
import errno
import os
import signal
import sys
import threading
from contextlib import suppress
from typing import Any, NoReturn

from rouge_cli.cli.streams import drop_output, say
from rouge_cli.held_signals import ENDING_SIGNALS

__all__ = [
    "EXIT_FAULT",
    "EXIT_INTERRUPTED",
    "EXIT_UNMET",
    "EXIT_UNUSABLE",
    "code_after_signals",
    "end_at_once",
    "end_if_signalled",
    "end_interrupted",
    "handle_signals",
    "ignore_signals",
    "unwritable",
]

EXIT_UNMET = 1
"""A score is not as it was required to be."""

EXIT_UNUSABLE = 3
"""An input that cannot be used, or an output that cannot be written."""

EXIT_FAULT = 70
"""A fault of this program, as in sysexits.h; Python's own exit code for it is `EXIT_UNMET`."""

EXIT_INTERRUPTED = 128 + signal.SIGINT
"""What shells expect of a program that Ctrl-C has ended."""

READER_IS_GONE = errno.EINVAL if os.name == "nt" else errno.EPIPE

_signalled: list[int] = []
"""The signals that were to end the run. Code that ignores exceptions may have swallowed theirs."""


def handle_signals() -> None:
    """Let signals end the run as an exception does, so that nothing half-written stays behind."""
    _signalled.clear()
    for number in ENDING_SIGNALS:
        # One that is ignored, as by nohup, stays ignored.
        if signal.getsignal(number) in {signal.SIG_DFL, signal.default_int_handler}:
            signal.signal(number, _on_signal)


def ignore_signals() -> None:
    """Let no signal into what comes after this."""
    for number in ENDING_SIGNALS:
        if signal.getsignal(number) is _on_signal:
            signal.signal(number, signal.SIG_IGN)


def code_after_signals(code: int) -> int:
    """Return the exit code of a run that has ended with `code`, or that a signal was to end."""
    return 128 + _signalled[0] if _signalled else code


def end_if_signalled() -> None:
    """End if a signal was to end the run, and it goes on nevertheless."""
    if _signalled:
        _end(_signalled[0])


def end_interrupted() -> NoReturn:
    """Say that Ctrl-C ended the run before it has printed anything, and end."""
    say("Interrupted: nothing is printed.")
    sys.exit(EXIT_INTERRUPTED)


def end_at_once(code: Any) -> None:
    """End the process without freeing what it holds, a sixth of the time of a short run.

    Returns, and does nothing, where the interpreter has more to do than that: wait for threads,
    or write what it could not.
    """
    if threading.active_count() > 1:
        return
    # What others have asked for, such as to remove their files.
    atexit._run_exitfuncs()
    with suppress(OSError, ValueError):
        for stream in filter(None, (sys.stdout, sys.stderr)):
            stream.flush()
        os._exit(code or 0)


def unwritable(error: OSError, what: str) -> int:
    """Say that standard output cannot be written, unless whoever closed it knows.

    Returns
    -------
    int
        The exit code.
    """
    if error.errno == errno.EBADF:
        say(f"Error: standard output is closed; {what} cannot be written")
    elif error.errno != READER_IS_GONE:
        say(f"Error: {what} cannot be written: {error.strerror}")
    drop_output()
    return EXIT_UNUSABLE


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
