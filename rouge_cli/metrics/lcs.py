"""ROUGE-L and the normalised pairwise LCS: the LCS of each model sentence with each peer sentence.

ROUGE-L takes for each model sentence the union of its LCS with every peer sentence. Marked
positions are visited in order; each one that counts uses up one of its token in the model's and in
the peer's unigram table. So of the marked positions of a type the first ones count, as many as the
lesser of the two tables holds.

The pairwise LCS sets each sentence against the one that suits it best: a model sentence takes its
longest LCS with any peer sentence, a peer sentence its longest with any model sentence. The first,
added up over the model, make recall; the second, over the peer, precision.
Source: specification, section 5, "ROUGE-L"; Lin (2004), section 3.3, after Radev et al. (2002), the
MEAD evaluation toolkit.
"""

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from rouge_cli.metrics.compiled import lcs_hits
from rouge_cli.metrics.counts import Counts
from rouge_cli.metrics.formulas import CountedMetric
from rouge_cli.metrics.lcs_backtracking import MarkedRows
from rouge_cli.metrics.lcs_lengths import LcsLengths
from rouge_cli.metrics.lcs_marks import aligned, best_sentences, marked_units
from rouge_cli.metrics.marks import Marks
from rouge_cli.metrics.matching import Matches
from rouge_cli.metrics.paired_texts import PairedTexts, Reading
from rouge_cli.metrics.single_pair import PairCounts, SinglePair
from rouge_cli.options.metrics import MetricOptions
from rouge_cli.quick_dataclass import dataclass

__all__ = [
    "PairwiseLcs",
    "RougeL",
    "count_lcs",
    "count_pairwise_lcs",
    "count_text_lcs",
    "counted_marks",
    "union_marks",
]

BY_SENTENCE = Reading(by_sentence=True, stems_models=True)
AS_ONE_SENTENCE = Reading(as_one_sentence=True, stems_models=True)


@dataclass(frozen=True, slots=True)
class RougeL(CountedMetric):
    """ROUGE-L: by sentence as the original does, or of the whole text as one sequence."""

    reading: Reading
    compares_rounded: ClassVar[bool] = False

    @classmethod
    def asked_for(cls, options: MetricOptions) -> "RougeL | None":
        """Return the metric if the options ask for it."""
        if not options.with_lcs:
            return None
        return cls(AS_ONE_SENTENCE if options.lcs_unit == "text" else BY_SENTENCE)

    @property
    def names(self) -> tuple[str, ...]:
        """The name of the metric."""
        return ("ROUGE-L-text" if self.reading.as_one_sentence else "ROUGE-L",)

    @property
    def signature(self) -> tuple[str, ...]:
        """The part of the signature."""
        return ("L:text" if self.reading.as_one_sentence else "L",)

    def count(self, texts: PairedTexts) -> list[Counts]:
        """Count the hits of each pair."""
        pairs = texts.pairs(self.reading)
        core = pairs.core
        if core is not None:
            tables = texts.unigram_pairs(self.reading)
            return [Counts(lcs_hits(core, pairs, tables), pairs.model_counts, tables.peer_counts)]
        matches = texts.matches(self.reading)
        if self.reading.as_one_sentence:
            return [count_text_lcs(matches, texts.lcs_lengths(self.reading))]
        return [
            count_lcs(matches, texts.unigram_matches(self.reading), texts.lcs_rows(self.reading))
        ]

    def count_pair(self, pair: SinglePair) -> list[PairCounts]:
        """Count the hits of one small pair."""
        is_whole = self.reading.as_one_sentence
        return [pair.count_lcs() if is_whole else pair.count_union_lcs()]

    def marks(self, texts: PairedTexts) -> list[Marks]:
        """Return what is on the union LCS of each pair, and what counts of it."""
        matches, marked = texts.matches(self.reading), texts.lcs_rows(self.reading)
        tables, alignments = texts.unigram_matches(self.reading), aligned(matches, marked)
        is_counted = counted_marks(union_marks(matches, marked), matches, tables)
        units = marked_units(matches, alignments, is_counted)
        (counts,) = self.count(texts)
        return [Marks(counts, *texts.seen(self.reading), (units,), alignments=alignments)]


@dataclass(frozen=True, slots=True)
class PairwiseLcs(CountedMetric):
    """The normalised pairwise LCS."""

    reading: ClassVar[Reading] = BY_SENTENCE
    names: ClassVar[tuple[str, ...]] = ("LCS-pairwise",)
    signature: ClassVar[tuple[str, ...]] = ("LCS-pairwise",)
    compares_rounded: ClassVar[bool] = False

    @classmethod
    def asked_for(cls, options: MetricOptions) -> "PairwiseLcs | None":
        """Return the metric if the options ask for it."""
        return cls() if options.pairwise_lcs else None

    def count(self, texts: PairedTexts) -> list[Counts]:
        """Count the hits of each pair."""
        return [count_pairwise_lcs(texts.matches(self.reading), texts.lcs_lengths(self.reading))]

    def marks(self, texts: PairedTexts) -> list[Marks]:
        """Return the longest LCS of each sentence, from both sides."""
        matches, marked = texts.matches(self.reading), texts.lcs_rows(self.reading)
        alignments, (counts,) = aligned(matches, marked), self.count(texts)
        of_models, of_peers = best_sentences(matches, alignments)
        return [
            Marks(
                counts,
                *texts.seen(self.reading),
                (of_models,),
                peer_units=(of_peers,),
                alignments=alignments,
            )
        ]


def count_lcs(matches: Matches, tables: Matches, marked: list[MarkedRows]) -> Counts:
    """Count the tokens of each pair on the union LCS.

    Parameters
    ----------
    matches : Matches
        The reading of ROUGE-L.
    tables : Matches
        The reading of ROUGE-1, whose unigram tables clip the hits; the peer count is its too.
    marked : list of MarkedRows
        The LCS of every sentence pair of `matches`.
    """
    is_counted = counted_marks(union_marks(matches, marked), matches, tables)
    counted_before = np.concatenate(([0], np.cumsum(is_counted)))
    return Counts(
        np.diff(counted_before[matches.models.token_offsets]),
        matches.models.token_counts,
        tables.peers.token_counts,
    )


def union_marks(matches: Matches, marked: list[MarkedRows]) -> NDArray[np.bool_]:
    """Return which tokens of the models are on an LCS with any sentence, (n_model_tokens,)."""
    is_marked = np.zeros(matches.models.types.size, np.bool_)
    for rows, is_row_marked in marked:
        is_marked[rows.model_tokens.take(np.flatnonzero(is_row_marked))] = True
    return is_marked


def counted_marks(
    is_marked: NDArray[np.bool_], matches: Matches, tables: Matches
) -> NDArray[np.bool_]:
    """Return which of the marked tokens of the models count.

    Parameters
    ----------
    is_marked : ndarray of bool, shape (n_model_tokens,)
        Tokens on the union LCS; every one of them is matched.
    matches : Matches
        The reading of ROUGE-L and ROUGE-W, with a byte limit not that of ROUGE-1.
    tables : Matches
        The reading of ROUGE-1, whose unigram tables clip.

    Returns
    -------
    ndarray of bool, shape (n_model_tokens,)
    """
    members, counts = matches.join.model_members, matches.join.model_counts
    is_marked_member = is_marked.take(members)
    marks = np.cumsum(is_marked_member)
    group_ends = np.cumsum(counts)
    marks_before = np.concatenate(([0], marks[group_ends - 1]))[:-1]
    rank = marks - np.repeat(marks_before, counts)
    is_counted_member = is_marked_member & (rank <= np.repeat(_limits(matches, tables), counts))
    is_counted = np.zeros_like(is_marked)
    is_counted[members] = is_counted_member
    return is_counted


def _limits(matches: Matches, tables: Matches) -> NDArray[np.int64]:
    """Return how many of each group of `matches` both unigram tables hold, shape (n_groups,)."""
    if matches is tables:
        return tables.join.hits
    places = np.searchsorted(tables.join.keys, matches.join.keys)
    keys = np.append(tables.join.keys, -1)
    hits = np.append(tables.join.hits, 0)
    return np.where(keys[places] == matches.join.keys, hits[places], 0)


def count_text_lcs(matches: Matches, lengths: list[LcsLengths]) -> Counts:
    """Count the LCS of each pair, whose texts are one sentence each.

    There is no union, and the unigram tables clip nothing: they are of the same tokens, so each
    holds all that are on one LCS.
    """
    hits = np.zeros(matches.n_pairs, np.int64)
    for rows, by_sentence_pair in lengths:
        hits[rows.peer_sentences] = by_sentence_pair
    return Counts(hits, matches.models.token_counts, matches.peers.token_counts)


def count_pairwise_lcs(matches: Matches, lengths: list[LcsLengths]) -> Counts:
    """Add up the longest LCS of each sentence of a pair, from both sides.

    Parameters
    ----------
    lengths : list of LcsLengths
        The LCS of every sentence pair of `matches`.

    Returns
    -------
    Counts
        With hits of the model's sentences and, as `Counts.peer_hit`, of the peer's.
    """
    models, peers = matches.models, matches.peers
    best_of_model = np.zeros(models.sentence_offsets.size - 1, np.int64)
    best_of_peer = np.zeros(peers.sentence_offsets.size - 1, np.int64)
    for rows, by_sentence_pair in lengths:
        first_tokens = rows.model_tokens.take(rows.offsets[:-1])
        sentences = np.searchsorted(models.sentence_offsets, first_tokens, "right") - 1
        np.maximum.at(best_of_model, sentences, by_sentence_pair)
        np.maximum.at(best_of_peer, rows.peer_sentences, by_sentence_pair)
    return Counts(
        _summed_by_text(best_of_model, models.text_offsets),
        models.token_counts,
        peers.token_counts,
        peer_hit=_summed_by_text(best_of_peer, peers.text_offsets),
    )


def _summed_by_text(
    by_sentence: NDArray[np.int64], text_offsets: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Add up over the sentences of each text, shape (n_texts,)."""
    before = np.concatenate(([0], np.cumsum(by_sentence)))
    return np.diff(before[text_offsets])
