"""The program. Slow imports are inside `main`, where Ctrl-C is handled."""

import gc
import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

from rouge_cli.cli.process import (
    EXIT_FAULT,
    EXIT_INTERRUPTED,
    EXIT_UNUSABLE,
    OutputError,
    code_after_signals,
    drop_output,
    handle_signals,
    ignore_signals,
    prepare_streams,
    say,
    unwritable,
)
from rouge_cli.errors import RougeWarning
from rouge_cli.escapes import escaped

if TYPE_CHECKING:
    from sys import UnraisableHookArgs


SECONDS_OF_A_THREAD = 0.0005
"""Switch interval of the interpreter. Scoring threads need the interpreter between calls of the
core: with the default of 5 ms, two threads take 5% longer."""


def main() -> NoReturn:
    """Run the command line."""
    # The matrix products of this program are too small to gain from threads.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # A run builds large tables without cycles, then ends: garbage collection would only cost time.
    gc.disable()
    sys.setswitchinterval(SECONDS_OF_A_THREAD)
    sys.unraisablehook = _show_unraisable
    try:
        handle_signals()
        code = _run()
        # The work is done, and nothing may interrupt the shutdown of the interpreter.
        ignore_signals()
    except (KeyboardInterrupt, SystemExit):
        # A signal arrived just before it would have been ignored.
        code = EXIT_FAULT
    if code_after_signals(0):
        # The buffer may hold text that has been written, which a flush would write twice.
        drop_output()
    sys.exit(code_after_signals(code))


def _run() -> int:
    """Run the command, and return an exit code for whatever happens."""
    try:
        prepare_streams()
        from rouge_cli.cli.group import COMPLETION_VARIABLE, run

        if COMPLETION_VARIABLE in os.environ:
            # Importing it replaces Click's completion for bash.
            import rouge_cli.cli.completion  # noqa: F401

        with _python_warnings_said():
            return run()
    except KeyboardInterrupt:
        # Results may be partly written.
        say("Interrupted.")
        return EXIT_INTERRUPTED
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else 0
    except BaseException as error:
        # Errors of libraries may derive from BaseException, or result from a signal.
        return code_after_signals(0) or _failed(error)


def _failed(error: BaseException) -> int:
    if isinstance(error, OutputError):
        return unwritable(error, "this")
    if isinstance(error, OSError):
        return _refused(error)
    if isinstance(error, MemoryError):
        say("Error: not enough memory for this run")
        return EXIT_UNUSABLE
    if isinstance(error, ImportError):
        reason = (str(error).strip() or type(error).__name__).splitlines()[0]
        say(f"Error: a part of rouge-cli cannot be loaded: {reason}")
        return EXIT_UNUSABLE
    try:
        import traceback
    except (OSError, ImportError, MemoryError) as lack:
        return _failed(lack)

    say("".join(traceback.format_exception(type(error), error, error.__traceback__)))
    say("Error: this is a fault of rouge-cli; please report it, with the lines above")
    return EXIT_FAULT


def _refused(error: OSError) -> int:
    try:
        os.getcwd()
    except OSError:
        say("Error: the working directory is gone; change to one that exists")
        return EXIT_UNUSABLE
    where = "" if error.filename is None else f"{escaped(os.fsdecode(error.filename))}: "
    say(f"Error: {where}{error.strerror or error}")
    return EXIT_UNUSABLE


@contextmanager
def _python_warnings_said() -> Iterator[None]:
    """Print Python warnings as the warnings of a run are printed, each once."""
    shown_so_far = set()

    def show(message: Warning | str, *_: object) -> None:
        if str(message) not in shown_so_far:
            shown_so_far.add(str(message))
            say(f"Warning: {message}")

    with warnings.catch_warnings():
        warnings.simplefilter("always", RougeWarning)
        warnings.showwarning = show  # type: ignore[assignment]
        yield


def _show_unraisable(unraisable: "UnraisableHookArgs") -> None:
    """Print an exception that Python cannot raise, such as one in a destructor."""
    # Failing to close a file does not matter, `handle_signals` records signals, and a lack of
    # memory shows in the run itself.
    ignored = OSError | MemoryError | KeyboardInterrupt | SystemExit
    if not isinstance(unraisable.exc_value, ignored):
        sys.__unraisablehook__(unraisable)
