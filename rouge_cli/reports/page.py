"""What a page shows, before it is written: in which order, and what each part is called."""

from dataclasses import field
from typing import Protocol

from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports import DataView
from rouge_cli.reports.explorer import Explorer
from rouge_cli.reports.figure import Figure
from rouge_cli.reports.table import Note, Section

__all__ = ["Checksum", "FiguredView", "Origin", "Page", "PageView", "Part"]


@dataclass(frozen=True, slots=True)
class Checksum:
    """What an input was, to the byte.

    Parameters
    ----------
    name : str
        The file, or what was read of several.
    sha256 : str
        In hexadecimal digits.
    """

    name: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Origin:
    """Where results come from.

    Parameters
    ----------
    command : str
        As typed; empty where nothing was typed.
    """

    command: str = ""
    checksums: tuple[Checksum, ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a page, with a heading.

    Parameters
    ----------
    name : str
        Its anchor: small letters, digits and hyphens.
    sections : tuple of Section
        Its tables.
    notes : tuple of Note
        What is to be said of them.
    opens_with_figures : bool
        Whether the figures come before the tables.
    """

    name: str
    title: str
    sections: tuple[Section, ...] = ()
    figures: tuple[Figure, ...] = ()
    notes: tuple[Note, ...] = ()
    opens_with_figures: bool = False


@dataclass(frozen=True, slots=True)
class Page:
    """A whole page.

    Parameters
    ----------
    headline : tuple of str
        What was found, in sentences.
    explorer : Explorer or None
        The EVALs; None where the result has none.
    original : str or None
        The command line of the original that scores the same.
    citation : str
        Plain text.
    """

    title: str
    headline: tuple[str, ...]
    warnings: tuple[str, ...]
    parts: tuple[Part, ...]
    signatures: tuple[str, ...]
    citation: str
    explorer: Explorer | None = None
    original: str | None = None
    origin: Origin = field(default_factory=Origin)


class FiguredView(DataView, Protocol):
    """A result that can be drawn."""

    def figures(self) -> tuple[Figure, ...]:
        """Return what can be drawn of it, the most important one first."""


class PageView(FiguredView, Protocol):
    """A result that fills a page."""

    def page(self) -> Page:
        """Return what the page shows."""
