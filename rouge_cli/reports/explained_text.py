"""What an explanation shows, whatever it is written in: headings, and lines of marked words.

All text here is plain and can be printed; each writer escapes what its own language would read.
"""

from collections.abc import Sequence
from enum import Enum

from rouge_cli.quick_dataclass import dataclass

__all__ = ["Block", "Heading", "Line", "Mark", "Span"]


class Mark(Enum):
    """What is said of a piece of text by its type, or by signs around it."""

    NONE = "none"
    COUNTED = "counted"
    CLIPPED = "clipped"
    QUIET = "quiet"


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of text that a line is not broken in; blanks stand between the pieces."""

    text: str
    mark: Mark = Mark.NONE


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading.

    Parameters
    ----------
    level : int
        1 for an EVAL, 2 for a system, 3 for a metric, 4 for a model of several.
    """

    text: str
    level: int


@dataclass(frozen=True, slots=True)
class Line:
    """A line, or a paragraph if it is long.

    Parameters
    ----------
    label : str
        What stands before it; may be empty.
    """

    label: str
    spans: tuple[Span, ...]

    @classmethod
    def of(cls, label: str, text: str, mark: Mark = Mark.NONE) -> "Line":
        """Return a line of plain text, which is broken at blanks."""
        return cls(label, tuple(Span(word, mark) for word in text.split(" ")))


Block = Sequence[Heading | Line]
