"""The texts of a block as numbers of words, all read at once.

`rouge_cli.protocols.texts.Reader` says what the words of a text are, and reads by itself where
there is no core. With the core, the sentences of all texts are joined, a newline between two of
them, so that only characters of certain classes stand between words. Then words are numbered
without a string for each of them.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from itertools import accumulate, chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rouge_cli.core import compiled_core
from rouge_cli.protocols.texts import (
    CONTRACTIONS,
    Reader,
    TextChoices,
    Words,
    stems_of,
    stopwords,
    words_in,
)
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.text.character_classes import SENTENCE_END, SEPARATOR, WORD, CharacterClasses
from rouge_cli.text.columns import TextColumns
from rouge_cli.text.stems import Numbers
from rouge_cli.text.xlsum import DICTIONARIES


@dataclass(frozen=True, slots=True, eq=False)
class NumberedTexts:
    """The texts of a block.

    Parameters
    ----------
    columns : TextColumns
        Equal words have equal numbers.
    n_types : int
        Every number is below it.
    spell : callable
        Returns the word of each number.
    """

    columns: TextColumns
    n_types: int
    spell: Callable[[], list[str]]

    def changed(
        self, choices: TextChoices, is_reference: NDArray[np.bool_]
    ) -> tuple[TextColumns, int]:
        """Remove stopwords and stem, as `Reader` does, by the number of each word.

        `is_reference`, shape (n_texts,), says which texts are references. Returns the columns, and
        what all numbers are below.
        """
        columns = self.columns
        if not choices.remove_stopwords and choices.stems == "none":
            return columns, self.n_types
        words = self.spell()
        if choices.remove_stopwords:
            columns = columns.without(
                np.array(list(map(stopwords().__contains__, words)), np.int32)
            )
        if choices.stems == "none":
            return columns, self.n_types
        numbers: Numbers[str] = Numbers()
        is_kept = ~np.repeat(is_reference, columns.token_counts)
        kept = columns.relabelled(_numbers_of(words, numbers))
        stemmed = columns.relabelled(_numbers_of(stems_of(choices.stems).of_words(words), numbers))
        if choices.stems != "references-only":
            return stemmed, len(numbers)
        types = np.where(is_kept, kept.types, stemmed.types)
        return TextColumns(types, columns.sentence_offsets, columns.text_offsets), len(numbers)


def _numbers_of(words: Iterable[str], numbers: Numbers[str]) -> NDArray[np.int32]:
    """Return the numbers of words, shape (n_words,)."""
    return np.array(list(map(numbers.__getitem__, words)), np.int32)


def read_texts(reader: Reader, texts: Sequence[str]) -> NumberedTexts:
    """Read texts as a reader does, without stopwords and stems."""
    choices = reader.choices.reading
    sentences = list(map(reader.sentences, texts))
    text_offsets = _offsets(sentences)
    all_sentences = list(chain.from_iterable(sentences))
    if all_sentences and compiled_core() is not None:
        joined = _JOINED.get(choices.words, _of_no_class)(choices, all_sentences)
        if joined is not None:
            separators, text, stand_ins = joined
            numbered = _classes(separators).number(text)
            columns = TextColumns(numbered.types, numbered.sentence_offsets, text_offsets)
            return NumberedTexts(
                columns, numbered.n_types, partial(_spelled, numbered.spell, stand_ins)
            )
    plain = Reader(choices, reader.reads_sentences)
    words = [plain.words(sentence, is_reference=False) for sentence in all_sentences]
    numbers: Numbers[str] = Numbers()
    types = _numbers_of(chain.from_iterable(words), numbers)
    return NumberedTexts(
        TextColumns(types, _offsets(words), text_offsets), len(numbers), lambda: list(numbers)
    )


def _offsets(parts: Sequence[Sequence[Any]]) -> NDArray[np.int64]:
    """Return where each part begins among the items of all, and the end; shape (n + 1,)."""
    return np.array([0, *accumulate(map(len, parts))], np.int64)


def _spelled(spell: Callable[[], list[str]], stand_ins: Mapping[int, str]) -> list[str]:
    """Return words with characters replaced by what they stand for."""
    words = spell()
    return [word.translate(stand_ins) for word in words] if stand_ins else words


Joined = tuple[Words, str, Mapping[int, str]]
"""Whose class tells words, the text, and what some characters stand for in it."""

_STAND_INS = "\0\1\2\3\4\5\6\7"
"""Characters that stand for an empty word, or for a newline in a word, where no text has them."""


def _of_no_class(choices: TextChoices, sentences: Sequence[str]) -> Joined | None:
    """Return None: no characters tell where words begin."""
    return None


def _joined_lines(choices: TextChoices, sentences: Sequence[str], newline: str = " ") -> str:
    """Join sentences in the chosen case."""
    text = SENTENCE_END.join(sentences)
    if text.count(SENTENCE_END) >= len(sentences):
        lines = [sentence.replace(SENTENCE_END, newline) for sentence in sentences]
        text = SENTENCE_END.join(lines)
    # No white space has a say in the small form of a letter behind or in front of it.
    return text if choices.case == "kept" else text.lower()


def _at_white_space(choices: TextChoices, sentences: Sequence[str]) -> Joined | None:
    """Join sentences whose words are separated by white space."""
    return "whitespace", _joined_lines(choices, sentences), {}


def _in_ascii(choices: TextChoices, sentences: Sequence[str]) -> Joined | None:
    """Join sentences whose words are runs of ASCII."""
    if choices.case == "lower-words":
        # Lowered as words, these are none.
        sentences = [text.replace("\u212a", " ").replace("\u0130", " ") for text in sentences]
    return "ascii", _joined_lines(choices, sentences), {}


_CONTRACTED = re.compile(rf"(?<![A-Za-z0-9_])(?:{'|'.join(CONTRACTIONS)})(?![A-Za-z0-9_])")


def _of_py_rouge(choices: TextChoices, sentences: Sequence[str]) -> Joined | None:
    """Join sentences with underscores around each cannot, and with contractions apart."""
    if choices.case == "lower-words":
        return None
    text = _joined_lines(choices, sentences).replace("_", " ").replace("cannot", "_cannot_")
    if any(word in text for word in CONTRACTIONS):
        text = _CONTRACTED.sub(lambda match: " ".join(CONTRACTIONS[match[0]]), text)
    return "py-rouge", text, {}


def _stand_ins(sentences: Sequence[str], number: int) -> list[str] | None:
    """Return characters that no sentence has; None if there are too few."""
    text = "".join(sentences)
    unused = [character for character in _STAND_INS if character not in text]
    return unused[:number] if len(unused) >= number else None


def _with_empty(choices: TextChoices, sentences: Sequence[str]) -> Joined | None:
    """Join sentences; a blank sentence is an empty word."""
    unused = _stand_ins(sentences, 1)
    if unused is None:
        return None
    (empty,) = unused
    filled = [empty if not text or text.isspace() else text for text in sentences]
    return "whitespace", _joined_lines(choices, filled), {ord(empty): ""}


def _at_blanks(choices: TextChoices, sentences: Sequence[str]) -> Joined | None:
    """Join sentences that are cut at every blank, which may leave an empty word before it."""
    unused = _stand_ins(sentences, 2)
    if unused is None:
        return None
    empty, newline = unused

    def filled(text: str) -> str:
        if text and "  " not in text and text[0] != " " != text[-1]:
            return text
        return " ".join([word or empty for word in text.split(" ")])

    lines = list(map(filled, sentences))
    text = _joined_lines(choices, lines, newline)
    return "single-blanks", text, {ord(empty): "", ord(newline): SENTENCE_END}


_CONTROLS = bytes(
    code for code in range(128) if not chr(code).isprintable() and code not in b"\t\n\r"
)
_BLANKED = {code: " " for code in range(128) if not chr(code).isalnum()}
_BLANKED[ord(SENTENCE_END)] = SENTENCE_END
_DIGITS = re.compile("[0-9]+")


def _without_punctuation(choices: TextChoices, sentences: Sequence[str]) -> Joined | None:
    """Join sentences whose words are separated by punctuation, and for XL-Sum by other marks too.

    In ASCII these are all but letters and digits, and numbers stand apart. Other sentences are put
    down word by word.
    """
    parts_numbers = choices.words == "xlsum"
    has_dictionary = parts_numbers and (choices.language or "").lower() in DICTIONARIES
    text = _joined_lines(choices, sentences)
    if has_dictionary or (choices.case == "lower-words" and not text.isascii()):
        return None
    find = words_in(choices.words, choices.language)

    def in_blanks(text: str) -> str:
        if not text.isascii() or _has_controls(text):
            return " ".join(find(text))
        blanked = text.translate(_BLANKED)
        return _DIGITS.sub(r" \g<0> ", blanked) if parts_numbers else blanked

    is_plain = text.isascii() and not _has_controls(text)
    lines = [text] if is_plain else text.split(SENTENCE_END)
    return "whitespace", SENTENCE_END.join(map(in_blanks, lines)), {}


def _has_controls(text: str) -> bool:
    """Say whether a text of ASCII has control characters other than tabs and ends of lines."""
    return len(text.encode("ascii").translate(None, _CONTROLS)) < len(text)


_JOINED: Mapping[Words, Callable[[TextChoices, Sequence[str]], Joined | None]] = {
    "whitespace": _at_white_space,
    "whitespace-or-empty": _with_empty,
    "single-blanks": _at_blanks,
    "ascii": _in_ascii,
    "py-rouge": _of_py_rouge,
    "unpunctuated": _without_punctuation,
    "xlsum": _without_punctuation,
}

_IN_WORDS: Mapping[Words, Callable[[str], bool]] = {
    "whitespace": lambda character: not character.isspace(),
    "single-blanks": lambda character: character != " ",
    "ascii": lambda character: character.isascii() and character.isalnum(),
    "py-rouge": lambda character: character.isascii() and (character.isalnum() or character == "_"),
}
"""The characters of words."""


@cache
def _classes(words: Words) -> CharacterClasses:
    """Return what finds words that consist of some characters."""
    is_in_words = _IN_WORDS[words]
    return CharacterClasses(lambda character: WORD if is_in_words(character) else SEPARATOR)
