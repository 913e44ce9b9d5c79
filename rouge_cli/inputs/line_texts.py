"""The texts of parallel line files.

The files are read twice: first to count the lines, which have to be as many in each, and to note
where some of them begin; then, some lines at a time, to be scored.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from io import FileIO
from itertools import chain, pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rouge_cli.core import compiled_core
from rouge_cli.errors import InputError
from rouge_cli.inputs.decoding import MAX_RECORD, too_long
from rouge_cli.inputs.files import MEGABYTE, FileState, changed
from rouge_cli.inputs.sentences import Splitter, Tally, separator_words, split_sentences, tally
from rouge_cli.inputs.texts import Reading, Texts
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.text.columns import JoinedTexts
from rouge_cli.threads import end_if_told, mapped

LINES_AT_A_TIME = 1 << 11
"""Lines of each file that are read together where each becomes an object."""

LINES_OF_MARK = 1 << 2
"""Lines after which an offset is noted: an offset for each line would take as much room as short
lines themselves."""

BYTES_THAT_PAY = 1 << 23
"""From so many on, threads that read files beside each other save more than their start costs."""

CHUNK = 1 << 20
NEWLINE = 10


def _lines(content: bytes) -> list[bytes]:
    """Return the lines of `content`; only a newline ends one, and the last may lack it."""
    lines = content.split(b"\n")
    if not lines[-1]:
        lines.pop()
    return lines


def _read_span(file: FileIO, span: NDArray[np.uint8], start: int) -> int:
    """Fill a span with the bytes from `start` on, fewer at the end of an open file.

    Returns how many there are; raises OSError.
    """
    file.seek(start)
    n_read = 0
    # A read may return less than was asked for.
    while n_read < span.size and (n_more := file.readinto(span[n_read:].data)):
        n_read += n_more
    return n_read


@dataclass(frozen=True, slots=True)
class LineFile:
    """A file with a text a line.

    `name` is for messages; `path` is a regular file with its bytes; `state` is as it was before
    anything was read.
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

    def lines(self, spans: Sequence[tuple[int, int]]) -> list[bytes]:
        """Return the lines in some spans of bytes, such as ``(0, 17)``; each ends with a line.

        Raises InputError if the file cannot be read, or has changed since its lines were counted.
        """
        content = np.empty(sum(stop - start for start, stop in spans), np.uint8)
        return _lines(content[: self.read_into(content, spans)].tobytes())

    def read_into(self, content: NDArray[np.uint8], spans: Iterable[tuple[int, int]]) -> int:
        """Fill `content` with the bytes of spans, end to end; return how many they are.

        Raises InputError as `lines` does.
        """
        n_bytes = 0
        try:
            with open(self.path, "rb", buffering=0) as file:
                for start, stop in spans:
                    n_bytes += _read_span(file, content[n_bytes : n_bytes + stop - start], start)
                has_changed = FileState.of(file.fileno()) != self.state
        except OSError as error:
            raise self._unreadable(error) from None
        if has_changed:
            raise changed(self.name)
        return n_bytes

    def _unreadable(self, error: OSError) -> InputError:
        """Return an InputError for an error of the system."""
        return InputError(f"{self.name}: cannot be read: {error.strerror}")


class _SplitLines(NamedTuple):
    """Lines as texts in their buffer; see `split_lines` of the core."""

    starts: NDArray[np.int64]
    lengths: NDArray[np.int64]
    is_unsplit: NDArray[np.bool_]

    @classmethod
    def room(cls, most: int) -> "_SplitLines":
        """Return room for so many lines."""
        return cls(np.empty(most, np.int64), np.empty(most, np.int64), np.empty(most, np.bool_))

    def tally(self, name: str, rows: NDArray[np.int64], lines: NDArray[np.int64]) -> Tally:
        """Count texts without separator; `lines` are the numbers of those in some rows, from 0."""
        unsplit = lines[self.is_unsplit[rows]]
        return Tally(name, rows.size, unsplit.size, int(unsplit[0]) + 1 if unsplit.size else None)


@dataclass(frozen=True, slots=True)
class LineFiles:
    """Parallel line files.

    `peers` go by system ID, in the order of print. Sentences stand between `separator`, or are told
    apart by `split`, which is picklable and takes raw text to a sentence a line. If `is_tallied`,
    texts in which the separator does not occur are counted. A line has at most `max_record`
    megabytes.
    """

    peers: Mapping[str, LineFile]
    models: Sequence[LineFile]
    separator: str | None = None
    split: Splitter | None = None
    is_tallied: bool = False
    max_record: int = MAX_RECORD

    @property
    def all(self) -> tuple[LineFile, ...]:
        """All peers, then all models."""
        return (*self.peers.values(), *self.models)

    def texts(self, lines: Sequence[bytes]) -> list[bytes]:
        """Return lines as normalised texts."""
        if self.split is not None:
            return list(map(self.split, lines))
        return split_sentences(lines, self.separator)

    def split_into(
        self,
        content: NDArray[np.uint8],
        file: LineFile,
        spans: Iterable[tuple[int, int]],
        most: int,
    ) -> _SplitLines:
        """Read up to `most` lines into a buffer, and make texts of them there, by the core.

        Raises InputError.
        """
        core: Any = compiled_core()
        n_bytes = file.read_into(content, spans)
        if not n_bytes or content[n_bytes - 1] != NEWLINE:
            content[n_bytes] = NEWLINE
            n_bytes += 1
        split = _SplitLines.room(most)
        if core.split_lines(content[:n_bytes], separator_words(self.separator), *split) < 0:
            raise changed(file.name)
        return split


@dataclass(frozen=True, slots=True, eq=False)
class LineTexts(Texts):
    """The lines of parallel files, numbered file by file, or some of them.

    Parameters
    ----------
    n_lines : int
        Of each file.
    marks : tuple of ndarray of int64
        For each file the offsets of some lines, `lines_per_mark` apart, and the end of the file.
    lines_per_mark : int
        `LINES_OF_MARK` when the lines were counted; another process may have another value.
    first_mark : int
        How many marks were left out in front.
    numbers : ndarray of int64, shape (n_texts,), or None
        ``file * n_lines + line`` of each text, both from 0; None: all lines of all files.
    """

    files: LineFiles
    n_lines: int
    marks: tuple[NDArray[np.int64], ...]
    lines_per_mark: int
    first_mark: int = 0
    numbers: NDArray[np.int64] | None = None

    def __len__(self) -> int:
        """Return how many there are."""
        return self.n_lines * len(self.files.all) if self.numbers is None else self.numbers.size

    def _files_and_lines(
        self, texts: Sequence[int] | NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the file and the line of each text, both from 0."""
        files, lines = np.divmod(self._numbers(np.asarray(texts)), self.n_lines)
        return files, lines

    def _numbers(self, texts: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return what `numbers` has of some texts."""
        return texts if self.numbers is None else self.numbers[texts]

    def read(self, numbers: Sequence[int]) -> Iterator[Reading]:
        """Read some lines of each file at a time; raises InputError."""
        n_texts = LINES_AT_A_TIME * len(self.files.all)
        files, lines = self._files_and_lines(numbers)
        for start in range(0, files.size, n_texts):
            yield self._reading(files[start : start + n_texts], lines[start : start + n_texts])

    def _reading(self, files: NDArray[np.int64], lines: NDArray[np.int64]) -> Reading:
        """Read texts by file and line; raises InputError."""
        texts = [b""] * files.size
        tallies: dict[str, Tally] = {}
        for number, file in enumerate(self.files.all):
            indices = np.flatnonzero(files == number)
            if not indices.size:
                continue
            file_lines = lines[indices]
            raw = self._lines(number, file_lines)
            split = self.files.texts(raw)
            _put(texts, indices, split)
            if self.files.is_tallied:
                # A file may be named twice, as peer and as model.
                tallies[file.name] = tally(file.name, raw, split, (file_lines + 1).tolist())
        return Reading(texts, tuple(tallies.values()))

    def _lines(self, file: int, lines: NDArray[np.int64]) -> list[bytes]:
        """Return lines of a file; those between two marks are read together; raises InputError."""
        spans, rows = self._spans(file, lines)
        contents = self.files.all[file].lines(spans)
        if lines.size == len(contents) and (np.diff(lines) == 1).all():
            return contents
        return [contents[row] for row in rows.tolist()]

    def _spans(
        self, file: int, lines: NDArray[np.int64]
    ) -> tuple[list[tuple[int, int]], NDArray[np.int64]]:
        """Return the spans of bytes in which lines of a file stand, and which lines of these."""
        offsets = self.marks[file]
        if (np.diff(lines) == 1).all():
            # Most portions are lines that follow each other.
            first, row = divmod(int(lines[0]), self.lines_per_mark)
            last = int(lines[-1]) // self.lines_per_mark + 1
            span = offsets[[first - self.first_mark, last - self.first_mark]].tolist()
            return [tuple(span)], np.arange(row, row + lines.size)
        groups = lines // self.lines_per_mark
        first_group = int(groups.min())
        is_read = np.zeros(int(groups.max()) - first_group + 1, np.bool_)
        is_read[groups - first_group] = True
        # Where groups of lines begin that stand side by side, and where they end.
        edges = np.flatnonzero(np.diff(is_read, prepend=False, append=False)) + first_group
        ends = offsets[edges - self.first_mark].tolist()
        groups_before: NDArray[np.int64] = np.cumsum(is_read) - is_read
        rows = groups_before[groups - first_group] * self.lines_per_mark
        rows += lines % self.lines_per_mark
        return list(zip(ends[::2], ends[1::2], strict=True)), rows

    def read_blocks(self, first_texts: NDArray[np.int64], n_bytes: int) -> Iterator[Reading] | None:
        """Read the lines without an object for each; raises InputError.

        None without the core, or where a function of Python's splits them into sentences.
        """
        if compiled_core() is None or self.files.split is not None:
            return None
        files, lines = self._files_and_lines(np.arange(len(self)))
        ends = pairwise(self._ends_of_blocks(files, lines, first_texts, n_bytes))
        return (self._joined(files[a:b], lines[a:b]) for a, b in ends)

    def _ends_of_blocks(
        self,
        files: NDArray[np.int64],
        lines: NDArray[np.int64],
        first_texts: NDArray[np.int64],
        n_bytes: int,
    ) -> list[int]:
        """Return the texts before which blocks of about `n_bytes` begin, and behind them all.

        Between two marks lines count as equally long.
        """
        bytes_of_groups = np.diff(np.stack(self.marks))
        sizes = bytes_of_groups[files, lines // self.lines_per_mark - self.first_mark]
        bytes_before = (np.cumsum(sizes) - sizes)[first_texts[:-1]] // self.lines_per_mark
        first_evals = np.flatnonzero(np.diff(bytes_before // n_bytes, prepend=-1))
        return [*first_texts[first_evals].tolist(), files.size]

    def _joined(self, files: NDArray[np.int64], lines: NDArray[np.int64]) -> Reading:
        """Read texts by file and line into one buffer, and split them there; raises InputError."""
        wanted = [
            (file, indices, *self._spans(number, lines[indices]))
            for number, file in enumerate(self.files.all)
            if (indices := np.flatnonzero(files == number)).size
        ]
        # The last line of each file may lack its newline.
        room = [1 + sum(stop - start for start, stop in spans) for _, _, spans, _ in wanted]
        content = np.empty(sum(room), np.uint8)
        starts, lengths = np.empty((2, files.size), np.int64)
        tallies: dict[str, Tally] = {}
        first = 0
        for (file, indices, spans, rows), n_bytes in zip(wanted, room, strict=True):
            here = content[first : first + n_bytes]
            split = self.files.split_into(here, file, spans, self._end_of_group(rows))
            starts[indices] = split.starts[rows] + first
            lengths[indices] = split.lengths[rows]
            first += n_bytes
            if self.files.is_tallied:
                # A file may be named twice, as peer and as model.
                tallies[file.name] = split.tally(file.name, rows, lines[indices])
        # The order of their numbers.
        order = np.concatenate([indices for _, indices, _, _ in wanted])
        texts = JoinedTexts(content, starts, lengths)
        return Reading(texts, tuple(tallies.values()), lengths, order)

    def _end_of_group(self, rows: NDArray[np.int64]) -> int:
        """Return how many lines are read at the most, if the last wanted one is among `rows`."""
        return (int(rows.max()) // self.lines_per_mark + 1) * self.lines_per_mark

    def place(self, number: int) -> str:
        """Return the file and the line."""
        (file,), (line,) = self._files_and_lines([number])
        return f"{self.files.all[file].name}, line {line + 1}"

    def sizes(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return how many bytes lines of their files have on average."""
        means = [file.state.n_bytes // self.n_lines for file in self.files.all]
        return np.array(means, np.int64)[self._numbers(numbers) // self.n_lines]

    def part(self, numbers: NDArray[np.int64]) -> "LineTexts":
        """Return some of them, with the marks from the first of their lines to the last."""
        numbers = self._numbers(numbers)
        lines = numbers % self.n_lines
        first, last = int(lines.min()), int(lines.max())
        first_mark = first // self.lines_per_mark
        span = slice(
            first_mark - self.first_mark, last // self.lines_per_mark + 2 - self.first_mark
        )
        marks = tuple(offsets[span].copy() for offsets in self.marks)
        return LineTexts(self.files, self.n_lines, marks, self.lines_per_mark, first_mark, numbers)

    def head(self) -> dict[str, list[bytes]]:
        """Return the first `LINES_AT_A_TIME` lines of each file, by name; raises InputError."""
        lines = np.arange(min(LINES_AT_A_TIME, self.n_lines))
        return {file.name: self._lines(number, lines) for number, file in enumerate(self.files.all)}


def _put(texts: list[bytes], indices: NDArray[np.intp], texts_of_file: Sequence[bytes]) -> None:
    """Put the texts of a file where they belong."""
    step = int(indices[1] - indices[0]) if indices.size > 1 else 1
    if (np.diff(indices) == step).all():
        # Most often each EVAL has a line of each file: a tenth of the time of a loop.
        texts[int(indices[0]) : int(indices[-1]) + 1 : step] = texts_of_file
        return
    for index, text in zip(indices.tolist(), texts_of_file, strict=True):
        texts[index] = text


def index_line_files(files: LineFiles, n_threads: int = 1) -> LineTexts:
    """Count the lines of files, and note where some of them begin; a file is work for one thread.

    Raises InputError with all files that cannot be read or are no text; or with different numbers
    of lines; or if there are no lines.
    """
    if compiled_core() is None or sum(file.state.n_bytes for file in files.all) < BYTES_THAT_PAY:
        n_threads = 1
    index = partial(_index_or_error, max_record=files.max_record)
    of_files = list(mapped(index, files.all, min(n_threads, len(files.all))))
    errors = [of_file for of_file in of_files if isinstance(of_file, InputError)]
    if errors:
        raise InputError(list(dict.fromkeys(chain.from_iterable(e.problems for e in errors))))
    indexed = [of_file for of_file in of_files if not isinstance(of_file, InputError)]
    counts = [n_lines for n_lines, _ in indexed]
    if len(set(counts)) > 1:
        lengths = "; ".join(
            f"{file.name} has {n_lines}" for file, n_lines in zip(files.all, counts, strict=True)
        )
        raise InputError(
            f"line files of different lengths: {lengths}; expected as many lines in each"
        )
    if not counts[0]:
        raise InputError(f"{files.all[0].name}: an empty file; expected a text a line")
    return LineTexts(files, counts[0], tuple(marks for _, marks in indexed), LINES_OF_MARK)


class NotedLines(NamedTuple):
    """What some bytes of a file hold.

    Parameters
    ----------
    n_lines : int
        Line ends.
    n_marks : int
        Those that are marked.
    first_end, last_end : int
        The bytes up to the first and to the last line end, that included; 0 without one.
    n_before_zero : int
        Line ends in front of the first zero byte; -1 without one.
    """

    n_lines: int
    n_marks: int
    first_end: int
    last_end: int
    n_before_zero: int


def note_lines(
    chunk: NDArray[np.uint8], n_before: int, per_mark: int, marks: NDArray[np.int64]
) -> NotedLines:
    """Find line ends, in front of which there were `n_before` in the file.

    Of all of these each `per_mark`-th is marked: `marks` gets the bytes up to it.
    """
    ends = np.flatnonzero(chunk == NEWLINE) + 1
    marked = ends[-(n_before + 1) % per_mark :: per_mark]
    marks[: marked.size] = marked
    n_before_zero = -1
    if not chunk.min(initial=1):
        n_before_zero = int(np.searchsorted(ends, chunk.argmin(), side="right"))
    bounds = (int(ends[0]), int(ends[-1])) if ends.size else (0, 0)
    return NotedLines(ends.size, marked.size, *bounds, n_before_zero)


def _index_or_error(file: LineFile, max_record: int) -> tuple[int, NDArray[np.int64]] | InputError:
    """Return what `_index` does, or its error: all problems are told at once."""
    try:
        return _index(file, max_record)
    except InputError as error:
        return error


def _index(file: LineFile, max_record: int) -> tuple[int, NDArray[np.int64]]:
    """Return the number of lines of a file and its marks; raises InputError."""
    core = compiled_core()
    n_lines, offset, last_byte, start = 0, 0, NEWLINE, 0
    marks = [np.zeros(1, np.int64)]
    room = np.empty(CHUNK // LINES_OF_MARK + 1, np.int64)
    for chunk in file.chunks(CHUNK):
        end_if_told()
        arguments = chunk, n_lines, LINES_OF_MARK, room
        noted = note_lines(*arguments) if core is None else NotedLines(*core.note_lines(*arguments))
        if noted.n_before_zero >= 0:
            raise InputError(
                f"{file.name}, line {n_lines + noted.n_before_zero + 1}: a zero byte; expected "
                "text, a text a line; UTF-16 needs --encoding utf-16"
            )
        end = offset + (noted.first_end or chunk.size)
        # A line within a chunk is short enough.
        if end - start > max_record * MEGABYTE:
            raise InputError(f"{file.name}, line {n_lines + 1}: {too_long(max_record)}")
        start = offset + noted.last_end if noted.n_lines else start
        marks.append(room[: noted.n_marks] + offset)
        n_lines, offset, last_byte = n_lines + noted.n_lines, offset + chunk.size, chunk[-1]
    n_lines += last_byte != NEWLINE
    offsets = np.concatenate(marks)
    return n_lines, offsets if offsets[-1] == offset else np.append(offsets, offset)
