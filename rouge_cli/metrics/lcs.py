"""ROUGE-L and the normalised pairwise LCS: a longest common subsequence for each two sentences.

The table. c[i][j] is the length of the LCS of the first i words of a model sentence and the first j
words of a peer sentence. Several subsequences can be equally long, and the score depends on which
of them is taken; backtracking decides. From the last cell it goes diagonally at equal words, and
marks the word of the model; else up if c[i-1][j] >= c[i][j-1], else left.

The idea. Along a row c rises by at most 1 from column to column, so that a row fits into the bits
of one integer: V has a 0 in each column where c rises. With M, the columns that hold the word of
the row, an addition makes the next row, as its carries do what the recurrence does:

    u = V & M;  s = V + u;  V = s | (V ^ u)

The addition carries out of column j exactly if E(j) = c[i][j] - c[i-1][j] is 1, and not 0.
Backtracking that finds no match goes up where E is 0 and left where it is 1; and one column to the
left E is 1 still, or there is a match. So a row is marked if M | E has the bit of the column that
backtracking has come to, and it goes on in front of the nearest match to the left. A row without a
match only goes up, and is left out.

ROUGE-L marks in each model sentence the union of its LCS with every peer sentence, and then counts
marked words in order, as long as both texts' unigram tables have some left. Of whole texts, one
sentence each, there is no union, and the tables clip nothing: the length of the LCS is the hit.

The pairwise LCS sets each sentence against the one that suits it best: a model sentence takes its
longest LCS with any peer sentence, a peer sentence its longest with any model sentence. The first,
added up over the model, make recall; the second, over the peer, precision.

Source: specification, section 5, "ROUGE-L"; Hyyrö (2004), "Bit-parallel LCS-length computation
revisited", section 4, for the rows; Lin (2004), section 3.3, after Radev et al. (2002), the MEAD
evaluation toolkit, for pairwise LCS.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import accumulate
from math import isqrt
from typing import Any, ClassVar, NamedTuple, TypeVar

import numpy as np

from rouge_cli.metrics.counts import Counts, PairCounts
from rouge_cli.metrics.formulas import CountedMetric
from rouge_cli.metrics.marks import Alignment, Match, PairMarks, Place
from rouge_cli.metrics.paired_texts import (
    LCS,
    TEXT_LCS,
    PairedTexts,
    PairUnit,
    Reading,
    Text,
    TextPair,
    TextPairs,
    Tokens,
    Whole,
)
from rouge_cli.options.metrics import MetricOptions
from rouge_cli.quick_dataclass import dataclass

BY_SENTENCE = Reading(by_sentence=True, stems_models=True)
AS_ONE_SENTENCE = Reading(as_one_sentence=True, stems_models=True)


@dataclass(frozen=True, slots=True)
class RougeL(CountedMetric):
    """ROUGE-L: by sentence as the original does, or of the whole text as one sequence."""

    reading: Reading
    is_compiled: ClassVar[bool] = True
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

    def count_pair(self, pair: TextPair) -> list[PairCounts]:
        """Count the words of the model on the union LCS, or on that of the whole texts."""
        if self.reading.as_one_sentence:
            return [count_text_lcs(pair.peer.tokens, pair.model.tokens)]
        return [count_union_lcs(pair)]

    def mark_pair(self, pair: TextPair) -> list[PairMarks]:
        """Return the words on the union LCS, and the LCS of each two sentences."""
        if self.reading.as_one_sentence:
            pair = pair.as_one_sentence()
        alignments = aligned(pair, matched_words)
        counted = clipped(marked_words(alignments), pair)
        return [PairMarks(matched_types(pair, alignments, counted), alignments=alignments)]

    def count_compiled(self, texts: PairedTexts) -> list[Counts] | None:
        """Count all pairs of a block with the core."""
        tables = texts.unigram_pairs(self.reading)
        if self.reading.as_one_sentence and (core := tables.core) is not None:
            # Sentences do not matter to it, so that the pairs of ROUGE-N serve.
            hits = text_lcs_hits(core, tables)
            return [Counts(hits, tables.model_counts, tables.peer_counts)]
        pairs = texts.pairs(self.reading)
        if (core := pairs.core) is None:
            return None
        return [Counts(lcs_hits(core, pairs, tables), pairs.model_counts, tables.peer_counts)]

    @property
    def core_units(self) -> list[PairUnit]:
        """The union LCS, or that of the whole texts."""
        return [PairUnit(TEXT_LCS if self.reading.as_one_sentence else LCS)]


def lcs_hits(core: Any, pairs: TextPairs, tables: TextPairs) -> Whole:
    """Return the hits of ROUGE-L, shape (n_pairs,); the unigrams of `tables` clip them."""
    if pairs is tables:
        return pairs.hits(core, [PairUnit(LCS)])[0]
    hits = np.empty(pairs.n_pairs, np.int64)
    core.count_clipped_lcs(pairs.compiled(core), tables.compiled(core), hits)
    return hits


def text_lcs_hits(core: Any, pairs: TextPairs) -> Whole:
    """Return the hits of the LCS of whole texts, shape (n_pairs,)."""
    return pairs.hits(core, [PairUnit(TEXT_LCS)])[0]


@dataclass(frozen=True, slots=True)
class PairwiseLcs(CountedMetric):
    """The normalised pairwise LCS."""

    reading: ClassVar[Reading] = BY_SENTENCE
    is_compiled: ClassVar[bool] = True
    names: ClassVar[tuple[str, ...]] = ("LCS-pairwise",)
    signature: ClassVar[tuple[str, ...]] = ("LCS-pairwise",)
    compares_rounded: ClassVar[bool] = False

    @classmethod
    def asked_for(cls, options: MetricOptions) -> "PairwiseLcs | None":
        """Return the metric if the options ask for it."""
        return cls() if options.pairwise_lcs else None

    def count_pair(self, pair: TextPair) -> list[PairCounts]:
        """Add up the longest LCS of each sentence, from both sides."""
        return [count_pairwise_lcs(pair.peer, pair.model)]

    def mark_pair(self, pair: TextPair) -> list[PairMarks]:
        """Return the longest LCS of each sentence, the first of equals, from both sides."""
        alignments = aligned(pair, matched_words)
        of_models = _longest(alignments, lambda alignment: alignment.model_sentence)
        of_peers = _longest(alignments, lambda alignment: alignment.peer_sentence)
        return [PairMarks(of_models, peer_matches=of_peers, alignments=alignments)]

    def count_compiled(self, texts: PairedTexts) -> list[Counts] | None:
        """Count all pairs of a block with the core."""
        pairs = texts.pairs(self.reading)
        if (core := pairs.core) is None:
            return None
        hits, peer_hits = pairwise_lcs_hits(core, pairs)
        return [Counts(hits, pairs.model_counts, pairs.peer_counts, peer_hit=peer_hits)]


def pairwise_lcs_hits(core: Any, pairs: TextPairs) -> tuple[Whole, Whole]:
    """Return the hits of pairwise LCS, of the models and of the peers, each of shape (n_pairs,)."""
    hits, peer_hits = np.empty(pairs.n_pairs, np.int64), np.empty(pairs.n_pairs, np.int64)
    core.count_pairwise_lcs(pairs.compiled(core), hits, peer_hits)
    return hits, peer_hits


class PeerSentence(NamedTuple):
    """A sentence of a peer: the columns of a table.

    `masks` has for each word an integer with a bit for each column that holds it.
    """

    tokens: Tokens
    masks: dict[Hashable, int]

    @classmethod
    def of(cls, tokens: Tokens) -> "PeerSentence":
        """Return the columns of a sentence."""
        masks: dict[Hashable, int] = {}
        for column, token in enumerate(tokens):
            masks[token] = masks.get(token, 0) | 1 << column
        return cls(tokens, masks)


WordPairs = list[tuple[int, int]]
"""Words of a model sentence and the words of a peer sentence that they are matched with."""


def lcs_length(peer: PeerSentence, model: Tokens) -> int:
    """Return the length of the LCS of two sentences, for which there is no need to backtrack."""
    row = all_ones = (1 << len(peer.tokens)) - 1
    for token in model:
        if mask := peer.masks.get(token):
            matched = row & mask
            row = (row + matched | row ^ matched) & all_ones
    return len(peer.tokens) - row.bit_count()


Item = TypeVar("Item")
State = TypeVar("State")
RowOfTable = TypeVar("RowOfTable")

MOST_KEPT = 1 << 26
"""Bytes: of a table of no more, all rows are kept."""


def rows_backwards(
    items: Sequence[Item],
    state: State,
    fill: Callable[[State, Sequence[Item]], tuple[State, list[RowOfTable]]],
    sizes: tuple[int, int],
) -> Iterator[RowOfTable]:
    """Yield the rows of a table from the last to the first.

    `fill` makes the rows of some `items` from the state in front of them, and returns the state
    behind them; `sizes` are the bytes of a row and of a state. The rows of two books would fill
    the memory: so of a table beyond `MOST_KEPT` only the states in front of blocks of rows are
    kept, and each block but the last is filled a second time. That takes twice the time, and
    memory by the square root of the number of rows in place of that number.
    """
    row_bytes, state_bytes = sizes
    n_of_block = len(items)
    if n_of_block * row_bytes > MOST_KEPT:
        n_of_block = isqrt(n_of_block * state_bytes // row_bytes) + 1
    states: list[State] = []
    rows: list[RowOfTable] = []
    starts = range(0, len(items), max(n_of_block, 1))
    for start in starts:
        states.append(state)
        state, rows = fill(state, items[start : start + n_of_block])
    yield from reversed(rows)
    for start, before in zip(reversed(starts[:-1]), reversed(states[:-1]), strict=True):
        _, rows = fill(before, items[start : start + n_of_block])
        yield from reversed(rows)


def matched_words(peer: PeerSentence, model: Tokens) -> WordPairs:
    """Return what backtracking marks in the table of two sentences, in order."""
    width = len(peer.tokens)
    all_ones = (1 << width) - 1
    matches = [
        (position, mask) for position, token in enumerate(model) if (mask := peer.masks.get(token))
    ]

    def fill(
        row: int, matches: Sequence[tuple[int, int]]
    ) -> tuple[int, list[tuple[int, int, int]]]:
        rows = []
        for position, mask in matches:
            matched = row & mask
            total = row + matched
            rows.append((position, mask, mask | row & ~total))
            row = (total | row ^ matched) & all_ones
        return row, rows

    words: WordPairs = []
    # The number of columns up to that in which backtracking stands.
    columns = width
    row_bytes = width // 8 + 1
    for position, mask, stops in rows_backwards(matches, all_ones, fill, (row_bytes, row_bytes)):
        if stops >> columns - 1 & 1:
            columns = (mask & (1 << columns) - 1).bit_length() - 1
            words.append((position, columns))
            if not columns:
                break
    words.reverse()
    return words


def aligned(
    pair: TextPair, matched: Callable[[PeerSentence, Tokens], WordPairs]
) -> tuple[Alignment, ...]:
    """Return what is matched in each two sentences that have a word in common."""
    peer_starts = _starts(pair.peer.sentences)
    peer_sentences = list(map(PeerSentence.of, pair.peer.sentences))
    alignments = []
    for number, (sentence, start) in enumerate(
        zip(pair.model.sentences, _starts(pair.model.sentences), strict=True)
    ):
        for peer_number, peer in enumerate(peer_sentences):
            if words := matched(peer, sentence):
                peer_start = peer_starts[peer_number]
                moved = tuple([(start + i, peer_start + j) for i, j in words])
                alignments.append(Alignment(number, peer_number, moved))
    return tuple(alignments)


def _starts(sentences: Sequence[Tokens]) -> list[int]:
    """Return the position in the text of the first word of each sentence."""
    return list(accumulate(map(len, sentences[:-1]), initial=0)) if sentences else []


def marked_words(alignments: Iterable[Alignment]) -> list[int]:
    """Return the words of the model that any peer sentence marks, in order: the union LCS."""
    return sorted({word for alignment in alignments for word, _ in alignment.words})


def clipped(marked: Iterable[int], pair: TextPair) -> list[int]:
    """Return the marked words of the model that count: both unigram tables have some left."""
    left_in_model, left_in_peer = Counter(pair.model_unigrams), Counter(pair.peer_unigrams)
    tokens = pair.model.tokens
    counted = []
    for word in marked:
        token = tokens[word]
        if left_in_model[token] > 0 and left_in_peer[token] > 0:
            left_in_model[token] -= 1
            left_in_peer[token] -= 1
            counted.append(word)
    return counted


def count_union_lcs(pair: TextPair) -> PairCounts:
    """Count for ROUGE-L by sentences."""
    # `aligned` without the records and the positions in the peer, which nobody looks at here.
    peer_sentences = list(map(PeerSentence.of, pair.peer.sentences))
    marked: list[int] = []
    start = 0
    for sentence in pair.model.sentences:
        union = {i for peer in peer_sentences for i, _ in matched_words(peer, sentence)}
        marked += [start + i for i in sorted(union)]
        start += len(sentence)
    hits = len(clipped(marked, pair))
    return PairCounts(hits, len(pair.model.tokens), len(pair.peer_unigrams))


def count_text_lcs(peer: Tokens, model: Tokens) -> PairCounts:
    """Count the LCS of whole texts."""
    return PairCounts(lcs_length(PeerSentence.of(peer), model), len(model), len(peer))


def count_pairwise_lcs(peer: Text, model: Text) -> PairCounts:
    """Add up the longest LCS of each sentence, from both sides; nothing clips them."""
    peer_sentences = list(map(PeerSentence.of, peer.sentences))
    best_of_peer = [0] * len(peer_sentences)
    hit = 0
    for sentence in model.sentences:
        lengths = [lcs_length(of_peer, sentence) for of_peer in peer_sentences]
        hit += max(lengths, default=0)
        best_of_peer = list(map(max, best_of_peer, lengths))
    n_model, n_peer = len(model.tokens), len(peer.tokens)
    return PairCounts(hit, n_model, n_peer, peer_hit=sum(best_of_peer))


def matched_types(
    pair: TextPair, alignments: Iterable[Alignment], counted: Iterable[int]
) -> tuple[Match, ...]:
    """Return the words on the union LCS, each with its positions on it, in the model's order."""
    words = [both for alignment in alignments for both in alignment.words]
    tokens = pair.model.tokens
    peer_positions: dict[Hashable, list[Place]] = defaultdict(list)
    model_positions: dict[Hashable, list[Place]] = defaultdict(list)
    for word in sorted({j for _, j in words}):
        peer_positions[pair.peer.tokens[word]].append((word,))
    for word in sorted({i for i, _ in words}):
        model_positions[tokens[word]].append((word,))
    hits = Counter(tokens[word] for word in counted)
    return tuple(
        Match(tuple(peer_positions[token]), tuple(positions), hits[token])
        for token, positions in model_positions.items()
    )


def _longest(
    alignments: Iterable[Alignment], sentence_of: Callable[[Alignment], int]
) -> tuple[Match, ...]:
    """Return the words of the longest LCS of each sentence, in the order of the model."""
    best: dict[int, Alignment] = {}
    for alignment in alignments:
        sentence = sentence_of(alignment)
        if sentence not in best or len(best[sentence].words) < len(alignment.words):
            best[sentence] = alignment
    chosen = [alignment for alignment in alignments if best[sentence_of(alignment)] is alignment]
    matches = [Match(((j,),), ((i,),), 1) for alignment in chosen for i, j in alignment.words]
    return tuple(sorted(matches, key=lambda match: match.model))
