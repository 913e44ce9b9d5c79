"""Reading a batch of texts: words become integers, and equal words become equal integers.

There are three ways. Words that are runs of ASCII letters and digits are read and stemmed by the
core. If classes of characters separate words, the sentences are joined into one string, in which
the core numbers the words; this takes a third of the time of making a string for each word.
Everything else is read with the functions of `rouge_cli.protocols.texts`, which do just that.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import accumulate, chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rouge_cli.core import compiled_core
from rouge_cli.options.texts import TextOptions
from rouge_cli.protocols import js_rouge
from rouge_cli.protocols.texts import (
    PREPARE,
    SENTENCES,
    TextChoices,
    in_py_rouge_words,
    limited,
    stemmer_of,
    stopwords,
    words_in,
)
from rouge_cli.text.ascii155 import Ascii155Tokenizer, CompiledWords, columns_of
from rouge_cli.text.columns import TextColumns, encoded
from rouge_cli.text.segmenters import SENTENCE_END, SEPARATOR, WORD, CharacterClasses
from rouge_cli.text.stems import Numbers
from rouge_cli.text.stems import Stems as StemCache
from rouge_cli.text.xlsum import DICTIONARIES

KnownWords = tuple[Numbers[Any], Any]
"""Words that keep their numbers between calls with the same choices: numbers by word, and the
vocabulary object of the core, or None without the core. The choices determine which of the two has
the words; the other is empty."""

_Spelt = tuple[TextColumns, int, Callable[[], list[Any]]]
"""Texts as numbers of words, a bound above these numbers, and a function that returns the words in
the order of their numbers."""


def read_columns(
    choices: TextChoices,
    texts: Sequence[str],
    is_reference: NDArray[np.bool_],
    known: KnownWords | None = None,
) -> tuple[TextColumns, int]:
    """Read texts as one kind of metric does; `choices` come from `TextChoices.of_metric`.

    `is_reference` has shape (n_texts,). Words in `known`, from earlier calls, keep their numbers.
    Returns the columns, in which equal words have equal numbers, and a bound above these numbers.
    """
    numbers, vocabulary = (None, None) if known is None else known
    texts = prepared_texts(choices, texts, is_reference)
    core = compiled_core()
    if core is not None and choices.words == "ascii":
        read = _read_ascii(core, choices, texts, vocabulary)
        if read is not None:
            return read
    texts = [limited(choices, text) for text in texts]
    spelt = None if core is None else _read_classes(choices, texts)
    if spelt is not None:
        return _with_stems(choices, spelt, is_reference, numbers)
    words_of: Any = choices.words
    find = words_of if callable(words_of) else words_in(words_of, choices.language)
    cut = SENTENCES[choices.sentences]
    if choices.case == "lower":
        words = [[list(find(part.lower())) for part in cut(text)] for text in texts]
    else:
        words = [[list(find(part)) for part in cut(text)] for text in texts]
    of_texts: Numbers[Any] = Numbers()
    columns = columns_of(words, of_texts)
    spelt = columns, len(of_texts), lambda: list(of_texts)
    return _with_stems(choices, spelt, is_reference, numbers)


def prepared_texts(
    choices: TextChoices, texts: Sequence[str], is_reference: NDArray[np.bool_]
) -> Sequence[str]:
    """Return texts as the framework passes them to the package."""
    if choices.prepare == "none":
        return texts
    prepare = PREPARE[choices.prepare]
    return [prepare(text, side) for text, side in zip(texts, is_reference.tolist(), strict=True)]


def _read_ascii(
    core: Any, choices: TextChoices, texts: Sequence[str], vocabulary: Any
) -> tuple[TextColumns, int] | None:
    """Read lower-cased runs of ASCII with the core; None if the core cannot apply the choices."""
    words = compiled_words(choices.stems, choices.remove_stopwords)
    if choices.case == "kept" or words is None:
        return None
    encode = encoder_of(choices)
    is_plain = encode is lowered
    spelt = [text if is_plain and text.isascii() else encode(text) for text in texts]
    read = words.read(core, spelt, with_unstemmed=False, vocabulary=vocabulary)
    if read is None:
        return None
    columns = read.unstemmed if read.stemmed is None else read.stemmed
    return None if columns is None else (columns, read.n_types)


@cache
def compiled_words(stems: str, remove_stopwords: bool) -> CompiledWords | None:
    """Return the core's reader for runs of ASCII; None if it lacks the stemmer."""
    if stems == "porter" and not remove_stopwords:
        return CompiledWords(None, StemCache(b""), as_nltk=True)
    if stems not in {"none", "original"}:
        return None
    options = TextOptions(stem=stems == "original", remove_stopwords=remove_stopwords)
    return Ascii155Tokenizer.load(options, {}).compiled_words


def encoder_of(choices: TextChoices) -> Callable[[str], bytes]:
    """Return the function that encodes a text for the core, with a newline between sentences.

    If case is lowered before words are found, the function does that too.
    """
    encode = lowered if choices.case == "lower" else encoded
    if choices.sentences == "newline" and not (choices.replacements or choices.limit > 0):
        return encode
    cut = SENTENCES[choices.sentences]

    def encode_sentences(text: str) -> bytes:
        sentences = cut(limited(choices, text))
        return encode("\n".join([sentence.replace("\n", " ") for sentence in sentences]))

    return encode_sentences


def lowered(text: str) -> bytes:
    """Encode a text in lower case; texts in ASCII stay as they are, since the core lowers them."""
    return text.encode() if text.isascii() else encoded(text.lower())


def _with_stems(
    choices: TextChoices, spelt: _Spelt, is_reference: NDArray[np.bool_], known: Numbers[Any] | None
) -> tuple[TextColumns, int]:
    # Works on distinct words, so that each is lowered, looked up and stemmed only once.
    columns, n_types, spell = spelt
    is_lowered = choices.case == "lower-words"
    is_changed = is_lowered or choices.remove_stopwords or choices.stems != "none"
    if known is None and not is_changed:
        return columns, n_types
    words = [word.lower() for word in spell()] if is_lowered else spell()
    if choices.remove_stopwords:
        is_dropped = np.fromiter(map(stopwords().__contains__, words), np.int32, len(words))
        columns = columns.without(is_dropped)
    numbers: Numbers[Any] = Numbers() if known is None else known

    def renumbered(words: Iterable[str]) -> TextColumns:
        return columns.relabelled(np.fromiter(map(numbers.__getitem__, words), np.int32))

    plain = renumbered(words)
    if choices.stems == "none":
        return plain, len(numbers)
    stemmed = renumbered(map(stemmer_of(choices.stems), words))
    if choices.stems == "references-only":
        is_stemmed = np.repeat(is_reference, columns.token_counts)
        stemmed = replace(stemmed, types=np.where(is_stemmed, stemmed.types, plain.types))
    return stemmed, len(numbers)


def _read_classes(choices: TextChoices, texts: Sequence[str]) -> _Spelt | None:
    join = _JOINED.get(choices.words)
    if join is None:
        return None
    sentences = list(map(SENTENCES[choices.sentences], texts))
    joined = join(choices, list(chain.from_iterable(sentences))) if any(sentences) else None
    if joined is None:
        return None
    kind, text, stand_ins = joined
    numbered = _classes(kind).number(text)
    offsets = np.array([0, *accumulate(map(len, sentences))], np.int64)
    columns = TextColumns(numbered.types, numbered.sentence_offsets, offsets)

    def spell() -> list[str]:
        words = numbered.spell()
        return [word.translate(stand_ins) for word in words] if stand_ins else words

    return columns, numbered.n_types, spell


Joined = tuple[str, str, Mapping[int, str]]
"""The kind of separators in the joined text (a key of `_IN_WORDS`), the joined text, and what its
stand-in characters represent, for `str.translate`."""

_STAND_INS = "\0\1\2\3\4\5\6\7"
"""Candidates for characters that represent an empty word or a newline in a word; those that occur
in a text cannot be used."""


def _joined_lines(choices: TextChoices, sentences: Sequence[str], newline: str = " ") -> str:
    text = SENTENCE_END.join(sentences)
    if text.count(SENTENCE_END) >= len(sentences):
        lines = [sentence.replace(SENTENCE_END, newline) for sentence in sentences]
        text = SENTENCE_END.join(lines)
    # Lowering the joined text equals lowering each sentence, as lower case depends on neighbouring
    # letters (a final sigma), but not across white space.
    return text if choices.case == "kept" else text.lower()


def _as_they_are(choices: TextChoices, sentences: Sequence[str]) -> Joined | None:
    if choices.words == "ascii" and choices.case == "lower-words":
        # Words are found before they are lowered, and these two characters separate words. Lowering
        # the joined text would turn them into ASCII letters.
        sentences = [text.replace("\u212a", " ").replace("\u0130", " ") for text in sentences]
    return choices.words, _joined_lines(choices, sentences), {}


def _of_py_rouge(choices: TextChoices, sentences: Sequence[str]) -> Joined | None:
    if choices.case == "lower-words":
        return None
    return "py-rouge", in_py_rouge_words(_joined_lines(choices, sentences)), {}


def _with_empty(choices: TextChoices, sentences: Sequence[str]) -> Joined | None:
    """Join sentences with a stand-in for each empty word.

    A sentence without words is one empty word, or there is one between two adjacent blanks.
    """
    text = "".join(sentences)
    unused = [character for character in _STAND_INS if character not in text]
    if len(unused) < 2:  # noqa: PLR2004
        return None
    empty, newline, *_ = unused
    if choices.words == "whitespace-or-empty":
        lines = [empty if not text or text.isspace() else text for text in sentences]
        return "whitespace", _joined_lines(choices, lines), {ord(empty): ""}

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
    """Join sentences whose words are separated by punctuation, as in `unpunctuated` and `xlsum`.

    In ASCII, all characters but letters and digits separate words, and XL-Sum also separates
    numbers from letters. Words of other sentences are found one by one, then joined with blanks.
    """
    parts_numbers = choices.words == "xlsum"
    has_dictionary = parts_numbers and (choices.language or "").lower() in DICTIONARIES
    text = _joined_lines(choices, sentences)
    if has_dictionary or (choices.case == "lower-words" and not text.isascii()):
        return None
    find = words_in(choices.words, choices.language)

    def is_plain(text: str) -> bool:
        return text.isascii() and len(text.encode().translate(None, _CONTROLS)) == len(text)

    def in_blanks(text: str) -> str:
        if not is_plain(text):
            return " ".join(find(text))
        blanked = text.translate(_BLANKED)
        return _DIGITS.sub(r" \g<0> ", blanked) if parts_numbers else blanked

    lines = [text] if is_plain(text) else text.split(SENTENCE_END)
    return "whitespace", SENTENCE_END.join(map(in_blanks, lines)), {}


def _of_js_rouge(choices: TextChoices, sentences: Sequence[str]) -> Joined | None:
    # `in_blanks` leaves only blanks between words, and no white space inside them.
    if choices.case == "lower":
        sentences = [sentence.lower() for sentence in sentences]
    version = choices.words.removeprefix("js-")
    return "single-blanks", js_rouge.in_blanks(sentences, version=version), {}


_JOINED: Mapping[str, Callable[[TextChoices, Sequence[str]], Joined | None]] = {
    "whitespace": _as_they_are,
    "whitespace-or-empty": _with_empty,
    "single-blanks": _with_empty,
    "ascii": _as_they_are,
    "py-rouge": _of_py_rouge,
    "unpunctuated": _without_punctuation,
    "xlsum": _without_punctuation,
    "js-3.2.1": _of_js_rouge,
    "js-3.2.3": _of_js_rouge,
}

_IN_WORDS: Mapping[str, Callable[[str], bool]] = {
    "whitespace": lambda character: not character.isspace(),
    "single-blanks": lambda character: character != " ",
    "ascii": lambda character: character.isascii() and character.isalnum(),
    "py-rouge": lambda character: character.isascii() and (character.isalnum() or character == "_"),
}
"""The characters that belong to words; all others separate them."""


@cache
def _classes(words: str) -> CharacterClasses:
    is_in_words = _IN_WORDS[words]
    return CharacterClasses(lambda character: WORD if is_in_words(character) else SEPARATOR)
