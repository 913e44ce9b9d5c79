"""The layout of parallel line files: line N of each file belongs to EVAL N.

The files are read twice: first to count the lines, which have to be as many in each, and to note
where some of them begin; then, some lines at a time, to be scored.
"""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import FileIO
from typing import BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import InputError, OptionError
from rouge_cli.escapes import escaped
from rouge_cli.inputs.corpus import Corpus
from rouge_cli.inputs.decoding import MAX_RECORD, Decoder, too_long
from rouge_cli.inputs.evaluation import DEFAULT_SYSTEM, NumberedIds
from rouge_cli.inputs.files import (
    MEGABYTE,
    OWN_TO_PROCESS,
    STANDARD_INPUT,
    file_problem,
    input_name,
    is_compressed,
    open_input,
)
from rouge_cli.inputs.sentences import (
    Splitter,
    Tally,
    are_sentences_read,
    known_separator_warnings,
    sentence_splitter,
    split_sentences,
    tally,
)
from rouge_cli.inputs.source import Source
from rouge_cli.inputs.texts import Reading, Texts
from rouge_cli.options.inputs import InputOptions
from rouge_cli.options.metrics import MetricOptions
from rouge_cli.quick_dataclass import dataclass

LINES_AT_A_TIME = 1 << 11
"""Lines of each file that are read together, unless a portion has fewer."""

LINES_OF_MARK = 1 << 2
"""Lines after which an offset is noted: an offset for each line would take as much room as short
lines themselves."""

CHUNK = 1 << 20
NEWLINE = 10
EXPECTED = "a text a line"
ADVICE = (
    "give the encoding of the file with --encoding, or leave --encoding out to take its bytes as "
    "they are"
)


def _lines(content: bytes) -> list[bytes]:
    """Return the lines of `content`; only a newline ends one, and the last may lack it."""
    lines = content.split(b"\n")
    if not lines[-1]:
        lines.pop()
    return lines


def _read_span(file: FileIO, start: int, stop: int) -> bytes:
    """Return the bytes ``start:stop`` of an open file, fewer at its end; raises OSError."""
    file.seek(start)
    content = bytearray()
    # A read may return less than was asked for.
    while len(content) < stop - start and (part := file.read(stop - start - len(content))):
        content += part
    return bytes(content)


class FileState(NamedTuple):
    """What changes when a file is written or replaced."""

    n_bytes: int
    nanoseconds: int
    inode: int

    @classmethod
    def of(cls, file: str | int) -> "FileState":
        """Return the state of a file, by path or descriptor; raises OSError."""
        status = os.stat(file)
        return cls(status.st_size, status.st_mtime_ns, status.st_ino)


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

    def lines(self, spans: Iterable[tuple[int, int]]) -> list[bytes]:
        """Return the lines in some spans of bytes, such as ``(0, 17)``; each ends with a line.

        Raises InputError if the file cannot be read, or has changed since its lines were counted.
        """
        lines: list[bytes] = []
        try:
            with open(self.path, "rb", buffering=0) as file:
                for start, stop in spans:
                    lines += _lines(_read_span(file, start, stop))
                has_changed = FileState.of(file.fileno()) != self.state
        except OSError as error:
            raise self._unreadable(error) from None
        if has_changed:
            raise InputError(f"{self.name}: changed while it was read; run again")
        return lines

    def _unreadable(self, error: OSError) -> InputError:
        """Return an InputError for an error of the system."""
        return InputError(f"{self.name}: cannot be read: {error.strerror}")


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
        numbers = np.asarray(texts) if self.numbers is None else self.numbers[np.asarray(texts)]
        files, lines = np.divmod(numbers, self.n_lines)
        return files, lines

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
        groups = lines // self.lines_per_mark
        first_group = int(groups.min())
        is_read = np.zeros(int(groups.max()) - first_group + 1, np.bool_)
        is_read[groups - first_group] = True
        # Where groups of lines begin that stand side by side, and where they end.
        edges = np.flatnonzero(np.diff(is_read, prepend=False, append=False)) + first_group
        offsets = self.marks[file][edges - self.first_mark].tolist()
        contents = self.files.all[file].lines(zip(offsets[::2], offsets[1::2], strict=True))
        if lines.size == len(contents) and (np.diff(lines) == 1).all():
            return contents
        groups_before: NDArray[np.int64] = np.cumsum(is_read) - is_read
        indices = (
            groups_before[groups - first_group] * self.lines_per_mark + lines % self.lines_per_mark
        )
        return [contents[index] for index in indices.tolist()]

    def place(self, number: int) -> str:
        """Return the file and the line."""
        (file,), (line,) = self._files_and_lines([number])
        return f"{self.files.all[file].name}, line {line + 1}"

    def sizes(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return how many bytes lines of their files have on average."""
        means = [file.state.n_bytes // self.n_lines for file in self.files.all]
        return np.array(means, np.int64)[self._files_and_lines(numbers)[0]]

    def part(self, numbers: NDArray[np.int64]) -> "LineTexts":
        """Return some of them, with the marks from the first of their lines to the last."""
        files, lines = self._files_and_lines(numbers)
        first, last = (
            int(lines.min()) // self.lines_per_mark,
            int(lines.max()) // self.lines_per_mark,
        )
        span = slice(first - self.first_mark, last - self.first_mark + 2)
        marks = tuple(offsets[span].copy() for offsets in self.marks)
        numbers = files * self.n_lines + lines
        return LineTexts(self.files, self.n_lines, marks, self.lines_per_mark, first, numbers)

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


def index_line_files(files: LineFiles) -> LineTexts:
    """Count the lines of files, and note where some of them begin.

    Raises InputError with all files that cannot be read or are no text; or with different numbers
    of lines; or if there are no lines.
    """
    problems: list[str] = []
    indexed: list[tuple[int, NDArray[np.int64]]] = []
    for file in files.all:
        try:
            indexed.append(_index(file, files.max_record))
        except InputError as error:  # noqa: PERF203 - all problems are told at once
            problems += error.problems
    if problems:
        raise InputError(list(dict.fromkeys(problems)))
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


def _index(file: LineFile, max_record: int) -> tuple[int, NDArray[np.int64]]:
    """Return the number of lines of a file and its marks; raises InputError."""
    n_lines, offset, last_byte, start = 0, 0, NEWLINE, 0
    marks = [np.zeros(1, np.int64)]
    for chunk in file.chunks(CHUNK):
        ends = np.flatnonzero(chunk == NEWLINE) + 1
        if not chunk.min():
            n_before = np.searchsorted(ends, chunk.argmin(), side="right")
            raise InputError(
                f"{file.name}, line {n_lines + int(n_before) + 1}: a zero byte; expected text, a "
                "text a line; UTF-16 needs --encoding utf-16"
            )
        end = offset + int(ends[0] if ends.size else chunk.size)
        # A line within a chunk is short enough.
        if end - start > max_record * MEGABYTE:
            raise InputError(f"{file.name}, line {n_lines + 1}: {too_long(max_record)}")
        start = offset + int(ends[-1]) if ends.size else start
        first = -(n_lines + 1) % LINES_OF_MARK
        marks.append(ends[first::LINES_OF_MARK] + offset)
        n_lines, offset, last_byte = n_lines + ends.size, offset + chunk.size, chunk[-1]
    n_lines += last_byte != NEWLINE
    offsets = np.concatenate(marks)
    return n_lines, offsets if offsets[-1] == offset else np.append(offsets, offset)


class LineFileLayout:
    """The layout of files with a text a line."""

    kind = "line files"
    takes_config = False
    takes_files = False
    selector = "peer_lines"
    options = frozenset(
        {"peer_lines", "model_lines", "all", "encoding", "sentence_separator", "sentences"}
        | {"max_record"}
    )
    has_elements = False

    def claims(self, source: Source, inputs: InputOptions) -> bool:
        """Claim what ``--peer-lines`` names."""
        return bool(inputs.peer_lines)

    @contextmanager
    def open(
        self, source: Source, inputs: InputOptions, metrics: MetricOptions
    ) -> Iterator[Corpus]:
        """Check and index the files; raises OptionError and InputError.

        What cannot be read twice is copied until the context ends.
        """
        peers = named_files(inputs.peer_lines)
        paths = (*peers.values(), *inputs.model_lines)
        _check(paths)
        split = sentence_splitter(inputs.sentences)
        are_told_apart = are_sentences_read(metrics)
        with plain_files(paths, inputs.encoding) as plain:
            files = {path: LineFile.at(plain[path], input_name(path)) for path in paths}
            texts = index_line_files(
                LineFiles(
                    {system: files[path] for system, path in peers.items()},
                    [files[path] for path in inputs.model_lines],
                    inputs.sentence_separator,
                    split,
                    is_tallied=inputs.sentence_separator is not None and are_told_apart,
                    max_record=inputs.max_record,
                )
            )
            is_asked = inputs.sentence_separator is not None or split is not None
            warnings: Iterator[str] = iter(())
            if are_told_apart and not is_asked:
                warnings = known_separator_warnings(texts.head(), texts.n_lines)
            yield line_corpus(texts, (*warnings, *_both_sides_warnings(texts.files)))


def line_corpus(texts: LineTexts, warnings: tuple[str, ...] = ()) -> Corpus:
    """Return the lines of parallel files as a corpus: an EVAL for each line, with every system."""
    n_lines, systems = texts.n_lines, tuple(texts.files.peers)
    numbers = np.arange(len(texts)).reshape(-1, n_lines)
    n_models = len(texts.files.models)
    return Corpus(
        "line files",
        systems,
        NumberedIds(np.arange(1, n_lines + 1)),
        dict(zip(systems, numbers, strict=False)),
        np.full(n_lines, n_models),
        numbers[len(systems) :].T.ravel(),
        texts,
        warnings=warnings,
        in_order_of_texts=True,
    )


def _both_sides_warnings(files: LineFiles) -> Iterator[str]:
    """Warn of files that hold peers and models."""
    models = {os.path.realpath(file.path) for file in files.models}
    both = [file.name for file in files.peers.values() if os.path.realpath(file.path) in models]
    if both:
        are = "1 file of peers is" if len(both) == 1 else f"{len(both)} files of peers are"
        yield (
            f"{are} among the models too, the first {both[0]}: each text is measured against "
            "itself; name another file with --peer-lines or --model-lines"
        )


def named_files(values: Sequence[str]) -> dict[str, str]:
    """Read the values ``[NAME=]FILE`` of ``--peer-lines``: system ID to path, in their order.

    Only a lone file needs no name. Raises OptionError if a name is missing or used twice.
    """
    if len(values) == 1 and "=" not in values[0]:
        return {DEFAULT_SYSTEM: values[0]}
    files: dict[str, str] = {}
    for value in values:
        name, equals, path = value.partition("=")
        if not equals or not name or not path:
            raise OptionError(
                f"--peer-lines: expected NAME=FILE for each of several files, found {value!r}"
            )
        if name in files:
            raise OptionError(
                f"--peer-lines: expected a name for each file of its own, found {name!r} twice"
            )
        files[name] = path
    return files


def _check(paths: Sequence[str]) -> None:
    """Refuse paths that cannot be read, and standard input twice."""
    if (n_times := paths.count(STANDARD_INPUT)) > 1:
        raise OptionError(
            f"- (standard input) stands {n_times} times in --peer-lines and --model-lines; it can "
            "be read once"
        )
    problems = [
        f"{escaped(path)}: {problem}"
        for path in paths
        if path != STANDARD_INPUT and (problem := file_problem(path, by_user=True))
    ]
    if problems:
        raise InputError(list(dict.fromkeys(problems)))


@contextmanager
def plain_files(paths: Iterable[str], encoding: str | None) -> Iterator[dict[str, str]]:
    """Provide regular files with the bytes of line files, decompressed and in UTF-8.

    Yields for each path (``-`` is standard input) that of a plain file: itself, or a copy that is
    removed in the end, whatever happens. Without `encoding` the bytes stay as they are. Raises
    InputError with what cannot be read, decompressed or decoded, of all paths.
    """
    plain = {path: path for path in paths}
    other = [path for path in plain if encoding is not None or not _is_plain(path)]
    if not other:
        yield plain
        return
    # Imported late: few files have to be copied.
    from rouge_cli.atomic_files import temporary_folder

    with temporary_folder() as folder:
        yield plain | _spool_all(other, encoding, folder)


def _is_plain(path: str) -> bool:
    """Return whether a file can be read twice, by any process, and is not compressed."""
    return (
        path != STANDARD_INPUT
        and not is_compressed(path)
        and not path.startswith(OWN_TO_PROCESS)
        and os.path.isfile(path)
    )


def _spool_all(paths: Iterable[str], encoding: str | None, folder: str) -> dict[str, str]:
    """Copy the content of all paths into a folder; raises InputError."""
    spools: dict[str, str] = {}
    problems: list[str] = []
    for number, path in enumerate(paths):
        spools[path] = os.path.join(folder, str(number))
        try:
            _spool(path, encoding, spools[path])
        except InputError as error:
            problems += error.problems
    if problems:
        raise InputError(problems)
    return spools


def _spool(path: str, encoding: str | None, target: str) -> None:
    """Copy the content of a path into a file; raises InputError."""
    name = input_name(path)
    try:
        with open_input(path, EXPECTED) as source, open(target, "wb") as file:
            file.writelines(_chunks(source, name, encoding))
    except OSError as error:
        raise InputError(
            f"{name}: no copy of it can be written to {os.path.dirname(target)}: {error.strerror}; "
            "set TMPDIR to a folder with more room"
        ) from None


def _chunks(source: BinaryIO, name: str, encoding: str | None) -> Iterator[bytes]:
    """Yield the content of a stream, in UTF-8 if an encoding is given; raises InputError."""
    if encoding is not None:
        for text in Decoder(name, encoding, ADVICE).texts(source):
            yield text.encode("utf-8", "surrogatepass")
        return
    while chunk := source.read(CHUNK):
        yield chunk
        # Not text, as the index will say; an endless input would fill the disk.
        if b"\0" in chunk:
            return
