"""Explanations of scores: of each instance of a batch, and of selected EVALs.

Marks come from the code that counts (see `rouge_cli.metrics.counts`), and scores from the code that
scores. Reports and pages only show the records, and compute nothing. Selected EVALs come with the
parts of their texts that no metric reads.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import chain, pairwise, repeat
from os.path import commonprefix
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import OptionError, name_advice
from rouge_cli.escapes import escaped
from rouge_cli.inputs.batch import Batch, InputText
from rouge_cli.inputs.index import EvalTexts, HeldInput, Input
from rouge_cli.metrics.counts import Counts, MarkedPairs, PairMarks, ScoredMetric, SeenTexts
from rouge_cli.metrics.formulas import Metric
from rouge_cli.metrics.metric import metrics_of, scored_metrics
from rouge_cli.metrics.paired_texts import PairedTexts
from rouge_cli.options.options import OPTIONS, Options
from rouge_cli.options.scores import ScoreOptions
from rouge_cli.options.studies import ExplanationOptions
from rouge_cli.options.texts import TextOptions
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports.rows import Shown
from rouge_cli.run.counting import read_batch
from rouge_cli.run.pipeline import RunContext, score_input
from rouge_cli.scores.reportable import EvalOrder, RankedEval, sort_key
from rouge_cli.text.columns import decoded
from rouge_cli.text.languages import TextForm
from rouge_cli.text.tokenizer import Tokenizer, load_tokenizer

NO_MARKS = PairMarks(())


@dataclass(frozen=True, slots=True)
class SeenText:
    """A text as a metric reads it: cut to its limit, without stopwords."""

    words: Annotated[
        tuple[str, ...], Shown("The words, not stemmed; in ROUGE-BE the Basic Elements.")
    ]
    sentence_ends: Annotated[
        tuple[int, ...],
        Shown("The word, counted from 0, before which each sentence ends; sentences may be empty."),
    ]
    stems: Annotated[
        tuple[str, ...],
        Shown("What is compared in place of the words; absent without stemming.", optional=True),
    ] = ()


@dataclass(frozen=True, slots=True)
class ScoredCounts:
    """Counts as in `PairCounts`, and the resulting recall, precision and F, rounded."""

    hit: Annotated[float, Shown("The numerator.", column="hit_count")]
    model_count: Annotated[float, Shown("The denominator of recall.")]
    peer_count: Annotated[float, Shown("The denominator of precision.")]
    peer_hit: Annotated[
        float | None,
        Shown(
            "The numerator of precision if it is not hit: in LCS-pairwise.",
            column="",
            optional=True,
            schema={"type": "integer"},
        ),
    ]
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class PairExplanation:
    """A peer and one of its models, in one metric.

    - `tally`: the counts and scores of this pair alone.
    - `is_counted`: whether it contributes to the score; formula B and best-f choose a single model.
    - `peer_states`, `model_states`: the state of each word: `UNMATCHED`, `CLIPPED` or `COUNTED` of
      `rouge_cli.metrics.counts`. A word of several n-grams or skip-bigrams counts if any of them
      does.
    - `marks`: matches in the order of the model; empty if they are not needed.
    """

    tally: ScoredCounts
    is_counted: bool
    peer: SeenText
    model: SeenText
    peer_states: bytes
    model_states: bytes
    marks: PairMarks = NO_MARKS


@dataclass(frozen=True, slots=True)
class MetricExplanation:
    """A peer and all its models, in one metric.

    - `values`: the score of each measure, as in the score table.
    - `tally`: the counts behind the values; None if the metric does not count.
    - `pairs`: one for each model, in the order of the EVAL; empty if the metric does not count.
    - `root`: W of ROUGE-W, whose recall and precision are W-th roots; None in other metrics.
    """

    metric: ScoredMetric
    values: tuple[float, ...]
    tally: ScoredCounts | None
    pairs: tuple[PairExplanation, ...] = ()
    root: float | None = None


InstanceExplanation = tuple[MetricExplanation, ...]
"""The explanation of a peer in an EVAL: one for each metric, in print order."""


def explain_batch(
    batch: Batch, options: Options, tokenizer: Tokenizer, *, with_matches: bool = True
) -> Iterator[InstanceExplanation]:
    """Explain every instance of a batch, in its order; raises InputError and OptionError.

    `with_matches` adds matches, alignments and runs; words are marked with or without it.
    """
    metrics = metrics_of(options.metrics)
    texts = read_batch(batch, metrics, tokenizer)
    for pairs in batch.pairs.pieces(texts.text_bytes):
        paired = PairedTexts(texts, pairs, options.texts)
        columns = [
            column
            for metric in metrics
            for column in _explained_columns(
                metric, paired, options.scores, with_matches=with_matches
            )
        ]
        yield from zip(*columns, strict=True)


def _explained_columns(
    metric: Metric, paired: PairedTexts, options: ScoreOptions, *, with_matches: bool
) -> Iterator[list[MetricExplanation]]:
    marked = (metric.explain if with_matches else metric.explain_states)(paired, options)
    all_scores = metric.score(paired, options)
    for number, (column, scores) in enumerate(zip(metric.columns, all_scores, strict=True)):
        if marked is None or scores.counts is None:
            # Measures come first; the other rows are statistics, which are not explained.
            rows = scores.values[: len(column.measures)].T.tolist()
            yield [MetricExplanation(column, tuple(values), None) for values in rows]
        else:
            pairs = _explained_pairs(marked[number], with_matches=with_matches)
            tallies = _tallies(scores.counts, scores.values)
            bounds = pairwise([*paired.starts.tolist(), len(pairs)])
            root = marked[number].root
            yield [
                MetricExplanation(column, tally.values, tally, tuple(pairs[first:last]), root)
                for tally, (first, last) in zip(tallies, bounds, strict=True)
            ]


def _tallies(counts: Counts, values: NDArray[np.float64]) -> list[ScoredCounts]:
    peer_hits = [None] * counts.hit.size if counts.peer_hit is None else counts.peer_hit.tolist()
    sides = counts.hit.tolist(), counts.model_count.tolist(), counts.peer_count.tolist()
    rows = zip(*sides, peer_hits, map(tuple, values.T.tolist()), strict=True)
    return [ScoredCounts(*row) for row in rows]


def _explained_pairs(marked: MarkedPairs, *, with_matches: bool) -> list[PairExplanation]:
    rows = zip(
        marked.marks,
        _tallies(marked.counts, marked.values),
        marked.is_counted.tolist(),
        _seen_texts(marked.peers),
        _seen_texts(marked.models),
        strict=True,
    )
    return [
        PairExplanation(
            tally,
            is_counted,
            peer,
            model,
            marks.peer_states(len(peer.words)),
            marks.model_states(len(model.words)),
            marks if with_matches else NO_MARKS,
        )
        for marks, tally, is_counted, peer, model in rows
    ]


def _seen_texts(seen: SeenTexts) -> list[SeenText]:
    words, stems = list(map(_decoded, seen.words)), list(map(_decoded, seen.stems or ()))
    columns = seen.columns
    types = columns.types.tolist()
    ends, bounds = columns.sentence_offsets.tolist(), columns.text_offsets.tolist()
    texts = []
    for first, last in pairwise(bounds):
        start = ends[first]
        sentence_ends = tuple([end - start for end in ends[first + 1 : last + 1]])
        while len(sentence_ends) > 1 and sentence_ends[-2] == sentence_ends[-1]:
            # The newline at the end of a file does not begin a sentence.
            sentence_ends = sentence_ends[:-1]
        of_text = types[start : ends[last]]
        texts.append(
            SeenText(
                tuple([words[word] for word in of_text]),
                sentence_ends,
                tuple([stems[word] for word in of_text]) if stems else (),
            )
        )
    return texts


def _decoded(word: bytes) -> str:
    return word.decode("utf-8", "backslashreplace")


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
        if (best := choices.best) or choices.worst:
            metric, letter = sort_key(choices.sort, scored_metrics(options.metrics))
            order = EvalOrder(metric.name, letter, best, choices.worst, metric.is_lower_better)
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
