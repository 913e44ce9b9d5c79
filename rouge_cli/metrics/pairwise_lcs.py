"""Normalised pairwise LCS: each sentence against the one sentence that suits it best.

A model sentence takes its longest LCS with any peer sentence, a peer sentence its longest with any
model sentence. The first, added up over the model, make recall; the second, over the peer,
precision. ROUGE-L, in contrast, takes the union of the LCS with all peer sentences.
Source: Lin (2004), section 3.3, after Radev et al. (2002), the MEAD evaluation toolkit.
"""

import numpy as np
from numpy.typing import NDArray

from rouge_cli.metrics.counts import Counts
from rouge_cli.metrics.lcs import WalkedRows
from rouge_cli.metrics.matching import Matches

__all__ = ["count_pairwise_lcs"]


def count_pairwise_lcs(matches: Matches, walked: list[WalkedRows]) -> Counts:
    """Add up the longest LCS of each sentence of a pair, from both sides.

    Parameters
    ----------
    matches : Matches
    walked : list of WalkedRows
        What `rouge_cli.metrics.lcs.walk_lcs` found in `matches`: it marks as many rows of a
        sentence pair as its LCS is long.

    Returns
    -------
    Counts
        With hits of the model's sentences and, as `Counts.peer_hit`, of the peer's.
    """
    models, peers = matches.models, matches.peers
    best_of_model = np.zeros(models.sentence_offsets.size - 1, np.int64)
    best_of_peer = np.zeros(peers.sentence_offsets.size - 1, np.int64)
    for rows, is_marked in walked:
        firsts = rows.offsets[:-1]
        lengths = np.add.reduceat(is_marked.astype(np.int64), firsts)
        first_tokens = rows.model_tokens.take(firsts)
        sentences = np.searchsorted(models.sentence_offsets, first_tokens, "right") - 1
        np.maximum.at(best_of_model, sentences, lengths)
        np.maximum.at(best_of_peer, rows.peer_sentences, lengths)
    return Counts(
        _summed_by_text(best_of_model, models.text_offsets),
        models.token_counts,
        peers.token_counts,
        peer_hit=_summed_by_text(best_of_peer, peers.text_offsets),
    )


def _summed_by_text(
    by_sentence: NDArray[np.int64], text_offsets: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Add up over the sentences of each text, shape (n_texts,)."""
    before = np.concatenate(([0], np.cumsum(by_sentence)))
    return np.diff(before[text_offsets])
