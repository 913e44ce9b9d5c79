"""What a report may use of the terminal: its width, bold and dim text."""

import os
import sys
from typing import TYPE_CHECKING

from rouge_cli.cli.output import reads_commands
from rouge_cli.quick_dataclass import dataclass

if TYPE_CHECKING:
    from rouge_cli.inputs.corpus import Corpus
    from rouge_cli.reports import Screen, View
    from rouge_cli.reports.table import Note
    from rouge_cli.scoring.results import Results

__all__ = ["TextsBelow", "report_of", "screen_of"]

WIDTH_IN_FILES = 80


def report_of(view: "View", kind: str, path: str | None) -> list[str]:
    """Return a report in parts.

    Parameters
    ----------
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


@dataclass(slots=True)
class TextsBelow:
    """Takes from a corpus the texts that ``--texts`` shows below a table, while they can be read.

    Parameters
    ----------
    notes : tuple of Note
        What it has taken.
    """

    notes: "tuple[Note, ...]" = ()

    def __call__(self, corpus: "Corpus", results: "Results") -> None:
        """Read the texts of the EVALs in the table; raises OptionError and InputError."""
        from rouge_cli.reports.views.eval_scores import eval_texts
        from rouge_cli.reports.views.scores import sort_column, sorted_systems

        systems = sorted_systems(results)
        self.notes = eval_texts(corpus, systems, results.options, sort_column(results))


def screen_of(path: str | None) -> "Screen":
    """Return what a report may use of the place where it goes; None is standard output."""
    from rouge_cli.reports import Screen

    is_on_screen = path is None and sys.stdout is not None and sys.stdout.isatty()
    is_plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") in {"dumb", "unknown"}
    width = WIDTH_IN_FILES
    if is_on_screen:
        from shutil import get_terminal_size  # loads much else

        width = get_terminal_size().columns
    return Screen(
        width,
        is_coloured=is_on_screen and not is_plain,
        reads_commands=reads_commands(path),
    )
