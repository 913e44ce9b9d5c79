"""How the program ends: its exit codes, and the end of an interrupted run.

0: done; 2, by Click: wrong usage; 128 and the number of a signal: ended by that signal.
"""

import signal
import sys
from typing import NoReturn

__all__ = ["EXIT_INTERRUPTED", "EXIT_UNMET", "EXIT_UNUSABLE", "end_interrupted"]

EXIT_UNMET = 1
"""A score is not as it was required to be."""

EXIT_UNUSABLE = 3
"""An input that cannot be used, or an output that cannot be written."""

EXIT_INTERRUPTED = 128 + signal.SIGINT
"""What shells expect of a program that Ctrl-C has ended."""


def end_interrupted(message: str = "Interrupted: nothing is printed.") -> NoReturn:
    """Say that Ctrl-C ended the run, and end."""
    if sys.stderr is not None:
        sys.stderr.write(f"{message}\n")
    sys.exit(EXIT_INTERRUPTED)
