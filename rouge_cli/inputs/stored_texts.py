"""Texts of files that hold many, such as records: end to end, in memory or in a temporary file.

A million records have gigabytes of texts, and a run looks at some thousand at a time. So what
exceeds `HELD_BYTES` goes to an unnamed temporary file, which ends with the process however that
ends. Why not keep the place of each record, and parse it again? A place means nothing in a
compressed file, a pipe or a table, and parsing takes longer than reading back: three times with
the core, ten times with `json`.
"""

import os
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import RougeError
from rouge_cli.inputs.texts import Origin, Reading, Texts

HELD_BYTES = 1 << 24
"""Texts of more bytes together go to a file."""

BYTES_AT_ONCE = 1 << 20
"""How many are written together."""

GAP = 1 << 12
"""Texts this close to each other in the file are read together."""


class _Contents:
    """Bytes that grow at their end."""

    __slots__ = ("_file", "_held", "_n_written")

    def __init__(self) -> None:
        self._file: BinaryIO | None = None
        self._held = bytearray()
        self._n_written = 0

    def __del__(self) -> None:
        """Close the file: results may ask for texts as long as they live."""
        if self._file is not None:
            self._file.close()

    def add(self, content: bytes) -> None:
        """Put some behind the others; raises RougeError if the file system takes no more."""
        self._held += content
        if len(self._held) >= (HELD_BYTES if self._file is None else BYTES_AT_ONCE):
            self._write()

    def _write(self) -> None:
        """Move what is held to the file; raises RougeError."""
        import tempfile  # few runs need one

        try:
            if self._file is None:
                self._file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115
            left = memoryview(self._held)
            while left:
                left = left[self._file.write(left) :]
        except OSError as error:
            raise _not_kept("written", error) from None
        self._n_written += len(self._held)
        self._held = bytearray()

    def hold(self, texts: Sequence[bytes]) -> None:
        """Take texts as all there is, in memory."""
        self._held = bytearray().join(texts)

    def between(self, start: int, stop: int) -> bytes:
        """Return the bytes ``start:stop``; raises RougeError."""
        first_held = self._n_written
        if self._file is None or start >= first_held:
            return bytes(memoryview(self._held)[start - first_held : stop - first_held])
        if stop > first_held:
            return self.between(start, first_held) + self.between(first_held, stop)
        parts = []
        try:
            while start < stop:
                parts.append(_read_at(self._file, start, stop - start))
                if not parts[-1]:
                    raise OSError(0, "it has become shorter")
                start += len(parts[-1])
        except OSError as error:
            raise _not_kept("read", error) from None
        return b"".join(parts)


def _read_at(file: BinaryIO, start: int, n_bytes: int) -> bytes:
    """Read up to so many bytes; raises OSError."""
    if hasattr(os, "pread"):
        # Other threads, and forked processes, may read at the same time.
        return os.pread(file.fileno(), n_bytes, start)
    file.seek(start)
    return file.read(n_bytes)


def _not_kept(verb: str, error: OSError) -> RougeError:
    """Say that the temporary file is of no use."""
    import tempfile

    return RougeError(
        f"the texts of the input cannot be {verb} in {tempfile.gettempdir()}, where they wait to "
        f"be scored: {error.strerror}; name another folder with the environment variable TMPDIR"
    )


class StoredTexts(Texts):
    """Texts from one file or several, numbered in the order in which they are added."""

    __slots__ = ("_contents", "_ends", "_first_of_origin", "_origins", "_units")

    def __init__(self) -> None:
        self._contents = _Contents()
        self._ends = array("q", [0])
        self._units = array("q")
        # Texts from the same file stand together, so each file is kept with its first.
        self._origins: list[Origin] = []
        self._first_of_origin = array("q")

    def add(self, texts: Sequence[bytes], units: Sequence[int], origin: Origin) -> int:
        """Add normalised texts, each with its line or record; return the number of the first.

        Raises RougeError if there is no room for them.
        """
        lengths = np.fromiter(map(len, texts), np.int64, len(texts))
        numbers = np.fromiter(units, np.int64, len(texts))
        return self.add_joined(b"".join(texts), lengths, numbers, origin)

    def add_joined(
        self,
        content: bytes,
        lengths: NDArray[np.int64],
        units: NDArray[np.int64],
        origin: Origin,
    ) -> int:
        """Add texts that stand end to end, as `add` does."""
        first = len(self)
        self._contents.add(content)
        self._ends.frombytes((np.cumsum(lengths) + self._ends[-1]).tobytes())
        self._units.frombytes(units.tobytes())
        if lengths.size and self._origins[-1:] != [origin]:
            self._origins.append(origin)
            self._first_of_origin.append(first)
        return first

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._units)

    def read(self, numbers: Sequence[int]) -> Iterator[Reading]:
        """Return all at once; raises RougeError."""
        yield Reading(self._taken(np.asarray(numbers, np.int64)))

    def _taken(self, numbers: NDArray[np.int64]) -> list[bytes]:
        """Return texts; those that stand near each other are read together."""
        texts = [b""] * numbers.size
        if not texts:
            return texts
        starts, stops = self._bounds(numbers)
        order = np.argsort(starts, kind="stable")
        in_order = starts[order]
        gaps = in_order[1:] - np.maximum.accumulate(stops[order])[:-1]
        edges = [0, *(np.flatnonzero(gaps > GAP) + 1).tolist(), order.size]
        places, firsts, lasts = order.tolist(), in_order.tolist(), stops[order].tolist()
        for begin, end in pairwise(edges):
            base = firsts[begin]
            span = self._contents.between(base, max(lasts[begin:end]))
            for place, first, last in zip(
                places[begin:end], firsts[begin:end], lasts[begin:end], strict=True
            ):
                texts[place] = span[first - base : last - base]
        return texts

    def _bounds(self, numbers: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return where texts begin and end."""
        ends = np.frombuffer(self._ends, np.int64)
        return ends[numbers], ends[numbers + 1]

    def place(self, number: int) -> str:
        """Return the file, and the line or the record."""
        origin = self._origins[bisect_right(self._first_of_origin, number) - 1]
        return f"{origin.name}, {origin.place(self._units[number])}"

    def sizes(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return how many bytes they have."""
        starts, stops = self._bounds(numbers)
        return stops - starts

    def part(self, numbers: NDArray[np.int64]) -> "StoredTexts | StoredPart":
        """Return some of them, which are read when they are asked for."""
        # Elsewhere threads that read at once would move the place of each other.
        return StoredPart(self, numbers) if hasattr(os, "pread") else self.copied(numbers)

    def copied(self, numbers: NDArray[np.int64]) -> "StoredTexts":
        """Return some of them, in memory; raises RougeError."""
        part = StoredTexts()
        part._contents.hold(self._taken(numbers))
        starts, stops = self._bounds(numbers)
        part._ends.frombytes(np.cumsum(stops - starts).tobytes())
        part._units = array("q", np.frombuffer(self._units, np.int64)[numbers].tobytes())
        firsts = np.frombuffer(self._first_of_origin, np.int64)
        origins = np.searchsorted(firsts, numbers, "right") - 1
        changes = np.flatnonzero(np.diff(origins, prepend=-1))
        part._first_of_origin.frombytes(changes.tobytes())
        part._origins = [self._origins[number] for number in origins[changes].tolist()]
        return part


class StoredPart(Texts):
    """Some texts of a store, in an order; pickled they are copies.

    Who scores them reads them, in a thread beside others: so only what is scored is in memory, and
    the thread that hands out work does not read.
    """

    __slots__ = ("_numbers", "_store")

    def __init__(self, store: StoredTexts, numbers: NDArray[np.int64]) -> None:
        self._store = store
        self._numbers = numbers

    def __reduce__(self) -> tuple[Callable[[StoredTexts], StoredTexts], tuple[StoredTexts]]:
        """Take along the texts: another process may not have the file; raises RougeError."""
        return _itself, (self._store.copied(self._numbers),)

    def __len__(self) -> int:
        """Return how many there are."""
        return self._numbers.size

    def read(self, numbers: Sequence[int]) -> Iterator[Reading]:
        """Return all at once; raises RougeError."""
        return self._store.read(self._numbers[numbers].tolist())

    def place(self, number: int) -> str:
        """Return the file, and the line or the record."""
        return self._store.place(self._numbers[number])

    def sizes(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return how many bytes they have."""
        return self._store.sizes(self._numbers[numbers])

    def part(self, numbers: NDArray[np.int64]) -> Texts:
        """Return some of them."""
        return self._store.part(self._numbers[numbers])


def _itself(texts: StoredTexts) -> StoredTexts:
    """Return the copies that were pickled."""
    return texts
