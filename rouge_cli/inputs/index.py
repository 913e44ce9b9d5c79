"""The input of a run: an iterator of batches, and an index that is complete when it ends.

Texts are not kept. Code that needs them later, such as a page, reads the input again and picks its
EVALs.
"""

from abc import ABC, abstractmethod
from array import array
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import Problems, with_number
from rouge_cli.inputs.batch import Batch, BatchMaker, InputText, Pairs, ends_of
from rouge_cli.inputs.evaluation import ids_at, in_byte_order, spelt_alike
from rouge_cli.inputs.source import Source
from rouge_cli.options.inputs import InputOptions
from rouge_cli.options.metrics import MetricOptions
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.text.seen import Mend

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""Names of models without IDs; importing `string` for them takes 0.5 ms."""


def human_names(n_models: int) -> tuple[str, ...]:
    """Return names for models without IDs: A, B ... Z, M27, M28 and so on."""
    beyond = range(len(LETTERS) + 1, n_models + 1)
    return (*LETTERS[:n_models], *(f"M{number}" for number in beyond))


@dataclass(slots=True)
class Index:
    """Facts about an input; complete once all of its batches have been read.

    - `name`: the name of the input in messages.
    - `n_expected`: the number of instances if it is known before they are read, otherwise 0.
    - `systems`: the systems whose peers are read, by number.
    - `order`: the systems to score, in print order; empty until it is known.
    - `eval_ids`: the IDs of EVALs by row, in input order.
    - `model_ids`: the IDs of models by row; empty if the layout has none.
    - `clusters`: maps an EVAL to its cluster; empty if EVALs are not clustered.
    - `notes`: sentences on how the input was read, shown on request.
    - `has_lists`: whether any text was a list of sentences.
    - `is_original`: whether ROUGE-1.5.5 can read the input as it is: an XML configuration or a file
      list.
    - `made_systems`: systems whose texts were derived from others, so that they may be equal.
    - `fields`: the filters of a page: maps each ``--page-field`` to a map from EVAL to the values
      of its records.
    """

    name: str
    n_expected: int = 0
    systems: list[str] = field(default_factory=list)
    order: tuple[str, ...] = ()
    eval_ids: Sequence[str] = ()
    model_ids: Sequence[tuple[str, ...]] = ()
    clusters: Mapping[str, str] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    has_lists: bool = False
    is_original: bool = False
    made_systems: frozenset[str] = frozenset()
    fields: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    # Arrays take 8 bytes per instance together; lists would take 16, besides the numbers.
    _rows: "array[int]" = field(default_factory=lambda: array("i"))
    _systems: "array[int]" = field(default_factory=lambda: array("i"))

    def note(self, batch: Batch) -> None:
        """Add the instances of a batch."""
        self._rows.frombytes(batch.rows.astype(np.int32).tobytes())
        self._systems.frombytes(batch.systems.astype(np.int32).tobytes())

    @property
    def instances(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """The rows and the numbers of the systems of all instances so far, in batch order."""
        return np.array(self._rows, np.int32), np.array(self._systems, np.int32)

    def humans(self, row: int, n_models: int) -> tuple[str, ...]:
        """Return the names of the models of an EVAL: their IDs, or letters."""
        return (self.model_ids[row] if self.model_ids else ()) or human_names(n_models)

    def cells(self) -> dict[str, list[str]]:
        """Return the EVALs of each system to score, in input order."""
        rows, systems = self.instances
        by_system = places_of(map(self.systems.index, self.order), systems, rows)
        return {
            name: list(ids_at(self.eval_ids, rows[places].astype(np.int64)))
            for name, places in zip(self.order, by_system, strict=True)
        }

    def absences(self) -> tuple[str, ...]:
        """Return a warning for each EVAL that lacks a system."""
        rows, systems = self.instances
        if rows.size == len(self.eval_ids) * len(self.order):
            return ()
        is_present = np.zeros((len(self.eval_ids), len(self.systems)), np.bool_)
        is_present[rows, systems] = True
        numbers = [self.systems.index(system) for system in self.order]
        problems = Problems()
        for rank, row in np.argwhere(~is_present[:, numbers].T).tolist():
            problem = f"system {self.order[rank]} has no prediction; the text does not count for it"
            problems.add(f"text {self.eval_ids[row]}", problem)
        return tuple(problems.lines())


def places_of(
    numbers: Iterable[int], systems: NDArray[np.int32], rows: NDArray[np.int32]
) -> list[NDArray[np.intp]]:
    """Return the positions of the instances of each system in `numbers`, in the order of rows.

    `systems` and `rows`, shape (n_instances,), are those of all instances.
    """
    # Sorted once: searching all instances for each system would be quadratic in the systems.
    in_order, wanted = np.lexsort((rows, systems)), [*numbers]
    ends = (np.searchsorted(systems[in_order], wanted, side).tolist() for side in ("left", "right"))
    return [in_order[start:end] for start, end in zip(*ends, strict=True)]


class Layout(ABC):
    """A way in which a user can pass texts.

    - `kind`: the name of the layout in messages.
    - `options`: the fields of `InputOptions` that it uses.
    - `selector`: the field of `InputOptions` that selects it, if there is one.
    - `takes_config`: whether it reads CONFIG.
    - `takes_files`: whether several files may replace CONFIG.
    - `has_elements`: whether its texts may be Basic Elements.
    """

    kind: str
    options: frozenset[str]
    selector: str | None = None
    takes_config = takes_files = has_elements = False

    def claims(self, source: Source, inputs: InputOptions) -> bool:
        """Return whether this layout reads the input; by default, whether its selector is given.

        Raises InputError if standard input has to be inspected and cannot be read.
        """
        return self.selector is not None and getattr(inputs, self.selector) not in {None, ()}

    @abstractmethod
    def open(self, source: Source, inputs: InputOptions, metrics: MetricOptions) -> "Input":
        """Return the input, after all checks that are possible without reading its texts.

        Raises OptionError and InputError.
        """


class Input(ABC):
    """An opened layout.

    - `index`: facts about the input; complete when `batches` has ended.
    - `has_files`: whether each text is a separate file.
    - `names_evals`: whether a message about a text begins with its EVAL.
    - `takes`: the options that its layout uses.
    - `clean`: the function that ``--strip`` applies to each text; None without ``--strip``.
    """

    has_files = False
    names_evals = True
    takes: frozenset[str] = frozenset()
    clean: Mend | None = None

    def __init__(self, index: Index) -> None:
        self.index = index
        self._is_complete = False

    @abstractmethod
    def read(self, index: Index) -> Iterator[Batch]:
        """Read the input from its beginning, and complete `index`.

        Raises InputError with all problems: after the first one, reading continues without yielding
        batches. Raises OptionError for an unknown system.
        """

    def batches(self) -> Iterator[Batch]:
        """Yield all batches; the first iteration also completes the index.

        Later iterations read the input again, with an index that is thrown away.
        """
        if self._is_complete:
            yield from map(self._cleaned, self.read(Index(self.index.name)))
            return
        for batch in self.read(self.index):
            self.index.note(batch)
            yield self._cleaned(batch)
        alike = spelt_alike(self.index.order, lambda system: " ".join(system.casefold().split()))
        if alike:
            first, other = alike[0]
            names = with_number(len(alike), "1 name of a system differs", "{} names differ")
            self.index.warnings.append(
                f"{names} from that of another system in case or blanks alone, the first "
                f"{other!r} from {first!r}: each is scored as a system of its own; spell them "
                "alike if one system is meant"
            )
        self.index.n_expected = len(self.index._rows)
        self._is_complete = True

    def _cleaned(self, batch: Batch) -> Batch:
        if self.clean is None:
            return batch
        return replace(batch, texts=list(map(self.clean, batch.texts)))

    def complete(self) -> Index:
        """Return the complete index, after reading the input if that has not been done."""
        if not self._is_complete:
            for _ in self.batches():
                pass
        return self.index

    def evals(self, wanted: Collection[str] | None = None) -> "Iterator[EvalTexts]":
        """Read the EVALs that have a peer to score, or those in `wanted`, in input order.

        The peers of an EVAL may be in different batches, so its texts are kept until the last of
        them has been read. Raises InputError.
        """
        index = self.complete()
        n_left = np.bincount(index.instances[0], minlength=len(index.eval_ids))
        rows = np.flatnonzero(n_left).tolist()
        if wanted is not None:
            rows = [row for row in rows if index.eval_ids[row] in wanted]
        ranks = {system: rank for rank, system in enumerate(index.order)}
        is_wanted = np.zeros(n_left.size, np.bool_)
        is_wanted[rows] = True
        in_order = iter(rows)
        peers: dict[int, dict[str, InputText]] = {}
        models: dict[int, tuple[InputText, ...]] = {}
        row = next(in_order, None)
        for batch in self.batches():
            for number in np.flatnonzero(is_wanted[batch.rows]).tolist():
                owner = int(batch.rows[number])
                if owner not in models:
                    models[owner] = batch.models_of(number)
                system = index.systems[batch.systems[number]]
                peers.setdefault(owner, {})[system] = batch.peer_of(number)
                n_left[owner] -= 1
            # A complete EVAL waits for those before it, so that the order is that of the input.
            while row is not None and not n_left[row]:
                eval_id, of_eval = index.eval_ids[row], models.pop(row)
                by_rank = dict(sorted(peers.pop(row).items(), key=lambda peer: ranks[peer[0]]))
                humans, cluster = index.humans(row, len(of_eval)), index.clusters.get(eval_id)
                yield EvalTexts(eval_id, by_rank, of_eval, humans, cluster)
                row = next(in_order, None)


@dataclass(frozen=True, slots=True)
class EvalTexts:
    """The texts of an EVAL: its peers by system, in print order, and its models.

    `humans` are the IDs of the models, or A, B and so on if they have none. `cluster` is the
    document or topic of the EVAL, which other EVALs may share.
    """

    id: str
    peers: dict[str, InputText]
    models: tuple[InputText, ...]
    humans: tuple[str, ...] = ()
    cluster: str | None = None

    @property
    def texts(self) -> Iterator[InputText]:
        """The peers, followed by the models."""
        return chain(self.peers.values(), self.models)


class HeldInput(Input):
    """EVALs in memory, selected or derived from another input.

    `systems` are those to score, in print order; `made_systems` those derived from other texts.
    """

    def __init__(
        self,
        evals: Sequence[EvalTexts],
        systems: Sequence[str],
        source: Input,
        made_systems: Collection[str] = (),
    ) -> None:
        made = frozenset(made_systems)
        super().__init__(Index(source.index.name, order=tuple(systems), made_systems=made))
        self.index.n_expected = sum(len(texts.peers) for texts in evals)
        self._evals, self._facts = evals, source.index
        self.names_evals, self.takes = source.names_evals, source.takes

    def read(self, index: Index) -> Iterator[Batch]:
        facts, order = self._facts, self.index.order
        index.systems, index.order = list(order), order
        index.has_lists, index.is_original = facts.has_lists, facts.is_original
        index.notes += facts.notes
        index.eval_ids = [texts.id for texts in self._evals]
        index.model_ids = [texts.humans for texts in self._evals]
        index.clusters = {
            texts.id: texts.cluster for texts in self._evals if texts.cluster is not None
        }
        numbers = {system: number for number, system in enumerate(order)}
        maker = BatchMaker(names_evals=self.names_evals, has_keys=len(order) > 1)
        for row, texts in enumerate(self._evals):
            peers = {system: text for system, text in texts.peers.items() if system in numbers}
            if peers:
                maker.add(
                    row,
                    texts.id,
                    [model.content for model in texts.models],
                    [numbers[system] for system in peers],
                    [peer.content for peer in peers.values()],
                    places=[text.place for text in (*texts.models, *peers.values())],
                )
            if maker.is_full:
                yield maker.take()
        if maker:
            yield maker.take()


FIRST_HUMAN = 1 << 24
"""System number of the first human. It exceeds the numbers of all other systems."""


class Jackknife:
    """Splits the instances of batches into parts, each of which lacks one of the models.

    The score in an EVAL is the mean over these parts. Human and system summaries thus become
    comparable: a human summary is one of the models, so it can only be compared with the others,
    and jackknifing compares a system's summary with just as many. Source: Lin (2004), section 2.1
    (the procedure) and section 4 (human performance).

    With `with_humans`, the models are scored as systems too, each against the other models of its
    EVAL. They are named by the IDs of the models, and follow the systems in byte order.
    """

    def __init__(self, index: Index, *, with_humans: bool) -> None:
        self._index, self._with_humans = index, with_humans
        self._numbers: dict[str, int] = {}
        self._evals: dict[int, tuple[str, ...]] = {}

    def of(self, batch: Batch) -> Batch:
        """Return the batch with its instances split into parts."""
        rows, systems = batch.rows.tolist(), batch.systems.tolist()
        peers = batch.pairs.peers[batch.pairs.starts].tolist()
        # The instance, the peer and the models of each part.
        parts: list[tuple[int, int, list[int]]] = []
        in_order = zip(peers, batch.pairs.models_of(), [*rows], strict=True)
        for instance, (peer, models, row) in enumerate(in_order):
            lacking = [models[:number] + models[number + 1 :] for number in range(len(models))]
            parts += [(instance, peer, others) for others in lacking]
            if row in self._evals:
                continue
            names = self._evals[row] = self._index.humans(row, len(models))
            humans = zip(names, models, lacking, strict=True)
            for human, model, others in humans if self._with_humans else ():
                systems.append(self._numbers.setdefault(human, FIRST_HUMAN + len(self._numbers)))
                parts.append((len(rows), model, others))
                rows.append(row)
        # `check` refuses EVALs with one model at the end.
        parts = [part for part in parts if part[2]]
        instances, peers, models_of = zip(*parts, strict=True) if parts else ((), (), ())
        counts = np.fromiter(map(len, models_of), np.int64, len(models_of))
        return replace(
            batch,
            pairs=Pairs(
                np.repeat(np.array(peers, np.int64), counts),
                np.array([*chain.from_iterable(models_of)], np.int64),
                ends_of(counts)[:-1],
            ),
            rows=np.array(rows, np.int64),
            systems=np.array(systems, np.int64),
            parts=np.array(instances, np.int64),
        )

    def check(self) -> None:
        """Raise InputError if an EVAL cannot be jackknifed; to be called after the last batch."""
        humans = {self._index.eval_ids[row]: names for row, names in self._evals.items()}
        check_humans(humans, self._index.systems, with_humans=self._with_humans)

    @property
    def humans(self) -> dict[str, int]:
        """The system numbers of the humans by name, in byte order."""
        return {name: self._numbers[name] for name in in_byte_order(self._numbers)}


def check_humans(
    humans: Mapping[str, Sequence[str]], systems: Collection[str], *, with_humans: bool
) -> None:
    """Raise InputError with all EVALs that cannot be jackknifed.

    `humans` maps EVALs to the names of their models. With `with_humans`, none may share its name
    with another of its EVAL, or with one of `systems`.
    """
    problems = Problems()
    for eval_id, names in humans.items():
        if len(names) == 1:
            lone = "one reference; jackknifing leaves one out, so it needs at least two"
            problems.add(f"text {eval_id}", lone)
    for eval_id, names in humans.items() if with_humans else ():
        for human, times in Counter(names).items():
            if times > 1:
                problems.add(f"text {eval_id}", f"reference {human} is in it {times} times")
            if human in systems:
                clash = f"reference {human} has the name of a system; rename one of them"
                problems.add(f"text {eval_id}", clash)
    problems.raise_any()
