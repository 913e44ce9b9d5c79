"""Explanations as annotated rows: what JSON and CSV hold."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, NamedTuple

from rouge_cli.explanations.explained_evals import (
    ExplainedEval,
    ExplainedPeer,
    ExplainedRun,
    SourceText,
)
from rouge_cli.explanations.explanation import (
    MetricExplanation,
    PairExplanation,
    ScoredCounts,
    SeenText,
)
from rouge_cli.metrics.marks import Match, Place
from rouge_cli.options.scores import FORMULAS, MEASURE_NAMES
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports.rows import Shown
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

    peer: Annotated[tuple[Place, ...], Shown("Its occurrences in the peer.")]
    model: Annotated[tuple[Place, ...], Shown("Its occurrences in the model.")]
    hits: Annotated[int, Shown("How many occurrences of each side count, from the first on.")]
    similarity: Annotated[
        float | None, Shown("The lowest cosine of its words in ROUGE-soft-N.", optional=True)
    ]


class AlignmentRow(NamedTuple):
    """The LCS of a sentence of the model with a sentence of the peer."""

    model_sentence: Annotated[int, Shown("The sentence of the model, counted from 0.")]
    peer_sentence: Annotated[int, Shown("The sentence of the peer, counted from 0.")]
    words: Annotated[
        tuple[tuple[int, int], ...],
        Shown("Pairs of a word of the model and a word of the peer.", schema={"minItems": 1}),
    ]


class RunRow(NamedTuple):
    """A run of ROUGE-W."""

    start: Annotated[int, Shown("Its first word.")]
    end: Annotated[int, Shown("The word behind its last one.")]
    length: Annotated[int, Shown("How many of these words count.")]
    weight: Annotated[float, Shown("What they add to the hit.")]


class PairRow(NamedTuple):
    """A peer and one of its models, in one metric."""

    model: Annotated[str, Shown("The ID of the model.")]
    is_counted: Annotated[
        bool, Shown("False for a model that formula B or best-f does not choose.")
    ]
    scores: Annotated[
        LetterScores, Shown("Of this pair alone.", schema={"required": ["R", "P", "F"]})
    ]
    counts: Annotated[ScoredCounts, Shown("Of this pair alone.")]
    peer_reading: Annotated[int, Shown("The place of the peer in readings, from 0.")]
    model_reading: Annotated[int, Shown("The place of the model in readings, from 0.")]
    peer_marks: Annotated[tuple[int, ...], Shown(MARKS.format("of the peer"), schema=ONE_MARK)]
    model_marks: Annotated[tuple[int, ...], Shown(MARKS.format("of the model"), schema=ONE_MARK)]
    matches: Annotated[Sequence[MatchRow], Shown("What both texts have, by the model.")]
    peer_matches: Annotated[
        Sequence[MatchRow] | None,
        Shown("The matches for precision, if these differ: in LCS-pairwise.", optional=True),
    ]
    alignments: Annotated[
        tuple[AlignmentRow, ...],
        Shown(
            "The LCS of each sentence of the model with each sentence of the peer that shares a "
            "word.",
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
            "The peer against each model; absent for metrics that do not count.",
            optional=True,
            schema={"minItems": 1},
        ),
    ]


class RankRow(NamedTuple):
    """The score that an EVAL was chosen by."""

    score: Annotated[float, Shown("Of the system.")]
    against: Annotated[float | None, Shown("Of the system of --against.")]


@dataclass(frozen=True, slots=True)
class PeerRow(SourceText):
    """A peer with the explanation of its scores."""

    chosen_by: Annotated[
        RankRow | None,
        Shown("With --best and --worst: the score of the choice.", column="", optional=True),
    ]
    metrics: Annotated[
        tuple[MetricRow, ...], Shown("In the order of print.", schema={"minItems": 1})
    ]


class EvalRow(NamedTuple):
    """An EVAL."""

    id: Annotated[str, Shown("The ID of the EVAL.", column="eval")]
    models: Annotated[tuple[SourceText, ...], Shown("Its models.")]
    systems: Annotated[
        tuple[PeerRow, ...], Shown("The peers of the systems.", schema={"minItems": 1})
    ]
    readings: Annotated[
        tuple[SeenText, ...], Shown("Each text as metrics read it; equal readings once.")
    ]


class ExplanationReport(NamedTuple):
    """Explained EVALs."""

    signature: Annotated[str, Shown("How each EVAL is scored.", schema={"pattern": "^rouge-cli:"})]
    formula: Annotated[
        str,
        Shown("How several models make one score.", column="", schema={"enum": list(FORMULAS)}),
    ]
    alpha: Annotated[
        float,
        Shown("Weight of precision in F.", column="", schema={"minimum": 0, "maximum": 1}),
    ]
    evals: Annotated[tuple[EvalRow, ...], Shown("The EVALs, as requested.")]


def explanation_report(run: ExplainedRun, *, with_texts: bool) -> ExplanationReport:
    """Return explanations as reports hold them; `with_texts` adds the lines of the texts."""
    scores = run.options.scores
    evals = tuple(_eval_row(explained, with_texts=with_texts) for explained in run.evals)
    signature = scored_signature(run.options)
    return ExplanationReport(signature, scores.formula, scores.alpha.value, evals)


def _eval_row(explained: ExplainedEval, *, with_texts: bool) -> EvalRow:
    readings = dict.fromkeys(
        text
        for peer in explained.peers
        for metric in peer.metrics
        for pair in metric.pairs
        for text in (pair.peer, pair.model)
    )
    numbers = {text: number for number, text in enumerate(readings)}
    names = [model.name for model in explained.models]
    models = tuple(
        model if with_texts else replace(model, sentences=()) for model in explained.models
    )
    peers = tuple(
        _peer_row(peer, names, numbers, with_texts=with_texts) for peer in explained.peers
    )
    return EvalRow(explained.id, models, peers, tuple(readings))


def _peer_row(
    peer: ExplainedPeer, models: Sequence[str], numbers: Mapping[SeenText, int], *, with_texts: bool
) -> PeerRow:
    text, rank = peer.text, peer.rank
    return PeerRow(
        text.name,
        text.place,
        text.sentences if with_texts else (),
        text.left_out,
        None if rank is None else RankRow(rank.score, rank.other),
        tuple(_metric_row(metric, models, numbers) for metric in peer.metrics),
    )


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
