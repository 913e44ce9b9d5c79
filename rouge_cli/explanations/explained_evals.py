"""Explanations of selected EVALs, with the parts of their texts that no metric reads."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from itertools import chain, repeat
from os.path import commonprefix
from typing import Annotated, NamedTuple

from rouge_cli.errors import OptionError, name_advice
from rouge_cli.escapes import escaped
from rouge_cli.explanations import (
    MetricExplanation,
    PairExplanation,
    ScoredCounts,
    SeenText,
    explain_batch,
)
from rouge_cli.inputs.batch import InputText
from rouge_cli.inputs.index import EvalTexts, HeldInput, Input
from rouge_cli.metrics.counts import Match, Place
from rouge_cli.metrics.metric import scored_metrics
from rouge_cli.options.options import OPTIONS, Options
from rouge_cli.options.scores import FORMULAS, MEASURE_NAMES
from rouge_cli.options.studies import ExplanationOptions
from rouge_cli.options.texts import TextOptions
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports.rows import Shown
from rouge_cli.run.pipeline import RunContext, score_input
from rouge_cli.scores.reportable import EvalOrder, RankedEval, sort_key
from rouge_cli.scores.signature import scored_signature
from rouge_cli.text.columns import decoded
from rouge_cli.text.languages import TextForm
from rouge_cli.text.tokenizer import Tokenizer, load_tokenizer


@dataclass(frozen=True, slots=True)
class LeftOut:
    """The parts of a text that are left out."""

    beyond_limit: Annotated[
        tuple[str, ...],
        Shown("The words beyond the limit, beginning with one that the limit cuts."),
    ] = ()
    cut_to: Annotated[
        str, Shown("The rest of that word; empty if the limit does not cut a word.")
    ] = ""
    stopwords: Annotated[
        tuple[str, ...], Shown("Those within the limit, in the order of the text.")
    ] = ()
    letters: Annotated[
        Mapping[str, int],
        Shown(
            "Letters that are in no word and their number, in order of first occurrence.",
            schema={"additionalProperties": {"type": "integer", "minimum": 1}},
        ),
    ] = field(default_factory=dict)


class TextSieve:
    """Finds the omitted parts of texts by reading them with and without limit and stopwords."""

    def __init__(self, options: TextOptions, environment: Mapping[str, str]) -> None:
        self._options = options
        unstemmed = replace(options, stem=False, stem_models=False, stemmer=None)
        unfiltered = replace(unstemmed, remove_stopwords=False, stopwords=None, data_dir=None)
        self._limited = load_tokenizer(unfiltered, environment)
        self._whole = load_tokenizer(replace(unfiltered, words=0, bytes=0), environment)
        self._final = load_tokenizer(unstemmed, environment)

    def left_out(self, text: bytes) -> LeftOut:
        """Return the parts of a text that ROUGE-N does not read; raises TextDecodeError."""
        whole, limited = _words(self._whole, text), _words(self._limited, text)
        # Both readings agree up to the word that the limit cuts.
        n_whole = len(commonprefix([whole, limited]))  # noqa: RUF071 - of words
        kept = iter(_words(self._final, text))
        expected, stopwords = next(kept, None), []
        for word in limited:
            # Stopwords are removed everywhere, so a word equal to the next kept one is that one.
            if word == expected:
                expected = next(kept, None)
            else:
                stopwords.append(word)
        return LeftOut(
            tuple(whole[n_whole:]),
            " ".join(limited[n_whole:]),
            tuple(stopwords),
            self._letters(text, whole),
        )

    def _letters(self, text: bytes, words: list[str]) -> dict[str, int]:
        if self._options.reads_as_original:
            # Every ASCII letter is in a word, and no other letter is.
            others = (letter for letter in decoded(text) if not letter.isascii())
            return dict(Counter(filter(str.isalpha, others)))
        form = TextForm.from_options(self._options)
        letters = filter(str.isalpha, form.cased(form.normalised(text.decode())))
        return dict(Counter(letters) - Counter("".join(words)))


def _words(tokenizer: Tokenizer, text: bytes) -> list[str]:
    spelling = tokenizer.read([text], with_unsummed=False).spell()
    words = [word.decode("utf-8", "backslashreplace") for word in spelling.words]
    return [words[word_type] for word_type in spelling.columns.types.tolist()]


@dataclass(frozen=True, slots=True)
class Question:
    """The scores to explain.

    - `systems`: if empty, all systems.
    - `order`: how EVALs are chosen if they are not named.
    - `against`: a system to show beside the others; `order` then ranks by their lead over it.
    """

    systems: tuple[str, ...] = ()
    eval_ids: tuple[str, ...] = ()
    order: EvalOrder | None = None
    against: str | None = None

    @property
    def shown_systems(self) -> tuple[str, ...]:
        """The systems to explain, followed by `against`."""
        others = () if self.against is None else (self.against,)
        return tuple(dict.fromkeys((*self.systems, *others)))

    @classmethod
    def from_options(cls, options: Options, choices: ExplanationOptions) -> "Question":
        """Return the systems and EVALs to explain; raises OptionError."""
        if options.scores.jackknife:
            raise OptionError(
                "--jackknife scores a text several times, without one reference each; leave it "
                "out: the score against each single reference is shown anyway"
            )
        order = None
        if choices.worst or choices.best:
            metric, letter = sort_key(choices.sort, scored_metrics(options.metrics))
            order = EvalOrder(
                metric.name, letter, choices.best, choices.worst, metric.is_lower_better
            )
        return cls(choices.system_ids, choices.eval_ids, order, choices.against)


@dataclass(frozen=True, slots=True)
class SourceText:
    """A text of the input."""

    name: Annotated[
        str,
        Shown(
            "The ID of the system or of the reference; references without IDs are A, B and so on.",
            column="system",
        ),
    ]
    place: Annotated[str, Shown("The file, with the line if the file has many texts.", column="")]
    sentences: Annotated[
        tuple[str, ...],
        Shown("With --texts: the lines of the text, which may be Basic Elements.", optional=True),
    ]
    left_out: Annotated[LeftOut, Shown("The parts that ROUGE-N does not read.", column="")]


@dataclass(frozen=True, slots=True)
class ExplainedPeer:
    """The peer of a system in an EVAL, and the explanation of its scores.

    `rank` has the score by which the EVAL was chosen; it is None if the EVAL was named.
    """

    text: SourceText
    metrics: tuple[MetricExplanation, ...]
    rank: RankedEval | None = None


@dataclass(frozen=True, slots=True)
class ExplainedEval:
    """An EVAL with its models and explained peers."""

    id: str
    models: tuple[SourceText, ...]
    peers: tuple[ExplainedPeer, ...]


@dataclass(frozen=True, slots=True)
class ExplainedRun:
    """The explained EVALs, in the order of the question, and the options after the run."""

    evals: tuple[ExplainedEval, ...]
    question: Question
    options: Options
    warnings: tuple[str, ...] = ()


def explain(
    source: Input, question: Question, options: Options, context: RunContext
) -> ExplainedRun:
    """Explain the scores of some systems in some EVALs of an input.

    Raises InputError, and OptionError for an EVAL or a system that is not in the input, or if there
    are several EVALs, and the question neither names nor chooses any.
    """
    question, evals, ranks = _chosen_evals(source, question, options, context)
    present = {system for texts in evals for system in texts.peers}
    systems = tuple(system for system in question.shown_systems if system in present)
    # Score these EVALs alone: this shows which peers --empty leaves out, and gives the warnings.
    part = HeldInput(evals, systems, source)
    results = score_input(part, options, context)
    scored = {name: frozenset(system.eval_ids) for name, system in results.systems.items()}
    tokenizer = load_tokenizer(options.texts, context.environment)
    explanations = chain.from_iterable(
        explain_batch(batch, options, tokenizer) for batch in part.batches()
    )
    sieve = None
    if not options.metrics.reads_only_elements:
        sieve = TextSieve(options.texts, context.environment)
    explained = []
    for texts in evals:
        peers = []
        for system in [name for name in systems if name in texts.peers]:
            metrics = next(explanations)
            # --empty skip leaves out peers, and EVALs with them.
            if texts.id in scored.get(system, ()):
                peer = _source_text(texts.peers[system], system, sieve)
                peers.append(ExplainedPeer(peer, metrics, ranks.get((texts.id, system))))
        if peers:
            models = map(_source_text, texts.models, texts.humans, repeat(sieve))
            explained.append(ExplainedEval(texts.id, tuple(models), tuple(peers)))
    absences = part.index.absences()
    score_warnings = (warning for warning in results.warnings if warning not in absences)
    explicit = [declared for name, declared in OPTIONS.items() if name in options.explicit]
    spellings = [declared.spelling for declared in explicit if declared.is_averaging]
    ignored = [f"no effect on the scores of a text: {', '.join(spellings)}"] if spellings else []
    warnings = (*ignored, *source.index.warnings, *score_warnings)
    return ExplainedRun(tuple(explained), question, results.options, warnings)


def _source_text(text: InputText, name: str, sieve: TextSieve | None) -> SourceText:
    left_out = LeftOut() if sieve is None else sieve.left_out(text.content)
    return SourceText(name, text.place, tuple(decoded(text.content).split("\n")), left_out)


Ranks = dict[tuple[str, str], RankedEval]
"""The scores by which EVALs were chosen, by EVAL and system."""


def _chosen_evals(
    source: Input, question: Question, options: Options, context: RunContext
) -> tuple[Question, list[EvalTexts], Ranks]:
    """Return the question with the names of its systems, the texts that it asks for, and ranks."""
    ranks: Ranks = {}
    wanted: dict[str, list[str]] = {}
    if (order := question.order) is None:
        index = source.complete()
        question = replace(question, systems=_chosen_systems(index.order, question))
        for name in _named(index.eval_ids, question.eval_ids):
            wanted[name] = list(question.systems)
    else:
        # If the systems are known before the input is read, refuse an unknown one before scoring.
        if known := source.index.order:
            _chosen_systems(known, question)
        scored = score_input(source, options, context).systems
        question = replace(question, systems=_chosen_systems(source.index.order, question))
        other = None if question.against is None else scored[question.against]
        # An EVAL that several systems choose is explained once, for all of them.
        for system in question.systems:
            for ranked in order.chosen(scored[system], other):
                ranks[ranked.id, system] = ranked
                wanted.setdefault(ranked.id, []).append(system)
    others = () if question.against is None else (question.against,)
    read = {texts.id: texts for texts in source.evals(wanted)}
    evals = [
        _with_peers(read.get(name) or EvalTexts(name, {}, ()), (*systems, *others))
        for name, systems in wanted.items()
    ]
    return question, evals, ranks


def _chosen_systems(known: Sequence[str], question: Question) -> tuple[str, ...]:
    for system in question.shown_systems:
        if system not in known:
            raise OptionError(f"no system {system!r} in the input; {name_advice(system, known)}")
    if set(question.systems) == {question.against}:
        raise OptionError(f"--against: {question.against!r} is the system itself; name another")
    chosen = tuple(dict.fromkeys(question.systems)) or tuple(known)
    return tuple(system for system in chosen if system != question.against)


def _named(known: Sequence[str], names: Sequence[str]) -> Sequence[str]:
    if not names and len(known) > 1:
        raise OptionError(
            f"{len(known)} texts in the input; name one with --eval ID, such as {escaped(known[0])}"
            ", or choose by score with --worst N or --best N"
        )
    for name in frozenset(names).difference(known):
        raise OptionError(f"--eval: no text {name!r} in the input; {name_advice(name, known)}")
    return names or known


def _with_peers(texts: EvalTexts, systems: Sequence[str]) -> EvalTexts:
    peers = {system: texts.peers[system] for system in systems if system in texts.peers}
    if not peers:
        raise OptionError(
            f"text {escaped(texts.id)} has no prediction of {', '.join(map(escaped, systems))}; it "
            f"has those of {', '.join(map(escaped, texts.peers)) or 'no system'}"
        )
    return replace(texts, peers=peers)


MARKS = "For each word {}: 0 (matches nothing), 1 (matches, but is clipped) or 2 (counts)."
ONE_MARK = {"items": {"enum": [0, 1, 2]}}


class LetterScores(NamedTuple):
    """The scores of a metric by letter: recall, precision and F, or a single score."""

    recall: Annotated[float | None, Shown(key="R", column="recall", optional=True)] = None
    precision: Annotated[float | None, Shown(key="P", column="precision", optional=True)] = None
    f_measure: Annotated[float | None, Shown(key="F", column="f_measure", optional=True)] = None
    score: Annotated[float | None, Shown(key="S", column="score", optional=True)] = None


class MatchRow(NamedTuple):
    """A unit in both texts; an occurrence is a list of words, counted from 0."""

    peer: Annotated[tuple[Place, ...], Shown("Its occurrences in the prediction.")]
    model: Annotated[tuple[Place, ...], Shown("Its occurrences in the reference.")]
    hits: Annotated[int, Shown("How many occurrences of each side count, from the first on.")]
    similarity: Annotated[
        float | None, Shown("The lowest cosine of its words in ROUGE-soft-N.", optional=True)
    ]


class AlignmentRow(NamedTuple):
    """The LCS of a sentence of the model with a sentence of the peer."""

    model_sentence: Annotated[int, Shown("The sentence of the reference, counted from 0.")]
    peer_sentence: Annotated[int, Shown("The sentence of the prediction, counted from 0.")]
    words: Annotated[
        tuple[tuple[int, int], ...],
        Shown(
            "Pairs of a word of the reference and a word of the prediction.", schema={"minItems": 1}
        ),
    ]


class RunRow(NamedTuple):
    """A run of ROUGE-W."""

    start: Annotated[int, Shown("Its first word.")]
    end: Annotated[int, Shown("The word behind its last one.")]
    length: Annotated[int, Shown("How many of these words count.")]
    weight: Annotated[float, Shown("What they add to the hit.")]


class PairRow(NamedTuple):
    """A peer and one of its models, in one metric."""

    model: Annotated[str, Shown("The ID of the reference.")]
    is_counted: Annotated[
        bool, Shown("False for a reference that formula B or best-f does not choose.")
    ]
    scores: Annotated[
        LetterScores, Shown("Of this pair alone.", schema={"required": ["R", "P", "F"]})
    ]
    counts: Annotated[ScoredCounts, Shown("Of this pair alone.")]
    peer_reading: Annotated[int, Shown("The place of the prediction in readings, from 0.")]
    model_reading: Annotated[int, Shown("The place of the reference in readings, from 0.")]
    peer_marks: Annotated[
        tuple[int, ...], Shown(MARKS.format("of the prediction"), schema=ONE_MARK)
    ]
    model_marks: Annotated[
        tuple[int, ...], Shown(MARKS.format("of the reference"), schema=ONE_MARK)
    ]
    matches: Annotated[Sequence[MatchRow], Shown("What both texts have, by the reference.")]
    peer_matches: Annotated[
        Sequence[MatchRow] | None,
        Shown("The matches for precision, if these differ: in LCS-pairwise.", optional=True),
    ]
    alignments: Annotated[
        tuple[AlignmentRow, ...],
        Shown(
            "The LCS of each sentence of the reference with each one of the prediction that shares "
            "a word.",
            optional=True,
        ),
    ]
    runs: Annotated[tuple[RunRow, ...], Shown("The runs of ROUGE-W.", optional=True)]


class MetricRow(NamedTuple):
    """A peer in one metric."""

    name: Annotated[str, Shown("Name of the metric.", column="metric")]
    scores: Annotated[
        LetterScores,
        Shown(
            "By R, P and F, or by S for a metric with a single score.",
            schema={"minProperties": 1},
        ),
    ]
    root: Annotated[
        float | None,
        Shown("W of ROUGE-W: recall and precision are W-th roots.", column="", optional=True),
    ]
    counts: Annotated[
        ScoredCounts | None, Shown("Absent for metrics that do not count.", optional=True)
    ]
    pairs: Annotated[
        tuple[PairRow, ...],
        Shown(
            "The prediction against each reference; absent for metrics that do not count.",
            optional=True,
            schema={"minItems": 1},
        ),
    ]


class RankRow(NamedTuple):
    """The score that an EVAL was chosen by."""

    score: Annotated[float, Shown("Of the system.")]
    against: Annotated[float | None, Shown("Of the system of --against.")]


class PeerRow(NamedTuple):
    """A peer with the explanation of its scores."""

    text: Annotated[SourceText, Shown(is_inline=True)]
    chosen_by: Annotated[
        RankRow | None,
        Shown("With --best and --worst: the score of the choice.", column="", optional=True),
    ]
    metrics: Annotated[
        tuple[MetricRow, ...], Shown("In the order of print.", schema={"minItems": 1})
    ]


class EvalRow(NamedTuple):
    """An EVAL."""

    id: Annotated[str, Shown("The ID of the text.", column="eval")]
    models: Annotated[tuple[SourceText, ...], Shown("Its references.")]
    systems: Annotated[
        tuple[PeerRow, ...], Shown("The predictions of the systems.", schema={"minItems": 1})
    ]
    readings: Annotated[
        tuple[SeenText, ...], Shown("Each text as metrics read it; equal readings once.")
    ]


class ExplanationReport(NamedTuple):
    """Explained EVALs."""

    signature: Annotated[str, Shown("How each text is scored.", schema={"pattern": "^rouge-cli:"})]
    formula: Annotated[
        str,
        Shown("How several references make one score.", column="", schema={"enum": list(FORMULAS)}),
    ]
    alpha: Annotated[
        float,
        Shown("Weight of precision in F.", column="", schema={"minimum": 0, "maximum": 1}),
    ]
    evals: Annotated[tuple[EvalRow, ...], Shown("The texts, as requested.")]


def explanation_report(run: ExplainedRun, *, with_texts: bool) -> ExplanationReport:
    """Return explanations in the form of reports; `with_texts` adds the lines of the texts."""
    scores = run.options.scores
    evals = tuple(_eval_row(explained, with_texts=with_texts) for explained in run.evals)
    signature = scored_signature(run.options)
    return ExplanationReport(signature, scores.formula, scores.alpha.value, evals)


def _eval_row(explained: ExplainedEval, *, with_texts: bool) -> EvalRow:
    # Most metrics read a text in the same way, so each reading is written once, and pairs refer to
    # it by number.
    readings = dict.fromkeys(
        text
        for peer in explained.peers
        for metric in peer.metrics
        for pair in metric.pairs
        for text in (pair.peer, pair.model)
    )
    numbers = {text: number for number, text in enumerate(readings)}

    def shown(text: SourceText) -> SourceText:
        return text if with_texts else replace(text, sentences=())

    names = [model.name for model in explained.models]
    peers = tuple(
        PeerRow(
            shown(peer.text),
            None if peer.rank is None else RankRow(peer.rank.score, peer.rank.other),
            tuple(_metric_row(metric, names, numbers) for metric in peer.metrics),
        )
        for peer in explained.peers
    )
    return EvalRow(explained.id, tuple(map(shown, explained.models)), peers, tuple(readings))


def _metric_row(
    metric: MetricExplanation, models: Sequence[str], numbers: Mapping[SeenText, int]
) -> MetricRow:
    names = [MEASURE_NAMES[letter] for letter in metric.metric.measures]
    # A metric that does not count has no pairs.
    pairs = zip(metric.pairs, models, strict=metric.tally is not None)
    return MetricRow(
        metric.metric.name,
        LetterScores(**dict(zip(names, metric.values, strict=True))),
        metric.root,
        metric.tally,
        tuple(_pair_row(pair, model, numbers) for pair, model in pairs),
    )


def _pair_row(pair: PairExplanation, model: str, numbers: Mapping[SeenText, int]) -> PairRow:
    marks = pair.marks
    return PairRow(
        model,
        pair.is_counted,
        LetterScores(*pair.tally.values),
        pair.tally,
        numbers[pair.peer],
        numbers[pair.model],
        tuple(pair.peer_states),
        tuple(pair.model_states),
        _match_rows(marks.matches),
        None if marks.peer_matches is None else _match_rows(marks.peer_matches),
        tuple(
            AlignmentRow(item.model_sentence, item.peer_sentence, item.words)
            for item in marks.alignments
        ),
        tuple(RunRow(run.start, run.end, run.length, run.weight) for run in marks.runs),
    )


def _match_rows(matches: Iterable[Match]) -> list[MatchRow]:
    # A list: JSON leaves out an empty tuple of an optional value.
    return [MatchRow(match.peer, match.model, match.hits, match.similarity) for match in matches]
