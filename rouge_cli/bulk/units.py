"""Texts as sequences of numbers, one for each word or for each unit.

A unit is an n-gram together with the number of its earlier occurrences in the text: the units of
``a b a`` are the first a, the first b and the second a. The clipped hits of ROUGE-N are therefore
the number of units that two texts share, and can be counted as the intersection of two sets.
"""

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rouge_cli.core import compiled_core
from rouge_cli.metrics.counts import GrowingRows
from rouge_cli.text.columns import TextColumns, ragged_indices

PARTS = 1 << 20  # words whose units are numbered together; with more, sorting takes longer per word


class Sequences(NamedTuple):
    """Texts as items, such as words or units.

    The items of text ``t`` are ``items[offsets[t]:offsets[t + 1]]``. `items` is int32; `offsets` is
    int64 of shape (n_texts + 1,).
    """

    items: NDArray[np.int32]
    offsets: NDArray[np.int64]

    @classmethod
    def of(cls, columns: TextColumns) -> "Sequences":
        """Make items of the words of texts."""
        return cls(np.ascontiguousarray(columns.types), columns.token_offsets)

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Number of items in each text, shape (n_texts,)."""
        return np.diff(self.offsets)

    def text(self, number: int) -> NDArray[np.int32]:
        """Return the items of a text."""
        return self.items[self.offsets[number] : self.offsets[number + 1]]

    def part(self, first: int, end: int) -> "Sequences":
        """Return the texts from `first` up to, but not including, `end`."""
        offsets = self.offsets[first : end + 1]
        return Sequences(self.items[offsets[0] : offsets[-1]], offsets - offsets[0])

    def taken(self, numbers: NDArray[np.int64]) -> "Sequences":
        """Return the texts of these numbers, in this order."""
        places, offsets = ragged_indices(self.offsets, numbers)
        return Sequences(self.items[places], offsets)

    def where(self, is_kept: NDArray[np.bool_]) -> "Sequences":
        """Return all texts, where those that are not kept have become empty."""
        if is_kept.all():
            return self
        lengths = np.where(is_kept, self.lengths, 0)
        items = self.items[np.repeat(is_kept, self.lengths)]
        return Sequences(items, np.concatenate(([0], np.cumsum(lengths))))


class _PairNumbers:
    """Numbers pairs of integers below 2**31; a pair keeps its number in later calls."""

    def __init__(self) -> None:
        # The largest integer ends the sorted pairs, so that a search never ends behind them.
        self._pairs = np.array([np.iinfo(np.int64).max])
        self._numbers: NDArray[np.int32] = np.zeros(1, np.int32)

    def number(self, first: NDArray[Any], second: NDArray[Any]) -> NDArray[np.int32]:
        # Both integers fit in one of 64 bits, which sorts faster than rows of two.
        keys = first.astype(np.int64) << 32 | second
        pairs, places = np.unique(keys, return_inverse=True)
        at: Any = np.searchsorted(self._pairs, pairs)
        is_known = self._pairs[at] == pairs
        numbers: NDArray[np.int32] = self._numbers[at]
        n_known = self._pairs.size - 1
        new = np.arange(n_known, n_known + np.count_nonzero(~is_known), dtype=np.int32)
        numbers[~is_known] = new
        # The known pairs stay sorted, for the next binary search.
        self._pairs = np.insert(self._pairs, at[~is_known], pairs[~is_known])
        self._numbers = np.insert(self._numbers, at[~is_known], new)
        return numbers[places]


class UnitNumbers:
    """Numbers the units of one order, in texts whose words are numbered alike.

    Attributes
    ----------
    n_units : int
        Exclusive upper bound of all units so far.
    """

    def __init__(self, order: int) -> None:
        self._order, self.n_units = order, 1
        self._longer = [_PairNumbers() for _ in range(order - 1)]
        self._repeated = _PairNumbers()

    def number(self, words: Sequences) -> Sequences:
        """Return the texts as sequences of units."""
        lengths = np.maximum(words.lengths - self._order + 1, 0)
        offsets = np.concatenate(([0], np.cumsum(lengths)))
        starts = np.searchsorted(words.offsets, np.arange(0, words.items.size, PARTS))
        texts = np.unique([0, *starts.tolist(), lengths.size])
        units = GrowingRows()
        units.extend(np.zeros(0, np.int32))
        for first, end in pairwise(texts.tolist()):
            units.extend(self._units(words.part(first, end)))
        return Sequences(units.take(), offsets)

    def _units(self, words: Sequences) -> NDArray[np.int32]:
        ngrams, offsets = words
        # Each round joins the number of an n-gram and its next word to that of an (n+1)-gram.
        for before, numbers in enumerate(self._longer, 1):
            lengths = np.maximum(words.lengths - before, 0)
            shorter = np.concatenate(([0], np.cumsum(lengths)))
            is_last = np.zeros(ngrams.size, np.bool_)
            is_last[offsets[1:][np.diff(offsets) > 0] - 1] = True
            lasts = np.repeat(words.offsets[:-1] + before - shorter[:-1], lengths)
            seconds = words.items[lasts + np.arange(lasts.size)]
            ngrams, offsets = numbers.number(ngrams[~is_last], seconds), shorter
        places, n_before = _repeats(ngrams, offsets)
        # First occurrences have even numbers, which need no table; repeated ones have odd numbers.
        units = 2 * ngrams
        units[places] = 2 * self._repeated.number(ngrams[places], n_before) + 1
        self.n_units = max(self.n_units, int(units.max(initial=0)) + 1)
        return units


def _repeats(
    ngrams: NDArray[np.int32], offsets: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the places of repeated n-grams, and the number of earlier occurrences of each.

    Both are in any order.
    """
    core, places = compiled_core(), np.arange(ngrams.size)
    if core is not None:
        is_first = np.empty(ngrams.size, np.bool_)
        core.mark_firsts(ngrams, offsets, int(ngrams.max(initial=0)) + 1, is_first)
        places = np.flatnonzero(~is_first)
    texts = np.searchsorted(offsets, places, "right")
    # Equal n-grams of a text become adjacent.
    keys = texts << 32 | ngrams[places]
    order = np.argsort(keys, kind="stable")
    keys, places = keys[order], places[order]
    starts = np.flatnonzero(np.diff(keys, prepend=-1))
    n_before = np.arange(keys.size) - np.repeat(starts, np.diff(starts, append=keys.size))
    if core is not None:
        return places, n_before + 1
    return places[n_before > 0], n_before[n_before > 0]
