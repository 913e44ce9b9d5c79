"""Segmenters find words by the rules of Unicode, by a dictionary, or by a plug-in.

The text that a segmenter gets is already normalised and in lower case.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

from rouge_cli.errors import OptionError, missing_package
from rouge_cli.options.texts import function_name
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.text.character_classes import (
    DROPPED,
    JOINER,
    MARK,
    SENTENCE_END,
    SEPARATOR,
    SINGLE,
    WORD,
    CharacterClasses,
    SegmentedText,
    numbered,
)

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "rouge_cli.tokenizers"  # entry points of plug-ins: functions from a sentence to its tokens
WordSplitter = Callable[[str], Iterable[str]]  # from a sentence to its words

# The scripts of Chinese and Japanese, and those whose lines break by dictionary: Thai, Lao, Khmer,
# Burmese and others of South-East Asia.
SCRIPTS_WITHOUT_BLANKS = r"[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}\p{LB=SA}]"

# Zero-width non-joiner and joiner, which control whether adjacent letters are connected.
JOINERS = "\u200c\u200d"

# Characters dropped from words: soft hyphens, direction marks and others that do not change a word
# (UAX #29, WB4), and tatweel, which stretches an Arabic word.
INVISIBLE = r"[\p{WB=Format}\u0640]"

# In the description of the package regex: the version of Unicode that it implements.
SUPPORTED_UNICODE = r"supports Unicode ([0-9]+\.[0-9]+)"


@dataclass(frozen=True, slots=True)
class Segmenter:
    """Finds the tokens of a text.

    - `name`: for the signature, with the versions of everything that affects tokens.
    - `read`: from a text, in which a newline ends a sentence, to its tokens.
    - `drops_letters`: some letters are in no token.
    - `joins`: `JOINERS` stay inside words, and `INVISIBLE` characters are dropped.
    """

    name: str
    read: Callable[[str], SegmentedText]
    drops_letters: bool = False
    joins: bool = False


@cache
def ascii_segmenter(language: str | None) -> Segmenter:
    """Find the tokens of ROUGE-1.5.5: runs of A to Z and digits."""
    classes = CharacterClasses(lambda c: WORD if c.isascii() and c.isalnum() else SEPARATOR)
    return Segmenter("ascii155", classes.number, drops_letters=True)


@cache
def unicode_segmenter(language: str | None) -> Segmenter:
    """Find runs of letters, marks and digits; single characters in scripts without blanks."""
    import regex

    is_single = regex.compile(SCRIPTS_WITHOUT_BLANKS, regex.VERSION1).match

    def class_of(character: str) -> int:
        kind = _unicode_class(character)
        return SINGLE if kind == WORD and is_single(character) else kind

    return Segmenter(f"unicode-{_unicode_version()}", CharacterClasses(class_of).number, joins=True)


@cache
def character_segmenter(language: str | None) -> Segmenter:
    """Find single letters and digits, each with its marks."""

    def class_of(character: str) -> int:
        kind = _unicode_class(character)
        return SINGLE if kind == WORD else kind

    return Segmenter(f"char-{_unicode_version()}", CharacterClasses(class_of).number, joins=True)


@cache
def whitespace_segmenter(language: str | None) -> Segmenter:
    """Split at white space, for texts that are already tokenised."""
    classes = CharacterClasses(lambda c: SEPARATOR if c.isspace() else WORD)
    return Segmenter("whitespace", classes.number)


def icu_segmenter(language: str | None) -> Segmenter:
    """Find words with ICU's rules and dictionaries."""
    breakers: Any = require("icu4py.breakers", "--tokenizer icu", "languages", "icu4py")
    import icu4py

    def words(sentence: str) -> Iterable[str]:
        pieces: Iterable[str] = breakers.WordBreaker(sentence, language or "en")
        return pieces

    return Segmenter(f"icu-{icu4py.icu_version}", _words_only(words), joins=True)


def dictionary_segmenter(name: str, language: str | None) -> Segmenter:
    """Find words with one of `DICTIONARIES`."""
    load, signature, packages = DICTIONARIES[name]
    words = load(f"--tokenizer {name}")
    return Segmenter(signature.format(*map(version, packages)), _words_only(words), joins=True)


def jieba_words(user: str) -> WordSplitter:
    """Load jieba for `user`, an option; raises OptionError."""
    require("jieba", user, "zh")
    return _jieba_words()


def mecab_words(user: str) -> WordSplitter:
    """Load MeCab with UniDic Lite for `user`, an option; raises OptionError."""
    fugashi: Any = require("fugashi", user, "ja")
    unidic_lite: Any = require("unidic_lite", user, "ja", "unidic-lite")
    tagger = fugashi.Tagger(f'-O wakati -b 50000 -d "{unidic_lite.DICDIR}"')

    def words(sentence: str) -> Iterable[str]:
        separated: str = tagger.parse(sentence)
        return separated.split()

    return words


def thai_words(user: str) -> WordSplitter:
    """Load PyThaiNLP's newmm for `user`, an option; raises OptionError."""
    with _read_only():
        tokenize: Any = require("pythainlp.tokenize", user, "th", "pythainlp")

        def words(sentence: str) -> Iterable[str]:
            tokens: list[str] = tokenize.word_tokenize(sentence, engine="newmm")
            return tokens

        # The first call loads the dictionary, which has to happen while the folder is protected.
        words("ก")
    return words


DICTIONARIES: dict[str, tuple[Callable[[str], WordSplitter], str, tuple[str, ...]]] = {
    "jieba": (jieba_words, "jieba-{}", ("jieba",)),
    "mecab": (mecab_words, "mecab-fugashi-{}-unidic-lite-{}", ("fugashi", "unidic-lite")),
    "thai": (thai_words, "thai-newmm-pythainlp-{}", ("pythainlp",)),
}
"""Tokenizers with a dictionary: the loader, the name in the signature, and packages with versions.
"""


@contextmanager
def _read_only() -> Iterator[None]:
    """Keep PyThaiNLP from creating a folder in the home directory while it loads."""
    names = ("PYTHAINLP_READ_ONLY", "PYTHAINLP_READ_MODE")
    if any(name in os.environ for name in names):
        yield
        return
    os.environ[names[0]] = "1"
    try:
        yield
    finally:
        del os.environ[names[0]]


def function_segmenter(words: WordSplitter, language: str | None) -> Segmenter:
    """Segment with a function of the caller, ignoring empty tokens."""
    name = function_name(words)
    return Segmenter(name, _checked(words, f"tokenizer {name}"))


def plugin_segmenter(name: str, language: str | None) -> Segmenter:
    """Segment with a plug-in.

    Raises OptionError unless exactly one plug-in has this name, and it can be loaded and called.
    """
    from importlib.metadata import entry_points

    plugins = list(entry_points(group=GROUP, name=name))
    if not plugins:
        raise OptionError(f"--tokenizer {name}: the plug-in is no longer installed")
    if len(plugins) > 1:
        sources = " and ".join(sorted(map(_source, plugins)))
        raise OptionError(f"--tokenizer {name}: several plug-ins have this name: {sources}")
    (plugin,) = plugins
    try:
        words = plugin.load()
    # Loading runs code of the package, which may raise anything.
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
    """Return the names of installed plug-ins, sorted."""
    from importlib.metadata import entry_points

    return sorted({plugin.name for plugin in entry_points(group=GROUP)})


def require(module: str, user: str, extra: str, package: str | None = None) -> Any:
    """Import a module of an optional package; raises OptionError if it is not installed.

    `user` is the option that needs it, `extra` the extra of rouge-cli that installs it. `package`
    is its name on PyPI if that differs from `module`.
    """
    from importlib import import_module

    try:
        return import_module(module)
    except ImportError as error:
        needs = f"{user} needs the package {package or module}"
        # Right for every installation, also one that does not come from an index.
        names = {"ja": "fugashi unidic-lite"}.get(extra, package or module)
        remedy = f"python -m pip install {names}"
        raise OptionError(missing_package(error, needs, remedy)) from None


def version(package: str) -> str:
    """Return the version of an installed package."""
    # Slow to import, and runs with the tokenizer of ROUGE-1.5.5 do not need it.
    from importlib import metadata

    return metadata.version(package)


def _unicode_class(character: str) -> int:
    import regex

    if character in JOINERS:
        return JOINER
    if regex.match(INVISIBLE, character):
        return DROPPED
    if regex.match(r"[\p{L}\p{N}]", character):
        return WORD
    return MARK if regex.match(r"\p{M}", character) else SEPARATOR


@cache
def _unicode_version() -> str:
    from importlib.metadata import distribution

    import regex

    description = distribution("regex").read_text("METADATA") or ""
    match = regex.search(SUPPORTED_UNICODE, description)
    return match[1] if match else f"regex-{version('regex')}"


@cache
def _jieba_words() -> WordSplitter:
    import jieba

    tokenizer = jieba.Tokenizer()
    # By default jieba reads and writes a cache in the folder of temporary files, where anybody
    # could have planted one, and reports this on standard error.
    tokenizer.FREQ, tokenizer.total = tokenizer.gen_pfdict(tokenizer.get_dict_file())
    tokenizer.initialized = True
    words: WordSplitter = tokenizer.cut
    return words


def _by_sentence(words: WordSplitter) -> Callable[[str], SegmentedText]:
    def tokens(text: str) -> Iterator[str]:
        for number, sentence in enumerate(text.split(SENTENCE_END)):
            if number:
                yield SENTENCE_END
            yield from words(sentence)

    return lambda text: numbered(tokens(text))


def _words_only(words: WordSplitter) -> Callable[[str], SegmentedText]:
    import regex

    is_word = regex.compile(r"[\p{L}\p{N}]").search
    drop = regex.compile(INVISIBLE).sub
    return _by_sentence(lambda sentence: filter(is_word, words(drop("", sentence))))


def _checked(words: WordSplitter, name: str) -> Callable[[str], SegmentedText]:
    def strings(sentence: str) -> Iterator[str]:
        for token in words(sentence):
            if not isinstance(token, str):
                raise OptionError(f"{name}: found the token {token!r}, expected a str")
            # A newline inside a token would end the sentence.
            if token := token.strip(SENTENCE_END):
                yield token.replace(SENTENCE_END, " ")

    return _by_sentence(strings)


def _source(plugin: "EntryPoint", separator: str = " ") -> str:
    package = plugin.dist
    return (
        "an unknown package" if package is None else f"{package.name}{separator}{package.version}"
    )
