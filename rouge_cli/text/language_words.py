"""Stems and stopwords of languages: Snowball's algorithms, lists, and those of ROUGE-1.5.5."""

import hashlib
from collections.abc import Callable
from typing import Any

from rouge_cli.errors import InputError, OptionError
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.text.segmenters import require, version
from rouge_cli.text.word_lists import (
    BUILT_IN_EXCEPTIONS,
    built_in_stems,
    parse_stopwords,
    read_word_list,
)

__all__ = ["StemRule", "StopwordList", "load_stem_rule", "load_stopword_list", "primary_language"]

NLTK, SNOWBALL, PORTER155 = "nltk", "snowballstemmer", "porter155"

STEMMED_BY_NLTK = {
    "ar": "arabic",
    "da": "danish",
    "de": "german",
    "en": "english",
    "es": "spanish",
    "fi": "finnish",
    "fr": "french",
    "hu": "hungarian",
    "it": "italian",
    "nb": "norwegian",
    "nl": "dutch",
    "nn": "norwegian",
    "no": "norwegian",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sv": "swedish",
}
STEMMED_BY_SNOWBALL = {
    **STEMMED_BY_NLTK,
    "ca": "catalan",
    "cs": "czech",
    "el": "greek",
    "eo": "esperanto",
    "et": "estonian",
    "eu": "basque",
    "fa": "persian",
    "ga": "irish",
    "hi": "hindi",
    "hy": "armenian",
    "id": "indonesian",
    "lt": "lithuanian",
    "ne": "nepali",
    "pl": "polish",
    "sr": "serbian",
    "st": "sesotho",
    "ta": "tamil",
    "tr": "turkish",
    "yi": "yiddish",
}
"""Primary language of a BCP 47 tag to the name of an algorithm."""

SAME_LIST = {"nb": "no", "nn": "no", "fil": "tl"}
"""Languages that share the stopwords of another."""


@dataclass(frozen=True, slots=True)
class StemRule:
    """How tokens are stemmed.

    Parameters
    ----------
    name : str
        For the signature.
    stem : callable
        From a token to its stem.
    """

    name: str
    stem: Callable[[str], str]


@dataclass(frozen=True, slots=True)
class StopwordList:
    """Stopwords as a list has them, before they are read as tokens.

    Parameters
    ----------
    name : str
        For the signature.
    source : str
        For messages.
    """

    name: str
    source: str
    words: tuple[str, ...]


def primary_language(tag: str | None) -> str:
    """Return the language of a tag: ``pt`` of ``pt-BR``; empty if there is none."""
    return (tag or "").partition("-")[0]


def load_stem_rule(language: str | None, stemmer: str | None) -> StemRule:
    """Load what ``-m`` stems with.

    Parameters
    ----------
    language : str or None
        BCP 47 tag.
    stemmer : str or None
        As ``--stemmer`` has it; None is NLTK's for the languages that it knows, and otherwise
        that of snowballstemmer.

    Raises
    ------
    OptionError
        If there is none for this language, or its package is not installed.
    """
    source, _, algorithm = (stemmer or "").partition(":")
    if source == PORTER155:
        return _porter155()
    if not source:
        source = NLTK if primary_language(language) in STEMMED_BY_NLTK else SNOWBALL
    table = STEMMED_BY_NLTK if source == NLTK else STEMMED_BY_SNOWBALL
    found = algorithm or table.get(primary_language(language))
    if found is None:
        raise OptionError(_no_stemmer(language, stemmer, table))
    load = _nltk if source == NLTK else _snowball
    name, stem = load(found)
    return StemRule(f"{name}-{algorithm}" if algorithm else name, stem)


def load_stopword_list(language: str | None, path: str | None) -> StopwordList:
    """Load what ``-s`` removes.

    Raises
    ------
    OptionError
        If there is no list for this language, or the package with the lists is not installed.
    InputError
        If the file cannot be read, or has no words in it.
    """
    if path is not None:
        return _own_list(path)
    if language is None:
        raise OptionError(
            "-s/--remove-stopwords: with --tokenizer there is no list of stopwords but that of a "
            "--language or that of --stopwords FILE"
        )
    lists: Any = require("stopwordsiso", f"-s with --language {language}", "languages")
    code = primary_language(language)
    code = SAME_LIST.get(code, code)
    if code not in lists.langs():
        known = ", ".join(sorted(lists.langs()))
        raise OptionError(
            f"-s/--remove-stopwords: no list of stopwords for --language {language}; there is one "
            f"for {known}; name a list of your own with --stopwords"
        )
    name = f"stopwordsiso-{version('stopwordsiso')}"
    return StopwordList(name, name, tuple(sorted(lists.stopwords(code))))


def _own_list(path: str) -> StopwordList:
    """Read a list of the user's."""
    words = parse_stopwords(read_word_list(path))
    if not words:
        raise InputError(f"{path}: no words in it; expected stopwords, one a line")
    try:
        decoded = tuple(sorted(word.decode("utf-8-sig") for word in words))
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: {error.object!r} is not UTF-8; save the list as UTF-8") from None
    digest = hashlib.sha256("\n".join(decoded).encode()).hexdigest()[:12]
    return StopwordList(f"own-{digest}", path, decoded)


def _porter155() -> StemRule:
    """Return the stems of ROUGE-1.5.5, which leave other words than those of ASCII alone."""
    stems = built_in_stems()

    def stem(token: str) -> str:
        return stems[token.encode()].decode() if token.isascii() else token

    return StemRule(f"porter155+{BUILT_IN_EXCEPTIONS}", stem)


def _nltk(algorithm: str) -> tuple[str, Callable[[str], str]]:
    """Load a stemmer of NLTK."""
    from nltk.stem.snowball import SnowballStemmer

    if algorithm not in SnowballStemmer.languages:
        known = ", ".join(SnowballStemmer.languages)
        raise OptionError(f"--stemmer: NLTK has no stemmer {algorithm!r}; it has {known}")
    stem: Callable[[str], str] = SnowballStemmer(algorithm).stem
    return f"nltk-snowball-{version('nltk')}", stem


def _snowball(algorithm: str) -> tuple[str, Callable[[str], str]]:
    """Load a stemmer of the package snowballstemmer."""
    snowball: Any = require(SNOWBALL, f"the stemmer for {algorithm}", "languages")
    if algorithm not in snowball.algorithms():
        known = ", ".join(snowball.algorithms())
        raise OptionError(
            f"--stemmer: snowballstemmer {version(SNOWBALL)} has no stemmer {algorithm!r}; it has "
            f"{known}"
        )
    stem: Callable[[str], str] = snowball.stemmer(algorithm).stemWord
    return f"snowballstemmer-{version(SNOWBALL)}", stem


def _no_stemmer(language: str | None, stemmer: str | None, table: dict[str, str]) -> str:
    """Say that there is no stemmer for a language, and for which there is one."""
    if language is None:
        return (
            "-m/--stem: with --tokenizer there is no stemmer but that of a --language or of "
            "--stemmer, such as nltk:german"
        )
    asked_for = f"--stemmer {stemmer}" if stemmer else "-m/--stem"
    return (
        f"{asked_for}: no stemmer for --language {language}; there is one for "
        f"{', '.join(sorted(table))}"
    )
