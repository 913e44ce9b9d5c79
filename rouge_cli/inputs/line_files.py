"""Parallel line files: line N of each file belongs to EVAL N.

The files are read in step, a few lines of each at a time, so that the models of an EVAL are read
only once for all systems. Files whose first lines are not texts, such as JSON, are refused; the
output of fairseq-generate is accepted.
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from itertools import chain, compress, islice
from typing import Any, BinaryIO

import numpy as np

from rouge_cli.errors import InputError, OptionError, with_number
from rouge_cli.escapes import escaped
from rouge_cli.inputs.batch import Batch, BatchMaker
from rouge_cli.inputs.decoding import Decoder, head_of, told_encoding, too_long
from rouge_cli.inputs.evaluation import DEFAULT_SYSTEM, NumberedIds
from rouge_cli.inputs.files import MEGABYTE, STANDARD_INPUT, file_problem, input_name, open_again
from rouge_cli.inputs.index import Index, Input, Layout
from rouge_cli.inputs.records.rows import IDS, MODELS, PREDICTIONS, SYSTEMS
from rouge_cli.inputs.sentences import (
    are_sentences_read,
    sentence_splitter,
    split_sentences,
    unsplit_lines,
    unsplit_warnings,
)
from rouge_cli.inputs.source import AS_IS, Source, refuse_foreign
from rouge_cli.options.inputs import LINE_FILES, InputOptions
from rouge_cli.options.metrics import MetricOptions

CHUNK = 1 << 20
LINES_AT_A_TIME = 256
LINES_TO_LOOK_AT = 2048
"""Number of first lines kept of each file, to find where files of different lengths diverge."""

OF_MODELS, OF_PEERS = "TDH", "DHT"
"""Letters of the fairseq-generate lines to read, by priority: T are targets, D detokenized
hypotheses, H hypotheses."""

EXPECTED = "one text per line"
ADVICE = (
    "give the encoding of the file with --encoding, or leave --encoding out to take its bytes as "
    "they are"
)


class LineFileLayout(Layout):
    """The layout of files with one text per line."""

    kind = "line files"
    selector = "peer_lines"
    options = InputOptions.of_layout(LINE_FILES)

    def open(self, source: Source, inputs: InputOptions, metrics: MetricOptions) -> Input:
        peers = named_files(inputs.peer_lines)
        _check((*peers.values(), *inputs.model_lines))
        inputs.check_encodings((*peers.values(), *inputs.model_lines))
        return LineInput(source, peers, inputs, metrics)


class _OpenFile:
    """A file that is being read.

    - `n_lines`: the number of lines read so far.
    - `head`, `last`: the first lines and the last one, for hints about different lengths.
    - `n_unsplit`, `first_unsplit`: how many texts lack the separator, and the line of the first.
    - `problems`: messages of the InputError that ended reading, if any.
    """

    def __init__(self, name: str, lines: Iterator[bytes], problems: tuple[str, ...] = ()) -> None:
        self.name, self._lines, self.problems = name, lines, problems
        self.n_lines = 0
        self.head: list[bytes] = []
        self.last = b"-"
        self.n_unsplit = 0
        self.first_unsplit: int | None = None

    def next_lines(self) -> list[bytes]:
        # An error is kept, not raised, so that problems of the other files are found too.
        lines: list[bytes] = []
        try:
            lines.extend(islice(self._lines, LINES_AT_A_TIME))
        except InputError as error:
            self.problems = error.problems
        self.n_lines += len(lines)
        if lines:
            self.last = lines[-1]
        if len(self.head) < LINES_TO_LOOK_AT:
            self.head += lines
        return lines


class LineInput(Input):
    """Parallel line files; `peers` maps systems to paths, and the options name those of models."""

    def __init__(
        self, source: Source, peers: Mapping[str, str], inputs: InputOptions, metrics: MetricOptions
    ) -> None:
        super().__init__(Index("line files", order=tuple(peers)))
        self._source, self._peers, self._inputs = source, peers, inputs
        self._split = sentence_splitter(inputs.sentences)
        self._are_told_apart = are_sentences_read(metrics)

    def read(self, index: Index) -> Iterator[Batch]:
        index.systems, index.order = list(self._peers), tuple(self._peers)
        models = self._inputs.model_lines
        with ExitStack() as stack:
            columns = [
                *(self._opened(stack, path, OF_MODELS, index) for path in models),
                *(self._opened(stack, path, OF_PEERS, index) for path in self._peers.values()),
            ]
            maker, first = BatchMaker(has_keys=len(self._peers) > 1), 0
            places = [column.name for column in columns]
            while any(lines := [column.next_lines() for column in columns]):
                start, count = columns[0].n_lines - len(lines[0]), len(lines[0])
                if set(map(len, lines)) != {count} or any(column.problems for column in columns):
                    # Nothing will be scored, but go on, to count lines and find other problems.
                    maker = BatchMaker()
                    continue
                eval_ids = list(map(str, range(start + 1, start + count + 1)))
                texts = [self._texts(*column) for column in zip(columns, lines, strict=True)]
                sides = texts[: len(models)], range(len(self._peers)), texts[len(models) :]
                maker.add_many(start, eval_ids, *sides)
                if maker.is_full:
                    yield maker.take(partial(_place, places, first))
                    first = start + count
            # In messages, systems come first, as on the command line.
            in_order = (*columns[len(models) :], *columns[: len(models)])
            self._check_read(in_order)
        if maker:
            yield maker.take(partial(_place, places, first))
        index.eval_ids = NumberedIds(np.arange(1, columns[0].n_lines + 1))
        index.warnings += self._warnings(in_order)

    def _opened(self, stack: ExitStack, path: str, letters: str, index: Index) -> _OpenFile:
        name, inputs, source = input_name(path), self._inputs, self._source
        try:
            stream = stack.enter_context(open_again(path, EXPECTED, source.states, source.spools))
            head = head_of(stream)
            if not inputs.as_is:
                refuse_foreign(name, head, AS_IS)
            encoding = told_encoding(head, inputs.encoding_of(path))
            chunks = _lines(stream, name, encoding, inputs.max_record)
            lines = chain.from_iterable(chunks)
            if inputs.as_is or encoding not in {None, "utf-8"}:
                return _OpenFile(name, lines)
            first = _first_lines(head)
            for has_shape, what in SHAPES:
                if has_shape(first):
                    raise InputError(f"{name}: {what.format(name=name)}{AS_IS}")
            index.warnings += _returns_warnings(name, head)
            if _are_nearly_all(first, lambda line: bool(_FAIRSEQ_LINE.match(line))):
                letter, texts = _fairseq_texts(name, lines, letters)
                index.notes.append(
                    f"{name}: lines of fairseq-generate, {letter}- in the order of their numbers"
                )
                return _OpenFile(name, iter(texts))
        except InputError as error:
            return _OpenFile(name, iter(()), problems=error.problems)
        return _OpenFile(name, lines)

    def _texts(self, column: _OpenFile, lines: list[bytes]) -> list[bytes]:
        if self._split is not None:
            return list(map(self._split, lines))
        if (separator := self._inputs.sentence_separator) is None:
            return lines
        texts = split_sentences(lines, separator)
        if unsplit := unsplit_lines(lines, texts):
            column.n_unsplit += len(unsplit)
            if column.first_unsplit is None:
                column.first_unsplit = column.n_lines - len(lines) + unsplit[0] + 1
        return texts

    def _check_read(self, columns: Sequence[_OpenFile]) -> None:
        if problems := dict.fromkeys(chain.from_iterable(c.problems for c in columns)):
            raise InputError(list(problems))
        if len({column.n_lines for column in columns}) > 1:
            lengths = "; ".join(f"{column.name} has {column.n_lines}" for column in columns)
            names, heads, ends = zip(*((c.name, c.head, c.last) for c in columns), strict=True)
            hints = "".join(f"; {hint}" for hint in _length_hints(names, heads, ends))
            raise InputError(
                f"line files of different lengths: {lengths}; expected as many lines in each{hints}"
            )
        if not columns[0].n_lines:
            raise InputError(f"{columns[0].name}: an empty file; expected one text per line")

    def _warnings(self, columns: Sequence[_OpenFile]) -> Iterator[str]:
        models = set(map(os.path.realpath, self._inputs.model_lines))
        both = [path for path in self._peers.values() if os.path.realpath(path) in models]
        if both:
            are = with_number(len(both), "1 file of predictions is", "{} files of predictions are")
            yield (
                f"{are} among the references too, the first {input_name(both[0])}: each line is "
                "measured against itself; name another file with --predictions or --references"
            )
        if self._are_told_apart and self._split is None:
            # A file of both peers and models gets one warning.
            for name, column in {column.name: column for column in columns}.items():
                yield from unsplit_warnings(
                    *(name, column.n_lines, column.n_unsplit, column.first_unsplit),
                    self._inputs.sentence_separator,
                )


def _place(names: Sequence[str], first: int, group: int, rank: int) -> str:
    # See `rouge_cli.inputs.batch.Places`.
    return f"{names[rank]}, line {first + group + 1}"


def _lines(
    stream: BinaryIO, name: str, encoding: str | None, max_record: int
) -> Iterator[list[bytes]]:
    chunks = iter(partial(stream.read, CHUNK), b"")
    if encoding is not None:
        texts = Decoder(name, encoding, ADVICE, has_others=True).texts(stream)
        chunks = (text.encode("utf-8", "surrogatepass") for text in texts)
    number, rest = 1, b""
    for chunk in chunks:
        lines = (rest + chunk).split(b"\n")
        if b"\0" in chunk:
            n_before = next(n for n, line in enumerate(lines) if b"\0" in line)
            yield lines[:n_before]
            raise InputError(
                f"{name}, line {number + n_before}: a zero byte; expected text, one per line; "
                "UTF-16 needs --encoding utf-16"
            )
        # Only the first line can be too long: the others are within a chunk.
        if len(lines[0]) > max_record * MEGABYTE:
            raise InputError(f"{name}, line {number}: {too_long(max_record)}")
        rest = lines.pop()
        number += len(lines)
        yield lines
    if rest:
        yield [rest]


def named_files(values: Sequence[str]) -> dict[str, str]:
    """Parse the values ``[NAME=]FILE`` of ``--predictions`` into a path for each system, in order.

    A single file needs no name. Raises OptionError if a name is missing or repeated.
    """
    if len(values) == 1 and "=" not in values[0]:
        return {DEFAULT_SYSTEM: values[0]}
    files: dict[str, str] = {}
    for value in values:
        name, equals, path = value.partition("=")
        if not equals or not name or not path:
            raise OptionError(
                f"--predictions: expected NAME=FILE for each of several files, found {value!r}"
            )
        if name in files:
            raise OptionError(
                f"--predictions: expected a name for each file of its own, found {name!r} twice"
            )
        files[name] = path
    return files


def _check(paths: Sequence[str]) -> None:
    if (n_times := paths.count(STANDARD_INPUT)) > 1:
        raise OptionError(
            f"- (standard input) occurs {n_times} times in --predictions and --references; it can "
            "be read once"
        )
    problems = [
        f"{escaped(path)}: {problem}"
        for path in paths
        if path != STANDARD_INPUT and (problem := file_problem(path, by_user=True))
    ]
    if problems:
        raise InputError(list(dict.fromkeys(problems)))


MOST_LINES = 100  # number of first lines by which the shape of a file is recognised

NEARLY_ALL = 0.9
FEWEST_ROWS, MOST_COLUMNS = 3, 40
_KNOWN_FIELDS = frozenset({*PREDICTIONS, *MODELS, *IDS, *SYSTEMS, "article", "document", "source"})
_LIST_STARTS, _LIST_ENDS = (b"['", b'["', b"[['", b'[["'), (b"']", b'"]', b"']]", b'"]]')
_FAIRSEQ_LINE = re.compile(rb"[STHDP]-[0-9]{1,12}\t")
_NUMBERED = re.compile(rb'"?([0-9]{1,12})"?[,;\t]')


def _are_nearly_all(lines: Sequence[bytes], test: Callable[[bytes], bool]) -> bool:
    return bool(lines) and sum(map(test, lines)) >= NEARLY_ALL * len(lines)


def _parsed(line: bytes) -> Any:
    """Return the object or the list of strings on a line, as JSON or Python write it, or None."""
    text = line.strip()
    # Check the ends first: Python's parser is slow, and a single bracketed expression is a list.
    is_list = text.startswith(_LIST_STARTS) and text.endswith(_LIST_ENDS)
    if not (is_list or text.startswith(b"{")):
        return None
    import ast  # few files are of these shapes
    import json

    try:
        return (ast.literal_eval if is_list else json.loads)(text.decode().strip())
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return None


def _are_rows(lines: Sequence[bytes]) -> bool:
    numbers = [int(match[1]) if (match := _NUMBERED.match(line)) else -1 for line in lines]
    if len(lines) >= FEWEST_ROWS and numbers == list(range(numbers[0], numbers[0] + len(lines))):
        return numbers[0] >= 0
    text = [line.decode("utf-8", "replace") for line in lines]
    # A first line of many words is a text rather than names of columns.
    if not text or len(re.findall(r"\w+", text[0])) > MOST_COLUMNS:
        return False
    import csv

    for mark in (",", ";", "\t"):
        try:
            header, *rows = csv.reader(text, delimiter=mark)
        except (csv.Error, ValueError):
            continue
        names = {name.strip().lower() for name in header}
        if len(header) > 1 and rows and names & _KNOWN_FIELDS:
            is_header = all(name and len(name.split()) == 1 for name in names)
            n_alike = sum(len(row) == len(header) for row in rows)
            return is_header and n_alike >= NEARLY_ALL * len(rows)
    return False


SHAPES: tuple[tuple[Callable[[Sequence[bytes]], bool], str], ...] = (
    (
        lambda lines: _are_nearly_all(lines, lambda line: isinstance(_parsed(line), dict)),
        "each line is a JSON object, not a text; score the file as records, rouge-cli {name}, or, "
        "if the references are in another file, with --references-from FILE",
    ),
    (
        lambda lines: _are_nearly_all(lines, lambda line: isinstance(_parsed(line), list)),
        "each line is a list as Python or JSON writes it, not a text; join the words of each with "
        "blanks, or its sentences with a mark for --sentence-separator",
    ),
    (
        _are_rows,
        "each line is a row of a table, not a text; score the file as records, "
        "rouge-cli --records-format csv {name}, with a header that names the columns",
    ),
)
"""Signs that lines are not texts. Each is a function that tests the first lines, and the message
with advice if the test succeeds."""


def _first_lines(head: bytes) -> list[bytes]:
    """Return the nonblank lines in the first bytes of a file, except for a truncated last one."""
    lines = head.split(b"\n")
    if len(lines) > 1:
        lines.pop()
    return [line for line in lines[:MOST_LINES] if line.strip()]


def _returns_warnings(name: str, head: bytes) -> Iterator[str]:
    # A single carriage return may be part of a text, and Windows ends lines with both characters.
    if head.count(b"\r") > 1 and b"\r\n" not in head and b"\n" not in head.rstrip(b"\n"):
        yield (
            f"{name}: carriage returns and no newline, as on old Macs: all of it is one text; if "
            "each ends a line, convert it with: tr '\\r' '\\n' < FILE > NEW"
        )


def _fairseq_texts(name: str, lines: Iterable[bytes], letters: str) -> tuple[str, list[bytes]]:
    """Return the first of `letters` that occurs, and its texts by their numbers.

    Of several lines with a number the first is the best hypothesis.
    """
    by_letter: dict[str, dict[int, bytes]] = {}
    for line in lines:
        if _FAIRSEQ_LINE.match(line):
            key, *_, text = line.rstrip(b"\r").split(b"\t", 2 if line[:1] in b"HD" else 1)
            letter, number = key.decode().split("-")
            by_letter.setdefault(letter, {}).setdefault(int(number), text)
    letter = next((letter for letter in letters if letter in by_letter), "")
    texts = by_letter.get(letter, {})
    missing = next((n for n in range(len(texts)) if n not in texts), None)
    if missing is not None or not texts:
        what = f"no {letter}-{missing}" if texts else f"none begins with {letters[0]}-"
        raise InputError(
            f"{name}: lines of fairseq-generate, of which {what}; expected each number from 0 on"
        )
    return letter, [texts[number] for number in range(len(texts))]


def _length_hints(
    names: Sequence[str], heads: Sequence[Sequence[bytes]], ends: Sequence[bytes]
) -> list[str]:
    # `heads` are the first lines of each file, `ends` the last lines.
    are_empty = (not end.strip() for end in ends)
    have_returns = (any(b"\r" in line.rstrip(b"\r") for line in head) for head in heads)
    hints = [f"the last line of {name} is empty" for name in compress(names, are_empty)]
    hints += [
        f"{name} holds carriage returns within lines" for name in compress(names, have_returns)
    ]
    if hints:
        return hints
    # The first line of the longest file that shares more words with the line before its neighbour
    # in the shortest one is probably the second half of a text with a newline.
    long = max(range(len(names)), key=lambda n: len(heads[n]))
    short = min(range(len(names)), key=lambda n: len(heads[n]))
    words = [[set(line.lower().split()) for line in heads[n]] for n in (long, short)]
    for number, (here, before) in enumerate(zip(words[0][1:], words[1], strict=False), 2):
        beside = words[1][number - 1] if number <= len(words[1]) else set()
        if len(here & before) > len(here & beside):
            return [
                f"line {number} of {names[long]} fits line {number - 1} of {names[short]}, so a "
                "text may have a newline within: write a blank or <q> for it, and "
                "--sentence-separator '<q>'"
            ]
    return []
