"""Texts that are files of their own, as configurations, file lists and folders name them."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rouge_cli.inputs.corpus import Corpus
from rouge_cli.inputs.evaluation import Evaluation, in_byte_order
from rouge_cli.inputs.files import read_file
from rouge_cli.inputs.formats import ELEMENTS_FORMAT, SENTENCE_FORMATS
from rouge_cli.inputs.texts import Reading, Texts, UnreadableTextError
from rouge_cli.quick_dataclass import dataclass

RAW_FORMAT = "SPL"
"""The format of normalised texts, in which sentences may still have to be found."""

BYTES_AT_A_TIME = 1 << 18
"""So many bytes of files are handed on together: one by one would cost as much as reading them."""


class TextFile(NamedTuple):
    """A file with one text.

    A named tuple, since a run makes one for each text, in a third of the time of a dataclass.

    Parameters
    ----------
    name : str
        Path of the file, as the system takes it (undecodable bytes as surrogates).
    format : str
        ``"SPL"``, ``"SEE"``, ``"ISI"`` or ``"SIMPLE"``.
    line : int or None
        Line of the configuration that names the file.
    """

    name: str
    format: str = RAW_FORMAT
    line: int | None = None


class FileEval(NamedTuple):
    """An EVAL as a configuration spells it.

    Parameters
    ----------
    peers : mapping of str to TextFile
        By system ID.
    models : tuple of TextFile
        In the order of the configuration; a model may stand in it twice.
    model_ids : tuple of str
        The ID of each model; empty where the layout has none.
    """

    id: str
    peers: Mapping[str, TextFile]
    models: tuple[TextFile, ...]
    model_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class FileTexts(Texts):
    """Files with a text each.

    Parameters
    ----------
    names : sequence of str
        Paths.
    formats : sequence of str
        The format of each file.
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

    are_files = True

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
        """Return how many bytes those files have that are read already."""
        if not self.contents:
            return np.zeros(numbers.size, np.int64)
        names, contents = self.names, self.contents
        lengths = (len(contents.get(names[number], b"")) for number in numbers.tolist())
        return np.fromiter(lengths, np.int64, numbers.size)

    def part(self, numbers: NDArray[np.int64]) -> "FileTexts":
        """Return some of them, without their lines: what is wrong there was told before."""
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


def files_of(corpus: Corpus) -> FileTexts | None:
    """Return the files of a corpus whose texts are files; None for others."""
    return corpus.texts if isinstance(corpus.texts, FileTexts) else None


def corpus_of_files(
    name: str, evals: Iterable[FileEval], systems: Sequence[str] | None = None
) -> Corpus:
    """Return a corpus of the EVALs of a configuration.

    Parameters
    ----------
    systems : sequence of str or None
        The systems to score; None for all, in byte order.
    """
    files: list[TextFile] = []
    numbered: list[Evaluation] = []
    for spelt in evals:
        first = len(files)
        files += (*spelt.peers.values(), *spelt.models)
        peers = dict(zip(spelt.peers, range(first, len(files)), strict=False))
        models = tuple(range(first + len(peers), len(files)))
        numbered.append(Evaluation(spelt.id, peers, models, spelt.model_ids))
    if systems is None:
        systems = in_byte_order({system for spelt in numbered for system in spelt.peers})
    names, formats, lines = zip(*files, strict=True) if files else ((), (), ())
    counts = [len(spelt.peers) + len(spelt.models) for spelt in numbered]
    firsts = first_mentions(counts, [file[:2] for file in files])
    return Corpus.of(name, numbered, systems, FileTexts(names, formats, lines, firsts=firsts))


def first_mentions(
    counts: Sequence[int] | NDArray[np.int64], files: Sequence[Hashable]
) -> NDArray[np.int64] | None:
    """Return `FileTexts.firsts`.

    Parameters
    ----------
    counts : sequence or ndarray of int, shape (n_evals,)
        How many files each EVAL names.
    files : sequence of hashable
        EVAL by EVAL, anything that tells files apart.
    """
    if len(set(files)) == len(files):
        return None
    firsts: dict[tuple[int, Hashable], int] = {}
    owners = np.repeat(np.arange(len(counts)), counts).tolist()
    keys = zip(owners, files, strict=True)
    return np.array([firsts.setdefault(key, number) for number, key in enumerate(keys)], np.int64)
