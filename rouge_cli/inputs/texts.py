"""Sources of texts: what differs between the layouts, where all else is a `Corpus`.

A source knows its texts by number, from 0. Nothing is read before somebody asks for it.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rouge_cli.escapes import escaped
from rouge_cli.inputs.sentences import Tally
from rouge_cli.quick_dataclass import dataclass


class Reading(NamedTuple):
    """Some texts, read together.

    Parameters
    ----------
    texts : list of bytes
        Normalised: a newline between sentences; or lines of Basic Elements.
    tallies : tuple of Tally
        Texts without the separator, counted for each file.
    """

    texts: list[bytes]
    tallies: tuple[Tally, ...] = ()


class UnreadableTextError(Exception):
    """A text that cannot be read; whoever knows its EVAL makes an InputError of it.

    Parameters
    ----------
    number : int
        Of the text in its source.
    """

    def __init__(self, number: int, reason: str) -> None:
        super().__init__(reason)
        self.number = number


class Texts(ABC):
    """Texts by number, from wherever they come."""

    __slots__ = ()

    are_files = False
    """Whether each text is a file of its own."""

    @abstractmethod
    def __len__(self) -> int:
        """Return how many there are."""

    @abstractmethod
    def read(self, numbers: Sequence[int]) -> Iterator[Reading]:
        """Read texts in the order of `numbers`, some at a time; lazily, so that few are held.

        Raises UnreadableTextError and InputError.
        """

    @abstractmethod
    def place(self, number: int) -> str:
        """Return where a text stands, such as a file and a line."""

    @abstractmethod
    def sizes(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return about how many bytes some texts have, 0 for what is not known yet.

        Work is divided by it, so it has to be cheap and need not be exact.
        """

    @abstractmethod
    def part(self, numbers: NDArray[np.int64]) -> "Texts":
        """Return a source of some texts, numbered anew in that order; cheap to pickle."""

    def first_mentions(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return for each text the first one that is the same file in the same EVAL: it is read."""
        return numbers

    def describe(self, number: int, eval_id: str) -> str:
        """Name a text of an EVAL in a message."""
        return f"EVAL {escaped(eval_id)}: {escaped(self.place(number))}"

    def content(self, number: int) -> bytes:
        """Return the bytes in which a text stands, as they are."""
        (reading,) = self.read([number])
        return reading.texts[0]


@dataclass(frozen=True, slots=True)
class Origin:
    """A file that holds many texts.

    Parameters
    ----------
    name : str
        What the user calls it.
    unit : str
        What numbers in it count: ``"line"`` or ``"record"``.
    """

    name: str
    unit: str = "line"

    def place(self, number: int) -> str:
        """Return where something stands in the file."""
        return f"{self.unit} {number}"


@dataclass(frozen=True, slots=True, eq=False)
class HeldTexts(Texts):
    """Texts that are in memory, from one file or several.

    Parameters
    ----------
    contents : sequence of bytes
        Normalised.
    origins : tuple of Origin
        The files.
    units : ndarray of int64, shape (n_texts,)
        The line or the record of each text.
    origin_numbers : ndarray of int64, shape (n_texts,), or None
        The file of each text, as an index of `origins`; None: all are of the first.
    """

    contents: Sequence[bytes]
    origins: tuple[Origin, ...]
    units: NDArray[np.int64]
    origin_numbers: NDArray[np.int64] | None = None

    @classmethod
    def joined(cls, sources: Sequence["HeldTexts"]) -> "HeldTexts":
        """Return the texts of sources that have one file each, one source after the other."""
        return cls(
            [text for source in sources for text in source.contents],
            tuple(source.origins[0] for source in sources),
            np.concatenate([source.units for source in sources]),
            np.repeat(np.arange(len(sources)), [len(source) for source in sources]),
        )

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.contents)

    def read(self, numbers: Sequence[int]) -> Iterator[Reading]:
        """Return all at once: they are held already."""
        yield Reading([self.contents[number] for number in numbers])

    def place(self, number: int) -> str:
        """Return the file, and the line or the record."""
        origin = self.origins[0 if self.origin_numbers is None else self.origin_numbers[number]]
        return f"{origin.name}, {origin.place(int(self.units[number]))}"

    def sizes(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return how many bytes they have."""
        lengths = (len(self.contents[number]) for number in numbers.tolist())
        return np.fromiter(lengths, np.int64, numbers.size)

    def part(self, numbers: NDArray[np.int64]) -> "HeldTexts":
        """Return some of them."""
        origin_numbers = self.origin_numbers
        return HeldTexts(
            [self.contents[number] for number in numbers.tolist()],
            self.origins,
            self.units[numbers],
            None if origin_numbers is None else origin_numbers[numbers],
        )
