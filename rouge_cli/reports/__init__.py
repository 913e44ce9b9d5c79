"""Reports: views turn a result into a document and fields, and writers turn these into text.

A new kind of report is a writer, in `writers`, and a line in `REPORT_KINDS` of
`rouge_cli.options.reports`; a new result is a view, beside its study.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar

from rouge_cli.ci import CIFormat
from rouge_cli.options.reports import REPORT_KINDS
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports.document import Check, Document, Figure
from rouge_cli.reports.fields import Record, Value
from rouge_cli.reports.rows import PROGRAM, csv_rows, data_of

if TYPE_CHECKING:
    from rouge_cli.reports.page import Page

__all__ = ["Row", "Screen", "View", "write_report"]

Row = tuple[Value, ...]
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
    log : CIFormat
        What is taken for a command there; each writer escapes it as its own language allows.
    """

    width: int = 80
    is_coloured: bool = False
    log: CIFormat = CIFormat()


class View(ABC):
    """A result as all writers take it: base of the views, which are frozen dataclasses.

    Attributes
    ----------
    kind : str
        What it is, such as ``"scores"``: writers may have a style for it.
    fields : Record
        What is known of the result, from the view on: what JSON has.
    columns : tuple of str
        Of CSV, in their order.
    result : record
        What JSON and CSV hold, by its annotations; see `rouge_cli.reports.rows`.
    csv_path : str
        From the result to the records that are rows of CSV; empty: the result is the only row.
    """

    __slots__ = ()

    kind: ClassVar[str]
    fields: ClassVar[Record]
    columns: ClassVar[tuple[str, ...]]
    csv_path: ClassVar[str] = ""
    result: Any

    @abstractmethod
    def document(self) -> Document:
        """Return the tables and the notes on them."""

    def figures(self) -> tuple[Figure, ...]:
        """Return what can be drawn of it, the most important one first."""
        return ()

    def outcomes(self) -> tuple[Check, ...]:
        """Return which requirements the result was held against."""
        return ()

    def page(self) -> "Page":
        """Return what a page shows; without a page of its own, the document and the figures."""
        # Only pages need what is imported here: the texts of EVALs, packed.
        from rouge_cli.reports.page import page_of

        return page_of(self.kind, self.document(), self.figures())

    def records(self) -> Iterable[Mapping[str, Value]]:
        """Return the values of each row of CSV by column; by default the fields are one row."""
        return [self.fields.cells(self, self.columns)]

    def rows(self) -> Iterator[Row]:
        """Yield the names of the columns, and then the rows of tidy data."""
        if not hasattr(self, "columns"):
            yield from csv_rows(self.result, self.csv_path)
            return
        yield self.columns
        for values in self.records():
            yield tuple(map(values.get, self.columns))

    def data(self) -> dict[str, Any]:
        """Return the fields as dictionaries, lists, strings, finite numbers and None."""
        if not hasattr(self, "fields"):
            return PROGRAM | data_of(self.result)
        return self.fields.data(self)


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
    module, _, function = REPORT_KINDS[kind].writer.partition(":")
    write = getattr(import_module(module), function or "write")
    parts: Iterator[str] = write(view, screen or Screen())
    return parts
