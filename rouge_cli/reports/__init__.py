"""Reports: views turn a result into a document and data, and writers turn these into text.

A new kind of report needs a writer, in `writers`, and a line in `REPORT_KINDS` of
`rouge_cli.options.reports`; a new result needs a view, beside its study. The writer of the
original's report is `rouge_cli.studies.score.classic`, since no other result has such a report.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar

from rouge_cli.ci import CIFormat
from rouge_cli.escapes import escape_unprintable
from rouge_cli.options.reports import REPORT_KINDS
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports.document import Check, Document, Figure, Page, Part, Provenance, in_percent
from rouge_cli.reports.rows import PROGRAM, Value, csv_rows, data_of
from rouge_cli.reports.wording import cited

__all__ = ["CsvRow", "Restyled", "Screen", "View", "write_report"]
CsvRow = tuple[Value, ...]  # a CSV row; None is an empty field


@dataclass(frozen=True, slots=True)
class Screen:
    """Properties of the place where plain text is shown.

    - `width`: in columns of the terminal; wider tables are split.
    - `is_coloured`: whether bold and dim text can be shown.
    - `log`: the CI system whose commands must not appear; each writer escapes them in the way its
      language allows.
    """

    width: int = 80
    is_coloured: bool = False
    log: CIFormat = CIFormat()


class View(ABC):
    """A result in the form that writers take; views are frozen dataclasses.

    - `kind`: the kind of result, such as ``"scores"``; writers may have a style for it.
    - `result`: annotated record behind JSON and CSV; see `rouge_cli.reports.rows`.
    - `csv_path`: path from the result to the records that are CSV rows; by default the result
      itself.
    """

    __slots__ = ()

    kind: ClassVar[str]
    csv_path: ClassVar[str] = ""

    if TYPE_CHECKING:
        # Not at run time: dataclasses would take the property for the default of their field.
        @property
        def result(self) -> Any:
            """The record that JSON and CSV hold."""

    @abstractmethod
    def document(self) -> Document:
        """Return the tables and notes."""

    def figures(self) -> tuple[Figure, ...]:
        """Return the figures, the most important one first."""
        return ()

    def outcomes(self) -> tuple[Check, ...]:
        """Return the requirements that the result was compared with."""
        return ()

    def page(self) -> Page:
        """Return the page; by default the document and the figures."""
        document = self.document()
        results = Part("results", "Results", document.sections, self.figures(), document.notes)
        return Page(
            title=document.title or self.kind.capitalize(),
            headline=(document.headline,) if document.headline else (),
            warnings=(),
            parts=(results,),
            signatures=document.signatures,
            citation=cited(),
        )

    def rows(self) -> Iterator[CsvRow]:
        """Yield the column names, and then the rows of tidy data."""
        return csv_rows(self.result, self.csv_path)

    def data(self) -> dict[str, Any]:
        """Return the result as dictionaries, lists, strings, finite numbers and None."""
        return PROGRAM | data_of(self.result)


@dataclass(frozen=True, slots=True)
class Restyled:
    """A view as the user wants it shown: its document and page are changed, all else is its own.

    - `caption`, `label`: of the first table, in LaTeX; None keeps what the view has.
    - `is_percent`: whether scores are multiplied by 100.
    - `title`, `notes`, `origin`, `has_figures`: of a page; the notes are Markdown, and None keeps
      what the view has.
    """

    view: View
    caption: str | None = None
    label: str | None = None
    is_percent: bool = False
    title: str | None = None
    notes: str = ""
    origin: Provenance | None = None
    has_figures: bool = True

    def __getattr__(self, name: str) -> Any:
        """Return the attribute of the view."""
        return getattr(self.view, name)

    def document(self) -> Document:
        """Return the view's document, with the caption, label, title and notes."""
        document = self.view.document()
        document = replace(document, title=self._title(document.title), user_notes=self.notes)
        if self.caption or self.label:
            first, *others = document.sections
            first = replace(first, own_caption=self.caption or "", label=self.label or first.label)
            document = replace(document, sections=(first, *others))
        return in_percent(document) if self.is_percent else document

    def page(self) -> Page:
        """Return the view's page, with the title, notes and origin."""
        page = self.view.page()
        title, origin = self._title(page.title), self.origin or page.origin
        page = replace(page, title=title, origin=origin, notes=self.notes)
        if self.has_figures:
            return page
        return replace(page, parts=tuple(replace(part, figures=()) for part in page.parts))

    def _title(self, known: str) -> str:
        return known if self.title is None else escape_unprintable(self.title)


def write_report(view: View | Restyled, kind: str, screen: Screen | None = None) -> Iterator[str]:
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
