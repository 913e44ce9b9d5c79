"""Hits of each pair, counted by the compiled core; of many pairs, or of a single one."""

from array import array
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rouge_cli.metrics.single_pair import PairCounts
from rouge_cli.metrics.text_pairs import TextPairs
from rouge_cli.text.compiled import ReadPair

__all__ = ["CompiledPair", "lcs_hits", "ngram_hits", "skip_bigram_hits", "weighted_lcs_hits"]


def ngram_hits(core: Any, pairs: TextPairs, max_ngram: int) -> NDArray[np.int64]:
    """Return the hits of ROUGE-1 to ROUGE-N, shape (max_ngram, n_pairs).

    Its twin is `rouge_cli.metrics.ngrams.count_ngrams`.
    """
    hits = np.empty((max_ngram, pairs.n_pairs), np.int64)
    core.count_ngrams(pairs.compiled(core), max_ngram, hits)
    return hits


def lcs_hits(core: Any, pairs: TextPairs, tables: TextPairs) -> NDArray[np.int64]:
    """Return the hits of ROUGE-L, shape (n_pairs,); `tables` clip them.

    Its twin is `rouge_cli.metrics.lcs.count_lcs`.
    """
    hits = np.empty(pairs.n_pairs, np.int64)
    core.count_lcs(pairs.compiled(core), tables.compiled(core), hits)
    return hits


def weighted_lcs_hits(
    core: Any, pairs: TextPairs, tables: TextPairs, f: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the hits of ROUGE-W, and the model counts weighted once, each of shape (n_pairs,).

    Its twin is `rouge_cli.metrics.weighted_lcs.count_wlcs`.

    Parameters
    ----------
    core : module
    pairs, tables : TextPairs
        As `lcs_hits` takes them.
    f : ndarray of float64, shape (longest sentence of a model + 1,)
        ``k ** W``.
    """
    hits, bases = np.empty(pairs.n_pairs), np.empty(pairs.n_pairs)
    core.count_wlcs(pairs.compiled(core), tables.compiled(core), f, hits, bases)
    return hits, bases


def skip_bigram_hits(
    core: Any, pairs: TextPairs, max_gap: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the hits of ROUGE-S, and those that ROUGE-SU adds, each of shape (n_pairs,).

    Its twin is `rouge_cli.metrics.skip_bigrams.count_skip_bigrams`.
    """
    hits, unigram_hits = np.empty(pairs.n_pairs, np.int64), np.empty(pairs.n_pairs, np.int64)
    core.count_skip_bigrams(pairs.compiled(core), max_gap, hits, unigram_hits)
    return hits, unigram_hits


class CompiledPair:
    """A model and a peer; see `rouge_cli.metrics.single_pair.SinglePair`.

    Parameters
    ----------
    core : module
    read : callable
        Reads the pair, its texts by sentences or, with True, as one sentence each.
    by_sentence : tuple
        What it returns with False.
    """

    __slots__ = ("_by_sentence", "_core", "_read")

    def __init__(
        self, core: Any, read: Callable[[bool], ReadPair | None], by_sentence: ReadPair
    ) -> None:
        self._core, self._read, self._by_sentence = core, read, by_sentence

    @classmethod
    def of(cls, core: Any, read: Callable[[bool], ReadPair | None]) -> "CompiledPair | None":
        """Return the pair; None if the core does not read it."""
        by_sentence = read(False)
        return None if by_sentence is None else cls(core, read, by_sentence)

    @property
    def has_tokens(self) -> tuple[bool, bool]:
        """Whether the peer, and whether the model has any."""
        _, n_peer, n_model = self._by_sentence
        return n_peer > 0, n_model > 0

    def count_ngrams(self, order: int) -> PairCounts:
        """Count for ROUGE-N."""
        pair, n_peer, n_model = self._by_sentence
        hits = array("q", bytes(8 * order))
        self._core.count_ngrams(pair, order, hits)
        return PairCounts(hits[-1], max(n_model - order + 1, 0), max(n_peer - order + 1, 0))

    def count_lcs(self) -> PairCounts:
        """Count for the LCS of whole texts."""
        # They are read as the sentences were, so that this is not None either.
        return self._count_lcs(self._read(True) or self._by_sentence)

    def count_union_lcs(self) -> PairCounts:
        """Count for the union LCS of sentences: clipped by the unigram tables of both texts."""
        return self._count_lcs(self._by_sentence)

    def _count_lcs(self, read: ReadPair) -> PairCounts:
        """Count what is on the union LCS."""
        pair, n_peer, n_model = read
        hits = array("q", bytes(8))
        self._core.count_lcs(pair, pair, hits)
        return PairCounts(hits[0], n_model, n_peer)
