"""Jackknifing: each peer against all models but one, for every choice of that one.

The scores of an EVAL are averaged over these sets of models. A human summary can only be measured
against the other models; so it and a system's are measured against equally many. Source: Lin
(2004), section 2.1 (the procedure) and section 4 (human performance).
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import Problems
from rouge_cli.inputs.corpus import Corpus
from rouge_cli.inputs.evaluation import Evaluation, Instances, in_byte_order
from rouge_cli.metrics.counts import InstanceScores
from rouge_cli.quick_dataclass import dataclass

LEAST_MODELS = 2


@dataclass(frozen=True, slots=True, eq=False)
class Jackknifed:
    """EVALs of which each stands for several: one for each of its models, without that model.

    `whole` has each EVAL once, with the humans among its peers if they are wanted; `evals` are as
    they are in the input. `instances` are those of the whole EVALs; each is counted in parts, the
    instances of the sets.
    """

    whole: Corpus
    evals: Sequence[Evaluation]
    with_humans: bool
    instances: Instances

    def set_evals(self) -> Iterator[Evaluation]:
        """Yield each EVAL once for each of its models, side by side.

        Together they hold the square of the models of an EVAL.
        """
        for evaluation in self.evals:
            yield from leave_one_out(evaluation, with_humans=self.with_humans)

    def sets(self) -> Corpus:
        """Return the sets as a corpus."""
        return self.whole.with_evaluations(self.set_evals())


def jackknife_corpus(corpus: Corpus, *, with_humans: bool) -> Jackknifed:
    """Make the sets of every EVAL.

    If `with_humans`, the models are systems too, each against the others of its EVAL. Their names
    are the IDs of the models, and they stand behind the systems, in byte order. Raises InputError
    naming all EVALs with a single model, or with a human whose name is also that of a system.
    """
    evals = list(corpus.evaluations())
    _check(evals, with_humans=with_humans)
    systems, whole_evals = corpus.systems, evals
    if with_humans:
        systems += tuple(
            in_byte_order({name for evaluation in evals for name in evaluation.humans})
        )
        whole_evals = [
            replace(
                evaluation,
                peers={
                    **evaluation.peers,
                    **dict(zip(evaluation.humans, evaluation.models, strict=True)),
                },
            )
            for evaluation in evals
        ]
    whole = corpus.with_evaluations(whole_evals, systems)
    # A human who is absent from an EVAL is no surprise; a system is.
    absences = corpus.instances().absences
    instances = replace(
        whole.instances(), absences=absences, parts=_parts(whole, evals, with_humans=with_humans)
    )
    return Jackknifed(whole, evals, with_humans, instances)


def _parts(whole: Corpus, evals: Sequence[Evaluation], *, with_humans: bool) -> NDArray[np.int64]:
    """Return the instance of the whole EVALs to which each instance of a set belongs."""
    instances = whole.instances()
    system_numbers = {system: number for number, system in enumerate(whole.systems)}
    keys = zip(instances.eval_ids, instances.system_numbers, strict=True)
    instance_of = {key: instance for instance, key in enumerate(keys)}
    parts = []
    for evaluation in evals:
        peers = [system_numbers[name] for name in evaluation.peers if name in system_numbers]
        for human in evaluation.humans:
            # Not all systems are looked at: humans are systems too, and there may be thousands.
            numbers = sorted([*peers, system_numbers[human]] if with_humans else peers)
            parts += [instance_of[evaluation.id, number] for number in numbers]
    return np.array(parts, np.int64)


def leave_one_out(evaluation: Evaluation, *, with_humans: bool) -> Iterator[Evaluation]:
    """Yield an EVAL once for each of its models, at least two, without that model.

    If `with_humans`, the model that is left out is a peer.
    """
    for number, (human, model) in enumerate(zip(evaluation.humans, evaluation.models, strict=True)):
        yield replace(
            evaluation,
            peers={**evaluation.peers, human: model} if with_humans else evaluation.peers,
            models=evaluation.models[:number] + evaluation.models[number + 1 :],
            model_ids=evaluation.humans[:number] + evaluation.humans[number + 1 :],
        )


def _check(evals: Sequence[Evaluation], *, with_humans: bool) -> None:
    """Refuse EVALs that cannot be jackknifed; raises InputError."""
    too_few = "one model; jackknifing leaves one out, so it needs at least two"
    problems = [
        (f"EVAL {evaluation.id}", too_few)
        for evaluation in evals
        if len(evaluation.models) < LEAST_MODELS
    ]
    if with_humans:
        problems += _name_problems(evals)
    Problems.of("", problems).raise_any()


def _name_problems(evals: Iterable[Evaluation]) -> Iterator[tuple[str, str]]:
    """Yield the EVALs with humans that cannot be told apart from each other or from a system."""
    evals = list(evals)
    systems = {system for evaluation in evals for system in evaluation.peers}
    for evaluation in evals:
        place = f"EVAL {evaluation.id}"
        for human, times in Counter(evaluation.humans).items():
            if times > 1:
                yield place, f"model {human} stands in it {times} times"
            if human in systems:
                yield place, f"model {human} has the name of a system; rename either"


def mean_of_sets(
    scores: InstanceScores, instances: NDArray[np.int64], n_instances: int
) -> InstanceScores:
    """Average the scores and add up the counts of the sets of each instance.

    `instances` has shape (n_sets,): the instance to which each set belongs; each has at least one.
    """
    add_up = partial(_sums, instances=instances, n_instances=n_instances)
    sums = np.stack([add_up(values) for values in scores.values])
    means = sums / np.bincount(instances, minlength=n_instances)
    return InstanceScores(means, None if scores.counts is None else scores.counts.apply(add_up))


def _sums(values: NDArray[Any], instances: NDArray[np.int64], n_instances: int) -> NDArray[Any]:
    """Add up the values, numbers or Python's ints and floats, of each instance, in order."""
    sums = np.zeros(n_instances, np.int64 if values.dtype == np.int32 else values.dtype)
    np.add.at(sums, instances, values)
    return sums
