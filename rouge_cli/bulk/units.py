"""Texts as sequences of numbers that are compared: of words, or of units.

A unit is an n-gram with the number of its earlier occurrences in the text: of ``a b a`` the units
are the first a, b, and the second a. So the hits of ROUGE-N, which count an n-gram as often as both
texts have it, are the units that two texts share.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rouge_cli.text.columns import TextColumns, ragged_indices

PARTS = 1 << 20
"""Words whose units are numbered together: sorting more takes longer per word."""


class Sequences(NamedTuple):
    """Texts as items.

    Text ``t`` has the `items` (int32) from ``offsets[t]`` on; `offsets` is int64, (n_texts + 1,).
    """

    items: NDArray[np.int32]
    offsets: NDArray[np.int64]

    @classmethod
    def of(cls, columns: TextColumns) -> "Sequences":
        """Return the words of texts."""
        return cls(np.ascontiguousarray(columns.types), columns.token_offsets)

    @property
    def lengths(self) -> NDArray[np.int64]:
        """The number of items of each text, shape (n_texts,)."""
        return np.diff(self.offsets)

    def text(self, number: int) -> NDArray[np.int32]:
        """Return the items of a text."""
        return self.items[self.offsets[number] : self.offsets[number + 1]]

    def part(self, first: int, end: int) -> "Sequences":
        """Return adjacent texts."""
        offsets = self.offsets[first : end + 1]
        return Sequences(self.items[offsets[0] : offsets[-1]], offsets - offsets[0])

    def taken(self, numbers: NDArray[np.int64]) -> "Sequences":
        """Return some of the texts."""
        places, offsets = ragged_indices(self.offsets, numbers)
        return Sequences(self.items[places], offsets)

    def where(self, is_kept: NDArray[np.bool_]) -> "Sequences":
        """Return the texts with those that are not kept empty."""
        if is_kept.all():
            return self
        lengths = np.where(is_kept, self.lengths, 0)
        items = self.items[np.repeat(is_kept, self.lengths)]
        return Sequences(items, np.concatenate(([0], np.cumsum(lengths))))


class _PairNumbers:
    """Numbers of pairs of whole numbers below 2**31, in the order in which they were seen."""

    def __init__(self) -> None:
        self._pairs, self._numbers = np.zeros(0, np.int64), np.zeros(0, np.int32)

    def number(self, first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the number of each pair."""
        pairs, places = np.unique(first << 32 | second, return_inverse=True)
        at: Any = np.searchsorted(self._pairs, pairs)
        is_known = np.zeros(pairs.size, np.bool_)
        is_inside = at < self._pairs.size
        is_known[is_inside] = self._pairs[at[is_inside]] == pairs[is_inside]
        numbers = np.empty(pairs.size, np.int32)
        numbers[is_known] = self._numbers[at[is_known]]
        new = np.arange(self._pairs.size, self._pairs.size + np.count_nonzero(~is_known))
        numbers[~is_known] = new
        # Both are sorted, so each new pair is inserted at its place.
        self._pairs = np.insert(self._pairs, at[~is_known], pairs[~is_known])
        self._numbers = np.insert(self._numbers, at[~is_known], new)
        return numbers[places].astype(np.int64)


class UnitNumbers:
    """Numbers the units of texts whose words share numbers; all of an order.

    Attributes
    ----------
    n_units : int
        All units so far are below.
    """

    def __init__(self, order: int) -> None:
        self._order, self.n_units = order, 1
        self._longer = [_PairNumbers() for _ in range(order - 1)]
        self._repeated = _PairNumbers()

    def number(self, words: Sequences) -> Sequences:
        """Return the units of texts."""
        lengths = np.maximum(words.lengths - self._order + 1, 0)
        offsets = np.concatenate(([0], np.cumsum(lengths)))
        starts = np.searchsorted(words.offsets, np.arange(0, words.items.size, PARTS))
        texts = np.unique([0, *starts.tolist(), lengths.size])
        parts = [
            self._units(words.part(first, end))
            for first, end in zip(texts[:-1].tolist(), texts[1:].tolist(), strict=True)
        ]
        return Sequences(np.concatenate([np.zeros(0, np.int32), *parts]), offsets)

    def _units(self, words: Sequences) -> NDArray[np.int32]:
        lengths = np.maximum(words.lengths - self._order + 1, 0)
        texts = np.repeat(np.arange(lengths.size), lengths)
        firsts = words.offsets[:-1] - np.concatenate(([0], np.cumsum(lengths)[:-1]))
        places = np.arange(texts.size) + firsts[texts]
        ngrams = words.items[places].astype(np.int64)
        for before, numbers in enumerate(self._longer, 1):
            ngrams = numbers.number(ngrams, words.items[places + before].astype(np.int64))
        # Equal n-grams of a text are adjacent, in the order of the text.
        order = np.argsort(texts << 32 | ngrams, kind="stable")
        is_first = np.ones(order.size, np.bool_)
        is_first[1:] = (np.diff(texts[order]) != 0) | (np.diff(ngrams[order]) != 0)
        starts = np.maximum.accumulate(np.where(is_first, np.arange(order.size), 0))
        n_before = np.empty(order.size, np.int64)
        n_before[order] = np.arange(order.size) - starts
        units = 2 * ngrams
        is_repeated = n_before > 0
        repeated = self._repeated.number(ngrams[is_repeated], n_before[is_repeated])
        units[is_repeated] = 2 * repeated + 1
        self.n_units = max(self.n_units, int(units.max(initial=0)) + 1)
        numbered: NDArray[np.int32] = units.astype(np.int32)
        return numbered
