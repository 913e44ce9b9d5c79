"""The input of a run, whatever layout it came in: columns of numbers, and a source of texts.

A corpus says which texts belong together: for each system the number of its text in each EVAL, and
for each EVAL the numbers of its models. The texts themselves are read when their turn comes. An
input may have a million EVALs, so code that goes through all of them works column by column;
objects are made only for EVALs that somebody looks at.
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import chain, islice, pairwise, repeat
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import InputError, Problems
from rouge_cli.inputs.blocks import Pairs, Portion, pair_weights, portion_bounds
from rouge_cli.inputs.evaluation import Evaluation, Instances, ids_at, in_byte_order
from rouge_cli.inputs.texts import RAW_FORMAT, FileTexts, Texts, UnreadableTextError
from rouge_cli.quick_dataclass import dataclass

ABSENT = -1
"""Stands for the missing text of a system in an EVAL."""

EVALS_AT_A_TIME = 256
"""EVALs that are read together where all are visited in turn."""

ROWS_AT_A_TIME = 1 << 15
"""EVALs whose work is weighed together."""

NUMBERS_TO_COUNT = 8
"""So many times as many numbers as texts are counted to find equal ones; of more, texts are sorted.
"""

PAIR = np.arange(2)
"""The numbers of the texts of a corpus of one pair."""


@dataclass(frozen=True, slots=True)
class EvalTexts:
    """The texts of one EVAL, normalised, or lines of Basic Elements.

    `peers` has the systems to score that have a peer here, in the order of print.
    """

    evaluation: Evaluation
    peers: Mapping[str, bytes]
    models: tuple[bytes, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Corpus:
    """EVALs in columns, with a source of their texts.

    Parameters
    ----------
    name : str
        What the user calls the input, for messages.
    systems : tuple of str
        The systems to score, in the order of print.
    eval_ids : sequence of str
        No two the same, but for sets that are made of one EVAL.
    peers : mapping of str to ndarray of int64 or int32, shape (n_evals,)
        For each system, whether it is scored or not, the number of its text in each EVAL, or
        `ABSENT`.
    n_models : ndarray of int64, shape (n_evals,)
        At least 1.
    models : ndarray of int64 or int32, shape (sum of n_models,)
        Numbers of texts, EVAL by EVAL.
    texts : Texts
        What the numbers stand for.
    model_ids : sequence of str
        The ID of each of `models`; empty where the layout has none.
    clusters : mapping of str to str
        EVAL ID to its cluster, for EVALs that have one.
    warnings : tuple of str
        What the user should know about the input.
    notes : tuple of str
        How the input was read, for users who ask.
    has_lists : bool
        Whether some text came as a list of its sentences.
    is_original : bool
        Whether ROUGE-1.5.5 reads the input as it is: an XML configuration or a file list.
    in_order_of_texts : bool
        Whether a block has its texts, and messages about them, in the order of their numbers, as
        parallel files have them, where no text stands in two places; otherwise EVAL by EVAL, models
        before peers.
    fields : mapping of str to mapping of str to tuple of str
        What a page chooses EVALs by: for each ``--page-field`` EVAL ID to the values that its
        records have, in their order; an EVAL without a value has no entry.
    """

    name: str
    systems: tuple[str, ...]
    eval_ids: Sequence[str]
    peers: Mapping[str, NDArray[np.int64]]
    n_models: NDArray[np.int64]
    models: NDArray[np.int64]
    texts: Texts
    model_ids: Sequence[str] = ()
    clusters: Mapping[str, str] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    has_lists: bool = False
    is_original: bool = False
    in_order_of_texts: bool = False
    fields: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)

    @classmethod
    def of(
        cls, name: str, evals: Iterable[Evaluation], systems: Iterable[str], texts: Texts
    ) -> "Corpus":
        """Return EVALs as a corpus; `texts` is what their numbers stand for.

        `systems` are those to score, in the order of print.
        """
        at_hand, in_order = list(evals), tuple(systems)
        known = dict.fromkeys(chain(in_order, *(evaluation.peers for evaluation in at_hand)))
        peers = {system: np.full(len(at_hand), ABSENT, np.int64) for system in known}
        for row, evaluation in enumerate(at_hand):
            for system, number in evaluation.peers.items():
                peers[system][row] = number
        has_ids = any(evaluation.model_ids for evaluation in at_hand)
        return cls(
            name,
            in_order,
            [evaluation.id for evaluation in at_hand],
            peers,
            np.array([len(evaluation.models) for evaluation in at_hand], np.int64),
            np.array([model for evaluation in at_hand for model in evaluation.models], np.int64),
            texts,
            [name for evaluation in at_hand for name in evaluation.humans] if has_ids else (),
            {item.id: item.cluster for item in at_hand if item.cluster is not None},
        )

    def with_evaluations(
        self, evals: Iterable[Evaluation], systems: Iterable[str] | None = None
    ) -> "Corpus":
        """Return the corpus with EVALs made from its own, and perhaps other systems."""
        in_order = self.systems if systems is None else systems
        return replace(
            Corpus.of(self.name, evals, in_order, self.texts),
            warnings=self.warnings,
            notes=self.notes,
            has_lists=self.has_lists,
        )

    def evaluations(self) -> Iterator[Evaluation]:
        """Yield all EVALs in the order of the input, with all their systems."""
        return self._evaluations(range(len(self.eval_ids)))

    def scored_evaluations(self) -> Iterator[Evaluation]:
        """Yield the EVALs in which one of the systems to score has a peer."""
        return self._evaluations(self._scored_rows().tolist())

    def _evaluations(self, rows: Iterable[int]) -> Iterator[Evaluation]:
        """Yield the EVALs in some rows."""
        starts = self._first_models().tolist()
        models = self.models.tolist()
        columns = {system: numbers.tolist() for system, numbers in self.peers.items()}
        for row in rows:
            peers = {system: numbers[row] for system, numbers in columns.items()}
            present = {system: number for system, number in peers.items() if number != ABSENT}
            if len(present) > 1:
                # The order of the input, in which numbers were given.
                present = dict(sorted(present.items(), key=lambda peer: peer[1]))
            span = slice(starts[row], starts[row + 1])
            eval_id = self.eval_ids[row]
            ids, cluster = tuple(self.model_ids[span]), self.clusters.get(eval_id)
            yield Evaluation(eval_id, present, tuple(models[span]), ids, cluster)

    def instances(self) -> Instances:
        """Return the instances in the order of the portions, EVAL by EVAL."""
        if len(self.systems) == 1 and (self.peers[self.systems[0]] != ABSENT).all():
            system_numbers = np.zeros(len(self.eval_ids), np.int64)
            return Instances(self.systems, self.eval_ids, system_numbers, clusters=self.clusters)
        is_present = self._peer_table() != ABSENT
        rows, system_numbers = np.nonzero(is_present)
        ids: Sequence[str] = self.eval_ids
        if len(self.systems) > 1 or rows.size < len(ids):
            ids = ids_at(self.eval_ids, rows)
        absences = () if rows.size == is_present.size else self._absences(is_present)
        return Instances(self.systems, ids, system_numbers, absences, clusters=self.clusters)

    def _absences(self, is_present: NDArray[np.bool_]) -> tuple[str, ...]:
        """Return a warning for each system that is absent from an EVAL."""
        absent = (
            (
                f"EVAL {self.eval_ids[row]}",
                f"system {system} has no peer; the EVAL does not count for it",
            )
            for number, system in enumerate(self.systems)
            for row in np.flatnonzero(~is_present[:, number]).tolist()
        )
        return tuple(Problems.of("", absent).lines())

    def portions(self, n_wanted: int = 1) -> Iterator[Portion]:
        """Yield the EVALs to score in portions of about as much work.

        They are `n_wanted` or more if there is enough work for so many.
        """
        if (lone := self._lone_pair()) is not None:
            yield lone
            return
        table = self._peer_table()
        rows = _rows_with_peer(table)
        if not rows.size:
            return
        first_models = self._first_models()
        weights = np.empty(rows.size, np.int64)
        # Columns of a million EVALs would take memory that the system has to clear first.
        for start in range(0, rows.size, ROWS_AT_A_TIME):
            here = rows[start : start + ROWS_AT_A_TIME]
            sizes = self.texts.sizes(self.models[first_models[here]])
            n_pairs = self.n_models[here] * _numbers_of_peers(table[here])
            weights[start : start + here.size] = n_pairs * pair_weights(sizes)
        for start, stop in pairwise(portion_bounds(weights, n_wanted)):
            here = rows[start:stop]
            yield self._portion(here, table[here], first_models[here])

    def _lone_pair(self) -> Portion | None:
        """Return a corpus of one pair as a portion; None for any other.

        Programs that score pair by pair make a corpus of each pair. Its columns would take half as
        long as its scores.
        """
        if not self.models.size == len(self.systems) == 1 or len(self.texts) != len(PAIR):
            return None
        peers = self.peers[self.systems[0]]
        # The same file may be both; then it is read once.
        if peers[0] == ABSENT or self.texts.as_files() is not None:
            return None
        columns = (peers, self.models, np.array([0]))
        pairs = Pairs(*(column.astype(np.int64, copy=False) for column in columns))
        keys = PAIR if self.in_order_of_texts else None
        return Portion(self.eval_ids, np.array([0, 2]), np.array([0, 1]), pairs, self.texts, keys)

    def _portion(
        self, rows: NDArray[np.int64], table: NDArray[np.int64], first_models: NDArray[np.int64]
    ) -> Portion:
        """Return the EVALs in `rows`, each with a peer to score, as a portion.

        `table` and `first_models` are their rows of `_peer_table` and `_first_models`: to make
        these anew for each portion would take time by the square of the EVALs.
        """
        n_peers, n_models = _numbers_of_peers(table), self.n_models[rows]
        first_texts = ends_of(n_models + n_peers)
        # Of each EVAL the models, and behind them the peers.
        if (n_models == n_models[0]).all() and (n_peers == table.shape[1]).all():
            models = self.models[first_models[:, np.newaxis] + np.arange(n_models[0])]
            numbers = np.concatenate((models, table), axis=1).ravel()
            pairs = _even_pairs(rows.size, models.shape[1], table.shape[1])
        else:
            numbers = np.empty(first_texts[-1], np.int64)
            numbers[ranges(first_texts[:-1] + n_models, n_peers)] = table[table != ABSENT]
            models = self.models[ranges(first_models, n_models)]
            numbers[ranges(first_texts[:-1], n_models)] = models
            pairs = _pairs(first_texts[:-1], n_models, n_peers)
        numbers = self.texts.first_mentions(numbers)
        if not self.in_order_of_texts and _have_equal(numbers):
            numbers, first_texts, pairs = _merged(numbers, first_texts, pairs)
        return Portion(
            ids_at(self.eval_ids, rows),
            first_texts,
            ends_of(n_peers),
            pairs,
            self.texts.part(numbers),
            numbers if self.in_order_of_texts else None,
        )

    def eval_texts(self) -> Iterator[EvalTexts]:
        """Read the EVALs to score, some at a time; raises InputError."""
        evaluations = self.scored_evaluations()
        while batch := list(islice(evaluations, EVALS_AT_A_TIME)):
            numbers = [self._numbers(evaluation) for evaluation in batch]
            readings = self.texts.read(list(chain.from_iterable(numbers)))
            texts = chain.from_iterable(reading.texts for reading in readings)
            try:
                for evaluation, eval_numbers in zip(batch, numbers, strict=True):
                    yield self._eval_texts(evaluation, list(islice(texts, len(eval_numbers))))
            except UnreadableTextError as error:
                owners = zip(batch, numbers, strict=True)
                eval_id = next(owner.id for owner, owned in owners if error.number in owned)
                raise self._unreadable(eval_id, error) from None

    def read(self, evaluation: Evaluation) -> EvalTexts:
        """Read the texts of an EVAL of this corpus; raises InputError."""
        return self._eval_texts(
            evaluation, self.read_texts(evaluation.id, self._numbers(evaluation))
        )

    def read_texts(self, eval_id: str, numbers: Sequence[int]) -> list[bytes]:
        """Read some texts of an EVAL; raises InputError."""
        try:
            return [text for reading in self.texts.read(numbers) for text in reading.texts]
        except UnreadableTextError as error:
            raise self._unreadable(eval_id, error) from None

    def _unreadable(self, eval_id: str, error: UnreadableTextError) -> InputError:
        """Return an error that names the EVAL, which `error` does not know."""
        return InputError(f"{self.texts.describe(error.number, eval_id)}: {error}")

    def _numbers(self, evaluation: Evaluation) -> list[int]:
        """Return the texts of an EVAL: the peers to score, and the models."""
        present = filter(evaluation.peers.__contains__, self.systems)
        return [*map(evaluation.peers.__getitem__, present), *evaluation.models]

    def _eval_texts(self, evaluation: Evaluation, texts: Sequence[bytes]) -> EvalTexts:
        """Return the texts of an EVAL, in the order of `_numbers`."""
        present = [system for system in self.systems if system in evaluation.peers]
        peers = dict(zip(present, texts, strict=False))
        return EvalTexts(evaluation, peers, tuple(texts[len(present) :]))

    def used_numbers(self) -> NDArray[np.int64]:
        """Return the numbers of all texts to score, in ascending order."""
        table = self._peer_table()
        rows = _rows_with_peer(table)
        # A column of flags takes less time than np.unique, whose first call loads numpy.ma.
        is_used = np.zeros(len(self.texts), np.bool_)
        is_used[table[table != ABSENT]] = True
        is_used[self.models[ranges(self._first_models()[rows], self.n_models[rows])]] = True
        return np.flatnonzero(is_used)

    def used_texts(self) -> Iterator[tuple[str, int]]:
        """Yield the EVAL ID and the number of each text to score: peers, then models."""
        for evaluation in self.scored_evaluations():
            yield from zip(repeat(evaluation.id), self._numbers(evaluation))

    def _peer_table(self) -> NDArray[np.int64]:
        """Return the text of each EVAL and system to score, shape (n_evals, n_systems)."""
        # np.stack takes ten times as long for the corpus of one pair.
        columns = np.array([self.peers[system] for system in self.systems], np.int64)
        return columns.reshape(len(self.systems), len(self.eval_ids)).T

    def _scored_rows(self) -> NDArray[np.int64]:
        """Return the EVALs in which one of the systems to score has a peer."""
        return _rows_with_peer(self._peer_table())

    def _first_models(self) -> NDArray[np.int64]:
        """Return where the models of each EVAL begin, and behind them their number."""
        return ends_of(self.n_models)


def _rows_with_peer(table: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the rows of `Corpus._peer_table` that have a peer."""
    return np.flatnonzero(_numbers_of_peers(table))


def _numbers_of_peers(table: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return how many peers each row of `Corpus._peer_table` has."""
    is_present = table != ABSENT
    if table.shape[1] == 1:
        # A tenth of the time: NumPy goes from row to row.
        n_peers: NDArray[np.int64] = is_present[:, 0].astype(np.int64)
        return n_peers
    n_peers = is_present.sum(axis=1)
    return n_peers


def _pairs(
    first_texts: NDArray[np.int64], n_models: NDArray[np.int64], n_peers: NDArray[np.int64]
) -> Pairs:
    """Pair the peers of each EVAL with its models, which stand before them from its first text on.

    All have shape (n_evals,).
    """
    n_pairs = np.repeat(n_models, n_peers)
    return Pairs(
        np.repeat(ranges(first_texts + n_models, n_peers), n_pairs),
        ranges(np.repeat(first_texts, n_peers), n_pairs),
        ends_of(n_pairs)[:-1],
    )


def _even_pairs(n_evals: int, n_models: int, n_peers: int) -> Pairs:
    """Return what `_pairs` does where EVALs are alike, in a fifth of the time."""
    firsts = np.arange(n_evals)[:, np.newaxis, np.newaxis] * (n_models + n_peers)
    shape = n_evals, n_peers, n_models
    peers = firsts + n_models + np.arange(n_peers)[:, np.newaxis]
    return Pairs(
        np.broadcast_to(peers, shape).ravel(),
        np.broadcast_to(firsts + np.arange(n_models), shape).ravel(),
        np.arange(0, n_evals * n_peers * n_models, n_models),
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


def _have_equal(numbers: NDArray[np.int64]) -> bool:
    """Say whether a number occurs twice, in a fifth of the time of np.unique."""
    from_least = numbers - numbers.min()
    if from_least.max() < NUMBERS_TO_COUNT * numbers.size:
        return bool(np.bincount(from_least).max() > 1)
    # Texts of files that are far apart: a count for each number between would take longer.
    return bool((np.diff(np.sort(from_least)) == 0).any())


def _merged(
    numbers: NDArray[np.int64], first_texts: NDArray[np.int64], pairs: Pairs
) -> tuple[NDArray[np.int64], NDArray[np.int64], Pairs]:
    """Keep the first of equal texts in each EVAL."""
    owners = np.repeat(np.arange(first_texts.size - 1), np.diff(first_texts))
    keys = owners * (int(numbers.max()) + 1) + numbers
    firsts: NDArray[np.intp]
    _, firsts, inverse = np.unique(keys, return_index=True, return_inverse=True)
    kept = np.sort(firsts)
    new_numbers = np.searchsorted(kept, firsts)[inverse]
    renumbered = Pairs(new_numbers[pairs.peers], new_numbers[pairs.models], pairs.starts)
    return numbers[kept], np.searchsorted(kept, first_texts), renumbered


class TextFile(NamedTuple):
    """A file with one text.

    A named tuple, since a run makes one for each text, in a third of the time of a dataclass.
    `name` is the path as the system takes it, undecodable bytes as surrogates; `format` is
    ``"SPL"``, ``"SEE"``, ``"ISI"`` or ``"SIMPLE"``; `line` is the line of the configuration.
    """

    name: str
    format: str = RAW_FORMAT
    line: int | None = None


class FileEval(NamedTuple):
    """An EVAL as a configuration spells it: its peers by system ID, its models in order.

    A model may stand in it twice. `model_ids` is empty where the layout has none.
    """

    id: str
    peers: Mapping[str, TextFile]
    models: tuple[TextFile, ...]
    model_ids: tuple[str, ...] = ()


def corpus_of_files(
    name: str, evals: Iterable[FileEval], systems: Sequence[str] | None = None
) -> Corpus:
    """Return a corpus of the EVALs of a configuration.

    `systems` are those to score; None for all, in byte order.
    """
    files: list[TextFile] = []
    numbered: list[Evaluation] = []
    for spelt in evals:
        first = len(files)
        files += (*spelt.peers.values(), *spelt.models)
        peers = dict(zip(spelt.peers, range(first, len(files)), strict=False))
        models = tuple(range(first + len(peers), len(files)))
        numbered.append(Evaluation(spelt.id, peers, models, spelt.model_ids))
    if systems is None:
        systems = in_byte_order({system for spelt in numbered for system in spelt.peers})
    names, formats, lines = zip(*files, strict=True) if files else ((), (), ())
    counts = [len(spelt.peers) + len(spelt.models) for spelt in numbered]
    firsts = first_mentions(counts, [file[:2] for file in files])
    return Corpus.of(name, numbered, systems, FileTexts(names, formats, lines, firsts=firsts))


def first_mentions(
    counts: Sequence[int] | NDArray[np.int64], files: Sequence[Hashable]
) -> NDArray[np.int64] | None:
    """Return `FileTexts.firsts`.

    `counts`, shape (n_evals,), says how many files each EVAL names; `files` holds, EVAL by EVAL,
    anything that tells files apart.
    """
    if len(set(files)) == len(files):
        return None
    firsts: dict[tuple[int, Hashable], int] = {}
    owners = np.repeat(np.arange(len(counts)), counts).tolist()
    keys = zip(owners, files, strict=True)
    return np.array([firsts.setdefault(key, number) for number, key in enumerate(keys)], np.int64)
