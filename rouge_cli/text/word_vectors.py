"""Tables of word vectors: word2vec's text and binary, GloVe, and fastText's ``.vec``.

A table is read through once, which checks every row, keeps a hash and a place of each word, and no
number. The row of a word is read when a text has it first, so memory holds the words of the run.

Numbers become float32, as binary tables have them, and then integers of 16 bits, the largest of a
row 32767. Products and sums of these are exact in float64, in any order: a cosine is the same on
every machine, for every format, and however many are computed at a time.
"""

import hashlib
import mmap
import os
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import InputError
from rouge_cli.escapes import escaped
from rouge_cli.quick_dataclass import dataclass

__all__ = ["WordVectors", "load_word_vectors"]

LARGEST = 32767
NUMBER_BYTES = b"0123456789+-.eE "
LINE_END = b" \t\r\n"
HEADER_FIELDS = 2
MOST_SHOWN = 3
FLOAT_BYTES = 4
CHUNK = 1 << 24
LONGEST_WORD = 1 << 16
TEXT_BYTES = frozenset(range(32, 127)) | frozenset(b"\t\r\n")
OTHER_FILES = {
    b"\x1f\x8b": "is compressed; unpack it first",
    b"PK\x03\x04": "is a ZIP archive; unpack it first",
    b"\xba\x16\x4f\x2f": "is a model of fastText; expected its table of vectors, the .vec file",
}
"""First bytes of files that are often given instead of a table, and what to say of them."""

Row = tuple[bytes, int]
"""A word, and where its row begins in the file."""


@dataclass(frozen=True, slots=True, eq=False)
class WordVectors:
    """A table of word vectors, whose rows are read on demand.

    Parameters
    ----------
    digest : str
        SHA-256 of the file, hexadecimal.
    hashes, places : ndarray of int64, shape (n_rows,)
        Python's hash of each word, ascending, and where its row begins.
    lengths : ndarray of int64, shape (n_rows,)
        Bytes of each word.
    content : mmap
        The file.
    rows : dict of bytes to ndarray of int16, shape (dimension,), or None
        What was read so far; None for a word that has no vector.
    """

    path: str
    digest: str
    dimension: int
    hashes: NDArray[np.int64]
    places: NDArray[np.int64]
    lengths: NDArray[np.int64]
    content: mmap.mmap
    is_binary: bool
    rows: dict[bytes, NDArray[np.int16] | None] = field(default_factory=dict)

    def lookup(self, words: Sequence[bytes]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Find the vectors of words.

        Returns
        -------
        numbers : ndarray of int64, shape (n_words,)
            The row of each word in `vectors`; -1 if it has none. A row of zeros has no direction,
            and is none.
        vectors : ndarray of float64, shape (n_found, dimension)
            Whole numbers from -32767 to 32767.

        Raises
        ------
        InputError
            If the row of a word is no row of numbers.
        """
        found = [self._row(word) for word in words]
        has_row = np.array([row is not None for row in found], np.bool_)
        numbers = np.where(has_row, np.cumsum(has_row) - 1, -1)
        rows = [row for row in found if row is not None]
        vectors = np.array(rows, np.float64).reshape(len(rows), self.dimension)
        return numbers, vectors

    def _row(self, word: bytes) -> NDArray[np.int16] | None:
        """Return the row of a word, read when it is first asked for."""
        if word not in self.rows:
            self.rows[word] = self._read_row(word)
        return self.rows[word]

    def _read_row(self, word: bytes) -> NDArray[np.int16] | None:
        """Read the row of a word."""
        key = np.int64(hash(word))
        first, last = np.searchsorted(self.hashes, key), np.searchsorted(self.hashes, key, "right")
        for place, length in zip(self.places[first:last], self.lengths[first:last], strict=True):
            # Another word may have the same hash.
            if self.content[place : place + length] == word:
                return self._quantised(word, int(place + length) + 1)
        return None

    def _numbers(self, place: int) -> NDArray[np.float32]:
        """Return the numbers that begin at a place; raises ValueError for what is none."""
        if self.is_binary:
            end = place + FLOAT_BYTES * self.dimension
            return np.frombuffer(self.content[place:end], np.dtype("<f4")).astype(np.float32)
        end = self.content.find(b"\n", place)
        line = self.content[place:] if end < 0 else self.content[place:end]
        # Numbers beyond float32 become infinite, and are refused as such.
        with np.errstate(over="ignore"):
            return np.array(list(map(float, line.split())), np.float64).astype(np.float32)

    def _quantised(self, word: bytes, place: int) -> NDArray[np.int16] | None:
        """Return the numbers at a place as integers of 16 bits; None if all are zero."""
        try:
            numbers = self._numbers(place)
            size = float(np.abs(numbers).max())
            if not np.isfinite(size):
                raise ValueError("a number that is not finite in 32 bits")
        except ValueError as error:
            name = word.decode(errors="replace")
            raise InputError(f"{escaped(self.path)}: the vector of {name!r}: {error}") from None
        if size == 0:
            return None
        quantised: NDArray[np.int16] = np.rint(
            numbers.astype(np.float64) * (LARGEST / size)
        ).astype(np.int16)
        return quantised


def load_word_vectors(path: str) -> WordVectors:
    """Read through a table, once in a process unless the file changes.

    Raises
    ------
    InputError
        If it cannot be read or is no such table; lines, or rows of a binary table, are named.
    """
    try:
        status = os.stat(path)
        if not os.path.isfile(path) or not status.st_size:
            what = "is empty" if os.path.isfile(path) else "is no file"
            raise InputError(f"{escaped(path)}: {what}; expected a table of word vectors")
        return _loaded(path, status.st_size, status.st_mtime_ns)
    except OSError as error:
        raise InputError(
            f"{escaped(path)}: cannot be read as word vectors: {error.strerror}"
        ) from None


@lru_cache(maxsize=2)
def _loaded(path: str, size: int, changed: int) -> WordVectors:
    """Read through a table of a size and a time of change."""
    with open(path, "rb") as file:
        content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    for start, what in OTHER_FILES.items():
        if content[: len(start)] == start:
            raise InputError(f"{escaped(path)}: {what}")
    table = _Table(path, content)
    found = array("q"), array("q"), array("q")
    for word, place in table.rows():
        for column, number in zip(found, (hash(word), place, len(word)), strict=True):
            column.append(number)
    table.finish(len(found[0]))
    order = np.argsort(np.array(found[0], np.int64), kind="stable")
    hashes, places, lengths = (np.array(column, np.int64)[order] for column in found)
    table.refuse_repeated(hashes, places, lengths, order)
    digest, size = _sha256(content), table.dimension
    return WordVectors(path, digest, size, hashes, places, lengths, content, table.is_binary)


def _sha256(content: mmap.mmap) -> str:
    """Return the SHA-256 of a file."""
    digest = hashlib.sha256()
    for start in range(0, len(content), CHUNK):
        digest.update(content[start : start + CHUNK])
    return digest.hexdigest()


class _Table:
    """A file on its first reading.

    Attributes
    ----------
    promised : int or None
        How many rows the header promises; None without a header, as in GloVe.
    dimension : int
    is_binary : bool
    problems : list of str
        The first that are found.
    """

    def __init__(self, path: str, content: mmap.mmap) -> None:
        self.path, self.content = path, content
        first = content[: _end_of_line(content, 0)].split()
        has_header = len(first) == HEADER_FIELDS and all(one.isdigit() for one in first)
        self.promised = int(first[0]) if has_header else None
        self.dimension = int(first[1]) if has_header else len(first) - 1
        self.start = _end_of_line(content, 0) if has_header else 0
        if self.dimension < 1:
            raise InputError(
                f"{escaped(path)}, line 1: no vector; expected a word and its numbers, or how many "
                "words and numbers there are"
            )
        self.is_binary = has_header and self._has_floats()
        self.problems: list[str] = []
        self.n_problems = 0

    def _has_floats(self) -> bool:
        """Say whether the first row holds floats and not digits."""
        place = self.content.find(b" ", self.start) + 1
        numbers = self.content[place : place + FLOAT_BYTES * self.dimension]
        return bool(place) and not TEXT_BYTES.issuperset(numbers)

    def rows(self) -> Iterator[Row]:
        """Yield the rows; raises InputError where it cannot go on."""
        return self._binary_rows() if self.is_binary else self._text_rows()

    def _text_rows(self) -> Iterator[Row]:
        """Yield the rows of a text, a line each; what is wrong goes to `problems`."""
        start, number = self.start, int(self.promised is not None)
        while start < len(self.content):
            end, number = _end_of_line(self.content, start), number + 1
            line = self.content[start:end].rstrip(LINE_END)
            word, _, numbers = line.partition(b" ")
            if numbers.count(b" ") != self.dimension - 1:
                word, numbers = self._split(line)
            if numbers.count(b" ") != self.dimension - 1 or not word:
                found = numbers.count(b" ") + bool(numbers)
                self._add(number, f"found {found} numbers, expected {self.dimension}")
            elif numbers.translate(None, NUMBER_BYTES):
                self._add(number, f"found {_odd_number(numbers)}, expected a number")
            yield word, start
            start = end

    def _split(self, line: bytes) -> tuple[bytes, bytes]:
        """Return word and numbers of a line in which blanks are more than expected.

        GloVe's largest table has words with blanks in them. What follows such a word's first blank
        is no number.
        """
        word, *fields = line.split(b" ")
        if len(fields) > self.dimension and not _is_number(fields[0]):
            parts = line.rsplit(b" ", self.dimension)
            return parts[0], b" ".join(parts[1:])
        return word, b" ".join(fields)

    def _binary_rows(self) -> Iterator[Row]:
        """Yield the rows of a binary table; a newline may stand before a word."""
        place, size = self.start, FLOAT_BYTES * self.dimension
        for number in range(1, (self.promised or 0) + 1):
            while self.content[place : place + 1] == b"\n":
                place += 1
            start = self.content.find(b" ", place, place + LONGEST_WORD) + 1
            if not start or start + size > len(self.content):
                raise InputError(
                    f"{escaped(self.path)}: found {number - 1} whole rows, expected "
                    f"{self.promised}; the file is cut off, or no table of vectors"
                )
            numbers = np.frombuffer(self.content[start : start + size], np.dtype("<f4"))
            if not np.isfinite(numbers).all():
                self._add(number, "found a number that is not finite", "row")
            yield self.content[place : start - 1], place
            place = start + size
        if self.content[place : place + 2].strip(b"\r\n"):
            raise InputError(
                f"{escaped(self.path)}: more follows the {self.promised} rows of the header"
            )

    def _add(self, number: int, problem: str, unit: str = "line") -> None:
        """Note what is wrong with a row."""
        self.n_problems += 1
        if len(self.problems) < MOST_SHOWN:
            self.problems.append(f"{unit} {number}: {problem}")

    def finish(self, n_rows: int) -> None:
        """Refuse a table with rows that are none, or with other than promised; InputError."""
        if self.promised not in {None, n_rows}:
            self.n_problems += 1
            self.problems.append(
                f"the header promises {self.promised} rows, and there are {n_rows}"
            )
        self._refuse("no table of word vectors")

    def refuse_repeated(
        self,
        hashes: NDArray[np.int64],
        places: NDArray[np.int64],
        lengths: NDArray[np.int64],
        order: NDArray[np.int64],
    ) -> None:
        """Refuse words with two rows; `order` has the number of each row; raises InputError."""
        unit, shift = ("row", 1) if self.is_binary else ("line", 1 + (self.promised is not None))
        for first in np.flatnonzero(hashes[1:] == hashes[:-1]).tolist():
            one, other = (
                self.content[places[row] : places[row] + lengths[row]] for row in (first, first + 1)
            )
            if one == other:
                problem = f"{one.decode(errors='replace')!r}, as {unit} {order[first] + shift}"
                self._add(int(order[first + 1]) + shift, problem, unit)
        self._refuse("words that have two vectors")

    def _refuse(self, what: str) -> None:
        """Raise what was found, if anything."""
        if self.problems:
            more = self.n_problems - len(self.problems)
            rest = f"; and {more} more" if more else ""
            raise InputError(f"{escaped(self.path)}: {what}: {'; '.join(self.problems)}{rest}")


def _end_of_line(content: mmap.mmap, start: int) -> int:
    """Return where the line that begins at a place has ended."""
    return content.find(b"\n", start) + 1 or len(content)


def _odd_number(numbers: bytes) -> str:
    """Return the first of some numbers that is none, as a message shows it."""
    odd = next(one for one in numbers.split(b" ") if one.translate(None, NUMBER_BYTES))
    return repr(odd.decode(errors="replace"))


def _is_number(field: bytes) -> bool:
    """Say whether a field is a number."""
    try:
        float(field)
    except ValueError:
        return False
    return True
