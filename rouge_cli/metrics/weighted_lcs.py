"""ROUGE-W: an LCS that favours consecutive matches. A run of k matches weighs f(k) = k ** W.

At equal words c[i][j] = (c[i-1][j-1] + f(k+1)) - f(k), where the run that ends at (i-1, j-1) has
the length k, and the new one k+1. Otherwise c is the greater of its neighbours above and to the
left, or the one above if they are equal, and the run has the length 0. All numbers are doubles, and
are added in this order, since both affect the last digit. Backtracking is that of ROUGE-L.

If no two matches are diagonally adjacent, there are no runs, and since f(1) = 1 the LCS is that of
ROUGE-L. Only the other pairs of sentences need the table of doubles. In this table a gap
(consecutive words without a match in the other sentence) is represented by its first word: the rows
or columns of the other words would be equal, and backtracking would take the same moves in them.

Marked words are clipped in order as in ROUGE-L, and form runs. A run ends with a counted word whose
next word in the sentence is not marked. A clipped word neither extends a run nor ends it. A run
that is still open at the end of its sentence is lost.
Source: specification, section 5, "ROUGE-W".
"""

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import ClassVar

import numpy as np

from rouge_cli.core import compiled_core
from rouge_cli.metrics.arithmetic import (
    DOUBLE_LIMIT,
    Floats,
    ordered_sum,
    perl_power,
    power_table,
    powers,
)
from rouge_cli.metrics.counts import Counts, PairCounts, PairMarks, Run
from rouge_cli.metrics.formulas import CountedMetric
from rouge_cli.metrics.lcs import (
    PeerSentence,
    WordPairs,
    aligned,
    clipped,
    marked_words,
    matched_types,
    matched_words,
    rows_backwards,
)
from rouge_cli.metrics.paired_texts import PairedTexts, Reading, TextPair, TextPairs, Tokens
from rouge_cli.options.metrics import MetricOptions
from rouge_cli.options.readers import Number
from rouge_cli.quick_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class RougeW(CountedMetric):
    """ROUGE-W; ``-M`` stems its unigram tables, but not its sentences."""

    weight: Number
    reading: ClassVar[Reading] = Reading(by_sentence=True, stems_unigrams=True)
    is_compiled: ClassVar[bool] = True
    compares_rounded: ClassVar[bool] = False

    @classmethod
    def from_options(cls, options: MetricOptions) -> "RougeW | None":
        """Return the metric if ``-w`` is given."""
        return None if options.weight is None else cls(options.weight)

    @property
    def names(self) -> tuple[str, ...]:
        return (f"ROUGE-W-{self.weight.text}",)

    @property
    def signature(self) -> tuple[str, ...]:
        """The weight; 2 and 2.0 differ, as whole weights make counts integers."""
        weight = str(int(self.weight.text)) if self.has_whole_counts else repr(self.weight.value)
        return (f"w:{weight}",)

    @property
    def root(self) -> float:
        return self.weight.value

    @property
    def has_whole_counts(self) -> bool:
        return self.weight.text.isdecimal()

    def count_pair(self, pair: TextPair) -> list[PairCounts]:
        return [count_weighted_lcs(pair, self._matched_words, self._f)]

    def mark_pair(self, pair: TextPair) -> list[PairMarks]:
        alignments = aligned(pair, self._matched_words)
        marked = marked_words(alignments)
        counted = clipped(marked, pair)
        runs = tuple(runs_of(marked, counted, pair.model.sentences, self._f))
        matches = matched_types(pair, alignments, counted)
        return [PairMarks(matches, alignments=alignments, runs=runs)]

    def count_compiled(self, texts: PairedTexts) -> list[Counts] | None:
        """Count all pairs of a block with the core; None if whole counts are inexact as doubles."""
        pairs, tables = texts.pairs(self.reading), texts.unigram_pairs(self.reading)
        weight, is_whole = self.weight.value, self.has_whole_counts
        f = np.array(power_table(pairs.longest_model_sentence, weight))
        hits, base = weighted_lcs_hits(pairs, tables, f)
        if is_whole:
            # Hits never exceed the base, and below this limit doubles hold both exactly.
            if base.max(initial=0) >= DOUBLE_LIMIT:
                return None
            hits, base = hits.astype(np.int64), base.astype(np.int64)
        peer_count = powers(tables.peer_counts.tolist(), weight, is_whole=is_whole)
        model_count = powers(base.tolist(), weight, is_whole=is_whole)
        return [Counts(hits, model_count, peer_count, base)]

    def _f(self, length: float) -> float:
        return perl_power(length, self.weight.value, is_whole=self.has_whole_counts)

    def _matched_words(self, peer: PeerSentence, model: Tokens) -> WordPairs:
        return matched_weighted(peer, model, self.weight.value)


def count_weighted_lcs(
    pair: TextPair,
    matched: Callable[[PeerSentence, Tokens], WordPairs],
    weigh: Callable[[float], float],
) -> PairCounts:
    """Count one pair for ROUGE-W.

    `matched` returns the words on the weighted LCS of two sentences. `weigh` is the function f. It
    is applied to the lengths of runs, sentences and texts.
    """
    marked = marked_words(aligned(pair, matched))
    runs = runs_of(marked, clipped(marked, pair), pair.model.sentences, weigh)
    base = ordered_sum(map(weigh, map(len, pair.model.sentences)))
    return PairCounts(
        ordered_sum(run.weight for run in runs),
        weigh(base),
        weigh(len(pair.peer_unigrams)),
        model_base=base,
    )


def runs_of(
    marked: Sequence[int],
    counted: Iterable[int],
    sentences: Sequence[Tokens],
    weigh: Callable[[float], float],
) -> Iterator[Run]:
    """Yield the runs of counted words, sentence by sentence."""
    is_marked, is_counted = frozenset(marked), frozenset(counted)
    end = 0
    for sentence in sentences:
        first, end = end, end + len(sentence)
        length = 0
        for word in range(first, end):
            # A clipped word neither extends a run nor ends it.
            if word not in is_counted:
                continue
            length += 1
            if word + 1 == end or word + 1 not in is_marked:
                yield Run(first, word + 1, length, weigh(length))
                first, length = word + 1, 0


def matched_weighted(
    peer: PeerSentence, model: Tokens, weight: float, *, adds_rises: bool = False
) -> WordPairs:
    """Return the words on the weighted LCS of two sentences; see `weighted_words`."""
    # Without runs the LCS is that of ROUGE-L, whose rows of bits are much faster to fill.
    if has_runs(peer, model):
        return weighted_words(peer, model, weight, adds_rises=adds_rises)
    return matched_words(peer, model)


def weighted_lcs_hits(
    pairs: TextPairs,
    tables: TextPairs,
    f: Floats,
    *,
    table_weight: float | None = None,
    adds_rises: bool = False,
) -> tuple[Floats, Floats]:
    """Return the hits of ROUGE-W and the model counts weighted once, each of shape (n_pairs,).

    `f` holds ``k ** W`` for each k up to the length of the longest sentence in any model. With
    `table_weight`, the table of the LCS uses a W of its own. For `adds_rises` see `weighted_words`.
    """
    added = f if table_weight is None else np.array(power_table(f.size - 1, table_weight), float)
    subtracted = added
    # The core always adds one number and subtracts another. To add a rise in one step, the second
    # has to be 0.
    if adds_rises:
        added, subtracted = np.diff(added, prepend=0.0), np.zeros(f.size)
    hits, bases = np.empty(pairs.n_pairs), np.empty(pairs.n_pairs)
    sides = pairs.compiled, tables.compiled
    compiled_core().count_wlcs(*sides, f, added, subtracted, hits, bases)
    return hits, bases


def has_runs(peer: PeerSentence, model: Tokens) -> bool:
    """Return whether two matches are diagonally adjacent."""
    masks = [peer.masks.get(token, 0) for token in model]
    return any(before << 1 & mask for before, mask in pairwise(masks))


def weighted_words(
    peer: PeerSentence, model: Tokens, weight: float, *, adds_rises: bool = False
) -> WordPairs:
    """Return the words that backtracking marks in the weighted table of two sentences, in order.

    With `adds_rises` the table adds ``f(k+1) - f(k)`` in one step, as another package does. This
    may change the last bit of a cell, and so which of two neighbours is the greater.
    """
    rows = _without_gaps(model, peer.masks)
    columns = _without_gaps(peer.tokens, frozenset(model))
    peer_tokens = [peer.tokens[column] for column in columns]
    f = power_table(min(len(rows), len(columns)), weight)
    rises = [after - before for before, after in pairwise(f)] if adds_rises else None
    fill = partial(_fill, peer_tokens, f, rises)
    state = [0.0] * len(columns), [0] * len(columns)
    sizes = len(columns), CELL_BYTES * len(columns)
    words: WordPairs = []
    j = len(columns) - 1
    moves_of_rows = rows_backwards([model[row] for row in rows], state, fill, sizes)
    for row, moves in zip(reversed(rows), moves_of_rows, strict=False):
        while j >= 0 and moves[j] == LEFT:
            j -= 1
        if j < 0:
            break
        if moves[j] == MATCH:
            words.append((row, columns[j]))
            j -= 1
    words.reverse()
    return words


MATCH, UP, LEFT = range(3)


def _without_gaps(tokens: Tokens, others: Container[object]) -> list[int]:
    """Return the positions of the words in `others`, and of the first word of each gap."""
    positions = []
    was_match = True
    for position, token in enumerate(tokens):
        is_match = token in others
        if is_match or was_match:
            positions.append(position)
        was_match = is_match
    return positions


# The scores of a row of the table, and the lengths of the runs that end there.
Cells = tuple[list[float], list[int]]
CELL_BYTES = 48  # approximate memory of the score and run of a cell in Python


def _fill(
    peer: Tokens, f: Sequence[float], rises: Sequence[float] | None, above_all: Cells, model: Tokens
) -> tuple[Cells, list[bytearray]]:
    """Fill rows of the table; return the last row, and the moves out of the cells of each row."""
    scores, runs = above_all[0].copy(), above_all[1].copy()
    rows = []
    for token in model:
        moves = bytearray(len(peer))
        left = diagonal = 0.0
        run = 0
        for column, other in enumerate(peer):
            above, run_above = scores[column], runs[column]
            if token == other:
                # From left to right: another order could change the last digit.
                left = diagonal + f[run + 1] - f[run] if rises is None else diagonal + rises[run]
                runs[column] = run + 1
            else:
                runs[column] = 0
                if above >= left:
                    left = above
                    moves[column] = UP
                else:
                    moves[column] = LEFT
            scores[column] = left
            diagonal, run = above, run_above
        rows.append(moves)
    return (scores, runs), rows
