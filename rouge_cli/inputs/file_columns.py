"""EVALs whose texts are files, a peer and its models each, as columns.

A configuration may have very many. What a run does with all of them it does column by column; few
are ever needed as objects, for messages above all.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from itertools import pairwise, repeat
from operator import mul
from typing import overload

import numpy as np
from numpy.typing import NDArray

from rouge_cli.escapes import escaped
from rouge_cli.inputs.blocks import BLOCK_BYTES, Block, Pairs, Portion, cut_by_weight, pair_weight
from rouge_cli.inputs.corpus import EvaluationCorpus
from rouge_cli.inputs.evaluation import Evaluation, Instances, TextSource
from rouge_cli.inputs.text_reader import TextReader
from rouge_cli.quick_dataclass import dataclass

__all__ = ["CorpusOfFiles", "FileColumns", "FileCorpus", "FilePortion", "corpus_of_files"]


@dataclass(frozen=True, slots=True, eq=False)
class FileColumns(Sequence[Evaluation]):
    """EVALs with one peer each, all of one system, and files of one format; objects on demand.

    Parameters
    ----------
    system, format : str
        Of all EVALs.
    ids, lines : list of str, list of int
        Of each EVAL: its ID, and the line on which it begins.
    starts : list of int
        The first text of each EVAL, and behind the last one how many texts there are.
    names : list of str
        The file of each text: EVAL by EVAL, the models and then the peer.
    text_lines : ndarray of int64, shape (n_texts,)
        The line that names each text.
    model_ids : list of str
        Of each text, anything for peers; empty where models have none.
    """

    system: str
    format: str
    ids: list[str]
    lines: list[int]
    starts: list[int]
    names: list[str]
    text_lines: NDArray[np.int64]
    model_ids: list[str] = field(default_factory=list)

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.ids)

    @overload
    def __getitem__(self, place: int) -> Evaluation: ...

    @overload
    def __getitem__(self, place: slice) -> "FileColumns": ...

    def __getitem__(self, place: int | slice) -> "Evaluation | FileColumns":
        """Return one, or some that stand side by side; raises ValueError for another step."""
        if isinstance(place, slice):
            first, last, step = place.indices(len(self))
            if step != 1:
                raise ValueError(f"expected a step of 1, found {step}")
            return self._part(first, max(first, last))
        place = range(len(self))[place]
        return next(iter(self._part(place, place + 1)))

    def __iter__(self) -> Iterator[Evaluation]:
        """Iterate over them."""
        text_lines = self.text_lines.tolist()
        sources = list(map(TextSource, self.names, repeat(self.format), text_lines))
        bounds = pairwise(self.starts)
        for eval_id, line, (first, stop) in zip(self.ids, self.lines, bounds, strict=True):
            *models, peer = sources[first:stop]
            model_ids = tuple(self.model_ids[first : stop - 1])
            yield Evaluation(eval_id, {self.system: peer}, tuple(models), line, model_ids)

    def _part(self, first: int, last: int) -> "FileColumns":
        """Return some EVALs."""
        start, stop = self.starts[first], self.starts[last]
        return FileColumns(
            self.system,
            self.format,
            self.ids[first:last],
            self.lines[first:last],
            [one - start for one in self.starts[first : last + 1]],
            self.names[start:stop],
            self.text_lines[start:stop],
            self.model_ids[start:stop],
        )

    def source(self, text: int) -> TextSource:
        """Return where a text comes from."""
        return TextSource(self.names[text], self.format, int(self.text_lines[text]))

    def eval_id(self, text: int) -> str:
        """Return the ID of the EVAL of a text."""
        return self.ids[bisect_right(self.starts, text) - 1]

    def has_repeats(self) -> bool:
        """Say whether an EVAL names a file twice."""
        if len(set(self.names)) == len(self.names):
            return False
        owners = np.repeat(np.arange(len(self)), np.diff(self.starts)).tolist()
        return len(set(zip(owners, self.names, strict=True))) < len(self.names)

    def pairs(self) -> Pairs:
        """Return each peer beside each of its models."""
        starts = np.array(self.starts, np.int64)
        peers = starts[1:] - 1
        models = np.delete(np.arange(starts[-1]), peers)
        # Before an EVAL there are as many peers, which are no models, as there are EVALs.
        first_pairs = starts[:-1] - np.arange(len(self))
        return Pairs(np.repeat(peers, np.diff(starts) - 1), models, first_pairs)


def corpus_of_files(
    name: str, evals: Sequence[Evaluation], systems: tuple[str, ...]
) -> "CorpusOfFiles":
    """Return a corpus of the EVALs of a configuration or a file list.

    It stays in columns unless it is asked for other systems, or an EVAL names a file twice, which
    is read once.

    Parameters
    ----------
    systems : tuple of str
        The systems to score.
    """
    if isinstance(evals, FileColumns) and (evals.system,) == systems and not evals.has_repeats():
        return FileCorpus(name, evals)
    return EvaluationCorpus(name, list(evals), systems, is_original=True)


@dataclass(frozen=True, slots=True, eq=False)
class FileCorpus:
    """A corpus of EVALs in columns, none of which names a file twice.

    Parameters
    ----------
    name : str
        What the user called the input.
    reader : TextReader
        How the texts are read.
    """

    name: str
    evals: FileColumns
    reader: TextReader = field(default_factory=TextReader)
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    has_lists: bool = False
    is_original: bool = True

    @property
    def systems(self) -> tuple[str, ...]:
        """The one system."""
        return (self.evals.system,)

    def with_reader(self, reader: TextReader) -> "FileCorpus":
        """Return the corpus with what reads its texts."""
        return replace(self, reader=reader)

    def files(self) -> tuple[set[str], dict[str, None]]:
        """Return the formats of the texts to score, and the names of the files."""
        return {self.evals.format}, dict.fromkeys(self.evals.names)

    def instances(self) -> Instances:
        """Return the instances, one an EVAL."""
        return Instances(self.systems, self.evals.ids, np.zeros(len(self.evals), np.int64))

    def portions(self) -> Iterator[Portion]:
        """Yield the EVALs in portions."""
        names, contents = self.evals.names, self.reader.contents
        first_models = [names[start] for start in self.evals.starts[:-1]]
        sizes = [len(contents.get(name, b"")) for name in first_models]
        n_models = (np.diff(self.evals.starts) - 1).tolist()
        weights = map(mul, n_models, map(pair_weight, sizes))
        for numbers in cut_by_weight(range(len(self.evals)), weights):
            yield FilePortion(self.evals[numbers[0] : numbers[-1] + 1], self.reader)

    def evaluations(self) -> Iterator[Evaluation]:
        """Yield the EVALs."""
        return iter(self.evals)


CorpusOfFiles = EvaluationCorpus | FileCorpus
"""EVALs whose texts are files, in columns or not."""


@dataclass(frozen=True, slots=True, eq=False)
class FilePortion:
    """Some EVALs whose texts are still to be read."""

    evals: FileColumns
    reader: TextReader

    def blocks(self) -> Iterator[Block]:
        """Read EVAL after EVAL in blocks of about `BLOCK_BYTES`; raises InputError."""
        ready = self.reader.ready(self.evals.format)
        eval_after = {start: number for number, start in enumerate(self.evals.starts)}
        texts: list[bytes] = []
        first = n_bytes = 0
        for number, name in enumerate(self.evals.names):
            text = ready.get(name)
            if text is None:
                text = self.reader.read(self.evals.eval_id(number), self.evals.source(number))
            texts.append(text)
            n_bytes += len(text)
            if n_bytes >= BLOCK_BYTES and number + 1 in eval_after:
                last = eval_after[number + 1]
                yield self._block(self.evals[first:last], texts)
                first, texts, n_bytes = last, [], 0
        if texts:
            yield self._block(self.evals[first:], texts)

    def _block(self, evals: FileColumns, texts: list[bytes]) -> Block:
        """Return a block of texts that are read."""

        def describe(text: int) -> str:
            return f"EVAL {escaped(evals.eval_id(text))}: {escaped(evals.names[text])}"

        def content(text: int) -> bytes:
            return self.reader.content(evals.eval_id(text), evals.source(text))

        return Block(texts, evals.pairs(), describe, content=content)
