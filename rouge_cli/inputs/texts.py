"""Sources of texts: what differs between the layouts; all else is a `Corpus`.

A source knows its texts by number, from 0. Nothing is read before somebody asks for it.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from operator import itemgetter
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from rouge_cli.escapes import escaped
from rouge_cli.inputs.files import read_file
from rouge_cli.inputs.formats import ELEMENTS_FORMAT, SENTENCE_FORMATS
from rouge_cli.inputs.sentences import Tally
from rouge_cli.quick_dataclass import dataclass

Item = TypeVar("Item")

RAW_FORMAT = "SPL"
"""The format of normalised texts, in which sentences may still have to be found."""

BYTES_AT_A_TIME = 1 << 18
"""Bytes of files handed on together: file by file would cost as much as reading them."""


def taken(items: Sequence[Item], numbers: Sequence[int]) -> list[Item]:
    """Return the items with these numbers, in half of the time of a comprehension."""
    if isinstance(numbers, range):
        return list(items[numbers.start : numbers.stop])
    if len(numbers) > 1:
        return list(itemgetter(*numbers)(items))
    return [items[number] for number in numbers]


def as_range(numbers: NDArray[np.int64]) -> range | None:
    """Return numbers as a range, if each is the one before plus 1 and there are any."""
    if not numbers.size or int(numbers[-1]) - int(numbers[0]) + 1 != numbers.size:
        return None
    if not (np.diff(numbers) == 1).all():
        return None
    return range(int(numbers[0]), int(numbers[-1]) + 1)


class Reading(NamedTuple):
    """Some texts, read together: normalised, or lines of Basic Elements.

    `tallies` count texts without the separator, for each file. `lengths` are the bytes of each
    text, shape (n_texts,), where these are known. `order`, of the same shape, is that of their
    numbers, where it is known to differ.
    """

    texts: Sequence[bytes]
    tallies: tuple[Tally, ...] = ()
    lengths: NDArray[np.int64] | None = None
    order: NDArray[np.int64] | None = None


class OrderedTexts(NamedTuple):
    """Texts from Python, EVAL by EVAL: the references of each, and behind them its predictions.

    Parameters
    ----------
    texts : sequence of str or bytes
        Or, where texts came so, lists of sentences.
    n_models : ndarray of int64, shape (n_evals,)
        How many references each EVAL has, at least 1.
    lengths : ndarray of int64, shape (n_texts,)
        Of each text, in characters or bytes.
    held : capsule or None
        What of the core knows the bytes of the texts; None without the core, and for texts that it
        cannot read.
    are_encoded : bool
        Whether it knows those of all; strings that are not ASCII have to be encoded first.
    """

    texts: Sequence[Any]
    n_models: NDArray[np.int64]
    lengths: NDArray[np.int64]
    held: Any = None
    are_encoded: bool = False


class UnreadableTextError(Exception):
    """Text `number` of a source cannot be read; code that knows its EVAL raises InputError."""

    def __init__(self, number: int, reason: str) -> None:
        super().__init__(reason)
        self.number = number


class Texts(ABC):
    """Texts by number, from any source."""

    __slots__ = ()

    @abstractmethod
    def __len__(self) -> int:
        """Return how many there are."""

    @abstractmethod
    def read(self, numbers: Sequence[int]) -> Iterator[Reading]:
        """Read texts in the order of `numbers`, some at a time; lazily, so that few are held.

        Raises UnreadableTextError and InputError.
        """

    def read_blocks(self, first_texts: NDArray[np.int64], n_bytes: int) -> Iterator[Reading] | None:
        """Read all texts, a block at a time: some EVALs.

        None where `read` returns all there is to know. `first_texts`, of shape (n_evals + 1,), says
        where EVALs begin and end. A block has about `n_bytes`, unless a single EVAL has more.
        Raises InputError.
        """
        return None

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
        """Return for each text the first that is the same file in the same EVAL: it is read."""
        return numbers

    def describe(self, number: int, eval_id: str) -> str:
        """Name a text of an EVAL in a message."""
        return f"EVAL {escaped(eval_id)}: {escaped(self.place(number))}"

    def as_files(self) -> "FileTexts | None":
        """Return the same, if each text is a file of its own; otherwise None."""
        return None

    def content(self, number: int) -> bytes:
        """Return the raw bytes of a text."""
        (reading,) = self.read([number])
        return reading.texts[0]


@dataclass(frozen=True, slots=True)
class Origin:
    """A file that holds many texts; numbers in it count its `unit`, ``"line"`` or ``"record"``."""

    name: str
    unit: str = "line"

    def place(self, number: int) -> str:
        """Return where something stands in the file."""
        return f"{self.unit} {number}"


@dataclass(frozen=True, slots=True, eq=False)
class FileTexts(Texts):
    """Files with a text each.

    Parameters
    ----------
    names, formats : sequence of str
        The path and the format of each file.
    lines : sequence of int or None
        The line of the configuration that names each file; empty where there is no configuration.
    contents : mapping of str to bytes
        Files that are read already, by name. Another process reads them anew.
    split : callable or None
        From raw text to a sentence a line, for the format SPL; picklable.
    as_elements : bool
        Whether only Basic Elements are wanted of the texts; only SIMPLE has them.
    firsts : ndarray of int64, shape (n_texts,), or None
        For each file the first mention of it in the same EVAL; None if no EVAL names one twice.
    """

    names: Sequence[str]
    formats: Sequence[str]
    lines: Sequence[int | None] = ()
    contents: Mapping[str, bytes] = field(default_factory=dict)
    split: Callable[[bytes], bytes] | None = None
    as_elements: bool = False
    firsts: NDArray[np.int64] | None = None

    def as_files(self) -> "FileTexts":
        """Return itself."""
        return self

    def __reduce__(self) -> tuple[type["FileTexts"], tuple[Any, ...]]:
        """Pickle without the contents."""
        return type(self), (
            *(self.names, self.formats, self.lines),
            *({}, self.split, self.as_elements),
        )

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.names)

    def read(self, numbers: Sequence[int]) -> Iterator[Reading]:
        """Read file after file; raises UnreadableTextError."""
        is_raw = not self.as_elements and self.split is None
        # Most files are in memory and scored as they are: these need no call each.
        ready = self.contents if is_raw and set(self.formats) <= {RAW_FORMAT} else {}
        texts: list[bytes] = []
        n_bytes = 0
        for number in numbers:
            text = ready.get(self.names[number])
            if text is None:
                text = self._text(number)
            texts.append(text)
            n_bytes += len(text)
            if n_bytes >= BYTES_AT_A_TIME:
                yield Reading(texts)
                texts, n_bytes = [], 0
        if texts:
            yield Reading(texts)

    def _text(self, number: int) -> bytes:
        """Read a text in its format; raises UnreadableTextError."""
        content, form = self.content(number), self.formats[number]
        if self.as_elements:
            return content if form == ELEMENTS_FORMAT else b""
        if form != RAW_FORMAT:
            return SENTENCE_FORMATS[form].read(content)
        return content if self.split is None else self.split(content)

    def content(self, number: int) -> bytes:
        """Return the bytes of a file; raises UnreadableTextError."""
        name = self.names[number]
        content = self.contents.get(name)
        if content is not None:
            return content
        try:
            return read_file(name)
        except OSError as error:
            raise UnreadableTextError(number, f"cannot be read: {error.strerror}") from None

    def place(self, number: int) -> str:
        """Return the path."""
        return self.names[number]

    def line(self, number: int) -> int | None:
        """Return the line of the configuration that names a file, if there is one."""
        return self.lines[number] if self.lines else None

    def first_mentions(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return for each file the first mention of it in the same EVAL."""
        return numbers if self.firsts is None else self.firsts[numbers]

    def sizes(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the bytes of files that are read already; 0 for others."""
        if not self.contents:
            return np.zeros(numbers.size, np.int64)
        names, contents = self.names, self.contents
        lengths = (len(contents.get(names[number], b"")) for number in numbers.tolist())
        return np.fromiter(lengths, np.int64, numbers.size)

    def part(self, numbers: NDArray[np.int64]) -> "FileTexts":
        """Return some of them, without their lines: problems there have been reported before."""
        order = numbers.tolist()
        names, formats = self.names, self.formats
        return FileTexts(
            [names[number] for number in order],
            [formats[number] for number in order],
            (),
            self.contents,
            self.split,
            self.as_elements,
        )
