"""What a protocol counts in a pair of texts: by the reference in `rouge_cli.metrics`, or its twins.

The compiled core counts a whole block of pairs, wherever a choice is one that ROUGE-1.5.5 makes or
can be put in terms of such a one; everything else is counted pair by pair.
"""

import re
from collections.abc import Callable, Sequence
from functools import partial
from itertools import accumulate, chain, product
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rouge_cli.core import compiled_core
from rouge_cli.errors import OptionError
from rouge_cli.metrics.counts import PairCounts
from rouge_cli.metrics.lcs import (
    PeerSentence,
    WordPairs,
    aligned,
    clipped,
    count_text_lcs,
    count_union_lcs,
    lcs_hits,
    lcs_length,
    marked_words,
    matched_words,
)
from rouge_cli.metrics.ngrams import count_ngrams, ngram_hits, ngrams
from rouge_cli.metrics.paired_texts import Text, TextPair, TextPairs, Tokens
from rouge_cli.metrics.skip_bigrams import (
    count_skip_bigrams,
    plus_unigrams,
    skip_bigram_counts,
)
from rouge_cli.metrics.weighted_lcs import (
    count_weighted_lcs,
    matched_weighted,
    weighted_lcs_hits,
)
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.text.columns import TextColumns


@dataclass(frozen=True, slots=True, kw_only=True)
class CountChoices:
    """What is counted, and how.

    Parameters
    ----------
    metrics : tuple of pairs of str
        The name that the package prints, and what is counted: ``ROUGE-2``, ``ROUGE-L`` (the union
        LCS of sentences), ``ROUGE-L-text`` (the LCS of whole texts), ``ROUGE-W``, ``ROUGE-S4``,
        ``ROUGE-SU*``.
    ngrams : str
        ``clipped``: multisets. ``sets``: every n-gram once, in the counts too. ``matched-sets``:
        every n-gram matches once, and the counts are those of the whole text.
    union : str
        Hits of ROUGE-L. ``clipped``: marked words, as long as the peer has some left.
        ``different-words``: the different words that are marked in any pair of sentences, of the
        different words of each text. ``sum``: the lengths of the LCS of all pairs of sentences,
        which may be more than there are words.
    backtracking : str
        Which word is left where two differ and both ways are equally long: ``A`` that of the
        model, ``B`` that of the peer.
    weight : float
        W of ROUGE-W.
    table_weight : float or None
        W in the table of the weighted LCS; None if it is the same.
    adds_rises : bool
        Whether that table adds ``f(k+1) - f(k)`` at once, and not one after the other.
    roots_lcs : bool
        Whether recall and precision of ROUGE-L are W-th roots, as those of ROUGE-W are.
    negative_counts : bool
        Whether a text that is too short for an n-gram counts below 0.
    """

    metrics: tuple[tuple[str, str], ...]
    ngrams: Literal["clipped", "sets", "matched-sets"] = "clipped"
    union: Literal["clipped", "different-words", "sum"] = "clipped"
    backtracking: Literal["A", "B"] = "A"
    weight: float = 1.2
    table_weight: float | None = None
    adds_rises: bool = False
    roots_lcs: bool = False
    negative_counts: bool = False


class Block:
    """Pairs of texts, and the numbers of their words, which measures share.

    Parameters
    ----------
    texts : sequence of Text
    pairs : sequence of pairs of int
        Peer and model of each pair, as places in `texts`.
    """

    def __init__(self, texts: Sequence[Text], pairs: Sequence[tuple[int, int]]) -> None:
        self.texts, self.pairs = texts, pairs
        self.core: Any = compiled_core()
        self._peers, self._models = np.array(pairs, np.int64).reshape(-1, 2).T.copy()
        self._numbers = WordNumbers()
        self._kept: dict[str, Any] = {}

    def counts(self, measure: "Measure") -> Callable[[int, int], list[PairCounts]]:
        """Return what counts the pairs from one place to another.

        With the core all pairs have been counted by then. What it returns raises ArithmeticError
        where a number is too large.
        """
        if self.core is not None and measure.count_block is not None:
            try:
                counts = measure.count_block(self)
            except ArithmeticError:
                # Some pair is at fault; counted one by one, the others have their scores.
                pass
            else:
                return lambda first, end: counts[first:end]
        texts, pairs = self.texts, self.pairs
        return lambda first, end: [
            measure.count(TextPair.of(texts[peer], texts[model]))
            for peer, model in pairs[first:end]
        ]

    def by_sentence(self) -> TextPairs:
        """Return the pairs sentence by sentence."""
        return self._kept_as("by_sentence", lambda: [text.sentences for text in self.texts])

    def whole(self) -> TextPairs:
        """Return the pairs with each text as a single sentence."""
        return self._kept_as("whole", lambda: [[text.tokens] for text in self.texts])

    def different_words(self) -> TextPairs:
        """Return the pairs with every word of a text once, in one sentence."""
        return self._kept_as(
            "different_words", lambda: [[list(dict.fromkeys(text.tokens))] for text in self.texts]
        )

    def changed(self, pairs: TextPairs) -> TextPairs:
        """Return pairs with peers for models and models for peers."""
        columns = pairs.peers
        return TextPairs(columns, self._models, columns, self._peers, pairs.n_types)

    def ngram_hits(self, order: int) -> NDArray[np.int64]:
        """Return the hits of an order; those of lower ones, counted with it, are kept."""
        if len(self._kept.get("ngrams", ())) < order:
            self._kept["ngrams"] = ngram_hits(self.core, self.whole(), order)
        hits: NDArray[np.int64] = self._kept["ngrams"][order - 1]
        return hits

    def sentence_hits(self) -> list[int]:
        """Return the sum of the LCS of every two sentences of each pair."""
        pairs = self.by_sentence()
        firsts = pairs.peers.text_offsets.tolist()
        each = [
            list(product(range(*firsts[model : model + 2]), range(*firsts[peer : peer + 2])))
            for peer, model in self.pairs
        ]
        columns = pairs.peers
        # A sentence is a text of its own here.
        alone = TextColumns(
            columns.types, columns.sentence_offsets, np.arange(columns.sentence_offsets.size)
        )
        models, peers = np.array(list(chain(*each)), np.int64).reshape(-1, 2).T.copy()
        of_sentences = TextPairs(alone, peers, alone, models, pairs.n_types)
        hits = np.append(0, np.cumsum(lcs_hits(self.core, of_sentences, of_sentences)))
        ends = np.array([0, *accumulate(map(len, each))])
        of_pairs: list[int] = np.diff(hits[ends]).tolist()
        return of_pairs

    def _kept_as(self, name: str, texts: Callable[[], list[Sequence[Tokens]]]) -> TextPairs:
        """Return pairs of texts in columns, which are made once."""
        if name not in self._kept:
            columns = self._columns(texts())
            self._kept[name] = TextPairs(
                columns, self._peers, columns, self._models, max(len(self._numbers), 1)
            )
        pairs: TextPairs = self._kept[name]
        return pairs

    def _columns(self, texts: Sequence[Sequence[Tokens]]) -> TextColumns:
        """Return texts in columns, in which words are numbers."""
        return columns_of(texts, self._numbers)


class WordNumbers(dict[Any, int]):
    """Numbers of words, each given when it is asked for first."""

    __slots__ = ()

    def __missing__(self, word: Any) -> int:
        """Give a word the next number."""
        number = self[word] = len(self)
        return number


def columns_of(texts: Sequence[Sequence[Tokens]], numbers: WordNumbers) -> TextColumns:
    """Return the sentences of texts in columns, in which words are numbers."""
    sentences = list(chain.from_iterable(texts))
    types = list(map(numbers.__getitem__, chain.from_iterable(sentences)))
    return TextColumns(np.array(types, np.int32), _offsets(sentences), _offsets(texts))


def _offsets(parts: Sequence[Sequence[Any]]) -> NDArray[np.int64]:
    """Return where each part begins among the items of all, and the end; shape (n + 1,)."""
    return np.array([0, *accumulate(map(len, parts))], np.int64)


Count = Callable[[TextPair], PairCounts]
CountBlock = Callable[[Block], list[PairCounts]]


@dataclass(frozen=True, slots=True)
class Measure:
    """One metric of a protocol, ready to count.

    Parameters
    ----------
    key : str
        The name that the package prints.
    metric : str
        What is counted.
    count : callable
        Counts a pair.
    count_block : callable or None
        Counts all pairs of a block with the core.
    root : float or None
        Recall and precision are roots of this degree.
    order : int
        N of ROUGE-N, else 0.
    """

    key: str
    metric: str
    count: Count
    count_block: CountBlock | None = None
    root: float | None = None
    order: int = 0

    @property
    def is_lcs(self) -> bool:
        """Whether it is ROUGE-L, of sentences or of whole texts."""
        return self.metric.startswith("ROUGE-L")

    @property
    def reads_sentences(self) -> bool:
        """Whether it matters where sentences end."""
        return self.metric in {"ROUGE-L", "ROUGE-W"}


_METRIC = re.compile(
    r"ROUGE-(?:(?P<order>[1-9][0-9]{0,3})|(?P<lcs>L(?:-text)?)|(?P<weighted>W)"
    r"|(?P<skip>SU?)(?P<gap>[0-9]{1,9}|\*))"
)


def measures_of(choices: CountChoices) -> tuple[Measure, ...]:
    """Return the metrics of a protocol; raises OptionError for a name that is none."""
    return tuple(_measure(key, metric, choices) for key, metric in choices.metrics)


def _measure(key: str, metric: str, choices: CountChoices) -> Measure:
    """Return one metric."""
    name = _METRIC.fullmatch(metric)
    if name is None:
        raise OptionError(
            f"{key}: found {metric!r}, expected such as ROUGE-1, ROUGE-L, ROUGE-L-text, ROUGE-W, "
            "ROUGE-S4, ROUGE-SU4 or ROUGE-S*"
        )
    if name["order"]:
        order = int(name["order"])
        return Measure(key, metric, *_ngram_count(choices, order), order=order)
    if name["lcs"]:
        counts = _TEXT if metric.endswith("text") else _union_count(choices)
        return Measure(key, metric, *counts, choices.weight if choices.roots_lcs else None)
    if name["weighted"]:
        return Measure(key, metric, *_weighted_count(choices), choices.weight)
    asked: dict[str, Any] = {"max_gap": -1 if name["gap"] == "*" else int(name["gap"])}
    asked["with_unigrams"] = name["skip"] == "SU"
    return Measure(key, metric, partial(_count_skip, **asked), partial(_count_skips, **asked))


def _ngram_count(choices: CountChoices, order: int) -> tuple[Count, CountBlock | None]:
    """Return what counts n-grams."""
    if choices.ngrams == "clipped":
        asked: dict[str, Any] = {"order": order, "may_be_negative": choices.negative_counts}
        return partial(_count_clipped, **asked), partial(_count_all_clipped, **asked)
    return partial(_count_sets, order=order, counts_all=choices.ngrams == "matched-sets"), None


def _count_clipped(pair: TextPair, *, order: int, may_be_negative: bool) -> PairCounts:
    """Count n-grams as often as both texts have them."""
    peer, model = pair.peer.tokens, pair.model.tokens
    counts = count_ngrams(peer, model, order)
    if not may_be_negative:
        return counts
    return PairCounts(counts.hit, len(model) - order + 1, len(peer) - order + 1)


def _count_all_clipped(block: Block, *, order: int, may_be_negative: bool) -> list[PairCounts]:
    """Count them in a block."""
    pairs = block.whole()
    models, peers = pairs.model_counts - order + 1, pairs.peer_counts - order + 1
    if not may_be_negative:
        models, peers = models.clip(0), peers.clip(0)
    return _pair_counts(block.ngram_hits(order), models, peers)


def _pair_counts(*columns: NDArray[Any]) -> list[PairCounts]:
    """Return columns of hits and counts as Python's numbers, pair by pair."""
    return list(map(PairCounts, *(column.tolist() for column in columns)))


def _count_sets(pair: TextPair, *, order: int, counts_all: bool) -> PairCounts:
    """Count the different n-grams that both texts have, of the different ones or of all."""
    peer, model = pair.peer.tokens, pair.model.tokens
    peer_ngrams, model_ngrams = frozenset(ngrams(peer, order)), frozenset(ngrams(model, order))
    hits = len(peer_ngrams & model_ngrams)
    if counts_all:
        return PairCounts(hits, max(len(model) - order + 1, 0), max(len(peer) - order + 1, 0))
    return PairCounts(hits, len(model_ngrams), len(peer_ngrams))


def _count_text(pair: TextPair) -> PairCounts:
    """Count the LCS of whole texts."""
    return count_text_lcs(pair.peer.tokens, pair.model.tokens)


def _count_texts(block: Block) -> list[PairCounts]:
    """Count it in a block."""
    return _lcs_counts(block, block.whole(), block.whole())


def _lcs_counts(block: Block, pairs: TextPairs, tables: TextPairs) -> list[PairCounts]:
    """Count the union LCS in a block; `tables` clip it, and have the counts."""
    hits = lcs_hits(block.core, pairs, tables)
    return _pair_counts(hits, tables.model_counts, tables.peer_counts)


_TEXT = (_count_text, _count_texts)


def _union_count(choices: CountChoices) -> tuple[Count, CountBlock | None]:
    """Return what counts ROUGE-L by sentences."""
    if choices.union == "sum":
        return _count_sum, _count_sums
    prefers_peer = choices.backtracking == "B"
    if choices.union == "different-words":
        asked: dict[str, Any] = {"prefers_peer": prefers_peer}
        return partial(_count_different_words, **asked), partial(_count_all_different, **asked)
    if prefers_peer:
        return _count_union_otherwise, None
    return count_union_lcs, _count_unions


def _count_unions(block: Block) -> list[PairCounts]:
    """Count the union LCS of sentences in a block."""
    return _lcs_counts(block, block.by_sentence(), block.whole())


def _count_sum(pair: TextPair) -> PairCounts:
    """Add up the LCS of every two sentences."""
    peers = list(map(PeerSentence.of, pair.peer.sentences))
    hits = sum(lcs_length(peer, model) for model in pair.model.sentences for peer in peers)
    return PairCounts(hits, len(pair.model.tokens), len(pair.peer.tokens))


def _count_sums(block: Block) -> list[PairCounts]:
    """Count it in a block."""
    pairs = block.by_sentence()
    hits = np.array(block.sentence_hits(), np.int64)
    return _pair_counts(hits, pairs.model_counts, pairs.peer_counts)


def _count_different_words(pair: TextPair, *, prefers_peer: bool) -> PairCounts:
    """Count the different words on the union LCS.

    Unigram tables that have every word once clip the union LCS to its different words. Which text
    the words are marked in is then all the same, so that rule B is rule A with the texts changed.
    """
    peer_words, model_words = list(set(pair.peer.tokens)), list(set(pair.model.tokens))
    if prefers_peer:
        counts = count_union_lcs(TextPair(pair.model, pair.peer, model_words, peer_words))
    else:
        counts = count_union_lcs(TextPair(pair.peer, pair.model, peer_words, model_words))
    return PairCounts(counts.hit, len(model_words), len(peer_words))


def _count_all_different(block: Block, *, prefers_peer: bool) -> list[PairCounts]:
    """Count them in a block."""
    pairs, tables = block.by_sentence(), block.different_words()
    if prefers_peer:
        hits = lcs_hits(block.core, block.changed(pairs), block.changed(tables))
    else:
        hits = lcs_hits(block.core, pairs, tables)
    return _pair_counts(hits, tables.model_counts, tables.peer_counts)


def _count_union_otherwise(pair: TextPair) -> PairCounts:
    """Count the union LCS by rule B."""
    hits = len(clipped(marked_words(aligned(pair, _matched_by_rule_b)), pair))
    return PairCounts(hits, len(pair.model.tokens), len(pair.peer.tokens))


def _matched_by_rule_b(peer: PeerSentence, model: Tokens) -> WordPairs:
    """Return what backtracking marks if it leaves the word of the peer first."""
    changed = matched_words(PeerSentence.of(model), peer.tokens)
    return [(model_word, peer_word) for peer_word, model_word in changed]


def _weighted_count(choices: CountChoices) -> tuple[Count, CountBlock | None]:
    """Return what counts ROUGE-W."""
    weight = choices.weight
    table_weight = weight if choices.table_weight is None else choices.table_weight

    def matched(peer: PeerSentence, model: Tokens) -> WordPairs:
        return matched_weighted(peer, model, table_weight, adds_rises=choices.adds_rises)

    def count(pair: TextPair) -> PairCounts:
        return count_weighted_lcs(pair, matched, lambda length: length**weight)

    # The table of the core is that of the original.
    has_twin = table_weight == weight and not choices.adds_rises
    return count, partial(_count_all_weighted, weight=weight) if has_twin else None


def _count_all_weighted(block: Block, *, weight: float) -> list[PairCounts]:
    """Count for ROUGE-W in a block."""
    pairs = block.by_sentence()
    f = np.array([float(length**weight) for length in range(pairs.longest_model_sentence + 1)])
    hits, bases = weighted_lcs_hits(block.core, pairs, block.whole(), f)
    columns = (hits.tolist(), bases.tolist(), pairs.peer_counts.tolist())
    return [
        PairCounts(hit, base**weight, n_words**weight, model_base=base)
        for hit, base, n_words in zip(*columns, strict=True)
    ]


def _count_skip(pair: TextPair, *, max_gap: int, with_unigrams: bool) -> PairCounts:
    """Count for ROUGE-S or ROUGE-SU."""
    peer, model = pair.peer.tokens, pair.model.tokens
    counts = count_skip_bigrams(peer, model, max_gap)
    return plus_unigrams(counts, peer, model) if with_unigrams else counts


def _count_skips(block: Block, *, max_gap: int, with_unigrams: bool) -> list[PairCounts]:
    """Count for it in a block."""
    counts = skip_bigram_counts(block.core, block.whole(), max_gap)[with_unigrams]
    return _pair_counts(counts.hit, counts.model_count, counts.peer_count)
