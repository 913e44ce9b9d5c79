"""EVALs whose texts are files, read when their turn comes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from rouge_cli.escapes import escaped
from rouge_cli.inputs.blocks import BLOCK_BYTES, Block, Pairs
from rouge_cli.inputs.evaluation import Evaluation, TextSource
from rouge_cli.inputs.text_reader import TextReader

__all__ = ["EvaluationPortion", "evaluation_portions"]

PORTION_PAIRS = 1 << 13


@dataclass(slots=True, eq=False)
class _Draft:
    """A block in the making.

    Parameters
    ----------
    sources : list of tuple of Evaluation and TextSource
        Where each text comes from.
    texts : list of bytes
    peers, models, starts : list of int
        As in `Pairs`.
    n_bytes : int
        Bytes of all texts.
    """

    sources: list[tuple[Evaluation, TextSource]] = field(default_factory=list)
    texts: list[bytes] = field(default_factory=list)
    peers: list[int] = field(default_factory=list)
    models: list[int] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    n_bytes: int = 0

    def add_text(self, evaluation: Evaluation, source: TextSource, text: bytes) -> int:
        """Add a text, and return its number."""
        self.sources.append((evaluation, source))
        self.texts.append(text)
        self.n_bytes += len(text)
        return len(self.texts) - 1

    def add_instance(self, peer: int, models: Sequence[int]) -> None:
        """Add the pairs of an instance."""
        self.starts.append(len(self.peers))
        self.peers += [peer] * len(models)
        self.models += models

    def block(self) -> Block:
        """Return the block."""
        pairs = (np.array(numbers, np.int64) for numbers in (self.peers, self.models, self.starts))
        return Block(self.texts, Pairs(*pairs), self._describe)

    def _describe(self, text: int) -> str:
        """Name a text."""
        evaluation, source = self.sources[text]
        return f"EVAL {escaped(evaluation.id)}: {escaped(source.place)}"


@dataclass(frozen=True, slots=True, eq=False)
class EvaluationPortion:
    """Some EVALs whose texts are still to be read.

    Parameters
    ----------
    evaluations : sequence of Evaluation
    systems : sequence of str
        The systems to score; one that is absent from an EVAL has no instance there.
    reader : TextReader
    """

    evaluations: Sequence[Evaluation]
    systems: Sequence[str]
    reader: TextReader

    def blocks(self) -> Iterator[Block]:
        """Read EVAL after EVAL, each text once for every EVAL that names it; raises InputError."""
        draft = _Draft()
        for evaluation in self.evaluations:
            peers = [evaluation.peers[one] for one in self.systems if one in evaluation.peers]
            if peers:
                self._add(draft, evaluation, peers)
            if draft.n_bytes >= BLOCK_BYTES:
                yield draft.block()
                draft = _Draft()
        if draft.starts:
            yield draft.block()

    def _add(self, draft: _Draft, evaluation: Evaluation, peers: Sequence[TextSource]) -> None:
        """Read the texts of an EVAL into a draft."""
        sources = [*evaluation.models, *peers]
        # A text at hand is known by itself: many may come from one file.
        keys = [
            (source.name, source.format) if source.content is None else id(source)
            for source in sources
        ]
        numbers: dict[tuple[str, str] | int, int] = {}
        for key, source in zip(keys, sources, strict=True):
            if key not in numbers:
                text = self.reader.read(evaluation, source)
                numbers[key] = draft.add_text(evaluation, source, text)
        places = [numbers[key] for key in keys]
        models = places[: len(evaluation.models)]
        for peer in places[len(models) :]:
            draft.add_instance(peer, models)


def evaluation_portions(
    evaluations: Sequence[Evaluation], systems: Sequence[str], reader: TextReader
) -> Iterator[EvaluationPortion]:
    """Cut EVALs into portions of about `PORTION_PAIRS` pairs."""
    start = n_pairs = 0
    for stop, evaluation in enumerate(evaluations, 1):
        n_pairs += len(evaluation.models) * sum(system in evaluation.peers for system in systems)
        if n_pairs >= PORTION_PAIRS:
            yield EvaluationPortion(evaluations[start:stop], systems, reader)
            start, n_pairs = stop, 0
    if n_pairs:
        yield EvaluationPortion(evaluations[start:], systems, reader)
