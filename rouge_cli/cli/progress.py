"""The progress bar of long runs: on standard error, on a terminal, and only after a while."""

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

__all__ = ["ProgressBar"]

SECONDS_WITHOUT = 0.5


class ProgressBar:
    """Shows how many peers are scored, from half a second on; gone when the run ends."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._is_wanted = sys.stderr.isatty()
        self._bar: Progress | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> "ProgressBar":
        """Begin; nothing is shown yet."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Take the bar off the screen."""
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, done: int, total: int) -> None:
        """Show that `done` of `total` peers are scored."""
        if not self._is_wanted or time.monotonic() - self._start < SECONDS_WITHOUT:
            return
        if self._bar is None or self._task is None:
            from rich.console import Console
            from rich.progress import Progress

            self._bar = Progress(console=Console(stderr=True), transient=True)
            self._task = self._bar.add_task("Scoring", total=total)
            self._bar.start()
        self._bar.update(self._task, completed=done)
