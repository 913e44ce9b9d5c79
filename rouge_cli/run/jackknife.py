"""Jackknifing: each peer is scored against all models but one, leaving out each model in turn.

The score in an EVAL is the mean over these sets of models. Human and system summaries thus become
comparable: a human summary is one of the models, so it can only be compared with the others, and
jackknifing compares a system's summary with just as many.
Source: Lin (2004), section 2.1 (the procedure) and section 4 (human performance).
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import Problems
from rouge_cli.inputs.batch import Batch, Pairs
from rouge_cli.inputs.evaluation import in_byte_order
from rouge_cli.inputs.index import Index
from rouge_cli.metrics.counts import InstanceScores

LEAST_MODELS = 2

FIRST_HUMAN = 1 << 24
"""System number of the first human. It exceeds the numbers of all other systems."""

ONE_MODEL = "one reference; jackknifing leaves one out, so it needs at least two"


class Jackknife:
    """Splits the instances of batches into parts, each of which lacks one of the models.

    With `with_humans`, the models are scored as systems too, each against the other models of its
    EVAL. They are named by the IDs of the models, and follow the systems in byte order.
    """

    def __init__(self, index: Index, *, with_humans: bool) -> None:
        self._index, self._with_humans = index, with_humans
        self._numbers: dict[str, int] = {}
        self._evals: dict[int, tuple[str, ...]] = {}
        self._n_models: dict[str, int] = {}

    def of(self, batch: Batch) -> Batch:
        """Return the batch with its instances split into parts."""
        peers: list[int] = []
        models: list[int] = []
        starts: list[int] = []
        parts: list[int] = []
        rows, systems = batch.rows.tolist(), batch.systems.tolist()

        def add(instance: int, peer: int, others: list[int]) -> None:
            # `check` refuses these EVALs at the end.
            if not others:
                return
            parts.append(instance)
            starts.append(len(peers))
            peers.extend([peer] * len(others))
            models.extend(others)

        peer_of = batch.pairs.peers[batch.pairs.starts].tolist()
        of_instances = list(zip(peer_of, batch.pairs.models_of(), rows.copy(), strict=True))
        for instance, (peer, own_models, row) in enumerate(of_instances):
            for left_out in range(len(own_models)):
                add(instance, peer, own_models[:left_out] + own_models[left_out + 1 :])
            if row in self._evals:
                continue
            self._evals[row] = self._index.humans(row, len(own_models))
            group = int(np.searchsorted(batch.first_texts, peer, "right")) - 1
            self._n_models[batch.eval_ids[group]] = len(own_models)
            for number, human in enumerate(self._evals[row] if self._with_humans else ()):
                systems.append(self._numbers.setdefault(human, FIRST_HUMAN + len(self._numbers)))
                rows.append(row)
                add(
                    len(rows) - 1,
                    own_models[number],
                    own_models[:number] + own_models[number + 1 :],
                )
        columns = (np.array(column, np.int64) for column in (peers, models, starts))
        return replace(
            batch,
            pairs=Pairs(*columns),
            rows=np.array(rows, np.int64),
            systems=np.array(systems, np.int64),
            parts=np.array(parts, np.int64),
        )

    def check(self) -> None:
        """Raise InputError if an EVAL cannot be jackknifed; to be called after the last batch."""
        problems = Problems.of("", one_model_problems(self._n_models))
        if self._with_humans:
            ids = self._index.eval_ids
            humans = {ids[row]: names for row, names in self._evals.items()}
            for place, problem in name_problems(humans, set(self._index.systems)):
                problems.add(place, problem)
        problems.raise_any()

    @property
    def humans(self) -> dict[str, int]:
        """The system numbers of the humans by name, in byte order."""
        return {name: self._numbers[name] for name in in_byte_order(self._numbers)}


def one_model_problems(n_models: dict[str, int]) -> Iterator[tuple[str, str]]:
    """Yield each EVAL with too few models, and the problem; `n_models` is by EVAL ID."""
    for eval_id, count in n_models.items():
        if count < LEAST_MODELS:
            yield f"text {eval_id}", ONE_MODEL


def name_problems(
    humans: dict[str, Sequence[str]] | dict[str, tuple[str, ...]], systems: set[str]
) -> Iterator[tuple[str, str]]:
    """Yield each EVAL in which a human shares its name with another or a system, and the problem.

    `humans` are the names by EVAL ID.
    """
    for eval_id, names in humans.items():
        for human, times in Counter(names).items():
            if times > 1:
                yield f"text {eval_id}", f"reference {human} is in it {times} times"
            if human in systems:
                yield (
                    f"text {eval_id}",
                    f"reference {human} has the name of a system; rename one of them",
                )


def mean_of_sets(
    scores: InstanceScores, instances: NDArray[np.int64], n_instances: int
) -> InstanceScores:
    """Return the mean scores and the summed counts over the sets of models of each instance.

    `instances`, shape (n_sets,), are the instances of the sets. The scores of an instance without
    sets are nan.
    """

    def add_up(values: NDArray[Any]) -> NDArray[Any]:
        # Sums of 32-bit counts may need 64 bits. Arrays of Python's numbers keep their type.
        sums = np.zeros(n_instances, np.int64 if values.dtype == np.int32 else values.dtype)
        np.add.at(sums, instances, values)
        return sums

    sums = np.stack([add_up(values) for values in scores.values])
    with np.errstate(invalid="ignore"):
        means = sums / np.bincount(instances, minlength=n_instances)
    return InstanceScores(means, None if scores.counts is None else scores.counts.apply(add_up))
