"""The records that say why a score is what it is: words as they are read, matches, counts."""

from rouge_cli.metrics.counts import ScoredMetric
from rouge_cli.quick_dataclass import dataclass

__all__ = [
    "Alignment",
    "Explanation",
    "Match",
    "MetricExplanation",
    "PairExplanation",
    "Place",
    "Run",
    "SeenText",
    "Tally",
    "Word",
]

Place = tuple[int, ...]
"""The words that an occurrence is made of, counted from 0 in its text."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text as a metric reads it.

    Parameters
    ----------
    text : str
        Before it is stemmed.
    stem : str or None
        What is compared in its place; None where the text is not stemmed.
    """

    text: str
    stem: str | None = None


@dataclass(frozen=True, slots=True)
class SeenText:
    """A text as a metric reads it: cut to its limit, without stopwords.

    Parameters
    ----------
    words : tuple of Word
        In ROUGE-BE the Basic Elements.
    sentence_ends : tuple of int
        Sentence ``s`` ends in front of word ``sentence_ends[s]``; it may be empty.
    """

    words: tuple[Word, ...]
    sentence_ends: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Match:
    """What occurs on both sides: an n-gram, a skip-bigram, a Basic Element, a word of an LCS.

    Parameters
    ----------
    peer, model : tuple of Place
        All its occurrences, in the order of the text; of ROUGE-L and W those on an LCS.
    hits : int
        How many occurrences count: the first ones of each side; the others are clipped.
    similarity : float or None
        The least cosine of its words in a soft match; None where both sides are equal.
    """

    peer: tuple[Place, ...]
    model: tuple[Place, ...]
    hits: int
    similarity: float | None = None


@dataclass(frozen=True, slots=True)
class Alignment:
    """The LCS of a sentence of the model with a sentence of the peer.

    Parameters
    ----------
    model_sentence, peer_sentence : int
        Counted from 0.
    words : tuple of (int, int)
        The word of the model and the word of the peer that it is matched with, in order.
    """

    model_sentence: int
    peer_sentence: int
    words: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Run:
    """Consecutive words of ROUGE-W that count together.

    Parameters
    ----------
    start, end : int
        The counted words of the model from `start` up to, not including, `end`.
    length : int
        How many of them count.
    weight : float or int
        The length weighted, which is added to the hit.
    """

    start: int
    end: int
    length: int
    weight: float


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts, and the scores that they make.

    Parameters
    ----------
    hit, model_count, peer_count : int or float
        Floats in ROUGE-W only.
    peer_hit : int or None
        The hit that precision is made of, where it is not `hit`: in pairwise LCS.
    values : tuple of float
        Recall, precision and F, rounded to 5 decimals.
    """

    hit: float
    model_count: float
    peer_count: float
    peer_hit: float | None
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class PairExplanation:
    """A peer against one of its models, in one metric.

    Parameters
    ----------
    tally : Tally
        Of this pair alone.
    is_counted : bool
        Whether the score has a share in it: False for a model that formula B or best-f passes by.
    peer_states, model_states : bytes
        For each word 0, 1 or 2: `UNMATCHED`, `CLIPPED` or `COUNTED` of `rouge_cli.metrics.marks`.
        A word of several n-grams or skip-bigrams counts if one of them does.
    matches : tuple of Match
        In the order of the model; empty if they were not asked for.
    peer_matches : tuple of Match or None
        What precision is made of where it is not `matches`: in pairwise LCS.
    alignments : tuple of Alignment
        Sentence by sentence, in the metrics that have sentences.
    runs : tuple of Run
        Only of ROUGE-W.
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

    Parameters
    ----------
    values : tuple of float
        Of each of its measures, as in the score table.
    tally : Tally or None
        The counts that the values are made of; None if the metric does not count.
    pairs : tuple of PairExplanation
        For each model, in the order of the EVAL; empty if the metric does not count.
    root : float or None
        W of ROUGE-W, whose recall and precision are W-th roots; None in the others.
    """

    metric: ScoredMetric
    values: tuple[float, ...]
    tally: Tally | None
    pairs: tuple[PairExplanation, ...] = ()
    root: float | None = None


@dataclass(frozen=True, slots=True)
class Explanation:
    """The scores of one instance: a peer in an EVAL.

    Parameters
    ----------
    metrics : tuple of MetricExplanation
        In the order of print.
    """

    metrics: tuple[MetricExplanation, ...]
