"""Line files as they are read: by chunks to be indexed, by ranges to be scored."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import InputError
from rouge_cli.inputs.lines.line_texts import split_sentences, text_lines

__all__ = ["LineFile", "LineFiles"]


@dataclass(frozen=True, slots=True)
class LineFile:
    """A file with a text a line.

    Parameters
    ----------
    name : str
        What the user calls it, for messages.
    path : str
        Where its bytes are: a regular file.
    """

    name: str
    path: str

    def chunks(self, n_bytes: int) -> Iterator[NDArray[np.uint8]]:
        """Yield its bytes, so many at a time, each chunk in the place of the last.

        Raises
        ------
        InputError
            If it cannot be read.
        """
        buffer = bytearray(n_bytes)
        codes = np.frombuffer(buffer, np.uint8)
        try:
            with open(self.path, "rb", buffering=0) as file:
                while n_read := file.readinto(buffer):
                    yield codes[:n_read]
        except OSError as error:
            raise self._unreadable(error) from None

    def lines(self, start: int, stop: int) -> list[bytes]:
        """Return the lines in the bytes ``start:stop``; raises InputError."""
        try:
            with open(self.path, "rb", buffering=0) as file:
                file.seek(start)
                content = bytearray()
                while len(content) < stop - start and (
                    part := file.read(stop - start - len(content))
                ):
                    content += part
        except OSError as error:
            raise self._unreadable(error) from None
        return text_lines(bytes(content))

    def _unreadable(self, error: OSError) -> InputError:
        """Return the error to raise in place of the system's."""
        return InputError(f"{self.name}: cannot be read: {error.strerror}")


@dataclass(frozen=True, slots=True)
class LineFiles:
    """Parallel line files.

    Parameters
    ----------
    peers : mapping of str to LineFile
        By system ID, in the order of print.
    models : sequence of LineFile
    separator : str or None
        What stands between sentences.
    split : callable or None
        From raw text to a sentence a line; picklable. It takes the place of a separator.
    is_tallied : bool
        Whether to count the texts in which the separator does not occur.
    encoding : str or None
        The one that was given, for messages; what is read here is UTF-8 then.
    """

    peers: Mapping[str, LineFile]
    models: Sequence[LineFile]
    separator: str | None = None
    split: Callable[[bytes], bytes] | None = None
    is_tallied: bool = False
    encoding: str | None = None

    @property
    def all(self) -> tuple[LineFile, ...]:
        """All peers, then all models."""
        return (*self.peers.values(), *self.models)

    def texts(self, lines_of_files: Sequence[Sequence[bytes]]) -> list[list[bytes]]:
        """Return the normalised texts of the lines of each file."""
        if self.split is not None:
            return [list(map(self.split, lines)) for lines in lines_of_files]
        return [split_sentences(lines, self.separator) for lines in lines_of_files]
