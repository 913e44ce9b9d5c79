"""Which report is printed, and what the terminal lends it: width, bold and dim text."""

import os
import shutil
import sys
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rouge_cli.scoring.results import Results

__all__ = ["report_of"]

WIDTH_IN_FILES = 80


def report_of(results: "Results", kind: str, path: str | None) -> list[str]:
    """Return a report in parts.

    Parameters
    ----------
    results : Results
    kind : str
        One of `rouge_cli.options.reports.REPORTS`.
    path : str or None
        Where it goes; None for standard output.

    Raises
    ------
    OptionError
        If ``--sort`` names no metric of the run.
    """
    report = getattr(import_module(f"rouge_cli.reports.{kind}"), f"{kind}_report")
    lent = _screen(path) if kind == "table" else {}
    return list(report(results, **lent))


def _screen(output: str | None) -> dict[str, int | bool]:
    """Return what a table may use of the terminal, if it goes to one."""
    is_on_screen = output is None and sys.stdout is not None and sys.stdout.isatty()
    is_plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") in {"dumb", "unknown"}
    return {
        "width": shutil.get_terminal_size().columns if is_on_screen else WIDTH_IN_FILES,
        "is_coloured": is_on_screen and not is_plain,
    }
