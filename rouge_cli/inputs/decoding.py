"""Bytes to text, in any encoding, with the place of what is no text."""

import codecs
from collections.abc import Iterator
from typing import BinaryIO

from rouge_cli.errors import InputError
from rouge_cli.quick_dataclass import dataclass

__all__ = ["Decoder"]

CHUNK = 1 << 17
BYTE_ORDER_MARK = "\ufeff"

# With these a character of two or four bytes may hold a zero byte.
WIDE = ("utf-16", "utf-32")

# What files that are no text begin with.
_OTHER_FILES = {
    b"\x1f\x8b": "gzip; end its name in .gz",
    b"PAR1": "Parquet; give --records-format parquet",
    b"PK\x03\x04": "a ZIP archive or a workbook; save the table as CSV in UTF-8",
    b"\xff\xfe": "UTF-16; give --encoding utf-16",
    b"\xfe\xff": "UTF-16; give --encoding utf-16",
}


@dataclass(frozen=True, slots=True)
class _NotText:
    """A byte that does not decode, or (None) a zero byte; perhaps both are there."""

    byte: int | None
    has_zero: bool

    @property
    def found(self) -> str:
        """What was found, for a message."""
        if self.byte is None:
            return "a zero byte"
        return f"byte 0x{self.byte:02X}" + (", and a zero byte" if self.has_zero else "")


class Decoder:
    r"""Decodes a stream chunk by chunk, and knows the place in it.

    Parameters
    ----------
    name : str
        Of the input, for messages.
    encoding : str or None
        None is UTF-8. A byte order mark at the start is dropped.
    advice : str
        What to do about bytes that do not decode; empty for inputs whose encoding is not for the
        user to say.
    errors : str
        ``"strict"``, or ``"surrogateescape"`` to take bytes that do not decode as the system
        takes them in the names of files.
    """

    def __init__(
        self, name: str, encoding: str | None, advice: str = "", errors: str = "strict"
    ) -> None:
        self._name = name
        self._encoding = encoding
        self._advice = advice
        self._decoder = codecs.getincrementaldecoder(encoding or "utf-8")(errors)
        self._is_wide = (encoding or "").startswith(WIDE)
        self._head = b""
        self._line = 1
        self._column = 1

    def lines(self, stream: BinaryIO) -> Iterator[str]:
        r"""Yield the lines, each with its ``\n``, which the last may lack; nothing else ends one.

        Raises InputError at bytes that are no text, after the lines before them; from `stream`.
        """
        pieces: list[str] = []
        for text in self.texts(stream):
            first, *lines = text.split("\n")
            pieces.append(first)
            if lines:
                yield "".join(pieces) + "\n"
                pieces = [lines.pop()]
                for line in lines:
                    yield line + "\n"
        if last := "".join(pieces):
            yield last

    def texts(self, stream: BinaryIO) -> Iterator[str]:
        """Yield the text of chunk after chunk; raises InputError as `lines` does."""
        is_start = is_more = True
        while is_more:
            chunk = stream.read(CHUNK)
            is_more = bool(chunk)
            self._head = self._head or chunk[:4]
            text, problem = self._decoded(chunk)
            if is_start and text:
                text, is_start = text.removeprefix(BYTE_ORDER_MARK), False
            zero = text.find("\0")
            if zero >= 0:
                text, problem = text[:zero], _NotText(None, has_zero=True)
            self._advance(text)
            yield text
            if problem is not None:
                raise InputError(self._message(problem))

    def _decoded(self, chunk: bytes) -> tuple[str, _NotText | None]:
        """Decode a chunk, or what of it stands before a byte that is no text."""
        state = self._decoder.getstate()
        try:
            return self._decoder.decode(chunk, final=not chunk), None
        except UnicodeDecodeError as error:
            byte = error.object[error.start]
        except UnicodeError as error:
            raise InputError(self._misfit(error)) from None
        has_zero = not self._is_wide and b"\0" in chunk
        return self._text_before(chunk, state), _NotText(byte, has_zero)

    def _text_before(self, chunk: bytes, state: tuple[bytes, int]) -> str:
        """Return the text of a chunk up to a byte that is no text."""
        self._decoder.setstate(state)
        text = ""
        try:
            for place in range(len(chunk)):
                text += self._decoder.decode(chunk[place : place + 1])
        except UnicodeDecodeError:
            return text
        except UnicodeError as error:
            raise InputError(self._misfit(error)) from None
        return text

    def _advance(self, text: str) -> None:
        """Move the place behind a text."""
        self._line += text.count("\n")
        last_newline = text.rfind("\n")
        self._column = len(text) - last_newline + (0 if last_newline >= 0 else self._column - 1)

    def _misfit(self, error: UnicodeError) -> str:
        """Return the message for what is wrong with the whole, and not with a byte."""
        # With these encodings the byte order is in the mark: nothing else of them fails as a whole.
        if self._is_wide:
            return (
                f"{self._name}: no byte order mark at its start; expected one with "
                f"{self._encoding}, or --encoding {self._encoding}-le or {self._encoding}-be"
            )
        return f"{self._name}: not {self._encoding}: {error}"

    def _message(self, problem: _NotText) -> str:
        """Return the message for a problem at the present place."""
        if self._encoding is None and self._advice:
            for head, kind in _OTHER_FILES.items():
                if self._head.startswith(head):
                    return f"{self._name}: not text but {kind}"
        place = f"{self._name}, line {self._line}: {problem.found} at column {self._column}"
        if not problem.has_zero:
            return f"{place} is not {self._encoding or 'UTF-8'}; {self._advice}"
        hint = "; UTF-16 needs --encoding utf-16" if self._advice and not self._is_wide else ""
        return f"{place}, as in a binary file; expected text{hint}"
