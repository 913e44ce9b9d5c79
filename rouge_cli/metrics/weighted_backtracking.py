"""Backtracking through the weighted LCS table as the original does it, for many sentence pairs.

The table. On equal tokens ``c[i][j] = (c[i-1][j-1] + f(k+1)) - f(k)`` with k the length of the run
that ends at (i-1, j-1), which becomes k+1; otherwise c is the greater of its neighbours above and
to the left, above if they are equal, and the run is 0. All in doubles, in this order.

The idea. Cells on one antidiagonal d = i + j depend only on the two antidiagonals before, so they
are computed at once, for all sentence pairs of a batch: m + n steps in place of m * n. An array of
an antidiagonal has the shape (rows, pairs) and is indexed by i, so the cells of a step are a
contiguous slice, and the peer's tokens, laid out backwards, line up with the model's. Few cells are
matches: all are filled as if there were none, and then these are set.

Gaps without a match are made short first (see `sentence_pairs`). Sentence pairs of like size
go into one batch, filled up with tokens that equal nothing; cells beyond the end of a shorter one
do not reach back into it.
Source: specification, section 5, "ROUGE-W".
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from rouge_cli.metrics.matching import Matches
from rouge_cli.metrics.perl_numbers import power_table
from rouge_cli.metrics.sentence_pairs import SentenceRows, ShortSentences, kept_of_gaps

__all__ = ["mark_weighted_lcs", "weighted_lcs"]

LEFT, UP, MATCH, STOP = 0, 1, 2, 3
"""The move out of a cell; there is none out of the first row and the first column."""

NO_MODEL_TOKEN, NO_PEER_TOKEN = -1, -2
MAX_ANTIDIAGONAL = 1 << 14
MAX_TABLE = 1 << 25
"""Cells of one antidiagonal, and of all, in a batch; a single sentence pair may need more."""


def mark_weighted_lcs(
    matches: Matches,
    rows: SentenceRows,
    sentence_pairs: NDArray[np.int64],
    weight: float,
    is_marked: NDArray[np.bool_],
) -> None:
    """Mark the model tokens on the weighted LCS of some sentence pairs.

    Parameters
    ----------
    rows : SentenceRows
        Names the sentences of each sentence pair.
    sentence_pairs : ndarray of int64, shape (n,)
        Which sentence pairs of `rows`.
    is_marked : ndarray of bool, shape (n_model_tokens,)
        Changed in place.
    """
    for model_tokens, _ in weighted_lcs(matches, rows, sentence_pairs, weight):
        is_marked[model_tokens] = True


def weighted_lcs(
    matches: Matches, rows: SentenceRows, sentence_pairs: NDArray[np.int64], weight: float
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Yield the tokens of models on the weighted LCS of some sentence pairs, and of their peers.

    Parameters are those of `mark_weighted_lcs`.
    """
    peer_groups, model_groups = matches.peer_groups, matches.model_groups
    peers, models = (
        kept_of_gaps(matches.peers, peer_groups),
        kept_of_gaps(matches.models, model_groups),
    )
    first_tokens = rows.model_tokens[rows.offsets[sentence_pairs]]
    model_sentences = np.searchsorted(matches.models.sentence_offsets, first_tokens, "right") - 1
    peer_sentences = rows.peer_sentences[sentence_pairs]
    n_rows = models.offsets[model_sentences + 1] - models.offsets[model_sentences]
    n_columns = peers.offsets[peer_sentences + 1] - peers.offsets[peer_sentences]
    for batch in _batches(n_rows, n_columns):
        model = _padded(models, model_groups, model_sentences[batch], NO_MODEL_TOKEN)
        peer = _padded(peers, peer_groups, peer_sentences[batch], NO_PEER_TOKEN)
        f = power_table(min(len(model), len(peer)) + 1, weight)
        # A weight that makes infinite counts is refused once the scores are known.
        with np.errstate(invalid="ignore"):
            moves = _fill_table(model, peer[::-1], f)
        positions, columns, pairs = _backtrack(moves, n_rows[batch], n_columns[batch])
        kept = models.offsets[model_sentences[batch]][pairs] + positions
        kept_columns = peers.offsets[peer_sentences[batch]][pairs] + columns
        yield models.tokens[kept], peers.tokens[kept_columns]


def _batches(
    n_rows: NDArray[np.int64], n_columns: NDArray[np.int64]
) -> Iterator[NDArray[np.int64]]:
    """Yield the places of sentence pairs of like size, as many as a batch may hold."""
    order = np.lexsort((n_columns, n_rows))
    start = 0
    while start < order.size:
        stop = _batch_end(n_rows[order], n_columns[order], start)
        yield order[start:stop]
        start = stop


def _batch_end(n_rows: NDArray[np.int64], n_columns: NDArray[np.int64], start: int) -> int:
    """Return where the batch that begins at `start` has to end."""
    guess = slice(start, start + max(1, MAX_ANTIDIAGONAL // (int(n_rows[start]) + 1)))
    widest, highest = np.maximum.accumulate(n_columns[guess]), n_rows[guess]
    n_pairs = np.arange(1, highest.size + 1)
    antidiagonals = n_pairs * (highest + 1)
    fits = (antidiagonals <= MAX_ANTIDIAGONAL) & (
        antidiagonals * (highest + widest + 1) <= MAX_TABLE
    )
    return start + max(1, int(np.count_nonzero(fits)))


def _padded(
    short: ShortSentences, groups: NDArray[np.int64], sentences: NDArray[np.int64], filler: int
) -> NDArray[np.int32]:
    """Return the groups of some sentences side by side, shape (longest sentence, n).

    The filler stands behind the ends and in the gaps.
    """
    starts = short.offsets[sentences]
    lengths = short.offsets[sentences + 1] - starts
    positions = np.arange(int(lengths.max()))[:, np.newaxis]
    is_inside = positions < lengths
    tokens = short.tokens[np.where(is_inside, starts + positions, 0)]
    groups = groups.take(tokens)
    return np.where(is_inside & (groups >= 0), groups, filler).astype(np.int32)


def _fill_table(
    model: NDArray[np.int32], backward_peer: NDArray[np.int32], f: NDArray[np.float64]
) -> NDArray[np.uint8]:
    """Return the move out of each cell, shape (m + n + 1, m + 1, n_pairs): [i + j, i, pair]."""
    (m, n_pairs), n = model.shape, backward_peer.shape[0]
    moves = np.empty((m + n + 1, m + 1, n_pairs), np.uint8)
    moves[:, 0] = STOP
    moves[range(m + 1), range(m + 1)] = STOP
    scores = np.zeros((3, m + 1, n_pairs))
    runs = np.zeros((3, m + 1, n_pairs), np.int32)
    for d in range(2, m + n + 1):
        low, high = max(1, d - n), min(m, d - 1) + 1
        cells, above = slice(low, high), slice(low - 1, high - 1)
        now, before, two_before = d % 3, (d - 1) % 3, (d - 2) % 3
        up, left = scores[before, above], scores[before, cells]
        is_equal = model[above] == backward_peer[n - d + low : n - d + high]
        matches = np.flatnonzero(is_equal)
        run = runs[two_before, above].ravel().take(matches)
        matched = scores[two_before, above].ravel().take(matches)
        matched += f.take(run + 1)
        matched -= f.take(run)
        np.maximum(up, left, out=scores[now, cells]).ravel()[matches] = matched
        runs[now, cells] = 0
        runs[now, cells].ravel()[matches] = run + 1
        np.greater_equal(up, left, out=moves[d, cells].view(np.bool_))
        moves[d, cells].ravel()[matches] = MATCH
    return moves


def _backtrack(
    moves: NDArray[np.uint8], n_rows: NDArray[np.int64], n_columns: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Backtrack from the last cells; return positions, columns and pairs of the matches."""
    _, n_places, n_pairs = moves.shape
    antidiagonal = n_places * n_pairs
    # From a cell to the next one, by moves; cells go by their places in the table.
    steps = np.array([antidiagonal, antidiagonal + n_pairs, 2 * antidiagonal + n_pairs, 0])
    cells = (n_rows + n_columns) * antidiagonal + n_rows * n_pairs + np.arange(n_pairs)
    marks = [cells[:0]]
    while cells.size:
        move = moves.ravel().take(cells)
        marks.append(cells[move == MATCH])
        cells = (cells - steps.take(move))[move != STOP]
    marked = np.concatenate(marks)
    places = marked // n_pairs % n_places
    return places - 1, marked // antidiagonal - places - 1, marked % n_pairs
