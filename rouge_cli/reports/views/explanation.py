"""Why scores are what they are: the counts, the sums as one does them by hand, marked words."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import ClassVar

from rouge_cli.escapes import escape_unprintable
from rouge_cli.explain.explained_evals import ExplainedEval, ExplainedPeer, ExplainedRun, SourceText
from rouge_cli.explain.explanation import MetricExplanation, PairExplanation, SeenText, Word
from rouge_cli.metrics.marks import COUNTED, Alignment, Match, Place
from rouge_cli.options.options import Options
from rouge_cli.options.scores import BEST_F, SUM_OF_COUNTS
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports import View
from rouge_cli.reports.document import Document, Line, MarkedTexts, Passage, Span, WordMark
from rouge_cli.reports.fields import Record, Value
from rouge_cli.reports.views.explanation_fields import COLUMNS, EXPLANATION, explanation_records
from rouge_cli.reports.views.wording import counted, measure_label
from rouge_cli.scores.signature import scored_signature

MOST_MATCHES = 12
"""So many matches of a kind are listed; the others are counted."""

STEM_LEGEND = "word=stem: the stems are compared"
SENTENCE_END = Span("/", WordMark.QUIET)
STATES = (WordMark.QUIET, WordMark.CLIPPED, WordMark.COUNTED)
"""By the state of a word."""

Lines = Iterator[Line]


@dataclass(frozen=True, slots=True)
class ExplanationView(View):
    """Some EVALs, explained.

    Parameters
    ----------
    with_texts : bool
        Whether to show the texts as they stand in the input, too.
    """

    kind: ClassVar[str] = "explanation"
    fields: ClassVar[Record] = EXPLANATION
    columns: ClassVar[tuple[str, ...]] = COLUMNS
    run: ExplainedRun
    with_texts: bool = False

    def document(self) -> Document:
        """Return the texts with marked words, and the counts and sums that follow from them."""
        texts = self.run.options.texts
        legend = (STEM_LEGEND,) if texts.stem or texts.stem_models else ()
        passages = tuple(
            passage for explained in self.run.evals for passage in self._eval(explained)
        )
        return Document(
            sections=(),
            signatures=(scored_signature(self.run.options),),
            title=self._title(),
            marked=MarkedTexts(passages, legend),
        )

    def _title(self) -> str:
        """Name the EVALs."""
        first, *others = [escape_unprintable(explained.id) for explained in self.run.evals] or [
            "none"
        ]
        return f"EVAL {first}" if not others else f"EVALs {first} to {others[-1]}"

    def records(self) -> Iterator[dict[str, Value]]:
        """Yield the values of a row for each EVAL, system and metric."""
        of_run = EXPLANATION.cells(self, COLUMNS)
        return (values | of_run for values in explanation_records(self.run))

    def _eval(self, explained: ExplainedEval) -> Iterator[Passage]:
        """Yield an EVAL: its models, then system by system."""
        texts = (
            self._text(f"model {escape_unprintable(model.name)}", model)
            for model in explained.models
        )
        yield Passage(
            f"EVAL {escape_unprintable(explained.id)}", 1, tuple(chain.from_iterable(texts))
        )
        for peer in explained.peers:
            lines = (*self._chosen(peer), *self._text("peer", peer.text))
            yield Passage(f"System {escape_unprintable(peer.text.name)}", 2, lines)
            for metric in peer.metrics:
                yield from _Metric(metric, self.run.options, explained.models).passages()

    def _chosen(self, peer: ExplainedPeer) -> Lines:
        """Say by what an EVAL was chosen."""
        rank, order, against = peer.rank, self.run.question.order, self.run.question.against
        if rank is None or order is None:
            return
        text = f"{measure_label(order.metric, order.letter)} {rank.score:.5f}"
        if rank.other is not None and against is not None:
            difference = rank.score - rank.other
            text += f", {escape_unprintable(against)} {rank.other:.5f}: {difference:+.5f}"
        yield Line.of("chosen by", text)

    def _text(self, label: str, text: SourceText) -> Lines:
        """Say where a text stands and what is left out of it; show it if that is asked for."""
        yield Line.of(label, f"{escape_unprintable(text.place)}")
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
            yield Line.of("", f"left out, {n_words}: {_listed(left_out.stopwords)}", WordMark.QUIET)
        if left_out.letters:
            letters = ", ".join(_times(letter, times) for letter, times in left_out.letters)
            yield Line.of("", f"letters in no word: {letters}", WordMark.QUIET)


def _listed(words: Sequence[str]) -> str:
    """List words, each once."""
    return ", ".join(_times(word, times) for word, times in Counter(words).items())


def _times(what: str, times: int) -> str:
    """Say how often there is a thing."""
    shown = escape_unprintable(what)
    return shown if times == 1 else f"{shown} x{times}"


@dataclass(frozen=True, slots=True)
class _Metric:
    """What is shown of a peer in one metric."""

    metric: MetricExplanation
    options: Options
    models: Sequence[SourceText]

    def passages(self) -> Iterator[Passage]:
        """Yield the scores by hand, and pair by pair the words."""
        metric = self.metric
        names = [f"model {escape_unprintable(model.name)}" for model in self.models]
        lines = list(self._scores_alone() if metric.tally is None else self._by_hand())
        pairs = [
            tuple(_Pair(pair, name).lines())
            for pair, name in zip(metric.pairs, names, strict=metric.tally is not None)
        ]
        if len(pairs) <= 1:
            yield Passage(metric.metric.name, 3, (*lines, *chain.from_iterable(pairs)))
            return
        yield Passage(metric.metric.name, 3, (*lines, *self._over_models()))
        for name, of_pair in zip(names, pairs, strict=True):
            yield Passage(name, 4, of_pair)

    def _scores_alone(self) -> Lines:
        """Give the scores of a metric that does not count."""
        values = zip(self.metric.metric.measures, self.metric.values, strict=True)
        scores = ", ".join(f"{letter} {value:.5f}" for letter, value in values)
        yield Line.of("", f"{scores}: this metric counts no words that could be marked")

    def _by_hand(self) -> Lines:
        """Do the sums as one does them by hand."""
        tally = self.metric.tally
        if tally is None:
            return
        recall, precision, f = tally.values
        peer_hit = tally.hit if tally.peer_hit is None else tally.peer_hit
        hit = "hit" if tally.peer_hit is None else "peer hit"
        yield Line.of(
            "R", f"{self._quotient(tally.hit, tally.model_count, recall)}  (hit / model count)"
        )
        yield Line.of(
            "P", f"{self._quotient(peer_hit, tally.peer_count, precision)}  ({hit} / peer count)"
        )
        if not (recall or precision):
            yield Line.of("F", f"{f:.5f}, as R and P are")
            return
        alpha = self.options.scores.alpha
        shares = f"{1 - alpha.value:g} * {precision:.5f} + {alpha.value:g} * {recall:.5f}"
        yield Line.of("F", f"{recall:.5f} * {precision:.5f} / ({shares}) = {f:.5f}")

    def _quotient(self, numerator: float, denominator: float, value: float) -> str:
        """Write a quotient and what it comes to."""
        quotient = f"{_number(numerator)} / {_number(denominator)}"
        if self.metric.root is not None:
            quotient = f"({quotient}) ^ (1 / {self.metric.root:g})"
        return f"{quotient} = {value:.5f}"

    def _over_models(self) -> Lines:
        """Say what each model has, and what is made of all of them."""
        formula, pairs = self.options.scores.formula, self.metric.pairs
        for pair, model in zip(pairs, self.models, strict=True):
            tally = pair.tally
            chosen = "" if formula == SUM_OF_COUNTS or not pair.is_counted else " <- chosen"
            scores = ", ".join(
                f"{letter} {value:.5f}" for letter, value in zip("RPF", tally.values, strict=True)
            )
            counts = (tally.hit, tally.model_count, tally.peer_count)
            hit, model_count, peer_count = map(_number, counts)
            text = f"hit {hit}, model {model_count}, peer {peer_count}; {scores}{chosen}"
            yield Line.of(f"model {escape_unprintable(model.name)}", text)
        yield Line.of("", _formula(formula, is_weighted=self.metric.root is not None))


def _formula(formula: str, *, is_weighted: bool) -> str:
    """Say how several models make one score."""
    if formula == SUM_OF_COUNTS:
        return "Formula A adds up the counts of all models."
    if formula == BEST_F:
        return "best-f takes the model with the best F, the first of equals."
    weighted = ", compared with the model count weighted once" if is_weighted else ""
    return f"Formula B takes the model with the best recall, the first of equals{weighted}."


def _number(value: float) -> str:
    """Write a count; those of ROUGE-W may be fractions."""
    return str(value) if isinstance(value, int) else f"{value:.5f}"


@dataclass(frozen=True, slots=True)
class _Pair:
    """What is shown of a peer and one of its models."""

    pair: PairExplanation
    name: str

    def lines(self) -> Lines:
        """Yield both texts, marked, and what matches."""
        pair = self.pair
        has_sentences = bool(pair.alignments)
        yield Line("peer", _marked(pair.peer, pair.peer_states, has_sentences=has_sentences))
        yield Line(self.name, _marked(pair.model, pair.model_states, has_sentences=has_sentences))
        if pair.peer_matches is not None:
            yield from self._best_sentences()
        elif pair.alignments:
            yield from self._union()
        else:
            yield from self._matches()
        yield from self._clipped()
        if pair.runs:
            yield from self._runs()

    def _matches(self) -> Lines:
        """List what counts; of many matches, the first ones."""
        matches = [match for match in self.pair.matches if match.hits]
        if not matches:
            yield Line.of("matches", "none")
            return
        shown = ", ".join(map(self._match, matches[:MOST_MATCHES]))
        n_hits = sum(match.hits for match in matches)
        kinds = f" of {len(matches)} kinds" if n_hits > len(matches) > MOST_MATCHES else ""
        more = len(matches) - MOST_MATCHES
        text = f"{shown}, and {more} more" if more > 0 else shown
        yield Line.of("matches", f"{counted(n_hits, 'hit')}{kinds}: {text}")

    def _match(self, match: Match) -> str:
        """Write a match."""
        unit = self._unit(match)
        if match.similarity is None:
            return unit if match.hits == 1 else f"{unit} x{match.hits}"
        near = _unit(self.pair.peer, match.peer[0], has_gaps=False)
        return f"{near} ~ {unit} ({match.similarity:.3f})"

    def _unit(self, match: Match) -> str:
        """Write what matches, as the model has it."""
        places = (*match.peer, *match.model)
        has_gaps = any(place[-1] - place[0] >= len(place) for place in places)
        return _unit(self.pair.model, match.model[0], has_gaps=has_gaps)

    def _clipped(self) -> Lines:
        """Say what does not count, and why."""
        pair = self.pair
        clipped = [one for one in pair.matches if one.hits < max(len(one.peer), len(one.model))]
        for match in clipped[:MOST_MATCHES]:
            yield Line.of("clipped", f"{self._unit(match)}: {_reason(match, pair)}")
        if (more := len(clipped) - MOST_MATCHES) > 0:
            yield Line.of("", f"and {more} more")

    def _union(self) -> Lines:
        """Show the LCS sentence by sentence, and the union of each sentence of the model."""
        pair = self.pair
        by_sentence: dict[int, list[Alignment]] = {}
        for alignment in pair.alignments:
            by_sentence.setdefault(alignment.model_sentence, []).append(alignment)
        for sentence, alignments in by_sentence.items():
            is_one = len(pair.model.sentence_ends) == 1
            label = "LCS" if is_one else f"sentence {sentence + 1}"
            if len(alignments) > 1:
                for alignment in alignments:
                    words = [model for model, _ in alignment.words]
                    where = f"LCS with sentence {alignment.peer_sentence + 1} of the peer"
                    yield Line.of(label, f"{where}, {_words(pair.model, words)}")
            union = sorted({model for alignment in alignments for model, _ in alignment.words})
            n_counted = sum(pair.model_states[word] == COUNTED for word in union)
            what = "union, " if len(alignments) > 1 else "" if is_one else "LCS, "
            share = "" if n_counted == len(union) else f", of which {_count(n_counted)}"
            yield Line.of(label, f"{what}{_words(pair.model, union, share)}")

    def _best_sentences(self) -> Lines:
        """Show for each sentence the LCS with the sentence that suits it best."""
        of_model, of_peer = self.pair.matches, self.pair.peer_matches or ()
        model, peer = self.pair.model, self.pair.peer
        best = [(model, match.model[0][0], peer, match.peer[0][0]) for match in of_model]
        yield from _best("for R", "the model", "the peer", best)
        best = [(peer, match.peer[0][0], model, match.model[0][0]) for match in of_peer]
        yield from _best("for P", "the peer", "the model", best)

    def _runs(self) -> Lines:
        """Show the runs of ROUGE-W, and what each adds."""
        pair = self.pair
        for run in pair.runs:
            words = [
                word for word in range(run.start, run.end) if pair.model_states[word] == COUNTED
            ]
            yield Line.of("run", f"adds {_number(run.weight)}, {_words(pair.model, words)}")
        n_lost = pair.model_states.count(COUNTED) - sum(run.length for run in pair.runs)
        if n_lost:
            what = counted(n_lost, "word")
            yield Line.of("lost", f"{what} behind the last run of a sentence, which no run closes")


def _reason(match: Match, pair: PairExplanation) -> str:
    """Say why not all of a match counts."""
    sizes = f"{len(match.peer)} in the peer, {len(match.model)} in the model"
    where = " on an LCS" if pair.alignments else ""
    return f"{sizes}{where}: {_count(match.hits)}"


def _count(hits: int) -> str:
    """Say how many of something count."""
    return f"{hits} counts" if hits == 1 else f"{hits or 'none'} count"


def _best(
    label: str, side: str, other: str, words: Sequence[tuple[SeenText, int, SeenText, int]]
) -> Lines:
    """Yield a line for each sentence of a side: its words, and the sentence that has them."""
    by_sentence: dict[tuple[int, int], list[int]] = {}
    for text, word, other_text, other_word in words:
        key = (_sentence(text, word), _sentence(other_text, other_word))
        by_sentence.setdefault(key, []).append(word)
    for (sentence, best), words_found in by_sentence.items():
        shown = _words(words[0][0], sorted(words_found))
        where = f"sentence {sentence + 1} of {side}, best with sentence {best + 1} of {other}"
        yield Line.of(label, f"{where}, {shown}")


def _sentence(text: SeenText, word: int) -> int:
    """Return the sentence of a word."""
    return bisect_right(text.sentence_ends, word)


def _word(word: Word) -> str:
    """Write a word, with its stem if that is another."""
    text = escape_unprintable(word.text)
    return (
        text if word.stem in {None, word.text} else f"{text}={escape_unprintable(str(word.stem))}"
    )


def _words(text: SeenText, places: Sequence[int], share: str = "") -> str:
    """Write how many words they are, and the words."""
    words = " ".join(_word(text.words[place]) for place in places)
    return f"{counted(len(places), 'word')}{share}: {words}"


def _unit(text: SeenText, place: Place, *, has_gaps: bool) -> str:
    """Write the words of a unit; dots stand for what may be between them."""
    return (" .. " if has_gaps else " ").join(_word(text.words[word]) for word in place)


def _marked(text: SeenText, states: bytes, *, has_sentences: bool) -> tuple[Span, ...]:
    """Write a text with its marks."""
    ends = set(text.sentence_ends if has_sentences else ()) - {0, len(text.words)}
    spans = []
    for number, (word, state) in enumerate(zip(text.words, states, strict=True), 1):
        spans.append(Span(_word(word), STATES[state]))
        if number in ends:
            spans.append(SENTENCE_END)
    return tuple(spans) or (Span("(no words)", WordMark.QUIET),)
