"""What a summary takes from its source: fragments, and n-grams that are new.

Fragments are found from the left: at each word of the summary, the longest run of words that is in
the source too. Where a run was found in the source, the search goes on behind it, even if a longer
one begins inside.

Sources: M. Grusky, M. Naaman, Y. Artzi, Newsroom: A Dataset of 1.3 Million Summaries with Diverse
Extractive Strategies, NAACL 2018, section 4.1, for fragments; A. R. Fabbri et al., SummEval, TACL
2021, and Y. Liu, M. Lapata, Text Summarization with Pretrained Encoders, EMNLP 2019, for n-grams.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rouge_cli.metrics.ngrams import ngrams
from rouge_cli.metrics.paired_texts import Text, TextPairs, Tokens


class Fragment(NamedTuple):
    """A run of words that a summary shares with its source: its two places, and its length."""

    summary_start: int
    source_start: int
    n_words: int


def fragments(summary: Tokens, source: Tokens) -> Iterator[Fragment]:
    """Yield the fragments of a summary in their order."""
    start = 0
    while start < len(summary):
        best = max(_runs(summary, source, start), key=lambda run: run.n_words, default=None)
        if best is not None:
            yield best
        start += 1 if best is None else best.n_words


def _runs(summary: Tokens, source: Tokens, start: int) -> Iterator[Fragment]:
    """Yield what the source shares with a summary from one of its words on."""
    place = 0
    while place < len(source):
        n_words = 0
        for word, other in zip(summary[start:], source[place:], strict=False):
            if word != other:
                break
            n_words += 1
        if n_words:
            yield Fragment(start, place, n_words)
        place += n_words or 1


class NgramCounts(NamedTuple):
    """The n-grams of a summary, once each: all, the repeated ones, and those new to the source."""

    n_distinct: int
    n_repeated: int
    n_novel: int


def count_ngrams_once(summary: Text, source: Text, order: int, *, is_cut: bool) -> NgramCounts:
    """Count the n-grams of one order; with `is_cut` no sentence has its last one."""

    def counted(text: Text) -> Counter[object]:
        sentences = [sentence[:-1] if is_cut else sentence for sentence in text.sentences]
        return Counter(ngram for sentence in sentences for ngram in ngrams(sentence, order))

    counts, of_source = counted(summary), counted(source)
    n_repeated = sum(count > 1 for count in counts.values())
    return NgramCounts(len(counts), n_repeated, len(counts.keys() - of_source.keys()))


def fragment_sums(pairs: TextPairs, core: Any) -> NDArray[np.int64]:
    """Return the lengths and the squared lengths of all fragments of each pair, (2, n_pairs).

    Peers are summaries, and models are their sources.
    """
    sums = np.zeros((2, pairs.n_pairs), np.int64)
    if core is not None:
        core.count_fragments(pairs.compiled(core), sums)
        return sums
    for number, (summary, source) in enumerate(pairs.texts()):
        lengths = [run.n_words for run in fragments(summary.tokens, source.tokens)]
        sums[:, number] = sum(lengths), sum(length**2 for length in lengths)
    return sums


def ngram_counts(
    pairs: TextPairs, core: Any, n_orders: int, *, is_cut: bool = False
) -> NDArray[np.int64]:
    """Return the `NgramCounts` of each order from 1 on and each pair, (n_orders, 3, n_pairs)."""
    counts = np.zeros((n_orders, len(NgramCounts._fields), pairs.n_pairs), np.int64)
    if core is not None:
        core.count_novel(pairs.compiled(core), n_orders, is_cut, counts)
        return counts
    for number, (summary, source) in enumerate(pairs.texts()):
        for order in range(1, n_orders + 1):
            counted = count_ngrams_once(summary, source, order, is_cut=is_cut)
            counts[order - 1, :, number] = counted
    return counts
