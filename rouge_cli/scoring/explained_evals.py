"""From an input to the explanation of some of its EVALs."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

from rouge_cli.errors import OptionError, close_to
from rouge_cli.escapes import escaped
from rouge_cli.inputs.corpus import Corpus, EvaluationCorpus, scored_evaluations
from rouge_cli.inputs.evaluation import Evaluation, TextSource
from rouge_cli.options.every import Options
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.scoring.context import RunContext
from rouge_cli.scoring.eval_order import EvalOrder, RankedEval
from rouge_cli.scoring.explaining import explain_portion
from rouge_cli.scoring.explanation import MetricExplanation
from rouge_cli.scoring.left_out import LeftOut, TextSieve, shown
from rouge_cli.scoring.pipeline import score_corpus
from rouge_cli.text.tokenizer import load_tokenizer

__all__ = [
    "ExplainedEval",
    "ExplainedPeer",
    "ExplainedRun",
    "Question",
    "SourceText",
    "explain",
]

MOST_NAMES = 10


@dataclass(frozen=True, slots=True)
class Question:
    """Which scores are to be explained.

    Parameters
    ----------
    systems : tuple of str
        All of the input if there are none.
    order : EvalOrder or None
        Which EVALs stand out, if they are not named.
    against : str or None
        A system that is shown beside the others, and from which their lead is taken.
    """

    systems: tuple[str, ...] = ()
    eval_ids: tuple[str, ...] = ()
    order: EvalOrder | None = None
    against: str | None = None


@dataclass(frozen=True, slots=True)
class SourceText:
    """A text as it stands in the input.

    Parameters
    ----------
    name : str
        The ID of the system, or of the model: A, B ... where models have none.
    place : str
        The file, and the line where one file holds many texts.
    sentences : tuple of str
        Or the lines of Basic Elements.
    left_out : LeftOut
        What ROUGE-N does not see of it.
    """

    name: str
    place: str
    sentences: tuple[str, ...]
    left_out: LeftOut


@dataclass(frozen=True, slots=True)
class ExplainedPeer:
    """What a system wrote for an EVAL, and why it scores what it does.

    Parameters
    ----------
    rank : RankedEval or None
        By what the EVAL was chosen for this system; None if it was named.
    """

    text: SourceText
    metrics: tuple[MetricExplanation, ...]
    rank: RankedEval | None = None


@dataclass(frozen=True, slots=True)
class ExplainedEval:
    """One EVAL: the models, and the peers of the systems that are explained."""

    id: str
    models: tuple[SourceText, ...]
    peers: tuple[ExplainedPeer, ...]


@dataclass(frozen=True, slots=True)
class ExplainedRun:
    """Some EVALs, explained.

    Parameters
    ----------
    evals : tuple of ExplainedEval
        In the order that was asked for.
    question : Question
        With the systems that are explained.
    options : Options
        All that is known of how they are scored.
    """

    evals: tuple[ExplainedEval, ...]
    question: Question
    options: Options
    warnings: tuple[str, ...] = ()


def explain(
    corpus: Corpus, question: Question, options: Options, context: RunContext
) -> ExplainedRun:
    """Explain the scores of some systems in some EVALs of a corpus.

    Parameters
    ----------
    corpus : Corpus
        With all systems that may be asked for.

    Raises
    ------
    OptionError
        For an EVAL or a system that the input does not have, and if EVALs are neither named nor
        chosen where there are several.
    InputError
    """
    question = replace(question, systems=_systems(corpus.systems, question))
    ranks: Ranks = {}
    if question.order is None:
        evaluations = _named(corpus, question)
    else:
        evaluations, ranks = _ranked(corpus, question, question.order, options, context)
    asked = dict.fromkeys([*question.systems, *_beside(question)])
    present = {system for evaluation in evaluations for system in evaluation.peers}
    systems = tuple(one for one in asked if one in present)
    part = replace(
        EvaluationCorpus.of(corpus, evaluations, systems), is_original=corpus.is_original
    )
    results = score_corpus(part, options, context)
    kept = {(one, system.id) for system in results.systems.values() for one in system.eval_ids}
    explained = (
        replace(one, peers=tuple(peer for peer in one.peers if (one.id, peer.text.name) in kept))
        for one in _explained(part, ranks, options, context)
    )
    evals = tuple(one for one in explained if one.peers)
    absences = part.instances().absences
    warnings = tuple(one for one in results.warnings if one not in absences)
    return ExplainedRun(evals, question, results.options, warnings)


Ranks = dict[tuple[str, str], RankedEval]
"""By EVAL and system."""


def _systems(known: Sequence[str], question: Question) -> tuple[str, ...]:
    """Return the systems to explain; raises OptionError for one that is not there."""
    for system in (*question.systems, *_beside(question)):
        if system not in known:
            raise OptionError(f"no system {system!r} in the input; {_advice(system, known)}")
    if question.against is not None and question.systems == (question.against,):
        raise OptionError(f"--against: {question.against!r} is the system itself; name another")
    chosen = tuple(dict.fromkeys(question.systems)) or tuple(known)
    return tuple(one for one in chosen if one != question.against)


def _beside(question: Question) -> tuple[str, ...]:
    """Return the system that the others are held against, if there is one."""
    return () if question.against is None else (question.against,)


def _advice(word: str, known: Sequence[str]) -> str:
    """Say which name could be meant, or which there are."""
    close = close_to(word, known)
    if close is not None:
        return f"did you mean {close!r}?"
    more = len(known) - MOST_NAMES
    others = f", and {more} more" if more > 0 else ""
    return f"known are: {', '.join(map(escaped, known[:MOST_NAMES]))}{others}"


def _named(corpus: Corpus, question: Question) -> list[Evaluation]:
    """Return the EVALs that are named, or the only one; raises OptionError."""
    wanted, found, known = set(question.eval_ids), {}, []
    for evaluation in corpus.evaluations():
        known.append(evaluation.id)
        if not wanted or evaluation.id in wanted:
            found[evaluation.id] = evaluation
    if not wanted and len(known) > 1:
        raise OptionError(
            f"{len(known)} EVALs in the input; name one with --eval ID, such as {escaped(known[0])}"
            ", or choose by score with --worst N or --best N"
        )
    for name in question.eval_ids:
        if name not in found:
            raise OptionError(f"--eval: no EVAL {name!r} in the input; {_advice(name, known)}")
    names = dict.fromkeys(question.eval_ids or known)
    return [_with_peers(found[name], (*question.systems, *_beside(question))) for name in names]


def _with_peers(evaluation: Evaluation, systems: Sequence[str]) -> Evaluation:
    """Return an EVAL with the peers of some systems; raises OptionError if there are none."""
    peers = {one: evaluation.peers[one] for one in systems if one in evaluation.peers}
    if not peers:
        raise OptionError(
            f"EVAL {escaped(evaluation.id)} has no peer of {', '.join(map(escaped, systems))}; it "
            f"has those of {', '.join(map(escaped, evaluation.peers)) or 'no system'}"
        )
    return replace(evaluation, peers=peers)


def _ranked(
    corpus: Corpus, question: Question, order: EvalOrder, options: Options, context: RunContext
) -> tuple[list[Evaluation], Ranks]:
    """Score all EVALs, and return those that stand out, each with the systems that it is of."""
    evaluations = {one.id: one for one in scored_evaluations(corpus)}
    systems = tuple(dict.fromkeys([*question.systems, *_beside(question)]))
    whole = EvaluationCorpus.of(corpus, evaluations.values(), systems)
    scored = score_corpus(whole, options, context).systems
    other = None if question.against is None else scored[question.against]
    ranks = {
        (one.id, system): one
        for system in question.systems
        for one in order.chosen(scored[system], other)
    }
    chosen: dict[str, list[str]] = {}
    for name, system in ranks:
        chosen.setdefault(name, []).append(system)
    return [
        _with_peers(evaluations[name], (*of_eval, *_beside(question)))
        for name, of_eval in chosen.items()
    ], ranks


def _explained(
    part: EvaluationCorpus, ranks: Ranks, options: Options, context: RunContext
) -> Iterator[ExplainedEval]:
    """Yield the EVALs of a corpus, explained."""
    tokenizer = load_tokenizer(options.texts, context.environment)
    explanations = chain.from_iterable(
        explain_portion(portion, options, tokenizer) for portion in part.portions()
    )
    texts = _Texts(part, options, context)
    for evaluation in part.evals:
        peers = []
        for system in (one for one in part.systems if one in evaluation.peers):
            peer = texts.text(evaluation, evaluation.peers[system], system)
            rank = ranks.get((evaluation.id, system))
            peers.append(ExplainedPeer(peer, next(explanations).metrics, rank))
        yield ExplainedEval(evaluation.id, tuple(texts.models(evaluation)), tuple(peers))


class _Texts:
    """Reads texts once more, for those who look at them."""

    def __init__(self, corpus: Corpus, options: Options, context: RunContext) -> None:
        self._reader = corpus.reader
        reads_words = not options.metrics.reads_only_elements
        self._sieve = TextSieve(options.texts, context.environment) if reads_words else None

    def text(self, evaluation: Evaluation, source: TextSource, name: str) -> SourceText:
        """Return a text."""
        text = self._reader.read(evaluation.id, source)
        left_out = LeftOut() if self._sieve is None else self._sieve.left_out(text)
        return SourceText(name, source.place, tuple(shown(text).split("\n")), left_out)

    def models(self, evaluation: Evaluation) -> Iterator[SourceText]:
        """Yield the models of an EVAL."""
        for name, source in zip(evaluation.humans, evaluation.models, strict=True):
            yield self.text(evaluation, source, name)
