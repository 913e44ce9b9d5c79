"""Decodes large inputs chunk by chunk, and locates bytes that are not text."""

import codecs
import io
from collections.abc import Iterator
from typing import TYPE_CHECKING, BinaryIO, cast

from rouge_cli.errors import InputError
from rouge_cli.inputs.files import MEGABYTE
from rouge_cli.quick_dataclass import dataclass

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

MAX_RECORD = 64  # default limit on the size of a record, in megabytes


def too_long(max_record: int) -> str:
    """Return a message about a record above the limit of `max_record` megabytes."""
    return f"longer than {max_record} MB; expected shorter records, or a higher --max-record MB"


DECODED_BYTES = 1 << 17

BYTE_ORDER_MARK = "\ufeff"

# In these encodings, most characters contain zero bytes.
WIDE = ("utf-16", "utf-32")

HEAD_BYTES = 4096
"""Number of first bytes that are searched for a zero byte, which indicates binary data."""

MARKS = {
    b"\xef\xbb\xbf": "utf-8",
    b"\xff\xfe\0\0": "utf-32",
    b"\0\0\xfe\xff": "utf-32",
    b"\xff\xfe": "utf-16",
    b"\xfe\xff": "utf-16",
}


def told_encoding(head: bytes, given: str | None) -> str | None:
    """Return the encoding indicated by a byte order mark, otherwise `given`."""
    return next((name for mark, name in MARKS.items() if head.startswith(mark)), given)


def head_of(stream: BinaryIO) -> bytes:
    """Return the first bytes of a newly opened stream without consuming them."""
    if hasattr(stream, "peek"):
        head: bytes = stream.peek(DECODED_BYTES)
        return head
    head = stream.read(DECODED_BYTES)
    stream.seek(0)
    return head


def has_returns_alone(head: bytes) -> bool:
    """Return whether lines seem to end in carriage returns, as on old Macs."""
    return b"\r" in head and b"\n" not in head


@dataclass()
class Decoder:
    r"""Decodes a stream chunk by chunk, keeping track of lines and columns for messages.

    - `encoding`: the encoding; None means UTF-8. A byte order mark at the start is dropped.
    - `advice`: advice for bytes that cannot be decoded; empty if the user cannot choose the
      encoding.
    - `errors`: ``"strict"``, or ``"surrogateescape"`` to convert such bytes to lone surrogates, as
      in the names of files.
    - `max_record`: the limit on characters of a line, or of a string in a document, in units of
      `MEGABYTE`.
    - `reads_returns`: whether carriage returns are read as newlines.
    - `has_others`: whether the run reads other files too, which may have another encoding.
    - `line`: the number of the next line, from 1; valid between lines. Who reads lines elsewhere
      has to add them.
    """

    name: str
    encoding: str | None
    advice: str = ""
    errors: str = "strict"
    max_record: int = MAX_RECORD
    reads_returns: bool = False
    has_others: bool = False
    line: int = 1
    _column: int = 1
    _is_start: bool = True
    _head: bytes = b""

    def __post_init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder(self.encoding or "utf-8")(self.errors)
        self._is_wide = (self.encoding or "").startswith(WIDE)
        per_file = "; --encoding FILE:NAME gives a single file an encoding of its own"
        self._per_file = per_file if self.has_others else ""

    def lines(self, stream: BinaryIO) -> Iterator[str]:
        r"""Yield the lines with their ``\n``, which the last may lack; nothing else ends a line.

        Raises InputError at bytes that are not text and at a line that is too long, after yielding
        the lines before. Reading `stream` may raise it, too.
        """
        # Join a line that spans chunks only once: appending to a string would be quadratic.
        pieces: list[str] = []
        for text in self._limited(stream, "\n"):
            first, *lines = text.split("\n")
            pieces.append(first)
            if lines:
                yield "".join(pieces) + "\n"
                pieces = [lines.pop()]
                for line in lines:
                    yield line + "\n"
        if last := "".join(pieces):
            yield last

    def recoded(self, stream: BinaryIO) -> BinaryIO:
        """Return a stream of the same text in UTF-8; reading it raises the errors of `texts`."""
        return cast(BinaryIO, io.BufferedReader(_Recoded(self.texts(stream)), DECODED_BYTES))

    def document(self, stream: BinaryIO) -> str:
        """Return the whole text; raises InputError as `lines` does, also for a string too long.

        The limit protects memory: a few bytes of gzip can expand to a huge string.
        """
        return "".join(self._limited(stream, '"'))

    def _limited(self, stream: BinaryIO, end: str) -> Iterator[str]:
        n_open = 0
        for text in self.texts(stream):
            last_end = text.rfind(end)
            n_open = len(text) - last_end if last_end >= 0 else n_open + len(text)
            if n_open > self.max_record * MEGABYTE:
                raise InputError(f"{self.name}, line {self.line}: {too_long(self.max_record)}")
            yield text

    def texts(self, stream: BinaryIO) -> Iterator[str]:
        """Yield the text of each chunk; raises InputError as `lines` does."""
        is_more = True
        while is_more:
            chunk = stream.read(DECODED_BYTES)
            is_more = bool(chunk)
            self._head = self._head or chunk[:HEAD_BYTES]
            text, problem, has_zero = self._decoded(chunk)
            if self._is_start and text:
                text, self._is_start = text.removeprefix(BYTE_ORDER_MARK), False
            if self.reads_returns:
                text = text.replace("\r", "\n")
            # A zero byte can be decoded, but is in no text; it indicates a binary file.
            zero = text.find("\0")
            if zero >= 0:
                text, problem, has_zero = text[:zero], "a zero byte", True
            self.line += text.count("\n")
            last = text.rfind("\n")
            self._column = len(text) - last + (0 if last >= 0 else self._column - 1)
            yield text
            if problem is not None:
                raise InputError(self._message(problem, has_zero=has_zero))

    def _decoded(self, chunk: bytes) -> tuple[str, str | None, bool]:
        """Return the text of a chunk up to the first bad byte, and what is wrong with it.

        That is a description of the byte, or None, and whether the file seems to be binary.
        """
        state = self._decoder.getstate()
        try:
            try:
                return self._decoder.decode(chunk, final=not chunk), None, False
            except UnicodeDecodeError as error:
                byte = error.object[error.start]
                # A decoder returns nothing of a chunk that has a bad byte. Count from the end,
                # because the object of the error also has bytes kept from the chunk before.
                n_good = max(0, len(chunk) - (len(error.object) - error.start))
                self._decoder.setstate(state)
                text = self._decoder.decode(chunk[:n_good])
        except UnicodeError as error:
            # An error without a position. With the wide encodings, the only such error is a missing
            # byte order mark.
            problem = f"{self.name}: not {self.encoding}: {error}"
            if self._is_wide:
                problem = (
                    f"{self.name}: no byte order mark at its start; expected one with "
                    f"{self.encoding}, or --encoding {self.encoding}-le or {self.encoding}-be"
                    f"{self._per_file}"
                )
            raise InputError(problem) from None
        # Search only the head, so that the message does not depend on the size of chunks.
        has_zero = not self._is_wide and b"\0" in self._head
        problem = f"byte 0x{byte:02X}" + (", and a zero byte" if has_zero else "")
        return text, problem, has_zero

    def _message(self, problem: str, *, has_zero: bool) -> str:
        if self.encoding is None and self.advice and self._head.startswith(b"PAR1"):
            return f"{self.name}: not text but Parquet; give --records-format parquet"
        place = f"{self.name}, line {self.line}: {problem} at column {self._column}"
        if not has_zero:
            return f"{place} is not {self.encoding or 'UTF-8'}; {self.advice}{self._per_file}"
        hint = "; UTF-16 needs --encoding utf-16" if self.advice and not self._is_wide else ""
        return f"{place}, as in a binary file; expected text{hint}"


class _Recoded(io.RawIOBase):
    """Encodes texts into a stream of UTF-8."""

    def __init__(self, texts: Iterator[str]) -> None:
        self._texts = texts
        self._rest = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer", /) -> int:
        view = memoryview(buffer).cast("B")
        while not self._rest:
            if (text := next(self._texts, None)) is None:
                return 0
            self._rest = text.encode("utf-8", "surrogatepass")
        count = min(len(view), len(self._rest))
        view[:count], self._rest = self._rest[:count], self._rest[count:]
        return count
