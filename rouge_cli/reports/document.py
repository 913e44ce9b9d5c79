"""The content of a report, independent of its format: tables, figures, marked words, notes, pages.

All text is plain and printable; each writer escapes what is special in its language.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from decimal import Decimal
from enum import Enum
from itertools import groupby
from typing import Any, Final, Literal, NamedTuple

from rouge_cli.quick_dataclass import dataclass

Mark = Literal["", "best", "tied", "better"]
"""The rank of a cell, which writers show as bold, italic or a sign."""

BEST: Final = "best"  # the highest value, or the lowest if lower is better; no test is implied
TIED: Final = "tied"  # not significantly different from the best
BETTER: Final = "better"  # significantly better. Every writer shows it as `BETTER_SIGN`.
BETTER_SIGN: Final = "*"
MARK_NAMES: Mapping[str, str] = {BEST: "Bold", TIED: "Italic", BETTER: BETTER_SIGN}
"""Names for the marks in notes, where type shows them."""


class Role(Enum):
    """The purpose of a column.

    A table that is too wide is split into parts, each of which repeats the labels. Names are labels
    supplied by the user, which may be long and are then folded.
    """

    NAME = "name"
    LABEL = "label"
    VALUE = "value"


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell as shown.

    - `text`: may be empty if there is an interval or letters.
    - `letters`: one entry per group of the column: its letter, or blanks if the row is not in the
      group. They follow the text, if any.
    - `bar`: length of a bar next to the text, from 0 to 1. Only plain text draws it.
    """

    text: str
    interval: tuple[str, str] | None = None
    mark: Mark = ""
    letters: tuple[str, ...] = ()
    bar: float | None = None

    @property
    def own_letters(self) -> str:
        """The letters of the row's groups, separated by blanks."""
        return " ".join(letter for letter in self.letters if letter.strip())


@dataclass(frozen=True, slots=True)
class Column:
    """A column without its cells.

    - `side`: alignment of the text: ``"l"`` or ``"r"``.
    - `role`: columns of values follow all others.
    - `group`: heading above those of neighbouring columns; may be empty.
    - `full_heading`: heading for reports without group headings, if it differs from `heading`.
    - `common`: text for the value that all rows share. Narrow reports move it to the title and drop
      the column.
    - `is_signed`: whether the sign of the numbers matters, as in differences.
    """

    heading: str
    side: str = "r"
    role: Role = Role.VALUE
    group: str = ""
    full_heading: str = ""
    common: str = ""
    is_signed: bool = False

    @property
    def heading_alone(self) -> str:
        """The heading for reports without group headings."""
        return self.full_heading or self.heading


@dataclass(frozen=True, slots=True)
class Table:
    """Columns and rows, with one cell per column.

    `is_long` tables, such as those with a row per EVAL, may exceed a page. Pages let the reader
    sort `is_sortable` ones.
    """

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    is_long: bool = False
    is_sortable: bool = False

    @property
    def n_labels(self) -> int:
        """Number of columns repeated in each part of a split table."""
        return sum(column.role is not Role.VALUE for column in self.columns)

    @property
    def n_names(self) -> int:
        """Number of columns that may be folded."""
        return sum(column.role is Role.NAME for column in self.columns)

    def cells(self, number: int) -> list[Cell]:
        """Return the cells of a column."""
        return [row[number] for row in self.rows]

    def letters(self, place: int) -> tuple[str, ...]:
        """Return, for each group of a column, the letter that appears in any of its rows."""
        rows = [cell.letters for cell in self.cells(place) if cell.letters]
        return tuple(max(letters) for letters in zip(*rows, strict=True))

    def with_texts(self, change: Callable[[str], str]) -> "Table":
        """Return a copy with `change` applied to the text of each cell."""

        def changed(cell: Cell, _: Column) -> Cell:
            # Reuse cells that do not change: there may be a million of them.
            return cell if (text := change(cell.text)) == cell.text else replace(cell, text=text)

        return self.with_cells(changed)

    def with_cells(self, change: Callable[[Cell, Column], Cell]) -> "Table":
        """Return a copy with `change` applied to each cell, given its column."""
        rows = (tuple(map(change, row, self.columns)) for row in self.rows)
        return replace(self, rows=tuple(rows))

    def columns_at(self, places: Sequence[int]) -> "Table":
        """Return a table with only the given columns."""
        rows = tuple(tuple([row[place] for place in places]) for row in self.rows)
        return replace(self, columns=tuple(self.columns[place] for place in places), rows=rows)

    def groups(self) -> Iterator[tuple[str, range]]:
        """Yield each group heading with the range of its columns.

        A column without a group comes alone, with an empty heading.
        """
        # Places as keys keep neighbouring columns without a group apart.
        keys = [column.group or place for place, column in enumerate(self.columns)]
        for _, members in groupby(range(len(keys)), keys.__getitem__):
            places = list(members)
            yield self.columns[places[0]].group, range(places[0], places[-1] + 1)

    def parts(self, widths: Sequence[float], room: float) -> Iterator[list[int]]:
        """Yield the columns of each part: the labels, and as many values as fit.

        Groups stay together, and each part has at least one. `widths` include the gaps between
        columns; `room` is the space beside the labels, in the same unit.
        """
        labels, part, taken = list(range(self.n_labels)), list[int](), 0.0
        for _, places in self.groups():
            if places[0] < self.n_labels:
                continue
            needed = sum(widths[place] for place in places)
            # A group that is wider than the room gets a part of its own.
            if part and taken + needed > room:
                yield labels + part
                part, taken = [], 0.0
            part, taken = [*part, *places], taken + needed
        yield labels + part


@dataclass(frozen=True, slots=True)
class Note:
    """A paragraph of sentences, each of which may explain a mark."""

    sentences: tuple[tuple[Mark, str], ...]

    @classmethod
    def of(cls, text: str) -> "Note":
        """Return a paragraph that explains no mark."""
        return cls((("", text),))

    def text(self, marks: Mapping[str, str]) -> str:
        """Return the paragraph; a sentence that explains a mark begins with its name in `marks`."""
        return " ".join(f"{marks[mark]}: {text}" if mark else text for mark, text in self.sentences)


@dataclass(frozen=True, slots=True)
class Section:
    """Related tables.

    - `name`: unique anchor: lower-case letters, digits and hyphens.
    - `title`: heading; may be empty.
    - `caption`: a sentence that explains the numbers; may be empty.
    - `own_caption`: in LaTeX, a caption from the user that replaces title and caption.
    - `label`: in LaTeX, the label; by default derived from `name`.
    """

    name: str
    tables: tuple[Table, ...]
    title: str = ""
    caption: str = ""
    own_caption: str = ""
    label: str = ""

    def with_tables(self, change: Callable[[Table], Table]) -> "Section":
        """Return a copy with `change` applied to each table."""
        return replace(self, tables=tuple(map(change, self.tables)))

    def narrowed(self) -> "Section":
        """Return the section with columns that are common to all rows moved to the title.

        What the caption already says is dropped without being added to the title.
        """
        common = [
            column.common
            for table in self.tables
            for column in table.columns
            if column.common and column.common not in self.caption
        ]

        def kept(table: Table) -> Table:
            places = [k for k, column in enumerate(table.columns) if not column.common]
            return table.columns_at(places)

        title = ", ".join(filter(None, (self.title, *common)))
        return replace(self, title=title).with_tables(kept)


Spec = Mapping[str, Any]  # a Vega-Lite specification


class Curve(NamedTuple):
    """A power curve from which readers of a page can read off values.

    `points` has pairs of a size and its power, in ascending order. `sentence`, such as ``"With {n}
    EVALs, a difference of 0.1 is found"``, begins the answer. `axis` is the unit of the sizes;
    `first` is the size that is shown initially, and `most` the one at the right end of the axis.
    """

    axis: str
    sentence: str
    points: tuple[tuple[int, float], ...]
    first: int
    most: int


@dataclass(frozen=True, slots=True)
class Figure:
    """Related panels, usually one per metric.

    - `name`: one of `rouge_cli.options.figures.FIGURES`.
    - `caption`: what is drawn, the number of EVALs, and the kind of intervals.
    - `panels`: each can be drawn on its own; its title says what it shows.
    - `has_common_names`: whether the rows of all panels have the same names, so that panels side by
      side need them only once.
    - `key`: the meaning of short names or numbers; may be empty.
    - `curves`: the curve in each panel, if pages let readers read off values; else empty.
    - `bins`: of a histogram or map, the column of scores and the edges of the bins in each panel,
      from which pages link to the EVALs; else empty.
    - `pair`: the systems on the two axes of a map, whose bins are the same; else empty.
    """

    name: str
    title: str
    caption: str
    panels: tuple[Spec, ...]
    curves: tuple[Curve, ...] = ()
    bins: tuple[tuple[str, Sequence[float]], ...] = ()
    pair: tuple[str, ...] = ()
    has_common_names: bool = False
    key: str = ""

    @property
    def captioned(self) -> str:
        """The caption with the key."""
        return f"{self.caption} {self.key}.".replace(" .", "")


ARROW = "\N{RIGHTWARDS ARROW}"  # separates a word from its stem


class WordMark(Enum):
    """The status of a word in a marked text, shown by type or by surrounding signs."""

    NONE = "none"
    COUNTED = "counted"
    CLIPPED = "clipped"
    QUIET = "quiet"


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of text that is never broken across lines; pieces are separated by blanks.

    - `text`: usually a word.
    - `stem`: the stem that is compared instead, if it differs.
    - `ends_sentence`: whether this is the sign for the end of a sentence, not a word.
    """

    text: str
    mark: WordMark = WordMark.NONE
    stem: str = ""
    ends_sentence: bool = False

    @property
    def shown(self) -> str:
        """The text, with its stem if it has one."""
        return f"{self.text}{ARROW}{self.stem}" if self.stem else self.text


@dataclass(frozen=True, slots=True)
class Line:
    """A line or paragraph, with an optional label.

    `is_side` marks one of two texts that pages show side by side.
    """

    label: str
    spans: tuple[Span, ...]
    is_side: bool = False

    @classmethod
    def of(cls, label: str, text: str, mark: WordMark = WordMark.NONE) -> "Line":
        """Return a line of plain text, which may be broken at blanks."""
        return cls(label, tuple(Span(word, mark) for word in text.split(" ")))

    def pieces(self) -> Iterator[tuple[WordMark, str]]:
        """Yield runs of spans with the same mark, as text."""
        for mark, spans in groupby(self.spans, key=lambda span: span.mark):
            yield mark, " ".join(span.shown for span in spans)


@dataclass(frozen=True, slots=True)
class Passage:
    """A heading and the lines below it.

    `level` is 1 for an EVAL, 2 for a system, 3 for a metric, 4 for one of several models. A
    system's `scores` have a row for each of the metrics that follow; only pages show them.
    """

    heading: str
    level: int
    lines: tuple[Line, ...]
    scores: Table | None = None


@dataclass(frozen=True, slots=True)
class MarkedTexts:
    """Texts with marked words and the resulting counts, in reading order.

    `legend` has entries besides those for the marks, without full stops.
    """

    passages: tuple[Passage, ...]
    legend: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Document:
    """A report in no particular format. Figures are separate, since few reports draw them.

    - `notes`: on all sections; `user_notes`: the user's, for a page, in Markdown.
    - `title`: of a page; may be empty.
    - `headline`: the findings, in a few sentences at the top; may be empty.
    """

    sections: tuple[Section, ...]
    notes: tuple[Note, ...] = ()
    signatures: tuple[str, ...] = ()
    title: str = ""
    marked: MarkedTexts | None = None
    headline: str = ""
    user_notes: str = ""


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


@dataclass(frozen=True, slots=True)
class Check:
    """A score compared with a requirement.

    `name` is the requirement, such as ``neural ROUGE-2 F >= 0.18``; `failure` explains a failure,
    and is empty otherwise. `evals` has the checks of single EVALs, if requested; one can fail only
    if the score does. `change` has system, metric, baseline, mean and change of a comparison with a
    baseline, as printed.
    """

    name: str
    failure: str = ""
    evals: "tuple[Check, ...]" = ()
    change: tuple[str, ...] = ()


CHANCES = frozenset({"p", "Holm", "boot.", "rand."})  # headings of columns that are not scores
SCORE = re.compile(r"(?<!p = )(?<![\w.])([-+]?)([0-9]+\.[0-9]{4,})(?![0-9])")


def in_percent(document: Document) -> Document:
    """Return a document with its scores, which have four decimals or more, times 100."""

    def shown(text: str) -> str:
        return SCORE.sub(lambda match: f"{match[1]}{Decimal(match[2]).scaleb(2):f}", text)

    def cell(cell: Cell, column: Column) -> Cell:
        # p-values have four decimals, as scores have.
        if {column.heading, column.group} & CHANCES:
            return cell
        bounds = cell.interval and (shown(cell.interval[0]), shown(cell.interval[1]))
        return replace(cell, text=shown(cell.text), interval=bounds)

    sections = []
    for section in document.sections:
        changed = section.with_tables(lambda table: table.with_cells(cell))
        sections.append(replace(changed, caption=shown(section.caption)))
    return replace(document, sections=tuple(sections), headline=shown(document.headline))
