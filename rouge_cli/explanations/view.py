"""Explanations as reports: rows for JSON and CSV, scores worked out by hand, and marked words."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, starmap
from typing import Annotated, ClassVar, NamedTuple

from rouge_cli.escapes import escape_unprintable
from rouge_cli.explanations import (
    ExplainedEval,
    ExplainedPeer,
    ExplainedRun,
    MetricExplanation,
    PairExplanation,
    ScoredCounts,
    SeenText,
    SourceText,
)
from rouge_cli.metrics.counts import COUNTED, RPF, Alignment, Match, Place
from rouge_cli.options.options import Options
from rouge_cli.options.scores import BEST_F, FORMULAS, MEASURE_NAMES, SUM_OF_COUNTS
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports import View
from rouge_cli.reports.document import (
    ARROW,
    Cell,
    Column,
    Document,
    Line,
    MarkedTexts,
    Passage,
    Role,
    Span,
    Table,
    WordMark,
)
from rouge_cli.reports.rows import Shown
from rouge_cli.reports.wording import counted, measure_label
from rouge_cli.scores.signature import scored_signature

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
            "By R, P and F, or by S for a metric with a single score.", schema={"minProperties": 1}
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
        float, Shown("Weight of precision in F.", column="", schema={"minimum": 0, "maximum": 1})
    ]
    evals: Annotated[tuple[EvalRow, ...], Shown("The texts, as requested.")]


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


MOST_MATCHES = 12  # maximum number of matches listed per kind; the others are only counted
SENTENCE_END = Span("/", WordMark.QUIET, ends_sentence=True)
STATES = (WordMark.QUIET, WordMark.CLIPPED, WordMark.COUNTED)  # by the state of a word
Lines = Iterator[Line]


@dataclass(frozen=True, slots=True)
class ExplanationView(View):
    """Explained EVALs; `with_texts` also shows the lines of the input."""

    kind: ClassVar[str] = "explanation"
    csv_path: ClassVar[str] = "evals.systems.metrics"
    run: ExplainedRun
    with_texts: bool = False

    @property
    def result(self) -> ExplanationReport:
        """The explanations as JSON and CSV have them."""
        scores = self.run.options.scores
        evals = tuple(_eval_row(item, with_texts=self.with_texts) for item in self.run.evals)
        signature = scored_signature(self.run.options)
        return ExplanationReport(signature, scores.formula, scores.alpha.value, evals)

    def document(self) -> Document:
        texts = self.run.options.texts
        stemmed = f"word{ARROW}stem: the stems are compared"
        legend = (stemmed,) if texts.stem or texts.stem_models else ()
        passages = tuple(chain.from_iterable(map(self._eval, self.run.evals)))
        ids = [escape_unprintable(explained.id) for explained in self.run.evals] or ["none"]
        return Document(
            sections=(),
            signatures=(scored_signature(self.run.options),),
            title=f"Text {ids[0]}" if len(ids) == 1 else f"Texts {ids[0]} to {ids[-1]}",
            marked=MarkedTexts(passages, legend),
        )

    def _eval(self, explained: ExplainedEval) -> Iterator[Passage]:
        texts = (
            self._text(f"reference {escape_unprintable(model.name)}", model)
            for model in explained.models
        )
        yield Passage(
            f"Text {escape_unprintable(explained.id)}", 1, tuple(chain.from_iterable(texts))
        )
        for peer in explained.peers:
            lines = (*self._chosen(peer), *self._text("prediction", peer.text))
            heading = f"System {escape_unprintable(peer.text.name)}"
            yield Passage(heading, 2, lines, _scores(peer.metrics))
            for metric in peer.metrics:
                yield from _metric(metric, explained.models, self.run.options)

    def _chosen(self, peer: ExplainedPeer) -> Lines:
        rank, order, against = peer.rank, self.run.question.order, self.run.question.against
        if rank is None or order is None:
            return
        text = f"{measure_label(order.metric, order.letter)} {rank.score:.5f}"
        if rank.other is not None and against is not None:
            difference = rank.score - rank.other
            text += f", {escape_unprintable(against)} {rank.other:.5f}: {difference:+.5f}"
        yield Line.of("chosen by", text)

    def _text(self, label: str, text: SourceText) -> Lines:
        yield Line.of(label, escape_unprintable(text.place))
        if self.with_texts:
            for sentence in filter(None, text.sentences):
                yield Line.of("", escape_unprintable(sentence))
        left_out = text.left_out
        if left_out.beyond_limit:
            words = " ".join(map(escape_unprintable, left_out.beyond_limit))
            cut = f" (cut to {escape_unprintable(left_out.cut_to)})" if left_out.cut_to else ""
            n_words = counted(len(left_out.beyond_limit), "word")
            yield Line.of("", f"beyond the limit, {n_words}: {words}{cut}", WordMark.QUIET)
        if left_out.stopwords:
            n_words = counted(len(left_out.stopwords), "stopword")
            words = ", ".join(starmap(_times, Counter(left_out.stopwords).items()))
            yield Line.of("", f"left out, {n_words}: {words}", WordMark.QUIET)
        if left_out.letters:
            letters = ", ".join(starmap(_times, left_out.letters.items()))
            yield Line.of("", f"letters in no word: {letters}", WordMark.QUIET)


def _times(item: str, times: int) -> str:
    text = escape_unprintable(item)
    return text if times == 1 else f"{text} x{times}"


def _number(count: float) -> str:
    return str(count) if isinstance(count, int) else f"{count:.5f}"


def _counts(tally: ScoredCounts) -> Iterator[str]:
    return map(_number, (tally.hit, tally.model_count, tally.peer_count))


def _values(letters: Sequence[str], values: Sequence[float]) -> str:
    return ", ".join(f"{x} {value:.5f}" for x, value in zip(letters, values, strict=True))


# The scores, and how they follow from the counts.


def _scores(metrics: Sequence[MetricExplanation]) -> Table:
    measures = dict.fromkeys(letter for metric in metrics for letter in metric.metric.measures)
    has_counts = any(metric.tally for metric in metrics)
    counts = ("Hit", "Reference count", "Prediction count") if has_counts else ()
    rows = []
    for metric in metrics:
        values = dict(zip(metric.metric.measures, metric.values, strict=True))
        scores = [f"{values[letter]:.5f}" if letter in values else "" for letter in measures]
        of_counts = _counts(metric.tally) if metric.tally else [""] * len(counts)
        rows.append(tuple(map(Cell, (metric.metric.name, *scores, *of_counts))))
    headings = (*(letter if letter in RPF else "Score" for letter in measures), *counts)
    return Table((Column("Metric", "l", Role.LABEL), *map(Column, headings)), tuple(rows))


def _metric(
    metric: MetricExplanation, models: Sequence[SourceText], options: Options
) -> Iterator[Passage]:
    names = [f"reference {escape_unprintable(model.name)}" for model in models]
    if metric.tally is None:
        scores = _values(metric.metric.measures, metric.values)
        line = Line.of("", f"{scores}: this metric counts no words that could be marked")
        yield Passage(metric.metric.name, 3, (line,))
        return
    lines = tuple(_by_hand(metric.tally, metric.root, options.scores.alpha.value))
    pairs = [tuple(_pair(*of_model)) for of_model in zip(metric.pairs, names, strict=True)]
    if len(pairs) <= 1:
        yield Passage(metric.metric.name, 3, (*lines, *chain.from_iterable(pairs)))
        return
    over_models = _over_models(metric, names, options.scores.formula)
    yield Passage(metric.metric.name, 3, (*lines, *over_models))
    for name, of_pair in zip(names, pairs, strict=True):
        yield Passage(name, 4, of_pair)


def _by_hand(tally: ScoredCounts, root: float | None, alpha: float) -> Lines:
    recall, precision, f = tally.values

    def quotient(numerator: float, denominator: float, value: float) -> str:
        text = f"{_number(numerator)} / {_number(denominator)}"
        return f"{text if root is None else f'({text}) ^ (1 / {root:g})'} = {value:.5f}"

    of_model = quotient(tally.hit, tally.model_count, recall)
    yield Line.of("R", f"{of_model}  (hit / reference count)")
    hit, name = tally.hit, "hit"
    if tally.peer_hit is not None:
        hit, name = tally.peer_hit, "prediction hit"
    of_peer = quotient(hit, tally.peer_count, precision)
    yield Line.of("P", f"{of_peer}  ({name} / prediction count)")
    # The formula would divide by 0.
    if not (recall or precision):
        yield Line.of("F", f"{f:.5f}, as R and P are")
        return
    shares = f"{1 - alpha:g} * {precision:.5f} + {alpha:g} * {recall:.5f}"
    yield Line.of("F", f"{recall:.5f} * {precision:.5f} / ({shares}) = {f:.5f}")


def _over_models(metric: MetricExplanation, names: Sequence[str], formula: str) -> Lines:
    for pair, name in zip(metric.pairs, names, strict=True):
        chosen = "" if formula == SUM_OF_COUNTS or not pair.is_counted else " <- chosen"
        hit, model_count, peer_count = _counts(pair.tally)
        counts = f"hit {hit}, reference {model_count}, prediction {peer_count}"
        yield Line.of(name, f"{counts}; {_values(RPF, pair.tally.values)}{chosen}")
    # A quirk of ROUGE-W: specification, section 5, formula B.
    is_weighted = metric.root is not None
    weighted = " (with the reference count weighted once)" if is_weighted else ""
    sentences = {
        SUM_OF_COUNTS: "Formula A adds up the counts of all references.",
        BEST_F: "best-f takes the reference with the best F, or the first one if several tie.",
    }
    best = f"Formula B takes the reference with the best recall{weighted}"
    yield Line.of("", sentences.get(formula, f"{best}, or the first one if several tie."))


# The marked words of a peer and one of its models, and their matches.


def _pair(pair: PairExplanation, model: str) -> Lines:
    marks = pair.marks
    has_ends = bool(marks.alignments)
    yield Line("prediction", _marked(pair.peer, pair.peer_states, has_ends=has_ends), is_side=True)
    yield Line(model, _marked(pair.model, pair.model_states, has_ends=has_ends), is_side=True)
    if marks.peer_matches is not None:
        # Recall takes the LCS of each sentence of the model with the best sentence of the peer, and
        # precision that of each sentence of the peer with the best one of the model.
        of_model = [(match.model[0][0], match.peer[0][0]) for match in marks.matches]
        of_peer = [(match.peer[0][0], match.model[0][0]) for match in marks.peer_matches]
        sides = ("the reference", pair.model), ("the prediction", pair.peer)
        yield from _best("for R", *sides, of_model)
        yield from _best("for P", *sides[::-1], of_peer)
    elif marks.alignments:
        yield from _union(pair)
    else:
        yield from _matches(pair)
    yield from _clipped(pair)
    if marks.runs:
        yield from _runs(pair)


def _marked(text: SeenText, states: bytes, *, has_ends: bool) -> tuple[Span, ...]:
    ends = set(text.sentence_ends if has_ends else ()) - {0, len(text.words)}
    spans = []
    for place, state in enumerate(states):
        spans.append(_span(text, place, STATES[state]))
        if place + 1 in ends:
            spans.append(SENTENCE_END)
    return tuple(spans) or (Span("(no words)", WordMark.QUIET),)


def _span(text: SeenText, place: int, mark: WordMark = WordMark.NONE) -> Span:
    word = text.words[place]
    stem = text.stems[place] if text.stems else word
    return Span(escape_unprintable(word), mark, "" if stem == word else escape_unprintable(stem))


def _matches(pair: PairExplanation) -> Lines:
    matches = [match for match in pair.marks.matches if match.hits]
    if not matches:
        yield Line.of("matches", "none")
        return
    texts = []
    for match in matches[:MOST_MATCHES]:
        text = _unit(pair, match)
        if match.similarity is not None:
            near = " ".join(_span(pair.peer, word).shown for word in match.peer[0])
            text = f"{near} ~ {text} ({match.similarity:.3f})"
        elif match.hits > 1:
            text += f" x{match.hits}"
        texts.append(text)
    n_hits = sum(match.hits for match in matches)
    kinds = f" of {len(matches)} kinds" if n_hits > len(matches) > MOST_MATCHES else ""
    if (more := len(matches) - MOST_MATCHES) > 0:
        texts.append(f"and {more} more")
    yield Line.of("matches", f"{counted(n_hits, 'hit')}{kinds}: {', '.join(texts)}")


def _unit(pair: PairExplanation, match: Match) -> str:
    """Format a match in the words of the model, with dots if any occurrence has a gap."""
    places = (*match.peer, *match.model)
    has_gaps = any(place[-1] - place[0] >= len(place) for place in places)
    words = (_span(pair.model, word).shown for word in match.model[0])
    return (" .. " if has_gaps else " ").join(words)


def _clipped(pair: PairExplanation) -> Lines:
    where = " on an LCS" if pair.marks.alignments else ""
    clipped = [m for m in pair.marks.matches if m.hits < max(len(m.peer), len(m.model))]
    for match in clipped[:MOST_MATCHES]:
        sizes = f"{len(match.peer)} in the prediction, {len(match.model)} in the reference{where}"
        yield Line.of("clipped", f"{_unit(pair, match)}: {sizes}: {_count(match.hits)}")
    if (more := len(clipped) - MOST_MATCHES) > 0:
        yield Line.of("", f"and {more} more")


def _count(hits: int) -> str:
    return f"{hits} counts" if hits == 1 else f"{hits or 'none'} count"


def _union(pair: PairExplanation) -> Lines:
    by_sentence: dict[int, list[Alignment]] = {}
    for alignment in pair.marks.alignments:
        by_sentence.setdefault(alignment.model_sentence, []).append(alignment)
    for sentence, alignments in by_sentence.items():
        is_only = len(pair.model.sentence_ends) == 1
        label = "LCS" if is_only else f"sentence {sentence + 1}"
        if len(alignments) > 1:
            for alignment in alignments:
                words = [model for model, _ in alignment.words]
                where = f"LCS with sentence {alignment.peer_sentence + 1} of the prediction"
                yield Line.of(label, f"{where}, {_words(pair.model, words)}")
        # A word of the model counts once, however many alignments it is in.
        union = sorted({model for alignment in alignments for model, _ in alignment.words})
        n_counted = sum(pair.model_states[word] == COUNTED for word in union)
        name = "union, " if len(alignments) > 1 else "" if is_only else "LCS, "
        share = "" if n_counted == len(union) else f", of which {_count(n_counted)}"
        yield Line.of(label, f"{name}{_words(pair.model, union, share)}")


def _best(
    label: str,
    side: tuple[str, SeenText],
    other: tuple[str, SeenText],
    words: list[tuple[int, int]],
) -> Lines:
    # A line for each sentence of a side, with its best sentence on the other side. `words` are the
    # positions of matching words on both.
    by_sentence: dict[tuple[int, int], list[int]] = {}
    for word, other_word in words:
        best = bisect_right(other[1].sentence_ends, other_word)
        by_sentence.setdefault((bisect_right(side[1].sentence_ends, word), best), []).append(word)
    for (sentence, best), matched in by_sentence.items():
        where = f"sentence {sentence + 1} of {side[0]}, best with sentence {best + 1} of {other[0]}"
        yield Line.of(label, f"{where}, {_words(side[1], sorted(matched))}")


def _runs(pair: PairExplanation) -> Lines:
    for run in pair.marks.runs:
        words = [word for word in range(run.start, run.end) if pair.model_states[word] == COUNTED]
        yield Line.of("run", f"adds {_number(run.weight)}, {_words(pair.model, words)}")
    n_lost = pair.model_states.count(COUNTED) - sum(run.length for run in pair.marks.runs)
    if n_lost:
        where = "behind the last run of a sentence, which no run closes"
        yield Line.of("lost", f"{counted(n_lost, 'word')} {where}")


def _words(text: SeenText, places: Sequence[int], share: str = "") -> str:
    words = " ".join(_span(text, place).shown for place in places)
    return f"{counted(len(places), 'word')}{share}: {words}"
