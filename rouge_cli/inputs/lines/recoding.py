"""Recode a stream of bytes to UTF-8, chunk by chunk."""

import codecs

from rouge_cli.errors import InputError

__all__ = ["Recoder"]

BYTE_ORDER_MARK = "\ufeff"


class Recoder:
    """From any encoding to UTF-8; a byte order mark at the start is dropped.

    Parameters
    ----------
    name : str
        What to call the input in messages.
    encoding : str
        Its encoding.
    """

    __slots__ = ("_column", "_decoder", "_encoding", "_line", "_name", "_started")

    def __init__(self, name: str, encoding: str) -> None:
        self._name = name
        self._encoding = encoding
        self._decoder = codecs.getincrementaldecoder(encoding)()
        self._started = False
        self._line = 1
        self._column = 1

    def recode(self, chunk: bytes, *, is_last: bool = False) -> bytes:
        """Return what a further chunk adds to the UTF-8.

        Raises
        ------
        InputError
            At the first byte that does not decode, with its line and column (in characters).
        """
        before = self._decoder.getstate()
        try:
            text = self._decoder.decode(chunk, is_last)
        except UnicodeError as error:
            self._decoder.setstate(before)
            raise InputError(self._problem(error, chunk)) from None
        return self._read(text).encode("utf-8", "surrogatepass")

    def _read(self, text: str) -> str:
        """Return a text without byte order mark, and note the place behind it."""
        if text and not self._started:
            self._started = True
            text = text.removeprefix(BYTE_ORDER_MARK)
        self._line += text.count("\n")
        self._column = len(text) - text.rfind("\n") + (0 if "\n" in text else self._column - 1)
        return text

    def _problem(self, error: UnicodeError, chunk: bytes) -> str:
        """Say what in a chunk does not decode."""
        if "BOM" in str(error):
            return (
                f"{self._name}: no byte order mark at its start; expected one with "
                f"{self._encoding}, or --encoding {self._encoding}-le or {self._encoding}-be"
            )
        if not isinstance(error, UnicodeDecodeError):
            return f"{self._name}: not {self._encoding}: {error}"
        # The error counts from the bytes that were kept back from the chunk before.
        n_good = error.start - (len(error.object) - len(chunk))
        try:
            self._read(self._decoder.decode(chunk[: max(n_good, 0)]))
        except UnicodeError as earlier:
            # The bytes before it lack a byte order mark.
            return self._problem(earlier, b"")
        return (
            f"{self._name}, line {self._line}: byte 0x{error.object[error.start]:02X} at column "
            f"{self._column} is not {self._encoding}; give the encoding of the file with "
            "--encoding, or leave --encoding out to take its bytes as they are"
        )
