"""What a summary takes from its source: fragments, and n-grams that are new.

Fragments are found from the left: at each word of the summary, the longest run of words that is in
the source too. Where a run was found in the source, the search goes on behind it, even if a longer
one begins inside.

Sources: M. Grusky, M. Naaman, Y. Artzi, Newsroom: A Dataset of 1.3 Million Summaries with Diverse
Extractive Strategies, NAACL 2018, section 4.1, for fragments; A. R. Fabbri et al., SummEval, TACL
2021, and Y. Liu, M. Lapata, Text Summarization with Pretrained Encoders, EMNLP 2019, for n-grams.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Any, ClassVar

import numpy as np

from rouge_cli.core import compiled_core
from rouge_cli.errors import InputError
from rouge_cli.metrics.arithmetic import Floats, Whole
from rouge_cli.metrics.counts import SHARES
from rouge_cli.metrics.ngrams import ngrams
from rouge_cli.metrics.paired_texts import Text, TextPairs, Tokens
from rouge_cli.options.scores import SINGLE_MEASURE
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.text.ascii155 import encoded_at_blanks, split_texts
from rouge_cli.text.columns import TextColumns

NEWSROOM, PRESUMM = "newsroom", "presumm"
COVERAGE, DENSITY, COMPRESSION = FRAGMENT_STATISTICS = ("coverage", "density", "compression")
NOVEL, REPEATED = NGRAM_STATISTICS = ("novel", "repeated")
LARGEST_ORDER = 100
# Added to the number of words, by which PreSumm divides.
SMOOTHING = 1e-6
# The statistics of some summaries by name, each of shape (n_summaries,).
Columns = dict[str, Floats]


# A run of words that a summary shares with its source: where it starts in both, and its length.
Fragment = tuple[int, int, int]


def fragments(summary: Tokens, source: Tokens) -> Iterator[Fragment]:
    """Yield the fragments of a summary in their order."""
    start = 0
    while start < len(summary):
        best = max(_runs(summary, source, start), key=itemgetter(2), default=None)
        if best is not None:
            yield best
        start += 1 if best is None else best[2]


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
            yield start, place, n_words
        place += n_words or 1


def count_ngrams_once(
    summary: Text, source: Text, order: int, *, is_cut: bool
) -> tuple[int, int, int]:
    """Count the n-grams of one order, once each: all, repeated ones, and those new to the source.

    With `is_cut` no sentence has its last one.
    """

    def counted(text: Text) -> Counter[object]:
        sentences = [sentence[:-1] if is_cut else sentence for sentence in text.sentences]
        return Counter(ngram for sentence in sentences for ngram in ngrams(sentence, order))

    counts, of_source = counted(summary), counted(source)
    n_repeated = sum(count > 1 for count in counts.values())
    return len(counts), n_repeated, len(counts.keys() - of_source.keys())


def fragment_sums(pairs: TextPairs, core: Any) -> Whole:
    """Return the lengths and the squared lengths of all fragments of each pair, (2, n_pairs).

    Peers are summaries, and models are their sources.
    """
    sums = np.zeros((2, pairs.n_pairs), np.int64)
    if core is not None:
        core.count_fragments(pairs.compiled(core), sums)
        return sums
    for number, (summary, source) in enumerate(pairs.texts()):
        lengths = [length for *_, length in fragments(summary.tokens, source.tokens)]
        sums[:, number] = sum(lengths), sum(length**2 for length in lengths)
    return sums


def ngram_counts(pairs: TextPairs, core: Any, n_orders: int, *, is_cut: bool = False) -> Whole:
    """Return `count_ngrams_once` for each order from 1 on and each pair, (n_orders, 3, n_pairs)."""
    counts = np.zeros((n_orders, 3, pairs.n_pairs), np.int64)
    if core is not None:
        core.count_novel(pairs.compiled(core), n_orders, is_cut, counts)
        return counts
    for number, (summary, source) in enumerate(pairs.texts()):
        for order in range(1, n_orders + 1):
            counted = count_ngrams_once(summary, source, order, is_cut=is_cut)
            counts[order - 1, :, number] = counted
    return counts


def paired_in_turn(columns: TextColumns, n_types: int) -> TextPairs:
    """Pair each summary with the source that follows it."""
    summaries = np.arange(0, columns.text_offsets.size - 1, 2)
    return TextPairs(columns, summaries, columns, summaries + 1, n_types)


def _read_in_turn(texts: Sequence[str]) -> tuple[TextColumns, int]:
    encoded = list(map(encoded_at_blanks, texts))
    return split_texts(encoded, np.arange(0, len(encoded) + 1, 2))


def newsroom_columns(
    summaries: Sequence[str], sources: Sequence[str], orders: Sequence[int]
) -> Columns:
    """Return the statistics of Newsroom and SummEval, of words in lower case."""
    texts = [text.lower() for pair in zip(summaries, sources, strict=True) for text in pair]
    return word_columns(*_read_in_turn(texts), orders)


def word_columns(columns: TextColumns, n_types: int, orders: Sequence[int]) -> Columns:
    """Return the same for the words of summaries and sources in turn.

    The shares of n-grams are nan where a summary has none.
    """
    pairs = paired_in_turn(columns.as_one_sentence(), n_types)
    sums = fragment_sums(pairs, compiled_core())
    lengths = np.maximum(pairs.peer_counts, 1)
    sums_of = (*sums, np.where(pairs.peer_counts > 0, pairs.model_counts, 0))
    measured = {
        name: values / lengths for name, values in zip(FRAGMENT_STATISTICS, sums_of, strict=True)
    }
    counts = ngram_counts(pairs, compiled_core(), max(orders, default=1))
    for order in orders:
        distinct, repeated, novel = counts[order - 1]
        n_ngrams = np.where(distinct > 0, distinct, np.nan)
        measured |= {f"novel-{order}": novel / n_ngrams, f"repeated-{order}": repeated / n_ngrams}
    return measured


def presumm_columns(
    summaries: Sequence[str], sources: Sequence[str], orders: Sequence[int]
) -> Columns:
    """Return the statistics of PreSumm: counts of new n-grams, and whether any is repeated.

    ``<q>`` or a newline ends a sentence of a summary. In a source the pieces of words that BERT has
    are joined, and its signs are blanks.
    """
    texts = [
        text
        for summary, source in zip(summaries, sources, strict=True)
        for text in (summary.replace("<q>", "\n"), _without_pieces(source))
    ]
    columns, n_types = _read_in_turn(texts)
    whole = paired_in_turn(columns.as_one_sentence(), n_types)
    core, highest = compiled_core(), max(orders, default=1)
    counts = ngram_counts(whole, core, highest, is_cut=True)
    by_sentence = ngram_counts(paired_in_turn(columns, n_types), core, highest, is_cut=True)
    measured: Columns = {}
    for order in orders:
        distinct, _, novel = counts[order - 1].astype(np.float64)
        measured |= {
            f"novel-{order}": novel / (whole.peer_counts + SMOOTHING),
            f"novel-count-{order}": novel,
            f"distinct-{order}": distinct,
            f"repeated-{order}": (by_sentence[order - 1, 1] > 0).astype(np.float64),
        }
    return measured


def _without_pieces(source: str) -> str:
    source = source.replace(" ##", "")
    for sign in ("[CLS]", "[SEP]", "[PAD]"):
        source = source.replace(sign, " ")
    return source


RULES: Mapping[str, Callable[[Sequence[str], Sequence[str], Sequence[int]], Columns]] = {
    NEWSROOM: newsroom_columns,
    PRESUMM: presumm_columns,
}


# The statistics of a run ask for the same texts one after the other.
@lru_cache(1)
def _measured(
    summaries: tuple[str, ...], sources: tuple[str, ...], rule: str, highest: int
) -> Columns:
    return RULES[rule](summaries, sources, range(1, highest + 1))


USUAL_ORDERS = 4


@dataclass(frozen=True, slots=True)
class SourceStatistic:
    """A statistic as a metric of summaries whose only reference is their source.

    Parameters
    ----------
    kind : str
        Such as ``"coverage"`` or ``"novel"``.
    rule : str
    order : int
        The length of n-grams; 0 for fragments.
    """

    kind: str
    rule: str
    order: int
    measures: ClassVar[tuple[str, ...]] = (SINGLE_MEASURE,)

    @property
    def name(self) -> str:
        """The name of its column, with the rule if it is not the usual one."""
        return f"{self._column} ({self.rule})" if self.rule != NEWSROOM else self._column

    @property
    def _column(self) -> str:
        return f"{self.kind}-{self.order}" if self.order else self.kind

    @property
    def scale(self) -> str | None:
        """Shares are from 0 to 1."""
        return None if self.kind in {DENSITY, COMPRESSION} else SHARES

    @property
    def signature(self) -> str:
        """The rule, the length of n-grams, and what becomes of summaries that have none."""
        order = f"|n:{self.order}" if self.order else ""
        return f"{self.rule}{order}" + "|without-ngrams:left-out" * bool(self.statistics)

    @property
    def is_lower_better(self) -> bool:
        """Whether a low value is a good one: of repetitions."""
        return self.kind == REPEATED

    @property
    def statistics(self) -> tuple[str, ...]:
        """What the score of a system is the quotient of; nothing if it is a mean."""
        is_mean = not self.order or (self.rule == PRESUMM and self.kind == REPEATED)
        return () if is_mean else ("counted", "all")

    def score(self, peers: Sequence[str], models: Sequence[Sequence[str]]) -> list[Any]:
        """Measure each summary, and where there are statistics, return them too."""
        if any(len(sources) > 1 for sources in models):
            raise InputError("found several sources of a summary, expected one text for each")
        sources = tuple(source for (source,) in models)
        highest = max(self.order, USUAL_ORDERS)
        columns = _measured(tuple(peers), sources, self.rule, highest)
        values = columns[self._column]
        if not self.statistics:
            return [values]
        if self.rule == PRESUMM:
            counts = (columns[f"{name}-{self.order}"] for name in ("novel-count", "distinct"))
            return [values, *counts]
        shares = np.nan_to_num(values)
        return [shares, shares, np.isfinite(values).astype(np.float64)]

    def pooled(self, sums: Sequence[float]) -> float:
        """Return the quotient of the sums of the statistics."""
        counted, whole = sums
        return counted / whole if whole else 0.0
