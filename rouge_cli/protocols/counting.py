"""What a protocol counts in a pair of texts, by the reference in `rouge_cli.metrics`."""

import re
from collections.abc import Callable
from functools import partial
from typing import Literal

from rouge_cli.errors import OptionError
from rouge_cli.metrics.counts import PairCounts
from rouge_cli.metrics.lcs import (
    PeerSentence,
    WordPairs,
    aligned,
    clipped,
    count_text_lcs,
    count_union_lcs,
    lcs_length,
    marked_words,
    matched_words,
)
from rouge_cli.metrics.ngrams import count_ngrams, ngrams
from rouge_cli.metrics.paired_texts import TextPair, Tokens
from rouge_cli.metrics.skip_bigrams import count_skip_bigrams, plus_unigrams
from rouge_cli.metrics.weighted_lcs import count_weighted_lcs, matched_weighted
from rouge_cli.quick_dataclass import dataclass


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


Count = Callable[[TextPair], PairCounts]


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
    root : float or None
        Recall and precision are roots of this degree.
    order : int
        N of ROUGE-N, else 0.
    """

    key: str
    metric: str
    count: Count
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
        return Measure(key, metric, _ngram_count(choices, order), order=order)
    if name["lcs"]:
        count = _count_text if metric.endswith("text") else _union_count(choices)
        return Measure(key, metric, count, choices.weight if choices.roots_lcs else None)
    if name["weighted"]:
        return Measure(key, metric, _weighted_count(choices), choices.weight)
    max_gap = -1 if name["gap"] == "*" else int(name["gap"])
    with_unigrams = name["skip"] == "SU"
    return Measure(key, metric, partial(_count_skip, max_gap=max_gap, with_unigrams=with_unigrams))


def _ngram_count(choices: CountChoices, order: int) -> Count:
    """Return what counts n-grams."""
    if choices.ngrams == "clipped":
        return partial(_count_clipped, order=order, may_be_negative=choices.negative_counts)
    return partial(_count_sets, order=order, counts_all=choices.ngrams == "matched-sets")


def _count_clipped(pair: TextPair, *, order: int, may_be_negative: bool) -> PairCounts:
    """Count n-grams as often as both texts have them."""
    peer, model = pair.peer.tokens, pair.model.tokens
    counts = count_ngrams(peer, model, order)
    if not may_be_negative:
        return counts
    return PairCounts(counts.hit, len(model) - order + 1, len(peer) - order + 1)


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


def _union_count(choices: CountChoices) -> Count:
    """Return what counts ROUGE-L by sentences."""
    if choices.union == "sum":
        return _count_sum
    prefers_peer = choices.backtracking == "B"
    if choices.union == "different-words":
        return partial(_count_different_words, prefers_peer=prefers_peer)
    return _count_union_otherwise if prefers_peer else count_union_lcs


def _count_sum(pair: TextPair) -> PairCounts:
    """Add up the LCS of every two sentences."""
    peers = list(map(PeerSentence.of, pair.peer.sentences))
    hits = sum(lcs_length(peer, model) for model in pair.model.sentences for peer in peers)
    return PairCounts(hits, len(pair.model.tokens), len(pair.peer.tokens))


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


def _count_union_otherwise(pair: TextPair) -> PairCounts:
    """Count the union LCS by rule B."""
    hits = len(clipped(marked_words(aligned(pair, _matched_by_rule_b)), pair))
    return PairCounts(hits, len(pair.model.tokens), len(pair.peer.tokens))


def _matched_by_rule_b(peer: PeerSentence, model: Tokens) -> WordPairs:
    """Return what backtracking marks if it leaves the word of the peer first."""
    changed = matched_words(PeerSentence.of(model), peer.tokens)
    return [(model_word, peer_word) for peer_word, model_word in changed]


def _weighted_count(choices: CountChoices) -> Count:
    """Return what counts ROUGE-W."""
    weight = choices.weight
    table_weight = weight if choices.table_weight is None else choices.table_weight

    def matched(peer: PeerSentence, model: Tokens) -> WordPairs:
        return matched_weighted(peer, model, table_weight, adds_rises=choices.adds_rises)

    return lambda pair: count_weighted_lcs(pair, matched, lambda length: length**weight)


def _count_skip(pair: TextPair, *, max_gap: int, with_unigrams: bool) -> PairCounts:
    """Count for ROUGE-S or ROUGE-SU."""
    peer, model = pair.peer.tokens, pair.model.tokens
    counts = count_skip_bigrams(peer, model, max_gap)
    return plus_unigrams(counts, peer, model) if with_unigrams else counts
