"""Texts to columns by the compiled core; the twin of `rouge_cli.text.ascii155.read_texts`.

Source: specification, sections 3 and 4.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from rouge_cli.text.columns import TextColumns
from rouge_cli.text.reading import ReadTexts, Spelling

__all__ = ["CompiledWords", "ReadPair"]

_MOST_LISTS = 16

ReadPair = tuple[Any, int, int]
"""A pair that the core has matched, and the numbers of tokens of its peer and of its model."""


class CompiledWords:
    """Stopwords and irregular forms as the core looks them up.

    Parameters
    ----------
    stopwords : frozenset of bytes or None
        None removes none.
    exceptions : mapping of bytes to bytes or None
        Irregular form to base form; None stems nothing.
    """

    __slots__ = ("_exceptions", "_stopwords")

    def __init__(
        self, stopwords: frozenset[bytes] | None, exceptions: Mapping[bytes, bytes] | None
    ) -> None:
        self._stopwords, self._exceptions = stopwords, exceptions

    def _of(self, core: Any) -> tuple[Any, Any]:
        """Return the lists as the core has them."""
        stopwords, exceptions = self._stopwords, self._exceptions
        return (
            None if stopwords is None else _compiled_list(core, stopwords),
            None if exceptions is None else _compiled_list(core, exceptions),
        )

    def read_pair(
        self, core: Any, peer: bytes, model: bytes, *, as_one_sentence: bool
    ) -> ReadPair | None:
        """Read two texts and match their tokens; None where 32 bits do not number these."""
        stopwords, forms = self._of(core)
        pair: ReadPair | None = core.read_pair((peer, model), stopwords, forms, as_one_sentence)
        return pair

    def read(
        self,
        core: Any,
        texts: Sequence[bytes],
        spell: Callable[[], Spelling],
        *,
        with_unstemmed: bool,
        unsummed_start: int,
    ) -> ReadTexts | None:
        """Read limited texts into columns; None where 32 bits do not number their tokens.

        Parameters
        ----------
        core : module
        texts : sequence of bytes
        spell : callable
            Returns the spelling.
        with_unstemmed, unsummed_start
            As `rouge_cli.text.ascii155.read_texts` takes them.
        """
        stopwords, forms = self._of(core)
        read = core.read_texts(tuple(texts), stopwords, forms, with_unstemmed)
        if read is None:
            return None
        types, stems, sentences, offsets, n_types = read

        def columns(array: bytearray) -> TextColumns:
            return TextColumns(np.frombuffer(array, np.int32), sentence_offsets, text_offsets)

        sentence_offsets = np.frombuffer(sentences, np.int64)
        text_offsets = np.frombuffer(offsets, np.int64)
        unstemmed = columns(types) if forms is None or with_unstemmed else None
        stemmed = None
        if forms is not None:
            stemmed = columns(types if stems is None else stems)
        return ReadTexts(unstemmed, stemmed, n_types, spell, unsummed_start)


_made: dict[int, tuple[Any, Any]] = {}
"""Lists as the core has them, by the identity of those that they are made from, which they keep."""


def _compiled_list(core: Any, words: frozenset[bytes] | Mapping[bytes, bytes]) -> Any:
    """Return stopwords or irregular forms as the core looks them up; made once in a process."""
    made = _made.get(id(words))
    if made is None:
        forms = tuple(words)
        bases = tuple(words.values()) if isinstance(words, Mapping) else forms
        if len(_made) >= _MOST_LISTS:
            _made.clear()
        made = _made[id(words)] = words, core.word_list(forms, bases)
    return made[1]
