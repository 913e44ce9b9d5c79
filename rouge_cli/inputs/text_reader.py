"""From where a text stands to the text as it is scored."""

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any

from rouge_cli.errors import InputError
from rouge_cli.escapes import escaped
from rouge_cli.inputs.evaluation import TextSource
from rouge_cli.inputs.files import read_file
from rouge_cli.inputs.formats import ELEMENTS_FORMAT, SENTENCE_FORMATS
from rouge_cli.quick_dataclass import dataclass

__all__ = ["TextReader"]

RAW_FORMAT = "SPL"
"""The format of normalised texts, in which sentences may still have to be found."""


@dataclass(frozen=True, slots=True, eq=False)
class TextReader:
    """Reads texts in any format.

    Parameters
    ----------
    as_elements : bool
        Whether only Basic Elements are wanted of the texts; only SIMPLE has them.
    contents : mapping of str to bytes
        Files that are read already, by name. Another process reads them anew.
    split : callable or None
        From raw text to a sentence a line, for files in the format SPL; picklable.
    """

    as_elements: bool = False
    contents: Mapping[str, bytes] = field(default_factory=dict)
    split: Callable[[bytes], bytes] | None = None

    def __reduce__(self) -> tuple[type["TextReader"], tuple[Any, ...]]:
        """Pickle without the contents."""
        return type(self), (self.as_elements, {}, self.split)

    def read(self, eval_id: str, source: TextSource) -> bytes:
        """Return a normalised text, or its lines of Basic Elements; raises InputError."""
        content = self.content(eval_id, source)
        if self.as_elements:
            return content if source.format == ELEMENTS_FORMAT else b""
        if source.format != RAW_FORMAT:
            return SENTENCE_FORMATS[source.format].read(content)
        is_raw = source.content is None
        return self.split(content) if self.split is not None and is_raw else content

    def ready(self, format: str) -> Mapping[str, bytes]:
        """Return the files of a format that are read already and scored as they are, by name."""
        is_raw = format == RAW_FORMAT and not self.as_elements and self.split is None
        return self.contents if is_raw else {}

    def known_bytes(self, source: TextSource) -> int:
        """Return how many bytes a text has, or 0 where it is not read yet."""
        content = self.contents.get(source.name) if source.content is None else source.content
        return 0 if content is None else len(content)

    def content(self, eval_id: str, source: TextSource) -> bytes:
        """Return the bytes of a text as they are in its file; raises InputError."""
        content = self.contents.get(source.name) if source.content is None else source.content
        if content is not None:
            return content
        try:
            return read_file(source.name)
        except OSError as error:
            raise InputError(
                f"EVAL {escaped(eval_id)}: {escaped(source.name)}: cannot be read: {error.strerror}"
            ) from None
