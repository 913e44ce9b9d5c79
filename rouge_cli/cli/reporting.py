"""What a report may use of the terminal: its width, bold and dim text."""

import os
import shutil
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rouge_cli.reports import Screen, View

__all__ = ["report_of", "screen_of"]

WIDTH_IN_FILES = 80


def report_of(view: "View", kind: str, path: str | None) -> list[str]:
    """Return a report in parts.

    Parameters
    ----------
    view : View
    kind : str
        A name in `rouge_cli.options.reports.REPORTS`.
    path : str or None
        Where it goes; None for standard output.

    Raises
    ------
    OptionError
        If ``--sort`` names no metric of the run.
    """
    from rouge_cli.reports import write_report

    return list(write_report(view, kind, screen_of(path)))


def screen_of(path: str | None) -> "Screen":
    """Return what a report may use of the place where it goes; None is standard output."""
    from rouge_cli.reports import Screen

    is_on_screen = path is None and sys.stdout is not None and sys.stdout.isatty()
    is_plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") in {"dumb", "unknown"}
    width = shutil.get_terminal_size().columns if is_on_screen else WIDTH_IN_FILES
    return Screen(width, is_coloured=is_on_screen and not is_plain)
