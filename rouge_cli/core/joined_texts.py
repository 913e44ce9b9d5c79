"""Texts in one buffer, which the core reads without an object of Python's for each."""

from collections.abc import Iterator, Sequence
from typing import overload

import numpy as np
from numpy.typing import NDArray


class JoinedTexts(Sequence[bytes]):
    """Texts in one buffer; `bytes` are made of one when it is asked for.

    An object for each text takes as long as to tokenise it, and Python makes objects in one thread
    at a time. The core reads these as they are: `content`, of uint8, has a byte behind each text;
    `starts` and `lengths`, of int64, say where it is.
    """

    __slots__ = ("content", "lengths", "starts")

    def __init__(
        self, content: NDArray[np.uint8], starts: NDArray[np.int64], lengths: NDArray[np.int64]
    ) -> None:
        self.content, self.starts, self.lengths = content, starts, lengths

    def __len__(self) -> int:
        """Return how many there are."""
        return self.starts.size

    @overload
    def __getitem__(self, index: int) -> bytes: ...

    @overload
    def __getitem__(self, index: slice) -> "JoinedTexts": ...

    def __getitem__(self, index: int | slice) -> "bytes | JoinedTexts":
        """Return a text, or some in their order."""
        if isinstance(index, slice):
            return JoinedTexts(self.content, self.starts[index], self.lengths[index])
        start = int(self.starts[index])
        return self.content[start : start + int(self.lengths[index])].tobytes()

    def __iter__(self) -> Iterator[bytes]:
        """Make all of them."""
        content = self.content.data
        for start, length in zip(self.starts.tolist(), self.lengths.tolist(), strict=True):
            yield bytes(content[start : start + length])

    def taken(self, order: NDArray[np.int64]) -> "JoinedTexts":
        """Return them in another order."""
        return JoinedTexts(self.content, self.starts[order], self.lengths[order])


def core_texts(texts: Sequence[bytes]) -> "tuple[bytes, ...] | JoinedTexts":
    """Return texts as the core takes them."""
    return texts if isinstance(texts, JoinedTexts) else tuple(texts)
