"""Which tokens of a peer and its model are equal: the ground for all metrics on tokens.

A group is a type that occurs in both texts of a pair. Groups are numbered by pair, then by type.

The idea. Most tokens of a pair have no partner on the other side. A hashed table of presence drops
nearly all of these at once; what is left is sorted, and equal keys stand side by side. The place of
a key's holder rides in the low bits of the number that is sorted, so one plain sort of integers
does the work of a sort by key that remembers where things came from.

Long arrays are indexed by places (`numpy.flatnonzero`) and not by masks, and by `take`, which in
NumPy is several times faster.
"""

import numpy as np
from numpy.typing import NDArray

from rouge_cli.quick_dataclass import dataclass
from rouge_cli.text.columns import TextColumns

__all__ = [
    "Join",
    "Matches",
    "groups_of",
    "join_keys",
    "match_tokens",
    "run_starts",
    "sort_with_places",
]

MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
MAX_BITS = 63


@dataclass(frozen=True, slots=True, eq=False)
class Join:
    """The groups: distinct keys that occur on both sides, ascending.

    Parameters
    ----------
    keys : ndarray of int64, shape (n_groups,)
    peer_counts, model_counts : ndarray of int64, shape (n_groups,)
        How many keys of each side are in the group, at least one.
    peer_members, model_members : ndarray of int64, shape (sum of the counts,)
        Their places in the arrays that were joined, group by group, ascending in each.
    """

    keys: NDArray[np.int64]
    peer_counts: NDArray[np.int64]
    model_counts: NDArray[np.int64]
    peer_members: NDArray[np.int64]
    model_members: NDArray[np.int64]

    @property
    def hits(self) -> NDArray[np.int64]:
        """Clipped count of each group: the lesser of the two counts, shape (n_groups,)."""
        return np.minimum(self.peer_counts, self.model_counts)


def join_keys(peer_keys: NDArray[np.int64], model_keys: NDArray[np.int64]) -> Join:
    """Group the keys that occur on both sides.

    Parameters
    ----------
    peer_keys, model_keys : ndarray of int64, shapes (n_peer_keys,), (n_model_keys,)
        Not negative.
    """
    peer_places, model_places = _may_match(peer_keys, model_keys)
    n_peers = peer_places.size
    candidates = np.concatenate((peer_keys.take(peer_places), model_keys.take(model_places)))
    keys, places = sort_with_places(candidates)
    starts = run_starts(keys)
    run_lengths = np.diff(np.append(starts, keys.size))
    is_model = places >= n_peers
    models_before = np.concatenate(([0], np.cumsum(is_model)))
    model_counts = np.diff(models_before.take(np.append(starts, keys.size)))
    is_shared = (model_counts > 0) & (model_counts < run_lengths)
    is_member = np.repeat(is_shared, run_lengths)
    shared = np.flatnonzero(is_shared)
    return Join(
        keys.take(starts.take(shared)),
        (run_lengths - model_counts).take(shared),
        model_counts.take(shared),
        peer_places.take(places.take(np.flatnonzero(is_member & ~is_model))),
        model_places.take(places.take(np.flatnonzero(is_member & is_model)) - n_peers),
    )


def _may_match(
    peer_keys: NDArray[np.int64], model_keys: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the places of the keys that the other side may hold too; few of them are wrong."""
    n_bits = max(10, (peer_keys.size + model_keys.size).bit_length() + 1)
    peer_slots, model_slots = _slots(peer_keys, n_bits), _slots(model_keys, n_bits)
    return (
        np.flatnonzero(_presence(model_slots, n_bits).take(peer_slots)),
        np.flatnonzero(_presence(peer_slots, n_bits).take(model_slots)),
    )


def _slots(keys: NDArray[np.int64], n_bits: int) -> NDArray[np.int64]:
    """Hash each key to `n_bits` bits."""
    slots = keys.view(np.uint64) * MULTIPLIER
    slots >>= np.uint64(64 - n_bits)
    return slots.view(np.int64)


def _presence(slots: NDArray[np.int64], n_bits: int) -> NDArray[np.bool_]:
    """Return a table that is True at each slot that occurs, shape (2**n_bits,)."""
    table = np.zeros(1 << n_bits, np.bool_)
    table[slots] = True
    return table


def sort_with_places(keys: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the keys sorted and the place of each in `keys`; equal keys keep their order."""
    place_bits = keys.size.bit_length()
    if keys.size and int(keys.max()).bit_length() + place_bits > MAX_BITS:
        order = np.argsort(keys, kind="stable")
        return keys[order], order
    packed = keys << place_bits
    packed |= np.arange(keys.size)
    packed.sort()
    return packed >> place_bits, packed & ((1 << place_bits) - 1)


def run_starts(*sorted_keys: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return where runs of equal keys begin; with several arrays, runs equal in all of them."""
    is_new = np.ones(sorted_keys[0].size, np.bool_)
    if is_new.size:
        np.not_equal(sorted_keys[0][1:], sorted_keys[0][:-1], out=is_new[1:])
        for keys in sorted_keys[1:]:
            is_new[1:] |= keys[1:] != keys[:-1]
    return np.flatnonzero(is_new)


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

    @property
    def peer_counts(self) -> NDArray[np.int64]:
        """Number of tokens of the peer of each pair, shape (n_pairs,)."""
        return self.peers.token_counts

    @property
    def model_counts(self) -> NDArray[np.int64]:
        """Number of tokens of the model of each pair, shape (n_pairs,)."""
        return self.models.token_counts

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
