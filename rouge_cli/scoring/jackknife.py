"""Jackknifing: each peer against all models but one, for every choice of that one.

The scores of an EVAL are averaged over these sets of models. So a human summary, which can only be
measured against the other ones, and a system's are measured against equally many models.
Source: Lin (2004), section 2.1 (the procedure) and section 4 (human performance).
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from rouge_cli.errors import Problems
from rouge_cli.inputs.blocks import Portion
from rouge_cli.inputs.corpus import Corpus, EvaluationCorpus
from rouge_cli.inputs.evaluation import Evaluation, Instances, TextSource, in_byte_order
from rouge_cli.inputs.text_reader import TextReader
from rouge_cli.quick_dataclass import dataclass

__all__ = ["JackknifeCorpus", "jackknife_corpus", "leave_one_out"]

LEAST_MODELS = 2


@dataclass(frozen=True, slots=True, eq=False)
class JackknifeCorpus:
    """A corpus in which each EVAL stands once for each of its models, without that model.

    Parameters
    ----------
    whole : EvaluationCorpus
        The EVALs, with the humans among the systems and the peers if they are wanted.
    given : sequence of Evaluation
        The EVALs as they were.
    absences : tuple of str
        A warning for each system, not human, that is absent from an EVAL.
    """

    whole: EvaluationCorpus
    given: Sequence[Evaluation]
    with_humans: bool
    absences: tuple[str, ...]

    @property
    def name(self) -> str:
        """What the user called the input."""
        return self.whole.name

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems, and behind them the humans."""
        return self.whole.systems

    @property
    def reader(self) -> TextReader:
        """What reads the texts."""
        return self.whole.reader

    @property
    def has_lists(self) -> bool:
        """Whether some text came as a list of its sentences."""
        return self.whole.has_lists

    @property
    def is_original(self) -> bool:
        """Whether ROUGE-1.5.5 reads the EVALs as they are; it knows no jackknifing."""
        return self.whole.is_original

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the user should know of how it was read."""
        return self.whole.warnings

    @property
    def notes(self) -> tuple[str, ...]:
        """How it was read."""
        return self.whole.notes

    def evaluations(self) -> Iterator[Evaluation]:
        """Yield each EVAL once for each of its models, side by side.

        Together they hold the square of the models of an EVAL.
        """
        for one in self.given:
            yield from leave_one_out(one, with_humans=self.with_humans)

    def portions(self) -> Iterator[Portion]:
        """Yield the work: the sets."""
        sets = list(self.evaluations())
        return EvaluationCorpus.of(self.whole, sets, self.systems).portions()

    def instances(self) -> Instances:
        """Return the instances of the whole EVALs, and to which of them each of a set belongs."""
        instances = self.whole.instances()
        of_whole = {system: number for number, system in enumerate(self.systems)}
        keys = zip(instances.eval_ids, instances.system_numbers, strict=True)
        places = {key: place for place, key in enumerate(keys)}
        parts = [
            places[one.id, of_whole[system]]
            for one in self.given
            for human in one.humans
            for system in self.systems
            if system in one.peers or (self.with_humans and system == human)
        ]
        return replace(instances, absences=self.absences, parts=np.array(parts, np.int64))


def jackknife_corpus(corpus: Corpus, *, with_humans: bool) -> JackknifeCorpus:
    """Make the sets of every EVAL.

    Parameters
    ----------
    with_humans : bool
        Whether the models are systems too, each against the others of its EVAL. Their names are
        the IDs of the models, and they stand behind the systems, in byte order.

    Raises
    ------
    InputError
        All EVALs with a single model, or with a human whose name is also that of a system.
    """
    evals = list(corpus.evaluations())
    _check(evals, with_humans=with_humans)
    systems, whole = corpus.systems, evals
    if with_humans:
        systems += tuple(in_byte_order({name for one in evals for name in one.humans}))
        whole = [replace(one, peers=_with_humans(one)) for one in evals]
    return JackknifeCorpus(
        EvaluationCorpus.of(corpus, whole, systems),
        evals,
        with_humans,
        corpus.instances().absences,
    )


def leave_one_out(evaluation: Evaluation, *, with_humans: bool) -> Iterator[Evaluation]:
    """Yield an EVAL once for each of its models, without that model.

    Parameters
    ----------
    evaluation : Evaluation
        With at least two models.
    with_humans : bool
        Whether the model that is left out is a peer.
    """
    for number, (human, model) in enumerate(zip(evaluation.humans, evaluation.models, strict=True)):
        yield replace(
            evaluation,
            peers={**evaluation.peers, human: model} if with_humans else evaluation.peers,
            models=evaluation.models[:number] + evaluation.models[number + 1 :],
            model_ids=evaluation.humans[:number] + evaluation.humans[number + 1 :],
        )


def _with_humans(evaluation: Evaluation) -> dict[str, TextSource]:
    """Return the peers of an EVAL and its models, by their IDs."""
    return {**evaluation.peers, **dict(zip(evaluation.humans, evaluation.models, strict=True))}


def _check(evals: Sequence[Evaluation], *, with_humans: bool) -> None:
    """Refuse EVALs that cannot be jackknifed; raises InputError."""
    too_few = "one model; jackknifing leaves one out, so it needs at least two"
    problems = [(f"EVAL {one.id}", too_few) for one in evals if len(one.models) < LEAST_MODELS]
    if with_humans:
        problems += _name_problems(evals)
    Problems.of("", problems).raise_any()


def _name_problems(evals: Iterable[Evaluation]) -> Iterator[tuple[str, str]]:
    """Yield the EVALs with humans that cannot be told apart from each other or from a system."""
    evals = list(evals)
    systems = {system for one in evals for system in one.peers}
    for one in evals:
        for human, times in Counter(one.humans).items():
            if times > 1:
                yield f"EVAL {one.id}", f"model {human} stands in it {times} times"
            if human in systems:
                yield f"EVAL {one.id}", f"model {human} has the name of a system; rename either"
