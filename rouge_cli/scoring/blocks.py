"""What is scored at a time: some instances, their texts, and which text faces which.

An instance is one peer in one EVAL. Work is handed out in portions, which are small enough to be
held in memory and know how to become a block: by reading files, or from texts at hand.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count, pairwise
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from rouge_cli.formats import ELEMENTS_FORMAT, SENTENCE_FORMATS
from rouge_cli.layouts.evaluation import Evaluation, TextSource
from rouge_cli.scoring.files import read_source

__all__ = ["Block", "EvaluationPortion", "Portion", "evaluation_portions"]

PAIRS_AT_A_TIME = 1024
BYTES_AT_A_TIME = 1 << 20
"""Bytes of peers and models, pair by pair, that are counted at a time: they fit in the cache."""


@dataclass(frozen=True, slots=True, eq=False)
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

    def pieces(self) -> Iterator["Block"]:
        """Cut the block between instances into blocks of about `BYTES_AT_A_TIME`."""
        sizes = np.fromiter(map(len, self.texts), np.int64, len(self.texts))
        bytes_before = np.concatenate(([0], np.cumsum(sizes[self.peers] + sizes[self.models])))
        piece_of_instance = bytes_before[self.starts] // BYTES_AT_A_TIME
        first_instances = np.flatnonzero(np.diff(piece_of_instance, prepend=-1)).tolist()
        if len(first_instances) == 1:
            yield self
            return
        for first, last in pairwise([*first_instances, self.starts.size]):
            yield self._piece(first, last)

    def _piece(self, first: int, last: int) -> "Block":
        """Return the instances ``first:last`` with their texts."""
        ends = np.append(self.starts, self.peers.size)
        pairs = slice(int(ends[first]), int(ends[last]))
        peers, models = self.peers[pairs], self.models[pairs]
        texts, numbers = np.unique(np.concatenate((peers, models)), return_inverse=True)
        return Block(
            [self.texts[text] for text in texts.tolist()],
            numbers[: peers.size],
            numbers[peers.size :],
            self.starts[first:last] - self.starts[first],
            lambda text: self.describe(int(texts[text])),
        )


class Portion(Protocol):
    """Work for a block, cheap to send to another process."""

    def block(self) -> Block:
        """Return the block, all texts read; raises InputError."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class EvaluationPortion:
    """Some EVALs whose texts are still to be read.

    Parameters
    ----------
    evaluations : sequence of Evaluation
    systems : sequence of str
        The systems to score; one that is absent from an EVAL has no instance there.
    as_elements : bool
        Whether only Basic Elements are wanted of the texts; only SIMPLE has them.
    """

    evaluations: Sequence[Evaluation]
    systems: Sequence[str]
    as_elements: bool

    def block(self) -> Block:
        """Read the texts, each once for every EVAL that names it; raises InputError."""
        sources: list[tuple[Evaluation, TextSource]] = []
        peers: list[int] = []
        models: list[int] = []
        starts: list[int] = []
        for evaluation in self.evaluations:
            wanted = list(evaluation.models)
            wanted += [evaluation.peers[one] for one in self.systems if one in evaluation.peers]
            distinct = {(source.name, source.format): source for source in wanted}
            numbers = dict(zip(distinct, count(len(sources)), strict=False))
            sources += [(evaluation, source) for source in distinct.values()]
            wanted_numbers = [numbers[source.name, source.format] for source in wanted]
            model_numbers = wanted_numbers[: len(evaluation.models)]
            for peer_number in wanted_numbers[len(evaluation.models) :]:
                starts.append(len(peers))
                peers += [peer_number] * len(model_numbers)
                models += model_numbers
        return Block(
            [self._read(evaluation, source) for evaluation, source in sources],
            np.array(peers, np.int64),
            np.array(models, np.int64),
            np.array(starts, np.int64),
            lambda text: f"EVAL {sources[text][0].id}: {sources[text][1].name}",
        )

    def _read(self, evaluation: Evaluation, source: TextSource) -> bytes:
        """Return the normalised text of a source, or its lines of Basic Elements."""
        content = read_source(evaluation, source)
        if self.as_elements:
            return content if source.format == ELEMENTS_FORMAT else b""
        return SENTENCE_FORMATS[source.format](content)


def evaluation_portions(
    evaluations: Sequence[Evaluation], systems: Sequence[str], *, as_elements: bool
) -> Iterator[EvaluationPortion]:
    """Cut EVALs into portions of about `PAIRS_AT_A_TIME` pairs."""
    start = n_pairs = 0
    for stop, evaluation in enumerate(evaluations, 1):
        n_pairs += len(evaluation.models) * sum(system in evaluation.peers for system in systems)
        if n_pairs >= PAIRS_AT_A_TIME:
            yield EvaluationPortion(evaluations[start:stop], systems, as_elements)
            start, n_pairs = stop, 0
    if n_pairs:
        yield EvaluationPortion(evaluations[start:], systems, as_elements)
