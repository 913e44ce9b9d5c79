"""Reports: views turn a result into tables, rows or a dictionary; writers turn these into text.

A new kind of report is a file in `writers` and a line in `rouge_cli.options.reports.REPORT_KINDS`;
a new result is a file in `views`.
"""

from collections.abc import Iterator
from importlib import import_module
from typing import Any, ClassVar, Protocol

from rouge_cli.options.reports import REPORT_KINDS
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports.table import Document

__all__ = ["DataView", "Row", "Screen", "View", "write_report"]

Row = tuple[str | int | float | None, ...]
"""A row of a CSV file; None is an empty field."""


@dataclass(frozen=True, slots=True)
class Screen:
    """What plain text may use of the place where it is shown.

    Parameters
    ----------
    width : int
        In columns of a terminal; a table that is wider is split into several.
    is_coloured : bool
        Whether bold and dim text can be shown.
    reads_commands : bool
        Whether it takes some texts for commands, as a workflow on GitHub does; each writer writes
        these as its own language allows. See `rouge_cli.escapes.COMMAND`.
    """

    width: int = 80
    is_coloured: bool = False
    reads_commands: bool = False


class View(Protocol):
    """A result as tables; nearly every result has the data too.

    Attributes
    ----------
    kind : str
        What it is, such as ``"scores"``: writers may have a style for it.
    """

    kind: ClassVar[str]

    def document(self) -> Document:
        """Return the tables and what is to be said of them."""


class DataView(View, Protocol):
    """A result in all the forms that writers ask for."""

    def rows(self) -> Iterator[Row]:
        """Yield the names of the columns, and then the rows of tidy data."""

    def data(self) -> dict[str, Any]:
        """Return dictionaries, lists, strings, finite numbers and None."""


def write_report(view: View, kind: str, screen: Screen | None = None) -> Iterator[str]:
    """Return a report, in parts.

    Parameters
    ----------
    kind : str
        A name in `REPORT_KINDS`.
    screen : Screen, optional
        For plain text; by default 80 columns without colours.

    Raises
    ------
    OptionError
        If ``--sort`` names no metric of the run.
    """
    writer = import_module(REPORT_KINDS[kind].writer)
    parts: Iterator[str] = writer.write(view, screen or Screen())
    return parts
