"""The layout of parallel line files: line N of each file belongs to EVAL N."""

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import BinaryIO

import numpy as np

from rouge_cli.errors import InputError, OptionError
from rouge_cli.escapes import escaped
from rouge_cli.inputs.corpus import Corpus
from rouge_cli.inputs.decoding import Decoder
from rouge_cli.inputs.evaluation import DEFAULT_SYSTEM, NumberedIds
from rouge_cli.inputs.files import (
    OWN_TO_PROCESS,
    STANDARD_INPUT,
    file_problem,
    input_name,
    is_compressed,
    open_input,
)
from rouge_cli.inputs.line_texts import LineFile, LineFiles, LineTexts, index_line_files
from rouge_cli.inputs.sentences import (
    are_sentences_read,
    known_separator_warnings,
    sentence_splitter,
)
from rouge_cli.inputs.source import Source
from rouge_cli.options.inputs import LINE_FILES, InputOptions
from rouge_cli.options.metrics import MetricOptions

CHUNK = 1 << 20
EXPECTED = "a text a line"
ADVICE = (
    "give the encoding of the file with --encoding, or leave --encoding out to take its bytes as "
    "they are"
)


class LineFileLayout:
    """The layout of files with a text a line."""

    kind = "line files"
    takes_config = False
    takes_files = False
    selector = "peer_lines"
    options = InputOptions.of_layout(LINE_FILES)
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
                ),
                source.n_threads,
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
        np.broadcast_to(np.int64(n_models), n_lines),
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
