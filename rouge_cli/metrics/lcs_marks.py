"""The marks of ROUGE-L, ROUGE-W and pairwise LCS: what matches what, sentence by sentence."""

import numpy as np
from numpy.typing import NDArray

from rouge_cli.metrics.lcs_backtracking import MarkedRows, matched_columns
from rouge_cli.metrics.marks import Alignments, Occurrences, Units
from rouge_cli.metrics.matching import Matches, run_starts
from rouge_cli.metrics.sentence_pairs import shorten
from rouge_cli.text.columns import TextColumns

__all__ = ["aligned", "alignments_of", "best_sentences", "marked_units"]

TokenPairs = tuple[NDArray[np.int64], NDArray[np.int64]]
"""Tokens of models, and the tokens of peers that they are matched with."""


def aligned(matches: Matches, marked: list[MarkedRows]) -> Alignments:
    """Return the LCS of every sentence pair."""
    short = shorten(matches.peers, matches.peer_groups)
    pieces = []
    for rows, is_marked in marked:
        sentences = np.repeat(rows.peer_sentences, np.diff(rows.offsets))[is_marked]
        columns = np.array(matched_columns(rows, is_marked), np.int64)
        peer_tokens = short.tokens[short.offsets[sentences] + columns]
        pieces.append((rows.model_tokens[is_marked], peer_tokens))
    return alignments_of(matches, pieces)


def alignments_of(matches: Matches, pieces: list[TokenPairs]) -> Alignments:
    """Put matched tokens in order of their sentence pairs."""
    none = np.zeros(0, np.int64)
    models = np.concatenate([none, *(model for model, _ in pieces)])
    peers = np.concatenate([none, *(peer for _, peer in pieces)])
    model_sentences = _sentences_of(matches.models, models)
    peer_sentences = _sentences_of(matches.peers, peers)
    order = np.lexsort((models, peer_sentences, model_sentences))
    starts = run_starts(model_sentences[order], peer_sentences[order])
    firsts = order[starts]
    return Alignments(
        model_sentences[firsts],
        peer_sentences[firsts],
        np.append(starts, order.size),
        models[order],
        peers[order],
    )


def _sentences_of(columns: TextColumns, tokens: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the sentence of each of the given tokens."""
    return np.searchsorted(columns.sentence_offsets, tokens, side="right") - 1


def marked_units(matches: Matches, alignments: Alignments, is_counted: NDArray[np.bool_]) -> Units:
    """Return the types that are on the union LCS of a pair, with all their places on it.

    Parameters
    ----------
    is_counted : ndarray of bool, shape (n_model_tokens,)
        The marked tokens of the models that count.
    """
    is_on_model = np.zeros(matches.models.types.size, np.bool_)
    is_on_peer = np.zeros(matches.peers.types.size, np.bool_)
    is_on_model[alignments.model_tokens] = True
    is_on_peer[alignments.peer_tokens] = True
    n_groups = matches.pairs.size
    models = _of_groups(matches.join.model_members, is_on_model)
    peers = _of_groups(matches.join.peer_members, is_on_peer)
    model_counts = np.bincount(matches.model_groups[models], minlength=n_groups)
    peer_counts = np.bincount(matches.peer_groups[peers], minlength=n_groups)
    counted = np.flatnonzero(is_counted)
    hits = np.bincount(matches.model_groups[counted], minlength=n_groups)
    kept = np.flatnonzero(model_counts)
    return Units(
        matches.pairs[kept],
        hits[kept],
        Occurrences(peer_counts[kept], peers[:, np.newaxis]),
        Occurrences(model_counts[kept], models[:, np.newaxis]),
    )


def _of_groups(members: NDArray[np.int64], is_wanted: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the members of groups that are wanted, group by group."""
    return members[is_wanted[members]]


def best_sentences(matches: Matches, alignments: Alignments) -> tuple[Units, Units]:
    """Return the longest LCS of each sentence, the first of equals: of models, and of peers."""
    of_models = _first_longest(alignments.model_sentences, alignments.lengths)
    of_peers = _first_longest(alignments.peer_sentences, alignments.lengths)
    return _as_units(matches, alignments, of_models), _as_units(matches, alignments, of_peers)


def _first_longest(sentences: NDArray[np.int64], lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the sentence pair that suits each sentence best."""
    order = np.lexsort((np.arange(sentences.size), -lengths, sentences))
    return order[run_starts(sentences[order])]


def _as_units(matches: Matches, alignments: Alignments, sentence_pairs: NDArray[np.int64]) -> Units:
    """Return the matches of some sentence pairs, a unit each."""
    is_wanted = np.zeros(alignments.lengths.size, np.bool_)
    is_wanted[sentence_pairs] = True
    places = np.flatnonzero(np.repeat(is_wanted, alignments.lengths))
    models, peers = alignments.model_tokens[places], alignments.peer_tokens[places]
    ones = np.ones(places.size, np.int64)
    return Units(
        matches.pairs[matches.model_groups[models]],
        ones,
        Occurrences(ones, peers[:, np.newaxis]),
        Occurrences(ones, models[:, np.newaxis]),
    )
