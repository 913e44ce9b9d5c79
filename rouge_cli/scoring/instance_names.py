"""The names of very many instances, ``EVAL_ID.SYSTEM_ID``, packed into one array and sorted there.

Python's strings take ten times the memory, and longer to compare.
"""

from collections.abc import Iterator, Sequence
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from rouge_cli.quick_dataclass import dataclass

__all__ = ["EvalIds", "GrowingNames", "InstanceNames"]

WORD = 8
"""Bytes that are compared at once."""

SEPARATOR = "."
ROWS_AT_A_TIME = 1 << 14


@dataclass(frozen=True, slots=True, eq=False)
class InstanceNames:
    """Names, one behind the other.

    Parameters
    ----------
    data : ndarray of uint8
        The bytes of all names, and a word of zeros.
    offsets : ndarray of int64, shape (n_names + 1,)
        Where each name begins; at last where the zeros do.
    """

    data: NDArray[np.uint8]
    offsets: NDArray[np.int64]

    def sorted_by(self, groups: NDArray[np.int32]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Sort by group, and within each in byte order.

        Parameters
        ----------
        groups : ndarray of int32, shape (n_names,)
            From 0 on.

        Returns
        -------
        order : ndarray of int64, shape (n_names,)
            Numbers of names; equal ones as they were.
        is_repeated : ndarray of bool, shape (n_names,)
            Which of them, in this order, have the name of the one before.
        """
        lengths = np.diff(self.offsets)
        order = np.argsort(groups, kind="stable")
        is_new = np.diff(groups[order], prepend=groups.dtype.type(-1)) != 0
        # Only what is equal so far is compared further, a word at a time.
        tied = np.flatnonzero(_is_tied(is_new))
        for depth in range(0, int(lengths.max(initial=0)) + WORD, WORD):
            if not tied.size:
                break
            rows = order[tied]
            words = self._words(rows, depth)
            # A name and one that goes on with zero bytes look the same but for their ends.
            ends = np.minimum(lengths[rows] - depth, WORD).astype(np.int8)
            runs = np.cumsum(is_new[tied])
            by_word = np.lexsort((ends, words, runs))
            order[tied] = rows[by_word]
            words, ends = words[by_word], ends[by_word]
            is_new[tied[1:]] |= (words[1:] != words[:-1]) | (ends[1:] != ends[:-1])
            tied = tied[_is_tied(is_new)[tied] & (ends == WORD)]
        return order, ~is_new

    def _words(self, rows: NDArray[np.int64], depth: int) -> NDArray[np.uint64]:
        """Return eight bytes of each name as a number, with zeros behind its end."""
        view: NDArray[Any] = np.ndarray(
            (self.data.size - WORD + 1,), ">u8", self.data.data, strides=(1,)
        )
        words = np.empty(len(rows), np.uint64)
        for first in range(0, len(rows), ROWS_AT_A_TIME):
            some = rows[first : first + ROWS_AT_A_TIME]
            starts = np.minimum(self.offsets[some] + depth, self.data.size - WORD)
            n_unused = np.clip(
                depth + WORD - (self.offsets[some + 1] - self.offsets[some]), 0, WORD
            )
            # A shift by all 64 bits is undefined, and is made in two.
            half = (n_unused * 4).astype(np.uint64)
            words[first : first + ROWS_AT_A_TIME] = view[starts] >> half >> half << half << half
        return words

    def eval_id(self, number: int, system_bytes: int) -> str:
        """Return the EVAL ID of a name, whose system ID has so many bytes."""
        start, stop = self.offsets[number], self.offsets[number + 1] - system_bytes - 1
        return self.data[start:stop].tobytes().decode("utf-8", "surrogateescape")


class GrowingNames:
    """Takes names, and packs them.

    Parameters
    ----------
    n_names : int
        How many there will be, at most.
    """

    __slots__ = ("_data", "_n_names", "_offsets")

    def __init__(self, n_names: int) -> None:
        self._data = bytearray()
        self._offsets = np.zeros(n_names + 1, np.int64)
        self._n_names = 0

    def add(self, eval_ids: Sequence[str], systems: Sequence[str]) -> None:
        """Take the names of some instances."""
        encoded = [
            f"{eval_id}{SEPARATOR}{system}".encode("utf-8", "surrogateescape")
            for eval_id, system in zip(eval_ids, systems, strict=True)
        ]
        ends = np.cumsum(np.fromiter(map(len, encoded), np.int64, len(encoded)))
        first = self._n_names + 1
        self._offsets[first : first + len(encoded)] = len(self._data) + ends
        self._data += b"".join(encoded)
        self._n_names += len(encoded)

    def names(self) -> InstanceNames:
        """Return all of them, once."""
        self._data += bytes(WORD)
        data = np.frombuffer(self._data, np.uint8)
        return InstanceNames(data, self._offsets[: self._n_names + 1])


def _is_tied(is_new: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which items belong to a run of several, where `is_new` says which begin a run."""
    is_last = np.append(is_new[1:], True)
    tied: NDArray[np.bool_] = ~(is_new & is_last)
    return tied


@dataclass(frozen=True, slots=True, eq=False)
class EvalIds(Sequence[str]):
    """The EVAL IDs of a system, made into strings when they are asked for.

    Parameters
    ----------
    rows : ndarray of int64, shape (n_evals,)
        The names, in the order of the EVALs.
    system_bytes : int
        Length of the system ID.
    """

    names: InstanceNames
    rows: NDArray[np.int64]
    system_bytes: int

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.rows)

    @overload
    def __getitem__(self, place: int) -> str: ...

    @overload
    def __getitem__(self, place: slice) -> "EvalIds": ...

    def __getitem__(self, place: int | slice) -> "str | EvalIds":
        """Return one, or some."""
        if isinstance(place, slice):
            return EvalIds(self.names, self.rows[place], self.system_bytes)
        return self.names.eval_id(int(self.rows[place]), self.system_bytes)

    def __iter__(self) -> Iterator[str]:
        """Iterate over them."""
        data, offsets = self.names.data.data, self.names.offsets
        for first in range(0, len(self.rows), ROWS_AT_A_TIME):
            rows = self.rows[first : first + ROWS_AT_A_TIME]
            starts, stops = offsets[rows], offsets[rows + 1] - self.system_bytes - 1
            for start, stop in zip(starts.tolist(), stops.tolist(), strict=True):
                yield str(data[start:stop], "utf-8", "surrogateescape")
