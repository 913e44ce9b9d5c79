"""The tokens of a text as a segmenter finds them: types, sentences, strings."""

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

from rouge_cli.quick_dataclass import dataclass
from rouge_cli.text.stemmer import Numbers

__all__ = ["SENTENCE_END", "SegmentedText", "numbered"]

SENTENCE_END = "\n"


@dataclass(frozen=True, slots=True, eq=False)
class SegmentedText:
    """The tokens of a text.

    Parameters
    ----------
    types : ndarray of int32, shape (n_tokens,)
        The type of each token, below `n_types`.
    sentence_offsets : ndarray of int64, shape (n_sentences + 1,)
        Sentence ``s`` has the tokens ``sentence_offsets[s]:sentence_offsets[s + 1]``.
    strings : callable
        Makes the list of the strings of all types, in order.
    """

    types: NDArray[np.int32]
    sentence_offsets: NDArray[np.int64]
    n_types: int
    strings: Callable[[], list[str]]


def numbered(tokens: Iterable[str]) -> SegmentedText:
    """Give tokens, among which `SENTENCE_END` ends a sentence, the numbers of their types."""
    numbers: Numbers[str] = Numbers()
    types = np.fromiter(map(numbers.__getitem__, tokens), np.int32)
    is_end = types == numbers[SENTENCE_END]
    ends = np.append(np.flatnonzero(is_end), types.size)
    sentence_offsets = np.concatenate(([0], ends - np.arange(ends.size)))
    return SegmentedText(types[~is_end], sentence_offsets, len(numbers), lambda: list(numbers))
