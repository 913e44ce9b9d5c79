"""The matched rows of every sentence pair: the tables of ROUGE-L and ROUGE-W, less their zeros.

A sentence pair is a sentence of a model and a sentence of the peer it is measured against. Its
table has a row for each token of the model sentence and a column for each token of the peer
sentence. A row without a match sends backtracking straight up, so it can be left out; a column
cannot, but of a gap the first column stands for all. What is left of a row is the mask of the
columns that hold its token.

A gap is a run of tokens without a match in the other text. Their columns of the table are all equal
to the first of them: without a match c[i][j] is the greater of c[i-1][j] and c[i][j-1], and by
induction over i that is c[i][j-1] from the second column on. In any of them backtracking goes up
and left at the same rows. The same holds for rows, so of every gap the first token stands for all;
it cannot be left out too, because the cursor may climb in its column past a match beside it.
"""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from rouge_cli.metrics.matching import Matches, run_starts, sort_with_places
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.text.columns import TextColumns, ragged_indices

__all__ = [
    "LIMB_BITS",
    "LIMB_SHIFT",
    "SentenceRows",
    "ShortSentences",
    "kept_of_gaps",
    "matched_rows",
    "shorten",
]

LIMB_SHIFT, LIMB_BITS = 6, 64

FEW_COLUMNS = 64

LIMBS_AT_A_TIME = 1 << 19
"""Limbs of masks that are held at a time; a single model sentence may need more."""


@dataclass(frozen=True, slots=True, eq=False)
class SentenceRows:
    """Matched rows, sentence pair after sentence pair, by model position in each.

    Parameters
    ----------
    model_tokens : ndarray of int64, shape (n_rows,)
        The token of the model to which each row belongs.
    masks : ndarray of uint64, shape (n_limbs, n_rows)
        Bit ``j % 64`` of limb ``j // 64`` is set if column ``j`` holds the token of the row.
    offsets : ndarray of int64, shape (n_sentence_pairs + 1,)
        Sentence pair ``k`` has the rows ``offsets[k]:offsets[k + 1]``, at least one.
    peer_sentences : ndarray of int64, shape (n_sentence_pairs,)
        The peer sentence of each sentence pair.
    widths : ndarray of int64, shape (n_sentence_pairs,)
        The columns of its table: matched tokens, and one for each gap.
    """

    model_tokens: NDArray[np.int64]
    masks: NDArray[np.uint64]
    offsets: NDArray[np.int64]
    peer_sentences: NDArray[np.int64]
    widths: NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class _Entries:
    """Where the groups stand in peer sentences: one entry for a group and a sentence with it.

    Parameters
    ----------
    groups : ndarray of int64, shape (n_entries,)
        Ascending.
    sentences : ndarray of int64, shape (n_entries,)
    masks : ndarray of uint64, shape (n_limbs, n_entries)
    """

    groups: NDArray[np.int64]
    sentences: NDArray[np.int64]
    masks: NDArray[np.uint64]


def matched_rows(matches: Matches) -> Iterator[SentenceRows]:
    """Yield the matched rows of all sentence pairs, those with as many limbs together, in parts.

    The rows of a sentence pair are never parted.
    """
    members = matches.join.peer_members
    short = shorten(matches.peers, matches.peer_groups)
    sentences = _sentence_of_token(matches.peers).take(members)
    columns = short.kept_before.take(members) - short.offsets.take(sentences)
    widths = np.diff(short.offsets)
    groups = np.repeat(np.arange(matches.pairs.size), matches.join.peer_counts)
    model_groups = matches.model_groups
    n_limbs = (-(-widths // LIMB_BITS)).take(sentences)
    for limbs in np.flatnonzero(np.bincount(n_limbs)).tolist():
        is_wanted = n_limbs == limbs
        wanted = slice(None) if is_wanted.all() else np.flatnonzero(is_wanted)
        entries = _entries(groups[wanted], sentences[wanted], columns[wanted], limbs)
        yield from _rows(matches, widths, model_groups, entries)


def _sentence_of_token(columns: TextColumns) -> NDArray[np.int64]:
    """Return the sentence of each token, shape (n_tokens,)."""
    lengths = np.diff(columns.sentence_offsets)
    return np.repeat(np.arange(lengths.size), lengths)


def _entries(
    groups: NDArray[np.int64],
    sentences: NDArray[np.int64],
    columns: NDArray[np.int64],
    n_limbs: int,
) -> _Entries:
    """Gather the columns of each group in each sentence into masks."""
    limbs = columns >> LIMB_SHIFT
    starts = run_starts(groups, sentences)
    limb_starts = starts if n_limbs == 1 else run_starts(groups, sentences, limbs)
    # Distinct bits add up to their union, and differences of sums are right though they wrap.
    sums = np.cumsum(np.uint64(1) << (columns & (LIMB_BITS - 1)).view(np.uint64))
    unions = np.diff(sums[np.append(limb_starts[1:], sums.size) - 1], prepend=np.uint64(0))
    masks = np.zeros((n_limbs, starts.size), np.uint64)
    if n_limbs == 1:
        masks[0] = unions
    else:
        masks[limbs[limb_starts], np.searchsorted(starts, limb_starts, "right") - 1] = unions
    return _Entries(groups[starts], sentences[starts], masks)


def _rows(
    matches: Matches,
    widths: NDArray[np.int64],
    model_groups: NDArray[np.int64],
    entries: _Entries,
) -> Iterator[SentenceRows]:
    """Set every matched token of a model against every sentence of its peer that holds it."""
    n_entries = np.bincount(entries.groups, minlength=matches.pairs.size)
    entry_offsets = np.concatenate(([0], np.cumsum(n_entries)))
    tokens = np.flatnonzero(model_groups >= 0)
    sentences = _sentence_of_token(matches.models).take(tokens)
    groups = model_groups.take(tokens)
    row_counts = n_entries.take(groups)
    for part in _parts(sentences, row_counts * entries.masks.shape[0]):
        items, _ = ragged_indices(entry_offsets, groups[part])
        if items.size:
            row_sentences = np.repeat(sentences[part], row_counts[part])
            row_tokens = np.repeat(tokens[part], row_counts[part])
            yield _grouped(widths, row_sentences, row_tokens, entries, items)


def _parts(sentences: NDArray[np.int64], costs: NDArray[np.int64]) -> Iterator[slice]:
    """Cut the matched tokens between sentences into parts of about `LIMBS_AT_A_TIME`."""
    starts = run_starts(sentences)
    costs_before = (np.cumsum(costs) - costs)[starts]
    firsts = starts[np.flatnonzero(np.diff(costs_before // LIMBS_AT_A_TIME, prepend=-1))]
    for first, last in pairwise([*firsts.tolist(), sentences.size]):
        yield slice(first, last)


def _grouped(
    widths: NDArray[np.int64],
    sentences: NDArray[np.int64],
    tokens: NDArray[np.int64],
    entries: _Entries,
    items: NDArray[np.int64],
) -> SentenceRows:
    """Put rows, each a token of a model sentence and an entry, in order of sentence pairs."""
    n_peer_sentences = widths.size
    keys, order = sort_with_places(sentences * n_peer_sentences + entries.sentences.take(items))
    starts = run_starts(keys)
    peer_sentences = keys[starts] % n_peer_sentences
    return SentenceRows(
        tokens.take(order),
        entries.masks.take(items.take(order), axis=1),
        np.append(starts, keys.size),
        peer_sentences,
        widths[peer_sentences],
    )


@dataclass(frozen=True, slots=True, eq=False)
class ShortSentences:
    """The tokens that are kept of each sentence.

    Parameters
    ----------
    tokens : ndarray of int64, shape (n_kept,)
        Their numbers among all tokens.
    kept_before : ndarray of int64, shape (n_tokens + 1,)
        How many tokens are kept before each token.
    offsets : ndarray of int64, shape (n_sentences + 1,)
        Sentence ``s`` is ``tokens[offsets[s]:offsets[s + 1]]``.
    """

    tokens: NDArray[np.int64]
    kept_before: NDArray[np.int64]
    offsets: NDArray[np.int64]


def shorten(columns: TextColumns, groups: NDArray[np.int64]) -> ShortSentences:
    """Keep the matched tokens, those with a group of 0 or more, and the first of each gap.

    Where every sentence fits into `FEW_COLUMNS` no limb is saved, and all tokens are kept.
    """
    if np.diff(columns.sentence_offsets).max(initial=0) <= FEW_COLUMNS:
        every = np.arange(groups.size + 1)
        return ShortSentences(every[:-1], every, columns.sentence_offsets)
    return kept_of_gaps(columns, groups)


def kept_of_gaps(columns: TextColumns, groups: NDArray[np.int64]) -> ShortSentences:
    """Keep the matched tokens and the first of each gap, however short the sentences are."""
    is_matched = groups >= 0
    is_kept = np.ones(groups.size, np.bool_)
    is_kept[1:] = is_matched[1:] | is_matched[:-1]
    starts = columns.sentence_offsets[:-1]
    is_kept[starts[starts < groups.size]] = True
    kept_before = np.concatenate(([0], np.cumsum(is_kept)))
    return ShortSentences(
        np.flatnonzero(is_kept), kept_before, kept_before[columns.sentence_offsets]
    )
