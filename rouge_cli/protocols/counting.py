"""What a protocol counts in a pair of texts: by the reference in `rouge_cli.metrics`, or its twins.

The compiled core counts a whole block of pairs, wherever a choice is one that ROUGE-1.5.5 makes or
can be put in terms of such a one; everything else is counted pair by pair.
"""

import contextlib
import re
from collections.abc import Callable
from functools import partial
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
    text_lcs_hits,
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
from rouge_cli.text.character_classes import compiled_number_words
from rouge_cli.text.columns import TextColumns

Floats = NDArray[np.float64]


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
    """Pairs of texts in columns, which measures share.

    Parameters
    ----------
    columns : TextColumns
    peers, models : ndarray of int64, shape (n_pairs,)
        The texts of each pair.
    n_types : int
        All words are below it.
    """

    def __init__(
        self,
        columns: TextColumns,
        peers: NDArray[np.int64],
        models: NDArray[np.int64],
        n_types: int,
    ) -> None:
        self.core: Any = compiled_core()
        self.columns, self._n_types = columns, max(n_types, 1)
        self._peers, self._models = peers, models
        self._kept: dict[str, Any] = {}
        self._texts: dict[int, Text] = {}

    def counts(self, measure: "Measure") -> Floats:
        """Count all pairs: hits, model counts and peer counts, shape (3, n_pairs).

        They are nan where counting raises ArithmeticError, as a number is too large.
        """
        if self.core is not None and measure.count_block is not None:
            with contextlib.suppress(ArithmeticError):
                return measure.count_block(self)
            # One pair or more cannot be counted; one by one, all others can.
        counts = np.full((self._peers.size, 3), np.nan)
        for pair in range(self._peers.size):
            with contextlib.suppress(ArithmeticError):
                counts[pair] = self.count_pair(measure, pair)[:3]
        return counts.T

    def count_pair(self, measure: "Measure", pair: int) -> PairCounts:
        """Count a pair by the reference; raises ArithmeticError where a number is too large."""
        peer, model = (self._text(int(texts[pair])) for texts in (self._peers, self._models))
        return measure.count(TextPair.of(peer, model))

    def _text(self, number: int) -> Text:
        """Return a text, which is made when it is asked for."""
        if number not in self._texts:
            self._texts[number] = Text(*self.columns.tokens_of(number))
        return self._texts[number]

    def by_sentence(self) -> TextPairs:
        """Return the pairs sentence by sentence."""
        return self._kept_pairs("by_sentence", lambda: (self.columns, self._n_types))

    def whole(self) -> TextPairs:
        """Return the pairs with each text as a single sentence."""
        return self._kept_pairs("whole", lambda: (self.columns.as_one_sentence(), self._n_types))

    def different(self, order: int) -> TextPairs:
        """Return the pairs with every n-gram of a text once, as a word of its only sentence."""
        return self._kept_pairs(f"different {order}", lambda: self._different(order))

    def changed(self, pairs: TextPairs) -> TextPairs:
        """Return pairs with peers for models and models for peers."""
        columns = pairs.peers
        return TextPairs(columns, self._models, columns, self._peers, pairs.n_types)

    def ngram_hits(self, order: int) -> NDArray[np.int64]:
        """Return the hits of an order; those of lower ones, counted with it, are kept."""
        return ngram_hits(self.core, self.whole(), order)[-1]

    def sentence_hits(self) -> NDArray[np.int64]:
        """Return the sum of the LCS of every two sentences of each pair, shape (n_pairs,)."""
        pairs = self.by_sentence()
        columns = pairs.peers
        n_sentences = np.diff(columns.text_offsets)
        # Each sentence of a model with each of its peer; those of the peer vary faster.
        n_peer, n_model = n_sentences[self._peers], n_sentences[self._models]
        ends = np.concatenate(([0], np.cumsum(n_peer * n_model)))
        places = np.arange(ends[-1]) - np.repeat(ends[:-1], np.diff(ends))
        repeated = np.repeat(n_peer, np.diff(ends))
        models = np.repeat(columns.text_offsets[self._models], np.diff(ends)) + places // repeated
        peers = np.repeat(columns.text_offsets[self._peers], np.diff(ends)) + places % repeated
        # Here each sentence is a text.
        alone = TextColumns(
            columns.types, columns.sentence_offsets, np.arange(columns.sentence_offsets.size)
        )
        of_sentences = TextPairs(alone, peers, alone, models, pairs.n_types)
        hits = np.append(0, np.cumsum(text_lcs_hits(self.core, of_sentences)))
        of_pairs: NDArray[np.int64] = np.diff(hits[ends])
        return of_pairs

    def _kept_pairs(self, name: str, make: Callable[[], tuple[TextColumns, int]]) -> TextPairs:
        """Return pairs of texts in columns, which are made once with the number of their types."""
        if name not in self._kept:
            columns, n_types = make()
            self._kept[name] = TextPairs(columns, self._peers, columns, self._models, n_types)
        pairs: TextPairs = self._kept[name]
        return pairs

    def _different(self, order: int) -> tuple[TextColumns, int]:
        """Return every n-gram of a text once."""
        columns, n_types = self.columns.as_one_sentence(), self._n_types
        if order > 1:
            columns, n_types = _ngram_columns(self.core, columns, order)
        is_first = np.empty(columns.types.size, np.bool_)
        self.core.mark_firsts(columns.types, columns.sentence_offsets, n_types, is_first)
        firsts_before = np.concatenate(([0], np.cumsum(is_first)))
        offsets = firsts_before[columns.sentence_offsets]
        return TextColumns(columns.types[is_first], offsets, columns.text_offsets), n_types


def _ngram_columns(core: Any, columns: TextColumns, order: int) -> tuple[TextColumns, int]:
    """Return texts of one sentence with their n-grams as words, and the number of these."""
    n_places = (columns.token_counts - order + 1).clip(0)
    offsets = np.concatenate(([0], np.cumsum(n_places)))
    starts = np.arange(offsets[-1]) + np.repeat(columns.token_offsets[:-1] - offsets[:-1], n_places)
    types, firsts = compiled_number_words(core, columns.types, starts, starts + order)
    return TextColumns(types, offsets, columns.text_offsets), max(firsts.size, 1)


def _in_columns(*columns: NDArray[Any]) -> Floats:
    """Return hits and counts as doubles, shape (3, n_pairs)."""
    return np.array(columns, np.float64)


Count = Callable[[TextPair], PairCounts]
CountBlock = Callable[[Block], Floats]


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
        """Whether the ends of sentences matter."""
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
    asked = {"order": order, "counts_all": choices.ngrams == "matched-sets"}
    return partial(count_sets, **asked), partial(_count_all_sets, **asked)


def _count_clipped(pair: TextPair, *, order: int, may_be_negative: bool) -> PairCounts:
    """Count n-grams as often as both texts have them."""
    peer, model = pair.peer.tokens, pair.model.tokens
    counts = count_ngrams(peer, model, order)
    if not may_be_negative:
        return counts
    return PairCounts(counts.hit, len(model) - order + 1, len(peer) - order + 1)


def _count_all_clipped(block: Block, *, order: int, may_be_negative: bool) -> Floats:
    """Count them in a block."""
    pairs = block.whole()
    models, peers = pairs.model_counts - order + 1, pairs.peer_counts - order + 1
    if not may_be_negative:
        models, peers = models.clip(0), peers.clip(0)
    return _in_columns(block.ngram_hits(order), models, peers)


def count_sets(pair: TextPair, *, order: int, counts_all: bool) -> PairCounts:
    """Count the different n-grams that both texts have, of the different ones or of all."""
    peer, model = pair.peer.tokens, pair.model.tokens
    peer_ngrams, model_ngrams = frozenset(ngrams(peer, order)), frozenset(ngrams(model, order))
    hits = len(peer_ngrams & model_ngrams)
    if counts_all:
        return PairCounts(hits, max(len(model) - order + 1, 0), max(len(peer) - order + 1, 0))
    return PairCounts(hits, len(model_ngrams), len(peer_ngrams))


def _count_all_sets(block: Block, *, order: int, counts_all: bool) -> Floats:
    """Count them in a block, where each is a word that a text has once."""
    pairs = block.different(order)
    (hits,) = ngram_hits(block.core, pairs, 1)
    if not counts_all:
        return _in_columns(hits, pairs.model_counts, pairs.peer_counts)
    whole = block.whole()
    counts = (whole.model_counts - order + 1, whole.peer_counts - order + 1)
    return _in_columns(hits, *(column.clip(0) for column in counts))


def _count_text(pair: TextPair) -> PairCounts:
    """Count the LCS of whole texts."""
    return count_text_lcs(pair.peer.tokens, pair.model.tokens)


def _count_texts(block: Block) -> Floats:
    """Count it in a block."""
    whole = block.whole()
    return _in_columns(text_lcs_hits(block.core, whole), whole.model_counts, whole.peer_counts)


def _lcs_counts(block: Block, pairs: TextPairs, tables: TextPairs) -> Floats:
    """Count the union LCS in a block; `tables` clip it, and have the counts."""
    hits = lcs_hits(block.core, pairs, tables)
    return _in_columns(hits, tables.model_counts, tables.peer_counts)


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


def _count_unions(block: Block) -> Floats:
    """Count the union LCS of sentences in a block."""
    return _lcs_counts(block, block.by_sentence(), block.whole())


def _count_sum(pair: TextPair) -> PairCounts:
    """Add up the LCS of every two sentences."""
    peers = list(map(PeerSentence.of, pair.peer.sentences))
    hits = sum(lcs_length(peer, model) for model in pair.model.sentences for peer in peers)
    return PairCounts(hits, len(pair.model.tokens), len(pair.peer.tokens))


def _count_sums(block: Block) -> Floats:
    """Count it in a block."""
    pairs = block.by_sentence()
    return _in_columns(block.sentence_hits(), pairs.model_counts, pairs.peer_counts)


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


def _count_all_different(block: Block, *, prefers_peer: bool) -> Floats:
    """Count them in a block."""
    pairs, tables = block.by_sentence(), block.different(1)
    if prefers_peer:
        hits = lcs_hits(block.core, block.changed(pairs), block.changed(tables))
    else:
        hits = lcs_hits(block.core, pairs, tables)
    return _in_columns(hits, tables.model_counts, tables.peer_counts)


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

    asked: dict[str, Any] = {"table_weight": table_weight, "adds_rises": choices.adds_rises}
    return count, partial(_count_all_weighted, weight=weight, **asked)


def _count_all_weighted(block: Block, *, weight: float, **table: Any) -> Floats:
    """Count for ROUGE-W in a block."""
    pairs = block.by_sentence()
    f = np.array([float(length**weight) for length in range(pairs.longest_model_sentence + 1)])
    hits, bases = weighted_lcs_hits(block.core, pairs, block.whole(), f, **table)
    model_counts, peer_counts = (
        np.array([count**weight for count in column.tolist()])
        for column in (bases, pairs.peer_counts)
    )
    return _in_columns(hits, model_counts, peer_counts)


def _count_skip(pair: TextPair, *, max_gap: int, with_unigrams: bool) -> PairCounts:
    """Count for ROUGE-S or ROUGE-SU."""
    peer, model = pair.peer.tokens, pair.model.tokens
    counts = count_skip_bigrams(peer, model, max_gap)
    return plus_unigrams(counts, peer, model) if with_unigrams else counts


def _count_skips(block: Block, *, max_gap: int, with_unigrams: bool) -> Floats:
    """Count for it in a block."""
    counts = skip_bigram_counts(block.core, block.whole(), max_gap)[with_unigrams]
    return _in_columns(counts.hit, counts.model_count, counts.peer_count)
