"""Batches: texts that are scored together, and the pairs to compare.

A layout yields batches (`rouge_cli.inputs.index.Input`), and everything that scores takes batches.
An instance is one peer in one EVAL. It has one pair for each model, and its pairs are adjacent. In
messages and reports an EVAL is a text, a peer a prediction, and a model a reference.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rouge_cli.escapes import escaped
from rouge_cli.quick_dataclass import dataclass

BATCH_BYTES, BATCH_PAIRS = 1 << 20, 1 << 12
"""A batch is full when it reaches either limit. Its fixed cost of a tenth of a millisecond is that
of 40 pairs, so larger batches gain little, and threads would wait longer for the last one."""

PIECE_BYTES = 1 << 24
"""Bytes of texts counted together; bounds the size of arrays if EVALs have hundreds of peers."""

Places = Callable[[int, int], str]
"""Maps a group, and the position of a text in it, to the text's origin, such as a file and line.

Must be picklable. Places are functions because they are needed only for messages; making a string
for every text would cost time and memory."""


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """The pairs of texts to compare in a batch.

    - `peers`, `models`: numbers of texts, shape (n_pairs,).
    - `starts`: the first pair of each instance, shape (n_instances,).
    """

    peers: NDArray[np.int64]
    models: NDArray[np.int64]
    starts: NDArray[np.int64]

    @property
    def n_models(self) -> frozenset[int]:
        """The distinct numbers of models that instances have."""
        # With a pair per instance, which is the usual case, there is nothing to compute.
        if self.starts.size == self.peers.size:
            return frozenset({1})
        return frozenset(np.diff(self.starts, append=self.peers.size).tolist())

    def models_of(self) -> list[list[int]]:
        """Return the models of each instance."""
        models = self.models.tolist()
        bounds = [*self.starts.tolist(), len(models)]
        return [models[first:last] for first, last in pairwise(bounds)]

    def with_any(self, texts: Sequence[int]) -> NDArray[np.bool_]:
        """Return a mask of the instances that contain any of `texts`, shape (n_instances,)."""
        if not len(texts):
            return np.zeros(self.starts.size, np.bool_)
        has_text = np.isin(self.peers, texts) | np.isin(self.models, texts)
        return np.logical_or.reduceat(has_text, self.starts)

    def pieces(self, text_bytes: NDArray[np.int64]) -> Iterator["Pairs"]:
        """Split the pairs, between instances, into pieces of about `PIECE_BYTES`.

        `text_bytes`, shape (n_texts,), are the sizes of the texts.
        """
        # An upper bound settles the usual batch without looking up the size of each text.
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
    """Texts in groups. A group is an EVAL, or one record of it: its models, then its peers.

    - `texts`: normalised texts, or files of Basic Elements.
    - `first_texts`, shape (n_groups + 1,): the first text of each group, and the number of texts.
    - `eval_ids`: the EVAL of each group.
    - `rows`, `systems`, shape (n_instances,): for each instance, the row of its EVAL and the number
      of its system; see `rouge_cli.inputs.index.Index`.
    - `names_evals`: whether a message about a text begins with its EVAL.
    - `is_repeated`, shape (n_texts,): whether a text occurred before in its EVAL, so that warnings
      about it are not repeated.
    - `has_files`: whether each text is the content of the file named by its place.
    - `parts`, shape (n_parts,): the instance of each part, if instances are scored in parts whose
      scores are averaged, as in jackknifing. `pairs` then has parts instead of instances.
    - `has_keys`: whether there may be several systems, so that equal texts have to be found.
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
        """Return the origin of a text."""
        group = bisect_right(self.first_texts, text) - 1
        return self.places(group, text - int(self.first_texts[group]))

    def describe(self, text: int) -> str:
        """Return the name of a text in messages."""
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


def is_full(n_bytes: int, n_pairs: int) -> bool:
    """Return whether a batch of this size should not grow any further."""
    return n_bytes >= BATCH_BYTES or n_pairs >= BATCH_PAIRS


class BatchMaker:
    """Collects groups until they fill a batch."""

    def __init__(
        self, *, names_evals: bool = True, has_files: bool = False, has_keys: bool = False
    ) -> None:
        self.has_keys = has_keys
        self._names_evals, self._has_files = names_evals, has_files
        self._begin()

    def _begin(self) -> None:
        self._texts: list[bytes] = []
        # By group. Why not a list of tuples? Columns of a million EVALs are extended much faster.
        self._eval_ids: list[str] = []
        self._rows: list[int] = []
        self._n_models: list[int] = []
        self._n_peers: list[int] = []
        self._systems: list[int] = []
        self._repeated: list[int] = []
        self._place_lists: list[Sequence[str]] = []
        self._n_bytes = self._n_pairs = 0

    def __len__(self) -> int:
        return len(self._eval_ids)

    @property
    def is_full(self) -> bool:
        """Whether the groups so far should be taken as a batch."""
        return is_full(self._n_bytes, self._n_pairs)

    def add(  # noqa: PLR0913
        self,
        row: int,
        eval_id: str,
        models: Sequence[bytes],
        systems: Sequence[int],
        peers: Sequence[bytes],
        *,
        repeated: Iterable[int] = (),
        places: Sequence[str] = (),
    ) -> None:
        """Add a group: the models of the EVAL in `row`, the numbers of systems, and their peers.

        `repeated` are positions in the group of texts that occurred before in the EVAL. `places`
        are the origins of the texts, unless `take` gets a function that returns them.
        """
        self._repeated += (len(self._texts) + rank for rank in repeated)
        self._place_lists.append(places)
        self._eval_ids.append(eval_id)
        self._rows.append(row)
        self._n_models.append(len(models))
        self._n_peers.append(len(peers))
        self._texts += models
        self._texts += peers
        self._systems += systems
        self._n_pairs += len(models) * len(peers)
        self._n_bytes += sum(map(len, models)) + sum(map(len, peers))

    def add_many(
        self,
        first_row: int,
        eval_ids: Sequence[str],
        models: Sequence[Sequence[bytes]],
        systems: Sequence[int],
        peers: Sequence[Sequence[bytes]],
    ) -> None:
        """Add an EVAL per row from `first_row` on.

        `models` has a column of texts for each model; `peers` one for each of the `systems`.
        """
        n_evals, n_models, n_peers = len(eval_ids), len(models), len(peers)
        in_order = interleaved([*models, *peers])
        self._eval_ids += eval_ids
        self._rows += range(first_row, first_row + n_evals)
        self._n_models += [n_models] * n_evals
        self._n_peers += [n_peers] * n_evals
        self._texts += in_order
        self._systems += [*systems] * n_evals
        self._n_pairs += n_evals * n_models * n_peers
        self._n_bytes += sum(map(len, in_order))

    def take(self, places: Places | None = None) -> Batch:
        """Return the groups, of which there must be at least one, as a batch; begin the next."""
        rows, n_models, n_peers = np.array([self._rows, self._n_models, self._n_peers], np.int64)
        first_texts = ends_of(n_models + n_peers)
        is_repeated = None
        if self._repeated:
            is_repeated = np.zeros(len(self._texts), np.bool_)
            is_repeated[self._repeated] = True
        batch = Batch(
            self._texts,
            first_texts,
            self._eval_ids,
            pairs_of(first_texts[:-1], n_models, n_peers),
            np.repeat(rows, n_peers),
            np.array(self._systems, np.int64),
            places or partial(_listed_place, self._place_lists),
            self._names_evals,
            is_repeated,
            self._has_files,
            has_keys=self.has_keys,
        )
        self._begin()
        return batch


def _listed_place(places: Sequence[Sequence[str]], group: int, rank: int) -> str:
    return places[group][rank]


def interleaved(columns: Sequence[Sequence[bytes]]) -> list[bytes]:
    """Return the first text of each column, then the second ones, and so on."""
    texts = [b""] * (len(columns) * len(columns[0]))
    for rank, column in enumerate(columns):
        texts[rank :: len(columns)] = column
    return texts


def pairs_of(
    first_texts: NDArray[np.int64], n_models: NDArray[np.int64], n_peers: NDArray[np.int64]
) -> Pairs:
    """Pair the peers of each group with its models; all arguments have shape (n_groups,)."""
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
    """Concatenate ranges: the `counts[i]` consecutive numbers from `starts[i]`, for each i."""
    shifts = starts - (np.cumsum(counts) - counts)
    numbers: NDArray[np.int64] = np.arange(int(counts.sum())) + np.repeat(shifts, counts)
    return numbers
