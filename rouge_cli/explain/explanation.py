"""The records that explain a score: words as they are read, matches, counts.

Reports and pages are written from them; they compute nothing.
"""

from rouge_cli.metrics.counts import ScoredMetric
from rouge_cli.metrics.marks import Alignment, Match, Run
from rouge_cli.quick_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text before it is stemmed.

    `stem` is what is compared in its place; None if the text is not stemmed.
    """

    text: str
    stem: str | None = None


@dataclass(frozen=True, slots=True)
class SeenText:
    """A text as a metric reads it: cut to its limit, without stopwords.

    In ROUGE-BE its words are the Basic Elements. Sentence ``s`` ends in front of word
    ``sentence_ends[s]``; it may be empty.
    """

    words: tuple[Word, ...]
    sentence_ends: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts as in `PairCounts`, and the scores that they make: rounded recall, precision, F."""

    hit: float
    model_count: float
    peer_count: float
    peer_hit: float | None
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class PairExplanation:
    """A peer against one of its models, in one metric, with the marks of `PairMarks`.

    - `tally`: of this pair alone.
    - `is_counted`: whether the score has a share in it: False for a model that formula B or best-f
      passes by.
    - `peer_states`, `model_states`: for each word 0, 1 or 2: `UNMATCHED`, `CLIPPED` or `COUNTED` of
      `rouge_cli.metrics.marks`. A word of several n-grams or skip-bigrams counts if one of them
      does.
    - `matches`: in the order of the model. Matches, alignments and runs are empty if they were not
      asked for.
    """

    tally: Tally
    is_counted: bool
    peer: SeenText
    model: SeenText
    peer_states: bytes
    model_states: bytes
    matches: tuple[Match, ...] = ()
    peer_matches: tuple[Match, ...] | None = None
    alignments: tuple[Alignment, ...] = ()
    runs: tuple[Run, ...] = ()


@dataclass(frozen=True, slots=True)
class MetricExplanation:
    """A peer against all its models, in one metric.

    - `values`: of each of its measures, as in the score table.
    - `tally`: the counts that the values are made of; None if the metric does not count.
    - `pairs`: for each model, in the order of the EVAL; empty if the metric does not count.
    - `root`: W of ROUGE-W, whose recall and precision are W-th roots; None in the others.
    """

    metric: ScoredMetric
    values: tuple[float, ...]
    tally: Tally | None
    pairs: tuple[PairExplanation, ...] = ()
    root: float | None = None


Explanation = tuple[MetricExplanation, ...]
"""Of one instance, a peer in an EVAL: its metrics, in the order of print."""
