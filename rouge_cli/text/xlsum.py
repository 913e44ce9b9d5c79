"""The words of XL-Sum's multilingual fork of ``rouge_score``.

Its rules were inferred from its behaviour, and are checked against its scores of 200 pairs. Texts
are lower-cased and lose their control characters. Chinese, Japanese and Thai are split by
dictionary, after blanks have replaced punctuation, which jieba and newmm would return as words. All
other text is split as by OpenNMT's tokenizer in aggressive mode, and then at punctuation, which is
dropped. Only ``rougeLsum`` ignores the language: it splits sentences at white space and
punctuation, so that a Chinese clause is one word.
"""

import unicodedata
import warnings
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from rouge_cli.errors import OptionError, RougeWarning, close_to
from rouge_cli.text.segmenters import WordSplitter, jieba_words, mecab_words, thai_words

DICTIONARIES: dict[str, Callable[[str], WordSplitter]] = {
    "chinese": jieba_words,
    "japanese": mecab_words,
    "thai": thai_words,
}

UNSUPPORTED = "burmese"  # the fork splits it by a dictionary of its own, which is not rebuilt here

# The languages of XL-Sum, and other common ones; any other name causes a warning.
LANGUAGES = frozenset({
    "amharic", "arabic", "azerbaijani", "bengali", "bulgarian", "burmese", "catalan", "chinese",
    "croatian", "czech", "danish", "dutch", "english", "estonian", "finnish", "french",
    "german", "greek", "gujarati", "hausa", "hebrew", "hindi", "hungarian", "icelandic", "igbo",
    "indonesian", "irish", "italian", "japanese", "kannada", "kirundi", "korean", "kyrgyz",
    "latvian", "lithuanian", "malay", "malayalam", "marathi", "nepali", "norwegian", "oromo",
    "pashto", "persian", "pidgin", "polish", "portuguese", "punjabi", "romanian", "russian",
    "scottish_gaelic", "serbian", "serbian_cyrillic", "serbian_latin", "sinhala", "slovak",
    "slovenian", "somali", "spanish", "swahili", "swedish", "tamil", "telugu", "thai",
    "tibetan", "tigrinya", "turkish", "ukrainian", "urdu", "uzbek", "vietnamese", "welsh",
    "yoruba",
})  # fmt: skip

# OpenNMT represents a blank in its tokens by U+2581.
AGGRESSIVE = (
    r"\p{Unified_Ideograph}\p{M}*"
    r"|\p{N}[\p{N}\p{M}]*"
    r"|[\p{L}--\p{Unified_Ideograph}][[\p{L}--\p{Unified_Ideograph}]\p{M}]*"
    r"|(?<=(?P<blank>\s))(?P<marks>\p{M}+)|\p{M}+"
    r"|[^\s\u2581\p{L}\p{M}\p{N}]\p{M}*"
)

PUNCTUATION = r"[\p{P}[[!-~]--[A-Za-z0-9]]]+"


class LanguageError(OptionError, ValueError):
    """A language whose words cannot be found."""


def check_language(language: str | None, stacklevel: int = 2) -> None:
    """Raise LanguageError for Burmese, and warn about an unknown language.

    `stacklevel` is passed on to `warnings.warn`.
    """
    _refuse_burmese(language)
    if language is not None and language.lower() not in LANGUAGES:
        close = close_to(language.strip(), sorted(LANGUAGES))
        advice = f"; did you mean {close!r}?" if close else ""
        warnings.warn(
            f"lang: {language!r} is not a known language; its words are found as in all "
            f"languages without a dictionary{advice}",
            RougeWarning,
            stacklevel=stacklevel,
        )


def _refuse_burmese(language: str | None) -> None:
    if (language or "").lower() == UNSUPPORTED:
        raise LanguageError(
            f"lang: found {language!r}, which XL-Sum's fork splits by a dictionary that is not "
            "available here"
        )


def xlsum_words(language: str | None) -> Callable[[str], list[str]]:
    """Return the function that splits a lower-case text in a language into its words.

    `language` is its English name, such as ``german``; None means the same as any language without
    a dictionary. Raises LanguageError for Burmese, whose dictionary is not available, and
    OptionError if the package with the dictionary is not installed.
    """
    _refuse_burmese(language)
    load = DICTIONARIES.get((language or "").lower())
    if load is None:
        return _words_by_rule
    cut = load(f"lang={language!r}")

    def words(text: str) -> list[str]:
        unpunctuated = " ".join(" ".join(_without_punctuation([_cleaned(text)])).split())
        return list(filter(None, cut(unpunctuated))) or _words_by_rule(text)

    return words


def unpunctuated_words(sentence: str) -> list[str]:
    """Return the words of a lower-case sentence for ``rougeLsum``, whatever its language."""
    return _without_punctuation(_cleaned(sentence).split())


def _words_by_rule(text: str) -> list[str]:
    # OpenNMT joins marks to the blank before them, and writes the blank as its code point.
    tokens = (
        f"{ord(match['blank']):04x}{match['marks']}" if match["marks"] else match[0]
        for match in _pattern(AGGRESSIVE).finditer(_cleaned(text))
    )
    return _without_punctuation(tokens)


class _ControlRemoval(dict[int, str | None]):
    """A table for `str.translate` that removes control characters, filled on demand."""

    __slots__ = ()

    def __missing__(self, code: int) -> str | None:
        character = chr(code)
        is_control = unicodedata.category(character) in {"Cc", "Cf"}
        kept = self[code] = None if is_control else character
        return kept


_CONTROL_REMOVAL = _ControlRemoval(dict.fromkeys(map(ord, "\t\n\r"), " "))


def _cleaned(text: str) -> str:
    return text.translate(_CONTROL_REMOVAL)


def _without_punctuation(tokens: Iterable[str]) -> list[str]:
    cut = _pattern(PUNCTUATION).split
    return [part for token in tokens for part in cut(token) if part.strip()]


@cache
def _pattern(pattern: str) -> Any:
    import regex

    return regex.compile(pattern, regex.VERSION1)
