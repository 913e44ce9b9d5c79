"""Why scores are what they are: the counts, the sums as one does them by hand, marked words."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, starmap
from operator import itemgetter
from typing import Any, ClassVar

from rouge_cli.escapes import escape_unprintable
from rouge_cli.explanations.explained_evals import (
    ExplainedEval,
    ExplainedPeer,
    ExplainedRun,
    SourceText,
)
from rouge_cli.explanations.explanation import (
    MetricExplanation,
    ScoredCounts,
    SeenText,
)
from rouge_cli.explanations.pair_view import Lines, PairLines, count_number
from rouge_cli.metrics.counts import RPF
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
    Table,
    WordMark,
)
from rouge_cli.reports.fields import (
    COUNT,
    FLAG,
    NUMBER,
    PROGRAM,
    TEXT,
    Field,
    Named,
    Nullable,
    Plain,
    Record,
    Value,
    by_name,
    list_of,
    literal,
)
from rouge_cli.reports.wording import counted, measure_label
from rouge_cli.scores.signature import scored_signature

STEM_LEGEND = f"word{ARROW}stem: the stems are compared"
COLUMNS = (
    "eval", "system", "metric", *MEASURE_NAMES.values(), "hit_count", "model_count", "peer_count",
    "signature",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _InEval:
    """A part of an EVAL, with what its fields take from around it.

    - `part`: the EVAL, a text, a system, a metric, or a peer with a model.
    - `readings`: the number of each text as metrics read it; one that several metrics read alike
      has one.
    - `model`: of a peer with a model, the name of the model.
    """

    part: Any
    shows_texts: bool
    models: Sequence[SourceText]
    readings: Mapping[SeenText, int]
    model: str = ""

    @classmethod
    def of(cls, explained: ExplainedEval, *, shows_texts: bool) -> "_InEval":
        """Return a whole EVAL."""
        texts = (
            text
            for peer in explained.peers
            for metric in peer.metrics
            for pair in metric.pairs
            for text in (pair.peer, pair.model)
        )
        numbers = {text: number for number, text in enumerate(dict.fromkeys(texts))}
        return cls(explained, shows_texts, explained.models, numbers)

    def each(self, parts: Iterable[Any]) -> Iterator["_InEval"]:
        """Yield other parts of the EVAL."""
        return (replace(self, part=part) for part in parts)

    def with_models(self) -> Iterator["_InEval"]:
        """Yield the peer with each model, in the metric that this part is."""
        for pair, model in zip(self.part.pairs, self.models, strict=True):
            yield replace(self, part=pair, model=model.name)


def _if_counted(metric: _InEval) -> bool:
    """Say whether a metric counts; one that does not has its scores only."""
    return metric.part.tally is not None


# fmt: off
COUNTS = Named(
    Record(
        (
            Field("hit", NUMBER),
            Field("model_count", NUMBER),
            Field("peer_count", NUMBER),
            Field("peer_hit", Plain({"type": "integer"}),
                about="What precision is made of where it is not hit: in LCS-pairwise.",
                has_value="peer_hit"),
        )
    ),
    "counts",
)
MARKS = Named(
    list_of(literal(0, 1, 2)),
    "marks",
    "For each word 0 (matches nothing), 1 (matches, but is clipped) or 2 (counts).",
)
OCCURRENCES = list_of(list_of(COUNT, minItems=1))
MATCHES = Named(
    list_of(
        Record(
            (
                Field("peer", OCCURRENCES),
                Field("model", OCCURRENCES),
                Field("hits", COUNT),
                Field("similarity", NUMBER, about="The least cosine in ROUGE-soft-N.",
                    has_value="similarity"),
            )
        )
    ),
    "matches",
    "What occurs on both sides; each occurrence is a list of words, counted from 0, and the first "
    "hits of each side count.",
)
ALIGNMENT = Record(
    (
        Field("model_sentence", COUNT),
        Field("peer_sentence", COUNT),
        Field("words", list_of(list_of(COUNT, minItems=2, maxItems=2), minItems=1)),
    )
)
RUN = Record(
    (Field("start", COUNT), Field("end", COUNT), Field("length", COUNT), Field("weight", NUMBER))
)
MEASURES = Record(
    tuple(Field(letter, NUMBER, itemgetter(place)) for place, letter in enumerate(RPF))
)
PAIR = Record(
    (
        Field("model"),
        Field("is_counted", FLAG, "part.is_counted",
            "False for a model that formula B or best-f passes by."),
        Field("scores", MEASURES, "part.tally.values"),
        Field("counts", COUNTS, "part.tally"),
        Field("peer_reading", COUNT, lambda pair: pair.readings[pair.part.peer],
            "A place in readings, from 0."),
        Field("model_reading", COUNT, lambda pair: pair.readings[pair.part.model]),
        Field("peer_marks", MARKS, "part.peer_states"),
        Field("model_marks", MARKS, "part.model_states"),
        Field("matches", MATCHES, "part.marks.matches"),
        Field("peer_matches", MATCHES, "part.marks.peer_matches",
            has_value=lambda pair: pair.part.marks.peer_matches is not None),
        Field("alignments", list_of(ALIGNMENT), "part.marks.alignments",
            "The LCS of each sentence of the model with each sentence of the peer that shares a "
            "word: pairs of a word of the model and a word of the peer.", "part.marks.alignments"),
        Field("runs", list_of(RUN), "part.marks.runs",
            "The runs of ROUGE-W: the counted words from start up to end, and what they add to the "
            "hit.", "part.marks.runs"),
    )
)
METRIC = Record(
    (
        Field("name", TEXT, "part.metric.name"),
        Field("scores", by_name(NUMBER, minProperties=1),
            lambda metric: dict(zip(metric.part.metric.measures, metric.part.values, strict=True)),
            "By R, P and F, or by S of a metric with a single score."),
        Field("root", NUMBER, "part.root", "W of ROUGE-W: recall and precision are W-th roots.",
            lambda metric: _if_counted(metric) and metric.part.root),
        Field("counts", COUNTS, "part.tally", has_value=_if_counted),
        Field("pairs", list_of(Named(PAIR, "pair"), minItems=1), _InEval.with_models,
            "The peer against each model; absent, like counts, for metrics that do not count.",
            _if_counted),
    ),
    {
        "metric": "part.metric.name",
        "hit_count": "part.tally.hit",
        "model_count": "part.tally.model_count",
        "peer_count": "part.tally.peer_count",
    },
)
LEFT_OUT = Record(
    (
        Field("beyond_limit", list_of(TEXT),
            about="The words behind the limit, the one that it cuts included."),
        Field("cut_to", about="What is left of that one; empty if no word is cut."),
        Field("stopwords", list_of(TEXT)),
        Field("letters", by_name(Plain({"type": "integer", "minimum": 1})),
            lambda left_out: dict(left_out.letters),
            "Letters that are in no word, with how many there are."),
    )
)


def _source(name: str, path: str) -> tuple[Field, ...]:
    """Return the fields of a text; `path` leads to it from the part that has them."""
    return (
        Field("name", TEXT, f"{path}.name", name),
        Field("place", TEXT, f"{path}.place",
            "The file, and the line where one file holds many texts."),
        Field("left_out", Named(LEFT_OUT, "left_out", "What ROUGE-N does not see of a text."),
            f"{path}.left_out"),
        Field("sentences", list_of(TEXT), f"{path}.sentences",
            "With --texts: the text as it stands in the input.", "shows_texts"),
    )


RANK = Record((Field("score", NUMBER), Field("against", Nullable(NUMBER), "other")))
SOURCE = Record(_source("The ID of the model.", "part"))
SYSTEM = Record(
    (
        *_source("The ID of the system.", "part.text"),
        Field("chosen_by", RANK, "part.rank",
            "With --best and --worst: the score that the EVAL is ranked by, and that of the system "
            "of --against.", "part.rank"),
        Field("metrics", list_of(Named(METRIC, "metric"), minItems=1),
            lambda system: system.each(system.part.metrics)),
    ),
    {"system": "part.text.name"},
)
READING = Record(
    (
        Field("words", list_of(TEXT), lambda text: [word.text for word in text.words],
            "In ROUGE-BE the Basic Elements."),
        Field("stems", list_of(TEXT), lambda text: [word.stem for word in text.words],
            "What is compared in place of the words; absent where nothing is stemmed.",
            lambda text: any(word.stem is not None for word in text.words)),
        Field("sentence_ends", list_of(COUNT), about="Before which word each sentence ends."),
    )
)
EVAL = Record(
    (
        Field("id", TEXT, "part.id"),
        Field("models", list_of(Named(SOURCE, "source")), lambda part: part.each(part.models)),
        Field("systems", list_of(Named(SYSTEM, "system"), minItems=1),
            lambda part: part.each(part.part.peers)),
        Field("readings", list_of(READING), about="Each text as metrics read it, once."),
    ),
    {"eval": "part.id"},
)
EXPLANATION = Record(
    (
        *PROGRAM,
        Field("signature", Plain({"type": "string", "pattern": "^rouge-cli:"}),
            lambda view: scored_signature(view.run.options), "How each EVAL is scored."),
        Field("formula", literal(*FORMULAS), "run.options.scores.formula",
            "How several models make one score."),
        Field("alpha", Plain({"type": "number", "minimum": 0, "maximum": 1}),
            "run.options.scores.alpha.value", "Weight of precision in F."),
        Field("evals", list_of(EVAL), lambda view: view.evals()),
    )
)
# fmt: on


@dataclass(frozen=True, slots=True)
class ExplanationView(View):
    """Some EVALs, explained; `with_texts` also shows the texts as they stand in the input."""

    kind: ClassVar[str] = "explanation"
    fields: ClassVar[Record] = EXPLANATION
    columns: ClassVar[tuple[str, ...]] = COLUMNS
    run: ExplainedRun
    with_texts: bool = False

    def document(self) -> Document:
        """Return the texts with marked words, and the counts and sums that follow from them."""
        texts = self.run.options.texts
        legend = (STEM_LEGEND,) if texts.stem or texts.stem_models else ()
        passages = tuple(chain.from_iterable(map(self._eval, self.run.evals)))
        ids = [escape_unprintable(explained.id) for explained in self.run.evals] or ["none"]
        return Document(
            sections=(),
            signatures=(scored_signature(self.run.options),),
            title=f"EVAL {ids[0]}" if len(ids) == 1 else f"EVALs {ids[0]} to {ids[-1]}",
            marked=MarkedTexts(passages, legend),
        )

    def evals(self) -> Iterator["_InEval"]:
        """Yield the EVALs, with what their fields take from the view."""
        return (_InEval.of(explained, shows_texts=self.with_texts) for explained in self.run.evals)

    def records(self) -> Iterator[dict[str, Value]]:
        """Yield the values of a row for each EVAL, system and metric."""
        of_run = EXPLANATION.cells(self, COLUMNS)
        for explained in self.evals():
            of_eval = EVAL.cells(explained, COLUMNS)
            for system in explained.each(explained.part.peers):
                of_system = of_eval | SYSTEM.cells(system, COLUMNS)
                for metric in system.each(system.part.metrics):
                    names = [MEASURE_NAMES[letter] for letter in metric.part.metric.measures]
                    scores = dict(zip(names, metric.part.values, strict=True))
                    yield {**of_system, **METRIC.cells(metric, COLUMNS), **scores, **of_run}

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
            heading = f"System {escape_unprintable(peer.text.name)}"
            yield Passage(heading, 2, lines, _scores(peer.metrics))
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
            letters = ", ".join(starmap(_times, left_out.letters))
            yield Line.of("", f"letters in no word: {letters}", WordMark.QUIET)


def _scores(metrics: Sequence[MetricExplanation]) -> Table:
    """Return the scores of a peer with their counts, a row for each metric."""
    measures = dict.fromkeys(letter for metric in metrics for letter in metric.metric.measures)
    has_counts = any(metric.tally for metric in metrics)
    counts = ("Hit", "Model count", "Peer count") if has_counts else ()
    rows = []
    for metric in metrics:
        values = dict(zip(metric.metric.measures, metric.values, strict=True))
        scores = [f"{values[letter]:.5f}" if letter in values else "" for letter in measures]
        tally = metric.tally
        of_counts = (tally.hit, tally.model_count, tally.peer_count) if tally else ()
        cells = [*scores, *map(count_number, of_counts)]
        cells += [""] * (len(measures) + len(counts) - len(cells))
        rows.append(tuple(map(Cell, (metric.metric.name, *cells))))
    headings = (*(letter if letter in RPF else "Score" for letter in measures), *counts)
    return Table((Column("Metric", "l", Role.LABEL), *map(Column, headings)), tuple(rows))


def _times(what: str, times: int) -> str:
    """Say how often there is a thing."""
    text = escape_unprintable(what)
    return text if times == 1 else f"{text} x{times}"


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
        lines = list(self._scores_alone() if metric.tally is None else self._by_hand(metric.tally))
        pairs = [
            tuple(PairLines(pair, name).lines())
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

    def _by_hand(self, tally: ScoredCounts) -> Lines:
        """Do the sums as one does them by hand."""
        recall, precision, f = tally.values
        peer_hit = tally.hit if tally.peer_hit is None else tally.peer_hit
        hit = "hit" if tally.peer_hit is None else "peer hit"
        of_model = self._quotient(tally.hit, tally.model_count, recall)
        of_peer = self._quotient(peer_hit, tally.peer_count, precision)
        yield Line.of("R", f"{of_model}  (hit / model count)")
        yield Line.of("P", f"{of_peer}  ({hit} / peer count)")
        if not (recall or precision):
            yield Line.of("F", f"{f:.5f}, as R and P are")
            return
        alpha = self.options.scores.alpha
        shares = f"{1 - alpha.value:g} * {precision:.5f} + {alpha.value:g} * {recall:.5f}"
        yield Line.of("F", f"{recall:.5f} * {precision:.5f} / ({shares}) = {f:.5f}")

    def _quotient(self, numerator: float, denominator: float, value: float) -> str:
        """Write a quotient and what it comes to."""
        quotient = f"{count_number(numerator)} / {count_number(denominator)}"
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
            hit, model_count, peer_count = map(count_number, counts)
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
