"""What a word is in other languages: by the rules of Unicode, by dictionary, by plug-in.

A segmenter works on text that is normalised and in lower case already.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

from rouge_cli.errors import OptionError
from rouge_cli.options.language_tags import function_name
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.text.character_classes import MARK, SEPARATOR, SINGLE, WORD, CharacterClasses
from rouge_cli.text.segmented import SENTENCE_END, SegmentedText, numbered

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = [
    "Segmenter",
    "Words",
    "ascii_segmenter",
    "character_segmenter",
    "function_segmenter",
    "icu_segmenter",
    "jieba_segmenter",
    "jieba_words",
    "mecab_segmenter",
    "mecab_words",
    "plugin_names",
    "plugin_segmenter",
    "require",
    "thai_segmenter",
    "thai_words",
    "unicode_segmenter",
    "version",
    "whitespace_segmenter",
]

GROUP = "rouge_cli.tokenizers"
"""Of the entry points of plug-ins: functions from a sentence to its tokens."""

Words = Callable[[str], Iterable[str]]

SCRIPTS_WITHOUT_BLANKS = r"[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}\p{LB=SA}]"
"""Those of Chinese and Japanese, and those whose lines are broken by dictionary: Thai, Lao, Khmer,
Burmese and others of South East Asia."""

SUPPORTED_UNICODE = r"supports Unicode ([0-9]+\.[0-9]+)"
"""How the description of the package regex names the version whose letters it knows."""


@dataclass(frozen=True, slots=True)
class Segmenter:
    """Finds the tokens of a text.

    Parameters
    ----------
    name : str
        For the signature, with the versions of all that moves tokens.
    read : callable
        From a text, in which a newline ends a sentence, to its tokens.
    drops_letters : bool
        Whether there are letters that are in no token.
    """

    name: str
    read: Callable[[str], SegmentedText]
    drops_letters: bool = False


@cache
def ascii_segmenter(language: str | None) -> Segmenter:
    """Find the tokens of ROUGE-1.5.5: runs of A to Z and digits."""

    def class_of(character: str) -> int:
        return WORD if character.isascii() and character.isalnum() else SEPARATOR

    return Segmenter("ascii155", CharacterClasses(class_of).read, drops_letters=True)


@cache
def unicode_segmenter(language: str | None) -> Segmenter:
    """Find runs of letters, marks and numbers; single characters in scripts without blanks."""
    import regex

    is_single = regex.compile(SCRIPTS_WITHOUT_BLANKS, regex.VERSION1).match

    def class_of(character: str) -> int:
        found = _unicode_class(character)
        return SINGLE if found == WORD and is_single(character) else found

    return Segmenter(f"unicode-{_unicode_version()}", CharacterClasses(class_of).read)


@cache
def character_segmenter(language: str | None) -> Segmenter:
    """Find single letters and numbers, each with its marks."""

    def class_of(character: str) -> int:
        found = _unicode_class(character)
        return SINGLE if found == WORD else found

    return Segmenter(f"char-{_unicode_version()}", CharacterClasses(class_of).read)


@cache
def whitespace_segmenter(language: str | None) -> Segmenter:
    """Find whatever stands between white space, as in texts that are tokenised already."""

    def class_of(character: str) -> int:
        return SEPARATOR if character.isspace() else WORD

    return Segmenter("whitespace", CharacterClasses(class_of).read)


def icu_segmenter(language: str | None) -> Segmenter:
    """Find words by the rules and dictionaries of ICU."""
    breakers: Any = require("icu4py.breakers", "--tokenizer icu", "languages", "icu4py")
    import icu4py

    def words(sentence: str) -> Iterable[str]:
        found: Iterable[str] = breakers.WordBreaker(sentence, language or "en")
        return found

    return Segmenter(f"icu-{icu4py.icu_version}", _words_only(words))


def jieba_segmenter(language: str | None) -> Segmenter:
    """Find Chinese words by jieba, with its own dictionary."""
    words = jieba_words("--tokenizer jieba")
    return Segmenter(f"jieba-{version('jieba')}", _words_only(words))


def mecab_segmenter(language: str | None) -> Segmenter:
    """Find Japanese words by MeCab with the dictionary UniDic Lite."""
    words = mecab_words("--tokenizer mecab")
    name = f"mecab-fugashi-{version('fugashi')}-unidic-lite-{version('unidic-lite')}"
    return Segmenter(name, _words_only(words))


def thai_segmenter(language: str | None) -> Segmenter:
    """Find Thai words by PyThaiNLP's newmm, with its own dictionary."""
    words = thai_words("--tokenizer thai")
    return Segmenter(f"thai-newmm-pythainlp-{version('pythainlp')}", _words_only(words))


def jieba_words(user: str) -> Words:
    """Load jieba, for the one who needs it; raises OptionError."""
    require("jieba", user, "zh")
    return _jieba_words()


def mecab_words(user: str) -> Words:
    """Load MeCab with UniDic Lite, for the one who needs it; raises OptionError."""
    fugashi: Any = require("fugashi", user, "ja")
    unidic_lite: Any = require("unidic_lite", user, "ja", "unidic-lite")
    tagger = fugashi.Tagger(f'-O wakati -b 50000 -d "{unidic_lite.DICDIR}"')

    def words(sentence: str) -> Iterable[str]:
        found: str = tagger.parse(sentence)
        return found.split()

    return words


def thai_words(user: str) -> Words:
    """Load PyThaiNLP's newmm, for the one who needs it; raises OptionError."""
    with _read_only():
        tokenize: Any = require("pythainlp.tokenize", user, "th", "pythainlp")

        def words(sentence: str) -> Iterable[str]:
            found: list[str] = tokenize.word_tokenize(sentence, engine="newmm")
            return found

        # The dictionary is loaded with the first word.
        words("ก")
    return words


@contextmanager
def _read_only() -> Iterator[None]:
    """Keep PyThaiNLP from making a folder in the home directory as it is loaded."""
    names = ("PYTHAINLP_READ_ONLY", "PYTHAINLP_READ_MODE")
    if any(name in os.environ for name in names):
        yield
        return
    os.environ[names[0]] = "1"
    try:
        yield
    finally:
        del os.environ[names[0]]


def function_segmenter(words: Words, language: str | None) -> Segmenter:
    """Return the tokens of a function of the caller's; empty ones do not count."""
    name = function_name(words)
    return Segmenter(name, _checked(words, f"tokenizer {name}"))


def plugin_segmenter(name: str, language: str | None) -> Segmenter:
    """Return the tokens of a plug-in.

    Raises
    ------
    OptionError
        If there is none of this name or several, or if it cannot be loaded or is no function.
    """
    from importlib.metadata import entry_points

    found = list(entry_points(group=GROUP, name=name))
    if not found:
        raise OptionError(f"--tokenizer {name}: there is no plug-in of this name any more")
    if len(found) > 1:
        sources = " and ".join(sorted(_source(one) for one in found))
        raise OptionError(f"--tokenizer {name}: several plug-ins have this name: {sources}")
    (plugin,) = found
    try:
        words = plugin.load()
    # A plug-in may fail in any way as it is imported.
    except Exception as error:
        raise OptionError(
            f"--tokenizer {name}: the plug-in of {_source(plugin)} cannot be loaded: {error!r}"
        ) from None
    if not callable(words):
        raise OptionError(
            f"--tokenizer {name}: {plugin.value} of {_source(plugin)} is {words!r}, expected a "
            "function from a str to its tokens"
        )
    return Segmenter(f"{name}-{_source(plugin, '-')}", _checked(words, f"--tokenizer {name}"))


def plugin_names() -> list[str]:
    """Return the names of the plug-ins that are installed."""
    from importlib.metadata import entry_points

    return sorted({one.name for one in entry_points(group=GROUP)})


def require(module: str, user: str, extra: str, package: str | None = None) -> Any:
    """Import a module of a package that does not come with this one.

    Parameters
    ----------
    user : str
        What needs it, for the message.
    extra : str
        The extra of this package that brings it.

    Raises
    ------
    OptionError
        If it is not installed.
    """
    from importlib import import_module

    try:
        return import_module(module)
    except ImportError:
        raise OptionError(
            f"{user} needs the package {package or module}, which is not installed: "
            f"python -m pip install 'rouge-cli[{extra}]'"
        ) from None


def version(package: str) -> str:
    """Return the version of an installed package."""
    # Loaded late: a run of ROUGE-1.5.5's own words has no use for it, and it is slow to import.
    from importlib import metadata

    return metadata.version(package)


def _unicode_class(character: str) -> int:
    """Return the class of a character: letters and numbers make words, and marks belong to them."""
    import regex

    if regex.match(r"[\p{L}\p{N}]", character):
        return WORD
    return MARK if regex.match(r"\p{M}", character) else SEPARATOR


@cache
def _unicode_version() -> str:
    """Return the version of Unicode by which letters are told."""
    from importlib.metadata import distribution

    import regex

    found = regex.search(SUPPORTED_UNICODE, distribution("regex").read_text("METADATA") or "")
    return found[1] if found else f"regex-{version('regex')}"


@cache
def _jieba_words() -> Words:
    """Load jieba's dictionary, which takes a second."""
    import jieba

    tokenizer = jieba.Tokenizer()
    # Left to itself it would read and write a cache in the folder of temporary files, in which
    # anybody could have put one, and would report that on standard error.
    tokenizer.FREQ, tokenizer.total = tokenizer.gen_pfdict(tokenizer.get_dict_file())
    tokenizer.initialized = True
    words: Words = tokenizer.cut
    return words


def _words_only(words: Words) -> Callable[[str], SegmentedText]:
    """Return what reads a text with the words of each sentence, and leaves out punctuation."""
    import regex

    is_word = regex.compile(r"[\p{L}\p{N}]").search

    def tokens(text: str) -> Iterator[str]:
        for place, sentence in enumerate(text.split(SENTENCE_END)):
            if place:
                yield SENTENCE_END
            yield from filter(is_word, words(sentence))

    return lambda text: numbered(tokens(text))


def _checked(words: Words, name: str) -> Callable[[str], SegmentedText]:
    """Return what reads a text with a function that is not known.

    It raises OptionError for what is no token.
    """

    def tokens(text: str) -> Iterator[str]:
        for place, sentence in enumerate(text.split(SENTENCE_END)):
            if place:
                yield SENTENCE_END
            for token in words(sentence):
                if not isinstance(token, str):
                    raise OptionError(f"{name}: found the token {token!r}, expected a str")
                # A newline would be taken for the end of a sentence.
                if token := token.strip(SENTENCE_END):
                    yield token.replace(SENTENCE_END, " ")

    return lambda text: numbered(tokens(text))


def _source(plugin: "EntryPoint", separator: str = " ") -> str:
    """Return the package that a plug-in comes with, and its version."""
    package = plugin.dist
    return (
        "an unknown package" if package is None else f"{package.name}{separator}{package.version}"
    )
