"""Summaries and their sources: shared fragments, new n-grams, and the sentences of best extracts.

Fragments are found from the left: at each word of the summary, the longest run of words that also
occurs in the source. After a run in the source, the search continues at the word that follows it,
even if a longer run begins inside.

An extract takes the sentences of a document that are most like its summaries, one after the other.
Its score is F in ROUGE-1 plus F in ROUGE-2, averaged over the summaries. No n-gram of a document
crosses the end of a sentence. The sentence with the highest score is taken, the first one among
equals, until no sentence raises the score.

Sources: M. Grusky, M. Naaman, Y. Artzi, Newsroom: A Dataset of 1.3 Million Summaries with Diverse
Extractive Strategies, NAACL 2018, section 4.1, for fragments; A. R. Fabbri et al., SummEval, TACL
2021, and Y. Liu, M. Lapata, Text Summarization with Pretrained Encoders, EMNLP 2019, for n-grams
and for `presumm`; R. Nallapati, F. Zhai, B. Zhou, SummaRuNNer: A Recurrent Neural Network Based
Sequence Model for Extractive Summarization of Documents, AAAI 2017, section 2.2, for extracts; Lin
(2004) for their counts.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, islice, pairwise
from operator import itemgetter
from typing import Any, ClassVar, NamedTuple

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
# PreSumm adds this to the number of words before it divides by it.
SMOOTHING = 1e-6
SPECIAL_TOKENS = re.compile(r"\[(?:CLS|SEP|PAD)\]")  # BERT's
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
    """Yield all runs of the source that match the summary from word `start` on."""
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
    """Count different n-grams of one order: all, the repeated ones, and those the source lacks.

    With `is_cut` the last n-gram of each sentence is left out.
    """

    def counted(text: Text) -> Counter[object]:
        sentences = [sentence[:-1] if is_cut else sentence for sentence in text.sentences]
        return Counter(ngram for sentence in sentences for ngram in ngrams(sentence, order))

    counts, of_source = counted(summary), counted(source)
    n_repeated = sum(count > 1 for count in counts.values())
    return len(counts), n_repeated, len(counts.keys() - of_source.keys())


def fragment_sums(pairs: TextPairs, core: Any) -> Whole:
    """Return the sums of the lengths and squared lengths of fragments, shape (2, n_pairs).

    Peers are summaries, and models are their sources.
    """
    sums = np.zeros((2, pairs.n_pairs), np.int64)
    if core is not None:
        core.count_fragments(pairs.compiled, sums)
        return sums
    for number, (summary, source) in enumerate(pairs.texts()):
        lengths = [length for *_, length in fragments(summary.tokens, source.tokens)]
        sums[:, number] = sum(lengths), sum(length**2 for length in lengths)
    return sums


def ngram_counts(pairs: TextPairs, core: Any, n_orders: int, *, is_cut: bool = False) -> Whole:
    """Return the counts of `count_ngrams_once` for orders from 1, shape (n_orders, 3, n_pairs)."""
    counts = np.zeros((n_orders, 3, pairs.n_pairs), np.int64)
    if core is not None:
        core.count_novel(pairs.compiled, n_orders, is_cut, counts)
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
    """Return the statistics of Newsroom and SummEval; words are put in lower case."""
    texts = [text.lower() for pair in zip(summaries, sources, strict=True) for text in pair]
    return word_columns(*_read_in_turn(texts), orders)


def word_columns(columns: TextColumns, n_types: int, orders: Sequence[int]) -> Columns:
    """Return the statistics of Newsroom for texts in columns, each summary before its source.

    For a summary without n-grams their shares are nan.
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

    ``<q>`` or a newline ends a sentence of a summary. In a source, BERT's pieces of words are
    joined, and its special tokens become blanks.
    """
    lines = (summary.replace("<q>", "\n") for summary in summaries)
    words = (SPECIAL_TOKENS.sub(" ", source.replace(" ##", "")) for source in sources)
    columns, n_types = _read_in_turn([*chain.from_iterable(zip(lines, words, strict=True))])
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


STATISTIC_RULES: Mapping[str, Callable[[Sequence[str], Sequence[str], Sequence[int]], Columns]] = {
    NEWSROOM: newsroom_columns,
    PRESUMM: presumm_columns,
}


# The statistics of a run are computed one after the other from the same texts.
@lru_cache(1)
def _measured(
    summaries: tuple[str, ...], sources: tuple[str, ...], rule: str, highest: int
) -> Columns:
    return STATISTIC_RULES[rule](summaries, sources, range(1, highest + 1))


USUAL_ORDERS = 4


@dataclass(frozen=True, slots=True)
class SourceStatistic:
    """A statistic as a metric of summaries whose only reference is their source.

    `kind` is such as ``"coverage"`` or ``"novel"``, and `order` the length of n-grams, or 0.
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
        """The range of shares, 0 to 1; None for density and compression, which have no bound."""
        return None if self.kind in {DENSITY, COMPRESSION} else SHARES

    @property
    def signature(self) -> str:
        """The rule, the length of n-grams, and how summaries without n-grams are treated."""
        order = f"|n:{self.order}" if self.order else ""
        return f"{self.rule}{order}" + "|without-ngrams:left-out" * bool(self.statistics)

    @property
    def is_lower_better(self) -> bool:
        """Whether lower is better, which is so for repetitions."""
        return self.kind == REPEATED

    @property
    def statistics(self) -> tuple[str, ...]:
        """The numerator and denominator of a system's score; empty if the score is a mean."""
        is_mean = not self.order or (self.rule == PRESUMM and self.kind == REPEATED)
        return () if is_mean else ("counted", "all")

    def score(self, peers: Sequence[str], models: Sequence[Sequence[str]]) -> list[Any]:
        """Return the value of each summary, and then the `statistics`, if there are any."""
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


# The core has the same orders.
ORDERS = (1, 2)

Selections = tuple[Whole, Floats, Whole]  # what `choose_sentences` returns


class SelectionRule(NamedTuple):
    """Rules by which a selection is scored.

    - `are_sets`: an n-gram counts once, however often it occurs.
    - `added`: added to the divisor of F, the sum of precision and recall. If it is 0, F is computed
      from counts as 2h / (n + m).
    - `least_gain`: scores whose difference is at most this are equal.
    """

    are_sets: bool
    added: float
    least_gain: float

    def f(self, hits: int, n_chosen: int, n_wanted: int) -> float:
        """Return F of a selection with `hits` of `n_wanted` n-grams."""
        if not self.added:
            return 2 * hits / max(n_chosen + n_wanted, 1)
        precision = hits / n_chosen if n_chosen else 0.0
        recall = hits / n_wanted if n_wanted else 0.0
        return 2.0 * ((precision * recall) / (precision + recall + self.added))


CLIPPED, SETS = "clipped", "sets"
SELECTION_RULES: Mapping[str, SelectionRule] = {
    CLIPPED: SelectionRule(are_sets=False, added=0.0, least_gain=1e-12),
    SETS: SelectionRule(are_sets=True, added=0.0, least_gain=1e-12),
    PRESUMM: SelectionRule(are_sets=True, added=1e-8, least_gain=0.0),
}


# Newlines stay, since they separate the sentences of a document. `presumm_document` has dropped
# all other characters than ASCII before it deletes these.
DELETED = bytes(byte for byte in range(128) if not chr(byte).isalnum() and chr(byte) not in " \n")


def presumm_document(lines: str) -> bytes:
    """Return a document, one sentence per line, as PreSumm reads it.

    All characters but the ASCII letters and digits and the blank are deleted; the case is kept.
    """
    return lines.encode("ascii", "ignore").translate(None, DELETED)


def presumm_summary(lines: str) -> bytes:
    """Return a summary as PreSumm reads it: as one sentence."""
    return presumm_document(lines.replace("\n", " "))


def choose_sentences(
    pairs: TextPairs, core: Any, starts: Whole, take: int, rule: SelectionRule
) -> Selections:
    """Choose at most `take` sentences of each document, with the core or, if it is None, without.

    Documents are the peers of `pairs`, and their summaries the models. `starts`, shape
    (n_documents + 1,), has the first pair of each document, and the number of pairs. Returns

    - the numbers of the sentences in the order in which they were taken, (n_documents, n_columns),
    - the score of the selection after each of them, of the same shape,
    - how many were taken, (n_documents,); the columns after these have no meaning.
    """
    n_sentences = np.diff(pairs.peers.text_offsets)[pairs.peer_texts]
    shape = starts.size - 1, min(take, int(n_sentences.max(initial=0)))
    order, gains = np.zeros(shape, np.int64), np.zeros(shape)
    counts = np.zeros(starts.size - 1, np.int64)
    if core is not None:
        core.choose_sentences(pairs.compiled, starts, *rule, order, gains, counts)
        return order, gains, counts
    texts = pairs.texts()
    for number, (start, end) in enumerate(pairwise(starts.tolist())):
        models = [model for _, model in texts[start:end]]
        steps = islice(chosen_sentences(texts[start][0], models, rule), take)
        for column, step in enumerate(steps):
            order[number, column], gains[number, column] = step
            counts[number] += 1
    return order, gains, counts


def chosen_sentences(
    document: Text, summaries: Sequence[Text], rule: SelectionRule
) -> Iterator[tuple[int, float]]:
    """Yield the sentences selected from a document: the number of each, and the score so far."""
    sentences = [_counted(document.sentences, order) for order in ORDERS]
    wanted = [
        [sum(_counted(text.sentences, order), Counter()) for text in summaries] for order in ORDERS
    ]
    chosen: list[Counter[Any]] = [Counter() for _ in ORDERS]
    left = list(range(len(document.sentences)))
    best = 0.0
    while left:
        scores = [
            sum(
                _mean_f(taken + of_order[number], of_summaries, rule)
                for taken, of_order, of_summaries in zip(chosen, sentences, wanted, strict=True)
            )
            for number in left
        ]
        highest = max(scores)
        place = next(i for i, score in enumerate(scores) if score >= highest - rule.least_gain)
        if scores[place] <= best + rule.least_gain:
            return
        best = scores[place]
        for taken, of_order in zip(chosen, sentences, strict=True):
            taken.update(of_order[left[place]])
        yield left.pop(place), best


def _counted(sentences: Sequence[Sequence[Any]], order: int) -> list[Counter[Any]]:
    return [Counter(ngrams(sentence, order)) for sentence in sentences]


def _mean_f(chosen: Counter[Any], summaries: Sequence[Counter[Any]], rule: SelectionRule) -> float:
    n_chosen = len(chosen) if rule.are_sets else chosen.total()
    total = 0.0
    for wanted in summaries:
        hits = len(chosen.keys() & wanted.keys()) if rule.are_sets else (chosen & wanted).total()
        total += rule.f(hits, n_chosen, len(wanted) if rule.are_sets else wanted.total())
    return total / len(summaries)
