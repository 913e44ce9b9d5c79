"""Which tokens of a peer and its model are equal: the ground for all metrics on tokens.

A group is a type that occurs in both texts of a pair. Groups are numbered by pair, then by type.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rouge_cli.metrics.joining import Join, join_keys
from rouge_cli.text.columns import TextColumns

__all__ = ["Matches", "match_tokens"]


@dataclass(frozen=True, slots=True, eq=False)
class Matches:
    """The matched tokens of many pairs.

    Parameters
    ----------
    peers, models : TextColumns
        Text ``p`` of the one and text ``p`` of the other are pair ``p``.
    join : Join
        The groups; members are tokens of `peers` and `models`.
    pairs : ndarray of int64, shape (n_groups,)
        The pair of each group.
    peer_groups, model_groups : ndarray of int64, shapes (n_peer_tokens,), (n_model_tokens,)
        The group of each token, -1 where it has none.
    """

    peers: TextColumns
    models: TextColumns
    join: Join
    pairs: NDArray[np.int64]
    peer_groups: NDArray[np.int64]
    model_groups: NDArray[np.int64]

    @property
    def n_pairs(self) -> int:
        """Number of pairs."""
        return self.peers.text_offsets.size - 1

    def sum_by_pair(self, by_group: NDArray[np.int64]) -> NDArray[np.int64]:
        """Add up a whole number of each group over the groups of each pair; (n_pairs,)."""
        return np.bincount(self.pairs, by_group, self.n_pairs).astype(np.int64)


def match_tokens(peers: TextColumns, models: TextColumns, n_types: int) -> Matches:
    """Match the tokens of each pair.

    Parameters
    ----------
    peers, models : TextColumns
        With the same number of texts.
    n_types : int
        Every type is below this number. Matches made with the same `n_types` have comparable keys.
    """
    type_bits = n_types.bit_length()
    join = join_keys(_keys(peers, type_bits), _keys(models, type_bits))
    return Matches(
        peers,
        models,
        join,
        join.keys >> type_bits,
        groups_of(peers.types.size, join.peer_members, join.peer_counts),
        groups_of(models.types.size, join.model_members, join.model_counts),
    )


def _keys(columns: TextColumns, type_bits: int) -> NDArray[np.int64]:
    """Return pair and type of each token in one number, shape (n_tokens,)."""
    counts = columns.token_counts
    keys = np.repeat(np.arange(counts.size) << type_bits, counts)
    keys |= columns.types
    return keys


def groups_of(
    n_places: int, members: NDArray[np.int64], counts: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return the group of each place, -1 where no group has it; shape (n_places,)."""
    groups = np.full(n_places, -1)
    groups[members] = np.repeat(np.arange(counts.size), counts)
    return groups
