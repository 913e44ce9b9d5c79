"""The fields of explanations: the dictionary for JSON, and rows for CSV files."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from operator import itemgetter
from typing import Any

from rouge_cli.explain.explained_evals import ExplainedEval, ExplainedRun, SourceText
from rouge_cli.explain.explanation import SeenText
from rouge_cli.metrics.counts import RPF
from rouge_cli.options.scores import FORMULAS, MEASURE_NAMES
from rouge_cli.quick_dataclass import dataclass
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
from rouge_cli.scores.signature import scored_signature

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
        Field("matches", MATCHES, "part.matches"),
        Field("peer_matches", MATCHES, "part.peer_matches",
            has_value=lambda pair: pair.part.peer_matches is not None),
        Field("alignments", list_of(ALIGNMENT), "part.alignments",
            "The LCS of each sentence of the model with each sentence of the peer that shares a "
            "word: pairs of a word of the model and a word of the peer.", "part.alignments"),
        Field("runs", list_of(RUN), "part.runs",
            "The runs of ROUGE-W: the counted words from start up to end, and what they add to the "
            "hit.", "part.runs"),
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
        Field("evals", list_of(EVAL), lambda view: _evals(view.run, shows_texts=view.with_texts)),
    )
)
# fmt: on


def _evals(run: ExplainedRun, *, shows_texts: bool) -> Iterator[_InEval]:
    """Yield the EVALs."""
    return (_InEval.of(explained, shows_texts=shows_texts) for explained in run.evals)


def explanation_records(run: ExplainedRun) -> Iterator[dict[str, Value]]:
    """Yield the values of a row for each EVAL, system and metric."""
    for explained in _evals(run, shows_texts=False):
        of_eval = EVAL.cells(explained, COLUMNS)
        for system in explained.each(explained.part.peers):
            of_system = of_eval | SYSTEM.cells(system, COLUMNS)
            for metric in system.each(system.part.metrics):
                letters = metric.part.metric.measures
                names = [MEASURE_NAMES[letter] for letter in letters]
                scores = dict(zip(names, metric.part.values, strict=True))
                yield {**of_system, **METRIC.cells(metric, COLUMNS), **scores}
