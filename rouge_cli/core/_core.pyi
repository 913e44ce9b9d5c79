"""The compiled core, whose functions replace functions in Python; see `fuzz/core_twins.py`.

Arrays must be contiguous. The core checks their lengths and the sizes of their items, and raises
ValueError. It writes results to arrays that the caller passes. Every function may raise
MemoryError.
"""

from typing import Any, NewType, TypeAlias

import numpy as np
from numpy.typing import NDArray

# Capsules. At run time they all have the same type, so the core checks their names.
Pairs = NewType("Pairs", object)
WordList = NewType("WordList", object)
Vocabulary = NewType("Vocabulary", object)
PairIndex = NewType("PairIndex", object)

# The values of `FlaggedTexts` in text/columns.py.
Flagged: TypeAlias = tuple[bytearray, int, int, int, bytes]

# Types, sentence offsets and text offsets of columns, and the number of each pair's text.
Side: TypeAlias = tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]

# Integers of 64 bits, one per pair: an array or, for a single pair, an `array.array`.
Whole: TypeAlias = Any

def match_pairs(peers: Side, models: Side, n_types: int, /) -> Pairs: ...
def mark_firsts(
    types: NDArray[np.int32],
    sentence_offsets: NDArray[np.int64],
    n_types: int,
    is_first: NDArray[np.bool_],
    /,
) -> None: ...

# `hits` has one row for each order of n-grams, then for the union LCS and the LCS of whole texts.
def count_units(
    pairs: Pairs, max_ngram: int, has_lcs: bool, has_text_lcs: bool, hits: Whole, /
) -> None: ...

# Counts the union LCS, clipped by the unigram tables of other texts.
def count_clipped_lcs(pairs: Pairs, tables: Pairs, hits: Whole, /) -> None: ...
def count_pairwise_lcs(pairs: Pairs, hits: Whole, peer_hits: Whole, /) -> None: ...

# Marks have one byte per token of each pair. It must be 0 before, and becomes 1 if the token is on
# the LCS of two sentences.
def mark_lcs_words(
    pairs: Pairs, peer_marks: NDArray[np.uint8], model_marks: NDArray[np.uint8], /
) -> None: ...
def count_wlcs(
    pairs: Pairs,
    tables: Pairs,
    f: NDArray[np.float64],
    added: NDArray[np.float64],
    subtracted: NDArray[np.float64],
    hits: NDArray[np.float64],
    bases: NDArray[np.float64],
    /,
) -> None: ...
def count_skip_bigrams(
    pairs: Pairs, max_gap: int, are_sets: bool, hits: Whole, unigram_hits: Whole, /
) -> None: ...

# Documents are peers. The pairs of a document begin at its entry in `starts`. The other arguments
# are the fields of `SelectionRule` and of `Selections`.
def choose_sentences(
    pairs: Pairs,
    starts: NDArray[np.int64],
    are_sets: bool,
    added: float,
    least_gain: float,
    order: NDArray[np.int64],
    gains: NDArray[np.float64],
    counts: NDArray[np.int64],
    /,
) -> None: ...

# `sums` has a row with the sums of lengths, and one with the sums of squared lengths.
def count_fragments(pairs: Pairs, sums: NDArray[np.int64], /) -> None: ...

# `counts` has three rows for each order: the fields of `NgramCounts`.
def count_novel(
    pairs: Pairs, n_orders: int, is_cut: bool, counts: NDArray[np.int64], /
) -> None: ...

# Returns False if Python must add the counts, because some are large or negative.
def sum_models(
    counts: NDArray[np.int64], starts: NDArray[np.int64], sums: NDArray[np.int64], /
) -> bool: ...

# `values` has three rows, for recall, precision and F. Returns False if counts are so large that
# Python must round the scores.
def score_counts(
    hits: NDArray[np.int64],
    model_counts: NDArray[np.int64],
    peer_hits: NDArray[np.int64],
    peer_counts: NDArray[np.int64],
    alpha: float,
    values: NDArray[np.float64],
    /,
) -> bool: ...

# Returns False if a count exceeds a byte.
def draw(n_instances: int, first_resample: int, counts: NDArray[np.uint8], /) -> bool: ...

# `counts` are filled by `draw`. `units`, below 2^17 in magnitude, have a row per column of `sums`.
def sum_drawn(
    n_instances: int,
    counts: NDArray[np.uint8],
    units: NDArray[np.int32],
    sums: NDArray[np.int64],
    /,
) -> None: ...

# `scores` and `means` have three columns. Returns how many of the generator's 624 states are used.
def draw_means(
    scores: NDArray[np.float64],
    states: NDArray[np.uint32],
    position: int,
    means: NDArray[np.float64],
    /,
) -> int: ...

# Returns types, stems, sentence offsets, text offsets, the number of types, and the flags of the
# texts. Stems are None unless both types and stems are wanted, and flags unless requested. Returns
# None if 32 bits cannot number the tokens. Strings must be ASCII. Without `starts`, all texts are
# one group. With a vocabulary, words and stems keep their numbers from one call to the next. With
# `at_blanks`, words are separated by ASCII blanks only, and keep their case; then there are no
# stems and no flags.
def read_texts(
    texts: tuple[bytes | str, ...],
    starts: NDArray[np.int64] | None,
    stopwords: WordList | None,
    forms: WordList | None,
    keeps_unstemmed: bool,
    has_flags: bool,
    vocabulary: Vocabulary | None = None,
    at_blanks: bool = False,
    /,
) -> tuple[bytearray, bytearray | None, bytearray, bytearray, int, Flagged | None] | None: ...

# Returns the numbers of tokens of the peer and of the model, the hits of ROUGE-1 to ROUGE-N and of
# each requested LCS and, if requested, the newlines and flags of both texts together. Returns None
# if 32 bits cannot number the tokens.
def count_pair(
    stopwords: WordList | None,
    forms: WordList | None,
    max_ngram: int,
    has_lcs: bool,
    has_text_lcs: bool,
    has_flags: bool,
    peer: bytes,
    model: bytes,
    /,
) -> tuple[int, ...] | None: ...

# Returns recall, precision and F, rounded.
def score_pair(
    hit: int, model_count: int, peer_count: int, alpha: float, /
) -> tuple[float, float, float]: ...

# With `has_letters`, also looks for letters that are in no token.
def flag_texts(texts: tuple[bytes, ...], has_letters: bool, /) -> Flagged: ...

# Words are the bytes `starts[w]:ends[w]` of the text, followed by at least 16 arbitrary bytes.
# Returns the number of distinct words; `firsts` gets the first occurrence of each, by number.
def number_words(
    text: NDArray[np.uint8],
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    numbers: NDArray[np.int32],
    firsts: NDArray[np.int64],
    /,
) -> int: ...

# A word must consist of lower-case ASCII letters, digits and underscores.
def nltk_stem(word: bytes, is_extended: bool, /) -> bytes: ...

# A line holds a word or, with `has_bases`, an irregular form, a blank, and its base form. With
# `as_nltk`, words are stemmed like NLTK in its default mode.
def word_list(lines: bytes, has_bases: bool, as_nltk: bool = False, /) -> WordList: ...

# Makes a vocabulary for `read_texts`, which only one thread at a time can use.
def vocabulary() -> Vocabulary: ...

# The items and offsets of texts.
Sequences: TypeAlias = tuple[NDArray[np.int32], NDArray[np.int64]]

# The table has the shape (n_row_lengths, n_column_lengths, n_hits), and is passed with its second
# size. `scores` has a row for each text; those in `order` are filled. If `is_square`, rows and
# columns are the same and share their numbers of lengths, and `order` has all of them.
def score_pairs(
    rows: Sequences,
    columns: Sequences,
    n_items: int,
    is_lcs: bool,
    is_square: bool,
    row_lengths: NDArray[np.int32],
    column_lengths: NDArray[np.int32],
    table: tuple[NDArray[np.float64], int],
    n_hits: int,
    order: NDArray[np.int64],
    scores: NDArray[np.float64],
    /,
) -> None: ...
def pair_index(ranks: NDArray[np.int32], is_lcs: bool, /) -> PairIndex: ...

# Returns the first text that is left, and the pairs that were found: int32 of shape (n_found, 3)
# with query, text and hits.
def use_index(
    index: PairIndex,
    is_added: bool,
    is_triangle: bool,
    texts: Sequences,
    units: Sequences,
    n_items: int,
    lengths: NDArray[np.int32],
    least: tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]],
    first: int,
    end: int,
    most_found: int,
    /,
) -> tuple[int, bytearray]: ...
