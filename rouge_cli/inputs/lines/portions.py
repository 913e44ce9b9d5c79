"""Parallel line files as portions: ranges of bytes, so that a portion is cheap to hold and to send.

The files are read twice: once to count the lines, which have to be as many in each, and to note
where portions begin; and once, portion by portion, to be scored.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import InputError
from rouge_cli.inputs.blocks import BLOCK_BYTES, PORTION_PAIRS, Block, Pairs, pair_weight
from rouge_cli.inputs.evaluation import Evaluation, TextSource
from rouge_cli.inputs.sentence_warnings import Tally, tally
from rouge_cli.inputs.sentences import Splitter, split_sentences
from rouge_cli.quick_dataclass import dataclass

__all__ = ["FileState", "LineFile", "LineFiles", "LineIndex", "LinePortion", "index_line_files"]

LINES_AT_A_TIME = 1 << 11
"""Lines of a portion, if they are not long."""

LINES_OF_MARK = 1 << 2
"""Lines after which an offset is noted; portions begin at some of them."""

CHUNK = 1 << 20
NEWLINE = 10


def _lines(content: bytes) -> list[bytes]:
    """Return the lines of `content`; only a newline ends one, and the last may lack it."""
    lines = content.split(b"\n")
    if not lines[-1]:
        lines.pop()
    return lines


class FileState(NamedTuple):
    """What changes when a file is written, or another one takes its place."""

    n_bytes: int
    nanoseconds: int
    inode: int

    @classmethod
    def of(cls, file: str | int) -> "FileState":
        """Return the state of a file, by path or descriptor; raises OSError."""
        found = os.stat(file)
        return cls(found.st_size, found.st_mtime_ns, found.st_ino)


@dataclass(frozen=True, slots=True)
class LineFile:
    """A file with a text a line.

    Parameters
    ----------
    name : str
        What the user calls it, for messages.
    path : str
        Where its bytes are: a regular file.
    state : FileState
        Before anything of it was read.
    """

    name: str
    path: str
    state: FileState

    @classmethod
    def at(cls, path: str, name: str) -> "LineFile":
        """Return the file that stands at a path; raises InputError."""
        try:
            return cls(name, path, FileState.of(path))
        except OSError as error:
            raise InputError(f"{name}: cannot be read: {error.strerror}") from None

    def chunks(self, n_bytes: int) -> Iterator[NDArray[np.uint8]]:
        """Yield its bytes, so many at a time, each chunk in the place of the last.

        Raises InputError if it cannot be read.
        """
        buffer = bytearray(n_bytes)
        codes = np.frombuffer(buffer, np.uint8)
        try:
            with open(self.path, "rb", buffering=0) as file:
                while n_read := file.readinto(buffer):
                    yield codes[:n_read]
        except OSError as error:
            raise self._unreadable(error) from None

    def lines(self, start: int, stop: int) -> list[bytes]:
        """Return the lines in the bytes ``start:stop``.

        Raises InputError if it cannot be read, or is not as it was: where the lines begin was found
        before.
        """
        try:
            with open(self.path, "rb", buffering=0) as file:
                file.seek(start)
                content = bytearray()
                while len(content) < stop - start and (
                    part := file.read(stop - start - len(content))
                ):
                    content += part
                is_as_it_was = FileState.of(file.fileno()) == self.state
        except OSError as error:
            raise self._unreadable(error) from None
        if not is_as_it_was:
            raise InputError(f"{self.name}: changed while it was read; run again")
        return _lines(bytes(content))

    def _unreadable(self, error: OSError) -> InputError:
        """Return the error to raise in place of the system's."""
        return InputError(f"{self.name}: cannot be read: {error.strerror}")


@dataclass(frozen=True, slots=True)
class LineFiles:
    """Parallel line files.

    Parameters
    ----------
    peers : mapping of str to LineFile
        By system ID, in the order of print.
    separator : str or None
        What stands between sentences.
    split : callable or None
        From raw text to a sentence a line; picklable. It takes the place of a separator.
    is_tallied : bool
        Whether to count the texts in which the separator does not occur.
    """

    peers: Mapping[str, LineFile]
    models: Sequence[LineFile]
    separator: str | None = None
    split: Splitter | None = None
    is_tallied: bool = False

    @property
    def all(self) -> tuple[LineFile, ...]:
        """All peers, then all models."""
        return (*self.peers.values(), *self.models)

    def texts(self, lines_of_files: Sequence[Sequence[bytes]]) -> list[list[bytes]]:
        """Return the normalised texts of the lines of each file."""
        if self.split is not None:
            return [list(map(self.split, lines)) for lines in lines_of_files]
        return [split_sentences(lines, self.separator) for lines in lines_of_files]


@dataclass(frozen=True, slots=True, eq=False)
class LineIndex:
    """Where the portions of some line files begin.

    Parameters
    ----------
    n_lines : int
        Of each file.
    marks : tuple of ndarray of int64
        For each path the offsets of every `LINES_OF_MARK` lines, and the end of the file.
    """

    files: LineFiles
    n_lines: int
    marks: tuple[NDArray[np.int64], ...]

    def portions(self) -> Iterator["LinePortion"]:
        """Return portions of `LINES_AT_A_TIME` lines, or of fewer that are long."""
        return self._portions(self._lines_at_a_time())

    def head(self) -> "LinePortion":
        """Return the first `LINES_AT_A_TIME` lines."""
        return next(self._portions(LINES_AT_A_TIME))

    def _portions(self, n_lines: int) -> Iterator["LinePortion"]:
        """Yield portions of so many lines, rounded down to whole marks."""
        n_marks = n_lines // LINES_OF_MARK
        starts = [[*marks[:-1:n_marks].tolist(), int(marks[-1])] for marks in self.marks]
        ranges = zip(*map(pairwise, starts), strict=True)
        for number, range_of_files in enumerate(ranges):
            yield LinePortion(self.files, range_of_files, number * n_marks * LINES_OF_MARK + 1)

    def _lines_at_a_time(self) -> int:
        """Return the lines of a portion: as many as make work for one process."""
        files = self.files
        weights = [pair_weight(file.state.n_bytes // self.n_lines) for file in files.models]
        n_lines = PORTION_PAIRS // (sum(weights) * len(files.peers))
        return min(max(n_lines, LINES_OF_MARK), LINES_AT_A_TIME)


@dataclass(frozen=True, slots=True)
class LinePortion:
    """The same lines of parallel files.

    Parameters
    ----------
    ranges : tuple of (int, int)
        For each path the offsets at which its part begins and ends.
    first_line : int
        Number of the first line, from 1.
    """

    files: LineFiles
    ranges: tuple[tuple[int, int], ...]
    first_line: int

    def blocks(self) -> Iterator[Block]:
        """Read the lines, and yield them in blocks of about `BLOCK_BYTES`; raises InputError."""
        lines_of_files = self.read()
        texts_of_files = self.files.texts(lines_of_files)
        tallies = self._tallies(lines_of_files, texts_of_files)
        line_bytes = [sum(map(len, texts)) for texts in zip(*texts_of_files, strict=True)]
        bytes_before = np.cumsum(line_bytes) - line_bytes
        starts = np.flatnonzero(np.diff(bytes_before // BLOCK_BYTES, prepend=-1)).tolist()
        for start, stop in pairwise([*starts, len(line_bytes)]):
            texts = [text for texts in texts_of_files for text in texts[start:stop]]
            describe = partial(self._describe, start, stop - start)
            yield Block(texts, self._pairs(stop - start), describe, () if start else tallies)

    def evaluations(self) -> Iterator[Evaluation]:
        """Read the lines, and yield an EVAL for each; raises InputError."""
        n_systems = len(self.files.peers)
        texts_of_files = self.files.texts(self.read())
        for line, texts in enumerate(zip(*texts_of_files, strict=True), self.first_line):
            sources = [
                TextSource(file.name, line=line, content=text)
                for file, text in zip(self.files.all, texts, strict=True)
            ]
            peers = dict(zip(self.files.peers, sources[:n_systems], strict=True))
            yield Evaluation(str(line), peers, tuple(sources[n_systems:]), line)

    def read(self) -> list[list[bytes]]:
        """Return the lines of each file; raises InputError."""
        return [
            file.lines(start, stop)
            for file, (start, stop) in zip(self.files.all, self.ranges, strict=True)
        ]

    def _tallies(
        self, lines_of_files: Sequence[Sequence[bytes]], texts_of_files: Sequence[Sequence[bytes]]
    ) -> tuple[Tally, ...]:
        """Count the texts without separator in each file, if that is wanted."""
        if not self.files.is_tallied:
            return ()
        # A file may be named twice, as peer and as model.
        tallies = {
            file.name: tally(file.name, lines, texts, self.first_line)
            for file, lines, texts in zip(
                self.files.all, lines_of_files, texts_of_files, strict=True
            )
        }
        return tuple(tallies.values())

    def _pairs(self, n_lines: int) -> Pairs:
        """Return the pairs of a block of lines, whose texts are numbered file by file."""
        n_systems, n_models = len(self.files.peers), len(self.files.models)
        numbers = np.arange((n_systems + n_models) * n_lines).reshape(-1, n_lines)
        # Pairs go line by line, then by system, then by model.
        return Pairs(
            np.repeat(numbers[:n_systems].T.ravel(), n_models),
            np.repeat(numbers[n_systems:].T, n_systems, axis=0).ravel(),
            np.arange(n_lines * n_systems) * n_models,
        )

    def _describe(self, start: int, n_lines: int, text: int) -> str:
        """Name a text of the block of lines that begins with the line `start` of the portion."""
        file, line = divmod(text, n_lines)
        number = self.first_line + start + line
        return f"EVAL {number}: {self.files.all[file].name}, line {number}"


def index_line_files(files: LineFiles) -> LineIndex:
    """Check line files and find where their portions begin.

    Raises InputError with all files that cannot be read or are no text; or files with different
    numbers of lines, or with none.
    """
    problems: list[str] = []
    indexed: list[tuple[int, NDArray[np.int64]]] = []
    for file in files.all:
        try:
            indexed.append(_index(file))
        except InputError as error:  # noqa: PERF203 - all problems are told at once
            problems += error.problems
    if problems:
        raise InputError(list(dict.fromkeys(problems)))
    counts = [n_lines for n_lines, _ in indexed]
    if len(set(counts)) > 1:
        found = "; ".join(
            f"{file.name} has {n_lines}" for file, n_lines in zip(files.all, counts, strict=True)
        )
        raise InputError(
            f"line files of different lengths: {found}; expected as many lines in each"
        )
    if not counts[0]:
        raise InputError(f"{files.all[0].name}: an empty file; expected a text a line")
    return LineIndex(files, counts[0], tuple(marks for _, marks in indexed))


def _index(file: LineFile) -> tuple[int, NDArray[np.int64]]:
    """Return the number of lines of a file and its marks; raises InputError."""
    n_lines, offset, last_byte = 0, 0, NEWLINE
    marks = [np.zeros(1, np.int64)]
    for chunk in file.chunks(CHUNK):
        ends = np.flatnonzero(chunk == NEWLINE) + 1
        if not chunk.min():
            n_before = np.searchsorted(ends, chunk.argmin(), side="right")
            raise InputError(
                f"{file.name}, line {n_lines + int(n_before) + 1}: a zero byte; expected text, a "
                "text a line; UTF-16 needs --encoding utf-16"
            )
        first = -(n_lines + 1) % LINES_OF_MARK
        marks.append(ends[first::LINES_OF_MARK] + offset)
        n_lines, offset, last_byte = n_lines + ends.size, offset + chunk.size, chunk[-1]
    n_lines += last_byte != NEWLINE
    found = np.concatenate(marks)
    return n_lines, found if found[-1] == offset else np.append(found, offset)
