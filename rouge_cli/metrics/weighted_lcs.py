"""ROUGE-W: the LCS in which consecutive matches weigh more, f(k) = k ** W for a run of k.

Without two diagonally adjacent matches in its table a sentence pair has no runs, and as f(1) = 1
its LCS is ROUGE-L's. Only the other sentence pairs need the weighted table.
Source: specification, section 5, "ROUGE-W".
"""

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rouge_cli.metrics.compiled import weighted_lcs_hits
from rouge_cli.metrics.counts import Counts
from rouge_cli.metrics.formulas import CountedMetric
from rouge_cli.metrics.lcs import counted_marks
from rouge_cli.metrics.lcs_backtracking import MarkedRows
from rouge_cli.metrics.lcs_marks import TokenPairs, aligned, alignments_of, marked_units
from rouge_cli.metrics.marks import Marks, Runs
from rouge_cli.metrics.matching import Matches
from rouge_cli.metrics.paired_texts import PairedTexts, Reading
from rouge_cli.metrics.perl_numbers import DOUBLE_LIMIT, ordered_sums, power_table, powers
from rouge_cli.metrics.sentence_pairs import SentenceRows
from rouge_cli.metrics.weighted_backtracking import mark_weighted_lcs, weighted_lcs
from rouge_cli.options.declaration import Number
from rouge_cli.options.metrics import MetricOptions
from rouge_cli.quick_dataclass import dataclass

__all__ = ["RougeW", "count_wlcs"]


@dataclass(frozen=True, slots=True)
class RougeW(CountedMetric):
    """ROUGE-W; ``-M`` stems its unigram tables and not its sentences."""

    weight: Number
    reading: ClassVar[Reading] = Reading(by_sentence=True, stems_unigrams=True)
    compares_rounded: ClassVar[bool] = False

    @classmethod
    def asked_for(cls, options: MetricOptions) -> "RougeW | None":
        """Return the metric if the options ask for it."""
        return None if options.weight is None else cls(options.weight)

    @property
    def names(self) -> tuple[str, ...]:
        """The name of the metric, with the weight as typed."""
        return (f"ROUGE-W-{self.weight.text}",)

    @property
    def signature(self) -> tuple[str, ...]:
        """The weight; 2 and 2.0 differ, as whole weights are counted in whole numbers."""
        weight = str(int(self.weight.text)) if self._is_whole else repr(self.weight.value)
        return (f"w:{weight}",)

    @property
    def root(self) -> float:
        """Recall and precision are W-th roots."""
        return self.weight.value

    @property
    def _is_whole(self) -> bool:
        """Whether the weight was typed as a whole number."""
        return self.weight.text.isdecimal()

    def count(self, texts: PairedTexts) -> list[Counts]:
        """Count the hits of each pair."""
        counts = self._count_compiled(texts)
        if counts is not None:
            return [counts]
        return [
            count_wlcs(
                texts.matches(self.reading),
                texts.unigram_matches(self.reading),
                texts.lcs_rows(self.reading),
                self.weight.value,
                is_whole=self._is_whole,
            )
        ]

    def marks(self, texts: PairedTexts) -> list[Marks]:
        """Return what is on the weighted union LCS of each pair, what counts, and the runs."""
        matches, marked = texts.matches(self.reading), texts.lcs_rows(self.reading)
        weight, is_marked = self.weight.value, _union_marks(matches, marked, self.weight.value)
        is_counted = counted_marks(is_marked, matches, texts.unigram_matches(self.reading))
        (counts,) = self.count(texts)
        alignments = alignments_of(matches, _matched_tokens(matches, marked, weight))
        return [
            Marks(
                counts,
                *texts.seen(self.reading),
                (marked_units(matches, alignments, is_counted),),
                alignments=alignments,
                runs=_runs(
                    matches, is_marked, is_counted, _f(matches, weight, is_whole=self._is_whole)
                ),
            )
        ]

    def _count_compiled(self, texts: PairedTexts) -> Counts | None:
        """Count with the compiled core, where there is one, and doubles hold whole counts."""
        pairs, tables = texts.pairs(self.reading), texts.unigram_pairs(self.reading)
        core = pairs.core
        if core is None:
            return None
        weight, is_whole = self.weight.value, self._is_whole
        f = power_table(pairs.longest_model_sentence, weight)
        hits, base = weighted_lcs_hits(core, pairs, tables, f)
        if is_whole:
            # Hits are no greater than the base, and below this both are exact.
            if base.max(initial=0) >= DOUBLE_LIMIT:
                return None
            hits, base = hits.astype(np.int64), base.astype(np.int64)
        peer_count = powers(tables.peer_counts.tolist(), weight, is_whole=is_whole)
        return Counts(hits, powers(base.tolist(), weight, is_whole=is_whole), peer_count, base)


def count_wlcs(
    matches: Matches,
    tables: Matches,
    marked: list[MarkedRows],
    weight: float,
    *,
    is_whole: bool,
) -> Counts:
    """Count the weighted LCS of each pair.

    Parameters
    ----------
    matches : Matches
        The reading of ROUGE-W.
    tables : Matches
        The reading of ROUGE-1, whose unigram tables clip the hits; the peer count is its too.
    marked : list of MarkedRows
        The LCS of every sentence pair of `matches`.
    weight : float
        W, above 0.
    is_whole : bool
        Whether W was typed as a whole number, which makes all counts whole numbers.
    """
    is_marked = _union_marks(matches, marked, weight)
    is_counted = counted_marks(is_marked, matches, tables)
    f = _f(matches, weight, is_whole=is_whole)
    base, runs = _model_base(matches, f), _runs(matches, is_marked, is_counted, f)
    return Counts(
        ordered_sums(runs.pairs, runs.weights, matches.n_pairs),
        powers(base.tolist(), weight, is_whole=is_whole),
        powers(tables.peers.token_counts.tolist(), weight, is_whole=is_whole),
        base,
    )


def _union_marks(matches: Matches, marked: list[MarkedRows], weight: float) -> NDArray[np.bool_]:
    """Return which tokens of the models are on a weighted LCS, (n_model_tokens,)."""
    is_marked = np.zeros(matches.models.types.size, np.bool_)
    for rows, is_row_marked in marked:
        has_runs = _has_runs(rows)
        is_plain = np.repeat(~has_runs, np.diff(rows.offsets))
        is_marked[rows.model_tokens[is_plain & is_row_marked]] = True
        mark_weighted_lcs(matches, rows, np.flatnonzero(has_runs), weight, is_marked)
    return is_marked


def _matched_tokens(matches: Matches, marked: list[MarkedRows], weight: float) -> list[TokenPairs]:
    """Return what `_union_marks` marks, with the tokens of the peers."""
    pieces = []
    for rows, is_row_marked in marked:
        has_runs = _has_runs(rows)
        is_plain = np.repeat(~has_runs, np.diff(rows.offsets))
        plain = aligned(matches, [(rows, is_plain & is_row_marked)])
        pieces.append((plain.model_tokens, plain.peer_tokens))
        pieces += weighted_lcs(matches, rows, np.flatnonzero(has_runs), weight)
    return pieces


def _f(matches: Matches, weight: float, *, is_whole: bool) -> NDArray[Any]:
    """Return f of all lengths of runs that there may be."""
    longest = int(np.diff(matches.models.sentence_offsets).max(initial=0))
    return powers(range(longest + 1), weight, is_whole=is_whole)


def _has_runs(rows: SentenceRows) -> NDArray[np.bool_]:
    """Return which sentence pairs have two matches diagonally adjacent, (n_sentence_pairs,)."""
    masks = rows.masks
    shifted = masks[:, :-1] << np.uint64(1)
    shifted[1:] |= masks[:-1, :-1] >> np.uint64(63)
    is_run = ((shifted & masks[:, 1:]) != 0).any(axis=0)
    is_run &= np.diff(rows.model_tokens) == 1
    runs_before = np.concatenate(([0, 0], np.cumsum(is_run)))
    return runs_before[rows.offsets[1:]] > runs_before[rows.offsets[:-1] + 1]


def _runs(
    matches: Matches,
    is_marked: NDArray[np.bool_],
    is_counted: NDArray[np.bool_],
    f: NDArray[Any],
) -> Runs:
    """Find the runs of counted positions, each of which adds f(run length) to the hit.

    A run is closed by a counted position behind which no position of the sentence is marked. One
    that is marked but does not count neither adds to a run nor closes it, so a run may go on
    behind a gap; what no position closes is lost at the end of the sentence.
    """
    offsets = matches.models.sentence_offsets
    is_followed = np.append(is_marked[1:], False)
    ends = offsets[1:][np.diff(offsets) > 0]
    is_followed[ends - 1] = False
    closing = np.flatnonzero(is_counted & ~is_followed)
    counted_before = np.concatenate(([0], np.cumsum(is_counted)))
    sentences = np.searchsorted(offsets, closing, side="right") - 1
    run_starts = offsets[sentences]
    np.maximum(run_starts[1:], closing[:-1] + 1, out=run_starts[1:])
    lengths = counted_before[closing + 1] - counted_before[run_starts]
    pairs = np.searchsorted(matches.models.text_offsets, sentences, side="right") - 1
    return Runs(pairs, run_starts, closing + 1, lengths, f[lengths])


def _model_base(matches: Matches, f: NDArray[Any]) -> NDArray[Any]:
    """Add up f(length) over the sentences of each model, in order, shape (n_pairs,)."""
    lengths = np.diff(matches.models.sentence_offsets)
    texts = np.repeat(np.arange(matches.n_pairs), np.diff(matches.models.text_offsets))
    return ordered_sums(texts, f[lengths], matches.n_pairs)
