"""Which marked positions of a model count: those whose token is left in both unigram tables.

Marked positions are visited in order; each one that counts uses up one of its token in the model's
and in the peer's table. So of the marked positions of a type the first ones count, as many as the
lesser of the two tables holds.
Source: specification, section 5, "ROUGE-L".
"""

import numpy as np
from numpy.typing import NDArray

from rouge_cli.metrics.matching import Matches

__all__ = ["counted_marks"]


def counted_marks(
    is_marked: NDArray[np.bool_], matches: Matches, tables: Matches
) -> NDArray[np.bool_]:
    """Return which of the marked tokens of the models count.

    Parameters
    ----------
    is_marked : ndarray of bool, shape (n_model_tokens,)
        Tokens on the union LCS; every one of them is matched.
    matches : Matches
        The reading of ROUGE-L and ROUGE-W, with a byte limit not that of ROUGE-1.
    tables : Matches
        The reading of ROUGE-1, whose unigram tables clip.

    Returns
    -------
    ndarray of bool, shape (n_model_tokens,)
    """
    members, counts = matches.join.model_members, matches.join.model_counts
    is_marked_member = is_marked.take(members)
    marks = np.cumsum(is_marked_member)
    group_ends = np.cumsum(counts)
    marks_before = np.concatenate(([0], marks[group_ends - 1]))[:-1]
    rank = marks - np.repeat(marks_before, counts)
    is_counted_member = is_marked_member & (rank <= np.repeat(_limits(matches, tables), counts))
    is_counted = np.zeros_like(is_marked)
    is_counted[members] = is_counted_member
    return is_counted


def _limits(matches: Matches, tables: Matches) -> NDArray[np.int64]:
    """Return how many of each group of `matches` both unigram tables hold, shape (n_groups,)."""
    if matches is tables:
        return tables.join.hits
    places = np.searchsorted(tables.join.keys, matches.join.keys)
    keys = np.append(tables.join.keys, -1)
    hits = np.append(tables.join.hits, 0)
    return np.where(keys[places] == matches.join.keys, hits[places], 0)
