"""What a run is given of its environment: variables, a progress bar, the number of processors."""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from rouge_cli.scoring.context import RunContext

__all__ = ["run_context", "usable_processors"]

SECONDS_WITHOUT_BAR, SECONDS_BETWEEN = 0.5, 0.1


@contextmanager
def run_context() -> Iterator["RunContext"]:
    """Provide a run with what it finds around it; the progress bar goes when the run ends."""
    from rouge_cli.scoring.context import RunContext

    bar = _ProgressBar()
    try:
        yield RunContext(os.environ, bar, usable_processors())
    finally:
        bar.stop()


def usable_processors() -> int:
    """Return the number of processors, less those that this process is kept from."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class _ProgressBar:
    """Shows on a terminal how many peers are scored, from half a second on.

    A terminal that goes away, or takes nothing more, ends the bar and not the run.
    """

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._shown = 0.0
        self._is_wanted = sys.stderr is not None and sys.stderr.isatty()
        self._bar: Progress | None = None
        self._task: TaskID | None = None

    def __call__(self, done: int, total: int) -> None:
        """Show that `done` of `total` peers are scored."""
        now = time.monotonic()
        if (
            not self._is_wanted
            or now - self._start < SECONDS_WITHOUT_BAR
            or now - self._shown < SECONDS_BETWEEN
        ):
            return
        try:
            self._show(done, total)
        except OSError:
            self.stop()

    def _show(self, done: int, total: int) -> None:
        """Show the bar, and begin it if need be."""
        if self._bar is None or self._task is None:
            from rich.console import Console
            from rich.progress import Progress

            # A thread that refreshes it would be in the way of forking workers.
            self._bar = Progress(console=Console(stderr=True), transient=True, auto_refresh=False)
            self._task = self._bar.add_task("Scoring", total=total)
            self._bar.start()
        self._bar.update(self._task, completed=done, refresh=True)
        self._shown = time.monotonic()

    def stop(self) -> None:
        """Take the bar off the screen."""
        bar, self._bar, self._is_wanted = self._bar, None, False
        if bar is not None:
            with suppress(OSError):
                bar.stop()
