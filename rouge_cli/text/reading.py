"""What a tokenizer returns for a block of texts, and what it raises for one that it cannot read."""

from collections.abc import Callable

from rouge_cli.quick_dataclass import dataclass
from rouge_cli.text.columns import TextColumns

__all__ = ["ReadTexts", "Spelling", "TextDecodeError"]


@dataclass(frozen=True, slots=True, eq=False)
class Spelling:
    """The words of a block of texts as they are spelt, before anything is stemmed.

    Parameters
    ----------
    words : list of bytes
        Each word once.
    columns : TextColumns
        The tokens of `ReadTexts`; their types are places in `words`.
    stem : callable or None
        From a word to its stem; None if nothing is stemmed.
    """

    words: list[bytes]
    columns: TextColumns
    stem: Callable[[bytes], bytes] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class ReadTexts:
    """The columns of a block of texts, stemmed and not.

    Parameters
    ----------
    unstemmed, stemmed : TextColumns or None
        Limited, and without stopwords if these are to be removed; None where not asked for. The
        stem ``runner`` and the unstemmed token ``runner`` have the same type.
    n_types : int
        Every type is below this number.
    spell : callable
        Returns the spelling, which few metrics ask for.
    unsummed_start : int
        From this text on the columns hold all texts once more, with the byte limit as ROUGE-L and
        ROUGE-W read it; 0 if they read it like all others.
    """

    unstemmed: TextColumns | None
    stemmed: TextColumns | None
    n_types: int
    spell: Callable[[], Spelling]
    unsummed_start: int = 0


class TextDecodeError(ValueError):
    """A text of a block is not UTF-8.

    Parameters
    ----------
    text : int
        Its number in the block.
    offset : int
        The first byte that is not UTF-8, counted from 0.
    byte : int
        That byte.
    """

    def __init__(self, text: int, offset: int, byte: int) -> None:
        super().__init__(
            f"byte 0x{byte:02X} at offset {offset} is not UTF-8, which the options under Language "
            "need; save it as UTF-8"
        )
        self.text = text
