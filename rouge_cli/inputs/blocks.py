"""What is read and counted at a time: texts, and pairs of them.

An instance is one peer in one EVAL. It has a pair for each model; the pairs of an instance stand
side by side. A corpus is cut into portions, the work of a process at a time. A portion turns into
blocks, whose texts are tokenised together. The pairs of a block are counted in pieces, which bound
the arrays where an EVAL has hundreds of peers.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import InputError
from rouge_cli.inputs.sentences import Tally, merged
from rouge_cli.inputs.texts import Reading, Texts, UnreadableTextError, taken
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.text.columns import HeldTexts, JoinedTexts

BLOCK_BYTES = 3 << 20
"""Bytes of text that are tokenised together, unless a single EVAL has more."""

LONG_TEXT_SHIFT, SHORT_TEXT_SHIFT = 12, 8
"""Logarithms of the bytes of the shortest long text, and of a short summary."""

PORTION_PAIRS = 1 << 13
"""Pairs of short texts that make work for one process, or thread, at most."""

LEAST_PAIRS = 1 << 10
"""The fewest that make work for a thread: a block costs its arrays, however small it is."""

PIECE_BYTES = 1 << 24
"""Bytes of peers and models, pair by pair, that are counted together."""


def text_lengths(texts: Sequence[bytes]) -> NDArray[np.int64]:
    """Return the bytes of each text, shape (n_texts,)."""
    return np.fromiter(map(len, texts), np.int64, len(texts))


def pair_weights(n_bytes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return how many pairs of short texts each pair weighs, from the bytes of its model.

    The LCS takes time by the square of the length, so a few very long pairs are work for several
    processes.
    """
    return np.maximum(1, (n_bytes >> SHORT_TEXT_SHIFT) * (1 + (n_bytes >> LONG_TEXT_SHIFT)))


def portion_bounds(weights: NDArray[np.int64], n_wanted: int) -> list[int]:
    """Return where portions begin, and behind them the number of EVALs.

    `weights` has shape (n_evals,): the summed `pair_weights` of each EVAL, at least 1. A portion
    has about `PORTION_PAIRS`, or fewer to make `n_wanted` portions, but about `LEAST_PAIRS`.

    Where there are many portions, the last ones get smaller: a thread that is the last to end has
    little left to do by itself. Of 100,000 pairs this saves some 3%.
    """
    ends = np.cumsum(weights)
    total = int(ends[-1])
    gets_smaller = 1 < n_wanted < total / PORTION_PAIRS
    bounds, n_before = [0], 0
    while n_before < total:
        n_divided = total - n_before if gets_smaller else total
        size = min(PORTION_PAIRS, max(LEAST_PAIRS, -(-n_divided // n_wanted)))
        # An EVAL that begins in the portion belongs to it.
        bounds.append(int(np.searchsorted(ends, n_before + size)) + 1)
        n_before = int(ends[bounds[-1] - 1]) if bounds[-1] < weights.size else total
    return [*bounds[:-1], weights.size]


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Which texts of a block are measured against which.

    `peers` and `models` have shape (n_pairs,), the models of an instance in their order. `starts`
    has shape (n_instances,): the first pair of each instance.
    """

    peers: NDArray[np.int64]
    models: NDArray[np.int64]
    starts: NDArray[np.int64]

    @property
    def n_models(self) -> frozenset[int]:
        """The numbers of models of instances, each at least 1."""
        if self.starts.size == self.peers.size:
            return frozenset({1})
        return frozenset(np.diff(self.starts, append=self.peers.size).tolist())

    def with_any(self, texts: Sequence[int]) -> NDArray[np.bool_]:
        """Return which instances have any of `texts`, shape (n_instances,)."""
        if not texts:
            return np.zeros(self.starts.size, np.bool_)
        has_text = np.isin(self.peers, texts) | np.isin(self.models, texts)
        return np.logical_or.reduceat(has_text, self.starts)

    def pieces(self, text_bytes: NDArray[np.int64]) -> Iterator["Pairs"]:
        """Cut between instances into pieces of about `PIECE_BYTES`; `text_bytes` is by text."""
        if self._bytes_at_most(text_bytes) <= PIECE_BYTES:
            yield self
            return
        bytes_of_pair = text_bytes[self.peers] + text_bytes[self.models]
        bytes_before = np.cumsum(bytes_of_pair)[self.starts] - bytes_of_pair[self.starts]
        piece_of_instance = bytes_before // PIECE_BYTES
        first_instances = np.flatnonzero(np.diff(piece_of_instance, prepend=-1)).tolist()
        ends = np.append(self.starts, self.peers.size)
        for first, last in pairwise([*first_instances, self.starts.size]):
            pairs = slice(int(ends[first]), int(ends[last]))
            starts = self.starts[first:last] - self.starts[first]
            yield Pairs(self.peers[pairs], self.models[pairs], starts)

    def _bytes_at_most(self, text_bytes: NDArray[np.int64]) -> int:
        """Return how many bytes all pairs have at the most, which is soon found out."""
        if 2 * self.peers.size <= text_bytes.size:
            # Each text is in one pair.
            return int(text_bytes.sum())
        return int(text_bytes.max(initial=0)) * 2 * self.peers.size

    def cut(self, instances: slice, first_text: int) -> "Pairs":
        """Return the pairs of adjacent instances, whose texts are numbered from `first_text`."""
        ends = np.append(self.starts, self.peers.size)
        first, last = int(ends[instances.start]), int(ends[instances.stop])
        pairs = slice(first, last)
        starts = self.starts[instances] - first
        return Pairs(self.peers[pairs] - first_text, self.models[pairs] - first_text, starts)


NO_PAIRS = Pairs(*np.zeros((3, 0), np.int64))


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Some texts, and the pairs among them, at least one.

    `texts` are normalised, peers and models; Basic Elements are as in their files. `text_bytes`, of
    shape (n_texts,), is how many bytes each of them has. `describe` takes the number of a text to
    words that name it in a message. `tallies` count texts without separator, file by file, for
    these texts or for all that were read with them. `content` takes the number of a text to the
    bytes of its file, where each text has a file. `keys`, of shape (n_texts,), are those of the
    portion; None without them. `first_texts`, of shape (n_evals + 1,), are as in `Portion`; None
    where texts are sorted. `order`, of shape (n_texts,), is the order of the keys; None where the
    texts are in it.
    """

    texts: Sequence[bytes]
    text_bytes: NDArray[np.int64]
    pairs: Pairs
    describe: Callable[[int], str]
    tallies: tuple[Tally, ...] = ()
    content: Callable[[int], bytes] | None = None
    keys: NDArray[np.int64] | None = None
    first_texts: NDArray[np.int64] | None = None
    order: NDArray[np.int64] | None = None

    def in_order(self) -> "Block":
        """Return its texts, without their pairs, in the order in which messages speak of them.

        To read and count them in this order would take longer: the texts of an EVAL stand apart.
        """
        order, content = self.order, self.content
        if order is None:
            return self
        return Block(
            self.taken(order),
            self.text_bytes[order],
            NO_PAIRS,
            lambda text: self.describe(int(order[text])),
            self.tallies,
            None if content is None else lambda text: content(int(order[text])),
            None if self.keys is None else self.keys[order],
        )

    def taken(self, numbers: NDArray[np.int64]) -> Sequence[bytes]:
        """Return the texts with these numbers."""
        texts = self.texts
        if isinstance(texts, JoinedTexts):
            return texts.taken(numbers)
        return taken(texts, numbers.tolist())


@dataclass(frozen=True, slots=True, eq=False)
class Portion:
    """Some EVALs of a corpus, cheap to send to another process.

    Its texts are numbered EVAL by EVAL, the models and then the peers of each. A text that stands
    in two EVALs has two numbers; a text that stands in an EVAL twice has one.

    `first_texts` and `first_instances` have shape (n_evals + 1,): the first of each EVAL, and
    behind them how many there are. `pairs` go EVAL by EVAL. By `keys`, shape (n_texts,),
    messages about the texts of a block are sorted; None leaves them EVAL by EVAL.
    """

    eval_ids: Sequence[str]
    first_texts: NDArray[np.int64]
    first_instances: NDArray[np.int64]
    pairs: Pairs
    texts: Texts
    keys: NDArray[np.int64] | None = None

    def blocks(self) -> Iterator[Block]:
        """Read EVAL after EVAL, in blocks of about `BLOCK_BYTES`; raises InputError."""
        readings = self.texts.read_blocks(self.first_texts, BLOCK_BYTES)
        return self._blocks() if readings is None else self._read_blocks(readings)

    def _read_blocks(self, readings: Iterator[Reading]) -> Iterator[Block]:
        """Make a block of each reading."""
        first = n_read = 0
        for reading in readings:
            n_read += len(reading.texts)
            last = int(np.searchsorted(self.first_texts, n_read))
            yield self._block(first, last, reading)
            first = last

    def _blocks(self) -> Iterator[Block]:
        """Make blocks of texts that are read EVAL by EVAL."""
        texts: Sequence[bytes] = []
        text_bytes = np.zeros(0, np.int64)
        tallies: tuple[Tally, ...] = ()
        first = 0
        for reading in self._readings():
            lengths = reading.lengths
            if lengths is None:
                # Looked up once and handed on: texts are in no cache by now.
                lengths = text_lengths(reading.texts)
            if isinstance(texts, list) and not isinstance(reading.texts, HeldTexts):
                texts += reading.texts
            else:
                # These come all at once.
                texts = reading.texts
            text_bytes = np.concatenate((text_bytes, lengths))
            tallies += reading.tallies
            while text_bytes.sum() >= BLOCK_BYTES and (
                last := self._end_of_block(first, text_bytes)
            ):
                n_texts = int(self.first_texts[last] - self.first_texts[first])
                block = Reading(texts[:n_texts], tallies, text_bytes[:n_texts])
                yield self._block(first, last, block)
                texts, text_bytes = texts[n_texts:], text_bytes[n_texts:]
                tallies, first = (), last
        if texts:
            yield self._block(first, len(self.eval_ids), Reading(texts, tallies, text_bytes))

    def _readings(self) -> Iterator[Reading]:
        """Read all texts, a few at a time; raises InputError."""
        try:
            yield from self.texts.read(range(len(self.texts)))
        except UnreadableTextError as error:
            raise InputError(f"{self.describe(error.number)}: {error}") from None

    def _end_of_block(self, first: int, text_bytes: NDArray[np.int64]) -> int | None:
        """Return the EVAL before which a block ends; None if its texts are not all read."""
        ends = self.first_texts[first + 1 :] - self.first_texts[first]
        whole = ends[ends <= text_bytes.size]
        n_bytes = np.cumsum(text_bytes)[whole - 1]
        n_evals = int(np.searchsorted(n_bytes, BLOCK_BYTES)) + 1
        return first + n_evals if n_evals <= whole.size else None

    def _block(self, first: int, last: int, reading: Reading) -> Block:
        """Return the EVALs ``first:last`` as a block."""
        texts, tallies, text_bytes, order = reading
        if text_bytes is None:
            text_bytes = text_lengths(texts)
        start = int(self.first_texts[first])
        pairs = self.pairs
        if last - first < len(self.eval_ids):
            instances = slice(int(self.first_instances[first]), int(self.first_instances[last]))
            pairs = pairs.cut(instances, start)
        first_texts = self.first_texts[first : last + 1] - start
        keys = None if self.keys is None else self.keys[start : start + len(texts)]
        if keys is None:
            order = None
        elif order is None and (keys[1:] < keys[:-1]).any():
            order = np.argsort(keys, kind="stable")

        def describe(text: int) -> str:
            return self.describe(start + text)

        def content(text: int) -> bytes:
            return self.texts.content(start + text)

        # Only the input itself has each text once, as a tally counts them.
        tallies = merged(tallies) if self.keys is not None else ()
        has_files = self.texts.as_files() is not None
        of_file = content if has_files else None
        more = tallies, of_file, keys, first_texts, order
        return Block(texts, text_bytes, pairs, describe, *more)

    def describe(self, text: int) -> str:
        """Name a text in a message."""
        eval_id = self.eval_ids[bisect_right(self.first_texts, text) - 1]
        return self.texts.describe(text, eval_id)
