"""What is scored at a time: some instances, their texts, and which text faces which.

An instance is one peer in one EVAL. Work is handed out in portions, which are small enough to be
held in memory and know how to become a block: by reading files, or from texts at hand.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from rouge_cli.formats import SENTENCE_FORMATS
from rouge_cli.layouts.evaluation import Evaluation, TextSource
from rouge_cli.scoring.files import read_source

__all__ = ["Block", "EvaluationPortion", "Portion", "evaluation_portions"]

PAIRS_AT_A_TIME = 1024


@dataclass(frozen=True, slots=True)
class Block:
    """Some instances and all that is needed to count their hits.

    Parameters
    ----------
    texts : list of bytes
        Normalised texts, peers and models; Basic Elements as in their files.
    peers, models : ndarray of int64, shape (n_pairs,)
        The texts of each pair; the pairs of an instance stand side by side, in the order of its
        models.
    starts : ndarray of int64, shape (n_instances,)
        The first pair of each instance.
    describe : callable
        From the number of a text to words that name it in a message.
    """

    texts: list[bytes]
    peers: NDArray[np.int64]
    models: NDArray[np.int64]
    starts: NDArray[np.int64]
    describe: Callable[[int], str]


class Portion(Protocol):
    """Work for one block, cheap to send to another process."""

    def block(self) -> Block:
        """Return the block, all texts read; raises InputError."""
        ...


@dataclass(frozen=True, slots=True)
class EvaluationPortion:
    """Some EVALs whose texts are still to be read.

    Parameters
    ----------
    evaluations : sequence of Evaluation
    systems : sequence of str
        The systems to score; one that is absent from an EVAL has no instance there.
    """

    evaluations: Sequence[Evaluation]
    systems: Sequence[str]

    def block(self) -> Block:
        """Read the texts, each once for every EVAL that names it; raises InputError."""
        sources: list[tuple[Evaluation, TextSource]] = []
        peers: list[int] = []
        models: list[int] = []
        starts: list[int] = []
        for evaluation in self.evaluations:
            present = [system for system in self.systems if system in evaluation.peers]
            wanted = [*evaluation.models, *(evaluation.peers[system] for system in present)]
            numbers = {source: len(sources) + k for k, source in enumerate(dict.fromkeys(wanted))}
            sources += [(evaluation, source) for source in numbers]
            model_numbers = [numbers[source] for source in evaluation.models]
            for system in present:
                starts.append(len(peers))
                peers += [numbers[evaluation.peers[system]]] * len(model_numbers)
                models += model_numbers
        return Block(
            [_read(evaluation, source) for evaluation, source in sources],
            np.array(peers, np.int64),
            np.array(models, np.int64),
            np.array(starts, np.int64),
            lambda text: f"EVAL {sources[text][0].id}: {sources[text][1].name}",
        )


def evaluation_portions(
    evaluations: Sequence[Evaluation], systems: Sequence[str]
) -> Iterator[EvaluationPortion]:
    """Cut EVALs into portions of about `PAIRS_AT_A_TIME` pairs."""
    start = n_pairs = 0
    for stop, evaluation in enumerate(evaluations, 1):
        n_pairs += len(evaluation.models) * sum(system in evaluation.peers for system in systems)
        if n_pairs >= PAIRS_AT_A_TIME:
            yield EvaluationPortion(evaluations[start:stop], systems)
            start, n_pairs = stop, 0
    if n_pairs:
        yield EvaluationPortion(evaluations[start:], systems)


def _read(evaluation: Evaluation, source: TextSource) -> bytes:
    """Return the normalised text of a source."""
    content = read_source(evaluation, source)
    normalise = SENTENCE_FORMATS.get(source.format)
    return content if normalise is None else normalise(content)
