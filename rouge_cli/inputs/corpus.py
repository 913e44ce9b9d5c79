"""The input of a run: EVALs, whatever layout they came in.

A corpus says which texts belong together; the texts themselves are read when their turn comes.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import repeat
from typing import Protocol

import numpy as np

from rouge_cli.escapes import escaped
from rouge_cli.inputs.blocks import (
    Block,
    Pairs,
    Portion,
    cut_by_weight,
    drafted_blocks,
    pair_weight,
)
from rouge_cli.inputs.evaluation import Evaluation, Instances, TextSource, instances_of
from rouge_cli.inputs.text_reader import TextReader
from rouge_cli.quick_dataclass import dataclass

__all__ = [
    "Corpus",
    "EvalTexts",
    "EvaluationCorpus",
    "EvaluationPortion",
    "evaluation_portions",
    "read_texts",
    "scored_evaluations",
    "used_sources",
]


class Corpus(Protocol):
    """What every layout comes to."""

    @property
    def name(self) -> str:
        """What the user called it, for messages: the configuration, the file of records."""
        ...

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems to score, in the order of print."""
        ...

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the user should know of how it was read."""
        ...

    @property
    def notes(self) -> tuple[str, ...]:
        """How it was read, for those who ask."""
        ...

    @property
    def reader(self) -> TextReader:
        """What reads the texts of its EVALs."""
        ...

    @property
    def has_lists(self) -> bool:
        """Whether some text came as a list of its sentences."""
        ...

    @property
    def is_original(self) -> bool:
        """Whether ROUGE-1.5.5 reads it as it is: an XML configuration or a file list."""
        ...

    def instances(self) -> Instances:
        """Return the instances of the portions, in their order."""
        ...

    def portions(self) -> Iterator[Portion]:
        """Yield the work."""
        ...

    def evaluations(self) -> Iterator[Evaluation]:
        """Yield the EVALs in the order of the input, with all their systems."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class EvaluationCorpus:
    """EVALs that are at hand, whose texts may still be files.

    Parameters
    ----------
    name : str
        What the user called the input.
    evals : sequence of Evaluation
        Checked: each text can be read, and its format suits the metrics.
    systems : tuple of str
        The systems to score, in the order of print.
    reader : TextReader
        How the texts are read.
    """

    name: str
    evals: Sequence[Evaluation]
    systems: tuple[str, ...]
    reader: TextReader = field(default_factory=TextReader)
    warnings: tuple[str, ...] = ()
    has_lists: bool = False
    is_original: bool = False
    notes: tuple[str, ...] = ()

    @classmethod
    def of(
        cls, corpus: Corpus, evals: Iterable[Evaluation], systems: Sequence[str] | None = None
    ) -> "EvaluationCorpus":
        """Return a corpus with other EVALs, made of its own, and perhaps with other systems."""
        in_order = corpus.systems if systems is None else tuple(systems)
        return cls(
            corpus.name,
            list(evals),
            in_order,
            corpus.reader,
            corpus.warnings,
            corpus.has_lists,
            notes=corpus.notes,
        )

    def with_reader(self, reader: TextReader) -> "EvaluationCorpus":
        """Return the corpus with what reads its texts."""
        return replace(self, reader=reader)

    def files(self) -> tuple[set[str], dict[str, None]]:
        """Return the formats of the texts to score, and the names of those that are files."""
        used = [source for _, source in used_sources(self)]
        names = [source.name for source in used if source.content is None]
        return {source.format for source in used}, dict.fromkeys(names)

    def instances(self) -> Instances:
        """Return the instances, EVAL by EVAL."""
        return instances_of(self.evals, self.systems)

    def portions(self) -> Iterator[Portion]:
        """Yield the EVALs in portions."""
        return evaluation_portions(self.evals, self.systems, self.reader)

    def evaluations(self) -> Iterator[Evaluation]:
        """Yield the EVALs."""
        return iter(self.evals)


@dataclass(slots=True, eq=False)
class _Draft:
    """A block in the making.

    Parameters
    ----------
    sources : list of tuple of str and TextSource
        Where each text comes from, and the ID of its EVAL.
    peers, models, starts : list of int
        As in `Pairs`.
    n_bytes : int
        Bytes of all texts.
    """

    reader: TextReader
    systems: Sequence[str]
    sources: list[tuple[str, TextSource]] = field(default_factory=list)
    texts: list[bytes] = field(default_factory=list)
    peers: list[int] = field(default_factory=list)
    models: list[int] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    n_bytes: int = 0

    def add(self, evaluation: Evaluation) -> None:
        """Read the texts of an EVAL, each once, if one of the systems has a peer there."""
        peers = [evaluation.peers[one] for one in self.systems if one in evaluation.peers]
        if not peers:
            return
        texts = self.texts
        numbers: dict[tuple[str, str] | int, int] = {}
        places = []
        for source in (*evaluation.models, *peers):
            # A text at hand is known by itself: many may come from one file.
            key = (source.name, source.format) if source.content is None else id(source)
            if (number := numbers.get(key)) is None:
                number = numbers[key] = len(texts)
                text = self.reader.read(evaluation.id, source)
                texts.append(text)
                self.sources.append((evaluation.id, source))
                self.n_bytes += len(text)
            places.append(number)
        models = places[: len(evaluation.models)]
        for peer in places[len(models) :]:
            self.starts.append(len(self.peers))
            self.peers += [peer] * len(models)
            self.models += models

    def block(self) -> Block:
        """Return the block."""
        pairs = (np.array(numbers, np.int64) for numbers in (self.peers, self.models, self.starts))

        def content(text: int) -> bytes:
            return self.reader.content(*self.sources[text])

        return Block(self.texts, Pairs(*pairs), self._describe, content=content)

    def _describe(self, text: int) -> str:
        """Name a text."""
        eval_id, source = self.sources[text]
        return f"EVAL {escaped(eval_id)}: {escaped(source.place)}"


@dataclass(frozen=True, slots=True, eq=False)
class EvaluationPortion:
    """Some EVALs whose texts are still to be read.

    Parameters
    ----------
    systems : sequence of str
        The systems to score; one that is absent from an EVAL has no instance there.
    """

    evaluations: Sequence[Evaluation]
    systems: Sequence[str]
    reader: TextReader

    def blocks(self) -> Iterator[Block]:
        """Read EVAL after EVAL, each text once for every EVAL that names it; raises InputError."""
        return drafted_blocks(self.evaluations, lambda: _Draft(self.reader, self.systems))


def evaluation_portions(
    evaluations: Sequence[Evaluation], systems: Sequence[str], reader: TextReader
) -> Iterator[EvaluationPortion]:
    """Cut EVALs into portions; see `cut_by_weight`."""

    def weight(evaluation: Evaluation) -> int:
        n_peers = sum(map(evaluation.peers.__contains__, systems))
        n_bytes = reader.known_bytes(evaluation.models[0]) if n_peers else 0
        return len(evaluation.models) * n_peers * pair_weight(n_bytes)

    for some in cut_by_weight(evaluations, map(weight, evaluations)):
        yield EvaluationPortion(some, systems, reader)


@dataclass(frozen=True, slots=True)
class EvalTexts:
    """The texts of one EVAL.

    Parameters
    ----------
    peers : mapping of str to bytes
        Of the systems to score that have a peer here, in the order of print; normalised, or
        lines of Basic Elements.
    """

    evaluation: Evaluation
    peers: Mapping[str, bytes]
    models: tuple[bytes, ...]


def scored_evaluations(corpus: Corpus) -> Iterator[Evaluation]:
    """Yield the EVALs in which one of the systems to score has a peer; raises InputError."""
    systems = frozenset(corpus.systems)
    for evaluation in corpus.evaluations():
        if not systems.isdisjoint(evaluation.peers):
            yield evaluation


def used_sources(corpus: Corpus) -> Iterator[tuple[Evaluation, TextSource]]:
    """Yield each text to score and its EVAL, the peers and then the models; raises InputError."""
    for evaluation in scored_evaluations(corpus):
        peers = [evaluation.peers[one] for one in corpus.systems if one in evaluation.peers]
        yield from zip(repeat(evaluation), (*peers, *evaluation.models))


def read_texts(corpus: Corpus, evaluation: Evaluation) -> EvalTexts:
    """Read the texts of an EVAL of a corpus; raises InputError."""
    reader = corpus.reader
    peers = {
        system: reader.read(evaluation.id, evaluation.peers[system])
        for system in corpus.systems
        if system in evaluation.peers
    }
    models = tuple([reader.read(evaluation.id, source) for source in evaluation.models])
    return EvalTexts(evaluation, peers, models)
