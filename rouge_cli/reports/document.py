"""What a report shows, whatever it is written in: tables, figures, marked words, and notes on them.

All text here is plain and can be printed; each writer escapes what has a meaning in its language.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import Enum
from itertools import groupby
from typing import Any, Final, Literal

from rouge_cli.quick_dataclass import dataclass

Mark = Literal["", "best", "tied", "better"]
"""The rank of a cell, which writers show by bold or italic type, or by a sign."""

BEST: Final = "best"
"""The largest value of several, or the lowest if lower is better: nothing was tested."""

TIED: Final = "tied"
"""What a test cannot tell apart from the best."""

BETTER: Final = "better"
"""What a test found to be better. Every writer shows it as `BETTER_SIGN`."""

BETTER_SIGN: Final = "*"
MARK_NAMES: Mapping[str, str] = {BEST: "Bold", TIED: "Italic", BETTER: BETTER_SIGN}
"""What notes call the marks where type shows them."""


class Role(Enum):
    """What a column is for.

    A table that is too wide is split: labels are repeated in each part. Of these, names come from
    the user and may be long, so that they are folded.
    """

    NAME = "name"
    LABEL = "label"
    VALUE = "value"


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell as shown.

    Parameters
    ----------
    text : str
        May be empty if there is an interval or letters.
    letters : tuple of str
        For each group of the column its letter, or as many blanks if the row is not in it; behind
        the text, if there is one.
    bar : float or None
        How long a bar beside it is, from 0 to 1; None for no bar. Only plain text draws it.
    """

    text: str
    interval: tuple[str, str] | None = None
    mark: Mark = ""
    letters: tuple[str, ...] = ()
    bar: float | None = None

    @property
    def own_letters(self) -> str:
        """The letters of the groups that the row is in, with blanks between them."""
        return " ".join(letter for letter in self.letters if letter.strip())


@dataclass(frozen=True, slots=True)
class Column:
    """A column, apart from its cells.

    Parameters
    ----------
    side : str
        ``"l"`` or ``"r"``: where text stands in the column.
    role : Role
        Columns of values come after all others.
    group : str
        What stands above the headings of neighbouring columns; empty for nothing.
    full_heading : str
        The heading where nothing stands above it; empty if it is the same.
    common : str
        What all rows have in common here, if they do: a narrow report has it in the title instead
        of the column.
    is_signed : bool
        Whether the sign of the numbers is the point, as in differences.
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
        """The heading where nothing stands above it."""
        return self.full_heading or self.heading


@dataclass(frozen=True, slots=True)
class Table:
    """Columns and rows, with a cell for each column.

    `is_long` says whether there may be more rows than a page holds, such as one for each EVAL.
    `is_sortable` says whether a page lets its reader sort the rows.
    """

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    is_long: bool = False
    is_sortable: bool = False

    @property
    def n_labels(self) -> int:
        """Number of columns that each part of a split table has."""
        return sum(column.role is not Role.VALUE for column in self.columns)

    @property
    def n_names(self) -> int:
        """Number of columns that may be folded."""
        return sum(column.role is Role.NAME for column in self.columns)

    def cells(self, number: int) -> list[Cell]:
        """Return the cells of a column."""
        return [row[number] for row in self.rows]

    def letters(self, place: int) -> tuple[str, ...]:
        """Return the letter of each group of a column, whichever of its rows are in it."""
        rows = [cell.letters for cell in self.cells(place) if cell.letters]
        return tuple(max(letters) for letters in zip(*rows, strict=True))

    def with_texts(self, change: Callable[[str], str]) -> "Table":
        """Return the table with the text of each cell changed."""
        # Most texts stay as they are, and of these the cells too: there may be a million.
        rows = [
            tuple(
                cell if (text := change(cell.text)) == cell.text else replace(cell, text=text)
                for cell in row
            )
            for row in self.rows
        ]
        return replace(self, rows=tuple(rows))

    def columns_at(self, places: Sequence[int]) -> "Table":
        """Return the table with some of its columns."""
        rows = tuple(tuple([row[place] for place in places]) for row in self.rows)
        return replace(self, columns=tuple(self.columns[place] for place in places), rows=rows)

    def groups(self) -> Iterator[tuple[str, range]]:
        """Yield what stands above the headings, and the places of the columns below it.

        A column with nothing above it comes alone, with an empty text.
        """
        keys = [column.group or place for place, column in enumerate(self.columns)]
        for _, members in groupby(range(len(keys)), keys.__getitem__):
            places = list(members)
            yield self.columns[places[0]].group, range(places[0], places[-1] + 1)

    def parts(self, widths: Sequence[float], room: float) -> Iterator[list[int]]:
        """Yield the places of the columns of each part: the labels, and as many others as fit.

        Columns of a group stay together; one or one group at least is in each part. `widths` are
        those of all columns with the gaps between them, in any unit; `room` is what is left beside
        the labels, in the same unit.
        """
        labels, part, taken = list(range(self.n_labels)), list[int](), 0.0
        for _, places in self.groups():
            if places[0] < self.n_labels:
                continue
            needed = sum(widths[place] for place in places)
            if part and taken + needed > room:
                yield labels + part
                part, taken = [], 0.0
            part, taken = [*part, *places], taken + needed
        yield labels + part


@dataclass(frozen=True, slots=True)
class Note:
    """A paragraph: sentences, each of which may explain a mark."""

    sentences: tuple[tuple[Mark, str], ...]

    @classmethod
    def of(cls, text: str) -> "Note":
        """Return a paragraph that explains no mark."""
        return cls((("", text),))

    def text(self, marks: Mapping[str, str]) -> str:
        """Return the paragraph, with the names that a writer has for its marks."""
        return " ".join(f"{marks[mark]}: {text}" if mark else text for mark, text in self.sentences)


@dataclass(frozen=True, slots=True)
class Section:
    """Tables that belong together.

    Parameters
    ----------
    name : str
        For references to it: small letters, digits and hyphens; no other section has it.
    title : str
        What stands above them; may be empty.
    caption : str
        What the numbers are, in a sentence; may be empty.
    own_caption : str
        In LaTeX, what the user has it say instead of title and caption; empty for nothing.
    label : str
        In LaTeX, what references call it; empty for one made of its name.
    """

    name: str
    tables: tuple[Table, ...]
    title: str = ""
    caption: str = ""
    own_caption: str = ""
    label: str = ""

    def narrowed(self) -> "Section":
        """Return the section with what all rows of a column have in common in its title."""
        common = [
            column.common for table in self.tables for column in table.columns if column.common
        ]
        kept = tuple(
            table.columns_at([k for k, column in enumerate(table.columns) if not column.common])
            for table in self.tables
        )
        return replace(self, tables=kept, title=", ".join(filter(None, (self.title, *common))))


Spec = Mapping[str, Any]
"""A specification of Vega-Lite: dictionaries, lists, strings and numbers."""


@dataclass(frozen=True, slots=True)
class Curve:
    """What a page needs to let its reader read a curve of power off.

    `points` are sizes, rising, and the power of each. `sentence` begins what is read, with ``{n}``
    where the size stands, such as ``"With {n} EVALs, a difference of 0.1 is found"``. `axis` says
    what is counted; `first` is the size that is read first.
    """

    axis: str
    sentence: str
    points: tuple[tuple[int, float], ...]
    first: int

    def as_json(self) -> str:
        """Return the curve for the script of a page."""
        import json  # 1.4 ms that most reports do not need

        return json.dumps([self.axis, self.sentence, self.points, self.first])


@dataclass(frozen=True, slots=True)
class Figure:
    """Panels that belong together, mostly one for each metric.

    Parameters
    ----------
    name : str
        One of `rouge_cli.options.reports.FIGURES`.
    caption : str
        What is drawn, of how many EVALs, and what the intervals are.
    panels : tuple of Spec
        Each can be drawn alone; its title says what it shows.
    curves : tuple of Curve
        What each panel shows, if a page lets its reader read it off; or empty.
    """

    name: str
    title: str
    caption: str
    panels: tuple[Spec, ...]
    curves: tuple[Curve, ...] = ()


ARROW = "\N{RIGHTWARDS ARROW}"
"""Between a word and its stem."""


class WordMark(Enum):
    """How words of a marked text are told apart: by their type, or by signs around them."""

    NONE = "none"
    COUNTED = "counted"
    CLIPPED = "clipped"
    QUIET = "quiet"


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of text that is not broken over two lines; blanks stand between the pieces.

    Parameters
    ----------
    text : str
        Such as a word.
    stem : str
        What is compared in its place; empty if it is the same.
    ends_sentence : bool
        Whether it is no word, but a sign that a sentence ends.
    """

    text: str
    mark: WordMark = WordMark.NONE
    stem: str = ""
    ends_sentence: bool = False

    @property
    def shown(self) -> str:
        """The text with its stem, if it has one."""
        return f"{self.text}{ARROW}{self.stem}" if self.stem else self.text


@dataclass(frozen=True, slots=True)
class Line:
    """A line, or a paragraph if it is long; `label`, which may be empty, stands before it.

    `is_side` says that it is one of two marked texts, which a page has side by side.
    """

    label: str
    spans: tuple[Span, ...]
    is_side: bool = False

    @classmethod
    def of(cls, label: str, text: str, mark: WordMark = WordMark.NONE) -> "Line":
        """Return a line of plain text, which is broken at blanks."""
        return cls(label, tuple(Span(word, mark) for word in text.split(" ")))

    def pieces(self) -> Iterator[tuple[WordMark, str]]:
        """Yield the text in pieces of one mark."""
        for mark, spans in groupby(self.spans, key=lambda span: span.mark):
            yield mark, " ".join(span.shown for span in spans)


@dataclass(frozen=True, slots=True)
class Passage:
    """A heading and the lines below it.

    `level` is 1 for an EVAL, 2 for a system, 3 for a metric, 4 for a model of several. `scores` of
    a system sum up the metrics that follow, a row each: for pages, as in other reports each metric
    has them in its lines.
    """

    heading: str
    level: int
    lines: tuple[Line, ...]
    scores: Table | None = None


@dataclass(frozen=True, slots=True)
class MarkedTexts:
    """Texts whose words are marked, with the counts that follow from them; in the order of reading.

    `legend` has entries besides those of the marks, which each writer words for itself; without
    full stops.
    """

    passages: tuple[Passage, ...]
    legend: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Document:
    """A report before it is written; figures stand apart, as few reports draw them.

    Parameters
    ----------
    notes : tuple of Note
        On all sections.
    signatures : tuple of str
        Of the scores.
    title : str
        That of a page; may be empty.
    marked : MarkedTexts or None
        Texts with marked words, if it shows any.
    headline : str
        What is found, in sentences before everything else; may be empty.
    user_notes : str
        Notes of the user for a page, in Markdown; may be empty.
    """

    sections: tuple[Section, ...]
    notes: tuple[Note, ...] = ()
    signatures: tuple[str, ...] = ()
    title: str = ""
    marked: MarkedTexts | None = None
    headline: str = ""
    user_notes: str = ""


@dataclass(frozen=True, slots=True)
class Check:
    """A score that was held against what is required.

    `name` says what is required, such as ``neural ROUGE-2 F >= 0.18``; `failure` is the line that
    says why the score is not as required, and empty where it is. `evals` are the EVALs that make
    the score, if they are asked for; one fails only where the score does.
    """

    name: str
    failure: str = ""
    evals: "tuple[Check, ...]" = ()
