"""The words of XL-Sum's multilingual fork of ``rouge_score``.

Its rules were found from its behaviour, and the scores of 200 pairs check them. The text is put in
lower case and loses its control characters. Chinese, Japanese and Thai are cut by dictionary, after
blanks have replaced punctuation, which jieba and newmm would return as words. All other text is cut
as by OpenNMT's tokenizer in its aggressive mode, and then at punctuation, which is dropped.
``rougeLsum`` alone takes no notice of the language: its sentences are cut at white space and
punctuation, so that a clause in Chinese is one word.
"""

import unicodedata
import warnings
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any

from rouge_cli.errors import OptionError, RougeWarning, close_to
from rouge_cli.text.segmenters import jieba_words, mecab_words, thai_words

Words = Callable[[str], list[str]]
"""From a text in lower case to its words in order."""

DICTIONARIES: dict[str, Callable[[str], Callable[[str], Iterable[str]]]] = {
    "chinese": jieba_words,
    "japanese": mecab_words,
    "thai": thai_words,
}
"""Language to the loader of its dictionary."""

NOT_KNOWN = "burmese"
"""The fork cuts it by a dictionary of its own, which is not rebuilt here."""

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
"""Languages of XL-Sum, and others that texts are often in; only names outside are warned of."""

AGGRESSIVE = (
    r"\p{Unified_Ideograph}\p{M}*"
    r"|\p{N}[\p{N}\p{M}]*"
    r"|[\p{L}--\p{Unified_Ideograph}][[\p{L}--\p{Unified_Ideograph}]\p{M}]*"
    r"|(?<=(?P<blank>\s))(?P<marks>\p{M}+)|\p{M}+"
    r"|[^\s\u2581\p{L}\p{M}\p{N}]\p{M}*"
)
"""U+2581 stands for a blank in OpenNMT's tokens."""

PUNCTUATION = r"[\p{P}[[!-~]--[A-Za-z0-9]]]+"


class LanguageError(OptionError, ValueError):
    """A language whose words are not known."""


def check_language(language: str | None, stacklevel: int = 2) -> None:
    """Raise LanguageError for Burmese, and warn of a name that is no known language.

    `stacklevel` is that of the code to be warned, as `warnings.warn` counts, seen from here.
    """
    _refuse_burmese(language)
    if language is not None and language.lower() not in LANGUAGES:
        close = close_to(language.strip(), sorted(LANGUAGES))
        advice = f"; did you mean {close!r}?" if close else ""
        warnings.warn(
            f"lang: {language!r} is not a language known here; the words are those of all "
            f"languages without a dictionary{advice}",
            RougeWarning,
            stacklevel=stacklevel,
        )


def _refuse_burmese(language: str | None) -> None:
    """Raise LanguageError for Burmese."""
    if (language or "").lower() == NOT_KNOWN:
        raise LanguageError(
            f"lang: found {language!r}, which has words of its own in XL-Sum's fork; they are not "
            "known here"
        )


def xlsum_words(language: str | None) -> Words:
    """Return what finds the words of a text in a language.

    Parameters
    ----------
    language : str or None
        In English: ``"german"``. None, and all languages that are not cut by dictionary, have the
        same words.

    Raises
    ------
    LanguageError
        If the language is Burmese, whose dictionary is not rebuilt.
    OptionError
        If the dictionary of the language is not installed.
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
    """Return the words of a sentence in lower case for ``rougeLsum``, alike in each language."""
    return _without_punctuation(_cleaned(sentence).split())


def _words_by_rule(text: str) -> list[str]:
    """Return the words of a text in lower case in a language without a dictionary."""
    return _without_punctuation(_aggressive(_cleaned(text)))


class _Cleaned(dict[int, str | None]):
    """What becomes of characters by code point; those beyond ASCII are looked up once."""

    __slots__ = ()

    def __missing__(self, code: int) -> str | None:
        """Drop a control character, keep any other."""
        character = chr(code)
        is_control = unicodedata.category(character) in {"Cc", "Cf"}
        kept = self[code] = None if is_control else character
        return kept


_CLEANED = _Cleaned(dict.fromkeys(map(ord, "\t\n\r"), " "))


def _cleaned(text: str) -> str:
    """Return a text without control characters; tabs and ends of lines are blanks."""
    return text.translate(_CLEANED)


def _aggressive(text: str) -> Iterator[str]:
    """Yield the tokens of OpenNMT's aggressive mode, in which marks do not stand alone."""
    for match in _pattern(AGGRESSIVE).finditer(text):
        # Marks behind a blank are joined to it, and the blank is written as its code point.
        yield f"{ord(match['blank']):04x}{match['marks']}" if match["marks"] else match[0]


def _without_punctuation(tokens: Iterable[str]) -> list[str]:
    """Cut tokens at punctuation, and drop what is blank."""
    cut = _pattern(PUNCTUATION).split
    return [part for token in tokens for part in cut(token) if part.strip()]


@cache
def _pattern(pattern: str) -> Any:
    """Compile a pattern."""
    import regex

    return regex.compile(pattern, regex.VERSION1)
