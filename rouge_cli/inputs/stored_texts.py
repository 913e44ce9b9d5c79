"""Texts of files that hold many, such as records: end to end, in memory or in a temporary file.

A million records have gigabytes of texts, and a run looks at some thousand at a time. So what
exceeds `HELD_BYTES` goes to an unnamed temporary file, which ends with the process however that
ends. Why not keep the place of each record, and parse it again? A place means nothing in a
compressed file, a pipe or a table, and parsing takes longer than reading back: three times with
the core, ten times with `json`.
"""

import os
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from threading import Lock
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from rouge_cli.core import compiled_core
from rouge_cli.errors import RougeError
from rouge_cli.inputs.texts import Origin, Reading, Texts
from rouge_cli.text.columns import JoinedTexts

HELD_BYTES = 96 << 20
"""Texts of more bytes together go to a file. So many are those of some 140,000 pairs of news, for
which writing and reading back would take a tenth of the time."""

BYTES_AT_ONCE, BYTES_OF_PIECE = 1 << 20, 1 << 15
"""How many are written together, and how many stay as they came, without a copy."""

GAP = 1 << 12
"""Texts are read together where no more bytes stand between them; fewer, if texts are shorter."""

FEW_TEXTS = 16
"""Up to so many are added one by one: to make arrays of them takes longer."""

NUMBERS_OF_PART, FIRST_NUMBERS = 1 << 16, 1 << 4
"""In each part of a `Column`, and in the first one at first: it doubles, as a run may have a column
for each of 100,000 systems."""

INT32_LIMIT = 1 << 31

BLANK, NEWLINE = b" \n"

_reading = Lock()
"""Held where it takes two calls to read at a place: on Windows."""


class Column:
    """Whole numbers of -1 or more that grow at their end, in parts that stay where they are.

    Why not an array that grows? It moves each time, and what it leaves behind is too small for the
    next time: at a million records the holes of eight such columns took 90 MB. Numbers take 32 bits
    where these are enough.
    """

    __slots__ = ("_n_in_parts", "_parts", "_whole")

    def __init__(self) -> None:
        self._whole: NDArray[Any] = np.zeros(0, np.int32)
        self._parts: list[NDArray[Any]] = []
        self._n_in_parts = 0

    def __len__(self) -> int:
        """Return how many there are."""
        return self._whole.size + self._n_in_parts

    def append(self, number: int) -> None:
        """Put a number behind the others."""
        place = self._n_in_parts % NUMBERS_OF_PART
        if place and place < self._parts[-1].size and number < INT32_LIMIT:
            self._parts[-1][place] = number
            self._n_in_parts += 1
        else:
            self.extend(np.array([number], np.int64))

    def extend(self, numbers: NDArray[np.int64]) -> None:
        """Put numbers behind the others."""
        while numbers.size:
            place = self._n_in_parts % NUMBERS_OF_PART
            if not place:
                n_numbers = NUMBERS_OF_PART if self._parts else FIRST_NUMBERS
                self._parts.append(np.empty(n_numbers, np.int32))
            elif place == (part := self._parts[-1]).size:
                self._parts[-1] = np.concatenate((part, np.empty_like(part)))
            taken = numbers[: self._parts[-1].size - place]
            if taken.max() >= INT32_LIMIT:
                self._parts[-1] = self._parts[-1].astype(np.int64, copy=False)
            self._parts[-1][place : place + taken.size] = taken
            self._n_in_parts += taken.size
            numbers = numbers[taken.size :]

    def __getitem__(self, place: int) -> int:
        """Return the number in a place."""
        part, place = self._part(place)
        return int(part[place])

    def __setitem__(self, place: int, number: int) -> None:
        """Put a number of less than 2^31 in the place of another."""
        part, place = self._part(place)
        part[place] = number

    def _part(self, place: int) -> tuple[NDArray[Any], int]:
        """Return the part of a place, and the place in it."""
        if place < self._whole.size:
            return self._whole, place
        part, place = divmod(place - self._whole.size, NUMBERS_OF_PART)
        return self._parts[part], place

    def whole(self) -> NDArray[Any]:
        """Return all numbers, of int32 or int64; threads may then read them at the same time."""
        if self._n_in_parts:
            n_beyond = len(self._parts) * NUMBERS_OF_PART - self._n_in_parts
            self._parts[-1] = self._parts[-1][: NUMBERS_OF_PART - n_beyond]
            self._whole = np.concatenate((self._whole, *self._parts))
            self._parts, self._n_in_parts = [], 0
        return self._whole


class _Contents:
    """Bytes that grow at their end: pieces in memory and, in front of these, what is in a file."""

    __slots__ = ("_file", "_firsts", "_n_held", "_n_written", "_pieces")

    def __init__(self) -> None:
        self._file: BinaryIO | None = None
        # Where each piece begins. Pieces stay as they came: joined, they would be copied, and a
        # buffer that grows moves.
        self._firsts: list[int] = []
        self._pieces: list[bytes | bytearray] = []
        self._n_held = self._n_written = 0

    def __del__(self) -> None:
        """Close the file: results may ask for texts as long as they live."""
        if self._file is not None:
            self._file.close()

    def add(self, content: bytes) -> None:
        """Put some behind the others; raises RougeError if the file system takes no more."""
        last = self._pieces[-1] if self._pieces else b""
        if len(content) >= BYTES_OF_PIECE or len(last) >= BYTES_OF_PIECE:
            self._firsts.append(self._n_written + self._n_held)
            self._pieces.append(content)
        elif isinstance(last, bytearray):
            last += content
        else:
            # An object for each of many short texts would take more than they.
            self._firsts.append(self._n_written + self._n_held)
            self._pieces.append(bytearray(content))
        self._n_held += len(content)
        if self._n_held >= (HELD_BYTES if self._file is None else BYTES_AT_ONCE):
            self._write()

    def _write(self) -> None:
        """Put all pieces at the end of the file; raises RougeError."""
        import tempfile  # few runs need one

        try:
            if self._file is None:
                self._file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115
            for piece in self._pieces:
                left = memoryview(piece)
                while left:
                    left = left[self._file.write(left) :]
        except OSError as error:
            raise _not_kept("written", error) from None
        self._n_written += self._n_held
        self._pieces, self._firsts, self._n_held = [], [], 0

    def hold(self, texts: Sequence[bytes]) -> None:
        """Take texts as all there is, in memory."""
        content = b"".join(texts)
        self._pieces, self._firsts, self._n_held = [content], [0], len(content)

    def between(self, start: int, stop: int) -> bytes:
        """Return the bytes ``start:stop``; raises RougeError."""
        content = bytearray(stop - start)
        self.read_into(memoryview(content), start)
        return bytes(content)

    def read_into(self, target: memoryview, start: int) -> None:
        """Fill a buffer with the bytes from `start` on; raises RougeError."""
        n_written = min(max(self._n_written - start, 0), len(target))
        if n_written:
            self._read_file(target[:n_written], start)
        target, start = target[n_written:], start + n_written
        piece = bisect_right(self._firsts, start) - 1
        while target:
            first = start - self._firsts[piece]
            part = memoryview(self._pieces[piece])[first : first + len(target)]
            target[: len(part)] = part
            target, start, piece = target[len(part) :], start + len(part), piece + 1

    def _read_file(self, target: memoryview, start: int) -> None:
        """Fill a buffer with bytes of the file; raises RougeError."""
        if self._file is None:
            return
        try:
            while target:
                n_read = _read_at(self._file, start, target)
                if not n_read:
                    raise OSError(0, "it has become shorter")
                target, start = target[n_read:], start + n_read
        except OSError as error:
            raise _not_kept("read", error) from None


def _read_at(file: BinaryIO, start: int, target: memoryview) -> int:
    """Fill a buffer, or a part of it; return how many bytes it is. Raises OSError."""
    if hasattr(os, "preadv"):
        # Other threads, and forked processes, may read at the same time.
        return os.preadv(file.fileno(), [target], start)
    if hasattr(os, "pread"):
        content = os.pread(file.fileno(), len(target), start)
    else:
        with _reading:
            file.seek(start)
            content = file.read(len(target))
    target[: len(content)] = content
    return len(content)


def _not_kept(verb: str, error: OSError) -> RougeError:
    """Say that the temporary file is of no use."""
    import tempfile

    return RougeError(
        f"the texts of the input cannot be {verb} in {tempfile.gettempdir()}, where they wait to "
        f"be scored: {error.strerror}; name another folder with the environment variable TMPDIR"
    )


class StoredTexts(Texts):
    """Texts from one file or several, numbered in the order in which they are added."""

    __slots__ = ("_contents", "_ends", "_first_of_origin", "_n_bytes", "_origins", "_units")

    def __init__(self) -> None:
        self._contents = _Contents()
        self._ends = Column()
        self._ends.append(0)
        self._n_bytes = 0
        self._units = Column()
        # Texts from the same file stand together, so each file is kept with its first.
        self._origins: list[Origin] = []
        self._first_of_origin: list[int] = []

    def add(self, texts: Sequence[bytes], units: Sequence[int], origin: Origin) -> int:
        """Add normalised texts, each with its line or record; return the number of the first.

        Raises RougeError if there is no room for them.
        """
        content = b"".join(texts)
        if len(texts) > FEW_TEXTS:
            lengths = np.fromiter(map(len, texts), np.int64, len(texts))
            return self.add_joined(content, lengths, np.fromiter(units, np.int64), origin)
        first = self._add_content(content, len(texts), origin)
        for text, unit in zip(texts, units, strict=True):
            self._n_bytes += len(text)
            self._ends.append(self._n_bytes)
            self._units.append(unit)
        return first

    def add_joined(
        self,
        content: bytes,
        lengths: NDArray[np.int64],
        units: NDArray[np.int64],
        origin: Origin,
    ) -> int:
        """Add texts that stand end to end, as `add` does."""
        first = self._add_content(content, lengths.size, origin)
        self._ends.extend(np.cumsum(lengths) + self._n_bytes)
        self._n_bytes += len(content)
        self._units.extend(units)
        return first

    def _add_content(self, content: bytes, n_texts: int, origin: Origin) -> int:
        """Put the bytes of texts behind the others; return the number of the first."""
        first = len(self)
        self._contents.add(content)
        if n_texts and (not self._origins or self._origins[-1] != origin):
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
        """Return texts."""
        return list(self._joined(numbers)) if numbers.size else []

    def read_blocks(self, first_texts: NDArray[np.int64], n_bytes: int) -> Iterator[Reading] | None:
        """Read all without an object for each; raises RougeError. None without the core."""
        return self.blocks_of(np.arange(len(self)), first_texts, n_bytes)

    def blocks_of(
        self, numbers: NDArray[np.int64], first_texts: NDArray[np.int64], n_bytes: int
    ) -> Iterator[Reading] | None:
        """Read some texts as `read_blocks` reads all."""
        if compiled_core() is None:
            return None
        bytes_before = np.concatenate(([0], np.cumsum(self.sizes(numbers))))[first_texts]
        ends, n_evals = [0], first_texts.size - 1
        while ends[-1] < n_evals:
            end = int(np.searchsorted(bytes_before, bytes_before[ends[-1]] + n_bytes))
            ends.append(min(end, n_evals))
        return (self._block(numbers[a:b]) for a, b in pairwise(first_texts[ends].tolist()))

    def _block(self, numbers: NDArray[np.int64]) -> Reading:
        """Read the texts of a block."""
        texts = self._joined(numbers)
        # A text that begins with a blank may stand behind another one.
        is_good = (texts.content[texts.starts + texts.lengths] != BLANK).all()
        return Reading(texts if is_good else list(texts), (), texts.lengths)

    def _joined(self, numbers: NDArray[np.int64]) -> JoinedTexts:
        """Read texts, at least one, into one buffer; those that stand near each other together."""
        starts, stops = self._bounds(numbers)
        lengths = stops - starts
        order = np.argsort(starts, kind="stable")
        in_order, reach = starts[order], np.maximum.accumulate(stops[order])
        # What stands between texts takes no more memory than these.
        gap = min(GAP, int(lengths.sum()) // lengths.size)
        edges = np.flatnonzero(in_order[1:] - reach[:-1] > gap) + 1
        firsts, lasts = in_order[np.append(0, edges)], reach[np.append(edges - 1, -1)]
        # Behind each span there is a byte of no text.
        ends = np.cumsum(lasts - firsts + 1)
        content = np.empty(ends[-1], np.uint8)
        content[ends - 1] = NEWLINE
        for first, last, end in zip(firsts.tolist(), lasts.tolist(), ends.tolist(), strict=True):
            self._contents.read_into(content.data[end - 1 - (last - first) : end - 1], first)
        moved = np.empty(order.size, np.int64)
        moved[order] = np.repeat(ends - 1 - lasts, np.diff(edges, prepend=0, append=order.size))
        return JoinedTexts(content, starts + moved, lengths)

    def _bounds(self, numbers: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return where texts begin and end."""
        ends = self._ends.whole()
        starts, stops = ends[numbers], ends[numbers + 1]
        return starts.astype(np.int64, copy=False), stops.astype(np.int64, copy=False)

    def place(self, number: int) -> str:
        """Return the file, and the line or the record."""
        origin = self._origins[bisect_right(self._first_of_origin, number) - 1]
        return f"{origin.name}, {origin.place(self._units[number])}"

    def sizes(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return how many bytes they have."""
        starts, stops = self._bounds(numbers)
        return stops - starts

    def part(self, numbers: NDArray[np.int64]) -> "StoredPart":
        """Return some of them, which are read when they are asked for, perhaps by a thread."""
        self._ends.whole()
        return StoredPart(self, numbers)

    def copied(self, numbers: NDArray[np.int64]) -> "StoredTexts":
        """Return some of them, in memory; raises RougeError."""
        part = StoredTexts()
        part._contents.hold(self._taken(numbers))
        starts, stops = self._bounds(numbers)
        part._ends.extend(np.cumsum(stops - starts))
        part._units.extend(self._units.whole()[numbers])
        origins = np.searchsorted(self._first_of_origin, numbers, "right") - 1
        changes = np.flatnonzero(np.diff(origins, prepend=-1))
        part._first_of_origin = changes.tolist()
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

    def read_blocks(self, first_texts: NDArray[np.int64], n_bytes: int) -> Iterator[Reading] | None:
        """Read all without an object for each; raises RougeError. None without the core."""
        return self._store.blocks_of(self._numbers, first_texts, n_bytes)

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
