"""Batches: texts that are scored together, and the pairs to compare.

A layout is an iterator of batches (`rouge_cli.inputs.index.Input`), and everything that scores
takes a batch. An instance is one peer in one EVAL. It has a pair for each model; the pairs of an
instance are adjacent.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rouge_cli.escapes import escaped
from rouge_cli.quick_dataclass import dataclass

BATCH_BYTES, BATCH_PAIRS = 1 << 20, 1 << 12
"""A batch ends above either. It costs a millisecond besides its pairs, which take 8 to 20 us each,
and threads should not wait long for the last one."""

PIECE_BYTES = 1 << 24
"""Bytes of peers and models counted together; bounds the arrays of EVALs with hundreds of peers."""

Places = Callable[[int, int], str]
"""Maps a group and a rank in it to the origin of the text, such as a file and line; picklable."""


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """The pairs of texts of a batch to compare.

    - `peers`, `models`: numbers of texts, shape (n_pairs,).
    - `starts`: the first pair of each instance, shape (n_instances,).
    """

    peers: NDArray[np.int64]
    models: NDArray[np.int64]
    starts: NDArray[np.int64]

    @property
    def n_models(self) -> frozenset[int]:
        """Distinct numbers of models per instance."""
        if self.starts.size == self.peers.size:
            return frozenset({1})
        return frozenset(np.diff(self.starts, append=self.peers.size).tolist())

    def models_of(self) -> list[list[int]]:
        """Return the models of each instance."""
        models = self.models.tolist()
        bounds = [*self.starts.tolist(), len(models)]
        return [models[first:last] for first, last in pairwise(bounds)]

    def with_any(self, texts: Sequence[int]) -> NDArray[np.bool_]:
        """Return which instances have one of `texts`, shape (n_instances,)."""
        if not len(texts):
            return np.zeros(self.starts.size, np.bool_)
        has_text = np.isin(self.peers, texts) | np.isin(self.models, texts)
        return np.logical_or.reduceat(has_text, self.starts)

    def pieces(self, text_bytes: NDArray[np.int64]) -> Iterator["Pairs"]:
        """Cut between instances into pieces of about `PIECE_BYTES`; `text_bytes` is by text."""
        if text_bytes.max(initial=0) * 2 * self.peers.size <= PIECE_BYTES:
            yield self
            return
        bytes_of_pair = text_bytes[self.peers] + text_bytes[self.models]
        bytes_before = np.cumsum(bytes_of_pair)[self.starts] - bytes_of_pair[self.starts]
        firsts = np.flatnonzero(np.diff(bytes_before // PIECE_BYTES, prepend=-1)).tolist()
        ends = np.append(self.starts, self.peers.size)
        for first, last in pairwise([*firsts, self.starts.size]):
            pairs = slice(int(ends[first]), int(ends[last]))
            starts = self.starts[first:last] - self.starts[first]
            yield Pairs(self.peers[pairs], self.models[pairs], starts)


class InputText(NamedTuple):
    """A text, its origin, and its name in messages."""

    content: bytes
    place: str
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Texts in groups: an EVAL, or a record of it, with its models and then its peers.

    - `texts`: normalised, or lines of Basic Elements.
    - `first_texts`, shape (n_groups + 1,): the first text of each group, and the number of texts.
    - `eval_ids`: the EVAL of each group.
    - `rows`, `systems`, shape (n_instances,): the row of the EVAL and the number of the system of
      each instance, see `rouge_cli.inputs.index.Index`.
    - `names_evals`: whether a message about a text begins with its EVAL.
    - `is_repeated`, shape (n_texts,): texts that were met before in the EVAL: nothing is said of
      them twice.
    - `has_files`: whether each text is the content of the file that its place names.
    - `parts`, shape (n_parts,): the instance of each part, if instances are scored in parts and
      have the mean of their scores, as in jackknifing: then `pairs` has parts in place of
      instances.
    - `has_keys`: whether there may be several systems, whose texts are compared by keys.
    """

    texts: list[bytes]
    first_texts: NDArray[np.int64]
    eval_ids: Sequence[str]
    pairs: Pairs
    rows: NDArray[np.int64]
    systems: NDArray[np.int64]
    places: Places
    names_evals: bool = True
    is_repeated: NDArray[np.bool_] | None = None
    has_files: bool = False
    parts: NDArray[np.int64] | None = None
    has_keys: bool = False

    def place(self, text: int) -> str:
        """Return where a text was read."""
        group = bisect_right(self.first_texts, text) - 1
        return self.places(group, text - int(self.first_texts[group]))

    def describe(self, text: int) -> str:
        """Name a text in a message."""
        place = escaped(self.place(text))
        if not self.names_evals:
            return place
        eval_id = self.eval_ids[bisect_right(self.first_texts, text) - 1]
        return f"text {escaped(eval_id)}: {place}"

    def peer_of(self, instance: int) -> InputText:
        """Return the peer of an instance."""
        return self._text(int(self.pairs.peers[self.pairs.starts[instance]]))

    def models_of(self, instance: int) -> tuple[InputText, ...]:
        """Return the models of an instance."""
        ends = [*self.pairs.starts[instance : instance + 2].tolist(), None]
        return tuple(map(self._text, self.pairs.models[ends[0] : ends[1]].tolist()))

    def _text(self, text: int) -> InputText:
        return InputText(self.texts[text], self.place(text), self.describe(text))


class BatchMaker:
    """Collects groups into batches."""

    def __init__(
        self, *, names_evals: bool = True, has_files: bool = False, has_keys: bool = False
    ) -> None:
        self.has_keys = has_keys
        self._names_evals, self._has_files = names_evals, has_files
        self._begin()

    def _begin(self) -> None:
        self.eval_ids: list[str] = []
        self._texts: list[bytes] = []
        self._n_models: list[int] = []
        self._n_peers: list[int] = []
        self._rows: list[int] = []
        self._systems: list[int] = []
        self._repeated: list[int] = []
        self._n_bytes = self._n_pairs = 0

    def __len__(self) -> int:
        return len(self.eval_ids)

    @property
    def is_full(self) -> bool:
        """Whether the batch is full."""
        return self._n_bytes >= BATCH_BYTES or self._n_pairs >= BATCH_PAIRS

    def add(  # noqa: PLR0913
        self,
        row: int,
        eval_id: str,
        models: Sequence[bytes],
        systems: Sequence[int],
        peers: Sequence[bytes],
        *,
        repeated: Iterable[int] = (),
    ) -> None:
        """Add an EVAL, or a part of it: its models, and the numbers and peers of systems.

        `repeated` are the ranks of repeated texts.
        """
        self._repeated += (len(self._texts) + rank for rank in repeated)
        self.eval_ids.append(eval_id)
        self._texts += models
        self._texts += peers
        self._n_models.append(len(models))
        self._n_peers.append(len(peers))
        self._rows.append(row)
        self._systems += systems
        self._n_pairs += len(models) * len(peers)
        self._n_bytes += sum(map(len, models)) + sum(map(len, peers))

    def add_many(
        self,
        first_row: int,
        eval_ids: Sequence[str],
        models: Sequence[Sequence[bytes]],
        peers: Sequence[Sequence[bytes]],
    ) -> None:
        """Add new EVALs: a column of texts for each model, and one for each of all systems."""
        n_evals, n_models, n_peers = len(eval_ids), len(models), len(peers)
        columns = (*models, *peers)
        in_order: list[bytes] = [b""] * (n_evals * len(columns))
        for rank, column in enumerate(columns):
            in_order[rank :: len(columns)] = column
        self.eval_ids += eval_ids
        self._texts += in_order
        self._n_models += [n_models] * n_evals
        self._n_peers += [n_peers] * n_evals
        self._rows += range(first_row, first_row + n_evals)
        self._systems += [*range(n_peers)] * n_evals
        self._n_pairs += n_evals * n_models * n_peers
        self._n_bytes += sum(map(len, in_order))

    def take(self, places: Places) -> Batch:
        """Return a batch of the groups, at least one, and begin the next."""
        n_models, n_peers = np.array([self._n_models, self._n_peers], np.int64)
        first_texts = ends_of(n_models + n_peers)
        is_repeated = None
        if self._repeated:
            is_repeated = np.zeros(len(self._texts), np.bool_)
            is_repeated[self._repeated] = True
        batch = Batch(
            self._texts,
            first_texts,
            self.eval_ids,
            pairs_of(first_texts[:-1], n_models, n_peers),
            np.repeat(np.array(self._rows, np.int64), n_peers),
            np.array(self._systems, np.int64),
            places,
            self._names_evals,
            is_repeated,
            self._has_files,
            has_keys=self.has_keys,
        )
        self._begin()
        return batch


def pairs_of(
    first_texts: NDArray[np.int64], n_models: NDArray[np.int64], n_peers: NDArray[np.int64]
) -> Pairs:
    """Pair the peers of each group with its models, which come before them; (n_groups,) each."""
    n_pairs = np.repeat(n_models, n_peers)
    return Pairs(
        np.repeat(ranges(first_texts + n_models, n_peers), n_pairs),
        ranges(np.repeat(first_texts, n_peers), n_pairs),
        ends_of(n_pairs)[:-1],
    )


def ends_of(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the cumulative sums of `counts`, from 0 to the total."""
    ends = np.zeros(counts.size + 1, np.int64)
    np.cumsum(counts, out=ends[1:])
    return ends


def ranges(starts: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return `counts[i]` consecutive numbers from each `starts[i]`, side by side."""
    shifts = starts - (np.cumsum(counts) - counts)
    numbers: NDArray[np.int64] = np.arange(int(counts.sum())) + np.repeat(shifts, counts)
    return numbers
