"""Explanations of scores: records of words, matches and counts.

Marks come from the code that counts (see `rouge_cli.metrics.counts`), and scores from the code that
scores. Reports and pages only show the records, and compute nothing.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from rouge_cli.inputs.batch import Batch
from rouge_cli.metrics.counts import Counts, MarkedPairs, PairMarks, ScoredMetric, SeenTexts
from rouge_cli.metrics.formulas import Metric
from rouge_cli.metrics.metric import metrics_of
from rouge_cli.metrics.paired_texts import PairedTexts
from rouge_cli.options.options import Options
from rouge_cli.options.scores import ScoreOptions
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports.rows import Shown
from rouge_cli.run.counting import read_batch
from rouge_cli.text.tokenizer import Tokenizer

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
    - `is_counted`: whether the pair contributes to the score. Formula B and best-f choose a single
      model.
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
