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


def report_of(results: "Results") -> list[str]:
    """Return the report that the options of a run ask for, in parts.

    Raises
    ------
    OptionError
        If ``--sort`` names no metric of the run.
    """
    kind = results.options.reports.report
    report = getattr(import_module(f"rouge_cli.reports.{kind}"), f"{kind}_report")
    lent = _screen(results.options.reports.output) if kind == "table" else {}
    return list(report(results, **lent))


def _screen(output: str | None) -> dict[str, int | bool]:
    """Return what a table may use of the terminal, if it goes to one."""
    is_on_screen = output in {None, "-"} and sys.stdout is not None and sys.stdout.isatty()
    is_plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") in {"dumb", "unknown"}
    return {
        "width": shutil.get_terminal_size().columns if is_on_screen else WIDTH_IN_FILES,
        "is_coloured": is_on_screen and not is_plain,
    }
