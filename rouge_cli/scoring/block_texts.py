"""The texts of a block as the metrics read them: limited, tokenised, stemmed, once each.

Source: specification, section 2, "Limits", and section 3.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import InputError, Problems
from rouge_cli.inputs.blocks import Block
from rouge_cli.inputs.formats import read_simple
from rouge_cli.metrics.paired_texts import Element, Reading
from rouge_cli.text.columns import TextColumns
from rouge_cli.text.reading import Spelling
from rouge_cli.text.tokenizer import Tokenizer

__all__ = ["BlockTexts"]


class BlockTexts:
    """The texts of a block in columns or, if only Basic Elements are asked for, in these.

    Parameters
    ----------
    readings : sequence of Reading
        How the metrics read them.

    Attributes
    ----------
    n_texts : int
    text_bytes : ndarray of int64, shape (n_texts,)
    n_types : int
        Every type is below this number.
    elements : list of tuple of Element
        The Basic Elements of each text; none in a text that is read as words.
    raw : sequence of str
        The texts as strings; empty if no metric reads them so.
    stem : callable or None
        From a word to its stem.
    unsummed_start : int
        See `rouge_cli.text.reading.ReadTexts`.
    """

    __slots__ = (
        "_spell",
        "_stemmed",
        "_unstemmed",
        "elements",
        "n_texts",
        "n_types",
        "raw",
        "stem",
        "text_bytes",
        "unsummed_start",
    )

    def __init__(self, block: Block, readings: Sequence[Reading], tokenizer: Tokenizer) -> None:
        texts = block.texts
        self.raw: Sequence[str] = (
            _decoded(block) if any(reading.raw for reading in readings) else ()
        )
        self.n_texts = len(texts)
        self.text_bytes: NDArray[np.int64] = np.fromiter(map(len, texts), np.int64, len(texts))
        self.stem = tokenizer.stem
        self.elements: list[tuple[Element, ...]] = [() for _ in texts]
        self.n_types = self.unsummed_start = 0
        self._stemmed: TextColumns | None = None
        self._unstemmed: TextColumns | None = None
        self._spell: Callable[[], Spelling] | None = None
        if all(reading.elements for reading in readings):
            self.elements = [read_simple(text, "") for text in texts]
            return
        with_unsummed = any(reading.by_sentence for reading in readings)
        read = tokenizer.read(texts, with_unsummed=with_unsummed)
        self._stemmed, self._unstemmed, self.n_types = read.stemmed, read.unstemmed, read.n_types
        self.unsummed_start, self._spell = read.unsummed_start, read.spell

    def columns(self, *, stemmed: bool) -> TextColumns:
        """Return the columns; the unsummed reading of a byte limit stands behind the other."""
        columns = self._stemmed if stemmed else self._unstemmed
        if columns is None:
            # No metric asks for what it did not announce; a type checker needs to be told.
            raise ValueError("these texts were not read in this way")
        return columns

    def spelling(self) -> Spelling:
        """Return the words as they are spelt; made anew at each call."""
        if self._spell is None:
            # Basic Elements have none, and --soft goes without them.
            raise ValueError("these texts were not read as words that have a spelling")
        return self._spell()

    def empty_texts(self) -> list[int]:
        """Return the texts without tokens, or without Basic Elements."""
        columns = self._stemmed or self._unstemmed
        if columns is None:
            return [text for text, elements in enumerate(self.elements) if not elements]
        return [int(text) for text in np.flatnonzero(columns.token_counts[: self.n_texts] == 0)]


def _decoded(block: Block) -> list[str]:
    """Return the texts of a block as strings; raises InputError that names those that are none."""
    try:
        return [text.decode() for text in block.texts]
    except UnicodeDecodeError:
        odd = [number for number, text in enumerate(block.texts) if not _is_utf8(text)]
    what = "not UTF-8, which the metrics of --also need; save it as UTF-8"
    raise InputError(Problems.of("", ((block.describe(number), what) for number in odd)).lines())


def _is_utf8(text: bytes) -> bool:
    """Say whether a text is UTF-8."""
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True
