"""Parallel line files as portions: ranges of bytes, so that a portion is cheap to hold and to send.

The files are read twice: once to count the lines, which have to be as many in each, and to note
where portions begin; and once, portion by portion, to be scored.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import InputError
from rouge_cli.layouts.lines import sentence_texts
from rouge_cli.scoring.blocks import BLOCK_BYTES, Block, Pairs
from rouge_cli.scoring.files import file_problem
from rouge_cli.scoring.instances import Instances

__all__ = ["LineFiles", "LinePortion", "index_line_files"]

LINES_AT_A_TIME = 1 << 11
CHUNK = 1 << 20
NEWLINE = 10


@dataclass(frozen=True, slots=True)
class LineFiles:
    """Parallel line files.

    Parameters
    ----------
    peers : mapping of str to str
        System ID to path, in the order of print.
    models : sequence of str
        Paths.
    separator : str or None
        What stands between sentences.
    """

    peers: Mapping[str, str]
    models: Sequence[str]
    separator: str | None

    @property
    def paths(self) -> tuple[str, ...]:
        """The paths of all peers, then of all models."""
        return (*self.peers.values(), *self.models)


@dataclass(frozen=True, slots=True)
class LineIndex:
    """Where the portions of some line files begin.

    Parameters
    ----------
    files : LineFiles
    n_lines : int
        Of each file.
    marks : tuple of tuple of int
        For each path the offsets at which the portions begin, and the end of the file.
    """

    files: LineFiles
    n_lines: int
    marks: tuple[tuple[int, ...], ...]

    def portions(self) -> Iterator["LinePortion"]:
        """Yield portions of `LINES_AT_A_TIME` lines."""
        ranges = zip(*map(pairwise, self.marks), strict=True)
        for number, range_of_files in enumerate(ranges):
            yield LinePortion(self.files, range_of_files, number * LINES_AT_A_TIME + 1)

    def instances(self) -> Instances:
        """Return the instances: an EVAL for each line, with every system."""
        n_systems = len(self.files.peers)
        eval_ids = [str(line) for line in range(1, self.n_lines + 1) for _ in range(n_systems)]
        system_numbers = np.tile(np.arange(n_systems), self.n_lines)
        return Instances(tuple(self.files.peers), eval_ids, system_numbers)


@dataclass(frozen=True, slots=True)
class LinePortion:
    """The same lines of parallel files.

    Parameters
    ----------
    files : LineFiles
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
        texts_of_files = [
            sentence_texts(_read_range(path, start, stop), self.files.separator)
            for path, (start, stop) in zip(self.files.paths, self.ranges, strict=True)
        ]
        if len(set(map(len, texts_of_files))) > 1:
            raise InputError(
                f"{', '.join(self.files.paths)}: changed while they were read, about line "
                f"{self.first_line}; run again"
            )
        line_bytes = [sum(map(len, texts)) for texts in zip(*texts_of_files, strict=True)]
        bytes_before = np.cumsum(line_bytes) - line_bytes
        starts = np.flatnonzero(np.diff(bytes_before // BLOCK_BYTES, prepend=-1)).tolist()
        for start, stop in pairwise([*starts, len(line_bytes)]):
            texts = [text for texts in texts_of_files for text in texts[start:stop]]
            describe = partial(self._describe, start, stop - start)
            yield Block(texts, self._pairs(stop - start), describe)

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
        return f"EVAL {number}: {self.files.paths[file]}, line {number}"


def index_line_files(files: LineFiles) -> LineIndex:
    """Check line files and find where their portions begin.

    Raises
    ------
    InputError
        All files that cannot be read; or files with different numbers of lines, or with none.
    """
    problems = [f"{path}: {problem}" for path in files.paths if (problem := _problem(path))]
    if problems:
        raise InputError(problems)
    indexed = [_index(path) for path in files.paths]
    counts = [n_lines for n_lines, _ in indexed]
    if len(set(counts)) > 1:
        found = "; ".join(
            f"{path} has {n_lines}" for path, n_lines in zip(files.paths, counts, strict=True)
        )
        raise InputError(
            f"line files of different lengths: {found}; expected as many lines in each"
        )
    if not counts[0]:
        raise InputError(f"{files.paths[0]}: an empty file; expected a text a line")
    return LineIndex(files, counts[0], tuple(marks for _, marks in indexed))


def _problem(path: str) -> str | None:
    """Return why a line file cannot be read, in a few words; None if it can."""
    problem = file_problem(path)
    if problem is None and not os.path.isfile(path):
        return "not a regular file; line files are read twice, so put the lines into a file"
    return problem


def _index(path: str) -> tuple[int, tuple[int, ...]]:
    """Return the number of lines of a file and its marks; raises InputError."""
    marks, n_lines, offset, last_byte = [0], 0, 0, NEWLINE
    for chunk in _chunks(path):
        ends = np.flatnonzero(chunk == NEWLINE) + 1
        first = -(n_lines + 1) % LINES_AT_A_TIME
        marks += (ends[first::LINES_AT_A_TIME] + offset).tolist()
        n_lines, offset, last_byte = n_lines + ends.size, offset + chunk.size, chunk[-1]
    n_lines += last_byte != NEWLINE
    if marks[-1] != offset:
        marks.append(offset)
    return n_lines, tuple(marks)


def _chunks(path: str) -> Iterator[NDArray[np.uint8]]:
    """Yield the bytes of a file in chunks, each in the place of the last; raises InputError."""
    buffer = bytearray(CHUNK)
    codes = np.frombuffer(buffer, np.uint8)
    try:
        with open(path, "rb", buffering=0) as file:
            while n_bytes := file.readinto(buffer):
                yield codes[:n_bytes]
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None


def _read_range(path: str, start: int, stop: int) -> bytes:
    """Return the bytes ``start:stop`` of a file; raises InputError."""
    try:
        with open(path, "rb", buffering=0) as file:
            file.seek(start)
            content = bytearray()
            while len(content) < stop - start and (part := file.read(stop - start - len(content))):
                content += part
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    return bytes(content)
