"""Tables of word vectors: word2vec's text and binary, GloVe, and fastText's ``.vec``.

One pass over a table checks every row and keeps the position of each word, but no vector. A vector
is read when its word first occurs.

Numbers are rounded to float32, as in binary tables, and then scaled to 16-bit integers, the largest
of a row to 32767. Products and sums of these are exact in float64, in any order, so a cosine is the
same on every machine, in every format, and for every size of batches.
"""

import hashlib
import mmap
import os
from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import InputError
from rouge_cli.escapes import escaped

LARGEST = 32767
NUMBER_BYTES = b"0123456789+-.eE "
LINE_END = b" \t\r\n"
HEADER_FIELDS = 2
MOST_PROBLEMS = 3
FLOAT_BYTES = 4
LONGEST_WORD = 1 << 16
TEXT_BYTES = frozenset(range(32, 127)) | frozenset(b"\t\r\n")

# First bytes of files often mistaken for tables, with the message about each.
OTHER_FILES = {
    bytes(4): "begins with zero bytes; expected a word and its numbers, or how many there are",
    b"\x1f\x8b": "is compressed; unpack it first",
    b"PK\x03\x04": "is a ZIP archive; unpack it first",
    b"\xba\x16\x4f\x2f": "is a model of fastText; expected its table of vectors, the .vec file",
}


class WordVectors:
    """A table of word vectors, whose rows are read on demand.

    Making it checks and indexes the file in one pass; raises InputError.

    - `digest`: the SHA-256 of the file, hexadecimal.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        with open(path, "rb") as file:
            self._content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        for first_bytes, what in OTHER_FILES.items():
            if self._content[: len(first_bytes)] == first_bytes:
                raise InputError(f"{escaped(path)}: {what}")
        self._read_header()
        # The first few of `_n_problems`.
        self._problems: list[str] = []
        self._n_problems = 0
        # The byte at which the row of each word begins; and the rows read so far, each of shape
        # (dimension,), None for a word without a vector.
        self._starts: dict[bytes, int] = {}
        self._rows: dict[bytes, NDArray[np.int16] | None] = {}
        self._index()
        self.digest = hashlib.sha256(self._content).hexdigest()

    def lookup(self, words: Sequence[bytes]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return the vectors of some words, and for each word its row in them, shape (n_words,).

        The row, which comes first, is -1 for a word without a vector or with a vector of zeros,
        which has no direction. Vectors have shape (n_rows, dimension), and are whole numbers from
        -32767 to 32767. Raises InputError if a row of the table is malformed.
        """
        for word in words:
            if word not in self._rows:
                start = self._starts.get(word)
                self._rows[word] = None if start is None else self._quantised(word, start)
        row_of_word = list(map(self._rows.__getitem__, words))
        has_row = np.array([row is not None for row in row_of_word], np.bool_)
        numbers = np.where(has_row, np.cumsum(has_row) - 1, -1)
        rows = [row for row in row_of_word if row is not None]
        vectors = np.array(rows, np.float64).reshape(len(rows), self.dimension)
        return numbers, vectors

    def _numbers(self, start: int) -> NDArray[np.float32]:
        if self._is_binary:
            end = start + FLOAT_BYTES * self.dimension
            return np.frombuffer(self._content[start:end], np.dtype("<f4")).astype(np.float32)
        line = self._content[start : _end_of_line(self._content, start)]
        # Numbers beyond float32 become infinite, which `_quantised` refuses.
        with np.errstate(over="ignore"):
            return np.array(list(map(float, line.split())), np.float64).astype(np.float32)

    def _quantised(self, word: bytes, start: int) -> NDArray[np.int16] | None:
        """Return the row of a word as 16-bit integers; None if all its numbers are zero."""
        try:
            numbers = self._numbers(start + len(word) + 1)
            size = float(np.abs(numbers).max())
            if not np.isfinite(size):
                raise ValueError("a number that is not finite in 32 bits")
        except ValueError as error:
            name = word.decode(errors="replace")
            raise InputError(f"{escaped(self.path)}: the vector of {name!r}: {error}") from None
        if size == 0:
            return None
        scaled: NDArray[np.float64] = np.rint(numbers.astype(np.float64) * (LARGEST / size))
        return scaled.astype(np.int16)

    def _read_header(self) -> None:
        content = self._content
        first = content[: _end_of_line(content, 0)].split()
        has_header = len(first) == HEADER_FIELDS and all(field.isdigit() for field in first)
        # The number of rows in the header; None without a header, as in GloVe.
        self._promised = int(first[0]) if has_header else None
        self.dimension = int(first[1]) if has_header else len(first) - 1
        self._start = _end_of_line(content, 0) if has_header else 0
        if self.dimension < 1:
            raise InputError(
                f"{escaped(self.path)}, line 1: no vector; expected a word and its numbers, or the "
                "numbers of rows and of dimensions"
            )
        # The numbers of the first row are binary unless they look like text.
        start = content.find(b" ", self._start) + 1
        numbers = content[start : start + FLOAT_BYTES * self.dimension]
        self._is_binary = has_header and bool(start) and not TEXT_BYTES.issuperset(numbers)

    def _index(self) -> None:
        n_rows, repeated = 0, set()
        for word, start in self._all_rows():
            n_rows += 1
            if word in self._starts:
                repeated.add(word)
            self._starts[word] = start
        if self._promised not in {None, n_rows}:
            self._n_problems += 1
            self._problems.append(
                f"the header promises {self._promised} rows, but there are {n_rows}"
            )
        self._refuse("not a table of word vectors")
        unit, first = ("row", 1) if self._is_binary else ("line", 1 + (self._promised is not None))
        number_of: dict[bytes, int] = {}
        for number, (word, _) in enumerate(self._all_rows() if repeated else (), first):
            if word in number_of:
                problem = f"{word.decode(errors='replace')!r}, as {unit} {number_of[word]}"
                self._add(number, problem, unit)
            if word in repeated:
                number_of[word] = number
        self._refuse("words with two vectors")

    def _all_rows(self) -> Iterator[tuple[bytes, int]]:
        """Yield each word with the byte at which its row begins; raises InputError.

        Malformed rows are noted, except one whose end cannot be found.
        """
        return self._binary_rows() if self._is_binary else self._text_rows()

    def _text_rows(self) -> Iterator[tuple[bytes, int]]:
        start, number = self._start, int(self._promised is not None)
        while start < len(self._content):
            end, number = _end_of_line(self._content, start), number + 1
            line = self._content[start:end].rstrip(LINE_END)
            word, _, numbers = line.partition(b" ")
            if numbers.count(b" ") != self.dimension - 1:
                word, numbers = self._split(line)
            if numbers.count(b" ") != self.dimension - 1 or not word:
                n_found = numbers.count(b" ") + bool(numbers)
                self._add(number, f"found {n_found} numbers, expected {self.dimension}")
            elif numbers.translate(None, NUMBER_BYTES):
                fields = numbers.split(b" ")
                field = next(field for field in fields if field.translate(None, NUMBER_BYTES))
                text = repr(field.decode(errors="replace"))
                self._add(number, f"found {text}, expected a number")
            yield word, start
            start = end

    def _split(self, line: bytes) -> tuple[bytes, bytes]:
        """Return the word and the numbers of a line with more blanks than expected.

        GloVe's largest table has words with blanks inside. What follows the first blank of such a
        word is not a number.
        """
        word, *fields = line.split(b" ")
        if len(fields) > self.dimension and not _is_number(fields[0]):
            parts = line.rsplit(b" ", self.dimension)
            return parts[0], b" ".join(parts[1:])
        return word, b" ".join(fields)

    def _binary_rows(self) -> Iterator[tuple[bytes, int]]:
        word_start, size = self._start, FLOAT_BYTES * self.dimension
        for number in range(1, (self._promised or 0) + 1):
            # Some tools write a newline after each row.
            while self._content[word_start : word_start + 1] == b"\n":
                word_start += 1
            start = self._content.find(b" ", word_start, word_start + LONGEST_WORD) + 1
            if not start or start + size > len(self._content):
                raise InputError(
                    f"{escaped(self.path)}: found {number - 1} whole rows, expected "
                    f"{self._promised}; the file is cut off or not a table of vectors"
                )
            numbers = np.frombuffer(self._content[start : start + size], np.dtype("<f4"))
            if not np.isfinite(numbers).all():
                self._add(number, "found a number that is not finite", "row")
            yield self._content[word_start : start - 1], word_start
            word_start = start + size
        if self._content[word_start : word_start + 2].strip(b"\r\n"):
            raise InputError(
                f"{escaped(self.path)}: found more than the {self._promised} rows of the header"
            )

    def _add(self, number: int, problem: str, unit: str = "line") -> None:
        self._n_problems += 1
        if len(self._problems) < MOST_PROBLEMS:
            self._problems.append(f"{unit} {number}: {problem}")

    def _refuse(self, what: str) -> None:
        if self._problems:
            more = self._n_problems - len(self._problems)
            rest = f"; and {more} more" if more else ""
            raise InputError(f"{escaped(self.path)}: {what}: {'; '.join(self._problems)}{rest}")


def load_word_vectors(path: str) -> WordVectors:
    """Check and index a table, once per process unless the file changes.

    Raises InputError if the file cannot be read or is malformed, with the first lines at fault.
    """
    try:
        status = os.stat(path)
        if not os.path.isfile(path) or not status.st_size:
            what = "is empty" if os.path.isfile(path) else "is not a file"
            raise InputError(f"{escaped(path)}: {what}; expected a table of word vectors")
        return _loaded(path, status.st_size, status.st_mtime_ns)
    except OSError as error:
        raise InputError(
            f"{escaped(path)}: cannot be read as word vectors: {error.strerror}"
        ) from None


@lru_cache(maxsize=2)
def _loaded(path: str, size: int, changed: int) -> WordVectors:
    return WordVectors(path)


def _end_of_line(content: mmap.mmap, start: int) -> int:
    return content.find(b"\n", start) + 1 or len(content)


def _is_number(field: bytes) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True
