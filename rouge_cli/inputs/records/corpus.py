"""The EVALs of a file of records as a corpus: their texts are in memory, and go straight to work.

Objects for each text cost more than to read it, so they are made for those alone who ask for EVALs
as every layout has them.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import field
from itertools import islice

import numpy as np

from rouge_cli.escapes import escaped
from rouge_cli.inputs.blocks import Block, Pairs, cut_by_weight, drafted_blocks, pair_weight
from rouge_cli.inputs.evaluation import Evaluation, Instances, TextSource, instances_of
from rouge_cli.inputs.text_reader import TextReader
from rouge_cli.quick_dataclass import dataclass

__all__ = ["RecordCorpus", "RecordEval", "RecordOrigin", "RecordPortion"]


@dataclass(frozen=True, slots=True)
class RecordOrigin:
    """Where records come from.

    Parameters
    ----------
    name : str
        The file, for messages.
    unit : str
        What their numbers count: ``"line"`` or ``"record"``.
    system : str
        ID of the system, where records do not name it.
    """

    name: str
    unit: str
    system: str

    def place(self, number: int) -> str:
        """Say where a record stands in the file."""
        return f"{self.unit} {number}"

    def text(self, number: int, content: bytes) -> TextSource:
        """Return a text of a record."""
        if self.unit == "line":
            return TextSource(self.name, line=number, content=content)
        return TextSource(f"{self.name}, {self.place(number)}", content=content)


@dataclass(slots=True, eq=False)
class RecordEval:
    """One EVAL; filled while records are read.

    Parameters
    ----------
    id : str
        The EVAL ID.
    number : int
        That of its first record.
    peers : dict of str to bytes
        The normalised texts by system ID.
    models : tuple of bytes
        The normalised texts, empty while no record has any.
    model_number : int
        Number of the record that the models are from.
    later : dict of str to int, or None
        The number of its record for each system that stands in another one than the first.
    """

    id: str
    number: int
    peers: dict[str, bytes]
    models: tuple[bytes, ...]
    model_number: int
    cluster: str | None = None
    later: dict[str, int] | None = None

    def number_of(self, system: str) -> int:
        """Return the number of the record of a system."""
        return self.number if self.later is None else self.later.get(system, self.number)

    def evaluation(self, origin: RecordOrigin) -> Evaluation:
        """Return the EVAL as every layout has it."""
        peers = {
            system: origin.text(self.number_of(system), peer) for system, peer in self.peers.items()
        }
        models = tuple([origin.text(self.model_number, model) for model in self.models])
        line = self.number if origin.unit == "line" else None
        return Evaluation(self.id, peers, models, line, cluster=self.cluster)


@dataclass(slots=True, eq=False)
class _Draft:
    """A block in the making: of each EVAL the models, and behind them the peers.

    Parameters
    ----------
    firsts : list of int
        The first text of each EVAL.
    n_models, n_peers : list of int
        Of each EVAL.
    """

    origin: RecordOrigin
    systems: Sequence[str]
    evals: list[RecordEval] = field(default_factory=list)
    texts: list[bytes] = field(default_factory=list)
    firsts: list[int] = field(default_factory=list)
    n_models: list[int] = field(default_factory=list)
    n_peers: list[int] = field(default_factory=list)
    n_bytes: int = 0

    def add(self, one: RecordEval) -> None:
        """Add the texts of an EVAL, if one of the systems has a peer there."""
        peers = [one.peers[system] for system in self.systems if system in one.peers]
        if not peers:
            return
        texts = [*one.models, *peers]
        self.evals.append(one)
        self.firsts.append(len(self.texts))
        self.texts += texts
        self.n_models.append(len(one.models))
        self.n_peers.append(len(peers))
        self.n_bytes += sum(map(len, texts))

    def block(self) -> Block:
        """Return the block."""
        n_models, n_peers = np.array(self.n_models), np.array(self.n_peers)
        first_models = np.array(self.firsts)
        first_instances = np.cumsum(n_peers) - n_peers
        rank = np.arange(int(n_peers.sum())) - np.repeat(first_instances, n_peers)
        peers = np.repeat(first_models + n_models, n_peers) + rank
        n_pairs = np.repeat(n_models, n_peers)
        starts = np.cumsum(n_pairs) - n_pairs
        models = np.arange(int(n_pairs.sum()))
        models += np.repeat(np.repeat(first_models, n_peers) - starts, n_pairs)
        return Block(self.texts, Pairs(np.repeat(peers, n_pairs), models, starts), self._describe)

    def _describe(self, text: int) -> str:
        """Name a text."""
        place = bisect_right(self.firsts, text) - 1
        one = self.evals[place]
        rank = text - self.firsts[place] - self.n_models[place]
        if rank < 0:
            number = one.model_number
        else:
            number = one.number_of([system for system in self.systems if system in one.peers][rank])
        return f"EVAL {escaped(one.id)}: {escaped(self.origin.text(number, b'').place)}"


@dataclass(frozen=True, slots=True, eq=False)
class RecordPortion:
    """Some EVALs.

    Parameters
    ----------
    systems : sequence of str
        The systems to score; one that is absent from an EVAL has no instance there.
    """

    evals: Sequence[RecordEval]
    systems: Sequence[str]
    origin: RecordOrigin

    def blocks(self) -> Iterator[Block]:
        """Yield the texts, EVAL after EVAL."""
        return drafted_blocks(self.evals, lambda: _Draft(self.origin, self.systems))


@dataclass(frozen=True, slots=True, eq=False)
class RecordCorpus:
    """A file of records.

    Parameters
    ----------
    evals : sequence of RecordEval
        In the order in which their IDs appear first; each with a peer and a model.
    systems : tuple of str
        The systems to score, in the order of print.
    """

    origin: RecordOrigin
    evals: Sequence[RecordEval]
    systems: tuple[str, ...]
    warnings: tuple[str, ...] = ()
    has_lists: bool = False
    notes: tuple[str, ...] = ()
    reader: TextReader = field(default_factory=TextReader)
    is_original: bool = False

    @property
    def name(self) -> str:
        """What the user called the file."""
        return self.origin.name

    def instances(self) -> Instances:
        """Return the instances, EVAL by EVAL."""
        return instances_of(self.evals, self.systems)

    def portions(self) -> Iterator[RecordPortion]:
        """Cut the EVALs into portions; see `cut_by_weight`."""
        for some in cut_by_weight(self.evals, self._weights()):
            yield RecordPortion(some, self.systems, self.origin)

    def _weights(self) -> Iterator[int]:
        """Yield for how many pairs of short texts those of each EVAL count."""
        wanted = frozenset(self.systems)
        for one in self.evals:
            n_peers = len(wanted & one.peers.keys())
            yield len(one.models) * n_peers * pair_weight(len(one.models[0]))

    def evaluations(self) -> Iterator[Evaluation]:
        """Yield the EVALs as every layout has them, with all their systems."""
        return (one.evaluation(self.origin) for one in self.evals)

    @property
    def n_texts(self) -> int:
        """How many texts there are, of all systems."""
        return sum(len(one.peers) + len(one.models) for one in self.evals)

    def first_texts(self, n_texts: int) -> list[bytes]:
        """Return so many texts, or all if there are fewer."""
        texts = (text for one in self.evals for text in (*one.peers.values(), *one.models))
        return list(islice(texts, n_texts))
