"""The compiled core: the twins of functions in Python, see `rouge_cli.core.twins`.

Arrays are contiguous. The core checks their lengths and the size of their items, and raises
ValueError; it fills those that results go to. MemoryError may come from every function.
"""

from typing import Any, NewType, TypeAlias

import numpy as np
from numpy.typing import NDArray

# Capsules that no type tells apart at run time; the core checks them by name.
Pairs = NewType("Pairs", object)
WordList = NewType("WordList", object)
Texts = NewType("Texts", object)

# Texts themselves, or what knows them, the first of these and their number.
GivenTexts: TypeAlias = tuple[bytes, ...] | tuple[Texts, int, int]

# The values of `FlaggedTexts` in text/columns.py.
Flagged: TypeAlias = tuple[bytearray, int, int, int, bytes]

# Types, sentence offsets and text offsets of columns, and the text of each pair.
Side: TypeAlias = tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]

# Of int64, by pair: an array, or of a lone pair an `array.array`.
Whole: TypeAlias = Any

def match_pairs(peers: Side, models: Side, n_types: int, /) -> Pairs: ...
def mark_firsts(
    types: NDArray[np.int32],
    sentence_offsets: NDArray[np.int64],
    n_types: int,
    is_first: NDArray[np.bool_],
    /,
) -> None: ...

# A row of hits for each order of n-grams, one for the union LCS, and one for that of whole texts.
def count_units(
    pairs: Pairs, max_ngram: int, has_lcs: bool, has_text_lcs: bool, hits: Whole, /
) -> None: ...

# The unigram tables of other texts clip the union LCS.
def count_clipped_lcs(pairs: Pairs, tables: Pairs, hits: Whole, /) -> None: ...
def count_pairwise_lcs(pairs: Pairs, hits: Whole, peer_hits: Whole, /) -> None: ...
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
def count_skip_bigrams(pairs: Pairs, max_gap: int, hits: Whole, unigram_hits: Whole, /) -> None: ...

# False where Python has to add them: not all are small and positive.
def sum_models(
    counts: NDArray[np.int64], starts: NDArray[np.int64], sums: NDArray[np.int64], /
) -> bool: ...

# Values have a row each for recall, precision and F. False where one is so large that Python has to
# round it.
def score_counts(
    hits: NDArray[np.int64],
    model_counts: NDArray[np.int64],
    peer_hits: NDArray[np.int64],
    peer_counts: NDArray[np.int64],
    alpha: float,
    values: NDArray[np.float64],
    /,
) -> bool: ...

# False where a byte does not hold the number of times that an instance was drawn.
def draw(n_instances: int, first_resample: int, counts: NDArray[np.uint8], /) -> bool: ...

# Scores and means have three columns. Returns how many of the generator's 624 states are used then.
def draw_means(
    scores: NDArray[np.float64],
    states: NDArray[np.uint32],
    position: int,
    means: NDArray[np.float64],
    /,
) -> int: ...

# Types, stems, sentence offsets, text offsets, the number of types, and the flags of the texts;
# stems are None unless there are both, flags unless asked for. None where 32 bits do not number the
# tokens. Without starts all texts are one group.
def read_texts(
    texts: GivenTexts,
    starts: NDArray[np.int64] | None,
    stopwords: WordList | None,
    forms: WordList | None,
    keeps_unstemmed: bool,
    has_flags: bool,
    /,
) -> tuple[bytearray, bytearray | None, bytearray, bytearray, int, Flagged | None] | None: ...

# The numbers of tokens of the peer and of the model, the hits of ROUGE-1 to ROUGE-N, those of each
# LCS that is asked for and, if asked for, the newlines of both texts and the flags that any of them
# has. None as `read_texts`.
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

# Recall, precision and F, rounded.
def score_pair(
    hit: int, model_count: int, peer_count: int, alpha: float, /
) -> tuple[float, float, float]: ...

# `has_letters`: letters in no token are looked for.
def flag_texts(texts: GivenTexts, has_letters: bool, /) -> Flagged: ...

# What knows the bytes of texts in one buffer, behind each of which there is another byte.
def join_texts(
    content: NDArray[np.uint8], starts: NDArray[np.int64], lengths: NDArray[np.int64], /
) -> Texts: ...

# The values of `NotedLines`; the first marks are filled, of which there is room for one more than
# `per_mark` divides the bytes.
def note_lines(
    chunk: NDArray[np.uint8], n_before: int, per_mark: int, marks: NDArray[np.int64], /
) -> tuple[int, int, int, int, int]: ...

# Lines that end with a newline; words, none of them empty, become newlines in their place. Fills
# where each text begins, how long it is, and whether it is not blank and holds no word. Returns how
# many lines there are; -1 if they are more than the arrays hold, or the last one does not end.
def split_lines(
    lines: NDArray[np.uint8],
    words: tuple[bytes, ...],
    starts: NDArray[np.int64],
    lengths: NDArray[np.int64],
    is_unsplit: NDArray[np.bool_],
    /,
) -> int: ...

# The values of `OrderedTexts`; None where there is no plain text.
def order_texts(
    predictions: tuple[list[Any], ...], references: list[Any], /
) -> tuple[tuple[str | bytes, ...], bytearray, bytearray, Texts, bool] | None: ...

# What knows the bytes of some texts, all of them encoded, and the bytes of each.
def encode_texts(texts: Texts, first: int, n_texts: int, /) -> tuple[Texts, bytearray]: ...

# Peers, their lengths, models, their lengths, the number of models of each record, and IDs, each
# with a newline or, if all are whole numbers of up to 15 digits, these in place of IDs; lengths and
# numbers are int64. An empty key of the ID is none. None where Python has to read the lines, as
# those with a field that is `watched`: names in small letters, each with a newline.
def scan_records(
    lines: bytes,
    peer_key: bytes,
    models_key: bytes,
    id_key: bytes,
    takes_lists: bool,
    watched: bytes,
    /,
) -> tuple[bytes, bytearray, bytes, bytearray, bytearray, bytes, bytearray] | None: ...

# Words are the bytes `starts[w]:ends[w]` of the text, with 16 bytes of any kind behind the last.
# Returns the number of different words; `firsts` holds the first of each, in the order of numbers.
def number_words(
    text: NDArray[np.uint8],
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    numbers: NDArray[np.int32],
    firsts: NDArray[np.int64],
    /,
) -> int: ...

# A word of lower-case ASCII letters, digits and underscores.
def nltk_stem(word: bytes, is_extended: bool, /) -> bytes: ...

# A word a line or, where they have bases, an irregular form, a blank, and its base form. `as_nltk`:
# the words that are read with the list are stemmed as NLTK does in its default mode.
def word_list(lines: bytes, has_bases: bool, as_nltk: bool = False, /) -> WordList: ...
