"""Bytes to text, in any encoding, with the place of what is no text."""

import codecs
from collections.abc import Iterator
from typing import BinaryIO

from rouge_cli.errors import InputError

__all__ = ["decoded_lines", "decoded_text"]

CHUNK = 1 << 17
BYTE_ORDER_MARK = "\ufeff"

_ZERO = "a zero byte"

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


def decoded_lines(stream: BinaryIO, name: str, encoding: str | None) -> Iterator[str]:
    r"""Decode line by line.

    Parameters
    ----------
    stream : BinaryIO
    name : str
        For messages.
    encoding : str or None
        None is UTF-8. A byte order mark is dropped.

    Yields
    ------
    str
        A line with its ``\n``, which the last one may lack. Nothing else ends a line.

    Raises
    ------
    InputError
        At bytes that are no text, after the lines before them; from `stream`.
    """
    pieces: list[str] = []
    for text in _Decoder(stream, name, encoding).texts():
        first, *lines = text.split("\n")
        pieces.append(first)
        if lines:
            yield "".join(pieces) + "\n"
            pieces = [lines.pop()]
            for line in lines:
                yield line + "\n"
    if last := "".join(pieces):
        yield last


def decoded_text(stream: BinaryIO, name: str, encoding: str | None) -> str:
    """Decode all of a stream; as `decoded_lines` does."""
    return "".join(_Decoder(stream, name, encoding).texts())


class _Decoder:
    """Decodes a stream chunk by chunk, and knows the place in it."""

    def __init__(self, stream: BinaryIO, name: str, encoding: str | None) -> None:
        self._stream = stream
        self._name = name
        self._encoding = encoding
        self._decoder = codecs.getincrementaldecoder(encoding or "utf-8")()
        self._is_wide = (encoding or "").startswith(WIDE)
        self._head = b""
        self._line = 1
        self._column = 1

    def texts(self) -> Iterator[str]:
        """Yield the text of chunk after chunk; raises InputError."""
        is_start = is_more = True
        while is_more:
            chunk = self._stream.read(CHUNK)
            is_more = bool(chunk)
            self._head = self._head or chunk[:4]
            text, problem = self._decoded(chunk)
            if is_start and text:
                text, is_start = text.removeprefix(BYTE_ORDER_MARK), False
            zero = text.find("\0")
            if zero >= 0:
                text, problem = text[:zero], _ZERO
            self._advance(text)
            yield text
            if problem:
                raise InputError(self._message(problem))

    def _decoded(self, chunk: bytes) -> tuple[str, str]:
        """Decode a chunk; up to a byte that is no text, and then say which."""
        state = self._decoder.getstate()
        try:
            return self._decoder.decode(chunk, final=not chunk), ""
        except UnicodeDecodeError as error:
            found = f"byte 0x{error.object[error.start]:02X}"
        except UnicodeError as error:
            raise InputError(self._misfit(error)) from None
        is_binary = not self._is_wide and b"\0" in chunk
        return self._text_before(chunk, state), f"{found}, and {_ZERO}" if is_binary else found

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
        if "BOM" in str(error):
            return (
                f"{self._name}: no byte order mark at its start; expected one with "
                f"{self._encoding}, or --encoding {self._encoding}-le or {self._encoding}-be"
            )
        return f"{self._name}: not {self._encoding}: {error}"

    def _message(self, problem: str) -> str:
        """Return the message for a problem at the present place."""
        if self._encoding is None:
            for head, kind in _OTHER_FILES.items():
                if self._head.startswith(head):
                    return f"{self._name}: not text but {kind}"
        place = f"{self._name}, line {self._line}: {problem} at column {self._column}"
        if problem.endswith(_ZERO):
            return f"{place}, as in a binary file; expected text; UTF-16 needs --encoding utf-16"
        if self._encoding is None:
            return f"{place} is not UTF-8; name the encoding of the file with --encoding"
        return f"{place} is not {self._encoding}, which --encoding says"
