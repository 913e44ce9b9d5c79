"""ROUGE-L and the normalised pairwise LCS: longest common subsequences (LCS) of sentences.

Let c[i][j] be the length of the LCS of the first i words of a model sentence and the first j words
of a peer sentence. Several subsequences can be equally long, and the score depends on which of them
backtracking takes. It begins at the last cell. At equal words it marks the word of the model and
goes diagonally. Otherwise it goes up if c[i-1][j] >= c[i][j-1], and left if not.

Along a row, c rises by at most 1 per column, so the bits of one integer V can hold a row: a 0 marks
each column in which c rises. Let M be the columns with the word of the row. An addition, whose
carries implement the recurrence, yields the next row:

    u = V & M;  s = V + u;  V = s | (V ^ u)

The addition carries out of column j exactly if E(j) = c[i][j] - c[i-1][j] is 1; otherwise E(j) is
0. In a column without a match, backtracking goes up if E is 0, and left if E is 1. After a move to
the left, E is still 1 or there is a match. Hence a row is marked if M | E has the bit of the
current column, and backtracking continues before the nearest match to the left. In rows without a
match it only goes up, so they are left out.

ROUGE-L marks in each model sentence the union of its LCS with every peer sentence. It then counts
the marked words in order, each one only if the unigram tables of both texts have one left. If each
text is a single sentence, there is nothing to unite or to clip: the hit is the length of the LCS.

The pairwise LCS compares each sentence with its best counterpart. For recall, the longest LCS of
each model sentence with any peer sentence is added up over the model. For precision, that of each
peer sentence with any model sentence is added up over the peer.

Source: specification, section 5, "ROUGE-L"; Hyyrö (2004), "Bit-parallel LCS-length computation
revisited", section 4, for the rows; Lin (2004), section 3.3, after Radev et al. (2002), the MEAD
evaluation toolkit, for pairwise LCS.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate
from math import isqrt
from typing import ClassVar, NamedTuple, TypeVar

import numpy as np

from rouge_cli.core import compiled_core
from rouge_cli.metrics.arithmetic import Whole
from rouge_cli.metrics.counts import Alignment, Counts, Match, PairCounts, PairMarks, numbered
from rouge_cli.metrics.formulas import CountedMetric
from rouge_cli.metrics.ngrams import matched_units
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
)
from rouge_cli.options.metrics import MetricOptions
from rouge_cli.quick_dataclass import dataclass

BY_SENTENCE = Reading(by_sentence=True, stems_models=True)
AS_ONE_SENTENCE = Reading(as_one_sentence=True, stems_models=True)


@dataclass(frozen=True, slots=True)
class RougeL(CountedMetric):
    """ROUGE-L: by sentence as in the original, or with each text as one sequence of words."""

    reading: Reading
    is_compiled: ClassVar[bool] = True
    compares_rounded: ClassVar[bool] = False

    @classmethod
    def from_options(cls, options: MetricOptions) -> "RougeL | None":
        """Return the metric unless ``-x`` switches it off."""
        if not options.with_lcs:
            return None
        return cls(AS_ONE_SENTENCE if options.lcs_unit == "text" else BY_SENTENCE)

    @property
    def names(self) -> tuple[str, ...]:
        return ("ROUGE-L-text" if self.reading.as_one_sentence else "ROUGE-L",)

    @property
    def signature(self) -> tuple[str, ...]:
        return ("L:text" if self.reading.as_one_sentence else "L",)

    def count_pair(self, pair: TextPair) -> list[PairCounts]:
        if self.reading.as_one_sentence:
            return [count_text_lcs(pair.peer.tokens, pair.model.tokens)]
        return [count_union_lcs(pair)]

    def mark_pair(self, pair: TextPair) -> list[PairMarks]:
        if self.reading.as_one_sentence:
            pair = pair.as_one_sentence()
        alignments = aligned(pair, matched_words)
        counted = clipped(marked_words(alignments), pair)
        return [PairMarks(matched_types(pair, alignments, counted), alignments=alignments)]

    def mark_states(self, texts: PairedTexts) -> list[list[PairMarks]] | None:
        pairs, tables = texts.pairs(self.reading), texts.unigram_pairs(self.reading)
        rows, columns = (side.longest_sentence for side in (pairs.peers, pairs.models))
        # The core fills a whole table of 4-byte cells for two sentences.
        if (core := pairs.core) is None or rows * columns > MOST_KEPT // 4:
            return None
        tokens, clipping = pairs.tokens(), tables.tokens()
        marks = np.zeros(tokens.types.size, np.uint8)
        peer_marks, model_marks = marks[: tokens.n_peer], marks[tokens.n_peer :]
        core.mark_lcs_words(pairs.compiled, peer_marks, model_marks)
        # A unit is a word in a pair. Those of the tables and of the marked texts get the same
        # numbers, since `-b` and `-M` can make these texts differ.
        keys = [side.pairs * texts.texts.n_types + side.types for side in (tokens, clipping)]
        units = numbered(np.concatenate(keys))
        starts = np.flatnonzero(marks)
        in_tables = units[tokens.types.size :]
        limits = clipping.hits(np.arange(in_tables.size), in_tables)
        n_units = max(limits.size, int(units.max(initial=-1)) + 1)
        # A word counts as often as the model has it on an LCS, up to the limit of the tables.
        on_model = units[starts[starts >= tokens.n_peer]]
        hits = np.bincount(on_model, minlength=n_units)
        hits = np.minimum(hits, np.pad(limits, (0, n_units - limits.size)))
        return [tokens.states(starts, units[starts], hits)]

    def count_compiled(self, texts: PairedTexts) -> list[Counts]:
        tables = texts.unigram_pairs(self.reading)
        if self.reading.as_one_sentence:
            # Sentences do not matter here, so the pairs of ROUGE-N are used.
            hits = text_lcs_hits(tables)
            return [Counts(hits, tables.model_counts, tables.peer_counts)]
        pairs = texts.pairs(self.reading)
        return [Counts(lcs_hits(pairs, tables), pairs.model_counts, tables.peer_counts)]

    @property
    def core_units(self) -> list[PairUnit]:
        return [PairUnit(TEXT_LCS if self.reading.as_one_sentence else LCS)]


def lcs_hits(pairs: TextPairs, tables: TextPairs) -> Whole:
    """Return the core's hits of ROUGE-L, clipped by the unigrams of `tables`, shape (n_pairs,)."""
    if pairs is tables:
        return pairs.hits([PairUnit(LCS)])[0]
    hits = np.empty(pairs.n_pairs, np.int64)
    compiled_core().count_clipped_lcs(pairs.compiled, tables.compiled, hits)
    return hits


def text_lcs_hits(pairs: TextPairs) -> Whole:
    """Return the hits of the LCS of whole texts, shape (n_pairs,)."""
    return pairs.hits([PairUnit(TEXT_LCS)])[0]


@dataclass(frozen=True, slots=True)
class PairwiseLcs(CountedMetric):
    """The normalised pairwise LCS."""

    reading: ClassVar[Reading] = BY_SENTENCE
    is_compiled: ClassVar[bool] = True
    names: ClassVar[tuple[str, ...]] = ("LCS-pairwise",)
    signature: ClassVar[tuple[str, ...]] = ("LCS-pairwise",)
    compares_rounded: ClassVar[bool] = False

    @classmethod
    def from_options(cls, options: MetricOptions) -> "PairwiseLcs | None":
        """Return the metric if ``--pairwise-lcs`` is given."""
        return cls() if options.pairwise_lcs else None

    def count_pair(self, pair: TextPair) -> list[PairCounts]:
        return [count_pairwise_lcs(pair.peer, pair.model)]

    def mark_pair(self, pair: TextPair) -> list[PairMarks]:
        """Mark the first of the longest LCSs of each sentence of both texts."""
        alignments = aligned(pair, matched_words)
        model_matches = _longest(alignments, lambda alignment: alignment.model_sentence)
        peer_matches = _longest(alignments, lambda alignment: alignment.peer_sentence)
        return [PairMarks(model_matches, peer_matches=peer_matches, alignments=alignments)]

    def count_compiled(self, texts: PairedTexts) -> list[Counts]:
        pairs = texts.pairs(self.reading)
        hits, peer_hits = pairwise_lcs_hits(pairs)
        return [Counts(hits, pairs.model_counts, pairs.peer_counts, peer_hit=peer_hits)]


def pairwise_lcs_hits(pairs: TextPairs) -> tuple[Whole, Whole]:
    """Return the hits of models and of peers in pairwise LCS, each of shape (n_pairs,)."""
    hits, peer_hits = np.empty(pairs.n_pairs, np.int64), np.empty(pairs.n_pairs, np.int64)
    compiled_core().count_pairwise_lcs(pairs.compiled, hits, peer_hits)
    return hits, peer_hits


class PeerSentence(NamedTuple):
    """A sentence of a peer, whose words are the columns of a table.

    `masks` maps each word to an integer in which the bits of its columns are set.
    """

    tokens: Tokens
    masks: dict[Hashable, int]

    @classmethod
    def of(cls, tokens: Tokens) -> "PeerSentence":
        """Return a sentence with the masks of its words."""
        masks: dict[Hashable, int] = {}
        for column, token in enumerate(tokens):
            masks[token] = masks.get(token, 0) | 1 << column
        return cls(tokens, masks)


WordPairs = list[tuple[int, int]]  # matched positions in a model sentence and in a peer sentence


def lcs_length(peer: PeerSentence, model: Tokens) -> int:
    """Return the length of the LCS of two sentences, which needs no backtracking."""
    row = all_ones = (1 << len(peer.tokens)) - 1
    for token in model:
        if mask := peer.masks.get(token):
            matched = row & mask
            row = (row + matched | row ^ matched) & all_ones
    # Each 0 is a column where c rises by 1.
    return len(peer.tokens) - row.bit_count()


Item = TypeVar("Item")
State = TypeVar("State")
RowOfTable = TypeVar("RowOfTable")

MOST_KEPT = 1 << 26  # tables up to this size in bytes are kept whole


def rows_backwards(
    items: Sequence[Item],
    state: State,
    fill: Callable[[State, Sequence[Item]], tuple[State, list[RowOfTable]]],
    sizes: tuple[int, int],
) -> Iterator[RowOfTable]:
    """Yield the rows of a table from the last to the first.

    `fill` takes the state before some `items`, and returns the state after them and their rows.
    `sizes` holds the size of a row and of a state in bytes. The rows of two books would fill the
    memory. So of a table larger than `MOST_KEPT`, only the state before each block of rows is kept,
    and all blocks except the last are computed twice. This doubles the time, but memory then grows
    only with the square root of the number of rows.
    """
    row_bytes, state_bytes = sizes
    n_of_block = len(items)
    # A block of this length takes about as much memory as all states together.
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
    """Return the words that backtracking marks in the table of two sentences, in order."""
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
            # The last entry is M | E, the columns in which backtracking stops.
            rows.append((position, mask, mask | row & ~total))
            row = (total | row ^ matched) & all_ones
        return row, rows

    words: WordPairs = []
    # Backtracking continues in the last of this many columns.
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
    """Align each model sentence with each peer sentence, leaving out those without a match."""
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
    return list(accumulate(map(len, sentences[:-1]), initial=0)) if sentences else []


def marked_words(alignments: Iterable[Alignment]) -> list[int]:
    """Return the union LCS: the words of the model that match in any peer sentence, in order."""
    return sorted({word for alignment in alignments for word, _ in alignment.words})


def clipped(marked: Iterable[int], pair: TextPair) -> list[int]:
    """Return the marked words of the model that count as hits, clipped by both unigram tables."""
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
    """Count one pair for ROUGE-L by sentence."""
    hits = clipped(marked_words(aligned(pair, matched_words)), pair)
    return PairCounts(len(hits), len(pair.model.tokens), len(pair.peer_unigrams))


def count_text_lcs(peer: Tokens, model: Tokens) -> PairCounts:
    """Count the LCS of whole texts."""
    return PairCounts(lcs_length(PeerSentence.of(peer), model), len(model), len(peer))


def count_pairwise_lcs(peer: Text, model: Text) -> PairCounts:
    """Add up the longest LCS of each sentence of both texts, without clipping."""
    peer_sentences = list(map(PeerSentence.of, peer.sentences))
    best_of_peer = [0] * len(peer_sentences)
    hit = 0
    for sentence in model.sentences:
        lengths = [lcs_length(peer_sentence, sentence) for peer_sentence in peer_sentences]
        hit += max(lengths, default=0)
        best_of_peer = list(map(max, best_of_peer, lengths))
    n_model, n_peer = len(model.tokens), len(peer.tokens)
    return PairCounts(hit, n_model, n_peer, peer_hit=sum(best_of_peer))


def matched_types(
    pair: TextPair, alignments: Iterable[Alignment], counted: Iterable[int]
) -> tuple[Match, ...]:
    """Return each word on the union LCS with its positions there, in the order of the model."""
    words = [word_pair for alignment in alignments for word_pair in alignment.words]
    peer_tokens, model_tokens = pair.peer.tokens, pair.model.tokens
    matches = matched_units(
        ((peer_tokens[word], (word,)) for word in sorted({j for _, j in words})),
        ((model_tokens[word], (word,)) for word in sorted({i for i, _ in words})),
    )
    # `matched_units` counts all occurrences that both texts have here, but clipping leaves fewer.
    hits = Counter(model_tokens[word] for word in counted)
    return tuple(replace(match, hits=hits[model_tokens[match.model[0][0]]]) for match in matches)


def _longest(
    alignments: Iterable[Alignment], sentence_of: Callable[[Alignment], int]
) -> tuple[Match, ...]:
    best: dict[int, Alignment] = {}
    for alignment in alignments:
        sentence = sentence_of(alignment)
        if sentence not in best or len(best[sentence].words) < len(alignment.words):
            best[sentence] = alignment
    chosen = [alignment for alignment in alignments if best[sentence_of(alignment)] is alignment]
    matches = [Match(((j,),), ((i,),), 1) for alignment in chosen for i, j in alignment.words]
    return tuple(sorted(matches, key=lambda match: match.model))
