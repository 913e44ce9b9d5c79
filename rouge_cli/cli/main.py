"""Entry point of ``rouge-cli``. Slow imports happen inside `main`, where Ctrl-C is handled."""

import gc
import os
import signal
import sys
from typing import NoReturn

from rouge_cli.cli.exits import end_interrupted

__all__ = ["main"]


def _end(number: int, frame: object) -> NoReturn:
    """End as an exception does, so that nothing half-written stays behind."""
    # What shells say of a program that a signal has ended.
    sys.exit(128 + number)


def main() -> NoReturn:
    """Run the command line."""
    for name in ("SIGTERM", "SIGHUP"):
        # Windows has no SIGHUP; one that is ignored, as by nohup, stays ignored.
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _end)
    # The matrix products here are too small to gain from threads, which only cost their start.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # A run builds large tables and ends: looking for cycles in them finds none.
    gc.disable()
    try:
        from rouge_cli.cli.commands import cli

        cli(prog_name="rouge-cli")
    except KeyboardInterrupt:
        end_interrupted()
    sys.exit(0)
