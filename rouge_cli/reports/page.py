"""The content of a page: its parts, the origin of results, and what to cite."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from hashlib import file_digest
from importlib.resources import files
from string import Template
from typing import Any

from rouge_cli.escapes import escape_unprintable
from rouge_cli.metrics.metric import scored_metrics
from rouge_cli.options.options import Options
from rouge_cli.options.reports import STANDARD_OUTPUT
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports.document import Document, Figure, Note, Section
from rouge_cli.reports.wording import listed
from rouge_cli.scores.signature import original_command, signature
from rouge_cli.version import RELEASE_DATE, __version__

ALL_TEXTS = "all texts as they are read"

CITATION = (files("rouge_cli.reports") / "templates" / "citation.txt").read_text("utf-8")
CITED = Template(CITATION).substitute(version=__version__, year=RELEASE_DATE[:4])
"""What to cite in any paper, independent of what was scored."""


def citation(options: Options) -> Iterator[str]:
    """Return references, and a sentence for a paper about a run with `options`, in parts.

    Raises InputError if a word list of the data directory cannot be read.
    """
    metrics = [metric.name for metric in scored_metrics(options.metrics)]
    names = f"{listed(metrics, len(metrics))} (Lin, 2004) {'were' if metrics[1:] else 'was'}"
    claim = (
        "which reproduces\nROUGE-1.5.5 to the last digit."
        if options.texts.reads_as_original
        else "which counts as\nROUGE-1.5.5 does. Its words are not those of ROUGE-1.5.5."
    )
    # Not a generator: an error in a word list comes before anything is printed.
    parts = [
        f"{CITED}\n",
        f"In the paper:\n\n{names} computed with rouge-cli {__version__}, {claim} "
        f"Signature:\n{signature(options)}\n\n",
    ]
    if (command := original_command(options)) is not None:
        parts.append(f"The same with the original:\n\n{escape_unprintable(command)}\n")
    return iter(parts)


@dataclass(frozen=True, slots=True)
class Provenance:
    """The origin of results.

    `command` is the command as typed; it is empty for a call from Python. `checksums` has pairs of
    a file name and its SHA-256. `date` is the date of the run, or empty.
    """

    command: str = ""
    checksums: tuple[tuple[str, str], ...] = ()
    date: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a page; `notes` comment on its tables.

    `name` is its anchor: lower-case letters, digits and hyphens. With `opens_with_figures`, figures
    precede the tables. The sections and notes of `details` are shown on request. On a page with
    tabs, a part with `is_behind` is on the second tab.
    """

    name: str
    title: str
    sections: tuple[Section, ...] = ()
    figures: tuple[Figure, ...] = ()
    notes: tuple[Note, ...] = ()
    opens_with_figures: bool = False
    details: "Part | None" = None
    is_behind: bool = False


@dataclass(frozen=True, slots=True)
class Page:
    """A whole page.

    - `headline`: the findings, in sentences; may be empty.
    - `explorer`: the EVALs, as `rouge_cli.studies.score.explorer.explorer_of` returns them, if any.
    - `original`: the command line with which the original computes the same scores.
    - `citation`: plain text.
    - `notes`: from the user, in Markdown; may be empty.
    - `short_names`: the short form of each long name in tables, which keep the long one as tooltip.
    """

    title: str
    headline: tuple[str, ...]
    warnings: tuple[str, ...]
    parts: tuple[Part, ...]
    signatures: tuple[str, ...]
    citation: str
    explorer: Any = None
    original: str | None = None
    origin: Provenance = field(default_factory=Provenance)
    notes: str = ""
    short_names: Mapping[str, str] = field(default_factory=dict)


def checksums(paths: Iterable[str | None], all_texts: str = "") -> Iterator[tuple[str, str]]:
    """Yield the checksum of each file and of each file in a folder, and `all_texts` if known.

    Pipes are skipped, since they can be read only once. `all_texts` is the SHA-256 of all texts,
    which also covers files that the command does not name.
    """
    for path in dict.fromkeys(paths):
        if path and path != STANDARD_OUTPUT:
            is_folder = os.path.isdir(path)
            inner = (entry.path for entry in os.scandir(path)) if is_folder else [path]
            for file in filter(os.path.isfile, sorted(inner)):
                with open(file, "rb") as opened:
                    digest = file_digest(opened, "sha256").hexdigest()
                yield escape_unprintable(file), digest
    if all_texts:
        yield ALL_TEXTS, all_texts


def page_of(kind: str, document: Document, figures: Sequence[Figure]) -> Page:
    """Return the default page of a view: its tables, then its figures.

    The title is the document's, or else `kind`.
    """
    results = Part("results", "Results", document.sections, tuple(figures), document.notes)
    return Page(
        title=document.title or kind.capitalize(),
        headline=(document.headline,) if document.headline else (),
        warnings=(),
        parts=(results,),
        signatures=document.signatures,
        citation=CITED,
    )
