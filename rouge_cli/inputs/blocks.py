"""What is read and counted at a time: some texts, and which of them faces which.

An instance is one peer in one EVAL; its pairs, one for each model, stand side by side. Work is
handed out in portions, which turn into blocks; a block's texts are read into columns together, and
its pairs are counted in pieces that fit in the processor's cache.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from rouge_cli.inputs.sentence_warnings import Tally
from rouge_cli.quick_dataclass import dataclass

__all__ = [
    "BLOCK_BYTES",
    "LONG_TEXT_SHIFT",
    "PORTION_PAIRS",
    "Block",
    "Pairs",
    "Portion",
    "cut_by_weight",
    "drafted_blocks",
    "pair_weight",
]

Item_contra = TypeVar("Item_contra", contravariant=True)
Eval = TypeVar("Eval")

BLOCK_BYTES = 3 << 20
"""Bytes of text that are read into columns together, if a single instance has not more."""

LONG_TEXT_SHIFT, SHORT_TEXT_SHIFT = 12, 8
"""Logarithms of the bytes from which on a text is long, and of those of a short summary."""

PORTION_PAIRS = 1 << 13
"""Pairs of short texts that make work for one process."""

PIECE_BYTES = 1 << 21
"""Bytes of peers and models, pair by pair, that are counted together."""


def pair_weight(n_bytes: int) -> int:
    """Return for how many pairs of short texts a pair counts, by the bytes of its model.

    The LCS takes time by the square of the length, so that a few very long pairs are work for
    several processes.
    """
    return max(1, (n_bytes >> SHORT_TEXT_SHIFT) * (1 + (n_bytes >> LONG_TEXT_SHIFT)))


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Which texts of a block are measured against which.

    Parameters
    ----------
    peers, models : ndarray of int64, shape (n_pairs,)
        The texts of each pair; the pairs of an instance stand side by side, in the order of its
        models.
    starts : ndarray of int64, shape (n_instances,)
        The first pair of each instance.
    """

    peers: NDArray[np.int64]
    models: NDArray[np.int64]
    starts: NDArray[np.int64]

    @property
    def n_models(self) -> frozenset[int]:
        """All numbers of models that instances have; none has no model."""
        if self.starts.size == self.peers.size:
            return frozenset({1})
        return frozenset(np.diff(self.starts, append=self.peers.size).tolist())

    def with_any(self, texts: Sequence[int]) -> NDArray[np.bool_]:
        """Return which instances have one of the given texts, shape (n_instances,)."""
        if not texts:
            return np.zeros(self.starts.size, np.bool_)
        is_there = np.isin(self.peers, texts) | np.isin(self.models, texts)
        return np.logical_or.reduceat(is_there, self.starts)

    def pieces(self, text_bytes: NDArray[np.int64]) -> Iterator["Pairs"]:
        """Cut between instances into pieces of about `PIECE_BYTES`; `text_bytes` is by text."""
        bytes_of_pair = text_bytes[self.peers] + text_bytes[self.models]
        bytes_before = np.cumsum(bytes_of_pair)[self.starts] - bytes_of_pair[self.starts]
        piece_of_instance = bytes_before // PIECE_BYTES
        first_instances = np.flatnonzero(np.diff(piece_of_instance, prepend=-1)).tolist()
        ends = np.append(self.starts, self.peers.size)
        for first, last in pairwise([*first_instances, self.starts.size]):
            pairs = slice(int(ends[first]), int(ends[last]))
            starts = self.starts[first:last] - self.starts[first]
            yield Pairs(self.peers[pairs], self.models[pairs], starts)


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Some texts, and the pairs among them.

    Parameters
    ----------
    texts : sequence of bytes
        Normalised texts, peers and models; Basic Elements as in their files.
    pairs : Pairs
        At least one.
    describe : callable
        From the number of a text to words that name it in a message.
    tallies : tuple of Tally
        Texts without separator, counted file by file; for these texts or, in the first block of
        a portion, for all of the portion.
    content : callable or None
        From the number of a text to the bytes of its file, where each text has a file.
    """

    texts: Sequence[bytes]
    pairs: Pairs
    describe: Callable[[int], str]
    tallies: tuple[Tally, ...] = ()
    content: Callable[[int], bytes] | None = None


class Portion(Protocol):
    """Work for some blocks, cheap to send to another process."""

    def blocks(self) -> Iterator[Block]:
        """Yield the blocks; raises InputError."""
        ...


class Draft(Protocol[Item_contra]):
    """A block in the making."""

    @property
    def texts(self) -> Sequence[bytes]:
        """What is in it so far."""
        ...

    @property
    def n_bytes(self) -> int:
        """Bytes of all texts."""
        ...

    def add(self, item: Item_contra, /) -> None:
        """Add the texts of an EVAL, if there is a peer among them; raises InputError."""
        ...

    def block(self) -> Block:
        """Return the block."""
        ...


def drafted_blocks(items: Iterable[Eval], new_draft: Callable[[], Draft[Eval]]) -> Iterator[Block]:
    """Yield the texts of EVALs, one EVAL after the other, in blocks of about `BLOCK_BYTES`."""
    draft = new_draft()
    for item in items:
        draft.add(item)
        if draft.n_bytes >= BLOCK_BYTES:
            yield draft.block()
            draft = new_draft()
    if draft.texts:
        yield draft.block()


def cut_by_weight(items: Sequence[Eval], weights: Iterable[int]) -> Iterator[Sequence[Eval]]:
    """Cut EVALs into runs that weigh about `PORTION_PAIRS`; a last run that weighs nothing is none.

    Parameters
    ----------
    weights : iterable of int
        Of each EVAL: how many pairs of short texts its own count for.
    """
    start = total = 0
    for stop, weight in enumerate(weights, 1):
        total += weight
        if total >= PORTION_PAIRS:
            yield items[start:stop]
            start, total = stop, 0
    if total:
        yield items[start:]
